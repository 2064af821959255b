"""The static picture in the place of what is live: small, because each notebook stores it beside the script.

Above it stands how to wake it, for those who see no script: in JupyterLab nothing is live before its cell is run.
"""

import base64
import html
import io

from PIL import Image

from helpers.drawing.picture import SHARPNESS, Picture

# Sharpness and colours of the static picture: with 256 no eye sees a loss, and with 64 the edges of letters have one.
QUALITIES = [(2, 256), (1.5, 256), (1, 256), (1, 64)]


def small_png(picture: Picture, most_bytes: float) -> tuple[bytes, int]:
    """The picture as sharp and in as many colours as fit, and its width on the page in CSS pixels.

    Where nothing fits it is the smallest.
    """
    drawn = picture.pixels()
    for sharpness, colours in QUALITIES:
        width, height = (max(1, round(side * sharpness / SHARPNESS)) for side in drawn.size)
        # As it was drawn where it can be: that has few colours, and those of areas are exact.
        image = drawn if sharpness == SHARPNESS else drawn.resize((width, height), Image.Resampling.LANCZOS)
        image = image.quantize(colours, dither=Image.Dither.NONE)
        file = io.BytesIO()
        image.save(file, format="png", optimize=True)
        if len(file.getvalue()) <= most_bytes:
            break
    return file.getvalue(), round(width / sharpness)


def still_image(png: bytes, alt: str, width: int, kind: str, caption: str = "") -> str:
    """The picture as an `<img>`, and a caption where there is one.

    The script of its kind, "explorer" or "calculation", hides both when it begins.
    """
    image = (
        f'<img class="attention-{kind}-still" alt="{html.escape(alt)}" width="{width}" '
        f'src="data:image/png;base64,{base64.b64encode(png).decode("ascii")}">'
    )
    # Above the picture, which may be higher than the screen.
    return (f'<p class="attention-{kind}-still"><em>{html.escape(caption)}</em></p>' if caption else "") + image
