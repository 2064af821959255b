"""Re-execution: the same bytes twice, what is kept, and what --check notices."""

import base64
import copy
import hashlib
import io
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from helpers.models import minilm
from tools import execute

PICTURE = """\
import base64, io, pathlib, sys
from PIL import Image
from IPython.display import HTML
png = io.BytesIO()
Image.new("RGB", (4, 4), "navy").save(png, "png")
pathlib.Path("beside.txt").write_text("a lesson may write here")
HTML(f'<img alt="blue" width="4" src="data:image/png;base64,{base64.b64encode(png.getvalue()).decode()}">')"""
OUTPUT = r"alt=\"blue\" width=\"4\" src=\"data:image/png;base64,iVBOR"
RANDOM = "import uuid\nprint(uuid.uuid4().hex)\nprint('Größe')\nsys.executable == " + repr(execute.sys.executable)


def _png(colour: str, **settings: Any) -> str:
    png = io.BytesIO()
    Image.new("RGB", (4, 4), colour).save(png, "png", **settings)
    return base64.b64encode(png.getvalue()).decode()


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small notebook as a front end leaves it, after one re-execution."""
    cells = [
        new_markdown_cell("# Title", id="title"),
        new_code_cell(PICTURE, id="picture", metadata={"jupyter": {"source_hidden": True, "outputs_hidden": True}}),
        new_code_cell("", id="empty"),
        new_markdown_cell("**Predict first.** Which number will it be?", id="question"),
        new_code_cell(RANDOM, id="random", metadata={"tags": ["keep"], "scrolled": True, "execution": {"a": "2026"}}),
        new_code_cell(
            "import time\ntime.time()", id="time", metadata={"tags": ["nbval-ignore-output"]}, execution_count=40
        ),
    ]
    metadata = {"kernelspec": {"name": "no-such-kernel", "display_name": "None"}, "title": "Small"}
    path = tmp_path_factory.mktemp("lessons") / "small.ipynb"
    nbformat.write(new_notebook(cells=cells, metadata=metadata), path)
    assert execute.main([str(path)]) == 0
    return path


def _copy(stored: Path, folder: Path, old: str = "", new: str = "") -> Path:
    path = folder / stored.name
    text = stored.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return path


@pytest.fixture
def run_before(stored: Path, monkeypatch: pytest.MonkeyPatch, fresh: NotebookNode) -> None:
    """What is compared with a file is what its notebook showed in one run, for a kernel takes seconds to start."""
    monkeypatch.setattr(execute, "executed", lambda path: copy.deepcopy(fresh))


@pytest.fixture(scope="module")
def fresh(stored: Path) -> NotebookNode:
    return execute.executed(stored)


def test_what_is_stored(stored: Path) -> None:
    notebook = nbformat.read(stored, as_version=4)
    picture, random = notebook.cells[1], notebook.cells[4]
    assert [cell.id for cell in notebook.cells] == ["title", "picture", "empty", "question", "random", "time"]
    assert [cell.get("execution_count") for cell in notebook.cells] == [None, 1, None, None, 2, 3]
    assert picture.metadata == {"jupyter": {"source_hidden": True}}
    assert random.metadata == {"tags": ["keep"], "jupyter": {"outputs_hidden": True}}
    assert notebook.metadata == execute.METADATA
    nothing, printed, result = random.outputs  # JupyterLab shows the first of those that are closed
    assert nothing.data == {} and printed.text == f"{1:032x}\nGröße\n"
    assert result.data["text/plain"] == "True"  # this Python, whatever the metadata asked for
    assert f"base64,{_png('navy')}" in picture.outputs[0].data["text/html"]
    assert stored.read_bytes().endswith(b"\n}\n") and "Größe".encode() in stored.read_bytes()
    assert [path.name for path in stored.parent.iterdir()] == ["small.ipynb"]


def test_twice_is_the_same(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = stored.read_bytes()
    assert execute.main([str(stored)]) == 0
    assert stored.read_bytes() == before
    assert "unchanged" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "status", "message"),
    [
        ("", "", 0, ""),
        ("Größe\\n", "Breite\\n", 1, "small.ipynb, cell [2], 'import uuid': the stored output"),
        (_png("navy"), _png("red"), 1, "small.ipynb, cell [1], 'import base64, io, pathlib, sys': stored picture 1"),
        (_png("navy"), "iVBORw0KGgoAAAAN", 1, "cell [1]"),
        (OUTPUT, OUTPUT.replace("blue", "red"), 1, "cell [1]"),
        (_png("navy"), _png("navy", compress_level=0), 0, ""),  # written by another zlib, it looks the same
        (_png("navy"), _png("#000088"), 0, ""),  # 8 levels of 255 more blue, which no eye sees
        (_png("navy"), _png("#000089"), 1, "stored picture 1"),
        ("time.time()", "print(time.time())", 1, "cell [3], 'import time': the stored output is of other code"),
    ],
    ids=[
        "as it was",
        "text",
        "picture",
        "half a picture",
        "alt text",
        "same picture",
        "nearly the same picture",
        "nearly the same, but seen",
        "of other code",
    ],
)
@pytest.mark.usefixtures("run_before")
def test_check(
    old: str,
    new: str,
    status: int,
    message: str,
    stored: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(execute, "_other_versions", list)
    path = _copy(stored, tmp_path, old, new)
    before = path.read_bytes()
    assert execute.main(["--check", str(path)]) == status
    printed = capsys.readouterr()
    assert message in printed.err and bool(printed.err) == bool(status)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["small.ipynb"]


def _set_time(path: Path, source: str, shown: str) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[5].source, notebook.cells[5].outputs[0].data["text/plain"] = source, shown
    path.write_text(execute.as_text(notebook), encoding="utf-8")


@pytest.mark.usefixtures("run_before")
def test_an_output_that_is_not_compared_is_kept(stored: Path, tmp_path: Path) -> None:
    path = _copy(stored, tmp_path)
    _set_time(path, "import time\ntime.time()", "1.5")
    before = path.read_bytes()
    assert execute.main(["--check", str(path)]) == 0 and execute.main([str(path)]) == 0
    assert path.read_bytes() == before


def test_an_output_that_is_not_compared_is_made_anew_where_its_code_has_changed(stored: Path, tmp_path: Path) -> None:
    path = _copy(stored, tmp_path)
    _set_time(path, "3 + 4", "1.5")
    assert execute.main([str(path)]) == 0
    cell = nbformat.read(path, as_version=4).cells[5]
    assert cell.outputs[0].data["text/plain"] == "7" and cell.metadata[execute.SOURCE_KEY] == execute.digest(cell)


@pytest.mark.usefixtures("run_before")
def test_check_compares_only_text_on_other_versions(
    stored: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(execute, "version", lambda name: "0.1")
    assert execute.main(["--check", str(_copy(stored, tmp_path, _png("navy"), _png("red")))]) == 0
    assert "Pictures are not compared, only text: requirements.txt pins matplotlib" in capsys.readouterr().out


def test_damaged_weights_are_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in minilm.SHA256:
        (tmp_path / name).write_bytes(b"damaged")
    monkeypatch.setenv(minilm.FOLDER, str(tmp_path))
    path = tmp_path / "with.ipynb"
    cell = new_code_cell("minilm", metadata={"tags": [execute.NEEDS_WEIGHTS_TAG]})
    nbformat.write(new_notebook(cells=[cell]), path)
    assert execute.main([str(path)]) == 1
    printed = capsys.readouterr()
    assert "is not the file that was published" in printed.err and "left out" not in printed.out


OWN_FOLDERS = """\
import os
from pathlib import Path
assert "user" not in os.environ["ATTENTION_DATA"] and not Path(os.environ["ATTENTION_DATA"]).exists()
assert "user" not in os.environ["IPYTHONDIR"] and not "started" in globals()"""


def test_nobodys_downloads_and_start_up_files_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    startup = tmp_path / "user" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "own.py").write_text("started = True")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "user"))
    monkeypatch.setenv("ATTENTION_DATA", str(tmp_path / "user"))
    path = tmp_path / "clean.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(OWN_FOLDERS)]), path)
    assert execute.main([str(path)]) == 0


@pytest.mark.parametrize(("failing", "error"), [("x / 0", "ZeroDivisionError: "), ("os._exit(1)", "DeadKernelError: ")])
def test_a_failing_cell_leaves_the_file_as_it_was(
    failing: str, error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "failing.ipynb"
    sources = ["import os", "", f"x = 2\n{failing}", "print(x)"]
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    before = path.read_bytes()
    assert execute.main([str(path)]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"{path}, cell [2] raised an error:\n    x = 2\n    {failing}\n  {error}")
    assert "Traceback" not in message
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["failing.ipynb"]


RAISES_ITS_OWN = 'class Missing(Exception):\n    pass\nraise Missing("a file")'


def test_an_error_that_is_only_called_missing_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(RAISES_ITS_OWN)]), path)
    assert execute.main(["--check", str(path)]) == 1
    printed = capsys.readouterr()
    assert "Missing: a file" in printed.err and "left out" not in printed.out


@pytest.mark.parametrize("there", [True, False])
def test_only_a_notebook_that_says_so_is_left_out_without_weights(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is left out before it runs; with weights, whatever it raises is a failure."""
    content = b"weights"
    for name in minilm.SHA256:
        (tmp_path / name).write_bytes(content)
    monkeypatch.setattr(minilm, "SHA256", dict.fromkeys(minilm.SHA256, hashlib.sha256(content).hexdigest()))
    monkeypatch.setenv(minilm.FOLDER, str(tmp_path if there else tmp_path / "nowhere"))
    cells = [
        new_code_cell(RAISES_ITS_OWN),
        new_code_cell("minilm.load()", metadata={"tags": [execute.NEEDS_WEIGHTS_TAG]}),
    ]
    path = tmp_path / "with.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    assert execute.main(["--check", str(path)]) == int(there)
    printed = capsys.readouterr()
    assert "Missing: a file" in printed.err if there else "left out: The folder" in printed.out


@pytest.mark.parametrize(("text", "message"), [(None, "cannot be read"), ("{", "is not a notebook"), ("[]", "is not")])
def test_what_is_no_notebook(
    text: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none.ipynb"
    if text is not None:
        path.write_text(text)
    assert execute.main([str(path)]) == 1
    assert message in capsys.readouterr().err


def test_widgets_are_stored_as_text() -> None:
    view = {"version_major": 2, "version_minor": 0, "model_id": "0123456789abcdef0123456789abcdef"}
    data = {execute.WIDGET_VIEW: view, "text/plain": "IntSlider(value=3)"}
    cell = new_code_cell("slider", outputs=[new_output("display_data", data)])
    notebook = new_notebook(cells=[cell], metadata={"widgets": {"state": {}}})
    assert execute.tidied(notebook).cells[0].outputs[0].data == {"text/plain": "IntSlider(value=3)"}
    assert "widgets" not in notebook.metadata


def test_weights_that_another_processor_rounds_differently_are_no_difference() -> None:
    def shown(words: str, weights: str, identity: str) -> NotebookNode:
        html = f'<div data-explorer="{identity}">{words}</div><script>f({{"id": "{identity}", "weights": "{weights}"}})'
        output = new_output("execute_result", {"text/html": html}, execution_count=1)
        return new_notebook(cells=[new_code_cell("explore", execution_count=1, outputs=[output])])

    stored = shown("the cat", "Nj8wDTUF9Q==", "a024c9ab10be")
    assert not list(execute.differences(stored, shown("the cat", "Nj8wDTUF9g==", "0024c9ab10be")))
    assert list(execute.differences(stored, shown("the dog", "Nj8wDTUF9Q==", "a024c9ab10be")))
