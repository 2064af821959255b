"""What the first page is made of: one head of a real model to point at, a sheet to change, and the list of lessons."""

import re
from functools import cache
from html import escape
from pathlib import Path

from sphinx.errors import ExtensionError

from helpers.live.calculation.sheet import calculation
from helpers.live.explorer import explore
from helpers.models import real_map

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"

GROUPS = {  # what a group is called -> its first lesson
    "Attention by hand": 1,
    "The Transformer": 8,
    "Trained and measured": 12,
    "Models that others trained": 17,
}
ROW = re.compile(r"^\| (\d+) \| (\[.+?\]\(notebooks/(\S+?)\.ipynb\)) \| (.+?) \| (\d+) \|$", re.M)
SUBTITLE = "From three small vectors on paper to a Transformer that you train, and to the heads of a real model."
HERO_WORD = "it"  # whose row is shown first


def grouped() -> dict[str, list[tuple[str, str, str, str, str]]]:
    """Each group -> (number, link, file, what one can do then, minutes) of its lessons, from the README's table."""
    rows = ROW.findall(README.read_text(encoding="utf-8"))
    if not rows:
        raise ExtensionError("README.md has no table of lessons that can be read.")
    names, starts = list(GROUPS), [*GROUPS.values(), len(rows) + 1]
    return {name: [row for row in rows if starts[i] <= int(row[0]) < starts[i + 1]] for i, name in enumerate(names)}


def list_of_lessons() -> str:
    """All lessons in their groups, as Markdown."""
    parts = []
    for name, rows in grouped().items():
        items = "\n".join(
            f"{row[0]}. {row[1]} *{row[4]} minutes*\\\n   {row[3][0].upper()}{row[3][1:]}." for row in rows
        )
        parts.append(f"### {name}\n\n````{{container}} lessons\n{items}\n````\n")
    return "\n".join(parts)


def toctrees() -> str:
    """The sidebar's lists of lessons, as Markdown."""
    trees = []
    for name, rows in grouped().items():
        files = "\n".join(f"notebooks/{row[2]}" for row in rows)
        trees.append(f"```{{toctree}}\n:caption: {name}\n:hidden:\n\n{files}\n```\n")
    return "\n".join(trees)


@cache
def hero() -> str:
    """HTML of the map that the first page opens with: that of lesson 1, one head of a real model."""
    weights, words = real_map.load()
    return explore(weights, words, start=(0, 0, HERO_WORD)).html


def cover() -> str:
    """What stands on the book's cover below its title: what one word of a sentence looks at."""
    weights, words = real_map.load()
    row = words.index(HERO_WORD)
    places = [(14 + 14 * i, weight) for i, weight in enumerate(weights[row].tolist())]
    lines = "".join(
        f'<line x1="150" y1="{places[row][0] - 4}" x2="250" y2="{y - 4}" stroke="#7fc4ff" '
        f'stroke-width="{0.3 + 7 * weight:.2f}" stroke-opacity="{0.35 + 0.65 * weight:.2f}"/>'
        for y, weight in places
    )
    names = "".join(
        f'<text x="142" y="{y}" text-anchor="end" fill="{"#ffffff" if i == row else "#8fb3cc"}">{escape(word)}</text>'
        f'<text x="258" y="{y}" fill="{"#ffffff" if weight > 0.3 else "#8fb3cc"}">{escape(word)}</text>'
        for i, (word, (y, weight)) in enumerate(zip(words, places, strict=True))
    )
    return (
        f'<p class="subtitle">{SUBTITLE}</p>\n'
        f'<svg viewBox="60 0 280 {18 + 14 * len(words)}" role="img" '
        f'aria-label="What the word it looks at in its sentence: mostly animal.">{lines}{names}</svg>'
    )


def front() -> str:
    """What stands behind the cover: how to read the book, and whose it is."""
    return """<p>This book shows a course of Jupyter notebooks as they looked when they were run. What a reader changes
there, drags or points at, stands still here. Where it says <em>Predict first</em>, guess before you read on: the answer
comes next. The solutions of all exercises stand at the end.</p>
<p>On the cover: how much one head of a real model, which lesson 17 opens, lets the word <em>it</em> take from each word
of its sentence.</p>
<p>By the attention-step-by-step authors. Text, code and pictures may be used, changed and passed on under the MIT
licence.</p>"""


@cache
def sheet() -> str:
    """HTML of a calculation: a noun looks for an adjective, and the two others for the noun."""
    noun, _pronoun, adjective = identity = [[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]
    looks_for = [[4 * number for number in kind] for kind in (adjective, noun, noun)]
    made = calculation(identity, looks_for, identity, identity, stage="weights", row_labels=["animal", "it", "tired"])
    # Who has read no lesson yet sees three steps of eleven until the others are asked for.
    return made.html.replace('"stage": "weights"', '"stage": "weights", "since": "scaled"')
