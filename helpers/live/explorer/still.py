"""The static picture that stands in an explorer's place before the script runs, and where none does."""

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from helpers.drawing.alt_text import strongest
from helpers.drawing.colours import COLOURS_OF_WEIGHTS, HIDDEN
from helpers.drawing.maps import attention_map, head_maps
from helpers.drawing.picture import Picture, fonts_for, style
from helpers.live.explorer.packing import Packed
from helpers.live.stills import small_png, still_image

NAMED_UP_TO = 64  # more rows or columns than this, and the static picture has positions in place of words
HEADS_BESIDE_UP_TO = 16  # the static picture shows all heads up to this many, of at most as many words
MOST_STILL_BYTES, STILL_BYTES_A_WEIGHT = 28_000, 0.9  # with script and style, a page has 60 kB and 4 bytes a weight
WAKE = (
    "A still picture: in JupyterLab, click this cell and press Shift+Enter, and you can point at each word to see what "
    "it attends to."
)


def still_picture(
    maps: np.ndarray, packed: Packed, mask: np.ndarray | None, start: tuple[int, int], query: int | None = None
) -> tuple[str, str]:
    """The starting layer and head as an `<img>`, with the row of a query framed, and its text alternative.

    `maps` are (n_layers, n_heads, n_query, n_key), the mask is (n_query, n_key).
    """
    most_bytes = MOST_STILL_BYTES + STILL_BYTES_A_WEIGHT * maps.size
    for picture in _pictures(maps[start[0]], start, packed, mask, query):
        png, width = small_png(picture, most_bytes)
        if len(png) <= most_bytes:
            break
    image = still_image(png, picture.alt, width, "explorer", WAKE)
    return image, picture.alt


def _pictures(
    heads: np.ndarray, start: tuple[int, int], packed: Packed, mask: np.ndarray | None, query: int | None
) -> Iterator[Picture]:
    """What can be shown of a layer's maps, the fullest first."""
    queries, keys, title = packed["queries"], packed["keys"] or packed["queries"], packed["title"]
    levels, longest = packed["levels"], max(heads.shape[1:])
    if query is None and levels == ["head"] and len(heads) <= HEADS_BESIDE_UP_TO and longest <= HEADS_BESIDE_UP_TO:
        yield head_maps(heads, queries, keys, mask=mask, title=title)
    place = [f"{level} {index}" for level, index in zip(["layer", "head"], start, strict=True) if level in levels]
    one_map = heads[start[1]]
    title = ", ".join(filter(None, [title, *place])) or None
    outline = None if query is None else ("row", query)
    if longest <= NAMED_UP_TO:
        yield attention_map(one_map, queries, keys, mask=mask, title=title, outline=outline)
    yield _overview(one_map, queries, keys, mask, title)


def _overview(
    weights: np.ndarray, queries: list[str], keys: list[str], mask: np.ndarray | None, title: str | None
) -> Picture:
    """A map of more words than can be named: positions on the axes."""
    n_query, n_key = weights.shape
    inch = 4.5 / max(n_query, n_key)
    with style():
        figure = Figure(figsize=(max(0.3, inch * n_key), max(0.3, inch * n_query)))
        axes = figure.add_axes((0, 0, 1, 1))
        shown = weights if mask is None else np.ma.masked_where(~mask, weights)
        colours = COLOURS_OF_WEIGHTS.with_extremes(bad="none")
        axes.patch.set(**HIDDEN)  # seen where the mask hides
        image = axes.imshow(shown, cmap=colours, vmin=0, vmax=1, aspect="auto")
        axes.set_xlabel("position of the key (attended to)")
        axes.set_ylabel("position of the query")
        axes.xaxis.set_label_position("top")
        axes.xaxis.tick_top()
        axes.set_title(title or "", loc="left", pad=10, fontfamily=fonts_for(title or ""))
        figure.colorbar(image, ax=axes, ticks=[0, 0.5, 1], label="weight", fraction=0.04)
    masked = "" if mask is None else f" {(~mask).sum()} of {mask.size} cells are masked."
    return Picture(
        figure,
        (
            f"{title + '. ' if title else ''}Attention map, {n_query} queries by {n_key} keys. "
            f"Strongest weight: {strongest(weights, queries, keys, mask)}.{masked}"
        ),
    )
