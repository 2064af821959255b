"""Write into lessons and README what other front ends than JupyterLab need, and the course's address where it is set.

Usage::

    python -m tools.front_ends            write it
    python -m tools.front_ends --check    write nothing; fail where something is out of date

In each lesson: a sentence above the first import, for those who open the notebook without the course, and the marks by
which Colab and Kaggle keep a solution closed, as JupyterLab does. In the README: buttons, once pyproject.toml says
where the course lives (tools/address.py).
"""

import argparse
import json
import re
import sys
from typing import Any

from helpers.files import write_whole
from tools.address import ROOT, archive, binder, codespace, colab, in_project

# What closes a cell of code: in Colab the first, together with a title in the code, and in Kaggle the second.
CLOSED = {"cellView": "form", "_kg_hide-input": True}
TITLE = "# @title "  # Colab shows it in place of the code
BUTTONS = re.compile(r"(?<=<!-- buttons -->\n).*?(?=<!-- end of buttons -->)", re.S)
_FIRST_WORDS = "# No module named helpers?"
_TITLE_LINE = re.compile(rf"\A(?:{re.escape(TITLE)}.*\n)?")
_NOTE = re.compile(rf"^{re.escape(_FIRST_WORDS)}.*\n", re.M)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0, or 1 when --check found something out of date.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.front_ends", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail where something is out of date")
    options = parser.parse_args(arguments)
    address = in_project()
    changed = []
    for path in [*sorted((ROOT / "notebooks").glob("*.ipynb")), ROOT / "README.md"]:
        stored = path.read_text(encoding="utf-8")
        wanted = of_readme(stored, address) if path.name == "README.md" else of_file(stored, address)
        if wanted != stored:
            changed.append(path.name)
            if not options.check:
                write_whole(path, wanted.encode())
    for name in changed:
        print(f"{name} {'is out of date: python -m tools.front_ends' if options.check else 'written'}")
    return 1 if options.check and changed else 0


def note(address: str | None) -> str:
    """Say what to do where a notebook has been opened without the course.

    Parameters
    ----------
    address : str or None
        Of the repository, where it is set.

    Returns
    -------
    str
        A line of comment, with its line break.
    """
    package = "-e .." if address is None else archive(address)  # the folder above the notebook's, or all of it
    return f"{_FIRST_WORDS} Run %pip install {package} in a new cell and restart the kernel.\n"


def without_note(source: str) -> str:
    """Give a cell's code without what :func:`note` says."""
    return _NOTE.sub("", source, count=1)


def of_file(text: str, address: str | None) -> str:
    """Give the text of a notebook's file with what other front ends need; all else in it stays as it is."""
    notebook = json.loads(text)
    of_lesson(notebook, address)
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def of_lesson(notebook: dict[str, Any], address: str | None) -> None:
    """Put the sentence and the marks into a notebook, which is changed.

    Parameters
    ----------
    notebook : dict
        As JSON holds it.
    address : str or None
        Of the repository, where it is set.
    """
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in code:
        if is_closed(cell):
            cell["metadata"] |= CLOSED
            title = re.sub(r"\A#\s*(@title\s+)?", "", _source(cell))
            _set_source(cell, TITLE + title)
    # Below a title, which must come first
    noted = _TITLE_LINE.sub(lambda found: found[0] + note(address), without_note(_source(code[0])), count=1)
    _set_source(code[0], noted)


def is_closed(cell: dict[str, Any]) -> bool:
    """Tell whether a cell's code is closed in JupyterLab until a reader opens it."""
    return bool(cell["metadata"].get("jupyter", {}).get("source_hidden"))


def of_readme(text: str, address: str | None) -> str:
    """Give the README with the buttons that belong to an address, and with none where there is none."""
    buttons = ""
    if address is not None:
        buttons = (
            f"Nothing to install: [open lesson 1 on Binder]({binder(address)}), [in Google Colab]({colab(address)}) or "
            f"[the course in a GitHub codespace]({codespace(address)}). To keep: [everything as a ZIP file]"
            f"({archive(address)}), or `git clone {address}.git`.\n"
        )
    return BUTTONS.sub(lambda _: buttons, text)


def _source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def _set_source(cell: dict[str, Any], text: str) -> None:
    """As text or as lines, as it was."""
    cell["source"] = text if isinstance(cell["source"], str) else text.splitlines(keepends=True)


if __name__ == "__main__":
    sys.exit(main())
