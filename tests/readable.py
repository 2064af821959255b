"""What makes a picture readable: no text on another, on a line or over the edge, none too small, all on the page."""

import itertools
import warnings

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch
from matplotlib.text import Text

from helpers import Picture

WIDEST = 760  # CSS pixels
SMALLEST = 9  # points
TOUCH = 1.0  # pixels by which two boxes may meet


def faults(picture: Picture) -> list[str]:
    """One sentence for each fault that a reader would see; [] for a readable picture."""
    figure = picture.figure
    renderer = FigureCanvasAgg(figure).get_renderer()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        figure.draw(renderer)
        texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
        boxes = [Text.get_window_extent(text, renderer) for text in texts]
    page = figure.bbox
    found = [
        f"{text.get_text()!r} is set in {text.get_fontsize()} pt" for text in texts if text.get_fontsize() < SMALLEST
    ]
    for text, box in zip(texts, boxes, strict=True):
        if box.x0 < page.x0 - TOUCH or box.x1 > page.x1 + TOUCH or box.y0 < page.y0 - TOUCH or box.y1 > page.y1 + TOUCH:
            found.append(f"{text.get_text()!r} crosses the edge")
    for (one, a), (other, b) in itertools.combinations(zip(texts, boxes, strict=True), 2):
        if min(a.x1, b.x1) - max(a.x0, b.x0) > TOUCH and min(a.y1, b.y1) - max(a.y0, b.y0) > TOUCH:
            found.append(f"{one.get_text()!r} and {other.get_text()!r} overlap")
    drawn = [points for artist in figure.findobj() if (points := _points(artist)) is not None]
    for text, box in zip(texts, boxes, strict=True):
        if text.get_bbox_patch() is None and any(_crosses(points, box) for points in drawn):
            found.append(f"{text.get_text()!r} is struck through")
    width = figure.get_figwidth() * 96 + 2 * 0.12 * 96  # with the margin that a Picture adds
    return found + ([f"{width:.0f} CSS pixels wide"] if width > WIDEST else [])


def _points(artist: object) -> np.ndarray | None:
    """Points along a line, an arrow or a curve, in pixels; None for what is no line."""
    if isinstance(artist, Line2D):
        path, transform = artist.get_path(), artist.get_transform()
    elif isinstance(artist, FancyArrowPatch):
        return artist.get_path().transformed(artist.get_transform()).interpolated(60).vertices
    elif type(artist).__name__ == "PathPatch":
        path, transform = artist.get_path(), artist.get_transform()
    else:
        return None
    if len(path.vertices) < 2 or isinstance(artist, PathCollection):
        return None
    polygons = path.transformed(transform).to_polygons(closed_only=False)
    return np.concatenate([_filled(np.asarray(polygon)) for polygon in polygons]) if polygons else None


def _filled(corners: np.ndarray) -> np.ndarray:
    shares = np.linspace(0, 1, 40)[:, None]
    return np.concatenate([a + shares * (b - a) for a, b in itertools.pairwise(corners)])


def _crosses(points: np.ndarray, box) -> bool:
    inner = (
        (points[:, 0] > box.x0 + 1)
        & (points[:, 0] < box.x1 - 1)
        & (points[:, 1] > box.y0 + 2)
        & (points[:, 1] < box.y1 - 2)
    )
    return bool(inner.any())
