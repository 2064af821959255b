"""Diagrams: the order of what stands in them, and how far the first word has come."""

from collections import Counter

import pytest
from drawn import texts
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

from helpers import course_strip, layer_diagram, pipeline, routes, stage_strip
from helpers.drawing.diagrams import GROUPS, REACHED, STAGES


def test_pipeline_shows_what_flows_through_the_nine_stages_and_then_a_list() -> None:
    for stage in range(1, 10):
        assert pipeline(stage).alt == stage_strip(stage).alt
    for lesson in range(10, len(STAGES) + 1):
        assert pipeline(lesson).alt == course_strip(lesson, GROUPS).alt
        assert STAGES[lesson - 1] in pipeline(lesson).alt.rpartition(". ")[2]


def reached(axes: Axes) -> dict[int, int]:
    """How many dots of each row have heard of the first word, from the bottom."""
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    return dict(Counter(int(dot.get_ydata()[0]) for dot in dots if to_hex(dot.get_color()) == REACHED.lower()))


def test_routes_show_how_far_the_first_word_has_come() -> None:
    recurrent, convolution, attention = routes(["i", "have", "a", "dream", "today", "too"]).figure.axes
    assert reached(recurrent) == {0: 1, 1: 6}
    assert reached(convolution) == {0: 1, 1: 3, 2: 5, 3: 6}
    assert reached(attention) == {0: 1, 1: 6}
    titles = [axes.get_title() for axes in (recurrent, convolution, attention)]
    assert titles == ["RNN: 5 steps from word to word", "CNN, window 3: 3 layers", "attention: 1 step"]
    for axes in (recurrent, convolution, attention):
        words = sorted((text.get_position()[0], text.get_text()) for text in axes.texts if text.get_text())
        assert words == list(enumerate(["i", "have", "a", "dream", "today", "too"]))


@pytest.mark.parametrize("reads", ["self", "cross"])
def test_sublayers_stand_in_their_order_from_the_bottom(reads: str) -> None:
    axes = layer_diagram(["self", "cross", "feed-forward"], {reads: "memory"}).figure.axes[0]
    heights = {text.get_text(): text.get_position()[1] for text in axes.texts if text.get_text() != "add & norm"}
    assert heights["memory"] == heights[reads]
    order = ["input", "self", "cross", "feed-forward", "output"]
    assert sorted(order, key=heights.__getitem__) == order
    assert texts(axes).count("add & norm") == 3
