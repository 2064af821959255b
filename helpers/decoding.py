"""Writing with a trained Transformer: the best token at each place, or the best of several beginnings."""

import torch
from torch import Tensor

from helpers.transformer import Transformer


@torch.no_grad()
def greedy(model: Transformer, source: Tensor, start: int, end: int, n_most: int) -> Tensor:
    """The token with the highest score, place by place, for a whole batch at once.

    Parameters
    ----------
    source : (batch, n_source) ids, filled up with the model's padding
    start, end : ids of the tokens that begin and end a target
    n_most : tokens to write at most, `end` included

    Returns (batch, n) ids without `start`: what comes after `end` is padding, and n is at most `n_most`.
    """
    memory = model.encode(source)  # (batch, n_source, d_model), calculated once
    written = source.new_full((len(source), 1), start)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for _ in range(n_most):
        scores, _ = model.decode(written, memory, source)  # (batch, n, n_target)
        best = scores[:, -1].argmax(dim=-1).masked_fill(ended, model.padding)  # (batch,)
        written = torch.cat([written, best[:, None]], dim=-1)  # (batch, n) -> (batch, n + 1)
        ended |= best == end
        if ended.all():
            break
    return written[:, 1:]


@torch.no_grad()
def beam_search(
    model: Transformer, source: Tensor, start: int, end: int, n_most: int, width: int = 4
) -> list[tuple[Tensor, float]]:
    """The most probable texts that are found when the `width` best beginnings are kept at each place.

    Probabilities are multiplied, and nothing is done about length: for one source a longer text is the less probable.

    Parameters
    ----------
    source : (1, n_source) ids, one source
    start, end, n_most : as for `greedy`
    width : beginnings to keep; 1 is greedy

    Returns up to `width` pairs, the most probable first: ids (n,) without `start`, and the logarithm of their
    probability. Texts that do not end within `n_most` tokens stand among them, cut off there.

    Raises
    ------
    ValueError
        More than one source, or a width below 1.
    """
    if len(source) != 1:
        raise ValueError(f"beam_search takes one source at a time, but there are {len(source)}.")
    if width < 1:
        raise ValueError(f"width must be at least 1, but is {width}.")
    memory = model.encode(source)  # (1, n_source, d_model)
    written, log_probabilities = source.new_full((1, 1), start), torch.zeros(1, 1)  # (width, n), (width, 1)
    finished: list[tuple[Tensor, float]] = []
    for _ in range(n_most):
        n_kept = len(written)
        scores, _ = model.decode(written, memory.expand(n_kept, -1, -1), source.expand(n_kept, -1))
        longer = log_probabilities + scores[:, -1].log_softmax(dim=-1)  # (width, 1) + (width, n_target)
        best, places = longer.flatten().topk(min(width, longer.numel()))  # over all beginnings and all next tokens
        beginning, token = places // longer.shape[-1], places % longer.shape[-1]
        written = torch.cat([written[beginning], token[:, None]], dim=-1)  # (width, n) -> (width, n + 1)
        done = token == end
        finished += [(ids[1:], p.item()) for ids, p in zip(written[done], best[done], strict=True)]
        written, log_probabilities = written[~done], best[~done, None]
        finished = sorted(finished, key=lambda pair: -pair[1])[:width]
        if not len(written) or (len(finished) == width and finished[-1][1] > log_probabilities.max()):
            return finished  # a longer text is less probable, so no better one can come
    finished += [(ids[1:], p.item()) for ids, p in zip(written, log_probabilities[:, 0], strict=True)]
    return sorted(finished, key=lambda pair: -pair[1])[:width]
