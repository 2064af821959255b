"""Film reviews of IMDB, good ones and bad ones.

Source: Maas et al., "Learning Word Vectors for Sentiment Analysis" (2011).
"""

import bz2
import gzip
import hashlib
import lzma
import os
import re
import tarfile
import warnings
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np
import safetensors
from safetensors.numpy import save

from helpers.data.download import (
    CHUNK,
    DataError,
    cache_folder,
    decoded,
    download_file,
    folders_to_try,
    not_there,
    reason,
)
from helpers.files import write_whole

URL = "https://ai.stanford.edu/~amaas/data/sentiment/"
ARCHIVE = "aclImdb_v1.tar.gz"
MD5 = "7c2ac02c03563afcf9b574c7e56c153a"  # as torchtext 0.9 publishes it (torchtext/datasets/imdb.py)

Unpacker = gzip.GzipFile | lzma.LZMAFile | bz2.BZ2File
OPENERS: dict[str, Callable[[Path], Unpacker]] = {".gz": gzip.GzipFile, ".xz": lzma.LZMAFile, ".bz2": bz2.BZ2File}
BROKEN = (EOFError, lzma.LZMAError, zlib.error, tarfile.TarError, OSError)  # what unpacking raises
REVIEW = re.compile(r"(?:\./)?aclImdb/(train|test)/(pos|neg)/([^/]+\.txt)")
PARTS = [(split, label) for split in ("train", "test") for label in ("neg", "pos")]

Reviews = list[tuple[str, int]]


def imdb(folder: str | Path | None = None, download: bool = False) -> tuple[Reviews, Reviews]:
    """Read film reviews with a label, 1 for a good one and 0 for a bad one: 25,000 to train on, 25,000 for the test.

    What was read is kept in the cache folder, so that the next call takes less than a second.

    Parameters
    ----------
    folder : str or Path, optional
        Holds the unpacked `aclImdb`, or the archive `aclImdb*.tar.gz` (`.xz`, `.bz2`). Without one the cache folder is
        read; with one it is not.
    download : bool
        Fetch the archive where there is none, into `folder` or, without one, into the cache folder.

    Returns
    -------
    train, test : list of (str, int)
        Texts with their labels, sorted by label and upstream's name.

    Raises
    ------
    DataMissing
        There is nothing to read, or no such folder.
    DataError
        An archive is broken or not upstream's, a part is missing, or a review is not UTF-8.
    """
    places = folders_to_try(folder, "imdb")
    source = next(filter(None, map(_source, places)), None)
    if source is None:
        if not download:
            raise not_there("IMDB's reviews", "imdb", "84 MB", ARCHIVE, folder)
        source = places[0] / ARCHIVE
        download_file(URL + ARCHIVE, source, MD5)
    state = _state(source)
    kept = cache_folder() / "imdb-reviews.safetensors"
    reviews = _kept(kept, state)
    if reviews is None:
        reviews = _from_folder(source) if source.is_dir() else _from_archive(source)
        _keep(kept, state, reviews)
    return reviews["train"], reviews["test"]


def _source(place: Path) -> Path | None:
    """Find the unpacked folder in a place, or an archive; the place may be the unpacked folder itself."""
    for unpacked in (place / "aclImdb", place):
        if any(unpacked.joinpath(*part).is_dir() for part in PARTS):
            return unpacked
    return next((path for path in sorted(place.glob("aclImdb*.tar.*")) if path.suffix in OPENERS), None)


def _state(source: Path) -> str:
    """Make a digest that changes whenever the source does: of names, sizes and times of all its files."""
    files: Sequence[Path | os.DirEntry[str]] = [source]
    if source.is_dir():
        files = [entry for part in PARTS for entry in _entries(source.joinpath(*part))]
    digest = hashlib.sha256(str(source.resolve()).encode())
    for file in files:
        status = file.stat()
        digest.update(f"{file.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _entries(part: Path) -> list[os.DirEntry[str]]:
    """List the reviews of a part, sorted by name. Entries, for their sizes and times cost no further look."""
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
                    match = REVIEW.fullmatch(member.name)
                    if match and (review := archive.extractfile(member)):  # a folder has nothing to extract
                        found[match[1], match[2]].append((match[3], review.read()))
            while stream.read(CHUNK):  # to the end, where the checksum stands
                pass
    except BROKEN as error:
        raise DataError(f"{path} is broken ({reason(error)}): delete it and download it again.") from None
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
        split: [
            (decoded(data, f"{split}/{label}/{name} in {source}"), int(label == "pos"))
            for label in ("neg", "pos")
            for name, data in found[split, label]
        ]
        for split in ("train", "test")
    }


def _kept(path: Path, state: str) -> dict[str, Reviews] | None:
    """Get what the last call read, where its source is still the same."""
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
        write_whole(path, save(tables, {"state": state}))
    except (OSError, safetensors.SafetensorError) as error:  # the reviews are read all the same
        warnings.warn(
            f"What was read cannot be kept in {path.parent} ({error}), so the next time takes as long: "
            "free some space, or name another folder in ATTENTION_DATA.",
            stacklevel=3,
        )
