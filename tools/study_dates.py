"""Train the translator of dates in other ways than lesson 12 does, and store how each went, for the lesson to show.

Usage::

    python -m tools.study_dates                  run all that is not stored yet: about ten minutes
    python -m tools.study_dates 320              only the studies whose name begins so
    python -m tools.study_dates --again          forget what is stored first

All results are on dates of the training and of the validation set. The test set is not touched. Each study is run with
two or three seeds, each of which means another start, other data and another order.
"""

import argparse
import json
import random
import sys
import time
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from helpers.data import dates
from helpers.files import write_whole
from helpers.models import date_reader
from helpers.models.date_reader import STD, accuracy, new_model
from helpers.models.transformer import Transformer
from tools.train_dates import BATCH, Recipe, train

NOTED = (0, 100, 300, 600, 900)
WATCHED = 300  # dates of each set
SHORT = Recipe(steps=900)

Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class Study:
    """What is other than in the lesson, and with how many seeds it is run.

    Attributes
    ----------
    recipe : Recipe
        How it is trained.
    std : float
        Standard deviation of the token vectors at the start.
    dropout : float
        Of the model.
    n_dates : int, optional
        Train on so few dates, again and again.
    positions : float
        What the positions are multiplied by, in training as in reading; 0 takes them away.
    padding_mask : bool
        False takes it away, in training as in reading.
    alone : bool
        At the end read the validation dates one by one, too, each in a batch of its own and so without padding.
    n_seeds : int
        Seeds 0 to n_seeds - 1.
    """

    recipe: Recipe = SHORT
    std: float = STD
    dropout: float = 0.0
    n_dates: int | None = None
    positions: float = 1.0
    padding_mask: bool = True
    alone: bool = False
    n_seeds: int = 3


STUDIES = (
    {"this recipe": Study(alone=True)}
    | {
        "320 dates": Study(n_dates=320),
        "320 dates, dropout": Study(n_dates=320, dropout=0.1, n_seeds=2),
        "320 dates, weight decay": Study(replace(SHORT, optimizer="AdamW", decay=0.1), n_dates=320),
        "SGD, rate 0.3": Study(replace(SHORT, optimizer="SGD", max_lr=0.3), n_seeds=2),
        "SGD, rate 1.0": Study(replace(SHORT, optimizer="SGD", max_lr=1.0), n_seeds=2),
        "SGD 0.1, momentum 0.9": Study(replace(SHORT, optimizer="SGD", max_lr=0.1, momentum=0.9), n_seeds=2),
        "no positions": Study(positions=0.0, n_seeds=2),
        "no padding mask": Study(padding_mask=False, alone=True, n_seeds=2),
    }
    | {
        f"rate {rate}, warm-up {warm_up}": Study(replace(SHORT, warm_up=warm_up, max_lr=rate))
        for rate, warm_up in ((0.001, 0), (0.001, 150), (0.002, 0), (0.002, 150), (0.003, 0), (0.01, 0), (0.01, 150))
    }
    | {f"std {std}": Study(std=std) for std in (0.03125, 0.125, 1.0)}
    | {
        "std 0.125, positions doubled": Study(std=0.125, positions=2.0),
        "std 0.0625, positions halved": Study(std=0.0625, positions=0.5),
    }
)


class Journal:
    """How well a model reads dates of both sets, noted at some steps."""

    def __init__(self, model: Transformer, training: Pairs, validation: Pairs) -> None:
        self.model, self.sets = model, {"training": training, "validation": validation}
        self.noted: dict[str, list[float]] = {"steps": []}

    def note(self, step: int, _: float = 0.0) -> None:
        """Note a step, if it is one of NOTED."""
        if step not in NOTED:
            return
        self.model.eval()
        self.noted["steps"].append(step)
        for name, pairs in self.sets.items():
            self.noted.setdefault(f"loss {name}", []).append(round(loss_on(self.model, pairs), 4))
            self.noted.setdefault(f"exact {name}", []).append(round(accuracy(self.model, pairs), 4))
        self.model.train()

    def note_alone(self) -> None:
        """Note how many validation dates are read right if each is given in a batch of its own."""
        self.model.eval()
        pairs = self.sets["validation"]
        self.noted["exact alone"] = [round(sum(accuracy(self.model, [pair]) for pair in pairs) / len(pairs), 4)]


@torch.no_grad()
def loss_on(model: Transformer, pairs: Pairs) -> float:
    """Measure the cross entropy for a character, not smoothed.

    Parameters
    ----------
    model : Transformer
        In evaluation mode.
    pairs : list of (str, str)
        Dates as people write them, and in ISO 8601.

    Returns
    -------
    float
        The mean over all characters and ends.
    """
    source, target = dates.source_ids([text for text, _ in pairs]), dates.target_ids([goal for _, goal in pairs])
    scores = model(source, target[:, :-1])
    return nn.functional.cross_entropy(scores.flatten(0, 1), target[:, 1:].flatten(), ignore_index=dates.PAD).item()


def batches_of(pairs: Pairs, n: int, seed: int) -> list[tuple[Tensor, Tensor]]:
    """Make n batches of the same pairs over and over, each time in another order."""
    draw = random.Random(seed)
    drawn: Pairs = []
    while len(drawn) < n * BATCH:
        drawn += draw.sample(pairs, len(pairs))
    return dates.batches(drawn[: n * BATCH], BATCH, seed)


def run(study: Study, seed: int) -> dict[str, list[float]]:
    """Train once, and say how it went.

    Parameters
    ----------
    study : Study
        What is other than in the lesson.
    seed : int
        Of start, data and order.

    Returns
    -------
    dict of str to list of float
        "steps", and what held after so many: "loss" and "exact", each of "training" and of "validation";
        and "exact alone" at the end, if the study asks for it.
    """
    model = new_model(seed, study.std, study.dropout)
    for embedding in (model.source_embedding, model.target_embedding):
        embedding.positions.mul_(study.positions)
    if not study.padding_mask:
        model.padding = dates.BOS  # which no source has, so nothing is masked
    steps = study.recipe.steps
    pairs = dates.training_set(study.n_dates or steps * BATCH, seed)
    batches = batches_of(pairs, steps, seed) if study.n_dates else dates.batches(pairs, BATCH, seed)
    journal = Journal(model, pairs[:WATCHED], dates.validation_set(WATCHED))
    train(model, batches, study.recipe, journal.note)
    journal.note(steps)
    if study.alone:
        journal.note_alone()
    return journal.noted


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.study_dates", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="how the names of the studies begin; all if left out")
    parser.add_argument("--again", action="store_true", help="forget what is stored first")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    chosen = [name for beginning in options.names or [""] for name in STUDIES if name.startswith(beginning)]
    stored = date_reader.load_studies() if date_reader.STUDIES.exists() else {}
    if options.again:
        stored = {name: runs for name, runs in stored.items() if name not in chosen}
    for name in chosen:
        study = STUDIES[name]
        for seed in range(study.n_seeds):
            runs = stored.setdefault(name, {})
            if str(seed) in runs:
                continue
            start = time.perf_counter()
            runs[str(seed)] = run(study, seed)
            store(stored)
            exact = runs[str(seed)]["exact validation"]
            print(f"{name}, seed {seed}: {exact}  {time.perf_counter() - start:.0f} s", flush=True)
    return 0


def store(studies: dict[str, dict[str, dict[str, list[float]]]]) -> None:
    """Write all studies to the file that lesson 12 reads, a run to a line."""
    lines = [
        f' "{name}": {{\n' + ",\n".join(f'  "{seed}": {json.dumps(noted)}' for seed, noted in runs.items()) + "\n }"
        for name, runs in sorted(studies.items())
    ]
    write_whole(date_reader.STUDIES, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


if __name__ == "__main__":
    sys.exit(main())
