"""The calculation as a learner has it: by hand, by keys, on a telephone, in JupyterLab and as a page from disk."""

# ruff: noqa: RUF001 (the minus sign is what is tested)

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lab
import nbformat
import pytest
import torch
from sheet import Sheet

from helpers.drawing.colours import KEY, QUERY, VALUE
from helpers.live.calculation import CONTROLS, STAGES, Calculation, calculation
from helpers.live.calculation.sheet import RUN_IT
from helpers.live.calculation.state import state_of
from helpers.live.page import Live

X = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_QUERY = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_KEY = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_VALUE = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
NARROW, WIDE = {"width": 320, "height": 640}, {"width": 1000, "height": 1100}
Opened = Callable[..., Sheet]


@pytest.fixture(scope="module")
def shared(chromium: Any) -> Iterator[Any]:
    """One page for all tests that open a sheet from disk: to make a page takes longer than most tests."""
    context = chromium.new_context(viewport=WIDE)
    page = lab.watched(context.new_page())
    yield page
    context.close()


@pytest.fixture
def opened(shared: Any, tmp_path: Path) -> Iterator[Opened]:
    """Opens a sheet from disk; afterwards nothing was complained of and nothing asked of the network."""
    shared.complaints.clear()
    shared.requests.clear()

    def open_it(made: Calculation | None = None, size: dict[str, int] = WIDE, hash: str = "", **given: Any) -> Sheet:
        made = made or calculation(X, W_QUERY, W_KEY, W_VALUE, **{"controls": CONTROLS, **given})
        shared.set_viewport_size(size)
        shared.emulate_media(color_scheme="light", reduced_motion="no-preference")
        shared.goto("about:blank")
        shared.goto(made.save(tmp_path / "sheet.html", overwrite=True).as_uri() + hash)
        shared.locator(".attention-calculation[data-ready]").wait_for()
        return Sheet(shared, shared.locator(".attention-calculation"))

    yield open_it
    assert shared.complaints == [] and shared.requests == []


# ---- what it shows ----


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_opens_and_says_a_sum(opened: Opened, stage: str) -> None:
    sheet = opened(stage=stage)
    assert not sheet.page.locator(".attention-calculation-still").is_visible()
    assert sheet.root.locator("[role=tab][aria-selected=true]").count() == 1
    assert len(sheet.lit("here")) == 1 and (sheet.lit("from") or stage == "x") and sheet.said("sum")
    assert sheet.root.locator("table").count() >= 2


def test_steps_come_one_after_the_other_or_all_when_they_are_asked_for(opened: Opened) -> None:
    sheet = opened(stage="x")
    tabs, more = sheet.root.get_by_role("tab"), sheet.root.get_by_role("button", name="All steps")
    assert tabs.all_text_contents() == ["x", "matrices"]
    tabs.last.focus()
    sheet.page.keyboard.press("ArrowRight")
    sheet.page.keyboard.press("ArrowRight")
    assert tabs.all_text_contents() == ["x", "matrices", "queries", "keys", "values"]
    more.click()
    assert tabs.count() == 11 and not more.is_visible()
    focused = "() => document.activeElement.shadowRoot.activeElement.textContent"
    assert sheet.page.evaluate(focused) == "keys"
    assert opened(stage="outputs").root.get_by_role("tab").count() == 11


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_strip_has_the_colours_of_what_its_stages_hold(opened: Opened, scheme: str) -> None:
    sheet = opened(stage="all")
    lab.put_in(sheet.page, scheme)
    for stage, name in {"queries": "query", "values": "value", "outputs": "output", "scores": "quiet"}.items():
        canvas = sheet.root.get_by_role("tab", name=stage, exact=True).locator("canvas")
        painted, wanted = canvas.evaluate(
            """(canvas, name) => {
              const { width, height } = canvas;
              const all = [...canvas.getContext("2d").getImageData(0, 0, width, height).data];
              const strongest = all.findIndex((alpha, i) => i % 4 === 3 && alpha === 255) - 3;
              const hex = all.slice(strongest, strongest + 3).map((part) => part.toString(16).padStart(2, "0"));
              return [`#${hex.join("")}`, getComputedStyle(canvas).getPropertyValue(`--${name}`)];
            }""",
            name,
        )
        assert painted == wanted, stage


def test_tables_have_headings_for_a_screen_reader(opened: Opened) -> None:
    sheet = opened(stage="scores", row_labels=["a", "b", "c"])
    table = sheet.root.locator("[data-table=queries]")
    assert table.locator("thead th[scope=col]").all_text_contents() == ["0", "1", "2"]
    assert table.locator("tbody th[scope=row]").all_text_contents() == ["a", "b", "c"]
    for part in ("thead", "tbody"):
        assert sheet.root.locator(f"[data-table=scores] {part} th").all_text_contents() == ["a", "b", "c"]
    # Words say which; without any, a name says what a row or a column is.
    weights = opened(stage="weights", row_labels=["a", "b", "c"]).root.locator("[data-table=weights]")
    assert weights.locator(".corner").inner_text().split() == ["key", "→", "query", "↓"]
    weights = opened(stage="weights").root.locator("[data-table=weights]")
    assert weights.locator("thead th").all_text_contents() == ["key 0", "key 1", "key 2"]
    assert weights.locator("tbody th").all_text_contents() == ["query 0", "query 1", "query 2"]
    assert weights.locator(".corner").count() == 0
    sheet = opened(stage="scores", row_labels=["a", "b", "c"])
    assert table.locator("caption").text_content() == "queries 3 × 3"
    assert sheet.table("scores") == [["2", "4", "4"], ["4", "16", "12"], ["4", "12", "10"]]


def test_pointing_lights_where_a_number_comes_from(opened: Opened) -> None:
    sheet = opened(stage="scores")
    said = sheet.said("sum")
    sheet.cell("scores", 0, 1).hover()
    assert sheet.said("sum") == "1·4 + 0·4 + 2·0 = 4"
    assert sheet.said("where") == "scores[0, 1], query of input 0 with key of input 1"
    assert sheet.lit("here") == {("scores", 0, 1)}
    assert sheet.lit("from") == {("queries", 0, j) for j in range(3)} | {("keys", i, 1) for i in range(3)}
    sheet.page.mouse.move(2, 2)
    assert sheet.said("sum") == said


def test_lines_are_as_thick_as_weights(opened: Opened) -> None:
    sheet = opened(stage="weights")
    sheet.cell("weights", 1, 0).focus()
    widths = [float(line.get_attribute("stroke-width")) for line in sheet.root.locator("line").all()]
    weights = ((X @ W_QUERY) @ (X @ W_KEY).T / 3**0.5).softmax(dim=-1)[1]
    assert torch.allclose(torch.tensor(widths), 0.8 + 8 * weights)


def test_choosing_a_query_moves_the_sum_and_the_lines(opened: Opened) -> None:
    sheet = opened(stage="weights")
    query = sheet.root.get_by_label("query", exact=True)
    query.select_option("1")
    assert query.input_value() == "1" and sheet.said("where") == "weights[1, 0], what input 1 takes of input 0"
    assert {line.get_attribute("y1") for line in sheet.root.locator("line").all()} == {"2.5"}
    sheet.open("weighted values")
    assert sheet.lit("here") == {("weighted", 0, 0)} and sheet.said("where").endswith("from input 0 to input 1")


def test_all_heads_are_seen_at_once(opened: Opened) -> None:
    queries, keys = torch.zeros(2, 4, 4)
    queries[0, :2] = keys[0, :2] = torch.tensor([1.0, 2])
    sheet = opened(calculation(X, queries, keys, torch.eye(4), stage="weights", n_heads=2))
    tables = sheet.root.locator("[data-table=weights]")
    assert [one.locator("caption span").text_content() for one in tables.all()] == [
        "weights, head 0",
        "weights, head 1",
    ]
    weights = (X[:, :1] @ X[:, :1].T * 5 / 2**0.5).softmax(dim=-1)
    assert sheet.table("weights")[0] == [f"{n:.2f}" for n in weights[0].tolist()]
    assert tables.nth(1).locator("td span").all_text_contents() == ["0.33"] * 9
    tables.nth(1).locator("tbody td").nth(5).click()
    assert sheet.said("where") == "weights[1, 2], what input 1 takes of input 2, head 1"
    assert sheet.root.locator("line").count() == 6


# ---- changing ----


def test_dragging_changes_all_that_follows_and_is_one_step_of_undo(opened: Opened) -> None:
    sheet = opened(stage="all")
    before = {name: sheet.table(name) for name in ("x", "queries", "scores", "weights", "outputs")}
    places = sheet.root.locator("table").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
    sheet.drag("x", 1, 1, 40)
    assert sheet.table("x")[1] == ["0", "6", "0", "2"]
    changed = X.clone()
    changed[1, 1] = 6
    assert sheet.table("queries") == [[f"{n:.0f}" for n in row] for row in (changed @ W_QUERY).tolist()]
    assert all(sheet.table(name) != table for name, table in before.items())
    assert places == sheet.root.locator("table").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"
    ), "a table has moved"
    sheet.press("Undo")
    assert {name: sheet.table(name) for name in before} == before
    sheet.press("Redo")
    assert sheet.table("x")[1][1] == "6"


def test_what_changed_is_lit_for_a_moment(opened: Opened) -> None:
    sheet = opened(stage="queries")
    sheet.drag("x", 1, 1, 30)
    assert sheet.lit("changed") == {("x", 1, 1), ("queries", 1, 0)}
    sheet.page.wait_for_function(
        "() => !document.querySelector('.attention-calculation > div').shadowRoot.querySelector('.changed')"
    )


def test_typing_replaces_a_number_and_what_cannot_be_is_refused_where_it_was_typed(opened: Opened) -> None:
    sheet = opened(stage="queries")
    sheet.type("x", 0, 0, "-2.5")
    assert sheet.cell("x", 0, 0).text_content() == "−2.50" and sheet.cell("queries", 0, 0).text_content() == "−2.50"
    sheet.type("x", 0, 0, "1e400")
    entry = sheet.cell("x", 0, 0).locator("input")
    frame = entry.evaluate("(box) => [getComputedStyle(box).outlineWidth, getComputedStyle(box).outlineOffset]")
    assert frame == ["3px", "-3px"], "a frame around the cell would be cut off"
    assert entry.input_value() == "1e400" and entry.get_attribute("aria-invalid") == "true"
    assert sheet.root.get_by_role("alert").text_content() == "“1e400” is too large: up to 1,000,000,000 fits here."
    assert sheet.cell("queries", 0, 0).text_content() == "−2.50"
    sheet.page.keyboard.press("Escape")
    assert sheet.cell("x", 0, 0).text_content() == "−2.50" and not sheet.root.locator("td input").count()
    sheet.cell("x", 0, 0).press("Enter")
    assert sheet.said("note") == "Enter takes the number, Escape leaves it as it was."
    sheet.page.keyboard.type("cat")
    sheet.cell("x", 0, 1).click()  # leaves a word where a number belongs: the number stays
    assert sheet.cell("x", 0, 0).text_content() == "−2.50"
    for written in ("3", "cat"):  # a click beside the sheet takes or leaves the number, and there is no box any more
        sheet.cell("x", 0, 0).press("Enter")
        sheet.page.keyboard.type(written)
        sheet.page.mouse.click(2, 2)
        assert not sheet.root.locator("td input").count() and "Escape" not in sheet.said("note")
        assert sheet.cell("x", 0, 0).text_content() == "3"


def test_what_is_calculated_can_be_set_by_hand_and_given_back(opened: Opened) -> None:
    sheet = opened(stage="weights")
    sheet.type("scaled", 0, 0, "2")
    expected = torch.tensor([2, 4 / 3**0.5, 4 / 3**0.5]).softmax(dim=0)
    assert sheet.table("weights")[0] == [f"{n:.2f}" for n in expected.tolist()]
    assert sheet.said("sum") == "Set to 2 by hand. Calculated: 2 / √3 ≈ 1.15"
    assert "Delete" in sheet.cell("scaled", 0, 0).get_attribute("title")
    sheet.page.keyboard.press("Delete")
    assert sheet.table("weights")[0] == ["0.14", "0.43", "0.43"]


def test_mask_cells_can_be_switched_and_masked_scores_cannot_be_typed(opened: Opened) -> None:
    sheet = opened(stage="scaled")
    assert sheet.root.locator("[data-table=mask]").count() == 0
    sheet.root.get_by_label("mask").select_option("causal")
    assert sheet.table("mask") == [["✓", "✕", "✕"], ["✓", "✓", "✕"], ["✓", "✓", "✓"]]
    assert sheet.table("scaled")[0] == ["1.15", "−∞", "−∞"]
    sheet.type("scaled", 0, 1, "3")
    assert sheet.root.get_by_role("alert").text_content().startswith("The mask forbids this pair")
    sheet.cell("mask", 0, 2).click()
    assert sheet.table("scaled")[0] == ["1.15", "−∞", "2.31"]
    sheet.cell("mask", 0, 0).press(" ")
    sheet.cell("mask", 0, 2).press("Enter")
    sheet.open("weights")
    assert sheet.table("weights")[0] == ["nan", "nan", "nan"]
    assert "0 by 0" in sheet.said("sum")


def test_single_cells_open_where_there_are_cells_to_click(opened: Opened) -> None:
    sheet = opened(stage="outputs")
    sheet.root.get_by_label("mask", exact=True).select_option("cells")
    sheet.cell("mask", 0, 2).click()
    assert sheet.table("mask")[0] == ["✓", "✓", "✕"] and sheet.table("weights")[0][2] == "0"
    assert sheet.said("where") == "mask[0, 2], query of input 0 with key of input 2"
    assert sheet.said("sum").startswith("✕: this query may not attend to this key")
    sheet.page.keyboard.press("ArrowLeft")
    assert sheet.said("sum") == "✓: this query may attend to this key."


def test_switches_sizes_heads_and_starting_points(opened: Opened) -> None:
    sheet = opened(stage="all")
    sheet.root.get_by_label("scale").uncheck()
    assert sheet.table("scaled") == sheet.table("scores")
    sheet.root.get_by_label("softmax over").select_option("queries")
    columns = torch.tensor([[float(n) for n in row] for row in sheet.table("weights")]).sum(dim=0)
    assert torch.allclose(columns, torch.ones(3), atol=0.02)
    sheet.root.get_by_label("heads").select_option("2")
    assert len(sheet.table("queries")[0]) == 4 and sheet.root.get_by_label("head", exact=True).count() == 1
    sheet.root.get_by_label("head", exact=True).select_option("1")
    sheet.press("one more: tokens")
    assert len(sheet.table("x")) == 4 == len(sheet.table("scores"))
    sheet.press("one fewer: d_model")
    assert len(sheet.table("x")[0]) == 3
    for start in ("all alike", "one very long key", "one-hot", "random"):
        before = sheet.table("keys")
        sheet.press(start)
        assert sheet.table("keys") != before or start == "all alike"
    sheet.press("Reset")
    assert sheet.table("x") == [["1", "0", "1", "0"], ["0", "2", "0", "2"], ["1", "1", "1", "1"]]
    for _ in range(5):
        sheet.press("one more: d_v")
    assert len(sheet.table("values")[0]) == 8
    more = sheet.root.get_by_role("button", name="one more: d_v")
    more.focus()
    sheet.page.keyboard.press("Enter")
    assert more.get_attribute("aria-disabled") == "true" and len(sheet.table("values")[0]) == 8


def test_controls_wait_behind_more_unless_they_are_asked_for(opened: Opened) -> None:
    for asked in ([], ["scale", "d_k", "random"], CONTROLS):
        sheet = opened(stage="scores", controls=asked)
        more = sheet.root.locator("summary")
        places = {side: sheet.root.get_by_role("button", name=f"one more: {side}") for side in CONTROLS[4:8]}
        places |= {name: sheet.root.get_by_label(name, exact=True) for name in CONTROLS[:4]}
        places |= {name: sheet.root.get_by_role("button", name=name, exact=True) for name in CONTROLS[8:]}
        assert [name for name in CONTROLS if places[name].is_visible()] == asked
        assert more.is_visible() == (asked != CONTROLS)
        if asked != CONTROLS:
            more.click()
            assert all(place.is_visible() for place in places.values())


def test_cells_in_use_have_the_colour_of_their_table(opened: Opened) -> None:
    tint = "(td) => getComputedStyle(td).backgroundColor"
    for scheme in ("light", "dark"):
        found = {}
        for stage, tables in (("queries", "x w_query"), ("scores", "queries keys"), ("weighted", "values weights")):
            sheet = opened(stage=stage)
            lab.put_in(sheet.page, scheme)
            for table in tables.split():
                found[table] = sheet.root.locator(f"[data-table={table}] td.from").first.evaluate(tint)
        assert found["w_query"] == found["queries"] and found["x"] == found["weights"]
        assert len({found[name] for name in ("queries", "keys", "values", "weights")}) == 4
        if scheme == "light":
            for role, name in ((QUERY, "queries"), (KEY, "keys"), (VALUE, "values")):
                red, green, blue = (int(role.tint[i : i + 2], 16) for i in (1, 3, 5))
                assert found[name] == f"rgb({red}, {green}, {blue})"


def test_after_a_change_the_old_numbers_are_said(opened: Opened) -> None:
    sheet = opened(stage="scores")
    sheet.drag("queries", 0, 0, 60)
    assert sheet.said("note") == "Was 1. Changed with it: scores[0, 1]: 4 → 28, [0, 2]: 4 → 16."
    assert sheet.lit("moved") == {("queries", 0, 0), ("scores", 0, 1), ("scores", 0, 2)}
    sheet.page.wait_for_timeout(1100)
    assert sheet.lit("moved") and not sheet.lit("changed")
    sheet.press("Undo")
    assert not sheet.lit("moved") and not sheet.said("note").startswith("Was")


def test_powers_are_raised_and_still_read_as_powers(opened: Opened) -> None:
    sheet = opened(stage="weights")
    assert sheet.said("sum").startswith("e^1.15 / (e^1.15 + e^2.31 + e^2.31) ≈ 3.17")
    assert sheet.root.locator(".sum sup").all_text_contents() == ["1.15", "1.15", "2.31", "2.31"]


def test_the_whole_sheet_fits_beside_the_files_of_jupyterlab(opened: Opened) -> None:
    sheet = opened(stage="all", size={"width": 862, "height": 900})  # as much as JupyterLab leaves of 1280 pixels
    cut = "(panel) => panel.scrollWidth - panel.clientWidth"
    assert sheet.root.locator(".panel").evaluate(cut) == 0


@pytest.mark.parametrize("width", [360, 800])
def test_what_has_no_room_beside_goes_to_the_next_line_with_its_product(opened: Opened, width: int) -> None:
    given = [torch.eye(3, 5), *(torch.ones(5, 4) for _ in range(3))]
    for stage in ("matrices", "all"):
        sheet = opened(calculation(*given, stage=stage, n_heads=2), size={"width": width, "height": 900})
        assert sheet.root.locator(".panel").evaluate("(panel) => panel.scrollWidth - panel.clientWidth") == 0
        for matrix, made in (("w_query", "queries"), ("w_key", "keys"), ("w_value", "values")):
            above, below = (sheet.cell(name, 0, 0).bounding_box() for name in (matrix, made))
            assert above["x"] == pytest.approx(below["x"], abs=1) and above["y"] < below["y"]


def test_lines_stand_beside_the_rows_of_their_table(opened: Opened) -> None:
    wide = [torch.ones(3, 5), *(torch.eye(5) for _ in range(3))]
    for made in (None, calculation(*wide, stage="weights")):
        sheet = opened(made, stage="weights") if made is None else opened(made)
        for row in range(3):
            cell = sheet.cell("weights", row, 0).bounding_box()
            name = sheet.root.locator(".lines ol").first.locator("li").nth(row + 1).bounding_box()
            middles = [box["y"] + box["height"] / 2 for box in (cell, name)]
            assert middles[0] == pytest.approx(middles[1], abs=1.5)


# ---- walking and predicting ----


def test_walk_lights_one_product_after_the_other(opened: Opened) -> None:
    sheet = opened(stage="scores")
    sheet.press("Next →")
    assert sheet.said("note") == "Part 2 of 3: 0·1 = 0. Added up so far: 0."
    assert sheet.lit("term") == {("queries", 0, 1), ("keys", 1, 0)}
    sheet.root.get_by_label("step").select_option("row")
    sheet.press("Next →")
    assert sheet.said("note") == "Row 1, input 1: 4, 16, 12." and len(sheet.lit("here")) == 3
    sheet.root.get_by_label("step").select_option("stage")
    sheet.press("Next →")
    assert sheet.root.locator("[aria-selected=true]").text_content() == "scaled"
    sheet.press("← Back")
    sheet.press("← Back")
    assert sheet.root.locator("[aria-selected=true]").text_content() == "values"


def test_next_stays_where_the_outputs_are_in_view_and_where_it_was_pressed(opened: Opened) -> None:
    sheet = opened(stage="x")
    sheet.cell("outputs", 0, 0).click()
    offered = sheet.root.get_by_role("tab").count()
    before = sheet.root.get_by_role("button", name="Next →").bounding_box()
    sheet.press("Next →")
    assert sheet.root.locator("[aria-selected=true]").text_content() == "x"
    assert sheet.root.get_by_role("tab").count() == offered
    sheet.cell("x", 0, 0).click()
    sheet.press("Next →")
    assert sheet.root.locator("[aria-selected=true]").text_content() == "queries"
    assert sheet.root.get_by_role("button", name="Next →").bounding_box() == before


def test_predict_first_hides_the_table_until_a_guess(opened: Opened) -> None:
    sheet = opened(stage="queries")
    sheet.press("Predict first")
    assert sheet.table("queries") == [["?"] * 3] * 3
    assert sheet.page.evaluate("() => document.activeElement.shadowRoot.activeElement.ariaLabel") == "Your guess"
    sheet.page.keyboard.type("many")
    sheet.page.keyboard.press("Enter")
    assert "“many” is not a number" in sheet.root.get_by_role("alert").text_content()
    sheet.root.get_by_label("Your guess").fill("3")
    sheet.page.keyboard.press("Enter")
    assert sheet.said("note") == "You said 3; it is 1, so you were 2 too high."
    assert sheet.table("queries")[0] == ["1", "0", "2"] and sheet.said("sum") == "1·1 + 0·1 + 1·0 + 0·0 = 1"


def test_next_goes_on_with_the_guesses_and_tells_no_part_of_a_sum(opened: Opened) -> None:
    sheet = opened(stage="queries")
    sheet.press("Predict first")
    sheet.press("Next →")
    assert sheet.lit("here") == {("queries", 0, 1)} and "Part" not in sheet.said("note")
    assert sheet.table("queries") == [["?"] * 3] * 3 and sheet.root.get_by_label("Your guess").is_visible()
    sheet.root.get_by_label("step").select_option("stage")
    sheet.press("Next →")
    assert sheet.table("keys") == [["?"] * 3] * 3 and sheet.lit("here") == {("keys", 0, 0)}
    sheet.press("Show it")
    assert "?" not in sheet.table("keys")[0]


def test_field_for_a_guess_stands_apart_from_the_lines_around_it(opened: Opened) -> None:
    sheet = opened(stage="queries")
    sheet.press("Predict first")
    parts = (".sum input", ".where", ".note >> nth=0")
    field, above, below = (sheet.root.locator(part).bounding_box() for part in parts)
    assert above["y"] + above["height"] + 2 <= field["y"] and field["y"] + field["height"] + 2 <= below["y"]
    ring = "(input) => parseFloat(getComputedStyle(input).outlineOffset)"
    assert sheet.root.locator(".sum input").evaluate(ring) < 0
    assert sheet.root.locator(".words").evaluate("(box) => box.scrollHeight <= box.clientHeight")


# ---- by keyboard, on a telephone, for everyone ----


def test_keyboard_alone_changes_a_number_walks_and_opens_stages(opened: Opened) -> None:
    sheet = opened(stage="queries")
    keys = sheet.page.keyboard
    focused = "() => document.activeElement.shadowRoot?.activeElement?.textContent"
    reached = []
    for _ in range(40):
        keys.press("Tab")
        reached.append(sheet.page.evaluate(focused))
        if reached[-1] == "one-hot":
            break
    assert {"queries", "Next →", "Predict first", "Undo", "Reset", "random", "one-hot"} <= set(reached)
    assert len(reached) < 40
    sheet.cell("x", 0, 0).focus()
    for key in ("ArrowDown", "ArrowRight", "Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowDown"):
        keys.press(key)
    assert sheet.said("where") == "x[1, 1], input 1" and sheet.table("x")[1][1] == "3"
    keys.press("End")
    assert sheet.said("where").startswith("x[1, 3]")
    keys.press("Enter")
    keys.press("ArrowUp")
    assert sheet.table("queries")[1] == ["3", "3", "3"]
    keys.press("Escape")
    for _ in range(3):
        keys.press("Control+z")
    assert sheet.table("x") == [["1", "0", "1", "0"], ["0", "2", "0", "2"], ["1", "1", "1", "1"]]
    keys.press("Shift+Tab")
    keys.press("Tab")
    assert sheet.said("where").startswith("x[1, 3]")
    sheet.root.get_by_role("tab", name="queries").focus()
    keys.press("ArrowRight")
    assert sheet.page.evaluate(focused) == "keys" and sheet.root.locator("[data-table=keys]").count() == 1


def test_changes_are_announced_once_they_rest(opened: Opened) -> None:
    sheet = opened(stage="queries")
    sheet.cell("x", 1, 1).focus()
    for _ in range(5):
        sheet.page.keyboard.press("Shift+ArrowUp")
    status = sheet.root.get_by_role("status")
    expect_text = "() => document.querySelector('.attention-calculation > div').shadowRoot"
    sheet.page.wait_for_function(f"{expect_text}.querySelector('[role=status]').textContent")
    assert status.text_content().startswith("x[1, 1], input 1: 7, given.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nothing_for_axe_to_complain_of(opened: Opened, axe: str, scheme: str, size: dict[str, int]) -> None:
    torch.manual_seed(0)
    big = [torch.randn(8, 8).round(decimals=1) for _ in range(4)]
    mask = torch.ones(8, 8, dtype=torch.bool).tril()
    sheet = opened(calculation(*big, mask=mask, n_heads=2), size)
    lab.put_in(sheet.page, scheme, reduced_motion="reduce")
    for stage in ("all", "scaled", "weights", "weighted values", "outputs"):
        sheet.open("whole sheet" if stage == "all" else stage)
        sheet.page.wait_for_timeout(450)
        assert lab.violations(sheet.page, axe) == [], stage
    sheet.page.emulate_media(color_scheme="light")


def test_no_text_is_smaller_than_9_points(opened: Opened) -> None:
    for size in (WIDE, NARROW):
        sheet = opened(stage="all", size=size)
        smallest = sheet.root.locator(".card *").evaluate_all(
            """(all) => Math.min(...all.filter((one) => one.textContent.trim() && !one.closest('.unseen'))
              .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
        )
        assert smallest >= 12  # pixels


def test_on_a_telephone_the_page_does_not_scroll_sideways_and_a_finger_drags(chromium: Any, tmp_path: Path) -> None:
    context = chromium.new_context(viewport=NARROW, has_touch=True, is_mobile=True)
    page = lab.watched(context.new_page())
    page.goto(calculation(X, W_QUERY, W_KEY, W_VALUE, stage="queries").save(tmp_path / "sheet.html").as_uri())
    sheet = Sheet(page, page.locator(".attention-calculation"))
    sheet.root.locator("[data-table=x]").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth") == 320
    sheet.cell("x", 0, 0).scroll_into_view_if_needed()
    box = sheet.cell("x", 0, 0).bounding_box()
    x, y = box["x"] + 10, box["y"] + 10
    fingers = context.new_cdp_session(page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 5 * step, "y": y}]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    sheet.settle()
    assert int(sheet.cell("x", 0, 0).text_content()) > 2
    page.wait_for_timeout(700)  # at once it would be taken for a double tap
    sheet.cell("x", 0, 1).tap()
    sheet.cell("x", 0, 1).tap()
    assert sheet.cell("x", 0, 1).locator("input").get_attribute("inputmode") == "decimal"
    assert "tap it twice" in sheet.said("hint") and "no minus" in sheet.said("note")
    assert page.complaints == []
    context.close()


@pytest.mark.parametrize("of", ["three tokens", "eight tokens"])
def test_a_finger_has_room(chromium: Any, tmp_path: Path, of: str) -> None:
    torch.manual_seed(0)
    given = (
        (X, W_QUERY, W_KEY, W_VALUE)
        if of == "three tokens"
        else [torch.randn(8, 8).round(decimals=1) for _ in range(4)]
    )
    context = chromium.new_context(viewport=NARROW, has_touch=True, is_mobile=True)
    page = lab.watched(context.new_page())
    page.goto(calculation(*given, stage="weights").save(tmp_path / "sheet.html").as_uri())
    sheet = Sheet(page, page.locator(".attention-calculation"))
    sheet.root.locator("[data-table=weights]").wait_for()
    smallest = sheet.root.locator("button:visible, select:visible, tbody td:visible").evaluate_all(
        "(all) => Math.min(...all.map((one) => one.getBoundingClientRect().height))"
    )
    assert smallest >= 43.5
    rows, lines = (
        sheet.root.locator(where).evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().height)")
        for where in ("[data-table=weights] tbody tr", ".lines ol:first-child li")
    )
    assert rows == pytest.approx(lines[1:], abs=0.5)
    assert sheet.root.locator(".lines svg").bounding_box()["height"] == pytest.approx(sum(lines), abs=0.5)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 320
    context.close()


def test_tables_stay_in_their_place_on_a_telephone_whatever_is_looked_at(opened: Opened) -> None:
    sheet = opened(stage="queries", size=NARROW)
    words, tops = sheet.root.locator(".words"), set()
    assert words.evaluate("(box) => getComputedStyle(box).position") == "static"
    for table in ("x", "w_query", "queries"):
        sheet.cell(table, 0, 0).click()
        sheet.settle()
        assert words.evaluate("(box) => box.scrollHeight <= box.clientHeight"), "the words of each kind have room"
        tops.add(
            sheet.cell("queries", 0, 0).evaluate(
                "(td) => td.getBoundingClientRect().top - td.closest('.card').getBoundingClientRect().top"
            )
        )
    assert len(tops) == 1


def test_nothing_moves_where_the_system_asks_for_that(opened: Opened) -> None:
    sheet = opened(stage="queries")
    seconds = "(td) => getComputedStyle(td).transitionDuration"
    sheet.type("x", 0, 0, "3")
    sheet.root.locator(".card.fading").wait_for()
    assert sheet.cell("x", 0, 0).evaluate(seconds) == "0.6s"
    sheet.page.emulate_media(reduced_motion="reduce")
    assert sheet.cell("x", 0, 0).evaluate(seconds) == "0s"


# ---- the address ----


def test_a_link_opens_the_sheet_as_it_was(opened: Opened) -> None:
    sheet = opened(stage="scores")
    sheet.type("queries", 0, 0, "5")
    sheet.root.get_by_label("mask").select_option("causal")
    scores = sheet.table("scores")
    sheet.press("Copy link")
    address = sheet.page.url
    sheet.cell("scores", 1, 2).focus()
    sheet.press("Copy link")
    looked_at = opened(stage="x", hash=sheet.page.url[sheet.page.url.index("#") :])
    assert looked_at.lit("here") == {("scores", 1, 2)} and looked_at.table("scores") == scores
    assert "#calculation-0-scores-" in address
    linked = opened(stage="x", hash=address[address.index("#") :])
    assert linked.table("scores") == scores and linked.root.get_by_label("mask").input_value() == "causal"
    linked.press("Undo")
    assert linked.root.get_by_label("mask").input_value() == "none"
    broken = opened(stage="x", hash="#calculation-0-scores-abc")
    assert broken.root.locator("[aria-selected=true]").text_content() == "x"


@pytest.mark.parametrize("odd", [{"query": "length"}, {"at": {"key": "x", "row": 0, "column": "length"}}])
def test_a_link_that_points_at_no_number_opens_the_sheet_at_its_first(opened: Opened, odd: dict[str, Any]) -> None:
    state = state_of({"x": X, "w_query": W_QUERY, "w_key": W_KEY, "w_value": W_VALUE}, None, True, 1, None)
    text = base64.urlsafe_b64encode(json.dumps({**state, "shown": odd}).encode()).decode().rstrip("=")
    linked = opened(stage="weighted", hash=f"#calculation-0-weighted-{text}")
    assert linked.lit("here") == {("weighted", 0, 0)} and linked.said("where").endswith("from input 0 to input 0")


# ---- in JupyterLab ----

CELL = """
import torch
from helpers import calculation
x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
w = torch.eye(4)
sheet = calculation(x, w, w, w, stage="scores")
sheet
"""
VALUES = 'values = sheet.values()\nprint("x", values["x"][1].tolist(), "score", values["scores"][1, 1].item())'


@pytest.fixture
def notebook(chromium: Any, scratch: Path, address: str) -> Iterator[Any]:
    """A notebook with a sheet and outputs from elsewhere, opened and not yet run."""
    made = lab.notebook([CELL.strip(), VALUES])
    stored = calculation(X, *(torch.eye(4) for _ in range(3)), stage="scores")
    cell = made.cells[0]
    cell.execution_count = 1
    data = {"text/html": stored.html, "text/plain": repr(stored)}
    cell.outputs = [nbformat.v4.new_output("execute_result", data, execution_count=1)]
    nbformat.write(made, scratch / "notebooks" / "calculation.ipynb")
    context = chromium.new_context(viewport={"width": 1200, "height": 1600})
    page = lab.watched(context.new_page())
    lab.open_notebook(page, address, "calculation.ipynb")
    yield page
    lab.shut_down(page)
    context.close()


def test_in_jupyterlab_the_picture_gives_way_and_values_come_back(notebook: Any) -> None:
    still = notebook.locator("img.attention-calculation-still")
    assert still.is_visible() and "Matrix product on paper" in still.get_attribute("alt")
    assert notebook.locator(".attention-calculation[data-ready]").count() == 0
    lab.run_all(notebook)
    sheet = Sheet(notebook, notebook.locator(".attention-calculation"))
    sheet.root.locator("[data-table=scores]").wait_for()
    assert not still.is_visible() and sheet.root.get_by_role("button", name="Copy link").count() == 0
    printed = notebook.locator(".jp-Cell").nth(1).locator(".jp-OutputArea-output")
    assert printed.text_content().strip() == "x [0.0, 2.0, 0.0, 2.0] score 8.0"
    sheet.open("queries")
    sheet.cell("x", 1, 1).focus()
    index = "() => jupyterapp.shell.currentWidget.content.activeCellIndex"
    active = notebook.evaluate(index)
    for key in ("Shift+ArrowUp", "ArrowDown", "ArrowUp"):
        notebook.keyboard.press(key)
    assert notebook.evaluate(index) == active and sheet.said("where") == "x[1, 1], input 1"
    notebook.wait_for_timeout(400)
    notebook.evaluate(
        """async () => {
          const { content } = jupyterapp.shell.currentWidget;
          content.activeCellIndex = 1;
          await jupyterapp.commands.execute('notebook:run-cell');
        }"""
    )
    lab.wait_until_idle(notebook)
    notebook.wait_for_function("() => document.body.textContent.includes('x [0.0, 3.0, 0.0, 2.0] score 13.0')")
    assert notebook.complaints == []


def test_in_jupyterlab_it_follows_the_theme_and_shows_no_trace_of_its_box(notebook: Any) -> None:
    lab.run_all(notebook)
    card = notebook.locator(".attention-calculation .card")
    seen = {}
    for theme in ("Light", "Dark", "Light"):  # whatever another test left, and as the next one expects it
        notebook.evaluate(
            f"() => jupyterapp.commands.execute('apputils:change-theme', {{theme: 'JupyterLab {theme}'}})"
        )
        notebook.locator(f".attention-calculation .card{'.dark' if theme == 'Dark' else ':not(.dark)'}").wait_for()
        notebook.wait_for_timeout(700)  # JupyterLab itself stumbles when one theme chases the other
        seen[theme] = card.evaluate("(card) => getComputedStyle(card).backgroundColor")
    assert seen["Light"] != seen["Dark"]
    assert not any(box.is_visible() for box in notebook.locator(".jupyter-widgets").all())


def test_what_is_stored_works_without_a_kernel(notebook: Any, shared: Any, scratch: Path, tmp_path: Path) -> None:
    lab.run_all(notebook)
    notebook.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    notebook.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    stored = json.loads((scratch / "notebooks" / "calculation.ipynb").read_text())["cells"][0]["outputs"]
    html = "".join(stored[0]["data"]["text/html"])
    assert len(stored) == 2 and "".join(stored[1]["data"]["text/plain"]) == RUN_IT
    shared.complaints.clear()
    shared.goto(Live(html, alt="", title="Stored").save(tmp_path / "stored.html").as_uri())
    sheet = Sheet(shared, shared.locator(".attention-calculation"))
    sheet.type("queries", 0, 0, "5")
    assert sheet.table("scores")[0] == ["6", "0", "6"] and shared.complaints == []
