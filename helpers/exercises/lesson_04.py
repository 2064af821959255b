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


def _table_cases(draw: Draw) -> list[Arguments]:
    def case(queries: torch.Tensor, keys: torch.Tensor, turned: bool = False) -> Arguments:
        table = queries @ keys.T
        return table.T if turned else table, queries, keys

    lopsided = torch.tensor([[1.0, 0, 0], [2, 2, 2], [2, 1, 3]])
    keys = torch.tensor([[0.0, 0, 1], [4, 4, 0], [2, 3, 1]])
    wide = draw.apart(4, 2), draw.apart(6, 2)
    return [
        case(lopsided, keys),
        case(draw(3, 3), draw(3, 3), turned=True),
        case(draw(1, 1), draw(1, 1)),
        case(draw(4, 2), draw(4, 2), turned=True),
        case(draw(5, 3), draw(2, 3), turned=True),
        case(draw(2, 4), draw(5, 4)),
        case(draw(4, 5, dtype=torch.float64), draw(4, 5, dtype=torch.float64)),
        case(*wide, turned=True),
        case(draw(20, 8), draw(20, 8)),
    ]


def _key_axis(table: torch.Tensor, queries: torch.Tensor, keys: torch.Tensor) -> int:
    fits = table.shape == (len(queries), len(keys)) and torch.allclose(table, queries @ keys.T)
    return -1 if fits else -2


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
                "You divide by the dot product of the query with itself, so the *score* is 1. The length of the key "
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
        ],
        hints=[
            "A score is the length of the query times the shadow of the key. In which direction is the shadow of a key "
            "of length 1 the longest?",
            "`query.norm()` is the length of the query. What has to be done so that the length becomes 1?",
        ],
    ),
    Exercise(
        name="key_axis",
        lesson=4,
        statement="Find out along which axis of a score table the keys lie: -1 as in the course, or -2.",
        reference=_key_axis,
        cases=_table_cases,
        verified="Whether the table stands as in the course is read from its numbers, not only from its shape.",
        gradient=False,
        mistakes=[
            Mistake(
                "always-last",
                lambda table, queries, keys: -1,
                "You say -1 of every table. Some of them have a row for each key.",
            ),
            Mistake(
                "shape-only",
                lambda table, queries, keys: -1 if table.shape == (len(queries), len(keys)) else -2,
                "You look only at the shape. With as many queries as keys both tables have the same: compare numbers.",
            ),
            Mistake(
                "swapped",
                lambda table, queries, keys: -3 - _key_axis(table, queries, keys),
                "You have it the other way round. In the course a row belongs to a query, so along a row, which is "
                "axis -1, the keys lie.",
            ),
            Mistake(
                "from-the-front",
                lambda table, queries, keys: 2 + _key_axis(table, queries, keys),
                "You count the axes from the front. Count from the back, -1 or -2, which stays right when axes are "
                "added in front.",
            ),
            Mistake(
                "mirror-image",
                lambda table, queries, keys: -1 if torch.equal(table, table.mT) else -2,
                "You look whether the table is its own mirror image. Most tables are not, whichever way they stand: "
                "compare with the dot products.",
            ),
        ],
        hints=[
            "What is the number in row 0 and column 1, if rows are queries? And if rows are keys?",
            "Make the table yourself and compare. Look at the shapes first, since tables of two shapes cannot be "
            "compared.",
            "`torch.allclose` compares two tables of one shape, and forgives what rounding does.",
        ],
    ),
]
