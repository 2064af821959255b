"""Read notebooks of any version, and find in them which lesson it is, what was answered, and what answers need."""

import ast
import json
import re
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from helpers.exercises import exercises

LESSONS = Path(__file__).resolve().parents[2] / "notebooks"
SUFFIX = ".ipynb"
# Names that a notebook gets from a browser or a phone that "helps"
ALSO = (".json", ".txt", "")
TITLE = re.compile(r"^#\s+(\d+)\.\s+(.+?)\s*$", re.M)
CELL_MAGIC = re.compile(r"\A\s*%%(time|timeit|capture|prun)\b.*\n")
SOME_CELLS = 5  # with that many of its cells a notebook is a lesson, whatever its title has become


class NotANotebook(Exception):
    """A file that holds no notebook; says what it holds instead."""


@dataclass(frozen=True)
class Cell:
    """A cell, whatever version of the format it was written in."""

    kind: str
    source: str
    id: str = ""


@dataclass(frozen=True)
class Statement:
    """A statement at the top level of a cell, and how it hangs together with the others.

    Attributes
    ----------
    binds, replaces, changes : frozenset of str
        Global names that it gives a value, those that had none of their own before, as far as it matters, and those
        whose value it changes, as `table[0] = 1` does.
    uses, later : frozenset of str
        Global names that it uses at once, and those that its functions use when they are called.
    checks, defines_check, imports : bool
        Whether it checks an exercise, defines a function that does, or is an import.
    """

    binds: frozenset[str]
    replaces: frozenset[str]
    changes: frozenset[str]
    uses: frozenset[str]
    later: frozenset[str]
    checks: bool
    defines_check: bool
    imports: bool


class Notebook:
    """The cells of a notebook, and what can be known of it without running anything.

    Parameters
    ----------
    cells : sequence of Cell
        All of them, in order.
    language : str
        That the notebook names, such as "python", or "".
    """

    def __init__(self, cells: Sequence[Cell], language: str = "") -> None:
        self.cells = list(cells)
        self.language = language

    @cached_property
    def code(self) -> list[str]:
        """The code cells."""
        return [cell.source for cell in self.cells if cell.kind == "code"]

    @cached_property
    def python(self) -> list[str]:
        """The code cells without magics, line for line."""
        return [_python(source) for source in self.code]

    @cached_property
    def trees(self) -> list[ast.Module | None]:
        """The code cells as Python understands them; None for one that it does not."""
        return [_tree(source) for source in self.python]

    @property
    def broken(self) -> list[tuple[int, str]]:
        """Number and text of the code cells that are no Python, of which nothing runs."""
        return [(number, self.python[number]) for number, tree in enumerate(self.trees) if tree is None]

    @cached_property
    def checked(self) -> list[str]:
        """The names that are checked, also those that the course does not know."""
        return [name for call in self._checks() if (name := _first_text(call))]

    @cached_property
    def lessons(self) -> list[int]:
        """The lessons that this notebook is, or holds at least half of."""
        known = exercises()
        title = self._title()
        counts = dict.fromkeys((exercise.lesson for exercise in known.values()), 0)
        for name in dict.fromkeys(self.checked):
            if name in known:
                counts[known[name].lesson] += 1
        total = {lesson: sum(one.lesson == lesson for one in known.values()) for lesson in counts}
        found = {lesson for lesson, count in counts.items() if count and 2 * count >= total[lesson]}
        if title:
            found.add(title)
        if not found and any(counts.values()):
            found.add(max(counts, key=lambda lesson: counts[lesson]))
        return sorted(found)

    def _title(self) -> int | None:
        """The lesson that the heading or the cells belong to; a title alone could be that of another course."""
        text = "\n".join(cell.source for cell in self.cells if cell.kind == "markdown")
        titles = {(int(number), words.casefold()) for number, words in TITLE.findall(text)}
        ids = {cell.id for cell in self.cells if cell.id}
        best, most = None, SOME_CELLS - 1
        for number, lesson in course().items():
            shared = len(ids & {cell.id for cell in lesson.cells})
            if any((number, words) in titles for words in _titles(lesson)):
                return number
            if shared > most:
                best, most = number, shared
        return best

    @cached_property
    def answers(self) -> dict[str, ast.AST]:
        """For each exercise that is checked, the function or expression that is handed to the last check."""
        found: dict[str, ast.AST] = {}
        defined = self._definitions()
        for call in self._checks():
            name = _first_text(call)
            given = call.args[1] if len(call.args) > 1 else None
            if name and given is not None:
                found[name] = defined.get(given.id, given) if isinstance(given, ast.Name) else given
        return found

    def defined(self, name: str) -> ast.AST | None:
        """Give the last function of this name that is defined in a cell."""
        return self._definitions().get(name)

    def _definitions(self) -> dict[str, ast.AST]:
        found: dict[str, ast.AST] = {}
        for tree in filter(None, self.trees):
            for node in tree.body:
                if isinstance(node, ast.FunctionDef):
                    found[node.name] = node
                elif isinstance(node, ast.Assign) and isinstance(node.value, (ast.Lambda, ast.Name)):
                    value = found.get(node.value.id, node.value) if isinstance(node.value, ast.Name) else node.value
                    found.update({target.id: value for target in node.targets if isinstance(target, ast.Name)})
        return found

    def _checks(self) -> Iterator[ast.Call]:
        for tree in filter(None, self.trees):
            yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_check(node))

    def needed(self) -> list[tuple[int, ast.stmt]]:
        """Pick what checks need: imports, the checks, and all that defines or changes a name which these use.

        Returns
        -------
        list of (int, ast.stmt)
            Number of the code cell, from 0, and statement, in the order of the notebook.
        """
        places = [(cell, node) for cell, tree in enumerate(self.trees) if tree for node in tree.body]
        statements = [_statement(node) for _, node in places]
        testers = {name for one in statements if one.defines_check for name in one.binds}  # def test(): check(...)
        checks = [number for number, one in enumerate(statements) if one.checks or one.uses & testers]
        chosen = {number for number, one in enumerate(statements) if one.imports}.union(checks)
        for number in checks:
            chosen |= _needed_by(number, statements)
        return [places[number] for number in sorted(chosen)]


# --- the file ---


def may_be_notebook(name: str, data: bytes) -> bool:
    """Tell by its name, or by its beginning where the name has been changed, whether a file may be a notebook."""
    suffix = Path(name).suffix.lower()
    if suffix == SUFFIX:
        return True
    if suffix not in ALSO:
        return False
    text = _decode(data[:200_000] + data[-20_000:])
    return text.lstrip().startswith("{") and '"nbformat"' in text and ('"cells"' in text or '"worksheets"' in text)


def read(data: bytes) -> Notebook:
    """Read a notebook of any version; what front ends disagree about is left out.

    Parameters
    ----------
    data : bytes
        The whole file.

    Returns
    -------
    Notebook
        Its cells.

    Raises
    ------
    NotANotebook
        The file holds something else.
    """
    text = _decode(data)
    if not text.strip("\0 \t\r\n"):
        raise NotANotebook("is empty")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        broken = text.lstrip().startswith("{") and '"cells"' in text
        raise NotANotebook(
            "is broken off or damaged: it is not valid JSON" if broken else "is not a notebook"
        ) from None
    if not isinstance(content, dict):
        raise NotANotebook("is not a notebook")
    sheets = content.get("worksheets")  # version 3 and older
    raw = content.get("cells") if isinstance(content.get("cells"), list) else None
    if raw is None and isinstance(sheets, list):
        raw = [cell for sheet in sheets if isinstance(sheet, dict) for cell in sheet.get("cells") or []]
    if raw is None:
        raise NotANotebook("is not a notebook: it has no cells")
    try:
        language = str(content["metadata"]["kernelspec"]["language"]).lower()
    except (KeyError, TypeError):
        language = ""
    return Notebook([_cell(cell) for cell in raw if isinstance(cell, dict)], language)


def _cell(cell: dict[str, Any]) -> Cell:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(map(str, source))
    kind = str(cell.get("cell_type"))
    return Cell(
        "markdown" if kind == "heading" else kind, source if isinstance(source, str) else "", str(cell.get("id") or "")
    )


def _decode(data: bytes) -> str:
    """Text of a file, whatever program has stored it."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data[:4]:
        return data.decode("utf-16-be" if data[:1] == b"\0" else "utf-16-le", "replace")
    return data.decode("utf-8", "replace")


# --- the code ---


@lru_cache(maxsize=1)
def course() -> dict[int, Notebook]:
    """Read the lessons themselves, by number."""
    paths = sorted(LESSONS.glob("[0-9][0-9]-*.ipynb"))
    return {int(path.name[:2]): read(path.read_bytes()) for path in paths}


def solutions() -> dict[str, ast.AST]:
    """Find the course's own solutions in the lessons, by the name of the exercise."""
    found = {}
    for name, exercise in exercises().items():
        lesson = course().get(exercise.lesson)
        solution = lesson.defined(f"{name}_solution") if lesson else None
        if solution is not None:
            found[name] = solution
    return found


def _titles(lesson: Notebook) -> list[str]:
    text = "\n".join(cell.source for cell in lesson.cells if cell.kind == "markdown")
    return [words.casefold() for _, words in TITLE.findall(text)]


def _python(source: str) -> str:
    """Turn a cell into Python: its magics become calls, as IPython makes them."""
    source = CELL_MAGIC.sub("\n", source)
    if _tree(source) is not None:
        return source
    from IPython.core.inputtransformer2 import TransformerManager  # half a second, and few cells need it

    try:
        return TransformerManager().transform_cell(source)
    except (SyntaxError, ValueError):
        return source


def _tree(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_check(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    return (isinstance(called, ast.Name) and called.id == "check") or (
        isinstance(called, ast.Attribute) and called.attr == "check"
    )


def _first_text(call: ast.Call) -> str:
    first = call.args[0] if call.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _needed_by(check: int, statements: Sequence[Statement]) -> set[int]:
    """The statements before a check that make what it uses what it is then."""
    at_check = set(statements[check].uses | statements[check].later)
    while True:
        wanted, chosen = set(at_check), set()
        later: set[str] = set()
        for number in range(check - 1, -1, -1):
            one = statements[number]
            if (one.binds | one.changes) & wanted:
                chosen.add(number)
                wanted -= one.replaces
                wanted |= one.uses | one.later
                later |= one.later
        if later <= at_check:
            return chosen
        at_check |= later  # what a function uses may also have been defined after it


def _statement(node: ast.stmt) -> Statement:
    binds, uses, later = _names(node)
    changes = set()
    for part in ast.walk(node):
        if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store):
            changes.add(_base(part))
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):  # names.append(...)
            changes.add(_base(part.value.func))
    replaces = (
        binds if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.Import, ast.ImportFrom)) else set()
    )
    has_check = any(map(_is_check, ast.walk(node)))
    defines = isinstance(node, (ast.FunctionDef, ast.ClassDef))
    return Statement(
        frozenset(binds),
        frozenset(replaces),
        frozenset(changes - {""}),
        frozenset(uses),
        frozenset(later),
        checks=has_check and not defines,
        defines_check=has_check and defines,
        imports=isinstance(node, (ast.Import, ast.ImportFrom)),
    )


def _base(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _names(node: ast.stmt) -> tuple[set[str], set[str], set[str]]:
    """The global names that a statement binds, that it uses at once, and that its functions use when called."""
    binds: set[str] = set()
    uses: set[str] = set()
    later: set[str] = set()
    try:
        table = symtable.symtable(ast.unparse(node), "cell", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return binds, uses, later
    waiting = [(table, uses)]
    while waiting:
        scope, used = waiting.pop()
        deferred = scope.get_type() == "function" and not scope.get_name().endswith(("comp", "genexpr"))
        used = later if deferred else used
        waiting += [(child, used) for child in scope.get_children()]
        for symbol in scope.get_symbols():
            if scope is not table and not symbol.is_global():
                continue
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                binds.add(symbol.get_name())
            if symbol.is_referenced():
                used.add(symbol.get_name())
    return binds, uses, later
