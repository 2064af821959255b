"""What attention costs with the length of the text: time, how it grows, and the memory of a process.

The ways are those of lesson 16, whose definitions are read from the notebook, so that there is one source of them.
Memory is that of a process of its own for each way: the most that it held (VmHWM of Linux, ru_maxrss on macOS) less
what that was before the call, with PyTorch and the inputs loaded and the way called once at a small length.
"""

import ast
import gc
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch

from benchmarks.timing import Figure, figure, in_turn, most_held, threads, times_as_fast
from helpers.models.transformer import attention

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "16-cheaper-attention.ipynb"
NAMES = [
    "random_inputs",
    "with_table",
    "in_groups",
    "local_attention",
    "local",
    "strided_attention",
    "strided",
    "CompressedAttention",
]
WAYS = ["table", "fused", "local", "strided", "compressed"]
LENGTHS = [128, 256, 512, 1024, 2048, 4096, 8192]
LINEAR = ["local", "strided"]
ROUNDS = 7
MEGABYTE = 2**20


def lesson() -> dict[str, Any]:
    """Read the functions and classes of lesson 16.

    Returns
    -------
    dict of str to object
        By name, with what the lesson imports.

    Raises
    ------
    ValueError
        The notebook lacks one of them.
    """
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    parts = [node for cell in cells if cell["cell_type"] == "code" for node in ast.parse("".join(cell["source"])).body]
    wanted: list[ast.stmt] = [part for part in parts if isinstance(part, ast.Import | ast.ImportFrom)]
    wanted += [part for part in parts if getattr(part, "name", None) in NAMES]
    names: dict[str, Any] = {}
    exec(compile(ast.Module(wanted, type_ignores=[]), str(NOTEBOOK), "exec"), names)
    if missing := set(NAMES) - set(names):
        raise ValueError(f"{NOTEBOOK.name} must define {min(missing)}, but does not.")
    return names


def ways(names: dict[str, Any]) -> dict[str, Callable[..., torch.Tensor]]:
    """Make each way to attend, with r = 64.

    Parameters
    ----------
    names : dict of str to object
        As `lesson` gives them.

    Returns
    -------
    dict of str to callable
        Functions of query, key and value, (1, n_heads, n, 64) each.
    """
    torch.manual_seed(0)
    compressed = names["CompressedAttention"](64)
    functions = [names["with_table"], _fused, names["local"], names["strided"], compressed]
    return dict(zip(WAYS, functions, strict=True))


def _fused(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Attention without a table: (1, n_heads, n, 64) each."""
    return attention(query, key, value)[0]


def run(way: Callable[..., torch.Tensor], inputs: list[torch.Tensor]) -> None:
    """Go forwards, and backwards where the inputs ask for gradients.

    Parameters
    ----------
    way : callable
        One of `ways`.
    inputs : list of Tensor
        Query, key and value, (1, n_heads, n, 64) each.
    """
    if not inputs[0].requires_grad:
        with torch.no_grad():
            way(*inputs)
        return
    torch.autograd.grad(way(*inputs).sum(), inputs)


def fitted_exponent(lengths: list[int], costs: list[float]) -> float:
    """Fit how a cost grows: if it grows as n to the power a, its logarithm is a straight line of slope a.

    Parameters
    ----------
    lengths : list of int
        At least two, which differ.
    costs : list of float
        One for each length, above 0.

    Returns
    -------
    float
        The slope of the straight line that fits best.
    """
    x, y = torch.tensor(lengths).double().log(), torch.tensor(costs).double().log()
    x = x - x.mean()
    return ((x @ y) / (x @ x)).item()


def figures(quick: bool) -> Iterator[Figure]:
    """Time each way at growing lengths and one step of decoding, and measure what each adds to the memory of a process.

    Parameters
    ----------
    quick : bool
        Two short lengths, once, and the memory of two ways.

    Yields
    ------
    Figure
        Exponents of the time, how many times as fast as the table, megabytes.
    """
    names = lesson()
    lengths = [128, 256] if quick else LENGTHS
    with threads(1):
        for n_heads, train in [(1, False)] if quick else [(1, False), (1, True), (8, False)]:
            yield from _times(names, lengths, n_heads, train, quick)
        yield from _decoding(256 if quick else 8192, quick)
        for n_heads, train in [(1, False)] if quick else [(1, False), (8, False), (8, True)]:
            yield from _memory(2048 if quick else lengths[-1], n_heads, train, ["table", "local"] if quick else WAYS)


def decode(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Attend with one new token whose heads of queries share fewer heads of keys and values.

    Heads that share stand as rows before the keys that they share, so nothing is copied.

    Parameters
    ----------
    query : Tensor, (n_heads, d_head)
        Of the new token.
    key, value : Tensor, (n_kv_heads, n, d_head)
        The cache.

    Returns
    -------
    Tensor, (n_heads, d_head)
        What each head finds.
    """
    rows = query.unflatten(0, (len(key), -1))  # (n_kv_heads, heads that share, d_head)
    return attention(rows[None], key[None], value[None])[0][0].flatten(0, 1)


def _decoding(n: int, quick: bool) -> Iterator[Figure]:
    """Time one step with a cache of n tokens, 32 heads of queries of 128 numbers, and 32, 8 and 1 heads of keys."""
    generator = torch.Generator().manual_seed(0)
    query = torch.randn(32, 128, generator=generator)
    steps = {}
    for n_kv_heads in (32, 8, 1):
        cache = (torch.randn(n_kv_heads, n, 128, generator=generator) for _ in range(2))
        steps[str(n_kv_heads)] = partial(decode, query, *cache)
    with torch.no_grad():
        times = in_turn(steps, quick, ROUNDS, 0.02)
    for shared in ("8", "1"):
        heads = f"{shared} head{'s' * (shared != '1')}"
        yield times_as_fast(f"a token after {n:,}, 32 heads share {heads} of keys", times, shared, "32")


def _kind(n_heads: int, train: bool) -> str:
    return f"{n_heads} head{'s' * (n_heads > 1)}, {'with gradients' if train else 'forwards'}"


def _times(names: dict[str, Any], lengths: list[int], n_heads: int, train: bool, quick: bool) -> Iterator[Figure]:
    kind = _kind(n_heads, train)
    taken: dict[str, list[list[float]]] = {name: [] for name in (WAYS if n_heads == 1 else LINEAR)}  # by length, round
    for n in lengths:
        inputs = [x.requires_grad_(train) for x in names["random_inputs"](n, n_heads)]
        # eight tables of 8,192 tokens take seconds and gigabytes, so that with more heads only what is linear is timed
        here = {name: ways(names)[name] for name in taken}
        times = in_turn({name: partial(run, way, inputs) for name, way in here.items()}, quick, ROUNDS, 0.02)
        for name in here:
            taken[name].append(times[name])
        gc.collect()
    for name, by_length in taken.items():
        rounds = zip(*by_length, strict=True)  # each a time for each length
        exponents = [fitted_exponent(lengths, list(each)) for each in rounds]
        yield figure(
            f"{name}, {kind}, {lengths[0]} to {lengths[-1]:,} tokens",
            exponents,
            "exponent of the time",
            {f"at {lengths[-1]:,}": by_length[-1]},
            at_most=1.15 if name == "local" and not quick else None,
        )
    if n_heads == 1:
        for name in WAYS[1:]:
            last = {one: taken[one][-1] for one in (name, "table")}
            bar = 10 if name == "local" and not quick else None
            yield times_as_fast(f"{name}, {kind}, {lengths[-1]:,} tokens", last, name, "table", at_least=bar)


def _memory(n: int, n_heads: int, train: bool, of: list[str]) -> Iterator[Figure]:
    for name in of:
        command = [sys.executable, "-m", "benchmarks.cost", name, str(n), str(n_heads), str(int(train))]
        done = subprocess.run(command, cwd=NOTEBOOK.parents[1], capture_output=True, text=True, check=True)
        what = f"{name}, {_kind(n_heads, train)}, {n:,} tokens"
        yield figure(what, [float(done.stdout)], "MB more at the peak of a process")


def _peak_of_this_process(name: str, n: int, n_heads: int, train: bool) -> float:
    """MB that one call adds to the most that this process has held."""
    torch.set_num_threads(1)
    names = lesson()
    way = ways(names)[name]
    run(way, [x.requires_grad_(train) for x in names["random_inputs"](64, n_heads)])  # loads what is loaded once
    inputs = [x.requires_grad_(train) for x in names["random_inputs"](n, n_heads)]
    before = most_held()
    run(way, inputs)
    return (most_held() - before) / MEGABYTE


if __name__ == "__main__":
    print(_peak_of_this_process(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "1"))
