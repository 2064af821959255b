"""What a picture looks like once it is painted: the colours of its pixels, found by the numbers on its axes."""

import io

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from PIL import Image

from helpers import Picture
from helpers.drawing.picture import style

DPI = 100


class Painted:
    """A picture's pixels, to be asked for by axes and place."""

    def __init__(self, picture: Picture) -> None:
        png = io.BytesIO()
        self._figure = picture.figure
        with style():
            self._box = picture.figure.get_tightbbox()  # inches; some axes lie outside of the figure's page
            picture.figure.savefig(png, format="png", dpi=DPI, bbox_inches=self._box)
        self.pixels = np.asarray(Image.open(png).convert("RGB"), dtype=int)

    def colour(self, axes: Axes, x: float, y: float) -> np.ndarray:
        """Red, green and blue, 0 to 255, at x and y as the axes count."""
        right, up = axes.transData.transform((x, y)) / self._figure.dpi
        return self.pixels[int((self._box.y1 - up) * DPI), int((right - self._box.x0) * DPI)]


def fills(axes: Axes) -> dict[tuple[float, float], str]:
    """The colour of each cell by its upper left corner."""
    cells = [patch for patch in axes.patches if patch.get_fill()]
    return {(round(cell.get_x(), 2), round(cell.get_y(), 2)): to_hex(cell.get_facecolor()) for cell in cells}


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts if text.get_text()]


def placed_texts(axes: Axes) -> dict[tuple[float, float], str]:
    """Each text by its place, as the axes count."""
    return {tuple(round(float(side), 2) for side in text.get_position()): text.get_text() for text in axes.texts}
