"""What attention costs, drawn: softmax block by block, traffic between two memories, accuracy against what is kept."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from helpers.drawing.colours import NEUTRAL, NEUTRAL_TINTS, Role, neutral
from helpers.drawing.inputs import as_array, check_number
from helpers.drawing.paper import SMALL, TIMES, WIDEST, arrow, line, page, text_width, write
from helpers.drawing.picture import FAINT, INK, PAPER, QUIET, Picture, fonts_for, style
from helpers.wording import counted, listed

HIGHEST = 1.15  # inches of a bar that stands for 1
ROOM = 0.25  # inches that a number needs above its bar
MARKERS = "osD^vP*X"
SO_FAR, NEWEST = Role(QUIET, NEUTRAL_TINTS[0], INK), Role(NEUTRAL[0], NEUTRAL_TINTS[2], "#1f6a75")


def online_softmax(scores: Any, size: int) -> Picture:
    """Draw how softmax goes through a row of scores in blocks, and what it keeps after each.

    Parameters
    ----------
    scores : tensor, array or list, (n,)
        One query's scores, at most 9.
    size : int
        Keys in a block; the last block may be smaller. There may be 2 or 3 blocks.

    Returns
    -------
    Picture
        A panel for each block: the exponentials so far, and dashed where they stood before a larger score came.

    Raises
    ------
    TypeError
        Scores that are not real numbers, a size that is no whole number.
    ValueError
        More than 9 scores, one block or more than three.
    """
    scores = as_array(scores, "scores", "vector")
    check_number(size, "size", len(scores))
    ends = [min(end, len(scores)) for end in range(size, len(scores) + size, size)]
    if len(scores) > 9 or not 2 <= len(ends) <= 3:
        raise ValueError(
            "scores must be at most 9 in two or three blocks, but there are "
            f"{len(scores)} in {counted(len(ends), 'block')}."
        )
    largest = [float(scores[:end].max()) for end in ends]
    wide = min((WIDEST - 0.2) / len(ends), 3.1)
    with style():
        figure, axes = page(0.2 + wide * len(ends), HIGHEST + 1.55)
        for k, end in enumerate(ends):
            left = 0.1 + k * wide
            before = largest[k - 1] if k else None
            _block_panel(axes, left, wide - 0.3, scores[:end], size, largest[k], before)
            if k:
                arrow(axes, (left - 0.24, 0.95), (left - 0.04, 0.95), QUIET, 1.6)
    return Picture(figure, _online_alt(scores, ends, largest))


def _block_panel(
    axes: Axes, left: float, wide: float, scores: np.ndarray, size: int, largest: float, before: float | None
) -> None:
    """The exponentials of the scores so far, (n,), with the newest block in the colour of keys."""
    floor, column = 0.45 + HIGHEST + 0.12, min(0.62, wide / len(scores))
    newest = (len(scores) - 1) // size * size
    which = ["block 0", "blocks 0 and 1", "blocks 0 to 2"][newest // size]
    write(axes, left, 0.14, f"{which}: largest {largest:g}", bold=True, ha="left")
    for j, score in enumerate(scores):
        x, height = left + j * column, HIGHEST * float(np.exp(score - largest))
        role = NEWEST if j >= newest else SO_FAR
        axes.add_artist(
            Rectangle((x + 0.06, floor - height), column - 0.12, height, facecolor=role.tint, edgecolor=role.line)
        )
        top = floor - height
        if before is not None and j < newest and before != largest:
            old = HIGHEST * float(np.exp(score - before))
            outline = Rectangle(
                (x + 0.06, floor - old), column - 0.12, old, fill=False, edgecolor=QUIET, linestyle="--"
            )
            axes.add_artist(outline)
            top = floor - (old if old - height < ROOM else height)  # on the bar itself, where there is room
        write(axes, x + column / 2, top - 0.1, f"{np.exp(score - largest):.2f}", size=SMALL)
        write(axes, x + column / 2, floor + 0.14, f"{score:g}", size=SMALL, colour=role.text)
    line(axes, (left, floor), (left + column * len(scores), floor), INK)
    write(axes, left, floor + 0.36, "exponential above, score below", size=SMALL, colour=QUIET, ha="left")
    write(axes, left, floor + 0.62, f"sum {np.exp(scores - largest).sum():.2f}", ha="left")
    if before is not None:
        factor = np.exp(before - largest)
        said = f"so far {TIMES} {factor:.2f}" if factor < 1 else "so far unchanged"
        write(axes, left + 0.85, floor + 0.62, said, ha="left", colour=SO_FAR.text)


def _online_alt(scores: np.ndarray, ends: list[int], largest: list[float]) -> str:
    sentences = []
    for k, (end, most) in enumerate(zip(ends, largest, strict=True)):
        exponentials = ", ".join(f"{value:.2f}" for value in np.exp(scores[:end] - most))
        sentence = f"after block {k} the largest is {most:g}, the exponentials are {exponentials}"
        if k:
            factor = np.exp(largest[k - 1] - most)
            shrunk = f"shrunk by {factor:.2f}" if factor < 1 else "unchanged"
            sentence += f", those so far {shrunk}"
        sentences.append(f"{sentence}, and the sum is {np.exp(scores[:end] - most).sum():.2f}")
    listed_scores = ", ".join(f"{score:g}" for score in scores)
    return f"Softmax of the scores {listed_scores} in {counted(len(ends), 'block')}: {'; '.join(sentences)}."


def memory_traffic(ways: Mapping[str, Mapping[str, float]], unit: str) -> Picture:
    """Draw how much each step of some ways moves between the large memory and the chip.

    Parameters
    ----------
    ways : dict of str to dict of str to float
        For each way its steps, such as "write scores", and what they move.
    unit : str
        What the numbers are, such as "million numbers".

    Returns
    -------
    Picture
        A bar for each step, on one scale, and the total of each way.

    Raises
    ------
    TypeError
        Amounts that are not real numbers.
    ValueError
        No way, a way without steps, an amount below 0.
    """
    if not ways or not all(ways.values()):
        raise ValueError("ways must be a dictionary of ways, each with its steps.")
    amounts = {name: as_array(list(steps.values()), f"ways[{name!r}]", "vector") for name, steps in ways.items()}
    if any(values.min() < 0 for values in amounts.values()):
        raise ValueError("What a step moves must not be below 0.")
    names = [step for steps in ways.values() for step in steps]
    first = max(text_width(step) for step in names) + 0.25
    scale = (6.6 - first) / max(values.max() for values in amounts.values())
    height = sum(0.42 + 0.25 * len(steps) for steps in ways.values())
    with style():
        figure, axes = page(7.3, height + 0.05)
        y = 0.2
        for k, (name, steps) in enumerate(ways.items()):
            total = f"{name}: {_short(amounts[name].sum())} {unit}"
            write(axes, 0.05, y, total, bold=True, ha="left")
            for step, amount in zip(steps, amounts[name], strict=True):
                y += 0.25
                write(axes, first - 0.1, y, step, ha="right")
                bar = Rectangle((first, y - 0.085), amount * scale, 0.17, facecolor=neutral(k))
                axes.add_artist(bar)
                write(axes, first + amount * scale + 0.07, y, _short(amount), size=SMALL, ha="left")
            y += 0.42
    parts = [
        f"{name}, {_short(amounts[name].sum())} in all: "
        + ", ".join(f"{step} {_short(amount)}" for step, amount in zip(steps, amounts[name], strict=True))
        for name, steps in ways.items()
    ]
    return Picture(figure, f"What is asked of the large memory, in {unit}. {'; '.join(parts)}.")


def _short(amount: float) -> str:
    return f"{amount:.0f}" if amount >= 100 or float(amount).is_integer() else f"{amount:.1f}"


Checked = dict[str, list[tuple[float, np.ndarray]]]  # for each way its sizes: the cost, and the accuracy of each run


def accuracy_against_cost(
    runs: Mapping[str, Mapping[str, Sequence[tuple[float, Sequence[float]]]]], *, x_label: str, chance: float
) -> Picture:
    """Draw the share of right answers of several ways against what they keep, each with the range of its runs.

    Parameters
    ----------
    runs : dict of str to dict of str to list of (float, list of float)
        For each panel its title and ways, and for each way its sizes: what it keeps, and the accuracy of each run.
    x_label : str
        What is kept.
    chance : float
        The share that a guess has right.

    Returns
    -------
    Picture
        Up to three panels on one scale. A line for each way through the means, and at each mean a bar from the worst
        run to the best. The x axis is logarithmic. Its alt text reads every mean with its range.

    Raises
    ------
    TypeError
        Accuracies that are not real numbers.
    ValueError
        No panel or more than three, a panel with no way or more than five, a way without sizes.
    """
    if not 1 <= len(runs) <= 3:
        raise ValueError(f"runs must be one to three panels, but there are {len(runs)}.")
    panels = {title: _checked(title, ways) for title, ways in runs.items()}
    costs = [kept for ways in panels.values() for sizes in ways.values() for kept, _ in sizes]
    lowest, highest = int(np.ceil(np.log2(min(costs)))), int(np.floor(np.log2(max(costs))))
    with style():
        figure = Figure(figsize=(7.3, 3.9))
        first = figure.add_axes((0.08, 0.37, 0.28, 0.55))
        for k, (title, ways) in enumerate(panels.items()):
            axes = (
                first if k == 0 else figure.add_axes((0.08 + 0.315 * k, 0.37, 0.28, 0.55), sharex=first, sharey=first)
            )
            _ways_panel(axes, ways, chance)
            axes.set_title(title, fontsize=10.5, fontweight="bold")
            axes.tick_params(labelleft=k == 0)
        first.set_xscale("log", base=2)
        first.set_xticks(
            [2**k for k in range(lowest, highest + 1)],
            [f"{2**k:,}" if (k - lowest) % 2 == 0 else "" for k in range(lowest, highest + 1)],
        )
        first.minorticks_off()
        first.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
        first.set(ylabel="share of answers right", ylim=(0, 1.04), xlim=(min(costs) / 1.4, max(costs) * 1.4))
        figure.text(0.08 + (0.315 * len(panels) - 0.035) / 2, 0.24, x_label, ha="center")
    figure.set_facecolor(PAPER)
    sentences = [f"{title}: {_means_and_ranges(ways)}." for title, ways in panels.items()]
    return Picture(figure, f"Share of answers right against {x_label}. {' '.join(sentences)} A guess: {chance:.2f}.")


def _checked(title: str, ways: Mapping[str, Sequence[tuple[float, Sequence[float]]]]) -> Checked:
    if not 1 <= len(ways) <= len(NEUTRAL) or not all(ways.values()):
        raise ValueError(f"runs[{title!r}] must be one to {len(NEUTRAL)} ways, each with its sizes.")
    return {
        name: [(float(kept), as_array(list(shares), f"runs[{title!r}][{name!r}]", "vector")) for kept, shares in sizes]
        for name, sizes in ways.items()
    }


def _aside(ways: Checked, name: str, kept: float) -> float:
    """By which factor a dot is moved, so that those of all ways at one cost stand side by side."""
    here = [way for way, sizes in ways.items() if kept in [cost for cost, _ in sizes]]
    return 1.09 ** (here.index(name) - (len(here) - 1) / 2)


def _ways_panel(axes: Axes, ways: Checked, chance: float) -> None:
    for k, (name, sizes) in enumerate(ways.items()):
        spread = np.array([(shares.mean() - shares.min(), shares.max() - shares.mean()) for _, shares in sizes]).T
        axes.errorbar(
            [kept * _aside(ways, name, kept) for kept, _ in sizes],
            [shares.mean() for _, shares in sizes],
            yerr=np.maximum(spread, 0),
            marker=MARKERS[k],
            color=neutral(k),
            linestyle=["-", "--", ":", "-."][k % 4],
            markersize=6,
            capsize=3,
            linewidth=1.4,
            label=name,
        )
    axes.axhline(chance, color=QUIET, linestyle=":", linewidth=1, label="a guess")
    axes.grid(color=FAINT, linewidth=0.6)
    legend = axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(-0.04, -0.27), frameon=False)
    for text in legend.get_texts():
        text.set(fontfamily=fonts_for(text.get_text()))


def _means_and_ranges(ways: Checked) -> str:
    return "; ".join(
        f"{name}: "
        + listed(
            [f"{shares.mean():.2f} ({shares.min():.2f} to {shares.max():.2f}) at {kept:,.0f}" for kept, shares in sizes]
        )
        for name, sizes in ways.items()
    )
