"""Tests are shuffled, the cells of a notebook never are, and what is slow can be left out."""

from itertools import groupby

import pytest

from tools.execute import ROOT


def collected(pytester: pytest.Pytester, *options: str) -> list[str]:
    options = ("-n", "0", "-p", "no:cacheprovider", "--collect-only", "-q", *options)
    return [line for line in pytester.runpytest_inprocess(*options).outlines if "::" in line]


def test_lessons_that_train_are_left_out_of_the_fast_tests(pytester: pytest.Pytester) -> None:
    paths = [str(ROOT / "notebooks" / name) for name in ("04-scores.ipynb", "13-language-model.ipynb")]
    assert {line.partition("::")[0] for line in collected(pytester, *paths)} == {
        "notebooks/04-scores.ipynb",
        "notebooks/13-language-model.ipynb",
    }
    fast = collected(pytester, "-m", "not slow", *paths)
    assert {line.partition("::")[0] for line in fast} == {"notebooks/04-scores.ipynb"}


def test_cells_stay_in_order_where_tests_are_shuffled(pytester: pytest.Pytester) -> None:
    asked = ["notebooks/05-softmax.ipynb", "notebooks/04-scores.ipynb", "tests/test_lessons.py"]
    paths = [str(ROOT / path) for path in asked]
    first, second = (collected(pytester, f"--randomly-seed={seed}", *paths) for seed in (1, 2))
    for found in (first, second):
        cells = [line.split("::Cell ") for line in found if "::Cell " in line]
        numbers = {name: [int(number) for _, number in lines] for name, lines in groupby(cells, lambda cell: cell[0])}
        assert len(cells) > 40 and len(numbers) == 2
        assert sum(map(len, numbers.values())) == len(cells), "the cells of two notebooks are mixed"
        assert all(found == sorted(found) for found in numbers.values())
    tests = [[line for line in found if "test_lessons.py::" in line] for found in (first, second)]
    assert tests[0] != tests[1] and sorted(tests[0]) == sorted(tests[1])
