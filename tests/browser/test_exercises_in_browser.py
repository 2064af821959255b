"""The links of exercises, clicked in a real JupyterLab: each leads to the lesson, and there to the cell."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import lab
import nbformat
import pytest
from playwright.sync_api import TimeoutError

CELLS = [
    "import torch\nfrom helpers import check, hint, next_exercise, progress",
    'check("softmax", lambda scores: torch.softmax(scores, -1))',
    "next_exercise()",
    "progress()",
]
AT_REST_BELOW_THE_TOP = """(id) => {
  const { content } = jupyterapp.shell.currentWidget;
  const cell = content?.widgets?.find((one) => one.model.id === id)?.node.getBoundingClientRect();
  const view = content?.node.getBoundingClientRect();
  const before = window.placeBefore;
  window.placeBefore = cell && JSON.stringify([cell.top, content.node.scrollHeight]);
  const inView = cell?.top > view.top - 1 && cell?.bottom < view.bottom + 1; // but for a fraction of a pixel
  return cell?.height > 0 && inView && before === window.placeBefore;
}"""
WHERE = """(id) => {
  const { content } = jupyterapp.shell.currentWidget;
  const { top, bottom } = content.widgets.find((one) => one.model.id === id)?.node.getBoundingClientRect() ?? {};
  const view = content.node.getBoundingClientRect();
  return `the cell is from ${top} to ${bottom}, the notebook from ${view.top} to ${view.bottom}`;
}"""
OPENED = """async (name) => {
  const tab = jupyterapp.shell.currentWidget;
  if (tab.context.path !== name) return false;
  await tab.context.ready;
  return true;
}"""


@pytest.mark.parametrize(
    ("cell", "words", "lesson", "goal"),
    [
        (1, "Next: how_far_behind", "05-softmax.ipynb", "with-a-temperature"),
        (2, 'Open 05-softmax.ipynb at "Back to the scores"', "05-softmax.ipynb", "with-a-temperature"),
        (3, "brought_most", "06-weighting.ipynb", "all-queries"),
    ],
)
def test_link_opens_the_lesson_at_the_exercise(
    lab_page: Any, scratch: Path, cell: int, words: str, lesson: str, goal: str
) -> None:
    page = lab_page
    nbformat.write(lab.notebook(CELLS), scratch / "notebooks" / "exercises.ipynb")
    with lab.opened_in_tab(page, "exercises.ipynb") as tab:
        lab.run_all(page)
        shown = tab.locator(".jp-CodeCell").nth(cell).locator(".jp-OutputArea-output")
        shown.locator("a", has_text=words).click()
        page.wait_for_function(OPENED, arg=lesson, timeout=lab.LONGEST_WAIT)
        lab.wait_until_idle(page)
        with suppress(TimeoutError):
            page.wait_for_function(AT_REST_BELOW_THE_TOP, arg=goal, polling=1000, timeout=lab.LONGEST_WAIT)
        assert page.evaluate(AT_REST_BELOW_THE_TOP, goal), page.evaluate(WHERE, goal)
        lab.shut_down(page)
        page.evaluate("() => jupyterapp.shell.currentWidget.dispose()")
        page.wait_for_function("() => jupyterapp.shell.currentWidget.context.path === 'exercises.ipynb'")
