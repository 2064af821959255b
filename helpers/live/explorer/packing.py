"""What the explorer's script gets: weights, mask and words, checked and packed into JSON."""

import base64
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np

from helpers.drawing.alt_text import note_on_sums
from helpers.drawing.inputs import as_mask, as_tokens, as_weights, printable
from helpers.drawing.maps import key_tokens_or_queries

KINDS = {2: "weights", 3: "heads", 4: "layers"}
LEVELS = {2: [], 3: ["head"], 4: ["layer", "head"]}
MOST_WEIGHTS = 4_000_000  # about 11 MB of page; of more heads and layers, the first ones are kept


class Packed(TypedDict):
    """The JSON that script/data.js reads; start.js reads also the start and the number of the box to type in."""

    shape: list[int]  # layers, heads, queries, keys
    levels: list[str]  # what there is to choose: "layer", "head"
    title: str | None
    notes: list[str]
    queries: list[str]
    keys: list[str] | None  # None: the queries
    mask: str | None  # one bit a cell, row by row
    weights: str  # 16 bits each, in steps of 1/65535


def pack(
    weights: Any, query_tokens: Sequence[str], key_tokens: Sequence[str] | None, mask: Any, title: str | None
) -> tuple[np.ndarray, Packed]:
    """Check what `explore` takes: the maps, (n_layers, n_heads, n_query, n_key), and the same packed for the script."""
    array = _as_maps(weights)
    levels = LEVELS[array.ndim]
    n_query, n_key = array.shape[-2:]
    queries = as_tokens(query_tokens, n_query, "query_tokens", "rows of weights")
    keys = key_tokens_or_queries(key_tokens, queries, n_key)
    mask = None if mask is None else as_mask(mask, (n_query, n_key))

    maps = array.reshape((1,) * (4 - array.ndim) + array.shape)
    maps, notes = _that_fit(maps)
    notes += _notes_on_sums(maps, queries)
    return maps, {
        "shape": list(maps.shape),
        "levels": levels,
        "title": None if title is None else printable(title),
        "notes": notes,
        "queries": queries,
        "keys": None if keys is queries else keys,
        "mask": None if mask is None else _base64(np.packbits(mask)),
        "weights": _base64(_in_steps(maps)),
    }


def _as_maps(weights: Any) -> np.ndarray:
    """Weights of two to four dimensions, as float64."""
    try:
        n_dims = weights.ndim if hasattr(weights, "ndim") else np.ndim(weights)
    except ValueError:  # rows of different lengths, which the check below says in words
        n_dims = 0
    return as_weights(weights, KINDS.get(n_dims, "maps"))


def _that_fit(maps: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """The first layers and heads that one page can carry, and a sentence on what was left out."""
    n_layers, n_heads, n_query, n_key = maps.shape
    room = MOST_WEIGHTS // (n_query * n_key)
    if room == 0:
        raise ValueError(
            f"weights must have at most {MOST_WEIGHTS:,} numbers a map to be explored, but have {n_query * n_key:,}."
        )
    kept = maps[: max(1, room // n_heads), :room]
    if kept.shape == maps.shape:
        return maps, []
    return kept, [
        f"Shown are the first {kept.shape[0]} of {n_layers} layers and {kept.shape[1]} of {n_heads} heads: "
        "more do not fit into a page."
    ]


def _notes_on_sums(maps: np.ndarray, queries: list[str]) -> list[str]:
    """A sentence on rows that do not sum to 1, if there are any."""
    if maps.shape[:2] == (1, 1):
        note = note_on_sums(maps[0, 0], queries, quotes="“”")  # as the explorer's sentences have them
        return [note] if note else []
    n_off = int((~np.isclose(maps.sum(axis=-1), 1, atol=5e-3)).sum())
    return [f"{n_off} of {maps[..., 0].size} rows do not sum to 1."] if n_off else []


def _in_steps(maps: np.ndarray) -> np.ndarray:
    """Weights in steps of 1/65535; what is above 0 stays above 0."""
    steps = np.rint(maps * 65535)
    return np.where(maps > 0, np.maximum(steps, 1), 0).astype("<u2")


def _base64(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")
