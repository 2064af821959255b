"""Make verdicts of what all cases showed: which of them is shown, and what of it."""

from typing import Any

import torch

from helpers.checks import shared_messages as messages
from helpers.checks.compare import same
from helpers.checks.side_by_side import MOST_NUMBERS_IN_TEXT, as_text, can_be_drawn, shape_of
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


def explained(attempt: Attempt, found: Finding) -> Verdict:
    """The mistake has a name: its message, and below it, closed, a case that shows it."""
    trial = _telling(attempt)
    if found.id in ("no-return", "type"):
        return _verdict(attempt, trial, found, [])
    if trial.outcome.error is None:
        return _verdict(attempt, trial, found, _numbers(attempt, trial), tables=True, folded=True)
    error = trial.outcome.error
    says = ("Python says", f"{type(error).__name__}: {first_line(error)}")
    return _verdict(attempt, trial, found, [says, *_place(trial)])


def unforeseen(attempt: Attempt) -> Verdict:
    """The mistake has no name: a telling case with a wrong result, beside what is expected."""
    trial = _telling(attempt)
    if isinstance(trial.want, torch.Tensor) and trial.got.shape != trial.want.shape:
        found = messages.shape(shape_of(trial.got), shape_of(trial.want))
    else:
        found = messages.unforeseen(len(attempt.wrong), len(attempt.trials), _what_is_wrong(trial.got, trial.want))
    return _verdict(attempt, trial, found, _numbers(attempt, trial), tables=True)


def _what_is_wrong(got: Any, want: Any) -> str:
    """Which part of a result is wrong."""
    if isinstance(want, tuple):
        return messages.of_several([same(*parts) for parts in zip(got, want, strict=True)], _ORDINALS[: len(want)])
    if isinstance(want, torch.Tensor) and got.shape == want.shape and want.numel():
        right = torch.isclose(got.detach().double(), want.detach().double(), rtol=1e-4, atol=1e-5, equal_nan=True)
        first = tuple((~right).nonzero()[0].tolist()) if not right.all() else (0,) * want.ndim
        at = f"[{', '.join(map(str, first))}]"
        return messages.some_numbers(int(right.sum()), want.numel(), at, *_in_a_sentence(got[first], want[first]))
    if isinstance(want, list) and len(got) == len(want):
        places = [i for i, (mine, theirs) in enumerate(zip(got, want, strict=True)) if mine != theirs] or [0]
        i = places[0]
        return messages.some_numbers(len(want) - len(places), len(want), f"[{i}]", str(got[i]), str(want[i]))
    if isinstance(want, list):
        return messages.other_length(len(got), len(want))
    return messages.some_numbers(0, 1, "", as_text(got), as_text(want))


def _in_a_sentence(got: torch.Tensor, want: torch.Tensor) -> tuple[str, str]:
    """Two numbers, without the point of `2.` that would be read as the end, and so that they look different."""
    texts = as_text(got).rstrip("."), as_text(want).rstrip(".")
    return texts if texts[0] != texts[1] else (f"{got.item():.6g}", f"{want.item():.6g}")


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


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
    """The case that shows most: one that raises, if any; short enough to read, with sizes above 1 and not all alike."""
    raising = [trial for trial in attempt.wrong if trial.outcome.error]
    return min(raising or attempt.wrong, key=dullness)


def dullness(trial: Trial) -> tuple[bool, bool, int, int]:
    """How little a case shows: the less, the sooner it is taken."""
    sizes = [n for size in trial.sizes for n in (size if isinstance(size, tuple) else ())]
    shape = tuple(trial.want.shape) if isinstance(trial.want, torch.Tensor) else ()
    too_long = any(
        value.numel() > MOST_NUMBERS_IN_TEXT for value in (*trial.arguments, trial.want) if _is_tensor(value)
    )
    return min(sizes, default=2) < 2, too_long, len(shape) - len(set(shape)), trial.size


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def _numbers(attempt: Attempt, trial: Trial) -> Details:
    inputs = zip(attempt.exercise.arguments, trial.arguments, strict=True)
    values = [*inputs, ("your result", trial.got), ("expected", trial.want)]
    return [(name, as_text(value)) for name, value in values]


def _place(trial: Trial) -> Details:
    return [("in your code", trial.outcome.place)] if trial.outcome.place else []
