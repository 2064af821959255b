"""The explorer as a reader has it: in JupyterLab, and in a page from disk with the network off."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lab
import nbformat
import pytest
import torch
from PIL import Image

from helpers.drawing.colours import relative_brightness
from helpers.live.explorer import Explorer, explore, explore_text
from helpers.live.explorer.page import SCRIPT
from helpers.models import real_map

ODD = ["</script>", '"', "&", "😀🎉", "שלום", "a" * 40, "<b>bold</b>", "'", "$x$", "\\n", "\u2028", "<!--"]
EXPLORE = """
import torch
from helpers.live.explorer import explore
torch.manual_seed(0)
explore(torch.randn(2, 4, 4).softmax(dim=-1), "i have a dream".split())
"""
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


def weights(*shape: int) -> torch.Tensor:
    return (2 * torch.randn(*shape, generator=torch.Generator().manual_seed(0))).softmax(dim=-1)


def even(*shape: int) -> torch.Tensor:
    """Weights of which none is below 1 %."""
    return (weights(*shape) + 0.05) / (1 + 0.05 * shape[-1])


def percent(weight: float) -> str:
    return "<1 %" if 0 < weight < 0.005 else f"{round(100 * weight)} %"


def percents(row: torch.Tensor) -> list[str]:
    return [percent(weight) for weight in row.tolist()]


def beside(row: torch.Tensor) -> list[str]:
    """What stands beside the words: nothing where it would be below 1 %."""
    return [text.replace("<1 %", "") for text in percents(row)]


# ---- in JupyterLab ----


@pytest.fixture
def opened(lab_context: Any, scratch: Path, address: str) -> Iterator[Any]:
    """A notebook with outputs from elsewhere, opened and not yet run, as in a fresh clone."""
    made = lab.notebook([EXPLORE.strip(), EXPLORE.strip()])
    fragment = explore(weights(2, 4, 4), ["i", "have", "a", "dream"])
    for cell in made.cells:
        cell.execution_count = 1
        data = {"text/html": fragment.html, "text/plain": repr(fragment)}
        cell.outputs = [nbformat.v4.new_output("execute_result", data, execution_count=1)]
    nbformat.write(made, scratch / "notebooks" / "explorers.ipynb")
    page = lab.watched(lab_context.new_page())
    lab.open_notebook(page, address, "explorers.ipynb")
    yield page
    lab.shut_down(page)
    page.close()


@pytest.fixture(scope="module")
def notebook(lab_context: Any, scratch: Path, address: str) -> Iterator[Any]:
    """A notebook with the same explorer twice, run in JupyterLab."""
    nbformat.write(lab.notebook([EXPLORE.strip(), EXPLORE.strip()]), scratch / "notebooks" / "twice.ipynb")
    page = lab.watched(lab_context.new_page())
    lab.open_notebook(page, address, "twice.ipynb")
    lab.run_all(page)
    page.locator(".attention-explorer[data-ready]").nth(1).wait_for()
    yield page
    lab.shut_down(page)
    page.close()


def test_untrusted_notebook_shows_the_static_picture_until_it_is_run(opened: Any) -> None:
    stills = opened.locator("img.attention-explorer-still")
    assert stills.count() == 2
    assert all(still.is_visible() and "Attention map" in still.get_attribute("alt") for still in stills.all())
    assert opened.locator(".attention-explorer[data-ready]").count() == 0
    lab.run_all(opened)
    opened.locator(".attention-explorer[data-ready]").nth(1).wait_for()
    assert not any(still.is_visible() for still in opened.locator(".attention-explorer-still").all())
    assert opened.complaints == []


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
    card = notebook.locator(".attention-explorer .card").first
    light = card.evaluate("(card) => getComputedStyle(card).backgroundColor")
    notebook.evaluate("() => jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
    # It stays dark for the tests that follow: JupyterLab itself stumbles when one theme chases the other.
    notebook.wait_for_selector("body[data-jp-theme-light=false]", state="attached")
    notebook.wait_for_function(
        "() => document.querySelector('.attention-explorer > div').shadowRoot.querySelector('.card.dark')"
    )
    assert card.evaluate("(card) => getComputedStyle(card).backgroundColor") != light


def test_what_is_typed_is_shown_at_the_head_that_was_looked_at(lab_context: Any, scratch: Path, address: str) -> None:
    nbformat.write(lab.notebook([TYPED.strip()]), scratch / "notebooks" / "typed.ipynb")
    page = lab.watched(lab_context.new_page())
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


# ---- a page from disk, the network off ----


def from_disk(page: Any, path: Path, explorer: Any) -> Any:
    path.mkdir(exist_ok=True)
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
    assert explorer.locator(".keys .percent").all_text_contents() == beside(given[1, 2])
    assert explorer.locator("svg line").count() == 5
    explorer.locator(".keys .word").nth(4).hover()
    assert explorer.locator(".queries .percent").all_text_contents() == beside(given[1, :, 4])
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


# ---- what is drawn ----

# What the map's text says and where it is written, in pixels of the canvas.
NOTE_TEXTS = """() => {
  window.written = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const at = this.getTransform().transformPoint(new DOMPoint(x, y));
    window.written.push({ text, x: at.x, y: at.y });
    return fillText.call(this, text, x, y);
  };
}"""
# Of each cell of the map, its most frequent colour and where it lies on the canvas: [left, top, width, height].
CELLS = """(canvas, [nQuery, nKey]) => {
  const box = canvas.getBoundingClientRect();
  const plot = canvas.parentElement.querySelector('.plot').getBoundingClientRect();
  const sharp = canvas.width / box.width;
  const [width, height] = [plot.width * sharp / nKey, plot.height * sharp / nQuery];
  const context = canvas.getContext('2d');
  const mostFrequent = (pixels) => {
    const counts = new Map();
    for (let i = 0; i < pixels.length; i += 4) {
      const colour = pixels.slice(i, i + 3).join();
      counts.set(colour, (counts.get(colour) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0][0];
  };
  return Array.from({ length: nQuery }, (_, query) => Array.from({ length: nKey }, (_, key) => {
    const left = (plot.left - box.left) * sharp + key * width;
    const top = (plot.top - box.top) * sharp + query * height;
    const image = context.getImageData(Math.round(left) + 1, Math.round(top) + 1, width - 2, height - 2);
    return { colour: mostFrequent(image.data), place: [left, top, width, height] };
  }));
}"""
# The colours of a canvas, row by row.
PIXELS = """(canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 3).join());
}"""
# Of each line that is seen: where its ends are on the page, and how wide and how dark it is.
LINES = """(svg) => [...svg.querySelectorAll('line')].filter((line) => line.style.display !== 'none').map((line) => {
  const end = (x, y) => new DOMPoint(line.getAttribute(x), line.getAttribute(y)).matrixTransform(line.getScreenCTM());
  const [from, to] = [end('x1', 'y1'), end('x2', 'y2')];
  const [width, opacity] = ['stroke-width', 'stroke-opacity'].map((name) => Number(line.getAttribute(name)));
  return { from: [from.x, from.y], to: [to.x, to.y], width, opacity };
})"""
NAMES = {"query": list("abcd"), "key": list("vwxyz")}


def middle(locator: Any) -> float:
    box = locator.bounding_box()
    return box["y"] + box["height"] / 2


def legend(explorer: Any) -> list[str]:
    """The 256 colours of the scale below the map, from weight 0 to weight 1."""
    return explorer.locator(".scale canvas").evaluate(PIXELS)


def colour_of(weight: float, scale: list[str]) -> str:
    return scale[round(weight * 65535) // 256]


@pytest.mark.parametrize(
    ("scheme", "ends"), [("light", ["250,250,250", "20,22,26"]), ("dark", ["30,33,37", "244,246,250"])]
)
def test_legend_goes_from_the_colour_of_the_paper_to_the_strongest(
    page: Any, tmp_path: Path, scheme: str, ends: list[str]
) -> None:
    page.emulate_media(color_scheme=scheme)
    scale = legend(from_disk(page, tmp_path, explore(weights(3, 3), list("abc"))))
    brightness = [sum(map(int, colour.split(","))) for colour in scale]
    assert [scale[0], scale[-1]] == ends
    assert brightness == sorted(brightness, reverse=scheme == "light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 4), (12, 12), (2, 3, 9, 11)])
def test_each_cell_has_the_colour_of_its_weight(page: Any, tmp_path: Path, scheme: str, shape: tuple[int, ...]) -> None:
    given, (n_query, n_key) = weights(*shape), shape[-2:]
    page.emulate_media(color_scheme=scheme)
    words = [[f"{side}{i}" for i in range(n)] for side, n in zip("qk", (n_query, n_key), strict=True)]
    explorer = from_disk(page, tmp_path, explore(given, *words, start=(1, 2) if len(shape) == 4 else (0, 0)))
    shown = given[1, 2] if len(shape) == 4 else given
    cells, scale = explorer.locator("canvas[role=img]").evaluate(CELLS, [n_query, n_key]), legend(explorer)
    expected = [[colour_of(weight, scale) for weight in row] for row in shown.tolist()]
    assert [[cell["colour"] for cell in row] for row in cells] == expected


def test_masked_cells_are_grey_and_have_no_number(page: Any, tmp_path: Path) -> None:
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    given = weights(4, 4).masked_fill(~mask, 0)
    page.add_init_script(f"({NOTE_TEXTS})()")
    explorer = from_disk(page, tmp_path, explore(given / given.sum(-1, keepdim=True), list("abcd"), mask=mask))
    cells = explorer.locator("canvas[role=img]").evaluate(CELLS, [4, 4])
    assert [[cell["colour"] == "242,242,242" for cell in row] for row in cells] == (~mask).tolist()
    assert sum("." in note["text"] for note in page.evaluate("window.written")) == int(mask.sum())


def test_each_small_map_of_a_head_has_its_weights(page: Any, tmp_path: Path) -> None:
    given = weights(2, 3, 4, 5)
    explorer = from_disk(page, tmp_path, explore(given, *NAMES.values()))
    scale = legend(explorer)
    for layer in (0, 1):
        explorer.locator("[aria-label=Layer] [role=radio]").nth(layer).click()
        drawn = [small.evaluate(PIXELS) for small in explorer.locator("[aria-label=Head] canvas").all()]
        assert drawn == [[colour_of(weight, scale) for weight in head.flatten().tolist()] for head in given[layer]]


@pytest.mark.parametrize("sharpness", [1, 2])
def test_labels_and_numbers_stand_at_their_cells(chromium: Any, tmp_path: Path, sharpness: int) -> None:
    context = chromium.new_context(device_scale_factor=sharpness)
    page = context.new_page()
    page.add_init_script(f"({NOTE_TEXTS})()")
    given = weights(4, 5)
    explorer = from_disk(page, tmp_path, explore(given, *NAMES.values()))
    cells = explorer.locator("canvas[role=img]").evaluate(CELLS, [4, 5])
    written = page.evaluate("window.written")
    by_text = {note["text"]: (note["x"], note["y"]) for note in written if note["text"].isalpha()}
    for i, word in enumerate(NAMES["query"]):
        left, top, _, height = cells[i][0]["place"]
        assert by_text[word][0] < left and by_text[word][1] == pytest.approx(top + height / 2, abs=1)
    for j, word in enumerate(NAMES["key"]):
        left, top, width, _ = cells[0][j]["place"]
        assert by_text[word][1] < top and by_text[word][0] == pytest.approx(left + width / 2, abs=1)
    numbers = [note for note in written if "." in note["text"]]
    flat = [cell["place"] for row in cells for cell in row]
    for weight, note, (left, top, width, height) in zip(given.flatten().tolist(), numbers, flat, strict=True):
        assert note["text"] == f"{weight:.2f}"
        assert (note["x"], note["y"]) == pytest.approx((left + width / 2, top + height / 2), abs=1)
    context.close()


@pytest.mark.parametrize(("width", "n_query", "n_key"), [(1200, 4, 5), (300, 9, 11)])
def test_pointing_at_a_cell_reads_its_weight_and_a_click_keeps_it(
    page: Any, tmp_path: Path, width: int, n_query: int, n_key: int
) -> None:
    given, queries, keys = weights(n_query, n_key), list("abcdefghi")[:n_query], list("klmnopqrstu")[:n_key]
    page.set_viewport_size({"width": width, "height": 1400})  # a narrow page shrinks the larger map
    explorer = from_disk(page, tmp_path, explore(given, queries, keys))
    plot, readout = explorer.locator(".plot"), explorer.locator(".readout")
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            for part in (0.1, 0.9):
                box = plot.bounding_box()  # a longer sentence above moves the map
                x, y = box["x"] + (j + part) * box["width"] / n_key, box["y"] + (i + part) * box["height"] / n_query
                page.mouse.move(x, y)
                weight = percent(given[i, j].item())
                assert readout.text_content().startswith(f"“\u2068{query}\u2069” to “\u2068{key}\u2069”: {weight}. ")
        box = plot.bounding_box()
        page.mouse.click(x, box["y"] + (i + 0.5) * box["height"] / n_query)
        page.mouse.move(2, 2)
        assert explorer.locator(".queries .lit bdi").text_content() == query
        assert readout.text_content().startswith(f"“\u2068{query}\u2069” to “\u2068{keys[-1]}\u2069”: ")


def test_names_of_rows_and_columns_answer_as_the_words_do(page: Any, tmp_path: Path) -> None:
    for keys in (NAMES["key"], [f"quite long {i}" for i in range(5)]):  # the long ones are tilted
        explorer = from_disk(page, tmp_path / keys[0], explore(weights(4, 5), NAMES["query"], keys))
        plot, lit = explorer.locator(".plot").bounding_box(), explorer.locator(".lit bdi")
        for i, word in enumerate(NAMES["query"]):
            page.mouse.move(plot["x"] - 8, plot["y"] + (i + 0.5) * plot["height"] / 4)
            assert lit.text_content() == word
        up = 40 if keys[0] != "v" else 10
        lean = up / 3**0.5 if keys[0] != "v" else 0
        for j, word in enumerate(keys):
            page.mouse.move(plot["x"] + (j + 0.5) * plot["width"] / 5 + lean, plot["y"] - up)
            assert lit.text_content() == word
        page.mouse.click(plot["x"] - 8, plot["y"] + 3.5 * plot["height"] / 4)
        page.mouse.move(2, 2)
        assert lit.text_content() == "d"
        page.mouse.move(plot["x"] - 4, plot["y"] - 4)  # the corner between the names
        assert lit.text_content() == "d"


def test_a_cell_is_shown_as_a_pair(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(4, 5), *NAMES.values()))
    plot = explorer.locator(".plot").bounding_box()
    cell, pair = explorer.locator(".plot .cell"), explorer.locator(".keys .pair bdi")
    assert not cell.is_visible() and pair.count() == 0
    x, y = plot["x"] + 3.5 * plot["width"] / 5, plot["y"] + 1.5 * plot["height"] / 4
    page.mouse.move(x, y)
    box = cell.bounding_box()
    assert (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) == pytest.approx((x, y), abs=0.5)
    assert explorer.locator(".queries .lit bdi").text_content() == "b" and pair.text_content() == "y"
    lines = explorer.locator("svg line")
    assert [line.get_attribute("class") for line in lines.all()].index("pair") == 3
    page.mouse.click(x, y)
    page.mouse.move(2, 2)
    assert cell.is_visible() and pair.text_content() == "y"
    explorer.locator(".queries .word").first.hover()
    assert not cell.is_visible() and pair.count() == 0


def test_a_second_click_and_escape_let_go_of_what_was_kept(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(4, 5), *NAMES.values(), start=(0, 0, "c")))
    lit, kept, word = (explorer.locator(f".queries {what}") for what in (".lit bdi", ".kept bdi", ".word"))
    for let_go in (lambda: word.nth(1).click(), lambda: page.keyboard.press("Escape")):
        word.nth(1).click()
        page.mouse.move(2, 2)
        assert lit.text_content() == kept.text_content() == "b"
        let_go()
        page.mouse.move(2, 2)
        assert lit.text_content() == "c" and kept.count() == 0


def test_scrolling_under_a_pointer_at_rest_changes_nothing(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(2, 20, 20), [f"w{i}" for i in range(20)], start=(0, 1, 3)))
    page.evaluate("() => { document.body.style.padding = '600px 0 2000px'; window.scrollTo(0, 0); }")
    for place in (".queries", ".map canvas"):
        box = explorer.locator(place).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, 300)
        said = explorer.locator(".readout").text_content()
        for _ in range(8):
            page.mouse.wheel(0, 90)
            page.wait_for_timeout(60)
            assert explorer.locator(".readout").text_content() == said
        page.mouse.move(box["x"] + box["width"] / 2 + 2, 302)
        page.evaluate("window.scrollTo(0, 0)")
        page.mouse.move(2, 2)


def test_twelve_heads_stand_in_one_row(page: Any, tmp_path: Path) -> None:
    for width in (860, 420):
        page.set_viewport_size({"width": width, "height": 900})
        explorer = from_disk(page, tmp_path / str(width), explore(weights(12, 9, 9), [f"word{i}" for i in range(9)]))
        boxes = [one.bounding_box() for one in explorer.locator("[role=radio]").all()]
        rows = {round(box["y"]) for box in boxes}
        assert len(rows) == 1 or width == 420
        first_of_rows = {min(box["x"] for box in boxes if round(box["y"]) == row) for row in rows}
        assert len(first_of_rows) == 1, "a second row must begin below head 0"


def test_what_is_below_1_percent_has_neither_line_nor_number(page: Any, tmp_path: Path) -> None:
    row = torch.tensor([[0.99, 0.004, 0.003, 0.003]])
    explorer = from_disk(page, tmp_path, explore(row, ["it"], list("abcd")))
    assert explorer.locator(".keys .percent").all_text_contents() == ["99 %", "", "", ""]
    assert len(explorer.locator(".columns svg").evaluate(LINES)) == 1
    plot = explorer.locator(".plot").bounding_box()
    page.mouse.move(plot["x"] + 0.4 * plot["width"], plot["y"] + 0.5 * plot["height"])
    assert explorer.locator(".keys .percent").all_text_contents() == ["99 %", "<1 %", "", ""]
    assert len(explorer.locator(".columns svg").evaluate(LINES)) == 2


def test_mark_lies_on_the_row_of_a_query_and_on_the_column_of_a_key(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(4, 5), *NAMES.values()))
    plot, mark = explorer.locator(".plot").bounding_box(), explorer.locator(".mark")
    for side, size, along, across in (("quer", 4, "y", "height"), ("key", 5, "x", "width")):
        for i in range(size):
            explorer.locator(f"[class^={side}] .word").nth(i).hover()
            one = plot[across] / size
            expected = {**plot, along: plot[along] + i * one, across: one}
            assert mark.bounding_box() == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("side", ["query", "key"])
def test_each_line_goes_to_the_word_of_its_weight(page: Any, tmp_path: Path, side: str) -> None:
    given = even(4, 5)
    explorer = from_disk(page, tmp_path, explore(given, *NAMES.values()))
    columns = {"query": explorer.locator(".queries .word"), "key": explorer.locator(".keys .word")}
    far = "key" if side == "query" else "query"
    for i in range(len(NAMES[side])):
        columns[side].nth(i).hover()
        lines = explorer.locator(".columns svg").evaluate(LINES)
        near_end, far_end = ("from", "to") if side == "query" else ("to", "from")
        assert [line[near_end][1] for line in lines] == pytest.approx([middle(columns[side].nth(i))] * len(NAMES[far]))
        assert [line[far_end][1] for line in lines] == pytest.approx([middle(word) for word in columns[far].all()])
        assert all(line["from"][0] < line["to"][0] for line in lines)
        row = given[i] if side == "query" else given[:, i]
        by_weight = row.argsort().tolist()
        for look in ("width", "opacity"):
            assert [lines[slot][look] for slot in by_weight] == sorted(line[look] for line in lines)


def test_readout_says_each_word_with_its_own_number(page: Any, tmp_path: Path) -> None:
    given = even(6, 7)
    queries, keys = list("abcdef"), list("tuvwxyz")
    explorer = from_disk(page, tmp_path, explore(given, queries, keys))

    def first_five(row: torch.Tensor, words: list[str]) -> list[tuple[str, str]]:
        best = row.argsort(descending=True).tolist()[:5]
        return [(percent(row[i].item()), f"“\u2068{words[i]}\u2069”") for i in best]

    for i, query in enumerate(queries):
        explorer.locator(".queries .word").nth(i).hover()
        rest = percent(given[i].sort().values[:2].sum().item())
        (most, word), *others = first_five(given[i], keys)
        listed = "".join(f", {share} to {name}" for share, name in others)
        first = f"“\u2068{query}\u2069” gives {most} of its attention to {word}"
        assert explorer.locator(".readout").text_content() == f"{first}{listed}, and {rest} to 2 more together."
    for j, key in enumerate(keys):
        explorer.locator(".keys .word").nth(j).hover()
        listed = ", ".join(f"{name} {share}" for share, name in first_five(given[:, j], queries))
        expected = f"“\u2068{key}\u2069” is looked at by {listed}, and 1 more."
        assert explorer.locator(".readout").text_content() == expected


def test_table_names_its_rows_and_columns_and_follows_the_head(page: Any, tmp_path: Path) -> None:
    given = weights(2, 3, 4)
    explorer = from_disk(page, tmp_path, explore(given, ["a", "b", "a"], list("wxyz")))
    explorer.locator("summary").click()
    explorer.locator("tbody td").first.wait_for()
    assert explorer.locator("thead th").all_text_contents() == list("wxyz")
    assert explorer.locator("tbody th").all_text_contents() == ["a (0)", "b", "a (2)"]
    for head in (1, 0):
        explorer.locator("[role=radio]").nth(head).click()
        assert explorer.locator("tbody td").all_text_contents() == percents(given[head].flatten())
        assert f", head {head}." in explorer.locator("caption").text_content()


def test_hover_stays_until_another_word_is_pointed_at(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(4, 5), *NAMES.values(), start=(0, 0, "c")))
    lit, readout = explorer.locator(".queries .lit bdi"), explorer.locator(".readout")
    assert lit.text_content() == "c" and readout.text_content().startswith("“\u2068c\u2069” gives ")
    explorer.locator(".queries .word").nth(1).hover()
    for away in (".columns svg", ".title, .scale", ".readout"):
        explorer.locator(away).first.hover()
        assert lit.text_content() == "b"
    page.mouse.move(2, 2)
    assert lit.text_content() == "c", "outside, the word of the beginning comes back"


def test_of_a_pair_that_is_pointed_at_its_own_share_is_said_first(page: Any, tmp_path: Path) -> None:
    given = torch.tensor([[0.68, 0.32], [0.25, 0.75]])
    explorer = from_disk(page, tmp_path, explore(given, ["it", "was"], ["animal", "tired"]))
    plot = explorer.locator(".plot").bounding_box()
    page.mouse.move(plot["x"] + 0.75 * plot["width"], plot["y"] + 0.25 * plot["height"])
    said = re.sub("[\u2066-\u2069]", "", explorer.locator(".readout").text_content())
    assert said == "“it” to “tired”: 32 %. “it” gives 68 % of its attention to “animal”, 32 % to “tired”."


def test_lines_and_map_stand_side_by_side_on_a_tablet(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 768, "height": 900})  # a card has 736 of them, here as on the website
    explorer = from_disk(page, tmp_path, explore(*real_map.load()))
    lines, whole = (explorer.locator(part).bounding_box() for part in (".words", ".map"))
    assert lines["y"] == pytest.approx(whole["y"], abs=1) and lines["x"] + lines["width"] < whole["x"]
    cut = "(words) => words.filter((word) => word.scrollWidth > word.clientWidth).length"
    assert explorer.locator(".columns bdi").evaluate_all(cut) == 0


# The places of all that stands in the card, in whole pixels.
PLACES = """(card) => [...card.querySelectorAll('*')].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [one.className, Math.round(left), Math.round(top), Math.round(width), Math.round(height)].join(' ');
}).filter((place) => !place.startsWith('[object') && !/^(mark|cell|percent| )/.test(place))"""


@pytest.mark.parametrize(("width", "n"), [(320, 6), (1200, 6), (320, 40), (1200, 40)])
def test_nothing_shifts_while_pointing(page: Any, tmp_path: Path, width: int, n: int) -> None:
    page.set_viewport_size({"width": width, "height": 2200})
    tokens = [("wide" * (1 + i % 3)) + str(i) for i in range(n)]
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    given = weights(n, n).masked_fill(~mask, 0)
    explorer = from_disk(page, tmp_path, explore(given / given.sum(-1, keepdim=True), tokens, mask=mask))
    card, boxes = explorer.locator(".card"), []
    for side in (".queries", ".keys"):
        for i in (0, 3, 5):
            explorer.locator(f"{side} .word").nth(i).hover()
            boxes.append([place for place in card.evaluate(PLACES) if place.split(" ")[0] not in ("", "readout")])
    plot = explorer.locator(".plot").bounding_box()
    for part in (0.1, 0.5, 0.9):
        page.mouse.move(plot["x"] + part * plot["width"], plot["y"] + 0.6 * plot["height"])
        boxes.append([place for place in card.evaluate(PLACES) if place.split(" ")[0] not in ("", "readout")])
    # The words in a long column change, and with them what is in a place, but not the place.
    rows = [[place for place in places if not place.startswith("quiet")] for places in boxes]
    bare = [[re.sub("lit|kept|pair", "", place).split() for place in places] for places in rows]
    assert all(places == bare[0] for places in bare)
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


def test_cells_look_on_the_screen_as_the_scale_says(page: Any, tmp_path: Path) -> None:
    """Read from a screenshot, so that nothing lies over the cells, whichever row is framed."""
    given = torch.tensor([[0.05, 0.95], [0.21, 0.79], [0.5, 0.5]])
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        explorer = from_disk(page, tmp_path / scheme, explore(given, list("abc"), ["x", "y"]))
        scale, canvas = legend(explorer), explorer.locator("canvas[role=img]")
        plot = explorer.locator(".plot").bounding_box()
        for lit in range(3):
            explorer.locator(".queries .word").nth(lit).hover()
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            for i, row in enumerate(given.tolist()):
                for j, weight in enumerate(row):
                    x = plot["x"] + (j + 0.12) * plot["width"] / 2
                    y = plot["y"] + (i + 0.2) * plot["height"] / 3
                    seen = ",".join(map(str, shot.getpixel((round(x), round(y)))))
                    assert seen == colour_of(weight, scale), (scheme, lit, i, j)
        assert canvas.is_visible()


def test_numbers_in_cells_stand_out(page: Any) -> None:
    page.goto("about:blank")
    page.add_script_tag(content=SCRIPT)
    for dark in (False, True):
        pairs = page.evaluate("(dark) => colourScale(dark).map((colour) => [colour, inkOn(colour)])", dark)
        for colour, ink in pairs:
            under = relative_brightness([level / 255 for level in colour]) + 0.05
            over = relative_brightness(ink) + 0.05
            assert max(under, over) / min(under, over) >= 4.5


def test_words_without_width_show_their_codes(page: Any, tmp_path: Path) -> None:
    tokens = ["\u200b", "\u200d\ufe0f", " ", "\xad", "\u0301", "e\u0301", "\ud83d"]
    explorer = from_disk(page, tmp_path, explore(weights(7, 7), tokens))
    shown = ["U+200B", "U+200D U+FE0F", "\u2423", "U+00AD", "U+0301", "e\u0301", "\ufffd"]
    assert explorer.locator(".queries bdi").all_text_contents()[:7] == shown


def test_title_of_any_length_stays_in_the_card(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 320, "height": 900})
    from_disk(page, tmp_path, explore(weights(3, 3), list("abc"), title="unbroken" * 30))
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


def test_the_map_is_laid_out_anew_where_its_box_narrows_in_a_window_that_stays(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(11, 11), [f"word{i}" for i in range(11)]))
    canvas = explorer.locator(".map canvas")
    page.evaluate("() => { window.errors = []; addEventListener('error', (event) => errors.push(event.message)); }")
    for width in (700, 300):
        explorer.evaluate("(host, width) => { host.style.width = `${width}px`; }", width)
        page.wait_for_function(
            "([map, width]) => map.getBoundingClientRect().width <= width"
            " && Math.abs(map.width / Math.max(1, devicePixelRatio) - map.getBoundingClientRect().width) < 1",
            arg=[canvas.element_handle(), width],
        )
        assert float(re.search(r"(\d+)px", canvas.evaluate("(map) => map.getContext('2d').font"))[1]) >= 10
    assert page.evaluate("() => errors") == []


def test_what_was_clicked_comes_back_when_the_pointer_leaves(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(4, 5), *NAMES.values()))
    readout = explorer.locator(".readout")
    explorer.locator(".keys .word").nth(3).click()
    said = readout.text_content()
    for place in (".queries .word", ".keys .word", ".map canvas"):
        explorer.locator(place).first.hover()
        assert readout.text_content() != said
        page.mouse.move(2, 2)
        assert readout.text_content() == said


# Some browsers say "move" of a word that has come below the pointer, all "over".
OVER = """(option, x) => {
  for (const type of ['pointerover', 'pointermove']) {
    option.dispatchEvent(new PointerEvent(type, { bubbles: true, screenX: x, screenY: 5 }));
  }
}"""


def test_pointer_at_rest_does_not_undo_an_arrow_key(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(4, 5), *NAMES.values()))
    words, lit = explorer.locator(".queries .word"), explorer.locator(".queries .lit bdi")
    words.nth(1).focus()
    words.nth(2).evaluate(OVER, 7)
    assert lit.text_content() == "c"
    page.keyboard.press("ArrowUp")
    assert lit.text_content() == "a"
    words.nth(2).evaluate(OVER, 7)
    assert lit.text_content() == "a"
    words.nth(2).evaluate(OVER, 8)
    assert lit.text_content() == "c"


def test_one_word_alone_is_said_to_be_selected(page: Any, tmp_path: Path) -> None:
    explorer = from_disk(page, tmp_path, explore(weights(4, 5), *NAMES.values()))
    for side, words in NAMES.items():
        for i, word in enumerate(words):
            explorer.locator(".queries .word" if side == "query" else ".keys .word").nth(i).hover()
            assert explorer.locator("[aria-selected=true] bdi").all_text_contents() == [word]
            assert explorer.locator("[aria-selected=true].lit").count() == explorer.locator(".lit").count() == 1


def test_map_says_its_size_and_which_words_it_names(page: Any, tmp_path: Path) -> None:
    page.add_init_script(f"({NOTE_TEXTS})()")
    queries, keys = [f"q{i}" for i in range(70)], [f"k{i}" for i in range(200)]
    explorer = from_disk(page, tmp_path, explore(weights(70, 200), queries, keys))
    drawn = explorer.locator("canvas[role=img]")
    assert drawn.get_attribute("aria-label") == "Attention map, 70 by 200; its numbers stand in the table below."
    written = [note["text"] for note in page.evaluate("window.written")]
    assert written == queries[::9] + keys[::9]
    assert "In the map, one word in 9 is named." in explorer.locator(".card").text_content()


# ---- one explorer after the other ----

# What watches the page as a whole, and so lives until it is told to stop.
COUNT_LIVING = """() => {
  const observers = new Set();
  const listeners = [];
  for (const name of ['MutationObserver', 'ResizeObserver', 'IntersectionObserver']) {
    const { observe, disconnect } = window[name].prototype;
    window[name].prototype.observe = function (...given) { observers.add(this); return observe.apply(this, given); };
    window[name].prototype.disconnect = function () { observers.delete(this); return disconnect.call(this); };
  }
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const lasting = (target) => target === window || target === document || target instanceof MediaQueryList
    || target === document.documentElement || target === document.body;
  EventTarget.prototype.addEventListener = function (type, listener, ...more) {
    if (lasting(this ?? window)) listeners.push([this ?? window, type, listener]);
    return addEventListener.call(this ?? window, type, listener, ...more);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, ...more) {
    const at = listeners.findIndex((one) => one[0] === (this ?? window) && one[1] === type && one[2] === listener);
    if (at >= 0) listeners.splice(at, 1);
    return removeEventListener.call(this ?? window, type, listener, ...more);
  };
  window.living = () => [observers.size, listeners.length];
}"""
# Puts a fragment into an element in place of what stands there, as JupyterLab does.
REPLACE = """([selector, html]) => {
  const box = document.querySelector(selector);
  box.innerHTML = html;
  const script = document.createElement('script');
  script.textContent = box.querySelector('script').textContent;
  box.querySelector('script').replaceWith(script);
}"""


def two_heads(text: str) -> tuple[torch.Tensor, list[str]]:
    words = text.split()
    return weights(2, len(words), len(words)), words


def put(page: Any, selector: str, explorer: Explorer) -> Any:
    page.evaluate(REPLACE, [selector, explorer.html])
    return page.locator(f"{selector} .attention-explorer[data-ready]")


def test_a_replaced_explorer_leaves_nothing_behind(page: Any) -> None:
    page.add_init_script(f"({COUNT_LIVING})()")
    page.goto("about:blank")
    page.set_content("<main><div id=place></div></main>")
    live = explore_text(two_heads, "one two")
    put(page, "#place", live.explorer).wait_for()
    first = page.evaluate("living()")
    assert first != [0, 0], "it must follow the theme"
    for i in range(30):
        live.box.value = f"one two {i}"
        put(page, "#place", live.explorer).wait_for()
    assert page.evaluate("living()") == first
    page.evaluate("document.querySelector('#place').remove()")
    assert page.evaluate("living()") == [0, 0]


def test_an_explorer_that_is_put_back_follows_the_theme_again(page: Any) -> None:
    page.set_content("<main><div id=place></div><div id=other></div></main>")
    put(page, "#place", explore(weights(3, 3), list("abc"))).wait_for()
    dark = "() => document.querySelector('.attention-explorer > div').shadowRoot.querySelector('.dark') !== null"
    assert not page.evaluate(dark)
    page.evaluate("() => { window.away = document.querySelector('.attention-explorer'); away.remove(); }")
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    page.evaluate("() => { document.querySelector('#other').append(away); }")
    explorer = page.locator("#other .attention-explorer")
    page.wait_for_function(dark)
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        page.wait_for_function(f"() => ({dark})() === {str(theme == 'dark').lower()}")
    assert explorer.locator(".card").count() == 1


def test_an_explorer_follows_the_system(page: Any, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="light")
    explorer = from_disk(page, tmp_path, explore(weights(3, 3), list("abc")))
    light = legend(explorer)
    page.emulate_media(color_scheme="dark")
    explorer.locator(".card.dark").wait_for()
    assert legend(explorer) != light


def test_head_that_was_looked_at_belongs_to_one_box_in_one_output(page: Any) -> None:
    page.set_content(
        "<div class=jp-OutputArea><div id=a></div><div id=b></div></div><div class=jp-OutputArea><div id=c></div></div>"
    )
    one, two = explore_text(two_heads, "one two"), explore_text(two_heads, "two one")
    same_in_another_notebook = one
    boxes = {"#a": one, "#b": two, "#c": same_in_another_notebook}
    for place, live in boxes.items():
        put(page, place, live.explorer).wait_for()
    page.locator("#a [role=radio]").nth(1).click()
    one.box.value = two.box.value = "one two three"
    chosen = [put(page, place, live.explorer).locator("[aria-checked=true]") for place, live in boxes.items()]
    assert [choice.text_content() for choice in chosen] == ["head 1", "head 0", "head 0"]
    page.locator("#a [role=radio]").nth(0).click()
    page.locator("#b [role=radio]").nth(1).click()
    one.box.value = two.box.value = "one two three four"
    chosen = [put(page, place, live.explorer).locator("[aria-checked=true]") for place, live in boxes.items()]
    assert [choice.text_content() for choice in chosen] == ["head 0", "head 1", "head 0"]
