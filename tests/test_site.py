"""The website: every page is there, every link leads somewhere, nothing comes from elsewhere."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image
from website import DOCS, LESSONS, PAGES, ROOT, Page, built, dead_links, is_elsewhere, loaded_by_styles, pages, weight

import helpers
from helpers.drawing.diagrams import GROUPS, N_STAGES
from helpers.live.calculation.sheet import RUN_IT
from helpers.models import real_map
from tools.execute import AFTER_GUESS

sys.path.insert(0, str(DOCS / "_extensions"))

import metadata
import running
from book import book, numbered
from landing import grouped, hours
from lessons import (
    ANSWER,
    FOR_NOTEBOOKS,
    anchor,
    code_as_on_page,
    fold_with_answer,
    lesson_as_page,
    question_in,
    say_what_needs_python,
    with_notice,
    with_parts,
    with_site_links,
)
from mathml import rendered
from sphinx.errors import ExtensionError

MOST_BYTES = 1_500_000
ADDRESS = "https://github.com/someone/attention"
pytestmark = pytest.mark.slow  # the site is built first


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory)


@pytest.fixture(scope="session")
def known(site: Path) -> dict[Path, Page]:
    return pages(site)


def cells(lesson: str, kind: str) -> list[dict]:
    raw = json.loads((ROOT / "notebooks" / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    return [{**cell, "source": "".join(cell["source"])} for cell in raw["cells"] if cell["cell_type"] == kind]


def html_of(site: Path, page: str) -> str:
    return (site / f"{page}.html").read_text(encoding="utf-8")


# ---- all pages ----


def test_each_source_has_its_page(site: Path, known: dict[Path, Page]) -> None:
    assert sorted(path.relative_to(site).with_suffix("").as_posix() for path in known) == PAGES


def test_links_within_the_site_lead_somewhere(known: dict[Path, Page]) -> None:
    assert list(dead_links(known)) == []


def test_nothing_is_loaded_from_elsewhere(site: Path, known: dict[Path, Page]) -> None:
    assert [f"{path.name}: {load}" for path, page in known.items() for load in page.loads if is_elsewhere(load)] == []
    assert list(loaded_by_styles(site)) == []


def test_each_page_is_light(known: dict[Path, Page]) -> None:
    weights = {path.name: weight(path, page) for path, page in known.items()}
    assert {name: size for name, size in weights.items() if size > MOST_BYTES} == {}


def test_each_picture_has_words_and_a_size(known: dict[Path, Page]) -> None:
    for path, page in known.items():
        for picture in page.pictures:
            assert len(picture.get("alt") or "") > 20, f"{path.name}: {picture}"
            assert not picture["src"].startswith("data:"), f"{path.name} holds a picture that could be a file"


def searched(site: Path) -> list[tuple[str, str, str, str]]:
    """(page, place, heading, text) of each section that the search looks through."""
    written = (site / "_static" / "searched.js").read_text(encoding="utf-8")
    given = json.loads(written.removeprefix("window.SEARCHED = ").rstrip(";\n"))
    found = given["sections"]
    return [(given["pages"][page][0], place, heading, f"{prose} {code}") for page, place, heading, prose, code in found]


def test_search_knows_every_section_and_not_the_strip(site: Path, known: dict[Path, Page]) -> None:
    sections = searched(site)
    assert {page.removesuffix(".html") for page, *_ in sections} == set(PAGES) - {"search"}
    for page, place, _, text in sections:
        assert place in known[site / page].places, f"{page}#{place}"
        assert "9 masked decoder" not in text and "Before: " not in text
    sentences = [text for page, _, _, text in sections if page == "notebooks/05-softmax.html"]
    assert any("Softmax sees only the differences between scores" in text for text in sentences)


def test_search_does_not_show_solutions(site: Path) -> None:
    assert [page for page, _, _, text in searched(site) if "_solution(" in text and page.startswith("notebooks/")] == []


# ---- what a page says about itself ----


def test_each_page_describes_itself(known: dict[Path, Page]) -> None:
    descriptions = {}
    for path, page in known.items():
        assert len(page.says["viewport"]) == 1, path.name
        assert len(page.says["og:title"]) == 1, path.name
        if path.name != "search.html":
            (descriptions[path.name],) = page.says["description"]
            assert page.says["og:description"] == page.says["description"]
            assert 40 < len(page.says["description"][0]) <= metadata.DESCRIPTION_LENGTH + 2, path.name
    lessons = {name: text for name, text in descriptions.items() if name.removesuffix(".html") in LESSONS}
    assert len(set(lessons.values())) == len(LESSONS)


def test_nothing_speaks_of_an_address_that_is_not_set(site: Path) -> None:
    if running.address.repository():
        pytest.skip("the address is set")
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        for part in (
            "OWNER",
            "mybinder.org",
            "colab.research",
            'rel="canonical"',
            "og:url",
            "og:image",
            "Source of this",
        ):
            assert part not in text or path.name in ("changelog.html", "contributing.html"), f"{path.name}: {part}"
    assert not (site / "sitemap.xml").exists()


def test_a_site_with_an_address_says_it(tmp_path: Path) -> None:
    text = "A first paragraph that says in one sentence what this small page is about.\n"
    (tmp_path / "index.md").write_text(f"# Course\n\n{text}\n```{{toctree}}\nabout\n```\n")
    (tmp_path / "about.md").write_text("# About\n\n<!-- citation -->\n")
    base = running.website(ADDRESS)
    options = ["-C", "-D", "extensions=myst_parser,metadata,lessons", "-D", f"html_baseurl={base}"]
    options += ["-D", f"repository={ADDRESS}", "-D", "html_theme=furo", "-D", f"templates_path={DOCS / '_templates'}"]
    command = [sys.executable, "-m", "sphinx", "-q", *options, str(tmp_path), str(tmp_path / "out")]
    path = os.pathsep.join([str(DOCS / "_extensions"), str(ROOT)])
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": path})
    page = Page(tmp_path / "out" / "index.html")
    assert page.says["canonical"] == [f"{base}index.html"]
    assert page.says["og:image"] == [f"{base}_static/shared.png"]
    assert page.says["description"] == [text.strip()]
    assert f"{ADDRESS}/blob/HEAD/docs/index.md" in page.links
    assert f"{base}about.html" in (tmp_path / "out" / "sitemap.xml").read_text()
    assert f'<base href="{base}">' in (tmp_path / "out" / "404.html").read_text()
    assert ADDRESS in (tmp_path / "out" / "about.html").read_text()


def test_page_for_what_is_missing_is_of_this_site_and_its_links_lead_somewhere(site: Path) -> None:
    page = Page(site / "404.html")
    assert "sidebar-drawer" in html_of(site, "404") and "index.html#the-lessons" in page.links
    assert list(dead_links({**pages(site), site / "404.html": page})) == []
    assert 'action="search.html"' in html_of(site, "404")


def test_book_is_a_link_only_where_it_lies_beside_the_pages(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ".pdf" not in html_of(site, "index") and "-b pdf docs docs/_build/pdf" in html_of(site, "running")
    monkeypatch.setattr(running, "BOOK", tmp_path / running.BOOK.name)
    running.BOOK.write_bytes(bytes(1_500_000))
    for tagged in (False, True):
        app = SimpleNamespace(tags=SimpleNamespace(has=lambda tag, tagged=tagged: tagged and tag == "with_pdf"))
        page = with_parts("<!-- book -->\n<!-- how to make the book -->", app)
        assert ('<a href="attention-step-by-step.pdf">Read it as a book (PDF, 2 MB)</a>' in page) == tagged
        assert ("-b pdf" in page) == (not tagged) and "<!--" not in page


def test_picture_for_sharing_has_the_size_that_is_asked_for() -> None:
    with Image.open(DOCS / metadata.PICTURE) as picture:
        assert picture.size == (1200, 630)


def test_dates_are_those_of_the_last_commit(tmp_path: Path) -> None:
    assert metadata.dates_of_commits(tmp_path) == {}
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    assert metadata.dates_of_commits(tmp_path) == {}
    for day, name in (("2024-05-01", "an ü.md"), ("2024-06-02", "b.md")):
        (tmp_path / name).write_text(day)
        subprocess.run([*git, "add", "."], check=True)
        dated = {**os.environ, "GIT_COMMITTER_DATE": f"{day}T12:00:00Z", "GIT_AUTHOR_DATE": f"{day}T12:00:00Z"}
        subprocess.run([*git, "commit", "-q", "-m", name], check=True, env=dated)
    assert metadata.dates_of_commits(tmp_path) == {"an ü.md": "2024-05-01", "b.md": "2024-06-02"}


def test_citation_names_the_course_and_its_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = metadata.citation()
    assert "Attention, step by step" in cited and f"version {project['version']}" in cited


# ---- lessons ----


@pytest.mark.parametrize("lesson", LESSONS)
def test_lesson_page_has_the_strip_where_its_text_speaks_of_it_and_the_buttons(site: Path, lesson: str) -> None:
    page = html_of(site, f"notebooks/{lesson}")
    shown = re.findall(r'<div class="strip" data-stage="(\d+)".*?alt="What flows through', page)
    assert shown == ([str(int(lesson[:2]))] if int(lesson[:2]) <= N_STAGES else [])
    assert "pipeline(" not in page
    assert re.search(r'class="buttons.*?<p><a [^>]*href="../running.html"', page, re.S)
    download = re.search(rf'href="(\.\./_downloads/\w+/{lesson}\.ipynb)"', page)[1]
    assert (site / "notebooks" / download).read_bytes() == (ROOT / "notebooks" / f"{lesson}.ipynb").read_bytes()


@pytest.mark.parametrize("lesson", LESSONS)
def test_lesson_page_says_its_minutes_and_exercises_on_a_line_of_their_own(site: Path, lesson: str) -> None:
    page = html_of(site, f"notebooks/{lesson}")
    (facts,) = re.findall(r'<div class="facts docutils container">\s*<p>(.*?)</p>', page, re.S)
    minutes = next(row[4] for rows in grouped().values() for row in rows if row[2] == lesson)
    n_exercises = sum("Solution of" in cell["source"] for cell in cells(lesson, "code"))
    assert facts.startswith(f"{minutes} minutes") and facts.endswith(f" · {n_exercises} exercises")


def test_what_opens_is_named() -> None:
    asked = "> **Predict first.** Add *10* to `a`, or 2. What of `a * b` comes out? And then?"
    assert question_in(asked) == "What of a * b comes out?"
    assert question_in("> **Predict first.** What is $x$? And *y*?") == "And y?"
    assert question_in("What?") == question_in("> **Predict first.** Say it.") == ""
    assert question_in("> ◆ **Predict first.** And *z*?") == "And z?"
    long = question_in(f"> **Predict first.** {'What ' * 40}?")
    assert long.endswith("What …") and len(long) < 95
    code = {"cell_type": "code", "metadata": {"tags": ["hide-input"]}, "outputs": []}
    shown = code_as_on_page({**code, "source": "# @title The picture: click to open\na = 1\n\nb = 2"})
    assert shown["metadata"]["mystnb"]["code_prompt_show"] == "Open the code: The picture, 2 lines"


@pytest.mark.parametrize("lesson", LESSONS)
def test_lesson_page_does_not_talk_of_notebooks(site: Path, lesson: str) -> None:
    article = html_of(site, f"notebooks/{lesson}").partition("<article")[2].partition("</article>")[0]
    text = re.sub(r"<(script|style).*?</\1>|<[^>]+>", "", article, flags=re.S)
    for part in ("How to use a notebook", "Shift+Enter", "three dots", "Not tried yet", "Stuck?", "click to open"):
        assert part not in text, part
    for part in ("To have your answers checked", "solution is folded below each exercise"):
        assert text.count(part) == 1, part


@pytest.mark.parametrize("said", FOR_NOTEBOOKS, ids=lambda said: said.pattern[:30])
def test_what_the_site_says_otherwise_stands_in_a_lesson(said: re.Pattern[str]) -> None:
    assert any(said.search(cell["source"]) for lesson in LESSONS for cell in cells(lesson, "markdown"))


def test_what_only_a_kernel_can_do_is_said_above_the_text_that_asks_for_it() -> None:
    def text(source: str) -> dict:
        return {"cell_type": "markdown", "metadata": {}, "source": source}

    def code(*said: str) -> dict:
        return {"cell_type": "code", "source": "", "outputs": [{"data": {"text/plain": one}} for one in said]}

    sheet, sliders = code("Calculation", RUN_IT), code("Picture", "Run this cell to change a & b.")
    cells = [text("# 1"), code("Explorer"), text("## Play\n\nSet it."), sheet, text("Drag it."), sliders]
    cells += [text("<details><summary>Answer</summary>No.</details>"), code("Map"), text("## Your turn"), code("1")]
    say_what_needs_python(cells)
    link = '<a data-page="running">run the lesson</a>.</p>'
    assert [cell["source"] for cell in cells if cell["cell_type"] == "markdown"] == [
        "# 1",
        "## Play\n\nSet it.",
        f'<p class="needs-python">To change a &amp; b, and to change the code, {link}\n\nDrag it.',
        "<details><summary>Answer</summary>No.</details>",
        "## Your turn",
    ]
    assert with_notice("## Play\n\nPut in.", "try") == f'## Play\n\n<p class="needs-python">To try, {link}\n\nPut in.'
    assert [len(cell["outputs"]) for cell in cells if cell["cell_type"] == "code"] == [1, 1, 1, 1, 1]


def test_first_page_explains_its_marks_and_keeps_numbers_whole(site: Path) -> None:
    page = html_of(site, "index")
    assert "give <code" in page and "their largest share" in page
    weights, words = real_map.load()
    assert (weights.argmax(dim=-1) == words.index("[CLS]")).sum() == 10 and len(words) == 16
    assert "68\u00a0% of its attention" in page and "68 % of its attention" not in page


def test_running_has_one_name(site: Path) -> None:
    for page in ("index", "notebooks/04-scores"):
        assert ">Run it<" in re.sub(r"</?span[^>]*>", "", html_of(site, page))
        assert "How to run it" not in html_of(site, page)


def test_book_is_printed_where_there_are_fonts_for_all_it_shows() -> None:
    workflow = (ROOT / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8")
    install = workflow.index("fonts-noto-cjk fonts-noto-color-emoji")
    assert install < workflow.index("-b pdf")
    assert "fonts-noto-cjk fonts-noto-color-emoji" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_buttons_and_ways_to_run_wait_for_the_address() -> None:
    assert running.buttons("04-scores", None).endswith("{download}`Download the notebook <04-scores.ipynb>`")
    buttons = running.buttons("04-scores", ADDRESS)
    assert "(https://mybinder.org/v2/gh/someone/attention/HEAD?urlpath=lab/tree/notebooks/04-scores.ipynb)" in buttons
    assert "colab.research.google.com/github/someone/attention/blob/HEAD/notebooks/04-scores.ipynb)" in buttons
    without, found = running.ways(None, None), running.ways(ADDRESS, None)
    assert "](" not in without and "href" not in without and running.command() in without
    for part in (f"git clone {ADDRESS}.git", f"({ADDRESS}/archive/HEAD.zip)", running.command(), "mybinder.org"):
        assert part in found


def test_without_an_address_the_site_brings_the_course_along(site: Path) -> None:
    if running.address.repository() or not running.packed_course():
        pytest.skip("the address is set, or there is no history to pack")
    with zipfile.ZipFile(site / running.FILE) as course:
        names = {name.removeprefix("attention-step-by-step/") for name in course.namelist()}
        assert course.read("attention-step-by-step/README.md")
    assert {"start.py", "helpers/__init__.py", "notebooks/01-inputs.ipynb", "binder/requirements.txt"} <= names
    assert f'<a href="{running.FILE}">Download the course' in html_of(site, "running")


def test_where_the_course_cannot_be_packed_the_site_says_whom_to_ask(tmp_path: Path) -> None:
    assert running.packed_course(tmp_path) is None
    assert "ask whoever gave" in running.ways(None, None)


def test_only_what_is_read_in_order_has_neighbours(site: Path) -> None:
    neighbours = {
        page: re.findall(r'<a class="(prev|next)-page" href="([^"]+)"', html_of(site, page))
        for page in ("index", "running", LESSONS[0], LESSONS[-1], "symbols", "where-it-runs", "reference/tools")
        for page in [page if page in PAGES else f"notebooks/{page}"]
    }
    assert neighbours["index"] == [("next", "running.html")]
    assert neighbours["running"] == [("next", f"notebooks/{LESSONS[0]}.html"), ("prev", "index.html")]
    assert neighbours[f"notebooks/{LESSONS[-1]}"] == [("prev", f"{LESSONS[-2]}.html")]
    assert neighbours["symbols"] == neighbours["where-it-runs"] == neighbours["reference/tools"] == []


def test_website_has_the_address_that_github_gives_it() -> None:
    assert running.website(ADDRESS) == "https://someone.github.io/attention/"
    assert running.website("https://github.com/Someone/someone.github.io") == "https://someone.github.io/"


def test_a_file_that_is_no_page_is_a_link_only_with_an_address() -> None:
    for address, said in ((None, "see the pins"), (ADDRESS, f"see [the pins]({ADDRESS}/blob/HEAD/requirements.txt)")):
        assert with_site_links("see [the pins](requirements.txt)", "README.md", "index", address) == said


def test_the_box_of_a_calculation_is_left_out_and_its_sheet_stays() -> None:
    sheet, box, text = ({"data": {"text/plain": said}} for said in ("Calculation: x", RUN_IT, "42"))
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": "calculation(x)", "outputs": [sheet, box, text]}
    page = lesson_as_page({"cells": [cell]}, "notebooks/04-scores", None)
    assert page["cells"][0]["outputs"] == [sheet, text]


@pytest.mark.parametrize("lesson", LESSONS)
def test_lesson_page_shows_all_that_is_stored(site: Path, lesson: str) -> None:
    page = html_of(site, f"notebooks/{lesson}")
    code = cells(lesson, "code")
    solutions = [cell for cell in code if "hide-input" in cell["metadata"].get("tags", [])]
    closed = re.findall(r'<details class="admonition hide above-input">', page)
    assert len(closed) == len(solutions) and "<details open" not in page
    code_alone = [cell for cell in solutions if "Solution of" not in cell["source"]]
    guessed = [cell for cell in code if cell["metadata"].get("jupyter", {}).get("outputs_hidden")]
    assert page.count('<details class="admonition hide below-input">') == len(guessed)
    assert page.count("Open the answer") == len(guessed) and page.count("Open the solution") == len(solutions) - len(
        code_alone
    )
    assert page.count("Open the code") == len(code_alone)
    stored = "".join(
        json.dumps(cell["outputs"]) for cell in code if not re.search(r"^pipeline\(", "".join(cell["source"]), re.M)
    )
    for kind in ("explorer", "calculation"):
        assert page.count(f'class="attention-{kind}"') == stored.count(f'class=\\"attention-{kind}\\"')
    pictures = stored.count("data:image/png;base64,")
    assert page.count("../_images/") == pictures + (int(lesson[:2]) <= N_STAGES)
    for what in re.findall(r'"text/plain": \[?"Run this cell to (.+?)\."', stored):
        assert re.search(rf'class="needs-python">To [^<]*{re.escape(what)}[^<]*, <a', page), what
    assert page.count('class="attention-play-still"') == stored.count('class=\\"attention-play-still\\"')
    assert "model_id" not in page and "Run this cell to " not in page
    # Imports and drawing are closed, each with a line that says what it is and how long.
    folded = re.findall(r'<details class="admonition hide folded">\s*<summary>\s*<p[^>]*>(.*?)</p>', page)
    assert folded and all(re.fullmatch(r"(Imports|Code of this (picture|part)), \d+ lines?", line) for line in folded)
    assert len(folded) == page.count("tag_only-")
    # The words of an answer open with it, and what only asserts them says nothing to a reader.
    assert "After your guess" not in page and "The numbers of the text, checked" not in page


def test_the_words_of_an_answer_are_closed_with_it() -> None:
    cell, output = '<div class="cell docutils container">\n', '<div class="cell_output"><p>42</p></div>\n'
    answer = f"{cell}{ANSWER}\n{output}</details>\n</div>\n"
    words = f"<details><summary>{AFTER_GUESS}</summary>\n<p>It is 42.</p>\n<p>For it is.</p>\n</details>\n"
    told = f"{cell}{ANSWER}\n{output}<p>It is 42.</p>\n<p>For it is.</p>\n</details>\n</div>\n<p>Next.</p>\n"
    body = f"<p>Guess.</p>\n{answer}{words}<p>Next.</p>\n{answer}{cell}</div>\n<p>Not of it.</p>\n"
    context = {"body": body}
    fold_with_answer(None, "notebooks/01-inputs", "", context, None)
    assert context["body"] == f"<p>Guess.</p>\n{told}{answer}{cell}</div>\n<p>Not of it.</p>\n"


@pytest.mark.parametrize("lesson", LESSONS)
def test_lesson_page_has_its_formulas(site: Path, lesson: str) -> None:
    text = "\n".join(cell["source"] for cell in cells(lesson, "markdown"))
    text = re.sub(r"`[^`]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    blocks = len(re.findall(r"\$\$.+?\$\$", text, re.S))
    page = html_of(site, f"notebooks/{lesson}")
    assert page.count('<div class="formula">') == blocks
    assert "\\frac" not in page and "\\sqrt" not in page and "$$" not in page


# ---- pages to look things up ----


def test_questions_lead_to_a_cell_that_runs(site: Path) -> None:
    page = html_of(site, "questions")
    links = re.findall(r'href="(notebooks/[\w-]+)\.html#([^"]+)"><span class="std std-ref">', page)
    asked = re.findall(r"^- \[", (DOCS / "questions.md").read_text(encoding="utf-8"), re.M)
    assert len(links) == len(asked) > 30
    for lesson, place in links:
        below = html_of(site, lesson).partition(f'<section id="{place}">')[2]
        assert '<div class="cell_input' in re.split(r"<section ", below)[0], f"{lesson}#{place}"


def test_symbols_mean_what_the_lesson_calls_them() -> None:
    rows = re.findall(
        r"^\| (`.+?) \|.*\| \[(\d+)\]\(notebooks/(\S+)\.ipynb\) \|$",
        (DOCS / "symbols.md").read_text(encoding="utf-8"),
        re.M,
    )
    assert len(rows) > 20
    for names, number, lesson in rows:
        code = "\n".join(cell["source"] for cell in cells(lesson, "code"))
        assert int(number) == int(lesson[:2])
        assert all(re.search(rf"\b{name}\b", code) for name in re.findall(r"`(\w+)`", names)), names


def test_reference_has_each_name_that_lessons_import(site: Path) -> None:
    places = {place for path in (site / "reference").glob("*.html") for place in Page(path).places}
    assert {f"helpers.{name}" for name in helpers.__all__} <= places
    wanted = {place for lesson in LESSONS for cell in cells(lesson, "code") for place in imported(cell["source"])}
    assert len(wanted) > 20
    assert wanted <= places


def imported(source: str) -> Iterator[str]:
    """The places in the reference of what a cell imports from a room of helpers; constants have none."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("helpers."):
            for name in [alias.name for alias in node.names]:
                full = f"{node.module}.{name}"
                if (ROOT / f"{full.replace('.', '/')}.py").exists():
                    yield f"module-{full}"
                elif not name.isupper():
                    yield full


def test_reference_has_each_module_that_lessons_may_import(site: Path) -> None:
    for room in ("models", "data"):
        modules = {f"module-helpers.{room}.{path.stem}" for path in (ROOT / "helpers" / room).glob("[!_]*.py")}
        assert modules <= Page(site / "reference" / f"{room}.html").places


@pytest.mark.parametrize(
    ("file", "page"), [("README.md", "teaching"), ("CONTRIBUTING.md", "contributing"), ("CHANGELOG.md", "changelog")]
)
def test_a_file_at_the_top_is_included_and_not_copied(file: str, page: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    source = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    assert f"{{include}} ../{file}" in source
    assert not [line for line in text.splitlines() if len(line) > 60 and line in source]


def test_the_landing_page_lists_each_lesson_once_in_its_group(site: Path) -> None:
    page = html_of(site, "index").partition("<article")[2].partition("</article>")[0]
    assert len(grouped()) == len(GROUPS) and [row[2] for rows in grouped().values() for row in rows] == LESSONS
    lists = re.findall(r'<div class="lessons docutils container">.*?</div>', page, re.S)
    assert [name for part in lists for name in re.findall(r'href="notebooks/([\w-]+)\.html"', part)] == LESSONS
    minutes = [int(row[4]) for rows in grouped().values() for row in rows]
    assert [int(found) for part in lists for found in re.findall(r"<em>(\d+) minutes</em>", part)] == minutes
    assert f"about {round(sum(minutes) / 60)} hours" in page and hours() in page


def test_landing_page_makes_one_start(site: Path) -> None:
    page = html_of(site, "index").partition("<article")[2]
    parts = [
        "<h1>",
        "Start lesson 1",
        "Run it",
        'class="attention-explorer"',
        "68\u00a0%",
        'class="attention-calculation"',
    ]
    places = [page.index(part) for part in parts]
    assert places[:4] == sorted(places[:4]) and places[4] < places[5] and "<style>.jp-" not in page
    assert len(re.findall(r"<p\b", page[places[0] : places[1]])) == 2  # one sentence, and the buttons
    assert page.count('class="attention-explorer"') == 1 and "document.currentScript" in page
    assert page.count('class="attention-calculation"') == 1


def test_no_sentence_of_the_readme_stands_out_of_its_place(site: Path) -> None:
    for name in PAGES:
        text = html_of(site, name)
        for part in ("second command", "The first opens JupyterLab", "here in the README"):
            assert part not in text or name in ("contributing", "changelog"), f"{name}: {part}"


# ---- what must not pass ----


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#here">x</a><a href="b.html#there">x</a><a href="c.html">x</a>')
    (tmp_path / "b.html").write_text('<p id="here"><img src="no.png"><a href="https://example.org/">x</a></p>')
    assert list(dead_links(pages(tmp_path))) == [
        "a.html: b.html#there names a place that is not on that page",
        "a.html: c.html leads nowhere",
        "b.html: no.png leads nowhere",
    ]


def test_a_link_to_a_file_that_is_not_there_stops_the_build() -> None:
    with pytest.raises(ExtensionError, match=r"the link to nothing\.py leads nowhere"):
        with_site_links("[a](../nothing.py)", "notebooks/01-inputs.ipynb", "notebooks/01-inputs", ADDRESS)


@pytest.mark.parametrize(
    ("link", "page"),
    [
        ("../README.md", "../index.md"),
        ("02-weights.ipynb#So-far", "02-weights.ipynb#So-far"),
        ("../helpers/models/transformer.py", "../reference/models.md#helpers.models.transformer"),
        ("../CONTRIBUTING.md#Test", "../contributing.md#Test"),
        ("../LICENSE", "../about.md"),
        ("../pyproject.toml", f"{ADDRESS}/blob/HEAD/pyproject.toml"),
        ("../docs/questions.md", "../questions.md"),
        ("https://example.org/a.md", "https://example.org/a.md"),
        ("#Recap", "#Recap"),
        ("#Why-not,-then?", "#Why-not%2C-then%3F"),
    ],
)
def test_links_of_a_lesson_become_links_of_its_page(link: str, page: str) -> None:
    changed = with_site_links(f"[a]({link})", "notebooks/01-inputs.ipynb", "notebooks/01-inputs", ADDRESS)
    assert changed == f"[a]({page})"


def test_anchor_is_what_jupyterlab_makes() -> None:
    assert anchor("Is `a` b?") == "Is-a-b%3F"


def test_formula() -> None:
    written = re.sub(r"\s", "", rendered(r"\frac{a}{b}", block=False))
    assert written.endswith("<mfrac><mi>a</mi><mi>b</mi></mfrac></math>")
    assert rendered(r"\tfrac12 d", block=False) == rendered(r"\tfrac{1}{2} d", block=False)
    assert rendered(r"\Big(\dots\Big)", block=True) == rendered(r"\Bigl(\ldots\Bigr)", block=True)
    assert rendered(r"\log p", block=False).count("<mspace") == 1
    assert rendered(r"a \log n", block=False).count("<mspace") == 2
    assert "<mi>tanh</mi>" in rendered(r"\tanh(x)", block=False)
    assert rendered(r"\sin\left(x\right) + \sin(x)", block=False).count("<mspace") == 0
    for bars in (r"\lVert x \rVert", r"\| x \|", r"\lvert x \rvert"):
        written = rendered(bars, block=True)
        assert written.count('stretchy="false"') == 2, bars
    assert "stretchy" not in rendered(r"\left\| \frac{a}{b} \right\|", block=True)
    with pytest.raises(ExtensionError, match="nonsense"):
        rendered(r"\nonsense", block=False)


# ---- the book ----

PAGE = """<html><body><article role="main"><h1>Course</h1>
<span id="document-notebooks/01-a"></span><section id="a"><h2>1. A: begin<a class="headerlink" href="#a">¶</a></h2>
<nav>strip</nav>
<p>See <a href="#document-notebooks/02-b#play">there</a> and <a href="#document-running">how</a>.</p>
<section id="step-1"><h3>Step 1: one</h3>
<div class="cell"><details class="hide below-input"><summary>Open the answer</summary><div class="output">42</div>
</details></div></section>
<section id="play"><h3>Play</h3>
<details><summary>Answers</summary><p>1 of 3.</p></details>
<p class="needs-python">To change it, run the lesson.</p>
<p>Write it. A solution is folded below each exercise.</p></section>
<section id="e"><h4>Twice</h4><div class="cell"><pre>def twice(x): ...</pre></div>
<div class="cell"><details class="hide above-input"><summary>Open the solution</summary>
<pre><span class="c1"># Solution of "twice"</span>
def twice_solution(x): return 2 * x</pre></details></div></section>
<details class="hide above-input"><summary>Open the code</summary>
<pre><span class="c1"># The data</span>
data = 1</pre></details><p>Before: <a href="#x">0</a> · Next: <a href="#y">2</a></p></section>
<span id="document-notebooks/02-b"></span><section id="b"><h2>2. B</h2><section id="play"><h3>Play</h3></section>
</section></article></body></html>"""


def test_book_has_contents_chapters_and_solutions_at_its_end() -> None:
    made = book(PAGE, "Course", {"First": ["notebooks/01-a", "notebooks/02-b"]}, "<p>cover</p>", "<p>front</p>")
    for part in ("strip", "¶", "Open the", "Solution of", "run the lesson", "folded below", "Before: ", "<details"):
        assert part not in made, part
    order = [
        "cover",
        "front",
        "Contents",
        ">1. A: begin</h1>",
        "42",
        ">2. B</h1>",
        "<h1>Solutions</h1>",
        "twice_solution",
    ]
    places = [made.index(part) for part in order]
    assert places == sorted(places) and made.count("twice_solution") == 1
    assert "# The data" in made and made.index("data = 1") < made.index(">2. B</h1>")
    assert '<p class="summary">Answers</p><p>1 of 3.</p>' in made
    assert '<h3 id="solution-chapter-1-1">Twice</h3>' in made[made.index("<h1>Solutions</h1>") :]
    assert '<a href="#chapter-2-play">there</a>' in made and "and how." in made  # what is not in the book is no link
    assert '<section class="part" id="part-1">' in made and '<p class="number">Part 1</p>' in made
    targets = set(re.findall(r'data-of="([^"]+)"', made))
    assert {
        "part-1",
        "chapter-1",
        "chapter-2",
        "chapter-1-step-1",
        "chapter-solutions",
        "exercise-chapter-1-1",
        "solution-chapter-1-1",
    } == targets
    assert all(f'id="{place}"' in made for place in targets)
    filled = numbered(made, dict.fromkeys(targets, 12))
    assert ">000<" not in filled and filled.count(">12</span>") == len(re.findall("data-of", made))
