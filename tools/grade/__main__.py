"""The command line of the grader."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue

from helpers.exercises import exercises
from helpers.files import write_whole
from helpers.wording import first_line
from tools.grade import contain, marks, pages
from tools.grade.collect import collect
from tools.grade.grading import Prepared, Result, grade, prepare, summary
from tools.grade.notebooks import solutions
from tools.grade.sheets import LOG, Sheets, encoded, logged

SECONDS = 300.0  # for one notebook
STOPPED = 130  # what a command returns that Ctrl-C has ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0 when the class is graded, 2 when there is nothing to grade or nowhere to write, 130 after Ctrl-C.
    """
    for stream in (sys.stdout, sys.stderr):  # a console may lack the letters of a name
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    parser = _parser()
    asked = parser.parse_args(arguments)
    _refuse_nonsense(parser, asked)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        try:
            students = collect(asked.source, Path(scratch), asked.out)
        except OSError as error:
            parser.error(f"{asked.source} cannot be read: {error}.")
        if not students:
            parser.error(f"There is nothing to grade in {asked.source}.")
        known = solutions()
        mode = "answers" if asked.exercises_only else "notebook"
        class_ = [prepare(student, asked.lessons, mode, known) for student in students]
        for who, remarks in marks.alike({one.who: one.forms for one in class_}).items():
            next(one for one in class_ if one.who == who).result.marks.extend(remarks)
        return _grade(class_, asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.grade", description="Grade a class: write sheets, a page for the class and one a student."
    )
    parser.add_argument("source", type=Path, help="a folder or archive (zip, tar), as Moodle or Canvas give it")
    parser.add_argument("--out", type=Path, default=Path("grades"), metavar="FOLDER", help='default "grades"')
    parser.add_argument(
        "--lessons",
        type=int,
        nargs="+",
        default=[],
        metavar="N",
        help="what was to be handed in, and counts; when left out, what each student handed in",
    )
    parser.add_argument(
        "--exercises-only", action="store_true", help="run imports and answers alone: a second a notebook or less"
    )
    parser.add_argument("--resume", action="store_true", help="go on after a run that ended early")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="notebooks to run at once (default 1)")
    parser.add_argument(
        "--timeout",
        type=float,
        default=SECONDS,
        metavar="S",
        help=f"seconds that one whole notebook may take (default {SECONDS:g})",
    )
    return parser


def _refuse_nonsense(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> None:
    if not asked.source.exists():
        parser.error(f"{asked.source} does not exist.")
    if not 2 <= asked.timeout < float("inf"):
        parser.error("--timeout must be a number of seconds, 2 or more.")
    if asked.jobs < 1:
        parser.error("--jobs must be at least 1.")
    there = sorted({exercise.lesson for exercise in exercises().values()})
    if missing := [lesson for lesson in asked.lessons if lesson not in there]:
        parser.error(f"There is no lesson {missing[0]}: they go from {there[0]} to {there[-1]}.")
    if asked.out.exists() and not asked.out.is_dir():
        parser.error(f"{asked.out} is not a folder.")
    if (asked.out / LOG).exists() and not asked.resume:
        parser.error(f"{asked.out} holds results already. --resume goes on with them; --out names another folder.")
    if not asked.exercises_only and (find_spec("nbclient") is None or find_spec("ipykernel") is None):
        parser.error("Running notebooks needs nbclient and ipykernel: pip install nbclient ipykernel.")


def _grade(class_: Sequence[Prepared], asked: argparse.Namespace) -> int:
    """Grade those who have not been, and write what came of it."""
    before = {result.digest: result for result in logged(asked.out)}
    done: dict[int, Result] = {}
    for number, one in enumerate(class_):
        if old := before.get(one.result.digest):
            new = one.result
            done[number] = replace(old, name=new.name, number=new.number, late=new.late, marks=new.marks)
    lessons = asked.lessons or sorted({lesson for one in class_ for lesson in one.result.lessons})
    try:
        sheets = Sheets(asked.out, lessons)
        sheets.begin(list(done.values()))
    except OSError as error:
        print(f"{asked.out} cannot be written to: {error.strerror}.", file=sys.stderr)
        return 2
    inside = contain.containment()
    print(inside.says, file=sys.stderr, flush=True)
    finished = False
    try:
        _run(class_, done, sheets, inside, asked)
        finished = True
    except KeyboardInterrupt:
        pass
    results = [done[number] for number in sorted(done)]
    try:
        sheets.write(results)
        pages.write_feedback(results, asked.out)
        write_whole(asked.out / pages.CLASS, encoded(pages.class_page(results, finished)))
    except OSError as error:  # a sheet that is open in a spreadsheet, on Windows
        print(
            f"{error.filename or asked.out} cannot be written: close it, and run again with --resume.", file=sys.stderr
        )
        return 2
    print(summary(results))
    print(f"{asked.out / pages.CLASS} says what to teach again, {asked.out / 'grades.csv'} who has how many points.")
    if not finished:
        print(f"Ended after {len(done)} of {len(class_)}: the same command with --resume goes on.", file=sys.stderr)
        return STOPPED
    return 0


def _run(
    class_: Sequence[Prepared],
    done: dict[int, Result],
    sheets: Sheets,
    inside: contain.Containment,
    asked: argparse.Namespace,
) -> None:
    """Run students' notebooks, several at once, and add each result as it comes."""
    seconds = None if asked.exercises_only else asked.timeout
    all_rooms = [contain.Room(inside) for _ in range(asked.jobs)]
    free: SimpleQueue[contain.Room] = SimpleQueue()
    for room in all_rooms:
        free.put(room)
    with ThreadPoolExecutor(asked.jobs) as pool:

        def one(prepared: Prepared) -> Result:
            room = free.get()
            try:
                return grade(prepared, room, seconds)
            except Exception as error:  # one student's tricks shall not cost the others their marks
                what = first_line(error) or type(error).__name__
                return replace(prepared.result, problems=[*prepared.result.problems, f"could not be graded: {what}"])
            finally:
                free.put(room)

        waiting: dict[Future[Result], int] = {
            pool.submit(one, prepared): number for number, prepared in enumerate(class_) if number not in done
        }
        try:
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    number = waiting.pop(future)
                    done[number] = future.result()
                    sheets.add(done[number])
                    _say(done[number], len(done), len(class_))
        finally:  # after Ctrl-C too: then what is running is given up
            pool.shutdown(wait=False, cancel_futures=True)
            for room in all_rooms:
                room.end()


def _say(result: Result, count: int, total: int) -> None:
    problem = f"; {result.problems[0]}" if result.problems else ""
    print(
        f"{count} of {total}: {result.name}, {result.points()} of {result.total()} points{problem}",
        file=sys.stderr,
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
