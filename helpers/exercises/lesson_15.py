"""Lesson 15, cost: two blocks become one, weights come back from what was kept, and how long a text fits."""

from collections.abc import Callable
from typing import Any

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


Factors = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]  # largest_a, largest_b, their largest -> a, b
Way = Callable[..., State]


def _shrinks(largest_a: Tensor, largest_b: Tensor, largest: Tensor) -> tuple[Tensor, Tensor]:
    return (largest_a - largest).exp(), (largest_b - largest).exp()


def _merges(
    largest: Callable[[Tensor, Tensor], Tensor] = torch.maximum,
    of_totals: Factors = _shrinks,
    of_outputs: Factors | None = None,
    last: Callable[[Tensor, Tensor, Tensor], Any] = lambda largest, total, output: (largest, total, output),
) -> Way:
    """A way to merge, by the factors of sums and outputs; right as it is, and wrong in what is given."""

    def merge(
        largest_a: Tensor, total_a: Tensor, output_a: Tensor, largest_b: Tensor, total_b: Tensor, output_b: Tensor
    ) -> State:
        of_both = largest(largest_a, largest_b)
        a, b = of_totals(largest_a, largest_b, of_both)
        out_a, out_b = (of_outputs or of_totals)(largest_a, largest_b, of_both)
        state: State = last(of_both, total_a * a + total_b * b, output_a * out_a + output_b * out_b)
        return state

    return merge


def _no_factors(largest_a: Tensor, largest_b: Tensor, largest: Tensor) -> tuple[Tensor, Tensor]:
    return torch.ones_like(largest), torch.ones_like(largest)


def _weighted_by_totals(
    largest_a: Tensor, total_a: Tensor, output_a: Tensor, largest_b: Tensor, total_b: Tensor, output_b: Tensor
) -> State:
    return _merge(largest_a, total_a, output_a * total_a, largest_b, total_b, output_b * total_b)


def _winner_takes_all(
    largest_a: Tensor, total_a: Tensor, output_a: Tensor, largest_b: Tensor, total_b: Tensor, output_b: Tensor
) -> State:
    wins = largest_a > largest_b
    return (
        torch.where(wins, largest_a, largest_b),
        torch.where(wins, total_a, total_b),
        torch.where(wins, output_a, output_b),
    )


def _shape_lost(largest: Tensor, total: Tensor, output: Tensor) -> State:
    return largest[..., 0], total[..., 0], output


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
        by_hand(120.0, 118.0),  # exp of these is too large for a float
        of(30, 12, 8, 9),
    ]


# --- weights from what was kept ---


def _again(query: Tensor, key_block: Tensor, largest: Tensor, total: Tensor) -> Tensor:
    return (query @ key_block.T / query.shape[-1] ** 0.5 - largest).exp() / total


def _scaled(query: Tensor, key_block: Tensor) -> Tensor:
    return query @ key_block.T / query.shape[-1] ** 0.5


def _by_root_of(number: Callable[[Tensor, Tensor], int]) -> Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]:
    """The weights, with scores divided by the root of this number."""
    return lambda query, key_block, largest, total: (
        (query @ key_block.T / number(query, key_block) ** 0.5 - largest).exp() / total
    )


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


def _token_bytes(n_layers: int, n_kv_heads: int, d_head: int, n_texts: int) -> int:
    """What one token takes in all texts."""
    return 2 * 2 * n_layers * n_kv_heads * d_head * n_texts


def _longest(memory: int, parameters: int, n_layers: int, n_kv_heads: int, d_head: int, n_texts: int) -> int:
    return (memory - parameters) // _token_bytes(n_layers, n_kv_heads, d_head, n_texts)


EXERCISES = [
    Exercise(
        name="merge_states",
        lesson=15,
        statement="Merge the states of two blocks of keys into the state of both together.",
        reference=_merge,
        cases=_merge_cases,
        verified="Whichever block had the smaller largest score shrinks, its sum and its output alike.",
        gradient=False,
        mistakes=[
            Mistake(
                "added",
                _merges(of_totals=_no_factors),
                "You add the two as they are. Each was made with a largest score of its own; bring both to the same "
                "one first.",
            ),
            Mistake(
                "only-total",
                _merges(of_outputs=_no_factors),
                "The sums are right. The outputs were made of the same exponentials, so they have to shrink as well.",
            ),
            Mistake(
                "second-not",
                _merges(of_totals=lambda a, b, largest: ((a - largest).exp(), torch.ones_like(b))),
                "You shrink the first block only. That is enough while the second has the larger score, and wrong "
                "where the first has it.",
            ),
            Mistake(
                "grown",
                _merges(of_totals=lambda a, b, largest: ((largest - a).exp(), (largest - b).exp())),
                "Your factors are upside down: they are 1 or more. The block whose largest score was smaller has to "
                "shrink.",
            ),
            Mistake(
                "divided",
                _merges(last=lambda largest, total, output: (largest, total, output / total)),
                "You divide the output by the sum already. A third block may follow, so a state is divided only at "
                "the end.",
            ),
            Mistake(
                "smaller",
                _merges(largest=torch.minimum),
                "You bring both to the smaller of the two largest scores. Then a factor is above 1 and can overflow; "
                "take the larger one.",
            ),
            Mistake(
                "one-for-all",
                _merges(largest=lambda a, b: torch.maximum(a.max(), b.max()).expand_as(a)),
                "You take one largest score for all queries. Each row has its own.",
            ),
            Mistake(
                "only-outputs",
                _merges(of_totals=_no_factors, of_outputs=_shrinks),
                "The outputs are right. The sums were made of the same exponentials, so they have to shrink as well.",
            ),
            Mistake(
                "first-not",
                _merges(of_totals=lambda a, b, largest: (torch.ones_like(a), (b - largest).exp())),
                "You shrink the second block only. That is enough while the first has the larger score, and wrong "
                "where the second has it.",
            ),
            Mistake(
                "second-is-larger",
                _merges(largest=lambda a, b: b, of_totals=lambda a, b, largest: ((a - b).exp(), torch.ones_like(b))),
                "You assume that the second block always has the larger score.",
            ),
            Mistake(
                "first-is-larger",
                _merges(largest=lambda a, b: a, of_totals=lambda a, b, largest: (torch.ones_like(a), (b - a).exp())),
                "You assume that the first block always has the larger score.",
            ),
            Mistake(
                "no-exp",
                _merges(of_totals=lambda a, b, largest: (a - largest, b - largest)),
                "Your factors are the differences themselves. What was divided by exp(2) and is to be divided by "
                "exp(3) has a factor of exp(2 - 3).",
            ),
            Mistake(
                "exchanged",
                _merges(of_totals=lambda a, b, largest: _shrinks(b, a, largest)),
                "You give each block the factor of the other. The block with the smaller largest score shrinks.",
            ),
            Mistake(
                "overflow",
                _merges(of_totals=lambda a, b, largest: (a.exp() / largest.exp(), b.exp() / largest.exp())),
                "Right for small scores. `exp` of a score of 100 is too large for a float: subtract first, then take "
                "`exp`.",
            ),
            Mistake(
                "sum-of-the-largest",
                _merges(largest=lambda a, b: a + b),
                "You add the two largest scores. The largest of both blocks is one of the two.",
            ),
            Mistake(
                "times-totals",
                _weighted_by_totals,
                "You multiply the outputs by their sums. They have not been divided yet: the factor alone is enough.",
            ),
            Mistake(
                "means",
                _merges(last=lambda largest, total, output: (largest, total / 2, output / 2)),
                "You take the mean of the two blocks. All keys together have the sum of both.",
            ),
            Mistake(
                "order",
                _merges(last=lambda largest, total, output: (output, total, largest)),
                "You return the three in another order: first `largest`, then `total`, then `output`.",
            ),
            Mistake(
                "shape-lost",
                _merges(last=_shape_lost),
                "The numbers are right, but `largest` and `total` have lost their second axis: both should be (n, 1).",
            ),
            Mistake(
                "ratio-of-scores",
                _merges(of_totals=lambda a, b, largest: (a / largest, b / largest)),
                "Your factors are ratios of scores. The numbers were made with `exp`: take `exp` of the difference.",
            ),
            Mistake(
                "winner-takes-all",
                _winner_takes_all,
                "You keep the block with the larger score and drop the other. All keys count, only less.",
            ),
            Mistake(
                "divided-before",
                lambda largest_a, total_a, output_a, largest_b, total_b, output_b: _merge(
                    largest_a, total_a, output_a / total_a, largest_b, total_b, output_b / total_b
                ),
                "You divide each output by its own sum before you add them. They are divided once, at the very end.",
            ),
            Mistake(
                "one-comparison",
                _merges(largest=max),
                "`max(a, b)` and `if a > b` want one answer for two whole tensors, which differ from row to row. "
                "`torch.maximum` compares row by row.",
            ),
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
        gradient=False,
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
                "Your table is transposed: rows are queries, columns are keys.",
            ),
            Mistake(
                "times-total",
                lambda query, key_block, largest, total: (_scaled(query, key_block) - largest).exp() * total,
                "You multiply by the sum. An exponential becomes a weight when it is divided by the sum.",
            ),
            Mistake(
                "no-exp",
                lambda query, key_block, largest, total: (_scaled(query, key_block) - largest) / total,
                "`exp` is missing. The sum was one of exponentials.",
            ),
            Mistake(
                "sign",
                lambda query, key_block, largest, total: (largest - _scaled(query, key_block)).exp() / total,
                "The sign is wrong: subtract the largest score from the others, so that nothing is above 0.",
            ),
            Mistake(
                "largest-added",
                lambda query, key_block, largest, total: (_scaled(query, key_block) + largest).exp() / total,
                "You add the largest score. Subtract it, since the sum was made that way.",
            ),
            Mistake(
                "divided-by-d",
                lambda query, key_block, largest, total: (
                    (query @ key_block.T / query.shape[-1] - largest).exp() / total
                ),
                "You divide by d itself, and not by its root.",
            ),
            Mistake(
                "root-of-the-block",
                _by_root_of(lambda query, key_block: len(key_block)),
                "You divide by the root of the number of keys. It is the length of a key that counts.",
            ),
            Mistake(
                "root-of-the-queries",
                _by_root_of(lambda query, key_block: len(query)),
                "You divide by the root of the number of queries. It is the length of a query that counts.",
            ),
            Mistake(
                "divided-inside",
                lambda query, key_block, largest, total: ((_scaled(query, key_block) - largest) / total).exp(),
                "You divide by the sum inside `exp`. It divides the exponential.",
            ),
            Mistake(
                "total-inside",
                lambda query, key_block, largest, total: (_scaled(query, key_block) - largest - total).exp(),
                "You divide by `exp` of the sum, or subtract the sum inside `exp`. The sum divides as it is.",
            ),
            Mistake(
                "total-subtracted",
                lambda query, key_block, largest, total: (_scaled(query, key_block) - largest).exp() - total,
                "You subtract the sum. It divides.",
            ),
            Mistake(
                "one-largest",
                lambda query, key_block, largest, total: (_scaled(query, key_block) - largest.max()).exp() / total,
                "You take one largest score for all queries. Each row has its own.",
            ),
            Mistake(
                "softmax-and-total",
                lambda query, key_block, largest, total: _scaled(query, key_block).softmax(-1) / total,
                "You take softmax, which divides by the sum of this block, and then divide by `total` again.",
            ),
            Mistake(
                "base-2",
                lambda query, key_block, largest, total: 2 ** (_scaled(query, key_block) - largest) / total,
                "You raise 2 to the scores. The sum was made with `exp`.",
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
            (7_900, 700, 2, 3, 4, 5),
            (123_457, 1_234, 5, 7, 11, 3),
        ],
        verified="Keys and values, in each layer and for each text, share what the parameters leave.",
        gradient=False,
        mistakes=[
            Mistake(
                "keys-only",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: (
                    (memory - parameters) // (2 * n_layers * n_kv_heads * d_head * n_texts)
                ),
                "Your text is twice as long as can fit. Is it the 2 bytes of a number, or keys and values, that you "
                "left out?",
            ),
            Mistake(
                "parameters-forgotten",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: _longest(
                    memory, 0, n_layers, n_kv_heads, d_head, n_texts
                ),
                "You give all memory to the caches. The model's parameters stand in it as well.",
            ),
            Mistake(
                "one-layer",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: _longest(
                    memory, parameters, 1, n_kv_heads, d_head, n_texts
                ),
                "You count one layer. Each layer has keys and values of its own.",
            ),
            Mistake(
                "one-head",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: _longest(
                    memory, parameters, n_layers, 1, d_head, n_texts
                ),
                "You count one head. Each head of keys and values is kept.",
            ),
            Mistake(
                "one-text",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: _longest(
                    memory, parameters, n_layers, n_kv_heads, d_head, 1
                ),
                "You count one text. All texts are in memory at the same time, each with a cache of its own.",
            ),
            Mistake(
                "rounded-up",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: (
                    -((parameters - memory) // _token_bytes(n_layers, n_kv_heads, d_head, n_texts))
                ),
                "You round up. The last token then does not fit as a whole.",
            ),
            Mistake(
                "fraction",
                lambda memory, parameters, *sizes: (memory - parameters) / _token_bytes(*sizes),
                "You return a fraction. Only whole tokens fit.",
            ),
            Mistake(
                "rounded",
                lambda memory, parameters, *sizes: round((memory - parameters) / _token_bytes(*sizes)),
                "You round to the nearest whole number. Half a token more does not fit.",
            ),
            Mistake(
                "no-brackets",
                lambda memory, parameters, *sizes: memory - parameters // _token_bytes(*sizes),
                "Brackets are missing: only `parameters` is divided.",
            ),
            Mistake(
                "no-brackets-below",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: (
                    (memory - parameters) // 4 * n_layers * n_kv_heads * d_head * n_texts
                ),
                "Brackets are missing: you divide by the first factor and multiply by the others.",
            ),
            Mistake(
                "no-brackets-around-the-factors",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: (
                    (memory - parameters) // 2 * 2 * n_layers * n_kv_heads * d_head * n_texts
                ),
                "Without brackets `a // b * c` divides by b and multiplies by c. All factors belong below.",
            ),
            Mistake(
                "four-bytes",
                lambda memory, parameters, *sizes: (memory - parameters) // (2 * _token_bytes(*sizes)),
                "Your text is half as long as could fit. A number takes 2 bytes, and there are keys and values: is "
                "there a 2 too many?",
            ),
            Mistake(
                "bits",
                lambda memory, parameters, *sizes: 8 * (memory - parameters) // _token_bytes(*sizes),
                "You count in bits on one side. Everything here is in bytes.",
            ),
            Mistake(
                "parameters-of-two-bytes",
                lambda memory, parameters, *sizes: (memory - 2 * parameters) // _token_bytes(*sizes),
                "You take `parameters` twice. They are in bytes already, not in numbers.",
            ),
            Mistake(
                "all-texts-together",
                lambda memory, parameters, *sizes: (memory - parameters) // _token_bytes(*sizes) * sizes[-1],
                "Those are the tokens of all texts together. How many has each?",
            ),
            Mistake(
                "texts-multiplied",
                lambda memory, parameters, *sizes: (
                    (memory - parameters) * sizes[-1] // (_token_bytes(*sizes) // sizes[-1])
                ),
                "You multiply by the number of texts. The more texts, the fewer tokens each.",
            ),
            Mistake(
                "d-head-squared",
                lambda memory, parameters, *sizes: (memory - parameters) // (_token_bytes(*sizes) * sizes[2]),
                "You count d_head times d_head. A key is a vector of d_head numbers.",
            ),
            Mistake(
                "parameters-of-each-text",
                lambda memory, parameters, *sizes: (memory - parameters * sizes[-1]) // _token_bytes(*sizes),
                "You take the parameters once for each text. All texts share one model.",
            ),
            Mistake(
                "one-number-a-head",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: _longest(
                    memory, parameters, n_layers, n_kv_heads, 1, n_texts
                ),
                "You count one number for each head. A key has `d_head` of them.",
            ),
            Mistake(
                "one-less",
                lambda memory, parameters, *sizes: _longest(memory, parameters, *sizes) - 1,
                "One too few: the last token that fits as a whole counts.",
            ),
            Mistake(
                "bytes-of-a-text",
                lambda memory, parameters, *sizes: (memory - parameters) // sizes[-1],
                "Those are the bytes that each text has. How many tokens is that?",
            ),
            Mistake(
                "bytes-of-a-token",
                lambda memory, parameters, *sizes: _token_bytes(*sizes),
                "Those are the bytes of one token. How often do they fit into what is left of the memory?",
            ),
            Mistake(
                "n-squared",
                lambda memory, parameters, *sizes: int(((memory - parameters) / _token_bytes(*sizes)) ** 0.5),
                "You take a root, as for a table of scores. A cache grows by the same amount with each token.",
            ),
            Mistake(
                "one-byte-keys-only",
                lambda memory, parameters, n_layers, n_kv_heads, d_head, n_texts: (
                    (memory - parameters) // (n_layers * n_kv_heads * d_head * n_texts)
                ),
                "Your text is four times as long as can fit. A number takes 2 bytes, and there are keys and values.",
            ),
        ],
        hints=[
            "How many bytes does one token take in one text: a key and a value, each of `n_kv_heads * d_head` numbers "
            "of 2 bytes, in each layer?",
            "The parameters come off the memory first. What is left, divided by the bytes of one token in all texts.",
        ],
    ),
]
