"""Make verdicts of what all cases showed: which of them is shown, and what of it."""

import torch

from helpers.checks import shared_messages as messages
from helpers.checks.side_by_side import as_text, can_be_drawn, shape_of
from helpers.checks.trial import Attempt, Trial
from helpers.checks.verdict import WRONG, Finding, Verdict
from helpers.wording import first_line

MOST_PRINTED_LINES = 8
LONGEST_PRINTED_LINE = 200

Details = list[tuple[str, str]]


def timed_out(attempt: Attempt) -> Verdict:
    """The function was stopped: it waited, was too slow on a larger input, or is endless."""
    last, seconds = attempt.trials[-1], attempt.budget.seconds
    if attempt.budget.mostly_waited:
        found = messages.waiting(seconds)
    elif len(attempt.trials) > 2 and all(trial.right for trial in attempt.trials[:-1]):
        found = messages.too_slow(seconds, attempt.sizes(last))
    else:
        found = messages.endless(seconds)
    return _verdict(attempt, last, found, _place(last))


def of_another_type(attempt: Attempt, trial: Trial, problem: Finding) -> Verdict:
    """The result is not what can be compared at all, such as nothing."""
    only_prints = problem.id == "no-return" and trial.outcome.printed
    return _verdict(attempt, trial, messages.only_prints() if only_prints else problem, [])


def explained(attempt: Attempt, found: Finding) -> Verdict:
    """The mistake has a name: its message, and below it, closed, a case that shows it."""
    trial = _telling(attempt)
    if trial.outcome.error is None:
        return _verdict(attempt, trial, found, _numbers(attempt, trial), tables=True, folded=True)
    error = trial.outcome.error
    says = ("Python says", f"{type(error).__name__}: {first_line(error)}")
    return _verdict(attempt, trial, found, [says, *_place(trial)])


def unforeseen(attempt: Attempt) -> Verdict:
    """The mistake has no name: the smallest case with a wrong result, beside what is expected."""
    trial = attempt.wrong[0]
    if isinstance(trial.want, torch.Tensor) and trial.got.shape != trial.want.shape:
        found = messages.shape(shape_of(trial.got), shape_of(trial.want))
    else:
        found = messages.unforeseen(len(attempt.wrong), len(attempt.trials))
    return _verdict(attempt, trial, found, _numbers(attempt, trial), tables=True)


def shortened(printed: str) -> str:
    """The beginning of what a function has printed."""
    lines = printed.rstrip().splitlines()
    shown = [line[:LONGEST_PRINTED_LINE] for line in lines[:MOST_PRINTED_LINES]]
    return "\n".join([*shown, "..."] if len(lines) > len(shown) else shown)


def _verdict(
    attempt: Attempt, trial: Trial, found: Finding, details: Details, *, tables: bool = False, folded: bool = False
) -> Verdict:
    drawn = (trial.got, trial.want) if tables and can_be_drawn(trial.got, trial.want) else None
    printed = shortened(trial.outcome.printed)
    return Verdict(WRONG, attempt.exercise.name, found.message, found.id, details, drawn, folded, printed)


def _telling(attempt: Attempt) -> Trial:
    """The smallest case that raises, or else the smallest without a size of 1, where rows and columns differ."""
    raising = (trial for trial in attempt.wrong if trial.outcome.error)
    full = (trial for trial in attempt.wrong if not any(1 in size for size in trial.sizes if isinstance(size, tuple)))
    return next(raising, None) or next(full, attempt.wrong[0])


def _numbers(attempt: Attempt, trial: Trial) -> Details:
    inputs = zip(attempt.exercise.arguments, trial.arguments, strict=True)
    values = [*inputs, ("your result", trial.got), ("expected", trial.want)]
    return [(name, as_text(value)) for name, value in values]


def _place(trial: Trial) -> Details:
    return [("in your code", trial.outcome.place)] if trial.outcome.place else []
