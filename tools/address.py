"""Where the course lives on the web: set in one place, pyproject.toml, and left out of everything until it is set.

::

    [project.urls]
    Repository = "https://github.com/OWNER/NAME"

On GitHub's own machines the environment names the repository, so that a copy's website links to that copy.
"""

import os
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GITHUB = "https://github.com/"


def in_project(root: Path = ROOT) -> str | None:
    """Give the address that pyproject.toml sets.

    Parameters
    ----------
    root : Path, optional
        The folder with pyproject.toml; that of the course when left out.

    Returns
    -------
    str or None
        As "https://github.com/OWNER/NAME", without anything behind it. None while nobody has set one.

    Raises
    ------
    ValueError
        What is set is no address of a repository on GitHub.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address: str | None = project.get("urls", {}).get("Repository")
    if address is None:
        return None
    short = address.removesuffix("/").removesuffix(".git")
    if not re.fullmatch(rf"{GITHUB}[\w.-]+/[\w.-]+", short):
        raise ValueError(f'the address of the course must be as "{GITHUB}OWNER/NAME", but is "{address}"')
    return short


def repository(root: Path = ROOT) -> str | None:
    """Give the address in pyproject.toml, else that of the repository in which a workflow of GitHub runs, else None."""
    name = os.environ.get("GITHUB_REPOSITORY")
    return in_project(root) or (GITHUB + name if name else None)


def archive(address: str) -> str:
    """Give the address of a ZIP file of the whole course, which pip can install too."""
    return f"{address}/archive/HEAD.zip"


def colab(address: str, lesson: str = "01-inputs") -> str:
    """Give the address that opens one lesson in Google Colab."""
    return f"https://colab.research.google.com/github/{address.removeprefix(GITHUB)}/blob/HEAD/notebooks/{lesson}.ipynb"


def binder(address: str, lesson: str = "01-inputs") -> str:
    """Give the address that opens one lesson, with the whole course around it, on Binder."""
    name = address.removeprefix(GITHUB)
    return f"https://mybinder.org/v2/gh/{name}/HEAD?urlpath=lab/tree/notebooks/{lesson}.ipynb"


def codespace(address: str) -> str:
    """Give the address that opens the course in a GitHub codespace."""
    return f"https://codespaces.new/{address.removeprefix(GITHUB)}"
