"""Count how many sums the language model of lesson 18 gets right, in several draws, and store the shares.

Each text shows two solved sums and then one that is open. Run from the folder of the course, with the weights of
lesson 18 (about two minutes on one core)::

    python -m tools.study_sums
"""

import json

import torch

from helpers.files import write_whole
from helpers.models import smollm

N_DRAWS, N_SUMS = 5, 40


def sums(digits: int, n: int, generator: torch.Generator) -> list[tuple[str, str]]:
    """Draw sums of two numbers with so many digits, each as a question and its result."""
    pairs = torch.randint(10 ** (digits - 1), 10**digits, (n, 2), generator=generator).tolist()
    return [(f"{a} + {b} =", f" {a + b}\n") for a, b in pairs]


@torch.no_grad()
def answers_to_sums(lm: smollm.SmolLM, digits: int, draw: int, n: int = N_SUMS) -> list[tuple[str, str]]:
    """Let the model continue n open sums, the best token each time: for each what was written, and what is right."""
    generator = torch.Generator().manual_seed(100 * digits + draw)
    shown = "".join(question + result for question, result in sums(digits, 2, generator))
    asked, caches = sums(digits, n, generator), lm.model.new_caches()
    ids = torch.stack([lm.encode(shown + question) for question, _ in asked])  # digits are tokens: equally long
    written = []
    for _ in range(digits + 3):
        ids = lm.model(ids, caches, last_only=True)[:, -1].argmax(dim=-1, keepdim=True)  # (n, 1)
        written.append(ids)
    return [(lm.decode(text), result) for text, (_, result) in zip(torch.cat(written, dim=-1), asked, strict=True)]


def share_of_sums(lm: smollm.SmolLM, digits: int, draw: int) -> float:
    """Share of the sums that are right."""
    return sum(written.startswith(right) for written, right in answers_to_sums(lm, digits, draw)) / N_SUMS


def main() -> None:
    """Count, and store the shares: for 1, 2 and 3 digits one of each draw."""
    lm = smollm.load()
    shares = [[share_of_sums(lm, digits, draw) for draw in range(N_DRAWS)] for digits in (1, 2, 3)]
    write_whole(smollm.SUMS_STUDY, (json.dumps(shares) + "\n").encode())


if __name__ == "__main__":
    main()
