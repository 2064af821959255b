"""Lesson 2, weights: attention by resemblance and by request, and what the three matrices are."""

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake


def _size_cases(draw: Draw) -> list[Arguments]:
    return [
        (4, 3, 2, False),
        (4, 3, 2, True),
        (1, 1, 1, False),
        (1, 1, 1, True),
        (8, 5, 6, True),
        (6, 7, 3, False),
        (512, 64, 128, True),
    ]


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
                "You return the share of each word. Asked for is the row of the matrix: one number for each *kind*.",
            ),
        ],
        hints=[
            "A word of kind j has the features with a 1 in place j. How well does your row fit it?",
            "Two nouns fit equally well. What must each get, if the two together shall have 0.75?",
            "`features.sum(dim=-2)` counts the words of each kind.",
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
        ],
        hints=[
            "Three lines, as in step 1: compare, share out, mix. Only the first of them changes.",
            "The requests are `features @ w_looks_for`. They stand at the left of the comparison: row i belongs to the "
            "word that looks.",
            "The mixture is the shares times the features themselves.",
        ],
    ),
    Exercise(
        name="count_parameters",
        lesson=2,
        statement="Count the numbers that w_query, w_key and w_value have together, with or without biases.",
        reference=lambda d_model, d_k, d_v, bias: d_model * (2 * d_k + d_v) + (2 * d_k + d_v) * bool(bias),
        cases=_size_cases,
        verified="Two matrices for queries and keys, one for values, and a bias for each column when asked for.",
        gradient=False,
        mistakes=[
            Mistake(
                "no-bias",
                lambda d_model, d_k, d_v, bias: d_model * (2 * d_k + d_v),
                "You leave the biases out even when `bias` is true. Each matrix then has a bias of its own.",
            ),
            Mistake(
                "always-bias",
                lambda d_model, d_k, d_v, bias: (d_model + 1) * (2 * d_k + d_v),
                "You count the biases even when `bias` is false.",
            ),
            Mistake(
                "bias-per-row",
                lambda d_model, d_k, d_v, bias: d_model * (2 * d_k + d_v) + 3 * d_model * bool(bias),
                "You count a bias for each row of a matrix. A bias is added to the result, so it has as many "
                "numbers as the result has columns.",
            ),
            Mistake(
                "one-bias",
                lambda d_model, d_k, d_v, bias: d_model * (2 * d_k + d_v) + 3 * bool(bias),
                "You count a single number as the bias of a matrix. A bias has a number for each column.",
            ),
            Mistake(
                "two-matrices",
                lambda d_model, d_k, d_v, bias: (d_model + bool(bias)) * (d_k + d_v),
                "You count two matrices. Queries and keys have the same size, but each have their own.",
            ),
            Mistake(
                "same-size",
                lambda d_model, d_k, d_v, bias: (d_model + bool(bias)) * 3 * d_k,
                "You give all three matrices `d_k` columns. Which of them has `d_v`?",
            ),
            Mistake(
                "d-v-twice",
                lambda d_model, d_k, d_v, bias: (d_model + bool(bias)) * (d_k + 2 * d_v),
                "You give two matrices `d_v` columns. Keys are compared with queries, so which size must they have?",
            ),
            Mistake(
                "square",
                lambda d_model, d_k, d_v, bias: 3 * d_model * d_model + 3 * d_model * bool(bias),
                "You count square matrices. Only the number of rows is `d_model`; the columns are `d_k` or `d_v`.",
            ),
            Mistake(
                "sizes-added",
                lambda d_model, d_k, d_v, bias: 3 * d_model + 2 * d_k + d_v + (2 * d_k + d_v) * bool(bias),
                "You add rows and columns. A matrix has rows times columns numbers.",
            ),
        ],
        hints=[
            "Write down the shape of each of the three matrices. How many numbers does each have?",
            "A bias has a number for each column of its matrix. `bias` is True or False.",
        ],
    ),
]
