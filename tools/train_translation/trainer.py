"""The training itself: a model with its data, loss and optimiser, epoch by epoch."""

import dataclasses
import math
import time
from collections.abc import Callable

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim.lr_scheduler import LambdaLR

from helpers.models.transformer import Transformer
from tools.train_translation.checkpoint import CheckpointNotes, History, Values
from tools.train_translation.corpus import PAD, Corpus, Splits
from tools.train_translation.cpu import with_cheap_dropout
from tools.train_translation.processes import Processes
from tools.train_translation.recipe import ConfigError, Recipe
from tools.train_translation.translate import bleu, translate_greedily

N_PEEKED = 200  # validation pairs that are translated after each epoch, greedily
STEPS_A_LINE = 50  # of progress


def new_model(recipe: Recipe, vocab_size: int, n_positions: int) -> Transformer:
    """Make the Transformer before training, norm first, with one table for source, target and scores.

    Parameters
    ----------
    recipe : Recipe
        Gives sizes, dropout and seed.
    vocab_size : int
        Of source and target.
    n_positions : int
        Tokens that a text may have.

    Returns
    -------
    Transformer
        The same one each time.
    """
    torch.manual_seed(recipe.seed)
    model = Transformer(
        vocab_size,
        vocab_size,
        recipe.d_model,
        recipe.n_heads,
        recipe.n_layers,
        recipe.d_hidden,
        recipe.dropout,
        norm_first=True,
        n_positions=n_positions,
        padding=PAD,
    )
    model.source_embedding.table = model.target_embedding.table
    return model


class Objective(nn.Module):
    """What training makes small: the sum of the smoothed cross-entropy over all target tokens but BOS.

    After Szegedy et al., "Rethinking the Inception Architecture for Computer Vision" (2016), section 7.
    """

    def __init__(self, model: Transformer, smoothing: float) -> None:
        super().__init__()
        self.model, self.smoothing = model, smoothing

    def forward(self, source: Tensor, target: Tensor) -> Tensor:  # (batch, n_source), (batch, n_target) -> ()
        """Add up the losses of a batch."""
        scores = self.model(source, target[:, :-1])  # (batch, n_target - 1, vocab_size)
        return nn.functional.cross_entropy(
            scores.flatten(0, 1).float(),
            target[:, 1:].flatten(),
            ignore_index=PAD,
            label_smoothing=self.smoothing,
            reduction="sum",
        )


class Trainer:
    """A model with its data and optimiser, as far as it has been trained.

    Parameters
    ----------
    recipe : Recipe
        What decides the result.
    model : Transformer
        Which is trained.
    tokenizer : Tokenizer
        Of source and target.
    pairs : dict
        "train" and "validation", each a list of (source, target).
    processes : Processes
        Which share each batch.
    precision : torch.dtype
        Of products of matrices.
    compiled : bool
        With torch.compile.

    Attributes
    ----------
    history : list of dict
        How each epoch went that is done.
    made_of : dict
        Which data these are, for the checkpoint.
    """

    def __init__(
        self,
        recipe: Recipe,
        model: Transformer,
        tokenizer: Tokenizer,
        pairs: Splits,
        processes: Processes,
        precision: torch.dtype,
        compiled: bool,
    ) -> None:
        self.recipe, self.model, self.tokenizer, self.pairs, self.processes = recipe, model, tokenizer, pairs, processes
        self.train = Corpus.of(tokenizer, pairs["train"]).to(processes.device)
        self.validation = Corpus.of(tokenizer, pairs["validation"]).to(processes.device)
        with_cheap_dropout(model)
        self.objective: Callable[[Tensor, Tensor], Tensor] = Objective(model, recipe.smoothing)
        if processes.world > 1:
            with processes.communicating():
                self.objective = DistributedDataParallel(self.objective, broadcast_buffers=False)  # they are constant
        if compiled:
            self.objective = torch.compile(self.objective, dynamic=True)
        self.precision = precision
        self.made_of: Values = {}
        self.steps_an_epoch = len(self.train.batches(recipe.max_tokens, 0))
        self.optimizer = torch.optim.Adam(model.parameters(), lr=recipe.lr, betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.resume([])

    def resume(self, history: History) -> None:
        """Go on after the epochs of a history, with the learning rate that is due then."""
        self.history = history
        n_steps = self.recipe.epochs * self.steps_an_epoch
        done = len(history) * self.steps_an_epoch
        for group in self.optimizer.param_groups:
            group["initial_lr"] = self.recipe.lr
        self.schedule = LambdaLR(self.optimizer, lambda step: self.recipe.lr_factor(step, n_steps), last_epoch=done - 1)

    @property
    def notes(self) -> CheckpointNotes:
        """What a checkpoint keeps beside the tensors."""
        recipe = dataclasses.asdict(self.recipe) | self.made_of
        return CheckpointNotes(recipe=recipe, vocabulary=self.tokenizer.to_str(), history=self.history)

    def epoch(self) -> None:
        """Train one more epoch, and note how it went.

        Order and dropout are drawn anew from the seed, the epoch and the process, so that a run which goes on from a
        checkpoint draws what it would have drawn without the interruption.

        Raises
        ------
        ConfigError
            The loss is no number.
        """
        number, recipe, pace = len(self.history), self.recipe, Pace()
        seed = recipe.seed * 10_000 + number
        torch.manual_seed(seed * 10_000 + self.processes.rank)
        self.model.train()
        sum_of_losses, n_scored = torch.zeros((), dtype=torch.float64, device=self.processes.device), 0
        for i, rows in enumerate(self.train.batches(recipe.max_tokens, seed), start=1):
            sum_of_losses += self.step(rows)
            n_scored += self.train.n_scored(rows)
            pace.add(self.train.n_tokens(rows))
            if i % STEPS_A_LINE == 0:  # the loss of this process's part
                loss = sum_of_losses.item() * self.processes.world / n_scored
                self.processes.say(
                    f"epoch {number + 1}, step {number * self.steps_an_epoch + i:,}: loss {loss:.3f}, "
                    f"{pace.speed:,.0f} tokens/s"
                )
        total, work = self.processes.total(sum_of_losses.item(), pace.work)
        if not math.isfinite(total):
            raise ConfigError(f"The loss is {total} in epoch {number + 1}: try a lower --lr.")
        done = {"loss": total / n_scored, "seconds": pace.seconds, "work": work, "tokens": pace.n_tokens}
        self.history.append(done | self.validate())

    def step(self, rows: Tensor) -> Tensor:  # (batch,) -> this process's part of the sum of losses
        """Change the model by one batch."""
        source, target = self.share(self.train, rows)
        with torch.autocast(self.processes.device.type, self.precision, enabled=self.precision != torch.float32):
            loss = self.objective(source, target)
        self.optimizer.zero_grad()
        # The mean over the whole batch: each process divides by all its tokens, and their gradients are averaged.
        with self.processes.communicating():
            (loss * (self.processes.world / self.train.n_scored(rows))).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
        self.optimizer.step()
        self.schedule.step()
        return loss.detach()

    def share(self, corpus: Corpus, rows: Tensor) -> tuple[Tensor, Tensor]:  # (batch,) -> source and target
        """Take this process's part of a batch: each so-many-th pair."""
        here = rows[self.processes.rank :: self.processes.world]
        source, target = corpus.rows(here if len(here) else rows[:1])
        return source, target if len(here) else torch.full_like(target, PAD)  # padding counts nothing

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """Measure on the validation set.

        Returns
        -------
        dict
            "validation", nats a token, not smoothed, and in one process "bleu" of the first pairs, translated greedily.
        """
        self.model.eval()
        objective, corpus = Objective(self.model, smoothing=0.0), self.validation
        batches = corpus.batches(2 * self.recipe.max_tokens, 0)
        (total,) = self.processes.total(sum(objective(*self.share(corpus, rows)).item() for rows in batches))
        found = {"validation": total / corpus.n_scored(torch.arange(len(corpus)))}
        if self.processes.rank == 0:
            n = min(N_PEEKED, len(corpus))
            texts = translate_greedily(self.model, self.tokenizer, corpus, n)
            found["bleu"] = bleu(texts, [target for _, target in self.pairs["validation"][:n]])[0]
        return found


class Pace:
    """How many tokens went through since it was made, and how long that took."""

    def __init__(self) -> None:
        self.n_tokens, self.start, self.start_of_work = 0, time.perf_counter(), time.process_time()

    def add(self, n_tokens: int) -> None:
        """Count some tokens more."""
        self.n_tokens += n_tokens

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return time.perf_counter() - self.start

    @property
    def speed(self) -> float:
        """Tokens a second."""
        return self.n_tokens / self.seconds

    @property
    def work(self) -> float:
        """Seconds that the processor worked."""
        return time.process_time() - self.start_of_work
