"""What each layer of a language model would say: the token that each state is nearest to, row by row."""

from collections.abc import Sequence
from typing import Any

from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from helpers.drawing.colours import COLOURS_OF_WEIGHTS
from helpers.drawing.inputs import as_array, as_tokens
from helpers.drawing.paper import SMALL, WIDEST, page, shortened, text_width, write
from helpers.drawing.picture import INK, PAPER, Picture, style

CELL_HEIGHT = 0.27  # inches
MOST_TOKENS = 8
DARKEST = 0.45  # of the ramp, so that the words on it stay black and readable


def lens(guesses: Sequence[Sequence[str]], chances: Any, tokens: Sequence[str], rows: Sequence[str]) -> Picture:
    """Draw what each layer would say after each token, the last layer on top.

    Parameters
    ----------
    guesses : list of list of str, (n_rows, n)
        The likeliest next token of each state; a space in one is shown as a sign.
    chances : tensor, array or nested list, (n_rows, n)
        How likely the layer finds it, from 0 to 1: the darker the cell.
    tokens : list of str
        The n tokens of the text, 1 to 8.
    rows : list of str
        The names of the rows, from the bottom up.

    Returns
    -------
    Picture
        A table. Its alt text reads the last column.

    Raises
    ------
    TypeError
        Chances that are not real numbers, guesses or names that are not lists of text.
    ValueError
        As many guesses, tokens or names as do not fit the chances, a chance outside of 0 to 1, or too many tokens.
    """
    numbers = as_array(chances, "chances", "matrix")
    if numbers.min() < 0 or numbers.max() > 1:
        raise ValueError(f"chances must lie from 0 to 1, but go from {numbers.min():g} to {numbers.max():g}.")
    names = as_tokens(rows, len(numbers), "rows", "rows of chances")
    words = [_shown(token) for token in as_tokens(tokens, numbers.shape[1], "tokens", "columns of chances")]
    if len(words) > MOST_TOKENS:
        raise ValueError(f"tokens must be at most {MOST_TOKENS}, but there are {len(words)}.")
    if len(guesses) != len(names):
        raise ValueError(f"guesses must have {len(names)} rows, as chances have, but have {len(guesses)}.")
    said = [
        [_shown(token) for token in as_tokens(row, len(words), f"guesses[{i}]", "columns of chances")]
        for i, row in enumerate(guesses)
    ]
    first = max(text_width(name, SMALL) for name in [*names, "reads"]) + 0.12
    width = min((WIDEST - first) / len(words), 1.3)
    with style():
        figure, axes = page(first + width * len(words), CELL_HEIGHT * (len(names) + 1.2))
        for i, name in enumerate(reversed(names)):
            write(axes, first - 0.08, (i + 0.5) * CELL_HEIGHT, name, size=SMALL, ha="right")
            for j, word in enumerate(said[-1 - i]):
                fill = to_hex(COLOURS_OF_WEIGHTS(DARKEST * numbers[-1 - i, j]))
                corner = first + j * width, i * CELL_HEIGHT
                axes.add_patch(Rectangle(corner, width, CELL_HEIGHT, facecolor=fill, edgecolor=PAPER, linewidth=1.5))
                text = shortened(word, width - 0.1, SMALL)
                write(axes, corner[0] + width / 2, corner[1] + CELL_HEIGHT / 2, text, size=SMALL, colour=INK)
        bottom = (len(names) + 0.7) * CELL_HEIGHT
        write(axes, first - 0.08, bottom, "reads", size=SMALL, ha="right", bold=True)
        for j, word in enumerate(words):
            text = shortened(word, width - 0.1, SMALL, bold=True)
            write(axes, first + (j + 0.5) * width, bottom, text, size=SMALL, bold=True)
    last = [f"{name} {row[-1]} ({chance:.2f})" for name, row, chance in zip(names, said, numbers[:, -1], strict=True)]
    return Picture(
        figure,
        f'A table: what {len(names)} layers would say after each token of "{" ".join(words)}". After the last token, '
        f"from the bottom up: {'; '.join(last)}.",
    )


def _shown(token: str) -> str:
    """A token with its spaces, line breaks and bytes that are no character as signs that can be seen."""
    return token.replace(" ", "␣").replace("\n", "↵").replace("\t", "→").replace("�", "?") or "∅"
