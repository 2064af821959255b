"""Curves, bars and points: the numbers that are drawn, and the names that stand beside them."""

import numpy as np
import pytest
from drawn import texts
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

from helpers import bars, curves, plane, stacked_bars
from helpers.drawing.colours import KEY, NEUTRAL, OUTPUT, QUERY, VALUE, WEIGHT

MINUS = "\N{MINUS SIGN}"


def legend(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_a_legend_aside_stands_to_the_right_of_the_lines() -> None:
    axes = curves([0, 1], {"a": [0, 1], "b": [1, 0]}, x_label="x", y_label="y", aside=True).figure.axes[0]
    axes.figure.draw_without_rendering()
    assert axes.get_legend().get_window_extent().x0 >= axes.bbox.x1


def test_the_part_beyond_is_shaded_and_named() -> None:
    drawn = curves([3, 4, 5, 6], {"a": [1, 1, 0, 0]}, x_label="x", y_label="y", beyond=(4.5, "not seen"))
    axes = drawn.figure.axes[0]
    (shade,) = axes.patches
    assert shade.get_extents().transformed(axes.transData.inverted()).x0 == pytest.approx(4.5)
    assert axes.get_legend() is not None and drawn.alt.endswith("Shaded from 4.5 on: not seen.")


def test_curves_are_drawn_through_their_points_each_in_a_look_of_its_own() -> None:
    axes = curves(
        [1, 2, 4], {"a": [3, 1, 2], "b": [0, 5, 6]}, x_label="epoch", y_label="loss", title="Training"
    ).figure.axes[0]
    drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert drawn == {"a": [[1, 3], [2, 1], [4, 2]], "b": [[1, 0], [2, 5], [4, 6]]}
    assert legend(axes) == ["a", "b"]
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in axes.lines}
    assert all(len(set(kind)) == 2 for kind in zip(*looks, strict=True)), "not by colour alone"
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left")) == ("epoch", "loss", "Training")


@pytest.mark.parametrize(("log_x", "log_y"), [(True, False), (False, True)])
def test_axes_are_logarithmic_where_asked_for(log_x: bool, log_y: bool) -> None:
    drawn = curves([1, 2, 8], {"a": [3, 1, 100]}, x_label="x", y_label="y", log_x=log_x, log_y=log_y)
    axes = drawn.figure.axes[0]
    assert (axes.get_xscale() == "log", axes.get_yscale() == "log") == (log_x, log_y)
    if log_x:
        assert axes.get_xticks().tolist() == [1, 2, 8]


@pytest.mark.parametrize(
    ("y", "wanted"),
    [([2.8, 7.7, 41], {"5", "10", "20"}), ([3, 5], {"5"}), ([0.002, 1, 80], {"0.01", "0.1", "1", "10"})],
)
def test_a_logarithmic_y_axis_has_plain_numbers(y: list[float], wanted: set[str]) -> None:
    axes = curves(range(len(y)), {"a": y}, x_label="x", y_label="y", log_y=True).figure.axes[0]
    axes.figure.canvas.draw()
    texts = {label.get_text() for label in [*axes.get_yticklabels(), *axes.get_yticklabels(minor=True)]} - {""}
    assert wanted <= texts and not any("$" in text for text in texts)


def test_bars_are_as_high_as_their_numbers_say_and_stand_over_their_names() -> None:
    axes = bars({"a": [1, -2.5, 3], "b": [0.25, 4, 0]}, ["x", "y", "z"], y_label="size", title="t").figure.axes[0]
    first, second = axes.containers
    assert [bar.get_height() for bar in first] == [1, -2.5, 3]
    assert [bar.get_height() for bar in second] == [0.25, 4, 0]
    above = {(round(float(label.xy[0]), 2), label.xy[1]): label.get_text() for label in axes.texts}
    middles = [[round(bar.get_x() + bar.get_width() / 2, 2) for bar in group] for group in (first, second)]
    assert [above[x, bar.get_height()] for x, bar in zip(middles[0], first, strict=True)] == ["1", f"{MINUS}2.50", "3"]
    assert [above[x, bar.get_height()] for x, bar in zip(middles[1], second, strict=True)] == ["0.25", "4", "0"]
    assert middles == [[-0.2, 0.8, 1.8], [0.2, 1.2, 2.2]]
    names = [(label.get_position()[0], label.get_text()) for label in axes.get_xticklabels()]
    assert names == [(0, "x"), (1, "y"), (2, "z")]
    assert legend(axes) == ["a", "b"] and axes.get_ylabel() == "size" and axes.get_title(loc="left") == "t"


def test_stacked_bars_add_up() -> None:
    picture = stacked_bars([[1, 4], [1, 3]], ["a", "b"], ["x", "y"], y_label="size")
    tops = {text.get_text() for text in picture.figure.axes[0].texts}
    assert {"2", "7"} <= tops and "x: 1 + 1 = 2; y: 4 + 3 = 7" in picture.alt


def test_plane_keeps_both_scales_equal_and_names_apart() -> None:
    axes = plane({"a": (0, 0), "b": (8, 1), "c": (8, 1.01)}).figure.axes[0]
    assert axes.get_aspect() == 1
    labels = {label.get_text(): label for label in axes.texts}
    assert labels["b"].xyann != labels["c"].xyann  # b and c lie on the same spot


def test_parts_are_stacked_in_their_order_and_the_legend_is_read_as_they_stand() -> None:
    axes = stacked_bars([[1, 4], [2, 3], [0.01, 0.5]], ["a", "b", "c"], ["x", "y"], y_label="size").figure.axes[0]
    stacked = [[(bar.get_y(), bar.get_height()) for bar in part] for part in axes.containers]
    assert np.allclose(stacked, [[(0, 1), (0, 4)], [(1, 2), (4, 3)], [(3, 0.01), (7, 0.5)]])
    assert legend(axes) == ["c", "b", "a"]
    placed = {(text.get_position()): text.get_text() for text in axes.texts}
    assert placed == {(0, 0.5): "1", (1, 2): "4", (0, 2): "2", (1, 5.5): "3", (0, 3.01): "3.01", (1, 7.5): "7.50"}
    assert [label.get_text() for label in axes.get_xticklabels()] == ["x", "y"]


def test_no_name_lies_on_an_edge_of_the_region_or_on_another_point() -> None:
    corners = {"value 0": (2, 3), "value 1": (8, 0), "value 2": (6, 3)}
    outputs = {"output 0": (6.32, 1.70), "output 1": (7.81, 0.27), "output 2": (7.48, 0.74)}
    axes = plane({**corners, **outputs}, region=list(corners)).figure.axes[0]
    shares = np.linspace(0, 1, 200)[:, None]
    ends = [np.array(corner) for corner in corners.values()]
    edges = [start + shares * (end - start) for start, end in zip(ends, ends[1:] + ends[:1], strict=True)]
    for label in axes.texts:
        drawn = np.concatenate([*edges, [point for name, point in outputs.items() if name != label.get_text()]])
        assert not label.get_window_extent().count_contains(axes.transData.transform(drawn)), label.get_text()


def test_parts_do_not_wear_the_colours_of_roles() -> None:
    axes = stacked_bars([[1, 4], [1, 3], [2, 2]], ["a", "b", "c"], ["x", "y"], y_label="size").figure.axes[0]
    parts = {to_hex(part[0].get_facecolor()) for part in axes.containers}
    assert len(parts) == 3 and not parts & {role.line.lower() for role in (QUERY, KEY, VALUE, OUTPUT)}


@pytest.mark.parametrize("arrows", [False, True])
def test_points_lie_where_they_are_named(arrows: bool) -> None:
    axes = plane(
        {"a": (1, -2), "b": (3, 0.5)}, arrows=arrows, region=["b", "a"], x_label="first", y_label="second", title="t"
    ).figure.axes[0]
    points = [line.get_xydata().tolist() for line in axes.lines if line.get_marker() != "None"]
    assert points == [[[1, -2]], [[3, 0.5]]]
    named = {label.get_text(): tuple(label.xy) for label in axes.texts if label.get_text()}
    assert named == {"a": (1, -2), "b": (3, 0.5)}
    ends = [(arrow.xyann, tuple(arrow.xy)) for arrow in axes.texts if arrow.arrow_patch]
    assert ends == ([((0, 0), (1, -2)), ((0, 0), (3, 0.5))] if arrows else [])
    assert axes.patches[0].get_xy().tolist()[:2] == [[3, 0.5], [1, -2]]
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left")) == ("first", "second", "t")


def test_names_of_points_on_one_spot_cover_each_other_only_where_there_is_no_room() -> None:
    axes = plane(dict.fromkeys(["a", "long name", "c", "d", "e", "f", "g"], (8, 1))).figure.axes[0]
    extents = [label.get_window_extent() for label in axes.texts]
    for k, extent in enumerate(extents[:6]):
        assert not any(extent.overlaps(other) for other in extents[:k])
    assert texts(axes)[-1] == "g", "it is written all the same"


def test_single_points_stand_beside_the_lines_and_are_named() -> None:
    drawn = curves(
        [1, 2, 4], {"a": [3, 1, 2]}, x_label="x", y_label="y", points={"b": (1, 2.5), "c": (2, 0.5)}, log_x=True
    )
    axes = drawn.figure.axes[0]
    line, *points = axes.lines
    assert [point.get_xydata().tolist() for point in points] == [[[1, 2.5]], [[2, 0.5]]]
    assert len({line.get_marker(), *(point.get_marker() for point in points)}) == 3 and legend(axes) == ["a", "b", "c"]
    assert drawn.alt.endswith(" A point, b: 2.5 at 1. A point, c: 0.5 at 2.")


def test_a_point_is_two_numbers() -> None:
    with pytest.raises(ValueError, match="2 numbers of a point, x and y, but has 1"):
        curves([1, 2], {"a": [3, 1]}, x_label="x", y_label="y", points={"b": (1,)})  # type: ignore[dict-item]


def test_points_of_one_role_have_its_colour_and_shapes_of_their_own() -> None:
    points = {"value 0": (1, 2), "value 1": (2, 1), "output 0": (1.5, 1.5), "output 1": (1, 1), "sum": (0, 0)}
    lines = plane(points, region=["value 0", "value 1"]).figure.axes[0].lines
    assert [line.get_color() for line in lines] == [*[VALUE.line] * 2, *[OUTPUT.line] * 2, NEUTRAL[0]]
    assert len({line.get_marker() for line in lines}) == 5


def test_bars_have_the_colour_of_what_they_measure_where_it_has_a_role() -> None:
    def fills(groups: dict[str, list[float]], y_label: str) -> list[str]:
        axes = bars(groups, ["a", "b"], y_label=y_label).figure.axes[0]
        return [to_hex(group[0].get_facecolor()) for group in axes.containers]

    assert fills({"length": [1, 2]}, "length of the value vector") == [VALUE.line]
    assert fills({"weight": [1, 2], "share": [2, 1]}, "weight or share") == [WEIGHT, NEUTRAL[0]]
    assert fills({"T = 1": [1, 2], "T = 5": [2, 1]}, "weight") == NEUTRAL[:2]
    assert fills({"weight, mine": [1, 2], "weight, yours": [2, 1]}, "weight") == NEUTRAL[:2], "told apart"
