"""Lesson 2, weights: what the three matrices are, how they start, how they learn."""

import math

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


def _two_sizes(draw: Draw) -> list[Arguments]:
    return [(4, 3), (3, 7), (1, 1), (1, 8), (512, 64), (5, 100)]


def _step_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]]), torch.tensor([[1.0, -1, 2]] * 4), 0.1),
        (draw(4, 3), draw(4, 3), 0.3),
        (draw(1, 1), draw(1, 1), 0.5),
        (draw(1, 5), draw(1, 5), 2.0),
        (draw(2, 7, dtype=torch.float64), draw(2, 7, dtype=torch.float64), 0.01),
        (draw.apart(5, 2), draw.apart(5, 2), 0.7),
        (draw(40, 30), draw(40, 30), 1.5),
    ]


EXERCISES = [
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
        name="training_step",
        lesson=2,
        statement="Return the weight after one step of gradient descent, and leave the old one as it is.",
        reference=lambda weight, gradient, learning_rate: weight - learning_rate * gradient,
        cases=_step_cases,
        verified="Each number moves a little against its gradient, and the old weight is still there.",
        gradient=False,
        mistakes=[
            Mistake(
                "uphill",
                lambda weight, gradient, learning_rate: weight + learning_rate * gradient,
                "You step along the gradient. It points to where the error grows, and the error should shrink.",
            ),
            Mistake(
                "no-learning-rate",
                lambda weight, gradient, learning_rate: weight - gradient,
                "You take the whole gradient as the step. What is the learning rate for?",
            ),
            Mistake(
                "only-the-step",
                lambda weight, gradient, learning_rate: -learning_rate * gradient,
                "You return the step alone. A step changes the weight that is there already.",
            ),
            Mistake(
                "divided",
                lambda weight, gradient, learning_rate: weight - gradient / learning_rate,
                "You divide by the learning rate. A small learning rate must make a small step.",
            ),
            Mistake(
                "sign-only",
                lambda weight, gradient, learning_rate: weight - learning_rate * gradient.sign(),
                "All your steps have the same length. Where the gradient is large, the step is large.",
            ),
            Mistake(
                "scaled-weight",
                lambda weight, gradient, learning_rate: weight * (1 - learning_rate) - gradient,
                "The learning rate is at the wrong place: it shortens the step, not the weight.",
            ),
            Mistake(
                "redrawn",
                lambda weight, gradient, learning_rate: torch.zeros_like(weight),
                "You start anew instead of changing what is there. Learning keeps the weight and moves it a little.",
            ),
        ],
        hints=[
            "The gradient says in which direction the error grows. Which way do you go?",
            "The step is the gradient times the learning rate. Make a new tensor: no `-=`.",
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
    Exercise(
        name="xavier_std",
        lesson=2,
        statement="Give the standard deviation with which Xavier draws a matrix of d_in rows and d_out columns.",
        reference=lambda d_in, d_out: math.sqrt(2 / (d_in + d_out)),
        cases=_two_sizes,
        verified="The more numbers a sum has, forwards or backwards, the smaller each of them starts.",
        gradient=False,
        mistakes=[
            Mistake(
                "variance",
                lambda d_in, d_out: 2 / (d_in + d_out),
                "That is the variance. The standard deviation is its root.",
            ),
            Mistake(
                "kaiming",
                lambda d_in, d_out: math.sqrt(2 / d_in),
                "That is the start of Kaiming: it looks at `d_in` only. Xavier looks at both sizes.",
            ),
            Mistake(
                "only-in",
                lambda d_in, d_out: math.sqrt(1 / d_in),
                "You look at `d_in` only. Xavier looks at both sizes.",
            ),
            Mistake(
                "only-out",
                lambda d_in, d_out: math.sqrt(1 / d_out),
                "You look at `d_out` only. Xavier looks at both sizes.",
            ),
            Mistake(
                "one-on-top",
                lambda d_in, d_out: math.sqrt(1 / (d_in + d_out)),
                "Your result is too small by the root of 2: Xavier takes the mean of the two sizes, not their sum.",
            ),
            Mistake(
                "uniform",
                lambda d_in, d_out: math.sqrt(6 / (d_in + d_out)),
                "That is the bound of Xavier's uniform numbers. The question is for their standard deviation.",
            ),
            Mistake(
                "product",
                lambda d_in, d_out: math.sqrt(2 / (d_in * d_out)),
                "You multiply the two sizes. Xavier takes their mean.",
            ),
            Mistake(
                "upside-down",
                lambda d_in, d_out: math.sqrt((d_in + d_out) / 2),
                "Your fraction stands upside down: larger matrices must start with smaller numbers.",
            ),
        ],
        hints=[
            'The lesson has the recipe under "How do the numbers start?".',
            "A variance of one divided by the mean of the two sizes. Which step leads from a variance to a standard "
            "deviation?",
        ],
    ),
]
