"""`check`, `hint`, `progress` and `next_exercise`, as a learner calls them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from checking import EXERCISES, from_cell, in_an_empty_folder  # noqa: F401 (a fixture)

from helpers.checks import lessons
from helpers.exercises import check, exercises, hint, next_exercise, progress

COURSE = Path(__file__).parents[1] / "notebooks"


def right(scores):
    return torch.softmax(scores, -1)


def columns(scores):
    return torch.softmax(scores, -2)


def test_unknown_name_is_answered_with_the_nearest():
    assert "`softmax`" in repr(check("sofmax", torch.softmax)) and "`softmax`" in repr(hint("sofmax"))
    assert "none called" in repr(check("zzz", torch.softmax)) and "in quotes" in hint(len)._repr_html_()


def test_call_without_a_name_or_a_function_is_answered_with_what_to_write():
    assert '`check("softmax", softmax)`' in repr(check())
    assert '`check("embed", embed)`' in repr(check(from_cell("def embed(ids, table):\n    return ids\n", "embed")))
    assert '`check("softmax", softmax)`' in repr(check(right, "softmax"))
    assert 'without brackets: `check("embed", embed)`' in repr(check("embed"))
    assert '`hint("softmax")`' in repr(hint()) and '`hint("softmax")`' in repr(hint(right))


# --- true or false ---


def test_verdict_is_true_where_the_function_is_right_and_false_elsewhere():
    stub = from_cell("def f(scores):\n    ...\n")
    assert bool(check("softmax", right)) is True
    for name, function in [("softmax", columns), ("softmax", stub), ("softmax", None), ("sofmax", right)]:
        assert bool(check(name, function)) is False
    assert bool(check(right)) is False and bool(check("softmax")) is False


def test_strict_raises_what_would_have_been_shown():
    assert check("softmax", right, strict=True).status == "Right"
    with pytest.raises(AssertionError, match="Your columns sum to 1, not your rows"):
        check("softmax", columns, strict=True)
    with pytest.raises(AssertionError, match="Not tried yet"):
        check("softmax", from_cell("def f(scores):\n    ...\n"), strict=True)
    with pytest.raises(AssertionError, match="none called `sofmax`"):
        check("sofmax", right, strict=True)


# --- hints ---


def test_hints_come_one_by_one_below_those_before_and_end_with_all():
    shown = [repr(hint("softmax")) for _ in range(5)]
    words = exercises()["softmax"].hints
    for number, text in enumerate(shown[:3], 1):
        assert [hint in text for hint in words] == [i < number for i in range(3)] and f"Hint {number} of 3" in text
        assert "all the hints" not in text
    assert shown[3] == shown[4] and all(hint in shown[3] for hint in words)
    assert "all the hints. The solution, where your notebook has it, stands below" in shown[3]
    assert "Hint 1 of 2" in hint("embed")._repr_html_()


def test_first_hint_is_about_the_mistake_that_the_last_check_named():
    assert check("softmax", columns).mistake == "wrong-axis"
    first, second = repr(hint("softmax")), repr(hint("softmax"))
    assert first.startswith("\u00b7 Your last check. Your columns sum to 1") and "Hint 1" not in first
    assert "scores: " in first and "expected: " in first  # the small input, which the verdict keeps closed
    assert second.startswith(first) and "Hint 1 of 3" in second
    check("softmax", lambda scores: scores.exp() / scores.exp().sum(-1, keepdim=True))
    third = repr(hint("softmax"))
    assert third.startswith(second) and third.count("Your last check") == 2  # another mistake
    html = hint("softmax")._repr_html_()
    assert html.count("Your last check") == 2 and "Hint 2 of 3" in html


def test_hints_do_not_take_up_what_has_no_name_or_is_mended():
    check("softmax", lambda scores: torch.softmax(scores.sin().cos(), -1))
    assert "Your last check" not in repr(hint("softmax"))
    check("softmax", columns)
    check("softmax", right)
    assert "Your last check" not in repr(hint("softmax"))


# --- the same mistake again ---


def test_mistake_that_is_made_three_times_is_answered_with_what_to_do():
    sources = [f"def f(scores):\n    return torch.softmax(scores, -2) + {i}e-9\n" for i in range(4)]
    remarks = ["".join(check("softmax", from_cell(source)).remarks) for source in sources]
    assert remarks[:2] == ["", ""]
    assert "made this mistake 3 times" in remarks[2] and '`hint("softmax")`' in remarks[2]
    assert "made this mistake 4 times" in remarks[3]


def test_same_code_again_is_not_the_same_mistake_again():
    for _ in range(4):
        assert check("softmax", columns).remarks == []


def test_mistake_that_every_exercise_shares_is_counted_over_all():
    results = {
        "softmax": "x.softmax(-1)",
        "score_for_half": "x.logsumexp(-1)",
        "how_far_behind": "(x.amax(-1, True) / x).log()",
    }
    shown = []
    for name, result in results.items():
        verdict = check(name, from_cell(f"def f(x):\n    y = {result}\n    x.mul_(2)\n    return y\n"))
        assert verdict.mistake == "in-place"
        shown.append("".join(verdict.remarks))
    assert shown[:2] == ["", ""]
    assert "this mistake 3 times, in `softmax`, `score_for_half` and `how_far_behind`" in shown[2]


# --- what comes next ---


def test_next_exercise_is_the_first_unsolved_from_where_the_learner_is():
    assert "Next: embed" in repr(next_exercise()) and EXERCISES["embed"].statement in repr(next_exercise())
    check("how_far_behind", lambda weights: weights)
    assert "Next: how_far_behind" in repr(next_exercise())
    check("how_far_behind", EXERCISES["how_far_behind"].reference)
    assert "Next: score_for_half" in repr(next_exercise())
    assert repr(next_exercise()).endswith('05-softmax.ipynb at "The score that takes half"')
    last = list(EXERCISES)[-1]
    check(last, EXERCISES[last].reference)
    assert "Next: embed" in repr(next_exercise())


def test_where_all_is_solved_nothing_comes_next(monkeypatch):
    monkeypatch.setattr("helpers.checks.progress.solved", lambda: set(EXERCISES))
    assert f"all {len(EXERCISES)} exercises" in repr(next_exercise())
    assert check("softmax", right).link is None


def test_right_verdict_leads_to_the_next_exercise(monkeypatch):
    monkeypatch.chdir(COURSE)
    verdict = check("softmax", right)
    assert repr(verdict).endswith("\nNext: how_far_behind")
    assert '<a href="05-softmax.ipynb#cell-id=with-a-temperature">Next: how_far_behind</a>' in verdict._repr_html_()
    for name in ("how_far_behind", "score_for_half"):
        verdict = check(name, EXERCISES[name].reference)
    assert verdict.link == ("Next: brought_most, lesson 6", lessons.spots(6)["brought_most"].address)


def test_each_exercise_has_a_link_to_its_own_cell(monkeypatch):
    monkeypatch.chdir(COURSE)
    spots = lessons.spots()
    assert list(spots) == list(EXERCISES)
    for name, spot in spots.items():
        assert spot.notebook.startswith(f"{EXERCISES[name].lesson:02}-")
        cells = json.loads(Path(spot.notebook).read_text(encoding="utf-8"))["cells"]
        ids, sources = zip(*((cell["id"], "".join(cell["source"])) for cell in cells), strict=True)
        heading = ids.index(spot.cell)
        assert sources[heading].partition("\n")[0] == f"### {spot.heading}"
        assert f'check("{name}", {name})' in next(source for source in sources[heading:] if "check(" in source)
    html = progress()._repr_html_()
    assert html.count("<a href=") == len(EXERCISES)
    assert '<a href="05-softmax.ipynb#cell-id=softmax">softmax</a>' in html


def test_links_lead_to_the_learners_own_copy_or_else_to_the_course(tmp_path, monkeypatch):
    assert Path(lessons.spots(5)["softmax"].notebook).resolve() == COURSE / "05-softmax.ipynb"
    cell = {"cell_type": "code", "id": "mine", "source": 'check("softmax", softmax)'}
    (tmp_path / "05-my copy.ipynb").write_text(json.dumps({"cells": [cell]}))
    (tmp_path / "06-broken.ipynb").write_text("{")
    assert lessons.spots(5)["softmax"].address == "05-my%20copy.ipynb#cell-id=mine"
    assert Path(lessons.spots(6)["brought_most"].notebook).resolve() == COURSE / "06-weighting.ipynb"
    monkeypatch.setattr(lessons, "COURSE", tmp_path / "nowhere")
    assert progress()._repr_html_().count("<a href=") == 1 and "\u25cb embed" in progress()._repr_html_()
    assert next_exercise().link is None


def test_importing_the_checks_loads_no_exercise_and_not_torch():
    code = "import sys, helpers.exercises; print([n for n in sys.modules if n == 'torch' or 'lesson_' in n])"
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == "[]\n"
