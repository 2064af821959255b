"""The index of the book: where each term is introduced, and which lessons use it most. Its pages are found."""

import html
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from lxml import html as lxml_html
from lxml.html import HtmlElement

# As a lesson sets them in italics or in bold type when it introduces them
TERMS = [
    *("Adam", "attention map", "attention sink", "attention weights", "bag of words", "baseline"),
    *("batch", "beam search", "bias", "broadcasting", "byte-pair encoding", "causal mask", "chain rule", "cosine"),
    *("cross-attention", "cross-entropy", "decoder", "dot product", "dropout", "embedding table", "encoder", "epoch"),
    *("exposure bias", "feed-forward", "FlashAttention", "gradient", "grouped-query", "head", "in-context learning"),
    *("induction heads", "key", "KV cache", "label smoothing", "language model", "layer", "layer norm"),
    *("learned positions", "learning rate", "linear attention", "logit lens", "loss", "mask", "max trick"),
    *("mean-ablation", "memory", "mixture of experts", "momentum", "multi-head attention", "multi-query", "one-hot"),
    *("online softmax", "output projection", "overfitted", "padding", "perplexity", "positions", "query", "ReLU"),
    *("residual connection", "RMSNorm", "rotary positions", "saturated", "score", "self-attention", "sigmoid"),
    *("sinusoidal positions", "softmax", "standard deviation", "SwiGLU", "teacher forcing", "temperature", "tensor"),
    *("token", "top-k", "top-p", "Transformer", "value", "variance", "vector", "vocabulary", "warm-up"),
    *("weight decay", "zero-ablation"),
]
# The heading below which a lesson introduces a term, where it does so in plain type or has named it earlier
BELOW = {
    "Adam": "Gradients that are not cleared, and what Adam does",
    "cross-entropy": "Cross entropy: measure how wrong it is",
    "learned positions": "Step 8: learned positions",
    "linear attention": "Step 7: keep one sum instead of all keys",
    "multi-head attention": "8. Multi-head: let each word look in several ways at once",
    "positions": "10. Positions: give order to a set",
    "ReLU": "Feed-forward: work on each word alone",
    "residual connection": "Residual connections and layer norm: add, and keep the size",
    "rotary positions": "Step 9: rotary positions turn queries and keys",
    "sinusoidal positions": "Step 4: several hands of different speed",
    "Transformer": "11. Transformer: put the whole model together",
    "warm-up": "Step 6: train",
}
# Patterns of how else a lesson says a term
SAID = {
    "cross-entropy": "cross.entropy",
    "multi-head attention": "multi-head attention|multi-head",
    "rotary positions": "rotary positions|rotary",
    "sinusoidal positions": "sinusoidal positions|sinusoidal|sine",
}
OFTEN = 3  # paragraphs of a lesson in which a term stands, so that the index leads there
MOST = 5  # lessons that it leads to, beside where the term is introduced
HEADINGS_AND_PROSE = ".//*[self::h1 or self::h2 or self::h3 or self::p[not(ancestor::*[contains(@class, 'cell')])]]"


class Lesson(Protocol):
    """What stands in a lesson, and the name of its place."""

    place: str
    element: HtmlElement


class Paragraph(NamedTuple):
    """A paragraph of a lesson, its text, and that of the heading above it."""

    element: HtmlElement
    text: str
    heading: str


Prose = list[tuple[Lesson, list[Paragraph]]]  # each lesson, and what it says outside its cells


def index(lessons: Sequence[Lesson], page_of: str) -> HtmlElement | None:
    """The index as a chapter; None where no term stands in the lessons. It gives paragraphs that it leads to a place.

    `page_of` is HTML of a page number, with {} for the place.
    """
    prose = [(lesson, list(_paragraphs(lesson))) for lesson in lessons]
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


def _paragraphs(lesson: Lesson) -> Iterator[Paragraph]:
    heading = ""
    for part in lesson.element.xpath(HEADINGS_AND_PROSE):
        text = " ".join(part.text_content().split())
        if part.tag == "p":
            yield Paragraph(part, text, heading)
        else:
            heading = text


def _places(term: str, prose: Prose) -> Iterator[tuple[str, bool]]:
    """(place, whether it is where the term is introduced), in the order of the book."""
    stands = pattern(term)
    using = [(lesson, [part for part in parts if stands.search(part.text)]) for lesson, parts in prose]
    introduced = _introduced(term, stands, prose)
    often = sorted((len(parts) for _, parts in using if len(parts) >= OFTEN), reverse=True)[:MOST]
    for (lesson, parts), (_, every) in zip(using, prose, strict=True):
        first = introduced in every
        if (first and introduced) or (often and len(parts) >= often[-1]):
            spot = _spot((introduced if first and introduced else parts[0]).element, stands)
            if not spot.get("id"):
                before = len(lesson.element.xpath(".//*[starts-with(@id, 'term-')]"))
                spot.set("id", f"term-{lesson.place}-{before}")
            yield spot.get("id", ""), first


def pattern(term: str) -> re.Pattern[str]:
    """How lessons say a term, in any case, once or several."""
    return re.compile(rf"\b(?:{SAID.get(term, re.escape(term.removesuffix('s')))})s?\b", re.I)


def _introduced(term: str, stands: re.Pattern[str], prose: Prose) -> Paragraph | None:
    """The paragraph that introduces a term, if any."""
    parts = [part for _, parts in prose for part in parts]
    if term not in BELOW:
        return next((part for part in parts if _set_apart(stands, part.element) is not None), None)
    below = [part for part in parts if part.heading == BELOW[term]]
    return next((part for part in below if stands.search(part.text)), below[0] if below else None)


def _set_apart(stands: re.Pattern[str], part: HtmlElement) -> HtmlElement | None:
    """The words of a paragraph in italics or in bold type that are the term and nothing else."""
    apart = part.iter("em", "strong")
    return next((words for words in apart if stands.fullmatch(" ".join(words.text_content().split()))), None)


def _spot(part: HtmlElement, stands: re.Pattern[str]) -> HtmlElement:
    """What the index leads to in a paragraph: the term itself, since a page may end between it and the beginning."""
    apart = _set_apart(stands, part)
    if apart is not None:
        return apart
    said = stands.search(part.text_content())
    if said and not any(stands.search(getattr(*at) or "") for at in _texts(part)):
        stands = re.compile(re.escape(said[0].split()[0]))  # the term is partly in italics: its first word
    for holder, kind in _texts(part):
        found = stands.search(getattr(holder, kind) or "")
        if found:
            spot = lxml_html.fragment_fromstring("<span></span>")
            spot.text, spot.tail = found[0], found.string[found.end() :]
            setattr(holder, kind, found.string[: found.start()])
            above, at = (holder, 0) if kind == "text" else (holder.getparent(), holder.getparent().index(holder) + 1)
            above.insert(at, spot)
            return spot
    return part


def _texts(part: HtmlElement) -> Iterator[tuple[HtmlElement, str]]:
    """Where the words of a paragraph stand, outside formulas: in an element ("text") or behind it ("tail")."""
    if isinstance(part.tag, str) and part.tag != "math":  # d_head is no head
        yield part, "text"
        for inner in part:
            yield from _texts(inner)
            yield inner, "tail"
