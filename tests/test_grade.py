"""Grading a class: whatever is handed in becomes a row, points follow from answers, and nothing of a run is lost."""

import ast
import csv
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import classroom
import nbformat
import pytest

from helpers.checks.verdict import RIGHT, UNTRIED, WRONG
from helpers.exercises import exercises
from tools.grade import assignment, contain, marks, pages
from tools.grade.__main__ import main
from tools.grade.collect import Student, collect, owner
from tools.grade.grading import UNCHECKED, Found, Result, grade, prepare
from tools.grade.notebooks import NotANotebook, course, may_be_notebook, read, solutions
from tools.grade.sheets import LOG, Sheets, logged

ROOT = Path(__file__).resolve().parents[1]


def notebook(*cells, title="# 5. Softmax: turn scores into weights"):
    markdown = [{"cell_type": "markdown", "metadata": {}, "source": title}] if title else []
    code = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in cells]
    return {"cells": markdown + code, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


def parsed(*cells, **options):
    return read(json.dumps(notebook(*cells, **options)).encode())


def sheet(path):
    with path.open(newline="", encoding="utf-8-sig") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def room():
    made = contain.Room(contain.containment())
    yield made
    made.end()


def answers_of(room, *cells, **job):
    return room.ask({"kind": "answers", "seconds": 30, "files": {}, "sources": list(cells), **job})


# --- whose file it is ---


@pytest.mark.parametrize(
    ("path", "name", "number", "late", "rest"),
    [
        ("Berg Anna_123_assignsubmission_file_/a/05.ipynb", "Berg Anna", "123", False, "a/05.ipynb"),
        ("Berg Anna_123_assignsubmission_file/05.ipynb", "Berg Anna", "123", False, "05.ipynb"),
        ("Berg Anna_123_assignsubmission_file_05_1_2_x.ipynb", "Berg Anna", "123", False, "05_1_2_x.ipynb"),
        ("Participant 7_123_assignsubmission_onlinetext_/onlinetext.html", "Participant 7", "123", False, None),
        ("berganna_LATE_12_345_my_work.ipynb", "berganna", "12", True, "my_work.ipynb"),
        ("berganna_12_345_05-softmax-2.ipynb", "berganna", "12", False, "05-softmax-2.ipynb"),
        ("berganna_12_345_work.zip/inner/05.ipynb", "berganna", "12", False, "work.zip/inner/05.ipynb"),
        ("anna/week 1/05.ipynb", "anna", "", False, "week 1/05.ipynb"),
        ("anna.tar.gz/05.ipynb", "anna", "", False, "05.ipynb"),
        ("anna.b.ipynb", "anna.b", "", False, "anna.b.ipynb"),
    ],
)
def test_a_path_says_whose_it_is(path, name, number, late, rest):
    found = owner(path.split("/"))
    assert found[:3] == (name, number, late)
    assert rest is None or "/".join(found[3]) == rest


def test_a_class_is_collected_from_an_archive(tmp_path):
    (tmp_path / "scratch").mkdir()
    students = {one.name: one for one in collect(classroom.build(tmp_path / "class.zip"), tmp_path / "scratch")}
    assert len(students) == 32
    assert [name for name, one in students.items() if one.late] == ["bergannalena", "eriksenida"]
    assert students["Diaz Sol"].files == [] and students["Costa Rui"].number == "2010"
    assert [file.name for file in students["M\u00fcller J\u00f6rg"].files] == ["hand-in.tar.gz/Z\u00fcrich.IPYNB"]
    assert [file.name for file in students["Zhao Li"].files] == [
        "work.zip/work/05-softmax.ipynb",
        "work.zip/work/utils.py",
    ]
    assert [file.name for file in students["Aziz Noor"].files] == ["05-softmax.py"]  # without ~$notes.docx


def test_a_wrapper_folder_is_no_student_and_a_name_leads_nowhere(tmp_path):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for name in ("course/anna/05.ipynb", "course/ben/../../../05.ipynb", "course/.ipynb_checkpoints/05.ipynb"):
            archive.writestr(name, "{}")
    (tmp_path / "scratch").mkdir()
    students = collect(tmp_path / "class.zip", tmp_path / "scratch")
    assert [(one.name, [file.name for file in one.files]) for one in students] == [
        ("anna", ["05.ipynb"]),
        ("ben", ["05.ipynb"]),
    ]
    assert all(file.path.parent == tmp_path / "scratch" for one in students for file in one.files)


def test_archives_that_cannot_be_opened_are_told(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "anna.zip").write_bytes(b"PK broken")
    (folder / "ben.7z").write_bytes(b"7z")
    (folder / "cara.zip").write_bytes(classroom.zipped({}))
    inner = b"{}"
    for _ in range(7):
        inner = classroom.zipped({"deeper.zip": inner})
    (folder / "dora.zip").write_bytes(inner)
    (tmp_path / "scratch").mkdir()
    problems = {one.name: " ".join(one.problems) for one in collect(folder, tmp_path / "scratch")}
    assert "cannot be opened" in problems["anna"] and "not opened here" in problems["ben"]
    assert "empty archive" in problems["cara"] and "deeper" in problems["dora"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among files, and asks before it links")
def test_links_that_lead_nowhere_and_pipes_are_told(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "anna.ipynb").symlink_to(tmp_path / "nowhere")
    os.mkfifo(folder / "ben.ipynb")
    (folder / "round").symlink_to(folder)
    (tmp_path / "scratch").mkdir()
    students = collect(folder, tmp_path / "scratch")
    assert [one.problems for one in students] == [
        [f"{name}.ipynb is no file that can be read"] for name in ("anna", "ben")
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no file names that are not UTF-8")
def test_a_file_name_that_is_not_utf_8_becomes_text(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / os.fsdecode(b"M\xfcller.ipynb")).write_bytes(classroom.data(notebook()))
    (tmp_path / "scratch").mkdir()
    (student,) = collect(folder, tmp_path / "scratch")
    assert student.name == "M\u00fcller" and prepare(student, [], "", {}).result.problems == []


# --- what is a notebook, and which ---


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_notebook_is_read_in_any_encoding(encoding):
    assert read(json.dumps(notebook("x = 1")).encode(encoding)).code == ["x = 1"]


def test_old_and_careless_notebooks_are_read():
    assert read(json.dumps(classroom.third_version(classroom.softmax())).encode()).lessons == [5]
    careless = {
        "cells": [{"cell_type": "code", "id": "a b", "source": ["x =", " 1"], "more": 1}, "nothing"],
        "nbformat": 4,
    }
    assert read(json.dumps(careless).encode()).code == ["x = 1"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"[]", "not a notebook"),
        (b'{"cells": [', "broken off"),
        (b"{}", "no cells"),
        (b"\xff\xfe", "empty"),
    ],
)
def test_what_is_no_notebook_is_told(content, words):
    with pytest.raises(NotANotebook, match=words):
        read(content)


def test_a_notebook_is_known_by_its_content_where_its_name_has_changed():
    content = json.dumps(notebook()).encode()
    assert may_be_notebook("05.IPYNB", b"") and may_be_notebook("05.ipynb.txt", content)
    assert not may_be_notebook("notes.txt", b"cells") and not may_be_notebook("05.docx", content)


def test_each_lesson_is_known_with_and_without_its_heading_and_checks():
    for number, lesson in course().items():
        assert lesson.lessons == [number]
    assert parsed("x = 1").lessons == [5]
    assert parsed('check("softmax", f)\ncheck("score_for_half", f)', title="# Mine").lessons == [5]
    assert parsed('check("embed", f)', title="# Mine").lessons == [1]
    assert parsed("x = 1", title="# 5. Titanic").lessons == []
    both = parsed('check("score_table", f)', 'check("divisor_for", f)')
    assert both.lessons == [4, 5]


def test_all_solutions_are_found():
    assert solutions().keys() == exercises().keys()


def test_only_what_checks_need_is_run():
    cells = (
        "import math\nfrom os import *",
        "softmax = train_for_hours()",
        "scale = 2\nprint(scale)\nother = 3",
        "table = []\ntable.append(scale)",
        "def softmax(scores): return helper(scores)",
        "def helper(scores): return scores / table[0]",
        "%matplotlib inline\ncheck('softmax', softmax)",
        "helper = None",
    )
    chosen = [ast.unparse(tree) for _, tree in parsed(*cells).needed()]
    assert [text.splitlines()[0] for text in chosen] == [
        "import math",
        "from os import *",
        "scale = 2",
        "table = []",
        "table.append(scale)",
        "def softmax(scores):",
        "def helper(scores):",
        "check('softmax', softmax)",
    ]


# --- running ---


RIGHT_ONE = 'from helpers import check\nimport torch\ncheck("softmax", lambda scores: torch.softmax(scores, -1))'


def test_the_last_check_counts_and_errors_are_told(room):
    wrong = 'def softmax(scores):\n    return scores.T\n\n\ncheck("softmax", softmax)'
    answers = answers_of(room, RIGHT_ONE, wrong, "import nothing_like_it", 'check("gone", 1)')
    assert answers["checks"]["softmax"]["status"] == WRONG and answers["unknown"] == ["gone"]
    assert answers["problem"].startswith("error in code cell 3: ModuleNotFoundError")


def test_an_answer_that_ends_its_process_or_never_ends_costs_only_itself(room):
    assert answers_of(room, "import os\nx = os._exit(3)\ncheck('softmax', x)")["problem"] == "its process died"
    slow = answers_of(room, RIGHT_ONE, "import time\nx = time.sleep(1000)\ncheck('embed', x)", seconds=2)
    assert slow["problem"] == "stopped after 2 seconds" and slow["checks"]["softmax"]["status"] == RIGHT
    assert (
        answers_of(room, "import os\nx = os.kill(os.getppid(), 9)\ncheck('embed', x)")["problem"] == "its process died"
    )
    assert answers_of(room, RIGHT_ONE)["checks"]["softmax"]["status"] == RIGHT


def test_a_notebook_finds_nothing_of_the_one_before(room):
    write = "from pathlib import Path\nhome = Path.home().parent.parent\nx = (home / 'left').write_text('x')"
    assert "left" not in str(answers_of(room, write, "check(str(x), None)")["unknown"])
    look = "check(repr(sorted(path.name for path in home.iterdir())), None)"
    (found,) = answers_of(room, write.replace("x = (home / 'left').write_text('x')", ""), look)["unknown"]
    assert "left" not in found


def test_a_students_own_module_is_found(room):
    student = Student("anna")
    prepared = prepare(student, [5], "", {})
    cells = ["from utils import mine", 'check("softmax", mine)']
    prepared.notebooks = [("week/05.ipynb", cells)]
    prepared.files = {"week/utils-1.py": b"import torch\ndef mine(scores): return torch.softmax(scores, -1)\n"}
    assert grade(prepared, room, None).lessons[5]["softmax"].status == RIGHT


def test_each_solution_of_the_course_gets_its_point(room):
    wanted = {number: len(lesson.checked) for number, lesson in course().items()}
    for number in wanted:
        names = [one.name for one in exercises().values() if one.lesson == number]
        solved = classroom.lesson(number, {name: classroom.course_solution(number, name) for name in names})
        checks = answers_of(room, *read(classroom.data(solved)).code)["checks"]
        assert {name: checks[name]["status"] for name in names} == dict.fromkeys(names, RIGHT)


REACH = """
import os, socket, pathlib
def reach(place):
    try:
        return place()
    except OSError as error:
        return type(error).__name__
found = [
    reach(lambda: socket.create_connection(("1.1.1.1", 80), 3)),
    reach(lambda: sorted(os.listdir(pathlib.Path.home()))),
    reach(lambda: pathlib.Path(OUTSIDE).read_text()),
    reach(lambda: pathlib.Path(ROOM).write_text("changed")),
    os.environ.get("SECRET"),
]
check(repr(found), None)
"""


@pytest.mark.skipif(contain.containment().name != "bubblewrap", reason="bubblewrap is missing, or may not be used here")
def test_bubblewrap_leaves_no_network_no_files_and_no_environment(tmp_path, monkeypatch):
    (tmp_path / "outside").write_text("secret")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "film").write_text("reviewed")
    monkeypatch.setenv("SECRET", "secret")
    monkeypatch.setenv("ATTENTION_DATA", str(tmp_path / "data"))
    inside = contain.containment.__wrapped__()
    assert reached(inside, tmp_path / "outside") == ["OSError", [], "FileNotFoundError", "OSError", None]
    assert reached(inside, tmp_path / "data" / "film")[2] == "reviewed"


@pytest.mark.skipif(sys.platform != "linux", reason="unshare is a program of Linux")
def test_unshare_leaves_no_network(tmp_path):
    inside = contain.unshared()
    if inside is None:
        pytest.skip("unshare is missing, or may not make namespaces here")
    (tmp_path / "outside").write_text("not contained")
    assert reached(inside, tmp_path / "outside")[:3] == ["OSError", [], "not contained"]


def test_without_containment_there_is_still_a_scratch_home(tmp_path, monkeypatch):
    (tmp_path / "outside").write_text("not contained")
    monkeypatch.setenv("SECRET", "secret")
    found = reached(contain.NONE, tmp_path / "outside")
    assert found[1] == [] and found[2] == "not contained" and found[4] is None


def reached(inside, outside):
    room = contain.Room(inside)
    contained = inside.name == "bubblewrap"
    where = str(ROOT / "tools" / "grade" / "room.py" if contained else outside.with_name("written"))
    before = (ROOT / "tools" / "grade" / "room.py").read_bytes()
    source = REACH.replace("OUTSIDE", repr(str(outside))).replace("ROOM", repr(where))
    if inside is contain.NONE:
        source = source.replace('reach(lambda: socket.create_connection(("1.1.1.1", 80), 3))', "None")
    try:
        (found,) = answers_of(room, source)["unknown"]
    finally:
        room.end()
    assert (ROOT / "tools" / "grade" / "room.py").read_bytes() == before
    return ast.literal_eval(found)


def test_where_nothing_works_the_containment_says_so(monkeypatch):
    monkeypatch.setattr(contain.shutil, "which", lambda _: None)
    assert contain.containment.__wrapped__() is contain.NONE and "can use the network" in contain.NONE.says


@pytest.mark.slow
def test_without_fork_each_notebook_gets_a_process():
    code = "from tools.grade import room\nroom.FORKS = False\nroom.main()"
    for more, problem in (("x = 1", ""), ("import time\nx = time.sleep(1000)", "stopped after 8 seconds")):
        cells = [RIGHT_ONE, f"{more}\ncheck('embed', x)"]
        job = json.dumps({"kind": "answers", "seconds": 8, "files": {}, "sources": cells}) + "\n"
        done = subprocess.run([sys.executable, "-c", code], input=job * 2, capture_output=True, text=True, cwd=ROOT)
        (answer,) = map(json.loads, done.stdout.splitlines())  # the second is for the next process
        assert (answer["checks"]["softmax"]["status"], answer["problem"]) == (RIGHT, problem)


@pytest.mark.slow
def test_a_whole_notebook_runs_in_a_kernel(room):
    def run(*cells, seconds=60):
        return room.ask({"kind": "notebook", "seconds": seconds, "files": {"mine.py": ""}, "sources": list(cells)})

    crashed = run(RIGHT_ONE, "import mine", "1 / 0", "%matplotlib inline", "raise ValueError('two\\nlines')")
    assert crashed["problem"] == "error in code cell 3: ZeroDivisionError: division by zero, and 1 more"
    assert crashed["recorded"] == ["softmax"]
    assert run("1", "import os\nos._exit(3)")["problem"] == "its kernel died in code cell 2"
    assert run("1", "import time\ntime.sleep(1000)", seconds=8)["problem"] == "stopped after 8 seconds in code cell 2"


def test_what_a_student_writes_costs_the_others_nothing(room, tmp_path):
    forged = (
        "import os\nfor number in range(3, 12):\n    try:\n        os.write(number, b'5\\n{\"checks\": 5}\\n[]\\n')\n"
    )
    forged += "    except OSError:\n        pass\nx = number\ncheck('embed', x)"
    assert isinstance(answers_of(room, forged)["checks"], dict)
    half = answers_of(room, "x = int('\\ud800')\ncheck('embed', x)")
    Sheets(tmp_path, [5]).write([Result("anna", problems=[half["problem"]])])
    assert "ValueError" in sheet(tmp_path / "grades.csv")["anna"]["problems"]


def test_a_cell_that_is_no_python_is_told(room):
    broken = answers_of(
        room, "%%timeit\n1", "def softmax(scores)\n    return scores\ncheck('softmax', softmax)", RIGHT_ONE
    )
    assert broken["problem"].startswith("error in code cell 2: SyntaxError: expected ':'")
    assert broken["checks"]["softmax"]["status"] == RIGHT


def test_a_check_within_a_function_counts(room):
    tested = "def test():\n    check('softmax', lambda scores: torch.softmax(scores, -1))\ntest()"
    assert answers_of(room, "import torch", tested)["checks"]["softmax"]["status"] == RIGHT


# --- marks ---


LONG = classroom.LONG.format(**dict(zip(classroom.NAMES, classroom.NAMES, strict=True)))
RENAMED = classroom.LONG.format(**{name: f"my_{name}" for name in classroom.NAMES})
CHECK = '\n\n\ncheck("softmax", softmax)'


def test_code_of_the_course_is_marked():
    pasted = classroom.course_solution(5, "softmax")
    told = {
        pasted + CHECK: "the same code as the course's solution",
        'check("softmax", softmax_solution)': "the course's own function",
        'check("softmax", exercises()["softmax"].reference)': "asks the course itself",
        classroom.RIGHT["softmax"] + CHECK: None,
    }
    for source, words in told.items():
        found = marks.of_one(parsed(source), solutions())
        assert (not found) if words is None else words in found[0], source


def test_students_with_the_same_code_are_marked_and_short_answers_are_not():
    def forms(source):
        return marks.own_forms(parsed(source + CHECK), solutions())

    same = {"anna": forms(LONG), "ben": forms(f"# mine\n{RENAMED}"), "cara": forms(classroom.RIGHT["softmax"])}
    short = "def softmax(s):\n    return s.exp() / s.exp().sum(-1, keepdim=True)"
    found = marks.alike(same | {"dora": forms(short), "emil": forms(short)})
    assert found == {"anna": ["softmax: the same code as ben"], "ben": ["softmax: the same code as anna"]}


def test_a_record_that_the_answers_do_not_show_is_marked(room):
    cells = [cell.source for cell in read(classroom.data(classroom.lesson(5, last=[classroom.FORGED]))).cells]
    prepared = prepare(Student("eva"), [5], "", {})
    prepared.notebooks, prepared.claimed = [("05.ipynb", cells)], ["embed", "softmax"]
    result = grade(prepared, room, None)
    assert result.points() == 0
    assert result.records == ["the progress file says solved, and the answers handed in do not show it: softmax"]


def test_a_progress_file_of_any_content_is_read():
    assert marks.claimed_in(b'{"solved": ["softmax", 3]}') == ["softmax"]
    assert marks.claimed_in(b"[]") == marks.claimed_in(b"\xff") == []


# --- sheets and pages ---


def result(name="Anna", **statuses):
    found = {one.name: Found(UNCHECKED) for one in exercises().values() if one.lesson == 5}
    found |= {
        exercise: Found(status, "wrong-axis", "Your *columns* sum to `1`.", [["scores", "[[<1>]]"]])
        for exercise, status in statuses.items()
    }
    return Result(name, digest=name, lessons={5: found})


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", " ="])
def test_no_cell_is_taken_for_a_formula(sign, tmp_path):
    Sheets(tmp_path, [5]).write([Result(f"{sign}1", problems=[f"{sign}cmd"])])
    with (tmp_path / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        row = next(csv.DictReader(file))
    assert (row["student"], row["problems"]) == (f"'{sign}1", f"'{sign}cmd")
    assert (tmp_path / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_rows_are_written_as_they_come_and_a_torn_line_is_passed_over(tmp_path):
    sheets = Sheets(tmp_path, [5])
    sheets.begin([result("Anna", softmax=RIGHT)])
    sheets.add(result("J\u00f6rg", softmax=WRONG, how_far_behind=UNTRIED))
    rows = sheet(tmp_path / "grades.csv")
    assert [(row["lesson 5 (of 3)"], row["points"], row["of"]) for row in rows.values()] == [
        ("1", "1", "3"),
        ("0", "0", "3"),
    ]
    rows = sheet(tmp_path / "exercises.csv")
    words = [rows["J\u00f6rg"][name] for name in ("softmax", "how_far_behind", "score_for_half")]
    assert words == ["not yet: wrong-axis", "not tried", "not checked"]
    with (tmp_path / LOG).open("a") as file:
        file.write('{"name": "Ben", "less')
    assert [one.name for one in logged(tmp_path)] == ["Anna", "J\u00f6rg"]
    assert logged(tmp_path)[1] == result("J\u00f6rg", softmax=WRONG, how_far_behind=UNTRIED)


def test_the_class_page_says_what_to_teach_again_and_names_nobody():
    class_ = [result(f"Anna {number}", softmax=WRONG, how_far_behind=RIGHT) for number in range(3)]
    class_ += [result("<b>Ben", softmax=RIGHT, how_far_behind=WRONG)]
    page = pages.class_page(class_)
    assert "Anna" not in page and "Ben" not in page and "http" not in page
    assert page.index("3 of 4 tried and did not solve it") < page.index("1 of 4 tried and did not solve it")
    assert "All of them made the same mistake" in page and "Your <em>columns</em> sum to <code>1</code>." in page
    assert "Lesson 5: Softmax: turn scores into weights" in page and "4 students" in page
    assert "An input for the board" in page and ">[[&lt;1&gt;]]</pre>" in page
    assert "ended early" in pages.class_page(class_, finished=False)
    assert "What to teach again" in pages.class_page([Result("nobody")])


def test_feedback_is_harmless_whatever_the_student_has_written(tmp_path):
    hostile = result("<script>x</script>", softmax=WRONG)
    hostile.problems, hostile.marks = ["<script>"], ["softmax: the same code as Ben"]
    page = pages.feedback_page(hostile)
    assert "<script" not in page and "0 of 3" in page and "Ben" not in page
    assert "was reached" in page  # for what was not checked
    students = [Result(name) for name in ("../../etc", "a", "A", "con", "\u738b\u5c0f\u660e", "?", "x" * 300)]
    names = pages.file_names(students)
    assert names[:6] == [
        "etc.html",
        "a.html",
        "A-2.html",
        "student-con.html",
        "\u738b\u5c0f\u660e.html",
        "student.html",
    ]
    assert len(names[6]) < 60
    pages.write_feedback(students, tmp_path)
    assert len(list((tmp_path / "feedback").iterdir())) == len(students)


# --- assignments ---


@pytest.mark.parametrize("program", ["nbgrader", "otter"])
@pytest.mark.parametrize("number", sorted(course()))
def test_a_lesson_becomes_an_assignment(program, number, tmp_path):
    assert assignment.main([program, str(number), str(tmp_path / "05.ipynb")]) == 0
    made = nbformat.read(tmp_path / "05.ipynb", as_version=4)
    nbformat.validate(made)
    names = [one.name for one in exercises().values() if one.lesson == number]
    sources = [cell.source for cell in made.cells]
    code = "\n".join(cell.source for cell in made.cells if cell.cell_type == "code")
    assert "_solution(" not in code and all(code.count(f"def {name}(") >= 1 for name in names)
    answers = [source for source in sources if "BEGIN SOLUTION" in source and source.startswith("def ")]
    assert len(answers) == len(names)
    for name, answer in zip(names, answers, strict=True):
        same = marks.normal(ast.parse(answer).body[0]) == marks.normal(solutions()[name])
        assert same and answer.splitlines()[-1].strip().endswith("END SOLUTION")
    if program == "nbgrader":
        found = [cell.metadata.nbgrader for cell in made.cells if "nbgrader" in cell.metadata]
        assert len({one.grade_id for one in found}) == len(found) == 2 * len(names)
        assert [one.points for one in found if one.grade] == [1] * len(names)
        assert all(one.solution != one.grade == one.locked and one.schema_version == 3 for one in found)
    else:
        marked = [
            source.splitlines()[0] for source in sources if source.startswith(("# BEGIN", "# END", "# ASSIGNMENT"))
        ]
        kinds = ["BEGIN QUESTION", "BEGIN SOLUTION", "END SOLUTION", "BEGIN TESTS", "END TESTS", "END QUESTION"]
        assert marked == ["# ASSIGNMENT CONFIG", *(f"# {kind}" for _ in names for kind in kinds)]


def test_an_assignment_overwrites_nothing(tmp_path, capsys):
    (tmp_path / "there").write_text("mine")
    for arguments, words in (
        (["otter", "5", str(tmp_path / "there")], "exists"),
        (["otter", "99", "x"], "no lesson 99"),
    ):
        with pytest.raises(SystemExit):
            assignment.main(arguments)
        assert words in capsys.readouterr().err


# --- the command ---


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "nowhere does not exist"),
        (["."], "nothing to grade"),
        ([".", "--timeout", "0"], "2 or more"),
        ([".", "--timeout", "nan"], "2 or more"),
        ([".", "--jobs", "0"], "at least 1"),
        ([".", "--lessons", "99"], "no lesson 99"),
        ([], "source"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2 and words in capsys.readouterr().err


def test_results_that_are_there_are_not_overwritten(tmp_path, capsys):
    (tmp_path / "grades").mkdir()
    (tmp_path / "grades" / LOG).write_text("")
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--out", str(tmp_path / "grades")])
    assert "--resume" in capsys.readouterr().err


@pytest.mark.slow
def test_a_class_is_graded_from_an_archive(tmp_path, capsys):
    archive = classroom.build(tmp_path / "class.zip")
    out = tmp_path / "grades"
    assert main([str(archive), "--out", str(out), "--exercises-only", "--jobs", "2"]) == 0
    assert "32 students" in capsys.readouterr().out
    rows, found = sheet(out / "grades.csv"), sheet(out / "exercises.csv")
    assert list(rows) == sorted(rows, key=lambda name: name.lstrip("'").casefold()) and len(rows) == 32
    points = {name: row["lesson 5 (of 3)"] for name, row in rows.items()}
    assert points["adeyemitola"] == points["Zhao Li"] == points["Bauer Tim"] == points["larsenbo"] == "3"
    assert points["Usman Bilal"] == "1"  # two checks were taken away, and all three count
    assert points["sanchezeva"] == points["ivanovapetra"] == "0" and points["Xu Wei"] == ""
    assert rows["bergannalena"]["late"] == "late" and rows["Costa Rui"]["lesson 4 (of 4)"] == "1"
    assert found["dubois"]["softmax"] == "not yet: max-of-everything"
    assert found["Usman Bilal"]["softmax"] == "not checked"
    problems = {name: row["problems"] for name, row in rows.items() if row["problems"]}
    assert set(problems) == {"'=1+1", "jonestim", "Aziz Noor", "Diaz Sol", "Xu Wei", "Weber Jan"}
    assert (
        "broken off" in problems["'=1+1"] and "not a lesson" in problems["Xu Wei"] and "scale" in problems["Weber Jan"]
    )
    assert rows["Aziz Noor"]["not a notebook"] == "05-softmax.py"
    looks = {name: row["worth a look"] for name, row in rows.items() if row["worth a look"]}
    assert set(looks) == {"petrovaanna", "quinnrob", "rossimarco", "sanchezeva", "tanakayui"}
    page = (out / "class.html").read_text(encoding="utf-8")
    assert page.index("10 of 27 tried and did not solve it") < page.index(
        "You subtract the largest score of the whole table"
    )
    assert len(list((out / "feedback").iterdir())) == 32


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_what_is_graded_survives_ctrl_c_and_resume_goes_on(tmp_path):
    folder, out = tmp_path / "class", tmp_path / "grades"
    folder.mkdir()
    for name in ("anna", "ben"):
        (folder / f"{name}.ipynb").write_bytes(classroom.data(notebook(RIGHT_ONE)))
    waits = 'import time\nx = time.sleep(45)\ncheck("softmax", x)'
    (folder / "cara.ipynb").write_bytes(classroom.data(notebook(waits)))
    command = [sys.executable, "-m", "tools.grade", str(folder), "--out", str(out), "--exercises-only"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    signal.signal(signal.SIGINT, before)
    lines = []
    while not any("2 of 3: ben" in line for line in lines):
        lines.append(process.stderr.readline())
        assert lines[-1], lines
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "Ended after 2 of 3" in rest and "Traceback" not in rest
    assert {name: row["points"] for name, row in sheet(out / "grades.csv").items()} == {"anna": "1", "ben": "1"}
    (folder / "cara.ipynb").write_bytes(classroom.data(notebook(RIGHT_ONE)))  # handed in again
    done = subprocess.run([*command, "--resume"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0 and "3 of 3: cara" in done.stderr and "of 3: anna" not in done.stderr
    assert [row["points"] for row in sheet(out / "grades.csv").values()] == ["1", "1", "1"]


@pytest.mark.slow
def test_a_console_without_a_letter_of_a_name_costs_nothing(tmp_path):
    folder = tmp_path / "class" / "\u738b\u5c0f\u660e"
    folder.mkdir(parents=True)
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [sys.executable, "-m", "tools.grade", str(folder.parent), "--out", str(tmp_path / "grades")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, env=environment)
    assert done.returncode == 0 and rb"1 of 1: \u738b\u5c0f\u660e, 0 of 0 points; nothing was handed in" in done.stderr
