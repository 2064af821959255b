"""Pictures of what attention costs: what is drawn, what is said about it, and what is refused."""

import pytest
from drawn import texts
from readable import faults

from helpers.drawing.costs import accuracy_against_cost, memory_traffic, online_softmax

FULL = [(2048, [0.5, 0.6]), (4096, [1.0, 1.0])]
RUNS = {"more or less": {"full": FULL, "linear": [(1024, [0.25, 0.75])]}, "full alone": {"full": FULL}}
TRAFFIC = {"table": {"write scores": 16.8, "read scores": 16.8}, "fused": {"read keys": 5, "write output": 0.3}}


def test_softmax_in_blocks_says_what_shrinks() -> None:
    picture = online_softmax([2, 0, 3, 2], size=2)
    shown = texts(picture.figure.axes[0])
    assert {"block 0: largest 2", "blocks 0 and 1: largest 3", "sum 1.14", "sum 1.79", "so far \u00d7 0.37"} <= set(
        shown
    )
    assert "those so far shrunk by 0.37, and the sum is 1.79" in picture.alt and not faults(picture)


def test_a_block_with_nothing_larger_changes_nothing_before_it() -> None:
    picture = online_softmax([3, 0, 1, 2, 0, 1], size=2)
    assert picture.alt.count("those so far unchanged") == 2 and not faults(picture)


def test_traffic_has_a_bar_for_each_step_on_one_scale() -> None:
    picture = memory_traffic(TRAFFIC, unit="million numbers")
    (axes,) = picture.figure.axes
    widths = [
        bar.get_width() for bar in axes.findobj() if type(bar).__name__ == "Rectangle" and bar.get_height() == 0.17
    ]
    assert [round(width / widths[0], 3) for width in widths] == [1, 1, round(5 / 16.8, 3), round(0.3 / 16.8, 3)]
    assert (
        "table: 33.6 million numbers" in texts(axes)
        and "fused, 5.3 in all: read keys 5, write output 0.3" in picture.alt
    )
    assert not faults(picture)


def test_accuracy_is_drawn_with_its_range() -> None:
    picture = accuracy_against_cost(RUNS, x_label="numbers kept", chance=1 / 16)
    axes = picture.figure.axes[0]
    means = {container.get_label(): container.lines[0].get_ydata().tolist() for container in axes.containers}
    assert means["full"] == pytest.approx([0.55, 1.0]) and means["linear"] == [0.5]
    ends = axes.containers[1].lines[2][0].get_segments()[0][:, 1].tolist()
    assert ends == [0.25, 0.75]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1,024", "", "4,096"]
    assert "linear: 0.50 (0.25 to 0.75) at 1,024. full alone: full: 0.55" in picture.alt and not faults(picture)


def test_panels_of_accuracy_have_one_scale() -> None:
    left, right = accuracy_against_cost(RUNS, x_label="numbers kept", chance=1 / 16).figure.axes
    assert [left.get_title(), right.get_title()] == list(RUNS)
    assert left.get_xlim() == right.get_xlim() and left.get_ylim() == right.get_ylim()


def test_dots_at_one_cost_stand_side_by_side_and_the_others_at_their_cost() -> None:
    runs = {"full": [(256, [0.5]), (512, [1.0])], "latent": [(256, [0.5])]}
    axes = accuracy_against_cost({"all": runs}, x_label="numbers kept", chance=1 / 16).figure.axes[0]
    full, latent = (container.lines[0].get_xdata().tolist() for container in axes.containers)
    assert full[1] == 512 and full[0] < 256 < latent[0] and full[0] * latent[0] == pytest.approx(256**2)


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda: online_softmax([1, 2], size=2), "two or three blocks, but there are 2 in 1 block"),
        (lambda: online_softmax([1, 2], size=3), "size must be from 1 to 2"),
        (lambda: memory_traffic({"a": {}}, unit="x"), "each with its steps"),
        (lambda: memory_traffic({"a": {"b": -1}}, unit="x"), "must not be below 0"),
        (lambda: accuracy_against_cost({}, x_label="x", chance=0.5), "one to three panels, but there are 0"),
        (lambda: accuracy_against_cost({"a": {"b": []}}, x_label="x", chance=0.5), "each with its sizes"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        draw()
