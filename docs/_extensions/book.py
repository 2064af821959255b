"""The course as a book: what Sphinx has written as one HTML page, put in order for paper."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from urllib.parse import unquote

from lxml import html as lxml_html
from lxml.html import HtmlElement
from sphinx.errors import ExtensionError
from terms import index

from tools.execute import AFTER_GUESS

NOT_FOR_PAPER = [
    "//script",
    "//style",
    "//nav",
    "//a[contains(@class, 'headerlink')]",
    "//div[contains(concat(' ', @class, ' '), ' buttons ')]",
    "//p[contains(@class, 'needs-python')]",
    "//p[contains(@class, '-still')]",  # how to wake what is live
    "//details[contains(@class, 'below-input')]/summary",
    f"//details/summary[normalize-space() = '{AFTER_GUESS}']",
    "//div[contains(concat(' ', @class, ' '), ' tag_checked ')]",  # asserts beside an answer that stands in words
]
NEIGHBOURS = re.compile(r"^(Before: |The course · |Next: )")  # the line of links at the end of a lesson
# What is true of a screen alone, as a pattern -> what paper says, and the lesson that says it
FOLDED = {
    r"\w+ solution is folded below each exercise\.": ("Each exercise names the page of its solution.", "01-inputs"),
    r"skip the folded code": ("skip the code", "08-multi-head"),
}
SOLUTION = "Solution of"  # how the code of one begins
MADE_HERE = ("exercise-", "solution-", "term-")  # how the name of a place begins that is none of Sphinx's
HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
LONG = 12  # lines of code that may be parted by the end of a page
TOGETHER = 3  # lines of such code that stay together at its beginning and at its end
ON_SCREEN = "What is to be moved or clicked is moved on a screen. On paper it stands as it begins."
COLUMNS = 91  # characters of code that fit on a line
TALL = 450  # pixels of the screen, 0.26 mm each; a picture that is taller leaves no room for its text

HOW_TO_USE = """<h1>How to use this book</h1>
<p>You begin with three small vectors whose numbers you can check on paper, go on to a Transformer that you build, train
and look inside, and end with a real language model that runs in the modules you wrote. Each lesson adds one step and
says at its start what it needs from those before.</p>
<h2>What you should know</h2>
<p>You need to know some Python and how to multiply two matrices. The short road to attention as one function is lessons
{lessons}. What stands below <em>Off the main road</em> can be skipped.</p>
<h2>Where the code runs</h2>
<p>This book shows a course of Jupyter notebooks as they looked when they were run, and all of its code runs
there.{where} To get the notebooks running, type this in the folder of the course (on Windows,
<code>py start.py</code>):</p>
<pre>python3 start.py</pre>
<p>The command sets everything up in a virtual environment and opens JupyterLab on lesson 1. It needs Python 3.11 to
3.14 and a network.</p>
<h2>On paper</h2>
<ul>
<li><strong>Predict first.</strong> Stop there, and write your guess on the dotted line before you read on. The answer
is what stands beside the blue line below it.</li>
<li><strong>Play.</strong> What a reader drags, clicks or points at in the notebook stands here as it begins.</li>
<li><strong>Your turn.</strong> These are exercises: you write a function. In the notebook a cell checks it at once and
says which mistake it finds. Here each exercise names the page of its solution, and each solution that of its
exercise.</li>
</ul>
<p>The questions that learners ask, and the index, give the page where the book answers.</p>
<div class="imprint">
<p>On the cover: how much one head of a real model, which lesson 17 opens, lets the word <em>it</em> take from each word
of its sentence.</p>
<p>By the attention-step-by-step authors. Text, code and pictures may be used, changed and passed on under the MIT
licence.</p>
</div>"""

Groups = dict[str, list[str]]  # a caption -> the documents below it, in order


@dataclass
class Chapter:
    """A part of the book that begins on a page of its own: its name, its place, its title and what stands in it."""

    name: str
    place: str
    element: HtmlElement

    @property
    def title(self) -> str:
        return text_of(self.element.find(".//h1"))


def text_of(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())


def book(page: str, title: str, groups: Groups, cover: str, front: str) -> str:
    """The book as HTML. Where a page number belongs stands `<span class="page" data-of="place">`; see `numbered`.

    Parameters
    ----------
    page : str
        What Sphinx's builder for a single page has written.
    title : str
        The book's title.
    groups : dict of str to list of str
        The chapters in their groups.
    cover, front : str
        HTML of what stands on the cover below the title, and on the page behind it.
    """
    names = [name for documents in groups.values() for name in documents]
    main = lxml_html.document_fromstring(_unfolded(page, names)).xpath("//*[@role='main']")[0]
    chapters = [Chapter(name, f"chapter-{i}", _cut_out(main, name)) for i, name in enumerate(names, 1)]
    lessons = [chapter for chapter in chapters if chapter.name.startswith("notebooks/")]
    for name, made in (("solutions", _solutions(chapters)), ("index", index(lessons, _page_of("{}")))):
        if made is not None:
            chapters.append(Chapter(name, f"chapter-{name}", made))
            last = list(groups)[-1]
            groups = {**groups, last: [*groups[last], name]}
    _lead_links_to_chapters(chapters)
    _say_pages_of_questions(chapters)
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>',
            '<link rel="stylesheet" href="_static/pygments.css">',
            '<link rel="stylesheet" href="_static/typefaces.css">',
            '<link rel="stylesheet" href="_static/book.css">\n</head>\n<body>',
            f'<section class="cover">\n<p class="title">{html.escape(title)}</p>\n{cover}\n</section>',
            f'<section class="front">\n{front}\n</section>',
            _contents(chapters, groups),
            *_body(chapters, groups),
            "</body>\n</html>\n",
        ]
    )


def numbered(written: str, pages: dict[str, int]) -> str:
    """The book with its page numbers: `pages` has the page of each place that a link leads to."""
    return re.sub(
        r'(<span class="page" data-of="([^"]+)">)[^<]*',
        lambda found: f"{found[1]}{pages.get(html.unescape(found[2]), '')}",
        written,
    )


def fitted(written: str, tight: set[str], shrunk: dict[int, float]) -> str:
    """The book with some chapters set tighter and some pictures smaller.

    `tight` has the places of chapters, as book.css says how; `shrunk` has how much of its width a picture keeps, by
    its number among all of the book.
    """
    number = count()
    pictures = re.sub("<img ", lambda found: f'{found[0]}style="--shrink: {shrunk.get(next(number), 1):.3f}" ', written)
    return re.sub(
        r'data-fit="([^":]+):\w+"',
        lambda found: f'data-fit="{found[1]}:{"tight" if found[1] in tight else "normal"}"',
        pictures,
    )


def headings_of(written: str) -> list[tuple[str, str]]:
    """(text, place) of all headings of a book, in order; the place is "" where no link leads."""
    headings = lxml_html.document_fromstring(written).iter(*HEADINGS)
    holders = ((heading, heading.getparent() if heading.tag == "h1" else heading) for heading in headings)
    return [(text_of(heading), heading.get("id") or holder.get("id", "")) for heading, holder in holders]


def pages_in_contents(written: str) -> dict[str, int]:
    """Each place that the contents name -> the page that they print."""
    pages = lxml_html.document_fromstring(written).xpath("//section[@class='contents']//span[@class='page']")
    return {page.get("data-of"): int(page.text) for page in pages}


def how_to_use(short_road: Sequence[int], address: str | None) -> str:
    """HTML of the page behind the cover: for whom the book is, where its code runs, and what its signs mean on paper.

    Parameters
    ----------
    short_road : sequence of int
        The lessons that lead to attention as one function.
    address : str or None
        Where the course lives; None while nobody has set it.
    """
    lessons = f"{', '.join(map(str, short_road[:-1]))} and {short_road[-1]}"
    where = f' The course is at <a href="{html.escape(address)}">{html.escape(address)}</a>.' if address else ""
    return HOW_TO_USE.format(lessons=lessons, where=where)


def running_heads(heads: list[str | None]) -> str:
    """HTML with a page for each head: it and the number, which stands outside; None leaves a page without."""
    pages = "".join(
        f'<div class="running-head {"right" if number % 2 else "left"}">'
        + ("" if head is None else f"<span>{html.escape(head)}</span><span>{number}</span>")
        + "</div>\n"
        for number, head in enumerate(heads, 1)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Running heads</title>\n'
        '<link rel="stylesheet" href="_static/typefaces.css">\n<link rel="stylesheet" href="_static/book.css">\n'
        f"</head>\n<body>\n{pages}</body>\n</html>\n"
    )


def _unfolded(page: str, names: list[str]) -> str:
    """What Sphinx has written, with the words that fit paper; an error where a lesson no longer says what is mended."""
    for wording, (on_paper, lesson) in FOLDED.items():
        page, n_found = re.subn(wording, on_paper, page)
        if not n_found and f"notebooks/{lesson}" in names:
            raise ExtensionError(f"Lesson {lesson} no longer says {wording!r}: mend FOLDED in book.py.")
    return page


def _cut_out(main: HtmlElement, name: str) -> HtmlElement:
    """One document, its title an h1, without what only a screen can do."""
    chapter = main.xpath(f"//span[@id='document-{name}']")[0].getnext()
    for path in NOT_FOR_PAPER:
        for element in chapter.xpath("." + path):
            element.drop_tree()
    for closed in chapter.xpath(".//details"):
        if SOLUTION not in closed.text_content():
            closed.tag = "div"  # paper cannot be opened
            if "below-input" not in closed.get("class", "") and closed.find("summary") is None:
                closed.set("class", "answer words")
    for summary in chapter.xpath(".//div[contains(@class, 'above-input')]/summary"):
        summary.drop_tree()
    for answer in chapter.xpath(".//div[contains(@class, 'below-input')]"):
        answer.set("class", "answer")
        answer.insert(0, lxml_html.fragment_fromstring('<p class="answer-head">Answer</p>'))
        answer.addprevious(lxml_html.fragment_fromstring('<p class="guess">My guess</p>'))
    for summary in chapter.xpath(".//div/summary"):
        summary.tag, summary.attrib["class"] = "p", "summary"
    for paragraph in chapter.xpath(".//p[starts-with(normalize-space(), 'Sources.')]"):
        for part in (paragraph, *paragraph.itersiblings("p")):
            part.set("class", "sources")
    for paragraph in chapter.xpath(".//p"):
        if NEIGHBOURS.match(text_of(paragraph)):
            paragraph.drop_tree()
    for code in chapter.xpath(".//pre"):
        if code.text_content().strip().count("\n") < LONG:
            code.getparent().set("class", f"{code.getparent().get('class', '')} whole")
        if any(len(line) > COLUMNS for line in code.text_content().split("\n")):
            _hang_long_lines(code)
    for picture in chapter.xpath(".//div[@class='picture'][img[@height]]"):
        width, height = (int(picture.find("img").get(side)) for side in ("width", "height"))
        if height > TALL:
            picture.set("style", f"--width: {round(width * TALL / height)}px")
    for heading in [heading for heading in chapter.iter(*HEADINGS) if text_of(heading) == "Play"]:
        heading.addnext(lxml_html.fragment_fromstring(f'<p class="on-screen">{ON_SCREEN}</p>'))
    headings = list(chapter.iter(*HEADINGS))
    highest = min(int(heading.tag[1]) for heading in headings)
    for heading in headings:
        heading.tag = f"h{min(6, int(heading.tag[1]) - highest + 1)}"
    return chapter


def _hang_long_lines(code: HtmlElement) -> None:
    """Make each line that is too long a block, so that what goes on below is further in, with a sign."""
    inner = lxml_html.tostring(code, encoding="unicode", with_tail=False)
    inner = inner[inner.index(">") + 1 : inner.rindex("</")]
    lines, line, opened = [], "", []
    for part in [*re.split(r"(<[^>]*>|\n)", inner), "\n"]:
        if part == "\n":
            lines.append(line + "".join(f"</{tag[1:-1].split()[0]}>" for tag in reversed(opened)))
            line = "".join(opened)
            continue
        line += part
        if part.startswith("</"):
            opened.pop()
        elif part.startswith("<"):
            opened.append(part)
    if not lines[-1]:
        lines.pop()  # behind the code's last line
    made = list(map(_hung, lines))
    if len(made) > LONG:  # lines that are blocks stand alone, so orphans and widows know nothing of them
        ends = ("".join(made[:TOGETHER]), "".join(made[-TOGETHER:]))
        first, last = (f'<span class="together">{end}</span>' for end in ends)
        made = [first, f'<span class="lines">{"".join(made[TOGETHER:-TOGETHER])}</span>', last]
    hung = lxml_html.fragment_fromstring(f"<pre>{''.join(made)}</pre>")
    hung.attrib.update(code.attrib)
    hung.tail = code.tail
    code.getparent().replace(code, hung)


def _hung(line: str) -> str:
    text = html.unescape(re.sub("<[^>]*>", "", line))
    if len(text) <= COLUMNS:
        return f"{line}\n"
    return f'<span class="long" style="--in: {len(text) - len(text.lstrip()) + 4}ch">{line}\n</span>'


def _page_of(place: str) -> str:
    return f'<span class="page" data-of="{html.escape(place)}">000</span>'


def _solutions(chapters: list[Chapter]) -> HtmlElement | None:
    """Move all solutions to a chapter of their own, each below the name of its exercise; None where there are none."""
    collected = lxml_html.fragment_fromstring("<section><h1>Solutions</h1></section>")
    for chapter in chapters:
        closed = chapter.element.xpath(".//details")
        if closed:
            heading = lxml_html.fragment_fromstring("<h2></h2>")
            heading.text = chapter.title.partition(":")[0]
            collected.append(heading)
        for number, details in enumerate(closed, 1):
            place = f"solution-{chapter.place}-{number}"
            exercise = details.xpath("./preceding::*[self::h2 or self::h3][1]")[0]
            if not exercise.get("id"):
                exercise.set("id", f"exercise-{chapter.place}-{number}")
            there = lxml_html.fragment_fromstring(f'<section id="{place}"><h3></h3></section>')
            there.find("h3").text = text_of(exercise)
            there.append(_led("Exercise", exercise.get("id")))
            for comment in details.xpath(f".//span[@class='c1'][contains(., '{SOLUTION}')]"):
                comment.tail = (comment.tail or "").removeprefix("\n")
                comment.drop_tree()  # the heading says it
            for part in details.xpath("./*[not(self::summary)]"):
                there.append(part)
            collected.append(there)
            details.getparent().replace(details, _led("Solution", place))
    return collected if len(collected) > 1 else None


def _led(what: str, place: str) -> HtmlElement:
    """The line that leads from an exercise to its solution, or back."""
    return lxml_html.fragment_fromstring(
        f'<p class="{what.lower()}"><a href="#{place}">{what} on page {_page_of(place)}</a></p>'
    )


def _say_pages_of_questions(chapters: list[Chapter]) -> None:
    """Give each question the page that it leads to, which paper has no other way to say."""
    for chapter in (chapter for chapter in chapters if chapter.name == "questions"):
        for link in chapter.element.xpath(".//li/p[1]/a[1][starts-with(@href, '#')]"):
            page = lxml_html.fragment_fromstring(f'<span class="at">(page {_page_of(link.get("href")[1:])})</span>')
            page.tail, link.tail = link.tail, " "
            link.getparent().insert(link.getparent().index(link) + 1, page)


def _lead_links_to_chapters(chapters: list[Chapter]) -> None:
    """Give each place a name of its own, since many lessons have a "Play", and let links lead there or be words."""
    place_of = {chapter.name: chapter.place for chapter in chapters}
    moved: dict[str, str] = {}
    for chapter in chapters:
        for element in chapter.element.xpath(".//*[@id]"):
            if not element.get("id").startswith(MADE_HERE):
                element.set("id", f"{chapter.place}-{element.get('id')}")
        chapter.element.set("id", chapter.place)
        chapter.element.set("class", f"chapter {chapter.name.rpartition('/')[2]}")
        chapter.element.set("data-fit", f"{chapter.place}:normal")
        moved |= _name_headings(chapter.element)
    places = {place for chapter in chapters for place in chapter.element.xpath("descendant-or-self::*/@id")}
    for chapter in chapters:
        for link in chapter.element.xpath(".//a[@href]"):
            target = _target(link.get("href"), chapter, place_of)
            if target is None:
                continue
            target = moved.get(target, target)
            if target in places:
                link.set("href", f"#{target}")
            else:
                link.drop_tag()


def _name_headings(chapter: HtmlElement) -> dict[str, str]:
    """Give the places of sections to their headings, and drop the sections. Returns old place -> new place.

    A section begins where the text before it ends, so when its heading goes to the next page the section is still on
    this one. And headings are kept together only where they are neighbours.
    """
    moved = {}
    for section in [chapter, *chapter.xpath(".//section")]:
        heading = next(section.iter(*HEADINGS))
        old = [mark for mark in heading.itersiblings("span", preceding=True) if mark.get("id")]
        own = section if section is chapter else heading
        if not own.get("id") and section.get("id"):
            own.set("id", section.get("id"))
        moved |= {place.get("id"): own.get("id", "") for place in (section, *old) if place.get("id")}
        for mark in old:
            mark.drop_tree()
        if section is not chapter:
            section.drop_tag()
    return moved


def _target(link: str, chapter: Chapter, place_of: dict[str, str]) -> str | None:
    """The place in the book that a link of Sphinx means; None for one that leaves the book."""
    if not link.startswith("#"):
        return None if re.match(r"[a-z]+:", link) else ""
    if link.removeprefix("#").startswith(MADE_HERE):
        return link[1:]
    if not link.startswith("#document-"):
        return f"{chapter.place}-{unquote(link[1:])}"
    document, _, place = link.removeprefix("#document-").partition("#")
    start = place_of.get(document, "nowhere")
    return f"{start}-{unquote(place)}" if place else start


def _parts(groups: Groups) -> dict[str, tuple[str, str]]:
    """The place and the number of each group that is a part of the book."""
    several = [caption for caption, names in groups.items() if caption and len(names) > 1]
    return {caption: (f"part-{i}", f"Part {i}") for i, caption in enumerate(several, 1)}


def _body(chapters: list[Chapter], groups: Groups) -> Iterator[str]:
    """The chapters, with a page in front of each part that names it and what stands in it."""
    by_name = {chapter.name: chapter for chapter in chapters}
    parts = _parts(groups)
    for caption, names in groups.items():
        if caption in parts:
            place, number = parts[caption]
            lines = "".join(f"<li>{_entry(by_name[name].place, by_name[name].title, 'chapter')}</li>" for name in names)
            yield (
                f'<section class="part" id="{place}">\n<p class="number">{number}</p>\n'
                f"<h1>{html.escape(caption)}</h1>\n<ol>{lines}</ol>\n</section>"
            )
        for name in names:
            yield lxml_html.tostring(by_name[name].element, encoding="unicode")


def _contents(chapters: list[Chapter], groups: Groups) -> str:
    by_name = {chapter.name: chapter for chapter in chapters}
    places = _parts(groups)
    parts = []
    for caption, names in groups.items():
        lines = "".join(_line(by_name[name]) for name in names)
        heading = ""
        if caption in places:
            place, number = places[caption]
            heading = f'<div class="part-line">{_entry(place, f"{number}: {caption}", "chapter")}</div>'
        parts.append(f"{heading}<ol>{lines}</ol>")
    return f'<section class="contents"><h1>Contents</h1>{"".join(parts)}</section>'


def _line(chapter: Chapter) -> str:
    steps = "".join(_entry(place, title, "step") for place, title in _steps(chapter))
    return f"<li>{_entry(chapter.place, chapter.title, 'chapter')}{f'<ol>{steps}</ol>' if steps else ''}</li>"


def _steps(chapter: Chapter) -> Iterator[tuple[str, str]]:
    """(place, title) of what a chapter's contents name: its steps."""
    for heading in chapter.element.iter("h2"):
        title = text_of(heading)
        if title.startswith("Step "):
            yield heading.get("id"), title


def _entry(place: str, title: str, kind: str) -> str:
    link = f'<a class="{kind}" href="#{html.escape(place)}"><span>{html.escape(title)}</span>{_page_of(place)}</a>'
    return link if kind == "chapter" else f"<li>{link}</li>"
