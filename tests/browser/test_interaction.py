"""Sliders and explorers by themselves: quick drags, a lost kernel, a notebook that is not trusted, odd words."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import lab
import nbformat
import pytest
import torch

from helpers.live.explorer import explore

ODD = ["</script>", '"', "&", "😀🎉", "שלום", "a" * 40, "<b>bold</b>", "'", "$x$", "\\n", "\u2028", "<!--"]
PLAY = """
from helpers import bars
from helpers.live.sliders import play
def draw(n):
    if n > 60:
        raise ValueError("n is too large")
    return bars({"weight": [n / 60, 1 - n / 60]}, ["a", "b"], y_label=f"weight at {n}")
play(draw, n=(0, 70))
"""
EXPLORE = """
import torch
from helpers.live.explorer import explore
torch.manual_seed(0)
explore(torch.randn(2, 4, 4).softmax(dim=-1), "i have a dream".split())
"""


def weights(*shape: int) -> torch.Tensor:
    return (2 * torch.randn(*shape, generator=torch.Generator().manual_seed(0))).softmax(dim=-1)


def percents(row: torch.Tensor) -> list[str]:
    return ["<1 %" if 0 < weight < 0.005 else f"{round(100 * weight)} %" for weight in row.tolist()]


# ---- in JupyterLab ----


@pytest.fixture(scope="module")
def not_run(chromium: Any, scratch: Path, address: str) -> Iterator[Any]:
    """A notebook with outputs from elsewhere, opened and not yet run, as in a fresh clone. No test may run it."""
    with _opened(chromium, scratch, address, "not-run.ipynb") as page:
        yield page


@pytest.fixture(scope="module")
def opened(chromium: Any, scratch: Path, address: str) -> Iterator[Any]:
    with _opened(chromium, scratch, address, "play.ipynb") as page:
        yield page


@pytest.fixture
def notebook(opened: Any) -> Any:
    """The same notebook, run: the slider is at its start, and the explorers show their first head."""
    lab.run_all(opened)
    opened.wait_for_selector(".attention-play:not(.jupyter-widgets-disconnected) img[alt*='weight at 0.']")
    opened.wait_for_function("() => document.querySelectorAll('.attention-explorer[data-ready]').length === 2")
    opened.complaints.clear()
    return opened


@contextmanager
def _opened(chromium: Any, scratch: Path, address: str, name: str) -> Iterator[Any]:
    made = lab.notebook([PLAY.strip(), EXPLORE.strip(), EXPLORE.strip()])
    fragment = explore(weights(2, 4, 4), ["i", "have", "a", "dream"])
    for cell in made.cells[1:]:
        cell.execution_count = 1
        data = {"text/html": fragment.html, "text/plain": repr(fragment)}
        cell.outputs = [nbformat.v4.new_output("execute_result", data, execution_count=1)]
    nbformat.write(made, scratch / "notebooks" / name)
    context = chromium.new_context(viewport={"width": 1200, "height": 1600})
    page = lab.watched(context.new_page())
    lab.open_notebook(page, address, name)
    yield page
    lab.shut_down(page)
    context.close()


def test_a_stranger_is_refused(address: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(address.partition("?")[0] + "api/kernels", timeout=5)


def test_untrusted_notebook_shows_the_static_picture(not_run: Any) -> None:
    stills = not_run.locator("img.attention-explorer-still")
    assert stills.count() == 2
    assert all(still.is_visible() and "Attention map" in still.get_attribute("alt") for still in stills.all())
    assert not_run.locator(".attention-explorer[data-ready]").count() == 0


def test_run_notebook_puts_the_live_ones_in_their_place(notebook: Any) -> None:
    assert not any(still.is_visible() for still in notebook.locator(".attention-explorer-still").all())
    assert not notebook.locator(".attention-play-still").is_visible(), "the picture stands there twice"


def test_same_explorer_twice_does_not_disturb_the_other(notebook: Any) -> None:
    first, second = (notebook.locator(".attention-explorer").nth(i) for i in range(2))
    said = second.locator(".readout").text_content()
    first.locator("[role=radio]").nth(1).click()
    first.locator(".queries .word").nth(3).click()
    assert "dream" in first.locator(".readout").text_content()
    assert second.locator(".readout").text_content() == said
    assert second.locator("[role=radio]").nth(0).get_attribute("aria-checked") == "true"


def test_arrow_keys_stay_in_the_explorer(notebook: Any) -> None:
    cell = "() => jupyterapp.shell.currentWidget.content.activeCellIndex"
    explorer = notebook.locator(".attention-explorer").first
    explorer.locator(".queries .word").first.click()
    active = notebook.evaluate(cell)
    for _ in range(3):
        notebook.keyboard.press("ArrowDown")
    assert notebook.evaluate(cell) == active
    assert explorer.locator(".queries .lit").text_content() == "dream"
    notebook.keyboard.press("ArrowRight")
    assert explorer.locator(".keys .lit").text_content() == "dream"


def test_explorer_follows_the_theme_of_jupyterlab(notebook: Any) -> None:
    _choose_theme(notebook, "JupyterLab Light")
    card = notebook.locator(".attention-explorer .card").first
    light = card.evaluate("(card) => getComputedStyle(card).backgroundColor")
    _choose_theme(notebook, "JupyterLab Dark")
    dark = "document.querySelector('.attention-explorer > div').shadowRoot.querySelector('.card.dark')"
    notebook.wait_for_function(f"() => {dark}")
    assert card.evaluate("(card) => getComputedStyle(card).backgroundColor") != light
    _choose_theme(notebook, "JupyterLab Light")  # which JupyterLab remembers for all pages
    notebook.wait_for_function(f"() => !{dark}")


def _choose_theme(page: Any, theme: str) -> None:
    page.evaluate("(theme) => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    light = str(theme.endswith("Light")).lower()
    page.wait_for_selector(f"body[data-jp-theme-light={light}]", state="attached")


TYPED = """
import torch
from helpers.live.explorer import explore_text
def read(text):
    n = len(text.split())
    if n == 0:
        raise ValueError("A text must hold at least one word.")
    return torch.full((2, 3, n, n), 1 / n), text.split()
explore_text(read, "i have a dream", start=(1, 2))
"""


def test_what_is_typed_is_shown_at_the_head_that_was_looked_at(chromium: Any, scratch: Path, address: str) -> None:
    nbformat.write(lab.notebook([TYPED.strip()]), scratch / "notebooks" / "typed.ipynb")
    page = lab.watched(chromium.new_page(viewport={"width": 1200, "height": 1000}))
    lab.open_notebook(page, address, "typed.ipynb")
    lab.run_all(page)
    box, shown = page.locator(".attention-typed input"), page.locator(".attention-explorer .queries bdi")
    page.wait_for_selector(".attention-explorer[data-ready]")
    chosen = page.locator(".attention-explorer [role=radio][aria-checked=true]")
    assert shown.all_text_contents() == ["i", "have", "a", "dream"]
    assert [choice.text_content() for choice in chosen.all()] == ["1", "head 2"]
    page.locator(".attention-explorer [aria-label=Head] [role=radio]").nth(1).click()
    box.fill("so have you")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('.attention-explorer[data-ready] > div')?.shadowRoot"
        ".querySelector('.queries').textContent.includes('you')"
    )
    assert shown.all_text_contents() == ["so", "have", "you"]
    assert [choice.text_content() for choice in chosen.all()] == ["1", "head 1"]
    box.fill(" ")
    page.keyboard.press("Enter")
    page.wait_for_selector(".attention-typed [role=alert]")
    assert "at least one word" in page.locator(".attention-typed [role=alert]").text_content()
    assert shown.all_text_contents() == ["so", "have", "you"] and page.complaints == []
    lab.shut_down(page)
    page.close()


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


# ---- a page from disk, the network off ----


def from_disk(page: Any, path: Path, explorer: Any) -> Any:
    page.context.set_offline(True)
    page.goto(explorer.save(path / "page.html").as_uri())
    page.wait_for_selector(".attention-explorer[data-ready]")
    return page.locator(".attention-explorer")


def test_odd_words_are_text(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(3, 2, 12, 12), ODD, title='</title><script>alert("x")'))
    shown = [word.replace("\u2028", "\u2423") for word in ODD]  # what is blank has a sign in its place
    assert explorer.locator(".queries bdi").all_text_contents() == shown
    assert explorer.locator(".keys bdi").all_text_contents() == shown
    assert explorer.locator("b").count() == 0
    assert page.complaints == page.requests == []
    width = "() => document.documentElement.scrollWidth <= window.innerWidth"
    page.set_viewport_size({"width": 360, "height": 700})
    assert page.evaluate(width), "the page must not scroll sideways"


def test_numbers_shown_are_the_weights(page: Any, tmp_path: Path) -> None:
    given = weights(2, 3, 5)
    explorer = from_disk(page, tmp_path, explore(given, list("abc"), list("vwxyz")))
    explorer.locator("[role=radio]").nth(1).click()
    explorer.locator(".queries .word").nth(2).hover()
    assert explorer.locator(".keys .percent").all_text_contents() == percents(given[1, 2])
    assert explorer.locator("svg line").count() == 5
    explorer.locator(".keys .word").nth(4).hover()
    assert explorer.locator(".queries .percent").all_text_contents() == percents(given[1, :, 4])
    explorer.locator("summary").click()
    explorer.locator("tbody td").first.wait_for()
    assert explorer.locator("tbody td").all_text_contents() == percents(given[1].flatten())


def test_masked_keys_have_no_line(page: Any, tmp_path: Path) -> None:
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    given = torch.zeros(4, 4).masked_fill(~mask, -torch.inf).softmax(dim=-1)
    explorer = from_disk(page, tmp_path, explore(given, ["i", "have", "a", "dream"], mask=mask))
    explorer.locator(".queries .word").nth(1).hover()
    assert explorer.locator(".keys .percent").all_text_contents() == ["50 %", "50 %", "masked", "masked"]
    drawn = [line for line in explorer.locator("svg line").all() if line.evaluate("(l) => l.style.display") != "none"]
    assert len(drawn) == 2
    assert "2 masked" in explorer.locator(".readout").text_content()


def test_keyboard_alone_does_everything(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(2, 3, 4, 4), ["i", "have", "a", "dream"]))
    focused = "() => document.activeElement.shadowRoot?.activeElement"
    name = f"() => ({focused})()?.getAttribute('aria-label') || ({focused})()?.textContent"
    page.keyboard.press("Tab")
    assert page.evaluate(name) == "Layer 0"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(name) == "Layer 1"
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(name) == "Head 2"
    assert "layer 1, head 2" in explorer.locator("canvas[role=img]").get_attribute("aria-label")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    assert page.evaluate(name) == "dream"
    outline = page.evaluate(f"() => getComputedStyle(({focused})()).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Tab")
    assert explorer.locator(".keys .lit").count() == 1
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    explorer.locator("table").wait_for()


def test_512_tokens_say_what_is_shown(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(512, 512), [f"word{i}" for i in range(512)]))
    assert "Of 512 keys the 32 strongest are shown." in explorer.locator(".words").text_content()
    explorer.locator(".queries .word").first.click()
    page.keyboard.press("End")
    assert explorer.locator(".queries .lit bdi").text_content() == "word511"
    strongest = int(weights(512, 512)[511].argmax())
    assert f"word{strongest}" in explorer.locator(".keys").text_content()
    drawn = explorer.locator("canvas[role=img]")
    box = drawn.bounding_box()
    drawn.click(position={"x": 0.7 * box["width"], "y": 0.7 * box["height"]})
    assert "word511" not in explorer.locator(".queries bdi").all_text_contents()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(chromium: Any, axe: str, tmp_path: Path, scheme: str) -> None:
    context = chromium.new_context(color_scheme=scheme, viewport={"width": 1000, "height": 900})
    page = context.new_page()
    mask = torch.ones(6, 6, dtype=torch.bool).tril()
    explorer = from_disk(page, tmp_path, explore(weights(2, 3, 6, 6), ODD[:6], mask=mask, title="Odd words"))
    explorer.locator("summary").click()
    page.evaluate(axe)
    for width, side in ((1000, "queries"), (360, "keys")):
        page.set_viewport_size({"width": width, "height": 900})
        explorer.locator(f".{side} .word").nth(3).click()
        found = page.evaluate("() => axe.run(document, {rules: {'target-size': {enabled: true}}})")
        assert [f"{v['id']}: {v['nodes'][0]['html']}" for v in found["violations"]] == []
    context.close()


def test_nothing_moves(page: Any, tmp_path: Path) -> None:
    page.emulate_media(reduced_motion="reduce")
    explorer = from_disk(page, tmp_path, explore(weights(3, 3), list("abc")))
    moving = "(card) => card.getAnimations({subtree: true}).length"
    explorer.locator(".queries .word").nth(2).hover()
    assert explorer.locator(".card").evaluate(moving) == 0


def test_without_scripts_the_static_picture_stands_there(chromium: Any, tmp_path: Path) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(explore(weights(3, 3), list("abc")).save(tmp_path / "page.html").as_uri())
    still = page.locator("img.attention-explorer-still")
    assert still.is_visible() and "Attention map" in still.get_attribute("alt")
    context.close()
