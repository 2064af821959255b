"""The picture of a place that survives a mean."""

import pytest
from matplotlib.text import Text
from readable import faults

from helpers.drawing.means import place_in_mean

DOG, MAN = ["the", "dog", "bites", "the", "man"], ["the", "man", "bites", "the", "dog"]


@pytest.mark.parametrize("texts", [(DOG, MAN), (["a"], ["a"]), (["the", "big", "cat", "sees", "a", "sailor"],) * 2])
def test_every_text_is_readable(texts):
    assert faults(place_in_mean(texts, texts[0][-1])) == []


def test_each_word_gets_the_attended_one_with_its_place():
    picture = place_in_mean([DOG, MAN], "man")
    written = [text.get_text() for text in picture.figure.findobj(Text)]
    assert written.count("man") == 2 + 5 + 5 and written.count("+ p4") == 2 + 5 and written.count("+ p1") == 2 + 5
    assert {"mean: man + p4", "mean: man + p1", "+ p0", "+ p3"} <= set(written)
    assert picture.alt == (
        'Every word attends to "man" alone, so attention gives each the same vector, which is also their mean: '
        'in "the dog bites the man" it is man + p4, in "the man bites the dog" it is man + p1.'
    )


@pytest.mark.parametrize(
    ("texts", "attended", "words"),
    [
        ([DOG], "man", "two texts"),
        ([DOG, MAN[:4]], "man", "as many words in both"),
        ([8 * DOG[:2] + ["man"], 8 * DOG[:2] + ["man"]], "man", "fit side by side"),
        ([DOG, MAN], "cat", "must hold 'cat' once"),
        ([DOG, MAN], "the", "must hold 'the' once"),
    ],
)
def test_what_cannot_be_drawn_is_refused(texts, attended, words):
    with pytest.raises(ValueError, match=words):
        place_in_mean(texts, attended)
