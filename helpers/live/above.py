"""One sentence in place of a NameError, for a cell that cannot run without the cells above it."""

from collections.abc import Mapping
from typing import Any

from helpers.wording import listed


class RunAbove(Exception):
    """A cell needs what cells above it make, and one sentence says so."""

    def _render_traceback_(self) -> list[str]:  # a notebook shows the sentence alone
        return [str(self)]


def needs_above(names: Mapping[str, Any], *needed: str) -> None:
    """Say in one sentence that cells above must be run first, where what they make is not there.

    Parameters
    ----------
    names : dict
        `globals()` of the notebook.
    *needed : str
        What the cells above make.

    Raises
    ------
    RunAbove
        One of them is missing.
    """
    missing = [name for name in needed if name not in names]
    if missing:
        wanted = f"This cell needs {listed(missing)} from the cells above"
        raise RunAbove(f"{wanted}: choose Run \N{RIGHTWARDS ARROW} Run All Cells first.")
