"""The static picture in the place of what is live: small, because each notebook stores it beside the script."""

import base64
import html
import io

from PIL import Image

from helpers.drawing.picture import SHARPNESS, Picture

QUALITIES = [(1.5, 32), (1, 32), (1, 16)]  # sharpness and colours of the static picture


def small_png(picture: Picture, most_bytes: float) -> tuple[bytes, int]:
    """The picture as sharp and in as many colours as fit, and its width on the page in CSS pixels.

    Where nothing fits it is the smallest.
    """
    drawn = picture.pixels()
    for sharpness, colours in QUALITIES:
        width, height = (max(1, round(side * sharpness / SHARPNESS)) for side in drawn.size)
        image = drawn.resize((width, height), Image.Resampling.LANCZOS).quantize(colours)
        file = io.BytesIO()
        image.save(file, format="png", optimize=True)
        if len(file.getvalue()) <= most_bytes:
            break
    return file.getvalue(), round(width / sharpness)


def still_image(png: bytes, alt: str, width: int, kind: str) -> str:
    """The picture as an `<img>` that the script of its kind, "explorer" or "calculation", hides when it begins."""
    return (
        f'<img class="attention-{kind}-still" alt="{html.escape(alt)}" width="{width}" '
        f'src="data:image/png;base64,{base64.b64encode(png).decode("ascii")}">'
    )
