"""Answers as learners type them: each gets the verdict that it deserves, and the wrong ones the message that fits."""

from collections import Counter

import pytest
from answers import answers

from helpers.checks.judge import judge
from helpers.checks.verdict import RIGHT, WRONG
from helpers.exercises import exercises

GENERIC = {"unforeseen", "shape", "error"}  # messages that say that something is wrong, and not what
ANSWERS = answers()


@pytest.mark.parametrize("exercise", list(dict.fromkeys(answer.exercise for answer in ANSWERS)))
def test_each_answer_gets_its_verdict(exercise):
    failures = []
    for answer in [answer for answer in ANSWERS if answer.exercise == exercise]:
        verdict = judge(exercises()[exercise], answer.function())  # as `check` does, and without a process for each
        if verdict.status != (RIGHT if answer.right else WRONG) or verdict.mistake != (answer.mistake or None):
            failures.append(f"{answer.what}: {answer.mistake or 'right'} was expected\n{answer.source}{verdict}\n")
    assert not failures, "\n".join(failures)


def test_few_wrong_answers_get_a_message_that_names_no_mistake():
    wrong = [answer for answer in ANSWERS if not answer.right]
    generic = Counter(answer.lesson for answer in wrong if answer.mistake in GENERIC)
    assert generic.total() <= 0.15 * len(wrong), generic


def test_no_answer_stands_twice():
    twice = [answer.label for answer, count in Counter(ANSWERS).items() if count > 1]
    labels = Counter(answer.label for answer in ANSWERS)
    assert not twice and max(labels.values()) == 1, twice or labels.most_common(3)
