"""The table of scores in tiles: how many are made, which is in work, and what cannot be drawn."""

import pytest
from matplotlib.colors import to_hex
from readable import faults

from helpers.drawing import colours
from helpers.drawing.tiles import SIDE, attention_tiles


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
