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
import contextlib
import dataclasses
import json
import math
import os
import signal
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from helpers.data import dates
from helpers.data.download import DataError
from helpers.data.multi30k import multi30k
from helpers.drawing.maps import attention_map
from helpers.files import write_whole
from helpers.models.decoding import greedy
from helpers.models.transformer import Transformer
from tools.translation import (
    END,
    MORE_THAN_SOURCE,
    PADDING,
    START,
    Corpus,
    Missing,
    Objective,
    bleu,
    cross_attention,
    learn_vocabulary,
    stored_vocabulary,
    translate,
)

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Splits = dict[str, list[tuple[str, str]]]
N_PEEKED = 200  # validation pairs that are translated after each epoch, greedily
N_SAMPLES = 4  # translations that are printed
STEPS_A_LINE = 50  # of progress


class Refused(Exception):
    """What stops the training, in one sentence with what to do."""


@dataclass(frozen=True)
class Recipe:
    """What decides the result: a checkpoint continues only its own."""

    units: int = 8000  # of the vocabulary
    d_model: int = 256
    n_heads: int = 4
    n_layers: int = 3
    d_hidden: int = 512
    dropout: float = 0.15
    smoothing: float = 0.1
    tokens: int = 4096  # of a batch: source, target and padding
    epochs: int = 10
    warm_up: int = 400  # steps
    peak: float = 1.5e-3  # of the learning rate
    clip: float = 1.0  # longest gradient
    seed: int = 0
    pairs: int = 0  # for training; 0 is all

    def __post_init__(self) -> None:
        for name in ("units", "d_model", "n_heads", "n_layers", "d_hidden", "tokens", "epochs", "warm_up"):
            if getattr(self, name) < 1:
                raise Refused(f"{name} must be at least 1, but is {getattr(self, name)}.")
        for name in ("dropout", "smoothing"):
            if not 0 <= getattr(self, name) < 1:
                raise Refused(f"{name} must be from 0 to less than 1, but is {getattr(self, name)}.")
        for name in ("peak", "clip"):
            if not 0 < getattr(self, name) < float("inf"):
                raise Refused(f"{name} must be above 0, but is {getattr(self, name)}.")
        if self.pairs < 0:
            raise Refused(f"pairs must be 0, for all, or the number of them, but is {self.pairs}.")
        if self.d_model % (2 * self.n_heads):
            raise Refused(
                f"d_model must be even and a multiple of n_heads, but is {self.d_model} with {self.n_heads} heads."
            )


def learning_rate(step: int, steps: int, recipe: Recipe) -> float:
    """Up in a straight line to the peak during the warm-up, then down in another to 0 behind the last step."""
    warm_up = min(recipe.warm_up, steps // 4 + 1)
    return recipe.peak * min((step + 1) / warm_up, (steps - step) / (steps - warm_up + 1))


def new_model(recipe: Recipe, n_tokens: int, n_positions: int) -> Transformer:
    """The Transformer before training, norm first, with one table for source, target and scores."""
    torch.manual_seed(recipe.seed)
    model = Transformer(
        n_tokens,
        n_tokens,
        recipe.d_model,
        recipe.n_heads,
        recipe.n_layers,
        recipe.d_hidden,
        recipe.dropout,
        norm_first=True,
        n_positions=n_positions,
        padding=PADDING,
    )
    model.source_embedding.table = model.target_embedding.table
    return model


def load_pairs(data: str, folder: Path | None) -> Splits:
    """(source, target) for "train", "validation" and "test". Raises DataError where they cannot be had."""
    if data == "multi30k":
        return multi30k(folder)
    if folder is not None:
        raise Refused(f"The dates are made, not read: leave out --folder {folder}.")
    held_out = dates.test_set(400)
    return {"train": dates.training_set(20_000), "validation": held_out[:200], "test": held_out[200:]}


# Processes


@dataclass(frozen=True)
class Processes:
    """The processes that train together: this one's number, how many there are, and what it calculates on."""

    rank: int
    world: int
    device: torch.device

    def total(self, *numbers: float) -> list[float]:
        """The sums of numbers over all processes."""
        sums = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        if self.world > 1:
            distributed.all_reduce(sums)
        return sums.tolist()

    def say(self, line: str = "") -> None:
        if self.rank == 0:
            print(line, flush=True)


@contextlib.contextmanager
def started_processes() -> Iterator[Processes]:
    """Join the processes that torchrun has started, or be the only one."""
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if cuda else torch.device("cpu")
    if "WORLD_SIZE" not in os.environ:
        yield Processes(0, 1, device)
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # with it torchrun stops those that are left
    if cuda:
        torch.cuda.set_device(device)
    distributed.init_process_group("nccl" if cuda else "gloo")
    try:
        yield Processes(distributed.get_rank(), distributed.get_world_size(), device)
    finally:
        distributed.destroy_process_group()


# Checkpoints


def write_or_refuse(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises Refused where it cannot be written; what stood there still does."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise Refused(
            f"{path} cannot be written ({error.strerror}): make room or name another --out. "
            "What stood there before is as it was."
        ) from None


def save_checkpoint(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, notes: dict[str, Any]) -> None:
    """Write parameters, optimiser and notes to one file, whole or not at all. Raises Refused as `write_or_refuse`."""
    tensors = {}
    for name, parameter in model.named_parameters():
        tensors[f"model.{name}"] = parameter.detach()
        tensors |= {f"{key}.{name}": value for key, value in optimizer.state[parameter].items()}
    write_or_refuse(path, save(tensors, {"notes": json.dumps(notes)}))


def read_notes(path: Path) -> dict[str, Any]:
    """What `save_checkpoint` noted. Raises Refused for a file that is not whole."""
    try:
        with safe_open(path, "pt") as file:
            return json.loads(file.metadata()["notes"])
    except (SafetensorError, TypeError, KeyError, ValueError, OSError) as error:
        raise Refused(f"{path} is no checkpoint, or broken ({error}): delete it to start anew.") from None


def load_checkpoint(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer | None = None) -> None:
    """Set the model, and the optimiser, to what the checkpoint holds."""
    with safe_open(path, "pt") as file:
        kept = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is no dictionary
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(kept[f"model.{name}"])
            if optimizer is not None:
                optimizer.state[parameter] = {
                    key: kept[f"{key}.{name}"].to(parameter.device) for key in ("step", "exp_avg", "exp_avg_sq")
                }


# Training


class Trainer:
    """A model with its data and optimiser, as far as it has been trained: `history` has an entry for each epoch."""

    def __init__(
        self,
        recipe: Recipe,
        model: Transformer,
        tokenizer: "Tokenizer",
        pairs: Splits,
        processes: Processes,
        precision: torch.dtype,
        compiled: bool,
    ) -> None:
        self.recipe, self.model, self.tokenizer, self.pairs, self.processes = recipe, model, tokenizer, pairs, processes
        self.train = Corpus.of(tokenizer, pairs["train"]).to(processes.device)
        self.validation = Corpus.of(tokenizer, pairs["validation"]).to(processes.device)
        self.objective: Callable[[Tensor, Tensor], Tensor] = Objective(model, recipe.smoothing)
        if processes.world > 1:
            self.objective = DistributedDataParallel(self.objective)
        if compiled:
            self.objective = torch.compile(self.objective, dynamic=True)
        self.optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.precision = precision
        self.history: list[dict[str, float]] = []
        self.made_of: dict[str, Any] = {}  # which data
        self.steps_an_epoch = len(self.train.batches(recipe.tokens, 0))

    @property
    def notes(self) -> dict[str, Any]:
        """What a checkpoint keeps beside the tensors."""
        return {
            "recipe": dataclasses.asdict(self.recipe) | self.made_of,
            "vocabulary": self.tokenizer.to_str(),
            "history": self.history,
        }

    def epoch(self) -> None:
        """Train one more epoch, and note how it went.

        Order and dropout are drawn anew from the seed, the epoch and the process, so that a run which goes on from a
        checkpoint draws what it would have drawn without the interruption.
        """
        number, recipe = len(self.history), self.recipe
        draw = recipe.seed * 10_000 + number
        torch.manual_seed(draw * 10_000 + self.processes.rank)
        self.model.train()
        total, scored, pace = torch.zeros((), dtype=torch.float64, device=self.processes.device), 0, Pace()
        for i, rows in enumerate(self.train.batches(recipe.tokens, draw)):
            step = number * self.steps_an_epoch + i
            loss = self.step(rows, learning_rate(step, recipe.epochs * self.steps_an_epoch, recipe))
            total += loss
            scored += self.train.n_scored(rows)
            pace.add(self.train.n_tokens(rows))
            if (i + 1) % STEPS_A_LINE == 0:  # the loss of this process's part
                self.processes.say(
                    f"epoch {number + 1}, step {step + 1:,}: loss "
                    f"{total.item() * self.processes.world / scored:.3f}, {pace.speed:,.0f} tokens/s"
                )
        total, work = self.processes.total(total.item(), pace.work)
        if not math.isfinite(total):
            raise Refused(f"The loss is {total} in epoch {number + 1}: try a lower --peak.")
        done = {"loss": total / scored, "seconds": pace.seconds, "work": work, "tokens": pace.n_tokens}
        self.history.append(done | self.validate())

    def step(self, rows: Tensor, rate: float) -> Tensor:  # (batch,) -> this process's part of the sum of losses
        """Change the model by one batch."""
        source, target = self.share(self.train, rows)
        self.optimizer.param_groups[0]["lr"] = rate
        with torch.autocast(self.processes.device.type, self.precision, enabled=self.precision != torch.float32):
            loss = self.objective(source, target)
        self.optimizer.zero_grad()
        # The mean over the whole batch: each process divides by all its tokens, and their gradients are averaged.
        (loss * (self.processes.world / self.train.n_scored(rows))).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
        self.optimizer.step()
        return loss.detach()

    def share(self, corpus: Corpus, rows: Tensor) -> tuple[Tensor, Tensor]:  # (batch,) -> source and target
        """This process's part of a batch: each so-many-th pair."""
        here = rows[self.processes.rank :: self.processes.world]
        source, target = corpus.rows(here if len(here) else rows[:1])
        return source, target if len(here) else torch.full_like(target, PADDING)  # padding counts nothing

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """On the validation set: nats a token, not smoothed, and BLEU of its first pairs, translated greedily."""
        self.model.eval()
        objective, corpus = Objective(self.model, smoothing=0.0), self.validation
        batches = corpus.batches(2 * self.recipe.tokens, 0)
        (total,) = self.processes.total(sum(objective(*self.share(corpus, rows)).item() for rows in batches))
        found = {"validation": total / corpus.n_scored(torch.arange(len(corpus)))}
        if self.processes.rank == 0:
            few = torch.arange(min(N_PEEKED, len(corpus)))
            source, target = corpus.rows(few)
            written = greedy(self.model, source, START, END, target.shape[-1] + MORE_THAN_SOURCE)
            texts = self.tokenizer.decode_batch([until_end(row) for row in written.tolist()])
            found["bleu"] = bleu(texts, [goal for _, goal in self.pairs["validation"][: len(few)]])[0]
        return found


class Pace:
    """How many tokens went through since it was made, in how many seconds, of which the processor worked so many."""

    def __init__(self) -> None:
        self.n_tokens, self.start, self.start_of_work = 0, time.perf_counter(), time.process_time()

    def add(self, n_tokens: int) -> None:
        self.n_tokens += n_tokens

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start

    @property
    def speed(self) -> float:
        return self.n_tokens / self.seconds

    @property
    def work(self) -> float:
        return time.process_time() - self.start_of_work


def until_end(ids: list[int]) -> list[int]:
    """What stands before END."""
    return ids[: ids.index(END)] if END in ids else ids


# The command


def run(recipe: Recipe, options: argparse.Namespace, processes: Processes) -> None:
    """Train from the checkpoint on, or from the start, to the last epoch; then translate the test set."""
    pairs = load_pairs(options.data, options.folder)
    pairs["train"] = pairs["train"][: recipe.pairs or None]
    path = options.out / "checkpoint.safetensors"
    notes = read_notes(path) if path.exists() else None
    texts = [text for pair in pairs["train"] for text in pair]
    made_of = {"data": options.data, "checksum": zlib.crc32("\n".join(texts).encode())}
    if notes is not None:
        refuse_another_recipe(notes["recipe"], dataclasses.asdict(recipe) | made_of, path)
    tokenizer = learn_vocabulary(texts, recipe.units) if notes is None else stored_vocabulary(notes["vocabulary"])
    n_positions = (
        1
        + MORE_THAN_SOURCE
        + max(
            len(encoded.ids) + 2
            for split in pairs.values()
            for encoded in tokenizer.encode_batch([text for pair in split for text in pair])
        )
    )
    model = new_model(recipe, tokenizer.get_vocab_size(), n_positions).to(processes.device)
    trainer = Trainer(recipe, model, tokenizer, pairs, processes, options.precision, options.compile)
    trainer.made_of = made_of
    if notes is not None:
        load_checkpoint(path, model, trainer.optimizer)
        trainer.history = notes["history"]
    done = len(trainer.history)
    if processes.total(done, done**2)[1] * processes.world != processes.total(done)[0] ** 2:
        raise Refused("The processes do not find the same checkpoint: give all of them one folder for --out.")
    introduce(trainer, path, options)
    while len(trainer.history) < recipe.epochs:
        trainer.epoch()
        last = trainer.history[-1]
        if processes.rank == 0:
            save_checkpoint(path, model, trainer.optimizer, trainer.notes)
            print(
                f"epoch {len(trainer.history)} of {recipe.epochs}: loss {last['loss']:.4f}, validation "
                f"{last['validation']:.4f}, BLEU about {last['bleu']:.1f}; {last['tokens'] / last['seconds']:,.0f} "
                f"tokens/s, {last['seconds']:.0f} s, of work {last['work']:.0f} s",
                flush=True,
            )
    if processes.rank == 0:
        report_on_test(trainer, options)
    processes.total(0)  # nobody leaves before


def refuse_another_recipe(kept: dict[str, Any], asked: dict[str, Any], path: Path) -> None:
    differing = [
        f"{name} {kept.get(name)} and not {asked.get(name)}"
        for name in asked | kept
        if kept.get(name) != asked.get(name)
    ]
    if differing:
        raise Refused(f"{path} was made with {', '.join(differing)}: ask for the same, or name another --out.")


def introduce(trainer: Trainer, path: Path, options: argparse.Namespace) -> None:
    n_parameters = sum(parameter.numel() for parameter in trainer.model.parameters())
    processes, done, n_threads = trainer.processes, len(trainer.history), torch.get_num_threads()
    processes.say(
        f"{len(trainer.train):,} pairs, {trainer.tokenizer.get_vocab_size():,} units, {n_parameters:,} parameters, "
        f"{trainer.steps_an_epoch:,} steps an epoch\n{count(processes.world, 'process', 'processes')} on "
        f"{processes.device.type}, each with {count(n_threads, 'thread', 'threads')}, "
        f"{str(options.precision).removeprefix('torch.')}{', compiled' * options.compile}"
    )
    if done:
        processes.say(f"goes on from {path}, behind epoch {done}")


def count(n: int, one: str, more: str) -> str:
    return f"{n} {one if n == 1 else more}"


def report_on_test(trainer: Trainer, options: argparse.Namespace) -> None:
    """Translate the test set, print BLEU and some translations, and store all of them and a map of one."""
    sources, references = map(list, zip(*trainer.pairs["test"], strict=True))
    start = time.perf_counter()
    translations = translate(trainer.model, trainer.tokenizer, sources, options.beam, options.alpha)
    score, signature = bleu(translations, references)
    exact = sum(ours == goal.lower() for ours, goal in zip(translations, references, strict=True))
    for source, reference, ours in list(zip(sources, references, translations, strict=True))[:N_SAMPLES]:
        print(f"\n  {source}\n  wanted   {reference}\n  written  {ours}")
    seconds, work, tokens = (sum(done[key] for done in trainer.history) for key in ("seconds", "work", "tokens"))
    print(
        f"\nBLEU {score:.2f} on {len(sources):,} test pairs, {exact} of them word for word, "
        f"beam of {options.beam}, {time.perf_counter() - start:.0f} s\n{signature}\n"
        f"trained for {seconds:.0f} s, of which processors worked {work:.0f} s: {tokens / seconds:,.0f} tokens/s"
    )
    picture = attention_map(
        *cross_attention(trainer.model, trainer.tokenizer, sources[0], translations[0]),
        title="Where the translation looks",
    )
    page = f'<!doctype html><meta charset="utf-8"><title>Attention</title>\n{picture._repr_html_()}\n'
    for name, text in (("translations.txt", "\n".join([*translations, ""])), ("attention.html", page)):
        write_or_refuse(options.out / name, text.encode())
    print(f"written to {options.out}: translations.txt, attention.html\n{picture.alt}")


def best_precision() -> str:
    """bfloat16 where the device multiplies it faster than float32."""
    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return "bfloat16" if known.get("avx512_bf16") or known.get("amx_bf16") else "float32"


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.train_translation", description=__doc__.splitlines()[0])
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
    parser.add_argument("--beam", type=int, default=5, metavar="N", help="beginnings to keep (default %(default)s)")
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
    """Run the command line; 1 with one sentence when it cannot go on."""
    options = parsed(arguments)
    try:
        recipe = Recipe(**{field.name: getattr(options, field.name) for field in dataclasses.fields(Recipe)})
        with started_processes() as processes:
            run(recipe, options, processes)
    except (Refused, DataError, Missing) as error:
        if os.environ.get("LOCAL_RANK", "0") == "0":  # one of those on this machine
            print(error, file=sys.stderr)
        return 1
    except (KeyboardInterrupt, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not lost_another(error):
            raise
        if "RANK" in os.environ:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is stopping already
        who = f"Process {os.environ['RANK']} of this run" if "RANK" in os.environ else "Training"
        why = "was stopped" if isinstance(error, KeyboardInterrupt) else "stops, for another one is gone"
        print(f"{who} {why}. The same command goes on from the last whole epoch, in {options.out}.", file=sys.stderr)
        return 1
    return 0


def lost_another(error: RuntimeError) -> bool:
    """Whether it is another process that cannot be reached."""
    return isinstance(error, distributed.DistError) or "gloo" in str(error)


if __name__ == "__main__":
    sys.exit(main())
