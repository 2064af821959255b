"""What a model is given, what is wanted of it, and how it learns: the pictures of lesson 12 but for its beam."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from helpers.drawing import colours
from helpers.drawing.charts import LINE_STYLES, MARKED_UP_TO, MARKERS
from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.paper import SMALL, WIDEST, arrow, box, page, text_width, write
from helpers.drawing.picture import FAINT, INK, Picture, style

GIVEN, WANTED = "given: the target without its last token", "wanted: the target without its first token"
MOST_SOURCE, MOST_TARGET = 12, 12  # tokens that fit side by side
Panels = Mapping[str, Mapping[str, tuple[Any, Any]]]


def given_and_wanted(source: Sequence[str], target: Sequence[str]) -> Picture:
    """Draw one example on its way through encoder and decoder: what each is given, and what is wanted at the end.

    Parameters
    ----------
    source : list of str
        The tokens that are read, 12 at most.
    target : list of str
        The tokens to be written, with the one that begins and the one that ends them; 3 to 12.

    Returns
    -------
    Picture
        On the left the source below the encoder, on the right the decoder, with the given tokens below it and the
        wanted ones above it.

    Raises
    ------
    TypeError
        Tokens that are not a list of text.
    ValueError
        More tokens than fit, or a target with nothing between its ends.
    """
    source = as_tokens(source, len(list(source)), "source", "tokens")
    target = as_tokens(target, len(list(target)), "target", "tokens")
    if len(source) > MOST_SOURCE or not 3 <= len(target) <= MOST_TARGET:
        raise ValueError(
            f"source must have at most {MOST_SOURCE} tokens and target 3 to {MOST_TARGET}, but they have "
            f"{len(source)} and {len(target)}."
        )
    given, wanted = target[:-1], target[1:]
    narrowest = max(0.24, 0.8 / len(source))  # so that the encoder has room for its name
    left = [max(text_width(token) + 0.1, narrowest) for token in source]
    right = [max(map(_width, pair)) for pair in zip(given, wanted, strict=True)]
    gap = 0.75  # where the memory goes over
    wide = 0.1 + sum(left) + gap + sum(right) + 0.1
    x_decoder = 0.1 + sum(left) + gap
    with style():
        figure, axes = page(max(wide, x_decoder + max(text_width(name, SMALL) for name in (GIVEN, WANTED)) + 0.1), 2.75)
        _part(axes, 0.1, 1.18, sum(left), "encoder")
        _part(axes, x_decoder, 1.18, sum(right), "decoder")
        _row(axes, 0.1, 2.05, source, left, colours.INPUT, -1, "source")
        _row(axes, x_decoder, 2.05, given, right, colours.INPUT, -1, GIVEN)
        _row(axes, x_decoder, 0.42, wanted, right, colours.OUTPUT, 1, WANTED)
        arrow(axes, (0.1 + sum(left), 1.38), (x_decoder, 1.38))
        write(axes, x_decoder - gap / 2 - 0.02, 1.22, "memory", size=SMALL, va="baseline", on_line=True)
    pairs = [f'"{one}" then "{other}"' for one, other in zip(given, wanted, strict=True)]
    return Picture(
        figure,
        f'The encoder reads the source "{"".join(source)}" and hands its memory to the decoder. Each token that the '
        f"decoder is given, and the one wanted above it: {', '.join(pairs)}.",
    )


def _part(axes: Axes, x: float, y: float, width: float, name: str) -> None:
    box(axes, x, y, width, 0.4, thick=1.4)
    write(axes, x + width / 2, y + 0.25, name, bold=True, va="baseline")


def _width(token: str) -> float:
    return max(text_width(token, SMALL) + 0.1, 0.26)


def _row(
    axes: Axes,
    x: float,
    y: float,
    tokens: Sequence[str],
    widths: Sequence[float],
    role: colours.Role,
    side: int,
    name: str,
) -> None:
    """Tokens in boxes from (x, y) on, each with an arrow up: to the part above (side -1) or from the one below."""
    write(axes, x, y + (0.52 if side < 0 else -0.12), name, size=SMALL, colour=role.text, ha="left", va="baseline")
    for token, width in zip(tokens, widths, strict=True):
        own = _width(token) - 0.03  # not as wide as the longer token it stands above
        box(axes, x + (width - own) / 2, y, own, 0.3, edge=role.line, fill=role.tint)
        write(axes, x + width / 2, y + 0.2, token, size=SMALL, va="baseline")
        start, end = (y, y - 0.44) if side < 0 else (y + 0.76, y + 0.32)
        arrow(axes, (x + width / 2, start), (x + width / 2, end), role.line, 1.0)
        x += width


def panels(
    charts: Panels,
    *,
    x_label: str,
    levels: Mapping[str, Mapping[str, float]] | None = None,
    log_x: Sequence[str] = (),
    log_y: Sequence[str] = (),
) -> Picture:
    """Draw charts side by side over the same range of x, each with a scale of its own.

    Parameters
    ----------
    charts : dict of str to dict of str to (x, y)
        One to three charts. The name of each is what its y axis measures; it holds lines by their names, each as two
        lists or tensors, (n,).
    x_label : str
        What the x axes measure.
    levels : dict of str to dict of str to float, optional
        For a chart heights to compare its lines with, by their names, drawn dotted.
    log_x, log_y : sequence of str
        The charts whose x or y axis is logarithmic.

    Returns
    -------
    Picture
        The charts. The alt text says where each line starts and ends.

    Raises
    ------
    TypeError
        Values that are not real numbers.
    ValueError
        No chart or more than three, a chart without a line, x and y of different length, a level or a logarithmic
        axis of no chart.
    """
    levels = dict(levels or {})
    if not 1 <= len(charts) <= 3 or not all(charts.values()):
        raise ValueError(f"charts must be 1 to 3 charts with a line or more each, but there are {len(charts)}.")
    if unknown := (levels.keys() | set(log_x) | set(log_y)) - charts.keys():
        raise ValueError(
            f"levels, log_x and log_y must be of charts that are drawn, but {min(unknown)!r} is not among "
            f"{list(charts)}."
        )
    said = []
    with style():
        figure = Figure(figsize=(WIDEST - 0.4, 2.7))
        share = 1 / len(charts)
        for k, (name, lines) in enumerate(charts.items()):
            axes = figure.add_axes((k * share + 0.09, 0.2, share - 0.11, 0.68))
            axes.set_title(name, loc="left", fontsize=10)
            axes.margins(y=0.16 if name in levels else 0.05)  # the name of the highest level stands above it
            if name in log_y:
                axes.set_yscale("log")
                _number_powers(axes.yaxis, (1, 2, 5))
            said.append(f"{name}: {_draw_lines(axes, name, lines, levels.get(name, {}))}")
            axes.set(xlabel=x_label)
            most = 5 if len(charts) < 3 else 3  # so that no number meets the next
            if name in log_x:
                axes.set_xscale("log")
                _number_powers(axes.xaxis, (1, 3))  # fewer, for they stand side by side
            else:
                axes.xaxis.set_major_locator(MaxNLocator(most, integer=True))
            axes.grid(color=FAINT, linewidth=0.6)
    return Picture(figure, f"{len(charts)} charts over {x_label}. {'. '.join(said)}.")


def _number_powers(axis: Axis, first: Sequence[int]) -> None:
    """Write the first numbers, ten times as many, and so on at a logarithmic axis."""
    axis.set_major_locator(LogLocator(subs=first))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_locator(NullLocator())


def _draw_lines(axes: Axes, chart: str, lines: Mapping[str, tuple[Any, Any]], levels: Mapping[str, float]) -> str:
    """Draw the lines of one chart, and say how each goes."""
    said = []
    scale = np.log if axes.get_yscale() == "log" else np.asarray
    for k, (name, (x, y)) in enumerate(lines.items()):
        at, heights = as_array(x, f"x of {name!r}", "vector"), as_array(y, f"y of {name!r}", "vector")
        if len(at) != len(heights):
            raise ValueError(
                f"x and y of {name!r} must be equally long, but have {len(at)} and {len(heights)} numbers."
            )
        marker = MARKERS[k % len(MARKERS)] if len(at) <= MARKED_UP_TO else None
        look: dict[str, Any] = {"color": colours.neutral(k), "linestyle": LINE_STYLES[k % len(LINE_STYLES)]}
        axes.plot(at, heights, marker=marker, markersize=4, label=name, **look)
        said.append(f"{name} goes from {heights[0]:.3g} at {at[0]:g} to {heights[-1]:.3g} at {at[-1]:g}")
    for name, level in levels.items():
        axes.axhline(level, color=INK, linestyle=":", linewidth=1.4)
        from_start, from_end = abs(scale(heights[[0, -1]]) - scale(float(level)))  # the last line's
        side, at_side = ("left", 0.02) if from_start > from_end else ("right", 0.98)  # where that line is farther off
        place = (at_side, level), (0, 5), axes.get_yaxis_transform(), "offset points"
        axes.annotate(f"{name} {level:.3g}", *place, ha=side, va="bottom", fontsize=SMALL, color=INK)
        said.append(f"a dotted line at {level:.3g}, {name}")
    if axes.get_yscale() == "linear":
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    if len(lines) > 1:
        axes.legend(fontsize=SMALL)
    return ", ".join(said)
