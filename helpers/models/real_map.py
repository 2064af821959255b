"""The map with which the course begins, and the values behind it: one head of lesson 17's model, no weights needed."""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

FILE = Path(__file__).parent / "weights" / "first-map.json"
SENTENCE = "The animal didn't cross the street because it was too tired."
LAYER, HEAD = 3, 1


def load() -> tuple[Tensor, list[str]]:
    """Read the stored map of `SENTENCE`, of head 1 in layer 3.

    Returns
    -------
    tensor, (n, n)
        Weights to four digits; rows are queries.
    list of str
        The n tokens.
    """
    stored = _stored()
    return torch.tensor(stored["weights"]), stored["tokens"]


def load_values() -> Tensor:
    """Read what the tokens of `SENTENCE` hand over in the same head.

    Returns
    -------
    tensor, (n, d_v)
        Values to three digits, each 32 long.
    """
    return torch.tensor(_stored()["values"])


def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return stored
