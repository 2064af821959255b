"""Find the place of a mistake in the learner's own code: change one thing, and see whether the function is then right.

A slip is named only where the function, changed at this place, gives the right result on every case, so what is said of
it is true. The change itself is not told: only where it is, and what to think about there.
"""

import ast
import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from typing import Any, NamedTuple

import torch

from helpers.checks import shared_messages as messages
from helpers.checks.compare import Incomparable, comparable, same, wrong_kind
from helpers.checks.exercise import Arguments
from helpers.checks.sandbox import call
from helpers.checks.source import LONGEST_QUOTE, Place, Source, changed, source_of
from helpers.checks.trial import Attempt, Trial
from helpers.checks.verdict import Finding

MOST_EDITS = 800  # tried in one search
SECONDS = 0.5  # of a processor, for one search: only slow functions come that far
MOST_COMBINATIONS = 700

Changes = list[tuple[Place, Any]]


class Edit(NamedTuple):
    """A change to the code, and what is said where it makes the function right."""

    changes: Changes
    finding: Finding


def slip_of_python(attempt: Attempt) -> Finding | None:
    """A slip of Python or of torch, such as `d**1/2`, which has nothing to do with the lesson; None where none is."""
    source = source_of(attempt.function)
    if source is None:
        return None
    signs = (_leaves_a_loop, _compares_only, _only_the_last, _takes_a_pair)
    never_meant = next(itertools.chain.from_iterable(sign(source) for sign in signs), None)
    return never_meant or _search(attempt, source, _SLIPS)


def from_outside(attempt: Attempt) -> Finding | None:
    """Something that should come from the arguments, but is written out, or read in the notebook; None otherwise."""
    source = source_of(attempt.function)
    return None if source is None else _search(attempt, source, _FROM_OUTSIDE)


def wrong_place(attempt: Attempt) -> Finding | None:
    """The one place of the code where a change makes the function right; None where there is no such place."""
    source = source_of(attempt.function)
    return None if source is None else _search(attempt, source, _PLACES)


def notebook_variable(attempt: Attempt) -> Finding | None:
    """A tensor or a list of the notebook that the function reads beside its arguments."""
    source = source_of(attempt.function)
    if source is None:
        return None
    known = attempt.function.__globals__
    tensors = [name for name in source.of_the_notebook if isinstance(known[name], (torch.Tensor, list))]
    return messages.notebook_variable(tensors[0]) if tensors else None


def unused_argument(attempt: Attempt) -> Finding | None:
    """Arguments that the function never reads, though the reference does."""
    source = source_of(attempt.function)
    if source is None or len(source.arguments) != len(attempt.exercise.arguments):
        return None
    return messages.unused(source.unused) if source.unused else None


def returns_sometimes(function: Any) -> bool:
    """Whether there is a `return` with a value somewhere in a function."""
    source = source_of(function)
    return source is not None and any(isinstance(node, ast.Return) and node.value for node in ast.walk(source.tree))


def writes_out(function: Any, size: int) -> bool:
    """Whether a size is written out as a number in a function; True where its code cannot be read."""
    source = source_of(function)
    return source is None or any(_value(place) == size for place in _of_type(source, ast.Constant))


def _search(attempt: Attempt, source: Source, kinds: Iterable[Callable[[Attempt, Source], Iterator[Edit]]]) -> Any:
    def search() -> Finding | None:
        end = time.process_time() + SECONDS
        edits = itertools.chain.from_iterable(kind(attempt, source) for kind in kinds)
        for edit in itertools.islice(edits, MOST_EDITS):
            if time.process_time() > end:
                return None
            if _mends(attempt, source, edit.changes):
                return edit.finding
        return None

    return call(search, (), attempt.budget).value


def _mends(attempt: Attempt, source: Source, changes: Changes) -> bool:
    with changed(changes):
        try:
            function = source.compiled()
        except (SyntaxError, ValueError, TypeError):
            return False
    right = sorted((trial for trial in attempt.trials if trial.right), key=lambda trial: trial.size)
    if not all(_is_right(function, trial, _copied(trial.arguments)) for trial in [*attempt.wrong, *right]):
        return False
    # Once more on fresh inputs: a copy has its numbers one after the other, which not all inputs have.
    fresh = attempt.exercise.draw_cases()
    return all(_is_right(function, trial, given) for trial, given in zip(attempt.trials, fresh, strict=True))


def _is_right(function: Callable[..., Any], trial: Trial, given: Arguments) -> bool:
    try:
        got = comparable(function(*given), trial.want)
        return wrong_kind(got, trial.want) is None and same(got, trial.want)
    except (Incomparable, Exception):
        return False


def _copied(arguments: Arguments) -> Arguments:
    return tuple(value.clone() if isinstance(value, torch.Tensor) else copy(value) for value in arguments)


# --- slips that are never meant, so that nothing has to be tried ---


def _leaves_a_loop(source: Source) -> Iterator[Finding]:
    for loop in ast.walk(source.tree):
        if isinstance(loop, ast.For | ast.While) and isinstance(loop.body[-1], ast.Return):
            yield messages.return_in_loop(source.line(loop.body[-1]))


def _compares_only(source: Source) -> Iterator[Finding]:
    for statement in ast.walk(source.tree):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Compare):
            yield messages.compared(source.quote(statement))


_PAIRS = {"max", "min", "median", "mode", "sort", "topk", "kthvalue"}


def _takes_a_pair(source: Source) -> Iterator[Finding]:
    """`x.max(dim)` in a calculation or between square brackets, where one tensor is needed."""
    for place in source.places:
        in_a_calculation = isinstance(place.parent, ast.BinOp | ast.Compare | ast.UnaryOp)
        picks = isinstance(place.parent, ast.Subscript) and place.field == "slice"
        if (in_a_calculation or picks) and _gives_a_pair(place.node):
            yield messages.pair(source.quote(place.node))


def _gives_a_pair(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Attribute(_, "sort" | "topk" | "kthvalue")):
            return True
        case ast.Call(ast.Attribute(ast.Name("torch"), name), arguments, keywords) if name in _PAIRS:
            axes = arguments[1:]
        case ast.Call(ast.Attribute(_, name), axes, keywords) if name in _PAIRS:
            pass
        case _:
            return False
    named = any(keyword.arg in ("dim", "axis") for keyword in keywords)
    return named or any(_whole_number(axis) is not None for axis in axes[:1])


def _only_the_last(source: Source) -> Iterator[Finding]:
    """A variable that each turn of a loop sets anew, that none reads, and that is read afterwards."""
    for loop in ast.walk(source.tree):
        if isinstance(loop, ast.For):
            read = {node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
            for statement in loop.body:
                match statement:
                    case ast.Assign([ast.Name(name)]) if name not in read and _is_read_below(source, name, loop):
                        yield messages.only_the_last(source.line(statement), name)


def _is_read_below(source: Source, name: str, loop: ast.For) -> bool:
    end = loop.end_lineno or 0
    reads = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == name]
    return any(node.lineno > end and isinstance(node.ctx, ast.Load) for node in reads)


# --- slips of Python and torch ---


def _of_type(source: Source, *types: type[ast.AST]) -> list[Place]:
    return [place for place in source.places if isinstance(place.node, types)]


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _powers(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.BinOp):
        match place.node:
            case ast.BinOp(ast.BinOp(base, ast.Pow(), exponent), ast.Div(), divisor):
                root: ast.expr = ast.BinOp(base, ast.Pow(), ast.BinOp(exponent, ast.Div(), divisor))
            case ast.BinOp(ast.BinOp(left, op, ast.BinOp(base, ast.Pow(), exponent)), ast.Div(), divisor):
                root = ast.BinOp(left, op, ast.BinOp(base, ast.Pow(), ast.BinOp(exponent, ast.Div(), divisor)))
            case _:
                continue
        yield Edit([(place, root)], messages.power_first(source.quote(place.node)))


def _logic(attempt: Attempt, source: Source) -> Iterator[Edit]:
    found: Changes = []
    for place in reversed(source.places):  # from within, so that the outer ones hold the new inner ones
        match place.node:
            case ast.BoolOp(op, values):
                bitwise = ast.BitAnd() if isinstance(op, ast.And) else ast.BitOr()
                joined = values[0]
                for value in values[1:]:
                    joined = ast.BinOp(joined, bitwise, value)
                found.append((place, joined))
            case ast.UnaryOp(ast.Not() | ast.USub(), operand) if not isinstance(operand, ast.Constant):
                found.append((place, ast.UnaryOp(ast.Invert(), operand)))
    for change in found:
        yield Edit([change], messages.truth_of_tensor())


def _operators(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.BinOp, ast.Compare):
        match place.node:
            case ast.BinOp(left, ast.FloorDiv(), right):
                yield Edit([(place, ast.BinOp(left, ast.Div(), right))], messages.floor(source.quote(place.node)))
            case ast.BinOp(left, ast.BitXor(), right):
                yield Edit([(place, ast.BinOp(left, ast.Pow(), right))], messages.caret(source.quote(place.node)))
            case ast.Compare(left, [ast.Is() | ast.IsNot() as op], right):
                equals = ast.Eq() if isinstance(op, ast.Is) else ast.NotEq()
                yield Edit([(place, ast.Compare(left, [equals], right))], messages.identity(source.quote(place.node)))


def _unkept(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.Expr):
        match place.node:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), _)) as made):
                kept = ast.Assign([ast.Name(name, ast.Store())], made)
                yield Edit([(place, kept)], messages.not_kept(source.quote(made), name))


def _pairs(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.Call):
        match place.node:
            case ast.Call(ast.Attribute(_, name)) if name in _PAIRS:
                for part in ("values", "indices"):
                    changes: Changes = [(place, ast.Attribute(place.node, part, ast.Load()))]
                    yield Edit(changes, messages.pair(source.quote(place.node)))


def _sums(attempt: Attempt, source: Source) -> Iterator[Edit]:
    """`=` for `+=` in a loop, and a sum that is not set back to 0."""
    for loops, place in _in_loops(source):
        match place.node:
            case ast.Assign([ast.Name(name)], value):
                zero = ast.Assign([ast.Name(name, ast.Store())], ast.Constant(0))
                added = (place, ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), value))
                finding = messages.overwritten(source.quote(place.node), name)
                yield Edit([added], finding)
                yield Edit([_before(loops[0], zero), added], finding)
            case ast.Assign([ast.Subscript() as target], value):
                added = (place, ast.AugAssign(target, ast.Add(), value))
                yield Edit([added], messages.overwritten(source.quote(place.node), ast.unparse(target)))
            case ast.AugAssign(ast.Name(name)):
                for loop in loops[:-1]:
                    for start in _of_type(source, ast.Assign):
                        if isinstance(start.node, ast.Assign) and ast.unparse(start.node.targets[0]) == name:
                            body = loop.node.body
                            changes: Changes = [(Place(loop.node, "body", None, body), [start.node, *body])]
                            yield Edit(changes, messages.not_set_back(name))


def _in_loops(source: Source) -> Iterator[tuple[list[Place], Place]]:
    """Each statement that stands in a loop, with the loops around it from the outermost."""
    loops = _of_type(source, ast.For, ast.While)
    for place in _of_type(source, ast.stmt):
        around = [loop for loop in loops if loop.node is not place.node and place.node in list(ast.walk(loop.node))]
        if around:
            yield around, place


def _before(place: Place, statement: ast.stmt) -> tuple[Place, Any]:
    statements = getattr(place.parent, place.field)
    assert place.number is not None
    longer = [*statements[: place.number], statement, *statements[place.number :]]
    return Place(place.parent, place.field, None, statements), longer


def _sizes(attempt: Attempt, source: Source) -> list[tuple[str, Any]]:
    """What a number that is written out could stand for: code, and its value in the lesson's example."""
    found: list[tuple[str, Any]] = []
    for name, value in zip(source.arguments, attempt.trials[0].arguments, strict=False):
        if isinstance(value, torch.Tensor):
            found += [(f"{name}.shape[{axis}]", size) for axis, size in enumerate(value.shape)]
        elif isinstance(value, list | tuple | dict):
            found.append((f"len({name})", len(value)))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found.append((name, value))
            found.append((f"({name} - 1)" if isinstance(value, int) else f"(1 - {name})", abs(value - 1)))
    return found


def _written_out(attempt: Attempt, source: Source) -> Iterator[Edit]:
    numbers = [
        place
        for place in _of_type(source, ast.Constant)
        if isinstance(place.node, ast.Constant) and type(place.node.value) in (int, float)
    ]
    arguments = [(code, size) for code, size in _sizes(attempt, source) if code in source.arguments]
    for number in numbers:
        for code, size in arguments:
            if size == _value(number):
                finding = messages.written_out([(size, code)], source.line(number.node))
                yield Edit([(number, _parsed(code))], finding)
    numbers = [number for number in numbers if _value(number) not in (0, 1)]
    if not numbers:
        return
    sizes = _sizes(attempt, source)
    of_the_example = any(trial.right for trial in attempt.trials[:2])
    fitting = [[None, *(code for code, size in sizes if abs(size - _value(number)) < 1e-6)] for number in numbers]
    combinations = itertools.product(*(reversed(codes) for codes in fitting)) if of_the_example else ()
    for chosen in itertools.islice(combinations, MOST_COMBINATIONS):
        meant = [(number, code) for number, code in zip(numbers, chosen, strict=True) if code]
        if meant:
            changes: Changes = [(number, _parsed(code)) for number, code in meant]
            written = [(_value(number), _meaning(code)) for number, code in meant]
            yield Edit(changes, messages.written_out(list(dict.fromkeys(written)), source.line(meant[0][0].node)))
    for number in numbers:
        for code, _ in sizes:
            finding = messages.written_out([(_value(number), "")], source.line(number.node))
            yield Edit([(number, _parsed(code))], finding)


def _value(place: Place) -> Any:
    return place.node.value


def _meaning(code: str) -> str:
    return code.strip("()")


def _notebook(attempt: Attempt, source: Source) -> Iterator[Edit]:
    names = source.of_the_notebook[:2]
    instead = [*source.variables, *(code for code, _ in _sizes(attempt, source) if "." in code or "len" in code)]
    reads = {name: [place for place in _of_type(source, ast.Name) if place.node.id == name] for name in names}
    for count in (1, 2):
        for some in itertools.combinations(names, count):
            for codes in itertools.islice(itertools.product(instead, repeat=count), MOST_COMBINATIONS):
                changes: Changes = [
                    (place, _parsed(code)) for name, code in zip(some, codes, strict=True) for place in reads[name]
                ]
                yield Edit(changes, messages.notebook_variable(some[0]))


def _order_of_arguments(attempt: Attempt, source: Source) -> Iterator[Edit]:
    arguments = source.tree.args.args
    if not 2 <= len(arguments) <= 4 or source.arguments == attempt.exercise.arguments:
        return
    place = Place(source.tree.args, "args", None, arguments)
    for other in itertools.islice(itertools.permutations(arguments), 1, None):
        yield Edit([(place, list(other))], messages.order_of_arguments(source.arguments, attempt.exercise.arguments))


def _names_in_another_order(attempt: Attempt, source: Source) -> Iterator[Edit]:
    if sorted(source.arguments) == sorted(attempt.exercise.arguments):
        yield from _order_of_arguments(attempt, source)


_SLIPS = (_names_in_another_order, _powers, _logic, _operators, _unkept, _pairs, _sums)
_FROM_OUTSIDE = (_order_of_arguments, _notebook, _written_out)


# --- the one place that is wrong ---


def _shown(source: Source, place: Place) -> str:
    """The place in the learner's words: itself, or what it stands in where it is only a number or a name."""
    node, parent = place.node, place.parent
    if isinstance(node, ast.Constant | ast.Name | ast.UnaryOp):
        node = parent
        while isinstance(node, ast.Attribute | ast.Call | ast.keyword | ast.Slice | ast.Tuple):
            above = source.parent_of(node)
            if isinstance(node, ast.Call) or not isinstance(above, ast.expr | ast.keyword):
                break
            node = above
    return source.quote(node)


_WITH_AXES = (
    *("sum", "mean", "std", "var", "max", "min", "amax", "amin", "argmax", "argmin", "softmax", "log_softmax", "prod"),
    *(
        "logsumexp",
        "norm",
        "cumsum",
        "flip",
        "sort",
        "argsort",
        "topk",
        "unsqueeze",
        "squeeze",
        "cat",
        "stack",
        "chunk",
    ),
    *("split", "gather", "all", "any", "index_select", "unbind", "select", "roll", "flatten"),
)


def _axes(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.Call):
        match place.node:
            case ast.Call(_, arguments, keywords):
                finding = messages.wrong_axis(source.quote(place.node))
                for keyword in keywords:
                    if keyword.arg in ("dim", "axis", "diagonal"):
                        yield from _other_axes(Place(keyword, "value", None, keyword.value), finding)
                takes_axes = isinstance(place.node.func, ast.Attribute) and place.node.func.attr in _WITH_AXES
                for i, argument in enumerate(arguments if takes_axes else []):
                    if _whole_number(argument) is not None:
                        yield from _other_axes(Place(place.node, "args", i, argument), finding)


def _other_axes(place: Place, finding: Finding) -> Iterator[Edit]:
    for axis in (-1, 0, 1, -2, 2, 3):
        if axis != _whole_number(place.node):
            yield Edit([(place, ast.Constant(axis))], finding)


def _whole_number(node: ast.AST) -> int | None:
    match node:
        case ast.Constant(int(value)) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
            return -value
    return None


def _kept_axes(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.Call):
        match place.node:
            case ast.Call(_, arguments, keywords):
                kept = [keyword for keyword in keywords if keyword.arg in ("keepdim", "keepdims")]
                whole = Place(place.node, "keywords", None, keywords)
                if kept:
                    finding = messages.axis_kept(source.quote(place.node))
                    yield Edit([(whole, [keyword for keyword in keywords if keyword not in kept])], finding)
                elif arguments or keywords:
                    keyword = ast.keyword("keepdim", ast.Constant(True))
                    yield Edit([(whole, [*keywords, keyword])], messages.axis_lost(source.quote(place.node)))


def _turned(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.Attribute, ast.Call):
        match place.node:
            case ast.Attribute(inner, "T" | "mT"):
                yield Edit([(place, inner)], messages.turned(_shown_product(source, place)))
                yield Edit([(place, ast.Attribute(inner, "mT", ast.Load()))], messages.all_axes_turned())
            case ast.Call(ast.Attribute(inner, "transpose" | "t" | "permute")):
                yield Edit([(place, inner)], messages.turned(source.quote(place.node)))
                yield Edit([(place, ast.Attribute(inner, "mT", ast.Load()))], messages.turned(source.quote(place.node)))
    for place in _of_type(source, ast.BinOp):
        match place.node:
            case ast.BinOp(left, ast.MatMult(), right):
                for field, side in (("left", left), ("right", right)):
                    factor = Place(place.node, field, None, side)
                    finding = messages.turned(source.quote(place.node))
                    yield Edit([(factor, ast.Attribute(side, "mT", ast.Load()))], finding)


def _shown_product(source: Source, place: Place) -> str:
    return source.quote(place.parent if isinstance(place.parent, ast.BinOp) else place.node)


def _exchanged(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.BinOp, ast.Call, ast.Tuple):
        finding = messages.exchanged(source.quote(place.node))
        match place.node:
            case ast.BinOp(left, ast.MatMult() | ast.Div() | ast.Sub() | ast.Pow() as op, right):
                yield Edit([(place, ast.BinOp(right, op, left))], finding)
            case ast.Call(_, [first, second, *rest]):
                yield Edit([(Place(place.node, "args", None, place.node.args), [second, first, *rest])], finding)
            case ast.Tuple([first, second, *rest], ast.Load()):
                yield Edit([(Place(place.node, "elts", None, place.node.elts), [second, first, *rest])], finding)


_COMPARED = (ast.Eq(), ast.NotEq(), ast.Lt(), ast.LtE(), ast.Gt(), ast.GtE())


def _comparisons(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.Compare):
        match place.node:
            case ast.Compare(left, [op], right):
                for other in _COMPARED:
                    if type(other) is not type(op):
                        finding = messages.comparison(source.quote(place.node))
                        yield Edit([(place, ast.Compare(left, [other], right))], finding)


def _signs(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.UnaryOp):
        match place.node:
            case ast.UnaryOp(ast.USub() | ast.Invert(), operand) if not isinstance(operand, ast.Constant):
                yield Edit([(place, operand)], messages.sign(source.quote(place.node)))
    for place in _of_type(source, ast.Return):
        match place.node:
            case ast.Return(ast.expr() as value):
                returned = Place(place.node, "value", None, value)
                yield Edit([(returned, ast.UnaryOp(ast.USub(), value))], messages.sign(source.quote(value)))
                yield Edit([(returned, ast.UnaryOp(ast.Invert(), value))], messages.sign(source.quote(value)))


def _statements(attempt: Attempt, source: Source) -> Iterator[Edit]:
    """A statement that should not be there."""
    for place in _of_type(source, ast.Assign, ast.AugAssign, ast.Expr):
        yield Edit([(place, ast.Pass())], messages.statement_too_much(source.quote(place.node)))


_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
}


def _part(source: Source, before: str, node: ast.AST, after: str) -> str:
    """One side of an operation with its sign, as in "`/ lengths.sum()`"."""
    text = ast.get_source_segment(source.text, node) or ""
    short = text if len(text) <= LONGEST_QUOTE and "\n" not in text and "`" not in text else "..."
    return f"`{before}{short}{after}`"


def _too_much(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.BinOp, ast.Call):
        match place.node:
            case ast.BinOp(left, ast.Add() | ast.Sub(), ast.Constant(1)):
                yield Edit([(place, left)], messages.one_off(source.quote(place.node)))
            case ast.BinOp(left, op, right):
                sign = _SIGNS.get(type(op), "**")
                yield Edit([(place, left)], messages.too_much(_part(source, f"{sign} ", right, ""), source.line(right)))
                yield Edit([(place, right)], messages.too_much(_part(source, "", left, f" {sign}"), source.line(left)))
            case ast.Call(ast.Attribute(ast.Name("torch" | "F" | "math" | "np"), name), [first, *_]):
                yield Edit([(place, first)], messages.call_too_much(name, source.quote(place.node)))
            case ast.Call(ast.Attribute(inner, name)):
                yield Edit([(place, inner)], messages.call_too_much(name, source.quote(place.node)))
            case ast.Call(ast.Name(name), [first, *_]):
                yield Edit([(place, first)], messages.call_too_much(name, source.quote(place.node)))


def _operations(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.BinOp):
        match place.node:
            case ast.BinOp(left, op, right) if type(op) in _SIGNS:
                finding = messages.operation(source.quote(place.node), _SIGNS[type(op)])
                for other in _SIGNS:
                    if other is not type(op):
                        yield Edit([(place, ast.BinOp(left, other(), right))], finding)


_FAMILIES = (
    ("max", "min", "sum", "mean", "amax", "amin", "prod"),
    ("argmax", "argmin"),
    ("log", "log2", "log10", "exp", "log1p"),
    ("any", "all"),
    ("zeros", "ones", "eye"),
    ("zeros_like", "ones_like"),
    ("tril", "triu"),
    ("softmax", "log_softmax"),
    ("std", "var", "norm", "mean"),
    ("values", "indices"),
    ("argmax", "amax", "max"),
    ("argmin", "amin", "min"),
    ("sin", "cos"),
    ("view", "reshape"),
    ("cat", "stack"),
)


def _functions(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.Attribute):
        match place.node:
            case ast.Attribute(inner, name, ctx):
                shown = source.quote(place.parent if isinstance(place.parent, ast.Call) else place.node)
                others = {other for family in _FAMILIES if name in family for other in family} - {name}
                for other in sorted(others):
                    yield Edit([(place, ast.Attribute(inner, other, ctx))], messages.other_function(name, shown))


def _numbers(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.Constant):
        value = _value(place)
        shown = _shown(source, place)
        if isinstance(value, bool):
            yield Edit([(place, ast.Constant(not value))], messages.number(str(value), shown))
        elif isinstance(value, int | float):
            for other in dict.fromkeys((value + 1, value - 1, -value, 0, 1, 0.5, 2, 1 / value if value else 1)):
                if other != value:
                    yield Edit([(place, ast.Constant(other))], messages.number(f"{value:g}", shown))


def _names(attempt: Attempt, source: Source) -> Iterator[Edit]:
    for place in _of_type(source, ast.Name):
        match place.node:
            case ast.Name(name, ast.Load()) if name in source.variables:
                for other in source.variables:
                    if other != name:
                        yield Edit([(place, ast.Name(other, ast.Load()))], messages.name(name, _shown(source, place)))


def _indices(attempt: Attempt, source: Source) -> Iterator[Edit]:
    everything = ast.Slice()
    for place in _of_type(source, ast.Subscript):
        match place.node:
            case ast.Subscript(inner, ast.Tuple([ast.Slice(None, None, None), index]), ctx):
                options: list[ast.expr] = [index, ast.Tuple([index, everything], ast.Load())]
            case ast.Subscript(inner, index, ctx) if not isinstance(index, ast.Tuple):
                options = [ast.Tuple([everything, index], ast.Load())]
            case _:
                continue
        for option in options:
            yield Edit([(place, ast.Subscript(inner, option, ctx))], messages.index(source.quote(place.node)))


def _missing(attempt: Attempt, source: Source) -> Iterator[Edit]:
    """A step that is left out: one that takes what stands there and gives something of its kind."""
    targets = {id(part) for node in ast.walk(source.tree) if isinstance(node, ast.Assign) for target in node.targets
               for part in ast.walk(target)}  # fmt: skip
    for place in _of_type(source, ast.BinOp, ast.Call, ast.Name, ast.Subscript):
        node = place.node
        if id(node) in targets:
            continue
        if isinstance(node, ast.Name | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            continue
        if isinstance(node, ast.Name) and node.id not in source.variables:
            continue
        assert isinstance(node, ast.expr)
        finding = messages.step_missing(_shown(source, place))
        yield Edit([(place, ast.BinOp(node, ast.Pow(), ast.Constant(0.5)))], finding)
        yield Edit([(place, ast.UnaryOp(ast.USub(), node))], messages.sign(_shown(source, place)))
        for step in ("abs", "log", "exp", "square"):
            yield Edit([(place, ast.Call(ast.Attribute(node, step, ast.Load()), [], []))], finding)
        for other in (ast.Add(), ast.Sub()):
            yield Edit([(place, ast.BinOp(node, other, ast.Constant(1)))], messages.one_off(_shown(source, place)))


_PLACES = (
    _signs,
    _axes,
    _kept_axes,
    _turned,
    _exchanged,
    _comparisons,
    _statements,
    _too_much,
    _operations,
    _functions,
    _indices,
    _names,
    _numbers,
    _missing,
)
