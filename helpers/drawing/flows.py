"""What flows from word to word: a word as a mixture of others, a query that meets keys, a text that is continued."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from helpers.drawing import colours
from helpers.drawing.inputs import as_array, as_tokens, as_weights
from helpers.drawing.paper import (
    CELL_HEIGHT,
    ELLIPSIS,
    PLAIN,
    SMALL,
    WIDEST,
    arrow,
    box,
    cell_texts,
    cell_width,
    cells,
    curve,
    fitted,
    in_words,
    line,
    page,
    ribbon,
    shortened,
    text_width,
    write,
    writer,
)
from helpers.drawing.picture import INK, PAPER, QUIET, Picture, style
from helpers.wording import counted, listed

MOST_TOKENS = 13  # in one line
WORTH_A_NUMBER = 0.05  # a smaller share is drawn without its number


def mixture(tokens: Sequence[str], weights: Any, query: int, title: str | None = None) -> Picture:
    """Draw one token as a mixture of all tokens: a band runs from each into it, as thick as its weight.

    Parameters
    ----------
    tokens : 2 to 13 words
        The sentence, in order.
    weights : tensor, array or list, (n,)
        The share of each token; they must sum to 1. Shares below 0.05 carry no number.
    query : int
        The place of the token that asks, counted from 0.
    title : str, optional
        Text above the sentence.

    Returns
    -------
    Picture
        The sentence, the bands, and below them the new vector of the token that asks.

    Raises
    ------
    TypeError
        Weights that are not real numbers, tokens that are not a list of text.
    ValueError
        Weights below 0 or that do not sum to 1, as many tokens as do not fit, or no token at `query`.
    """
    shares = as_weights(weights, "vector")
    tokens = as_tokens(tokens, len(shares), "tokens", "weights")
    _not_too_many(tokens)
    _check_place(query, tokens)
    if not np.isclose(shares.sum(), 1, atol=1e-2):
        raise ValueError(f"weights must sum to 1 to make a mixture, but sum to {shares.sum():.2f}.")

    gap, air, fall, whole = 0.16, 0.12, 1.4, 0.7  # inches; `whole` is the thickness of weight 1
    top = 0.4 if title else 0.0
    # The number below a word needs as much room as four figures.
    room = WIDEST - 2 * air - 0.1
    fits = sum(text_width(token, 11, bold=True) + gap for token in tokens) <= room
    size = 11.0 if fits else SMALL
    words = fitted(tokens, room, gap, size, bold=True)
    widths = [max(text_width(word, size, bold=True), 0.33) for word in words]
    room = WIDEST - 2 * air - sum(widths)
    gap = min(max(gap, (3.8 - sum(widths)) / (len(words) - 1)), 0.6, room / (len(words) - 1))
    wide = max(sum(widths) + gap * (len(words) - 1) + 2 * air, 4.0, text_width(title or "", 11, bold=True) + 2 * air)
    left = (wide - sum(widths) - gap * (len(words) - 1)) / 2
    centres = left + np.cumsum([0, *[width + gap for width in widths[:-1]]]) + np.array(widths) / 2
    with style():
        figure, axes = page(wide, top + fall + 1.35)
        if title:
            write(axes, air, 0.14, title, size=11, bold=True, ha="left")
        box(
            axes,
            centres[query] - widths[query] / 2 - 0.07,
            top + 0.03,
            widths[query] + 0.14,
            0.34,
            edge=colours.QUERY.line,
            fill=colours.QUERY.tint,
            thick=1.6,
        )
        for word, share, x, place in zip(words, shares, centres, range(len(words)), strict=True):
            asks = place == query
            ink = colours.QUERY.text if asks else INK if share >= WORTH_A_NUMBER else QUIET
            write(axes, x, top + 0.25, word, size=size, bold=asks or share >= WORTH_A_NUMBER, colour=ink, va="baseline")
            if share >= WORTH_A_NUMBER:
                write(axes, x, top + 0.53, f"{share:.2f}", size=SMALL)
        start, end = top + 0.66, top + 0.66 + fall
        middle = float(np.clip(centres[query], 0.95, wide - 0.95))
        slots = middle - whole / 2 + whole * (np.cumsum(shares) - shares / 2) / shares.sum()
        for x, slot, share in zip(centres, slots, shares, strict=True):
            if share > 0:
                ribbon(axes, (x, start), (slot, end), max(share * whole, 0.006), colours.WEIGHT, down=True)
        aside = wide - air if middle < wide / 2 else air
        words_aside = "thickness = share;\nthe shares sum to 1"
        write(axes, aside, end, words_aside, size=SMALL, colour=QUIET, ha="right" if middle < wide / 2 else "left")
        _new_vector(axes, middle, end, 1.15, shortened(tokens[query], 1.4, 11, bold=True))
    return Picture(figure, _mixture_alt(tokens, shares, query, title))


def _new_vector(axes: Axes, middle: float, y: float, width: float, token: str) -> None:
    """The box below the bands, and what it is."""
    box(axes, middle - width / 2, y, width, 0.34, edge=colours.OUTPUT.line, fill=colours.OUTPUT.tint, thick=1.6)
    write(axes, middle, y + 0.17, "new vector", size=PLAIN, colour=colours.OUTPUT.text, bold=True)
    write(axes, middle, y + 0.5, f"of \u201c{token}\u201d", size=11, colour=colours.OUTPUT.text, bold=True)


def _mixture_alt(tokens: list[str], shares: np.ndarray, query: int, title: str | None) -> str:
    large = [place for place in np.argsort(-shares, kind="stable") if shares[place] >= WORTH_A_NUMBER]
    parts = [f"{shares[place]:.2f} of {_place(tokens, place)}" for place in large]
    rest = len(tokens) - len(large)
    small = f", and less than {WORTH_A_NUMBER} of each of the other {rest}" if rest > 1 else ""
    small = f", and less than {WORTH_A_NUMBER} of the other one" if rest == 1 else small
    return (
        f'{title + ". " if title else ""}The sentence "{" ".join(tokens)}". Bands run from its words into the new '
        f"vector of {_place(tokens, query)}, each as thick as its share: {listed(parts)}{small}."
    )


def lookup(
    query: Any,
    keys: Any,
    values: Any,
    weights: Any,
    output: Any,
    tokens: Sequence[str],
    asking: str,
    features: tuple[Sequence[str], Sequence[str]] | None = None,
    scaled: bool = False,
) -> Picture:
    """Draw one query meeting every key, and the values flowing back into the output.

    Parameters
    ----------
    query : tensor, array or list, (d_k,)
        What the token that asks looks for.
    keys : tensor, array or nested list, (n_key, d_k)
        At most 12. Beside each stands its score, query times key place by place, summed.
    values : tensor, array or nested list, (n_key, d_v)
        What each token hands over.
    weights : tensor, array or list, (n_key,)
        The share of each value: drawn as thickness, and written.
    output : tensor, array or list, (d_v,)
        The mixture of the values.
    tokens : n_key words
        The tokens that the keys belong to.
    asking : str
        The token that the query belongs to.
    features : (list of str, list of str), optional
        What the numbers of a key and those of a value stand for, a short word each; written above the columns.
    scaled : bool, optional
        Write each score divided by the root of d_k.

    Returns
    -------
    Picture
        From left to right: query, scores, keys, weights, values, output.

    Raises
    ------
    TypeError
        What does not hold real numbers, or tokens that are not text.
    ValueError
        Shapes that do not fit, more than 12 keys, weights below 0 or above 1.
    """
    query, output = as_array(query, "query", "vector"), as_array(output, "output", "vector")
    keys, values = as_array(keys, "keys", "matrix"), as_array(values, "values", "matrix")
    shares = as_weights(weights, "vector")
    tokens = as_tokens(tokens, len(keys), "tokens", "rows of keys")
    _check_lookup(query, keys, values, shares, output)
    named = (
        [
            as_tokens(list(features[k]), table.shape[1], f"features[{k}]", "columns")
            for k, table in enumerate((keys, values))
        ]
        if features
        else [[], []]
    )

    meet, hand, flow, step, head = 1.15, 0.66, 0.85, 0.62, 0.95  # inches
    tables = (query[None], keys, values, output[None])
    columns, widths, size = _columns_that_fit(tables, WIDEST - 0.1 - meet - hand - flow)
    for k, names in enumerate(named, start=1):
        widths[k] = max([widths[k], *(text_width(name, SMALL) + 0.08 for name in names)])
    spans = [width * len(column[0]) for column, width in zip(columns, widths, strict=True)]
    x = (0.05 + np.cumsum([0, spans[0] + meet, spans[1] + hand, spans[2] + flow])).tolist()
    rows = head + step * np.arange(len(keys))  # upper edge of each row of cells
    middle = float(rows.mean()) + CELL_HEIGHT / 2
    scores = keys @ query / (len(query) ** 0.5 if scaled else 1)
    write_score, name_of_score = writer(scores), "scaled score" if scaled else "score"
    slots = middle - 0.15 + 0.3 * (np.cumsum(shares) - shares / 2)
    with style():
        figure, axes = page(x[3] + spans[3] + 0.05, rows[-1] + CELL_HEIGHT + 0.1)
        _headings(axes, x, spans, name_of_score)
        for names, left, width in zip(named, x[1:3], widths[1:3], strict=True):
            for i, name in enumerate(names):
                write(axes, left + (i + 0.5) * width, 0.63, name, size=SMALL, va="baseline")
        for j, y in enumerate(rows):
            level = y + CELL_HEIGHT / 2
            curve(axes, (x[0] + spans[0], middle), (x[1] - 0.62, level), colours.QUERY.line)
            line(axes, (x[1] - 0.62, level), (x[1], level), colours.QUERY.line, 1.3)
            write(axes, x[1] - 0.3, level, write_score(scores[j]), size=size, on_line=True)
            token = shortened(tokens[j], spans[1] + hand, SMALL)
            write(axes, x[1], y - 0.09, token, size=SMALL, ha="left", va="baseline")
            cells(axes, x[1], y, columns[1][j], colours.KEY, widths[1], size=size)
            ribbon(axes, (x[1] + spans[1], level), (x[2], level), 0.3 * shares[j], colours.WEIGHT)
            write(axes, x[2] - hand / 2, level, f"{shares[j]:.2f}", size=size, on_line=True)
            cells(axes, x[2], y, columns[2][j], colours.VALUE, widths[2], size=size)
            if shares[j] > 0:
                ribbon(axes, (x[2] + spans[2], level), (x[3], slots[j]), 0.3 * shares[j], colours.VALUE.line)
        for k, role in ((0, colours.QUERY), (3, colours.OUTPUT)):
            y = middle - CELL_HEIGHT / 2
            cells(axes, x[k], y, columns[k][0], role, widths[k], size=size)
            name = shortened(asking, spans[k], PLAIN, bold=True)
            write(axes, x[k], y - 0.1, name, bold=True, ha="left", va="baseline", colour=role.text)
    said = [f"{name_of_score} {write_score(score)}" for score in scores]
    alt = _lookup_alt(query, keys, values, shares, output, tokens, asking, said)
    meaning = f" The numbers of a key: {listed(named[0])}; of a value: {listed(named[1])}." if features else ""
    return Picture(figure, alt + meaning)


def _check_lookup(
    query: np.ndarray, keys: np.ndarray, values: np.ndarray, shares: np.ndarray, output: np.ndarray
) -> None:
    if len(keys) > 12:
        raise ValueError(f"keys must be at most 12 to be drawn, but there are {len(keys)}.")
    if keys.shape[1] != len(query):
        raise ValueError(f"keys must be as long as the query, {len(query)} numbers, but have {keys.shape[1]}.")
    if len(values) != len(keys) or len(shares) != len(keys):
        raise ValueError(
            f"each key needs a value and a weight, but there are {counted(len(keys), 'key')}, "
            f"{counted(len(values), 'value')} and {counted(len(shares), 'weight')}."
        )
    if len(output) != values.shape[1]:
        raise ValueError(f"output must be as long as a value, {values.shape[1]} numbers, but has {len(output)}.")


def _columns_that_fit(tables: Sequence[np.ndarray], room: float) -> tuple[list[list[list[str]]], list[float], float]:
    """The texts of each table's cells, the width of its cells, and a size of letters, so that all fit side by side."""
    longest = max(table.shape[1] for table in tables)
    choices = [(most, *way) for most in range(longest, 2, -1) for way in ((2, PLAIN), (1, PLAIN), (1, SMALL))]
    for most, decimals, size in [*choices, (2, 1, SMALL)]:
        columns = [[cell_texts(row, most, writer(table, decimals)) for row in table] for table in tables]
        widths = [cell_width((text for row in column for text in row), size) for column in columns]
        if sum(width * len(column[0]) for column, width in zip(columns, widths, strict=True)) <= room:
            break
    return columns, widths, size


def _headings(axes: Axes, x: Sequence[float], spans: Sequence[float], name_of_score: str) -> None:
    names = {"query": "looks for", "keys": "found by", "values": "hand over", "output": "takes home"}
    for (name, meaning), left, span in zip(names.items(), x, spans, strict=True):
        write(axes, left + span / 2, 0.2, name, size=11, bold=True, colour=colours.role_of(name).text, va="baseline")
        write(axes, left + span / 2, 0.4, meaning, size=SMALL, colour=QUIET, va="baseline")
    for name, middle in ((name_of_score, x[1] - 0.3), ("weight", (x[1] + spans[1] + x[2]) / 2)):
        write(axes, middle, 0.2, name, size=SMALL, colour=QUIET, va="baseline")


def _lookup_alt(
    query: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
    shares: np.ndarray,
    output: np.ndarray,
    tokens: list[str],
    asking: str,
    scores: list[str],
) -> str:
    rows = [
        f"{_place(tokens, j)}: key {in_words(keys[j], writer(keys))}, {scores[j]}, "
        f"weight {shares[j]:.2f}, value {in_words(values[j], writer(values))}"
        for j in range(len(tokens))
    ]
    return (
        f'The query of "{asking}", {in_words(query)}, meets every key. {"; ".join(rows)}. The values, each as thick as '
        f"its weight, flow together into the output {in_words(output)}."
    )


def _place(tokens: Sequence[str], place: int) -> str:
    """The token in quotes, with its place where the same word stands more than once."""
    token = tokens[place]
    return f'"{token}" (place {place})' if list(tokens).count(token) > 1 else f'"{token}"'


def _not_too_many(tokens: Sequence[str], least: int = 2) -> None:
    if not least <= len(tokens) <= MOST_TOKENS:
        raise ValueError(f"tokens must be {least} to {MOST_TOKENS} words to fit one line, but there are {len(tokens)}.")


def _check_place(place: int, tokens: Sequence[str], name: str = "query") -> None:
    if isinstance(place, bool) or not isinstance(place, int | np.integer):
        raise TypeError(f"{name} must be the place of a token, a whole number, but is {place!r}.")
    if not 0 <= place < len(tokens):
        raise ValueError(f"{name} must be a place from 0 to {len(tokens) - 1}, but is {place}.")


_BOOKS = [
    ("streets", "a plan of the town", 0.60),
    ("animals", "how foxes live", 0.40),
    ("weather", "why it rains", 0.00),
    ("bread", "how to bake", 0.00),
]


def library() -> Picture:
    """Draw attention as a library: a request is compared with labels, and contents are taken home.

    Returns
    -------
    Picture
        A request (the query), books with labels (the keys), their contents (the values), and what is taken home of
        each in proportion to how well its label fits (the output).
    """
    x, wide = [0.1, 2.35, 4.25, 6.35], [1.4, 1.15, 1.45, 1.15]
    head, step, high = 0.85, 0.58, 0.4
    middle = head + (step * (len(_BOOKS) - 1) + high) / 2
    columns = [("query", "a request"), ("key", "a label"), ("value", "the contents"), ("output", "taken home")]
    with style():
        figure, axes = page(WIDEST, head + step * len(_BOOKS) + 0.1)
        for (name, meaning), left, width in zip(columns, x, wide, strict=True):
            role = colours.role_of(name)
            write(axes, left + width / 2, 0.22, meaning, size=11, bold=True, colour=role.text, va="baseline")
            write(axes, left + width / 2, 0.44, f"= {name}", size=PLAIN, colour=role.text, va="baseline")
        box(axes, x[0], middle - 0.42, wide[0], 0.84, edge=colours.QUERY.line, fill=colours.QUERY.tint, thick=1.6)
        write(axes, x[0] + wide[0] / 2, middle, "\u201cstreets that\nanimals cross\u201d", colour=colours.QUERY.text)
        slots = middle - 0.2 + 0.4 * np.cumsum([0, *(share for _, _, share in _BOOKS)])
        for j, (label, contents, share) in enumerate(_BOOKS):
            y = head + step * j
            level = y + high / 2
            curve(axes, (x[0] + wide[0], middle), (x[1], level), colours.QUERY.line, 1.3)
            _spine(axes, x[1], y, wide[1], high, label)
            ribbon(axes, (x[1] + wide[1], level), (x[2], level), 0.4 * share, colours.WEIGHT)
            write(axes, (x[1] + wide[1] + x[2]) / 2, level, f"{share:.2f}", on_line=True)
            _sheet_of_paper(axes, x[2], y, wide[2], high, contents)
            if share:
                slot = (slots[j] + slots[j + 1]) / 2
                ribbon(axes, (x[2] + wide[2], level), (x[3], slot), 0.4 * share, colours.VALUE.line)
        box(axes, x[3], middle - 0.42, wide[3], 0.84, edge=colours.OUTPUT.line, fill=colours.OUTPUT.tint, thick=1.6)
        write(axes, x[3] + wide[3] / 2, middle, "0.60 plan\n+ 0.40 foxes", colour=colours.OUTPUT.text)
    books = "; ".join(f"{label} {share:.2f}, {contents}" for label, contents, share in _BOOKS)
    return Picture(
        figure,
        'A library. A request, "streets that animals cross", is the query. It is compared with the label of each book, '
        f"the key, and as much of the contents, the value, is taken home as the label fits: {books}. What is taken "
        "home, mixed, is the output.",
    )


def _spine(axes: Axes, x: float, y: float, width: float, height: float, label: str) -> None:
    """The back of a book that lies on its side, with its label."""
    box(axes, x, y, width, height, edge=colours.KEY.line, fill=colours.KEY.tint, thick=1.6)
    for at in (x + 0.12, x + width - 0.12):
        axes.plot([at, at], [y + 0.02, y + height - 0.02], color=colours.KEY.line, linewidth=1.4, zorder=4)
    write(axes, x + width / 2, y + height / 2 + 0.05, label, bold=True, colour=colours.KEY.text, va="baseline")


def _sheet_of_paper(axes: Axes, x: float, y: float, width: float, height: float, text: str) -> None:
    """A page with one corner folded."""
    fold = 0.12
    corners = [(x, y), (x + width - fold, y), (x + width, y + fold), (x + width, y + height), (x, y + height)]
    axes.add_artist(
        Polygon(corners, facecolor=colours.VALUE.tint, edgecolor=colours.VALUE.line, linewidth=1.4, zorder=3)
    )
    write(axes, x + width / 2, y + height / 2 + 0.05, text, size=SMALL, va="baseline")


def shifted(tokens: Sequence[str]) -> Picture:
    """Draw a sentence and, below it, its copy shifted by one place: below each token stands the one to predict.

    Parameters
    ----------
    tokens : 2 to 13 words
        The sentence, with its start and end if it has them.

    Returns
    -------
    Picture
        Two rows of words, "input" and "target", with an arrow from each given word to the wanted one. The last word
        has none.

    Raises
    ------
    TypeError, ValueError
        Tokens that are not a list of text, or fewer than 2 or more than 13.
    """
    tokens = as_tokens(tokens, len(list(tokens)), "tokens", "tokens")
    _not_too_many(tokens)
    left, air, fall = 0.95, 0.2, 0.62
    words, widths = _in_columns(tokens, WIDEST - left - 0.05, air)
    centres = left + np.cumsum(widths) - np.array(widths) / 2
    with style():
        figure, axes = page(max(left + sum(widths) + 0.05, 3.6), fall + 0.95)
        top, bottom = 0.3, 0.3 + fall
        write(axes, 0.08, top + 0.05, "input", size=11, bold=True, ha="left", va="baseline")
        write(
            axes,
            0.08,
            bottom + 0.05,
            "target",
            size=11,
            bold=True,
            colour=colours.OUTPUT.text,
            ha="left",
            va="baseline",
        )
        for place, (word, x) in enumerate(zip(words, centres, strict=True)):
            _chip(axes, x, top, word, colours.INPUT, dashed=place == len(words) - 1)
            if place + 1 < len(words):
                _chip(axes, x, bottom, words[place + 1], colours.OUTPUT)
                arrow(axes, (x, top + 0.15), (x, bottom - 0.15), colours.OUTPUT.line)
                start = (centres[place + 1] - 0.1, top + 0.16)
                line(axes, start, (x + 0.12, bottom - 0.16), "#bdbdbd", 1.0, ":")
        write(axes, centres[-1], bottom + 0.05, "\u2013", colour=QUIET, va="baseline")
        write(
            axes,
            left,
            bottom + 0.42,
            "the same words, one place to the left",
            size=SMALL,
            colour=QUIET,
            ha="left",
            va="baseline",
        )
    pairs = [f'"{given}" then "{wanted}"' for given, wanted in pairwise(tokens)]
    return Picture(
        figure,
        f'The sentence "{" ".join(tokens)}" as input and, shifted by one place, as target. Each given word and the '
        f"wanted one: {', '.join(pairs)}. The last word has none.",
    )


def _in_columns(tokens: Sequence[str], room: float, air: float) -> tuple[list[str], list[float]]:
    """Words, and the widths of columns that hold a word and the next one; the longest are shortened until all fit."""
    for longest in np.arange(2.0, 0.2, -0.05):
        words = [shortened(token, longest) for token in tokens]
        long = [max(text_width(word), 0.2) for word in words]
        widths = [max(pair) + air for pair in zip(long, [*long[1:], 0], strict=True)]
        if sum(widths) <= room:
            break
    return words, widths


def _chip(axes: Axes, x: float, y: float, word: str, role: colours.Role, dashed: bool = False) -> None:
    """A word in a small box with its middle at (x, y)."""
    wide = text_width(word) + 0.14
    box(
        axes,
        x - wide / 2,
        y - 0.15,
        wide,
        0.3,
        edge="#bdbdbd" if dashed else role.line,
        fill=PAPER if dashed else role.tint,
    )
    write(axes, x, y + 0.05, word, colour=QUIET if dashed else INK, va="baseline")


def writing_loop(steps: Sequence[tuple[Sequence[str], str]]) -> Picture:
    """Draw generation as a loop: the words so far go into the decoder, the next word comes out and is appended.

    Parameters
    ----------
    steps : list of (words so far, next word)
        One to 8 steps, such as [(["<start>"], "i"), (["<start>", "i"], "have")].

    Returns
    -------
    Picture
        A row for each step; an arrow leads each next word to the end of the row below. Of a long text the last words
        are drawn.

    Raises
    ------
    TypeError
        Words that are not text.
    ValueError
        No step or more than 8, or a step without words.
    """
    steps = [(as_tokens(so_far, len(list(so_far)), "words so far", "words"), word) for so_far, word in steps]
    if not 1 <= len(steps) <= 8 or not all(so_far for so_far, _ in steps):
        raise ValueError("steps must be 1 to 8 pairs of the words so far, at least one, and the next word.")
    for _, word in steps:
        as_tokens([word], 1, "next word", "words")

    room, decoder, step, head = 3.9, 0.95, 0.66, 0.5
    rows = [_last_words(so_far, room) for so_far, _ in steps]
    nexts = [shortened(word, 1.3) for _, word in steps]
    longest = max(sum(text_width(word) + 0.2 for word in row) for row in rows)
    x_box = 0.05 + max(longest, text_width("words so far", SMALL)) + 0.3
    x_next = x_box + decoder + 0.4
    wide = x_next + max(max(text_width(word) for word in nexts) + 0.2, text_width("next word", SMALL)) + 0.1
    with style():
        figure, axes = page(wide, head + step * len(steps) - 0.12)
        write(axes, x_box - 0.35, 0.2, "words so far", size=SMALL, colour=QUIET, ha="right", va="baseline")
        write(axes, x_next, 0.2, "next word", size=SMALL, colour=QUIET, ha="left", va="baseline")
        for k, (row, word) in enumerate(zip(rows, nexts, strict=True)):
            y = head + step * k
            right = x_box - 0.35
            for place in range(len(row) - 1, -1, -1):
                half = (text_width(row[place]) + 0.14) / 2
                appended = k > 0 and place == len(row) - 1
                _chip(axes, right - half, y, row[place], colours.OUTPUT if appended else colours.INPUT)
                right -= 2 * half + 0.06
            arrow(axes, (x_box - 0.3, y), (x_box, y))
            box(axes, x_box, y - 0.19, decoder, 0.38, thick=1.4)
            write(axes, x_box + decoder / 2, y + 0.05, "decoder", bold=True, va="baseline")
            half = (text_width(word) + 0.14) / 2
            arrow(axes, (x_box + decoder, y), (x_next, y))
            _chip(axes, x_next + half, y, word, colours.OUTPUT)
            if k + 1 < len(rows):
                last = x_box - 0.35 - (text_width(rows[k + 1][-1]) + 0.14) / 2
                turn = y + step / 2
                line(axes, (x_next + half, y + 0.15), (x_next + half, turn), colours.OUTPUT.line, 1.3)
                line(axes, (x_next + half, turn), (last, turn), colours.OUTPUT.line, 1.3)
                arrow(axes, (last, turn), (last, y + step - 0.15), colours.OUTPUT.line)
    parts = [f'after "{" ".join(so_far)}" comes "{word}"' for so_far, word in steps]
    return Picture(
        figure,
        f"Writing as a loop of {counted(len(steps), 'step')}: the decoder reads the words so far and gives the next "
        f"one, which is appended: {'; '.join(parts)}.",
    )


def _last_words(words: Sequence[str], room: float) -> list[str]:
    """As many of the last words as fit, with an ellipsis in front where some do not."""
    kept = [shortened(word, 1.3) for word in words]
    while len(kept) > 1 and sum(text_width(word) + 0.2 for word in kept) > room:
        kept = [ELLIPSIS, *kept[2:]] if kept[0] == ELLIPSIS else [ELLIPSIS, *kept[1:]]
    return kept
