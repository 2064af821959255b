"""The text of lesson 13: docstrings of two groups of modules with nothing in common, the same at each call."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from helpers.data.docstrings import LETTERS, Docstrings, characters, docstrings, is_held_out


@pytest.fixture(scope="module")
def library() -> Docstrings:
    return docstrings()


def _written(folder: Path, files: dict[str, str]) -> Path:
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.encode())
    return folder


# Top-level names on either side of the split, whatever Python's version.
TRAINING, HELD_OUT = "json", "statistics"
BOTH = {f"{TRAINING}.py": '"""To learn from."""', f"{HELD_OUT}.py": '"""To test on."""'}


def test_enough_text_of_modules_that_every_python_has(library):
    assert characters(library.training) > 1_000_000
    assert characters(library.held_out) > 50_000
    assert {"argparse", "collections", "json.decoder", "logging"} <= set(library.training)
    assert {"copy", "fractions", "pickle", "statistics"} <= set(library.held_out)


def test_a_few_percent_are_held_out(library):
    share = characters(library.held_out) / (characters(library.training) + characters(library.held_out))
    assert 0.03 < share < 0.2


def test_no_module_and_no_docstring_is_on_both_sides(library):
    tops = [{name.partition(".")[0] for name in modules} for modules in (library.training, library.held_out)]
    assert not tops[0] & tops[1]
    texts = [[text for texts in modules.values() for text in texts] for modules in (library.training, library.held_out)]
    assert not set(texts[0]) & set(texts[1])
    assert len(set(texts[0])) == len(texts[0]) and len(set(texts[1])) == len(texts[1])


def test_held_out_is_decided_by_the_name_of_the_top_level_module():
    assert is_held_out(HELD_OUT) and is_held_out(f"{HELD_OUT}.anything") and not is_held_out(TRAINING)


def test_same_text_in_the_same_order_in_another_process(tmp_path):
    for package in ("asyncio", "collections", "email", "json", "urllib"):
        shutil.copytree(Path(sysconfig.get_path("stdlib")) / package, tmp_path / package)
    here = docstrings(_written(tmp_path, BOTH))
    assert len(here.training) > 40 and list(here.training) == sorted(here.training)
    script = "import sys; from helpers.data.docstrings import *; print(repr(docstrings(Path(sys.argv[1]))))"
    root = Path(__file__).parents[1]
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": str(root), "PYTHONIOENCODING": "utf-8"}
    run = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(run, cwd=root, env=environment, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == f"{here!r}\n"


def test_letters_are_a_line_break_and_printable_ascii(library):
    assert len(LETTERS) == 96
    used = {
        letter
        for modules in (library.training, library.held_out)
        for texts in modules.values()
        for text in texts
        for letter in text
    }
    assert used <= set(LETTERS)


def test_modules_are_parsed_and_not_imported(tmp_path):
    folder = _written(tmp_path, BOTH | {"antigravity.py": '"""Opens a browser."""\nraise SystemExit("imported")'})
    assert docstrings(folder).training["antigravity"] == ["Opens a browser."]


def test_docstrings_of_modules_classes_and_functions_in_the_order_of_the_file(tmp_path):
    source = '''
"""Module.

  Indented more.
The end.
"""
if True:
    class A:
        """Class."""
        def f(self):
            """Method."""
            async def g():
                """Inner."""
    x = "not a docstring"
    try:
        pass
    except ValueError:
        def h(): """In a handler."""
match x:
    case 1:
        def i(): """In a case."""
'''
    folder = _written(tmp_path, BOTH | {f"{TRAINING}.py": source})
    assert docstrings(folder).training[TRAINING] == [
        "Module.\n\n  Indented more.\nThe end.",
        "Class.",
        "Method.",
        "Inner.",
        "In a handler.",
        "In a case.",
    ]


def test_a_repeated_docstring_counts_once_and_on_the_side_of_training(tmp_path):
    twice, once = '"""Same."""\ndef f(): """Same."""', '"""Same."""\ndef f(): """Own."""'
    found = docstrings(_written(tmp_path, {f"{TRAINING}.py": twice, f"{HELD_OUT}.py": once}))
    assert (found.training, found.held_out) == ({TRAINING: ["Same."]}, {HELD_OUT: ["Own."]})


@pytest.mark.parametrize(
    "name",
    [
        "site-packages/a.py",
        "test/test_a.py",
        "asyncio/tests/a.py",
        "idlelib/a.py",
        "config-3.11/a.py",
        "2to3.py",
        "_sysconfigdata_linux.py",
        "json/__pycache__/a.py",
    ],
)
def test_what_is_no_part_of_the_library_is_left_out(tmp_path, name):
    folder = _written(tmp_path, BOTH | {name: '"""Elsewhere."""'})
    assert docstrings(folder) == docstrings(_written(tmp_path / "alone", BOTH))


def test_packages_are_called_as_they_are_imported(tmp_path):
    files = {"json/__init__.py": '"""Package."""', "json/tool.py": '"""Tool."""', f"{HELD_OUT}.py": '"""Other."""'}
    assert list(docstrings(_written(tmp_path, files)).training) == ["json", "json.tool"]


@pytest.mark.parametrize("source", ["def", '"""Null\0."""', '"""Na\u00efve."""', "x = 1", '"""  """'])
def test_broken_files_other_letters_and_nothing_are_passed_over(tmp_path, source):
    folder = _written(tmp_path, BOTH | {"broken.py": source})
    found = docstrings(folder)
    assert "broken" not in found.training | found.held_out


def test_no_warning_about_the_escapes_of_others(tmp_path, recwarn):
    docstrings(_written(tmp_path, BOTH | {"odd.py": '"""Odd."""\nx = "\\d"'}))
    assert not recwarn.list


def test_it_says_how_much_there_is(tmp_path):
    text = str(docstrings(_written(tmp_path, BOTH)))
    assert "14 characters in 1 docstring of 1 module to learn from, 11 characters in 1 docstring of 1 module" in text


def test_a_library_that_lies_elsewhere_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no Python files with docstrings"):
        docstrings(tmp_path)
