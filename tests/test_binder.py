"""Binder has what the README's commands install, in the same versions."""

import os
import re
import tomllib

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from tools.execute import ROOT


def pins_of(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / name).read_text(encoding="utf-8"), re.M))


def test_each_line_pins_one_version() -> None:
    """repo2docker does not notice a malformed line, and an open version drifts."""
    for name in ("requirements.txt", "binder/requirements.txt"):
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            assert re.fullmatch(r"|#.*|-e \.|--extra-index-url \S+|[\w-]+==\d[\w.+]*", line), line


def test_the_same_versions() -> None:
    binder, readme = pins_of("binder/requirements.txt"), pins_of("requirements.txt")
    assert binder.pop("torch") == f"{readme['torch']}+cpu"
    assert binder.pop("notebook")  # what Binder starts its server with
    assert binder == {name: readme[name] for name in binder}
    assert {"jupyterlab", "ipykernel", "ipywidgets", "matplotlib", "numpy"} <= set(binder)


def test_python_is_one_that_the_helpers_take() -> None:
    name, version = (ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8").strip().split("-")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert name == "python"
    assert Version(version) in SpecifierSet(project["requires-python"])


def test_nothing_overrules_these_files() -> None:
    """repo2docker lets a Dockerfile or environment.yml win over requirements.txt without a word."""
    assert {path.name for path in (ROOT / "binder").iterdir()} == {"postBuild", "requirements.txt", "runtime.txt"}
    script = ROOT / "binder" / "postBuild"
    assert script.read_bytes().startswith(b"#!/bin/bash\n") and b"\r" not in script.read_bytes()
    assert os.name == "nt" or os.access(script, os.X_OK)
    assert "jupyter trust notebooks/*.ipynb" in script.read_text(encoding="utf-8")
