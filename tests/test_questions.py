"""Questions of learners: each is a heading in a lesson, with a cell below it that runs and shows the answer."""

import re
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
LIST = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
MOST_LETTERS = 200  # of an answer: a line or two
LISTED = re.findall(r"^- \[(.+)\]\(\.\./notebooks/(\S+)\.ipynb#(\S+)\)$", LIST, re.M)


def sections(lesson: str) -> dict[str, int]:
    """Each heading that is a question -> the number of code cells up to the next heading."""
    found, heading = {}, None
    for cell in nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4).cells:
        titles = re.findall(r"^#{1,3} (.+)$", cell.source, re.M) if cell.cell_type == "markdown" else []
        if titles:
            heading = titles[-1]
            found[heading] = 0
        elif cell.cell_type == "code":
            found[heading] += 1
    return {heading: cells for heading, cells in found.items() if re.fullmatch(r"(?!Step \d).*\?", heading)}


@pytest.mark.parametrize(("question", "lesson", "anchor"), LISTED, ids=[question for question, _, _ in LISTED])
def test_a_listed_question_is_answered_by_a_cell(question, lesson, anchor):
    assert sections(lesson).get(question, 0) > 0
    assert unquote(anchor) == question.replace("`", "").replace(" ", "-")


def test_every_question_in_a_lesson_is_listed():
    lessons = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
    asked = {(question, lesson) for lesson in lessons for question in sections(lesson)}
    assert asked == {(question, lesson) for question, lesson, _ in LISTED}


def test_each_question_has_an_answer_of_a_line():
    answered = re.findall(r"^- \[(.+)\]\(\S+\)\n  (\S.*[.])$", LIST, re.M)
    assert [question for question, _ in answered] == [question for question, _, _ in LISTED]
    assert [answer for _, answer in answered if len(answer) > MOST_LETTERS] == []
