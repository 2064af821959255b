"""Tests are shuffled, and the cells of a notebook never are."""

from itertools import groupby

import pytest

from tools.execute import ROOT


def test_cells_stay_in_order_where_tests_are_shuffled(pytester: pytest.Pytester) -> None:
    asked = ["notebooks/05-softmax.ipynb", "notebooks/04-scores.ipynb", "tests/test_lessons.py"]
    options = ["-n", "0", "-p", "no:cacheprovider", "--collect-only", "-q"]
    first, second = (
        pytester.runpytest_inprocess(
            *options, f"--randomly-seed={seed}", *[str(ROOT / path) for path in asked]
        ).outlines
        for seed in (1, 2)
    )
    for found in (first, second):
        cells = [line.split("::Cell ") for line in found if "::Cell " in line]
        numbers = {name: [int(number) for _, number in lines] for name, lines in groupby(cells, lambda cell: cell[0])}
        assert len(cells) > 40 and len(numbers) == 2
        assert sum(map(len, numbers.values())) == len(cells), "the cells of two notebooks are mixed"
        assert all(found == sorted(found) for found in numbers.values())
    tests = [[line for line in found if "test_lessons.py::" in line] for found in (first, second)]
    assert tests[0] != tests[1] and sorted(tests[0]) == sorted(tests[1])
