"""The picture of two heads that copy: its story, and what cannot be drawn."""

import pytest
from readable import faults

from helpers.drawing.circuit import copy_circuit, patched_run


def test_the_upper_head_finds_what_the_lower_one_wrote() -> None:
    picture = copy_circuit(["cat", "tree", "seven", "...", "cat", "tree"], lower="16.0", upper="18.6")
    assert 'writes at the first "seven" that "tree" stood before it' in picture.alt
    assert 'the query of the second "tree" finds it, and so looks at "seven"' in picture.alt
    assert faults(picture) == []


def test_in_the_rival_story_the_query_says_what_stood_before() -> None:
    tokens = ["cat", "tree", "seven", "...", "cat", "tree"]
    picture = copy_circuit(tokens, lower="16.0", upper="18.6", through="query")
    assert 'writes at the second "tree" that "cat" stood before it' in picture.alt
    assert 'only if the key there says that "cat" stood two places before it' in picture.alt
    assert faults(picture) == []


@pytest.mark.parametrize(
    ("tokens", "through", "message"),
    [
        (["cat", "tree", "seven", "dog", "tree"], "query", "the last two tokens must have stood there before"),
        (["cat", "tree", "seven", "cat", "tree"], "value", "key or query, but it is 'value'"),
    ],
)
def test_a_story_that_cannot_be_told_is_refused(tokens: list[str], through: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        copy_circuit(tokens, lower="16.0", upper="18.6", through=through)


def test_a_last_token_that_is_new_is_refused() -> None:
    for tokens in (["a", "b", "c", "d"], ["a", "b", "b"]):
        with pytest.raises(ValueError, match="of which the last has stood there before"):
            copy_circuit(tokens, lower="16.0", upper="18.6")


def test_what_is_taken_over_comes_from_the_noted_run() -> None:
    both = {"head": "16.0", "layers": "layers 17 and 18"}
    damaged = patched_run("keys", **both, without_head="noted", losses=("8.2", "?"))
    mended = patched_run("values", **both, without_head="measured", losses=("2.2", "?"))
    assert "noted, without 16.0: loss 8.2. The other is measured, intact, with the noted keys" in damaged.alt
    assert "noted, intact: loss 2.2. The other is measured, without 16.0, with the noted values" in mended.alt
    assert faults(damaged) == faults(mended) == []


@pytest.mark.parametrize(("part", "without_head"), [("weights", "noted"), ("keys", "both")])
def test_another_part_or_run_is_refused(part: str, without_head: str) -> None:
    with pytest.raises(ValueError, match=f"they are {part!r} and {without_head!r}"):
        patched_run(part, head="16.0", layers="layers 17 and 18", without_head=without_head, losses=("8.2", "?"))
