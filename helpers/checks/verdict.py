"""What a check, a hint or the progress shows: one text for readers, one for JupyterLab."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # the grader shows verdicts and needs no torch
    import torch

RIGHT, WRONG, UNTRIED = "Right", "Not yet", "Not tried yet"

# word: (sign, colour of the bar at the left); the word says it, the colour only helps
_LOOKS = {RIGHT: ("\u2713", "#009E73"), WRONG: ("\u2717", "#D55E00"), UNTRIED: ("\u25cb", "#8c8c8c")}
_QUIET = ("\u00b7", "#56B4E9")


class Finding(NamedTuple):
    """What is wrong with a function.

    Attributes
    ----------
    id : str
        Short name of the mistake.
    message : str
        One or two sentences for the learner.
    """

    id: str
    message: str


@dataclass
class Note:
    """A few lines under a heading.

    Attributes
    ----------
    heading : str
        Such as "Hint 1 of 3".
    text : str
        May hold code between backticks.
    link : (str, str) or None
        Words, and the address that they lead to where a front end follows links.
    """

    heading: str
    text: str
    link: tuple[str, str] | None = None

    def __bool__(self) -> bool:
        """Never true, so that `assert check(...)` fails also where there is no such exercise."""
        return False

    def _repr_html_(self) -> str:
        return _box(_QUIET, self.heading, [_paragraph(self.text), _link(self.link)])

    def __repr__(self) -> str:
        heading = self.heading if self.heading.endswith("?") else f"{self.heading}."
        return f"{_QUIET[0]} {heading} {self.text}{f' {self.link[0]}' if self.link else ''}"


class Hint(NamedTuple):
    """One hint.

    Attributes
    ----------
    heading : str
        Such as "Hint 1 of 3".
    text : str
        One or two sentences.
    details : list of (str, str)
        Name and text of each thing to look at.
    """

    heading: str
    text: str
    details: Sequence[tuple[str, str]] = ()


@dataclass
class Hints:
    """The hints that were given so far, the newest last.

    Attributes
    ----------
    given : list of Hint
        At least one.
    end : str
        What is said when there are no more, or "".
    """

    given: list[Hint]
    end: str = ""

    def _repr_html_(self) -> str:
        parts = []
        for hint in self.given:
            parts.append(f'<div style="margin: 8px 0 0"><b>{html.escape(hint.heading)}</b></div>')
            parts += [_paragraph(hint.text), *(_block(name, text) for name, text in hint.details)]
        return _box(_QUIET, "Hints", [*parts, _paragraph(self.end) if self.end else ""])

    def __repr__(self) -> str:
        lines = []
        for hint in self.given:
            lines.append(f"{_QUIET[0]} {hint.heading}. {hint.text}")
            lines += [_lines(name, text) for name, text in hint.details]
        return "\n".join([*lines, self.end] if self.end else lines)


@dataclass
class Verdict:
    """What a check found.

    Attributes
    ----------
    status : str
        RIGHT, WRONG or UNTRIED.
    exercise : str
        Name of the exercise.
    message : str
        One or two sentences.
    mistake : str or None
        Short name of the mistake.
    details : list of (str, str)
        Name and text of each thing to look at, such as the input that failed.
    tables : (Tensor, Tensor) or None
        The learner's result and the expected one, where they can be drawn side by side.
    folded : bool
        Whether details and tables stay closed until they are clicked, as the message says enough.
    printed : str
        What the function printed while it was called.
    remarks : list of str
        Further sentences.
    link : (str, str) or None
        Words, and the address that they lead to where a front end follows links; shown last.
    """

    status: str
    exercise: str
    message: str
    mistake: str | None = None
    details: list[tuple[str, str]] = field(default_factory=list)
    tables: "tuple[torch.Tensor, torch.Tensor] | None" = None
    folded: bool = False
    printed: str = ""
    remarks: list[str] = field(default_factory=list)
    link: tuple[str, str] | None = None

    def __bool__(self) -> bool:
        """Whether the function is right."""
        return self.status == RIGHT

    def _repr_html_(self) -> str:
        pictures = self._pictures()
        drawn = ("your result", "expected") if pictures else ()
        shown = "".join(_block(name, text) for name, text in self.details if name not in drawn) + pictures
        if self.folded and shown:
            shown = f"<details><summary>See it on a small input</summary>{shown}</details>"
        parts = [_paragraph(self.message), shown]
        if self.printed:
            parts.append(_block("your function printed", self.printed))
        parts += [_paragraph(remark) for remark in self.remarks]
        parts.append(_link(self.link))
        return _box(_LOOKS[self.status], f"{self.status}: {self.exercise}", parts)

    def __repr__(self) -> str:
        lines = [f"{_LOOKS[self.status][0]} {self.status}: {self.exercise}. {self.message}"]
        if not self.folded:
            lines += [_lines(name, text) for name, text in self.details]
        if self.printed:
            lines.append(_lines("your function printed", self.printed))
        return "\n".join([*lines, *self.remarks, *([self.link[0]] if self.link else [])])

    def _pictures(self) -> str:
        if self.tables is None:
            return ""
        from helpers.checks.side_by_side import side_by_side

        try:
            return side_by_side(*self.tables)
        except Exception:  # the numbers stand in the text as well: a drawing that fails costs only itself
            return ""


def _box(look: tuple[str, str], heading: str, parts: list[str]) -> str:
    # Text keeps the theme's own colour; JupyterLab lets these few styles by in a notebook it does not trust.
    sign, colour = look
    return (
        f'<div style="border-left: 5px solid {colour}; padding: 2px 12px; margin: 4px 0">'
        f"<b>{sign} {html.escape(heading)}</b>{''.join(parts)}</div>"
    )


def marked_up(text: str) -> str:
    """HTML of a message, with its code between backticks and its emphasis between asterisks set as such."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
    return re.sub(r"(?<![\w*])\*([A-Za-z][^*<>]*)\*(?![\w*])", r"<em>\1</em>", text)


def _paragraph(text: str) -> str:
    return f'<div style="margin: 4px 0">{marked_up(text)}</div>'


def _link(link: tuple[str, str] | None) -> str:
    if link is None:
        return ""
    words, address = map(html.escape, link)
    return f'<div style="margin: 4px 0"><a href="{address}">{words}</a></div>'


def _block(name: str, text: str) -> str:
    if "\n" not in text and len(text) < 100:
        return _paragraph(f"{name}: `{text.replace('`', '')}`")
    return (
        f'<div style="margin: 4px 0">{html.escape(name)}:'
        f'<pre style="margin: 2px 0 2px 16px">{html.escape(text)}</pre></div>'
    )


def _lines(name: str, text: str) -> str:
    first, *rest = text.splitlines() or [""]
    indent = " " * (len(name) + 4)
    return "\n".join([f"  {name}: {first}", *(indent + line for line in rest)])
