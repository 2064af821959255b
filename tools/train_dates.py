"""Train the translator of dates of lesson 12, and store it beside its model, in helpers/models/weights.

Usage::

    python -m tools.train_dates                  make the checkpoint anew: about half a minute
    python -m tools.train_dates --seed 1         another start and other data; nothing is stored
    python -m tools.train_dates --std 1          token vectors that start at the standard deviation 1; nothing is stored

The recipe is the lesson's own: same data, same model, same steps. One thread is the fastest for so small a model, and
the only one that is as fast when other programs run.
"""

import argparse
import math
import sys
import time
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


def learning_rate(step: int, steps: int = STEPS) -> float:
    """Give the learning rate of a step: up in a line to MAX_LR during the warm-up, then down along half a cosine.

    Parameters
    ----------
    step : int
        From 0.
    steps : int
        Of the whole training.

    Returns
    -------
    float
        From 0 to MAX_LR.
    """
    if step < WARM_UP:
        return MAX_LR * (step + 1) / WARM_UP
    return MAX_LR * (1 + math.cos(math.pi * (step - WARM_UP) / (steps - WARM_UP))) / 2


@dataclass
class Recorder:
    """What is noted on the way, at some of the steps: loss, accuracy and map."""

    steps: list[int] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
    maps: list[Tensor] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    def note(self, step: int, loss: float, model: Transformer, pairs: list[tuple[str, str]]) -> None:
        """Note a step: its loss, and how many of the pairs the model gets right."""
        self.steps.append(step)
        self.losses.append(loss)
        self.accuracies.append(accuracy(model, pairs))
        self.maps.append(cross_attention(model, SAMPLE, "1999-03-03"))
        print(
            f"step {step:5}  loss {loss:.3f}  exact {self.accuracies[-1]:7.2%}  "
            f"{time.perf_counter() - self.started:5.1f} s",
            flush=True,
        )

    def tensors(self) -> dict[str, Tensor]:
        """Put all that was noted into tensors, to be stored."""
        numbers = {name: torch.tensor(getattr(self, name)) for name in ("steps", "losses", "accuracies")}
        return numbers | {"maps": torch.stack(self.maps).half()}


def train(model: Transformer, seed: int = 0, steps: int = STEPS, recorder: Recorder | None = None) -> None:
    """Train as lesson 12 does.

    Parameters
    ----------
    model : Transformer
        Which is changed.
    seed : int
        Of data and order.
    steps : int
        To take.
    recorder : Recorder, optional
        Notes how it goes.
    """
    batches = dates.batches(dates.training_set(steps * BATCH, seed), BATCH, seed)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True)
    held_out = dates.test_set(200)
    for step, (source, target) in enumerate(batches):
        optimizer.param_groups[0]["lr"] = learning_rate(step, steps)
        scores = model(source, target[:, :-1])  # (batch, n - 1, target_vocab_size)
        loss = nn.functional.cross_entropy(
            scores.flatten(0, 1), target[:, 1:].flatten(), ignore_index=dates.PAD, label_smoothing=SMOOTHING
        )
        if recorder and step in RECORDED:
            recorder.note(step, loss.item(), model, held_out)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if recorder:
        recorder.note(steps, loss.item(), model, held_out)


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
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    seed = options.seed or 0
    model = new_model(seed, STD if options.std is None else options.std)
    recorder = Recorder()
    start, start_of_work = time.perf_counter(), time.process_time()
    train(model, seed, options.steps or STEPS, recorder)
    seconds, work = time.perf_counter() - start, time.process_time() - start_of_work
    exact = accuracy(model, dates.test_set())
    print(f"{exact:.2%} of 2,000 held-out dates exact, {seconds:.1f} s, of which the processor worked {work:.1f} s")
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
