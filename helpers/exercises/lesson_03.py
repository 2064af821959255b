"""Lesson 3, keys, queries, values: three projections of the same inputs."""

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


def _asking(x_of_it: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
    """The matrix, (d_model, d_k), that makes the query out of a row with one number that is not 0."""
    return _in_row(x_of_it, query, int(x_of_it.abs().argmax()))


def _found_cases(draw: Draw) -> list[Arguments]:
    def case(x: list[list[float]], word: int, key: torch.Tensor) -> Arguments:
        return torch.tensor(x, dtype=key.dtype), word, key

    apart = torch.zeros(4, 12)[:, ::2]
    apart[[0, 1, 2, 2, 3, 3], [3, 3, 3, 5, 0, 3]] = torch.tensor([1.0, 2, 1, 4, 1, 1])
    large = torch.zeros(30, 40)
    large[:, 3], large[17, 29] = 1, 5
    return [
        case([[1.0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]], 0, torch.tensor([6.0, 0])),
        case([[1.0, 0, 0, 1], [1, 0, 2, 0], [0, 0, 0, 1]], 1, draw(2)),
        case([[2.0]], 0, draw(1)),
        case([[3.0, 1], [0, 1], [0, 1]], 0, draw(4)),
        case([[0.0, 2, 1, 0, 4], [0, 0, 1, 0, 4], [0, 0, 1, 3, 0], [1, 0, 0, 0, 4]], 0, draw(3)),
        case([[1.0, 0, 1], [0, 0.5, 2], [0, 0, 1]], 1, draw(5, dtype=torch.float64)),
        (apart, 2, draw.apart(3)),
        (large, 17, draw(7)),
    ]


def _own_feature(x: torch.Tensor, word: int) -> int:
    """The place of the feature that this word has and no other."""
    others = torch.cat([x[:word], x[word + 1 :]])
    return int(((x[word] != 0) & (others == 0).all(0)).nonzero()[0, 0])


def _one_row(x: torch.Tensor, word: int, key: torch.Tensor, place: int) -> torch.Tensor:
    """Zeros but for one row, (d_model, d_k), with which this word gets this key."""
    w = torch.zeros(x.shape[1], len(key), dtype=key.dtype)
    w[place] = key / x[word, place] if x[word, place] else key
    return w


def _found(x: torch.Tensor, word: int, key: torch.Tensor) -> torch.Tensor:
    return _one_row(x, word, key, _own_feature(x, word))


def _in_row(x_of_it: torch.Tensor, query: torch.Tensor, row: int) -> torch.Tensor:
    """The query in one row, divided by the token's number there, (d_model, d_k)."""
    w = torch.zeros(len(x_of_it), len(query), dtype=query.dtype)
    w[row] = query / x_of_it[row]
    return w


def _key_in_row(x: torch.Tensor, word: int, key: torch.Tensor, row: int) -> torch.Tensor:
    """The key in one row, divided by the word's number there, (d_model, d_k)."""
    w = torch.zeros(x.shape[1], len(key), dtype=key.dtype)
    w[row] = key / x[word, row]
    return w


def _shares(row: torch.Tensor, rows: torch.Tensor, looks_for: torch.Tensor) -> torch.Tensor:
    """How much a row takes from each of rows, (n,), when fits are divided by their sum."""
    fits = row @ looks_for @ rows.T
    return fits / fits.sum(-1, keepdim=True)


def _in_place(rows: torch.Tensor, place: int, row: torch.Tensor) -> torch.Tensor:
    rows = rows.clone()
    rows[place] = row
    return rows


def _heard(rows: torch.Tensor, place: int, first_looks_for: torch.Tensor, first_value: torch.Tensor) -> torch.Tensor:
    return _shares(rows[place], rows, first_looks_for) @ (rows @ first_value)


def _fits_after(rows: torch.Tensor, place: int, new_row: torch.Tensor, looks_for: torch.Tensor) -> torch.Tensor:
    """The fits of a word that has a new row, (n,)."""
    return new_row @ looks_for @ _in_place(rows, place, new_row).T


def _after(rows: torch.Tensor, place: int, new_row: torch.Tensor, looks_for: torch.Tensor) -> torch.Tensor:
    """The shares of a word that has a new row, (n,)."""
    return _shares(new_row, _in_place(rows, place, new_row), looks_for)


def _second_shares(
    rows: torch.Tensor,
    place: int,
    first_looks_for: torch.Tensor,
    first_value: torch.Tensor,
    second_looks_for: torch.Tensor,
) -> torch.Tensor:
    return _after(rows, place, rows[place] + _heard(rows, place, first_looks_for, first_value), second_looks_for)


def _two_rounds_cases(draw: Draw) -> list[Arguments]:
    def case(n: int, place: int, d_model: int, dtype: torch.dtype = torch.float32) -> Arguments:
        matrices = (draw(d_model, d_model, dtype=dtype).abs() for _ in range(3))
        return draw(n, d_model, dtype=dtype).abs(), place, *matrices

    rows = torch.zeros(4, 6)  # animal, street, it, wide
    rows[[0, 0, 1, 1, 2, 3], [0, 1, 0, 2, 3, 5]] = 1
    first, value, second = torch.zeros(3, 6, 6)
    first[3, 4:] = 1
    value[4, 4] = value[5, 5] = 1
    second[4, 1] = second[5, 2] = 6
    apart = (draw(5, 6).abs()[:, ::2], 1, *(draw(3, 6).abs()[:, ::2] for _ in range(3)))
    large = tuple(value / 8 if isinstance(value, torch.Tensor) else value for value in case(40, 21, 30))
    return [
        (rows, 2, first, value, second),
        case(4, 2, 6),
        case(1, 0, 1),
        case(1, 0, 4),
        case(3, 0, 5),
        case(6, 5, 2, torch.float64),
        apart,
        large,
    ]


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
            Mistake(
                "carried-on",
                lambda row, w: (row @ w).cumsum(0),
                "Each of your numbers also holds those before it. The sum of each column begins at 0.",
            ),
            Mistake(
                "first-row",
                lambda row, w: row[0] * w[0],
                "You use the first number of the token alone. Each number of `row` is multiplied with its row of `w`.",
            ),
            Mistake(
                "columns-of-w-turned",
                lambda row, w: row @ w.T,
                "You multiply with `w` turned on its side. Each number of `row` meets a *row* of `w`, so `w` "
                "stands as it should.",
            ),
            Mistake(
                "w-first",
                lambda row, w: w @ row,
                "You put `w` first, so that the token meets the rows of `w`. It is the columns that each make a "
                "number.",
            ),
        ],
        hints=[
            "The result has as many numbers as `w` has columns. How does the lesson get the first of them by hand?",
            "Number j: multiply `row` with column j of `w`, number by number, and add up.",
            "All numbers at once: which operator multiplies a row with a matrix?",
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
            Mistake(
                "by-zero",
                lambda x_of_it, query: query[None] / x_of_it[:, None],
                "You divide by every number of the token, and all but one are 0. Only one row of the matrix is to "
                "be filled.",
            ),
            Mistake(
                "largest-number",
                lambda x_of_it, query: _in_row(x_of_it, query, int(x_of_it.argmax())),
                "You look for the largest number of the token. Where the one that is not 0 lies below 0, a 0 is "
                "larger.",
            ),
            Mistake(
                "last-row",
                lambda x_of_it, query: _in_row(x_of_it, query, -1),
                "You always fill the last row, as in the example. In which place of the token is its number?",
            ),
            Mistake(
                "not-by-the-number",
                lambda x_of_it, query: _in_row(x_of_it, query, int(x_of_it.abs().argmax())) * x_of_it.sum() / 2,
                "You divide by 2, as in the example. Divide by the number that the token has.",
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
        name="w_key_for",
        lesson=3,
        statement="Make the w_key, zeros but for one row, that gives one word a key and all others zeros.",
        reference=_found,
        cases=_found_cases,
        verified="The word has the key asked for, and the keys of all others are zeros.",
        gradient=False,
        mistakes=[
            Mistake(
                "largest-feature",
                lambda x, word, key: _one_row(x, word, key, int(x[word].argmax())),
                "You fill the row of the word's largest number (the first, where several are equal). Other words "
                "may have this feature too, and they would be found as well. Which feature does this word alone "
                "have?",
            ),
            Mistake(
                "last-feature",
                lambda x, word, key: _one_row(x, word, key, int(x[word].nonzero()[-1, 0])),
                "You fill the row of the word's last feature. Other words may have it too, and they would be "
                "found as well. Which feature does this word alone have?",
            ),
            Mistake(
                "every-feature",
                lambda x, word, key: x[word][:, None] * key / x[word].square().sum(),
                "The word's key is right, but you fill the row of every feature that it has, so words that share one "
                "of them are found a little, too.",
            ),
            Mistake(
                "not-divided",
                lambda x, word, key: _one_row((x != 0).to(key.dtype), word, key, _own_feature(x, word)),
                "You have the right row, but the word multiplies it with its number, so the key comes out too large "
                "or too small. What undoes that?",
            ),
            Mistake(
                "row-of-the-word",
                lambda x, word, key: torch.zeros(x.shape[1], len(key), dtype=key.dtype).index_put(
                    (torch.tensor(word % x.shape[1]),), key
                ),
                "You fill the row with the number of the word. The rows of `w_key` belong to features, not to words.",
            ),
            Mistake(
                "transposed",
                lambda x, word, key: _found(x, word, key).T,
                "Your matrix stands on its side. It needs a row for each feature, and as many columns as the key has "
                "numbers.",
            ),
            Mistake(
                "keys",
                lambda x, word, key: x @ _found(x, word, key),
                "You return the keys. What you need is the matrix that makes them out of `x`.",
            ),
            Mistake(
                "first-feature",
                lambda x, word, key: _key_in_row(x, word, key, int(x[word].nonzero()[0])),
                "You take the first feature that the word has. Other words may have it too, and would be found as "
                "well.",
            ),
            Mistake(
                "all-features",
                lambda x, word, key: torch.where(
                    x[word][:, None] != 0, key / torch.where(x[word] == 0, 1, x[word])[:, None], torch.zeros_like(key)
                ),
                "You fill a row for every feature of the word. Then the keys add up, and words that share a "
                "feature are found too.",
            ),
            Mistake(
                "pseudo-inverse",
                lambda x, word, key: torch.linalg.pinv(x) @ (torch.arange(len(x)) == word).to(x.dtype)[:, None] * key,
                "The keys come out right, but more than one row of your matrix is filled. Which single feature is "
                "enough?",
            ),
            Mistake(
                "outer-product",
                lambda x, word, key: torch.outer(x[word], key),
                "You fill a row for each feature of the word, and multiply where you should divide. Only the "
                "feature that this word has alone may be asked for.",
            ),
            Mistake(
                "row-and-number-of-the-word",
                lambda x, word, key: _key_in_row(x, word, key, word),
                "You fill the row with the number of the word. A row of `w_key` belongs to a *feature*: which one "
                "does this word alone have?",
            ),
            Mistake(
                "of-any-word",
                lambda x, word, key: _key_in_row(x, word, key, int(((x != 0).sum(0) == 1).nonzero()[0])),
                "You take a feature that only one word has, but not always this word: its number may be 0 there.",
            ),
            Mistake(
                "largest-lead",
                lambda x, word, key: _key_in_row(
                    x, word, key, int((x[word] - torch.cat([x[:word], x[word + 1 :]]).amax(0)).argmax())
                ),
                "You take the feature of which the word has most, beside the others. Others may still have some "
                "of it, and would be found as well.",
            ),
        ],
        hints=[
            "Whose numbers say how much of each row of `w_key` goes into a key?",
            "Look at the columns of `x`: in which of them does this word have a number, where all others have 0?",
            "Fill that row alone. If the word takes twice the row, the row must be half the key.",
        ],
    ),
    Exercise(
        name="second_shares",
        lesson=3,
        statement="Let a word hear in a first round, and give its shares in the second.",
        reference=_second_shares,
        cases=_two_rounds_cases,
        verified="The word asks with its new row in the second round, and its shares add up to 1.",
        mistakes=[
            Mistake(
                "one-round",
                lambda rows, place, first_looks_for, first_value, second_looks_for: _shares(
                    rows[place], rows, second_looks_for
                ),
                "You ask with the row that the word had before the first round, so it has heard nothing.",
            ),
            Mistake(
                "not-added",
                lambda rows, place, first_looks_for, first_value, second_looks_for: _after(
                    rows, place, _heard(rows, place, first_looks_for, first_value), second_looks_for
                ),
                "What the word took home replaces its row. It is added, so that the word stays what it was.",
            ),
            Mistake(
                "first-shares",
                lambda rows, place, first_looks_for, first_value, second_looks_for: _shares(
                    rows[place], rows, first_looks_for
                ),
                "You return the shares of the first round. They are needed on the way to those of the second.",
            ),
            Mistake(
                "first-matrix-twice",
                lambda rows, place, first_looks_for, first_value, second_looks_for: _second_shares(
                    rows, place, first_looks_for, first_value, first_looks_for
                ),
                "Both rounds ask with `first_looks_for`. In the second round the word looks for something else.",
            ),
            Mistake(
                "old-row-among-the-others",
                lambda rows, place, first_looks_for, first_value, second_looks_for: _shares(
                    rows[place] + _heard(rows, place, first_looks_for, first_value), rows, second_looks_for
                ),
                "The word asks with its new row, but among the rows that it is compared with its old one still stands.",
            ),
            Mistake(
                "second-not-divided",
                lambda rows, place, first_looks_for, first_value, second_looks_for: _fits_after(
                    rows, place, rows[place] + _heard(rows, place, first_looks_for, first_value), second_looks_for
                ),
                "You return the fits of the second round. Shares add up to 1.",
            ),
            Mistake(
                "first-not-divided",
                lambda rows, place, first_looks_for, first_value, second_looks_for: _after(
                    rows,
                    place,
                    rows[place] + rows[place] @ first_looks_for @ rows.T @ (rows @ first_value),
                    second_looks_for,
                ),
                "In the first round you mix with the fits themselves. Make shares of them first.",
            ),
            Mistake(
                "values-forgotten",
                lambda rows, place, first_looks_for, first_value, second_looks_for: _second_shares(
                    rows, place, first_looks_for, torch.eye(len(first_value), dtype=rows.dtype), second_looks_for
                ),
                "In the first round you mix the rows. What is taken home are the values, `rows @ first_value`.",
            ),
            Mistake(
                "taken-home",
                lambda rows, place, first_looks_for, first_value, second_looks_for: (
                    _second_shares(rows, place, first_looks_for, first_value, second_looks_for) @ rows
                ),
                "You return a mixture of rows. Asked for are the shares of the second round, one for each word.",
            ),
            Mistake(
                "all-hear",
                lambda rows, place, first_looks_for, first_value, second_looks_for: _shares(
                    (rows + _shares(rows, rows, first_looks_for) @ (rows @ first_value))[place],
                    rows + _shares(rows, rows, first_looks_for) @ (rows @ first_value),
                    second_looks_for,
                ),
                "You give every word a new row. Only the word in `place` hears; the others stay as they are.",
            ),
        ],
        hints=[
            "Which row does the word have when the second round begins? Write the first round as in step 4.",
            "`shares @ (rows @ first_value)` is what it takes home; added to `rows[place]` it is the new row.",
            "Put the new row into a copy, `rows.clone()`, and divide the fits of the second round by their sum.",
        ],
    ),
]
