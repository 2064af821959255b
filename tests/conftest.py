"""What pytest says at the end: how long each notebook took, and what was left out."""

import os
import sys
from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
BROWSER = HERE / "browser"
PATHS_WITH_WEIGHTS = (HERE / "test_minilm.py", HERE.parent / "notebooks" / "16-real-model.ipynb")
sys.path.insert(0, str(BROWSER))

import lab  # noqa: E402

# Lessons show what they show without data, also where someone has downloaded some.
os.environ["ATTENTION_DATA"] = str(Path(__file__).resolve().parent / "no-data")

SECONDS_A_LESSON = 5  # from the top, on two cores
# What needs the weights of lesson 16, as does all that carries the mark "weights".
NEED_WEIGHTS = ("16-real-model.ipynb", "test_lesson_runs_and_answers_the_hand[16-real-model.ipynb]")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "weights: needs the weights of lesson 16")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(BROWSER) or _trains_long(item.path):
            item.add_marker("slow")
    needing = [item for item in items if _needs_weights(item)]
    if needing and not _there_are_weights():
        items[:] = [item for item in items if item not in needing]
        config.hook.pytest_deselected(items=needing)


@cache
def _trains_long(path: Path) -> bool:
    """Whether a notebook has a cell with the tag "training", which takes most of a minute."""
    return path.suffix == ".ipynb" and '"training"' in path.read_text(encoding="utf-8")


def _needs_weights(item: pytest.Item) -> bool:
    # The cells of a notebook are tests of one file; in the browser a lesson is one test.
    name = item.nodeid.partition("::Cell")[0].rpartition("::")[-1].rpartition("/")[-1]
    return name in NEED_WEIGHTS or item.get_closest_marker("weights") is not None


@lru_cache(maxsize=1)
def _there_are_weights() -> bool:
    from helpers.models import minilm  # here, for it imports torch

    try:
        minilm.find()
    except minilm.WeightsMissing:
        return False
    except minilm.ChecksumError:  # the tests shall show it
        pass
    return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _seconds_for_each_notebook(terminalreporter)
    # Here and not in browser/, whose conftest the process that writes this summary does not load with -n.
    missing = lab.what_is_missing()
    if missing and _asked_for(BROWSER, terminalreporter.config):
        terminalreporter.write_line(f"Left out: the tests in a real browser, for there is {missing}.", yellow=True)
    if any(_asked_for(path, terminalreporter.config) for path in PATHS_WITH_WEIGHTS) and not _there_are_weights():
        from helpers.models.minilm import HOW_TO_GET

        terminalreporter.write_line(f"Left out: no weights, so no run of lesson 16. {HOW_TO_GET}", yellow=True)


def _asked_for(wanted: Path, config: pytest.Config) -> bool:
    asked = [(config.invocation_params.dir / argument.split("::")[0]).resolve() for argument in config.args]
    ignored = [Path(path).resolve() for path in config.getoption("ignore") or []]
    return any(wanted.is_relative_to(path) for path in asked) and wanted not in ignored


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
