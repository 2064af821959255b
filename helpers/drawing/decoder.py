"""Pictures of lesson 9: attention between texts, feed-forward, and a whole decoder with a single layer."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from helpers.drawing import colours
from helpers.drawing.inputs import as_array, as_tokens, as_weights
from helpers.drawing.paper import (
    CELL_HEIGHT,
    SMALL,
    WIDEST,
    arrow,
    box,
    cell_width,
    cells,
    fitted,
    in_words,
    line,
    page,
    shortened,
    text_width,
    write,
    writer,
)
from helpers.drawing.picture import PAPER, QUIET, Picture, style
from helpers.wording import listed

MOST_WORDS = 6
CHIP, BAR = 0.3, 0.36  # inches: the height of a word in its box, and of a part of the model
FRAME = 0.07  # inches: between words and the frame around all of them
ROW, MOST_TABLE = 0.3, 2.9  # inches: of the table of weights, the height of a row and the most that it may be wide
LANE, STEP, HEAD = 0.46, 0.72, 0.6  # inches: from one word of feed-forward to the next, an arrow, the room above


def cross_attention_flow(asking: Sequence[str], asked: Sequence[str], weights: Any) -> Picture:
    """Draw attention between two texts: queries from the one, keys and values from the other, a new row for each query.

    Parameters
    ----------
    asking, asked : 2 to 6 words each
        The text that is being written, and the one that it looks into.
    weights : tensor, array or list, (n_asking, n_asked)
        Weights after softmax, each from 0 to 1.

    Returns
    -------
    Picture
        The flow from the top to the bottom, the table of weights in its middle.

    Raises
    ------
    TypeError
        Weights that are not real numbers, words that are not a list of text.
    ValueError
        Weights below 0 or above 1, as many words as do not fit.
    """
    array = as_weights(weights, "matrix")
    asking = _words(asking, len(array), "asking", "rows of weights")
    asked = _words(asked, array.shape[1], "asked", "columns of weights")
    left, right, values = 1.3, 4.0, 6.1  # inches: the middles of queries, keys and values
    rows = [shortened(word, 0.8, SMALL) for word in asking]
    columns = [shortened(word, MOST_TABLE / len(asked) - 0.1, SMALL) for word in asked]
    column = max(text_width(word, SMALL) for word in [*columns, "mm"]) + 0.1
    wide, high = column * len(columns), ROW * len(rows)
    names = max(text_width(word, SMALL) for word in rows) + 0.2
    words, made, top = 0.36, 1.06, 2.06  # inches down: the words, what is made of them, the table of weights
    first = right - wide / 2  # the left edge of the table
    asks, out = top + high / 2, top + high + 0.55
    with style():
        figure, axes = page(7.4, out + CHIP + 0.42)
        write(axes, left, 0.12, "the text being written asks", bold=True)
        write(axes, (right + values) / 2, 0.12, "the memory is asked", bold=True)
        _chips(axes, asking, left, words, colours.INPUT, 2.5, framed=True)
        _chips(axes, asked, (right + values) / 2, words, colours.INPUT, framed=True)
        for name, x, start, role in (
            ("queries", left, left, colours.QUERY),
            ("keys", right, right + 0.55, colours.KEY),
            ("values", values, values - 0.55, colours.VALUE),
        ):
            arrow(axes, (start, words + CHIP + FRAME), (x, made))
            box(axes, x - 0.6, made, 1.2, BAR, edge=role.line, fill=role.tint, thick=1.6)
            write(axes, x, made + BAR / 2, name, bold=True, colour=role.text)
        _table(axes, first, top, column, array, rows, columns)
        write(axes, first - 0.08, top - 0.08, "weights", bold=True, ha="right", va="baseline")
        line(axes, (left, made + BAR), (left, asks), colours.QUERY.line, 1.3)
        arrow(axes, (left, asks), (first - names, asks), colours.QUERY.line)
        arrow(axes, (right, made + BAR), (right, top - 0.26), colours.KEY.line)
        arrow(axes, (right, top + high), (right, out - FRAME))
        line(axes, (values, made + BAR), (values, out + CHIP / 2), colours.VALUE.line, 1.3)
        end = right + _chips(axes, asking, right, out, colours.OUTPUT, framed=True) / 2
        arrow(axes, (values, out + CHIP / 2), (end + FRAME + 0.02, out + CHIP / 2), colours.VALUE.line)
        write(axes, right, out + CHIP + FRAME + 0.17, "a new vector for each word that asks")
    return Picture(figure, _flow_alt(asking, asked))


def _flow_alt(asking: Sequence[str], asked: Sequence[str]) -> str:
    return (
        f'Attention between two texts, from the top to the bottom. Queries are made from "{" ".join(asking)}", keys '
        f'and values from the memory, "{" ".join(asked)}". Queries and keys give a table of weights, '
        f"{len(asking)} by {len(asked)}; weights and values give a new vector for each of the {len(asking)} words "
        "that ask."
    )


def feed_forward_lanes(
    x: Any, hidden: Any, output: Any, words: Sequence[str], columns: tuple[Sequence[str], Sequence[str], Sequence[str]]
) -> Picture:
    """Draw what feed-forward does to each word by itself: a matrix, ReLU, a matrix, and no line from word to word.

    Parameters
    ----------
    x : tensor, array or nested list, (n, d_model)
        A row for each word.
    hidden : tensor, array or nested list, (n, d_hidden)
        What the first matrix makes of it, before ReLU, which the picture applies.
    output : tensor, array or nested list, (n, d_model)
        What the second matrix makes of that.
    words : list of str
        One for each row.
    columns : three lists of str
        What the numbers of `x`, of `hidden` and of `output` mean.

    Returns
    -------
    Picture
        A lane for each word. What ReLU has changed is lit.

    Raises
    ------
    TypeError
        What does not hold real numbers, names that are not a list of text.
    ValueError
        Tables that differ in their rows, names that do not fit, or more than a page can hold.
    """
    tables = [as_array(table, name, "matrix") for table, name in ((x, "x"), (hidden, "hidden"), (output, "output"))]
    if len({len(table) for table in tables}) > 1:
        raise ValueError(f"x, hidden and output must have as many rows, but have {[len(table) for table in tables]}.")
    words = as_tokens(words, len(tables[0]), "words", "rows")
    names = [as_tokens(some, table.shape[1], "columns", "numbers") for some, table in zip(columns, tables, strict=True)]
    tables.insert(2, np.maximum(tables[1], 0))
    names.insert(2, names[1])
    return Picture(_lanes(tables, words, names), _lanes_alt(tables, words, names))


def _lanes(tables: Sequence[np.ndarray], words: Sequence[str], names: Sequence[Sequence[str]]) -> Figure:
    written = writer(np.concatenate([table.ravel() for table in tables]))
    texts = [[[written(float(value)) for value in row] for row in table] for table in tables]
    widths = [
        max(
            cell_width(text for row in rows for text in row),
            *(text_width(part, SMALL) + 0.1 for name in some for part in name.split("\n")),
        )
        for rows, some in zip(texts, names, strict=True)
    ]
    left = 0.2 + max(text_width(word) for word in words)
    starts = [left]
    for width, some in zip(widths, names, strict=True):
        starts.append(starts[-1] + width * len(some) + STEP)
    wide = starts.pop() - STEP + 0.1
    if wide > WIDEST:
        raise ValueError(f"The lanes are {wide:.1f} inches wide, and a page has {WIDEST}: draw fewer numbers.")
    with style():
        figure, axes = page(wide, HEAD + len(words) * LANE)
        for start, name in zip(starts[1:], ("first\nmatrix", "ReLU", "second\nmatrix"), strict=True):
            write(axes, start - STEP / 2, HEAD - 0.3, name, size=SMALL, bold=True)
        for start, width, some in zip(starts, widths, names, strict=True):
            for j, name in enumerate(some):
                write(axes, start + (j + 0.5) * width, HEAD - 0.08, name, size=SMALL, va="bottom")
        for i, word in enumerate(words):
            level = HEAD + i * LANE
            middle = level + CELL_HEIGHT / 2
            write(axes, left - 0.1, middle, word, ha="right")
            for start, width, rows, some in zip(starts, widths, texts, names, strict=True):
                cells(axes, start, level, rows[i], colours.INPUT, width)
                if start != starts[-1]:
                    end = start + width * len(some)
                    arrow(axes, (end + 0.08, middle), (end + STEP - 0.08, middle))
            for k in (1, 2):
                for j in np.flatnonzero(tables[1][i] < 0).tolist():
                    axes.add_artist(_lit(starts[k] + j * widths[k], level, widths[k]))
    return figure


def _lit(x: float, y: float, width: float) -> Rectangle:
    return Rectangle(
        (x, y), width, CELL_HEIGHT, facecolor=colours.NEUTRAL_TINTS[1], edgecolor=PAPER, linewidth=1, zorder=3.5
    )


def _lanes_alt(tables: Sequence[np.ndarray], words: Sequence[str], names: Sequence[Sequence[str]]) -> str:
    ways = [f"{word}: {', then '.join(in_words(table[i]) for table in tables)}" for i, word in enumerate(words)]
    meant = [listed([name.replace("\n", " ") for name in some]) for some in (names[0], names[1], names[3])]
    return (
        f"Feed-forward, from left to right, a lane for each of {len(words)} words and no line from one to another. "
        f"{tables[0].shape[1]} numbers ({meant[0]}), by the first matrix {tables[1].shape[1]} ({meant[1]}), by ReLU "
        f"none below 0, and by the second matrix {tables[3].shape[1]} again ({meant[2]}). {'; '.join(ways)}."
    )


def small_decoder(request: Sequence[str], given: Sequence[str], wanted: Sequence[str]) -> Picture:
    """Draw a decoder with one layer, from the request and the words so far to the next word at each place.

    Parameters
    ----------
    request, given, wanted : 2 to 6 words each
        What it reads as its memory, the words so far, and the next word at each place.

    Returns
    -------
    Picture
        The decoder, from the bottom to the top.

    Raises
    ------
    TypeError
        Words that are not a list of text.
    ValueError
        Too few or too many words, or not as many wanted as given.
    """
    request = _words(request, len(list(request)), "request", "words")
    given = _words(given, len(list(given)), "given", "words")
    wanted = _words(wanted, len(given), "wanted", "words given")
    left, middle, wide = 1.45, 5.2, 2.6  # inches: the middles of both ways, and the width of the layer's parts
    parts = ["feed-forward", "cross-attention", "masked self-attention"]
    with style():
        figure, axes = page(7.3, 6.0)
        _chips(axes, wanted, middle, 0.05, colours.OUTPUT)
        write(axes, middle - 1.9, 0.2, "the next word, at each place", ha="right")
        _part(axes, middle, 0.7, wide, "matrix to_words, then softmax", colours.PLAIN_PART)
        axes.add_artist(
            Rectangle((middle - 1.65, 1.4), 3.3, 2.95, facecolor="#f7f7f7", edgecolor=QUIET, linewidth=1, zorder=1)
        )
        write(axes, middle - 1.55, 1.55, "decoder layer", size=SMALL, ha="left", colour=QUIET)
        tops = [1.72 + 0.88 * k for k in range(3)]
        for top, name in zip(tops, parts, strict=True):
            _part(axes, middle, top, wide, "add & norm", colours.NORM, 0.26)
            _part(axes, middle, top + 0.36, wide, name, colours.SUBLAYER)
        _part(axes, middle, 4.75, wide, "table of embeddings", colours.PLAIN_PART)
        _part(axes, left, 4.75, 2.1, "the same table", colours.PLAIN_PART)
        _part(axes, left, tops[1] + 0.36, 1.5, "memory", colours.OUTPUT.tint)
        ends = [tops[2] + 0.36 + BAR, tops[1] + 0.36 + BAR, tops[0] + 0.36 + BAR, 0.7 + BAR, 0.05 + CHIP]
        for start, end in zip([4.75, *reversed(tops), 0.7], ends, strict=True):
            arrow(axes, (middle, start), (middle, end))
        for x in (left, middle):
            arrow(axes, (x, 5.45), (x, 4.75 + BAR))
        arrow(axes, (left, 4.75), (left, tops[1] + 0.36 + BAR))
        level = tops[1] + 0.36 + BAR / 2
        arrow(axes, (left + 0.75, level), (middle - wide / 2, level), colours.OUTPUT.line)
        _chips(axes, given, middle, 5.45, colours.INPUT)
        _chips(axes, request, left, 5.45, colours.INPUT, 2.7)
        write(axes, middle, 5.9, "the words so far", size=SMALL, colour=QUIET)
        write(axes, left, 5.9, "the request", size=SMALL, colour=QUIET)
    return Picture(figure, _decoder_alt(request, given, wanted))


def _decoder_alt(request: Sequence[str], given: Sequence[str], wanted: Sequence[str]) -> str:
    return (
        f'A decoder with one layer, from the bottom to the top. The request "{" ".join(request)}" goes through a table '
        f'of embeddings and is the memory. The words so far, "{" ".join(given)}", go through the same table, masked '
        "self-attention, cross-attention, which also reads the memory, and feed-forward, each with add & norm after "
        f'it; a last matrix and softmax give the next word at each place: "{" ".join(wanted)}".'
    )


def _words(words: Sequence[str], count: int, name: str, counted: str) -> list[str]:
    words = as_tokens(words, count, name, counted)
    if not 2 <= len(words) <= MOST_WORDS:
        raise ValueError(f"{name} must be 2 to {MOST_WORDS} words, but there are {len(words)}.")
    return words


def _chips(
    axes: Axes,
    words: Sequence[str],
    middle: float,
    y: float,
    role: colours.Role,
    room: float = 3.6,
    *,
    framed: bool = False,
) -> float:
    """Words in boxes side by side, around `middle`, with a frame where arrows mean all; how wide the words are."""
    words = fitted(words, room - 0.22 * len(words), 0.0, SMALL)
    widths = [max(text_width(word, SMALL) + 0.16, 0.36) for word in words]
    whole = sum(widths) + 0.06 * (len(words) - 1)
    x = middle - whole / 2
    if framed:
        box(axes, x - FRAME, y - FRAME, whole + 2 * FRAME, CHIP + 2 * FRAME)
    for word, width in zip(words, widths, strict=True):
        box(axes, x, y, width, CHIP, edge=role.line, fill=role.tint)
        write(axes, x + width / 2, y + CHIP / 2 + 0.04, word, size=SMALL, va="baseline")
        x += width + 0.06
    return whole


def _part(axes: Axes, middle: float, top: float, width: float, text: str, fill: str, height: float = BAR) -> None:
    box(axes, middle - width / 2, top, width, height, fill=fill)
    write(axes, middle, top + height / 2, text)


def _table(
    axes: Axes, left: float, top: float, wide: float, weights: Any, rows: Sequence[str], columns: Sequence[str]
) -> None:
    """Cells shaded by weight, with the words that ask beside them and those that are asked above."""
    for j, word in enumerate(columns):
        write(axes, left + (j + 0.5) * wide, top - 0.08, word, size=SMALL, va="baseline")
    for i, row in enumerate(weights):
        y = top + i * ROW
        write(axes, left - 0.08, y + ROW / 2, rows[i], size=SMALL, ha="right")
        for j, weight in enumerate(row):
            fill = colours.COLOURS_OF_WEIGHTS(float(weight))
            axes.add_artist(
                Rectangle((left + j * wide, y), wide, ROW, facecolor=fill, edgecolor=PAPER, linewidth=1, zorder=3)
            )
