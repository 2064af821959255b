"""The map with which the course begins: what one head of lesson 17's model attends to, stored: no weights needed."""

import json
from pathlib import Path

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
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    return torch.tensor(stored["weights"]), stored["tokens"]
