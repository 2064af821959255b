"""The reader of reviews: words and ids, the model of lesson 14, its optimizers, and its command on small reviews."""

from pathlib import Path

import pytest
import torch
from test_data import put

from helpers.models import review_reader
from helpers.models.review_reader import PAD, UNKNOWN, ReviewReader
from tools import train_reviews

GOOD, BAD = "A fine film, and I'd see it again!<br /><br />Fine.", "A dull film. I slept; and so did it."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Forty reviews, of two kinds, in upstream's layout."""
    monkeypatch.setenv("ATTENTION_DATA", str(tmp_path / "cache"))
    return put(
        tmp_path / "given",
        {
            f"aclImdb/{split}/{label}/{i}_1.txt": f"{'So. ' * i}{text}".encode()
            for split in ("train", "test")
            for label, text in (("pos", GOOD), ("neg", BAD))
            for i in range(10)
        },
    )


def test_words_are_in_lower_case_without_punctuation_and_html() -> None:
    assert review_reader.words(GOOD) == ["a", "fine", "film", "and", "i'd", "see", "it", "again", "fine"]
    assert review_reader.words("<br />") == []


def test_the_commonest_words_are_known_and_the_last_ones_are_kept() -> None:
    known = review_reader.vocabulary(["b a a c", "a b a"], n_words=4)
    assert known == {"a": 2, "b": 3}
    assert review_reader.to_ids(["c b a", "", "a a a b c c"], known, n=4).tolist() == [
        [UNKNOWN, 3, 2, PAD],
        [PAD] * 4,
        [2, 3, UNKNOWN, UNKNOWN],
    ]


@torch.no_grad()
def test_masked_padding_changes_no_score_and_other_padding_does() -> None:
    torch.manual_seed(0)
    model, ids = ReviewReader(30, 16, 4), torch.randint(1, 30, (5, 7))
    padded = torch.cat([ids, torch.zeros(5, 4, dtype=torch.long)], dim=-1)
    assert torch.allclose(model(ids)[0], model(padded)[0], atol=1e-6)
    assert model(torch.zeros(2, 3, dtype=torch.long))[0].isfinite().all()  # a review without a word
    model.masked = False
    assert not torch.allclose(model(ids)[0], model(padded)[0], atol=1e-3)


@torch.no_grad()
def test_order_counts_only_with_positions() -> None:
    torch.manual_seed(0)
    ids = torch.randint(1, 30, (5, 7))
    for positions in (True, False):
        model = ReviewReader(30, 16, 4, positions=positions)
        assert torch.allclose(model(ids)[0], model(ids.flip(-1))[0], atol=1e-6) != positions


def test_the_sizes_are_those_that_the_results_are_for() -> None:
    model = review_reader.new_model()
    assert model.table.weight.shape == (20_000, 128) and model.table.sparse
    assert (model.attention.n_heads, model.attention.d_head, model.dropout.p) == (8, 16, 0.5)


def test_sparse_adam_begins_as_dense_adam_and_leaves_other_rows_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_reader, "N_WORDS", 100)
    ids, labels = torch.tensor([[5, 6, 7]]), torch.tensor([1])
    models = [review_reader.new_model(sparse=sparse).eval() for sparse in (True, False)]
    for model in models:
        steps = review_reader.optimizers(model)
        review_reader.train_step(model, steps, ids, labels)
        after_one = model.table.weight.detach().clone()
        review_reader.train_step(model, steps, ids + 10, labels)
        moved = (model.table.weight != after_one).any(dim=-1).nonzero().flatten().tolist()
        assert moved == ([15, 16, 17] if model.table.sparse else [5, 6, 7, 15, 16, 17])
        model.table.weight.data[15:18] = 0  # to compare the first step
    assert torch.allclose(models[0].table.weight[0:5], models[1].table.weight[0:5])
    for one, other in zip(models[0].attention.parameters(), models[1].attention.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-4)


def test_the_command_trains_and_sums_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(review_reader, "LR", 0.02)
    monkeypatch.setattr(review_reader, "N_WORDS", 100)
    arguments = ["--folder", str(folder), "--seeds", "0", "1", "--epochs", "4", "--threads", "1"]
    assert train_reviews.main([*arguments, "--variants", "no-positions"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "no-positions, seed 0" and lines[1].startswith("epoch 1  loss 0.") and len(lines) == 11
    assert lines[-1] == "no-positions: best of 4 epochs 1.0000, 1.0000; mean 1.0000, standard deviation 0.0000"


def test_the_command_measures_steps(folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert train_reviews.main(["--folder", str(folder), "--time", "1"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["dense", "sparse"]


def test_the_command_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setenv("ATTENTION_DATA", str(tmp_path))
    assert train_reviews.main([]) == 1
    assert "python -m tools.download imdb" in capsys.readouterr().err
