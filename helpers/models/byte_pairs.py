"""Byte-pair encoding, as lesson 13 builds it: tokens that are frequent pairs of shorter tokens.

After Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units" (2016). A text is cut
into words first, each with the white space before it, and no token is longer than a word.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import torch
from torch import Tensor

from helpers.data.docstrings import LETTERS

Parts = tuple[str, ...]  # a word, cut into tokens
Pair = tuple[str, str]

END = "¶"  # stands between texts, and is a word of its own
WORD = re.compile(r"¶|\s?[A-Za-z]+|\s?[^A-Za-z\s¶]+|\s+")  # letters or signs, with a space before them; or spaces


def merge(parts: Parts, pair: Pair) -> Parts:
    """Join each place where a pair stands, from left to right.

    Parameters
    ----------
    parts : tuple of str
        A word, cut into tokens.
    pair : (str, str)
        Two tokens.

    Returns
    -------
    tuple of str
        The same word, in which the pair is one token.
    """
    merged: list[str] = []
    for part in parts:
        if merged and (merged[-1], part) == pair:
            merged[-1] += part
        else:
            merged.append(part)
    return tuple(merged)


def count_pairs(words: Mapping[Parts, int]) -> Counter[Pair]:
    """Count how often two tokens stand side by side.

    Parameters
    ----------
    words : dict of tuple of str to int
        How often each word occurs, which is cut into tokens.

    Returns
    -------
    Counter
        The number of each pair, in the order in which the pairs are met.
    """
    counts: Counter[Pair] = Counter()
    for parts, n in words.items():
        for pair in pairwise(parts):
            counts[pair] += n
    return counts


def learn_merges(words: Mapping[str, int], n_merges: int) -> list[Pair]:
    """Find the pairs to merge: again and again the most frequent one.

    Parameters
    ----------
    words : dict of str to int
        How often each word occurs.
    n_merges : int
        How many pairs to find.

    Returns
    -------
    list of (str, str)
        The pairs, in the order in which they are merged; of equally frequent ones the one that was met first.

    Raises
    ------
    ValueError
        No pair is left to merge, which `max` says.
    """
    cut = {tuple(word): n for word, n in words.items()}
    merges: list[Pair] = []
    while len(merges) < n_merges:
        counts = count_pairs(cut)
        best = max(counts, key=counts.__getitem__)  # of equals the first
        merges.append(best)
        cut = {merge(parts, best) if best[0] in parts else parts: n for parts, n in cut.items()}
    return merges


class BytePairs:
    """A vocabulary: the letters, the sign between texts, and one token for each merge.

    Parameters
    ----------
    merges : list of (str, str)
        As `learn_merges` gives them.

    Attributes
    ----------
    tokens : list of str
        What each id stands for.
    """

    def __init__(self, merges: Sequence[Pair]) -> None:
        self.tokens = [*LETTERS, END, *(left + right for left, right in merges)]
        self.rank = {pair: i for i, pair in enumerate(merges)}
        self.id_of = {token: i for i, token in enumerate(self.tokens)}
        self.known: dict[str, list[int]] = {}  # the ids of each word that was met, since most words come again

    def ids_of_word(self, word: str) -> list[int]:
        """Cut one word: merge the pair that was learned first, as long as there is one.

        Parameters
        ----------
        word : str
            As WORD finds it.

        Returns
        -------
        list of int
            The ids of its tokens.
        """
        parts = tuple(word)
        while known_pairs := [pair for pair in pairwise(parts) if pair in self.rank]:
            parts = merge(parts, min(known_pairs, key=self.rank.__getitem__))
        return [self.id_of[part] for part in parts]

    def encode(self, text: str) -> Tensor:
        """Cut a text into tokens.

        Parameters
        ----------
        text : str
            Of characters in LETTERS, and END.

        Returns
        -------
        Tensor, (n,)
            The ids of its tokens.

        Raises
        ------
        ValueError
            A character that is not in LETTERS.
        """
        if strange := sorted(set(text) - self.id_of.keys()):
            raise ValueError(f"text must be made of printable ASCII, line breaks and {END}, but holds {strange[0]!r}.")
        words = WORD.findall(text)
        for word in set(words) - self.known.keys():
            self.known[word] = self.ids_of_word(word)
        return torch.tensor([i for word in words for i in self.known[word]], dtype=torch.long)

    def decode(self, ids: Iterable[int]) -> str:
        """Write the tokens of some ids one after the other.

        Parameters
        ----------
        ids : Tensor or list of int, (n,)
            From 0 to the size of the vocabulary.

        Returns
        -------
        str
            The text.
        """
        return "".join(self.tokens[i] for i in ids)
