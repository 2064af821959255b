"""Pictures of arrows, points, waves and clocks: what is drawn, what is said about it, and what is refused."""

import re

import numpy as np
import pytest
from readable import faults

from helpers import clock_hands, shadow, turned_together, two_planes, waves
from helpers.live.fast_renderer import FastRenderer

LONG = "incomprehensibilities"
BEFORE = {"cat": (1.0, 2.0), "dog": (-1.0, 0.5), "king": (0.0, -2.0)}
AFTER = {"cat": (1.0, 1.0), "dog": (1.1, 1.05), "king": (-1.0, 0.0)}


def positions(n, d_model):
    angles = np.arange(n)[:, None] / 10_000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


def clusters():
    generator = np.random.default_rng(0)
    words = [
        "cat",
        "dog",
        "horse",
        "cow",
        "king",
        "queen",
        "man",
        "woman",
        "apple",
        "pear",
        "plum",
        "monday",
        "friday",
        "sunday",
    ]
    centres = [(1, 1)] * 4 + [(-1, 0.8)] * 4 + [(0.3, -1)] * 3 + [(-1, -0.9)] * 3
    before = {word: generator.normal(size=2) for word in words}
    return before, {word: np.array(c) + 0.12 * generator.normal(size=2) for word, c in zip(words, centres, strict=True)}


def spread(step):
    return {f"{LONG} {i}": (i % 4, step * (i % 3)) for i in range(12)}


@pytest.mark.parametrize(
    "draw",
    [
        *(
            lambda query=query, key=key: shadow(query, key)
            for query, key in [
                ([2.0, 0], [1.5, 2.0]),
                ([3, 1.5], [1.8, 0.9]),
                ([3, 1.5], [-0.9, 1.8]),
                ([3, 1.5], [-1.8, -0.9]),
                ([1, 2], [-2, 0.3]),
                ([0, -1], [0, 30]),
            ]
        ),
        *(
            lambda key=key: shadow([2.0, 0], key, corners=[(-3, 0), (3, 3)])
            for key in ([3.0, 0], [1.73, 1], [0, 0.5], [-0.5, 0], [-2.1, 2.1])
        ),
        lambda: two_planes(BEFORE, AFTER, ["before training", "after training"], ["cat", "dog"]),
        lambda: two_planes(*clusters(), ["before training", "after training"], ["cat", "dog", "horse", "cow"]),
        lambda: two_planes(spread(1), spread(0.8), [LONG, LONG]),
        lambda: waves(positions(60, 32), 13),
        lambda: waves(positions(20, 4), 0),
        lambda: waves(positions(60, 32), 59, range(10)),
        lambda: clock_hands(np.arange(12).reshape(3, 4), [0, 3, 6], ["6.3", "12", "40", "200"]),
        lambda: clock_hands(np.zeros((8, 8)), range(8), [LONG] * 8),
        lambda: clock_hands([[1.0]], [1000], ["one"]),
        lambda: turned_together([2, 0.5], [1, 1.5], [(0, 2), (3, 5), (6, 8)], turn=0.4),
        lambda: turned_together([2, 0.5], [1, 1.5], [(0, 2), (3, 5), (6, 8)]),
        lambda: turned_together([1, 0], [1, 0], [(1, 1), (3, 0), (6, 8), (9, 0)]),
        lambda: turned_together([1, 0], [0, 1], [(0, 100)]),
    ],
)
def test_every_text_is_readable(draw):
    assert faults(draw()) == []


# shadow


def caption(picture):
    return picture.figure.axes[0].texts[-1].get_text()


def test_the_score_is_the_shadow_times_the_length_of_the_query():
    picture = shadow([2.0, 0], [1.5, 2.0])
    assert caption(picture) == "shadow 1.50 \u00d7 length of the query 2 = score 3"
    assert picture.alt == (
        "Two arrows from the origin: the query to (2.0, 0.0) and the key to (1.5, 2.0). A perpendicular from the key's "
        "tip to the query's line leaves a shadow of 1.50 in the query's direction. Shadow 1.50 \u00d7 length of the "
        "query 2 = score 3."
    )


def test_a_key_that_points_away_has_a_shadow_below_0():
    picture = shadow([2.0, 0], [-1.5, 2.0])
    assert caption(picture) == "shadow \u22121.50 \u00d7 length of the query 2 = score \u22123"
    assert "a shadow of \u22121.50, which points the other way" in picture.alt


def test_each_arrow_carries_its_numbers():
    written = [text.get_text() for text in shadow([3.0, 4], [2, -1.25]).figure.axes[0].texts]
    assert {"query (3, 4)", "key (2, \u22121.2)"} <= set(written)


def test_a_key_at_a_right_angle_has_no_shadow():
    picture = shadow([2.0, 0], [0, 1])
    assert "leaves no shadow, for the two stand at a right angle" in picture.alt
    assert caption(picture) == "shadow 0 \u00d7 length of the query 2 = score 0"


@pytest.mark.parametrize("angle", [0, 30, 45, 85, 90, 150])
@pytest.mark.parametrize("length", [0.5, 2.0, 3.0])
def test_the_written_factors_give_the_written_score(angle, length):
    key = length * np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
    words = caption(shadow([2.0, 0], key)).replace("\u2212", "-").split()
    assert round(float(words[1]) * float(words[7]), 1) == pytest.approx(float(words[-1]), abs=1e-9)


def test_with_corners_the_picture_keeps_its_scale():
    pictures = [shadow([2.0, 0], key, corners=[(-3, 0), (3, 3)]) for key in ([3.0, 0], [0, 0.5], [-2.0, 2.2])]
    assert len({tuple(picture.figure.get_size_inches()) for picture in pictures}) == 1
    tips = {tuple(picture.figure.axes[0].lines[-1].get_xydata()[0]) for picture in pictures}
    assert len(tips) == 1  # the origin, a dot, has not moved
    drawn = FastRenderer(pictures[0])
    assert len({re.search(r'width="(\d+)" height="(\d+)"', drawn.html(picture)).groups() for picture in pictures}) == 1
    with pytest.raises(ValueError, match="corners must have two numbers each"):
        shadow([1, 0], [1, 1], corners=[(1, 2, 3)])


def test_what_has_no_direction_in_a_plane_is_refused():
    with pytest.raises(ValueError, match=r"query must not be \[0, 0\], which has no direction"):
        shadow([0, 0], [1, 1])
    with pytest.raises(ValueError, match="key must have two numbers to be drawn in a plane, but has 3"):
        shadow([1, 0], [1, 1, 1])


def test_the_shadow_is_drawn_no_longer_than_it_is():
    axes = shadow([2.0, 0], [1.5, 2.0]).figure.axes[0]
    (band,) = [line for line in axes.lines if line.get_linewidth() == 9]
    assert band.get_solid_capstyle() == "butt"


# two_planes


def test_planes_say_where_each_word_stands():
    assert two_planes(BEFORE, AFTER, ["before", "after"], ["cat", "dog"]).alt == (
        "The same words in two planes. before: cat at (1.0, 2.0), dog at (\u22121.0, 0.5), king at (0.0, \u22122.0). "
        "after: cat at (1.0, 1.0), dog at (1.1, 1.1), king at (\u22121.0, 0.0). cat and dog stand out in colour."
    )


def test_the_origin_is_marked_where_it_lies_within():
    def marked(before, after):
        picture = two_planes(before, after, ["x", "y"])
        assert faults(picture) == []
        axes = picture.figure.axes[0]
        return sum(line.get_marker() == "+" for line in axes.lines), "(0, 0)" in [t.get_text() for t in axes.texts]

    assert marked(BEFORE, AFTER) == (2, True)
    assert marked({"a": (1, 1), "b": (2, 2)}, {"a": (1, 2), "b": (2, 1)}) == (0, False)


def test_a_name_without_a_line_to_its_point_is_clearly_nearest_to_it():
    words = {"cat": (-1.15, -1.75), "dog": (-1.01, -1.66), "animal": (-0.74, -1.46), "road": (0.88, 1.56)}
    picture = two_planes(words, words, ["before", "after"], corners=[(-1.6, -2), (2, 2)])
    picture.figure.canvas.draw()
    axes = picture.figure.axes[0]
    marks = np.array([line.get_xydata()[0] for line in axes.lines if line.get_marker() == "o"][: len(words)])
    for mark, word in zip(marks, words, strict=True):
        text = next(text for text in axes.texts if text.get_text() == word)
        box = text.get_window_extent().transformed(axes.transData.inverted())
        corners = np.sort(np.array([box.p0, box.p1]), axis=0)
        apart = np.linalg.norm(np.clip(marks, *corners) - marks, axis=1)
        own = np.linalg.norm(np.clip(mark, *corners) - mark)
        assert sorted(apart)[0] == own and sorted(apart)[1] > own + 0.04, word


def test_both_planes_have_one_scale():
    axes = two_planes({"a": (0, 0), "b": (1, 0)}, {"a": (0, 0), "b": (2, 0)}, ["x", "y"]).figure.axes[0]
    marks = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert marks[3] - marks[2] == pytest.approx(2 * (marks[1] - marks[0]))


def test_two_pictures_with_the_same_corners_have_one_scale():
    def gap(far):
        planes = {"a": (0, 0), "b": (1, 0)}, {"a": (0, 0), "b": (far, 0)}
        axes = two_planes(*planes, ["x", "y"], corners=[(-3, -3), (3, 3)]).figure.axes[0]
        marks = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
        return marks[1] - marks[0]

    assert gap(1) == pytest.approx(gap(2.5))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((BEFORE, {"cat": (0, 0)}, ["a", "b"]), "must hold the same words, but 'dog' is only in one of them"),
        ((BEFORE, AFTER, ["a"]), "titles must name each of the 2 planes"),
        ((BEFORE, AFTER, ["a", "b"], ["cow"]), "highlight must name words that are drawn, but 'cow'"),
        (({"a": (1, 2, 3)}, {"a": (1, 2)}, ["a", "b"]), "must be two numbers, x and y, but has 3"),
    ],
)
def test_planes_that_do_not_fit_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        two_planes(*arguments)


# waves


def test_waves_read_off_the_vector_of_a_place():
    assert waves(positions(20, 4), 3).alt == (
        "Waves: 4 columns of a table of 20 places by 4 numbers, one below the other. An upright line at place 3 reads "
        "off its vector: number 0 is 0.14, number 1 is \u22120.99, number 2 is 0.03, number 3 is 1.00."
    )


def test_waves_may_have_names_of_their_own():
    picture = waves(positions(20, 4), 3, [0, 2], ["hand 0", "hand 1"])
    assert picture.alt.endswith("hand 0 is 0.14, hand 1 is 0.03.")
    assert {"hand 0", "hand 1"} <= {text.get_text() for text in picture.figure.axes[0].texts}
    with pytest.raises(ValueError, match="names"):
        waves(positions(20, 4), 3, [0, 2], ["hand 0"])


def test_of_a_wide_table_eight_sines_are_drawn():
    numbers = [text.get_text() for text in waves(positions(20, 32), 0).figure.axes[0].texts]
    assert [text for text in numbers if text.startswith("number")] == [
        f"number {dim}" for dim in (0, 4, 8, 12, 18, 22, 26, 30)
    ]
    assert numbers.count("0.00") == 8


@pytest.mark.parametrize(
    ("at", "dims", "words"),
    [
        (20, None, "at must be a place from 0 to 19"),
        (0, [4], "dims must be a column from 0 to 3"),
        (0, [], "dims must name"),
    ],
)
def test_a_place_or_column_that_is_not_there_is_refused(at, dims, words):
    with pytest.raises(ValueError, match=words):
        waves(positions(20, 4), at, dims)


# clock_hands


def test_hands_turn_clockwise_from_the_top():
    picture = clock_hands([[0, np.pi / 2], [np.pi, -np.pi / 2]], [0, 5], ["Fast", "slow"])
    assert picture.alt == (
        "Clocks with one hand each, turned clockwise from the top: place 0: Fast 0\u00b0, slow 90\u00b0; place 5: Fast "
        "180\u00b0, slow 270\u00b0."
    )
    hands = [line for line in picture.figure.axes[0].lines if line.get_linewidth() == 2.6]
    (x, tip), (y, height) = hands[1].get_data()  # the page's y points down
    assert tip > x and height == pytest.approx(y)


def test_clocks_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="places must name each of the 1 rows of angles, but there are 2"):
        clock_hands([[0.0]], [0, 1], ["a"])
    with pytest.raises(ValueError, match="angles must be at most 8 by 8"):
        clock_hands(np.zeros((9, 1)), range(9), ["a"])


# turned_together


def test_pairs_as_far_apart_have_one_angle_and_one_score():
    assert turned_together([1, 0], [1, 0], [(0, 2), (3, 5)], turn=np.pi / 6).alt == (
        "Query and key as arrows, each turned by its place. query at place 0 and key at place 2: angle 60\u00b0, score "
        "0.50; query at place 3 and key at place 5: angle 60\u00b0, score 0.50."
    )


def test_no_pair_of_places_is_refused():
    with pytest.raises(ValueError, match="places must be 1 to 4 pairs, but there are 0"):
        turned_together([1, 0], [0, 1], [])
