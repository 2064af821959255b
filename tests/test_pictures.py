"""All pictures: the same bytes each time, no setting changed, what is taken and what is refused."""

import io
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
import torch
from PIL import Image

from helpers import (
    Picture,
    attention_map,
    bars,
    curves,
    head_maps,
    heat_map,
    layer_diagram,
    matrix,
    pipeline,
    plane,
    product,
    routes,
    stacked_bars,
)
from helpers.drawing.colours import COLOURS_OF_WEIGHTS
from helpers.drawing.diagrams import STAGES
from helpers.drawing.picture import SHARPNESS, png_size, style

WORDS = ["i", "have", "a", "dream"]
WEIGHTS = torch.tensor([[0.7, 0.1, 0.1, 0.1], [0.2, 0.5, 0.2, 0.1], [0.0, 0.25, 0.25, 0.5], [0.1, 0.2, 0.6, 0.1]])
HEADS = torch.softmax(torch.arange(2 * 3 * 4.0).view(2, 3, 4) % 5, dim=-1)
CAUSAL = torch.ones(4, 4, dtype=torch.bool).tril()
ALL = {
    "attention_map": lambda: attention_map(WEIGHTS, WORDS),
    "bars": lambda: bars({"a": [1, 2]}, ["x", "y"], y_label="size"),
    "curves": lambda: curves([1, 2, 4], {"a": [1, 2, 3]}, x_label="n", y_label="size"),
    "head_maps": lambda: head_maps(HEADS, WORDS[:3], WORDS),
    "heat_map": lambda: heat_map([[1, -2, 3]], x_label="x", y_label="y"),
    "layer_diagram": lambda: layer_diagram(["attention", "feed-forward"]),
    "matrix": lambda: matrix([[1, 2], [3, 4]]),
    "pipeline": lambda: pipeline(1),
    "plane": lambda: plane({"a": (1, 2), "b": (3, 1)}),
    "product": lambda: product([[1, 2]], [[3], [4]]),
    "routes": lambda: routes(WORDS),
    "stacked_bars": lambda: stacked_bars([[1, 2], [3, 4]], ["a", "b"], ["x", "y"], y_label="size"),
}


@pytest.mark.parametrize("name", ALL)
def test_every_picture_has_alt_text_and_bytes_that_do_not_change(name):
    one, two = ALL[name](), ALL[name]()
    assert isinstance(one, Picture)
    assert len(one.alt) > 20
    assert f'alt="{one.alt[:10]}' in one._repr_html_()
    assert one._repr_html_() == two._repr_html_()
    assert repr(one) == f"Picture: {one.alt}"


def test_a_picture_of_many_shades_keeps_the_colour_of_each_cell_and_few_at_the_edges_of_letters():
    scores = torch.randn(8, 8, generator=torch.Generator().manual_seed(0))
    picture, drawn = matrix(scores, heat=True), io.BytesIO()
    with style():
        picture.figure.savefig(drawn, format="png", bbox_inches="tight", pad_inches=0.12)
    stored = io.BytesIO(picture.png())
    before, after = (np.asarray(Image.open(png).convert("RGB"), dtype=int) for png in (drawn, stored))
    before = before[: len(after)]  # stored with less margin below
    assert 0 < abs(before - after).max() <= 8
    colours, counts = np.unique(before.reshape(-1, 3), axis=0, return_counts=True)
    areas = {tuple(colour) for colour in colours[counts >= 500]}
    assert len(areas) > 5 and areas <= {tuple(colour) for colour in np.unique(after.reshape(-1, 3), axis=0)}
    assert len(stored.getvalue()) < 0.7 * len(drawn.getvalue())


def test_a_cell_of_a_map_has_a_colour_of_its_colour_bar():
    weights = torch.rand(14, 14, generator=torch.Generator().manual_seed(0)).softmax(dim=-1)
    pixels = np.asarray(attention_map(weights, [f"w{i}" for i in range(14)]).pixels())
    ramp = 255 * np.array([COLOURS_OF_WEIGHTS(i)[:3] for i in range(64)])
    colours, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    of_cells = [colour for colour in colours[counts >= 50_000].astype(int) if colour.max() < 255]
    assert len(of_cells) > 5 and all((abs(ramp - colour).max(axis=-1) <= 1).any() for colour in of_cells)


def test_a_picture_stands_on_the_page_at_half_its_pixels_so_that_it_is_sharp():
    picture = ALL["matrix"]()
    pixels = png_size(picture.png())
    with Image.open(io.BytesIO(picture.png())) as image:
        assert image.size == pixels
    assert f'width="{pixels[0] // 2}"' in picture._repr_html_()


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


def test_what_the_learner_hands_over_stays_as_it_is():
    weights, mask = WEIGHTS.clone(), CAUSAL.numpy().copy()
    rows = [[0.5, 1.0004]]
    tokens = list(WORDS)
    attention_map(weights, tokens, mask=mask)
    attention_map(weights.numpy(), tokens, tokens)
    attention_map(rows, ["q"], ["a", "b"])
    product(weights, weights, highlight=(0, 0))
    stacked_bars(weights, tokens, tokens, y_label="size")
    assert torch.equal(weights, WEIGHTS) and np.array_equal(mask, CAUSAL) and tokens == WORDS
    assert rows == [[0.5, 1.0004]]


@pytest.mark.parametrize("token", ["<script>", "$x$", "a$", '"', "'", "&amp;", "😀", "注意", "", "\\n", "ש", "x" * 40])
def test_tokens_are_text_whatever_they_contain(token):
    picture = attention_map([[0.25, 0.75], [1, 0]], [token, "b"], title=token)
    labels = picture.figure.axes[0].get_xticklabels()
    assert labels[0].get_text() == token and not labels[0].get_parse_math()
    assert picture._repr_html_().count("<") == 3  # <style>, its end and the <img>, and no markup of the token's


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
    (ValueError, f"from 1 to {len(STAGES)}, but is 0", lambda: pipeline(0)),
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


def test_little_paper_is_left_below_a_picture():
    below = (np.asarray(ALL["matrix"]().pixels()).min(axis=(1, 2)) < 250)[::-1].argmax()
    assert below / SHARPNESS <= 6, "what follows has a margin of its own"
