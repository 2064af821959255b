"""Dates as people write them, and the same dates in ISO 8601: the data of lesson 12, made from a seed.

Two examples::

    "Wed 3rd of March, 1999"  ->  "1999-03-03"
    "mar '99"                 ->  "1999-03"       ISO 8601 leaves out what is not said

Dates go from 1969 to 2068, so that two digits name a year without doubt: 69 to 99 are 1969 to 1999, 00 to 68 are 2000
to 2068 (the rule of POSIX and of Python's `strptime`).
"""

import datetime
import random
from collections.abc import Iterable, Sequence
from datetime import date
from string import Formatter
from typing import NamedTuple

import torch
from torch import Tensor

FIRST_YEAR, LAST_YEAR = 1969, 2068
N_MONTHS_ASIDE = 100  # of 1,200, for validation, and as many for the test
LONGEST = 31  # characters of a written date, with its extra spaces

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

FORMS = (
    "{year}-{mm}-{dd}",
    "{year}/{mm}/{dd}",
    "{year}.{m}.{d}",
    "{year}{mm}{dd}",
    "{year} {mon} {d}",
    "{year}, {month} {d}",
    "{d} {month} {year}",
    "{d} {mon} {year}",
    "{d} {mon}. {year}",
    "{d} {month} '{yy}",
    "{dd}-{mon}-{year}",
    "{dd}-{mon}-{yy}",
    "{dd}{mon}{year}",
    "{d}. {month} {year}",
    "{ord} {month} {year}",
    "{ord} of {month}, {year}",
    "the {ord} of {mon} {year}",
    "{ord} {mon} '{yy}",
    "{month} {d}, {year}",
    "{mon} {d}, {year}",
    "{mon}. {d} '{yy}",
    "{month} {ord}, {year}",
    "{mon} {ord} {year}",
    "{weekday}, {d} {month} {year}",
    "{weekday}, {month} {d}, {year}",
    "{weekday} {dd} {mon} {yy}",
    "{wd} {d} {mon} {year}",
    "{wd}, {mon} {d}, '{yy}",
    "{wd} {ord} of {month}, {year}",
    "{mon} {d} {year} ({wd})",
)
# Month and day as bare numbers: "3/4/1999" is April in London and March in New York, so only where one reading is left.
NUMERIC_FORMS = (
    "{m}/{d}/{year}",
    "{mm}/{dd}/{yy}",
    "{d}/{m}/{year}",
    "{dd}/{mm}/{yy}",
    "{dd}.{mm}.{year}",
    "{d}.{m}.{yy}",
    "{dd}-{mm}-{year}",
)
MONTH_FORMS = ("{month} {year}", "{mon} '{yy}", "{mm}/{year}")  # without a day: written as year and month
ALL_FORMS = FORMS + NUMERIC_FORMS + MONTH_FORMS

PARTS = {"Y": ("year", "yy"), "M": ("m", "mm", "month", "mon"), "D": ("d", "dd", "ord"), "W": ("weekday", "wd")}

SOURCE_CHARACTERS = " '(),-./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
TARGET_CHARACTERS = "-0123456789"
PAD, BOS, EOS = 0, 1, 2  # of the source only PAD is used
SOURCE_VOCAB_SIZE, TARGET_VOCAB_SIZE = (
    len(SOURCE_CHARACTERS) + 3,
    len(TARGET_CHARACTERS) + 3,
)  # sizes of the vocabularies


# Writing


def written(day: date, form: str) -> str:
    """Write one date in one form.

    Parameters
    ----------
    day : date
        Such as 3 March 1999.
    form : str
        One of ALL_FORMS, such as "{wd} {ord} of {month}, {year}".

    Returns
    -------
    str
        Such as "Wed 3rd of March, 1999".
    """
    month, weekday = MONTHS[day.month - 1], WEEKDAYS[day.weekday()]
    return form.format(
        year=day.year,
        yy=f"{day.year % 100:02}",
        m=day.month,
        mm=f"{day.month:02}",
        month=month,
        mon=month[:3],
        d=day.day,
        dd=f"{day.day:02}",
        ord=ordinal(day.day),
        weekday=weekday,
        wd=weekday[:3],
    )


def parts(day: date, form: str) -> str:
    """Say of each character of a date, as `written` gives it, which part of the date it stands for.

    Parameters
    ----------
    day : date
        What is written.
    form : str
        One of ALL_FORMS.

    Returns
    -------
    str
        As long as the text: "Y" for a character of the year, "M" of the month, "D" of the day, "W" of the weekday, and
        "-" for what stands between them.
    """
    letters = {field: letter for letter, fields in PARTS.items() for field in fields}
    said = ""
    for between, field, _, _ in Formatter().parse(form):
        said += "-" * len(between)
        if field:
            said += letters[field] * len(written(day, f"{{{field}}}"))
    return said


def ordinal(n: int) -> str:
    """Write the number of a day as 1st, 2nd, 3rd, 4th, 11th, 21st.

    Parameters
    ----------
    n : int
        From 1 to 31.

    Returns
    -------
    str
        The number with its ending.
    """
    ending = "th" if n // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def allowed(day: date, form: str) -> bool:
    """Say whether a form leaves one reading of a date.

    Parameters
    ----------
    day : date
        What is written.
    form : str
        One of ALL_FORMS.

    Returns
    -------
    bool
        True but for a numeric form whose day could be the month, and is another number.
    """
    return form not in NUMERIC_FORMS or day.day > 12 or day.day == day.month


def iso(day: date, form: str) -> str:
    """Write what a form says of a date in ISO 8601.

    Parameters
    ----------
    day : date
        What is written.
    form : str
        One of ALL_FORMS.

    Returns
    -------
    str
        Such as "1999-03-03", or "1999-03" where the form names no day.
    """
    return day.isoformat()[:7] if form in MONTH_FORMS else day.isoformat()


def as_typed(text: str, draw: random.Random) -> str:
    """Type a text as hurried people do.

    Parameters
    ----------
    text : str
        A date as `written` gives it.
    draw : random.Random
        What is drawn from.

    Returns
    -------
    str
        4 of 10 in other cases, 2 of 10 with one or two more spaces, between words or after them, never before.
    """
    case = draw.random()
    if case < 0.15:
        text = text.lower()
    elif case < 0.3:
        text = text.upper()
    elif case < 0.4:
        text = "".join(draw.choice((letter.lower(), letter.upper())) for letter in text)
    if draw.random() < 0.2:
        for _ in range(draw.randint(1, 2)):
            places = [len(text), *(i for i, letter in enumerate(text) if letter == " ")]
            place = draw.choice(places)
            text = text[:place] + " " + text[place:]
    return text


def examples(days: Iterable[date], seed: int) -> list[tuple[str, str]]:
    """Write each date in a form drawn from those that leave one reading.

    Parameters
    ----------
    days : iterable of date
        What is written.
    seed : int
        Of the forms and the typing.

    Returns
    -------
    list of (str, str)
        For each date how it is typed, and the same in ISO 8601.
    """
    draw = random.Random(seed)
    pairs = []
    for day in days:
        form = draw.choice(ALL_FORMS)
        while not allowed(day, form):
            form = draw.choice(ALL_FORMS)
        pairs.append((as_typed(written(day, form), draw), iso(day, form)))
    return pairs


# Splitting


class Split(NamedTuple):
    """All dates in three parts, each in the order of the calendar."""

    training: list[date]
    validation: list[date]
    test: list[date]


def split_days(seed: int = 0) -> Split:
    """Split all dates by whole months, so that no "March 1999" is in two parts.

    Parameters
    ----------
    seed : int
        Of the months that are kept out of training.

    Returns
    -------
    Split
        The dates of 1,000 months for training, of 100 for validation, which choices are made on, and of 100 for the
        test, which none is made on.
    """
    months = [(year, month) for year in range(FIRST_YEAR, LAST_YEAR + 1) for month in range(1, 13)]
    aside = random.Random(seed).sample(months, 2 * N_MONTHS_ASIDE)
    validation, test = set(aside[:N_MONTHS_ASIDE]), set(aside[N_MONTHS_ASIDE:])
    split = Split([], [], [])
    day, one_day = date(FIRST_YEAR, 1, 1), datetime.timedelta(days=1)
    while day.year <= LAST_YEAR:
        month = (day.year, day.month)
        (split.validation if month in validation else split.test if month in test else split.training).append(day)
        day += one_day
    return split


def training_set(n: int, seed: int = 0) -> list[tuple[str, str]]:
    """Make pairs of the dates that are there to learn from.

    Parameters
    ----------
    n : int
        How many. A date comes again, in another form, when all have been used.
    seed : int
        Of the order, the forms and the typing.

    Returns
    -------
    list of (str, str)
        As `examples` gives them.
    """
    days = split_days().training
    draw = random.Random(seed)
    drawn: list[date] = []
    while len(drawn) < n:
        drawn += draw.sample(days, len(days))
    return examples(drawn[:n], seed)


def validation_set(n: int = 2000, seed: int = 0) -> list[tuple[str, str]]:
    """Make pairs of different dates that are not trained on, to make choices with.

    Parameters
    ----------
    n : int
        How many.
    seed : int
        Of the choice, the forms and the typing.

    Returns
    -------
    list of (str, str)
        As `examples` gives them.

    Raises
    ------
    ValueError
        There are not so many.
    """
    return _different(split_days().validation, n, seed, "validation")


def test_set(n: int = 2000, seed: int = 0) -> list[tuple[str, str]]:
    """Make pairs of different dates that are neither trained on nor chosen with.

    Parameters
    ----------
    n : int
        How many.
    seed : int
        Of the choice, the forms and the typing.

    Returns
    -------
    list of (str, str)
        As `examples` gives them.

    Raises
    ------
    ValueError
        There are not so many.
    """
    return _different(split_days().test, n, seed, "the test")


def _different(days: list[date], n: int, seed: int, purpose: str) -> list[tuple[str, str]]:
    if n > len(days):
        raise ValueError(f"{len(days):,} dates are kept for {purpose}, but {n:,} are asked for.")
    return examples(random.Random(seed).sample(days, n), seed)


def batches(pairs: Sequence[tuple[str, str]], size: int, seed: int = 0) -> list[tuple[Tensor, Tensor]]:
    """Turn pairs into batches of ids.

    Within each 16 batches the pairs are sorted by length before they are dealt out, so that little is padding; then the
    16 are shuffled, so that lengths come in no order.

    Parameters
    ----------
    pairs : sequence of (str, str)
        As `examples` gives them.
    size : int
        Pairs in a batch; the last one may have fewer.
    seed : int
        Of the order.

    Returns
    -------
    list of (Tensor, Tensor)
        Source (size, n_source), cut after the batch's longest text, and target (size, n_target).
    """
    sources, targets = source_ids([text for text, _ in pairs]), target_ids([goal for _, goal in pairs])
    lengths = (sources != PAD).sum(dim=-1)
    generator = torch.Generator().manual_seed(seed)
    made = []
    for group in torch.arange(len(pairs)).split(16 * size):
        dealt = group[lengths[group].argsort(stable=True)].split(size)
        for i in torch.randperm(len(dealt), generator=generator).tolist():
            chosen = dealt[i]
            made.append((sources[chosen, : lengths[chosen].max()], targets[chosen]))
    return made


# Characters to ids and back


def source_ids(texts: Sequence[str]) -> Tensor:
    """Turn dates as people write them into ids.

    Parameters
    ----------
    texts : sequence of str
        Of SOURCE_CHARACTERS.

    Returns
    -------
    Tensor, (batch, longest text)
        An id for each character, filled up with PAD.

    Raises
    ------
    ValueError
        A character that is not in the vocabulary.
    """
    return _ids(texts, SOURCE_CHARACTERS)


def target_ids(texts: Sequence[str]) -> Tensor:
    """Turn dates in ISO 8601 into ids.

    Parameters
    ----------
    texts : sequence of str
        Of TARGET_CHARACTERS.

    Returns
    -------
    Tensor, (batch, longest text + 2)
        BOS, an id for each character, EOS, filled up with PAD.

    Raises
    ------
    ValueError
        A character that is not in the vocabulary.
    """
    ids = _ids(texts, TARGET_CHARACTERS)
    batch, n = ids.shape
    framed = torch.zeros(batch, n + 2, dtype=torch.long)
    framed[:, 0], framed[:, 1:-1] = BOS, ids
    framed[torch.arange(batch), torch.tensor([len(text) for text in texts]) + 1] = EOS
    return framed


def _ids(texts: Sequence[str], characters: str) -> Tensor:
    for text in texts:
        if unknown := set(text) - set(characters):
            raise ValueError(f"{min(unknown)!r} in {text!r} is not in the vocabulary, {characters!r}.")
    ids = torch.full((128,), PAD)  # ASCII -> id
    ids[[ord(character) for character in characters]] = torch.arange(len(characters)) + 3
    longest = max(map(len, texts))
    joined = "".join(text.ljust(longest, "\0") for text in texts).encode("ascii")
    return ids[torch.frombuffer(bytearray(joined), dtype=torch.uint8).long()].view(len(texts), longest)


def texts_of(ids: Tensor) -> list[str]:
    """Turn ids back into dates in ISO 8601.

    Parameters
    ----------
    ids : Tensor, (batch, n)
        As `target_ids` gives them, or as a model writes them.

    Returns
    -------
    list of str
        What stands before EOS, without BOS and PAD.
    """
    return [_text(row) for row in ids.tolist()]


def _text(row: list[int]) -> str:
    if EOS in row:
        row = row[: row.index(EOS)]
    return "".join(TARGET_CHARACTERS[i - 3] for i in row if i not in (PAD, BOS))
