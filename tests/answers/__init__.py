'''What learners type, written from the statements alone, with the verdict that each answer should get.

A file `lesson_NN.py` has the text NOTEBOOK, which is what the notebook's earlier cells leave behind, and a dictionary
ANSWERS from the stub's signature to answers, one after the other::

    ANSWERS = {
        "double(x)": """
    ## right: a product
    return 2 * x
    ## wrong squared: the square
    return x**2
    """
    }

Below a heading stands the body of the stub, or a whole cell with a `def double(` or `double =` of its own. A wrong
answer's heading names the mistake that the verdict should name: `unforeseen` where no message knows it.
'''

import importlib
import linecache
import pkgutil
import re
import textwrap
from functools import cache
from typing import Any, NamedTuple

HEADING = re.compile(r"^## (right|wrong)(?: ([\w-]+))?: (.*)$", re.MULTILINE)


class Answer(NamedTuple):
    lesson: int
    exercise: str
    right: bool
    mistake: str  # that should be named, "" where none stands
    what: str  # in a few words
    source: str

    @property
    def label(self) -> str:
        return f"{self.exercise}: {self.what}"

    def function(self) -> Any:
        """Run the cell as JupyterLab does: below the notebook, its source known by the cell's name."""
        file = f"<{self.label}>"
        linecache.cache[file] = (len(self.source), None, self.source.splitlines(keepends=True), file)
        names = {"__name__": "__main__"}
        exec(_notebook(self.lesson), names)
        exec(compile(self.source, file, "exec"), names)
        return names[self.exercise]


def answers() -> list[Answer]:
    """Read all answers, lesson by lesson."""
    found = []
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        lesson = importlib.import_module(f"{__name__}.{module}")
        for signature, text in lesson.ANSWERS.items():
            found += _answers(int(module.removeprefix("lesson_")), signature, text)
    return found


def _answers(lesson: int, signature: str, text: str) -> list[Answer]:
    name = signature.partition("(")[0]
    before, *parts = HEADING.split(text)
    assert not before.strip(), f"{name}: no heading above {before}"
    found = []
    for verdict, mistake, what, body in zip(*(parts[i::4] for i in range(4)), strict=True):
        assert "##" not in body, f"{name}: a heading that cannot be read, in {what}"
        body = textwrap.dedent(body.strip("\n"))
        whole = re.search(rf"^(def {name}\(|{name}\s*=)", body, re.MULTILINE)
        source = body if whole else f"def {signature}:\n" + textwrap.indent(body, "    ")
        found.append(Answer(lesson, name, verdict == "right", mistake or "", what, source.rstrip() + "\n"))
    return found


@cache
def _notebook(lesson: int) -> Any:
    source = importlib.import_module(f"{__name__}.lesson_{lesson:02d}").NOTEBOOK
    return compile(source, f"<lesson {lesson}>", "exec")
