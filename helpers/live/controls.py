"""The ipywidgets that stand above a picture. Imported late, so that a lesson without sliders does not wait for them."""

from numbers import Integral, Real
from typing import Any

import ipywidgets
import numpy as np
import traitlets

from helpers.live.cells import Cells, cells, is_table, shortened

ON, OFF = "\N{CHECK MARK}", "\N{MIDDLE DOT}"


def control_for(name: str, given: Any) -> ipywidgets.DOMWidget:
    """Make the control for what `play` was given under a name.

    Parameters
    ----------
    name : str
        What stands beside the control.
    given : range, list, bool, boolean table or Cells
        What the control goes through, as `play` says.

    Returns
    -------
    ipywidget
        Its `value` is what `draw` gets.

    Raises
    ------
    TypeError
        `given` is none of these.
    ValueError
        A range that is empty, a start outside of it.
    """
    look = {"description": name, "style": {"description_width": "initial"}}
    if isinstance(given, Cells):
        return Grid(name, given)
    if is_table(given):
        return Grid(name, cells(given))
    if isinstance(given, bool | np.bool_):
        return ipywidgets.Checkbox(value=bool(given), indent=False, **look)
    if isinstance(given, tuple):
        return _slider(name, given, look)
    if isinstance(given, list | range) and len(given) > 0:
        if any(isinstance(entry, str) for entry in given):  # kinds of things have no order that a slider could follow
            return ipywidgets.Dropdown(options=[(str(entry), entry) for entry in given], **look)
        return ipywidgets.SelectionSlider(options=[(str(entry), entry) for entry in given], **look)
    raise TypeError(
        f"{name} must be (low, high), a list of choices, True, False or a boolean table, but is {shortened(given)}."
    )


def _slider(name: str, given: tuple[Any, ...], look: dict[str, Any]) -> ipywidgets.DOMWidget:
    if not 2 <= len(given) <= 4 or not all(isinstance(n, Real) and not isinstance(n, bool) for n in given):
        raise TypeError(f"{name} must be (low, high, step, start) in numbers, the last two optional, but is {given}.")
    low, high = given[:2]
    whole = all(isinstance(n, Integral) for n in given)
    step = given[2] if len(given) > 2 else 1 if whole else (high - low) / 50
    start = given[3] if len(given) > 3 else low
    if not low < high or step <= 0:
        raise ValueError(f"{name} must go from a lower to a higher number in steps above 0, but is {given}.")
    if not low <= start <= high:
        raise ValueError(f"{name} must start between {low} and {high}, but starts at {start}.")
    kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
    return kind(value=start, min=low, max=high, step=step, **look)


class Grid(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no hints
    """Buttons in rows and columns, with a `value` like a slider's: the boolean table.

    Attributes
    ----------
    value : boolean tensor, array or nested list, (rows, columns)
        What is on, in the kind of table that the learner gave.
    buttons : list of list of ToggleButton, (rows, columns)
        Set `grid.buttons[0][1].value` to click one from code.
    """

    value = traitlets.Any()

    def __init__(self, name: str, given: Cells) -> None:
        row_width, column_width = _width(given.rows, 0, 1), _width(given.columns, 4, 1.2)
        self._given = given
        self.buttons = [
            [
                _button(f"{row} to {column}", is_on, column_width)
                for column, is_on in zip(given.columns, line, strict=True)
            ]
            for row, line in zip(given.rows, np.asarray(given.start), strict=True)
        ]
        head = [_label("", row_width), *(_label(column, column_width, "center") for column in given.columns)]
        lines = [[_label(row, row_width), *line] for row, line in zip(given.rows, self.buttons, strict=True)]
        boxes = [ipywidgets.HBox(line) for line in [head, *lines]]
        super().__init__([ipywidgets.Label(f"{name}: click a cell"), *boxes], value=given.start)
        for line in self.buttons:
            for button in line:
                button.observe(self._clicked, names="value")

    def _clicked(self, change: dict[str, Any]) -> None:
        change["owner"].description = ON if change["new"] else OFF
        table = np.array([[button.value for button in line] for line in self.buttons])
        self.value = self._given.in_the_kind_of_start(table)


def _button(tooltip: str, is_on: bool, width: str) -> ipywidgets.ToggleButton:
    layout = {"width": width, "margin": "1px"}
    return ipywidgets.ToggleButton(value=bool(is_on), description=ON if is_on else OFF, tooltip=tooltip, layout=layout)


def _width(texts: list[str], least: int, room: float) -> str:
    """A width in CSS that the longest text fits into, at least `least` characters, with some room at the sides."""
    return f"{max(least, *(len(text) for text in texts)) * 0.6 + room:.1f}em"


def _label(text: str, width: str, align: str = "flex-start") -> ipywidgets.Label:
    return ipywidgets.Label(text, layout={"width": width, "margin": "1px", "justify_content": align})
