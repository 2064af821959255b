"""Mistakes that every exercise shares are found and named."""

import random

import numpy as np
import pytest
import torch
from checking import EXERCISES, in_an_empty_folder  # noqa: F401 (a fixture)

from helpers.checks.exercise import Exercise, Mistake
from helpers.checks.judge import judge
from helpers.checks.verdict import RIGHT, WRONG
from helpers.exercises import check


def exercise_of(reference, cases):
    """An exercise without mistakes of its own, for results and inputs that no lesson asks for."""
    return Exercise("made_up", 1, "Do as is said.", reference, cases, "Done.", [], [])


IDS = exercise_of(
    lambda words, vocabulary: [vocabulary[word] for word in words],
    lambda draw: [(["it", "was"], {"was": 1, "it": 0}), (["it"], {"it": 2}), (["a", "b", "a"], {"a": 4, "b": 3})],
)
THREE = exercise_of(
    lambda x, w_query, w_key, w_value: (x @ w_query, x @ w_key, x @ w_value),
    lambda draw: [
        (draw(n, d_model), draw(d_model, d_k), draw(d_model, d_k), draw(d_model, d_v))
        for n, d_model, d_k, d_v in [(3, 4, 3, 3), (1, 4, 3, 2), (5, 6, 2, 7)]
    ],
)


def in_place(scores):
    scores -= scores.max(-1, keepdim=True).values
    return torch.softmax(scores, -1)


def counting(scores, calls=[]):  # noqa: B006 (a learner may write this)
    calls.append(scores)
    return torch.softmax(scores * len(calls), -1)


def for_three_rows(scores):
    return torch.stack([torch.softmax(scores[i], -1) for i in range(3)])


def for_three_columns(scores):
    e = [torch.exp(scores[:, j] - scores.max(-1).values) for j in range(3)]
    return torch.stack([one / (e[0] + e[1] + e[2]) for one in e], 1)


def constant(scores):
    return torch.softmax(torch.tensor([[2.0, 4, 4], [4, 16, 12], [4, 12, 10]]), -1)


def with_item(scores):
    out = torch.zeros_like(scores)
    for i, row in enumerate(torch.softmax(scores, -1)):
        for j, weight in enumerate(row):
            out[i, j] = weight.item()
    return out


def through_numpy(scores):
    e = np.exp(scores.numpy() - scores.numpy().max(-1, keepdims=True))
    return torch.from_numpy(e / e.sum(-1, keepdims=True))


def returns_numpy(scores):
    return torch.softmax(scores, -1).numpy()


def detached_sum(scores):
    e = (scores - scores.max(-1, keepdim=True).values).exp()
    return e / e.sum(-1, keepdim=True).detach()


def divides_in_place(scores):
    e = (scores - scores.max(-1, keepdim=True).values).exp()
    e /= e.sum(-1, keepdim=True)
    return e


def without_end(scores):
    return without_end(scores)


def prints_only(scores):
    print(torch.softmax(scores, -1))


class Sphinx(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *_):
        raise ValueError("nobody looks at me")


class Teapot(Exception):
    def __str__(self):
        raise ValueError("no text")


def raises(error):
    def function(scores):
        raise error

    return function


SHARED = [
    ("in-place", in_place, "`scores`"),
    ("written-out", for_three_rows, "it is `scores.shape[0]`"),
    ("one-size", for_three_columns, "number of columns of `scores` is 3"),
    ("constant", constant, "returns the result of the lesson's example whatever the input is"),
    ("constant", lambda scores: torch.ones(2, 2), "returns the same whatever the input is"),
    ("integer", lambda scores: torch.softmax(scores, -1).round().long(), "int64"),
    ("half-precision", lambda scores: torch.softmax(scores, -1).half(), "float16"),
    ("half-precision", lambda scores: torch.softmax(scores, -1).bfloat16(), "bfloat16"),
    ("list", lambda scores: torch.softmax(scores, -1).tolist(), "`torch.tensor`"),
    ("list", lambda scores: list(torch.softmax(scores, -1)), "`torch.stack`"),
    ("type", lambda scores: 0.5, "`float`"),
    ("several", lambda scores: (scores, scores), "2 things"),
    ("pair", lambda scores: scores.max(-1), "`.values`"),
    ("brackets-missing", lambda scores: scores.exp, "the function `exp` itself"),
    ("type", lambda scores: torch.softmax(scores, -1).to_sparse(), "a special kind of tensor"),
    ("type", lambda scores: (yield scores), "yield"),
    ("no-return", prints_only, "prints, but returns nothing"),
    ("no-return", lambda scores: scores.softmax(-1) and None if False else print(end=""), "returns nothing"),
    ("arguments", lambda: 1, "no arguments"),
    ("arguments", lambda scores, axis: 1, "2 arguments: `scores`, `axis`, but must take 1 argument: `scores`"),
    ("not-a-function", torch.ones(2, 2), "without brackets"),
    ("not-a-function", None, "without brackets"),
    ("extra-dimension", lambda scores: torch.softmax(scores, -1)[None], "(1, 1, 1)"),
    ("no-such-axis", lambda scores: torch.softmax(scores, 5), "IndexError: Dimension out of range"),
    ("error", raises(Teapot()), "Teapot: (its text cannot be shown)"),
    ("sizes-do-not-meet", lambda scores: scores @ scores @ scores, "cannot be multiplied with one of"),
    ("unreadable", lambda scores: scores.as_subclass(Sphinx), "nobody looks at me"),
    ("exit", raises(SystemExit(1)), "ends the program"),
    ("interrupted", raises(KeyboardInterrupt()), "was interrupted. Run the cell again."),
    ("recursion", without_end, "without end"),
    ("memory", lambda scores: torch.empty(10**15), "more memory than there is."),
    ("memory", lambda scores: [0] * 10**15, "more memory than there is."),
    ("random", lambda scores: torch.rand(scores.shape), "at random"),
    ("random", lambda scores: torch.softmax(scores, -1) * random.random(), "at random"),
    ("random", lambda scores: torch.softmax(scores, -1) * float(np.random.rand()), "at random"),  # noqa: NPY002
    ("random", lambda scores: torch.softmax(scores, -1) * float(np.random.default_rng().random()), "at random"),
    ("random", counting, "kept from one call to the next"),
    ("shape", lambda scores: torch.softmax(scores, -1)[:, :-1], "has the shape (2, 2), but (2, 3) is expected"),
    ("unforeseen", lambda scores: torch.softmax(scores.sin().cos(), -1), "on 9 of 11 inputs. In the case below"),
]


@pytest.mark.parametrize(("id", "function", "words"), SHARED)
def test_shared_mistake_is_named(id, function, words):
    verdict = check("softmax", function)
    assert (verdict.status, verdict.mistake) == (WRONG, id), verdict
    assert words in repr(verdict)
    assert "Not yet: softmax" in verdict._repr_html_()


def test_random_list_and_random_number_are_named():
    assert (
        check("recover_ids", lambda embedded, table: [random.randrange(len(table)) for _ in embedded]).mistake
        == "random"
    )
    assert check("nearest_id", lambda vector, table: random.randrange(len(table))).mistake == "random"


def test_transposed_result_is_named_where_it_is_not_a_known_mistake():
    verdict = check("masked_softmax", lambda s, m: torch.nan_to_num(torch.softmax(s.masked_fill(~m, -torch.inf), -1)).T)
    assert verdict.mistake == "transposed"


def test_overflow_is_named_where_it_is_not_a_known_mistake():
    def function(query, key, value):
        query, key, value = (table.transpose(0, 1) for table in (query, key, value))
        scores = (query @ key.mT / key.shape[-1] ** 0.5).exp()
        return ((scores @ value) / scores.sum(-1, keepdim=True) * 0 / 0).transpose(0, 1)

    assert check("tokens_first", function).mistake == "overflow"


def test_mask_of_numbers_is_named():
    assert check(
        "causal_mask", lambda n_query, n_key: EXERCISES["causal_mask"].reference(n_query, n_key).int()
    ).mistake == ("not-boolean")


CUT = [
    (lambda scores: torch.softmax(scores, -1).detach(), "`.detach()`"),
    (with_item, "`.item()`"),
    (through_numpy, "numpy"),
    (returns_numpy, "numpy"),
    (lambda scores: scores.new_tensor(torch.softmax(scores, -1).tolist()), "`.tolist()`"),
    (detached_sum, "`.detach()`"),
    (divides_in_place, "step in place, such as `/=`, overwrites"),
    # the weights of a row sum to 1 whatever the scores are, so the gradient of their plain sum is 0 either way
    (lambda scores: torch.softmax(scores, -1).detach() + 0 * scores, "`.detach()`"),
]


@pytest.mark.parametrize(("function", "words"), CUT)
def test_right_numbers_without_gradients_are_right_with_a_remark(function, words):
    verdict = check("softmax", function)
    assert verdict.status == RIGHT and "with gradients" not in verdict.message
    assert words in verdict.remarks[0] and verdict.remarks[0].startswith("One remark: ")


def test_missing_gradient_names_the_input_that_it_does_not_reach():
    verdict = check("score_table", lambda queries, keys: queries @ keys.detach().T)
    assert verdict.status == RIGHT and "no gradient reaches `keys`" in verdict.remarks[0]


def test_weight_that_is_changed_in_place_is_named():
    def function(row, w):
        return row @ w.mul_(2) / 2

    verdict = check("project_row", function)
    assert verdict.mistake == "in-place" and "`w`" in verdict.message


def test_list_that_is_changed_in_place_is_named():
    def function(words, vocabulary):
        return [vocabulary[words.pop(0)] for _ in range(len(words))]

    verdict = judge(IDS, function)
    assert verdict.mistake == "in-place" and "`words`" in verdict.message


def test_number_that_is_nearly_right_is_wrong():
    assert check("spread_of_scores", lambda std_q, std_k, d_k: std_q * std_k * d_k**0.5 * 1.001).status == WRONG
    assert check("score_table", lambda queries, keys: queries @ keys.T * 1.001).status == WRONG


def test_true_is_no_number():
    verdict = check("nearest_id", lambda vector, table: bool(vector.sum() > 0))
    assert verdict.mistake == "type" and "`bool`" in verdict.message


def test_one_wrong_tensor_of_several_is_wrong():
    def function(x, w_query, w_key, w_value):
        return x @ w_query, x @ w_key, (x @ w_value).sin().cos()

    verdict = judge(THREE, function)
    assert verdict.mistake == "unforeseen"
    assert "Of the 3 results the first and second are right, the third not." in verdict.message


def test_whole_numbers_among_several_tensors_are_named():
    def function(x, w_query, w_key, w_value):
        return x @ w_query, x @ w_key, (x @ w_value).long()

    assert judge(THREE, function).mistake == "integer"


def squared_but_not_one_number(x):
    if x.numel() == 1:
        raise ValueError("too small")
    return x * x


DOUBLE = Exercise(
    name="double",
    lesson=5,
    statement="Double x.",
    reference=lambda x: 2 * x,
    cases=lambda draw: [(draw(*shape),) for shape in [(3, 3), (3, 3), (1, 1), (1, 2), (2, 5), (4, 3), (9, 8)]],
    verified="Each number is doubled.",
    mistakes=[
        Mistake("squared-but-not-one-number", squared_but_not_one_number, "You square, and refuse a single number."),
        Mistake("squared", lambda x: x * x, "You square."),
    ],
    hints=["", ""],
)


def test_mistake_that_agrees_on_all_cases_is_named_before_one_that_agrees_on_some():
    assert judge(DOUBLE, lambda x: x * x).mistake == "squared"
    assert judge(DOUBLE, squared_but_not_one_number).mistake == "squared-but-not-one-number"


def test_mistake_that_agrees_on_few_cases_is_not_named():
    def function(x):
        if x.numel() > 2:
            raise ValueError("too large")
        return x * x

    assert judge(DOUBLE, function).mistake == "error"


def test_two_mistakes_at_once_name_one_of_them():
    assert check("softmax", lambda s: s.exp() / s.exp().sum(-2, keepdim=True)).mistake == "wrong-axis"
