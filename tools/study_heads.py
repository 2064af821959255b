"""Measure what lesson 19 only shows in part: the loss of the language model without each of its heads, one at a time.

The model reads random tokens twice, so that in the second half only copying helps. A head is put out by its mean: what
it gave on average to other texts of the same kind stands in for what it gives. Run from the folder of the course, with
the weights of lesson 18 (about six minutes on one core)::

    python -m tools.study_heads
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from helpers.files import write_whole
from helpers.models import smollm, verse_writer
from helpers.models.llama import Llama, hands_at

HERE = Path(__file__).resolve().parent.parent / "helpers" / "models" / "weights" / "heads-study.json"
N = 50  # tokens, which stand there twice
N_TEXTS = 4
N_DRAWS = 12
N_TEXTS_FOR_EACH = 2  # of 270 heads
N_FRESH = 8  # texts in which no head was chosen
N_OF_RUTH = 128  # tokens of a text in which little stands there twice
FIRST_HALF, SECOND_HALF = slice(0, N - 1), slice(N, 2 * N - 1)  # nothing announces the first token of the second half
Head = tuple[int, int]  # layer and head, from 0
Hook = Callable[[nn.Module, Any, Tensor], Tensor | None]


def twice(n_texts: int, seed: int) -> Tensor:
    """Draw N tokens for each text, none of the first 100, which are signs, and repeat them: ids (n_texts, 2 * N)."""
    generator = torch.Generator().manual_seed(seed)
    half = torch.randint(100, 49_152, (n_texts, N), generator=generator)
    return torch.cat([half, half], dim=-1)


@contextmanager
def hooked(model: Llama, hooks: Iterable[tuple[int, Hook]]) -> Iterator[None]:
    """Let the outputs of the heads of some layers pass a hook, as long as the block lasts."""
    with ExitStack() as stack:
        for i, hook in hooks:
            place = model.layers.get_submodule(f"{i}.attention.heads")
            stack.callback(place.register_forward_hook(hook).remove)
        yield


@torch.no_grad()
def head_means(model: Llama, ids: Tensor) -> Tensor:
    """Average what each head gives over all tokens of some texts: (n_layers, n_heads, d_head)."""
    means: list[Tensor] = []

    def note(_module: nn.Module, _given: Any, output: Tensor) -> None:
        means.append(output.mean(dim=(0, 2)))

    with hooked(model, [(i, note) for i in range(len(model.layers))]):
        model(ids, last_only=True)
    return torch.stack(means)


def put_out(head: int, mean: Tensor) -> Hook:
    """Make a hook that puts a mean, (d_head,), in the place of what a head gives, for all texts and places."""

    def hook(_module: nn.Module, _given: Any, output: Tensor) -> Tensor:
        output = output.clone()
        output[:, head] = mean
        return output

    return hook


class Study:
    """Losses, (n_texts,), of the same texts with other heads put out."""

    @torch.no_grad()
    def __init__(self, model: Llama, ids: Tensor) -> None:
        self.model, self.ids = model, ids
        self.means = head_means(model, twice(N_TEXTS, seed=1))
        self.states = [x for x, _ in model.climb(self.ids)]

    @torch.no_grad()
    def losses(self, heads: list[Head], places: slice = SECOND_HALF) -> list[float]:
        """Go up from the lowest layer that differs, and score what these places say of the next token."""
        first = min((layer for layer, _ in heads), default=len(self.model.layers))
        x, hands = self.states[first], hands_at(self.ids.shape[1], self.model.d_head)
        with hooked(self.model, [(i, put_out(head, self.means[i, head])) for i, head in heads]):
            for layer in self.model.layers[first:]:
                x, _ = layer(x, hands)
        scores = self.model.score(x[:, :-1][:, places])
        losses = cross_entropy(scores.transpose(1, 2), self.ids[:, 1:][:, places], reduction="none").mean(dim=-1)
        return [round(loss, 3) for loss in losses.tolist()]


def drawn(layers: Iterable[int], left_out: Iterable[Head], n: int, seed: int) -> list[Head]:
    """Draw n heads of some layers, none of those that are left out."""
    left_out = set(left_out)
    heads = [(layer, head) for layer in layers for head in range(9) if (layer, head) not in left_out]
    order = torch.randperm(len(heads), generator=torch.Generator().manual_seed(seed))
    return [heads[i] for i in order[:n].tolist()]


def main() -> None:
    """Measure, and store what was measured after each part."""
    texts = twice(N_TEXTS, seed=0)
    lm = smollm.load()
    study = Study(lm.model, texts)
    induction = [(18, 6), (17, 3), (17, 4), (17, 5), (18, 7), (23, 2), (23, 7), (20, 6)]  # as lesson 19 finds them
    previous = [(16, 0), (11, 1), (2, 1), (19, 3), (1, 2)]
    sets = {"none": study.losses([])}
    sets |= {f"induction {n}": study.losses(induction[:n]) for n in (1, 2, 4, 8)}
    sets |= {f"previous {layer}.{head}": study.losses([(layer, head)]) for layer, head in previous}
    sets["induction next 4"] = study.losses(induction[4:])
    sets["previous, all but 16.0"] = study.losses(previous[1:])
    stored: dict[str, Any] = {"sets": sets}
    write_whole(HERE, json.dumps(stored).encode())
    chosen = {"of all layers": range(30), "of layers 17 and 18": (17, 18)}
    for name, layers in chosen.items():
        draws = [drawn(layers, induction, 4, seed) for seed in range(N_DRAWS)]
        stored[f"four {name}"] = [study.losses(heads) for heads in draws]
        write_whole(HERE, json.dumps(stored).encode())
    fresh = Study(study.model, twice(N_FRESH, seed=5))
    costly = [(16, 0), (8, 0), (19, 8), (29, 1)]  # put out alone; lesson 19 shows two of them
    compared: dict[str, list[Head]] = {"none": []} | {f"{layer}.{head}": [(layer, head)] for layer, head in costly}
    compared |= {"best 4": induction[:4], "next 4": induction[4:]}
    stored["fresh"] = {name: fresh.losses(heads) for name, heads in compared.items()}
    stored["first half"] = {name: fresh.losses(heads, FIRST_HALF) for name, heads in compared.items()}
    ruth = lm.encode(verse_writer.held_out().replace("¶", ""))[None, :N_OF_RUTH]
    real = Study(study.model, ruth)
    stored["Ruth"] = {name: real.losses(heads, slice(None)) for name, heads in compared.items()}
    write_whole(HERE, json.dumps(stored).encode())
    study = Study(study.model, texts[:N_TEXTS_FOR_EACH])
    stored["each"] = [[study.losses([(layer, head)]) for head in range(9)] for layer in range(30)]
    write_whole(HERE, json.dumps(stored).encode())


if __name__ == "__main__":
    main()
