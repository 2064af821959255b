"""The course as a website: from the repository's root, python -m sphinx -W docs docs/_build/html"""

import sys
import tomllib
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))
sys.path.insert(0, str(DOCS / "_extensions"))

import landing  # noqa: E402
import running  # noqa: E402

from helpers.drawing.colours import OUTPUT, QUERY  # noqa: E402
from tools import address  # noqa: E402

project = "Attention, step by step"
author = "The attention-step-by-step authors"
html_title = project
release = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
language = "en"

extensions = [
    *("myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"),
    *("accessible", "lessons", "mathml", "metadata", "order", "pdf", "running", "search_text"),
]
exclude_patterns = ["_build"]
highlight_language = "none"
default_role = "code"  # docstrings write `name` for code

# Where the course lives: None hides all that needs to know. The pages are taken to be on GitHub's, where site.yml puts
# them.
repository = address.repository()
html_baseurl = running.website(repository) if repository else ""

# Lessons: nothing is run, the stored outputs are shown.
nb_execution_mode = "off"
nb_merge_streams = True
nb_mime_priority_overrides = [  # as for HTML
    (builder, kind, place) for builder in ("pdf", "linkcheck") for place, kind in enumerate(["text/html", "text/plain"])
]
nb_code_prompt_show = "Open the solution"
nb_code_prompt_hide = "Close the solution"
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3
myst_heading_slug_func = "lessons.anchor"

# The reference, from docstrings in numpydoc's form
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # types stand in the docstrings, in words, with shapes
autodoc_inherit_docstrings = False
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = True

html_theme = "furo"
html_math_renderer = "mathml"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["course.css"]
html_js_files = [("course.js", {"defer": "defer"})]
html_show_copyright = False
html_show_sourcelink = False
html_use_index = html_domain_indices = False  # the search finds names too
html_copy_source = False
if tags.has("with_pdf"):  # noqa: F821  `-t with_pdf`, once the PDF has been made; Sphinx gives `tags`
    html_extra_path = ["_build/pdf/attention-step-by-step.pdf"]
html_theme_options = {
    "top_of_page_buttons": [],  # metadata.py puts the link to a page's file below the page
    "light_css_variables": {
        "font-stack": '"Source Sans 3", system-ui, "Segoe UI", Helvetica, Arial, sans-serif',
        "font-stack--headings": '"Source Serif 4", Georgia, "Times New Roman", serif',
        "font-stack--monospace": '"Source Code Pro", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
        "color-brand-primary": QUERY.text,
        "color-brand-content": QUERY.text,
        "color-brand-visited": OUTPUT.text,
        "color-background-secondary": "#f5f3ef",  # paper, a little darker
        "color-sidebar-background-border": "transparent",
        "course-band": "linear-gradient(90deg, #005d9c 25%, #d55e00 25% 50%, #1aa87e 50% 75%, #6a1b5d 75%)",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc4ff",  # as helpers/live/style.css has them in the dark
        "color-brand-content": "#7cc4ff",
        "color-brand-visited": "#e3a8dc",
        "color-background-secondary": "#1b1a18",
        "course-band": "linear-gradient(90deg, #7cc4ff 25%, #ffab70 25% 50%, #6fd6b4 50% 75%, #e3a8dc 75%)",
    },
}
copybutton_selector = 'div.cell_input div.highlight pre, :is(section, li) > div[class^="highlight-"] pre'
copybutton_exclude = ".linenos, .gp, .go"  # prompts and what a shell answers

# The book: lessons, what to look up, and the solutions behind them
pdf_documents = ["notebooks/*", "symbols", "questions"]
pdf_cover, pdf_front = landing.cover(), True

# The weekly check of links that leave the site
linkcheck_anchors = False
