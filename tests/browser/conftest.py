"""One browser and one JupyterLab for all tests here; where there is none, ../conftest.py says what was left out."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

sys.path.insert(0, str(Path(__file__).parent))

import lab

if lab.what_is_missing():
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    with lab.browser() as browser:
        yield browser


LIVE_PARTS = {
    "08-multi-head.ipynb": r"explore\(|calculation\(",  # cells of Play, each of which runs alone
    "17-real-model.ipynb": r"^(from |model =|sentence =)|explore_text\(",
}


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the lessons: JupyterLab saves by itself.

    What takes long is left out, for nbval runs it: cells with the tag "training", and of long lessons all code but what
    is live and what that needs.
    """
    folder = tmp_path_factory.mktemp("lab")
    (folder / "notebooks").mkdir()
    for path in (lab.ROOT / "notebooks").glob("*.ipynb"):
        lesson = nbformat.read(path, as_version=4)
        lesson.cells = [cell for cell in lesson.cells if _is_wanted(cell, path.name)]
        nbformat.write(lesson, folder / "notebooks" / path.name)
    return folder


def _is_wanted(cell: nbformat.NotebookNode, lesson: str) -> bool:
    if lesson in LIVE_PARTS and cell.cell_type == "code":
        return re.search(LIVE_PARTS[lesson], cell.source, re.M) is not None
    return "training" not in cell.metadata.get("tags", [])


@pytest.fixture(scope="session")
def address(scratch: Path) -> Iterator[str]:
    with lab.jupyterlab(scratch) as address:
        yield address


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A fresh page, with what it asked of the network and what its console complained of as lists on it."""
    context = chromium.new_context(viewport={"width": 1200, "height": 1000})
    page = context.new_page()
    yield lab.watched(page)
    context.close()


@pytest.fixture(scope="session")
def lab_context(chromium: Any) -> Iterator[Any]:
    """Where all pages of JupyterLab are opened: its files are many, and the first page leaves them in the cache."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1600})
    yield context
    context.close()


@pytest.fixture(scope="module")
def lab_page(lab_context: Any, address: str) -> Iterator[Any]:
    """One JupyterLab for all lessons: loading it anew for each takes longer than running the lesson."""
    page = lab.watched(lab_context.new_page())
    lab.open_lab(page, address)
    yield page
    page.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which a Python package brings along."""
    package = importlib.util.find_spec("axe_playwright_python")
    return (Path(package.origin).parent / "axe.min.js").read_text(encoding="utf-8")
