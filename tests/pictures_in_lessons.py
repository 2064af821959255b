"""A plugin for pytest: after nbval has compared what a cell of a lesson says, compare what its pictures look like.

nbval compares text and HTML, in which tests/sanitize.cfg writes one word for the bytes of each picture, since another
version of matplotlib draws a little differently. So pictures are compared on the pinned versions only.
"""

from collections.abc import Generator
from functools import cache

import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell

from helpers.wording import counted
from tools import execute


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    yield
    if isinstance(item, IPyNbCell) and item.options["check"] and _on_the_pinned_versions():
        change = changed_picture(item.cell.outputs, item.test_outputs)
        if change:
            item.raise_cell_error("Pictures differ", change)


@cache
def _on_the_pinned_versions() -> bool:
    return not execute._other_versions()


def changed_picture(stored: list[NotebookNode], fresh: list[NotebookNode]) -> str | None:
    """What is wrong with the stored pictures of a cell, or None."""
    old, new = (execute._split(outputs)[0] for outputs in (stored, fresh))
    if len(old) != len(new):
        return f"The cell shows {counted(len(new), 'picture')}, and the notebook stores {len(old)}."
    for number, pair in enumerate(zip(old, new, strict=True), start=1):
        if not execute._look_alike(*pair):
            return f"Stored picture {number} of {len(new)} is not the one that the cell shows."
    return None
