"""The table of scores as tiles: how a fused kernel goes through it, with a causal mask and without."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from helpers.drawing import colours
from helpers.drawing.paper import SMALL, arrow, line, page, write
from helpers.drawing.picture import INK, PAPER, QUIET, Picture, style
from helpers.wording import counted

SIDE, LEFT, TOP = 0.46, 0.95, 0.85  # inches


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
    write(axes, x0 + width / 2, 0.45, "keys and values, block by block", size=SMALL, colour=colours.KEY.text)
    for i in range(n_blocks):
        for j in range(n_blocks):
            look: dict[str, Any] = {"facecolor": PAPER, "edgecolor": QUIET}
            if causal and j > i:
                look = colours.HIDDEN
            elif i < row or (i == row and j < column):
                look = {"facecolor": colours.INPUT.tint, "edgecolor": QUIET}
            elif (i, j) == (row, column):
                look = {"facecolor": colours.LIT, "edgecolor": INK}
            axes.add_artist(Rectangle((x0 + SIDE * j, TOP + SIDE * i), SIDE, SIDE, linewidth=1, **look))
        axes.add_artist(Rectangle((x0 + SIDE * i + 0.04, 0.62), SIDE - 0.08, 0.15, facecolor=colours.KEY.tint))
    y = TOP + SIDE * row
    axes.add_artist(Rectangle((x0 - 0.2, y + 0.04), 0.15, SIDE - 0.08, facecolor=colours.QUERY.tint))
    write(axes, x0 - 0.27, y + SIDE / 2, "queries,\non chip", size=SMALL, colour=colours.QUERY.text, ha="right")
    middle, end = y + SIDE / 2, x0 + (SIDE * (row + 1) - 0.06 if causal else width + 0.1)
    arrow(axes, (x0 + SIDE * column + 0.1, middle), (end, middle), INK, 1.4)
    if end < x0 + width:
        line(axes, (end + 0.1, middle), (x0 + width + 0.1, middle), INK, 1.2, ":")  # past the tiles that are never made
    write(axes, x0 + width + 0.14, middle, "output", size=SMALL, ha="left")
