"""How tests and lessons are run together: their order, what is left out, and what pytest says at the end.

It lies here and not in tests/, so that it counts for `pytest notebooks/04-scores.ipynb` too.
"""

import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Generator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent
TESTS = ROOT / "tests"
BROWSER = TESTS / "browser"
sys.path[:0] = [str(TESTS), str(BROWSER)]

import lab  # noqa: E402

from tools import execute  # noqa: E402

pytest_plugins = ["pytester", "pictures_in_lessons"]

# Lessons show what they show without data, also where someone has downloaded some.
os.environ["ATTENTION_DATA"] = str(TESTS / "no-data")
# What the lessons under test solve is nobody's progress.
os.environ["ATTENTION_PROGRESS"] = str(Path(tempfile.gettempdir(), f"attention-tests-{os.getpid()}", "progress.json"))
# Each worker has a core: with more threads they would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# What takes ten seconds or more on one core. Where a file is missing here, the tests only end a little later.
SECONDS = {
    "test_site_in_browser.py": 105,
    "13-language-model.ipynb": 50,
    "test_lessons_in_browser.py": 60,
    "test_calculation_in_browser.py": 60,
    "test_interaction.py": 45,
    "12-training.ipynb": 38,
    "test_answers.py": 30,
    "test_train.py": 30,
    "test_explorer_in_browser.py": 20,
    "15-cost.ipynb": 10,
    "16-cheaper-attention.ipynb": 12,
    "test_explorer.py": 15,
    "17-real-model.ipynb": 14,
    "11-transformer.ipynb": 32,
    "09-masked-decoder.ipynb": 13,
    "test_benchmarks.py": 32,
    "test_grade.py": 60,
    "14-reviews.ipynb": 25,
    "18-real-language-model.ipynb": 45,
    "19-what-its-heads-do.ipynb": 30,
    "test_smollm.py": 20,
    "test_checks_sandbox.py": 30,
    "test_checks_in_a_kernel.py": 25,
    "test_checks_mistakes.py": 15,
}
SECONDS_A_LESSON = 5  # from the top, on two cores


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "weights(model): needs the weights of this module of helpers.models")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, None, None]:
    for item in items:  # before -m looks at the marks
        if item.path.is_relative_to(BROWSER) or (item.path.suffix == ".ipynb" and item.path.name in SECONDS):
            item.add_marker("slow")
    left_out = [item for item in items if _weights_missing_for(item)]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
    yield
    _put_in_order(items)  # after pytest-randomly has shuffled


def _put_in_order(items: list[pytest.Item]) -> None:
    """The files that take longest first, so that two workers end together, and the cells of a notebook as they stand.

    The tests of a file and the files that are soon done stay as they were shuffled.
    """
    files = sorted({item.path: None for item in items}, key=lambda path: -SECONDS.get(path.name, 0))
    place = {path: number for number, path in enumerate(files)}
    items.sort(key=lambda item: (place[item.path], getattr(item, "cell_num", 0)))


def _weights_missing_for(item: pytest.Item) -> bool:
    if item.path.suffix == ".ipynb":
        names = _weights_of_lesson(item.path)
    else:
        mark = item.get_closest_marker("weights")
        names = mark.args if mark else ()
    return not all(map(_there_are_weights, names))


@cache
def _weights_of_lesson(path: Path) -> tuple[str, ...]:
    return tuple(execute.weights_needed(json.loads(path.read_text(encoding="utf-8"))))


@cache
def _there_are_weights(name: str) -> bool:
    from helpers.models import weight_files  # here, for it imports torch

    try:
        import_module(f"helpers.models.{name}").find()
    except weight_files.WeightsMissing:
        return False
    except weight_files.ChecksumError:  # the tests shall show it
        pass
    return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _seconds_for_each_notebook(terminalreporter)
    # Here and not in browser/, whose conftest the process that writes this summary does not load with -n.
    missing = lab.what_is_missing()
    if missing and _asked_for(BROWSER, terminalreporter.config):
        terminalreporter.write_line(f"Left out: the tests in a real browser, for there is {missing}.", yellow=True)
    for name in execute.WEIGHTS_OF_OTHERS:
        lessons = [path for path in sorted((ROOT / "notebooks").glob("*.ipynb")) if name in _weights_of_lesson(path)]
        asked = any(_asked_for(path, terminalreporter.config) for path in [TESTS / f"test_{name}.py", *lessons])
        if asked and not _there_are_weights(name):
            which = ", ".join(f"lesson {int(path.name[:2])}" for path in lessons)
            how_to_get = import_module(f"helpers.models.{name}").HOW_TO_GET
            terminalreporter.write_line(f"Left out: no weights, so no run of {which}. {how_to_get}", yellow=True)


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
