"""Training on the date task of lesson 12: the Transformer of helpers against one made of `nn.Transformer`.

The reference is put together as in PyTorch's own tutorial, "Language Translation with nn.Transformer and torchtext":
with two embeddings, sinusoidal positions, a last matrix, and a mask for each attention, made anew for each batch. A
second one leaves out the masks that change nothing. These have the same sizes, batches, loss and optimiser (Adam,
fused) as ours. A third is trained as it comes: Adam with its defaults, and batches that are not sorted by length. It
shows what the course's recipe gains beside its modules. All calculate with one thread, as in the lesson.

The training of sentences, by `tools.train_translation`, is timed in translation.py.
"""

import statistics
import time
from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn

from benchmarks import translation
from benchmarks.timing import ROUNDS, Figure, figure, in_turn, threads, times_as_fast
from helpers.data import dates
from helpers.models import date_reader
from helpers.models.date_reader import D_HIDDEN, D_MODEL, N_HEADS, N_POSITIONS
from helpers.models.transformer import Transformer, sinusoidal_positions
from tools import train_dates
from tools.train_dates import BATCH, STEPS

REFERENCE, FEWER_MASKS = "nn.Transformer", "nn.Transformer, fewer masks"
PLAIN = "nn.Transformer, plain Adam, unsorted batches"
WATCHED_EVERY = 300  # steps, as in the lesson


class PyTorchs(nn.Module):
    """A translator made of `nn.Transformer`, with embeddings, positions, masks and a last matrix around it.

    Parameters
    ----------
    fewer_masks : bool
        Leave out the masks that change nothing.
    """

    positions: Tensor  # (N_POSITIONS, D_MODEL)

    def __init__(self, fewer_masks: bool = False) -> None:
        super().__init__()
        self.fewer_masks = fewer_masks
        self.source_embedding = nn.Embedding(dates.SOURCE_VOCAB_SIZE, D_MODEL)
        self.target_embedding = nn.Embedding(dates.TARGET_VOCAB_SIZE, D_MODEL)
        self.register_buffer("positions", sinusoidal_positions(N_POSITIONS, D_MODEL))
        self.transformer = nn.Transformer(
            D_MODEL, N_HEADS, 1, 1, D_HIDDEN, dropout=0.0, batch_first=True, norm_first=True
        )
        self.generator = nn.Linear(D_MODEL, dates.TARGET_VOCAB_SIZE)

    def embed(self, embedding: nn.Embedding, ids: Tensor) -> Tensor:
        """Look up ids and add positions: (batch, n) -> (batch, n, d_model)."""
        return embedding(ids) * D_MODEL**0.5 + self.positions[: ids.shape[-1]]

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score the next token: (batch, n_source), (batch, n) -> (batch, n, target_vocab_size)."""
        n_source, n = source.shape[-1], target.shape[-1]
        source_padding, target_padding = source == dates.PAD, target == dates.PAD  # True means blocked
        hidden = self.transformer(
            self.embed(self.source_embedding, source),
            self.embed(self.target_embedding, target),
            src_mask=None if self.fewer_masks else torch.zeros(n_source, n_source, dtype=torch.bool),
            tgt_mask=torch.ones(n, n, dtype=torch.bool).triu(1),
            src_key_padding_mask=source_padding,
            tgt_key_padding_mask=None if self.fewer_masks else target_padding,  # the loss leaves those places out
            memory_key_padding_mask=source_padding,
        )
        return self.generator(hidden)


def figures(quick: bool) -> Iterator[Figure]:
    """Time tokens per second against the references, and the share of a step that goes to all but the model.

    Parameters
    ----------
    quick : bool
        Two steps, once.

    Yields
    ------
    Figure
        How many times as fast it is, then the share.
    """
    n_steps = 2 if quick else 50
    pairs = dates.training_set(n_steps * BATCH)
    batches = dates.batches(pairs, BATCH)
    n_tokens = sum((source != dates.PAD).sum() + (target != dates.PAD).sum() for source, target in batches)
    with threads(1):
        models = {"ours": date_reader.new_model(), REFERENCE: PyTorchs(), FEWER_MASKS: PyTorchs(fewer_masks=True)}
        ways = {name: _steps(model, batches, _optimizer(model)) for name, model in models.items()}
        plain = PyTorchs()
        ways[PLAIN] = _steps(plain, _unsorted(pairs), torch.optim.Adam(plain.parameters(), lr=1e-4))
        times = in_turn(ways, quick)
        for reference, bar in ((REFERENCE, None), (FEWER_MASKS, None), (PLAIN, 1.3)):
            speeds = [f"{n_tokens / statistics.median(times[name]):,.0f}" for name in ("ours", reference)]
            what = f"dates, {' against '.join(speeds)} tokens a second"
            of_both = {name: times[name] for name in ("ours", reference)}
            yield times_as_fast(what, of_both, reference=reference, at_least=bar)
        yield figure("data, padding, logging", _shares(quick), "of a training step", at_most=0.1)
    yield from translation.figures(quick)


def _step(model: nn.Module, optimizer: torch.optim.Optimizer, source: Tensor, target: Tensor) -> Tensor:
    scores = model(source, target[:, :-1])  # (batch, n, target_vocab_size)
    loss = nn.functional.cross_entropy(
        scores.flatten(0, 1), target[:, 1:].flatten(), ignore_index=dates.PAD, label_smoothing=train_dates.SMOOTHING
    )
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def _optimizer(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True)


def _unsorted(pairs: list[tuple[str, str]]) -> list[tuple[Tensor, Tensor]]:
    """The pairs as they come, each batch padded to its longest text."""
    parts = [pairs[i : i + BATCH] for i in range(0, len(pairs), BATCH)]
    return [
        (dates.source_ids([text for text, _ in part]), dates.target_ids([goal for _, goal in part])) for part in parts
    ]


def _steps(
    model: nn.Module, batches: list[tuple[Tensor, Tensor]], optimizer: torch.optim.Optimizer
) -> Callable[[], None]:
    def once() -> None:
        for source, target in batches:
            _step(model, optimizer, source, target)

    return once


def _shares(quick: bool) -> list[float]:
    """In each round the share of the time that goes to making all data, setting the rate, noting the loss, watching."""
    n_steps, n_all = (2, 4) if quick else (WATCHED_EVERY, STEPS)
    model, watched = date_reader.new_model(), dates.validation_set(2 if quick else 200)
    return [_share(model, watched, n_steps, n_all) for _ in range(1 if quick else ROUNDS - 4)]


def _share(model: Transformer, watched: list[tuple[str, str]], n_steps: int, n_all: int) -> float:
    start = time.perf_counter()
    batches = dates.batches(dates.training_set(n_all * BATCH), BATCH)
    of_data = (time.perf_counter() - start) / n_all  # a step
    optimizer, losses, inside, start = _optimizer(model), [], 0.0, time.perf_counter()
    for step, (source, target) in enumerate(batches[:n_steps]):
        optimizer.param_groups[0]["lr"] = train_dates.learning_rate(step)
        before = time.perf_counter()
        loss = _step(model, optimizer, source, target)
        inside += time.perf_counter() - before
        losses.append(loss.item())
    date_reader.accuracy(model, watched)
    total = (time.perf_counter() - start) / n_steps + of_data
    return 1 - inside / n_steps / total
