"""What a page says about itself: to search engines, to those who share or cite it, and below its text."""

import html
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import running
import yaml
from docutils import nodes
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1" />'  # the theme writes one, too
PICTURE = "_static/shared.png"
PICTURE_SAYS = 'Lines from the word "it" to the words of its sentence; the thickest leads to "animal".'
DESCRIPTION_LENGTH = 200


def source_of(pagename: str) -> str:
    """The file in the repository that a page is written in."""
    if pagename.startswith("notebooks/"):
        return f"{pagename}.ipynb"
    return {"contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}.get(pagename, f"docs/{pagename}.md")


def dates_of_commits(root: Path = ROOT) -> dict[str, str]:
    """Each file of the repository -> the day of the last commit that changed it; empty without git or its history."""
    if not (root / ".git").exists():  # a folder of its own, perhaps within a repository of something else
        return {}
    try:
        if (
            _git(root, "rev-parse", "--is-shallow-repository").strip() == "true"
        ):  # all files would seem to be of one day
            return {}
        log = _git(root, "-c", "core.quotePath=off", "log", "--format=@%cs", "--name-only")
    except (OSError, subprocess.CalledProcessError):
        return {}
    found: dict[str, str] = {}
    for line in log.splitlines():
        if line.startswith("@"):
            day = line[1:]
        elif line:
            found.setdefault(line, day)
    return found


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, encoding="utf-8", check=True).stdout


def first_sentences(doctree: nodes.document) -> str:
    """The beginning of a page's first paragraph, cut where a word ends."""
    paragraph = next((node for node in doctree.findall(nodes.paragraph) if len(node.astext()) > 40), None)
    text = " ".join(paragraph.astext().split()) if paragraph else ""
    if len(text) <= DESCRIPTION_LENGTH:
        return text
    return text[: text.rindex(" ", 0, DESCRIPTION_LENGTH)].rstrip(",;:.") + " …"


def describe(app: Sphinx, pagename: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    tags = context.get("metatags", "").replace(VIEWPORT, "")
    base = app.config.html_baseurl
    title = re.sub("<.*?>", "", context.get("title", ""))
    said = {"og:title": title, "og:type": "website", "og:site_name": app.config.project}
    description = first_sentences(doctree) if doctree else ""
    if description:
        tags += f'<meta name="description" content="{html.escape(description)}">\n'
        said["og:description"] = description
    if base:
        said |= {"og:url": urljoin(base, f"{pagename}.html"), "og:image": urljoin(base, PICTURE)}
        said["og:image:alt"] = PICTURE_SAYS
        tags += '<meta name="twitter:card" content="summary_large_image">\n'
    tags += "".join(f'<meta property="{name}" content="{html.escape(text)}">\n' for name, text in said.items())
    context["metatags"] = tags
    context["book"] = running.BOOK.name if app.tags.has("with_pdf") else None
    context["changed_on"] = app.dates.get(source_of(pagename))
    repository = app.config.repository
    if repository and doctree and (ROOT / source_of(pagename)).exists():
        context["source_address"] = f"{repository}/blob/HEAD/{source_of(pagename)}"


def citation() -> str:
    """CITATION.cff as a sentence for a list of references."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    authors = ", ".join(author["name"] for author in cited["authors"])
    return f"> {authors}: *{cited['title']}*, version {cited['version']}."


def with_citation(app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == "about":
        where = f" {app.config.repository}" if app.config.repository else ""
        source[0] = source[0].replace("<!-- citation -->", citation() + where)


def start(app: Sphinx) -> None:
    app.dates = dates_of_commits()


def page_for_what_is_missing(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    yield "404", {"title": "No such page", "base": app.config.html_baseurl}, "404.html"


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Where the site has an address, the list of all pages."""
    if exception or app.builder.name != "html":
        return
    base, out = app.config.html_baseurl, Path(app.outdir)
    if base:
        lines = []
        for name in sorted(app.env.found_docs):
            day = app.dates.get(source_of(name))
            changed = f"<lastmod>{day}</lastmod>" if day else ""
            lines.append(f"<url><loc>{html.escape(urljoin(base, f'{name}.html'))}</loc>{changed}</url>\n")
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        listed = f'<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="{space}">\n{"".join(lines)}</urlset>\n'
        (out / "sitemap.xml").write_text(listed, encoding="utf-8")
        (out / "robots.txt").write_text(f"Sitemap: {urljoin(base, 'sitemap.xml')}\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", start)
    app.connect("source-read", with_citation)
    app.connect("html-page-context", describe, priority=800)
    app.connect("html-collect-pages", page_for_what_is_missing)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
