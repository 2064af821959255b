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
    from helpers.checks.verdict import Note, Verdict

__all__ = ["check", "exercises", "hint", "progress"]

_hints_given: dict[str, int] = {}


@lru_cache(maxsize=1)
def exercises() -> "dict[str, Exercise]":
    """All exercises of the course by name, lesson by lesson."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name.startswith("lesson_"))
    found = {}
    for module in modules:
        for exercise in importlib.import_module(f"{__name__}.{module}").EXERCISES:
            if exercise.name in found:
                raise ValueError(
                    f"Two exercises are called {exercise.name}: in lessons {found[exercise.name].lesson} "
                    f"and {exercise.lesson}."
                )
            found[exercise.name] = exercise
    return found


def check(name: str, function: Any) -> "Verdict | Note":
    """Try a function and say what is right or wrong about it.

    Write it as the last line of a cell. It takes less than a third of a second, stops a function that does not end,
    and raises nothing.

    Parameters
    ----------
    name : name of the exercise, such as "softmax"
    function : your function, without brackets
    """
    from helpers.checks.judge import judge
    from helpers.checks.progress import remember, report
    from helpers.checks.verdict import RIGHT

    exercise = exercises().get(name) if isinstance(name, str) else None
    if exercise is None:
        return _unknown(name)
    verdict = judge(exercise, function)
    report(verdict, exercise.lesson, str(getattr(function, "__name__", "")))
    if verdict.status == RIGHT:
        quiet_word = remember(name)
        done, total = _counts(exercise.lesson)
        verdict.remarks.append(f"Lesson {exercise.lesson}: {done} of {total} solved.{quiet_word and ' '}{quiet_word}")
    return verdict


def hint(name: str) -> "Note":
    """The next hint for an exercise, each time it is called; each says more than the one before."""
    from helpers.checks.verdict import Note

    exercise = exercises().get(name) if isinstance(name, str) else None
    if exercise is None:
        return _unknown(name)
    given = _hints_given[name] = _hints_given.get(name, 0) + 1
    if given > len(exercise.hints):
        return Note("No more hints", f"The solution of `{name}` stands below the exercise, closed: click to open it.")
    return Note(f"Hint {given} of {len(exercise.hints)}", exercise.hints[given - 1])


def progress() -> Any:
    """What you have solved so far, lesson by lesson."""
    from helpers.checks.progress import Progress, solved

    return Progress(list(exercises().values()), solved())


def _counts(lesson: int) -> tuple[int, int]:
    from helpers.checks.progress import solved

    names = {exercise.name for exercise in exercises().values() if exercise.lesson == lesson}
    return len(names & solved()), len(names)


def _unknown(name: Any) -> "Note":
    from helpers.checks.verdict import Note

    if not isinstance(name, str):
        return Note("No such exercise", 'Write its name first, in quotes, such as `check("softmax", softmax)`.')
    near = difflib.get_close_matches(name, exercises(), n=1)
    return Note("No such exercise", f"There is none called `{name}`." + (f" Is it `{near[0]}`?" if near else ""))
