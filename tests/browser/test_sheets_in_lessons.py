"""The sheet that opens each Play: what the lesson says of it happens when its stored output is opened and used."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import lab
import pytest
from sheet import Sheet

from helpers.live.calculation.sheet import RUN_IT
from helpers.live.page import Live

LESSONS = {int(path.name[:2]): path for path in sorted((lab.ROOT / "notebooks").glob("0*.ipynb"))}
MOST_BYTES = 800_000  # of a notebook
STAGE = dict(enumerate(["x", "matrices", "keys", "scores", "weights", "weighted", "outputs", "weights", "weights"], 1))


def stored(number: int) -> list[tuple[list[str], str]]:
    """The outputs of the cell with the sheet: what each holds, and its HTML or text."""
    cells = json.loads(LESSONS[number].read_text(encoding="utf-8"))["cells"]
    play = next(i for i, cell in enumerate(cells) if "".join(cell["source"]).startswith("## Play"))
    return [
        (list(output["data"]), "".join(output["data"].get("text/html", output["data"]["text/plain"])))
        for output in cells[play + 1]["outputs"]
    ]


@pytest.fixture(scope="module")
def opened(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[int], Sheet]]:
    """Opens the stored sheet of a lesson, all of them in one page; there is neither kernel nor network."""
    context = chromium.new_context(viewport={"width": 1000, "height": 1000})
    page = lab.watched(context.new_page())
    folder = tmp_path_factory.mktemp("sheets")

    def open_it(number: int) -> Sheet:
        html = stored(number)[0][1]
        page.goto(Live(html, alt="", title="Stored").save(folder / "sheet.html", overwrite=True).as_uri())
        page.locator(".attention-calculation[data-ready]").wait_for()
        return Sheet(page, page.locator(".attention-calculation"))

    yield open_it
    assert page.complaints == [] and page.requests == []
    context.close()


@pytest.mark.parametrize("number", LESSONS)
def test_play_opens_with_a_sheet_and_a_picture_for_those_without_scripts(number: int) -> None:
    (kinds, html), (_, said) = stored(number)
    assert kinds == ["text/html", "text/plain"] and said == RUN_IT
    assert f'"stage": "{STAGE[number]}"' in html
    assert len(re.search(r'<img class="attention-calculation-still" alt="([^"]+)"', html)[1]) > 60
    assert html.count("DecompressionStream") == 1  # packed, and once
    assert LESSONS[number].stat().st_size < MOST_BYTES


# How the texts of Play name the controls: as what they are, or by one of the things to choose or press.
SPOKEN_OF = {
    "scale": r"\*scale\*",
    "mask": r"for \*mask\*",
    "softmax over": r"\*softmax over\*",
    "heads": r"\*heads\*",
    **{side: rf"\+ beside `{side}`" for side in ("tokens", "d_model", "d_k", "d_v")},
    **{start: rf"[Pp]ress \*{start}\*" for start in ("random", "all alike", "one very long key", "one-hot")},
}


@pytest.mark.parametrize("number", LESSONS)
def test_controls_that_a_lesson_speaks_of_stand_open(number: int) -> None:
    cells = ["".join(cell["source"]) for cell in json.loads(LESSONS[number].read_text(encoding="utf-8"))["cells"]]
    play = next(i for i, source in enumerate(cells) if source.startswith("## Play"))
    asked = re.search(r"controls=(\[.*?\])", cells[play + 1])
    spoken_of = [name for name, pattern in SPOKEN_OF.items() if re.search(pattern, cells[play])]
    assert (json.loads(asked[1]) if asked else []) == spoken_of


def numbers(row: list[str]) -> list[float]:
    return [float(text.replace("\N{MINUS SIGN}", "-")) for text in row]


def test_lesson_1(opened: Any) -> None:
    sheet = opened(1)
    for j in (0, 2):
        sheet.type("x", 0, j, "0")
    assert sheet.table("outputs")[0] == ["0.33", "1", "0.33", "1"]
    for j in range(4):
        sheet.type("x", 0, j, "1")
    assert sheet.table("outputs")[0] == sheet.table("outputs")[2]
    for j, text in enumerate("4040"):
        sheet.type("x", 0, j, text)
    assert numbers(sheet.table("outputs")[0]) == [4, 0, 4, 0]


def test_lesson_2(opened: Any) -> None:
    sheet = opened(2)
    keys = sheet.table("keys")
    sheet.type("w_key", 1, 0, "5")
    assert [(i, j) for i in range(3) for j in range(3) if sheet.table("keys")[i][j] != keys[i][j]] == [(1, 0), (2, 0)]
    names = ("w_query", "w_key", "w_value", "queries", "keys", "values")
    for side, grown in {"d_k": {"w_query", "w_key", "queries", "keys"}, "d_v": {"w_value", "values"}}.items():
        before = {name: len(sheet.table(name)[0]) for name in names}
        sheet.press(f"one more: {side}")
        assert {name for name in names if len(sheet.table(name)[0]) > before[name]} == grown
    sheet.press("Reset")
    values = sheet.table("values")
    for place in range(12):
        sheet.type("w_value", place // 3, place % 3, "7.5")
        assert any(row == before for row, before in zip(sheet.table("values"), values, strict=True))
        sheet.press("Undo")


def test_lesson_3(opened: Any) -> None:
    sheet = opened(3)
    assert sheet.table("keys")[0] == ["0", "1", "1"]
    sheet.type("x", 0, 1, "1")
    assert sheet.table("keys")[0] == ["1", "2", "1"]
    sheet.press("Undo")
    sheet.type("w_key", 0, 2, "0")
    sheet.type("w_key", 2, 1, "0")
    assert sheet.table("keys")[0] == ["0", "0", "0"]
    sheet.press("Undo")
    sheet.cell("keys", 0, 1).click()
    sheet.press("Predict first")
    assert sheet.table("keys") == [["?"] * 3] * 3


def test_lesson_4(opened: Any) -> None:
    sheet = opened(4)
    scores = sheet.table("scores")
    sheet.type("queries", 0, 0, "3")
    changed = sheet.table("scores")
    assert [a == b for a, b in zip(changed[0], scores[0], strict=True)] == [True, False, False]
    assert changed[1:] == scores[1:]
    for j, text in enumerate("001"):
        sheet.type("queries", 0, j, text)
    assert sheet.table("scores")[0] == ["1", "0", "1"]
    sheet.press("Reset")
    sheet.type("keys", 0, 1, "9")  # turned: number 0 of key 1
    assert [row[1] for row in sheet.table("scores")] != [row[1] for row in scores]
    assert [row[::2] for row in sheet.table("scores")] == [row[::2] for row in scores]
    sheet.open("scaled")
    sheet.root.get_by_label("scale", exact=True).check()
    for before, after in zip(sheet.table("scores"), sheet.table("scaled"), strict=True):
        order = sorted(range(3), key=lambda i: numbers(before)[i])
        assert all(numbers(after)[i] <= numbers(after)[j] for i, j in pairwise(order))


def test_lesson_5(opened: Any) -> None:
    sheet = opened(5)
    assert sheet.table("weights")[0] == ["0.14", "0.43", "0.43"]
    scale = sheet.root.get_by_label("scale", exact=True)
    scale.uncheck()
    assert sheet.table("weights")[0] == ["0.06", "0.47", "0.47"]
    scale.check()
    sheet.type("scaled", 0, 0, "8.2")
    assert sheet.table("weights")[0][0] == "0.99"
    sheet.type("scaled", 0, 0, "8.3")
    assert sheet.table("weights")[0] == ["1.00", "0.00", "0.00"]
    sheet.root.get_by_label("softmax over").select_option("queries")
    columns = zip(*map(numbers, sheet.table("weights")), strict=True)
    assert all(abs(sum(column) - 1) < 0.02 for column in columns)


def test_lesson_6(opened: Any) -> None:
    sheet = opened(6)
    query = sheet.root.get_by_label("query", exact=True)
    query.select_option("1")
    assert [row[0] for row in sheet.table("weights")] == ["0.00", "0.98", "0.02"]
    assert sheet.said("where") == "weighted values[0, 0], from input 0 to input 1"
    query.select_option("0")
    weights = sheet.table("weights")
    for j in range(3):
        sheet.type("values", 2, j, "0")
    assert sheet.table("weights") == weights and sheet.table("weighted")[2] == ["0", "0", "0"]
    assert sheet.table("weighted")[1][1] == "3.75"
    sheet.type("values", 0, 1, "59")
    assert abs(numbers(sheet.table("weighted")[0])[1] - 3.75) < 0.02


def test_lesson_7(opened: Any) -> None:
    sheet = opened(7)
    sheet.press("all alike")
    assert sheet.table("outputs") == [["1", "2", "3"]] * 3
    sheet.press("Reset")
    sheet.open("weights")
    for j in range(3):
        sheet.type("weights", 0, j, "1")
    sheet.open("outputs")
    assert sheet.table("outputs")[0] == ["5", "16", "6"]
    sheet.press("Reset")
    sheet.open("whole sheet")
    for _ in range(5):
        sheet.press("random")
        values, outputs = (list(zip(*map(numbers, sheet.table(name)), strict=True)) for name in ("values", "outputs"))
        assert all(max(outputs[j]) <= max(values[j]) and min(outputs[j]) >= min(values[j]) for j in range(3))


def test_lesson_8(opened: Any) -> None:
    sheet = opened(8)
    tables = sheet.root.locator("[data-table=weights]")
    bites = [tables.nth(head).locator("tbody tr").nth(1).locator("td").all_text_contents() for head in (0, 1)]
    assert bites == [["0.99", "0.00", "0.00"], ["0.00", "0.00", "0.99"]]
    sheet.open("queries")
    for j, text in enumerate("8080"):
        sheet.type("queries", 1, j, text)
    sheet.open("weights")
    assert tables.nth(0).locator("tbody").text_content() == tables.nth(1).locator("tbody").text_content()
    sheet.press("Reset")
    heads = sheet.root.get_by_label("heads")
    heads.select_option("1")
    assert sheet.table("weights")[1] == ["0.50", "0.01", "0.50"]
    heads.select_option("4")
    sheet.open("queries")
    assert sheet.table("queries")[1] == ["8", "0", "0", "8"]
    assert sheet.root.locator("[data-table=queries] tbody tr").first.locator(".next-head").count() == 3


def test_lesson_9(opened: Any) -> None:
    sheet = opened(9)
    before = sheet.table("weights")
    mask = sheet.root.get_by_label("mask", exact=True)
    mask.select_option("cells")
    sheet.cell("mask", 4, 0).click()
    last = sheet.table("weights")[4]
    left = 1 - numbers(before[4])[0]
    assert last[0] == "0"
    assert all(abs(b / left - a) < 0.015 for a, b in zip(numbers(last)[1:], numbers(before[4])[1:], strict=True))
    sheet.cell("mask", 0, 0).click()
    assert sheet.table("weights")[0] == ["nan"] * 5
    sheet.press("Reset")
    mask.select_option("none")
    assert [row == old for row, old in zip(sheet.table("weights"), before, strict=True)] == [False] * 4 + [True]
