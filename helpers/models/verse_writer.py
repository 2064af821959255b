"""The language model of lesson 13 that was trained for longer, as it was stored by `python -m tools.train_verses`.

It has read the King James Bible (1611, in the spelling of 1769), which is in the public domain; in the United Kingdom
alone, printing it is reserved to the Crown's licensees. Two books, Ruth and Jonah, were held out. They
are short, and lie beside the weights, so that anyone can measure the model without a download.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import safe_open
from torch import Tensor, nn

from helpers.models.byte_pairs import BytePairs
from helpers.models.transformer import LanguageModel

WEIGHTS = Path(__file__).parent / "weights"
CHECKPOINT = WEIGHTS / "verses.safetensors"
HELD_OUT = WEIGHTS / "verses-held-out.txt"

VOCAB_SIZE, D_MODEL, N_HEADS, N_LAYERS, D_HIDDEN, N_POSITIONS = 1024, 128, 4, 3, 512, 512
WINDOW = 128  # tokens that it was trained on at once
HISTORY = "history."  # begins the names of tensors that are no weights


@dataclass(frozen=True)
class VerseWriter:
    """A trained model, its vocabulary, and how its training went.

    Attributes
    ----------
    model : LanguageModel
        In evaluation mode.
    byte_pairs : BytePairs
        What its ids stand for.
    history : dict of str to Tensor, (n,)
        "steps", and the loss per token that was measured there: "training", the mean of the last 100 steps, and
        "held_out", of Ruth and Jonah.
    facts : dict of str to float
        "n_characters" that it was trained on, and "n_windows" of WINDOW tokens that it has read. The perplexity per
        letter on the held-out books of what was counted in the training text: "pairs" of letters, "pairs_of_tokens",
        "triples_of_tokens", "fours_of_tokens", and mixed as Kneser and Ney do it "best_pairs", "best_triples",
        "best_fours", "best_fives"; and of these four the loss per token, "loss_pairs" and so on, on every eighth
        token of the held-out books from token 64 on. By how much the model's own loss is lower than that of fives,
        where it sees 64 tokens before each, "ahead_of_fives", with two standard errors, "ahead_error". And how many
        of all runs of eight words stand in the training text as well: "known_held_out" of the "runs_held_out" in the
        held-out books, and "known_T" of the "runs_T" that the model writes at the temperature T, which is 0.3 and 0.8
        (with top-p 0.9) and 1 (without).
    """

    model: LanguageModel
    byte_pairs: BytePairs
    history: dict[str, Tensor]
    facts: dict[str, float]


def new_model(seed: int = 0) -> LanguageModel:
    """Make the model before training.

    Parameters
    ----------
    seed : int
        Of the start.

    Returns
    -------
    LanguageModel
        In training mode.
    """
    torch.manual_seed(seed)
    return LanguageModel(VOCAB_SIZE, D_MODEL, N_HEADS, N_LAYERS, D_HIDDEN, n_positions=N_POSITIONS)


def load() -> VerseWriter:
    """Load the trained model, which is stored in half precision.

    Returns
    -------
    VerseWriter
        The model in float32, with its vocabulary.
    """
    with safe_open(CHECKPOINT, "pt") as file:
        tensors = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118 (no dictionary)
        metadata = file.metadata()
    model = new_model()
    model.load_state_dict({name: tensor for name, tensor in tensors.items() if not name.startswith(HISTORY)})
    history = {name.removeprefix(HISTORY): tensor for name, tensor in tensors.items() if name.startswith(HISTORY)}
    byte_pairs = BytePairs([tuple(pair) for pair in json.loads(metadata["merges"])])
    return VerseWriter(model.eval(), byte_pairs, history, json.loads(metadata["facts"]))


def held_out() -> str:
    """Read the two books that the model has never seen.

    Returns
    -------
    str
        Ruth and Jonah, a verse on each line, with END before, between and after their chapters.
    """
    return HELD_OUT.read_text(encoding="utf-8")


@torch.no_grad()
def held_out_loss(model: LanguageModel, ids: Tensor) -> tuple[float, int]:
    """Measure a model on a text, in windows of WINDOW tokens that lie next to each other.

    Parameters
    ----------
    model : LanguageModel
        Any.
    ids : Tensor, (n,)
        The text. What is left over at its end is not measured.

    Returns
    -------
    loss : float
        The cross entropy per token.
    n_measured : int
        How many tokens were measured: those from the second on.
    """
    windows = ids[: (len(ids) - 1) // WINDOW * WINDOW + 1].unfold(0, WINDOW + 1, WINDOW)  # (n_windows, WINDOW + 1)
    scores = model(windows[:, :-1]).flatten(0, 1)
    goals = windows[:, 1:].flatten()
    return nn.functional.cross_entropy(scores, goals).item(), len(goals)
