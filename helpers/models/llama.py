"""A decoder as most open models of today have it, in about 80 lines: the language model of lesson 13 with five changes.

After Touvron et al., "LLaMA: Open and Efficient Foundation Language Models" (2023). The norm is that of Zhang and
Sennrich, "Root Mean Square Layer Normalization" (2019); queries and keys are turned as in Su et al., "RoFormer" (2021),
and lesson 10; queries share keys and values in groups as in Ainslie et al., "GQA" (2023); the feed-forward part has the
gate of Shazeer, "GLU Variants Improve Transformer" (2020); and no matrix has a bias.

To look at a head or to change it, hook `layer.attention.heads`: what passes there has the shape
(batch, n_heads, n, d_head), each head's output before the output matrix mixes them. A hook that returns a tensor puts
it in the place of what was calculated::

    def silence(module, arguments, output):  # head 3 of the layer gives nothing
        return output.index_fill(1, torch.tensor(3), 0.0)

    handle = model.layers[18].attention.heads.register_forward_hook(silence)
    ...
    handle.remove()
"""

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn.functional import linear, silu

from helpers.models.transformer import Cache, attention, causal_mask, checked_by

N_PIECES = 8  # of a matrix that one row is multiplied by: with 2 to 32 it was as fast


class RoomyCache(Cache):
    """Keys and values in a buffer with room for more, so that keeping one more does not copy those before it."""

    def __init__(self) -> None:
        super().__init__()
        self._room: tuple[Tensor, Tensor] | None = None

    def extend(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Keep more keys and values; arguments and results as those of `Cache.extend`."""
        before, after = len(self), len(self) + key.shape[-2]
        if self._room is None or after > self._room[0].shape[-2]:  # twice the room, so that copies are rare
            wider = [new.new_empty(*new.shape[:-2], max(256, 2 * after), new.shape[-1]) for new in (key, value)]
            for room, so_far in zip(wider, (self.key, self.value), strict=True):
                if so_far is not None:
                    room[..., :before, :] = so_far
            self._room = wider[0], wider[1]
        for room, new in zip(self._room, (key, value), strict=True):
            room[..., before:after, :] = new
        self.key, self.value = (room[..., :after, :] for room in self._room)
        return self.key, self.value

    def __len__(self) -> int:
        """Count the tokens so far."""
        return 0 if self.key is None else self.key.shape[-2]


# The parts


def hands_at(n: int, d_head: int, start: int = 0, base: float = 100_000.0) -> tuple[Tensor, Tensor]:
    """Sine and cosine of the angle by which each pair of numbers is turned at each place.

    Parameters
    ----------
    n : int
        Number of places.
    d_head : int
        Length of a query, an even number.
    start : int
        The first place.
    base : float
        How slow the slowest hand is.

    Returns
    -------
    sine, cosine : Tensor, (n, d_head / 2)
        In float32.
    """
    slowness = base ** (torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)  # (d_head / 2,)
    angles = torch.arange(start, start + n)[:, None] / slowness  # (n, 1) / (d_head / 2,) -> (n, d_head / 2)
    return angles.sin().float(), angles.cos().float()


def turn(x: Tensor, sine: Tensor, cosine: Tensor) -> Tensor:
    """Turn each pair of neighbours by the angle of its place.

    Parameters
    ----------
    x : Tensor, (..., n, d_head)
        Queries or keys.
    sine, cosine : Tensor, (n, d_head / 2)
        As `hands_at` gives them.

    Returns
    -------
    Tensor, (..., n, d_head)
        Of the type of x.
    """
    a, b = x[..., 0::2], x[..., 1::2]  # (..., n, d_head / 2) each
    return torch.stack([a * cosine - b * sine, a * sine + b * cosine], dim=-1).flatten(-2).to(x.dtype)


def _check_heads(part: "GroupedAttention", /, d_model: int, n_heads: int, n_groups: int) -> None:
    if d_model % n_heads or n_heads % n_groups:
        raise ValueError(
            f"d_model must be a multiple of n_heads, and that one of n_groups, but they are {d_model}, {n_heads} and "
            f"{n_groups}."
        )


class GroupedAttention(nn.Module):
    """Causal attention in which the queries of several heads share one head of keys and values.

    Parameters
    ----------
    d_model, n_heads : int
        As for `MultiHeadAttention`.
    n_groups : int
        Heads of keys and values, of which n_heads must be a multiple: as many as n_heads is attention as before.

    Attributes
    ----------
    heads : nn.Identity
        Each head's output passes here, (batch, n_heads, n, d_head), so that a hook can read or replace it.

    Raises
    ------
    ValueError
        d_model is not a multiple of n_heads, or n_heads not one of n_groups.
    """

    @checked_by(_check_heads)
    def __init__(self, d_model: int, n_heads: int, n_groups: int) -> None:
        super().__init__()
        self.d_head, self.n_shared = d_model // n_heads, n_heads // n_groups
        self.to_query = nn.Linear(d_model, d_model, bias=False)
        self.to_key = nn.Linear(d_model, n_groups * self.d_head, bias=False)
        self.to_value = nn.Linear(d_model, n_groups * self.d_head, bias=False)
        self.to_output = nn.Linear(d_model, d_model, bias=False)
        self.heads = nn.Identity()

    def forward(
        self,
        x: Tensor,
        hands: tuple[Tensor, Tensor],
        mask: Tensor | None = None,
        need_weights: bool = False,
        cache: Cache | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend with all heads.

        Parameters
        ----------
        x : Tensor, (batch, n, d_model)
            The tokens, or the new ones with a cache.
        hands : tuple of Tensor
            Sine and cosine for their places: see `hands_at`.
        mask : Tensor, optional
            Boolean, and must broadcast to (batch, n_heads, n, n_key). In place of the causal mask.
        need_weights : bool
            Return the weights.
        cache : Cache, optional
            Keys and values so far, to which those of x are added.

        Returns
        -------
        output : Tensor, (batch, n, d_model)
            The heads' outputs, joined and mixed.
        weights : Tensor, (batch, n_heads, n, n_key), or None
            With `need_weights`.
        """
        query, key, value = (
            part(x).unflatten(-1, (-1, self.d_head)).transpose(1, 2)  # (batch, n_heads or n_groups, n, d_head)
            for part in (self.to_query, self.to_key, self.to_value)
        )
        both = turn(torch.cat([query, key], dim=1), *hands)  # one after the other would take twice as many small steps
        query, key = both.split([query.shape[1], key.shape[1]], dim=1)
        if cache is not None:
            key, value = cache.extend(key, value)
        n, n_key = query.shape[-2], key.shape[-2]
        if n == 1 and mask is None:  # nothing to hide: the queries that share a key stand as rows below each other
            rows = query.unflatten(1, (-1, self.n_shared)).flatten(2, 3)  # (batch, n_groups, n_shared, d_head)
            output, weights = attention(rows, key, value, need_weights=need_weights)
        else:
            if mask is None and n < n_key:
                mask = causal_mask(n, n_key, x.device)
            key, value = (shared.repeat_interleave(self.n_shared, dim=1) for shared in (key, value))
            output, weights = attention(query, key, value, mask, 0.0, need_weights, is_causal=mask is None)
        output = self.heads(output.reshape(query.shape))  # (batch, n_heads, n, d_head)
        output = self.to_output(output.transpose(1, 2).flatten(-2))  # (batch, n, d_model)
        return output, weights.reshape(*query.shape[:-1], n_key) if need_weights and weights is not None else None


class SwiGLU(nn.Module):
    """A feed-forward part with a gate: one matrix says what, another how much of it passes.

    Parameters
    ----------
    d_model, d_hidden : int
        As for `feed_forward`.
    """

    def __init__(self, d_model: int, d_hidden: int) -> None:
        super().__init__()
        self.to_gate = nn.Linear(d_model, d_hidden, bias=False)
        self.to_hidden = nn.Linear(d_model, d_hidden, bias=False)
        self.to_output = nn.Linear(d_hidden, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Calculate for each token on its own: (batch, n, d_model) -> (batch, n, d_model)."""
        return self.to_output(silu(self.to_gate(x)) * self.to_hidden(x))


class LlamaLayer(nn.Module):
    """Attention, then feed-forward, with a norm before each; parameters as for `Llama`."""

    def __init__(self, d_model: int, n_heads: int, n_groups: int, d_hidden: int, eps: float) -> None:
        super().__init__()
        self.attention = GroupedAttention(d_model, n_heads, n_groups)
        self.feed_forward = SwiGLU(d_model, d_hidden)
        self.norm_1, self.norm_2 = nn.RMSNorm(d_model, eps), nn.RMSNorm(d_model, eps)

    def forward(
        self,
        x: Tensor,
        hands: tuple[Tensor, Tensor],
        mask: Tensor | None = None,
        need_weights: bool = False,
        cache: Cache | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Add to each token what it reads before itself; arguments and results as those of `GroupedAttention`."""
        attended, weights = self.attention(self.norm_1(x), hands, mask, need_weights, cache)
        x = x + attended
        return x + self.feed_forward(self.norm_2(x)), weights


# The model


def _check_ids(
    model: "Llama",
    /,
    ids: Tensor,
    caches: list[RoomyCache] | None = None,
    mask: Tensor | None = None,
    need_weights: bool = False,
) -> None:
    start = len(caches[0]) if caches else 0
    if ids.numel() == 0:
        raise ValueError(f"ids must hold at least one token, but their shape is {tuple(ids.shape)}.")
    if start + ids.shape[-1] > model.n_positions:
        raise ValueError(f"The model reads up to {model.n_positions} tokens, but here are {start + ids.shape[-1]}.")


class Llama(nn.Module):
    """A decoder alone, whose table of embeddings scores the next token, too.

    Parameters
    ----------
    vocab_size, d_model, n_heads, n_layers, d_hidden
        As for `LanguageModel`.
    n_groups : int
        Heads of keys and values in each layer.
    n_positions : int
        The most tokens that a text may have.
    base : float
        As for `hands_at`.
    eps : float
        What the norms add to the mean square.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        n_heads: int,
        n_groups: int,
        n_layers: int,
        d_hidden: int,
        n_positions: int = 8192,
        base: float = 100_000.0,
        eps: float = 1e-5,
    ) -> None:
        super().__init__()
        self.d_head, self.n_positions, self.base = d_model // n_heads, n_positions, base
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(LlamaLayer(d_model, n_heads, n_groups, d_hidden, eps) for _ in range(n_layers))
        self.norm = nn.RMSNorm(d_model, eps)

    def new_caches(self) -> list[RoomyCache]:
        """Make an empty cache for each layer."""
        return [RoomyCache() for _ in self.layers]

    def forward(
        self, ids: Tensor, caches: list[RoomyCache] | None = None, mask: Tensor | None = None, last_only: bool = False
    ) -> Tensor:
        """Score the next token after each token.

        Parameters
        ----------
        ids : Tensor, (batch, n)
            The tokens, or with caches those that are new.
        caches : list of RoomyCache, optional
            As `new_caches` makes them; they keep what is read here.
        mask : Tensor, optional
            In place of the causal mask, as for `GroupedAttention`.
        last_only : bool
            Score after the last token alone, which spares the largest matrix the others.

        Returns
        -------
        Tensor, (batch, n, vocab_size), or (batch, 1, vocab_size) with `last_only`
            Scores before softmax.

        Raises
        ------
        ValueError
            There is no token, or there are more than `n_positions`.
        """
        x = torch.empty(0)
        for x, _ in self.climb(ids, caches, mask):  # noqa: B007 (the last one is wanted)
            pass
        return self.score(x[:, -1:] if last_only else x)

    @checked_by(_check_ids)
    def climb(
        self,
        ids: Tensor,
        caches: list[RoomyCache] | None = None,
        mask: Tensor | None = None,
        need_weights: bool = False,
    ) -> Iterator[tuple[Tensor, Tensor | None]]:
        """Go up through the layers, one after the other, so that each state can be looked at and none need be kept.

        Parameters
        ----------
        ids, caches, mask
            As for `forward`.
        need_weights : bool
            Give the weights of each layer, too.

        Yields
        ------
        x : Tensor, (batch, n, d_model)
            The embeddings, then what each layer makes of what came before.
        weights : Tensor, (batch, n_heads, n, n_key), or None
            Of the layer, with `need_weights`; None for the embeddings.

        Raises
        ------
        ValueError
            As for `forward`.
        """
        x = self.embedding(ids)
        yield x, None
        hands = hands_at(ids.shape[-1], self.d_head, len(caches[0]) if caches else 0, self.base)
        for i, layer in enumerate(self.layers):
            x, weights = layer(x, hands, mask, need_weights, caches[i] if caches else None)
            yield x, weights

    def score(self, x: Tensor) -> Tensor:
        """Score the next token after each state: the last norm, then the table of embeddings.

        Parameters
        ----------
        x : Tensor, (..., d_model)
            What the last layer makes; of an earlier one, it says which token that state is nearest to.

        Returns
        -------
        Tensor, (..., vocab_size)
            Scores before softmax.
        """
        return linear_of_few(self.norm(x), self.embedding.weight)  # (..., d_model) @ (d_model, vocab_size)


# Writing token by token


def linear_of_few(x: Tensor, weight: Tensor) -> Tensor:
    """Multiply rows by a matrix as `torch.nn.functional.linear` does, and a single row in less time.

    For one row a matrix is read once and used once, so the time is that of reading it. MKL, which multiplies in float32
    on most processors, reads a matrix from memory twice as fast where it is told to multiply several smaller ones.

    Parameters
    ----------
    x : Tensor, (..., n_in)
        The rows.
    weight : Tensor, (n_out, n_in)
        The matrix.

    Returns
    -------
    Tensor, (..., n_out)
        Equal to `linear` but for rounding.
    """
    if x.numel() > weight.shape[1] or weight.shape[0] % N_PIECES or not _by_mkl(weight):
        return linear(x, weight)
    column = x.reshape(1, -1).mT.expand(N_PIECES, -1, -1)  # (N_PIECES, n_in, 1)
    return torch.bmm(weight.unflatten(0, (N_PIECES, -1)), column).reshape(*x.shape[:-1], -1)


def _by_mkl(weight: Tensor) -> bool:
    return weight.dtype == torch.float32 and weight.device.type == "cpu" and torch.backends.mkl.is_available()


class LinearOfFew(nn.Linear):
    """A linear layer without a bias that multiplies by `linear_of_few`."""

    def forward(self, x: Tensor) -> Tensor:
        """Multiply each row: (..., in_features) -> (..., out_features)."""
        return linear_of_few(x, self.weight)


def quick_to_write(model: Llama) -> Llama:
    """Give a model linear layers that are quicker with one token; its numbers and their names stay as they are."""
    for name, part in list(model.named_modules()):
        if isinstance(part, nn.Linear):
            quick = LinearOfFew(part.in_features, part.out_features, bias=False, device="meta")
            quick.weight = part.weight
            model.set_submodule(name, quick)
    return model
