"""Pairs of sentences as a translator reads them: a learned vocabulary, ids, and batches of like lengths.

Byte-pair encoding after Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units"
(2016).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from helpers.data import dates
from helpers.data.multi30k import multi30k
from tools.train_translation.recipe import ConfigError

PAD, BOS, EOS = 0, 1, 2
SPECIAL = ["<padding>", "<start>", "<end>", "<unknown>"]  # at the ids above; the last for characters never seen

Splits = dict[str, list[tuple[str, str]]]


def load_pairs(data: str, folder: Path | None) -> Splits:
    """Load the pairs of sentences.

    Parameters
    ----------
    data : str
        "multi30k" or "dates".
    folder : Path, optional
        Of Multi30k's files; the cache folder when left out.

    Returns
    -------
    dict
        "train", "validation" and "test", each a list of (source, target).

    Raises
    ------
    DataError
        Multi30k's sentences cannot be had.
    ConfigError
        Dates from a folder.
    """
    if data == "multi30k":
        return multi30k(folder)
    if folder is not None:
        raise ConfigError(f"The dates are made, not read: leave out --folder {folder}.")
    held_out = dates.test_set(400)
    return {"train": dates.training_set(20_000), "validation": held_out[:200], "test": held_out[200:]}


def learn_vocabulary(texts: Sequence[str], vocab_size: int) -> Tokenizer:
    """Learn byte-pair tokens of lower-cased text. None reaches over a space or over a punctuation mark.

    Parameters
    ----------
    texts : sequence of str
        To learn from.
    vocab_size : int
        Tokens to learn at most, four of them for SPECIAL.

    Returns
    -------
    Tokenizer
        The same one from the same texts.
    """
    tokenizer = Tokenizer(models.BPE(unk_token=SPECIAL[3]))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), pre_tokenizers.Punctuation()])
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=SPECIAL, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def source_ids(tokenizer: Tokenizer, texts: Sequence[str]) -> Tensor:
    """Encode texts as tokens and EOS, filled up with PAD: (n, longest)."""
    rows = [torch.tensor([*encoded.ids, EOS]) for encoded in tokenizer.encode_batch(list(texts))]
    return pad_sequence(rows, batch_first=True, padding_value=PAD)


def target_ids(tokenizer: Tokenizer, texts: Sequence[str]) -> Tensor:
    """Encode texts as BOS, tokens and EOS, filled up with PAD: (n, longest)."""
    return nn.functional.pad(source_ids(tokenizer, texts), (1, 0), value=BOS)


@dataclass
class Corpus:
    """Pairs as ids.

    Attributes
    ----------
    source : Tensor, (n, longest source)
        As `source_ids` makes them.
    target : Tensor, (n, longest target)
        As `target_ids` makes them.
    """

    source: Tensor
    target: Tensor

    def __post_init__(self) -> None:
        self.source_lengths = (self.source != PAD).sum(dim=-1).cpu()
        self.target_lengths = (self.target != PAD).sum(dim=-1).cpu()

    @classmethod
    def of(cls, tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> "Corpus":
        """Encode pairs of texts."""
        sources, targets = zip(*pairs, strict=True)
        return cls(source_ids(tokenizer, sources), target_ids(tokenizer, targets))

    def __len__(self) -> int:
        return len(self.source)

    def to(self, device: torch.device) -> "Corpus":
        """Copy the ids to a device."""
        return Corpus(self.source.to(device), self.target.to(device))

    def rows(self, rows: Tensor) -> tuple[Tensor, Tensor]:  # (batch,) -> (batch, n_source), (batch, n_target)
        """Take some pairs, cut after the longest of them."""
        n_source, n_target = self.source_lengths[rows].max(), self.target_lengths[rows].max()
        rows = rows.to(self.source.device)
        return self.source[rows, :n_source], self.target[rows, :n_target]

    def n_scored(self, rows: Tensor) -> int:
        """Count the target tokens that are predicted: all but BOS."""
        return int(self.target_lengths[rows].sum()) - len(rows)

    def n_tokens(self, rows: Tensor) -> int:
        """Count source tokens, and target tokens that are predicted; no padding."""
        return int(self.source_lengths[rows].sum()) + self.n_scored(rows)

    def batches(self, max_tokens: int, seed: int) -> list[Tensor]:
        """Deal all pairs out to batches, in an order drawn from the seed.

        Pairs of like lengths come together, so that little is padding. There are equally many batches whatever the
        seed.

        Parameters
        ----------
        max_tokens : int
            Of a batch, source, target and padding counted; one that has more is a single pair.
        seed : int
            Of the order.

        Returns
        -------
        list of Tensor, (batch,)
            Rows of each batch, each row once.
        """
        generator = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(self), generator=generator)
        for lengths in (self.source_lengths, self.target_lengths):  # the second sort keeps the first where it ties
            order = order[lengths[order].argsort(stable=True)]
        lengths_in_order = zip(self.source_lengths[order].tolist(), self.target_lengths[order].tolist(), strict=True)
        cuts, first, longest = [], 0, (0, 0)
        for i, (n_source, n_target) in enumerate(lengths_in_order):
            longest = max(longest[0], n_source), max(longest[1], n_target)
            if i > first and sum(longest) * (i + 1 - first) > max_tokens:
                cuts.append(i)
                first, longest = i, (n_source, n_target)
        batches = order.tensor_split(cuts)
        return [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]
