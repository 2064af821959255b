"""Curves, bars, stacked bars and points in a plane, in the course's style."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, ScalarFormatter
from matplotlib.transforms import Bbox

from helpers.drawing import alt_text
from helpers.drawing.colours import Role, named_role, neutral
from helpers.drawing.formatting import number
from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.picture import FAINT, INK, QUIET, Picture, fonts_for, style

# So that nothing is told by colour alone
MARKERS = "osD^vP*"
LINE_STYLES = ["-", "--", ":", "-."]
HATCHES = ["", "///", "...", "\\\\\\", "xx", "++", "oo"]

MARKED_UP_TO = 20  # points on a curve
LEAST_NAMED_SHARE = 0.07  # of the highest bar; a lower part has no room for its number


def curves(
    x: Any,
    lines: Mapping[str, Any],
    *,
    x_label: str,
    y_label: str,
    title: str | None = None,
    log_x: bool = False,
    log_y: bool = False,
    beyond: tuple[float, str] | None = None,
    points: Mapping[str, tuple[float, float]] | None = None,
    aside: bool = False,
) -> Picture:
    """Draw one line a series over shared x values.

    Parameters
    ----------
    x : tensor, array or list, (n,)
        Finite real numbers.
    lines : dict of str to tensor, array or list, (n,)
        The numbers of each line, by its name.
    x_label, y_label : str
        What the axes measure, with the unit where there is one.
    title : str, optional
        Text above the chart.
    log_x, log_y : bool
        Logarithmic axes, to base 2 and 10.
    beyond : (float, str), optional
        The x from which the chart is shaded, and what the shaded part is called in the legend.
    points : dict of str to (float, float), optional
        Single points, x and y, to compare the lines with, by their names.
    aside : bool
        Put the legend beside the chart, for lines that leave it no room.

    Returns
    -------
    Picture
        The chart. Its alt text says where each line starts and ends.

    Raises
    ------
    TypeError
        Values that are not real numbers.
    ValueError
        No line, a line with more or fewer points than x, a point that is not two numbers, nan, a number that a
        logarithmic axis cannot show.
    """
    x = as_array(x, "x", "vector")
    series = _checked_series(lines, "lines", len(x), "points of x")
    single = _checked_series(points, "points", 2, "numbers of a point, x and y") if points else {}
    if log_x:
        _refuse_0_and_below(np.array([*x, *(point[0] for point in single.values())]), "x")
    if log_y:
        for name, y in [*series.items(), *((name, point[1:]) for name, point in single.items())]:
            _refuse_0_and_below(y, name)
    with style():
        figure, axes = _chart(title)
        for k, (name, y) in enumerate(series.items()):
            marker = MARKERS[k % len(MARKERS)] if len(x) <= MARKED_UP_TO else None
            look: dict[str, Any] = {"color": neutral(k), "linestyle": LINE_STYLES[k % len(LINE_STYLES)]}
            axes.plot(x, y, marker=marker, markersize=5, label=name, **look)
        for k, (name, point) in enumerate(single.items(), start=len(series)):
            look = {"color": neutral(k), "marker": MARKERS[k % len(MARKERS)]}
            axes.plot(*point, markersize=8, linestyle="", label=name, **look)
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.grid(color=FAINT, linewidth=0.6)
        if log_x:
            _make_x_logarithmic(axes, x)
        if log_y:
            _make_y_logarithmic(axes)
        if beyond is not None:
            axes.axvspan(beyond[0], axes.get_xlim()[1], color=FAINT, alpha=0.45, zorder=0, linewidth=0, label=beyond[1])
            axes.margins(x=0)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        if len(series) + len(single) > 1 or beyond is not None:
            if aside:
                axes.legend(fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
            else:
                axes.legend(fontsize=9)
    shaded = "" if beyond is None else f" Shaded from {beyond[0]:g} on: {beyond[1]}."
    alone = "".join(f" A point, {name}: {y:.3g} at {at:g}." for name, (at, y) in single.items())
    return Picture(figure, alt_text.of_curves(x, series, x_label, y_label, title) + alone + shaded)


def bars(
    groups: Mapping[str, Any], names: Sequence[str], *, y_label: str, title: str | None = None, decimals: int = 2
) -> Picture:
    """Draw grouped bars: one bar for each name in each group, its number above it.

    A group whose name speaks of weights, queries, keys, values or outputs has their colour; a single group has it also
    where `y_label` does.

    Parameters
    ----------
    groups : dict of str to tensor, array or list, (n,)
        The heights of each group, by its name.
    names : list of str
        n names, the same in every group.
    y_label : str
        What the bars measure, with the unit where there is one.
    title : str, optional
        Text above the chart.
    decimals : int
        Digits after the point; whole numbers are written without.

    Returns
    -------
    Picture
        The chart. Its alt text reads every number.

    Raises
    ------
    TypeError
        Values that are not real numbers, names that are not a list of text.
    ValueError
        No group, as many numbers as do not fit the names, nan or infinite.
    """
    names = list(names)
    heights = _checked_series(groups, "groups", len(names), "names")
    names = as_tokens(names, len(names), "names", "bars")
    with style():
        figure, axes = _chart(title, width=max(5.0, 0.55 * len(names) * len(heights)))
        about = [y_label if len(heights) == 1 and not named_role(name) else name for name in heights]
        _draw_bars(axes, heights, about, decimals)
        axes.axhline(0, color=QUIET, linewidth=0.8)
        axes.set_xticks(range(len(names)), names)
        for label in axes.get_xticklabels():
            label.set(fontfamily=fonts_for(label.get_text()))
        axes.set_ylabel(y_label)
        axes.tick_params(axis="x", length=0)
        if len(heights) > 1:
            axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    return Picture(figure, alt_text.of_bars(heights, names, y_label, decimals, title))


def stacked_bars(
    parts: Any, part_names: Sequence[str], bar_names: Sequence[str], *, y_label: str, title: str | None = None
) -> Picture:
    """Draw bars made of parts that add up, the first part at the bottom.

    Parameters
    ----------
    parts : tensor, array or nested list, (n_parts, n_bars)
        No number below 0.
    part_names : list of str
        n_parts names.
    bar_names : list of str
        n_bars names.
    y_label : str
        What the bars measure, with the unit where there is one.
    title : str, optional
        Text above the chart.

    Returns
    -------
    Picture
        The chart. Its alt text reads each bar as a sum.

    Raises
    ------
    TypeError
        Values that are not real numbers, names that are not a list of text.
    ValueError
        Not a table, empty, nan, a number below 0, or names that do not fit.
    """
    heights = as_array(parts, "parts", "matrix")
    if (heights < 0).any():
        raise ValueError(f"parts must not be below 0 to be stacked, but the smallest is {heights.min():g}.")
    part_names = as_tokens(part_names, heights.shape[0], "part_names", "rows of parts")
    bar_names = as_tokens(bar_names, heights.shape[1], "bar_names", "columns of parts")
    with style():
        figure, axes = _chart(title)
        _draw_stacked_bars(axes, heights, part_names, bar_names)
        for j, total in enumerate(heights.sum(axis=0)):
            axes.text(j, total, number(total, 2), ha="center", va="bottom", fontweight="bold")
        axes.set_ylabel(y_label)
        axes.tick_params(axis="x", length=0)
        axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1), reverse=True)
    return Picture(figure, alt_text.of_stacked_bars(heights, part_names, bar_names, title))


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

    All points whose names speak of the same role have its colour, and shapes and names tell them apart.

    Parameters
    ----------
    points : dict of str to tensor, array or list, (2,)
        x and y of each point, by its name.
    arrows : bool
        Draw each as an arrow from (0, 0).
    region : list of str, optional
        Names of three or more points whose polygon is tinted.
    x_label, y_label : str
        What the axes measure.
    title : str, optional
        Text above the plane.

    Returns
    -------
    Picture
        The plane. Its alt text reads the place of each point.

    Raises
    ------
    TypeError
        Values that are not real numbers.
    ValueError
        No point, a point that is not two finite numbers, or a region that names an unknown point.
    """
    xy = _checked_series(points, "points", 2, "coordinates, x and y")
    unknown = [name for name in region or [] if name not in xy]
    if unknown:
        raise ValueError(f"region must name points that are drawn, but {unknown[0]!r} is not among {list(xy)}.")
    with style():
        figure, axes = _chart(title, width=5.2, height=4.2)
        if region:
            corners = np.array([xy[name] for name in region])
            axes.add_patch(Polygon(corners, facecolor="#f2f2f2", edgecolor=QUIET, linestyle="--"))
        looks = _lines_of([named_role(name) for name in xy])
        for k, (x, y) in enumerate(xy.values()):
            if arrows:
                _draw_arrow(axes, x, y, looks[k])
            axes.plot(x, y, MARKERS[k % len(MARKERS)], color=looks[k], markersize=2 if arrows else 8)
        _set_equal_scales(axes, np.array(list(xy.values())), arrows)
        _name_points(axes, xy, region or [])
        axes.set(xlabel=x_label, ylabel=y_label)
    return Picture(figure, alt_text.of_plane(xy, arrows, region, title))


def _lines_of(roles: Sequence[Role | None]) -> list[str]:
    """The colour of each role; what has none gets a neutral colour of its own."""
    return [role.line if role else neutral(roles[:k].count(None)) for k, role in enumerate(roles)]


def _chart(title: str | None, width: float = 5.6, height: float = 3.2) -> tuple[Figure, Axes]:
    """An empty chart, width by height inches."""
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1))
    if title:
        axes.set_title(title, loc="left", fontfamily=fonts_for(title))
    return figure, axes


def _checked_series(series: Mapping[str, Any], name: str, count: int, counted: str) -> dict[str, np.ndarray]:
    """Named arrays, (count,) each."""
    if not isinstance(series, Mapping) or not series:
        raise ValueError(f"{name} must be a dictionary of at least one name and its numbers, but is {series!r}.")
    arrays = {str(key): as_array(values, f"{name}[{key!r}]", "vector") for key, values in series.items()}
    for key, array in arrays.items():
        if len(array) != count:
            raise ValueError(
                f"{name}[{key!r}] must have a number for each of the {count} {counted}, but has {len(array)}."
            )
    return arrays


def _refuse_0_and_below(values: np.ndarray, name: str) -> None:
    if (values <= 0).any():
        raise ValueError(f"{name} must be above 0 on a logarithmic axis, but the smallest is {values.min():g}.")


def _make_x_logarithmic(axes: Axes, x: np.ndarray) -> None:
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.set_xticks(x if len(x) <= 12 else x[:: len(x) // 8])
    axes.minorticks_off()


def _make_y_logarithmic(axes: Axes) -> None:
    axes.set_yscale("log", base=10)
    low, high = axes.get_ylim()
    if high < 100 * low:  # one or two powers of ten alone could not be read between
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_formatter(NullFormatter())  # matplotlib's writes raw TeX
    # Below 1 always with a point: 0.00001 beside 0.001, and not 1e-05.
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}" if value >= 1 else f"{value:.12f}".rstrip("0"))


def _draw_bars(axes: Axes, groups: Mapping[str, np.ndarray], about: Sequence[str], decimals: int) -> None:
    """Draw the bars of each group, (n,), around 0, 1, ..., n - 1, and their numbers above them.

    Each has the colour of the role that its text in `about` names, if that is named only once.
    """
    roles = [named_role(text) for text in about]
    fills = _lines_of([role if roles.count(role) == 1 else None for role in roles])
    width = 0.8 / len(groups)
    for k, (name, heights) in enumerate(groups.items()):
        centres = np.arange(len(heights)) + (k - (len(groups) - 1) / 2) * width
        hatch = HATCHES[k % len(HATCHES)]
        look: dict[str, Any] = {"color": fills[k], "hatch": hatch, "edgecolor": "white", "linewidth": 0}
        drawn = axes.bar(centres, heights, width * 0.92, label=name, **look)
        axes.bar_label(drawn, [number(height, decimals) for height in heights], fontsize=8, padding=2)


def _draw_stacked_bars(axes: Axes, parts: np.ndarray, part_names: list[str], bar_names: list[str]) -> None:
    """Draw parts, (n_parts, n_bars), one on the other, each with its number where there is room."""
    least = LEAST_NAMED_SHARE * parts.sum(axis=0).max()
    bottom = np.zeros(parts.shape[1])
    for k, (name, heights) in enumerate(zip(part_names, parts, strict=True)):
        look: dict[str, Any] = {"color": neutral(k), "hatch": HATCHES[k % len(HATCHES)], "linewidth": 0}
        axes.bar(bar_names, heights, 0.55, bottom=bottom, label=name, edgecolor="white", **look)
        for j, height in enumerate(heights):
            if height >= least:
                _write_on_white(axes, j, bottom[j] + height / 2, number(height, 2))
        bottom = bottom + heights


def _write_on_white(axes: Axes, x: float, y: float, text: str) -> None:
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    axes.text(x, y, text, ha="center", va="center", fontsize=9, bbox=behind)


def _draw_arrow(axes: Axes, x: float, y: float, colour: str) -> None:
    look = {"arrowstyle": "-|>", "color": colour, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (x, y), (0, 0), arrowprops=look)


def _name_points(axes: Axes, points: Mapping[str, np.ndarray], region: Sequence[str]) -> None:
    """Write each name beside its point, where it covers no other name and, if it can, no other point and no edge."""
    axes.apply_aspect()
    # Distance from the point, in points of print, and the side of the name that lies there
    places = [((7, 4), "left"), ((7, -15), "left"), ((-7, 4), "right"), ((-7, -15), "right")]
    places += [((7, 18), "left"), ((7, -29), "left"), ((-7, 18), "right"), ((-7, -29), "right")]
    edges = _pixels(axes, _along_edges(np.array([points[name] for name in region])))
    taken: list[Bbox] = []
    for name, (x, y) in points.items():
        others = [point for other, point in points.items() if other != name]
        struck = np.concatenate([edges, _pixels(axes, np.array(others).reshape(-1, 2))])
        label = axes.annotate(name, (x, y), (0, 0), textcoords="offset points", color=INK, fontfamily=fonts_for(name))
        costs = []
        for offset, side in places:
            label.set(position=offset, horizontalalignment=side)
            extent = label.get_window_extent()
            costs.append(1000 * sum(extent.overlaps(other) for other in taken) + extent.count_contains(struck))
        offset, side = places[int(np.argmin(costs))]  # the first of those as good as each other
        label.set(position=offset, horizontalalignment=side)
        taken.append(label.get_window_extent())


def _along_edges(corners: np.ndarray) -> np.ndarray:
    """Points along the edges of a polygon, (n, 2); none where it has no corners."""
    edges = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    shares = np.linspace(0, 1, 60)[:, None]
    return np.array([point for start, end in edges for point in start + shares * (end - start)]).reshape(-1, 2)


def _pixels(axes: Axes, points: np.ndarray) -> np.ndarray:
    return axes.transData.transform(points) if len(points) else points


def _set_equal_scales(axes: Axes, points: np.ndarray, with_origin: bool) -> None:
    """Equal scales, some air around the points, (n, 2), and lines through the origin where it shall be in view."""
    if with_origin:
        points = np.vstack([points, [0, 0]])
    low, high = points.min(axis=0), points.max(axis=0)
    air = 0.15 * max(float((high - low).max()), 1e-9)
    axes.set(xlim=(low[0] - air, high[0] + 2 * air), ylim=(low[1] - air, high[1] + air), aspect="equal")
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    if with_origin:
        axes.axhline(0, color=QUIET, linewidth=0.8)
        axes.axvline(0, color=QUIET, linewidth=0.8)
