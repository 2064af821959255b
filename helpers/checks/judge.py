"""Judge a learner's function: try it on the cases of an exercise, find the mistake, give the verdict.

The way through, each step in a module of its own: `stub` (nothing written yet), `trial` (every case, in the `sandbox`),
`compare` (right or wrong), `diagnose` (which mistake), `gradients` (where all numbers are right), `evidence` (what is
shown of it). The words are in `shared_messages`, and with each exercise.
"""

import inspect
from collections.abc import Callable
from typing import Any

from helpers.checks import evidence
from helpers.checks import shared_messages as messages
from helpers.checks.bans import banned
from helpers.checks.compare import precision_remark
from helpers.checks.diagnose import changed_input, find_mistake
from helpers.checks.exercise import Exercise
from helpers.checks.gradients import gradient_mistake
from helpers.checks.settings import neutral
from helpers.checks.stub import is_stub
from helpers.checks.trial import Attempt, try_all
from helpers.checks.verdict import RIGHT, UNTRIED, WRONG, Finding, Verdict


def judge(exercise: Exercise, function: Any, without_a_name: Callable[[Verdict], None] | None = None) -> Verdict:
    """Try a function on all cases of an exercise. Never raises, whatever the function does or returns.

    Parameters
    ----------
    exercise : Exercise
        What is to be solved.
    function : Any
        What the learner hands in; anything that is not a function gets a verdict as well.
    without_a_name : callable, optional
        Is given a first verdict where results are wrong, before the mistake is looked for, which may take seconds.

    Returns
    -------
    Verdict
        Right, not yet (with the mistake), or not tried yet.
    """
    try:
        return _judge(exercise, function, without_a_name or (lambda _: None))
    except Exception as error:  # a result of the learner's own making, which does not let itself be looked at
        found = messages.unreadable(error)
        return Verdict(WRONG, exercise.name, found.message, found.id)


def _judge(exercise: Exercise, function: Any, without_a_name: Callable[[Verdict], None]) -> Verdict:
    problem = _cannot_be_called(exercise, function)
    if problem:
        return Verdict(WRONG, exercise.name, problem.message, problem.id)
    if is_stub(function):
        return Verdict(UNTRIED, exercise.name, messages.untried(exercise.name))
    with neutral():
        attempt = try_all(exercise, function)
        verdict = _verdict(attempt, without_a_name)
    verdict.printed = verdict.printed or evidence.shortened(attempt.trials[0].outcome.printed)
    settings = sorted({setting for trial in attempt.trials for setting in trial.outcome.settings})
    if settings:
        verdict.remarks.append(messages.settings_remark(settings))
    return verdict


def _cannot_be_called(exercise: Exercise, function: Any) -> Finding | None:
    if not callable(function):
        return messages.not_a_function(exercise.name)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions written in C have none
        return None
    try:
        signature.bind(*exercise.arguments)
    except TypeError:
        return messages.wrong_arguments(list(signature.parameters), exercise.arguments)
    return None


def _verdict(attempt: Attempt, without_a_name: Callable[[Verdict], None]) -> Verdict:
    if not attempt.wrong:
        return _all_numbers_right(attempt)
    if attempt.timed_out:
        return evidence.timed_out(attempt)
    if all(trial.problem is None and trial.outcome.error is None for trial in attempt.wrong):
        without_a_name(evidence.unforeseen(attempt))
    found = find_mistake(attempt)
    return evidence.explained(attempt, found) if found else evidence.unforeseen(attempt)


def _all_numbers_right(attempt: Attempt) -> Verdict:
    exercise = attempt.exercise
    found = changed_input(attempt) or banned(attempt)
    if found is not None:
        return Verdict(WRONG, exercise.name, found.message, found.id)
    remarks = [trial.remark or precision_remark(trial.got, trial.want) for trial in attempt.trials]
    remark = next(filter(None, remarks), None)
    gradient = (
        gradient_mistake(attempt) if exercise.gradient and not any(trial.remark for trial in attempt.trials) else None
    )
    if gradient is not None:
        remark = messages.gradient_remark(gradient)
    with_gradients = exercise.gradient and remark is None
    message = messages.right(exercise.verified, len(attempt.trials), with_gradients, exercise.left_out())
    return Verdict(RIGHT, exercise.name, message, remarks=[remark] if remark else [])
