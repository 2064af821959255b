"""Exercises that check themselves and name the mistake.

One module a lesson, `lesson_NN.py`, holds its exercises; each is one `Exercise` object, with its reference, cases,
known mistakes and hints. To add an exercise, add an object to the list in its module, and to the notebook a cell with a
stub and a check, and below it a closed cell with the solution; the tests find both.
"""

import difflib
import importlib
import pkgutil
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # torch and the exercises are loaded when the first check is made
    from helpers.checks.exercise import Exercise
    from helpers.checks.lessons import Progress, Spot
    from helpers.checks.verdict import Hints, Note, Verdict

__all__ = ["check", "exercises", "hint", "next_exercise", "progress"]

_MISSING = object()  # where `check` was called without a function


@lru_cache(maxsize=1)
def exercises() -> "dict[str, Exercise]":
    """Collect all exercises of the course.

    Returns
    -------
    dict of Exercise
        By name, lesson by lesson.

    Raises
    ------
    ValueError
        Two have the same name.
    """
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name.startswith("lesson_"))
    found: dict[str, Exercise] = {}
    for module in modules:
        for exercise in importlib.import_module(f"{__name__}.{module}").EXERCISES:
            if exercise.name in found:
                raise ValueError(
                    f"Two exercises are called {exercise.name}: in lessons {found[exercise.name].lesson} "
                    f"and {exercise.lesson}."
                )
            found[exercise.name] = exercise
    return found


def check(name: Any = None, function: Any = _MISSING, *, strict: bool = False) -> "Verdict | Note":
    """Try a function and say what is right or wrong about it.

    Write it as the last line of a cell. It ends within three seconds, whatever the function does, and leaves no trace
    of what the function did to settings, variables, figures and files. On Windows, on macOS and where torch uses a GPU,
    a function is stopped after two seconds of Python, but not within a single step that never ends, such as
    `sum(range(10**12))`: then interrupt the kernel.

    Parameters
    ----------
    name : str
        Name of the exercise, such as "softmax".
    function : callable
        Your function, without brackets.
    strict : bool
        Whether to raise where the function is not right, as a test does.

    Returns
    -------
    Verdict or Note
        Right, not yet, or not tried yet; a note where there is no such exercise. JupyterLab shows either. It is true
        where the function is right and false otherwise, so that `assert check("softmax", softmax)` can be written.

    Raises
    ------
    AssertionError
        With `strict`, where the function is not right; its message is what would have been shown.
    """
    found = _checked(name, function)
    if strict and not found:
        raise AssertionError(repr(found))
    return found


def _checked(name: Any, function: Any) -> "Verdict | Note":
    exercise = exercises().get(name) if isinstance(name, str) else None
    if exercise is None:
        return _unknown(name, "check")
    if function is _MISSING:
        text = f'Write your function as well, without brackets: `check("{name}", {name})`.'
        return _note("What shall be checked?", text)
    from helpers.checks.apart import judge_apart
    from helpers.checks.memory import memory
    from helpers.checks.progress import remember, report

    verdict = judge_apart(exercise, function)
    report(verdict, exercise.lesson, str(getattr(function, "__name__", "")))
    often = memory.note(verdict, function, {mistake.id for mistake in exercise.mistakes})
    if often:
        verdict.remarks.append(often)
    if verdict:
        quiet_word = remember(name)
        done, total = _counts(exercise.lesson)
        verdict.remarks.append(f"Lesson {exercise.lesson}: {done} of {total} solved.{quiet_word and ' '}{quiet_word}")
        following = _following()
        if following is not None:
            spot = _spot(following)
            words = f"Next: {following.name}" + (f", lesson {following.lesson}" if done == total else "")
            verdict.link = (words, spot.address) if spot else None
    return verdict


def hint(name: Any = None) -> "Hints | Note":
    """Give one hint more for an exercise, below those that it gave before.

    Where your last check has named a mistake, the next hint is about that. Each of the exercise's own hints says more
    than the one before.

    Parameters
    ----------
    name : str
        Name of the exercise, such as "softmax".

    Returns
    -------
    Hints or Note
        All hints given so far, the newest last; a note where there is no such exercise.
    """
    exercise = exercises().get(name) if isinstance(name, str) else None
    if exercise is None:
        return _unknown(name, "hint")
    from helpers.checks.memory import memory
    from helpers.checks.verdict import Hints

    before = len(memory.hints.get(name, []))
    given = memory.next_hint(name, list(exercise.hints))
    end = (
        "These are all the hints. The solution, where your notebook has it, stands below the exercise, closed: click "
        "to open it."
    )
    return Hints(list(given), "" if len(given) > before else end)


def progress() -> "Progress":
    """Show what you have solved so far, lesson by lesson.

    Returns
    -------
    Progress
        JupyterLab shows it as a table, with a link to each exercise.
    """
    from helpers.checks.lessons import Progress, spots
    from helpers.checks.progress import place, solved

    return Progress(list(exercises().values()), solved(), spots(), place())


def next_exercise() -> "Note":
    """Say which exercise comes next: the first unsolved one from where you are on, or else from lesson 1 on.

    Returns
    -------
    Note
        What it asks, with a link to its cell.
    """
    exercise = _following()
    if exercise is None:
        return _note("All solved", f"You have solved all {len(exercises())} exercises of the course.")
    note = _note(f"Next: {exercise.name}", f"Lesson {exercise.lesson}. {exercise.statement}")
    spot = _spot(exercise)
    if spot is not None:
        note.link = f"Open {spot.notebook}" + (f' at "{spot.heading}"' if spot.heading else ""), spot.address
    return note


def _following() -> "Exercise | None":
    from helpers.checks.lessons import following
    from helpers.checks.memory import memory
    from helpers.checks.progress import solved

    return following(list(exercises().values()), solved(), memory.last)


def _spot(exercise: "Exercise") -> "Spot | None":
    from helpers.checks.lessons import spots

    return spots(exercise.lesson).get(exercise.name)


def _counts(lesson: int) -> tuple[int, int]:
    from helpers.checks.progress import solved

    names = {exercise.name for exercise in exercises().values() if exercise.lesson == lesson}
    return len(names & solved()), len(names)


def _unknown(name: Any, asked: str) -> "Note":
    """Say how to write what was asked for, where the name is none of an exercise, or is none at all."""
    if isinstance(name, str):
        near = difflib.get_close_matches(name, exercises(), n=1)
        return _note("No such exercise", f"There is none called `{name}`." + (f" Is it `{near[0]}`?" if near else ""))
    meant = getattr(name, "__name__", "")
    meant = meant if meant in exercises() else "softmax"
    call = f'{asked}("{meant}"' + (f", {meant})" if asked == "check" else ")")
    return _note("Which exercise?", f"Write its name first, in quotes, such as `{call}`.")


def _note(heading: str, text: str) -> "Note":
    from helpers.checks.verdict import Note

    return Note(heading, text)
