"""Judge a function in a process of its own, so that whatever it does ends, and nothing of it is left.

The process is a fork: a copy of the kernel with all that a function may use, such as other functions of the notebook
and a model of a gigabyte, none of which has to be packed and sent. In the copy the function may loop within C, swallow
every exception, crash Python, change settings, open figures and write files: the copy is killed, and its folder
removed. Only the verdict comes back, as a line of JSON.

Where a fork is no safe copy, `judge` runs in the kernel itself, with the time limit of `time_limit`: on Windows, which
has none; on macOS, whose libraries for matrices and graphics do not survive one; and where a GPU is in use.
"""

import faulthandler
import gc
import io
import json
import os
import re
import select
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from helpers.checks import shared_messages as messages
from helpers.checks import time_limit
from helpers.checks.exercise import Exercise
from helpers.checks.judge import judge
from helpers.checks.sandbox import line_in_words
from helpers.checks.settings import neutral
from helpers.checks.stub import is_stub
from helpers.checks.verdict import UNTRIED, WRONG, Finding, Verdict

GRACE = 0.5  # seconds after which a process that has not stopped its function by itself is killed
SEARCH = 0.5  # seconds that it is then given to find the name of a mistake, where it has said that something is wrong
MOST_MEMORY = 4 << 30  # bytes that a function may ask for, beside what the kernel holds
LARGEST_FILE = 100 << 20  # bytes
_ORPHAN = 60  # seconds of a processor after which a process ends though nobody waits for it any more
_NOT_HERE = b"judge in the kernel"

_warm: list[bool] = []
Say = Callable[[bytes], None]

_ended: list[int] = []  # processes that have said what they had to say, and are still giving their memory back


def judge_apart(exercise: Exercise, function: Any) -> Verdict:
    """Judge a function in a process of its own, or here where that cannot be. Never raises.

    Parameters
    ----------
    exercise : Exercise
        What is to be solved.
    function : Any
        What the learner hands in.

    Returns
    -------
    Verdict
        As `judge` gives it; or that the function had to be stopped, or took its process down.
    """
    if not callable(function) or is_stub(function) or not _can_fork():
        return judge(exercise, function)
    _reap()
    if not _warm:  # what torch sets up at its first use is then there in every copy
        judge(exercise, exercise.reference)
        _warm.append(True)
    try:
        with tempfile.TemporaryDirectory(prefix="attention-check-", ignore_cleanup_errors=True) as scratch:
            line, end = _run(lambda say: _judge_here(exercise, function, say), scratch)
    except OSError:  # no memory for a second process, or nowhere to write
        return judge(exercise, function)
    if line == _NOT_HERE:
        return judge(exercise, function)
    if not line:
        return _without_an_answer(exercise, function, end)
    try:
        return _unpacked(line)
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # the function has written into the pipe
        found = messages.unreadable(error)
        return Verdict(WRONG, exercise.name, found.message, found.id)


def _can_fork() -> bool:
    # A GPU that is in use cannot be used in the copy, and torch says so in an error that would look like the learner's.
    return sys.platform == "linux" and hasattr(os, "fork") and not torch.cuda.is_initialized()


# --- in the kernel ---


@dataclass
class End:
    """How a process ended that gave no verdict.

    Attributes
    ----------
    seconds : float
        That it lived.
    worked, queued : float
        Seconds of a processor that it used, and that it was kept waiting for one by other programs.
    status : int or None
        What the system says of a process that ended by itself; None where it was killed.
    interrupted : bool
        Whether the learner has stopped the cell.
    trace : str
        Where it was when its time was up.
    """

    seconds: float
    worked: float
    queued: float
    status: int | None
    interrupted: bool
    trace: str


def _run(work: Callable[[Say], bytes], folder: str) -> tuple[bytes, End]:
    """Do some work in a copy of this process; give the last line that it says, or b"" and how the copy ended."""
    limit = time_limit.SECONDS + GRACE
    answer, says = os.pipe()
    trace = os.memfd_create("trace")
    try:
        start = time.monotonic()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 3.12 warns of threads, of which the copy has none
            child = os.fork()
        if child == 0:
            _be_the_copy(work, folder, says, trace, limit)
        os.close(says)
        says = -1
        with suppress(OSError):
            os.setpgid(child, child)  # the copy does the same: whoever comes first
        interrupted = False
        try:
            line = _last_line_within(answer, start + limit)
        except KeyboardInterrupt:
            line, interrupted = b"", True
        if not (line or interrupted):
            _wait_for_the_end(child, start + limit)
        seconds, queued = time.monotonic() - start, _seconds_in_queue(child)
        _kill(child)
        if line:
            _ended.append(child)
            return line, End(seconds, 0, 0, None, False, "")
        _, status, used = os.wait4(child, 0)
        ended = None if seconds >= limit or interrupted else status
        where = os.pread(trace, 20_000, 0).decode(errors="replace")
        return b"", End(seconds, used.ru_utime + used.ru_stime, queued, ended, interrupted, where)
    finally:
        for file in (answer, says, trace):
            if file >= 0:
                os.close(file)


def _last_line_within(file: int, end: float) -> bytes:
    """Read up to an empty line, and give the one before it; what was said up to then, where that does not come in time.

    The first line gives the copy `SEARCH` seconds more. b"" where nothing comes, or the other side is closed before.
    """
    ready = select.poll()
    ready.register(file, select.POLLIN)
    said = b""
    while not said.endswith(b"\n\n"):
        left = end + SEARCH * (b"\n" in said) - time.monotonic()
        part = os.read(file, 1 << 16) if left > 0 and ready.poll(left * 1000) else b""
        if not part:
            break
        said += part
    whole_lines = said[: said.rfind(b"\n") + 1]
    return whole_lines.strip().split(b"\n")[-1]


def _wait_for_the_end(child: int, end: float) -> None:
    """Let a process end by itself that says nothing any more, so that its end tells why; it stays to be asked."""
    while time.monotonic() < end and not os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        time.sleep(0.005)


def _kill(child: int) -> None:
    """End a process with all that it has started; how it ended stays known where it has done so by itself."""
    for kill in (os.killpg, os.kill):
        with suppress(OSError):
            kill(child, signal.SIGKILL)


def _reap() -> None:
    """Let go of those that have ended meanwhile: a copy of a large kernel takes a moment to give its memory back."""
    for child in list(_ended):
        with suppress(OSError):
            if os.waitpid(child, os.WNOHANG) == (0, 0):
                continue
        _ended.remove(child)


def _seconds_in_queue(process: int) -> float:
    try:  # nanoseconds at work, nanoseconds in the queue, times that it had its turn
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _without_an_answer(exercise: Exercise, function: Any, end: End) -> Verdict:
    """What to say of a function that was killed, or that took its process down."""
    if end.interrupted:
        found = messages.stopped_with(KeyboardInterrupt(), "")
    elif end.status is not None:
        found = _took_down(end.status)
    elif end.worked < time_limit.SECONDS / 4 and end.queued > end.seconds / 2:
        return Verdict(UNTRIED, exercise.name, messages.busy(end.seconds))
    elif end.worked < (end.seconds - end.queued) / 4:
        found = messages.waiting(time_limit.SECONDS)
    else:
        found = messages.endless(time_limit.SECONDS)
    place = _place(end.trace, function)
    return Verdict(WRONG, exercise.name, found.message, found.id, [("in your code", place)] if place else [])


def _took_down(status: int) -> Finding:
    if not os.WIFSIGNALED(status):
        return messages.stopped_with(SystemExit(), "")
    number = os.WTERMSIG(status)
    if number == signal.SIGKILL:  # not ours: this is how Linux helps itself when memory runs out
        return messages.stopped_with(MemoryError(), "")
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    return messages.crash(name)


def _place(trace: str, function: Any) -> str:
    """The learner's line in a trace of `faulthandler`: `  File "...", line 3 in f`, the innermost first."""
    code = getattr(function, "__code__", None)
    for name, number in re.findall(r'^ +File "(.+)", line (\d+) in ', trace, re.MULTILINE):
        if code is not None and name == code.co_filename:
            return line_in_words(name, int(number))
    return ""


# --- in the copy ---


def _judge_here(exercise: Exercise, function: Any, say: Say) -> bytes:
    try:
        with neutral():
            torch.ones(1, requires_grad=True).sum().backward()  # with a GPU, torch refuses this in a copy
    except RuntimeError:
        return _NOT_HERE
    verdict = judge(exercise, function, lambda without_a_name: say(_packed(without_a_name)))
    try:
        return _packed(verdict)
    except (TypeError, ValueError):  # something that JSON does not hold
        return _NOT_HERE


def _be_the_copy(work: Callable[[Say], bytes], folder: str, says: int, trace: int, limit: float) -> None:
    """Work, say the lines, the last of them empty, and end; never come back."""

    def say(line: bytes) -> None:
        line += b"\n"
        while line:
            line = line[os.write(says, line) :]

    try:
        os.setpgid(0, 0)  # away from the kernel's group: the key that interrupts a cell reaches the kernel alone
        gc.freeze()  # what the kernel no longer needs is not for the copy to clean up: its files may be open there
        _keep_within_bounds()
        _be_quiet(says, trace)
        sys.path[:] = [path or str(Path.cwd()) for path in sys.path]
        os.chdir(folder)
        torch.set_num_threads(1)  # the threads of the kernel are not here, and OpenMP would wait for them for ever
        torch.set_num_threads = lambda nthreads: None
        faulthandler.dump_traceback_later(limit - GRACE / 2, file=trace)
        say(work(say) + b"\n")
    except BaseException:  # no one to tell: the kernel sees that no line came
        os._exit(1)
    finally:
        os._exit(0)


def _keep_within_bounds() -> None:
    import resource  # not on Windows

    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    for what, most in (
        (resource.RLIMIT_AS, held + MOST_MEMORY),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_CPU, _ORPHAN),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (allowed, hard))
    with suppress(OSError):  # where memory runs out all the same, the copy goes first and not the kernel
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _be_quiet(*ours: int) -> None:
    """Let nothing that the copy prints, draws or writes come to the notebook by another way than through our files."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for file in (0, 1, 2):
        os.dup2(nowhere, file)
    first = 3
    for file in sorted(ours):  # all others belong to the kernel: its sockets, and what the learner has open
        os.closerange(first, file)
        first = file + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), io.StringIO(), io.StringIO()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if "IPython" in sys.modules:
        kernel = getattr(sys.modules["IPython"].get_ipython(), "kernel", None)
        if kernel is not None:
            kernel.session.send = lambda *_, **__: None  # pictures and widgets: the connection belongs to the kernel


# --- a verdict as a line ---


def _packed(verdict: Verdict) -> bytes:
    fields = {**vars(verdict), "tables": verdict.tables and [_as_json(table) for table in verdict.tables]}
    return json.dumps(fields).encode()


def _unpacked(line: bytes) -> Verdict:
    fields = json.loads(line)
    details = [(name, text) for name, text in fields.pop("details")]
    tables = fields.pop("tables")
    pair = (_as_tensor(tables[0]), _as_tensor(tables[1])) if tables else None
    return Verdict(**fields, details=details, tables=pair)


def _as_json(table: torch.Tensor) -> tuple[str, list[int], list[Any]]:
    return str(table.dtype).removeprefix("torch."), list(table.shape), table.detach().flatten().tolist()


def _as_tensor(packed: tuple[str, list[int], list[Any]]) -> torch.Tensor:
    dtype, shape, numbers = packed
    return torch.tensor(numbers, dtype=getattr(torch, dtype)).reshape(shape)
