"""The pages that the grader writes, in a browser: light and dark, wide and on a phone."""

from typing import Any

import lab
import pytest

from helpers.checks.verdict import RIGHT, UNTRIED, WRONG
from helpers.exercises import exercises
from tools.grade.grading import Found, Result
from tools.grade.pages import class_page, feedback_page

NAMES = [one.name for one in exercises().values() if one.lesson == 5]
WIDE = [["scores", "[" + ", ".join(["1.2345"] * 40) + "]"]]  # wider than a phone


def result(name: str, *statuses: str) -> Result:
    found = [Found(status, "wrong-axis", "Your *columns* sum to `1`.", WIDE) for status in statuses]
    return Result(name, problems=["05.ipynb is empty"], lessons={5: dict(zip(NAMES, found, strict=True))})


CLASS = [result("Anna", RIGHT, WRONG, UNTRIED), result("Ben", WRONG, WRONG, UNTRIED)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
@pytest.mark.parametrize("content", [class_page(CLASS), feedback_page(CLASS[1])], ids=["class", "feedback"])
def test_a_page_is_accessible_and_fits(page: Any, axe: str, content: str, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.set_content(content)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert lab.violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.requests == [] and page.complaints == []
