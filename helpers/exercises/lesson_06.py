"""Lesson 6, weighting: each value scaled by its weight."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

WEIGHTS = [[0.0, 0.5, 0.5], [0.0, 1.0, 0.0], [0.0, 0.9, 0.1]]
VALUES = [[1.0, 2, 3], [2, 8, 0], [2, 6, 3]]


def value_cases(draw: Draw) -> list[Arguments]:
    """Weights (n_query, n_key) and values (n_key, d_v)."""
    return [
        (torch.tensor(WEIGHTS), torch.tensor(VALUES)),
        (draw.weights(3, 3), draw(3, 3)),
        (draw.weights(1, 1), draw(1, 1)),
        (draw.weights(1, 1), draw(1, 4)),
        (draw.weights(1, 4), draw(4, 3)),
        (draw.weights(2, 4), draw(4, 3)),
        (draw.weights(5, 2), draw(2, 6)),
        (draw.weights(4, 3, dtype=torch.float64), draw(3, 2, dtype=torch.float64)),
        (draw.weights(5, 8)[:, ::2], draw.apart(4, 7)),
        (draw.weights(30, 20), draw(20, 10)),
    ]


def _contributions(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    return weights * values.norm(dim=-1)


def _weighted(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    return weights[:, :, None] * values


def _most_cases(draw: Draw) -> list[Arguments]:
    example = torch.tensor([[0.2, 0.5, 0.3], [0.7, 0.1, 0.2], [0.1, 0.2, 0.7]])  # no two keys bring the same
    return [(example, torch.tensor(VALUES)), *value_cases(draw)[1:]]


def _more_than_before(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """The last key that brings more than the one before it, or key 0, (n_query, d_v)."""
    weighted = _weighted(weights, values)
    more = weighted[:, 1:] > weighted[:, :-1]
    return (more * torch.arange(1, weights.shape[1])[:, None]).amax(1) if more.numel() else weighted.argmax(1)


def _at_least_0(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """The key that brings most, or key 0 where none brings more than 0, (n_query, d_v)."""
    most = _weighted(weights, values).max(1)
    return most.indices * (most.values > 0)


EXERCISES = [
    Exercise(
        name="brought_most",
        lesson=6,
        statement="For each query and each column of the values: the key that brings the most to the sum.",
        reference=lambda weights, values: _weighted(weights, values).argmax(-2),
        cases=_most_cases,
        verified="Weight times value is compared over the keys, for each query and each column by itself.",
        gradient=False,
        mistakes=[
            Mistake(
                "largest-weight",
                lambda weights, values: weights.argmax(-1, keepdim=True).expand(-1, values.shape[-1]),
                "You name the key with the largest weight. What it brings is weight times value, and its value may be "
                "small in this column.",
            ),
            Mistake(
                "largest-value",
                lambda weights, values: values.argmax(0).expand(len(weights), -1),
                "You name the key with the largest number in the column, whatever its weight. How much of it does this "
                "query take?",
            ),
            Mistake(
                "longest",
                lambda weights, values: (
                    _contributions(weights, values).argmax(-1, keepdim=True).expand(-1, values.shape[-1])
                ),
                "You name the key that brings the longest weighted value. Here each column is asked by itself.",
            ),
            Mistake(
                "largest-size",
                lambda weights, values: _weighted(weights, values).abs().argmax(-2),
                "You go by the size of a number without its sign. What is below 0 takes away from the sum.",
            ),
            Mistake(
                "least",
                lambda weights, values: _weighted(weights, values).argmin(-2),
                "You name the key that brings the least.",
            ),
            Mistake(
                "over-the-columns",
                lambda weights, values: _weighted(weights, values).argmax(-1),
                "You compare the columns of each weighted value: your result has a number for each query and key. "
                "Which axis counts the keys?",
            ),
            Mistake(
                "over-the-queries",
                lambda weights, values: _weighted(weights, values).argmax(0),
                "You compare the queries: your result has a number for each key and column. Each query adds up for "
                "itself.",
            ),
            Mistake(
                "how-much",
                lambda weights, values: _weighted(weights, values).amax(-2),
                "You return how much is brought. What is asked for is which key brings it.",
            ),
            Mistake(
                "transposed",
                lambda weights, values: _weighted(weights, values).argmax(-2).T,
                "Rows and columns are exchanged: a row belongs to a query, and a column to a column of `values`.",
            ),
            Mistake(
                "counted-from-1",
                lambda weights, values: _weighted(weights, values).argmax(-2) + 1,
                "You count the keys from 1. The first is key 0.",
            ),
            Mistake(
                "outputs",
                lambda weights, values: weights @ values,
                "You return the sums. Asked for is which key brings the most to each of them.",
            ),
            Mistake(
                "halves",
                lambda weights, values: _weighted(weights, values).argmax(-2) + 0.5,
                "The numbers of keys are whole numbers, counted from 0.",
            ),
            Mistake(
                "compared-with-the-one-before",
                _more_than_before,
                "You compare each key with the one before it, and not with the best so far.",
            ),
            Mistake(
                "best-column",
                lambda weights, values: (weights @ values).argmax(-1),
                "You name the largest column of each sum. Asked for is the key that brings the most, for each column.",
            ),
            Mistake(
                "one-for-each-query",
                lambda weights, values: weights.argmax(-1),
                "You name the key with the largest weight, one for each query. What a key brings is weight times "
                "value, and differs from column to column.",
            ),
            Mistake(
                "never-below-0",
                _at_least_0,
                "Your search begins at 0, so it finds none where all keys take something away. The one that takes "
                "least away brings the most.",
            ),
            Mistake(
                "added-up-first",
                lambda weights, values: (
                    (weights * values.sum(-1)).argmax(-1, keepdim=True).expand(-1, values.shape[-1])
                ),
                "You add up the columns before you compare. Each column is asked about by itself.",
            ),
        ],
        hints=[
            "First all that is brought: a block with the axes query, key and column, as in step 4.",
            "Then one number for each query and column. Which axis of the block disappears?",
            "`argmax(dim=...)` gives the place of the largest number along an axis. Count the axis from the end.",
        ],
    ),
    Exercise(
        name="contributions",
        lesson=6,
        statement="How long is what each query takes from each key: the length of each weighted value.",
        reference=_contributions,
        cases=value_cases,
        verified="At [i, j] stands how long the part is that query i takes from key j.",
        mistakes=[
            Mistake(
                "weights-alone",
                lambda weights, values: weights.clone(),
                "You return the weights. A large weight on a short value brings little: what does the value add?",
            ),
            Mistake(
                "lengths-alone",
                lambda weights, values: values.norm(dim=-1).expand(weights.shape),
                "You return the lengths of the values, the same for each query. How much of each does a query take?",
            ),
            Mistake(
                "not-measured",
                lambda weights, values: weights[:, :, None] * values,
                "These are the weighted values themselves. What is asked for is one number for each, its length.",
            ),
            Mistake(
                "summed-over-d-v",
                lambda weights, values: (weights[:, :, None] * values).sum(-1),
                "You add up the numbers of each weighted value, so 3 and -3 make 0. How long is (3, -3)?",
            ),
            Mistake(
                "absolute-values",
                lambda weights, values: (weights[:, :, None] * values).abs().sum(-1),
                "You add up sizes without sign. The length of (3, 4) is 5, and not 7: squares are added, and a root "
                "taken.",
            ),
            Mistake(
                "squared",
                lambda weights, values: _contributions(weights, values) ** 2,
                "These are squared lengths. Which step is missing at the end?",
            ),
            Mistake(
                "weight-before-the-root",
                lambda weights, values: weights**0.5 * values.norm(dim=-1),
                "You weight the squares and then take the root, so the weight comes out as its root. Half of a value "
                "is half as long.",
            ),
            Mistake(
                "length-of-the-output",
                lambda weights, values: (weights @ values).norm(dim=-1),
                "You measure the sum. Contributions can cancel in a sum, so measure each before anything is added.",
            ),
            Mistake(
                "columns-measured",
                lambda weights, values: weights * values.norm(dim=0),
                "You measure the columns of `values`, if the sizes fit at all. A value is a row.",
            ),
            Mistake(
                "shares-of-one",
                lambda weights, values: torch.nn.functional.normalize(_contributions(weights, values), p=1, dim=-1),
                "Your rows sum to 1 again. Lengths need not: leave them as they are.",
            ),
            Mistake(
                "one-length",
                lambda weights, values: weights * values.norm(),
                "You measure all values together, as one long row. Each value has a length of its own.",
            ),
            Mistake(
                "largest-number",
                lambda weights, values: _weighted(weights, values).amax(-1),
                "You take the largest number of each weighted value. Its length counts all of them: the root of "
                "the sum of their squares.",
            ),
            Mistake(
                "lengths-once",
                lambda weights, values: values.norm(dim=-1),
                "You return the lengths of the values. How much of each does every query take?",
            ),
            Mistake(
                "largest-size",
                lambda weights, values: weights * values.abs().amax(-1),
                "You take the largest number of each value. Its length counts all of them: the root of the sum of "
                "their squares.",
            ),
        ],
        hints=[
            "Take one query and one key: which vector does the query take home, and how long is it?",
            "A weight scales a value, so it scales its length in the same way. How many different values are there?",
            "`values.norm(dim=-1)` has the shape (n_key,). Does it have to be reshaped to meet the weights?",
        ],
    ),
]
