"""Two heads of two layers that copy together, and the runs that tell how the upper one reads the lower one."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from helpers.drawing import colours
from helpers.drawing.inputs import as_tokens
from helpers.drawing.paper import SMALL, arrow, box, page, write
from helpers.drawing.picture import PAPER, QUIET, Picture, style

PITCH, WIDE, HIGH, LEFT = 1.02, 0.82, 0.34, 1.2  # inches
TOP, MIDDLE, BOTTOM = 0.55, 1.75, 2.95  # where the rows stand
PARTS = ["queries", "keys", "values"]
NOTED, MEASURED, HEAD, PART, LOSS = 0.4, 1.3, 1.75, 3.05, 5.6  # where two runs stand, and what each consists of


def copy_circuit(tokens: Sequence[str], *, lower: str, upper: str, through: str = "key") -> Picture:
    """Draw how a text goes on as it did before, by two heads.

    Parameters
    ----------
    tokens : list of str
        The end of a text, 4 to 6 tokens; the last one has stood there before, with a token between.
    lower, upper : str
        Names of the head that looks one token back, and of the one that looks behind the earlier copy.
    through : {"key", "query"}
        What the upper head makes of the lower one's message. For "query" the last two tokens have stood there before.

    Returns
    -------
    Picture
        The tokens below, the lower head's message above them, the upper head's look on top. Its alt text tells it.

    Raises
    ------
    ValueError
        Too few or too many tokens, last ones that have not stood there before, or another way through.
    """
    words = as_tokens(tokens, len(tokens), "tokens", "columns")
    if not 4 <= len(words) <= 6 or words[-1] not in words[:-2]:
        raise ValueError("tokens must be 4 to 6, of which the last has stood there before, with a token between.")
    copy, last = words.index(words[-1]), len(words) - 1
    if through not in ("key", "query"):
        raise ValueError(f"through must be key or query, but it is {through!r}.")
    if through == "query" and (copy == 0 or words[copy - 1] != words[last - 1]):
        raise ValueError("For through='query', the last two tokens must have stood there before.")
    found = copy + 1
    told = found if through == "key" else last  # the place at which the lower head writes
    before = words[told - 1]

    def middle(place: int) -> float:
        return LEFT + PITCH * place + WIDE / 2

    def rise(place: int, colour: str) -> None:  # into the upper row, from what it is made of
        start = MIDDLE if place == told else BOTTOM
        arrow(axes, (middle(place), start), (middle(place), TOP + HIGH + 0.02), colour)

    with style():
        figure, axes = page(LEFT + PITCH * len(words) + 0.1, BOTTOM + HIGH + 0.1)
        for name, y in (("upper head\n" + upper, TOP), ("lower head\n" + lower, MIDDLE), ("text", BOTTOM)):
            write(axes, 0.05, y + HIGH / 2, name, size=SMALL, colour=QUIET, ha="left")
        for place, word in enumerate(words):
            box(axes, LEFT + PITCH * place, BOTTOM, WIDE, HIGH, fill=colours.INPUT.tint)
            write(axes, middle(place), BOTTOM + HIGH / 2, word)
        for place, y, role, text in (
            (told, MIDDLE, colours.VALUE, f"after {before}"),
            (found, TOP, colours.KEY, "key"),
            (last, TOP, colours.QUERY, "query"),
        ):
            box(axes, LEFT + PITCH * place, y, WIDE, HIGH, edge=role.line, fill=role.tint)
            write(axes, middle(place), y + HIGH / 2, text, size=SMALL, colour=role.text)
        arrow(axes, (middle(told - 1), BOTTOM), (middle(told) - 0.2, MIDDLE + HIGH + 0.02), colours.VALUE.line)
        rise(found, colours.KEY.line)
        rise(last, colours.QUERY.line)
        start, end = (LEFT + PITCH * last, TOP + HIGH / 2), (LEFT + PITCH * found + WIDE + 0.02, TOP + HIGH / 2)
        arrow(axes, start, end, colours.OUTPUT.line, 1.8)
        said = f"looks at {words[found]}, which came next"
        write(axes, (start[0] + end[0]) / 2, TOP - 0.2, said, size=SMALL, colour=colours.OUTPUT.text)
        beside = LEFT + PITCH * told + (WIDE + 0.1 if through == "key" else -0.1)
        side = "left" if through == "key" else "right"
        write(axes, beside, MIDDLE + HIGH / 2, f'"before me stood {before}"', size=SMALL, ha=side)
        if through == "query":
            needed = f'needs "two before\nme stood {before}"'
            write(axes, LEFT + PITCH * found - 0.1, TOP + HIGH / 2, needed, size=SMALL, ha="right")
    alt = f'The text "{" ".join(words)}". The lower head {lower} writes at the '
    if through == "key":
        alt += (
            f'first "{words[told]}" that "{before}" stood before it. The upper head {upper} makes a key of that; the '
            f'query of the second "{words[last]}" finds it, and so looks at "{words[found]}".'
        )
    else:
        alt += (
            f'second "{words[told]}" that "{before}" stood before it. The upper head {upper} makes a query of that, '
            f'which finds "{words[found]}" only if the key there says that "{before}" stood two places before it.'
        )
    return Picture(figure, alt)


def patched_run(part: str, *, head: str, layers: str, without_head: str, losses: tuple[str, str]) -> Picture:
    """Draw activation patching: what upper layers make in one run takes the place of theirs in another.

    Parameters
    ----------
    part : {"queries", "keys", "values"}
        What is taken over.
    head : str
        Name of the lower head, which one of the two runs does without.
    layers : str
        Names of the upper layers.
    without_head : {"noted", "measured"}
        The run in which the head is put out.
    losses : (str, str)
        The loss of each run, as it is to be written.

    Returns
    -------
    Picture
        The run that is noted beside the one that is measured, and an arrow for what is taken over.

    Raises
    ------
    ValueError
        Another part or run.
    """
    runs = ["noted", "measured"]
    if part not in PARTS or without_head not in runs:
        raise ValueError(
            f"part must be one of {', '.join(PARTS)} and without_head one of {', '.join(runs)}, but they are {part!r} "
            f"and {without_head!r}."
        )
    states = [f"without {head}" if run == without_head else "intact" for run in runs]
    role, taken = colours.role_of(part), PART + WIDE * (PARTS.index(part) + 0.5)
    with style():
        figure, axes = page(LOSS + 0.8, MEASURED + HIGH + 0.1)
        write(axes, HEAD + WIDE / 2, 0.15, f"head {head}", size=SMALL, colour=QUIET)
        write(axes, PART + 1.5 * WIDE, 0.15, layers, size=SMALL, colour=QUIET)
        write(axes, LOSS + 0.3, 0.15, "loss", size=SMALL, colour=QUIET)
        for run, top, state, loss in zip(runs, (NOTED, MEASURED), states, losses, strict=True):
            _draw_run(axes, top, f"{run}:\n{state}", run == without_head, loss)
        arrow(axes, (taken, NOTED + HIGH), (taken, MEASURED - 0.02), role.line, 2.2)
        said = f"{part} taken over"
        write(axes, taken + 0.1, (NOTED + HIGH + MEASURED) / 2, said, size=SMALL, colour=role.text, ha="left")
    return Picture(
        figure,
        f"Two runs. One is noted, {states[0]}: loss {losses[0]}. The other is measured, {states[1]}, with the noted "
        f"{part} of {layers} in the place of its own: loss {losses[1]}.",
    )


def _draw_run(axes: Axes, top: float, name: str, head_out: bool, loss: str) -> None:
    """Draw one run from left to right: the lower head, what the upper layers make, and the loss."""
    middle = top + HIGH / 2
    write(axes, 0.05, middle, name, size=SMALL, ha="left")
    box(axes, HEAD, top, WIDE, HIGH, fill=PAPER if head_out else colours.PLAIN_PART)
    write(axes, HEAD + WIDE / 2, middle, "put out" if head_out else "at work", size=SMALL)
    if not head_out:
        arrow(axes, (HEAD + WIDE, middle), (PART - 0.02, middle))
    for place, part in enumerate(PARTS):
        role = colours.role_of(part)
        box(axes, PART + WIDE * place, top, WIDE, HIGH, edge=role.line, fill=role.tint)
        write(axes, PART + WIDE * (place + 0.5), middle, part, size=SMALL, colour=role.text)
    arrow(axes, (PART + 3 * WIDE, middle), (LOSS + 0.06, middle))
    write(axes, LOSS + 0.3, middle, loss)
