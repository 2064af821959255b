"""The table of scores as tiles: how a fused kernel goes through it, and which parts local attention calculates."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from helpers.drawing import colours
from helpers.drawing.inputs import as_array
from helpers.drawing.paper import SMALL, WIDEST, arrow, line, page, write
from helpers.drawing.picture import FAINT, INK, PAPER, QUIET, Picture, style
from helpers.wording import counted

SIDE, LEFT, TOP = 0.46, 0.95, 0.85  # inches
NO_KEY = "-1"  # whichever it is


def attention_tiles(n_blocks: int = 4, row: int = 2, column: int = 1) -> Picture:
    """Draw the table in tiles of a block of queries by a block of keys, while one tile is in work.

    Parameters
    ----------
    n_blocks : int
        Blocks of queries, and of keys; 2 to 6.
    row, column : int
        The block of queries on the chip, and the block of keys that it meets now; `column` may not lie beyond `row`.

    Returns
    -------
    Picture
        The table without a mask and with a causal one, whose tiles beyond the diagonal are never made.

    Raises
    ------
    ValueError
        More or fewer blocks, or a tile that a causal mask closes.
    """
    if not (2 <= n_blocks <= 6 and 0 <= column <= row < n_blocks):
        raise ValueError(
            "attention_tiles draws 2 to 6 blocks and a tile with column <= row, but was given "
            f"{n_blocks} blocks, row {row} and column {column}."
        )
    wide = LEFT + SIDE * n_blocks + 0.75
    with style():
        figure, axes = page(2 * wide + 0.1, TOP + SIDE * n_blocks + 0.35)
        for k, causal in enumerate((False, True)):
            _panel(axes, k * wide, n_blocks, row, column, causal)
    made = n_blocks * (n_blocks + 1) // 2
    alt = (
        f"The table of scores as {n_blocks} by {n_blocks} tiles. Queries of block {row} stay on the chip, keys and "
        f"values stream past; in work is the tile of keys of block {column}. Without a mask "
        f"{counted(n_blocks**2, 'tile')} are made, with a causal mask {made}."
    )
    return Picture(figure, alt)


def _panel(axes: Axes, left: float, n_blocks: int, row: int, column: int, causal: bool) -> None:
    """One table, its tile in work and those beyond the diagonal."""
    made = n_blocks * (n_blocks + 1) // 2 if causal else n_blocks**2
    write(
        axes,
        left + 0.1,
        0.15,
        f"{'causal' if causal else 'no mask'}: {made} of {n_blocks**2} tiles",
        bold=True,
        ha="left",
    )
    x0, width = left + LEFT, SIDE * n_blocks
    write(axes, x0 + width / 2, 0.4, "keys and values, block by block", size=SMALL)
    for i in range(n_blocks):
        for j in range(n_blocks):
            look: dict[str, Any] = {"facecolor": PAPER, "edgecolor": QUIET}
            state = ""  # to come
            if causal and j > i:
                look = colours.HIDDEN
            elif i < row or (i == row and j < column):
                look, state = {"facecolor": colours.INPUT.tint, "edgecolor": QUIET}, "done"
            elif (i, j) == (row, column):
                look, state = {"facecolor": colours.LIT, "edgecolor": INK}, "now"
            axes.add_artist(Rectangle((x0 + SIDE * j, TOP + SIDE * i), SIDE, SIDE, linewidth=1, **look))
            write(axes, x0 + SIDE * (j + 0.5), TOP + SIDE * (i + 0.25), state, size=SMALL)  # clear of the arrow
        for y, role in ((0.56, colours.KEY), (0.69, colours.VALUE)):
            axes.add_artist(Rectangle((x0 + SIDE * i + 0.04, y), SIDE - 0.08, 0.11, facecolor=role.tint))
    y = TOP + SIDE * row
    axes.add_artist(Rectangle((x0 - 0.2, y + 0.04), 0.15, SIDE - 0.08, facecolor=colours.QUERY.tint))
    write(axes, x0 - 0.27, y + SIDE / 2, "queries,\non chip", size=SMALL, colour=colours.QUERY.text, ha="right")
    middle, end = y + SIDE / 2, x0 + (SIDE * (row + 1) - 0.06 if causal else width + 0.1)
    arrow(axes, (x0 + SIDE * column + 0.1, middle), (end, middle), INK, 1.4)
    if end < x0 + width:
        line(axes, (end + 0.1, middle), (x0 + width + 0.1, middle), INK, 1.2, ":")  # past the tiles that are never made
    write(axes, x0 + width + 0.14, middle, "output", size=SMALL, ha="left")


def window_blocks(mask: Any, n: int) -> Picture:
    """Draw which scores local attention calculates block by block, and which of them it uses.

    Parameters
    ----------
    mask : boolean tensor or array, (n_blocks, r, 3r)
        For each block of r queries and its window of 3r keys, which begins r before the block, what is open.
    n : int
        Queries and keys; what the last block and the windows have beyond them does not exist.

    Returns
    -------
    Picture
        The table of scores, each window framed. Keys outside of the text are all called -1.

    Raises
    ------
    TypeError
        A mask that holds no numbers.
    ValueError
        A window that is not three times its block, more than 12 queries, or an n that does not end in the last block.
    """
    opened = as_array(mask, "mask", "heads") > 0
    n_blocks, r, wide = opened.shape
    if wide != 3 * r or n_blocks * r > 12 or not (n_blocks - 1) * r < n <= n_blocks * r:
        raise ValueError(
            "window_blocks draws at most 12 queries in blocks of r, each with a window of 3r keys, and an n that ends "
            f"in the last block, but was given a mask of {opened.shape} and n = {n}."
        )
    opened.reshape(-1, wide)[n:] = False  # a query that does not exist sees nothing
    columns = n_blocks * r + 2 * r
    side = min(0.34, (WIDEST - 1.5) / columns)
    left, top, bottom = 1.1, 0.6, 0.6 + side * n_blocks * r
    with style():
        figure, axes = page(max(left + side * columns, 5.6) + 0.1, bottom + 0.5)
        write(axes, left + side * columns / 2, 0.15, "key", size=SMALL)
        write(axes, 0.1, (top + bottom) / 2, "query", size=SMALL, ha="left")
        for place in range(-r, columns - r):
            there = 0 <= place < n
            x = left + side * (place + r + 0.5)
            write(axes, x, 0.42, f"{place}" if there else NO_KEY, size=SMALL, colour=INK if there else QUIET)
        for query in range(n_blocks * r):
            y = top + side * (query + 0.5)
            there = query < n
            write(
                axes,
                left - 0.1,
                y,
                f"{query}" if there else "none",
                size=SMALL,
                colour=INK if there else QUIET,
                ha="right",
            )
            _row_of_windows(
                axes, (left, top + side * query), side, opened[query // r, query % r], query // r * r, columns
            )
        for block in range(n_blocks):
            corner = (left + side * r * block, top + side * r * block)
            axes.add_artist(
                Rectangle(corner, 3 * side * r, side * r, fill=False, edgecolor=INK, linewidth=1.8, zorder=3)
            )
        _legend_of_windows(axes, left, bottom + 0.28)
    used = int(opened.sum())
    alt = (
        f"The table of scores of {counted(n, 'token')} in {counted(n_blocks, 'block')} of "
        f"{counted(r, 'query', 'queries')}, each with a framed window of {3 * r} keys. "
        f"Of {opened.size} scores that are calculated {used} are open. "
    )
    return Picture(figure, alt + _windows_in_words(opened, n))


def _row_of_windows(
    axes: Axes, corner: tuple[float, float], side: float, opened: np.ndarray, start: int, columns: int
) -> None:
    """One query's cells: those of its window open or closed, (3r,), all others empty."""
    for column in range(columns):
        look: dict[str, Any] = {"facecolor": PAPER, "edgecolor": FAINT}
        if start <= column < start + len(opened):
            is_open = opened[column - start]
            look = {"facecolor": colours.LIT, "edgecolor": QUIET} if is_open else colours.HIDDEN
        axes.add_artist(Rectangle((corner[0] + side * column, corner[1]), side, side, linewidth=0.7, **look))


def _legend_of_windows(axes: Axes, x: float, y: float) -> None:
    for name, look in {
        "open": {"facecolor": colours.LIT, "edgecolor": QUIET},
        "calculated, closed": colours.HIDDEN,
        "never calculated": {"facecolor": PAPER, "edgecolor": FAINT},
    }.items():
        axes.add_artist(Rectangle((x, y - 0.08), 0.16, 0.16, linewidth=0.7, **look))
        write(axes, x + 0.24, y, name, size=SMALL, ha="left")
        x += 0.24 + 0.075 * len(name) + 0.3


def _windows_in_words(opened: np.ndarray, n: int) -> str:
    r = opened.shape[1]
    rows = []
    for query in range(n):
        places = query // r * r - r + np.flatnonzero(opened[query // r, query % r])
        rows.append(f"query {query} sees keys {places.min()} to {places.max()}")
    return "; ".join(rows).capitalize() + "."
