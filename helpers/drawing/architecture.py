"""A model as it ran: its modules are watched while they run, and what is drawn is what was seen."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Circle

from helpers.drawing import colours
from helpers.drawing.paper import ELLIPSIS, PLAIN, SMALL, arrow, box, line, page, shape_text, write
from helpers.drawing.picture import INK, PAPER, QUIET, Picture, style
from helpers.wording import counted, listed

PARTS = ("source_embedding", "encoder", "encoder_norm", "target_embedding", "decoder", "decoder_norm")
WORDS = {"self_attention": "self-attention", "cross_attention": "cross-attention", "feed_forward": "feed-forward"}
FILLS = {"feed-forward": colours.PLAIN_PART, "norm": colours.NORM}

COLUMN, BAR, AIR, STEP = 2.3, 0.3, 0.1, 0.3  # inches: width of a stack, height of a bar, between bars, of an arrow
LEFT, RIGHT, RAIL = 0.3, 4.7, 3.65  # where the encoder, the decoder and the way of the memory stand


@dataclass(frozen=True)
class _Call:
    """A module that ran: its name, what it was given by the names of its arguments, and what came out."""

    name: str
    given: dict[str, Any]
    output: Any

    @property
    def shape(self) -> str:
        return shape_text(self.output.shape)

    def reads(self, tensor: Any) -> bool:
        return any(argument is tensor for argument in self.given.values())


def _watch(model: Any, *inputs: Any) -> tuple[list[_Call], Any]:
    """Run a model as in evaluation; the modules in the order in which they were done, and the result."""
    calls: list[_Call] = []

    def hook_of(name: str) -> Any:
        def hook(module: Any, args: Any, kwargs: Any, output: Any) -> None:
            given = inspect.signature(module.forward).bind(*args, **kwargs).arguments
            calls.append(_Call(name, dict(given), output[0] if isinstance(output, tuple) else output))

        return hook

    modules = dict(model.named_modules())
    training = {name: module.training for name, module in modules.items()}
    hooks = [module.register_forward_hook(hook_of(name), with_kwargs=True) for name, module in modules.items() if name]
    try:
        model.eval()
        result = model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
        for name, module in modules.items():
            module.training = training[name]
    return calls, result[0] if isinstance(result, tuple) else result


@dataclass(frozen=True)
class _Layer:
    """A layer as it ran: the names of its sublayers from the bottom, and which of them read the memory."""

    sublayers: tuple[str, ...]
    reads_memory: tuple[str, ...]


def _layers(calls: Sequence[_Call], stack: str, memory: Any = None) -> list[_Layer]:
    """The layers of a stack, in the order in which they ran."""
    found = []
    for layer in (call for call in calls if call.name.rpartition(".")[0] == stack):
        sublayers = [call for call in calls if call.name.rpartition(".")[0] == layer.name and _is_sublayer(call)]
        names = tuple(_sublayer_name(call) for call in sublayers)
        found.append(_Layer(names, _reading(sublayers, memory) if layer.reads(memory) else ()))
    return found


def _reading(sublayers: Sequence[_Call], memory: Any) -> tuple[str, ...]:
    """The names of those sublayers that read the memory, where there is one."""
    return tuple(_sublayer_name(call) for call in sublayers if memory is not None and call.reads(memory))


def _is_sublayer(call: _Call) -> bool:
    return call.name.rpartition(".")[2] in WORDS


def _sublayer_name(call: _Call) -> str:
    masked = "masked " if call.given.get("is_causal") else ""
    return masked + WORDS[call.name.rpartition(".")[2]]


def architecture(model: Any, source: Any, target: Any) -> Picture:
    """Draw a whole Transformer: what its modules did with a source and a target, with the shapes.

    The model is run once, and what is drawn is what ran: the layers in their order, the sublayers in each, which of
    them were handed the memory, and whether the scores came from the table of the target's embedding.

    Parameters
    ----------
    model : module
        With `source_embedding`, `encoder`, `encoder_norm`, `target_embedding`, `decoder`, `decoder_norm`, as
        `Transformer` has them.
    source, target : tensor, (batch, n_source) and (batch, n_target)
        Ids to run it on.

    Returns
    -------
    Picture
        The encoder at the left and the decoder at the right, both from the bottom to the top. Of more than three
        layers the first and the last are drawn.

    Raises
    ------
    ValueError
        The model lacks one of these parts.
    """
    missing = [part for part in PARTS if not hasattr(model, part)]
    if missing:
        raise ValueError(f"model must have the parts of a Transformer, but has no {listed(missing)}.")
    calls, scores = _watch(model, source, target)
    by_name = {call.name: call for call in calls}
    memory = by_name["encoder_norm"]
    encoder, decoder = _layers(calls, "encoder"), _layers(calls, "decoder", memory.output)
    tied = _scored_by(by_name["decoder_norm"].output, model.target_embedding.table.weight, scores)

    left, right = _stack_height(encoder), _stack_height(decoder)
    foot = 1.25  # the ids and the embedding
    height = foot + max(left, right) + 1.85
    floor = height - 0.1
    with style():
        figure, axes = page(7.6, height)
        top = _draw_stack(axes, LEFT, floor, "source", by_name["source_embedding"], encoder, "encoder")
        _draw_bar(axes, LEFT, top, "norm")
        _draw_step(axes, LEFT, top - BAR, memory.shape)
        level = top - BAR - STEP - BAR / 2
        box(axes, LEFT, level - BAR / 2, COLUMN, BAR, edge=colours.OUTPUT.line, fill=colours.OUTPUT.tint, thick=1.6)
        write(axes, LEFT + COLUMN / 2, level, "memory", bold=True, colour=colours.OUTPUT.text)

        top = _draw_stack(axes, RIGHT, floor, "target", by_name["target_embedding"], decoder, "decoder")
        levels = _levels_that_read(floor - foot, decoder)
        _draw_memory(axes, level, levels)
        _draw_bar(axes, RIGHT, top, "norm")
        _draw_step(axes, RIGHT, top - BAR, by_name["decoder_norm"].shape)
        top = top - BAR - STEP
        _draw_bar(axes, RIGHT, top, "times the same table" if tied else "times another matrix", PAPER)
        _draw_step(axes, RIGHT, top - BAR, "")
        write(axes, RIGHT + COLUMN / 2, top - BAR - STEP - 0.12, f"scores {shape_text(scores.shape)}", bold=True)
        if tied:
            _draw_tie(axes, top - BAR / 2, floor - 0.75)
    return Picture(figure, _alt(by_name, encoder, decoder, scores, tied))


def _scored_by(x: Any, table: Any, scores: Any) -> bool:
    """Whether the scores are those of the table's rows."""
    if x.shape[-1] != table.shape[-1] or scores.shape[-1] != len(table):
        return False
    return bool((x @ table.T - scores).abs().max() <= 1e-4 * scores.abs().max())


def _shown(layers: Sequence[_Layer]) -> list[int | None]:
    """Which layers are drawn; None stands for those between the first and the last of many."""
    return list(range(len(layers))) if len(layers) <= 3 else [0, None, len(layers) - 1]


def _layer_height(layer: _Layer) -> float:
    return len(layer.sublayers) * (BAR + AIR) + AIR + 0.2  # the last is for its name


def _stack_height(layers: Sequence[_Layer]) -> float:
    return sum(STEP + (_layer_height(layers[k]) if k is not None else 0.2) for k in _shown(layers))


def _draw_stack(
    axes: Axes, x: float, floor: float, text: str, embedded: _Call, layers: Sequence[_Layer], name: str
) -> float:
    """Draw the ids, the embedding and the layers from the floor up; where the next bar begins."""
    ids = shape_text(embedded.output.shape[:-1])
    write(axes, x + COLUMN / 2, floor - 0.1, f"{text} {ids}, ids", bold=True)
    arrow(axes, (x + COLUMN / 2, floor - 0.24), (x + COLUMN / 2, floor - 0.5))
    box(axes, x, floor - 1.0, COLUMN, 0.5, fill=colours.LIT)
    write(axes, x + COLUMN / 2, floor - 0.75, "embedding\n+ positions")
    y = floor - 1.0
    for k in _shown(layers):
        _draw_step(axes, x, y, embedded.shape if k == 0 else "")
        y -= STEP
        if k is None:
            write(
                axes, x + COLUMN / 2, y - 0.1, f"{ELLIPSIS} {counted(len(layers) - 2, 'layer')} like these", size=SMALL
            )
            y -= 0.2
        else:
            _draw_layer(axes, x, y, layers[k], f"{name} layer {k}")
            y -= _layer_height(layers[k])
    _draw_step(axes, x, y, "" if layers else embedded.shape)
    return y - STEP


def _draw_layer(axes: Axes, x: float, bottom: float, layer: _Layer, name: str) -> None:
    height = _layer_height(layer)
    box(axes, x, bottom - height, COLUMN, height, edge=INK, thick=1.3)
    write(axes, x + COLUMN / 2, bottom - height + 0.15, name, size=SMALL, bold=True)
    y = bottom - AIR
    for sublayer in layer.sublayers:
        _draw_bar(axes, x + 0.12, y, sublayer, width=COLUMN - 0.24)
        y -= BAR + AIR


def _draw_bar(
    axes: Axes, x: float, bottom: float, text: str, fill: str | None = None, width: float = COLUMN, size: float = PLAIN
) -> None:
    box(axes, x, bottom - BAR, width, BAR, fill=fill or FILLS.get(text, colours.SUBLAYER))
    write(axes, x + width / 2, bottom - BAR / 2, text, size=size)


def _draw_step(axes: Axes, x: float, bottom: float, shape: str) -> None:
    """An arrow up from a bar to the next, with the shape of what flows."""
    middle = x + COLUMN / 2
    arrow(axes, (middle, bottom), (middle, bottom - STEP))
    if shape:
        write(axes, middle + 0.1, bottom - STEP / 2, shape, size=SMALL, colour=QUIET, ha="left")


def _levels_that_read(bottom: float, layers: Sequence[_Layer]) -> list[float]:
    """How high the sublayers stand that read the memory."""
    levels, y = [], bottom + 0.25
    for k in _shown(layers):
        y -= STEP
        if k is None:
            y -= 0.2
            continue
        for i, sublayer in enumerate(layers[k].sublayers):
            if sublayer in layers[k].reads_memory:
                levels.append(y - AIR - i * (BAR + AIR) - BAR / 2)
        y -= _layer_height(layers[k])
    return levels


def _draw_memory(axes: Axes, level: float, levels: Sequence[float]) -> None:
    """The way of the memory: from the encoder's top to each sublayer that reads it."""
    if not levels:
        return
    colour = colours.OUTPUT.line
    line(axes, (LEFT + COLUMN, level), (RAIL, level), colour, 1.8)
    line(axes, (RAIL, min(level, *levels)), (RAIL, max(level, *levels)), colour, 1.8)
    for height in levels:
        arrow(axes, (RAIL, height), (RIGHT + 0.12, height), colour, 1.8)


def _draw_tie(axes: Axes, top: float, bottom: float) -> None:
    """A dashed line from the bar that scores to the embedding whose table it uses."""
    x, out = RIGHT + COLUMN, RIGHT + COLUMN + 0.25
    for start, end in pairwise([(x, top), (out, top), (out, bottom), (x, bottom)]):
        line(axes, start, end, QUIET, 1.2, "--")


def _alt(
    by_name: Mapping[str, _Call], encoder: Sequence[_Layer], decoder: Sequence[_Layer], scores: Any, tied: bool
) -> str:
    def embedded(name: str) -> str:
        call = by_name[f"{name}_embedding"]
        return f"{name}, ids {shape_text(call.output.shape[:-1])}, become embeddings with positions, {call.shape}"

    reading = sum(bool(layer.reads_memory) for layer in decoder)
    how = "the table of the target's embedding" if tied else "a matrix of its own"
    return (
        f"A Transformer, from the bottom to the top. Encoder, at the left: the {embedded('source')}; then "
        f"{_in_words(encoder)}; then a norm. The result is the memory, {by_name['encoder_norm'].shape}. Decoder, at "
        f"the right: the {embedded('target')}; then {_in_words(decoder)}; then a norm. An arrow leads from the memory "
        f"into {reading} of {counted(len(decoder), 'decoder layer')}. Last, {how} gives the scores, "
        f"{shape_text(scores.shape)}."
    )


def _in_words(layers: Sequence[_Layer]) -> str:
    kinds = list(dict.fromkeys(layer.sublayers for layer in layers))
    number = counted(len(layers), "layer") if layers else "no layer"
    return f"{number} of {' or of '.join(listed(list(kind)) for kind in kinds)}" if kinds else number


def norm_places(layers: Mapping[str, Any], *inputs: Any) -> Picture:
    """Draw layers side by side: the way of x as an upright line, and what stands on it and beside it.

    Each layer is run once. A norm that ran before its sublayer stands beside the line, one that ran after it on it. An
    arrow leads from the memory into each sublayer that was handed it.

    Parameters
    ----------
    layers : dict of str to module
        One or two layers with a norm for each sublayer, such as `EncoderLayer`, by the title to write above.
    *inputs : tensor
        What a layer is called with: x, and for a decoder layer the memory.

    Returns
    -------
    Picture
        The layers, from the bottom to the top.

    Raises
    ------
    ValueError
        No layer or more than two, or one that has not one norm for each sublayer.
    """
    if not isinstance(layers, Mapping) or not 1 <= len(layers) <= 2:
        raise ValueError("layers must be a dictionary of one or two titles and layers.")
    forms = {title: _form(layer, inputs) for title, layer in layers.items()}
    wide, step, top = 3.7, 1.5, 0.75
    most = max(len(form.sublayers) for form, _ in forms.values())
    height = top + step * most + 0.55
    with style():
        figure, axes = page(wide * len(forms), height)
        for k, (title, (form, before)) in enumerate(forms.items()):
            x = wide * k + 0.75
            write(axes, wide * k + 0.1, 0.17, title, size=11, bold=True, ha="left")
            formula = "x + sublayer(norm(x))" if before else "norm(x + sublayer(x))"
            write(axes, wide * k + 0.1, 0.43, formula, colour=QUIET, ha="left")
            bottom = height - 0.35
            write(axes, x, bottom + 0.17, "x", bold=True)
            for i, sublayer in enumerate(form.sublayers):
                level = _draw_around(axes, x, bottom - i * step, sublayer, before, step)
                if sublayer in form.reads_memory:
                    arrow(axes, (x + 2.75, level), (x + 2.3, level), colours.OUTPUT.line, 1.8)
                    write(axes, x + 2.45, level + 0.27, "memory", colour=colours.OUTPUT.text)
            end = bottom - step * len(form.sublayers)
            arrow(axes, (x, end + 0.02), (x, end - 0.12), INK, 2.2)
    parts = [
        f"{title}: {listed(list(form.sublayers))}; each norm is "
        + ("beside the line, before its sublayer" if before else "on the line, after the sum")
        + "".join(f"; {sublayer} reads the memory" for sublayer in form.reads_memory)
        for title, (form, before) in forms.items()
    ]
    return Picture(
        figure,
        "Layers from the bottom to the top. An upright line is the way of x, beside it stand the sublayers, and what "
        f"each gives is added to the line. {'. '.join(parts)}.",
    )


def _form(layer: Any, inputs: Sequence[Any]) -> tuple[_Layer, bool]:
    """The sublayers in their order, and whether each norm ran before its sublayer."""
    calls = [call for call in _watch(layer, *inputs)[0] if "." not in call.name]
    ran = [
        _sublayer_name(call) if _is_sublayer(call) else "norm"
        for call in calls
        if _is_sublayer(call) or "norm" in call.name
    ]
    before, sublayers = ran[:1] == ["norm"], tuple(name for name in ran if name != "norm")
    pairs = [pair for name in sublayers for pair in (("norm", name) if before else (name, "norm"))]
    if not sublayers or ran != pairs:
        raise ValueError(f"each sublayer must have one norm, all before or all after, but what ran is {listed(ran)}.")
    memory = inputs[1] if len(inputs) > 1 else None
    return _Layer(sublayers, _reading([call for call in calls if _is_sublayer(call)], memory)), before


def _draw_around(axes: Axes, x: float, bottom: float, sublayer: str, before: bool, step: float) -> float:
    """One sublayer beside the line at x, the sum on the line, and the norm where it ran; the sublayer's height."""
    left, width = x + 0.55, 1.75
    middle = left + width / 2
    leaves, joins = bottom - 0.1, bottom - (1.28 if before else 0.86)
    lowest = bottom - 0.28
    on_line = joins - 0.22  # where the norm stands that everything goes through
    ends = [bottom, bottom - step] if before else [bottom, on_line, on_line - BAR, bottom - step]
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        line(axes, (x, start), (x, end), INK, 2.2)
    line(axes, (x, leaves), (middle, leaves), QUIET, 1.3)
    arrow(axes, (middle, leaves), (middle, lowest), QUIET)
    if before:
        _draw_bar(axes, left, lowest, "norm", width=width)
        arrow(axes, (middle, lowest - BAR), (middle, lowest - BAR - 0.2), QUIET)
        lowest -= BAR + 0.2
    _draw_bar(axes, left, lowest, sublayer, width=width)
    line(axes, (middle, lowest - BAR), (middle, joins), QUIET, 1.3)
    arrow(axes, (middle, joins), (x + 0.11, joins), QUIET)
    axes.add_patch(Circle((x, joins), 0.11, facecolor=PAPER, edgecolor=INK, linewidth=1.4, zorder=5))
    for dx, dy in ((0.06, 0.0), (0.0, 0.06)):
        axes.plot([x - dx, x + dx], [joins - dy, joins + dy], color=INK, linewidth=1.4, zorder=7)
    if not before:
        _draw_bar(axes, x - 0.4, on_line, "norm", width=0.8)
    return lowest - BAR / 2
