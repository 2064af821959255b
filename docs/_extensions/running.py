"""Ways to run the lessons, as commands and buttons; those that need the repository's address wait until it is set."""

import math
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from tools import address

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
FILE = "attention-step-by-step.zip"
COMMAND = re.compile(r"^Clone or download this repository, and run in its folder:\n+```\w*\n(.+?)\n```", re.M | re.S)


def command() -> str:
    """The command that sets all up and opens lesson 1, as the README gives it."""
    return COMMAND.search(README.read_text(encoding="utf-8"))[1]


def buttons(lesson: str, repository: str | None) -> str:
    """What stands on top of a lesson, as Markdown: how to run it, links that open it elsewhere, and its file."""
    run, download = "[Run it](../running.md)", f"{{download}}`Download the notebook <{lesson}.ipynb>`"
    if not repository:
        return f"{run}\n{download}"
    binder, colab = address.binder(repository, lesson), address.colab(repository, lesson)
    return f"{run}\n[Open on Binder]({binder})\n[Open in Colab]({colab})\n{download}"


def more() -> str:
    """Where one reads on about systems and front ends, as Markdown."""
    if (ROOT / "docs" / "where-it-runs.md").exists():
        return "[Where it runs](where-it-runs.md) says how much is downloaded, and what was tried on which system."
    return "The file `README.md` in the course's folder says what differs on Windows, and on Linux without a GPU."


def link_to_book() -> str:
    """The link to the PDF, with how large it is, where it lies beside the pages."""
    return f'<a href="{BOOK.name}">Read it as a book (PDF, {math.ceil(BOOK.stat().st_size / 1e6)} MB)</a>'


def website(repository: str) -> str:
    """The website's address, as GitHub's Pages makes it of that of the repository."""
    owner, _, name = repository.removeprefix(address.GITHUB).partition("/")
    home = f"https://{owner.lower()}.github.io/"
    return home if home == f"https://{name.lower()}/" else f"{home}{name}/"


IN_THE_FOLDER = """Open a terminal in that folder, the one with `start.py` in it, and run

```
{command}
```

(On Windows it is `py start.py`.) The first time this takes a few minutes, because it downloads PyTorch and JupyterLab.
Then lesson 1 opens in your browser, and from then on no network is needed. You need Python 3.11 to 3.14."""
BOOK = ROOT / "docs" / "_build" / "pdf" / "attention-step-by-step.pdf"
HOW_TO_GET_BOOK = f'The lessons are also <a href="{BOOK.name}">a book</a>, one PDF with the solutions at its end.'
HOW_TO_MAKE_BOOK = """The lessons are also a book, with the solutions at its end. It does not lie beside these pages. In
the folder of the course, once it runs, this command makes it, as `docs/_build/pdf/attention-step-by-step.pdf`. It needs
Chromium.

```
.venv/bin/python -m sphinx -b pdf docs docs/_build/pdf
```"""
ONLINE = """## Without installing anything

```{{container}} buttons start
[Lesson 1 on Binder]({binder})
[Lesson 1 in Colab]({colab})
```

Binder has the whole course and takes a minute or two to start. Colab opens one lesson and needs a Google account.

"""
FROM_GITHUB = """First get the course, which lives at [{shown}]({repository}):

```
git clone {repository}.git
cd {name}
```

Without git, [take it as a ZIP file]({archive}) and unpack it. You then have a folder with `start.py` in it."""
FROM_THIS_SITE = """First get the course. It is one ZIP file, which you unpack into a folder of your own:

```{{container}} buttons start
<a href="{file}">Download the course ({megabytes} MB)</a>
```
"""
FROM_A_PERSON = """First get the course, a folder that holds `start.py` and the lessons. These pages know no address
where it can be fetched, so ask whoever gave them to you for that folder."""
HERE = f"""## On your own computer

{{get}}

{IN_THE_FOLDER}"""


def ways(repository: str | None, packed: bytes | None) -> str:
    """How one gets to a running lesson 1, as Markdown.

    Where nobody has said at which address the course lives, the pages bring it along: `packed` is its ZIP file, and
    None where it cannot be made.
    """
    if not repository:
        get = FROM_THIS_SITE.format(file=FILE, megabytes=math.ceil(len(packed) / 1e6)) if packed else FROM_A_PERSON
        return HERE.format(get=get.strip(), command=command())
    get = FROM_GITHUB.format(
        repository=repository,
        name=repository.rpartition("/")[2],
        shown=repository.removeprefix("https://"),
        archive=address.archive(repository),
    )
    online = ONLINE.format(binder=address.binder(repository), colab=address.colab(repository))
    return online + HERE.format(get=get, command=command())


@cache
def packed_course(root: Path = ROOT) -> bytes | None:
    """The course as a ZIP file, as it was last committed; None where git or its history is missing."""
    if not (root / ".git").exists():  # a folder of its own, perhaps within a repository of something else
        return None
    pack = ["git", "archive", "--format=zip", f"--prefix={FILE.removesuffix('.zip')}/", "HEAD"]
    try:
        return subprocess.run(pack, cwd=root, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def carry_course(app: Sphinx, exception: Exception | None) -> None:
    """Put the ZIP file beside the pages, where one of them links to it."""
    if exception or app.builder.name != "html" or app.config.repository:
        return
    if packed := packed_course():
        (Path(app.outdir) / FILE).write_bytes(packed)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", carry_course)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
