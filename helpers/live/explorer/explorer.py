"""`explore`: an attention map that answers the hand, as HTML to show in a cell or to save as a page."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from helpers.drawing.inputs import as_mask
from helpers.live.explorer.packing import Packed, pack
from helpers.live.explorer.page import fragment
from helpers.live.explorer.still import still_picture
from helpers.live.page import Live

Start = tuple[int, int] | tuple[int, int, str | int]


class Explorer(Live):
    """An attention map that answers the hand."""

    def __init__(self, fragment: str, alt: str, title: str | None) -> None:
        super().__init__(fragment, alt, title or "Attention explorer")


def explore(
    weights: Any,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    *,
    mask: Any = None,
    title: str | None = None,
    start: Start = (0, 0),
) -> Explorer:
    """Attention weights to point at: lines from a word to what it attends to, beside the map.

    The form of the lines is that of Vig, "A Multiscale Visualization of Attention in the Transformer Model" (2019).

    Parameters
    ----------
    weights : tensor, array or nested list
        (n_query, n_key), (n_heads, n_query, n_key) or (n_layers, n_heads, n_query, n_key); each from 0 to 1.
    query_tokens : sequence of str
        The words of the rows.
    key_tokens : sequence of str, optional
        The words of the columns; without them they are those of the rows.
    mask : boolean tensor or array, (n_query, n_key), optional
        True means "may attend"; one mask serves all heads and layers.
    title : str, optional
        What stands above.
    start : (int, int) or (int, int, str or int), default (0, 0)
        The layer and the head to show first, counted from 0, and the query to begin at: its word, which means the
        first place where it stands, or its position.

    Returns
    -------
    Explorer
        To show as the last line of a cell, or to save.

    Raises
    ------
    TypeError
        As `attention_map`.
    ValueError
        As `attention_map`; also when one map has more than four million weights, and when there is no such layer,
        head or word to start with.
    """
    maps, packed = pack(weights, query_tokens, key_tokens, mask, title)
    return with_still_picture(maps, packed, mask, start)


def with_still_picture(maps: np.ndarray, packed: Packed, mask: Any, start: Start, box: int | None = None) -> Explorer:
    """An explorer that starts there; `box` is the number of the box to type in, if there is one."""
    n_layers, n_heads = maps.shape[:2]
    if not (0 <= start[0] < n_layers and 0 <= start[1] < n_heads):
        raise ValueError(f"start must be one of {n_layers} layers and one of {n_heads} heads, but is {tuple(start)}.")
    layer, head = (int(place) for place in start[:2])
    query = _place_of(start[2], packed["queries"]) if len(start) > 2 else None
    mask = None if mask is None else as_mask(mask, maps.shape[2:])
    image, alt = still_picture(maps, packed, mask, (layer, head), query)
    return Explorer(fragment({**packed, "start": [layer, head, query or 0], "box": box}, image), alt, packed["title"])


def _place_of(word: str | int, queries: list[str]) -> int:
    """The position of a word among the queries, or a position as it is."""
    if isinstance(word, str) and word in queries:
        return queries.index(word)
    if isinstance(word, int) and 0 <= word < len(queries):
        return word
    raise ValueError(f"start must name one of the {len(queries)} queries by its word or position, but names {word!r}.")
