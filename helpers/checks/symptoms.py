"""Say how a wrong result lies to the expected one, where it does so on every case: as its negative, or turned."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch

from helpers.checks import shared_messages as messages
from helpers.checks.compare import finite, same
from helpers.checks.side_by_side import shape_of
from helpers.checks.trial import Attempt
from helpers.checks.verdict import Finding

Pairs = list[tuple[torch.Tensor, torch.Tensor]]  # results and what is expected, of the cases with wrong results


def symptom(attempt: Attempt) -> Finding | None:
    """What all wrong results have in common beside the expected ones; None where there is nothing that has a name."""
    pairs = _pairs(attempt)
    if not pairs or (max(want.numel() for _, want in pairs) < 2 and len(pairs) < 3):
        return None
    if all(got.shape == want.shape for got, want in pairs):
        return next(_of_one_shape(pairs), None)
    return next(_of_another_shape([(got, want) for got, want in pairs if got.shape != want.shape], pairs), None)


def _pairs(attempt: Attempt) -> Pairs:
    """Results as tensors of float64; empty where one of them is no tensor, is not finite, or was not given at all."""
    found = []
    for trial in attempt.wrong:
        got, want = _as_tensor(trial.got), _as_tensor(trial.want)
        if got is None or want is None or not finite(got) or not finite(want):
            return []
        found.append((got, want))
    return found


def _as_tensor(value: Any) -> torch.Tensor | None:
    if isinstance(value, bool) or value is None or isinstance(value, tuple):
        return None
    if isinstance(value, int | float | list):
        return torch.tensor(value, dtype=torch.float64)
    return value.detach().double() if isinstance(value, torch.Tensor) else None


def _all(pairs: Pairs, change: Callable[[torch.Tensor], torch.Tensor]) -> bool:
    """Whether every result, with a change, is the expected one, and some of them hold more than zeros."""
    changed = [(change(got), want) for got, want in pairs]
    return all(same(got, want) for got, want in changed) and any(want.any() for _, want in changed)


def _of_one_shape(pairs: Pairs) -> Iterator[Finding]:
    back = [(want, got) for got, want in pairs]
    if _all(pairs, torch.neg):
        yield messages.negative()
    if _all(pairs, lambda got: got - 1) or _all(pairs, lambda got: got + 1):
        yield messages.off_by_one()
    if _all(pairs, lambda got: 1 - got):
        yield messages.the_rest()
    factor = _factor(pairs)
    if factor is not None:
        yield factor
    if _all(pairs, torch.square):
        yield messages.root_too_much()
    if _all(back, torch.square) or (_all(back, torch.abs) is False and _all(pairs, _root)):
        yield messages.root_missing()
    if _all(pairs, torch.exp):
        yield messages.exponential_missing()
    if _all(back, torch.exp):
        yield messages.logarithm_missing()
    if _all(back, torch.abs):
        yield messages.signs_lost()
    if pairs[0][0].ndim and _all(pairs, lambda got: got.flip(0)):
        yield messages.reversed_order()
    if _all(pairs, lambda got: got) is False and _sorted_alike(pairs):
        yield messages.other_places()
    yield from _parts_right(pairs)
    if _never_filled(pairs):
        yield messages.never_filled()
    yield from _laws_broken(pairs)


def _never_filled(pairs: Pairs) -> bool:
    """Whether every wrong number is a 0, and some are right that are not."""
    wrong = [~torch.isclose(got, want, rtol=1e-4, atol=1e-5) for got, want in pairs]
    zeros = all(not got[where].any() for (got, _), where in zip(pairs, wrong, strict=True))
    return zeros and any(got.any() for got, _ in pairs)


def _laws_broken(pairs: Pairs) -> Iterator[Finding]:
    """What holds of all expected results, and not of these."""
    tables = [(got, want) for got, want in pairs if want.ndim > 1 and want.shape[-1] > 1 and len(want) > 1]
    if not tables:
        return
    if all(_sums_to_1(want) for _, want in tables):
        sums = next((got.sum(-1) for got, _ in tables if not _sums_to_1(got)), None)
        if sums is not None:
            yield messages.row_sums(float(sums[~torch.isclose(sums, torch.ones_like(sums), atol=1e-4)][0]))
    if all(bool((want >= 0).all()) for _, want in tables) and any(bool((got < -1e-5).any()) for got, _ in tables):
        yield messages.below_0()
    zeros = [(got[want == 0], got, want) for got, want in tables]
    if all((want == 0).any() for _, _, want in zeros) and all(bool((part != 0).any()) for part, _, _ in zeros):
        yield messages.zeros_expected()


def _sums_to_1(table: torch.Tensor) -> bool:
    sums = table.sum(-1)
    return bool(torch.isclose(sums, torch.ones_like(sums), atol=1e-4).all())


def _root(got: torch.Tensor) -> torch.Tensor:
    return got.clamp(min=0).sqrt()


def _factor(pairs: Pairs) -> Finding | None:
    factors = []
    for got, want in pairs:
        if not want.any() or not got.any():
            return None
        factor = (got * want).sum() / (want * want).sum()
        if not same(factor * want, got):
            return None
        if want.numel() > 1:
            factors.append(float(factor))
    if not factors:
        return None
    smallest, largest = min(factors), max(factors)
    return (
        messages.factor(smallest) if largest - smallest < 1e-4 * abs(largest) else messages.factors(smallest, largest)
    )


def _sorted_alike(pairs: Pairs) -> bool:
    """Whether the numbers are the right ones at other places; judged where there are enough of them."""
    alike = all(same(got.flatten().sort().values, want.flatten().sort().values) for got, want in pairs)
    return alike and max(len(want.unique()) for _, want in pairs) > 2


def _parts_right(pairs: Pairs) -> Iterator[Finding]:
    """Only the first, or the last, of several rows is right."""
    several = [(got, want) for got, want in pairs if want.ndim and len(want) > 1]
    if len(several) < 2:
        return
    columns = [(got, want) for got, want in several if want.ndim == 2 and want.shape[1] > 1]
    if len(columns) > 1 and all(
        same(got[:, 0], want[:, 0]) and not same(got[:, 1], want[:, 1]) for got, want in columns
    ):
        yield messages.one_column_right()
    right = [[same(mine, theirs) for mine, theirs in zip(got, want, strict=True)] for got, want in several]
    if all(row[0] and not any(row[1:]) for row in right):
        yield messages.one_row_right("first")
    if all(row[-1] and not any(row[:-1]) for row in right):
        yield messages.one_row_right("last")


def _of_another_shape(pairs: Pairs, wrong: Pairs) -> Iterator[Finding]:
    got, want = max(wrong, key=lambda pair: sum(part.numel() for part in pair) * (pair[1].numel() <= 30))
    sizes = shape_of(got), shape_of(want)
    if _each(pairs, lambda got, want: want.ndim > 0 and len(want) > 0 and same(got, want[0])):
        yield messages.one_part("first", *sizes)
    if _each(pairs, lambda got, want: want.ndim > 0 and len(want) > 0 and same(got, want[-1])):
        yield messages.one_part("last", *sizes)
    if _each(pairs, lambda got, want: 0 < got.ndim == want.ndim and same(got, want[: len(got)])):
        yield messages.one_part("first", *sizes)
    if _each(pairs, lambda got, want: any(same(got, want.sum(axis)) for axis in range(want.ndim))):
        yield messages.summed_too_much(*sizes)
    if _each(pairs, lambda got, want: same(got, want.sum())):
        yield messages.summed_too_much(*sizes)
    if _each(pairs, lambda got, want: any(same(got.sum(axis), want) for axis in range(got.ndim))):
        yield messages.not_summed(*sizes)
    if _each(pairs, lambda got, want: any(_is_picked(got, want, axis) for axis in range(got.ndim))):
        yield messages.not_picked(*sizes)
    if _each(pairs, _is_permuted):
        yield messages.axes_exchanged(*sizes)
    if _each(pairs, lambda got, want: got.numel() == want.numel() and same(got.reshape(want.shape), want)):
        yield messages.laid_out(*sizes)
    lengths, wanted = ({tuple(pair[i].shape[:1]) for pair in pairs} for i in (0, 1))
    if len(lengths) == 1 < len(wanted) and () not in lengths:
        yield messages.always_as_long(len(got), *sizes)
    if _each(wrong, lambda got, want: got.ndim > want.ndim):
        yield messages.axes_too_many(*sizes)
    if _each(wrong, lambda got, want: got.ndim < want.ndim):
        yield messages.axes_too_few(*sizes)
    if _each(pairs, lambda got, want: sorted(got.shape) == sorted(want.shape)):
        yield messages.sizes_exchanged(*sizes)


def _each(pairs: Pairs, holds: Callable[[torch.Tensor, torch.Tensor], bool]) -> bool:
    return all(holds(got, want) for got, want in pairs)


def _is_picked(got: torch.Tensor, want: torch.Tensor, axis: int) -> bool:
    return got.ndim == want.ndim + 1 and got.shape[axis] > 0 and any(same(part, want) for part in got.unbind(axis))


def _is_permuted(got: torch.Tensor, want: torch.Tensor) -> bool:
    if got.ndim != want.ndim or got.ndim > 4:
        return False
    return any(same(got.permute(order), want) for order in itertools.permutations(range(got.ndim)))
