"""The parts of the explorer's script by themselves: numbers, words and steps, without an explorer on the page."""

from typing import Any

import pytest
import torch

from helpers.live.explorer.packing import pack
from helpers.live.explorer.page import SCRIPT


def weights(*shape: int) -> torch.Tensor:
    return (2 * torch.randn(*shape, generator=torch.Generator().manual_seed(0))).softmax(dim=-1)


@pytest.fixture
def script(page: Any) -> Any:
    """A blank page that knows all names of the script."""
    page.goto("about:blank")
    page.add_script_tag(content=SCRIPT)
    return page


def packed(given: torch.Tensor, mask: torch.Tensor | None = None) -> Any:
    queries, keys = ([f"{side}{i}" for i in range(n)] for side, n in zip("qk", given.shape[-2:], strict=True))
    return pack(given, queries, keys, mask, None)[1]


def test_each_weight_is_read_from_its_place(script: Any) -> None:
    given = weights(2, 3, 4, 5)
    read = """(given) => {
      const data = new AttentionData(given);
      const range = (n) => Array.from({ length: n }, (_, i) => i);
      return range(2).map((layer) => range(3).map((head) => range(4).map((query) => range(5).map((key) =>
        data.weight(layer, head, query, key)))));
    }"""
    assert torch.allclose(torch.tensor(script.evaluate(read, packed(given))), given, atol=1e-5)


def test_mask_is_read_from_its_place(script: Any) -> None:
    mask = torch.rand(5, 7, generator=torch.Generator().manual_seed(1)) < 0.5
    read = """(given) => {
      const data = new AttentionData(given);
      return Array.from({ length: 35 }, (_, i) => data.allows(Math.floor(i / 7), i % 7));
    }"""
    assert script.evaluate(read, packed(torch.full((5, 7), 1 / 7), mask)) == mask.flatten().tolist()
    assert all(script.evaluate(read, packed(torch.full((5, 7), 1 / 7))))


def test_words_are_named_so_that_they_can_be_told_apart(script: Any) -> None:
    data = pack(weights(3, 3), ["a", " ", "a"], None, None, None)[1]
    names = script.evaluate("(given) => [0, 1, 2].map((i) => new AttentionData(given).nameOf('key', i))", data)
    assert names == ["“\u2068a\u2069” (position 0)", "“\u2068\u2423\u2069”", "“\u2068a\u2069” (position 2)"]


@pytest.mark.parametrize(
    ("weight", "said"),
    [(0, "0 %"), (0.001, "<1 %"), (0.0049, "<1 %"), (0.005, "1 %"), (0.344, "34 %"), (0.996, "100 %"), (1, "100 %")],
)
def test_percent(script: Any, weight: float, said: str) -> None:
    assert script.evaluate("percent", weight) == said


@pytest.mark.parametrize(
    ("side", "at", "key", "expected"),
    [
        ("query", 3, "ArrowDown", ("query", 4)),
        ("query", 3, "ArrowUp", ("query", 2)),
        ("query", 0, "ArrowUp", ("query", 0)),
        ("query", 39, "ArrowDown", ("query", 39)),
        ("key", 5, "PageDown", ("key", 15)),
        ("key", 5, "PageUp", ("key", 0)),
        ("key", 45, "PageDown", ("key", 49)),
        ("key", 45, "Home", ("key", 0)),
        ("query", 5, "End", ("query", 39)),
        ("query", 3, "ArrowLeft", None),
        ("key", 3, "ArrowRight", None),
        ("key", 3, "Enter", None),
    ],
)
def test_keys_lead_from_word_to_word(
    script: Any, side: str, at: int, key: str, expected: tuple[str, int] | None
) -> None:
    step = """([given, side, index, key]) => {
      const state = new State(new AttentionData(given), [0, 0]);
      state.keep({ side, index });
      return state.focusAfter(side, key);
    }"""
    focus = script.evaluate(step, [packed(weights(40, 50)), side, at, key])
    assert focus == (None if expected is None else {"side": expected[0], "index": expected[1]})


def test_keys_to_the_side_lead_to_the_word_beside_or_to_where_tab_enters(script: Any) -> None:
    step = """([given, index]) => {
      const state = new State(new AttentionData(given), [0, 0]);
      state.keep({ side: 'query', index });
      return [state.focusAfter('query', 'ArrowRight').index, state.shown.key, state.entry.key];
    }"""
    assert script.evaluate(step, [packed(weights(4, 5)), 2])[0] == 2
    given = weights(40, 50)
    for index in range(40):
        to, shown, entry = script.evaluate(step, [packed(given), index])
        assert to == (index if index in shown else entry) and to in shown


@pytest.mark.parametrize("side", ["query", "key"])
def test_of_many_words_the_strongest_are_shown_in_their_order(script: Any, side: str) -> None:
    given = weights(3, 40, 50)
    light = """([given, side]) => {
      const state = new State(new AttentionData(given), [0, 2]);
      state.light({ side, index: 7 });
      return state.shown;
    }"""
    shown = script.evaluate(light, [packed(given), side])
    row = given[2, 7] if side == "query" else given[2, :, 7]
    assert shown["key" if side == "query" else "query"] == sorted(row.argsort(descending=True)[:32].tolist())
    assert shown[side] == list(range(32))


@pytest.mark.parametrize(("index", "first"), [(31, 0), (32, 8), (35, 8), (39, 8)])
def test_a_long_column_moves_to_the_word_in_question(script: Any, index: int, first: int) -> None:
    light = """([given, index]) => {
      const state = new State(new AttentionData(given), [0, 0]);
      state.light({ side: 'query', index });
      return state.shown.query;
    }"""
    assert script.evaluate(light, [packed(weights(40, 50)), index]) == list(range(first, first + 32))


def test_layer_and_head_that_are_no_longer_there_give_way_to_the_last(script: Any) -> None:
    where = "(given) => { const { layer, head } = new State(new AttentionData(given), [5, 1]); return [layer, head]; }"
    assert script.evaluate(where, packed(weights(2, 3, 4, 4))) == [1, 1]


def test_a_pixel_for_several_weights_has_the_strongest_that_is_allowed(script: Any) -> None:
    given = weights(2, 5, 7)
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[:2, 2:4] = mask[4, 6] = mask[0, 0] = False
    blocks = "(given) => Array.from(strongestInBlocks(new AttentionData(given), 0, 1, 2))"
    steps = (given[1].double() * 65535).round().masked_fill(~mask, -1)
    expected = [steps[i : i + 2, j : j + 2].max().item() for i in range(0, 5, 2) for j in range(0, 7, 2)]
    found = script.evaluate(blocks, packed(given, mask))
    assert expected[1] == expected[-1] == -1 and found == expected


def test_what_the_mask_forbids_is_counted_and_not_listed(script: Any) -> None:
    given, mask = torch.tensor([[0.25, 0.75, 0.0], [0.0, 0.0, 1.0]]), torch.tensor([[1, 1, 0], [0, 0, 1]]).bool()
    say = """([given, side, index, key]) => {
      const state = new State(new AttentionData(given), [0, 0]);
      state.light({ side, index, key: key ?? undefined });
      return sentenceOn(state).replaceAll(/[\\u2068\\u2069]/g, '');
    }"""
    data = packed(given, mask)
    row = "“q0” gives 75 % of its attention to “k1”, 25 % to “k0”. 1 masked."
    assert script.evaluate(say, [data, "query", 0, None]) == row
    assert script.evaluate(say, [data, "key", 2, None]) == "“k2” is looked at by “q1” 100 %. 1 masked."
    assert script.evaluate(say, [data, "query", 0, 2]) == f"“q0” to “k2”: masked. {row}"
    nothing = packed(given, torch.tensor([[1, 1, 1], [0, 0, 0]]).bool())
    assert script.evaluate(say, [nothing, "query", 1, None]) == "“q1” attends to nothing. 3 masked."


def test_what_is_below_1_percent_is_counted_and_not_listed(script: Any) -> None:
    say = """(given) => {
      const state = new State(new AttentionData(given), [0, 0]);
      return [0, 1, 2].map((index) => {
        state.light({ side: 'query', index });
        return sentenceOn(state).replaceAll(/[\\u2068\\u2069]/g, '');
      });
    }"""
    tiny = 0.004
    rows = [[0.992, *[tiny] * 2, *[0.0] * 5], [0.2, 0.2, 0.2, 0.2, 0.1, 0.06, 0.036, tiny], [0.99, *[0.01 / 7] * 7]]
    said = script.evaluate(say, packed(torch.tensor(rows)))
    assert said[0] == "“q0” gives 99 % of its attention to “k0”, and below 1 % to each of 7 others."
    assert said[1].endswith("10 % to “k4”, 10 % to 2 more together, and below 1 % to 1 other.")
    assert said[2] == "“q2” gives 99 % of its attention to “k0”, and below 1 % to each of 7 others."


def test_what_has_no_room_is_said(script: Any) -> None:
    say = """([given, side]) => {
      const state = new State(new AttentionData(given), [0, 0]);
      state.light({ side, index: 0 });
      return sentenceOnRoom(state);
    }"""
    assert script.evaluate(say, [packed(weights(32, 32)), "query"]) == ""
    assert script.evaluate(say, [packed(weights(4, 40)), "query"]) == "Of 40 keys the 32 strongest are shown."
    assert script.evaluate(say, [packed(weights(4, 40)), "key"]).startswith("32 of 40 keys have room in the column; ")
