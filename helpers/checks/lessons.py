"""Where an exercise stands, as a link that JupyterLab follows; what is solved, lesson by lesson; what comes next."""

import html
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from helpers.checks.exercise import Exercise

COURSE = Path(__file__).parents[2] / "notebooks"
_CHECK = re.compile(r"""^check\(["'](\w+)["'],""", re.MULTILINE)


@dataclass(frozen=True)
class Spot:
    """Where an exercise stands.

    Attributes
    ----------
    notebook : str
        Path from the working folder, with "/".
    title : str
        Of the lesson, such as "5. Softmax: turn scores into weights".
    heading : str
        Above the exercise, such as "Back to the scores".
    cell : str
        Id of the cell with this heading.
    """

    notebook: str
    title: str
    heading: str
    cell: str

    @property
    def address(self) -> str:
        """What a link leads to: JupyterLab opens the notebook at the cell."""
        return f"{quote(self.notebook)}#cell-id={quote(self.cell)}"


def spots(lesson: int | None = None) -> dict[str, Spot]:
    """Find where the exercises stand: in the working folder, where a lesson runs, or else in the course's folder.

    Parameters
    ----------
    lesson : int, optional
        Only those of this lesson; all when left out.

    Returns
    -------
    dict of Spot
        By the name of the exercise. Those whose notebook is not found, or cannot be read, are missing.
    """
    found: dict[str, Spot] = {}
    for folder in (Path(), COURSE):
        try:
            number = "[0-9][0-9]" if lesson is None else f"{lesson:02}"
            for path in sorted(folder.glob(f"{number}-*.ipynb")):
                place = Path(os.path.relpath(path)).as_posix()
                for name, *spot in _checks_in(path.resolve(), path.stat().st_mtime_ns):
                    found.setdefault(name, Spot(place, *spot))
        except (OSError, ValueError):  # no such folder; another drive of Windows
            continue
    return found


@lru_cache(maxsize=64)
def _checks_in(path: Path, _changed: int) -> list[tuple[str, str, str, str]]:
    """The checks of a notebook, each with the exercise's name, the lesson's title, and the heading above and its id."""
    found: list[tuple[str, str, str, str]] = []
    try:
        title, heading, place = "", "", ""
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown" and source.startswith("#"):
                heading, place = source.partition("\n")[0].strip("# "), cell["id"]
                title = title or heading
            elif cell["cell_type"] == "code":
                found += [(name, title, heading, place or cell["id"]) for name in _CHECK.findall(source)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):  # one that is just being written, or is broken
        return []
    return found


def following(exercises: Sequence[Exercise], solved: set[str], last: str | None) -> Exercise | None:
    """Choose the exercise to do next.

    Parameters
    ----------
    exercises : sequence of Exercise
        All of the course, in its order.
    solved : set of str
        Names of those that are solved.
    last : str or None
        Name of the one that was checked last, so that whoever begins with lesson 5 is not sent to lesson 1.

    Returns
    -------
    Exercise or None
        The first unsolved one from `last` on, or else from the beginning; None where all are solved.
    """
    names = [exercise.name for exercise in exercises]
    start = names.index(last) if last in names else 0
    ordered = [*exercises[start:], *exercises[:start]]
    return next((exercise for exercise in ordered if exercise.name not in solved), None)


@dataclass
class Progress:
    """How many exercises are solved, in each lesson and in the course.

    Attributes
    ----------
    exercises : sequence of Exercise
        All of the course.
    solved : set of str
        Names of those that are solved; names that are not in the course do not count.
    spots : dict of Spot
        Where exercises stand, for the links.
    kept_in : Path or None
        The file that holds it; None where that shall not be said.
    """

    exercises: Sequence[Exercise]
    solved: set[str]
    spots: dict[str, Spot] = field(default_factory=dict)
    kept_in: Path | None = None

    def __repr__(self) -> str:
        lines = [self._total()]
        for lesson, names in self._lessons():
            marks = "  ".join(f"{self._sign(name)} {name}" for name in names)
            lines.append(f"  lesson {lesson}: {self._count(names)}   {marks}")
        return "\n".join([*lines, *self._where()])

    def _repr_html_(self) -> str:
        rows = "".join(self._row(lesson, names) for lesson, names in self._lessons())
        where = "".join(f"<div>{html.escape(line)}</div>" for line in self._where())
        return f"<div><b>{self._total()}</b><table>{rows}</table>{where}</div>"

    def _row(self, lesson: int, names: list[str]) -> str:
        left = '<td style="text-align: left">'
        marks = " &nbsp; ".join(f"{self._sign(name)} {self._link(name)}" for name in names)
        title = next((self.spots[name].title for name in names if name in self.spots), "")
        label = html.escape(title.partition(":")[0] or f"Lesson {lesson}")
        return f"<tr>{left}{label}</td><td>{self._count(names)}</td>{left}{marks}</td></tr>"

    def _link(self, name: str) -> str:
        words = html.escape(name)
        return f'<a href="{html.escape(self.spots[name].address)}">{words}</a>' if name in self.spots else words

    def _lessons(self) -> Iterator[tuple[int, list[str]]]:
        """Each lesson's number, and the names of its exercises."""
        for number in sorted({exercise.lesson for exercise in self.exercises}):
            yield number, [one.name for one in self.exercises if one.lesson == number]

    def _total(self) -> str:
        return f"{self._count([exercise.name for exercise in self.exercises])} exercises solved"

    def _count(self, names: list[str]) -> str:
        return f"{len(self.solved.intersection(names))} of {len(names)}"

    def _sign(self, name: str) -> str:
        return "\u2713" if name in self.solved else "\u25cb"

    def _where(self) -> list[str]:
        return [f"Kept in {self.kept_in}"] if self.kept_in is not None and self.kept_in.exists() else []
