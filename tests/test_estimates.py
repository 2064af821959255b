"""Numbers with their intervals: where they are drawn, what stands beside them, and what is refused."""

import pytest
from drawn import texts
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from helpers.drawing.estimates import by_luck, estimates

MINUS = "\N{MINUS SIGN}"


def test_each_value_is_drawn_in_its_row_with_its_interval() -> None:
    picture = estimates({"a": 1.5, "b": -2}, {"b": 0.5, "a": 2}, x_label="points", baseline=0, title="Gains")
    axes = picture.figure.axes[0]
    dots = [container.lines[0].get_xydata().tolist() for container in axes.containers]
    bars = [container.lines[2][0].get_segments()[0].tolist() for container in axes.containers]
    assert dots == [[[1.5, 0]], [[-2, 1]]]
    assert bars == [[[-0.5, 0], [3.5, 0]], [[-2.5, 1], [-1.5, 1]]]
    assert axes.yaxis_inverted() and [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    assert {"1.50", f"{MINUS}2"} <= set(texts(axes))
    assert (axes.get_xlabel(), axes.get_title(loc="left")) == ("points", "Gains")


def test_its_alt_text_says_on_which_side_of_the_baseline_an_interval_lies() -> None:
    alt = estimates({"a": 1.5, "b": -2, "c": 9}, {"a": 2, "b": 0.5, "c": 1}, x_label="points", baseline=0).alt
    assert alt == (
        f"points. a: 1.50, from {MINUS}0.50 to 3.50, holds 0; "
        f"b: {MINUS}2, from {MINUS}2.50 to {MINUS}1.50, below 0; c: 9, from 8 to 10, above 0."
    )
    assert "holds" not in estimates({"a": 1}, {"a": 2}, x_label="points").alt


def test_a_value_without_an_interval_is_a_dot_alone() -> None:
    picture = estimates({"a": 1.5, "b": 2}, {"a": 0, "b": 1}, x_label="points", baseline=0)
    alone, with_interval = picture.figure.axes[0].containers
    assert not alone.has_xerr and with_interval.has_xerr
    assert picture.alt == "points. a: 1.50, above 0; b: 2, from 1 to 3, above 0."


def test_intervals_of_another_kind_have_a_colour_of_their_own() -> None:
    axes = estimates({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 1, "c": 1}, x_label="", apart=["b"]).figure.axes[0]
    colours = [container.lines[0].get_color() for container in axes.containers]
    assert colours[0] == colours[2] != colours[1]
    with pytest.raises(ValueError, match=r"apart must hold names of values, \['a'\], but is \['b'\]"):
        estimates({"a": 1}, {"a": 1}, x_label="", apart=["b"])


@pytest.mark.parametrize(
    ("values", "errors", "says"),
    [
        ({"a": 1}, {"b": 1}, r"errors must have the names of values, \['a'\], but has \['b'\]"),
        ({"a": 1}, {"a": -1}, "errors must not be below 0, but the smallest is -1"),
        ({"a": float("nan")}, {"a": 1}, "nan"),
        ({}, {}, "values"),
    ],
)
def test_what_cannot_be_drawn_is_refused(values: dict, errors: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        estimates(values, errors, x_label="points")


def test_luck_is_drawn_as_shares_with_the_observed_count_marked() -> None:
    picture = by_luck([20, 21, 21, 23], 22, x_label="right", title="Coins")
    axes = picture.figure.axes[0]
    assert [bar.get_height() for bar in axes.patches[:4]] == [0.25, 0.5, 0, 0.25]
    colours = [bar.get_facecolor() for bar in axes.patches[:4]]
    assert colours[0] == colours[1] != colours[2] == colours[3]
    assert "observed: 22" in texts(axes)
    assert picture.alt.endswith("Observed: 22, which luck reaches in 25% of 4 tries.")
    with pytest.raises(ValueError, match="counts must be whole numbers"):
        by_luck([0.5], 1, x_label="right")


def test_the_observed_count_is_named_above_the_bars_beside_it() -> None:
    figure = by_luck([12, *[15] * 4, 16, 16, 19], 16, x_label="right").figure
    axes, renderer = figure.axes[0], FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    label = next(text for text in axes.texts if text.get_text() == "observed: 16")
    box = Text.get_window_extent(label, renderer)  # without the arrow
    assert not any(box.overlaps(bar.get_window_extent(renderer)) for bar in axes.patches[:8])
    assert box.y1 < axes.get_window_extent(renderer).y1
