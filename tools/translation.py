"""Pairs of sentences for a translator: a learned vocabulary, batches of like lengths, translations, and their BLEU.

Byte-pair encoding after Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units"
(2016). BLEU after Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine Translation" (2002), as counted
by Post, "A Call for Clarity in Reporting BLEU Scores" (2018).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from helpers.models.decoding import beam_searches
from helpers.models.transformer import Transformer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PADDING, START, END = 0, 1, 2
SPECIAL = ["<padding>", "<start>", "<end>", "<unknown>"]  # at the ids above; the last for characters never seen
MORE_THAN_SOURCE = 20  # tokens that a translation may have beyond those of its source


class Missing(ImportError):
    """A library that only training on real text needs is not installed."""


def learn_vocabulary(texts: Sequence[str], n_units: int) -> "Tokenizer":
    """Byte-pair units of lower-cased text, learned from `texts`: at most n_units, four of them for SPECIAL.

    A unit never reaches over a space or over a punctuation mark. Raises Missing without the library `tokenizers`.
    """
    try:
        from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
    except ImportError:
        raise Missing("Learning a vocabulary needs tokenizers: pip install tokenizers.") from None
    tokenizer = Tokenizer(models.BPE(unk_token=SPECIAL[3]))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), pre_tokenizers.Punctuation()])
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(vocab_size=n_units, special_tokens=SPECIAL, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def stored_vocabulary(text: str) -> "Tokenizer":
    """The vocabulary whose `to_str` gave the text. Raises Missing without the library `tokenizers`."""
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise Missing("Reading a vocabulary needs tokenizers: pip install tokenizers.") from None
    return Tokenizer.from_str(text)


def source_ids(tokenizer: "Tokenizer", texts: Sequence[str]) -> Tensor:
    """Units and END, filled up with PADDING: (n, longest)."""
    rows = [torch.tensor([*encoded.ids, END]) for encoded in tokenizer.encode_batch(list(texts))]
    return pad_sequence(rows, batch_first=True, padding_value=PADDING)


def target_ids(tokenizer: "Tokenizer", texts: Sequence[str]) -> Tensor:
    """START, units and END, filled up with PADDING: (n, longest)."""
    return nn.functional.pad(source_ids(tokenizer, texts), (1, 0), value=START)


# Batches


@dataclass
class Corpus:
    """Pairs as ids: source (n, longest source), target (n, longest target), with their lengths."""

    source: Tensor
    target: Tensor

    def __post_init__(self) -> None:
        self.source_lengths = (self.source != PADDING).sum(dim=-1).cpu()
        self.target_lengths = (self.target != PADDING).sum(dim=-1).cpu()

    @classmethod
    def of(cls, tokenizer: "Tokenizer", pairs: Sequence[tuple[str, str]]) -> "Corpus":
        sources, targets = zip(*pairs, strict=True)
        return cls(source_ids(tokenizer, sources), target_ids(tokenizer, targets))

    def __len__(self) -> int:
        return len(self.source)

    def to(self, device: torch.device) -> "Corpus":
        return Corpus(self.source.to(device), self.target.to(device))

    def rows(self, rows: Tensor) -> tuple[Tensor, Tensor]:  # (batch,) -> (batch, n_source), (batch, n_target)
        """Some pairs, cut behind the longest of them."""
        n_source, n_target = self.source_lengths[rows].max(), self.target_lengths[rows].max()
        rows = rows.to(self.source.device)
        return self.source[rows, :n_source], self.target[rows, :n_target]

    def n_scored(self, rows: Tensor) -> int:
        """Target tokens that are predicted: all but START."""
        return int(self.target_lengths[rows].sum()) - len(rows)

    def n_tokens(self, rows: Tensor) -> int:
        """Source tokens, and target tokens that are predicted; padding is not counted."""
        return int(self.source_lengths[rows].sum()) + self.n_scored(rows)

    def batches(self, most: int, seed: int) -> list[Tensor]:
        """Rows of each batch, all rows once, in an order drawn from the seed.

        Pairs of like lengths come together, so that little is padding: a batch has at most `most` tokens, source,
        target and padding counted, or else a single pair. There are equally many batches whatever the seed.
        """
        generator = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(self), generator=generator)
        for lengths in (self.source_lengths, self.target_lengths):  # the second sort keeps the first where it ties
            order = order[lengths[order].argsort(stable=True)]
        cuts, first, longest = [], 0, (0, 0)
        for i, pair in enumerate(torch.stack([self.source_lengths, self.target_lengths], dim=-1)[order].tolist()):
            longest = tuple(map(max, longest, pair))
            if i > first and sum(longest) * (i + 1 - first) > most:
                cuts.append(i)
                first, longest = i, pair
        batches = order.tensor_split(cuts)
        return [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]


class Objective(nn.Module):
    """What training makes small: the sum of the smoothed cross-entropy over all target tokens but START.

    After Szegedy et al., "Rethinking the Inception Architecture for Computer Vision" (2016), section 7.
    """

    def __init__(self, model: Transformer, smoothing: float) -> None:
        super().__init__()
        self.model, self.smoothing = model, smoothing

    def forward(self, source: Tensor, target: Tensor) -> Tensor:  # (batch, n_source), (batch, n_target) -> ()
        scores = self.model(source, target[:, :-1])  # (batch, n_target - 1, vocabulary)
        return nn.functional.cross_entropy(
            scores.flatten(0, 1).float(),
            target[:, 1:].flatten(),
            ignore_index=PADDING,
            label_smoothing=self.smoothing,
            reduction="sum",
        )


# Translations


@torch.no_grad()
def translate(
    model: Transformer,
    tokenizer: "Tokenizer",
    texts: Sequence[str],
    width: int = 5,
    alpha: float = 1.0,
    n_at_once: int = 64,
) -> list[str]:
    """The best translation of each text that a beam of `width` finds, lower-cased; `alpha` as for `beam_searches`.

    `n_at_once` texts of like lengths are searched together, which changes nothing but the time.
    """
    model.eval()
    source = source_ids(tokenizer, texts).to(model.target_embedding.table.weight.device)
    lengths = (source != PADDING).sum(dim=-1)
    found: dict[int, list[int]] = {}
    for rows in lengths.argsort().split(n_at_once):
        cut = source[rows, : lengths[rows].max()]
        searched = beam_searches(model, cut, START, END, source.shape[-1] + MORE_THAN_SOURCE, width, alpha)
        found |= {row: beams[0][0].tolist() for row, beams in zip(rows.tolist(), searched, strict=True)}
    return tokenizer.decode_batch([found[i] for i in range(len(texts))])


def bleu(translations: Sequence[str], references: Sequence[str]) -> tuple[float, str]:
    """BLEU of lower-cased text, and the signature that says how it was counted.

    Raises Missing without the library `sacrebleu`.
    """
    try:
        from sacrebleu.metrics import BLEU
    except ImportError:
        raise Missing("BLEU is counted by sacrebleu: pip install sacrebleu.") from None
    metric = BLEU(lowercase=True)  # its tokenizer is 13a unless told otherwise
    score = metric.corpus_score(list(translations), [list(references)])
    return score.score, str(metric.get_signature())


@torch.no_grad()
def cross_attention(
    model: Transformer, tokenizer: "Tokenizer", source: str, target: str
) -> tuple[Tensor, list[str], list[str]]:
    """Where the decoder looks while it writes the target: the last layer's weights, the mean of its heads.

    Returns weights (n_target, n_source), and the units of the rows (what is written) and columns (what is read).
    """
    model.eval()
    device = model.target_embedding.table.weight.device
    read, written = (ids(tokenizer, [text]).to(device) for ids, text in ((source_ids, source), (target_ids, target)))
    _, weights = model.decode(written[:, :-1], model.encode(read), read, need_weights=True)
    names = [[tokenizer.id_to_token(i) for i in ids[0].tolist()] for ids in (written[:, 1:], read)]
    return weights[-1][0].mean(dim=0).cpu(), names[0], names[1]
