"""Lesson 14, reviews: what counts in a mean, where words stand, what a word receives, what a head goes by."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake


def _real(*lengths: int, n: int) -> torch.Tensor:
    """True for the words of each text, False for the padding after them: (batch, n)."""
    return torch.arange(n) < torch.tensor(lengths)[:, None]


def _mean_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([[[2.0, 4.0], [4.0, 0.0], [9.0, 9.0], [9.0, 9.0]]]), _real(2, n=4)),
        (draw(1, 4, 2), _real(3, n=4)),
        (draw(1, 1, 1), _real(1, n=1)),
        (draw(2, 1, 3), _real(1, 1, n=1)),
        (draw(2, 5, 3), _real(4, 2, n=5)),
        (draw(4, 6, 5, dtype=torch.float64), _real(1, 6, 3, 4, n=6)),
        (draw.apart(3, 4, 2), _real(2, 4, 1, n=4)),
        (draw(12, 40, 30), _real(*range(3, 39, 3), n=40)),
    ]


def _masked_mean(x: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return (x * real[..., None]).sum(-2) / real.sum(-1)[..., None]


def _position_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([[1, 0, 2]]), torch.tensor([[1.0, 0], [0, 1], [2, 2]]), draw(5, 2)),
        (torch.tensor([[2, 2, 1]]), draw(3, 2), draw(5, 2)),
        (torch.tensor([[0]]), draw(1, 1), draw(2, 1)),
        (torch.tensor([[1]]), draw(2, 4), draw(3, 4)),
        (draw.whole(2, 3, below=5), draw(5, 4), draw(7, 4)),
        (draw.whole(4, 5, below=7), draw(7, 2, dtype=torch.float64), draw(9, 2, dtype=torch.float64)),
        (draw.whole(3, 8, below=5)[:, ::2], draw.apart(5, 6), draw.apart(7, 6)),
        (draw.whole(5, 20, below=40), draw(40, 30), draw(50, 30)),
    ]


def _with_positions(ids: torch.Tensor, table: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    return table[ids] + positions[: ids.shape[-1]]


def _weights(draw: Draw, batch: int, n_query: int, n_key: int, real: torch.Tensor | None = None) -> torch.Tensor:
    """Rows that sum to 1, (batch, n_query, n_key); keys that are padding get 0."""
    scores = 3 * draw(batch, n_query, n_key, dtype=torch.float64)
    if real is not None:
        scores = scores.masked_fill(~real[:, None, :], -torch.inf)
    return scores.softmax(-1).mT.contiguous().mT  # as a table that was turned, with its numbers in another order


def _received_cases(draw: Draw) -> list[Arguments]:
    by_hand = torch.tensor([[[0.5, 0.5, 0.0], [0.25, 0.75, 0.0], [1.0, 0.0, 0.0]]])
    again = torch.tensor([[[0.2, 0.8, 0.0], [0.9, 0.1, 0.0], [0.5, 0.5, 0.0]]])
    cases: list[Arguments] = [(by_hand, _real(2, n=3)), (again, _real(2, n=3)), (torch.ones(1, 1, 1), _real(1, n=1))]
    for *lengths, n in [(3, 4), (5, 2, 5), (2, 4, 1, 4), (6, 6, 6), (1, 6, 3, 4, 6)]:
        real = _real(*lengths, n=n)
        cases.append((_weights(draw, len(lengths), n, n, real), real))
    real = _real(*range(3, 39, 3), n=40)
    return [*cases, (_weights(draw, 12, 40, 40, real), real)]


def _received(weights: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return (weights * real[..., None]).sum(-2)


def _habit_cases(draw: Draw) -> list[Arguments]:
    by_hand = torch.tensor([[[0.6, 0.4, 0.0], [0.6, 0.4, 0.0], [0.1, 0.9, 0.0]], [[0.1, 0.2, 0.7]] * 3])
    again = torch.tensor([[[0.2, 0.3, 0.5]] * 3, [[0.3, 0.6, 0.1], [0.8, 0.1, 0.1], [0.3, 0.6, 0.1]]])
    cases: list[Arguments] = [(by_hand, torch.tensor([1, 0])), (again, torch.tensor([2, 1]))]
    cases += [(torch.ones(1, 1, 1), torch.tensor([0]))]
    for batch, n_query, n_key in [(3, 2, 4), (5, 3, 4), (7, 4, 3), (12, 5, 3), (40, 6, 4)]:
        weights = _weights(draw, batch, n_query, n_key)
        often = torch.where(draw(batch) > -0.5, weights.mean(-2).argmax(-1), draw.whole(batch, below=n_key))
        cases.append((weights, often))
    return cases


def _favourites(weights: torch.Tensor) -> torch.Tensor:
    return weights.mean(-2).argmax(-1)


def _share(right: torch.Tensor) -> torch.Tensor:
    return right.float().mean()


def _weight_there(weights: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    return weights.mean(-2).gather(-1, places[:, None]).mean()


EXERCISES = [
    Exercise(
        name="masked_mean",
        lesson=14,
        statement="Take the mean over the words of each text, and leave out the padding.",
        reference=_masked_mean,
        cases=_mean_cases,
        verified="Each text is the mean of its words, however much padding comes after them.",
        mistakes=[
            Mistake(
                "padding-counts",
                lambda x, real: x.mean(-2),
                "The vectors of padding are in your mean. They are no words, and longer padding would change the "
                "result.",
            ),
            Mistake(
                "divided-by-all",
                lambda x, real: (x * real[..., None]).mean(-2),
                "Padding adds nothing to your sum, but you still divide by the number of all places. So a short "
                "text gets a short vector.",
            ),
            Mistake(
                "sum",
                lambda x, real: (x * real[..., None]).sum(-2),
                "You add up and do not divide. Then a long text gets a long vector.",
            ),
            Mistake(
                "only-padding",
                lambda x, real: (x * ~real[..., None]).sum(-2) / (~real).sum(-1)[..., None].clamp(min=1),
                "The mask is inverted: your mean is over the padding.",
            ),
            Mistake(
                "words-of-the-batch",
                lambda x, real: (x * real[..., None]).sum(-2) / real.sum(),
                "You divide by the words of the whole batch. Each text has a number of words of its own.",
            ),
            Mistake(
                "mean-of-the-batch",
                lambda x, real: (x * real[..., None]).sum((0, 1)) / real.sum(),
                "All texts have become one vector. Which axis holds the places?",
            ),
            Mistake(
                "largest",
                lambda x, real: x.masked_fill(~real[..., None], -torch.inf).amax(-2),
                "You take the largest of each number, not the mean. Both are used in practice; here the mean is "
                "wanted.",
            ),
            Mistake(
                "first-word",
                lambda x, real: x[..., 0, :],
                "You return the first word's vector. The mean takes all words.",
            ),
        ],
        hints=[
            "Two things are wrong with a plain mean: what is added, and what it is divided by.",
            "`real` is (batch, n) and `x` is (batch, n, d_model): give `real` one more axis, then multiply.",
            "Divide the sum over the places by `real.sum(-1)`, which also needs one more axis.",
        ],
    ),
    Exercise(
        name="with_positions",
        lesson=14,
        statement="Look up the vector of each word and add the vector of its place.",
        reference=_with_positions,
        cases=_position_cases,
        verified="The same word has another vector in another place, and the same place adds the same in each text.",
        mistakes=[
            Mistake(
                "no-positions",
                lambda ids, table, positions: table[ids],
                "The places are missing. A model that gets this reads a bag of words.",
            ),
            Mistake(
                "only-positions",
                lambda ids, table, positions: positions[: ids.shape[-1]].expand(len(ids), -1, -1),
                "These are only the places. Which word stands there is missing.",
            ),
            Mistake(
                "position-of-the-id",
                lambda ids, table, positions: table[ids] + positions[ids],
                "You look the place up by the word's id. The same word then gets the same vector everywhere, and "
                "order is lost.",
            ),
            Mistake(
                "from-the-end",
                lambda ids, table, positions: table[ids] + positions[-ids.shape[-1] :],
                "You take the last rows of `positions`. The first word stands at position 0.",
            ),
            Mistake(
                "from-one",
                lambda ids, table, positions: table[ids] + positions[1 : ids.shape[-1] + 1],
                "You count from 1. The first word stands at position 0.",
            ),
            Mistake(
                "all-at-the-start",
                lambda ids, table, positions: table[ids] + positions[0],
                "You add the first place to all words. So all seem to stand in one place.",
            ),
            Mistake(
                "multiplied",
                lambda ids, table, positions: table[ids] * positions[: ids.shape[-1]],
                "You multiply words and places. Here they are added.",
            ),
            Mistake(
                "twice",
                lambda ids, table, positions: table[ids] + 2 * positions[: ids.shape[-1]],
                "The places count double in your sum.",
            ),
            Mistake(
                "concatenated",
                lambda ids, table, positions: torch.cat(
                    [table[ids], positions[: ids.shape[-1]].expand(len(ids), -1, -1)], -1
                ),
                "You put the two side by side, so a vector is twice as long. Lesson 10 compares the two ways; "
                "here they are added.",
            ),
        ],
        hints=[
            "A table of word vectors can be indexed with the whole tensor of ids. Which shape comes out?",
            "The texts have n places; `positions` has more. Take as many rows as there are places: the same for all "
            "texts of the batch.",
        ],
    ),
    Exercise(
        name="received",
        lesson=14,
        statement="Add up what each key receives from the queries that are words.",
        reference=_received,
        cases=_received_cases,
        verified="The keys of a text share what its words spend, and padding spends nothing.",
        mistakes=[
            Mistake(
                "padding-asks",
                lambda weights, real: weights.sum(-2),
                "Queries that are padding count in your sum. They spend a weight of 1 as well, but nobody asked with "
                "them.",
            ),
            Mistake(
                "spent",
                lambda weights, real: (weights * real[..., None]).sum(-1),
                "You add up over the keys. That is what each query spends, which is always 1; add up over the queries.",
            ),
            Mistake(
                "mean-of-words",
                lambda weights, real: _received(weights, real) / real.sum(-1, keepdim=True),
                "You divide by the number of words, so that an even share depends on the length of the text. Add up "
                "only.",
            ),
            Mistake(
                "mean-of-places",
                lambda weights, real: (weights * real[..., None]).mean(-2),
                "You take the mean over the queries, so that an even share is not 1 any more. Add up only.",
            ),
            Mistake(
                "only-padding-asks",
                lambda weights, real: (weights * ~real[..., None]).sum(-2),
                "The mask is inverted: only queries that are padding count.",
            ),
            Mistake(
                "first-query",
                lambda weights, real: weights[..., 0, :],
                "This is what the first query gives. All words of the text spend.",
            ),
            Mistake(
                "from-itself",
                lambda weights, real: weights.diagonal(dim1=-2, dim2=-1) * real,
                "This is what each word gives to itself. Add up what it gets from all.",
            ),
        ],
        hints=[
            "Rows are queries and columns are keys. What a key receives stands in its column.",
            "Make the rows of padding 0 first: `real` is (batch, n_query), and the weights have one axis more.",
            "`weights * real[..., None]` leaves those rows out. Then add up over the axis of the queries.",
        ],
    ),
    Exercise(
        name="habit",
        lesson=14,
        statement="Return the share of texts in which the key with the most weight stands in the given place.",
        reference=lambda weights, places: _share(_favourites(weights) == places),
        cases=_habit_cases,
        verified="Each text is counted once, and a head that goes by the candidate in every text gets 1.",
        gradient=False,
        mistakes=[
            Mistake(
                "queries-that-look-there",
                lambda weights, places: _share(weights.argmax(-1) == places[:, None]),
                "You count queries. Here each text counts once: average its queries first, then look for the largest "
                "weight.",
            ),
            Mistake(
                "most-common-map",
                lambda weights, places: _share(weights.mean((0, 1)).argmax() == places),
                "You average over the texts before you look for the largest weight. Each text has a map of its own.",
            ),
            Mistake(
                "mean-weight",
                _weight_there,
                "This is the mean weight that the candidate gets. Asked is in how many texts it gets the most.",
            ),
            Mistake(
                "count",
                lambda weights, places: (_favourites(weights) == places).sum(),
                "You count the texts. A share is divided by how many there are.",
            ),
            Mistake(
                "first-query-only",
                lambda weights, places: _share(weights[:, 0].argmax(-1) == places),
                "You look at the first query only. Average over all queries of a text.",
            ),
            Mistake(
                "not-there",
                lambda weights, places: _share(_favourites(weights) != places),
                "This is the share in which the key stands somewhere else.",
            ),
            Mistake(
                "least",
                lambda weights, places: _share(weights.mean(-2).argmin(-1) == places),
                "You look for the key with the least weight.",
            ),
            Mistake(
                "largest-of-all",
                lambda weights, places: _share(weights.amax(-2).argmax(-1) == places),
                "You go by the single largest weight of any query. Take the mean over the queries first.",
            ),
        ],
        hints=[
            "Three steps: average over the queries, find the key with the most weight in each text, compare.",
            "The axis of the queries is -2. After the mean there is one row of weights a text.",
            "`argmax(dim=-1)` gives a place for each text; compare it with `places` and take the mean of what is true.",
        ],
    ),
]
