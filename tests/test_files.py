"""A file is written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from helpers.files import write_whole


def test_a_file_is_written_into_a_folder_that_is_made(tmp_path: Path) -> None:
    write_whole(tmp_path / "new" / "file", b"first")
    write_whole(tmp_path / "new" / "file", b"second")
    assert (tmp_path / "new" / "file").read_bytes() == b"second"
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["file"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_what_stood_there_stays_where_a_step_fails(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    (tmp_path / "file").write_bytes(b"before")
    monkeypatch.setattr(os if step == "fsync" else Path, step, failing)
    with pytest.raises(OSError, match="Input/output error"):
        write_whole(tmp_path / "file", b"after")
    assert (tmp_path / "file").read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
