"""A function that nobody has written yet is told from one that is wrong."""

import functools

import pytest
import torch
from checking import from_cell, in_an_empty_folder  # noqa: F401 (a fixture)

from helpers.checks.verdict import RIGHT, UNTRIED, WRONG
from helpers.exercises import check

STUBS = [
    "...",
    "pass",
    '"""To be written."""',
    '"""To be written.\n\n    In two lines.\n    """\n    ...',
    "# your code\n    ...  # here",
    "return None",
    "return",
    "return ...",
    "...\n    pass\n    return",
    "# YOUR CODE HERE\n    raise NotImplementedError()",
]
NO_STUBS = ["return 0", "raise ValueError", "scores", "scores.exp()", "return (None,)", "x = None"]


@pytest.mark.parametrize("body", STUBS)
def test_function_that_does_nothing_is_not_tried(body):
    verdict = check("softmax", from_cell(f"def f(scores):\n    {body}\n"))
    assert (verdict.status, verdict.mistake) == (UNTRIED, None)
    assert repr(verdict).startswith("\u25cb Not tried yet: softmax.") and "\n" not in repr(verdict)


@pytest.mark.parametrize("body", NO_STUBS)
def test_function_that_does_something_is_tried(body):
    assert check("softmax", from_cell(f"def f(scores):\n    {body}\n")).status == WRONG


def test_stub_inside_another_function_is_not_tried():
    def function(scores):
        """To be written."""
        ...

    assert check("softmax", function).status == UNTRIED


def test_stub_as_a_method_is_not_tried():
    class Model:
        def softmax(self, scores): ...

    assert check("softmax", Model().softmax).status == UNTRIED


def decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


def test_decorated_stub_is_not_tried_and_a_decorated_solution_is_right():
    @decorated
    def stub(scores):
        pass

    @decorated
    def solution(scores):
        return torch.softmax(scores, -1)

    assert check("softmax", stub).status == UNTRIED
    assert check("softmax", solution).status == RIGHT


def test_lambda_that_does_nothing_is_not_tried():
    assert check("softmax", lambda scores: None).status == UNTRIED
    assert check("softmax", lambda scores: ...).status == UNTRIED
    assert check("softmax", lambda scores: scores.softmax(-1)).status == RIGHT


def test_lambda_beside_another_is_tried_as_it_may_be_either():
    nothing, right = (lambda scores: None), (lambda scores: scores.softmax(-1))
    assert check("softmax", right).status == RIGHT
    assert check("softmax", nothing).mistake == "no-return"


def test_function_without_source_is_tried():
    names = {"torch": torch}
    exec("def right(scores): return torch.softmax(scores, -1)\ndef stub(scores): ...", names)
    assert check("softmax", names["right"]).status == RIGHT
    assert check("softmax", names["stub"]).mistake == "no-return"
    assert check("softmax", functools.partial(torch.softmax, dim=-1)).status == RIGHT
    assert check("softmax", torch.nn.Softmax(-1)).status == RIGHT
    assert check("softmax", torch.Tensor.relu).status == WRONG


def test_coroutine_and_generator_that_do_nothing_are_named():
    assert "async" in check("softmax", from_cell("async def f(scores):\n    ...\n")).message
    assert "yield" in check("softmax", from_cell("def f(scores):\n    yield\n")).message
