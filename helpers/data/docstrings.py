"""The docstrings of Python's standard library on this machine, as text to learn from.

The files are parsed with `ast`, and no module is imported. Whole top-level modules (a package with all that is in it)
are held out, chosen by their names alone, so the same module is held out with every version of Python.
"""

import ast
import gc
import os
import platform
import sysconfig
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from helpers.wording import counted

LETTERS = "\n" + "".join(map(chr, range(32, 127)))  # the characters that a docstring may hold: line break and ASCII
ONE_IN = 10  # as many top-level modules are held out

# Installed packages, tests, games and what differs from one build to another.
LEFT_OUT = {
    "__phello__",
    "__pycache__",
    "dist-packages",
    "ensurepip",
    "idlelib",
    "lib-dynload",
    "site-packages",
    "sitecustomize",
    "test",
    "tests",
    "turtledemo",
    "usercustomize",
}


@dataclass(frozen=True)
class Docstrings:
    """Docstrings of modules to learn from, and of others to test on.

    Attributes
    ----------
    training, held_out : dict of str to list of str
        A module's name and its docstrings in the order of its file. No module is in both, and no docstring is twice
        in the whole or in both.
    """

    training: dict[str, list[str]]
    held_out: dict[str, list[str]]

    def __str__(self) -> str:
        return (
            f"Python {platform.python_version()}: {_counted(self.training)} to learn from, "
            f"{_counted(self.held_out)} held out."
        )


def characters(modules: dict[str, list[str]]) -> int:
    """Count the characters of all docstrings of some modules.

    Parameters
    ----------
    modules : dict of str to list of str
        A module's name and its docstrings.

    Returns
    -------
    int
        The sum of their lengths.
    """
    return sum(len(text) for texts in modules.values() for text in texts)


def docstrings(folder: Path | None = None) -> Docstrings:
    """Read the docstrings of a folder of modules.

    Left out are docstrings with a character that is not in LETTERS, and files that this Python cannot parse.

    Parameters
    ----------
    folder : Path, optional
        That of the standard library when left out.

    Returns
    -------
    Docstrings
        To learn from, and held out.

    Raises
    ------
    FileNotFoundError
        The folder holds no Python files with docstrings, as where the library lies in an archive.
    """
    folder = Path(sysconfig.get_path("stdlib")) if folder is None else folder
    training: dict[str, list[str]] = {}
    held_out: dict[str, list[str]] = {}
    with _garbage_left():
        for name, path in _modules(folder):
            if texts := list(_of_file(path)):
                (held_out if is_held_out(name) else training)[name] = texts
    if not training or not held_out:
        raise FileNotFoundError(f"{folder} holds no Python files with docstrings to learn from and to test on.")
    seen: set[str] = set()  # what is in both stays in the training text alone
    return Docstrings(_without_repeats(training, seen), _without_repeats(held_out, seen))


def is_held_out(module: str) -> bool:
    """Decide by a module's top-level name whether it is held out.

    Parameters
    ----------
    module : str
        Such as "json.decoder", for which "json" decides.

    Returns
    -------
    bool
        True for about one name in ONE_IN.
    """
    return zlib.crc32(module.partition(".")[0].encode()) % ONE_IN == 0


@contextmanager
def _garbage_left() -> Iterator[None]:
    """Collect no garbage for a while: each time goes through all of torch, up to half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _modules(folder: Path) -> list[tuple[str, Path]]:
    """Name and file of each module, in the order of the names."""
    found = []
    for parent, folders, files in os.walk(folder):
        folders[:] = filter(_is_wanted, folders)  # os.walk goes into these, and not into all that is installed
        for path in (Path(parent, name) for name in files):
            parts = path.relative_to(folder).with_suffix("").parts
            if path.suffix == ".py" and _is_wanted(parts[-1]) and not parts[0].startswith("_sysconfigdata"):
                found.append((".".join(parts).removesuffix(".__init__"), path))
    return sorted(found)


def _is_wanted(name: str) -> bool:
    return name.isidentifier() and name not in LEFT_OUT  # a folder such as "config-3.11" is no package


def _of_file(path: Path) -> Iterator[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the escapes of somebody else's strings
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in _definitions(tree):
        text = (ast.get_docstring(node) or "").strip()
        if text and not set(text) - set(LETTERS):
            yield text


def _definitions(node: ast.AST) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """All that can have a docstring, in the order of the file."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _definitions(part)


def _without_repeats(modules: dict[str, list[str]], seen: set[str]) -> dict[str, list[str]]:
    """Each docstring where it comes first; `seen` are those that came before, and grows."""
    kept: dict[str, list[str]] = {}
    for name, texts in modules.items():
        for text in texts:
            if text not in seen:
                seen.add(text)
                kept.setdefault(name, []).append(text)
    return kept


def _counted(modules: dict[str, list[str]]) -> str:
    n_texts = sum(len(texts) for texts in modules.values())
    return (
        f"{counted(characters(modules), 'character')} in {counted(n_texts, 'docstring')} of "
        f"{counted(len(modules), 'module')}"
    )
