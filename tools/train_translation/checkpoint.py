"""Checkpoints: parameters, optimiser and notes in one file, written whole or not at all."""

import json
from pathlib import Path
from typing import TypedDict

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load, save
from torch import nn

from helpers.files import write_whole
from helpers.models.transformer import upgraded_names
from tools.train_translation.recipe import ConfigError

Values = dict[str, int | float | str]  # of a recipe, and which data it was trained on
History = list[dict[str, float]]  # of each epoch
RENAMED = {"units": "vocab_size", "tokens": "max_tokens", "peak": "lr", "pairs": "max_pairs"}  # in older checkpoints


class CheckpointNotes(TypedDict):
    """What a checkpoint holds beside the tensors."""

    recipe: Values
    vocabulary: str
    history: History


def write_or_refuse(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Parameters
    ----------
    path : Path
        Where it shall be; folders that are missing are made.
    data : bytes
        All that it shall hold.

    Raises
    ------
    ConfigError
        It cannot be written. What stood there still does.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written ({error.strerror}): make room or name another --out. "
            "What stood there before is as it was."
        ) from None


def save_checkpoint(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, notes: CheckpointNotes) -> None:
    """Write parameters, optimiser and notes to one file.

    Parameters
    ----------
    path : Path
        Of the file.
    model : nn.Module
        Its parameters are kept.
    optimizer : torch.optim.Optimizer
        Its averages are kept.
    notes : CheckpointNotes
        Kept in the header.

    Raises
    ------
    ConfigError
        As `write_or_refuse`.
    """
    tensors = {}
    for name, parameter in model.named_parameters():
        tensors[f"model.{name}"] = parameter.detach()
        tensors |= {f"{key}.{name}": value for key, value in optimizer.state[parameter].items()}
    write_or_refuse(path, save(tensors, {"notes": json.dumps(notes)}))


def read_notes(path: Path) -> CheckpointNotes:
    """Read what `save_checkpoint` noted.

    Parameters
    ----------
    path : Path
        Of a checkpoint, also of one with the names that a recipe's numbers once had.

    Returns
    -------
    CheckpointNotes
        With today's names.

    Raises
    ------
    ConfigError
        The file is not whole, or no checkpoint.
    """
    try:
        with safe_open(path, "pt") as file:
            notes = json.loads(file.metadata()["notes"])
        recipe = {RENAMED.get(name, name): value for name, value in notes["recipe"].items()}
        return CheckpointNotes(recipe=recipe, vocabulary=notes["vocabulary"], history=notes["history"])
    except (SafetensorError, TypeError, KeyError, ValueError, OSError) as error:
        raise ConfigError(f"{path} is no checkpoint, or broken ({error}): delete it to start anew.") from None


def load_checkpoint(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer | None = None) -> None:
    """Set a model, and its optimiser, to what a checkpoint holds.

    Parameters
    ----------
    path : Path
        Of the checkpoint, also of one with the names that parameters once had.
    model : nn.Module
        Which is changed.
    optimizer : torch.optim.Optimizer, optional
        Which is changed; an Adam.
    """
    # Not mapped into memory, for then Windows would not let the next epoch replace the file.
    kept = upgraded_names(load(path.read_bytes()))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(kept[f"model.{name}"])
            if optimizer is not None:
                optimizer.state[parameter] = {
                    key: kept[f"{key}.{name}"].to(parameter.device) for key in ("step", "exp_avg", "exp_avg_sq")
                }


def refuse_another_recipe(kept: Values, asked: Values, path: Path) -> None:
    """Make sure that a checkpoint is of the recipe that is asked for.

    Parameters
    ----------
    kept, asked : dict
        The numbers of both recipes, with which data they are for.
    path : Path
        Of the checkpoint, for the message.

    Raises
    ------
    ConfigError
        They differ: says in what.
    """
    differing = [
        f"{name} {kept.get(name)} and not {asked.get(name)}"
        for name in asked | kept
        if kept.get(name) != asked.get(name)
    ]
    if differing:
        raise ConfigError(f"{path} was made with {', '.join(differing)}: ask for the same, or name another --out.")
