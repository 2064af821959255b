"""What a change did to each of some pairs: two dots in a row, joined by a line."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from helpers.drawing.colours import neutral
from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.picture import FAINT, PAPER, QUIET, Picture, fonts_for, style


def shifts(values: Any, names: Sequence[str], *, x_label: str, title: str | None = None) -> Picture:
    """Draw two values of each pair in a row of its own: the first as a filled dot, the second as a hollow one.

    Parameters
    ----------
    values : tensor, array or nested list, (n, 2)
        Shares from 0 to 1.
    names : list of str
        The n names of the rows, from the top.
    x_label : str
        What is shared.
    title : str, optional
        Text above the chart.

    Returns
    -------
    Picture
        The chart, in blue where the first value is the larger one, with a dashed line at a half. Its alt text reads
        every pair.

    Raises
    ------
    TypeError
        Values that are not real numbers, names that are not text.
    ValueError
        Not two values for each name, or a value outside of 0 to 1.
    """
    pairs = as_array(values, "values", "matrix")
    if pairs.shape[1] != 2 or pairs.min() < 0 or pairs.max() > 1:
        raise ValueError("values must be two shares from 0 to 1 for each name.")
    labels = as_tokens(names, len(pairs), "names", "rows of values")
    with style():
        figure = Figure(figsize=(5.6, 0.24 * len(pairs) + 0.3))
        axes = figure.add_axes((0, 0, 1, 1))
        if title:
            axes.set_title(title, loc="left", fontfamily=fonts_for(title))
        axes.axvline(0.5, color=QUIET, linestyle="--", linewidth=1, zorder=0.5)
        for row, (first, second) in enumerate(pairs):
            colour = neutral(0 if first > second else 1)
            axes.plot([first, second], [row, row], color=colour, linewidth=2, zorder=1)
            # The hollow dot is the larger one, so that a ring is left of it where the two are on one place.
            axes.scatter([second], [row], s=70, facecolor=PAPER, edgecolor=colour, linewidth=1.5, zorder=2)
            axes.scatter([first], [row], s=30, facecolor=colour, edgecolor=colour, linewidth=1.5, zorder=2)
        axes.set(ylim=(len(pairs) - 0.4, -0.6), xlim=(0, 1), xlabel=x_label)
        axes.set_yticks(range(len(pairs)), labels)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color=FAINT, linewidth=0.6)
    said = "; ".join(
        f"{name}: {first:.2f} and {second:.2f}" for name, (first, second) in zip(labels, pairs, strict=True)
    )
    return Picture(figure, f"{title + '. ' if title else ''}{x_label}, filled dot and hollow dot. {said}.")
