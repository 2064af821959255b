"""The rules that every lesson keeps. Each takes a lesson and gives one sentence for each place that breaks it."""

import ast
import builtins
import itertools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import unquote

import nbformat
from IPython.core.inputtransformer2 import TransformerManager

from tools.address import in_project
from tools.alike import COURSE, QUESTION, SIGNS, sources_alike
from tools.execute import AFTER_GUESS, METADATA, PREDICTION, SOURCE_KEY, answers, digest, not_compared
from tools.front_ends import CLOSED, is_closed, of_lesson, without_note

MOST_WORDS, MEDIAN_WORDS = 90, 55  # of a text cell: at a median of 45, sentences lost their "because" to fit
MOST_COLUMNS = 88  # what a page of the website and of the book shows without cutting it
MEDIAN_LINES, MOST_LINES, LINES_OF_A_CLASS = 8, 27, 36  # of a code cell; the last also where it is closed
SECTIONS = ["So far", "Play", "Your turn", "Recap"]
CELL_METADATA = {"tags", "jupyter"}
# A first reading, with time to look at a picture and to change a cell: slower than prose, and slower for a formula.
WORDS_A_MINUTE, LINES_A_MINUTE = 75, 8
OFF_ROAD = {"Off the main road", "Your turn"}
WRONG_AXIS = "# wrong axis"  # a line that carries this comment may use an axis that a lesson warns of
# Cells whose output nbval does not compare: {"05-softmax": 1} if lesson 5 has one. Keep it empty if you can.
NOT_COMPARED: dict[str, int] = {"12-training": 2, "13-language-model": 8, "15-cost": 1, "18-real-language-model": 3}
# From this lesson on a name stands for a larger definition than in the lessons before, which say so.
GROWN = {"attention": "11-transformer", "DecoderLayer": "11-transformer", "MultiHeadAttention": "11-transformer"}

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(<?([^\s<>)]*)>?(?:\s+\"[^\"]*\")?\)")
HTML_LINK = re.compile(r"""<(?:a|img)\b[^>]*?\b(?:href|src)=["']([^"']*)["']""", re.I)
FENCE = re.compile(r"^([`~]{3,})[^\n]*\n.*?^\1[`~]*[ \t]*$", re.M | re.S)
FENCED_PYTHON = re.compile(r"^```(?:python|py)\n(.*?)^```", re.M | re.S)
INLINE_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
MATH = re.compile(r"\$\$.*?\$\$|(?<![\\\w])\$(?!\s)[^$\n]+?(?<!\s)\$(?!\d)", re.S)
ANSWER = f"<details><summary>{AFTER_GUESS}</summary>"  # what is closed until a reader has guessed
DETAILS = re.compile(r"<details.*?</details>", re.S)
NAVIGATION = re.compile(r"^(?=.*\]\()(?:[\s·|←→]|\w+:|" + LINK.pattern + r")+$", re.M)


@dataclass
class Lesson:
    """A notebook as its file holds it. `names` are those of all lessons, in order."""

    name: str
    raw: dict[str, Any]
    names: list[str]
    folder: Path

    @property
    def cells(self) -> list[dict[str, Any]]:
        return self.raw["cells"]

    @cached_property
    def code(self) -> list[tuple[str, str, dict[str, Any]]]:
        """(where, source, cell) of each code cell that is not empty."""
        return [(where, source, cell) for kind, where, source, cell in self._all() if kind == "code" and source.strip()]

    @cached_property
    def markdown(self) -> list[tuple[str, str, dict[str, Any]]]:
        """(where, source, cell) of each markdown cell."""
        return [(where, source, cell) for kind, where, source, cell in self._all() if kind == "markdown"]

    @cached_property
    def outputs(self) -> list[tuple[str, str, str]]:
        """(where, type, text) of each output, a picture's base64 left out."""
        return list(self._outputs())

    @cached_property
    def trees(self) -> list[tuple[str, ast.Module]]:
        """(where, syntax tree) of each code cell, and of Python in markdown that can be parsed."""
        found = [(where, ast.parse(TransformerManager().transform_cell(source))) for where, source, _ in self.code]
        for where, source, _ in self.markdown:
            for block in FENCED_PYTHON.findall(source):
                try:
                    found.append((where, ast.parse(block)))
                except SyntaxError:  # a part of a line, say
                    continue
        return found

    def _all(self) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        for number, cell in enumerate(self.cells):
            source = _joined(cell["source"])
            first_line = next((line for line in source.splitlines() if line.strip()), "")
            yield cell["cell_type"], f"cell {number} ({first_line[:50]!r})", source, cell

    def _outputs(self) -> Iterator[tuple[str, str, str]]:
        for where, _, cell in self.code:
            for output in cell["outputs"]:
                shown = output.get("data", {output["output_type"]: output.get("text", output.get("evalue", ""))})
                for kind, value in shown.items():
                    text = _joined(value) if isinstance(value, str | list) else json.dumps(value)
                    yield where, kind, re.sub(r";base64,[A-Za-z0-9+/=]+", ";base64,", text)


def read(path: Path, names: list[str]) -> Lesson:
    """The lesson in a file; `names` are those of all lessons, in order."""
    return Lesson(path.stem, json.loads(path.read_text(encoding="utf-8")), names, path.parent)


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def without_code(markdown: str) -> str:
    return INLINE_CODE.sub("code", FENCE.sub("", markdown))


def headings(lesson: Lesson) -> list[tuple[str, int, str]]:
    """(where, level, text) of each heading."""
    found = []
    for where, source, _ in lesson.markdown:
        for marks, text in re.findall(r"^(#{1,6})\s+(.+?)\s*#*$", FENCE.sub("", source), re.M):
            found.append((where, len(marks), text))
    return found


def words(markdown: str) -> int:
    """Words of prose: headings, code blocks, tables, formulas, web addresses and lines of navigation do not count."""
    for sign in (*SIGNS.values(), ANSWER):  # the same in all lessons
        markdown = markdown.replace(sign, "")
    text = MATH.sub("", without_code(markdown))
    text = re.sub(r"^\s*(\||#{1,6}\s).*$", "", text, flags=re.M)
    text = NAVIGATION.sub("", text)
    text = LINK.sub(lambda found: "" if found[1] else found[2], text)
    text = re.sub(r"<[^>]+>|https?://\S+", " ", text)
    return sum(bool(re.search(r"\w", word)) for word in text.split())


# Shape


def one_title(lesson: Lesson) -> Iterator[str]:
    titles = [where for where, level, _ in headings(lesson) if level == 1]
    first = next(iter(headings(lesson)), None)
    if len(titles) != 1:
        yield f"one heading of level 1 is wanted, there are {len(titles)}"
    elif first[1] != 1 or lesson.cells[0]["cell_type"] != "markdown" or not titles[0].startswith("cell 0 "):
        yield "the title must stand in the first cell"
    elif not re.match(rf"{int(lesson.name[:2])}\. \w[^:]*: \w", first[2]):
        yield f'the title must be "{int(lesson.name[:2])}. Stage: what the learner does", but is "{first[2]}"'


def heading_levels(lesson: Lesson) -> Iterator[str]:
    before = 0
    for where, level, text in headings(lesson):
        if level > before + 1:
            yield f'{where}: "{text}" jumps from level {before} to level {level}'
        before = level


def opening(lesson: Lesson) -> Iterator[str]:
    source = _joined(lesson.cells[0]["source"])
    if words(source) > MOST_WORDS:
        yield f"the opening has {words(source)} words, at most {MOST_WORDS}"


def minutes(lesson: Lesson) -> Iterator[str]:
    said, wanted = re.search(r"\b(\d+) minutes\b", _joined(lesson.cells[0]["source"])), minutes_of_main_road(lesson)
    if said is None or abs(int(said[1]) - wanted) > 5:
        yield f'the opening must say how long the main road takes to read: "{wanted} minutes"'


def minutes_of_main_road(lesson: Lesson) -> int:
    """Reading prose and open code cells, in fives; not what is off the road, nor the exercises."""
    on_road, n_words, n_lines = True, 0, 0
    for cell in lesson.cells:
        source = _joined(cell["source"])
        if cell["cell_type"] == "markdown":
            for title in re.findall(r"^## (.+)$", source, re.M):
                on_road = title.split(":")[0] not in OFF_ROAD
            n_words += on_road * words(source)
        elif on_road and not cell["metadata"].get("jupyter", {}).get("source_hidden"):
            n_lines += sum(bool(line.strip()) for line in source.splitlines())
    return max(5, 5 * round((n_words / WORDS_A_MINUTE + n_lines / LINES_A_MINUTE) / 5))


def pipeline_strip(lesson: Lesson) -> Iterator[str]:
    if not any("pipeline(" in source for _, source, _ in lesson.code[:2]):  # lesson 1 begins with its question
        yield "one of the first two code cells must show the strip of stages: pipeline(stage)"


def sections(lesson: Lesson) -> Iterator[str]:
    found = [text.split(":")[0] for _, level, text in headings(lesson) if level == 2]
    present = [text for text in found if text in SECTIONS]
    if present != SECTIONS:
        yield f"the sections must be {', '.join(f'## {name}' for name in SECTIONS)}, in this order, but are {present}"


def neighbours(lesson: Lesson) -> Iterator[str]:
    place = lesson.names.index(lesson.name)
    wanted = lesson.names[max(place - 1, 0) : place] + lesson.names[place + 1 : place + 2]
    for which, cell in (("first", lesson.cells[0]), ("last", lesson.cells[-1])):
        links = [target for _, _, target in LINK.findall(_joined(cell["source"]))]
        for name in wanted:
            if cell["cell_type"] != "markdown" or f"{name}.ipynb" not in links:
                yield f"the {which} cell must link to the neighbour, ({name}.ipynb)"


def alike(lesson: Lesson) -> Iterator[str]:
    if COURSE not in _joined(lesson.cells[0]["source"]):
        yield f"the first cell must link to the list of lessons, {COURSE}: python -m tools.alike"
    for number, (cell, wanted) in enumerate(zip(lesson.cells, sources_alike(lesson.cells), strict=True)):
        if _joined(cell["source"]) != wanted:
            yield f"cell {number} lacks the sign of its part, or what its check needs: python -m tools.alike"


def anchor(heading: str) -> str:
    """What JupyterLab calls the place of a heading."""
    return heading.replace("`", "").replace(" ", "-")


def anchors(markdown_or_notebook: Path) -> set[str]:
    """What a link may name behind the "#" in a file."""
    if markdown_or_notebook.suffix == ".ipynb":
        lesson = read(markdown_or_notebook, [])
        return {anchor(text) for _, _, text in headings(lesson)}
    source = markdown_or_notebook.read_text(encoding="utf-8")
    titles = re.findall(r"^#{1,6}\s+(.+?)\s*#*$", FENCE.sub("", source), re.M)
    on_github = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return on_github | {anchor(title) for title in titles}  # GitHub finds JupyterLab's names, too


def dead_links(markdown: str, folder: Path, own_anchors: set[str], attachments: set[str] = frozenset()) -> list[str]:
    """The relative links of a text that lead nowhere."""
    text = without_code(markdown)
    dead = []
    for link in [target for _, _, target in LINK.findall(text)] + HTML_LINK.findall(text):
        if re.match(r"(https?|mailto|data):", link) or link.removeprefix("attachment:") in attachments:
            continue
        name, _, place = unquote(link).partition("#")
        file = folder / name
        known = anchors(file) if name and place and file.is_file() else own_anchors
        if not link or not file.exists() or (place and place not in known):
            dead.append(link)
    return dead


def links(lesson: Lesson) -> Iterator[str]:
    own = {anchor(text) for _, _, text in headings(lesson)}
    for where, source, cell in lesson.markdown:
        for link in dead_links(source, lesson.folder, own, set(cell.get("attachments", {}))):
            yield f"{where}: the link ({link}) leads nowhere"
        for _, _, link in LINK.findall(without_code(source)):
            place = link.partition("#")[2]
            if "://" not in link and unquote(place) != place:
                yield f"{where}: the link ({link}) leads nowhere in JupyterLab: write {unquote(place)}"


# Budgets


def lengths_of_code(lesson: Lesson) -> Iterator[str]:
    lengths = []
    for where, source, cell in lesson.code:
        # What a cell imports so that it runs alone is read by nobody.
        lengths.append(sum(bool(re.match(r"(?!import |from )\s*\S", line)) for line in source.splitlines()))
        long = is_closed(cell) or re.search(r"^class ", source, re.M)
        most = LINES_OF_A_CLASS if long else MOST_LINES
        if lengths[-1] > most:
            yield f"{where} has {lengths[-1]} lines of code, at most {most}"
    if lengths and median(lengths) > MEDIAN_LINES:
        yield f"half of the code cells have more than {MEDIAN_LINES} lines: the median is {median(lengths)}"


def widths_of_code(lesson: Lesson) -> Iterator[str]:
    for where, source, _ in lesson.code:
        for line in source.splitlines():
            if len(line) > MOST_COLUMNS and "://" not in line:  # an address cannot be broken
                yield f"{where} has a line of {len(line)} characters, at most {MOST_COLUMNS}: {line.strip()}"


def lengths_of_prose(lesson: Lesson) -> Iterator[str]:
    lengths = [words(source) for _, source, _ in lesson.markdown]
    if lengths and median(lengths) > MEDIAN_WORDS:
        yield f"half of the text cells have more than {MEDIAN_WORDS} words: the median is {median(lengths)}"
    for where, source, _ in lesson.markdown:
        parts = [DETAILS.sub("", source), *DETAILS.findall(source)]  # what is folded away is read by itself
        for part in parts:
            if words(part) > MOST_WORDS:
                yield f"{where} has {words(part)} words, at most {MOST_WORDS}"


# Outputs


def alt_text(lesson: Lesson) -> Iterator[str]:
    for where, source, _ in lesson.markdown:
        if any(mark and not text.strip() for mark, text, _ in LINK.findall(without_code(source))):
            yield f"{where}: a picture has no alt text"
    texts = [(where, source) for where, source, _ in lesson.markdown]
    for where, text in texts + [(where, text) for where, kind, text in lesson.outputs if kind == "text/html"]:
        for image in re.findall(r"<img\b[^>]*>", re.sub(r"<script\b.*?</script>", "", text, flags=re.S | re.I)):
            if not re.search(r"""\balt=(["'])(?!\s*\1)""", image):
                yield f"{where}: a picture has no alt text"


def bare_pictures(lesson: Lesson) -> Iterator[str]:
    for where, kind, _ in lesson.outputs:
        if kind.startswith("image/"):
            yield f"{where} shows a picture as {kind}, which has no alt text: end the cell with a picture of helpers"


def executed(lesson: Lesson) -> Iterator[str]:
    counts = [cell["execution_count"] for _, _, cell in lesson.code]
    if counts != list(range(1, len(counts) + 1)):
        yield f"the cells must be run from 1 to {len(counts)}, but are {counts}: python -m tools.execute"


def errors(lesson: Lesson) -> Iterator[str]:
    for where, kind, text in lesson.outputs:
        if kind in ("error", "application/vnd.jupyter.error"):
            yield f"{where} stores an error, {text!r}: catch it and print it"


MACHINE_PATH = re.compile(r"(?<![\w.:/])/(?:home|tmp|work|root|Users|opt|usr|var)/\S*|\bC:\\\S*|site-packages")


def machine_paths(lesson: Lesson) -> Iterator[str]:
    for where, _, text in lesson.outputs:
        if found := MACHINE_PATH.search(text):
            yield f"{where} shows a path of one machine, {found[0][:60]}"


def metadata(lesson: Lesson) -> Iterator[str]:
    raw = lesson.raw
    if raw.get("metadata") != METADATA:
        yield "the notebook's metadata are not those that every lesson has: python -m tools.execute"
    folded = list(answers(lesson.cells))
    for number, cell in enumerate(lesson.cells):
        closed = {"source_hidden", "outputs_hidden"} if cell in folded else {"source_hidden"}
        known = CELL_METADATA | (CLOSED.keys() if is_closed(cell) else set())
        known |= {SOURCE_KEY} if [*not_compared([cell])] else set()
        unwanted = set(cell["metadata"]) - known | set(cell["metadata"].get("jupyter", {})) - closed
        closes = cell["metadata"].get("jupyter", {}).get("outputs_hidden") and not cell["outputs"][0].get("data", True)
        if cell in folded and not closes:
            yield f"cell {number} shows its answer before anybody has guessed: python -m tools.execute"
        if unwanted:
            yield f"cell {number} carries {', '.join(sorted(unwanted))} in its metadata: python -m tools.execute"


def predictions(lesson: Lesson) -> Iterator[str]:
    """Nobody reads the answer before having guessed, neither in open words nor in an assert."""
    answering = [id(cell) for cell in answers(lesson.cells)]
    asked = False
    for number, (cell, below) in enumerate(itertools.pairwise(lesson.cells)):
        source, words_below = _joined(cell["source"]), _joined(below["source"])
        asked = asked or (cell["cell_type"] == "markdown" and PREDICTION in source)
        if asked and cell["cell_type"] == "code" and not is_closed(cell) and re.search(r"^assert ", source, re.M):
            yield f'cell {number} asserts the answer to a prediction: move it to a closed cell below, tag "checked"'
        if id(cell) not in answering:
            continue
        asked = False
        if below["cell_type"] == "markdown" and not words_below.startswith(("#", QUESTION, "<details>")):
            yield f"cell {number + 1} answers a prediction in open words: begin it with {ANSWER}"


def front_ends(lesson: Lesson) -> Iterator[str]:
    wanted = json.loads(json.dumps(lesson.raw))
    of_lesson(wanted, in_project())
    for number, (cell, better) in enumerate(zip(lesson.cells, wanted["cells"], strict=True)):
        if cell != better:
            yield f"cell {number} lacks what another front end needs: python -m tools.front_ends"


LIVE = re.compile(r"^(?:\w+ = )?(?:calculation|explore|explore_text|pipeline|play|writer)\(", re.M)


def live_parts(lesson: Lesson) -> Iterator[str]:
    """The strip, and what answers the hand in *Play* and repeats what it needs: to be used, and not to be read."""
    section = ""
    for number, cell in enumerate(lesson.cells):
        source = _joined(cell["source"])
        if cell["cell_type"] == "markdown":
            section = next(reversed(re.findall("^## (.+)", source, re.M)), section)
        elif (section == "Play" or "pipeline(" in source) and LIVE.search(source) and not is_closed(cell):
            yield f'cell {number} shows its code: close it, with the line "# Code of the sheet: click to open" on top'


def solutions(lesson: Lesson) -> Iterator[str]:
    """What the README's command for handouts takes away is every solution, and nothing that a lesson needs."""
    for where, source, cell in lesson.code:
        if ("Solution of" in source.partition("\n")[0]) != ("solution" in cell["metadata"].get("tags", [])):
            yield f'{where}: a solution, and nothing else, has the tag "solution"'


def notebook_format(lesson: Lesson) -> Iterator[str]:
    if (lesson.raw["nbformat"], lesson.raw["nbformat_minor"]) != (4, 5):
        yield f"the format must be 4.5, but is {lesson.raw['nbformat']}.{lesson.raw['nbformat_minor']}"
        return
    ids = [cell.get("id") for cell in lesson.cells]
    if None in ids or len(set(ids)) != len(ids):
        yield f"each cell needs an id of its own: {sorted(str(i) for i in set(ids) if i is None or ids.count(i) > 1)}"
        return
    try:
        nbformat.validate(nbformat.from_dict(lesson.raw))
    except nbformat.ValidationError as error:
        yield f"it is not a valid notebook: {error.message[:200]}"


def compared(lesson: Lesson) -> Iterator[str]:
    count = 0
    for where, source, cell in lesson.code:
        tags = cell["metadata"].get("tags", [])
        comments = re.findall(r"^\s*#\s*((?:NBVAL|PYTEST_VALIDATE)_\w+)", source, re.M)
        count += any(tag in ("nbval-ignore-output", "nbval-skip", "raises-exception") for tag in tags)
        for wrong in [*comments, *(tag for tag in tags if tag.lower().startswith("nbval") and tag != tag.lower())]:
            yield f'{where} has {wrong}: use the tag "nbval-ignore-output"'
    wanted = NOT_COMPARED.get(lesson.name, 0)
    for cell in not_compared(lesson.cells):
        if cell["metadata"].get(SOURCE_KEY) != digest(cell):  # nothing else would notice
            yield f"the stored output of cell {cell['id']} is of other code: python -m tools.execute"
    if count != wanted:
        yield f"{count} cells are not compared with their stored output, and tests/rules.py allows {wanted}"


# Code


def axes(lesson: Lesson) -> Iterator[str]:
    blocks = [(where, source) for where, source, _ in lesson.code]
    blocks += [(where, block) for where, source, _ in lesson.markdown for block in FENCED_PYTHON.findall(source)]
    for where, source in blocks:
        for line in source.splitlines():
            if re.search(r"\b(?:dim|axis)\s*=\s*1\b|softmax\((?:[^()]*,\s*)?1\)", line) and WRONG_AXIS not in line:
                yield (
                    f"{where} counts an axis from the front, {line.strip()!r}: write -1 or -2, which stay right in a "
                    f'batch; a line that shows the mistake on purpose carries the comment "{WRONG_AXIS}"'
                )


def scores_and_weights(lesson: Lesson) -> Iterator[str]:
    for where, tree in lesson.trees:
        for node in ast.walk(tree):
            if not isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) or node.value is None:
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            if any(re.search(r"(^|_)scores$", name) for name in names) and _is_softmax(node.value):
                yield f"{where} calls the result of a softmax {names[0]!r}: scores are before softmax, weights after it"


def _is_softmax(value: ast.expr) -> bool:
    called = [node.func for node in ast.walk(value) if isinstance(node, ast.Call)]
    names = [func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "") for func in called]
    return any(name.lower().endswith("softmax") for name in names)


FOREIGN = {"matplotlib", "requests", "urllib", "urllib3", "http", "httpx", "aiohttp", "socket", "ftplib", "subprocess"}
LOADED = re.compile(r"""<(?:script|img|link|iframe)\b[^>]*(?:src|href)=["']?(?:https?:)?//""")
LOADERS = {"urlopen", "urlretrieve", "load_state_dict_from_url", "download_url_to_file", "hub"}


def words_of_others(lesson: Lesson) -> Iterator[str]:
    """An error's words change with PyTorch; tests/sanitize.cfg overlooks those that stand behind "PyTorch says:"."""
    for where, tree in lesson.trees:
        for handler in (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)):
            if handler.type is None or not hasattr(builtins, ast.unparse(handler.type)):
                continue  # our own error, whose words are ours
            for node in ast.walk(handler):
                if isinstance(node, ast.Call) and ast.unparse(node) == f"print({handler.name})":
                    yield f'{where} prints words that change with PyTorch: print("PyTorch says:", {handler.name})'


def offline(lesson: Lesson) -> Iterator[str]:
    for where, source, _ in lesson.code:
        # The note says how to install the course, and does not do it.
        if re.search(r"^\s*(?:!(?!=)|%)|\bpip install\b", without_note(source), re.M):
            yield f"{where} runs a shell command, a magic or pip: a lesson needs none"
    for where, tree in lesson.trees:
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            if isinstance(node, ast.Attribute) and node.attr in LOADERS:
                yield f"{where} loads from the network with {node.attr}"
            for name in names:
                if name.partition(".")[0] in FOREIGN:
                    yield f"{where} imports {name}: pictures are drawn by helpers, and a lesson needs no network"
    for where, kind, text in lesson.outputs:
        if kind == "text/html" and LOADED.search(text):
            yield f"{where} shows HTML that loads from the network"


RULES: list[Callable[[Lesson], Iterator[str]]] = [
    one_title,
    heading_levels,
    opening,
    minutes,
    pipeline_strip,
    sections,
    neighbours,
    links,
    alike,
    lengths_of_code,
    widths_of_code,
    lengths_of_prose,
    alt_text,
    bare_pictures,
    executed,
    errors,
    machine_paths,
    metadata,
    predictions,
    front_ends,
    live_parts,
    solutions,
    notebook_format,
    compared,
    axes,
    scores_and_weights,
    offline,
    words_of_others,
]


# All lessons together


def names_in_sequence(names: list[str]) -> Iterator[str]:
    for number, name in enumerate(names, 1):
        if not re.fullmatch(rf"{number:02}-[a-z]+(-[a-z]+)*", name):
            yield f'lesson {number} must be called "{number:02}-..." in lower case, but is "{name}"'


def definitions_differ(lessons: list[Lesson]) -> Iterator[str]:
    """Names of functions and classes that mean one thing in one lesson and another in a second."""
    seen: dict[tuple[str, bool], dict[str, set[str]]] = {}
    for lesson in lessons:
        for node in definitions(lesson):
            grown = node.name in GROWN and lesson.name >= GROWN[node.name]
            places = seen.setdefault((node.name, grown), {})
            places.setdefault(lesson.name, set()).add(code_of(node))
    for (name, _), places in seen.items():
        if len(places) > 1 and len(set.union(*places.values())) > 1:
            yield f"{name} is not the same code in {', '.join(places)}: make it the same, or give it another name"


def definitions(lesson: Lesson) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The functions and classes that a lesson defines, stubs left out."""
    for _, tree in lesson.trees:
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not _is_stub(node):
                yield node


def _is_stub(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """An exercise that is still to be done: nothing but text and dots."""
    return all(isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) for part in node.body)


def code_of(node: ast.AST) -> str:
    """The code without comments and docstrings."""
    node = ast.parse(ast.unparse(node))
    for part in ast.walk(node):
        body = getattr(part, "body", None)
        if isinstance(body, list) and len(body) > 1 and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                del body[0]
    return ast.dump(node)
