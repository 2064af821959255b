"""A small task that asks for recall, and the cheaper attentions of lesson 16 that are compared on it.

A text is a list of 32 pairs, each a name and a colour, and then come questions. A question gives two of the names and
asks for both colours, so it has to find two things at one time. One layer of attention reads the pairs; what it keeps
of them is all that the questions see. `python -m tools.study_recall` trains all of them.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import elu, pad

from helpers.models.transformer import attention

D_MODEL, N_HEADS, D_HEAD, HALF_HEAD = 64, 4, 16, 8
N_PAIRS, N_NAMES, N_COLOURS, N_QUESTIONS = 32, 64, 16, 16
RESULTS = Path(__file__).parent / "weights" / "recall-studies.json"
# What is made smaller, from the cheapest to the dearest: numbers of a head, pairs in the window, the distance between
# two pairs, numbers of a latent vector, pairs that become one, numbers of a query and a key in a head. After the seven
# ways that are compared come questions about them: fewer or more heads, smaller heads, and in linear attention another
# division, with queries and keys that are positive or may be negative, and one table that all heads of queries read.
SIZES = {
    "full": [2, 3, 4, 8, 16],
    "local": [4, 8, 16],
    "grouped": [2, 3, 4, 8, 16],
    "strided": [8, 4, 2],
    "latent": [4, 6, 8, 16, 32],
    "compressed": [8, 4, 2],
    "linear": [8, 16, 32],
    "one head": [16, 32, 64],
    "one head, feed-forward behind": [16],
    "two heads of queries on one": [2, 4, 16],
    "full, four heads": [2, 4],
    "compressed, a head of 8": [2],
    "linear, divided by 32": [16],
    "linear, signed": [8, 16],
    "linear, one table": [8, 16, 24, 32],
    "linear, signed, one table": [8, 16, 24, 32],
}
HEADS = {  # of queries, and of keys and values
    "full": (2, 2),
    "grouped": (4, 1),
    "one head": (1, 1),
    "one head, feed-forward behind": (1, 1),
    "two heads of queries on one": (2, 1),
    "full, four heads": (4, 4),
}


# --- the task ---


def recall_texts(n_texts: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Draw texts of pairs, and questions about them.

    Parameters
    ----------
    n_texts : int
        How many.
    generator : torch.Generator
        What draws them.

    Returns
    -------
    names, colours : Tensor, (n_texts, 32)
        The pairs; no name stands twice in a text.
    asked, wanted : Tensor, (n_texts, 16, 2)
        Two names of the text for each question, and their colours.
    """
    names = torch.rand(n_texts, N_NAMES, generator=generator).argsort(dim=-1)[:, :N_PAIRS]  # without repeats
    colours = torch.randint(N_COLOURS, (n_texts, N_PAIRS), generator=generator)
    places = torch.randint(N_PAIRS, (n_texts, 2 * N_QUESTIONS), generator=generator)
    asked, wanted = (x.gather(1, places).unflatten(-1, (N_QUESTIONS, 2)) for x in (names, colours))
    return names, colours, asked, wanted


class RecallModel(nn.Module):
    """One layer of attention between the questions and the pairs.

    Parameters
    ----------
    attend : nn.Module
        Takes questions, (batch, n_questions, d_model), and pairs, (batch, n_pairs, d_model), and returns what was
        found.
    d_model : int
        Length of the vectors of names, pairs and questions.
    """

    def __init__(self, attend: nn.Module, d_model: int = D_MODEL) -> None:
        super().__init__()
        self.name, self.colour = nn.Embedding(N_NAMES, d_model), nn.Embedding(N_COLOURS, d_model)
        self.first, self.second = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.attend, self.to_scores = attend, nn.Linear(d_model, 2 * N_COLOURS)

    def forward(self, names: Tensor, colours: Tensor, asked: Tensor) -> Tensor:
        """Score each colour as the answer: -> (batch, n_questions, 2, 16)."""
        pairs = self.name(names) + self.colour(colours)
        questions = self.first(self.name(asked[..., 0])) + self.second(self.name(asked[..., 1]))
        return self.to_scores(self.attend(questions, pairs)).unflatten(-1, (2, N_COLOURS))


# --- ways to attend ---


def split(x: Tensor, n_heads: int) -> Tensor:
    """Split vectors into heads: (batch, n, n_heads * d_head) -> (batch, n_heads, n, d_head)."""
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)


class GroupedQueryAttention(nn.Module):
    """Heads of queries that share fewer heads of keys and values.

    Parameters
    ----------
    d_model, n_heads, n_kv_heads, d_head : int
        Length of the vectors, heads of queries, heads of keys and values, numbers in each head.
    """

    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int, d_head: int) -> None:
        super().__init__()
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.to_query = nn.Linear(d_model, n_heads * d_head)
        self.to_key = nn.Linear(d_model, n_kv_heads * d_head)
        self.to_value = nn.Linear(d_model, n_kv_heads * d_head)
        self.to_output = nn.Linear(n_heads * d_head, d_model)

    def forward(self, x_query: Tensor, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Attend: (batch, n_query, d_model), (batch, n_key, d_model) -> (batch, n_query, d_model)."""
        query = split(self.to_query(x_query), self.n_heads)
        key, value = (split(part(x), self.n_kv_heads) for part in (self.to_key, self.to_value))
        times = self.n_heads // self.n_kv_heads  # so many heads of queries share one of keys and values
        key = key.repeat_interleave(times, dim=-3)
        value = value.repeat_interleave(times, dim=-3)
        output = attention(query, key, value, mask)[0]
        return self.to_output(output.transpose(1, 2).flatten(-2))


class LatentAttention(nn.Module):
    """Keys and values of all heads are made of one short vector a token, which is all that is kept.

    Parameters
    ----------
    d_model, n_heads, d_latent, d_head : int
        Length of the vectors, heads, numbers that are kept of a token, numbers in each head.
    """

    def __init__(self, d_model: int, n_heads: int, d_latent: int, d_head: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.to_query = nn.Linear(d_model, n_heads * d_head)
        self.to_latent = nn.Linear(d_model, d_latent, bias=False)
        self.to_key = nn.Linear(d_latent, n_heads * d_head, bias=False)
        self.to_value = nn.Linear(d_latent, n_heads * d_head, bias=False)
        self.to_output = nn.Linear(n_heads * d_head, d_model)

    def forward(self, x_query: Tensor, x: Tensor) -> Tensor:
        """Attend: (batch, n_query, d_model), (batch, n_key, d_model) -> (batch, n_query, d_model)."""
        latent = self.to_latent(x)  # (batch, n_key, d_latent): the cache
        query, key, value = (
            split(part, self.n_heads) for part in (self.to_query(x_query), self.to_key(latent), self.to_value(latent))
        )
        output = attention(query, key, value)[0]
        return self.to_output(output.transpose(1, 2).flatten(-2))


class CompressedAttention(nn.Module):
    """Attention to fewer keys: a convolution makes one key of several neighbours, and another one value.

    Parameters
    ----------
    d_head, factor : int
        Numbers in each head, and how many neighbours become one.
    """

    def __init__(self, d_head: int, factor: int = 3) -> None:
        super().__init__()
        self.factor = factor
        self.of_keys = nn.Conv1d(d_head, d_head, kernel_size=factor, stride=factor)
        self.of_values = nn.Conv1d(d_head, d_head, kernel_size=factor, stride=factor)

    def compress(self, x: Tensor, convolution: nn.Conv1d) -> Tensor:
        """Make one vector of each group: (batch, n_heads, n, d) -> (batch, n_heads, n / factor rounded up, d)."""
        x = pad(x, (0, 0, 0, -x.shape[-2] % self.factor))  # so that no key at the end is lost
        joined = x.flatten(0, 1).mT  # (batch * n_heads, d, n): a convolution runs along the last axis
        return convolution(joined).mT.contiguous().unflatten(0, x.shape[:2])  # in order, or the fused kernel refuses

    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Attend: (batch, n_heads, n, d) each -> (batch, n_heads, n, d)."""
        key = self.compress(key, self.of_keys)
        value = self.compress(value, self.of_values)
        return attention(query, key, value)[0]


def linear_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attend without softmax, by way of one table a head: (..., n_query, d), (..., n_key, d), (..., n_key, d_v).

    The similarity of a query and a key is the dot product of the two after elu(x) + 1, which is above 0.
    """
    query, key = elu(query) + 1, elu(key) + 1
    table, total = key.mT @ value, key.sum(dim=-2).unsqueeze(-1)  # (..., d, d_v), (..., d, 1): all that is kept
    return (query @ table) / (query @ total)


def counted_linear_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attend as `linear_attention`, but divide by how many keys there are, not by the sum of the similarities."""
    return signed_linear_attention(elu(query) + 1, elu(key) + 1, value)


def signed_linear_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attend as `linear_attention`, but by the dot product itself, which may be negative, and divide by how many."""
    return query @ (key.mT @ value) / key.shape[-2]


class WithHeads(nn.Module):
    """Four heads of queries, with any function or module that attends.

    Parameters
    ----------
    attend : callable
        Takes query, key and value, (batch, 4, n, d_head) each, or keys and values of one head.
    d_head : int
        Numbers in each head.
    n_kv_heads : int
        Heads of keys and values: 4, or 1 that all share.
    d_model : int
        Length of the vectors.
    """

    def __init__(self, attend: Any, d_head: int = D_HEAD, n_kv_heads: int = N_HEADS, d_model: int = D_MODEL) -> None:
        super().__init__()
        self.attend, self.n_kv_heads = attend, n_kv_heads
        self.to_query = nn.Linear(d_model, N_HEADS * d_head)
        self.to_key, self.to_value = (nn.Linear(d_model, n_kv_heads * d_head) for _ in range(2))
        self.to_output = nn.Linear(N_HEADS * d_head, d_model)

    def forward(self, x_query: Tensor, x: Tensor) -> Tensor:
        """Attend: (batch, n_query, d_model), (batch, n_key, d_model) -> (batch, n_query, d_model)."""
        query = split(self.to_query(x_query), N_HEADS)
        key, value = (
            split(part(x), self.n_kv_heads).expand(-1, N_HEADS, -1, -1) for part in (self.to_key, self.to_value)
        )
        return self.to_output(self.attend(query, key, value).transpose(1, 2).flatten(-2))


class _OfSome(nn.Module):
    """Attends to some of the pairs alone, as the last row of a local or a strided mask does."""

    def __init__(self, places: Tensor) -> None:
        super().__init__()
        self.places = places

    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        return attention(query, key[..., self.places, :], value[..., self.places, :])[0]


class FeedForwardBehind(nn.Module):
    """An attention with a feed-forward part behind it, four times as wide, as in a layer of a Transformer.

    Parameters
    ----------
    attend : nn.Module
        For `RecallModel`.
    """

    def __init__(self, attend: nn.Module) -> None:
        super().__init__()
        self.attend = attend
        self.feed_forward = nn.Sequential(nn.Linear(D_MODEL, 4 * D_MODEL), nn.ReLU(), nn.Linear(4 * D_MODEL, D_MODEL))

    def forward(self, x_query: Tensor, x: Tensor) -> Tensor:
        """Attend, and add what the feed-forward part makes of it: -> (batch, n_query, d_model)."""
        found = self.attend(x_query, x)
        return found + self.feed_forward(found)


def new_window(n_pairs: int, d_head: int = D_HEAD) -> WithHeads:
    """Make an attention to the last pairs alone, with a random start.

    Parameters
    ----------
    n_pairs : int
        How many it sees.
    d_head : int
        Numbers in each of its four heads, which share keys and values.

    Returns
    -------
    WithHeads
        For `RecallModel`.
    """
    return WithHeads(_OfSome(torch.arange(N_PAIRS - n_pairs, N_PAIRS)), d_head, n_kv_heads=1)


def new_attention(way: str, size: int) -> nn.Module:
    """Make one of the attentions that are compared, with a random start.

    Parameters
    ----------
    way : str
        One of `SIZES`.
    size : int
        What is made smaller; see `SIZES`.

    Returns
    -------
    nn.Module
        For `RecallModel`.

    Raises
    ------
    ValueError
        There is no such way.
    """
    if way in HEADS:
        attend = GroupedQueryAttention(D_MODEL, *HEADS[way], size)
        return FeedForwardBehind(attend) if way.endswith("behind") else attend
    if way == "latent":
        return LatentAttention(D_MODEL, N_HEADS, size, D_HEAD)
    if way == "linear":
        return WithHeads(linear_attention, size)
    if way == "linear, divided by 32":
        return WithHeads(counted_linear_attention, size)
    if way == "linear, signed":
        return WithHeads(signed_linear_attention, size)
    if way == "linear, one table":
        return WithHeads(linear_attention, size, n_kv_heads=1)
    if way == "linear, signed, one table":
        return WithHeads(signed_linear_attention, size, n_kv_heads=1)
    if way == "compressed":
        return WithHeads(CompressedAttention(D_HEAD, size), n_kv_heads=1)
    if way == "compressed, a head of 8":
        return WithHeads(CompressedAttention(HALF_HEAD, size), HALF_HEAD, n_kv_heads=1)
    if way == "local":
        return new_window(size)
    if way == "strided":  # the last pair, and each that lies a whole number of strides before it
        return WithHeads(_OfSome(torch.arange(N_PAIRS - 1, -1, -size)), n_kv_heads=1)
    raise ValueError(f"way must be one of {', '.join(SIZES)}, but is {way!r}.")


def numbers_kept(way: str, size: int) -> int:
    """Count the numbers that each question reads of the 32 pairs; all but strided attention need keep no more.

    Parameters
    ----------
    way : str
        One of `SIZES`.
    size : int
        What is made smaller.

    Returns
    -------
    int
        Numbers, in all heads.
    """
    if way in HEADS:
        return N_PAIRS * 2 * HEADS[way][1] * size
    each = 2 * D_HEAD  # a key and a value
    return {
        "local": size * each,
        "strided": N_PAIRS // size * each,
        "compressed": N_PAIRS // size * each,
        "latent": N_PAIRS * size,
        "linear": N_HEADS * size * (size + 1),  # a table, and the sum of the keys
        "linear, divided by 32": N_HEADS * size * size,
        "compressed, a head of 8": N_PAIRS // size * 2 * HALF_HEAD,
        "linear, signed": N_HEADS * size * size,
        "linear, one table": size * (size + 1),
        "linear, signed, one table": size * size,
    }[way]


# --- training ---


def train_recall(attend: nn.Module, seed: int, steps: int = 800, lr: float = 0.01) -> nn.Module:
    """Train a `RecallModel` around an attention.

    Parameters
    ----------
    attend : nn.Module
        For `RecallModel`.
    seed, steps, lr
        See `trained`; the seed of `attend` is the caller's.

    Returns
    -------
    RecallModel
        The model after the last step.
    """
    return trained(RecallModel(attend), seed, steps, lr)


def trained(model: nn.Module, seed: int, steps: int = 800, lr: float = 0.01) -> nn.Module:
    """Train a model on texts that are drawn as it goes, so that none is read twice.

    Parameters
    ----------
    model : nn.Module
        Takes names, colours and questions, and scores each colour, as `RecallModel` does.
    seed : int
        Of the texts.
    steps : int
        Of 64 texts each.
    lr : float
        The largest learning rate; it rises over the first tenth and then falls.

    Returns
    -------
    nn.Module
        The same, after the last step.
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters())
    rates = torch.optim.lr_scheduler.OneCycleLR(optimizer, lr, steps, pct_start=0.1)
    for _ in range(steps):
        names, colours, asked, wanted = recall_texts(64, generator)
        loss = nn.functional.cross_entropy(model(names, colours, asked).flatten(0, 2), wanted.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rates.step()
    return model


@torch.no_grad()
def recall_accuracy(model: nn.Module, n_texts: int = 500) -> float:
    """Measure the share of right answers in fresh texts, the same for each model.

    Parameters
    ----------
    model : nn.Module
        A trained `RecallModel`.
    n_texts : int
        32 answers each.

    Returns
    -------
    float
        From 0 to 1; a guess is right in 1 of 16.
    """
    names, colours, asked, wanted = recall_texts(n_texts, torch.Generator().manual_seed(1_000_000))
    return (model(names, colours, asked).argmax(dim=-1) == wanted).float().mean().item()


def recall_results() -> dict[str, Any]:
    """Load what `python -m tools.study_recall` has stored.

    Returns
    -------
    dict
        `command`, `seeds`, `steps`, and in `runs` for each way a list of its sizes, each with `size`, `kept` and
        `accuracy`, a list with a number for each seed.
    """
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return results
