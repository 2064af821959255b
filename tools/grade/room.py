"""What runs students' code: a process that has imported torch and the course once, and is forked for each notebook.

`python -m tools.grade.room` reads jobs from its input, one JSON object a line, and answers each with a line:

- `{"kind": "answers", "sources": [...]}` runs what the checks in these cells need, and gives the verdict of each;
- `{"kind": "notebook", "sources": [...]}` runs all cells in a kernel, and says what went wrong.

Both take `seconds` and `files`, which lie beside the notebook. Nothing here contains the code: `contain` starts this
process where it can reach no network and no files of yours.
"""

import ast
import base64
import contextlib
import ctypes
import io
import json
import linecache
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from helpers.checks.progress import RECORD
from helpers.wording import first_line
from tools.grade.collect import write_files
from tools.grade.contain import SCRATCH
from tools.grade.notebooks import Cell, Notebook

LONGEST = 120  # characters of an error
MOST_TEXT = 2000  # characters of a table in a verdict
MEGABYTES_A_FILE = 200
CLOSING = 40.0  # seconds that importing nbclient and ending a kernel may take on a busy machine
POLL = 0.005  # seconds from one look at the child to the next
FORKS = sys.platform == "linux" and hasattr(os, "fork")  # macOS has it, and its libraries do not survive it
Job = dict[str, Any]


def main() -> None:
    """Answer jobs until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.set_inheritable(answers.fileno(), False)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    jobs = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(nothing, 0)
    _warm()
    for line in jobs:
        _answer(answers, _handle(json.loads(line), (jobs, answers)))
        if not FORKS:  # what the code has changed here would be felt by the next
            return


def _answer(answers: IO[str], result: Job) -> None:
    answers.write(json.dumps(result) + "\n")
    answers.flush()


def _warm() -> None:
    """Import what most notebooks import, so that forks have it already; no thread may start here."""
    if sys.platform == "linux":  # processes that code leaves behind become children of this one, to be ended
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    import matplotlib.pyplot
    import torch

    import helpers
    from helpers.checks import judge  # noqa: F401
    from helpers.exercises import exercises

    torch.set_num_threads(1)
    matplotlib.use("Agg")
    for name in helpers.__all__:
        getattr(helpers, name)
    exercises()


def _handle(job: Job, channels: tuple[IO[str], IO[str]]) -> Job:
    work = Path(tempfile.mkdtemp(prefix="notebook-"))
    try:
        with tempfile.TemporaryFile() as found:
            ended = _in_a_child(job, work, found, channels) if FORKS else _in_time(job, work, found, channels[1])
            result = _collected(found)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        _tidy()
    if ended:
        result["problem"] = ended
    return result


def _tidy() -> None:
    """Delete what a notebook has left in the scratch folder of this process, so that the next does not find it."""
    scratch = os.environ.get(SCRATCH)  # set where it is this process's own
    for left in Path(scratch).iterdir() if scratch else ():
        if left.name != "matplotlib":
            shutil.rmtree(left, ignore_errors=True)
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)


def _collected(found: IO[bytes]) -> Job:
    """What was written so far; lines that are not ours are passed over, for a notebook could find the file."""
    result: Job = {"problem": "", "checks": {}, "unknown": [], "recorded": []}
    found.seek(0)
    for line in found.read().decode("utf-8", "replace").splitlines():
        with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
            entry = json.loads(line)
            if "exercise" in entry:
                result["checks"][str(entry["exercise"])] = entry  # the last check counts
            elif "unknown" in entry:
                result["unknown"].append(str(entry["unknown"]))
            elif "recorded" in entry:
                result["recorded"] = list(map(str, entry["recorded"]))
            else:
                result["problem"] = str(entry["problem"])
    return result


def _in_time(job: Job, work: Path, found: IO[bytes], answers: IO[str]) -> str:
    """Run a job in this process, which ends with what it has when the time is up."""

    def end() -> None:
        _answer(answers, {**_collected(found), "problem": _stopped(job)})
        os._exit(0)

    timer = threading.Timer(job["seconds"] + _own(job), end)
    timer.daemon = True
    timer.start()
    try:
        return _run(job, work, found)
    finally:
        timer.cancel()


def _own(job: Job) -> float:
    """Seconds more for a job that keeps its time itself, and says in which cell it was."""
    return CLOSING if job["kind"] == "notebook" else 0.0


def _stopped(job: Job) -> str:
    return f"stopped after {job['seconds']:g} seconds"


def _in_a_child(job: Job, work: Path, found: IO[bytes], channels: tuple[IO[str], IO[str]]) -> str:
    """Run a job in a fork of this process; say what ended it before its time, or ""."""
    deadline = time.monotonic() + job["seconds"] + _own(job)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for channel in channels:
                os.close(channel.fileno())
            os.setsid()
            _limit()
            problem = _run(job, work, found)
            if problem:
                _write(found, {"problem": problem})
            code = 0
        finally:
            os._exit(code)
    status = None
    try:
        while status is None and time.monotonic() < deadline:
            ended, state = os.waitpid(child, os.WNOHANG)
            if ended:
                status = state
            else:
                time.sleep(POLL)
    finally:
        _end(child)
    if status is None:
        return _stopped(job)
    return "" if status == 0 else "its process died"


def _end(child: int) -> None:
    """End a child and all that it has started."""
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.kill(child, signal.SIGKILL)
    for _ in range(1000):
        for left in _children():
            with contextlib.suppress(OSError):
                os.kill(left, signal.SIGKILL)
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(POLL)


def _children() -> list[int]:
    try:
        return list(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))
    except OSError:  # not Linux: the group has been ended, and that is all that can be done
        return []


def _limit() -> None:
    """Keep a notebook from filling the disk or the memory."""
    import resource

    size = MEGABYTES_A_FILE * 1_000_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing more raises an OSError
    with contextlib.suppress(ValueError, OSError):
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _write(found: IO[bytes], entry: Job) -> None:
    found.write(json.dumps(entry).encode() + b"\n")
    found.flush()


def _run(job: Job, work: Path, found: IO[bytes]) -> str:
    """Do a job in this process, in an empty folder and home; say what went wrong, or ""."""
    home, record = work / "home", work / "record.jsonl"
    inside = work / "work"
    for folder in (home, inside):
        folder.mkdir()
    write_files(((name, base64.b64decode(data)) for name, data in job["files"].items()), inside)
    fonts = Path(os.environ.get("MPLCONFIGDIR", work / "none"))
    if fonts.is_dir():  # a copy, for what one notebook does there shall not reach the next
        shutil.copytree(fonts, work / "matplotlib")
    changed = {"HOME": home, "USERPROFILE": home, "TMPDIR": work, "MPLCONFIGDIR": work / "matplotlib", RECORD: record}
    os.environ.update({name: str(path) for name, path in changed.items()})
    tempfile.tempdir = None
    os.chdir(inside)
    try:
        if job["kind"] == "answers":
            return _answers(job, inside, found)
        return _notebook(job, inside, record, found)
    except BaseException as error:  # sys.exit() in a notebook as well
        return f"did not run: {_short(error)}"


# --- the answers alone ---


def _answers(job: Job, work: Path, found: IO[bytes]) -> str:
    import helpers
    from helpers import exercises as room

    sys.path.insert(0, str(work))
    room.check = helpers.check = _checking(room.check, found)
    sys.modules["__main__"] = type(sys)("__main__")
    names = sys.modules["__main__"].__dict__
    names.update({"check": room.check, "__name__": "__main__", "hint": room.hint, "display": lambda *_, **__: None})
    notebook = Notebook([Cell("code", source) for source in job["sources"]])
    for number, source in enumerate(notebook.python):
        linecache.cache[_place(number)] = (len(source), None, source.splitlines(keepends=True), _place(number))
    problem = next(map(_not_python, notebook.broken), "")
    for cell, statement in notebook.needed():
        try:
            exec(compile(ast.Module([statement], []), _place(cell), "exec"), names)
        except BaseException as error:  # the next statement may need nothing of this one
            problem = problem or f"error in code cell {cell + 1}: {_short(error)}"
    return problem


def _not_python(cell: tuple[int, str]) -> str:
    number, source = cell
    try:
        compile(source, _place(number), "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"error in code cell {number + 1}: {_short(error)}"
    return ""


def _place(cell: int) -> str:
    return f"<code cell {cell + 1}>"


def _checking(check: Any, found: IO[bytes]) -> Any:
    """`check`, which also keeps what it found where the notebook does not look for it."""
    from helpers.checks.verdict import RIGHT, Verdict

    def checked(*given: Any, strict: bool = False, **named: Any) -> Any:
        verdict = check(*given, **named)
        if isinstance(verdict, Verdict):
            entry = {"exercise": verdict.exercise, "status": verdict.status, "mistake": verdict.mistake}
            details = [(str(head), str(text)[:MOST_TEXT]) for head, text in verdict.details]
            _write(found, {**entry, "message": verdict.message, "details": details})
        else:
            _write(found, {"unknown": str(named.get("name", given[0] if given else ""))[:LONGEST]})
        if strict and getattr(verdict, "status", "") != RIGHT:
            raise AssertionError(repr(verdict))
        return verdict

    return checked


# --- the whole notebook ---


def _notebook(job: Job, work: Path, record: Path, found: IO[bytes]) -> str:
    """Run all cells in a kernel of their own, also after one that fails."""
    import asyncio

    import nbformat

    cells = [nbformat.v4.new_code_cell(source) for source in job["sources"]]
    notebook = nbformat.v4.new_notebook(cells=cells)
    progress = {"cell": 0}
    with contextlib.redirect_stderr(io.StringIO()):
        problem = asyncio.run(_kernel(notebook, work, progress, job["seconds"]))
    _write(found, {"recorded": list(_recorded(record))})
    return problem or _first_error(notebook)


async def _kernel(notebook: Any, work: Path, progress: dict[str, int], seconds: float) -> str:
    import asyncio
    import subprocess

    from nbclient import NotebookClient
    from nbclient.exceptions import DeadKernelError

    from tools.execute import ThisPython  # whatever kernel a notebook names

    manager = ThisPython()
    if sys.platform != "win32":  # sockets in the file system, for there is no network
        manager.transport = "ipc"
        manager.ip = str(work.parent / "kernel")

    def cell_begins(**_: object) -> None:
        progress["cell"] += 1

    client = NotebookClient(
        notebook,
        km=manager,
        timeout=None,
        allow_errors=True,
        record_timing=False,
        store_widget_state=False,
        shutdown_kernel="immediate",
        resources={"metadata": {"path": str(work)}},
        on_cell_execute=cell_begins,
    )
    environment = {name: text for name, text in os.environ.items() if name != "MPLBACKEND"}
    task = asyncio.ensure_future(
        client.async_execute(env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    )
    try:
        await asyncio.wait([task], timeout=seconds)
        if not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=1)
            if task.done() and not task.cancelled():
                task.exception()  # the kernel was taken from under it; asked for, so that asyncio does not complain
            return f"stopped after {seconds:g} seconds in code cell {progress['cell']}"
        error = task.exception()
    finally:
        if manager.has_kernel:
            await manager.shutdown_kernel(now=True)
    if isinstance(error, DeadKernelError):
        return f"its kernel died in code cell {progress['cell']}"
    return "" if error is None else f"did not run: {_short(error)}"


def _first_error(notebook: Any) -> str:
    """Name the first error that a cell shows, or ""."""
    errors = [
        (number, output)
        for number, cell in enumerate(notebook.cells, 1)
        for output in cell.outputs
        if output.output_type == "error"
    ]
    if not errors:
        return ""
    number, output = errors[0]
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    words = filter(None, [output.ename, first_line(output.evalue, LONGEST)])
    return f"error in code cell {number}: {': '.join(words)}{more}"


def _recorded(record: Path) -> Iterator[str]:
    """The exercises that the record of the run calls right; a notebook could write there too."""
    from helpers.checks.verdict import RIGHT

    try:
        lines = record.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    last = {}
    for line in lines:
        with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
            entry = json.loads(line)
            last[str(entry["exercise"])] = entry["status"]
    yield from (name for name, status in last.items() if status == RIGHT)


def _short(error: BaseException) -> str:
    words = first_line(error, LONGEST)
    return f"{type(error).__name__}{words and ': '}{words}"


if __name__ == "__main__":
    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(1)
