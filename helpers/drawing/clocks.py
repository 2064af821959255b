"""Clocks of lesson 10: a place as the hand of a clock, where its tip lies, and how far two hands are apart."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from helpers.drawing import colours
from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.paper import SMALL, arrow, box, line, page, text_width, write
from helpers.drawing.picture import FAINT, INK, PAPER, QUIET, Picture, style

MOST_TIPS, MOST_PAIRS = 6, 4
RADIUS = 0.52  # inches
PANEL = 1.55
BESIDE = 0.045  # inches between a hand and a line along it
LEAST_TURN, MOST_TURN = 0.4, 0.9  # radians: the names of four arrows need room
MOST_WORDS, COLUMN, LAYER = 4, 2.5, 0.7  # in the picture of three ways: inches wide, and how high a layer is
ROUND = "\N{CLOCKWISE OPEN CIRCLE ARROW}"
# Hands and their parts are no queries or keys, so they have none of the lasting colours.
HAND = colours.Role(INK, "#eeeeee", INK)
RIGHT = colours.Role(colours.NEUTRAL[0], "#d3ecef", "#1d6b76")  # teal: how far to the right, the sine
UP = colours.Role(colours.NEUTRAL[4], "#eadfd7", colours.NEUTRAL[4])  # brown: how far up, the cosine


def clock_tips(places: Sequence[float], turn: float) -> Picture:
    """Draw a clock for each place, with the way from its middle to the tip of the hand: to the right, then up.

    Parameters
    ----------
    places : list of float
        At most 6 places.
    turn : float
        Radians that one place turns the hand, clockwise from the top.

    Returns
    -------
    Picture
        A row of clocks, below each the sine and the cosine of its angle.

    Raises
    ------
    TypeError
        Places that are not real numbers.
    ValueError
        No place, or more than 6.
    """
    angles = as_array(places, "places", "vector") * turn
    if len(angles) > MOST_TIPS:
        raise ValueError(f"places must be at most {MOST_TIPS}, but there are {len(angles)}.")
    texts = []
    with style():
        figure, axes = page(PANEL * len(angles), 2.2)
        for k, (place, angle) in enumerate(zip(places, angles, strict=True)):
            sine, cosine = _two_digits(np.sin(angle)), _two_digits(np.cos(angle))
            x, y = (k + 0.5) * PANEL, 0.45 + RADIUS
            write(axes, x, 0.22, f"place {place:g}", bold=True, va="baseline")
            _face(axes, x, y)
            tip = _tip(x, y, angle)
            below = BESIDE if abs(np.cos(angle)) < 0.05 else 0.0  # where the way to the tip lies on the hand, it
            beside = BESIDE if abs(np.sin(angle)) < 0.05 else 0.0  # is drawn next to it
            line(axes, (x, y + below), (tip[0], y + below), RIGHT.line, 2.2)
            line(axes, (tip[0] + beside, y), (tip[0] + beside, tip[1]), UP.line, 2.2)
            _hand(axes, x, y, angle, HAND)
            write(axes, x, 1.78, f"right {sine}", size=SMALL, colour=RIGHT.text, va="baseline")
            write(axes, x, 2.0, f"up {cosine}", size=SMALL, colour=UP.text, va="baseline")
            texts.append(f"at place {place:g} its tip is {sine} to the right and {cosine} up")
    return Picture(figure, f"A clock for each place, its hand turned clockwise from the top: {'; '.join(texts)}.")


def hands_apart(pairs: Sequence[tuple[int, int]], turn: float) -> Picture:
    """Draw the hands of two places on one clock, and the angle between them.

    Parameters
    ----------
    pairs : list of (int, int)
        At most 4 pairs of places, a clock each.
    turn : float
        Radians that one place turns the hand, clockwise from the top.

    Returns
    -------
    Picture
        A row of clocks, below each the angle and its cosine.

    Raises
    ------
    ValueError
        No pair, or more than 4.
    """
    if not 1 <= len(pairs) <= MOST_PAIRS:
        raise ValueError(f"pairs must be 1 to {MOST_PAIRS}, but there are {len(pairs)}.")
    texts = []
    wide = PANEL + 0.55
    with style():
        figure, axes = page(wide * len(pairs), 2.25)
        for k, (first, second) in enumerate(pairs):
            x, y = (k + 0.5) * wide, 0.45 + RADIUS
            start, end = first * turn, second * turn
            apart = (end - start + np.pi) % (2 * np.pi) - np.pi  # the short way round
            degrees = f"{abs(np.rad2deg(apart)):.0f}\N{DEGREE SIGN}"
            cosine = _two_digits(np.cos(apart))
            write(axes, x, 0.22, f"places {first} and {second}", bold=True, va="baseline")
            _face(axes, x, y)
            arc = start + apart * np.linspace(0, 1, 30)
            axes.plot(x + 0.2 * np.sin(arc), y - 0.2 * np.cos(arc), color=INK, linewidth=1.4, zorder=3)
            for place, angle, role in ((first, start, HAND), (second, end, RIGHT)):
                _hand(axes, x, y, angle, role)
                outside = 1.2 + 0.16 * abs(np.sin(angle))
                at = (x + outside * RADIUS * np.sin(angle), y - outside * RADIUS * np.cos(angle))
                write(axes, *at, str(place), size=SMALL, colour=role.text)
            write(axes, x, 1.88, f"{degrees} apart", size=SMALL, va="baseline")
            write(axes, x, 2.1, f"dot product {cosine}", size=SMALL, bold=True, va="baseline")
            texts.append(f"places {first} and {second} are {degrees} apart, dot product {cosine}")
    return Picture(figure, f"Two hands on each clock: {'; '.join(texts)}.")


def turn_of_two(angle: float) -> Picture:
    """Draw where a clockwise turn takes the arrows right (1, 0) and up (0, 1): the two rows of its matrix.

    Parameters
    ----------
    angle : float
        Radians, from 0.4 to 0.9.

    Returns
    -------
    Picture
        The two arrows before the turn, faint, and after it, with their numbers.

    Raises
    ------
    ValueError
        An angle outside these bounds.
    """
    if not LEAST_TURN <= angle <= MOST_TURN:
        raise ValueError(f"angle must be {LEAST_TURN} to {MOST_TURN} radians, but is {angle:g}.")
    middle, radius = (1.2, 1.35), 1.0
    texts = []
    with style():
        figure, axes = page(5.2, 2.45)
        axes.add_patch(Circle(middle, radius, facecolor=PAPER, edgecolor=QUIET, linewidth=1.0, zorder=1))
        for name, before, role, formula in (
            ("right", np.pi / 2, RIGHT, "(cos, \N{MINUS SIGN}sin)"),
            ("up", 0.0, UP, "(sin, cos)"),
        ):
            start, end = _tip(*middle, before, radius / RADIUS), _tip(*middle, before + angle, radius / RADIUS)
            line(axes, middle, start, role.line, 1.4, "--")
            arrow(axes, middle, end, role.line, 2.4)
            numbers = f"({_two_digits(np.sin(before + angle))}, {_two_digits(np.cos(before + angle))})"
            write(
                axes,
                start[0] + 0.1 * np.sin(before),
                start[1] - 0.14 * np.cos(before),
                name,
                size=SMALL,
                ha="left" if name == "right" else "center",
            )
            where = _tip(*middle, before + angle, 1.08 * radius / RADIUS)
            label = f"{name} goes to {formula} = {numbers}"
            write(axes, *where, label, size=SMALL, colour=role.text, bold=True, ha="left")
            texts.append(f"{name} goes to {numbers}")
        axes.plot(*middle, "o", color=INK, markersize=4, zorder=5)
    turned = f"{np.rad2deg(angle):.0f}\N{DEGREE SIGN}, clockwise"
    return Picture(figure, f"Two arrows before and after a turn by {turned}: {', '.join(texts)}.")


def three_ways(tokens: Sequence[str]) -> Picture:
    """Draw where a model with two layers is told of places: sines or a table at its bottom, or turns in each layer.

    Parameters
    ----------
    tokens : list of str
        2 to 4 words.

    Returns
    -------
    Picture
        Three models side by side, from the bottom to the top.

    Raises
    ------
    TypeError
        Tokens that are not a list of text.
    ValueError
        Fewer than 2 words or more than 4.
    """
    tokens = as_tokens(tokens, len(list(tokens)), "tokens", "tokens")
    if not 2 <= len(tokens) <= MOST_WORDS:
        raise ValueError(f"tokens must be 2 to {MOST_WORDS} words, but there are {len(tokens)}.")
    ways = (
        ("sinusoidal", "added once", "sines and cosines"),
        ("learned", "added once", "rows of a table"),
        ("rotary", "turned in each layer", None),
    )
    with style():
        figure, axes = page(COLUMN * len(ways), 4.1)
        for k, (name, how, added) in enumerate(ways):
            middle = (k + 0.5) * COLUMN
            write(axes, middle, 0.18, name, size=11, bold=True, va="baseline")
            write(axes, middle, 0.42, how, colour=QUIET, va="baseline")
            for layer, top in ((1, 0.8), (0, 1.75)):
                _layer(axes, middle, top, layer, turned=added is None)
            arrow(axes, (middle, 0.8), (middle, 0.55))
            arrow(axes, (middle, 1.75), (middle, 0.8 + LAYER))
            arrow(axes, (middle, 3.55), (middle, 1.75 + LAYER))
            if added:
                _sum(axes, middle, 2.97, added)
            for word, x in zip(tokens, _centres(tokens, middle), strict=True):
                write(axes, x, 3.76, word, size=SMALL, va="baseline")
    return Picture(
        figure,
        f'Three models of two layers that read "{" ".join(tokens)}", from the bottom to the top. Sinusoidal: sines and '
        "cosines are added once, below the layers. Learned: rows of a table are added once, below the layers. Rotary: "
        "nothing is added, and in each layer queries and keys are turned by their places, and values are not.",
    )


def _layer(axes: Axes, middle: float, top: float, number: int, turned: bool) -> None:
    """A layer with its queries, keys and values; what is turned has a frame and an arrow that goes round."""
    box(axes, middle - 0.95, top, 1.9, LAYER, fill="#f7f7f7")
    write(axes, middle, top + 0.14, f"attention, layer {number}", size=SMALL, colour=QUIET)
    for j, (name, role) in enumerate((("q", colours.QUERY), ("k", colours.KEY), ("v", colours.VALUE))):
        x, lit = middle + (j - 1) * 0.58, turned and name != "v"
        box(axes, x - 0.25, top + 0.28, 0.5, 0.3, edge=role.line if lit else FAINT, fill=role.tint, thick=1.8)
        write(axes, x, top + 0.47, f"{name} {ROUND}" if lit else name, bold=lit, va="baseline")


def _sum(axes: Axes, middle: float, y: float, added: str) -> None:
    """A circle with a plus on the way up, and beside it what is added."""
    axes.add_patch(Circle((middle, y), 0.11, facecolor=PAPER, edgecolor=INK, linewidth=1.4, zorder=5))
    line(axes, (middle - 0.06, y), (middle + 0.06, y), INK, 1.4)
    line(axes, (middle, y - 0.06), (middle, y + 0.06), INK, 1.4)
    for drawn in axes.lines[-2:]:
        drawn.set_zorder(7)
    write(axes, middle + 0.2, y, added, size=SMALL, bold=True, ha="left")


def _centres(words: Sequence[str], middle: float) -> list[float]:
    """Where words stand side by side around `middle`."""
    widths = [text_width(word, SMALL) + 0.14 for word in words]
    ends = np.cumsum([0, *widths])
    return [float(middle - ends[-1] / 2 + (a + b) / 2) for a, b in pairwise(ends)]


def _face(axes: Axes, x: float, y: float) -> None:
    axes.add_patch(Circle((x, y), RADIUS, facecolor=PAPER, edgecolor=QUIET, linewidth=1.2, zorder=1))
    for mark in np.arange(0, 2 * np.pi, np.pi / 2):
        inner, outer = _tip(x, y, mark, 0.9), _tip(x, y, mark)
        line(axes, inner, outer, QUIET)


def _hand(axes: Axes, x: float, y: float, angle: float, role: colours.Role) -> None:
    line(axes, (x, y), _tip(x, y, angle), role.line, 2.6)
    axes.plot(x, y, "o", color=INK, markersize=4, zorder=5)


def _tip(x: float, y: float, angle: float, share: float = 1.0) -> tuple[float, float]:
    """Where a hand of that share of the radius ends; the page's y points down."""
    return x + share * RADIUS * float(np.sin(angle)), y - share * RADIUS * float(np.cos(angle))


def _two_digits(value: float) -> str:
    return f"{round(float(value), 2) + 0:.2f}".replace("-", "\N{MINUS SIGN}")
