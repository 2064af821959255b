"""Pictures of what cheaper ways keep: their sizes on one scale, what is said about them, and what is refused."""

import numpy as np
import pytest
import torch
from drawn import texts
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from readable import faults

from helpers import Picture
from helpers.drawing import colours
from helpers.drawing.caches import LATENT_FILL, growing_table, kept_of_a_token, rolling_places

FOUR = {"full": 32, "grouped": 8, "multi-query": 1, "latent": (512, 64)}
ROLLED = [[0], [0, 1], [0, 1, 2], [3, 1, 2], [3, 4, 2]]
WITH_SINK = [[0], [0, 1], [0, 1, 2], [0, 3, 2], [0, 3, 4]]


def areas(picture: Picture, fill: str) -> list[float]:
    """The area of each rectangle that is filled so, in square inches."""
    cells = [patch for patch in picture.figure.axes[0].findobj(Rectangle) if to_hex(patch.get_facecolor()) == fill]
    return [cell.get_width() * cell.get_height() for cell in cells]


@pytest.mark.parametrize(
    "draw",
    [
        lambda: kept_of_a_token(FOUR, n_heads=32, d_head=128),
        lambda: kept_of_a_token(FOUR, n_heads=32, d_head=128, amounts=["524 kB", "131 kB", "16 kB", "37 kB"]),
        lambda: kept_of_a_token({"full": 4, "grouped": 2, "multi-query": 1}, n_heads=4, d_head=8),
        lambda: kept_of_a_token({"latent": (12, 0)}, n_heads=4, d_head=8),
        lambda: kept_of_a_token({"multi-query": 1}, n_heads=1, d_head=1),
        lambda: rolling_places(ROLLED),
        lambda: rolling_places(WITH_SINK, n_sinks=1),
        lambda: rolling_places([[token] for token in range(90, 100)]),
        lambda: growing_table(torch.rand(12, 4), torch.randn(12, 4)),
        lambda: growing_table(np.zeros((6, 2)), np.zeros((6, 2))),
        lambda: growing_table(np.ones((6, 2)), np.ones((6, 4))),
        lambda: growing_table(np.ones((12, 4)), np.ones((12, 2))),
    ],
)
def test_every_text_is_readable(draw) -> None:
    assert faults(draw()) == []


def test_areas_say_how_many_numbers_are_kept() -> None:
    picture = kept_of_a_token(FOUR, n_heads=32, d_head=128)
    keys, values = (areas(picture, role.tint.lower()) for role in (colours.KEY, colours.VALUE))
    (latent,), (rotary,) = areas(picture, LATENT_FILL), areas(picture, colours.KEY.line.lower())
    assert len(keys) == len(values) == 32 + 8 + 1
    assert keys == pytest.approx([128 / 512 * latent] * 41) and rotary == pytest.approx(latent / 8)
    assert {"8,192 numbers", "2,048 numbers", "256 numbers", "576 numbers"} <= set(texts(picture.figure.axes[0]))


def test_each_head_of_queries_leads_to_the_key_that_it_shares() -> None:
    axes = kept_of_a_token({"grouped": 2}, n_heads=4, d_head=8).figure.axes[0]
    ends = [round(float(line.get_xdata()[1]), 3) for line in axes.lines]
    assert len(ends) == 4 and ends[0] == ends[1] < ends[2] == ends[3]


def test_the_alt_text_says_who_shares_and_what_is_made() -> None:
    alt = kept_of_a_token({"full": 4, "grouped": 2, "multi-query": 1, "latent": (8, 4)}, n_heads=4, d_head=8).alt
    assert "full: a key and a value for each head, 64 numbers" in alt
    assert "grouped: 2 keys and 2 values, one for heads 0 and 1; one for heads 2 and 3, 32 numbers" in alt
    assert "multi-query: 1 key and 1 value, shared by all 4 heads, 16 numbers" in alt
    assert "latent: a latent of 8 numbers, of which the keys and values of all heads are made" in alt
    assert "beside it one small key of 4, 12 numbers" in alt


def test_what_is_overwritten_is_said_where_it_happens() -> None:
    picture = rolling_places(ROLLED)
    shown = texts(picture.figure.axes[0])
    assert {"0 \N{RIGHTWARDS ARROW} 3", "1 \N{RIGHTWARDS ARROW} 4"} <= set(shown) and shown.count("2") == 3 + 1
    framed = [patch for patch in picture.figure.axes[0].findobj(Rectangle) if patch.get_linewidth() == 2]
    assert len(framed) == 5
    assert "after token 4: 3, 4 and 2. Overwritten: 0 and 1." in picture.alt


def test_a_sink_is_never_overwritten() -> None:
    picture = rolling_places(WITH_SINK, n_sinks=1)
    assert texts(picture.figure.axes[0]).count("sink") == 1
    assert "The first place keeps its token for good. Overwritten: 1 and 2." in picture.alt


def test_the_state_is_the_sum_of_the_products_so_far() -> None:
    key, value = np.array([[1.0, 0], [0, 1], *[[0, 0]] * 4]), np.array([[1.0, -1], [0, 1], *[[5, 5]] * 4])
    picture = growing_table(key, value)
    ramp = colours.COLOURS_OF_SIGNED_NUMBERS
    for number, count in {1: 1 + 2 + 2, -1: 1 + 1 + 1, 0: 2 + 1 + 1}.items():
        assert len(areas(picture, to_hex(ramp((number + 1) / 2)))) == count
    assert "a table of 6 by 6, 36 numbers, which is never made" in picture.alt
    assert picture.alt.endswith("It is shown after tokens 0, 1 and 5.")


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda: kept_of_a_token({}, n_heads=4, d_head=8), "ways must be 1 to 4"),
        (lambda: kept_of_a_token({"a": 1}, n_heads=4, d_head=8, amounts=[]), "one for each of them"),
        (lambda: kept_of_a_token({"a": 3}, n_heads=4, d_head=8), "must divide the 4 heads of queries, but is 3"),
        (lambda: kept_of_a_token({"a": 8}, n_heads=4, d_head=8), "must be from 1 to 4, but is 8"),
        (lambda: kept_of_a_token({"a": (0, 1)}, n_heads=4, d_head=8), "numbers of a latent and of a rotary key"),
        (lambda: rolling_places([[0]]), "draws 2 to 10 tokens in 1 to 8 places"),
        (lambda: rolling_places(ROLLED, n_sinks=3), "was given 5 tokens, 3 places and 3 sinks"),
        (lambda: growing_table(np.ones((6, 2)), np.ones((7, 2))), "but the shapes are"),
        (lambda: growing_table(np.ones((5, 2)), np.ones((5, 2))), "draws 6 to 12 tokens"),
        (lambda: growing_table(np.ones((6, 1)), np.ones((6, 5))), "of 2 to 4 numbers"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        draw()
