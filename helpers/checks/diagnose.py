"""Find out which mistake a function makes, from what it did on all cases."""

from collections.abc import Callable
from typing import Any

import torch

from helpers.checks import messages
from helpers.checks.compare import comparable, finite, same
from helpers.checks.exercise import Mistake
from helpers.checks.sandbox import call
from helpers.checks.side_by_side import shape_of
from helpers.checks.trial import Attempt, Trial
from helpers.checks.verdict import Finding
from helpers.wording import first_line


def find_mistake(attempt: Attempt) -> Finding | None:
    """The mistake behind wrong results: one that the exercise knows, or else one that every exercise shares."""
    known = _known_mistake(attempt)
    if known is not None:
        return Finding(known.id, known.message)
    return next(filter(None, (find(attempt) for find in _SHARED)), None)


def _known_mistake(attempt: Attempt) -> Mistake | None:
    """The known mistake that does what the learner's function does, on all cases, or else on those that work."""
    for strict in (True, False):
        for mistake in attempt.exercise.mistakes:
            if _does_the_same(attempt, mistake, strict):
                return mistake
    return None


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
    if first.got is None or not all(same(trial.got, first.got) for trial in others):
        return None
    what = (
        "the result of the lesson's example whatever the input is" if first.right else "the same whatever the input is"
    )
    inputs = messages.quoted(attempt.exercise.arguments)
    return Finding("constant", f"Your function returns {what}. Compute it from {inputs}.")


def _one_size(attempt: Attempt) -> Finding | None:
    example, same_sizes, *_ = attempt.trials
    if not example.right or not same_sizes.right:
        return None
    fits = [trial.right for trial in attempt.trials]
    advice = "Is a number written out in your code, or in a `range`, that should come from the input's shape?"
    for words, sizes in _sizes_by_name(attempt):
        if [size == sizes[0] for size in sizes] == fits:
            where = f"only when {words} {sizes[0]}, as in the lesson's example"
            return Finding("one-size", f"Your function is right {where}. {advice}")
    if [trial.sizes == example.sizes for trial in attempt.trials] == fits:
        where = f"for the sizes of the lesson's example, {messages.sizes(attempt, example)}, and for no others"
        return Finding("one-size", f"Your function is right {where}. {advice}")
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
    return next((trial.problem for trial in attempt.wrong if trial.problem), None)


# parts of what torch says when shapes do not go together
_SIZES_DIFFER = ("cannot be multiplied", "must match", "Expected size", "size mismatch", "inconsistent tensor size")


def _error(attempt: Attempt) -> Finding | None:
    raising = [trial for trial in attempt.wrong if trial.outcome.error]
    if not raising:
        return None
    error = raising[0].outcome.error
    some = f" for {messages.sizes(attempt, raising[0])}, though not for every input"
    where = "" if len(raising) == len(attempt.trials) else some
    if isinstance(error, RecursionError):
        return Finding("recursion", f"Your function calls itself without end{where}.")
    if isinstance(error, SystemExit):
        return Finding("exit", f"Your function ends the program{where}. It must return its result.")
    if isinstance(error, KeyboardInterrupt):
        return Finding("interrupted", f"Your function was interrupted{where}. Run the cell again.")
    if isinstance(error, MemoryError) or "allocate memory" in first_line(error):
        message = f"Your function asks for more memory than there is{where}. Which shape grows so large?"
        return Finding("memory", message)
    if isinstance(error, RuntimeError) and any(part in first_line(error) for part in _SIZES_DIFFER):
        advice = "Write down the shape of each factor: which sizes must meet?"
        return Finding("error", f"Two sizes do not fit in your function{where}. {advice}")
    return Finding("error", f"Your function stops with an error{where}.")


def _overflow(attempt: Attempt) -> Finding | None:
    if any(finite(trial.got) or not finite(trial.want) for trial in attempt.wrong):
        return None
    return Finding(
        "overflow",
        "Your function gives nan or infinity where finite numbers are expected. Look at the largest number that "
        "passes through it, and at divisions by zero.",
    )


def changed_input(attempt: Attempt) -> Finding | None:
    """An input that the function changes in place, which is a mistake also where all results are right."""
    changed = next((trial.changed for trial in attempt.trials if trial.changed), None)
    if not changed:
        return None
    return Finding(
        "in-place",
        f"Your function changes its input {messages.quoted(changed)} in place, so whoever called it finds other "
        "numbers there. Make a new tensor instead: mind `+=`, `*=`, assignments to elements and names that end in `_`.",
    )


def _transposed(attempt: Attempt) -> Finding | None:
    for trial in attempt.wrong:
        if not isinstance(trial.want, torch.Tensor) or min(trial.got.ndim, trial.want.ndim) < 2:
            return None
        if not same(trial.got.mT, trial.want):
            return None
    message = "Your numbers are right, but rows and columns are exchanged. Which of the two are the rows?"
    return Finding("transposed", message)


def _extra_dimension(attempt: Attempt) -> Finding | None:
    for trial in attempt.wrong:
        if not isinstance(trial.want, torch.Tensor) or trial.got.shape == trial.want.shape:
            return None
        if not same(trial.got.squeeze(), trial.want.squeeze()):
            return None
    got, want = shape_of(attempt.wrong[0].got), shape_of(attempt.wrong[0].want)
    return Finding(
        "extra-dimension",
        f"Your numbers are right, but their shape is {got} where {want} is expected: a dimension of size 1 is too many "
        "or missing.",
    )


def _random(attempt: Attempt) -> Finding | None:
    trial = attempt.wrong[0]
    if not isinstance(trial.want, torch.Tensor) or attempt.budget.left < 0.1:
        return None
    results = [_result_with_seed(attempt, trial, seed) for seed in (1, 2)]
    if not isinstance(results[0], torch.Tensor) or same(*results):
        return None
    message = "Your function gives another result each time it is called: something in it is drawn at random."
    return Finding("random", message)


def _result_with_seed(attempt: Attempt, trial: Trial, seed: int) -> Any:
    torch.manual_seed(seed)
    given = tuple(value.clone() if isinstance(value, torch.Tensor) else value for value in trial.arguments)
    return call(attempt.function, given, attempt.budget).value


# In this order: what one finder says of a result, those after it need not tell again.
_SHARED: tuple[Callable[[Attempt], Finding | None], ...] = (
    _constant,
    _one_size,
    _wrong_kind,
    _error,
    _overflow,
    changed_input,
    _transposed,
    _extra_dimension,
    _random,
)
