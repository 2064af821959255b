"""Lesson 15, cost: two blocks become one, weights come back from what was kept, and how long a text fits."""

import torch
from torch import Tensor

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

# --- two blocks become one ---

State = tuple[Tensor, Tensor, Tensor]  # largest (n, 1), total (n, 1), output (n, d_v), not yet divided


def _merge(
    largest_a: Tensor, total_a: Tensor, output_a: Tensor, largest_b: Tensor, total_b: Tensor, output_b: Tensor
) -> State:
    largest = torch.maximum(largest_a, largest_b)
    shrink_a, shrink_b = (largest_a - largest).exp(), (largest_b - largest).exp()
    return largest, total_a * shrink_a + total_b * shrink_b, output_a * shrink_a + output_b * shrink_b


def _only_total_shrinks(
    largest_a: Tensor, total_a: Tensor, output_a: Tensor, largest_b: Tensor, total_b: Tensor, output_b: Tensor
) -> State:
    largest, total, _ = _merge(largest_a, total_a, output_a, largest_b, total_b, output_b)
    return largest, total, output_a + output_b


def _only_first_shrinks(
    largest_a: Tensor, total_a: Tensor, output_a: Tensor, largest_b: Tensor, total_b: Tensor, output_b: Tensor
) -> State:
    largest = torch.maximum(largest_a, largest_b)
    shrink = (largest_a - largest).exp()
    return largest, total_a * shrink + total_b, output_a * shrink + output_b


def _grown(
    largest_a: Tensor, total_a: Tensor, output_a: Tensor, largest_b: Tensor, total_b: Tensor, output_b: Tensor
) -> State:
    largest = torch.maximum(largest_a, largest_b)
    grow_a, grow_b = (largest - largest_a).exp(), (largest - largest_b).exp()
    return largest, total_a * grow_a + total_b * grow_b, output_a * grow_a + output_b * grow_b


def _divided(*states: Tensor) -> State:
    largest, total, output = _merge(*states)
    return largest, total, output / total


def _smaller(
    largest_a: Tensor, total_a: Tensor, output_a: Tensor, largest_b: Tensor, total_b: Tensor, output_b: Tensor
) -> State:
    largest = torch.minimum(largest_a, largest_b)
    shrink_a, shrink_b = (largest_a - largest).exp(), (largest_b - largest).exp()
    return largest, total_a * shrink_a + total_b * shrink_b, output_a * shrink_a + output_b * shrink_b


def _one_largest(
    largest_a: Tensor, total_a: Tensor, output_a: Tensor, largest_b: Tensor, total_b: Tensor, output_b: Tensor
) -> State:
    largest = torch.maximum(largest_a.max(), largest_b.max()).expand_as(largest_a)
    shrink_a, shrink_b = (largest_a - largest).exp(), (largest_b - largest).exp()
    return largest, total_a * shrink_a + total_b * shrink_b, output_a * shrink_a + output_b * shrink_b


def _state(scores: Tensor, values: Tensor) -> State:
    """The state of one block, its scores (n, n_key) and its values (n_key, d_v)."""
    largest = scores.amax(-1, keepdim=True)
    positive = (scores - largest).exp()
    return largest, positive.sum(-1, keepdim=True), positive @ values


def _merge_cases(draw: Draw) -> list[Arguments]:
    def of(n: int, n_a: int, n_b: int, d_v: int, dtype: torch.dtype = torch.float32, apart: bool = False) -> Arguments:
        states = [_state(draw(n, n_key, scale=2, dtype=dtype), draw(n_key, d_v, dtype=dtype)) for n_key in (n_a, n_b)]
        parts = [part for state in states for part in state]
        if apart:  # not contiguous
            parts = [part.repeat_interleave(2, dim=-1)[..., ::2] for part in parts]
        return tuple(parts)

    def by_hand(first: float, second: float) -> Arguments:
        parts = [[first], [1.5], [2.0, 5.0], [second], [1.25], [3.0, 1.0]]
        return tuple(torch.tensor([part]) for part in parts)

    return [
        by_hand(2.0, 3.0),
        by_hand(4.0, 1.0),
        of(1, 1, 1, 1),
        of(1, 3, 2, 4),
        of(5, 4, 7, 3),
        of(6, 2, 9, 5, torch.float64),
        of(4, 5, 3, 7, apart=True),
        of(30, 12, 8, 9),
    ]


# --- weights from what was kept ---


def _again(query: Tensor, key_block: Tensor, largest: Tensor, total: Tensor) -> Tensor:
    return (query @ key_block.T / query.shape[-1] ** 0.5 - largest).exp() / total


def _again_cases(draw: Draw) -> list[Arguments]:
    def of(n: int, n_key: int, d: int, block: slice, dtype: torch.dtype = torch.float32) -> Arguments:
        query, key = draw(n, d, dtype=dtype, scale=1.5), draw(n_key, d, dtype=dtype)
        scores = query @ key.T / d**0.5
        largest = scores.amax(-1, keepdim=True)
        return query, key[block], largest, (scores - largest).exp().sum(-1, keepdim=True)

    query, key, largest, total = of(5, 8, 6, slice(3, 6))
    return [
        of(3, 5, 4, slice(0, 2)),
        of(3, 5, 4, slice(0, 2)),
        of(1, 1, 1, slice(0, 1)),
        of(2, 6, 3, slice(2, 6)),
        of(7, 9, 5, slice(4, 7), torch.float64),
        (query.repeat_interleave(2, dim=-1)[:, ::2], key, largest, total),
        of(20, 30, 16, slice(10, 23)),
    ]


# --- how long a text fits ---


def _longest(memory: int, weights: int, n_layers: int, n_kv_heads: int, d_head: int, n_texts: int) -> int:
    return max(0, memory - weights) // (2 * 2 * n_layers * n_kv_heads * d_head * n_texts)


EXERCISES = [
    Exercise(
        name="merge_states",
        lesson=15,
        statement="Merge the states of two blocks of keys into the state of both together.",
        reference=_merge,
        cases=_merge_cases,
        verified="Whichever block had the smaller largest score shrinks, its sum and its output alike.",
        mistakes=[
            Mistake(
                "added",
                lambda largest_a, total_a, output_a, largest_b, total_b, output_b: (
                    torch.maximum(largest_a, largest_b),
                    total_a + total_b,
                    output_a + output_b,
                ),
                "You add the two as they are. Each was made with a largest score of its own; bring both to the same "
                "one first.",
            ),
            Mistake(
                "only-total",
                _only_total_shrinks,
                "The sums are right. The outputs were made of the same exponentials, so they have to shrink as well.",
            ),
            Mistake(
                "second-not",
                _only_first_shrinks,
                "You shrink the first block only. That is enough while the second has the larger score, and wrong "
                "where the first has it.",
            ),
            Mistake(
                "grown",
                _grown,
                "Your factors are turned over: they are 1 or more. The block whose largest score was smaller has to "
                "shrink.",
            ),
            Mistake(
                "divided",
                _divided,
                "You divide the output by the sum already. A third block may follow, so a state is divided only at "
                "the end.",
            ),
            Mistake(
                "smaller",
                _smaller,
                "You bring both to the smaller of the two largest scores. Then a factor is above 1 and can overflow; "
                "take the larger one.",
            ),
            Mistake("one-for-all", _one_largest, "You take one largest score for all queries. Each row has its own."),
        ],
        hints=[
            "With largest scores 2 and 3 the new largest is 3. The first block's numbers were made with 2, so they "
            "are too large by a factor of exp(1).",
            "`torch.maximum` compares two tensors place by place. The factor of each block is exp(its own largest - "
            "the new largest), which is 1 for one of the two.",
        ],
    ),
    Exercise(
        name="weights_again",
        lesson=15,
        statement="Make the weights of one block of keys from the queries, its keys, and what was kept of each row.",
        reference=_again,
        cases=_again_cases,
        verified="Two numbers a row bring back any block of the table, without the other blocks.",
        mistakes=[
            Mistake(
                "softmax",
                lambda query, key_block, largest, total: (query @ key_block.T / query.shape[-1] ** 0.5).softmax(-1),
                "Your rows sum to 1 within the block. In the whole table a block has only a part of its row's 1.",
            ),
            Mistake(
                "own-largest",
                lambda query, key_block, largest, total: (
                    (
                        (query @ key_block.T - (query @ key_block.T).amax(-1, keepdim=True)) / query.shape[-1] ** 0.5
                    ).exp()
                    / total
                ),
                "You subtract the largest score of this block. The sum was made with the largest of the whole row.",
            ),
            Mistake(
                "not-divided",
                lambda query, key_block, largest, total: (query @ key_block.T / query.shape[-1] ** 0.5 - largest).exp(),
                "You do not divide by the sum, so these are exponentials and not yet weights.",
            ),
            Mistake(
                "not-scaled",
                lambda query, key_block, largest, total: (query @ key_block.T - largest).exp() / total,
                "You do not scale: divide the scores by the root of d_k.",
            ),
            Mistake(
                "largest-forgotten",
                lambda query, key_block, largest, total: (query @ key_block.T / query.shape[-1] ** 0.5).exp() / total,
                "You do not subtract the largest score, with which the sum was made.",
            ),
            Mistake(
                "largest-scaled",
                lambda query, key_block, largest, total: (
                    ((query @ key_block.T - largest) / query.shape[-1] ** 0.5).exp() / total
                ),
                "You scale the largest score with the others. It was taken from scores that were scaled already.",
            ),
            Mistake(
                "transposed",
                lambda query, key_block, largest, total: _again(query, key_block, largest, total).T,
                "Your table is turned: rows are queries, columns are keys.",
            ),
        ],
        hints=[
            "A weight is exp(score - largest) / total. Which of the three do you have, and which do you make?",
            "Make the scaled scores of this block, (n, n_block). `largest` and `total` are (n, 1), one for each row.",
        ],
    ),
    Exercise(
        name="longest_text",
        lesson=15,
        statement="How many tokens may each text have, so that the model and all caches fit into memory?",
        reference=_longest,
        cases=lambda draw: [
            (24_000_000_000, 16_000_000_000, 32, 8, 128, 1),
            (24_000_000_000, 16_000_000_000, 32, 8, 128, 4),
            (9, 0, 1, 1, 1, 1),
            (1_000, 400, 3, 2, 5, 1),
            (80_000_000_000, 14_000_000_000, 32, 32, 128, 7),
            (700, 900, 2, 3, 4, 1),
            (123_457, 1_234, 5, 7, 11, 3),
        ],
        verified="Keys and values, in each layer and for each text, share what the weights leave.",
        gradient=False,
        mistakes=[
            Mistake(
                "keys-only",
                lambda memory, weights, n_layers, n_kv_heads, d_head, n_texts: (
                    max(0, memory - weights) // (2 * n_layers * n_kv_heads * d_head * n_texts)
                ),
                "Twice as long as can be. Is it the 2 bytes of a number, or keys and values, that you left out?",
            ),
            Mistake(
                "weights-forgotten",
                lambda memory, weights, n_layers, n_kv_heads, d_head, n_texts: _longest(
                    memory, 0, n_layers, n_kv_heads, d_head, n_texts
                ),
                "You give all memory to the caches. The model's weights stand in it as well.",
            ),
            Mistake(
                "one-layer",
                lambda memory, weights, n_layers, n_kv_heads, d_head, n_texts: _longest(
                    memory, weights, 1, n_kv_heads, d_head, n_texts
                ),
                "You count one layer. Each layer has keys and values of its own.",
            ),
            Mistake(
                "one-head",
                lambda memory, weights, n_layers, n_kv_heads, d_head, n_texts: _longest(
                    memory, weights, n_layers, 1, d_head, n_texts
                ),
                "You count one head. Each head of keys and values is kept.",
            ),
            Mistake(
                "one-text",
                lambda memory, weights, n_layers, n_kv_heads, d_head, n_texts: _longest(
                    memory, weights, n_layers, n_kv_heads, d_head, 1
                ),
                "You count one text. All texts are in memory at the same time, each with a cache of its own.",
            ),
            Mistake(
                "below-zero",
                lambda memory, weights, n_layers, n_kv_heads, d_head, n_texts: (
                    (memory - weights) // (2 * 2 * n_layers * n_kv_heads * d_head * n_texts)
                ),
                "Where the weights alone do not fit, yours is below 0. No token fits then: 0.",
            ),
            Mistake(
                "rounded-up",
                lambda memory, weights, n_layers, n_kv_heads, d_head, n_texts: (
                    -(-max(0, memory - weights) // (2 * 2 * n_layers * n_kv_heads * d_head * n_texts))
                ),
                "You round up. The last token then does not fit as a whole.",
            ),
        ],
        hints=[
            "How many bytes does one token take in one text: a key and a value, each of `n_kv_heads * d_head` numbers "
            "of 2 bytes, in each layer?",
            "The weights come off the memory first. What is left, divided by the bytes of one token in all texts.",
        ],
    ),
]
