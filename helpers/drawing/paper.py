"""A page measured in inches, and what the pictures of meaning put on it: words, cells, arrows and ribbons."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.text import Text

from helpers.drawing.colours import Role
from helpers.drawing.formatting import number
from helpers.drawing.picture import INK, PAPER, QUIET, fonts_for

WIDEST = 7.6  # inches; with the margin of a Picture about 750 CSS pixels
SMALL, PLAIN = 9.0, 10.0  # points
CELL_HEIGHT = 0.3
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
TIMES, ARROW = "\N{MULTIPLICATION SIGN}", "\N{RIGHTWARDS ARROW}"

Point = tuple[float, float]
Writer = Callable[[float], str]


def page(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty page in inches, with (0, 0) in its upper left corner."""
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return figure, axes


@lru_cache(maxsize=4096)
def text_width(text: str, size: float = PLAIN, bold: bool = False) -> float:
    """The width in inches of a text of one line."""
    font = FontProperties(family=fonts_for(text), size=size, weight="bold" if bold else "normal")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        return float(RendererAgg(1, 1, 192).get_text_width_height_descent(text, font, ismath=False)[0]) / 192


def shortened(text: str, width: float, size: float = PLAIN, bold: bool = False) -> str:
    """The text, or its beginning and an ellipsis where it is wider than `width` inches."""
    if text_width(text, size, bold) <= width:
        return text
    kept = text
    while len(kept) > 1 and text_width(kept + ELLIPSIS, size, bold) > width:
        kept = kept[:-1]
    return kept + ELLIPSIS


def fitted(tokens: Sequence[str], width: float, gap: float, size: float, bold: bool = False) -> list[str]:
    """The tokens for one line of `width` inches with `gap` between them: the longest are shortened where need be."""
    widths = sorted(text_width(token, size, bold) for token in tokens)
    free = width - gap * (len(tokens) - 1)
    for shorter, widest in enumerate(widths):  # all from this one on get the same room
        room = free / (len(tokens) - shorter)
        if widest > room:
            return [shortened(token, room, size, bold) for token in tokens]
        free -= widest
    return list(tokens)


def write(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    *,
    size: float = PLAIN,
    colour: str = INK,
    bold: bool = False,
    ha: str = "center",
    va: str = "center",
    on_line: bool = False,
) -> Text:
    """Write a text; `on_line` clears the paper behind it, so that a line it stands on does not strike it through."""
    return axes.text(
        x,
        y,
        text,
        fontsize=size,
        color=colour,
        fontweight="bold" if bold else "normal",
        ha=ha,
        va=va,
        linespacing=1.25,
        fontfamily=fonts_for(text),
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.2} if on_line else None,
        zorder=6,
    )


def line(axes: Axes, start: Point, end: Point, colour: str = QUIET, width: float = 1.0, style: str = "-") -> None:
    """Draw a straight line."""
    axes.plot(*zip(start, end, strict=True), color=colour, linewidth=width, linestyle=style, clip_on=False, zorder=2)


def arrow(axes: Axes, start: Point, end: Point, colour: str = QUIET, width: float = 1.3) -> None:
    """Draw a straight arrow."""
    axes.add_artist(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>,head_length=0.45,head_width=0.22",
            mutation_scale=12,
            color=colour,
            linewidth=width,
            shrinkA=0,
            shrinkB=0,
            clip_on=False,
            zorder=3,
        )
    )


def curve(axes: Axes, start: Point, end: Point, colour: str, width: float = 1.3, down: bool = False) -> None:
    """Draw a line that leaves and arrives level (or upright, with `down`), bent like an S between."""
    path = Path([start, *_between(start, end, down), end], [Path.MOVETO, *[Path.CURVE4] * 3])
    axes.add_artist(
        PathPatch(path, fill=False, edgecolor=colour, linewidth=width, capstyle="butt", clip_on=False, zorder=2)
    )


def ribbon(axes: Axes, start: Point, end: Point, thickness: float, colour: str, down: bool = False) -> None:
    """Draw a band of one thickness, in inches, that leaves and arrives level, or upright with `down`."""
    width = max(72 * thickness, 0.8)
    if width > 2:  # a white rim keeps neighbours apart
        curve(axes, start, end, PAPER, width + 1.6, down)
    curve(axes, start, end, colour, width, down)


def _between(start: Point, end: Point, down: bool) -> tuple[Point, Point]:
    """The two points that bend the line; each a little past the middle, so that a thick band makes no sharp turn."""
    (x0, y0), (x1, y1) = start, end
    if down:
        return (x0, y0 + 0.65 * (y1 - y0)), (x1, y0 + 0.35 * (y1 - y0))
    return (x0 + 0.65 * (x1 - x0), y0), (x0 + 0.35 * (x1 - x0), y1)


def box(
    axes: Axes,
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    edge: str = QUIET,
    fill: str = PAPER,
    thick: float = 1.0,
) -> None:
    """Draw a box with round corners, its upper left corner at (x, y)."""
    shape = f"round,pad=0,rounding_size={min(0.06, width / 4, height / 4)}"
    axes.add_artist(
        FancyBboxPatch(
            (x, y),
            width,
            height,
            boxstyle=shape,
            facecolor=fill,
            edgecolor=edge,
            linewidth=thick,
            clip_on=False,
            zorder=3,
        )
    )


def writer(array: np.ndarray, decimals: int = 2) -> Writer:
    """How the numbers of one table are written, all alike: whole, or with the same digits after the point."""
    if (array == array.round()).all():
        return lambda value: number(value, 0)

    def write_one(value: float) -> str:
        text = f"{value:.{decimals}f}"
        return text.replace("-", "") if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")

    return write_one


def in_words(array: np.ndarray, written: Writer | None = None) -> str:
    """A vector for alt text: [1, 0, 2]; a long one with its first three numbers and its last."""
    return f"[{', '.join(cell_texts(array, 8, written, first=3))}]"


def cell_texts(array: np.ndarray, most: int, written: Writer | None = None, first: int | None = None) -> list[str]:
    """The numbers of a vector in at most `most` cells: a longer one has an ellipsis before its last number."""
    texts = [(written or writer(array))(float(value)) for value in array]
    return texts if len(texts) <= most else [*texts[: first or most - 2], ELLIPSIS, texts[-1]]


def cell_width(texts: Iterable[str], size: float = PLAIN) -> float:
    """The width in inches of cells that hold any of these texts."""
    return max(0.34, 0.12 + max(text_width(text, size) for text in texts))


def cells(
    axes: Axes,
    x: float,
    y: float,
    texts: Sequence[str],
    role: Role,
    width: float,
    height: float = CELL_HEIGHT,
    size: float = PLAIN,
    framed: bool = True,
) -> None:
    """Draw a row of cells with their texts, its upper left corner at (x, y)."""
    for j, text in enumerate(texts):
        cell = Rectangle((x + j * width, y), width, height, facecolor=role.tint, edgecolor=PAPER, linewidth=1, zorder=3)
        axes.add_artist(cell)
        write(axes, x + (j + 0.5) * width, y + height / 2, text, size=size)
    if framed:
        frame(axes, x, y, width * len(texts), height, role)


def squares(axes: Axes, x: float, y: float, fills: Iterable[Iterable[Any]], side: float) -> None:
    """Draw a table of squares, each filled with its colour, the upper left corner at (x, y)."""
    for i, row in enumerate(fills):
        for j, fill in enumerate(row):
            corner = (x + j * side, y + i * side)
            axes.add_artist(Rectangle(corner, side, side, facecolor=fill, edgecolor=PAPER, linewidth=0.7, zorder=3))


def frame(axes: Axes, x: float, y: float, width: float, height: float, role: Role) -> None:
    """Draw the frame round cells."""
    axes.add_artist(Rectangle((x, y), width, height, fill=False, edgecolor=role.line, linewidth=1.4, zorder=4))


def shape_text(shape: Sequence[object]) -> str:
    """A shape as the lessons write it: (3, 4), and (4) for a vector."""
    return f"({', '.join(str(size) for size in shape)})"
