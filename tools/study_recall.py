"""Train each attention of lesson 16 on the recall task, at each of its sizes, and store how many answers are right.

Usage::

    python -m tools.study_recall                  run all that is not stored yet: about twenty minutes
    python -m tools.study_recall --again          forget what is stored first

Every run draws texts of its own and is tested on the same 500 fresh ones. A seed means another start and other texts.
"""

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

import torch

from helpers.files import write_whole
from helpers.models import recall

SEEDS, STEPS = 5, 800


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
