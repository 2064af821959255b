"""The benchmarks run, compare what is equal, and write what they say they write. No test depends on a time."""

import itertools
import json
import math
import re
import time

import pytest
import torch

from benchmarks import annotated, cost, decoding, timing, training, translation
from benchmarks.__main__ import SUBJECTS, main
from helpers.data import dates
from helpers.models import date_reader
from helpers.models.decoding import greedy
from tools.execute import ROOT


@pytest.fixture
def clock(monkeypatch):
    """A clock that only `work` turns on: seconds that a function says it takes."""
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def work(seconds):
        now[0] += seconds

    return work


def test_functions_take_turns_and_ratios_are_of_one_round(clock):
    busy = itertools.count(1)  # the machine gets slower with each call
    calls = []

    def run(name, seconds):
        def once():
            calls.append(name)
            clock(seconds * next(busy))

        return once

    times = timing.in_turn({"ours": run("ours", 2.0), "reference": run("reference", 1.0)}, rounds=4)
    assert calls[-8:] == ["ours", "reference", "reference", "ours", "ours", "reference", "reference", "ours"]
    share = timing.share_of_time("", times, at_most=2)
    quotients = sorted(2 * a / b for a, b in [(5, 6), (8, 7), (9, 10), (12, 11)])
    assert share.value == pytest.approx((quotients[1] + quotients[2]) / 2) and share.rounds == 4
    assert share.met == (share.value <= 2) and share.low <= share.value <= share.high
    assert timing.times_as_fast("", times, at_least=0.4).met


def test_what_is_soon_done_is_called_often(clock):
    calls = []
    times = timing.in_turn({"short": lambda: (calls.append(1), clock(0.01))}, rounds=7, least_seconds=0.1)
    assert len(calls) >= 70 and times["short"] == pytest.approx([0.01] * 7)


def test_a_bar_that_is_missed_is_said():
    figure = timing.figure("what", [1.0, 2.0, 3.0], "of it", at_most=1.5)
    assert figure.met is False and "at most 1.5: MISSED" in timing.line("subject", figure)
    assert timing.figure("what", [1.0], "of it").met is None
    assert "at least 1: met" in timing.line("subject", timing.figure("what", [1.0], "of it", at_least=1))


def test_threads_are_given_back():
    before = torch.get_num_threads()
    with timing.threads(before + 1):
        assert torch.get_num_threads() == before + 1
    assert torch.get_num_threads() == before


@pytest.mark.parametrize(
    "subject",
    [pytest.param(name, marks=[pytest.mark.slow] if name in ("cost", "training") else []) for name in SUBJECTS],
)
@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_each_subject_runs_and_writes_table_and_json(subject, tmp_path, capsys):
    before = torch.get_num_threads()
    assert main([subject, "--quick", "--json", str(tmp_path / "figures.json")]) == 0
    result = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    table = capsys.readouterr().out
    assert result["quick"] is True and result["figures"] and torch.get_num_threads() == before
    assert {"platform", "processor", "processors", "Python", "torch", "threads"} <= set(result["machine"])
    for name, value in result["machine"].items():
        assert f"{name:11} {value}" in table
    for figure in result["figures"]:
        assert figure["subject"] == subject and f"{subject:11} {figure['what']}" in table
        assert math.isfinite(figure["value"]) and figure["threads"] >= 1
        assert (figure["met"] is None) == (figure["at_most"] is None and figure["at_least"] is None)
    if subject == "cost":
        of = {(figure["what"].partition(",")[0], figure["unit"]): figure["value"] for figure in result["figures"]}
        assert all((way, "exponent of the time") in of for way in cost.WAYS)
        megabytes = {way: of[way, "MB more at the peak of a process"] for way in ("table", "local")}
        assert megabytes["table"] > 30 > megabytes["local"]  # two tables of 16 MB


def test_an_unknown_subject_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["speed"])
    assert "there is no subject 'speed', but attention," in capsys.readouterr().err


def test_both_ways_of_decoding_write_the_same():
    model, source = date_reader.load(), dates.source_ids([text for text, _ in dates.test_set(50)])
    written = greedy(model, source, dates.BOS, dates.EOS, date_reader.MAX_LEN)
    assert torch.equal(decoding.without_cache(model, source, date_reader.MAX_LEN), written)


def test_the_reference_in_training_has_the_same_sizes_and_masks_that_change_nothing():
    ((source, target),) = dates.batches(dates.training_set(8), 8)
    torch.manual_seed(0)
    all_masks = training.PyTorchs()
    fewer = training.PyTorchs(fewer_masks=True)
    fewer.load_state_dict(all_masks.state_dict())
    wanted = target[:, 1:] != dates.PAD
    torch.testing.assert_close(fewer(source, target[:, :-1])[wanted], all_masks(source, target[:, :-1])[wanted])
    n_ours, n_theirs = (sum(p.numel() for p in model.parameters()) for model in (date_reader.new_model(), all_masks))
    assert n_theirs - n_ours == sum(p.numel() for p in all_masks.generator.parameters())  # ours has it in a table


def test_heads_that_share_keys_find_what_they_find_with_copies_of_their_own():
    query, cache = torch.randn(6, 4), [torch.randn(2, 9, 4) for _ in range(2)]
    copies = [x.repeat_interleave(3, dim=0) for x in cache]
    torch.testing.assert_close(cost.decode(query, *cache), cost.decode(query, *copies))


def test_the_plain_training_has_the_same_parameters_and_sees_neither_padding_nor_what_is_not_written_yet():
    sizes = translation.TINY
    plain = translation.Run(sizes, translation.PLAIN, translation.made_up(sizes)).model.eval()
    ours = translation.Run(sizes, translation.ALL, translation.made_up(sizes)).model
    numbers = [sum(parameter.numel() for parameter in model.parameters()) for model in (plain, ours)]
    assert numbers[0] == numbers[1]
    source, target = torch.tensor([[5, 6, 7]]), torch.tensor([[1, 8, 9]])
    wider, later = torch.tensor([[5, 6, 7, 0, 0]]), torch.tensor([[1, 8, 4]])
    torch.testing.assert_close(plain(wider, target), plain(source, target))
    torch.testing.assert_close(plain(source, later)[:, :2], plain(source, target)[:, :2])
    assert not torch.allclose(plain(source, later)[:, 2], plain(source, target)[:, 2])


def test_the_plain_loss_is_least_at_the_smoothed_distribution():
    wanted, smoothing = torch.tensor([3, 0, 5]), 0.1
    distribution = torch.full((3, 8), smoothing / 6)
    distribution[:, 0] = 1e-9
    distribution[[0, 2], wanted[[0, 2]]] = 1 - smoothing
    scores = distribution.log().requires_grad_()
    loss = annotated.smoothed_kl(scores, wanted, smoothing)
    loss.backward()
    assert loss.item() == pytest.approx(0, abs=1e-6) and scores.grad.abs().max() < 1e-6
    moved = annotated.smoothed_kl(torch.where(wanted[:, None] == 0, torch.randn(3, 8), scores), wanted, smoothing)
    assert moved.item() == pytest.approx(0, abs=1e-6)  # padding counts nothing


def test_plain_batches_hold_each_pair_once_within_the_budget():
    lengths = [(n % 13 + 1, n % 7 + 1) for n in range(500)]
    dealt = annotated.batches(lengths, 60, seed=0)
    assert sorted(row for batch in dealt for row in batch) == list(range(500))
    assert all(len(batch) * max(n for row in batch for n in lengths[row]) <= 60 for batch in dealt)
    assert dealt == annotated.batches(lengths, 60, seed=0) != annotated.batches(lengths, 60, seed=1)


def test_the_plain_learning_rate_is_highest_at_the_end_of_the_warm_up():
    rates = [annotated.learning_rate(step, 256, 100) for step in range(1, 400)]
    assert max(rates) == rates[99] == pytest.approx(256**-0.5 * 100**-0.5)
    assert rates[49] == pytest.approx(rates[99] / 2) and rates[399 - 1] == pytest.approx(rates[99] / 2, rel=0.01)


def test_every_choice_trains():
    corpus = translation.made_up(translation.TINY)
    for n in range(translation.ALL + 1):
        run = translation.Run(translation.TINY, n, corpus)
        seconds, n_read = run.train_until(run.validate(corpus) - 0.01, corpus)
        assert seconds > 0 and n_read > 0


def test_a_goal_that_is_not_reached_is_said(monkeypatch):
    monkeypatch.setattr(translation, "MOST_STEPS", 3)
    corpus = translation.made_up(translation.TINY)
    with pytest.raises(RuntimeError, match="still above 0 after 3 steps"):
        translation.Run(translation.TINY, translation.ALL, corpus).train_until(0, corpus)


def test_what_the_readme_says_was_measured_stands_among_all_results():
    results = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## Results\n")[1].split("\n## ")[0]
    measured = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    said, known = (set(re.findall(r"\d[\d.,]*(?<=\d)(?:e-\d+)?", text)) for text in (results, measured))
    assert said and said <= known, said - known
