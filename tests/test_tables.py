"""Tables and matrix products: which number stands where, and what is lit."""

import numpy as np
import pytest
from drawn import Painted, fills, placed_texts, texts
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

from helpers import matrix, product
from helpers.drawing.colours import HIDDEN, KEY, NEUTRAL_TINTS, OUTPUT, QUERY, SHARE, VALUE, Role
from helpers.drawing.picture import INK, PAPER, QUIET
from helpers.drawing.tables import OUTLINE

MINUS = "\N{MINUS SIGN}"


def outlined(axes: Axes) -> set[tuple[float, float, float, float]]:
    """x, y, width and height of what has a thick outline."""
    thick = [patch for patch in axes.patches if patch.get_linewidth() == OUTLINE]
    return {tuple(round(side, 2) for side in (*p.get_xy(), p.get_width(), p.get_height())) for p in thick}


def test_matrix_writes_whole_numbers_without_a_point_and_no_minus_zero() -> None:
    assert texts(matrix([[1.0, -2.0]]).figure.axes[0]) == ["1", "\N{MINUS SIGN}2"]
    assert texts(matrix([[0.5, -0.001]]).figure.axes[0]) == ["0.50", "0.00"]


def test_matrix_heat_is_centred_on_zero() -> None:
    picture = matrix([[-1.0, 4.0]], heat=True)
    bar = picture.figure.axes[1]
    assert [label.get_text() for label in bar.get_yticklabels()] == ["\N{MINUS SIGN}4", "0", "4"]


def test_product_multiplies_and_writes_the_lit_sum_out() -> None:
    picture = product([[1, 0, 2]], [[3, 1], [4, 1], [5, -1]], names=("a", "b", "c"), highlight=(0, 1))
    written = texts(picture.figure.axes[0])
    assert "1·1 + 0·1 + 2·(\N{MINUS SIGN}1) = \N{MINUS SIGN}1" in written
    assert "13" in written
    assert "c, 1 by 2. Rows: [13, \N{MINUS SIGN}1]." in picture.alt


def test_matrix_writes_each_number_in_its_cell_with_labels_beside_and_above() -> None:
    axes = matrix([[1, -2, 3], [4, 5, 6]], "w", row_labels=["i", "dream"], column_labels=["a", "b", "c"]).figure.axes[0]
    placed = placed_texts(axes)
    assert [placed[x, 0.5] for x in (-0.15, 0.5, 1.5, 2.5)] == ["i", "1", f"{MINUS}2", "3"]
    assert [placed[x, 1.5] for x in (-0.15, 0.5, 1.5, 2.5)] == ["dream", "4", "5", "6"]
    assert [placed[x, -0.15] for x in (0.5, 1.5, 2.5)] == ["a", "b", "c"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # row 0 on top
    assert {"w", "  2 \N{MULTIPLICATION SIGN} 3"} <= set(texts(axes))


@pytest.mark.parametrize(
    ("decimals", "written"),
    [(0, ["0", "2", f"{MINUS}1"]), (1, ["0.5", "2.0", f"{MINUS}1.2"]), (3, ["0.500", "2.000", f"{MINUS}1.250"])],
)
def test_numbers_of_a_table_have_as_many_digits_as_asked_for(decimals: int, written: list[str]) -> None:
    assert texts(matrix([[0.5, 2, -1.25]], decimals=decimals).figure.axes[0]) == written


def test_matrix_heat_has_the_colours_of_its_legend() -> None:
    values = np.array([[-1.0, 0.5, 4.0], [0.0, 2.0, -3.5]])
    picture = matrix(values, heat=True)
    axes, bar = picture.figure.axes
    painted = Painted(picture)
    for (row, column), value in np.ndenumerate(values):
        cell = painted.colour(axes, column + 0.1, row + 0.15)  # beside the number
        assert np.abs(cell - painted.colour(bar, 0.5, 0.96 * value)).max() <= 16
        assert np.sign(cell[0] - cell[2]) * (abs(cell[0] - cell[2]) > 3) == np.sign(value)
    ink = {text.get_text(): text.get_color() for text in axes.texts}
    assert ink["4.00"] == ink[f"{MINUS}3.50"] == "white" and ink["2.00"] == ink["0.00"] == "black"


def test_cells_of_a_group_have_one_tint_and_those_of_none_are_white() -> None:
    colours = fills(matrix([[1, 2, 3], [4, 5, 6]], groups=[[0, 1, -1], [1, 1, 0]]).figure.axes[0])
    first, second = NEUTRAL_TINTS[:2]
    assert colours == {(0, 0): first, (1, 0): second, (2, 0): PAPER, (0, 1): second, (1, 1): second, (2, 1): first}


def test_product_stands_as_on_paper_with_its_row_and_column_lit() -> None:
    picture = product(
        [[1, 0, 2], [5, 6, 7]],
        [[3, 1], [4, 1], [9, -1]],
        names=("x", "w", "k"),
        row_labels=["r", "s"],
        column_labels=["u", "v"],
        highlight=(1, 0),
    )
    axes = picture.figure.axes[0]
    placed, x0, y0 = placed_texts(axes), 3.6, 3.6
    left = [[placed[j + 0.5, y0 + i + 0.5] for j in range(3)] for i in range(2)]
    top = [[placed[x0 + j + 0.5, i + 0.5] for j in range(2)] for i in range(3)]
    result = [[placed[round(x0 + j + 0.5, 2), round(y0 + i + 0.5, 2)] for j in range(2)] for i in range(2)]
    assert left == [["1", "0", "2"], ["5", "6", "7"]]
    assert top == [["3", "1"], ["4", "1"], ["9", f"{MINUS}1"]]
    assert result == [["21", f"{MINUS}1"], ["102", "4"]]
    assert [placed[-0.15, y0 + i + 0.5] for i in range(2)] == ["r", "s"]
    assert [placed[x0 + j + 0.5, -0.15] for j in range(2)] == ["u", "v"]
    assert outlined(axes) == {(0, 4.6, 3, 1), (3.6, 0, 1, 3), (3.6, 4.6, 1, 1)}
    assert set(fills(axes).values()) == {PAPER}, "marked by a line, for a fill takes another hue in the dark"
    assert "5·3 + 6·4 + 7·9 = 102" in texts(axes)
    assert placed[0, y0 - 0.15] == "x" and "w" in texts(axes)
    assert "k\n2 \N{MULTIPLICATION SIGN} 2" in texts(axes)


def test_product_without_a_highlight_lights_nothing() -> None:
    picture = product([[1, 2]], [[3], [4]])
    axes = picture.figure.axes[0]
    assert [text for text in texts(axes) if text.isdigit()] == [
        "1",
        "2",
        "3",
        "4",
        "11",
    ] and "Rows: [11]." in picture.alt
    assert set(fills(axes).values()) == {PAPER}
    assert not any("·" in text for text in texts(axes))


def test_a_product_by_row_lights_the_rows_that_it_is_made_of() -> None:
    picture = product([[0, 0], [2, 0]], [[3, 1], [4, 1]], names=("a", "b", "c"), by_row=1)
    assert outlined(picture.figure.axes[0]) == {(0, 3.6, 2, 1), (2.6, 0, 2, 1), (2.6, 3.6, 2, 1)}
    assert "row 1 of c = 2·row 0 of b" in texts(picture.figure.axes[0])
    assert picture.alt.endswith(" Row 1 of c = 2·row 0 of b.")
    assert product([[0, 0]], [[3, 1], [4, 1]], by_row=0).alt.endswith(" Row 0 of a @ b = nothing of any row.")


@pytest.mark.parametrize("where", [{"by_row": 1}, {"by_row": -1}, {"by_row": 0, "highlight": (0, 0)}])
def test_a_row_that_is_not_there_is_refused(where: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="by_row must be a row of the"):
        product([[1, 2]], [[3], [4]], **where)


def test_columns_without_a_label_are_not_read_out() -> None:
    assert (
        matrix([[1, 2, 3]], column_labels=["", "middle", ""]).alt == "Table, 1 by 3. Columns: middle. Rows: [1, 2, 3]."
    )


def test_the_name_stands_above_labels_of_several_lines() -> None:
    one, two = (matrix([[1, 2]], "m", column_labels=labels) for labels in (["a", "b"], ["a", "says\nwide"]))
    assert "Columns: a, says wide." in two.alt
    heights = [
        next(text for text in picture.figure.axes[0].texts if text.get_text() == "m").get_position()[1]
        for picture in (one, two)
    ]
    assert heights[0] == -0.75 and heights[1] < heights[0]


def test_headers_stand_above_the_columns_of_each_table_and_tint_them() -> None:
    picture = matrix([[1, 2, 3]], "w", column_labels=["a", "b", "c"], headers={"key": 1, "value": 2})
    axes = picture.figure.axes[0]
    above = {
        text.get_text(): text.get_position() for text in axes.texts if text.get_text() in ("w", "key", "value", "a")
    }
    assert above["key"][0] == 0.5 and above["value"][0] == 2
    assert above["w"][1] < above["key"][1] == above["value"][1] < above["a"][1]
    assert [fills(axes)[j, 0] for j in range(3)] == [KEY.tint, VALUE.tint, VALUE.tint]
    assert not any("\N{MULTIPLICATION SIGN}" in text.get_text() for text in axes.texts), "no shape together"
    assert "From left to right: key (1 column) and value (2 columns). Columns: a, b, c." in picture.alt


def test_groups_tint_the_cells_below_headers() -> None:
    axes = matrix([[1, 2, 3, 4]], headers={"key": 1, "value": 2, "sum": 1}, groups=[[5, 2, -1, 1]]).figure.axes[0]
    assert [fills(axes)[j, 0] for j in range(4)] == [KEY.tint, VALUE.tint, PAPER, NEUTRAL_TINTS[1]]


@pytest.mark.parametrize(
    ("name", "role"),
    [("queries", QUERY), ("keys.T", KEY), ("values", VALUE), ("output", OUTPUT), ("weights", SHARE), ("scores", SHARE)],
)
def test_a_table_with_a_role_has_its_colour_on_name_and_frame(name: str, role: Role) -> None:
    three = product([[1, 2]], [[3], [4]], names=(name, name, name), highlight=(0, 0))
    for picture, tables in ((matrix([[1, 2]], name), 1), (three, 3)):
        axes = picture.figure.axes[0]
        frames = [patch for patch in axes.patches if not patch.get_fill()]
        names = [text for text in axes.texts if text.get_text().split("\n")[0] == name]
        assert {to_hex(frame.get_edgecolor()) for frame in frames} == {role.line.lower()}
        assert len(names) == tables and {text.get_color() for text in names} == {role.text}


def test_a_table_without_a_role_is_plain() -> None:
    axes = product([[1, 2]], [[3], [4]], names=("x", "w", "y"), highlight=(0, 0)).figure.axes[0]
    frames = [patch for patch in axes.patches if not patch.get_fill()]
    assert {to_hex(frame.get_edgecolor()) for frame in frames} == {QUIET, INK}


def test_what_a_mask_hides_is_hatched_in_a_table_as_in_a_map() -> None:
    axes = matrix([[1, 0], [1, 1]], "mask", mask=np.array([[True, False], [True, True]])).figure.axes[0]
    cells = [patch for patch in axes.patches if patch.get_fill()]
    assert [cell.get_hatch() for cell in cells] == [None, HIDDEN["hatch"], None, None]
    assert fills(axes)[1, 0] == HIDDEN["facecolor"] and fills(axes)[0, 0] == PAPER
    with pytest.raises(TypeError, match="mask must be boolean"):
        matrix([[1, 0]], mask=[[1, 0]])


@pytest.mark.parametrize("headers", [{}, {"a": 2}, {"a": 3, "b": 0}, {"a": 4}])
def test_headers_that_do_not_fit_the_columns_are_refused(headers: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="headers must share out the 3 columns"):
        matrix([[1, 2, 3]], headers=headers)


def test_the_rows_of_the_right_factor_can_have_labels() -> None:
    picture = product([[1, 2]], [[3], [4]], names=("a", "b", "c"), inner_labels=["the", "it"])
    placed, x0 = placed_texts(picture.figure.axes[0]), 2.6
    assert [placed[round(x0 - 0.15, 2), i + 0.5] for i in range(2)] == ["the", "it"]
    assert "b, 2 by 1. Rows: the: [3]; it: [4]." in picture.alt
    with pytest.raises(ValueError, match="inner_labels must name each of the 2 rows of b"):
        product([[1, 2]], [[3], [4]], inner_labels=["the"])
