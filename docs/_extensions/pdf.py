"""The course as one PDF: python -m sphinx -W -b pdf docs docs/_build/pdf. Needs Chromium on the path.

Chromium prints twice: only after the first time is it known on which page a chapter begins.
"""

import io
import shutil
import struct
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pikepdf
from book import Groups, book, numbered
from docutils import nodes
from PIL import Image
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.errors import ExtensionError

FILE = "attention-step-by-step.pdf"


class PdfBuilder(SingleFileHTMLBuilder):
    """The pages of a book in one, to be printed."""

    name = "pdf"
    epilog = f"The PDF is %(outdir)s/{FILE}."

    def assemble_doctree(self) -> nodes.document:
        """All documents that belong into the book; `self.groups` has their names."""
        self.groups: Groups = {}
        tree = self.env.get_doctree(self.config.root_doc)
        for toctree in list(tree.findall(addnodes.toctree)):
            wanted = [name for name in toctree["includefiles"] if self.is_in_book(name)]
            toctree["includefiles"] = wanted
            toctree["entries"] = [entry for entry in toctree["entries"] if entry[1] in wanted]
            if wanted:
                self.groups.setdefault(toctree.get("caption") or "", []).extend(wanted)
        self.env.get_doctree = self._trees(tree)
        return super().assemble_doctree()

    def _trees(self, root: nodes.document) -> Any:
        get = type(self.env).get_doctree
        return lambda name: root if name == self.config.root_doc else get(self.env, name)

    def is_in_book(self, name: str) -> bool:
        return any(fnmatch(name, pattern) for pattern in self.config.pdf_documents)


def print_book(app: Sphinx, exception: Exception | None) -> None:
    """Print the book with Chromium, with bookmarks and with tags for screen readers."""
    if exception or app.builder.name != "pdf":
        return
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise ExtensionError("To print the PDF chromium must be on the path (on Debian: apt-get install chromium).")
    out = Path(app.outdir)
    config = app.config
    written = book(
        (out / "index.html").read_text(encoding="utf-8"),
        config.html_title,
        app.builder.groups,
        config.pdf_cover,
        config.pdf_front,
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(java_script_enabled=False)
        page.set_default_timeout(600_000)  # milliseconds; a busy machine is slow, not wrong
        for _ in range(2):
            (out / "book.html").write_text(written, encoding="utf-8")
            page.goto((out / "book.html").as_uri())
            options = {"tagged": True, "outline": True, "print_background": True, "prefer_css_page_size": True}
            page.pdf(path=out / FILE, **options)
            written = numbered(written, pages_of_places(out / FILE))
        browser.close()
    shrink(out / FILE)


def pages_of_places(path: Path) -> dict[str, int]:
    """Each place that a link of a PDF leads to -> its page, from 1."""
    with pikepdf.open(path) as pdf:
        number = {page.objgen: i for i, page in enumerate(pdf.pages, 1)}
        named = pdf.Root.get("/Dests", {})
        return {name.removeprefix("/"): number[target[0].objgen] for name, target in named.items()}


def shrink(path: Path) -> None:
    """Pack what Chromium leaves unpacked: pictures of few colours with a palette, and all small objects together."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for thing in pdf.objects:
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image":
                _repack(pdf, thing)
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.generate, compress_streams=True)


def _repack(pdf: pikepdf.Pdf, stream: pikepdf.Stream) -> None:
    """An image in RGB as a PNG file has it: with a palette if 256 colours do, and predicted from row to row."""
    if stream.get("/Filter") != "/FlateDecode" or not _is_rgb(stream.ColorSpace) or "/DecodeParms" in stream:
        return
    size = int(stream.Width), int(stream.Height)
    image = Image.frombytes("RGB", size, stream.read_bytes())
    if image.getcolors(256):
        image = image.quantize(256)
    file = io.BytesIO()
    image.save(file, format="png", optimize=True)
    bits, packed = _read_png(file.getvalue())
    if len(packed) >= int(stream.Length):
        return
    colours = 1 if image.mode == "P" else 3
    if colours == 1:
        palette = bytes(image.getpalette() or b"")
        stream.ColorSpace = pikepdf.Array(
            [pikepdf.Name.Indexed, stream.ColorSpace, len(palette) // 3 - 1, pikepdf.String(palette)]
        )
    stream.BitsPerComponent = bits
    parameters = pikepdf.Dictionary(Predictor=15, Colors=colours, BitsPerComponent=bits, Columns=size[0])
    stream.write(packed, filter=pikepdf.Name.FlateDecode, decode_parms=parameters)


def _is_rgb(space: pikepdf.Object) -> bool:
    """Whether a colour space has red, green and blue, with a profile or without."""
    if isinstance(space, pikepdf.Array) and space[0] == "/ICCBased":
        return int(space[1].N) == 3
    return space == pikepdf.Name.DeviceRGB


def _read_png(png: bytes) -> tuple[int, bytes]:
    """The bits of a pixel's component, and the packed rows."""
    place, rows = 8, b""
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            rows += png[place + 8 : place + 8 + length]
        place += 12 + length
    return png[24], rows


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_builder(PdfBuilder)
    app.add_config_value("pdf_documents", ["*"], "env")  # patterns of the names of those that belong into the book
    app.add_config_value("pdf_cover", "", "")
    app.add_config_value("pdf_front", "", "")
    app.connect("build-finished", print_book, priority=900)  # when other extensions have laid down their style sheets
    return {"parallel_read_safe": True, "parallel_write_safe": True}
