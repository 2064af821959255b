"""Writing with a trained Transformer: the best token at each place, or the best of several hypotheses."""

import math

import torch
from torch import Tensor

from helpers.models.transformer import Cache, Transformer, caching


@torch.no_grad()
def greedy(model: Transformer, source: Tensor, bos: int, eos: int, max_len: int) -> Tensor:
    """Write the token with the highest score, place by place, for a whole batch at once.

    Keys and values of what is written are kept, and a text that has ended is not calculated further.

    Parameters
    ----------
    model : Transformer
        In evaluation mode.
    source : Tensor, (batch, n_source)
        Ids, filled up with the model's padding.
    bos, eos : int
        Ids of the tokens that begin and end a target.
    max_len : int
        The most tokens to write, `eos` included.

    Returns
    -------
    Tensor, (batch, n)
        Ids without `bos`, n at most `max_len`. After `eos` comes padding.
    """
    memory = model.encode(source)  # (batch, n_source, d_model), calculated once
    written, n = source.new_full((len(source), max_len), model.padding), 0
    rows, token = torch.arange(len(source), device=source.device), source.new_full((len(source),), bos)
    with caching(model.decoder) as caches:
        for n in range(1, max_len + 1):
            x = model.target_embedding(token[:, None], start=n - 1)  # (batch, 1, d_model)
            scores, _ = model.score(x, memory, source)  # (batch, 1, target_vocab_size)
            token = scores[:, -1].argmax(dim=-1).masked_fill(token == eos, eos)  # (batch,), and so to stay
            written[rows, n - 1] = token
            going_on = (token != eos).nonzero()[:, 0]
            if len(going_on) == 0:
                break
            if len(going_on) <= len(token) / 2:  # less often, the copy would cost more than it saves
                rows, token, source = rows[going_on], token[going_on], source[going_on]
                _select(caches, going_on)
    written = written[:, :n]
    ended = (written == eos).cumsum(dim=-1) - (written == eos).int() > 0  # (batch, n), True after the first eos
    return written.masked_fill(ended, model.padding)


def beam_search(
    model: Transformer, source: Tensor, bos: int, eos: int, max_len: int, beam_width: int = 4, alpha: float = 0.0
) -> list[tuple[Tensor, float]]:
    """Find the best texts for one source.

    Parameters
    ----------
    model, bos, eos, max_len, beam_width, alpha
        As for `beam_searches`.
    source : Tensor, (1, n_source)
        Ids of one text.

    Returns
    -------
    list of (Tensor, float)
        As `beam_searches` gives it for each source.

    Raises
    ------
    ValueError
        There is more than one source, `beam_width` is below 1, or `alpha` below 0.
    """
    if len(source) != 1:
        raise ValueError(f"beam_search takes one source at a time, but there are {len(source)}: see beam_searches.")
    return beam_searches(model, source, bos, eos, max_len, beam_width, alpha)[0]


@torch.no_grad()
def beam_searches(
    model: Transformer, source: Tensor, bos: int, eos: int, max_len: int, beam_width: int = 4, alpha: float = 0.0
) -> list[list[tuple[Tensor, float]]]:
    """Find the best texts for each source, keeping the most probable hypotheses at each place.

    With `alpha` 0, texts are ranked by their probability. A longer text is the less probable, so this prefers short
    ones. With another alpha the score is log P / ((5 + n) / 6) ** alpha, where n counts the tokens, `eos` included: the
    length normalisation of Wu et al., "Google's Neural Machine Translation System" (2016), who took 0.6 to 0.7.

    Parameters
    ----------
    model : Transformer
        In evaluation mode.
    source : Tensor, (batch, n_source)
        Ids, filled up with the model's padding.
    bos, eos, max_len : int
        As for `greedy`.
    beam_width : int
        Hypotheses to keep for each source, 1 or more; 1 is greedy.
    alpha : float
        How much length is forgiven, 0 or more.

    Returns
    -------
    list of list of (Tensor, float)
        For each source up to `beam_width` texts, the best first: ids (n,) without `bos`, and the score. A search ends
        when so many texts have ended and no other can become the best. Texts that do not end within `max_len` tokens
        stand among them, cut off there.

    Raises
    ------
    ValueError
        `beam_width` is below 1, or `alpha` below 0.
    """
    if beam_width < 1:
        raise ValueError(f"beam_width must be at least 1, but is {beam_width}.")
    if alpha < 0:
        raise ValueError(f"alpha must be at least 0, but is {alpha}.")
    found: list[list[tuple[Tensor, float]]] = [[] for _ in source]
    searches = torch.arange(len(source), device=source.device)  # (n_searches,), those that go on
    memory = model.encode(source)
    written = source.new_full((len(source), 1, 1), bos)  # (n_searches, n_kept, n), the hypotheses
    log_p = torch.zeros(len(source), 1, device=source.device)  # (n_searches, n_kept), -inf for what goes on no more
    with caching(model.decoder) as caches:
        for n in range(1, max_len + 1):
            n_kept = log_p.shape[-1]
            rows = searches.repeat_interleave(n_kept)  # of the source, for each hypothesis
            x = model.target_embedding(written[..., -1].reshape(-1, 1), start=n - 1)  # (n_hypotheses, 1, d_model)
            scores, _ = model.score(x, memory, source[rows])
            longer = log_p[..., None] + scores[:, -1].float().log_softmax(dim=-1).unflatten(0, log_p.shape)
            log_p, places = longer.flatten(-2).topk(min(beam_width, longer[0].numel()))  # over all pairs with a token
            hypothesis, token = places // longer.shape[-1], places % longer.shape[-1]  # (n_searches, n_kept) each
            written = torch.cat([written.take_along_dim(hypothesis[..., None], dim=-2), token[..., None]], dim=-1)

            stops = (token == eos) | (n == max_len)
            for i, k in (stops & log_p.isfinite()).nonzero().tolist():
                found[searches[i]].append((written[i, k, 1:], log_p[i, k].item() / _length_factor(n, alpha)))
            log_p = log_p.masked_fill(stops, -math.inf)
            bounds = (log_p.amax(dim=-1) / _length_factor(max_len, alpha)).tolist()  # what a longer text can reach
            goes_on = [
                row
                for row, (i, bound) in enumerate(zip(searches.tolist(), bounds, strict=True))
                if _can_improve(found[i], beam_width, bound)
            ]
            if not goes_on:
                break
            rows = torch.arange(len(hypothesis), device=source.device)[:, None] * n_kept + hypothesis
            _select(caches, rows[goes_on].flatten())
            searches, written, log_p = searches[goes_on], written[goes_on], log_p[goes_on]
    return [sorted(texts, key=lambda text: -text[1])[:beam_width] for texts in found]


def _length_factor(n: int, alpha: float) -> float:
    return ((5 + n) / 6) ** alpha


def _can_improve(found: list[tuple[Tensor, float]], beam_width: int, bound: float) -> bool:
    """Whether a text whose score is at most `bound` would change what is found."""
    return bound > -math.inf and (len(found) < beam_width or max(score for _, score in found) < bound)


def _select(caches: list[Cache], rows: Tensor) -> None:
    """Keep these rows of all caches, (batch, n_heads, n, d_head), in this order."""
    for cache in caches:
        if cache.key is not None and cache.value is not None:
            cache.key, cache.value = cache.key[rows], cache.value[rows]
