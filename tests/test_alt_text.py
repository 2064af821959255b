"""What a picture says to those who cannot see it: whole texts, on small data without symmetry."""

import numpy as np

from helpers import attention_map, head_maps

X_AND_Y = ["x", "y"]
SECOND_MASKED = np.array([[True, False], [True, True]])
FIRST_ROW_MASKED = np.array([[False, False], [True, False]])


def test_masked_cell_is_never_the_strongest() -> None:
    alt = attention_map([[0.4, 0.6], [0.2, 0.8]], X_AND_Y, mask=SECOND_MASKED).alt
    assert '"x" attends most to "x" (0.40); "y" attends most to "y" (0.80).' in alt


def test_masked_row_attends_to_nothing() -> None:
    alt = attention_map([[0, 0], [1, 0]], X_AND_Y, mask=FIRST_ROW_MASKED).alt
    assert '"x" may attend to nothing; "y" attends most to "x" (1.00).' in alt


def test_masked_cell_is_not_the_strongest_of_a_large_map() -> None:
    words = [f"w{i}" for i in range(9)]
    weights = np.full((9, 9), 0.1)
    weights[2, 5], weights[7, 1] = 0.2, 0.15
    mask = np.ones((9, 9), dtype=bool)
    mask[2, 5] = False
    assert 'Strongest weight: "w7" to "w1" (0.15).' in attention_map(weights, words, mask=mask).alt
    nothing = attention_map(weights, words, mask=np.zeros((9, 9), dtype=bool)).alt
    assert "Strongest weight: none. 81 of 81 cells are masked." in nothing


def test_masked_cell_is_not_the_strongest_of_a_head() -> None:
    weights = [[[0.4, 0.6], [0.5, 0.5]], [[0.1, 0.9], [0.7, 0.3]]]
    alt = head_maps(weights, X_AND_Y, mask=SECOND_MASKED).alt
    assert 'head 0: "y" to "x" (0.50); head 1: "y" to "x" (0.70).' in alt


def test_ties_beyond_three_are_counted() -> None:
    alt = attention_map([[0.24, 0.24, 0.24, 0.24, 0.04]], ["q"], list("abcde")).alt
    assert '"q" attends most to "a", "b", "c" and 1 more (0.24).' in alt
