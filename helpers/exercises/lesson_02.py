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


def _linear_cases(draw: Draw) -> list[Arguments]:
    return [
        (
            torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]),
            torch.tensor([[0.0, 1, 0, 1], [0, 1, 1, 1]]),
            torch.tensor([1.0, -1]),
        ),
        (draw(3, 4), draw(2, 4), draw(2)),
        (draw(1, 1), draw(1, 1), draw(1)),
        (draw(1, 5), draw(3, 5), draw(3)),
        (draw(6, 2), draw(7, 2), draw(7)),
        (*(draw(*shape, dtype=torch.float64) for shape in [(5, 3), (4, 3), (4,)]),),
        (draw.apart(2, 6), draw.apart(5, 6), draw.apart(5)),
        (draw(40, 30), draw(20, 30), draw(20)),
    ]


def _wish_cases(draw: Draw) -> list[Arguments]:
    return [
        ([(0, 0), (1, 0)], 2),
        ([(0, 1), (1, 1)], 2),
        ([(0, 0)], 1),
        ([(0, 2), (1, 0), (1, 3)], 5),
        ([(3, 1)], 4),
        ([(2, 0), (2, 1), (0, 2)], 3),
        ([(0, 4), (1, 5), (2, 3), (5, 6), (5, 1)], 7),
    ]


def _looks_for(wishes: list[tuple[int, int]], n_kinds: int) -> torch.Tensor:
    w = torch.zeros(n_kinds, n_kinds)
    for kind, wanted in wishes:
        w[kind, wanted] = 1
    return w


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
        name="looks_for_matrix",
        lesson=2,
        statement="Turn wishes, such as (1, 0) for 'kind 1 looks for kind 0', into the matrix w_looks_for.",
        reference=_looks_for,
        cases=_wish_cases,
        verified="The row of a kind holds a 1 for each kind that it looks for.",
        gradient=False,
        mistakes=[
            Mistake(
                "transposed",
                lambda wishes, n_kinds: _looks_for(wishes, n_kinds).T,
                "Rows and columns are exchanged. `features @ w` takes the *row* of a word's kind, so the row must "
                "say what this kind looks for.",
            ),
            Mistake(
                "itself-too",
                lambda wishes, n_kinds: (_looks_for(wishes, n_kinds) + torch.eye(n_kinds)).clamp(max=1),
                "Every kind also looks for itself. It does so only where the wishes say it.",
            ),
            Mistake(
                "both-ways",
                lambda wishes, n_kinds: torch.maximum(_looks_for(wishes, n_kinds), _looks_for(wishes, n_kinds).T),
                "Your wishes go both ways. That a pronoun looks for nouns does not make nouns look for pronouns.",
            ),
            Mistake(
                "one-wish-each",
                lambda wishes, n_kinds: _looks_for(list(dict(wishes).items()), n_kinds),
                "Where a kind has several wishes you keep only the last. One row may hold several ones.",
            ),
            Mistake(
                "identity",
                lambda wishes, n_kinds: torch.eye(n_kinds),
                "With this matrix each kind looks for what it is, as without any matrix. Where do the wishes come in?",
            ),
            Mistake(
                "all-ones",
                lambda wishes, n_kinds: torch.ones(n_kinds, n_kinds),
                "With ones everywhere each kind looks for every kind. Only what is wished for gets a 1.",
            ),
            Mistake(
                "wanted-only",
                lambda wishes, n_kinds: _looks_for(
                    [(k, wanted) for k in range(n_kinds) for _, wanted in wishes], n_kinds
                ),
                "Every row of yours holds all wishes. Row i belongs to kind i, and holds only what kind i looks for.",
            ),
        ],
        hints=[
            "A word of kind 1 has the features `[0, 1, 0, ...]`. Which row of `w` comes out of `features @ w`?",
            "Start with zeros, and set one number for each wish.",
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
    Exercise(
        name="linear",
        lesson=2,
        statement="Do what nn.Linear does: its weight is stored as (d_out, d_in).",
        reference=lambda x, weight, bias: x @ weight.T + bias,
        cases=_linear_cases,
        verified="Each row of `x` meets each row of `weight`, and the bias is added to every row.",
        mistakes=[
            Mistake("no-bias", lambda x, weight, bias: x @ weight.T, "The bias is forgotten."),
            Mistake(
                "transpose-forgotten",
                lambda x, weight, bias: x @ weight + bias,
                "`weight` is stored as (d_out, d_in), so the inner sizes do not meet. What has to be done to it "
                "before the product?",
            ),
            Mistake(
                "reshaped",
                lambda x, weight, bias: x @ weight.reshape(weight.shape[1], weight.shape[0]) + bias,
                "You give `weight` the right shape, but its numbers end up at other places. Rows must become "
                "columns: that is not what `reshape` and `view` do.",
            ),
            Mistake(
                "transposed-result",
                lambda x, weight, bias: (x @ weight.T + bias).T,
                "Your result has a column for each token. Rows are tokens, in as well as out.",
            ),
            Mistake(
                "bias-subtracted", lambda x, weight, bias: x @ weight.T - bias, "You subtract the bias. It is added."
            ),
            Mistake(
                "bias-multiplied",
                lambda x, weight, bias: x @ weight.T * bias,
                "You multiply with the bias. It is added: it shifts the result and does not stretch it.",
            ),
            Mistake(
                "bias-first",
                lambda x, weight, bias: x @ (weight + bias[:, None]).T,
                "You add the bias to the weights, so it is multiplied with `x`. It belongs to the result.",
            ),
            Mistake(
                "relu",
                lambda x, weight, bias: (x @ weight.T + bias).relu(),
                "Your negative results have become 0. A linear layer has no activation function.",
            ),
        ],
        hints=[
            "Write down the shapes: `x` is (n, d_in), the result (n, d_out). Which shape must stand at the right of "
            "`@`?",
            "`weight` turned so that rows become columns has that shape. The bias is added to every row at the end.",
        ],
    ),
]
