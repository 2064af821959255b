"""Files that are written whole or not at all."""

import contextlib
import os
import secrets
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under another name first, so that at each moment it is there whole or as it was before.

    Parameters
    ----------
    path : Path
        Where it shall be; folders that are missing are made.
    data : bytes
        All that it shall hold.

    Raises
    ------
    OSError
        It cannot be written. What stood there still does, and nothing unfinished is left beside it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")  # another one for each writer
    try:
        with unfinished.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
