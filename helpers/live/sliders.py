"""Sliders that redraw a picture: `play(draw, angle=(0, 180))`."""

import asyncio
import html
import inspect
from collections.abc import Callable
from threading import RLock
from typing import Any

from helpers.drawing.picture import SHARPNESS, Picture
from helpers.live.cells import shortened
from helpers.live.fast_renderer import FastRenderer
from helpers.live.view import widget_view
from helpers.wording import first_line, listed

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
# ipywidgets gives the handle of a slider no name that a screen reader could say, so it gets that of its label. Handles
# come a moment after the script, which therefore looks again for some seconds, and then ends.
NAMES = """<script>
(() => {
  let looks = 50;
  const nameHandles = () => {
    for (const slider of document.querySelectorAll(".attention-play .widget-slider")) {
      const label = slider.querySelector(".widget-label");
      for (const handle of label ? slider.querySelectorAll(".noUi-handle:not([aria-label])") : []) {
        handle.setAttribute("aria-label", label.textContent);
      }
    }
    if (looks-- > 0) setTimeout(nameHandles, 200);
  };
  nameHandles();
})();
</script>"""


class Play:
    """Controls and the picture they draw: show it as the last line of a cell.

    Attributes
    ----------
    controls : dict of str to ipywidget
        What stands above the picture; set `play.controls["angle"].value` to move one from code.
    picture : Picture
        What was drawn last.
    """

    def __init__(self, draw: Callable[..., Picture], given: dict[str, Any]) -> None:
        import ipywidgets  # here, so that a lesson without sliders does not wait for it

        from helpers.live.controls import control_for

        self._draw = draw
        self.controls = {name: control_for(name, value) for name, value in given.items()}
        self.picture = self._drawn()
        self._still = STYLE + f'<div class="attention-play-still">{self.picture._repr_html_()}</div>' + NAMES
        self._one_at_a_time = RLock()  # JupyterLab has the first move handled in another thread than the next ones
        self._renderer = FastRenderer(self.picture)
        self._shown = ipywidgets.HTML(self._renderer.html(self.picture))  # not an Image, which has no alt text
        self._trouble = ipywidgets.HTML()
        self.widget = ipywidgets.VBox([*self.controls.values(), self._trouble, self._shown])
        self.widget.add_class("attention-play")
        for control in self.controls.values():
            control.observe(self._changed, names="value")

    def values(self) -> dict[str, Any]:
        """Give what the controls are set to.

        Returns
        -------
        dict
            The value of each control by its name: what `draw` gets.
        """
        return {name: control.value for name, control in self.controls.items()}

    def _drawn(self) -> Picture:
        picture = self._draw(**self.values())
        if not isinstance(picture, Picture):
            raise TypeError(f"{_name_of(self._draw)} must return a picture, but returned {type(picture).__name__}.")
        return picture

    def _changed(self, _change: dict[str, Any]) -> None:
        # A browser sends a new value only when the one before has been drawn, so a fast drag skips what lies between.
        with self._one_at_a_time:
            try:
                self._show_while_moving(self._drawn())
            except Exception as error:  # whatever goes wrong in the learner's function is told where they look
                self._trouble.value = f'<p role="alert">\N{WARNING SIGN} {html.escape(self._told(error))}</p>'
            else:
                self._trouble.value = ""

    def _show_while_moving(self, picture: Picture) -> None:
        """Coarse at once, and sharp when the controls have come to rest."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no kernel: nobody is dragging
            self._show(picture, SHARPNESS)
            return
        self._show(picture, sharpness=1)
        loop.call_later(REST, self._sharpen, picture)

    def _sharpen(self, picture: Picture) -> None:
        """Draw a picture sharp, where no other has come in the meantime."""
        with self._one_at_a_time:
            if self.picture is picture:
                self._show(picture, SHARPNESS)

    def _show(self, picture: Picture, sharpness: int) -> None:
        self._shown.value = self._renderer.html(picture, sharpness)
        self.picture = picture

    def _told(self, error: Exception) -> str:
        set_to = ", ".join(f"{name} = {shortened(value)}" for name, value in self.values().items())
        said = first_line(error).rstrip(".") or "no message"
        return f"With {set_to}, {_name_of(self._draw)} stopped: {type(error).__name__}: {said}."

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display({"text/html": self._still, "text/plain": repr(self.picture)}, raw=True)
        # Two outputs: an exported page prefers the widget, which it cannot show, to anything in the same output.
        display(widget_view(self.widget, repr(self)), raw=True)

    def __repr__(self) -> str:
        return f"Run this cell to change {listed(list(self.controls))} and see the picture follow."


def play(draw: Callable[..., Picture], **controls: Any) -> Play:
    """Redraw a picture whenever a slider moves, with the picture of the starting state for those who only read.

    Parameters
    ----------
    draw : function
        Gets each control's value under the control's name, and returns a Picture.
    **controls : tuple, list, range, bool, boolean table or what `cells` made
        What each control goes through, by its name. (low, high), (low, high, step) or (low, high, step, start): a
        slider over numbers, which starts at `low` where `start` is left out. A list: a slider over its entries, or a
        menu where they are words, which starts at the first one. True or False: a box to tick. A boolean table,
        (n_query, n_key): a cell to click for each entry; or `cells(...)`, to name its rows and columns.

    Returns
    -------
    Play
        The controls and the picture.

    Raises
    ------
    TypeError
        `draw` is not a function, does not take these names, or does not return a Picture; a control is none of these.
    ValueError
        No controls, a range that is empty, a start outside of it.
    """
    if not callable(draw):
        raise TypeError(f"draw must be a function that returns a picture, but is {shortened(draw)}.")
    if not controls:
        raise ValueError("play needs at least one control, such as angle=(0, 180).")
    try:
        inspect.signature(draw).bind(**controls)
    except TypeError as error:
        raise TypeError(f"{_name_of(draw)} must take the controls {listed(list(controls))}: {error}.") from None
    return Play(draw, controls)


def _name_of(draw: Callable[..., Any]) -> str:
    return getattr(draw, "__name__", "draw")
