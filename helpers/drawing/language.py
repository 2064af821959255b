"""Pictures of a language model: the decoder alone, merges of byte pairs, choosing a next token, what a cache saves."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.patches import Rectangle

from helpers.drawing import colours
from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.paper import PLAIN, SMALL, TIMES, WIDEST, arrow, box, line, page, shortened, text_width, write
from helpers.drawing.picture import INK, LIT, PAPER, QUIET, Picture, style
from helpers.wording import counted

CHIP_HEIGHT = 0.3  # inches
MOST_TOKENS = 6  # in the triangle of a cache
WORD_END = "|"  # between words in a row of merges


def decoder_only(tokens: Sequence[str], n_layers: int) -> Picture:
    """Draw a language model from the tokens that it reads, at the bottom, to the tokens that it expects next, on top.

    Parameters
    ----------
    tokens : 3 to 6 words
        A text. The model reads all but the last, and the goal of each place is the token after it.
    n_layers : int
        Number of layers, of which one is drawn.

    Returns
    -------
    Picture
        The model. Its alt text names the parts in their order.

    Raises
    ------
    TypeError
        Tokens that are not a list of text.
    ValueError
        Too few or too many tokens.
    """
    tokens = as_tokens(tokens, len(list(tokens)), "tokens", "tokens")
    if not 3 <= len(tokens) <= 6:
        raise ValueError(f"tokens must be 3 to 6 words, but there are {len(tokens)}.")
    left, wide, middle = 1.75, 2.7, 3.1  # inches: the boxes, and their middle
    with style():
        figure, axes = page(7.4, 6.0)
        _row_of_chips(axes, tokens[1:], middle, 0.05, colours.OUTPUT)
        _aside(axes, 0.2, "the next token, at each place", left + wide)
        parts = [  # top of each box, its text, its fill, and the shape of what it gives
            (0.75, "times the table of embeddings", colours.PLAIN_PART, "scores (n, vocab_size)"),
            (1.5, "layer norm", colours.NORM, "(n, d_model)"),
            (2.45, "norm, then feed-forward", colours.SUBLAYER, "(n, d_model)"),
            (3.4, "norm, then masked self-attention", colours.SUBLAYER, "(n, d_model)"),
            (4.6, "embeddings + positions", colours.PLAIN_PART, "x (n, d_model)"),
        ]
        layer = Rectangle((left - 0.5, 2.15), wide + 0.72, 1.98, facecolor="#f7f7f7", edgecolor=QUIET, zorder=1)
        axes.add_patch(layer)
        for y, text, fill, shape in parts:
            box(axes, left, y, wide, 0.42, fill=fill)
            write(axes, middle, y + 0.21, text)
            _aside(axes, y + 0.21, shape, left + wide)
        write(axes, left - 0.62, 3.17, f"{n_layers} {TIMES}", size=11, bold=True, ha="right")
        for y in (2.45, 3.4):
            _way_round(axes, left, middle, y)
        stops = [(5.4, 5.02), (4.6, 3.82), (3.4, 2.87), (2.45, 1.92), (1.5, 1.17), (0.75, 0.37)]
        for start, end in stops:
            arrow(axes, (middle, start), (middle, end))
        _row_of_chips(axes, tokens[:-1], middle, 5.42, colours.INPUT)
        _aside(axes, 5.57, "ids (n)", left + wide)
        _same_table(axes, left, 0.96, 4.81)
    return Picture(figure, _decoder_alt(tokens, n_layers))


def _decoder_alt(tokens: list[str], n_layers: int) -> str:
    return (
        f'A language model. At the bottom the tokens "{" ".join(tokens[:-1])}". They become embeddings + positions, go '
        f"through {counted(n_layers, 'layer')} of masked self-attention and feed-forward, each with a norm before it "
        "and a residual connection around both, and a last layer norm; times the table of embeddings, the same as at "
        "the bottom, this gives "
        f'scores, (n, vocab_size), and on top the next token at each place: "{" ".join(tokens[1:])}". No encoder, and '
        "no cross-attention."
    )


def _row_of_chips(axes: Axes, words: Sequence[str], middle: float, y: float, role: colours.Role) -> None:
    """Words in boxes side by side, around `middle`."""
    widths = [max(text_width(word, PLAIN) + 0.2, 0.5) for word in words]
    x = middle - (sum(widths) + 0.1 * (len(words) - 1)) / 2
    for word, width in zip(words, widths, strict=True):
        box(axes, x, y, width, CHIP_HEIGHT, edge=role.line, fill=role.tint)
        write(axes, x + width / 2, y + CHIP_HEIGHT / 2, word, colour=role.text)
        x += width + 0.1


def _aside(axes: Axes, y: float, text: str, x: float) -> None:
    write(axes, x + 0.45, y, text, colour=QUIET, ha="left")


def _way_round(axes: Axes, left: float, middle: float, y: float) -> None:
    """A residual connection around the box whose top is `y`: out of the line below it, into the line above it."""
    out, back, side = y + 0.6, y - 0.13, left - 0.25
    line(axes, (middle, out), (side, out))
    line(axes, (side, out), (side, back))
    arrow(axes, (side, back), (middle - 0.03, back))


def _same_table(axes: Axes, left: float, top: float, bottom: float) -> None:
    """A dotted line between the two boxes that hold the one table."""
    x = 0.4
    for y in (top, bottom):
        line(axes, (left, y), (x, y), style=":")
    line(axes, (x, top), (x, bottom), style=":")
    write(axes, x, (top + bottom) / 2, "one\ntable", colour=QUIET, on_line=True)


def merge_table(rows: Mapping[str, str]) -> Picture:
    """Draw how words are put together from letters: a row for each merge, the tokens that are new in it tinted.

    Parameters
    ----------
    rows : dict of str to str
        What each row is about, and its tokens, with blanks between them and " | " between words.

    Returns
    -------
    Picture
        The rows, one below the other. Its alt text reads them.

    Raises
    ------
    ValueError
        No rows, or rows that do not hold as many words.
    """
    cut = {label: [word.split() for word in text.split(WORD_END)] for label, text in rows.items()}
    n_words = {len(words) for words in cut.values()}
    if len(n_words) != 1:
        raise ValueError(f"rows must hold as many words each, one or more, but hold {sorted(n_words)}.")
    first = max(text_width(label) for label in rows) + 0.3
    widths = [max(_width_of_word(words[k]) for words in cut.values()) for k in range(n_words.pop())]
    with style():
        figure, axes = page(first + sum(widths) + 0.35 * (len(widths) - 1) + 0.05, 0.45 * len(rows) + 0.02)
        known: set[str] = set()
        for i, (label, words) in enumerate(cut.items()):
            y, x = 0.45 * i + 0.04, first
            write(axes, 0, y + CHIP_HEIGHT / 2, label, ha="left")
            for parts, width in zip(words, widths, strict=True):
                _draw_word(axes, x, y, parts, known if i else {*parts})
                x += width + 0.35
            known |= {part for parts in words for part in parts}
    return Picture(figure, _merges_alt(cut))


def _width_of_token(token: str) -> float:
    return max(text_width(token) + 0.16, 0.28)


def _width_of_word(parts: Sequence[str]) -> float:
    return sum(map(_width_of_token, parts)) + 0.05 * (len(parts) - 1)


def _draw_word(axes: Axes, x: float, y: float, parts: Sequence[str], known: set[str]) -> None:
    for part in parts:
        new, width = part not in known, _width_of_token(part)
        box(axes, x, y, width, CHIP_HEIGHT, fill=LIT if new else PAPER, thick=1.6 if new else 1.0)
        write(axes, x + width / 2, y + CHIP_HEIGHT / 2, part, bold=new)
        x += width + 0.05


def _merges_alt(cut: Mapping[str, list[list[str]]]) -> str:
    rows = [f"{label}: {', '.join('-'.join(parts) for parts in words)}" for label, words in cut.items()]
    return f"Words as tokens, a hyphen between two. {'; '.join(rows)}."


def next_token_bars(panels: Mapping[str, Any], tokens: Sequence[str]) -> Picture:
    """Draw how likely each next token is, in several ways of choosing, side by side on one scale.

    Parameters
    ----------
    panels : dict of str to tensor, array or list, (n,)
        Probabilities by the name of the way: 1 to 4 of them. A token with exactly 0 is shown as left out.
    tokens : list of str
        n names.

    Returns
    -------
    Picture
        A panel for each way, a bar for each token. Its alt text reads every number.

    Raises
    ------
    TypeError
        Probabilities that are not real numbers, tokens that are not a list of text.
    ValueError
        No panel or more than 4, as many numbers as do not fit the tokens, or numbers outside of 0 to 1.
    """
    if not 1 <= len(panels) <= 4:
        raise ValueError(f"panels must be 1 to 4, to stand side by side, but there are {len(panels)}.")
    shares = {name: as_array(values, f"panels[{name!r}]", "vector") for name, values in panels.items()}
    for name, values in shares.items():
        tokens = as_tokens(tokens, len(values), "tokens", f"probabilities of {name!r}")
        if values.min() < 0 or values.max() > 1 + 1e-6:
            raise ValueError(
                f"panels[{name!r}] must lie from 0 to 1, but goes from {values.min():g} to {values.max():g}."
            )
    first = min(max(text_width(token) for token in tokens) + 0.2, 1.4)
    apart = min((WIDEST - first) / len(shares), 3.6)  # a single panel needs no more
    longest, largest = min(apart, 2.4) - 0.6, max(float(values.max()) for values in shares.values())
    with style():
        figure, axes = page(first + apart * len(shares), 0.32 + 0.25 * len(tokens) + 0.03)
        for i, token in enumerate(tokens):
            write(axes, first - 0.1, 0.45 + 0.25 * i, shortened(token, first - 0.15), ha="right")
        for k, (name, values) in enumerate(shares.items()):
            x = first + k * apart
            write(axes, x, 0.17, shortened(name, apart - 0.1, PLAIN, bold=True), bold=True, ha="left", va="baseline")
            line(axes, (x, 0.33), (x, 0.32 + 0.25 * len(tokens)))
            for i, value in enumerate(values):
                _draw_bar(axes, x, 0.45 + 0.25 * i, float(value), longest / largest)
    return Picture(figure, _bars_alt(shares, tokens))


def _draw_bar(axes: Axes, x: float, y: float, value: float, scale: float) -> None:
    bar = Rectangle((x, y - 0.08), value * scale, 0.16, facecolor=colours.QUERY.line, linewidth=0, zorder=3)
    axes.add_patch(bar)
    text = f"{value:.2f}" if value else "out"
    write(axes, x + value * scale + 0.06, y, text, size=SMALL, ha="left", colour=QUIET if value == 0 else INK)


def _bars_alt(shares: Mapping[str, np.ndarray], tokens: Sequence[str]) -> str:
    texts = []
    for name, values in shares.items():
        kept = [f"{token} {value:.2f}" for token, value in zip(tokens, values, strict=True) if value]
        n_out = len(tokens) - len(kept)
        texts.append(f"{name}: {', '.join(kept)}" + (f", and {n_out} left out" if n_out else ""))
    return f"How likely each next token is. {'; '.join(texts)}."


def cache_triangle(tokens: Sequence[str]) -> Picture:
    """Draw what is calculated for one more token: without a cache the whole triangle, with a cache its last row.

    Parameters
    ----------
    tokens : 3 to 6 words
        The text, whose last token is new.

    Returns
    -------
    Picture
        Two tables of scores, queries down and keys across, with the keys and values above and the queries beside them.
        What is calculated now is tinted. Its alt text counts.

    Raises
    ------
    TypeError
        Tokens that are not a list of text.
    ValueError
        Too few or too many tokens.
    """
    tokens = as_tokens(tokens, len(list(tokens)), "tokens", "tokens")
    if not 3 <= len(tokens) <= MOST_TOKENS:
        raise ValueError(f"tokens must be 3 to {MOST_TOKENS} words, but there are {len(tokens)}.")
    n, side = len(tokens), 0.36
    words = [shortened(token, 0.5, bold=True) for token in tokens]
    margin = max(text_width(word, bold=True) for word in words) + 0.52
    left, apart = margin + 0.05, n * side + margin + 0.5
    with style():
        figure, axes = page(left + apart + n * side + 0.58, 1.95 + n * side)
        for k, (title, cached) in enumerate({"without a cache": False, "with a cache": True}.items()):
            _draw_triangle(axes, left + k * apart, 0.0, title, words, side, cached)
        _legend(axes, left, 1.75 + n * side)
    return Picture(figure, _triangle_alt(tokens))


def _draw_triangle(axes: Axes, x: float, y: float, title: str, words: list[str], side: float, cached: bool) -> None:
    n = len(words)
    write(axes, x, y + 0.12, title, size=11, bold=True, ha="left")
    for name, top in (("keys", y + 0.38), ("values", y + 0.72)):
        for j in range(n):
            _draw_square(axes, x + j * side, top, side, 0.26, "now" if not cached or j == n - 1 else "kept")
        write(axes, x + n * side + 0.08, top + 0.13, name, ha="left", size=SMALL)
    write(axes, x - 0.25, y + 1.25, "query", size=SMALL, va="baseline")
    write(axes, x, y + 1.25, "scores", size=SMALL, ha="left", va="baseline")
    for i, word in enumerate(words):
        top = y + 1.35 + i * side
        asked = not cached or i == n - 1
        look = "now" if asked else "not needed"
        write(axes, x - 0.45, top + side / 2, word, ha="right", bold=asked, colour=INK if asked else QUIET)
        _draw_square(axes, x - 0.38, top + 0.05, 0.26, side - 0.1, look)
        for j in range(i + 1):
            _draw_square(axes, x + j * side, top, side, side, look)
    write(axes, x + n * side + 0.08, y + 1.35 + (n - 0.5) * side, "new", ha="left", size=SMALL)


LOOKS = {"now": (LIT, QUIET, "-"), "kept": ("#e4e4e4", QUIET, "-"), "not needed": (PAPER, "#b0b0b0", ":")}


def _draw_square(axes: Axes, x: float, y: float, width: float, height: float, look: str) -> None:
    fill, edge, how = LOOKS[look]
    square = Rectangle((x, y), width, height, facecolor=fill, edgecolor=edge, linestyle=how, linewidth=0.9, zorder=3)
    axes.add_patch(square)


def _legend(axes: Axes, x: float, y: float) -> None:
    for look, text in {"now": "calculated now", "kept": "kept from before", "not needed": "not needed again"}.items():
        _draw_square(axes, x, y - 0.1, 0.24, 0.2, look)
        write(axes, x + 0.32, y, text, size=SMALL, ha="left")
        x += text_width(text, SMALL) + 0.62


def _triangle_alt(tokens: list[str]) -> str:
    n = len(tokens)
    return (
        f'Two tables of scores for "{" ".join(tokens)}", whose last token is new; queries down, keys across, below the '
        f"diagonal. Without a cache all {n * (n + 1) // 2} scores that are not masked are calculated, and queries, "
        f"keys and values of all {n} tokens. With a cache only the last row, {n} scores, and one query, one key and "
        f"one value; the {n - 1} keys and values before them are kept, and the rows above are not needed again."
    )


def token_losses(tokens: Sequence[str], losses: Any) -> Picture:
    """Draw a text whose tokens are tinted by their loss: the darker, the more they surprised the model.

    Parameters
    ----------
    tokens : list of str
        n tokens; a space in one is shown as a sign.
    losses : tensor, array or list, (n,)
        The loss of each, 0 or more.

    Returns
    -------
    Picture
        The tokens in lines, the loss below each. Its alt text reads them.

    Raises
    ------
    TypeError
        Losses that are not real numbers, tokens that are not a list of text.
    ValueError
        As many losses as do not fit the tokens, or one below 0.
    """
    numbers = as_array(losses, "losses", "vector")
    words = [token.replace(" ", "␣") for token in as_tokens(tokens, len(numbers), "tokens", "losses")]
    if numbers.min() < 0:
        raise ValueError(f"losses must be 0 or more, but go down to {numbers.min():g}.")
    tints = LinearSegmentedColormap.from_list("loss", [PAPER, colours.OUTPUT.tint, colours.OUTPUT.line])
    lines, x = 1, 0.02
    places = []
    for word in words:
        width = max(text_width(word) + 0.16, 0.42)
        if x + width > WIDEST:
            lines, x = lines + 1, 0.02
        places.append((x, 0.04 + 0.62 * (lines - 1), width))
        x += width + 0.05
    with style():
        figure, axes = page(WIDEST, 0.62 * lines + 0.02)
        for word, number, (left, y, width) in zip(words, numbers, places, strict=True):
            share = 0.6 * float(number) / max(float(numbers.max()), 1e-9)  # no darker, so that the text stays readable
            box(axes, left, y, width, CHIP_HEIGHT, fill=to_hex(tints(share)))
            write(axes, left + width / 2, y + CHIP_HEIGHT / 2, word)
            write(axes, left + width / 2, y + CHIP_HEIGHT + 0.13, f"{number:.1f}", size=SMALL, colour=QUIET)
    read = ", ".join(f"{word} {number:.1f}" for word, number in zip(words, numbers, strict=True))
    return Picture(figure, f"A text, each token tinted by its loss: {read}.")
