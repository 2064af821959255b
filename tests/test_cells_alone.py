"""Each Play cell and each check runs alone in a fresh kernel, or says in one sentence to run the cells above first."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

from helpers.live.above import RunAbove, needs_above
from tools.execute import ROOT

PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHECK = re.compile(r"^check\(", re.M)
WEIGHTS = {"17-real-model": "minilm", "18-real-language-model": "smollm", "19-what-its-heads-do": "smollm"}


def cells_to_try(path: Path) -> list[str]:
    """The Play cells and the open cells with a check of a lesson."""
    part, found = "", []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            part = next(reversed(re.findall(r"^## (.+)$", source, re.M)), part)
        elif not cell["metadata"].get("jupyter", {}).get("source_hidden") and (part == "Play" or CHECK.search(source)):
            found.append(source)
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
    slow = [pytest.mark.slow] if "smollm" in needed else []
    return pytest.param(path, marks=[pytest.mark.weights(*needed), *slow], id=path.stem)


@pytest.mark.parametrize("path", map(_with_its_needs, PATHS))
def test_cells_run_alone_or_say_what_they_need(errors_of: Callable[[str], list[str]], path: Path) -> None:
    sources = cells_to_try(path)
    assert sources
    said = [error for source in sources for error in errors_of(source)]
    assert [error for error in said if not error.startswith("RunAbove: This cell needs ")] == []


def test_what_is_missing_is_one_sentence() -> None:
    needs_above({"a": 1, "b": 2}, "a", "b")
    with pytest.raises(
        RunAbove, match="This cell needs b and c from the cells above: choose Run → Run All Cells"
    ) as it:
        needs_above({"a": 1}, "a", "b", "c")
    assert it.value._render_traceback_() == [str(it.value)]
