"""The pages of a class: one for the teacher, without names, and one for each student."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from helpers.checks.verdict import RIGHT, UNTRIED, WRONG, marked_up
from helpers.exercises import exercises
from helpers.files import write_whole
from helpers.wording import counted
from tools.grade.grading import UNCHECKED, Found, Result
from tools.grade.notebooks import TITLE, course

CLASS, FEEDBACK = "class.html", "feedback"
AGAIN = 5  # exercises that are named first
MANY = 0.2  # of those who handed in the most frequent lesson must have handed in another for it to be named there
# Names that Windows keeps for itself
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.I)

STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --soft: #595959; --line: #b5b5b5; --box: #f3f3f3;
  --right: #00795a; --wrong: #c14d00; --rest: #8a8a8a; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --paper: #161616; --soft: #b3b3b3; --line: #555;
  --box: #242424; --right: #2dbd92; --wrong: #ff8a4c; --rest: #7d7d7d; } }
body { background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto;
  max-width: 56rem; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.25rem; }
p, ol, ul { margin: 0.4rem 0; } li { margin: 0.6rem 0; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { background: var(--box); overflow-x: auto; padding: 0.5rem; }
blockquote { border-left: 4px solid var(--wrong); margin: 0.4rem 0; padding: 0 0 0 0.75rem; }
.soft { color: var(--soft); }
.bar { background: var(--box); border: 1px solid var(--line); display: flex; height: 0.9rem; margin: 0.3rem 0; }
.bar span { display: block; }
.right { background: var(--right); } .wrong { background: var(--wrong); }
.rest { background: repeating-linear-gradient(45deg, var(--rest) 0 2px, transparent 2px 7px); }
table { border-collapse: collapse; margin: 0.5rem 0; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.5rem 0.3rem 0; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; width: 1%; }
caption { color: var(--soft); text-align: left; }
summary { cursor: pointer; }
@media print { details::details-content { content-visibility: visible; } body { max-width: none; }
  h3, blockquote, table { break-inside: avoid; } }
"""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


@dataclass
class Tally:
    """How a class did in one exercise.

    Attributes
    ----------
    name : str
        Of the exercise.
    lesson : int
        Number of its lesson.
    counts : Counter
        How many have each status.
    mistakes : list of (int, Found)
        How many made a mistake, and what one of them was told; the most frequent first.
    """

    name: str
    lesson: int
    counts: "Counter[str]"
    mistakes: list[tuple[int, Found]]

    @property
    def students(self) -> int:
        """How many handed the lesson in."""
        return sum(self.counts.values())

    @property
    def wrong(self) -> int:
        """How many tried, and have not solved it."""
        return self.counts[WRONG]

    @property
    def untried(self) -> int:
        """How many have not tried, or taken the check away."""
        return self.counts[UNTRIED] + self.counts[UNCHECKED]


def tallies(results: Iterable[Result]) -> list[Tally]:
    """Count what a class found, exercise by exercise.

    Parameters
    ----------
    results : iterable of Result
        Of all students.

    Returns
    -------
    list of Tally
        In the order of the course.
    """
    given: dict[str, list[Found]] = {}
    for result in results:
        for lesson in result.lessons.values():
            for name, found in lesson.items():
                given.setdefault(name, []).append(found)
    known = exercises()
    return [
        Tally(name, known[name].lesson, Counter(found.status for found in given[name]), _mistakes(given[name]))
        for name in known
        if name in given
    ]


def _mistakes(found: Iterable[Found]) -> list[tuple[int, Found]]:
    made: dict[str, list[Found]] = {}
    for one in found:
        if one.status == WRONG:
            made.setdefault(one.mistake, []).append(one)
    return sorted(((len(same), same[0]) for same in made.values()), key=lambda row: (-row[0], row[1].mistake))


# --- the class ---


def class_page(results: Sequence[Result], finished: bool = True) -> str:
    """Show what a class can and cannot do yet, without a name.

    Parameters
    ----------
    results : sequence of Result
        Of all students.
    finished : bool
        Whether all have been graded.

    Returns
    -------
    str
        HTML that needs nothing else.
    """
    counted_up = tallies(results)
    handed = sum(_handed_in(result) for result in results)
    late = sum(result.late for result in results)
    troubled = sum(bool(result.problems) for result in results)
    marked = sum(bool(result.marks + result.records) for result in results)
    parts = ["<h1>What to teach again</h1>"]
    if not finished:
        parts.append("<p><strong>The run was ended early: this is a part of the class.</strong></p>")
    parts.append(
        f"<p>{counted(len(results), 'student')}, {handed} with a lesson of the course, {late} late. "
        f"For {troubled} something went wrong, and for {marked} something is worth a look: who and what stands in "
        f"<code>grades.csv</code>. There are no names on this page, so it can be shown to the class.</p>"
    )
    most = max((one.students for one in counted_up), default=0)
    widely = [one for one in counted_up if one.students >= most * MANY]  # one student is no class
    parts += [_teach_again(widely), _left_out(widely)]
    for lesson in sorted({one.lesson for one in counted_up}):
        parts.append(_lesson(lesson, [one for one in counted_up if one.lesson == lesson], results))
    return _page("What to teach again", "\n".join(filter(None, parts)))


def _handed_in(result: Result) -> bool:
    return any(found.status != UNCHECKED for given in result.lessons.values() for found in given.values())


def _teach_again(counted_up: Sequence[Tally]) -> str:
    hard = sorted((one for one in counted_up if one.wrong), key=lambda one: (-one.wrong / one.students, -one.wrong))
    if not hard:
        return "<p>Nobody who tried an exercise got it wrong.</p>" if counted_up else ""
    items = []
    for one in hard[:AGAIN]:
        count, told = one.mistakes[0]
        who = "All of them" if count == one.wrong else f"{count} of them"
        lead = (
            f"{who} made the same mistake, and were told:" if count > 1 else "Each made another mistake. One was told:"
        )
        items.append(
            f"<li><strong>{_exercise(one.name)}</strong>, lesson {one.lesson}: {one.wrong} of {one.students} tried and "
            f"did not solve it. {_asked(one.name)}<br>{lead if one.wrong > 1 else 'The mistake:'}"
            f"<blockquote>{marked_up(told.message)}</blockquote>{_case(told, 'An input for the board')}</li>"
        )
    return f"<h2>Start with these</h2>\n<p>Where the largest share tried in vain.</p>\n<ol>{''.join(items)}</ol>"


def _left_out(counted_up: Sequence[Tally]) -> str:
    rows = [one for one in counted_up if 2 * one.untried >= one.students]
    if not rows:
        return ""
    items = [
        f"<li>{_exercise(one.name)}, lesson {one.lesson}: {one.untried} of {one.students}</li>"
        for one in sorted(rows, key=lambda one: -one.untried / one.students)
    ]
    return f"<h2>Not tried by half of the class or more</h2>\n<ul>{''.join(items)}</ul>"


def _lesson(lesson: int, counted_up: Sequence[Tally], results: Sequence[Result]) -> str:
    students = max(one.students for one in counted_up)
    points = sorted(result.points(lesson) for result in results if lesson in result.lessons)
    spread = ", ".join(f"{points.count(n)} solved {n}" for n in sorted(set(points), reverse=True))
    parts = [
        f"<h2>{escape(_title(lesson))}</h2>",
        f"<p>{counted(students, 'student')}. Of {counted(len(counted_up), 'exercise')}: {spread}.</p>",
    ]
    return "\n".join(parts + [_tally(one) for one in counted_up])


def _tally(one: Tally) -> str:
    right = one.counts[RIGHT]
    parts = [
        f"<h3>{_exercise(one.name)}</h3>",
        f"<p>{_asked(one.name)}</p>",
        f"<p>{right} right, {one.wrong} not yet, {one.counts[UNTRIED]} not tried, "
        f"{one.counts[UNCHECKED]} not checked, of {one.students}</p>",
        '<div class="bar" aria-hidden="true">',
        *(
            f'<span class="{look}" style="width: {100 * count / one.students:.1f}%"></span>'
            for look, count in (("right", right), ("wrong", one.wrong), ("rest", one.untried))
            if count
        ),
        "</div>",
    ]
    if one.mistakes:
        rows = "".join(
            f'<tr><td class="number">{count}</td><td>{marked_up(told.message)} '
            f'<span class="soft">({escape(told.mistake)})</span></td></tr>'
            for count, told in one.mistakes
        )
        head = '<tr><th scope="col" class="number">students</th><th scope="col">what they were told</th></tr>'
        parts.append(f"<table><caption>Mistakes in {_exercise(one.name)}</caption>{head}{rows}</table>")
    return "\n".join(parts)


# --- a student ---


def feedback_page(result: Result) -> str:
    """Tell one student what was found; marks are for the teacher alone.

    Parameters
    ----------
    result : Result
        Of the student.

    Returns
    -------
    str
        HTML that needs nothing else.
    """
    parts = [f"<h1>Feedback for {escape(result.name)}</h1>"]
    parts.append(f"<p>{result.points()} of {counted(result.total(), 'exercise')} solved.</p>")
    if result.late:
        parts.append("<p>It was handed in late.</p>")
    if result.problems:
        parts.append("<h2>What went wrong</h2>\n<ul>" + "".join(f"<li>{escape(one)}</li>" for one in result.problems))
        parts.append("</ul>")
    if result.others:
        names = "".join(f"<li>{escape(one)}</li>" for one in result.others)
        parts.append(f"<h2>Files that are not notebooks</h2>\n<ul>{names}</ul>")
    for lesson, given in result.lessons.items():
        parts.append(f"<h2>{escape(_title(lesson))}: {result.points(lesson)} of {len(given)}</h2>")
        parts += [_feedback(name, found) for name, found in given.items()]
    return _page(f"Feedback for {result.name}", "\n".join(parts))


def _feedback(name: str, found: Found) -> str:
    sign = {RIGHT: "\u2713", WRONG: "\u2717"}.get(found.status, "\u25cb")
    parts = [f"<h3>{sign} {_exercise(name)}: {found.status.lower()}</h3>", f"<p>{_asked(name)}</p>"]
    if found.status == UNCHECKED:
        parts.append(f'<p>No <code>check("{escape(name)}", ...)</code> was reached.</p>')
    elif found.status == WRONG:
        parts.append(f"<blockquote>{marked_up(found.message)}</blockquote>")
        parts.append(_case(found, "See it on a small input"))
    elif found.status == RIGHT:
        parts.append(f"<p>{marked_up(found.message)}</p>")
    return "\n".join(filter(None, parts))


def write_feedback(results: Sequence[Result], folder: Path) -> None:
    """Write a page for each student, under a name that every system can have.

    Parameters
    ----------
    results : sequence of Result
        Of all students; their order decides between equal names.
    folder : Path
        In which `feedback` is made.

    Raises
    ------
    OSError
        It cannot be written to.
    """
    for result, name in zip(results, file_names(results), strict=True):
        write_whole(folder / FEEDBACK / name, feedback_page(result).encode("utf-8", "replace"))


def file_names(results: Sequence[Result]) -> list[str]:
    """Give each student's page a name: letters, digits and hyphens, none twice, also where case does not count."""
    taken: set[str] = set()
    names = []
    for result in results:
        plain = unicodedata.normalize("NFC", f"{result.name}-{result.number}" if result.number else result.name)
        stem = re.sub(r"[^\w-]+", "-", plain).strip("-_")[:50] or "student"
        stem = f"student-{stem}" if RESERVED.fullmatch(stem) else stem
        name, count = stem, 1
        while name.casefold() in taken:
            count += 1
            name = f"{stem}-{count}"
        taken.add(name.casefold())
        names.append(f"{name}.html")
    return names


# --- parts of both ---


def _page(title: str, body: str) -> str:
    return PAGE.format(title=escape(title), style=STYLE, body=body)


def _exercise(name: str) -> str:
    return f"<code>{escape(name)}</code>"


def _asked(name: str) -> str:
    return f'<span class="soft">Asked: {marked_up(exercises()[name].statement)}</span>'


def _case(found: Found, words: str) -> str:
    """What shows a mistake, closed until it is clicked."""
    tables = "".join(f'<p>{escape(head)}:</p><pre tabindex="0">{escape(text)}</pre>' for head, text in found.details)
    return f"<details><summary>{words}</summary>{tables}</details>" if tables else ""


def _title(lesson: int) -> str:
    text = "\n".join(cell.source for cell in course()[lesson].cells) if lesson in course() else ""
    found = TITLE.search(text)
    return f"Lesson {lesson}: {found[2]}" if found else f"Lesson {lesson}"
