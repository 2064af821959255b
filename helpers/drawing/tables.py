"""Small tables of numbers, and a matrix product laid out as a person would write it on paper."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from helpers.drawing import alt_text
from helpers.drawing.colours import COLOURS_OF_SIGNED_NUMBERS, HIDDEN, INPUT, NEUTRAL_TINTS, Role, ink_on, named_role
from helpers.drawing.formatting import dot_product, is_whole, number, rows_taken, table_numbers
from helpers.drawing.inputs import as_array, as_mask, as_tokens
from helpers.drawing.picture import FAINT, INK, PAPER, QUIET, Picture, Tables, fonts_for, style

CELL_WIDTH, CELL_HEIGHT = 0.62, 0.42  # inches
FOLLOWS = "Its numbers follow as a table."
MOST_CELLS_A_SIDE = 16
OUTLINE = 3.4  # points

# Of one cell: what it is filled with, a name or red, green, blue and opacity, and the colour of its number.
CellColours = tuple[str | tuple[float, float, float, float], str]
Frame = tuple[float, float, float, float]  # x, y, width and height, in cells


def matrix(
    values: Any,
    name: str | None = None,
    *,
    row_labels: Sequence[str] | None = None,
    column_labels: Sequence[str] | None = None,
    decimals: int = 2,
    heat: bool = False,
    groups: Any = None,
    mask: Any = None,
    headers: Mapping[str, int] | None = None,
) -> Picture:
    """Draw a small table of numbers.

    Where its name, or that of a header, speaks of queries, keys, values, outputs, weights or scores, it has their
    colour.

    Parameters
    ----------
    values : tensor, array or nested list, (rows, columns)
        Finite real numbers, at most 16 rows and columns.
    name : str, optional
        What the table is called, written above it with its shape.
    row_labels, column_labels : list of str, optional
        One text for each row or column; that of a column may have several lines.
    decimals : int
        Digits after the point; a table of whole numbers is written without.
    heat : bool
        Shade the cells on a two-sided scale centred on 0, for signed numbers such as scores.
    groups : tensor, array or nested list, (rows, columns), optional
        Whole numbers. Cells with the same number get the same tint, below a header that names a role that of the role;
        -1 leaves a cell white.
    mask : boolean tensor, array or nested list, (rows, columns), optional
        True means "may attend". Cells that may not are hatched, as in `attention_map`.
    headers : dict of str to int, optional
        Tables that stand side by side, from the left: what each is called, in one line, and how many columns it has.
        Each gets a tint of its own unless there are `groups`, and no shape is written, since they have none together.

    Returns
    -------
    Picture
        The table. Its alt text reads it row by row.

    Raises
    ------
    TypeError
        Values that are not real numbers, labels that are not a list of text, a mask that is not boolean.
    ValueError
        Not a table, empty, nan, more than 16 a side, as many labels as do not fit, or headers of more or fewer columns.
    """
    array = _checked_table(values, name or "values")
    rows = _checked_labels(row_labels, array.shape[0], "row_labels", "rows")
    columns = _checked_labels(column_labels, array.shape[1], "column_labels", "columns")
    hidden = None if mask is None else ~as_mask(mask, array.shape)
    role = None if headers else named_role(name)
    if headers is not None:
        _check_headers(headers, array.shape[1])
        if groups is None:
            groups = _columns_of(headers, len(array))
    colours = None if groups is None else _group_colours(groups, array.shape, headers or {})
    if heat:
        colours = _heat_colours(array)

    with style():
        figure, axes = _sheet(array.shape[1], array.shape[0])
        _draw_table(axes, array, 0, 0, decimals, colours, role=role, hidden=hidden)
        _label_rows(axes, rows, 0)
        _label_columns(axes, columns, 0)
        above = _above(columns) if columns else -0.2
        if headers:
            _draw_headers(axes, headers, above)
        if name:
            _draw_name(axes, name, None if headers else array.shape, 0, above - (0.9 if headers else 0), role)
        if heat:
            _draw_heat_bar(figure, array)
    in_one_line = one_line_of(columns)
    said = f"{name or 'Table'}, {array.shape[0]} by {array.shape[1]}"
    numbers = table_numbers(array, decimals)
    if headers:
        above_columns = [header for header, n in headers.items() for _ in range(n)]
        own = in_one_line or [""] * len(above_columns)
        in_one_line = [f"{header} {column}".strip() for header, column in zip(above_columns, own, strict=True)]
    tables = Tables(f"{said}, drawn. {FOLLOWS}", [(said, rows, in_one_line, numbers)])
    return Picture(figure, alt_text.of_matrix(array, name, rows, one_line_of(columns), decimals, headers), tables)


def product(
    a: Any,
    b: Any,
    *,
    names: Sequence[str] = ("a", "b", "a @ b"),
    row_labels: Sequence[str] | None = None,
    column_labels: Sequence[str] | None = None,
    inner_labels: Sequence[str] | None = None,
    highlight: tuple[int, int] | None = None,
    by_row: int | None = None,
    decimals: int = 2,
) -> Picture:
    """Draw the matrix product a @ b: a at the left, b on top, the result where they meet (Falk's scheme).

    A table whose name speaks of queries, keys, values, outputs, weights or scores has their colour.

    Parameters
    ----------
    a : tensor, array or nested list, (n, k)
        The left factor, at most 16 a side.
    b : tensor, array or nested list, (k, m)
        The right factor, at most 16 a side.
    names : list of str
        What a, b and the result are called.
    row_labels, column_labels : list of str, optional
        One text for each row of a, each column of b.
    inner_labels : list of str, optional
        One text for each row of b, which is also a column of a.
    highlight : (int, int), optional
        Row and column of the result. Outlines that row of a and that column of b, and writes the sum out below.
    by_row : int, optional
        Row of the result, in place of `highlight`. Outlines that row of a and the rows of b that it takes something of,
        and writes below how much of each.
    decimals : int
        Digits after the point; whole numbers are written without.

    Returns
    -------
    Picture
        The three tables. Its alt text reads each of them, and the sum that is written out.

    Raises
    ------
    TypeError
        As `matrix`.
    ValueError
        As `matrix`, and where the inner sizes differ, `highlight` or `by_row` lies outside the result, or both are
        given.
    """
    left, top = _checked_table(a, names[0]), _checked_table(b, names[1])
    if left.shape[1] != top.shape[0]:
        raise ValueError(
            f"{names[0]} @ {names[1]} needs as many columns in {names[0]} as rows in {names[1]}, "
            f"but there are {left.shape[1]} and {top.shape[0]}."
        )
    result = left @ top
    rows = _checked_labels(row_labels, result.shape[0], "row_labels", "rows")
    columns = _checked_labels(column_labels, result.shape[1], "column_labels", "columns")
    inner = _checked_labels(inner_labels, len(top), "inner_labels", "rows of b")
    if highlight is not None and not (0 <= highlight[0] < len(result) and 0 <= highlight[1] < result.shape[1]):
        raise ValueError(f"highlight must be a row and column of the {result.shape} result, but is {highlight}.")
    if by_row is not None and (highlight is not None or not 0 <= by_row < len(result)):
        raise ValueError(
            f"by_row must be a row of the {result.shape} result, without highlight, but is {by_row} with {highlight}."
        )

    with style():
        roles = [named_role(name) for name in names]
        outlines = _outlines(left, top, highlight, by_row)
        figure, axes = _draw_product((left, top, result), outlines, roles, decimals)
        x0, y0 = _place_of_result(left, top)
        _label_rows(axes, rows, y0)
        _label_columns(axes, columns, x0)
        _label_rows(axes, inner, 0, x0)
        _draw_name(axes, names[0], left.shape, 0, y0 - 0.15, roles[0])
        _draw_name(axes, names[1], top.shape, x0, -0.75 if columns else -0.15, roles[1])
        beside = (x0 + result.shape[1] + 0.2, y0 + len(result) / 2)
        said = f"{names[2]}\n{_shape_text(result.shape)}"
        axes.text(*beside, said, va="center", fontweight="bold", color=(roles[2] or INPUT).text)
        below = ""
        if highlight is not None:
            below = dot_product(left[highlight[0]], top[:, highlight[1]], decimals)
        elif by_row is not None:
            below = f"row {by_row} of {names[2]} = {rows_taken(left[by_row], names[1], decimals)}"
        axes.text(0, y0 + len(result) + 0.45, below, va="top", fontsize=11)
    alt = alt_text.of_product(left, top, names, rows, columns, highlight, decimals, inner)
    written_out = f" {below[0].upper()}{below[1:]}." if below else ""
    parts = [(names[0], rows, None, left), (names[1], inner, columns, top), (names[2], rows, columns, result)]
    tables = Tables(
        f"Matrix product on paper: {names[0]} times {names[1]} gives {names[2]}.{written_out} {FOLLOWS}",
        [
            (f"{name}, {table.shape[0]} by {table.shape[1]}", of_rows, of_columns, table_numbers(table, decimals))
            for name, of_rows, of_columns, table in parts
        ],
    )
    return Picture(figure, f"{alt}{written_out}" if by_row is not None else alt, tables)


def one_line_of(labels: list[str] | None) -> list[str] | None:
    """Labels without line breaks; None where there are none."""
    return [label.replace("\n", " ") for label in labels] if labels else None


def _checked_table(values: Any, name: str) -> np.ndarray:
    array = as_array(values, name, "matrix")
    if max(array.shape) > MOST_CELLS_A_SIDE:
        raise ValueError(
            f"{name} is too large to read as a table: at most {MOST_CELLS_A_SIDE} rows and columns, "
            f"but its shape is {array.shape}."
        )
    return array


def _checked_labels(labels: Sequence[str] | None, count: int, name: str, labelled: str) -> list[str] | None:
    return None if labels is None else as_tokens(labels, count, name, labelled)


def _group_colours(groups: Any, shape: tuple[int, ...], headers: Mapping[str, int]) -> list[list[CellColours]]:
    array = as_array(groups, "groups", "matrix").astype(int)
    if array.shape != shape:
        raise ValueError(f"groups must have the shape of the values, {shape}, but has {array.shape}.")
    roles = [named_role(header) for header, n in headers.items() for _ in range(n)] or [None] * shape[1]
    return [
        [(PAPER if group < 0 else _tint(group, role), "black") for group, role in zip(row, roles, strict=True)]
        for row in array
    ]


def _tint(group: int, role: Role | None) -> str:
    return role.tint if role else NEUTRAL_TINTS[group % len(NEUTRAL_TINTS)]


def _heat_colours(array: np.ndarray) -> list[list[CellColours]]:
    limit = _heat_limit(array)
    scale, colours = Normalize(-limit, limit), COLOURS_OF_SIGNED_NUMBERS
    return [[(fill, ink_on(fill)) for fill in colours(scale(row))] for row in array]


def _heat_limit(array: np.ndarray) -> float:
    return float(np.abs(array).max()) or 1.0


def _sheet(n_columns: float, n_rows: float) -> tuple[Figure, Axes]:
    """An empty page, in units of cells, y downwards."""
    figure = Figure(figsize=(CELL_WIDTH * n_columns, CELL_HEIGHT * n_rows))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, n_columns), ylim=(n_rows, 0))
    axes.axis("off")
    return figure, axes


def _place_of_result(left: np.ndarray, top: np.ndarray) -> tuple[float, float]:
    """Where the upper left corner of the result stands, in cells: right of a and below b, with a gap."""
    gap = 0.6
    return left.shape[1] + gap, top.shape[0] + gap


def _outlines(
    left: np.ndarray, top: np.ndarray, highlight: tuple[int, int] | None, by_row: int | None
) -> tuple[list[Frame], list[Frame], list[Frame]]:
    """What to frame in a, b and the result, each counted from its own corner: what makes up one number, or one row."""
    k, m = top.shape
    if highlight is not None:
        row, column = highlight
        return [(0, row, k, 1)], [(column, 0, 1, k)], [(column, row, 1, 1)]
    if by_row is not None:
        return (
            [(0, by_row, k, 1)],
            [(0, int(taken), m, 1) for taken in np.flatnonzero(left[by_row])],
            [(0, by_row, m, 1)],
        )
    return [], [], []


def _draw_product(
    tables: tuple[np.ndarray, np.ndarray, np.ndarray],
    outlines: tuple[list[Frame], list[Frame], list[Frame]],
    roles: Sequence[Role | None],
    decimals: int,
) -> tuple[Figure, Axes]:
    """Draw the three tables of a product, each in the colour of its role, with thick outlines around what meets."""
    left, top, result = tables
    x0, y0 = _place_of_result(left, top)
    figure, axes = _sheet(x0 + result.shape[1], y0 + len(result))
    for table, (x, y), frames, role in zip(tables, ((0, y0), (x0, 0), (x0, y0)), outlines, roles, strict=True):
        _draw_table(axes, table, x, y, decimals, role=role)
        for right, down, width, height in frames:
            look: dict[str, Any] = {"fill": False, "edgecolor": role.line if role else INK, "linewidth": OUTLINE}
            axes.add_patch(Rectangle((x + right, y + down), width, height, clip_on=False, zorder=4, **look))
    return figure, axes


def _draw_table(
    axes: Axes,
    array: np.ndarray,
    x: float,
    y: float,
    decimals: int,
    colours: list[list[CellColours]] | None = None,
    role: Role | None = None,
    hidden: np.ndarray | None = None,
) -> None:
    """Draw a table, (rows, columns), with its upper left corner at x and y, in cells, and hatch what is hidden."""
    size = 10 if decimals <= 2 or is_whole(array) else 9
    for i, numbers in enumerate(table_numbers(array, decimals)):
        for j, text in enumerate(numbers):
            fill, ink = colours[i][j] if colours else (PAPER, "black")
            is_hidden = hidden is not None and hidden[i, j]
            look: dict[str, Any] = {"facecolor": fill, "edgecolor": FAINT, **(HIDDEN if is_hidden else {})}
            axes.add_patch(Rectangle((x + j, y + i), 1, 1, linewidth=0.8, clip_on=False, **look))
            behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5} if is_hidden else None
            axes.text(x + j + 0.5, y + i + 0.5, text, ha="center", va="center", color=ink, fontsize=size, bbox=behind)
    n_rows, n_columns = array.shape
    look = {"edgecolor": role.line, "linewidth": 1.8} if role else {"edgecolor": QUIET, "linewidth": 1.2}
    axes.add_patch(Rectangle((x, y), n_columns, n_rows, fill=False, clip_on=False, **look))


def _label_rows(axes: Axes, labels: list[str] | None, y: float, x: float = 0) -> None:
    for i, label in enumerate(labels or []):
        axes.text(x - 0.15, y + i + 0.5, label, ha="right", va="center", fontfamily=fonts_for(label))


def _label_columns(axes: Axes, labels: list[str] | None, x: float) -> None:
    for j, label in enumerate(labels or []):
        axes.text(x + j + 0.5, -0.15, label, ha="center", va="bottom", fontsize=9, fontfamily=fonts_for(label))


def _check_headers(headers: Mapping[str, int], n_columns: int) -> None:
    if min(headers.values(), default=0) < 1 or sum(headers.values()) != n_columns:
        raise ValueError(f"headers must share out the {n_columns} columns, 1 or more each, but are {dict(headers)}.")


def _columns_of(headers: Mapping[str, int], n_rows: int) -> np.ndarray:
    """Which header each cell stands under, (n_rows, columns)."""
    return np.tile(np.repeat(np.arange(len(headers)), list(headers.values())), (n_rows, 1))


def _draw_headers(axes: Axes, headers: Mapping[str, int], y: float) -> None:
    """Write each header above the middle of its columns, and draw a line across them, at y and above it."""
    left = 0
    for header, n_columns in headers.items():
        middle, role = left + n_columns / 2, named_role(header)
        look: dict[str, Any] = {"color": role.line, "linewidth": 2.0} if role else {"color": QUIET, "linewidth": 1.2}
        axes.plot([left + 0.1, left + n_columns - 0.1], [y, y], clip_on=False, **look)
        title = axes.text(middle, y - 0.15, header, ha="center", va="bottom", fontweight="bold")
        title.set(fontfamily=fonts_for(header), color=(role or INPUT).text)
        left += n_columns


def _above(labels: list[str]) -> float:
    """Where a name stands above the labels of columns, in cells."""
    more_lines = max(label.count("\n") for label in labels)
    return -0.75 - 0.36 * more_lines


def _draw_heat_bar(figure: Figure, array: np.ndarray) -> None:
    limit = _heat_limit(array)
    inch = 1 / figure.get_figwidth()
    bar = figure.add_axes((1 + 0.2 * inch, 0, 0.13 * inch, 1))
    figure.colorbar(
        ScalarMappable(Normalize(-limit, limit), COLOURS_OF_SIGNED_NUMBERS), cax=bar, ticks=[-limit, 0, limit]
    )
    bar.set_yticklabels([number(value, 2) for value in (-limit, 0, limit)], fontsize=8)
    bar.tick_params(length=0)


def _draw_name(
    axes: Axes, name: str, shape: tuple[int, ...] | None, x: float, y: float, role: Role | None = None
) -> None:
    title = axes.text(x, y, name, va="bottom", fontweight="bold", fontfamily=fonts_for(name))
    title.set_color((role or INPUT).text)
    if shape is not None:
        axes.annotate(f"  {_shape_text(shape)}", (1, 0), xycoords=title, va="bottom", fontsize=9, color=QUIET)


def _shape_text(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} \N{MULTIPLICATION SIGN} {shape[1]}"
