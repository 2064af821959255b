"""Contain students' code: no network, a home and a folder of its own, as far as the system offers it."""

import json
import os
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
GRACE = 20.0  # seconds beyond a job's own limit, after which the process that should have kept it is ended
START = 120.0  # seconds that a process may take to import torch
# All that code gets of your environment: no tokens, no addresses
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "OMP_NUM_THREADS", "LD_LIBRARY_PATH", "SYSTEMROOT", "WINDIR", "PATHEXT")
FOLDERS = ("MINILM_FOLDER", "SMOLLM_FOLDER", "ATTENTION_DATA")  # what lessons open from them can be read too
SCRATCH = "ATTENTION_SCRATCH"  # names the folder that is the process's own
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix")


@dataclass(frozen=True)
class Containment:
    """A way to start a process.

    Attributes
    ----------
    name : str
        "bubblewrap", "unshare" or "none".
    says : str
        What is contained, in a sentence.
    before : tuple of str
        The command that stands before the process's own.
    """

    name: str
    says: str
    before: tuple[str, ...] = ()


NONE = Containment(
    "none",
    "Nothing contains the code: it can use the network and whatever your account can. It gets a scratch home and none "
    "of your environment variables.",
)


@lru_cache(maxsize=1)
def containment() -> Containment:
    """Find the best containment that works here.

    Returns
    -------
    Containment
        Bubblewrap, or else a network namespace, or else none.
    """
    program = shutil.which("bwrap")
    if program and _works([program, *_bubblewrap()]):
        says = "bubblewrap contains the code: no network, no files but the system's and the course's, a scratch home."
        return Containment("bubblewrap", says, (program, *_bubblewrap()))
    return unshared() or NONE


def unshared() -> Containment | None:
    """Give a namespace without network, where this system makes one."""
    program = shutil.which("unshare")
    if program and _works([program, "--map-root-user", "--net"]):
        says = "unshare contains the code in part: no network and a scratch home, but it can read and write your files."
        return Containment("unshare", says, (program, "--map-root-user", "--net"))
    return None


def _works(before: Sequence[str]) -> bool:
    """Whether a Python starts behind this command."""
    try:
        done = subprocess.run([*before, sys.executable, "-c", ""], capture_output=True, timeout=120, cwd="/")
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _bubblewrap() -> list[str]:
    """Bubblewrap's options: read-only are the system, this Python and the course, and the rest is not there."""
    options = [
        "--unshare-net",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-uts",
        "--die-with-parent",
        "--cap-drop",
        "ALL",
    ]
    for folder in SYSTEM:
        options += ["--ro-bind-try", folder, folder]
    options += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    users = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    needed = [sys.prefix, sys.base_prefix, *users, *_folders().values()]
    for folder in dict.fromkeys([*needed, *map(os.path.realpath, needed)]):
        options += ["--ro-bind-try", folder, folder]
    for part in ("helpers", "tools", "notebooks"):
        options += ["--ro-bind-try", str(ROOT / part), str(ROOT / part)]
    return [*options, "--chdir", "/tmp"]


def _folders() -> dict[str, str]:
    """The folders with weights and data that environment variables name."""
    return {name: str(Path(os.environ[name]).resolve()) for name in FOLDERS if os.environ.get(name)}


class Room:
    """A contained process that runs one notebook after the other, and is started anew when it dies.

    Parameters
    ----------
    inside : Containment
        How it is started.
    """

    def __init__(self, inside: Containment) -> None:
        self.inside = inside
        self._process: subprocess.Popen[str] | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._used = self._ended = False

    def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        """Let it do a job.

        Parameters
        ----------
        job : dict
            As `room` describes it.

        Returns
        -------
        dict
            What `room` answers, or only a "problem".
        """
        if self._ended:
            return {"problem": "the run was ended"}
        process = self._start()
        timer = threading.Timer(job["seconds"] + GRACE + START, process.kill)  # for when it cannot keep the time itself
        timer.start()
        line = ""
        try:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(json.dumps(job) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            answer: dict[str, Any] = json.loads(line)
        except (OSError, ValueError):
            self.close()
            return {"problem": "its process died" if self._used or line else "its process did not start"}
        finally:
            timer.cancel()
        self._used = True
        return answer

    def _start(self) -> "subprocess.Popen[str]":
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        self._scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        home = "/tmp" if self.inside.name == "bubblewrap" else self._scratch.name
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= _folders()
        environment |= {"HOME": home, "USERPROFILE": home, "TMPDIR": home, "TEMP": home, "TMP": home}
        environment |= {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "MPLCONFIGDIR": f"{home}/matplotlib"}
        environment[SCRATCH] = home
        environment.setdefault("OMP_NUM_THREADS", "1")
        self._process = subprocess.Popen(
            [*self.inside.before, sys.executable, "-m", "tools.grade.room"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=environment,
            cwd=home if self.inside.name != "bubblewrap" else "/",
            start_new_session=True,  # Ctrl-C is for the grader
        )
        return self._process

    def end(self) -> None:
        """End the process for good, also while it does a job for another thread."""
        self._ended = True
        self.close()

    def close(self) -> None:
        """End the process, and what it left."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            if hasattr(os, "killpg"):
                with suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):  # of a line that it has not read
                        pipe.close()
            process.wait()
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None
