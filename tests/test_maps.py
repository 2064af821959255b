"""Attention maps, maps of heads and heat maps: what stands where, and in which colour."""

import numpy as np
import pytest
import torch
from drawn import Painted, placed_texts, texts
from matplotlib.axes import Axes

from helpers import attention_map, head_maps, heat_map

WORDS = ["i", "have", "a", "dream"]
WEIGHTS = torch.tensor([[0.7, 0.1, 0.1, 0.1], [0.2, 0.5, 0.2, 0.1], [0.0, 0.25, 0.25, 0.5], [0.1, 0.2, 0.6, 0.1]])
HEADS = torch.softmax(torch.arange(2 * 3 * 4.0).view(2, 3, 4) % 5, dim=-1)
CAUSAL = torch.ones(4, 4, dtype=torch.bool).tril()


def hatched_cells(axes: Axes) -> set[tuple[float, float]]:
    """Column and row of each cell that is hatched; all are one patch, which is drawn in one go."""
    patches = [patch for patch in axes.patches if patch.get_hatch()]
    assert len(patches) <= 1
    cells = [corners for patch in patches for corners in patch.get_path().vertices.reshape(-1, 5, 2)[:, :4]]
    assert all((np.ptp(corners, axis=0) == 1).all() for corners in cells)
    return {(column + 0.5, row + 0.5) for column, row in (corners.min(axis=0) for corners in cells)}


def test_rows_are_queries_from_the_top_and_columns_are_keys() -> None:
    axes, bar = attention_map(WEIGHTS, WORDS, title="a title").figure.axes
    image = axes.images[0]
    assert np.allclose(image.get_array(), WEIGHTS)
    assert image.get_clim() == (0, 1)
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # row 0 on top
    assert [label.get_text() for label in axes.get_yticklabels()] == WORDS
    assert [label.get_text() for label in axes.get_xticklabels()] == WORDS
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("key (attended to)", "query")
    assert axes.get_title(loc="left") == "a title"
    assert bar.get_ylabel() == "weight"


def test_numbers_stand_in_their_cells_up_to_8_by_8() -> None:
    axes = attention_map(WEIGHTS, WORDS).figure.axes[0]
    assert placed_texts(axes) == {(key, query): f"{WEIGHTS[query, key]:.2f}" for query in range(4) for key in range(4)}
    nine = attention_map(torch.full((9, 9), 1 / 9), [f"w{i}" for i in range(9)])
    assert texts(nine.figure.axes[0]) == []


def test_masked_cells_are_hatched_and_carry_no_number() -> None:
    weights = torch.zeros(4, 4).masked_fill(~CAUSAL, -torch.inf).softmax(dim=-1)
    picture = attention_map(weights, WORDS, mask=CAUSAL)
    axes = picture.figure.axes[0]
    assert hatched_cells(axes) == {(column, row) for row in range(4) for column in range(row + 1, 4)}
    assert set(placed_texts(axes)) == {(column, row) for row in range(4) for column in range(row + 1)}
    assert "6 of 16 cells are masked" in picture.alt


def test_a_repeated_word_is_told_apart_by_its_position() -> None:
    picture = attention_map([[0.2, 0.3, 0.5]] * 3, ["the", "cat", "the"])
    assert '"the" (position 0) attends most to "the" (position 2) (0.50)' in picture.alt
    assert [label.get_text() for label in picture.figure.axes[0].get_xticklabels()] == ["the", "cat", "the"]


def test_rows_that_do_not_sum_to_1_are_drawn_and_say_so() -> None:
    picture = attention_map([[0.5, 0.4], [0.5, 0.5]], ["x", "y"])
    note = 'The row of "x" sums to 0.90, not to 1.'
    assert note in texts(picture.figure.axes[0]) and note in picture.alt
    assert "sum" not in attention_map([[0.5, 0.5], [1, 0]], ["x", "y"]).alt


def test_200_tokens_still_make_a_readable_map() -> None:
    picture = attention_map(torch.full((200, 200), 1 / 200), [f"w{i}" for i in range(200)])
    axes = picture.figure.axes[0]
    width, height = picture.figure.get_size_inches()
    assert width <= 12 and height <= 12
    labels = axes.get_yticklabels()
    assert labels[0].get_fontsize() >= 7
    assert height / len(labels) * 72 >= labels[0].get_fontsize()  # lines of text that do not overlap
    assert labels[1].get_text() == f"w{200 // len(labels) + (200 % len(labels) > 0)}"


def test_head_maps_share_one_scale() -> None:
    picture = head_maps(HEADS, WORDS[:3], WORDS)
    maps = [axes for axes in picture.figure.axes if axes.images]
    assert [axes.get_title(loc="left") for axes in maps] == ["head 0", "head 1"]
    for head, axes in enumerate(maps):
        assert axes.images[0].get_clim() == (0, 1)
        assert np.allclose(axes.images[0].get_array(), HEADS[head])
    assert len(picture.figure.axes) == 3  # one colour bar for all


def test_heads_have_the_names_that_were_given() -> None:
    picture = head_maps(HEADS, WORDS[:3], WORDS, names=["16.0", "11.1"])
    maps = [axes for axes in picture.figure.axes if axes.images]
    assert [axes.get_title(loc="left") for axes in maps] == ["16.0", "11.1"] and "16.0: " in picture.alt
    with pytest.raises(ValueError, match="names must be one for each of the 2 heads, but there are 1"):
        head_maps(HEADS, WORDS[:3], WORDS, names=["16.0"])


@pytest.mark.parametrize("n_heads", [1, 3, 4, 6])
def test_heads_stand_row_by_row_at_most_four_side_by_side(n_heads: int) -> None:
    picture = head_maps(torch.rand(n_heads, 2, 3), ["x", "y"], ["a", "b", "c"], title="Layer 2")
    maps = [axes for axes in picture.figure.axes if axes.images]
    boxes = [axes.get_position() for axes in maps]
    assert [axes.get_title(loc="left") for axes in maps] == [f"head {head}" for head in range(n_heads)]
    for head, box in enumerate(boxes):
        assert box.x0 == pytest.approx(boxes[head % 4].x0) and box.y0 == pytest.approx(boxes[head // 4 * 4].y0)
    assert [box.x0 for box in boxes[:4]] == sorted({box.x0 for box in boxes})
    assert [box.y0 for box in boxes[::4]] == sorted({box.y0 for box in boxes}, reverse=True)
    assert [text.get_text() for text in picture.figure.texts] == ["Layer 2"]
    assert [(axes.get_xlabel(), axes.get_ylabel()) for axes in maps[:1]] == [("key (attended to)", "query")]


def test_heads_may_stand_two_a_row_each_with_its_axes_named() -> None:
    picture = head_maps(torch.rand(4, 11, 12), list("1972-11-17e"), list("Nov_17,_1972"), a_row=2)
    maps = [axes for axes in picture.figure.axes if axes.images]
    boxes = [axes.get_position() for axes in maps]
    assert boxes[0].x0 == boxes[2].x0 and boxes[1].y0 == boxes[0].y0 > boxes[2].y0
    assert {(axes.get_xlabel(), axes.get_ylabel()) for axes in maps} == {("key (attended to)", "query")}
    assert picture.figure.get_figwidth() < 7.6


def test_one_mask_hatches_the_same_cells_of_each_head() -> None:
    mask = torch.tensor([[True, True, False, True], [True] * 4, [False, True, True, True]])
    for axes in head_maps(HEADS, WORDS[:3], WORDS, mask=mask).figure.axes[:2]:
        assert hatched_cells(axes) == {(2, 0), (0, 2)}


def test_colours_of_weights_are_those_of_the_legend_and_numbers_can_be_read_on_them() -> None:
    weights = np.array([[0.02, 0.98, 0.0], [0.45, 0.25, 0.3], [0.6, 0.1, 0.3]])
    picture = attention_map(weights, WORDS[:3])
    axes, bar = picture.figure.axes
    painted = Painted(picture)
    for (query, key), weight in np.ndenumerate(weights):
        # beside the number, which stands in the middle
        cell = painted.colour(axes, key - 0.4, query - 0.35)
        legend = painted.colour(bar, 0.5, np.clip(weight, 0.01, 0.99))
        assert np.abs(cell - legend).max() <= 8
    ink = {text.get_text(): text.get_color() for text in axes.texts}
    assert (ink["0.98"], ink["0.60"]) == ("white", "white") and (ink["0.02"], ink["0.45"]) == ("black", "black")


def test_heat_map_is_red_above_0_and_blue_below_as_its_legend_says() -> None:
    values = np.array([[-2.0, 1.0, 0.0], [0.5, 4.0, -3.0]])
    picture = heat_map(values, x_label="dimension", y_label="position", title="Waves")
    axes, bar = picture.figure.axes
    painted = Painted(picture)
    for (row, column), value in np.ndenumerate(values):
        red, _, blue = painted.colour(axes, column, row)
        assert np.sign(red - blue) * (abs(red - blue) > 3) == np.sign(value)
        assert np.abs(painted.colour(axes, column, row) - painted.colour(bar, 0.5, 0.99 * value)).max() <= 8
    assert bar.get_ylim() == (-4, 4) and bar.get_ylabel() == "value"
    assert [label.get_text() for label in bar.get_yticklabels()] == ["\N{MINUS SIGN}4", "0", "4"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("dimension", "position")
    assert axes.get_title(loc="left") == "Waves"


def test_heat_map_of_nothing_but_zeros_is_white() -> None:
    picture = heat_map([[0.0, 0.0]], x_label="x", y_label="y")
    assert Painted(picture).colour(picture.figure.axes[0], 1, 0).min() >= 240


def test_a_row_or_a_column_can_be_framed() -> None:
    weights = torch.full((2, 3), 1 / 3)
    for outline, corner, size in [(("row", 1), (-0.5, 0.5), (3, 1)), (("column", 2), (1.5, -0.5), (1, 2))]:
        picture = attention_map(weights, ["x", "y"], ["a", "b", "c"], outline=outline)
        frame = picture.figure.axes[0].patches[-1]
        assert frame.get_xy() == corner and (frame.get_width(), frame.get_height()) == size
        assert picture.alt.endswith(f'The {outline[0]} of "{"y" if outline[0] == "row" else "c"}" is framed.')
    with pytest.raises(ValueError, match="one of 2 rows, counted from 0, but names 2"):
        attention_map(weights, ["x", "y"], ["a", "b", "c"], outline=("row", 2))
    with pytest.raises(ValueError, match="outline must be"):
        attention_map(weights, ["x", "y"], ["a", "b", "c"], outline=("cell", 0))


def test_each_head_may_have_a_mask_of_its_own() -> None:
    masks = torch.ones(HEADS.shape, dtype=torch.bool)
    masks[1, :, 0] = False
    picture = head_maps(HEADS, WORDS[:3], WORDS, mask=masks)
    assert [len(hatched_cells(axes)) for axes in picture.figure.axes[:2]] == [0, 3]
    assert f"3 of {masks.numel()} cells are masked." in picture.alt
