"""What makes a training faster on a CPU leaves what is learned as it is."""

import sys

import pytest
import torch
from torch import nn

from helpers.models.transformer import Transformer
from tools.train_translation import cpu
from tools.train_translation.cpu import CheapDropout, keep_freed_memory, with_cheap_dropout


@pytest.mark.parametrize("p", [0.1, 0.15, 0.5, 0.9])
def test_cheap_dropout_drops_its_share_and_scales_the_rest(p: float) -> None:
    torch.manual_seed(0)
    x = torch.full((301, 333), 2.0, requires_grad=True)  # no multiple of four
    y = CheapDropout(p)(x)
    y.sum().backward()
    dropped = (y == 0).double().mean().item()
    assert dropped == pytest.approx(p, abs=5 * (p * (1 - p) / x.numel()) ** 0.5)
    torch.testing.assert_close(y[y != 0], torch.full_like(y[y != 0], 2 / (1 - p)), rtol=2e-4, atol=0)
    assert x.grad is not None
    torch.testing.assert_close(x.grad, y.detach() / 2)
    neighbours = (y.flatten()[:-1] == 0) & (y.flatten()[1:] == 0)  # of one draw, most of them
    assert neighbours.double().mean().item() == pytest.approx(p * p, abs=0.01)


def test_cheap_dropout_is_repeated_by_a_seed_and_keeps_the_precision() -> None:
    x, layer = torch.ones(50, 6, dtype=torch.bfloat16), CheapDropout(0.3)
    once, again = (layer(x) for _ in range(2) if torch.manual_seed(1))
    assert torch.equal(once, again) and once.dtype == torch.bfloat16
    assert not torch.equal(layer(x), once)


@pytest.mark.parametrize("p", [0.0, 1 - 1e-9])
def test_cheap_dropout_at_its_ends_makes_numbers(p: float) -> None:
    assert CheapDropout(p)(torch.ones(100, 100)).isfinite().all()


def test_cheap_dropout_does_nothing_in_evaluation_nor_to_nothing() -> None:
    assert torch.equal(CheapDropout(0.5).eval()(torch.ones(9)), torch.ones(9))
    assert CheapDropout(0.5)(torch.ones(0, 3)).shape == (0, 3)


def test_each_dropout_of_a_model_is_replaced_and_nothing_else() -> None:
    model = Transformer(20, 20, 16, 2, 2, 32, dropout=0.2)
    names = [name for name, part in model.named_modules() if type(part) is nn.Dropout]
    before = model.state_dict()
    with_cheap_dropout(model)
    parts = dict(model.named_modules())
    assert names and all(type(parts[name]) is CheapDropout and parts[name].p == 0.2 for name in names)
    assert all(type(part) is not nn.Dropout for part in parts.values())
    assert all(torch.equal(value, model.state_dict()[name]) for name, value in before.items())


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc is asked")
def test_memory_is_kept_where_the_c_library_can(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Glibc:
        def mallopt(self, *setting: int) -> int:
            asked.append(setting)
            return 1

    monkeypatch.setattr(cpu.ctypes, "CDLL", lambda name: Glibc())
    assert keep_freed_memory() and asked == [(cpu.M_MMAP_MAX, 0), (cpu.M_TRIM_THRESHOLD, -1)]
    monkeypatch.setattr(cpu.ctypes, "CDLL", lambda name: object())  # as of musl
    assert not keep_freed_memory()
