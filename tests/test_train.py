"""Training is whole, resumable and shared: on tiny pairs, from the command to the translations."""

import errno
import gzip
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from tools.execute import ROOT
from tools.train_translation import translate as translation
from tools.train_translation.__main__ import main
from tools.train_translation.checkpoint import load_checkpoint, read_notes, save_checkpoint
from tools.train_translation.corpus import BOS, EOS, PAD, SPECIAL, Corpus, learn_vocabulary, source_ids, target_ids
from tools.train_translation.processes import Processes, ProcessLost
from tools.train_translation.recipe import Recipe
from tools.train_translation.trainer import Objective, Trainer, new_model
from tools.train_translation.translate import bleu, cross_attention, translate

ANIMALS = [("Hund", "dog"), ("Vogel", "bird"), ("Fisch", "fish"), ("Bär", "bear"), ("Löwe", "lion")]
VERBS = [("läuft", "walks"), ("schläft", "sleeps"), ("isst", "eats")]
PLACES = [("im Haus", "in the house"), ("am Fluss, allein", "at the river, alone"), ("", "")]
PAIRS = [
    (f"Ein {a} {v} {p}.".replace(" .", "."), f"A {b} {w} {q}.".replace(" .", "."))
    for (a, b), (v, w), (p, q) in itertools.product(ANIMALS, VERBS, PLACES)
]
TINY = [
    "--vocab_size",
    "100",
    "--d_model",
    "32",
    "--n_heads",
    "2",
    "--n_layers",
    "1",
    "--d_hidden",
    "32",
    "--max_tokens",
    "120",
    "--warm_up",
    "20",
    "--epochs",
    "4",
    "--lr",
    "0.01",
    "--beam",
    "2",
    "--precision",
    "float32",
    "--no-compile",
]
ALONE = Processes(0, 1, torch.device("cpu"))


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Multi30k's files, with few pairs."""
    folder = tmp_path_factory.mktemp("multi30k")
    for stem, pairs in (("train", PAIRS), ("val", PAIRS[::5]), ("test_2016_flickr", PAIRS[::7])):
        for language, lines in zip(("de", "en"), zip(*pairs, strict=True), strict=True):
            (folder / f"{stem}.{language}.gz").write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))
    return folder


def command(folder: Path, out: Path, *more: str) -> list[str]:
    return ["--data", "multi30k", "--folder", str(folder), "--out", str(out), *TINY, *more]


def notes(out: Path) -> dict[str, Any]:
    return read_notes(out / "checkpoint.safetensors")


def losses(out: Path) -> list[float]:
    return [done["loss"] for done in notes(out)["history"]]


@pytest.fixture(scope="module")
def whole(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run from the first epoch to the last."""
    out = tmp_path_factory.mktemp("whole")
    torch.set_num_threads(1)
    assert main(command(folder, out)) == 0
    return out


# Vocabulary and batches


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return learn_vocabulary([text for pair in PAIRS for text in pair], 100)


def test_a_vocabulary_gives_back_the_text_in_lower_case(tokenizer: Any) -> None:
    for text in [*itertools.chain(*PAIRS), "Ein Bär, der schläft."]:
        assert tokenizer.decode(tokenizer.encode(text).ids) == text.lower()
    assert [tokenizer.id_to_token(i) for i in range(4)] == SPECIAL
    assert tokenizer.get_vocab_size() == 100
    assert 3 in tokenizer.encode("犬").ids


def test_units_stop_at_spaces_and_punctuation(tokenizer: Any) -> None:
    units = [tokenizer.id_to_token(i) for i in range(4, 100)]
    assert not [unit for unit in units if "▁" in unit[1:] or (len(unit) > 1 and {".", ","} & set(unit))]
    assert "▁haus" in units or "▁house" in units


def test_a_vocabulary_is_learned_the_same_twice_and_stored_whole(tokenizer: Any) -> None:
    texts = [text for pair in PAIRS for text in pair]
    assert learn_vocabulary(texts, 100).to_str() == tokenizer.to_str()
    again = Tokenizer.from_str(tokenizer.to_str())
    assert again.encode(texts[0]).ids == tokenizer.encode(texts[0]).ids


def test_ids_are_framed_and_filled_up(tokenizer: Any) -> None:
    texts = ["Ein Hund läuft im Haus.", "Ein Hund isst."]
    source, target = source_ids(tokenizer, texts), target_ids(tokenizer, texts)
    for row, framed, text in zip(source.tolist(), target.tolist(), texts, strict=True):
        ids = tokenizer.encode(text).ids
        assert row == [*ids, EOS] + [PAD] * (len(row) - len(ids) - 1)
        assert framed == [BOS, *row]
    assert source[0, -1] == EOS and source[1, -1] == PAD


def test_batches_hold_each_pair_once_within_the_budget(tokenizer: Any) -> None:
    corpus = Corpus.of(tokenizer, PAIRS)
    orders = [corpus.batches(120, seed) for seed in (0, 0, 1)]
    for batches in orders:
        assert sorted(torch.cat(batches).tolist()) == list(range(len(PAIRS)))
        for rows in batches:
            source, target = corpus.rows(rows)
            assert len(rows) == 1 or source.numel() + target.numel() <= 120
            assert (source[:, -1] != PAD).any() and (target[:, -1] != PAD).any()
    same, again, other = ([rows.tolist() for rows in batches] for batches in orders)
    assert same == again != other and len(same) == len(other)
    padding = sum((ids == PAD).sum().item() for rows in orders[0] for ids in corpus.rows(rows))
    assert padding < 0.1 * sum(ids.numel() for rows in orders[0] for ids in corpus.rows(rows))
    assert [len(rows) for rows in corpus.batches(1, 0)] == [1] * len(PAIRS)


def test_tokens_are_counted_without_padding(tokenizer: Any) -> None:
    corpus = Corpus.of(tokenizer, PAIRS[:2])
    n_source, n_target = (
        sum(len(e.ids) + 1 for e in tokenizer.encode_batch(list(texts))) for texts in zip(*PAIRS[:2], strict=True)
    )
    rows = torch.arange(2)
    assert corpus.n_scored(rows) == n_target and corpus.n_tokens(rows) == n_source + n_target


# Loss, schedule, scores


@pytest.mark.parametrize("smoothing", [0.1, 0.0])
def test_the_loss_is_that_of_each_pair_alone(tokenizer: Any, smoothing: float) -> None:
    """Padding counts nothing, and smoothing gives each token of the vocabulary its share."""
    model = new_model(Recipe(d_model=16, n_heads=2, n_layers=1, d_hidden=16, dropout=0.0), 100, 50).eval()
    corpus, rows = Corpus.of(tokenizer, PAIRS), torch.tensor([0, 4, 8, 2])
    expected = 0.0
    for german, english in (PAIRS[i] for i in rows.tolist()):
        target = target_ids(tokenizer, [english])
        p = model(source_ids(tokenizer, [german]), target[:, :-1]).log_softmax(dim=-1)[0]
        right = p[torch.arange(len(p)), target[0, 1:]]
        expected -= ((1 - smoothing) * right + smoothing * p.mean(dim=-1)).sum().item()
    assert Objective(model, smoothing)(*corpus.rows(rows)).item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("world", [1, 2, 3, 5])
def test_shares_add_up_to_the_batch(folder: Path, tokenizer: Any, world: int) -> None:
    """Also where there are fewer pairs than processes."""
    recipe = Recipe(d_model=16, n_heads=2, n_layers=1, d_hidden=16, dropout=0.0, max_tokens=120)
    model, pairs = new_model(recipe, 100, 50), {"train": PAIRS, "validation": PAIRS[:3]}
    for rows in (torch.arange(7), torch.tensor([3])):
        parts = []
        for rank in range(world):
            trainer = Trainer(recipe, model, tokenizer, pairs, ALONE, torch.float32, False)
            trainer.processes = Processes(rank, world, ALONE.device)
            parts.append(Objective(model, 0.1)(*trainer.share(trainer.train, rows)))
        together = Objective(model, 0.1)(*trainer.train.rows(rows))
        assert sum(parts).item() == pytest.approx(together.item(), rel=1e-5)
        assert not [part for part in parts if part.isnan()]


def tiny_trainer(tokenizer: Any, **settings: float) -> Trainer:
    sizes = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16, "dropout": 0.0, "max_tokens": 120}
    recipe = Recipe(**(sizes | settings))
    pairs = {"train": PAIRS, "validation": PAIRS[:9], "test": PAIRS[:3]}
    return Trainer(recipe, new_model(recipe, 100, 50), tokenizer, pairs, ALONE, torch.float32, False)


def length_of_gradient(trainer: Trainer) -> float:
    return torch.stack([parameter.grad.norm() for parameter in trainer.model.parameters()]).norm().item()


def test_a_step_follows_the_mean_loss_of_a_token(tokenizer: Any) -> None:
    trainer, rows = tiny_trainer(tokenizer, clip=1e9), torch.arange(7)
    loss = Objective(trainer.model, trainer.recipe.smoothing)(*trainer.train.rows(rows))
    n_scored = sum(len(tokenizer.encode(english).ids) + 1 for _, english in PAIRS[:7])
    wanted = torch.autograd.grad(loss / n_scored, list(trainer.model.parameters()))
    trainer.step(rows)
    for parameter, gradient in zip(trainer.model.parameters(), wanted, strict=True):
        torch.testing.assert_close(parameter.grad, gradient)


def test_a_gradient_is_cut_to_the_longest_that_is_allowed(tokenizer: Any) -> None:
    trainer = tiny_trainer(tokenizer, clip=0.01)
    trainer.step(torch.arange(7))
    assert length_of_gradient(trainer) == pytest.approx(0.01, rel=1e-3)


def test_each_step_has_the_learning_rate_that_is_due(tokenizer: Any) -> None:
    """Also the first one after a checkpoint."""
    trainer = tiny_trainer(tokenizer, epochs=3, warm_up=5, lr=0.5)
    rates, n_steps = [], 3 * trainer.steps_an_epoch
    for _ in range(n_steps):
        rates.append(trainer.optimizer.param_groups[0]["lr"])
        trainer.step(torch.arange(2))
    assert rates == [0.5 * trainer.recipe.lr_factor(step, n_steps) for step in range(n_steps)]
    trainer.resume([{"loss": 1.0}])
    assert trainer.optimizer.param_groups[0]["lr"] == rates[trainer.steps_an_epoch]


def test_validation_is_without_dropout_and_changes_nothing(tokenizer: Any) -> None:
    trainer, without = tiny_trainer(tokenizer, dropout=0.9), tiny_trainer(tokenizer)
    before = [parameter.clone() for parameter in trainer.model.parameters()]
    found = trainer.model.train() and trainer.validate()
    assert found == without.validate()
    total = sum(Objective(without.model, 0.0)(*without.validation.rows(torch.tensor([i]))).item() for i in range(9))
    n_scored = sum(len(tokenizer.encode(english).ids) + 1 for _, english in PAIRS[:9])
    assert found["validation"] == pytest.approx(total / n_scored, rel=1e-5)
    assert all(map(torch.equal, before, trainer.model.parameters()))


def test_a_checkpoint_with_the_older_names_of_norms_is_read(tokenizer: Any, tmp_path: Path) -> None:
    trainer, path = tiny_trainer(tokenizer), tmp_path / "checkpoint.safetensors"
    trainer.step(torch.arange(7))
    save_checkpoint(path, trainer.model, trainer.optimizer, {"recipe": {}, "vocabulary": "", "history": []})
    kept = load_file(path)
    older = {re.sub(r"norm_(\d)", lambda found: f"around.{int(found[1]) - 1}.norm", name): kept[name] for name in kept}
    assert "exp_avg.decoder.0.around.2.norm.weight" in older
    save_file(older, path)
    other = tiny_trainer(tokenizer, seed=1)
    load_checkpoint(path, other.model, other.optimizer)
    assert all(map(torch.equal, trainer.model.parameters(), other.model.parameters()))


def test_each_epoch_and_each_process_draws_its_own_dropout(tokenizer: Any) -> None:
    seeds = []
    for rank in (0, 1):
        trainer = tiny_trainer(tokenizer)
        trainer.processes = Processes(rank, 1, ALONE.device)
        for _ in range(2):
            trainer.epoch()
            seeds.append(torch.initial_seed())
    assert len(set(seeds)) == 4


def test_learning_rate_goes_up_to_its_highest_and_down_to_nothing() -> None:
    recipe = Recipe(warm_up=20)
    shares = [recipe.lr_factor(step, 100) for step in range(100)]
    assert shares.index(max(shares)) in (19, 20) and max(shares) == pytest.approx(1)
    assert shares[:20] == sorted(shares[:20]) and shares[20:] == sorted(shares[20:], reverse=True)
    assert 0 < shares[-1] < 0.02 and shares[0] == pytest.approx(0.05)
    assert max(Recipe().lr_factor(step, 4) for step in range(4)) <= 1  # shorter than its warm-up


def test_bleu_is_of_lower_case_and_says_how_it_was_counted() -> None:
    score, signature = bleu(["A dog walks in the House."], ["a Dog walks in the house."])
    assert score == pytest.approx(100)
    assert "case:lc" in signature and "tok:13a" in signature
    assert bleu(["a dog walks in the river."], ["a dog walks in the house."])[0] < 80
    short, long = "a dog walks in the house", "a dog walks in the house at the river, alone."
    assert bleu([short], [long])[0] == pytest.approx(100 / math.e)  # all of it right, but 6 of 12 tokens


def test_translations_do_not_depend_on_their_neighbours(tokenizer: Any) -> None:
    model = new_model(Recipe(d_model=16, n_heads=2, n_layers=1, d_hidden=16), 100, 80)
    texts = [german for german, _ in PAIRS[:6]]
    together, alone = (translate(model, tokenizer, texts, beam_width=3, n_at_once=n) for n in (64, 1))
    assert together == alone and len(set(together)) > 1


def test_the_beam_has_the_width_and_alpha_that_are_asked_for(tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, beam_searches = [], translation.beam_searches

    def noting(*arguments: Any) -> Any:
        asked.append(arguments[-2:])
        return beam_searches(*arguments)

    monkeypatch.setattr(translation, "beam_searches", noting)
    model = new_model(Recipe(d_model=16, n_heads=2, n_layers=1, d_hidden=16), 100, 80)
    translate(model, tokenizer, [PAIRS[0][0]], beam_width=3, alpha=0.7)
    assert asked == [(3, 0.7)]


def test_the_map_has_a_row_for_each_unit_written_and_a_column_for_each_read(tokenizer: Any) -> None:
    model = new_model(Recipe(d_model=16, n_heads=2, n_layers=1, d_hidden=16), 100, 50)
    weights, written, read = cross_attention(model, tokenizer, *PAIRS[0])
    assert weights.shape == (len(written), len(read))
    assert torch.allclose(weights.sum(dim=-1), torch.ones(len(written)))
    source, target = source_ids(tokenizer, [PAIRS[0][0]]), target_ids(tokenizer, [PAIRS[0][1]])
    _, of_layers = model.decode(target[:, :-1], model.encode(source), source, need_weights=True)
    assert torch.allclose(weights, (of_layers[-1][0, 0] + of_layers[-1][0, 1]) / 2)  # the mean of both heads
    assert written == [*tokenizer.encode(PAIRS[0][1]).tokens, "<end>"]
    assert read == [*tokenizer.encode(PAIRS[0][0]).tokens, "<end>"]


# The command


def test_it_learns_and_says_what_it_did(folder: Path, whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = losses(whole)
    assert len(before) == 4 and before == sorted(before, reverse=True) and before[-1] < 0.8 * before[0]
    capsys.readouterr()
    assert main(command(folder, whole)) == 0  # all epochs are there already: it only translates
    said = capsys.readouterr().out
    assert losses(whole) == before
    for words in ("after epoch 4", "BLEU", "case:lc", "tok:13a", "tokens/s", "wanted", "written"):
        assert words in said
    assert len((whole / "translations.txt").read_text(encoding="utf-8").splitlines()) == len(PAIRS[::7])
    page = (whole / "attention.html").read_text(encoding="utf-8")
    assert 'alt="Where the translation looks. Attention map, ' in page and "data:image/png" in page
    assert not list(whole.glob("*.unfinished"))


def test_enough_epochs_translate_without_a_mistake(folder: Path, tmp_path: Path) -> None:
    assert main(command(folder, tmp_path, "--epochs", "25", "--dropout", "0")) == 0
    written = (tmp_path / "translations.txt").read_text(encoding="utf-8").splitlines()
    assert written == [english.lower() for _, english in PAIRS[::7]]


def test_dates_need_no_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--data", "dates", "--out", str(tmp_path), *TINY, "--epochs", "1", "--max_pairs", "50", "--beam", "1"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert said.startswith("50 pairs, ") and "200 test pairs" in said
    assert main([*arguments, "--folder", "here"]) == 1
    assert capsys.readouterr().err == "The dates are made, not read: leave out --folder here.\n"


def same_tensors(one: Path, other: Path) -> bool:
    first, second = (load_file(out / "checkpoint.safetensors") for out in (one, other))
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


def test_an_interrupted_run_goes_on_exactly(
    folder: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stopped within the third epoch it ends with the same losses, weights and optimiser state, dropout and all."""
    steps, step = itertools.count(), Trainer.step
    n_steps = 2 * len(Corpus.of(learn_vocabulary([t for p in PAIRS for t in p], 100), PAIRS).batches(120, 0)) + 2

    def stopped(self: Trainer, *arguments: Any) -> torch.Tensor:
        if next(steps) == n_steps:
            raise KeyboardInterrupt
        return step(self, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Trainer, "step", stopped)
        assert main(command(folder, tmp_path)) == 1
    assert capsys.readouterr().err.startswith("Training was stopped. The same command goes on from the last whole")
    assert losses(tmp_path) == losses(whole)[:2]
    assert main(command(folder, tmp_path)) == 0
    assert "after epoch 2" in capsys.readouterr().out
    assert losses(tmp_path) == losses(whole)
    assert same_tensors(tmp_path, whole)


def test_a_full_disk_leaves_the_checkpoint_before(
    folder: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written, fsync = itertools.count(1), os.fsync

    def full(file: int) -> None:
        if next(written) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(file)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert main(command(folder, tmp_path)) == 1
    said = capsys.readouterr().err
    assert "checkpoint.safetensors cannot be written (No space left on device)" in said and said.count("\n") == 1
    assert losses(tmp_path) == losses(whole)[:1]
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.safetensors"]


def refused(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence that the command ends with."""
    capsys.readouterr()
    assert main(list(arguments)) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.endswith(".\n"), said
    return said


def test_a_checkpoint_of_another_recipe_is_refused(
    folder: Path, whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(command(folder, whole, "--d_model", "16", "--seed", "3"), capsys)
    assert "was made with d_model 32 and not 16, seed 0 and not 3: " in said
    said = refused(["--data", "dates", "--out", str(whole), *TINY], capsys)
    assert "was made with data multi30k and not dates, checksum " in said


def test_a_checkpoint_with_the_older_names_goes_on(
    folder: Path, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "checkpoint.safetensors"
    kept = notes(whole)
    for today, once in {"vocab_size": "units", "max_tokens": "tokens", "lr": "peak", "max_pairs": "pairs"}.items():
        kept["recipe"][once] = kept["recipe"].pop(today)
    tensors = {
        re.sub(r"\bnorm_(\d)\.", lambda found: f"around.{int(found[1]) - 1}.norm.", name): tensor
        for name, tensor in load_file(whole / path.name).items()
    }
    assert any("around" in name for name in tensors)
    save_file(tensors, path, {"notes": json.dumps(kept)})
    assert main(command(folder, tmp_path)) == 0
    assert "after epoch 4" in capsys.readouterr().out
    assert losses(tmp_path) == losses(whole)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="what is mapped into memory is listed on Linux alone")
def test_a_checkpoint_that_was_loaded_is_let_go(folder: Path, whole: Path, tmp_path: Path, tokenizer: Any) -> None:
    """Windows does not replace a file that is still mapped into memory, as the next epoch must."""
    path = Path(shutil.copy(whole / "checkpoint.safetensors", tmp_path))
    recipe = Recipe(d_model=32, n_heads=2, n_layers=1, d_hidden=32)
    pairs = {"train": PAIRS, "validation": PAIRS[:3]}
    trainer = Trainer(recipe, new_model(recipe, 100, 50), tokenizer, pairs, ALONE, torch.float32, False)
    read_notes(path)
    load_checkpoint(path, trainer.model, trainer.optimizer)
    assert str(path) not in Path("/proc/self/maps").read_text()


@pytest.mark.parametrize("broken", ["empty", "cut", "other", "text"])
def test_a_broken_checkpoint_is_refused(
    folder: Path, whole: Path, tmp_path: Path, broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "checkpoint.safetensors"
    data = (whole / "checkpoint.safetensors").read_bytes()
    if broken == "other":
        save_file({"x": torch.zeros(2)}, path)
    else:
        path.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "text": b"not a checkpoint"}[broken])
    assert "is no checkpoint, or broken" in refused(command(folder, tmp_path), capsys)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--d_model", "30", "--n_heads", "4"], "multiple of n_heads, but is 30 with 4 heads"),
        (["--dropout", "1"], "dropout must be from 0 to less than 1, but is 1.0"),
        (["--epochs", "0"], "epochs must be at least 1, but is 0"),
        (["--lr", "-1"], "lr must be above 0, but is -1.0"),
        (["--max_pairs", "-1"], "max_pairs must be 0, for all, or the number of them, but is -1"),
        (["--lr", "1e30"], "in epoch 1: try a lower --lr"),
    ],
)
def test_bad_recipes_are_refused(
    folder: Path, tmp_path: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(command(folder, tmp_path, *more), capsys)


def test_what_is_missing_is_told(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ATTENTION_DATA", str(tmp_path / "cache"))
    assert "nowhere" in refused(command(tmp_path / "nowhere", tmp_path), capsys)
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "sacrebleu", None)
        assert "counted by sacrebleu" in refused(command(folder, tmp_path), capsys)
    assert not list(tmp_path.glob("*.safetensors"))  # told before an epoch is trained
    (tmp_path / "file").write_text("in the way")
    assert "cannot be written" in refused(command(folder, tmp_path / "file"), capsys)


def test_an_error_of_ours_is_not_taken_for_a_lost_process(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its text says."""

    def failing(*_: object) -> None:
        raise RuntimeError("gloo is a word like others")

    monkeypatch.setattr(Trainer, "step", failing)
    with pytest.raises(RuntimeError, match="gloo is a word"):
        main(command(folder, tmp_path))


def test_what_breaks_off_between_processes_is_a_lost_one() -> None:
    several = Processes(0, 2, ALONE.device)
    with pytest.raises(ProcessLost), several.communicating():
        raise RuntimeError("Connection closed by peer")
    for processes, error in ((ALONE, RuntimeError()), (several, torch.OutOfMemoryError()), (several, ValueError())):
        with pytest.raises(type(error)) as raised, processes.communicating():
            raise error
        assert raised.value is error


# Precision and compilation, as on a GPU


def test_bfloat16_comes_to_nearly_the_same_loss(folder: Path, whole: Path, tmp_path: Path) -> None:
    assert main(command(folder, tmp_path, "--precision", "bfloat16")) == 0
    assert losses(tmp_path) == pytest.approx(losses(whole), rel=0.05)
    assert losses(tmp_path) != losses(whole)


@pytest.mark.slow
def test_the_compiled_objective_is_the_same(tokenizer: Any) -> None:
    """Traced whole, for lengths that change; the translation to machine code is left to PyTorch's own tests."""
    model = new_model(Recipe(d_model=16, n_heads=2, n_layers=1, d_hidden=16, dropout=0.0), 100, 50)
    corpus, objective = Corpus.of(tokenizer, PAIRS), Objective(model, 0.1)
    compiled = torch.compile(objective, dynamic=True, backend="eager", fullgraph=True)
    for rows in corpus.batches(120, 0)[:4]:
        assert compiled(*corpus.rows(rows)).item() == pytest.approx(objective(*corpus.rows(rows)).item(), rel=1e-5)


# Several processes


WORKER = """
import os, signal, sys
from tools.train_translation.__main__ import main
from tools.train_translation.trainer import Trainer

step, done = Trainer.step, 0

def killed(self, *arguments):
    global done
    done += 1
    if self.processes.rank == 1 and len(self.history) == 2 and done > 2 * self.steps_an_epoch + 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return step(self, *arguments)

Trainer.step = killed
sys.exit(main(sys.argv[1:]))
"""


# Seconds until processes that wait for each other are ended. On an idle machine they need five, most of them to import
# torch three times, and on a crowded one they work as long as they must.
HANGING = 120


def torchrun(program: list[str], arguments: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    start = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "2", "--standalone"]
    return subprocess.run(start + program + arguments, env=environment, capture_output=True, text=True, timeout=HANGING)


EACH_ITS_OWN = """
import os, sys
from tools.train_translation.__main__ import main

arguments = sys.argv[1:]
arguments[arguments.index("--out") + 1] += os.environ["RANK"]
sys.exit(main(arguments))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="gloo under torchrun is tested where signals are POSIX's")
def test_processes_that_find_different_checkpoints_are_refused(folder: Path, whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "out1")
    script = tmp_path / "worker.py"
    script.write_text(EACH_ITS_OWN)
    run = torchrun([str(script)], command(folder, tmp_path / "out"))
    assert run.returncode != 0 and "The processes do not find the same checkpoint" in run.stderr, run.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="gloo under torchrun is tested where signals are POSIX's")
def test_two_processes_come_to_the_loss_of_one_and_go_on_when_one_was_killed(folder: Path, tmp_path: Path) -> None:
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    assert main(command(folder, alone, "--dropout", "0")) == 0
    script = tmp_path / "worker.py"
    script.write_text(WORKER)
    first = torchrun([str(script)], command(folder, killed, "--dropout", "0"))
    assert first.returncode != 0
    lines = [line for line in first.stderr.splitlines() if "goes on from the last whole epoch" in line]
    assert len(lines) == 1 and lines[0].startswith("Process 0 of this run "), first.stderr
    assert losses(killed) == pytest.approx(losses(alone)[:2], abs=1e-4)
    second = torchrun(["-m", "tools.train_translation"], command(folder, killed, "--dropout", "0"))
    assert second.returncode == 0, second.stderr
    assert "2 processes" in second.stdout and "after epoch 2" in second.stdout
    for name in ("loss", "validation"):
        one, two = ([done[name] for done in notes(out)["history"]] for out in (alone, killed))
        assert two == pytest.approx(one, abs=1e-4) and len(two) == 4
