"""Train the translator of dates of lesson 12, and store it beside its model, in helpers/models/weights.

Usage::

    python -m tools.train_dates                  make the checkpoint anew: about half a minute
    python -m tools.train_dates --seed 1         another start and other data; nothing is stored
    python -m tools.train_dates --std 1          token vectors that start at the standard deviation 1; nothing is stored
    python -m tools.train_dates --test           say at the end how many dates of the test set are read exactly, too

The recipe is the lesson's own: same data, same model, same steps. Choices are made on the validation set, which is what
each run reports; --test is for the end, when nothing is left to choose. One thread is the fastest for so small a model,
and the only one that is as fast when other programs run.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from safetensors.torch import save
from torch import Tensor, nn

from helpers.data import dates
from helpers.models import date_reader
from helpers.models.date_reader import SAMPLE, STD, accuracy, cross_attention, new_model
from helpers.models.transformer import Transformer

STEPS, BATCH, WARM_UP, MAX_LR, SMOOTHING = 3600, 32, 150, 3e-3, 0.05
RECORDED = (0, 50, 100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000, 2500, 3000, 3600)


@dataclass(frozen=True)
class Recipe:
    """How to train; as it stands, how lesson 12 does.

    Attributes
    ----------
    steps, warm_up : int
        How many in all, and how many of them the learning rate grows.
    max_lr : float
        The largest learning rate.
    optimizer : str
        "Adam", "AdamW" or "SGD".
    momentum : float
        Of "SGD".
    decay : float
        Weight decay.
    smoothing : float
        Label smoothing.
    """

    steps: int = STEPS
    warm_up: int = WARM_UP
    max_lr: float = MAX_LR
    optimizer: str = "Adam"
    momentum: float = 0.0
    decay: float = 0.0
    smoothing: float = SMOOTHING


def learning_rate(step: int, recipe: Recipe = Recipe()) -> float:
    """Give the learning rate of a step: up in a line during the warm-up, then down along half a cosine.

    Parameters
    ----------
    step : int
        From 0.
    recipe : Recipe
        The lesson's own when left out.

    Returns
    -------
    float
        From 0 to the recipe's largest.
    """
    if step < recipe.warm_up:
        return recipe.max_lr * (step + 1) / recipe.warm_up
    return recipe.max_lr * (1 + math.cos(math.pi * (step - recipe.warm_up) / (recipe.steps - recipe.warm_up))) / 2


@dataclass
class Recorder:
    """What is noted on the way, at some of the steps: loss, accuracy and map."""

    model: Transformer
    pairs: list[tuple[str, str]]
    steps: list[int] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
    maps: list[Tensor] = field(default_factory=list)
    last_loss: float = math.nan
    started: float = field(default_factory=time.perf_counter)

    def note(self, step: int, loss: float) -> None:
        """Note a step, if it is one of RECORDED: its loss, and how many of the pairs the model gets right."""
        self.last_loss = loss
        if step in RECORDED:
            self.add(step, loss)

    def add(self, step: int, loss: float) -> None:
        """Note a step."""
        self.steps.append(step)
        self.losses.append(loss)
        self.accuracies.append(accuracy(self.model, self.pairs))
        self.maps.append(cross_attention(self.model, SAMPLE, "1999-03-03"))
        print(
            f"step {step:5}  loss {loss:.3f}  exact {self.accuracies[-1]:7.2%}  "
            f"{time.perf_counter() - self.started:5.1f} s",
            flush=True,
        )

    def tensors(self) -> dict[str, Tensor]:
        """Put all that was noted into tensors, to be stored."""
        numbers = {name: torch.tensor(getattr(self, name)) for name in ("steps", "losses", "accuracies")}
        return numbers | {"maps": torch.stack(self.maps).half()}


def train(
    model: Transformer,
    batches: Sequence[tuple[Tensor, Tensor]],
    recipe: Recipe = Recipe(),
    note: Callable[[int, float], None] | None = None,
) -> None:
    """Train as lesson 12 does.

    Parameters
    ----------
    model : Transformer
        Which is changed.
    batches : sequence of (Tensor, Tensor)
        Source and target of each step.
    recipe : Recipe
        The lesson's own when left out.
    note : function of (int, float), optional
        Called with the number of steps taken so far and the loss, before each step.
    """
    optimizer = new_optimizer(model, recipe)
    for step, (source, target) in enumerate(batches):
        optimizer.param_groups[0]["lr"] = learning_rate(step, recipe)
        scores = model(source, target[:, :-1])  # (batch, n - 1, target_vocab_size)
        loss = nn.functional.cross_entropy(
            scores.flatten(0, 1), target[:, 1:].flatten(), ignore_index=dates.PAD, label_smoothing=recipe.smoothing
        )
        if note:
            note(step, loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def new_optimizer(model: Transformer, recipe: Recipe) -> torch.optim.Optimizer:
    """The recipe's optimizer for a model, with the numbers that "Attention Is All You Need" has for Adam."""
    if recipe.optimizer == "SGD":
        return torch.optim.SGD(model.parameters(), momentum=recipe.momentum)
    kind = {"Adam": torch.optim.Adam, "AdamW": torch.optim.AdamW}[recipe.optimizer]
    return kind(model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True, weight_decay=recipe.decay)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0, or 1 when the result is not good enough to be stored.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.train_dates", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, help="another start and other data; store nothing")
    parser.add_argument("--std", type=float, help="of the token vectors at the start; store nothing")
    parser.add_argument("--steps", type=int, help=f"{STEPS} when left out; store nothing")
    parser.add_argument("--test", action="store_true", help="measure on the test set, too")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    seed, steps = options.seed or 0, options.steps or STEPS
    model = new_model(seed, STD if options.std is None else options.std)
    recorder = Recorder(model, dates.validation_set(200))
    start, start_of_work = time.perf_counter(), time.process_time()
    batches = dates.batches(dates.training_set(steps * BATCH, seed), BATCH, seed)
    train(model, batches, Recipe(steps=steps), recorder.note)
    seconds, work = time.perf_counter() - start, time.process_time() - start_of_work
    recorder.add(steps, recorder.last_loss)
    exact = accuracy(model, dates.validation_set())
    print(f"{exact:.2%} of 2,000 validation dates exact, {seconds:.1f} s, of which the processor worked {work:.1f} s")
    if options.test:
        print(f"{accuracy(model, dates.test_set()):.2%} of 2,000 test dates exact")
    if any(value is not None for value in (options.seed, options.std, options.steps)):
        return 0
    if exact < 0.999:
        print("Not stored: less than 99.9 %.", file=sys.stderr)
        return 1
    date_reader.CHECKPOINT.write_bytes(save(model.state_dict()))
    date_reader.HISTORY.write_bytes(save(recorder.tensors()))
    print(f"stored in {date_reader.CHECKPOINT.name}, {date_reader.CHECKPOINT.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
