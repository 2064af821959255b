"""What each picture shows, in words: from the data alone, so that it can be tested without drawing.

All functions take what the drawing functions have checked: arrays of finite float64 numbers, and lists of text.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from helpers.drawing.formatting import dot_product, number, table_numbers
from helpers.wording import counted, listed

ROWS_NAMED_UP_TO = 8  # queries; of more, only the strongest weight is named
TIES_NAMED = 3


def of_attention_map(
    weights: np.ndarray, queries: list[str], keys: list[str], mask: np.ndarray | None = None, title: str | None = None
) -> str:
    """Name the strongest key of each query, or the strongest weight where there are many queries.

    Parameters
    ----------
    weights : array, (n_query, n_key)
    queries, keys : n_query and n_key words
    mask : boolean array, (n_query, n_key), optional
        True means "may attend". What is masked is never named as the strongest.
    title : what stands above the map, optional

    Returns
    -------
    str
        Whole sentences; where rows do not sum to 1, the last one says so.
    """
    n_query, n_key = weights.shape
    if n_query <= ROWS_NAMED_UP_TO:
        allowed = np.ones_like(weights, dtype=bool) if mask is None else mask
        strongest_weights = "; ".join(
            f"{_quoted(queries, i)} {attends(weights[i], keys, allowed[i])}" for i in range(n_query)
        )
    else:
        strongest_weights = f"Strongest weight: {strongest(weights, queries, keys, mask)}"
    note = note_on_sums(weights, queries)
    return (
        f"{_titled(title)}Attention map, {counted(n_query, 'query', 'queries')} by {counted(n_key, 'key')}. "
        f"{strongest_weights}.{_masked_cells(mask)}{f' {note}' if note else ''}"
    )


def of_head_maps(
    weights: np.ndarray,
    queries: list[str],
    keys: list[str],
    mask: np.ndarray | None = None,
    title: str | None = None,
    names: list[str] | None = None,
) -> str:
    """Name the strongest weight of each head.

    Parameters
    ----------
    weights : array, (n_heads, n_query, n_key)
    queries, keys, mask, title
        As for `of_attention_map`; one mask for all heads, or one for each, (n_heads, n_query, n_key).
    names : list of str, optional
        Of the maps; "head 0" and so on when left out.

    Returns
    -------
    str
        Whole sentences.
    """
    n_heads, n_query, n_key = weights.shape
    masks: Sequence[np.ndarray | None] | np.ndarray = (
        [None] * n_heads if mask is None else np.broadcast_to(mask, weights.shape)
    )
    what = counted(n_heads, "attention map") if names else f"Attention maps of {counted(n_heads, 'head')}"
    names = names or [f"head {head}" for head in range(n_heads)]
    heads = [
        f"{name}: {strongest(weights[head], queries, keys, masks[head])}"
        for head, name in zip(range(n_heads), names, strict=True)
    ]
    return (
        f"{_titled(title)}{what}, each {counted(n_query, 'query', 'queries')} by {counted(n_key, 'key')}. "
        f"Strongest weight of {'; '.join(heads)}.{_masked_cells(mask)}"
    )


def of_heat_map(values: np.ndarray, x_label: str, y_label: str, title: str | None = None) -> str:
    """Name the smallest and the largest number of a table, (rows, columns), and where they stand."""
    low, high = (np.unravel_index(pick(values.round(4)), values.shape) for pick in (np.argmin, np.argmax))
    return (
        f"{_titled(title)}Shaded table of {values.shape[0]} rows ({y_label}) by {values.shape[1]} columns ({x_label}). "
        f"Smallest {values[low]:.2f} in row {low[0]}, column {low[1]}; largest {values[high]:.2f} in row {high[0]}, "
        f"column {high[1]}."
    )


def of_matrix(
    values: np.ndarray,
    name: str | None,
    rows: list[str] | None,
    columns: list[str] | None,
    decimals: int,
    headers: Mapping[str, int] | None = None,
) -> str:
    """Read a table, (rows, columns), row by row; `headers` are what stands above so many of its columns."""
    lines = [f"[{', '.join(numbers)}]" for numbers in table_numbers(values, decimals)]
    if rows:
        lines = [f"{row}: {line}" for row, line in zip(rows, lines, strict=True)]
    headings = f" Columns: {', '.join(filter(str.strip, columns))}." if columns else ""
    if headers:
        parts = [f"{header} ({counted(n, 'column')})" for header, n in headers.items()]
        headings = f" From left to right: {listed(parts)}.{headings}"
    return f"{name or 'Table'}, {values.shape[0]} by {values.shape[1]}.{headings} Rows: {'; '.join(lines)}."


def of_product(
    left: np.ndarray,
    top: np.ndarray,
    names: Sequence[str],
    rows: list[str] | None,
    columns: list[str] | None,
    highlight: tuple[int, int] | None,
    decimals: int,
    inner: list[str] | None = None,
) -> str:
    """Read both factors, (n, k) and (k, m), and their product, and the sum that is written out."""
    alt = (
        f"Matrix product on paper. {of_matrix(left, names[0], rows, None, decimals)} "
        f"{of_matrix(top, names[1], inner, columns, decimals)} {of_matrix(left @ top, names[2], None, None, decimals)}"
    )
    if highlight is None:
        return alt
    row, column = highlight
    sum_ = dot_product(left[row], top[:, column], decimals)
    return f"{alt} Row {row} of {names[0]} with column {column} of {names[1]}: {sum_}."


def of_curves(
    x: np.ndarray, lines: Mapping[str, np.ndarray], x_label: str, y_label: str, title: str | None = None
) -> str:
    """Say where each line starts and ends: x and each line are (n,)."""
    parts = [f"{name} goes from {y[0]:.3g} to {y[-1]:.3g}" for name, y in lines.items()]
    return f"{_titled(title)}Curves of {y_label} against {x_label}, {x[0]:g} to {x[-1]:g}: {'; '.join(parts)}."


def of_bars(
    groups: Mapping[str, np.ndarray], names: list[str], y_label: str, decimals: int, title: str | None = None
) -> str:
    """Read the numbers of each group, (n,), with the n names."""
    parts = [
        f"{group}: {', '.join(f'{name} {number(h, decimals)}' for name, h in zip(names, heights, strict=True))}"
        for group, heights in groups.items()
    ]
    return f"{_titled(title)}Bars of {y_label}. {'; '.join(parts)}."


def of_stacked_bars(parts: np.ndarray, part_names: list[str], bar_names: list[str], title: str | None = None) -> str:
    """Read each bar as a sum, from the lowest part to the highest: parts are (n_parts, n_bars)."""
    sums = [
        f"{bar}: {' + '.join(number(part, 2) for part in column)} = {number(column.sum(), 2)}"
        for bar, column in zip(bar_names, parts.T, strict=True)
    ]
    return f"{_titled(title)}Stacked bars of {', '.join(part_names)}. {'; '.join(sums)}."


def of_plane(
    points: Mapping[str, np.ndarray], arrows: bool, region: Sequence[str] | None = None, title: str | None = None
) -> str:
    """Read the place of each point, (x, y)."""
    places = [f"{name} at ({number(x, 2)}, {number(y, 2)})" for name, (x, y) in points.items()]
    tinted = f" The area between {', '.join(region)} is tinted." if region else ""
    return f"{_titled(title)}{'Arrows' if arrows else 'Points'} in a plane: {', '.join(places)}.{tinted}"


def of_routes(tokens: list[str], n_layers: int) -> str:
    """Say how many steps each network needs from the first token to the last; `n_layers` are the convolution's."""
    return (
        f"How information travels from {tokens[0]!r} to {tokens[-1]!r}. A recurrent network passes "
        f"it on from word to word in {len(tokens) - 1} steps. A convolution that reads each word with the two "
        f"before it needs {counted(n_layers, 'layer')}. Attention joins each pair of words in 1 step."
    )


def of_layer_diagram(sublayers: list[str], side_inputs: Mapping[str, str]) -> str:
    """Name the sublayers in the order in which they run, and what else each reads."""
    others = "".join(f" {name} also reads {what}." for name, what in side_inputs.items())
    return (
        f"A layer, from its input at the bottom to its output at the top: "
        f"{', then '.join(sublayers)}. Around each runs a residual connection to an addition with "
        f"layer norm.{others}"
    )


def strongest(weights: np.ndarray, queries: list[str], keys: list[str], mask: np.ndarray | None = None) -> str:
    """Name the largest weight that the mask lets through, with its query and key.

    Parameters
    ----------
    weights : array, (n_query, n_key)
    queries, keys : n_query and n_key words
    mask : boolean array, (n_query, n_key), optional
        True means "may attend".

    Returns
    -------
    str
        Part of a sentence; "none" where all is masked.
    """
    if mask is not None and not mask.any():
        return "none"
    allowed = weights if mask is None else np.where(mask, weights, -1)
    row, column = np.unravel_index(allowed.round(4).argmax(), weights.shape)
    return f"{_quoted(queries, int(row))} to {_quoted(keys, int(column))} ({weights[row, column]:.2f})"


def note_on_sums(weights: np.ndarray, queries: list[str], quotes: str = '""') -> str | None:
    """Say which rows do not sum to 1.

    Parameters
    ----------
    weights : array, (n_query, n_key)
    queries : n_query words
    quotes : str
        What stands before and after a word.

    Returns
    -------
    str or None
        One sentence; None where all rows sum to 1, within what rounding to two digits hides.
    """
    sums = weights.sum(axis=1)
    off = np.flatnonzero(~np.isclose(sums, 1, atol=5e-3))
    if len(off) == 0:
        return None
    if len(off) == 1:
        return f"The row of {_quoted(queries, off[0], quotes)} sums to {sums[off[0]]:.2f}, not to 1."
    worst = int(off[np.argmax(np.abs(sums[off] - 1))])
    named = _quoted(queries, worst, quotes)
    return f"{len(off)} of {len(sums)} rows do not sum to 1; {named} sums to {sums[worst]:.2f}."


def attends(row: np.ndarray, keys: list[str], allowed: np.ndarray) -> str:
    """Say what one query attends to.

    Parameters
    ----------
    row : ndarray, (n_key,)
        Its weights.
    keys : list of str
        The labels of the keys.
    allowed : ndarray, (n_key,)
        True where it may attend.

    Returns
    -------
    str
        The end of a sentence, with all keys that share the largest weight, up to a few.
    """
    if not allowed.any():
        return "may attend to nothing"
    best = row[allowed].max()
    ties = np.flatnonzero(allowed & np.isclose(row, best, atol=5e-3))
    if len(ties) == len(row) > 1:
        return f"attends most to all keys alike ({best:.2f})"
    names = [_quoted(keys, j) for j in ties[:TIES_NAMED]]
    if len(ties) > TIES_NAMED:
        names.append(f"{len(ties) - TIES_NAMED} more")
    return f"attends most to {listed(names)} ({best:.2f})"


def _quoted(tokens: list[str], index: int, quotes: str = '""') -> str:
    """Put a token in quotes, with its position where the same word stands more than once."""
    token = tokens[index]
    quoted = f"{quotes[0]}{token}{quotes[1]}"
    return f"{quoted} (position {index})" if tokens.count(token) > 1 else quoted


def _masked_cells(mask: np.ndarray | None) -> str:
    return "" if mask is None else f" {(~mask).sum()} of {mask.size} cells are masked."


def _titled(title: str | None) -> str:
    return f"{title}. " if title else ""
