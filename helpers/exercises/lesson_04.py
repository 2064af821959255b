"""Lesson 4, scores: how well each query matches each key."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

QUERIES = [[1.0, 0, 2], [2, 2, 2], [2, 1, 3]]
KEYS = [[0.0, 1, 1], [4, 4, 0], [2, 3, 1]]


def pair_cases(draw: Draw) -> list[Arguments]:
    """Queries (n_query, d_k) and keys (n_key, d_k)."""
    return [
        (torch.tensor(QUERIES), torch.tensor(KEYS)),
        (draw(3, 3), draw(3, 3)),
        (draw(1, 1), draw(1, 1)),
        (draw(1, 4), draw(1, 4)),
        (draw(1, 3), draw(5, 3)),
        (draw(4, 2), draw(6, 2)),
        (draw(2, 5, dtype=torch.float64), draw(3, 5, dtype=torch.float64)),
        (draw.apart(5, 4), draw.apart(2, 4)),
        (draw(40, 16), draw(30, 16)),
    ]


def _query_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([3.0, 4]),),
        (draw(2),),
        (torch.tensor([-2.0]),),
        (draw(3, scale=5),),
        (draw(6, scale=0.1),),
        (draw(5, dtype=torch.float64),),
        (draw.apart(4),),
        (draw(250),),
    ]


def _one_at_the_largest(query: torch.Tensor) -> torch.Tensor:
    return (torch.arange(len(query)) == query.abs().argmax()) * query.sign()


def _spread_cases(draw: Draw) -> list[Arguments]:
    return [
        (1.0, 1.0, 16),
        (2.0, 1.0, 9),
        (0.5, 3.0, 1),
        (3.0, 0.25, 64),
        (1.5, 1.5, 5),
        (0.1, 0.4, 512),
        (4.0, 0.5, 2),
    ]


def _divisor_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor(QUERIES)[1], torch.tensor(KEYS)),
        (draw(3), draw(3, 3)),
        (draw(1), draw(4, 1)),
        (draw(2), draw(7, 2) + 1),
        (draw(5, scale=3), draw(2, 5)),
        (draw(6, dtype=torch.float64), draw(3, 6, dtype=torch.float64)),
        (draw.apart(4), draw.apart(5, 4)),
        (draw(16), draw(30, 16)),
    ]


EXERCISES = [
    Exercise(
        name="score_table",
        lesson=4,
        statement="Score each query against each key: rows are queries, columns are keys.",
        reference=lambda queries, keys: queries @ keys.T,
        cases=pair_cases,
        verified="Row i, column j: the dot product of query i with key j.",
        mistakes=[
            Mistake(
                "keys-and-queries-swapped",
                lambda queries, keys: keys @ queries.T,
                "Keys and queries are swapped: your rows are keys. Rows must be queries.",
            ),
            Mistake(
                "transpose-forgotten",
                lambda queries, keys: queries @ keys,
                "You multiply with `keys` as they stand, so queries meet columns instead of keys, and often the "
                "sizes do not fit. What has to be done to `keys` first?",
            ),
            Mistake(
                "reshaped",
                lambda queries, keys: queries @ keys.reshape(keys.shape[1], keys.shape[0]),
                "You give `keys` the right shape, but its numbers end up at other places. Rows must become "
                "columns: that is not what `reshape` and `view` do.",
            ),
            Mistake(
                "queries-only",
                lambda queries, keys: queries @ queries.T,
                "You compare the queries with each other. Where do the keys come in?",
            ),
            Mistake(
                "keys-only",
                lambda queries, keys: keys @ keys.T,
                "You compare the keys with each other. Where do the queries come in?",
            ),
            Mistake(
                "scaled",
                lambda queries, keys: queries @ keys.T / queries.shape[1] ** 0.5,
                "You divide by the root of `d_k`. Here the plain dot products are asked for.",
            ),
            Mistake(
                "number-by-number",
                lambda queries, keys: queries * keys,
                "`*` multiplies number by number, and only works when the sizes happen to fit. Each query has to "
                "meet each key.",
            ),
            Mistake(
                "distance",
                lambda queries, keys: torch.cdist(queries, keys),
                "You measure distances. A score is a dot product: large where query and key agree.",
            ),
            Mistake(
                "cosine",
                lambda queries, keys: torch.cosine_similarity(queries[:, None], keys[None], -1),
                "You divide by the lengths of query and key, which gives the cosine. A score is the plain dot product.",
            ),
            Mistake(
                "sums-multiplied",
                lambda queries, keys: queries.sum(-1, keepdim=True) * keys.sum(-1),
                "You add up first and multiply afterwards. In a dot product numbers at the same place are "
                "multiplied first, and then added up.",
            ),
            Mistake(
                "softmax",
                lambda queries, keys: torch.softmax(queries @ keys.T, -1),
                "You have gone one step too far: these are weights. Here the plain scores are asked for.",
            ),
        ],
        hints=[
            "The result is (n_query, n_key), but `queries` is (n_query, d_k) and `keys` (n_key, d_k). Which size must "
            "meet which?",
            "`@` wants `d_k` at the end of the left and at the start of the right matrix.",
        ],
    ),
    Exercise(
        name="best_unit_key",
        lesson=4,
        statement="Give the key of length 1 that has the highest score with a query.",
        reference=lambda query: query / query.norm(),
        cases=_query_cases,
        verified="It points where the query points, and its length is 1.",
        gradient=False,
        mistakes=[
            Mistake(
                "query",
                lambda query: query.clone(),
                "The direction is right, but your key is as long as the query. Its length must be 1.",
            ),
            Mistake(
                "divided-by-score",
                lambda query: query / (query @ query),
                "You divide by the dot product of the query with itself, so the score is 1. The length of the key "
                "must be 1.",
            ),
            Mistake(
                "divided-by-sum",
                lambda query: query / query.sum(),
                "You divide by the sum of the numbers. A length is the root of the sum of their squares.",
            ),
            Mistake(
                "divided-by-largest",
                lambda query: query / query.abs().max(),
                "You divide by the largest number. A length is the root of the sum of all squares.",
            ),
            Mistake(
                "divided-by-root",
                lambda query: query / len(query) ** 0.5,
                "You divide by the root of `d_k`, which scales a score. The length of a key depends on its numbers.",
            ),
            Mistake(
                "largest-wish",
                _one_at_the_largest,
                "You put everything into the place of the largest wish. The length is right, but another direction "
                "scores higher: which casts the longest shadow?",
            ),
            Mistake(
                "signs",
                lambda query: query.sign() / len(query) ** 0.5,
                "You give each place as much as the others. The length is right, but another direction scores higher: "
                "which casts the longest shadow?",
            ),
            Mistake(
                "opposite",
                lambda query: -query / query.norm(),
                "Your key points the other way, which gives the lowest score of all.",
            ),
            Mistake(
                "largest-number",
                lambda query: (torch.arange(len(query)) == query.argmax()).to(query.dtype),
                "You put everything into the place of the largest number. The length is right, but another "
                "direction scores higher: which casts the longest shadow?",
            ),
            Mistake(
                "softmax",
                lambda query: torch.softmax(query, -1),
                "You use softmax, which makes a sum of 1 out of positive numbers. A length of 1 is something "
                "else, and signs must stay.",
            ),
            Mistake(
                "signs-alone",
                lambda query: query.sign(),
                "You keep the signs alone: another direction scores higher, and the length is not 1.",
            ),
            Mistake(
                "absolute-sum",
                lambda query: query / query.abs().sum(),
                "You divide by the sum of the sizes. A length is the root of the sum of their squares.",
            ),
            Mistake(
                "length",
                lambda query: query.norm(),
                "That is the length of the query. What you need is a key: an arrow with as many numbers as the query.",
            ),
            Mistake(
                "score",
                lambda query: query.norm().expand(1),
                "That is the score of the best key. What you need is the key itself.",
            ),
            Mistake(
                "signed-sum",
                lambda query: query / query.sum().abs(),
                "You divide by the size of the sum. A length is the root of the sum of the squares.",
            ),
        ],
        hints=[
            "A score is the length of the query times the shadow of the key. In which direction is the shadow of a key "
            "of length 1 the longest?",
            "`query.norm()` is the length of the query. What has to be done so that the length becomes 1?",
        ],
    ),
    Exercise(
        name="spread_of_scores",
        lesson=4,
        statement="Say how widely dot products are spread, from how widely the numbers of queries and keys are.",
        reference=lambda std_query, std_key, d_k: std_query * std_key * d_k**0.5,
        cases=_spread_cases,
        verified="The variances of the products add up, and the std is the root of their sum.",
        gradient=False,
        mistakes=[
            Mistake(
                "no-root",
                lambda std_query, std_key, d_k: std_query * std_key * d_k,
                "You add standard deviations up. It is their squares, the variances, that add.",
            ),
            Mistake(
                "variance",
                lambda std_query, std_key, d_k: (std_query * std_key) ** 2 * d_k,
                "That is the variance of the dot products. The std is its root.",
            ),
            Mistake(
                "std-of-1",
                lambda std_query, std_key, d_k: d_k**0.5,
                "That is right where queries and keys have a std of 1. What if the numbers of one are twice as large?",
            ),
            Mistake(
                "one-product",
                lambda std_query, std_key, d_k: std_query * std_key,
                "That is the std of a single product. A dot product adds `d_k` of them up.",
            ),
            Mistake(
                "root-of-all",
                lambda std_query, std_key, d_k: (std_query * std_key * d_k) ** 0.5,
                "You take the root of the standard deviations, too. A product has the variance `std_query**2 * "
                "std_key**2`.",
            ),
            Mistake(
                "stds-added",
                lambda std_query, std_key, d_k: (std_query + std_key) * d_k**0.5,
                "You add the two standard deviations. Query and key are multiplied, and so are theirs.",
            ),
            Mistake(
                "variances-added",
                lambda std_query, std_key, d_k: ((std_query**2 + std_key**2) * d_k) ** 0.5,
                "You add the variances of a query's and a key's number, as for their sum. They are multiplied.",
            ),
            Mistake(
                "whole-root",
                lambda std_query, std_key, d_k: std_query * std_key * int(d_k**0.5),
                "You cut the root of `d_k` down to a whole number.",
            ),
            Mistake(
                "mean-of-stds",
                lambda std_query, std_key, d_k: (std_query + std_key) / 2 * d_k**0.5,
                "You take the mean of the two standard deviations. Query and key are multiplied, and so are theirs.",
            ),
            Mistake(
                "one-std",
                lambda std_query, std_key, d_k: std_query * d_k**0.5,
                "The std of the keys has no effect in your function. What if their numbers are twice as large?",
            ),
            Mistake(
                "divided",
                lambda std_query, std_key, d_k: std_query * std_key / d_k**0.5,
                "You divide by the root of `d_k`. More numbers in a sum spread it more widely: that division "
                "undoes it later.",
            ),
            Mistake(
                "squared",
                lambda std_query, std_key, d_k: (std_query * std_key) ** 2 * d_k**0.5,
                "You square the standard deviations, but take the root of `d_k` alone. The root is taken of the "
                "whole variance.",
            ),
        ],
        hints=[
            "Make every number of a query twice as large. What happens to each product, and to the std of their sum?",
            "One product has the variance `std_query**2 * std_key**2`. What is the variance of `d_k` of them added up?",
        ],
    ),
    Exercise(
        name="divisor_for",
        lesson=4,
        statement="Give the number to divide the scores of a query by, so that their std is 1.",
        reference=lambda query, keys: (keys @ query).std(correction=0),
        cases=_divisor_cases,
        verified="Divided by their own std, the scores of the query have a std of 1.",
        mistakes=[
            Mistake(
                "root-of-d-k",
                lambda query, keys: torch.tensor(len(query) ** 0.5),
                "The root of `d_k` is right for random numbers of std 1. These are not: measure how widely the scores "
                "are spread.",
            ),
            Mistake(
                "d-k",
                lambda query, keys: torch.tensor(float(len(query))),
                "You divide by `d_k`, whatever the numbers are. Measure how widely the scores are spread.",
            ),
            Mistake(
                "length-of-the-query",
                lambda query, keys: query.norm(),
                "The length of the query is right for many random keys of std 1. Measure how widely the scores of "
                "these keys are spread.",
            ),
            Mistake(
                "variance",
                lambda query, keys: (keys @ query).var(correction=0),
                "That is the variance of the scores. Their std is its root.",
            ),
            Mistake(
                "mean-not-subtracted",
                lambda query, keys: (keys @ query).square().mean().sqrt(),
                "You take the root of the mean square, which is the std where the mean is 0. Here it need not be: "
                "subtract the mean of the scores first.",
            ),
            Mistake(
                "corrected",
                lambda query, keys: (keys @ query).std(),
                "You divide the squares by one less than their number, as `std` does unless it is told otherwise: "
                "`correction=0`.",
            ),
            Mistake(
                "inverse",
                lambda query, keys: 1 / (keys @ query).std(correction=0),
                "That is what to *multiply* the scores with. What you need is what to divide them by.",
            ),
            Mistake(
                "of-the-keys",
                lambda query, keys: keys.std(correction=0),
                "You measure how widely the numbers of the keys are spread. It is the scores that should have std 1.",
            ),
            Mistake(
                "largest",
                lambda query, keys: (keys @ query).abs().max(),
                "Divided by the largest score, none lies beyond 1, but that does not make the std 1.",
            ),
            Mistake(
                "length-of-the-scores",
                lambda query, keys: (keys @ query).norm(),
                "You take the length of the row of scores. It grows with the number of keys, and counts the mean "
                "as well: the std does neither.",
            ),
            Mistake(
                "stds-multiplied",
                lambda query, keys: query.std(correction=0) * keys.std(correction=0) * len(query) ** 0.5,
                "You use the rule for random numbers. Of these nothing is known: measure how widely the scores "
                "are spread.",
            ),
            Mistake(
                "mean-distance",
                lambda query, keys: ((s := keys @ query) - s.mean()).abs().mean(),
                "You take the mean distance from the mean. The std squares the distances, takes their mean, and "
                "then the root.",
            ),
            Mistake(
                "largest-score",
                lambda query, keys: (keys @ query).max(),
                "Divided by the largest score, none lies above 1, but that does not make the std 1.",
            ),
            Mistake(
                "range",
                lambda query, keys: (s := keys @ query).max() - s.min(),
                "You take the distance from the lowest to the highest score. The std counts all scores.",
            ),
        ],
        hints=[
            "Make the scores of this query first. What happens to their std when all are divided by 2?",
            "The std of the scores is the number asked for. `std(correction=0)` measures it.",
        ],
    ),
]
