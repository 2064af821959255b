"""The pictures of training and of beam search: what is drawn, what is said about it, and what is refused."""

from itertools import pairwise

import pytest
import torch
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Text
from readable import faults

from helpers.drawing.training import given_and_wanted, panels
from helpers.drawing.trees import beam_tree

DATE = ["<start>", *"1999-03-03", "<end>"]
FIRST = [(("0",), 0.314), (("2",), 0.31), (("3",), 0.006)]
SECOND = [(("2", "1"), 0.295), (("0", "4"), 0.145), (("0", "1"), 0.11), (("0", "9"), 0.01)]
THIRD = [(("2", "1", "<end>"), 0.281), (("0", "4", "<end>"), 0.138), (("2", "1", "9"), 0.001)]


def tree(**changes):
    arguments = {"beginning": "2003-09-", "probability": 0.683, "steps": [FIRST, SECOND, THIRD], "width": 2}
    return beam_tree(**{**arguments, "greedy": ["0", "4", "<end>"], **changes})


@pytest.mark.parametrize(
    "draw",
    [
        tree,
        lambda: tree(steps=[FIRST], greedy=["0"]),
        lambda: tree(steps=[[((token,), 0.1) for token in "012345"]], greedy=["5"], width=6),
        lambda: tree(
            beginning="2",
            steps=[[(tuple("0" * k + token), 0.1) for token in "0123"] for k in range(4)],
            greedy="0000",
            width=1,
        ),
        lambda: given_and_wanted(list("3_Mar_1999"), DATE),
        lambda: given_and_wanted(list("a"), ["<start>", "b", "<end>"]),
        lambda: given_and_wanted(list("21-Mar-1999_"), DATE),
    ],
)
def test_every_text_is_readable(draw):
    assert faults(draw()) == []


def test_a_box_is_as_wide_as_its_own_token() -> None:
    drawn = given_and_wanted(list("3_Mar_1999"), DATE).figure.axes[0].findobj(FancyBboxPatch)
    widths = [round(box.get_width(), 2) for box in drawn if box.get_height() == 0.3]
    given, wanted = widths[-22:-11], widths[-11:]
    assert given[0] == max(given) > 1.5 * max(given[1:]) and wanted[-1] == max(wanted) > 1.5 * max(wanted[:-1])


def test_a_tree_says_what_each_step_keeps_and_where_the_paths_end():
    assert tree().alt == (
        'A beam of width 2 drawn as a tree of 3 steps from "2003-09-". Step 0 keeps "0" 0.31 and "2" 0.31 and drops '
        '"3" 0.01. Step 1 keeps "21" 0.29 and "04" 0.14 and drops "01" 0.11 and "09" 0.01. Step 2 keeps "21<end>" 0.28 '
        'and "04<end>" 0.14 and drops "219" 0.00. The greedy path ends at "04<end>" with probability 0.14, the beam at '
        '"21<end>" with 0.28.'
    )


def test_a_branch_carries_the_probability_of_its_token_alone():
    written = [text.get_text() for text in tree().figure.findobj(Text)]
    assert {"0.46", "0.95", "0.35"} <= set(written)  # 0.314 / 0.683, 0.295 / 0.31 and 0.11 / 0.314


def test_continuations_of_one_hypothesis_stand_together():
    axes = tree().figure.axes[0]
    column = sorted((text.get_position() for text in axes.texts if text.get_text() in "1249"), key=lambda xy: xy[1])
    of_step_1 = [xy for xy in column if 3 < xy[0] < 5]
    tokens = {text.get_position(): text.get_text() for text in axes.texts}
    assert [tokens[xy] for xy in of_step_1] == ["4", "1", "9", "1"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"steps": []}, "1 to 4"),
        ({"steps": [[((str(k),), 0.1) for k in range(7)]], "greedy": ["0"]}, "1 to 6"),
        ({"steps": [FIRST, [(("3", "1"), 0.1)]], "greedy": ["3", "1"]}, "'31' of step 1 continues none that was kept"),
        ({"greedy": ["0", "9", "<end>"]}, "'09<end>' is not among"),
    ],
)
def test_a_tree_that_cannot_be_drawn_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        tree(**changes)


# given and wanted


def test_each_given_token_stands_below_the_wanted_one():
    picture = given_and_wanted(list("3/3"), DATE[:4] + DATE[-1:])
    assert picture.alt == (
        'The encoder reads the source "3/3" and hands its memory to the decoder. Each token that the decoder is given, '
        'and the one wanted above it: "<start>" then "1", "1" then "9", "9" then "9", "9" then "<end>".'
    )
    axes = picture.figure.axes[0]
    given = [text.get_position() for text in axes.texts if text.get_text() == "<start>"]
    wanted = min((text.get_position() for text in axes.texts if text.get_text() == "1"), key=lambda xy: xy[1])
    assert given[0][0] == pytest.approx(wanted[0]) and given[0][1] > wanted[1]


@pytest.mark.parametrize(("source", "target"), [("a" * 13, DATE), ("a", [*DATE, "x"]), ("a", ["<start>", "<end>"])])
def test_an_example_that_does_not_fit_is_refused(source, target):
    with pytest.raises(ValueError, match="at most 12 tokens and target 3 to 12"):
        given_and_wanted(list(source), target)


# panels


def test_panels_have_scales_and_ranges_of_their_own():
    picture = panels(
        {
            "loss": {"training": (torch.arange(50), torch.linspace(3.0, 0.31, 50))},
            "share exact": {"training": ([0, 25, 50], [0, 0.5, 1]), "validation": ([0, 50], [0.0, 0.25])},
        },
        x_label="step",
        levels={"loss": {"floor": 0.307, "even guess": 2.64}},
    )
    loss, share = picture.figure.axes
    assert [axes.get_title(loc="left") for axes in (loss, share)] == ["loss", "share exact"]
    assert loss.get_ylim()[1] > 2.9 and share.get_ylim()[1] < 1.2
    assert [line.get_linestyle() for line in loss.lines[1:]] == [":", ":"] and set(loss.lines[1].get_ydata()) == {0.307}
    assert [text.get_text() for text in loss.texts] == ["floor 0.307", "even guess 2.64"] and loss.get_legend() is None
    assert [text.get_text() for text in share.get_legend().get_texts()] == ["training", "validation"]
    assert picture.alt == (
        "2 charts over step. loss: training goes from 3 at 0 to 0.31 at 49, a dotted line at 0.307, floor, "
        "a dotted line at 2.64, even guess. share exact: "
        "training goes from 0 at 0 to 1 at 50, validation goes from 0 at 0 to 0.25 at 50."
    )


def test_the_numbers_below_three_panels_keep_apart():
    line = {"rate": (torch.arange(0, 3600, 20), torch.linspace(0, 1, 180))}
    figure = panels(dict.fromkeys(("rate", "loss", "share"), line), x_label="step").figure
    figure.canvas.draw()
    for axes in figure.axes:
        shown = [label for label in axes.get_xticklabels() if 0 <= label.get_position()[0] <= axes.get_xlim()[1]]
        boxes = [label.get_window_extent() for label in shown]
        assert len(boxes) > 2 and all(one.x1 + 5 < other.x0 for one, other in pairwise(boxes))


def test_a_panel_may_have_a_logarithmic_axis():
    charts = {"loss": {"training": ([0, 1, 2], [3.0, 1.0, 0.3])}, "share": {"training": ([0, 2], [0, 1])}}
    charts["loss"]["training"] = ([20, 40, 2000], [3.0, 1.0, 0.3])
    levels = {"loss": {"even guess": 2.64}}
    loss, share = panels(charts, x_label="step", levels=levels, log_x=["loss"], log_y=["loss"]).figure.axes
    assert (loss.get_xscale(), loss.get_yscale(), share.get_xscale(), share.get_yscale()) == ("log", "log") + 2 * (
        "linear",
    )
    assert {"30", "100", "1000"} <= {label.get_text() for label in loss.get_xticklabels()}
    loss.figure.draw_without_rendering()
    assert loss.texts[0].get_window_extent().y1 <= loss.bbox.y1
    assert {"0.5", "1", "2"} <= {label.get_text() for label in loss.get_yticklabels()}


def test_the_name_of_a_level_stands_where_the_line_is_far_off():
    line = {"training": ([20, 200, 2000], [2.9, 0.6, 0.31])}
    levels = {"loss": {"floor": torch.tensor(0.307), "even guess": 2.64}}
    for log in ([], ["loss"]):
        picture = panels({"loss": line, "share": line}, x_label="step", levels=levels, log_x=log, log_y=log)
        assert [text.get_ha() for text in picture.figure.axes[0].texts] == ["left", "right"]


@pytest.mark.parametrize(
    ("charts", "levels", "words"),
    [
        ({}, None, "1 to 3 charts"),
        ({"loss": {}}, None, "a line or more each"),
        ({"loss": {"training": ([0, 1], [1.0])}}, None, "2 and 1 numbers"),
        ({"loss": {"training": ([0], [1.0])}}, {"share": {"floor": 1}}, "'share' is not among"),
    ],
)
def test_panels_that_cannot_be_drawn_are_refused(charts, levels, words):
    with pytest.raises(ValueError, match=words):
        panels(charts, x_label="step", levels=levels)
