"""Train each attention of lesson 16 on the recall task, at each of its sizes, and store how many answers are right.

Usage::

    python -m tools.study_recall                  run all that is not stored yet: about 35 minutes
    python -m tools.study_recall --again          forget what is stored first

Every run draws texts of its own and is tested on the same 500 fresh ones. A seed means another start and other texts.

Beside the sizes of `recall.SIZES` it runs what asks why a size was not enough: tables that are not square, longer
vectors, so that a question has room for two names, more steps, a table without a model around it, and a window with a
small head (`OTHERS`).
"""

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from helpers.files import write_whole
from helpers.models import recall

SEEDS, STEPS = 5, 800
SHARED, TABLE, BARE, WINDOW = "grouped", "linear, signed, one table", "bare table", "local, a head of 4"
# The way, what is made smaller (for a table: its rows and its columns; for a window: how many pairs), the length of the
# vectors (a bare table has none), and the steps.
OTHERS: list[tuple[str, list[int], int, int]] = [
    (TABLE, [16, 16], 128, STEPS),
    (TABLE, [32, 8], 64, STEPS),
    (TABLE, [32, 8], 128, STEPS),
    (TABLE, [64, 4], 64, STEPS),
    (TABLE, [64, 4], 128, STEPS),
    (TABLE, [64, 2], 128, STEPS),
    (SHARED, [2], 128, STEPS),
    (SHARED, [2], 64, 4 * STEPS),
    (BARE, [16, 16], 0, STEPS),
    (BARE, [32, 8], 0, STEPS),
    (BARE, [64, 4], 0, STEPS),
    (WINDOW, [16], 64, STEPS),
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


class BareTable(nn.Module):
    """A table without a model around it: each name has a key and a query of its own, each colour a value.

    Parameters
    ----------
    n_rows, n_columns : int
        Numbers in a key and in a value.
    """

    def __init__(self, n_rows: int, n_columns: int) -> None:
        super().__init__()
        self.key, self.query = nn.Embedding(recall.N_NAMES, n_rows), nn.Embedding(recall.N_NAMES, n_rows)
        self.value, self.to_scores = nn.Embedding(recall.N_COLOURS, n_columns), nn.Linear(n_columns, recall.N_COLOURS)

    def forward(self, names: Tensor, colours: Tensor, asked: Tensor) -> Tensor:
        """Score each colour as the answer: -> (batch, n_questions, 2, 16)."""
        found = recall.signed_linear_attention(self.query(asked).flatten(1, 2), self.key(names), self.value(colours))
        return self.to_scores(found).unflatten(1, (-1, 2))


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
        `SHARED`, `TABLE`, `BARE` or `WINDOW`.
    size : list of int
        Numbers in a head, rows and columns of the table, or pairs in the window.
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
    return round(recall.recall_accuracy(recall.trained(_new(way, size, d_model), seed, steps)), 4)


def _new(way: str, size: list[int], d_model: int) -> nn.Module:
    if way == BARE:
        return BareTable(size[0], size[1])
    if way == TABLE:
        return recall.RecallModel(OneTable(size[0], size[1], d_model), d_model)
    if way == WINDOW:
        return recall.RecallModel(recall.new_window(size[0], d_head=4))
    return recall.RecallModel(recall.GroupedQueryAttention(d_model, *recall.HEADS[way], *size), d_model)


def _kept(way: str, size: list[int]) -> int:
    if way in (TABLE, BARE):
        return size[0] * size[1]
    return size[0] * 2 * 4 if way == WINDOW else recall.numbers_kept(way, *size)


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
        accuracy = [run_other(way, shape, d_model, n_steps, seed) for seed in range(seeds)]
        others.append({**settings, "kept": _kept(way, shape), "accuracy": accuracy})
        others.sort(key=lambda one: OTHERS.index((one["way"], one["size"], one["d_model"], one["steps"])))
        write_whole(recall.RESULTS, (json.dumps(results, indent=1) + "\n").encode())
        say(f"{way} {shape}, vectors of {d_model}, {n_steps} steps  {_kept(way, shape)} numbers  {accuracy}")


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
