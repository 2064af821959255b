"""The picture of two decoders: it says what the models are, and can be read."""

import pytest
from readable import faults

from helpers.drawing.llama import shared_heads, two_decoders
from helpers.models import smollm


@pytest.fixture(scope="module")
def picture():
    return two_decoders()


def test_it_says_the_sizes_of_the_model(picture) -> None:
    heads, groups = smollm.SIZES["n_heads"], smollm.SIZES["n_groups"]
    assert f"{heads} query heads, {groups} of keys and values" in picture.alt
    assert "layer norm against RMS norm" in picture.alt and "embeddings + sines against embeddings" in picture.alt


def test_it_can_be_read(picture) -> None:
    assert faults(picture) == []


def test_three_heads_lead_to_each_key() -> None:
    picture = shared_heads(9, 3)
    (axes,) = picture.figure.axes
    assert len(axes.lines) == 18 and "heads 3 to 5 at 1" in picture.alt
    ends = [round(float(line.get_xdata()[1]), 3) for line in axes.lines[9:]]
    assert [ends.count(end) for end in sorted(set(ends))] == [3, 3, 3]
    assert faults(picture) == []


def test_heads_that_cannot_be_shared_evenly_are_refused() -> None:
    with pytest.raises(ValueError, match="n_groups must divide n_heads, at most 12, but they are 2 and 9"):
        shared_heads(9, 2)
