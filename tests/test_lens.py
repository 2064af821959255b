"""The picture of what each layer would say: what is drawn, what is said about it, and what is refused."""

import pytest
from drawn import texts
from readable import faults

from helpers.drawing.lens import lens

GUESSES = [["x", "incomprehensibilities"], ["y", " Paris"]]
CHANCES = [[0.1, 0.2], [0.3, 0.91]]
ARGUMENTS = {"guesses": GUESSES, "chances": CHANCES, "tokens": ["France", " is"], "rows": ["layer 0", "layer 29"]}


@pytest.fixture(scope="module")
def picture():
    return lens(**ARGUMENTS)


def test_the_last_layer_stands_on_top(picture) -> None:
    shown = texts(picture.figure.axes[0])
    assert shown[:3] == ["layer 29", "y", "␣Paris"] and shown[-2:] == ["France", "␣is"]


def test_the_alt_text_reads_the_last_column(picture) -> None:
    assert picture.alt.endswith("from the bottom up: layer 0 incomprehensibilities (0.20); layer 29 ␣Paris (0.91).")


def test_it_can_be_read(picture) -> None:
    assert faults(picture) == []
    wide = lens([["\n", "�", "", "incomprehensible"] * 2] * 11, [[1.0] * 8] * 11, [" word"] * 8, ["layer 10"] * 11)
    assert faults(wide) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"chances": [[0.1, 0.2], [0.3, 1.5]]}, "chances must lie from 0 to 1"),
        ({"rows": ["layer 0"]}, "rows"),
        ({"guesses": GUESSES[:1]}, "guesses must have 2 rows"),
        ({"guesses": [["x"], ["y"]]}, "guesses"),
        ({"tokens": ["France"]}, "tokens"),
        (
            {"guesses": [["a"] * 9], "chances": [[0.5] * 9], "tokens": ["a"] * 9, "rows": ["layer 0"]},
            "tokens must be at most 8",
        ),
    ],
)
def test_what_does_not_fit_is_refused(change, message) -> None:
    with pytest.raises(ValueError, match=message):
        lens(**ARGUMENTS | change)
