"""One token in round after round of attention: what it takes from the others is added to its vector."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from helpers.drawing.colours import INPUT, OUTPUT, QUERY, WEIGHT
from helpers.drawing.inputs import as_tokens, as_weights
from helpers.drawing.paper import SMALL, WIDEST, arrow, box, fitted, line, page, ribbon, shortened, text_width, write
from helpers.drawing.picture import INK, PAPER, QUIET, Picture, style
from helpers.wording import listed

MOST_ROUNDS, MOST_TOKENS = 3, 13
WORTH_A_NUMBER = 0.05  # a smaller share is drawn without its number
MARGIN, GAP, WIDE_GAP = 0.85, 0.14, 1.5  # inches: left of the sentence, least and most between two words
FALL, ROUND, WHOLE = 1.1, 2.3, 0.42  # inches: how far bands fall, from sentence to sentence, thickness of weight 1
TAKES_HOME = "takes home"
BOX = 3.0  # inches: the widest box that has room on one side of any word


def rounds(
    tokens: Sequence[str], weights: Any, query: int, result: str | None = None, taken: Sequence[str] | None = None
) -> Picture:
    """Draw what one token takes in each round of attention, and that it is added to the token's old vector.

    Parameters
    ----------
    tokens : 2 to 13 words
        The sentence, written once more for each round.
    weights : tensor, array or nested list, (n_rounds, n)
        The shares that the token gives in each of one to three rounds; each row must sum to 1. Shares below 0.05 carry
        no number.
    query : int
        The place of the token that asks, counted from 0.
    result : str, optional
        What the token has become, written beside it at the end.
    taken : list of str, optional
        What the token takes home, a few words for each round.

    Returns
    -------
    Picture
        From top to bottom: the sentence, bands from its words to what the token takes home, a plus, and the next round.

    Raises
    ------
    TypeError
        Weights that are not real numbers, tokens or `taken` that are not a list of text.
    ValueError
        Weights that do not sum to 1, too many rounds or tokens, no token at `query`, or not one of `taken` for each
        round.
    """
    shares = as_weights(weights, "weights")
    n_rounds, n = shares.shape
    tokens = as_tokens(tokens, n, "tokens", "columns of weights")
    if not 2 <= n <= MOST_TOKENS or n_rounds > MOST_ROUNDS:
        raise ValueError(
            f"weights must be one to {MOST_ROUNDS} rounds of 2 to {MOST_TOKENS} tokens, but are {n_rounds} of {n}."
        )
    if not 0 <= query < n:
        raise ValueError(f"query must be a place from 0 to {n - 1}, but is {query}.")
    if not np.allclose(shares.sum(axis=1), 1, atol=1e-2):
        sums = listed([f"{total:.2f}" for total in shares.sum(axis=1)])
        raise ValueError(f"weights of a round must sum to 1, but sum to {sums}.")

    taken = as_tokens([""] * n_rounds if taken is None else taken, n_rounds, "taken", "rounds of weights")

    words, centres, size = _placed(tokens)
    with style():
        figure, axes = page(WIDEST, n_rounds * ROUND + 0.5)
        for k, row in enumerate(shares):
            _draw_sentence(axes, k * ROUND + 0.05, words, centres, size, query, row)
            _draw_round(axes, k * ROUND + 0.05, centres, query, row, taken[k])
            write(axes, 0.05, k * ROUND + 0.05 + 0.22, f"round {k + 1}", bold=True, ha="left", va="baseline")
        _draw_result(axes, n_rounds * ROUND + 0.05, words[query], centres[query], size, result)
    return Picture(figure, _alt(tokens, shares, query, result, taken))


def _placed(tokens: list[str]) -> tuple[list[str], np.ndarray, float]:
    """The words of one line, where their middles stand, and the size of their letters."""
    room = WIDEST - MARGIN - 0.1
    size = 11.0 if sum(text_width(token, 11, bold=True) + GAP for token in tokens) <= room else SMALL
    words = fitted(tokens, room, GAP, size, bold=True)
    widths = np.array([max(text_width(word, size, bold=True), 0.33) for word in words])
    gap = (room - widths.sum()) / (len(words) - 1)
    starts = MARGIN + np.concatenate([[0.0], np.cumsum(widths + min(gap, WIDE_GAP))[:-1]])
    return words, starts + widths / 2, size


def _draw_sentence(
    axes: Axes, y: float, words: list[str], centres: np.ndarray, size: float, query: int, shares: np.ndarray
) -> None:
    """Write the sentence, the token that asks in a box, and the larger shares below their words."""
    _draw_asking(axes, y, words[query], centres[query], size)
    for place, (word, x, share) in enumerate(zip(words, centres, shares, strict=True)):
        large = share >= WORTH_A_NUMBER
        if place != query:
            ink = INK if large else QUIET
            write(axes, x, y + 0.22, word, size=size, bold=bool(large), colour=ink, va="baseline")
        if large:
            write(axes, x, y + 0.5, f"{share:.2f}", size=SMALL, on_line=place == query)


def _draw_asking(axes: Axes, y: float, word: str, x: float, size: float) -> None:
    wide = text_width(word, size, bold=True) + 0.16
    box(axes, x - wide / 2, y, wide, 0.34, edge=QUERY.line, fill=QUERY.tint, thick=1.6)
    write(axes, x, y + 0.22, word, size=size, bold=True, colour=QUERY.text, va="baseline")


def _draw_round(axes: Axes, y: float, centres: np.ndarray, query: int, shares: np.ndarray, taken: str) -> None:
    """Draw the bands into what the token takes home, and the token's vector running down through a plus."""
    x, bottom = float(centres[query]), y + 0.66 + FALL
    text = shortened(f"{TAKES_HOME}: {taken}" if taken else TAKES_HOME, BOX - 0.2)
    wide = text_width(text) + 0.2
    towards = float(centres[np.argmax(shares)])
    side = -1 if towards < x else 1
    middle = x + side * (wide / 2 + 0.5)
    if not wide / 2 + 0.05 < middle < WIDEST - wide / 2 - 0.05:
        side, middle = -side, x - side * (wide / 2 + 0.5)
    line(axes, (x, y + 0.34), (x, bottom + 0.05), INPUT.line, 2.0)
    slots = middle - WHOLE / 2 + WHOLE * (np.cumsum(shares) - shares / 2)
    for start, slot, share in zip(centres, slots, shares, strict=True):
        if share > 0:
            ribbon(axes, (start, y + 0.64), (slot, bottom), max(share * WHOLE, 0.006), WEIGHT, down=True)
    box(axes, middle - wide / 2, bottom, wide, 0.3, edge=OUTPUT.line, fill=OUTPUT.tint, thick=1.6)
    write(axes, middle, bottom + 0.2, text, colour=OUTPUT.text, va="baseline")
    level = bottom + 0.15
    arrow(axes, (middle - side * wide / 2, level), (x + side * 0.13, level), OUTPUT.line, 1.6)
    axes.add_artist(Circle((x, level), 0.11, facecolor=PAPER, edgecolor=INPUT.line, linewidth=1.6, zorder=4))
    for across, along in ((0.06, 0.0), (0.0, 0.06)):
        axes.plot([x - across, x + across], [level - along, level + along], color=INK, linewidth=1.6, zorder=5)
    arrow(axes, (x, level + 0.11), (x, y + ROUND - 0.02), INPUT.line, 2.0)


def _draw_result(axes: Axes, y: float, word: str, x: float, size: float, result: str | None) -> None:
    """Draw the token at the end, with what it has become on the side that has room."""
    _draw_asking(axes, y, word, x, size)
    if result:
        beside = text_width(word, size, bold=True) / 2 + 0.2
        fits_right = x + beside + text_width(result) < WIDEST
        place = x + beside if fits_right else x - beside
        write(axes, place, y + 0.22, result, ha="left" if fits_right else "right", va="baseline")


def _alt(tokens: list[str], shares: np.ndarray, query: int, result: str | None, taken: list[str]) -> str:
    said = []
    for k, row in enumerate(shares, start=1):
        large = [place for place in np.argsort(-row, kind="stable") if row[place] >= WORTH_A_NUMBER]
        parts = [f'{row[place]:.2f} of "{tokens[place]}" (place {place})' for place in large]
        rest = len(tokens) - len(large)
        what = f": {taken[k - 1]}" if taken[k - 1] else ""
        small = f", and less than {WORTH_A_NUMBER} of each of {rest} others" if rest else ""
        said.append(f"In round {k} it takes home {listed(parts)}{small}{what}, which is added to its vector")
    end = f" Then it is {result}." if result else ""
    return f'The sentence "{" ".join(tokens)}" and "{tokens[query]}" at place {query}. {". ".join(said)}.{end}'
