"""What an exercise is: one object that holds its name, reference, cases, known mistakes and hints."""

import inspect
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

Arguments = tuple[Any, ...]  # of one call: tensors, numbers, lists, functions


class Draw:
    """Random inputs from a generator of its own: the same on every machine, whatever seed the learner has set.

    Parameters
    ----------
    seed : int
        Of the generator.
    """

    def __init__(self, seed: int) -> None:
        self._generator = torch.Generator(device="cpu").manual_seed(seed)

    def __call__(self, *shape: int, scale: float = 1.0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Draw normal numbers of the given shape, with the standard deviation `scale`."""
        numbers = torch.randn(*shape, generator=self._generator, dtype=torch.float64, device="cpu")
        return (numbers * scale).to(dtype)

    def apart(self, *shape: int, scale: float = 1.0) -> torch.Tensor:
        """Draw as a call does, but not contiguous: the numbers do not lie one after the other in memory."""
        return self(*shape[:-1], 2 * shape[-1], scale=scale)[..., ::2]

    def whole(self, *shape: int, below: int) -> torch.Tensor:
        """Draw whole numbers from 0 up to, not including, `below`."""
        return torch.randint(below, shape, generator=self._generator, device="cpu")

    def weights(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Draw attention weights: each row is positive and sums to 1."""
        return torch.softmax(self(*shape, dtype=dtype), -1)


@dataclass(frozen=True)
class Mistake:
    """A mistake that people make, told by a function that makes it.

    Attributes
    ----------
    id : str
        Short name, unique in its exercise.
    makes : callable
        Takes what the exercise's function takes, and returns the wrong result (or raises).
    message : str
        One or two sentences for the learner: which mistake, and where to think; never the solution.
    """

    id: str
    makes: Callable[..., Any]
    message: str


@dataclass(frozen=True)
class Exercise:
    """All there is to one exercise.

    Attributes
    ----------
    name : str
        What the learner's function is called, unique in the course.
    lesson : int
        Number of the lesson.
    statement : str
        What the function must do, in one line.
    reference : callable
        A right function; its argument names are the names that messages use.
    cases : callable
        Takes a `Draw`, returns the inputs to try, each a tuple of arguments. The first is the lesson's example, the
        second has the same sizes and other numbers. Among the rest: one element, one token, a large one, float64, not
        contiguous, and all sizes different in most.
    verified : str
        Ends the sentence "Right: ...".
    mistakes : sequence of Mistake
        At least four.
    hints : sequence of str
        Two or three, each saying more.
    gradient : bool
        Whether the result must pass gradients on to the inputs.
    banned : dict of str
        Functions that the statement forbids, by their names in code, such as "scaled_dot_product_attention"; each with
        what is said to someone who calls it.
        A keyword argument is forbidden by its name in the same way.
    never_made : callable or None
        Takes the arguments, and gives the shapes that no tensor on the way may have, and what is said where one has.
    left_out : callable
        Gives a sentence on what could not be tried on this machine, or "".
    arguments : list of str
        Names of the arguments of `reference`.
    """

    name: str
    lesson: int
    statement: str
    reference: Callable[..., Any]
    cases: Callable[[Draw], list[Arguments]]
    verified: str
    mistakes: Sequence[Mistake]
    hints: Sequence[str]
    gradient: bool = True
    banned: Mapping[str, str] = field(default_factory=dict)
    never_made: Callable[..., tuple[Sequence[tuple[int, ...]], str]] | None = None
    left_out: Callable[[], str] = str
    arguments: list[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", list(inspect.signature(self.reference).parameters))

    def draw_cases(self) -> list[Arguments]:
        """Make fresh inputs, the same at each call, so that nothing a function does to its inputs is felt later."""
        return self.cases(Draw(zlib.crc32(self.name.encode())))
