"""A lesson whose stored picture is not the one that it shows does not pass."""

import base64
import io
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pictures_in_lessons
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

SHOWN = """\
import base64, io
from PIL import Image
from IPython.display import HTML, Image as Png, display
png = io.BytesIO()
Image.new("RGB", (4, 4), "navy").save(png, "png")
text = base64.b64encode(png.getvalue()).decode()
display(HTML(f'<img alt="a colour" width="4" src="data:image/png;base64,{text}">'))
display(Png(png.getvalue(), metadata={"alt": "a colour"}))"""


def _png(colour: str, level: int = 6) -> str:
    png = io.BytesIO()
    Image.new("RGB", (4, 4), colour).save(png, "png", compress_level=level)
    return base64.b64encode(png.getvalue()).decode()


def _cell(first: str, second: str, tag: str) -> nbformat.NotebookNode:
    html = f'<img alt="a colour" width="4" src="data:image/png;base64,{first}">'
    said = ("<IPython.core.display.HTML object>", "<IPython.core.display.Image object>")
    outputs = [
        new_output("display_data", {"text/html": html, "text/plain": said[0]}),
        new_output("display_data", {"image/png": second, "text/plain": said[1]}),
    ]
    return new_code_cell(SHOWN, outputs=outputs, execution_count=1, metadata={"tags": [tag]})


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., pytest.RunResult]:
    """Runs a notebook with one cell for each pair of stored pictures."""
    monkeypatch.setattr(pictures_in_lessons, "_on_the_pinned_versions", lambda: True)
    sanitize = Path(__file__).with_name("sanitize.cfg")

    def run(*pairs: tuple[str, str], tag: str = "none") -> pytest.RunResult:
        nbformat.write(new_notebook(cells=[_cell(*pair, tag) for pair in pairs]), pytester.path / "small.ipynb")
        plugins = ["-p", "pictures_in_lessons", "-p", "no:randomly", "-p", "no:cacheprovider"]
        options = ["--nbval", "--nbval-current-env", f"--nbval-sanitize-with={sanitize}", "--color=no"]
        return pytester.runpytest_inprocess(*plugins, *options, "small.ipynb")

    return run


def test_another_picture_does_not_pass(run: Callable[..., pytest.RunResult]) -> None:
    blue, red = _png("navy"), _png("red")
    result = run((blue, blue), (red, blue), (blue, red), (_png("navy", level=0), blue), (blue, "iVBORw0KGgoAAAAN"))
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines(["*Cell 1: Pictures differ*", "*Stored picture 1 of 2 is not the one*"])
    result.stdout.fnmatch_lines(["*Cell 2: Pictures differ*", "*Stored picture 2 of 2 is not the one*"])


def test_a_cell_that_is_not_compared_may_show_another_picture(run: Callable[..., pytest.RunResult]) -> None:
    run((_png("red"), _png("red")), tag="nbval-ignore-output").assert_outcomes(passed=1)


def test_pictures_are_compared_on_the_pinned_versions_only(
    run: Callable[..., pytest.RunResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures_in_lessons, "_on_the_pinned_versions", lambda: False)
    run((_png("red"), _png("red"))).assert_outcomes(passed=1)


def test_a_picture_too_many_is_noticed() -> None:
    one = new_output("display_data", {"image/png": _png("navy")})
    assert pictures_in_lessons.changed_picture([one], [one]) is None
    assert pictures_in_lessons.changed_picture([], [one]) == "The cell shows 1 picture, and the notebook stores 0."


@pytest.mark.parametrize(
    ("step", "pixels", "alike"), [(8, 10_000, True), (16, 1, True), (16, 2, False), (32, 1, False)]
)
def test_only_what_no_eye_sees_is_overlooked(step: int, pixels: int, alike: bool) -> None:
    """A processor rounds a few pixels at slanting edges otherwise, and all colours by one step."""
    colours = np.full((100, 100, 3), 128, dtype=np.uint8)
    before, colours.reshape(-1, 3)[:pixels] = colours.copy(), 128 + step

    def picture(array: np.ndarray) -> nbformat.NotebookNode:
        png = io.BytesIO()
        Image.fromarray(array).save(png, "png")
        return new_output("display_data", {"image/png": base64.b64encode(png.getvalue()).decode()})

    assert (pictures_in_lessons.changed_picture([picture(before)], [picture(colours)]) is None) == alike
