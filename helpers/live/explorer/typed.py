"""`explore_text`: a box to type a text in, with an explorer of its attention weights below."""

import html
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from helpers.live.explorer.explorer import Explorer, Start, with_still_picture
from helpers.live.explorer.packing import pack
from helpers.live.explorer.page import fragment
from helpers.live.view import widget_view
from helpers.wording import first_line

Reader = Callable[[str], tuple[Any, Sequence[str]]]

_boxes = itertools.count(1)  # counted in each kernel: a lesson that runs from the top stores the same numbers


class LiveExplorer:
    """A box to type in, and the explorer of what was typed last: show it as the last line of a cell.

    Attributes
    ----------
    box : ipywidgets.Text
        Stands above the explorer; set `box.value` to type from code.
    explorer : Explorer
        That of what was read last.
    """

    def __init__(self, read: Reader, text: str, title: str | None, start: Start) -> None:
        import ipywidgets  # here, so that a lesson without a box does not wait for it

        self._read, self._title, self._number = read, title, next(_boxes)
        weights, tokens = read(text)
        maps, packed = pack(weights, tokens, None, None, title)
        self.explorer = with_still_picture(maps, packed, None, start, self._number)
        look = {"description": "text, then Enter", "style": {"description_width": "initial"}}
        self.box = ipywidgets.Text(value=text, continuous_update=False, layout={"width": "40em"}, **look)
        self._trouble = ipywidgets.HTML()
        self.widget = ipywidgets.VBox([self.box, self._trouble])
        self.widget.add_class("attention-typed")
        self.box.observe(self._typed, names="value")
        self._shown: Any = None  # the handle of what is displayed

    def _typed(self, _change: dict[str, Any]) -> None:
        """Show what was typed; where it cannot be read, say why and leave the last map."""
        try:
            weights, tokens = self._read(self.box.value)
            _, packed = pack(weights, tokens, None, None, self._title)
        except Exception as error:  # whatever the learner's model raises
            self._trouble.value = f'<p role="alert">\N{WARNING SIGN} {html.escape(self._sentence_on(error))}</p>'
            return
        self._trouble.value = ""
        # No picture: to draw one takes longer than all else together. The script goes on where the reader was.
        n_layers, n_heads = packed["shape"][:2]
        alt = f"Attention of {n_layers} layers with {n_heads} heads over: {' '.join(packed['queries'])}"
        still = f'<p class="attention-explorer-still">{html.escape(alt)}</p>'
        page = fragment({**packed, "start": None, "box": self._number}, still)
        self.explorer = Explorer(page, alt, self._title)
        if self._shown is not None:
            self._shown.update(self.explorer)

    def _sentence_on(self, error: Exception) -> str:
        """What a refusal says, which is a sentence; of any other error also the kind and where it came from."""
        said = first_line(error)
        if isinstance(error, TypeError | ValueError) and said:
            return said
        name = getattr(self._read, "__name__", "read")
        kind = type(error).__name__ + (f": {said}" if said else "")
        return f"{name} stopped: {kind}{'' if kind.endswith('.') else '.'}"

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(widget_view(self.widget, repr(self)), raw=True)
        self._shown = display(self.explorer, display_id=True)

    def __repr__(self) -> str:
        return "Run this cell to type a text of your own."


def explore_text(read: Reader, text: str, *, title: str | None = None, start: Start = (0, 0)) -> LiveExplorer:
    """A box to type a text in, and below it its attention weights, to point at as with `explore`.

    Parameters
    ----------
    read : function
        Takes a text, and returns its weights as `explore` takes them and its tokens. Where it raises an error for
        what is typed, the box says so in one sentence and the last map stays: the message alone of a ValueError or a
        TypeError, the kind as well of any other.
    text : str
        What stands in the box at first.
    title : str, optional
        What stands above the explorer.
    start : (int, int) or (int, int, str or int), default (0, 0)
        As for `explore`. What is typed later begins at the word that was lit before, where it has that word.

    Returns
    -------
    LiveExplorer
        To show as the last line of a cell.

    Raises
    ------
    TypeError
        `read` is not a function; also as `explore`.
    ValueError
        As `explore`. What `read` raises for the first text is raised too.
    """
    if not callable(read):
        raise TypeError(f"read must be a function from a text to weights and tokens, but is {read!r}.")
    return LiveExplorer(read, text, title, start)
