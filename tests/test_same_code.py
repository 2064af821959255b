"""What a lesson defines is what the helpers hold, word for word: nobody learns one thing and runs another."""

import ast

import pytest
import rules

from tools.execute import ROOT

LESSONS = [path.stem for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
# Module of helpers.models -> the lessons that build what it holds.
BUILT_IN = {
    "transformer": LESSONS,
    "byte_pairs": ["13-language-model"],
    "review_reader": ["14-reviews"],
    "llama": ["18-real-language-model"],
    "recall": ["16-cheaper-attention"],
}


class WithoutTypes(ast.NodeTransformer):
    """The code without annotations and decorators, as lessons have it."""

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.returns, node.decorator_list = None, []
        return node

    def visit_arg(self, node):
        node.annotation = None
        return node

    def visit_AnnAssign(self, node):
        return node.value and ast.copy_location(ast.Assign([node.target], node.value), node)


def plain(node):
    """Definition without annotations, decorators, comments and docstrings."""
    return rules.code_of(WithoutTypes().visit(ast.parse(ast.unparse(node))))


def of_module(name):
    """What a module of helpers.models defines, by name."""
    tree = ast.parse((ROOT / "helpers" / "models" / f"{name}.py").read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def of_lesson(name):
    """What a lesson defines, by name, but for what grows in a later lesson."""
    lesson = rules.read(ROOT / "notebooks" / f"{name}.ipynb", LESSONS)
    return {node.name: node for node in rules.definitions(lesson) if name >= rules.GROWN.get(node.name, "")}


@pytest.mark.parametrize(("module", "lesson"), [(module, name) for module in BUILT_IN for name in BUILT_IN[module]])
def test_a_lesson_and_the_helpers_hold_the_same_code(module, lesson):
    ours, taught = of_module(module), of_lesson(lesson)
    for name in ours.keys() & taught.keys():
        assert plain(taught[name]) == plain(ours[name]), f"{name} in {lesson} and in helpers/models/{module}.py differ."


def test_what_the_lessons_build_is_compared():
    compared = {name for lesson in LESSONS for name in of_module("transformer").keys() & of_lesson(lesson).keys()}
    assert compared == {
        "sinusoidal_positions",
        "attention",
        "feed_forward",
        "EncoderLayer",
        "DecoderLayer",
        "Embedding",
        "Transformer",
        "LanguageModel",
        "Cache",
    }
    byte_pairs = {"merge", "count_pairs", "learn_merges"}
    assert of_module("byte_pairs").keys() & of_lesson("13-language-model").keys() == byte_pairs
    assert of_module("llama").keys() & of_lesson("18-real-language-model").keys() == {"hands_at", "turn", "SwiGLU"}
    assert of_module("review_reader").keys() & of_lesson("14-reviews").keys() == {
        "ReviewReader",
        "BagOfWords",
        "with_pairs",
    }
    ways = {"split", "CompressedAttention", "GroupedQueryAttention", "LatentAttention", "linear_attention"}
    assert of_module("recall").keys() & of_lesson("16-cheaper-attention").keys() == ways


def test_only_types_decorators_and_docstrings_may_differ():
    lesson, module = (
        ast.parse("def f(x, y=1):\n    return x"),
        ast.parse('@checked\ndef f(x: int, y: int = 1) -> int:\n    """Text."""\n    return x'),
    )
    assert plain(lesson) == plain(module)
    assert plain(lesson) != plain(ast.parse("def f(x, y=1):\n    if y: raise ValueError\n    return x"))
