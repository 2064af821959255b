"""Tables of counted tokens, mixed as well as is known: what lesson 13 compares its language models with.

After Kneser and Ney, "Improved Backing-Off for m-gram Language Modeling" (1995), with the three discounts of Chen and
Goodman, "An Empirical Study of Smoothing Techniques for Language Modeling" (1999).
"""

import torch
from torch import Tensor


def kneser_ney(learned: Tensor, runs: Tensor, vocab_size: int) -> Tensor:
    """Predict the last token of each run from the tokens before it, by what was counted in a text.

    Parameters
    ----------
    learned : Tensor, (n_learned,)
        Ids of the tokens of the text.
    runs : Tensor, (n_runs, n)
        Ids of other tokens. Numbers up to `vocab_size` ** (n + 1) must fit into 63 bits.
    vocab_size : int
        All ids are below it.

    Returns
    -------
    Tensor, (n, n_runs)
        The probabilities of the last tokens, of tables that see the last 0, 1, ... n - 1 tokens before them.
    """
    probabilities = []
    shorter = torch.full((len(runs),), 1 / vocab_size, dtype=torch.float64)  # an even guess
    for n in range(1, runs.shape[-1] + 1):
        asked = _numbers(runs[:, -n:], vocab_size)
        seen, counts = _numbers(learned.unfold(0, n, 1), vocab_size).unique(return_counts=True)
        probabilities.append(_mixed(seen, counts, asked, shorter, vocab_size))
        # For a longer table: not how often a run came, but after how many different tokens.
        longer = _numbers(learned.unfold(0, n + 1, 1), vocab_size).unique()
        seen, counts = (longer % vocab_size**n).unique(return_counts=True)
        shorter = _mixed(seen, counts, asked, shorter, vocab_size)
    return torch.stack(probabilities)


def _numbers(runs: Tensor, vocab_size: int) -> Tensor:
    """Make one whole number of each run of ids: (n_runs, n) -> (n_runs,)."""
    return (runs * vocab_size ** torch.arange(runs.shape[-1]).flip(0)).sum(dim=-1)


def _mixed(seen: Tensor, counts: Tensor, asked: Tensor, shorter: Tensor, vocab_size: int) -> Tensor:
    """Take a little off the count of each run that was seen, and share it among all tokens as the shorter past says."""
    times = torch.bincount(counts.clamp(max=5), minlength=6)[1:5].double()  # how many runs came 1, 2, 3 and 4 times
    kept = times[0] / (times[0] + 2 * times[1]).clamp(min=1)
    k = torch.arange(1, 4)
    discounts = (k - (k + 1) * kept * times[1:] / times[:3].clamp(min=1)).clamp(min=0.1)  # 0.1: never nothing at all
    taken = torch.minimum(discounts[counts.clamp(max=3) - 1], counts)
    pasts, of_run = (seen // vocab_size).unique(return_inverse=True)
    total = torch.zeros(len(pasts), dtype=torch.float64).index_add(0, of_run, counts.double())
    free = torch.zeros(len(pasts), dtype=torch.float64).index_add(0, of_run, taken)
    run, found = _places(seen, asked)
    past, known = _places(pasts, asked // vocab_size)
    left = (counts - taken)[run].where(found, 0)
    return ((left + free[past] * shorter) / total[past]).where(known, shorter)  # unknown past: the shorter one alone


def _places(table: Tensor, numbers: Tensor) -> tuple[Tensor, Tensor]:
    """Look numbers up in a sorted table: where each stands, and whether it is there at all."""
    places = torch.searchsorted(table, numbers).clamp(max=len(table) - 1)
    return places, table[places] == numbers
