"""Sliders without a browser: what the controls become, what is drawn, what is refused and what is stored."""

import asyncio
import base64
import io
import re
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from helpers.drawing.charts import bars
from helpers.drawing.picture import SHARPNESS, Picture, png_size
from helpers.drawing.tables import matrix
from helpers.live.cells import cells
from helpers.live.fast_renderer import FastRenderer
from helpers.live.sliders import REST, play


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
        (["0.5", "1"], "Dropdown", "0.5"),
        (range(3), "SelectionSlider", 0),
        (True, "Checkbox", True),
    ],
)
def test_each_kind_of_control(given: Any, kind: str, start: Any) -> None:
    control = play(draw, n=given).controls["n"]
    assert type(control).__name__ == kind
    assert control.value == start
    assert control.description == "n"


def test_controls_stand_in_the_order_in_which_they_are_given() -> None:
    played = play(lambda **values: draw(values["b"]), b=(2, 5), a=[7, 8], c=True)
    assert [control.description for control in played.widget.children[:3]] == ["b", "a", "c"]
    assert played.values() == {"b": 2, "a": 7, "c": True}
    assert repr(played) == "Run this cell to change b, a and c and see the picture follow."


@pytest.mark.parametrize(
    ("given", "low", "high", "step"), [((2, 9), 2, 9, 1), ((2, 8, 3), 2, 8, 3), ((0.0, 10.0), 0.0, 10.0, 0.2)]
)
def test_sliders_go_from_low_to_high_in_steps(given: Any, low: float, high: float, step: float) -> None:
    control = play(draw, n=given).controls["n"]
    assert (control.min, control.max, control.step) == (low, high, step)


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


# while a control moves


def size_on_page(img: str) -> tuple[int, int]:
    width, height = re.search(r'width="(\d+)" height="(\d+)"', img).groups()
    return int(width), int(height)


def image_of(img: str) -> bytes:
    return base64.b64decode(re.search(r"base64,([^\"]+)", img).group(1))


def sharpness(img: str) -> int:
    """Image pixels for each CSS pixel."""
    return round(png_size(image_of(img))[0] / size_on_page(img)[0])


def watched(played: Any) -> list[tuple[str, int]]:
    """What is shown from now on, one after the other: the title, and how sharp it is."""
    seen = []
    played.widget.children[-1].observe(
        lambda change: seen.append((re.search(r'alt="([^.]+)\.', change["new"]).group(1), sharpness(change["new"]))),
        names="value",
    )
    return seen


def in_a_loop(task: Coroutine[Any, Any, None]) -> None:
    """Run a task in a thread of its own: in this one the driver of the browser may have a loop already."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, task).result()


async def until_sharp(played: Any) -> None:
    async def wait() -> None:
        while sharpness(shown(played)) < SHARPNESS:
            await asyncio.sleep(0.01)

    await asyncio.wait_for(wait(), timeout=10)


def test_picture_is_coarse_while_moving_and_sharp_when_it_rests() -> None:
    played = play(draw, n=(0, 100))
    seen = watched(played)

    async def drag() -> None:
        for n in (7, 8, 42):
            played.controls["n"].value = n
        await until_sharp(played)
        played.controls["n"].value = 9
        await until_sharp(played)
        await asyncio.sleep(REST)  # for what may still come, and shall not

    in_a_loop(drag())
    coarse = 1
    assert seen == [
        ("n is 7", coarse),
        ("n is 8", coarse),
        ("n is 42", coarse),
        ("n is 42", SHARPNESS),
        ("n is 9", coarse),
        ("n is 9", SHARPNESS),
    ]


def test_last_picture_becomes_sharp_though_the_next_one_cannot_be_drawn() -> None:
    def fragile(n: int) -> Picture:
        return draw(n if n < 2 else 1 / 0)

    played = play(fragile, n=(0, 3))

    async def drag() -> None:
        played.controls["n"].value = 1
        played.controls["n"].value = 2
        await until_sharp(played)

    in_a_loop(drag())
    assert 'alt="n is 1.' in shown(played) and played.picture.alt.startswith("n is 1.")
    assert "With n = 2, fragile stopped: ZeroDivisionError" in told(played)


def test_a_picture_that_is_still_being_drawn_does_not_come_after_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    # JupyterLab has the first move handled in the kernel's main thread, and all others in another one.
    played = play(draw, n=(0, 100))
    drawing, go_on, quick = Event(), Event(), played._renderer.html

    def slow_once(picture: Picture, sharpness: int = SHARPNESS) -> str:
        if picture.alt.startswith("n is 1.") and sharpness == SHARPNESS:
            drawing.set()
            assert go_on.wait(10)
        return quick(picture, sharpness)

    monkeypatch.setattr(played._renderer, "html", slow_once)

    async def move() -> None:
        played.controls["n"].value = 1
        await until_sharp(played)

    first, second = (
        Thread(target=asyncio.run, args=[move()]),
        Thread(target=played.controls["n"].set_trait, args=["value", 2]),
    )
    first.start()
    assert drawing.wait(10)
    second.start()
    second.join(0.5)  # it may have to wait for the first, but need not
    go_on.set()
    first.join(10)
    second.join(10)
    assert 'alt="n is 2.' in shown(played) and played.picture.alt.startswith("n is 2.")


def test_quick_picture_has_the_pixels_of_the_stored_one() -> None:
    picture = draw(1)
    quick, stored = (
        ink_alone(np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=int))
        for png in (image_of(FastRenderer(picture).html(picture)), picture.png())
    )
    assert quick.shape == stored.shape
    assert np.abs(quick - stored).mean() < 2  # part of a pixel may lie between them


def ink_alone(pixels: np.ndarray) -> np.ndarray:
    """What is not white, cut out: (height, width, 3)."""
    ink = (pixels < 250).any(axis=2)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    return pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


# cells to click


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


def test_a_clicked_cell_is_the_one_that_changes() -> None:
    played = play(lambda mask: matrix(mask), mask=cells([[False] * 3, [False] * 3], ["i", "dream"], ["a", "b", "c"]))
    played.controls["mask"].buttons[1][0].value = True
    assert played.values() == {"mask": [[False] * 3, [True, False, False]]}
    assert played.picture.alt == "Table, 2 by 3. Rows: [0, 0, 0]; [1, 0, 0]."
    name, head, *lines = played.controls["mask"].children
    assert name.value == "mask: click a cell"
    assert [label.value for label in head.children] == ["", "a", "b", "c"]
    assert [line.children[0].value for line in lines] == ["i", "dream"]
    assert [list(line.children[1:]) for line in lines] == played.controls["mask"].buttons


def test_an_error_says_how_many_cells_are_on() -> None:
    def fragile(mask: Any) -> Picture:
        if mask[0][1]:
            raise ValueError
        return matrix(mask)

    played = play(fragile, mask=[[True, False], [False, False]])
    played.controls["mask"].buttons[0][1].value = True
    assert "With mask = 2 of 4 cells on, fragile stopped: ValueError: no message.</p>" in told(played)


# what is stored, and what is refused


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


def test_picture_while_moving_is_as_large_as_the_picture() -> None:
    picture = draw(1)
    width, height = size_on_page(FastRenderer(picture).html(picture))
    wide, high = (side / SHARPNESS for side in png_size(picture.png()))
    assert abs(width - wide) <= 4 and abs(height - high) <= 4


def test_picture_that_outgrows_the_margin_is_drawn_whole() -> None:
    small = draw(1)
    large = draw(1)
    large.figure.axes[0].set_title("a title that is far longer than the picture is wide " * 4)
    renderer = FastRenderer(small)
    width, _ = size_on_page(renderer.html(large))
    assert abs(width - png_size(large.png())[0] / SHARPNESS) <= 4


def test_picture_of_another_size_is_measured_anew() -> None:
    renderer = FastRenderer(draw(1))
    large = bars({"weight": list(range(20))}, [str(i) for i in range(20)], y_label="weight")
    width, height = size_on_page(renderer.html(large))
    wide, high = (side / SHARPNESS for side in png_size(large.png()))
    assert abs(width - wide) <= 4 and abs(height - high) <= 4


def test_picture_does_not_jump_while_moving() -> None:
    """Long numbers on the axis widen the picture; short ones do not make it narrow again."""
    renderer = FastRenderer(draw(1))
    first, longest, last = (size_on_page(renderer.html(draw(n))) for n in (1, 100_000, 1))
    assert longest[0] > first[0]
    assert last == longest


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
