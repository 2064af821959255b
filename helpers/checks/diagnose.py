"""Find out which mistake a function makes, from what it did on all cases."""

import random
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
import torch

from helpers.checks import shared_messages as messages
from helpers.checks.compare import Incomparable, comparable, finite, same
from helpers.checks.evidence import dullness
from helpers.checks.exercise import Mistake
from helpers.checks.sandbox import call
from helpers.checks.side_by_side import shape_of
from helpers.checks.slips import (
    from_outside,
    notebook_variable,
    returns_sometimes,
    slip_of_python,
    unused_argument,
    writes_out,
    wrong_place,
)
from helpers.checks.symptoms import symptom
from helpers.checks.trial import Attempt, Trial
from helpers.checks.verdict import Finding


def find_mistake(attempt: Attempt) -> Finding | None:
    """The mistake behind wrong results: a slip of Python, or one that the exercise knows, or one that all share."""
    return next(filter(None, (find(attempt) for find in _FINDERS)), None)


def _known_mistake(attempt: Attempt) -> Finding | None:
    """The known mistake that does what the learner's function does, on all cases, or else on those that work."""
    for strict in (True, False):
        for mistake in attempt.exercise.mistakes:
            if _does_the_same(attempt, mistake, strict):
                return Finding(mistake.id, mistake.message)
    return None


def _another_type(attempt: Attempt) -> Finding | None:
    """Results that are not what can be compared at all, such as nothing."""
    of_another = [trial for trial in attempt.trials if trial.problem is not None and trial.got is None]
    if not of_another or len(of_another) < _n_errors(attempt):
        return None
    problem = of_another[0].problem
    assert problem is not None
    if problem.id != "no-return":
        return problem
    if of_another[0].outcome.printed:
        return messages.only_prints()
    return messages.sometimes_nothing() if returns_sometimes(attempt.function) else problem


def _does_the_same(attempt: Attempt, mistake: Mistake, strict: bool) -> bool:
    agreed_on_wrong = 0
    for trial, given in zip(attempt.trials, attempt.exercise.draw_cases(), strict=True):
        result, error = None, None
        try:
            result = comparable(mistake.makes(*given), trial.want)
        except Exception as raised:
            error = raised
        theirs = trial.outcome.error
        if not strict and (error or theirs or not finite(trial.got)):
            continue  # two mistakes at once: judge by the cases that the other one leaves alone
        if error or theirs:
            if type(error) is not type(theirs) or str(error) != str(theirs):
                return False
        elif not same(trial.got, result):
            return False
        agreed_on_wrong += not trial.right
    return agreed_on_wrong >= (1 if strict else 3)


# --- mistakes that every exercise shares ---


def _constant(attempt: Attempt) -> Finding | None:
    first, *others = attempt.trials
    if first.got is None or not finite(first.got) or not all(same(trial.got, first.got) for trial in others):
        return None
    return messages.constant(first.right, attempt.exercise.arguments)


def _one_size(attempt: Attempt) -> Finding | None:
    """Right for some sizes only, where the code cannot be read, or holds such a number."""
    example, same_sizes, *_ = attempt.trials
    if not example.right or not same_sizes.right:
        return None
    fits = [trial.right for trial in attempt.trials]
    possible = [
        (which, sizes[0])
        for which, sizes in _sizes_by_name(attempt)
        if [size == sizes[0] for size in sizes] == fits and writes_out(attempt.function, sizes[0])
    ]
    if len(possible) == 1:
        return messages.one_size(*possible[0])
    alone = [which for which, sizes in _sizes_by_name(attempt) if [size == 1 for size in sizes] == fits]
    if alone and not possible:
        return messages.mixed_along(alone[0])
    of_the_example = [trial.sizes == example.sizes for trial in attempt.trials] == fits
    if possible or (of_the_example and any(writes_out(attempt.function, size) for size in attempt.numbers(example))):
        return messages.example_sizes(attempt.sizes(example))
    return None


def _sizes_by_name(attempt: Attempt) -> list[tuple[str, list[Any]]]:
    """Each size of the inputs that a function could have written out: in words, and its value in each case."""
    found: list[tuple[str, list[Any]]] = []
    example = attempt.trials[0].arguments
    for i, (name, argument) in enumerate(zip(attempt.exercise.arguments, example, strict=True)):
        sizes = [trial.sizes[i] for trial in attempt.trials]
        if isinstance(argument, torch.Tensor):
            for axis, words in enumerate(_names_of_axes(argument.ndim)):
                found.append((f"the {words} of `{name}` is", [shape[axis] for shape in sizes]))
        elif isinstance(argument, int) and not isinstance(argument, bool):
            found.append((f"`{name}` is", sizes))
        elif isinstance(argument, list):
            found.append((f"the length of `{name}` is", sizes))
    return found


def _names_of_axes(ndim: int) -> list[str]:
    names = {1: ["length"], 2: ["number of rows", "number of columns"]}
    return names.get(ndim, [f"size of axis {axis}" for axis in range(ndim)])


def _wrong_kind(attempt: Attempt) -> Finding | None:
    problems = [trial.problem for trial in attempt.wrong if trial.problem]
    if not problems or len(problems) < _n_errors(attempt):
        return None
    return problems[0]


def _n_errors(attempt: Attempt) -> int:
    return sum(trial.outcome.error is not None for trial in attempt.trials)


def _error(attempt: Attempt) -> Finding | None:
    errors = [(trial.outcome.error, trial) for trial in attempt.wrong if trial.outcome.error]
    if not errors:
        return None
    error, shown = min(errors, key=lambda pair: dullness(pair[1]))
    some = f" for {attempt.sizes(shown)}, though not for every input"
    return messages.stopped_with(error, "" if len(errors) == len(attempt.trials) else some)


def _overflow(attempt: Attempt) -> Finding | None:
    if any(finite(trial.got) or not finite(trial.want) for trial in attempt.wrong):
        return None
    return messages.overflow()


def changed_input(attempt: Attempt) -> Finding | None:
    """An input that the function changes in place, which is a mistake also where all results are right."""
    changed = next((trial.changed for trial in attempt.trials if trial.changed), None)
    return messages.changed_input(changed) if changed else None


def _transposed(attempt: Attempt) -> Finding | None:
    for trial in attempt.wrong:
        if not isinstance(trial.want, torch.Tensor) or min(trial.got.ndim, trial.want.ndim) < 2:
            return None
        if not same(trial.got.mT, trial.want):
            return None
    return messages.transposed()


def _extra_dimension(attempt: Attempt) -> Finding | None:
    for trial in attempt.wrong:
        if not isinstance(trial.want, torch.Tensor) or trial.got.shape == trial.want.shape:
            return None
        if not same(trial.got.squeeze(), trial.want.squeeze()):
            return None
    return messages.extra_dimension(shape_of(attempt.wrong[0].got), shape_of(attempt.wrong[0].want))


def _random(attempt: Attempt) -> Finding | None:
    for trial in (attempt.wrong[0], attempt.wrong[-1]):  # with few inputs two draws may be the same by chance
        first, *others = (_result_with_seed(attempt, trial, seed) for seed in range(4))
        if first is not None and not all(same(other, first) for other in others):
            return messages.random()
    return None


def _result_with_seed(attempt: Attempt, trial: Trial, seed: int) -> Any:
    """What the function returns with all seeds set; None where that cannot be compared."""
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002 (the learner may draw from the global one)
    random.seed(seed)
    given = tuple(value.clone() if isinstance(value, torch.Tensor) else copy(value) for value in trial.arguments)
    outcome = call(attempt.function, given, attempt.budget)
    try:
        return None if outcome.error else comparable(outcome.value, trial.want)
    except Incomparable:
        return None


# In this order: what one finder says of a result, those after it need not tell again.
_FINDERS: tuple[Callable[[Attempt], Finding | None], ...] = (
    slip_of_python,
    _another_type,
    _known_mistake,
    _random,
    from_outside,
    notebook_variable,
    _constant,
    _wrong_kind,
    changed_input,
    _one_size,
    _error,
    _transposed,
    _extra_dimension,
    wrong_place,
    unused_argument,
    _overflow,
    symptom,
)
