"""Lesson 12, training: which dates are new, what counts in the loss, and one step of a beam."""

import torch
from torch.nn.functional import cross_entropy, one_hot

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

Pair = tuple[torch.Tensor, torch.Tensor]


def _date_cases(draw: Draw) -> list[Arguments]:
    def some(n: int) -> torch.Tensor:
        years, months, days = 1997 + draw.whole(n, below=5), 1 + draw.whole(n, below=12), 1 + draw.whole(n, below=28)
        return 10_000 * years + 100 * months + days

    return [
        (
            torch.tensor([19990303, 20010815, 20010704]),
            torch.tensor([19990303, 19990321, 20000304, 20010401, 19980712]),
        ),
        (
            torch.tensor([20030109, 19970228, 19970511]),
            torch.tensor([20030228, 19970511, 19970109, 20040130, 19980211]),
        ),
        (torch.tensor([19990303]), torch.tensor([19990304])),
        (torch.tensor([19990303]), torch.tensor([20000303])),
        (torch.tensor([20000101, 20000201]), torch.tensor([20000301, 20000102, 20010101])),
        (some(9), some(4)),
        (some(16)[::2], some(11)),
        (some(30), some(25)),
    ]


def _leaked(training: torch.Tensor, validation: torch.Tensor) -> torch.Tensor:
    return torch.isin(validation // 100, training // 100)


def _month(dates: torch.Tensor) -> torch.Tensor:
    return dates // 100 % 100


def _loss_cases(draw: Draw) -> list[Arguments]:
    def sizes(
        n: int, vocab_size: int, padded: int, dtype: torch.dtype = torch.float32, scale: float = 1.0
    ) -> Arguments:
        wanted = draw.whole(n, below=vocab_size - 1) + 1
        wanted[n - padded :] = 0
        return draw(n, vocab_size, dtype=dtype, scale=scale), wanted, 0, 0.05

    return [
        (draw(4, 3), torch.tensor([2, 1, 0, 0]), 0, 0.1),
        (draw(4, 3), torch.tensor([1, 2, 1, 0]), 0, 0.3),
        (draw(1, 1), torch.tensor([0]), 5, 0.1),
        (draw(1, 4), torch.tensor([3]), 0, 0.2),
        (draw(5, 6), torch.tensor([4, 4, 2, 0, 1]), 4, 0.15),
        sizes(7, 4, 3),
        sizes(3, 5, 1, scale=200),
        sizes(6, 2, 2, dtype=torch.float64),
        (draw.apart(4, 6), torch.tensor([5, 0, 2, 0]), 0, 0.25),
        sizes(40, 30, 12),
    ]


def _smoothed_loss(scores: torch.Tensor, wanted: torch.Tensor, padding: int, smoothing: float) -> torch.Tensor:
    return _loss_of(_shares(scores, wanted, smoothing), scores, wanted, padding)


def _each(scores: torch.Tensor, wanted: torch.Tensor, smoothing: float) -> torch.Tensor:
    return cross_entropy(scores, wanted, reduction="none", label_smoothing=smoothing)


def _loss_of(shares: torch.Tensor, scores: torch.Tensor, wanted: torch.Tensor, padding: int) -> torch.Tensor:
    """The loss where these shares, (n, vocab_size), are wanted."""
    return -(shares * scores.log_softmax(-1)).sum(-1)[wanted != padding].mean()


def _shares(scores: torch.Tensor, wanted: torch.Tensor, smoothing: float) -> torch.Tensor:
    """How much is wanted of each token, (n, vocab_size)."""
    return _right(scores, wanted) * (1 - smoothing) + smoothing / scores.shape[-1]


def _right(scores: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    return one_hot(wanted, scores.shape[-1]).to(scores.dtype)


def _beam_cases(draw: Draw) -> list[Arguments]:
    def sizes(n: int, vocab_size: int, width: int, dtype: torch.dtype = torch.float32) -> Arguments:
        log_p = -draw(n, scale=1.0, dtype=dtype).abs()
        return log_p, 1.5 * draw(n, vocab_size, dtype=dtype) + 3 * draw(n, 1, dtype=dtype), width

    return [
        (torch.tensor([0.31, 0.30]).log(), torch.tensor([[4.0, 3.7, 1, 0], [-2, 0.5, -3, -1]]), 2),
        (torch.tensor([0.6, 0.1]).log(), torch.tensor([[1.0, 2, 0, 1.5], [9, 2, 3, 4]]), 2),
        (torch.tensor([-0.5]), torch.tensor([[1.0]]), 1),
        (torch.tensor([-1.0]), torch.tensor([[0.5, 2.0, 1.0]]), 2),
        sizes(3, 5, 4),
        sizes(4, 6, 3),
        (-draw(5, scale=4).abs(), draw(5, 8), 2),
        (-draw(6, scale=3).abs(), draw(6, 7), 3),
        sizes(2, 7, 5, torch.float64),
        sizes(5, 3, 6),
        (-draw(4).abs(), draw.apart(4, 9, scale=3), 3),
        sizes(20, 30, 8),
    ]


def _best(longer: torch.Tensor, width: int) -> Pair:
    """The hypotheses and the tokens of the largest numbers: (n, vocab_size) -> (width,) twice."""
    places = longer.flatten().topk(width).indices
    return places // longer.shape[1], places % longer.shape[1]


def _beam_step(log_p: torch.Tensor, scores: torch.Tensor, width: int) -> Pair:
    return _best(log_p[:, None] + scores.log_softmax(-1), width)


def _best_of_each(log_p: torch.Tensor, scores: torch.Tensor, width: int) -> Pair:
    longer = log_p[:, None] + scores.log_softmax(-1)
    order = longer.amax(-1).argsort(descending=True)[:width]
    return order, longer.argmax(-1)[order]


def _of_the_best_hypothesis(log_p: torch.Tensor, scores: torch.Tensor, width: int) -> Pair:
    first = log_p.argmax()
    tokens = scores[first].argsort(descending=True)[:width]
    return first.expand(len(tokens)), tokens


def _each_token_once(log_p: torch.Tensor, scores: torch.Tensor, width: int) -> Pair:
    best, hypothesis = (log_p[:, None] + scores.log_softmax(-1)).max(0)
    tokens = best.argsort(descending=True)[:width]
    return hypothesis[tokens], tokens


def _each_flipped(pair: Pair) -> Pair:
    return pair[0].flip(0), pair[1].flip(0)


def _in_order_of_place(log_p: torch.Tensor, scores: torch.Tensor, width: int) -> Pair:
    places = _flat(log_p, scores, width)[1].sort().values
    return places // scores.shape[1], places % scores.shape[1]


def _in_order_of_tokens(log_p: torch.Tensor, scores: torch.Tensor, width: int) -> Pair:
    hypotheses, tokens = _beam_step(log_p, scores, width)
    order = tokens.argsort()
    return hypotheses[order], tokens[order]


def _how_probable(log_p: torch.Tensor, scores: torch.Tensor, width: int) -> Pair:
    best = (log_p[:, None] + scores.log_softmax(-1)).flatten().topk(width)
    return best.values, best.indices % scores.shape[1]


def _best_of_each_row(log_p: torch.Tensor, scores: torch.Tensor, width: int) -> Pair:
    tokens = (log_p[:, None] + scores.log_softmax(-1)).topk(width, dim=-1).indices
    return torch.arange(len(log_p)).repeat_interleave(width), tokens.flatten()


def _flat(log_p: torch.Tensor, scores: torch.Tensor, width: int) -> Pair:
    hypothesis, token = _beam_step(log_p, scores, width)
    return hypothesis, hypothesis * scores.shape[1] + token


EXERCISES = [
    Exercise(
        name="leaked",
        lesson=12,
        statement="Say of each validation date whether training has seen its month of its year.",
        reference=_leaked,
        cases=_date_cases,
        verified="A date leaks when its year and its month together stand in the training set, whatever the day.",
        gradient=False,
        mistakes=[
            Mistake(
                "same-day",
                lambda training, validation: torch.isin(validation, training),
                "You look for the very same day. A model that has learned 3 March 1999 has seen year and month of "
                "21 March 1999, too.",
            ),
            Mistake(
                "any-year",
                lambda training, validation: torch.isin(_month(validation), _month(training)),
                "You compare the months alone, so a March of any year counts. Then nearly every date would leak.",
            ),
            Mistake(
                "any-month",
                lambda training, validation: torch.isin(validation // 10_000, training // 10_000),
                "You compare the years alone. The lesson keeps months apart, not years.",
            ),
            Mistake(
                "apart",
                lambda training, validation: (
                    torch.isin(validation // 10_000, training // 10_000)
                    & torch.isin(_month(validation), _month(training))
                ),
                "You look for the year and for the month separately. They must come from the same training date.",
            ),
            Mistake(
                "new-ones",
                lambda training, validation: ~_leaked(training, validation),
                "Your answer is inverted: you mark the dates that are new.",
            ),
            Mistake(
                "of-training",
                lambda training, validation: _leaked(validation, training),
                "You mark training dates. The exercise wants an answer for each validation date.",
            ),
            Mistake(
                "share",
                lambda training, validation: _leaked(training, validation).float().mean(),
                "That is the share of dates that leak. Say True or False of each date.",
            ),
            Mistake(
                "last-two-digits",
                lambda training, validation: torch.isin(validation % 100, training % 100),
                "You keep the day and drop the rest. Which digits of 19990303 are year and month?",
            ),
            Mistake(
                "month-and-day",
                lambda training, validation: torch.isin(validation % 10_000, training % 10_000),
                "You keep month and day and drop the year. Which digits of 19990303 are year and month?",
            ),
            Mistake(
                "year-or-month",
                lambda training, validation: (
                    torch.isin(validation // 10_000, training // 10_000)
                    | torch.isin(_month(validation), _month(training))
                ),
                "You mark a date when its year or its month is known. Both must come from the same training date.",
            ),
            Mistake(
                "ten-days",
                lambda training, validation: torch.isin(validation // 10, training // 10),
                "You drop one digit, so ten days are taken together. The day has two digits.",
            ),
            Mistake(
                "fractions",
                lambda training, validation: torch.isin(validation / 100, training / 100),
                "`/` keeps the day behind the point, so only the very same day is found. Whole division is `//`.",
            ),
            Mistake(
                "all-training-dates",
                lambda training, validation: (validation[:, None] // 100 == training // 100).all(-1),
                "You ask for all training dates to be of this month. One is enough for a leak.",
            ),
            Mistake(
                "any",
                lambda training, validation: _leaked(training, validation).any(),
                "You say whether any date leaks. Say True or False of each of them.",
            ),
            Mistake(
                "pairs",
                lambda training, validation: validation[:, None] // 100 == training // 100,
                "That compares each validation date with each training date. One answer for each row is still to be "
                "made of it.",
            ),
            Mistake(
                "tensors-in-a-set",
                lambda training, validation: torch.zeros_like(validation, dtype=torch.bool),
                "Your result is False for every date. In a set, or as keys, no two tensors are ever equal: use "
                "`.tolist()`, or compare tensors with tensors.",
            ),
            Mistake(
                "the-dates",
                lambda training, validation: validation[_leaked(training, validation)],
                "You return the dates that leak. Say True or False of each validation date.",
            ),
            Mistake(
                "how-many",
                lambda training, validation: (validation[:, None] // 100 == training // 100).sum(-1),
                "You count the training dates of the same month. Say True or False of each validation date.",
            ),
            Mistake(
                "place-by-place",
                lambda training, validation: (
                    validation[: min(len(training), len(validation))] // 100
                    == training[: min(len(training), len(validation))] // 100
                ),
                "You compare the first date with the first, the second with the second. Compare each with all.",
            ),
            Mistake(
                "all-the-same",
                lambda training, validation: torch.ones_like(validation, dtype=torch.bool),
                "Every date leaks in your result. If you cut the date as text: `str` of a tensor begins with the word "
                "`tensor`, so convert with `int` or `.tolist()` first.",
            ),
            Mistake(
                "between",
                lambda training, validation: (validation >= training.min()) & (validation <= training.max()),
                "You mark all dates between the first and the last of training. In between there may be months that "
                "training has not seen.",
            ),
            Mistake(
                "months-between",
                lambda training, validation: (
                    (validation // 100 >= training.min() // 100) & (validation // 100 <= training.max() // 100)
                ),
                "You mark all months from the first to the last of training. Some months in between training may not "
                "have seen.",
            ),
        ],
        hints=[
            "Which part of 19990303 must be the same for a leak? Drop the other digits with a whole division.",
            "`torch.isin(a, b)` says of each element of `a` whether it stands in `b`.",
        ],
    ),
    Exercise(
        name="smoothed_loss",
        lesson=12,
        statement="The loss of this lesson by hand: label smoothing, then the mean over places that count.",
        reference=_smoothed_loss,
        cases=_loss_cases,
        verified="Each token counts with the share that is wanted of it, and no place where padding is wanted counts.",
        banned={
            "cross_entropy": "`cross_entropy` does it all. Write this one by hand: log probabilities, shares, and a "
            "mean over the places that count."
        },
        mistakes=[
            Mistake(
                "padding-counts",
                lambda scores, wanted, padding, smoothing: _each(scores, wanted, smoothing).mean(),
                "Places where padding is wanted count in your loss. The model would learn to predict nothing.",
            ),
            Mistake(
                "divided-by-all",
                lambda scores, wanted, padding, smoothing: (
                    _each(scores, wanted, smoothing) * (wanted != padding)
                ).mean(),
                "Padding adds nothing to your sum, but you still divide by the number of all places. So a batch "
                "with much padding seems to have little loss.",
            ),
            Mistake(
                "not-smoothed",
                lambda scores, wanted, padding, smoothing: _smoothed_loss(scores, wanted, padding, 0.0),
                "That is -log p of the right tokens. What has `smoothing` to do?",
            ),
            Mistake(
                "only-others",
                lambda scores, wanted, padding, smoothing: _loss_of(
                    _right(scores, wanted) * (1 - smoothing)
                    + (1 - _right(scores, wanted)) * (smoothing / max(scores.shape[-1] - 1, 1)),
                    scores,
                    wanted,
                    padding,
                ),
                "You share the smoothed part among the wrong tokens only. Here it is spread over all tokens alike, "
                "the right one too.",
            ),
            Mistake(
                "sum-above-1",
                lambda scores, wanted, padding, smoothing: _loss_of(
                    _right(scores, wanted) + smoothing / scores.shape[-1], scores, wanted, padding
                ),
                "The shares that you want sum to more than 1. What all tokens get has to be taken from the right one.",
            ),
            Mistake(
                "not-divided",
                lambda scores, wanted, padding, smoothing: _loss_of(
                    _right(scores, wanted) * (1 - smoothing) + smoothing, scores, wanted, padding
                ),
                "You want the whole smoothed part of each token. It is one part, to be shared by all.",
            ),
            Mistake(
                "sum",
                lambda scores, wanted, padding, smoothing: (
                    _each(scores, wanted, smoothing) * (wanted != padding)
                ).sum(),
                "You add the places up and do not divide. Then long texts weigh more, and the size of a step depends "
                "on the batch.",
            ),
            Mistake(
                "only-padding",
                lambda scores, wanted, padding, smoothing: (
                    (_each(scores, wanted, smoothing) * (wanted == padding)).sum() / (wanted != padding).sum()
                ),
                "The mask is inverted: only padding counts in your loss.",
            ),
            Mistake(
                "wrong-sign",
                lambda scores, wanted, padding, smoothing: -_smoothed_loss(scores, wanted, padding, smoothing),
                "The sign is wrong: with it, training would make the right token less likely.",
            ),
            Mistake(
                "no-softmax",
                lambda scores, wanted, padding, smoothing: (
                    -((_right(scores, wanted) * (1 - smoothing) + smoothing / scores.shape[-1]) * scores)
                    .sum(-1)[wanted != padding]
                    .mean()
                ),
                "You use the scores as they are. Softmax makes probabilities of them, and the loss takes their "
                "logarithms.",
            ),
            Mistake(
                "wrong-axis",
                lambda scores, wanted, padding, smoothing: (
                    -(
                        (_right(scores, wanted) * (1 - smoothing) + smoothing / scores.shape[-1])
                        * scores.log_softmax(-2)
                    )
                    .sum(-1)[wanted != padding]
                    .mean()
                ),
                "Softmax runs over the places in your loss. At each place the tokens compete with each other.",
            ),
            Mistake(
                "set-not-added",
                lambda scores, wanted, padding, smoothing: _loss_of(
                    _right(scores, wanted) * (1 - smoothing)
                    + (1 - _right(scores, wanted)) * (smoothing / scores.shape[-1]),
                    scores,
                    wanted,
                    padding,
                ),
                "Your right token gets `1 - smoothing` and loses its own part of the rest, so the shares sum to less "
                "than 1. Add, do not set.",
            ),
            Mistake(
                "exchanged",
                lambda scores, wanted, padding, smoothing: _smoothed_loss(scores, wanted, padding, 1 - smoothing),
                "The two shares are swapped: the right token gets `1 - smoothing` and all together `smoothing`.",
            ),
            Mistake(
                "mean-of-padding",
                lambda scores, wanted, padding, smoothing: _each(scores, wanted, smoothing)[wanted == padding].mean(),
                "Your mean is over the places where padding is wanted. Is it `==` or `!=`?",
            ),
            Mistake(
                "no-logarithm",
                lambda scores, wanted, padding, smoothing: (
                    -(_shares(scores, wanted, smoothing) * scores.softmax(-1)).sum(-1)[wanted != padding].mean()
                ),
                "The logarithm is missing: you weigh the probabilities themselves.",
            ),
            Mistake(
                "softmax-twice",
                lambda scores, wanted, padding, smoothing: _smoothed_loss(
                    scores.softmax(-1), wanted, padding, smoothing
                ),
                "You take softmax twice: `log_softmax` takes the scores as they are.",
            ),
            Mistake(
                "log-10",
                lambda scores, wanted, padding, smoothing: (
                    -(_shares(scores, wanted, smoothing) * scores.softmax(-1).log10()).sum(-1)[wanted != padding].mean()
                ),
                "Your logarithm is that of base 10. The loss takes the natural one.",
            ),
            Mistake(
                "written-out",
                lambda scores, wanted, padding, smoothing: _smoothed_loss(scores, wanted, padding, 0.1),
                "You smooth by 0.1 whatever `smoothing` is. Is the number written out?",
            ),
            Mistake(
                "padding-is-0",
                lambda scores, wanted, padding, smoothing: _smoothed_loss(scores, wanted, 0, smoothing),
                "You take 0 for padding. Its id is `padding`, which another vocabulary may have put elsewhere.",
            ),
            Mistake(
                "each-place",
                lambda scores, wanted, padding, smoothing: _each(scores, wanted, smoothing)[wanted != padding],
                "That is the loss of each place. Take the mean of them.",
            ),
            Mistake(
                "all-wanted-columns",
                lambda scores, wanted, padding, smoothing: (
                    -(1 - smoothing) * scores.log_softmax(-1)[:, wanted] - smoothing * scores.log_softmax(-1).mean(-1)
                )[wanted != padding].mean(),
                "`[:, wanted]` takes all wanted columns of every row. Each row wants one token: give rows and columns, "
                "or use `gather`.",
            ),
            Mistake(
                "logarithm-of-the-mixture",
                lambda scores, wanted, padding, smoothing: (
                    -((1 - smoothing) * scores.softmax(-1)[range(len(wanted)), wanted] + smoothing / scores.shape[-1])
                    .log()[wanted != padding]
                    .mean()
                ),
                "You smooth the probabilities of the model and then take the logarithm. It is the wanted shares that "
                "are smoothed: they multiply the logarithms.",
            ),
            Mistake(
                "mean-over-the-vocabulary",
                lambda scores, wanted, padding, smoothing: (
                    _smoothed_loss(scores, wanted, padding, smoothing) / scores.shape[-1]
                ),
                "You take the mean over the vocabulary, too. The tokens of a place are added up; the mean is over "
                "places.",
            ),
            Mistake(
                "right-part-only",
                lambda scores, wanted, padding, smoothing: (
                    (1 - smoothing) * _smoothed_loss(scores, wanted, padding, 0.0)
                ),
                "You take the smoothed part off the right token and give it to nobody. All tokens share it.",
            ),
        ],
        hints=[
            "Make log probabilities first: `scores.log_softmax(dim=-1)`. For each place you need two numbers of its "
            "row: that of the right token, and the mean of all.",
            "The right token counts with `1 - smoothing`, and `smoothing` times the mean of the row comes on top. Then "
            "minus.",
            "Keep the places where `wanted != padding`, and take the mean of these.",
        ],
    ),
    Exercise(
        name="beam_step",
        lesson=12,
        statement="One step of beam search: which hypotheses go on, each with which token?",
        reference=_beam_step,
        cases=_beam_cases,
        verified="All continuations of all hypotheses compete, each with the probability of its whole text.",
        gradient=False,
        mistakes=[
            Mistake(
                "best-of-each",
                _best_of_each,
                "Each hypothesis goes on with its own best token in your step. All continuations compete: one "
                "hypothesis may go on twice, and another not at all.",
            ),
            Mistake(
                "best-hypothesis",
                _of_the_best_hypothesis,
                "Only the best hypothesis goes on in your step. Then the others were kept for nothing.",
            ),
            Mistake(
                "raw-scores",
                lambda log_p, scores, width: _best(log_p[:, None] + scores, width),
                "You compare the scores of two hypotheses as they are. They cannot be compared until softmax has made "
                "probabilities of each row.",
            ),
            Mistake(
                "history-forgotten",
                lambda log_p, scores, width: _best(scores.log_softmax(-1), width),
                "You rank by the new token alone. A text is as probable as all its tokens together: what has `log_p` "
                "to do?",
            ),
            Mistake(
                "probabilities-added",
                lambda log_p, scores, width: _best(log_p[:, None] + scores.softmax(-1), width),
                "You add a probability to a logarithm. Take the logarithm of both.",
            ),
            Mistake(
                "logarithms-multiplied",
                lambda log_p, scores, width: _best(log_p[:, None] * scores.log_softmax(-1), width),
                "Probabilities are multiplied, so their logarithms are added.",
            ),
            Mistake(
                "least",
                lambda log_p, scores, width: _best(-log_p[:, None] - scores.log_softmax(-1), width),
                "You keep the least probable texts.",
            ),
            Mistake(
                "wrong-axis",
                lambda log_p, scores, width: _best(log_p[:, None] + scores.log_softmax(0), width),
                "Softmax runs over the hypotheses in your step. The tokens that continue one hypothesis share its "
                "probability.",
            ),
            Mistake(
                "swapped",
                lambda log_p, scores, width: _beam_step(log_p, scores, width)[::-1],
                "The two results are swapped: first come the hypotheses, then the tokens.",
            ),
            Mistake(
                "flat-tokens",
                _flat,
                "Your tokens are places in the flattened table. Which token is place 9 of a table with 4 columns?",
            ),
            Mistake(
                "worst-first",
                lambda log_p, scores, width: _each_flipped(_beam_step(log_p, scores, width)),
                "The right ones, but the least probable of them stands first.",
            ),
            Mistake(
                "in-order-of-place",
                _in_order_of_place,
                "The right ones, but in the order of the table. The most probable text comes first.",
            ),
            Mistake(
                "wrong-divisor",
                lambda log_p, scores, width: (
                    _flat(log_p, scores, width)[1] // len(log_p),
                    _flat(log_p, scores, width)[1] % len(log_p),
                ),
                "You divide places by the number of hypotheses. A row of the flattened table is as long as the "
                "vocabulary.",
            ),
            Mistake(
                "fractions",
                lambda log_p, scores, width: (
                    _flat(log_p, scores, width)[1] / scores.shape[1],
                    _beam_step(log_p, scores, width)[1],
                ),
                "Your tokens are right, but `/` makes fractions of the hypotheses. Whole division is `//`.",
            ),
            Mistake(
                "log-p-subtracted",
                lambda log_p, scores, width: _best(scores.log_softmax(-1) - log_p[:, None], width),
                "You subtract `log_p`, so an improbable beginning becomes an advantage. Add it.",
            ),
            Mistake(
                "probabilities-summed",
                lambda log_p, scores, width: _best(log_p.exp()[:, None] + scores.softmax(-1), width),
                "You add probabilities. That of a text and a token together is their product, so their logarithms are "
                "added.",
            ),
            Mistake(
                "how-probable",
                _how_probable,
                "Your tokens are right, but the other result is how probable the texts are. Return which "
                "hypothesis each of them continues.",
            ),
            Mistake(
                "each-row-its-best",
                _best_of_each_row,
                "You take the best tokens of each hypothesis. All continuations compete for `width` places together.",
            ),
            Mistake(
                "each-token-once",
                _each_token_once,
                "In your step each token is used once. Two hypotheses may go on with the same token.",
            ),
            Mistake(
                "probability-times-score",
                lambda log_p, scores, width: _best(log_p.exp()[:, None] * scores, width),
                "You multiply a probability by a score. Softmax makes a probability of it first.",
            ),
            Mistake(
                "in-order-of-tokens",
                _in_order_of_tokens,
                "The right ones, but in the order of their tokens. The most probable text comes first.",
            ),
        ],
        hints=[
            "Make a table (n, vocab_size) of the log probability of each longer text: that of the hypothesis plus that "
            "of the token.",
            "`table.flatten().topk(width).indices` gives the places of the largest, best first.",
            "A place in the flattened table is row times vocab_size plus column: `//` and `%` give them back.",
        ],
    ),
]
