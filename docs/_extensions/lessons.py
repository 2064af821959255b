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
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import folds
import landing
import running
from book import SOLUTION
from docutils import nodes
from PIL import Image
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from helpers.drawing.diagrams import N_STAGES
from helpers.live.calculation.sheet import RUN_IT
from helpers.wording import counted
from tools.execute import AFTER_GUESS
from tools.front_ends import without_note

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent

LINK = re.compile(r"(\[(?:[^][]|\[[^][]*\])*)\]\((?!https?:|mailto:|data:|attachment:)([^\s()<>#]*)(#[^\s()]*)?\)")
# Files at the top of the repository that a page shows by including them
PAGE_OF = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "about.md",
    "CITATION.cff": "about.md",
}
SLIDER = re.compile(r"Run this cell to (.+)\.$")
PLAY = "Play"
HEADING = re.compile(r"^## (.+)", re.M)
CLOSED_WORDS = "<details>"  # how a text begins that answers, and gives no orders
HOW_TO_WAKE = re.compile(r'<p class="[^"]*-still"><em>.*?</em></p>', re.S)  # how a cell makes its map live
INLINE_PICTURE = re.compile(r'<img\b[^>]*?src="data:image/png;base64,([^"]+)"[^>]*>')
PREDICT = re.compile(r"^> (?:◆ )?\*\*Predict first\.\*\* (.+)", re.M)
QUESTION = re.compile(r"(?:^|(?<=[.?!] ))[^.?!]*(?:[.?!](?! )[^.?!]*)*\?")
EMPHASIS = re.compile(r"(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|`")
LONGEST_NAME = 90  # letters of a question on what opens its answer
MINUTES = re.compile(r" (\d+ minutes\b.*?)\.?$", re.M)
PERCENT = re.compile(r"(?<=\d) %")
LESSON = re.compile(r"\blesson (\d{1,2})\b", re.I)
NOT_PROSE = (nodes.reference, addnodes.pending_xref, nodes.title, nodes.literal, nodes.literal_block, nodes.raw)
# What says how to work in a notebook, and what the site says in its place
FOR_NOTEBOOKS = {
    re.compile(r"^## How to use a notebook\n.*", re.S): "",
    re.compile(r"Stuck\? Run `hint\(.*?further hint\."): (
        "To have your answers checked, and for hints, [run the lesson](../running.md). "
        "A solution is folded below each exercise."
    ),
    re.compile(r" The solution is folded below each exercise\."): "",
    re.compile(
        r" To see what you have solved, run `from helpers import progress; progress\(\)` in a new cell of any lesson\."
    ): "",
    re.compile(r" In a new cell, `sheet\.values\(\)\[\"outputs\"\]` gives the outputs as a tensor\."): "",
}
TO_CLICK = re.compile(r"^# (?:@title )?(.+): click to open$", re.M)  # the first line of a closed cell
NAMED_HERE = re.compile(r"\A# @title Code of .+: click to open\n")  # folds.py names what only draws
NOT_TRIED = "○ Not tried yet"
ANSWER = '<details class="admonition hide below-input">'
SAYS_IT = re.compile(rf"(</details>\n</div>\n)<details><summary>{AFTER_GUESS}</summary>\n(.*?)</details>\n?", re.S)
CHECKED = "checked"  # the tag of a cell of asserts alone, which says nothing to a reader
LARGE = {'<div data-here="hero"></div>': landing.hero, '<div data-here="calculation"></div>': landing.sheet}


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
        page = lesson_as_page(notebook, docname, repository)
        if app.builder.name != "pdf":  # a book cannot be opened further
            page["cells"] = folds.parted(page["cells"])
        source[0] = json.dumps(page)
    elif (DOCS / f"{docname}.md").exists():
        for file in (DOCS / "notebooks").glob("*.ipynb"):
            app.env.note_dependency(str(file))
        text = with_site_links(source[0], f"docs/{docname}.md", docname, repository)
        source[0] = with_parts(text, app)


def with_parts(text: str, app: Sphinx) -> str:
    """A page with what stands for comments such as <!-- lessons -->. What is large comes when the page is written."""
    for name in ("hero", "calculation"):
        text = text.replace(f"<!-- {name} -->", f'<div data-here="{name}"></div>')
    if "<!-- lessons -->" in text:
        text = text.replace("<!-- lessons -->", landing.list_of_lessons())
        text = text.replace("<!-- toctrees -->", landing.toctrees())
    if "<!-- ways to run -->" in text:
        ways = running.ways(app.config.repository, running.packed_course())
        text = text.replace("<!-- ways to run -->", f"{ways}\n\n{running.more()}")
    with_book = app.tags.has("with_pdf")
    text = text.replace("<!-- book -->\n", f"{running.link_to_book()}\n" if with_book else "")
    how = running.HOW_TO_GET_BOOK if with_book else running.HOW_TO_MAKE_BOOK
    return text.replace("<!-- how to make the book -->", how)


def as_included(app: Sphinx, relative_path: Path, docname: str, content: list[str]) -> None:
    """Change the links of a file that a page includes: they are written as seen from where the file is."""
    repository = app.config.repository
    file = posixpath.normpath(posixpath.join("docs", Path(relative_path).as_posix()))
    content[0] = with_site_links(content[0], file, docname, repository)


def lesson_as_page(notebook: dict[str, Any], docname: str, repository: str | None) -> dict[str, Any]:
    """Buttons come on top; what speaks of notebooks speaks of the page; answers to guesses are closed."""
    name = posixpath.basename(docname)
    cells, above = [], ""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            above = "".join(cell["source"])
            text = with_site_links(above, f"{docname}.ipynb", docname, repository)
            cell["source"] = as_said_on_the_site(text)
            cells += [cell] if cell["source"] else []
        elif CHECKED not in cell["metadata"].get("tags", []):
            cells.append(code_as_on_page(cell, question_in(above)))
            above = ""
    say_what_needs_python(cells)
    n_exercises = sum(SOLUTION in cell["source"] for cell in cells if cell["cell_type"] == "code")
    if cells[0]["cell_type"] == "markdown":
        cells[0]["source"] = with_minutes_below(cells[0]["source"], n_exercises)
    cells = [with_strip_as_text(cell, int(name[:2])) for cell in cells]
    notebook["cells"] = [cell for cell in cells if cell["source"]]
    buttons = f"```{{container}} buttons\n{running.buttons(name, repository)}\n```"
    notebook["cells"].insert(1, {"cell_type": "markdown", "id": "buttons", "metadata": {}, "source": buttons})
    return notebook


def with_strip_as_text(cell: dict[str, Any], stage: int) -> dict[str, Any]:
    """The cell that draws the strip of stages as its picture, without code; any other cell as it is."""
    if cell["cell_type"] != "code" or not re.search(r"^pipeline\(", cell["source"], re.M):
        return cell
    return {"cell_type": "markdown", "id": cell["id"], "metadata": {}, "source": strip(cell, stage)}


def as_said_on_the_site(text: str) -> str:
    """A text of a lesson without what helps only those who have it as a notebook."""
    for said, instead in FOR_NOTEBOOKS.items():
        text = said.sub(instead, text)
    return text


def with_minutes_below(lead: str, n_exercises: int) -> str:
    """The minutes that end a lesson's lead, on a line of their own, with how many exercises there are."""
    exercises = f" · {n_exercises} exercise{'s' * (n_exercises > 1)}" if n_exercises else ""
    facts = "\n\n```{container} facts\n%s%s\n```"
    return MINUTES.sub(lambda found: facts % (found[1], exercises), lead, count=1)


def question_in(markdown: str) -> str:
    """The question that a reader answers first, as plain text, cut where it is long; empty where there is none."""
    asked = PREDICT.findall(markdown)
    plain = [EMPHASIS.sub("", question) for question in QUESTION.findall(asked[-1])] if asked else []
    plain = [question for question in plain if "$" not in question]
    short = [question for question in plain if len(question) <= LONGEST_NAME]
    if short or not plain:
        return short[0] if short else ""
    return f"{plain[0][: plain[0].rindex(' ', 0, LONGEST_NAME)]} …"


def code_as_on_page(cell: dict[str, Any], question: str = "") -> dict[str, Any]:
    """A cell with the outputs that make sense without a kernel, and with words for what opens and closes it."""
    metadata = cell.setdefault("metadata", {})
    cell["source"] = TO_CLICK.sub(r"# \1", NAMED_HERE.sub("", without_note("".join(cell["source"]))))
    if metadata.get("jupyter", {}).get("outputs_hidden"):
        metadata["tags"] = [*metadata.get("tags", []), "hide-output"]
        metadata["mystnb"] = opens("answer", question)
    elif "hide-input" in metadata.get("tags", []) and SOLUTION not in cell["source"]:
        title, _, code = cell["source"].partition("\n")
        length = counted(folds.n_said(code.splitlines()), "line")
        named = title.startswith("# ") and code
        metadata["mystnb"] = opens("code", f"{title.removeprefix('# ')}, {length}" if named else "")
    return cell


def strip(cell: dict[str, Any], stage: int) -> str:
    """HTML of the picture of all stages that the first cell of a lesson shows, where the text speaks of it."""
    if stage > N_STAGES:  # the list of lessons, which the sidebar has already
        return ""
    picture = "".join(part for output in cell["outputs"] for part in output["data"].get("text/html", ""))
    return f'<div class="strip" data-stage="{stage}" data-stages="{N_STAGES}">{picture}</div>'


def opens(what: str, name: str = "") -> dict[str, str]:
    """The words on what opens and closes a part of a cell; conf.py has those for solutions."""
    named = f": {name}" if name else ""
    return {"code_prompt_show": f"Open the {what}{named}", "code_prompt_hide": f"Close the {what}"}


def shows_something(output: dict[str, Any]) -> bool:
    """All but what is empty, the verdict on no answer, and what stands where a kernel would put a control."""
    said = said_in(output)
    return output.get("data") != {} and said != RUN_IT and not said.startswith(NOT_TRIED) and not SLIDER.match(said)


def said_in(output: dict[str, Any]) -> str:
    return "".join(output.get("data", {}).get("text/plain", ""))


def say_what_needs_python(cells: list[dict[str, Any]]) -> None:
    """Say what only a kernel can do, above the text that asks for it and not below: who reads "drag" looks for it.

    Outputs that stand where a kernel would put a control are dropped.
    """
    in_play, orders = False, 0  # the last text that is no answer
    asked: dict[int, list[str]] = {}
    for i, cell in enumerate(cells):
        if cell["cell_type"] == "markdown":
            for heading in HEADING.findall(cell["source"]):
                in_play = heading == PLAY
            orders = orders if cell["source"].startswith(CLOSED_WORDS) else i
            continue
        if what := what_needs_python(cell, in_play):
            asked.setdefault(orders, []).append(what)
        cell["outputs"] = [output for output in cell["outputs"] if shows_something(output)]
    for i, wanted in asked.items():
        cells[i]["source"] = with_notice(cells[i]["source"], ", and to ".join(wanted))


def what_needs_python(cell: dict[str, Any], in_play: bool) -> str:
    """What a reader can do with a cell only where it runs: its controls say so, and of other code, to change it."""
    said = [said_in(output) for output in cell["outputs"]]
    controls = [found[1] for found in map(SLIDER.match, said) if found]
    if controls:
        return controls[0]
    return "change the code" if in_play and RUN_IT not in said else ""  # a sheet needs no kernel


def with_notice(text: str, what: str) -> str:
    """A text with a line above it, but below its heading, on what one has to run the lesson for."""
    notice = f'<p class="needs-python">To {html.escape(what)}, <a data-page="running">run the lesson</a>.</p>'
    heading, rest = re.fullmatch(r"(#+ [^\n]+\n+)?(.*)", text, re.S).groups()
    return f"{heading or ''}{notice}\n\n{rest}"


def with_site_links(markdown: str, file: str, docname: str, repository: str | None) -> str:
    """Relative links of a file of the repository as links of the page that shows it."""

    def changed(found: re.Match[str]) -> str:
        place = "#" + quote(unquote(found[3][1:]), safe="") if found[3] else ""
        if not found[2]:
            return f"{found[1]}]({place})"
        target = posixpath.normpath(posixpath.join(posixpath.dirname(file), found[2]))
        page = _page(target, place, docname, repository)
        return f"{found[1]}]({page})" if page else found[1].removeprefix("[")

    return LINK.sub(changed, markdown)


def _page(target: str, place: str, docname: str, repository: str | None) -> str | None:
    """Where a file of the repository is read: on this site, else in the repository, if it has an address."""
    if target in PAGE_OF:
        page = PAGE_OF[target]
    elif target.startswith("docs/"):
        page = target.removeprefix("docs/")
    elif target.startswith("notebooks/"):
        page = target
    elif (module := re.fullmatch(r"helpers/(models|data)/\w+\.py", target)) and (ROOT / target).exists():
        page, place = f"reference/{module[1]}.md", f"#{target.removesuffix('.py').replace('/', '.')}"
    elif (ROOT / target).exists():
        return f"{repository}/blob/HEAD/{target}" if repository else None
    else:
        raise ExtensionError(f"{docname}: the link to {target} leads nowhere.")
    return posixpath.relpath(page, posixpath.dirname(docname) or ".") + place


def link_lessons(app: Sphinx, doctree: nodes.document) -> None:
    """Make the first "lesson 4" of each section a link."""
    here = app.env.docname
    if not here.startswith("notebooks/"):
        return
    lessons = {int(path.name[:2]): path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    seen = {(None, int(posixpath.basename(here)[:2]))}
    for text in list(doctree.findall(nodes.Text)):
        around = _ancestors(text)
        if any(isinstance(node, NOT_PROSE) for node in around):
            continue
        section = next((node["ids"][0] for node in around if isinstance(node, nodes.section)), "")
        parts, end = [], 0
        for found in LESSON.finditer(text):
            number = int(found[1])
            if number not in lessons or {(None, number), (section, number)} & seen:
                continue
            seen.add((section, number))
            link = addnodes.pending_xref(
                refdomain="std",
                reftype="doc",
                reftarget=f"/notebooks/{lessons[number]}",
                refexplicit=True,
                refwarn=True,
            )
            link += nodes.inline("", found[0])
            parts += [nodes.Text(text[end : found.start()]), link]
            end = found.end()
        if parts:
            text.parent.replace(text, [*parts, nodes.Text(text[end:])])


def _ancestors(node: nodes.Node) -> list[nodes.Node]:
    found = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found


# ---- when a page is written ----


def finish_html(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """What depends on where the page is: links to other pages, files of pictures."""
    if app.builder.format != "html":
        return
    folds.name_what_opens(doctree)
    keep_percents_whole(doctree)
    for node in doctree.findall(nodes.raw):
        if "html" not in node["format"]:
            continue
        text = node.astext()
        for place, made in LARGE.items():
            if place in text:
                text = text.replace(place, made())
        text = re.sub(r"<style>\.jp-.*?</style>", "", text, flags=re.S)  # speaks of JupyterLab's elements
        text = re.sub(r'data-page="(\w+)"', lambda found: f'href="{_uri(app, docname, found[1])}"', text)
        text = HOW_TO_WAKE.sub("", text)
        text = INLINE_PICTURE.sub(lambda found: as_file(app, docname, found), text)
        if text != node.astext():
            node.children = []
            node += nodes.Text(text)


def keep_percents_whole(doctree: nodes.document) -> None:
    """Let no line end between a number and its per cent."""
    for text in list(doctree.findall(nodes.Text)):
        if PERCENT.search(text) and not isinstance(text.parent, nodes.raw | nodes.literal | nodes.literal_block):
            text.parent.replace(text, nodes.Text(PERCENT.sub("\u00a0%", text)))


def _uri(app: Sphinx, docname: str, target: str) -> str:
    return html.escape(app.builder.get_relative_uri(docname, target))


def fold_with_answer(
    _app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Make one part to open of an answer and of its words."""
    if pagename.startswith("notebooks/"):
        before, *answers = context.get("body", "").split(ANSWER)
        context["body"] = before + "".join(ANSWER + with_its_words(answer) for answer in answers)


def with_its_words(answer: str) -> str:
    """HTML from an answer to the next one, its words moved into it; `answer` begins within it."""
    next_cell = answer.find('<div class="cell ')
    part, rest = (answer, "") if next_cell < 0 else (answer[:next_cell], answer[next_cell:])
    return SAYS_IT.sub(r"\2\1", part, count=1) + rest


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
    tag = re.sub(r'\bwidth="\d+"', f'width="{width}" height="{round(pixels[1] * width / pixels[0])}"', tag)
    # What stands still until a script puts something else there is no wider than the page.
    return tag if "-still" in tag else f'<div class="picture" style="--width: {width}px">{tag}</div>'


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("repository", None, "env", types=frozenset({str, type(None)}))
    app.connect("config-inited", copy_lessons)
    app.connect("source-read", as_page)
    app.connect("include-read", as_included)
    app.connect("doctree-read", link_lessons)
    app.connect("doctree-resolved", finish_html)
    app.connect("html-page-context", fold_with_answer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
