"""Lesson 14, reviews: what counts in a mean, which words are read, where they stand, how many are right."""

import torch

from helpers.checks.exercise import Draw, Exercise, Mistake


def _real(*lengths: int, n: int) -> torch.Tensor:
    """True for the words of each text, False for the padding after them: (batch, n)."""
    return torch.arange(n) < torch.tensor(lengths)[:, None]


def _mean_cases(draw: Draw) -> list[tuple]:
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


def _last_cases(draw: Draw) -> list[tuple]:
    return [
        (torch.tensor([5, 8, 2, 9, 7]), 3, 0),
        (torch.tensor([4, 6, 3, 2, 8]), 3, 0),
        (torch.tensor([5, 8]), 4, 0),
        (torch.tensor([3]), 1, 0),
        (torch.tensor([3]), 2, 1),
        (torch.tensor([6, 2, 7, 5]), 1, 0),
        (torch.tensor([6, 2, 7, 5]), 4, 0),
        (torch.tensor([6, 2, 7]), 5, 9),
        (draw.whole(14, below=30)[::2] + 2, 4, 1),
        (draw.whole(200, below=500) + 2, 80, 0),
    ]


def _padded(ids: torch.Tensor, n: int, padding: int) -> torch.Tensor:
    return torch.cat([ids, torch.full((max(n - len(ids), 0),), padding)])


def _position_cases(draw: Draw) -> list[tuple]:
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


def _accuracy_cases(draw: Draw) -> list[tuple]:
    return [
        (torch.tensor([2.0, -1.0, 0.2, -3.0]), torch.tensor([1, 0, 0, 1])),
        (torch.tensor([0.3, 0.4, -2.0, 1.5]), torch.tensor([1, 0, 0, 1])),
        (torch.tensor([0.4]), torch.tensor([1])),
        (torch.tensor([-0.4, 3.0]), torch.tensor([1, 1])),
        (torch.tensor([0.7, 0.6, 0.2, -0.1, -5.0]), torch.tensor([1, 1, 1, 0, 1])),
        (draw(7, dtype=torch.float64), draw.whole(7, below=2)),
        (draw.apart(9), draw.whole(9, below=2)),
        (draw(300), draw.whole(300, below=2)),
    ]


def _accuracy(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return ((scores > 0) == labels).float().mean()


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
        name="last_words",
        lesson=14,
        statement="Keep the last n ids of a text, or fill it up with padding after them.",
        reference=lambda ids, n, padding: _padded(ids[-n:], n, padding),
        cases=_last_cases,
        verified="A long text keeps its end, a short one is whole and has its padding after it.",
        gradient=False,
        mistakes=[
            Mistake(
                "first-words",
                lambda ids, n, padding: _padded(ids[:n], n, padding),
                "You keep the first words. What people think of a film stands at the end more often.",
            ),
            Mistake(
                "padding-in-front",
                lambda ids, n, padding: torch.cat([torch.full((max(n - len(ids), 0),), padding), ids[-n:]]),
                "Your padding stands in front of the words. It belongs after them, so that the first word has "
                "position 0.",
            ),
            Mistake(
                "not-filled-up",
                lambda ids, n, padding: ids[-n:],
                "A text with fewer than n words stays short. All must be equally long to make one tensor.",
            ),
            Mistake(
                "not-cut",
                lambda ids, n, padding: _padded(ids, n, padding),
                "A text with more than n words stays long. All must be equally long to make one tensor.",
            ),
            Mistake(
                "always-zero",
                lambda ids, n, padding: _padded(ids[-n:], n, 0),
                "You fill up with 0. The id of padding is given as `padding`, and it may be another.",
            ),
            Mistake(
                "backwards",
                lambda ids, n, padding: _padded(ids.flip(0)[:n], n, padding),
                "These are the last words, but from back to front. They must stay in their order.",
            ),
            Mistake(
                "one-too-early",
                lambda ids, n, padding: _padded(ids[-n - 1 : -1], n, padding),
                "Your window lies one word too far in front: the last word is missing.",
            ),
            Mistake(
                "last-word-again",
                lambda ids, n, padding: torch.cat([ids[-n:], ids[-1:].expand(max(n - len(ids), 0))]),
                "You fill up with the last word. Then the model reads it again and again; padding can be masked.",
            ),
        ],
        hints=[
            "Two cases: a text that is longer than n, and one that is shorter. A slice does the first.",
            "`ids[-n:]` is the end of a long text, and the whole of a short one. How many places are then empty?",
            "`torch.full((missing,), padding)` makes the rest, `torch.cat` joins the two.",
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
        name="accuracy",
        lesson=14,
        statement="Return the share of texts whose score has the right sign.",
        reference=_accuracy,
        cases=_accuracy_cases,
        verified="A score above 0 says label 1, and what counts is how many texts that is right for.",
        gradient=False,
        mistakes=[
            Mistake(
                "half",
                lambda scores, labels: ((scores > 0.5) == labels).float().mean(),
                "You compare the scores with one half. That is for probabilities; a score of 0 has the "
                "probability one half.",
            ),
            Mistake(
                "half-of-softened",
                lambda scores, labels: ((scores.sigmoid() > 0) == labels).float().mean(),
                "After a sigmoid all numbers are above 0, so each text gets label 1.",
            ),
            Mistake(
                "share-wrong",
                lambda scores, labels: 1 - _accuracy(scores, labels),
                "This is the share of wrong ones: one of your comparisons is turned round.",
            ),
            Mistake(
                "count",
                lambda scores, labels: ((scores > 0) == labels).float().sum(),
                "You count the right ones. A share is divided by the number of texts.",
            ),
            Mistake(
                "share-of-ones",
                lambda scores, labels: (scores > 0).float().mean(),
                "This is how often the model says 1, right or not. The labels have no part in it.",
            ),
            Mistake(
                "only-label-1",
                lambda scores, labels: ((scores > 0) & (labels == 1)).float().sum() / labels.sum().clamp(min=1),
                "You look only at texts with label 1. A model that always says 1 would get all right.",
            ),
            Mistake(
                "only-said-1",
                lambda scores, labels: ((scores > 0) & (labels == 1)).float().sum() / (scores > 0).sum().clamp(min=1),
                "You look only at the texts that the model gives a 1. Those with 0 count as well.",
            ),
            Mistake(
                "right-ones-of-all",
                lambda scores, labels: ((scores > 0) & (labels == 1)).float().mean(),
                "You count only the texts where both are 1. Where both are 0 the model is right, too.",
            ),
        ],
        hints=[
            "First make a label of each score: what does a score above 0 say?",
            "Compare the two labels of each text. The mean of what is true and false is a share, once it is turned "
            "into numbers.",
        ],
    ),
]
