"""The box in which a language model writes: what it shows, and that it can be stopped."""

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from helpers.live.writer import Step, writer
from helpers.models.smollm import chances_of_next
from helpers.models.weight_files import Absent, WeightsMissing, or_absent


def steps(text: str, temperature: float, p: float) -> Iterator[Step]:
    for i in range(200):
        yield f" w{i}", 0.5, [(f" w{i}", 1.0 if p < 0.5 else 0.6), (" <other>", 0.0 if p < 0.5 else 0.4)]


def in_a_thread(work: Callable[[], Any]) -> Any:
    """Where no loop runs: Playwright, once started, keeps one running in the main thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def shown(box: object) -> str:
    return box._shown.value  # type: ignore[attr-defined]


def test_a_first_run_stands_there_with_what_could_have_stood_in_each_place() -> None:
    box = writer(steps, "So <it> begins", n_at_first=5)
    assert [piece for piece, _, _ in box.written] == [f" w{i}" for i in range(5)]
    page = shown(box)
    assert "So &lt;it&gt; begins" in page and page.count('class="token"') == 5 and "<other>" not in page
    assert page.count("␣&lt;other&gt;") == 6 and page.count("written") == 6  # in each place, and below the last
    still = box._still
    assert still.count("<img") == 2 and all(re.findall(r'alt="[^"]+"', still)) and "So &lt;it&gt; begins" in still


def test_without_a_kernel_it_writes_all_at_once() -> None:
    box = writer(steps, "a", n_at_first=3)
    box.box.value, box.p.value = "another", 0.3
    in_a_thread(box.write)
    assert len(box.written) == 200 and "another" in shown(box) and ">out<" in shown(box).replace("</span> out", ">out")
    assert not box._write.disabled and box._stop.disabled


def test_stop_ends_it_after_the_next_token_and_write_begins_anew() -> None:
    async def work() -> tuple[int, int, int]:
        box = writer(steps, "a", n_at_first=3)
        box.write()
        await asyncio.sleep(0.1)
        assert box._write.disabled and not box._stop.disabled
        box._stop.click()
        stopped_at = len(box.written)
        await asyncio.sleep(0.1)
        after = len(box.written)
        assert not box._write.disabled and box._stop.disabled
        box._write.click()
        await asyncio.sleep(0.05)
        again = len(box.written)
        box.stop()
        await asyncio.sleep(0.05)
        return stopped_at, after, again

    stopped_at, after, again = in_a_thread(lambda: asyncio.run(work()))
    assert 1 <= stopped_at < 200 and after - stopped_at <= 1 and 1 <= again < 200


def test_an_error_of_the_model_is_told_in_the_box() -> None:
    def stumbles(text: str, temperature: float, p: float) -> Iterator[Step]:
        yield " one", 0.5, [(" one", 1.0)]
        if text == "bad":
            raise ValueError("A text may not be <bad>.")

    box = writer(stumbles, "good")
    box.box.value = "bad"
    in_a_thread(box.write)
    assert "Writing stopped: ValueError: A text may not be &lt;bad&gt;." in box._trouble.value
    assert not box._write.disabled


def test_what_does_not_fit_is_refused_in_a_sentence() -> None:
    with pytest.raises(TypeError, match=r"steps must be a function of a text, a temperature and a p, but is 3\."):
        writer(3, "a")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one token"):
        writer(lambda text, temperature, p: iter([]), "a")


# --- what it draws by, and what says that there is no model ---


def test_chances_are_those_of_lesson_13() -> None:
    import torch

    scores = torch.tensor([0.5, 0.1, 0.3, 0.1]).log()
    assert torch.allclose(chances_of_next(scores, 1.0, 1.0), scores.exp())
    assert torch.allclose(chances_of_next(scores, 1.0, 0.75), torch.tensor([0.625, 0, 0.375, 0]))
    assert torch.allclose(chances_of_next(scores, 1.0, 0.5), torch.tensor([1.0, 0, 0, 0]))
    assert chances_of_next(scores, 0, 0.9).tolist() == [1, 0, 0, 0]
    halved = torch.tensor([0.25, 0.01, 0.09, 0.01])
    assert torch.allclose(chances_of_next(scores, 0.5, 1.0), halved / halved.sum())


def test_where_there_is_no_model_each_use_says_so_in_one_sentence() -> None:
    def missing() -> str:
        raise WeightsMissing("Get the weights.")

    absent = or_absent(missing)
    assert isinstance(absent, Absent) and repr(absent) == "Get the weights."
    for _ in range(2):
        with pytest.raises(WeightsMissing) as said:
            absent.encode("text")
        assert said.value._render_traceback_() == ["Get the weights."]
    assert not hasattr(absent, "_repr_html_") and or_absent(lambda: 3) == 3
