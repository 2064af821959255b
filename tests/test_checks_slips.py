"""Slips are found in the learner's own code, and said only where mending them makes the function right."""

from decimal import Decimal

import pytest
from checking import from_cell, in_an_empty_folder  # noqa: F401 (a fixture)

from helpers.checks.judge import judge
from helpers.checks.verdict import RIGHT
from helpers.exercises import check, exercises

SOFTMAX = """
def f(scores):
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)
"""
PLACES = [
    ("place-function", "e.sum(", "e.mean(", "Is `mean` the one that is needed?"),
    ("place-too-much", ".exp()", ".exp().sqrt()", "Is `sqrt` needed there?"),
    ("place-too-much", "return e /", "return e / 3 /", "line 4. Is `/ 3` needed there?"),
    ("place-operation", "scores - scores", "scores + scores", "Is `+` the operation that is needed?"),
    (
        "place-exchanged",
        "e / e.sum(-1, keepdim=True)",
        "e.sum(-1, keepdim=True) / e",
        "Which of the two belongs first?",
    ),
    ("pair", "scores.amax(-1", "scores.max(-1", "`.values` or `.indices`"),
]


@pytest.mark.parametrize(("id", "right", "wrong", "words"), PLACES)
def test_the_one_wrong_place_is_named(id, right, wrong, words):
    verdict = check("softmax", from_cell(SOFTMAX.replace(right, wrong)))
    assert verdict.mistake == id and words in verdict.message


def test_a_line_without_effect_is_no_mistake_where_the_result_is_right():
    assert check("softmax", from_cell(SOFTMAX.replace("    return", "    e == e / 2\n    return"))).status == RIGHT


SLIPS = [
    ("return-in-loop", "project_row", "(row, w)", "r = 0\nfor a, b in zip(row, w):\n    r = r + a * b\n    return r"),
    (
        "overwritten",
        "project_row",
        "(row, w)",
        "r = 0\nfor a, b in zip(row, w):\n    if True:\n        r = a * b\nreturn r",
    ),
    ("only-the-last", "embed", "(ids, table)", "for i in ids:\n    row = table[i]\nreturn row"),
    ("truth-of-tensor", "masked_softmax", "(scores, mask)", "return scores.masked_fill(not mask, 0)"),
    ("order-of-arguments", "score_table", "(keys, queries)", "return queries @ keys.T"),
    ("not-kept", "best_unit_key", "(query)", "x = query / 1\nx.div(x.norm())\nreturn x"),
    ("compared", "best_unit_key", "(query)", "x = query\nx == x / x.norm()\nreturn x"),
    ("not-callable", "embed", "(ids, table)", "return table(ids)"),
    ("unknown-name", "embed", "(ids, table)", "return tabel[ids]"),
    ("unused", "project_row", "(row, w)", "return w.sin().sum(0).cos()"),
    ("no-return", "recover_ids", "(embedded, table)", "if len(table) > 9:\n    return [0]"),
]


@pytest.mark.parametrize(("id", "exercise", "arguments", "body"), SLIPS, ids=[slip[0] for slip in SLIPS])
def test_common_slip_is_named_in_any_exercise(id, exercise, arguments, body):
    verdict = check(exercise, from_cell(f"def f{arguments}:\n    " + body.replace("\n", "\n    ") + "\n"))
    assert verdict.mistake == id, verdict


def test_notebook_variable_in_place_of_an_argument_is_named():
    function = from_cell("table_11 = torch.ones(5, 4)\n\ndef f(ids, table):\n    return table_11[ids]\n")
    verdict = check("embed", function)
    assert verdict.mistake == "notebook-variable" and "`table_11`" in verdict.message


def test_size_written_out_is_named_with_what_it_is_in_the_example():
    body = "r = torch.zeros(len(ids), 4)\n    for i in range(len(ids)):\n        r[i] = table[ids[i]]\n    return r\n"
    verdict = check("embed", from_cell(f"def f(ids, table):\n    {body}"))
    assert verdict.mistake == "written-out"
    assert "4 (line 2)" in verdict.message and "`table.shape[1]`" in verdict.message


def test_root_without_brackets_is_named_though_the_example_hides_it():
    cell = (
        "def f(x, others, w_query, w_key, w_value):\n    q, k, v = x @ w_query, others @ w_key, others @ w_value\n"
        "    d = k.shape[-1]\n    return (q @ k.T / d**1/2).softmax(-1) @ v\n"
    )
    verdict = check("attend_to", from_cell(cell))
    assert verdict.mistake == "power-first" and "`q @ k.T / d**1/2` in line 4" in verdict.message


def test_search_leaves_the_function_and_the_notebook_as_they_were():
    function = from_cell("big = torch.ones(2)\n\ndef f(queries, keys):\n    return queries @ queries.T\n")
    before = dict(function.__globals__)
    check("score_table", function)
    assert function.__globals__ == before and function.__code__.co_names == ("T",)


def test_no_search_is_made_for_what_is_right(monkeypatch):
    monkeypatch.setattr("helpers.checks.judge.find_mistake", lambda attempt: 1 / 0)
    assert judge(exercises()["softmax"], exercises()["softmax"].reference).status == RIGHT


def test_float64_that_meets_a_table_of_float32_is_right_with_a_remark():
    cell = "def f(queries, keys):\n    return queries @ torch.eye(queries.shape[1]) @ keys.T\n"
    verdict = check("score_table", from_cell(cell))
    assert verdict.status == RIGHT and "for inputs in float64 your function stops" in verdict.remarks[0]


def test_a_number_may_come_as_any_kind_of_number():
    assert check("spread_of_scores", lambda a, b, d_k: Decimal(a * b * d_k**0.5)).status == RIGHT
    assert check("divisor_for", lambda query, keys: (keys @ query).std(correction=0).item()).status == RIGHT
