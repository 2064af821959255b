"""Greedy decoding with kept keys and values against decoding without: dates, with the stored model of lesson 12.

Both read the same 1,000 held-out dates in one batch, calculate the memory once, and stop when all texts have ended. The
reference decodes the whole text so far for each token. One thread, as in the lesson. Then the language model of lesson
18: see language_model.py.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from benchmarks import language_model
from benchmarks.timing import Figure, in_turn, threads, times_as_fast
from helpers.data import dates
from helpers.models import date_reader
from helpers.models.decoding import beam_search, beam_searches, greedy
from helpers.models.transformer import Transformer

WITHOUT = "decoding without a cache"


def figures(quick: bool) -> Iterator[Figure]:
    """Time greedy decoding with a cache against without, and beam search in a batch against one by one.

    Parameters
    ----------
    quick : bool
        A few dates, once.

    Yields
    ------
    Figure
        How many times as fast it is.
    """
    model, n = date_reader.load(), 8 if quick else 1000
    source = dates.source_ids([text for text, _ in dates.test_set(n)])
    eos, max_len = dates.EOS, date_reader.MAX_LEN
    with threads(1):
        times = in_turn(
            {
                "ours": lambda: greedy(model, source, dates.BOS, eos, max_len),
                WITHOUT: lambda: without_cache(model, source, max_len),
            },
            quick,
        )
        yield times_as_fast(f"greedy, {n:,} dates in a batch", times, reference=WITHOUT, at_least=3)
        few = source[: 2 if quick else 50]
        times = in_turn(
            {
                "ours": lambda: beam_searches(model, few, dates.BOS, eos, max_len),
                "one by one": lambda: [beam_search(model, row, dates.BOS, eos, max_len) for row in few[:, None]],
            },
            quick,
        )
        yield times_as_fast(f"beam search, width 4, {len(few)} dates in a batch", times, reference="one by one")
    yield from language_model.figures(quick)


@torch.no_grad()
def without_cache(model: Transformer, source: Tensor, max_len: int) -> Tensor:
    """Write what `greedy` writes, calculated as in lesson 12.

    Parameters
    ----------
    model : Transformer
        In evaluation mode.
    source : Tensor, (batch, n_source)
        Ids, filled up with padding.
    max_len : int
        The most tokens to write.

    Returns
    -------
    Tensor, (batch, n)
        Ids without BOS.
    """
    memory = model.encode(source)
    written = source.new_full((len(source), 1), dates.BOS)
    ended = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_len):
        scores, _ = model.decode(written, memory, source)
        best = scores[:, -1].argmax(dim=-1).masked_fill(ended, model.padding)
        written = torch.cat([written, best[:, None]], dim=-1)
        ended |= best == dates.EOS
        if ended.all():
            break
    return written[:, 1:]
