"""The website in a real browser: no complaint, no request to elsewhere, open to everyone."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import lab
import numpy as np
import pikepdf
import pytest
from PIL import Image
from sheet import Sheet

from tools import draw_shared

sys.path.insert(0, str(lab.ROOT / "tests"))
sys.path.insert(0, str(lab.ROOT / "docs" / "_extensions"))

from measured import pages_of_places, sheets
from website import PAGES, built

# There are thousands of coloured words, in two dozen colours, and with them axe takes five times as long. A test of its
# own looks at the colours.
WITHOUT_WORDS_OF_CODE = """() => {
  for (const code of document.querySelectorAll('.highlight pre')) code.textContent = code.textContent;
}"""
CONTRAST, ALL_BUT_CONTRAST = "{runOnly: ['color-contrast']}", "{rules: {'color-contrast': {enabled: false}}}"
NARROW, WIDE = {"width": 320, "height": 640}, {"width": 1200, "height": 900}
SIDEWAYS = "() => document.documentElement.scrollWidth > window.innerWidth"
# Pictures that are shown at less than half their size, so that their words cannot be read
SMALL = """() => [...document.querySelectorAll('article img[width]')].filter((picture) => picture.checkVisibility()
  && picture.getBoundingClientRect().width < 0.5 * picture.getAttribute('width')).map((picture) => picture.alt)"""
# What goes on beyond the right edge, and cannot be brought into view
CUT = """() => [...document.querySelectorAll('article *')].filter((element) => {
  const box = element.getBoundingClientRect();
  if (!box.width || box.right <= innerWidth + 1 || element.closest('.visually-hidden, svg')) return false;
  for (let around = element.parentElement; around; around = around.parentElement) {
    const flow = getComputedStyle(around).overflowX;
    if (flow === 'auto' || flow === 'scroll') return false;
    if (flow === 'hidden' && around.offsetWidth <= 1) return false; // tables that only a screen reader reads
  }
  return true;
}).map((element) => element.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with lab.served(built(tmp_path_factory)) as address:
        yield address


@pytest.fixture(scope="module")
def open_page(chromium: Any, site: str) -> Iterator[Any]:
    """Opens a page of the site in the one tab that all these tests share."""
    context = chromium.new_context(viewport=WIDE)
    page = lab.watched(context.new_page())

    def opened(name: str, size: dict[str, int] = WIDE) -> Any:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light", media="screen", reduced_motion="reduce")
        page.complaints.clear()
        page.requests.clear()
        page.goto(f"{site}/{name}.html")
        return page

    yield opened
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_page_opens_and_is_open_to_all(open_page: Any, axe: str, name: str) -> None:
    page = open_page(name)
    assert page.title() and page.locator("h1").count() == 1
    assert page.evaluate("() => [...document.images].filter((i) => i.complete && !i.naturalWidth).length") == 0
    for closed in page.locator("details.hide").all():  # solutions, and answers to predictions
        inside = closed.locator(":scope > :not(summary)").first
        assert not inside.is_visible()
        closed.locator("summary").press("Enter")
        assert inside.is_visible()
    assert faults(page, axe, name) == []
    page.set_viewport_size(NARROW)  # which is also 1280 pixels at 400 %
    assert not page.evaluate(SIDEWAYS), "the page must not scroll sideways"
    assert page.evaluate(SMALL) == page.evaluate(CUT) == []
    page.set_viewport_size(WIDE)
    for explorer in page.locator(".attention-explorer").all():
        point_and_tab(page, explorer)
    assert page.complaints == page.requests == []


def faults(page: Any, axe: str, name: str) -> list[str]:
    """What axe-core complains of, in light and in dark."""
    if name.startswith("reference/"):  # the longest pages: their texts are many, and their looks few
        found = [*lab.hard_to_read(page, axe), *lab.violations(page, axe, options=ALL_BUT_CONTRAST)]
        lab.put_in(page, "dark")
        return found + lab.hard_to_read(page, axe)
    page.evaluate(WITHOUT_WORDS_OF_CODE)
    found = lab.violations(page, axe)
    lab.put_in(page, "dark")
    # Of a lesson only what the cells show: its prose looks like that of the other pages.
    part = "{include: ['.cell_output']}" if name.startswith("notebooks/") else "document"
    return found + lab.violations(page, axe, part, CONTRAST)


def point_and_tab(page: Any, explorer: Any) -> None:
    explorer.scroll_into_view_if_needed()
    assert not any(still.is_visible() for still in explorer.locator(".attention-explorer-still").all())
    queries = explorer.locator(".queries .word")
    queries.first.hover()
    said = explorer.locator(".readout").text_content()
    explorer.locator(".queries [tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    assert explorer.locator(".readout").text_content() != said or queries.count() < 3
    page.keyboard.press("Tab")
    assert explorer.locator(".keys .lit").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_of_code_can_be_read(open_page: Any, axe: str, scheme: str) -> None:
    page = open_page("notebooks/09-masked-decoder")
    lab.put_in(page, scheme)
    kinds = page.evaluate("""() => {
      const first = new Map();
      for (const word of document.querySelectorAll('.highlight span[class]')) {
        if (word.textContent.trim() && !first.has(word.className)) first.set(word.className, word);
      }
      for (const word of first.values()) word.dataset.first = '';
      return first.size;
    }""")
    assert kinds > 15
    assert lab.violations(page, axe, "{include: ['[data-first]']}", CONTRAST) == []


@pytest.mark.parametrize("rule", ["article p { color: #aaa }", "dd { background: #555 }", "dl code { color: #bbb }"])
def test_a_text_that_is_hard_to_read_is_found(open_page: Any, axe: str, rule: str) -> None:
    page = open_page("reference/checks")
    page.add_style_tag(content=rule)
    assert lab.hard_to_read(page, axe) != []


def test_explorer_on_the_landing_page_follows_the_theme(open_page: Any) -> None:
    page = open_page("index")
    explorer = page.locator(".attention-explorer")
    point_and_tab(page, explorer)
    card = explorer.locator(".card")
    page.emulate_media(color_scheme="dark")
    dark = "document.querySelector('.attention-explorer > div').shadowRoot.querySelector('.dark')"
    page.wait_for_function(f"() => {dark}")
    toggle = page.locator(".theme-toggle:visible")
    while page.evaluate("() => document.body.dataset.theme") != "light":
        toggle.click()
    page.wait_for_function(f"() => !{dark}")
    assert card.evaluate("(card) => getComputedStyle(card).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("() => localStorage.clear()")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
def test_a_link_from_the_landing_page_shows_the_numbers_and_is_not_below_the_header(
    open_page: Any, size: dict[str, int]
) -> None:
    page = open_page("index", size)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sheet = Sheet(page, page.locator(".attention-calculation"))
    assert sheet.table("scaled")[1] == ["4", "0", "0"] and sheet.lit("here") == {("weights", 1, 0)}
    assert not sheet.root.get_by_text("softmax over").is_visible()  # below "More"
    sheet.type("scaled", 1, 2, "5")
    chosen, weights = sheet.lit("here"), sheet.table("weights")
    assert float(weights[1][2]) > float(weights[1][0])  # "it takes most from there"
    sheet.press("Copy link")
    page.wait_for_function(
        "() => navigator.clipboard.readText().then((text) => text.includes('#calculation-0-weights-'))"
    )
    link = page.evaluate("() => navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    sheet.root.locator("[data-table=weights]").wait_for()
    assert sheet.table("weights") == weights and sheet.lit("here") == chosen == {("scaled", 1, 2)}
    assert sheet.root.get_by_label("query").evaluate("(select) => select.selectedOptions[0].text") == "it"
    page.wait_for_function("() => scrollY > 50")
    header = page.locator(".mobile-header").bounding_box() or {"y": 0, "height": 0}
    assert sheet.root.locator(".card").bounding_box()["y"] >= header["y"] + header["height"] - 1
    assert page.complaints == page.requests == []


def test_search_finds_sentences_and_asks_for_little(open_page: Any) -> None:
    page = open_page("index")
    page.get_by_role("textbox", name=re.compile("search", re.I)).fill("saturated gradient")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=saturated*")
    page.locator("#search-results a", has_text="Softmax").first.wait_for()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page.url.partition("?")[0] + "?q=softmax+sees+only+differences")
    first = page.locator("#search-results li").first
    first.wait_for()
    assert "Softmax sees only the differences between scores" in first.inner_text()
    assert len([address for address in asked if ".html" in address]) == 1  # no page that it found
    assert len(asked) <= 22, asked  # what all pages share, and two files of its own
    first.locator("a").first.click()
    page.wait_for_url("**/05-softmax.html#*")
    assert page.complaints == page.requests == []


@pytest.mark.parametrize(
    ("word", "first", "symbol"), [("softmax", "5. Softmax: ", ""), ("scores", "4. Scores: ", "scores")]
)
def test_search_for_one_word_begins_with_its_lesson_and_its_symbol(
    open_page: Any, word: str, first: str, symbol: str
) -> None:
    page = open_page("search")
    page.locator("#search-form input").fill(word)
    page.keyboard.press("Enter")
    results = page.locator("#search-results > li")
    assert results.first.locator("a").first.inner_text().startswith(first)
    assert not symbol or results.nth(1).locator("a").first.inner_text().startswith("Symbols ")
    assert "import " not in page.locator("#search-results").inner_text()
    pages = results.locator("> a").evaluate_all("(links) => links.map((link) => link.href.split('#')[0])")
    assert len(set(pages)) == len(pages)
    results.first.locator("summary").click()
    results.first.locator("details a").first.wait_for()  # made when it is opened, a moment later


def test_search_for_chatgpt_says_what_it_has_to_do_with_this(open_page: Any) -> None:
    page = open_page("search")
    page.locator("#search-form input").fill("ChatGPT")
    page.keyboard.press("Enter")
    results = page.locator("#search-results > li")
    assert "talks through a language model" in results.first.inner_text() and results.count() >= 2


def test_a_finger_is_told_to_tap_and_finds_room(chromium: Any, site: str) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page = lab.watched(context.new_page())
    page.goto(f"{site}/index.html")
    text = page.locator("article").inner_text()
    assert "Point at" not in text
    explorer = page.locator(".attention-explorer")
    assert explorer.get_by_text("Tap a word or the map").is_visible()
    assert explorer.locator(".word").first.bounding_box()["height"] >= 36
    last, said = explorer.locator(".keys .word").last, explorer.locator(".readout")
    assert 0 <= said.bounding_box()["y"] - last.bounding_box()["y"] < 150  # on the screen with the words
    for button in page.locator(".mobile-header button:visible").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44, button.get_attribute("aria-label")
    page.mouse.wheel(0, 3000)
    page.mouse.wheel(0, -500)
    assert not page.locator(".back-to-top").is_visible()
    context.close()


def test_search_says_what_it_did_not_find(open_page: Any) -> None:
    page = open_page("search")
    page.locator("#search-form input").fill("xylophone")
    page.keyboard.press("Enter")
    assert page.locator("#search-status").inner_text().startswith("Nothing found")
    page.locator("#search-form input").fill("softmax xylophone")
    page.get_by_role("button", name="Search").click()
    assert "some" in page.locator("#search-status").inner_text() and page.locator("#search-results mark").count() > 3


def test_code_can_be_copied_also_from_a_solution(open_page: Any) -> None:
    page = open_page("notebooks/05-softmax")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert page.locator(".cell_input .copybtn").count() == page.locator(".cell_input pre").count()
    assert page.locator(".cell_output .copybtn").count() == 0
    solution = page.locator("details.above-input").first
    solution.locator("summary").click()
    for box in (page.locator(".cell_input:visible").first, solution):
        box.locator(".copybtn").first.click()
        page.wait_for_function("async () => window.copied !== (window.copied = await navigator.clipboard.readText())")
        written = box.locator("pre").first.evaluate("(pre) => pre.textContent")
        assert page.evaluate("() => navigator.clipboard.readText()").strip() == written.strip()
    assert page.complaints == page.requests == []


def test_landing_page_shows_its_start_and_its_point_at_once(open_page: Any) -> None:
    for size in (NARROW, WIDE):
        page = open_page("index", size)
        start = page.get_by_role("link", name="Start lesson 1")
        assert start.bounding_box()["y"] + start.bounding_box()["height"] < size["height"]
        header = page.locator("h1").bounding_box()
        assert header["y"] < start.bounding_box()["y"] < page.locator(".attention-explorer").bounding_box()["y"]
    said = page.locator(".attention-explorer .readout").text_content()
    assert re.sub("[\u2066-\u2069]", "", said).startswith("“it” gives 68")
    start.click()
    page.wait_for_url("**/notebooks/01-inputs.html")


def test_first_screen_of_a_small_laptop_shows_the_word_and_its_line(open_page: Any) -> None:
    page = open_page("index", {"width": 1280, "height": 720})
    explorer = page.locator(".attention-explorer")
    for seen in (explorer.locator(".queries .lit"), explorer.locator(".mark.query")):
        assert seen.bounding_box()["y"] + seen.bounding_box()["height"] < 720
    family = "(box) => getComputedStyle(box).fontFamily"
    assert explorer.locator(".readout").evaluate(family) == page.locator("article p").first.evaluate(family)


def test_picture_beside_a_link_is_of_the_map_that_the_landing_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = draw_shared.FILE
    shutil.copytree(stored.parent / "fonts", tmp_path / "fonts")
    monkeypatch.setattr(draw_shared, "FILE", tmp_path / stored.name)
    with ThreadPoolExecutor() as own:  # Playwright runs once in a thread, and in this one the other tests' browser does
        own.submit(draw_shared.main).result()
    old, new = (np.asarray(Image.open(path).convert("RGB"), dtype=int) for path in (stored, draw_shared.FILE))
    differs = np.abs(old - new).max(axis=-1) > 40  # another browser may smooth the edges of letters in another way
    assert differs.mean() < 0.0005, "the map has changed: python -m tools.draw_shared"


@pytest.mark.parametrize("width", [1100, 1280, 1366, 1440, 1920])
def test_prose_has_the_measure_of_a_book_and_code_88_columns(open_page: Any, width: int) -> None:
    page = open_page("notebooks/04-scores", {"width": width, "height": 900})
    wide = page.evaluate("""() => [...document.querySelectorAll('article p')].filter((line) => {
      const size = parseFloat(getComputedStyle(line).fontSize);
      return !line.closest('.cell, table, .facts') && line.clientWidth > 34 * size;
    }).map((line) => line.textContent)""")
    assert wide == []  # 34 em hold 80 letters
    columns = page.evaluate("""() => {
      const code = [...document.querySelectorAll('.cell_input pre')].find((pre) => pre.clientWidth);
      const letters = document.createElement('canvas').getContext('2d');
      const { font, paddingLeft, paddingRight } = getComputedStyle(code);
      letters.font = font;
      return (code.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)) / letters.measureText('m').width;
    }""")
    assert columns >= 88


def test_a_lesson_that_was_read_to_its_recap_has_a_tick(open_page: Any) -> None:
    page = open_page("notebooks/05-softmax")
    page.evaluate("() => localStorage.removeItem('attention-read')")
    open_page("index")
    assert page.locator(".read-before").count() == 0, "to open a lesson is not to read it"
    open_page("notebooks/05-softmax")
    page.get_by_role("heading", name="Recap").scroll_into_view_if_needed()
    page.wait_for_function("() => localStorage.getItem('attention-read')")
    open_page("index")
    assert page.locator(".lessons .read-before").all_inner_texts() == ["Softmax"]
    assert page.locator(".sidebar-tree .read-before").all_inner_texts() == ["5. Softmax"]
    page.evaluate("() => localStorage.clear()")


def test_on_a_telephone_the_bar_says_where_one_is_and_nothing_printed_is_cut(open_page: Any) -> None:
    page = open_page("notebooks/04-scores", NARROW)
    bar = page.locator(".mobile-header .brand")
    assert bar.inner_text() == "4. Scores"
    page.locator("article h2", has_text="Step 6").evaluate("(heading) => scrollTo(0, heading.offsetTop)")
    page.wait_for_function("() => document.querySelector('.mobile-header .brand').textContent === '4. Scores · Step 6'")
    cut = "(printed) => printed.filter((box) => box.scrollWidth > box.clientWidth + 1).length"
    assert page.locator(".cell_output .output pre").evaluate_all(cut) == 0
    assert page.locator(".copybtn:visible").count() == 0
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.locator(".cell_output .output pre").evaluate_all(cut) == 0
    page = open_page("symbols", NARROW)
    wide = page.locator(".table-wrapper").first
    assert wide.evaluate("(box) => box.scrollWidth <= box.clientWidth")


@pytest.mark.parametrize("lesson", ["01-inputs", "05-softmax", "08-multi-head", "17-real-model"])
def test_tables_begin_and_end_with_the_text(open_page: Any, lesson: str) -> None:
    page = open_page(f"notebooks/{lesson}", {"width": 1440, "height": 900})
    places = "(all) => all.map((one) => one.getBoundingClientRect()).map(({left, right}) => [left, right])"
    (left, right), *_ = page.locator("article section > p").evaluate_all(places)
    tables = page.locator("article table.docutils").evaluate_all(places)
    assert tables and all(abs(start - left) <= 1 and end <= right + 4 for start, end in tables)


def test_code_that_only_draws_is_one_line_until_it_is_asked_for(open_page: Any) -> None:
    page = open_page("notebooks/08-multi-head")
    for said in ("Imports, ", "Code of this picture, ", "Code of this part, "):
        closed = page.locator("details.folded", has_text=said).first
        code, line = closed.locator("pre"), closed.locator("summary")
        assert not code.is_visible() and line.bounding_box()["height"] < 40
        assert closed.locator(":scope ~ .cell_output").count() == (said != "Imports, ")
        line.focus()
        page.keyboard.press("Enter")
        assert code.is_visible() and line.is_visible()
        line.click()
        assert not code.is_visible()
    grown = page.evaluate("""() => {
      const height = () => document.querySelector('article').getBoundingClientRect().height;
      const before = height();
      for (const closed of document.querySelectorAll('details.folded')) closed.open = true;
      return height() - before;
    }""")
    assert grown > 800, "pixels of code that nobody has asked for"


@pytest.mark.parametrize("width", [320, 390, 414])
def test_on_a_telephone_a_picture_that_goes_on_says_so(open_page: Any, width: int) -> None:
    page = open_page("notebooks/08-multi-head", {"width": width, "height": 700})
    picture = page.locator(".picture.more").first.element_handle()
    picture.scroll_into_view_if_needed()
    sign = "(box) => ['content', 'position', 'right'].map((name) => getComputedStyle(box, '::after')[name])"
    content, position, right = picture.evaluate(sign)
    assert "\u203a" in content and (position, right) == ("sticky", "0px")
    height = picture.bounding_box()["height"]
    picture.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    page.wait_for_function("(box) => !box.classList.contains('more')", arg=picture)
    assert picture.bounding_box()["height"] == pytest.approx(height, abs=1), "nothing moves where the sign goes"
    wide = """() => [...document.querySelectorAll('article :is(p, li, h1, h2, h3, summary)')]
      .filter((text) => text.checkVisibility() && !text.closest('.cell_output, table')
        && text.getBoundingClientRect().right > innerWidth).map((text) => text.textContent)"""
    assert page.evaluate(wide) == []


def test_on_a_telephone_the_names_of_the_map_can_be_read(open_page: Any) -> None:
    page = open_page("index", NARROW)
    canvas = page.locator(".attention-explorer .map canvas")
    shown = canvas.bounding_box()["width"]
    assert shown <= 290
    assert canvas.evaluate("(map) => map.width / Math.max(1, devicePixelRatio)") == pytest.approx(shown, abs=1)
    assert float(re.search(r"(\d+)px", canvas.evaluate("(map) => map.getContext('2d').font"))[1]) >= 10
    page.set_viewport_size(WIDE)
    page.wait_for_function(
        "() => document.querySelector('.attention-explorer > div').shadowRoot.querySelector('.map canvas')"
        ".getBoundingClientRect().width > 380"
    )
    # The box alone narrows, as beside a sidebar
    page.locator(".attention-explorer").evaluate("(box) => { box.style.width = '300px'; }")
    page.wait_for_function(
        "() => { const map = document.querySelector('.attention-explorer > div').shadowRoot"
        ".querySelector('.map canvas'); const shown = map.getBoundingClientRect().width;"
        " return shown <= 300 && Math.abs(map.width / Math.max(1, devicePixelRatio) - shown) < 1; }"
    )


def test_an_address_with_a_place_opens_there_at_once(open_page: Any, site: str) -> None:
    page = open_page("index")
    assert page.evaluate("() => getComputedStyle(document.documentElement).scrollBehavior") == "auto"


@pytest.mark.parametrize("path", ["nothing.html", "notebooks/99-nothing.html", "a/notebooks/x/y.html"])
def test_page_for_what_is_missing_works_in_a_folder(open_page: Any, site: str, path: str) -> None:
    page = open_page("index")
    written = page.request.get(f"{site}/404.html").text()
    page.route(f"**/{path}", lambda route: route.fulfill(body=written, content_type="text/html"))
    page.goto(f"{site}/{path}")
    home = f"{site}/a/" if path.startswith("a/") else f"{site}/"
    assert (
        page.get_by_role("link", name="all lessons").evaluate("(link) => link.href") == f"{home}index.html#the-lessons"
    )
    page.unroute_all()


def test_what_has_the_focus_is_seen(open_page: Any) -> None:
    page = open_page("index")
    outlined = "(element) => getComputedStyle(element).outlineStyle !== 'none'"
    page.locator("input.sidebar-search").focus()
    assert page.locator(".sidebar-search-container").evaluate(outlined)
    links = page.locator(".buttons.start a")
    links.first.focus()
    page.keyboard.press("Tab")
    assert links.nth(1).evaluate(outlined) and not links.first.evaluate(outlined)


def test_keyboard_alone_reaches_everything_on_a_narrow_page(open_page: Any) -> None:
    page = open_page("notebooks/05-softmax", NARROW)
    focused = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "Skip to content"
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(focused))
    assert "Show all pages" in reached and "Show the headings of this page" in reached
    assert not [text for text in reached if text.startswith("12.")], "what is pushed off the page takes the focus"
    page.locator("[aria-label='Show all pages']").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.closest('.sidebar-drawer') !== null")
    assert page.locator(".sidebar-drawer a", has_text="Symbols").is_visible()
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "Show all pages"
    assert not page.locator(".sidebar-drawer a", has_text="Symbols").is_visible()


def test_strip_shows_the_stage_of_the_lesson_on_a_narrow_page(open_page: Any) -> None:
    page = open_page("notebooks/09-masked-decoder", NARROW)
    seen = page.evaluate("""() => {
      const box = document.querySelector('.strip .picture');
      return (box.scrollLeft + box.clientWidth) / box.scrollWidth;
    }""")
    assert seen > 8.5 / 9  # the last of nine stages


def test_questions_are_closed_on_a_narrow_page_until_one_asks_for_them(open_page: Any) -> None:
    page = open_page("questions")
    groups = "() => [...document.querySelectorAll('details.group')].map((group) => group.open)"
    assert len(page.evaluate(groups)) > 15 and all(page.evaluate(groups))
    page = open_page("questions", NARROW)
    assert not any(page.evaluate(groups))
    page.evaluate("() => { location.hash = document.querySelectorAll('section:has(> details.group)')[3].id; }")
    page.wait_for_function("() => document.querySelectorAll('details.group')[3].open")
    assert page.evaluate(groups).count(True) == 1


def test_twice_as_large_nothing_is_cut_off(open_page: Any) -> None:
    page = open_page("notebooks/08-multi-head", {"width": 600, "height": 450})  # 1200 x 900 at 200 %
    assert not page.evaluate(SIDEWAYS)
    cut = page.evaluate("""() => [...document.querySelectorAll('article p, article td, article h2')].filter(
      (box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX === 'hidden').length""")
    assert cut == 0


def test_printed_page_holds_the_text_and_not_the_theme(open_page: Any) -> None:
    page = open_page("notebooks/05-softmax")
    page.emulate_media(media="print")
    assert page.locator("article h1").is_visible()
    for part in (".sidebar-drawer", ".toc-drawer", ".buttons", ".skip-to-content", "footer"):
        assert not page.locator(part).first.is_visible(), part
    assert page.locator("details.below-input > :not(summary)").first.is_visible(), "paper cannot be opened"
    assert page.locator("details.below-input > summary").filter(visible=True).count() == 0
    assert page.locator(".attention-calculation button").filter(visible=True).count() == 0
    assert not page.locator("details.above-input > :not(summary)").first.is_visible(), "a solution is no answer"
    assert page.locator("details.folded > :not(summary)").first.is_visible(), "what draws stands on paper"
    assert not page.locator("details.folded > summary").first.is_visible()
    wide = "() => [...document.querySelectorAll('pre')].filter((box) => box.scrollWidth > box.clientWidth + 1).length"
    page.set_viewport_size({"width": 700, "height": 900})
    assert page.evaluate(wide) == 0, "a line of code is cut off on paper"


LONG_TITLE = "Lesson with a title that is so long that it goes on in the line below, where a blank is lost"
SEVERAL = "```{toctree}\n:caption: The lessons\nlesson\nother\nleft-out\n```\n"


def test_pdf_is_a_book_with_bookmarks_and_tags(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text(f"# Course\n\n{SEVERAL}")
    step = "## Step 1: a step\n\n*It* **is** `code` and ***more*** →.\n\n```\n" + "long " * 30 + "\n```\n"
    (tmp_path / "lesson.md").write_text(f"# {LONG_TITLE}\n\n" + "A line.\n\n" * 100 + step)
    for name in ("other", "left-out"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nA line.\n")
    file = printed_book(tmp_path, tmp_path / "out", "-C", "extensions=myst_parser,pdf", "pdf_documents=lesson,other")
    with pikepdf.open(file) as pdf, pdf.open_outline() as outline:
        assert [item.title for item in outline.root] == ["Contents", "The lessons"]
        assert [item.title for item in outline.root[1].children] == [LONG_TITLE, "other"]
        assert pdf.Root.PageMode == "/UseOutlines" and {"/Title", "/Author"} <= set(pdf.docinfo)
        assert "/StructTreeRoot" in pdf.Root and pdf.Root.MarkInfo.Marked
        assert {tuple(round(float(side)) for side in page.mediabox) for page in pdf.pages} == {(0, 0, 595, 842)}
        fonts = {str(font.Subtype) for page in pdf.pages for font in page.Resources.get("/Font", {}).values()}
        assert fonts == {"/Type0"}, "letters are drawn as shapes (Type 3)"
        n_pages = len(pdf.pages)
    pages = pages_of_places(file)
    assert (pages["part-1"], pages["chapter-1"]) == (4, 5)
    assert 5 < pages["chapter-1-step-1-a-step"] < pages["chapter-2"] == n_pages
    said = dict(re.findall(r'data-of="([^"]+)">(\d+)', (tmp_path / "out" / "book.html").read_text(encoding="utf-8")))
    assert {place: int(page) for place, page in said.items()} == {place: pages[place] for place in said}


def test_pdf_of_a_lesson_has_few_holes_and_no_letters_drawn_as_shapes(tmp_path: Path) -> None:
    others = [name for name in PAGES if not name.startswith(("index", "symbols", "notebooks/04"))]
    left_out = f"exclude_patterns={','.join(['_build', *others])}"
    file = printed_book(lab.ROOT / "docs", tmp_path / "out", left_out, "pdf_documents=notebooks/04*")
    with pikepdf.open(file) as pdf:
        fonts = {str(font.Subtype) for page in pdf.pages for font in page.Resources.get("/Font", {}).values()}
    assert fonts == {"/Type0"}
    pages = pages_of_places(file)
    inside = sheets(file)[pages["chapter-1"] - 1 : pages["chapter-solutions"] - 2]  # but the last, which ends a chapter
    inner = [sheet.filled for sheet in inside]
    assert len(inner) > 10 and min(inner) > 0.4 and sum(share < 0.75 for share in inner) <= len(inner) / 10


def printed_book(docs: Path, out: Path, *settings: str) -> Path:
    """The file of a book; `settings` are options for Sphinx, or what to set in its configuration."""
    options = [part for said in settings for part in ([said] if said.startswith("-") else ["-D", said])]
    static = ["-D", f"html_static_path={lab.ROOT / 'docs' / '_static'}"]
    command = [sys.executable, "-m", "sphinx", "-q", *options, *static, "-b", "pdf", str(docs), str(out)]
    path = os.pathsep.join([str(lab.ROOT / "docs" / "_extensions"), os.environ.get("PYTHONPATH", "")])
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": path})
    return out / "attention-step-by-step.pdf"
