"""Pictures of what flows from word to word: what is drawn, what is said about it, and what is refused."""

import pytest
import torch
from matplotlib.patches import PathPatch
from readable import faults

from helpers import library, lookup, mixture, shifted, writing_loop

SENTENCE = ["the", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "too", "tired"]
SHARES = [0.02, 0.46, 0.01, 0.03, 0.02, 0.12, 0.02, 0.2, 0.03, 0.02, 0.07]
LONG = ["incomprehensibilities", "it"] * 6
DREAM = ["<start>", "i", "have", "a", "dream", "<end>"]
# The three inputs of lessons 3 to 7.
QUERY, KEYS = torch.tensor([1.0, 0, 2]), torch.tensor([[0.0, 1, 1], [4, 4, 0], [2, 3, 1]])
VALUES, WEIGHTS = torch.tensor([[1.0, 2, 3], [2, 8, 0], [2, 6, 3]]), torch.tensor([0.0, 0.5, 0.5])
INPUTS = ["input 1", "input 2", "input 3"]


def long_lookup():
    torch.manual_seed(0)
    keys, values = torch.randn(12, 4), torch.randn(12, 5)
    weights = (keys @ keys[0]).softmax(dim=-1)
    return lookup(keys[0], keys, values, weights, weights @ values, LONG, LONG[0])


@pytest.mark.parametrize(
    "draw",
    [
        lambda: mixture(SENTENCE, SHARES, 7, title="What it takes when the animal was too tired"),
        lambda: mixture(["a", "b"], [0.5, 0.5], 0),
        lambda: mixture(LONG, [1 / 12] * 12, 11),
        lambda: mixture(["\u732b", "$x$", "\U0001f600"], [0.1, 0.2, 0.7], 2),
        lambda: lookup(QUERY, KEYS, VALUES, WEIGHTS, WEIGHTS @ VALUES, INPUTS, "input 1"),
        long_lookup,
        library,
        lambda: shifted(DREAM),
        lambda: shifted(LONG),
        lambda: shifted(["a", "b"]),
        lambda: writing_loop([(DREAM[:k], DREAM[k]) for k in range(1, 6)]),
        lambda: writing_loop([(LONG, LONG[0])] * 8),
    ],
)
def test_every_text_is_readable(draw):
    assert faults(draw()) == []


# mixture


def test_a_mixture_says_whose_shares_it_holds():
    assert mixture(SENTENCE, SHARES, 7, title="Tired").alt == (
        'Tired. The sentence "the animal didn\'t cross the street because it was too tired". Bands run from its words '
        'into the new vector of "it", each as thick as its share: 0.46 of "animal", 0.20 of "it", 0.12 of "street" and '
        '0.07 of "tired", and less than 0.05 of each of the other 7.'
    )


def test_equal_words_are_told_apart_by_their_place():
    assert mixture(["no", "no"], [0.99, 0.01], 1).alt.endswith(
        'new vector of "no" (place 1), each as thick as its share: 0.99 of "no" (place 0), and less than 0.05 of the '
        "other one."
    )


def test_bands_are_as_thick_as_the_weights_and_a_weight_of_0_has_none():
    axes = mixture(["a", "b", "c"], torch.tensor([0.2, 0.8, 0.0]), 0).figure.axes[0]
    thick = [patch.get_linewidth() for patch in axes.patches if isinstance(patch, PathPatch)]
    assert len(thick) == 4  # each band on a white rim
    assert thick[3] / thick[1] == pytest.approx(4)


def test_only_shares_of_5_percent_carry_their_number():
    axes = mixture(SENTENCE, SHARES, 7).figure.axes[0]
    numbers = [text.get_text() for text in axes.texts if text.get_text().startswith("0.")]
    assert numbers == ["0.46", "0.12", "0.20", "0.07"]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((SENTENCE, SHARES[:-1], 7), ValueError, "tokens must name each of the 10 weights"),
        ((["a", "b"], [0.5, 0.4], 0), ValueError, "weights must sum to 1 to make a mixture, but sum to 0.90"),
        ((["a", "b"], [1.5, -0.5], 0), ValueError, "weights must lie between 0 and 1"),
        ((["a", "b"], [0.5, 0.5], 2), ValueError, "query must be a place from 0 to 1, but is 2"),
        ((["a", "b"], [0.5, 0.5], "a"), TypeError, "query must be the place of a token"),
        ((["w"] * 14, [1 / 14] * 14, 0), ValueError, "tokens must be 2 to 13 words to fit one line, but there are 14"),
    ],
)
def test_what_is_no_mixture_is_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        mixture(*arguments)


# lookup


def test_a_lookup_says_what_the_query_meets_and_takes_home():
    assert lookup(QUERY, KEYS, VALUES, WEIGHTS, WEIGHTS @ VALUES, INPUTS, "input 1").alt == (
        'The query of "input 1", [1, 0, 2], meets every key. "input 1": key [0, 1, 1], score 2, weight 0.00, value '
        '[1, 2, 3]; "input 2": key [4, 4, 0], score 4, weight 0.50, value [2, 8, 0]; "input 3": key [2, 3, 1], score '
        "4, weight 0.50, value [2, 6, 3]. The values, each as thick as its weight, flow together into the output "
        "[2.00, 7.00, 1.50]."
    )


def test_scores_are_written_scaled_where_asked_for():
    picture = lookup(QUERY, KEYS, VALUES, WEIGHTS, WEIGHTS @ VALUES, INPUTS, "input 1", scaled=True)
    by_root = KEYS[1] @ QUERY / len(QUERY) ** 0.5
    assert f", scaled score {by_root:.2f}, " in picture.alt
    written = [text.get_text() for text in picture.figure.axes[0].texts]
    assert "scaled score" in written and "score" not in written and f"{by_root:.2f}" in written
    assert faults(picture) == []


def test_a_lookup_names_what_its_numbers_stand_for():
    features = (["a", "b", "c"], ["alive", "place", "thing"])
    picture = lookup(QUERY, KEYS, VALUES, WEIGHTS, WEIGHTS @ VALUES, INPUTS, "input 1", features)
    assert picture.alt.endswith(" The numbers of a key: a, b and c; of a value: alive, place and thing.")
    assert faults(picture) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"features": (["a"], ["b"] * 3)}, "must name each of the 3 columns"),
        ({"query": [1.0, 2]}, "keys must be as long as the query, 2 numbers, but have 3"),
        ({"values": VALUES[:2]}, "each key needs a value and a weight, but there are 3 keys, 2 values and 3 weights"),
        ({"output": [1.0]}, "output must be as long as a value, 3 numbers, but has 1"),
        ({"tokens": INPUTS[:2]}, "tokens must name each of the 3 rows of keys"),
    ],
)
def test_a_lookup_that_does_not_fit_is_refused(change, words):
    fitting = {"query": QUERY, "keys": KEYS, "values": VALUES, "weights": WEIGHTS, "output": WEIGHTS @ VALUES}
    with pytest.raises(ValueError, match=words):
        lookup(**{**fitting, "tokens": INPUTS, "asking": "input 1", **change})


# library


def test_the_library_names_the_three_parts_of_attention():
    picture = library()
    texts = [text.get_text() for text in picture.figure.axes[0].texts]
    assert {"= query", "= key", "= value", "= output"} <= set(texts)
    assert picture.alt == (
        'A library. A request, "streets that animals cross", is the query. It is compared with the label of each book, '
        "the key, and as much of the contents, the value, is taken home as the label fits: streets 0.60, a plan of the "
        "town; animals 0.40, how foxes live; weather 0.00, why it rains; bread 0.00, how to bake. What is taken home, "
        "mixed, is the output."
    )


# shifted


def test_below_each_given_word_stands_the_wanted_one():
    picture = shifted(DREAM)
    words = [text for text in picture.figure.axes[0].texts if text.get_text() in DREAM]
    rows = {y: [t.get_text() for t in words if t.get_position()[1] == y] for y in {t.get_position()[1] for t in words}}
    assert sorted(rows.values(), key=len) == [DREAM[1:], DREAM]
    assert picture.alt == (
        'The sentence "<start> i have a dream <end>" as input and, shifted by one place, as target. Each given word '
        'and the wanted one: "<start>" then "i", "i" then "have", "have" then "a", "a" then "dream", "dream" then '
        '"<end>". The last word has none.'
    )


def test_one_word_has_nothing_to_predict():
    with pytest.raises(ValueError, match="tokens must be 2 to 13 words to fit one line, but there are 1"):
        shifted(["alone"])


# writing_loop


def test_each_row_ends_with_the_word_before():
    picture = writing_loop([(["<start>"], "i"), (["<start>", "i"], "dream")])
    assert picture.alt == (
        "Writing as a loop of 2 steps: the decoder reads the words so far and gives the next one, which is appended: "
        'after "<start>" comes "i"; after "<start> i" comes "dream".'
    )


@pytest.mark.parametrize("steps", [[], [([], "i")], [(["a"], "b")] * 9])
def test_no_step_no_words_and_too_many_steps_are_refused(steps):
    with pytest.raises(ValueError, match="steps must be 1 to 8 pairs"):
        writing_loop(steps)


def test_a_sentence_that_was_not_split_is_refused():
    with pytest.raises(TypeError, match="split it first"):
        writing_loop([("i have", "a")])
