"""What the small model of lesson 13 learns when it reads its text several times, which takes too long for a lesson."""

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "weights" / "passes-study.json"


def passes_study() -> dict[str, Any]:
    """Load what `python -m tools.study_passes` has stored.

    Returns
    -------
    dict
        "text" says which docstrings were read. "pasts": how many tokens the model saw before each goal. "tables": of
        "pairs", "triples", "fours" the perplexity "per_letter" on the held-out text, and the "loss" per token on every
        eighth of its tokens. "runs": for each number of "passes" the same of the model, for each start:
        "per_letter" (n_starts,) and "loss" (n_starts, n_pasts).
    """
    return json.loads(RESULTS.read_text(encoding="utf-8"))
