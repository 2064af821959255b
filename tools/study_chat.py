"""Ask the chat model of lesson 18 more than the lesson has time for, and store what it answers.

Ten questions in four forms, names that were told, denied or only mentioned, and which numbers are prime. Run from the
folder of the course, with the weights of lesson 18 (about four minutes on one core)::

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
SAID = {
    "told": "My name is {}.",
    "sibling": "My {}'s name is {}.",
    "mention": "{} is a name.",
    "denied": "My name is not {}.",
}
N_TOKENS = 32  # of an answer to a question
N_TOKENS_OF_PRIMES = 64


def said(key: str, name: str) -> str:
    """Fill a name in, with the word that fits it where it is a sibling's."""
    words = ("sister" if name in SISTERS else "brother", name) if key == "sibling" else (name,)
    return SAID[key].format(*words)


def written(lm: smollm.SmolLM, text: str, n: int) -> str:
    """Continue a text greedily: n tokens, or fewer where the turn ends."""
    return lm.decode(step.id for step in lm.stream(lm.encode(text), n, temperature=0))


@torch.no_grad()
def chance_of_name(lm: smollm.SmolLM, name: str, first: str) -> tuple[float, str]:
    """Look at the token after "Your name is": the chance of the name, and the likeliest token."""
    turns = [("user", first), ("assistant", "Nice to meet you!"), ("user", "What is my name?")]
    ids = lm.encode(smollm.chat_text(turns) + "Your name is")
    chances = lm.model(ids[None], last_only=True)[0, -1].softmax(dim=-1)  # (vocab_size,)
    (own,) = lm.encode(f" {name}").tolist()  # all are names of one token
    return round(chances[own].item(), 4), lm.decode([chances.argmax()])


def main() -> None:
    """Ask, and store the answers."""
    lm = smollm.load()
    stored: dict[str, Any] = {"names": {}, "questions": [], "primes": {}}
    for name in NAMES:
        stored["names"][name] = {key: chance_of_name(lm, name, said(key, name)) for key in SAID}
    for question, right in QUESTIONS.items():
        forms = {
            "form": smollm.chat_text([("user", question)]),
            "q_and_a": f"Q: {question}\nA:",
            "line": question + "\n",
            "alone": question,
        }
        answers = {key: written(lm, text, N_TOKENS) for key, text in forms.items()}
        stored["questions"].append({"question": question, "right": right, **answers})
    for number in range(2, 31):
        asked = smollm.chat_text([("user", f"Is {number} a prime number?")])
        stored["primes"][number] = written(lm, asked, N_TOKENS_OF_PRIMES)
    write_whole(smollm.CHAT_STUDY, (json.dumps(stored, ensure_ascii=False) + "\n").encode())


if __name__ == "__main__":
    main()
