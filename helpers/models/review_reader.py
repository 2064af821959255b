"""The readers of film reviews of lesson 14: words to ids, the models, and what was recorded of their training.

`python -m tools.train_reviews` trains them.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file
from torch import Tensor, nn

from helpers.models.transformer import MultiHeadAttention, sinusoidal_positions

N_WORDS, N_PLACES = 20_000, 80
N_SHARED = 1_000_003  # numbers that pairs share: a prime, so that pairs with a word in common are spread
PAD, UNKNOWN = 0, 1
WEIGHTS = Path(__file__).parent / "weights"
CHECKPOINT, RUNS = WEIGHTS / "reviews.safetensors", WEIGHTS / "review_runs.safetensors"
WORD = re.compile(r"[a-z0-9']+")


# Words to ids


def words(text: str) -> list[str]:
    """Split a text into its words.

    Parameters
    ----------
    text : str
        A review.

    Returns
    -------
    list of str
        In lower case, without punctuation and line breaks in HTML.
    """
    return WORD.findall(text.lower().replace("<br />", " "))


def vocabulary(texts: list[str], n_words: int = N_WORDS) -> dict[str, int]:
    """Give the commonest words an id.

    Parameters
    ----------
    texts : list of str
        Reviews to learn from.
    n_words : int
        Size of the vocabulary, padding and the unknown word included.

    Returns
    -------
    dict of str to int
        Ids from 2, the commonest word, up to n_words - 1 at most; 0 is padding and 1 any other word.
    """
    counts = Counter(word for text in texts for word in words(text))
    return {word: i for i, (word, _) in enumerate(counts.most_common(n_words - 2), start=2)}


def to_ids(texts: list[str], known: dict[str, int], n: int = N_PLACES) -> Tensor:
    """Turn the last words of each text into ids.

    Parameters
    ----------
    texts : list of str
        Reviews.
    known : dict of str to int
        As `vocabulary` gives it.
    n : int
        How many words to keep of each text.

    Returns
    -------
    Tensor, (batch, n)
        Ids, shorter texts filled up with padding after them.
    """
    rows = [[known.get(word, UNKNOWN) for word in words(text)[-n:]] for text in texts]
    return torch.tensor([row + [PAD] * (n - len(row)) for row in rows])


def with_pairs(ids: Tensor, n_words: int, n_shared: int) -> Tensor:
    """Append an id for each pair of neighbours, so that `BagOfWords` has numbers for pairs, too, as in lesson 14.

    Parameters
    ----------
    ids : Tensor, (batch, n)
        As `to_ids` gives them.
    n_words : int
        Size of the vocabulary; the ids of pairs begin there.
    n_shared : int
        How many ids the n_words**2 possible pairs share.

    Returns
    -------
    Tensor, (batch, 2n - 1)
        The ids of the words, then those of the pairs; padding where the second of a pair is padding.
    """
    pairs = ids[:, :-1] * n_words + ids[:, 1:]  # (batch, n - 1), one whole number for each pair
    pairs = (n_words + pairs % n_shared).masked_fill(ids[:, 1:] == PAD, PAD)  # padding comes last
    return torch.cat([ids, pairs], dim=-1)


# The models


class BagOfWords(nn.Module):
    """A number for each word; the score of a text is the sum of its words' numbers. As lesson 14 has it.

    Parameters
    ----------
    n_words : int
        Size of the vocabulary.
    """

    def __init__(self, n_words: int) -> None:
        super().__init__()
        self.table = nn.Embedding(n_words, 1)
        nn.init.zeros_(self.table.weight)
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, ids: Tensor, need_weights: bool = False) -> tuple[Tensor, None]:
        """Score each text.

        Parameters
        ----------
        ids : Tensor, (batch, n)
            As `to_ids` gives them.
        need_weights : bool
            Changes nothing: there are none.

        Returns
        -------
        scores : Tensor, (batch,)
            Above 0 for label 1.
        weights : None
            As there is no attention.
        """
        numbers = self.table(ids).squeeze(-1)  # (batch, n)
        return (numbers * (ids != PAD)).sum(dim=-1) + self.bias, None


class ReviewReader(nn.Module):
    """One layer of attention, the mean over the words, a score: above 0 for label 1. As lesson 14 has it.

    Parameters
    ----------
    n_words : int
        Size of the vocabulary.
    d_model, n_heads : int
        As for `MultiHeadAttention`.
    dropout : float
        Of the mean, in training.
    attention : bool
        Without it the mean is over the words' vectors as they come from the table.
    positions : bool
        Add sinusoidal positions.

    Attributes
    ----------
    masked : bool
        Leave padding out of attention and of the mean.
    """

    def __init__(
        self,
        n_words: int,
        d_model: int,
        n_heads: int,
        dropout: float = 0.0,
        attention: bool = True,
        positions: bool = True,
    ) -> None:
        super().__init__()
        self.table = nn.Embedding(n_words, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.attention = MultiHeadAttention(d_model, n_heads) if attention else None
        self.dropout = nn.Dropout(dropout)
        self.to_score = nn.Linear(d_model, 1)
        self.positions, self.masked = positions, True

    def forward(self, ids: Tensor, need_weights: bool = False) -> tuple[Tensor, Tensor | None]:
        """Score each text.

        Parameters
        ----------
        ids : Tensor, (batch, n)
            As `to_ids` gives them.
        need_weights : bool
            Return the weights.

        Returns
        -------
        scores : Tensor, (batch,)
            Above 0 for label 1.
        weights : Tensor, (batch, n_heads, n, n), or None
            Of attention, with `need_weights`.
        """
        real = (ids != PAD) if self.masked else torch.ones_like(ids).bool()  # (batch, n)
        x = self.table(ids) * self.table.embedding_dim**0.5  # (batch, n, d_model)
        if self.positions:
            x = x + sinusoidal_positions(*x.shape[-2:])
        weights = None
        if self.attention is not None:
            x, weights = self.attention(x, x, x, real[:, None, None, :], need_weights)
        x = x * real[..., None]  # padding adds nothing
        mean = x.sum(dim=-2) / real.sum(dim=-1, keepdim=True).clamp(min=1)  # (batch, d_model)
        return self.to_score(self.dropout(mean)).squeeze(-1), weights


# What is stored


def load() -> tuple[ReviewReader, dict[str, int], dict[str, Any]]:
    """Load the small reader of reviews that is stored with the course.

    Returns
    -------
    model : ReviewReader
        In evaluation mode, with attention and positions.
    known : dict of str to int
        Its vocabulary.
    notes : dict
        What was recorded when it was trained: see `tools.train_reviews`.
    """
    with safe_open(CHECKPOINT, "pt") as file:
        notes = json.loads(file.metadata()["notes"])
    state = {name: tensor.float() for name, tensor in load_file(CHECKPOINT).items()}
    n_words, d_model = state["table.weight"].shape
    model = ReviewReader(n_words, d_model, notes["n_heads"])
    model.load_state_dict(state)
    words_known = notes.pop("words").split(" ")
    return model.eval(), {word: i for i, word in enumerate(words_known, start=2)}, notes


def load_runs() -> dict[str, dict[str, Tensor]]:
    """Load what was recorded of every run on the 25,000 test reviews.

    Returns
    -------
    dict of str to dict
        For each variant "right" (n_seeds, 25000), boolean, at the epoch that was best on the validation reviews, and
        "validation" and "test" (n_seeds, n_epochs), the share that was right after each epoch, nan where training had
        stopped.
    """
    runs: dict[str, dict[str, Tensor]] = {}
    for name, tensor in load_file(RUNS).items():
        variant, what = name.split("/")
        runs.setdefault(variant, {})[what] = (
            torch.from_numpy(np.unpackbits(tensor.numpy(), axis=-1)).bool() if what == "right" else tensor
        )
    return runs
