"""Lessons in a real JupyterLab, one for each kind of thing to move, and all as exported pages with the network off."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lab
import nbformat
import pytest
import rules
from nbformat.v4 import new_markdown_cell, new_notebook

from helpers.live.calculation.sheet import RUN_IT
from tools import execute

PATHS = sorted((lab.ROOT / "notebooks").glob("*.ipynb"))
# One for each kind of thing that answers the hand, with what it must hold.
KINDS = {
    "04-scores.ipynb": ".attention-play .noUi-handle",
    "07-summing.ipynb": ".attention-calculation",
    "08-multi-head.ipynb": ".attention-explorer",
    "17-real-model.ipynb": ".attention-typed",
}

WHAT_FAILED = """() => [...jupyterapp.shell.currentWidget.content.widgets].flatMap((cell, i) => {
  if (cell.model.type !== 'code') return [];
  const outputs = cell.model.outputs.toJSON();
  const failed = outputs.filter((output) => output.output_type === 'error').map((o) => `cell ${i}: ${o.evalue}`);
  const idle = cell.model.sharedModel.source.trim() === '' || cell.model.executionCount;
  return idle ? failed : [...failed, `cell ${i} did not run`];
})"""

FAR = "far<br>" * 60  # a text as tall as the window
IN_VIEW = """(i) => {
  const box = jupyterapp.shell.currentWidget.content.widgets[i].node.getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= window.innerHeight;
}"""

# What a lesson holds, and not JupyterLab around it.
OUR_PART = """{
  include: ['.jp-NotebookPanel:not(.lm-mod-hidden) .jp-RenderedMarkdown',
            '.jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output'],
}"""


def _with_its_needs(name: str) -> Any:
    needed = execute.weights_needed(nbformat.read(lab.ROOT / "notebooks" / name, as_version=4))
    return pytest.param(name, marks=[pytest.mark.weights(*needed)])


@pytest.mark.parametrize("name", [_with_its_needs(kind) for kind in KINDS])
def test_lesson_runs_and_answers_the_hand(lab_page: Any, axe: str, name: str) -> None:
    page = lab_page
    page.complaints.clear()
    page.requests.clear()
    with lab.opened_in_tab(page, name) as tab:
        lab.run_all(page)
        assert page.evaluate(WHAT_FAILED) == []
        assert tab.locator(KINDS[name]).count() > 0
        for i in range(tab.locator(".attention-play").count()):
            _drag(page, tab.locator(".attention-play").nth(i))
        for i in range(tab.locator(".attention-explorer").count()):
            _point_and_tab(page, tab.locator(".attention-explorer").nth(i))
        for sheet in tab.locator(".attention-calculation").all():
            _change(page, sheet)
        assert lab.violations(page, axe, OUR_PART) == []
        assert page.complaints == []
        assert page.requests == []


def test_lesson_that_is_only_opened_does_not_count_as_changed(lab_page: Any) -> None:
    with lab.opened_in_tab(lab_page, "02-weights.ipynb"):
        lab_page.wait_for_function("() => jupyterapp.shell.currentWidget.context.sessionContext.session?.kernel?.info")
        lab.wait_until_idle(lab_page)
        assert not lab_page.evaluate("() => jupyterapp.shell.currentWidget.context.model.dirty")


def default_settings(address: str, plugin: str) -> dict[str, Any]:
    """The defaults that JupyterLab serves for a plugin, those installed with the course included."""
    with urllib.request.urlopen(address.replace("/?", f"/lab/api/settings/{plugin}?")) as answer:
        properties = json.load(answer)["schema"]["properties"]
    return {name: setting.get("default") for name, setting in properties.items()}


def test_jupyterlab_opens_without_asking_for_news(address: str) -> None:
    """Installed with the course, so that the lesson is the first thing that a learner sees."""
    settings = default_settings(address, "@jupyterlab/apputils-extension:notification")
    assert settings["fetchNews"] == "false" and settings["checkForUpdates"] is False


def test_jupyterlab_lays_out_every_cell(address: str) -> None:
    """Heights that JupyterLab guesses make a link land far from the exercise that it names."""
    assert default_settings(address, "@jupyterlab/notebook-extension:tracker")["windowingMode"] == "defer"


def test_jupyterlab_sets_all_formulas(lab_page: Any, scratch: Path) -> None:
    """The text of all lessons with a formula in it, in one notebook."""
    cells = [cell for path in PATHS for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]
    formulas = [len(rules.MATH.findall(rules.without_code(cell.source))) for cell in cells]
    texts = [new_markdown_cell(cell.source) for cell, count in zip(cells, formulas, strict=True) if count]
    nbformat.write(new_notebook(cells=texts, metadata=execute.METADATA), scratch / "notebooks" / "formulas.ipynb")
    with lab.opened_in_tab(lab_page, "formulas.ipynb") as tab:
        lab.run_all(lab_page)
        lab_page.wait_for_function(
            "(count) => document.querySelectorAll('mjx-container').length === count", arg=sum(formulas)
        )
        assert tab.locator("mjx-merror, .katex-error").all_text_contents() == []


def test_links_within_lessons_lead_to_their_sections(lab_page: Any, scratch: Path) -> None:
    """Those of all lessons, in one notebook with the headings that they name."""
    lessons = [rules.read(path, []) for path in PATHS]
    places = {
        link[1:]
        for lesson in lessons
        for _, source, _ in lesson.markdown
        for _, _, link in rules.LINK.findall(rules.without_code(source))
        if link.startswith("#")
    }
    titles = {rules.anchor(title): title for lesson in lessons for _, _, title in rules.headings(lesson)}
    cells = [new_markdown_cell("\n".join(f"- [{place}](#{place})" for place in sorted(places)))]
    cells += [
        cell for place in sorted(places) for cell in (new_markdown_cell(FAR), new_markdown_cell(f"### {titles[place]}"))
    ]
    nbformat.write(new_notebook(cells=cells, metadata=execute.METADATA), scratch / "notebooks" / "links.ipynb")
    with lab.opened_in_tab(lab_page, "links.ipynb") as tab:
        for i, place in enumerate(sorted(places)):
            lab_page.evaluate("() => jupyterapp.shell.currentWidget.content.scrollToItem(0)")
            tab.get_by_role("link", name=place, exact=True).click()
            lab_page.wait_for_function(IN_VIEW, arg=2 + 2 * i)


def _drag(page: Any, play: Any) -> None:
    play.scroll_into_view_if_needed()
    image = play.locator("img").element_handle()
    before = image.get_attribute("src")
    play.locator(".noUi-handle").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("([image, before]) => !image.isConnected || image.src !== before", arg=[image, before])
    assert play.locator("img").get_attribute("src") != before, "the picture has not changed"
    assert play.locator("[role=alert]").count() == 0


def _change(page: Any, root: Any) -> None:
    root.scroll_into_view_if_needed()
    assert not root.locator(".attention-calculation-still").is_visible()
    tables = root.locator("table:not([data-table=mask])")
    before = tables.all_text_contents()[1:]
    tables.first.locator("tbody td").last.focus()
    page.keyboard.press("Shift+ArrowUp")
    assert tables.all_text_contents()[1:] != before, "no table has followed the first"
    root.get_by_role("button", name="Predict first").click()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    assert not root.get_by_label("Your guess").is_visible(), "JupyterLab has kept the key"


def _point_and_tab(page: Any, explorer: Any) -> None:
    explorer.scroll_into_view_if_needed()
    assert not any(still.is_visible() for still in explorer.locator(".attention-explorer-still").all())
    queries, readout = explorer.locator(".queries .word"), explorer.locator(".readout")
    queries.first.hover()
    assert explorer.locator(".queries .lit").count() == 1
    said = readout.text_content()
    explorer.locator(".queries [tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    assert readout.text_content() != said or queries.count() < 3
    page.keyboard.press("Tab")
    assert explorer.locator(".keys .lit").count() == 1


@pytest.fixture(scope="module")
def reader(chromium: Any) -> Iterator[Any]:
    """The one tab in which all exported lessons are opened."""
    context = chromium.new_context(viewport={"width": 1200, "height": 1000})
    yield lab.watched(context.new_page())
    context.close()


@pytest.fixture(scope="module")
def exporter() -> Any:
    from nbconvert import HTMLExporter

    return HTMLExporter()


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_exported_lesson_needs_no_network(reader: Any, exporter: Any, tmp_path: Path, path: Path) -> None:
    page = reader
    page.complaints.clear()
    page.requests.clear()
    html, _ = exporter.from_filename(str(path))
    file = tmp_path / "lesson.html"
    file.write_text(html, encoding="utf-8")
    page.goto(file.as_uri())
    # nbconvert asks for two scripts of its own, for formulas and widgets; nothing of ours may ask for any.
    own = (exporter.require_js_url, exporter.mathjax_url)
    assert [url for url in page.requests if not url.startswith(tuple(script.split("?")[0] for script in own))] == []
    assert [said for said in page.complaints if "ERR_NAME_NOT_RESOLVED" not in said] == []
    for still in page.locator(".attention-play-still img").all():
        assert still.is_visible() and len(still.get_attribute("alt")) > 20
    for i in range(page.locator(".attention-explorer").count()):
        _point_and_tab(page, page.locator(".attention-explorer").nth(i))
    for sheet in page.locator(".attention-calculation").all():
        _change(page, sheet)
    assert not any(said.is_visible() for said in page.get_by_text(RUN_IT).all())
