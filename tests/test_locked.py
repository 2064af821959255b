"""requirements-locked.txt holds each file that a reader needs to its hash, in the pinned versions."""

import re

from test_binder import pins_of

from tools.execute import ROOT

TEXT = (ROOT / "requirements-locked.txt").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^([\w.-]+)==(\S+)([^\n]*\n(?:    [^\n]*\n?)*)", TEXT, re.M)


def test_it_has_the_versions_that_readers_get() -> None:
    wanted = pins_of("binder/requirements.txt")
    wanted["torch"] = wanted["torch"].removesuffix("+cpu")
    locked = {name: version for name, version, _ in BLOCKS}
    assert {name: locked.get(name) for name in wanted} == wanted, "CONTRIBUTING.md says how the file is made anew"


def test_each_package_has_a_hash() -> None:
    assert len(BLOCKS) == len(re.findall(r"^[\w.-]+==", TEXT, re.M)) > 100
    for name, _, rest in BLOCKS:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", rest), name


def test_no_other_index_is_named() -> None:
    assert not re.search(r"^(-i|--(extra-)?index-url|--find-links|--trusted-host)", TEXT, re.M)
