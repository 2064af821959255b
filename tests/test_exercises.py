"""`check` and `hint`, as a learner calls them."""

import subprocess
import sys
from pathlib import Path

import torch
from checking import in_an_empty_folder  # noqa: F401 (a fixture)

from helpers.exercises import check, exercises, hint


def test_unknown_name_is_answered_with_the_nearest():
    assert "`softmax`" in repr(check("sofmax", torch.softmax)) and "`softmax`" in repr(hint("sofmax"))
    assert "none called" in repr(check("zzz", torch.softmax)) and "in quotes" in hint(len)._repr_html_()


def test_hints_come_one_by_one_and_end_with_the_solution(monkeypatch):
    monkeypatch.setattr("helpers.exercises._hints_given", {})
    shown = [repr(hint("softmax")) for _ in range(5)]
    for i, (text, words) in enumerate(zip(shown, exercises()["softmax"].hints, strict=False)):
        assert f"Hint {i + 1} of 3" in text and words in text
    assert shown[3] == shown[4] and "stands below" in shown[3]
    assert "Hint 1 of 2" in hint("embed")._repr_html_()


def test_importing_the_checks_loads_no_exercise_and_not_torch():
    code = "import sys, helpers.exercises; print([n for n in sys.modules if n == 'torch' or 'lesson_' in n])"
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == "[]\n"
