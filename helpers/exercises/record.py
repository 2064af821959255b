"""What has been solved: one small file in the learner's working folder, or a record for a teacher's run."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

FILE = ".attention-progress.json"
RECORD = "ATTENTION_RECORD"  # names the file that `python -m helpers.grade` collects results in
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
    entry = {"exercise": verdict.exercise, "lesson": lesson, "status": verdict.status, "mistake": verdict.mistake,
             "function": function}
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
    part = Path(f"{FILE}.{os.getpid()}.part")
    content = json.dumps({"format": _FORMAT, "solved": sorted(names)}, indent=1) + "\n"
    try:
        if path.exists() and not os.access(path, os.W_OK):  # replacing would overrule "read-only"
            return False
        part.write_text(content, encoding="utf-8")
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        return False
    return True
