"""Lesson 12, training: what is given, what is wanted, and what counts."""

import torch
from torch.nn.functional import cross_entropy, one_hot

from helpers.checks.exercise import Draw, Exercise, Mistake


def _target_cases(draw: Draw) -> list[tuple]:
    return [
        (torch.tensor([[1, 7, 8, 2], [1, 9, 2, 0]]),),
        (torch.tensor([[1, 5, 6, 2], [1, 4, 4, 2]]),),
        (torch.tensor([[1]]),),
        (torch.tensor([[1, 2]]),),
        (torch.tensor([[1, 6, 2]]),),
        (torch.tensor([[1, 3, 5, 7, 9, 2]]),),
        (draw.whole(3, 5, below=30),),
        (draw.whole(5, 14, below=30)[:, ::2],),
        (draw.whole(20, 12, below=30),),
    ]


def _loss_cases(draw: Draw) -> list[tuple]:
    def sizes(n: int, vocab_size: int, padded: int, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> tuple:
        wanted = draw.whole(n, below=vocab_size - 1) + 1
        wanted[n - padded :] = 0
        return draw(n, vocab_size, dtype=dtype, scale=scale), wanted, 0

    return [
        (draw(4, 3), torch.tensor([2, 1, 0, 0]), 0),
        (draw(4, 3), torch.tensor([1, 2, 1, 0]), 0),
        (draw(1, 1), torch.tensor([0]), 5),
        (draw(1, 4), torch.tensor([3]), 0),
        (draw(5, 6), torch.tensor([4, 4, 2, 0, 1]), 4),
        sizes(7, 4, 3),
        sizes(3, 5, 1, scale=200),
        sizes(6, 2, 2, dtype=torch.float64),
        (draw.apart(4, 6), torch.tensor([5, 0, 2, 0]), 0),
        sizes(40, 30, 12),
    ]


def _masked_loss(scores: torch.Tensor, wanted: torch.Tensor, padding: int) -> torch.Tensor:
    return cross_entropy(scores[wanted != padding], wanted[wanted != padding])


def _each(scores: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    return cross_entropy(scores, wanted, reduction="none")


def _smooth_cases(_: Draw) -> list[tuple]:
    return [
        (torch.tensor([2, 0]), 4, 0.1),
        (torch.tensor([1, 3]), 4, 0.2),
        (torch.tensor([0]), 1, 0.5),
        (torch.tensor([4]), 5, 0.05),
        (torch.tensor([6, 1, 1]), 7, 0.3),
        (torch.tensor([0, 1, 2, 0]), 3, 0.0),
        (torch.arange(10)[::2], 11, 0.15),
    ]


def _smoothed(right: torch.Tensor, vocab_size: int, smoothing: float) -> torch.Tensor:
    return one_hot(right, vocab_size) * (1 - smoothing) + smoothing / vocab_size


EXERCISES = [
    Exercise(
        name="given_and_wanted",
        lesson=12,
        statement="Cut the target into what the decoder is given and what it must predict.",
        reference=lambda target: (target[:, :-1], target[:, 1:]),
        cases=_target_cases,
        verified="At each place the wanted token is the one that comes after the given one.",
        gradient=False,
        mistakes=[
            Mistake(
                "swapped",
                lambda target: (target[:, 1:], target[:, :-1]),
                "You have swapped the two: the decoder would be given the answer, and asked for what comes before it.",
            ),
            Mistake(
                "not-shifted",
                lambda target: (target, target),
                "Both are the whole target, so the decoder is asked for the token that it is given: it would copy.",
            ),
            Mistake(
                "same-beginning",
                lambda target: (target[:, :-1], target[:, :-1]),
                "Both begin with the start token. What is wanted lies one place further.",
            ),
            Mistake(
                "same-end",
                lambda target: (target[:, 1:], target[:, 1:]),
                "Both lack the start token. What is given begins with it.",
            ),
            Mistake(
                "too-long",
                lambda target: (target, target[:, 1:]),
                "The last token is given too, but nothing is wanted after it: the two must be equally long.",
            ),
            Mistake(
                "batch-axis",
                lambda target: (target[:-1], target[1:]),
                "You cut off a sentence, not a token. Which axis holds the places?",
            ),
            Mistake(
                "inner-only",
                lambda target: (target[:, 1:-1], target[:, 1:-1]),
                "You cut both ends off both. The start token is given, the end token is wanted.",
            ),
        ],
        hints=[
            "Write one target down twice, and move the second copy one place to the left. Which tokens stand one above "
            "the other?",
            "What is given needs no last token, what is wanted no first.",
        ],
    ),
    Exercise(
        name="masked_loss",
        lesson=12,
        statement="Cross entropy, averaged over the places where no padding is wanted.",
        reference=_masked_loss,
        cases=_loss_cases,
        verified="The mean of the loss over real tokens; padding neither adds to it nor makes it smaller.",
        mistakes=[
            Mistake(
                "padding-counts",
                lambda scores, wanted, padding: _each(scores, wanted).mean(),
                "Places where padding is wanted count in your loss. The model would spend its strength on "
                "predicting nothing.",
            ),
            Mistake(
                "divided-by-all",
                lambda scores, wanted, padding: (_each(scores, wanted) * (wanted != padding)).mean(),
                "Padding adds nothing to your sum, but you still divide by the number of all places. So a batch "
                "with much padding seems to have little loss.",
            ),
            Mistake(
                "sum",
                lambda scores, wanted, padding: (_each(scores, wanted) * (wanted != padding)).sum(),
                "You add up and do not divide. Then long texts weigh more, and the size of a step depends on the "
                "batch.",
            ),
            Mistake(
                "only-padding",
                lambda scores, wanted, padding: (
                    (_each(scores, wanted) * (wanted == padding)).sum() / (wanted != padding).sum()
                ),
                "The mask is inverted: only padding counts in your loss.",
            ),
            Mistake(
                "wrong-sign",
                lambda scores, wanted, padding: -_masked_loss(scores, wanted, padding),
                "The sign is turned: with it, training would make the right token less likely.",
            ),
            Mistake(
                "no-logarithm",
                lambda scores, wanted, padding: (
                    -scores.softmax(-1)[torch.arange(len(wanted)), wanted][wanted != padding].mean()
                ),
                "You average probabilities. Cross entropy takes their logarithm first.",
            ),
            Mistake(
                "no-softmax",
                lambda scores, wanted, padding: -scores[torch.arange(len(wanted)), wanted][wanted != padding].mean(),
                "You average the scores of the right tokens. Without softmax a score says nothing about the others.",
            ),
            Mistake(
                "zeroed-scores",
                lambda scores, wanted, padding: _each(scores * (wanted != padding)[:, None], wanted).mean(),
                "You set the scores to 0 where padding is wanted. Even scores still have a loss: leave these "
                "places out.",
            ),
            Mistake(
                "wrong-axis",
                lambda scores, wanted, padding: (
                    -scores.log_softmax(-2)[torch.arange(len(wanted)), wanted][wanted != padding].mean()
                ),
                "Softmax runs over the places in your loss. At each place the tokens compete with each other.",
            ),
        ],
        hints=[
            "Which places have a wanted token that is not padding? A comparison gives a mask of them.",
            "Keep only the rows of `scores` and the entries of `wanted` that the mask allows; then it is plain cross "
            "entropy.",
            "`torch.nn.functional.cross_entropy(scores, wanted)` takes the mean over what it is given.",
        ],
    ),
    Exercise(
        name="smoothed_target",
        lesson=12,
        statement="Make label smoothing's target: most for the right token, a little for all.",
        reference=_smoothed,
        cases=_smooth_cases,
        verified="Each row sums to 1; the smoothed part is shared by all tokens alike, the right one included.",
        gradient=False,
        mistakes=[
            Mistake(
                "only-others",
                lambda right, vocab_size, smoothing: (
                    one_hot(right, vocab_size) * (1 - smoothing)
                    + (1 - one_hot(right, vocab_size)) * (smoothing / max(vocab_size - 1, 1))
                ),
                "You share the smoothed part among the wrong tokens only. Here it is spread over all tokens alike, "
                "the right one too.",
            ),
            Mistake(
                "not-smoothed",
                lambda right, vocab_size, smoothing: one_hot(right, vocab_size).float(),
                "The right token gets all. What has `smoothing` to do?",
            ),
            Mistake(
                "sum-above-1",
                lambda right, vocab_size, smoothing: one_hot(right, vocab_size) + smoothing / vocab_size,
                "Your rows sum to more than 1. What all tokens get has to be taken from the right one.",
            ),
            Mistake(
                "not-divided",
                lambda right, vocab_size, smoothing: one_hot(right, vocab_size) * (1 - smoothing) + smoothing,
                "Each token gets the whole smoothed part. It is one part, to be shared.",
            ),
            Mistake(
                "swapped-parts",
                lambda right, vocab_size, smoothing: (
                    one_hot(right, vocab_size) * smoothing + (1 - smoothing) / vocab_size
                ),
                "The two parts are swapped: the right token gets the small one.",
            ),
            Mistake(
                "others-empty",
                lambda right, vocab_size, smoothing: one_hot(right, vocab_size) * (1 - smoothing),
                "You take the smoothed part away and give it to nobody: the rows sum to less than 1.",
            ),
            Mistake(
                "transposed",
                lambda right, vocab_size, smoothing: _smoothed(right, vocab_size, smoothing).T,
                "Your table is turned: a row belongs to a place, a column to a token.",
            ),
        ],
        hints=[
            "Two parts: `1 - smoothing` for the right token, `smoothing` for all alike. How much is that for each?",
            "Start with a table that holds `smoothing / vocab_size` everywhere, then add to one number in each row.",
        ],
    ),
]
