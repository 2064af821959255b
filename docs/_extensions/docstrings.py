"""Docstrings are written to be read in the source; here they become what napoleon and reStructuredText expect."""

import re
from typing import Any

from sphinx.application import Sphinx


def prepare(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    text = "\n".join(lines)
    # An indented block holds commands or an example, line by line.
    text = re.sub(r"[.:]\n\n(?=    \S)", "::\n\n", text) if what == "module" else text
    # After the parameters a sentence says what returns; it is no further parameter.
    text = re.sub(r"\n\nReturns (?=\S)", "\n\nResult\n------\nReturns ", text)
    lines[:] = text.split("\n")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", prepare, priority=400)  # before napoleon
    return {"parallel_read_safe": True, "parallel_write_safe": True}
