"""Lesson 16, cheaper attention: how many scores a pattern needs, which ones, and how keys are made fewer."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

# --- counting ---


def _local_scores(n: int, r: int) -> int:
    return sum(min(n - 1, i + r) - max(0, i - r) + 1 for i in range(n))


# --- the pattern of the sparse Transformer ---


def _back(n: int) -> torch.Tensor:
    """How far each key lies behind each query, (n, n); below 0 in the future."""
    return torch.arange(n)[:, None] - torch.arange(n)


def _sparse(n: int, stride: int) -> torch.Tensor:
    back = _back(n)
    return (back >= 0) & ((back <= stride) | (back % stride == 0))


# --- fewer keys ---


def _means(x: torch.Tensor, factor: int) -> torch.Tensor:
    return torch.stack([part.mean(-2) for part in x.split(factor, -2)])


def _padded(x: torch.Tensor, factor: int) -> torch.Tensor:
    """(n_groups, factor, d), zeros at the end of the last group."""
    return torch.nn.functional.pad(x, (0, 0, 0, -len(x) % factor)).unflatten(0, (-1, factor))


def _whole_groups(x: torch.Tensor, factor: int) -> torch.Tensor:
    return x[: len(x) // factor * factor].reshape(-1, factor, x.shape[-1]).mean(-2)


def _mean_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([[1.0, 0], [3, 2], [0, 4], [2, 2], [7, 5]]), 2),
        (draw(5, 2), 2),
        (draw(1, 1), 1),
        (draw(1, 3), 4),
        (draw(6, 4), 3),
        (draw(7, 3), 3),
        (draw(4, 5), 1),
        (draw(8, 3, dtype=torch.float64), 5),
        (draw.apart(11, 6), 4),
        (draw(40, 9), 7),
    ]


EXERCISES = [
    Exercise(
        name="local_scores",
        lesson=16,
        statement="Count the scores of local attention with a window of r keys on each side.",
        reference=_local_scores,
        cases=lambda draw: [(6, 2), (6, 2), (1, 1), (5, 1), (9, 4), (4, 7), (30, 3), (200, 16)],
        verified="Each query has itself and r keys on each side, as far as there are any.",
        gradient=False,
        mistakes=[
            Mistake("all-pairs", lambda n, r: n * n, "You count all pairs. A query scores only the keys near it."),
            Mistake(
                "ends-forgotten",
                lambda n, r: n * (2 * r + 1),
                "In the middle that is right. But near the ends of the text there are fewer than r keys on one side.",
            ),
            Mistake(
                "past-only",
                lambda n, r: sum(min(i, r) + 1 for i in range(n)),
                "You count one side only. The window goes r keys back and r keys ahead.",
            ),
            Mistake("itself-forgotten", lambda n, r: _local_scores(n, r) - n, "Each query also scores its own key."),
            Mistake(
                "r-in-all",
                lambda n, r: _local_scores(n, r // 2),
                "You share r between the two sides. Here there are r keys on each side.",
            ),
            Mistake(
                "one-end",
                lambda n, r: n * (2 * r + 1) - r * (r + 1) // 2,
                "You take off what is missing at one end of the text. It has two.",
            ),
            Mistake(
                "short-texts",
                lambda n, r: n * (2 * r + 1) - r * (r + 1),
                "Right for long texts. When the text is shorter than the window, you take off too much: a query "
                "can miss no more keys than there are.",
            ),
            Mistake("one-query", lambda n, r: 2 * r + 1, "That is one query in the middle. There are n of them."),
        ],
        hints=[
            "Take n = 6 and r = 2, and write down for each query which keys it scores: 3, 4, 5, 5, 4, 3 of them.",
            "Query i reaches from `max(0, i - r)` to `min(n - 1, i + r)`, both included. Add up over all i.",
        ],
    ),
    Exercise(
        name="sparse_mask",
        lesson=16,
        statement="Make the causal mask that opens the last `stride` tokens and each `stride`-th one before.",
        reference=_sparse,
        cases=lambda draw: [(6, 2), (6, 2), (1, 1), (2, 1), (7, 3), (5, 9), (12, 4), (30, 5)],
        verified="Near keys one by one, far keys each stride-th, and never the future.",
        gradient=False,
        mistakes=[
            Mistake(
                "not-causal",
                lambda n, stride: (_back(n).abs() <= stride) | (_back(n) % stride == 0),
                "The future is open. A key must not lie behind its query in the text.",
            ),
            Mistake(
                "and",
                lambda n, stride: (_back(n) >= 0) & (_back(n) <= stride) & (_back(n) % stride == 0),
                "You open what is near *and* at a whole number of strides. One of the two is enough.",
            ),
            Mistake(
                "near-only",
                lambda n, stride: (_back(n) >= 0) & (_back(n) <= stride),
                "Only the near keys are open. Where are those at two, three ... strides?",
            ),
            Mistake(
                "strided-only",
                lambda n, stride: (_back(n) >= 0) & (_back(n) % stride == 0),
                "Only each stride-th key is open. The ones in between are open too, when they are near.",
            ),
            Mistake(
                "inverted", lambda n, stride: ~_sparse(n, stride), 'Your mask is inverted. True means "may attend".'
            ),
            Mistake(
                "transposed-time",
                lambda n, stride: _sparse(n, stride).T,
                "Each token attends to the future in place of the past. Rows are queries, columns are keys.",
            ),
            Mistake(
                "fixed-columns",
                lambda n, stride: (_back(n) >= 0) & ((_back(n) <= stride) | (torch.arange(n) % stride == 0)),
                "You open the same columns for all queries. Count the stride back from each query.",
            ),
            Mistake(
                "diagonal-masked",
                lambda n, stride: _sparse(n, stride) & (_back(n) > 0),
                "The diagonal is masked: a token does not attend to itself, and the first one to nothing at all.",
            ),
            Mistake(
                "numbers",
                lambda n, stride: _sparse(n, stride).float(),
                "The right cells are marked, but with numbers. A mask is boolean.",
            ),
        ],
        hints=[
            "Make a table first that says how far key j lies behind query i: i - j.",
            "`torch.arange(n)[:, None] - torch.arange(n)` is that table. Open is where it is at least 0, and at most "
            "`stride` or a multiple of it.",
            'For booleans `&` is "and", `|` is "or". Put brackets around each comparison.',
        ],
    ),
    Exercise(
        name="group_means",
        lesson=16,
        statement="Replace each `factor` vectors by their mean; the last group may be smaller.",
        reference=_means,
        cases=_mean_cases,
        verified="Each group became its mean, and the last one too, from as many vectors as it has.",
        mistakes=[
            Mistake(
                "tail-dropped",
                _whole_groups,
                "The vectors that do not fill a whole group are lost. They are a smaller group.",
            ),
            Mistake(
                "zeros-counted",
                lambda x, factor: _padded(x, factor).mean(-2),
                "You fill the last group up with zeros and divide by `factor`, which makes its mean too small. "
                "Divide by the number of real vectors.",
            ),
            Mistake("sum", lambda x, factor: _padded(x, factor).sum(-2), "You add up and do not divide."),
            Mistake(
                "first-of-group",
                lambda x, factor: x[::factor],
                "You keep the first vector of each group and lose the others.",
            ),
            Mistake(
                "largest",
                lambda x, factor: torch.stack([part.amax(-2) for part in x.split(factor, -2)]),
                "You take the largest number in each group, not the mean.",
            ),
            Mistake(
                "sliding",
                lambda x, factor: x.unfold(0, min(factor, len(x)), 1).mean(-1),
                "Your groups overlap: each begins one vector after the one before. The next group begins where "
                "the last one ended.",
            ),
            Mistake(
                "wrong-axis",
                lambda x, factor: _means(x.T, factor).T,
                "You group the numbers within each vector. Group the vectors, the rows.",
            ),
            Mistake(
                "mean-of-all",
                lambda x, factor: x.mean(-2, keepdim=True),
                "You take one mean of all vectors. Each group has its own.",
            ),
        ],
        hints=[
            "5 vectors with factor 2 make three groups: 2, 2 and 1.",
            "`x.split(factor)` cuts the rows into groups, the last one smaller if need be.",
            "Take the mean of each part over its rows, axis -2, and `torch.stack` them.",
        ],
    ),
]
