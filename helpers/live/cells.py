"""A boolean table to click, as `play` is asked for it: what is on at the start, and names for rows and columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.drawing.inputs import as_array, as_tokens


@dataclass(frozen=True)
class Cells:
    """What `cells` made.

    Attributes
    ----------
    start : boolean tensor, array or nested list, (rows, columns)
        What is on at the start, as the learner gave it.
    rows, columns : list of str
        One text for each row and column.
    """

    start: Any
    rows: list[str]
    columns: list[str]

    def in_the_kind_of_start(self, table: np.ndarray) -> Any:
        """Give a boolean array, (rows, columns), as a tensor, array or list, whichever the learner gave."""
        if hasattr(self.start, "detach"):
            import torch

            return torch.from_numpy(table)
        return table.tolist() if isinstance(self.start, list) else table


def cells(start: Any, row_labels: Sequence[str] | None = None, column_labels: Sequence[str] | None = None) -> Cells:
    """Make a control for `play`: a boolean table to click cell by cell.

    Parameters
    ----------
    start : boolean tensor, array or nested list, (rows, columns)
        What is on at the start; `draw` gets the same kind, a tensor for a tensor.
    row_labels, column_labels : list of str, optional
        One text for each row or column.

    Returns
    -------
    Cells
        What to hand to `play` under the name of the control.

    Raises
    ------
    TypeError
        As `matrix`, and where the table is not boolean.
    ValueError
        As `matrix`.
    """
    array = as_array(start, "start", "matrix")
    kind = getattr(start, "dtype", np.asarray(start).dtype)
    if str(kind).removeprefix("torch.") != "bool":
        raise TypeError(f"start must be boolean, True for on, but holds {kind}.")
    n_rows, n_columns = array.shape
    rows = as_tokens(row_labels or [f"row {i}" for i in range(n_rows)], n_rows, "row_labels", "rows")
    columns = column_labels or [f"column {j}" for j in range(n_columns)]
    return Cells(start, rows, as_tokens(columns, n_columns, "column_labels", "columns"))


def is_table(given: Any) -> bool:
    """Whether something has rows and columns, as a tensor, an array or a list of lists."""
    return getattr(given, "ndim", None) == 2 or bool(isinstance(given, list) and given and isinstance(given[0], list))


def shortened(value: Any) -> str:
    """Write what a control is set to in at most 40 characters: of a table, how many cells are on."""
    if is_table(value):
        table = np.asarray(value)
        return f"{(table != 0).sum()} of {table.size} cells on"
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else text[:39] + "\N{HORIZONTAL ELLIPSIS}"
