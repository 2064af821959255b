"""The dates are what they say, the split leaks nothing, and the shipped checkpoint reads them."""

import ast
import calendar
import datetime
import itertools
import json
import math
import random
import re
from datetime import date
from pathlib import Path

import pytest
import rules
import torch

from helpers.data import dates
from helpers.data.dates import ALL_FORMS, FORMS, NUMERIC_FORMS
from helpers.models import date_reader
from helpers.models.transformer import Transformer
from tools import study_dates, train_dates
from tools.execute import ROOT

PAIRS = dates.training_set(20_000)


def test_there_are_enough_forms_and_no_two_are_equal() -> None:
    assert len(ALL_FORMS) == len(set(ALL_FORMS)) >= 25
    day = date(1999, 8, 13)
    assert len({dates.written(day, form) for form in ALL_FORMS}) == len(ALL_FORMS)
    for field in ("{weekday}", "{wd}", "{ord}", "{mon}", "{yy}", "{month}"):
        assert any(field in form for form in FORMS)


@pytest.mark.parametrize(
    ("day", "form", "text", "goal"),
    [
        (date(1999, 3, 3), "{wd} {ord} of {month}, {year}", "Wed 3rd of March, 1999", "1999-03-03"),
        (date(2004, 2, 29), "{weekday}, {month} {d}, {year}", "Sunday, February 29, 2004", "2004-02-29"),
        (date(2001, 9, 7), "{mon}. {d} '{yy}", "Sep. 7 '01", "2001-09-07"),
        (date(1999, 3, 3), "{mon} '{yy}", "Mar '99", "1999-03"),
        (date(1970, 12, 31), "{mm}/{dd}/{yy}", "12/31/70", "1970-12-31"),
    ],
)
def test_written(day: date, form: str, text: str, goal: str) -> None:
    assert (dates.written(day, form), dates.iso(day, form)) == (text, goal)


def test_ordinals() -> None:
    wanted = (
        "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th 13th 14th 15th 16th 17th 18th 19th 20th 21st 22nd "
        "23rd 24th 25th 26th 27th 28th 29th 30th 31st"
    )
    assert [dates.ordinal(n) for n in range(1, 32)] == wanted.split()


def test_a_numeric_form_is_used_only_where_one_reading_is_left() -> None:
    for form in NUMERIC_FORMS:
        swapped = form.replace("d", "#").replace("m", "d").replace("#", "m")
        for day in dates.split_days()[0][::7]:
            if not dates.allowed(day, form):
                continue
            other = date(day.year, day.day, day.month) if day.day <= 12 else None
            assert other in (None, day)
            assert swapped == form or other is None or dates.written(other, swapped) == dates.written(day, form)
    assert not dates.allowed(date(1999, 3, 4), "{m}/{d}/{year}")
    assert dates.allowed(date(1999, 3, 3), "{m}/{d}/{year}")


def days_that_can_go_wrong():
    """First and last days, ends of months, leap days, and days whose numbers could be those of other parts."""
    for year in (1969, 1970, 1999, 2000, 2004, 2010, 2011, 2012, 2020, 2021, 2068):
        for month in range(1, 13):
            last = calendar.monthrange(year, month)[1]
            yield from (date(year, month, day) for day in {1, 2, 3, 10, 11, 12, 13, 20, 21, 28, last})


def test_no_text_has_two_meanings() -> None:
    meaning: dict[str, str] = {}
    for day in days_that_can_go_wrong():
        for form in ALL_FORMS:
            if dates.allowed(day, form):
                text = dates.written(day, form).lower()
                assert meaning.setdefault(text, dates.iso(day, form)) == dates.iso(day, form)
    assert len(meaning) > 30_000


def test_two_digits_of_a_year_follow_python() -> None:
    for day in (date(1969, 1, 31), date(1999, 1, 31), date(2000, 1, 31), date(2068, 1, 31)):
        text = dates.written(day, "{dd}/{mm}/{yy}")
        assert datetime.datetime.strptime(text, "%d/%m/%y").date() == day


def test_weekdays_are_true() -> None:
    n_seen = 0
    for text, goal in PAIRS:
        if found := re.search("|".join(day[:3] for day in dates.WEEKDAYS), text, re.I):
            n_seen += 1
            assert date.fromisoformat(goal).strftime("%a").lower() == found[0].lower()
    assert n_seen > 2000


def test_typing_changes_case_and_spaces_alone() -> None:
    draw = random.Random(0)
    typed = [dates.as_typed("Wed 3rd of March, 1999", draw) for _ in range(2000)]
    assert {re.sub(" +", " ", text).strip().lower() for text in typed} == {"wed 3rd of march, 1999"}
    changed = [text != "Wed 3rd of March, 1999" for text in typed]
    assert 0.4 < sum(changed) / len(changed) < 0.6
    assert not any(text.startswith(" ") for text in typed)
    assert max(len(text) for text, _ in PAIRS) <= dates.LONGEST
    assert {"WED 3RD OF MARCH, 1999", "wed 3rd of march, 1999", "Wed 3rd of March, 1999  "} <= set(typed)


def test_all_forms_come_in_the_data() -> None:
    assert {re.sub(r"\d", "0", goal) for _, goal in PAIRS} == {"0000-00-00", "0000-00"}
    days = dates.split_days()[0][:4000]
    drawn = {text for text, _ in dates.examples(days * 20, 0)}
    for form in ALL_FORMS:
        assert any(dates.written(day, form) in drawn for day in days if dates.allowed(day, form))


def test_no_date_and_no_month_is_in_two_sets() -> None:
    split = dates.split_days()
    assert sum(len(set(part)) for part in split) == (date(2069, 1, 1) - date(1969, 1, 1)).days
    months = [{day.isoformat()[:7] for day in part} for part in split]
    assert [len(part) for part in months] == [1000, 100, 100] and len(set.union(*months)) == 1200
    sets = [PAIRS, dates.validation_set(), dates.test_set()]
    for (one, one_months), (other, other_months) in itertools.permutations(zip(sets, months, strict=True), 2):
        assert {goal[:7] for _, goal in one} <= one_months and not {goal[:7] for _, goal in other} & one_months
        assert not {text for text, _ in one} & {text for text, _ in other} and not one_months & other_months


@pytest.mark.parametrize(("name", "purpose"), [("validation_set", "validation"), ("test_set", "the test")])
def test_a_set_has_as_many_dates_as_it_says(name: str, purpose: str) -> None:
    pairs = getattr(dates, name)(2000)
    full = [goal for _, goal in pairs if len(goal) == 10]
    assert len(pairs) == 2000 and len(full) == len(set(full)) > 1700
    with pytest.raises(ValueError, match=f"dates are kept for {purpose}, but 5,000"):
        getattr(dates, name)(5000)


def test_seeds() -> None:
    for make in (dates.training_set, dates.validation_set, dates.test_set):
        assert make(50, seed=4) == make(50, seed=4) != make(50, seed=5)


def test_parts_say_what_each_character_stands_for() -> None:
    day = date(1999, 3, 3)
    assert dates.written(day, "{wd} {ord} of {month}, {year}") == "Wed 3rd of March, 1999"
    assert dates.parts(day, "{wd} {ord} of {month}, {year}") == "WWW-DDD----MMMMM--YYYY"
    for form in ALL_FORMS:
        text, letters = dates.written(day, form), dates.parts(day, form)
        assert len(text) == len(letters)
        said = {letter: "".join(text[i] for i in range(len(text)) if letters[i] == letter) for letter in "YMDW"}
        assert said["Y"] in ("1999", "99") and said["M"] in ("3", "03", "Mar", "March")
        assert said["D"] in ("", "3", "03", "3rd") and said["W"] in ("", "Wed", "Wednesday")


def test_ids_and_back() -> None:
    texts = ["1999-03-03", "1999-03"]
    ids = dates.target_ids(texts)
    assert ids.shape == (2, 12) and ids[0, 0] == ids[1, 0] == dates.BOS
    assert ids[0, 11] == ids[1, 8] == dates.EOS and not ids[1, 9:].any()
    assert dates.texts_of(ids) == dates.texts_of(ids[:, 1:]) == texts
    source = dates.source_ids(["3/3/99", "3 Mar"])
    assert source.shape == (2, 6) and source[1].tolist()[-1] == dates.PAD and (source[:, :5] >= 3).all()
    assert source.max() < dates.SOURCE_VOCAB_SIZE and ids.max() < dates.TARGET_VOCAB_SIZE
    with pytest.raises(ValueError, match="'é' in 'février' is not in the vocabulary"):
        dates.source_ids(["février"])


def test_batches_hold_each_pair_once() -> None:
    pairs = PAIRS[:1000]
    made = dates.batches(pairs, 32)
    assert [len(source) for source, _ in made].count(32) == len(made) - 1
    goals = sorted(goal for _, target in made for goal in dates.texts_of(target))
    assert goals == sorted(goal for _, goal in pairs)
    texts = [row[row != dates.PAD].tolist() for source, _ in made for row in source]
    assert sorted(texts) == sorted(dates.source_ids([text])[0].tolist() for text, _ in pairs)
    padding = sum((source == dates.PAD).sum().item() for source, _ in made)
    assert padding < 0.1 * sum(source.numel() for source, _ in made)
    for source, _ in made:
        assert (source[:, -1] != dates.PAD).any()


def test_learning_rate_goes_up_and_down() -> None:
    rates = [train_dates.learning_rate(step) for step in range(train_dates.STEPS)]
    top = train_dates.WARM_UP - 1
    assert max(rates) == pytest.approx(train_dates.MAX_LR) and rates[top] == max(rates)
    assert rates[:top] == sorted(rates[:top]) and rates[top:] == sorted(rates[top:], reverse=True)
    assert 0 < rates[-1] < 1e-5 * 10 and rates[0] > 0


@pytest.mark.parametrize(("optimizer", "decay"), [("SGD", 0.0), ("Adam", 0.0), ("AdamW", 0.5)])
def test_a_recipe_is_followed(optimizer: str, decay: float) -> None:
    torch.set_num_threads(1)
    recipe = train_dates.Recipe(steps=200, warm_up=0, max_lr=0.1, optimizer=optimizer, decay=decay)
    model, start = date_reader.new_model(7), date_reader.new_model(7)
    train_dates.train(model, dates.batches(dates.training_set(32), 32), recipe)
    moved = model.decoder_norm.bias - start.decoder_norm.bias  # starts at 0, so nothing decays
    if optimizer == "SGD":
        assert moved.abs().min() > 0 and moved.abs().max() < 0.09
    else:  # Adam's first step is as long as the rate, whatever the gradient
        assert torch.allclose(moved.abs(), torch.full_like(moved, 0.1), atol=1e-4)
    unused = model.source_embedding.table.weight[1] / start.source_embedding.table.weight[1]  # <start> is in no source
    assert torch.allclose(unused, torch.full_like(unused, 1 - 0.1 * decay))


def test_a_few_steps_learn_and_are_the_same_twice() -> None:
    torch.set_num_threads(1)
    models = [date_reader.new_model(7) for _ in range(2)]
    for model in models:
        train_dates.train(model, dates.batches(dates.training_set(160, 7), 32, 7), train_dates.Recipe(steps=5))
    first, second = (model.state_dict() for model in models)
    start = date_reader.new_model(7).state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert any(not torch.equal(first[name], start[name]) for name in first)


def test_a_date_counts_only_when_it_is_right_to_the_last_character(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(date_reader, "predictions", lambda model, texts: ["1999-03-03", "1999-03-04", "1999-03"])
    assert date_reader.accuracy(date_reader.new_model(), [("", "1999-03-03")] * 3) == pytest.approx(1 / 3)


def test_shipped_checkpoint_is_small_and_reads_new_dates() -> None:
    assert date_reader.CHECKPOINT.stat().st_size < 1_000_000
    assert date_reader.accuracy(date_reader.load(), dates.validation_set()) >= 0.999
    assert date_reader.accuracy(date_reader.load(), dates.test_set()) >= 0.999


def test_history_belongs_to_the_checkpoint() -> None:
    history = date_reader.load_history()
    n = len(train_dates.RECORDED)
    assert history["steps"].tolist() == list(train_dates.RECORDED)
    assert history["losses"].shape == history["accuracies"].shape == (n,)
    assert history["accuracies"][0] == 0 and history["accuracies"][-1] > 0.99
    last = date_reader.cross_attention(date_reader.load(), date_reader.SAMPLE, "1999-03-03")
    assert torch.allclose(history["maps"][-1], last, atol=2e-3)


def test_the_lesson_trains_by_the_same_recipe() -> None:
    lesson = rules.read(ROOT / "notebooks" / "12-training.ipynb", [])
    names = {
        "torch": torch,
        "nn": torch.nn,
        "math": math,
        "Transformer": Transformer,
        "PAD": dates.PAD,
        "SOURCE_VOCAB_SIZE": dates.SOURCE_VOCAB_SIZE,
        "TARGET_VOCAB_SIZE": dates.TARGET_VOCAB_SIZE,
    }
    for _, source, _ in lesson.code:
        if re.search(r"^def (new_translator|learning_rate|train_step)\b", source, re.M):
            exec(source, names)
    assert names["steps"] == train_dates.STEPS
    for step in range(0, train_dates.STEPS, 50):
        assert math.isclose(names["learning_rate"](step), train_dates.learning_rate(step), rel_tol=1e-6)

    torch.set_num_threads(1)
    taught, ours = names["new_translator"](), date_reader.new_model()
    assert ours.state_dict().keys() == taught.state_dict().keys()
    names["model"], names["steps"] = taught, 200
    batches = dates.batches(dates.training_set(4 * train_dates.BATCH), train_dates.BATCH)
    train_dates.train(ours, batches, train_dates.Recipe(steps=200))
    exec(the_statement_that_sets("optimizer", lesson), names)
    for step, (source, target) in enumerate(batches):
        names["optimizer"].param_groups[0]["lr"] = names["learning_rate"](step)
        names["train_step"](taught, names["optimizer"], source, target)
    for name, trained in taught.state_dict().items():
        torch.testing.assert_close(trained, ours.state_dict()[name], atol=1e-6, rtol=1e-6)


def the_statement_that_sets(name: str, lesson: rules.Lesson) -> str:
    return next(
        ast.unparse(node)
        for _, tree in lesson.trees
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    )


# --- the studies that the lesson shows ---


def test_a_study_notes_how_training_went(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    short = study_dates.Study(train_dates.Recipe(steps=3, warm_up=1), n_seeds=2, n_dates=40, dropout=0.5)
    monkeypatch.setattr(study_dates, "STUDIES", {"few": short, "other": short})
    monkeypatch.setattr(study_dates, "NOTED", (0, 2, 3))
    monkeypatch.setattr(study_dates, "WATCHED", 4)
    monkeypatch.setattr(date_reader, "STUDIES", tmp_path / "studies.json")
    assert study_dates.main(["few"]) == 0
    stored = date_reader.load_studies()
    assert list(stored) == ["few"] and list(stored["few"]) == ["0", "1"]
    noted = stored["few"]["0"]
    assert noted["steps"] == [0, 2, 3] and set(noted) == {"steps"} | {
        f"{what} {of}" for what in ("loss", "exact") for of in ("training", "validation")
    }
    assert all(len(values) == 3 for values in noted.values()) and stored["few"]["0"] != stored["few"]["1"]
    assert study_dates.main(["few"]) == 0 and date_reader.load_studies() == stored  # what is there is not run again


def test_few_dates_come_again_and_again() -> None:
    pairs = dates.training_set(40)
    made = study_dates.batches_of(pairs, 5, seed=0)
    goals = [goal for _, target in made for goal in dates.texts_of(target)]
    assert len(made) == 5 and len(goals) == 160 and set(goals) == {goal for _, goal in pairs}


def test_the_stored_studies_are_those_of_the_tool() -> None:
    stored = json.loads(date_reader.STUDIES.read_text(encoding="utf-8"))
    assert stored.keys() == study_dates.STUDIES.keys()
    for name, study in study_dates.STUDIES.items():
        assert list(stored[name]) == [str(seed) for seed in range(study.n_seeds)], name
        for noted in stored[name].values():
            assert noted["steps"] == [step for step in study_dates.NOTED if step <= study.recipe.steps], name
