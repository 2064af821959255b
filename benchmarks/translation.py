"""The training of `tools.train_translation` against one written plainly, as The Annotated Transformer has it.

Sizes are those of the recipe for Multi30k. Speed is measured on made-up sentences as long as its captions: the choices
in which the two differ are added to the plain one in order, each on top of those before it. How much has to be read
until the loss on validation is down at a goal does not depend on the machine, and is counted, on the dates of lesson 12
and, where the files are in the cache folder, on Multi30k. All of it is part of the subject `training`.
"""

import functools
import itertools
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

import torch
from torch import Tensor, nn
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode

from benchmarks import annotated
from benchmarks.timing import ROUNDS, Figure, figure, in_turn, times_as_fast
from tools.train_translation.corpus import BOS, EOS, PAD, Corpus
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
MOST_STEPS, LOOK_EVERY = 2_000, 10
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

        times = in_turn({_name(n): work(n, take_steps) for n in range(ALL + 1)}, quick, ROUNDS - 4)
        for n in range(1, ALL + 1):
            of_both = {_name(m): times[_name(m)] for m in (n, n - 1)}
            yield times_as_fast(f"a step, with {_name(n)}", of_both, _name(n), _name(n - 1))
        of_both = {_name(m): times[_name(m)] for m in (ALL, PLAIN)}
        yield times_as_fast("a step, all of it", of_both, _name(ALL), _name(PLAIN), at_least=2)
        for n, bar in ((ALL - 1, None), (ALL, 0.5)):
            n_operations = workers[n].submit(count_operations, recipe, n).result()
            times = in_turn({"step": work(n, take_steps), "product": work(n, multiply)}, quick, ROUNDS - 4)
            shares = [
                n_operations / of_steps / (2 * PRODUCT**3 / of_product)
                for of_steps, of_product in zip(times["step"], times["product"], strict=True)
            ]
            precision = "bfloat16" if n == ALL else "float32"
            yield figure(f"a step in {precision}, share of peak", shares, "of what a product reaches", at_least=bar)
            share = workers[n].submit(share_of_products, recipe, n).result()
            yield figure(f"a step in {precision}, time in products", [share], "of the step's time")


def _name(n_choices: int) -> str:
    return list(CHOICES)[n_choices - 1] if n_choices else "plain"


def _start_keeping(n_threads: int) -> None:
    torch.set_num_threads(n_threads)
    keep_freed_memory()


def made_up(recipe: Recipe) -> Corpus:
    """Make pairs for two batches, about as long as Multi30k's: 16 tokens and 5 more or less, of random ids."""
    generator = torch.Generator().manual_seed(0)
    ids, n_pairs = functools.partial(torch.randint, 4, recipe.vocab_size, generator=generator), recipe.max_tokens // 16
    lengths = (16 + 5 * torch.randn(2, n_pairs, generator=generator)).round().clamp(4, 40).int().tolist()
    source, target = ([ids((n - 1,)) for n in of_one] for of_one in lengths)
    end, start = torch.tensor([EOS]), torch.tensor([BOS])
    pad = functools.partial(nn.utils.rnn.pad_sequence, batch_first=True, padding_value=PAD)
    return Corpus(pad([torch.cat([x, end]) for x in source]), pad([torch.cat([start, x, end]) for x in target]))


@functools.cache
def _prepared(recipe: Recipe, n_choices: int) -> tuple["Run", list[Tensor]]:
    """Of one process: the training, and the batches of one pass."""
    corpus = made_up(recipe)
    return Run(recipe, n_choices, corpus), corpus.batches(recipe.max_tokens, 0)


def take_steps(recipe: Recipe, n_choices: int) -> None:
    """Train for one pass over the made-up pairs."""
    run, batches = _prepared(recipe, n_choices)
    for rows in batches:
        run.step(rows, 1e-4)


def count_operations(recipe: Recipe, n_choices: int) -> int:
    """Count the multiplications and additions of all products of matrices in `take_steps`."""
    with FlopCounterMode(display=False) as counter:
        take_steps(recipe, n_choices)
    return counter.get_total_flops()


def share_of_products(recipe: Recipe, n_choices: int) -> float:
    """Measure which share of the time of `take_steps` is spent within products of matrices."""
    with profile(activities=[ProfilerActivity.CPU]) as found:
        take_steps(recipe, n_choices)
    times = {event.key: event.self_cpu_time_total for event in found.key_averages()}
    return sum(times[key] for key in PRODUCTS) / sum(times.values())


def multiply(recipe: Recipe, n_choices: int) -> None:
    """Multiply two large matrices, as precise as the training."""
    left, right = _matrices(torch.bfloat16 if n_choices == ALL else torch.float32)
    left @ right


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

    def read_until(self, goal: float, rates: Callable[[int], float], validation: Corpus) -> int:
        """Train until the loss on validation, not smoothed, is at a goal.

        Parameters
        ----------
        goal : float
            Nats a token.
        rates : function of int
            The learning rate of each step, from 0.
        validation : Corpus
            Looked at every few steps.

        Returns
        -------
        int
            Tokens read so far, padding not counted.
        """
        n_read = 0
        for i, rows in enumerate(itertools.islice(self.batches(), MOST_STEPS)):
            self.step(rows, rates(i))
            n_read += self.corpus.n_tokens(rows)
            if (i + 1) % LOOK_EVERY == 0 and self.validate(validation) <= goal:
                return n_read
        raise RuntimeError(f"The loss on validation is still above {goal:g} after {MOST_STEPS} steps.")

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
