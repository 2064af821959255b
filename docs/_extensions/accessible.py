"""What the theme leaves out for those who read by ear or by keyboard; ../_static/course.js does the rest."""

import re
from typing import Any

from sphinx.application import Sphinx

# The questions of one lesson: a list as long as a telephone's screen, or longer
GROUP = re.compile(r'(<section id="[^"]+">\s*(?:<span id="[^"]*"></span>\s*)*)(<h2>.*?</h2>)(.*?)(?=</section>)', re.S)
FOLDED = r'\1<details class="group" open><summary>\2</summary>\3</details>'


def mend(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    # Captions of the sidebar say that they are headings, but not of which level.
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')
    # The corner of a table with headings on two sides is no heading.
    body = context.get("body", "").replace('<th class="head"><p></p></th>', "<td></td>")
    # What opens a solution is called what it says.
    body = body.replace('<summary aria-label="Toggle hidden content">', "<summary>")
    context["body"] = GROUP.sub(FOLDED, body) if pagename == "questions" else body


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", mend, priority=900)  # after the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
