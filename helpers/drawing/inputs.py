"""What a learner hands to a drawing: made into numpy arrays and lists of text, or refused in one sentence."""

from collections.abc import Sequence
from typing import Any

import numpy as np

SHAPES = {
    "vector": (1, "one dimension"),
    "matrix": (2, "two dimensions, (rows, columns)"),
    "weights": (2, "two dimensions, (n_query, n_key)"),
    "heads": (3, "three dimensions, (n_heads, n_query, n_key)"),
    "layers": (4, "four dimensions, (n_layers, n_heads, n_query, n_key)"),
    # for a table of none of the three shapes above, which is always refused
    "maps": (-1, "two to four dimensions, (n_query, n_key), (n_heads, ...) or (n_layers, n_heads, ...)"),
}


def as_array(values: Any, name: str, kind: str) -> np.ndarray:
    """Make a float64 array of finite real numbers.

    Parameters
    ----------
    values : tensor, array or nested list
        Tensors may have a gradient, half precision, and lie on any device. They stay as they are.
    name : str
        What the learner calls it, for the message.
    kind : str
        A key of `SHAPES`, which gives the number of dimensions.

    Returns
    -------
    array of float64
        A copy, in the shape of `values`.

    Raises
    ------
    TypeError
        `values` does not hold real numbers.
    ValueError
        Wrong number of dimensions, empty, nan or infinite.
    """
    array = _to_numpy(values, name)
    n_dims, wanted = SHAPES[kind]
    if array.ndim != n_dims:
        raise ValueError(f"{name} must have {wanted}, but has {array.ndim}: shape {array.shape}.")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, but its shape is {array.shape}.")
    if not np.isfinite(array).all():
        bad = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite numbers, but at {list(bad)} there is {array[bad]}.")
    return array


def _to_numpy(values: Any, name: str) -> np.ndarray:
    if hasattr(values, "detach"):  # a torch tensor
        values = values.detach().cpu()
        # numpy has no bfloat16
        values = values.numpy() if values.is_complex() else values.double().numpy()
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be a table of numbers, but its rows differ in length.") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, but holds {_kind_of(array)}.")
    return array.astype(np.float64)


def _kind_of(array: np.ndarray) -> str:
    if array.dtype.kind == "c":
        return "complex numbers"
    if array.dtype.kind in "US":
        return "text"
    return f"objects of type {type(array.flat[0]).__name__}" if array.size else "nothing"


def as_weights(weights: Any, kind: str, name: str = "weights") -> np.ndarray:
    """Make an array of attention weights, each between 0 and 1.

    Parameters
    ----------
    weights : tensor, array or nested list, (..., n_query, n_key)
        What half precision rounds up to a little above 1 is taken for 1.
    kind, name
        As for `as_array`.

    Returns
    -------
    array of float64
        A copy, in the shape of `weights`.

    Raises
    ------
    TypeError
        As `as_array`.
    ValueError
        As `as_array`, and for a number below 0 or above 1.
    """
    array = as_array(weights, name, kind)
    outside = (array < 0) | (array > 1 + 1e-3)  # half precision rounds 1 up
    if outside.any():
        bad = tuple(int(i) for i in np.argwhere(outside)[0])
        raise ValueError(f"{name} must lie between 0 and 1, but at {list(bad)} there is {array[bad]:g}.")
    return array.clip(0, 1)


def as_mask(mask: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Make a boolean array of a mask.

    Parameters
    ----------
    mask : boolean tensor, array or nested list
        True means "may attend".
    shape : tuple of int
        The shape that it must have, that of the weights.

    Returns
    -------
    array of bool
        The mask.

    Raises
    ------
    TypeError
        The mask is not boolean.
    ValueError
        Its shape is another one.
    """
    array = np.asarray(mask.detach().cpu().numpy() if hasattr(mask, "detach") else mask)
    if array.dtype != bool:
        raise TypeError(f'mask must be boolean, True for "may attend", but holds {array.dtype}.')
    if array.shape != shape:
        raise ValueError(f"mask must have the shape of the weights, {shape}, but has {array.shape}.")
    return array


def as_tokens(tokens: Sequence[str], count: int, name: str, counted: str) -> list[str]:
    """Make a list of text of the tokens, one for each row or column.

    Parameters
    ----------
    tokens : list of str
        The words.
    count : int
        How many there must be.
    name, counted : str
        What the learner calls the tokens, and what they stand for, for the message.

    Returns
    -------
    list of str
        A copy of the tokens, in which each half of a character that lacks its other half is a question mark in a
        diamond: such a half is text to Python, but no file can hold it.

    Raises
    ------
    TypeError
        `tokens` is one string, or holds something that is not text.
    ValueError
        There are more or fewer tokens than `count`.
    """
    if isinstance(tokens, str):
        raise TypeError(f"{name} must be a list of words, but is one string, {tokens!r}: split it first.")
    tokens = list(tokens)
    for token in tokens:
        if not isinstance(token, str):
            raise TypeError(f"{name} must be text, but holds {token!r} of type {type(token).__name__}.")
    if len(tokens) != count:
        raise ValueError(f"{name} must name each of the {count} {counted}, but there are {len(tokens)} tokens.")
    return [printable(token) for token in tokens]


def printable(text: str) -> str:
    """Put a question mark in a diamond for each surrogate without its other half, which nothing can draw or store."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def check_number(number: int, name: str, most: int) -> None:
    """Refuse what is not a whole number from 1 to `most`.

    Parameters
    ----------
    number : int
        Such as that of a lesson.
    name : str
        What it is called in a message.
    most : int
        The largest that there is.

    Raises
    ------
    TypeError
        It is not a whole number.
    ValueError
        It is below 1 or above `most`.
    """
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"{name} must be a whole number, but is {number!r} of type {type(number).__name__}.")
    if not 1 <= number <= most:
        raise ValueError(f"{name} must be from 1 to {most}, but is {number}.")
