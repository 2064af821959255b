"""Formulas as MathML, which browsers draw by themselves: no script, no font, no request."""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# What docutils does not know, or reads otherwise than TeX, as what it knows
FUNCTIONS = r"\\(log|exp|sin|cos|tan|tanh|max|min)\b"
INSTEAD = [
    (r"\\dots\b", r"\\ldots"),
    (r"\{,\}", r"\\text{,}"),  # a comma within a number, with no space behind it
    (r"\\([dt]?frac)(\d)(\d)", r"\\\1{\2}{\3}"),
    (r"\\(big|Big|bigg|Bigg)(?=[(\[|])", r"\\\1l"),
    (r"\\(big|Big|bigg|Bigg)(?=[)\]])", r"\\\1r"),
    # A function wants a space before it and before what it is of.
    (rf"(?<=[\w}}])\s*{FUNCTIONS}", r"\\,\\\1"),
    (rf"{FUNCTIONS}(?=\s*\\?[A-Za-z])(?!\s*\\(?:left|[bB]ig))", r"\\\1\\,"),
]
BAR = re.compile('<mo( class="[a-z]+")?>([|\u2016\u2223])</mo>')


def rendered(latex: str, *, block: bool) -> str:
    """LaTeX as a `math` element.

    Raises
    ------
    sphinx.errors.ExtensionError
        A command that docutils does not know.
    """
    source = latex
    for pattern, known in INSTEAD:
        source = re.sub(pattern, known, source)
    try:
        written = tex2mathml(source, as_block=block)
    except MathError as error:
        raise ExtensionError(f"The formula {latex!r} cannot be written as MathML: {error}") from error
    # Bars around a vector do not grow with what stands beside them.
    return written if r"\left" in source else BAR.sub(r'<mo stretchy="false"\1>\2</mo>', written)


def visit_math(self: Any, node: nodes.math) -> None:
    self.body.append(rendered(node.astext(), block=False))
    raise nodes.SkipNode


def visit_displaymath(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula">{rendered(node.astext(), block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
