"""Sliders without a browser: what the controls become, what is drawn, what is refused and what is stored."""

import re
import struct
import subprocess
import sys
from typing import Any

import pytest
import torch

from helpers.drawing.charts import bars
from helpers.drawing.picture import SHARPNESS, Picture
from helpers.drawing.tables import matrix
from helpers.live.cells import cells
from helpers.live.fast_renderer import FastRenderer
from helpers.live.sliders import play


def draw(n: Any) -> Picture:
    return bars({"weight": [float(n), 1 - float(n)]}, ["a", "b"], y_label="weight", title=f"n is {n}")


def test_helpers_do_not_wait_for_ipywidgets() -> None:
    code = "import sys, helpers.live.sliders, helpers.live.explorer; print('ipywidgets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


@pytest.mark.parametrize(
    ("given", "kind", "start"),
    [
        ((0, 1), "IntSlider", 0),
        ((0, 1, 1, 1), "IntSlider", 1),
        ((0.0, 1.0), "FloatSlider", 0.0),
        ((0, 1, 0.25, 0.5), "FloatSlider", 0.5),
        ([1, 0, 4], "SelectionSlider", 1),
        (range(3), "SelectionSlider", 0),
        (True, "Checkbox", True),
    ],
)
def test_each_kind_of_control(given: Any, kind: str, start: Any) -> None:
    control = play(draw, n=given).controls["n"]
    assert type(control).__name__ == kind
    assert control.value == start
    assert control.description == "n"


def test_moving_a_control_draws_anew() -> None:
    played = play(draw, n=(0, 1, 0.1))
    before = shown(played)
    played.controls["n"].value = 0.5
    assert shown(played) != before
    assert 'alt="n is 0.5. Bars of weight.' in shown(played)
    assert played.picture.alt.startswith("n is 0.5")


def shown(played: Any) -> str:
    return played.widget.children[-1].value


def told(played: Any) -> str:
    return played.widget.children[-2].value


def test_error_is_told_in_one_sentence_and_goes_away() -> None:
    def fragile(n: int) -> Picture:
        if n == 2:
            raise ValueError("2 is <too> much.\nTraceback of no interest")
        return draw(n)

    played = play(fragile, n=(0, 3))
    before = shown(played)
    played.controls["n"].value = 2
    assert "With n = 2, fragile stopped: ValueError: 2 is &lt;too&gt; much.</p>" in told(played)
    assert "Traceback" not in told(played)
    assert shown(played) == before, "the last picture stays"
    played.controls["n"].value = 3
    assert told(played) == ""


def test_error_at_the_start_is_the_learners_own() -> None:
    with pytest.raises(ZeroDivisionError):
        play(lambda n: draw(1 / n), n=(0, 3))


@pytest.mark.slow
def test_hundred_changes_end_in_the_last_state() -> None:
    played = play(draw, n=(0, 100))
    for n in [*range(1, 100), 42]:
        played.controls["n"].value = n
    assert 'alt="n is 42. ' in shown(played)


def test_cells_give_the_kind_of_table_that_they_got() -> None:
    seen = []

    def masked(mask: Any) -> Picture:
        seen.append(mask)
        return matrix([[float(cell) for cell in row] for row in mask])

    start = torch.ones(2, 3, dtype=torch.bool)
    played = play(masked, mask=cells(start, ["i", "dream"], ["a", "b", "c"]))
    buttons = played.controls["mask"].buttons
    assert [[button.tooltip for button in row] for row in buttons][1] == ["dream to a", "dream to b", "dream to c"]
    buttons[1][2].value = False
    assert seen[-1].dtype == torch.bool and seen[-1].tolist() == [[True] * 3, [True, True, False]]
    assert buttons[1][2].description != buttons[0][0].description, "not by colour alone"
    assert start.all(), "the learner's own mask stays as it was"
    assert type(play(masked, mask=[[True, False]]).controls["mask"]).__name__ == "Grid"


def test_stored_outputs_are_the_static_picture_and_words(monkeypatch: pytest.MonkeyPatch) -> None:
    import IPython.display

    stored = []
    monkeypatch.setattr(IPython.display, "display", lambda bundle, raw: stored.append(bundle))
    played = play(draw, n=(0, 1))
    played._ipython_display_()
    still, live = stored
    assert played.picture.alt.split(".")[0] in still["text/html"] and "data:image/png" in still["text/html"]
    assert live["text/plain"] == "Run this cell to change n and see the picture follow."
    assert set(live) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
    assert not re.search(r"[0-9a-f]{32}", re.sub(r"base64,[^\"]+", "", still["text/html"]))


def test_picture_while_moving_is_the_picture() -> None:
    picture = draw(1)
    html = FastRenderer(picture).html(picture)
    width, height = (int(side) for side in re.search(r'width="(\d+)" height="(\d+)"', html).groups())
    wide, high = (side / SHARPNESS for side in struct.unpack(">II", picture.png()[16:24]))
    assert abs(width - wide) <= 4 and abs(height - high) <= 4


def test_picture_that_outgrows_the_margin_is_drawn_whole() -> None:
    small = draw(1)
    large = draw(1)
    large.figure.axes[0].set_title("a title that is far longer than the picture is wide " * 4)
    renderer = FastRenderer(small)
    width = int(re.search(r'width="(\d+)"', renderer.html(large)).group(1))
    assert abs(width - struct.unpack(">I", large.png()[16:20])[0] / SHARPNESS) <= 4


def test_picture_does_not_jump_while_moving() -> None:
    renderer = FastRenderer(draw(1))
    sizes = {re.search(r'width="\d+" height="\d+"', renderer.html(draw(n))).group(0) for n in (1, 1, 1)}
    assert len(sizes) == 1


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: play("no", n=(0, 1)), TypeError, "draw must be a function that returns a picture, but is no."),
        (lambda: play(draw), ValueError, "play needs at least one control, such as angle=(0, 180)."),
        (lambda: play(draw, m=(0, 1)), TypeError, "draw must take the controls m: missing a required argument: 'n'."),
        (lambda: play(lambda n: 3, n=(0, 1)), TypeError, "<lambda> must return a picture, but returned int."),
        (lambda: play(draw, n=(1,)), TypeError, "n must be (low, high, step, start) in numbers, the last two optional"),
        (lambda: play(draw, n=("a", "b")), TypeError, "n must be (low, high, step, start) in numbers"),
        (lambda: play(draw, n=(3, 1)), ValueError, "n must go from a lower to a higher number in steps above 0"),
        (lambda: play(draw, n=(0, 3, 1, 7)), ValueError, "n must start between 0 and 3, but starts at 7."),
        (
            lambda: play(draw, n=None),
            TypeError,
            "n must be (low, high), a list of choices, True, False or a boolean table",
        ),
        (lambda: play(draw, n=[]), TypeError, "n must be (low, high), a list of choices"),
        (lambda: cells([[1, 0]]), TypeError, "start must be boolean, True for on, but holds int64."),
        (lambda: cells([[True]], ["a", "b"]), ValueError, "row_labels must name each of the 1 rows"),
    ],
)
def test_refusals_are_one_sentence(call: Any, error: type, words: str) -> None:
    with pytest.raises(error) as refused:
        call()
    assert str(refused.value).startswith(words)
    assert "\n" not in str(refused.value)
