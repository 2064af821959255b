"""What deserves a teacher's look. None of it is a proof, and none changes the points."""

import ast
import copy
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from helpers.wording import listed
from tools.grade.notebooks import Notebook

# Parts of a syntax tree from which on two answers are seldom alike by chance; the solutions have 7 to 114
NOT_TRIVIAL = 60
WITH_NAMES = 25  # and where they use the same names, of which at least two are the student's own
MOST_NAMED = 4  # of those who hand in the same code


def of_one(notebook: Notebook, solutions: Mapping[str, ast.AST]) -> list[str]:
    """Compare a notebook's answers with the course's own code.

    Parameters
    ----------
    notebook : Notebook
        As it was handed in.
    solutions : dict of ast.AST
        The course's solutions, by exercise.

    Returns
    -------
    list of str
        One remark an answer, neutrally worded.
    """
    found = []
    for name, answer in notebook.answers.items():
        solution = solutions.get(name)
        words = {part.attr for part in ast.walk(answer) if isinstance(part, ast.Attribute)}
        called = {part.id for part in ast.walk(answer) if isinstance(part, ast.Name)}
        if "reference" in words or "exercises" in words | called:
            found.append(f"{name}: asks the course itself for the answer")
        elif any(word.endswith("_solution") for word in called) or getattr(answer, "name", "").endswith("_solution"):
            found.append(f"{name}: hands in the course's own function")
        elif solution is not None and _forms(answer) & _forms(solution):
            found.append(f"{name}: the same code as the course's solution")
    return found


def own_forms(notebook: Notebook, solutions: Mapping[str, ast.AST]) -> dict[str, set[str]]:
    """Give the forms of a notebook's answers by which `alike` compares them; none of what the course itself holds."""
    forms = {name: _forms(answer) for name, answer in notebook.answers.items() if name in solutions}
    return {name: own for name, own in forms.items() if own and not own & _forms(solutions[name])}


def alike(forms: Mapping[str, Mapping[str, set[str]]]) -> dict[str, list[str]]:
    """Find the students whose answers are the same code, comments and perhaps names aside.

    Parameters
    ----------
    forms : dict of dict of set of str
        By student and exercise, as `own_forms` gives them.

    Returns
    -------
    dict of list of str
        Remarks, by student.
    """
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, answers in forms.items():
        for name, own in answers.items():
            for form in own:
                groups[name, form].append(student)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (name, _), students in groups.items():
        for student in students:
            found[student, name].update(other for other in students if other != student)
    remarks: dict[str, list[str]] = defaultdict(list)
    for (student, name), others in sorted(found.items()):
        if others:
            more = len(others) - MOST_NAMED
            named = sorted(others)[:MOST_NAMED] + ([f"{more} more"] if more > 0 else [])
            remarks[student].append(f"{name}: the same code as {listed(named)}")
    return remarks


def of_records(claimed: Sequence[str], right: Sequence[str], where: str) -> list[str]:
    """Compare what a record calls solved with what the answers show.

    Parameters
    ----------
    claimed, right : sequence of str
        Names of exercises: those that the record holds, and those whose answers were right.
    where : str
        What the record is called.

    Returns
    -------
    list of str
        None or one remark.
    """
    only = sorted(set(claimed) - set(right))
    return [f"{where} says solved, and the answers handed in do not show it: {listed(only)}"] if only else []


def claimed_in(data: bytes) -> list[str]:
    """Read the names in a progress file; none where it is not one."""
    try:
        names = json.loads(data)["solved"]
        return [name for name in names if isinstance(name, str)]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


def _forms(answer: ast.AST) -> set[str]:
    """The forms of an answer by which it is compared; none of one that is too short to say anything."""
    size = sum(1 for part in ast.walk(answer) if not isinstance(part, (ast.expr_context, ast.operator, ast.arguments)))
    given = {part.id for part in ast.walk(answer) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    forms = {normal(answer)} if size >= NOT_TRIVIAL else set()
    return forms | ({normal(answer, rename=False)} if size >= WITH_NAMES and len(given) >= 2 else set())


def normal(answer: ast.AST, rename: bool = True) -> str:
    """Write an answer so that comments, spaces, docstrings and hints of types make no difference.

    Parameters
    ----------
    answer : ast.AST
        A function, a lambda, or another expression.
    rename : bool
        Whether the names that it gives itself make none either.

    Returns
    -------
    str
        The same for answers that are the same code.
    """
    tree = copy.deepcopy(answer)
    if isinstance(tree, ast.FunctionDef):
        tree.name = "answer"
    own = {part.arg for part in ast.walk(tree) if isinstance(part, ast.arg)}
    own |= {part.id for part in ast.walk(tree) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    own |= {part.name for part in ast.walk(tree) if isinstance(part, ast.FunctionDef)}
    new: dict[str, str] = {} if rename else {name: name for name in own}
    for part in ast.walk(tree):
        if isinstance(part, ast.FunctionDef):
            part.name = new.setdefault(part.name, f"name{len(new)}")
            part.returns, part.decorator_list = None, []
            part.body = [one for one in part.body if not _is_text(one)] or part.body
        elif isinstance(part, ast.AnnAssign) and part.value is not None:
            part.annotation = ast.Constant(None)
        elif isinstance(part, ast.arg):
            part.arg = new.setdefault(part.arg, f"name{len(new)}")
            part.annotation = None
        elif isinstance(part, ast.Name) and part.id in own:
            part.id = new.setdefault(part.id, f"name{len(new)}")
    return ast.dump(tree)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
