"""Put into every lesson what is the same in all: signs of its parts, the way to the course, what a check needs.

Usage::

    python -m tools.alike                       all lessons, in place
    python -m tools.alike notebooks/04-*.ipynb  only these

No output changes, so nothing needs to be executed anew. Run it after new parts or exercises were written; a second
time it changes nothing. Markdown alone makes the look: a notebook that is not trusted would lose a style.
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from helpers.files import write_whole
from tools.execute import PREDICTION, ROOT, as_text, read

# How the first paragraph of a part begins. The Recap's own words stand there already, and get the sign alone.
SIGNS = {
    "Play": "**\N{BLACK RIGHT-POINTING TRIANGLE} Try it.** ",
    "Your turn": "**\N{LOWER RIGHT PENCIL} Write it.** ",
    "Recap": "**\N{BLACK SQUARE} Keep this:** ",
}
QUESTION = "> \N{BLACK DIAMOND} "  # before "Predict first", in a block of its own
PLAIN = {"Recap": "**Keep this:** "}  # what such a paragraph begins with before it has its sign
# JupyterLab opens it rendered, at its list of lessons.
COURSE = "[The course](../README.md#The-lessons)"
NEXT = re.compile(r" \N{MIDDLE DOT} (?=Next: )")
CHECK = re.compile(r"^check\(", re.M)
IMPORT = "from helpers import check, hint\n"  # a cell that was not solved yet names both


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.alike", description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="all lessons when left out")
    for path in parser.parse_args(arguments).notebooks or sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = read(path)
        for cell, source in zip(notebook.cells, sources_alike(notebook.cells), strict=True):
            cell.source = source
        text = as_text(notebook).encode()
        changed = text != path.read_bytes()
        if changed:
            write_whole(path, text)
        print(f"{path.name:32} {'written' if changed else 'unchanged'}")
    return 0


def sources_alike(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """Give the source of each cell as it should be.

    Parameters
    ----------
    cells : sequence of NotebookNode or dict
        Of a notebook, in order, which are not changed.

    Returns
    -------
    list of str
        One for each cell; where nothing is missing, its own.
    """
    sources = ["".join(cell["source"]) for cell in cells]
    texts = [*sources[1:], ""]
    if COURSE not in sources[0]:
        sources[0] = NEXT.sub(f" \N{MIDDLE DOT} {COURSE} \N{MIDDLE DOT} ", sources[0])
    return [
        _with_signs(source) if cell["cell_type"] == "markdown" else _with_imports(source, solution)
        for cell, source, solution in zip(cells, sources, texts, strict=True)
    ]


def _with_signs(markdown: str) -> str:
    """A text with the sign of its part, and with each question to predict in a block of its own."""
    paragraphs = markdown.split("\n\n")
    for i, paragraph in enumerate(paragraphs):
        if paragraph.startswith((PREDICTION, f"> {PREDICTION}")):
            quoted = re.sub(r"^(?!> )", "> ", paragraph, flags=re.M)
            paragraphs[i] = quoted.replace("> ", QUESTION, 1)
        name = paragraphs[i - 1].removeprefix("## ").split(":")[0] if i and paragraphs[i - 1].startswith("## ") else ""
        if name in SIGNS and not paragraph.startswith(SIGNS[name]):
            paragraphs[i] = SIGNS[name] + paragraph.removeprefix(PLAIN.get(name, ""))
    return "\n\n".join(paragraphs)


def _with_imports(code: str, solution: str) -> str:
    """A cell with a check, with what it needs to run alone; torch, where its solution, the cell below, takes it."""
    if not CHECK.search(code) or IMPORT in code:
        return code
    torch = "import torch\n\n" if "torch." in solution and "import torch" not in code else ""
    return f"{torch}{IMPORT}\n\n{code}"


if __name__ == "__main__":
    sys.exit(main())
