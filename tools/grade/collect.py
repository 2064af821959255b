"""Find each student's files in what a teacher downloads: a folder or an archive, as Moodle or Canvas make it."""

import lzma
import os
import re
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from helpers.wording import first_line

# "Berg Anna_1234567_assignsubmission_file_", as a folder or before the name of a file
MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)", re.S)
# "berganna_LATE_12345_67890_name.ipynb": the numbers of the student and of the submission
CANVAS = re.compile(r"(?P<name>.+?)_(?:(?P<late>LATE)_)?(?P<number>\d+)_\d+_(?P<rest>.+)", re.S)
ARCHIVES = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
UNREADABLE = (".7z", ".rar", ".gz", ".bz2", ".xz")
IGNORED = re.compile(
    r"__MACOSX|__pycache__|\.ipynb_checkpoints|\.git|\.DS_Store|Thumbs\.db|desktop\.ini|~\$.*|\._.*", re.I
)
LARGEST = 100_000_000  # bytes of one file
MOST = 4_000_000_000  # bytes that archives may unpack to, so that a bomb among them does no harm
DEEPEST = 5  # archives inside archives


@dataclass
class File:
    """One file that was handed in.

    Attributes
    ----------
    name : str
        Its path below the student's folder, without what Moodle or Canvas put before it.
    path : Path
        Where its bytes lie.
    """

    name: str
    path: Path


@dataclass
class Student:
    """All that one student handed in.

    Attributes
    ----------
    name : str
        As Moodle or Canvas write it, or that of the folder or file.
    number : str
        The one in Moodle's or Canvas's file names, or "".
    late : bool
        Whether Canvas says so.
    files : list of File
        In the order of their names.
    problems : list of str
        What could not be opened.
    """

    name: str
    number: str = ""
    late: bool = False
    files: list[File] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass
class _Entry:
    """A file or folder (`path` is None), or what is wrong with it, at a place within the whole."""

    parts: tuple[str, ...]
    path: Path | None = None
    problem: str = ""


class _Budget:
    """The bytes that may still be unpacked."""

    left = MOST


def collect(source: Path, scratch: Path, leave_out: Path | None = None) -> list[Student]:
    """Find each student's files.

    Parameters
    ----------
    source : Path
        A folder, an archive, or a single notebook.
    scratch : Path
        An empty folder, in which archives are unpacked; what they hold is read as long as it exists.
    leave_out : Path, optional
        A folder that is not looked at, such as the one that the results go to.

    Returns
    -------
    list of Student
        By name. One who handed in an empty folder is among them.

    Raises
    ------
    OSError
        `source` cannot be read.
    """
    entries: Iterable[_Entry]
    if source.is_dir():
        entries = _unpacked(_folder(source, leave_out), scratch)
    elif _is_archive(source) or zipfile.is_zipfile(source) or tarfile.is_tarfile(source):
        entries = _without_wrapper(list(_unpacked(_archive(source, (), scratch, _Budget(), 1), scratch)))
    else:
        entries = [_Entry((_readable(source.name),), source)]
    students: dict[tuple[str, str], Student] = {}
    for entry in entries:
        _assign(entry, students)
    return sorted(students.values(), key=lambda student: (student.name.casefold(), student.number))


def _assign(entry: _Entry, students: dict[tuple[str, str], Student]) -> None:
    """Put an entry where its student's things are."""
    name, number, late, rest = owner(entry.parts, is_folder=entry.path is None and not entry.problem)
    student = students.setdefault((number or name, "number" if number else "name"), Student(name, number))
    student.late |= late
    if entry.problem:
        student.problems.append(f"{'/'.join(rest) or entry.parts[-1]} {entry.problem}")
    elif entry.path is not None:
        student.files.append(File("/".join(rest), entry.path))


def owner(parts: Sequence[str], is_folder: bool = False) -> tuple[str, str, bool, tuple[str, ...]]:
    """Read from a path whose file it is.

    Parameters
    ----------
    parts : sequence of str
        The names of the folders and of the file.
    is_folder : bool
        Whether the last of them is a folder too.

    Returns
    -------
    name, number : str
        Of the student; the number is "" where neither Moodle nor Canvas wrote the path.
    late : bool
        Whether Canvas says so.
    rest : tuple of str
        The path below the student's folder.
    """
    for place, part in enumerate(parts):
        moodle, canvas = MOODLE.fullmatch(part), CANVAS.fullmatch(part)
        found = moodle or canvas
        if found:
            rest = (found["rest"],) if found["rest"] else ()
            late = canvas is not None and moodle is None and canvas["late"] is not None
            return found["name"].strip(), found["number"], late, (*rest, *parts[place + 1 :])
    if len(parts) > 1 or is_folder:
        return _stem(parts[0], ARCHIVES), "", False, tuple(parts[1:])
    return _stem(parts[0], (*ARCHIVES, Path(parts[0]).suffix)), "", False, tuple(parts)


def _stem(name: str, endings: Iterable[str]) -> str:
    for ending in sorted(filter(None, endings), key=len, reverse=True):
        if name.lower().endswith(ending.lower()) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def _without_wrapper(entries: list[_Entry]) -> list[_Entry]:
    """Drop the one folder that many archives wrap everything in, but not a student's own."""
    while True:
        top = {entry.parts[0] for entry in entries if entry.parts}
        below = {entry.parts[1] for entry in entries if len(entry.parts) > 1}
        first = next(iter(top), "")
        if len(top) != 1 or len(below) < 2 or MOODLE.fullmatch(first) or CANVAS.fullmatch(first):
            return entries
        entries = [_Entry(entry.parts[1:], entry.path, entry.problem) for entry in entries if len(entry.parts) > 1]


# --- what lies in folders and archives ---


def _folder(folder: Path, leave_out: Path | None) -> Iterator[_Entry]:
    hidden = leave_out.resolve() if leave_out else None
    for place, folders, files in os.walk(folder):
        here = Path(place)
        folders[:] = sorted(name for name in folders if not _ignored(name) and (here / name).resolve() != hidden)
        parts = tuple(map(_readable, here.relative_to(folder).parts))
        if parts:
            yield _Entry(parts)
        for name in sorted(files):
            if _ignored(name):
                continue
            inner = (*parts, _readable(name))
            there = (here / name).is_file()  # not a link that leads nowhere, or a pipe
            yield _Entry(inner, here / name) if there else _Entry(inner, problem="is no file that can be read")


def _unpacked(entries: Iterable[_Entry], scratch: Path) -> Iterator[_Entry]:
    """The entries, with what is in archives among them in place of these."""
    budget = _Budget()
    for entry in entries:
        if entry.path is not None and _is_archive(entry.path, entry.parts[-1]):
            yield from _archive(entry.path, entry.parts, scratch, budget, 1)
        elif entry.path is not None and entry.parts[-1].lower().endswith(UNREADABLE):
            yield _Entry(entry.parts, problem="is an archive of a kind that is not opened here (zip and tar are)")
        else:
            yield entry


def _is_archive(path: Path, name: str = "") -> bool:
    return path.is_file() and (name or path.name).lower().endswith(ARCHIVES)


def _archive(path: Path, parts: tuple[str, ...], scratch: Path, budget: _Budget, depth: int) -> Iterator[_Entry]:
    """What an archive holds, each file unpacked under a number, so that no name of its own leads anywhere."""
    if depth > DEEPEST:
        yield _Entry(parts, problem="holds archives in archives, deeper than is opened here")
        return
    empty = True
    try:
        for names, opened in _zipped(path) if zipfile.is_zipfile(path) else _tarred(path):
            if not names or any(map(_ignored, names)):
                continue
            empty = False
            if opened is None:
                yield _Entry((*parts, *names))
                continue
            with opened, tempfile.NamedTemporaryFile(dir=scratch, delete=False) as file:
                copy, problem = Path(file.name), _copy(opened, file, budget)
            inner = (*parts, *names)
            if problem:
                yield _Entry(inner, problem=problem)
            elif _is_archive(copy, names[-1]):
                yield from _archive(copy, inner, scratch, budget, depth + 1)
            elif names[-1].lower().endswith(UNREADABLE):
                yield _Entry(inner, problem="is an archive of a kind that is not opened here (zip and tar are)")
            else:
                yield _Entry(inner, copy)
    except (OSError, EOFError, RuntimeError, ValueError, NotImplementedError, *_BROKEN) as error:
        if not parts:
            raise OSError(f"the archive is damaged or locked: {first_line(error)}") from error
        yield _Entry(parts, problem=f"cannot be opened: {first_line(error) or type(error).__name__}")
        return
    if empty and parts:
        yield _Entry(parts, problem="is an empty archive")


_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError)


def _copy(opened: IO[bytes], file: IO[bytes], budget: _Budget) -> str:
    size = 0
    while chunk := opened.read(1_000_000):
        size += len(chunk)
        budget.left -= len(chunk)
        if size > LARGEST or budget.left < 0:
            return f"is larger than the {LARGEST // 1_000_000} MB that are opened here"
        file.write(chunk)
    return ""


def _zipped(path: Path) -> Iterator[tuple[tuple[str, ...], IO[bytes] | None]]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            name = member.filename
            if not member.flag_bits & 0x800:  # the name is not marked as UTF-8, which many programs forget
                name = _decoded(name.encode("cp437", "replace"), name)
            yield _parts(name), None if member.is_dir() else archive.open(member)


def _tarred(path: Path) -> Iterator[tuple[tuple[str, ...], IO[bytes] | None]]:
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isdir() or member.isfile():  # links and devices are no one's work
                yield _parts(_readable(member.name)), archive.extractfile(member) if member.isfile() else None


def _parts(name: str) -> tuple[str, ...]:
    return tuple(
        _readable(part) for part in re.split(r"[/\\]", name) if part not in ("", ".", "..") and not part.endswith(":")
    )


def _readable(name: str) -> str:
    """A file's name as text, also where its bytes are not UTF-8."""
    name = _decoded(os.fsencode(name), None) if not name.isprintable() else name
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in name)


def _decoded(name: bytes, otherwise: str | None) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("cp1252", "replace") if otherwise is None else otherwise


def _ignored(name: str) -> bool:
    return IGNORED.fullmatch(name) is not None


def write_files(files: Iterable[tuple[str, bytes]], folder: Path) -> None:
    """Put a student's files beside the notebook, as far as their names allow; none leaves the folder."""
    for name, data in files:
        target = folder.joinpath(*_parts(name))
        if target == folder:
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        except OSError:  # a name that this system cannot have
            continue
