"""Names beside points: each takes the place around its point where it covers no other name, no line and no mark."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from helpers.drawing.paper import PLAIN, line, shortened, text_width, write
from helpers.drawing.picture import QUIET

LONGEST = 1.15  # inches; a longer name is shortened
HEIGHT = 0.19  # of a line of text
DISTANCES = (0.1, 0.2, 0.34, 0.5, 0.7, 0.95, 1.25, 1.6)  # inches between a point and its name
CLEARLY_NEARER = 0.06  # inches: how much nearer to its own mark a name stands than to any other
ANGLES = (0, -45, 45, 180, -135, 135, -90, 90, -20, 20, -160, 160, -70, 70, -110, 110)  # to the right first

Box = tuple[float, float, float, float]  # left, top, right, bottom, in inches


class Label(NamedTuple):
    """A name and the point that it belongs to."""

    text: str
    point: np.ndarray
    colour: str
    bold: bool


@dataclass
class _Around:
    """What a name must keep clear of: the edge, other names, lines (as points along them) and marks of points."""

    page: Box
    lines: list[np.ndarray]
    marks: Sequence[np.ndarray]
    names: list[Box] = field(default_factory=list)

    def cost(self, box: Box, point: np.ndarray) -> float:
        """How bad a place for a name is; of places as good as each other the first is taken."""
        off = max(self.page[0] - box[0], self.page[1] - box[1], box[2] - self.page[2], box[3] - self.page[3], 0)
        struck = _count_inside(box, [*self.lines, *self.marks], 0.06)
        leader = _leader(box, point)
        through = sum(_count_inside(name, leader, 0.02) for name in self.names)
        # A name without a leader is taken for that of the nearest mark, and of neither if two are equally near.
        own = _distance(box, point) + CLEARLY_NEARER
        others = [mark for mark in self.marks if not np.array_equal(mark, point)]
        mistaken = not len(leader) and any(_distance(box, mark) < own for mark in others)
        return (
            10_000 * (off > 0)
            + 1000 * off
            + 5000 * self.covered(box)
            + 200 * through
            + struck
            + 15 * mistaken
            + 2 * (len(leader) > 0)
        )

    def covered(self, box: Box) -> int:
        """How many names a place would cover."""
        return sum(
            box[0] < name[2] + 0.04 and box[2] + 0.04 > name[0] and box[1] < name[3] and box[3] > name[1]
            for name in self.names
        )


def name_points(
    axes: Axes,
    labels: Sequence[Label],
    page: Box,
    lines: Sequence[tuple[np.ndarray, np.ndarray]] = (),
    marks: Sequence[np.ndarray] = (),
    size: float = PLAIN,
) -> None:
    """Write each name beside its point; one that finds no place there stands further off, with a thin line to it."""
    along = [start + share * (end - start) for start, end in lines for share in np.linspace(0, 1, 40)]
    around = _Around(page, along, marks)
    for text, point, colour, bold in labels:
        shown = shortened(text, LONGEST, size, bold)
        best = _best_place(around, point, text_width(shown, size, bold))
        around.names.append(best)
        write(axes, best[0], best[3] - 0.045, shown, size=size, colour=colour, bold=bold, ha="left", va="baseline")
        leader = _leader(best, point)
        if len(leader):
            line(axes, tuple(point), tuple(leader[-1]), QUIET, 0.7)
            around.lines += list(leader)


def _best_place(around: _Around, point: np.ndarray, width: float) -> Box:
    boxes = [_box_beside(point, width, distance, angle) for distance in DISTANCES for angle in ANGLES]
    best = min(boxes, key=lambda box: around.cost(box, point))
    if around.covered(best):  # crowded: anywhere on the page
        boxes = _boxes_all_over(around.page, width, point)
        best = min([best, *boxes], key=lambda box: around.cost(box, point))
    return best


def _box_beside(point: np.ndarray, width: float, distance: float, angle: float) -> Box:
    dx, dy = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    x = float(point[0] + distance * dx + width * (np.clip(2 * dx, -1, 1) - 1) / 2)
    y = float(point[1] + distance * dy + HEIGHT * (np.clip(2 * dy, -1, 1) - 1) / 2)
    return x, y, x + width, y + HEIGHT


def _boxes_all_over(page: Box, width: float, point: np.ndarray) -> list[Box]:
    """Places on the whole page, the nearest to the point first."""
    boxes = [
        (float(x), float(y), float(x) + width, float(y) + HEIGHT)
        for x in np.arange(page[0] + 0.05, page[2] - width, 0.15)
        for y in np.arange(page[1] + 0.03, page[3] - HEIGHT, 0.1)
    ]
    return sorted(boxes, key=lambda box: _distance(box, point))


def _leader(box: Box, point: np.ndarray) -> np.ndarray:
    """Points along the thin line from a point to its name, (20, 2); none where the name stands beside it."""
    near = np.clip(point, (box[0] - 0.05, box[1] - 0.03), (box[2] + 0.05, box[3] + 0.03))
    if np.linalg.norm(near - point) < 0.14:
        return np.empty((0, 2))
    return point + np.linspace(0, 1, 20)[:, None] * (near - point)


def _distance(box: Box, point: np.ndarray) -> float:
    return float(np.linalg.norm(np.clip(point, box[:2], box[2:]) - point))


def _count_inside(box: Box, points: Sequence[np.ndarray] | np.ndarray, air: float) -> int:
    if len(points) == 0:
        return 0
    x, y = np.asarray(points).T
    return int(np.sum((box[0] - air < x) & (x < box[2] + air) & (box[1] - air < y) & (y < box[3] + air)))
