"""Pictures while a control moves, in half the time of `Picture.png`."""

import io
import warnings

import numpy as np
from matplotlib.transforms import Bbox
from PIL import Image

from helpers.drawing.picture import (
    CLASS,
    MARGIN,
    MARGIN_BELOW,
    PIXELS_PER_INCH,
    SHARPNESS,
    Picture,
    image_html,
    png_size,
    style,
)

WHITE = 0xFFFFFFFF  # a pixel of four bytes
ROOM = 0.6  # inches around the starting state
PADDING = np.array([MARGIN, MARGIN, MARGIN, MARGIN_BELOW])  # inches at the left, top, right and bottom of what is drawn


class FastRenderer:
    """Renders one picture after the other as HTML.

    `Picture.png` goes through the figure twice, to measure and to paint. Here the margin is that of the starting state
    and some more, what is white is cut off, and only a picture that reaches the edge is drawn the long way. The cut
    never grows smaller, so that the picture does not jump.

    Parameters
    ----------
    start : Picture
        The starting state, which is measured.
    """

    def __init__(self, start: Picture) -> None:
        self._measure(start)

    def html(self, picture: Picture, sharpness: int = SHARPNESS) -> str:
        """Render a picture.

        Parameters
        ----------
        picture : Picture
            What to render; where its figure has another size than the one before, it is measured anew.
        sharpness : int
            Image pixels for each CSS pixel.

        Returns
        -------
        str
            An `<img>` that takes its room at once and is decoded before it is painted, so that nothing flickers.
        """
        png = self._png(picture, sharpness)
        if png is None:
            png, sharpness = picture.png(), SHARPNESS
        width, height = (round(side / sharpness) for side in png_size(png))
        look = "height: auto; max-width: 100%"
        return image_html(
            png, alt=picture.alt, css_class=CLASS, width=width, height=height, decoding="sync", style=look
        )

    def _measure(self, picture: Picture) -> None:
        self._figure_size = tuple(picture.figure.get_size_inches())
        with style():
            drawn = picture.figure.get_tightbbox()
        self._left, self._bottom = drawn.x0 - ROOM, drawn.y0 - ROOM
        self._width, self._height = drawn.width + 2 * ROOM, drawn.height + 2 * ROOM
        self._cut: np.ndarray | None = None  # left, top, right, bottom in CSS pixels

    def _png(self, picture: Picture, sharpness: int) -> bytes | None:
        """The picture as a PNG file, or None where it does not fit into the margin."""
        if tuple(picture.figure.get_size_inches()) != self._figure_size:
            self._measure(picture)
        pixels = self._paint(picture, PIXELS_PER_INCH * sharpness)
        ink = _extent_of_ink(pixels)
        if ink is None:
            return None
        height, width = pixels.shape
        cut = self._widen_cut(ink / sharpness) * sharpness
        left, top, right, bottom = (int(side) for side in np.clip(cut, 0, [width, height, width, height]))
        image = Image.frombuffer("RGBA", (width, height), pixels.tobytes(), "raw", "RGBA", 0, 1)
        png = io.BytesIO()
        image.crop((left, top, right, bottom)).convert("RGB").save(png, format="png", compress_level=1)
        return png.getvalue()

    def _paint(self, picture: Picture, dpi: int) -> np.ndarray:
        """The picture with its margin, (height, width), a number of four bytes for each pixel."""
        width, height = int(np.ceil(self._width * dpi)), int(np.ceil(self._height * dpi))
        # a quarter of a pixel more, so that rounding down gives this many
        box = Bbox.from_bounds(self._left, self._bottom, (width + 0.25) / dpi, (height + 0.25) / dpi)
        raw = io.BytesIO()
        with style(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
            picture.figure.savefig(raw, format="raw", dpi=dpi, bbox_inches=box)
        return np.frombuffer(raw.getvalue(), dtype=np.uint32).reshape(height, width)

    def _widen_cut(self, ink: np.ndarray) -> np.ndarray:
        """Widen the cut so that it holds the ink with its padding: left, top, right and bottom in CSS pixels."""
        padding = PADDING * PIXELS_PER_INCH
        cut = np.concatenate([np.floor(ink[:2] - padding[:2]), np.ceil(ink[2:] + padding[2:])])
        if self._cut is not None:
            cut = np.concatenate([np.minimum(cut[:2], self._cut[:2]), np.maximum(cut[2:], self._cut[2:])])
        self._cut = cut
        return cut


def _extent_of_ink(pixels: np.ndarray) -> np.ndarray | None:
    """Left, top, right and bottom of what is not white; None where that is nothing, or reaches the edge."""
    height, width = pixels.shape
    ink = pixels != WHITE
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if len(rows) == 0 or rows[0] == 0 or columns[0] == 0 or rows[-1] == height - 1 or columns[-1] == width - 1:
        return None
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1])
