"""What the tests share: the lessons, and how long each took."""

from collections import defaultdict

import pytest

SECONDS_A_LESSON = 5  # from the top, on two cores


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
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
