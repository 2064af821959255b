"""How widely numbers are spread: many drawn ones as piles, one below the other, each with its standard deviation."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from helpers.drawing import colours
from helpers.drawing.formatting import number
from helpers.drawing.inputs import as_array
from helpers.drawing.paper import PLAIN, SMALL, arrow, line, page, shortened, write
from helpers.drawing.picture import FAINT, INK, QUIET, Picture, style
from helpers.wording import listed

N_BARS = 45  # from end to end
REACH = 2.7  # standard deviations of the widest that are in view


def spreads(samples: Mapping[str, Any], *, x_label: str) -> Picture:
    """Draw how often numbers of each size come up, on one scale, with the standard deviation as an arrow to each side.

    Parameters
    ----------
    samples : dict of str to tensor, array or list, (n,)
        Two to six sets of numbers that are not all alike, by their name.
    x_label : str
        What the numbers are.

    Returns
    -------
    Picture
        A pile for each set, all of the same area. Numbers beyond 2.7 standard deviations of the widest set are not in
        view. Its alt text reads each standard deviation.

    Raises
    ------
    TypeError
        Numbers that are not real.
    ValueError
        Fewer than 2 sets or more than 6, a set without spread, nan or infinite.
    """
    if not isinstance(samples, Mapping) or not 2 <= len(samples) <= 6:
        raise ValueError("samples must be a dictionary of 2 to 6 names and their numbers.")
    arrays = {str(name): as_array(values, f"samples[{name!r}]", "vector") for name, values in samples.items()}
    stds = {name: float(array.std()) for name, array in arrays.items()}
    for name, std in stds.items():
        if std == 0:
            raise ValueError(f"samples[{name!r}] must not be all alike, for then nothing is spread.")
    reach = REACH * max(stds.values())
    edges = np.linspace(-reach, reach, N_BARS + 1)
    piles = {name: np.histogram(array, edges)[0] / len(array) for name, array in arrays.items()}
    highest = max(float(pile.max()) for pile in piles.values())

    left, wide, step, tall = 1.15, 5.2, 0.95, 0.78  # inches
    foot = 0.28 + step * len(arrays)
    with style():
        figure, axes = page(left + wide + 0.15, foot + 0.52)

        def x(value: float) -> float:
            return left + wide * (value + reach) / (2 * reach)

        for k, (name, pile) in enumerate(piles.items()):
            ground = (k + 1) * step
            _pile(axes, [x(edge) for edge in edges], ground - tall * pile / highest, ground)
            write(axes, left - 0.12, ground - 0.3, shortened(name, left - 0.2, bold=True), bold=True, ha="right")
            below = f"std {number(round(stds[name], 1), 1)}"
            write(axes, left - 0.12, ground - 0.09, below, size=SMALL, colour=QUIET, ha="right")
            for end in (-stds[name], stds[name]):
                arrow(axes, (x(0), ground + 0.09), (x(end), ground + 0.09), INK, 1.4)
        for tick in _ticks(reach):
            line(axes, (x(tick), foot - 0.1), (x(tick), foot - 0.04), QUIET)
            write(axes, x(tick), foot + 0.1, number(tick, 0), size=SMALL)
        write(axes, x(0), foot + 0.34, x_label, size=PLAIN)
    parts = [f"{name}: {number(round(std, 1), 1)}" for name, std in stds.items()]
    alt = f"How widely {x_label} are spread, one pile below the other. Standard deviations: {listed(parts)}."
    return Picture(figure, alt)


def _pile(axes: Axes, edges: list[float], tops: np.ndarray, ground: float) -> None:
    """Draw one set as a filled outline of bars that stand on a line."""
    outline = np.repeat(tops, 2)
    along = np.repeat(edges, 2)[1:-1]
    axes.fill_between(along, outline, ground, color=colours.NEUTRAL_TINTS[2], linewidth=0, zorder=1)
    axes.plot(along, outline, color=colours.NEUTRAL[0], linewidth=1.2, zorder=2)
    line(axes, (edges[0], ground), (edges[-1], ground), FAINT)


def _ticks(reach: float) -> list[int]:
    """Whole numbers on both sides of 0, about three to a side."""
    step = max(1, int(reach / 3))
    step = step if step < 5 else step // 5 * 5
    return [k * step for k in range(-int(reach / step), int(reach / step) + 1)]
