"""The sheet's tables in Python, for its static picture and for `values`: the same steps as script/arithmetic.js."""

import numpy as np

from helpers.live.calculation.state import State, mask_of


def tables_of(state: State) -> dict[str, np.ndarray]:
    """Each table by its name; those after the values are (n_heads, n_query, ...), but the outputs (n_query, d_v)."""
    x = np.array(state["x"])
    tables = {name: np.array(state[name]) for name in ("x", "w_query", "w_key", "w_value")}
    for name, matrix in (("queries", "w_query"), ("keys", "w_key"), ("values", "w_value")):
        tables[name] = _pinned(x @ tables[matrix], state, name)
    queries, keys, values = (_split(tables[name], state["heads"]) for name in ("queries", "keys", "values"))
    root = np.sqrt(keys.shape[-1]) if state["scale"] else 1.0
    with np.errstate(invalid="ignore"):  # a row with no key becomes nan, as in torch
        tables["scores"] = _each(queries @ keys.swapaxes(-2, -1), state, "scores")
        scaled = _each(tables["scores"] / root, state, "scaled")
        tables["scaled"] = np.where(mask_of(state), scaled, -np.inf)
        tables["weights"] = _each(_softmax(tables["scaled"], -1 if state["over"] == "keys" else -2), state, "weights")
        weighted = tables["weights"][..., None] * values[:, None]  # (heads, n_query, n_key, 1) * (heads, 1, n_key, d)
    tables["weighted"] = np.stack([_each(head, state, f"weighted/{h}") for h, head in enumerate(weighted)])
    outputs = tables["weighted"].sum(axis=-2)  # (heads, n_query, d)
    tables["outputs"] = _pinned(np.concatenate(list(outputs), axis=-1), state, "outputs")
    return tables


def _pinned(table: np.ndarray, state: State, key: str) -> np.ndarray:
    """A table with the numbers that were set by hand."""
    for place, number in state["pins"].get(key, {}).items():
        row, column = place.split(",")
        table[int(row), int(column)] = number
    return table


def _each(tables: np.ndarray, state: State, key: str) -> np.ndarray:
    """The same for each of several tables, which are called key/0, key/1 and so on."""
    return np.stack([_pinned(table, state, f"{key}/{i}") for i, table in enumerate(tables)])


def _split(table: np.ndarray, n_heads: int) -> np.ndarray:
    """(n, n_heads * d_head) -> (n_heads, n, d_head)."""
    return np.stack(np.split(table, n_heads, axis=-1))


def _softmax(scores: np.ndarray, axis: int) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
