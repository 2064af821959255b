"""Pictures: what is drawn, what is said about it, and what is refused."""

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
import torch

from helpers import (
    Picture,
    attention_map,
    bars,
    curves,
    head_maps,
    layer_diagram,
    matrix,
    pipeline,
    plane,
    product,
    routes,
    stacked_bars,
)

WORDS = ["i", "have", "a", "dream"]
WEIGHTS = torch.tensor([[0.7, 0.1, 0.1, 0.1], [0.2, 0.5, 0.2, 0.1], [0.0, 0.25, 0.25, 0.5], [0.1, 0.2, 0.6, 0.1]])
HEADS = torch.softmax(torch.arange(2 * 3 * 4.0).view(2, 3, 4) % 5, dim=-1)
CAUSAL = torch.ones(4, 4, dtype=torch.bool).tril()
ALL = {
    "attention_map": lambda: attention_map(WEIGHTS, WORDS),
    "bars": lambda: bars({"a": [1, 2]}, ["x", "y"], y_label="size"),
    "curves": lambda: curves([1, 2, 4], {"a": [1, 2, 3]}, x_label="n", y_label="size"),
    "head_maps": lambda: head_maps(HEADS, WORDS[:3], WORDS),
    "layer_diagram": lambda: layer_diagram(["attention", "feed-forward"]),
    "matrix": lambda: matrix([[1, 2], [3, 4]]),
    "pipeline": lambda: pipeline(1),
    "plane": lambda: plane({"a": (1, 2), "b": (3, 1)}),
    "product": lambda: product([[1, 2]], [[3], [4]]),
    "routes": lambda: routes(WORDS),
    "stacked_bars": lambda: stacked_bars([[1, 2], [3, 4]], ["a", "b"], ["x", "y"], y_label="size"),
}


def texts(axes):
    return [text.get_text() for text in axes.texts]


@pytest.mark.parametrize("name", ALL)
def test_every_picture_has_alt_text_and_bytes_that_do_not_change(name):
    one, two = ALL[name](), ALL[name]()
    assert isinstance(one, Picture)
    assert len(one.alt) > 20
    assert f'alt="{one.alt[:10]}' in one._repr_html_()
    assert one._repr_html_() == two._repr_html_()
    assert repr(one) == f"Picture: {one.alt}"


def test_a_picture_does_not_depend_on_the_learners_settings_nor_change_them():
    before = attention_map(WEIGHTS, WORDS).png()
    with matplotlib.rc_context({"font.size": 22, "axes.facecolor": "black"}):
        mine = dict(matplotlib.rcParams)
        assert attention_map(WEIGHTS, WORDS).png() == before
        assert dict(matplotlib.rcParams) == mine


def test_no_figure_stays_open_in_pyplot():
    from matplotlib import pyplot

    for draw in ALL.values():
        draw()
    with pytest.raises(ValueError):
        attention_map(WEIGHTS, WORDS[:3])
    assert pyplot.get_fignums() == []


def test_importing_helpers_changes_no_setting_and_loads_no_notebook_machinery():
    code = (
        "import sys, torch, matplotlib.pyplot\n"
        "settings = dict(matplotlib.rcParams); seed = torch.initial_seed()\n"
        "import helpers\n"
        "assert dict(matplotlib.rcParams) == settings and torch.initial_seed() == seed\n"
        "assert not {'ipywidgets', 'nbclient', 'nbformat', 'IPython'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# attention_map


def test_rows_are_queries_from_the_top_and_columns_are_keys():
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


def test_numbers_stand_in_their_cells_up_to_8_by_8():
    axes = attention_map(WEIGHTS, WORDS).figure.axes[0]
    written = {(text.get_position()): text.get_text() for text in axes.texts}
    assert written[(3, 2)] == "0.50" and written[(2, 3)] == "0.60"
    assert len(written) == 16
    nine = attention_map(torch.full((9, 9), 1 / 9), [f"w{i}" for i in range(9)])
    assert texts(nine.figure.axes[0]) == []


def test_masked_cells_are_hatched_and_carry_no_number():
    weights = torch.zeros(4, 4).masked_fill(~CAUSAL, -torch.inf).softmax(dim=-1)
    picture = attention_map(weights, WORDS, mask=CAUSAL)
    axes = picture.figure.axes[0]
    hatched = {(patch.get_x() + 0.5, patch.get_y() + 0.5) for patch in axes.patches if patch.get_hatch()}
    assert hatched == {(column, row) for row in range(4) for column in range(row + 1, 4)}
    assert len(axes.texts) == 10
    assert "6 of 16 cells are masked" in picture.alt


def test_alt_text_names_the_strongest_key_of_each_query():
    alt = attention_map(WEIGHTS, WORDS).alt
    assert '"i" attends most to "i" (0.70)' in alt
    assert '"a" attends most to "dream" (0.50)' in alt


def test_a_repeated_word_is_told_apart_by_its_position():
    picture = attention_map([[0.2, 0.3, 0.5]] * 3, ["the", "cat", "the"])
    assert '"the" (position 0) attends most to "the" (position 2) (0.50)' in picture.alt
    assert [label.get_text() for label in picture.figure.axes[0].get_xticklabels()] == ["the", "cat", "the"]


def test_rows_that_do_not_sum_to_1_are_drawn_and_say_so():
    picture = attention_map([[0.5, 0.4], [0.5, 0.5]], ["x", "y"])
    note = 'The row of "x" sums to 0.90, not to 1.'
    assert note in texts(picture.figure.axes[0]) and note in picture.alt
    assert "sum" not in attention_map([[0.5, 0.5], [1, 0]], ["x", "y"]).alt


@pytest.mark.parametrize(
    "weights",
    [
        WEIGHTS.clone().requires_grad_(),
        WEIGHTS.half(),
        WEIGHTS.bfloat16(),
        WEIGHTS.double(),
        WEIGHTS.numpy(),
        WEIGHTS.tolist(),
        WEIGHTS.T.contiguous().T,
    ],
    ids=["requires grad", "float16", "bfloat16", "float64", "numpy", "lists", "not contiguous"],
)
def test_weights_may_come_in_any_of_the_usual_forms(weights):
    assert np.allclose(attention_map(weights, WORDS).figure.axes[0].images[0].get_array(), WEIGHTS, atol=2e-3)


@pytest.mark.parametrize("token", ["<script>", "$x$", "a$", '"', "'", "&amp;", "😀", "注意", "", "\\n", "ש", "x" * 40])
def test_tokens_are_text_whatever_they_contain(token):
    picture = attention_map([[0.25, 0.75], [1, 0]], [token, "b"], title=token)
    labels = picture.figure.axes[0].get_xticklabels()
    assert labels[0].get_text() == token and not labels[0].get_parse_math()
    assert picture._repr_html_().count("<") == 1  # the <img>, and no markup of the token's


def test_200_tokens_still_make_a_readable_map():
    picture = attention_map(torch.full((200, 200), 1 / 200), [f"w{i}" for i in range(200)])
    axes = picture.figure.axes[0]
    width, height = picture.figure.get_size_inches()
    assert width <= 12 and height <= 12
    labels = axes.get_yticklabels()
    assert labels[0].get_fontsize() >= 7
    assert height / len(labels) * 72 >= labels[0].get_fontsize()  # lines of text that do not overlap
    assert labels[1].get_text() == f"w{200 // len(labels) + (200 % len(labels) > 0)}"


REFUSED = [
    (ValueError, "two dimensions, (n_query, n_key), but has 3", lambda: attention_map(HEADS, WORDS)),
    (ValueError, "two dimensions, (n_query, n_key), but has 1", lambda: attention_map([0.5, 0.5], WORDS)),
    (ValueError, "each of the 4 rows of weights, but there are 3", lambda: attention_map(WEIGHTS, WORDS[:3])),
    (ValueError, "each of the 4 columns of weights, but there are 5", lambda: attention_map(WEIGHTS, WORDS, ["k"] * 5)),
    (ValueError, "key_tokens must be given", lambda: attention_map(WEIGHTS[:2], WORDS[:2])),
    (ValueError, "at [0, 1] there is nan", lambda: attention_map([[0.5, float("nan")]], ["q"], ["a", "b"])),
    (ValueError, "at [0, 0] there is inf", lambda: attention_map([[float("inf"), 0]], ["q"], ["a", "b"])),
    (ValueError, "between 0 and 1, but at [0, 0] there is -0.5", lambda: attention_map([[-0.5, 1]], ["q"], ["a", "b"])),
    (ValueError, "between 0 and 1, but at [0, 1] there is 1.5", lambda: attention_map([[0, 1.5]], ["q"], ["a", "b"])),
    (ValueError, "must not be empty", lambda: attention_map(torch.zeros(0, 3), [], ["a", "b", "c"])),
    (ValueError, "rows differ in length", lambda: attention_map([[1], [0.5, 0.5]], ["a", "b"])),
    (TypeError, "complex numbers", lambda: attention_map(torch.ones(2, 2, dtype=torch.complex64), ["a", "b"])),
    (TypeError, "holds text", lambda: attention_map([["a", "b"]], ["q"], ["a", "b"])),
    (TypeError, "NoneType", lambda: attention_map(None, ["q"])),
    (TypeError, "one string", lambda: attention_map(WEIGHTS, "a cat")),
    (TypeError, "must be text, but holds 1", lambda: attention_map(WEIGHTS, [1, 2, 3, 4])),
    (TypeError, "mask must be boolean", lambda: attention_map(WEIGHTS, WORDS, mask=CAUSAL.float())),
    (ValueError, "shape of the weights, (4, 4)", lambda: attention_map(WEIGHTS, WORDS, mask=CAUSAL[:2])),
    (ValueError, "three dimensions, (n_heads, n_query, n_key)", lambda: head_maps(WEIGHTS, WORDS)),
    (ValueError, "two dimensions, (rows, columns)", lambda: matrix([1, 2, 3])),
    (ValueError, "at most 16 rows and columns", lambda: matrix(torch.zeros(17, 2))),
    (ValueError, "each of the 2 rows, but there are 1", lambda: matrix([[1], [2]], row_labels=["a"])),
    (ValueError, "shape of the values, (1, 2)", lambda: matrix([[1, 2]], groups=[[1]])),
    (ValueError, "but there are 2 and 3", lambda: product([[1, 2]], [[1], [2], [3]])),
    (ValueError, "highlight must be", lambda: product([[1]], [[1]], highlight=(1, 0))),
    (ValueError, "from 1 to 16, but is 0", lambda: pipeline(0)),
    (TypeError, "whole number, but is 'scores'", lambda: pipeline("scores")),
    (ValueError, "3 to 9 words", lambda: routes(["a"])),
    (ValueError, "must name a sublayer", lambda: layer_diagram(["a"], {"b": "c"})),
    (ValueError, "each of the 2 points", lambda: curves([1, 2], {"a": [1]}, x_label="x", y_label="y")),
    (ValueError, "above 0", lambda: curves([0, 2], {"a": [1, 2]}, x_label="x", y_label="y", log_x=True)),
    (ValueError, "at least one name", lambda: bars({}, ["a"], y_label="y")),
    (ValueError, "not be below 0", lambda: stacked_bars([[-1]], ["a"], ["b"], y_label="y")),
    (ValueError, "2 coordinates", lambda: plane({"a": (1, 2, 3)})),
    (ValueError, "not among ['a']", lambda: plane({"a": (1, 2)}, region=["a", "b", "c"])),
]


@pytest.mark.parametrize(("kind", "words", "draw"), REFUSED, ids=[words for _, words, _ in REFUSED])
def test_bad_input_gets_one_sentence(kind, words, draw):
    with pytest.raises(kind) as refusal:
        draw()
    message = str(refusal.value)
    assert words in message
    assert message.endswith(".") and "\n" not in message


# the other pictures


def test_head_maps_share_one_scale():
    picture = head_maps(HEADS, WORDS[:3], WORDS)
    maps = [axes for axes in picture.figure.axes if axes.images]
    assert [axes.get_title(loc="left") for axes in maps] == ["head 0", "head 1"]
    for head, axes in enumerate(maps):
        assert axes.images[0].get_clim() == (0, 1)
        assert np.allclose(axes.images[0].get_array(), HEADS[head])
    assert len(picture.figure.axes) == 3  # one colour bar for all


def test_matrix_writes_whole_numbers_without_a_point_and_no_minus_zero():
    assert texts(matrix([[1.0, -2.0]]).figure.axes[0]) == ["1", "\N{MINUS SIGN}2"]
    assert texts(matrix([[0.5, -0.001]]).figure.axes[0]) == ["0.50", "0.00"]


def test_matrix_heat_is_centred_on_zero():
    picture = matrix([[-1.0, 4.0]], heat=True)
    bar = picture.figure.axes[1]
    assert [label.get_text() for label in bar.get_yticklabels()] == ["\N{MINUS SIGN}4", "0", "4"]


def test_product_multiplies_and_writes_the_lit_sum_out():
    picture = product([[1, 0, 2]], [[3, 1], [4, 1], [5, -1]], names=("a", "b", "c"), highlight=(0, 1))
    written = texts(picture.figure.axes[0])
    assert "1·1 + 0·1 + 2·(\N{MINUS SIGN}1) = \N{MINUS SIGN}1" in written
    assert "13" in written
    assert "c, 1 by 2. Rows: [13, \N{MINUS SIGN}1]." in picture.alt


def test_pipeline_lights_one_stage():
    picture = pipeline(4)
    widths = [patch.get_linewidth() for patch in picture.figure.axes[0].patches[:16]]
    assert widths.index(max(widths)) == 3 and widths.count(max(widths)) == 1
    assert "Stage 4, scores, is lit." in picture.alt


def test_stacked_bars_add_up():
    picture = stacked_bars([[1, 4], [1, 3]], ["a", "b"], ["x", "y"], y_label="size")
    tops = {text.get_text() for text in picture.figure.axes[0].texts}
    assert {"2", "7"} <= tops and "x: 1 + 1 = 2; y: 4 + 3 = 7" in picture.alt


def test_plane_keeps_both_scales_equal_and_names_apart():
    axes = plane({"a": (0, 0), "b": (8, 1), "c": (8, 1.01)}).figure.axes[0]
    assert axes.get_aspect() == 1
    labels = {label.get_text(): label for label in axes.texts}
    assert labels["b"].xyann != labels["c"].xyann  # b and c lie on the same spot
