"""What has been solved, to be read."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from helpers.exercises.exercise import Exercise


@dataclass
class Progress:
    """How many exercises are solved, per lesson and in the course.

    Attributes
    ----------
    exercises : all of the course
    solved : names of those that are solved; names that are not in the course do not count
    """

    exercises: Sequence[Exercise]
    solved: set[str]

    def lessons(self) -> list[tuple[int, list[tuple[str, bool]]]]:
        """Each lesson's number with its exercises, and whether they are solved."""
        numbers = sorted({exercise.lesson for exercise in self.exercises})
        return [
            (number, [(one.name, one.name in self.solved) for one in self.exercises if one.lesson == number])
            for number in numbers
        ]

    def _total(self) -> str:
        count = sum(exercise.name in self.solved for exercise in self.exercises)
        return f"{count} of {len(self.exercises)} exercises solved"

    def __repr__(self) -> str:
        lines = [self._total()]
        for number, marks in self.lessons():
            names = "  ".join(f"{_sign(done)} {name}" for name, done in marks)
            lines.append(f"  lesson {number}: {sum(done for _, done in marks)} of {len(marks)}   {names}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td style="text-align: left">Lesson {number}</td>'
            f"<td>{sum(done for _, done in marks)} of {len(marks)}</td>"
            f'<td style="text-align: left">'
            + " &nbsp; ".join(f"{_sign(done)} <code>{html.escape(name)}</code>" for name, done in marks)
            + "</td></tr>"
            for number, marks in self.lessons()
        )
        return f"<div><b>{self._total()}</b><table>{rows}</table></div>"


def _sign(done: bool) -> str:
    return "\u2713" if done else "\u25cb"
