"""What a learner has solved: kept in a small file, shown lesson by lesson, and recorded for a teacher who asks.

The file stands in the folder that the notebook runs in. Nothing about it may disturb a check: where it cannot be read
or written, the learner is told so once, and what is solved counts until the kernel ends.
"""

import html
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.files import write_whole

if TYPE_CHECKING:  # the grader needs no torch
    from helpers.checks.exercise import Exercise
    from helpers.checks.verdict import Verdict

FILE = ".attention-progress.json"
RECORD = "ATTENTION_RECORD"  # names the file that `python -m tools.grade` collects verdicts in
_FORMAT = "attention-step-by-step 1"
_LARGEST = 1_000_000  # bytes; a larger file is not ours
_unsaved: set[str] = set()  # what the file could not take


# --- the learner's file ---


def solved() -> set[str]:
    """Give the names of the exercises that were solved, from the file and from this kernel. Never raises."""
    return (_read() or set()) | _unsaved


def remember(name: str) -> str:
    """Keep that an exercise is solved. Never raises.

    Parameters
    ----------
    name : str
        Of the exercise.

    Returns
    -------
    str
        "", or a sentence for the learner where the file could not take it.
    """
    if RECORD in os.environ:  # in a teacher's run the folder is not the learner's
        return ""
    known = _read()
    if known is not None and name in known:
        return ""
    _unsaved.add(name)
    if known is None:
        return f"Your progress is not kept: {FILE} holds something else. Delete it to start anew."
    if not _write(known | _unsaved):
        return "Your progress is not kept: this folder cannot be written to."
    _unsaved.clear()
    return ""


def _read() -> set[str] | None:
    """Read the names in the file: none where there is no file, None where it is not ours or cannot be read."""
    path = Path(FILE)
    try:
        if not path.exists():
            return set()
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return None
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            return None
        return {name for name in content["solved"] if isinstance(name, str)}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _write(names: set[str]) -> bool:
    """Replace the file, and say whether that was possible."""
    path = Path(FILE)
    content = json.dumps({"format": _FORMAT, "solved": sorted(names)}, indent=1) + "\n"
    try:
        if path.exists() and not os.access(path, os.W_OK):  # replacing would overrule "read-only"
            return False
        write_whole(path, content.encode())
    except OSError:
        return False
    return True


# --- what the learner sees ---


@dataclass
class Progress:
    """How many exercises are solved, in each lesson and in the course.

    Attributes
    ----------
    exercises : sequence of Exercise
        All of the course.
    solved : set of str
        Names of those that are solved; names that are not in the course do not count.
    """

    exercises: "Sequence[Exercise]"
    solved: set[str]

    def __repr__(self) -> str:
        lines = [self._total()]
        for lesson, names in self._lessons().items():
            marks = "  ".join(f"{self._sign(name)} {name}" for name in names)
            lines.append(f"  lesson {lesson}: {self._count(names)}   {marks}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(self._row(lesson, names) for lesson, names in self._lessons().items())
        return f"<div><b>{self._total()}</b><table>{rows}</table></div>"

    def _row(self, lesson: int, names: list[str]) -> str:
        left = '<td style="text-align: left">'
        marks = " &nbsp; ".join(f"{self._sign(name)} <code>{html.escape(name)}</code>" for name in names)
        return f"<tr>{left}Lesson {lesson}</td><td>{self._count(names)}</td>{left}{marks}</td></tr>"

    def _lessons(self) -> dict[int, list[str]]:
        """The names of each lesson's exercises."""
        numbers = sorted({exercise.lesson for exercise in self.exercises})
        return {number: [one.name for one in self.exercises if one.lesson == number] for number in numbers}

    def _total(self) -> str:
        return f"{self._count([exercise.name for exercise in self.exercises])} exercises solved"

    def _count(self, names: list[str]) -> str:
        return f"{len(self.solved.intersection(names))} of {len(names)}"

    def _sign(self, name: str) -> str:
        return "\u2713" if name in self.solved else "\u25cb"


# --- a teacher's record ---


def report(verdict: "Verdict", lesson: int, function: str) -> None:
    """Add a verdict to the record of a teacher's run; without one do nothing.

    Parameters
    ----------
    verdict : Verdict
        What a check has found.
    lesson : int
        Number of the exercise's lesson.
    function : str
        What the learner's function is called, so that solutions which the notebook brings along can be told apart.
    """
    path = os.environ.get(RECORD)
    if path is None:
        return
    entry = {
        "exercise": verdict.exercise,
        "lesson": lesson,
        "status": verdict.status,
        "mistake": verdict.mistake,
        "function": function,
    }
    with suppress(OSError), Path(path).open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
