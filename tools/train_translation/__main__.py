r"""Train the Transformer of lesson 12 to translate: German to English on Multi30k, or dates to ISO 8601.

    python -m tools.train_translation --data multi30k                             from the cache folder
    python -m tools.train_translation --data multi30k --folder FOLDER             from a folder of your own
    torchrun --nproc_per_node 2 -m tools.train_translation --data multi30k        two processes that share each batch
    python -m tools.train_translation --data dates --epochs 2                     to try it out, with nothing to fetch

After each epoch a checkpoint is written, whole or not at all. The same command goes on from it, and comes to the same
loss as without the interruption. At the end the test set is translated.

Several processes (DistributedDataParallel) share each batch, so that the loss is that of one. Beside other programs two
are also several times faster than one with two threads, which wait for each other at each product. On several machines
run, on each of them, with a folder for `--out` that all of them see:

    torchrun --nnodes 2 --nproc_per_node 2 --rdzv_backend c10d --rdzv_endpoint FIRST:29500 \
        -m tools.train_translation --data multi30k --out FOLDER
"""

import argparse
import dataclasses
import os
import signal
import sys
import zlib
from pathlib import Path

import torch
from tokenizers import Tokenizer

from helpers.data.download import DataError
from tools.train_translation.checkpoint import (
    Values,
    load_checkpoint,
    read_notes,
    refuse_another_recipe,
    save_checkpoint,
)
from tools.train_translation.corpus import Splits, learn_vocabulary, load_pairs
from tools.train_translation.cpu import keep_freed_memory
from tools.train_translation.processes import Processes, ProcessLost, started_processes
from tools.train_translation.recipe import ConfigError, Recipe
from tools.train_translation.report import introduce, report_on_epoch, report_on_test
from tools.train_translation.trainer import Trainer, new_model
from tools.train_translation.translate import MORE_THAN_SOURCE, require_bleu


def run(recipe: Recipe, options: argparse.Namespace, processes: Processes) -> None:
    """Train from the checkpoint on, or from the start, to the last epoch; then translate the test set.

    Parameters
    ----------
    recipe : Recipe
        What decides the result.
    options : argparse.Namespace
        The other options of the command line.
    processes : Processes
        Which train together.

    Raises
    ------
    ConfigError, DataError
        The training cannot begin or go on, in one sentence with what to do.
    ProcessLost
        Another process is gone.
    """
    require_bleu()
    path = options.out / "checkpoint.safetensors"
    trainer = prepared(recipe, options, processes, path)
    if len({int(epochs) for epochs in processes.gather(len(trainer.history))}) > 1:
        raise ConfigError("The processes do not find the same checkpoint: give all of them one folder for --out.")
    introduce(trainer, path, options)
    while len(trainer.history) < recipe.epochs:
        trainer.epoch()
        if processes.rank == 0:
            save_checkpoint(path, trainer.model, trainer.optimizer, trainer.notes)
            report_on_epoch(trainer)
    if processes.rank == 0:
        report_on_test(trainer, options)
    processes.total(0)  # nobody leaves before


def prepared(recipe: Recipe, options: argparse.Namespace, processes: Processes, path: Path) -> Trainer:
    """Load data and vocabulary, and a model as far as the checkpoint at `path`, where there is one, has trained it."""
    pairs = load_pairs(options.data, options.folder)
    pairs["train"] = pairs["train"][: recipe.max_pairs or None]
    notes = read_notes(path) if path.exists() else None
    texts = [text for pair in pairs["train"] for text in pair]
    made_of: Values = {"data": options.data, "checksum": zlib.crc32("\n".join(texts).encode())}
    if notes is None:
        tokenizer = learn_vocabulary(texts, recipe.vocab_size)
    else:
        refuse_another_recipe(notes["recipe"], dataclasses.asdict(recipe) | made_of, path)
        tokenizer = Tokenizer.from_str(notes["vocabulary"])
    model = new_model(recipe, tokenizer.get_vocab_size(), n_positions(tokenizer, pairs)).to(processes.device)
    trainer = Trainer(recipe, model, tokenizer, pairs, processes, options.precision, options.compile)
    trainer.made_of = made_of
    if notes is not None:
        load_checkpoint(path, model, trainer.optimizer)
        trainer.resume(notes["history"])
    return trainer


def n_positions(tokenizer: Tokenizer, pairs: Splits) -> int:
    """Count the places that the longest text takes, BOS and EOS with it, and the longest that may be written."""
    texts = [text for split in pairs.values() for pair in split for text in pair]
    return max(len(encoded.ids) for encoded in tokenizer.encode_batch(texts)) + 3 + MORE_THAN_SOURCE


def best_precision() -> str:
    """Choose bfloat16 where the device multiplies it faster than float32."""
    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return "bfloat16" if known.get("avx512_bf16") or known.get("amx_bf16") else "float32"


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    description = __doc__.splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m tools.train_translation", description=description)
    parser.add_argument("--data", required=True, choices=["multi30k", "dates"])
    parser.add_argument("--folder", type=Path, help="where the files are; the cache folder when left out")
    parser.add_argument("--out", type=Path, help="for checkpoint and translations; runs/DATA when left out")
    parser.add_argument(
        "--precision",
        choices=["float32", "bfloat16"],
        default=best_precision(),
        help="of products of matrices (default here: %(default)s)",
    )
    parser.add_argument(
        "--compile",
        action=argparse.BooleanOptionalAction,
        default=torch.cuda.is_available(),
        help="with torch.compile (default: on a GPU)",
    )
    parser.add_argument("--beam", type=int, default=5, metavar="N", help="hypotheses to keep (default %(default)s)")
    parser.add_argument(
        "--alpha",
        type=float,
        default=1.0,
        metavar="A",
        help="how much length is forgiven in the beam (default %(default)s)",
    )
    for field in dataclasses.fields(Recipe):
        parser.add_argument(
            f"--{field.name}",
            type=type(field.default),
            default=field.default,
            metavar="N",
            help=f"(default {field.default})",
        )
    options = parser.parse_args(arguments)
    if options.beam < 1:
        parser.error(f"--beam must be at least 1, but is {options.beam}.")
    if options.alpha < 0:
        parser.error(f"--alpha must be 0 or more, but is {options.alpha}.")
    options.out = options.out or Path("runs") / options.data
    options.precision = getattr(torch, options.precision)
    return options


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0, or 1 with one sentence when it cannot go on.
    """
    options = parsed(arguments)
    keep_freed_memory()
    try:
        recipe = Recipe(**{field.name: getattr(options, field.name) for field in dataclasses.fields(Recipe)})
        with started_processes() as processes:
            run(recipe, options, processes)
    except (ConfigError, DataError) as error:
        if os.environ.get("LOCAL_RANK", "0") == "0":  # one of those on this machine
            print(error, file=sys.stderr)
        return 1
    except (KeyboardInterrupt, ProcessLost) as error:
        if "RANK" in os.environ:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is stopping already
        who = f"Process {os.environ['RANK']} of this run" if "RANK" in os.environ else "Training"
        why = "was stopped" if isinstance(error, KeyboardInterrupt) else "stops, for another one is gone"
        print(f"{who} {why}. The same command goes on from the last whole epoch, in {options.out}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
