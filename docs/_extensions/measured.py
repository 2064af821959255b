"""What a printed book holds, measured: which place is on which page, and how full each page is."""

import re
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pikepdf
import pypdfium2

HEAD, FOOT = 24 / 297, 277 / 297  # the part of a page between which text stands
PAPER = 250  # greys from here on are paper


def pages_of_places(path: Path) -> dict[str, int]:
    """Each place that a link of a PDF leads to -> its page, from 1."""
    with pikepdf.open(path) as pdf:
        number = {page.objgen: i for i, page in enumerate(pdf.pages, 1)}
        named = pdf.Root.get("/Dests", {})
        return {name.removeprefix("/"): number[target[0].objgen] for name, target in named.items()}


@dataclass
class Sheet:
    """A printed page: how far down something stands, and its pictures, as (number in the book, top, bottom).

    Heights are shares of the part where text stands: 0 at its top and 1 at its end.
    """

    filled: float
    pictures: list[tuple[int, float, float]]


def sheets(path: Path) -> list[Sheet]:
    """All pages of a PDF."""
    found = []
    number = count()
    with closing(pypdfium2.PdfDocument(path)) as pdf:
        for page in pdf:
            grey = page.render(scale=0.3).to_pil().convert("L")
            text = grey.crop((0, round(grey.height * HEAD), grey.width, round(grey.height * FOOT)))
            box = text.point(lambda grey: 255 * (grey < PAPER)).getbbox()
            height = page.get_height()
            pictures = []
            for picture in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]):
                _left, low, _right, high = picture.get_bounds()
                top, bottom = ((1 - y / height - HEAD) / (FOOT - HEAD) for y in (high, low))
                pictures.append((next(number), top, bottom))
            found.append(Sheet(box[3] / text.height if box else 0.0, pictures))
    return found


def squeezed(title: str) -> str:
    """A title without its blanks: Chromium drops those where a line ends."""
    return re.sub(r"\s", "", title)
