"""Picture: a matplotlib figure that carries a text alternative, and the one style that all pictures share."""

import base64
import html
import io
import logging
import struct
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import matplotlib
import numpy as np
from matplotlib import font_manager
from matplotlib.figure import Figure
from PIL import Image

INK, QUIET, FAINT, PAPER = "#1a1a1a", "#5c5c5c", "#d9d9d9", "#ffffff"
LIT = "#ffe08a"
PIXELS_PER_INCH = 96  # a CSS pixel
SHARPNESS = 2  # image pixels for each CSS pixel
MARGIN, MARGIN_BELOW = 0.12, 0.04  # inches; what follows on the page has a margin of its own
# A picture with many colours keeps those of so many pixels, and of the others these levels of 0 to 255: 16 apart, and 5
# near white, where one sees a tint soonest.
LEAST_AREA = 256
LEVELS = [*range(0, 240, 16), *range(240, 256, 5)]

CLASS = "attention-picture"
# In JupyterLab's dark theme white paper would glare, so light and dark change places there, and hues stay. Where styles
# are taken away, as in a notebook that is not trusted, the picture is shown as it was drawn.
IN_THE_DARK = (
    f'<style>[data-jp-theme-light="false"] .{CLASS}'
    "{filter:invert(1) hue-rotate(180deg);mix-blend-mode:screen}"
    # JupyterLab leaves a line empty below a picture, and half a line below its tables, which no eye sees.
    f".jp-RenderedHTMLCommon>.{CLASS},.jp-RenderedHTMLCommon>.{CLASS}+div{{margin:0}}</style>"
)

STYLE: Any = {  # matplotlib's hints know each setting's name, which a dictionary's type cannot say
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so every machine draws the same picture
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.labelsize": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "figure.facecolor": PAPER,
    "hatch.linewidth": 0.9,
    "hatch.color": "#6a6a6a",
    "text.parse_math": False,  # a token such as "$" is text, not mathematics
    "savefig.dpi": PIXELS_PER_INCH * SHARPNESS,
}

# Tried, where installed, for characters that DejaVu Sans lacks.
FALLBACK_FONTS = [
    "Noto Sans CJK SC",
    "PingFang SC",
    "Hiragino Sans",
    "Microsoft YaHei",
    "WenQuanYi Zen Hei",
    "Arial Unicode MS",
    "Noto Sans Arabic",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Emoji",
    "Segoe UI Emoji",
    "Symbola",
]


@contextmanager
def style() -> Iterator[None]:
    """Draw in the course's style, whatever the learner has set, and leave their settings as they were."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        yield


@lru_cache(maxsize=1)
def _characters() -> set[int]:
    return set(font_manager.get_font(font_manager.findfont("DejaVu Sans")).get_charmap())


def fonts_for(text: str) -> list[str]:
    """Name the font families to draw a text with.

    Parameters
    ----------
    text : str
        What is drawn.

    Returns
    -------
    list of str
        DejaVu Sans alone, unless it lacks a character: then the fallbacks that are installed, too.
    """
    if all(ord(character) in _characters() for character in text):
        return ["DejaVu Sans"]
    installed = set(font_manager.fontManager.get_font_names())
    return ["DejaVu Sans", *(name for name in FALLBACK_FONTS if name in installed)]


@contextmanager
def _no_word_about_fonts() -> Iterator[None]:
    """Where no installed font has a character matplotlib draws a placeholder, and the alt text has the token."""
    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    log.setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        try:
            yield
        finally:
            log.setLevel(level)


@dataclass(frozen=True)
class Tables:
    """What a picture of numbers shows, as tables that a screen reader can go through cell by cell.

    They stand in a box too small to be seen. Where a page takes styles away, they are seen below the picture.

    Attributes
    ----------
    alt : str
        What to say of the picture itself.
    parts : list of (str, list of str or None, list of str or None, list of list of str)
        Of each table its caption, the names of its rows and columns, and its numbers row by row.
    """

    alt: str
    parts: Sequence[tuple[str, Sequence[str] | None, Sequence[str] | None, Sequence[Sequence[str]]]]

    def html(self) -> str:
        """Write them as HTML that says everything without a style."""
        tables = "".join(_table_html(*part) for part in self.parts)
        return f'<div style="height:1px;overflow:hidden;width:1px">{tables}</div>'


def _table_html(
    caption: str, rows: Sequence[str] | None, columns: Sequence[str] | None, numbers: Sequence[Sequence[str]]
) -> str:
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in columns or [])
    head = f"<tr>{'<td></td>' if rows else ''}{head}</tr>" if columns else ""
    names = [f'<th scope="row">{html.escape(row)}</th>' for row in rows] if rows else [""] * len(numbers)
    body = "".join(
        f"<tr>{name}{''.join(f'<td>{number}</td>' for number in line)}</tr>"
        for name, line in zip(names, numbers, strict=True)
    )
    return f"<table><caption>{html.escape(caption)}</caption>{head}{body}</table>"


class Picture:
    """A figure to show as the last line of a cell.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
        Change it, or save it with `picture.figure.savefig("name.png")`. It is not registered with pyplot, so a
        cell shows it once and nothing stays open.
    alt : str
        What the picture shows, in words, made from the data.
    tables : Tables, optional
        Its numbers as tables for a screen reader, where it shows tables.
    """

    def __init__(self, figure: Figure, alt: str, tables: Tables | None = None) -> None:
        self.figure = figure
        self.tables = tables
        self.alt = alt.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # what no file can hold

    def pixels(self) -> Image.Image:
        """Paint the picture, cut to what is drawn.

        Returns
        -------
        PIL.Image.Image
            In RGB and few shades, `SHARPNESS` image pixels for each CSS pixel.
        """
        buffer = io.BytesIO()
        with style(), _no_word_about_fonts():
            unpacked = {"compress_level": 0}  # it is read again at once
            self.figure.savefig(buffer, format="png", bbox_inches="tight", pad_inches=MARGIN, pil_kwargs=unpacked)
        image = Image.open(buffer).convert("RGB")  # without transparency
        cut = round((MARGIN - MARGIN_BELOW) * PIXELS_PER_INCH * SHARPNESS)
        return _in_few_shades(image.crop((0, 0, image.width, image.height - cut)))

    def png(self) -> bytes:
        """Give the picture as a PNG file.

        Returns
        -------
        bytes
            The file, with the pixels that `pixels` gives.
        """
        return _packed(self.pixels())

    def image(self) -> str:
        """Write the picture as an `<img>` alone, to stand in a larger piece of HTML."""
        png = self.png()
        return image_html(png, alt=self.alt, css_class=CLASS, width=png_size(png)[0] // SHARPNESS)

    def _repr_html_(self) -> str:
        if self.tables is None:
            return IN_THE_DARK + self.image()
        png = self.png()
        width = png_size(png)[0] // SHARPNESS
        return IN_THE_DARK + image_html(png, alt=self.tables.alt, css_class=CLASS, width=width) + self.tables.html()

    def __repr__(self) -> str:
        return f"Picture: {self.alt}"


def _in_few_shades(image: Image.Image) -> Image.Image:
    """The image, or where it has more than 256 colours, with fewer at the edges of letters and lines.

    Areas keep their colour, for a cell's must be found on the colour bar.
    """
    if image.getcolors(256):
        return image
    pixels = np.asarray(image)
    colours = pixels.astype(np.int32) @ [1 << 16, 1 << 8, 1]  # one number a colour, (rows, columns)
    is_area = np.bincount(colours.ravel())[colours] >= LEAST_AREA
    fewer = image.point([min(LEVELS, key=lambda kept: abs(kept - level)) for level in range(256)] * 3)
    return Image.fromarray(np.where(is_area[..., None], pixels, np.asarray(fewer)))


def _packed(image: Image.Image) -> bytes:
    """The pixels as a PNG file, with a palette where 256 colours are enough."""
    if image.getcolors(256):
        image = image.quantize(256)
    packed = io.BytesIO()
    image.save(packed, format="png", optimize=True, dpi=(PIXELS_PER_INCH * SHARPNESS,) * 2)
    return packed.getvalue()


def png_size(png: bytes) -> tuple[int, int]:
    """Read the size of a PNG file from its header.

    Parameters
    ----------
    png : bytes
        The file, or its first 24 bytes.

    Returns
    -------
    (int, int)
        Width and height in image pixels.
    """
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def image_html(png: bytes, *, alt: str, css_class: str | None = None, **attributes: str | int) -> str:
    """Write the `<img>` of a PNG file, with the file in it.

    Parameters
    ----------
    png : bytes
        The file.
    alt : str
        What the picture shows, in words.
    css_class : str, optional
        The class of the element.
    **attributes : str or int
        Other attributes by name, such as width in CSS pixels, in the order in which they are written.

    Returns
    -------
    str
        HTML in which no character of a text can end an attribute.
    """
    named: dict[str, str | int] = {"class": css_class} if css_class else {}
    named |= {"alt": alt, **attributes}
    attributes_html = " ".join(f'{name}="{html.escape(str(value))}"' for name, value in named.items())
    return f'<img {attributes_html} src="data:image/png;base64,{base64.b64encode(png).decode("ascii")}">'
