"""Lessons whose weights are missing or damaged: each cell that needs them says so in one line, and the others run."""

import os
from pathlib import Path
from types import ModuleType

import nbformat
import pytest
from nbclient import NotebookClient

from helpers.models import minilm, smollm
from tools.execute import ROOT

MISSING, DAMAGED = "must hold", "its SHA-256 differs"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lesson", "module", "reason"),
    [
        ("17-real-model", minilm, MISSING),
        ("18-real-language-model", smollm, MISSING),
        ("18-real-language-model", smollm, DAMAGED),
        ("19-what-its-heads-do", smollm, MISSING),
    ],
)
def test_each_cell_that_needs_them_says_so(lesson: str, module: ModuleType, reason: str, tmp_path: Path) -> None:
    if reason == DAMAGED:
        (tmp_path / module.FILE).write_bytes(b"damaged")
    notebook = nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4)
    NotebookClient(notebook, kernel_name="python3", allow_errors=True, timeout=120).execute(
        env=os.environ | {module.FOLDER: str(tmp_path), "PYTHONPATH": str(ROOT)}, cwd=tmp_path
    )
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    said = [output.traceback for output in outputs if output.output_type == "error"]
    assert len(said) > 10
    assert [lines for lines in said if len(lines) != 1 or reason not in lines[0]] == []
