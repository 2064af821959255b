"""The readers of reviews: words and ids, the models of lesson 14, what is stored, and the command that trains them."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from test_data import put

from helpers.models import review_reader
from helpers.models.review_reader import PAD, UNKNOWN, BagOfWords, ReviewReader, with_pairs
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
@pytest.mark.parametrize("attention", [True, False])
def test_masked_padding_changes_no_score_and_other_padding_does(attention: bool) -> None:
    torch.manual_seed(0)
    model, ids = ReviewReader(30, 16, 4, attention=attention), torch.randint(1, 30, (5, 7))
    padded = torch.cat([ids, torch.zeros(5, 4, dtype=torch.long)], dim=-1)
    assert torch.allclose(model(ids)[0], model(padded)[0], atol=1e-6)
    assert model(torch.zeros(2, 3, dtype=torch.long))[0].isfinite().all()  # a review without a word
    model.masked = False
    assert not torch.allclose(model(ids)[0], model(padded)[0], atol=1e-3)


@torch.no_grad()
@pytest.mark.parametrize("attention", [True, False])
@pytest.mark.parametrize("positions", [True, False])
def test_order_counts_only_with_attention_and_positions(attention: bool, positions: bool) -> None:
    torch.manual_seed(0)
    ids = torch.randint(1, 30, (5, 7))
    model = ReviewReader(30, 16, 4, attention=attention, positions=positions)
    same = torch.allclose(model(ids)[0], model(ids.flip(-1))[0], atol=1e-6)
    assert same != (attention and positions)


@torch.no_grad()
def test_a_bag_of_words_adds_up_the_numbers_of_its_words() -> None:
    model = BagOfWords(5)
    model.table.weight[:, 0] = torch.tensor([100.0, 1, 2, 3, 4])
    model.bias += 10
    assert model(torch.tensor([[1, 2, 2, PAD], [4, PAD, PAD, PAD]]))[0].tolist() == [15, 14]


def test_pairs_come_behind_the_words_and_share_ids_by_remainder() -> None:
    ids = torch.tensor([[1, 2, PAD], [2, 1, PAD], [4, 1, 2]])
    pairs = [[5, PAD], [9, PAD], [5, 5]]  # 1 * 5 + 2 and 4 * 5 + 1 are multiples of 7, and 2 * 5 + 1 is 4 more than one
    assert with_pairs(ids, 5, n_shared=7).tolist() == torch.cat([ids, torch.tensor(pairs)], dim=-1).tolist()


# What is stored


def test_the_stored_reader_reads_reviews() -> None:
    model, known, notes = review_reader.load()
    assert len(known) == len(model.table.weight) - 2 == review_reader.N_WORDS - 2 and not model.training
    assert known["the"] == 2 and review_reader.CHECKPOINT.stat().st_size < 2e6
    texts = [review["text"] for review in notes["reviews"]]
    scores, weights = model(review_reader.to_ids(texts, known), need_weights=True)
    right = (scores > 0) == torch.tensor([review["label"] for review in notes["reviews"]])
    assert right.sum() == 2 and weights.shape == (6, notes["n_heads"], 80, 80)
    assert all(text.startswith(train_reviews.SHOWN) for text in texts)
    assert 0.8 < notes["shuffled"] < notes["accuracy"] < 0.9


def test_the_stored_runs_are_those_of_the_command() -> None:
    runs = review_reader.load_runs()
    assert runs.keys() == train_reviews.VARIANTS.keys()
    for run in runs.values():
        assert run["right"].shape == (train_reviews.SEEDS, 25_000)
        best = run["validation"].nan_to_num(-1).argmax(dim=-1)
        chosen = run["test"].gather(-1, best[:, None]).squeeze(-1)  # the epoch that is best on validation
        assert torch.allclose(run["right"].double().mean(dim=-1), chosen.double(), atol=1e-6)


# The command


def test_the_sizes_are_those_that_the_results_are_for() -> None:
    model = train_reviews.new_model("attention, positions")
    assert model.table.weight.shape == (20_000, 128) and model.table.sparse
    assert (model.attention.n_heads, model.attention.d_head, model.dropout.p) == (8, 16, 0.5)


def test_sparse_adam_begins_as_dense_adam_and_leaves_other_rows_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_reviews, "N_WORDS", 100)
    ids, labels = torch.tensor([[5, 6, 7]]), torch.tensor([1])
    models = [train_reviews.new_model("attention", sparse=sparse).eval() for sparse in (True, False)]
    for model in models:
        steps = train_reviews.optimizers(model)
        train_reviews.train_step(model, steps, ids, labels)
        after_one = model.table.weight.detach().clone()
        train_reviews.train_step(model, steps, ids + 10, labels)
        moved = (model.table.weight != after_one).any(dim=-1).nonzero().flatten().tolist()
        assert moved == ([15, 16, 17] if model.table.sparse else [5, 6, 7, 15, 16, 17])
        model.table.weight.data[15:18] = 0  # to compare the first step
    assert torch.allclose(models[0].table.weight[0:5], models[1].table.weight[0:5])
    for one, other in zip(models[0].attention.parameters(), models[1].attention.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-4)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Sizes at which the command takes a second, and a file that it may write."""
    monkeypatch.setattr(train_reviews, "LR", 0.02)
    monkeypatch.setattr(train_reviews, "N_WORDS", 100)
    monkeypatch.setattr(train_reviews, "SEEDS", 2)
    monkeypatch.setattr(train_reviews, "RUNS", tmp_path / "runs.safetensors")
    return tmp_path / "runs.safetensors"


def test_the_command_trains_every_kind_and_stores_what_was_right(
    folder: Path, small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    assert train_reviews.main(["--folder", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "bag of words, seed 0" and lines[1].startswith("epoch 0  loss 0.")
    assert lines[-1] == "attention, positions: 1.0000, 1.0000 of the test reviews right"
    stored = load_file(small)
    assert stored["attention/right"].shape == (2, 3)  # 20 reviews, eight to a byte
    monkeypatch.setattr(review_reader, "RUNS", small)
    assert review_reader.load_runs()["attention"]["right"][:, :20].all()


def test_some_of_the_runs_are_not_stored(folder: Path, small: Path, capsys: pytest.CaptureFixture) -> None:
    assert train_reviews.main(["--folder", str(folder), "--variants", "bag of words", "--seeds", "0"]) == 0
    assert not small.exists() and "mean of vectors" not in capsys.readouterr().out


def test_training_stops_where_validation_gains_nothing_and_goes_back_to_the_best(folder: Path, small: Path) -> None:
    splits = train_reviews.prepared(train_reviews.imdb(folder))
    assert (len(splits.training.ids), len(splits.validation.ids), len(splits.test.ids)) == (18, 2, 20)
    model = train_reviews.new_model("bag of words")
    run = train_reviews.train(model, splits)
    best = run.validation.index(max(run.validation))
    assert len(run.validation) == best + 1 + train_reviews.PATIENCE
    assert torch.equal(train_reviews.which_are_right(model, splits.test), run.right)
    assert run.accuracy == pytest.approx(run.test[best])


def test_one_word_is_left_out_where_attention_or_the_bag_says() -> None:
    def model(ids: torch.Tensor, need_weights: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
        """Word 7 counts ten and word 4 three, of which five are taken; all queries look at word 4."""
        holds = lambda word: (ids == word).any(dim=-1).float()  # noqa: E731
        weights = (ids == 4).float()[:, None, None, :].expand(-1, 2, ids.shape[-1], -1)
        return 10 * holds(7) + 3 * holds(4) - 5, weights

    bag = BagOfWords(30)
    bag.table.weight.data[7] = -5.0  # farthest from 0
    bag.table.weight.data[3] = 2.0
    ids = torch.tensor([[3, 7, 4, 5] + [PAD] * 76, [9] + [PAD] * 79])  # the second has one word, so none to leave out
    result = train_reviews.left_out(model, bag, train_reviews.Split(ids, torch.tensor([1, 0])))
    assert result["attention"] == {"change": 3, "flips": 0, "same": 1}
    assert result["bag of words"] == {"change": 10, "flips": 1, "same": 0}
    assert result["chance"]["change"] in (0, 3, 10)


def test_what_a_word_receives_counts_no_query_that_is_padding() -> None:
    torch.manual_seed(0)
    ids = torch.tensor([[3, 7, 4] + [PAD] * 77])
    shares = train_reviews.received(ReviewReader(30, 8, 2).eval(), ids)
    assert shares.sum() == pytest.approx(3) and not shares[0, 3:].any()


def test_a_shuffled_review_keeps_its_words() -> None:
    def model(ids: torch.Tensor) -> tuple[torch.Tensor, None]:
        return torch.where(ids[:, 0] == 3, 1.0, -1.0) * (ids[:, :4] != PAD).all(
            dim=-1
        ), None  # no padding comes in front

    model.eval = lambda: None
    ids = torch.tensor([[3, 7, 4, 5] + [PAD] * 76]).expand(400, -1)
    right = train_reviews.in_another_order(model, train_reviews.Split(ids, torch.ones(400)))
    assert 0.15 < right < 0.35, "each of the four words comes first as often"


def test_the_command_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setenv("ATTENTION_DATA", str(tmp_path))
    assert train_reviews.main([]) == 1
    assert "python -m tools.download imdb" in capsys.readouterr().err
