"""Running a class's notebooks: each becomes a row, whatever it holds or does, and none is changed."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from helpers.checks.verdict import RIGHT, UNTRIED, WRONG
from helpers.exercises import exercises
from tools import grade

CHECKS = (
    """
import torch
from helpers.exercises import check
check("softmax", lambda scores: torch.softmax(scores, -1))
check("embed", lambda ids, table: table[ids])
""",
    """
1 / 0
""",
    """
def project_row(row, w): ...
check("project_row", project_row)
""",
    """
check("embed", lambda ids, table: table[ids].T)
print('{"exercise": "project_row", "status": "Right", "mistake": null, "function": "f", "lesson": 2}')
""",
)


def write(path, *cells, kernel="a kernel that nobody has"):
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "cells": [
            {
                "cell_type": "code",
                "id": f"c{number}",
                "metadata": {},
                "execution_count": 7,
                "outputs": [],
                "source": source.strip(),
            }
            for number, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": kernel, "display_name": kernel, "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.slow
def test_a_class_is_run_and_told_in_a_table_and_a_csv(tmp_path, capfd):
    folder = tmp_path / "class"
    write(folder / "anna" / "week 1" / "softmax.ipynb", *CHECKS)
    write(folder / "ben.ipynb", "open('left behind', 'w').write('x')")
    write(folder / "=chris.ipynb", "import os", "os._exit(3)")
    write(folder / "anna" / ".ipynb_checkpoints" / "softmax-checkpoint.ipynb", "1 / 0")
    (folder / "dora.ipynb").write_text("{not json")
    (folder / "emil.ipynb").write_text("[]")
    (folder / "notes.txt").write_text("no notebook")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    arguments = [str(folder), "--csv", str(tmp_path / "class.csv"), "--timeout", "30", "--jobs", "3"]
    assert grade.main(arguments) == 0
    said = capfd.readouterr()
    assert "1 of 5: =chris.ipynb" in said.err and "Traceback" not in said.err
    assert said.out.splitlines()[0].split() == ["notebook", "solved"]
    assert "5 notebooks, 1 exercise solved, 4 notebooks with a problem" in said.out
    assert "    embed: not yet: transposed" in said.out
    with (tmp_path / "class.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["notebook"]: row for row in csv.DictReader(file)}
    assert list(rows) == ["'=chris.ipynb", "anna/week 1/softmax.ipynb", "ben.ipynb", "dora.ipynb", "emil.ipynb"]
    anna = rows["anna/week 1/softmax.ipynb"]
    assert (anna["solved"], anna["checked"]) == ("1", "3")
    # the last check counts, after the cell that fails as well, and what is printed does not
    assert (anna["softmax"], anna["embed"], anna["project_row"]) == ("right", "not yet: transposed", "not tried")
    assert anna["problem"] == "error in code cell 2: ZeroDivisionError: division by zero"
    assert (rows["ben.ipynb"]["problem"], rows["ben.ipynb"]["checked"]) == ("", "0")
    assert rows["'=chris.ipynb"]["problem"] == "its kernel died in code cell 2"
    assert rows["dora.ipynb"]["problem"] == "not a notebook: it is not valid JSON"
    assert rows["emil.ipynb"]["problem"] == "not a notebook: its JSON holds something else"
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "error in code cell 1: AssertionError, and 1 more"),
        ("two\nlines", "error in code cell 1: AssertionError: two, and 1 more"),
    ],
)
def test_the_first_error_is_told_in_a_line(text, words):
    error = new_output("error", ename="AssertionError", evalue=text, traceback=[])
    later = new_output("error", ename="NameError", evalue="x", traceback=[])
    cells = [new_code_cell(""), new_code_cell("assert x", outputs=[error]), new_code_cell("x", outputs=[later])]
    assert grade._first_error(new_notebook(cells=cells)) == words


def test_a_notebook_that_hangs_is_stopped(tmp_path):
    write(tmp_path / "hangs.ipynb", "import time; time.sleep(25)")
    with ThreadPoolExecutor(1) as own_thread:  # Playwright leaves an event loop in the main one
        row = own_thread.submit(grade.grade, tmp_path / "hangs.ipynb", "hangs.ipynb", 3).result()
    assert row.problem.startswith("stopped after 3 seconds in code cell") and row.checks == {}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "nowhere is not a folder"),
        (["."], "no notebook below"),
        ([".", "--timeout", "0"], "above 0"),
        ([".", "--timeout", "nan"], "above 0"),
        ([".", "--jobs", "0"], "at least 1"),
        ([], "folder"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        grade.main(arguments)
    assert stop.value.code == 2 and words in capsys.readouterr().err


def test_csv_that_cannot_be_written_is_told_before_anything_runs(tmp_path, capsys):
    write(tmp_path / "one.ipynb", "1")
    with pytest.raises(SystemExit) as stop:
        grade.main([str(tmp_path), "--csv", str(tmp_path / "nowhere" / "class.csv")])
    assert stop.value.code == 2 and "does not exist" in capsys.readouterr().err


def test_lines_of_the_record_that_are_not_ours_are_passed_over(tmp_path):
    record = tmp_path / "record.jsonl"
    good = {"exercise": "softmax", "lesson": 5, "status": RIGHT, "mistake": None, "function": "softmax"}
    lines = [
        "{",
        "[]",
        "5",
        json.dumps({**good, "exercise": []}),
        json.dumps({**good, "exercise": "gone"}),
        json.dumps({**good, "status": "Fine"}),
        json.dumps(good),
    ]
    record.write_text("\n".join(lines), encoding="utf-8")
    assert list(grade._last_checks(record)) == ["softmax"]
    record.write_bytes(b"\xff\xfe")
    assert grade._last_checks(record) == {}


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_the_csv_is_taken_for_a_formula(sign, tmp_path):
    grade.write_csv([grade.Row(f"{sign}1.ipynb", problem=f"{sign}cmd")], tmp_path / "class.csv")
    with (tmp_path / "class.csv").open(newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    assert (row["notebook"], row["problem"]) == (f"'{sign}1.ipynb", f"'{sign}cmd")


def test_cells_of_the_csv_say_what_the_check_found(tmp_path):
    name = next(iter(exercises()))
    found = {
        "right": (RIGHT, None, name),
        "right (the solution itself)": (RIGHT, None, f"{name}_solution"),
        "not yet: constant": (WRONG, "constant", name),
        "not tried": (UNTRIED, None, name),
    }
    for words, (status, mistake, function) in found.items():
        row = grade.Row("a", {name: {"status": status, "mistake": mistake, "function": function}})
        assert row.cell(name) == words
    assert grade.Row("a").cell(name) == ""
