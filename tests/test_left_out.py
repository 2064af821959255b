"""What pytest leaves out it says, each in one line, also when workers share the tests in any order."""

from pathlib import Path

import pytest

from helpers.models import minilm
from tools.execute import ROOT


@pytest.mark.slow
def test_without_chromium_and_weights_one_line_for_each(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv(minilm.FOLDER, str(tmp_path))
    asked = ["tests/browser", "tests/test_minilm.py", "notebooks/17-real-model.ipynb", "tests/test_wording.py"]
    need_weights = "17-real-model.ipynb or alone_equals"
    paths = [str(ROOT / path) for path in asked]
    run = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-n", "1", "-k", f"{need_weights} or counts", *paths)
    said = [line for line in run.outlines if line.startswith("Left out")]
    assert len(said) == 2, run.outlines
    assert said[0].startswith("Left out: the tests in a real browser") and "no chromium" in said[0]
    assert said[1].startswith("Left out: no weights, so no run of lesson 17.") and minilm.HOW_TO_GET in said[1]
    outcomes = run.parseoutcomes()
    assert outcomes["passed"] == 1 and "failed" not in outcomes
