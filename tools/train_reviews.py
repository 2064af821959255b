"""Train the reader of film reviews of lesson 14 on IMDB, and print what it reaches on the test reviews.

Usage::

    python -m tools.train_reviews                           with and without positions, five seeds, five epochs
    python -m tools.train_reviews --variants unmasked       padding is attended to and averaged in, too
    python -m tools.train_reviews --folder FOLDER           where the reviews are; see tools.download
    python -m tools.train_reviews --time 100                only milliseconds a step: dense Adam against sparse

Nothing is stored. "Best" is the best of the epochs on the test reviews themselves, as Keras's example of this model
does; so it is a little too good, for the same reviews choose the epoch.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

import torch
from torch import Tensor

from helpers.data.download import DataError
from helpers.data.imdb import imdb
from helpers.models.review_reader import BATCH, EPOCHS, new_model, optimizers, prepared, train, train_step

SEEDS = 5
VARIANTS = {
    "positions": {"positions": True},
    "no-positions": {"positions": False},
    "unmasked": {"positions": True, "masked": False},
}


def step_times(ids: Tensor, labels: Tensor, steps: int) -> dict[str, float]:
    """Time a step with dense and with sparse Adam, in turn.

    Parameters
    ----------
    ids, labels : Tensor, (n_reviews, n) and (n_reviews,)
        To train on.
    steps : int
        To take, of which the median counts.

    Returns
    -------
    dict
        Milliseconds a step, for "dense" and "sparse".
    """
    models = {name: new_model(sparse=name == "sparse") for name in ("dense", "sparse")}
    of_model = {name: optimizers(model) for name, model in models.items()}
    times: dict[str, list[float]] = {name: [] for name in models}
    for chosen in torch.randperm(len(ids)).split(BATCH)[:steps]:
        for name, model in models.items():
            start = time.perf_counter()
            train_step(model, of_model[name], ids[chosen], labels[chosen])
            times[name].append(1000 * (time.perf_counter() - start))
    return {name: statistics.median(series) for name, series in times.items()}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0, or 1 when the reviews cannot be had.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.train_reviews", description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="where the reviews are; the cache folder when left out")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=["no-positions", "positions"])
    parser.add_argument("--seeds", nargs="+", type=int, default=list(range(SEEDS)))
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--threads", type=int, default=1, help="1 when left out: other programs disturb it least")
    parser.add_argument("--time", type=int, metavar="STEPS", help="only measure so many steps, dense and sparse")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    try:
        _, ids, labels, test_ids, test_labels = prepared(imdb(options.folder))
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    if options.time:
        for name, milliseconds in step_times(ids, labels, options.time).items():
            an_epoch = milliseconds * len(ids) / BATCH / 1000
            print(f"{name:7} {milliseconds:6.1f} ms a step, {an_epoch:6.1f} s an epoch")
        return 0
    for variant in options.variants:
        best = []
        for seed in options.seeds:
            print(f"{variant}, seed {seed}")
            model = new_model(seed, **VARIANTS[variant])
            best.append(max(train(model, ids, labels, test_ids, test_labels, options.epochs)))
        spread = f", standard deviation {statistics.stdev(best):.4f}" if len(best) > 1 else ""
        print(
            f"{variant}: best of {options.epochs} epochs {', '.join(f'{value:.4f}' for value in best)}; "
            f"mean {statistics.mean(best):.4f}{spread}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
