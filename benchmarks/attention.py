"""`MultiHeadAttention` of helpers/models/transformer.py against `nn.MultiheadAttention`.

The reference is called as most people do: batch first, in training mode, and with its default `need_weights=True`, with
which it builds the table of weights. A second reference, `need_weights=False`, uses the fused kernel, as ours does.
"""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn

from benchmarks.timing import Figure, in_turn, share_of_time
from helpers.models.transformer import MultiHeadAttention, causal_mask

SIZES = [  # batch, n_query, n_key (None: self-attention), d_model, n_heads, causal, bar for forward+backward
    (64, 12, 10, 300, 6, False, 1.0),
    (8, 256, None, 512, 8, False, 0.95),
    (1, 2048, None, 512, 8, True, 0.5),
]
TINY = [(2, 3, 4, 12, 2, False, 1.0), (1, 5, None, 12, 2, True, 0.5)]
AS_CALLED, FUSED = "nn.MultiheadAttention", "nn.MultiheadAttention without weights"


def figures(quick: bool) -> Iterator[Figure]:
    """Time each size forward and forward+backward, against both references.

    Parameters
    ----------
    quick : bool
        Tiny sizes, once.

    Yields
    ------
    Figure
        A share of the time of a reference.
    """
    torch.manual_seed(0)
    for size in TINY if quick else SIZES:
        *_, bar = size
        for direction in ("forward", "forward+backward"):
            times = in_turn(_modules(*size[:-1], backward=direction == "forward+backward"), quick)
            what = f"{direction}, {_described(*size[:-1])}"
            for reference in (AS_CALLED, FUSED):
                of_both = {name: times[name] for name in ("ours", reference)}
                with_bar = reference == AS_CALLED and "backward" in direction
                yield share_of_time(what, of_both, reference=reference, at_most=bar if with_bar else None)


def _described(batch: int, n_query: int, n_key: int | None, d_model: int, n_heads: int, causal: bool) -> str:
    length = f"{n_query}" if n_key is None else f"{n_query} on {n_key}"
    return f"({batch}, {length}, {d_model}), {n_heads} heads{', causal' * causal}"


def _modules(
    batch: int, n_query: int, n_key: int | None, d_model: int, n_heads: int, causal: bool, backward: bool
) -> dict[str, Callable[[], None]]:
    ours, theirs = MultiHeadAttention(d_model, n_heads), nn.MultiheadAttention(d_model, n_heads, batch_first=True)
    query = torch.randn(batch, n_query, d_model, requires_grad=backward)
    key = query if n_key is None else torch.randn(batch, n_key, d_model, requires_grad=backward)
    blocked = ~causal_mask(n_query) if causal else None  # True means blocked there; made once for all layers

    def run(module: nn.Module, call: Callable[[], Tensor]) -> Callable[[], None]:
        def once() -> None:
            module.zero_grad()
            query.grad = key.grad = None
            with torch.set_grad_enabled(backward):
                output = call()
            if backward:
                output.sum().backward()

        return once

    return {
        "ours": run(ours, lambda: ours(query, key, key, is_causal=causal)[0]),
        AS_CALLED: run(theirs, lambda: theirs(query, key, key, attn_mask=blocked)[0]),
        FUSED: run(theirs, lambda: theirs(query, key, key, attn_mask=blocked, need_weights=False)[0]),
    }
