"""The picture of two decoders: it says what the models are, and can be read."""

import pytest
from readable import faults

from helpers.drawing.llama import two_decoders
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
