"""`writer`: a language model that writes token by token, with sliders, a Stop button and the chances of each token."""

import asyncio
import html
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from helpers.drawing.language import next_token_bars, token_losses
from helpers.live.sliders import NAMES, STYLE
from helpers.live.view import widget_view
from helpers.wording import first_line

# A token, how likely the model found it, and the likeliest tokens of its place with the chance of being drawn.
Step = tuple[str, float, Sequence[tuple[str, float]]]
Steps = Callable[[str, float, float], Iterator[Step]]

MARK = "\N{BLACK LEFT-POINTING SMALL TRIANGLE}"
PAUSE = 0.005  # seconds after each token, in which a click on Stop gets through
# No script: pointing at a token, or reaching it with the Tab key, shows the table inside it.
LOOK = (
    "<style>"
    ".attention-writer{position:relative;padding-bottom:15.5em;max-width:46em;line-height:1.7}"
    ".attention-writer .text{white-space:pre-wrap;min-height:5em;margin:0}"
    ".attention-writer .token{border-radius:2px;cursor:default}"
    ".attention-writer .token:hover,.attention-writer .token:focus{outline:2px solid currentColor}"
    ".attention-writer .others{position:absolute;left:0;bottom:0;width:100%;height:15em;display:none;line-height:1.4;"
    "background:var(--jp-layout-color0,Canvas);z-index:1;white-space:normal}"
    ".attention-writer .others.last,.attention-writer .token:hover>.others,.attention-writer .token:focus>.others"
    "{display:block}"
    ".attention-writer .token:hover>.others{z-index:3}.attention-writer .token:focus>.others{z-index:2}"
    ".attention-writer table{border-collapse:collapse;margin:0}"
    ".attention-writer td,.attention-writer th{padding:0 .5em;text-align:left;background:none}"
    ".attention-writer .bar{display:inline-block;height:.8em;background:#0072B2}"
    "</style>"
)


class Writer:
    """Sliders, two buttons and what was written: show it as the last line of a cell.

    Attributes
    ----------
    box : ipywidgets.Textarea
        The text to continue.
    temperature, p : ipywidgets.FloatSlider
        What the next text is drawn with.
    written : list of (str, float, list)
        The steps so far, as `steps` gives them.
    """

    def __init__(self, steps: Steps, text: str, temperature: float, p: float, n_at_first: int) -> None:
        import ipywidgets  # here, so that a lesson without one does not wait for it

        self._steps, self._begun, self.written = steps, text, list[Step]()
        self._going_on, self._task = False, None  # type: tuple[bool, asyncio.Task[None] | None]
        look = {"style": {"description_width": "initial"}}
        self.box = ipywidgets.Textarea(value=text, description="text", rows=2, layout={"width": "44em"}, **look)
        self.temperature = ipywidgets.FloatSlider(
            value=temperature, min=0, max=2, step=0.1, description="temperature", **look
        )
        self.p = ipywidgets.FloatSlider(value=p, min=0.05, max=1, step=0.05, description="top-p", **look)
        self._write = ipywidgets.Button(description="Write")
        self._stop = ipywidgets.Button(description="Stop", disabled=True)
        self._shown, self._trouble = ipywidgets.HTML(), ipywidgets.HTML()
        self._write.on_click(lambda _: self.write())
        self._stop.on_click(lambda _: self.stop())
        controls = ipywidgets.HBox([self.temperature, self.p, self._write, self._stop], layout={"flex_flow": "wrap"})
        self.widget = ipywidgets.VBox([self.box, controls, self._trouble, self._shown])
        self.widget.add_class("attention-play")
        self.written = list(islice(steps(text, temperature, p), n_at_first))
        if not self.written:
            raise ValueError("steps must give at least one token, but gave none.")
        self._still = self._still_pictures()
        self._show(whole=True)

    def write(self) -> None:
        """Begin to write after what stands in the box; in a kernel it goes on after this call, until `stop`."""
        self.stop()
        self._begun, self.written, self._going_on = self.box.value, [], True
        self._write.disabled, self._stop.disabled, self._trouble.value = True, False, ""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no kernel: nobody can press Stop
            asyncio.run(self._go_on())
            return
        self._task = loop.create_task(self._go_on())

    def stop(self) -> None:
        """Stop after the token that is being written."""
        self._going_on = False

    async def _go_on(self) -> None:
        written = self.written  # of this run: a new one begins a new list
        try:
            for step in self._steps(self._begun, self.temperature.value, self.p.value):
                if not self._going_on or written is not self.written:
                    break
                written.append(step)
                self._show(whole=False)
                await asyncio.sleep(PAUSE)
        except Exception as error:  # whatever the learner's function raises is told where they look
            said = html.escape(f"{type(error).__name__}: {first_line(error)}")
            self._trouble.value = f'<p role="alert">\N{WARNING SIGN} Writing stopped: {said}</p>'
        if written is self.written:
            self._going_on, self._write.disabled, self._stop.disabled = False, False, True
            self._show(whole=True)

    def _show(self, whole: bool) -> None:
        """Show the text so far and the chances of its last token; `whole` with what could have stood at each place."""
        parts = [f"<span>{html.escape(self._begun)}</span>"]
        for piece, chance, others in self.written:
            table = f'<span class="others">{_table(piece, others)}</span>' if whole else ""
            label = html.escape(f"{_visible(piece)}, chance {chance:.2f}", quote=True)
            parts.append(
                f'<span class="token" tabindex="0" aria-label="{label}" style="background:{_tint(chance)}">'
                f"{html.escape(piece)}{table}</span>"
            )
        last = f'<div class="others last">{_table(*self.written[-1][::2])}</div>' if self.written else ""
        text = f'<div class="text" role="log">{"".join(parts)}</div>'
        self._shown.value = f'{LOOK}<div class="attention-writer">{text}{last}</div>'

    def _still_pictures(self) -> str:
        """What stands there without a kernel: the text with its losses, and the chances where one is largest."""
        losses = [-math.log(max(chance, 1e-9)) for _, chance, _ in self.written]
        text = token_losses([_visible(piece) for piece, _, _ in self.written], losses)
        piece, _, others = self.written[losses.index(max(losses))]
        bars = next_token_bars(
            {f"in place of {_visible(piece)}": [chance for _, chance in others]},
            [_visible(token) for token, _ in others],
        )
        begun = html.escape(self._begun) + "\N{HORIZONTAL ELLIPSIS}"
        said = (
            f"{begun} (below each token its loss, 0 where it was sure; then what could have stood where it was largest)"
        )
        pictures = text._repr_html_() + bars._repr_html_()
        return f'{STYLE}<div class="attention-play-still"><p>{said}</p>{pictures}</div>{NAMES}'

    def _ipython_display_(self) -> None:
        from IPython.display import display

        text = self._begun + "".join(piece for piece, _, _ in self.written)
        display({"text/html": self._still, "text/plain": text}, raw=True)
        # Two outputs: an exported page prefers the widget, which it cannot show, to anything in the same output.
        display(widget_view(self.widget, repr(self)), raw=True)

    def __repr__(self) -> str:
        return "Run this cell to let the model write, with a temperature and a top-p of your own."


def _visible(piece: str) -> str:
    return piece.replace(" ", "␣").replace("\n", "⏎") or "�"


def _tint(chance: float) -> str:
    """Darker, the less likely the token was: a colour with the loss as its opacity."""
    return f"rgba(213,94,0,{min(0.55, -0.12 * math.log(max(chance, 1e-4))):.2f})"


def _table(piece: str, others: Sequence[tuple[str, float]]) -> str:
    """What could have stood in a place, and what does."""
    rows = []
    for token, chance in others:
        bar = f'<span class="bar" style="width:{12 * chance:.2f}em"></span> {f"{chance:.2f}" if chance else "out"}'
        mark = f" {MARK} written" if token == piece else ""
        rows.append(f"<tr><td>{html.escape(_visible(token))}</td><td>{bar}{mark}</td></tr>")
    if piece not in dict(others):
        rows.append(f"<tr><td>{html.escape(_visible(piece))}</td><td>{MARK} written, less likely than these</td></tr>")
    return f"<table><tr><th>here</th><th>chance of being drawn</th></tr>{''.join(rows)}</table>"


def writer(steps: Steps, text: str, *, temperature: float = 0.7, p: float = 0.9, n_at_first: int = 40) -> Writer:
    """Let a language model write, token by token, with what it could have written in each place.

    Parameters
    ----------
    steps : function
        Takes a text, a temperature and a p, and yields for each new token the token, how likely the model found it, and
        the likeliest tokens of its place as pairs of the token and its chance of being drawn, 0 where top-p leaves it
        out.
    text : str
        What to continue. A first run is made at once, for those who only read.
    temperature, p : float
        Where the sliders start.
    n_at_first : int
        The most tokens of the first run.

    Returns
    -------
    Writer
        To show as the last line of a cell.

    Raises
    ------
    TypeError
        `steps` is not a function.
    ValueError
        `steps` gives no token.
    """
    if not callable(steps):
        raise TypeError(f"steps must be a function of a text, a temperature and a p, but is {steps!r}.")
    return Writer(steps, text, temperature, p, n_at_first)
