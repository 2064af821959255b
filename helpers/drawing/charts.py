"""Curves, bars, stacked bars and points in a plane, in the course's style."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.ticker import ScalarFormatter

from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.picture import COLOURS, FAINT, INK, QUIET, Picture, fonts_for, style
from helpers.drawing.tables import number

MARKERS = "osD^vP*"  # so that nothing is told by colour alone
HATCHES = ["", "///", "...", "\\\\\\", "xx", "++", "oo"]


def curves(
    x: Any,
    lines: Mapping[str, Any],
    *,
    x_label: str,
    y_label: str,
    title: str | None = None,
    log_x: bool = False,
    log_y: bool = False,
) -> Picture:
    """Draw one line a series over shared x values.

    Parameters
    ----------
    x : (n,) numbers
    lines : name of each line -> (n,) numbers
    x_label, y_label : what the axes measure, with the unit where there is one
    log_x, log_y : logarithmic axes

    Raises
    ------
    TypeError
        Values that are not real numbers.
    ValueError
        No line, a line with more or fewer points than x, nan, a number that a logarithmic axis cannot show.
    """
    x = as_array(x, "x", "vector")
    lines = _series(lines, "lines", len(x), "points of x")
    _positive_where_log(x, "x", log_x)
    for name, y in lines.items():
        _positive_where_log(y, name, log_y)
    with style():
        figure, axes = _chart(title)
        for k, (name, y) in enumerate(lines.items()):
            axes.plot(
                x,
                y,
                marker=MARKERS[k % len(MARKERS)] if len(x) <= 20 else None,
                markersize=5,
                linestyle=["-", "--", ":", "-."][k % 4],
                label=name,
            )
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.grid(color=FAINT, linewidth=0.6)
        _log_axes(axes, log_x, log_y, x)
        if len(lines) > 1:
            axes.legend(fontsize=9)
    parts = [f"{name} goes from {y[0]:.3g} to {y[-1]:.3g}" for name, y in lines.items()]
    alt = (
        f"{title + '. ' if title else ''}Curves of {y_label} against {x_label}, {x[0]:g} to {x[-1]:g}: "
        f"{'; '.join(parts)}."
    )
    return Picture(figure, alt)


def bars(
    groups: Mapping[str, Any], names: Sequence[str], *, y_label: str, title: str | None = None, decimals: int = 2
) -> Picture:
    """Draw grouped bars: one bar for each name in each group, its number above it.

    Parameters
    ----------
    groups : name of each group -> (n,) numbers
    names : n names, the same in every group

    Raises
    ------
    TypeError, ValueError
        As `curves`, and for names that do not fit the numbers.
    """
    names = list(names)
    groups = _series(groups, "groups", len(names), "names")
    names = as_tokens(names, len(names), "names", "bars")
    width = 0.8 / len(groups)
    with style():
        figure, axes = _chart(title, wide=max(5.0, 0.55 * len(names) * len(groups)))
        for k, (label, heights) in enumerate(groups.items()):
            left = np.arange(len(names)) + (k - (len(groups) - 1) / 2) * width
            drawn = axes.bar(
                left,
                heights,
                width * 0.92,
                label=label,
                hatch=HATCHES[k % len(HATCHES)],
                edgecolor="white",
                linewidth=0,
            )
            axes.bar_label(drawn, [number(height, decimals) for height in heights], fontsize=8, padding=2)
        axes.axhline(0, color=QUIET, linewidth=0.8)
        axes.set_xticks(range(len(names)), names)
        for label in axes.get_xticklabels():
            label.set(fontfamily=fonts_for(label.get_text()))
        axes.set_ylabel(y_label)
        axes.tick_params(axis="x", length=0)
        if len(groups) > 1:
            axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    parts = [
        f"{label}: " + ", ".join(f"{n} {number(h, decimals)}" for n, h in zip(names, heights, strict=True))
        for label, heights in groups.items()
    ]
    return Picture(figure, f"{title + '. ' if title else ''}Bars of {y_label}. {'; '.join(parts)}.")


def stacked_bars(
    parts: Any, part_names: Sequence[str], bar_names: Sequence[str], *, y_label: str, title: str | None = None
) -> Picture:
    """Draw bars made of parts that add up.

    Parameters
    ----------
    parts : (n_parts, n_bars), no number below 0
    part_names : n_parts names
    bar_names : n_bars names

    Raises
    ------
    TypeError, ValueError
        As `matrix`; ValueError also for a number below 0, or names that do not fit.
    """
    parts = as_array(parts, "parts", "matrix")
    if (parts < 0).any():
        raise ValueError(f"parts must not be below 0 to be stacked, but the smallest is {parts.min():g}.")
    part_names = as_tokens(part_names, len(parts), "part_names", "rows of parts")
    bar_names = as_tokens(bar_names, parts.shape[1], "bar_names", "columns of parts")
    with style():
        figure, axes = _chart(title)
        bottom = np.zeros(parts.shape[1])
        for k, (name, heights) in enumerate(zip(part_names, parts, strict=True)):
            axes.bar(
                bar_names,
                heights,
                0.55,
                bottom=bottom,
                label=name,
                hatch=HATCHES[k % len(HATCHES)],
                edgecolor="white",
                linewidth=0,
            )
            for j, height in enumerate(heights):
                if height >= 0.07 * parts.sum(axis=0).max():
                    axes.text(
                        j,
                        bottom[j] + height / 2,
                        number(height, 2),
                        ha="center",
                        va="center",
                        fontsize=9,
                        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
                    )
            bottom = bottom + heights
        for j, total in enumerate(bottom):
            axes.text(j, total, number(total, 2), ha="center", va="bottom", fontweight="bold")
        axes.set_ylabel(y_label)
        axes.tick_params(axis="x", length=0)
        axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1), reverse=True)
    sums = [
        f"{bar}: " + " + ".join(number(p, 2) for p in column) + f" = {number(column.sum(), 2)}"
        for bar, column in zip(bar_names, parts.T, strict=True)
    ]
    alt = f"{title + '. ' if title else ''}Stacked bars of {', '.join(part_names)}. {'; '.join(sums)}."
    return Picture(figure, alt)


def plane(
    points: Mapping[str, Any],
    *,
    arrows: bool = False,
    region: Sequence[str] | None = None,
    x_label: str = "first number",
    y_label: str = "second number",
    title: str | None = None,
) -> Picture:
    """Draw named points, or arrows from the origin, in a plane with equal scales.

    Parameters
    ----------
    points : name -> (x, y)
    arrows : draw each as an arrow from (0, 0)
    region : names of three or more points whose polygon is tinted, optional

    Raises
    ------
    TypeError, ValueError
        Points that are not two real numbers each, or a region that names an unknown point.
    """
    xy = _series(points, "points", 2, "coordinates, x and y")
    unknown = [name for name in region or [] if name not in xy]
    if unknown:
        raise ValueError(f"region must name points that are drawn, but {unknown[0]!r} is not among {list(xy)}.")
    with style():
        figure, axes = _chart(title, wide=5.2, high=4.2)
        if region:
            axes.add_patch(Polygon([xy[name] for name in region], facecolor="#e8f1f8", edgecolor=QUIET, linestyle="--"))
        for k, (x, y) in enumerate(xy.values()):
            colour = COLOURS[k % len(COLOURS)]
            if arrows:
                axes.annotate(
                    "",
                    (x, y),
                    (0, 0),
                    arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2, "shrinkA": 0, "shrinkB": 0},
                )
            axes.plot(x, y, MARKERS[k % len(MARKERS)], color=colour, markersize=2 if arrows else 8)
        _frame(axes, np.array(list(xy.values())), arrows)
        _name_points(figure, axes, xy)
        axes.set(xlabel=x_label, ylabel=y_label)
    places = [f"{name} at ({number(x, 2)}, {number(y, 2)})" for name, (x, y) in xy.items()]
    alt = f"{title + '. ' if title else ''}{'Arrows' if arrows else 'Points'} in a plane: {', '.join(places)}."
    return Picture(figure, alt + (f" The area between {', '.join(region)} is tinted." if region else ""))


def _chart(title: str | None, wide: float = 5.6, high: float = 3.2) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(wide, high))
    axes = figure.add_axes((0, 0, 1, 1))
    if title:
        axes.set_title(title, loc="left", fontfamily=fonts_for(title))
    return figure, axes


def _series(series: Mapping[str, Any], name: str, count: int, counted: str) -> dict[str, np.ndarray]:
    if not isinstance(series, Mapping) or not series:
        raise ValueError(f"{name} must be a dictionary of at least one name and its numbers, but is {series!r}.")
    arrays = {str(key): as_array(values, f"{name}[{key!r}]", "vector") for key, values in series.items()}
    for key, array in arrays.items():
        if len(array) != count:
            raise ValueError(
                f"{name}[{key!r}] must have a number for each of the {count} {counted}, but has {len(array)}."
            )
    return arrays


def _positive_where_log(values: np.ndarray, name: str, log: bool) -> None:
    if log and (values <= 0).any():
        raise ValueError(f"{name} must be above 0 on a logarithmic axis, but the smallest is {values.min():g}.")


def _log_axes(axes: Axes, log_x: bool, log_y: bool, x: np.ndarray) -> None:
    if log_x:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.set_xticks(x if len(x) <= 12 else x[:: len(x) // 8])
        axes.minorticks_off()
    if log_y:
        axes.set_yscale("log", base=10)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")


def _name_points(figure: Figure, axes: Axes, xy: dict[str, np.ndarray]) -> None:
    """Write each name beside its point, at the first of six places where it covers no other name."""
    axes.apply_aspect()
    points_per_pixel = 72 / figure.dpi
    taken: list[tuple[float, float, float, float]] = []
    for name, position in xy.items():
        x, y = axes.transData.transform(position) * points_per_pixel
        wide, high = 6.2 * len(name), 11
        places = [(7, 4), (7, -15), (-7 - wide, 4), (-7 - wide, -15), (7, 18), (7, -29)]
        boxes = [(x + dx, y + dy, x + dx + wide, y + dy + high) for dx, dy in places]
        free = [k for k, box in enumerate(boxes) if not any(_overlap(box, other) for other in taken)]
        best = free[0] if free else 0
        taken.append(boxes[best])
        axes.annotate(name, position, places[best], textcoords="offset points", color=INK, fontfamily=fonts_for(name))


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _frame(axes: Axes, xy: np.ndarray, with_origin: bool) -> None:
    """Equal scales, some air around the points, lines through the origin where it is in view."""
    if with_origin:
        xy = np.vstack([xy, [0, 0]])
    low, high = xy.min(axis=0), xy.max(axis=0)
    air = 0.15 * max(float((high - low).max()), 1e-9)
    axes.set(xlim=(low[0] - air, high[0] + 2 * air), ylim=(low[1] - air, high[1] + air), aspect="equal")
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    if with_origin:
        axes.axhline(0, color=QUIET, linewidth=0.8)
        axes.axvline(0, color=QUIET, linewidth=0.8)
