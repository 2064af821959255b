"""The Transformer, in one place: attention, its layers, an encoder with a decoder, and a language model.

After Vaswani et al., "Attention Is All You Need" (2017). Layer norm before the sublayers (`norm_first`) after Xiong et
al., "On Layer Normalization in the Transformer Architecture" (2020). Masks are boolean: True means "may attend".

The bodies are those that the lessons show, and a test compares the two. What refuses bad input stands in decorators.
"""

import functools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout as drop
from torch.nn.functional import scaled_dot_product_attention

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def checked_by(
    check: Callable[Arguments, None],
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Decorate a function so that `check` sees its arguments first; a compiler leaves the check out."""

    def decorated(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @functools.wraps(function)
        def checked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            if not torch.compiler.is_compiling():
                check(*args, **kwargs)
            return function(*args, **kwargs)

        return checked

    return decorated


# Masks and positions


def causal_mask(n_query: int, n_key: int | None = None, device: torch.device | None = None) -> Tensor:
    """Let each token attend to itself and to those before it.

    Parameters
    ----------
    n_query : int
        Number of queries.
    n_key : int, optional
        Number of keys, as many as queries when left out. With more keys the queries are the last tokens, as when the
        keys of earlier tokens were kept.
    device : torch.device, optional
        Where the mask is made; PyTorch's default when left out.

    Returns
    -------
    Tensor, (n_query, n_key), boolean
        True where a query may attend to a key.
    """
    n_key = n_query if n_key is None else n_key
    return torch.ones(n_query, n_key, dtype=torch.bool, device=device).tril(n_key - n_query)


def padding_mask(ids: Tensor, padding: int) -> Tensor:
    """Let nobody attend to padding.

    Parameters
    ----------
    ids : Tensor, (batch, n_key)
        Ids of the tokens that are attended to.
    padding : int
        The id of padding.

    Returns
    -------
    Tensor, (batch, 1, 1, n_key), boolean
        The same for all heads and all queries.
    """
    return (ids != padding)[:, None, None, :]


def _check_width(n: int, d_model: int) -> None:
    if d_model % 2:
        raise ValueError(f"d_model must be even for sines and cosines in pairs, but is {d_model}.")


@checked_by(_check_width)
def sinusoidal_positions(n: int, d_model: int) -> Tensor:
    """Sine and cosine of each position at d_model / 2 wavelengths, from 2 pi to nearly 20,000 pi.

    Parameters
    ----------
    n : int
        Number of positions.
    d_model : int
        Length of each vector, an even number.

    Returns
    -------
    Tensor, (n, d_model)
        Sines in the even columns, cosines in the odd ones.

    Raises
    ------
    ValueError
        d_model is odd: each wavelength needs a sine and a cosine.
    """
    slowness = 10_000 ** (torch.arange(0, d_model, 2) / d_model)  # (d_model / 2,)
    angles = torch.arange(n)[:, None] / slowness  # (n, 1) / (d_model / 2,) -> (n, d_model / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)  # interleaved -> (n, d_model)


# Attention


def _check_masks(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    dropout: float = 0.0,
    need_weights: bool = False,
    is_causal: bool = False,
) -> None:
    n_query, n_key = query.shape[-2], key.shape[-2]
    if is_causal and n_query != n_key:
        raise ValueError(f"is_causal needs as many keys as queries, but there are {n_key} and {n_query}: give a mask.")
    if mask is None:
        return
    if mask.dtype != torch.bool:
        raise TypeError(f'mask must be boolean, True for "may attend", but holds {mask.dtype}.')
    shape = (*query.shape[:-1], n_key)
    sizes = zip(reversed(mask.shape), reversed(shape), strict=False)
    if len(mask.shape) > len(shape) or any(have not in (1, want) for have, want in sizes):
        raise ValueError(f"mask must fit the scores, {shape}, but has the shape {tuple(mask.shape)}.")


@checked_by(_check_masks)
def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    dropout: float = 0.0,
    need_weights: bool = False,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Scaled dot-product attention. A query that may attend to nothing gets zeros.

    Parameters
    ----------
    query : Tensor, (..., n_query, d_k)
        What each token asks.
    key : Tensor, (..., n_key, d_k)
        What each token is found by.
    value : Tensor, (..., n_key, d_v)
        What each token gives.
    mask : Tensor, optional
        Boolean, of shape (..., n_query, n_key) or one that broadcasts to it.
    dropout : float
        The probability with which a weight becomes 0.
    need_weights : bool
        Build the table of weights, to draw it. Otherwise PyTorch's fused kernel is used, which never keeps it.
    is_causal : bool
        As with a causal mask, n_query and n_key being equal; without another mask the fused kernel then leaves out half
        of the pairs. With a mask, a query may attend to what both allow.

    Returns
    -------
    output : Tensor, (..., n_query, d_v)
        For each query the weighted sum of the values.
    weights : Tensor, (..., n_query, n_key), or None
        The weights before dropout, with `need_weights`.

    Raises
    ------
    TypeError
        The mask is not boolean.
    ValueError
        The mask does not broadcast to (..., n_query, n_key), or `is_causal` comes with another number of keys than of
        queries.
    """
    if is_causal and (need_weights or mask is not None):
        causal = causal_mask(query.shape[-2], device=query.device)
        mask, is_causal = causal if mask is None else mask & causal, False
    if not need_weights:
        return scaled_dot_product_attention(query, key, value, mask, dropout, is_causal), None
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5  # -> (..., n_query, n_key)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)  # 0 already, or nan where a whole row is masked
    return drop(weights, dropout) @ value, weights  # (..., n_query, n_key) @ (..., n_key, d_v)


class Cache:
    """The keys and values so far, so that writing one more token does not calculate them again.

    Attributes
    ----------
    key, value : Tensor, (batch, n_heads, n_so_far, d_head), or None before the first call
        Of all tokens so far, in the order of the text.
    """

    def __init__(self) -> None:
        self.key: Tensor | None = None
        self.value: Tensor | None = None

    def extend(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Keep more keys and values after those so far.

        Parameters
        ----------
        key, value : Tensor, (batch, n_heads, n_new, d_head)
            Of the new tokens.

        Returns
        -------
        key, value : Tensor, (batch, n_heads, n_so_far + n_new, d_head)
            Of all tokens.
        """
        if self.key is not None and self.value is not None:
            key, value = torch.cat([self.key, key], dim=-2), torch.cat([self.value, value], dim=-2)
        self.key, self.value = key.contiguous(), value.contiguous()
        return self.key, self.value


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each d_model / n_heads wide, joined and mixed by one matrix.

    Parameters
    ----------
    d_model : int
        Length of the vectors that come in and go out.
    n_heads : int
        Number of heads; d_model must be a multiple of it.
    dropout : float
        The probability with which a weight becomes 0 in training.

    Attributes
    ----------
    cache : Cache or None
        Where keys and values are kept while a text is written token by token: see `caching`.

    Raises
    ------
    ValueError
        d_model is not a multiple of n_heads.
    """

    def __init__(self, d_model: int, n_heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        if d_model % n_heads:
            raise ValueError(f"d_model must be a multiple of n_heads, but {d_model} is not a multiple of {n_heads}.")
        self.n_heads, self.d_head, self.dropout = n_heads, d_model // n_heads, dropout
        self.to_query = nn.Linear(d_model, d_model)
        self.to_key = nn.Linear(d_model, d_model)
        self.to_value = nn.Linear(d_model, d_model)
        self.to_output = nn.Linear(d_model, d_model)
        self.cache: Cache | None = None

    def split(self, x: Tensor) -> Tensor:
        """Split vectors into heads: (batch, n, d_model) -> (batch, n_heads, n, d_head)."""
        return x.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        need_weights: bool = False,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend with all heads.

        With a cache, causal attention adds the new keys and values to those so far. Other attention reads a memory,
        which stays the same: its keys and values are calculated at the first call, and what comes later is not read.

        Parameters
        ----------
        query : Tensor, (batch, n_query, d_model)
            The tokens that ask.
        key, value : Tensor, (batch, n_key, d_model)
            The tokens that are asked.
        mask, need_weights, is_causal
            As for `attention`; the mask must broadcast to (batch, n_heads, n_query, n_key). With a cache, queries that
            are fewer than the keys are the last tokens.

        Returns
        -------
        output : Tensor, (batch, n_query, d_model)
            The heads' outputs, joined and mixed.
        weights : Tensor, (batch, n_heads, n_query, n_key), or None
            The weights of each head, with `need_weights`.
        """
        query, cache = self.split(self.to_query(query)), self.cache
        if cache is not None and cache.key is not None and cache.value is not None and not is_causal:
            key, value = cache.key, cache.value  # the memory was read before
        else:
            key, value = self.split(self.to_key(key)), self.split(self.to_value(value))
            if cache is not None:
                key, value = cache.extend(key, value)
        n_query, n_key = query.shape[-2], key.shape[-2]
        if is_causal and n_query < n_key:
            causal = causal_mask(n_query, n_key, query.device)
            mask, is_causal = causal if mask is None else mask & causal, False
        dropout, one_row = self.dropout if self.training else 0.0, n_query == 1  # a table that needs no kernel
        output, weights = attention(query, key, value, mask, dropout, need_weights or one_row, is_causal)
        return self.to_output(output.transpose(1, 2).flatten(-2)), weights if need_weights else None


@contextmanager
def caching(layers: nn.Module) -> Iterator[list[Cache]]:
    """Let the attentions of a decoder keep keys and values inside a `with` block.

    There, a call of the model takes the new tokens alone, and as `start` how many it was given before.

    Parameters
    ----------
    layers : nn.Module
        The layers of a decoder, `model.decoder` of a Transformer or `model.layers` of a language model. Not those of
        an encoder, which reads another text at each call.

    Yields
    ------
    list of Cache
        The caches of all attentions inside, empty at first.
    """
    attentions = [part for part in layers.modules() if isinstance(part, MultiHeadAttention)]
    caches = [Cache() for _ in attentions]
    for part, cache in zip(attentions, caches, strict=True):
        part.cache = cache
    try:
        yield caches
    finally:
        for part in attentions:
            part.cache = None


# Layers


def feed_forward(d_model: int, d_hidden: int, dropout: float) -> nn.Sequential:
    """Make the same small network for each token: d_model wide, d_hidden, and d_model again.

    Parameters
    ----------
    d_model, d_hidden : int
        Length of the vectors that come in and go out, and of those between.
    dropout : float
        The probability with which a number between the two matrices becomes 0 in training.

    Returns
    -------
    nn.Sequential
        (batch, n, d_model) -> (batch, n, d_model)
    """
    return nn.Sequential(nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_hidden, d_model))


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward; causal, it is also the layer of a language model.

    Parameters
    ----------
    d_model, n_heads, d_hidden : int
        As for `MultiHeadAttention` and `feed_forward`.
    dropout : float
        Of weights, of hidden numbers and of what each sublayer adds.
    norm_first : bool
        x + sublayer(norm(x)) in place of norm(x + sublayer(x)).
    """

    def __init__(
        self, d_model: int, n_heads: int, d_hidden: int, dropout: float = 0.0, norm_first: bool = False
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads, dropout)
        self.feed_forward = feed_forward(d_model, d_hidden, dropout)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(
        self, x: Tensor, mask: Tensor | None = None, need_weights: bool = False, is_causal: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Give each token what it reads in the others.

        Parameters
        ----------
        x : Tensor, (batch, n, d_model)
            The tokens.
        mask, need_weights, is_causal
            As for `MultiHeadAttention.forward`.

        Returns
        -------
        x : Tensor, (batch, n, d_model)
            The tokens after both sublayers.
        weights : Tensor, (batch, n_heads, n, n_key), or None
            The weights of each head, with `need_weights`.
        """
        if self.norm_first:
            y = self.norm_1(x)
            attended, weights = self.self_attention(y, y, y, mask, need_weights, is_causal)
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.norm_2(x)))
        else:
            attended, weights = self.self_attention(x, x, x, mask, need_weights, is_causal)
            x = self.norm_1(x + self.dropout(attended))
            x = self.norm_2(x + self.dropout(self.feed_forward(x)))
        return x, weights


class DecoderLayer(nn.Module):
    """Causal self-attention, cross-attention to the memory, feed-forward; parameters as for `EncoderLayer`."""

    def __init__(
        self, d_model: int, n_heads: int, d_hidden: int, dropout: float = 0.0, norm_first: bool = False
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads, dropout)
        self.cross_attention = MultiHeadAttention(d_model, n_heads, dropout)
        self.feed_forward = feed_forward(d_model, d_hidden, dropout)
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(
        self, x: Tensor, memory: Tensor, memory_mask: Tensor | None = None, need_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Give each token what it reads before itself and in the memory.

        Parameters
        ----------
        x : Tensor, (batch, n, d_model)
            The tokens that are written.
        memory : Tensor, (batch, n_memory, d_model)
            The tokens that are read.
        memory_mask : Tensor, optional
            Boolean, of a shape that broadcasts to (batch, n_heads, n, n_memory).
        need_weights : bool
            Return the weights of the cross-attention.

        Returns
        -------
        x : Tensor, (batch, n, d_model)
            The tokens after the three sublayers.
        weights : Tensor, (batch, n_heads, n, n_memory), or None
            Where each token looks in the memory, with `need_weights`.
        """
        if self.norm_first:
            y = self.norm_1(x)
            x = x + self.dropout(self.self_attention(y, y, y, is_causal=True)[0])
            y = self.norm_2(x)
            attended, weights = self.cross_attention(y, memory, memory, memory_mask, need_weights)
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.norm_3(x)))
        else:
            x = self.norm_1(x + self.dropout(self.self_attention(x, x, x, is_causal=True)[0]))
            attended, weights = self.cross_attention(x, memory, memory, memory_mask, need_weights)
            x = self.norm_2(x + self.dropout(attended))
            x = self.norm_3(x + self.dropout(self.feed_forward(x)))
        return x, weights


# Models


def _check_ids(embedding: "Embedding", /, ids: Tensor, start: int = 0) -> None:
    vocab_size, n_positions = embedding.table.num_embeddings, len(embedding.positions)
    if ids.numel() == 0:
        raise ValueError(f"ids must hold at least one token, but their shape is {tuple(ids.shape)}.")
    if start + ids.shape[-1] > n_positions:
        raise ValueError(f"There are {n_positions} positions, but {start + ids.shape[-1]} tokens.")
    # A look at ids on a GPU would wait for it; there the kernel itself refuses them.
    if ids.device.type == "cpu" and (ids.min() < 0 or ids.max() >= vocab_size):
        raise ValueError(f"ids must be from 0 to {vocab_size - 1}, but go from {ids.min()} to {ids.max()}.")


class Embedding(nn.Module):
    """Token vectors times the root of d_model, plus positions.

    The table starts with the standard deviation d_model ** -0.5, so that token vectors and positions are of like size.

    Parameters
    ----------
    vocab_size, d_model : int
        Number of token vectors, and their length.
    n_positions : int
        The most tokens that a text may have.
    dropout : float
        The probability with which a number becomes 0 in training.
    """

    positions: Tensor  # (n_positions, d_model)

    def __init__(self, vocab_size: int, d_model: int, n_positions: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.register_buffer("positions", sinusoidal_positions(n_positions, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)

    @checked_by(_check_ids)
    def forward(self, ids: Tensor, start: int = 0) -> Tensor:
        """Look up token vectors and add their positions.

        Parameters
        ----------
        ids : Tensor, (batch, n)
            From 0 to vocab_size - 1.
        start : int
            The position of the first id.

        Returns
        -------
        Tensor, (batch, n, d_model)
            One vector for each id.

        Raises
        ------
        ValueError
            The batch is empty, there are more tokens than positions, or, on a CPU, an id is not in the vocabulary.
        """
        positions = self.positions[start : start + ids.shape[-1]]  # (n, d_model)
        return self.dropout(self.table(ids) * self.table.embedding_dim**0.5 + positions)


class Transformer(nn.Module):
    """An encoder that reads the source and a decoder that writes the target, whose embedding table scores it too.

    After Press and Wolf, "Using the Output Embedding to Improve Language Models" (2017).

    Parameters
    ----------
    source_vocab_size, target_vocab_size : int
        Sizes of the two vocabularies.
    d_model, n_heads, d_hidden : int
        As for `EncoderLayer`.
    n_layers : int
        Layers of the encoder, and of the decoder.
    dropout, norm_first
        As for `EncoderLayer`.
    n_positions : int
        The most tokens that a text may have.
    padding : int
        The id of padding, which nobody attends to.
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
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
        self.source_embedding = Embedding(source_vocab_size, d_model, n_positions, dropout)
        self.target_embedding = Embedding(target_vocab_size, d_model, n_positions, dropout)
        sizes = (d_model, n_heads, d_hidden, dropout, norm_first)
        self.encoder = nn.ModuleList(EncoderLayer(*sizes) for _ in range(n_layers))
        self.decoder = nn.ModuleList(DecoderLayer(*sizes) for _ in range(n_layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def encode(self, source: Tensor) -> Tensor:
        """Read the source.

        Parameters
        ----------
        source : Tensor, (batch, n_source)
            Ids, filled up with padding.

        Returns
        -------
        Tensor, (batch, n_source, d_model)
            The memory.
        """
        x, mask = self.source_embedding(source), padding_mask(source, self.padding)
        for layer in self.encoder:
            x, _ = layer(x, mask)
        return self.encoder_norm(x)

    def decode(
        self, target: Tensor, memory: Tensor, source: Tensor, need_weights: bool = False
    ) -> tuple[Tensor, list[Tensor | None]]:
        """Score the next token after each token of the target.

        Parameters
        ----------
        target : Tensor, (batch, n)
            Ids so far.
        memory, source, need_weights
            As for `score`.

        Returns
        -------
        scores, weights
            As `score` gives them.
        """
        return self.score(self.target_embedding(target), memory, source, need_weights)

    def score(
        self, x: Tensor, memory: Tensor, source: Tensor, need_weights: bool = False
    ) -> tuple[Tensor, list[Tensor | None]]:
        """Score the next token after each embedded token of the target.

        Parameters
        ----------
        x : Tensor, (batch, n, d_model)
            What `target_embedding` gives; the new tokens alone inside `caching(model.decoder)`.
        memory : Tensor, (batch, n_source, d_model)
            What `encode` has made of the source.
        source : Tensor, (batch, n_source)
            Ids, of which only padding counts.
        need_weights : bool
            Return the weights over the memory.

        Returns
        -------
        scores : Tensor, (batch, n, target_vocab_size)
            Before softmax.
        weights : list of Tensor, (batch, n_heads, n, n_source), or of None
            For each layer, with `need_weights`.
        """
        memory_mask, weights = padding_mask(source, self.padding), []
        for layer in self.decoder:  # each layer reads the same memory
            x, of_layer = layer(x, memory, memory_mask, need_weights)
            weights.append(of_layer)
        return self.decoder_norm(x) @ self.target_embedding.table.weight.T, weights

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Score the next token after each token of the target.

        Parameters
        ----------
        source : Tensor, (batch, n_source)
            Ids, filled up with padding.
        target : Tensor, (batch, n_target)
            Ids so far.

        Returns
        -------
        Tensor, (batch, n_target, target_vocab_size)
            Scores before softmax.
        """
        return self.decode(target, self.encode(source), source)[0]


class LanguageModel(nn.Module):
    """A decoder alone: it predicts the next token of a text from those before it.

    The table that reads the tokens also scores them. It starts at half the size that `Embedding` gives it, so that the
    untrained model does not expect the token that it has just read: its first loss is near that of an even guess.

    Parameters
    ----------
    vocab_size : int
        Size of the vocabulary.
    d_model, n_heads, n_layers, d_hidden, dropout, norm_first, n_positions
        As for `Transformer`.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int = 128,
        n_heads: int = 4,
        n_layers: int = 2,
        d_hidden: int = 512,
        dropout: float = 0.0,
        norm_first: bool = True,
        n_positions: int = 512,
    ) -> None:
        super().__init__()
        self.embedding = Embedding(vocab_size, d_model, n_positions, dropout)
        nn.init.normal_(self.embedding.table.weight, std=0.5 * d_model**-0.5)
        sizes = (d_model, n_heads, d_hidden, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(n_layers))
        self.norm = nn.LayerNorm(d_model)

    def forward(self, ids: Tensor, start: int = 0) -> Tensor:
        """Score the next token after each token.

        Parameters
        ----------
        ids : Tensor, (batch, n)
            The tokens so far, or the new ones inside `caching(model.layers)`.
        start : int
            The position of the first id. Other than 0 only inside `caching(model.layers)`.

        Returns
        -------
        Tensor, (batch, n, vocab_size)
            Scores before softmax.
        """
        x = self.embedding(ids, start)
        for layer in self.layers:
            x, _ = layer(x, is_causal=True)
        return self.norm(x) @ self.embedding.table.weight.T  # (batch, n, d_model) @ (d_model, vocab_size)


# Older checkpoints


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
