"""Greedy decoding and beam search against what they should be, tried out in full on small models."""

import itertools
import math

import pytest
import torch
from torch import Tensor

from helpers.data import dates
from helpers.models import date_reader
from helpers.models.decoding import beam_search, beam_searches, greedy
from helpers.models.transformer import Transformer

BOS, EOS, VOCAB_SIZE, MAX_LEN = 1, 2, 5, 3


@pytest.fixture(scope="module")
def model() -> Transformer:
    torch.manual_seed(3)
    model = Transformer(
        7, VOCAB_SIZE, d_model=8, n_heads=2, n_layers=1, d_hidden=16, dropout=0.0, n_positions=16
    ).eval()
    with torch.no_grad():
        model.target_embedding.table.weight *= 2  # sharper probabilities
    return model


@pytest.fixture(scope="module")
def stopper() -> Transformer:
    """A model whose texts are of different length."""
    torch.manual_seed(31)
    return Transformer(
        7, VOCAB_SIZE, d_model=8, n_heads=2, n_layers=1, d_hidden=16, dropout=0.0, norm_first=True, n_positions=16
    ).eval()


@pytest.fixture(scope="module")
def sensitive() -> Transformer:
    """A model to which each token that was written, and each of the source, makes a difference."""
    torch.manual_seed(48)
    model = Transformer(
        7, VOCAB_SIZE, d_model=8, n_heads=2, n_layers=2, d_hidden=16, dropout=0.0, norm_first=True, n_positions=16
    ).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "attention" in name:
                parameter *= 6
    return model


def sources(n: int) -> Tensor:
    ids = torch.randint(3, 7, (n, 6), generator=torch.Generator().manual_seed(n))
    lengths = torch.randint(2, 7, (n, 1), generator=torch.Generator().manual_seed(n))
    return ids.masked_fill(torch.arange(6) >= lengths, 0)


@torch.no_grad()
def log_probability(model: Transformer, source: Tensor, ids: tuple[int, ...]) -> float:
    target = torch.tensor([[BOS, *ids]])
    scores = model(source, target[:, :-1]).log_softmax(dim=-1)  # (1, n, n_tokens)
    return scores.gather(-1, target[:, 1:, None]).sum().item()


def all_texts(max_len: int) -> list[tuple[int, ...]]:
    """Each text that ends within max_len tokens or is cut off there."""
    others = [token for token in range(VOCAB_SIZE) if token != EOS]
    ended = [(*text, EOS) for n in range(max_len) for text in itertools.product(others, repeat=n)]
    return ended + list(itertools.product(others, repeat=max_len))


def test_greedy_takes_the_best_token_at_each_place(model: Transformer) -> None:
    source = sources(6)
    written = greedy(model, source, BOS, EOS, MAX_LEN)
    for row, ids in zip(source[:, None], written.tolist(), strict=True):
        text: list[int] = []
        while len(text) < MAX_LEN and EOS not in text:
            scores = [log_probability(model, row, (*text, token)) for token in range(VOCAB_SIZE)]
            text.append(scores.index(max(scores)))
        assert ids == text + [0] * (len(ids) - len(text))


def test_a_source_alone_and_in_a_batch_agree(model: Transformer) -> None:
    source = sources(9)
    together = greedy(model, source, BOS, EOS, 8)
    for row, ids in zip(source, together, strict=True):
        alone = greedy(model, row[None, : int((row != 0).sum())], BOS, EOS, 8)[0]
        assert alone.tolist() == ids[: len(alone)].tolist()
        assert not ids[len(alone) :].any()


def test_greedy_stops_when_all_have_ended_and_pads_after_the_end(model: Transformer) -> None:
    ended = greedy(model, sources(40), BOS, EOS, 12)
    assert ended.shape[-1] <= 12
    for ids in ended.tolist():
        if EOS in ids:
            assert not any(ids[ids.index(EOS) + 1 :])


def test_beam_of_one_is_greedy(model: Transformer) -> None:
    for row in sources(12)[:, None]:
        ids = greedy(model, row, BOS, EOS, 6)[0]
        ((found, log_p),) = beam_search(model, row, BOS, EOS, 6, beam_width=1)
        assert found.tolist() == ids.tolist()
        assert math.isclose(log_p, log_probability(model, row, tuple(found.tolist())), abs_tol=1e-5)


def test_a_wide_beam_finds_the_most_probable_texts(model: Transformer) -> None:
    for row in sources(4)[:, None]:
        ranked = sorted(((log_probability(model, row, ids), ids) for ids in all_texts(MAX_LEN)), reverse=True)
        found = beam_search(model, row, BOS, EOS, MAX_LEN, beam_width=200)
        assert [tuple(ids.tolist()) for ids, _ in found[:5]] == [ids for _, ids in ranked[:5]]
        assert sum(math.exp(log_p) for _, log_p in found) == pytest.approx(1, abs=1e-4)


def test_a_beam_comes_in_order_and_is_never_worse_than_greedy(model: Transformer) -> None:
    for row in sources(12)[:, None]:
        found = beam_search(model, row, BOS, EOS, 6, beam_width=3)
        log_ps = [log_p for _, log_p in found]
        assert log_ps == sorted(log_ps, reverse=True) and len(found) <= 3
        assert log_ps[0] >= log_probability(model, row, tuple(greedy(model, row, BOS, EOS, 6)[0].tolist())) - 1e-5


@torch.no_grad()
def plain_greedy(model: Transformer, source: Tensor, max_len: int) -> Tensor:
    """Without a cache: the whole text again for each token."""
    written = source.new_full((len(source), 1), BOS)
    for _ in range(max_len):
        scores, _ = model.decode(written, model.encode(source), source)
        written = torch.cat([written, scores[:, -1:].argmax(dim=-1)], dim=-1)
    after_the_end = (written[:, 1:-1] == EOS).cumsum(dim=-1) > 0
    return torch.cat([written[:, 1:2], written[:, 2:].masked_fill(after_the_end, 0)], dim=-1)


@torch.no_grad()
def plain_beam_search(
    model: Transformer, source: Tensor, max_len: int, beam_width: int, alpha: float
) -> list[tuple[tuple[int, ...], float]]:
    """Without a cache or a batch: each hypothesis by itself, and no search ends early."""
    hypotheses: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    found = []
    for n in range(1, max_len + 1):
        longer = [
            ((*ids, token), log_probability(model, source, (*ids, token)))
            for ids, _ in hypotheses
            for token in range(VOCAB_SIZE)
        ]
        best = sorted(longer, key=lambda pair: -pair[1])[:beam_width]
        found += [pair for pair in best if pair[0][-1] == EOS or n == max_len]
        hypotheses = [pair for pair in best if pair[0][-1] != EOS]
    scored = [(ids, log_p / ((5 + len(ids)) / 6) ** alpha) for ids, log_p in found]
    return sorted(scored, key=lambda pair: -pair[1])[:beam_width]


def test_greedy_with_its_cache_writes_the_same() -> None:
    model, forms = date_reader.load(), ["{month} {year}", "{mon} '{yy}", "{mm}/{year}", "{d} {month} {year}"]
    days = dates.split_days()[1][::150]
    source = dates.source_ids([dates.written(day, form) for day in days for form in forms])
    written = greedy(model, source, BOS, EOS, 11)
    ended = (written == EOS).int().argmax(dim=-1) + 1
    assert {8, 11} <= set(ended.tolist()) and (ended == 8).float().mean() > 0.5  # so rows were dropped on the way
    assert torch.equal(written, plain_greedy(model, source, 11))


@pytest.mark.parametrize("alpha", [0.0, 0.7])
def test_a_batch_of_beam_searches_equals_plain_ones(stopper: Transformer, alpha: float) -> None:
    model, source = stopper, sources(8)
    together = beam_searches(model, source, BOS, EOS, 5, beam_width=3, alpha=alpha)
    for row, found in zip(source[:, None], together, strict=True):
        plain = plain_beam_search(model, row[:, : int((row != 0).sum())], 5, 3, alpha)
        assert tuple(found[0][0].tolist()) == plain[0][0]
        scores = dict(plain)
        for ids, score in found:
            alone = log_probability(model, row, tuple(ids.tolist())) / ((5 + len(ids)) / 6) ** alpha
            assert math.isclose(score, alone, abs_tol=1e-5)
            assert tuple(ids.tolist()) not in scores or math.isclose(score, scores[tuple(ids.tolist())], abs_tol=1e-5)


def test_greedy_in_a_batch_writes_what_it_writes_alone(sensitive: Transformer) -> None:
    source = sources(40)
    together = greedy(sensitive, source, BOS, EOS, 8)
    ended = (together == EOS).int().argmax(dim=-1)[(together == EOS).any(dim=-1)]
    assert len(set(ended.tolist())) > 2  # so rows were dropped on the way
    for row, ids in zip(source[:, None], together, strict=True):
        alone = plain_greedy(sensitive, row, 8)[0]
        assert ids.tolist() == alone[: len(ids)].tolist()


def test_scores_of_a_beam_are_those_of_its_texts(sensitive: Transformer) -> None:
    for row, found in zip(sources(20)[:, None], beam_searches(sensitive, sources(20), BOS, EOS, 7, 4), strict=True):
        for ids, score in found:
            assert math.isclose(score, log_probability(sensitive, row, tuple(ids.tolist())), abs_tol=1e-4)


@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_a_search_that_ends_early_misses_nothing(sensitive: Transformer, alpha: float) -> None:
    for row, found in zip(
        sources(20)[:, None], beam_searches(sensitive, sources(20), BOS, EOS, 7, 2, alpha), strict=True
    ):
        assert tuple(found[0][0].tolist()) == plain_beam_search(sensitive, row, 7, 2, alpha)[0][0]


def test_length_normalisation_prefers_longer_texts(stopper: Transformer) -> None:
    def length(alpha: float) -> int:
        return sum(len(found[0][0]) for found in beam_searches(stopper, sources(30), BOS, EOS, 8, 4, alpha))

    assert length(0.0) < length(1.0) <= length(2.0)


def test_an_alpha_below_zero_is_refused(model: Transformer) -> None:
    with pytest.raises(ValueError, match="alpha must be at least 0, but is -1"):
        beam_searches(model, sources(1), BOS, EOS, 4, alpha=-1)


@pytest.mark.parametrize(("n", "beam_width", "message"), [(2, 3, "one source"), (1, 0, "at least 1, but is 0")])
def test_bad_calls_are_told(model: Transformer, n: int, beam_width: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        beam_search(model, sources(n), BOS, EOS, 4, beam_width)
