"""Pictures of a language model: what is drawn, what is said about it, and what is refused."""

import pytest
from drawn import texts
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from readable import faults

from helpers.drawing.language import cache_triangle, decoder_only, merge_table, next_token_bars, token_losses
from helpers.drawing.paper import TIMES
from helpers.drawing.picture import LIT

CAT = ["the", "cat", "sat", "down"]
GOD = ["and", "God", "said", "let", "there", "be"]
LONG = ["incomprehensibilities", "it"] * 3
LOW = {"at first": "l o w | ␣ l o w e r", "l + o, 2 times": "lo w | ␣ lo w e r", "lo + w, 2 times": "low | ␣ low e r"}
WAYS = {"as it is": [0.5, 0.25, 0.125, 0.125], "top-k, k = 2": [0.67, 0.33, 0, 0]}
NAMES = ["␣the", "␣light", "␣day", "all others"]


@pytest.mark.parametrize(
    "draw",
    [
        lambda: decoder_only(CAT, 2),
        lambda: decoder_only(["a", "b", "c"], 12),
        lambda: merge_table(LOW),
        lambda: next_token_bars(WAYS, NAMES),
        lambda: next_token_bars({"weight": [1.0]}, ["x"]),
        lambda: next_token_bars(dict.fromkeys(["a", "b", "c", "d"], [0.3] * 3), LONG[:3]),
        lambda: cache_triangle(GOD),
        lambda: cache_triangle(LONG),
        lambda: token_losses([" people", ","] * 20, [5.4, 0.0] * 20),
        lambda: token_losses(["x"], [0.0]),
    ],
)
def test_every_text_is_readable(draw):
    assert faults(draw()) == []


def filled(axes, colour):
    return [patch for patch in axes.patches if isinstance(patch, Rectangle) and to_hex(patch.get_facecolor()) == colour]


def test_the_decoder_reads_all_but_the_last_token_and_expects_all_but_the_first():
    picture = decoder_only(CAT, 2)
    shown = texts(picture.figure.axes[0])
    assert shown[:3] == ["cat", "sat", "down"] and {"the", f"2 {TIMES}", "norm, then masked self-attention"} <= set(
        shown
    )
    assert 'At the bottom the tokens "the cat sat".' in picture.alt
    assert '"cat sat down". No encoder, and no cross-attention.' in picture.alt


def test_only_tokens_that_are_new_in_a_row_are_tinted():
    axes = merge_table(LOW).figure.axes[0]
    bold = [text.get_text() for text in axes.texts if text.get_fontweight() == "bold"]
    assert bold == ["lo", "lo", "low", "low"]


def test_the_alt_text_reads_the_merges():
    assert merge_table(LOW).alt == (
        "Words as tokens, a hyphen between two. at first: l-o-w, ␣-l-o-w-e-r; l + o, 2 times: lo-w, ␣-lo-w-e-r; "
        "lo + w, 2 times: low, ␣-low-e-r."
    )


def test_bars_are_on_one_scale_and_a_probability_of_0_is_out():
    axes = next_token_bars(WAYS, NAMES).figure.axes[0]
    widths = [bar.get_width() for bar in axes.patches]
    assert widths[4] / widths[0] == pytest.approx(0.67 / 0.5) and widths[6:] == [0, 0]
    assert texts(axes).count("out") == 2
    assert next_token_bars(WAYS, NAMES).alt == (
        "How likely each next token is. as it is: ␣the 0.50, ␣light 0.25, ␣day 0.12, all others 0.12; "
        "top-k, k = 2: ␣the 0.67, ␣light 0.33, and 2 left out."
    )


def test_with_a_cache_one_query_its_row_one_key_and_one_value_are_calculated():
    picture = cache_triangle(GOD)
    lit = filled(picture.figure.axes[0], LIT)
    assert len(lit) == (21 + 3 * 6) + (6 + 3) + 1  # without, with, and the legend
    assert "all 21 scores that are not masked are calculated" in picture.alt
    assert "queries, keys and values of all 6 tokens" in picture.alt
    assert "only the last row, 6 scores, and one query, one key and one value; the 5 keys" in picture.alt


def test_a_token_is_the_darker_the_more_it_costs_and_its_loss_is_written_below():
    picture = token_losses([" my", " God", "s"], [4.0, 2.0, 0.0])
    fills = [sum(patch.get_facecolor()[:3]) for patch in picture.figure.axes[0].patches]
    assert fills == sorted(fills) and len(set(fills)) == 3
    assert texts(picture.figure.axes[0]) == ["␣my", "4.0", "␣God", "2.0", "s", "0.0"]
    assert picture.alt == "A text, each token tinted by its loss: ␣my 4.0, ␣God 2.0, s 0.0."


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: decoder_only(["a", "b"], 2), "tokens must be 3 to 6 words, but there are 2"),
        (lambda: cache_triangle(["a"] * 7), "tokens must be 3 to 6 words, but there are 7"),
        (lambda: merge_table({"a": "l o | w", "b": "lo w"}), r"rows must hold as many words each, one or more, but"),
        (lambda: merge_table({}), "rows must hold as many words each"),
        (lambda: token_losses(["a", "b"], [0.5, -0.5]), "losses must be 0 or more, but go down to -0.5"),
        (lambda: token_losses(["a"], [0.5, 0.5]), "tokens must name each of the 2"),
        (lambda: next_token_bars({}, []), "panels must be 1 to 4, to stand side by side, but there are 0"),
        (lambda: next_token_bars({"a": [0.5, 0.7]}, ["x"]), "tokens must name each of the 2"),
        (lambda: next_token_bars({"a": [0.5, 1.7]}, ["x", "y"]), "must lie from 0 to 1, but goes from 0.5 to 1.7"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, words):
    with pytest.raises(ValueError, match=words):
        draw()
