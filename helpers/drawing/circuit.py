"""Two heads of two layers that copy together: what the lower one writes, and what the upper one finds by it."""

from collections.abc import Sequence

from helpers.drawing import colours
from helpers.drawing.inputs import as_tokens
from helpers.drawing.paper import SMALL, arrow, box, page, write
from helpers.drawing.picture import QUIET, Picture, style

PITCH, WIDE, HIGH, LEFT = 1.02, 0.82, 0.34, 1.2  # inches
TOP, MIDDLE, BOTTOM = 0.55, 1.75, 2.95  # where the rows stand


def copy_circuit(tokens: Sequence[str], *, lower: str, upper: str) -> Picture:
    """Draw how a text goes on as it did before, by two heads.

    Parameters
    ----------
    tokens : list of str
        The end of a text, 4 to 6 tokens; the last one has stood there before, with a token between.
    lower, upper : str
        Names of the head that looks one token back, and of the one that looks behind the earlier copy.

    Returns
    -------
    Picture
        The tokens below, the lower head's message above them, the upper head's look on top. Its alt text tells it.

    Raises
    ------
    ValueError
        Too few or too many tokens, or a last one that has not stood there before.
    """
    words = as_tokens(tokens, len(tokens), "tokens", "columns")
    if not 4 <= len(words) <= 6 or words[-1] not in words[:-2]:
        raise ValueError("tokens must be 4 to 6, of which the last has stood there before, with a token between.")
    copy, last = words.index(words[-1]), len(words) - 1
    found = copy + 1

    def middle(place: int) -> float:
        return LEFT + PITCH * place + WIDE / 2

    with style():
        figure, axes = page(LEFT + PITCH * len(words) + 0.1, BOTTOM + HIGH + 0.1)
        for name, y in (("upper head\n" + upper, TOP), ("lower head\n" + lower, MIDDLE), ("text", BOTTOM)):
            write(axes, 0.05, y + HIGH / 2, name, size=SMALL, colour=QUIET, ha="left")
        for place, word in enumerate(words):
            box(axes, LEFT + PITCH * place, BOTTOM, WIDE, HIGH, fill=colours.INPUT.tint)
            write(axes, middle(place), BOTTOM + HIGH / 2, word)
        for place, y, role, text in (
            (found, MIDDLE, colours.VALUE, f"after {words[copy]}"),
            (found, TOP, colours.KEY, "key"),
            (last, TOP, colours.QUERY, "query"),
        ):
            box(axes, LEFT + PITCH * place, y, WIDE, HIGH, edge=role.line, fill=role.tint)
            write(axes, middle(place), y + HIGH / 2, text, size=SMALL, colour=role.text)
        arrow(axes, (middle(copy), BOTTOM), (middle(found) - 0.2, MIDDLE + HIGH + 0.02), colours.VALUE.line)
        arrow(axes, (middle(found), MIDDLE), (middle(found), TOP + HIGH + 0.02), colours.KEY.line)
        arrow(axes, (middle(last), BOTTOM), (middle(last), TOP + HIGH + 0.02), colours.QUERY.line)
        start, end = (LEFT + PITCH * last, TOP + HIGH / 2), (LEFT + PITCH * found + WIDE + 0.02, TOP + HIGH / 2)
        arrow(axes, start, end, colours.OUTPUT.line, 1.8)
        said = f"looks at {words[found]}, which came next"
        write(axes, (start[0] + end[0]) / 2, TOP - 0.2, said, size=SMALL, colour=colours.OUTPUT.text)
        note = f'"before me stood {words[copy]}"'
        write(axes, LEFT + PITCH * found + WIDE + 0.1, MIDDLE + HIGH / 2, note, size=SMALL, ha="left")
    return Picture(
        figure,
        f'The text "{" ".join(words)}". The lower head {lower} writes at the first "{words[found]}" that '
        f'"{words[copy]}" stood before it. The upper head {upper} makes a key of that; the query of the second '
        f'"{words[last]}" finds it, and so looks at "{words[found]}".',
    )
