"""Tell a function that nobody has written yet."""

import ast
import inspect
import textwrap
from tokenize import TokenError
from typing import Any


def is_stub(function: Any) -> bool:
    """Whether a function is still as the lesson gives it: its body is `...`, or does as little.

    Parameters
    ----------
    function : Any
        Any object that can be called.

    Returns
    -------
    bool
        Also False where there is no source to read, as of what `exec` has made: such a function is tried.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, ValueError, SyntaxError, TokenError):  # no source, or not a whole statement
        return False
    first = tree.body[0]
    if isinstance(first, ast.FunctionDef):
        return all(_does_nothing(statement) for statement in first.body)
    # The source of a lambda is the statement that it stands in, which may hold others.
    lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    return bool(lambdas) and all(_is_nothing(node.body) for node in lambdas)


def _does_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)  # a docstring or `...`
    if isinstance(statement, ast.Return):
        return _is_nothing(statement.value)
    if isinstance(statement, ast.Raise):  # what nbgrader puts in the place of a solution
        return statement.exc is not None and ast.unparse(statement.exc).rstrip("()") == "NotImplementedError"
    return isinstance(statement, ast.Pass)


def _is_nothing(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value in (None, ...))
