"""A training step of lesson 14's reader of reviews: Adam on the rows of the table that a batch uses, or on all of them.

The reviews are drawn, since no real ones need be there: words by Zipf's law, as unevenly as in real text, and labels by
coin. One thread, as in the lesson.
"""

from collections.abc import Callable, Iterator

import torch

from benchmarks.timing import Figure, in_turn, threads, times_as_fast
from helpers.models.review_reader import N_PLACES, N_WORDS
from tools.train_reviews import BATCH, new_model, optimizers, train_step

DENSE = "dense Adam"


def figures(quick: bool) -> Iterator[Figure]:
    """Time a step with a sparse table against one with a dense one.

    Parameters
    ----------
    quick : bool
        Two reviews, once.

    Yields
    ------
    Figure
        How many times as fast it is.
    """
    torch.manual_seed(0)
    batch = 2 if quick else BATCH
    frequency = 1 / torch.arange(2, N_WORDS).float()  # ids 0 and 1 are padding and unknown words
    ids = 2 + torch.multinomial(frequency, batch * N_PLACES, replacement=True).view(batch, N_PLACES)
    labels = torch.randint(2, (batch,))
    with threads(1):
        ways = {"ours": _step(ids, labels, sparse=True), DENSE: _step(ids, labels, sparse=False)}
        what = f"step of {batch} reviews of {N_PLACES} words"
        yield times_as_fast(what, in_turn(ways, quick), reference=DENSE)


def _step(ids: torch.Tensor, labels: torch.Tensor, sparse: bool) -> Callable[[], float]:
    model = new_model("attention, positions", sparse=sparse).train()
    steps = optimizers(model)
    return lambda: train_step(model, steps, ids, labels)
