"""Compare what a function returned with what was expected, and name what cannot be compared."""

import numbers
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import torch

from helpers.checks import shared_messages as messages
from helpers.checks.verdict import Finding
from helpers.wording import counted


class Incomparable(Exception):
    """A result that cannot be compared with what is expected, whatever its numbers are."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def comparable(value: Any, want: Any) -> Any:
    """Bring a result into the form of the expected one.

    Parameters
    ----------
    value : Any
        What the learner's function returned.
    want : Tensor, tuple of Tensor, list of int, or float
        What is expected.

    Returns
    -------
    Tensor, tuple of Tensor, list of numbers, or a number
        As `want`; its shape and dtype may differ.

    Raises
    ------
    Incomparable
        The result is of another type.
    """
    if value is None:
        raise Incomparable(messages.returns_nothing())
    if callable(value) and hasattr(value, "__name__"):
        raise Incomparable(messages.not_called(value.__name__))
    if type(value).__module__ == "torch.return_types" and not isinstance(want, tuple):
        raise Incomparable(messages.pair())
    if isinstance(want, torch.Tensor):
        return _as_tensor(value, want)
    if isinstance(want, tuple):
        return tuple(_as_tensor(part, wanted) for part, wanted in zip(_as_several(value, want), want, strict=True))
    if isinstance(want, list):
        return _as_list(value)
    return _as_number(value)


def _as_several(value: Any, want: tuple[Any, ...]) -> Sequence[Any]:
    if isinstance(value, (torch.Tensor, np.ndarray)) and not any(part.ndim for part in want):
        value = list(value) if value.ndim == 1 else value  # several numbers may come as one tensor
    if isinstance(value, (tuple, list)) and len(value) == len(want):
        return value
    count = counted(len(value), "thing") if isinstance(value, (tuple, list)) else _type_name(value)
    raise Incomparable(messages.wrong_type(count, f"{len(want)} {'tensors' if want[0].ndim else 'numbers'}"))


def _as_tensor(value: Any, want: torch.Tensor) -> torch.Tensor:
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biuf":
        value = torch.from_numpy(np.array(value))
    elif want.ndim == 0 and _is_number(value):
        value = torch.tensor(float(value), dtype=want.dtype if want.is_floating_point() else None)
    if isinstance(value, tuple):
        raise Incomparable(messages.several_things(len(value), "a tensor"))
    if isinstance(value, list):
        raise Incomparable(messages.list_for_tensor(any(isinstance(part, torch.Tensor) for part in value)))
    if not isinstance(value, torch.Tensor):
        raise Incomparable(messages.wrong_type(_type_name(value), "a tensor"))
    if value.layout != torch.strided or value.is_complex() or value.is_quantized or value.device.type == "meta":
        raise Incomparable(messages.wrong_type("a special kind of tensor", "an ordinary one"))
    return value


def _as_list(value: Any) -> list[int | float]:
    if isinstance(value, (torch.Tensor, np.ndarray)):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        raise Incomparable(messages.wrong_type(_type_name(value), "a list of numbers"))
    found = [_as_item(part) for part in value]
    for number in found:
        if not _is_number(number):
            raise Incomparable(messages.wrong_type_in_list(_type_name(number)))
    return found


def _as_number(value: Any) -> float:
    value = _as_item(value)
    if isinstance(value, tuple):
        raise Incomparable(messages.several_things(len(value), "a number"))
    if not _is_number(value):
        raise Incomparable(messages.wrong_type(_type_name(value), "a number"))
    return value if isinstance(value, int) else float(value)


def _as_item(value: Any) -> Any:
    """The number that a tensor or an array of one holds; all else as it is."""
    if isinstance(value, (torch.Tensor, np.ndarray, np.generic)) and np.prod(value.shape) == 1:
        return value.item()
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real | Decimal) and not isinstance(value, bool | np.bool_)


def _type_name(value: Any) -> str:
    name = type(value).__name__
    article = "an" if name[0].lower() in "aeiou" else "a"
    if isinstance(value, torch.Tensor | np.ndarray):
        return f"a tensor of shape {tuple(value.shape)}"
    if name == "generator" and value.gi_code.co_name == "<genexpr>":
        return "a generator (round brackets; `list(...)` makes a list of it)"
    if name == "coroutine":
        return "a coroutine (drop the word `async`)"
    if name == "generator":
        return "a generator (use `return`, not `yield`)"
    return f"{article} `{name}`"


def wrong_kind(got: Any, want: Any) -> Finding | None:
    """Say what is wrong with the kind of numbers, or None.

    Parameters
    ----------
    got : Any
        A result, as `comparable` gives it.
    want : Any
        What is expected.

    Returns
    -------
    Finding or None
        Numbers in place of a boolean mask, whole numbers in place of floats, half precision.
    """
    if isinstance(want, tuple):
        return next((found for found in map(wrong_kind, got, want) if found), None)
    if not isinstance(want, torch.Tensor) or got.shape != want.shape or not want.numel():
        return None
    if want.dtype == torch.bool and got.dtype != torch.bool:
        return messages.not_boolean(_dtype(got))
    if not want.is_floating_point() and got.is_floating_point() and torch.equal(got.double(), want.double()):
        return messages.floats_for_whole_numbers(_dtype(got))
    if want.is_floating_point() and not got.is_floating_point():
        return messages.whole_numbers(_dtype(got))
    if want.is_floating_point() and got.dtype.itemsize < 4:
        return messages.half_precision(_dtype(got))
    return None


def precision_remark(got: Any, want: Any) -> str | None:
    """Give a sentence where the numbers are right, but in another floating-point dtype than the input's, or None."""
    if isinstance(want, tuple):
        return next((found for found in map(precision_remark, got, want) if found), None)
    if not isinstance(want, torch.Tensor) or got.dtype == want.dtype or not want.is_floating_point():
        return None
    return messages.precision_remark(_dtype(got), _dtype(want))


def _dtype(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def same(a: Any, b: Any) -> bool:
    """Tell whether two results are the same: shapes, kind of numbers, and values up to rounding; nan equals nan.

    Parameters
    ----------
    a, b : Any
        Two results, as `comparable` gives them. Those of different types differ.

    Returns
    -------
    bool
        For float32, True within 1e-4 of each number and 1e-5 of the largest; ten times closer for float64.
    """
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        if a.shape != b.shape or not a.numel():
            return a.shape == b.shape
        return _kind(a) == _kind(b) and _close(a.detach(), b.detach())
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, list) and isinstance(b, list):
        return a == b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b or (isinstance(b, float) and abs(a - b) <= 1e-5 * max(abs(a), abs(b)))
    return False


def _kind(tensor: torch.Tensor) -> str:
    return "bool" if tensor.dtype == torch.bool else "float" if tensor.is_floating_point() else "int"


def _close(a: torch.Tensor, b: torch.Tensor) -> bool:
    # float64 too is compared loosely: a root that was taken in float32 is not a mistake
    exact = a.dtype == b.dtype == torch.float64
    rtol, atol = (1e-5, 1e-6) if exact else (1e-4, 1e-5)
    a, b = a.double().cpu(), b.double().cpu()
    finite = b[torch.isfinite(b)]
    scale = max(1.0, finite.abs().max().item()) if finite.numel() else 1.0
    return torch.allclose(a, b, rtol=rtol, atol=atol * scale, equal_nan=True)


def finite(value: Any) -> bool:
    """Tell whether a result, as `comparable` gives it, holds neither nan nor infinity."""
    if isinstance(value, tuple):
        return all(map(finite, value))
    if isinstance(value, torch.Tensor):
        return bool(torch.isfinite(value).all())
    return not isinstance(value, float) or abs(value) < float("inf")
