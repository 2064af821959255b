"""The language model of lesson 18: tokens a second, in float32 and bfloat16, against memory and against other programs.

For one new token all weights are read once, so the time to read as many bytes is a bound. It is measured in the same
run, by adding up numbers that lie side by side. Other programs are timed where they are::

    pip install transformers accelerate
    npm install --ignore-scripts node-llama-cpp@3.22.1     in a folder that LLAMA_CPP_FOLDER names
"""

import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.timing import Figure, figure, in_turn, threads, times_as_fast
from helpers.models import smollm
from helpers.models.llama import Llama
from helpers.models.weight_files import WeightsMissing

TINY = {"vocab_size": 64, "d_model": 24, "n_heads": 6, "n_groups": 2, "n_layers": 2, "d_hidden": 32}
LLAMA_CPP = "LLAMA_CPP_FOLDER"  # environment variable: a folder in which node-llama-cpp is installed
SO_FAR = 64  # tokens that are in the cache


def figures(quick: bool) -> Iterator[Figure]:
    """Time one more token after 64, and a prompt of 512 tokens; nothing where the weights are missing.

    Parameters
    ----------
    quick : bool
        A tiny model with random numbers, once.

    Yields
    ------
    Figure
        How fast it is.
    """
    try:
        single, half = (_model(quick, dtype) for dtype in (torch.float32, torch.bfloat16))
    except WeightsMissing:
        return
    with threads(2):
        ways = {
            "ours": one_more(single),
            "bfloat16": one_more(half),
            "reading": reading(sum(part.numel() * part.element_size() for part in single.parameters())),
        }
        if not quick and importlib.util.find_spec("transformers"):
            ways["transformers"] = one_more_of_transformers()
        times = in_turn(ways, quick)
        yield figure("language model, float32", [1 / seconds for seconds in times["ours"]], "tokens a second")
        yield figure("language model, bfloat16", [1 / seconds for seconds in times["bfloat16"]], "tokens a second")
        yield times_as_fast("language model, float32 against bfloat16", times, reference="bfloat16")
        shares = [read / ours for read, ours in zip(times["reading"], times["ours"], strict=True)]
        yield figure("language model, time to read its bytes", shares, "of the time of a token", at_least=0.9)
        if "transformers" in times:
            yield times_as_fast("language model, against transformers", times, reference="transformers")
        if not quick and os.environ.get(LLAMA_CPP):
            yield figure("language model, llama.cpp, 4 bits", [llama_cpp() for _ in range(3)], "tokens a second")
        prompt = torch.zeros(1, 16 if quick else 512, dtype=torch.long)
        prompts = in_turn(
            {"float32": lambda: prompted(single, prompt), "bfloat16": lambda: prompted(half, prompt)}, quick
        )
        if not quick:
            for name in ("bfloat16", "float32"):
                what = f"language model, {name}, memory of a process that writes"
                yield figure(what, [peak(name)], "MB", at_most=900)
        for name, seconds in prompts.items():
            what = f"language model, {name}, prompt of {prompt.shape[-1]} tokens"
            yield figure(what, seconds, "seconds", at_most=1.2)


def _model(quick: bool, dtype: torch.dtype) -> Llama:
    return Llama(**TINY).to(dtype).eval() if quick else smollm.load(dtype=dtype).model


@torch.inference_mode()
def prompted(model: Llama, ids: Tensor) -> Tensor:
    """Read a text and score what comes next, (1, 1, vocab_size)."""
    return model(ids, model.new_caches(), last_only=True)


def one_more(model: Llama) -> Callable[[], Tensor]:
    """Make a function that reads one more token after 64 that are kept."""
    caches, token = model.new_caches(), torch.zeros(1, 1, dtype=torch.long)
    with torch.inference_mode():
        model(torch.zeros(1, SO_FAR, dtype=torch.long), caches)
    kept = [(cache.key, cache.value) for cache in caches]

    @torch.inference_mode()
    def work() -> Tensor:
        for cache, (key, value) in zip(caches, kept, strict=True):
            cache.key, cache.value = key, value  # so that the text gets no longer
        return model(token, caches, last_only=True)

    return work


def reading(n_bytes: int) -> Callable[[], Tensor]:
    """Make a function that reads as many bytes as the weights have."""
    numbers = torch.ones(n_bytes // 4)
    return numbers.sum


def one_more_of_transformers() -> Callable[[], Any]:
    """Make a function that does the same as `one_more` with transformers, in float32."""
    transformers = importlib.import_module("transformers")  # which mypy need not know
    file = smollm.find()
    model: nn.Module = transformers.LlamaForCausalLM.from_pretrained(
        file.parent, gguf_file=file.name, dtype=torch.float32
    ).eval()
    token = torch.zeros(1, 1, dtype=torch.long)
    with torch.inference_mode():
        cache = model(torch.zeros(1, SO_FAR, dtype=torch.long), use_cache=True).past_key_values

    @torch.inference_mode()
    def work() -> Any:
        made = model(token, past_key_values=cache, use_cache=True)
        cache.crop(SO_FAR)
        return made

    return work


def peak(dtype: str) -> float:
    """Load the model in a process of its own, write a few tokens, and give the most MB that it held."""
    work = f"""
import torch
from benchmarks.timing import most_held
from helpers.models import smollm
lm = smollm.load(dtype=torch.{dtype})
list(lm.stream(lm.encode("Once upon a time"), 20, temperature=0))
print(most_held() / 1e6)
"""
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, check=True)
    return float(done.stdout)


def llama_cpp(n: int = 128) -> float:
    """Let llama.cpp write n tokens with two threads, and give how many it wrote in a second."""
    folder, script = Path(os.environ[LLAMA_CPP]), Path(__file__).with_name("llama_cpp.mjs")
    shutil.copy(script, folder)  # where it finds what it imports
    command = ["node", script.name, str(smollm.find()), str(n), "2"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["perSecond"])
