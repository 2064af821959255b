"""What was tried in this kernel: the last verdicts, the hints that were given, the mistakes that come back."""

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from helpers.checks.verdict import WRONG, Hint, Verdict
from helpers.wording import listed

OFTEN = 3  # times that a mistake is made before something is said about it
_UNNAMED = {"unforeseen", "shape", "error"}  # found twice, it need not be the same mistake twice


@dataclass
class Memory:
    """What happened in a kernel.

    Attributes
    ----------
    last : str or None
        The exercise that was checked last.
    verdicts : dict of Verdict
        The last one of each exercise.
    hints : dict of list of Hint
        Those that were given, of each exercise, in their order.
    """

    last: str | None = None
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    hints: dict[str, list[Hint]] = field(default_factory=dict)
    _code: dict[str, Any] = field(default_factory=dict)
    _times: Counter[tuple[str, str]] = field(default_factory=Counter)
    _where: dict[str, list[str]] = field(default_factory=dict)

    def note(self, verdict: Verdict, function: Any, own: Set[str]) -> str:
        """Keep a verdict.

        Parameters
        ----------
        verdict : Verdict
            What a check has found.
        function : Any
            What was checked: the same code once more is not the same mistake once more.
        own : set of str
            Ids of the mistakes that this exercise alone knows. All others are counted over the whole course.

        Returns
        -------
        str
            A sentence for a learner who makes the same mistake again and again, or "".
        """
        name, mistake = verdict.exercise, verdict.mistake
        self.last = name
        self.verdicts[name] = verdict
        code = getattr(function, "__code__", None)
        again = code is not None and self._code.get(name) == code
        self._code[name] = code
        if mistake is None or mistake in _UNNAMED:
            return ""
        key = (name if mistake in own else "", mistake)
        if not again:
            self._times[key] += 1
            where = self._where.setdefault(mistake, [])
            where += [] if name in where else [name]
        if self._times[key] < OFTEN:
            return ""
        names = [] if mistake in own else self._where[mistake]
        among = f", in {listed([f'`{one}`' for one in names])}" if len(names) > 1 else ""
        return (
            f"You have made this mistake {self._times[key]} times{among}. Put a `print` after each line of your "
            "function and run the cell again: which line is the first to give something that you did not expect? "
            f'`hint("{name}")` starts from this mistake.'
        )

    def next_hint(self, name: str, hints: list[str]) -> list[Hint]:
        """Give one hint more: about the mistake that the last check named, or else the next one of the exercise.

        Parameters
        ----------
        name : str
            Of the exercise.
        hints : list of str
            Its hints, each saying more.

        Returns
        -------
        list of Hint
            All that were given so far, the newest last; the same as before where there are no more.
        """
        given = self.hints.setdefault(name, [])
        verdict = self.verdicts.get(name)
        known = {hint.text for hint in given}
        named = verdict is not None and verdict.status == WRONG and verdict.mistake not in _UNNAMED
        if verdict is not None and named and verdict.message not in known:
            given.append(Hint("Your last check", verdict.message, verdict.details))
            return given
        for number, text in enumerate(hints, 1):
            if text not in known:
                given.append(Hint(f"Hint {number} of {len(hints)}", text))
                break
        return given


memory = Memory()
