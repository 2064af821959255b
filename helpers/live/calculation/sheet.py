"""`calculation`: the whole calculation of attention on one sheet, to change by hand and to take back into Python."""

import itertools
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from helpers.live.calculation.arithmetic import tables_of
from helpers.live.calculation.page import fragment
from helpers.live.calculation.state import CONTROLS, STAGES, State, mask_of, state_of
from helpers.live.calculation.still import still_picture
from helpers.live.page import Live
from helpers.live.view import widget_view

# What stands for the box without a kernel; docs/_extensions/lessons.py leaves it out of the website.
RUN_IT = "Run this cell, and the picture becomes a sheet on which each number can be changed."
GIVEN = ("x", "w_query", "w_key", "w_value")
OF_HEADS = ("scores", "scaled", "weights", "weighted")
# The box is for the script alone. Where no kernel runs, JupyterLab says in its place that there is none, and a page
# shows RUN_IT: the sheet needs no kernel, so that is hidden, too.
STYLE = (
    "<style>.jp-OutputArea-child:has(.attention-calculation[data-ready]) + "
    ".jp-OutputArea-child:has(> :is(.jupyter-widgets, .jp-RenderedText)) {display: none}</style>"
)

_boxes = itertools.count(1)  # counted in each kernel: a lesson that runs from the top stores the same numbers


class Calculation(Live):
    """The sheet, whose numbers can be changed, and given back to Python."""

    def __init__(self, state: State, stage: str, given: Any, controls: list[str]) -> None:
        self._state, self._stage, self._given, self._controls = state, stage, given, controls
        self._box: Any = None
        self._image, alt = still_picture(state, stage)
        super().__init__(self._page(None), alt, "The calculation of attention")

    def _page(self, box: int | None) -> str:
        given = {"state": self._state, "stage": self._stage, "box": box}
        return STYLE + fragment({**given, "controls": self._controls}, self._image)

    def values(self) -> dict[str, Any]:
        """Give the numbers as they stand on the sheet now.

        Returns
        -------
        dict
            x, w_query, w_key, w_value, queries, keys, values, scores, scaled, weights, weighted and outputs, each a
            tensor where x was one, otherwise an array; and mask, scale and n_heads. scores, scaled and weights are
            (n_query, n_key), weighted is (n_query, n_key, d_v), and with several heads each begins with an axis for
            them. Without a kernel that hears of changes, they are the numbers that the sheet started with.
        """
        state: State = json.loads(self._box.value) if self._box is not None and self._box.value else self._state
        tables = tables_of(state)
        if state["heads"] == 1:
            tables |= {name: tables[name][0] for name in OF_HEADS}
        numbers = {name: self._as_given(table) for name, table in tables.items()}
        mask = None if state["mask"] is None else self._as_given(mask_of(state))
        return {**numbers, "mask": mask, "scale": state["scale"], "n_heads": state["heads"]}

    def _as_given(self, table: np.ndarray) -> Any:
        """A tensor where x is one, of the same type and on the same device."""
        if not hasattr(self._given, "new_tensor"):
            return table
        like = self._given.detach()
        if table.dtype == bool:
            return (like == like).new_tensor(table)
        return (like * 1.0).new_tensor(table)  # whole numbers become real ones

    def _ipython_display_(self) -> None:
        import ipywidgets  # here, so that a page without a kernel needs none
        from IPython.display import display

        number = next(_boxes)
        self._box = ipywidgets.Textarea(layout={"display": "none"})
        self._box.add_class(f"attention-calculation-box-{number}")
        display({"text/html": self._page(number), "text/plain": repr(self)}, raw=True)
        # Two outputs: an exported page prefers the widget, which it cannot show, to anything in the same output.
        display(widget_view(self._box, RUN_IT), raw=True)


def calculation(
    x: Any,
    w_query: Any,
    w_key: Any,
    w_value: Any,
    *,
    stage: str | None = None,
    mask: Any = None,
    scale: bool = True,
    n_heads: int = 1,
    row_labels: Sequence[str] | None = None,
    controls: Sequence[str] = (),
) -> Calculation:
    """Show the whole calculation of attention on one sheet, in which each number can be changed.

    Parameters
    ----------
    x : tensor, array or nested list, (n, d_model)
        The inputs, a row for each token: at most 8 rows and 8 columns.
    w_query, w_key : tensor, array or nested list, (d_model, d_k)
        The matrices of queries and keys, at most 8 columns.
    w_value : tensor, array or nested list, (d_model, d_v)
        The matrix of values, at most 8 columns.
    stage : str, optional
        What is open at first: "x", "matrices", "queries", "keys", "values", "scores", "scaled", "weights",
        "weighted", "outputs", or "all" of it, as when left out.
    mask : boolean tensor, array or nested list, (n, n), optional
        True where a query may attend to a key.
    scale : bool, default True
        Whether scores are divided by the root of a key's width.
    n_heads : int, default 1
        How many heads share the columns of queries, keys and values.
    row_labels : list of str, optional
        The tokens; "input 0", "input 1" and so on when left out.
    controls : list of str, optional
        Which controls stand open below the tables: "scale", "mask", "softmax over", "heads", "tokens", "d_model",
        "d_k", "d_v", "random", "all alike", "one very long key", "one-hot". The others wait behind "More".

    Returns
    -------
    Calculation
        To show as the last line of a cell; its `values()` gives the numbers back.

    Raises
    ------
    TypeError
        What is given holds no real numbers, the mask is not boolean, the labels are not text.
    ValueError
        Shapes that do not fit, more than 8 rows or columns, a number above a billion, heads that cannot share the
        columns evenly, a stage or a control that there is not.
    """
    stage = "all" if stage is None else stage
    if stage not in STAGES:
        raise ValueError(f"stage must be one of {', '.join(STAGES)}, but is {stage!r}.")
    given = {"x": x, "w_query": w_query, "w_key": w_key, "w_value": w_value}
    return Calculation(state_of(given, mask, scale, n_heads, row_labels), stage, x, _as_controls(controls))


def _as_controls(controls: Sequence[str]) -> list[str]:
    """The names of controls, checked; one name alone is taken for a list of one."""
    names = [controls] if isinstance(controls, str) else list(controls)
    for name in names:
        if name not in CONTROLS:
            raise ValueError(f"controls must be among {', '.join(CONTROLS)}, but one is {name!r}.")
    return names
