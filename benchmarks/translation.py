"""The training of `tools.train_translation` against one written plainly, as The Annotated Transformer has it.

Sizes are those of the recipe for Multi30k. Speed is measured on made-up sentences as long as its captions: the choices
in which the two differ are added to the plain one in order, each on top of those before it. Then both train until the
loss on validation is down at a goal, on Multi30k where its files are in the cache folder, and else on the dates of
lesson 12. All of it is part of the subject `training`.
"""

import dataclasses
import functools
import itertools
import math
import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor

import torch
from torch import Tensor, nn
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import annotated
from benchmarks.timing import ROUNDS, Figure, figure, in_turn, times_as_fast
from helpers.data.download import DataMissing
from helpers.data.multi30k import multi30k
from tools.train_translation.corpus import BOS, EOS, PAD, Corpus, learn_vocabulary, load_pairs
from tools.train_translation.cpu import keep_freed_memory, with_cheap_dropout
from tools.train_translation.recipe import Recipe
from tools.train_translation.trainer import new_model

CHOICES = {  # in which the tool's training differs, in the order in which they are added
    "cross-entropy": "cross-entropy in place of a whole distribution for each token",
    "modules": "the course's modules, whose norm and attention are PyTorch's own",
    "fused Adam": "one kernel for all parameters",
    "memory": "freed memory is kept",
    "dropout": "dropout draws 16 bits",
    "bfloat16": "in matrix products",
}
PLAIN, ALL = 0, len(CHOICES)  # how many are made
N_POSITIONS = 128
PRODUCT = 1024  # rows and columns of the matrices whose product is the machine's peak
PRODUCTS = ("aten::mm", "aten::addmm", "aten::bmm")
LARGE = "as many operations in large products"
MOST_STEPS, LOOK_EVERY = 2_000, 10
N_STEPS, LR = 140, 4e-3  # of the tool's learning rate: steps it is laid out for, and the highest
WARM_UP = 100  # steps of the plain learning rate; of 100, 200 and 400 the one with which the loss falls fastest
GOALS = {"multi30k": 4.9, "dates": 2.0}  # nats a token, on validation
SEEDS = range(3)
N_WATCHED = 300  # pairs of the validation set
TINY = Recipe(vocab_size=100, d_model=32, n_heads=2, n_layers=1, d_hidden=32, max_tokens=200)


def figures(quick: bool) -> Iterator[Figure]:
    """Time each choice, and count what must be read until the loss is the same.

    Parameters
    ----------
    quick : bool
        Tiny sizes, once.

    Yields
    ------
    Figure
        The speed with the choices, one after the other; the share of the machine's peak; what is read to the same loss.
    """
    recipe, n_threads = TINY if quick else Recipe(), torch.get_num_threads()
    context = multiprocessing.get_context("spawn")
    # How memory is kept cannot be changed back, so those with and without it are timed in two processes.
    with (
        ProcessPoolExecutor(1, context, torch.set_num_threads, (n_threads,)) as usual,
        ProcessPoolExecutor(1, context, _start_keeping, (n_threads,)) as keeping,
    ):
        workers = [keeping if "memory" in list(CHOICES)[:n] else usual for n in range(ALL + 1)]

        def work(n: int, function: Callable[[Recipe, int], object]) -> Callable[[], object]:
            return lambda: workers[n].submit(function, recipe, n).result()

        times = in_turn({_name(n): work(n, take_step) for n in range(ALL + 1)}, quick, ROUNDS - 4)
        for n in range(1, ALL + 1):
            of_both = {_name(m): times[_name(m)] for m in (n, n - 1)}
            yield times_as_fast(f"a step, with {_name(n)}", of_both, _name(n), _name(n - 1))
        of_both = {_name(m): times[_name(m)] for m in (ALL, PLAIN)}
        yield times_as_fast("a step, all of it", of_both, _name(ALL), _name(PLAIN), at_least=2)
        for n, bar in ((ALL - 1, None), (ALL, 0.5)):
            times = in_turn({"step": work(n, take_step), LARGE: work(n, multiply)}, quick, ROUNDS - 4)
            precision = "bfloat16" if n == ALL else "float32"
            yield times_as_fast(f"a step in {precision}, share of peak", times, "step", LARGE, at_least=bar)
            share = workers[n].submit(share_of_products, recipe, n).result()
            yield figure(f"a step in {precision}, time in products", [share], "of the step's time")
        yield from _to_the_same_loss(recipe, {"plain": usual, "ours": keeping}, quick)


def _to_the_same_loss(recipe: Recipe, workers: Mapping[str, ProcessPoolExecutor], quick: bool) -> Iterator[Figure]:
    try:
        multi30k()
        data = "dates" if quick else "multi30k"
    except DataMissing:
        data = "dates"
    goal = math.inf if quick else GOALS[data]
    found: dict[str, list[tuple[float, int]]] = {name: [] for name in workers}
    for seed in SEEDS[:1] if quick else SEEDS:
        of_seed = dataclasses.replace(recipe, seed=seed)
        for name, worker in workers.items():
            n_choices = PLAIN if name == "plain" else ALL
            found[name].append(worker.submit(train_until, of_seed, n_choices, data, goal).result())
    seconds, n_read = ({name: [pair[i] for pair in pairs] for name, pairs in found.items()} for i in range(2))
    what = f"{data}, to a loss of {goal:g}"
    yield times_as_fast(f"{what}, time", seconds, reference="plain", at_least=2)
    fewer = [plain / ours for plain, ours in zip(n_read["plain"], n_read["ours"], strict=True)]
    yield figure(f"{what}, tokens that are read", fewer, "times as many when plain")


def train_until(recipe: Recipe, n_choices: int, data: str, goal: float) -> tuple[float, int]:
    """Train on data that are there until the loss on validation is at a goal; as `Run.train_until`."""
    train, validation, vocab_size = _corpora(data, recipe.vocab_size)
    return Run(dataclasses.replace(recipe, vocab_size=vocab_size), n_choices, train).train_until(goal, validation)


@functools.cache
def _corpora(data: str, vocab_size: int) -> tuple[Corpus, Corpus, int]:
    pairs = load_pairs(data, None)
    tokenizer = learn_vocabulary([text for pair in pairs["train"] for text in pair], vocab_size)
    train, validation = Corpus.of(tokenizer, pairs["train"]), Corpus.of(tokenizer, pairs["validation"][:N_WATCHED])
    return train, validation, tokenizer.get_vocab_size()


def _name(n_choices: int) -> str:
    return list(CHOICES)[n_choices - 1] if n_choices else "plain"


def _start_keeping(n_threads: int) -> None:
    torch.set_num_threads(n_threads)
    keep_freed_memory()


def made_up(recipe: Recipe) -> Corpus:
    """Make pairs of random ids, about as long as Multi30k's: 16 tokens and 5 more or less."""
    generator = torch.Generator().manual_seed(0)
    ids, n_pairs = functools.partial(torch.randint, 4, recipe.vocab_size, generator=generator), recipe.max_tokens
    lengths = (16 + 5 * torch.randn(2, n_pairs, generator=generator)).round().clamp(4, 40).int().tolist()
    source, target = ([ids((n - 1,)) for n in of_one] for of_one in lengths)
    end, start = torch.tensor([EOS]), torch.tensor([BOS])
    pad = functools.partial(nn.utils.rnn.pad_sequence, batch_first=True, padding_value=PAD)
    return Corpus(pad([torch.cat([x, end]) for x in source]), pad([torch.cat([start, x, end]) for x in target]))


@functools.cache
def _prepared(recipe: Recipe, n_choices: int) -> tuple["Run", Tensor]:
    """Of one process: the training, and the batch that is timed, which is a full one."""
    corpus = made_up(recipe)
    return Run(recipe, n_choices, corpus), max(corpus.batches(recipe.max_tokens, 0), key=corpus.n_tokens)


def take_step(recipe: Recipe, n_choices: int) -> None:
    """Train with one batch of the made-up pairs."""
    run, rows = _prepared(recipe, n_choices)
    run.step(rows, lr=1e-4)


def share_of_products(recipe: Recipe, n_choices: int) -> float:
    """Measure which share of the time of `take_step` is spent within products of matrices."""
    with profile(activities=[ProfilerActivity.CPU]) as found:
        take_step(recipe, n_choices)
    times = {event.key: event.self_cpu_time_total for event in found.key_averages()}
    return sum(times[key] for key in PRODUCTS) / sum(times.values())


def multiply(recipe: Recipe, n_choices: int) -> None:
    """Multiply large matrices, as precise as the training and as often as gives the operations of a step."""
    left, right = _matrices(torch.bfloat16 if n_choices == ALL else torch.float32)
    for _ in range(_products_in_a_step(recipe, n_choices)):
        left @ right


@functools.cache
def _products_in_a_step(recipe: Recipe, n_choices: int) -> int:
    with FlopCounterMode(display=False) as counter:
        take_step(recipe, n_choices)
    return math.ceil(counter.get_total_flops() / (2 * PRODUCT**3))


@functools.cache
def _matrices(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    return torch.randn(PRODUCT, PRODUCT).to(dtype), torch.randn(PRODUCT, PRODUCT).to(dtype)


class Run:
    """A training of the plain one with the first so many of the choices.

    Parameters
    ----------
    recipe : Recipe
        Gives sizes and seed.
    n_choices : int
        How many of CHOICES are made. "memory" is the process's, and not made here.
    corpus : Corpus
        To train on.
    """

    def __init__(self, recipe: Recipe, n_choices: int, corpus: Corpus) -> None:
        self.recipe, self.corpus, self.made = recipe, corpus, list(CHOICES)[:n_choices]
        torch.manual_seed(recipe.seed)
        self.model = self._model()
        if "dropout" in self.made:
            with_cheap_dropout(self.model)
        fused = True if "fused Adam" in self.made else None
        self.optimizer = torch.optim.Adam(self.model.parameters(), recipe.lr, (0.9, 0.98), 1e-9, fused=fused)

    def _model(self) -> nn.Module:
        if "modules" in self.made:
            return new_model(self.recipe, self.recipe.vocab_size, N_POSITIONS)
        sizes = (self.recipe.d_model, self.recipe.n_heads, self.recipe.n_layers, self.recipe.d_hidden)
        return annotated.Annotated(self.recipe.vocab_size, *sizes, self.recipe.dropout, N_POSITIONS)

    def loss(self, corpus: Corpus, rows: Tensor, smoothing: float) -> Tensor:
        """Add up the losses of a batch: (batch,) -> ()."""
        source, target = corpus.rows(rows)
        with torch.autocast("cpu", torch.bfloat16, enabled="bfloat16" in self.made):
            scores = self.model(source, target[:, :-1]).flatten(0, 1)  # (batch * n, vocab_size)
        wanted = target[:, 1:].flatten()
        if smoothing and "cross-entropy" not in self.made:
            return annotated.smoothed_kl(scores, wanted, smoothing)
        return nn.functional.cross_entropy(
            scores.float(), wanted, ignore_index=PAD, label_smoothing=smoothing, reduction="sum"
        )

    def step(self, rows: Tensor, lr: float) -> None:
        """Change the model by one batch."""
        self.optimizer.param_groups[0]["lr"] = lr
        self.optimizer.zero_grad()
        (self.loss(self.corpus, rows, self.recipe.smoothing) / self.corpus.n_scored(rows)).backward()
        if "fused Adam" in self.made:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
        self.optimizer.step()

    def train_until(self, goal: float, validation: Corpus) -> tuple[float, int]:
        """Train until the loss on validation, not smoothed, is at a goal.

        Parameters
        ----------
        goal : float
            Nats a token.
        validation : Corpus
            Looked at every few steps.

        Returns
        -------
        seconds : float
            Of training, without the looks.
        n_read : int
            Tokens so far, padding not counted.
        """
        seconds, n_read = 0.0, 0
        for i, rows in enumerate(itertools.islice(self.batches(), MOST_STEPS)):
            start = time.perf_counter()
            self.step(rows, self.learning_rate(i))
            seconds += time.perf_counter() - start
            n_read += self.corpus.n_tokens(rows)
            if (i + 1) % LOOK_EVERY == 0 and self.validate(validation) <= goal:
                return seconds, n_read
        raise RuntimeError(f"The loss on validation is still above {goal:g} after {MOST_STEPS} steps.")

    def learning_rate(self, step: int) -> float:
        """Give the rate of a step, from 0: as the recipe lays it out, for a short training, or as the plain one."""
        if self.made:
            return LR * self.recipe.lr_factor(step, N_STEPS)
        return annotated.learning_rate(step + 1, self.recipe.d_model, WARM_UP)

    def batches(self) -> Iterator[Tensor]:
        """Deal out the corpus again and again, as the recipe does or as the plain training does."""
        lengths = list(zip(self.corpus.source_lengths.tolist(), self.corpus.target_lengths.tolist(), strict=True))
        for epoch in itertools.count():
            seed = self.recipe.seed * 10_000 + epoch
            if self.made:
                yield from self.corpus.batches(self.recipe.max_tokens, seed)
            else:
                yield from map(torch.tensor, annotated.batches(lengths, self.recipe.max_tokens // 2, seed))

    @torch.no_grad()
    def validate(self, corpus: Corpus) -> float:
        """Take the mean loss of all tokens, without smoothing and without dropout."""
        self.model.eval()
        total = sum(self.loss(corpus, rows, 0.0).item() for rows in corpus.batches(self.recipe.max_tokens, 0))
        self.model.train()
        return total / corpus.n_scored(torch.arange(len(corpus)))
