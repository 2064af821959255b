"""Let the small model of lesson 13 read its text once, twice and four times, and store how well it predicts.

Usage::

    python -m tools.study_passes                  run all that is not stored yet: half an hour on one core
    python -m tools.study_passes --again          forget what is stored first

The text is that of the lesson, the docstrings of the Python that runs this. Model, windows, optimizer and rates are the
lesson's, too; the rate falls to 0 at the end of the last pass. A start has its own weights and its own order.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from helpers.data.docstrings import Docstrings, docstrings
from helpers.files import write_whole
from helpers.models import passes
from helpers.models.byte_pairs import END, WORD, BytePairs, learn_merges
from helpers.models.counting import kneser_ney
from helpers.models.transformer import LanguageModel

PASSES, STARTS = (1, 2, 4), 3
PASTS = (1, 2, 4, 8, 16, 32, 64)
VOCAB_SIZE, N_LETTERS, N_FREQUENT = 1024, 97, 2000
WINDOW, BATCH, LR, WARM_UP, WEIGHT_DECAY = 64, 8, 5e-3, 50, 0.05
TABLES = ("pairs", "triples", "fours")  # which see one, two and three tokens


def joined(modules: dict[str, list[str]]) -> str:
    """Put END before, between and after the docstrings of some modules."""
    return END + END.join(text for module in modules.values() for text in module) + END


def windows_of(ids: Tensor) -> Tensor:
    """Cut ids (n,) into windows (n_windows, WINDOW + 1), each beginning with the last token of the one before."""
    return ids[: (len(ids) - 1) // WINDOW * WINDOW + 1].unfold(0, WINDOW + 1, WINDOW)


def trained(ids: Tensor, n_passes: int, seed: int) -> LanguageModel:
    """Train the lesson's model on all windows, so many times.

    Parameters
    ----------
    ids : Tensor, (n,)
        The text to learn from.
    n_passes : int
        How often each window is read, in a new order each time.
    seed : int
        Of the start and of the orders.

    Returns
    -------
    LanguageModel
        Trained.
    """
    torch.manual_seed(seed)
    model, windows = LanguageModel(VOCAB_SIZE, d_hidden=256), windows_of(ids)
    batches = [batch for _ in range(n_passes) for batch in windows[torch.randperm(len(windows))].split(BATCH)]
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, betas=(0.9, 0.98), weight_decay=WEIGHT_DECAY, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / WARM_UP, 1 - step / len(batches))
    )
    for batch in batches:
        loss = nn.functional.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    return model


@torch.no_grad()
def loss_on_windows(model: LanguageModel, windows: Tensor) -> float:
    """Measure the loss per token on windows (n_windows, WINDOW + 1)."""
    total = 0.0
    for batch in windows.split(BATCH):
        scores = model(batch[:, :-1]).flatten(0, 1)
        total += nn.functional.cross_entropy(scores, batch[:, 1:].flatten(), reduction="sum").item()
    return total / windows[:, 1:].numel()


@torch.no_grad()
def loss_with_past(model: LanguageModel, ids: Tensor, k: int, goals: Tensor) -> float:
    """Measure the loss per token where the model sees only the k tokens before each goal, as the lesson does."""
    runs = ids.unfold(0, k + 1, 1)[goals - k]
    scores = torch.cat([model(batch[:, :-1])[:, -1] for batch in runs.split(256)])
    return nn.functional.cross_entropy(scores, runs[:, -1]).item()


def of_tables(learned: Tensor, tested: Tensor, goals: Tensor, letters_per_token: float) -> dict[str, Any]:
    """Measure the tables of counts on the same text."""
    runs = tested.unfold(0, len(TABLES) + 1, 1)
    losses = -kneser_ney(learned, runs, VOCAB_SIZE)[1:].log()  # (n_tables, n_runs); run 0 ends with token 3
    return {
        name: {
            "per_letter": round(math.exp(loss.mean().item() / letters_per_token), 3),
            "loss": round(loss[goals - len(TABLES)].mean().item(), 3),
        }
        for name, loss in zip(TABLES, losses, strict=True)
    }


def study(
    results: dict[str, Any],
    say: Callable[[str], object],
    library: Docstrings,
    n_passes: tuple[int, ...] = PASSES,
    starts: int = STARTS,
) -> None:
    """Run what is missing, and store after each number of passes.

    Parameters
    ----------
    results : dict
        What is stored so far; it is added to.
    say : callable
        Is given a line for each number of passes.
    library : Docstrings
        The text.
    n_passes : tuple of int
        How often to read it.
    starts : int
        How many runs of each.
    """
    training, held_out = joined(library.training), joined(library.held_out)
    frequent = dict(Counter(WORD.findall(training)).most_common(N_FREQUENT))
    byte_pairs = BytePairs(learn_merges(frequent, VOCAB_SIZE - N_LETTERS))
    learned, tested = byte_pairs.encode(training), byte_pairs.encode(held_out)
    goals, windows = torch.arange(WINDOW, len(tested), 8), windows_of(tested)
    results |= {"command": "python -m tools.study_passes", "text": str(library), "pasts": PASTS, "n_goals": len(goals)}
    results["tables"] = of_tables(learned, tested, goals, len(held_out) / len(tested))
    letters_per_token = len(byte_pairs.decode(windows[:, 1:].flatten())) / windows[:, 1:].numel()
    runs = results.setdefault("runs", [])
    for n in n_passes:
        if any(run["passes"] == n for run in runs):
            continue
        run: dict[str, Any] = {"passes": n, "per_letter": [], "loss": []}
        for start in range(starts):
            model = trained(learned, n, start)
            run["per_letter"].append(round(math.exp(loss_on_windows(model, windows) / letters_per_token), 3))
            run["loss"].append([round(loss_with_past(model, tested, k, goals), 3) for k in PASTS])
        runs.append(run)
        write_whole(passes.RESULTS, (json.dumps(results, indent=1) + "\n").encode())
        say(f"{n} passes: perplexity per letter {run['per_letter']}")


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
    parser = argparse.ArgumentParser(prog="python -m tools.study_passes", description="Read the text several times.")
    parser.add_argument("--again", action="store_true", help="forget what is stored first")
    again = parser.parse_args(arguments).again
    torch.set_num_threads(1)
    stored = {} if again or not passes.RESULTS.is_file() else passes.passes_study()
    study(stored, lambda line: print(line, flush=True), docstrings())
    return 0


if __name__ == "__main__":
    sys.exit(main())
