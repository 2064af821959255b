"""Piles of numbers: how wide and how high they are drawn, what is said of them, and what is refused."""

import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch
from readable import faults

from helpers.drawing.spreads import spreads

NARROW = np.linspace(-1, 1, 201)


def outlines(picture):
    """Left and right end of where each pile stands above its ground, and its height."""
    lines = [line for line in picture.figure.axes[0].lines if len(line.get_xdata()) > 2]
    found = []
    for line in lines:
        x, y = np.array(line.get_xdata()), np.array(line.get_ydata())
        stands = y < y.max() - 1e-9
        found.append((x[stands].min(), x[stands].max(), y.max() - y.min()))
    return found


def test_a_set_twice_as_wide_stands_twice_as_wide_and_half_as_high():
    first, second = outlines(spreads({"a": NARROW, "b": 2 * NARROW}, x_label="numbers"))
    assert second[1] - second[0] == pytest.approx(2 * (first[1] - first[0]), rel=0.15)
    assert second[2] == pytest.approx(first[2] / 2, rel=0.15)
    assert sum(first[:2]) == pytest.approx(sum(second[:2]), abs=0.02)  # both in the middle


def test_an_arrow_reaches_as_far_as_the_standard_deviation():
    axes = spreads({"a": NARROW, "b": 3 * NARROW}, x_label="numbers").figure.axes[0]
    arrows = [child for child in axes.get_children() if isinstance(child, FancyArrowPatch)]
    reach = [abs(arrow._posA_posB[1][0] - arrow._posA_posB[0][0]) for arrow in arrows]
    assert reach == pytest.approx([reach[0], reach[0], 3 * reach[0], 3 * reach[0]])


def test_its_alt_text_reads_the_standard_deviations():
    picture = spreads({"narrow": NARROW, "wide": 10 * NARROW}, x_label="numbers")
    assert picture.alt == (
        "How widely numbers are spread, one pile below the other. Standard deviations: narrow: 0.6 and wide: 5.8."
    )


@pytest.mark.parametrize("factor", [1, 7, 20])
@pytest.mark.parametrize("name", ["b", "incomprehensibilities"])
def test_every_text_is_readable(factor, name):
    assert faults(spreads({"a": NARROW, name: factor * NARROW}, x_label="numbers")) == []


@pytest.mark.parametrize(
    ("samples", "says"),
    [
        ({"a": NARROW}, "samples must be a dictionary of 2 to 6 names"),
        ({"a": NARROW, "b": [1.0, 1]}, "must not be all alike"),
        ({"a": NARROW, "b": [1.0, float("nan")]}, "must be finite numbers"),
    ],
)
def test_what_cannot_be_drawn_is_refused(samples, says):
    with pytest.raises(ValueError, match=says):
        spreads(samples, x_label="numbers")
