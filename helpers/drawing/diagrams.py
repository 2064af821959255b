"""Diagrams of boxes and arrows: the route through the course, the ways that information travels, a layer."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from helpers.drawing import alt_text
from helpers.drawing.anatomy import course_strip, stage_strip
from helpers.drawing.colours import NEUTRAL, NORM, SUBLAYER
from helpers.drawing.inputs import as_tokens, check_number
from helpers.drawing.picture import INK, QUIET, Picture, fonts_for, style
from helpers.wording import counted

GROUPS = {  # of the course, here and on the website
    "Attention by hand": ["inputs", "weights", "keys, queries, values", "scores", "softmax", "weighting", "summing"],
    "The Transformer": ["multi-head", "masked decoder", "positions", "transformer"],
    "Trained and measured": ["training", "language model", "reviews", "cost", "cheaper attention"],
    "Models that others trained": ["real model", "real language model", "its heads"],
}
N_STAGES = 9  # of attention, which the first lessons have one by one
STAGES = [name for names in GROUPS.values() for name in names]
SUBLAYER_WIDTH, SUBLAYER_HEIGHT = 2.6, 0.42  # inches
REACHED, NOT_REACHED = NEUTRAL[0], "#bdbdbd"  # by what the first token says
IDLE_LINE = "#d0d0d0"


def pipeline(stage: int) -> Picture:
    """Draw where in the course a lesson stands, with its stage lit.

    The seven stages of attention and its two variants are shown as the matrices that flow through them. The later
    lessons are no flow of data, so for them it is a list.

    Parameters
    ----------
    stage : int
        Number of the lesson, from 1.

    Returns
    -------
    Picture
        The strip. Its alt text names all that is shown, and what is lit.

    Raises
    ------
    TypeError
        `stage` is not a whole number.
    ValueError
        There is no such stage.
    """
    check_number(stage, "stage", len(STAGES))
    return stage_strip(stage) if stage <= N_STAGES else course_strip(stage, GROUPS)


def routes(tokens: Sequence[str]) -> Picture:
    """Draw how far information travels from the first token to the last: step by step, through windows, directly.

    The comparison is that of Vaswani et al., "Attention Is All You Need" (2017), table 1.

    Parameters
    ----------
    tokens : list of str
        3 to 9 words.

    Returns
    -------
    Picture
        Three networks side by side. Its alt text says how many steps each needs.

    Raises
    ------
    TypeError
        Tokens that are not a list of text.
    ValueError
        Fewer than 3 or more than 9.
    """
    tokens = as_tokens(tokens, len(list(tokens)), "tokens", "tokens")
    if not 3 <= len(tokens) <= 9:
        raise ValueError(f"tokens must be 3 to 9 words to be drawn, but there are {len(tokens)}.")
    n = len(tokens)
    n_layers = -(-(n - 1) // 2)  # a window of 3 carries information 2 places a layer where it is read to one side
    with style():
        figure = Figure(figsize=(7.7, 2.7))
        _draw_recurrent(_panel(figure, 0, f"RNN: {n - 1} steps from word to word"), tokens)
        _draw_convolution(_panel(figure, 1, f"CNN, window 3: {counted(n_layers, 'layer')}"), tokens, n_layers)
        _draw_attention(_panel(figure, 2, "attention: 1 step"), tokens)
    return Picture(figure, alt_text.of_routes(tokens, n_layers))


def layer_diagram(sublayers: Sequence[str], side_inputs: Mapping[str, str] | None = None) -> Picture:
    """Draw a layer: its sublayers from bottom to top, each with a way round it and an "add & norm" after it.

    The form is that of Vaswani et al., "Attention Is All You Need" (2017), figure 1.

    Parameters
    ----------
    sublayers : list of str
        Names, in the order in which they run.
    side_inputs : dict of str to str, optional
        What else a sublayer reads, by its name.

    Returns
    -------
    Picture
        The layer. Its alt text names the sublayers in their order.

    Raises
    ------
    TypeError
        Sublayers that are not a list of text.
    ValueError
        A side input for a sublayer that is not there.
    """
    sublayers = as_tokens(sublayers, len(list(sublayers)), "sublayers", "sublayers")
    side_inputs = side_inputs or {}
    for name in side_inputs:
        if name not in sublayers:
            raise ValueError(f"side_inputs must name a sublayer, but {name!r} is not among {sublayers}.")
    step = 1.55
    middle, top = SUBLAYER_WIDTH / 2, step * len(sublayers) + 0.22
    with style():
        figure, axes = _sheet(5.4, step * len(sublayers) + 0.5)
        axes.text(middle, -0.05, "input", ha="center", va="top")
        axes.text(middle, top + 0.37, "output", ha="center", va="bottom")
        _draw_arrow(axes, (middle, top), (middle, top + 0.33))
        for i, name in enumerate(sublayers):
            y = i * step + 0.55
            _draw_arrow(axes, (middle, y - 0.55 if i == 0 else y - 0.33), (middle, y))
            _draw_sublayer(axes, y, name)
            if name in side_inputs:
                _draw_side_input(axes, y, side_inputs[name])
    return Picture(figure, alt_text.of_layer_diagram(sublayers, side_inputs))


def _draw_sublayer(axes: Axes, y: float, name: str) -> None:
    """Draw a sublayer from y upwards, the addition after it, and the way round it that leads its input there."""
    middle = SUBLAYER_WIDTH / 2
    _draw_box(axes, 0, y, SUBLAYER_WIDTH, SUBLAYER_HEIGHT, name, SUBLAYER)
    _draw_arrow(axes, (middle, y + SUBLAYER_HEIGHT), (middle, y + 0.8))
    _draw_box(axes, 0, y + 0.8, SUBLAYER_WIDTH, SUBLAYER_HEIGHT, "add & norm", NORM)
    left, below, beside_the_addition = -0.45, y - 0.17, y + 1.01
    for x_ends, y_ends in [((middle, left), (below, below)), ((left, left), (below, beside_the_addition))]:
        axes.plot(x_ends, y_ends, color=QUIET, linewidth=1.2, clip_on=False)
    _draw_arrow(axes, (left, beside_the_addition), (0, beside_the_addition))


def _draw_side_input(axes: Axes, y: float, text: str) -> None:
    y += SUBLAYER_HEIGHT / 2
    axes.text(SUBLAYER_WIDTH + 0.75, y, text, va="center", fontfamily=fonts_for(text))
    _draw_arrow(axes, (SUBLAYER_WIDTH + 0.7, y), (SUBLAYER_WIDTH, y))


def _sheet(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
    axes.axis("off")
    return figure, axes


def _panel(figure: Figure, column: int, title: str) -> Axes:
    axes = figure.add_axes((column * 0.345, 0, 0.31, 0.85))
    axes.set_title(title, fontsize=9)
    axes.axis("off")
    return axes


def _draw_box(
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


def _draw_arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str = QUIET) -> None:
    axes.annotate(
        "",
        end,
        start,
        annotation_clip=False,
        arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0},
    )


def _write_tokens(axes: Axes, tokens: list[str], top: float) -> None:
    axes.set(xlim=(-0.5, len(tokens) - 0.5), ylim=(-0.6, top + 0.4))
    for i, token in enumerate(tokens):
        axes.text(i, -0.3, token, ha="center", va="top", fontsize=9, rotation=30, fontfamily=fonts_for(token))


def _draw_states(axes: Axes, n: int, y: float, lit: set[int]) -> None:
    """Draw a row of n dots; those whose places are in `lit` have heard of the first token."""
    for i in range(n):
        axes.plot(i, y, "o", markersize=9, color=REACHED if i in lit else NOT_REACHED, zorder=3, clip_on=False)


def _draw_recurrent(axes: Axes, tokens: list[str]) -> None:
    _write_tokens(axes, tokens, 1)
    _draw_states(axes, len(tokens), 0, {0})
    _draw_states(axes, len(tokens), 1, set(range(len(tokens))))
    for i in range(len(tokens)):
        _draw_arrow(axes, (i, 0.13), (i, 0.87), REACHED if i == 0 else NOT_REACHED)
        if i:
            _draw_arrow(axes, (i - 0.85, 1), (i - 0.15, 1), REACHED)


def _draw_convolution(axes: Axes, tokens: list[str], n_layers: int) -> None:
    n = len(tokens)
    _write_tokens(axes, tokens, n_layers)
    for y in range(n_layers + 1):
        reached = set(range(min(n, 2 * y + 1)))
        _draw_states(axes, n, y, reached)
        for i in range(n) if y else []:
            for source in range(max(0, i - 2), i + 1):
                carries = source <= 2 * (y - 1)
                axes.plot(
                    [source, i],
                    [y - 1, y],
                    color=REACHED if carries else IDLE_LINE,
                    linewidth=1,
                    zorder=2 if carries else 1,
                )


def _draw_attention(axes: Axes, tokens: list[str]) -> None:
    n = len(tokens)
    _write_tokens(axes, tokens, 1)
    _draw_states(axes, n, 0, {0})
    _draw_states(axes, n, 1, set(range(n)))
    for i in range(n):
        for source in range(n):
            axes.plot(
                [source, i],
                [0, 1],
                color=REACHED if source == 0 else IDLE_LINE,
                linewidth=1,
                zorder=2 if source == 0 else 1,
            )
