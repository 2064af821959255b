"""The Transformer, in one place: attention, its layers, an encoder with a decoder, and a language model.

After Vaswani et al., "Attention Is All You Need" (2017). Layer norm before the sublayers (`norm_first`) after Xiong et
al., "On Layer Normalization in the Transformer Architecture" (2020). Masks are boolean: True means "may attend".
"""

import re

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout as drop
from torch.nn.functional import scaled_dot_product_attention

# Masks and positions


def causal_mask(n_query: int, n_key: int | None = None, device: torch.device | None = None) -> Tensor:
    """Each token may attend to itself and to those before it: (n_query, n_key), boolean.

    With more keys than queries the queries are the last ones, as when earlier keys were kept.
    """
    n_key = n_query if n_key is None else n_key
    return torch.ones(n_query, n_key, dtype=torch.bool, device=device).tril(n_key - n_query)


def padding_mask(ids: Tensor, padding: int) -> Tensor:
    """Nobody may attend to padding: ids (batch, n_key) -> (batch, 1, 1, n_key), boolean."""
    return (ids != padding)[:, None, None, :]


def sinusoidal_positions(n: int, d_model: int) -> Tensor:
    """Sine and cosine of each position at d_model / 2 wavelengths, from 2 pi to nearly 20,000 pi: (n, d_model).

    Raises ValueError where d_model is odd: each wavelength needs a sine and a cosine.
    """
    if d_model % 2:
        raise ValueError(f"d_model must be even for sines and cosines in pairs, but is {d_model}.")
    slowness = 10_000 ** (torch.arange(0, d_model, 2) / d_model)  # (d_model / 2,)
    angles = torch.arange(n)[:, None] / slowness  # (n, 1) / (d_model / 2,) -> (n, d_model / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)  # interleaved -> (n, d_model)


# Attention


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    dropout: float = 0.0,
    need_weights: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Scaled dot-product attention. A query that may attend to nothing gets zeros.

    Parameters
    ----------
    query, key, value : (..., n_query, d_k), (..., n_key, d_k), (..., n_key, d_v)
    mask : boolean, (..., n_query, n_key), or of a shape that broadcasts to it
    dropout : probability with which a weight becomes 0
    need_weights : build the table of weights, to draw it; otherwise PyTorch's fused kernel, which never keeps it

    Returns the output (..., n_query, d_v), and the weights before dropout, (..., n_query, n_key), or None. Raises
    TypeError for a mask that is not boolean, ValueError for one that does not broadcast to (..., n_query, n_key).
    """
    if mask is not None:
        _check_mask(mask, (*query.shape[:-1], key.shape[-2]))
    if not need_weights and _is_causal(mask):  # the same, but half of the pairs are not even calculated
        return scaled_dot_product_attention(query, key, value, None, dropout, is_causal=True), None
    if not need_weights:
        return scaled_dot_product_attention(query, key, value, mask, dropout), None
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5  # -> (..., n_query, n_key)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)  # 0 already, or nan where a whole row is masked
    return drop(weights, dropout) @ value, weights  # (..., n_query, n_key) @ (..., n_key, d_v)


def _check_mask(mask: Tensor, shape: tuple[int, ...]) -> None:
    if mask.dtype != torch.bool:
        raise TypeError(f'mask must be boolean, True for "may attend", but holds {mask.dtype}.')
    pairs = zip(reversed(mask.shape), reversed(shape), strict=False)
    if len(mask.shape) > len(shape) or any(have not in (1, want) for have, want in pairs):
        raise ValueError(f"mask must fit the scores, {tuple(shape)}, but has the shape {tuple(mask.shape)}.")


def _is_causal(mask: Tensor | None) -> bool:  # in a short mask a look costs more than it saves; a compiler cannot look
    long = mask is not None and mask.dim() == 2 and len(mask) >= 256 and not torch.compiler.is_compiling()
    return long and torch.equal(mask, causal_mask(len(mask), device=mask.device))


class Cache:
    """The keys and values of the tokens so far, so that generating one more token does not calculate them again."""

    def __init__(self) -> None:
        self.key: Tensor | None = None
        self.value: Tensor | None = None

    def extend(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:  # (batch, n_heads, n_new, d_head), twice
        """All keys and values, the new ones last: (batch, n_heads, n_so_far + n_new, d_head), twice."""
        if self.key is not None:
            key, value = torch.cat([self.key, key], dim=-2), torch.cat([self.value, value], dim=-2)
        self.key, self.value = key, value
        return key, value


class MultiHeadAttention(nn.Module):
    """n_heads attentions side by side, each d_model / n_heads wide, joined and mixed by one matrix."""

    def __init__(self, d_model: int, n_heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        if d_model % n_heads:
            raise ValueError(f"d_model must be a multiple of n_heads, but {d_model} is not a multiple of {n_heads}.")
        self.n_heads, self.d_head, self.dropout = n_heads, d_model // n_heads, dropout
        self.to_query = nn.Linear(d_model, d_model)
        self.to_key = nn.Linear(d_model, d_model)
        self.to_value = nn.Linear(d_model, d_model)
        self.to_output = nn.Linear(d_model, d_model)

    def split(self, x: Tensor) -> Tensor:  # (batch, n, d_model) -> (batch, n_heads, n, d_head)
        return x.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)

    def forward(
        self,
        query: Tensor,
        key: Tensor | None,
        value: Tensor | None,
        mask: Tensor | None = None,
        need_weights: bool = False,
        cache: Cache | None = None,
    ) -> tuple[Tensor, Tensor | None]:  # -> (batch, n_query, d_model), (batch, n_heads, n_query, n_key) or None
        query = self.split(self.to_query(query))
        if key is not None:
            key, value = self.split(self.to_key(key)), self.split(self.to_value(value))
        if cache is not None and key is not None:
            key, value = cache.extend(key.contiguous(), value.contiguous())
        elif cache is not None:  # all are in the cache
            key, value = cache.key, cache.value
        dropout, one_row = self.dropout if self.training else 0.0, query.shape[-2] == 1  # a table that needs no kernel
        output, weights = attention(query, key, value, mask, dropout, need_weights or one_row)
        return self.to_output(output.transpose(1, 2).flatten(-2)), weights if need_weights else None


# Layers


def feed_forward(d_model: int, d_hidden: int, dropout: float) -> nn.Sequential:
    """The same two matrices for each token: (batch, n, d_model) -> (batch, n, d_hidden) -> (batch, n, d_model)."""
    return nn.Sequential(nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_hidden, d_model))


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward; with a causal mask also the layer of a language model."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int, dropout: float = 0.0, norm_first: bool = False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads, dropout)
        self.feed_forward = feed_forward(d_model, d_hidden, dropout)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(
        self, x: Tensor, mask: Tensor | None = None, need_weights: bool = False, cache: Cache | None = None
    ) -> tuple[Tensor, Tensor | None]:  # -> (batch, n, d_model), (batch, n_heads, n, n_key) or None
        if self.norm_first:
            y = self.norm_1(x)
            attended, weights = self.self_attention(y, y, y, mask, need_weights, cache)
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.norm_2(x)))
        else:
            attended, weights = self.self_attention(x, x, x, mask, need_weights, cache)
            x = self.norm_1(x + self.dropout(attended))
            x = self.norm_2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the memory, feed-forward."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int, dropout: float = 0.0, norm_first: bool = False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads, dropout)
        self.cross_attention = MultiHeadAttention(d_model, n_heads, dropout)
        self.feed_forward = feed_forward(d_model, d_hidden, dropout)
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None,
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        need_weights: bool = False,
        cache: Cache | None = None,
        memory_cache: Cache | None = None,
    ) -> tuple[Tensor, Tensor | None]:  # -> (batch, n, d_model), (batch, n_heads, n, n_memory) or None
        if self.norm_first:
            y = self.norm_1(x)
            x = x + self.dropout(self.self_attention(y, y, y, mask, cache=cache)[0])
            y = self.norm_2(x)
            attended, weights = self.cross_attention(y, memory, memory, memory_mask, need_weights, memory_cache)
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.norm_3(x)))
        else:
            x = self.norm_1(x + self.dropout(self.self_attention(x, x, x, mask, cache=cache)[0]))
            attended, weights = self.cross_attention(x, memory, memory, memory_mask, need_weights, memory_cache)
            x = self.norm_2(x + self.dropout(attended))
            x = self.norm_3(x + self.dropout(self.feed_forward(x)))
        return x, weights


# Models


class Embedding(nn.Module):
    """Token vectors times the root of d_model, plus positions: ids (batch, n) -> (batch, n, d_model).

    The table starts with spread d_model ** -0.5, so that token vectors and positions are of like size. Raises
    ValueError for an empty batch, ids out of the vocabulary, and more tokens than positions.
    """

    def __init__(self, n_tokens: int, d_model: int, n_positions: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.table = nn.Embedding(n_tokens, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.register_buffer("positions", sinusoidal_positions(n_positions, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Tensor, start: int = 0) -> Tensor:  # the first id stands at position `start`
        if not torch.compiler.is_compiling():
            self._check(ids, start)
        positions = self.positions[start : start + ids.shape[-1]]  # (n, d_model)
        return self.dropout(self.table(ids) * self.table.embedding_dim**0.5 + positions)

    def _check(self, ids: Tensor, start: int) -> None:
        n_tokens, n_positions = self.table.num_embeddings, len(self.positions)
        if ids.numel() == 0:
            raise ValueError(f"ids must hold at least one token, but their shape is {tuple(ids.shape)}.")
        if start + ids.shape[-1] > n_positions:
            raise ValueError(f"There are {n_positions} positions, but {start + ids.shape[-1]} tokens.")
        if ids.min() < 0 or ids.max() >= n_tokens:
            raise ValueError(f"ids must be from 0 to {n_tokens - 1}, but go from {ids.min()} to {ids.max()}.")


class Transformer(nn.Module):
    """An encoder that reads the source and a decoder that writes the target, whose embedding table scores it too.

    After Press and Wolf, "Using the Output Embedding to Improve Language Models" (2017).
    """

    def __init__(
        self,
        n_source: int,
        n_target: int,
        d_model: int = 512,
        n_heads: int = 8,
        n_layers: int = 6,
        d_hidden: int = 2048,
        dropout: float = 0.1,
        norm_first: bool = False,
        n_positions: int = 512,
        padding: int = 0,
    ) -> None:
        super().__init__()
        self.padding = padding
        self.source_embedding = Embedding(n_source, d_model, n_positions, dropout)
        self.target_embedding = Embedding(n_target, d_model, n_positions, dropout)
        sizes = (d_model, n_heads, d_hidden, dropout, norm_first)
        self.encoder = nn.ModuleList(EncoderLayer(*sizes) for _ in range(n_layers))
        self.decoder = nn.ModuleList(DecoderLayer(*sizes) for _ in range(n_layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def encode(self, source: Tensor) -> Tensor:  # (batch, n_source) -> memory (batch, n_source, d_model)
        x, mask = self.source_embedding(source), padding_mask(source, self.padding)
        for layer in self.encoder:
            x, _ = layer(x, mask)
        return self.encoder_norm(x)

    def decode(
        self, target: Tensor, memory: Tensor, source: Tensor, need_weights: bool = False, caches: dict | None = None
    ) -> tuple[Tensor, list[Tensor | None]]:
        """Scores of the next token after each token, (batch, n, n_target), and each layer's weights over the memory.

        With caches, an empty dict that is filled here, `target` are only the new tokens, which follow those kept.
        """
        kept = next((of_target.key.shape[-2] for of_target, _ in (caches or {}).values()), 0)
        if kept:
            memory = None  # its keys and values are kept, too
        x, mask = (
            self.target_embedding(target, kept),
            causal_mask(target.shape[-1], kept + target.shape[-1], device=target.device),
        )
        memory_mask, weights = padding_mask(source, self.padding), []
        for layer in self.decoder:  # each layer reads the same memory
            layer_caches = () if caches is None else caches.setdefault(layer, (Cache(), Cache()))
            x, of_layer = layer(x, memory, mask, memory_mask, need_weights, *layer_caches)
            weights.append(of_layer)
        return self.decoder_norm(x) @ self.target_embedding.table.weight.T, weights

    def forward(self, source: Tensor, target: Tensor) -> Tensor:  # (batch, n_source), (batch, n_target)
        """Scores of the next token after each token of the target: (batch, n_target, vocabulary)."""
        return self.decode(target, self.encode(source), source)[0]


class LanguageModel(nn.Module):
    """A decoder alone: it predicts the next token of a text from those before it."""

    def __init__(
        self,
        n_tokens: int,
        d_model: int = 128,
        n_heads: int = 4,
        n_layers: int = 2,
        d_hidden: int = 512,
        dropout: float = 0.0,
        norm_first: bool = True,
        n_positions: int = 512,
    ) -> None:
        super().__init__()
        self.embedding = Embedding(n_tokens, d_model, n_positions, dropout)
        sizes = (d_model, n_heads, d_hidden, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(n_layers))
        self.norm = nn.LayerNorm(d_model)

    def new_caches(self) -> list[Cache]:
        """An empty cache for each layer."""
        return [Cache() for _ in self.layers]

    def forward(self, ids: Tensor, caches: list[Cache] | None = None) -> Tensor:  # (batch, n) -> (batch, n, n_tokens)
        """Scores of the next token after each id; with caches, `ids` are only the new ones and follow those kept."""
        kept = 0 if caches is None or caches[0].key is None else caches[0].key.shape[-2]
        x, mask = self.embedding(ids, kept), causal_mask(ids.shape[-1], kept + ids.shape[-1], ids.device)
        for i, layer in enumerate(self.layers):
            x, _ = layer(x, mask, cache=caches[i] if caches else None)
        return self.norm(x) @ self.embedding.table.weight.T


def upgraded_names(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """Give the tensors of an older checkpoint the names of today: "around.0.norm.bias" becomes "norm_1.bias".

    Parameters
    ----------
    state : dict of Tensor
        What a checkpoint holds, also an optimiser's averages, whose names end in those of the parameters.

    Returns
    -------
    dict of Tensor
        The same tensors, in the same order. Names of today stay as they are.
    """
    return {re.sub(r"\baround\.(\d)\.norm\.", _norm_of_today, name): tensor for name, tensor in state.items()}


def _norm_of_today(found: re.Match[str]) -> str:
    return f"norm_{int(found[1]) + 1}."
