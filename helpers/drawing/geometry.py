"""Vectors as arrows, points, waves and hands of clocks: what a score, a place and a turn look like."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from helpers.drawing import colours
from helpers.drawing.formatting import number
from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.labels import Box, Label, name_points
from helpers.drawing.paper import (
    SMALL,
    TIMES,
    WIDEST,
    arrow,
    cell_texts,
    cells,
    line,
    page,
    shortened,
    text_width,
    write,
)
from helpers.drawing.picture import FAINT, INK, LIT, PAPER, QUIET, Picture, style
from helpers.wording import counted, listed


def shadow(query: Any, key: Any, corners: Any = ()) -> Picture:
    """Draw the score of a query and a key: the shadow of the key on the query's line, times the query's length.

    Parameters
    ----------
    query, key : tensor, array or list, (2,)
        Two numbers each, not both 0.
    corners : tensor, array or nested list, (points, 2), optional
        Points that the picture has room for whatever the arrows are, so that its scale stays while a slider moves one.

    Returns
    -------
    Picture
        Both arrows, the perpendicular from the key's tip to the query's line, the shadow, and the product below. A
        key that points away has a shadow below 0, on the far side of the origin.

    Raises
    ------
    TypeError
        What does not hold real numbers.
    ValueError
        Other than two numbers, or a vector of length 0.
    """
    query, key = _arrow_of_two(query, "query"), _arrow_of_two(key, "key")
    length = float(np.linalg.norm(query))
    along = query / length
    cast = float(key @ along)
    foot = cast * along

    fixed = _corners(corners)
    points = np.array([(0, 0), query, key, foot, *fixed])
    low, high = points.min(axis=0), points.max(axis=0)
    air = 0.62  # inches around the arrows
    room = np.array([5.4, 2.7] if len(fixed) else [3.3, 2.3])
    scale = float(min(room / np.maximum(high - low, 1e-9)))
    size = (high - low) * scale + 2 * air
    score = _score_text(cast, length)
    caption_wide = text_width(score, 11, bold=True) + 0.3
    wide, high_page = max(size[0], caption_wide, 3.6), size[1] + 0.5
    shift = (wide - size[0]) / 2

    def at(point: np.ndarray) -> np.ndarray:
        return np.array([shift + air + (point[0] - low[0]) * scale, size[1] - air - (point[1] - low[1]) * scale])

    with style():
        figure, axes = page(wide, high_page)
        if len(fixed):  # what is white is cut off while a slider moves; the frame keeps it
            around = Rectangle((0.05, 0.05), wide - 0.1, size[1] - 0.1, fill=False, edgecolor=FAINT, linewidth=1)
            axes.add_patch(around)
        origin, tip, key_tip, ground = at(np.zeros(2)), at(query), at(key), at(foot)
        level = np.array([along[0], -along[1]])  # the query's direction on the page, where y points down
        reach = 0.35
        ends = sorted([0.0, cast, length])
        line_of_query = (at(ends[0] * along) - reach * level, at(ends[-1] * along) + reach * level)
        line(axes, _pair(line_of_query[0]), _pair(line_of_query[1]), "#bdbdbd", 1.0)
        thick = colours.WEIGHT if cast else QUIET
        ends_of_shadow = zip(origin, ground, strict=True)
        axes.plot(*ends_of_shadow, color=thick, linewidth=9, solid_capstyle="butt", zorder=2)  # no longer than it is
        arrow(axes, _pair(origin), _pair(tip), colours.QUERY.line, 2.4)
        arrow(axes, _pair(origin), _pair(key_tip), colours.KEY.line, 2.4)
        mark = _perpendicular(axes, key_tip, ground, level if cast <= 0 else -level)
        axes.plot(*origin, "o", color=INK, markersize=4, zorder=5)
        obstacles = [line_of_query, (origin, tip), (origin, key_tip), (key_tip, ground), *mark]
        page_box = (0.05, 0.05, wide - 0.05, size[1])
        name_points(
            axes,
            [
                Label(f"query {_place_of(query)}", tip, colours.QUERY.text, True),
                Label(f"key {_place_of(key)}", key_tip, colours.KEY.text, True),
                Label(f"shadow {_short(cast)}", (origin + ground) / 2, INK, True),
            ],
            page_box,
            obstacles,
        )
        write(axes, wide / 2, high_page - 0.2, score, size=11, bold=True, va="baseline")
    return Picture(figure, _shadow_alt(query, key, cast, length))


def _arrow_of_two(vector: Any, name: str) -> np.ndarray:
    array = as_array(vector, name, "vector")
    if len(array) != 2:
        raise ValueError(f"{name} must have two numbers to be drawn in a plane, but has {len(array)}.")
    if not array.any():
        raise ValueError(f"{name} must not be [0, 0], which has no direction.")
    return array


def _corners(corners: Any) -> np.ndarray:
    """The points that must stay on the page, (points, 2)."""
    array = as_array(corners, "corners", "matrix") if len(corners) else np.empty((0, 2))
    if array.shape[1] != 2:
        raise ValueError(f"corners must have two numbers each, but their shape is {array.shape}.")
    return array


def _short(value: float, decimals: int = 2) -> str:
    """A length: whole where it is, up to rounding."""
    return number(round(value, decimals), decimals)


def _place_of(point: np.ndarray) -> str:
    """The two numbers of an arrow, as they are written at its tip."""
    return f"({_short(point[0], 1)}, {_short(point[1], 1)})"


def _score_text(cast: float, length: float) -> str:
    # One digit less in the score, so that it is right for whoever multiplies the two rounded factors.
    factors = f"shadow {_short(cast)} {TIMES} length of the query {_short(length)}"
    return f"{factors} = score {_short(cast * length, 1)}"


def _pair(point: np.ndarray) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _perpendicular(
    axes: Axes, tip: np.ndarray, ground: np.ndarray, level: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Draw the dashed line from the key's tip to the query's line, and give the strokes of the right angle's mark."""
    rise = tip - ground
    distance = float(np.linalg.norm(rise))
    if distance < 0.1:  # the key lies on the line
        return []
    line(axes, _pair(tip), _pair(ground), INK, 1.2, "--")
    if distance <= 0.3:
        return []
    side, up = 0.13 * level, 0.13 * rise / distance
    strokes = [(ground + side, ground + side + up), (ground + up, ground + side + up)]
    for start, end in strokes:
        line(axes, _pair(start), _pair(end), INK, 1.0)
    return strokes


def _shadow_alt(query: np.ndarray, key: np.ndarray, cast: float, length: float) -> str:
    if abs(cast) < 0.005:
        where = "no shadow, for the two stand at a right angle"
    else:
        where = f"a shadow of {_short(cast)}"
        where += " in the query's direction" if cast > 0 else ", which points the other way"
    return (
        f"Two arrows from the origin: the query to ({query[0]:.1f}, {query[1]:.1f}) and the key to "
        f"({key[0]:.1f}, {key[1]:.1f}). A perpendicular from the key's tip to the query's line leaves {where}. "
        f"{_score_text(cast, length).capitalize()}."
    ).replace("-", "\N{MINUS SIGN}")


def two_planes(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    titles: Sequence[str],
    highlight: Sequence[str] | None = None,
    corners: Any = (),
) -> Picture:
    """Draw the same words as points in two planes side by side, such as before and after training.

    Parameters
    ----------
    before, after : dict of str to (x, y)
        The same words in both, at most 24. Both planes have one scale.
    titles : two words or phrases
        What is written above the left and the right plane.
    highlight : list of str, optional
        Words that are drawn bold and in colour, the others in grey.
    corners : tensor, array or nested list, (points, 2), optional
        Points that the planes have room for, so that two pictures have one scale.

    Returns
    -------
    Picture
        Two planes with a name at each point, and a cross at the origin where it lies within them.

    Raises
    ------
    TypeError
        Points that are not real numbers, titles or words that are not text.
    ValueError
        Points that are not two numbers each, other words in `after` than in `before`, an unknown word in
        `highlight`.
    """
    planes = [_points(before, "before"), _points(after, "after")]
    titles = as_tokens(titles, 2, "titles", "planes")
    if set(planes[0]) != set(planes[1]):
        odd = sorted(set(planes[0]) ^ set(planes[1]))[0]
        raise ValueError(f"before and after must hold the same words, but {odd!r} is only in one of them.")
    lit = list(highlight or [])
    for word in lit:
        if word not in planes[0]:
            raise ValueError(f"highlight must name words that are drawn, but {word!r} is not among them.")

    everything = np.array([point for plane in planes for point in plane.values()] + [*_corners(corners)])
    low, high = everything.min(axis=0), everything.max(axis=0)
    side, gap, head, air = 3.55, 0.4, 0.42, 0.42  # inches
    scale = (side - 2 * air) / (float((high - low).max()) or 1)
    tall = max(float(high[1] - low[1]) * scale + 2 * air, 2.2)
    with style():
        figure, axes = page(2 * side + gap + 0.1, head + tall + 0.05)
        for k, (plane, title) in enumerate(zip(planes, titles, strict=True)):
            left = 0.05 + k * (side + gap)
            write(axes, left, 0.22, title, size=11, bold=True, ha="left", va="baseline")
            centre = np.array([left + side / 2, head + tall / 2])
            _plane(axes, (left, head, left + side, head + tall))
            origin = centre - np.array([1, -1]) * (low + high) / 2 * scale
            within = bool((low <= 0).all() and (high >= 0).all())
            if within:
                axes.plot(*origin, "+", color=QUIET, markersize=11, markeredgewidth=1.2, zorder=2)
            at = {
                word: centre + np.array([1, -1]) * (point - (low + high) / 2) * scale for word, point in plane.items()
            }
            for word, point in at.items():
                colour = colours.KEY.line if word in lit else QUIET if lit else colours.QUERY.line
                axes.plot(*point, "o", color=colour, markersize=7 if word in lit else 5.5, zorder=3)
            words = sorted(at, key=lambda word: (word not in lit, at[word][0]))
            labels = [Label(word, at[word], colours.KEY.text if word in lit else INK, word in lit) for word in words]
            if within:
                labels.append(Label("(0, 0)", origin, QUIET, False))
            marks = [*at.values(), *([origin] if within else [])]
            name_points(axes, labels, (left, head, left + side, head + tall), marks=marks, size=SMALL)
    return Picture(figure, _planes_alt(planes, titles, lit))


def _points(points: Mapping[str, Any], name: str) -> dict[str, np.ndarray]:
    if not isinstance(points, Mapping) or not 1 <= len(points) <= 24:
        raise ValueError(f"{name} must be a dictionary of 1 to 24 words and their points.")
    arrays = {str(word): as_array(point, f"{name}[{word!r}]", "vector") for word, point in points.items()}
    for word, array in arrays.items():
        if len(array) != 2:
            raise ValueError(f"{name}[{word!r}] must be two numbers, x and y, but has {len(array)}.")
    return arrays


def _plane(axes: Axes, area: Box) -> None:
    """The frame of a plane."""
    left, top, right, bottom = area
    for start, end in [((left, top), (right, top)), ((left, bottom), (right, bottom))]:
        line(axes, start, end, FAINT, 1)
    for start, end in [((left, top), (left, bottom)), ((right, top), (right, bottom))]:
        line(axes, start, end, FAINT, 1)


def _planes_alt(planes: Sequence[dict[str, np.ndarray]], titles: Sequence[str], lit: list[str]) -> str:
    parts = []
    for plane, title in zip(planes, titles, strict=True):
        places = [f"{word} at ({point[0]:.1f}, {point[1]:.1f})" for word, point in plane.items()]
        parts.append(f"{title}: {', '.join(places)}.")
    text = f"The same words in two planes. {' '.join(parts)}".replace("-", "\N{MINUS SIGN}")
    return text + (f" {listed(lit)} stand{'s' if len(lit) == 1 else ''} out in colour." if lit else "")


def waves(positions: Any, at: int, dims: Sequence[int] | None = None, names: Sequence[str] | None = None) -> Picture:
    """Draw columns of a table of sines and cosines as waves, and read off the vector of one place.

    Parameters
    ----------
    positions : tensor, array or nested list, (n, d_model)
        Numbers from -1 to 1; a row for each place.
    at : int
        The place that is read off.
    dims : list of int, optional
        The columns that are drawn, at most 10; when left out all, or eight even ones spread over a wide table.
    names : list of str, optional
        What each drawn column is called, "number 0" and so on when left out.

    Returns
    -------
    Picture
        A wave for each column, an upright line at the place, and its numbers at the right.

    Raises
    ------
    TypeError
        What does not hold real numbers, a place that is not a whole number.
    ValueError
        Numbers beyond 1, or a place or column that is not there.
    """
    table = as_array(positions, "positions", "matrix")
    n, d_model = table.shape
    if n < 2 or np.abs(table).max() > 1 + 1e-6:
        raise ValueError("positions must be two rows or more of numbers from -1 to 1.")
    _check_index(at, "at", n, "place")
    columns = list(_some_columns(d_model) if dims is None else dims)
    if not 1 <= len(columns) <= 10:
        raise ValueError(f"dims must name 1 to 10 columns, but there are {len(columns)}.")
    for dim in columns:
        _check_index(dim, "dims", d_model, "column")
    default = [f"number {dim}" for dim in columns]
    names = default if names is None else as_tokens(names, len(columns), "names", "columns")

    left, right, step, head = 0.95, 6.35, 0.5, 0.42
    foot = head + step * len(columns)
    x = left + (right - left) * np.arange(n) / (n - 1)
    with style():
        figure, axes = page(WIDEST - 0.2, foot + 0.52)
        band = Rectangle((x[at] - 0.07, head - 0.05), 0.14, foot - head + 0.1, facecolor=LIT, linewidth=0, zorder=1)
        axes.add_artist(band)
        line(axes, (x[at], head - 0.05), (x[at], foot + 0.05), INK, 1.2)
        cell = 0.55
        heading = f"place {at}"
        write(axes, right + 0.3 + cell / 2, 0.24, heading, bold=True, va="baseline")
        for k, dim in enumerate(columns):
            middle = head + (k + 0.5) * step
            write(axes, left - 0.15, middle + 0.05, names[k], size=SMALL, ha="right", va="baseline")
            line(axes, (left, middle), (right, middle), FAINT, 0.8)
            y = middle - 0.2 * table[:, dim]
            axes.plot(x, y, color=colours.QUERY.line, linewidth=1.6, zorder=3)
            axes.plot(x, y, "o", color=colours.QUERY.line, markersize=2.5 if n <= 40 else 0, zorder=3)
            axes.plot(x[at], y[at], "o", color=INK, markersize=7, zorder=5)
            texts = cell_texts(table[at, dim : dim + 1], 1, lambda value: _two_digits(value))
            cells(axes, right + 0.3, middle - 0.16, texts, colours.INPUT, cell, 0.32)
        for place in _places_to_name(n, at):
            bold = place == at
            write(
                axes,
                x[place],
                foot + 0.22,
                str(place),
                size=SMALL,
                bold=bold,
                va="baseline",
                colour=INK if bold else QUIET,
            )
        write(axes, (left + right) / 2, foot + 0.44, "place in the sentence", size=SMALL, colour=QUIET, va="baseline")
    numbers = [f"{name} is {_two_digits(table[at, dim])}" for name, dim in zip(names, columns, strict=True)]
    return Picture(
        figure,
        f"Waves: {counted(len(columns), 'column')} of a table of {n} places by {d_model} numbers, one below the other. "
        f"An upright line at place {at} reads off its vector: {', '.join(numbers)}.",
    )


def _some_columns(d_model: int) -> list[int]:
    """All columns of a narrow table; of a wide one eight even columns, where the sines stand."""
    if d_model <= 8:
        return list(range(d_model))
    return [2 * int(half) for half in np.linspace(0, (d_model - 1) // 2, 8).round()]


def _two_digits(value: float) -> str:
    text = f"{value:.2f}"
    return "0.00" if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def _check_index(index: int, name: str, count: int, counted_as: str) -> None:
    if isinstance(index, bool) or not isinstance(index, int | np.integer):
        raise TypeError(f"{name} must be a whole number, but is {index!r}.")
    if not 0 <= index < count:
        raise ValueError(f"{name} must be a {counted_as} from 0 to {count - 1}, but is {index}.")


def _places_to_name(n: int, at: int) -> list[int]:
    """Some places along the axis, about ten, with `at` among them and none so near that their numbers touch."""
    every = max(1, -(-n // 10))
    return sorted({at} | {place for place in range(0, n, every) if abs(place - at) >= max(1, every / 2)})


def clock_hands(angles: Any, places: Sequence[int], labels: Sequence[str]) -> Picture:
    """Draw each place of a sentence as a row of clocks, one hand for each wavelength.

    A hand at angle 0 points to twelve and turns clockwise, so that its tip lies at (sine, cosine) of the angle.

    Parameters
    ----------
    angles : tensor, array or nested list, (n_places, n_wavelengths)
        In radians.
    places : list of int
        The number of the place of each row, at most 8.
    labels : list of str
        The name of the wavelength of each column, at most 8.

    Returns
    -------
    Picture
        A row of clocks for each place.

    Raises
    ------
    TypeError
        Angles that are not real numbers, labels that are not text.
    ValueError
        As many places or labels as do not fit, or more than 8.
    """
    angles = as_array(angles, "angles", "matrix")
    labels = as_tokens(labels, angles.shape[1], "labels", "columns of angles")
    places = list(places)
    if len(places) != len(angles):
        raise ValueError(f"places must name each of the {len(angles)} rows of angles, but there are {len(places)}.")
    if max(angles.shape) > 8:
        raise ValueError(f"angles must be at most 8 by 8 to be drawn, but their shape is {angles.shape}.")
    names = [f"place {place}" for place in places]
    left = 0.25 + max(text_width(name, bold=True) for name in names)
    head, row, radius = 0.5, 0.72, 0.27
    column = min(1.25, (WIDEST - left - 0.1) / angles.shape[1])
    with style():
        figure, axes = page(max(left + column * angles.shape[1] + 0.1, left + 2.9), head + row * len(angles) + 0.35)
        for j, label in enumerate(labels):
            name = shortened(label, column - 0.08, SMALL)
            write(axes, left + (j + 0.5) * column, 0.24, name, size=SMALL, colour=QUIET, va="baseline")
        for i, name in enumerate(names):
            y = head + (i + 0.5) * row - 0.05
            write(axes, left - 0.15, y + 0.05, name, bold=True, ha="right", va="baseline")
            for j, angle in enumerate(angles[i]):
                _clock(axes, left + (j + 0.5) * column, y, radius, float(angle))
        note = "angle 0 points up; hands turn clockwise"
        write(axes, left, head + row * len(angles) + 0.2, note, size=SMALL, colour=QUIET, ha="left", va="baseline")
    rows = [
        f"place {place}: "
        + ", ".join(
            f"{label} {np.rad2deg(angle) % 360:.0f}\N{DEGREE SIGN}" for label, angle in zip(labels, row_of, strict=True)
        )
        for place, row_of in zip(places, angles, strict=True)
    ]
    return Picture(figure, f"Clocks with one hand each, turned clockwise from the top: {'; '.join(rows)}.")


def _clock(axes: Axes, x: float, y: float, radius: float, angle: float) -> None:
    axes.add_artist(Circle((x, y), radius, facecolor=PAPER, edgecolor=QUIET, linewidth=1.2, zorder=2))
    for mark in np.arange(0, 2 * np.pi, np.pi / 2):
        at = np.array([np.sin(mark), -np.cos(mark)])
        line(
            axes,
            (x + at[0] * radius * 0.84, y + at[1] * radius * 0.84),
            (x + at[0] * radius, y + at[1] * radius),
            QUIET,
        )
    tip = (x + 0.78 * radius * np.sin(angle), y - 0.78 * radius * np.cos(angle))
    line(axes, (x, y), tip, colours.QUERY.line, 2.6)
    axes.plot(x, y, "o", color=INK, markersize=4, zorder=5)


def turned_together(query: Any, key: Any, places: Sequence[tuple[int, int]], turn: float = 1.0) -> Picture:
    """Draw rotary positions: query and key are each turned by their place, and the angle between them stays.

    After Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding" (2021).

    Parameters
    ----------
    query, key : tensor, array or list, (2,)
        Two numbers each, not both 0, before they are turned.
    places : list of (place of the query, place of the key)
        One to 4 pairs, a panel each; where all are as far apart, all angles and scores are the same.
    turn : float
        Radians that one place turns, clockwise.

    Returns
    -------
    Picture
        A panel for each pair, with the angle between the arrows and the score below.

    Raises
    ------
    TypeError
        What does not hold real numbers.
    ValueError
        Other than two numbers, a vector of length 0, no pair or more than 4.
    """
    query, key = _arrow_of_two(query, "query"), _arrow_of_two(key, "key")
    places = [(int(a), int(b)) for a, b in places]
    if not 1 <= len(places) <= 4:
        raise ValueError(f"places must be 1 to 4 pairs, but there are {len(places)}.")
    wide = min(2.5, WIDEST / len(places))
    scale = (wide / 2 - 0.5) / max(float(np.linalg.norm(query)), float(np.linalg.norm(key)))
    found = []
    with style():
        figure, axes = page(wide * len(places), wide + 0.25)
        for k, (of_query, of_key) in enumerate(places):
            turned = [_turned(query, of_query * turn), _turned(key, of_key * turn)]
            score = float(turned[0] @ turned[1])
            degrees = _degrees_between(*turned)
            found.append((degrees, score))
            centre = np.array([(k + 0.5) * wide, wide / 2 - 0.2])
            _turned_panel(axes, centre, wide, scale, turned, degrees)
            write(axes, centre[0], wide - 0.15, f"query at {of_query}, key at {of_key}", size=SMALL, va="baseline")
            write(axes, centre[0], wide + 0.12, f"score {_two_digits(score)}", size=11, bold=True, va="baseline")
    parts = [
        f"query at place {of_query} and key at place {of_key}: angle {degrees:.0f}\N{DEGREE SIGN}, "
        f"score {_two_digits(score)}"
        for (of_query, of_key), (degrees, score) in zip(places, found, strict=True)
    ]
    return Picture(figure, f"Query and key as arrows, each turned by its place. {'; '.join(parts)}.")


def _turned(vector: np.ndarray, angle: float) -> np.ndarray:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([vector[0] * cos + vector[1] * sin, vector[1] * cos - vector[0] * sin])


def _degrees_between(one: np.ndarray, other: np.ndarray) -> float:
    cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    return float(np.rad2deg(np.arccos(np.clip(cosine, -1, 1))))


def _turned_panel(
    axes: Axes, centre: np.ndarray, wide: float, scale: float, turned: list[np.ndarray], degrees: float
) -> None:
    """Two arrows from one point, the arc between them, and their names."""
    radius = wide / 2 - 0.5
    axes.add_artist(Circle(tuple(centre), radius, fill=False, edgecolor=FAINT, linewidth=1, zorder=1))
    tips = [centre + scale * vector * np.array([1, -1]) for vector in turned]
    start, end = (float(np.arctan2(vector[1], vector[0])) for vector in turned)
    sweep = (end - start + np.pi) % (2 * np.pi) - np.pi  # the short way from the query to the key
    arc = start + sweep * np.linspace(0, 1, 30)
    reach = 0.42 * radius
    axes.plot(centre[0] + reach * np.cos(arc), centre[1] - reach * np.sin(arc), color=INK, linewidth=1.4, zorder=2)
    for tip, role in zip(tips, (colours.QUERY, colours.KEY), strict=True):
        arrow(axes, _pair(centre), _pair(tip), role.line, 2.4)
    axes.plot(*centre, "o", color=INK, markersize=4, zorder=5)
    halfway = start + sweep / 2
    corner = centre + reach * np.array([np.cos(halfway), -np.sin(halfway)])
    area = (centre[0] - wide / 2 + 0.04, 0.02, centre[0] + wide / 2 - 0.04, wide - 0.32)
    arc_points = np.stack([centre[0] + reach * np.cos(arc), centre[1] - reach * np.sin(arc)], axis=1)
    labels = [
        Label("query", tips[0], colours.QUERY.text, True),
        Label("key", tips[1], colours.KEY.text, True),
        Label(f"{degrees:.0f}\N{DEGREE SIGN}", corner, INK, False),
    ]
    name_points(axes, labels, area, [(centre, tips[0]), (centre, tips[1])], [*arc_points])
