"""Lesson 3, keys, queries, values: three projections of the same inputs."""

from typing import Any

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

X = [[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]
W_KEY = [[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]]
W_QUERY = [[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]
W_VALUE = [[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]]


def _row_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor(X[0]), torch.tensor(W_KEY)),
        (draw(4), draw(4, 3)),
        (draw(1), draw(1, 1)),
        (draw(1), draw(1, 5)),
        (draw(6), draw(6, 2)),
        (draw(3, dtype=torch.float64), draw(3, 7, dtype=torch.float64)),
        (draw.apart(5), draw.apart(5, 8)),
        (draw(60), draw(60, 40)),
    ]


def _three_cases(draw: Draw) -> list[Arguments]:
    def sizes(n: int, d_model: int, d_k: int, d_v: int, dtype: torch.dtype = torch.float32) -> Arguments:
        shapes = [(n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v)]
        return tuple(draw(*shape, dtype=dtype) for shape in shapes)

    return [
        tuple(torch.tensor(table) for table in (X, W_QUERY, W_KEY, W_VALUE)),
        sizes(3, 4, 3, 3),
        sizes(1, 1, 1, 1),
        sizes(1, 4, 3, 2),
        sizes(5, 6, 2, 7),
        sizes(2, 5, 4, 3, torch.float64),
        (draw.apart(6, 4), draw.apart(4, 2), draw.apart(4, 2), draw.apart(4, 5)),
        sizes(40, 30, 16, 20),
    ]


def _fused_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor(X), torch.cat([torch.tensor(table) for table in (W_QUERY, W_KEY, W_VALUE)], 1), 3, 3),
        (draw(3, 4), draw(4, 9), 3, 3),
        (draw(1, 1), draw(1, 3), 1, 1),
        (draw(1, 5), draw(5, 8), 2, 4),
        (draw(5, 6), draw(6, 11), 2, 7),
        (draw(2, 5, dtype=torch.float64), draw(5, 9, dtype=torch.float64), 4, 1),
        (draw.apart(6, 4), draw.apart(4, 12), 3, 6),
        (draw(40, 30), draw(30, 52), 16, 20),
    ]


def _split(x: torch.Tensor, w_fused: torch.Tensor, d_k: int, d_v: int) -> tuple[torch.Tensor, ...]:
    return (x @ w_fused).split([d_k, d_k, d_v], -1)


def _in_thirds(x: torch.Tensor, w_fused: torch.Tensor, d_k: int, d_v: int) -> Any:
    return (x @ w_fused).chunk(3, -1)


def _overlapping(x: torch.Tensor, w_fused: torch.Tensor, d_k: int, d_v: int) -> Any:
    all_three = x @ w_fused
    return all_three[:, :d_k], all_three[:, :d_k], all_three[:, -d_v:]


def _one_feature(length: int, place: int, value: float, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """A token with one number that is not 0, (length,)."""
    row = torch.zeros(length, dtype=dtype)
    row[place] = value
    return row


def _asking_cases(draw: Draw) -> list[Arguments]:
    return [
        (_one_feature(4, 3, 2.0), torch.tensor([0.0, 6])),
        (_one_feature(4, 1, -0.5), draw(2)),
        (_one_feature(1, 0, 3.0), draw(1)),
        (_one_feature(6, 2, 4.0), draw(3)),
        (_one_feature(3, 1, 0.25, torch.float64), draw(5, dtype=torch.float64)),
        (_one_feature(7, 5, 1.5), draw.apart(4)),
        (_one_feature(40, 17, 8.0), draw(250)),
    ]


def _asking(row: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
    """The matrix, (d_model, d_k), that makes the query out of a row with one number that is not 0."""
    w = torch.zeros(len(row), len(query), dtype=query.dtype)
    place = int(row.abs().argmax())
    w[place] = query / row[place]
    return w


EXERCISES = [
    Exercise(
        name="project_row",
        lesson=3,
        statement="Project one token: each number of the row times a row of w, added up.",
        reference=lambda row, w: row @ w,
        cases=_row_cases,
        verified="Each number of the result is the row times one column of `w`, added up.",
        mistakes=[
            Mistake(
                "not-summed",
                lambda row, w: row[:, None] * w,
                "You multiply, but do not add up. What you have is a table; the products of each column belong "
                "together.",
            ),
            Mistake(
                "wrong-axis",
                lambda row, w: (row[:, None] * w).sum(1),
                "You add up along the wrong axis: the result has a number for each row of `w`, but needs one for "
                "each column.",
            ),
            Mistake(
                "all-summed",
                lambda row, w: (row[:, None] * w).sum(),
                "You add everything up to one number. Each column of `w` makes a number of its own.",
            ),
            Mistake(
                "row-unused",
                lambda row, w: w.sum(0),
                "You add the rows of `w` up as they are. Each of them has to be multiplied with its number of "
                "`row` first.",
            ),
            Mistake(
                "mean",
                lambda row, w: (row[:, None] * w).mean(0),
                "You take the mean of the products. A projection takes their sum.",
            ),
            Mistake(
                "transposed",
                lambda row, w: w.T @ row[:, None],
                "Your numbers are right, but they stand in a column. One token is a row: a tensor with one dimension.",
            ),
            Mistake(
                "reshaped",
                lambda row, w: w.reshape(w.shape[1], w.shape[0]) @ row,
                "You give `w` another shape, so its numbers end up at other places. Rows must stay rows, or be "
                "turned into columns: that is not what `reshape` and `view` do.",
            ),
        ],
        hints=[
            "The result has as many numbers as `w` has columns. How does the lesson get the first of them by hand?",
            "Number j: multiply `row` with column j of `w`, number by number, and add up.",
            "All numbers at once: which operator multiplies a row with a matrix?",
        ],
    ),
    Exercise(
        name="queries_keys_values",
        lesson=3,
        statement="Derive queries, keys and values from x, and return them in this order.",
        reference=lambda x, w_query, w_key, w_value: (x @ w_query, x @ w_key, x @ w_value),
        cases=_three_cases,
        verified="Three projections of the same `x`, each with a matrix of its own, in the right order.",
        mistakes=[
            Mistake(
                "keys-and-queries-swapped",
                lambda x, w_query, w_key, w_value: (x @ w_key, x @ w_query, x @ w_value),
                "Keys and queries are swapped. Return the queries first.",
            ),
            Mistake(
                "values-first",
                lambda x, w_query, w_key, w_value: (x @ w_value, x @ w_query, x @ w_key),
                "The values come first. The order is queries, keys, values.",
            ),
            Mistake(
                "values-before-keys",
                lambda x, w_query, w_key, w_value: (x @ w_query, x @ w_value, x @ w_key),
                "Keys and values are swapped. The order is queries, keys, values.",
            ),
            Mistake(
                "reversed",
                lambda x, w_query, w_key, w_value: (x @ w_value, x @ w_key, x @ w_query),
                "Your order is values, keys, queries: the opposite of what is asked for.",
            ),
            Mistake(
                "one-matrix",
                lambda x, w_query, w_key, w_value: (x @ w_query, x @ w_query, x @ w_value),
                "Queries and keys come from the same matrix. Each has its own, or no token could ask for "
                "something else than it offers.",
            ),
            Mistake(
                "values-unprojected",
                lambda x, w_query, w_key, w_value: (x @ w_query, x @ w_key, x),
                "You return `x` itself as the values. Values are a projection too.",
            ),
            Mistake(
                "transposed",
                lambda x, w_query, w_key, w_value: ((x @ w_query).T, (x @ w_key).T, (x @ w_value).T),
                "Your results have a column for each token. Rows are tokens.",
            ),
            Mistake(
                "weights-only",
                lambda x, w_query, w_key, w_value: (w_query, w_key, w_value),
                "You return the weight matrices. Queries, keys and values are what `x` becomes when it is "
                "multiplied with them.",
            ),
        ],
        hints=[
            "All three start from `x`. What differs?",
            "One product each, as in the lesson: `x` at the left, the matrix at the right.",
        ],
    ),
    Exercise(
        name="w_query_for",
        lesson=3,
        statement="Make the w_query, zeros but for one row, that gives a token with one feature the query asked for.",
        reference=_asking,
        cases=_asking_cases,
        verified="The row of the token's one feature makes the query, and no other feature asks for anything.",
        gradient=False,
        mistakes=[
            Mistake(
                "not-divided",
                lambda x_of_it, query: _asking((x_of_it != 0).to(query.dtype), query),
                "You have the right row, but the token multiplies it with its number, so the query comes out too "
                "large or too small. What undoes that?",
            ),
            Mistake(
                "multiplied",
                lambda x_of_it, query: x_of_it[:, None] * query,
                "You multiply the query with the token's number, and `x_of_it @ w_query` multiplies once more.",
            ),
            Mistake(
                "first-row",
                lambda x_of_it, query: _one_feature(len(x_of_it), 0, 1, query.dtype)[:, None] * query / x_of_it.sum(),
                "You fill the wrong row. Which row of `w_query` does the token take, and how much of it?",
            ),
            Mistake(
                "every-row",
                lambda x_of_it, query: (query / x_of_it.sum()).repeat(len(x_of_it), 1),
                "The query comes out right, but every row of your matrix is filled, so all tokens would ask for this. "
                "Only the row of the token's own feature may.",
            ),
            Mistake(
                "transposed",
                lambda x_of_it, query: _asking(x_of_it, query).T,
                "Your matrix stands on its side. It needs as many rows as the token has numbers, and as many columns "
                "as the query.",
            ),
            Mistake(
                "one-row-alone",
                lambda x_of_it, query: query / x_of_it.sum(),
                "That is the right row, but a row alone. `w_query` has a row for each number of the token.",
            ),
        ],
        hints=[
            "How many rows and columns must `w_query` have, so that `x_of_it @ w_query` can be the query? Start with "
            "zeros.",
            "The numbers of `x_of_it` say how much to take of each row of `w_query`. Which row is taken at all?",
            "If the token takes twice the row, the row must be half the query.",
        ],
    ),
    Exercise(
        name="split_fused",
        lesson=3,
        statement="Project once with the fused matrix, and cut the result into queries, keys, values.",
        reference=_split,
        cases=_fused_cases,
        verified="One product, cut after `d_k` and after twice `d_k` columns.",
        mistakes=[
            Mistake(
                "thirds",
                _in_thirds,
                "You cut into three equal parts. Values may have another width than queries and keys.",
            ),
            Mistake(
                "values-first",
                lambda x, w_fused, d_k, d_v: tuple((x @ w_fused).split([d_v, d_k, d_k], -1)[i] for i in (1, 2, 0)),
                "You cut as if the values stood first. In the fused matrix the order is queries, keys, values.",
            ),
            Mistake(
                "keys-first",
                lambda x, w_fused, d_k, d_v: tuple(_split(x, w_fused, d_k, d_v)[i] for i in (1, 0, 2)),
                "Keys and queries are swapped. The first columns are the queries.",
            ),
            Mistake(
                "reversed",
                lambda x, w_fused, d_k, d_v: _split(x, w_fused, d_k, d_v)[::-1],
                "You return values, keys, queries: the opposite of what is asked for.",
            ),
            Mistake(
                "not-projected",
                lambda x, w_fused, d_k, d_v: w_fused.split([d_k, d_k, d_v], -1),
                "You cut the matrix, but never multiply with `x`.",
            ),
            Mistake(
                "interleaved",
                lambda x, w_fused, d_k, d_v: tuple((x @ w_fused)[:, start::3] for start in range(3)),
                "You take every third column. The columns of the queries stand side by side, then those of the keys.",
            ),
            Mistake(
                "keys-are-queries",
                _overlapping,
                "You return the same columns as queries and as keys. The second cut starts where the first one ends.",
            ),
            Mistake(
                "rows",
                lambda x, w_fused, d_k, d_v: (x @ w_fused).T.split([d_k, d_k, d_v]),
                "You cut right, but your parts have a column for each token. Rows are tokens.",
            ),
        ],
        hints=[
            "What is the shape of `x @ w_fused`? Which of its columns are the queries?",
            "Queries: the first `d_k` columns. Keys: the next `d_k`. Values: the last `d_v`.",
            "Slices such as `[:, a:b]` do it; so does `split` with a list of widths.",
        ],
    ),
]
