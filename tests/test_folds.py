"""What of a cell is closed on the website: imports and drawing, never the mathematics."""

import ast
import json
import re
import sys

import pytest
from website import DOCS, LESSONS

sys.path.insert(0, str(DOCS / "_extensions"))

from folds import drawing_names, parted, parts

DRAWING = {"matrix": "picture", "calculation": "live"}
IMPORTS = "import torch\n\nfrom helpers import matrix\nfrom helpers.live import x\n"


def kinds(code: str, in_play: bool = False) -> list[str]:
    return [kind for kind, _ in parts(code, DRAWING, in_play)]


def cells_of(lesson: str) -> list[dict]:
    cells = json.loads((DOCS.parent / "notebooks" / f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in cells]


def test_a_cell_that_only_imports_or_only_draws_is_closed() -> None:
    assert kinds("from helpers import check") == ["imports"]
    assert kinds("matrix(x, row_labels=['a', 'b'] * 2)") == ["picture"]
    assert kinds(f"{IMPORTS}matrix(x)") == kinds(f"{IMPORTS}x = real_map.load()\nmatrix(x)") == ["picture"]
    assert kinds("matrix(torch.stack([a, b]), groups=[[0] * 3])") == ["picture"]


def test_mathematics_stays_open() -> None:
    for code in ("x @ w", "fits = x @ w\nmatrix(fits)", "matrix(x @ w,\n       'fits')", "matrix(2 * x,\n  'twice')"):
        assert kinds(code) == [""], code
    assert kinds("scores = x @ w\nshares = scores.softmax(-1)\nmatrix(shares,\n       'shares')") == ["", "picture"]
    assert kinds("def attention(x):\n    return x\n\nmatrix(attention(x))") == [""]
    assert kinds("%pip install x") == [""]


def test_imports_above_other_code_are_closed_from_three_lines_on() -> None:
    assert kinds(f"{IMPORTS}x = torch.zeros(3)") == ["imports", ""]
    assert kinds("import torch\nx = torch.zeros(3)") == [""]


def test_in_play_a_cell_that_repeats_what_it_needs_is_closed_whole() -> None:
    code = "x = torch.eye(3) @ w\ncalculation(x, scale=False)"
    assert kinds(code, in_play=True) == ["live"] and kinds(code) == [""]


def test_outputs_stay_with_the_last_part_and_marks_of_the_notebook_stay() -> None:
    said = {"cell_type": "markdown", "metadata": {}, "source": "## Step 1"}
    code = "from helpers import matrix\n\na = x @ w\nmatrix(a,\n       'a')"
    cell = {"cell_type": "code", "id": "c", "metadata": {"tags": ["hide-output"]}, "outputs": [1], "source": code}
    solution = {**cell, "metadata": {"tags": ["hide-input", "solution"]}}
    text, first, last, kept = parted([said, cell, solution])
    assert text is said and kept is solution
    assert first["outputs"] == [] and first["metadata"]["tags"] == [] and first["source"].endswith("a = x @ w")
    assert last["outputs"] == [1] and last["metadata"]["tags"] == ["hide-output", "hide-input", "only-picture"]
    assert first["id"] != last["id"]


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_line_of_a_lesson_is_lost_and_no_mathematics_is_closed_outside_of_play(lesson: str) -> None:
    cells = cells_of(lesson)
    made = parted([{**cell, "metadata": {**cell["metadata"]}} for cell in cells])
    lines = [[line for cell in these for line in cell["source"].split("\n") if line.strip()] for these in (cells, made)]
    assert lines[0] == lines[1]
    play = next(i for i, cell in enumerate(made) if re.search("^## Play$", cell["source"], re.M))
    drawn = {"only-picture", "only-live"}
    closed = [cell for cell in made[:play] if drawn.intersection(cell["metadata"].get("tags", []))]
    assert closed
    assert drawing_names(cell["source"] for cell in cells if cell["cell_type"] == "code")
    for cell in closed:
        for node in ast.walk(ast.parse(cell["source"])):
            assert not isinstance(node, ast.FunctionDef | ast.For | ast.AugAssign | ast.Assert), cell["source"]
            assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)), cell["source"]
        assert not re.search(r"softmax\(", re.sub(r"\w+softmax\(|'.*?'|\".*?\"", "", cell["source"]))
