"""Lesson 1, inputs: words become ids, ids become vectors."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

TABLE = [[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1], [2, 0, 1, 0], [0, 1, 2, 2]]


def _table_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([0, 2, 1]), torch.tensor(TABLE)),
        (torch.tensor([4, 1, 2]), draw(5, 4)),
        (torch.tensor([0]), draw(1, 1)),
        (torch.tensor([2]), draw(6, 3)),
        (torch.tensor([3, 0, 3, 1, 3, 2, 0]), draw(8, 9)),
        (torch.tensor([5, 1]), draw(7, 3, dtype=torch.float64)),
        (draw.whole(8, below=9)[::2], draw.apart(9, 5)),
        (draw.whole(60, below=50), draw(50, 30)),
    ]


def _embedded_cases(draw: Draw) -> list[Arguments]:
    def pair(ids: list[int], table: torch.Tensor) -> Arguments:
        return table[torch.tensor(ids)], table

    return [
        pair([2, 3, 1], torch.tensor(TABLE)),
        pair([4, 1, 2], draw(5, 4)),
        pair([0], draw(1, 1)),
        pair([2], draw(6, 3)),
        pair([3, 0, 3, 1, 3, 2, 0], draw(8, 9)),
        pair([5, 1], draw(7, 3, dtype=torch.float64)),
        (draw.apart(4, 5), draw.apart(9, 5)),
        pair(draw.whole(60, below=50).tolist(), draw(50, 30)),
    ]


def _recover_cases(draw: Draw) -> list[Arguments]:
    cases = _embedded_cases(draw)
    table = draw.apart(9, 5)
    rows = torch.empty(4, 10, dtype=table.dtype)[:, ::2]
    rows[:] = table[torch.tensor([8, 2, 8, 0])]
    cases[6] = (rows, table)
    return cases


def _ids_of(embedded: torch.Tensor, table: torch.Tensor) -> list[int]:
    return [int((table == row).all(-1).nonzero()[0, 0]) for row in embedded]


def _vector_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([0.0, 1, 1, 2]), torch.tensor(TABLE)),
        (draw(4), draw(5, 4)),
        (draw(1), draw(1, 1)),
        (draw(1), draw(6, 1)),
        (draw(3), draw(8, 3)),
        (draw(2), draw(9, 2)),
        (draw(4), draw(7, 4)),
        (draw(2, dtype=torch.float64), draw(7, 2, dtype=torch.float64)),
        (draw.apart(5), draw.apart(9, 5)),
        (draw(30), draw(50, 30)),
    ]


def _shares_to_take(n: int, place: int, other: int, share: float) -> torch.Tensor:
    shares = torch.eye(n)
    shares[place, place] = 1 - share
    shares[place, other] = share
    return shares


def _with_row(n: int, place: int, row: torch.Tensor) -> torch.Tensor:
    """Each word as it is, (n, n), but for this row."""
    shares = torch.eye(n)
    shares[place] = row
    return shares


def _rest_to_all(n: int, place: int, other: int, share: float) -> torch.Tensor:
    """A row, (n,), with the share of one word, and the rest shared out among all others, the word itself too."""
    row = torch.full((n,), (1 - share) / (n - 1))
    row[other] = share
    return row


def _nearer_than_before(vector: torch.Tensor, table: torch.Tensor) -> int:
    """The last row that is nearer than the row before it."""
    best, distances = 0, (table - vector).norm(dim=-1)
    for i in range(len(table)):
        if distances[i] < distances[i - 1]:
            best = i
    return best


EXERCISES = [
    Exercise(
        name="embed",
        lesson=1,
        statement="Look up the vector of each id in the table.",
        reference=lambda ids, table: table[ids],
        cases=_table_cases,
        verified="Each word has the row of its id, and the same word has the same vector everywhere.",
        mistakes=[
            Mistake(
                "columns",
                lambda ids, table: table[:, ids],
                "You pick columns of the table. A word's vector is a row: the first index says which.",
            ),
            Mistake(
                "first-rows",
                lambda ids, table: table[: len(ids)],
                "You take the first rows of the table, whatever the ids are. Row i of the result belongs to `ids[i]`.",
            ),
            Mistake(
                "summed",
                lambda ids, table: table[ids].sum(0),
                "You add the vectors of all words up. Attention needs a vector for each word.",
            ),
            Mistake(
                "averaged",
                lambda ids, table: table[ids].mean(0),
                "You average over the words. Attention needs a vector for each word.",
            ),
            Mistake(
                "transposed",
                lambda ids, table: table[ids].T,
                "You have a column for each word. Rows are words, all through the course.",
            ),
            Mistake(
                "from-one",
                lambda ids, table: table[ids - 1],
                "Each word has the row before its own. Ids count from 0, as rows do.",
            ),
            Mistake(
                "repeats-dropped",
                lambda ids, table: table[ids.unique()],
                "A word that comes twice has only one row in your result, or the order is lost. Each word of the "
                "sentence needs its row, in the order of the sentence.",
            ),
        ],
        hints=[
            "What does `table[5]` give, and what `table[torch.tensor([5, 0])]`?",
            "A one-hot row times the table does the same; so does picking all rows at once with `ids` as the index.",
        ],
    ),
    Exercise(
        name="recover_ids",
        lesson=1,
        statement="Find the id of each row again: whose row of the table is it?",
        reference=_ids_of,
        cases=_recover_cases,
        verified="Each row is found in the table, also where the same word comes twice.",
        gradient=False,
        mistakes=[
            Mistake(
                "positions",
                lambda embedded, table: list(range(len(embedded))),
                "You number the rows by their place in the sentence. An id says where a row stands in the *table*.",
            ),
            Mistake(
                "product",
                lambda embedded, table: (embedded @ table.T).argmax(-1),
                "You take the row with the largest product. A long row of the table can win that: look for equal rows.",
            ),
            Mistake(
                "first-number",
                lambda embedded, table: [int((table[:, 0] - row[0]).abs().argmin()) for row in embedded],
                "You compare only the first number of each row. Two words may share it: all numbers must be equal.",
            ),
            Mistake(
                "any-number",
                lambda embedded, table: [int((table == row).any(-1).nonzero()[0, 0]) for row in embedded],
                "You take a row of the table as soon as *one* number is equal. All numbers of the row must be.",
            ),
            Mistake(
                "repeats-dropped",
                lambda embedded, table: list(dict.fromkeys(_ids_of(embedded, table))),
                "A word that comes twice has only one id in your list. Give an id for each row of `embedded`.",
            ),
            Mistake(
                "sorted",
                lambda embedded, table: sorted(_ids_of(embedded, table)),
                "Your ids are sorted by size, so the order of the words is lost.",
            ),
            Mistake(
                "where-in-embedded",
                lambda embedded, table: [
                    int((embedded == row).all(-1).nonzero()[0, 0]) for row in table if (embedded == row).all(-1).any()
                ],
                "You look for the rows of the table in the sentence. What you need is the other way round: where "
                "in the table does each row of the sentence stand?",
            ),
            Mistake(
                "from-one",
                lambda embedded, table: [number + 1 for number in _ids_of(embedded, table)],
                "Each id is one too high. Rows count from 0.",
            ),
            Mistake(
                "every-hit",
                lambda embedded, table: [i for row in embedded for i, other in enumerate(table) if other[0] == row[0]],
                "You take every row of the table that begins with the same number. Rows are equal only where all "
                "their numbers are.",
            ),
            Mistake(
                "sums",
                lambda embedded, table: [int((table.sum(-1) - row.sum()).abs().argmin()) for row in embedded],
                "You compare the sums of the rows. Different rows can have the same sum: compare number by number.",
            ),
            Mistake(
                "each-once",
                lambda embedded, table: sorted(set(_ids_of(embedded, table))),
                "You give each id once, in order of size. Each row of `embedded` needs its id, in the order of "
                "the rows.",
            ),
        ],
        hints=[
            "Take one row of `embedded` and go through those of the table. Which of them is the same in all numbers?",
            "`torch.equal(one, other)` says whether two rows are the same in all their numbers.",
            "`for word_id, row_of_word in enumerate(table)` gives each row of the table with its id.",
        ],
    ),
    Exercise(
        name="shares_to_take",
        lesson=1,
        statement="Make the (n, n) shares with which one word takes a share of another, and all others stay.",
        reference=_shares_to_take,
        cases=lambda draw: [
            (5, 3, 1, 0.6),
            (4, 0, 2, 0.75),
            (2, 0, 1, 0.25),
            (2, 1, 0, 0.9),
            (3, 2, 0, 1.0),
            (6, 1, 5, 0.3),
            (11, 7, 1, 0.6),
            (3, 1, 2, 0.0),
        ],
        verified="Each row adds up to 1, and every word but one takes all of itself.",
        gradient=False,
        mistakes=[
            Mistake(
                "column",
                lambda n, place, other, share: _shares_to_take(n, place, other, share).T,
                "You change a column. What new vector i is made of stands in *row* i.",
            ),
            Mistake(
                "one-row",
                lambda n, place, other, share: _shares_to_take(n, place, other, share)[place],
                "That is the row of the word that changes. The others need a row each, too: one that takes all of the "
                "word itself.",
            ),
            Mistake(
                "others-empty",
                lambda n, place, other, share: torch.zeros(n, n).index_put(
                    (torch.tensor(place),), _shares_to_take(n, place, other, share)[place]
                ),
                "The rows of all other words hold zeros, so their new vectors would be zeros. Which row leaves a word "
                "as it is?",
            ),
            Mistake(
                "all-of-itself",
                lambda n, place, other, share: (
                    torch.eye(n)
                    + share * _with_row(n, place, torch.eye(n)[other])
                    - share * _with_row(n, place, torch.zeros(n))
                ),
                "The word takes the share, and still all of itself, so its row adds up to more than 1.",
            ),
            Mistake(
                "exchanged",
                lambda n, place, other, share: _shares_to_take(n, place, other, 1 - share),
                "The word takes `share` of itself and the rest of the other. It is the other way round.",
            ),
            Mistake(
                "the-giver",
                lambda n, place, other, share: _shares_to_take(n, other, place, share),
                "You change the row of the word that gives. The row belongs to the word that takes.",
            ),
            Mistake(
                "both",
                lambda n, place, other, share: (
                    _shares_to_take(n, place, other, share) + _shares_to_take(n, other, place, share) - torch.eye(n)
                ),
                "Both words change. The one in place `other` gives, and keeps its own vector.",
            ),
            Mistake(
                "rest-to-all",
                lambda n, place, other, share: _with_row(n, place, _rest_to_all(n, place, other, share)),
                "You share the rest out among all words. It belongs to the word itself.",
            ),
        ],
        hints=[
            "Which row, times `embedded`, gives row i of `embedded` again? Step 3 has such rows.",
            "`torch.eye(n)` has a 1 at the place of each word itself. Which two numbers of it have to change?",
        ],
    ),
    Exercise(
        name="nearest_id",
        lesson=1,
        statement="Give the id of the word whose row lies nearest to a vector.",
        reference=lambda vector, table: int((table - vector).square().sum(-1).argmin()),
        cases=_vector_cases,
        verified="Of all rows, the one at the smallest distance.",
        gradient=False,
        mistakes=[
            Mistake(
                "farthest",
                lambda vector, table: int((table - vector).norm(dim=-1).argmax()),
                "You give the row that is farthest away. The nearest has the smallest distance.",
            ),
            Mistake(
                "product",
                lambda vector, table: int((table @ vector).argmax()),
                "You take the row with the largest product. A long row can win that from far away: compare distances.",
            ),
            Mistake(
                "signs-kept",
                lambda vector, table: int((table - vector).sum(-1).argmin()),
                "You add up the differences with their signs, so that too much here makes up for too little there. "
                "Square them first.",
            ),
            Mistake(
                "wrong-axis",
                lambda vector, table: int((table - vector).norm(dim=0).argmin()),
                "You add up along the wrong axis, so your result is the number of a column. A word is a row.",
            ),
            Mistake(
                "distance",
                lambda vector, table: float((table - vector).norm(dim=-1).min()),
                "You return the smallest distance. What you need is the id of the row that has it.",
            ),
            Mistake(
                "from-one",
                lambda vector, table: int((table - vector).norm(dim=-1).argmin()) + 1,
                "Your id is one too high. Ids count from 0.",
            ),
            Mistake(
                "largest-difference",
                lambda vector, table: int((table - vector).abs().amax(-1).argmin()),
                "You go by the largest difference in a row. The distance counts all of them: it is the root of "
                "the sum of their squares.",
            ),
            Mistake(
                "sizes-added",
                lambda vector, table: int((table - vector).abs().sum(-1).argmin()),
                "You add up the sizes of the differences. A distance adds up their squares, so that one large "
                "difference counts more than several small ones.",
            ),
            Mistake(
                "lengths",
                lambda vector, table: int((table.norm(dim=-1) - vector.norm()).abs().argmin()),
                "You compare how long the vectors are. Two of one length can point in different directions, and "
                "so lie far apart.",
            ),
            Mistake(
                "first-number",
                lambda vector, table: int((table[:, 0] - vector[0]).abs().argmin()),
                "You compare the first numbers alone. How far is the whole row from the vector?",
            ),
            Mistake(
                "place-in-the-table",
                lambda vector, table: int((table - vector).square().argmin()),
                "You look for the smallest of all differences, and give its place in the whole table. Each row "
                "has one distance, made of all its numbers.",
            ),
            Mistake(
                "cosine",
                lambda vector, table: int(torch.cosine_similarity(table, vector[None], -1).argmax()),
                "You take the row whose direction is most alike. It can be far away: distance counts the length "
                "as well.",
            ),
            Mistake(
                "compared-with-the-one-before",
                _nearer_than_before,
                "You compare each row with the one before it, and not with the nearest so far.",
            ),
        ],
        hints=[
            "What is `table - vector`? Which numbers of it belong to one word?",
            "The distance between two vectors: square the differences, add them up, and take the root.",
            "`argmin` gives the place of the smallest number.",
        ],
    ),
]
