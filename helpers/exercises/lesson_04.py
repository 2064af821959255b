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


def _best_cases(draw: Draw) -> list[Arguments]:
    example = (torch.tensor(QUERIES)[1:], torch.tensor(KEYS))  # query 0 has two best keys
    return [example, (draw(2, 3), draw(3, 3)), *pair_cases(draw)[2:]]


def _additive_cases(draw: Draw) -> list[Arguments]:
    def sizes(
        n_query: int, n_key: int, d_query: int, d_key: int, d_hidden: int, dtype: torch.dtype = torch.float32
    ) -> Arguments:
        shapes = [(n_query, d_query), (n_key, d_key), (d_query, d_hidden), (d_key, d_hidden), (d_hidden,)]
        return tuple(draw(*shape, dtype=dtype) for shape in shapes)

    return [
        (torch.tensor(QUERIES), torch.tensor(KEYS), *sizes(3, 3, 3, 3, 2)[2:]),
        sizes(3, 3, 3, 3, 2),
        sizes(1, 1, 1, 1, 1),
        sizes(1, 2, 4, 3, 5),
        sizes(4, 6, 2, 3, 5),
        sizes(2, 3, 5, 4, 6, torch.float64),
        (draw.apart(5, 4), draw.apart(2, 3), draw.apart(4, 6), draw.apart(3, 6), draw.apart(6)),
        sizes(30, 20, 8, 6, 10),
    ]


def _additive(
    queries: torch.Tensor, keys: torch.Tensor, w_1: torch.Tensor, w_2: torch.Tensor, v: torch.Tensor
) -> torch.Tensor:
    return torch.tanh((queries @ w_1)[:, None] + (keys @ w_2)[None]) @ v


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
                "You divide by the root of `d_k`. That is the next exercise; here the plain dot products are "
                "asked for.",
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
        ],
        hints=[
            "The result is (n_query, n_key), but `queries` is (n_query, d_k) and `keys` (n_key, d_k). Which size must "
            "meet which?",
            "`@` wants `d_k` at the end of the left and at the start of the right matrix.",
        ],
    ),
    Exercise(
        name="best_key",
        lesson=4,
        statement="Give for each query the number of the key that fits it best.",
        reference=lambda queries, keys: (queries @ keys.T).argmax(-1),
        cases=_best_cases,
        verified="In each row of the score table, the place of the largest score.",
        gradient=False,
        mistakes=[
            Mistake(
                "best-query",
                lambda queries, keys: (queries @ keys.T).argmax(0),
                "You look down the columns, which gives the best query for each key. Each *query* is a row.",
            ),
            Mistake(
                "best-score",
                lambda queries, keys: (queries @ keys.T).amax(-1),
                "You return the best score of each query. Asked for is the number of the key that it belongs to.",
            ),
            Mistake(
                "one-for-all",
                lambda queries, keys: (queries @ keys.T).argmax(),
                "You look for the largest score of the whole table. Each query has a best key of its own.",
            ),
            Mistake(
                "worst",
                lambda queries, keys: (queries @ keys.T).argmin(-1),
                "You return the key that fits worst. A large score is a good fit.",
            ),
            Mistake(
                "nearest",
                lambda queries, keys: torch.cdist(queries, keys).argmin(-1),
                "You look for the nearest key. A score is a dot product, which a long key can win from far away.",
            ),
            Mistake(
                "cosine",
                lambda queries, keys: torch.cosine_similarity(queries[:, None], keys[None], -1).argmax(-1),
                "You compare directions only. In a dot product the length of a key counts as well.",
            ),
            Mistake(
                "from-one",
                lambda queries, keys: (queries @ keys.T).argmax(-1) + 1,
                "Your numbers are one too high. Keys count from 0.",
            ),
        ],
        hints=[
            "Make the score table first. Does a query have a row of it, or a column?",
            "`argmax` gives the place of the largest number. Along which axis do the keys lie?",
        ],
    ),
    Exercise(
        name="scaled_scores",
        lesson=4,
        statement="Compute the score table, scaled so that its spread does not grow with d_k.",
        reference=lambda queries, keys: queries @ keys.T / keys.shape[1] ** 0.5,
        cases=pair_cases,
        verified="The dot products, divided by the root of `d_k`: their spread is the same for every `d_k`.",
        mistakes=[
            Mistake(
                "no-scaling",
                lambda queries, keys: queries @ keys.T,
                "The scores are not scaled. How fast does the spread of dot products grow with `d_k`?",
            ),
            Mistake(
                "divided-by-d-k",
                lambda queries, keys: queries @ keys.T / keys.shape[1],
                "You divide by `d_k`. The spread grows more slowly than that, so your scores become too small.",
            ),
            Mistake(
                "multiplied",
                lambda queries, keys: queries @ keys.T * keys.shape[1] ** 0.5,
                "You make the scores larger. They grow with `d_k` by themselves: undo that.",
            ),
            Mistake(
                "root-of-n-key",
                lambda queries, keys: queries @ keys.T / keys.shape[0] ** 0.5,
                "You take the root of the number of keys. The spread depends on how many products are added up in "
                "one score.",
            ),
            Mistake(
                "root-of-n-query",
                lambda queries, keys: queries @ keys.T / queries.shape[0] ** 0.5,
                "You take the root of the number of queries. The spread depends on how many products are added up "
                "in one score.",
            ),
            Mistake(
                "keys-and-queries-swapped",
                lambda queries, keys: keys @ queries.T / keys.shape[1] ** 0.5,
                "Keys and queries are swapped: your rows are keys. Rows must be queries.",
            ),
            Mistake(
                "measured-spread",
                lambda queries, keys: queries @ keys.T / (queries @ keys.T).std(),
                "You divide by the spread of this very table. The scale must depend on `d_k` alone, not on the "
                "numbers that happen to come.",
            ),
            Mistake(
                "cosine",
                lambda queries, keys: torch.cosine_similarity(queries[:, None], keys[None], -1),
                "You divide by the lengths of the vectors, so only the angle is left. Scaling divides all scores "
                "by the same number.",
            ),
        ],
        hints=[
            "Start from the score table. By what does the spread of a sum of `d_k` products grow?",
            "The lesson has measured it: with the root of `d_k`. Where in a shape do you find `d_k`?",
        ],
    ),
    Exercise(
        name="additive_scores",
        lesson=4,
        statement="Score by addition: v times the tanh of (query times w_1, plus key times w_2).",
        reference=_additive,
        cases=_additive_cases,
        verified="Each query meets each key in a hidden vector, and `v` turns it into one score.",
        mistakes=[
            Mistake(
                "tanh-forgotten",
                lambda queries, keys, w_1, w_2, v: ((queries @ w_1)[:, None] + (keys @ w_2)[None]) @ v,
                "The tanh is forgotten. Without it a score is one part from the query and one from the key, and "
                "the two never meet.",
            ),
            Mistake(
                "tanh-last",
                lambda queries, keys, w_1, w_2, v: torch.tanh(((queries @ w_1)[:, None] + (keys @ w_2)[None]) @ v),
                "The tanh comes last. It belongs to the hidden vector, before `v`.",
            ),
            Mistake(
                "tanh-too-early",
                lambda queries, keys, w_1, w_2, v: (
                    (torch.tanh(queries @ w_1)[:, None] + torch.tanh(keys @ w_2)[None]) @ v
                ),
                "You take the tanh of each part alone. First add query and key, then take the tanh of the sum.",
            ),
            Mistake(
                "sigmoid",
                lambda queries, keys, w_1, w_2, v: torch.sigmoid((queries @ w_1)[:, None] + (keys @ w_2)[None]) @ v,
                "You use a sigmoid. Additive scoring uses tanh, which is symmetric around 0.",
            ),
            Mistake(
                "multiplied",
                lambda queries, keys, w_1, w_2, v: torch.tanh((queries @ w_1)[:, None] * (keys @ w_2)[None]) @ v,
                "You multiply query and key. This scoring is called additive: what does that tell?",
            ),
            Mistake(
                "v-forgotten",
                lambda queries, keys, w_1, w_2, v: torch.tanh((queries @ w_1)[:, None] + (keys @ w_2)[None]).sum(-1),
                "You add the hidden vector up as it is. `v` says how much each of its numbers counts.",
            ),
            Mistake(
                "transposed",
                lambda queries, keys, w_1, w_2, v: _additive(queries, keys, w_1, w_2, v).T,
                "Your rows are keys. Rows must be queries: which of the two gets the extra dimension where?",
            ),
            Mistake(
                "matrices-swapped",
                lambda queries, keys, w_1, w_2, v: torch.tanh((queries @ w_2)[:, None] + (keys @ w_1)[None]) @ v,
                "You multiply the queries with `w_2` and the keys with `w_1`. Each has its own matrix.",
            ),
            Mistake(
                "pairs-only",
                lambda queries, keys, w_1, w_2, v: torch.tanh(queries @ w_1 + keys @ w_2) @ v,
                "You add query 1 to key 1, query 2 to key 2, and so on. Every query has to meet every key: give "
                "each of the two an extra dimension.",
            ),
        ],
        hints=[
            "First for one pair: project the query, project the key, add, tanh, dot product with `v`. That is one "
            "score.",
            "For all pairs: (n_query, 1, d_hidden) plus (1, n_key, d_hidden) gives (n_query, n_key, d_hidden).",
            "A tensor (n_query, n_key, d_hidden) times `v` (d_hidden,) with `@` gives (n_query, n_key).",
        ],
    ),
]
