"""The explorer's HTML: the same bytes, within its size, with words as text, and refusals in one sentence."""

import base64
import io
import json
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from helpers.drawing.maps import attention_map, head_maps
from helpers.live.explorer import MOST_WEIGHTS, explore, explore_text, page
from helpers.live.explorer.page import SCRIPT
from helpers.live.page import SHARED

ODD = ["</script>", '"', "&", "😀🎉", "שלום", "a" * 40, "<b>bold</b>", "'", "$x$", "\\n", "\u2028", "<!--"]


def weights(*shape: int) -> torch.Tensor:
    return (2 * torch.randn(*shape, generator=torch.Generator().manual_seed(0))).softmax(dim=-1)


def words(n: int) -> list[str]:
    return [f"word {i}" for i in range(n)]


def data_of(html: str) -> dict:
    return json.loads(re.search(r"document\.currentScript, (\{.*\})\);", html).group(1))


def test_same_input_same_bytes() -> None:
    first, second = (explore(weights(2, 5, 5), words(5), title="twice") for _ in range(2))
    assert first.html == second.html
    assert repr(first) == repr(second) == f"Explorer: {first.alt}"
    assert first._repr_html_() == first.html


def test_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib; from helpers.live.explorer import explore;"
        "print(hashlib.sha256(explore([[.5, .5], [.25, .75]], ['a', 'b']).html.encode()).hexdigest())"
    )
    runs = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(runs) == 1


@pytest.mark.parametrize(
    "shape", [(1, 1), (3, 3), (8, 8), (12, 12), (2, 5, 9), (4, 8, 12, 12), (12, 64, 64), (200, 70), (512, 512)]
)
def test_at_most_60_kb_and_4_bytes_a_weight(shape: tuple[int, ...]) -> None:
    html = explore(weights(*shape), words(shape[-2]), words(shape[-1])).html
    assert len(html.encode()) <= 60_000 + 4 * np.prod(shape)


@pytest.mark.parametrize(("shape", "levels"), [((3, 4), []), ((2, 3, 4), ["head"]), ((5, 2, 3, 4), ["layer", "head"])])
def test_every_weight_is_packed_in_its_place(shape: tuple[int, ...], levels: list[str]) -> None:
    given = weights(*shape)
    data = data_of(explore(given, words(3), words(4)).html)
    packed = np.frombuffer(base64.b64decode(data["weights"]), "<u2").reshape(data["shape"])
    assert data["levels"] == levels
    assert data["shape"] == [1] * (4 - len(shape)) + list(shape)
    assert np.allclose(packed.reshape(shape) / 65535, given, atol=1e-5)


def test_a_weight_above_0_stays_above_0() -> None:
    data = data_of(explore([[1.0, 1e-9, 0.0]], ["a"], words(3)).html)
    assert np.frombuffer(base64.b64decode(data["weights"]), "<u2").tolist() == [65535, 1, 0]


def test_mask_is_packed_row_by_row() -> None:
    mask = torch.ones(3, 3, dtype=torch.bool).tril()
    data = data_of(explore(torch.full((2, 3, 3), 1 / 3), words(3), mask=mask).html)
    bits = np.unpackbits(np.frombuffer(base64.b64decode(data["mask"]), np.uint8))[:9]
    assert bits.reshape(3, 3).tolist() == mask.int().tolist()


def test_comments_in_the_script_cannot_leave_it() -> None:
    assert "</script" not in SCRIPT and "<!--" not in SCRIPT


def test_each_part_of_the_script_is_in_it_once() -> None:
    own = Path(page.__file__).parent / "script"
    parts = [path.stem for folder in (own, SHARED) for path in folder.glob("*.js")]
    assert sorted(page.PARTS) == sorted(parts)


OXLINT = shutil.which("oxlint", path=sysconfig.get_path("scripts"))


@pytest.mark.skipif(OXLINT is None, reason="no oxlint (pip install -r requirements.txt)")
def test_script_put_together_has_no_unknown_or_unused_name(tmp_path) -> None:
    path = tmp_path / "whole.js"
    path.write_text(f"{SCRIPT}\nstartExplorers(null, {{}}, '');\n", encoding="utf-8")
    root = Path(__file__).parents[1]
    run = subprocess.run([OXLINT, "-c", root / ".oxlintrc.json", path], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_words_cannot_leave_the_script() -> None:
    html = explore(weights(12, 12), ODD, title="</title><script>").html
    assert html.count("<script") == html.count("</script") == 1
    script = html[html.index("<script>") :]
    assert "<!--" not in script and "\u2028" not in script
    assert data_of(html)["queries"] == ODD


def test_saved_page_stands_alone(tmp_path) -> None:
    explorer = explore(weights(3, 3), words(3), title="<b> & co")
    path = explorer.save(tmp_path / "page.html")
    page = path.read_text(encoding="utf-8")
    assert explorer.html in page and "<title>&lt;b&gt; &amp; co</title>" in page
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page) and "import(" not in page and "fetch(" not in page


def test_saving_overwrites_nothing_unasked(tmp_path) -> None:
    explorer = explore(weights(3, 3), words(3))
    path = tmp_path / "page.html"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="exists already"):
        explorer.save(path)
    assert path.read_text() == "mine"
    explorer.save(path, overwrite=True)
    assert "<!doctype html>" in path.read_text()


def test_static_picture_has_alt_text_and_is_there_without_scripts() -> None:
    explorer = explore(weights(3, 3), words(3))
    assert explorer.alt == attention_map(weights(3, 3), words(3)).alt
    image = re.search(r'<img class="attention-explorer-still" alt="([^"]+)" width="\d+" src="data:image', explorer.html)
    assert explorer.html.index("<img") < explorer.html.index("<script")
    assert "Attention map, 3 queries by 3 keys." in image.group(1)


def test_static_picture_shows_what_the_mask_forbids() -> None:
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    given = weights(4, 4).masked_fill(~mask, 0)
    given = given / given.sum(-1, keepdim=True)
    assert explore(given, words(4), mask=mask).alt == attention_map(given, words(4), mask=mask).alt


def test_static_picture_of_many_words_says_their_number_and_the_strongest() -> None:
    given = torch.full((3, 70), 0.25 / 69)
    given[1, 40] = 0.75
    alt = explore(given, words(3), [f"key {i}" for i in range(70)], title="Long").alt
    assert alt.startswith("Long. Attention map, 3 queries by 70 keys. ")
    assert '"word 1"' in alt and '"key 40"' in alt and "0.75" in alt


@pytest.mark.parametrize(("shape", "drawn"), [((3, 3), attention_map), ((2, 5, 9), head_maps)])
def test_static_picture_is_as_wide_as_the_picture_it_is_made_of(shape: tuple[int, ...], drawn: Any) -> None:
    given, tokens = weights(*shape), [words(shape[-2]), words(shape[-1])]

    def width_of(page: str) -> int:
        return int(re.search(r'width="(\d+)"', page).group(1))

    assert abs(width_of(explore(given, *tokens).html) - width_of(drawn(given, *tokens)._repr_html_())) <= 1


@pytest.mark.parametrize(
    ("given", "tokens", "keys", "mask"),
    [
        ([[0.5, 0.6], [1.2, 0]], ["a", "b"], None, None),
        ([[float("nan")]], ["a"], None, None),
        ([["a"]], ["a"], None, None),
        ([[0.5, 0.5]], "a", ["b", "c"], None),
        ([[0.5, 0.5]], ["a"], None, None),
        ([[0.5, 0.5]], ["a", "b"], None, None),
        ([[0.5, 0.5]], ["a"], ["b", 3], None),
        ([[1.0]], ["a"], None, [[1]]),
        ([[1.0]], ["a"], None, [[True, False]]),
        ([[1.0], [0.5, 0.5]], ["a"], None, None),
    ],
)
def test_refuses_what_attention_map_refuses_in_the_same_words(given, tokens, keys, mask) -> None:
    with pytest.raises((TypeError, ValueError)) as ours:
        explore(given, tokens, keys, mask=mask)
    with pytest.raises((TypeError, ValueError)) as theirs:
        attention_map(given, tokens, keys, mask=mask)
    if "dimensions" not in str(theirs.value) and "differ in length" not in str(theirs.value):
        assert str(ours.value) == str(theirs.value)
    assert type(ours.value) is type(theirs.value)


@pytest.mark.parametrize("shape", [(3,), (), (1, 1, 1, 2, 2)])
def test_names_the_dimensions_it_takes(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="weights must have two to four dimensions"):
        explore(torch.ones(shape), ["a"])


def test_more_maps_than_a_page_carries_are_cut_and_it_says_so() -> None:
    n_heads = MOST_WEIGHTS // 512**2 + 3
    given = np.full((1, n_heads, 512, 512), 1 / 512, dtype=np.float32)
    data = data_of(explore(given, words(512)).html)
    assert data["shape"] == [1, n_heads - 3, 512, 512]
    assert data["notes"] == [
        f"Shown are the first 1 of 1 layers and {n_heads - 3} of {n_heads} heads: more do not fit into a page."
    ]


def test_rows_that_do_not_sum_to_1_are_said() -> None:
    assert data_of(explore([[0.5, 0.2], [0.5, 0.5]], ["a", "b"]).html)["notes"] == [
        "The row of “a” sums to 0.70, not to 1."
    ]
    assert data_of(explore([[[0.5, 0.2], [0.5, 0.5]]] * 3, ["a", "b"]).html)["notes"] == [
        "3 of 6 rows do not sum to 1."
    ]


def test_starts_with_the_layer_and_head_that_are_asked_for() -> None:
    explorer = explore(weights(2, 3, 4, 4), words(4), title="real", start=(1, 2))
    assert data_of(explorer.html)["start"] == [1, 2, 0]
    assert explorer.alt == attention_map(weights(2, 3, 4, 4)[1, 2], words(4), title="real, layer 1, head 2").alt
    assert data_of(explore(weights(3, 4, 4), words(4)).html)["start"] == [0, 0, 0]


def test_starts_at_the_word_that_is_asked_for_and_frames_its_row() -> None:
    given, tokens = weights(2, 3, 4, 4), ["so", "it", "is", "it"]
    for word, place in (("it", 1), (3, 3), ("so", 0)):
        explorer = explore(given, tokens, start=(1, 2, word))
        assert data_of(explorer.html)["start"] == [1, 2, place]
        assert explorer.alt.endswith(f'The row of "{tokens[place]}" is framed.')


@pytest.mark.parametrize("word", ["no", 4, -1, 1.5])
def test_refuses_to_start_at_a_word_that_is_not_there(word: Any) -> None:
    with pytest.raises(ValueError, match="start must name one of the 4 queries by its word or position, but names"):
        explore(weights(2, 3, 4, 4), words(4), start=(1, 2, word))


def test_half_a_character_is_a_sign_that_can_be_stored() -> None:
    explorer = explore(weights(2, 2), ["a", "\ud83d"], title="\udc00 and more", start=(0, 0, 1))
    assert data_of(explorer.html)["queries"] == ["a", "\ufffd"]
    assert explorer.html.encode() and attention_map(weights(2, 2), ["\ud83d", "b"]).png()


def test_still_says_how_to_wake_it() -> None:
    html = explore(weights(3, 3), words(3)).html
    assert html.index('<p class="attention-explorer-still"><em>A still picture: ') < html.index("<script")
    assert "Shift+Enter" in html


@pytest.mark.parametrize("shape", [(4, 4), (11, 11), (4, 8, 12, 12)])
def test_still_has_the_colours_of_the_picture_it_is_made_of(shape: tuple[int, ...]) -> None:
    given, tokens = weights(*shape), words(shape[-1])
    png = base64.b64decode(re.search(r'src="data:image/png;base64,([^"]+)"', explore(given, tokens).html).group(1))
    first = given.reshape(-1, *shape[-2:])[0]
    drawn = attention_map(first, tokens, title="layer 0, head 0" if len(shape) == 4 else None)
    still = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=int)
    whole = np.asarray(drawn.pixels().resize(still.shape[1::-1], Image.Resampling.LANCZOS), dtype=int)
    assert np.abs(still - whole).max() <= 16 and np.abs(still - whole).mean() < 1


@pytest.mark.parametrize("start", [(2, 0), (0, 3), (-1, 0)])
def test_refuses_to_start_where_nothing_is(start: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"start must be one of 2 layers and one of 3 heads, but is \(-?\d, \d\)\."):
        explore(weights(2, 3, 4, 4), words(4), start=start)


# --- what is typed ---


def read(text: str) -> tuple[torch.Tensor, list[str]]:
    if not text.split():
        raise ValueError("A text must hold at least one word.")
    return weights(2, 3, len(text.split()), len(text.split())), text.split()


def test_what_is_typed_is_explored_and_goes_on_where_the_reader_was() -> None:
    live = explore_text(read, "i have a dream", start=(1, 2))
    data = data_of(live.explorer.html)
    assert data["queries"] == ["i", "have", "a", "dream"] and data["start"] == [1, 2, 0] and data["box"]
    assert 'class="attention-explorer-still" alt="layer 1, head 2.' in live.explorer.html
    live.box.value = "so have <i>"
    box, data = data["box"], data_of(live.explorer.html)
    assert data["queries"] == ["so", "have", "<i>"] and data["start"] is None and data["box"] == box
    assert data_of(explore_text(read, "i have a dream").explorer.html)["box"] != box
    assert (
        '<p class="attention-explorer-still">Attention of 2 layers with 3 heads over: so have &lt;i&gt;</p>'
        in live.explorer.html
    )


def test_what_cannot_be_read_is_said_and_the_last_map_stays() -> None:
    live = explore_text(read, "i have a dream")
    before = live.explorer
    live.box.value = " "
    assert live.explorer is before and "A text must hold at least one word." in live._trouble.value
    live.box.value = "again"
    assert live.explorer is not before and live._trouble.value == ""


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            RuntimeError("size mismatch, got 3\nat layer 2\nand more"),
            "broken stopped: RuntimeError: size mismatch, got 3.",
        ),
        (KeyError("dream"), "broken stopped: KeyError: &#x27;dream&#x27;."),
        (ZeroDivisionError(), "broken stopped: ZeroDivisionError."),
        (IndexError("<b>Out of range.</b>."), "broken stopped: IndexError: &lt;b&gt;Out of range.&lt;/b&gt;."),
        (Unspeakable(), "broken stopped: Unspeakable: (its text cannot be shown)."),
        (ValueError("Too long.\nBy far."), "Too long."),
        (TypeError(), "broken stopped: TypeError."),
    ],
)
def test_whatever_a_model_raises_is_one_sentence_and_the_last_map_stays(error: Exception, said: str) -> None:
    def broken(text: str) -> tuple[torch.Tensor, list[str]]:
        if text == "bad":
            raise error
        return read(text)

    live = explore_text(broken, "i have a dream")
    before = live.explorer
    live.box.value = "bad"
    assert live._trouble.value == f'<p role="alert">\N{WARNING SIGN} {said}</p>'
    assert live.explorer is before
    live.box.value = "again"
    assert live.explorer is not before and live._trouble.value == ""


def test_what_is_typed_is_shown_in_place_of_what_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, updates = [], []

    def display(what: Any, **_: Any) -> Any:
        shown.append(what)
        return SimpleNamespace(update=updates.append)

    monkeypatch.setattr("IPython.display.display", display)
    live = explore_text(read, "i have a dream")
    live._ipython_display_()
    assert shown[-1] is live.explorer and updates == []
    live.box.value = " "
    assert updates == []
    live.box.value = "again"
    assert updates == [live.explorer]


def test_what_read_returns_may_be_wrong_too() -> None:
    live = explore_text(lambda text: None if text == "bad" else read(text), "i have a dream")
    before = live.explorer
    live.box.value = "bad"
    assert 'role="alert"' in live._trouble.value and live.explorer is before


def test_tokens_may_be_read_once_only() -> None:
    live = explore_text(lambda text: (read(text)[0], iter(text.split())), "i have a dream")
    live.box.value = "so have you"
    assert live.explorer.alt == "Attention of 2 layers with 3 heads over: so have you"


def test_a_box_needs_a_function_that_reads() -> None:
    with pytest.raises(TypeError, match="read must be a function from a text to weights and tokens"):
        explore_text("text", "text")
    with pytest.raises(ValueError, match="start must be one of 2 layers and one of 3 heads"):
        explore_text(read, "one two", start=(2, 0))
