"""What ways of attention make of the same few numbers, drawn number by number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from helpers.drawing import colours
from helpers.drawing.paper import SMALL, WIDEST, page, squares, text_width, write
from helpers.drawing.picture import FAINT, Picture, style
from helpers.wording import counted, listed

UNIT, BETWEEN, ABOVE, BELOW = 0.055, 0.34, 0.36, 0.34  # inches: a number, between drawings, above and below them
MOST_TOKENS, MOST_COLUMNS = 40, 40
TABLE, SUM = colours.NEUTRAL[:2]

Block = tuple[float, float, list[list[str]]]  # a column, a row, and the fills of the squares from there


@dataclass(frozen=True)
class PerToken:
    """Vectors that are kept for some tokens.

    Attributes
    ----------
    parts : list of (str, int)
        What is kept of each, side by side: "key", "value" or another name, and how many numbers.
    tokens : sequence of int or float
        For which tokens, from 0; between two where several have one in common.
    """

    parts: Sequence[tuple[str, int]]
    tokens: Sequence[float]

    def blocks(self) -> list[Block]:
        """A row of squares for each token."""
        row = [colours.role_of(name).line for name, size in self.parts for _ in range(size)]
        return [(0, token, [row]) for token in self.tokens]

    def __str__(self) -> str:
        parts = listed([f"a {name} of {size}" for name, size in self.parts])
        if not self.tokens:
            return f"{parts}, for no token"
        first, *others = self.tokens
        step = f"every {others[0] - first:g} tokens " if others and others[0] - first != 1 else ""
        return f"{parts}, {step}from {first:g} to {self.tokens[-1]:g}"


@dataclass(frozen=True)
class Table:
    """A table that holds all tokens at once, with a sum of their keys.

    Attributes
    ----------
    side : int
        Its rows, and its columns.
    """

    side: int

    def blocks(self) -> list[Block]:
        """The table with the sum below it."""
        return [(0, 0, [[TABLE] * self.side] * self.side + [[SUM] * self.side])]

    def __str__(self) -> str:
        return f"a table of {self.side} by {self.side}, with a sum of {self.side}"


def spent_numbers(rows: Sequence[Mapping[str, PerToken | Table]], *, n_tokens: int) -> Picture:
    """Draw how ways of attention spend their numbers, one small square for each number.

    Parameters
    ----------
    rows : list of dict of str to PerToken or Table
        What each way keeps of a text; the ways of a dict stand side by side.
    n_tokens : int
        Tokens of the text, at most 40, one below the other.

    Returns
    -------
    Picture
        A drawing for each way with its count below. A text's height is outlined where vectors are kept for its tokens.

    Raises
    ------
    ValueError
        No way, more tokens than can be drawn, tokens outside the text, a way or a row too large.
    """
    if not rows or not all(rows) or not 1 <= n_tokens <= MOST_TOKENS:
        raise ValueError(
            f"spent_numbers draws at least one way in each row and 1 to {MOST_TOKENS} tokens, but there are "
            f"{counted(len(rows), 'row')} and {counted(n_tokens, 'token')}."
        )
    ways = [one for row in rows for one in row.items()]
    for name, way in ways:
        _check(name, way, n_tokens)
    widths = [sum(_room(*one) for one in row.items()) + BETWEEN * (len(row) - 1) for row in rows]
    if max(widths) > WIDEST:
        raise ValueError(f"A row of spent_numbers must be at most {WIDEST} inches wide, but is {max(widths):.1f}.")
    high = ABOVE + n_tokens * UNIT + BELOW
    with style():
        figure, axes = page(max(widths), high * len(rows))
        for k, (row, width) in enumerate(zip(rows, widths, strict=True)):
            left = (max(widths) - width) / 2
            for name, way in row.items():
                _draw(axes, left + _room(name, way) / 2, high * k, name, way, n_tokens)
                left += _room(name, way) + BETWEEN
    said = [f"{name}: {way}, {_amount(way)}" for name, way in ways]
    return Picture(figure, f"How numbers are spent, one square for each. {'; '.join(said)}.")


def _amount(way: PerToken | Table) -> str:
    return counted(sum(len(row) for *_, fills in way.blocks() for row in fills), "number")


def _size(way: PerToken | Table) -> tuple[float, float]:
    """Numbers side by side, and one below the other."""
    blocks = way.blocks()
    return max((x + len(fills[0]) for x, _, fills in blocks), default=0), max(
        (y + len(fills) for _, y, fills in blocks), default=0
    )


def _check(name: str, way: PerToken | Table, n_tokens: int) -> None:
    wide, high = _size(way)
    if not 1 <= wide <= MOST_COLUMNS or not high <= n_tokens or min(y for _, y, _ in way.blocks()) < 0:
        raise ValueError(
            f"{name!r} must keep something, within {counted(n_tokens, 'token')} and {MOST_COLUMNS} numbers side by "
            f"side, but is {way}."
        )


def _room(name: str, way: PerToken | Table) -> float:
    """The width in inches of a drawing with its name and its amount."""
    return max(_size(way)[0] * UNIT, text_width(name, bold=True), text_width(_amount(way), SMALL)) + 0.04


def _draw(axes: Axes, middle: float, top: float, name: str, way: PerToken | Table, n_tokens: int) -> None:
    """One drawing around its middle."""
    (wide, high), floor = _size(way), top + ABOVE + n_tokens * UNIT
    left = middle - wide * UNIT / 2
    write(axes, middle, top + ABOVE / 2, name, bold=True)
    write(axes, middle, floor + 0.15, _amount(way), size=SMALL)
    if isinstance(way, PerToken):  # its rows stand where the tokens do
        first = top + ABOVE
        axes.add_artist(
            Rectangle((left, first), wide * UNIT, floor - first, fill=False, edgecolor=FAINT, linewidth=0.8)
        )
    else:
        first = (top + ABOVE + floor - high * UNIT) / 2
    for x, y, fills in way.blocks():
        squares(axes, left + x * UNIT, first + y * UNIT, fills, UNIT)
