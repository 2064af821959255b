"""What a calculation costs, counted and not timed: the same on every machine."""

from collections.abc import Callable
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode, sdpa_backward_flop_count, sdpa_flop_count


def operations(function: Callable[..., Any], *inputs: Any) -> int:
    """Multiplications and additions in all matrix products and convolutions that `function(*inputs)` makes.

    A product of (a, b) by (b, c) counts 2abc. What is done to each number alone, such as softmax, does not count. The
    fused attention kernel counts as the two products that it makes.
    """
    with FlopCounterMode(display=False, custom_mapping=FUSED_ON_CPU) as counter:
        function(*inputs)
    return counter.get_total_flops()


def _fused(query: torch.Size, key: torch.Size, value: torch.Size, *_: Any, **__: Any) -> int:
    return sdpa_flop_count(query, key, value)


def _fused_backward(grad: torch.Size, query: torch.Size, key: torch.Size, value: torch.Size, *_: Any, **__: Any) -> int:
    return sdpa_backward_flop_count(grad, query, key, value)


# PyTorch counts the kernels for a GPU, but not those for a CPU.
FUSED_ON_CPU = {
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: _fused,
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward: _fused_backward,
}


def peak_bytes(function: Callable[..., Any], *inputs: Any) -> int:
    """The most bytes of tensors that live at one time while `function(*inputs)` runs, its inputs left out.

    What a kernel takes for itself and gives back before it returns is not seen.
    """
    with _Watch(inputs) as watch:
        function(*inputs)
    return watch.peak


class _Watch(TorchDispatchMode):
    """Follows the memory behind each tensor that an operation returns, until the last tensor on it is gone."""

    def __init__(self, inputs: tuple) -> None:
        super().__init__()
        # Kept alive here, so that no new memory gets the address of one of them.
        self._inputs = {_storage(part)._cdata: part for part in tree_leaves(inputs) if isinstance(part, torch.Tensor)}
        self._alive: dict[int, tuple[StorageWeakRef, int]] = {}
        self.peak = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        result = func(*args, **(kwargs or {}))
        for part in tree_leaves(result):
            if isinstance(part, torch.Tensor) and _storage(part)._cdata not in self._inputs:
                storage = _storage(part)
                self._alive[storage._cdata] = (StorageWeakRef(storage), storage.nbytes())
        self._alive = {address: entry for address, entry in self._alive.items() if not entry[0].expired()}
        self.peak = max(self.peak, sum(nbytes for _, nbytes in self._alive.values()))
        return result


def _storage(tensor: torch.Tensor) -> torch.UntypedStorage:
    return tensor.untyped_storage()
