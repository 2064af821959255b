"""What the sheet starts with: numbers, mask and labels, checked and as JSON for the script."""

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np

from helpers.drawing.inputs import as_array, as_mask, as_tokens

MOST = 8  # tokens, and the width of each table; script/state.js has the same
LARGEST = 1e9  # as in script/numbers.js
STAGES = ["all", "x", "matrices", "queries", "keys", "values", "scores", "scaled", "weights", "weighted", "outputs"]
CONTROLS = ["scale", "mask", "softmax over", "heads", "tokens", "d_model", "d_k", "d_v"]
CONTROLS += ["random", "all alike", "one very long key", "one-hot"]  # starting points, as in script/state.js

Rows = list[list[float]]


class State(TypedDict):
    """What script/arithmetic.js calculates from, and what comes back from the sheet."""

    x: Rows
    w_query: Rows
    w_key: Rows
    w_value: Rows
    labels: list[str]
    mask: Any  # None, "causal", or rows of booleans
    scale: bool
    heads: int
    over: str  # "keys", or the wrong axis: "queries"
    pins: dict[str, dict[str, float]]  # table -> "row,column" -> a number set by hand where one is calculated


def state_of(given: dict[str, Any], mask: Any, scale: bool, n_heads: int, row_labels: Sequence[str] | None) -> State:
    """Check what `calculation` takes; `given` are x and the three matrices by their names."""
    tables = {name: _as_table(values, name) for name, values in given.items()}
    n_tokens, d_model = tables["x"].shape
    for name in ("w_query", "w_key", "w_value"):
        if len(tables[name]) != d_model:
            raise ValueError(
                f"{name} must have a row for each of the {d_model} columns of x, but has {len(tables[name])} rows."
            )
    d_k, d_v = tables["w_key"].shape[1], tables["w_value"].shape[1]
    if tables["w_query"].shape[1] != d_k:
        raise ValueError(
            f"w_query and w_key must have as many columns, but have {tables['w_query'].shape[1]} and {d_k}."
        )
    if isinstance(n_heads, bool) or not isinstance(n_heads, int) or n_heads < 1 or d_k % n_heads or d_v % n_heads:
        raise ValueError(f"n_heads must share {d_k} columns of keys and {d_v} of values evenly, but is {n_heads!r}.")
    labels = [f"input {i}" for i in range(n_tokens)] if row_labels is None else row_labels
    rows = {name: table.tolist() for name, table in tables.items()}
    return State(
        x=rows["x"],
        w_query=rows["w_query"],
        w_key=rows["w_key"],
        w_value=rows["w_value"],
        labels=as_tokens(labels, n_tokens, "row_labels", "rows of x"),
        mask=None if mask is None else _as_causal_or_rows(as_mask(mask, (n_tokens, n_tokens))),
        scale=bool(scale),
        heads=n_heads,
        over="keys",
        pins={},
    )


def _as_table(values: Any, name: str) -> np.ndarray:
    table = as_array(values, name, "matrix")
    if max(table.shape) > MOST:
        raise ValueError(f"{name} must have at most {MOST} rows and columns, but its shape is {table.shape}.")
    if (large := np.abs(table).max()) > LARGEST:
        raise ValueError(f"{name} must hold numbers up to {LARGEST:,.0f}, but holds one of size {large:g}.")
    return table + 0.0  # no -0


def _as_causal_or_rows(mask: np.ndarray) -> Any:
    """The word "causal" where it is that, so that a token that is added is masked, too."""
    return "causal" if len(mask) > 1 and (mask == np.tril(np.ones_like(mask))).all() else mask.tolist()


def mask_of(state: State) -> np.ndarray:
    """The mask, (n_query, n_key), True where a query may attend to a key."""
    n_tokens = len(state["x"])
    everywhere = np.ones((n_tokens, n_tokens), dtype=bool)
    if state["mask"] is None:
        return everywhere
    return np.tril(everywhere) if state["mask"] == "causal" else np.array(state["mask"])
