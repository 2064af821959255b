"""Code that a page of the site shows to those who ask for it: imports, and what only draws.

Who reads on the site comes for the mathematics and its pictures, and runs nothing there. So a cell is parted into what
it imports at its start, what it calculates, and the call at its end that only draws; the first and the last are closed,
and outputs stay in view. A cell of *Play*, which repeats what it needs, is closed whole. Which is which is read from
the code itself, so that a lesson needs no marks.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode

import helpers
from helpers.wording import counted

FEWEST_IMPORTS = 3  # lines above other code that are worth closing; a cell of imports alone always is
FEWEST_LINES = 2  # of drawing below other code
# What a part is -> the words on what opens it; the keys stand in the tags of a cell, as "only-imports"
NAMES = {"imports": "Imports", "picture": "Code of this picture", "live": "Code of this part"}
IMPORTS = (ast.Import, ast.ImportFrom)
# Calls and operators that arrange what is there, and calculate nothing
ARRANGES = {"cat", "int", "items", "join", "list", "range", "replace", "split", "stack", "str", "tensor", "values"}
PLAIN = (ast.List, ast.Tuple, ast.ListComp, ast.JoinedStr)  # what + and * put together, and do not add or multiply


def drawing_names(codes: Iterable[str]) -> dict[str, str]:
    """What the cells of a lesson import to draw -> "picture", or "live" for what answers the hand."""
    rooms = {"helpers.drawing": "picture", "helpers.live": "live"}
    found = {}
    for node in (node for code in codes for node in ast.walk(_parsed(code)) if isinstance(node, ast.ImportFrom)):
        for alias in node.names:
            # What helpers itself passes on is of a module below it.
            made_in = getattr(getattr(helpers, alias.name, None), "__module__", "")
            module = made_in if node.module == "helpers" else node.module or ""
            room = ".".join(module.split(".")[:2])
            if room in rooms:
                found[alias.asname or alias.name] = rooms[room]
    return found


def parts(code: str, drawing: dict[str, str], in_play: bool) -> Iterator[tuple[str, str]]:
    """(what it is, code) of each part of a cell, in order: a key of `NAMES`, or "" for what stays open.

    Parameters
    ----------
    code : str
        The source of the cell.
    drawing : dict of str to str
        The names that draw, as `drawing_names` gives them.
    in_play : bool
        Whether the cell stands in *Play*, where each repeats what it needs, so that it runs alone.
    """
    body, lines = _parsed(code).body, code.split("\n")
    n_imports = next((i for i, node in enumerate(body) if not isinstance(node, IMPORTS)), len(body))
    if body and n_imports == len(body):
        yield "imports", code
        return
    what = drawing.get(_called(body[-1]), "") if body else ""
    if what and (in_play or all(map(_brings, body[:-1]))):
        yield what, code
        return
    head = _end(body, n_imports)
    head = head if n_said(lines[:head]) >= FEWEST_IMPORTS else 0
    tail = _end(body, len(body) - 1) if what else len(lines)
    tail = tail if n_said(lines[tail:]) >= FEWEST_LINES else len(lines)
    for kind, part in (("imports", lines[:head]), ("", lines[head:tail]), (what, lines[tail:])):
        if n_said(part):
            yield kind, "\n".join(part).strip("\n")


def parted(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells of a lesson, with a cell for each part of those that have several, and tags on what is closed."""
    codes = [cell["source"] if cell["cell_type"] == "code" else "" for cell in cells]
    drawing = drawing_names(codes)
    made, in_play = [], False
    for i, cell in enumerate(cells):
        for heading in re.findall("^## (.+)", "" if codes[i] else cell["source"], re.M):
            in_play = heading == "Play"
        tags = cell["metadata"].get("tags", [])
        if not codes[i] or "hide-input" in tags:
            made.append(cell)
            continue
        found = list(parts(codes[i], drawing, in_play))
        for number, (kind, code) in enumerate(found, 1):
            closed = ["hide-input", f"only-{kind}"] if kind else []
            if number == len(found):
                cell["source"] = code
                cell["metadata"]["tags"] = [*tags, *closed]
                made.append(cell)
            else:
                # A part is a cell of its own, without outputs: they stand below the last.
                part = {"id": f"{cell['id']}-{number}", "metadata": {"tags": closed}, "outputs": []}
                made.append({**cell, **part, "source": code})
    return made


def name_what_opens(doctree: nodes.document) -> None:
    """Give each closed part the line that says what it is; a solution and an answer keep theirs."""
    for closed in doctree.findall(HideCodeCellNode):
        kinds = [tag.removeprefix("tag_only-") for tag in closed.parent["classes"] if tag.startswith("tag_only-")]
        if kinds and "above-input" in closed["classes"]:
            said = f"{NAMES[kinds[0]]}, {counted(n_said(closed.astext().splitlines()), 'line')}"
            closed["prompt_show"] = closed["prompt_hide"] = said
            closed["classes"] = ["folded"]


def n_said(lines: Iterable[str]) -> int:
    """How many lines of code there are, without those that are empty."""
    return sum(bool(line.strip()) for line in lines)


def _parsed(code: str) -> ast.Module:
    try:
        return ast.parse(code)
    except SyntaxError:  # such as %pip
        return ast.Module([], [])


def _end(body: list[ast.stmt], n: int) -> int:
    """The line that ends the first n statements, from 1; 0 for none."""
    return (body[n - 1].end_lineno or 0) if n else 0


def _called(statement: ast.stmt) -> str:
    """The name of the function that a statement calls and shows the result of; "" where it does not."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    is_plain = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
    return value.func.id if is_plain and not _calculates(value, value.func.id) else ""


def _brings(statement: ast.stmt) -> bool:
    """Whether a statement imports something, or loads what is stored."""
    value = getattr(statement, "value", None)
    return isinstance(statement, IMPORTS) or getattr(getattr(value, "func", None), "attr", "") == "load"


def _calculates(tree: ast.expr, drawn_by: str = "") -> bool:
    """Whether there is any mathematics: an operator on numbers, or a call that does more than to arrange."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and not (_is_plain(node.left) or _is_plain(node.right)):
            return True
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name != drawn_by and name not in ARRANGES:
                return True
    return False


def _is_plain(node: ast.expr) -> bool:
    return isinstance(node, PLAIN) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
