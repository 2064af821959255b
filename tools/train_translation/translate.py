"""Translations of a trained model: written by a beam, measured by BLEU, and where the model looked.

BLEU after Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine Translation" (2002), as counted by Post,
"A Call for Clarity in Reporting BLEU Scores" (2018).
"""

from collections.abc import Sequence
from importlib.util import find_spec

import torch
from tokenizers import Tokenizer
from torch import Tensor

from helpers.models.decoding import beam_searches, greedy
from helpers.models.transformer import Transformer
from tools.train_translation.corpus import BOS, EOS, PAD, Corpus, source_ids, target_ids
from tools.train_translation.recipe import ConfigError

MORE_THAN_SOURCE = 20  # tokens that a translation may have beyond those of its source


def translate_greedily(model: Transformer, tokenizer: Tokenizer, corpus: Corpus, n: int) -> list[str]:
    """Translate the first `n` texts of a corpus, token by token: the quick way, to see how far training has come."""
    source, target = corpus.rows(torch.arange(n))
    written = greedy(model, source, BOS, EOS, target.shape[-1] + MORE_THAN_SOURCE)
    return tokenizer.decode_batch([until_end(ids) for ids in written.tolist()])


def until_end(ids: list[int]) -> list[int]:
    """Cut off EOS and what stands after it."""
    return ids[: ids.index(EOS)] if EOS in ids else ids


@torch.no_grad()
def translate(
    model: Transformer,
    tokenizer: Tokenizer,
    texts: Sequence[str],
    beam_width: int = 5,
    alpha: float = 1.0,
    n_at_once: int = 64,
) -> list[str]:
    """Find the best translation of each text that a beam finds, lower-cased.

    Parameters
    ----------
    model : Transformer
        A trained one; it is set to evaluation.
    tokenizer : Tokenizer
        Of source and target.
    texts : sequence of str
        To translate.
    beam_width, alpha : int, float
        As for `beam_searches`.
    n_at_once : int
        Texts of like lengths that are searched together, which changes nothing but the time.

    Returns
    -------
    list of str
        In the order of the texts.
    """
    model.eval()
    source = source_ids(tokenizer, texts).to(model.target_embedding.table.weight.device)
    lengths = (source != PAD).sum(dim=-1)
    max_len = source.shape[-1] + MORE_THAN_SOURCE
    found: dict[int, list[int]] = {}
    for rows in lengths.argsort().split(n_at_once):
        cut = source[rows, : int(lengths[rows].max())]
        searched = beam_searches(model, cut, BOS, EOS, max_len, beam_width, alpha)
        found |= {row: hypotheses[0][0].tolist() for row, hypotheses in zip(rows.tolist(), searched, strict=True)}
    return tokenizer.decode_batch([found[i] for i in range(len(texts))])


def require_bleu() -> None:
    """Make sure, before an epoch is trained, that BLEU can be counted.

    Raises
    ------
    ConfigError
        The library sacrebleu is not installed.
    """
    if find_spec("sacrebleu") is None:
        raise ConfigError("BLEU is counted by sacrebleu: pip install sacrebleu.")


def bleu(translations: Sequence[str], references: Sequence[str]) -> tuple[float, str]:
    """Count BLEU of lower-cased text.

    Parameters
    ----------
    translations, references : sequence of str
        One reference for each translation.

    Returns
    -------
    score : float
        From 0 to 100.
    signature : str
        How it was counted.
    """
    from sacrebleu.metrics.bleu import BLEU  # here, for only training needs it

    metric = BLEU(lowercase=True)  # its tokenizer is 13a unless told otherwise
    score = metric.corpus_score(list(translations), [list(references)])
    return score.score, str(metric.get_signature())


@torch.no_grad()
def cross_attention(
    model: Transformer, tokenizer: Tokenizer, source: str, target: str
) -> tuple[Tensor, list[str], list[str]]:
    """Show where the decoder looks while it writes the target.

    Parameters
    ----------
    model : Transformer
        A trained one; it is set to evaluation.
    tokenizer : Tokenizer
        Of source and target.
    source, target : str
        A text and its translation.

    Returns
    -------
    weights : Tensor, (n_target, n_source)
        Of the last layer, the mean of its heads.
    written, read : list of str
        The tokens of the rows and of the columns.
    """
    model.eval()
    device = model.target_embedding.table.weight.device
    read, written = (ids(tokenizer, [text]).to(device) for ids, text in ((source_ids, source), (target_ids, target)))
    _, weights = model.decode(written[:, :-1], model.encode(read), read, need_weights=True)
    of_last = weights[-1]
    assert of_last is not None  # they were asked for
    return of_last[0].mean(dim=0).cpu(), _names(tokenizer, written[0, 1:]), _names(tokenizer, read[0])


def _names(tokenizer: Tokenizer, ids: Tensor) -> list[str]:
    return [tokenizer.id_to_token(i) or "" for i in ids.tolist()]
