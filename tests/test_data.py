"""The readers of real data, on small files in the real formats, whole and broken in every way; and their downloads."""

import errno
import gzip
import hashlib
import io
import os
import re
import socket
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from helpers.data import download as download_module
from helpers.data import imdb as imdb_module
from helpers.data import multi30k as multi30k_module
from helpers.data.download import DataError, DataMissing, cache_folder
from helpers.data.imdb import imdb
from helpers.data.multi30k import multi30k
from tools.download import main

TRAIN = [("Ein Hund.", "A dog."), ("Zwei Männer\u2028gehen.", "Two men\x85walk."), ("Ja!", "Yes!")]
PAIRS = {"train": TRAIN, "validation": [("Gut", "Good")], "test": [("Schön", "Nice"), ("Rot", "Red")]}
REVIEWS = {
    "train/neg/10_2.txt": "Dull.<br />I slept.",
    "train/neg/9_1.txt": "No.",
    "train/pos/0_9.txt": "Très bon \U0001f600",
    "test/neg/3_4.txt": "Meh",
    "test/pos/1_10.txt": "Wow",
    "test/pos/2_7.txt": "Good\n",
}
WANTED = ([("Dull.<br />I slept.", 0), ("No.", 0), ("Très bon \U0001f600", 1)], [("Meh", 0), ("Wow", 1), ("Good\n", 1)])


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the cache folder of this machine."""
    monkeypatch.setenv("ATTENTION_DATA", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "given").mkdir()
    return tmp_path / "given"


def sentence(error: pytest.ExceptionInfo) -> str:
    """What the error says; checks that it is one sentence."""
    text = str(error.value)
    assert text.endswith(".") and not re.search(r"[.!?]\s+[A-Z]", text) and "\n" not in text, text
    return text


# A folder that is named


@pytest.mark.parametrize("read", [imdb, multi30k])
def test_a_folder_that_is_named_is_the_only_place(
    read: Callable[..., object], folder: Path, cache: Path, tmp_path: Path
) -> None:
    """Nobody who mistypes a folder is given other data without a word."""
    packed(cache / "imdb" / "aclImdb_v1.tar.gz")
    put(cache / "multi30k", zipped())
    with pytest.raises(DataMissing) as error:
        read(tmp_path / "nowhere")
    assert f"There is no folder {tmp_path / 'nowhere'}" in sentence(error)
    with pytest.raises(DataMissing) as error:
        read(str(folder))
    assert f"are not in {folder}" in sentence(error)


# Multi30k


def zipped(pairs: dict[str, list[tuple[str, str]]] = PAIRS) -> dict[str, bytes]:
    return {
        f"{stem}.{language}.gz": gzip.compress("".join(f"{pair[side]}\n" for pair in pairs[split]).encode(), mtime=0)
        for split, stem in multi30k_module.SPLITS.items()
        for side, language in enumerate(("de", "en"))
    }


def put(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def test_multi30k_from_the_folder_given(folder: Path, cache: Path) -> None:
    assert multi30k(put(folder, zipped())) == PAIRS
    assert multi30k(str(folder)) == PAIRS
    assert not cache.exists()  # reading writes nothing


def test_multi30k_from_unzipped_files_a_folder_below_and_the_cache(folder: Path, cache: Path) -> None:
    put(folder / "multi30k", {name.removesuffix(".gz"): gzip.decompress(zip) for name, zip in zipped().items()})
    assert multi30k(folder) == PAIRS
    put(cache / "multi30k", zipped())
    assert multi30k() == PAIRS


def test_multi30k_reads_windows_lines_and_a_last_line_without_an_end(folder: Path) -> None:
    put(folder, zipped() | {"val.de.gz": gzip.compress(b"\xef\xbb\xbfGut\r\n"), "val.en.gz": gzip.compress(b"Good")})
    assert multi30k(folder) == PAIRS


def test_multi30k_that_is_nowhere(folder: Path) -> None:
    with pytest.raises(DataMissing) as error:
        multi30k()
    assert "`python -m tools.download multi30k`" in sentence(error) and "/" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        pytest.param("val.en.gz", None, "val.en.gz is missing", id="one side missing"),
        pytest.param("test_2016_flickr.de.gz", None, "test_2016_flickr.de.gz is missing", id="a split's side missing"),
        pytest.param("train.de.gz", zipped()["train.de.gz"][:-9], "broken", id="cut off"),
        pytest.param("train.de.gz", zipped()["train.de.gz"][:-8] + b"12345678", "broken", id="another checksum"),
        pytest.param("train.de.gz", b"", "empty", id="no bytes"),
        pytest.param("train.de.gz", b"<html>not found</html>", "broken", id="a web page"),
        pytest.param("train.de.gz", gzip.compress(b"eins\nzwei\n"), "has 2 lines and train.en.gz 3", id="a line short"),
        pytest.param("train.en.gz", gzip.compress(b"one\n"), "has 3 lines and train.en.gz 1", id="two lines short"),
        pytest.param("train.de.gz", gzip.compress(b"M\xe4nner\n"), "not UTF-8 (byte 1 is 0xe4)", id="latin-1"),
        pytest.param("train.de.gz", gzip.compress(b""), "is empty", id="no lines"),
    ],
)
def test_multi30k_that_is_broken(folder: Path, name: str, content: bytes | None, says: str) -> None:
    put(folder, zipped())
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(DataError) as error:
        multi30k(folder)
    assert says in sentence(error) and not isinstance(error.value, DataMissing)


# IMDB


def packed(path: Path, files: dict[str, bytes | str] = REVIEWS, extra: list[tarfile.TarInfo] = ()) -> Path:
    """An archive as upstream's: aclImdb/, and beside the reviews what nobody reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    others = {"README": "About", "train/unsup/0_0.txt": "?", "train/urls_pos.txt": "http"}
    with tarfile.open(path, f"w:{path.suffix[1:]}") as archive:
        for name, content in (others | files).items():
            member = tarfile.TarInfo(f"aclImdb/{name}")
            content = content.encode() if isinstance(content, str) else content
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for member in extra:
            archive.addfile(member)
    return path


def unpacked(folder: Path) -> Path:
    return put(folder, {f"aclImdb/{name}": text.encode() for name, text in REVIEWS.items()})


@pytest.mark.parametrize("ending", ["gz", "xz", "bz2"])
def test_imdb_from_an_archive(folder: Path, ending: str) -> None:
    packed(folder / f"aclImdb_v1.tar.{ending}")
    assert imdb(folder) == imdb(folder) == WANTED
    assert [path.name for path in folder.iterdir()] == [f"aclImdb_v1.tar.{ending}"]  # nothing is unpacked there


def test_imdb_from_an_unpacked_folder_and_the_cache(folder: Path, cache: Path) -> None:
    unpacked(folder)
    assert imdb(folder) == imdb(folder / "aclImdb") == WANTED
    packed(cache / "imdb" / "aclImdb_v1.tar.gz")
    assert imdb() == WANTED


def test_what_was_read_is_kept_until_the_source_changes(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    review = unpacked(folder) / "aclImdb" / "train" / "neg" / "9_1.txt"
    assert imdb(folder) == WANTED
    with monkeypatch.context() as patch:
        patch.setattr(imdb_module, "_read", None)  # nothing is read again
        assert imdb(folder) == WANTED
    review.write_text("Yes", encoding="utf-8")  # as long as before
    assert imdb(folder)[0][1] == ("Yes", 0)
    review.with_name("9_2.txt").write_text("New", encoding="utf-8")
    assert len(imdb(folder)[0]) == 4
    review.unlink()
    assert len(imdb(folder)[0]) == 3
    archive = packed(folder / "archive" / "aclImdb_v1.tar.gz")
    assert imdb(archive.parent) == WANTED
    packed(archive, REVIEWS | {"test/neg/3_4.txt": "So long, and thanks"})
    assert imdb(archive.parent)[1][0] == ("So long, and thanks", 0)
    assert [path.name for path in cache.iterdir()] == ["imdb-reviews.safetensors"]


@pytest.mark.parametrize("left", [0, 5, 100, 400])
def test_a_kept_file_that_is_not_whole_is_read_anew(folder: Path, cache: Path, left: int) -> None:
    unpacked(folder)
    imdb(folder)
    kept = cache / "imdb-reviews.safetensors"
    kept.write_bytes(kept.read_bytes()[:left])
    assert imdb(folder) == WANTED
    assert len(kept.read_bytes()) > 400


def test_a_kept_file_that_is_damaged_is_read_anew(folder: Path, cache: Path) -> None:
    unpacked(folder)
    imdb(folder)
    kept = cache / "imdb-reviews.safetensors"
    kept.write_bytes(kept.read_bytes().replace("Très".encode(), b"Tr\xff\xffs"))
    assert imdb(folder) == WANTED


def test_reviews_are_read_also_where_they_cannot_be_kept(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    unpacked(folder)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(UserWarning, match="cannot be kept .* free some space"):
        assert imdb(folder) == WANTED
    assert list(cache.iterdir()) == []  # nothing half-written


def test_imdb_that_is_nowhere(folder: Path) -> None:
    with pytest.raises(DataMissing) as error:
        imdb()
    assert "`python -m tools.download imdb` (84 MB)" in sentence(error) and "/" not in str(error.value)


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, target
    return made


@pytest.mark.parametrize(
    "strange",
    [
        member("../outside.txt"),
        member("aclImdb/train/pos/../../../../outside.txt"),
        member("/tmp/outside.txt"),
        member("C:\\outside.txt"),
        member("aclImdb\\..\\..\\outside.txt"),
        member("aclImdb/train/pos/7_7.txt", tarfile.SYMTYPE, "/etc/passwd"),
        member("aclImdb/train/pos/7_7.txt", tarfile.LNKTYPE, "../../outside.txt"),
        member("aclImdb/train/pos/7_7.txt", tarfile.CHRTYPE),
        member("aclImdb/train/pos/7_7.txt", tarfile.FIFOTYPE),
    ],
    ids=lambda strange: f"{strange.name} {strange.type.decode()}",
)
def test_an_archive_that_reaches_out_of_its_folder_is_refused(
    folder: Path, cache: Path, strange: tarfile.TarInfo
) -> None:
    packed(folder / "aclImdb_v1.tar.gz", extra=[strange])
    before = {path: path.stat().st_mtime_ns for path in folder.parent.rglob("*")}
    with pytest.raises(DataError) as error:
        imdb(folder)
    assert "not upstream's" in sentence(error)
    assert {path: path.stat().st_mtime_ns for path in folder.parent.rglob("*")} == before


@pytest.mark.parametrize("ending", ["gz", "xz", "bz2"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.97, 0.999])
def test_an_archive_that_ends_too_early(folder: Path, cache: Path, ending: str, share: float) -> None:
    path = packed(folder / f"aclImdb_v1.tar.{ending}")
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(DataError) as error:
        imdb(folder)
    assert "is broken" in sentence(error) and "download it again" in str(error.value)
    assert not cache.exists()


def test_an_archive_with_a_wrong_checksum_or_of_another_kind(folder: Path) -> None:
    path = packed(folder / "aclImdb_v1.tar.gz")
    content = path.read_bytes()
    for other in (content[:-8] + bytes(8), content[:40] + bytes(20) + content[60:], b"<html>moved</html>"):
        path.write_bytes(other)
        with pytest.raises(DataError, match="is broken"):
            imdb(folder)


@pytest.mark.parametrize("missing", ["train/neg", "train/pos", "test/neg", "test/pos"])
def test_a_part_that_is_missing(folder: Path, missing: str) -> None:
    files = {name: text for name, text in REVIEWS.items() if not name.startswith(missing)}
    packed(folder / "aclImdb_v1.tar.gz", files)
    with pytest.raises(DataError) as error:
        imdb(folder)
    assert missing in sentence(error)
    put(folder / "unpacked", {f"aclImdb/{name}": text.encode() for name, text in files.items()})
    with pytest.raises(DataError) as error:
        imdb(folder / "unpacked")
    assert missing in sentence(error).replace(os.sep, "/")
    (folder / "unpacked" / "aclImdb" / missing).mkdir(parents=True)
    with pytest.raises(DataError, match=f"no reviews in {missing}"):
        imdb(folder / "unpacked")


def test_a_review_that_is_not_utf_8(folder: Path, cache: Path) -> None:
    packed(folder / "aclImdb_v1.tar.gz", REVIEWS | {"test/pos/1_10.txt": "très".encode("latin-1")})
    with pytest.raises(DataError) as error:
        imdb(folder)
    assert "test/pos/1_10.txt" in sentence(error) and "byte 2 is 0xe8" in str(error.value)
    assert not cache.exists()


# Downloads


class Server(ThreadingHTTPServer):
    """Serves `files`, and misbehaves as a test wants."""

    files: dict[str, bytes]
    knows_ranges = True
    breaks_off_after: int | None = None  # bytes, once
    says_length = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.asked = {}, []


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        name, wanted = self.path.lstrip("/"), self.headers["Range"]
        self.server.asked.append((name, wanted))
        if name not in self.server.files:
            self.send_error(404)
            return
        content, start = self.server.files[name], 0
        if wanted and self.server.knows_ranges:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(content):
                self.send_error(416)
                return
        self.send_response(206 if start else 200)
        if self.server.says_length:
            self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        stop, self.server.breaks_off_after = self.server.breaks_off_after, None
        self.wfile.write(content[start:stop])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    server = Server()
    archive = packed(tmp_path / "upstream" / "aclImdb_v1.tar.gz", REVIEWS | {"noise": os.urandom(200_000)})
    server.files = zipped() | {archive.name: archive.read_bytes()}
    md5s = {name: hashlib.md5(content).hexdigest() for name, content in server.files.items()}
    monkeypatch.setattr(multi30k_module, "MD5", md5s)
    monkeypatch.setattr(imdb_module, "MD5", md5s[imdb_module.ARCHIVE])
    url = f"http://127.0.0.1:{server.server_port}/"
    monkeypatch.setattr(imdb_module, "URL", url)
    monkeypatch.setattr(multi30k_module, "URL", url)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_nothing_is_downloaded_unasked(server: Server) -> None:
    for read in (imdb, multi30k):
        with pytest.raises(DataMissing):
            read()
    assert server.asked == []


def test_downloads_go_to_the_cache_once(server: Server, cache: Path, capfd: pytest.CaptureFixture) -> None:
    assert imdb(download=True) == imdb(download=True) == imdb() == WANTED
    assert multi30k(download=True) == multi30k(download=True) == multi30k() == PAIRS
    assert sorted(name for name, _ in server.asked) == sorted(server.files)  # each once
    assert not list(cache.rglob("*.part*"))
    assert "aclImdb_v1.tar.gz" in capfd.readouterr().err  # the progress bar


def test_a_folder_given_gets_the_download(server: Server, folder: Path, cache: Path) -> None:
    assert multi30k(folder / "new", download=True) == PAIRS
    assert sorted(path.name for path in (folder / "new").iterdir()) == sorted(zipped()) and not cache.exists()


def test_only_the_missing_half_is_fetched(server: Server, folder: Path) -> None:
    put(folder, zipped())
    (folder / "val.en.gz").unlink()
    assert multi30k(folder, download=True) == PAIRS
    assert server.asked == [("val.en.gz", None)]


@pytest.mark.parametrize("knows_ranges", [True, False])
@pytest.mark.parametrize("says_length", [True, False])
def test_a_download_that_breaks_off_goes_on(server: Server, cache: Path, knows_ranges: bool, says_length: bool) -> None:
    server.knows_ranges, server.says_length, server.breaks_off_after = knows_ranges, says_length, 70_000
    with pytest.raises(DataError) as error:
        imdb(download=True)
    sentence(error)
    with pytest.raises(DataMissing):
        imdb()  # a part is not taken for the whole
    if says_length:
        assert "broke off after 70,000 of" in str(error.value)
        assert [path.name for path in (cache / "imdb").iterdir()] == ["aclImdb_v1.tar.gz.part"]
    assert imdb(download=True) == WANTED
    assert server.asked[1][1] == ("bytes=70000-" if says_length else None)
    assert [path.name for path in (cache / "imdb").iterdir()] == ["aclImdb_v1.tar.gz"]


def test_a_part_that_is_whole_already_only_gets_its_name(server: Server, cache: Path) -> None:
    put(cache / "imdb", {"aclImdb_v1.tar.gz.part": server.files["aclImdb_v1.tar.gz"]})
    assert imdb(download=True) == WANTED


def test_a_part_of_something_else_is_thrown_away(server: Server, cache: Path) -> None:
    put(cache / "imdb", {"aclImdb_v1.tar.gz.part": b"x" * 1000})
    with pytest.raises(DataError) as error:
        imdb(download=True)
    assert "its MD5 is" in sentence(error) and "try again" in str(error.value)
    assert list((cache / "imdb").iterdir()) == []
    assert imdb(download=True) == WANTED


def test_a_file_that_is_not_upstreams_is_not_kept(server: Server, cache: Path) -> None:
    server.files["train.de.gz"] = gzip.compress(b"Ha\nHa\nHa\n")
    with pytest.raises(DataError, match="not upstream's file"):
        multi30k(download=True)
    assert list((cache / "multi30k").iterdir()) == []


def test_a_server_that_does_not_have_it_or_is_not_there(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    del server.files["aclImdb_v1.tar.gz"]
    with pytest.raises(DataError) as error:
        imdb(download=True)
    assert "answers 404 Not Found" in sentence(error)
    for nowhere in ("http://127.0.0.1:9/", "http://no-such-host.invalid/"):
        monkeypatch.setattr(imdb_module, "URL", nowhere)
        with pytest.raises(DataError) as error:
            imdb(download=True)
        assert "check the network" in sentence(error)
    with pytest.raises(DataMissing):
        imdb()


def test_a_server_that_never_answers(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download_module, "SECONDS_OF_SILENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr(imdb_module, "URL", f"http://127.0.0.1:{silent.getsockname()[1]}/")
        hung_up = threading.Timer(5, silent.close)  # so that no test waits for ever
        hung_up.start()
        with pytest.raises(DataError) as error:
            imdb(download=True)
        hung_up.cancel()
    assert "cannot be reached (timed out)" in sentence(error)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full is a thing of Linux")
def test_a_full_disk(server: Server, cache: Path) -> None:
    (cache / "imdb").mkdir(parents=True)
    (cache / "imdb" / "aclImdb_v1.tar.gz.part").symlink_to("/dev/full")
    with pytest.raises(DataError) as error:
        imdb(download=True)
    assert "No space left on device" in sentence(error) and "free some space" in str(error.value)
    with pytest.raises(DataMissing):
        imdb()


def test_a_folder_that_cannot_be_made(server: Server, folder: Path) -> None:
    put(folder, {"file": b""})
    with pytest.raises(DataError) as error:
        multi30k(folder / "file" / "below", download=True)
    assert "cannot be written to" in sentence(error)


# The command


def test_the_command_downloads_and_counts(server: Server, folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["multi30k", str(folder)]) == 0
    assert capsys.readouterr().out.split() == ["train", "3", "validation", "1", "test", "2"]
    assert main(["imdb"]) == 0
    assert capsys.readouterr().out.split() == ["train", "3", "test", "3"]
    server.files.clear()
    (folder / "val.de.gz").unlink()
    assert main(["multi30k", str(folder)]) == 1
    assert "404" in capsys.readouterr().err


def test_the_cache_folder_is_the_platforms_usual_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ATTENTION_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert cache_folder() == tmp_path / "attention-step-by-step"
    assert cache_folder().name in ("attention-step-by-step", "Cache")
