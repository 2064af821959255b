"""Pictures of the parts of attention: what is drawn, what is said about it, and what is refused."""

import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch, Rectangle
from readable import faults

from helpers import course_strip, fan_out, heads_flow, pressed_flat, stage_strip, steps_of_softmax
from helpers.drawing.colours import QUERY

LONG = "incomprehensibilities"
MATRICES = {
    "query": torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]),
    "key": torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]]),
}
VALUES = torch.tensor([[1.0, 2, 3], [2, 8, 0], [2, 6, 3]])
TITLES = {"the nine stages": ["inputs", "weights"], "at work": ["reviews"]}


def heads(n=4, d_model=6, n_heads=2, tokens=None, **changes):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(n, d_model, generator=generator)
    queries, keys, values = (torch.randn(n_heads, n, d_model // n_heads, generator=generator) for _ in range(3))
    weights = (queries @ keys.transpose(-2, -1)).softmax(dim=-1)
    tensors = {"x": x, "queries": queries, "keys": keys, "values": values, "weights": weights, "output": x + 1}
    return heads_flow(**{**tensors, "n_heads": n_heads, "tokens": tokens or ["i", "have", "a", "dream"], **changes})


@pytest.mark.parametrize(
    "draw",
    [
        lambda: fan_out([1, 0, 1, 0], MATRICES, "input 1"),
        lambda: fan_out(torch.eye(6)[4], {"query": -torch.ones(6, 2), "key": torch.ones(6, 4) / 3}, LONG),
        lambda: fan_out(torch.linspace(-9, 9, 512), {"query": torch.ones(512, 64) / 7}, LONG),
        lambda: steps_of_softmax([2.0, 4, 4], ["key 1", "key 2", "key 3"]),
        lambda: steps_of_softmax([-1.5, 4.2, 16, -3], ["animal", "street", LONG, "it"]),
        lambda: steps_of_softmax([-1, -2.0], ["a", "b"]),
        lambda: steps_of_softmax([700, -700.0], [LONG, LONG]),
        lambda: steps_of_softmax(torch.linspace(-3, 5, 12), [LONG] * 12),
        lambda: pressed_flat([[0, 0.5, 0.5], [0, 1, 0], [0, 0.9, 0.1]], VALUES),
        lambda: pressed_flat(torch.full((6, 12), 1 / 12), -torch.rand(12, 64), [LONG] * 6, [LONG] * 12),
        heads,
        lambda: heads(6, 16, 4, [LONG, "it", LONG, "it", "yes", "because"]),
        *(lambda stage=stage: stage_strip(stage) for stage in range(1, 10)),
        lambda: course_strip(3, TITLES),
        lambda: course_strip(1, {"the nine stages": ["keys, queries, values"] * 9, LONG: [LONG] * 6}),
    ],
)
def test_every_text_is_readable(draw):
    assert faults(draw()) == []


# fan_out


def test_a_fan_shows_the_shapes_and_says_the_results():
    picture = fan_out([1, 0, 1, 0], MATRICES, "input 1")
    texts = [text.get_text() for text in picture.figure.axes[0].texts]
    assert texts.count("(4) @ (4, 3) \u2192 (3)") == 2
    assert picture.alt == (
        'The vector of "input 1", [1, 0, 1, 0], goes through query and key: x @ w_query, shapes (4) @ (4, 3) \u2192 '
        "(3), gives the query [1, 0, 2]; x @ w_key, shapes (4) @ (4, 3) \u2192 (3), gives the key [0, 1, 1]."
    )


def test_a_fan_shades_the_rows_that_the_vector_takes():
    axes = fan_out([1, 0, 1, 0], {"query": MATRICES["query"]}, "input 1").figure.axes[0]
    cells = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_fill()]
    shaded = [to_hex(cell.get_facecolor()) == QUERY.tint for cell in cells if round(cell.get_height(), 2) == 0.22]
    assert shaded == [True] * 3 + [False] * 3 + [True] * 3 + [False] * 3


def test_of_large_matrices_only_the_shapes_are_written():
    axes = fan_out(range(7), {"query": torch.ones(7, 2)}, "it").figure.axes[0]
    assert "1" not in [text.get_text() for text in axes.texts if text.get_fontsize() == 9]


def test_of_a_long_vector_the_last_number_is_written_too():
    assert "[0, 1, 2, \u2026, 15]" in fan_out(range(16), {"value": torch.eye(16)}, "it").alt


def test_a_matrix_that_does_not_fit_the_vector_is_refused():
    with pytest.raises(ValueError, match="query must have a row for each of the 3 numbers, but has 4 rows"):
        fan_out([1, 0, 1], MATRICES, "it")
    with pytest.raises(ValueError, match="matrices must be a dictionary of one to four"):
        fan_out([1, 0, 1], {}, "it")


# steps_of_softmax


def test_softmax_says_all_three_steps():
    assert steps_of_softmax([2.0, -4], ["animal", "street"]).alt == (
        "Softmax in three steps: scores, their exponentials, which sum to 7.41, and each divided by this sum. animal: "
        "score 2, exponential 7.39, share 1.00; street: score \u22124, exponential 0.02, share 0.00."
    )


def test_a_negative_score_points_to_the_other_side_of_zero():
    axes = steps_of_softmax([2.0, -1.0], ["a", "b"]).figure.axes[0]
    positive, negative = [patch for patch in axes.patches if isinstance(patch, Rectangle)][:2]
    assert negative.get_x() + negative.get_width() == pytest.approx(positive.get_x())
    assert positive.get_width() == pytest.approx(2 * negative.get_width())


def test_a_score_whose_exponential_is_infinite_is_refused():
    with pytest.raises(ValueError, match="scores must be at most 700, or exp gives infinity, but the largest is 1000"):
        steps_of_softmax([1.0, 1000], ["a", "b"])
    with pytest.raises(ValueError, match="scores must be 2 to 13"):
        steps_of_softmax([1.0], ["a"])


# pressed_flat


def test_sheets_hold_weight_times_value_and_are_summed_over_the_keys():
    picture = pressed_flat([[0, 0.5, 0.5]], VALUES, ["it"], ["a", "b", "c"])
    assert picture.alt == (
        "Weighted values (1, 3, 3), one sheet for each query with a row for each key, pressed flat to the output "
        "(1, 3) by a sum over the keys. it: 0.00 of a is [0.0, 0.0, 0.0], 0.50 of b is [1.0, 4.0, 0.0], 0.50 of c is "
        "[1.0, 3.0, 1.5], sum [2.0, 7.0, 1.5]."
    )


def test_sheets_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="values must have a row for each of the 2 keys, but has 3"):
        pressed_flat([[0.5, 0.5]], VALUES)
    with pytest.raises(ValueError, match="at most 6 queries by 12 keys to be drawn, but are 7 by 3"):
        pressed_flat(torch.full((7, 3), 0.3), VALUES)


# heads_flow


def test_heads_say_their_shapes_and_where_each_looks():
    one = torch.eye(2)
    weights = torch.stack([one, one.flip(0)])
    x = torch.ones(2, 4)
    assert heads_flow(x, x, x, x, weights, x, 2, ["i", "sleep"]).alt == (
        "Multi-head attention with 2 heads. x (2, 4) becomes queries (2, 4), keys (2, 4) and values (2, 4), each cut "
        'into 2 bands, one a head. head 0: "i" attends most to "i" (1.00), "sleep" attends most to "sleep" (1.00); '
        'head 1: "i" attends most to "sleep" (1.00), "sleep" attends most to "i" (1.00). '
        "The heads' outputs stand side by side, (2, 4), "
        "and w_output (4, 4) turns them into the output (2, 4)."
    )


def test_queries_may_come_by_head_or_side_by_side():
    queries = torch.arange(24.0).view(2, 4, 3)
    by_head, side_by_side = heads(queries=queries), heads(queries=queries.transpose(0, 1).flatten(-2))
    assert by_head.png() == side_by_side.png()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n_heads": 5}, "n_heads must be 2, 3 or 4"),
        ({"keys": torch.ones(4, 5)}, "keys must be 4 rows of 2 equal bands"),
        ({"weights": torch.ones(3, 4, 4)}, "weights must have the shape"),
        ({"output": torch.ones(4, 3)}, "output must have the shape of x"),
    ],
)
def test_heads_that_do_not_fit_are_refused(change, words):
    with pytest.raises(ValueError, match=words):
        heads(**change)


# stage_strip and course_strip


def test_the_strip_says_what_flows_and_which_stage_is_lit():
    assert stage_strip(4).alt == (
        "What flows through the seven stages of attention: 1 inputs: x (n, d_model), 2 weights: three w (d_model, "
        "d_k or d_v), 3 keys, queries, values: q, k, v (n, d_k or d_v), 4 scores: scores (n, n), 5 softmax: weights "
        "(n, n), 6 weighting: weighted (n, n, d_v), 7 summing: output (n, d_v). Two variants: 8 multi-head: heads "
        "(h, n, n), 9 masked decoder: masked (n, n). Stage 4, scores, is lit."
    )


def test_arrows_join_the_seven_stages_that_data_flow_through():
    axes = stage_strip(2).figure.axes[0]
    arrows = [artist for artist in axes.get_children() if isinstance(artist, FancyArrowPatch)]
    dotted = [line for line in axes.lines if line.get_linestyle() == ":"]
    assert len(arrows) == 6 and len(dotted) == 1
    assert max(arrow.get_path().vertices[:, 0].max() for arrow in arrows) < dotted[0].get_xdata()[0]


def test_only_the_present_stage_is_bold():
    texts = stage_strip(4).figure.axes[0].texts
    assert [text.get_text() for text in texts if text.get_fontweight() == "bold"] == ["4", "scores"]


@pytest.mark.parametrize(("stage", "error"), [(0, ValueError), (10, ValueError), ("4", TypeError), (True, TypeError)])
def test_there_are_nine_stages(stage, error):
    with pytest.raises(error, match="stage must be"):
        stage_strip(stage)


def test_the_course_is_a_list_without_arrows():
    assert course_strip(3, TITLES).alt == (
        "The lessons of the course. the nine stages: 1 inputs, 2 weights; at work: 3 reviews. Lesson 3, reviews, is "
        "lit."
    )


def test_a_lesson_or_group_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="lesson must be from 1 to 3, but is 4"):
        course_strip(4, TITLES)
    with pytest.raises(ValueError, match="titles must be a dictionary of groups"):
        course_strip(1, {"empty": []})
