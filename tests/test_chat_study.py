"""What was asked of the chat model of lesson 18, and what is stored of it."""

from statistics import mean, stdev

import pytest

from helpers.models import smollm
from tools import study_chat


def test_each_question_is_stored_in_four_forms_with_what_a_right_answer_holds() -> None:
    stored = smollm.chat_study()["questions"]
    assert {asked["question"]: asked["right"] for asked in stored} == study_chat.QUESTIONS
    assert all(asked.keys() == {"question", "right", "form", "q_and_a", "line", "alone"} for asked in stored)


def test_each_name_has_a_chance_and_the_likeliest_token_for_all_that_was_said() -> None:
    stored = smollm.chat_study()["names"]
    assert list(stored) == study_chat.NAMES
    for found in stored.values():
        assert found.keys() == study_chat.SAID.keys()
        assert all(0 <= chance <= 1 and isinstance(best, str) for chance, best in found.values())


def test_a_told_name_is_compared_with_the_same_name_said_otherwise() -> None:
    stored = smollm.chat_study()["names"].values()
    less = {said: [found["told"][0] - found[said][0] for found in stored] for said in ("sibling", "mention")}
    assert min(less["sibling"]) > 0
    assert mean(less["mention"]) == pytest.approx(0.01, abs=0.005)
    assert 2.26 * stdev(less["mention"]) / 10**0.5 == pytest.approx(0.07, abs=0.005)


def test_a_sibling_is_a_sister_or_a_brother_as_the_name_says() -> None:
    assert study_chat.said("sibling", "Ada") == "My sister's name is Ada."
    assert study_chat.said("sibling", "Ben") == "My brother's name is Ben."
    assert study_chat.said("mention", "Ben") == "Ben is a name."


def test_each_number_from_2_to_30_has_an_answer() -> None:
    assert list(smollm.chat_study()["primes"]) == [str(number) for number in range(2, 31)]
