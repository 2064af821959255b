"""A translator trained as The Annotated Transformer (Rush, 2018) trains its own, written plainly.

Attention builds its table of weights, layer norm is made of mean and standard deviation, the loss compares with a whole
distribution for each token, Adam goes from parameter to parameter, and all is float32. One table reads the source and
the target and scores the next token, as there for a vocabulary that both languages share.
"""

import math
import random
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from helpers.models.transformer import sinusoidal_positions

POOL = 100  # batches' worth of pairs that are sorted together


class Norm(nn.Module):
    """Layer norm: (..., d_model) -> (..., d_model)."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Tensor) -> Tensor:
        """Bring each vector to mean 0 and deviation 1, then scale and shift it."""
        return self.scale * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + self.shift


class Attention(nn.Module):
    """Attention with several heads, with its table of weights."""

    def __init__(self, d_model: int, n_heads: int, dropout: float) -> None:
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.to_query, self.to_key, self.to_value, self.to_output = (nn.Linear(d_model, d_model) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Let x look at the memory: (batch, n, d_model), (batch, n_key, d_model) -> (batch, n, d_model)."""
        query, key, value = (
            matrix(y).view(len(y), -1, self.n_heads, self.d_head).transpose(1, 2)
            for matrix, y in ((self.to_query, x), (self.to_key, memory), (self.to_value, memory))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_head)  # (batch, n_heads, n, n_key)
        weights = self.dropout(scores.masked_fill(mask == 0, -1e9).softmax(dim=-1))
        return self.to_output((weights @ value).transpose(1, 2).contiguous().view(x.shape))


class Sublayer(nn.Module):
    """What stands around each part of a layer: norm before it, dropout after it, and the way past it."""

    def __init__(self, d_model: int, dropout: float) -> None:
        super().__init__()
        self.norm, self.dropout = Norm(d_model), nn.Dropout(dropout)

    def forward(self, x: Tensor, part: Callable[[Tensor], Tensor]) -> Tensor:
        """Add what a part makes of x: (batch, n, d_model) -> (batch, n, d_model)."""
        return x + self.dropout(part(self.norm(x)))


class Layer(nn.Module):
    """A layer of the encoder, or of the decoder, which also looks at the memory."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int, dropout: float, reads_memory: bool) -> None:
        super().__init__()
        self.own = Attention(d_model, n_heads, dropout)
        self.cross = Attention(d_model, n_heads, dropout) if reads_memory else None
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_hidden, d_model)
        )
        self.around = nn.ModuleList(Sublayer(d_model, dropout) for _ in range(2 + reads_memory))

    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        """Give each token what it reads: (batch, n, d_model) -> (batch, n, d_model)."""
        x = self.around[0](x, lambda y: self.own(y, y, mask))
        if self.cross is not None:
            cross = self.cross
            x = self.around[1](x, lambda y: cross(y, memory, memory_mask))
        return self.around[-1](x, self.feed_forward)


class Annotated(nn.Module):
    """Encoder and decoder.

    Parameters
    ----------
    vocab_size : int
        Of source and target.
    d_model, n_heads, n_layers, d_hidden : int
        Its sizes.
    dropout : float
        Of embeddings, of weights, of hidden numbers and of what each part adds.
    n_positions : int
        Tokens that a text may have.
    """

    positions: Tensor  # (n_positions, d_model)

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        n_heads: int,
        n_layers: int,
        d_hidden: int,
        dropout: float,
        n_positions: int,
    ) -> None:
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model)
        self.register_buffer("positions", sinusoidal_positions(n_positions, d_model))
        self.dropout = nn.Dropout(dropout)
        sizes = (d_model, n_heads, d_hidden, dropout)
        self.encoder, self.decoder = (
            nn.ModuleList(Layer(*sizes, reads) for _ in range(n_layers)) for reads in (False, True)
        )
        self.encoder_norm, self.decoder_norm = Norm(d_model), Norm(d_model)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)

    def embed(self, ids: Tensor) -> Tensor:
        """Look up ids and add positions: (batch, n) -> (batch, n, d_model)."""
        return self.dropout(self.table(ids) * math.sqrt(self.table.embedding_dim) + self.positions[: ids.shape[-1]])

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score the next token: (batch, n_source), (batch, n) -> (batch, n, vocab_size), before softmax."""
        source_mask = (source != 0)[:, None, None, :]
        target_mask = (target != 0)[:, None, None, :] & torch.ones(2 * target.shape[-1:], dtype=torch.bool).tril()
        memory = self.embed(source)
        for layer in self.encoder:
            memory = layer(memory, source_mask)
        memory, x = self.encoder_norm(memory), self.embed(target)
        for layer in self.decoder:
            x = layer(x, target_mask, memory, source_mask)
        return self.decoder_norm(x) @ self.table.weight.T


def smoothed_kl(scores: Tensor, wanted: Tensor, smoothing: float) -> Tensor:
    """Compare each token but padding with a whole smoothed distribution: (n, vocab_size), (n,) -> (), a sum."""
    distribution = torch.full_like(scores, smoothing / (scores.shape[-1] - 2))  # neither the wanted one nor padding
    distribution.scatter_(1, wanted[:, None], 1 - smoothing)
    distribution[:, 0] = 0
    distribution.index_fill_(0, (wanted == 0).nonzero().flatten(), 0.0)
    return nn.functional.kl_div(scores.log_softmax(dim=-1), distribution, reduction="sum")


def learning_rate(step: int, d_model: int, warm_up: int) -> float:
    """Give the rate of a step, from 1: up in a line during the warm-up, then down with the root of the steps."""
    return float(d_model**-0.5 * min(step**-0.5, step * warm_up**-1.5))


def batches(lengths: Sequence[tuple[int, int]], max_tokens: int, seed: int) -> list[list[int]]:
    """Deal pairs out to batches whose source and whose target, with padding, have at most so many tokens.

    Pairs are drawn in pools of about 100 batches, and within a pool they are sorted by length.

    Parameters
    ----------
    lengths : sequence of (int, int)
        Tokens of the source and of the target of each pair.
    max_tokens : int
        Of the source of a batch, and of its target.
    seed : int
        Of the order.

    Returns
    -------
    list of list of int
        Rows of each batch.
    """
    draw = random.Random(seed)
    order = draw.sample(range(len(lengths)), len(lengths))
    dealt = []
    for pool in _cut(order, lengths, POOL * max_tokens):
        of_pool = _cut(sorted(pool, key=lambda row: lengths[row]), lengths, max_tokens)
        dealt += draw.sample(of_pool, len(of_pool))
    return dealt


def _cut(rows: Sequence[int], lengths: Sequence[tuple[int, int]], max_tokens: int) -> list[list[int]]:
    parts: list[list[int]] = [[]]
    longest = 0
    for row in rows:
        longest = max(longest, *lengths[row])
        if parts[-1] and longest * (len(parts[-1]) + 1) > max_tokens:
            parts.append([])
            longest = max(lengths[row])
        parts[-1].append(row)
    return parts
