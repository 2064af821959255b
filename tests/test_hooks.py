"""What is checked before a commit is what .ci/run checks, and what CONTRIBUTING.md says."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
COMMANDS = {hook["entry"] for hook in HOOKS if hook["language"] == "system"}
PATTERNS = {hook["id"]: hook for hook in HOOKS if hook["language"] == "pygrep"}


def test_hooks_run_the_commands_of_ci() -> None:
    steps = re.findall(r'^step "[^"]+" "(\.venv/bin/[^"]+)" \|\| failed=1$', (ROOT / ".ci" / "run").read_text(), re.M)
    assert len(COMMANDS) == 5
    assert {step for step in steps if "tools.execute" not in step} == COMMANDS


def test_the_guide_names_each_command() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"`{command.removeprefix('.venv/bin/')}`" in guide


def test_versions_are_pinned_in_one_place() -> None:
    pinned = re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M)
    tools = {command.split()[0].removeprefix(".venv/bin/") for command in COMMANDS}
    packages = {"lint-imports": "import-linter"}
    assert {packages.get(tool, tool) for tool in tools} | {"pre-commit"} <= set(pinned)


@pytest.mark.parametrize(
    ("hook", "good", "bad"),
    [
        ("space-at-the-end-of-a-line", "a\nb\n", "a \nb\n"),
        ("line-break-at-the-end", "a\n", "a"),
        ("line-break-at-the-end", "a\n\nb\n", "a\n\n"),
        ("conflict", "a < b\n", "<<<<<<< HEAD\n"),
    ],
)
def test_patterns_find_what_they_are_for(hook: str, good: str, bad: str) -> None:
    whole = "--multiline" in PATTERNS[hook].get("args", [])
    pattern = re.compile(PATTERNS[hook]["entry"], re.M)
    for text, found in ((good, False), (bad, True)):
        parts = [text] if whole else text.splitlines(keepends=True)
        assert any(pattern.search(part) for part in parts) == found
