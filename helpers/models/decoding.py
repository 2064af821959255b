"""Writing with a trained Transformer: the best token at each place, or the best of several beginnings."""

import math

import torch
from torch import Tensor

from helpers.models.transformer import Transformer


@torch.no_grad()
def greedy(model: Transformer, source: Tensor, start: int, end: int, n_most: int) -> Tensor:
    """The token with the highest score, place by place, for a whole batch at once.

    The keys and values of what is written are kept, and a text that has ended is not calculated further.

    Parameters
    ----------
    source : (batch, n_source) ids, filled up with the model's padding
    start, end : ids of the tokens that begin and end a target
    n_most : tokens to write at most, `end` included

    Returns (batch, n) ids without `start`: what comes after `end` is padding, and n is at most `n_most`.
    """
    memory, caches = model.encode(source), {}  # (batch, n_source, d_model), calculated once
    written, n = source.new_full((len(source), n_most), model.padding), 0
    rows, token = torch.arange(len(source), device=source.device), source.new_full((len(source),), start)
    for n in range(1, n_most + 1):
        scores, _ = model.decode(token[:, None], memory, source, caches=caches)  # (batch, 1, n_target)
        token = scores[:, -1].argmax(dim=-1).masked_fill(token == end, end)  # (batch,), and so to stay
        written[rows, n - 1] = token
        going_on = (token != end).nonzero()[:, 0]
        if len(going_on) == 0:
            break
        if len(going_on) <= len(token) / 2:  # less often, the copy would cost more than it saves
            rows, token, source = rows[going_on], token[going_on], source[going_on]
            _select(caches, going_on)
    written = written[:, :n]
    ended = (written == end).cumsum(dim=-1) - (written == end).int() > 0  # (batch, n), True behind the first end
    return written.masked_fill(ended, model.padding)


@torch.no_grad()
def beam_search(
    model: Transformer, source: Tensor, start: int, end: int, n_most: int, width: int = 4, alpha: float = 0.0
) -> list[tuple[Tensor, float]]:
    """The best texts for one source, (1, n_source): `beam_searches` of a batch of one.

    Raises
    ------
    ValueError
        More than one source, or a width below 1.
    """
    if len(source) != 1:
        raise ValueError(f"beam_search takes one source at a time, but there are {len(source)}: see beam_searches.")
    return beam_searches(model, source, start, end, n_most, width, alpha)[0]


@torch.no_grad()
def beam_searches(
    model: Transformer, source: Tensor, start: int, end: int, n_most: int, width: int = 4, alpha: float = 0.0
) -> list[list[tuple[Tensor, float]]]:
    """The best texts that are found when the `width` most probable beginnings are kept at each place, for each source.

    With `alpha` 0, texts are ranked by their probability. A longer text is the less probable, so this prefers short
    ones. With another alpha the score is log P / ((5 + n) / 6) ** alpha, where n counts the tokens, `end` included: the
    length normalisation of Wu et al., "Google's Neural Machine Translation System" (2016), who took 0.6 to 0.7.

    Parameters
    ----------
    source : (batch, n_source) ids, filled up with the model's padding
    start, end, n_most : as for `greedy`
    width : beginnings to keep of each text; 1 is greedy
    alpha : how much length is forgiven, 0 or more

    Returns for each source up to `width` pairs, the best first: ids (n,) without `start`, and the score. A search ends
    when `width` texts have ended and no other can become the best. Texts that do not end within `n_most` tokens stand
    among them, cut off there.

    Raises
    ------
    ValueError
        A width below 1, or an alpha below 0.
    """
    if width < 1:
        raise ValueError(f"width must be at least 1, but is {width}.")
    if alpha < 0:
        raise ValueError(f"alpha must be at least 0, but is {alpha}.")
    found: list[list[tuple[Tensor, float]]] = [[] for _ in source]
    searches = torch.arange(len(source), device=source.device)  # (n_searches,), those that go on
    memory, caches = model.encode(source), {}
    written = source.new_full((len(source), 1, 1), start)  # (n_searches, n_kept, n)
    log_p = torch.zeros(len(source), 1, device=source.device)  # (n_searches, n_kept), -inf for what goes on no more
    for n in range(1, n_most + 1):
        n_kept = log_p.shape[-1]
        rows = searches.repeat_interleave(n_kept)  # of the source, for each beginning
        scores, _ = model.decode(written[..., -1].reshape(-1, 1), memory, source[rows], caches=caches)
        longer = log_p[..., None] + scores[:, -1].float().log_softmax(dim=-1).unflatten(0, log_p.shape)
        log_p, places = longer.flatten(-2).topk(min(width, longer[0].numel()))  # over all beginnings and next tokens
        beginning, token = places // longer.shape[-1], places % longer.shape[-1]  # (n_searches, n_kept) each
        written = torch.cat([written.take_along_dim(beginning[..., None], dim=-2), token[..., None]], dim=-1)

        stops = (token == end) | (n == n_most)
        for i, k in (stops & log_p.isfinite()).nonzero().tolist():
            found[searches[i]].append((written[i, k, 1:], log_p[i, k].item() / _length_factor(n, alpha)))
        log_p = log_p.masked_fill(stops, -math.inf)
        most = (log_p.amax(dim=-1) / _length_factor(n_most, alpha)).tolist()  # what a longer text can reach
        pairs = enumerate(zip(searches.tolist(), most, strict=True))
        goes_on = [row for row, (i, best) in pairs if _can_improve(found[i], width, best)]
        if not goes_on:
            break
        rows = torch.arange(len(beginning), device=source.device)[:, None] * n_kept + beginning
        _select(caches, rows[goes_on].flatten())
        searches, written, log_p = searches[goes_on], written[goes_on], log_p[goes_on]
    return [sorted(pairs, key=lambda pair: -pair[1])[:width] for pairs in found]


def _length_factor(n: int, alpha: float) -> float:
    return ((5 + n) / 6) ** alpha


def _can_improve(found: list[tuple[Tensor, float]], width: int, most: float) -> bool:
    return most > -math.inf and (len(found) < width or max(score for _, score in found) < most)


def _select(caches: dict, rows: Tensor) -> None:
    """Keep these rows of all caches, (batch, n_heads, n, d_head), in this order."""
    for pair in caches.values():
        for cache in pair:
            cache.key, cache.value = cache.key[rows], cache.value[rows]
