"""What more passes over its text bring the model of lesson 13: what is stored, and the command that stores it."""

import json

import pytest
import torch

from helpers.data.docstrings import Docstrings, docstrings
from helpers.models import passes
from tools import study_passes


def test_what_is_stored_belongs_to_the_command_of_today() -> None:
    stored = passes.passes_study()
    assert stored["command"] == "python -m tools.study_passes" and stored["pasts"] == list(study_passes.PASTS)
    assert list(stored["tables"]) == list(study_passes.TABLES)
    assert [run["passes"] for run in stored["runs"]] == list(study_passes.PASSES)
    for run in stored["runs"]:
        assert len(run["per_letter"]) == study_passes.STARTS
        assert torch.tensor(run["loss"]).shape == (study_passes.STARTS, len(study_passes.PASTS))


def test_the_command_goes_on_where_it_stopped(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "RESULTS", tmp_path / "passes.json")
    whole = docstrings()
    few = Docstrings(dict(list(whole.training.items())[:4]), dict(list(whole.held_out.items())[:2]))
    said: list[str] = []
    results: dict = {"runs": [{"passes": 1, "per_letter": [5.0], "loss": []}]}
    study_passes.study(results, said.append, few, n_passes=(1, 2), starts=1)
    stored = passes.passes_study()
    assert json.loads(json.dumps(results)) == stored  # nothing is kept back
    assert len(said) == 1 and [run["passes"] for run in stored["runs"]] == [1, 2]
    assert stored["runs"][0]["per_letter"] == [5.0]  # not run again
    # so little text: worse than in the lesson, better than an even guess among the letters
    assert 5 < stored["runs"][1]["per_letter"][0] < study_passes.N_LETTERS


def test_a_second_pass_has_another_order_and_as_many_steps_more() -> None:
    ids = torch.arange(4 * study_passes.WINDOW + 1) % 50
    once, twice = (study_passes.trained(ids, n, seed=0) for n in (1, 2))
    assert not torch.equal(once.embedding.table.weight, twice.embedding.table.weight)
    again = study_passes.trained(ids, 2, seed=0)
    assert torch.equal(twice.embedding.table.weight, again.embedding.table.weight)  # a start is a start
