"""start.py says what is wrong before anything is installed, and installs what Binder does."""

import ast
import os
import re
import shutil
import subprocess
import sys
import urllib.error
from pathlib import Path
from typing import Any

import nbformat
import nbformat.sign
import pytest
from test_binder import pins_of

import start
from tools.execute import ROOT

GLIBC, NO_MAC = ("glibc", "2.36"), ()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of which nothing is set up, and a pip that does nothing; what it is asked lands in `asked`."""
    monkeypatch.setattr(start, "ROOT", tmp_path)
    monkeypatch.setattr(start, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(start, "DONE", tmp_path / ".venv" / "set-up.txt")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.fixture
def asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    asked: list[tuple[str, ...]] = []

    def make_venv() -> None:
        start.python().parent.mkdir(parents=True, exist_ok=True)
        start.python().touch()

    def pip(*arguments: str, otherwise: str = "") -> bool:
        asked.append(arguments)
        return True

    monkeypatch.setattr(start, "make_venv", make_venv)
    monkeypatch.setattr(start, "pip", pip)
    monkeypatch.setattr(start, "wants_cpu_build", lambda: False)
    return asked


def test_an_old_python_can_read_the_file() -> None:
    ast.parse((ROOT / "start.py").read_text(encoding="utf-8"), feature_version=(3, 8))
    assert (ROOT / "start.py").read_text(encoding="utf-8").isascii()  # a console may show nothing else


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (3, 14)])
def test_a_python_that_torch_is_built_for_is_taken(version: tuple[int, int]) -> None:
    start.check_python(version)


@pytest.mark.parametrize("version", [(3, 8), (3, 10), (3, 15), (4, 0)])
@pytest.mark.parametrize("other", [None, "python3.12"])
def test_another_python_is_refused_in_a_sentence(
    version: tuple[int, int], other: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "_runs", lambda name: name == other)
    with pytest.raises(start.Stopped) as stopped:
        start.check_python(version)
    said = str(stopped.value)
    assert said.startswith(f"The course needs Python 3.11 to 3.14, and this is {version[0]}.{version[1]}. ")
    assert ("run  python3.12 start.py" if other else "https://www.python.org/downloads/") in said


def test_the_versions_are_those_that_the_project_names() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lowest, after = re.search(r'requires-python = ">=3\.(\d+),<3\.(\d+)"', project).groups()
    assert ((3, int(lowest)), (3, int(after) - 1)) == (start.OLDEST, start.NEWEST)


@pytest.mark.parametrize(
    "machine",
    [
        ("Linux", "x86_64", 64, GLIBC, NO_MAC),
        ("Linux", "aarch64", 64, ("glibc", "2.28"), NO_MAC),
        ("Linux", "x86_64", 64, ("", ""), NO_MAC),  # nothing tells: pip will
        ("Darwin", "arm64", 64, ("", ""), (14, 2)),
        ("Darwin", "arm64", 64, ("", ""), (10, 16)),  # what an old Python says of any newer macOS
        ("Windows", "AMD64", 64, ("", ""), NO_MAC),
    ],
)
def test_a_machine_that_torch_is_built_for_is_taken(machine: Any) -> None:
    start.check_machine(*machine)


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        (("Linux", "i686", 32, GLIBC, NO_MAC), "of 32 bits"),
        (("Linux", "x86_64", 64, ("musl", ""), NO_MAC), "Alpine"),
        (("Linux", "x86_64", 64, ("glibc", "2.17"), NO_MAC), "this Linux has 2.17"),
        (("Linux", "riscv64", 64, GLIBC, NO_MAC), "riscv64"),
        (("Darwin", "x86_64", 64, ("", ""), (15, 1)), "Intel"),
        (("Darwin", "arm64", 64, ("", ""), (13, 6)), "this is macOS 13"),
        (("Windows", "ARM64", 64, ("", ""), NO_MAC), "Windows on arm64"),
    ],
)
def test_another_machine_is_refused_in_a_sentence(machine: Any, said: str) -> None:
    with pytest.raises(start.Stopped, match=re.escape(said)):
        start.check_machine(*machine)


def test_a_path_too_long_for_windows_is_refused(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 70)
    deep.mkdir()
    start.check_folder(deep, "Linux")
    with pytest.raises(start.Stopped, match="nearer to the root of a drive"):
        start.check_folder(deep, "Windows")


def test_a_folder_that_cannot_be_written_to_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(**_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(start.tempfile, "TemporaryFile", refuse)
    with pytest.raises(start.Stopped, match=r"Permission denied\): copy the course"):
        start.check_folder(tmp_path, "Linux")


def test_a_full_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def free(gigabytes: float) -> None:
        usage = shutil._ntuple_diskusage(10**11, 10**11, int(gigabytes * 1e9))
        monkeypatch.setattr(start.shutil, "disk_usage", lambda _: usage)

    free(0.3)
    with pytest.raises(start.Stopped, match=r"needs 2 GB of free disk, and there are 0\.3"):
        start.check_room(tmp_path, cuda=False)
    free(4)
    start.check_room(tmp_path, cuda=False)
    assert capsys.readouterr().out == ""
    start.check_room(tmp_path, cuda=True)
    assert "There are 4.0 GB of free disk" in capsys.readouterr().out


def test_what_is_installed_is_what_binder_installs(folder: Path, asked: list[tuple[str, ...]]) -> None:
    start.set_up(None, weights=False)
    (line,) = asked
    binder = pins_of("binder/requirements.txt")
    binder["torch"] = binder["torch"].removesuffix("+cpu")
    del binder["notebook"]
    assert line[0] == "install" and line[-2:] == ("-e", str(folder))
    assert {part for part in line if "==" in part} == {f"{name}=={version}" for name, version in binder.items()}


def test_the_second_start_installs_nothing(folder: Path, asked: list[tuple[str, ...]]) -> None:
    start.set_up(None, weights=False)
    start.set_up(None, weights=False)
    assert len(asked) == 1
    start.set_up(None, weights=True)
    assert asked[-1][-2:] == ("-r", str(start.WEIGHTS)) and "--require-hashes" in asked[-1]
    pyproject = folder / "pyproject.toml"
    pyproject.write_text(pyproject.read_text(encoding="utf-8") + "\n# newer", encoding="utf-8")
    before = len(asked)
    start.set_up(None, weights=False)
    assert len(asked) == before + 1


def test_the_cpu_build_comes_first_and_from_its_own_index_alone(
    folder: Path, asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "wants_cpu_build", lambda: True)
    start.set_up(None, weights=False)
    first, second = asked
    assert "--index-url" in first and first[-1].startswith("torch==") and "--index-url" not in second
    shutil.rmtree(start.VENV)
    asked.clear()
    start.set_up(folder / "wheels", weights=False)
    (line,) = asked
    assert line[:4] == ("install", "--no-compile", "--no-index", "--find-links")


def test_without_the_index_of_cpu_builds_pip_takes_what_it_finds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unreachable(*_: Any, timeout: float) -> None:
        assert timeout <= 5
        raise urllib.error.URLError("no route")

    monkeypatch.setattr(start, "urlopen", unreachable)
    monkeypatch.setattr(start.sys, "platform", "linux")
    monkeypatch.setattr(start.shutil, "which", lambda _: None)
    assert start.wants_cpu_build() is False
    monkeypatch.setattr(start.shutil, "which", lambda _: "/usr/bin/nvidia-smi")
    monkeypatch.setattr(start, "urlopen", lambda *_, **__: pytest.fail("there is a GPU, so nobody needs to ask"))
    assert start.wants_cpu_build() is False


def test_what_pip_cannot_do_is_said(folder: Path, asked: list, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "pip", lambda *_, **__: False)
    with pytest.raises(start.Stopped, match="See that there is a network"):
        start.set_up(None, weights=False)
    assert not start.DONE.exists()


def test_a_lesson_is_found_by_its_number() -> None:
    assert start.lesson_file(7) == "07-summing.ipynb"
    with pytest.raises(start.Stopped, match=r"no lesson 99: they are 1 to \d+\."):
        start.lesson_file(99)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other home folders")
def test_without_a_home_folder_settings_are_kept_beside_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nowhere/at/all")
    monkeypatch.setenv("JUPYTER_DATA_DIR", "/mine")
    places = start.own_folders()
    assert places.pop("JUPYTER_DATA_DIR") == "/mine"
    assert all(Path(place).is_relative_to(start.VENV) for place in places.values()) and "IPYTHONDIR" in places
    monkeypatch.setenv("HOME", str(Path.cwd()))
    assert start.own_folders() == {} or not os.access(Path.cwd(), os.W_OK)


@pytest.mark.skipif(os.name == "nt", reason="there the program waits for JupyterLab")
def test_as_root_jupyterlab_is_told_that_it_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(start.os, "execve", lambda _, command, __: started.append(command))
    monkeypatch.setattr(start.os, "chdir", lambda _: None)
    monkeypatch.setattr(start.subprocess, "call", lambda *_, **__: 0)
    monkeypatch.setattr(start, "trust_lessons", lambda _: None)
    for user in (0, 1000):
        monkeypatch.setattr(start.os, "geteuid", lambda user=user: user)
        start.open_lesson("02-weights.ipynb")
    assert ["--allow-root" in command for command in started] == [True, False]
    assert all("--LabApp.default_url=/lab/tree/notebooks/02-weights.ipynb" in command for command in started)


@pytest.mark.parametrize("system", ["posix", "nt"])
@pytest.mark.parametrize("already_set", ["", "mine"])
def test_jupyterlab_is_given_the_settings_of_the_course_before_others(
    system: str, already_set: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []

    def note(*_: object, env: dict[str, str], **__: object) -> int:
        given.append(env["JUPYTER_CONFIG_PATH"])
        return 0

    monkeypatch.setenv("JUPYTER_CONFIG_PATH", already_set)
    monkeypatch.setattr(start, "own_folders", dict)
    monkeypatch.setattr(start, "trust_lessons", lambda _: None)
    monkeypatch.setattr(start.os, "chdir", lambda _: None)
    monkeypatch.setattr(start.os, "execve", lambda _, __, environment: note(env=environment))
    monkeypatch.setattr(start.subprocess, "call", note)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(start.os, "name", system)
        start.open_lesson("02-weights.ipynb")
    assert given[0] == os.pathsep.join(filter(None, [str(ROOT / "settings"), already_set]))


def test_lessons_are_trusted_once_and_again_when_they_change(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(start, "ROOT", tmp_path)
    monkeypatch.setattr(start, "TRUSTED", tmp_path / "trusted.txt")
    monkeypatch.setattr(start, "python", lambda: sys.executable)
    (tmp_path / "notebooks").mkdir()
    lesson = tmp_path / "notebooks" / "01-a.ipynb"
    folder = {"JUPYTER_DATA_DIR": str(tmp_path / "data")}
    for text in ("a", "b"):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text, id="a")])
        nbformat.write(notebook, lesson)
        start.trust_lessons({**os.environ, **folder})
        monkeypatch.setenv("JUPYTER_DATA_DIR", folder["JUPYTER_DATA_DIR"])
        assert nbformat.sign.NotebookNotary().check_signature(nbformat.read(lesson, as_version=4))
    monkeypatch.setattr(start.subprocess, "run", lambda *_, **__: pytest.fail("nothing has changed"))
    start.trust_lessons({})


def test_where_nothing_can_be_written_lessons_open_untrusted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(start, "TRUSTED", tmp_path / "no folder" / "trusted.txt")
    monkeypatch.setattr(start, "python", lambda: tmp_path / "no python")
    start.trust_lessons({})


def test_what_is_wrong_ends_the_command_with_1(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(start, "set_up", lambda *_: pytest.fail("the lesson is looked for first"))
    assert start.main(["99"]) == 1
    assert "There is no lesson 99" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--help"])
def test_it_runs_by_itself(option: str) -> None:
    command = [sys.executable, "-S", "-E", str(ROOT / "start.py"), option]  # -S: nothing but Python itself
    done = subprocess.run(command, capture_output=True, text=True, cwd="/" if os.name != "nt" else None)
    assert done.returncode == 0 and "--collect" in done.stdout, done.stderr
