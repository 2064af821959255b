"""What a calculation costs, counted and not timed: the same on every machine."""

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

# Private, but the only hook for each operation of PyTorch; FlopCounterMode is made of it, too.
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode, sdpa_backward_flop_count, sdpa_flop_count


def operations(function: Callable[..., object], *inputs: object) -> int:
    """Count multiplications and additions in all matrix products and convolutions.

    A product of (a, b) by (b, c) counts 2abc. What is done to each number alone, such as softmax, does not count. The
    fused attention kernel counts as the two products that it makes.

    Parameters
    ----------
    function : callable
        What is counted; its result is thrown away.
    *inputs
        What it is called with.

    Returns
    -------
    int
        Multiplications and additions together.
    """
    with FlopCounterMode(display=False, custom_mapping=FUSED_ON_CPU) as counter:
        function(*inputs)
    return counter.get_total_flops()


def _fused(query: torch.Size, key: torch.Size, value: torch.Size, *_: object, **__: object) -> int:
    return sdpa_flop_count(query, key, value)


def _fused_backward(
    grad: torch.Size, query: torch.Size, key: torch.Size, value: torch.Size, *_: object, **__: object
) -> int:
    return sdpa_backward_flop_count(grad, query, key, value)


# PyTorch counts the kernels for a GPU, but not those for a CPU, which have no public names.
FUSED_ON_CPU = {
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: _fused,
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward: _fused_backward,
}


def peak_bytes(function: Callable[..., object], *inputs: object) -> int:
    """Measure the most bytes of tensors that live at one time, the inputs left out.

    What a kernel takes for itself and gives back before it returns is not seen.

    Parameters
    ----------
    function : callable
        What is measured; its result is thrown away.
    *inputs
        What it is called with.

    Returns
    -------
    int
        Bytes.
    """
    with _Watch(inputs) as watch:
        function(*inputs)
    return watch.peak


class _Watch(TorchDispatchMode):
    """Follows the storage of each tensor that an operation returns, until the last tensor on it is gone."""

    def __init__(self, inputs: Sequence[object]) -> None:
        super().__init__()
        self._of_inputs = [part.untyped_storage() for part in inputs if isinstance(part, Tensor)]
        self._alive: weakref.WeakSet[torch.UntypedStorage] = weakref.WeakSet()
        self.peak = 0

    def __torch_dispatch__(
        self, func: Callable[..., Any], types: object, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        for part in result if isinstance(result, tuple | list) else [result]:
            if isinstance(part, Tensor) and part.untyped_storage() not in self._of_inputs:
                self._alive.add(part.untyped_storage())
        self.peak = max(self.peak, sum(storage.nbytes() for storage in self._alive))
        return result
