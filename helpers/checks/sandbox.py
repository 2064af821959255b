"""Call a function that may do anything, and come back: with its result, or with what it did instead."""

import inspect
import io
import linecache
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from helpers.checks.exercise import Arguments
from helpers.checks.settings import settings_kept
from helpers.checks.time_limit import Budget, TimeUp, call_within

MOST_PRINTED = 20_000  # characters kept of what a function prints


@dataclass
class Outcome:
    """What one call did.

    Attributes
    ----------
    value : Any
        What was returned.
    error : BaseException or None
        What was raised instead.
    place : str
        The learner's own line, such as "line 3: `return scores.sum()`", or "".
    printed : str
        What was printed.
    settings : tuple of str
        The global settings that the call changed (they are set back), in words.
    """

    value: Any = None
    error: BaseException | None = None
    place: str = ""
    printed: str = ""
    settings: tuple[str, ...] = ()

    @property
    def timed_out(self) -> bool:
        """Whether the call was stopped."""
        return isinstance(self.error, TimeUp)


class CappedOutput(io.StringIO):
    """Keeps the beginning of what is printed, so that printing without end does not fill the memory."""

    def write(self, text: str) -> int:
        """Take a text, or drop it where there is enough already."""
        if self.tell() < MOST_PRINTED:
            super().write(text)
        return len(text)


def call(function: Callable[..., Any], arguments: Arguments, budget: Budget) -> Outcome:
    """Call a function within a budget, catch whatever it raises, and undo what it changes globally.

    Parameters
    ----------
    function : callable
        May do anything.
    arguments : tuple
        Of the function.
    budget : Budget
        The time that it may take.

    Returns
    -------
    Outcome
        The result, or what the call did instead.
    """
    output = CappedOutput()
    outcome = Outcome()
    with settings_kept() as changed, redirect_stdout(output), redirect_stderr(output):
        try:
            outcome.value = call_within(budget, function, arguments)
        except BaseException as error:  # sys.exit() and KeyboardInterrupt as well: the notebook must live
            outcome.error = error
            outcome.place = _place(error, function)
            error.__traceback__ = None  # lets go of what the function held in memory
    if inspect.iscoroutine(outcome.value):
        outcome.value.close()  # one that nobody awaits would warn
    outcome.printed = output.getvalue()
    outcome.settings = tuple(changed)
    return outcome


def _place(error: BaseException, function: Callable[..., Any]) -> str:
    """The last line of the learner's own code that the error passed through."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ""
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_code.co_filename == code.co_filename:
            return line_in_words(code.co_filename, number)
    return ""


def line_in_words(file: str, number: int) -> str:
    """Give a line of the learner's code with its number: "line 3: `return scores.sum()`"."""
    text = linecache.getline(file, number).strip()
    return f"line {number}: `{text}`" if text else f"line {number}"
