"""Attention maps: rows are queries, columns are keys, row 0 on top, one colour scale from 0 to 1."""

from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from helpers.drawing.inputs import as_array, as_mask, as_tokens, as_weights
from helpers.drawing.picture import FAINT, Picture, fonts_for, style
from helpers.wording import listed

NUMBERS_UP_TO = 8  # more rows or columns than this, and the cells carry no numbers
COLOURS_OF_WEIGHTS = "Blues"


def attention_map(
    weights: Any,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    *,
    mask: Any = None,
    title: str | None = None,
) -> Picture:
    """Draw attention weights as a table of shaded cells.

    The form is that of Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and
    Translate" (2015), figure 3.

    Parameters
    ----------
    weights : tensor, array or nested list, (n_query, n_key)
        Weights after softmax, each from 0 to 1. Rows that do not sum to 1 are drawn, and the picture says so.
    query_tokens : n_query words, one a row
    key_tokens : n_key words, one a column; the query tokens when left out
    mask : boolean, (n_query, n_key), optional
        True means "may attend". Cells that may not are hatched.
    title : text above the map, optional

    Raises
    ------
    TypeError
        Weights that are not real numbers, a mask that is not boolean, tokens that are not a list of text.
    ValueError
        Wrong number of dimensions, empty, nan, a weight below 0 or above 1, as many tokens as do not fit.
    """
    weights = as_weights(weights, "weights")
    n_query, n_key = weights.shape
    queries = as_tokens(query_tokens, n_query, "query_tokens", "rows of weights")
    keys = key_tokens_or_queries(key_tokens, queries, n_key)
    mask = None if mask is None else as_mask(mask, weights.shape)

    with style():
        cell = _cell_inches(max(n_query, n_key))
        figure = Figure(figsize=(cell * n_key, cell * n_query))
        axes = figure.add_axes((0, 0, 1, 1))
        image = _draw_map(axes, weights, queries, keys, mask, cell)
        _colour_bar(figure, axes, image, cell * n_key, cell * n_query)
        note = note_on_sums(weights, queries)
        _caption(axes, title, note)
    return Picture(figure, _alt_text(weights, queries, keys, mask, title, note))


def head_maps(
    weights: Any,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    *,
    mask: Any = None,
    title: str | None = None,
) -> Picture:
    """Draw the attention maps of several heads side by side, all on one colour scale.

    Parameters
    ----------
    weights : tensor, array or nested list, (n_heads, n_query, n_key)
    query_tokens, key_tokens, mask, title
        As for `attention_map`; one mask (n_query, n_key) serves all heads.

    Raises
    ------
    TypeError, ValueError
        As `attention_map`.
    """
    weights = as_weights(weights, "heads")
    n_heads, n_query, n_key = weights.shape
    queries = as_tokens(query_tokens, n_query, "query_tokens", "rows of weights")
    keys = key_tokens_or_queries(key_tokens, queries, n_key)
    mask = None if mask is None else as_mask(mask, weights.shape[1:])

    n_columns = min(n_heads, 4)
    n_rows = -(-n_heads // n_columns)
    with style():
        cell = max(0.05, min(0.42, 2.1 / max(n_query, n_key)))
        width, height = cell * n_key, cell * n_query
        labels = 0.25 + 0.075 * max(len(token) for token in [*queries, *keys])
        step_x, step_y = width + labels, height + labels + 0.3
        total = (step_x * n_columns - labels, step_y * n_rows)
        figure = Figure(figsize=total)
        for head in range(n_heads):
            row, column = divmod(head, n_columns)
            bottom = total[1] - row * step_y - height
            axes = figure.add_axes((column * step_x / total[0], bottom / total[1], width / total[0], height / total[1]))
            image = _draw_map(axes, weights[head], queries, keys, mask, cell, axis_names=head == 0)
            _caption(axes, f"head {head}", None)
        _colour_bar(figure, axes, image, width, height)
        if title:
            figure.text(
                0,
                1 + 0.35 * step_y / total[1],
                title,
                fontsize=12,
                fontweight="bold",
                va="bottom",
                fontfamily=fonts_for(title),
            )
    parts = [f"head {head}: {strongest(weights[head], queries, keys, mask)}" for head in range(n_heads)]
    alt = (
        f"{_titled(title)}Attention maps of {_count(n_heads, 'head')}, each {n_query} queries by {n_key} keys. "
        f"Strongest weight of {'; '.join(parts)}.{_masked_words(mask)}"
    )
    return Picture(figure, alt)


def heat_map(values: Any, *, x_label: str, y_label: str, title: str | None = None) -> Picture:
    """Draw a table of signed numbers that is too large to read: shaded cells on a two-sided scale centred on 0.

    Parameters
    ----------
    values : tensor, array or nested list, (rows, columns); row 0 on top
    x_label, y_label : what columns and rows stand for

    Raises
    ------
    TypeError, ValueError
        Values that are not real numbers; not a table, empty, nan.
    """
    array = as_array(values, "values", "matrix")
    limit = float(np.abs(array).max()) or 1.0
    with style():
        figure = Figure(figsize=(5.4, 3.6))
        axes = figure.add_axes((0, 0, 1, 1))
        image = axes.imshow(array, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest")
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.set_title(title or "", loc="left", fontfamily=fonts_for(title or ""))
        _colour_bar(figure, axes, image, 5.4, 3.6, "value", [-limit, 0, limit])
    low, high = (np.unravel_index(pick(array.round(4)), array.shape) for pick in (np.argmin, np.argmax))
    alt = (
        f"{_titled(title)}Shaded table of {array.shape[0]} rows ({y_label}) by {array.shape[1]} columns ({x_label}). "
        f"Smallest {array[low]:.2f} in row {low[0]}, column {low[1]}; largest {array[high]:.2f} in row {high[0]}, "
        f"column {high[1]}."
    )
    return Picture(figure, alt)


def key_tokens_or_queries(key_tokens: Sequence[str] | None, queries: list[str], n_key: int) -> list[str]:
    if key_tokens is None:
        if len(queries) != n_key:
            raise ValueError(
                f"key_tokens must be given when keys are not the queries: weights have {len(queries)} rows "
                f"and {n_key} columns."
            )
        return queries
    return as_tokens(key_tokens, n_key, "key_tokens", "columns of weights")


def _cell_inches(n: int) -> float:
    return 0.62 if n <= NUMBERS_UP_TO else max(0.055, min(0.5, 6.5 / n))


def _draw_map(
    axes: Axes,
    weights: np.ndarray,
    queries: list[str],
    keys: list[str],
    mask: np.ndarray | None,
    cell: float,
    axis_names: bool = True,
) -> matplotlib.image.AxesImage:
    n_query, n_key = weights.shape
    shown = weights if mask is None else np.ma.masked_where(~mask, weights)
    image = axes.imshow(shown, cmap=COLOURS_OF_WEIGHTS, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    if mask is not None:
        for row, column in np.argwhere(~mask):
            axes.add_patch(
                Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor="#f2f2f2", hatch="////", edgecolor="#9a9a9a", lw=0)
            )
    if max(n_query, n_key) <= NUMBERS_UP_TO:
        _write_numbers(axes, weights, mask, min(10.0, cell * 17))
    _label_tokens(axes, queries, keys, cell)
    if axis_names:
        axes.set_xlabel("key (attended to)")
        axes.set_ylabel("query")
        axes.xaxis.set_label_position("top")
    axes.spines[:].set_visible(False)
    if cell >= 0.2:  # thin white lines keep neighbouring cells apart
        axes.set_xticks(np.arange(n_key + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(n_query + 1) - 0.5, minor=True)
        axes.grid(which="minor", color="white", linewidth=1)
    axes.tick_params(which="both", length=0)
    return image


def _write_numbers(axes: Axes, weights: np.ndarray, mask: np.ndarray | None, size: float) -> None:
    for (row, column), weight in np.ndenumerate(weights):
        if mask is None or mask[row, column]:
            colour = "white" if weight > 0.55 else "black"
            axes.text(column, row, f"{weight:.2f}", ha="center", va="center", color=colour, fontsize=size)


def _label_tokens(axes: Axes, queries: list[str], keys: list[str], cell: float) -> None:
    # A label needs about 0.13 inch; where cells are smaller, every second, third ... token has one.
    every = max(1, int(np.ceil(0.13 / cell)))
    size = float(np.clip(cell * 60, 7, 10))
    tilted = max(len(key) for key in keys) * 0.085 > cell * every
    axes.xaxis.tick_top()
    axes.set_xticks(range(0, len(keys), every), keys[::every], fontsize=size)
    axes.set_yticks(range(0, len(queries), every), queries[::every], fontsize=size)
    for label in axes.get_xticklabels():
        label.set(rotation=60 if tilted else 0, ha="left" if tilted else "center", rotation_mode="anchor")
    for label in [*axes.get_xticklabels(), *axes.get_yticklabels()]:
        label.set(parse_math=False, fontfamily=fonts_for(label.get_text()))


def _colour_bar(
    figure: Figure,
    axes: Axes,
    image: matplotlib.image.AxesImage,
    width: float,
    height: float,
    label: str = "weight",
    ticks: Sequence[float] | None = None,
) -> None:
    box = axes.get_position()
    inch = box.width / width
    bar = figure.add_axes((box.x1 + 0.2 * inch, box.y0, 0.13 * inch, box.height))
    figure.colorbar(image, cax=bar, ticks=ticks or ([0, 0.5, 1] if height > 0.8 else [0, 1]))
    bar.tick_params(length=0, labelsize=8)
    bar.set_ylabel(label, fontsize=8)
    bar.spines[:].set_color(FAINT)


def _caption(axes: Axes, title: str | None, note: str | None) -> None:
    if title:
        axes.set_title(title, loc="left", pad=10, fontfamily=fonts_for(title), parse_math=False)
    if note:
        axes.annotate(
            note,
            (0, 0),
            (0, -8),
            xycoords="axes fraction",
            textcoords="offset points",
            va="top",
            fontsize=8,
            color="#a33c00",
            fontfamily=fonts_for(note),
            parse_math=False,
        )


def note_on_sums(weights: np.ndarray, queries: list[str]) -> str | None:
    sums = weights.sum(axis=1)
    off = np.flatnonzero(~np.isclose(sums, 1, atol=5e-3))
    if len(off) == 0:
        return None
    if len(off) == 1:
        return f"The row of {_name(queries, off[0])} sums to {sums[off[0]]:.2f}, not to 1."
    worst = off[np.argmax(np.abs(sums[off] - 1))]
    return f"{len(off)} of {len(sums)} rows do not sum to 1; {_name(queries, worst)} sums to {sums[worst]:.2f}."


def _alt_text(
    weights: np.ndarray,
    queries: list[str],
    keys: list[str],
    mask: np.ndarray | None,
    title: str | None,
    note: str | None,
) -> str:
    n_query, n_key = weights.shape
    alt = f"{_titled(title)}Attention map, {_count(n_query, 'query', 'queries')} by {_count(n_key, 'key')}. "
    if n_query <= NUMBERS_UP_TO:
        allowed = np.ones_like(weights, dtype=bool) if mask is None else mask
        rows = [f"{_name(queries, i)} {_attends(weights[i], keys, allowed[i])}" for i in range(n_query)]
        alt += "; ".join(rows) + "."
    else:
        alt += f"Strongest weight: {strongest(weights, queries, keys, mask)}."
    return alt + _masked_words(mask) + (f" {note}" if note else "")


def _attends(row: np.ndarray, keys: list[str], allowed: np.ndarray) -> str:
    """What one query does: row and allowed are (n_key,)."""
    if not allowed.any():
        return "may attend to nothing"
    best = row[allowed].max()
    ties = np.flatnonzero(allowed & np.isclose(row, best, atol=5e-3))
    if len(ties) == len(row) > 1:
        return f"attends most to all keys alike ({best:.2f})"
    names = [_name(keys, j) for j in ties[:3]] + ([f"{len(ties) - 3} more"] if len(ties) > 3 else [])
    return f"attends most to {listed(names)} ({best:.2f})"


def strongest(weights: np.ndarray, queries: list[str], keys: list[str], mask: np.ndarray | None = None) -> str:
    """The largest weight that the mask lets through, with its query and key."""
    if mask is not None and not mask.any():
        return "none"
    allowed = weights if mask is None else np.where(mask, weights, -1)
    row, column = np.unravel_index(allowed.round(4).argmax(), weights.shape)
    return f"{_name(queries, row)} to {_name(keys, column)} ({weights[row, column]:.2f})"


def _name(tokens: list[str], index: int) -> str:
    """The token in quotes, with its position where the same word stands more than once."""
    token = tokens[index]
    return f'"{token}" (position {index})' if tokens.count(token) > 1 else f'"{token}"'


def _masked_words(mask: np.ndarray | None) -> str:
    if mask is None:
        return ""
    return f" {(~mask).sum()} of {mask.size} cells are masked."


def _titled(title: str | None) -> str:
    return f"{title}. " if title else ""


def _count(n: int, one: str, many: str | None = None) -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"
