"""Try a learner's function on the cases of an exercise, and find out which mistake it makes."""

import dis
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import Any

import torch

from helpers.checks.compare import Complaint, comparable, finite, precision_remark, same, wrong_kind
from helpers.checks.exercise import Exercise, Mistake
from helpers.checks.sandbox import SECONDS, Budget, Outcome, call, neutral
from helpers.checks.side_by_side import can_be_drawn, shape_of, written
from helpers.checks.verdict import RIGHT, UNTRIED, WRONG, Verdict

MOST_PRINTED_LINES = 8


@dataclass
class Trial:
    """One case, and what the learner's function did with it.

    Attributes
    ----------
    arguments : the inputs, as they were before the call
    want : the expected result
    outcome : what the call did
    got : the result in the form of the expected one, or None
    complaint : why the result cannot be compared, or is of the wrong kind
    changed : names of the inputs that the call changed
    """

    arguments: tuple
    want: Any
    outcome: Outcome
    got: Any
    complaint: Complaint | None
    changed: list[str]

    @property
    def right(self) -> bool:
        return self.complaint is None and self.outcome.error is None and same(self.got, self.want)

    @property
    def size(self) -> int:
        return sum(_count(argument) for argument in self.arguments)

    @property
    def shape(self) -> tuple:
        return tuple(_shape(argument) for argument in self.arguments)


def judge(exercise: Exercise, function: Any) -> Verdict:
    """Try `function` on all cases. Never raises, whatever the function does or returns."""
    try:
        return _judge(exercise, function)
    except Exception as error:  # a result of the learner's own making, which does not let itself be looked at
        message = f"Your function returns something that cannot be looked at: {type(error).__name__}: {_words(error)}"
        return Verdict(WRONG, exercise.name, message, "unreadable")


def _judge(exercise: Exercise, function: Any) -> Verdict:
    problem = _cannot_be_called(exercise, function)
    if problem:
        return Verdict(WRONG, exercise.name, problem[1], problem[0])
    if _is_stub(function):
        return Verdict(
            UNTRIED,
            exercise.name,
            f'Put your code in place of `...` and run this cell again. `hint("{exercise.name}")` gives a hint.',
        )
    with neutral():
        budget = Budget()
        trials = _try_all(exercise, function, budget)
        verdict = _diagnose(exercise, function, trials, budget)
    verdict.printed = verdict.printed or _printed(trials[0].outcome.printed)
    settings = sorted({setting for trial in trials for setting in trial.outcome.settings})
    if settings:
        verdict.remarks.append(f"One remark: your function changes {' and '.join(settings)}; it was set back.")
    return verdict


# --- before anything runs ---


def _cannot_be_called(exercise: Exercise, function: Any) -> tuple[str, str] | None:
    if not callable(function):
        return (
            "not-a-function",
            f'`check` needs the function itself, without brackets: `check("{exercise.name}", {exercise.name})`.',
        )
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions written in C have none
        return None
    try:
        signature.bind(*exercise.arguments)
    except TypeError:
        takes, needs = list(signature.parameters), exercise.arguments
        return (
            "arguments",
            f"Your function takes {_counted(len(takes))}{_listed(takes)}, but must take "
            f"{_counted(len(needs))}{_listed(needs)}.",
        )
    return None


def _counted(count: int) -> str:
    return {0: "no arguments", 1: "1 argument"}.get(count, f"{count} arguments")


def _listed(names: list[str]) -> str:
    return ": " + ", ".join(f"`{name}`" for name in names) if names else ""


def _is_stub(function: Any) -> bool:
    """Whether the body does nothing: `...`, `pass`, a docstring, `return None`."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE):
        return False
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("RESUME", "NOP", "CACHE")]
    return all(step.opname in ("LOAD_CONST", "RETURN_CONST", "RETURN_VALUE") and step.argval is None for step in steps)


# --- trying ---


def _try_all(exercise: Exercise, function: Callable[..., Any], budget: Budget) -> list[Trial]:
    trials = []
    for arguments, given in zip(exercise.draw_cases(), exercise.draw_cases(), strict=True):
        trials.append(_try(exercise, function, arguments, given, budget))
        if trials[-1].outcome.timed_out:
            break
    return trials


def _try(exercise: Exercise, function: Callable[..., Any], arguments: tuple, given: tuple, budget: Budget) -> Trial:
    want = exercise.reference(*arguments)
    outcome = call(function, given, budget)
    got, complaint = None, None
    if outcome.error is None:
        try:
            got = comparable(outcome.value, want)
            complaint = wrong_kind(got, want)
        except Complaint as found:
            complaint = found
    changed = [
        name
        for name, before, after in zip(exercise.arguments, arguments, given, strict=True)
        if not _unchanged(before, after)
    ]
    return Trial(arguments, want, outcome, got, complaint, changed)


def _unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, torch.Tensor):
        return before.shape == after.shape and torch.equal(before, after.detach())
    return before == after


def _count(argument: Any) -> int:
    if isinstance(argument, torch.Tensor):
        return argument.numel()
    return len(argument) if isinstance(argument, (list, tuple, dict)) else 1


def _shape(argument: Any) -> Any:
    if isinstance(argument, torch.Tensor):
        return tuple(argument.shape)
    if isinstance(argument, (list, tuple, dict)):
        return len(argument)
    return argument if isinstance(argument, int) else type(argument)


# --- finding the mistake ---


def _diagnose(exercise: Exercise, function: Callable[..., Any], trials: list[Trial], budget: Budget) -> Verdict:
    wrong = sorted((trial for trial in trials if not trial.right), key=lambda trial: trial.size)
    if not wrong:
        return _all_numbers_right(exercise, function, trials, budget)
    if trials[-1].outcome.timed_out:
        return _too_slow(exercise, trials)
    first = wrong[0]
    for trial in trials:
        if trial.complaint is not None and trial.got is None:  # of the wrong type
            return _of_wrong_type(exercise, trial)
    known = _known_mistake(exercise, trials)
    if known is not None:
        return _explained(exercise, _telling(wrong), known.id, known.message)
    for find in (_constant, _one_size, _wrong_kind, _error, _overflow, _in_place, _turned, _extra_dimension):
        found = find(exercise, trials, wrong)
        if found is not None:
            return _explained(exercise, _telling(wrong), *found)
    if _is_random(function, first, budget):
        message = "Your function gives another result each time it is called: something in it is drawn at random."
        return Verdict(WRONG, exercise.name, message, "random")
    return _unforeseen(exercise, trials, first)


def _telling(wrong: list[Trial]) -> Trial:
    """The smallest case that raises, or else the smallest without a size of 1, where rows and columns differ."""
    if any(trial.outcome.error for trial in wrong):
        return next(trial for trial in wrong if trial.outcome.error)
    full = (trial for trial in wrong if not any(1 in size for size in trial.shape if isinstance(size, tuple)))
    return next(full, wrong[0])


def _known_mistake(exercise: Exercise, trials: list[Trial]) -> Mistake | None:
    """The known mistake that does what the learner's function does, on all cases, or else on those that work."""
    for strict in (True, False):
        for mistake in exercise.mistakes:
            if _does_the_same(exercise, mistake, trials, strict):
                return mistake
    return None


def _does_the_same(exercise: Exercise, mistake: Mistake, trials: list[Trial], strict: bool) -> bool:
    agreed_on_wrong = 0
    for trial, given in zip(trials, exercise.draw_cases(), strict=True):
        try:
            result, error = comparable(mistake.makes(*given), trial.want), None
        except Exception as raised:
            result, error = None, raised
        theirs = trial.outcome.error
        if not strict and (error or theirs or not finite(trial.got)):
            continue  # two mistakes at once: judge by the cases that the other one leaves alone
        if error or theirs:
            if type(error) is not type(theirs) or str(error) != str(theirs):
                return False
        elif not same(trial.got, result):
            return False
        agreed_on_wrong += not trial.right
    return agreed_on_wrong >= (1 if strict else 3)


Found = tuple[str, str] | None


def _constant(exercise: Exercise, trials: list[Trial], wrong: list[Trial]) -> Found:
    results = [trial.got for trial in trials]
    if any(result is None or not same(result, results[0]) for result in results[1:]):
        return None
    if trials[0].right:
        return "constant", (
            "Your function returns the result of the lesson's example whatever the input is. Compute it from "
            f"{_all_of(exercise.arguments)}."
        )
    return (
        "constant",
        f"Your function returns the same whatever the input is. Compute it from {_all_of(exercise.arguments)}.",
    )


def _one_size(exercise: Exercise, trials: list[Trial], wrong: list[Trial]) -> Found:
    if not trials[0].right or not trials[1].right:
        return None
    fits = [trial.right for trial in trials]
    advice = "Is a number written out in your code, or in a `range`, that should come from the input's shape?"
    for words, size_of in _sizes_of(exercise, trials[0]):
        size = size_of(trials[0])
        if [size_of(trial) == size for trial in trials] == fits:
            return "one-size", f"Your function is right only when {words} {size}, as in the lesson's example. {advice}"
    if [trial.shape == trials[0].shape for trial in trials] == fits:
        return "one-size", (
            f"Your function is right for the sizes of the lesson's example, {_sizes(exercise, trials[0])}, and for no "
            f"others. {advice}"
        )
    return None


def _sizes_of(exercise: Exercise, example: Trial) -> list[tuple[str, Callable[[Trial], Any]]]:
    """Each size of the inputs that a function could have written out: in words, and how to read it off a trial."""
    sizes = []
    for i, (name, argument) in enumerate(zip(exercise.arguments, example.arguments, strict=True)):
        if isinstance(argument, torch.Tensor):
            axes = {1: ["length"], 2: ["number of rows", "number of columns"]}.get(
                argument.ndim, [f"size of axis {axis}" for axis in range(argument.ndim)]
            )
            for axis, words in enumerate(axes):
                sizes.append((f"the {words} of `{name}` is", lambda trial, i=i, axis=axis: trial.shape[i][axis]))
        elif isinstance(argument, int) and not isinstance(argument, bool):
            sizes.append((f"`{name}` is", lambda trial, i=i: trial.arguments[i]))
        elif isinstance(argument, list):
            sizes.append((f"the length of `{name}` is", lambda trial, i=i: len(trial.arguments[i])))
    return sizes


def _wrong_kind(exercise: Exercise, trials: list[Trial], wrong: list[Trial]) -> Found:
    return next(((trial.complaint.id, trial.complaint.message) for trial in wrong if trial.complaint), None)


# parts of what torch says when shapes do not go together
_SIZES_DIFFER = ("cannot be multiplied", "must match", "Expected size", "size mismatch", "inconsistent tensor size")


def _error(exercise: Exercise, trials: list[Trial], wrong: list[Trial]) -> Found:
    raising = [trial for trial in wrong if trial.outcome.error]
    if not raising:
        return None
    error = raising[0].outcome.error
    where = "" if len(raising) == len(trials) else f" for {_sizes(exercise, raising[0])}, though not for every input"
    if isinstance(error, RecursionError):
        return "recursion", f"Your function calls itself without end{where}."
    if isinstance(error, SystemExit):
        return "exit", f"Your function ends the program{where}. It must return its result."
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", f"Your function was interrupted{where}. Run the cell again."
    if isinstance(error, MemoryError) or "allocate memory" in _words(error):
        return "memory", f"Your function asks for more memory than there is{where}. Which shape grows so large?"
    if isinstance(error, RuntimeError) and any(part in _words(error) for part in _SIZES_DIFFER):
        return "error", (
            f"Two sizes do not fit in your function{where}. Write down the shape of each factor: which sizes must meet?"
        )
    return "error", f"Your function stops with an error{where}."


def _overflow(exercise: Exercise, trials: list[Trial], wrong: list[Trial]) -> Found:
    if any(finite(trial.got) or not finite(trial.want) for trial in wrong):
        return None
    return "overflow", (
        "Your function gives nan or infinity where finite numbers are expected. Look at the largest number that "
        "passes through it, and at divisions by zero."
    )


def _in_place(exercise: Exercise, trials: list[Trial], wrong: list[Trial]) -> Found:
    changed = next((trial.changed for trial in trials if trial.changed), None)
    if not changed:
        return None
    return "in-place", (
        f"Your function changes its input {_all_of(changed)} in place, so whoever called it finds other numbers there. "
        "Make a new tensor instead: mind `+=`, `*=`, assignments to elements and names that end in `_`."
    )


def _turned(exercise: Exercise, trials: list[Trial], wrong: list[Trial]) -> Found:
    for trial in wrong:
        if not isinstance(trial.want, torch.Tensor) or min(trial.got.ndim, trial.want.ndim) < 2:
            return None
        if not same(trial.got.mT, trial.want):
            return None
    return "transposed", "Your numbers are right, but rows and columns are exchanged. Which of the two are the rows?"


def _extra_dimension(exercise: Exercise, trials: list[Trial], wrong: list[Trial]) -> Found:
    for trial in wrong:
        if not isinstance(trial.want, torch.Tensor) or trial.got.shape == trial.want.shape:
            return None
        if not same(trial.got.squeeze(), trial.want.squeeze()):
            return None
    got, want = shape_of(wrong[0].got), shape_of(wrong[0].want)
    return (
        "extra-dimension",
        f"Your numbers are right, but their shape is {got} where {want} is expected: a "
        "dimension of size 1 is too many or missing.",
    )


def _is_random(function: Callable[..., Any], trial: Trial, budget: Budget) -> bool:
    if isinstance(trial.want, torch.Tensor) and budget.left > 0.1:
        results = []
        for seed in (1, 2):
            torch.manual_seed(seed)
            results.append(call(function, tuple(_copy(argument) for argument in trial.arguments), budget).value)
        return isinstance(results[0], torch.Tensor) and not same(*results)
    return False


# --- putting it into words ---


def _too_slow(exercise: Exercise, trials: list[Trial]) -> Verdict:
    last = trials[-1]
    if len(trials) > 2 and all(trial.right for trial in trials[:-1]):
        message = (
            f"Your function is right so far, but was stopped after {SECONDS:g} seconds on a larger input, "
            f"{_sizes(exercise, last)}. Can whole rows be computed at once?"
        )
        return Verdict(WRONG, exercise.name, message, "too-slow", _place_of(last))
    message = f"Your function was stopped after {SECONDS:g} seconds. Is there a loop in it that never ends?"
    return Verdict(WRONG, exercise.name, message, "endless", _place_of(last), printed=_printed(last.outcome.printed))


def _of_wrong_type(exercise: Exercise, trial: Trial) -> Verdict:
    id, message = trial.complaint.id, trial.complaint.message
    if id == "no-return" and trial.outcome.printed:
        message = "Your function prints, but returns nothing. Printing only shows a result; `return` hands it back."
    return Verdict(WRONG, exercise.name, message, id, printed=_printed(trial.outcome.printed))


def _explained(exercise: Exercise, trial: Trial, id: str, message: str) -> Verdict:
    if trial.outcome.error is not None:
        error = trial.outcome.error
        details = [("Python says", f"{type(error).__name__}: {_words(error)}"), *_place_of(trial)]
        return Verdict(WRONG, exercise.name, message, id, details, printed=_printed(trial.outcome.printed))
    return Verdict(
        WRONG,
        exercise.name,
        message,
        id,
        _numbers_of(exercise, trial),
        _tables_of(trial),
        folded=True,
        printed=_printed(trial.outcome.printed),
    )


def _unforeseen(exercise: Exercise, trials: list[Trial], trial: Trial) -> Verdict:
    n_wrong = sum(not other.right for other in trials)
    how_many = f"on {n_wrong} of {len(trials)} inputs" if n_wrong < len(trials) else "on every input"
    if isinstance(trial.want, torch.Tensor) and trial.got.shape != trial.want.shape:
        id = "shape"
        message = f"Your result has the shape {shape_of(trial.got)}, but {shape_of(trial.want)} is expected."
    else:
        id = "unforeseen"
        message = f"Your result differs from what is expected {how_many}. This is the smallest of them."
    return Verdict(
        WRONG,
        exercise.name,
        message,
        id,
        _numbers_of(exercise, trial),
        _tables_of(trial),
        printed=_printed(trial.outcome.printed),
    )


def _numbers_of(exercise: Exercise, trial: Trial) -> list[tuple[str, str]]:
    inputs = [(name, written(value)) for name, value in zip(exercise.arguments, trial.arguments, strict=True)]
    return [*inputs, ("your result", written(trial.got)), ("expected", written(trial.want))]


def _tables_of(trial: Trial) -> tuple[Any, Any] | None:
    return (trial.got, trial.want) if can_be_drawn(trial.got, trial.want) else None


def _place_of(trial: Trial) -> list[tuple[str, str]]:
    return [("in your code", trial.outcome.place)] if trial.outcome.place else []


def _sizes(exercise: Exercise, trial: Trial) -> str:
    parts = []
    for name, argument in zip(exercise.arguments, trial.arguments, strict=True):
        if isinstance(argument, torch.Tensor):
            parts.append(f"`{name}` {shape_of(argument)}")
        elif isinstance(argument, (list, dict)):
            parts.append(f"`{name}` of {len(argument)}")
        else:
            parts.append(f"`{name}` {argument}")
    return ", ".join(parts)


def _all_of(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _words(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # an exception of the learner's own making
        text = "(its text cannot be shown)"
    lines = text.strip().splitlines()
    return lines[0][:300] if lines else ""


def _printed(text: str) -> str:
    lines = text.rstrip().splitlines()
    shown = [line[:200] for line in lines[:MOST_PRINTED_LINES]]
    return "\n".join([*shown, "..."] if len(lines) > len(shown) else shown)


# --- when all numbers are right ---


def _all_numbers_right(
    exercise: Exercise, function: Callable[..., Any], trials: list[Trial], budget: Budget
) -> Verdict:
    found = _in_place(exercise, trials, [])
    if found is None and exercise.gradient:
        found = _gradient(exercise, function, trials[1].arguments, budget)
    if found is not None:
        return Verdict(WRONG, exercise.name, found[1], found[0])
    remark = next(filter(None, (precision_remark(trial.got, trial.want) for trial in trials)), None)
    message = f"{exercise.verified} Tried on {len(trials)} inputs{' and with gradients' if exercise.gradient else ''}."
    message = f"{message} {exercise.left_out()}".rstrip()
    return Verdict(RIGHT, exercise.name, message, remarks=[remark] if remark else [])


def _gradient(exercise: Exercise, function: Callable[..., Any], arguments: tuple, budget: Budget) -> Found:
    """Whether the result passes gradients on to the inputs as the reference does."""
    given, own = (tuple(_leaf(argument) for argument in arguments) for _ in range(2))
    outcome = call(lambda *inputs: _gradients(function(*inputs), given), given, budget)
    if outcome.timed_out:
        return "too-slow", f"Your numbers are right, but with gradients it takes longer than {SECONDS:g} seconds."
    if outcome.error is not None:
        if "inplace" in _words(outcome.error):
            return "in-place-gradient", (
                "Your numbers are right, but a step in place, such as `/=`, overwrites what the gradient needs. Make a "
                "new tensor in that step."
            )
        return "gradient-cut", _cut_by(function)
    theirs, wanted = outcome.value, _gradients(exercise.reference(*own), own)
    if theirs is None:
        return "gradient-cut", _cut_by(function)
    for name, got, want in zip(_differentiable(exercise, arguments), theirs, wanted, strict=True):
        if not same(got, want):
            if not got.any():
                return "gradient-cut", f"No gradient reaches `{name}`. {_cut_by(function)}"
            return "gradient-wrong", (
                f"Your numbers are right, but the gradient with respect to `{name}` is not: part of the way from it "
                f"to the result is cut or rounded. {_cut_by(function)}"
            )
    return None


def _gradients(result: Any, inputs: tuple) -> list[torch.Tensor] | None:
    parts = result if isinstance(result, (tuple, list)) else (result,)
    if not any(part.requires_grad for part in parts):
        return None
    generator = torch.Generator().manual_seed(0)
    loss = sum((part * torch.randn(part.shape, generator=generator, dtype=part.dtype)).sum() for part in parts)
    leaves = [value for value in inputs if isinstance(value, torch.Tensor) and value.requires_grad]
    return list(torch.autograd.grad(loss, leaves, allow_unused=True, materialize_grads=True))


def _leaf(argument: Any) -> Any:
    copy = _copy(argument)
    return copy.requires_grad_() if isinstance(copy, torch.Tensor) and copy.is_floating_point() else copy


def _copy(argument: Any) -> Any:
    return argument.clone() if isinstance(argument, torch.Tensor) else argument


def _differentiable(exercise: Exercise, arguments: tuple) -> list[str]:
    pairs = zip(exercise.arguments, arguments, strict=True)
    return [name for name, value in pairs if isinstance(value, torch.Tensor) and value.is_floating_point()]


# name used in the learner's code: how to call it in a message
_CUTTERS = {
    "detach": "`.detach()`",
    "item": "`.item()`",
    "numpy": "numpy",
    "asarray": "numpy",
    "array": "numpy",
    "from_numpy": "numpy",
    "tolist": "`.tolist()`",
    "no_grad": "`torch.no_grad()`",
    "data": "`.data`",
    "inference_mode": "`torch.inference_mode()`",
    "tensor": "`torch.tensor(...)`",
    "float": "`float(...)`",
    "round": "rounding",
}


def _cut_by(function: Any) -> str:
    names = _names_in(getattr(function, "__code__", None))
    cutter = next((words for name, words in _CUTTERS.items() if name in names), "something in it")
    return (
        f"The numbers are right, but {cutter} cuts the gradient: the result no longer knows what it was computed from, "
        "so nothing before it could learn. Stay with tensors and their operations."
    )


def _names_in(code: Any) -> set[str]:
    if not isinstance(code, CodeType):
        return set()
    return set(code.co_names).union(*(_names_in(part) for part in code.co_consts))
