"""What a verdict shows: the mistake, the numbers, the learner's own line."""

import re

import torch
from checking import EXERCISES, from_cell, in_an_empty_folder  # noqa: F401 (a fixture)

from helpers.checks.side_by_side import side_by_side
from helpers.checks.verdict import RIGHT
from helpers.exercises import check


def test_unforeseen_answer_shows_the_smallest_failing_input_beside_the_expected():
    verdict = check("softmax", lambda scores: torch.softmax(scores * 1.5, -1))
    shown = dict(verdict.details)
    assert list(shown) == ["scores", "your result", "expected"]
    assert "shape (1, 4)" in shown["scores"]  # (1, 1) comes out right
    html = verdict._repr_html_()
    assert html.count("<img alt=") == 2 and "differ from what is expected" in html
    assert repr(verdict) == repr(check("softmax", lambda scores: torch.softmax(scores * 1.5, -1)))


def test_tables_are_drawn_side_by_side_with_the_wrong_cells_named():
    html = side_by_side(torch.tensor([[1.0, 2.0], [3.0, 4.5]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert "your result, 2 by 2" in html and "expected, 2 by 2" in html and "1 of 4 numbers differ" in html


def test_error_is_shown_with_the_learners_own_line_and_no_stack_of_ours():
    function = from_cell("def f(scores):\n    weights = scores.softmaxx(-1)\n    return weights\n")
    text = repr(check("softmax", function))
    assert "line 2: `weights = scores.softmaxx(-1)`" in text and "AttributeError" in text
    assert "judge" not in text and "Traceback" not in text


def test_error_deep_in_torch_is_shown_at_the_learners_line():
    function = from_cell("def f(queries, keys):\n    scores = 1\n    return F.linear(queries, keys[0].expand(2, 99))\n")
    assert "line 3: `return F.linear" in repr(check("score_table", function))


def test_shape_error_of_a_known_mistake_names_the_mistake_and_the_line():
    function = from_cell("def f(queries, keys):\n    return queries @ keys\n")
    verdict = check("score_table", function)
    assert verdict.mistake == "transpose-forgotten" and "line 2" in repr(verdict) and "line 2" in verdict._repr_html_()


def test_printing_is_shown_apart_and_cut(capsys):
    def function(scores):
        print("<b>looking</b>\n" * 50)
        return torch.softmax(scores, -1)

    verdict = check("softmax", function)
    assert verdict.status == RIGHT and capsys.readouterr().out == ""
    assert repr(verdict).count("<b>looking</b>") == 8 and "&lt;b&gt;looking" in verdict._repr_html_()


def test_each_run_shows_the_same_to_the_byte():
    for mistake in (EXERCISES["softmax"].mistakes[0], EXERCISES["score_table"].mistakes[1]):
        first, second = (check("softmax", mistake.makes) for _ in range(2))
        assert (repr(first), first._repr_html_()) == (repr(second), second._repr_html_())


def test_html_needs_no_trust_and_no_colour():
    shown = [check("softmax", f)._repr_html_() for f in (lambda s: torch.softmax(s, -1), lambda s: s, lambda s: None)]
    for html, word in zip(shown, ("Right", "Not yet", "Not tried yet"), strict=True):
        assert f"{word}: softmax" in html
        assert not re.search(r"<script|<style|<svg|onclick|class=|[^-]color:", html)
