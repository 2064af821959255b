"""What all lessons have in common, and that each rule notices when it is broken."""

import base64
import copy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rules
from IPython.core.inputtransformer2 import TransformerManager

from tools.address import in_project
from tools.alike import COURSE, QUESTION, SIGNS
from tools.execute import METADATA, ROOT, SOURCE_KEY, digest
from tools.front_ends import CLOSED, note

PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in PATHS]


@pytest.fixture(scope="module")
def lessons() -> dict[str, rules.Lesson]:
    return {path.stem: rules.read(path, NAMES) for path in PATHS}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_rule(rule: Callable, name: str, lessons: dict[str, rules.Lesson]) -> None:
    broken = [f"{name}: {sentence}" for sentence in rule(lessons[name])]
    assert not broken, "\n".join(broken)


def test_names_in_sequence() -> None:
    assert PATHS
    assert not list(rules.names_in_sequence(NAMES))


def test_same_name_same_code(lessons: dict[str, rules.Lesson]) -> None:
    broken = list(rules.definitions_differ(list(lessons.values())))
    assert not broken, "\n".join(broken)


def test_links_of_the_readme() -> None:
    readme = ROOT / "README.md"
    assert not rules.dead_links(readme.read_text(encoding="utf-8"), ROOT, rules.anchors(readme))


def test_picture_of_the_readme_is_the_one_in_lesson_4() -> None:
    stored = (ROOT / "notebooks" / "04-scores.ipynb").read_text(encoding="utf-8")
    picture = base64.b64encode((ROOT / "docs" / "scores.png").read_bytes()).decode()
    assert picture in stored, "Write picture.png() of lesson 4, step 3, into docs/scores.png again."


def test_a_lesson_runs_from_any_folder(lessons: dict[str, rules.Lesson], tmp_path: Path) -> None:
    """nbval runs each in notebooks/; here the first one runs in a folder far from it."""
    cells = [TransformerManager().transform_cell(source) for _, source, _ in lessons[NAMES[0]].code]
    script = "\n".join(["from IPython.display import display", *cells])
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# Each rule, on a small lesson that keeps them all and on one that breaks it.


def _markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": list(outputs), "execution_count": None}


def _shown(kind: str, text: str) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}, "data": {kind: text}}


PRINTED = {"output_type": "stream", "name": "stdout", "text": "0.0634 of 1\n"}
GOOD = [
    _markdown(
        f"# 2. Weights: make three\n\nYou have `x`. 5 minutes.\n\n[1](01-a.ipynb) · {COURSE} · Next: [3](03-c.ipynb)"
    ),
    {
        **_code(
            f"# @title The strip: click to open\n{note(in_project())}from helpers import pipeline\n\npipeline(2)",
            _shown("text/html", '<img alt="Stage 2" src="data:,">'),
        ),
        "metadata": {"jupyter": {"source_hidden": True}, **CLOSED},
    },
    _markdown("## So far"),
    _code("import torch\n\nscores = torch.ones(2, 3)", PRINTED),
    _markdown("### Scores\n\nSee [above](#So-far), [the course](../README.md) and $a = 1$. ![a cat](cat.png)"),
    _code("weights = scores.softmax(dim=-1)\ntorch.softmax(scores, dim=1)  # wrong axis on purpose\ny = (1, 1)"),
    _markdown(f"## Play\n\n{SIGNS['Play']}<details>\n" + "word " * 59 + "</details>\n\n" + "word " * 60),
    _markdown(f"## Your turn\n\n{SIGNS['Your turn']}\n\n```python\n" + "word " * 90 + "\n```"),
    _markdown(
        f"## Recap: all of it\n\n{SIGNS['Recap']}\n\n| "
        + "word " * 90
        + "|\n\nBefore: [1](01-a.ipynb) · Next: [3](03-c.ipynb)"
    ),
]


def _lesson(folder: Path, change: Callable[[dict[str, Any]], None] = lambda raw: None) -> rules.Lesson:
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    for path in (folder / "README.md", notebooks / "cat.png", notebooks / "01-a.ipynb", notebooks / "03-c.ipynb"):
        path.write_text("## The lessons\n" if path.suffix == ".md" else '{"cells": []}')
    raw = {"cells": copy.deepcopy(GOOD), "metadata": copy.deepcopy(METADATA), "nbformat": 4, "nbformat_minor": 5}
    counts = iter(range(1, len(GOOD)))
    for number, cell in enumerate(raw["cells"]):
        cell["id"] = f"cell-{number}"
        if cell["cell_type"] == "code":
            cell["execution_count"] = next(counts)
    change(raw)
    return rules.Lesson("02-b", raw, ["01-a", "02-b", "03-c"], notebooks)


def _source(number: int, old: str, new: str) -> Callable[[dict[str, Any]], None]:
    def change(raw: dict[str, Any]) -> None:
        cell = raw["cells"][number]
        assert old in cell["source"]
        cell["source"] = cell["source"].replace(old, new)

    return change


def _set(number: int, **values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda raw: raw["cells"][number].update(values)


def _output(output: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    return lambda raw: raw["cells"][3]["outputs"].append(output)


def _predicted(number: int, before: str) -> Callable[[dict[str, Any]], None]:
    """Ask for a prediction whose answer is cell 3, and say it too early."""

    def change(raw: dict[str, Any]) -> None:
        raw["cells"][2]["source"] += f"\n\n{QUESTION}**Predict first.** How much of 1?"
        raw["cells"][number]["source"] = before + raw["cells"][number]["source"]

    return change


def _asserted_before_the_answer(raw: dict[str, Any]) -> None:
    _predicted(2, "")(raw)
    raw["cells"].insert(3, {**raw["cells"][3], "source": "assert 1 == 1", "outputs": []})


ERROR = {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": []}
BROKEN: list[tuple[Callable, Callable[[dict[str, Any]], None]]] = [
    (rules.one_title, _source(2, "## So far", "# So far")),
    (rules.one_title, _source(0, "# 2. W", "W")),
    (rules.one_title, _source(0, "2. Weights: make", "Make")),
    (rules.heading_levels, _source(4, "### Scores", "#### Scores")),
    (rules.minutes, _source(0, "5 minutes", "A while")),
    (rules.minutes, _source(0, "5 minutes", "25 minutes")),
    (rules.opening, _source(0, "You have", "You have " * 46)),
    (rules.pipeline_strip, _source(1, "pipeline(2)", "print(2)")),
    (rules.sections, _source(6, "## Play", "## Toys")),
    (rules.sections, _source(6, "## Play", "## Recap")),
    (rules.neighbours, _source(0, "01-a", "03-c")),
    (rules.neighbours, _source(8, "03-c", "01-a")),
    (rules.links, _source(4, "../README.md", "../READ.md")),
    (rules.links, _source(4, "#So-far", "#so-far")),
    (rules.links, _source(4, "../README.md", "03-c.ipynb#Nothing")),
    (rules.links, _source(0, "#The-lessons", "#No-lessons")),
    (rules.links, _source(4, "#So-far", "#So%2Dfar")),
    (rules.alike, _source(0, f" · {COURSE}", "")),
    (rules.alike, _source(6, SIGNS["Play"], "")),
    (rules.alike, _source(2, "## So far", "## So far\n\n**Predict first.** How much of 1?")),
    (rules.alike, _source(3, "scores =", "check(1)\nscores =")),
    (rules.lengths_of_code, _set(3, source="x = 1\n" * 28)),
    (rules.lengths_of_code, _set(3, source="class A:\n" + "    x = 1\n" * 36)),
    (rules.lengths_of_code, lambda raw: [cell.update(source="x = 1\n" * 9) for cell in raw["cells"]]),
    (rules.widths_of_code, _set(3, source=f"x = {'1' * 85}")),
    (rules.lengths_of_prose, _source(4, "See", "See " * 91)),
    (
        rules.lengths_of_prose,
        lambda raw: [cell.update(source=f"{cell['source']} {'so ' * 46}") for cell in raw["cells"]],
    ),
    (rules.lengths_of_prose, _source(6, "<details>\n", "<details>\n" + "more words " * 16)),
    (rules.alt_text, _source(4, "a cat", "")),
    (rules.alt_text, _source(4, "See", '<img src="cat.png">')),
    (rules.alt_text, _output(_shown("text/html", '<img width="3" alt="" src="data:,">'))),
    (rules.bare_pictures, _output(_shown("image/png", "iVBOR"))),
    (rules.executed, _set(3, execution_count=None)),
    (rules.executed, _set(3, execution_count=7)),
    (rules.errors, _output(ERROR)),
    (rules.machine_paths, _output({**PRINTED, "text": "see /home/me/file.py"})),
    (rules.words_of_others, _source(3, "scores =", "try:\n    x\nexcept NameError as e:\n    print(e)\nscores =")),
    (rules.metadata, lambda raw: raw["metadata"]["kernelspec"].update(name="python311")),
    (rules.metadata, _set(3, metadata={"execution": {"iopub.status.busy": "2026-01-01"}})),
    (rules.metadata, _set(3, metadata={"jupyter": {"outputs_hidden": True}})),
    (rules.front_ends, _source(1, "restart the kernel", "hope")),
    (rules.front_ends, _set(5, metadata={"jupyter": {"source_hidden": True}})),
    (rules.live_parts, _set(1, metadata={})),
    (rules.live_parts, lambda raw: [raw["cells"][i].update(source=s) for i, s in ((2, "## Play"), (3, "play(a=1)"))]),
    (rules.metadata, _source(2, "## So far", "## So far\n\n**Predict first.** How much of 1?")),
    (rules.predictions, _predicted(3, "assert 1 == 1\n")),
    (rules.predictions, _asserted_before_the_answer),
    (rules.predictions, _predicted(4, "Less than one.\n\n")),
    (rules.solutions, _set(3, source='# @title Solution of "softmax": click to open\nx = 1')),
    (rules.solutions, _set(3, metadata={"tags": ["solution"]})),
    (rules.notebook_format, lambda raw: raw.update(nbformat_minor=4)),
    (rules.notebook_format, _set(3, id="cell-1")),
    (rules.notebook_format, _set(3, id="no spaces, please")),
    (rules.compared, _set(3, metadata={"tags": ["nbval-ignore-output"]})),
    (rules.compared, _set(3, metadata={"tags": ["NBVAL_IGNORE_OUTPUT"]})),
    (rules.compared, _source(3, "import torch", "# NBVAL_SKIP\nimport torch")),
    (rules.axes, _source(5, "# wrong axis", "# fine")),
    (rules.axes, _source(5, "dim=-1", "axis = 1")),
    (rules.axes, _source(5, "softmax(dim=-1)", "softmax(1)")),
    (rules.scores_and_weights, _source(5, "weights =", "masked_scores =")),
    (rules.offline, _source(3, "import torch", "import matplotlib.pyplot as plt")),
    (rules.offline, _source(3, "import torch", "%pip install torch")),
    (rules.offline, _source(3, "import torch", "import torch; torch.hub.load('a', 'b')")),
    (rules.offline, _output(_shown("text/html", '<script src="https://example.org/a.js"></script>'))),
]


def test_an_output_that_is_not_compared_is_of_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rules.NOT_COMPARED, "02-b", 1)
    lesson = _lesson(tmp_path, _set(3, metadata={"tags": ["nbval-ignore-output"]}))
    assert [sentence[:31] for sentence in rules.compared(lesson)] == ["the stored output of cell cell-"]
    lesson.cells[3]["metadata"][SOURCE_KEY] = digest(lesson.cells[3])
    assert [*rules.compared(lesson), *rules.metadata(lesson)] == []
    lesson.cells[3]["source"] += " "
    assert len([*rules.compared(lesson)]) == 1


def test_a_good_lesson_breaks_no_rule(tmp_path: Path) -> None:
    lesson = _lesson(tmp_path)
    assert [sentence for rule in rules.RULES for sentence in rule(lesson)] == []


@pytest.mark.parametrize(("rule", "change"), BROKEN, ids=[f"{rule.__name__}-{i}" for i, (rule, _) in enumerate(BROKEN)])
def test_a_broken_rule_is_noticed(rule: Callable, change: Callable, tmp_path: Path) -> None:
    assert list(rule(_lesson(tmp_path, change)))


def test_every_rule_has_a_lesson_that_breaks_it() -> None:
    assert {rule for rule, _ in BROKEN} == set(rules.RULES)


@pytest.mark.parametrize("names", [["02-a"], ["01-a", "03-b"], ["01-A"]])
def test_wrong_names_are_noticed(names: list[str]) -> None:
    assert list(rules.names_in_sequence(names))


@pytest.mark.parametrize(
    ("second", "differs"),
    [
        ("def f(x):\n    '''Double.'''\n    return 2 * x  # twice", False),
        ("def f(x): ...", False),
        ("def f(x):\n    return x + x", True),
    ],
)
def test_other_code_under_the_same_name_is_noticed(second: str, differs: bool) -> None:
    sources = ["def f(x):\n    return 2 * x", second]
    lessons = [
        rules.Lesson(f"0{i}", {"cells": [_code(source)]}, [], Path()) for i, source in enumerate(sources, start=1)
    ]
    assert bool(list(rules.definitions_differ(lessons))) is differs
