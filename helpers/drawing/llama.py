"""A layer of lesson 13's language model beside one of a language model of today, and heads that share their keys."""

from matplotlib.axes import Axes

from helpers.drawing import colours
from helpers.drawing.paper import SMALL, arrow, box, line, page, write
from helpers.drawing.picture import QUIET, Picture, style

BOX_WIDTH, BOX_HEIGHT, PITCH = 2.7, 0.58, 0.94  # inches; the last one from box to box
TOP, GAP = 0.74, 0.11  # of the first box; from a box to where a residual connection leaves or joins
# From top to bottom: the part, then what it is in lesson 13 and in a model of today.
PARTS = [
    ("feed-forward", "two matrices, ReLU\nwith biases", "three matrices, a gate\nno biases"),
    ("norm", "layer norm", "RMS norm"),
    (
        "attention",
        "4 heads, each with own\nkeys and values, biases",
        "9 query heads, 3 of keys and\nvalues; turned; no biases",
    ),
    ("norm", "layer norm", "RMS norm"),
    ("input", "embeddings + sines", "embeddings"),
]


def two_decoders() -> Picture:
    """Draw the layer of lesson 13's language model beside that of the model of lesson 18, what differs tinted.

    Returns
    -------
    Picture
        Two columns of boxes. Its alt text reads them part by part.
    """
    with style():
        figure, axes = page(7.4, 5.15)
        for middle, title, column in ((2.5, "lesson 13", 0), (5.75, "SmolLM2-135M", 1)):
            write(axes, middle, 0.2, title, bold=True)
            for i, part in enumerate(PARTS):
                y = TOP + PITCH * i
                fill = colours.SUBLAYER if column else colours.INPUT.tint
                box(axes, middle - BOX_WIDTH / 2, y, BOX_WIDTH, BOX_HEIGHT, fill=fill)
                write(axes, middle, y + BOX_HEIGHT / 2, part[1 + column], size=SMALL)
                arrow(axes, (middle, y), (middle, y - (PITCH - BOX_HEIGHT) + 0.02))
            for y in (TOP + PITCH, TOP + 3 * PITCH):  # around a norm and the part above it
                _way_round(axes, middle, y)
        for i, part in enumerate(PARTS):
            write(axes, 0.45, TOP + PITCH * i + BOX_HEIGHT / 2, part[0], size=SMALL, colour=QUIET)
    return Picture(figure, _alt())


def shared_heads(n_heads: int = 9, n_groups: int = 3) -> Picture:
    """Draw which heads of queries look at which head of keys and values, without sharing and with.

    Parameters
    ----------
    n_heads : int
        Heads of queries, at most 12.
    n_groups : int
        Heads of keys and values; it must divide `n_heads`.

    Returns
    -------
    Picture
        Heads of queries in a row above, those of keys and values below, and a line from each to the one it looks at.

    Raises
    ------
    ValueError
        More than 12 heads, or a number of groups that does not divide them.
    """
    if not 1 <= n_groups <= n_heads <= 12 or n_heads % n_groups:
        raise ValueError(f"n_groups must divide n_heads, at most 12, but they are {n_groups} and {n_heads}.")
    pitch, left = 0.56, 1.75
    with style():
        figure, axes = page(left + pitch * n_heads + 0.1, 3.35)
        for top, groups in ((0.1, n_heads), (1.9, n_groups)):
            each = n_heads // groups
            write(axes, left - 0.15, top + 0.17, "queries", size=SMALL, ha="right")
            write(axes, left - 0.15, top + 1.12, f"keys and values: {groups}", size=SMALL, ha="right")
            for head in range(n_heads):
                x, below = left + pitch * head, left + pitch * (head // each * each + (each - 1) / 2)
                box(axes, x, top, 0.4, 0.34, edge=colours.QUERY.line, fill=colours.QUERY.tint)
                write(axes, x + 0.2, top + 0.17, str(head), size=SMALL)
                line(axes, (x + 0.2, top + 0.34), (below + 0.2, top + 0.95), colours.KEY.line, 1.3)
                if head % each == 0:
                    box(axes, below, top + 0.95, 0.4, 0.34, edge=colours.KEY.line, fill=colours.KEY.tint)
                    write(axes, below + 0.2, top + 1.12, str(head // each), size=SMALL)
    led = "; ".join(
        f"heads {first} to {first + n_heads // n_groups - 1} at {first // (n_heads // n_groups)}"
        for first in range(0, n_heads, n_heads // n_groups)
    )
    return Picture(
        figure,
        f"{n_heads} heads of queries. Above, each looks at keys and values of its own. Below they share {n_groups}: "
        f"{led}.",
    )


def _way_round(axes: Axes, middle: float, norm: float) -> None:
    """A residual connection from below a norm, whose top is at `norm`, to above the part that it leads to."""
    below, above, side = norm + BOX_HEIGHT + GAP, norm - PITCH - GAP, middle - BOX_WIDTH / 2 - 0.12
    line(axes, (middle, below), (side, below))
    line(axes, (side, below), (side, above))
    arrow(axes, (side, above), (middle - 0.03, above))


def _alt() -> str:
    read = "; ".join(f"{name}: {before} against {after}".replace("\n", " ") for name, before, after in reversed(PARTS))
    return (
        f"A layer of lesson 13 beside one of SmolLM2-135M, from the input up. {read}. Residual connections around each "
        "norm with the part above it are the same in both."
    )
