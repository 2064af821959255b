"""Tests of what ways of attention make of the same numbers, drawn."""

import pytest
from readable import faults

from helpers.drawing.budgets import PerToken, Table, spent_numbers

SMALL = PerToken([("key", 2), ("value", 2)], range(4, 8))


def test_each_number_has_a_square_and_is_counted() -> None:
    ways = [{"local": SMALL, "latent": PerToken([("latent", 3)], range(8))}, {"linear": Table(4)}]
    picture = spent_numbers(ways, n_tokens=8)
    squares = [patch for patch in picture.figure.axes[0].patches if patch.get_fill()]
    artists = [one for one in picture.figure.axes[0].artists if one.get_fill()]
    assert len(squares) + len(artists) == 16 + 24 + 20
    assert "local: a key of 2 and a value of 2, from 4 to 7, 16 numbers" in picture.alt
    assert "latent: a latent of 3, from 0 to 7, 24 numbers" in picture.alt
    assert "linear: a table of 4 by 4, with a sum of 4, 20 numbers" in picture.alt
    assert faults(picture) == []


def test_tokens_with_others_between_them_are_told() -> None:
    picture = spent_numbers([{"strided": PerToken([("key", 1)], range(0, 8, 4))}], n_tokens=8)
    assert "a key of 1, every 4 tokens from 0 to 4, 2 numbers" in picture.alt


@pytest.mark.parametrize(
    ("rows", "n_tokens", "message"),
    [
        ([], 8, "at least one way in each row and 1 to 40 tokens, but there are 0 rows and 8 tokens"),
        ([{"a": SMALL}], 41, "41 tokens"),
        ([{"a": SMALL}], 7, "'a' must keep something, within 7 tokens"),
        ([{"a": Table(8)}], 8, "'a' must keep something, within 8 tokens"),
        ([{"a": PerToken([("key", 2)], [])}], 8, "but is a key of 2, for no token"),
        ([{"a": PerToken([("key", 50)], [0])}], 8, "40 numbers side by side"),
        ([{name: PerToken([("key", 40)], [0]) for name in "abcd"}], 8, "at most 7.6 inches wide"),
    ],
)
def test_what_cannot_be_drawn_is_refused(rows: list, n_tokens: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        spent_numbers(rows, n_tokens=n_tokens)
