"""Two ways to do the same, timed in turn, and how many times as long the one takes.

A subject, say benchmarks/cost.py, is found by its name and needs one function:

    def figures(quick: bool) -> Iterator[Figure]:
        times = in_turn({"ours": ours, "reference": reference}, quick)  # functions without arguments
        yield share_of_time("what is done, with its sizes", times, at_most=0.95)
        yield times_as_fast("the same, said the other way", times, at_least=1.3)

With `quick` it uses tiny sizes, so that a test can run it through in a second or two.
"""

import math
import os
import platform
import re
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import torch

ROUNDS = 11
LEAST_SECONDS = 0.1  # that one timing takes, so that the clock's grain and a short disturbance do not count


@dataclass(frozen=True)
class Figure:
    """One line of the table.

    Attributes
    ----------
    what : str
        What is done, with its sizes.
    value, low, high : float
        The median of the rounds and their quartiles.
    unit : str
        Of these.
    rounds : int
        How many there were.
    seconds : dict of str to float
        The medians of what was timed.
    at_most, at_least : float, optional
        The bar; one of the two at most.
    threads : int
        With which PyTorch calculated.
    """

    what: str
    value: float
    unit: str
    low: float
    high: float
    rounds: int
    seconds: dict[str, float] = field(default_factory=dict)
    at_most: float | None = None
    at_least: float | None = None
    threads: int = field(default_factory=torch.get_num_threads)

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None where there is none."""
        if self.at_most is not None:
            return self.value <= self.at_most
        return None if self.at_least is None else self.value >= self.at_least


def in_turn(
    functions: Mapping[str, Callable[[], object]],
    quick: bool = False,
    rounds: int = ROUNDS,
    least_seconds: float = LEAST_SECONDS,
) -> dict[str, list[float]]:
    """Time functions in turn.

    The functions take turns within each round, forwards and backwards by turns, so that what else the machine does
    meets all of them alike. Each is called once beforehand, untimed. A function that is soon done is called so often
    that one timing takes `least_seconds`, and the time is divided by the number of calls.

    Parameters
    ----------
    functions : mapping of str to callable
        By name, without arguments.
    quick : bool
        Call each once.
    rounds : int
        How often each is timed.
    least_seconds : float
        How long one timing takes at least.

    Returns
    -------
    dict of str to list of float
        Seconds for one call, in each round.
    """
    calls = {name: 1 if quick else _calls(function, least_seconds) for name, function in functions.items()}
    times: dict[str, list[float]] = {name: [] for name in functions}
    for i in range(1 if quick else rounds):
        for name in list(functions)[:: -1 if i % 2 else 1]:
            times[name].append(_seconds(functions[name], calls[name]) / calls[name])
    return times


def _calls(function: Callable[[], object], least_seconds: float) -> int:
    function()
    return math.ceil(least_seconds / max(_seconds(function, 1), 1e-9))


def _seconds(function: Callable[[], object], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return time.perf_counter() - start


def share_of_time(
    what: str,
    times: Mapping[str, list[float]],
    ours: str = "ours",
    reference: str = "reference",
    at_most: float | None = None,
) -> Figure:
    """Divide the time of ours by that of a reference, within each round.

    Parameters
    ----------
    what : str
        What is done, with its sizes.
    times : mapping of str to list of float
        As `in_turn` gives them.
    ours, reference : str
        Names in `times`.
    at_most : float, optional
        The bar.

    Returns
    -------
    Figure
        The median of the quotients.
    """
    quotients = _quotients(times[ours], times[reference])
    return figure(what, quotients, f"of the time of {reference}", times, at_most=at_most)


def times_as_fast(
    what: str,
    times: Mapping[str, list[float]],
    ours: str = "ours",
    reference: str = "reference",
    at_least: float | None = None,
) -> Figure:
    """Divide the time of a reference by that of ours, within each round; parameters as for `share_of_time`.

    Returns
    -------
    Figure
        The median of the quotients; its bar is `at_least`.
    """
    quotients = _quotients(times[reference], times[ours])
    return figure(what, quotients, f"times as fast as {reference}", times, at_least=at_least)


def _quotients(above: list[float], below: list[float]) -> list[float]:
    return [a / b for a, b in zip(above, below, strict=True)]


def figure(
    what: str,
    values: list[float],
    unit: str,
    times: Mapping[str, list[float]] | None = None,
    *,
    at_most: float | None = None,
    at_least: float | None = None,
) -> Figure:
    """Make a line of the table from one value a round.

    Parameters
    ----------
    what, unit, at_most, at_least
        As for `Figure`.
    values : list of float
        One for each round.
    times : mapping of str to list of float, optional
        As `in_turn` gives them, to print what was timed.

    Returns
    -------
    Figure
        Median and quartiles.
    """
    low, _, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    seconds = {name: statistics.median(taken) for name, taken in (times or {}).items()}
    return Figure(what, statistics.median(values), unit, low, high, len(values), seconds, at_most, at_least)


@contextmanager
def threads(n: int) -> Iterator[None]:
    """Let PyTorch calculate with n threads inside a `with` block, and with as many as before afterwards.

    Parameters
    ----------
    n : int
        Number of threads.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(n)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def machine() -> dict[str, str | int | float]:
    """Say what the figures depend on, beside the code.

    Returns
    -------
    dict of str to str, int or float
        Platform, processor, versions and threads.
    """
    return {
        "platform": platform.platform(),
        "processor": _processor(),
        "processors": os.cpu_count() or 1,
        "load before": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else -1,
        "Python": platform.python_version(),
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
    }


def _processor() -> str:
    """Linux keeps the name in a file; elsewhere Python knows it."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def most_held() -> int:
    """Ask for the peak of the memory of this process so far.

    Returns
    -------
    int
        Bytes.
    """
    status = Path("/proc/self/status")
    if status.is_file():  # Linux, where ru_maxrss also counts what the parent process held when it started this one
        (kilobytes,) = re.findall(r"VmHWM:\s+(\d+)", status.read_text())
        return 1024 * int(kilobytes)
    import resource  # not there on Windows, where only this part of the benchmark is missing

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS


HEADER = f"{'subject':11} {'what':62} {'figure':>8}  {'quartiles':16} bar"


def line(subject: str, of: Figure) -> str:
    """Write one figure of the table.

    Parameters
    ----------
    subject : str
        The module that measured it.
    of : Figure
        What was measured.

    Returns
    -------
    str
        The median, its quartiles and the bar, and on a second line the unit and what was timed.
    """
    bar = ""
    if of.met is not None:
        bound = f"at most {of.at_most:g}" if of.at_most is not None else f"at least {of.at_least:g}"
        bar = f"{bound}: {'met' if of.met else 'MISSED'}"
    quartiles = f"{of.low:.3f} to {of.high:.3f}"
    timed = "".join(f"{name} {_written(seconds)}, " for name, seconds in of.seconds.items())
    counts = f"{of.rounds} round{'s' * (of.rounds != 1)}, {of.threads} thread{'s' * (of.threads != 1)}"
    row = f"{subject:11} {of.what:62} {of.value:8.3f}  {quartiles:16} {bar}".rstrip()
    return f"{row}\n{'':12}  {of.unit}: {timed}{counts}"


def _written(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"
