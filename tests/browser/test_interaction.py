"""Sliders by themselves: quick drags, errors, a lost kernel."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lab
import nbformat
import pytest

PLAY = """
from helpers import bars
from helpers.live.sliders import play
def draw(n):
    if n > 60:
        raise ValueError("n is too large")
    return bars({"weight": [n / 60, 1 - n / 60]}, ["a", "b"], y_label=f"weight at {n}")
play(draw, n=(0, 70))
"""


@pytest.fixture(scope="module")
def opened(lab_context: Any, scratch: Path, address: str) -> Iterator[Any]:
    """A notebook with a slider, opened and not yet run."""
    nbformat.write(lab.notebook([PLAY.strip()]), scratch / "notebooks" / "play.ipynb")
    page = lab.watched(lab_context.new_page())
    lab.open_notebook(page, address, "play.ipynb")
    yield page
    lab.shut_down(page)
    page.close()


@pytest.fixture
def notebook(opened: Any) -> Any:
    """The same notebook, run: the slider is at its start."""
    lab.run_all(opened)
    opened.wait_for_selector(".attention-play:not(.jupyter-widgets-disconnected) img[alt*='weight at 0.']")
    opened.complaints.clear()
    return opened


def test_a_stranger_is_refused(address: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(address.partition("?")[0] + "api/kernels", timeout=5)


def test_run_notebook_puts_the_slider_in_place_of_its_picture(notebook: Any) -> None:
    assert not notebook.locator(".attention-play-still").is_visible(), "the picture is there twice"


def test_pictures_do_not_glare_in_the_dark(notebook: Any) -> None:
    look = "() => getComputedStyle(document.querySelector('img.attention-picture')).filter"
    assert notebook.evaluate(look) == "none"
    notebook.evaluate("() => jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    notebook.wait_for_selector("body[data-jp-theme-light=false]", state="attached")
    assert "invert(1)" in notebook.evaluate(look)
    notebook.evaluate("() => jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })")
    notebook.wait_for_selector("body[data-jp-theme-light=true]", state="attached")


def test_handle_of_a_slider_has_the_name_of_its_label(notebook: Any) -> None:
    notebook.get_by_role("slider", name="n", exact=True).wait_for()


HUNDRED_DRAGS = """async () => {
  const handle = document.querySelector('.attention-play .noUi-handle');
  for (let i = 0; i < 100; i++) {
    const key = i % 10 < 7 ? 'ArrowRight' : 'ArrowLeft';
    handle.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await new Promise((next) => setTimeout(next, 5));
  }
}"""


def test_hundred_quick_drags_end_in_the_last_state(notebook: Any) -> None:
    notebook.evaluate(HUNDRED_DRAGS)  # 70 to the right, 30 to the left
    notebook.wait_for_selector('.attention-play img[alt*="weight at 40."]')
    lab.wait_until_idle(notebook)
    notebook.wait_for_timeout(600)  # the sharp picture follows the coarse one
    assert "weight at 40." in notebook.locator(".attention-play img").get_attribute("alt")
    assert notebook.locator(".attention-play .widget-readout").text_content() == "40"


def test_picture_never_goes_away_while_dragging(notebook: Any) -> None:
    notebook.evaluate("""() => {
      window.empty = 0;
      window.watching = true;
      const look = () => {
        const image = document.querySelector('.attention-play img');
        if (!image || !image.complete || !image.naturalWidth) window.empty++;
        if (window.watching) requestAnimationFrame(look);
      };
      look();
    }""")
    notebook.locator(".attention-play .noUi-handle").focus()
    for _ in range(8):
        notebook.keyboard.press("ArrowRight")
        notebook.wait_for_timeout(60)
    notebook.wait_for_selector('.attention-play img[alt*="weight at 8."]')
    assert notebook.evaluate("() => { window.watching = false; return window.empty; }") == 0


def test_error_while_dragging_is_one_sentence_in_the_cell(notebook: Any) -> None:
    notebook.locator(".attention-play .noUi-handle").focus()
    notebook.keyboard.press("ArrowRight")
    notebook.wait_for_selector('.attention-play img[alt*="weight at 1."]')
    notebook.keyboard.press("End")
    alert = notebook.locator(".attention-play [role=alert]")
    alert.wait_for()
    assert alert.text_content() == "\u26a0 With n = 70, draw stopped: ValueError: n is too large."
    notebook.keyboard.press("Home")
    notebook.wait_for_selector('.attention-play img[alt*="weight at 0."]')
    alert.wait_for(state="detached")
    assert notebook.complaints == []


def test_widget_whose_kernel_was_restarted_says_so(notebook: Any) -> None:
    notebook.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    notebook.wait_for_selector(".attention-play.jupyter-widgets-disconnected")
    said = notebook.locator(".attention-play").evaluate("(box) => getComputedStyle(box, '::before').content")
    assert "The kernel has been restarted" in said
    assert notebook.locator(".attention-play-still").is_visible()
    assert not notebook.locator(".attention-play .noUi-handle").is_visible()
    lab.wait_until_idle(notebook)
    lab.run_all(notebook)
    notebook.wait_for_selector(".attention-play:not(.jupyter-widgets-disconnected) img")
    assert not notebook.locator(".attention-play-still").is_visible()


def test_widget_without_its_kernel_says_so_after_reloading(notebook: Any, address: str) -> None:
    notebook.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    lab.shut_down(notebook)  # or the page finds the kernel again, and the widget in it
    lab.open_notebook(notebook, address, "play.ipynb")
    box = notebook.locator(".jp-OutputArea-output.jupyter-widgets")
    notebook.wait_for_function(
        "() => document.querySelector('.jp-OutputArea-output.jupyter-widgets')?.textContent.includes('not found')"
    )
    said = box.evaluate("(box) => getComputedStyle(box, '::after').content")
    assert "need a running kernel" in said
    assert notebook.locator(".attention-play-still").is_visible()
