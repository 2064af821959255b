"""How a place survives a mean: the picture of lesson 14's first head."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from helpers.drawing import colours
from helpers.drawing.inputs import as_tokens
from helpers.drawing.paper import PLAIN, SMALL, WIDEST, arrow, box, line, page, text_width, write
from helpers.drawing.picture import Picture, style

WORDS_Y, OUTPUTS_Y, MEAN_Y, HEIGHT, TALL = 2.2, 1.0, 0.08, 2.7, 0.42  # inches from the top, and a word's box
GAP = 0.3  # between the texts


def place_in_mean(texts: Sequence[Sequence[str]], attended: str) -> Picture:
    """Draw texts in which every word attends to one word only, and the mean of what attention gives them.

    Parameters
    ----------
    texts : list of list of str
        Two texts of the same number of words, 6 or so. Both hold the attended word once.
    attended : str
        The word that has the whole weight of every row.

    Returns
    -------
    Picture
        The texts side by side: below the words with their places, above them what attention gives each, the attended
        word with its place, and on top the mean.

    Raises
    ------
    TypeError
        Texts that are not lists of text.
    ValueError
        Not two texts of equal length, more words than fit, or a text that does not hold the attended word once.
    """
    words = [as_tokens(text, len(list(text)), "texts", "words") for text in texts]
    if len(words) != 2 or len(words[0]) != len(words[1]):
        raise ValueError(f"texts must be two texts, as many words in both, but have {[len(text) for text in words]}.")
    if any(text.count(attended) != 1 for text in words):
        raise ValueError(f"each text must hold {attended!r} once, which every word attends to.")
    step = max(text_width(word, SMALL) for text in words for word in [*text, "+ p0"]) + 0.18
    wide = max(step * len(words[0]), _mean_width(attended, len(words[0])))
    if (needed := 2 * wide + GAP + 0.1) > WIDEST:
        raise ValueError(f"texts must fit side by side, but would need {needed:.1f} inches of {WIDEST}.")
    with style():
        figure, axes = page(needed, HEIGHT)
        for k, text in enumerate(words):
            left = 0.05 + k * (wide + GAP) + (wide - step * len(text)) / 2
            _one_text(axes, left, step, text, text.index(attended))
    said = [f'in "{" ".join(text)}" it is {_at(attended, text.index(attended))}' for text in words]
    return Picture(
        figure,
        f'Every word attends to "{attended}" alone, so attention gives each the same vector, which is also their mean: '
        f"{', '.join(said)}.",
    )


def _at(word: str, place: int) -> str:
    return f"{word} + p{place}"


def _mean_width(word: str, place: int) -> float:
    return text_width(f"mean: {_at(word, place)}", PLAIN, bold=True) + 0.3


def _one_text(axes: Axes, left: float, step: float, text: Sequence[str], place: int) -> None:
    """A text, the outputs of its words, and their mean."""
    attended, rail = text[place], OUTPUTS_Y - 0.2
    for i, word in enumerate(text):
        x = left + step * (i + 0.5)
        _vector(axes, x, WORDS_Y, step, (word, i), colours.VALUE if i == place else colours.INPUT)
        arrow(axes, (left + step * (place + 0.5), WORDS_Y), (x, OUTPUTS_Y + TALL), colours.WEIGHT)
        _vector(axes, x, OUTPUTS_Y, step, (attended, place), colours.OUTPUT)
        line(axes, (x, OUTPUTS_Y), (x, rail), colours.OUTPUT.line)
    middle, width = left + step * len(text) / 2, _mean_width(attended, place)
    line(axes, (left + step / 2, rail), (left + step * (len(text) - 0.5), rail), colours.OUTPUT.line)
    arrow(axes, (middle, rail), (middle, MEAN_Y + 0.38), colours.OUTPUT.line)
    box(axes, middle - width / 2, MEAN_Y, width, 0.38, edge=colours.OUTPUT.line, fill=colours.OUTPUT.tint, thick=1.6)
    write(axes, middle, MEAN_Y + 0.24, f"mean: {_at(attended, place)}", bold=True, va="baseline")


def _vector(axes: Axes, x: float, y: float, step: float, of: tuple[str, int], role: colours.Role) -> None:
    """A word and its place in a box around x."""
    word, place = of
    box(axes, x - step / 2 + 0.04, y, step - 0.08, TALL, edge=role.line, fill=role.tint)
    write(axes, x, y + 0.18, word, size=SMALL, va="baseline")
    write(axes, x, y + 0.36, f"+ p{place}", size=SMALL, va="baseline")
