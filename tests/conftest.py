"""What pytest says at the end: how long each notebook took, and what was left out."""

import os
import sys
from collections import defaultdict
from pathlib import Path

import pytest

BROWSER = Path(__file__).resolve().parent / "browser"
sys.path.insert(0, str(BROWSER))

import lab  # noqa: E402

# Lessons show what they show without data, also where someone has downloaded some.
os.environ["ATTENTION_DATA"] = str(Path(__file__).resolve().parent / "no-data")

SECONDS_A_LESSON = 5  # from the top, on two cores


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _seconds_for_each_notebook(terminalreporter)
    # Here and not in browser/, whose conftest the process that writes this summary does not load with -n.
    missing = lab.what_is_missing()
    if missing and _asked_for_the_browser(terminalreporter.config):
        terminalreporter.write_line(f"Left out: the tests in a real browser, for there is {missing}.", yellow=True)


def _asked_for_the_browser(config: pytest.Config) -> bool:
    asked = [(config.invocation_params.dir / argument.split("::")[0]).resolve() for argument in config.args]
    ignored = [Path(path).resolve() for path in config.getoption("ignore") or []]
    return any(BROWSER.is_relative_to(path) for path in asked) and BROWSER not in ignored


def _seconds_for_each_notebook(terminalreporter: pytest.TerminalReporter) -> None:
    """Print each notebook's time, the start of its kernel included."""
    seconds: dict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            name, is_cell, _ = getattr(report, "nodeid", "").partition(".ipynb::")
            if is_cell and hasattr(report, "duration"):
                seconds[f"{name}.ipynb"] += report.duration
    if not seconds:
        return
    terminalreporter.section("seconds for each notebook")
    for name, taken in sorted(seconds.items()):
        slow = f"  more than {SECONDS_A_LESSON}" if taken > SECONDS_A_LESSON else ""
        terminalreporter.write_line(f"{taken:6.1f}  {name}{slow}")
    terminalreporter.write_line(f"{sum(seconds.values()):6.1f}  together")
