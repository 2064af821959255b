"""The sums of lesson 18: how they are drawn, what is stored, and that lesson and command count in the same way."""

import ast

import rules
import torch

from helpers.models import smollm
from tools import study_sums
from tools.execute import ROOT

LESSON = ROOT / "notebooks" / "18-real-language-model.ipynb"


def test_a_sum_is_a_question_and_its_result() -> None:
    drawn = study_sums.sums(2, 20, torch.Generator().manual_seed(0))
    for question, result in drawn:
        a, b = (int(number) for number in question.removesuffix(" =").split(" + "))
        assert 10 <= a <= 99 and 10 <= b <= 99 and result == f" {a + b}\n"


def test_a_share_of_each_draw_is_stored() -> None:
    shares = torch.tensor(smollm.sums_study())
    assert shares.shape == (3, study_sums.N_DRAWS) and shares.min() >= 0 and shares.max() <= 1


def test_lesson_and_command_count_in_the_same_way() -> None:
    def body(function: ast.FunctionDef) -> str:
        lines = [
            line for line in function.body if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
        ]
        return ast.unparse(lines)

    tree = ast.parse((ROOT / "tools" / "study_sums.py").read_text(encoding="utf-8"))
    ours = {node.name: body(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
    taught = {node.name: body(node) for node in rules.definitions(rules.read(LESSON, [])) if node.name in ours}
    assert len(taught) == 2 and all(ours[name] == text for name, text in taught.items())
