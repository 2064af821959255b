"""What all downloads have in common: where they are kept, how they are fetched, and what is said when they cannot be.

Nothing is downloaded unless you ask, with `python -m tools.download` or with `download=True`. The cache folder is the
platform's usual one, or the one that the environment variable ATTENTION_DATA names.

The fetching is our own because it goes on where a download broke off. pooch, the usual library for it, writes to a
temporary file, which it deletes when the connection breaks, and so begins anew.
"""

import contextlib
import errno
import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from platformdirs import user_cache_path
from tqdm.auto import tqdm

SECONDS_OF_SILENCE = 30  # of a server, before it counts as gone
CHUNK = 1 << 16  # bytes


class DataError(Exception):
    """Data that cannot be had or read, in one sentence with what to do."""


class DataMissing(DataError):
    """The data are not on this machine, and nobody asked to download them."""


def cache_folder() -> Path:
    """Find where downloads are kept: the folder that ATTENTION_DATA names, or the platform's usual one."""
    return Path(os.environ.get("ATTENTION_DATA") or user_cache_path("attention-step-by-step", appauthor=False))


def folders_to_try(folder: str | Path | None, name: str) -> list[Path]:
    """Where data may be, the place for a download first: in the folder that is named, or else in the cache folder.

    Parameters
    ----------
    folder : str or Path, optional
        As the caller named it. Then the cache folder is not looked at, for it may hold other data.
    name : str
        Of the folder below.

    Returns
    -------
    list of Path
        Folders, which may not exist.
    """
    return [cache_folder() / name] if folder is None else [Path(folder), Path(folder) / name]


def not_there(what: str, name: str, size: str, file: str, folder: str | Path | None) -> DataMissing:
    """Say in a sentence that data are missing, and how to get them.

    Parameters
    ----------
    what : str
        The data, as the subject of the sentence: "IMDB's reviews".
    name : str
        What `tools.download` calls them.
    size : str
        Of the download: "84 MB".
    file : str
        A file by which their folder is known.
    folder : str or Path, optional
        As the caller named it.

    Returns
    -------
    DataMissing
        The error to raise.
    """
    command = f"`python -m tools.download {name}` ({size})"
    if folder is None:
        return DataMissing(
            f"{what} are not on this machine: download them with {command}, or name the folder that holds {file}."
        )
    problem = f"{what} are not in {folder}" if Path(folder).is_dir() else f"There is no folder {folder}"
    return DataMissing(
        f"{problem}: name the one that holds {file}, or name none, to read what {command} puts into the cache folder."
    )


def download_file(url: str, path: Path, md5: str) -> None:
    """Fetch a file, from where an earlier attempt broke off; it gets its name when it is whole and has its checksum.

    Parameters
    ----------
    url : str
        Of the file.
    path : Path
        Where it shall be; folders that are missing are made. Until it is whole, it has ".part" behind its name.
    md5 : str
        Its checksum, in hexadecimal digits.

    Raises
    ------
    DataError
        The server cannot be reached or does not have the file, the download broke off, what came has another checksum,
        or it cannot be written.
    """
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
            raise DataError(
                f"What came from {url} is not upstream's file (its MD5 is {got}, not {md5}): it was "
                "deleted, so try again, and if that does not help, through another network."
            )
        part.replace(path)


@contextlib.contextmanager
def _disk(folder: Path) -> Iterator[None]:
    """Turn the errors of a file system into a DataError."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "free some space, or name another folder" if full else "name a folder that you may write to"
        raise DataError(f"{folder} cannot be written to ({reason(error)}): {advice}, and run this again.") from None


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
            raise DataError(
                f"The download of {url} broke off after {file.tell():,} of {total:,} bytes: run this "
                "again, and it goes on from there."
            )


@contextlib.contextmanager
def _open(url: str, start: int) -> Iterator[http.client.HTTPResponse | None]:
    """Ask a server for a file from byte `start` on; None where it has no more."""
    request = urllib.request.Request(url, headers={"Range": f"bytes={start}-"} if start else {})
    try:
        answer = urllib.request.urlopen(request, timeout=SECONDS_OF_SILENCE)
    except urllib.error.HTTPError as error:
        if error.code != http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise DataError(
                f"{url} answers {error.code} {error.reason}: try again later, or get the file in another "
                "way and name its folder."
            ) from None
        answer = contextlib.nullcontext()
    except (OSError, http.client.HTTPException) as error:
        raise DataError(
            f"{url} cannot be reached ({reason(error)}): check the network and run this again, or get "
            "the file in another way and name its folder."
        ) from None
    with answer as opened:
        yield opened


def _chunk(answer: http.client.HTTPResponse, url: str) -> bytes:
    """Read the next bytes; none at the end."""
    try:
        return answer.read(CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise DataError(
            f"The download of {url} broke off ({reason(error)}): run this again, and it goes on from where it was."
        ) from None


def decoded(data: bytes, where: str) -> str:
    """Read UTF-8, with or without a byte order mark.

    Parameters
    ----------
    data : bytes
        What a file holds.
    where : str
        The file, for the message.

    Returns
    -------
    str
        The text.

    Raises
    ------
    DataError
        It is not UTF-8: names the first byte that is wrong.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{where} is not UTF-8 (byte {error.start} is 0x{data[error.start]:02x}): save it as UTF-8, "
            "or download it again."
        ) from None


def reason(error: BaseException) -> str:
    """Give the operating system's words for an error, without the numbers and paths around them."""
    reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
    return str(getattr(reason, "strerror", None) or reason).rstrip(".") or type(error).__name__
