"""What the search looks through: prose and code of each section in one file, so that it asks for nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from book import NEIGHBOURS
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

# Not what a reader would search for: drawings, formulas, and solutions, which are closed.
LEFT_OUT = (nodes.raw, nodes.math, nodes.math_block, nodes.comment, addnodes.toctree, addnodes.index)
LEFT_OUT_CLASSES = {"cell_output", "tag_hide-input", "buttons", "facts"}
SYMBOLS = "symbols"
SECTIONS = (nodes.section, addnodes.desc)


def sections(doctree: nodes.document, docname: str) -> Iterator[tuple[str, str, str, str]]:
    """(place, heading, prose, code) of each section, of each name that a reference describes, and of each symbol."""
    for node in doctree.findall(lambda node: isinstance(node, SECTIONS)):
        if isinstance(node, nodes.section):
            place, heading = node["ids"][0], node.next_node(nodes.title).astext()
        else:
            signature = node.next_node(addnodes.desc_signature)
            if not signature["ids"]:
                continue
            place, heading = signature["ids"][0], signature["fullname"]
        told = {is_code: " ".join(" ".join(_texts(node, is_code)).split()) for is_code in (False, True)}
        yield place, heading, told[False], told[True]
        if docname == SYMBOLS:
            for row in node.findall(nodes.row):
                if isinstance(row.parent, nodes.tbody):
                    name, _formula, shape, meaning, lesson = [" ".join(_words_of(entry)) for entry in row.children]
                    yield place, name, f"{meaning} · {shape} · lesson {lesson}", ""


def _words_of(entry: nodes.Element) -> Iterator[str]:
    for paragraph in entry.findall(nodes.paragraph):
        yield " ".join("".join(_words(paragraph)).replace("…", "").split())


def _texts(section: nodes.Element, is_code: bool) -> Iterator[str]:
    """The texts of a section itself that are code, or that are not."""
    for child in section.children:
        if isinstance(child, (*LEFT_OUT, *SECTIONS, nodes.title, addnodes.desc_signature)):
            continue
        if isinstance(child, nodes.Element):
            if LEFT_OUT_CLASSES & set(child.get("classes", [])):
                continue
            is_whole = isinstance(child, (nodes.paragraph, nodes.literal_block, nodes.term))
            if is_whole and is_code != isinstance(child, nodes.literal_block):
                continue
            text = "".join(_words(child)) if is_whole else " ".join(_texts(child, is_code))
            if not NEIGHBOURS.match(text):
                yield text
        elif not is_code:
            yield child.astext()


def _words(paragraph: nodes.Element) -> Iterator[str]:
    for child in paragraph.children:
        if isinstance(child, nodes.Text):
            yield child.astext()
        elif not isinstance(child, LEFT_OUT):
            yield from _words(child)
        else:
            yield " … "


def use_own_search(app: Sphinx) -> None:
    app.builder.search = False  # Sphinx's own fetches each page that it found, to show a line of it


def page_of_search(_app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    yield "search", {"title": "Search"}, "search.html"


def write(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.name != "html":
        return
    pages, found = [], []
    for docname in sorted(app.env.found_docs):
        pages.append([f"{docname}.html", app.env.titles[docname].astext()])
        doctree = app.env.get_doctree(docname)
        found += [[len(pages) - 1, *section] for section in sections(doctree, docname)]
    text = json.dumps({"pages": pages, "sections": found}, ensure_ascii=False, separators=(",", ":"))
    (Path(app.outdir) / "_static" / "searched.js").write_text(f"window.SEARCHED = {text};\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", use_own_search)
    app.connect("html-collect-pages", page_of_search)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
