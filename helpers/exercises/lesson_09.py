"""Lesson 9, masks: who may attend to whom. True means "may attend"."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake


def _causal(n: int) -> torch.Tensor:
    return _last_queries(n, n)


def _last_queries(n_query: int, n_key: int, ahead: int = 0) -> torch.Tensor:
    """The causal mask, (n_query, n_key), where the queries are the last tokens, and see so many tokens ahead."""
    return torch.ones(n_query, n_key, dtype=torch.bool).tril(n_key - n_query + ahead)


def _padding(lengths: torch.Tensor, n_key: int) -> torch.Tensor:
    return (torch.arange(n_key) < lengths[:, None])[:, None]


def _mask_cases(draw: Draw) -> list[Arguments]:
    def sizes(n_query: int, n_key: int, scale: float = 1.0, dtype: torch.dtype = torch.float32) -> Arguments:
        return draw(n_query, n_key, scale=scale, dtype=dtype), draw(n_query, n_key) > -0.4

    no_key = draw(3, 5) > -0.4
    no_key[1] = False
    one_key = torch.zeros(2, 4, dtype=torch.bool)
    one_key[:, 2] = True
    return [
        (torch.tensor([[2.0, 4, 4], [4, 16, 12], [4, 12, 10]]), _causal(3)),
        (draw(3, 3), _causal(3)),
        (draw(1, 1), torch.ones(1, 1, dtype=torch.bool)),
        (draw(1, 1), torch.zeros(1, 1, dtype=torch.bool)),
        (draw(1, 4), torch.tensor([[True, False, True, True]])),
        sizes(2, 6),
        (draw(3, 5), no_key),
        (draw(2, 4, scale=200), one_key),
        sizes(6, 2, dtype=torch.float64),
        (draw.apart(5, 7), (draw(5, 14) > -0.4)[:, ::2]),
        sizes(40, 30),
    ]


def _length_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([4, 2, 3]), 4),
        (torch.tensor([1, 3, 4]), 4),
        (torch.tensor([1]), 1),
        (torch.tensor([2]), 3),
        (torch.tensor([5, 2]), 6),
        (torch.tensor([2, 7, 4, 1, 9]), 9),
        (torch.tensor([3, 0, 6, 0])[::2], 7),
        (draw.whole(30, below=20) + 1, 22),
    ]


def _filled(scores: torch.Tensor, mask: torch.Tensor, value: float) -> torch.Tensor:
    return torch.softmax(scores.masked_fill(~mask, value), -1)


def _masked_softmax(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    # where a row is masked altogether, softmax of all 0 keeps nan out of the gradient as well
    empty = ~mask.any(-1, keepdim=True)
    return _filled(scores, mask | empty, float("-inf")) * mask


def _naive(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    positive = scores.exp() * mask
    return positive / positive.sum(-1, keepdim=True)


def _masked_early(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.softmax(scores * mask, -1)


EXERCISES = [
    Exercise(
        name="causal_mask",
        lesson=9,
        statement="Make the mask with which the last tokens of a text attend to themselves and to all before them.",
        reference=lambda n_query, n_key: _last_queries(n_query, n_key),
        cases=lambda draw: [(2, 5), (2, 5), (1, 1), (1, 4), (3, 3), (3, 4), (5, 7), (23, 60)],
        verified="Each query sees itself and what comes before it, and the last row is True throughout.",
        gradient=False,
        mistakes=[
            Mistake(
                "inverted",
                lambda n_query, n_key: ~_last_queries(n_query, n_key),
                'Your mask is inverted. True means "may attend", and here it marks the future.',
            ),
            Mistake(
                "first-queries",
                lambda n_query, n_key: torch.ones(n_query, n_key, dtype=torch.bool).tril(),
                "Your queries are the first tokens of the text. Here they are the last: with 2 queries and 5 keys, "
                "which token is query 0?",
            ),
            Mistake(
                "future",
                lambda n_query, n_key: torch.ones(n_query, n_key, dtype=torch.bool).triu(n_key - n_query),
                "Each token attends to itself and to the future. Rows are queries: on which side is the past?",
            ),
            Mistake(
                "diagonal-masked",
                lambda n_query, n_key: _last_queries(n_query, n_key, ahead=-1),
                "No token may attend to itself in your mask. It may: its own word is given.",
            ),
            Mistake(
                "one-ahead",
                lambda n_query, n_key: _last_queries(n_query, n_key, ahead=1),
                "Each token also sees the next one, which is the one that it should predict.",
            ),
            Mistake(
                "all-true",
                lambda n_query, n_key: torch.ones(n_query, n_key, dtype=torch.bool),
                "Your mask is True everywhere. That is right for the last query only: the others would see the future.",
            ),
            Mistake(
                "only-itself",
                lambda n_query, n_key: _last_queries(n_query, n_key) & ~_last_queries(n_query, n_key, ahead=-1),
                "Each token attends to itself only. It may attend to the past, too.",
            ),
            Mistake(
                "keys-as-rows",
                lambda n_query, n_key: _last_queries(n_query, n_key).T,
                "Your rows are keys and your columns are queries. Rows are queries.",
            ),
            Mistake(
                "square",
                lambda n_query, n_key: _causal(n_key),
                "You made a row for each of the n_key tokens. Only the last n_query of them ask.",
            ),
            Mistake(
                "added-form",
                lambda n_query, n_key: torch.zeros(n_query, n_key).masked_fill(
                    ~_last_queries(n_query, n_key), float("-inf")
                ),
                "You made the kind of mask that is added to scores, with 0 and -inf. Here a mask is boolean: True "
                'means "may attend".',
            ),
            Mistake(
                "numbers",
                lambda n_query, n_key: _last_queries(n_query, n_key).float(),
                "The right keys are marked, but with numbers. A mask is boolean.",
            ),
        ],
        hints=[
            "Draw it for 2 queries and 5 keys. The tokens are numbered 0 to 4: which two ask, and which keys may each "
            "attend to?",
            "The last row is True throughout, and each row above it ends one key sooner.",
            "Query i is token i + n_key - n_query. Compare its number with those of the keys.",
        ],
    ),
    Exercise(
        name="padding_mask",
        lesson=9,
        statement="Make a mask that is False for padding, ready to be broadcast over the queries.",
        reference=_padding,
        cases=_length_cases,
        verified="In each sentence all queries may attend to the words, and none to the padding.",
        gradient=False,
        mistakes=[
            Mistake(
                "inverted",
                lambda lengths, n_key: ~_padding(lengths, n_key),
                'Your mask is inverted. True means "may attend", and here it marks the padding.',
            ),
            Mistake(
                "on-queries",
                lambda lengths, n_key: _padding(lengths, n_key).mT,
                "You masked queries instead of keys. No query may attend to padding: the last axis counts keys.",
            ),
            Mistake(
                "one-too-many",
                lambda lengths, n_key: (torch.arange(n_key) <= lengths[:, None])[:, None],
                "One key of padding is True. A sentence of length 3 has the keys 0, 1 and 2.",
            ),
            Mistake(
                "one-too-few",
                lambda lengths, n_key: (torch.arange(n_key) < lengths[:, None] - 1)[:, None],
                "The last word is masked. A sentence of length 3 has the keys 0, 1 and 2.",
            ),
            Mistake(
                "no-axis-for-queries",
                lambda lengths, n_key: _padding(lengths, n_key)[:, 0],
                "The axis for the queries is missing: (batch, n_key) would be matched with the wrong axes of the "
                "scores, (batch, n_query, n_key).",
            ),
            Mistake(
                "padding-at-the-start",
                lambda lengths, n_key: _padding(lengths, n_key).flip(-1),
                "You masked the start of each sentence. The padding stands at its end.",
            ),
            Mistake(
                "only-the-last",
                lambda lengths, n_key: (torch.arange(n_key) == lengths[:, None] - 1)[:, None],
                "Only the last word is True. Queries may attend to all words.",
            ),
            Mistake(
                "shortest-for-all",
                lambda lengths, n_key: _padding(lengths.min().expand(len(lengths)), n_key),
                "All sentences are cut to the shortest one. Each has a length of its own.",
            ),
            Mistake(
                "numbers",
                lambda lengths, n_key: _padding(lengths, n_key).float(),
                "The right keys are marked, but with numbers. A mask is boolean.",
            ),
        ],
        hints=[
            "For one sentence of length 3 with n_key = 5 the row is True True True False False.",
            "Compare the key numbers 0, 1, 2 ... with the length. As a column, all lengths are compared at once.",
            "The result has three axes, and the middle one has size 1.",
        ],
    ),
    Exercise(
        name="masked_softmax",
        lesson=9,
        statement="Softmax over the keys where the mask is True; a row without any becomes all 0.",
        reference=_masked_softmax,
        cases=_mask_cases,
        verified="Masked keys have weight 0, the others share 1, and a row that is masked altogether is 0, not nan.",
        mistakes=[
            Mistake(
                "mask-inverted",
                lambda scores, mask: _masked_softmax(scores, ~mask),
                'Your mask works the wrong way round: the masked keys share the weight. True means "may attend".',
            ),
            Mistake(
                "not-renormalised",
                lambda scores, mask: torch.softmax(scores, -1) * mask,
                "You mask after softmax, so the rows no longer sum to 1. Masked keys must not take part in the sum.",
            ),
            Mistake(
                "zero-instead-of-inf",
                _masked_early,
                "You set masked scores to 0. A score of 0 is a score like any other, and gets a weight: which "
                "number becomes 0 in `exp`?",
            ),
            Mistake(
                "masked-row-is-nan",
                lambda scores, mask: _filled(scores, mask, float("-inf")),
                "Right, but for one thing: a row that is masked altogether becomes nan. There it is 0 divided by 0; "
                "such a row must be all 0.",
            ),
            Mistake(
                "masked-row-is-even",
                lambda scores, mask: _filled(scores, mask, -1e9),
                "Right, but for one thing: in a row that is masked altogether all keys get the same weight, "
                "because a large negative number is not -inf. Such a row must be all 0.",
            ),
            Mistake(
                "not-low-enough",
                lambda scores, mask: _filled(scores, mask, -100.0),
                "Your number for masked scores is not low enough: where scores are large and negative, masked "
                "keys win. Which number is smaller than every other?",
            ),
            Mistake("mask-ignored", lambda scores, mask: torch.softmax(scores, -1), "The mask is not used."),
            Mistake(
                "wrong-axis",
                lambda scores, mask: _masked_softmax(scores.mT, mask.mT).mT,
                "Your columns sum to 1, not your rows.",
            ),
            Mistake(
                "mask-added",
                lambda scores, mask: torch.softmax(scores + mask, -1),
                "You add the mask to the scores: True counts as 1, so allowed keys only gain a little. A masked key "
                "must get no weight at all.",
            ),
            Mistake(
                "weights-minus-inf",
                lambda scores, mask: torch.softmax(scores, -1).masked_fill(~mask, float("-inf")),
                "You put -inf into the weights. It belongs into the scores, before softmax turns it into 0.",
            ),
            Mistake(
                "no-max-trick",
                lambda scores, mask: torch.nan_to_num(_naive(scores, mask)),
                "Right for small scores, but large ones overflow in `exp`. What may be subtracted from a whole row?",
            ),
        ],
        hints=[
            "Which score becomes a weight of exactly 0, when `exp` is taken of it?",
            "`masked_fill` puts a number where a mask is True; `~mask` is the mask turned around.",
            "A row of nothing but -inf becomes nan. After softmax, put 0 wherever the mask is False.",
        ],
    ),
    Exercise(
        name="decoder_mask",
        lesson=9,
        statement="Combine the causal mask with the padding of each sentence.",
        reference=lambda lengths, n: _causal(n) & _padding(lengths, n),
        cases=_length_cases,
        verified="True is what both masks allow: the past, as far as it is not padding.",
        gradient=False,
        mistakes=[
            Mistake(
                "or",
                lambda lengths, n: _causal(n) | _padding(lengths, n),
                'You combine the masks with "or", so a query may attend to future words, and to past padding. '
                "A key must pass both masks.",
            ),
            Mistake(
                "causal-only",
                lambda lengths, n: _causal(n).expand(len(lengths), -1, -1),
                "Your mask allows padding. Where do the lengths come in?",
            ),
            Mistake(
                "padding-only",
                lambda lengths, n: _padding(lengths, n).expand(-1, n, -1),
                "Your mask allows the future. Where does the causal mask come in?",
            ),
            Mistake(
                "padding-on-queries",
                lambda lengths, n: _causal(n) & _padding(lengths, n).mT,
                "You masked the rows of the padding, so these queries have no key at all. It is the keys, the "
                "columns, that no query may attend to.",
            ),
            Mistake(
                "inverted",
                lambda lengths, n: ~(_causal(n) & _padding(lengths, n)),
                'Your mask is inverted. True means "may attend".',
            ),
            Mistake(
                "diagonal-masked",
                lambda lengths, n: _causal(n).tril(-1) & _padding(lengths, n),
                "The diagonal is masked: a token does not attend to itself, and the first one to nothing at all.",
            ),
            Mistake(
                "future",
                lambda lengths, n: _causal(n).T & _padding(lengths, n),
                "Each token attends to itself and to the future. Rows are queries: which triangle is the past?",
            ),
            Mistake(
                "exclusive-or",
                lambda lengths, n: _causal(n) ^ _padding(lengths, n),
                "Your mask is True where exactly one of the two is. A key must pass both.",
            ),
        ],
        hints=[
            "Make both masks: the causal one is (n, n), the one for padding (batch, 1, n). Which shape do they have "
            "together?",
            'A query may attend to a key that is past and not padding. Which operator is "and" for boolean tensors?',
        ],
    ),
]
