"""The files that a class's results go to: a log that a run goes on from, and two sheets for spreadsheets."""

import csv
import io
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from helpers.checks.verdict import RIGHT, UNTRIED, WRONG
from helpers.exercises import exercises
from helpers.files import write_whole
from tools.grade.grading import UNCHECKED, Found, Result

LOG, GRADES, EXERCISES = "results.jsonl", "grades.csv", "exercises.csv"
BOM = "\ufeff"  # by which spreadsheets know UTF-8
WORDS = {RIGHT: "right", WRONG: "not yet", UNTRIED: "not tried", UNCHECKED: "not checked"}


class Sheets:
    """Writes each result as it comes, so that nothing is lost when a run ends early.

    Parameters
    ----------
    folder : Path
        That the files go to; made where it is missing.
    lessons : sequence of int
        One column of points for each.

    Raises
    ------
    OSError
        The folder cannot be written to.
    """

    def __init__(self, folder: Path, lessons: Sequence[int]) -> None:
        self.folder, self.lessons = folder, list(lessons)
        folder.mkdir(parents=True, exist_ok=True)

    def begin(self, done: Sequence[Result]) -> None:
        """Start the files anew, with what earlier runs found."""
        log = "".join(json.dumps(result.as_json()) + "\n" for result in done)
        write_whole(self.folder / LOG, encoded(log))
        self.write(done)

    def add(self, result: Result) -> None:
        """Append a result to each file, each time whole lines."""
        _append(self.folder / LOG, json.dumps(result.as_json()) + "\n")
        for name, row in ((GRADES, self._grades(result)), (EXERCISES, self._exercises(result))):
            with suppress(OSError):  # it may be open in a spreadsheet; the log has it
                _append(self.folder / name, _line(row))

    def write(self, results: Sequence[Result]) -> None:
        """Write both sheets, with the students in their order."""
        known = exercises().values()
        total = {lesson: sum(one.lesson == lesson for one in known) for lesson in self.lessons}
        points = [f"lesson {lesson} (of {total[lesson]})" for lesson in self.lessons]
        heads = ["student", "number", "late", *points, "points", "of", "problems", "not a notebook", "worth a look"]
        rows = [heads, *map(self._grades, results)]
        write_whole(self.folder / GRADES, encoded(BOM + "".join(map(_line, rows))))
        rows = [["student", "number", *self._names()], *map(self._exercises, results)]
        write_whole(self.folder / EXERCISES, encoded(BOM + "".join(map(_line, rows))))

    def _names(self) -> list[str]:
        return [one.name for lesson in self.lessons for one in exercises().values() if one.lesson == lesson]

    def _grades(self, result: Result) -> list[str]:
        points = [str(result.points(lesson)) if lesson in result.lessons else "" for lesson in self.lessons]
        texts = ("; ".join(texts) for texts in (result.problems, result.others, result.marks + result.records))
        late = "late" if result.late else ""
        return [result.name, result.number, late, *points, str(result.points()), str(result.total()), *texts]

    def _exercises(self, result: Result) -> list[str]:
        found = {name: one for given in result.lessons.values() for name, one in given.items()}
        return [result.name, result.number, *(_words(found[name]) if name in found else "" for name in self._names())]


def logged(folder: Path) -> list[Result]:
    """Read what an earlier run has left; a line that it was writing when it ended is passed over.

    Parameters
    ----------
    folder : Path
        That it wrote to.

    Returns
    -------
    list of Result
        In the order in which they were written.
    """
    found = []
    try:
        lines = (folder / LOG).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    for line in lines:
        with suppress(ValueError, TypeError, KeyError, AttributeError):
            found.append(Result.from_json(json.loads(line)))
    return found


def _words(found: Found) -> str:
    return WORDS[found.status] + (f": {found.mistake}" if found.status == WRONG and found.mistake else "")


def encoded(text: str) -> bytes:
    """UTF-8, also of half a letter that a student's error message may hold."""
    return text.encode("utf-8", "replace")


def _append(path: Path, text: str) -> None:
    with path.open("ab") as file:
        file.write(encoded(text))
        file.flush()
        os.fsync(file.fileno())


def _line(row: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(map(_harmless, row))
    return text.getvalue()


def _harmless(cell: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula."""
    return f"'{cell}" if cell.lstrip(" \n").startswith(("=", "+", "-", "@", "\t", "\r", "\uff1d")) else cell
