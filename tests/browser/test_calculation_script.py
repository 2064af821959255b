"""The parts of the calculation's script without a page: tables as torch calculates them, sums in words, numbers."""

# ruff: noqa: RUF001 (the minus sign is what is tested)

import math
from collections.abc import Iterator
from typing import Any

import lab
import pytest
import torch
from torch import Tensor

from helpers.live.calculation.arithmetic import tables_of
from helpers.live.calculation.page import SCRIPT
from helpers.live.calculation.state import state_of

N_DRAWN = 300


@pytest.fixture(scope="module")
def script(chromium: Any) -> Iterator[Any]:
    """A blank page that knows all names of the script; all tests here share it."""
    context = chromium.new_context()
    page = lab.watched(context.new_page())
    page.goto("about:blank")
    page.add_script_tag(content=SCRIPT)
    yield page
    context.close()


# ---- the reference ----


def drawn(seed: int) -> dict[str, Any]:
    """What `calculation` takes: sizes from 1 to 8, heads, masks, and in turn huge numbers, zeros, whole ones."""
    generator = torch.Generator().manual_seed(seed)

    def pick(*choices: int) -> int:
        return choices[int(torch.randint(len(choices), (), generator=generator))]

    n_heads = pick(1, 1, 2, 2, 4)
    n, d_model = pick(*range(1, 9)), pick(*range(1, 9))
    d_k, d_v = (n_heads * pick(*range(1, 8 // n_heads + 1)) for _ in range(2))
    kind = seed % 6

    def numbers(*shape: int) -> Tensor:
        table = torch.randn(*shape, generator=generator, dtype=torch.float64) * (3 if kind == 1 else 1)
        if kind == 2:  # huge: whole, so that scores up to 8e14 have no rounding
            return (table * 300).round()
        if kind == 3:
            return table.masked_fill(torch.rand(*shape, generator=generator) < 0.5, 0.0)
        if kind == 4:
            return torch.zeros(*shape, dtype=torch.float64)
        return table.round() if kind == 5 else table

    masks = [
        None,
        torch.ones(n, n, dtype=torch.bool).tril(),
        torch.rand(n, n, generator=generator) < 0.6,
        torch.rand(n, n, generator=generator) < 0.15,  # with rows that are masked as a whole
        torch.zeros(n, n, dtype=torch.bool),
    ]
    return {
        "x": numbers(n, d_model),
        "w_query": numbers(d_model, d_k),
        "w_key": numbers(d_model, d_k),
        "w_value": numbers(d_model, d_v),
        "mask": masks[pick(0, 0, 1, 2, 3, 4)],
        "scale": bool(pick(0, 1, 1)),
        "n_heads": n_heads,
        "over": pick(0, 0, 0, 1),
    }


def reference(given: dict[str, Any]) -> dict[str, Tensor]:
    """Each table that the sheet shows, as torch calculates it."""
    n_heads, mask = given["n_heads"], given["mask"]
    tables = {
        name: given["x"] @ given[w] for name, w in (("queries", "w_query"), ("keys", "w_key"), ("values", "w_value"))
    }
    queries, keys, values = (tables[name].unflatten(-1, (n_heads, -1)).transpose(0, 1) for name in tables)
    scores = queries @ keys.transpose(-2, -1)
    scaled = scores / keys.shape[-1] ** 0.5 if given["scale"] else scores
    if mask is not None:
        scaled = scaled.masked_fill(~mask, -torch.inf)
    weights = scaled.softmax(dim=-2 if given["over"] else -1)
    weighted = weights[..., None] * values[:, None]  # (heads, n_query, n_key, d_head)
    heads = {"scores": scores, "scaled": scaled, "weights": weights}
    tables |= {f"{name}/{h}": table for name, split in heads.items() for h, table in enumerate(split)}
    tables |= {f"weighted/{h}/{q}": row for h, head in enumerate(weighted) for q, row in enumerate(head)}
    return tables | {"outputs": (weights @ values).transpose(0, 1).flatten(-2)}


def state(given: dict[str, Any]) -> dict[str, Any]:
    tables = {name: given[name] for name in ("x", "w_query", "w_key", "w_value")}
    made = state_of(tables, given["mask"], given["scale"], given["n_heads"], None)
    return {**made, "over": "queries" if given["over"] else "keys"}


def same(found: Any, expected: Tensor) -> bool:
    """Within 1e-9 of the size of the number; nan and infinity where the other has them."""
    return torch.allclose(torch.tensor(found, dtype=torch.float64), expected, rtol=1e-9, atol=1e-9, equal_nan=True)


@pytest.fixture(scope="module")
def calculated(script: Any) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What was drawn, with the tables that the browser made of it."""
    given = [drawn(seed) for seed in range(N_DRAWN)]
    found = script.evaluate("(states) => states.map(calculate)", [state(one) for one in given])
    return list(zip(given, found, strict=True))


def test_every_table_agrees_with_torch(calculated: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    for seed, (given, found) in enumerate(calculated):
        expected = reference(given)
        assert set(found) == {"x", "w_query", "w_key", "w_value"} | set(expected)
        wrong = [name for name, table in expected.items() if not same(found[name], table)]
        assert not wrong, f"draw {seed}: {wrong}"


def test_what_was_drawn_is_hard_enough(calculated: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    given = [one for one, _ in calculated]
    empty_rows = [one for one in given if one["mask"] is not None and not one["mask"].any(dim=-1).all()]
    largest = max(table.abs().max() for one in given for name, table in reference(one).items() if "scores" in name)
    assert {len(one["x"]) for one in given} == set(range(1, 9)) == {one["x"].shape[1] for one in given}
    assert len(empty_rows) > 40 and largest > 1e8
    assert sum(one["n_heads"] > 1 for one in given) > 100 and sum(one["over"] for one in given) > 40


def test_python_has_the_same_tables(calculated: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    for given, _ in calculated:
        expected = reference(given)
        tables = tables_of(state(given))
        assert same(tables["queries"].tolist(), expected["queries"])
        assert same(tables["outputs"].tolist(), expected["outputs"])
        for name in ("scores", "scaled", "weights"):
            assert same(tables[name].tolist(), torch.stack([expected[f"{name}/{h}"] for h in range(given["n_heads"])]))


# ---- the example of the lessons ----

X = [[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]
W_QUERY = [[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]
W_KEY = [[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]]
W_VALUE = [[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]]


def example(**changed: Any) -> dict[str, Any]:
    given = {"x": X, "w_query": W_QUERY, "w_key": W_KEY, "w_value": W_VALUE}
    return {**state_of(given, None, True, 1, None), **changed}


ORIGIN = """([state, key, row, column]) => {
  const origin = originOf(state, calculate(state), { key, row, column });
  return { words: origin.words, from: origin.from.map(idOf), terms: origin.terms.map(({ text }) => text) };
}"""


@pytest.mark.parametrize(
    ("key", "row", "column", "words", "made_of"),
    [
        ("keys", 1, 0, "0·0 + 2·1 + 0·0 + 2·1 = 4", ["x|1|0", "w_key|0|0", "x|1|1", "w_key|1|0"]),
        ("scores/0", 0, 1, "1·4 + 0·4 + 2·0 = 4", ["queries|0|0", "keys|1|0", "queries|0|1", "keys|1|1"]),
        ("scaled/0", 0, 1, "4 / √3 ≈ 2.31", ["scores/0|0|1", "mask|0|1"]),
        (
            "weights/0",
            0,
            0,
            "e^1.15 / (e^1.15 + e^2.31 + e^2.31) ≈ 3.17 / 23.31 ≈ 0.14",
            ["scaled/0|0|0", "scaled/0|0|1"],
        ),
        ("weighted/0/0", 1, 2, "0.43·0 = 0", ["weights/0|0|1", "values|1|2"]),
        ("outputs", 0, 0, "0.14 + 0.86 + 0.86 ≈ 1.86", ["weighted/0/0|0|0", "weighted/0/0|1|0", "weighted/0/0|2|0"]),
        ("x", 0, 0, "1, given. It goes into row 0 of queries, keys and values.", []),
    ],
)
def test_each_number_says_where_it_comes_from(
    script: Any, key: str, row: int, column: int, words: str, made_of: list[str]
) -> None:
    origin = script.evaluate(ORIGIN, [example(), key, row, column])
    assert origin["words"] == words and origin["from"][: len(made_of)] == made_of


def test_unscaled_masked_and_set_by_hand_are_said(script: Any) -> None:
    def words(key: str, row: int, column: int, **changed: Any) -> str:
        return script.evaluate(ORIGIN, [example(**changed), key, row, column])["words"]

    assert words("scaled/0", 0, 1, scale=False) == "4, as scaling is switched off."
    assert words("scaled/0", 0, 1, mask="causal").startswith("masked: −∞")
    assert words("weights/0", 0, 1, mask="causal") == "0 / (e^1.15 + 0 + 0) ≈ 0 / 3.17 ≈ 0"
    nothing = [[False] * 3] * 3
    assert words("weights/0", 0, 1, mask=nothing) == "no key is allowed, so softmax divides 0 by 0: not a number (nan)."
    by_hand = words("keys", 1, 0, pins={"keys": {"1,0": 7}})
    assert by_hand == "Set to 7 by hand. Calculated: 0·0 + 2·1 + 0·0 + 2·1 = 4"
    large = words("weights/0", 1, 1, pins={"scaled/0": {"1,1": 800}})
    assert large.startswith("e^0 / (e^−797.7 + e^0 + e^−793.1) = 1 / 1 = 1 (each less the largest, 800)")
    assert words("queries", 0, 0, x=[[-1.0, 0, 0.25, 0], *X[1:]]) == "(−1)·1 + 0·1 + 0.25·0 + 0·0 = −1"


def test_sums_in_words_add_up(script: Any, calculated: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """Every sum of products ends in the number that its cell shows, in all draws."""
    check = """(states) => states.flatMap((state) => {
      const tables = calculate(state);
      return resultsOf('all', state).flatMap((key) => tables[key].flatMap((row, i) => row.flatMap((number, j) => {
        const { words, terms, from } = originOf(state, tables, { key, row: i, column: j });
        const sum = terms.reduce((all, term) => all + term.number, 0);
        const isRight = !terms.length || Math.abs(sum - number) <= 1e-9 * Math.max(1, Math.abs(sum))
          || (Number.isNaN(sum) && Number.isNaN(number));
        const areThere = from.every((at) => at.key === 'mask' || tables[at.key][at.row][at.column] !== undefined);
        return isRight && areThere && words ? [] : [`${key} ${i} ${j}: ${words}`];
      })));
    }).slice(0, 3)"""
    assert script.evaluate(check, [state(given) for given, _ in calculated[:60]]) == []


# ---- numbers ----


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (4, "4"),
        (-0.0, "0"),
        (0.4683, "0.47"),
        (-1.5, "−1.50"),
        (0.0001, "0.00"),
        (-0.0001, "0.00"),
        (-12.34, "−12.3"),
        (123.456, "123.5"),
        (1234.5, "1235"),
        (99999, "99999"),
        (123456, "1.2e5"),
        (2e26, "2e26"),
        (-math.inf, "−∞"),
        (math.nan, "nan"),
    ],
)
def test_numbers_as_they_are_shown(script: Any, number: float, text: str) -> None:
    assert script.evaluate("shown", number) == text and len(text) <= 6


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[("2", 2), (" -0.5 ", -0.5), ("−3", -3), (".5", 0.5), ("1e3", 1000), ("+4.", 4), ("-0", 0)],
        *[("0,5", 0.5), ("−12,25", -12.25), ("0,125", 0.125)],  # as some telephones write it
    ],
)
def test_numbers_that_can_be_typed(script: Any, text: str, number: float) -> None:
    assert script.evaluate("parsed", text) == {"number": number}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cat", "“cat” is not a number: type one such as 2 or −0.5."),
        ("", "Nothing was typed"),
        ("1e400", "“1e400” is too large: up to 1,000,000,000 fits here."),
        ("1,000", "“1,000” can be read in two ways: write 1.000 or 1000."),
        ("0,5,5", "“0,5,5” is not a number"),
        ("nan", "“nan” is not a number"),
        ("1 2", "“1 2” is not a number"),
        ("--1", "“--1” is not a number"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(script: Any, text: str, said: str) -> None:
    assert script.evaluate("parsed", text)["refusal"].startswith(said)


# ---- changes and the way back ----


def test_undo_and_redo_go_through_every_change(script: Any) -> None:
    found = script.evaluate(
        """(state) => {
          const model = new Model(state);
          const seen = [];
          const note = () => seen.push(JSON.stringify(model.state));
          note();
          const x = { key: 'x', row: 0, column: 0 };
          for (const n of [5, 6, 7]) model.change((next) => setNumber(next, x, n), 'drag 1');
          note();
          const changes = [
            (next) => resize(next, 'tokens', 4),
            (next) => setHeads(next, 2),
            (next) => turnMask(next, { row: 0, column: 1 }),
            (next) => setNumber(next, { key: 'scores/0', row: 0, column: 0 }, 9),
            ...Object.values(STARTS),
          ];
          for (const change of changes) { model.change(change); note(); }
          const last = seen.length - 1;
          const back = seen.map((_, i) => {
            const at = JSON.stringify(model.state);
            if (i < last) model.undo();
            return at;
          }).reverse();
          const forth = seen.map((_, i) => { if (i) model.redo(); return JSON.stringify(model.state); });
          model.reset();
          return [seen, back, forth, JSON.stringify(model.state)];
        }""",
        example(),
    )
    seen, back, forth, reset = found
    assert seen == back == forth and reset == seen[0] and len(set(seen)) == len(seen)


def test_sizes_stay_between_1_and_8_and_what_is_new_is_zero(script: Any) -> None:
    found = script.evaluate(
        """(state) => Object.keys(SIDES).map((side) => {
          const grown = structuredClone(state);
          resize(grown, side, 8);
          const shrunk = structuredClone(grown);
          resize(shrunk, side, 1);
          return [isState(grown), isState(shrunk), sizeOf(grown, side), sizeOf(shrunk, side), grown.labels];
        })""",
        example(mask=[[True] * 3] * 3),
    )
    assert all(one[:4] == [True, True, 8, 1] for one in found)
    assert found[0][4][-1] == "input 7"


def test_two_heads_share_what_grows_if_it_must(script: Any) -> None:
    made = script.evaluate("(state) => { setHeads(state, 2); return [state, isState(state)]; }", example())
    assert made[1] and len(made[0]["w_key"][0]) == 4 == len(made[0]["w_value"][0])


def test_an_address_keeps_the_state_and_nothing_else_is_let_in(script: Any) -> None:
    given = example(labels=["שלום", "<b>", "😀"], mask="causal", pins={"scores/0": {"0,1": -2.5}})
    assert script.evaluate("(state) => unpacked(packed(state))", given) == given
    wrong: list[Any] = [
        {**given, "x": [[1, 2], [3]]},
        {**given, "x": [["a", 0, 0, 0], *X[1:]]},
        {**given, "x": X * 3},
        {**given, "heads": 2},
        {**given, "mask": "all"},
        {**given, "mask": [[True]]},
        {**given, "labels": ["a"]},
        {**given, "over": "heads"},
        {**given, "pins": {"scores/7": {"0,1": 1}}},
        {**given, "pins": {"scores/0": {"0,9": 1}}},
        {**given, "x": [[1e12, 0, 0, 0], *X[1:]]},
        None,
        [],
    ]
    for one in wrong:
        assert script.evaluate("(state) => unpacked(packed(state))", one) is None, one
    assert script.evaluate("() => unpacked('no-such')") is None


# ---- the walk ----


def test_the_walk_goes_through_every_product_and_back(script: Any) -> None:
    counts = script.evaluate(
        """(state) => WALKS.map((by) => {
          const model = new Model(state);
          let at = { key: 'queries', row: 0, column: 0, term: 0, by };
          let steps = 1;
          const there = [idOf(at) + at.term];
          for (let next; (next = stepFrom(model, at, by, 1)); at = next, steps++) there.push(idOf(next) + next.term);
          const back = [idOf(at) + at.term];
          for (let next; (next = stepFrom(model, at, by, -1)); at = next) back.push(idOf(next) + next.term);
          const sentences = positions(model).map((one) => sentenceOn(model, { ...one, by }));
          return [steps, JSON.stringify(there) === JSON.stringify(back.reverse()), sentences.every(Boolean)];
        })""",
        example(),
    )
    products = 3 * 9 * 4 + 9 * 3 + 9 + 9 + 27 + 9 * 3
    numbers = 3 * 9 + 3 * 9 + 27 + 9
    rows = 3 * 3 + 3 * 3 + 9 + 3
    assert counts == [[products, True, True], [numbers, True, True], [rows, True, True], [8, True, True]]


def test_a_step_of_a_product_says_what_it_adds(script: Any) -> None:
    say = "(state) => sentenceOn(new Model(state), { key: 'scores/0', row: 1, column: 2, term: 1, by: 'product' })"
    assert script.evaluate(say, example()) == "Part 2 of 3: 2·3 = 6. Added up so far: 10."


@pytest.mark.parametrize(
    ("guess", "number", "said"),
    [
        (3, 4, "You said 3; it is 4, so you were 1 too low."),
        (0.5, 0.14, "You said 0.50; it is 0.14, so you were 0.36 too high."),
        (0.47, 0.4683, "You said 0.47, and so it is: 0.47."),
        (0, math.nan, "You said 0; it is nan."),
    ],
)
def test_a_guess_is_told_how_far_it_was_off(script: Any, guess: float, number: float, said: str) -> None:
    assert script.evaluate("([guess, number]) => verdictOn(guess, number)", [guess, number]) == said
