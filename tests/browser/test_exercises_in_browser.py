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
CLICKS, WAIT = 10, 10_000  # milliseconds after each; a busy machine lays out for long
IN_SIGHT = """(id) => {
  const cell = jupyterapp.shell.currentWidget.content?.widgets?.find((one) => one.model.id === id);
  const { top, height } = cell ? cell.node.getBoundingClientRect() : { top: -1, height: 0 };
  return height > 0 && top + height > 0 && top < window.innerHeight;
}"""
WHERE = """(id) => {
  const { context, content } = jupyterapp.shell.currentWidget;
  const { scrollTop, scrollHeight } = content.outerNode ?? content.node;
  const cell = content.widgets.find((one) => one.model.id === id);
  const { top, height } = cell?.node.getBoundingClientRect() ?? {};
  return { path: context.path, active: content.activeCell?.model.id, scrollTop, scrollHeight, top, height };
}"""
OPENED = """async (name) => {
  const tab = jupyterapp.shell.currentWidget;
  if (tab.context.path !== name) return false;
  await tab.context.ready;
  return true;
}"""
SETTLED = """() => {
  const { scrollHeight } = jupyterapp.shell.currentWidget.content.node;
  const { heightBefore } = window;
  window.heightBefore = scrollHeight;
  return scrollHeight === heightBefore;
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
        page.wait_for_function(SETTLED, polling=1000, timeout=lab.LONGEST_WAIT)
        for _ in range(CLICKS):  # JupyterLab may not scroll in what it is still laying out
            page.evaluate("() => { jupyterapp.commands.execute('docmanager:open', { path: 'exercises.ipynb' }); }")
            shown.locator("a", has_text=words).click()
            with suppress(TimeoutError):
                page.wait_for_function(IN_SIGHT, arg=goal, timeout=WAIT)
                break
        assert page.evaluate(IN_SIGHT, goal), str(page.evaluate(WHERE, goal))
        lab.shut_down(page)
        page.evaluate("() => jupyterapp.shell.currentWidget.dispose()")
        page.wait_for_function("() => jupyterapp.shell.currentWidget.context.path === 'exercises.ipynb'")
