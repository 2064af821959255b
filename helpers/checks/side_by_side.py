"""The learner's result beside the expected one: drawn when small, and in words for every size."""

from typing import Any

import numpy as np
import torch

MOST_ROWS_DRAWN = 8
MOST_NUMBERS_IN_TEXT = 64


def can_be_drawn(got: Any, want: Any) -> bool:
    """Tell whether both are small tables of one shape, with nothing in them that a table cannot show."""
    return all(
        isinstance(table, torch.Tensor)
        and table.ndim == 2
        and table.numel() > 0
        and max(table.shape) <= MOST_ROWS_DRAWN
        and bool(torch.isfinite(table).all())
        for table in (got, want)
    ) and (got.shape == want.shape)


def side_by_side(got: torch.Tensor, want: torch.Tensor) -> str:
    """Draw two tables beside each other; cells that differ from what is expected are tinted.

    Parameters
    ----------
    got : Tensor, (rows, columns)
        The learner's result.
    want : Tensor, (rows, columns)
        What is expected; it differs from `got` somewhere. Both as `can_be_drawn` allows.

    Returns
    -------
    str
        HTML with two pictures and their alt texts.
    """
    from helpers.drawing.tables import matrix

    got, want = got.detach().double(), want.detach().double()
    wrong = ~torch.isclose(got, want, rtol=1e-4, atol=1e-5)
    # one scale of digits in both, and enough of them to see the difference
    whole = bool((got == got.round()).all() and (want == want.round()).all())
    decimals = 0 if whole else 2 if (got - want).abs()[wrong].min() >= 0.01 else 4
    left = matrix(got, "your result", groups=torch.where(wrong, 1, -1), decimals=decimals)
    left.alt += f" {int(wrong.sum())} of {wrong.numel()} numbers differ from what is expected."
    right = matrix(want, "expected", decimals=decimals)
    return f'<div style="margin: 4px 0">{left.image()} &nbsp; &nbsp; {right.image()}</div>'


def as_text(value: Any) -> str:
    """Write a value out: a short tensor with its numbers, a long one with its shape alone."""
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        if value.numel() > MOST_NUMBERS_IN_TEXT:
            return f"tensor of shape {shape_of(value)}"
        if value.dtype == torch.bfloat16:
            value = value.float()
        text = np.array2string(
            value.numpy(),
            precision=4,
            suppress_small=True,
            separator=", ",
            floatmode="maxprec",
            sign="-",
            max_line_width=100,
            threshold=MOST_NUMBERS_IN_TEXT,
        )
        return text if value.ndim < 2 and value.numel() > 0 else f"{text}  shape {shape_of(value)}"
    if isinstance(value, tuple):
        return "\n".join(as_text(part) for part in value)
    if isinstance(value, float):
        return f"{value:.6g}"
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + " ..."


def shape_of(tensor: torch.Tensor) -> str:
    """Write a shape as lessons do: (3, 4)."""
    return str(tuple(tensor.shape))
