"""Attention maps: rows are queries, columns are keys, row 0 on top, one colour scale from 0 to 1."""

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from helpers.drawing import alt_text
from helpers.drawing.colours import COLOURS_OF_SIGNED_NUMBERS, COLOURS_OF_WEIGHTS, HIDDEN, KEY, QUERY, ink_on
from helpers.drawing.inputs import as_array, as_mask, as_tokens, as_weights, printable
from helpers.drawing.picture import FAINT, Picture, fonts_for, style

NUMBERS_UP_TO = 8  # more rows or columns than this, and the cells carry no numbers
HEADS_A_ROW = 4


def attention_map(
    weights: Any,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    *,
    mask: Any = None,
    title: str | None = None,
    outline: tuple[str, int] | None = None,
) -> Picture:
    """Draw attention weights as a table of shaded cells.

    The form is that of Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and
    Translate" (2015), figure 3.

    Parameters
    ----------
    weights : tensor, array or nested list, (n_query, n_key)
        Weights after softmax, each from 0 to 1. Rows that do not sum to 1 are drawn, and the picture says so.
    query_tokens : list of str
        n_query words, one a row.
    key_tokens : list of str, optional
        n_key words, one a column; the query tokens when left out.
    mask : boolean tensor, array or nested list, (n_query, n_key), optional
        True means "may attend". Cells that may not are hatched.
    title : str, optional
        Text above the map.
    outline : ("row" or "column", int), optional
        What gets a frame, to be looked at first.

    Returns
    -------
    Picture
        The map. Its alt text names the strongest key of each query.

    Raises
    ------
    TypeError
        Weights that are not real numbers, a mask that is not boolean, tokens that are not a list of text.
    ValueError
        Wrong number of dimensions, empty, nan, a weight below 0 or above 1, as many tokens as do not fit, no such row
        or column.
    """
    array, queries, keys, allowed = _checked(weights, "weights", query_tokens, key_tokens, mask)
    n_query, n_key = array.shape
    framed = _as_outline(outline, queries, keys)
    cell = _cell_inches(max(n_query, n_key))
    with style():
        figure = Figure(figsize=(cell * n_key, cell * n_query))
        axes = figure.add_axes((0, 0, 1, 1))
        image = _draw_map(axes, array, queries, keys, allowed, cell)
        _name_axes(axes)
        _draw_colour_bar(figure, axes, image, cell * n_key, cell * n_query)
        _draw_title(axes, title)
        _draw_note(axes, alt_text.note_on_sums(array, queries))
        if framed:
            role = QUERY if outline and outline[0] == "row" else KEY
            axes.add_patch(
                Rectangle(*framed[0], fill=False, edgecolor=role.line, linewidth=2.2, clip_on=False, zorder=5)
            )
    said = alt_text.of_attention_map(array, queries, keys, allowed, title)
    return Picture(figure, said + (framed[1] if framed else ""))


def _as_outline(
    outline: tuple[str, int] | None, queries: list[str], keys: list[str]
) -> tuple[tuple[tuple[float, float], int, int], str] | None:
    """Corner, width and height of a frame around a row or a column, and a sentence for the alt text."""
    if outline is None:
        return None
    kind, place = outline
    tokens = {"row": queries, "column": keys}.get(kind)
    if tokens is None:
        raise ValueError(f'outline must be ("row", i) or ("column", i), but is {outline!r}.')
    if not 0 <= place < len(tokens):
        raise ValueError(f"outline must name one of {len(tokens)} {kind}s, counted from 0, but names {place}.")
    corner, size = ((-0.5, place - 0.5), (len(keys), 1)) if kind == "row" else ((place - 0.5, -0.5), (1, len(queries)))
    return (corner, *size), f' The {kind} of "{tokens[place]}" is framed.'


def head_maps(
    weights: Any,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    *,
    mask: Any = None,
    title: str | None = None,
    a_row: int | None = None,
    names: Sequence[str] | None = None,
) -> Picture:
    """Draw the attention maps of several heads side by side, all on one colour scale.

    Parameters
    ----------
    weights : tensor, array or nested list, (n_heads, n_query, n_key)
        Weights after softmax, each from 0 to 1.
    query_tokens, key_tokens, title
        As for `attention_map`.
    mask : boolean tensor, array or nested list, (n_query, n_key) or (n_heads, n_query, n_key), optional
        True means "may attend"; one mask serves all heads, or a tensor or array has one for each.
    a_row : int, optional
        So many maps side by side, each as wide as fits a page, and each with its axes named; four small ones when left
        out.
    names : list of str, optional
        What stands above each map, (n_heads,); "head 0", "head 1" and so on when left out.

    Returns
    -------
    Picture
        The maps in their order. Its alt text names the strongest weight of each head.

    Raises
    ------
    TypeError, ValueError
        As `attention_map`; as many names as do not fit the heads.
    """
    array, queries, keys, allowed = _checked(weights, "heads", query_tokens, key_tokens, mask)
    n_query, n_key = array.shape[1:]
    masks: Any = [None] * len(array) if allowed is None else np.broadcast_to(allowed, array.shape)
    given = None if names is None else list(names)
    names = given or [f"head {head}" for head in range(len(array))]
    if len(names) != len(array):
        raise ValueError(f"names must be one for each of the {len(array)} heads, but there are {len(names)}.")
    side = 2.1 if a_row is None else 6.0 / a_row  # inches
    cell = max(0.05, min(0.42, side / max(n_query, n_key)))
    width, height = cell * n_key, cell * n_query
    room_for_tokens = (0.25 if a_row is None else 0.65) + 0.075 * max(len(token) for token in [*queries, *keys])
    with style():
        figure, places = _sheet_of_heads(
            min(len(array), a_row or HEADS_A_ROW), len(array), width, height, room_for_tokens, title
        )
        for head, axes in enumerate(places):
            image = _draw_map(axes, array[head], queries, keys, masks[head], cell)
            _draw_title(axes, names[head])
            if head == 0 or a_row is not None:
                _name_axes(axes)
        _draw_colour_bar(figure, places[-1], image, width, height)
    return Picture(figure, alt_text.of_head_maps(array, queries, keys, allowed, title, given))


def heat_map(values: Any, *, x_label: str, y_label: str, title: str | None = None) -> Picture:
    """Draw a table of signed numbers that is too large to read: shaded cells on a two-sided scale centred on 0.

    Parameters
    ----------
    values : tensor, array or nested list, (rows, columns)
        Finite real numbers; row 0 is drawn on top.
    x_label, y_label : str
        What columns and rows stand for.
    title : str, optional
        Text above the table.

    Returns
    -------
    Picture
        The table. Its alt text names the smallest and the largest number with their places.

    Raises
    ------
    TypeError
        Values that are not real numbers.
    ValueError
        Not a table, empty, nan or infinite.
    """
    array = as_array(values, "values", "matrix")
    limit = float(np.abs(array).max()) or 1.0
    width, height = 5.4, 3.6
    with style():
        figure = Figure(figsize=(width, height))
        axes = figure.add_axes((0, 0, 1, 1))
        image = axes.imshow(
            array, cmap=COLOURS_OF_SIGNED_NUMBERS, vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest"
        )
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.set_title(title or "", loc="left", fontfamily=fonts_for(title or ""))
        _draw_colour_bar(figure, axes, image, width, height, "value", [-limit, 0, limit])
    return Picture(figure, alt_text.of_heat_map(array, x_label, y_label, title))


def key_tokens_or_queries(key_tokens: Sequence[str] | None, queries: list[str], n_key: int) -> list[str]:
    """Make a list of text of the key tokens, which are the query tokens where none are given.

    Parameters
    ----------
    key_tokens : list of str or None
        n_key words.
    queries : list of str
        The words of the queries, checked.
    n_key : int
        How many keys there are.

    Returns
    -------
    list of str
        One word for each key.

    Raises
    ------
    TypeError
        Key tokens that are not a list of text.
    ValueError
        As many as do not fit, or none where there are more or fewer keys than queries.
    """
    if key_tokens is not None:
        return as_tokens(key_tokens, n_key, "key_tokens", "columns of weights")
    if len(queries) != n_key:
        raise ValueError(
            f"key_tokens must be given when keys are not the queries: weights have {len(queries)} rows "
            f"and {n_key} columns."
        )
    return queries


def _checked(
    weights: Any, kind: str, query_tokens: Sequence[str], key_tokens: Sequence[str] | None, mask: Any
) -> tuple[np.ndarray, list[str], list[str], np.ndarray | None]:
    """Weights of shape (..., n_query, n_key), the tokens, and the mask, (n_query, n_key) or as the weights."""
    array = as_weights(weights, kind)
    n_query, n_key = array.shape[-2:]
    queries = as_tokens(query_tokens, n_query, "query_tokens", "rows of weights")
    keys = key_tokens_or_queries(key_tokens, queries, n_key)
    shape = array.shape if getattr(mask, "ndim", 2) == array.ndim else (n_query, n_key)
    return array, queries, keys, None if mask is None else as_mask(mask, shape)


def _cell_inches(n: int) -> float:
    return 0.62 if n <= NUMBERS_UP_TO else max(0.055, min(0.5, 6.5 / n))


def _sheet_of_heads(
    n_columns: int, n_heads: int, width: float, height: float, room_for_tokens: float, title: str | None
) -> tuple[Figure, list[Axes]]:
    """A page with a place of width by height inches for each head, row by row from the top."""
    n_rows = -(-n_heads // n_columns)
    step_x, step_y = width + room_for_tokens, height + room_for_tokens + 0.3
    total_width, total_height = step_x * n_columns - room_for_tokens, step_y * n_rows
    figure = Figure(figsize=(total_width, total_height))
    places = []
    for head in range(n_heads):
        row, column = divmod(head, n_columns)
        left, bottom = column * step_x, total_height - row * step_y - height
        box = (left / total_width, bottom / total_height, width / total_width, height / total_height)
        places.append(figure.add_axes(box))
    if title:
        above = 1 + 0.35 * step_y / total_height
        figure.text(
            0, above, printable(title), fontsize=12, fontweight="bold", va="bottom", fontfamily=fonts_for(title)
        )
    return figure, places


def _draw_map(
    axes: Axes, weights: np.ndarray, queries: list[str], keys: list[str], mask: np.ndarray | None, cell: float
) -> AxesImage:
    """Shade, hatch and label the cells of one map, (n_query, n_key); a cell is `cell` inches wide."""
    shown = weights if mask is None else np.ma.masked_where(~mask, weights)
    image = axes.imshow(shown, cmap=COLOURS_OF_WEIGHTS, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    if mask is not None:
        _hatch(axes, ~mask)
    if max(weights.shape) <= NUMBERS_UP_TO:
        _write_numbers(axes, weights, mask, min(10.0, cell * 17))
    _label_tokens(axes, queries, keys, cell)
    axes.spines[:].set_visible(False)
    if cell >= 0.2:
        _draw_lines_between_cells(axes, weights.shape)
    axes.tick_params(which="both", length=0)
    return image


def _hatch(axes: Axes, masked: np.ndarray) -> None:
    """Cover what a mask hides, (n_query, n_key), as one patch: hundreds, each a cell, take seconds to draw."""
    corners = np.argwhere(masked)[:, None, ::-1] + [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]  # (n, 4, 2)
    if len(corners):
        cells = Path.make_compound_path_from_polys(corners)
        axes.add_patch(PathPatch(cells, lw=0, snap=True, **HIDDEN))  # on whole pixels, so that no seam is seen


def _write_numbers(axes: Axes, weights: np.ndarray, mask: np.ndarray | None, size: float) -> None:
    for (row, column), weight in np.ndenumerate(weights):
        if mask is None or mask[row, column]:
            colour = ink_on(COLOURS_OF_WEIGHTS(float(weight)))
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


def _draw_lines_between_cells(axes: Axes, shape: tuple[int, ...]) -> None:
    n_query, n_key = shape
    axes.set_xticks(np.arange(n_key + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(n_query + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1)


def _name_axes(axes: Axes) -> None:
    axes.set_xlabel("key (attended to)")
    axes.set_ylabel("query")
    axes.xaxis.set_label_position("top")


def _draw_colour_bar(
    figure: Figure,
    axes: Axes,
    image: AxesImage,
    width: float,
    height: float,
    label: str = "weight",
    ticks: Sequence[float] | None = None,
) -> None:
    """Draw the legend of the colours to the right of axes that are width by height inches."""
    box = axes.get_position()
    inch = box.width / width
    bar = figure.add_axes((box.x1 + 0.2 * inch, box.y0, 0.13 * inch, box.height))
    figure.colorbar(image, cax=bar, ticks=ticks or ([0, 0.5, 1] if height > 0.8 else [0, 1]))
    bar.tick_params(length=0, labelsize=8)
    bar.set_ylabel(label, fontsize=8)
    bar.spines[:].set_color(FAINT)


def _draw_title(axes: Axes, title: str | None) -> None:
    if title:
        inches = axes.bbox.width / axes.figure.dpi
        title = textwrap.fill(printable(title), max(60, int(12 * inches)))
        axes.set_title(title, loc="left", pad=10, fontfamily=fonts_for(title), parse_math=False)


def _draw_note(axes: Axes, note: str | None) -> None:
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
