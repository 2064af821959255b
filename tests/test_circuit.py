"""The picture of two heads that copy: its story, and what cannot be drawn."""

import pytest
from readable import faults

from helpers.drawing.circuit import copy_circuit


def test_the_upper_head_finds_what_the_lower_one_wrote() -> None:
    picture = copy_circuit(["cat", "tree", "seven", "...", "cat", "tree"], lower="16.0", upper="18.6")
    assert 'writes at the first "seven" that "tree" stood before it' in picture.alt
    assert 'the query of the second "tree" finds it, and so looks at "seven"' in picture.alt
    assert faults(picture) == []


def test_a_last_token_that_is_new_is_refused() -> None:
    for tokens in (["a", "b", "c", "d"], ["a", "b", "b"]):
        with pytest.raises(ValueError, match="of which the last has stood there before"):
            copy_circuit(tokens, lower="16.0", upper="18.6")
