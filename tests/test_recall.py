"""The recall task of lesson 16: its texts, what each way keeps, and the command that stores how each does."""

import json

import pytest
import torch

from helpers.models import recall
from tools import study_recall


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(3)


def test_the_answer_to_a_question_is_the_colour_that_stands_with_its_name() -> None:
    names, colours, asked, wanted = recall.recall_texts(5, generator())
    assert names.shape == colours.shape == (5, 32) and asked.shape == wanted.shape == (5, 16, 2)
    for text in range(5):
        pairs = dict(zip(names[text].tolist(), colours[text].tolist(), strict=True))
        assert len(pairs) == 32  # no name stands twice
        answers = [pairs[name] for name in asked[text].flatten().tolist()]
        assert answers == wanted[text].flatten().tolist()
    assert all(
        torch.equal(a, b)
        for a, b in zip(recall.recall_texts(5, generator()), (names, colours, asked, wanted), strict=True)
    )


@pytest.mark.parametrize(("way", "size"), [(way, size) for way, sizes in recall.SIZES.items() for size in sizes])
def test_each_way_attends_and_learns(way: str, size: int) -> None:
    torch.manual_seed(0)
    model = recall.RecallModel(recall.new_attention(way, size))
    names, colours, asked, _ = recall.recall_texts(3, generator())
    scores = model(names, colours, asked)
    assert scores.shape == (3, 16, 2, 16)
    scores.sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


@pytest.mark.parametrize(
    ("way", "size", "kept"),
    [
        ("full", 4, 512),
        ("full, four heads", 4, 1024),
        ("one head", 64, 4096),
        ("grouped", 4, 256),
        ("local", 8, 256),
        ("strided", 4, 256),
        ("compressed", 4, 256),
        ("latent", 8, 256),
        ("linear", 8, 288),
        ("linear, divided by 32", 16, 1024),
        ("linear, one table", 16, 272),
        ("linear, signed, one table", 16, 256),
    ],
)
def test_the_numbers_that_are_kept(way: str, size: int, kept: int) -> None:
    assert recall.numbers_kept(way, size) == kept


def test_what_lies_outside_of_a_window_or_a_stride_is_not_seen() -> None:
    torch.manual_seed(0)
    x_query, x = torch.randn(1, 4, 64), torch.randn(1, 32, 64)
    for way, size, seen in [("local", 8, range(24, 32)), ("strided", 8, [7, 15, 23, 31])]:
        attend = recall.new_attention(way, size)
        for place in range(32):
            changed = x.clone()
            changed[0, place] += 1
            assert torch.equal(attend(x_query, changed), attend(x_query, x)) == (place not in seen), (way, place)


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ValueError, match=r"way must be one of full, local, .*, but is 'cheap'"):
        recall.new_attention("cheap", 1)


def test_what_is_stored_belongs_to_the_sizes_of_today() -> None:
    results = recall.recall_results()
    assert results["command"] == "python -m tools.study_recall" and results["steps"] == study_recall.STEPS
    for way, sizes in recall.SIZES.items():
        assert [run["size"] for run in results["runs"][way]] == sizes
        for run in results["runs"][way]:
            assert run["kept"] == recall.numbers_kept(way, run["size"])
            assert len(run["accuracy"]) == study_recall.SEEDS and all(0 <= share <= 1 for share in run["accuracy"])
    others = [(one["way"], one["size"], one["d_model"], one["steps"]) for one in results["others"]]
    assert others == study_recall.OTHERS
    assert [one["kept"] for one in results["others"]] == [256, 256, 256, 256, 256, 128, 128, 128, 256, 256, 256, 128]
    assert all(len(one["accuracy"]) == study_recall.SEEDS for one in results["others"])


def test_a_table_may_have_any_shape_and_vectors_any_length() -> None:
    model = recall.RecallModel(study_recall.OneTable(64, 2, d_model=128), d_model=128)
    names, colours, asked, _ = recall.recall_texts(3, generator())
    scores = model(names, colours, asked)
    assert scores.shape == (3, 16, 2, 16) and model.name.weight.shape == (64, 128)
    scores.sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_a_bare_table_answers_everything_with_a_row_for_each_name() -> None:
    model = study_recall.BareTable(64, 16)
    with torch.no_grad():
        model.key.weight.copy_(torch.eye(64))
        model.query.weight.copy_(torch.eye(64))
        model.value.weight.copy_(torch.eye(16))
        model.to_scores.weight.copy_(torch.eye(16))
        model.to_scores.bias.zero_()
    assert recall.recall_accuracy(model) == 1


def test_in_vectors_of_128_a_table_set_by_hand_answers_everything() -> None:
    def circle(n: int) -> torch.Tensor:
        angle = 2 * torch.pi * torch.arange(n) / n
        return torch.stack([angle.cos(), angle.sin()], dim=-1)

    model = recall.RecallModel(attend := study_recall.OneTable(64, 2, d_model=128), d_model=128)
    names, two = torch.eye(64), torch.eye(2)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        model.name.weight[:, :64], model.colour.weight[:, 64:66] = names, circle(16)
        model.first.weight[:64, :64] = model.second.weight[64:, :64] = names
        attend.to_query.weight[:64, :64] = attend.to_query.weight[64:128, 64:] = names
        attend.to_key.weight[:, :64], attend.to_value.weight[:, 64:66] = names, two
        attend.to_output.weight[:2, :2] = attend.to_output.weight[2:4, 2:4] = two
        model.to_scores.weight[:16, :2] = model.to_scores.weight[16:, 2:4] = circle(16)
    assert recall.recall_accuracy(model) == 1


def test_the_command_goes_on_where_it_stopped(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(recall, "SIZES", {"grouped": [2, 3]})
    monkeypatch.setattr(study_recall, "OTHERS", [("grouped", [2], 64, 2), (study_recall.TABLE, [64, 4], 128, 2)])
    said: list[str] = []
    done = {"way": "grouped", "size": [2], "d_model": 64, "steps": 2, "kept": 128, "accuracy": [0.25]}
    results: dict = {"runs": {"grouped": [{"size": 2, "kept": 128, "accuracy": [0.5]}]}, "others": [done]}
    study_recall.study(results, said.append, seeds=1, steps=2)
    stored = json.loads(recall.RESULTS.read_text(encoding="utf-8"))
    assert len(said) == 2 and [run["size"] for run in stored["runs"]["grouped"]] == [2, 3]
    assert stored["runs"]["grouped"][0]["accuracy"] == [0.5] and stored["seeds"] == 1
    assert stored["others"][0] == done and [one["kept"] for one in stored["others"]] == [128, 256]
