"""Pictures of lesson 9: what flows between two texts, through feed-forward, and through a whole decoder."""

import numpy as np
import pytest
from drawn import texts
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from readable import faults

from helpers.drawing import colours
from helpers.drawing.decoder import CHIP, FRAME, cross_attention_flow, feed_forward_lanes, small_decoder

GERMAN, ENGLISH = ["ich", "denke", "dass"], ["i", "think", "that", "i", "dream"]
WEIGHTS = np.linspace(0, 1, 15).reshape(3, 5)
LONG = ["incomprehensibilities"] * 6
HEARD = np.array([[0.0, 0], [1, 0], [0, 1]])
HIDDEN = HEARD @ [[1.0, -1, 1], [-1, 1, 1]] - [0.0, 0, 1]
LANES = ["neither", "tired", "wide"]
COLUMNS = (["tired", "wide"], ["only\ntired", "only\nwide", "both"], ["exactly\none", "both"])


def lanes(hidden=HIDDEN, words=LANES, columns=COLUMNS):
    output = np.maximum(hidden, 0) @ [[1.0, 0], [1, 0], [0, 1]]
    return feed_forward_lanes(HEARD, hidden, output, words, columns)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: cross_attention_flow(GERMAN, ENGLISH, WEIGHTS),
        lambda: cross_attention_flow(["a", "b"], ["c", "d"], np.full((2, 2), 0.5)),
        lambda: cross_attention_flow(LONG, LONG, np.full((6, 6), 1 / 6)),
        lambda: small_decoder(["say", "it", "in", "english"], ["<start>", *ENGLISH], [*ENGLISH, "<end>"]),
        lambda: small_decoder(["a", "b"], ["c", "d"], ["e", "f"]),
        lambda: small_decoder(LONG, LONG, LONG),
        lambda: lanes(),
        lambda: lanes(hidden=HIDDEN - 0.37, words=["a", "b", "c"], columns=(["a", "b"], ["c", "d", "e"], ["f", "g"])),
    ],
)
def test_every_text_is_readable(draw):
    assert faults(draw()) == []


def test_a_row_of_the_table_is_a_word_that_asks_and_darker_cells_are_larger_weights():
    axes = cross_attention_flow(GERMAN, ENGLISH, WEIGHTS).figure.axes[0]
    cells = [patch for patch in axes.patches + axes.artists if isinstance(patch, Rectangle)]
    assert len(cells) == 15
    in_order = sorted(cells, key=lambda cell: (round(cell.get_y(), 3), cell.get_x()))
    for cell, weight in zip(in_order, WEIGHTS.flat, strict=True):
        assert cell.get_facecolor() == pytest.approx(colours.COLOURS_OF_WEIGHTS(weight))
    beside = {text.get_text(): text.get_position()[1] for text in axes.texts if text.get_ha() == "right"}
    assert beside["ich"] < beside["denke"] < beside["dass"]  # the page's y points down


def test_arrows_of_the_flow_start_and_end_at_a_row_of_words_and_not_at_one_of_them():
    axes = cross_attention_flow(GERMAN, ENGLISH, WEIGHTS).figure.axes[0]
    boxes = [patch.get_bbox() for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    words = [box for box in boxes if box.height == pytest.approx(CHIP)]
    frames = [box for box in boxes if box.height == pytest.approx(CHIP + 2 * FRAME)]
    held = [sum(frame.contains(*word.min) and frame.contains(*word.max) for word in words) for frame in frames]
    assert sorted(held) == [3, 3, 5]


def test_the_flow_says_what_comes_from_where():
    assert cross_attention_flow(GERMAN, ENGLISH, WEIGHTS).alt == (
        'Attention between two texts, from the top to the bottom. Queries are made from "ich denke dass", keys and '
        'values from the memory, "i think that i dream". Queries and keys give a table of weights, 3 by 5; weights '
        "and values give a new vector for each of the 3 words that ask."
    )


def test_the_parts_of_the_decoder_stand_in_the_order_in_which_they_run():
    picture = small_decoder(["say", "it"], ["<start>", "i"], ["i", "<end>"])
    parts = [
        "matrix to_words, then softmax",
        "feed-forward",
        "cross-attention",
        "masked self-attention",
        "table of embeddings",
    ]
    shown = [text.get_text() for text in sorted(picture.figure.axes[0].texts, key=lambda text: text.get_position()[1])]
    assert [text for text in shown if text in parts] == parts
    assert shown.count("add & norm") == 3 and {"memory", "the same table"} <= set(texts(picture.figure.axes[0]))
    assert 'The request "say it" goes through a table of embeddings and is the memory.' in picture.alt
    assert picture.alt.endswith('give the next word at each place: "i <end>".')


def test_words_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="asked must be 2 to 6 words, but there are 7"):
        cross_attention_flow(GERMAN, ["a"] * 7, np.full((3, 7), 1 / 7))
    with pytest.raises(ValueError, match="wanted"):
        small_decoder(["a", "b"], ["c", "d"], ["e", "f", "g"])


def test_the_alt_text_of_feed_forward_follows_each_word_through_its_numbers():
    alt = lanes().alt
    assert "a lane for each of 3 words and no line from one to another" in alt
    assert "2 numbers (tired and wide), by the first matrix 3 (only tired, only wide and both)" in alt
    assert alt.endswith("wide: [0, 1], then [\N{MINUS SIGN}1, 1, 0], then [0, 1, 0], then [1, 0].")


def test_relu_lights_what_it_changes_before_it_and_after_it():
    axes = lanes().figure.axes[0]
    lit = [patch for patch in axes.patches if to_hex(patch.get_facecolor()) == colours.NEUTRAL_TINTS[1]]
    assert len(lit) == 2 * (HIDDEN < 0).sum()


def test_the_arrows_of_feed_forward_stay_in_their_lanes():
    arrows = [patch for patch in lanes().figure.axes[0].patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 3 * len(LANES)
    ends = [patch._posA_posB for patch in arrows]
    assert all(start[1] == end[1] and start[0] < end[0] for start, end in ends)


def test_lanes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="as many rows"):
        lanes(hidden=np.ones((2, 3)))
    with pytest.raises(ValueError, match="words"):
        lanes(words=["a"])
    with pytest.raises(ValueError, match="draw fewer numbers"):
        lanes(columns=(LONG[:2], LONG[:3], LONG[:2]))
