"""What the book does to a page before it is printed, and to the print; a browser prints one in tests/browser."""

import json
import logging
import re
import sys
from types import SimpleNamespace

import pytest
from lxml import html
from website import DOCS, LESSONS

sys.path.insert(0, str(DOCS / "_extensions"))

from book import COLUMNS, TALL, book, fitted, running_heads
from measured import Sheet, squeezed
from pdf import as_written, colophon, heads_of, holes, say_what_no_font_has, to_shrink
from terms import TERMS

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
    assert made.xpath(f"//p[@id='{link.get('href')[1:]}']")[0].text_content().startswith("A score")


def test_every_term_of_the_index_stands_in_some_lesson() -> None:
    texts = []
    for lesson in LESSONS:
        cells = json.loads((DOCS.parent / "notebooks" / f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"]
        texts += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    said = "\n".join(texts).lower()
    assert not [term for term in TERMS if term.lower() not in said]
    assert len(TERMS) == len(set(TERMS)) > 60


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


def test_titles_of_the_outline_have_their_blanks_and_are_said_once() -> None:
    titles = {squeezed(title): title for title in ("Several ways at once", "tick tick")}
    assert as_written("Several waysat once", titles) == "Several ways at once"
    assert as_written("Several ways at onceSeveral ways at once", titles) == "Several ways at once"
    assert as_written("ticktick", titles) == "tick tick"
    assert as_written("unknown", titles) == "unknown"


def test_heads_name_the_chapter_on_the_left_and_the_section_on_the_right() -> None:
    one, step = ("chapter", "1. A: begin"), ("section", "Step 1: b")
    marks = [[], [("chapter", "Contents")], [("part", "P")], [one], [], [step], [step, ("section", "Recap")], [], []]
    assert heads_of(marks) == [None, "", None, "", "1. A", "1. A", "Step 1: b", "1. A", "Recap"]
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
