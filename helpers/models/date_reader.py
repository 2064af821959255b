"""The reader of dates that lesson 12 trains, as it was stored by `python -m tools.train_dates`."""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from helpers.data import dates
from helpers.models.decoding import greedy
from helpers.models.transformer import Transformer

WEIGHTS = Path(__file__).parent / "weights"
CHECKPOINT = WEIGHTS / "dates.safetensors"
HISTORY = WEIGHTS / "dates-history.safetensors"
STUDIES = WEIGHTS / "dates-studies.json"

D_MODEL, N_HEADS, D_HIDDEN, N_POSITIONS = 64, 4, 64, 40
STD = 0.5 * D_MODEL**-0.5  # of the token vectors at the start
MAX_LEN = 11  # "1999-03-03" and the end
SAMPLE = "Wed 3rd of March, 1999"  # whose map is recorded in training


def new_model(seed: int = 0, std: float = STD, dropout: float = 0.0) -> Transformer:
    """Make the translator before training: one layer each side, norm first.

    Parameters
    ----------
    seed : int
        Of the start.
    std : float
        Standard deviation of the token vectors at the start.
    dropout : float
        Share of the numbers that are set to 0 in training.

    Returns
    -------
    Transformer
        In training mode.
    """
    torch.manual_seed(seed)
    model = Transformer(
        dates.SOURCE_VOCAB_SIZE,
        dates.TARGET_VOCAB_SIZE,
        D_MODEL,
        N_HEADS,
        n_layers=1,
        d_hidden=D_HIDDEN,
        dropout=dropout,
        norm_first=True,
        n_positions=N_POSITIONS,
    )
    for embedding in (model.source_embedding, model.target_embedding):
        nn.init.normal_(embedding.table.weight, std=std)
    return model


def load() -> Transformer:
    """Load the trained translator.

    Returns
    -------
    Transformer
        As the checkpoint holds it, in evaluation mode.
    """
    model = new_model()
    model.load_state_dict(load_file(CHECKPOINT))
    return model.eval()


def load_history() -> dict[str, Tensor]:
    """Load what was recorded when the checkpoint was made.

    Returns
    -------
    dict of str to Tensor
        "steps" (n,), "losses" (n,), "accuracies" (n,) of 200 held-out dates, and "maps" (n, n_heads, n_query, n_key),
        the weights of the cross-attention for SAMPLE.
    """
    return {name: tensor.float() for name, tensor in load_file(HISTORY).items()}


def load_studies() -> dict[str, dict[str, dict[str, list[float]]]]:
    """Load how training went in other ways than the lesson's, as `python -m tools.study_dates` has stored it.

    Returns
    -------
    dict of str to dict of str to dict of str to list of float
        For each study, for each seed: "steps", and after so many steps "loss training", "loss validation", "exact
        training" and "exact validation".
    """
    studies: dict[str, dict[str, dict[str, list[float]]]] = json.loads(STUDIES.read_text(encoding="utf-8"))
    return studies


def predictions(model: Transformer, texts: list[str]) -> list[str]:
    """Read dates, greedily and all at once.

    Parameters
    ----------
    model : Transformer
        As `load` gives it.
    texts : list of str
        Dates as people write them.

    Returns
    -------
    list of str
        What the model writes for each.
    """
    ids = greedy(model, dates.source_ids(texts), dates.BOS, dates.EOS, MAX_LEN)
    return dates.texts_of(ids)


def accuracy(model: Transformer, pairs: list[tuple[str, str]]) -> float:
    """Measure the share of texts that are read right to the last character.

    Parameters
    ----------
    model : Transformer
        As `load` gives it.
    pairs : list of (str, str)
        Dates as people write them, and in ISO 8601.

    Returns
    -------
    float
        From 0 to 1.
    """
    written = predictions(model, [text for text, _ in pairs])
    return sum(got == goal for got, (_, goal) in zip(written, pairs, strict=True)) / len(pairs)


@torch.no_grad()
def cross_attention(model: Transformer, text: str, goal: str) -> Tensor:
    """Say where each character that is written looks in the source.

    Parameters
    ----------
    model : Transformer
        As `load` gives it.
    text, goal : str
        A date as people write it, and in ISO 8601.

    Returns
    -------
    Tensor, (n_heads, len(goal) + 1, len(text))
        The weights of the last layer.
    """
    source, target = dates.source_ids([text]), dates.target_ids([goal])[:, :-1]
    _, weights = model.decode(target, model.encode(source), source, need_weights=True)
    last = weights[-1]
    assert last is not None  # for they were asked for
    return last[0]
