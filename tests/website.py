"""The site, built once for all tests, and what a page links to and loads."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
PAGES = sorted(
    [path.relative_to(DOCS).with_suffix("").as_posix() for path in [*DOCS.glob("*.md"), *DOCS.glob("reference/*.md")]]
    + [f"notebooks/{name}" for name in LESSONS]
    + ["search"]
)
# Sphinx with the network off: what it cannot reach on this machine it cannot put into a page.
OFFLINE = """
import socket, sys
def refuse(*_):
    raise OSError("the build asks for the network")
socket.socket.connect = socket.getaddrinfo = refuse
from sphinx.cmd.build import main
sys.exit(main(sys.argv[1:]))
"""


def built(factory: pytest.TempPathFactory) -> Path:
    """The site's folder. The first who asks builds it, with warnings as errors; who asks meanwhile waits."""
    shared = factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    site, said, status = (shared / f"site{ending}" for ending in ("", ".log", ".status"))
    # No time limit: the build waits for nothing, and the lock of one that dies is open.
    with FileLock(shared / "site.lock"):
        if not status.exists():
            status.write_text(str(_build(site, said, shared / "doctrees")))
    if status.read_text() != "0":
        pytest.fail(f"The site cannot be built:\n{said.read_text()[-3000:]}", pytrace=False)
    return site


def _build(site: Path, said: Path, doctrees: Path) -> int:
    command = [sys.executable, "-c", OFFLINE, "-W", "--keep-going", "-d", str(doctrees), "docs", str(site)]
    with said.open("w") as log:
        return subprocess.run(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT).returncode


LOADING = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}


class Page(HTMLParser):
    """A page's places to link to, its links, and what it loads as soon as it is opened."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.places: set[str] = {""}
        self.links: list[str] = []
        self.loads: list[str] = []
        self.pictures: list[dict[str, str | None]] = []
        self.says: dict[str, list[str]] = {}  # what `meta` and `link` elements say, by their name
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.places |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "img":
            self.pictures.append(given)
        if tag in ("meta", "link"):
            name = given.get("name") or given.get("property") or given.get("rel")
            self.says.setdefault(name or "", []).append(given.get("content") or given.get("href") or "")
        loaded = given.get(LOADING.get(tag, ""))
        # A link that names a neighbour or an index is followed by nobody until it is asked for.
        if loaded and (tag != "link" or {"stylesheet", "icon", "preload"} & set((given.get("rel") or "").split())):
            self.loads.append(loaded)


def pages(site: Path) -> dict[Path, Page]:
    found = sorted(site.rglob("*.html"))
    return {path: Page(path) for path in found if "_static" not in path.parts and path.name != "404.html"}


def is_elsewhere(link: str) -> bool:
    return bool(urlsplit(link).scheme or urlsplit(link).netloc)


def dead_links(known: dict[Path, Page]) -> Iterator[str]:
    """One sentence for each link or loaded file, within the site, that is not there."""
    for path, page in known.items():
        for link in [*page.links, *page.loads]:
            if is_elsewhere(link):
                continue
            target = urlsplit(link)
            file = (path.parent / unquote(target.path)).resolve() if target.path else path
            if not file.is_file():
                yield f"{path.name}: {link} leads nowhere"
            elif file in known and unquote(target.fragment) not in known[file].places:
                yield f"{path.name}: {link} names a place that is not on that page"


def weight(path: Path, page: Page) -> int:
    """Bytes of a page with all that it loads, each file once."""
    files = {(path.parent / unquote(urlsplit(load).path)).resolve() for load in page.loads if not is_elsewhere(load)}
    for style in [file for file in files if file.suffix == ".css"]:
        urls = re.findall(r"url\(\s*[\"']?(?!data:)([^\"')]+)", style.read_text(encoding="utf-8"))
        files |= {(style.parent / urlsplit(url).path).resolve() for url in urls}
    return sum(file.stat().st_size for file in {path, *files})


def loaded_by_styles(site: Path) -> Iterator[str]:
    """What style sheets load from other hosts."""
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        urls = re.findall(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')]+)", text)
        yield from (f"{path.name}: {url}" for url in urls)
