"""What is live works where a front end shuts each output of a cell into a frame of its own, as Colab does.

Here a frame may run scripts and nothing else: it has no origin, and sees nothing of the page around it.
"""

import html
import json
from collections.abc import Iterator
from typing import Any

import lab
import pytest
from sheet import Sheet

LIVE = [("04-scores", "calculation"), ("08-multi-head", "explorer")]


def _stored(lesson: str, kind: str) -> list[str]:
    """The HTML of each output of a lesson that holds something live of a kind."""
    notebook = json.loads((lab.ROOT / "notebooks" / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    found = ["".join(output.get("data", {}).get("text/html", "")) for output in outputs]
    return [one for one in found if f'class="attention-{kind}"' in one]


@pytest.fixture(scope="module")
def page(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 1000, "height": 1400})
    yield lab.watched(context.new_page())
    context.close()


def _shut_in(page: Any, outputs: list[str]) -> list[Any]:
    """Show each output in a frame, and give the frames."""
    page.complaints.clear()
    frames = [
        f'<iframe sandbox="allow-scripts" width="960" height="900" srcdoc="{html.escape(one)}">' for one in outputs
    ]
    page.set_content("</iframe>".join([*frames, ""]))
    return [page.frame_locator("iframe").nth(number) for number in range(len(outputs))]


def test_an_explorer_answers_in_each_frame(page: Any) -> None:
    for frame in _shut_in(page, _stored(*LIVE[1])):
        explorer = frame.locator(".attention-explorer[data-ready]")
        explorer.wait_for()
        assert not any(still.is_visible() for still in explorer.locator(".attention-explorer-still").all())
        before = explorer.locator(".readout").text_content()
        explorer.locator(".queries .word").last.click()
        assert explorer.locator(".readout").text_content() != before
    assert page.complaints == []


def test_a_calculation_follows_a_typed_number(page: Any) -> None:
    frame = _shut_in(page, _stored(*LIVE[0])[:1])[0]
    frame.locator(".attention-calculation[data-ready]").wait_for()
    sheet = Sheet(page, frame.locator(".attention-calculation"))
    assert not frame.locator(".attention-calculation-still").is_visible()
    scores = sheet.table("scores")
    sheet.type("queries", 0, 0, "7")
    sheet.settle()
    assert sheet.table("scores")[0] != scores[0] and sheet.table("scores")[1] == scores[1]
    assert page.complaints == []


@pytest.mark.parametrize(("lesson", "kind"), LIVE)
def test_without_scripts_the_picture_stays(page: Any, lesson: str, kind: str) -> None:
    page.complaints.clear()
    page.set_content(
        f'<iframe sandbox width="960" height="900" srcdoc="{html.escape(_stored(lesson, kind)[0])}"></iframe>'
    )
    still = page.frame_locator("iframe").locator(f"img.attention-{kind}-still")
    still.wait_for()
    assert len(still.get_attribute("alt")) > 20
