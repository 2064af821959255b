"""Check that a right result also passes gradients on to the inputs, and say what cuts them."""

from types import CodeType
from typing import Any

import torch

from helpers.checks.compare import same
from helpers.checks.exercise import Arguments
from helpers.checks.sandbox import call
from helpers.checks.trial import Attempt
from helpers.checks.verdict import Finding
from helpers.wording import first_line


def gradient_mistake(attempt: Attempt) -> Finding | None:
    """What keeps the gradients of a function with right results from being those of the reference; None if nothing."""
    arguments = attempt.trials[1].arguments
    given, own = (tuple(_leaf(argument) for argument in arguments) for _ in range(2))
    outcome = call(lambda *inputs: _gradients(attempt.function(*inputs), given), given, attempt.budget)
    if outcome.timed_out:
        message = f"Your numbers are right, but with gradients it takes longer than {attempt.budget.seconds:g} seconds."
        return Finding("too-slow", message)
    if outcome.error is not None and "inplace" in first_line(outcome.error):
        return Finding(
            "in-place-gradient",
            "Your numbers are right, but a step in place, such as `/=`, overwrites what the gradient needs. Make a new "
            "tensor in that step.",
        )
    if outcome.value is None:  # an error, or a result that has no gradient at all
        return Finding("gradient-cut", _cut_by(attempt.function))
    wanted = _gradients(attempt.exercise.reference(*own), own) or []
    names = [name for name, leaf in zip(attempt.exercise.arguments, given, strict=True) if _is_leaf(leaf)]
    for name, got, want in zip(names, outcome.value, wanted, strict=True):
        if not same(got, want):
            return _wrong_gradient(attempt, name, got)
    return None


def _wrong_gradient(attempt: Attempt, name: str, got: torch.Tensor) -> Finding:
    if not got.any():
        return Finding("gradient-cut", f"No gradient reaches `{name}`. {_cut_by(attempt.function)}")
    return Finding(
        "gradient-wrong",
        f"Your numbers are right, but the gradient with respect to `{name}` is not: part of the way from it to the "
        f"result is cut or rounded. {_cut_by(attempt.function)}",
    )


def _gradients(result: Any, inputs: Arguments) -> list[torch.Tensor] | None:
    """The gradients of a fixed random combination of the results; None where no result has any."""
    parts = result if isinstance(result, (tuple, list)) else (result,)
    if not any(part.requires_grad for part in parts):
        return None
    generator = torch.Generator().manual_seed(0)
    loss = sum((part * torch.randn(part.shape, generator=generator, dtype=part.dtype)).sum() for part in parts)
    leaves = [value for value in inputs if _is_leaf(value)]
    return list(torch.autograd.grad(loss, leaves, allow_unused=True, materialize_grads=True))


def _leaf(argument: Any) -> Any:
    """A copy of an input; one that asks for a gradient where it can have one."""
    if not isinstance(argument, torch.Tensor):
        return argument
    copy = argument.clone()
    return copy.requires_grad_() if copy.is_floating_point() else copy


def _is_leaf(argument: Any) -> bool:
    return isinstance(argument, torch.Tensor) and argument.requires_grad


# name used in the learner's code: how to call it in a message
_CUTTERS = {
    "detach": "`.detach()`",
    "item": "`.item()`",
    "numpy": "numpy",
    "asarray": "numpy",
    "array": "numpy",
    "from_numpy": "numpy",
    "tolist": "`.tolist()`",
    "no_grad": "`torch.no_grad()`",
    "data": "`.data`",
    "inference_mode": "`torch.inference_mode()`",
    "tensor": "`torch.tensor(...)`",
    "float": "`float(...)`",
    "round": "rounding",
}


def _cut_by(function: Any) -> str:
    names = _names_in(getattr(function, "__code__", None))
    cutter = next((words for name, words in _CUTTERS.items() if name in names), "something in it")
    return (
        f"The numbers are right, but {cutter} cuts the gradient: the result no longer knows what it was computed from, "
        "so nothing before it could learn. Stay with tensors and their operations."
    )


def _names_in(code: Any) -> set[str]:
    """The names of functions, methods and attributes that a piece of code uses."""
    if not isinstance(code, CodeType):
        return set()
    return set(code.co_names).union(*(_names_in(part) for part in code.co_consts))
