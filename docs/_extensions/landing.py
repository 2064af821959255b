"""What the first page is made of: one head of a real model to point at, a sheet to change, and the list of lessons."""

import re
from functools import cache
from html import escape
from itertools import islice
from pathlib import Path

import torch
from sphinx.errors import ExtensionError
from torch import Tensor

from helpers.drawing.diagrams import GROUPS
from helpers.live.calculation.sheet import calculation
from helpers.live.explorer import explore
from helpers.models import date_reader, real_map

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"

ROW = re.compile(r"^\| (\d+) \| (\[.+?\]\(notebooks/(\S+?)\.ipynb\)) \| (.+?) \| (\d+) \|$", re.M)
SUBTITLE = "From three small vectors on paper to a Transformer that you train, and to the heads of a real model."
SHORT_ROAD = (1, 3, 4, 5, 7)  # to attention as one function
HERO_WORD = "it"  # whose row is shown first


def grouped() -> dict[str, list[tuple[str, str, str, str, str]]]:
    """Each group -> (number, link, file, what one can do then, minutes) of its lessons, from the README's table."""
    rows = ROW.findall(README.read_text(encoding="utf-8"))
    if not rows:
        raise ExtensionError("README.md has no table of lessons that can be read.")
    left = iter(rows)
    return {group: list(islice(left, len(lessons))) for group, lessons in GROUPS.items()}


def list_of_lessons() -> str:
    """All lessons in their groups, as Markdown."""
    parts = [f"{hours()}\n"]
    for name, rows in grouped().items():
        items = "\n".join(
            f"{row[0]}. {row[1]} *{row[4]} minutes*\\\n   {row[3][0].upper()}{row[3][1:]}." for row in rows
        )
        parts.append(f"### {name}\n\n{small_map(name)}\n\n````{{container}} lessons\n{items}\n````\n")
    return "\n".join(parts)


def small_map(group: str) -> str:
    """SVG of a map of weights that a group of lessons makes: the darker, the more."""
    said, weights = maps_of_groups()[group]
    rows = weights.tolist()
    cells = "".join(
        f'<rect x="{j}" y="{i}" width="0.94" height="0.94" fill-opacity="{0.04 + 0.96 * weight:.2f}"/>'
        for i, row in enumerate(rows)
        for j, weight in enumerate(row)
    )
    box = f'viewBox="0 0 {len(rows[0])} {len(rows)}" preserveAspectRatio="none"'
    return f'<svg class="part" {box} role="img" aria-label="{said}">{cells}</svg>'


def maps_of_groups() -> dict[str, tuple[str, Tensor]]:
    """For each group what its picture shows, in words, and the weights: those of the lessons, none made up."""
    by_hand = torch.tensor([[0.0, 0.0, 2.0], [2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).softmax(-1)  # who looks as on the sheet
    causal = torch.ones(7, 7).tril()
    said = (
        "A map of three words, by hand.",
        "A mask: each word sees itself and what stands before it, here in equal shares.",
        "Where the model that reads dates looks while it writes, the mean of its four heads.",
        "The map above, of one head of a real model.",
    )
    maps = (
        by_hand,
        causal / causal.sum(-1, keepdim=True),
        date_reader.load_history()["maps"][-1].mean(0),
        real_map.load()[0],
    )
    return dict(zip(GROUPS, zip(said, maps, strict=True), strict=True))


def hours() -> str:
    """How long all lessons take, and the short road, as Markdown."""
    minutes = {int(row[0]): int(row[4]) for rows in grouped().values() for row in rows}
    road = ", ".join(str(number) for number in SHORT_ROAD[:-1])
    short = round(sum(minutes[number] for number in SHORT_ROAD) / 30) / 2
    said = f"{short:g}".replace(".5", "½")
    return (
        f"All {len(minutes)} take about {round(sum(minutes.values()) / 60)} hours, and the exercises come on top. "
        f"The short road to attention as one function takes {said} hours: lessons {road} and {SHORT_ROAD[-1]}. "
        "Each lesson begins with what it needs from those before."
    )


def toctrees() -> str:
    """The sidebar's lists of lessons, as Markdown: in short, so that each is a line."""
    trees = []
    for name, rows in grouped().items():
        files = "\n".join(f"{row[0]}. {row[1][1:].partition(']')[0]} <notebooks/{row[2]}>" for row in rows)
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


@cache
def sheet() -> str:
    """HTML of a calculation: a noun looks for an adjective, and the two others for the noun.

    Keys have four numbers, the last for verbs, of which there is none here, so that scaling divides by 2: all scores
    are whole numbers.
    """
    noun, _pronoun, adjective, _verb = identity = [[float(i == j) for j in range(4)] for i in range(4)]
    looks_for = [[8 * number for number in kind] for kind in (adjective, noun, noun, noun)]
    words = ["animal", "it", "tired"]
    made = calculation(identity[:3], looks_for, identity, identity, stage="weights", row_labels=words)
    # Who has read no lesson yet sees the steps from the scores to the outputs and the row of "it", until the others are
    # asked for. The outputs, for which all of it is done, stand there from the start.
    first = f'"stage": "weights", "since": "scores", "until": "outputs", "query": {words.index(HERO_WORD)}'
    return made.html.replace('"stage": "weights"', first)
