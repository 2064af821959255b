"""The course as one PDF: python -m sphinx -W -b pdf docs docs/_build/pdf. Needs Chromium on the path.

Chromium prints several times: in a few sizes, of which each chapter takes the one with the fewest holes; then to learn
on which page what begins; and then with the numbers of those pages.
"""

import html
import io
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import date
from fnmatch import fnmatch
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import pikepdf
import pypdfium2
import typefaces
from book import Groups, book, fitted, headings_of, how_to_use, numbered, pages_in_contents, running_heads
from docutils import nodes
from landing import SHORT_ROAD
from measured import Sheet, pages_of_places, sheets, squeezed
from PIL import Image
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.errors import ExtensionError
from sphinx.util import logging

from tools import address

FILE = "attention-step-by-step.pdf"
FULL = 0.85  # of a page; less than that is a hole
SMALLER = 0.1  # pages that must be gained, so that a chapter is set tighter
SMALLEST = 0.72  # of its width that a picture keeps, so that it can be read
GAP = 0.02  # of a page, between what stands above a picture and it
ROUNDS = 3


class Titled(Protocol):
    """What has a title, as an item of an outline."""

    title: str


Mark = tuple[str, str]  # what begins on a page: a part, chapter or section, or "" for less; and its title


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
    day = max(getattr(app, "dates", {}).values(), default="")  # of the last commit; metadata.py has asked git
    written = book(
        (out / "index.html").read_text(encoding="utf-8"),
        config.html_title,
        app.builder.groups,
        config.pdf_cover,
        (how_to_use(SHORT_ROAD, address.in_project()) if config.pdf_front else "")
        + colophon(config.release, day, config.html_baseurl or getattr(config, "repository", None)),
    )
    (out / "_static" / "typefaces.css").write_text(typefaces.lay_down(out / "_static" / "typefaces"), encoding="utf-8")
    say_what_no_font_has(written)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(java_script_enabled=False)
        page.set_default_timeout(600_000)  # milliseconds; a busy machine is slow, not wrong

        def printed(text: str, name: str, tagged: bool = True) -> Path:
            (out / f"{name}.html").write_text(text, encoding="utf-8")
            page.goto((out / f"{name}.html").as_uri())
            options = {"tagged": tagged, "outline": tagged, "print_background": True, "prefer_css_page_size": True}
            page.pdf(path=out / f"{name}.pdf", **options)
            return out / f"{name}.pdf"

        trial = partial(printed, name="trial", tagged=False)
        written, file = settled(fullest(written, trial), partial(printed, name="book"))
        marks = bind(file, written, list(app.builder.groups))
        wrong = list(disagreements(file, written, marks))
        if wrong:
            raise ExtensionError("The book says wrong pages:\n" + "\n".join(wrong))
        heads = printed(running_heads(heads_of(marks)), "heads", tagged=False)
        add_heads(file, heads)
        browser.close()
    describe(file, config.html_title, config.author, day)
    shrink(file)
    file.replace(out / FILE)
    for name in ("trial", "heads"):
        for kind in ("html", "pdf"):
            (out / f"{name}.{kind}").unlink()


def say_what_no_font_has(written: str) -> None:
    """Name the characters that come out as boxes, since a browser prints with the fonts that are installed."""
    if shutil.which("fc-list") is None:
        return
    foreign = sorted({letter for letter in written if not letter.isascii() and letter.isprintable()})
    asked = (["fc-list", f":charset={ord(letter):x}", "family"] for letter in foreign)
    lacking = [
        letter
        for letter, command in zip(foreign, asked, strict=True)
        if not subprocess.run(command, capture_output=True, text=True).stdout.strip()
    ]
    if lacking:
        logging.getLogger(__name__).info(
            f"No font on this machine has {' '.join(lacking)}, which the book shows as boxes. On Debian: "
            "apt-get install fonts-noto-cjk fonts-noto-color-emoji."
        )


def colophon(release: str, day: str, address: str | None) -> str:
    """HTML that says which edition this is and, as far as that is known, of when and where the newest one is."""
    if not release:
        return ""
    on = date.fromisoformat(day) if day else None
    of = f", last changed on {on.day} {on:%B} {on.year}" if on else ""
    where = f' The newest edition: <a href="{html.escape(address)}">{html.escape(address)}</a>.' if address else ""
    return f"\n<p>Version {html.escape(release)}{of}.{where}</p>"


def fullest(written: str, printed: Callable[[str], Path]) -> str:
    """The book with the fewest holes in each chapter: some are set tighter, and some pictures are smaller.

    A hole is where a picture found no room and went to the next page. In each round the first of a chapter that can
    be filled so is filled, and what comes after it moves.
    """
    chapters = re.findall(r'data-fit="([^":]+):', written)
    best: dict[str, tuple[float, bool, dict[int, float]]] = {}
    for tight in (False, True):
        shrunk: dict[int, float] = {}
        for _ in range(ROUNDS):
            path = printed(fitted(written, set(chapters) if tight else set(), shrunk))
            starts, pages = pages_of_places(path), sheets(path)
            ends = sorted(page for place, page in starts.items() if re.fullmatch(r"(chapter|part)-\w+", place))
            more = {}
            for place in chapters:
                end = min((page for page in ends if page > starts[place]), default=len(pages) + 1)
                within = pages[starts[place] - 1 : end - 1]
                pictures = {number for page in within for number, *_ in page.pictures}
                kept = {number: share for number, share in shrunk.items() if number in pictures}
                cost = holes(within) + (1 - min(kept.values(), default=1)) / 4 + tight * SMALLER
                if place not in best or cost < best[place][0]:
                    best[place] = cost, tight, kept
                more |= to_shrink(within, shrunk)
            shrunk |= more
    return fitted(
        written,
        {place for place, (_, tight, _) in best.items() if tight},
        {number: share for *_, kept in best.values() for number, share in kept.items()},
    )


def settled(written: str, printed: Callable[[str], Path]) -> tuple[str, Path]:
    """The book with its page numbers, and the file: printed until it says the pages on which things are."""
    pages: dict[str, int] = {}
    for _ in range(ROUNDS + 1):
        file = printed(written)
        if pages_of_places(file) == pages:
            return written, file
        pages = pages_of_places(file)
        written = numbered(written, pages)
    raise ExtensionError("Each time the book is printed, its page numbers move what stands on its pages.")


def disagreements(path: Path, written: str, marks: list[list[Mark]]) -> Iterator[str]:
    """Where the contents, the bookmarks and what stands on the pages say different pages, in words."""
    places, contents = pages_of_places(path), pages_in_contents(written)
    marked = [(number, title) for number, begin in enumerate(marks, 1) for _, title in begin]
    with closing(pypdfium2.PdfDocument(path)) as pdf:
        texts = [letters(page.get_textpage().get_text_range()) for page in pdf]
    for (number, title), (_, place) in zip(marked, headings_of(written), strict=True):
        said = {"link": places.get(place, number), "contents": contents.get(place, number)}
        yield from (f"{title}: bookmark {number}, {kind} {page}" for kind, page in said.items() if page != number)
        if letters(title) not in texts[number - 1]:
            yield f"{title}: not on page {number}, to which its bookmark leads"


def letters(text: str) -> str:
    """A text in the letters and digits that every font has, so that one from a page can be compared."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def holes(pages: list[Sheet]) -> float:
    """How much is empty in a chapter, in pages. Its last page may be, but not nearly all of it."""
    *inner, last = pages
    return sum(max(0.0, FULL - page.filled) for page in inner) + 3 * max(0.0, 1 - FULL + 0.05 - last.filled)


def to_shrink(pages: list[Sheet], shrunk: dict[int, float]) -> dict[int, float]:
    """The first picture of a chapter that would fill a hole before it if it were smaller, and how small it must be."""
    for page, following in pairwise(pages):
        if page.filled < FULL and following.pictures:
            number, top, bottom = following.pictures[0]
            share = shrunk.get(number, 1) * (1 - GAP - page.filled - top) / (bottom - top)
            if SMALLEST <= share < 1:
                return {number: share}
    return {}


def bind(path: Path, written: str, parts: list[str]) -> list[list[Mark]]:
    """Mend the outline: Chromium damages titles where a line or a page ends, and knows of no parts.

    Returns what begins on each page.
    """
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        number = {page.objgen: i for i, page in enumerate(pdf.pages)}
        marks: list[list[Mark]] = [[] for _ in number]

        def note(item: pikepdf.OutlineItem, kind: str) -> None:
            item.is_closed = kind != "part"
            marks[number[item.destination[0].objgen]].append((kind, item.title))
            for child in item.children:
                note(child, "section" if kind == "chapter" else "")

        with pdf.open_outline() as outline:
            mend_titles(list(_flat(outline.root)), [title for title, _ in headings_of(written)])
            items = list(outline.root)
            outline.root.clear()
            within = outline.root
            for item in items:
                is_part = item.title in parts
                note(item, "part" if is_part else "chapter")
                (outline.root if is_part else within).append(item)
                within = item.children if is_part else within
        pdf.Root.PageMode = pikepdf.Name.UseOutlines
        pdf.save(path)
    return marks


def _flat(items: list[pikepdf.OutlineItem]) -> Iterator[pikepdf.OutlineItem]:
    for item in items:
        yield item
        yield from _flat(item.children)


def mend_titles(items: Sequence[Titled], titles: list[str]) -> None:
    """Give the items of an outline the book's titles, which stand in the same order.

    Chromium drops blanks where a line ends, and says a title, or words of it, again that it has moved to the next page.
    """
    if len(items) != len(titles):
        raise ExtensionError(f"The book has {len(titles)} headings, and its outline {len(items)}.")
    for item, title in zip(items, titles, strict=True):
        if set(squeezed(item.title)) != set(squeezed(title)):
            raise ExtensionError(f"The outline says {item.title!r} where the book says {title!r}.")
        item.title = title


def heads_of(marks: list[list[Mark]]) -> list[str | None]:
    """What stands above each page: the chapter on the left, its section on the right.

    Nothing where something begins, since its title is there; and no number, either, on the cover and on the page of a
    part. A section that is no step may stand in any chapter, as "Play" does, so its head names the chapter too.
    """
    heads: list[str | None] = []
    chapter = section = ""
    for number, begin in enumerate(marks, 1):
        begins = dict(reversed(begin))  # the first section that begins on a page
        if "part" in begins or not (chapter or begin):
            heads.append(None)
            continue
        section = begins.get("section", "" if "chapter" in begins else section)
        if "chapter" in begins:
            chapter = begins["chapter"].partition(":")[0]
        on_right = section if section.startswith("Step ") else f"{chapter} · {section.partition(':')[0]}"
        heads.append("" if "chapter" in begins else on_right if number % 2 and section else chapter)
        section = next((title for kind, title in reversed(begin) if kind == "section"), section)
    return heads


def add_heads(path: Path, heads: Path) -> None:
    """Lay a page of heads below each page of the book, as something that a screen reader leaves out."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf, pikepdf.open(heads) as above:
        for page, head in zip(pdf.pages, above.pages, strict=True):
            name = page.add_resource(pdf.copy_foreign(head.as_form_xobject()), pikepdf.Name.XObject)
            page.contents_add(f"/Artifact <</Type /Pagination>> BDC q {name} Do Q EMC\n".encode(), prepend=True)
        pdf.save(path)


def describe(path: Path, title: str, author: str, day: str) -> None:
    """Say in the file who wrote it and, so that the same course makes the same file, when it was last changed."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        when = f"D:{day.replace('-', '')}000000Z" if day else None
        for key, said in {"Title": title, "Author": author, "CreationDate": when, "ModDate": when}.items():
            if said:
                pdf.docinfo[f"/{key}"] = said
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        pdf.save(path)


def shrink(path: Path) -> None:
    """Pack what Chromium leaves unpacked: pictures of few colours with a palette, and all small objects together."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for thing in pdf.objects:
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image":
                _repack(pdf, thing)
        pdf.save(
            path, object_stream_mode=pikepdf.ObjectStreamMode.generate, compress_streams=True, deterministic_id=True
        )


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
    app.add_config_value("pdf_front", False, "", (bool,))  # whether a page says how to use the book
    app.connect("build-finished", print_book, priority=900)  # when other extensions have laid down their style sheets
    return {"parallel_read_safe": True, "parallel_write_safe": True}
