"""The table of scores in tiles: how many are made, which is in work, and what cannot be drawn."""

import numpy as np
import pytest
from drawn import texts
from matplotlib.colors import to_hex
from readable import faults

from helpers.drawing import colours
from helpers.drawing.tiles import SIDE, attention_tiles, window_blocks


def test_a_causal_mask_leaves_out_the_tiles_beyond_the_diagonal() -> None:
    picture = attention_tiles(n_blocks=4, row=2, column=1)
    (axes,) = picture.figure.axes
    tiles = [patch for patch in axes.findobj() if getattr(patch, "get_width", lambda: 0)() == pytest.approx(SIDE)]
    assert len(tiles) == 32 and sum(tile.get_hatch() is not None for tile in tiles) == 6
    assert sum(to_hex(tile.get_facecolor()) == colours.LIT for tile in tiles) == 2
    assert "16 tiles are made, with a causal mask 10." in picture.alt
    assert faults(picture) == []


@pytest.mark.parametrize("given", [(1, 0, 0), (7, 0, 0), (4, 4, 0), (4, 1, 2)])
def test_what_cannot_be_drawn_is_refused(given: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="2 to 6 blocks and a tile with column <= row"):
        attention_tiles(*given)


def windows(n: int, r: int) -> np.ndarray:
    """What is open in the window of each block: (n_blocks, r, 3r)."""
    first = r * np.arange(-(-n // r))[:, None, None]
    query, key = first + np.arange(r)[:, None], first - r + np.arange(3 * r)
    return (abs(query - key) <= r) & (key >= 0) & (key < n)


@pytest.mark.parametrize(("n", "r"), [(5, 2), (12, 2), (9, 3), (1, 1)])
def test_each_block_has_a_framed_window_with_what_is_open(n: int, r: int) -> None:
    mask = windows(n, r)
    picture = window_blocks(mask, n)
    mask.reshape(-1, 3 * r)[n:] = False  # queries that do not exist
    (axes,) = picture.figure.axes
    cells = [patch for patch in axes.patches if patch.get_linewidth() == 0.7][:-3]  # without the legend
    frames = [patch for patch in axes.patches if patch.get_linewidth() == 1.8]
    assert len(frames) == len(mask)
    assert sum(to_hex(cell.get_facecolor()) == colours.LIT for cell in cells) == mask.sum()
    assert sum(cell.get_hatch() is not None for cell in cells) == (~mask).sum()
    missing = len(mask) * r - n
    assert texts(axes).count("none") == missing and texts(axes).count("-1") == 2 * r + missing
    assert f"Of {mask.size} scores that are calculated {mask.sum()} are open" in picture.alt
    assert faults(picture) == []


def test_the_alt_text_says_which_keys_each_query_sees() -> None:
    assert "Query 0 sees keys 0 to 2;" in window_blocks(windows(5, 2), 5).alt
    assert "query 4 sees keys 2 to 4." in window_blocks(windows(5, 2), 5).alt


@pytest.mark.parametrize(("shape", "n"), [((3, 2, 5), 5), ((7, 2, 6), 13), ((3, 2, 6), 4), ((3, 2, 6), 7)])
def test_windows_that_do_not_fit_are_refused(shape: tuple[int, int, int], n: int) -> None:
    with pytest.raises(ValueError, match="an n that ends in the last block, but was given a mask of"):
        window_blocks(np.ones(shape, dtype=bool), n)
