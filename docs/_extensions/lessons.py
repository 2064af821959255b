"""Lessons as pages, and links that lead to pages of the site where there are any.

The lessons are copied below docs/, where Sphinx finds them, and stay as they are; what a page shows otherwise than
JupyterLab is changed while it is read.
"""

import base64
import hashlib
import html
import io
import json
import posixpath
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from docutils import nodes
from PIL import Image
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from helpers.drawing.diagrams import STAGES
from helpers.live.calculation.sheet import RUN_IT, calculation

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent

LINK = re.compile(r"\]\((?!https?:|mailto:|data:|attachment:|#)([^\s()<>#]+)(#[^\s()]*)?\)")
# Files at the top of the repository that a page shows by including them
PAGE_OF = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
SLIDER = re.compile(r"Run this cell to (.+)\.$")
INLINE_PICTURE = re.compile(r'<img\b[^>]*?src="data:image/png;base64,([^"]+)"[^>]*>')
PDF = 'Or take it along: <a href="attention-step-by-step.pdf">the course as one PDF</a>.'
STRIP = re.compile(r'<nav data-stage="(\d+)"></nav>')
EXPLORER = re.compile(r'<div data-explorer-of="(\S+)"></div>')
CALCULATION = '<div data-calculation-here=""></div>'


def copy_lessons(app: Sphinx, _config: Any) -> None:
    """notebooks/ -> docs/notebooks/, each file only where it has changed."""
    there = DOCS / "notebooks"
    there.mkdir(exist_ok=True)
    lessons = {path.name: path for path in (ROOT / "notebooks").glob("*.ipynb")}
    for old in there.glob("*.ipynb"):
        if old.name not in lessons:
            old.unlink()
    for name, path in lessons.items():
        copy = there / name
        if not copy.exists() or copy.read_bytes() != path.read_bytes():
            shutil.copyfile(path, copy)


def anchor(heading: str) -> str:
    """JupyterLab's name for the place of a heading, so that one link serves JupyterLab and the site.

    Encoded as MyST leaves it when it looks for the place: it decodes all but these characters.
    """
    return re.sub("[;/?:@&=+$,#%]", lambda found: quote(found[0], safe=""), heading.replace("`", "").replace(" ", "-"))


# ---- while a page is read ----


def as_page(app: Sphinx, docname: str, source: list[str]) -> None:
    repository = app.config.repository
    if docname.startswith("notebooks/"):
        notebook = json.loads(source[0])
        source[0] = json.dumps(lesson_as_page(notebook, docname, repository))
    elif (DOCS / f"{docname}.md").exists():
        for file in (DOCS / "notebooks").glob("*.ipynb"):
            app.env.note_dependency(str(file))
        text = with_site_links(source[0], f"docs/{docname}.md", docname, repository)
        text = text.replace("<!-- explorer -->", explorer_of_last_lesson())
        text = text.replace("<!-- calculation -->", CALCULATION)
        source[0] = text.replace("<!-- PDF -->", PDF if app.tags.has("with_pdf") else "")


def as_included(app: Sphinx, relative_path: Path, docname: str, content: list[str]) -> None:
    """Change the links of a file that a page includes: they are written as seen from where the file is."""
    repository = app.config.repository
    file = posixpath.normpath(posixpath.join("docs", Path(relative_path).as_posix()))
    content[0] = with_site_links(content[0].replace("OWNER/REPOSITORY", repository), file, docname, repository)


def lesson_as_page(notebook: dict[str, Any], docname: str, repository: str) -> dict[str, Any]:
    """The strip becomes links, with buttons below it; what needs a kernel says so; answers to guesses are closed."""
    name = posixpath.basename(docname)
    binder = f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/notebooks/{name}.ipynb"
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cell["source"] = with_site_links(text, f"{docname}.ipynb", docname, repository)
        else:
            cell["outputs"] = [output for output in cell["outputs"] if shows_something(output)]
            for output in cell["outputs"]:
                say_what_sliders_need(output, binder)
            if cell.get("metadata", {}).get("jupyter", {}).get("outputs_hidden"):
                cell["metadata"]["tags"] = [*cell["metadata"].get("tags", []), "hide-output"]
                cell["metadata"]["mystnb"] = {
                    "code_prompt_show": "Open the answer",
                    "code_prompt_hide": "Close the answer",
                }
    first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    buttons = (
        f'<nav data-stage="{int(name[:2])}"></nav>\n\n'
        f"```{{container}} buttons\n[Open on Binder]({binder})\n{{download}}`Download the notebook <{name}.ipynb>`\n```"
    )
    first_as_text = {"cell_type": "markdown", "id": first["id"], "metadata": {}, "source": buttons}
    notebook["cells"] = [first_as_text if cell is first else cell for cell in notebook["cells"]]
    return notebook


def shows_something(output: dict[str, Any]) -> bool:
    """All but the empty output before closed ones, and the box through which a calculation speaks to a kernel."""
    return output.get("data") != {} and "".join(output.get("data", {}).get("text/plain", "")) != RUN_IT


def say_what_sliders_need(output: dict[str, Any], binder: str) -> None:
    found = SLIDER.match("".join(output.get("data", {}).get("text/plain", "")))
    if found and "text/html" not in output["data"]:
        output["data"]["text/html"] = (
            '<p class="needs-python">On this page nothing is run. '
            f'To {html.escape(found[1])}, open this lesson <a href="{html.escape(binder)}">on Binder</a> or '
            '<a data-page="running">on your own machine</a>.</p>'
        )


def with_site_links(markdown: str, file: str, docname: str, repository: str) -> str:
    """Relative links of a file of the repository as links of the page that shows it."""

    def changed(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(file), found[1]))
        place = "#" + quote(unquote(found[2][1:]), safe="") if found[2] else ""
        return f"]({_page(target, place, docname, repository)})"

    return LINK.sub(changed, markdown)


def _page(target: str, place: str, docname: str, repository: str) -> str:
    if target in PAGE_OF:
        page = PAGE_OF[target]
    elif target.startswith("docs/"):
        page = target.removeprefix("docs/")
    elif target.startswith("notebooks/"):
        page = target
    elif (module := re.fullmatch(r"helpers/(models|data)/\w+\.py", target)) and (ROOT / target).exists():
        page, place = f"reference/{module[1]}.md", f"#{target.removesuffix('.py').replace('/', '.')}"
    elif (ROOT / target).exists():
        return f"https://github.com/{repository}/blob/HEAD/{target}"
    else:
        raise ExtensionError(f"{docname}: the link to {target} leads nowhere.")
    return posixpath.relpath(page, posixpath.dirname(docname) or ".") + place


@cache
def stored_explorers() -> dict[str, str]:
    """Each lesson that stores an explorer -> the HTML of its last one."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                stored = "".join(output.get("data", {}).get("text/html", ""))
                if stored.startswith('<div class="attention-explorer"'):
                    found[path.stem] = stored
    return found


def explorer_of_last_lesson() -> str:
    name = max(stored_explorers())
    return (
        f'<div data-explorer-of="{name}"></div>\n\n'
        f"These are weights from [lesson {int(name[:2])}](notebooks/{name}.ipynb), which also says how they come about."
    )


@cache
def calculation_of_three_words() -> str:
    """HTML of the sheet on the landing page: a noun looks for an adjective, and the two others for the noun."""
    noun, _pronoun, adjective = identity = [[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]
    looks_for = [[4 * number for number in kind] for kind in (adjective, noun, noun)]
    return calculation(
        identity, looks_for, identity, identity, stage="weights", row_labels=["animal", "it", "tired"]
    ).html


# ---- when a page is written ----


def finish_html(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """What depends on where the page is: links in the strip, files of pictures."""
    if app.builder.format != "html":
        return
    for node in doctree.findall(nodes.raw):
        if "html" not in node["format"]:
            continue
        text = EXPLORER.sub(lambda found: stored_explorers()[found[1]], node.astext())
        text = text.replace(CALCULATION, calculation_of_three_words())
        text = re.sub(r"<style>\.jp-.*?</style>", "", text, flags=re.S)  # speaks of JupyterLab's elements
        text = STRIP.sub(lambda found: strip(app, docname, int(found[1])), text)
        text = re.sub(r'data-page="(\w+)"', lambda found: f'href="{_uri(app, docname, found[1])}"', text)
        text = INLINE_PICTURE.sub(lambda found: as_file(app, docname, found), text)
        if text != node.astext():
            node.children = []
            node += nodes.Text(text)


def _uri(app: Sphinx, docname: str, target: str) -> str:
    return html.escape(app.builder.get_relative_uri(docname, target))


def strip(app: Sphinx, docname: str, lit: int) -> str:
    """The stages of the course in a row, each a link to its lesson."""
    lessons = {int(name[10:12]): name for name in app.env.found_docs if name.startswith("notebooks/")}
    items = []
    for number, stage in enumerate(STAGES, 1):
        name = f"<b>{number}</b> {html.escape(' '.join(stage.split()))}"
        if number not in lessons:
            items.append(f"<li><span>{name}</span></li>")
            continue
        here = ' aria-current="page"' if number == lit else ""
        items.append(f'<li><a href="{_uri(app, docname, lessons[number])}"{here}>{name}</a></li>')
    return f'<nav class="stages" aria-label="Lessons"><ol>{"".join(items)}</ol></nav>'


def as_file(app: Sphinx, docname: str, found: re.Match[str]) -> str:
    """An inline picture as a file beside the pages: a third smaller, and the text need not wait for it."""
    png = base64.b64decode(found[1])
    name = f"{hashlib.sha256(png).hexdigest()[:16]}.png"
    folder = Path(app.outdir) / "_images"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(png)
    root = "" if app.builder.name in ("singlehtml", "pdf") else "../" * docname.count("/")
    with Image.open(io.BytesIO(png)) as picture:
        pixels = picture.size
    tag = found[0].replace(f"data:image/png;base64,{found[1]}", f"{root}_images/{name}")
    width = int(re.search(r'\bwidth="(\d+)"', tag)[1])
    # The height, so that nothing moves when the picture comes.
    return re.sub(r'\bwidth="\d+"', f'width="{width}" height="{round(pixels[1] * width / pixels[0])}"', tag)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("repository", "OWNER/REPOSITORY", "env")
    app.connect("config-inited", copy_lessons)
    app.connect("source-read", as_page)
    app.connect("include-read", as_included)
    app.connect("doctree-resolved", finish_html)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
