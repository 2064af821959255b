"""What each lesson rests on: named at its end, with links that lead to one paper each."""

import json
import re
from pathlib import Path

import pytest

LESSONS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
LINK = re.compile(r'"\[([^]]+)\]\((https://[^)\s]+)\)"')
ARXIV = re.compile(r"https://arxiv\.org/abs/(\d\d)(0[1-9]|1[0-2])\.(\d{4,5})")
DOI = re.compile(r"https://doi\.org/10\.\d{4,9}/\S+")


def sources(lesson: Path) -> str:
    """The cells on sources, from the first one on."""
    cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    first = next(i for i, text in enumerate(texts) if text.startswith("**Sources"))
    return "\n".join(texts[first:])


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.stem for lesson in LESSONS])
def test_sources_have_links(lesson: Path) -> None:
    links = LINK.findall(sources(lesson))
    assert len(links) >= 2
    for title, address in links:
        if "arxiv" in address:
            # Numbers had four digits until 2014, and five since.
            found = ARXIV.fullmatch(address)
            assert found and len(found[3]) == (5 if int(found[1]) >= 15 else 4), title
        elif "doi.org" in address:
            assert DOI.fullmatch(address), title


def test_a_title_leads_to_the_same_paper_everywhere() -> None:
    found: dict[str, set[str]] = {}
    for lesson in LESSONS:
        for title, address in LINK.findall(sources(lesson)):
            found.setdefault(title, set()).add(address)
    assert len(found) > 80
    assert {title for title, addresses in found.items() if len(addresses) > 1} == set()
    by_address: dict[str, list[str]] = {}
    for title, (address,) in found.items():
        by_address.setdefault(address, []).append(title)
    # Two titles with one number are a title and its beginning.
    for titles in by_address.values():
        assert all(title.startswith(min(titles, key=len)) for title in titles), titles
