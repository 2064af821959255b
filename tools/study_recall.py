"""Train each attention of lesson 16 on the recall task, at each of its sizes, and store how many answers are right.

Usage::

    python -m tools.study_recall                  run all that is not stored yet: about 35 minutes
    python -m tools.study_recall --again          forget what is stored first

Every run draws texts of its own and is tested on the same 500 fresh ones. A seed means another start and other texts.

Beside the sizes of `recall.SIZES` it runs what asks why a size was not enough: tables that are not square, longer
vectors, so that a question has room for two names, and more steps (`OTHERS`).
"""

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from helpers.files import write_whole
from helpers.models import recall

SEEDS, STEPS = 5, 800
SHARED, TABLE = "grouped", "linear, signed, one table"
# The way, what is made smaller (for a table: its rows and its columns), the length of the vectors, and the steps.
OTHERS: list[tuple[str, list[int], int, int]] = [
    (TABLE, [16, 16], 128, STEPS),
    (TABLE, [32, 8], 64, STEPS),
    (TABLE, [32, 8], 128, STEPS),
    (TABLE, [64, 4], 64, STEPS),
    (TABLE, [64, 4], 128, STEPS),
    (TABLE, [64, 2], 128, STEPS),
    (SHARED, [2], 128, STEPS),
    (SHARED, [2], 64, 4 * STEPS),
]


class OneTable(recall.WithHeads):
    """Four heads of queries on one table, without phi, with any number of rows and columns.

    Parameters
    ----------
    n_rows, n_columns : int
        Numbers in a key and in a value.
    d_model : int
        Length of the vectors.
    """

    def __init__(self, n_rows: int, n_columns: int, d_model: int) -> None:
        super().__init__(recall.signed_linear_attention, n_rows, n_kv_heads=1, d_model=d_model)
        self.to_value = nn.Linear(d_model, n_columns)
        self.to_output = nn.Linear(recall.N_HEADS * n_columns, d_model)


def run(way: str, size: int, steps: int, seed: int) -> float:
    """Train one model.

    Parameters
    ----------
    way : str
        One of `recall.SIZES`.
    size : int
        What is made smaller.
    steps : int
        Of training.
    seed : int
        Of the start and of the texts.

    Returns
    -------
    float
        The share of right answers, to four digits.
    """
    torch.manual_seed(seed)
    model = recall.train_recall(recall.new_attention(way, size), seed, steps)
    return round(recall.recall_accuracy(model), 4)


def run_other(way: str, size: list[int], d_model: int, steps: int, seed: int) -> float:
    """Train one of `OTHERS`.

    Parameters
    ----------
    way : str
        `SHARED` or `TABLE`.
    size : list of int
        Numbers in a head, or rows and columns of the table.
    d_model : int
        Length of the vectors.
    steps : int
        Of training.
    seed : int
        Of the start and of the texts.

    Returns
    -------
    float
        The share of right answers, to four digits.
    """
    torch.manual_seed(seed)
    if way == TABLE:
        n_rows, n_columns = size
        attend: nn.Module = OneTable(n_rows, n_columns, d_model)
    else:
        attend = recall.GroupedQueryAttention(d_model, *recall.HEADS[way], *size)
    return round(recall.recall_accuracy(recall.train_recall(attend, seed, steps, d_model=d_model)), 4)


def study(results: dict[str, Any], say: Callable[[str], object], seeds: int = SEEDS, steps: int = STEPS) -> None:
    """Run what is missing, and store after each size.

    Parameters
    ----------
    results : dict
        What is stored so far; it is added to.
    say : callable
        Is given a line for each size.
    seeds, steps : int
        How many runs of a size, and how long each is trained.
    """
    results |= {"command": "python -m tools.study_recall", "seeds": seeds, "steps": steps}
    runs = results.setdefault("runs", {})
    for way, sizes in recall.SIZES.items():
        stored = {one["size"] for one in runs.setdefault(way, [])}
        for size in sizes:
            if size in stored:
                continue
            accuracy = [run(way, size, steps, seed) for seed in range(seeds)]
            runs[way].append({"size": size, "kept": recall.numbers_kept(way, size), "accuracy": accuracy})
            runs[way].sort(key=lambda one: sizes.index(one["size"]))
            write_whole(recall.RESULTS, (json.dumps(results, indent=1) + "\n").encode())
            say(f"{way:18} {size:3}  {recall.numbers_kept(way, size):5} numbers  {accuracy}")
    others = results.setdefault("others", [])
    for way, shape, d_model, n_steps in OTHERS:
        settings = {"way": way, "size": shape, "d_model": d_model, "steps": n_steps}
        if any(settings.items() <= one.items() for one in others):
            continue
        kept = shape[0] * shape[1] if way == TABLE else recall.numbers_kept(way, *shape)
        accuracy = [run_other(way, shape, d_model, n_steps, seed) for seed in range(seeds)]
        others.append({**settings, "kept": kept, "accuracy": accuracy})
        others.sort(key=lambda one: OTHERS.index((one["way"], one["size"], one["d_model"], one["steps"])))
        write_whole(recall.RESULTS, (json.dumps(results, indent=1) + "\n").encode())
        say(f"{way} {shape}, vectors of {d_model}, {n_steps} steps  {kept} numbers  {accuracy}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the process when left out.

    Returns
    -------
    int
        The exit status, 0.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.study_recall", description="Compare attentions on recall.")
    parser.add_argument("--again", action="store_true", help="forget what is stored first")
    again = parser.parse_args(arguments).again
    torch.set_num_threads(1)
    study(
        {} if again or not recall.RESULTS.is_file() else recall.recall_results(), lambda line: print(line, flush=True)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
