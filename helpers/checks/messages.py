"""What a verdict says: the sentences, and the numbers and lines that go with them."""

import torch

from helpers.checks.exercise import Exercise
from helpers.checks.side_by_side import as_text, can_be_drawn, shape_of
from helpers.checks.trial import Attempt, Trial
from helpers.checks.verdict import WRONG, Finding, Verdict
from helpers.wording import counted, first_line, listed

MOST_PRINTED_LINES = 8
LONGEST_PRINTED_LINE = 200

Details = list[tuple[str, str]]


# --- before the function is called ---


def untried(exercise: Exercise) -> str:
    """What to do with a stub."""
    return f'Put your code in place of `...` and run this cell again. `hint("{exercise.name}")` gives a hint.'


def not_a_function(exercise: Exercise) -> Finding:
    """Something else was handed in, such as the result of a call."""
    name = exercise.name
    message = f'`check` needs the function itself, without brackets: `check("{name}", {name})`.'
    return Finding("not-a-function", message)


def wrong_arguments(takes: list[str], needs: list[str]) -> Finding:
    """The function takes other arguments than it must."""
    return Finding("arguments", f"Your function takes {_arguments(takes)}, but must take {_arguments(needs)}.")


def _arguments(names: list[str]) -> str:
    if not names:
        return "no arguments"
    return f"{counted(len(names), 'argument')}: {', '.join(f'`{name}`' for name in names)}"


# --- verdicts ---


def right(attempt: Attempt) -> str:
    """What was verified, and on how many inputs."""
    exercise = attempt.exercise
    tried = f"Tried on {len(attempt.trials)} inputs{' and with gradients' if exercise.gradient else ''}."
    return f"{exercise.verified} {tried} {exercise.left_out()}".rstrip()


def unreadable(error: Exception) -> Finding:
    """The result raised an error while it was looked at."""
    what = f"{type(error).__name__}: {first_line(error)}"
    return Finding("unreadable", f"Your function returns something that cannot be looked at: {what}")


def timed_out(attempt: Attempt) -> Verdict:
    """The function was stopped: it waited, was too slow on a larger input, or is endless."""
    last, seconds = attempt.trials[-1], f"{attempt.budget.seconds:g} seconds"
    if attempt.budget.mostly_waited:
        message = (
            f"Your function was stopped after more than {seconds}, most of which it spent waiting. Does it sleep, or "
            "wait for something that never comes?"
        )
        found = Finding("waiting", message)
    elif len(attempt.trials) > 2 and all(trial.right for trial in attempt.trials[:-1]):
        message = (
            f"Your function is right so far, but was stopped after {seconds} on a larger input, "
            f"{sizes(attempt, last)}. Can whole rows be computed at once?"
        )
        found = Finding("too-slow", message)
    else:
        message = f"Your function was stopped after {seconds}. Is there a loop in it that never ends?"
        found = Finding("endless", message)
    return _verdict(attempt, last, found, _place(last))


def of_another_type(attempt: Attempt, trial: Trial, problem: Finding) -> Verdict:
    """The result is not what can be compared at all, such as nothing."""
    if problem.id == "no-return" and trial.outcome.printed:
        message = "Your function prints, but returns nothing. Printing only shows a result; `return` hands it back."
        problem = Finding(problem.id, message)
    return _verdict(attempt, trial, problem, [])


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
    trial, n_wrong, n_tried = attempt.wrong[0], len(attempt.wrong), len(attempt.trials)
    if isinstance(trial.want, torch.Tensor) and trial.got.shape != trial.want.shape:
        shapes = f"the shape {shape_of(trial.got)}, but {shape_of(trial.want)} is expected"
        found = Finding("shape", f"Your result has {shapes}.")
    else:
        how_many = f"on {n_wrong} of {n_tried} inputs" if n_wrong < n_tried else "on every input"
        message = f"Your result differs from what is expected {how_many}. This is the smallest of them."
        found = Finding("unforeseen", message)
    return _verdict(attempt, trial, found, _numbers(attempt, trial), tables=True)


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


# --- parts ---


def settings_remark(settings: list[str]) -> str:
    """Which global settings the function changes."""
    return f"One remark: your function changes {' and '.join(settings)}; it was set back."


def sizes(attempt: Attempt, trial: Trial) -> str:
    """The sizes of a case's inputs: "`query` (3, 4), `n` 2"."""
    parts = []
    for name, argument in zip(attempt.exercise.arguments, trial.arguments, strict=True):
        if isinstance(argument, torch.Tensor):
            parts.append(f"`{name}` {shape_of(argument)}")
        elif isinstance(argument, (list, dict)):
            parts.append(f"`{name}` of {len(argument)}")
        else:
            parts.append(f"`{name}` {argument}")
    return ", ".join(parts)


def quoted(names: list[str]) -> str:
    """Names as code, joined as in a sentence: "`a`, `b` and `c`"."""
    return listed([f"`{name}`" for name in names])


def shortened(printed: str) -> str:
    """The beginning of what a function has printed."""
    lines = printed.rstrip().splitlines()
    shown = [line[:LONGEST_PRINTED_LINE] for line in lines[:MOST_PRINTED_LINES]]
    return "\n".join([*shown, "..."] if len(lines) > len(shown) else shown)


def _numbers(attempt: Attempt, trial: Trial) -> Details:
    inputs = zip(attempt.exercise.arguments, trial.arguments, strict=True)
    values = [*inputs, ("your result", trial.got), ("expected", trial.want)]
    return [(name, as_text(value)) for name, value in values]


def _place(trial: Trial) -> Details:
    return [("in your code", trial.outcome.place)] if trial.outcome.place else []
