"""The parts of sentences that several rooms share."""

import pytest

from helpers.wording import counted, first_line, listed


def test_counts_agree_with_their_noun() -> None:
    assert [counted(n, "head") for n in (0, 1, 2, 1024)] == ["0 heads", "1 head", "2 heads", "1,024 heads"]
    assert counted(2, "process", "processes") == "2 processes"


@pytest.mark.parametrize(("names", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_names_are_joined_as_in_a_sentence(names: list[str], text: str) -> None:
    assert listed(names) == text


class Unreadable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def test_first_line_of_an_error_whatever_it_is() -> None:
    assert first_line(ValueError("\n too large \nsecond")) == "too large"
    assert first_line(ValueError()) == ""
    assert first_line(ValueError("x" * 400)) == "x" * 300
    assert first_line(Unreadable()) == "(its text cannot be shown)"
