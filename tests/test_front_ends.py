"""What other front ends than JupyterLab need, and that nothing names the course's address before it is set."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import start
from tools import address, front_ends
from tools.execute import ROOT

SOMEWHERE = "https://github.com/some-owner/some-course"
FIRST = f"# @title Code: click to open\n{front_ends.note(None)}from helpers import pipeline\n\npipeline(5)"


def _project(folder: Path, urls: str) -> Path:
    (folder / "pyproject.toml").write_text(f'[project]\nname = "course"\n{urls}')
    return folder


@pytest.fixture(autouse=True)
def not_on_github(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)


@pytest.mark.parametrize("written", [SOMEWHERE, SOMEWHERE + "/", SOMEWHERE + ".git"])
def test_the_address_is_that_of_pyproject(tmp_path: Path, written: str) -> None:
    folder = _project(tmp_path, f'[project.urls]\nRepository = "{written}"')
    assert address.in_project(folder) == address.repository(folder) == SOMEWHERE


def test_no_address_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _project(tmp_path, "")
    assert address.in_project(folder) is address.repository(folder) is None
    monkeypatch.setenv("GITHUB_REPOSITORY", "some-owner/some-course")  # a workflow on GitHub, which builds the website
    assert (address.in_project(folder), address.repository(folder)) == (None, SOMEWHERE)


@pytest.mark.parametrize("wrong", ["https://github.com/OWNER", "http://github.com/a/b", "https://github.com/a/b/c"])
def test_an_address_that_is_none_is_refused(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ValueError, match="must be as"):
        address.in_project(_project(tmp_path, f'[project.urls]\nRepository = "{wrong}"'))


def test_addresses_of_the_services() -> None:
    name = "some-owner/some-course"
    assert address.archive(SOMEWHERE) == f"{SOMEWHERE}/archive/HEAD.zip"
    assert address.colab(SOMEWHERE, "04-scores").endswith(f"/github/{name}/blob/HEAD/notebooks/04-scores.ipynb")
    assert f"/gh/{name}/HEAD?" in address.binder(SOMEWHERE) and address.codespace(SOMEWHERE).endswith(f"/{name}")


def test_lessons_and_readme_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert front_ends.main(["--check"]) == 0, capsys.readouterr().out


def test_what_is_written_follows_the_address_and_comes_off_again() -> None:
    lesson = (ROOT / "notebooks" / "04-scores.ipynb").read_text(encoding="utf-8")
    there = front_ends.of_file(lesson, SOMEWHERE)
    assert there.count(f"Run %pip install {SOMEWHERE}/archive/HEAD.zip in a new cell") == 1
    assert front_ends.of_file(there, SOMEWHERE) == there
    without = front_ends.of_file(there, None)
    assert without == front_ends.of_file(lesson, None) and SOMEWHERE not in without
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    buttons = front_ends.of_readme(readme, SOMEWHERE)
    assert buttons.count(SOMEWHERE) >= 2 and "colab.research.google.com" in buttons and "mybinder.org/v2" in buttons
    assert front_ends.of_readme(buttons, None) == front_ends.of_readme(readme, None)


def test_solutions_are_closed_in_each_front_end_by_its_own_mark() -> None:
    solution = {"cell_type": "code", "metadata": {"jupyter": {"source_hidden": True}}, "source": ["# Solution\n", "1"]}
    notebook = {"cells": [{"cell_type": "code", "metadata": {}, "source": "1"}, solution]}
    for _ in range(2):  # written twice, it is the same
        front_ends.of_lesson(notebook, None)
        assert solution["source"] == ["# @title Solution\n", "1"]
        assert solution["metadata"].items() >= {"cellView": "form", "_kg_hide-input": True}.items()
    assert notebook["cells"][0]["metadata"] == {}


def test_a_closed_first_cell_has_its_title_above_what_it_says() -> None:
    cell = {"cell_type": "code", "metadata": {"jupyter": {"source_hidden": True}}, "source": "# Code\nimport helpers"}
    for _ in range(2):
        front_ends.of_lesson({"cells": [cell]}, None)
        assert cell["source"] == f"# @title Code\n{front_ends.note(None)}import helpers"


@pytest.mark.parametrize("stranger", [False, True])
def test_a_lesson_alone_says_what_to_do(stranger: bool) -> None:
    """`helpers` is missing, or a stranger's: the package of that name on PyPI has nothing of ours in it."""
    module = "types.ModuleType('helpers')" if stranger else "None"
    script = (
        "import json, sys, types\n"
        f"sys.modules['helpers'] = {module}\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell(colors='nocolor')\n"
        "done = shell.run_cell(json.loads(sys.argv[1]))\n"
        "assert isinstance(done.error_in_exec, ImportError)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, json.dumps(FIRST)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for line in front_ends.note(None).splitlines():
        assert line in done.stdout


def test_a_tool_survives_a_console_that_lacks_a_sign() -> None:
    script = "import tools; print('\u2713 \u738b')"
    environment = os.environ | {"PYTHONIOENCODING": "cp1252", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True)
    assert (done.returncode, done.stdout.split()) == (0, [b"?", b"?"]), done.stderr


def test_a_codespace_installs_what_start_does() -> None:
    lines = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8").splitlines()
    container = json.loads("\n".join(line for line in lines if not line.startswith("//")))
    assert container["postCreateCommand"] == "python3 start.py --set-up"
    assert (ROOT / container["customizations"]["codespaces"]["openFiles"][0]).exists()
    version = re.search(r"python:(\d+)\.(\d+)-", container["image"]).groups()
    assert start.OLDEST <= tuple(map(int, version)) <= start.NEWEST
