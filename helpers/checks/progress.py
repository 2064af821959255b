"""What a learner has solved: kept in a small file, and recorded for a teacher who asks.

The file is the learner's own and lies where their programs keep data, so that a course folder may be read-only or
shared, and a newer copy of the course still knows what is solved. Where one lies in the working folder already, as
earlier editions left it, it is read and written there. Nothing about it may disturb a check: where it cannot be read or
written, the learner is told so, and what is solved counts until the kernel ends.
"""

import json
import os
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock
from platformdirs import user_data_path

from helpers.files import write_whole

if TYPE_CHECKING:  # the grader needs no torch
    from helpers.checks.verdict import Verdict

PLACE = "ATTENTION_PROGRESS"  # names a file to keep progress in, and no other
FILE = ".attention-progress.json"  # in the working folder
RECORD = "ATTENTION_RECORD"  # names the file that `python -m tools.grade` collects verdicts in
_FORMAT = "attention-step-by-step 1"
_LARGEST = 1_000_000  # bytes; a larger file is not ours
_PATIENCE = 2.0  # seconds to wait for another kernel that writes
_unsaved: set[str] = set()  # what no file could take


# --- the learner's file ---


def place() -> Path:
    """Find the file that progress is kept in, which may not be there yet.

    Returns
    -------
    Path
        The one that ATTENTION_PROGRESS names; or one of the learner's own in the working folder; or the one in the
        platform's usual folder for data.
    """
    return _places()[0]


def _places() -> list[Path]:
    """Where progress is read, first the place where it is written."""
    if os.environ.get(PLACE):
        return [Path(os.environ[PLACE])]
    here, home = Path(FILE), user_data_path("attention-step-by-step", appauthor=False) / "progress.json"
    if not home.is_absolute():  # an account without a home
        return [here]
    if not _is_ours(here):
        return [home]
    return [here, home] if os.access(here, os.W_OK) and _read(here) is not None else [home, here]


def _is_ours(file: Path) -> bool:
    """Whether there is such a file, and not of somebody else who uses the same folder."""
    try:
        return file.is_file() and (not hasattr(os, "getuid") or file.stat().st_uid == os.getuid())
    except OSError:
        return False


def solved() -> set[str]:
    """Give the names of the exercises that were solved, from the files and from this kernel. Never raises."""
    if RECORD in os.environ:  # in a teacher's run what the teacher has solved does not count
        return set(_unsaved)
    return _unsaved.union(*(_read(file) or set() for file in _places()))


def remember(name: str) -> str:
    """Keep that an exercise is solved. Never raises.

    Parameters
    ----------
    name : str
        Of the exercise.

    Returns
    -------
    str
        "", or a sentence for the learner where no file could take it.
    """
    if RECORD in os.environ:
        return ""
    _unsaved.add(name)
    file = place()
    trouble = _keep_in(file)
    if trouble and PLACE not in os.environ and not Path(FILE).exists():  # a home that cannot be written to
        trouble = _keep_in(Path(FILE))
    return trouble and f"Your progress is not kept: {file} {trouble}"


def _keep_in(file: Path) -> str:
    """Add what is not saved to a file; give "" or what is wrong with it."""
    with ExitStack() as stack:
        with suppress(OSError, NotImplementedError):  # without a lock it is kept as well, but for a race
            file.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(FileLock(file.with_name(f"{file.name}.lock"), timeout=_PATIENCE))
        known = _read(file)  # now, as another kernel may have written since
        if known is None:
            return "holds something else. Delete it to start anew."
        if not _unsaved <= known and not _write(file, known | _unsaved):
            return "cannot be written."
    _unsaved.clear()
    return ""


def _read(file: Path) -> set[str] | None:
    """Read the names in a file: none where there is no file, None where it is not ours or cannot be read."""
    try:
        if not file.exists():
            return set()
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return None
        content = json.loads(file.read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            return None
        return {name for name in content["solved"] if isinstance(name, str)}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _write(file: Path, names: set[str]) -> bool:
    """Replace the file, and say whether that was possible."""
    content = json.dumps({"format": _FORMAT, "solved": sorted(names)}, indent=1) + "\n"
    try:
        if file.exists() and not os.access(file, os.W_OK):  # replacing would overrule "read-only"
            return False
        write_whole(file, content.encode())
    except OSError:
        return False
    return True


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
