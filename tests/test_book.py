"""What the book does to a page before it is printed, and to the print; a browser prints one in tests/browser."""

import json
import logging
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from lxml import html
from website import DOCS, LESSONS

sys.path.insert(0, str(DOCS / "_extensions"))

from book import (
    COLUMNS,
    FOLDED,
    TALL,
    book,
    fitted,
    headings_of,
    how_to_use,
    numbered,
    pages_in_contents,
    running_heads,
)
from measured import Sheet
from pdf import colophon, disagreements, heads_of, holes, mend_titles, say_what_no_font_has, settled, to_shrink
from sphinx.errors import ExtensionError
from terms import BELOW, SAID, TERMS, _spot, pattern

CODE = "<span></span><span class='k'>if</span> x:\n    <span class='s'>'''a\n" + "b " * 60 + "'''</span>\nend\n"
LESSON = f"""<div role="main"><section id="title"><h1>Course</h1></section>
<span id="document-notebooks/01-a"></span><section id="a"><h1>1. A</h1>
<p>A <em>score</em> is a number. <a href="#a">Here</a>.</p>
<div class="cell docutils"><div class="highlight"><pre>{CODE}</pre></div>
<details class="admonition hide below-input"><summary>Open it</summary><div class="cell_output">7</div></details>
</div>
<details><summary>After your guess: what it shows, and why</summary><p>It is 7.</p></details>
<div class="cell tag_checked docutils"><div class="highlight"><pre>assert 7 == 7</pre></div></div>
<div class="picture" style="--width: 600px"><img width="600" height="900" src="x.png"></div>
<section id="recap"><h2>Recap</h2><p><strong>Sources.</strong> One.</p><p>Two.</p></section>
</section></div>"""


@pytest.fixture(scope="module")
def made() -> html.HtmlElement:
    return html.document_fromstring(book(LESSON, "Course", {"Part": ["notebooks/01-a"]}, "", ""))


def test_answer_stands_apart_with_its_words_open_and_without_what_checks_it(made: html.HtmlElement) -> None:
    guess, answer = made.xpath("//div[contains(@class, 'cell ')]/*[position() > 1]")
    assert guess.text == "My guess" and answer.get("class") == "answer"
    assert answer[0].text == "Answer" and answer.text_content().endswith("7")
    (words,) = made.xpath("//div[@class='answer words']")
    assert words.text_content() == "It is 7."
    assert "assert 7" not in made.text_content() and "After your guess" not in made.text_content()


def test_line_that_is_too_long_goes_on_further_in(made: html.HtmlElement) -> None:
    (code,) = made.xpath("//pre")
    assert code.text_content() == html.fromstring(f"<pre>{CODE}</pre>").text_content()
    (long,) = code.xpath("./span[@class='long']")
    assert len(long.text_content().rstrip("\n")) > COLUMNS and long.get("style") == "--in: 4ch"
    assert long.xpath("./span[@class='s']"), "a colour that goes over several lines is kept"


def test_ends_of_long_code_stay_together_and_play_says_that_paper_stands_still() -> None:
    lines = "\n".join([*(f"line_{i}" for i in range(20)), "long " * 30])
    lesson = LESSON.replace(CODE, lines).replace("<h2>Recap</h2>", "<h2>Play</h2>")
    made = html.document_fromstring(book(lesson, "Course", {"Part": ["notebooks/01-a"]}, "", ""))
    (code,) = made.xpath("//pre")
    first, last = code.xpath("./span[@class='together']")
    assert first.text_content() == "line_0\nline_1\nline_2\n" and last.text_content().startswith("line_18\nline_19\n")
    assert code.text_content().strip() == lines.strip()
    (said,) = made.xpath("//p[@class='on-screen']")
    assert said.getprevious().text_content() == "Play"


def test_tall_picture_leaves_room_and_sources_are_small(made: html.HtmlElement) -> None:
    assert made.xpath("//div[@class='picture']/@style") == [f"--width: {600 * TALL // 900}px"]
    assert [part.text_content() for part in made.xpath("//p[@class='sources']")] == ["Sources. One.", "Two."]


def test_index_leads_to_where_a_term_is_introduced(made: html.HtmlElement) -> None:
    (link,) = made.xpath("//section[@id='chapter-index']//li[starts-with(., 'score')]/a")
    assert link.get("class") == "introduced"
    (spot,) = made.xpath(f"//em[@id='{link.get('href')[1:]}']")
    assert spot.text == "score" and spot.getparent().text_content().startswith("A score")


def words_of(lesson: str) -> str:
    cells = json.loads((DOCS.parent / "notebooks" / f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_every_term_of_the_index_stands_in_some_lesson_and_below_its_heading() -> None:
    said = "\n".join(map(words_of, LESSONS))
    assert not [term for term in TERMS if not pattern(term).search(said)]
    assert len(TERMS) == len(set(TERMS)) > 60 and {*BELOW, *SAID} <= set(TERMS)
    for term, heading in BELOW.items():
        (below,) = re.findall(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", said, re.M | re.S)
        assert pattern(term).search(heading + below), term


def test_wordings_that_paper_mends_stand_in_their_lessons() -> None:
    for wording, (on_paper, lesson) in FOLDED.items():
        assert re.search(wording, words_of(lesson)) and not re.search(wording, on_paper), wording
    with pytest.raises(ExtensionError, match="no longer says"):
        book(LESSON.replace("01-a", "01-inputs"), "Course", {"Part": ["notebooks/01-inputs"]}, "", "")


def test_term_is_introduced_below_its_heading_and_the_index_leads_to_its_words() -> None:
    below = "</section>\n<section id='s'><h2>Step 6: train</h2><p>x, the warm-up</p></section></section>"
    lesson = LESSON.replace("</section>\n</section>", below).replace("<p>A ", "<p>No <em>warm-up</em>.</p><p>A ")
    made = html.document_fromstring(book(lesson, "Course", {"Part": ["notebooks/01-a"]}, "", ""))
    (link,) = made.xpath("//li[starts-with(., 'warm-up')]/a[@class='introduced']")
    (spot,) = made.xpath(f"//*[@id='{link.get('href')[1:]}']")
    assert spot.text_content() == "warm-up" and spot.getparent().text_content() == "x, the warm-up"


def test_index_leads_to_the_first_word_of_a_term_that_is_partly_in_italics() -> None:
    part = html.fromstring("<p>Add <math><mi>layer</mi></math>. A <em>layer</em> norm.</p>")
    spot = _spot(part, pattern("layer norm"))
    assert spot.tag == "span" and spot.getparent().tag == "em" and part.text_content() == "Add layer. A layer norm."


def test_places_are_those_of_headings_which_are_neighbours(made: html.HtmlElement) -> None:
    assert [heading.tag for heading in made.xpath("//*[@id='chapter-1-recap']")] == ["h2"]
    assert not made.xpath("//section//section")
    assert ("Recap", "chapter-1-recap") in headings_of(html.tostring(made, encoding="unicode"))


EXERCISE = """<section id="twice"><h3>Twice</h3>
<details><summary>Open</summary><pre># Solution of "twice"</pre></details></section></section></div>"""


def test_exercise_and_its_solution_and_questions_lead_to_pages() -> None:
    questions = """<span id="document-questions"></span><section id="q"><h1>Questions</h1><ul><li><p>
<a href="#document-notebooks/01-a#recap">Why?</a> So.</p></li></ul></section></div>"""
    page = LESSON.removesuffix("</section></div>") + EXERCISE.removesuffix("</div>") + questions
    written = book(page, "Course", {"Part": ["notebooks/01-a"], "": ["questions"]}, "", "")
    pages = {"exercise-chapter-1-1": 7, "solution-chapter-1-1": 90, "chapter-1-recap": 8}
    made = html.document_fromstring(numbered(written, pages))
    assert [line.text_content() for line in made.xpath("//p[@class='solution']")] == ["Solution on page 90"]
    (back,) = made.xpath("//p[@class='exercise']")
    assert back.text_content() == "Exercise on page 7" and back.getprevious().get("id") == "solution-chapter-1-1"
    assert made.xpath("//*[@id='exercise-chapter-1-1']")[0].text == "Twice"
    assert "Why? (page 8) So." in made.xpath("//li/p")[0].text_content().strip()


def test_page_behind_the_cover_names_the_course_where_it_is_known() -> None:
    made = how_to_use((1, 3, 5), "https://x.org/a")
    assert "lessons\n1, 3 and 5." in made and "python3 start.py" in made and '<a href="https://x.org/a">' in made
    assert "href" not in how_to_use((1, 3), None)


def test_book_is_printed_until_it_says_the_pages_on_which_things_are(monkeypatch: pytest.MonkeyPatch) -> None:
    prints = iter([{"a": 4}, {"a": 5}, {"a": 5}])
    monkeypatch.setattr("pdf.pages_of_places", lambda path: path)
    text = '<section class="contents"><span class="page" data-of="a">000</span></section>'
    printed: dict[str, dict[str, int]] = {}
    written, file = settled(text, lambda said: printed.setdefault(said, next(prints)))
    assert file == {"a": 5} == pages_in_contents(written)


def test_chapters_are_set_tighter_and_pictures_smaller_one_by_one() -> None:
    text = '<section data-fit="chapter-1:normal"><img src="a"><section data-fit="chapter-12:normal"><img src="b">'
    made = fitted(text, {"chapter-12"}, {1: 0.8})
    assert re.findall('data-fit="(.*?)"', made) == ["chapter-1:normal", "chapter-12:tight"]
    assert re.findall("--shrink: ([0-9.]+)", made) == ["1.000", "0.800"]


def test_picture_shrinks_where_it_fills_a_hole_and_can_still_be_read() -> None:
    full = Sheet(1, [(7, 0.2, 0.3)])
    assert to_shrink([Sheet(0.6, []), Sheet(1, [(8, 0, 0.4)]), full], {}) == {8: pytest.approx(0.95)}
    assert to_shrink([Sheet(0.6, []), Sheet(1, [(8, 0, 0.4)]), full], {8: 0.9}) == {8: pytest.approx(0.855)}
    for pages in ([full, full], [Sheet(0.6, []), Sheet(1, [(8, 0, 0.9)])], [Sheet(0.6, []), Sheet(1, [])]):
        assert not to_shrink(pages, {})
    assert holes([full, Sheet(0.5, []), full]) == pytest.approx(0.35) and not holes([full, Sheet(0.25, [])])
    assert holes([full, Sheet(0.05, [])]) > 0.3


def test_pages_that_do_not_agree_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    written = (
        '<section class="contents"><h1>Contents</h1><span class="page" data-of="a">3</span></section>'
        '<section><h1 id="a">Of →</h1><h2 id="b">Step 1</h2></section>'
    )
    texts = iter(["Contents", "", "Step 1", "Of"])
    page = SimpleNamespace(get_textpage=lambda: SimpleNamespace(get_text_range=lambda: next(texts)))
    file = type("File", (list,), {"close": lambda self: None})([page] * 4)
    monkeypatch.setattr("pdf.pypdfium2.PdfDocument", lambda path: file)
    monkeypatch.setattr("pdf.pages_of_places", lambda path: {"a": 4, "b": 3})
    marks = [[("chapter", "Contents")], [], [], [("chapter", "Of →"), ("section", "Step 1")]]
    assert list(disagreements(Path("x.pdf"), written, marks)) == [
        "Of →: bookmark 4, contents 3",
        "Step 1: bookmark 4, link 3",
        "Step 1: not on page 4, to which its bookmark leads",
    ]


def test_titles_of_the_outline_are_those_of_the_book_in_its_order() -> None:
    """Chromium says words in code or in italics again that it moves to the next page."""
    said = ["words into Step 5: mix other words into itit", "Several waysat once", "tick tick"]
    titles = ["Step 5: mix other words into it", "Several ways at once", "tick tick"]
    items = [SimpleNamespace(title=title) for title in said]
    mend_titles(items, titles)
    assert [item.title for item in items] == titles
    with pytest.raises(ExtensionError, match="2 headings"):
        mend_titles(items, titles[:2])
    with pytest.raises(ExtensionError, match="tick tick"):
        mend_titles(items, [*titles[:2], "tock"])


def test_heads_name_the_chapter_on_the_left_and_the_section_on_the_right() -> None:
    one, step = ("chapter", "1. A: begin"), ("section", "Step 1: b")
    marks = [[], [("chapter", "Contents")], [("part", "P")], [one], [], [step], [step, ("section", "Recap")], [], []]
    assert heads_of(marks) == [None, "", None, "", "1. A", "1. A", "Step 1: b", "1. A", "1. A · Recap"]
    heads = html.document_fromstring(running_heads([None, "1. A"])).xpath("//div")
    assert [head.get("class").split()[1] for head in heads] == ["right", "left"]
    assert [head.text_content().strip() for head in heads] == ["", "1. A2"]


def test_colophon_names_the_edition_as_far_as_it_is_known() -> None:
    assert colophon("1.0.0", "2026-02-03", "https://x.org/a") == (
        "\n<p>Version 1.0.0, last changed on 3 February 2026. "
        'The newest edition: <a href="https://x.org/a">https://x.org/a</a>.</p>'
    )
    assert colophon("1.0.0", "", None) == "\n<p>Version 1.0.0.</p>"
    assert colophon("", "", None) == ""


def test_letters_that_no_font_has_are_named(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    asked = []

    def fonts_with(command: list[str], **_: object) -> SimpleNamespace:
        asked.append(command[1])
        return SimpleNamespace(stdout="" if command[1] in {":charset=610f", ":charset=1f916"} else "Some Font\n")

    monkeypatch.setattr("pdf.shutil.which", lambda name: f"/bin/{name}")
    monkeypatch.setattr("pdf.subprocess.run", fonts_with)
    monkeypatch.setattr(logging.getLogger("sphinx"), "propagate", True)
    with caplog.at_level(logging.INFO):
        say_what_no_font_has("of attention → 注意 🤖, \N{SQUARE ROOT}3\u200b")
        assert asked == [":charset=2192", ":charset=221a", ":charset=610f", ":charset=6ce8", ":charset=1f916"]
        assert "No font on this machine has 意 🤖, which" in caplog.text
        caplog.clear()
        say_what_no_font_has("→ 注")
        assert not caplog.records
