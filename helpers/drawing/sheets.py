"""The block of weighted values, drawn as one sheet for each query."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from helpers.drawing.colours import KEY, QUERY, VALUE
from helpers.drawing.inputs import as_array, as_tokens, as_weights
from helpers.drawing.paper import (
    CELL_HEIGHT,
    SMALL,
    TIMES,
    WIDEST,
    Writer,
    cell_width,
    cells,
    frame,
    in_words,
    page,
    shape_text,
    text_width,
    write,
    writer,
)
from helpers.drawing.picture import INK, QUIET, Picture, style
from helpers.wording import counted, listed

SHARE, GAP, HEAD = 0.7, 0.5, 0.95  # inches: a column of weights, between two sheets, above the cells


def sheets(
    weights: Any, values: Any, query_labels: Sequence[str], key_labels: Sequence[str], column_labels: Sequence[str]
) -> Picture:
    """Draw the block of weighted values, (n_query, n_key, d_v): side by side a sheet for each query.

    Parameters
    ----------
    weights : tensor, array or nested list, (n_query, n_key)
        Beside each row stands the weight that its query gives to its key.
    values : tensor, array or nested list, (n_key, d_v)
        What each key hands over. A key that hands over zeros has a white row of zeros.
    query_labels, key_labels, column_labels : list of str
        One word for each query, key and column of the values.

    Returns
    -------
    Picture
        The sheets. Its alt text reads the rows that hold something.

    Raises
    ------
    TypeError
        What does not hold real numbers, labels that are not a list of text.
    ValueError
        Shapes or labels that do not fit, weights below 0 or above 1, more than 12 keys, or sheets too wide for a page.
    """
    weights, values = as_weights(weights, "weights"), as_array(values, "values", "matrix")
    n_query, n_key = weights.shape
    if len(values) != n_key:
        raise ValueError(f"values must have a row for each of the {n_key} keys, but has {len(values)}.")
    if n_key > 12:
        raise ValueError(f"weights must have at most 12 keys to be drawn, but have {n_key}.")
    queries = as_tokens(query_labels, n_query, "query_labels", "queries")
    keys = as_tokens(key_labels, n_key, "key_labels", "keys")
    columns = as_tokens(column_labels, values.shape[1], "column_labels", "columns of values")
    weighted = weights[:, :, None] * values[None]  # (n_query, n_key, d_v)

    written = writer(weighted)
    texts = {written(float(value)) for value in weighted.flat}
    width = max(cell_width(texts), *(text_width(column, SMALL) + 0.12 for column in columns))
    left = 0.1 + max(text_width(key) for key in keys) + 0.1
    step = SHARE + width * len(columns) + GAP
    heading = f"weight {TIMES} value"
    wide = left + max(n_query * step - GAP, SHARE + text_width(heading, SMALL)) + 0.1
    if wide > WIDEST:
        raise ValueError(f"The sheets are {wide:.1f} inches wide, and a page has {WIDEST}: draw fewer queries.")
    with style():
        figure, axes = page(wide, HEAD + n_key * CELL_HEIGHT + 0.1)
        for j, key in enumerate(keys):
            write(axes, left - 0.1, _level(j), key, ha="right", va="baseline", colour=KEY.text)
        for i, query in enumerate(queries):
            _draw_sheet(axes, left + i * step, (query, heading), weights[i], weighted[i], columns, width, written)
    return Picture(figure, _alt(weights, weighted, queries, keys, columns))


def _level(row: int) -> float:
    """The line that the words of a row stand on."""
    return HEAD + (row + 0.5) * CELL_HEIGHT + 0.05


def _draw_sheet(
    axes: Axes,
    x: float,
    names: tuple[str, str],
    shares: np.ndarray,
    sheet: np.ndarray,
    columns: list[str],
    width: float,
    written: Writer,
) -> None:
    """Draw the sheet of one query, (n_key, d_v), with its weights, from x on."""
    cell = x + SHARE
    high = HEAD + CELL_HEIGHT * len(sheet)
    write(axes, cell, HEAD - 0.62, names[0], size=11, bold=True, ha="left", va="baseline", colour=QUERY.text)
    write(axes, cell, HEAD - 0.38, names[1], size=SMALL, colour=QUIET, ha="left", va="baseline")
    write(axes, cell - 0.1, HEAD - 0.1, "weight", size=SMALL, colour=QUIET, ha="right", va="baseline")
    for k, column in enumerate(columns):
        write(axes, cell + (k + 0.5) * width, HEAD - 0.1, column, size=SMALL, va="baseline")
    for j, row in enumerate(sheet):
        ink = INK if row.any() else QUIET
        write(axes, cell - 0.1, _level(j), f"{shares[j]:.2f}", ha="right", va="baseline", colour=ink)
        texts = [written(float(value)) for value in row]
        if row.any():
            cells(axes, cell, HEAD + j * CELL_HEIGHT, texts, VALUE, width, framed=False)
        else:
            for k, text in enumerate(texts):
                write(axes, cell + (k + 0.5) * width, _level(j), text, va="baseline", colour=ink)
    frame(axes, cell, HEAD, width * len(columns), high - HEAD, VALUE)


def _alt(weights: np.ndarray, weighted: np.ndarray, queries: list[str], keys: list[str], columns: list[str]) -> str:
    written = writer(weighted)
    parts = []
    for i, query in enumerate(queries):
        rows = [
            f"{weights[i, j]:.2f} of {key} is {in_words(weighted[i, j], written)}"
            for j, key in enumerate(keys)
            if weighted[i, j].any()
        ]
        zeros = len(keys) - len(rows)
        rest = f"{counted(zeros, 'row')} of zeros"
        parts.append(f"{query}: {', '.join(rows)}{f', and {rest}' if rows and zeros else '' if rows else rest}")
    return (
        f"Weighted values {shape_text(weighted.shape)}, one sheet for each query, with a row for each key and the "
        f"columns {listed(columns)}. {'; '.join(parts)}."
    )
