"""Two dots for each pair: where they stand, what the alt text reads, and what is refused."""

import pytest

from helpers.drawing.colours import NEUTRAL
from helpers.drawing.shifts import shifts

VALUES = [[0.75, 0.5], [0.2, 0.3]]


def test_each_pair_is_a_row_with_its_two_values() -> None:
    picture = shifts(VALUES, ["cat, mouse", "car, bus"], x_label="share", title="Two pairs")
    (axes,) = picture.figure.axes
    half, *lines = axes.lines
    assert half.get_xdata() == [0.5, 0.5]
    assert [line.get_xdata().tolist() for line in lines] == VALUES
    assert [line.get_color() for line in lines] == NEUTRAL[:2]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["cat, mouse", "car, bus"]
    assert picture.alt == (
        "Two pairs. share, filled dot and hollow dot. cat, mouse: 0.75 and 0.50; car, bus: 0.20 and 0.30."
    )


def test_what_is_no_pair_of_shares_is_refused() -> None:
    for values in ([[0.5, 1.5]], [[0.1, 0.2, 0.3]]):
        with pytest.raises(ValueError, match="two shares from 0 to 1"):
            shifts(values, ["one"], x_label="share")
    with pytest.raises(ValueError, match="names"):
        shifts(VALUES, ["one"], x_label="share")
