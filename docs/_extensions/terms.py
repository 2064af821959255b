"""The index of the book: where each term is introduced, and which lessons use it most. Its pages are found."""

import html
import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from lxml import html as lxml_html
from lxml.html import HtmlElement

# As a lesson sets them in italics when it introduces them
TERMS = [
    *("attention map", "attention sink", "attention weights", "bag of words", "baseline"),
    *("batch", "beam search", "bias", "broadcasting", "byte-pair encoding", "causal mask", "chain rule", "cosine"),
    *("cross-attention", "cross-entropy", "decoder", "dropout", "embedding table", "encoder", "epoch", "exposure bias"),
    *("feed-forward", "FlashAttention", "gradient", "grouped-query", "head", "in-context learning", "induction heads"),
    *("key", "KV cache", "label smoothing", "language model", "layer", "learning rate", "logit lens", "loss", "mask"),
    *("max trick", "mean-ablation", "memory", "mixture of experts", "momentum", "multi-query", "one-hot"),
    *("online softmax", "output projection", "overfitted", "padding", "perplexity", "query", "residual connection"),
    *("rotary", "saturated", "score", "self-attention", "sigmoid", "softmax", "standard deviation"),
    *("teacher forcing", "temperature", "tensor", "token", "top-k", "top-p", "variance", "vector", "vocabulary"),
    *("warm-up", "weight decay", "zero-ablation"),
]
OFTEN = 3  # paragraphs of a lesson in which a term stands, so that the index leads there
MOST = 5  # lessons that it leads to, beside where the term is introduced
PROSE = ".//p[not(ancestor::*[contains(@class, 'cell')])]"


class Lesson(Protocol):
    """What stands in a lesson, and the name of its place."""

    place: str
    element: HtmlElement


def index(lessons: Sequence[Lesson], page_of: str) -> HtmlElement | None:
    """The index as a chapter; None where no term stands in the lessons. It gives paragraphs that it leads to a place.

    `page_of` is HTML of a page number, with {} for the place.
    """
    prose = [
        (lesson, [(part, " ".join(part.text_content().split())) for part in lesson.element.xpath(PROSE)])
        for lesson in lessons
    ]
    entries = []
    for term in sorted(TERMS, key=str.lower):
        places = list(_places(term, prose))
        if places:
            pages = ", ".join(
                f'<a href="#{place}"{" class=introduced" if first else ""}>{page_of.format(place)}</a>'
                for place, first in places
            )
            entries.append(f"<li>{html.escape(term)} {pages}</li>")
    if not entries:
        return None
    said = "A page in bold type introduces the term; the others are of lessons that use it most."
    return lxml_html.fragment_fromstring(f"<section><h1>Index</h1><p>{said}</p><ul>{''.join(entries)}</ul></section>")


def _places(term: str, prose: list[tuple[Lesson, list[tuple[HtmlElement, str]]]]) -> Iterator[tuple[str, bool]]:
    """(place, whether it is where the term is introduced), in the order of the book."""
    stands = re.compile(rf"\b{re.escape(term.removesuffix('s'))}s?\b", re.I)
    using = [(lesson, [part for part, text in parts if stands.search(text)]) for lesson, parts in prose]
    introduced = next((part for _, parts in using for part in parts if _in_italics(stands, part)), None)
    often = sorted((len(parts) for _, parts in using if len(parts) >= OFTEN), reverse=True)[:MOST]
    for lesson, parts in using:
        first = introduced in parts
        if first or (often and len(parts) >= often[-1]):
            part = introduced if introduced is not None and first else parts[0]
            if not part.get("id"):
                before = len(lesson.element.xpath(".//p[starts-with(@id, 'term-')]"))
                part.set("id", f"term-{lesson.place}-{before}")
            yield part.get("id", ""), first


def _in_italics(stands: re.Pattern[str], part: HtmlElement) -> bool:
    return any(stands.fullmatch(" ".join(words.text_content().split())) for words in part.iter("em"))
