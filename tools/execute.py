"""Run notebooks afresh and store what they show, or check that what they store is still what they show.

Usage::

    python -m tools.execute                       all lessons, in place
    python -m tools.execute notebooks/04-*.ipynb  only these
    python -m tools.execute --check               write nothing; fail where a stored output is out of date

The same notebook run twice gives the same file, byte for byte, so a diff shows only what a lesson changed.
"""

import argparse
import base64
import difflib
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from PIL import Image

from helpers.files import write_whole
from helpers.wording import first_line

ROOT = Path(__file__).resolve().parents[1]
SECONDS_A_CELL = 600

# What every lesson's metadata are. They name no version of Python, so that any version stores the same file.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}
# Written by front ends and by execution: times, and what one reader had folded away.
VOLATILE = {"ExecuteTime", "collapsed", "execution", "scrolled", "trusted"}
IGNORED_TAG = "nbval-ignore-output"
SOURCE_KEY = "output_of"  # in the metadata of such a cell: a digest of the code that its stored output is of
PREDICTION = "**Predict first"  # a text with these words asks what the next output will be
AFTER_GUESS = "After your guess: what it shows, and why"  # opens the words below that output
NEEDS_WEIGHTS_TAG = "needs-weights"  # on the cell that loads those of one of these modules of helpers.models
WEIGHTS_OF_OTHERS = ("minilm", "smollm")

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
RANDOM_ID = re.compile(r"(?<![\w+/=])[0-9a-f]{32}(?![\w+/=])")  # not inside the base64 of a picture
PICTURE = re.compile(r'(<img\b[^>]*?)\bwidth="\d+"([^>]*?\bsrc=")data:image/png;base64,([A-Za-z0-9+/=]+)')
# The weights in an explorer, in steps so small that processors round them differently, and the id that is made of them.
ROUNDED = re.compile(r'((?:data-explorer=|"id": |"weights": )")(?:[0-9a-f]{12}|[A-Za-z0-9+/=]{8,})(?=")')

PINNED = ("matplotlib", "torch")  # what decides how a picture comes out
# Levels of 255: another processor may round a colour differently, which a picture's own rounding makes one step of 8,
# and no eye sees it. At a slanting edge it may be two or three steps, in a few pixels of many.
UNSEEN = 8
UNSEEN_AT_EDGES, SHARE_AT_EDGES = 24, 1e-4


class LessonError(Exception):
    """A notebook that cannot be read or run, in words for the person who changed it."""


class LeftOut(LessonError):
    """A notebook that needs something this machine lacks, which is no fault of the notebook."""


class ThisPython(AsyncKernelManager):
    """Starts the Python that runs this module, whichever kernels are installed beside it."""

    @property
    def kernel_spec(self) -> KernelSpec:
        """What to start: ipykernel under this interpreter."""
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0 when all went well, 1 when a notebook cannot be run or, with --check, is out of date.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.execute", description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="all lessons when left out")
    parser.add_argument("--check", action="store_true", help="write nothing, fail where a stored output is out of date")
    options = parser.parse_args(arguments)
    paths = options.notebooks or sorted((ROOT / "notebooks").glob("*.ipynb"))
    if not paths:
        print(f"There are no notebooks in {ROOT / 'notebooks'}.", file=sys.stderr)
        return 1

    pictures = True
    if options.check and (others := _other_versions()):
        pictures = False
        print(f"Pictures are not compared, only text: requirements.txt pins {', '.join(others)}.")
    # Two at a time where times are not stored, for a lesson often waits for one thread.
    with ThreadPoolExecutor(2 if options.check else 1) as pool:
        good = list(pool.map(lambda path: _process(path, options.check, pictures), paths))
    return 0 if all(good) else 1


def _process(path: Path, check: bool, pictures: bool) -> bool:
    """Run one notebook and store or compare its outputs; True where nothing is wrong with it."""
    start = time.perf_counter()
    try:
        stored, fresh = read(path), executed(path)
        changes = [f"{path}, {change}" for change in differences(stored, fresh, pictures)] if check else []
        result = ("out of date" if changes else "up to date") if check else _store(stored, fresh, path)
    except LeftOut as error:
        changes, result = [], f"left out: {error}"
    except LessonError as error:
        changes, result = [str(error)], "failed"
    print(f"{path.name:32} {time.perf_counter() - start:5.1f} s  {result}", flush=True)
    for change in changes:
        print(change, file=sys.stderr, flush=True)
    return not changes


def read(path: Path) -> NotebookNode:
    """Read the notebook in a file.

    Parameters
    ----------
    path : Path
        Of the file.

    Returns
    -------
    NotebookNode
        In nbformat's version 4.

    Raises
    ------
    LessonError
        There is no such file, or it is not a notebook.
    """
    try:
        return nbformat.v4.upgrade(nbformat.reads(path.read_text(encoding="utf-8"), as_version=4))
    except OSError as error:
        raise LessonError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, AttributeError) as error:
        raise LessonError(f"{path} is not a notebook: {error}.") from None


def executed(path: Path) -> NotebookNode:
    """Run a notebook as "restart and run all" does, and tidy it. The file and its folder stay as they are.

    Parameters
    ----------
    path : Path
        Of the notebook.

    Returns
    -------
    NotebookNode
        With the outputs of this run.

    Raises
    ------
    LessonError
        The notebook cannot be read, or a cell raises an error: names the cell, its source and the error. Or the weights
        that it needs are damaged.
    LeftOut
        It says that it needs weights that others have published, and they cannot be had.
    """
    notebook = read(path)
    _look_for_weights(notebook)
    with tempfile.TemporaryDirectory() as scratch:
        folder = _copy_of_folder(path, Path(scratch))
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]  # the helpers beside these notebooks
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(paths),
            "IPYTHONDIR": str(Path(scratch) / "ipython"),  # nobody's start-up files
            "ATTENTION_DATA": str(Path(scratch) / "data"),  # nobody's downloads: what is stored shows none
            "ATTENTION_PROGRESS": str(Path(scratch) / "progress.json"),
        }
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            kernel_manager_class=ThisPython,
            resources={"metadata": {"path": str(folder)}},
            timeout=SECONDS_A_CELL,
            record_timing=False,
            coalesce_streams=True,
            shutdown_kernel="immediate",
        )
        try:
            client.execute(env=environment, stderr=subprocess.DEVNULL)  # where the kernel writes about itself
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            raise LessonError(_what_failed(path, notebook, client.code_cells_executed, error)) from None
    for cell in not_compared(notebook.cells):
        cell.metadata[SOURCE_KEY] = digest(cell)
    return tidied(notebook)


def _look_for_weights(notebook: NotebookNode) -> None:
    """Raise LeftOut where the weights that a notebook says it needs are missing, LessonError where they are damaged.

    Asked before the notebook runs: the error that ends a run is known by the name of its class alone, which says
    neither where the class comes from nor what it was that was missing.
    """
    for name in weights_needed(notebook):
        from helpers.models import weight_files  # here: models import torch, which other notebooks need not wait for

        try:
            import_module(f"helpers.models.{name}").find()
        except weight_files.WeightsMissing as error:
            raise LeftOut(str(error)) from None
        except weight_files.ChecksumError as error:
            raise LessonError(str(error)) from None


def weights_needed(notebook: Mapping[str, Any]) -> list[str]:
    """Tell which weights that others have published a notebook says it needs.

    Parameters
    ----------
    notebook : NotebookNode or dict
        As it is read, by nbformat or as JSON.

    Returns
    -------
    list of str
        The modules of helpers.models that its tagged cells name.
    """
    tagged = [cell for cell in notebook["cells"] if NEEDS_WEIGHTS_TAG in cell["metadata"].get("tags", [])]
    sources = "".join("".join(cell["source"]) for cell in tagged)
    return [name for name in WEIGHTS_OF_OTHERS if name in sources]


def _copy_of_folder(path: Path, scratch: Path) -> Path:
    """A folder to run in, so that files that a lesson writes never land in the repository."""
    folder = scratch / "notebooks"
    if path.resolve().is_relative_to(ROOT):  # a notebook from elsewhere may lie in a folder of any size
        unwanted = shutil.ignore_patterns(".*", "__pycache__", "*.ipynb")
        shutil.copytree(path.resolve().parent, folder, ignore=unwanted)
    else:
        folder.mkdir()
    return folder


def _what_failed(path: Path, notebook: NotebookNode, number: int, error: Exception) -> str:
    """Name the cell that failed, with its source and the error."""
    source = "\n".join(f"    {line}" for line in dict(code_cells(notebook))[number].source.splitlines())
    name, value = getattr(error, "ename", type(error).__name__), getattr(error, "evalue", str(error))
    return f"{path}, cell [{number}] raised an error:\n{source}\n  {name}: {_shortened(value)}"


def _shortened(text: str) -> str:
    """Keep the first lines that say something."""
    lines = [line for line in str(text).splitlines() if line.strip()]
    return "\n  ".join(lines[:6])


def code_cells(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    """List the code cells that have something to run, as JupyterLab numbers them after Run All.

    Parameters
    ----------
    notebook : NotebookNode
        Which is not changed.

    Returns
    -------
    iterator of (int, NotebookNode)
        Numbers, from 1, and cells.
    """
    cells = (cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip())
    return enumerate(cells, start=1)


def tidied(notebook: NotebookNode) -> NotebookNode:
    """Remove what differs from run to run or from reader to reader.

    Parameters
    ----------
    notebook : NotebookNode
        Which is changed.

    Returns
    -------
    NotebookNode
        The same.
    """
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        for key in VOLATILE & set(cell.metadata):
            del cell.metadata[key]
        if "jupyter" in cell.metadata:
            cell.metadata.jupyter.pop("outputs_hidden", None)
            if not cell.metadata.jupyter:
                del cell.metadata["jupyter"]
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [output for output in map(_tidied_output, cell.outputs) if output]
    for cell in answers(notebook.cells):
        cell.metadata.setdefault("jupyter", nbformat.from_dict({})).outputs_hidden = True
        # In place of closed outputs JupyterLab shows the first line of the first one, which would be the answer.
        cell.outputs.insert(0, nbformat.v4.new_output("display_data"))
    for number, cell in code_cells(notebook):
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number
    _renumber_ids(notebook)
    return notebook


def answers(cells: Sequence[Any]) -> Iterator[Any]:
    """Find the cells that answer a "Predict first": their outputs are stored closed, and open when the cell is run.

    Parameters
    ----------
    cells : sequence of NotebookNode or dict
        Of a notebook, in order.

    Yields
    ------
    NotebookNode or dict
        The first code cell with an output after each text that asks for a prediction.
    """
    asked = False
    for cell in cells:
        if cell["cell_type"] == "markdown":
            asked = asked or PREDICTION in "".join(cell["source"])
        elif asked and cell["cell_type"] == "code" and cell["outputs"]:
            yield cell
            asked = False


def not_compared(cells: Sequence[Any]) -> Iterator[Any]:
    """Find the cells whose output differs at each run, and is compared with nothing.

    Parameters
    ----------
    cells : sequence of NotebookNode or dict
        Of a notebook.

    Yields
    ------
    NotebookNode or dict
        Each code cell with the tag.
    """
    yield from (cell for cell in cells if IGNORED_TAG in cell["metadata"].get("tags", []))


def digest(cell: Mapping[str, Any]) -> str:
    """Name the code of a cell, so that one can tell whether a stored output is of this code or of an older one.

    Parameters
    ----------
    cell : NotebookNode or dict
        Whose source is named.

    Returns
    -------
    str
        12 hexadecimal digits.
    """
    return hashlib.sha256("".join(cell["source"]).encode()).hexdigest()[:12]


def _tidied_output(output: NotebookNode) -> NotebookNode | None:
    """Drop a widget's view; None where nothing else is left.

    A view is nothing without its state, which is large and full of random ids: JupyterLab would show "Error displaying
    widget" in its place. Without it, the text or HTML that stands for the widget is shown.
    """
    if "data" in output:
        output.data.pop(WIDGET_VIEW, None)
        if not output.data:
            return None
    return output


def _renumber_ids(notebook: NotebookNode) -> None:
    """Make random ids of 32 hexadecimal digits 1, 2, 3 ... in order of first appearance."""
    seen: dict[str, str] = {}

    def numbered(value: Any) -> Any:
        if isinstance(value, str):
            return RANDOM_ID.sub(lambda found: seen.setdefault(found[0], f"{len(seen) + 1:032x}"), value)
        if isinstance(value, list):
            return [numbered(item) for item in value]
        if isinstance(value, dict):
            return nbformat.from_dict({key: numbered(item) for key, item in value.items()})
        return value

    for _, cell in code_cells(notebook):
        cell.outputs = numbered(cell.outputs)


def as_text(notebook: NotebookNode) -> str:
    """Write a notebook as its file holds it.

    Parameters
    ----------
    notebook : NotebookNode
        Which is not changed.

    Returns
    -------
    str
        JSON, with a line break at its end.
    """
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def _store(stored: NotebookNode, fresh: NotebookNode, path: Path) -> str:
    """Write the notebook where it has changed, and say whether it had."""
    for (_, old), (_, new) in zip(code_cells(tidied(stored)), code_cells(fresh), strict=True):
        if old.metadata.get(SOURCE_KEY) == digest(old) and old.outputs:
            new.outputs = old.outputs  # differs at each run: clear it by hand to have it made anew
    text = as_text(fresh).encode()
    if text == path.read_bytes():
        return "unchanged"
    write_whole(path, text)
    return "written"


def differences(stored: NotebookNode, fresh: NotebookNode, pictures: bool = True) -> Iterator[str]:
    """Find the cells whose stored outputs are not what they show now.

    Parameters
    ----------
    stored, fresh : NotebookNode
        The notebook as it was, and after execution.
    pictures : bool
        Compare what pictures look like, or only their alt text.

    Yields
    ------
    str
        A message for each such cell.
    """
    for (number, old), (_, new) in zip(code_cells(tidied(stored)), code_cells(fresh), strict=True):
        if IGNORED_TAG in old.metadata.get("tags", []):
            if old.metadata.get(SOURCE_KEY) != digest(old):
                yield f"cell [{number}], {first_line(new.source)!r}: the stored output is of other code"
            continue
        if change := _change(old.outputs, new.outputs, pictures):
            yield f"cell [{number}], {first_line(new.source)!r}: {change}"


def _change(old: list[NotebookNode], new: list[NotebookNode], pictures: bool) -> str | None:
    """Say in which way two outputs of a cell differ; None where they do not."""
    old_images, old_text = _split(old)
    new_images, new_text = _split(new)
    if old_text != new_text:
        lines = difflib.unified_diff(old_text, new_text, "stored", "fresh", lineterm="", n=0)
        return "the stored output is not the fresh one:\n" + "\n".join(f"    {line[:160]}" for line in [*lines][:12])
    if not pictures:
        return None
    wrong = [i for i, pair in enumerate(zip(old_images, new_images, strict=True), 1) if not _look_alike(*pair)]
    return f"stored picture {wrong[0]} of {len(new_images)} is not the fresh one" if wrong else None


def _split(outputs: list[NotebookNode]) -> tuple[list[str], list[str]]:
    """Part what a cell shows into its pictures, as base64, and all else, as lines of text."""
    images: list[str] = []

    def take(found: re.Match[str]) -> str:
        images.append(found[3])
        return f"{found[1]}{found[2]}picture"

    lines = []
    for output in outputs:
        shown = output.get("data", {output.get("name", output.output_type): output.get("text", "")})
        for kind, value in sorted(shown.items()):
            if kind in ("image/png", "image/jpeg"):
                images.append(value)
                value = "picture"
            lines.append(f"[{kind}]")
            text = PICTURE.sub(take, value if isinstance(value, str) else repr(value))
            lines.extend(ROUNDED.sub(r"\1packed", text).splitlines())
    return images, lines


def _look_alike(old: str, new: str) -> bool:
    """Whether no eye tells two pictures apart."""
    if old == new:
        return True
    try:
        before, after = (
            np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA"), dtype=int) for data in (old, new)
        )
    except Exception:  # a damaged picture makes Pillow raise errors of many types
        return False
    if before.shape != after.shape:
        return False
    apart = abs(before - after).max(axis=-1)
    return bool(apart.max() <= UNSEEN_AT_EDGES and (apart > UNSEEN).mean() <= SHARE_AT_EDGES)


def _other_versions() -> list[str]:
    """Find each pinned package that is installed in another version: "torch 2.13.0 and 2.12.0 is installed"."""
    pins = dict(re.findall(r"^([\w-]+)==([\w.]+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M))
    others = []
    for name in PINNED:
        try:
            installed = version(name).partition("+")[0]  # 2.13.0+cpu draws as 2.13.0 does
        except PackageNotFoundError:
            installed = "no version"
        if installed != pins[name]:
            others.append(f"{name} {pins[name]} and {installed} is installed")
    return others


if __name__ == "__main__":
    sys.exit(main())
