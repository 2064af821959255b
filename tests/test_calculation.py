"""The calculation's HTML and its numbers in Python: the same bytes, within its size, and refusals in one sentence."""

import base64
import json
import re
import shutil
import subprocess
import sysconfig
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from drawn import fills

from helpers import calculation
from helpers.drawing.colours import NEUTRAL_TINTS, OUTPUT, SHARE, VALUE
from helpers.live.calculation import MOST, STAGES, page
from helpers.live.calculation.state import state_of
from helpers.live.calculation.still import _picture
from helpers.live.page import SHARED

X = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_QUERY = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_KEY = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_VALUE = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
EXAMPLE = (X, W_QUERY, W_KEY, W_VALUE)
CAUSAL = torch.ones(3, 3, dtype=torch.bool).tril()


def data_of(html: str) -> dict[str, Any]:
    return json.loads(re.search(r"document\.currentScript, (\{.*\})\);", html).group(1))


def test_same_input_same_bytes() -> None:
    first, second = (calculation(*EXAMPLE, stage="scores") for _ in range(2))
    assert first.html == second.html == first._repr_html_()
    assert repr(first) == repr(second) == f"Calculation: {first.alt}"


# ---- the page ----


def test_page_holds_the_script_as_it_can_be_read() -> None:
    html = calculation(*EXAMPLE).html
    packed = re.search(r'atob\("([A-Za-z0-9+/=]+)"\)', html).group(1)
    assert zlib.decompress(base64.b64decode(packed)).decode() == page.WHOLE
    assert page.SCRIPT in page.WHOLE and len(packed) < 40_000
    said = (Path(__file__).parents[1] / "docs" / "results.md").read_text(encoding="utf-8")
    assert f" kB; {len(page.SCRIPT.encode()) / 1000:.0f} kB: " in said


def test_each_part_of_the_script_is_in_it_once() -> None:
    own = Path(page.__file__).parent / "script"
    parts = [path.stem for folder in (own, SHARED) for path in folder.glob("*.js")]
    assert sorted(page.PARTS) == sorted(parts)


OXLINT = shutil.which("oxlint", path=sysconfig.get_path("scripts"))


@pytest.mark.skipif(OXLINT is None, reason="no oxlint (pip install -r requirements.txt)")
def test_script_put_together_has_no_unknown_or_unused_name(tmp_path: Path) -> None:
    path = tmp_path / "whole.js"
    path.write_text(f"{page.SCRIPT}\nstartCalculations(null, {{}}, '');\n", encoding="utf-8")
    root = Path(__file__).parents[1]
    run = subprocess.run([OXLINT, "-c", root / ".oxlintrc.json", path], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_has_a_static_picture_with_alt_text(stage: str) -> None:
    made = calculation(*EXAMPLE, stage=stage)
    image = re.search(r'<img class="attention-calculation-still" alt="([^"]+)" width="\d+" src="data:image', made.html)
    assert image.group(1) == made.alt.replace('"', "&quot;").replace("'", "&#x27;").replace(">", "&gt;")
    assert made.html.index("<img") < made.html.index("<script")
    assert len(made.html) < 60_000 and f"stage {stage}." in made.alt


def test_cells_of_a_static_picture_have_the_colours_of_what_they_hold() -> None:
    state = state_of(dict(zip(("x", "w_query", "w_key", "w_value"), EXAMPLE, strict=True)), None, True, 1, None)
    tints = {
        "x": [NEUTRAL_TINTS[0]] * 4 + [OUTPUT.tint] * 3,
        "weighted": [SHARE.tint] + [VALUE.tint] * 3 + [OUTPUT.tint] * 3,
    }
    for stage, expected in tints.items():
        colours = fills(_picture(state, stage).figure.axes[0])
        assert [colours[column, 0] for column in range(7)] == expected


def test_the_static_picture_of_weighted_values_does_not_add_them_up() -> None:
    alt = calculation(*EXAMPLE, stage="weighted", scale=False).alt
    assert "goes into the output (3 columns)" in alt and "input 1: [0.47, 2.00, 8.00, 0.00, 0.94, 3.75, 0.00]" in alt
    wide = calculation(torch.eye(2), torch.eye(2), torch.eye(2), torch.ones(2, 8), stage="weighted").alt
    assert "outputs" in wide, "too wide for a table: the product instead"


def test_static_picture_of_masks_heads_and_empty_rows() -> None:
    heads = (*(torch.ones(4, 4) for _ in range(4)),)
    for mask in (None, torch.ones(4, 4, dtype=torch.bool).tril(), torch.zeros(4, 4, dtype=torch.bool)):
        for stage in STAGES:
            assert "ttention" in calculation(*heads, stage=stage, mask=mask, n_heads=2).alt


def test_labels_cannot_leave_the_script() -> None:
    odd = ["</script>", "<!--", "\u2028"]
    html = calculation(*EXAMPLE, row_labels=odd).html
    assert html.count("<script") == html.count("</script") == 1
    assert "<!--" not in html[html.index("<script>") :]
    assert data_of(html)["state"]["labels"] == odd


def test_saved_page_stands_alone_and_overwrites_nothing(tmp_path: Path) -> None:
    made = calculation(*EXAMPLE)
    path = made.save(tmp_path / "sheet.html")
    text = path.read_text(encoding="utf-8")
    assert made.html in text and "<h1>The calculation of attention</h1>" in text
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text) and "import(" not in text and "fetch(" not in text
    with pytest.raises(FileExistsError, match="exists already"):
        made.save(path)
    made.save(path, overwrite=True)


# ---- what it takes ----


def test_what_is_given_comes_to_the_script() -> None:
    given = data_of(calculation(*EXAMPLE, stage="scaled", mask=CAUSAL, scale=False, row_labels=list("abc")).html)
    state = given["state"]
    assert state["x"] == X.tolist() and state["w_value"] == W_VALUE.tolist()
    assert (given["stage"], state["mask"], state["scale"], state["labels"]) == ("scaled", "causal", False, list("abc"))
    own = CAUSAL.flip(0)
    assert data_of(calculation(*EXAMPLE, mask=own).html)["state"]["mask"] == own.tolist()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"x": X[0]}, "x must have two dimensions"),
        ({"x": X.repeat(3, 1)}, "x must have at most 8 rows and columns, but its shape is (9, 4)."),
        ({"w_key": W_KEY[:3]}, "w_key must have a row for each of the 4 columns of x, but has 3 rows."),
        ({"w_key": W_KEY[:, :2]}, "w_query and w_key must have as many columns, but have 3 and 2."),
        ({"w_value": W_VALUE * 1e12}, "w_value must hold numbers up to 1,000,000,000, but holds one of size 3e+12."),
        ({"x": X * torch.nan}, "x must be finite numbers"),
        ({"n_heads": 2}, "n_heads must share 3 columns of keys and 3 of values evenly, but is 2."),
        ({"n_heads": True}, "n_heads must share"),
        ({"mask": CAUSAL[:2]}, "mask must have the shape of the weights, (3, 3), but has (2, 3)."),
        ({"row_labels": ["a"]}, "row_labels must name each of the 3 rows of x, but there are 1 tokens."),
        ({"stage": "softmax"}, "stage must be one of all, x, matrices,"),
        ({"controls": ["scale", "size"]}, "controls must be among scale, mask, softmax over,"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(changed: dict[str, Any], said: str) -> None:
    given = dict(zip(("x", "w_query", "w_key", "w_value"), EXAMPLE, strict=True)) | changed
    with pytest.raises(ValueError, match=re.escape(said)):
        calculation(**given)


def test_a_mask_of_numbers_and_words_in_a_table_are_refused() -> None:
    with pytest.raises(TypeError, match="mask must be boolean"):
        calculation(*EXAMPLE, mask=CAUSAL.int())
    with pytest.raises(TypeError, match="x must hold real numbers, but holds text"):
        calculation([["a"] * 4], *EXAMPLE[1:])


# ---- the numbers in Python ----


@pytest.mark.parametrize("mask", [None, CAUSAL])
def test_values_are_those_of_torch(mask: torch.Tensor | None) -> None:
    values = calculation(*EXAMPLE, mask=mask).values()
    scores = (X @ W_QUERY) @ (X @ W_KEY).T
    scaled = scores / 3**0.5 if mask is None else (scores / 3**0.5).masked_fill(~mask, -torch.inf)
    weights = scaled.softmax(dim=-1)
    for name, expected in {"scores": scores, "scaled": scaled, "weights": weights}.items():
        torch.testing.assert_close(values[name], expected)
    torch.testing.assert_close(values["weighted"], weights[..., None] * (X @ W_VALUE))
    torch.testing.assert_close(values["outputs"], weights @ X @ W_VALUE)
    assert (values["scale"], values["n_heads"]) == (True, 1)
    assert values["mask"] is None if mask is None else torch.equal(values["mask"], mask)


def test_values_are_of_the_kind_that_was_given() -> None:
    assert calculation(*(table.double() for table in EXAMPLE)).values()["outputs"].dtype == torch.float64
    assert calculation(X.int(), *EXAMPLE[1:]).values()["outputs"].is_floating_point()
    assert calculation(X.requires_grad_(), *EXAMPLE[1:], mask=CAUSAL).values()["mask"].dtype == torch.bool
    X.requires_grad_(False)
    assert isinstance(calculation(*(table.tolist() for table in EXAMPLE)).values()["outputs"], np.ndarray)


def test_values_with_heads_have_an_axis_for_them() -> None:
    given = [torch.randn(5, 4), *(torch.randn(4, 6) for _ in range(3))]
    values = calculation(*given, n_heads=2).values()
    assert values["weights"].shape == (2, 5, 5) and values["weighted"].shape == (2, 5, 5, 3)
    assert values["outputs"].shape == (5, 6)


def test_what_the_sheet_sends_is_what_values_gives(capsys: pytest.CaptureFixture[str]) -> None:
    made = calculation(*EXAMPLE)
    made._ipython_display_()
    state = data_of(made.html)["state"]
    made._box.value = json.dumps({**state, "x": [[2.0, 0, 0, 0]], "labels": ["a"], "pins": {"weights/0": {"0,0": 0.5}}})
    values = made.values()
    assert values["x"].tolist() == [[2, 0, 0, 0]] and values["weights"].tolist() == [[0.5]]
    assert values["outputs"].tolist() == [[0, 2, 0]]


def test_controls_that_stand_open_come_to_the_script() -> None:
    assert data_of(calculation(*EXAMPLE).html)["controls"] == []
    assert data_of(calculation(*EXAMPLE, controls="scale").html)["controls"] == ["scale"]
    assert data_of(calculation(*EXAMPLE, controls=["d_k", "one-hot"]).html)["controls"] == ["d_k", "one-hot"]


def test_sizes_agree_with_the_script() -> None:
    assert f"const MOST = {MOST};" in page.SCRIPT
    assert all(f"  {stage}: " in page.SCRIPT for stage in STAGES)
