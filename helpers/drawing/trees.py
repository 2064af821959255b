"""A beam drawn as a tree: what each step keeps, what it drops, and where the greedy path ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from helpers.drawing import colours
from helpers.drawing.paper import SMALL, WIDEST, Point, box, curve, page, text_width, write
from helpers.drawing.picture import INK, PAPER, QUIET, Picture, style
from helpers.wording import counted, listed

GREEDY, BEST = colours.KEY, colours.OUTPUT
MOST_STEPS, MOST_CANDIDATES = 4, 6
ROW, HEAD, FOOT = 0.46, 0.45, 0.75  # inches

Tokens = tuple[str, ...]


@dataclass(frozen=True)
class _Tree:
    """The candidates of each step with their probabilities, the best first, and the two paths that are drawn bold."""

    steps: list[dict[Tokens, float]]
    width: int
    greedy: Tokens

    @property
    def best(self) -> Tokens:
        return next(iter(self.steps[-1]))

    def kept(self, step: int) -> list[Tokens]:
        return list(self.steps[step])[: self.width]

    def rows(self) -> list[list[Tokens]]:
        """The candidates of each step from top to bottom, those of one parent together, so that no branches cross."""
        rows: list[list[Tokens]] = [[()]]
        for step in self.steps:
            rows.append([tokens for parent in rows[-1] for tokens in step if tokens[:-1] == parent])
        return rows[1:]

    def role(self, tokens: Tokens) -> colours.Role | None:
        """Whose path leads through these tokens, if any: the best one's before the greedy one's."""
        for role, path in ((BEST, self.best), (GREEDY, self.greedy)):
            if path[: len(tokens)] == tokens:
                return role
        return None


def beam_tree(
    beginning: str,
    probability: float,
    steps: Sequence[Sequence[tuple[Sequence[str], float]]],
    width: int,
    greedy: Sequence[str],
) -> Picture:
    """Draw a beam search: from left to right its steps, each with the candidates that it kept and those it dropped.

    Parameters
    ----------
    beginning : str
        The text before the first step.
    probability : float
        Of this beginning.
    steps : list of list of (tokens, probability)
        1 to 4 steps, each with 1 to 6 candidates, the best first: the tokens since the beginning, one more in each
        step, and the probability of the whole text up to there.
    width : int
        How many candidates each step keeps.
    greedy : list of str
        The tokens that greedy decoding takes; they must be among the candidates.

    Returns
    -------
    Picture
        The tree. Each branch carries the probability of its token, each token that of the text up to it. The greedy
        path and the path to the best text are told apart by colour and by words.

    Raises
    ------
    ValueError
        More steps or candidates than fit, a candidate that continues none that was kept, a greedy path that is not in
        the tree.
    """
    tree = _Tree([{tuple(tokens): float(p) for tokens, p in step} for step in steps], width, tuple(greedy))
    _check(tree)
    left = 0.1 + max(text_width(beginning, bold=True) + 0.14, 0.5)
    step_width = (WIDEST - 0.1 - left) / len(tree.steps)
    high = ROW * max(len(row) for row in tree.rows())
    with style():
        figure, axes = page(WIDEST, HEAD + high + FOOT)
        middle = HEAD + high / 2
        box(axes, 0.1, middle - 0.15, left - 0.1, 0.3, edge=colours.INPUT.line, fill=colours.INPUT.tint)
        write(axes, (0.1 + left) / 2, middle + 0.05, beginning, bold=True, va="baseline")
        write(axes, (0.1 + left) / 2, middle + 0.35, f"{probability:.2f}", size=SMALL, va="baseline")
        ends: dict[Tokens, tuple[Point, float]] = {(): ((left, middle), probability)}
        for k, row in enumerate(tree.rows()):
            x = left + step_width * (k + 0.52)  # left edge of this step's tokens
            write(axes, x, 0.2, f"step {k}", size=SMALL, colour=QUIET, ha="left", va="baseline")
            for i, tokens in enumerate(row):
                y = middle + ROW * (i - (len(row) - 1) / 2)
                start, before = ends[tokens[:-1]]
                p = tree.steps[k][tokens]
                _branch(axes, start, (x, y), p / before, tree.role(tokens))
                end = _candidate(axes, (x, y), tokens[-1], p, tree.role(tokens), tokens in tree.kept(k))
                ends[tokens] = ((end, y), p)
        _captions(axes, HEAD + high + 0.3, beginning, tree)
    return Picture(figure, _alt(beginning, tree))


def _check(tree: _Tree) -> None:
    if not 1 <= len(tree.steps) <= MOST_STEPS or not all(1 <= len(step) <= MOST_CANDIDATES for step in tree.steps):
        raise ValueError(f"steps must be 1 to {MOST_STEPS}, each with 1 to {MOST_CANDIDATES} candidates, to be drawn.")
    parents: list[Tokens] = [()]
    for k, step in enumerate(tree.steps):
        for tokens in step:
            if tokens[:-1] not in parents:
                raise ValueError(f"candidate {''.join(tokens)!r} of step {k} continues none that was kept before.")
        parents = tree.kept(k)
    if tree.greedy not in tree.steps[-1]:
        raise ValueError(f"greedy must end in the last step, but {''.join(tree.greedy)!r} is not among its candidates.")


def _branch(axes: Axes, start: Point, end: Point, p: float, role: colours.Role | None) -> None:
    """A branch with the probability of its token."""
    curve(axes, start, end, role.line if role else "#bdbdbd", 2.4 if role else 1.1)
    x, y = start[0] + 0.68 * (end[0] - start[0]), start[1] + 0.84 * (end[1] - start[1])
    write(axes, x, y, f"{p:.2f}", size=SMALL, colour=role.text if role else QUIET, on_line=True)


def _candidate(axes: Axes, place: Point, token: str, p: float, role: colours.Role | None, kept: bool) -> float:
    """A token in its box, and the probability of the text up to it; gives where the next branch starts."""
    x, y = place
    wide = max(text_width(token, bold=kept) + 0.14, 0.3)
    role = role or colours.INPUT
    edge, fill = (role.line, role.tint) if kept else ("#bdbdbd", PAPER)
    box(axes, x, y - 0.15, wide, 0.3, edge=edge, fill=fill, thick=1.4 if kept else 0.8)
    write(axes, x + wide / 2, y + 0.05, token, bold=kept, colour=INK if kept else QUIET, va="baseline")
    write(axes, x + wide + 0.06, y, f"{p:.2f}", size=SMALL, colour=INK if kept else QUIET, ha="left")
    return x + wide + 0.06 + text_width("0.00", SMALL) + 0.06


def _captions(axes: Axes, y: float, beginning: str, tree: _Tree) -> None:
    for k, (name, path, role) in enumerate((("greedy", tree.greedy, GREEDY), ("beam", tree.best, BEST))):
        text = f"{name}: {beginning}{''.join(path)}, probability {tree.steps[-1][path]:.2f}"
        write(axes, 0.1 + k * WIDEST / 2, y, text, colour=role.text, bold=True, ha="left", va="baseline")
    words = f"bold box: among the {tree.width} that the step keeps; thin box: dropped"
    write(axes, 0.1, y + 0.28, words, size=SMALL, colour=QUIET, ha="left", va="baseline")


def _alt(beginning: str, tree: _Tree) -> str:
    said = []
    for k, step in enumerate(tree.steps):
        kept = tree.kept(k)
        named = {tokens: f'"{"".join(tokens)}" {p:.2f}' for tokens, p in step.items()}
        dropped = [named[tokens] for tokens in step if tokens not in kept]
        said.append(
            f"Step {k} keeps {listed([named[tokens] for tokens in kept])}"
            + (f" and drops {listed(dropped)}" if dropped else "")
        )
    last = tree.steps[-1]
    return (
        f'A beam of width {tree.width} drawn as a tree of {counted(len(tree.steps), "step")} from "{beginning}". '
        f'{". ".join(said)}. The greedy path ends at "{"".join(tree.greedy)}" with probability '
        f'{last[tree.greedy]:.2f}, the beam at "{"".join(tree.best)}" with {last[tree.best]:.2f}.'
    )
