"""Small tables of numbers, and a matrix product laid out as a person would write it on paper."""

from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.picture import FAINT, LIT, PAPER, QUIET, Picture, fonts_for, style

CELL_WIDTH, CELL_HEIGHT = 0.62, 0.42  # inches
MOST_CELLS_A_SIDE = 16
GROUP_TINTS = ["#cfe5f5", "#fbdcc4", "#c9ecdf", "#f3dcea", "#fbeac2", "#e4e4e4"]


def matrix(
    values: Any,
    name: str | None = None,
    *,
    row_labels: Sequence[str] | None = None,
    column_labels: Sequence[str] | None = None,
    decimals: int = 2,
    heat: bool = False,
    groups: Any = None,
) -> Picture:
    """Draw a small table of numbers.

    Parameters
    ----------
    values : tensor, array or nested list, (rows, columns), at most 16 a side
    name : what the table is called, written above it with its shape
    row_labels, column_labels : one text for each row or column, optional
    decimals : digits after the point; whole numbers are written without
    heat : shade the cells on a two-sided scale centred on 0, for signed numbers such as scores
    groups : whole numbers, (rows, columns), optional
        Cells with the same number get the same tint; -1 leaves a cell white.

    Raises
    ------
    TypeError
        Values that are not real numbers, labels that are not a list of text.
    ValueError
        Not a table, empty, nan, more than 16 a side, as many labels as do not fit.
    """
    array = _small(values, name or "values")
    rows = _labels(row_labels, array.shape[0], "row_labels", "rows")
    columns = _labels(column_labels, array.shape[1], "column_labels", "columns")
    tints = None if groups is None else _groups(groups, array.shape)

    with style():
        figure, axes = _sheet(array.shape[1], array.shape[0])
        _draw_table(axes, array, 0, 0, decimals, tints, heat)
        for i, label in enumerate(rows or []):
            axes.text(-0.15, i + 0.5, label, ha="right", va="center", fontfamily=fonts_for(label))
        for j, label in enumerate(columns or []):
            axes.text(j + 0.5, -0.15, label, ha="center", va="bottom", fontsize=9, fontfamily=fonts_for(label))
        if name:
            _name_above(axes, name, array.shape, 0, -0.75 if columns else -0.2)
        if heat:
            _heat_bar(figure, axes, array)
    return Picture(figure, _alt_text(array, name, rows, columns, decimals))


def product(
    a: Any,
    b: Any,
    *,
    names: Sequence[str] = ("a", "b", "a @ b"),
    row_labels: Sequence[str] | None = None,
    column_labels: Sequence[str] | None = None,
    highlight: tuple[int, int] | None = None,
    decimals: int = 2,
) -> Picture:
    """Draw the matrix product a @ b: a at the left, b on top, the result where they meet (Falk's scheme).

    Parameters
    ----------
    a : tensor, array or nested list, (n, k)
    b : tensor, array or nested list, (k, m)
    names : what a, b and the result are called
    row_labels, column_labels : one text for each row of a, each column of b, optional
    highlight : (row, column) of the result
        Lights that row of a and that column of b, and writes the sum out below.
    decimals : digits after the point; whole numbers are written without

    Raises
    ------
    TypeError, ValueError
        As `matrix`; ValueError also when the inner sizes differ or `highlight` lies outside the result.
    """
    left, top = _small(a, names[0]), _small(b, names[1])
    if left.shape[1] != top.shape[0]:
        raise ValueError(
            f"{names[0]} @ {names[1]} needs as many columns in {names[0]} as rows in {names[1]}, "
            f"but there are {left.shape[1]} and {top.shape[0]}."
        )
    result = left @ top
    rows = _labels(row_labels, len(result), "row_labels", "rows")
    columns = _labels(column_labels, result.shape[1], "column_labels", "columns")
    if highlight is not None and not (0 <= highlight[0] < len(result) and 0 <= highlight[1] < result.shape[1]):
        raise ValueError(f"highlight must be a row and column of the {result.shape} result, but is {highlight}.")

    gap = 0.6
    x0, y0 = left.shape[1] + gap, top.shape[0] + gap
    with style():
        figure, axes = _sheet(x0 + result.shape[1], y0 + len(result))
        lit = [None, None, None] if highlight is None else _lit(left.shape, top.shape, result.shape, highlight)
        _draw_table(axes, left, 0, y0, decimals, lit[0])
        _draw_table(axes, top, x0, 0, decimals, lit[1])
        _draw_table(axes, result, x0, y0, decimals, lit[2])
        _name_above(axes, names[0], left.shape, 0, y0 - 0.15)
        _name_above(axes, names[1], top.shape, x0, -0.75 if columns else -0.15)
        axes.text(
            x0 + result.shape[1] + 0.2,
            y0 + len(result) / 2,
            f"{names[2]}\n{_shape(result.shape)}",
            va="center",
            fontweight="bold",
        )
        for i, label in enumerate(rows or []):
            axes.text(-0.15, y0 + i + 0.5, label, ha="right", va="center", fontfamily=fonts_for(label))
        for j, label in enumerate(columns or []):
            axes.text(x0 + j + 0.5, -0.15, label, ha="center", va="bottom", fontsize=9, fontfamily=fonts_for(label))
        written_out = None
        if highlight is not None:
            written_out = _written_out(left[highlight[0]], top[:, highlight[1]], decimals)
            axes.text(0, y0 + len(result) + 0.45, written_out, va="top", fontsize=11)
    alt = (
        f"Matrix product on paper. {_alt_text(left, names[0], rows, None, decimals)} "
        f"{_alt_text(top, names[1], None, columns, decimals)} {_alt_text(result, names[2], None, None, decimals)}"
    )
    if written_out:
        alt += f" Row {highlight[0]} of {names[0]} with column {highlight[1]} of {names[1]}: {written_out}."
    return Picture(figure, alt)


def number(value: float, decimals: int) -> str:
    """A number as a table shows it: whole ones without a point, and never "-0"."""
    text = f"{value:.0f}" if float(value).is_integer() else f"{value:.{decimals}f}"
    return text.replace("-", "") if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def _small(values: Any, name: str) -> np.ndarray:
    array = as_array(values, name, "matrix")
    if max(array.shape) > MOST_CELLS_A_SIDE:
        raise ValueError(
            f"{name} is too large to read as a table: at most {MOST_CELLS_A_SIDE} rows and columns, "
            f"but its shape is {array.shape}."
        )
    return array


def _labels(labels: Sequence[str] | None, count: int, name: str, counted: str) -> list[str] | None:
    return None if labels is None else as_tokens(labels, count, name, counted)


def _groups(groups: Any, shape: tuple[int, ...]) -> list[list[str]]:
    array = as_array(groups, "groups", "matrix").astype(int)
    if array.shape != shape:
        raise ValueError(f"groups must have the shape of the values, {shape}, but has {array.shape}.")
    return [[PAPER if group < 0 else GROUP_TINTS[group % len(GROUP_TINTS)] for group in row] for row in array]


def _lit(left: tuple, top: tuple, result: tuple, highlight: tuple[int, int]) -> list[list[list[str]]]:
    row, column = highlight
    return [
        [[LIT if i == row else PAPER for _ in range(left[1])] for i in range(left[0])],
        [[LIT if j == column else PAPER for j in range(top[1])] for _ in range(top[0])],
        [[LIT if (i, j) == highlight else PAPER for j in range(result[1])] for i in range(result[0])],
    ]


def _sheet(n_columns: float, n_rows: float) -> tuple[Figure, Axes]:
    """An empty page, in units of cells, y downwards."""
    figure = Figure(figsize=(CELL_WIDTH * n_columns, CELL_HEIGHT * n_rows))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, n_columns), ylim=(n_rows, 0))
    axes.axis("off")
    return figure, axes


def _draw_table(
    axes: Axes,
    array: np.ndarray,
    x: float,
    y: float,
    decimals: int,
    tints: list[list[str]] | None = None,
    heat: bool = False,
) -> None:
    shades = _heat_shades(array) if heat else None
    size = 10 if decimals <= 2 or _whole(array) else 9
    for (i, j), value in np.ndenumerate(array):
        fill, ink = PAPER, "black"
        if shades is not None:
            fill, ink = shades[i][j]
        elif tints is not None:
            fill = tints[i][j]
        axes.add_patch(Rectangle((x + j, y + i), 1, 1, facecolor=fill, edgecolor=FAINT, linewidth=0.8, clip_on=False))
        axes.text(
            x + j + 0.5,
            y + i + 0.5,
            _written(value, array, decimals),
            ha="center",
            va="center",
            color=ink,
            fontsize=size,
        )
    axes.add_patch(
        Rectangle((x, y), array.shape[1], len(array), fill=False, edgecolor=QUIET, linewidth=1.2, clip_on=False)
    )


def _whole(array: np.ndarray) -> bool:
    return bool((array == array.round()).all())


def _written(value: float, array: np.ndarray, decimals: int) -> str:
    """All cells of a table alike: whole numbers, or the same number of digits."""
    if _whole(array):
        return number(value, 0)
    text = f"{value:.{decimals}f}"
    return text.replace("-", "") if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def _heat_shades(array: np.ndarray) -> list[list[tuple[Any, str]]]:
    limit = np.abs(array).max() or 1
    scale, colours = Normalize(-limit, limit), matplotlib.colormaps["RdBu_r"]
    return [
        [(colours(scale(value)), "white" if abs(value) > 0.65 * limit else "black") for value in row] for row in array
    ]


def _heat_bar(figure: Figure, axes: Axes, array: np.ndarray) -> None:
    limit = np.abs(array).max() or 1
    inch = 1 / figure.get_figwidth()
    bar = figure.add_axes((1 + 0.2 * inch, 0, 0.13 * inch, 1))
    figure.colorbar(ScalarMappable(Normalize(-limit, limit), "RdBu_r"), cax=bar, ticks=[-limit, 0, limit])
    bar.set_yticklabels([number(value, 2) for value in (-limit, 0, limit)], fontsize=8)
    bar.tick_params(length=0)


def _name_above(axes: Axes, name: str, shape: tuple[int, ...], x: float, y: float) -> None:
    title = axes.text(x, y, name, va="bottom", fontweight="bold", fontfamily=fonts_for(name))
    axes.annotate(f"  {_shape(shape)}", (1, 0), xycoords=title, va="bottom", fontsize=9, color=QUIET)


def _shape(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} \N{MULTIPLICATION SIGN} {shape[1]}"


def _written_out(row: np.ndarray, column: np.ndarray, decimals: int) -> str:
    """One row with one column: 1·0 + 0·1 + 1·0 = 0."""
    terms = [f"{_term(a, decimals)}·{_term(b, decimals)}" for a, b in zip(row, column, strict=True)]
    return f"{' + '.join(terms)} = {number(float(row @ column), decimals)}"


def _term(value: float, decimals: int) -> str:
    text = number(value, decimals)
    return f"({text})" if value < 0 else text


def _alt_text(
    array: np.ndarray, name: str | None, rows: list[str] | None, columns: list[str] | None, decimals: int
) -> str:
    lines = []
    for i, row in enumerate(array):
        numbers = ", ".join(_written(value, array, decimals) for value in row)
        lines.append(f"{rows[i]}: [{numbers}]" if rows else f"[{numbers}]")
    headings = f" Columns: {', '.join(columns)}." if columns else ""
    return f"{name or 'Table'}, {array.shape[0]} by {array.shape[1]}.{headings} Rows: {'; '.join(lines)}."
