"""Each Play cell and each check runs alone in a fresh kernel, or says in one sentence to run the cells above first."""

import json
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

from helpers.live.above import RunAbove, needs_above
from tools.execute import ROOT
from tools.front_ends import is_closed

PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHECK = re.compile(r'^check\("(\w+)"', re.M)
WEIGHTS = {"17-real-model": "minilm", "18-real-language-model": "smollm", "19-what-its-heads-do": "smollm"}


def cells_to_try(path: Path) -> list[str]:
    """The Play cells, and the open cells with a check of a lesson with the hint that they name."""
    part, found = "", []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            part = next(reversed(re.findall(r"^## (.+)$", source, re.M)), part)
        elif (part == "Play" and "checked" not in cell["metadata"].get("tags", [])) or (
            CHECK.search(source) and not is_closed(cell)
        ):
            found.append(source + "".join(f'\nhint("{name}")' for name in CHECK.findall(source)))
    return found


@pytest.fixture(scope="module")
def errors_of() -> Iterator[Callable[[str], list[str]]]:
    """Run a cell in a kernel that knows no names, and give the errors; modules stay loaded, which saves seconds."""
    manager, client = start_new_kernel(kernel_name="python3")

    def run(source: str) -> list[str]:
        found: list[str] = []

        def heard(message: dict) -> None:
            if message["msg_type"] == "error":
                found.append(f"{message['content']['ename']}: {message['content']['evalue']}")

        client.execute_interactive("%reset -f", silent=True)
        client.execute_interactive(source, output_hook=heard, timeout=60, allow_stdin=False)
        return found

    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def _with_its_needs(path: Path) -> object:
    # Without their weights these lessons end in a sentence, too: test_lessons_without_weights.py.
    needed = [name for lesson, name in WEIGHTS.items() if lesson == path.stem]
    return pytest.param(path, marks=[pytest.mark.weights(*needed), pytest.mark.slow], id=path.stem)


@pytest.mark.parametrize("path", [_with_its_needs(path) for path in PATHS])
def test_cells_run_alone_or_say_what_they_need(errors_of: Callable[[str], list[str]], path: Path) -> None:
    sources = cells_to_try(path)
    assert sources
    said = [error for source in sources for error in errors_of(source)]
    assert [error for error in said if not error.startswith("RunAbove: This cell needs ")] == []


RUFF = shutil.which("ruff", path=sysconfig.get_path("scripts"))


@pytest.mark.skipif(RUFF is None, reason="no ruff (pip install -r requirements.txt)")
def test_no_cell_uses_a_name_that_it_does_not_make(tmp_path: Path) -> None:
    """The same of all lessons, read and not run, which takes a second."""
    for path in PATHS:
        for i, source in enumerate(cells_to_try(path)):
            needed = re.search(r"needs_above\(globals\(\), (.+)\)", source)
            given = " = ".join(json.loads(f"[{needed[1]}]")) + " = None\n" if needed else ""
            optional = "".join(f"{name} = None\n" for name in re.findall(r'if "(\w+)" not in globals', source))
            (tmp_path / f"{path.stem}-{i}.py").write_text(given + optional + source, encoding="utf-8")
    options = ["check", "--isolated", "--select", "F821", "--no-cache", "--output-format", "concise", tmp_path]
    run = subprocess.run([RUFF, *options], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_what_is_missing_is_one_sentence() -> None:
    needs_above({"a": 1, "b": 2}, "a", "b")
    with pytest.raises(
        RunAbove, match="This cell needs b and c from the cells above: choose Run → Run All Cells"
    ) as it:
        needs_above({"a": 1}, "a", "b", "c")
    assert it.value._render_traceback_() == [str(it.value)]
