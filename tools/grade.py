"""Run a class's notebooks and tell who solved what: `python -m tools.grade FOLDER`.

Each notebook runs in a fresh kernel and an empty working folder, with a time limit; the notebooks themselves are only
read. They hold other people's code, which can do what your account can do: run them where you would run that code.
"""

import argparse
import asyncio
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.checks.progress import RECORD
from helpers.checks.verdict import RIGHT, UNTRIED, WRONG
from helpers.exercises import exercises
from helpers.wording import counted, first_line

if TYPE_CHECKING:
    from nbformat import NotebookNode

SECONDS = 300.0  # for one notebook
LONGEST = 120  # characters of an error


@dataclass
class Row:
    """What came of one notebook.

    Attributes
    ----------
    notebook : str
        Its path below the folder.
    checks : dict
        For each exercise that was checked, what the last check found.
    problem : str
        What went wrong with the notebook as a whole, or "".
    """

    notebook: str
    checks: dict[str, dict[str, str]] = field(default_factory=dict)
    problem: str = ""

    def solved(self) -> list[str]:
        """List the names of the exercises whose last check was right."""
        return [name for name, check in self.checks.items() if check["status"] == RIGHT]

    def cell(self, name: str) -> str:
        """Say in a few words what the last check of one exercise found; "" where there was none."""
        check = self.checks.get(name)
        if check is None:
            return ""
        if check["status"] == WRONG:
            return f"not yet: {check['mistake']}"
        copied = check["status"] == RIGHT and check["function"].endswith("_solution")
        return {RIGHT: "right", UNTRIED: "not tried"}[check["status"]] + (" (the solution itself)" if copied else "")


def notebooks_below(folder: Path) -> list[Path]:
    """List all notebooks below a folder.

    Parameters
    ----------
    folder : Path
        Looked through with all that lies below it.

    Returns
    -------
    list of Path
        In the order of their paths, without JupyterLab's checkpoints.
    """
    found = (path for path in folder.rglob("*.ipynb") if path.is_file() and ".ipynb_checkpoints" not in path.parts)
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def grade(path: Path, name: str, seconds: float = SECONDS) -> Row:
    """Run one notebook, whatever it holds or does.

    Parameters
    ----------
    path : Path
        Of the notebook, which stays as it is.
    name : str
        What the row calls it.
    seconds : float
        That it may take.

    Returns
    -------
    Row
        What its checks found, and what went wrong.
    """
    import nbformat  # here and below, so that the command can say what is missing

    row = Row(name)
    try:
        content = path.read_text(encoding="utf-8")
        json.loads(content)
    except OSError as error:
        row.problem = f"cannot be read: {error.strerror}"
        return row
    except (ValueError, RecursionError):
        row.problem = "not a notebook: it is not valid JSON"
        return row
    try:
        notebook = nbformat.reads(content, as_version=4)
        nbformat.validate(notebook)
    except Exception:  # nbformat raises a dozen kinds for files that hold something else
        row.problem = "not a notebook: its JSON holds something else"
        return row
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        work, record = Path(scratch) / "work", Path(scratch) / "record.jsonl"
        work.mkdir()
        row.problem = asyncio.run(_run(notebook, work, record, seconds))
        row.checks = _last_checks(record)
    return row


async def _run(notebook: "NotebookNode", work: Path, record: Path, seconds: float) -> str:
    """Run all cells, also after one that fails; say what went wrong, or ""."""
    from nbclient import NotebookClient
    from nbclient.exceptions import DeadKernelError

    from tools.execute import ThisPython  # whatever kernel a notebook names

    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, RECORD: str(record), "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    manager = ThisPython()
    running = 0

    def cell_begins(**_: object) -> None:
        nonlocal running
        running += 1

    client = NotebookClient(
        notebook,
        km=manager,
        timeout=None,
        allow_errors=True,
        record_timing=False,
        store_widget_state=False,
        shutdown_kernel="immediate",
        resources={"metadata": {"path": str(work)}},
        on_cell_execute=cell_begins,
    )
    task = asyncio.ensure_future(
        client.async_execute(env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    )
    try:
        await asyncio.wait([task], timeout=seconds)
        if not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=10)
            if task.done() and not task.cancelled():
                task.exception()  # the kernel was taken from under it; asked for, so that asyncio does not complain
            return f"stopped after {seconds:g} seconds in code cell {running}"
        error = task.exception()
    finally:
        if manager.has_kernel:
            await manager.shutdown_kernel(now=True)
    if isinstance(error, DeadKernelError):
        return f"its kernel died in code cell {running}"
    if error is not None:
        return f"did not run: {first_line(error, LONGEST) or type(error).__name__}"
    return _first_error(notebook)


def _first_error(notebook: "NotebookNode") -> str:
    """Name the first error that a cell shows, or ""."""
    from tools.execute import code_cells

    errors = [
        (number, output)
        for number, cell in code_cells(notebook)
        for output in cell.outputs
        if output.output_type == "error"
    ]
    if not errors:
        return ""
    number, output = errors[0]
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    words = filter(None, [output.ename, first_line(output.evalue, LONGEST)])
    return f"error in code cell {number}: {': '.join(words)}{more}"


def _last_checks(record: Path) -> dict[str, dict[str, str]]:
    """Read the last entry of each exercise.

    A notebook could write here too, so lines that are not ours are passed over.
    """
    checks: dict[str, dict[str, str]] = {}
    try:
        lines = record.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    for line in lines:
        try:
            entry = json.loads(line)
            name, status = entry["exercise"], entry["status"]
            if name in exercises() and status in (RIGHT, WRONG, UNTRIED):
                checks[name] = {"status": status, "mistake": str(entry["mistake"]), "function": str(entry["function"])}
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return checks


def table(rows: Sequence[Row]) -> str:
    """Set the rows as text: one line a notebook, and below it what is not solved yet, or what went wrong.

    Parameters
    ----------
    rows : sequence of Row
        At least one.

    Returns
    -------
    str
        Lines, the last of which sums up.
    """
    width = max(len(row.notebook) for row in rows)
    lines = [f"{'notebook':{width}}  solved"]
    for row in rows:
        lines.append(f"{row.notebook:{width}}  {len(row.solved())} of {len(row.checks)}")
        if row.problem:
            lines.append(f"    ! {row.problem}")
        words = [(name, row.cell(name)) for name in row.checks]
        lines += [f"    {name}: {what}" for name, what in words if what != "right"]
    total = sum(len(row.solved()) for row in rows)
    troubled = sum(bool(row.problem) for row in rows)
    lines.append(
        f"{counted(len(rows), 'notebook')}, {counted(total, 'exercise')} solved, "
        f"{counted(troubled, 'notebook')} with a problem"
    )
    return "\n".join(lines)


def write_csv(rows: Sequence[Row], path: Path) -> None:
    """Write one line a notebook, one column an exercise.

    Parameters
    ----------
    rows : sequence of Row
        In the order of the file.
    path : Path
        Of the CSV file.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    names = list(exercises())
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["notebook", "solved", "checked", "problem", *names])
        for row in rows:
            cells: list[str | int] = [
                row.notebook,
                len(row.solved()),
                len(row.checks),
                row.problem,
                *map(row.cell, names),
            ]
            writer.writerow(map(_harmless, cells))


def _harmless(cell: str | int) -> str | int:
    """Put an apostrophe before text that a spreadsheet would take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0 when the table is complete, 2 when there is nothing to run or nowhere to write.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.grade", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="all notebooks below it are run")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the results there as well")
    parser.add_argument(
        "--timeout",
        type=float,
        default=SECONDS,
        metavar="S",
        help=f"seconds that one notebook may take (default {SECONDS:g})",
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="notebooks to run at once (default 1)")
    asked = parser.parse_args(arguments)
    if not asked.folder.is_dir():
        parser.error(f"{asked.folder} is not a folder.")
    if not 0 < asked.timeout < float("inf"):
        parser.error("--timeout must be a number of seconds above 0.")
    if asked.jobs < 1:
        parser.error("--jobs must be at least 1.")
    if find_spec("nbclient") is None or find_spec("ipykernel") is None:
        parser.error("Running notebooks needs nbclient and ipykernel: pip install nbclient ipykernel.")
    paths = notebooks_below(asked.folder)
    if not paths:
        parser.error(f"There is no notebook below {asked.folder}.")
    if asked.csv is not None and not asked.csv.resolve().parent.is_dir():
        parser.error(f"{asked.csv} cannot be written: its folder does not exist.")

    def run(numbered: tuple[int, Path]) -> Row:
        number, path = numbered
        name = path.relative_to(asked.folder).as_posix()
        print(f"{number} of {len(paths)}: {name}", file=sys.stderr, flush=True)
        return grade(path, name, asked.timeout)

    with ThreadPoolExecutor(asked.jobs) as pool:  # each waits for a kernel, which is a process of its own
        rows = list(pool.map(run, enumerate(paths, 1)))
    print(table(rows))
    if asked.csv is not None:
        try:
            write_csv(rows, asked.csv)
        except OSError as error:
            print(f"{asked.csv} cannot be written: {error.strerror}.", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
