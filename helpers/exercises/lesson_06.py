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


EXERCISES = [
    Exercise(
        name="weighted_values",
        lesson=6,
        statement="Scale each value by its weight, for all queries at once.",
        reference=lambda weights, values: weights[:, :, None] * values[None],
        cases=value_cases,
        verified="At [i, j] stands value j times the weight that query i gives to key j.",
        mistakes=[
            Mistake(
                "summed-already",
                lambda weights, values: weights @ values,
                "You add the weighted values up. That is lesson 7; here there is still one for each query and key.",
            ),
            Mistake(
                "keys-first",
                lambda weights, values: (weights[:, :, None] * values[None]).transpose(0, 1),
                "Your first axis counts keys. The order is (n_query, n_key, d_v).",
            ),
            Mistake(
                "d-v-before-keys",
                lambda weights, values: (weights[:, :, None] * values[None]).transpose(1, 2),
                "Your last two axes are exchanged. The order is (n_query, n_key, d_v).",
            ),
            Mistake(
                "values-along-queries",
                lambda weights, values: weights[:, :, None] * values[:, None],
                "You give each value to a query instead of to a key, if the sizes fit at all. The first axis of "
                "`values` counts keys: where must its extra axis go?",
            ),
            Mistake(
                "weights-transposed",
                lambda weights, values: weights.T[:, :, None] * values[None],
                "You turn the weights around first, so queries and keys are exchanged, if the sizes fit at all.",
            ),
            Mistake(
                "no-extra-dimension",
                lambda weights, values: weights * values,
                "You multiply the two tables as they are, which only works when the sizes happen to fit. Every "
                "query needs its own copy of all the values: give each table an extra axis.",
            ),
            Mistake(
                "added",
                lambda weights, values: weights[:, :, None] + values[None],
                "You add the weights to the values. A weight says how much of a value is taken: it scales.",
            ),
            Mistake(
                "values-repeated",
                lambda weights, values: values[None].expand(len(weights), -1, -1),
                "You repeat the values for each query, but do not scale them. Where do the weights come in?",
            ),
            Mistake(
                "weights-of-one-query",
                lambda weights, values: (weights[:1, :, None] * values[None]).expand(len(weights), -1, -1),
                "All queries use the weights of the first one. Each has a row of weights of its own.",
            ),
            Mistake(
                "running-sum",
                lambda weights, values: (weights[:, :, None] * values[None]).cumsum(1),
                "You add each weighted value to those before it. Here nothing is added up.",
            ),
        ],
        hints=[
            "For one query it is the exercise before. For all of them there is one more axis, in front.",
            "(n_query, n_key, 1) times (1, n_key, d_v) gives (n_query, n_key, d_v).",
            "`weights[:, :, None]` puts an axis of size 1 behind the others. Where does `values` need one?",
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
        ],
        hints=[
            "Take one query and one key: which vector does the query take home, and how long is it?",
            "A weight scales a value, so it scales its length in the same way. How many different values are there?",
            "`values.norm(dim=-1)` has the shape (n_key,). Does it have to be reshaped to meet the weights?",
        ],
    ),
]
