"""Who imports whom: the contracts in pyproject.toml hold, and the picture of the rooms shows what is there."""

import pkgutil
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import grimp
import nbformat
import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "rooms.svg"
SVG = "{http://www.w3.org/2000/svg}"
OF_ALL = "helpers/files.py and wording.py"  # any room may import them, so no arrow leads there
Arrow = tuple[str, str]


# ---- what the picture shows ----


def boxes(picture: ElementTree.Element) -> dict[str, tuple[float, float, float, float]]:
    """Each box's name -> its left, top, right and bottom."""
    found = {}
    for box in picture.iter(f"{SVG}rect"):
        if name := box.get("data-box"):
            left, top, width, height = (float(box.attrib[key]) for key in ("x", "y", "width", "height"))
            found[name] = (left, top, left + width, top + height)
    return found


def shown(svg: str) -> set[Arrow]:
    """Each arrow, as the box on whose edge it starts and the box on whose edge it ends."""
    picture = ElementTree.fromstring(svg)
    paths = [path.attrib["d"] for path in picture.iter(f"{SVG}path") if path.get("class") == "arrow"]
    return {(_box_at(picture, points[0]), _box_at(picture, points[-1])) for points in map(corners, paths)}


def corners(path: str) -> list[tuple[float, float]]:
    """The corners of a path of horizontal and vertical lines, such as "M 10 10 H 20 V 30"."""
    x = y = 0.0
    found = []
    for command, numbers in re.findall(r"([MHV])([\d. ]+)", path):
        given = [float(number) for number in numbers.split()]
        x = given[0] if command in "MH" else x
        y = given[-1] if command in "MV" else y
        found.append((x, y))
    return found


def _box_at(picture: ElementTree.Element, point: tuple[float, float]) -> str:
    x, y = point
    for name, (left, top, right, bottom) in boxes(picture).items():
        inside = left <= x <= right and top <= y <= bottom
        if inside and (x in (left, right) or y in (top, bottom)):
            return name
    raise AssertionError(f"An arrow begins or ends at {point}, where there is no edge of a box.")


# ---- what is imported ----


def room(module: str) -> str:
    package, _, rest = module.partition(".")
    if package != "helpers":
        return package
    if rest in ("files", "wording"):
        return OF_ALL
    return f"helpers/{rest.split('.')[0]}" if rest else "helpers/__init__.py"


def imported() -> set[Arrow]:
    """Each import from one room to another. From outside, all of helpers is one room."""
    graph = grimp.build_graph("helpers", "tools", "benchmarks", cache_dir=None)
    arrows = set()
    for importer in graph.modules:
        for other in graph.find_modules_directly_imported_by(importer):
            start, end = room(importer), room(other)
            if not start.startswith("helpers/") and end.startswith("helpers/"):
                end = "helpers"
            if start != end and end != OF_ALL:
                arrows.add((start, end))
    return arrows | {("notebooks", package) for package in imported_by_lessons()}


def imported_by_lessons() -> Iterator[str]:
    """The packages of this repository that lessons import."""
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                yield from re.findall(r"^(?:from|import) (helpers|tools|benchmarks|tests)\b", cell.source, re.M)


# ---- tests ----


def test_the_contracts_hold(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    status = lint_imports(config_filename="pyproject.toml", cache_dir=None, no_cache=True, no_logo=True)
    assert status == 0, capsys.readouterr().out


def test_the_picture_shows_each_import_and_no_other() -> None:
    assert shown(PICTURE.read_text(encoding="utf-8")) == imported()


def test_the_picture_has_a_box_for_each_room() -> None:
    names = set(boxes(ElementTree.parse(PICTURE).getroot()))
    rooms = {f"helpers/{path.parent.name}" for path in (ROOT / "helpers").glob("*/__init__.py")}
    others = {"notebooks", "tools", "benchmarks", "helpers", "helpers/__init__.py", OF_ALL}
    assert names == rooms | others
    assert {path.name for path in (ROOT / "helpers").glob("*.py")} == {"__init__.py", "files.py", "wording.py"}


def test_an_arrow_is_read_from_where_it_starts_and_ends() -> None:
    box = '<rect data-box="{}" x="{}" y="0" width="10" height="10"/>'
    svg = '<svg xmlns="http://www.w3.org/2000/svg">' + box.format("a", 0) + box.format("b", 30) + "{}</svg>"
    assert shown(svg.format('<path class="arrow" d="M 10 5 H 20 V 7 H 30"/>')) == {("a", "b")}
    with pytest.raises(AssertionError, match="no edge of a box"):
        shown(svg.format('<path class="arrow" d="M 10 5 H 20"/>'))


# ---- what the pages say about files ----

PAGES = ["README.md", "CONTRIBUTING.md", "docs/how-it-is-built.md"]
MADE_LATER = {"docs/_build"}  # by the command that stands beside it


def paths_named(text: str) -> set[str]:
    """The paths in a text's code, without those that only show a pattern."""
    folders = "|".join(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
    found = re.findall(rf"(?<![\w/.])(?:{folders})/[\w./*-]*", text)
    return {path.rstrip(".") for path in found if "NN" not in path and not path.startswith(tuple(MADE_LATER))}


@pytest.mark.parametrize("page", PAGES)
def test_paths_that_a_page_names_are_there(page: str) -> None:
    named = paths_named((ROOT / page).read_text(encoding="utf-8"))
    assert len(named) > 5
    assert {path for path in named if not any(ROOT.glob(path))} == set()


def test_names_stand_in_the_files_that_the_page_gives_for_them() -> None:
    text = (ROOT / "docs" / "how-it-is-built.md").read_text(encoding="utf-8")
    given = re.findall(r"((?:`[\w.]+`(?:, | and )?)+) \(`([\w/.-]+\.py)`\)", text)
    assert len(given) >= 10
    for names, path in given:
        source = (ROOT / path).read_text(encoding="utf-8")
        for name in re.findall(r"(\w+)`", names):
            assert re.search(rf"^ *(?:def|class) {name}\b", source, re.M), f"{path} has no {name}"


def moved() -> list[tuple[str, str]]:
    """The rows of the changelog's tables: what it was, what it is."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return re.findall(r"^\| (.+?) \| `(.+?)` \|$", text, re.M)


@pytest.mark.parametrize("new", sorted({new.removeprefix("python -m ") for _, new in moved()}))
def test_what_has_moved_is_where_the_changelog_says(new: str) -> None:
    pkgutil.resolve_name(new)


def test_names_of_a_module_that_was_split_are_where_the_changelog_says() -> None:
    for old, new in moved():
        names = re.findall(r"`(\w+)`", old.partition(":")[2])
        assert [name for name in names if not hasattr(pkgutil.resolve_name(new), name)] == [], new
