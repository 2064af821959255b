"""What is the same in all lessons is put once, and where it belongs."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import alike
from tools.execute import METADATA, as_text

CELLS = [
    new_markdown_cell("# 2. A: do\n\nBefore: [1](01-a.ipynb) \N{MIDDLE DOT} Next: [3](03-c.ipynb)", id="title"),
    new_markdown_cell("Some text.\n\n**Predict first.** What\ncomes out?\n\nMore text.", id="question"),
    new_markdown_cell("## Play\n\nDrag it.\n\nAgain.", id="play"),
    new_markdown_cell("## Recap: all of it\n\n**Keep this:** all.", id="recap"),
    new_code_cell('def f(x):\n    ...\n\n\ncheck("f", f)', id="check"),
    new_code_cell("def f_solution(x):\n    return torch.ones(x)", id="solution"),
]
WANTED = [
    f"# 2. A: do\n\nBefore: [1](01-a.ipynb) \N{MIDDLE DOT} {alike.COURSE} \N{MIDDLE DOT} Next: [3](03-c.ipynb)",
    "Some text.\n\n> \N{BLACK DIAMOND} **Predict first.** What\n> comes out?\n\nMore text.",
    "## Play\n\n**\N{BLACK RIGHT-POINTING TRIANGLE} Try it.** Drag it.\n\nAgain.",
    "## Recap: all of it\n\n**\N{BLACK SQUARE} Keep this:** all.",
    'import torch\n\nfrom helpers import check, hint\n\n\ndef f(x):\n    ...\n\n\ncheck("f", f)',
    CELLS[5].source,
]


def test_signs_link_and_imports_are_put_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "02-a.ipynb"
    path.write_text(as_text(new_notebook(cells=CELLS, metadata=METADATA)), encoding="utf-8")
    for said in ("written", "unchanged"):
        assert alike.main([str(path)]) == 0
        assert capsys.readouterr().out.split() == ["02-a.ipynb", said]
        assert [cell.source for cell in nbformat.read(path, as_version=4).cells] == WANTED


def test_torch_is_imported_where_a_solution_takes_it_alone() -> None:
    plain = alike.sources_alike([CELLS[4], new_code_cell("def f_solution(x):\n    return 2 * x")])
    assert plain[0].startswith("from helpers import check, hint\n\n\ndef f")
