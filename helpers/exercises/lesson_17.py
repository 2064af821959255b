"""Lesson 17, a real model: find a head, predict one, cut one out, and how lucky the best one is."""

from functools import lru_cache
from math import comb, erfc, perm
from typing import Any

import torch
from safetensors import safe_open
from torch.nn.functional import layer_norm

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake
from helpers.models import minilm
from helpers.models.weight_files import WeightsError


@lru_cache(maxsize=1)
def real_numbers() -> dict[str, torch.Tensor] | None:
    """The real model's positions and tables of layer 0; None where its weights are missing or damaged."""
    try:
        path = minilm.find()["model.safetensors"]
    except WeightsError:
        return None
    with safe_open(path, framework="pt") as file:
        take, layer = file.get_tensor, "encoder.layer.0.attention"
        x = take("embeddings.position_embeddings.weight")[:12] + take("embeddings.token_type_embeddings.weight")[0]
        norm = take("embeddings.LayerNorm.weight"), take("embeddings.LayerNorm.bias")
        return {
            "x": layer_norm(x, x.shape[-1:], *norm, eps=1e-12),
            "w_query": take(f"{layer}.self.query.weight"),
            "b_query": take(f"{layer}.self.query.bias"),
            "w_key": take(f"{layer}.self.key.weight"),
            "b_key": take(f"{layer}.self.key.bias"),
            "w_output": take(f"{layer}.output.dense.weight"),
        }


def _left_out() -> str:
    return "" if real_numbers() else "Left out: the real model's numbers, for its weights are not on this machine."


def _one_back(n: int) -> torch.Tensor:
    return torch.ones(n, n, dtype=torch.bool).tril(-1).triu(-1)


def _by_cell_row_and_mean() -> torch.Tensor:
    """Maps in which one head has the largest cell, one the largest row, and a third the largest mean: (2, 3, 6, 6)."""
    maps = torch.full((2, 3, 6, 6), 1 / 6)
    maps[0, 1, 3] = torch.tensor([0.3, 0.3, 0.3, 0.1, 0, 0])
    maps[0, 1, 5] = torch.tensor([0.5, 0, 0.5, 0, 0, 0])
    maps[1, 0, 3] = torch.tensor([0, 0, 0, 0.4, 0.3, 0.3])
    maps[1, 0, 5] = torch.tensor([0.1, 0.9, 0, 0, 0, 0])
    maps[1, 2, 3] = torch.tensor([0.2, 0.3, 0.2, 0.3, 0, 0])
    maps[1, 2, 5] = torch.tensor([0.2, 0.6, 0.2, 0, 0, 0])
    return maps


def _head_cases(draw: Draw) -> list[Arguments]:
    real = minilm.reference()["weights"][0]  # (6, 12, 8, 8), the dog bit the man
    same = torch.zeros(8, 8, dtype=torch.bool)
    same[1, 4] = same[4, 1] = True  # the, the
    cross = torch.zeros(5, 5, dtype=torch.bool)
    cross[0, 3] = cross[2, 4] = True
    wide = torch.zeros(6, 6, dtype=torch.bool)
    wide[3, :3] = wide[5, 1] = True
    return [
        (draw.weights(2, 3, 4, 4), _one_back(4)),
        (draw.weights(2, 3, 4, 4), _one_back(4)),
        (torch.ones(1, 1, 1, 1), torch.ones(1, 1, dtype=torch.bool)),
        (draw.weights(4, 2, 5, 5), cross),
        (draw.weights(3, 5, 6, 6).flip(-1).transpose(-2, -1), _one_back(6).T),
        (draw.weights(2, 7, 5, 5, dtype=torch.float64), cross),
        (draw.weights(5, 4, 9, 9), _one_back(9)),
        (draw.weights(7, 9, 6, 6), wide),
        (_by_cell_row_and_mean(), wide),
        (draw.weights(7, 3, 2, 4, 4)[:, :, 0], _one_back(4)),
        (real, _one_back(8)),
        (real, _one_back(8).T),
        (real, same),
    ]


def _find(weights: torch.Tensor, wanted: torch.Tensor) -> list[int]:
    return _place(weights[..., wanted].mean(-1))


def _place(of_heads: torch.Tensor) -> list[int]:
    return list(divmod(int(of_heads.argmax()), of_heads.shape[-1]))


def _position_cases(draw: Draw) -> list[Arguments]:
    def sizes(n: int, d_model: int, d_head: int, head: int, dtype: torch.dtype = torch.float32) -> Arguments:
        tables = [draw(d_model, d_model, dtype=dtype), draw(d_model, dtype=dtype)] * 2
        tables[2:] = [draw(d_model, d_model, dtype=dtype), draw(d_model, dtype=dtype)]
        return draw(n, d_model, dtype=dtype), *tables, head, d_head

    x = draw.apart(5, 6)
    cases = [
        sizes(3, 4, 2, 1),
        sizes(3, 4, 2, 1),
        (*(draw(*shape) for shape in ((1, 1), (1, 1), (1,), (1, 1), (1,))), 0, 1),
        sizes(4, 6, 2, 1),
        sizes(2, 6, 3, 0),
        sizes(7, 9, 3, 2, torch.float64),
        (x, *sizes(5, 6, 2, 2)[1:]),
        sizes(16, 20, 5, 3),
    ]
    real = real_numbers()
    if real:
        cases.append((*(real[name].clone() for name in ("x", "w_query", "b_query", "w_key", "b_key")), 2, 32))
    return cases


def _of_head(
    x: torch.Tensor,
    w_query: torch.Tensor,
    b_query: torch.Tensor,
    w_key: torch.Tensor,
    b_key: torch.Tensor,
    head: int,
    d_head: int,
) -> torch.Tensor:
    return (_scores(x, w_query, b_query, w_key, b_key, head, d_head) / d_head**0.5).softmax(-1)


def _scores(
    x: torch.Tensor,
    w_query: torch.Tensor,
    b_query: torch.Tensor,
    w_key: torch.Tensor,
    b_key: torch.Tensor,
    head: int,
    d_head: int,
) -> torch.Tensor:
    rows = slice(head * d_head, (head + 1) * d_head)
    return (x @ w_query[rows].T + b_query[rows]) @ (x @ w_key[rows].T + b_key[rows]).T


def _of_rows(*given: Any, start: int, end: int) -> torch.Tensor:
    """The weights made of these rows of both tables."""
    x, w_query, b_query, w_key, b_key, _, d_head = given
    queries, keys = (x @ table[start:end].T + bias[start:end] for table, bias in ((w_query, b_query), (w_key, b_key)))
    weights: torch.Tensor = (queries @ keys.T / d_head**0.5).softmax(-1)
    return weights


def _effect_cases(draw: Draw) -> list[Arguments]:
    cases = [
        (draw(2, 3, 4), draw(5, 8), 1),
        (draw(2, 3, 4), draw(5, 8), 1),
        (draw(1, 1, 1), draw(1, 1), 0),
        (draw(3, 4, 2), draw(7, 6), 0),
        (draw(3, 4, 2), draw(7, 6), 2),
        (draw.apart(4, 5, 3), draw(6, 12), 1),
        (draw(5, 2, 3, dtype=torch.float64), draw(4, 15, dtype=torch.float64), 3),
        (draw(6, 9, 8), draw(48, 48), 4),
    ]
    real = real_numbers()
    if real:
        cases.append((draw(12, 7, 32), real["w_output"].clone(), 2))
    return cases


def _effect(heads: torch.Tensor, w_output: torch.Tensor, head: int) -> torch.Tensor:
    d_head = heads.shape[-1]
    return heads[head] @ w_output[:, head * d_head : (head + 1) * d_head].T


def _joined(heads: torch.Tensor) -> torch.Tensor:  # (n_heads, n, d_head) -> (n, n_heads * d_head)
    return heads.transpose(0, 1).flatten(-2)


def _only(heads: torch.Tensor, head: int) -> torch.Tensor:
    kept = torch.zeros_like(heads)
    kept[head] = heads[head]
    return kept


def _luck(right: int, n: int) -> float:
    return sum(comb(n, k) for k in range(right, n + 1)) / 2**n


EXERCISES = [
    Exercise(
        name="find_head",
        lesson=17,
        statement="Which head has the largest mean weight on the cells that count?",
        reference=_find,
        cases=_head_cases,
        verified="The head with the largest mean on the cells, in maps at random and in the real model's maps of "
        '"The dog bit the man": there 0.2 looks one word back.',
        gradient=False,
        mistakes=[
            Mistake(
                "swapped",
                lambda weights, wanted: _find(weights, wanted)[::-1],
                "You have swapped the two: the layer comes first, then the head.",
            ),
            Mistake(
                "largest-cell",
                lambda weights, wanted: _place(weights[..., wanted].amax(-1)),
                "You take the head with the largest single weight. One cell is no pattern: take the mean.",
            ),
            Mistake(
                "all-cells-of-the-row",
                lambda weights, wanted: _place(weights[..., wanted.any(-1), :].amax(-1).mean(-1)),
                "You look at the rows that count, but at any cell in them. Only the cells where `wanted` is True "
                "count.",
            ),
            Mistake(
                "transposed",
                lambda weights, wanted: _find(weights, wanted.T),
                "You have transposed `wanted`, or the maps: rows are queries, columns are keys, in both.",
            ),
            Mistake(
                "smallest",
                lambda weights, wanted: _place(-weights[..., wanted].mean(-1)),
                "This is the head with the smallest mean, not the largest. Is the mask inverted, or a sign wrong?",
            ),
            Mistake(
                "divided-by-layers",
                lambda weights, wanted: list(divmod(weights[..., wanted].mean(-1).argmax().item(), weights.shape[0])),
                "Your flat number is divided by the number of layers. Heads lie next to each other in a layer: "
                "how many are there in each?",
            ),
            Mistake(
                "counted-from-1",
                lambda weights, wanted: [1 + place for place in _find(weights, wanted)],
                "You count from 1. The first layer and the first head are 0.",
            ),
            Mistake(
                "wanted-ignored",
                lambda weights, wanted: _place(weights.amax((-2, -1))),
                "You take the head with the largest weight anywhere. Only the cells where `wanted` is True count.",
            ),
            Mistake(
                "whole-map",
                lambda weights, wanted: _place(weights.mean((-2, -1))),
                "You take the mean of the whole map, which is the same for all heads: each row sums to 1.",
            ),
            Mistake(
                "layer-and-head-apart",
                lambda weights, wanted: [
                    int(weights[..., wanted].mean(-1).mean(1).argmax()),
                    int(weights[..., wanted].mean(-1).mean(0).argmax()),
                ],
                "You look for the best layer and the best head apart. The best head need not stand in the layer that "
                "is best on average.",
            ),
            Mistake(
                "heads-averaged",
                lambda weights, wanted: [int(weights.mean(1)[:, wanted].mean(-1).argmax()), 0],
                "You take the mean over the heads, so that only the layer is left. Keep one number for each head.",
            ),
            Mistake(
                "one-of-each-layer",
                lambda weights, wanted: weights[..., wanted].mean(-1).argmax(-1).tolist(),
                "You return the best head of each layer. Return the best of all heads, and its layer.",
            ),
            Mistake(
                "largest-row",
                lambda weights, wanted: _place((weights * wanted).sum(-1).amax(-1)),
                "You take the head with the best single row. Take the mean over all cells that count.",
            ),
            Mistake(
                "fraction",
                lambda weights, wanted: [
                    int(weights[..., wanted].mean(-1).argmax()) / weights.shape[1],
                    _find(weights, wanted)[1],
                ],
                "The head is right, but `/` makes a fraction of the layer. Whole division is `//`.",
            ),
            Mistake(
                "first-layer-only",
                lambda weights, wanted: _find(weights[:1], wanted),
                "You look at the first layer alone. Does your function return inside the loop?",
            ),
            Mistake(
                "last-one",
                lambda weights, wanted: [len(weights) - 1, weights.shape[1] - 1],
                "You always find the last head. Do you keep the largest mean so far, and compare with it?",
            ),
            Mistake(
                "how-often-largest",
                lambda weights, wanted: _place(
                    (torch.nn.functional.one_hot(weights.argmax(-1), weights.shape[-1]) * wanted).sum((-2, -1))
                ),
                "You count in how many rows a wanted cell is the largest. Take the mean of the weights themselves.",
            ),
            Mistake(
                "rows-with-any",
                lambda weights, wanted: _place(weights[..., wanted.any(-1), :].mean((-2, -1))),
                "You take the mean of whole rows, which is the same for all heads: each row sums to 1. Only the cells "
                "count.",
            ),
            Mistake(
                "layers-added",
                lambda weights, wanted: [0, int(weights.sum(0)[:, wanted].mean(-1).argmax())],
                "You add up the layers, so that only the head is left. Keep one number for each head of each layer.",
            ),
        ],
        hints=[
            "`weights[..., wanted]` keeps the cells that count, for all heads at once: (n_layers, n_heads, n_cells).",
            "The mean over the last axis is one number for each head. `argmax` counts through that table row by row.",
            "`divmod(place, n_heads)` makes layer and head of the flat place.",
        ],
    ),
    Exercise(
        name="weights_of_head",
        lesson=17,
        statement="The weights of one head of a layer, from positions alone.",
        reference=_of_head,
        cases=_position_cases,
        verified="The head's own rows of both tables, with their biases, scaled by the root of d_head.",
        left_out=_left_out,
        mistakes=[
            Mistake(
                "whole-layer",
                lambda x, w_query, b_query, w_key, b_key, head, d_head: (
                    (x @ w_query.T + b_query) @ (x @ w_key.T + b_key).T / d_head**0.5
                ).softmax(-1),
                "You use all rows of the tables: that mixes all heads into one. This head has only `d_head` of them.",
            ),
            Mistake(
                "not-scaled",
                lambda *given: _scores(*given).softmax(-1),
                "You do not scale: divide the scores by the root of d_head.",
            ),
            Mistake(
                "divided-by-d-head",
                lambda *given: (_scores(*given) / given[-1]).softmax(-1),
                "You divide by d_head, and not by its root.",
            ),
            Mistake(
                "root-of-d-model",
                lambda *given: (_scores(*given) / given[0].shape[-1] ** 0.5).softmax(-1),
                "You divide by the root of d_model. The queries and keys of this head have d_head numbers.",
            ),
            Mistake(
                "no-bias",
                lambda x, w_query, b_query, w_key, b_key, head, d_head: _of_head(
                    x, w_query, 0 * b_query, w_key, 0 * b_key, head, d_head
                ),
                "The bias of the queries is missing.",
            ),
            Mistake(
                "not-transposed",
                lambda x, w_query, b_query, w_key, b_key, head, d_head: _of_head(
                    x, w_query.T, b_query, w_key.T, b_key, head, d_head
                ),
                "Your head is cut from the columns. `nn.Linear` keeps (out, in), so what comes out lies in rows.",
            ),
            Mistake(
                "swapped",
                lambda x, w_query, b_query, w_key, b_key, head, d_head: _of_head(
                    x, w_key, b_key, w_query, b_query, head, d_head
                ),
                "You have swapped queries and keys: rows of the result belong to queries.",
            ),
            Mistake(
                "wrong-axis",
                lambda *given: (_scores(*given) / given[-1] ** 0.5).softmax(-2),
                "Your softmax runs over the queries. Each query shares 1 among the keys.",
            ),
            Mistake(
                "first-head",
                lambda x, w_query, b_query, w_key, b_key, head, d_head: _of_head(
                    x, w_query, b_query, w_key, b_key, 0, d_head
                ),
                "You always take the first head. Where do the rows of head `head` begin?",
            ),
            Mistake(
                "stepped-rows",
                lambda x, w_query, b_query, w_key, b_key, head, d_head: _of_head(
                    x,
                    w_query[head % (len(w_query) // d_head) :: len(w_query) // d_head],
                    b_query[head % (len(b_query) // d_head) :: len(b_query) // d_head],
                    w_key[head % (len(w_key) // d_head) :: len(w_key) // d_head],
                    b_key[head % (len(b_key) // d_head) :: len(b_key) // d_head],
                    0,
                    d_head,
                ),
                "You take every n_heads-th row. The rows of one head lie together.",
            ),
            Mistake(
                "no-softmax",
                lambda *given: _scores(*given) / given[-1] ** 0.5,
                "These are the scaled scores. Softmax makes weights of them.",
            ),
            Mistake(
                "whole-layer-and-root-of-d-model",
                lambda x, w_query, b_query, w_key, b_key, head, d_head: (
                    (x @ w_query.T + b_query) @ (x @ w_key.T + b_key).T / x.shape[-1] ** 0.5
                ).softmax(-1),
                "You take all rows of the tables and the root of d_model, as if the layer had a single head.",
            ),
            Mistake(
                "counted-from-1",
                lambda *given: _of_rows(*given, start=(given[-2] - 1) * given[-1], end=given[-2] * given[-1]),
                "You take the rows of the head before it. Heads are counted from 0.",
            ),
            Mistake(
                "begins-at-head",
                lambda *given: _of_rows(*given, start=given[-2], end=given[-2] + given[-1]),
                "Your rows begin at `head`. Each head before it has taken `d_head` rows.",
            ),
            Mistake(
                "head-2",
                lambda *given: _of_rows(*given, start=2 * given[-1], end=3 * given[-1]),
                "You always take head 2. Is the number of step 3 written out?",
            ),
            Mistake(
                "queries-for-both",
                lambda x, w_query, b_query, w_key, b_key, head, d_head: _of_head(
                    x, w_query, b_query, w_query, b_query, head, d_head
                ),
                "Your keys are made with the table of the queries.",
            ),
            Mistake(
                "biases-subtracted",
                lambda x, w_query, b_query, w_key, b_key, head, d_head: _of_head(
                    x, w_query, -b_query, w_key, -b_key, head, d_head
                ),
                "You subtract the biases. They are added.",
            ),
            Mistake(
                "causal",
                lambda *given: (
                    (_scores(*given) / given[-1] ** 0.5)
                    .masked_fill(torch.ones(len(given[0]), len(given[0])).triu(1).bool(), -torch.inf)
                    .softmax(-1)
                ),
                "You mask what comes later. This model reads a sentence in both directions.",
            ),
            Mistake(
                "outputs",
                lambda *given: _of_head(*given) @ given[0],
                "You have weighted and summed already. Return the weights.",
            ),
            Mistake(
                "rows-from-0",
                lambda *given: _of_rows(*given, start=0, end=(given[-2] + 1) * given[-1]),
                "You take all rows up to the end of this head's. It has `d_head` rows of its own: where do they begin?",
            ),
        ],
        hints=[
            "The rows of head `head` go from `head * d_head` to `(head + 1) * d_head`, in the matrices and in the "
            "biases.",
            "With these rows it is one head of lesson 7: queries, keys, scores, scaled, softmax.",
        ],
    ),
    Exercise(
        name="effect_of_head",
        lesson=17,
        statement="How much of the attention's output comes from one head.",
        reference=_effect,
        cases=_effect_cases,
        verified="Each head adds a part of its own to the output, so the difference is this head's part alone.",
        left_out=_left_out,
        mistakes=[
            Mistake(
                "output-without",
                lambda heads, w_output, head: _joined(heads - _only(heads, head)) @ w_output.T,
                "This is the output without the head. The effect is the difference: with it minus without it.",
            ),
            Mistake(
                "sign",
                lambda heads, w_output, head: -_effect(heads, w_output, head),
                "The sign is wrong: it is the output with the head minus the output without it.",
            ),
            Mistake(
                "whole-output",
                lambda heads, w_output, head: _joined(heads) @ w_output.T,
                "This is the output of all heads together. What the others add is the same with and without this one.",
            ),
            Mistake(
                "rows",
                lambda heads, w_output, head: (
                    heads[head] @ w_output[head * heads.shape[-1] : (head + 1) * heads.shape[-1]]
                ),
                "You cut rows out of `w_output`. What goes in lies in its columns, (out, in).",
            ),
            Mistake(
                "wrong-joined",
                lambda heads, w_output, head: _only(heads, head).reshape(heads.shape[1], -1) @ w_output.T,
                "You join the heads without the transpose: `view` or `reshape` straight away mixes tokens up "
                "(lesson 8).",
            ),
            Mistake("head-0", lambda heads, w_output, head: _effect(heads, w_output, 0), "You always cut out head 0."),
            Mistake(
                "last-columns",
                lambda heads, w_output, head: _effect(heads.flip(0), w_output, len(heads) - 1 - head),
                "The head is the right one, but the columns are counted from the other end.",
            ),
            Mistake(
                "stepped-columns",
                lambda heads, w_output, head: heads[head] @ w_output[:, head :: len(heads)].T,
                "You take every n_heads-th column. The columns of one head lie together.",
            ),
            Mistake(
                "first-columns",
                lambda heads, w_output, head: heads[head] @ w_output[:, : heads.shape[-1]].T,
                "The head is the right one, but it meets the columns of head 0.",
            ),
            Mistake(
                "others-moved-up",
                lambda heads, w_output, head: (
                    _joined(heads) @ w_output.T
                    - _joined(torch.cat([heads[:head], heads[head + 1 :]])) @ w_output[:, heads.shape[-1] :].T
                ),
                "You take the head out of the row, so that the others move up and meet columns that are not theirs. "
                "Put 0 in its place.",
            ),
            Mistake(
                "absolute",
                lambda heads, w_output, head: _effect(heads, w_output, head).abs(),
                "You drop the signs. The output with the head minus the output without it can be below 0.",
            ),
            Mistake(
                "length",
                lambda heads, w_output, head: _effect(heads, w_output, head).norm(dim=-1),
                "You return how long the change is. Return the change itself, d_model numbers for each token.",
            ),
            Mistake(
                "mean-of-the-tokens",
                lambda heads, w_output, head: _effect(heads, w_output, head).mean(0),
                "You take the mean over the tokens. Return the change at each of them.",
            ),
            Mistake(
                "divided-by-heads",
                lambda heads, w_output, head: _effect(heads, w_output, head) / len(heads),
                "You divide by the number of heads. What the heads add is summed, not averaged.",
            ),
            Mistake(
                "mean-ablation",
                lambda heads, w_output, head: _effect(heads - heads.mean(1, keepdim=True), w_output, head),
                "You put the head's mean in its place. Here it is 0.",
            ),
            Mistake(
                "nothing-left",
                lambda heads, w_output, head: torch.zeros(heads.shape[1], len(w_output)).to(heads),
                "Your difference is 0: both outputs are made of the same numbers. Did you change `heads` itself, in "
                "place of a copy?",
            ),
            Mistake(
                "mean-of-the-others",
                lambda heads, w_output, head: _effect(
                    heads - torch.cat([heads[:head], heads[head + 1 :]]).mean(0), w_output, head
                ),
                "You put the mean of the other heads in its place. Here it is 0.",
            ),
        ],
        hints=[
            "Set all other heads to 0, join, multiply: what is left is what this head adds. Is the difference more?",
            "Head `head` meets the columns from `head * d_head` to `(head + 1) * d_head`.",
        ],
    ),
    Exercise(
        name="luck_of_a_coin",
        lesson=17,
        statement="How probable is it that a coin is right at least as often?",
        reference=_luck,
        cases=lambda draw: [(3, 4), (2, 4), (1, 1), (0, 3), (5, 5), (7, 10), (25, 40), (37, 40), (42, 48), (24, 48)],
        verified="With 40 sentences, a coin is right in 25 or more about once in 13 times.",
        gradient=False,
        mistakes=[
            Mistake(
                "exactly",
                lambda right, n: comb(n, right) / 2**n,
                "This is how probable exactly this count is. A higher count would be at least as good.",
            ),
            Mistake(
                "more-than",
                lambda right, n: _luck(right, n) - comb(n, right) / 2**n,
                "You count only what is better. What is exactly as good belongs to it.",
            ),
            Mistake(
                "at-most",
                lambda right, n: sum(comb(n, k) for k in range(right + 1)) / 2**n,
                "This is how probable it is to be right at most as often.",
            ),
            Mistake(
                "one-way",
                lambda right, n: sum(0.5**n for _ in range(right, n + 1)),
                "You count one way for each number of right ones. There are many ways to be right in 3 of 4.",
            ),
            Mistake(
                "all-right",
                lambda right, n: 0.5**right,
                "This is how probable `right` right ones in a row are. Where the wrong ones lie does not matter.",
            ),
            Mistake(
                "not-divided",
                lambda right, n: sum(comb(n, k) for k in range(right, n + 1)),
                "You count ways. Divide by the number of all ways that n coins can fall.",
            ),
            Mistake(
                "both-ends",
                lambda right, n: min(1.0, 2 * _luck(right, n)),
                'You double it, as if a low count were as surprising as a high one. The question is only "at least as '
                'often".',
            ),
            Mistake(
                "last-of-the-range-lost",
                lambda right, n: sum(comb(n, k) for k in range(right, n)) / 2**n,
                "All n right is missing: `range(a, b)` ends before b.",
            ),
            Mistake(
                "less-often",
                lambda right, n: sum(comb(n, k) for k in range(right)) / 2**n,
                "This is how probable it is to be right less often. What is left of 1?",
            ),
            Mistake(
                "share",
                lambda right, n: right / n,
                "That is the share that the head got right. How probable is it that a coin gets as many?",
            ),
            Mistake(
                "divided-by-n",
                lambda right, n: sum(comb(n, k) for k in range(right, n + 1)) / n,
                "You divide the ways by n. In how many ways can n coins fall?",
            ),
            Mistake(
                "divided-by-2n",
                lambda right, n: sum(comb(n, k) for k in range(right, n + 1)) / (2 * n),
                "You divide by 2 times n. Each coin doubles the number of ways: 2 to the power of n.",
            ),
            Mistake(
                "two-times-n-without-brackets",
                lambda right, n: sum(comb(n, k) for k in range(right, n + 1)) / 2 * n,
                "You divide by 2 and multiply by n. Each coin doubles the number of ways: 2 to the power of n.",
            ),
            Mistake(
                "permutations",
                lambda right, n: sum(perm(n, k) for k in range(right, n + 1)) / 2**n,
                "You count orders with `perm`. Which sentences are right matters, not in which order you name them.",
            ),
            Mistake(
                "comb-turned",
                lambda right, n: sum(comb(k, n) for k in range(right, n + 1)) / 2**n,
                "Yours is the chance of one single way in which n coins can fall. Count all ways that are at least as "
                "good: `comb(n, k)` of them for each k, added with `+=`.",
            ),
            Mistake(
                "half-to-the-k",
                lambda right, n: sum(comb(n, k) * 0.5**k for k in range(right, n + 1)),
                "You leave out the coins that are wrong: each of those has a chance of a half, too.",
            ),
            Mistake(
                "bell-curve",
                lambda right, n: 0.5 * erfc((right - n / 2) / (n / 4) ** 0.5 / 2**0.5),
                "You take a bell curve, which is near for large n only. The ways can be counted.",
            ),
            Mistake(
                "bell-curve-corrected",
                lambda right, n: 0.5 * erfc((right - 0.5 - n / 2) / (n / 4) ** 0.5 / 2**0.5),
                "You take a bell curve with a correction, which is near, but not exact. The ways can be counted.",
            ),
            Mistake(
                "percent",
                lambda right, n: 100 * _luck(right, n),
                "Your number is in percent. A probability lies between 0 and 1.",
            ),
            Mistake(
                "rounded",
                lambda right, n: round(_luck(right, n), 2),
                "You round to two digits. A small chance becomes 0: return it as it is.",
            ),
            Mistake(
                "up-to-right",
                lambda right, n: sum(comb(n, k) for k in range(1, right + 1)) / 2**n,
                "You add from 1 up to `right`. At least as often goes from `right` up to n.",
            ),
        ],
        hints=[
            "n coins fall in 2 ** n ways, all equally probable. In how many of them are at least `right` heads up?",
            "`math.comb(n, k)` is the number of ways in which exactly k are right. Add up from k = right to n.",
        ],
    ),
]
