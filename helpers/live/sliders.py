"""Sliders that redraw a picture: `play(draw, angle=(0, 180))`."""

import asyncio
import base64
import html
import inspect
import io
import struct
import warnings
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from matplotlib.transforms import Bbox
from PIL import Image

from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.picture import PIXELS_PER_INCH, SHARPNESS, Picture, style

DEAD = "The kernel has been restarted, so nothing here answers: run this cell again."
REST = 0.25  # seconds without a change, after which the picture is drawn sharp
LOST = "The controls need a running kernel: run this cell again."
# Where JupyterLab puts "Error displaying widget: model not found", and no element.
NOT_FOUND = (
    ".jp-OutputArea-child:has(.attention-play-still) + .jp-OutputArea-child > .jp-OutputArea-output"
    ".jupyter-widgets:not(:has(*))"
)
# While the controls live, the static picture above them steps back; when they do not, it returns and words say why.
# The selectors are those of JupyterLab's output area. A notebook that is not trusted drops the whole style.
STYLE = (
    "<style>"
    ".jp-OutputArea-child:has(.attention-play-still):has("
    "+ .jp-OutputArea-child .attention-play:not(.jupyter-widgets-disconnected)) {display: none}"
    f'.attention-play.jupyter-widgets-disconnected::before {{content: "{DEAD}"; font-weight: bold}}'
    ".attention-play.jupyter-widgets-disconnected > * {display: none}"
    f"{NOT_FOUND} {{font-size: 0}}"
    f'{NOT_FOUND}::after {{content: "{LOST}"; font-size: 14px}}'
    ".attention-play .widget-label {min-width: max-content}"
    "</style>"
)


class Play:
    """Controls and the picture they draw: show it as the last line of a cell.

    Attributes
    ----------
    controls : dict of name -> control
        The ipywidgets that stand above the picture; set `play.controls["angle"].value` to move one from code.
    picture : Picture
        What was drawn last.
    """

    def __init__(self, draw: Callable[..., Picture], given: dict[str, Any]) -> None:
        import ipywidgets  # here, so that a lesson without sliders does not wait for it

        self._draw = draw
        self._widgets = ipywidgets
        self.controls = {name: _control(ipywidgets, name, value) for name, value in given.items()}
        self.picture = self._drawn()
        self._still = STYLE + f'<div class="attention-play-still">{self.picture._repr_html_()}</div>'
        self._later: asyncio.TimerHandle | None = None
        self._camera = Camera(self.picture)
        self._shown = ipywidgets.HTML()  # not an Image, which has no alt text
        self._trouble = ipywidgets.HTML()
        self.widget = ipywidgets.VBox([*self.controls.values(), self._trouble, self._shown])
        self.widget.add_class("attention-play")
        self._show()
        for control in self.controls.values():
            control.observe(self._changed, names="value")

    def values(self) -> dict[str, Any]:
        """What the controls are set to, by name: what `draw` gets."""
        return {name: control.value for name, control in self.controls.items()}

    def _drawn(self) -> Picture:
        picture = self._draw(**self.values())
        if not isinstance(picture, Picture):
            raise TypeError(f"{_name(self._draw)} must return a picture, but returned {type(picture).__name__}.")
        return picture

    def _changed(self, _change: dict[str, Any]) -> None:
        if self._later is not None:
            self._later.cancel()
        # A browser sends a new value only when the one before has been drawn, so a fast drag skips what lies between.
        try:
            self.picture = self._drawn()
            self._show_while_moving()
        except Exception as error:  # whatever goes wrong in the learner's function is told where they look
            set_to = ", ".join(f"{name} = {_short(value)}" for name, value in self.values().items())
            text = f"With {set_to}, {_name(self._draw)} stopped: {type(error).__name__}: {_first_line(error)}"
            self._trouble.value = f'<p role="alert">\N{WARNING SIGN} {html.escape(text)}</p>'

    def _show(self, sharpness: int = SHARPNESS) -> None:
        self._shown.value = self._camera.html(self.picture, sharpness)
        self._trouble.value = ""

    def _show_while_moving(self) -> None:
        """Coarse at once, and sharp when the controls have come to rest."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no kernel, as in a test: nobody is dragging
            self._show()
            return
        self._show(sharpness=1)
        self._later = loop.call_later(REST, self._show)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display({"text/html": self._still, "text/plain": repr(self.picture)}, raw=True)
        # Two outputs: an exported page prefers the widget, which it cannot show, to anything in the same output.
        bundle = self.widget._repr_mimebundle_()
        display({**bundle, "text/plain": repr(self)}, raw=True)

    def __repr__(self) -> str:
        return f"Run this cell to change {_listed(list(self.controls))} and see the picture follow."


def play(draw: Callable[..., Picture], **controls: Any) -> Play:
    """Redraw a picture whenever a slider moves, with the picture of the starting state for those who only read.

    Parameters
    ----------
    draw : function
        Gets each control's value under the control's name, and returns a Picture.
    controls : name=what the slider goes through
        (low, high), (low, high, step) or (low, high, step, start): a slider over numbers, which starts at `low`
        where `start` is left out. A list: a slider over its entries, which starts at the first one. True or False:
        a box to tick. A boolean table, (n_query, n_key): a cell to click for each entry; or `cells(...)`, to name
        its rows and columns.

    Raises
    ------
    TypeError
        `draw` is not a function, does not take these names, or does not return a Picture; a control is none of these.
    ValueError
        No controls, a range that is empty, a start outside of it.
    """
    if not callable(draw):
        raise TypeError(f"draw must be a function that returns a picture, but is {_short(draw)}.")
    if not controls:
        raise ValueError("play needs at least one control, such as angle=(0, 180).")
    try:
        inspect.signature(draw).bind(**controls)
    except TypeError as error:
        raise TypeError(f"{_name(draw)} must take the controls {_listed(list(controls))}: {error}.") from None
    return Play(draw, controls)


class Cells:
    """What `cells` made: a boolean table to click, with names for its rows and columns."""

    def __init__(self, start: Any, rows: list[str], columns: list[str]) -> None:
        self.start = start
        self.rows = rows
        self.columns = columns


def cells(start: Any, row_labels: Sequence[str] | None = None, column_labels: Sequence[str] | None = None) -> Cells:
    """A control for `play`: a boolean table to click cell by cell.

    Parameters
    ----------
    start : boolean, (rows, columns)
        What is on at the start; `draw` gets the same kind, a tensor for a tensor.
    row_labels, column_labels : one text for each row or column, optional

    Raises
    ------
    TypeError, ValueError
        As `matrix`; TypeError also when the table is not boolean.
    """
    array = as_array(start, "start", "matrix")
    kind = getattr(start, "dtype", np.asarray(start).dtype)
    if str(kind).removeprefix("torch.") != "bool":
        raise TypeError(f"start must be boolean, True for on, but holds {kind}.")
    n_rows, n_columns = array.shape
    rows = as_tokens(row_labels or [f"row {i}" for i in range(n_rows)], n_rows, "row_labels", "rows")
    columns = column_labels or [f"column {j}" for j in range(n_columns)]
    return Cells(start, rows, as_tokens(columns, n_columns, "column_labels", "columns"))


class Camera:
    """Takes the pictures while a control moves, in half the time of `Picture.png`.

    That one goes through the figure twice, to measure and to paint. Here the margin is that of the starting state and
    some more, what is white is cut off, and only a picture that reaches the edge is drawn the long way. The cut never
    grows smaller, so that the picture does not jump.
    """

    ROOM = 0.6  # inches around the starting state
    PADDING = 0.12

    def __init__(self, start: Picture) -> None:
        self._frame(start)

    def html(self, picture: Picture, sharpness: int = SHARPNESS) -> str:
        """The picture as HTML that takes its room at once and is decoded before it is painted: nothing flickers."""
        png = self._quick(picture, sharpness)
        if png is None:
            png, sharpness = picture.png(), SHARPNESS
        width, height = (round(side / sharpness) for side in struct.unpack(">II", png[16:24]))
        data = base64.b64encode(png).decode()
        return (
            f'<img alt="{html.escape(picture.alt)}" width="{width}" height="{height}" decoding="sync" '
            f'style="height: auto; max-width: 100%" src="data:image/png;base64,{data}">'
        )

    def _frame(self, picture: Picture) -> None:
        self._size = tuple(picture.figure.get_size_inches())
        with style():
            tight = picture.figure.get_tightbbox()
        room = self.ROOM
        self._sides = np.array([tight.x0 - room, tight.y0 - room, tight.x1 + room, tight.y1 + room])
        self._cut: np.ndarray | None = None  # left, top, right, bottom in CSS pixels

    def _quick(self, picture: Picture, sharpness: int) -> bytes | None:
        if tuple(picture.figure.get_size_inches()) != self._size:
            self._frame(picture)
        dpi = PIXELS_PER_INCH * sharpness
        left, bottom = self._sides[:2]
        width, height = np.ceil((self._sides[2:] - self._sides[:2]) * dpi).astype(int)
        # a quarter of a pixel more, so that rounding down gives this many
        box = Bbox.from_extents(left, bottom, left + (width + 0.25) / dpi, bottom + (height + 0.25) / dpi)
        raw = io.BytesIO()
        with style(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
            picture.figure.savefig(raw, format="raw", dpi=dpi, bbox_inches=box)
        ink = np.frombuffer(raw.getbuffer(), dtype=np.uint32).reshape(height, width) != 0xFFFFFFFF
        rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
        if len(rows) == 0 or rows[0] == 0 or columns[0] == 0 or rows[-1] == height - 1 or columns[-1] == width - 1:
            return None
        image = Image.frombuffer("RGBA", (width, height), raw.getbuffer(), "raw", "RGBA", 0, 1)
        png = io.BytesIO()
        cut = self._widened(np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1]) / sharpness) * sharpness
        image = image.crop(tuple(int(side) for side in np.clip(cut, 0, [width, height, width, height])))
        image.convert("RGB").save(png, format="png", compress_level=1)
        return png.getvalue()

    def _widened(self, ink: np.ndarray) -> np.ndarray:
        pad = self.PADDING * PIXELS_PER_INCH
        cut = np.concatenate([np.floor(ink[:2] - pad), np.ceil(ink[2:] + pad)])
        if self._cut is not None:
            cut = np.concatenate([np.minimum(cut[:2], self._cut[:2]), np.maximum(cut[2:], self._cut[2:])])
        self._cut = cut
        return cut


def _control(widgets: Any, name: str, given: Any) -> Any:
    """The ipywidget for what `play` was given."""
    look = {"description": name, "style": {"description_width": "initial"}}
    if isinstance(given, Cells):
        return _grid(widgets, look["description"], given)
    if isinstance(given, bool | np.bool_):
        return widgets.Checkbox(value=bool(given), indent=False, **look)
    if isinstance(given, tuple):
        return _slider(widgets, name, given, look)
    if isinstance(given, list | range) and len(given) > 0 and not _is_table(given):
        return widgets.SelectionSlider(options=[(str(entry), entry) for entry in given], **look)
    if _is_table(given):
        return _grid(widgets, look["description"], cells(given))
    raise TypeError(
        f"{name} must be (low, high), a list of choices, True, False or a boolean table, but is {_short(given)}."
    )


def _slider(widgets: Any, name: str, given: tuple, look: dict[str, Any]) -> Any:
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
    kind = widgets.IntSlider if whole else widgets.FloatSlider
    return kind(value=start, min=low, max=high, step=step, **look)


def _is_table(given: Any) -> bool:
    return getattr(given, "ndim", None) == 2 or bool(isinstance(given, list) and given and isinstance(given[0], list))


def _grid(widgets: Any, name: str, given: Cells) -> Any:
    """Buttons in rows and columns, and a `value` like a slider's: the boolean table."""
    import traitlets

    class Grid(widgets.VBox):
        value = traitlets.Any()

    def taken(_change: dict[str, Any]) -> None:
        table = np.array([[button.value for button in row] for row in buttons])
        for button, is_on in zip(flat, table.flat, strict=True):
            button.description = ON if is_on else OFF
        grid.value = _like(given.start, table)

    wide = f"{max(4, max(len(word) for word in given.columns)) * 0.6 + 1.2:.1f}em"
    buttons = [
        [
            widgets.ToggleButton(
                value=bool(on),
                description=ON if on else OFF,
                tooltip=f"{row} to {column}",
                layout={"width": wide, "margin": "1px"},
            )
            for column, on in zip(given.columns, line, strict=True)
        ]
        for row, line in zip(given.rows, np.asarray(given.start), strict=True)
    ]
    flat = [button for row in buttons for button in row]
    side = f"{max(len(word) for word in given.rows) * 0.6 + 1:.1f}em"
    head = [_label(widgets, "", side)] + [_label(widgets, word, wide, "center") for word in given.columns]
    lines = [widgets.HBox([_label(widgets, word, side), *row]) for word, row in zip(given.rows, buttons, strict=True)]
    grid = Grid([widgets.Label(f"{name}: click a cell"), widgets.HBox(head), *lines], value=given.start)
    grid.buttons = buttons
    for button in flat:
        button.observe(taken, names="value")
    return grid


ON, OFF = "\N{CHECK MARK}", "\N{MIDDLE DOT}"


def _label(widgets: Any, text: str, width: str, align: str = "flex-start") -> Any:
    return widgets.Label(text, layout={"width": width, "margin": "1px", "justify_content": align})


def _like(start: Any, table: np.ndarray) -> Any:
    if hasattr(start, "detach"):
        import torch

        return torch.from_numpy(table)
    return table.tolist() if isinstance(start, list) else table


def _name(draw: Callable[..., Any]) -> str:
    return getattr(draw, "__name__", "draw")


def _short(value: Any) -> str:
    if _is_table(value):
        table = np.asarray(value)
        return f"{(table != 0).sum()} of {table.size} cells on"
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else text[:39] + "\N{HORIZONTAL ELLIPSIS}"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or ["no message"])[0].rstrip(".") + "."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
