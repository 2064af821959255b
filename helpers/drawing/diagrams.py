"""Diagrams of boxes and arrows: the route through the course, the ways that information travels, a layer."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from helpers.drawing.inputs import as_tokens
from helpers.drawing.picture import COLOURS, INK, LIT, PAPER, QUIET, Picture, fonts_for, style

STAGES = [
    "inputs",
    "weights",
    "keys, queries,\nvalues",
    "scores",
    "softmax",
    "weighting",
    "summing",
    "multi-head",
    "masked\ndecoder",
    "positions",
    "transformer",
    "training",
    "language\nmodel",
    "reviews",
    "cost",
    "real\nmodel",
]
STAGES_A_ROW = 9


def pipeline(stage: int) -> Picture:
    """Draw the strip of all stages of the course, with one lit.

    Parameters
    ----------
    stage : number of the lesson, from 1

    Raises
    ------
    TypeError
        `stage` is not a whole number.
    ValueError
        There is no such stage.
    """
    if isinstance(stage, bool) or not isinstance(stage, int):
        raise TypeError(f"stage must be a whole number, but is {stage!r} of type {type(stage).__name__}.")
    if not 1 <= stage <= len(STAGES):
        raise ValueError(f"stage must be from 1 to {len(STAGES)}, but is {stage}.")
    width, height, gap = 0.98, 0.62, 0.16
    n_rows = -(-len(STAGES) // STAGES_A_ROW)
    with style():
        figure, axes = _sheet(STAGES_A_ROW * (width + gap) - gap, n_rows * (height + gap) - gap)
        for i, name in enumerate(STAGES):
            row, column = divmod(i, STAGES_A_ROW)
            x, y = column * (width + gap), (n_rows - 1 - row) * (height + gap)
            lit = i == stage - 1
            _box(axes, x, y, width, height, f"{i + 1}\n{name}", LIT if lit else PAPER, bold=lit, size=8)
            if column:
                _arrow(axes, (x - gap, y + height / 2), (x, y + height / 2))
    names = [name.replace("\n", " ") for name in STAGES]
    return Picture(figure, f"The stages of the course: {', '.join(names)}. Stage {stage}, {names[stage - 1]}, is lit.")


def routes(tokens: Sequence[str]) -> Picture:
    """Draw how far information travels from the first token to the last: step by step, through windows, directly.

    The comparison is that of Vaswani et al., "Attention Is All You Need" (2017), table 1.

    Parameters
    ----------
    tokens : 3 to 9 words

    Raises
    ------
    TypeError, ValueError
        Tokens that are not a list of text, fewer than 3 or more than 9.
    """
    tokens = as_tokens(tokens, len(list(tokens)), "tokens", "tokens")
    if not 3 <= len(tokens) <= 9:
        raise ValueError(f"tokens must be 3 to 9 words to be drawn, but there are {len(tokens)}.")
    n = len(tokens)
    layers = -(-(n - 1) // 2)  # a window of 3 carries information 2 places a layer where it is read to one side
    with style():
        figure = Figure(figsize=(10, 2.9))
        _recurrent(_panel(figure, 0, f"RNN: {n - 1} steps, one after the other"), tokens)
        _convolution(_panel(figure, 1, f"CNN, window 3: {layers} layers"), tokens, layers)
        _attention(_panel(figure, 2, "attention: 1 step"), tokens)
    return Picture(
        figure,
        f"How information travels from {tokens[0]!r} to {tokens[-1]!r}. A recurrent network passes "
        f"it on from word to word in {n - 1} steps. A convolution that reads each word with the two "
        f"before it needs {layers} layers. Attention joins each pair of words in 1 step.",
    )


def layer_diagram(sublayers: Sequence[str], side_inputs: Mapping[str, str] | None = None) -> Picture:
    """Draw a layer: its sublayers from bottom to top, each with a way round it and an "add & norm" behind it.

    The form is that of Vaswani et al., "Attention Is All You Need" (2017), figure 1.

    Parameters
    ----------
    sublayers : names, in the order in which they run
    side_inputs : sublayer -> what else it reads, optional

    Raises
    ------
    TypeError, ValueError
        Sublayers that are not a list of text, or a side input for a sublayer that is not there.
    """
    sublayers = as_tokens(sublayers, len(list(sublayers)), "sublayers", "sublayers")
    for name in side_inputs or {}:
        if name not in sublayers:
            raise ValueError(f"side_inputs must name a sublayer, but {name!r} is not among {sublayers}.")
    width, height, step = 2.6, 0.42, 1.55
    with style():
        figure, axes = _sheet(5.4, step * len(sublayers) + 0.5)
        top = step * len(sublayers) + 0.22
        axes.text(width / 2, -0.05, "input", ha="center", va="top")
        axes.text(width / 2, top + 0.37, "output", ha="center", va="bottom")
        _arrow(axes, (width / 2, top), (width / 2, top + 0.33))
        for i, name in enumerate(sublayers):
            y = i * step + 0.55
            _arrow(axes, (width / 2, y - 0.55 if i == 0 else y - 0.33), (width / 2, y))
            _box(axes, 0, y, width, height, name, "#cfe5f5")
            _arrow(axes, (width / 2, y + height), (width / 2, y + 0.8))
            _box(axes, 0, y + 0.8, width, height, "add & norm", "#fbeac2")
            # the way round, along which the sublayer's input reaches the addition
            for start, end in [((width / 2, y - 0.17), (-0.45, y - 0.17)), ((-0.45, y - 0.17), (-0.45, y + 1.01))]:
                axes.plot(*zip(start, end, strict=True), color=QUIET, linewidth=1.2, clip_on=False)
            _arrow(axes, (-0.45, y + 1.01), (0, y + 1.01))
            if side_inputs and name in side_inputs:
                axes.text(
                    width + 0.75,
                    y + height / 2,
                    side_inputs[name],
                    va="center",
                    fontfamily=fonts_for(side_inputs[name]),
                )
                _arrow(axes, (width + 0.7, y + height / 2), (width, y + height / 2))
    others = "".join(f" {name} also reads {what}." for name, what in (side_inputs or {}).items())
    return Picture(
        figure,
        f"A layer, from its input at the bottom to its output at the top: "
        f"{', then '.join(sublayers)}. Around each runs a residual connection to an addition with "
        f"layer norm.{others}",
    )


def _sheet(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
    axes.axis("off")
    return figure, axes


def _panel(figure: Figure, column: int, title: str) -> Axes:
    axes = figure.add_axes((column * 0.345, 0, 0.31, 0.85))
    axes.set_title(title, fontsize=10)
    axes.axis("off")
    return axes


def _box(
    axes: Axes,
    x: float,
    y: float,
    width: float,
    height: float,
    text: str,
    fill: str,
    bold: bool = False,
    size: float = 10,
) -> None:
    axes.add_patch(
        FancyBboxPatch(
            (x, y),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.06",
            facecolor=fill,
            edgecolor=INK if bold else QUIET,
            linewidth=1.6 if bold else 0.9,
            clip_on=False,
        )
    )
    axes.text(
        x + width / 2,
        y + height / 2,
        text,
        ha="center",
        va="center",
        fontsize=size,
        linespacing=1.15,
        fontweight="bold" if bold else "normal",
        fontfamily=fonts_for(text),
    )


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str = QUIET) -> None:
    axes.annotate(
        "",
        end,
        start,
        annotation_clip=False,
        arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0},
    )


def _words(axes: Axes, tokens: list[str], top: float) -> None:
    axes.set(xlim=(-0.5, len(tokens) - 0.5), ylim=(-0.6, top + 0.4))
    for i, token in enumerate(tokens):
        axes.text(i, -0.3, token, ha="center", va="top", fontsize=8, rotation=30, fontfamily=fonts_for(token))


def _dots(axes: Axes, n: int, y: float, lit: set[int]) -> None:
    for i in range(n):
        axes.plot(i, y, "o", markersize=9, color=COLOURS[1] if i in lit else "#bdbdbd", zorder=3, clip_on=False)


def _recurrent(axes: Axes, tokens: list[str]) -> None:
    _words(axes, tokens, 1)
    _dots(axes, len(tokens), 0, {0})
    _dots(axes, len(tokens), 1, set(range(len(tokens))))
    for i in range(len(tokens)):
        _arrow(axes, (i, 0.13), (i, 0.87), COLOURS[1] if i == 0 else "#bdbdbd")
        if i:
            _arrow(axes, (i - 0.85, 1), (i - 0.15, 1), COLOURS[1])


def _convolution(axes: Axes, tokens: list[str], layers: int) -> None:
    n = len(tokens)
    _words(axes, tokens, layers)
    for y in range(layers + 1):
        reached = set(range(min(n, 2 * y + 1)))
        _dots(axes, n, y, reached)
        for i in range(n) if y else []:
            for source in range(max(0, i - 2), i + 1):
                carries = source <= 2 * (y - 1)
                axes.plot(
                    [source, i],
                    [y - 1, y],
                    color=COLOURS[1] if carries else "#d0d0d0",
                    linewidth=1,
                    zorder=2 if carries else 1,
                )


def _attention(axes: Axes, tokens: list[str]) -> None:
    n = len(tokens)
    _words(axes, tokens, 1)
    _dots(axes, n, 0, {0})
    _dots(axes, n, 1, set(range(n)))
    for i in range(n):
        for source in range(n):
            axes.plot(
                [source, i],
                [0, 1],
                color=COLOURS[1] if source == 0 else "#d0d0d0",
                linewidth=1,
                zorder=2 if source == 0 else 1,
            )
