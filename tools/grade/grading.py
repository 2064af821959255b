"""From a student's files to what a teacher wants to know of them."""

import ast
import base64
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath
from typing import Any

from helpers.checks.progress import FILE as PROGRESS
from helpers.checks.verdict import RIGHT, UNTRIED, WRONG
from helpers.exercises import exercises
from helpers.wording import counted, listed
from tools.grade import marks
from tools.grade.collect import LARGEST, Student
from tools.grade.contain import Room
from tools.grade.notebooks import NotANotebook, Notebook, may_be_notebook, read

UNCHECKED = "Not checked"
RANK = (UNCHECKED, UNTRIED, WRONG, RIGHT)  # of two answers to an exercise the better counts
SECONDS_OF_ANSWERS = 60.0
MOST_BESIDE = 20_000_000  # bytes of files that are put beside a notebook


@dataclass
class Found:
    """What the check of one exercise found.

    Attributes
    ----------
    status : str
        RIGHT, WRONG, UNTRIED or UNCHECKED.
    mistake : str
        Its short name, or "".
    message : str
        What the student was told.
    details : list of list of str
        Name and text of each thing that shows the mistake: an input, the result, what is expected.
    """

    status: str = UNCHECKED
    mistake: str = ""
    message: str = ""
    details: list[list[str]] = field(default_factory=list)


@dataclass
class Result:
    """What came of one student.

    Attributes
    ----------
    name, number, late
        As in `Student`.
    digest : str
        Of the files and of what was asked for.
    lessons : dict
        For each lesson that was handed in (or asked for), each of its exercises, and what was found.
    problems : list of str
        What went wrong.
    others : list of str
        Files that are no notebooks.
    marks : list of str
        What deserves a look in the code.
    records : list of str
        What deserves a look in the records of what was solved.
    """

    name: str
    number: str = ""
    late: bool = False
    digest: str = ""
    lessons: dict[int, dict[str, Found]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    records: list[str] = field(default_factory=list)

    def points(self, lesson: int | None = None) -> int:
        """Count the exercises that are right, of one lesson or of all."""
        chosen = self.lessons.values() if lesson is None else [self.lessons.get(lesson, {})]
        return sum(found.status == RIGHT for exercise in chosen for found in exercise.values())

    def total(self) -> int:
        """Count the exercises of the lessons."""
        return sum(map(len, self.lessons.values()))

    def as_json(self) -> dict[str, Any]:
        """Give all of it as JSON can hold it."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> "Result":
        """Make it of what `as_json` gave."""
        result = cls(**content)
        result.lessons = {
            int(lesson): {name: Found(**found) for name, found in given.items()}
            for lesson, given in content["lessons"].items()
        }
        return result


@dataclass
class Prepared:
    """A student's files, read and not yet run.

    Attributes
    ----------
    result : Result
        What is known already.
    notebooks : list of (str, list of str)
        Name, and code cells, of each notebook that is a lesson.
    files : dict of bytes
        What else was handed in.
    forms : dict of set of str
        As `marks.own_forms` gives them.
    claimed : list of str
        What a progress file that was handed in calls solved.
    """

    result: Result
    notebooks: list[tuple[str, list[str]]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    forms: dict[str, set[str]] = field(default_factory=dict)
    claimed: list[str] = field(default_factory=list)

    @property
    def who(self) -> str:
        """Name and number, as they tell students apart."""
        return f"{self.result.name} ({self.result.number})" if self.result.number else self.result.name


def prepare(student: Student, lessons: Collection[int], asked: str, solutions: Mapping[str, ast.AST]) -> Prepared:
    """Read a student's files.

    Parameters
    ----------
    student : Student
        As `collect` found them.
    lessons : collection of int
        Those that were to be handed in; none of them means whatever was.
    asked : str
        What else the result depends on, for its digest.
    solutions : dict of ast.AST
        The course's own, by exercise.

    Returns
    -------
    Prepared
        All that can be known without running anything.
    """
    result = Result(student.name, student.number, student.late, problems=list(student.problems))
    prepared = Prepared(result)
    digest = hashlib.sha256(f"{asked} {sorted(lessons)}".encode())
    found: set[int] = set(lessons)
    for file in student.files:
        try:
            if file.path.stat().st_size > LARGEST:
                result.problems.append(f"{file.name} is too large to be opened")
                continue
            data = file.path.read_bytes()
        except OSError as error:
            result.problems.append(f"{file.name} cannot be read: {error.strerror}")
            continue
        digest.update(f"{file.name}\0{len(data)}\0".encode() + data)
        if PurePosixPath(file.name).name == PROGRESS:
            prepared.claimed += marks.claimed_in(data)
        elif may_be_notebook(file.name, data):
            notebook = _read(file.name, data, result)
            if notebook and _take(file.name, notebook, prepared, solutions):
                found.update(lesson for lesson in notebook.lessons if not lessons)
        else:
            prepared.files[file.name] = data
            result.others.append(file.name)
    if not student.files and not student.problems:
        result.problems.append("nothing was handed in")
    elif not prepared.notebooks and not result.problems:
        result.problems.append("no notebook was handed in")
    known = exercises().values()
    result.lessons = {lesson: {one.name: Found() for one in known if one.lesson == lesson} for lesson in sorted(found)}
    result.digest = digest.hexdigest()
    return prepared


def _read(name: str, data: bytes, result: Result) -> Notebook | None:
    try:
        return read(data)
    except NotANotebook as error:
        result.problems.append(f"{name} {error}")
        return None


def _take(name: str, notebook: Notebook, prepared: Prepared, solutions: Mapping[str, ast.AST]) -> bool:
    """Take a notebook if it is a lesson, and say what is wrong with it otherwise."""
    problems = prepared.result.problems
    unknown = [one for one in dict.fromkeys(notebook.checked) if one not in exercises()]
    if unknown:
        problems.append(f"{name} checks {listed(unknown)}, which this version of the course does not have")
    if not notebook.lessons:
        if not unknown:
            problems.append(f"{name} is not a lesson of this course")
        return False
    if notebook.language not in ("", "python"):
        problems.append(f"{name} is written in {notebook.language}")
    prepared.notebooks.append((name, notebook.code))
    prepared.result.marks += marks.of_one(notebook, solutions)
    for exercise, forms in marks.own_forms(notebook, solutions).items():
        prepared.forms.setdefault(exercise, set()).update(forms)
    return True


def grade(prepared: Prepared, room: Room, seconds: float | None) -> Result:
    """Run a student's notebooks.

    Parameters
    ----------
    prepared : Prepared
        As `prepare` gives it.
    room : Room
        Where they run.
    seconds : float or None
        That a whole notebook may take; None runs imports and answers alone.

    Returns
    -------
    Result
        Points follow from the answers, run by themselves: a run of the whole notebook only adds problems and marks.
    """
    result = prepared.result
    recorded: list[str] = []
    for name, sources in prepared.notebooks:
        job = {"sources": sources, "files": _beside(name, prepared.files)}
        label = f"{name}: " if len(prepared.notebooks) > 1 else ""
        answers = room.ask({"kind": "answers", "seconds": SECONDS_OF_ANSWERS, **job})
        _keep_best(answers.get("checks", {}), result.lessons)
        problem = answers["problem"]
        if seconds is not None:
            run = room.ask({"kind": "notebook", "seconds": seconds, **job})
            recorded += run.get("recorded", [])
            problem = run["problem"] or problem
        if problem:
            result.problems.append(label + problem)
    right = [name for given in result.lessons.values() for name, found in given.items() if found.status == RIGHT]
    asked = [name for given in result.lessons.values() for name in given]
    result.records += marks.of_records([name for name in recorded if name in asked], right, "the record of the run")
    result.records += marks.of_records([name for name in prepared.claimed if name in asked], right, "the progress file")
    return result


def _beside(name: str, files: Mapping[str, bytes]) -> dict[str, str]:
    """The files that a notebook finds beside itself, as the job carries them."""
    folder = PurePosixPath(name).parent
    found: dict[str, str] = {}
    left = MOST_BESIDE
    for other, data in files.items():
        left -= len(data)
        if left < 0:
            break
        path = PurePosixPath(other)
        inside = path.relative_to(folder) if path.is_relative_to(folder) else path
        content = base64.b64encode(data).decode()
        found[str(inside)] = content
        attempt = inside.stem.rpartition("-")  # Canvas calls the second attempt at utils.py utils-1.py
        if attempt[0] and attempt[2].isdigit():
            found.setdefault(str(inside.with_name(attempt[0] + inside.suffix)), content)
    return found


def _keep_best(checks: Mapping[str, Any], lessons: Mapping[int, dict[str, Found]]) -> None:
    for given in lessons.values():
        for name in given.keys() & checks.keys():
            entry = checks[name]
            if entry.get("status") not in RANK:
                continue
            details = [[str(head), str(text)] for head, text in entry.get("details", [])]
            found = Found(entry["status"], str(entry.get("mistake") or ""), str(entry.get("message") or ""), details)
            if RANK.index(found.status) > RANK.index(given[name].status):
                given[name] = found


def summary(results: Sequence[Result]) -> str:
    """Say in a line what came of a class."""
    troubled = sum(bool(result.problems) for result in results)
    marked = sum(bool(result.marks + result.records) for result in results)
    solved = sum(result.points() for result in results)
    return (
        f"{counted(len(results), 'student')}, {counted(solved, 'exercise')} solved, "
        f"{counted(troubled, 'student')} with a problem, {counted(marked, 'student')} with something to look at"
    )


def lessons_of(results: Iterable[Result]) -> list[int]:
    """List all lessons that anyone handed in, or was to."""
    return sorted({lesson for result in results for lesson in result.lessons})
