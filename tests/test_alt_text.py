"""What a picture says to those who cannot see it: whole texts, on small data without symmetry."""

import numpy as np
import pytest

from helpers import (
    attention_map,
    bars,
    curves,
    head_maps,
    heat_map,
    layer_diagram,
    matrix,
    plane,
    product,
    routes,
    stacked_bars,
)
from helpers.drawing import alt_text

X_AND_Y = ["x", "y"]
SECOND_MASKED = np.array([[True, False], [True, True]])
FIRST_ROW_MASKED = np.array([[False, False], [True, False]])


def array(*rows: object) -> np.ndarray:
    return np.array(rows, dtype=float)


# attention_map


def test_attention_map_names_the_strongest_key_of_each_query() -> None:
    weights = array([0.1, 0.7, 0.2], [0.25, 0.15, 0.6])
    assert alt_text.of_attention_map(weights, ["i", "dream"], ["a", "b", "c"]) == (
        'Attention map, 2 queries by 3 keys. "i" attends most to "b" (0.70); "dream" attends most to "c" (0.60).'
    )


def test_attention_map_begins_with_its_title_and_ends_with_what_does_not_sum_to_1() -> None:
    assert alt_text.of_attention_map(array([0.3, 0.6]), ["q"], ["a", "b"], np.array([[True, True]]), "Layer 3") == (
        'Layer 3. Attention map, 1 query by 2 keys. "q" attends most to "b" (0.60). 0 of 2 cells are masked. '
        'The row of "q" sums to 0.90, not to 1.'
    )


def test_attention_map_of_many_queries_names_the_strongest_weight() -> None:
    words = [f"w{i}" for i in range(9)]
    weights = np.full((9, 9), 0.1)
    weights[2, 5], weights[7, 1], weights[7, 0] = 0.2, 0.15, 0.05
    assert alt_text.of_attention_map(weights, words, words) == (
        'Attention map, 9 queries by 9 keys. Strongest weight: "w2" to "w5" (0.20). '
        '8 of 9 rows do not sum to 1; "w0" sums to 0.90.'
    )


def test_the_row_that_is_furthest_from_1_is_named() -> None:
    weights = array([0.5, 0.5], [0.5, 0.1], [0.4, 0.5])
    assert alt_text.note_on_sums(weights, ["a", "b", "c"]) == '2 of 3 rows do not sum to 1; "b" sums to 0.60.'
    assert alt_text.note_on_sums(weights[:1], ["a"]) is None


def test_keys_that_tie_are_all_named_or_counted() -> None:
    keys = list("abcde")
    texts = [
        alt_text.of_attention_map(array(row), ["q"], keys).split(". ")[1]
        for row in (
            [0.4, 0.1, 0.4, 0.05, 0.05],
            [0.3, 0.3, 0.3, 0.05, 0.05],
            [0.24, 0.24, 0.24, 0.24, 0.04],
            [0.2, 0.2, 0.2, 0.2, 0.2],
        )
    ]
    assert texts == [
        '"q" attends most to "a" and "c" (0.40).',
        '"q" attends most to "a", "b" and "c" (0.30).',
        '"q" attends most to "a", "b", "c" and 1 more (0.24).',
        '"q" attends most to all keys alike (0.20).',
    ]


def test_masked_cell_is_never_the_strongest() -> None:
    alt = attention_map([[0.4, 0.6], [0.2, 0.8]], X_AND_Y, mask=SECOND_MASKED).alt
    assert '"x" attends most to "x" (0.40); "y" attends most to "y" (0.80). 1 of 4 cells are masked.' in alt


def test_masked_row_attends_to_nothing() -> None:
    alt = attention_map([[0, 0], [1, 0]], X_AND_Y, mask=FIRST_ROW_MASKED).alt
    assert '"x" may attend to nothing; "y" attends most to "x" (1.00). 3 of 4 cells are masked.' in alt


def test_masked_cell_is_not_the_strongest_of_a_large_map() -> None:
    words = [f"w{i}" for i in range(9)]
    weights = np.full((9, 9), 0.1)
    weights[2, 5], weights[7, 1] = 0.2, 0.15
    mask = np.ones((9, 9), dtype=bool)
    mask[2, 5] = False
    assert 'Strongest weight: "w7" to "w1" (0.15).' in attention_map(weights, words, mask=mask).alt
    nothing = attention_map(weights, words, mask=np.zeros((9, 9), dtype=bool)).alt
    assert "Strongest weight: none. 81 of 81 cells are masked." in nothing


# head_maps


def test_head_maps_name_the_strongest_weight_of_each_head() -> None:
    weights = array([[0.4, 0.6], [0.9, 0.1]], [[0.2, 0.8], [0.7, 0.3]], [[0.5, 0.5], [0.05, 0.95]])
    assert alt_text.of_head_maps(weights, ["x", "y"], ["a", "b"], title="Layer 2") == (
        "Layer 2. Attention maps of 3 heads, each 2 queries by 2 keys. Strongest weight of "
        'head 0: "y" to "a" (0.90); head 1: "x" to "b" (0.80); head 2: "y" to "b" (0.95).'
    )


def test_named_maps_need_not_be_of_several_heads() -> None:
    alt = head_maps([[[0.4, 0.6], [0.9, 0.1]]] * 2, X_AND_Y, names=["weights", "shares"]).alt
    assert alt.startswith(
        '2 attention maps, each 2 queries by 2 keys. Strongest weight of weights: "y" to "x" (0.90); '
    )


def test_masked_cell_is_not_the_strongest_of_a_head() -> None:
    weights = [[[0.4, 0.6], [0.5, 0.5]], [[0.1, 0.9], [0.7, 0.3]]]
    assert head_maps(weights, X_AND_Y, mask=SECOND_MASKED).alt.endswith(
        'head 0: "y" to "x" (0.50); head 1: "y" to "x" (0.70). 1 of 4 cells are masked.'
    )


# the other pictures


def test_heat_map_names_the_extremes_and_their_places() -> None:
    assert alt_text.of_heat_map(array([1, -0.5, 3], [0, -2.25, 2]), "dimension", "position", "Waves") == (
        "Waves. Shaded table of 2 rows (position) by 3 columns (dimension). "
        "Smallest -2.25 in row 1, column 1; largest 3.00 in row 0, column 2."
    )


def test_matrix_is_read_row_by_row() -> None:
    values = array([1, -0.5, 0], [2, 0.25, -0.001])
    assert alt_text.of_matrix(values, "w", ["i", "dream"], ["a", "b", "c"], 2) == (
        "w, 2 by 3. Columns: a, b, c. Rows: i: [1.00, \N{MINUS SIGN}0.50, 0.00]; dream: [2.00, 0.25, 0.00]."
    )
    assert alt_text.of_matrix(array([1, 2], [3, -4], [5, 6]), None, None, None, 2) == (
        "Table, 3 by 2. Rows: [1, 2]; [3, \N{MINUS SIGN}4]; [5, 6]."
    )


def test_product_is_read_factor_by_factor_and_then_the_sum() -> None:
    left, top = array([1, 0.5], [0, 2]), array([3, 1, 0], [4, -1, 5])
    read = (
        "Matrix product on paper. x, 2 by 2. Rows: r: [1.0, 0.5]; s: [0.0, 2.0]. "
        "w, 2 by 3. Columns: a, b, c. Rows: [3, 1, 0]; [4, \N{MINUS SIGN}1, 5]. "
        "x @ w, 2 by 3. Rows: [5.0, 0.5, 2.5]; [8.0, \N{MINUS SIGN}2.0, 10.0]."
    )
    names = ["x", "w", "x @ w"]
    assert alt_text.of_product(left, top, names, ["r", "s"], ["a", "b", "c"], None, 1) == read
    assert alt_text.of_product(left, top, names, ["r", "s"], ["a", "b", "c"], (0, 1), 1) == (
        f"{read} Row 0 of x with column 1 of w: 1·1 + 0.5·(\N{MINUS SIGN}1) = 0.5."
    )


def test_curves_say_where_each_line_starts_and_ends() -> None:
    lines = {"loss": array(2, 9, 0.5), "accuracy": array(0.1, 0.05, 0.875)}
    assert alt_text.of_curves(array(1, 2, 10), lines, "epoch", "share", "Training") == (
        "Training. Curves of share against epoch, 1 to 10: loss goes from 2 to 0.5; accuracy goes from 0.1 to 0.875."
    )


def test_bars_are_read_group_by_group() -> None:
    groups = {"first": array(1, -2.5), "second": array(0.333, 4)}
    assert alt_text.of_bars(groups, ["x", "y"], "size in MB", 1, "Sizes") == (
        "Sizes. Bars of size in MB. first: x 1, y \N{MINUS SIGN}2.5; second: x 0.3, y 4."
    )


def test_stacked_bars_are_read_as_sums_from_the_bottom() -> None:
    parts = array([1, 4, 0.5], [2, 3, 0.25])
    assert alt_text.of_stacked_bars(parts, ["word", "position"], ["x", "y", "z"], "Sums") == (
        "Sums. Stacked bars of word, position. x: 1 + 2 = 3; y: 4 + 3 = 7; z: 0.50 + 0.25 = 0.75."
    )


def test_plane_gives_x_before_y() -> None:
    points = {"query": array(1, -2.5), "key": array(3, 0.5)}
    assert alt_text.of_plane(points, arrows=False) == (
        "Points in a plane: query at (1, \N{MINUS SIGN}2.50), key at (3, 0.50)."
    )
    assert alt_text.of_plane(points, True, ["query", "key"], "Score") == (
        "Score. Arrows in a plane: query at (1, \N{MINUS SIGN}2.50), key at (3, 0.50). "
        "The area between query, key is tinted."
    )


@pytest.mark.parametrize(
    ("n_tokens", "steps", "layers"),
    [(3, "2 steps", "1 layer."), (4, "3 steps", "2 layers."), (9, "8 steps", "4 layers.")],
)
def test_routes_count_the_steps_from_the_first_word_to_the_last(n_tokens: int, steps: str, layers: str) -> None:
    tokens = [f"w{i}" for i in range(n_tokens)]
    assert routes(tokens).alt == (
        f"How information travels from 'w0' to 'w{n_tokens - 1}'. A recurrent network passes it on from word to word "
        f"in {steps}. A convolution that reads each word with the two before it needs {layers} "
        "Attention joins each pair of words in 1 step."
    )


def test_layer_diagram_names_the_sublayers_in_their_order() -> None:
    assert alt_text.of_layer_diagram(["self", "cross", "feed-forward"], {"cross": "memory"}) == (
        "A layer, from its input at the bottom to its output at the top: self, then cross, then feed-forward. "
        "Around each runs a residual connection to an addition with layer norm. cross also reads memory."
    )


def test_each_picture_says_its_own_text() -> None:
    """What is drawn and what is said are made from the same data, in the same order."""
    weights, mask = array([0.4, 0.6], [0.2, 0.8]), SECOND_MASKED
    queries, keys = ["x", "y"], ["a", "b"]
    table, parts, names = array([1, 2], [3, 5]), array([1, 4], [2, 3]), ["m", "n"]
    line = {"loss": array(2, 0.5)}
    told_and_wanted = [
        (
            attention_map(weights, queries, keys, mask=mask, title="t"),
            alt_text.of_attention_map(weights, queries, keys, mask, "t"),
        ),
        (
            head_maps([weights, 1 - weights], queries, keys, mask=mask, title="t"),
            alt_text.of_head_maps(np.stack([weights, 1 - weights]), queries, keys, mask, "t"),
        ),
        (heat_map(table, x_label="c", y_label="r", title="t"), alt_text.of_heat_map(table, "c", "r", "t")),
        (
            matrix(table, "w", row_labels=queries, column_labels=keys, decimals=3),
            alt_text.of_matrix(table, "w", queries, keys, 3),
        ),
        (
            product(table, parts, names="uvw", row_labels=queries, column_labels=keys, highlight=(1, 0), decimals=1),
            alt_text.of_product(table, parts, "uvw", queries, keys, (1, 0), 1),
        ),
        (
            curves([1, 2], line, x_label="c", y_label="r", title="t"),
            alt_text.of_curves(array(1, 2), line, "c", "r", "t"),
        ),
        (bars(line, names, y_label="r", title="t", decimals=1), alt_text.of_bars(line, names, "r", 1, "t")),
        (
            stacked_bars(parts, queries, names, y_label="r", title="t"),
            alt_text.of_stacked_bars(parts, queries, names, "t"),
        ),
        (plane(line, arrows=True, region=["loss"], title="t"), alt_text.of_plane(line, True, ["loss"], "t")),
        (layer_diagram(queries, {"y": "memory"}), alt_text.of_layer_diagram(queries, {"y": "memory"})),
    ]
    for picture, wanted in told_and_wanted:
        assert picture.alt == wanted
