"""Train the readers of film reviews of lesson 14 on IMDB, and record what each gets right.

Usage::

    python -m tools.train_reviews                        five kinds of readers, five seeds each, recorded for the lesson
    python -m tools.train_reviews --small                a small reader, stored for the lesson
    python -m tools.train_reviews --folder FOLDER        where the reviews are; see tools.download
    python -m tools.train_reviews --variants "attention" --seeds 0 1      only these, and nothing is stored

Of the 25,000 training reviews 2,500 are held out for validation. Training stops when two epochs in a row were no better
on these than the best so far, and that best epoch is the one that the test reviews are counted for. All readers get the
same reviews, batches, optimiser and rate.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor, nn
from torch.optim import Adam, Optimizer, SparseAdam

from helpers.data.download import DataError
from helpers.data.imdb import Reviews, imdb
from helpers.files import write_whole
from helpers.models.review_reader import (
    CHECKPOINT,
    N_PLACES,
    N_SHARED,
    N_WORDS,
    PAD,
    RUNS,
    UNKNOWN,
    BagOfWords,
    ReviewReader,
    to_ids,
    vocabulary,
    with_pairs,
)

D_MODEL, N_HEADS, DROPOUT = 128, 8, 0.5
SMALL_D_MODEL, SMALL_N_HEADS = 32, 4
BATCH, LR, SEEDS, MAX_EPOCHS, PATIENCE = 32, 1e-3, 5, 12, 2
N_VALIDATION = 2_500
SHOWN = (  # how the test reviews begin that the lesson quotes: each fits a map and shows something
    "Brilliant and moving performances by Tom",
    "What a script, what a story",
    "This is a great movie. Too bad",
    'Agreeable "Boy\'s Own Paper" nonsense',
    "You may like Tim Burton's fantasies",
    "Masterpiece. Carrot Top blows",
)
Reader = BagOfWords | ReviewReader
VARIANTS: dict[str, Callable[[], Reader]] = {
    "bag of words": lambda: BagOfWords(N_WORDS),
    "words and pairs": lambda: BagOfWords(N_WORDS + N_SHARED),
    "mean of vectors": lambda: ReviewReader(N_WORDS, D_MODEL, N_HEADS, DROPOUT, attention=False, positions=False),
    "attention": lambda: ReviewReader(N_WORDS, D_MODEL, N_HEADS, DROPOUT, positions=False),
    "attention, positions": lambda: ReviewReader(N_WORDS, D_MODEL, N_HEADS, DROPOUT),
}


@dataclass(frozen=True)
class Split:
    """Reviews as a model reads them."""

    ids: Tensor  # (n_reviews, N_PLACES)
    labels: Tensor  # (n_reviews,)


@dataclass(frozen=True)
class Splits:
    """What may be learned from, what may be chosen on, and what is counted at the end."""

    known: dict[str, int]
    training: Split
    validation: Split
    test: Split


@dataclass
class Run:
    """What one run recorded."""

    validation: list[float]  # the share that is right after each epoch
    test: list[float]
    right: Tensor  # (n_reviews,), boolean: the test reviews, at the epoch that is best on validation

    @property
    def accuracy(self) -> float:
        """The share of the test reviews that is right, at the epoch chosen on validation."""
        return self.right.double().mean().item()


def new_model(variant: str, seed: int = 0, sparse: bool = True) -> Reader:
    """Make a reader before training, of the sizes that the results are for.

    Parameters
    ----------
    variant : str
        One of VARIANTS.
    seed : int
        Of the start.
    sparse : bool
        Gradients of the token vectors hold only the rows that a batch has used.

    Returns
    -------
    BagOfWords or ReviewReader
        In training mode.
    """
    torch.manual_seed(seed)
    model = VARIANTS[variant]()
    model.table.sparse = sparse
    return model


def optimizers(model: Reader) -> list[Optimizer]:
    """Make Adam, and for a sparse table one of its own that changes only the rows that a batch has used.

    Parameters
    ----------
    model : BagOfWords or ReviewReader
        Whose parameters they change.

    Returns
    -------
    list of Optimizer
        One, or two for a sparse table.
    """
    if not model.table.sparse:
        return [Adam(model.parameters(), lr=LR)]
    others = [parameter for name, parameter in model.named_parameters() if not name.startswith("table.")]
    return [SparseAdam(list(model.table.parameters()), lr=LR), Adam(others, lr=LR)]


def train_step(model: Reader, optimizers: list[Optimizer], ids: Tensor, labels: Tensor) -> float:
    """Change the model by one step.

    Parameters
    ----------
    model : BagOfWords or ReviewReader
        Is changed.
    optimizers : list of Optimizer
        As `optimizers` gives them.
    ids : Tensor, (batch, n)
        As `to_ids` gives them.
    labels : Tensor, (batch,)
        1 for a good review, 0 for a bad one.

    Returns
    -------
    float
        The loss before the step.
    """
    scores, _ = model(ids)
    loss = nn.functional.binary_cross_entropy_with_logits(scores, labels.float())
    for optimizer in optimizers:
        optimizer.zero_grad()
    loss.backward()
    for optimizer in optimizers:
        optimizer.step()
    return loss.item()


@torch.no_grad()
def which_are_right(model: Reader, reviews: Split) -> Tensor:
    """Say for each review whether its score has the right sign.

    Parameters
    ----------
    model : BagOfWords or ReviewReader
        Is left in evaluation mode.
    reviews : Split
        To judge.

    Returns
    -------
    Tensor, (n_reviews,), boolean
        True where it is right.
    """
    model.eval()
    scores = torch.cat([model(part)[0] for part in reviews.ids.split(500)])
    return (scores > 0) == reviews.labels


def prepared(reviews: tuple[Reviews, Reviews]) -> Splits:
    """Split reviews, and turn them into ids.

    Parameters
    ----------
    reviews : two lists of (str, int)
        Texts with their labels, for training and for the test.

    Returns
    -------
    Splits
        A tenth of the training reviews, drawn once, is for validation. The vocabulary is that of the others.
    """
    given, test = reviews
    n_validation = min(N_VALIDATION, len(given) // 10)
    order = torch.randperm(len(given), generator=torch.Generator().manual_seed(0)).tolist()
    validation, training = ([given[i] for i in part] for part in (order[:n_validation], order[n_validation:]))
    known = vocabulary([text for text, _ in training], N_WORDS)
    return Splits(known, *(_split(part, known) for part in (training, validation, test)))


def _split(reviews: Reviews, known: dict[str, int]) -> Split:
    return Split(to_ids([text for text, _ in reviews], known), torch.tensor([label for _, label in reviews]))


def paired(splits: Splits) -> Splits:
    """Append to each review the ids of its pairs of neighbours.

    Parameters
    ----------
    splits : Splits
        As `prepared` gives them.

    Returns
    -------
    Splits
        The same reviews, for the variant "words and pairs".
    """
    parts = (splits.training, splits.validation, splits.test)
    return Splits(splits.known, *(Split(with_pairs(part.ids, N_WORDS, N_SHARED), part.labels) for part in parts))


def train(model: Reader, splits: Splits, seed: int = 0, max_epochs: int = MAX_EPOCHS) -> Run:
    """Train a model until two epochs in a row were no better on the validation reviews, and print how it goes.

    Parameters
    ----------
    model : BagOfWords or ReviewReader
        Is changed, and left as it was after its best epoch.
    splits : Splits
        As `prepared` gives them.
    seed : int
        Of the order of the reviews.
    max_epochs : int
        How often each review is read at most.

    Returns
    -------
    Run
        What was recorded.
    """
    steps, order = optimizers(model), torch.Generator().manual_seed(seed)
    run, best = Run([], [], torch.empty(0)), dict(model.state_dict())
    for epoch in range(max_epochs):
        start, losses = time.perf_counter(), []
        model.train()
        for chosen in torch.randperm(len(splits.training.ids), generator=order).split(BATCH):
            losses.append(train_step(model, steps, splits.training.ids[chosen], splits.training.labels[chosen]))
        seconds = time.perf_counter() - start
        validation = which_are_right(model, splits.validation).double().mean().item()
        right = which_are_right(model, splits.test)
        if validation > max(run.validation, default=-1):
            run.right, best = right, {name: tensor.clone() for name, tensor in model.state_dict().items()}
        run.validation.append(validation)
        run.test.append(right.double().mean().item())
        now = f"loss {statistics.mean(losses):.3f}  validation {validation:.4f}  {seconds:5.1f} s"
        print(f"epoch {epoch}  {now}", flush=True)
        if len(run.validation) - 1 - run.validation.index(max(run.validation)) >= PATIENCE:
            break
    model.load_state_dict(best)
    return run


def recorded(runs: dict[str, list[Run]]) -> dict[str, Tensor]:
    """Turn runs into what is stored.

    Parameters
    ----------
    runs : dict of str to list of Run
        By variant, a run for each seed.

    Returns
    -------
    dict of str to Tensor
        "variant/right", eight reviews to a byte, and "variant/validation" and "variant/test", (n_seeds, n_epochs).
    """
    tensors = {}
    for variant, of_variant in runs.items():
        right = np.packbits(torch.stack([run.right for run in of_variant]).numpy(), axis=-1)
        tensors[f"{variant}/right"] = torch.from_numpy(right)
        for what in ("validation", "test"):
            series = [torch.tensor(getattr(run, what)) for run in of_variant]
            tensors[f"{variant}/{what}"] = nn.utils.rnn.pad_sequence(series, batch_first=True, padding_value=torch.nan)
    return tensors


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.train_reviews", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, help="where the reviews are; the cache folder when left out")
    parser.add_argument("--small", action="store_true", help="train and store the small reader of the lesson")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, help="only these; nothing is stored")
    parser.add_argument("--seeds", nargs="+", type=int, help="only these; nothing is stored")
    parser.add_argument("--threads", type=int, default=1, help="1 when left out: other programs disturb it least")
    return parser.parse_args(arguments)


# What is asked of the small reader


@torch.no_grad()
def received(model: ReviewReader, ids: Tensor) -> Tensor:
    """Say what each word of each review gets of the weight, the mean over heads and queries, as a multiple of 1/n.

    Parameters
    ----------
    model : ReviewReader
        In evaluation mode.
    ids : Tensor, (n_reviews, N_PLACES)
        As `to_ids` gives them.

    Returns
    -------
    Tensor, (n_reviews, N_PLACES)
        1 is an even share; 0 for padding.
    """
    parts = []
    for part in ids.split(250):
        weights = model(part, need_weights=True)[1].mean(dim=-3)  # over the heads: (batch, n, n)
        parts.append((weights * (part != PAD)[..., None]).sum(dim=-2))  # over the queries: (batch, n)
    return torch.cat(parts)


def words_above_even(
    shares: Tensor, ids: Tensor, known: dict[str, int], at_least: int = 100
) -> list[tuple[str, float]]:
    """List the twenty words that get most, of those that come so often.

    Parameters
    ----------
    shares, ids : Tensor, (n_reviews, n)
        What each word gets, and which it is.
    known : dict of str to int
        The vocabulary.
    at_least : int
        Rarer words are left out.

    Returns
    -------
    list of (str, float)
        The word, and the mean of what it gets, in falling order.
    """
    total, count = torch.zeros(N_WORDS), torch.zeros(N_WORDS)
    total.index_add_(0, ids.flatten(), shares.flatten())
    count.index_add_(0, ids.flatten(), torch.ones(ids.numel()))
    mean = (total / count.clamp(min=1)).masked_fill(count < at_least, 0)
    mean[[PAD, UNKNOWN]] = 0
    word_of = {i: word for word, i in known.items()}
    return [(word_of[i], round(mean[i].item(), 2)) for i in mean.topk(20).indices.tolist()]


@torch.no_grad()
def left_out(model: ReviewReader, bag: BagOfWords, reviews: Split) -> dict[str, dict[str, float]]:
    """Leave one word out of each review, and say what that changes.

    Parameters
    ----------
    model : ReviewReader
        The reader that is asked.
    bag : BagOfWords
        Its numbers choose a word as a rival to attention.
    reviews : Split
        Those of two words or more are used.

    Returns
    -------
    dict
        For the word that gets most attention, the one whose number in the bag of words is farthest from 0, and one by
        chance: "change", the mean size of the change of the score; "flips", the share of the reviews whose label
        changes; and "same", the share of the reviews in which it is the word that gets most attention.
    """
    ids = reviews.ids[(reviews.ids != PAD).sum(dim=-1) > 1]
    chosen_by = {
        "attention": received(model, ids),
        "bag of words": torch.cat([bag.table(part).squeeze(-1).abs() for part in ids.split(500)]),
        "chance": torch.rand(ids.shape, generator=torch.Generator().manual_seed(0)),
    }
    scores = torch.cat([model(part)[0] for part in ids.split(500)])
    result = {}
    chosen = {name: values.masked_fill(ids == PAD, -1).argmax(dim=-1) for name, values in chosen_by.items()}
    word = {name: ids.gather(-1, place[:, None]) for name, place in chosen.items()}
    for name, place in chosen.items():
        kept = torch.arange(N_PLACES)[None, :-1]
        kept = kept + (kept >= place[:, None])  # all places but that one
        shorter = ids.gather(-1, kept)
        now = torch.cat([model(part)[0] for part in shorter.split(500)])
        result[name] = {
            "change": round((now - scores).abs().mean().item(), 3),
            "flips": round(((now > 0) != (scores > 0)).double().mean().item(), 4),
            "same": round((word[name] == word["attention"]).double().mean().item(), 4),
        }
    return result


@torch.no_grad()
def in_another_order(model: ReviewReader, reviews: Split) -> float:
    """Shuffle the words of each review, and say how many are still judged right.

    Parameters
    ----------
    model : ReviewReader
        In evaluation mode.
    reviews : Split
        To shuffle.

    Returns
    -------
    float
        From 0 to 1.
    """
    order = torch.rand(reviews.ids.shape, generator=torch.Generator().manual_seed(0))
    order = order.masked_fill(reviews.ids == PAD, 2).argsort(dim=-1)  # padding stays behind the words
    return which_are_right(model, Split(reviews.ids.gather(-1, order), reviews.labels)).double().mean().item()


def store_small(reviews: tuple[Reviews, Reviews], path: Path = CHECKPOINT) -> None:
    """Train the small reader, ask it what the lesson reports, and store it.

    Parameters
    ----------
    reviews : two lists of (str, int)
        For training and for the test.
    path : Path
        Where it is stored, in half precision.
    """
    splits = prepared(reviews)
    torch.manual_seed(0)
    model = ReviewReader(N_WORDS, SMALL_D_MODEL, SMALL_N_HEADS, DROPOUT)
    model.table.sparse = True
    train(model, splits)
    model.load_state_dict({name: tensor.half().float() for name, tensor in model.state_dict().items()})  # as stored
    bag = BagOfWords(N_WORDS)
    bag.table.sparse = True
    train(bag, splits)
    shares = received(model.eval(), splits.test.ids)
    notes = {
        "n_heads": SMALL_N_HEADS,
        "accuracy": which_are_right(model, splits.test).double().mean().item(),
        "shuffled": in_another_order(model, splits.test),
        "above even": words_above_even(shares, splits.test.ids, splits.known),
        "left out": left_out(model, bag, splits.test),
        "reviews": [{"text": text, "label": label} for text, label in reviews[1] if text.startswith(SHOWN)],
        "words": " ".join(splits.known),
    }
    state = {name: tensor.half() for name, tensor in model.state_dict().items()}
    write_whole(path, save(state, {"notes": json.dumps(notes)}))
    print(json.dumps({name: note for name, note in notes.items() if name != "words"}, indent=1))


# The command


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
    options = _arguments(arguments)
    torch.set_num_threads(options.threads)
    try:
        reviews = imdb(options.folder)
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    if options.small:
        store_small(reviews)
        return 0
    splits = prepared(reviews)
    variants, seeds = options.variants or list(VARIANTS), options.seeds or list(range(SEEDS))
    runs: dict[str, list[Run]] = {variant: [] for variant in variants}
    for seed in seeds:
        for variant in variants:
            print(f"{variant}, seed {seed}")
            model = new_model(variant, seed)
            runs[variant].append(train(model, paired(splits) if variant == "words and pairs" else splits, seed))
        if options.variants is None and options.seeds is None:
            write_whole(RUNS, save(recorded(runs)))
    for variant, of_variant in runs.items():
        print(f"{variant}: {', '.join(f'{run.accuracy:.4f}' for run in of_variant)} of the test reviews right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
