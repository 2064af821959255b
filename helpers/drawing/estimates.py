"""Measured numbers with their intervals, one below the other, beside a line to compare them with."""

from collections.abc import Collection, Mapping
from typing import Any

from matplotlib.figure import Figure

from helpers.drawing.colours import neutral
from helpers.drawing.formatting import number
from helpers.drawing.inputs import as_array
from helpers.drawing.picture import INK, PAPER, QUIET, Picture, fonts_for, style


def estimates(
    values: Mapping[str, float],
    errors: Mapping[str, float],
    *,
    x_label: str,
    baseline: float | None = None,
    title: str | None = None,
    decimals: int = 2,
    apart: Collection[str] = (),
) -> Picture:
    """Draw each value as a dot in a row of its own, its interval as a bar through it.

    Parameters
    ----------
    values : dict of str to float
        What was measured, by its name.
    errors : dict of str to float
        How far the interval goes to each side, for the same names; none may be below 0. With 0 a value stands alone.
    x_label : str
        What was measured, and what the interval is.
    baseline : float, optional
        A dashed line to compare with, such as 0 for a difference.
    title : str, optional
        Text above the chart.
    decimals : int
        Digits after the point.
    apart : collection of str
        Names whose interval is of another kind, in a colour of their own.

    Returns
    -------
    Picture
        The chart. Its alt text reads every value with its interval, and says which intervals hold the baseline.

    Raises
    ------
    TypeError
        Values that are not real numbers.
    ValueError
        No value, other names in `errors`, a name in `apart` that has no value, an error below 0, nan or infinite.
    """
    names = list(values)
    if set(names) != set(errors):
        raise ValueError(f"errors must have the names of values, {names}, but has {list(errors)}.")
    if not set(apart) <= set(names):
        raise ValueError(f"apart must hold names of values, {names}, but is {list(apart)}.")
    centres = as_array(list(values.values()), "values", "vector")
    sizes = as_array([errors[name] for name in names], "errors", "vector")
    if (sizes < 0).any():
        raise ValueError(f"errors must not be below 0, but the smallest is {sizes.min():g}.")
    rows = list(zip(names, centres, sizes, strict=True))
    with style():
        figure = Figure(figsize=(5.6, 0.5 * len(rows) + 0.2))
        axes = figure.add_axes((0, 0, 1, 1))
        if title:
            axes.set_title(title, loc="left", fontfamily=fonts_for(title))
        for row, (name, value, error) in enumerate(rows):
            axes.errorbar(value, row, xerr=error or None, fmt="o", color=neutral(name in apart), capsize=4)
            axes.annotate(
                number(value, decimals),
                (value, row),
                (0, 6),
                textcoords="offset points",
                ha="center",
                bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.5},  # the line of the baseline ends at it
            )
        if baseline is not None:
            axes.axvline(baseline, color=QUIET, linestyle="--", linewidth=1)
        axes.set_ylim(len(rows) - 0.4, -0.7)  # the first row on top, with room for its number
        axes.set_yticks(range(len(rows)), names)
        for label in axes.get_yticklabels():
            label.set(fontfamily=fonts_for(label.get_text()))
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(x_label)
    return Picture(figure, _alt_text(rows, x_label, baseline, title, decimals))


def by_luck(counts: Any, observed: int, *, x_label: str, title: str | None = None) -> Picture:
    """Draw how often luck alone gives each count, and mark the count that was observed.

    Parameters
    ----------
    counts : tensor, array or list, (n,)
        What came out in n tries of luck, whole numbers.
    observed : int
        What was observed.
    x_label : str
        What is counted.
    title : str, optional
        Text above the chart.

    Returns
    -------
    Picture
        A bar for each count, those at least as high as the observed one in another colour. Its alt text says how
        often luck reaches it.

    Raises
    ------
    TypeError
        Counts that are not real numbers.
    ValueError
        No count, or counts that are not whole.
    """
    tries = as_array(counts, "counts", "vector")
    if (tries != tries.round()).any():
        raise ValueError("counts must be whole numbers.")
    places = list(range(int(min(tries.min(), observed)), int(max(tries.max(), observed)) + 1))
    shares = [float((tries == place).mean()) for place in places]
    reached = float((tries >= observed).mean())
    at = places.index(observed)
    with style():
        figure = Figure(figsize=(5.6, 2.6))
        axes = figure.add_axes((0, 0, 1, 1))
        if title:
            axes.set_title(title, loc="left", fontfamily=fonts_for(title))
        colours = [neutral(0) if place >= observed else "#bdbdbd" for place in places]
        axes.bar(places, shares, color=colours, width=0.8)
        axes.annotate(
            f"observed: {observed}",
            (observed, shares[at]),
            (observed, 1.14 * max(shares[max(at - 1, 0) : at + 2])),  # wider than its bar
            ha="center",
            color=INK,
            arrowprops={"arrowstyle": "-|>", "color": INK},
        )
        axes.set_xticks(places)
        axes.set(xlabel=x_label, ylabel="share of the tries", ylim=(0, 1.35 * max(shares)))
    said = ", ".join(f"{place} in {share:.0%}" for place, share in zip(places, shares, strict=True))
    alt = (
        f"{title + '. ' if title else ''}{x_label}, by luck alone: {said}. Observed: {observed}, which luck reaches in"
    )
    return Picture(figure, f"{alt} {reached:.0%} of {len(tries):,} tries.")


def _alt_text(
    rows: list[tuple[str, Any, Any]], x_label: str, baseline: float | None, title: str | None, decimals: int
) -> str:
    """Every value with its interval, and on which side of the baseline it lies."""
    sentences = []
    for name, value, error in rows:
        low, high = value - error, value + error
        sentence = f"{name}: {number(value, decimals)}"
        if error:
            sentence += f", from {number(low, decimals)} to {number(high, decimals)}"
        if baseline is not None:
            side = "above" if low > baseline else "below" if high < baseline else "holds"
            sentence += f", {side} {number(baseline, decimals)}"
        sentences.append(sentence)
    return f"{title + '. ' if title else ''}{x_label}. {'; '.join(sentences)}."
