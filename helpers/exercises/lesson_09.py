"""Lesson 9, masks and decoding: who may attend to whom, what is predicted, and how wrong it is."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake


def _causal(n: int) -> torch.Tensor:
    return _last_queries(n, n)


def _last_queries(n_query: int, n_key: int, ahead: int = 0) -> torch.Tensor:
    """The causal mask, (n_query, n_key), where the queries are the last tokens, and see so many tokens ahead."""
    return torch.ones(n_query, n_key, dtype=torch.bool).tril(n_key - n_query + ahead)


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
        (torch.tensor([[60.0, -60, 50], [40, 60, -50]]), torch.tensor([[False, True, False], [True, False, True]])),
        sizes(6, 2, dtype=torch.float64),
        (draw.apart(5, 7), (draw(5, 14) > -0.4)[:, ::2]),
        sizes(40, 30),
    ]


def _sentence_cases(draw: Draw) -> list[Arguments]:
    def case(lengths: list[int], n: int, pad: int = 0) -> Arguments:
        words = draw.whole(len(lengths), n, below=30)  # none of them is `pad`
        words = torch.where(words == pad, pad + 1, words)
        return words.masked_fill(torch.arange(n) >= torch.tensor(lengths)[:, None], pad), pad

    return [
        case([5, 3], 5),
        case([3, 4], 5),
        case([2], 2),
        (torch.tensor([[4]]), 0),
        (torch.tensor([[7, 7, 7, 3]]), 0),
        case([6, 2, 4], 6, pad=3),
        case([2, 8, 5, 7], 9, pad=9),
        (case([4, 7, 2, 6, 3], 14, pad=1)[0][:, ::2], 1),
        case([12, 3, 7, 20, 2, 9, 17, 5, 14, 11], 20),
    ]


def _input_and_target(ids: torch.Tensor, pad: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return ids[:, :-1], ids[:, 1:], ids[:, 1:] != pad


def _loss_cases(draw: Draw) -> list[Arguments]:
    def sizes(
        lengths: list[int], n: int, vocab_size: int, scale: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Arguments:
        wanted = draw.whole(len(lengths), n, below=vocab_size)
        return (
            draw(len(lengths), n, vocab_size, scale=scale, dtype=dtype),
            wanted,
            torch.arange(n) < torch.tensor(lengths)[:, None],
        )

    apart = sizes([4, 1], 5, 3)
    return [
        (
            torch.tensor([[[2.0, 1, 0], [0, 3, 1]], [[1.0, 0, 0], [9, 0, 0]]]),
            torch.tensor([[0, 1], [2, 1]]),
            torch.tensor([[True, True], [True, False]]),
        ),
        sizes([2, 1], 2, 3),
        sizes([1], 1, 1),
        sizes([1], 1, 4),
        sizes([3], 5, 4),
        sizes([2, 4, 3], 4, 6),
        sizes([5, 2], 6, 4, scale=3.0),
        sizes([1, 3, 2, 5], 5, 3, dtype=torch.float64),
        (draw.apart(2, 5, 3), *apart[1:]),
        sizes([11, 4, 7, 1, 9], 12, 30),
    ]


def _right_ones(scores: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """What stands at the right words: (batch, n, vocab_size), (batch, n) -> (batch, n)."""
    return scores.gather(-1, wanted[..., None])[..., 0]


def _losses(scores: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    return -_right_ones(torch.log_softmax(scores, -1), wanted)


def _mean_loss(scores: torch.Tensor, wanted: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    return _losses(scores, wanted)[counts].mean()


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


def _all_on_the_first(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Masked softmax, (n_query, n_key), where a row without keys gets all its weight at the first."""
    first = (torch.arange(scores.shape[1]) == 0).to(scores.dtype)
    return torch.where(mask.any(-1, keepdim=True), _masked_softmax(scores, mask), first)


def _without_the_end(ids: torch.Tensor, pad: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Input, target and marks, of which the last of each sentence is False."""
    counts = ids[:, 1:] != pad
    counts[:, -1] = False
    return ids[:, :-1], ids[:, 1:], counts


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
                "future-of-the-first",
                lambda n_query, n_key: torch.ones(n_query, n_key, dtype=torch.bool).triu(),
                "Each token attends to itself and to the future, and your queries are the first tokens of the text. "
                "Rows are queries: on which side is the past? And with 2 queries and 5 keys, which token is query 0?",
            ),
            Mistake(
                "inverted-of-the-first",
                lambda n_query, n_key: torch.ones(n_query, n_key, dtype=torch.bool).triu(1),
                'Your mask is inverted: True means "may attend", and here it marks the future. And your queries are '
                "the first tokens of the text: with 2 queries and 5 keys, which token is query 0?",
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
            Mistake(
                "own-place",
                lambda n_query, n_key: torch.eye(n_query, n_key, dtype=torch.bool),
                "Query i sees key i alone. It may see all before it, too, and the queries are the *last* tokens: "
                "which token is query 0?",
            ),
            Mistake(
                "past-alone",
                lambda n_query, n_key: torch.arange(n_key).expand(n_query, n_key) < n_key - n_query,
                "Your queries see the keys that were kept, and none of the tokens that ask. Each may attend to "
                "itself and to the queries before it.",
            ),
            Mistake(
                "last-columns",
                lambda n_query, n_key: torch.ones(n_query, n_key, dtype=torch.bool).tril()[:, -n_query:],
                "You cut columns off, so that keys are missing. Of which square mask are these queries the last "
                "*rows*?",
            ),
            Mistake(
                "square-of-queries",
                lambda n_query, n_key: torch.ones(n_query, n_query, dtype=torch.bool).tril(),
                "Your mask has a column for each query. It needs one for each key, those that were kept too.",
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
                "You put -inf into the weights. It belongs in the scores, before softmax turns it into 0.",
            ),
            Mistake(
                "no-max-trick",
                lambda scores, mask: torch.nan_to_num(_naive(scores, mask)),
                "Right for small scores, but large ones overflow in `exp`. What may be subtracted from a whole row?",
            ),
            Mistake(
                "renormalised",
                lambda scores, mask: (kept := torch.softmax(scores, -1) * mask) / kept.sum(-1, keepdim=True),
                "You mask after softmax and share out again. Where all the weight lies on masked keys, 0 is "
                "divided by 0: mask the scores, before softmax.",
            ),
            Mistake(
                "renormalised-with-care",
                lambda scores, mask: (kept := torch.softmax(scores, -1) * mask) / (kept.sum(-1, keepdim=True) + 1e-9),
                "You mask after softmax and share out again. Where nearly all the weight lies on masked keys, "
                "hardly any is left to share: mask the scores, before softmax.",
            ),
            Mistake(
                "renormalised-no-nan",
                lambda scores, mask: (
                    (kept := torch.softmax(scores, -1) * mask) / kept.sum(-1, keepdim=True)
                ).nan_to_num(),
                "You mask after softmax and share out again. Where all the weight lies on masked keys, none is "
                "left to share: mask the scores, before softmax.",
            ),
            Mistake(
                "zero-and-masked",
                lambda scores, mask: torch.softmax(scores.masked_fill(~mask, 0), -1) * mask,
                "You set masked scores to 0, which still takes a part of the sum, so that the rest adds up to "
                "less than 1. Which score becomes 0 in `exp`?",
            ),
            Mistake(
                "plus-infinity",
                lambda scores, mask: torch.softmax(scores.masked_fill(~mask, torch.inf), -1).nan_to_num(),
                "You set masked scores to plus infinity. Which score becomes 0 in `exp`?",
            ),
            Mistake(
                "ten-below",
                lambda scores, mask: torch.softmax(scores.masked_fill(~mask, -10), -1) * mask,
                "-10 is a score like others, and may even be higher than they are. Only minus infinity is lower "
                "than all.",
            ),
            Mistake(
                "inf-times-mask",
                lambda scores, mask: torch.softmax(scores + -torch.inf * ~mask, -1).nan_to_num(),
                "You multiply infinity with the mask, and infinity times 0 is nan. `masked_fill` sets only the "
                "masked places.",
            ),
            Mistake(
                "inf-times-mask-nan",
                lambda scores, mask: torch.softmax(scores + -torch.inf * ~mask, -1),
                "You multiply infinity with the mask: infinity times 0 is nan. `masked_fill` sets only the masked "
                "places.",
            ),
            Mistake(
                "no-exp",
                lambda scores, mask: ((kept := scores * mask) / kept.sum(-1, keepdim=True)).nan_to_num(),
                "You divide scores by their sum, without `exp`. Scores below 0 then make weights below 0.",
            ),
            Mistake(
                "all-zero",
                lambda scores, mask: torch.softmax(scores.masked_fill(~mask, -torch.inf), -1) * mask.any(-1).all(),
                "One row without keys makes your whole table 0. Only that row should be.",
            ),
            Mistake(
                "causal",
                lambda scores, mask: torch.softmax(scores.masked_fill(~torch.ones_like(mask).tril(), -torch.inf), -1),
                "You make a mask of your own. `mask` says which keys count.",
            ),
            Mistake(
                "even",
                lambda scores, mask: mask / mask.sum(-1, keepdim=True),
                "All keys of a row get the same weight, whatever their scores.",
            ),
            Mistake(
                "first-key",
                _all_on_the_first,
                "A row that may attend to none gets a weight at the first key. It must be all 0.",
            ),
            Mistake(
                "mask-subtracted",
                lambda scores, mask: torch.softmax(scores - 100 * mask, -1),
                "You lower the scores of the keys that *may* be attended to: those are marked True. The others "
                "must get no "
                "weight at all.",
            ),
            Mistake(
                "logarithm-of-the-mask",
                lambda scores, mask: torch.softmax(scores * mask.log(), -1),
                "You multiply the scores with the logarithm of the mask, which is 0 where a key counts. What must "
                "be added, so that a masked score becomes minus infinity?",
            ),
        ],
        hints=[
            "Which score becomes a weight of exactly 0, when `exp` is taken of it?",
            "`masked_fill` puts a number where a mask is True; `~mask` is the mask turned around.",
            "A row of nothing but -inf becomes nan. After softmax, put 0 wherever the mask is False.",
        ],
    ),
    Exercise(
        name="input_and_target",
        lesson=9,
        statement="Make the decoder's input and its target, and mark the places of the target that count.",
        reference=_input_and_target,
        cases=_sentence_cases,
        verified="The target is the input one place further on, and places count where a word or an end is to come.",
        gradient=False,
        mistakes=[
            Mistake(
                "counts-of-input",
                lambda ids, pad: (ids[:, :-1], ids[:, 1:], ids[:, :-1] != pad),
                "You count where the *input* is a word. After the end, which is given, padding would be the right "
                "answer: which of the two tensors decides?",
            ),
            Mistake(
                "all-count",
                lambda ids, pad: (ids[:, :-1], ids[:, 1:], torch.ones_like(ids[:, 1:], dtype=torch.bool)),
                "All your places count. Where the right answer would be padding, there is nothing to learn.",
            ),
            Mistake(
                "inverted",
                lambda ids, pad: (ids[:, :-1], ids[:, 1:], ids[:, 1:] == pad),
                "Your marks are inverted: True is for the places that count, and here it marks the padding.",
            ),
            Mistake(
                "exchanged",
                lambda ids, pad: (ids[:, 1:], ids[:, :-1], ids[:, 1:] != pad),
                "Input and target are exchanged: your decoder is given a word and asked for the one before it.",
            ),
            Mistake(
                "not-shifted",
                lambda ids, pad: (ids[:, :-1], ids[:, :-1], ids[:, :-1] != pad),
                "Your target is the input itself. What should come out at a place is the token that comes next.",
            ),
            Mistake(
                "both-without-the-first",
                lambda ids, pad: (ids[:, 1:], ids[:, 1:], ids[:, 1:] != pad),
                "Your input has no start any more, and the target is the same. Which end does each of the two lose?",
            ),
            Mistake(
                "rolled",
                lambda ids, pad: (ids, ids.roll(-1, -1), ids.roll(-1, -1) != pad),
                "You rolled the tokens round, so the last place has to predict the first token of its own sentence. "
                "Both tensors are one token shorter than `ids`.",
            ),
            Mistake(
                "last-word-cut",
                lambda ids, pad: (
                    ids[:, :-1],
                    ids[:, 1:],
                    (ids[:, 1:] != pad) & (ids[:, 2:] != pad).sum(-1)[:, None].ge(torch.arange(1, ids.shape[1])),
                ),
                "The last token of each sentence does not count in your marks. It does: a decoder must learn where "
                "to stop.",
            ),
            Mistake(
                "along-sentences",
                lambda ids, pad: (ids[:-1], ids[1:], ids[1:] != pad),
                "You cut off a sentence, not a token: the first axis counts sentences.",
            ),
            Mistake(
                "numbers",
                lambda ids, pad: (ids[:, :-1], ids[:, 1:], (ids[:, 1:] != pad).float()),
                "The right places are marked, but with numbers. True and False are wanted.",
            ),
            Mistake(
                "no-shift",
                lambda ids, pad: (ids, ids, ids != pad),
                "Input and target are the same, so that each word would be predicted from itself. The target is "
                "one place further on.",
            ),
            Mistake(
                "target-not-cut",
                lambda ids, pad: (ids[:, :-1], ids, ids != pad),
                "Your target still begins with `<start>`, which nothing predicts. It is one place further on than "
                "the input.",
            ),
            Mistake(
                "counts-not-cut",
                lambda ids, pad: (ids[:, :-1], ids[:, 1:], ids != pad),
                "Your marks have a column too many: they belong to the target, which is one shorter than `ids`.",
            ),
            Mistake(
                "picked",
                lambda ids, pad: (ids[:, :-1], ids[:, 1:], ids[:, 1:][ids[:, 1:] != pad]),
                "You pick the words that count. What you need are marks, True or False, for all places of the target.",
            ),
            Mistake(
                "by-two",
                lambda ids, pad: (ids[:, :-2], ids[:, 2:], ids[:, 2:] != pad),
                "Your target is two places further on. Which word follows the first?",
            ),
            Mistake(
                "start-cut-off",
                lambda ids, pad: (ids[:, 1:-1], ids[:, 2:], ids[:, 2:] != pad),
                "You cut `<start>` off the input. The first word is predicted from it.",
            ),
            Mistake(
                "above-pad",
                lambda ids, pad: (ids[:, :-1], ids[:, 1:], ids[:, 1:] > pad),
                "You count words whose id is larger than `pad`. Padding need not have the smallest id.",
            ),
            Mistake(
                "padding-replaced",
                lambda ids, pad: (ids[:, :-1], ids[:, 1:].masked_fill(ids[:, 1:] == pad, -100), ids[:, 1:] != pad),
                "You replace the padding in the target. It may stay: the marks say that it does not count.",
            ),
            Mistake(
                "pad-0",
                lambda ids, pad: (ids[:, :-1], ids[:, 1:], ids[:, 1:] != 0),
                "You take 0 for the padding. `pad` says which id it is.",
            ),
            Mistake(
                "end-left-out",
                _without_the_end,
                "The last place never counts in your function. There a word, or `<end>`, may be wanted.",
            ),
            Mistake(
                "last-token",
                lambda ids, pad: (ids[:, :-1], ids[:, -1:], ids[:, -1:] != pad),
                "Your target is the last token alone. A decoder predicts the next token at *every* place of its input.",
            ),
        ],
        hints=[
            "Write down one sentence with its start, its end and two places of padding, and its target below it, as in "
            "step 1.",
            "Under the end, which is given, stands padding. So a place can have a token in the input and still not "
            "count.",
        ],
    ),
    Exercise(
        name="mean_loss",
        lesson=9,
        statement="Take the mean cross entropy of the places that count.",
        reference=_mean_loss,
        cases=_loss_cases,
        verified="It is the mean of minus log p over the places that count, whatever sentence they stand in.",
        mistakes=[
            Mistake(
                "all-count",
                lambda scores, wanted, counts: _losses(scores, wanted).mean(),
                "All your places count. Where `counts` is False, the wanted word is padding.",
            ),
            Mistake(
                "divided-by-all",
                lambda scores, wanted, counts: (_losses(scores, wanted) * counts).mean(),
                "The right places are added up, but you divide by the number of all places. How many count?",
            ),
            Mistake(
                "mean-of-sentences",
                lambda scores, wanted, counts: ((_losses(scores, wanted) * counts).sum(-1) / counts.sum(-1)).mean(),
                "You take the mean of each sentence, and then the mean of those, so a place of a short sentence weighs "
                "more. Each place that counts should weigh the same.",
            ),
            Mistake(
                "sum",
                lambda scores, wanted, counts: _losses(scores, wanted)[counts].sum(),
                "You add the losses up. The mean is wanted, so that long and short batches can be compared.",
            ),
            Mistake(
                "sign",
                lambda scores, wanted, counts: -_mean_loss(scores, wanted, counts),
                "Your sign is wrong: the logarithm of a probability is below 0, and a loss is above.",
            ),
            Mistake(
                "scores-themselves",
                lambda scores, wanted, counts: -_right_ones(scores, wanted)[counts].mean(),
                "You take the scores themselves. They become probabilities first: by what?",
            ),
            Mistake(
                "no-logarithm",
                lambda scores, wanted, counts: 1 - _right_ones(torch.softmax(scores, -1), wanted)[counts].mean(),
                "You measure how far the probability is from 1. The loss is minus its logarithm.",
            ),
            Mistake(
                "log-of-the-mean",
                lambda scores, wanted, counts: -_right_ones(torch.softmax(scores, -1), wanted)[counts].mean().log(),
                "You take the mean of the probabilities, and then its logarithm. Which of the two comes first?",
            ),
            Mistake(
                "softmax-twice",
                lambda scores, wanted, counts: _mean_loss(torch.softmax(scores, -1), wanted, counts),
                "Softmax runs twice. `cross_entropy` takes scores and runs it itself.",
            ),
            Mistake(
                "over-places",
                lambda scores, wanted, counts: -_right_ones(torch.log_softmax(scores, -2), wanted)[counts].mean(),
                "Your softmax runs over the places. At each place the *words* share the probability of 1.",
            ),
            Mistake(
                "most-likely-word",
                lambda scores, wanted, counts: -torch.log_softmax(scores, -1).amax(-1)[counts].mean(),
                "You take the most likely word of each place. The loss asks for the right one.",
            ),
            Mistake(
                "base-2",
                lambda scores, wanted, counts: _mean_loss(scores, wanted, counts) / torch.tensor(2.0).log(),
                "You use the logarithm to base 2. Here it is the natural one.",
            ),
            Mistake(
                "log-of-scores",
                lambda scores, wanted, counts: -_right_ones(scores.log(), wanted)[counts].mean(),
                "You take the logarithm of the scores, and many of them are below 0. They become probabilities "
                "first: by what?",
            ),
            Mistake(
                "the-others",
                lambda scores, wanted, counts: _losses(scores, wanted)[~counts].mean(),
                "You take the places that do not count, and leave out those that do.",
            ),
            Mistake(
                "accuracy",
                lambda scores, wanted, counts: (scores.argmax(-1) == wanted)[counts].float().mean(),
                "You count how often the best word is the right one. The loss asks how probable the right one is.",
            ),
            Mistake(
                "scores-zeroed",
                lambda scores, wanted, counts: _losses(scores * counts[..., None], wanted).mean(),
                "You set the scores of padding to 0. Such a place still has a loss, and counts in the mean.",
            ),
            Mistake(
                "by-sentences",
                lambda scores, wanted, counts: (_losses(scores, wanted) * counts).sum() / len(scores),
                "You divide by the number of sentences. The mean is taken over all places that count.",
            ),
            Mistake(
                "squared-error",
                lambda scores, wanted, counts: (
                    (torch.softmax(scores, -1) - torch.nn.functional.one_hot(wanted, scores.shape[-1]))
                    .square()[counts]
                    .mean()
                ),
                "You take the mean squared error. Cross entropy is minus the logarithm of the right word's "
                "probability.",
            ),
            Mistake(
                "all-words",
                lambda scores, wanted, counts: -torch.log_softmax(scores, -1)[counts].mean(),
                "You take the mean over all words of the vocabulary. Only the right word of each place counts.",
            ),
            Mistake(
                "each-place",
                lambda scores, wanted, counts: _losses(scores, wanted)[counts],
                "You have a loss for each place. What you need is one number, their mean.",
            ),
            Mistake(
                "each-place-of-all",
                lambda scores, wanted, counts: _losses(scores, wanted),
                "You have a loss for every place, padding too. Which count, and what is their mean?",
            ),
            Mistake(
                "probability",
                lambda scores, wanted, counts: -_right_ones(torch.softmax(scores, -1), wanted)[counts].mean(),
                "You take the probability itself. The loss is minus its logarithm.",
            ),
            Mistake(
                "word-0-is-padding",
                lambda scores, wanted, counts: _losses(scores, wanted)[wanted != 0].mean(),
                "You leave word 0 out, as if it were padding. `counts` says which places count.",
            ),
        ],
        hints=[
            "First a loss for each place, (batch, n): minus the logarithm of the probability of its wanted word.",
            "`gather(-1, wanted[..., None])` picks one number out of each row. `torch.log_softmax` is softmax and "
            "logarithm in one.",
            "`losses[counts]` is a list of those places that count, from all sentences.",
        ],
    ),
]
