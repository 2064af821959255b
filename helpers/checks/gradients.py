"""Check that a right result also passes gradients on to the inputs, and say what cuts them."""

from types import CodeType
from typing import Any

import torch

from helpers.checks import shared_messages as messages
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
        return messages.too_slow_with_gradients(attempt.budget.seconds)
    if outcome.error is not None and "inplace" in first_line(outcome.error):
        return messages.gradient_in_place()
    if outcome.value is None:  # an error, or a result that has no gradient at all
        return messages.no_gradient(_cutter(attempt.function))
    wanted = _gradients(attempt.exercise.reference(*own), own) or []
    names = [name for name, leaf in zip(attempt.exercise.arguments, given, strict=True) if _is_leaf(leaf)]
    for name, got, want in zip(names, outcome.value, wanted, strict=True):
        if not same(got, want):
            said = messages.wrong_gradient if got.any() else messages.no_gradient_reaches
            return said(name, _cutter(attempt.function))
    return None


def _gradients(result: Any, inputs: Arguments) -> list[torch.Tensor] | None:
    """The gradients of a fixed random combination of the results; None where no result has any."""
    parts = result if isinstance(result, (tuple, list)) else (result,)
    if not any(isinstance(part, torch.Tensor) and part.requires_grad for part in parts):
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


def _cutter(function: Any) -> str:
    """What in a function may cut the gradient."""
    names = _names_in(getattr(function, "__code__", None))
    return next((words for name, words in _CUTTERS.items() if name in names), "something in it")


def _names_in(code: Any) -> set[str]:
    """The names of functions, methods and attributes that a piece of code uses."""
    if not isinstance(code, CodeType):
        return set()
    return set(code.co_names).union(*(_names_in(part) for part in code.co_consts))
