"""Numbers as text, the same in a picture and in its alt text."""

import numpy as np


def number(value: float, decimals: int) -> str:
    """Write a number: a whole one without a point, never "-0", and with a minus sign in place of a hyphen."""
    return _with_minus(f"{value:.{0 if float(value).is_integer() else decimals}f}")


def table_numbers(table: np.ndarray, decimals: int) -> list[list[str]]:
    """Write the cells of a table, (rows, columns), all alike: whole numbers, or the same number of digits."""
    digits = 0 if is_whole(table) else decimals
    return [[_with_minus(f"{value:.{digits}f}") for value in row] for row in table]


def is_whole(table: np.ndarray) -> bool:
    """Whether every number of a table is a whole one."""
    return bool((table == table.round()).all())


def dot_product(row: np.ndarray, column: np.ndarray, decimals: int) -> str:
    """Write out one row with one column, (n,) each: 1·0 + 0·1 + 1·0 = 0."""
    terms = [f"{_factor(a, decimals)}·{_factor(b, decimals)}" for a, b in zip(row, column, strict=True)]
    return f"{' + '.join(terms)} = {number(float(row @ column), decimals)}"


def rows_taken(row: np.ndarray, name: str, decimals: int) -> str:
    """Write how much a row, (n,), takes of each row of a table: 1·row 0 + 1·row 2 of w_key."""
    terms = [f"{_factor(share, decimals)}·row {i}" for i, share in enumerate(row) if share != 0]
    return f"{' + '.join(terms)} of {name}" if terms else "nothing of any row"


def _factor(value: float, decimals: int) -> str:
    text = number(value, decimals)
    return f"({text})" if value < 0 else text


def _with_minus(text: str) -> str:
    return text.replace("-", "") if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")
