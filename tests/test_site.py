"""The website: every page is there, every link leads somewhere, nothing comes from elsewhere."""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from website import DOCS, LESSONS, PAGES, ROOT, Page, built, dead_links, is_elsewhere, loaded_by_styles, pages, weight

import helpers
from helpers.live.calculation.sheet import RUN_IT

sys.path.insert(0, str(DOCS / "_extensions"))

from lessons import anchor, lesson_as_page, with_site_links
from mathml import rendered
from sphinx.errors import ExtensionError

MOST_BYTES = 1_500_000
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


def test_search_finds_words_of_the_lessons(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert all(f'"{word}":' in index for word in ("softmax", "decod", "embed"))


# ---- lessons ----


@pytest.mark.parametrize("lesson", LESSONS)
def test_lesson_page_has_the_strip_and_the_buttons(site: Path, lesson: str) -> None:
    page = html_of(site, f"notebooks/{lesson}")
    strip = re.search(r'<nav class="stages".*?</nav>', page, re.S)[0]
    assert re.findall(r'href="([\w-]+)\.html"', strip) == [name for name in LESSONS if name != lesson]
    assert re.findall(r'aria-current="page"><b>(\d+)</b>', strip) == [str(int(lesson[:2]))]
    assert f"mybinder.org/v2/gh/OWNER/REPOSITORY/HEAD?urlpath=lab/tree/notebooks/{lesson}.ipynb" in page
    download = re.search(rf'href="(\.\./_downloads/\w+/{lesson}\.ipynb)"', page)[1]
    assert (site / "notebooks" / download).read_bytes() == (ROOT / "notebooks" / f"{lesson}.ipynb").read_bytes()


def test_the_box_of_a_calculation_is_left_out_and_its_sheet_stays() -> None:
    sheet, box, text = ({"data": {"text/plain": said}} for said in ("Calculation: x", RUN_IT, "42"))
    cells = [{"cell_type": "code", "id": str(i), "source": "", "outputs": [sheet, box, text]} for i in range(2)]
    page = lesson_as_page({"cells": cells}, "notebooks/04-scores", "OWNER/REPOSITORY")
    assert page["cells"][1]["outputs"] == [sheet, text]


@pytest.mark.parametrize("lesson", LESSONS)
def test_lesson_page_shows_all_that_is_stored(site: Path, lesson: str) -> None:
    page = html_of(site, f"notebooks/{lesson}")
    code = cells(lesson, "code")
    solutions = [cell for cell in code if "hide-input" in cell["metadata"].get("tags", [])]
    closed = re.findall(r'<details class="admonition hide above-input">', page)
    assert len(closed) == len(solutions) and "<details open" not in page
    guessed = [cell for cell in code if cell["metadata"].get("jupyter", {}).get("outputs_hidden")]
    assert page.count('<details class="admonition hide below-input">') == len(guessed)
    assert page.count("Open the answer") == len(guessed) and page.count("Open the solution") == len(solutions)
    stored = "".join(json.dumps(cell["outputs"]) for cell in code[1:])  # the first is the strip
    for kind in ("explorer", "calculation"):
        assert page.count(f'class="attention-{kind}"') == stored.count(f'class=\\"attention-{kind}\\"')
    assert page.count("../_images/") == stored.count("data:image/png;base64,")
    sliders = stored.count('"text/plain": ["Run this cell to ') + stored.count('"text/plain": "Run this cell to ')
    assert page.count('class="needs-python"') == sliders
    assert page.count('class="attention-play-still"') == stored.count('class=\\"attention-play-still\\"')
    assert "model_id" not in page and "Run this cell to " not in page


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
    ("file", "page"),
    [
        ("README.md", "index"),
        ("README.md", "running"),
        ("README.md", "teaching"),
        ("README.md", "results"),
        ("CONTRIBUTING.md", "contributing"),
        ("CHANGELOG.md", "changelog"),
    ],
)
def test_a_file_at_the_top_is_included_and_not_copied(file: str, page: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    source = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    assert f"{{include}} ../{file}" in source
    assert not [line for line in text.splitlines() if len(line) > 60 and line in source]


def test_the_landing_page_lists_the_lessons(site: Path) -> None:
    assert html_of(site, "index").count('<a class="reference internal" href="notebooks/') > len(LESSONS)


def test_landing_page_opens_with_a_sheet(site: Path) -> None:
    page = html_of(site, "index")
    assert page.count('class="attention-calculation"') == 1
    places = [
        page.index(part) for part in ("<h1>", 'class="attention-calculation"', "<nav class", "attention-explorer")
    ]
    assert places == sorted(places) and "<style>.jp-" not in page
    assert len(re.findall(r"<p\b", page[places[0] : places[1]])) == 1


def test_landing_page_holds_a_live_explorer(site: Path) -> None:
    page = html_of(site, "index")
    assert page.count('class="attention-explorer"') == 1 and "document.currentScript" in page


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
        with_site_links("[a](../nothing.py)", "notebooks/01-inputs.ipynb", "notebooks/01-inputs", "o/r")


@pytest.mark.parametrize(
    ("link", "page"),
    [
        ("../README.md", "../index.md"),
        ("02-weights.ipynb#So-far", "02-weights.ipynb#So-far"),
        ("../helpers/models/transformer.py", "../reference/models.md#helpers.models.transformer"),
        ("../CONTRIBUTING.md#Test", "../contributing.md#Test"),
        ("../LICENSE", "https://github.com/o/r/blob/HEAD/LICENSE"),
        ("../docs/questions.md", "../questions.md"),
        ("https://example.org/a.md", "https://example.org/a.md"),
        ("#Recap", "#Recap"),
    ],
)
def test_links_of_a_lesson_become_links_of_its_page(link: str, page: str) -> None:
    changed = with_site_links(f"[a]({link})", "notebooks/01-inputs.ipynb", "notebooks/01-inputs", "o/r")
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
    with pytest.raises(ExtensionError, match="nonsense"):
        rendered(r"\nonsense", block=False)
