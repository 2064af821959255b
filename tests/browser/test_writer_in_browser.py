"""The box in which a language model writes, in JupyterLab: Write, Stop, and pointing at a token."""

from collections.abc import Iterator
from typing import Any

import lab
import nbformat
import pytest

CELL = """
import time
from helpers.live.writer import writer

def steps(text, temperature, p):
    for i in range(500):
        time.sleep(0.02)
        yield f" w{i}", 0.5, [(f" w{i}", 0.6), (" other", 0.4)]

box = writer(steps, "Once", n_at_first=4)
box
"""


@pytest.fixture
def notebook(chromium: Any, scratch: Any, address: str) -> Iterator[Any]:
    nbformat.write(lab.notebook([CELL.strip()]), scratch / "notebooks" / "writer.ipynb")
    context = chromium.new_context(viewport={"width": 1200, "height": 1000})
    page = lab.watched(context.new_page())
    lab.open_notebook(page, address, "writer.ipynb")
    lab.run_all(page)
    yield page
    lab.shut_down(page)
    context.close()


def test_it_writes_stops_and_shows_what_could_have_stood_there(notebook: Any, axe: str) -> None:
    tokens = notebook.locator(".attention-writer .token")
    tokens.nth(3).wait_for()
    assert tokens.count() == 4 and not notebook.locator(".attention-play-still").is_visible()
    notebook.get_by_role("button", name="Write").click()
    notebook.wait_for_function("() => document.querySelectorAll('.attention-writer .token').length > 10")
    notebook.get_by_role("button", name="Stop").click()
    notebook.wait_for_function("() => !document.querySelector('.attention-play button').disabled")
    stopped = tokens.count()
    notebook.wait_for_timeout(500)
    assert tokens.count() == stopped < 400

    table = tokens.nth(2).locator(".others")
    assert not table.is_visible()
    tokens.nth(2).hover()
    assert table.is_visible() and "␣other" in table.inner_text() and "0.40" in table.inner_text()
    notebook.mouse.move(5, 5)
    tokens.nth(1).focus()
    notebook.keyboard.press("Tab")
    assert table.is_visible()
    assert lab.violations(notebook, axe, "{include: ['.attention-play'], exclude: ['.noUi-handle']}") == []
    assert notebook.complaints == [] and notebook.requests == []
