"""The lasting colours of the course: what a colour stands for, the same in every picture of meaning.

A query is blue, a key orange, a value green, an output purple. A weight is grey, the darker the larger, and what a mask
hides is hatched. What is none of these takes a neutral colour, so that no colour says what it does not mean.
helpers/live/style.css has the same for what is live; docs/pictures.md explains them to learners.
"""

from dataclasses import dataclass
from typing import Any

import matplotlib
from matplotlib.colors import LinearSegmentedColormap, to_rgb

from helpers.drawing.picture import INK, QUIET


@dataclass(frozen=True)
class Role:
    """How one of the things that attention handles is drawn: its lines, its cells, and words that name it.

    Attributes
    ----------
    line : str
        Colour of lines, frames and arrows.
    tint : str
        Colour that fills its cells, light enough for black numbers.
    text : str
        Colour of words, dark enough to be read on white (contrast above 4.5 to 1).
    """

    line: str
    tint: str
    text: str


# The lines of the four are apart in grey, too: output, query, key and value, each lighter than the one before it.
QUERY = Role("#005d9c", "#d6e8f5", "#005a8d")
KEY = Role("#D55E00", "#fbe0cf", "#a84900")
VALUE = Role("#1aa87e", "#cdeee2", "#00724f")
# A purple that stays apart from the three above, and from grey, for readers who see no red, no green or no blue.
OUTPUT = Role("#6a1b5d", "#ecd9e8", "#6a1b5d")
INPUT = Role(QUIET, "#eeeeee", INK)
WEIGHT = "#6e6e6e"  # shares are told apart by thickness, not by colour
SHARE = Role(WEIGHT, "#e2e2e2", "#595959")  # weights in a table of numbers, and the scores that they are made of
HIDDEN: dict[str, Any] = {"facecolor": "#f2f2f2", "hatch": "////", "edgecolor": "#6a6a6a"}  # what a mask hides

# Teal, olive, black, dark olive, brown: lines, bars and points of what has no role, apart from the roles and in grey,
# and 3 to 1 or better on the paper of both themes.
NEUTRAL = ["#298491", "#999454", "#272520", "#4d430d", "#7f5d46"]
NEUTRAL_TINTS = ["#d9d9d9", "#f3f3a0", "#bfe3e6", "#bdbdbd"]  # of cells and boxes, under black text
SUBLAYER, NORM, PLAIN_PART = NEUTRAL_TINTS[2], NEUTRAL_TINTS[0], "#eeeeee"  # fills of a model's parts

LIT = "#fff6d6"  # where one is now

# Ramps in so many steps that no eye sees them, and so few that a map's colours fit the palette it is stored with.
COLOURS_OF_WEIGHTS = LinearSegmentedColormap.from_list("weights", ["#fafafa", "#161616"], N=64)  # from 0 to 1
COLOURS_OF_SIGNED_NUMBERS = matplotlib.colormaps["RdBu_r"].resampled(65)  # centred on 0

ROLES = {"quer": QUERY, "key": KEY, "value": VALUE, "output": OUTPUT}  # queries, too


def neutral(k: int) -> str:
    """Pick the colour of the k-th line, kind of bar or point that has no role."""
    return NEUTRAL[k % len(NEUTRAL)]


def ink_on(fill: Any) -> str:
    """Pick black or white for text on a colour, whichever stands out more: 4.58 to 1 or better, whatever the colour."""
    brightness = relative_brightness(fill)
    return "black" if (brightness + 0.05) / 0.05 > 1.05 / (brightness + 0.05) else "white"


def relative_brightness(colour: Any) -> float:
    """Tell how bright a colour is to the eye, from 0 for black to 1 for white, as WCAG 2 defines it."""
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour))
    return float(sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)))


def named_role(name: str | None) -> Role | None:
    """Find the role that the name of a table such as "keys.T" or "weights" speaks of; None where none."""
    shares = {"weight": SHARE, "score": SHARE}  # asked first, for the "weight of the key" is a weight
    return next((role for stem, role in {**shares, **ROLES}.items() if stem in (name or "").lower()), None)


def role_of(name: str) -> Role:
    """Find the role that a name such as "w_query", "keys" or "value" speaks of; that of an input where none."""
    return next((role for stem, role in ROLES.items() if stem in name.lower()), INPUT)
