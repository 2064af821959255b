"""What is solved is kept, counted and not lost."""

import json
import os
import subprocess
import sys

import pytest
from checking import EXERCISES, in_an_empty_folder  # noqa: F401 (a fixture)

from helpers.checks import progress as progress_file
from helpers.checks.verdict import RIGHT, WRONG
from helpers.exercises import check, progress

FORMAT = "attention-step-by-step 1"


def solve(name):
    return check(name, EXERCISES[name].reference)


def content_of(path):
    return json.loads(path.read_text(encoding="utf-8"))["solved"]


def holding(path, *names):
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"format": FORMAT, "solved": names}), encoding="utf-8")
    return path


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home" / "progress.json"  # see `in_an_empty_folder`


@pytest.fixture
def here(tmp_path):
    return tmp_path / progress_file.FILE


def test_nothing_is_written_before_something_is_solved(tmp_path):
    check("softmax", lambda scores: None)
    check("softmax", lambda scores: scores)
    assert repr(progress()).startswith("0 of") and list(tmp_path.iterdir()) == []


def test_what_is_solved_is_kept_counted_and_not_lost(home, here):
    assert "Lesson 5: 1 of 3 solved." in solve("softmax").remarks
    check("softmax", lambda scores: scores)
    solve("embed")
    assert content_of(home) == ["embed", "softmax"] and not here.exists()
    shown = progress()
    assert repr(shown).startswith(f"2 of {len(EXERCISES)} exercises solved") and f"Kept in {home}" in repr(shown)
    assert "lesson 5: 1 of 3   \u2713 softmax  \u25cb how_far_behind" in repr(shown)
    assert "5. Softmax</td><td>1 of 3</td>" in shown._repr_html_() and str(home) in shown._repr_html_()


@pytest.mark.parametrize("place", ["home", "here"])
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
        b'{"format": "attention-step-by-step 1", "solved": [' + b'"softmax", ' * 100_000 + b'"embed"]}',
    ],
    ids=range(10),
)
def test_broken_or_foreign_file_is_left_alone(home, here, content, place):
    path, other = (home, here) if place == "home" else (here, home)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    assert repr(progress()).startswith("0 of")
    assert solve("embed").status == RIGHT and repr(progress()).startswith("1 of")
    assert path.read_bytes() == content and content_of(other) == ["embed"]


def test_where_both_places_hold_something_else_the_learner_is_told(home, here):
    for path in (home, here):
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    verdict = solve("softmax")
    assert verdict.status == RIGHT and f"not kept: {home} holds something else" in "".join(verdict.remarks)
    assert home.read_text() == here.read_text() == "mine"
    assert repr(progress()).startswith("1 of")  # until the kernel ends


def test_file_of_an_earlier_edition_in_the_working_folder_is_read_and_goes_on(home, here):
    holding(here, "softmax", "gone")
    assert repr(progress()).startswith("1 of")
    solve("embed")
    assert content_of(here) == ["embed", "gone", "softmax"] and not home.exists()
    holding(home, "nearest_id")  # solved in another copy of the course
    assert repr(progress()).startswith("3 of")


def test_file_that_may_only_be_read_is_read_and_what_is_new_goes_home(home, here, monkeypatch):
    before = holding(here, "softmax").read_bytes()
    writable = os.access
    monkeypatch.setattr("os.access", lambda path, mode: path != progress_file.Path(progress_file.FILE))
    solve("embed")
    monkeypatch.setattr("os.access", writable)
    assert here.read_bytes() == before and content_of(home) == ["embed"]
    assert repr(progress()).startswith("2 of")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner that can be told")
def test_somebody_elses_file_in_a_shared_folder_is_not_read(home, here, monkeypatch):
    before = holding(here, "softmax").read_bytes()
    someone = here.stat().st_uid + 1
    monkeypatch.setattr("os.getuid", lambda: someone)
    assert repr(progress()).startswith("0 of")
    solve("embed")
    assert here.read_bytes() == before and content_of(home) == ["embed"]


def test_without_a_home_progress_is_kept_in_the_working_folder(home, here, monkeypatch):
    home.parent.write_text("no folder")
    solve("softmax")
    assert content_of(here) == ["softmax"]
    here.unlink()
    monkeypatch.setattr(progress_file, "user_data_path", lambda *_, **__: progress_file.Path("~/data"))  # no account
    solve("softmax")
    assert content_of(here) == ["softmax"] and not (here.parent / "~").exists()


def test_file_that_is_named_is_the_only_one(tmp_path, home, here, monkeypatch):
    holding(here, "softmax")
    monkeypatch.setenv(progress_file.PLACE, str(tmp_path / "mine" / "solved.json"))
    assert repr(progress()).startswith("0 of")
    solve("embed")
    assert content_of(tmp_path / "mine" / "solved.json") == ["embed"]
    assert content_of(here) == ["softmax"] and not home.exists()


def test_where_nothing_can_be_written_the_learner_is_told(monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr("helpers.checks.progress.write_whole", refuse)
    assert "cannot be written" in "".join(solve("softmax").remarks)
    assert repr(progress()).startswith("1 of")


def test_file_that_is_a_folder_costs_only_the_progress(home, here):
    home.mkdir(parents=True)
    here.mkdir()
    assert solve("softmax").status == RIGHT and repr(progress()).startswith("1 of")


KERNEL = """
import sys, time
from pathlib import Path
from helpers.checks.progress import remember
Path(f"ready-{sys.argv[1]}").touch()
while len(list(Path().glob("ready-*"))) < 2:
    time.sleep(0.001)
sys.exit("".join(remember(f"{sys.argv[1]}{number}") for number in range(55)) or 0)
"""


@pytest.mark.parametrize("place", ["home", "here"])
def test_two_kernels_that_write_at_once_lose_nothing(tmp_path, home, here, place):
    path = home if place == "home" else here
    place = {progress_file.PLACE: str(home) if place == "home" else "", "XDG_DATA_HOME": str(tmp_path)}
    holding(path, "before")
    kernels = [
        subprocess.Popen([sys.executable, "-c", KERNEL, name], cwd=tmp_path, env={**os.environ, **place})
        for name in "ab"
    ]
    assert [kernel.wait(60) for kernel in kernels] == [0, 0]
    assert set(content_of(path)) == {"before", *(f"{name}{number}" for name in "ab" for number in range(55))}


def test_lock_that_is_never_given_back_costs_only_a_moment(home, monkeypatch):
    monkeypatch.setattr(progress_file, "_PATIENCE", 0.1)
    home.parent.mkdir()
    with progress_file.FileLock(home.with_name("progress.json.lock")):
        solve("softmax")
    assert content_of(home) == ["softmax"]


def test_teachers_run_records_each_check_and_writes_no_progress(tmp_path, home, monkeypatch):
    holding(home, "how_far_behind")  # the teacher's
    monkeypatch.setenv(progress_file.RECORD, str(tmp_path / "record.jsonl"))
    assert "Lesson 5: 0 of 3 solved." in solve("softmax").remarks
    check("embed", lambda ids, table: table[ids].T)
    entries = [json.loads(line) for line in (tmp_path / "record.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(entry["exercise"], entry["status"], entry["mistake"]) for entry in entries] == [
        ("softmax", RIGHT, None),
        ("embed", WRONG, "transposed"),
    ]
    assert content_of(home) == ["how_far_behind"]
