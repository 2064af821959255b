"""Real data: film reviews of IMDB, and German sentences with their English translations of Multi30k.

    python -m helpers.data imdb                 download what is missing (84 MB) into the cache folder, and count it
    python -m helpers.data multi30k FOLDER      the same (1.3 MB) into a folder of your own

Nothing is downloaded unless you ask, with this command or with `download=True`. The cache folder is the platform's
usual one, or the one that the environment variable ATTENTION_DATA names.

Sources: Maas et al., "Learning Word Vectors for Sentiment Analysis" (2011); Elliott et al., "Multi30K: Multilingual
English-German Image Descriptions" (2016).
"""

import argparse
import bz2
import contextlib
import errno
import gzip
import hashlib
import http.client
import lzma
import os
import re
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import warnings
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

import numpy as np
import safetensors
from platformdirs import user_cache_path
from safetensors.numpy import save_file
from tqdm.auto import tqdm

IMDB_URL = "https://ai.stanford.edu/~amaas/data/sentiment/"
MULTI30K_URL = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw/"
IMDB_ARCHIVE = "aclImdb_v1.tar.gz"
SPLITS = {"train": "train", "validation": "val", "test": "test_2016_flickr"}  # upstream's names of the files
MD5 = {  # as torchtext 0.9 publishes them (torchtext/datasets/imdb.py and multi30k.py)
    IMDB_ARCHIVE: "7c2ac02c03563afcf9b574c7e56c153a",
    "train.de.gz": "81ff90b99829c0cd4b1b587d394afd39",
    "train.en.gz": "0065d13af80720a55ca8153d126e6627",
    "val.de.gz": "6e0e229eb049e3fc99a1ef02fb2d5f91",
    "val.en.gz": "2b69aa9253948ac9f67e94917272dd40",
    "test_2016_flickr.de.gz": "efd67d314d98489b716b145475101932",
    "test_2016_flickr.en.gz": "ff2c0fcb4893a13bd73414306bc250ae",
}
SECONDS_OF_SILENCE = 30  # of a server, before it counts as gone
CHUNK = 1 << 16  # bytes

OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
BROKEN = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error, tarfile.TarError, OSError)  # what unpacking raises
REVIEW = re.compile(r"(?:\./)?aclImdb/(train|test)/(pos|neg)/([^/]+\.txt)")
PARTS = [(split, label) for split in ("train", "test") for label in ("neg", "pos")]

Reviews = list[tuple[str, int]]


class DataError(Exception):
    """Data that cannot be had or read, in one sentence with what to do."""


class NotThere(DataError):
    """The data are not on this machine, and nobody asked to download them."""


def cache_folder() -> Path:
    """Where downloads are kept: the folder that ATTENTION_DATA names, or the platform's usual one."""
    return Path(os.environ.get("ATTENTION_DATA") or user_cache_path("attention-step-by-step", appauthor=False))


# Multi30k


def multi30k(folder: str | Path | None = None, download: bool = False) -> dict[str, list[tuple[str, str]]]:
    """Captions of pictures in German and English: 29,000 for training, 1,014 for validation, 1,000 of flickr 2016.

    Parameters
    ----------
    folder : holds `train.de.gz`, `train.en.gz`, `val.*`, `test_2016_flickr.*`, unzipped ones too; the cache folder is
        the second place to look
    download : fetch the files that are missing, into `folder` or, without one, into the cache folder

    Returns "train", "validation" and "test", each a list of (german, english). Raises NotThere where there are no
    files, DataError where one is missing, broken, not UTF-8, or not as long as its other half.
    """
    names = [f"{stem}.{language}.gz" for stem in SPLITS.values() for language in ("de", "en")]
    places = _places(folder, "multi30k")
    place = next((place for place in places if any(_of_two(place, name) for name in names)), None)
    if place is None and not download:
        raise NotThere(_not_there("Multi30k's sentences", "multi30k", "1.3 MB", "train.de.gz and its like", folder))
    place = place or _target(folder, "multi30k")
    for name in (name for name in names if not _of_two(place, name)):
        if not download:
            raise DataError(f"{name} is missing in {place}, where others of its kind are: "
                            "fetch it with multi30k(..., download=True), or put it there.")
        _download(MULTI30K_URL + name, place / name, MD5[name])
    return {split: _pairs(place, stem) for split, stem in SPLITS.items()}


def _of_two(place: Path, name: str) -> Path | None:
    """The zipped file or else the unzipped one."""
    return next((path for path in (place / name, place / name.removesuffix(".gz")) if path.is_file()), None)


def _pairs(place: Path, stem: str) -> list[tuple[str, str]]:
    german, english = (_of_two(place, f"{stem}.{language}.gz") for language in ("de", "en"))
    sides = _lines(german), _lines(english)
    if len(sides[0]) != len(sides[1]):
        raise DataError(f"{german.name} has {len(sides[0])} lines and {english.name} {len(sides[1])}, but each line "
                        f"translates the other's: delete both in {place} and download them again.")
    return list(zip(*sides, strict=True))


def _lines(path: Path) -> list[str]:
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except BROKEN as error:
        raise DataError(f"{path} is broken ({_reason(error)}): delete it and download it again.") from None
    lines = _text(data, str(path)).split("\n")  # not splitlines, which also cuts at characters of a sentence
    if not lines[-1]:
        lines.pop()
    if not lines:
        raise DataError(f"{path} is empty: delete it and download it again.")
    return [line.strip() for line in lines]


# IMDB


def imdb(folder: str | Path | None = None, download: bool = False) -> tuple[Reviews, Reviews]:
    """Film reviews with a label, 1 for a good one and 0 for a bad one: 25,000 for training, 25,000 for the test.

    What was read is kept in the cache folder, so that the next call takes less than a second.

    Parameters
    ----------
    folder : holds the unpacked `aclImdb`, or the archive `aclImdb*.tar.gz` (`.xz`, `.bz2`); the cache folder is the
        second place to look
    download : fetch the archive where there is none, into `folder` or, without one, into the cache folder

    Returns the training reviews and the test's, each a list of (text, label), sorted by label and upstream's name.
    Raises NotThere where there is nothing to read, DataError for an archive that is broken or not upstream's, a part
    that is missing, a review that is not UTF-8.
    """
    source = next(filter(None, map(_source, _places(folder, "imdb"))), None)
    if source is None and not download:
        raise NotThere(_not_there("IMDB's reviews", "imdb", "84 MB", IMDB_ARCHIVE, folder))
    if source is None:
        source = _target(folder, "imdb") / IMDB_ARCHIVE
        _download(IMDB_URL + IMDB_ARCHIVE, source, MD5[IMDB_ARCHIVE])
    state = _state(source)
    kept = cache_folder() / "imdb-reviews.safetensors"
    reviews = _kept(kept, state)
    if reviews is None:
        reviews = _from_folder(source) if source.is_dir() else _from_archive(source)
        _keep(kept, state, reviews)
    return reviews["train"], reviews["test"]


def _source(place: Path) -> Path | None:
    """The unpacked folder in a place, or that place itself, or an archive."""
    for unpacked in (place / "aclImdb", place):
        if any(unpacked.joinpath(*part).is_dir() for part in PARTS):
            return unpacked
    return next((path for path in sorted(place.glob("aclImdb*.tar.*")) if path.suffix in OPENERS), None)


def _state(source: Path) -> str:
    """Changes whenever the source does: names, sizes and times of all its files."""
    files = [source]
    if source.is_dir():
        files = [entry for part in PARTS for entry in _entries(source.joinpath(*part))]
    digest = hashlib.sha256(str(source.resolve()).encode())
    for file in files:
        status = file.stat()
        digest.update(f"{file.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _entries(part: Path) -> list[os.DirEntry]:
    if not part.is_dir():
        raise DataError(f"{part} is missing: unpack the archive again, for all four of train and test, pos and neg.")
    with os.scandir(part) as entries:
        return sorted((entry for entry in entries if entry.name.endswith(".txt")), key=lambda entry: entry.name)


def _from_folder(source: Path) -> dict[str, Reviews]:
    found = {part: [(entry.name, _read(entry.path)) for entry in _entries(source.joinpath(*part))] for part in PARTS}
    return _reviews(found, source)


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}): unpack the archive again.") from None


def _from_archive(path: Path) -> dict[str, Reviews]:
    """Read from the archive itself: nothing is unpacked, so nothing can be written outside of a folder."""
    found: dict[tuple[str, str], list[tuple[str, bytes]]] = {part: [] for part in PARTS}
    try:
        with OPENERS[path.suffix](path) as stream:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                for member in archive:
                    _refuse_strange(member, path)
                    if member.isfile() and (match := REVIEW.fullmatch(member.name)):
                        found[match[1], match[2]].append((match[3], archive.extractfile(member).read()))
            while stream.read(CHUNK):  # to the end, where the checksum stands
                pass
    except BROKEN as error:
        raise DataError(f"{path} is broken ({_reason(error)}): delete it and download it again.") from None
    return _reviews({part: sorted(files) for part, files in found.items()}, path)


def _refuse_strange(member: tarfile.TarInfo, path: Path) -> None:
    posix, windows = PurePosixPath(member.name), PureWindowsPath(member.name)
    if posix.is_absolute() or windows.drive or windows.root or ".." in windows.parts:
        what = "a path that leads out of its folder"
    elif not (member.isfile() or member.isdir()):
        what = "a link or a device"
    else:
        return
    raise DataError(f"{path} holds {what}, {member.name!r}, so it is not upstream's: delete it and download it again.")


def _reviews(found: dict[tuple[str, str], list[tuple[str, bytes]]], source: Path) -> dict[str, Reviews]:
    for (split, label), files in found.items():
        if not files:
            raise DataError(f"There are no reviews in {split}/{label} of {source}: get the whole of it again.")
    return {
        split: [(_text(data, f"{split}/{label}/{name} in {source}"), int(label == "pos"))
                for label in ("neg", "pos") for name, data in found[split, label]]
        for split in ("train", "test")
    }


def _kept(path: Path, state: str) -> dict[str, Reviews] | None:
    """What the last call read, where its source is still the same."""
    try:
        with safetensors.safe_open(path, "np") as file:
            if file.metadata() != {"state": state}:
                return None
            tables = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is no dict
        return {split: _unpacked(tables, split) for split in ("train", "test")}
    except (OSError, safetensors.SafetensorError, KeyError, UnicodeDecodeError):  # not there, or damaged
        return None


def _unpacked(tables: dict[str, np.ndarray], split: str) -> Reviews:
    data, ends = tables[f"{split}.text"].tobytes(), tables[f"{split}.ends"].tolist()
    labels, starts = tables[f"{split}.labels"].tolist(), [0, *ends]
    return [(data[start:end].decode(), label) for start, end, label in zip(starts, ends, labels, strict=False)]


def _keep(path: Path, state: str, reviews: dict[str, Reviews]) -> None:
    tables = {}
    for split, pairs in reviews.items():
        texts = [text.encode() for text, _ in pairs]
        tables[f"{split}.text"] = np.frombuffer(b"".join(texts), dtype=np.uint8)
        tables[f"{split}.ends"] = np.cumsum([len(text) for text in texts])
        tables[f"{split}.labels"] = np.array([label for _, label in pairs], dtype=np.uint8)
    try:
        _write_whole(path, lambda part: save_file(tables, part, {"state": state}))
    except (OSError, safetensors.SafetensorError) as error:  # the reviews are read all the same
        warnings.warn(f"What was read cannot be kept in {path.parent} ({error}), so the next time takes as long: "
                      "free some space, or name another folder in ATTENTION_DATA.", stacklevel=3)


def _write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Under another name first, so that the file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    try:
        write(Path(name))
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


# Places and downloads


def _places(folder: str | Path | None, name: str) -> list[Path]:
    given = [] if folder is None else [Path(folder), Path(folder) / name]
    return [*given, cache_folder() / name]


def _target(folder: str | Path | None, name: str) -> Path:
    return cache_folder() / name if folder is None else Path(folder)


def _not_there(what: str, name: str, size: str, file: str, folder: str | Path | None) -> str:
    where = "" if folder is None else f", neither in {folder} nor in the cache folder"
    return (f"{what} are not on this machine{where}: download them with `python -m helpers.data {name}` ({size}), or "
            f"name the folder that holds {file}.")


def _download(url: str, path: Path, md5: str) -> None:
    """Fetch a file, from where an earlier attempt broke off; it gets its name when it is whole and has its checksum."""
    part = path.with_name(f"{path.name}.part")
    with _disk(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("ab") as file:
            _fetch(url, file, path.name)
            file.flush()
            os.fsync(file.fileno())
        with part.open("rb") as file:
            got = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
        if got != md5:
            part.unlink()
            raise DataError(f"What came from {url} is not upstream's file (its MD5 is {got}, not {md5}): it was "
                            "deleted, so try again, and if that does not help, through another network.")
        part.replace(path)


@contextlib.contextmanager
def _disk(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "free some space, or name another folder" if full else "name a folder that you may write to"
        raise DataError(f"{folder} cannot be written to ({_reason(error)}): {advice}, and run this again.") from None


def _fetch(url: str, file: BinaryIO, name: str) -> None:
    """Append what `file` still lacks, or write it afresh where the server cannot send a part."""
    with _open(url, file.tell()) as answer:
        if answer is None:  # the server has no more than what is there already
            return
        if answer.status != http.client.PARTIAL_CONTENT and file.tell():
            file.truncate(0)
        start = file.seek(0, os.SEEK_END)
        length = answer.headers.get("Content-Length")
        total = None if length is None else start + int(length)
        with tqdm(desc=name, initial=start, total=total, unit="B", unit_scale=True, leave=False) as bar:
            while chunk := _chunk(answer, url):
                file.write(chunk)
                bar.update(len(chunk))
        if total is not None and file.tell() < total:
            raise DataError(f"The download of {url} broke off after {file.tell():,} of {total:,} bytes: run this "
                            "again, and it goes on from there.")


@contextlib.contextmanager
def _open(url: str, start: int) -> Iterator[http.client.HTTPResponse | None]:
    request = urllib.request.Request(url, headers={"Range": f"bytes={start}-"} if start else {})
    try:
        answer = urllib.request.urlopen(request, timeout=SECONDS_OF_SILENCE)
    except urllib.error.HTTPError as error:
        if error.code != http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise DataError(f"{url} answers {error.code} {error.reason}: try again later, or get the file in another "
                            "way and name its folder.") from None
        answer = contextlib.nullcontext()
    except (OSError, http.client.HTTPException) as error:
        raise DataError(f"{url} cannot be reached ({_reason(error)}): check the network and run this again, or get "
                        "the file in another way and name its folder.") from None
    with answer as opened:
        yield opened


def _chunk(answer: http.client.HTTPResponse, url: str) -> bytes:
    try:
        return answer.read(CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise DataError(f"The download of {url} broke off ({_reason(error)}): run this again, and it goes on from "
                        "where it was.") from None


# Words


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{where} is not UTF-8 (byte {error.start} is 0x{data[error.start]:02x}): save it as UTF-8, "
                        "or download it again.") from None


def _reason(error: BaseException) -> str:
    reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
    return str(getattr(reason, "strerror", None) or reason).rstrip(".") or type(error).__name__


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; 1 when the data cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m helpers.data", description="Download data where they are missing.")
    parser.add_argument("what", choices=["imdb", "multi30k"])
    parser.add_argument("folder", nargs="?", type=Path, help="the cache folder when left out")
    options = parser.parse_args(arguments)
    try:
        if options.what == "imdb":
            splits = dict(zip(("train", "test"), imdb(options.folder, download=True), strict=True))
        else:
            splits = multi30k(options.folder, download=True)
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    for name, examples in splits.items():
        print(f"{name:10} {len(examples):6,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
