"""The reader of dates that lesson 12 trains, as it was stored by `python -m tools.train_dates`."""

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

D_MODEL, N_HEADS, D_HIDDEN, N_POSITIONS = 64, 4, 64, 40
SPREAD = 0.5 * D_MODEL**-0.5  # of the token vectors at the start
LONGEST_TARGET = 11  # "1999-03-03" and the end
SAMPLE = "Wed 3rd of March, 1999"  # whose map is recorded in training


def new_model(seed: int = 0, spread: float = SPREAD) -> Transformer:
    """The translator before training: one layer each side, norm first."""
    torch.manual_seed(seed)
    model = Transformer(
        dates.N_SOURCE,
        dates.N_TARGET,
        D_MODEL,
        N_HEADS,
        n_layers=1,
        d_hidden=D_HIDDEN,
        dropout=0.0,
        norm_first=True,
        n_positions=N_POSITIONS,
    )
    for embedding in (model.source_embedding, model.target_embedding):
        nn.init.normal_(embedding.table.weight, std=spread)
    return model


def load() -> Transformer:
    """The trained translator, as the checkpoint holds it."""
    model = new_model()
    model.load_state_dict(load_file(CHECKPOINT))
    return model.eval()


def load_history() -> dict[str, Tensor]:
    """What was recorded when the checkpoint was made.

    "steps" (n,), "losses" (n,), "accuracies" (n,) of 200 held-out dates, and "maps" (n, n_heads, n_query, n_key), the
    weights of the cross-attention for SAMPLE.
    """
    return {name: tensor.float() for name, tensor in load_file(HISTORY).items()}


def predictions(model: Transformer, texts: list[str]) -> list[str]:
    """What the model writes for each text, greedily and all at once."""
    ids = greedy(model, dates.source_ids(texts), dates.START, dates.END, LONGEST_TARGET)
    return dates.texts_of(ids)


def accuracy(model: Transformer, pairs: list[tuple[str, str]]) -> float:
    """The share of texts whose translation is right to the last character."""
    written = predictions(model, [text for text, _ in pairs])
    return sum(got == goal for got, (_, goal) in zip(written, pairs, strict=True)) / len(pairs)


@torch.no_grad()
def cross_attention(model: Transformer, text: str, goal: str) -> Tensor:
    """Where each character that is written looks in the source: (n_heads, len(goal) + 1, len(text))."""
    source, target = dates.source_ids([text]), dates.target_ids([goal])[:, :-1]
    _, weights = model.decode(target, model.encode(source), source, need_weights=True)
    return weights[-1][0]
