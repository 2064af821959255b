"""One case of an exercise and what the learner's function did with it; and all cases of one check."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

from helpers.checks import shared_messages as messages
from helpers.checks.compare import Incomparable, comparable, same, wrong_kind
from helpers.checks.exercise import Arguments, Exercise
from helpers.checks.sandbox import Outcome, call
from helpers.checks.side_by_side import shape_of
from helpers.checks.time_limit import Budget
from helpers.checks.verdict import Finding


@dataclass
class Trial:
    """One case, and what the learner's function did with it.

    Attributes
    ----------
    arguments : tuple
        The inputs, as they were before the call.
    want : Any
        The expected result.
    outcome : Outcome
        What the call did.
    got : Any
        The result in the form of the expected one; None where it has another type.
    problem : Finding or None
        Why the result cannot be compared, or holds the wrong kind of numbers.
    changed : list of str
        Names of the inputs that the call changed.
    remark : str
        What is to be said of this call though its result may be right, or "".
    """

    arguments: Arguments
    want: Any
    outcome: Outcome
    got: Any
    problem: Finding | None
    changed: list[str]
    remark: str = ""

    @cached_property
    def right(self) -> bool:
        """Whether the result is the expected one."""
        return self.problem is None and self.outcome.error is None and same(self.got, self.want)

    @property
    def size(self) -> int:
        """How many numbers the inputs hold."""
        return sum(_count(argument) for argument in self.arguments)

    @property
    def sizes(self) -> tuple[Any, ...]:
        """The size of each input: a shape, a length, or a whole number itself."""
        return tuple(_size(argument) for argument in self.arguments)


@dataclass
class Attempt:
    """All that one check has tried.

    Attributes
    ----------
    exercise : Exercise
        What was to be solved.
    function : callable
        The learner's function.
    trials : list of Trial
        One for each case, in their order. Where time was up there are no more after it.
    budget : Budget
        The time that is left.
    """

    exercise: Exercise
    function: Callable[..., Any]
    trials: list[Trial]
    budget: Budget

    @cached_property
    def wrong(self) -> list[Trial]:
        """The cases with a wrong result, the smallest first."""
        return sorted((trial for trial in self.trials if not trial.right), key=lambda trial: trial.size)

    @property
    def timed_out(self) -> bool:
        """Whether the last case was stopped."""
        return self.trials[-1].outcome.timed_out

    @staticmethod
    def numbers(trial: Trial) -> set[int]:
        """The sizes above 1 of a case's inputs, and whole numbers among them."""
        found = [size for part in trial.sizes for size in (part if isinstance(part, tuple) else [part])]
        return {size for size in found if isinstance(size, int) and size > 1}

    def sizes(self, trial: Trial) -> str:
        """The sizes of a case's inputs, in words: "`query` (3, 4), `n` 2"."""
        parts = []
        for name, argument in zip(self.exercise.arguments, trial.arguments, strict=True):
            if isinstance(argument, torch.Tensor):
                parts.append(f"`{name}` {shape_of(argument)}")
            elif isinstance(argument, (list, dict)):
                parts.append(f"`{name}` of {len(argument)}")
            else:
                parts.append(f"`{name}` {argument}")
        return ", ".join(parts)


def try_all(exercise: Exercise, function: Callable[..., Any]) -> Attempt:
    """Call the function on every case, as far as the time allows."""
    attempt = Attempt(exercise, function, [], Budget())
    # Drawn twice, for what a function does to its inputs must not be felt in the expected result.
    for arguments, given in zip(exercise.draw_cases(), exercise.draw_cases(), strict=True):
        attempt.trials.append(_try(attempt, arguments, given))
        if attempt.timed_out:
            break
    return attempt


def _try(attempt: Attempt, arguments: Arguments, given: Arguments) -> Trial:
    want = attempt.exercise.reference(*arguments)
    outcome = call(attempt.function, given, attempt.budget)
    remark = ""
    if outcome.error is not None and _is_float64(arguments) and messages.is_about_dtypes(outcome.error):
        # No statement asks for float64, so a table of the learner's own in float32 is no mistake.
        given = tuple(_as_float32(value) for value in arguments)
        arguments = tuple(_as_float32(value) for value in arguments)
        again = call(attempt.function, given, attempt.budget)
        if again.error is None:
            outcome, remark = again, messages.float32_inside()
    got, problem = None, None
    if outcome.error is None:
        try:
            got = comparable(outcome.value, want)
            problem = wrong_kind(got, want)
        except Incomparable as error:
            problem = error.finding
    changed = [
        name
        for name, before, after in zip(attempt.exercise.arguments, arguments, given, strict=True)
        if not _unchanged(before, after)
    ]
    if isinstance(outcome.value, np.ndarray) and problem is None:
        remark = remark or messages.numpy_array()
    return Trial(arguments, want, outcome, got, problem, changed, remark)


def _is_float64(arguments: Arguments) -> bool:
    return any(isinstance(value, torch.Tensor) and value.dtype == torch.float64 for value in arguments)


def _as_float32(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return copy(value)
    return value.float() if value.dtype == torch.float64 else value.clone()


def _unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, torch.Tensor):
        return before.shape == after.shape and torch.equal(before, after.detach())
    return bool(before == after)


def _count(argument: Any) -> int:
    if isinstance(argument, torch.Tensor):
        return argument.numel()
    return len(argument) if isinstance(argument, (list, tuple, dict)) else 1


def _size(argument: Any) -> Any:
    if isinstance(argument, torch.Tensor):
        return tuple(argument.shape)
    if isinstance(argument, (list, tuple, dict)):
        return len(argument)
    return argument if isinstance(argument, int) else type(argument)
