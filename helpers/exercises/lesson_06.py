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


def row_cases(draw: Draw) -> list[Arguments]:
    """One row of weights (n_key,) and values (n_key, d_v)."""
    return [(weights[0], values) for weights, values in value_cases(draw)]


EXERCISES = [
    Exercise(
        name="weighted_row",
        lesson=6,
        statement="Scale each value by its weight, for one query.",
        reference=lambda row_weights, values: row_weights[:, None] * values,
        cases=row_cases,
        verified="Row j is value j times weight j.",
        mistakes=[
            Mistake(
                "no-extra-dimension",
                lambda row_weights, values: row_weights * values,
                "You multiply along the wrong axis: sizes are matched from the right, so your weights go to the "
                "columns, if they fit at all. Each weight belongs to a whole row of `values`.",
            ),
            Mistake(
                "summed-already",
                lambda row_weights, values: row_weights @ values,
                "You add the weighted values up. That is lesson 7; here each of them stays a row of its own.",
            ),
            Mistake(
                "summed-over-d-v",
                lambda row_weights, values: (row_weights[:, None] * values).sum(1),
                "You add up within each value, so its numbers are lost. Here nothing is added up.",
            ),
            Mistake(
                "transposed",
                lambda row_weights, values: (row_weights[:, None] * values).T,
                "You have a column for each key. Rows are keys here, as they are in `values`.",
            ),
            Mistake(
                "added",
                lambda row_weights, values: row_weights[:, None] + values,
                "You add the weights to the values. A weight says how much of a value is taken: it scales.",
            ),
            Mistake(
                "divided",
                lambda row_weights, values: values / row_weights[:, None],
                "You divide by the weights, so keys that matter little become large.",
            ),
            Mistake(
                "weights-unused",
                lambda row_weights, values: values.clone(),
                "You return the values as they are. Where do the weights come in?",
            ),
            Mistake(
                "strongest-only",
                lambda row_weights, values: torch.where((row_weights == row_weights.max())[:, None], values, 0.0),
                "You keep only the value with the largest weight. Each value stays, scaled by its weight.",
            ),
        ],
        hints=[
            "By hand: weight 0 times row 0 of `values`, weight 1 times row 1, and so on.",
            "(n_key,) and (n_key, d_v) do not fit: sizes are matched from the right. Which shape should the weights "
            "have?",
            "As a column, (n_key, 1), each weight meets its whole row.",
        ],
    ),
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
]
