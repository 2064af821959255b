"""Lesson 7, summing: the whole of attention."""

import math
from collections.abc import Callable
from typing import Any

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake
from helpers.exercises.lesson_03 import W_KEY, W_QUERY, W_VALUE, X
from helpers.exercises.lesson_04 import KEYS, QUERIES
from helpers.exercises.lesson_06 import VALUES

READY_MADE = dict.fromkeys(
    ("scaled_dot_product_attention", "multi_head_attention_forward"),
    "they come from a ready-made attention. Here each step is to be written out: scores, scaling, softmax, sum.",
)


def _batch_cases(draw: Draw) -> list[Arguments]:
    def sizes(batch: int, n_query: int, n_key: int, d_k: int, d_v: int, **how: Any) -> Arguments:
        return tuple(draw(*shape, **how) for shape in [(n_query, batch, d_k), (n_key, batch, d_k), (n_key, batch, d_v)])

    return [
        tuple(torch.tensor(table)[:, None] for table in (QUERIES, KEYS, VALUES)),
        sizes(1, 3, 3, 3, 3),
        sizes(1, 1, 1, 1, 1),
        sizes(2, 1, 1, 4, 3),
        sizes(1, 2, 4, 3, 5),
        sizes(2, 3, 5, 4, 6),
        sizes(2, 4, 4, 3, 5),
        sizes(3, 2, 4, 5, 6, dtype=torch.float64),
        (draw.apart(5, 2, 4), draw.apart(3, 2, 4), draw.apart(3, 2, 6)),
        sizes(2, 3, 4, 5, 2, scale=20),
        sizes(4, 20, 15, 8, 10),
    ]


def _other_cases(draw: Draw) -> list[Arguments]:
    def sizes(
        n: int, n_other: int, d_model: int, d_k: int, d_v: int, scale: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Arguments:
        texts = [draw(rows, d_model, scale=scale, dtype=dtype) for rows in (n, n_other)]
        return (*texts, *(draw(d_model, columns, dtype=dtype) for columns in (d_k, d_k, d_v)))

    others = [[2.0, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 2]]
    return [
        tuple(torch.tensor(table) for table in (X, others, W_QUERY, W_KEY, W_VALUE)),
        sizes(3, 3, 4, 3, 3),
        sizes(1, 1, 1, 1, 1),
        sizes(1, 3, 4, 3, 2),
        sizes(2, 4, 5, 3, 6),
        sizes(5, 3, 6, 2, 7),
        sizes(4, 4, 5, 3, 2),
        sizes(6, 2, 3, 4, 3, dtype=torch.float64),
        (draw.apart(4, 6), draw.apart(5, 6), draw.apart(6, 3), draw.apart(6, 3), draw.apart(6, 2)),
        sizes(4, 6, 5, 3, 2, scale=20),
        sizes(30, 25, 20, 8, 10),
    ]


def _scores(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    return query @ key.mT / key.shape[-1] ** 0.5


def _weights(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    return torch.softmax(_scores(query, key), -1)


def _tokens_first(attend: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """`attend` for tensors in which the tokens stand before the batch."""

    def turned(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return attend(*(table.transpose(0, 1) for table in (query, key, value))).transpose(0, 1)

    return turned


def _cut_anew(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    query, key, value = (table.reshape(table.shape[1], -1, table.shape[-1]) for table in (query, key, value))
    output = _weights(query, key) @ value
    return output.reshape(output.shape[1], -1, output.shape[-1])


def _unscaled(x: torch.Tensor, others: torch.Tensor, w_query: torch.Tensor, w_key: torch.Tensor) -> torch.Tensor:
    return (x @ w_query) @ (others @ w_key).T


def _of_others(x: torch.Tensor, others: torch.Tensor, w_query: torch.Tensor, w_key: torch.Tensor) -> torch.Tensor:
    return _weights(x @ w_query, others @ w_key)


def _strength_cases(draw: Draw) -> list[Arguments]:
    return [(0.9, 11, 2), (0.5, 11, 2), (0.95, 2, 1), (0.6, 2, 9), (0.99, 5, 3), (0.3, 40, 16), (0.8, 1000, 64)]


def _lead(share: float, n_others: int) -> float:
    return math.log(share * n_others / (1 - share))


def _asked(x: torch.Tensor, asks: int, offers: int, strength: float) -> torch.Tensor:
    """The weights of a round in which one feature asks for another, (n, n)."""
    return (strength * x[:, asks, None] * x[None, :, offers]).softmax(-1)


def _placed(x: torch.Tensor, hands: int, weights: torch.Tensor) -> torch.Tensor:
    """What is taken home of the feature `hands`, at its place among zeros, (n, d_model)."""
    place = torch.nn.functional.one_hot(torch.tensor(hands), x.shape[-1])
    return weights @ x * place


def _request_cases(draw: Draw) -> list[Arguments]:
    example = torch.tensor([[1.0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]])  # animal, street, it
    return [
        (example, 3, 0, 1, 6.0),
        (draw(3, 4), 1, 2, 3, 2.0),
        (draw(1, 1), 0, 0, 0, 3.0),
        (draw(1, 3), 2, 0, 1, 3.0),
        (draw(2, 5), 4, 1, 3, 1.5),
        (draw(6, 3), 0, 2, 1, 4.0),
        (draw(5, 7, dtype=torch.float64), 6, 2, 4, 2.5),
        (draw.apart(4, 6), 5, 3, 2, 0.5),
        (draw(30, 20), 11, 7, 13, 3.0),
    ]


EXERCISES = [
    Exercise(
        name="tokens_first",
        lesson=7,
        statement="Scaled dot-product attention for a batch of sentences whose tokens stand before the batch.",
        reference=_tokens_first(lambda query, key, value: _weights(query, key) @ value),
        cases=_batch_cases,
        verified="Each sentence attends to itself alone, and the result has its axes in the order of `query`.",
        banned=READY_MADE,
        mistakes=[
            Mistake(
                "no-scaling",
                _tokens_first(lambda query, key, value: torch.softmax(query @ key.mT, -1) @ value),
                "The scores are not scaled. Which step lies between scores and softmax?",
            ),
            Mistake(
                "divided-by-d-k",
                _tokens_first(lambda query, key, value: torch.softmax(query @ key.mT / key.shape[-1], -1) @ value),
                "You divide by `d_k` itself. The spread of the scores grows more slowly than that.",
            ),
            Mistake(
                "scaled-after-softmax",
                _tokens_first(
                    lambda query, key, value: torch.softmax(query @ key.mT, -1) / key.shape[-1] ** 0.5 @ value
                ),
                "You scale after softmax, so the weights no longer sum to 1. Scaling comes before.",
            ),
            Mistake(
                "root-of-n-key",
                _tokens_first(
                    lambda query, key, value: torch.softmax(query @ key.mT / key.shape[-2] ** 0.5, -1) @ value
                ),
                "You take the root of the number of keys. Which place of the shape is `d_k`?",
            ),
            Mistake(
                "root-of-d-v",
                _tokens_first(
                    lambda query, key, value: torch.softmax(query @ key.mT / value.shape[-1] ** 0.5, -1) @ value
                ),
                "You take the root of `d_v`. Scores are sums over the numbers of a key: how many does it have?",
            ),
            Mistake(
                "wrong-axis",
                _tokens_first(lambda query, key, value: torch.softmax(_scores(query, key), -2) @ value),
                "Softmax runs over the queries: the weights of one query do not sum to 1. Which axis of your scores "
                "counts the keys?",
            ),
            Mistake(
                "softmax-over-batch",
                _tokens_first(lambda query, key, value: torch.softmax(_scores(query, key), 0) @ value),
                "Softmax runs over the batch, so sentences share their weights with each other. Each row of keys "
                "must sum to 1 by itself.",
            ),
            Mistake(
                "no-softmax",
                _tokens_first(lambda query, key, value: _scores(query, key) @ value),
                "You weight the values with scores. How do scores become weights?",
            ),
            Mistake(
                "keys-as-values",
                _tokens_first(lambda query, key, value: _weights(query, key) @ key),
                "You add up the keys. The keys decide the weights; what is added up are the values.",
            ),
            Mistake(
                "keys-and-queries-swapped",
                _tokens_first(lambda query, key, value: _weights(key, query) @ value),
                "Keys and queries are swapped. The output has a row for each query, and its weights run over the keys.",
            ),
            Mistake(
                "weights-transposed",
                _tokens_first(lambda query, key, value: _weights(query, key).mT @ value),
                "You turn the weights around before the sum, so the columns weight the values, if the sizes fit "
                "at all. Each row of weights belongs to one query.",
            ),
            Mistake(
                "transpose-forgotten",
                _tokens_first(lambda query, key, value: torch.softmax(query @ key / key.shape[-1] ** 0.5, -1) @ value),
                "You multiply with `key` as it stands, so queries meet columns instead of keys. What has to be "
                "done to its last two axes?",
            ),
            Mistake(
                "batch-transposed",
                _tokens_first(
                    lambda query, key, value: (
                        torch.softmax(query @ key.permute(2, 1, 0) / key.shape[-1] ** 0.5, -1) @ value
                    )
                ),
                "You turn all three axes of the keys around. Within a sentence only two are exchanged: which?",
            ),
            Mistake(
                "summed-over-d-v",
                _tokens_first(lambda query, key, value: (_weights(query, key)[..., None] * value[:, None]).sum(-1)),
                "You add up along the wrong axis: the result has a number for each key. The output has a number for "
                "each column of `value`, added up over the keys.",
            ),
            Mistake(
                "averaged-over-keys",
                _tokens_first(lambda query, key, value: _weights(query, key) @ value / key.shape[-2]),
                "You divide the sum by the number of keys. The weights sum to 1 already.",
            ),
            Mistake(
                "bare-exp",
                _tokens_first(
                    lambda query, key, value: (e := _scores(query, key).exp()) / e.sum(-1, keepdim=True) @ value
                ),
                "Right for small scores, but large ones overflow in `exp`. What did lesson 5 subtract from each "
                "row first?",
            ),
            Mistake(
                "weights-alone",
                _tokens_first(lambda query, key, value: _weights(query, key)),
                "You return the weights. What do the values become with them?",
            ),
            Mistake(
                "best-key-alone",
                _tokens_first(
                    lambda query, key, value: (
                        (s := _scores(query, key)).eq(s.amax(-1, keepdim=True)).to(value.dtype) @ value
                    )
                ),
                "Each query takes the value of its best key alone. Softmax leaves the others a share.",
            ),
            Mistake(
                "as-in-step-4",
                lambda query, key, value: _weights(query, key) @ value,
                "Your sentences attend to each other, word by word: `@` works on the last two axes, and here these "
                "are batch and `d_k`. Which two should they be?",
            ),
            Mistake(
                "batch-left-in-front",
                lambda query, key, value: _weights(query.transpose(0, 1), key.transpose(0, 1)) @ value.transpose(0, 1),
                "The numbers are right, but the batch stands in front. The result should have the axes of `query`.",
            ),
            Mistake(
                "cut-anew",
                _cut_anew,
                "You cut the numbers anew, as `reshape` and `view` do, so that words of different sentences come "
                "together. Which method exchanges two axes?",
            ),
        ],
        hints=[
            "Step 4 has all the steps, for other axes. Which two axes does `@` work on, and which two should it?",
            "`transpose(0, 1)` exchanges the first two axes. Where is it needed, and how often?",
            "Bring query, key and value into the order of step 4, attend, and bring the result back.",
        ],
    ),
    Exercise(
        name="attend_to",
        lesson=7,
        statement="What the tokens of x take home from the tokens of another text: all of attention.",
        reference=lambda x, others, w_query, w_key, w_value: _of_others(x, others, w_query, w_key) @ (others @ w_value),
        cases=_other_cases,
        verified="Who asks makes queries, and who is asked makes keys and values.",
        mistakes=[
            Mistake(
                "no-scaling",
                lambda x, others, w_query, w_key, w_value: (
                    torch.softmax(_unscaled(x, others, w_query, w_key), -1) @ (others @ w_value)
                ),
                "The scores are not scaled. Which step lies between scores and softmax?",
            ),
            Mistake(
                "divided-by-d-k",
                lambda x, others, w_query, w_key, w_value: (
                    torch.softmax(_unscaled(x, others, w_query, w_key) / w_key.shape[1], -1) @ (others @ w_value)
                ),
                "You divide by `d_k` itself. The spread of the scores grows more slowly than that.",
            ),
            Mistake(
                "root-of-d-model",
                lambda x, others, w_query, w_key, w_value: (
                    torch.softmax(_unscaled(x, others, w_query, w_key) / x.shape[1] ** 0.5, -1) @ (others @ w_value)
                ),
                "You take the root of `d_model`. Scores are sums over the numbers of a key, and a key does not "
                "have `d_model` of them.",
            ),
            Mistake(
                "scaled-after-softmax",
                lambda x, others, w_query, w_key, w_value: (
                    torch.softmax(_unscaled(x, others, w_query, w_key), -1) / w_key.shape[1] ** 0.5 @ (others @ w_value)
                ),
                "You scale after softmax, so the weights no longer sum to 1. Scaling comes before.",
            ),
            Mistake(
                "weights-transposed",
                lambda x, others, w_query, w_key, w_value: _of_others(x, others, w_query, w_key).T @ (others @ w_value),
                "You weight the values with the transposed weights: output i then uses the column of key i. Each "
                "row of weights belongs to one query.",
            ),
            Mistake(
                "keys-and-queries-swapped",
                lambda x, others, w_query, w_key, w_value: _of_others(x, others, w_key, w_query) @ (others @ w_value),
                "The matrices of keys and queries are swapped. All shapes fit, but each token now answers where it "
                "should ask.",
            ),
            Mistake(
                "wrong-axis",
                lambda x, others, w_query, w_key, w_value: (
                    torch.softmax(_scores(x @ w_query, others @ w_key), -2) @ (others @ w_value)
                ),
                "Softmax runs over the queries. Each query's own weights must sum to 1.",
            ),
            Mistake(
                "values-unprojected",
                lambda x, others, w_query, w_key, w_value: _of_others(x, others, w_query, w_key) @ others,
                "You add up the inputs themselves. What is added up are the values.",
            ),
            Mistake(
                "keys-as-values",
                lambda x, others, w_query, w_key, w_value: _of_others(x, others, w_query, w_key) @ (others @ w_key),
                "You add up the keys. The keys decide the weights; what is added up are the values.",
            ),
            Mistake(
                "no-softmax",
                lambda x, others, w_query, w_key, w_value: _scores(x @ w_query, others @ w_key) @ (others @ w_value),
                "You weight the values with scores. How do scores become weights?",
            ),
            Mistake(
                "transpose-forgotten",
                lambda x, others, w_query, w_key, w_value: (
                    torch.softmax((x @ w_query) @ (others @ w_key) / w_key.shape[1] ** 0.5, -1) @ (others @ w_value)
                ),
                "You multiply with the keys as they stand, so queries meet columns instead of keys. What has to "
                "be done to the keys first?",
            ),
            Mistake(
                "unweighted",
                lambda x, others, w_query, w_key, w_value: others @ w_value,
                "You return the values. Each output is a mixture of all values, by the weights.",
            ),
            Mistake(
                "root-of-n",
                lambda x, others, w_query, w_key, w_value: (
                    (_unscaled(x, others, w_query, w_key) / len(others) ** 0.5).softmax(-1) @ (others @ w_value)
                ),
                "You take the root of the number of tokens. Scores are sums over the numbers of a key: how many "
                "does it have?",
            ),
            Mistake(
                "no-exp",
                lambda x, others, w_query, w_key, w_value: (
                    (s := _scores(x @ w_query, others @ w_key)) / s.sum(-1, keepdim=True) @ (others @ w_value)
                ),
                "You divide scores by their sum, without `exp`. Scores below 0 then make weights below 0, or a "
                "sum of 0.",
            ),
            Mistake(
                "by-resemblance",
                lambda x, others, w_query, w_key, w_value: _weights(x, others) @ (others @ w_value),
                "You compare the inputs themselves. Each of them first becomes a query and a key.",
            ),
            Mistake(
                "bare-exp",
                lambda x, others, w_query, w_key, w_value: (
                    (e := _scores(x @ w_query, others @ w_key).exp()) / e.sum(-1, keepdim=True) @ (others @ w_value)
                ),
                "Right for small scores, but large ones overflow in `exp`. What did lesson 5 subtract from each "
                "row first?",
            ),
            Mistake(
                "added-to-x",
                lambda x, others, w_query, w_key, w_value: (
                    x + _of_others(x, others, w_query, w_key) @ (others @ w_value)
                ),
                "You add the inputs to the result. Here the output alone is asked for.",
            ),
            Mistake(
                "weights-alone",
                lambda x, others, w_query, w_key, w_value: _of_others(x, others, w_query, w_key),
                "You return the weights. What do the values become with them?",
            ),
            Mistake(
                "best-key-alone",
                lambda x, others, w_query, w_key, w_value: (others @ w_value)[
                    _unscaled(x, others, w_query, w_key).argmax(-1)
                ],
                "Each token takes the value of its best key alone. Softmax leaves the others a share.",
            ),
            Mistake(
                "softmax-of-queries",
                lambda x, others, w_query, w_key, w_value: (
                    torch.softmax(x @ w_query, -1) @ (others @ w_key).T / w_key.shape[1] ** 0.5 @ (others @ w_value)
                ),
                "Softmax runs over the numbers of each query. It is the scores that become weights.",
            ),
            Mistake(
                "others-ask",
                lambda x, others, w_query, w_key, w_value: _of_others(others, x, w_query, w_key) @ (x @ w_value),
                "Here the other text asks, and `x` is asked. Who should make the queries?",
            ),
            Mistake(
                "asks-itself",
                lambda x, others, w_query, w_key, w_value: _of_others(x, x, w_query, w_key) @ (x @ w_value),
                "The tokens of `x` ask each other. Where should keys and values come from?",
            ),
            Mistake(
                "takes-from-itself",
                lambda x, others, w_query, w_key, w_value: _of_others(x, others, w_query, w_key) @ (x @ w_value),
                "You compare with the other text, but hand over values of `x`. Each key has a value of its own to "
                "hand over: of which text?",
            ),
            Mistake(
                "all-in-one-text",
                lambda x, others, w_query, w_key, w_value: (
                    _of_others(x, torch.cat([x, others]), w_query, w_key) @ (torch.cat([x, others]) @ w_value)
                ),
                "The tokens of `x` attend to themselves as well. They should ask the other text alone.",
            ),
        ],
        hints=[
            "Five lines: three projections, the weights, the output. Which text goes into which projection?",
            "Who asks makes the queries. Keys belong to those who are asked, and each key has a value to hand over.",
            "The scale is the root of the length of a key. That is a number of columns; of which matrix?",
        ],
    ),
    Exercise(
        name="strength_for",
        lesson=7,
        statement="The number for w_query with which one key among n_key gets the share that is wanted.",
        reference=lambda share, n_key, d_k: _lead(share, n_key - 1) * d_k**0.5,
        cases=_strength_cases,
        verified="After the scale and softmax the key gets its share. For 0.87 of 11 words it is the 6 of the lesson.",
        gradient=False,
        mistakes=[
            Mistake(
                "no-scaling",
                lambda share, n_key, d_k: _lead(share, n_key - 1),
                "That is the scaled score. The number in `w_query` makes the score before the scale: what does "
                "attention do to it?",
            ),
            Mistake(
                "scaled-twice",
                lambda share, n_key, d_k: _lead(share, n_key - 1) / d_k**0.5,
                "You divide by the root of `d_k`, which attention will do once more. What undoes it?",
            ),
            Mistake(
                "times-d-k",
                lambda share, n_key, d_k: _lead(share, n_key - 1) * d_k,
                "You make up for a division by `d_k`. By what are scores divided?",
            ),
            Mistake(
                "itself-among-the-others",
                lambda share, n_key, d_k: _lead(share, n_key) * d_k**0.5,
                "You count the key itself among the others. With how many keys does it share?",
            ),
            Mistake(
                "one-rival",
                lambda share, n_key, d_k: _lead(share, 1) * d_k**0.5,
                "Right if there is one other key. With more, each of them has a score of 0, and an exponential of 1.",
            ),
            Mistake(
                "no-logarithm",
                lambda share, n_key, d_k: share * (n_key - 1) / (1 - share) * d_k**0.5,
                "You have the exponential that the key needs. Which score has this exponential?",
            ),
            Mistake(
                "logarithm-of-10",
                lambda share, n_key, d_k: _lead(share, n_key - 1) / math.log(10) * d_k**0.5,
                "Your logarithm has base 10. Softmax uses powers of e, so which logarithm undoes them?",
            ),
            Mistake(
                "logarithm-of-the-share",
                lambda share, n_key, d_k: math.log(share) * d_k**0.5,
                "You take the logarithm of the share, which is below 0: the key would get less than the others. A "
                "share is an exponential divided by a sum; what else stands in that sum?",
            ),
            Mistake(
                "share-of-all",
                lambda share, n_key, d_k: math.log(share * n_key) * d_k**0.5,
                "You compare with an equal share. A share is an exponential divided by the sum of all of them, "
                "its own too.",
            ),
            Mistake(
                "upside-down",
                lambda share, n_key, d_k: math.log((1 - share) * (n_key - 1) / share) * d_k**0.5,
                "Your share is upside down: the more a key is to get, the stronger the query must be.",
            ),
            Mistake(
                "scale-inside",
                lambda share, n_key, d_k: math.log(share * (n_key - 1) / (1 - share) * d_k**0.5),
                "You take the logarithm of the scale as well. Undo the steps one by one, the last one first: "
                "softmax, then the scale.",
            ),
            Mistake(
                "others-outside",
                lambda share, n_key, d_k: math.log(share / (1 - share)) * (n_key - 1) * d_k**0.5,
                "The number of the other keys stands outside the logarithm. Their exponentials are added up, "
                "inside of it.",
            ),
            Mistake(
                "exponential",
                lambda share, n_key, d_k: math.exp(share * (n_key - 1) / (1 - share)) * d_k**0.5,
                "You take `exp`, which softmax does. On the way back, what undoes it?",
            ),
            Mistake(
                "others-divided",
                lambda share, n_key, d_k: math.log(share / (1 - share) / (n_key - 1)) * d_k**0.5,
                "You divide by the number of the other keys. The more of them there are, the stronger the query "
                "must be.",
            ),
            Mistake(
                "negative",
                lambda share, n_key, d_k: -_lead(share, n_key - 1) * d_k**0.5,
                "Your sign is wrong: with a number below 0 the key would get less than the others.",
            ),
            Mistake(
                "as-in-round-1",
                lambda share, n_key, d_k: 6 * share / 0.87,
                "You take the 6 in proportion to the share. Softmax is no proportion: go back through it.",
            ),
        ],
        hints=[
            "Call the exponential of the key's scaled score E. Every other key has a score of 0, so what is the sum?",
            "The share is E / (E + n_key - 1). Solve for E, then find the score that has this exponential.",
            "Attention divides the score by the root of `d_k`, so the number has to be that much larger.",
        ],
    ),
    Exercise(
        name="one_request",
        lesson=7,
        statement="What each token takes home in a round with one request, whose matrices you type in.",
        reference=lambda x, asks, offers, hands, strength: _placed(x, hands, _asked(x, asks, offers, strength)),
        cases=_request_cases,
        verified="Who asks takes from who offers, and what is handed over keeps its place.",
        mistakes=[
            Mistake(
                "roles-exchanged",
                lambda x, asks, offers, hands, strength: _placed(x, hands, _asked(x, offers, asks, strength)),
                "Who offers asks here, and who asks is asked. Which of the two features belongs in `w_query`?",
            ),
            Mistake(
                "whole-vectors",
                lambda x, asks, offers, hands, strength: _asked(x, asks, offers, strength) @ x,
                "You hand over whole vectors. Only the feature `hands` is wanted: which number of `w_value` is not 0?",
            ),
            Mistake(
                "handed-to-column-0",
                lambda x, asks, offers, hands, strength: _placed(x, hands, _asked(x, asks, offers, strength)).roll(
                    -hands, -1
                ),
                "What is handed over lands in column 0. In `w_value` a row says what is handed over, and a column "
                "where it lands.",
            ),
            Mistake(
                "one-column",
                lambda x, asks, offers, hands, strength: _asked(x, asks, offers, strength) @ x[:, hands : hands + 1],
                "You return the one feature that is handed over. It should stand in its own place among zeros, so "
                "that it could be added to `x`.",
            ),
            Mistake(
                "added-to-x",
                lambda x, asks, offers, hands, strength: x + _placed(x, hands, _asked(x, asks, offers, strength)),
                "You return the new vectors, with the old ones in them. What is asked for is what each takes home.",
            ),
            Mistake(
                "strength-twice",
                lambda x, asks, offers, hands, strength: _placed(x, hands, _asked(x, asks, offers, strength**2)),
                "You put `strength` into queries and keys, so their product has it squared.",
            ),
            Mistake(
                "no-strength",
                lambda x, asks, offers, hands, strength: _placed(x, hands, _asked(x, asks, offers, 1.0)),
                "All your requests have a strength of 1. Where does `strength` come in?",
            ),
            Mistake(
                "root-of-d-model",
                lambda x, asks, offers, hands, strength: _placed(
                    x, hands, _asked(x, asks, offers, strength / x.shape[-1] ** 0.5)
                ),
                "You divide the scores by the root of `d_model`. The scale is the root of `d_k`: how many numbers "
                "does a key have here?",
            ),
            Mistake(
                "no-softmax",
                lambda x, asks, offers, hands, strength: _placed(
                    x, hands, strength * x[:, asks, None] * x[None, :, offers]
                ),
                "You mix with scores. How do scores become weights?",
            ),
            Mistake(
                "wrong-axis",
                lambda x, asks, offers, hands, strength: _placed(
                    x, hands, (strength * x[:, asks, None] * x[None, :, offers]).softmax(-2)
                ),
                "Softmax runs over the queries. Each token that asks shares out a weight of 1 among the keys.",
            ),
            Mistake(
                "whole-row",
                lambda x, asks, offers, hands, strength: (
                    _asked(x, asks, offers, strength) @ x[:, hands, None].expand_as(x)
                ),
                "What is handed over lands in every column. In `w_value` a row says what is handed over, and one "
                "column where it lands.",
            ),
            Mistake(
                "offers-taken-home",
                lambda x, asks, offers, hands, strength: _placed(x, offers, _asked(x, asks, offers, strength)),
                "You take home the feature that was looked for. What is handed over is the feature `hands`.",
            ),
            Mistake(
                "only-who-asks",
                lambda x, asks, offers, hands, strength: (
                    _placed(x, hands, _asked(x, asks, offers, strength)) * x[:, asks, None]
                ),
                "Tokens that do not ask take nothing home in your function. Their scores are all 0, so softmax "
                "gives them an even share of all.",
            ),
            Mistake(
                "strength-after",
                lambda x, asks, offers, hands, strength: _placed(x, hands, strength * _asked(x, asks, offers, 1.0)),
                "You multiply with `strength` after softmax, so the weights no longer sum to 1. It makes the "
                "*scores* larger.",
            ),
        ],
        hints=[
            "Each matrix has one number that is not 0. In `w_query` and `w_key` (d_model, 1), in which rows?",
            "`w_value` is (d_model, d_model): its row `hands` says what a token with this feature hands over.",
            "`w_query[asks] = strength`, `w_key[offers] = 1`, and then attention as in step 4.",
        ],
    ),
]
