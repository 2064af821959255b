"""Which page comes before another, and which after it: only the first page, "Run it" and the lessons have an order."""

from typing import Any

from sphinx.application import Sphinx

READ_IN_ORDER = ("index", "running", "notebooks/")


def keep_order(app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Leave out the links to the neighbours of pages that are looked up, and those that lead there."""
    for side in ("prev", "next"):
        neighbour = context.get(side)
        ends = (pagename, app.builder.relations[pagename][1 if side == "prev" else 2]) if neighbour else ()
        if not all(str(end).startswith(READ_IN_ORDER) for end in ends):
            context[side] = None


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", keep_order)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
