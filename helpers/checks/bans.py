"""Hold what a statement forbids, such as a ready-made function: what a function calls is watched in one more call."""

from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from helpers.checks import shared_messages as messages
from helpers.checks.sandbox import call
from helpers.checks.trial import Attempt, Trial
from helpers.checks.verdict import Finding


class Watch(TorchFunctionMode):
    """Notes the names of torch's functions that are called, and the shapes of the tensors that they make."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.shapes: set[tuple[int, ...]] = set()

    def __torch_function__(
        self, func: Callable[..., Any], types: Iterable[type], args: Any = (), kwargs: Any = None
    ) -> Any:
        """Note a call, and make it."""
        self.names.add(getattr(func, "__name__", ""))
        made = func(*args, **(kwargs or {}))
        self.shapes.update(tuple(part.shape) for part in _tensors(made))
        return made


def banned(attempt: Attempt) -> Finding | None:
    """What the exercise forbids and the function does; None where it keeps to what is asked."""
    exercise = attempt.exercise
    if not exercise.banned and exercise.never_made is None:
        return None
    trial = max(attempt.trials, key=_different_sizes)
    watch = _watched(attempt, trial)
    names = watch.names | _words(getattr(attempt.function, "__code__", None))
    message = next((said for name, said in exercise.banned.items() if name in names), None)
    if message is None and exercise.never_made is not None:
        shapes, said = exercise.never_made(*trial.arguments)
        message = said if watch.shapes & set(shapes) else None
    return messages.banned(message) if message else None


def _watched(attempt: Attempt, trial: Trial) -> Watch:
    watch = Watch()

    def function(*arguments: Any) -> Any:
        with watch:
            return attempt.function(*arguments)

    given = tuple(value.clone() if isinstance(value, torch.Tensor) else value for value in trial.arguments)
    call(function, given, attempt.budget)
    return watch


def _different_sizes(trial: Trial) -> int:
    return len({n for size in trial.sizes for n in (size if isinstance(size, tuple) else ()) if n > 1})


def _tensors(made: Any) -> list[torch.Tensor]:
    parts = made if isinstance(made, tuple | list) else [made]
    return [part for part in parts if isinstance(part, torch.Tensor)]


def _words(code: Any) -> set[str]:
    """The words of a function's own code that name keyword arguments: those of calls lie among its constants."""
    if not isinstance(code, CodeType):
        return set()
    own = {
        word for constant in code.co_consts if isinstance(constant, tuple) for word in constant if isinstance(word, str)
    }
    return own.union(*(_words(part) for part in code.co_consts))
