"""What is solved is kept, counted and not lost."""

import json

import pytest
from checking import EXERCISES, in_an_empty_folder  # noqa: F401 (a fixture)

from helpers.checks import progress as progress_file
from helpers.checks.verdict import RIGHT, WRONG
from helpers.exercises import check, progress


def solve(name):
    return check(name, EXERCISES[name].reference)


def test_nothing_is_written_before_something_is_solved(tmp_path):
    check("softmax", lambda scores: None)
    check("softmax", lambda scores: scores)
    assert repr(progress()).startswith("0 of") and list(tmp_path.iterdir()) == []


def test_what_is_solved_is_kept_counted_and_not_lost(tmp_path):
    assert "Lesson 5: 1 of 3 solved." in solve("softmax").remarks
    check("softmax", lambda scores: scores)
    solve("embed")
    assert [path.name for path in tmp_path.iterdir()] == [progress_file.FILE]
    shown = progress()
    assert repr(shown).startswith(f"2 of {len(EXERCISES)} exercises solved")
    assert "lesson 5: 1 of 3   \u2713 softmax  \u25cb how_far_ahead" in repr(shown)
    assert "Lesson 5</td><td>1 of 3</td>" in shown._repr_html_()
    assert "\u2713 <code>softmax</code> &nbsp; \u25cb <code>how_far" in shown._repr_html_()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b'{"format": "other", "solved": []}',
        b"[" * 100_000,
        b"null",
        b'{"format": "attention-step-by-step 1", "solved": 5}',
    ],
)
def test_broken_or_foreign_file_costs_only_the_progress(tmp_path, content):
    (tmp_path / progress_file.FILE).write_bytes(content)
    assert repr(progress()).startswith("0 of")
    verdict = solve("softmax")
    assert verdict.status == RIGHT and "not kept" in "".join(verdict.remarks)
    assert (tmp_path / progress_file.FILE).read_bytes() == content
    assert repr(progress()).startswith("1 of")  # until the kernel ends


def test_file_with_unknown_names_is_read_and_kept(tmp_path):
    solve("softmax")
    path = tmp_path / progress_file.FILE
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, "solved": ["softmax", "gone", 7]}), encoding="utf-8")
    solve("embed")
    assert json.loads(path.read_text(encoding="utf-8"))["solved"] == ["embed", "gone", "softmax"]
    assert repr(progress()).startswith("2 of")


def test_folder_that_cannot_be_written_costs_only_the_progress(monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr("helpers.checks.progress.write_whole", refuse)
    assert "cannot be written" in "".join(solve("softmax").remarks)


def test_read_only_file_is_left_as_it_is(tmp_path, monkeypatch):
    solve("softmax")
    before = (tmp_path / progress_file.FILE).read_bytes()
    monkeypatch.setattr("os.access", lambda *_: False)  # for root, every file can be written
    assert "cannot be written" in "".join(solve("embed").remarks)
    assert (tmp_path / progress_file.FILE).read_bytes() == before


def test_large_file_is_not_read(tmp_path):
    content = json.dumps({"format": "attention-step-by-step 1", "solved": ["softmax"] * 100_000})
    (tmp_path / progress_file.FILE).write_text(content, encoding="utf-8")
    assert repr(progress()).startswith("0 of")


def test_file_that_is_a_folder_costs_only_the_progress(tmp_path):
    (tmp_path / progress_file.FILE).mkdir()
    assert solve("softmax").status == RIGHT and repr(progress()).startswith("1 of")


def test_teachers_run_records_each_check_and_writes_no_progress(tmp_path, monkeypatch):
    monkeypatch.setenv(progress_file.RECORD, str(tmp_path / "record.jsonl"))
    solve("softmax")
    check("embed", lambda ids, table: table[ids].T)
    entries = [json.loads(line) for line in (tmp_path / "record.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(entry["exercise"], entry["status"], entry["mistake"]) for entry in entries] == [
        ("softmax", RIGHT, None),
        ("embed", WRONG, "transposed"),
    ]
    assert not (tmp_path / progress_file.FILE).exists()
