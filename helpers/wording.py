"""Small parts of sentences that several rooms say: counts, lists of names, the first line of an error."""

from collections.abc import Sequence


def counted(count: int, one: str, many: str | None = None) -> str:
    """Count things in words that agree: "1 head", "1,024 heads".

    Parameters
    ----------
    count : int
        How many there are.
    one : str
        The noun.
    many : str, optional
        Its plural, where that is not the noun with an s: "processes".

    Returns
    -------
    str
        Number and noun.
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """Join names as a sentence does: "a", "a and b", "a, b and c".

    Parameters
    ----------
    names : sequence of str
        At least one.

    Returns
    -------
    str
        All of them.
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def first_line(error: object, longest: int = 300) -> str:
    """Give the first line of what an error says.

    Never raises, also where the error is of a learner's own making and its text cannot be had.

    Parameters
    ----------
    error : object
        An exception, or its text.
    longest : int
        Characters after which the line is cut off.

    Returns
    -------
    str
        "" where the error says nothing.
    """
    try:
        lines = str(error).strip().splitlines()
    except Exception:
        return "(its text cannot be shown)"
    return lines[0].strip()[:longest] if lines else ""
