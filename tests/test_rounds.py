"""The picture of rounds of attention: what is drawn, what is said about it, and what is refused."""

import pytest
import torch
from matplotlib.patches import Circle
from readable import faults

from helpers.drawing.paper import WIDEST
from helpers.drawing.rounds import rounds

SENTENCE = ["the", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "too", "tired"]
LONG = ["incomprehensibilities"] * 13
FIRST, SECOND = torch.full((11,), 0.01), torch.full((11,), 0.01)
FIRST[10], SECOND[1] = 0.9, 0.9


@pytest.mark.parametrize(
    "draw",
    [
        lambda: rounds(SENTENCE, torch.stack([FIRST, SECOND]), 7, "a pronoun for something alive that is tired"),
        lambda: rounds(SENTENCE, FIRST[None], 0, "a word"),
        lambda: rounds(SENTENCE, FIRST[None], 10),
        lambda: rounds(["a", "b"], [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]], 0, "both"),
        lambda: rounds(LONG, [[1 / 13] * 13], 12),
        lambda: rounds(["a", "b", "it", "c"], [[0, 0, 0, 1.0], [0, 1.0, 0, 0]], 2, "both", ["about wide", "a place"]),
        lambda: rounds(["a", "it", "b"], [[1.0, 0, 0]], 1, "both", ["much more than has room beside a word " * 3]),
    ],
)
def test_every_text_is_readable(draw):
    assert faults(draw()) == []


def test_alt_text_says_what_is_taken_in_each_round_and_added():
    assert rounds(SENTENCE, torch.stack([FIRST, SECOND]), 7, "alive").alt == (
        f'The sentence "{" ".join(SENTENCE)}" and "it" at place 7. In round 1 it takes home 0.90 of "tired" (place '
        "10), and less than 0.05 of each of 10 others, which is added to its vector. In round 2 it takes home 0.90 of "
        '"animal" (place 1), and less than 0.05 of each of 10 others, which is added to its vector. Then it is alive.'
    )


def test_what_is_taken_home_is_said_in_the_box_and_in_the_alt_text():
    picture = rounds(["it", "was", "wide"], [[0, 0, 1.0], [0, 1.0, 0]], 0, taken=["about wide", "a verb"])
    texts = [text.get_text() for text in picture.figure.axes[0].texts]
    assert "takes home: about wide" in texts and "takes home: a verb" in texts
    assert "of each of 2 others: about wide, which is added to its vector." in picture.alt


def test_few_words_use_the_width_of_the_page():
    texts = rounds(["animal", "street", "it", "wide"], [[0, 0, 0, 1.0]], 2).figure.axes[0].texts
    assert next(text.get_position()[0] for text in texts if text.get_text() == "wide") > 0.8 * WIDEST


def test_each_round_has_the_sentence_and_a_plus():
    axes = rounds(SENTENCE, torch.stack([FIRST, SECOND]), 7).figure.axes[0]
    texts = [text.get_text() for text in axes.texts]
    assert texts.count("because") == 2 and texts.count("it") == 3 and texts.count("takes home") == 2
    assert sum(isinstance(patch, Circle) for patch in axes.artists + list(axes.patches)) == 2


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("one to 3 rounds of 2 to 13 tokens, but are 4 of 2", (["a", "b"], [[0.5, 0.5]] * 4, 0)),
        ("one to 3 rounds of 2 to 13 tokens, but are 1 of 1", (["a"], [[1.0]], 0)),
        ("query must be a place from 0 to 1, but is 2", (["a", "b"], [[0.5, 0.5]], 2)),
        ("must sum to 1, but sum to 0.80", (["a", "b"], [[0.4, 0.4]], 0)),
        ("tokens must name each of the 2", (["a"], [[0.5, 0.5]], 0)),
    ],
)
def test_what_does_not_fit_is_refused(message, arguments):
    with pytest.raises(ValueError, match=message):
        rounds(*arguments)


def test_each_round_needs_one_text_of_what_is_taken():
    with pytest.raises(ValueError, match="taken must name each of the 2 rounds of weights, but there are 1"):
        rounds(["a", "b"], [[1.0, 0], [0, 1.0]], 0, taken=["one"])
