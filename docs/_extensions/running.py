"""Ways to run the lessons, as commands and buttons; those that need the repository's address wait until it is set."""

import re
from pathlib import Path

from tools import address

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
COMMAND = re.compile(r"^Read and play:\n+```\w*\n(.+?)\n```", re.M | re.S)


def command() -> str:
    """The command that sets all up and opens lesson 1, as the README gives it."""
    return COMMAND.search(README.read_text(encoding="utf-8"))[1]


def buttons(lesson: str, repository: str | None) -> str:
    """What stands on top of a lesson, as Markdown: links that open it elsewhere, and its file."""
    download = f"{{download}}`Download the notebook <{lesson}.ipynb>`"
    if not repository:
        return download
    binder, colab = address.binder(repository, lesson), address.colab(repository, lesson)
    return f"[Open on Binder]({binder})\n[Open in Colab]({colab})\n{download}"


def more() -> str:
    """Where one reads on about systems and front ends, as Markdown."""
    if (ROOT / "docs" / "where-it-runs.md").exists():
        return "[Where it runs](where-it-runs.md) says what was tried on which system, and how much is downloaded."
    return "The file `README.md` in the course's folder says what differs on Windows, and on Linux without a GPU."


def website(repository: str) -> str:
    """The website's address, as GitHub's Pages makes it of that of the repository."""
    owner, _, name = repository.removeprefix(address.GITHUB).partition("/")
    home = f"https://{owner.lower()}.github.io/"
    return home if home == f"https://{name.lower()}/" else f"{home}{name}/"


SETS_UP = """```
{command}
```

This sets all up, which takes a few minutes the first time, and opens lesson 1 in JupyterLab. It needs Python 3.11 or
newer and, this once, a network."""
AT_HAND = """## On your machine

Open a terminal in the folder of the course, the one with `README.md` in it, and run

{sets_up}"""
FROM_AFAR = """## Without installing anything

```{{container}} buttons start
[Lesson 1 on Binder]({binder})
[Lesson 1 in Colab]({colab})
```

Binder has the whole course and takes a minute or two to start. Colab opens one lesson and needs a Google account.

## On your machine

```
git clone {repository}.git
cd {name}
```

Without git, [take the course as a ZIP file]({archive}), unpack it, and open a terminal in its folder. Then

{sets_up} The course lives at [{shown}]({repository})."""


def ways(repository: str | None) -> str:
    """How one gets to a running lesson 1, as Markdown."""
    sets_up = SETS_UP.format(command=command())
    if not repository:
        return AT_HAND.format(sets_up=sets_up)
    return FROM_AFAR.format(
        sets_up=sets_up,
        repository=repository,
        name=repository.rpartition("/")[2],
        shown=repository.removeprefix("https://"),
        binder=address.binder(repository),
        colab=address.colab(repository),
        archive=address.archive(repository),
    )
