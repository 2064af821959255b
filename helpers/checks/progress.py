"""What has been solved: kept in one small file in the learner's working folder, or in a teacher's record; and shown."""

import html
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.checks.exercise import Exercise
from helpers.files import write_whole

FILE = ".attention-progress.json"
RECORD = "ATTENTION_RECORD"  # names the file that `python -m tools.grade` collects results in
_FORMAT = "attention-step-by-step 1"
_LARGEST = 1_000_000  # bytes; a larger file is not ours
_unsaved: set[str] = set()  # what the folder could not keep, so that it counts until the kernel ends


def solved() -> set[str]:
    """Names of the exercises that were solved, from the file and from this kernel; never raises."""
    return (_read() or set()) | _unsaved


def remember(name: str) -> str:
    """Keep that an exercise is solved. Returns "", or a sentence when the file could not take it."""
    if RECORD in os.environ:  # a teacher's run: it keeps its own record, and the folder is not the learner's
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


def report(verdict: Any, lesson: int, function: str) -> None:
    """In a teacher's run, add a verdict to the record; otherwise do nothing."""
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


def _read() -> set[str] | None:
    """The names in the file; the empty set when there is none, None when it is not ours or cannot be read."""
    try:
        path = Path(FILE)
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
    """Replace the file in one step, so that two notebooks at once cannot leave half a file."""
    path = Path(FILE)
    content = json.dumps({"format": _FORMAT, "solved": sorted(names)}, indent=1) + "\n"
    try:
        if path.exists() and not os.access(path, os.W_OK):  # replacing would overrule "read-only"
            return False
        write_whole(path, content.encode())
    except OSError:
        return False
    return True


@dataclass
class Progress:
    """How many exercises are solved, per lesson and in the course.

    Attributes
    ----------
    exercises : all of the course
    solved : names of those that are solved; names that are not in the course do not count
    """

    exercises: Sequence[Exercise]
    solved: set[str]

    def lessons(self) -> list[tuple[int, list[tuple[str, bool]]]]:
        """Each lesson's number with its exercises, and whether they are solved."""
        numbers = sorted({exercise.lesson for exercise in self.exercises})
        return [
            (number, [(one.name, one.name in self.solved) for one in self.exercises if one.lesson == number])
            for number in numbers
        ]

    def _total(self) -> str:
        count = sum(exercise.name in self.solved for exercise in self.exercises)
        return f"{count} of {len(self.exercises)} exercises solved"

    def __repr__(self) -> str:
        lines = [self._total()]
        for number, marks in self.lessons():
            names = "  ".join(f"{_sign(done)} {name}" for name, done in marks)
            lines.append(f"  lesson {number}: {sum(done for _, done in marks)} of {len(marks)}   {names}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td style="text-align: left">Lesson {number}</td>'
            f"<td>{sum(done for _, done in marks)} of {len(marks)}</td>"
            f'<td style="text-align: left">'
            + " &nbsp; ".join(f"{_sign(done)} <code>{html.escape(name)}</code>" for name, done in marks)
            + "</td></tr>"
            for number, marks in self.lessons()
        )
        return f"<div><b>{self._total()}</b><table>{rows}</table></div>"


def _sign(done: bool) -> str:
    return "\u2713" if done else "\u25cb"
