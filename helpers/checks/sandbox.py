"""Call a function that may do anything, and come back: with its result, or with what it did instead."""

import builtins
import ctypes
import io
import linecache
import os
import random
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from helpers.checks.exercise import Arguments

SECONDS = 2.0  # for all calls of one check together
MOST_PRINTED = 20_000  # characters kept of what a function prints


class TimeUp(BaseException):
    """Raised inside the learner's function when its time is over. Not an Exception: `except Exception` lets it by."""


@dataclass
class Outcome:
    """What one call did.

    Attributes
    ----------
    value : what was returned
    error : what was raised instead, or None
    place : the learner's own line, such as "line 3: `return scores.sum()`", or ""
    printed : what was printed
    settings : the global settings that the call changed (they are set back), in words
    """

    value: Any = None
    error: BaseException | None = None
    place: str = ""
    printed: str = ""
    settings: tuple[str, ...] = ()

    @property
    def timed_out(self) -> bool:
        return isinstance(self.error, TimeUp)


class Budget:
    """The time that the calls of one check have together."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = self.left = SECONDS if seconds is None else seconds

    @contextmanager
    def spend(self) -> Iterator[None]:
        start = _now()
        try:
            yield
        finally:
            self.left -= _spent_since(start)


class CappedOutput(io.StringIO):
    """Keeps the beginning of what is printed, so that printing without end does not fill the memory."""

    def write(self, text: str) -> int:
        if self.tell() < MOST_PRINTED:
            super().write(text)
        return len(text)


def call(function: Callable[..., Any], arguments: Arguments, budget: Budget) -> Outcome:
    """Call `function(*arguments)` within the budget, catch whatever it raises, and undo what it changes globally."""
    output = CappedOutput()
    outcome = Outcome()
    with _settings_kept() as changed, redirect_stdout(output), redirect_stderr(output), budget.spend():
        try:
            with _alarm(budget.left):
                outcome.value = _invoke(function, arguments)
        except BaseException as error:  # sys.exit() and KeyboardInterrupt as well: the notebook must live
            outcome.error = error
            outcome.place = _place(error, function)
            error.__traceback__ = None  # lets go of what the function held in memory
    if hasattr(outcome.value, "close") and hasattr(outcome.value, "cr_code"):
        outcome.value.close()  # a coroutine that nobody awaits would warn
    outcome.printed = output.getvalue()
    outcome.settings = tuple(changed)
    return outcome


def _invoke(function: Callable[..., Any], arguments: Arguments) -> Any:
    return function(*arguments)  # a frame of its own, by which the alarm sees that the function is running


def _place(error: BaseException, function: Callable[..., Any]) -> str:
    """The last line of the learner's own code that the error passed through."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ""
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_code.co_filename == code.co_filename:
            text = linecache.getline(code.co_filename, number).strip()
            return f"line {number}: `{text}`" if text else f"line {number}"
    return ""


# --- time ---


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise TimeUp in this thread after so many seconds, and again and again if it is swallowed."""
    if seconds <= 0:
        raise TimeUp
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        watch = _signal_alarm
    else:  # Windows, or a thread of its own: interrupts Python code, but not a sleep
        watch = _thread_alarm
    with watch(seconds):
        yield


@contextmanager
def _signal_alarm(seconds: float) -> Iterator[None]:
    rings, start = 0, _now()

    def ring(_: int, frame: Any) -> None:
        nonlocal rings
        if _spent_since(start) < seconds:
            return
        running = _frames_of_the_call(frame)
        if not running:  # a bell that rings just after the function has returned must do nothing
            return
        rings += 1
        if rings <= 3:
            raise TimeUp
        # A bare `except:` around the place where the function waits swallows it: raise between two lines instead,
        # each time some lines later, until it is outside.
        _raise_after(rings % 8, running)

    trace = sys.gettrace()
    before = signal.signal(signal.SIGALRM, ring)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, 0.02)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        if sys.gettrace() is not trace:
            sys.settrace(trace)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)


def _now() -> tuple[float, float]:
    return time.process_time(), time.monotonic()


def _spent_since(start: tuple[float, float]) -> float:
    """Seconds of work: what a busy machine does for others in between does not count, and waiting counts a fifth."""
    worked, passed = (now - then for now, then in zip(_now(), start, strict=True))
    return max(worked, passed / 5)


def _frames_of_the_call(frame: Any) -> list[Any]:
    """The frames from `frame` up to the one that called the learner's function; none when it is not running."""
    frames = []
    while frame is not None and frame.f_code is not _invoke.__code__:
        frames.append(frame)
        frame = frame.f_back
    return frames if frame is not None else []


def _raise_after(lines: int, frames: list[Any]) -> None:
    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal lines
        if event == "line":
            lines -= 1
            if lines < 0:
                raise TimeUp
        return trace

    for frame in frames:
        frame.f_trace = trace
    sys.settrace(trace)


@contextmanager
def _thread_alarm(seconds: float) -> Iterator[None]:
    thread = ctypes.c_ulong(threading.get_ident())
    done, lock, start = threading.Event(), threading.Lock(), _now()

    def ring() -> None:
        wait = seconds
        while not done.wait(wait):
            with lock:
                if not done.is_set() and _spent_since(start) >= seconds:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TimeUp))
            wait = 0.05

    threading.Thread(target=ring, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            done.set()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)  # one that was set and has not been raised


# --- global settings ---


def _no_input(*_: Any) -> str:
    raise RuntimeError("input() does not work inside a check")


def _set_device(device: torch.device) -> None:
    torch.set_default_device(None if device.type == "cpu" else device)


def _folder() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:  # somebody has deleted it
        return None


def _go_to(folder: str | None) -> None:
    if folder is not None:
        os.chdir(folder)


# name in words, how to read it, how to set it
_SETTINGS: list[tuple[str, Callable[[], Any], Callable[[Any], Any]]] = [
    ("torch's default dtype", torch.get_default_dtype, torch.set_default_dtype),
    ("torch's default device", torch.get_default_device, _set_device),
    ("whether torch records gradients", torch.is_grad_enabled, torch.set_grad_enabled),
    ("torch's deterministic mode", torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms),
    ("torch's number of threads", torch.get_num_threads, torch.set_num_threads),
    ("Python's recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    ("the working folder", _folder, _go_to),
]


@contextmanager
def _settings_kept() -> Iterator[list[str]]:
    """Put back seeds and settings afterwards, and name the settings (not seeds) that had been changed."""
    before = [read() for _, read, _ in _SETTINGS]
    seeds = torch.get_rng_state(), np.random.get_state(), random.getstate()  # noqa: NPY002 (the global one is meant)
    ask, builtins.input = builtins.input, _no_input
    changed: list[str] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield changed
    finally:
        builtins.input = ask
        for (name, read, write), value in zip(_SETTINGS, before, strict=True):
            if read() != value:
                write(value)
                changed.append(name)
        torch.set_rng_state(seeds[0])
        np.random.set_state(seeds[1])  # noqa: NPY002
        random.setstate(seeds[2])


@contextmanager
def neutral() -> Iterator[None]:
    """The settings that a check counts on, whatever the learner has set; theirs come back afterwards."""
    with _settings_kept(), torch.inference_mode(False):
        torch.set_default_dtype(torch.float32)
        if torch.get_default_device().type != "cpu":
            torch.set_default_device(None)
        torch.set_grad_enabled(True)
        torch.set_num_threads(1)  # inputs are small, and threads that wait for each other on a busy machine are slow
        yield
