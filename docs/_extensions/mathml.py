"""Formulas as MathML, which browsers draw by themselves: no script, no font, no request."""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# What docutils knows under another name, and a comma within a number, after which no space is wanted
ALSO = {r"\dots": r"\ldots", "{,}": r"\text{,}"}

FUNCTION = r"\\(log|exp|sin|cos|tan|tanh|max|min)(?=\s*\\?[A-Za-z])(?!\s*\\left)"  # wants a space before what it is of


def rendered(latex: str, *, block: bool) -> str:
    """LaTeX as a `math` element, with the LaTeX itself for those whose browser or reader knows no MathML.

    Raises
    ------
    sphinx.errors.ExtensionError
        A command that docutils does not know.
    """
    source = re.sub(FUNCTION, r"\\\1\,", latex)
    for name, known in ALSO.items():
        source = source.replace(name, known)
    try:
        return tex2mathml(source, as_block=block)
    except MathError as error:
        raise ExtensionError(f"The formula {latex!r} cannot be written as MathML: {error}") from error


def visit_math(self: Any, node: nodes.math) -> None:
    self.body.append(rendered(node.astext(), block=False))
    raise nodes.SkipNode


def visit_displaymath(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula">{rendered(node.astext(), block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
