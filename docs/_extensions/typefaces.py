"""The typefaces of the book, each weight a font of its own.

The website's fonts are variable: one file holds all weights. Chromium draws such a font into a PDF letter by letter,
without its name and its hints (Type 3), and a static one as the font that it is.
"""

import logging
from pathlib import Path

from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

logging.getLogger("fontTools").setLevel(logging.WARNING)  # else it tells each table that it has changed

FONTS = Path(__file__).resolve().parents[1] / "_static" / "fonts"
FACES = [  # family, style, the variable font, weights that the book uses
    ("Source Serif 4", "normal", "source-serif-4-latin-wght-normal.woff2", (400, 600, 700)),
    ("Source Serif 4", "italic", "source-serif-4-latin-wght-italic.woff2", (400, 700)),
    ("Source Sans 3", "normal", "source-sans-3-latin-wght-normal.woff2", (400, 600, 700)),
    ("Source Sans 3", "italic", "source-sans-3-latin-wght-italic.woff2", (400, 600, 700)),
    ("Source Code Pro", "normal", "source-code-pro-latin-wght-normal.woff2", (400, 600, 700)),
]


def lay_down(folder: Path) -> str:
    """Write the fonts below `folder`, and give the style sheet that names them, as seen from beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    rules = []
    for family, style, variable, weights in FACES:
        for weight in weights:
            name = f"{family.replace(' ', '')}-{weight}{'' if style == 'normal' else 'Italic'}"
            _static(FONTS / variable, weight, name).save(folder / f"{name}.ttf")
            rules.append(
                f'@font-face {{ font-family: "{family}"; font-style: {style}; font-weight: {weight}; '
                f'src: url("{folder.name}/{name}.ttf"); }}\n'
            )
    return "".join(rules)


def _static(variable: Path, weight: int, name: str) -> TTFont:
    font = instantiateVariableFont(TTFont(variable, recalcTimestamp=False), {"wght": weight})
    font.flavor = None
    for record in font["name"].names:
        if record.nameID == 6:  # the name by which a PDF calls it
            record.string = name
    return font
