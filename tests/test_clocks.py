"""The clocks of lesson 10: hands turn clockwise, tips are sine and cosine, and only the distance counts."""

import numpy as np
import pytest
from drawn import texts
from readable import faults

from helpers.drawing.clocks import clock_tips, hands_apart, three_ways, turn_of_two


def test_a_tip_is_sine_to_the_right_and_cosine_up():
    picture = clock_tips([0, 3, 5], 2 * np.pi / 12)
    assert picture.alt == (
        "A clock for each place, its hand turned clockwise from the top: at place 0 its tip is 0.00 to the right and "
        "1.00 up; at place 3 its tip is 1.00 to the right and 0.00 up; at place 5 its tip is 0.50 to the right and "
        "\u22120.87 up."
    )
    hands = [line for line in picture.figure.axes[0].lines if line.get_linewidth() == 2.6]
    (x, tip), (y, height) = hands[1].get_data()  # the page's y points down
    assert tip > x and height == pytest.approx(y)


def test_the_way_to_the_tip_goes_right_and_then_up():
    lines = clock_tips([1], 2 * np.pi / 12).figure.axes[0].lines
    (right, up), (hand,) = ([line.get_data() for line in lines if line.get_linewidth() == w] for w in (2.2, 2.6))
    assert right[1][0] == right[1][1] and up[0][0] == up[0][1]
    assert (up[0][1], up[1][1]) == (hand[0][1], hand[1][1])


def test_hands_as_far_apart_have_one_dot_product():
    assert hands_apart([(3, 5), (10, 12)], 1.0).alt == (
        "Two hands on each clock: places 3 and 5 are 115\u00b0 apart, dot product \u22120.42; places 10 and 12 are "
        "115\u00b0 apart, dot product \u22120.42."
    )


def test_an_angle_is_measured_the_short_way_round():
    assert "places 0 and 6 are 16\u00b0 apart, dot product 0.96" in hands_apart([(0, 6)], 1.0).alt


def test_too_many_clocks_are_refused():
    with pytest.raises(ValueError, match="places must be at most 6, but there are 7"):
        clock_tips(range(7), 1.0)
    with pytest.raises(ValueError, match="pairs must be 1 to 4, but there are 0"):
        hands_apart([], 1.0)


def test_a_way_along_the_hand_is_drawn_beside_it():
    for place, along in ((3, 1), (0, 0)):  # to the right at place 3, up at place 0
        lines = clock_tips([place], 2 * np.pi / 12).figure.axes[0].lines
        ways, (hand,) = ([line.get_data() for line in lines if line.get_linewidth() == w] for w in (2.2, 2.6))
        way = ways[0] if place == 3 else ways[1]
        assert np.abs(way[along] - hand[along]).min() > 0.03


def test_a_turn_takes_up_to_the_hand_and_right_a_quarter_further():
    assert turn_of_two(0.6).alt == (
        "Two arrows before and after a turn by 34\u00b0, clockwise: right goes to (0.83, \u22120.56), up goes to "
        "(0.56, 0.83)."
    )
    with pytest.raises(ValueError, match=r"angle must be 0\.4 to 0\.9 radians, but is 2"):
        turn_of_two(2.0)


@pytest.mark.parametrize("angle", [0.4, 0.6, 0.9])
def test_the_names_of_the_arrows_are_readable(angle):
    assert faults(turn_of_two(angle)) == []


@pytest.mark.parametrize("tokens", [["dog", "bites", "man"], ["a", "b"], ["a", "longer", "sentence", "here"]])
def test_only_rotary_turns_queries_and_keys_and_adds_nothing(tokens):
    picture = three_ways(tokens)
    assert faults(picture) == []
    shown = texts(picture.figure.axes[0])
    assert [shown.count(text) for text in ("q", "k", "v")] == [4, 4, 6]  # two layers each
    assert [shown.count(text) for text in ("q \u21bb", "k \u21bb")] == [2, 2]
    assert {"sines and cosines", "rows of a table"} <= set(shown) and shown.count(tokens[0]) == 3


def test_too_many_words_are_refused():
    with pytest.raises(ValueError, match="tokens must be 2 to 4 words, but there are 5"):
        three_ways(list("abcde"))
