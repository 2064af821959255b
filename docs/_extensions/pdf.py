"""The course as one PDF: python -m sphinx -W -b pdf docs docs/_build/pdf. Needs Chromium on the path."""

import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.errors import ExtensionError

FILE = "attention-step-by-step.pdf"


class PdfBuilder(SingleFileHTMLBuilder):
    """All pages in one, printed by Chromium, with bookmarks and with tags for screen readers."""

    name = "pdf"
    epilog = f"The PDF is %(outdir)s/{FILE}."

    def finish(self) -> None:
        super().finish()
        from playwright.sync_api import sync_playwright

        chromium = shutil.which("chromium")
        if chromium is None:
            raise ExtensionError("To print the PDF chromium must be on the path (on Debian: apt-get install chromium).")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(java_script_enabled=False)
            page.set_default_timeout(300_000)  # milliseconds; a busy machine is slow, not wrong
            page.goto((Path(self.outdir) / "index.html").as_uri())
            page.pdf(path=Path(self.outdir) / FILE, format="A4", scale=0.75, tagged=True, outline=True,
                     print_background=True,
                     margin={"top": "16mm", "bottom": "18mm", "left": "15mm", "right": "15mm"},
                     display_header_footer=True, header_template="<span></span>",
                     footer_template='<p style="font: 8px sans-serif; width: 100%; text-align: center">'
                                     '<span class="pageNumber"></span></p>')
            browser.close()


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_builder(PdfBuilder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
