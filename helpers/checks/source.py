"""Read the learner's own code: where it stands, what it names, and how it does with a change."""

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tokenize import TokenError
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import torch

LONGEST_QUOTE = 70  # characters of the learner's code in a message
_DATA = (torch.Tensor, np.ndarray, bool, int, float, str, list, tuple, dict)


class Place(NamedTuple):
    """Where a node hangs in the tree: in a field of its parent, and at which place where the field is a list."""

    parent: ast.AST
    field: str
    number: int | None
    node: Any

    def set(self, node: Any) -> None:
        """Hang another node there."""
        if self.number is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.number] = node


@dataclass
class Source:
    """The source of a function.

    Attributes
    ----------
    function : function
        The learner's.
    text : str
        Its source, without the indentation of its first line.
    tree : ast.FunctionDef
        The same, parsed; a lambda is made one with a `return`.
    arguments : list of str
        Names of its arguments.
    """

    function: FunctionType
    text: str
    tree: ast.FunctionDef
    arguments: list[str]

    @property
    def places(self) -> list[Place]:
        """All nodes of the body, from the top."""
        return [place for statement in _hung(self.tree, "body", self.tree.body) for place in _below(statement)]

    @property
    def variables(self) -> list[str]:
        """Names of arguments and of what the body sets."""
        stored = [node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and _is_set(node)]
        return list(dict.fromkeys([*self.arguments, *stored]))

    @property
    def of_the_notebook(self) -> list[str]:
        """Names of the notebook's variables (numbers, tensors, lists) that the body reads."""
        own, known = set(self.variables), self.function.__globals__
        read = [node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and not _is_set(node)]
        of_others = [name for name in read if name not in own and not hasattr(builtins, name)]
        return list(dict.fromkeys(name for name in of_others if isinstance(known.get(name), _DATA)))

    @property
    def unused(self) -> list[str]:
        """Names of the arguments that the body never reads."""
        read = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and not _is_set(node)}
        return [name for name in self.arguments if name not in read]

    def parent_of(self, node: ast.AST) -> ast.AST | None:
        """What a node hangs in."""
        for above in ast.walk(self.tree):
            if any(below is node for below in ast.iter_child_nodes(above)):
                return above
        return None

    def quote(self, node: ast.AST) -> str:
        """A piece of the learner's code in backticks, with the number of its line: "`x.sum(0)` in line 3"."""
        text = ast.get_source_segment(self.text, node) or ""
        if not text or "\n" in text or len(text) > LONGEST_QUOTE or "`" in text:
            return self.line(node)
        return f"`{text}` in {self.line(node)}"

    def line(self, node: ast.AST) -> str:
        """The number of a line as the notebook counts: "line 3"."""
        return f"line {getattr(node, 'lineno', 1) + self.function.__code__.co_firstlineno - 1}"

    def compiled(self) -> Callable[..., Any]:
        """The function as the tree now is."""
        module = ast.Module([self.tree], type_ignores=[])
        names = dict(self.function.__globals__)
        names.update(zip(self.function.__code__.co_freevars, _cells(self.function), strict=False))
        exec(compile(module, self.function.__code__.co_filename, "exec"), names)
        return names[self.tree.name]


@contextmanager
def changed(edits: list[tuple[Place, Any]]) -> Iterator[None]:
    """Hang other nodes at some places, and the old ones again afterwards."""
    for place, node in edits:
        for new in node if isinstance(node, list) else [node]:
            _locate(new)
        place.set(node)
    try:
        yield
    finally:
        for place, _ in reversed(edits):
            place.set(place.node)


def source_of(function: Any) -> Source | None:
    """The source of a function; None where there is none to read, or where a decorator changes it.

    Parameters
    ----------
    function : Any
        What the learner hands in.

    Returns
    -------
    Source or None
        The source, parsed.
    """
    if not isinstance(function, FunctionType) or inspect.isgeneratorfunction(function):
        return None
    try:
        text = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(text).body[0]
    except (OSError, TypeError, ValueError, SyntaxError, TokenError, IndexError):
        return None
    arguments = [*inspect.signature(function).parameters]
    if isinstance(tree, ast.FunctionDef) and not tree.decorator_list:
        return Source(function, text, tree, arguments)
    lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    if len(lambdas) != 1:
        return None
    made = ast.parse("def made(): return ...").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.args, made.body = lambdas[0].args, [ast.Return(lambdas[0].body)]
    ast.fix_missing_locations(made)
    return Source(function, text, made, arguments)


def _locate(node: ast.AST) -> None:
    """Give new nodes a line, which Python asks for; those of the learner have theirs."""
    if hasattr(node, "lineno"):
        return
    if "lineno" in node._attributes:
        node.lineno = node.end_lineno = 1  # type: ignore[attr-defined]
        node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    for inner in ast.iter_child_nodes(node):
        _locate(inner)


def _hung(parent: ast.AST, field: str, nodes: list[Any]) -> list[Place]:
    return [Place(parent, field, i, node) for i, node in enumerate(nodes) if isinstance(node, ast.AST)]


def _below(place: Place) -> Iterator[Place]:
    yield place
    for field, value in ast.iter_fields(place.node):
        if isinstance(value, list):
            for inner in _hung(place.node, field, value):
                yield from _below(inner)
        elif isinstance(value, ast.AST):
            yield from _below(Place(place.node, field, None, value))


def _is_set(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _cells(function: FunctionType) -> list[Any]:
    found = []
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # not set yet
            found.append(None)
    return found
