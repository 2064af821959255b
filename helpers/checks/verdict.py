"""What a check, a hint or the progress shows: one text for readers, one for JupyterLab."""

import html
import re
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
    """

    heading: str
    text: str

    def _repr_html_(self) -> str:
        return _box(_LOOKS.get(self.heading, _QUIET), self.heading, [_paragraph(self.text)])

    def __repr__(self) -> str:
        return f"{_LOOKS.get(self.heading, _QUIET)[0]} {self.heading}. {self.text}"


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
        Further sentences, shown last.
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
        return _box(_LOOKS[self.status], f"{self.status}: {self.exercise}", parts)

    def __repr__(self) -> str:
        lines = [f"{_LOOKS[self.status][0]} {self.status}: {self.exercise}. {self.message}"]
        if not self.folded:
            lines += [_lines(name, text) for name, text in self.details]
        if self.printed:
            lines.append(_lines("your function printed", self.printed))
        return "\n".join([*lines, *self.remarks])

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


def _paragraph(text: str) -> str:
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
    return f'<div style="margin: 4px 0">{marked}</div>'


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
