"""The parts of attention with their numbers and shapes: three matrices, softmax, sums, heads, stages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from helpers.drawing.alt_text import attends
from helpers.drawing.colours import HIDDEN, INPUT, KEY, LIT, OUTPUT, QUERY, VALUE, Role, role_of
from helpers.drawing.inputs import as_array, as_tokens, as_weights, check_number
from helpers.drawing.paper import (
    ARROW,
    CELL_HEIGHT,
    PLAIN,
    SMALL,
    TIMES,
    WIDEST,
    arrow,
    box,
    cell_texts,
    cell_width,
    cells,
    curve,
    frame,
    in_words,
    line,
    page,
    shape_text,
    shortened,
    text_width,
    write,
    writer,
)
from helpers.drawing.picture import FAINT, INK, PAPER, QUIET, Picture, style
from helpers.wording import listed


def fan_out(row: Any, matrices: Mapping[str, Any], token: str) -> Picture:
    """Draw one token's vector going through several matrices, one result each.

    Matrices of at most 6 rows and 4 columns are drawn with their numbers, and the rows that the vector takes something
    of are shaded; of larger ones only the shapes are written.

    Parameters
    ----------
    row : tensor, array or list, (d_model,)
        The vector of the token. Of a long one the first numbers and the last are written.
    matrices : dict of str to tensor, array or nested list, (d_model, any)
        Up to four, such as {"query": w_query, "key": w_key, "value": w_value}; the names of the results.
    token : str
        The token that the vector belongs to.

    Returns
    -------
    Picture
        The vector at the left, an arrow through each matrix with the shapes, and the results at the right.

    Raises
    ------
    TypeError
        What does not hold real numbers.
    ValueError
        No matrix or more than four, or one with another number of rows than the vector has numbers.
    """
    row = as_array(row, "row", "vector")
    if not isinstance(matrices, Mapping) or not 1 <= len(matrices) <= 4:
        raise ValueError("matrices must be a dictionary of one to four names and their matrices.")
    tables = {name: as_array(table, f"matrices[{name!r}]", "matrix") for name, table in matrices.items()}
    for name, table in tables.items():
        if len(table) != len(row):
            raise ValueError(f"{name} must have a row for each of the {len(row)} numbers, but has {len(table)} rows.")
    results = {name: row @ table for name, table in tables.items()}

    open_ = all(table.shape[0] <= 6 and table.shape[1] <= 4 for table in tables.values())
    labels = {
        name: (f"x @ w_{name}", f"{shape_text(row.shape)} @ {shape_text(table.shape)} {ARROW} ({table.shape[1]})")
        for name, table in tables.items()
    }
    middle = max(text_width(text, size, bold) for pair in labels.values() for text, size, bold in _sizes(pair)) + 0.24
    fan, on, low, top = 0.62, 0.4, 0.22, 0.1
    tall = 0.56 + (low * len(row) + 0.08 if open_ else 0.0)
    step = tall + 0.39 if not open_ else tall + 0.14
    width = cell_width(text for array in (row, *results.values()) for text in cell_texts(array, len(array)))
    most = max(3, int((WIDEST - fan - middle - on - 0.1) / width / 2))
    given = cell_texts(row, most)
    x_box = 0.05 + len(given) * width + fan
    x_result = x_box + middle + on
    wide = x_result + width * max(len(cell_texts(result, most)) for result in results.values()) + 0.05
    level = top + step * len(tables) / 2
    with style():
        figure, axes = page(wide, top * 2 + step * len(tables))
        cells(axes, 0.05, level - CELL_HEIGHT / 2, given, INPUT, width)
        name = shortened(token, len(given) * width, 11, bold=True)
        write(axes, 0.05, level - CELL_HEIGHT / 2 - 0.07, name, size=11, bold=True, ha="left", va="bottom")
        write(
            axes,
            0.05,
            level + CELL_HEIGHT / 2 + 0.08,
            f"x {shape_text(row.shape)}",
            size=SMALL,
            ha="left",
            va="top",
            colour=QUIET,
        )
        for k, (name, result) in enumerate(results.items()):
            role, y = role_of(name), top + (k + 0.5) * step
            curve(axes, (0.05 + len(given) * width, level), (x_box, y), role.line, 1.6)
            box(axes, x_box, y - tall / 2, middle, tall, edge=role.line, thick=1.4)
            write(axes, x_box + middle / 2, y - tall / 2 + 0.17, labels[name][0], bold=True, colour=role.text)
            write(axes, x_box + middle / 2, y - tall / 2 + 0.4, labels[name][1], size=SMALL)
            if open_:
                _rows_taken(axes, x_box + middle / 2, y - tall / 2 + 0.54, low, row, tables[name], role)
            arrow(axes, (x_box + middle, y), (x_result, y), role.line, 1.6)
            cells(axes, x_result, y - CELL_HEIGHT / 2, cell_texts(result, most), role, width)
            write(axes, x_result, y - CELL_HEIGHT / 2 - 0.05, name, bold=True, ha="left", va="bottom", colour=role.text)
    parts = [
        f"{labels[name][0]}, shapes {labels[name][1]}, gives the {name} {in_words(result)}"
        for name, result in results.items()
    ]
    return Picture(
        figure, f'The vector of "{token}", {in_words(row)}, goes through {listed(list(tables))}: {"; ".join(parts)}.'
    )


def _rows_taken(
    axes: Axes, middle: float, top: float, height: float, row: np.ndarray, table: np.ndarray, role: Role
) -> None:
    """Draw a matrix, (d_model, any), with the rows shaded that the vector, (d_model,), takes something of."""
    texts = [cell_texts(numbers, len(numbers), writer(table)) for numbers in table]
    width = cell_width((text for texts_of_row in texts for text in texts_of_row), SMALL)
    left = middle - width * table.shape[1] / 2
    for i, texts_of_row in enumerate(texts):
        taken = role if row[i] else replace(role, tint=PAPER)
        cells(axes, left, top + i * height, texts_of_row, taken, width, height, SMALL, framed=False)
    frame(axes, left, top, width * table.shape[1], height * len(table), role)


def _sizes(pair: tuple[str, str]) -> list[tuple[str, float, bool]]:
    return [(pair[0], PLAIN, True), (pair[1], SMALL, False)]


def steps_of_softmax(scores: Any, labels: Sequence[str]) -> Picture:
    """Draw softmax as three steps side by side: scores, their exponentials, their shares.

    Each step has bars on a scale of its own, and the number at the end of each bar. A negative score points to the
    left of zero.

    Parameters
    ----------
    scores : tensor, array or list, (n_key,)
        The scores of one query, 2 to 13, each at most 700 so that its exponential is a finite number.
    labels : n_key words
        What each score belongs to.

    Returns
    -------
    Picture
        Three columns of bars, joined by arrows that are named "exp" and "divide by the sum".

    Raises
    ------
    TypeError
        Scores that are not real numbers, labels that are not a list of text.
    ValueError
        Fewer than 2 scores or more than 13, a score above 700, or as many labels as do not fit.
    """
    scores = as_array(scores, "scores", "vector")
    labels = as_tokens(labels, len(scores), "labels", "scores")
    if not 2 <= len(scores) <= 13:
        raise ValueError(f"scores must be 2 to 13 to be drawn, but there are {len(scores)}.")
    if scores.max() > 700:
        raise ValueError(f"scores must be at most 700, or exp gives infinity, but the largest is {scores.max():g}.")
    powers = np.exp(scores)
    shares = powers / powers.sum()

    names = [shortened(label, 1.3, PLAIN) for label in labels]
    left = 0.15 + max(text_width(name) for name in names) + 0.15
    gap, step, head = 1.0, 0.36, 0.42
    bars = (WIDEST - left - 2 * gap) / 3
    write_score = writer(scores)
    columns = [
        ("scores", scores, [write_score(score) for score in scores], INPUT.line),
        ("exponentials", powers, [_short_number(power) for power in powers], INPUT.line),
        ("shares", shares, [f"{share:.2f}" for share in shares], INK),
    ]
    total = _short_number(powers.sum())
    with style():
        figure, axes = page(WIDEST, head + step * len(scores) + 0.36)
        for j, name in enumerate(names):
            write(axes, left - 0.15, head + (j + 0.5) * step + 0.05, name, ha="right", va="baseline")
        for k, (name, numbers, texts, colour) in enumerate(columns):
            x = left + k * (bars + gap)
            write(axes, x, 0.22, name, size=11, bold=True, ha="left", va="baseline")
            _bars(axes, x, head, bars, step, numbers, texts, colour)
            sums = {1: f"sum {total}", 2: "sum 1"}.get(k)
            if sums:
                write(axes, x, head + step * len(scores) + 0.25, sums, ha="left", va="baseline", colour=QUIET)
        y = head + step * len(scores) / 2
        for k, name in enumerate(["exp", "divide by\nthe sum"]):
            x = left + bars + k * (bars + gap)
            arrow(axes, (x + 0.22, y), (x + gap - 0.22, y), INK, 1.6)
            write(axes, x + gap / 2, y - 0.12, name, size=SMALL, va="bottom")
    parts = [
        f"{label}: score {texts[0]}, exponential {texts[1]}, share {texts[2]}"
        for label, *texts in zip(labels, *(column[2] for column in columns), strict=True)
    ]
    return Picture(
        figure,
        f"Softmax in three steps: scores, their exponentials, which sum to {total}, and each divided by this sum. "
        f"{'; '.join(parts)}.",
    )


def _short_number(value: float) -> str:
    """A positive number in at most seven figures."""
    if value >= 1e7 or value < 1e-3:
        return f"{value:.1e}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-").replace("-", "\N{MINUS SIGN}")
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}" if value < 0.01 else f"{value:.2f}"


def _bars(
    axes: Axes, x: float, y: float, width: float, step: float, numbers: np.ndarray, texts: list[str], colour: str
) -> None:
    """Draw level bars from a common zero, each with its number at its end, in `width` inches with the numbers."""
    room = {True: 0.0, False: 0.0}  # what the numbers need left and right of the bars
    for value, text in zip(numbers, texts, strict=True):
        room[bool(value < 0)] = max(room[bool(value < 0)], text_width(text) + 0.08)
    low, high = min(numbers.min(), 0), max(numbers.max(), 0)
    scale = (width - room[True] - room[False]) / ((high - low) or 1)
    zero = x + room[True] - low * scale
    line(axes, (zero, y), (zero, y + step * len(numbers)), QUIET, 1.0)
    for j, (value, text) in enumerate(zip(numbers, texts, strict=True)):
        long, level = value * scale, y + (j + 0.5) * step
        bar = Rectangle(
            (min(zero, zero + long), level - 0.12), abs(long), 0.24, facecolor=colour, linewidth=0, zorder=2
        )
        axes.add_artist(bar)
        side = -1 if value < 0 else 1
        write(axes, zero + long + 0.06 * side, level + 0.05, text, ha="right" if value < 0 else "left", va="baseline")


def pressed_flat(
    weights: Any, values: Any, query_labels: Sequence[str] | None = None, key_labels: Sequence[str] | None = None
) -> Picture:
    """Draw the block of weighted values, (n_query, n_key, d_v), as sheets that are each pressed flat to one row.

    Each query has a sheet: its rows are the keys, a weight times a value each, and their sum is the output.

    Parameters
    ----------
    weights : tensor, array or nested list, (n_query, n_key)
        At most 6 queries and 12 keys.
    values : tensor, array or nested list, (n_key, d_v)
        Up to 4 numbers a value are written in the cells; a longer one is written with its first and its last.
    query_labels, key_labels : list of str, optional
        One word for each query and key; "query 1", "key 1" and so on when left out.

    Returns
    -------
    Picture
        A sheet for each query, an arrow "sum over the keys" down from it, and a row of the output.

    Raises
    ------
    TypeError
        What does not hold real numbers, labels that are not a list of text.
    ValueError
        Shapes that do not fit, weights below 0 or above 1, or too many queries or keys.
    """
    weights, values = as_weights(weights, "weights"), as_array(values, "values", "matrix")
    n_query, n_key = weights.shape
    if len(values) != n_key:
        raise ValueError(f"values must have a row for each of the {n_key} keys, but has {len(values)}.")
    if n_query > 6 or n_key > 12:
        raise ValueError(f"weights must be at most 6 queries by 12 keys to be drawn, but are {n_query} by {n_key}.")
    queries = as_tokens(query_labels or [f"query {i + 1}" for i in range(n_query)], n_query, "query_labels", "queries")
    keys = as_tokens(key_labels or [f"key {j + 1}" for j in range(n_key)], n_key, "key_labels", "keys")
    weighted = weights[:, :, None] * values[None]
    output = weighted.sum(axis=1)

    in_sheet, in_output = writer(weighted, _decimals(weighted)), writer(output, _decimals(output))
    sheets = [[cell_texts(row, 4, in_sheet) for row in sheet] for sheet in weighted]
    results = [cell_texts(row, 4, in_output) for row in output]
    width = cell_width(text for row in [*(row for sheet in sheets for row in sheet), *results] for text in row)
    wide_sheet = width * len(results[0])
    names = [shortened(key, 1.1) for key in keys]
    left = 0.1 + max(text_width(name) for name in names) + 0.1
    share = 0.62  # what the column of weights needs
    a_row = max(1, min(n_query, int((WIDEST - left - 0.05 + 0.22) / (share + wide_sheet + 0.22))))
    n_rows = -(-n_query // a_row)
    head, fall = 0.62, 0.62
    high = head + n_key * CELL_HEIGHT + fall + CELL_HEIGHT + 0.62
    with style():
        figure, axes = page(left + a_row * (share + wide_sheet + 0.22) - 0.22 + 0.05, n_rows * high - 0.1)
        for i, sheet in enumerate(sheets):
            across, down = i % a_row, i // a_row
            x, y = left + across * (share + wide_sheet + 0.22) + share, down * high + head
            title = shortened(queries[i], share + wide_sheet, 11, bold=True)
            write(
                axes, x - share + 0.02, y - 0.4, title, size=11, bold=True, ha="left", va="baseline", colour=QUERY.text
            )
            write(axes, x - 0.1, y - 0.1, "weight", size=SMALL, colour=QUIET, ha="right", va="baseline")
            write(axes, x + wide_sheet / 2, y - 0.1, f"weight {TIMES} value", size=SMALL, colour=QUIET, va="baseline")
            for j, row in enumerate(sheet):
                level = y + (j + 0.5) * CELL_HEIGHT + 0.05
                if across == 0:
                    write(axes, left - 0.1, level, names[j], ha="right", va="baseline", colour=KEY.text)
                write(axes, x - 0.1, level, f"{weights[i, j]:.2f}", ha="right", va="baseline")
                cells(axes, x, y + j * CELL_HEIGHT, row, VALUE, width, framed=False)
            frame(axes, x, y, wide_sheet, n_key * CELL_HEIGHT, VALUE)
            _press(axes, x, y + n_key * CELL_HEIGHT, wide_sheet, fall)
            y += n_key * CELL_HEIGHT + fall
            cells(axes, x, y, results[i], OUTPUT, width)
            name = shortened(f"output of {queries[i]}", share + wide_sheet, SMALL)
            write(
                axes,
                x + wide_sheet,
                y + CELL_HEIGHT + 0.18,
                name,
                size=SMALL,
                ha="right",
                va="baseline",
                colour=OUTPUT.text,
            )
    return Picture(figure, _pressed_alt(weights, weighted, output, queries, keys))


def _press(axes: Axes, x: float, y: float, width: float, fall: float) -> None:
    """An arrow from each side of a sheet down to its sum, and the words between."""
    for at in (x + 0.12, x + width - 0.12):
        arrow(axes, (at, y + 0.06), (at, y + fall - 0.04), OUTPUT.line, 1.4)
    write(axes, x + width / 2, y + fall / 2, "sum over\nthe keys", size=SMALL)


def _decimals(array: np.ndarray) -> int:
    """One digit after the point where it says all, else two."""
    return 1 if np.allclose(array, array.round(1), atol=1e-6) else 2


def _pressed_alt(
    weights: np.ndarray, weighted: np.ndarray, output: np.ndarray, queries: list[str], keys: list[str]
) -> str:
    in_sheet, in_output = writer(weighted, _decimals(weighted)), writer(output, _decimals(output))
    sheets = []
    for i, query in enumerate(queries):
        rows = [f"{weights[i, j]:.2f} of {key} is {in_words(weighted[i, j], in_sheet)}" for j, key in enumerate(keys)]
        sheets.append(f"{query}: {', '.join(rows)}, sum {in_words(output[i], in_output)}")
    return (
        f"Weighted values {shape_text(weighted.shape)}, one sheet for each query with a row for each key, pressed flat "
        f"to the output {shape_text(output.shape)} by a sum over the keys. {'; '.join(sheets)}."
    )


# The seven stages and two variants: what flows, as small grids in proportion. A sequence is n = 3 tokens, d_model 4,
# d_k and d_v 3. A shape that is too wide for its column has a line break.
_STAGES = [
    ("inputs", "x", "(n, d_model)"),
    ("weights", "three w", "(d_model,\nd_k or d_v)"),
    ("keys, queries, values", "q, k, v", "(n, d_k\nor d_v)"),
    ("scores", "scores", "(n, n)"),
    ("softmax", "weights", "(n, n)"),
    ("weighting", "weighted", "(n, n, d_v)"),
    ("summing", "output", "(n, d_v)"),
    ("multi-head", "heads", "(h, n, n)"),
    ("masked decoder", "masked", "(n, n)"),
]
_SHARES = np.array([[0.15, 0.5, 0.35], [0.1, 0.8, 0.1], [0.3, 0.1, 0.6]])  # shades only: the strip has no numbers


def stage_strip(stage: int) -> Picture:
    """Draw the seven stages of attention and two variants as the matrices that flow through them, with one stage lit.

    The variants are attention with several heads, and with a mask.

    Parameters
    ----------
    stage : int
        Number of the lesson, from 1 to 9.

    Returns
    -------
    Picture
        A small grid for each stage, with what it is called and its shape.

    Raises
    ------
    TypeError
        `stage` is not a whole number.
    ValueError
        There is no such stage.
    """
    check_number(stage, "stage", len(_STAGES))
    width, high, middle_of_grids = WIDEST / len(_STAGES), 1.62, 0.68
    in_a_line = 7
    with style():
        figure, axes = page(WIDEST, high)
        for i, (_, name, shape) in enumerate(_STAGES):
            middle, lit = (i + 0.5) * width, i == stage - 1
            if lit:
                box(axes, i * width + 0.03, 0.02, width - 0.06, high - 0.04, edge=INK, fill=LIT, thick=1.4)
            colour = INK if lit else QUIET
            write(axes, middle, 0.22, str(i + 1), bold=lit, colour=colour, va="baseline")
            _draw_stage(axes, i, middle, middle_of_grids)
            write(axes, middle, 1.18, name, size=SMALL, bold=lit, va="baseline")
            if lit:
                shape = shape.replace("(n, d_model)", "(n,\nd_model)")  # the one that would touch the frame
            write(axes, middle, 1.26, shape, size=SMALL, colour=colour, va="top")
            if 0 < i < in_a_line:
                arrow(axes, (i * width - 0.08, middle_of_grids), (i * width + 0.08, middle_of_grids), QUIET, 1.2)
        line(axes, (in_a_line * width, 0.12), (in_a_line * width, high - 0.12), QUIET, 1.2, ":")
    told = [f"{i + 1} {what}: {name} {shape}".replace("\n", " ") for i, (what, name, shape) in enumerate(_STAGES)]
    return Picture(
        figure,
        f"What flows through the seven stages of attention: {', '.join(told[:in_a_line])}. Two variants: "
        f"{', '.join(told[in_a_line:])}. Stage {stage}, {_STAGES[stage - 1][0]}, is lit.",
    )


def _draw_stage(axes: Axes, i: int, x: float, y: float) -> None:
    """The grid, or the pile of grids, of one stage, with its middle at (x, y)."""
    three = [QUERY, KEY, VALUE]
    if i == 0:
        _pile(axes, x, y, 3, 4, [INPUT])
    elif i in (1, 2):
        _pile(axes, x, y, 5 - i, 3, three)
    elif i == 3:
        _pile(axes, x, y, 3, 3, [INPUT])
    elif i in (5, 6):
        _pile(axes, x, y, 3, 3, [VALUE] * 3 if i == 5 else [OUTPUT])
    else:
        _pile(axes, x, y, 3, 3, [INPUT] * (3 if i == 7 else 1), _SHARES, masked=i == 8)


def _pile(
    axes: Axes,
    x: float,
    y: float,
    rows: int,
    columns: int,
    roles: Sequence[Role],
    shares: np.ndarray | None = None,
    masked: bool = False,
) -> None:
    """Small grids one behind the other, the first in front; `shares` shade the cells, a mask hatches the future."""
    side, step = 0.125, 0.075
    reach = step * (len(roles) - 1)
    for k, role in reversed(list(enumerate(roles))):
        left, top = x - (columns * side + reach) / 2 + k * step, y - (rows * side + reach) / 2 + reach - k * step
        for row, column in np.ndindex(rows, columns):
            # a share of 0 is white, of 1 dark
            fill = role.tint if shares is None else str(1 - 0.75 * shares[row, column])
            look: dict[str, Any] = HIDDEN if masked and column > row else {"facecolor": fill, "edgecolor": PAPER}
            corner = (left + column * side, top + row * side)
            cell = Rectangle(corner, side, side, linewidth=0.6, zorder=5 - k * 0.1, **look)
            axes.add_artist(cell)
        outline = Rectangle(
            (left, top), columns * side, rows * side, fill=False, edgecolor=role.line, linewidth=1.2, zorder=5 - k * 0.1
        )
        axes.add_artist(outline)


def course_strip(lesson: int, titles: Mapping[str, Sequence[str]]) -> Picture:
    """Draw the lessons of the course as a list of numbers and names in groups, with one lit.

    Parameters
    ----------
    lesson : int
        Number of the lesson, from 1.
    titles : dict of str to list of str
        Name of each group, such as "the nine stages", and the names of its lessons in order.

    Returns
    -------
    Picture
        A line or more for each group.

    Raises
    ------
    TypeError
        `lesson` is not a whole number, or names that are not text.
    ValueError
        No group, a group without lessons, or no such lesson.
    """
    if not isinstance(titles, Mapping) or not titles or not all(titles.values()):
        raise ValueError("titles must be a dictionary of groups, each with the names of its lessons.")
    groups = {
        group: as_tokens(names, len(list(names)), f"titles[{group!r}]", "lessons") for group, names in titles.items()
    }
    count = sum(len(names) for names in groups.values())
    check_number(lesson, "lesson", count)

    left = 0.1 + max(text_width(group, SMALL) for group in groups) + 0.3
    placed, x, y, number = [], left, 0.0, 0
    lines = {}
    for group, names in groups.items():
        x, lines[group] = left, y
        for name in names:
            number += 1
            wide = text_width(f"{number} {name}", PLAIN, bold=True)
            if x > left and x + wide > WIDEST - 0.1:
                x, y = left, y + 0.3
            placed.append((number, name, x, y, wide))
            x += wide + 0.26
        y += 0.38
    with style():
        figure, axes = page(WIDEST, y + 0.02)
        for group, top in lines.items():
            write(axes, 0.1, top + 0.24, group, size=SMALL, colour=QUIET, ha="left", va="baseline")
        for number, name, x, top, wide in placed:
            lit = number == lesson
            if lit:
                box(axes, x - 0.08, top + 0.05, wide + 0.16, 0.28, edge=INK, fill=LIT, thick=1.4)
            write(axes, x, top + 0.24, f"{number} {name}", bold=lit, ha="left", va="baseline")
    parts, number = [], 0
    for group, names in groups.items():
        parts.append(f"{group}: {', '.join(f'{number + i + 1} {name}' for i, name in enumerate(names))}")
        number += len(names)
    lit_name = [name for names in groups.values() for name in names][lesson - 1]
    return Picture(figure, f"The lessons of the course. {'; '.join(parts)}. Lesson {lesson}, {lit_name}, is lit.")


ROW = 0.19  # inches: the height of a row that has a word beside it


def heads_flow(
    x: Any, queries: Any, keys: Any, values: Any, weights: Any, output: Any, n_heads: int, tokens: Sequence[str]
) -> Picture:
    """Draw multi-head attention from x to its output: bands of queries, keys and values, a map for each head.

    The form is that of Vaswani et al., "Attention Is All You Need" (2017), figure 2, with the tensors themselves.

    Parameters
    ----------
    x : tensor, array or nested list, (n, d_model)
        At most 6 tokens and 16 columns.
    queries, keys, values : tensor, array or nested list, (n_heads, n, d_head) or (n, n_heads * d_head)
        By head, or side by side.
    weights : tensor, array or nested list, (n_heads, n, n)
        The attention weights of each head.
    output : tensor, array or nested list, (n, d_model)
        What comes out behind the last matrix, w_output.
    n_heads : int
        2 to 4.
    tokens : n words
        One for each row.

    Returns
    -------
    Picture
        The flow from top to bottom. A stronger shade is a larger number, whatever its sign.

    Raises
    ------
    TypeError
        What does not hold real numbers, tokens that are not a list of text.
    ValueError
        Shapes that do not fit, weights below 0 or above 1, or too many heads, tokens or columns.
    """
    x, output = as_array(x, "x", "matrix"), as_array(output, "output", "matrix")
    weights = as_weights(weights, "heads")
    tables = {
        name: _side_by_side(table, name, n_heads)
        for name, table in (("queries", queries), ("keys", keys), ("values", values))
    }
    tokens = as_tokens(tokens, len(x), "tokens", "rows of x")
    _check_heads(x, tables, weights, output, n_heads)
    n = len(x)
    d_head = tables["values"].shape[1] // n_heads
    joined = np.hstack([weights[h] @ tables["values"][:, h * d_head : (h + 1) * d_head] for h in range(n_heads)])

    gap = 0.07  # between the bands
    side = min(0.17, (2.2 - gap * n_heads) / max(table.shape[1] for table in (x, *tables.values())))
    tall = n * ROW
    names = [shortened(token, 0.52, SMALL) for token in tokens]
    label = max(text_width(name, SMALL) for name in names) + 0.1
    wide_box = min(2.4, (WIDEST - 0.1 - 0.15 * (n_heads - 1)) / n_heads)
    cell = min(0.24, (wide_box - label - 0.12) / n)
    map_high = n * max(cell, ROW)
    tops = np.cumsum([0.34, tall + 0.92, tall + 0.62, map_high + 1.12])  # x, the three, the boxes, what is joined
    with style():
        figure, axes = page(WIDEST, tops[3] + 0.42 + tall + 0.1)
        middle = WIDEST / 2
        _titled_grid(axes, middle - x.shape[1] * side / 2, tops[0], x, "x", INPUT, side, names=names)
        note = "In each map a row is a query,\na column a key. A stronger\nshade is a larger number."
        write(axes, WIDEST - 0.1, tops[0] + 0.1, note, size=SMALL, colour=QUIET, ha="right", va="top")
        starts = {}
        for k, (name, table) in enumerate(tables.items()):
            role = role_of(name)
            wide = table.shape[1] * side + gap * (n_heads - 1)
            left = WIDEST * (2 * k + 1) / 6 - wide / 2
            curve(axes, (middle, tops[0] + tall), (left + wide / 2, tops[1] - 0.25), role.line, down=True)
            starts[name] = _titled_grid(axes, left, tops[1], table, name, role, side, n_heads, gap)
        wide = joined.shape[1] * side + gap * (n_heads - 1)
        ends = _titled_grid(axes, 0.4, tops[3] + 0.38, joined, "heads side by side", OUTPUT, side, n_heads, gap)
        for h in range(n_heads):
            left = middle + (h - n_heads / 2) * wide_box + (h - (n_heads - 1) / 2) * 0.15
            for k, name in enumerate(tables):
                entry = (left + wide_box * (k + 1) / 4, tops[2])
                curve(axes, (starts[name][h], tops[1] + tall), entry, role_of(name).line, down=True)
            _head_box(axes, left, tops[2], wide_box, map_high + 0.62, weights[h], names, label, cell, h)
            exit_ = (left + wide_box / 2, tops[2] + map_high + 0.62)
            curve(axes, exit_, (ends[h], tops[3] + 0.38 - 0.25), OUTPUT.line, down=True)
        level = tops[3] + 0.38 + tall / 2
        right = WIDEST - 0.4 - output.shape[1] * side
        shape = shape_text((joined.shape[1], output.shape[1]))
        centre = (0.4 + wide + right) / 2
        box(axes, centre - 0.7, level - 0.27, 1.4, 0.54, edge=OUTPUT.line, thick=1.4)
        write(axes, centre, level - 0.11, "@ w_output", bold=True, colour=OUTPUT.text)
        write(axes, centre, level + 0.12, shape, size=SMALL)
        arrow(axes, (0.4 + wide + 0.08, level), (centre - 0.7, level), OUTPUT.line)
        arrow(axes, (centre + 0.7, level), (right - 0.05, level), OUTPUT.line)
        _titled_grid(axes, right, tops[3] + 0.38, output, "output", OUTPUT, side)
    return Picture(figure, _heads_alt(x, tables, weights, joined, output, tokens))


def _side_by_side(table: Any, name: str, n_heads: int) -> np.ndarray:
    """(n_heads, n, d_head) as (n, n_heads * d_head); what is a matrix already stays as it is."""
    if np.ndim(table) == 3:
        array = as_array(table, name, "heads")
        return array.transpose(1, 0, 2).reshape(array.shape[1], -1)
    return as_array(table, name, "matrix")


def _check_heads(
    x: np.ndarray, tables: Mapping[str, np.ndarray], weights: np.ndarray, output: np.ndarray, n_heads: int
) -> None:
    n = len(x)
    if isinstance(n_heads, bool) or not isinstance(n_heads, int) or not 2 <= n_heads <= 4:
        raise ValueError(f"n_heads must be 2, 3 or 4 to be drawn, but is {n_heads!r}.")
    if n > 6 or max(x.shape[1], *(table.shape[1] for table in tables.values())) > 16:
        raise ValueError(f"x must be at most 6 tokens by 16 columns to be drawn, but its shape is {x.shape}.")
    for name, table in tables.items():
        if len(table) != n or table.shape[1] % n_heads:
            raise ValueError(f"{name} must be {n} rows of {n_heads} equal bands, but the shape is {table.shape}.")
    if weights.shape != (n_heads, n, n):
        raise ValueError(f"weights must have the shape {(n_heads, n, n)}, but have {weights.shape}.")
    if output.shape != x.shape:
        raise ValueError(f"output must have the shape of x, {x.shape}, but has {output.shape}.")


def _titled_grid(
    axes: Axes,
    left: float,
    top: float,
    array: np.ndarray,
    name: str,
    role: Role,
    side: float,
    n_bands: int = 1,
    gap: float = 0.0,
    names: Sequence[str] = (),
) -> list[float]:
    """Draw a table as shaded cells in bands, its name and shape above; give the middle of each band."""
    band = array.shape[1] // n_bands
    largest = float(np.abs(array).max()) or 1.0
    for (row, column), value in np.ndenumerate(array):
        at = (left + column * side + column // band * gap, top + row * ROW)
        depth = 0.1 + 0.75 * abs(float(value)) / largest
        axes.add_artist(
            Rectangle(at, side, ROW, facecolor=(role.line, depth), edgecolor=PAPER, linewidth=0.6, zorder=3)
        )
    for k in range(n_bands):
        frame(axes, left + k * (band * side + gap), top, band * side, len(array) * ROW, role)
    wide = array.shape[1] * side + gap * (n_bands - 1)
    title = write(axes, left + wide / 2, top - 0.1, f"{name} {shape_text(array.shape)}", size=SMALL, va="baseline")
    title.set(color=role.text, fontweight="bold")
    for row, label in enumerate(names):
        write(axes, left - 0.08, top + (row + 0.5) * ROW + 0.045, label, size=SMALL, ha="right", va="baseline")
    return [left + k * (band * side + gap) + band * side / 2 for k in range(n_bands)]


def _head_box(
    axes: Axes,
    left: float,
    top: float,
    width: float,
    height: float,
    weights: np.ndarray,
    names: Sequence[str],
    label: float,
    cell: float,
    head: int,
) -> None:
    """One head: a box with its small attention map, rows are queries and columns are keys."""
    box(axes, left, top, width, height)
    write(
        axes,
        left + width / 2,
        top + 0.24,
        f"head {head}: weights {shape_text(weights.shape)}",
        size=SMALL,
        va="baseline",
    )
    n, high = len(weights), max(cell, ROW)  # a row holds a word
    x, y = left + (width - label - n * cell) / 2 + label, top + 0.42
    for (row, column), share in np.ndenumerate(weights):
        fill = str(1 - 0.85 * float(share))
        at = (x + column * cell, y + row * high)
        axes.add_artist(Rectangle(at, cell, high, facecolor=fill, edgecolor=FAINT, linewidth=0.6, zorder=4))
    for row, name in enumerate(names):
        write(axes, x - 0.06, y + (row + 0.5) * high + 0.045, name, size=SMALL, ha="right", va="baseline")
    frame(axes, x, y, n * cell, n * high, INPUT)


def _heads_alt(
    x: np.ndarray,
    tables: Mapping[str, np.ndarray],
    weights: np.ndarray,
    joined: np.ndarray,
    output: np.ndarray,
    tokens: list[str],
) -> str:
    n_heads = len(weights)
    shapes = listed([f"{name} {shape_text(table.shape)}" for name, table in tables.items()])
    heads = []
    for h, table in enumerate(weights):
        best = [
            f'"{token}" {attends(row, tokens, np.ones(len(row), bool))}'
            for token, row in zip(tokens, table, strict=True)
        ]
        heads.append(f"head {h}: {', '.join(best)}")
    return (
        f"Multi-head attention with {n_heads} heads. x {shape_text(x.shape)} becomes {shapes}, each cut into "
        f"{n_heads} bands, one a head. {'; '.join(heads)}. The heads' outputs stand side by side, "
        f"{shape_text(joined.shape)}, and w_output {shape_text((joined.shape[1], output.shape[1]))} turns them into "
        f"the output {shape_text(output.shape)}."
    )
