"""Call a function that may never end, and stop it when its time is up."""

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from helpers.checks.exercise import Arguments

SECONDS = 2.0  # for all calls of one check together
_TICK = 0.02  # seconds from one signal to the next, once the time may be up
_STEP = 0.05  # seconds from one look of the second thread to the next; each takes Python from the first for a moment


class TimeUp(BaseException):
    """Raised inside the learner's function when its time is up. Not an Exception: `except Exception` lets it by."""


class Stopwatch:
    """How much time the thread that makes it has had from then on.

    It counts work and waiting alike, so that a sleep ends as a loop does, but not the time in which the thread could
    have worked and other programs had the processor: a right function shall not fail because a machine is busy.
    """

    def __init__(self) -> None:
        self._thread = threading.get_native_id()
        self._wall, self._work = time.monotonic(), time.process_time()
        self._queue = _seconds_in_queue(self._thread)

    def worked(self) -> float:
        """Seconds of a processor that were used, in all threads."""
        return time.process_time() - self._work

    def spent(self) -> float:
        """Seconds that the thread has had."""
        passed, queue = time.monotonic() - self._wall, _seconds_in_queue(self._thread)
        if self._queue is not None and queue is not None:
            return passed - (queue - self._queue)
        # Where the system does not tell waiting from queueing, a third of both is forgiven: 2 seconds of work are up
        # after 2 seconds, and of sleep after 3.
        worked = min(self.worked(), passed)
        return worked + (passed - worked) * 2 / 3


def _seconds_in_queue(thread: int) -> float | None:
    """How long a thread has been ready to work, and others had the processor; None where the system does not tell."""
    try:  # Linux: nanoseconds at work, nanoseconds in the queue, times that it had its turn
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return None


class Budget:
    """The time that the calls of one check have together.

    Attributes
    ----------
    seconds : float
        All of it.
    left : float
        What has not been spent; below 0 where a call was stopped late.
    """

    def __init__(self) -> None:
        self.seconds = self.left = SECONDS
        self._worked = 0.0

    @contextmanager
    def spend(self) -> Iterator[None]:
        """Take off the time of what runs inside."""
        watch = Stopwatch()
        try:
            yield
        finally:
            self.left -= watch.spent()
            self._worked += watch.worked()

    @property
    def mostly_waited(self) -> bool:
        """Whether hardly any of what was spent was work; half is not enough, as threads also wait for each other."""
        return self._worked < (self.seconds - self.left) / 4


def call_within(budget: Budget, function: Callable[..., Any], arguments: Arguments) -> Any:
    """Call a function, and stop it where the budget runs out.

    Parameters
    ----------
    budget : Budget
        Pays for the call.
    function : callable
        May do anything, except for a loop within C: that is stopped when it comes back.
    arguments : tuple
        Of the function.

    Returns
    -------
    Any
        What the function returns.

    Raises
    ------
    TimeUp
        The time was up, before the call or in it.
    BaseException
        Whatever the function raises.
    """
    if budget.left <= 0:
        raise TimeUp
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        alarm = _signal_alarm
    else:  # Windows, or a thread of its own
        alarm = _thread_alarm
    with budget.spend(), alarm(budget.left):
        return _invoke(function, arguments)


def _invoke(function: Callable[..., Any], arguments: Arguments) -> Any:
    return function(*arguments)  # a frame of its own, by which the alarm sees that the function is running


# --- by a signal: interrupts sleeping and waiting as well ---


@contextmanager
def _signal_alarm(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the main thread when its time is up, and again and again if it is swallowed."""
    rings, watch = 0, Stopwatch()

    def ring(_: int, frame: FrameType | None) -> None:
        nonlocal rings
        if watch.spent() < seconds:
            return
        running = _frames_of_the_call(frame)
        if not running:  # an alarm just after the function has returned must do nothing
            return
        rings += 1
        if rings > 3:
            # A bare `except:` around the place where the function waits swallows it: raise also between two of the
            # lines that come then, each time some lines later, until it is outside.
            _raise_after(rings % 8, running)
        raise TimeUp

    trace = sys.gettrace()
    before = signal.signal(signal.SIGALRM, ring)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, _TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        if sys.gettrace() is not trace:
            sys.settrace(trace)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)


def _frames_of_the_call(frame: FrameType | None) -> list[FrameType]:
    """The frames from `frame` up to the one that calls the learner's function; none when that is over."""
    frames: list[FrameType] = []
    while frame is not None:
        frames.append(frame)
        if frame.f_code is _invoke.__code__:
            return frames
        frame = frame.f_back
    return []


def _raise_after(lines: int, frames: list[FrameType]) -> None:
    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        if event == "line":
            lines -= 1
            if lines < 0:
                raise TimeUp
        return trace

    for frame in frames:
        frame.f_trace = trace
    sys.settrace(trace)


# --- from a second thread: where there are no signals, or not for this thread ---


@contextmanager
def _thread_alarm(seconds: float) -> Iterator[None]:
    """Raise TimeUp in this thread when its time is up, between two steps of Python."""
    thread = ctypes.c_ulong(threading.get_ident())
    done, lock, watch = threading.Event(), threading.Lock(), Stopwatch()

    def ring() -> None:
        wait = seconds
        while not done.wait(wait):
            with lock:
                if not done.is_set() and watch.spent() >= seconds:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TimeUp))
            wait = _STEP

    threading.Thread(target=ring, daemon=True).start()
    try:
        with _sleep_in_small_steps():
            yield
    finally:
        with lock:
            done.set()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)  # one that was set and has not been raised


@contextmanager
def _sleep_in_small_steps() -> Iterator[None]:
    """Let `time.sleep` come back to Python again and again, where an exception from outside can reach it."""
    sleep = time.sleep

    def sleep_in_steps(seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end - _STEP:
            sleep(_STEP)
        sleep(max(0.0, end - time.monotonic()) if seconds >= 0 else seconds)

    time.sleep = sleep_in_steps  # type: ignore[assignment]  # objects that stand for a whole number are not meant here
    try:
        yield
    finally:
        time.sleep = sleep
