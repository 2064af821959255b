"""Make a lesson an assignment of nbgrader or Otter: `python -m tools.grade.assignment nbgrader 5 FILE`.

The exercises get points, one each; solutions stand where the program takes them out before students see the notebook.
"""

import argparse
import ast
import copy
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from helpers.exercises import exercises
from helpers.files import write_whole
from tools.grade.notebooks import LESSONS

_PASSED = 'assert verdict.status == "Right", verdict.message'
SOLUTION_TAG = "hide-input"  # on the closed cell below each exercise
Cell = dict[str, Any]
Question = tuple[str, str, str]  # name of the exercise, how its function begins, body of the solution


def assignment(lesson: int, program: str) -> dict[str, Any]:
    """Make the teacher's version of an assignment.

    Parameters
    ----------
    lesson : int
        Number of the lesson.
    program : str
        "nbgrader" or "otter".

    Returns
    -------
    dict
        The notebook, without outputs.

    Raises
    ------
    ValueError
        There is no such lesson.
    """
    path = next(LESSONS.glob(f"{lesson:02}-*.ipynb"), None)
    if path is None:
        raise ValueError(f"There is no lesson {lesson} in {LESSONS}.")
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    questions = {question[0]: question for question in _questions(notebook["cells"])}
    cells: list[Cell] = [] if program == "nbgrader" else [_raw("assignment", _OTTER)]
    for cell in notebook["cells"]:
        name = _checked(cell)
        if name in questions:
            cells += _FORMS[program](questions[name])
        elif not _is_solution(cell):
            cells.append(_plain(cell))
    return {**notebook, "cells": cells}


def _questions(cells: Sequence[Cell]) -> Iterator[Question]:
    solutions = {name: cell for cell in cells if _is_solution(cell) for name in [_defined(cell)]}
    for cell in cells:
        name = _checked(cell)
        if name and f"{name}_solution" in solutions:
            solution = _source(solutions[f"{name}_solution"])
            function = ast.parse(solution).body[-1]
            assert isinstance(function, ast.FunctionDef)
            body = solution.splitlines()[function.body[0].lineno - 1 :]
            yield name, _head(_source(cell)), "\n".join(body)


def _head(stub: str) -> str:
    """The line that defines a function, and as a comment what its stub asks."""
    lines = stub.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("def "))  # imports may stand above
    first, second = lines[start : start + 2]
    asked = second.partition("# your code: ")[2]
    return f"{first}\n    # {asked}" if asked else first


def _checked(cell: Cell) -> str:
    """The exercise whose stub and check a cell holds, or ""."""
    found = re.search(r'^def (\w+)\(.*^check\("\1"', _source(cell), re.S | re.M)
    return found[1] if found and cell["cell_type"] == "code" and found[1] in exercises() else ""


def _defined(cell: Cell) -> str:
    found = re.search(r"^def (\w+)\(", _source(cell), re.M)
    return found[1] if found else ""


def _is_solution(cell: Cell) -> bool:
    return SOLUTION_TAG in cell["metadata"].get("tags", []) and _defined(cell).endswith("_solution")


def _source(cell: Cell) -> str:
    return "".join(cell["source"])


def _plain(cell: Cell) -> Cell:
    cell = copy.deepcopy(cell)
    if cell["cell_type"] == "code":
        cell |= {"outputs": [], "execution_count": None}
    return cell


# --- nbgrader ---


def _nbgrader(question: Question) -> list[Cell]:
    name, head, body = question
    answer = f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"
    test = f'from helpers import check\n\nverdict = check("{name}", {name})\ndisplay(verdict)\n{_PASSED}'
    shared = {"schema_version": 3, "task": False}
    solution = {**shared, "grade_id": name, "grade": False, "solution": True, "locked": False}
    graded = {**shared, "grade_id": f"{name}-check", "grade": True, "solution": False, "locked": True, "points": 1}
    return [
        _code(f"{name.replace('_', '-')}-answer", answer, {"nbgrader": solution}),
        _code(f"{name.replace('_', '-')}-check", test, {"nbgrader": graded}),
    ]


# --- Otter ---

_OTTER = "# ASSIGNMENT CONFIG\ninit_cell: true\ncheck_all_cell: false\nexport_cell: false\ngenerate: true"


def _otter(question: Question) -> list[Cell]:
    name, head, body = question
    short = name.replace("_", "-")
    answer = f"{head}\n    # BEGIN SOLUTION\n{body}\n    # END SOLUTION"
    test = f'from helpers import check\n\nverdict = check("{name}", {name})\n{_PASSED}'
    return [
        _raw(f"{short}-begin", f"# BEGIN QUESTION\nname: {name}\npoints: 1"),
        _raw(f"{short}-solution", "# BEGIN SOLUTION"),
        _code(f"{short}-answer", answer),
        _raw(f"{short}-solved", "# END SOLUTION"),
        _code(f"{short}-check", f'check("{name}", {name})'),
        _raw(f"{short}-tests", "# BEGIN TESTS"),
        _code(f"{short}-test", test),
        _raw(f"{short}-tested", "# END TESTS"),
        _raw(f"{short}-end", "# END QUESTION"),
    ]


_FORMS: dict[str, Callable[[Question], list[Cell]]] = {"nbgrader": _nbgrader, "otter": _otter}


def _raw(name: str, source: str) -> Cell:
    return {"cell_type": "raw", "id": name, "metadata": {}, "source": source}


def _code(name: str, source: str, metadata: dict[str, Any] | None = None) -> Cell:
    code = {"cell_type": "code", "id": name, "metadata": metadata or {}, "source": source}
    return {**code, "execution_count": None, "outputs": []}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0 when the file is written, 2 when it cannot be.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.grade.assignment", description=__doc__.splitlines()[0])
    parser.add_argument("program", choices=sorted(_FORMS))
    parser.add_argument("lesson", type=int, help="its number")
    parser.add_argument("file", type=Path, help="where the teacher's version goes")
    asked = parser.parse_args(arguments)
    if asked.file.exists():
        parser.error(f"{asked.file} exists already.")
    try:
        made = assignment(asked.lesson, asked.program)
        write_whole(asked.file, (json.dumps(made, indent=1, ensure_ascii=False) + "\n").encode())
    except ValueError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{asked.file} cannot be written: {error.strerror}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
