"""Ask the chat model of lesson 18 more than the lesson has time for, and store what it answers.

Ten questions in three forms, names that were told or only mentioned, and which numbers are prime. Run from the folder
of the course, with the weights of lesson 18 (about two minutes on one core)::

    python -m tools.study_chat
"""

import json
from typing import Any

import torch

from helpers.files import write_whole
from helpers.models import smollm

# What is asked, and what a right answer holds.
QUESTIONS = {
    "What is the capital of France?": ["Paris"],
    "What is the capital of Spain?": ["Madrid"],
    "In which country is Rome?": ["Italy"],
    "Who wrote Hamlet?": ["Shakespeare"],
    "Which planet is the largest?": ["Jupiter"],
    "What colour is the sky?": ["blue"],
    "How many legs does a spider have?": ["8", "eight"],
    "What is 2 plus 3?": ["5", "five"],
    "What do bees make?": ["honey"],
    "What is the opposite of hot?": ["cold"],
}
SISTERS = ["Ada", "Clara", "Emma", "Grace", "Mary"]
BROTHERS = ["Ben", "David", "Frank", "Henry", "Peter"]
NAMES = SISTERS + BROTHERS
SAID = {"told": "My name is {}.", "sibling": "My {}'s name is {}.", "mention": "{} is a name."}
BOTH = {"own first": "My name is {0}. My {2}'s name is {1}.", "own last": "My {2}'s name is {1}. My name is {0}."}
N_TOKENS = 32  # of an answer to a question
N_TOKENS_OF_PRIMES = 16


def said(key: str, name: str) -> str:
    """Fill a name in, with the word that fits it where it is a sibling's."""
    words = ("sister" if name in SISTERS else "brother", name) if key == "sibling" else (name,)
    return SAID[key].format(*words)


def sibling_of(name: str) -> str:
    """Choose the next name of the same list."""
    names = SISTERS if name in SISTERS else BROTHERS
    return names[(names.index(name) + 1) % len(names)]


def written(lm: smollm.SmolLM, text: str, n: int) -> str:
    """Continue a text greedily: n tokens, or fewer where the turn ends."""
    return lm.decode(step.id for step in lm.stream(lm.encode(text), n, temperature=0))


@torch.no_grad()
def chances_of_names(lm: smollm.SmolLM, names: list[str], first: str) -> tuple[list[float], str]:
    """Look at the token after "Your name is": the chance of each name, and the likeliest token."""
    turns = [("user", first), ("assistant", "Nice to meet you!"), ("user", "What is my name?")]
    ids = lm.encode(smollm.chat_text(turns) + "Your name is")
    chances = lm.model(ids[None], last_only=True)[0, -1].softmax(dim=-1)  # (vocab_size,)
    own = [token for name in names for token in lm.encode(f" {name}").tolist()]  # names of one token
    return [round(chances[token].item(), 4) for token in own], lm.decode([chances.argmax()])


def chances_of_both(lm: smollm.SmolLM, name: str) -> dict[str, list[float]]:
    """Name oneself and a sister or brother in one text: the chance of one's own name, and of the other."""
    word, other = "sister" if name in SISTERS else "brother", sibling_of(name)
    return {key: chances_of_names(lm, [name, other], form.format(name, other, word))[0] for key, form in BOTH.items()}


def main() -> None:
    """Ask, and store the answers."""
    lm = smollm.load()
    stored: dict[str, Any] = {"names": {}, "both": {}, "questions": [], "primes": {}}
    for name in NAMES:
        found = {key: chances_of_names(lm, [name], said(key, name)) for key in SAID}
        stored["names"][name] = {key: (own, best) for key, ((own,), best) in found.items()}
        stored["both"][name] = chances_of_both(lm, name)
    for question, right in QUESTIONS.items():
        forms = {"form": smollm.chat_text([("user", question)]), "line": question + "\n", "alone": question}
        answers = {key: written(lm, text, N_TOKENS) for key, text in forms.items()}
        stored["questions"].append({"question": question, "right": right, **answers})
    for number in range(2, 31):
        asked = smollm.chat_text([("user", f"Is {number} a prime number?")])
        stored["primes"][number] = written(lm, asked, N_TOKENS_OF_PRIMES)
    write_whole(smollm.CHAT_STUDY, (json.dumps(stored, ensure_ascii=False) + "\n").encode())


if __name__ == "__main__":
    main()
