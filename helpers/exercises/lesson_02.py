"""Lesson 2, weights: attention by resemblance and by request, and what the three matrices are."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake


def _feature_cases(draw: Draw) -> list[Arguments]:
    return [
        (4, torch.tensor([3, 2])),
        (4, torch.tensor([1, 3])),
        (1, torch.tensor([0])),
        (4, torch.tensor([2])),
        (6, torch.tensor([4, 0, 3])),
        (3, torch.tensor([2, 1])),
        (9, torch.tensor([7, 2, 8, 0, 5])),
    ]


def _w_value_for(d_model: int, handed_over: torch.Tensor) -> torch.Tensor:
    return torch.eye(d_model)[:, handed_over]


def _share_cases(draw: Draw) -> list[Arguments]:
    def case(wanted: list[float], kinds: list[int], dtype: torch.dtype = torch.float32) -> Arguments:
        return torch.tensor(wanted, dtype=dtype), torch.eye(len(wanted), dtype=dtype)[torch.tensor(kinds)]

    kinds = [*range(20), *draw.whole(40, below=20).tolist()]
    apart = torch.zeros(5, 6)[:, ::2]
    apart[[0, 1, 2, 3, 4], [2, 0, 2, 1, 2]] = 1
    return [
        case([0.75, 0.25], [0, 0, 1]),
        case([0.4, 0.6], [1, 0, 1]),
        case([1.0], [0]),
        case([1.0], [0, 0, 0]),
        case([0.5, 0.2, 0.3], [2, 0, 1, 0, 0, 1]),
        case([0.1, 0.3, 0.4, 0.2], [3, 3, 1, 0, 2, 2, 3], torch.float64),
        (torch.tensor([0.25, 0.125, 0.625]), apart),
        (draw.weights(20), torch.eye(20)[torch.tensor(kinds)]),
    ]


def _row_for_shares(wanted: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
    return wanted / features.sum(0)


def _request_cases(draw: Draw) -> list[Arguments]:
    def positive(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        return draw(*shape, dtype=dtype).abs() + 0.1

    return [
        (torch.tensor([[1.0, 0], [1, 0], [0, 1]]), torch.tensor([[1.0, 0], [1, 0]])),
        (positive(3, 2), positive(2, 2)),
        (positive(1, 1), positive(1, 1)),
        (positive(1, 4), positive(4, 4)),
        (positive(5, 3), positive(3, 3)),
        (positive(4, 6, dtype=torch.float64), positive(6, 6, dtype=torch.float64)),
        (positive(4, 10)[:, ::2], positive(5, 10)[:, ::2]),
        (positive(40, 7), positive(7, 7)),
    ]


def _mixed(features: torch.Tensor, fits: torch.Tensor) -> torch.Tensor:
    return fits / fits.sum(-1, keepdim=True) @ features


def _by_request(features: torch.Tensor, w_looks_for: torch.Tensor) -> torch.Tensor:
    return _mixed(features, features @ w_looks_for @ features.T)


EXERCISES = [
    Exercise(
        name="row_for_shares",
        lesson=2,
        statement="Make the row of w_looks_for with which the words of each kind together get the share wanted.",
        reference=_row_for_shares,
        cases=_share_cases,
        verified="The words of a kind divide its share among them, and all fits together are 1.",
        gradient=False,
        mistakes=[
            Mistake(
                "not-divided",
                lambda wanted, features: wanted.clone(),
                "You ask for each kind as much as all its words should get *together*. Every word of a kind fits as "
                "well as the others, so how much do three of them get?",
            ),
            Mistake(
                "multiplied",
                lambda wanted, features: wanted * features.sum(0),
                "You multiply with the number of words of a kind, so that a kind with many words gets even more. What "
                "has to be done with their number?",
            ),
            Mistake(
                "divided-by-all",
                lambda wanted, features: wanted / len(features),
                "You divide by the number of all words. The share of a kind is divided among the words of this kind.",
            ),
            Mistake(
                "evenly",
                lambda wanted, features: torch.full_like(wanted, 1 / len(features)),
                "With your row every word gets as much as every other. Where does `wanted` come in?",
            ),
            Mistake(
                "scaled",
                lambda wanted, features: (row := _row_for_shares(wanted, features)) / row.sum(),
                "The shares come out right, but your row adds up to 1. It is the fits of all words that must: how "
                "many words take each number?",
            ),
            Mistake(
                "counts",
                lambda wanted, features: features.sum(0),
                "You return how many words of each kind there are. What each kind should get is in `wanted`.",
            ),
            Mistake(
                "for-each-word",
                lambda wanted, features: features @ _row_for_shares(wanted, features),
                "You return the share of each word. What you need is the row of the matrix: one number for each "
                "*kind*.",
            ),
            Mistake(
                "on-each-word",
                lambda wanted, features: wanted @ features.T,
                "You return what each word gets. What you need is the row of the matrix: one number for each *kind*.",
            ),
            Mistake(
                "of-the-kinds",
                lambda wanted, features: wanted / len(wanted),
                "You divide by the number of kinds. The share of a kind is divided among the words of this kind.",
            ),
        ],
        hints=[
            "A word of kind j has the features with a 1 in place j. How well does your row fit it?",
            "Two nouns fit equally well. What must each get, if the two together are to have 0.75?",
            "`features.sum(dim=0)` counts the words of each kind.",
        ],
    ),
    Exercise(
        name="mix_by_request",
        lesson=2,
        statement="Compare what each word looks for with what each word is, share out, and mix the features.",
        reference=_by_request,
        cases=_request_cases,
        verified="Requests meet features, each row of fits becomes shares, and the shares mix the features.",
        mistakes=[
            Mistake(
                "by-resemblance",
                lambda features, w_looks_for: _mixed(features, features @ features.T),
                "You compare what each word is with what each word is. What does each word look for?",
            ),
            Mistake(
                "requests-with-requests",
                lambda features, w_looks_for: _mixed(features, features @ w_looks_for @ (features @ w_looks_for).T),
                "You compare requests with requests. A request is compared with what the other words are.",
            ),
            Mistake(
                "swapped",
                lambda features, w_looks_for: _mixed(features, features @ (features @ w_looks_for).T),
                "Rows and columns are exchanged: row i of the table must hold what word i looks for, compared with "
                "every word.",
            ),
            Mistake(
                "requests-mixed",
                lambda features, w_looks_for: _mixed(features @ w_looks_for, features @ w_looks_for @ features.T),
                "Your shares are right, but you mix the requests. What is handed over are the features.",
            ),
            Mistake(
                "no-shares",
                lambda features, w_looks_for: features @ w_looks_for @ features.T @ features,
                "You mix with the bare fits. Each row has to become shares first, which add up to 1.",
            ),
            Mistake(
                "wrong-axis",
                lambda features, w_looks_for: (
                    (fits := features @ w_looks_for @ features.T) / fits.sum(-2, keepdim=True) @ features
                ),
                "Your columns add up to 1. The shares of one word are a row, so each row must.",
            ),
            Mistake(
                "not-kept",
                lambda features, w_looks_for: (fits := features @ w_looks_for @ features.T) / fits.sum(-1) @ features,
                "You sum along the right axis, but the sums lie in a row, so each divides a column. `keepdim=True` "
                "keeps them in a column.",
            ),
            Mistake(
                "shares-only",
                lambda features, w_looks_for: (
                    (fits := features @ w_looks_for @ features.T) / fits.sum(-1, keepdim=True)
                ),
                "You return the shares. The last step is the mixture that they make.",
            ),
            Mistake(
                "over-everything",
                lambda features, w_looks_for: (f := features @ w_looks_for @ features.T) / f.sum() @ features,
                "You divide by the sum of the whole table. Each row must add up to 1 by itself.",
            ),
            Mistake(
                "shared-too-early",
                lambda features, w_looks_for: (
                    (q := features @ w_looks_for) / q.sum(-1, keepdim=True) @ features.T @ features
                ),
                "You share out what each word looks for. It is the fits that become shares: one for each other word.",
            ),
            Mistake(
                "softmax",
                lambda features, w_looks_for: torch.softmax(features @ w_looks_for @ features.T, -1) @ features,
                "You use softmax, which comes in lesson 5. Here each row is divided by its own sum.",
            ),
            Mistake(
                "best-alone",
                lambda features, w_looks_for: features[(features @ w_looks_for @ features.T).argmax(-1)],
                "You take the features of the word that fits best, and of no other. All words have a share.",
            ),
        ],
        hints=[
            "Three lines, as in step 1: compare, share out, mix. Only the first of them changes.",
            "The requests are `features @ w_looks_for`. They stand at the left of the comparison: row i belongs to the "
            "word that looks.",
            "The mixture is the shares times the features themselves.",
        ],
    ),
    Exercise(
        name="w_value_for",
        lesson=2,
        statement="Make the w_value with which each word hands over some of its features, in the order given.",
        reference=_w_value_for,
        cases=_feature_cases,
        verified="Each column takes all of one feature and nothing of the others.",
        gradient=False,
        mistakes=[
            Mistake(
                "transposed",
                lambda d_model, handed_over: _w_value_for(d_model, handed_over).T,
                "Your matrix stands on its side. It needs a row for each feature of a word, and a column for each "
                "number of the value.",
            ),
            Mistake(
                "square",
                lambda d_model, handed_over: torch.diag(_w_value_for(d_model, handed_over).sum(1)),
                "Your value is as large as the word's vector, with zeros where nothing is handed over. It needs only "
                "a number for each feature that is.",
            ),
            Mistake(
                "first-features",
                lambda d_model, handed_over: torch.eye(d_model)[:, : len(handed_over)],
                "You hand over the first features, whatever is asked for. Which row does `handed_over` name?",
            ),
            Mistake(
                "sorted",
                lambda d_model, handed_over: _w_value_for(d_model, handed_over.sort().values),
                "The right features, but in the order of the word's vector. The first that is named goes to place 0.",
            ),
            Mistake(
                "one-column",
                lambda d_model, handed_over: _w_value_for(d_model, handed_over).sum(1, keepdim=True),
                "One column adds all these features up to a single number. Each needs a column of its own.",
            ),
            Mistake(
                "a-row-alone",
                lambda d_model, handed_over: _w_value_for(d_model, handed_over).sum(1),
                "That says which features are handed over, but it is no matrix: each of them needs a column.",
            ),
            Mistake(
                "all-others",
                lambda d_model, handed_over: 1 - _w_value_for(d_model, handed_over),
                "0 and 1 are exchanged: each column takes all features but the one it should.",
            ),
            Mistake(
                "from-one",
                lambda d_model, handed_over: _w_value_for(d_model, (handed_over - 1) % d_model),
                "Each column takes the feature before the right one. Features are counted from 0.",
            ),
            Mistake(
                "whole-rows",
                lambda d_model, handed_over: (
                    (torch.arange(d_model)[:, None] == handed_over).any(1, keepdim=True) * torch.ones(len(handed_over))
                ),
                "You fill whole rows, so each feature goes to every place of the value. Each column should take "
                "one feature.",
            ),
            Mistake(
                "number-of-the-feature",
                lambda d_model, handed_over: _w_value_for(d_model, handed_over) * handed_over,
                "You write the number of the feature into the matrix. It says where; what stands there says how "
                "much is handed over.",
            ),
        ],
        hints=[
            "What shape must `w_value` have, so that `features @ w_value` has a number for each feature handed over?",
            "Number k of a value is the word's features times column k. Which column picks out one feature?",
        ],
    ),
]
