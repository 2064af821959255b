"""The picture of weighted values: what is drawn, what is said about it, and what is refused."""

import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from readable import faults

from helpers.drawing.colours import VALUE
from helpers.drawing.sheets import sheets

VALUES = torch.tensor([[1.0, 1, 0], [0, 0, 0], [1, 0, 1]])
KEYS, COLUMNS = ["animal", "didn't", "street"], ["thing", "alive", "place"]
LONG = "incomprehensibilities"


@pytest.mark.parametrize(
    "draw",
    [
        lambda: sheets([[0.8, 0.1, 0.1], [0.3, 0.4, 0.3]], VALUES, ["it", "animal"], KEYS, COLUMNS),
        lambda: sheets(torch.full((1, 12), 1 / 12), -torch.ones(12, 4), ["it"], [LONG] * 12, ["place"] * 4),
        lambda: sheets([[1.0]], [[0.0]], ["it"], ["it"], ["x"]),
    ],
)
def test_every_text_is_readable(draw):
    assert faults(draw()) == []


def test_alt_text_reads_the_rows_that_hold_something():
    assert sheets([[0.5, 0.2, 0.3]], VALUES, ["it"], KEYS, COLUMNS).alt == (
        "Weighted values (1, 3, 3), one sheet for each query, with a row for each key and the columns thing, alive and "
        "place. it: 0.50 of animal is [0.50, 0.50, 0.00], 0.30 of street is [0.30, 0.00, 0.30], and 1 row of zeros."
    )
    assert sheets([[1.0]], [[0.0]], ["it"], ["a"], ["x"]).alt.endswith("it: 1 row of zeros.")


def test_a_key_that_hands_over_zeros_has_a_white_row():
    axes = sheets([[0.5, 0.2, 0.3]], VALUES, ["it"], KEYS, COLUMNS).figure.axes[0]
    cells = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_fill()]
    assert [to_hex(cell.get_facecolor()) for cell in cells] == [VALUE.tint] * 6
    assert [text.get_text() for text in axes.texts].count("0.00") == 3 + 2  # a zero is written alike in every row


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("values must have a row for each of the 2 keys, but has 3", ([[0.5, 0.5]], VALUES, ["it"], KEYS, COLUMNS)),
        ("at most 12 keys", ([[0.05] * 13], torch.ones(13, 1), ["it"], ["a"] * 13, ["x"])),
        ("draw fewer queries", (torch.full((5, 3), 0.3), VALUES, ["it"] * 5, KEYS, COLUMNS)),
        ("column_labels must name each of the 3 columns", ([[0.3] * 3], VALUES, ["it"], KEYS, ["x"])),
    ],
)
def test_what_does_not_fit_is_refused(message, arguments):
    with pytest.raises(ValueError, match=message):
        sheets(*arguments)
