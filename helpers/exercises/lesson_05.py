"""Lesson 5, softmax: scores become weights."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake
from helpers.exercises.lesson_04 import pair_cases

SCORES = [[2.0, 4, 4], [4, 16, 12], [4, 12, 10]]


def _score_cases(draw: Draw) -> list[Arguments]:
    apart = torch.stack([draw(5) + 400, draw(5) - 400])  # rows at very different levels
    return [
        (torch.tensor(SCORES),),
        (draw(3, 3),),
        (draw(1, 1),),
        (draw(1, 4),),
        (draw(2, 3),),
        (draw(4, 1),),
        (draw(5, 2) * 300,),
        (apart,),
        (draw(3, 7, dtype=torch.float64),),
        (draw.apart(6, 4),),
        (draw(40, 30),),
    ]


def _naive(scores: torch.Tensor, axis: int = -1) -> torch.Tensor:
    return scores.exp() / scores.exp().sum(axis, keepdim=True)


def _temperature_cases(draw: Draw) -> list[Arguments]:
    temperatures = [2.0, 0.5, 3.0, 0.25, 4.0, 1.0, 0.1, 0.01, 1.5, 5.0, 0.7]
    return [(scores, temperature) for (scores,), temperature in zip(_score_cases(draw), temperatures, strict=True)]


def _weights_cases(draw: Draw) -> list[Arguments]:
    return [*pair_cases(draw), (draw(4, 5, scale=20), draw(3, 5, scale=20))]


def _scaled(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    return queries @ keys.T / keys.shape[1] ** 0.5


EXERCISES = [
    Exercise(
        name="softmax",
        lesson=5,
        statement="Turn each row of scores into weights that sum to 1, also when scores are large.",
        reference=lambda scores: torch.softmax(scores, -1),
        cases=_score_cases,
        verified="Each row sums to 1, larger scores get larger weights, and large scores do not overflow.",
        mistakes=[
            Mistake(
                "wrong-axis",
                lambda scores: torch.softmax(scores, -2),
                "Your columns sum to 1, not your rows. Each query shares its weight of 1 out among the keys: over "
                "which axis do you add up?",
            ),
            Mistake(
                "over-everything",
                lambda scores: torch.softmax(scores.flatten(), 0).view(scores.shape),
                "Your whole table sums to 1. Each row must, by itself.",
            ),
            Mistake(
                "no-max-trick",
                _naive,
                "Right for small scores, but large ones overflow: `exp` of 100 no longer fits, and infinity "
                "divided by infinity is nan. What may be subtracted from a whole row without changing its "
                "weights?",
            ),
            Mistake(
                "max-of-everything",
                lambda scores: _naive(scores - scores.max()),
                "You subtract the largest score of the whole table. In a row that lies far below it every `exp` "
                "becomes 0, and 0 divided by 0 is nan: each row needs its own largest score.",
            ),
            Mistake(
                "max-of-columns",
                lambda scores: _naive(scores - scores.max(-2, keepdim=True).values),
                "You subtract the largest score of each column, which changes the differences within a row. "
                "Subtract the same number from a whole row.",
            ),
            Mistake(
                "min-trick",
                lambda scores: _naive(scores - scores.min(-1, keepdim=True).values),
                "You subtract the smallest score of a row. Then the largest is still large, and its `exp` overflows.",
            ),
            Mistake(
                "no-exp",
                lambda scores: scores / scores.sum(-1, keepdim=True),
                "You divide by the sum without `exp`. Negative scores then make negative weights, or a sum of 0.",
            ),
            Mistake(
                "no-division",
                lambda scores: (scores - scores.max(-1, keepdim=True).values).exp(),
                "You take `exp`, but the rows do not sum to 1 yet.",
            ),
            Mistake(
                "logarithm",
                lambda scores: torch.log_softmax(scores, -1),
                "You return the logarithms of the weights. Weights lie between 0 and 1.",
            ),
            Mistake(
                "sigmoid",
                lambda scores: torch.sigmoid(scores),
                "You squeeze each score by itself between 0 and 1. In softmax the scores of a row compete: the "
                "row sums to 1.",
            ),
            Mistake(
                "hard-max",
                lambda scores: torch.eye(scores.shape[-1], dtype=scores.dtype)[scores.argmax(-1)],
                "The largest score takes all. Softmax leaves the others a share: that is why it is called soft.",
            ),
        ],
        hints=[
            "Two steps: make every number positive, then divide each row by its sum. Which function makes them "
            "positive?",
            "`keepdim=True` keeps the sum of each row as a column, so that the division fits.",
            "Before `exp`, subtract from each row its own largest score: the largest number is then `exp(0)`.",
        ],
    ),
    Exercise(
        name="softmax_with_temperature",
        lesson=5,
        statement="As softmax, but a high temperature makes the weights more even, a low one sharper.",
        reference=lambda scores, temperature: torch.softmax(scores / temperature, -1),
        cases=_temperature_cases,
        verified="At temperature 1 nothing changes; above, the weights become more even; below, sharper.",
        mistakes=[
            Mistake(
                "multiplied",
                lambda scores, temperature: torch.softmax(scores * temperature, -1),
                "Your weights become sharper when it gets hotter. Heat must make the scores smaller.",
            ),
            Mistake(
                "after-softmax",
                lambda scores, temperature: torch.softmax(scores, -1) / temperature,
                "You apply the temperature after softmax, so the rows no longer sum to 1. It acts on the scores.",
            ),
            Mistake(
                "ignored",
                lambda scores, temperature: torch.softmax(scores, -1),
                "The temperature has no effect. Is it used at all, and is it more than added to a whole row, "
                "which changes no weight?",
            ),
            Mistake(
                "power",
                lambda scores, temperature: torch.softmax(scores, -1) ** (1 / temperature),
                "You raise the weights to a power, so the rows no longer sum to 1. Change the scores instead, "
                "before softmax.",
            ),
            Mistake(
                "root",
                lambda scores, temperature: torch.softmax(scores / temperature**0.5, -1),
                "You take the root of the temperature. The root belongs to `d_k`; the temperature acts as it is.",
            ),
            Mistake(
                "wrong-axis",
                lambda scores, temperature: torch.softmax(scores / temperature, -2),
                "Your columns sum to 1, not your rows.",
            ),
            Mistake(
                "over-everything",
                lambda scores, temperature: torch.softmax((scores / temperature).flatten(), 0).view(scores.shape),
                "Your whole table sums to 1. Each row must, by itself.",
            ),
            Mistake(
                "no-max-trick",
                lambda scores, temperature: _naive(scores / temperature),
                "Right for small numbers, but a low temperature makes scores large, and `exp` overflows. What may "
                "be subtracted from a whole row?",
            ),
        ],
        hints=[
            "At a temperature of 1 this is softmax. What must happen to the scores so that they lie closer together?",
            "The temperature acts on the scores, before softmax.",
        ],
    ),
    Exercise(
        name="attention_weights",
        lesson=5,
        statement="From queries and keys to weights: score table, scaling, softmax.",
        reference=lambda queries, keys: torch.softmax(_scaled(queries, keys), -1),
        cases=_weights_cases,
        verified="Scores, divided by the root of `d_k`, softmax over the keys: each query's weights sum to 1.",
        mistakes=[
            Mistake(
                "no-scaling",
                lambda queries, keys: torch.softmax(queries @ keys.T, -1),
                "The scores are not scaled, so the weights are too sharp. Which step lies between scores and softmax?",
            ),
            Mistake(
                "divided-by-d-k",
                lambda queries, keys: torch.softmax(queries @ keys.T / keys.shape[1], -1),
                "You divide by `d_k` itself, so the weights are too even. Think of the spread of the scores: how "
                "fast does it grow?",
            ),
            Mistake(
                "scaled-after-softmax",
                lambda queries, keys: torch.softmax(queries @ keys.T, -1) / keys.shape[1] ** 0.5,
                "You scale after softmax, so the rows no longer sum to 1. Scaling keeps softmax from saturating: "
                "it must come before.",
            ),
            Mistake(
                "multiplied",
                lambda queries, keys: torch.softmax(queries @ keys.T * keys.shape[1] ** 0.5, -1),
                "You multiply by the root of `d_k`. Scores grow with `d_k` by themselves: undo that.",
            ),
            Mistake(
                "root-of-n-key",
                lambda queries, keys: torch.softmax(queries @ keys.T / keys.shape[0] ** 0.5, -1),
                "You take the root of the number of keys. The spread of a score depends on how many products are "
                "added up in it.",
            ),
            Mistake(
                "wrong-axis",
                lambda queries, keys: torch.softmax(_scaled(queries, keys), -2),
                "Your columns sum to 1, not your rows. Each query shares its weight out among the keys.",
            ),
            Mistake(
                "over-everything",
                lambda queries, keys: torch.softmax(_scaled(queries, keys).flatten(), 0).view(len(queries), -1),
                "Your whole table sums to 1. Each row must, by itself.",
            ),
            Mistake(
                "keys-and-queries-swapped",
                lambda queries, keys: torch.softmax(_scaled(keys, queries), -1),
                "Keys and queries are swapped: your rows are keys. Rows must be queries.",
            ),
            Mistake(
                "transposed",
                lambda queries, keys: torch.softmax(_scaled(queries, keys), -1).T,
                "You turn the table after softmax, so rows are keys. Rows must be queries.",
            ),
            Mistake(
                "transpose-forgotten",
                lambda queries, keys: torch.softmax(queries @ keys / keys.shape[1] ** 0.5, -1),
                "You multiply with `keys` as they stand, so queries meet columns instead of keys. What has to be "
                "done to `keys` first?",
            ),
            Mistake(
                "no-softmax",
                lambda queries, keys: _scaled(queries, keys),
                "These are the scaled scores. How do scores become weights?",
            ),
            Mistake(
                "no-max-trick",
                lambda queries, keys: _naive(_scaled(queries, keys)),
                "Right for small scores, but large ones overflow to nan. What may be subtracted from a whole row "
                "before `exp`?",
            ),
        ],
        hints=[
            "Three steps, and you have written each of them already. In which order?",
            "Score table, divided by the root of `d_k`, then softmax over the last axis.",
        ],
    ),
]
