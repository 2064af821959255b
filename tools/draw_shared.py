"""Draw the picture that stands beside a link to the course: python -m tools.draw_shared. Needs Chromium on the path."""

import html
import shutil
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from helpers.models import real_map

STATIC = Path(__file__).resolve().parents[1] / "docs" / "_static"
FILE = STATIC / "shared.png"
SIZE: ViewportSize = {"width": 1200, "height": 630}  # what those who show links ask for
WORD = "it"  # whose row is shown, as on the first page
ROW = 32  # pixels from one word to the next
PAGE = """<!doctype html>
<meta charset="utf-8">
<style>
@font-face {{ font-family: "Title"; font-weight: 200 900; src: url("fonts/source-serif-4-latin-wght-normal.woff2"); }}
@font-face {{ font-family: "Text"; font-weight: 200 900; src: url("fonts/source-sans-3-latin-wght-normal.woff2"); }}
body {{ background: #0b2c44; color: #fff; font: 24px Text; margin: 0; }}
h1 {{ font: 650 84px/1.05 Title; left: 70px; margin: 0; position: absolute; top: 150px; }}
p {{ color: #d5e6f3; font-size: 30px; left: 70px; line-height: 40px; position: absolute; top: 400px; width: 480px; }}
i {{ background: linear-gradient(90deg, #7cc4ff 25%, #ffab70 25% 50%, #6fd6b4 50% 75%, #e3a8dc 75%); height: 8px;
  left: 70px; position: absolute; top: 110px; width: 160px; }}
svg {{ left: 0; position: absolute; top: 0; }}
</style>
<i></i><h1>Attention,<br>step by step</h1>
<p>From three small vectors on paper to a Transformer that you train</p>
<svg width="1200" height="630" fill="#8fb3cc">{drawn}</svg>
"""


def lines() -> str:
    """SVG of the map's row of `WORD`: a line to each word, the thicker, the more it takes from there."""
    weights, words = real_map.load()
    row = words.index(WORD)
    y = [315 + ROW * (i - (len(words) - 1) / 2) for i in range(len(words))]
    parts = []
    for i, (word, weight) in enumerate(zip(words, weights[row].tolist(), strict=True)):
        parts += [
            f'<line x1="730" y1="{y[row]}" x2="966" y2="{y[i]}" stroke="#7cc4ff" '
            f'stroke-width="{0.8 + 18 * weight:.2f}" stroke-opacity="{0.25 + 0.75 * weight:.2f}"/>',
            _word(word, 710, y[i], is_lit=i == row, anchor="end"),
            _word(word, 986, y[i], is_lit=weight > 0.3, anchor="start"),
        ]
    return "".join(parts)


def _word(word: str, x: float, y: float, *, is_lit: bool, anchor: str) -> str:
    fill = ' fill="#fff"' if is_lit else ""
    return f'<text x="{x}" y="{y + 8}" text-anchor="{anchor}"{fill}>{html.escape(word)}</text>'


def main() -> None:
    """Write docs/_static/shared.png."""
    drawing = FILE.with_suffix(".html")
    drawing.write_text(PAGE.format(drawn=lines()), encoding="utf-8")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport=SIZE, java_script_enabled=False)
            page.goto(drawing.as_uri())
            page.screenshot(path=FILE)
            browser.close()
    finally:
        drawing.unlink()


if __name__ == "__main__":
    main()
