"""Global settings: those that a check counts on, and those of the learner, which come back afterwards."""

import builtins
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch


def _no_input(*_: Any) -> str:
    raise RuntimeError("input() does not work inside a check")


def _set_device(device: torch.device) -> None:
    torch.set_default_device(None if device.type == "cpu" else device)


def _folder() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:  # somebody has deleted it
        return None


def _go_to(folder: str | None) -> None:
    if folder is not None:
        with suppress(OSError):
            os.chdir(folder)


def _set_environment(variables: dict[str, str]) -> None:
    for name in os.environ.keys() - variables:
        del os.environ[name]
    os.environ.update(variables)


def _figures() -> list[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return pyplot.get_fignums() if pyplot else []


def _close_all_but(figures: list[int]) -> None:
    pyplot = sys.modules["matplotlib.pyplot"]
    for number in set(pyplot.get_fignums()).difference(figures):
        pyplot.close(number)


# name in words, how to read it, how to set it
_SETTINGS: list[tuple[str, Callable[[], Any], Callable[[Any], Any]]] = [
    ("torch's default dtype", torch.get_default_dtype, torch.set_default_dtype),
    ("torch's default device", torch.get_default_device, _set_device),
    ("whether torch records gradients", torch.is_grad_enabled, torch.set_grad_enabled),
    ("torch's deterministic mode", torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms),
    ("torch's number of threads", torch.get_num_threads, torch.set_num_threads),
    ("Python's recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    ("the working folder", _folder, _go_to),
    ("the environment", os.environ.copy, _set_environment),
    ("torch's print options", torch._tensor_str.get_printoptions, lambda options: torch.set_printoptions(**options)),
    ("numpy's print options", np.get_printoptions, lambda options: np.set_printoptions(**options)),
    ("which figures are open", _figures, _close_all_but),
]


@contextmanager
def settings_kept() -> Iterator[list[str]]:
    """Put seeds and settings back afterwards.

    Yields
    ------
    list of str
        Empty at first; afterwards it names the settings (not seeds) that had been changed.
    """
    before = [read() for _, read, _ in _SETTINGS]
    seeds = torch.get_rng_state(), np.random.get_state(), random.getstate()  # noqa: NPY002 (the global one is meant)
    ask, builtins.input = builtins.input, _no_input
    changed: list[str] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield changed
    finally:
        builtins.input = ask
        for (name, read, write), value in zip(_SETTINGS, before, strict=True):
            if read() != value:
                write(value)
                changed.append(name)
        torch.set_rng_state(seeds[0])
        np.random.set_state(seeds[1])  # noqa: NPY002
        random.setstate(seeds[2])


@contextmanager
def neutral() -> Iterator[None]:
    """The settings that a check counts on, whatever the learner has set; theirs come back afterwards."""
    with settings_kept(), torch.inference_mode(False):
        torch.set_default_dtype(torch.float32)
        if torch.get_default_device().type != "cpu":
            torch.set_default_device(None)
        torch.set_grad_enabled(True)
        torch.set_num_threads(1)  # inputs are small, and threads that wait for each other on a busy machine are slow
        yield
