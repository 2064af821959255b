"""What makes a training faster on a CPU, and leaves what is learned as it is."""

import ctypes
import math
import sys

import torch
from torch import Tensor, nn

M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4  # names and numbers of glibc's malloc.h
N_DRAWS = 2**16  # that 16 bits can be


def keep_freed_memory() -> bool:
    """Let this process keep the memory that it frees, for its next tensors.

    By default glibc gives each large buffer back to the system, which hands it out again as pages that it first fills
    with zeros, thousands of them for the scores of one batch.

    Returns
    -------
    bool
        Whether it was done; not where the C library is another one.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    return mallopt is not None and all(mallopt(*setting) for setting in ((M_MMAP_MAX, 0), (M_TRIM_THRESHOLD, -1)))


class CheapDropout(nn.Dropout):
    """Dropout that on a CPU draws 16 bits for each number, four of them at once.

    PyTorch draws 53 bits for each, which takes several times as long. The probability is rounded to 1 / 65,536.
    """

    def forward(self, x: Tensor) -> Tensor:
        """Set numbers to 0 in training, and scale the others: (...) -> (...)."""
        if not self.training or self.p == 0 or x.device.type != "cpu":
            return super().forward(x)
        n_dropped = min(round(self.p * N_DRAWS), N_DRAWS - 1)  # of all that can be drawn
        draws = torch.randint(-(2**63), 2**63 - 1, (math.ceil(x.numel() / 4),)).view(torch.int16)
        kept = (draws[: x.numel()] >= n_dropped - N_DRAWS // 2).view(x.shape)
        return x * (kept.to(x.dtype) * (N_DRAWS / (N_DRAWS - n_dropped)))


def with_cheap_dropout(model: nn.Module) -> None:
    """Replace each dropout of a model, but not that of the weights of attention, which is no module.

    Parameters
    ----------
    model : nn.Module
        Which is changed.
    """
    for module in list(model.modules()):
        for name, part in module.named_children():
            if type(part) is nn.Dropout:
                setattr(module, name, CheapDropout(part.p))
