"""What puts heads out for lesson 19, what it stored, and the lesson without weights."""

import pytest
import torch

from helpers.models import smollm
from helpers.models.llama import Llama
from tools import study_heads
from tools.execute import ROOT

LESSON = ROOT / "notebooks" / "19-what-its-heads-do.ipynb"


@pytest.fixture(scope="module")
def study() -> study_heads.Study:
    torch.manual_seed(0)
    model = Llama(49_152, d_model=16, n_heads=4, n_groups=2, n_layers=3, d_hidden=8).eval()
    return study_heads.Study(model, study_heads.twice(2, seed=0))


def test_a_text_stands_there_twice() -> None:
    ids = study_heads.twice(3, seed=1)
    assert ids.shape == (3, 100) and torch.equal(ids[:, :50], ids[:, 50:]) and ids.min() >= 100


def test_with_all_heads_the_loss_is_that_of_the_model(study: study_heads.Study) -> None:
    with torch.no_grad():
        scores = study.model(study.ids)[:, 50:-1]
    losses = torch.nn.functional.cross_entropy(scores.transpose(1, 2), study.ids[:, 51:], reduction="none").mean(-1)
    assert study.losses([]) == pytest.approx(losses.tolist(), abs=2e-3)


def test_the_places_choose_whose_next_token_is_scored(study: study_heads.Study) -> None:
    with torch.no_grad():
        scores = study.model(study.ids)[:, :49]
    losses = torch.nn.functional.cross_entropy(scores.transpose(1, 2), study.ids[:, 1:50], reduction="none").mean(-1)
    assert study.losses([], study_heads.FIRST_HALF) == pytest.approx(losses.tolist(), abs=2e-3)


def test_a_head_put_out_gives_its_mean_and_the_others_what_they_gave(study: study_heads.Study) -> None:
    seen: list[torch.Tensor] = []
    place = study.model.layers.get_submodule("1.attention.heads")
    with torch.no_grad():
        with place_watched(place, seen):
            study.model(study.ids)
        with (
            study_heads.hooked(study.model, [(1, study_heads.put_out(2, study.means[1, 2]))]),
            place_watched(place, seen),
        ):
            study.model(study.ids)
    before, after = seen
    assert torch.equal(after[:, 2], study.means[1, 2].expand_as(after[:, 2]))
    assert torch.equal(after[:, [0, 1, 3]], before[:, [0, 1, 3]])
    assert not place._forward_hooks


def place_watched(place: torch.nn.Module, seen: list[torch.Tensor]):
    return place.register_forward_hook(lambda _module, _given, output: seen.append(output))


def test_heads_are_drawn_without_those_left_out() -> None:
    heads = study_heads.drawn((1, 2), [(1, 0), (2, 8)], 16, seed=0)
    assert len(set(heads)) == 16 and not {(1, 0), (2, 8)} & set(heads)


def test_the_stored_study_has_a_loss_for_each_text() -> None:
    stored = smollm.heads_study()
    assert all(len(losses) == study_heads.N_TEXTS for losses in stored["sets"].values())
    for name in ("four of all layers", "four of layers 17 and 18"):
        assert torch.tensor(stored[name]).shape == (study_heads.N_DRAWS, study_heads.N_TEXTS)
    for name in ("fresh", "first half"):
        assert all(len(losses) == study_heads.N_FRESH for losses in stored[name].values())
    assert stored["Ruth"].keys() == stored["first half"].keys() == stored["fresh"].keys()
    assert torch.tensor(stored["each"]).shape == (30, 9, study_heads.N_TEXTS_FOR_EACH)


def test_one_head_that_looks_one_back_matters_far_more_than_the_four_others_together() -> None:
    sets = {name: torch.tensor(losses) for name, losses in smollm.heads_study()["sets"].items()}
    one, others = (sets[name] - sets["none"] for name in ("previous 16.0", "previous, all but 16.0"))
    assert others.mean().item() == pytest.approx(0.50, abs=0.005) and (one > 3 * others).all()


def test_the_lesson_is_small() -> None:
    assert LESSON.stat().st_size < 900_000
