"""The exercises: each is complete, agrees with its notebook, and names each of its mistakes.

Solutions and stubs are read from the notebooks, so that there is one source of each.
"""

import ast
import itertools
import json
import re
from pathlib import Path

import pytest
import torch
from checking import EXERCISES, from_cell, in_an_empty_folder  # noqa: F401 (a fixture)

from helpers import checks
from helpers.checks.judge import judge
from helpers.checks.verdict import RIGHT, UNTRIED, WRONG

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
MISTAKES = [(exercise, mistake) for exercise in EXERCISES.values() for mistake in exercise.mistakes]
CORE = range(1, 18)  # the lessons that must have exercises


def code_cells(lesson):
    """The code cells of a lesson's notebook, each (source, metadata)."""
    (path,) = NOTEBOOKS.glob(f"{lesson:02}-*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [("".join(cell["source"]), cell["metadata"]) for cell in cells if cell["cell_type"] == "code"]


def solutions(lesson):
    """Name and function of each solution in a lesson's notebook; later ones may use earlier ones."""
    names = {"torch": torch, "nn": torch.nn}
    found = {}
    for source, metadata in code_cells(lesson):
        title = re.match(r'# @title Solution of "(\w+)": click to open\n', source)
        if title:
            exec(source, names)
            found[title[1]] = names[f"{title[1]}_solution"], source, metadata
    return found


# --- the catalogue ---


def test_each_lesson_has_two_to_four_exercises_with_enough_mistakes_and_hints():
    for lesson in CORE:
        assert 2 <= sum(exercise.lesson == lesson for exercise in EXERCISES.values()) <= 4, lesson
    for exercise in EXERCISES.values():
        assert len(exercise.mistakes) >= 4, exercise.name
        assert len({mistake.id for mistake in exercise.mistakes}) == len(exercise.mistakes), exercise.name
        assert len({mistake.message for mistake in exercise.mistakes}) == len(exercise.mistakes), exercise.name
        assert 2 <= len(exercise.hints) <= 3, exercise.name
    assert len(MISTAKES) >= 120


def test_messages_are_short_sentences():
    for exercise, mistake in MISTAKES:
        assert len(mistake.message) <= 260 and mistake.message[-1] in ".?", (exercise.name, mistake.id)
        assert not re.search(r"[a-z]\.  |—", mistake.message), (exercise.name, mistake.id)


def test_all_shared_messages_stand_in_one_file():
    with_a_message = {
        path.name
        for path in Path(checks.__path__[0]).glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding"
        if any(isinstance(argument, ast.Constant | ast.JoinedStr) for argument in node.args)
    }
    assert with_a_message == {"shared_messages.py"}


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_cases_are_of_every_kind(exercise):
    cases = exercise.draw_cases()
    assert len(cases) >= 6
    torch.manual_seed(len(cases))
    for case, again in zip(cases, exercise.draw_cases(), strict=True):  # the same each time, whatever the seed
        for part, same in zip(case, again, strict=True):
            assert torch.equal(part, same) if isinstance(part, torch.Tensor) else part == same
    tensors = [[part for part in case if isinstance(part, torch.Tensor)] for case in cases]
    assert any(not parts or parts[0].numel() == 1 for parts in tensors)
    shapes = [[tuple(part.shape) for part in parts] for parts in tensors]
    assert shapes[0] == shapes[1]  # the example, and other numbers of the same sizes
    if any(part.is_floating_point() for part in tensors[0]):
        flat = list(itertools.chain(*tensors))
        assert any(part.dtype == torch.float64 for part in flat)
        assert any(not part.is_contiguous() for part in flat)
        assert max(part.numel() for part in flat) >= 200
        assert all(part.isfinite().all() for part in flat if part.is_floating_point())


# --- the notebooks ---


@pytest.mark.parametrize("lesson", CORE)
def test_notebook_has_a_stub_that_is_not_tried_and_a_closed_solution_for_each_exercise(lesson):
    names = [exercise.name for exercise in EXERCISES.values() if exercise.lesson == lesson]
    cells = code_cells(lesson)
    checked = [re.findall(r'^check\("(\w+)", (\w+)\)\s*\Z', source, re.M) for source, _ in cells]
    assert [pair for pairs in checked for pair in pairs] == [(name, name) for name in names]
    for source, _ in cells:
        called = re.search(r'^check\("(\w+)"', source, re.M)
        if called:
            assert len(source.splitlines()) <= 20
            assert judge(EXERCISES[called[1]], from_cell(source.rpartition("check(")[0], called[1])).status == UNTRIED
    found = solutions(lesson)
    assert list(found) == names
    for _, source, metadata in found.values():
        assert metadata["jupyter"]["source_hidden"] and "hide-input" in metadata["tags"]
        assert len(source.splitlines()) <= 20


@pytest.mark.parametrize("lesson", CORE)
def test_every_solution_is_right(lesson):
    for name, (function, _, _) in solutions(lesson).items():
        verdict = judge(EXERCISES[name], function)
        assert verdict.status == RIGHT, f"{name}: {verdict}"
        assert verdict.remarks == []


# --- known mistakes ---


@pytest.mark.parametrize(("exercise", "mistake"), MISTAKES, ids=[f"{e.name}-{m.id}" for e, m in MISTAKES])
def test_known_mistake_gets_its_own_message(exercise, mistake):
    verdict = judge(exercise, mistake.makes)
    assert (verdict.status, verdict.mistake, verdict.message) == (WRONG, mistake.id, mistake.message)
    assert mistake.message in repr(verdict)


@pytest.mark.parametrize(
    ("exercise", "mistake"),
    [
        ("softmax", "wrong-axis"),
        ("softmax", "over-everything"),
        ("softmax", "no-max-trick"),
        ("attend_to", "no-scaling"),
        ("attend_to", "divided-by-d-k"),
        ("attend_to", "root-of-d-model"),
        ("attend_to", "scaled-after-softmax"),
        ("score_table", "transpose-forgotten"),
        ("score_table", "keys-and-queries-swapped"),
        ("attend_to", "weights-transposed"),
        ("tokens_first", "summed-over-d-v"),
        ("multi_head", "view-straight-to-heads"),
        ("multi_head", "heads-wrong-order"),
        ("multi_head", "no-output-projection"),
        ("masked_softmax", "mask-inverted"),
        ("masked_softmax", "not-renormalised"),
        ("causal_mask", "diagonal-masked"),
        ("masked_softmax", "zero-instead-of-inf"),
        ("input_and_target", "counts-of-input"),
        ("mean_loss", "mean-of-sentences"),
    ],
)
def test_the_mistakes_that_people_make_most_are_among_the_known(exercise, mistake):
    assert mistake in [known.id for known in EXERCISES[exercise].mistakes]
