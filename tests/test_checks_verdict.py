"""What a verdict shows: the mistake, the numbers, the learner's own line."""

import base64
import io
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from checking import EXERCISES, from_cell, in_an_empty_folder  # noqa: F401 (a fixture)

from helpers.checks.side_by_side import as_text, can_be_drawn, side_by_side
from helpers.checks.verdict import RIGHT, Note
from helpers.exercises import check, hint


def odd_softmax(scores):
    return torch.softmax(scores.sin().cos(), -1)


def test_unforeseen_answer_shows_a_telling_input_beside_the_expected():
    verdict = check("softmax", odd_softmax)
    shown = dict(verdict.details)
    assert list(shown) == ["scores", "your result", "expected"]
    assert "shape (2, 3)" in shown["scores"]  # the smallest whose rows and columns differ, without a size of 1
    (got, want), right = verdict.tables, EXERCISES["softmax"].reference
    case = next(scores for (scores,) in EXERCISES["softmax"].draw_cases() if scores.shape == (2, 3))
    assert torch.equal(got, odd_softmax(case)) and torch.equal(want, right(case))
    assert shown["your result"] == as_text(got) and shown["expected"] == as_text(want)
    assert f"no number is right: [0, 0] holds {as_text(got[0, 0])} in place of" in verdict.message
    html = verdict._repr_html_()
    assert html.count("<img ") == 2 and "differ from what is expected" in html
    assert repr(verdict) == repr(check("softmax", odd_softmax))


def test_numbers_in_a_sentence_end_without_a_point_of_their_own_and_look_different():
    verdict = check("project_row", lambda row, w: (row @ w).sin().cos().round())
    assert re.search(r"\[0\] holds [01] in place of -?\d+\.$", verdict.message), verdict.message
    close = check("softmax", eval("lambda scores: (scores + scores.sin() * 3e-4).softmax(-1)", {}))
    got, want = re.search(r"holds (\S+) in place of (\S+)\.$", close.message).groups()
    assert got != want, close.message


def test_tables_are_drawn_side_by_side_with_the_wrong_cells_named():
    html = side_by_side(torch.tensor([[1.0, 2.0], [3.0, 4.5]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert "your result, 2 by 2" in html and "expected, 2 by 2" in html and "1 of 4 numbers differ" in html


def tinted_parts(html):
    """Where each picture is tinted, as (top, left, bottom, right) in parts of its height and width; None if nowhere."""
    found = []
    for data in re.findall(r'base64,([^"]+)"', html):
        image = plt.imread(io.BytesIO(base64.b64decode(data)))[..., :3]  # (height, width, 3)
        places = np.argwhere(np.ptp(image, -1) > 0.05) / image.shape[:2]  # text and lines are grey
        found.append([*places.min(0), *places.max(0)] if len(places) else None)
    return found


def test_wrong_cells_are_tinted_in_the_result_and_only_there():
    want = torch.tensor([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]])
    got = want + torch.tensor([[0.0, 0.0, 0.0], [0.0, 0.5, 0.0]])
    tinted, expected = tinted_parts(side_by_side(got, want))
    assert tinted == pytest.approx([0.61, 0.34, 0.93, 0.65], abs=0.05)  # second row, second of three columns
    assert expected is None


def test_table_shows_enough_digits_to_see_what_is_wrong():
    want = torch.tensor([[0.5, 0.25]])
    assert "[0.5005, 0.2500]. 1 of 2 numbers" in side_by_side(want + torch.tensor([[0.0005, 0.0]]), want)
    assert "[0.55, 0.25]. 1 of 2 numbers" in side_by_side(want + torch.tensor([[0.05, 0.0]]), want)
    assert "[3, 2]. 1 of 2 numbers" in side_by_side(torch.tensor([[3, 2]]), torch.tensor([[1, 2]]))


def test_only_small_tables_of_finite_numbers_are_drawn():
    small = torch.ones(8, 8)
    assert can_be_drawn(small, small)
    for table in (torch.ones(8, 9), torch.ones(9, 8), small / 0, torch.ones(8), torch.ones(0, 8), None):
        assert not can_be_drawn(table, table)
    for got in (torch.ones(8, 7), small / 0, None):
        assert not can_be_drawn(got, small)
        assert not can_be_drawn(small, got)


def test_values_are_written_with_four_digits_and_long_ones_by_their_shape():
    assert as_text(torch.tensor([0.12345, 2.0])) == "[0.1235, 2.    ]"
    assert as_text(torch.tensor([[1, 2]])) == "[[1, 2]]  shape (1, 2)"
    assert as_text(torch.ones(65)) == "tensor of shape (65,)"
    assert as_text(0.123456789) == "0.123457" and as_text("x" * 400) == "'" + "x" * 299 + " ..."


def test_known_mistake_shows_a_case_without_sizes_of_one_below_its_message_and_closed():
    verdict = check("softmax", lambda scores: torch.softmax(scores, -2))
    assert verdict.mistake == "wrong-axis" and "shape (2, 3)" in dict(verdict.details)["scores"]
    assert "<details><summary>See it on a small input</summary>" in verdict._repr_html_()
    assert "expected" not in repr(verdict)


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


def test_printing_of_a_wrong_function_is_that_of_the_case_that_is_shown():
    def function(scores):
        print(tuple(scores.shape))
        return torch.softmax(scores * 1.5, -1)

    verdict = check("softmax", function)
    assert verdict.printed == "(2, 3)" and "your function printed: <code>(2, 3)</code>" in verdict._repr_html_()


def test_emphasis_is_set_in_jupyterlab_and_products_are_not_taken_for_it():
    shown = Note("Hint 1 of 3", "The *rows* of `a * b * c`, not 2 * 3 * 4.")._repr_html_()
    assert "The <em>rows</em> of <code>a * b * c</code>, not 2 * 3 * 4." in shown


def test_remarks_and_names_are_shown_and_escaped():
    assert "Lesson 5: 1 of 3 solved." in check("softmax", lambda scores: torch.softmax(scores, -1))._repr_html_()
    assert "&lt;b&gt;" in hint("<b>")._repr_html_() and "<b>`" not in hint("<b>")._repr_html_()


def test_each_run_shows_the_same_to_the_byte():
    wrong_everywhere, wrong_shape = (lambda scores: scores * 1.5), (lambda scores: scores[:1])
    for function in (EXERCISES["softmax"].mistakes[0].makes, wrong_everywhere, wrong_shape):
        first = check("softmax", function)
        second = check("softmax", function)
        assert first.details and (repr(first), first._repr_html_()) == (repr(second), second._repr_html_())


def test_html_needs_no_trust_and_no_colour():
    functions = lambda s: torch.softmax(s, -1), lambda s: s, from_cell("def f(scores):\n    ...\n")
    shown = [check("softmax", function)._repr_html_() for function in functions]
    for html, word in zip(shown, ("Right", "Not yet", "Not tried yet"), strict=True):
        assert f"{word}: softmax" in html
        assert not re.search(r"<script|<style|<svg|onclick|[^-]color:", html)
