"""What pytest leaves out it says, in one line, also when workers share the tests."""

import os
import subprocess
import sys

import pytest

from tools.execute import ROOT


@pytest.mark.slow
def test_without_chromium_one_line_says_so() -> None:
    asked = ["tests/browser", "tests/test_left_out.py", "-k", "pass"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "2", *asked]
    run = subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": ""}, capture_output=True, text=True)
    said = [line for line in run.stdout.splitlines() if line.startswith("Left out: the tests in a real browser")]
    assert len(said) == 1 and "chromium" in said[0], run.stdout
