"""What cheaper ways of attention keep, drawn: slabs of keys and values, places that roll, a table that grows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Polygon, Rectangle

from helpers.drawing import colours
from helpers.drawing.inputs import as_array, check_number
from helpers.drawing.paper import (
    ARROW,
    ELLIPSIS,
    PLAIN,
    SMALL,
    WIDEST,
    cells,
    frame,
    line,
    page,
    squares,
    text_width,
    write,
)
from helpers.drawing.picture import FAINT, INK, PAPER, QUIET, Picture, style
from helpers.wording import counted, listed

Way = int | tuple[int, int]  # heads of keys and values, or the numbers of a latent and of its rotary key

LABELS, BETWEEN = 0.75, 0.22  # inches: for the names of rows, and from one small drawing to the next
WIDEST_HEAD, SLAB = 0.34, 0.3  # of a head's numbers at most; how high each row of slabs is
QUERIES, KEYS, LATENT = 0.36, 1.16, 2.18  # where rows begin, from the top; values lie right below keys
LATENT_FILL = colours.NEUTRAL_TINTS[2]


def kept_of_a_token(
    ways: Mapping[str, Way], *, n_heads: int, d_head: int, amounts: Sequence[str] | None = None
) -> Picture:
    """Draw what ways of attention keep of one token, on one scale: an area says how many numbers.

    Parameters
    ----------
    ways : dict of str to int, or to (int, int)
        For each way, at most 4, how many heads of keys and values are kept; or for latent attention the numbers of the
        latent and those of the small rotary key beside it, 0 where there is none.
    n_heads : int
        Heads of queries.
    d_head : int
        Numbers in a query, in a key and in a value.
    amounts : list of str, optional
        What stands below each way; when left out how many numbers are kept.

    Returns
    -------
    Picture
        For each way a row of queries, one for each head, and lines to the key that each of them meets. What is kept is
        filled; keys and values that are made of a latent when they are needed are only outlined.

    Raises
    ------
    TypeError
        A number of heads that is not whole.
    ValueError
        No way or more than 4, heads that do not divide the heads of queries, other than one amount for each way.
    """
    check_number(n_heads, "n_heads", 64)
    check_number(d_head, "d_head", 1024)
    if not 1 <= len(ways) <= 4 or (amounts is not None and len(amounts) != len(ways)):
        raise ValueError("ways must be 1 to 4, and amounts, where given, one for each of them.")
    for name, way in ways.items():
        _check_way(name, way, n_heads)
    sizes = [_numbers(way, d_head) for way in ways.values()]
    below = list(amounts or [counted(size, "number") for size in sizes])
    wide = min((WIDEST - LABELS - BETWEEN * len(ways)) / len(ways), WIDEST_HEAD * n_heads)
    wide = max(wide, *(text_width(name, bold=True) for name in ways), *(text_width(text) for text in below))
    latents = any(isinstance(way, tuple) for way in ways.values())
    bottom = (LATENT + SLAB if latents else KEYS + 2 * SLAB) + 0.25
    unit = min(wide / n_heads, WIDEST_HEAD) / d_head  # inches of a number
    with style():
        figure, axes = page(LABELS + (wide + BETWEEN) * len(ways), bottom + 0.2)
        _name_rows(axes)
        for k, (name, way) in enumerate(ways.items()):
            middle = LABELS + (wide + BETWEEN) * k + wide / 2
            write(axes, middle, 0.15, name, bold=True)
            _draw_way(axes, middle, way, n_heads, d_head * unit, unit)
            write(axes, middle, bottom, below[k])
    said = [
        f"{name}: {_kept_in_words(way, n_heads, d_head)}, {text}"
        for (name, way), text in zip(ways.items(), below, strict=True)
    ]
    heads = f"{counted(n_heads, 'head')} of queries with {counted(d_head, 'number')} each"
    return Picture(figure, f"What is kept of a token, to scale. Above stand {heads}. {'; '.join(said)}.")


def _check_way(name: str, way: Way, n_heads: int) -> None:
    if isinstance(way, tuple):
        if len(way) != 2 or way[0] < 1 or way[1] < 0:
            raise ValueError(f"ways[{name!r}] must be the numbers of a latent and of a rotary key, but is {way}.")
        return
    check_number(way, f"ways[{name!r}]", n_heads)
    if n_heads % way:
        raise ValueError(f"ways[{name!r}] must divide the {n_heads} heads of queries, but is {way}.")


def _numbers(way: Way, d_head: int) -> int:
    return sum(way) if isinstance(way, tuple) else 2 * way * d_head


def _name_rows(axes: Axes) -> None:
    rows = [("queries", QUERIES, colours.QUERY), ("keys", KEYS, colours.KEY), ("values", KEYS + SLAB, colours.VALUE)]
    for name, top, role in rows:
        write(axes, LABELS - 0.12, top + SLAB / 2, name, size=SMALL, colour=role.text, ha="right")


def _draw_way(axes: Axes, middle: float, way: Way, n_heads: int, head: float, unit: float) -> None:
    """One small drawing around its middle, where a head is `head` inches wide and a number `unit`."""
    n_keys = n_heads if isinstance(way, tuple) else way
    from_left, to_left = middle - head * n_heads / 2, middle - head * n_keys / 2
    kept = not isinstance(way, tuple)
    _slabs(axes, from_left, QUERIES, n_heads, head, colours.QUERY)
    for k in range(n_heads):
        above, below = from_left + head * (k + 0.5), to_left + head * (k // (n_heads // n_keys) + 0.5)
        line(axes, (above, QUERIES + SLAB), (below, KEYS), colours.KEY.line, 1.0 if n_heads <= 8 else 0.6)
    _slabs(axes, to_left, KEYS, n_keys, head, colours.KEY, kept)
    _slabs(axes, to_left, KEYS + SLAB, n_keys, head, colours.VALUE, kept)
    if isinstance(way, tuple):
        _draw_latent(axes, middle, way, head * n_heads, unit)


def _slabs(
    axes: Axes, left: float, top: float, count: int, width: float, role: colours.Role, kept: bool = True
) -> None:
    """A row of heads; where there is room for it with the number of each, and outlined where it is not kept."""
    for k in range(count):
        look: dict[str, Any] = {"facecolor": role.tint if kept else PAPER, "edgecolor": role.line, "linewidth": 0.6}
        axes.add_artist(Rectangle((left + width * k, top), width, SLAB, zorder=3, **look))
        if width > 0.2 and kept:
            write(axes, left + width * (k + 0.5), top + SLAB / 2, str(k), size=SMALL)


def _draw_latent(axes: Axes, middle: float, way: tuple[int, int], wide: float, unit: float) -> None:
    """The slab that is kept, what is made of it, and the small key beside it."""
    latent, rotary = way[0] * unit, way[1] * unit
    floor, left = KEYS + 2 * SLAB, middle - latent / 2
    corners = [(left, LATENT), (middle - wide / 2, floor), (middle + wide / 2, floor), (left + latent, LATENT)]
    axes.add_artist(Polygon(corners, closed=True, facecolor=colours.INPUT.tint, linewidth=0, zorder=1))
    write(axes, middle, floor + 0.15, "made when needed", size=SMALL, colour=QUIET)
    axes.add_artist(
        Rectangle((left, LATENT), latent, SLAB, facecolor=LATENT_FILL, edgecolor=INK, linewidth=0.8, zorder=3)
    )
    write(axes, left - 0.07, LATENT + SLAB / 2, "latent", size=SMALL, ha="right")
    if way[1]:
        x = left + latent + 0.05
        axes.add_artist(Rectangle((x, LATENT), rotary, SLAB, facecolor=colours.KEY.line, linewidth=0, zorder=3))
        write(axes, x + rotary + 0.06, LATENT + SLAB / 2, "rotary key", size=SMALL, colour=colours.KEY.text, ha="left")


def _kept_in_words(way: Way, n_heads: int, d_head: int) -> str:
    if isinstance(way, tuple):
        beside = f", and beside it one small key of {way[1]}" if way[1] else ""
        return f"a latent of {counted(way[0], 'number')}, of which the keys and values of all heads are made{beside}"
    each = n_heads // way
    if each == 1:
        return "a key and a value for each head"
    shared = f"shared by all {n_heads} heads" if way == 1 else _first_groups(n_heads, each)
    return f"{counted(way, 'key')} and {counted(way, 'value')}, {shared}"


def _first_groups(n_heads: int, each: int) -> str:
    """Which heads share: all of them when they are few, else those of the first key."""
    between = "and" if each == 2 else "to"
    groups = [f"one for heads {first} {between} {first + each - 1}" for first in range(0, n_heads, each)]
    return "; ".join(groups) if len(groups) <= 4 else f"{groups[0]} and so on"


PLACE, ROW = 0.62, 0.34  # inches: a token's column, a place's row


def rolling_places(kept: Sequence[Sequence[int]], n_sinks: int = 0) -> Picture:
    """Draw which tokens a cache holds after each token, place by place, and which it overwrites.

    Parameters
    ----------
    kept : list of lists of int
        For each token, 2 to 10, what stands in the places after it was read: shorter while places are empty.
    n_sinks : int
        How many of the first places keep their token for good.

    Returns
    -------
    Picture
        A column for each token and a row for each place. What is written has a thick frame, and where it replaces
        another token an arrow leads from that one.

    Raises
    ------
    ValueError
        Fewer than 2 or more than 10 tokens, no place or more than 8, more sinks than places.
    """
    n_places = max((len(row) for row in kept), default=0)
    if not 2 <= len(kept) <= 10 or not 1 <= n_places <= 8 or not 0 <= n_sinks < n_places:
        raise ValueError(
            "rolling_places draws 2 to 10 tokens in 1 to 8 places, of which fewer than all are sinks, but was given "
            f"{counted(len(kept), 'token')}, {counted(n_places, 'place')} and {counted(n_sinks, 'sink')}."
        )
    left, top, gap = 0.75, 0.5, 0.12 if n_sinks else 0.0
    with style():
        figure, axes = page(left + PLACE * len(kept) + 0.1, top + ROW * n_places + gap + 0.08)
        write(axes, left + PLACE * len(kept) / 2, 0.13, "after token", size=SMALL)
        for place in range(n_places):
            y = top + ROW * place + (gap if place >= n_sinks else 0)
            name = "sink" if place < n_sinks else f"place {place - n_sinks}"
            write(axes, left - 0.12, y + ROW / 2, name, size=SMALL, ha="right")
            for token in range(len(kept)):
                before = kept[token - 1][place : place + 1] if token else []
                _place(axes, left + PLACE * token, y, list(before), list(kept[token][place : place + 1]))
        for token in range(len(kept)):
            write(axes, left + PLACE * (token + 0.5), 0.37, str(token), size=SMALL)
    return Picture(figure, _rolling_alt(kept, n_sinks))


def _place(axes: Axes, x: float, y: float, before: list[int], now: list[int]) -> None:
    """One place after one token, with at most one token in it before and now."""
    written = now != before
    look: dict[str, Any] = {"facecolor": PAPER, "edgecolor": FAINT, "linewidth": 0.8}
    if now:
        look = {"facecolor": colours.KEY.tint, "edgecolor": INK if written else PAPER, "linewidth": 2 if written else 1}
    inset = 0.02
    axes.add_artist(
        Rectangle((x + inset, y + inset), PLACE - 2 * inset, ROW - 2 * inset, zorder=4 if written else 3, **look)
    )
    if now:
        text = f"{before[0]} {ARROW} {now[0]}" if written and before else str(now[0])
        write(axes, x + PLACE / 2, y + ROW / 2, text, size=PLAIN, bold=written)


def _rolling_alt(kept: Sequence[Sequence[int]], n_sinks: int) -> str:
    rows = [f"after token {token}: {listed([str(one) for one in row])}" for token, row in enumerate(kept)]
    gone = sorted({one for row in kept for one in row} - set(kept[-1]))
    first = "The first place keeps its token" if n_sinks == 1 else f"The first {n_sinks} places keep their tokens"
    sinks = f" {first} for good." if n_sinks else ""
    overwritten = f" Overwritten: {listed([str(one) for one in gone])}." if gone else ""
    return f"What a cache holds, place by place: {'; '.join(rows)}.{sinks}{overwritten}"


CELL, GAP, SPACE = 0.15, 0.06, 0.55  # inches: a number, between factors and what they make, between two states


def growing_table(key: Any, value: Any) -> Picture:
    """Draw linear attention: the table that is never made, and the small one that grows by a product for each token.

    Parameters
    ----------
    key : tensor, array or nested list, (n, d)
        After the function that makes them positive; 6 to 12 tokens of 2 to 4 numbers.
    value : tensor, array or nested list, (n, d_v)
        2 to 4 numbers each.

    Returns
    -------
    Picture
        On the left the outline of n by n, where as many queries would meet the keys. Beside it the table of d by d_v
        after the first token, after the second and after the last: each adds the product of its key, a column, and its
        value, a row. Blue and red as in every table of signed numbers.

    Raises
    ------
    TypeError
        What does not hold real numbers.
    ValueError
        Other sizes.
    """
    key, value = as_array(key, "key", "matrix"), as_array(value, "value", "matrix")
    sizes = key.shape[1], value.shape[1]
    if len(value) != len(key) or not 6 <= len(key) <= 12 or not 2 <= min(sizes) <= max(sizes) <= 4:
        raise ValueError(
            "growing_table draws 6 to 12 tokens, each with a key and a value of 2 to 4 numbers, but the shapes are "
            f"{key.shape} and {value.shape}."
        )
    n, (d, d_v) = len(key), sizes
    corner = 0.1 + CELL * d + GAP, 0.62 + CELL * d + GAP  # of the large table
    first, bottom = max(corner[0] + CELL * n + 0.55, 2.3), corner[1] + CELL * n
    with style():
        figure, axes = page(first + _pitch(d_v) * 3 - SPACE + 0.25, bottom + 0.42)
        _large_table(axes, n, d, corner)
        _states(axes, (first, (corner[1] + bottom - CELL * d) / 2), key, value)
        note = f"{counted(d * d_v, 'number')}, however long the text is"
        write(axes, first, 0.17, note, bold=True, ha="left")
    alt = (
        f"Queries and keys would meet in a table of {n} by {n}, {counted(n * n, 'number')}, which is never made. "
        f"Beside it, on the same scale, a table of {d} by {d_v} grows: each token adds the product of its key, a "
        f"column of {d}, and its value, a row of {d_v}. It is shown after tokens 0, 1 and {n - 1}."
    )
    return Picture(figure, alt)


def _pitch(d_v: int) -> float:
    """Inches from one state to the next."""
    return max(CELL * (d_v + 1) + GAP, 0.95) + SPACE


def _large_table(axes: Axes, n: int, d: int, corner: tuple[float, float]) -> None:
    """Queries at the left and keys on top, n of d numbers each, and dashed what they do not make."""
    (x, y), side = corner, CELL * n
    write(axes, 0.1, 0.17, f"{counted(n * n, 'number')}, never made", bold=True, ha="left")
    _grid(axes, x - GAP - CELL * d, y, (n, d), colours.QUERY)
    _grid(axes, x, y - GAP - CELL * d, (d, n), colours.KEY)
    axes.add_artist(Rectangle(corner, side, side, facecolor=PAPER, edgecolor=QUIET, linestyle="--", linewidth=1.2))
    write(axes, x + side / 2, y + side / 2, f"{n} by {n}", colour=QUIET)
    write(axes, x + side / 2, y - GAP - CELL * d - 0.13, "keys", size=SMALL, colour=colours.KEY.text)
    write(axes, x - GAP - CELL * d, y + side + 0.15, "queries", size=SMALL, colour=colours.QUERY.text, ha="left")


def _grid(axes: Axes, x: float, y: float, shape: tuple[int, int], role: colours.Role) -> None:
    for i in range(shape[0]):
        cells(axes, x, y + CELL * i, [""] * shape[1], role, CELL, CELL, framed=False)
    frame(axes, x, y, CELL * shape[1], CELL * shape[0], role)


def _states(axes: Axes, corner: tuple[float, float], key: np.ndarray, value: np.ndarray) -> None:
    """The sum of the products so far after the first token, the second and the last, each with its key and value."""
    states = np.cumsum(key[:, :, None] * value[:, None, :], axis=0)  # (n, d, d_v)
    limit = float(np.abs(states).max()) or 1.0
    colour_of = Normalize(-limit, limit)
    (x, y), wide, high = corner, CELL * (value.shape[1] + 1) + GAP, CELL * key.shape[1]
    for token in (0, 1, len(key) - 1):
        left = x + CELL + GAP
        _grid(axes, x, y, (key.shape[1], 1), colours.KEY)
        _grid(axes, left, y - CELL - GAP, (1, value.shape[1]), colours.VALUE)
        _filled(axes, left, y, colours.COLOURS_OF_SIGNED_NUMBERS(colour_of(states[token])))
        middle, above = (left + x + wide) / 2, y - CELL - GAP - 0.13
        write(axes, middle, above, f"value {token}", size=SMALL, colour=colours.VALUE.text)
        write(axes, x - 0.02, y + high + 0.14, f"key {token}", size=SMALL, colour=colours.KEY.text, ha="left")
        write(axes, x + wide / 2, y + high + 0.37, f"after token {token}", size=SMALL)
        if token:
            between = ARROW if token == 1 else f"{ELLIPSIS} {ARROW}"
            write(axes, x - SPACE / 2 - 0.05, y + high / 2, between, size=12, colour=QUIET)
        x += _pitch(value.shape[1])


def _filled(axes: Axes, x: float, y: float, fills: np.ndarray) -> None:
    """A table of coloured cells, (rows, columns, 4), in a frame."""
    rows, columns = fills.shape[:2]
    squares(axes, x, y, fills, CELL)
    whole = Rectangle((x, y), CELL * columns, CELL * rows, fill=False, edgecolor=INK, linewidth=1.2, zorder=4)
    axes.add_artist(whole)
