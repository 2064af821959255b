"""The course as one PDF: python -m sphinx -W -b pdf docs docs/_build/pdf. Needs Chromium on the path."""

import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.errors import ExtensionError

FILE = "attention-step-by-step.pdf"


class PdfBuilder(SingleFileHTMLBuilder):
    """All pages in one, to be printed."""

    name = "pdf"
    epilog = f"The PDF is %(outdir)s/{FILE}."


def print_page(app: Sphinx, exception: Exception | None) -> None:
    """Print the page with Chromium, with bookmarks and with tags for screen readers."""
    if exception or app.builder.name != "pdf":
        return
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise ExtensionError("To print the PDF chromium must be on the path (on Debian: apt-get install chromium).")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(java_script_enabled=False)
        page.set_default_timeout(300_000)  # milliseconds; a busy machine is slow, not wrong
        page.goto((Path(app.outdir) / "index.html").as_uri())
        page.pdf(
            path=Path(app.outdir) / FILE,
            format="A4",
            scale=0.75,
            tagged=True,
            outline=True,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            margin={"top": "16mm", "bottom": "18mm", "left": "15mm", "right": "15mm"},
            footer_template='<p style="font: 8px sans-serif; width: 100%; text-align: center">'
            '<span class="pageNumber"></span></p>',
        )
        browser.close()


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_builder(PdfBuilder)
    app.connect("build-finished", print_page, priority=900)  # when other extensions have laid down their style sheets
    return {"parallel_read_safe": True, "parallel_write_safe": True}
