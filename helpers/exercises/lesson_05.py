"""Lesson 5, softmax: scores become weights."""

import math

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

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


def _behind_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([[0.1, 0.9], [0.5, 0.5]]),),
        (draw.weights(2, 2),),
        (draw.weights(1, 1),),
        (draw.weights(1, 3),),
        (draw.weights(2, 4),),
        (draw.weights(5, 3),),
        (draw.weights(3, 7, dtype=torch.float64),),
        (draw.weights(4, 12)[:, ::2],),
        (draw.weights(20, 15),),
    ]


def _behind(weights: torch.Tensor) -> torch.Tensor:
    return torch.log(weights.amax(-1, keepdim=True) / weights)


def _others_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor(SCORES),),
        (draw(3, 3),),
        (draw(1, 1),),
        (draw(1, 4),),
        (draw(2, 3),),
        (draw(5, 2) * 300,),
        (draw(3, 6) - 400,),
        (draw(3, 7, dtype=torch.float64),),
        (draw.apart(6, 4),),
        (draw(40, 30),),
    ]


def _lead_of_the_best(weights: torch.Tensor) -> torch.Tensor:
    """By how much the best is ahead of the second, (n_query,)."""
    best = weights.topk(2).values
    return torch.log(best[:, 0] / best[:, 1])


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
            Mistake(
                "power-of-2",
                lambda scores: torch.softmax(scores * math.log(2), -1),
                "You take powers of 2. Softmax takes powers of e.",
            ),
            Mistake(
                "max-above-only",
                lambda scores: (scores - scores.amax(-1, keepdim=True)).exp() / scores.exp().sum(-1, keepdim=True),
                "You subtract the largest score above the line, but not below it. Both must have it, so that it "
                "cancels.",
            ),
            Mistake(
                "clipped",
                lambda scores: torch.softmax(scores.clamp(max=50), -1),
                "You cut large scores off, so that two of them become alike. What may be subtracted from a whole "
                "row without changing its weights?",
            ),
            Mistake(
                "squares",
                lambda scores: scores**2 / (scores**2).sum(-1, keepdim=True),
                "You square the scores, so that -3 counts as much as 3. Softmax takes `exp`, which keeps their order.",
            ),
            Mistake(
                "absolute",
                lambda scores: scores.abs() / scores.abs().sum(-1, keepdim=True),
                "You drop the signs, so that -3 counts as much as 3. Softmax takes `exp`, which keeps the order "
                "of the scores.",
            ),
            Mistake(
                "mean-subtracted",
                lambda scores: (e := (scores - scores.mean(-1, keepdim=True)).exp()) / e.sum(-1, keepdim=True),
                "You subtract the mean of each row. What lies far above the mean still overflows in `exp`: which "
                "number of the row leaves none above 0?",
            ),
            Mistake(
                "nan-hidden",
                lambda scores: _naive(scores).nan_to_num(),
                "You replace nan by 0, so a row of large scores has lost its weights. Nothing should overflow in "
                "the first place.",
            ),
            Mistake(
                "clipped-without-max",
                lambda scores: _naive(scores.clamp(max=50)),
                "You cut large scores off at one height, so that two of them become alike, and very low ones "
                "still vanish. What may be subtracted from a whole row?",
            ),
            Mistake(
                "clipped-on-both-sides",
                lambda scores: _naive(scores.clamp(-50, 50)),
                "You cut scores off on both sides, so that different ones become alike. What may be subtracted "
                "from a whole row without changing its weights?",
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
        name="how_far_behind",
        lesson=5,
        statement="Weights are given: at each place, how far was the score there behind the best of its row?",
        reference=_behind,
        cases=_behind_cases,
        verified="Weights say how far apart the scores were, for the logarithm of their ratio is the difference.",
        mistakes=[
            Mistake(
                "difference-of-weights",
                lambda weights: weights.amax(-1, keepdim=True) - weights,
                "You subtract the weights. Softmax has made exponentials of the scores: which *ratio* do two weights "
                "have whose scores are 2 apart?",
            ),
            Mistake(
                "ratio",
                lambda weights: weights.amax(-1, keepdim=True) / weights,
                "You return how many times as large the best weight is. That is an exponential: of which difference?",
            ),
            Mistake(
                "ratio-upside-down",
                lambda weights: -_behind(weights),
                "Your numbers are below 0, as if each score were above the best. Which weight is divided by which?",
            ),
            Mistake(
                "logarithm-of-10",
                lambda weights: torch.log10(weights.amax(-1, keepdim=True) / weights),
                "Your logarithm has base 10. Softmax uses powers of e, so which logarithm undoes them?",
            ),
            Mistake(
                "logarithm-of-2",
                lambda weights: torch.log2(weights.amax(-1, keepdim=True) / weights),
                "Your logarithm has base 2. Softmax uses powers of e, so which logarithm undoes them?",
            ),
            Mistake(
                "logarithm-of-each",
                lambda weights: weights.log(),
                "You take the logarithm of each weight alone. It is the score less a number that nobody knows, the "
                "same for the whole row. What makes this number vanish?",
            ),
            Mistake(
                "logarithm-of-each-negative",
                lambda weights: -weights.log(),
                "Each of your numbers is too large by the same amount in a row, so that the best is not 0 behind "
                "itself. Compare the weights with each other.",
            ),
            Mistake(
                "against-all-others",
                lambda weights: -torch.logit(weights),
                "You compare each weight with all the others together, 1 less the weight. The best key alone is asked "
                "for.",
            ),
            Mistake(
                "against-the-worst",
                lambda weights: torch.log(weights / weights.amin(-1, keepdim=True)),
                "You compare with the worst score of the row. The best one is asked for.",
            ),
            Mistake(
                "against-the-first",
                lambda weights: torch.log(weights[:, :1] / weights),
                "You compare with the first key. The best may stand anywhere in a row.",
            ),
            Mistake(
                "best-of-a-column",
                lambda weights: torch.log(weights.amax(0) / weights),
                "You compare with the best of a column, whose weights belong to different queries. A row belongs to "
                "one query.",
            ),
            Mistake(
                "best-of-the-table",
                lambda weights: torch.log(weights.max() / weights),
                "You compare with the largest weight of the whole table. Each row has a best of its own.",
            ),
            Mistake(
                "exponential",
                lambda weights: torch.exp(weights.amax(-1, keepdim=True) - weights),
                "You take `exp`, which softmax has done already. Which function undoes it?",
            ),
            Mistake(
                "against-the-mean",
                lambda weights: weights.log() - weights.log().mean(-1, keepdim=True),
                "You compare with the mean of the row. The question is how far each score is behind the *best*.",
            ),
            Mistake(
                "against-the-last",
                lambda weights: torch.log(weights[:, -1:] / weights),
                "You compare with the last key. The best may stand anywhere in a row.",
            ),
            Mistake(
                "odds",
                lambda weights: torch.log(weights / (1 - weights)),
                "You compare each weight with what is left of 1. The question is how far the best of the row is "
                "ahead of it.",
            ),
            Mistake(
                "softmax-again",
                lambda weights: torch.softmax(weights, -1),
                "You run softmax once more. What you need is the way back.",
            ),
            Mistake(
                "first-two",
                _lead_of_the_best,
                "You compare the two best alone. The question is about every score of a row.",
            ),
        ],
        hints=[
            "A key that is 2 ahead gets $e^2$ times the weight (step 2). What do you know when the weights are given?",
            "The ratio of two weights is e to the power of the difference of their scores, and `log` undoes that.",
            "The largest weight of each row, kept as a column, can be divided by the whole table.",
        ],
    ),
    Exercise(
        name="score_for_half",
        lesson=5,
        statement="The score with which one more key gets half of the weight in each row.",
        reference=lambda others: torch.logsumexp(others, -1),
        cases=_others_cases,
        verified="The exponential of the new score is as large as those of all the others together.",
        mistakes=[
            Mistake(
                "no-max-trick",
                lambda others: others.exp().sum(-1).log(),
                "Right for small scores, but large ones overflow, and very low ones become 0. What may be subtracted "
                "first, and has to come back at the end?",
            ),
            Mistake(
                "maximum-not-added-back",
                lambda others: torch.logsumexp(others - others.amax(-1, keepdim=True), -1),
                "You subtract the largest score of each row and never add it back. Only differences count for the "
                "weights, but the new score has to fit the scores that stand there.",
            ),
            Mistake(
                "no-logarithm",
                lambda others: others.exp().sum(-1),
                "That is how large the exponential of the new score must be. Which score has this exponential?",
            ),
            Mistake(
                "the-largest",
                lambda others: others.amax(-1),
                "With this score the new key gets as much as the best of the others. It must get as much as all of "
                "them together.",
            ),
            Mistake(
                "the-mean",
                lambda others: others.mean(-1),
                "You take the mean of the scores. Softmax adds exponentials: what do those of the others add up to?",
            ),
            Mistake(
                "the-sum",
                lambda others: others.sum(-1),
                "You add up the scores. Softmax adds exponentials: what do those of the others add up to?",
            ),
            Mistake(
                "an-equal-share",
                lambda others: torch.logsumexp(others, -1) - math.log(others.shape[-1]),
                "Your key gets as much as the others get on average. All others together are to get no more than it.",
            ),
            Mistake(
                "a-third",
                lambda others: torch.logsumexp(others, -1) - math.log(2),
                "You halve the sum of the exponentials, so your key gets a third. Which part of the new sum does half "
                "of the weight need?",
            ),
            Mistake(
                "two-thirds",
                lambda others: torch.logsumexp(others, -1) + math.log(2),
                "You double the sum of the exponentials, so your key gets two thirds. Half of the weight is as much as "
                "all others have.",
            ),
            Mistake(
                "logarithm-of-10",
                lambda others: torch.logsumexp(others, -1) / math.log(10),
                "Your logarithm has base 10. Softmax uses powers of e, so which logarithm undoes them?",
            ),
            Mistake(
                "along-the-queries",
                lambda others: torch.logsumexp(others, 0),
                "You add up along the columns, so that queries share. Each row belongs to one query, and needs a score "
                "of its own.",
            ),
            Mistake(
                "one-for-all",
                lambda others: torch.logsumexp(others, (0, 1)).expand(len(others)),
                "You give one score for all rows. Each row has other scores, so it needs a score of its own.",
            ),
            Mistake(
                "number-of-keys",
                lambda others: torch.full((len(others),), math.log(others.shape[-1]), dtype=others.dtype),
                "That is right where all scores are 0. What do the exponentials of these scores add up to?",
            ),
            Mistake(
                "logarithm-of-scores",
                lambda others: others.sum(-1).log(),
                "You take the logarithm of the sum of the scores. Softmax adds exponentials: take `exp` first.",
            ),
            Mistake(
                "the-weight",
                lambda others: torch.full((len(others),), 0.5, dtype=others.dtype),
                "0.5 is the weight that the key is to get. Which score gives it this weight?",
            ),
            Mistake(
                "zero",
                lambda others: others.new_zeros(len(others)),
                "A score of 0 gives an exponential of 1. What do those of the others add up to?",
            ),
            Mistake(
                "best-and-number",
                lambda others: others.amax(-1) + math.log(others.shape[-1]),
                "That is right where all the others score as high as the best of them. How much do their "
                "exponentials really add up to?",
            ),
            Mistake(
                "ones",
                lambda others: torch.softmax(others, -1).sum(-1),
                "You add up the weights of the others, which is always 1. Which score gets as much as all of them?",
            ),
            Mistake(
                "negative",
                lambda others: -torch.logsumexp(others, -1),
                "Your sign is wrong: the higher the others score, the higher the new one must be.",
            ),
            Mistake(
                "in-a-column",
                lambda others: torch.logsumexp(others, -1, keepdim=True) + 0 * others,
                "Your result is a table. Each row needs one score.",
            ),
        ],
        hints=[
            "The new key has half when its exponential is as large as a sum. Of which exponentials?",
            "The exponential must be the sum of the others'. `torch.log` finds the score that has it.",
            "With the largest score of a row subtracted, nothing overflows. The result is then too small by just that "
            "score.",
        ],
    ),
]
