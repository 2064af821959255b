"""A class of 32, as Canvas and Moodle give it: late, empty, crashed, copied, foreign, renamed, old, hostile."""

import copy
import io
import json
import tarfile
import zipfile
from pathlib import Path

LESSONS = Path(__file__).resolve().parents[1] / "notebooks"

RIGHT = {
    "softmax": "def softmax(scores):\n    e = torch.exp(scores - scores.amax(-1, keepdim=True))\n"
    "    return e / e.sum(-1, keepdim=True)",
    "how_far_behind": "def how_far_behind(weights):\n    logs = weights.log()\n"
    "    return logs.amax(-1, keepdim=True) - logs",
    "score_for_half": "def score_for_half(others):\n    return others.logsumexp(-1)",
}
WHOLE_TABLE = "def softmax(scores):\n    e = torch.exp(scores - scores.max())\n    return e / e.sum(-1, keepdim=True)"
OVERFLOWS = "def softmax(scores):\n    return scores.exp() / scores.exp().sum(-1, keepdim=True)"
COLUMNS = "def softmax(scores):\n    return torch.softmax(scores, 0)"
DIFFERENCE = "def how_far_behind(weights):\n    return weights.amax(-1, keepdim=True) - weights"
MEAN = "def score_for_half(others):\n    return others.mean(-1)"
LONG = """def softmax(scores):
    {rows} = []
    for {row} in scores:
        {top} = max({number}.item() for {number} in {row})
        {parts} = [torch.exp({number} - {top}) for {number} in {row}]
        {total} = 0.0
        for {part} in {parts}:
            {total} = {total} + {part}
        {rows}.append(torch.stack([{part} / {total} for {part} in {parts}]))
    return torch.stack({rows})"""
SCORES = "def score_table(queries, keys):\n    return torch.einsum('qd,kd->qk', queries, keys)"
NAMES = ("rows", "row", "top", "number", "parts", "total", "part")
FORGED = """import json, os
from pathlib import Path
record = os.environ.get("ATTENTION_RECORD", "record")
for name in ("softmax", "how_far_behind", "score_for_half"):
    with open(record, "a") as file:
        file.write(json.dumps({"exercise": name, "lesson": 5, "status": "Right", "mistake": None, "function": name}))
        file.write("\\n")"""
WRITES = """from pathlib import Path
for place in (Path.home() / "left", Path("left"), Path("/etc/left"), Path("/left")):
    try:
        place.write_text("x" * 1000)
    except OSError as error:
        print(error)"""
NETWORK = """import urllib.request
answer = urllib.request.urlopen("http://example.com", timeout=5).read()"""


def lesson(number, answers=(), first=(), last=(), without=()):
    """A lesson's notebook with answers for its stubs, cells before and after the others, and without some checks."""
    path = next(LESSONS.glob(f"{number:02}-*.ipynb"))
    notebook = json.loads(path.read_text(encoding="utf-8"))
    answers = dict(answers)
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            continue
        cell["outputs"] = []
        for name, answer in answers.items():
            above, begins, _ = f"\n{source}".partition(f"\ndef {name}(")
            if begins:
                cell["source"] = f'{above.lstrip()}\n{answer}\n\n\ncheck("{name}", {name})'
        for name in without:
            if f'check("{name}"' in source:
                cell["source"] = answers.get(name, "").strip()
    extra = {"cell_type": "code", "id": "extra", "metadata": {}, "execution_count": 1, "outputs": []}
    notebook["cells"][1:1] = [extra | {"source": source} for source in first]
    notebook["cells"] += [extra | {"source": source} for source in last]
    return notebook


def softmax(*changed, **options):
    """Lesson 5, right but for the answers given."""
    answers = dict(RIGHT)
    for answer in changed:
        answers[answer[4 : answer.index("(")]] = answer
    return lesson(5, answers, **options)


def data(notebook):
    return json.dumps(notebook).encode()


def third_version(notebook):
    """As IPython 2 stored it."""
    cells = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        code = cell["cell_type"] == "code"
        old = {"cell_type": cell["cell_type"], "metadata": {}, "input" if code else "source": source}
        cells.append(old | ({"language": "python", "outputs": [], "collapsed": False} if code else {}))
    return {
        "metadata": {"name": ""},
        "nbformat": 3,
        "nbformat_minor": 0,
        "worksheets": [{"cells": cells, "metadata": {}}],
    }


def foreign():
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": "# 5. Titanic"},
        {"cell_type": "code", "metadata": {}, "source": "import pandas", "outputs": [], "execution_count": None},
    ]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


def zipped(files):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return memory.getvalue()


def tarred(files):
    """A tar whose names are not UTF-8."""
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w:gz", encoding="latin-1") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return memory.getvalue()


def submissions():
    """Name in the archive -> bytes; None for an empty folder."""
    names = dict(zip(NAMES, NAMES, strict=True))
    other = dict(zip(NAMES, ("out", "line", "biggest", "s", "exps", "whole", "e"), strict=True))
    own = softmax()
    own["cells"][3]["metadata"] = {"tags": ["kept"]}
    pasted = lesson(5, {name: course_solution(5, name) for name in RIGHT})
    utils = softmax("def softmax(scores):\n    return from_utils(scores)", first=["from utils import from_utils"])
    reference = softmax("def softmax(scores):\n    ...")
    for cell in reference["cells"]:
        if 'check("softmax"' in "".join(cell["source"]):
            cell["source"] = (
                'from helpers.exercises import exercises\ncheck("softmax", exercises()["softmax"].reference)'
            )
    old_course = softmax(first=['check("scale", lambda x: x)'])
    without_ids = copy.deepcopy(softmax(COLUMNS))
    for cell in without_ids["cells"]:
        cell.pop("execution_count", None)
    without_ids["nbformat_minor"] = 4
    progress = json.dumps({"format": "attention-step-by-step 1", "solved": list(RIGHT)}).encode()
    canvas = {
        "adeyemitola_100_900_05-softmax.ipynb": data(own),
        "bergannalena_LATE_101_901_05-softmax.ipynb": data(softmax(WHOLE_TABLE)),
        "cruzdiego_102_902_05-softmax-1.ipynb": data(softmax(WHOLE_TABLE, MEAN)),
        "dubois_103_903_softmax.ipynb": data(softmax(WHOLE_TABLE, DIFFERENCE)),
        "eriksenida_LATE_104_904_05-softmax.ipynb": data(softmax(WHOLE_TABLE.replace("e ", "p ").replace("e.", "p."))),
        "fischermax_105_905_05-softmax.ipynb": data(softmax(OVERFLOWS)),
        "gomezlucia_106_906_05-softmax.ipynb": data(softmax(OVERFLOWS, DIFFERENCE)),
        "haddadomar_107_907_05-softmax.ipynb": data(without_ids),
        "ivanovapetra_108_908_05-softmax.ipynb": data(lesson(5)),  # nothing written
        "jonestim_109_909_05-softmax.ipynb": b"",
        "kimminjun_110_910_05-softmax.ipynb": data(softmax(DIFFERENCE, first=["1 / 0"])),
        "larsenbo_111_911_05-softmax.ipynb": data(softmax(first=["import os\nos._exit(3)"])),
        "meyerjo_112_912_05-softmax.ipynb": data(
            softmax("def softmax(scores):\n    while True:\n        pass", first=["import time\ntime.sleep(1000)"])
        ),
        "nguyenlan_113_913_05-softmax.ipynb": data(softmax(first=[WRITES])),
        "oconnorsean_114_914_05-softmax.ipynb": data(softmax(first=[NETWORK])),
        "petrovaanna_115_915_05-softmax.ipynb": data(pasted),
        "quinnrob_116_916_05-softmax.ipynb": data(softmax(LONG.format(**names))),
        "rossimarco_117_917_05-softmax.ipynb": data(softmax(LONG.format(**other), MEAN)),
        "sanchezeva_118_918_05-softmax.ipynb": data(lesson(5, last=[FORGED])),
        "sanchezeva_118_918_.attention-progress.json": progress,
        "tanakayui_119_919_05-softmax.ipynb": data(reference),
    }
    moodle = {
        "Usman Bilal_2000_assignsubmission_file_/05-softmax.ipynb": data(
            softmax(without=["softmax", "how_far_behind"])
        ),
        "Vogel Lea_2001_assignsubmission_file_/old.ipynb": data(third_version(softmax(COLUMNS))),
        "Weber Jan_2002_assignsubmission_file_/05-softmax.ipynb": data(old_course),
        "Xu Wei_2003_assignsubmission_file_/titanic.ipynb": data(foreign()),
        "Yilmaz Ece_2004_assignsubmission_file_/homework (2).ipynb.txt": data(softmax(MEAN)),
        "Zhao Li_2005_assignsubmission_file_/work.zip": zipped(
            {
                "work/05-softmax.ipynb": data(utils),
                "work/utils.py": b"import torch\ndef from_utils(s):\n    return torch.softmax(s, -1)\n",
                "__MACOSX/work/._05-softmax.ipynb": b"\0",
            }
        ),
        "Aziz Noor_2006_assignsubmission_file_/05-softmax.py": b"print('softmax')\n",
        "Aziz Noor_2006_assignsubmission_file_/~$notes.docx": b"lock",
        "Bauer Tim_2007_assignsubmission_file_/05.ipynb": b"\xff\xfe" + json.dumps(softmax()).encode("utf-16-le"),
        "M\u00fcller J\u00f6rg_2008_assignsubmission_file_/hand-in.tar.gz": tarred(
            {"Z\u00fcrich.IPYNB": data(softmax(MEAN))}
        ),
        "=1+1_2009_assignsubmission_file_/05.ipynb": data(softmax())[:5000],
        "Costa Rui_2010_assignsubmission_file_/04.ipynb": data(lesson(4, {"score_table": SCORES})),
        "Costa Rui_2010_assignsubmission_file_/05.ipynb": data(softmax(WHOLE_TABLE)),
        "Diaz Sol_2011_assignsubmission_file_/": None,
    }
    return canvas | moodle


def course_solution(number, name):
    """The solution as it stands in the lesson, under the name of the answer."""
    path = next(LESSONS.glob(f"{number:02}-*.ipynb"))
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    source = next("".join(cell["source"]) for cell in cells if f"def {name}_solution(" in "".join(cell["source"]))
    return source[source.index("def ") :].replace(f"{name}_solution", name)


def build(path):
    """Write the class as one archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in submissions().items():
            archive.writestr(name, content if content is not None else b"")
        archive.writestr("__MACOSX/._x", b"")
    return path
