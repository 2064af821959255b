"""What a check says in every exercise; what it says in one alone stands with that, in helpers/exercises/lesson_NN.py.

Each function here gives one message. When it is said is decided by whoever calls it: `judge`, `compare`, `diagnose` and
`gradients`.
"""

from collections.abc import Sequence

from helpers.checks.verdict import Finding
from helpers.wording import counted, first_line, listed


def quoted(names: Sequence[str]) -> str:
    """Names as code, joined as in a sentence: "`a`, `b` and `c`"."""
    return listed([f"`{name}`" for name in names])


# --- before the function is called ---


def untried(name: str) -> str:
    """What to do with a stub."""
    return f'Put your code in place of `...` and run this cell again. `hint("{name}")` gives a hint.'


def not_a_function(name: str) -> Finding:
    """Something else was handed in, such as the result of a call."""
    message = f'`check` needs the function itself, without brackets: `check("{name}", {name})`.'
    return Finding("not-a-function", message)


def wrong_arguments(takes: list[str], needs: list[str]) -> Finding:
    """The function takes other arguments than it must."""
    return Finding("arguments", f"Your function takes {_arguments(takes)}, but must take {_arguments(needs)}.")


def _arguments(names: list[str]) -> str:
    if not names:
        return "no arguments"
    return f"{counted(len(names), 'argument')}: {', '.join(f'`{name}`' for name in names)}"


# --- right ---


def right(verified: str, n_inputs: int, gradient: bool, left_out: str) -> str:
    """What was verified, and on how many inputs."""
    return f"{verified} Tried on {n_inputs} inputs{' and with gradients' if gradient else ''}. {left_out}".rstrip()


def settings_remark(settings: list[str]) -> str:
    """Which global settings the function changes."""
    return f"One remark: your function changes {' and '.join(settings)}; it was set back."


def precision_remark(got: str, want: str) -> str:
    """The numbers are right, but in another floating-point dtype."""
    return f"One remark: for an input of {want} your result is {got}; better keep the input's dtype."


# --- the function was stopped ---


def waiting(seconds: float) -> Finding:
    """It used its time up, but hardly any processor."""
    message = (
        f"Your function was stopped after more than {seconds:g} seconds, most of which it spent waiting. Does it "
        "sleep, or wait for something that never comes?"
    )
    return Finding("waiting", message)


def too_slow(seconds: float, sizes: str) -> Finding:
    """It was right on all inputs before a larger one."""
    message = (
        f"Your function is right so far, but was stopped after {seconds:g} seconds on a larger input, {sizes}. Can "
        "whole rows be computed at once?"
    )
    return Finding("too-slow", message)


def endless(seconds: float) -> Finding:
    """It was still at work."""
    message = (
        f"Your function was stopped after more than {seconds:g} seconds. Is there a loop in it that never ends, or a "
        "number that is far too large?"
    )
    return Finding("endless", message)


def busy(seconds: float) -> str:
    """Other programs had the processor, so that nothing can be said about the function."""
    return (
        f"The check was given up after {seconds:.1f} seconds, because other programs keep this computer busy. Run the "
        "cell again."
    )


def crash(signal: str) -> Finding:
    """Python itself broke down; `signal` is the system's name for how."""
    message = (
        f"Your function makes Python itself crash ({signal}), so it was not tried any further. Does it call itself "
        "without end, or reach into memory by hand?"
    )
    return Finding("crash", message)


# --- the result is not what can be compared ---


def unreadable(error: Exception) -> Finding:
    """The result raised an error while it was looked at."""
    what = f"{type(error).__name__}: {first_line(error)}"
    return Finding("unreadable", f"Your function returns something that cannot be looked at: {what}")


def returns_nothing() -> Finding:
    """There is no `return`."""
    return Finding("no-return", "Your function returns nothing. Its last line must hand the result back.")


def only_prints() -> Finding:
    """There is a `print` in place of `return`."""
    message = "Your function prints, but returns nothing. Printing only shows a result; `return` hands it back."
    return Finding("no-return", message)


def wrong_type(returned: str, needed: str) -> Finding:
    """The result is of another type."""
    return Finding("type", f"Your function returns {returned}, but must return {needed}.")


def wrong_type_in_list(held: str) -> Finding:
    """The result is a list, but not of numbers."""
    return Finding("type", f"Your list holds {held}, but must hold whole numbers.")


def numpy_array() -> Finding:
    """The result is a numpy array."""
    message = "Your function returns a numpy array, but must return a tensor: numpy cannot pass gradients on."
    return Finding("numpy", message)


# --- the numbers are of the wrong kind ---


def not_boolean(dtype: str) -> Finding:
    """A mask holds numbers."""
    message = f'Your result holds numbers ({dtype}), but a mask must be boolean: True means "may attend".'
    return Finding("not-boolean", message)


def whole_numbers(dtype: str) -> Finding:
    """The result holds whole numbers in place of floats."""
    message = (
        f"Your result holds whole numbers ({dtype}), but must hold floats: what comes after it multiplies and takes "
        "roots, and whole numbers cut the digits off."
    )
    return Finding("integer", message)


def half_precision(dtype: str) -> Finding:
    """The result holds few digits."""
    message = (
        f"Your result is in half precision ({dtype}), which keeps only about three digits. Stay in the dtype of the "
        "input."
    )
    return Finding("half-precision", message)


# --- the numbers are wrong ---


def shape(got: str, want: str) -> Finding:
    """The result has another shape."""
    return Finding("shape", f"Your result has the shape {got}, but {want} is expected.")


def unforeseen(n_wrong: int, n_inputs: int) -> Finding:
    """The mistake has no name."""
    how_many = f"on {n_wrong} of {n_inputs} inputs" if n_wrong < n_inputs else "on every input"
    message = f"Your result differs from what is expected {how_many}. This is the smallest of them."
    return Finding("unforeseen", message)


def constant(right_once: bool, arguments: list[str]) -> Finding:
    """The result is the same for all inputs; with `right_once` it is that of the lesson's example."""
    example = "the result of the lesson's example whatever the input is"
    what = example if right_once else "the same whatever the input is"
    return Finding("constant", f"Your function returns {what}. Compute it from {quoted(arguments)}.")


_WRITTEN_OUT = "Is a number written out in your code, or in a `range`, that should come from the input's shape?"


def one_size(which: str, size: int) -> Finding:
    """The function is right for one size of one input; `which` says it up to "is": "the length of `x` is"."""
    where = f"only when {which} {size}, as in the lesson's example"
    return Finding("one-size", f"Your function is right {where}. {_WRITTEN_OUT}")


def example_sizes(sizes: str) -> Finding:
    """The function is right for the sizes of the lesson's example alone."""
    where = f"for the sizes of the lesson's example, {sizes}, and for no others"
    return Finding("one-size", f"Your function is right {where}. {_WRITTEN_OUT}")


def overflow() -> Finding:
    """The result holds no finite numbers."""
    message = (
        "Your function gives nan or infinity where finite numbers are expected. Look at the largest number that passes "
        "through it, and at divisions by zero."
    )
    return Finding("overflow", message)


def changed_input(names: list[str]) -> Finding:
    """The function changes its inputs, which is a mistake also where all results are right."""
    message = (
        f"Your function changes its input {quoted(names)} in place, so whoever called it finds other numbers there. "
        "Make a new tensor instead: mind `+=`, `*=`, assignments to elements and names that end in `_`."
    )
    return Finding("in-place", message)


def transposed() -> Finding:
    """Rows and columns are exchanged."""
    message = "Your numbers are right, but rows and columns are exchanged. Which of the two are the rows?"
    return Finding("transposed", message)


def extra_dimension(got: str, want: str) -> Finding:
    """The shapes differ in dimensions of size 1."""
    message = (
        f"Your numbers are right, but their shape is {got} where {want} is expected: a dimension of size 1 is too many "
        "or missing."
    )
    return Finding("extra-dimension", message)


def random() -> Finding:
    """Two calls give two results."""
    message = (
        "Your function gives another result each time it is called with the same input: something in it is drawn at "
        "random, or is kept from one call to the next."
    )
    return Finding("random", message)


# --- the function stops with an error ---

# parts of what torch says when shapes do not go together
_SIZES_DIFFER = ("cannot be multiplied", "must match", "Expected size", "size mismatch", "inconsistent tensor size")


def stopped_with(error: BaseException, where: str) -> Finding:
    """What the error means; `where` names the inputs, where it does not come for all."""
    if isinstance(error, RecursionError):
        return Finding("recursion", f"Your function calls itself without end{where}.")
    if isinstance(error, SystemExit):
        return Finding("exit", f"Your function ends the program{where}. It must return its result.")
    if isinstance(error, KeyboardInterrupt):
        return Finding("interrupted", f"Your function was interrupted{where}. Run the cell again.")
    if isinstance(error, MemoryError) or "allocate memory" in first_line(error):
        message = f"Your function asks for more memory than there is{where}. Which shape grows so large?"
        return Finding("memory", message)
    if isinstance(error, RuntimeError) and any(part in first_line(error) for part in _SIZES_DIFFER):
        advice = "Write down the shape of each factor: which sizes must meet?"
        return Finding("error", f"Two sizes do not fit in your function{where}. {advice}")
    return Finding("error", f"Your function stops with an error{where}.")


# --- the numbers are right, the gradients are not ---


def too_slow_with_gradients(seconds: float) -> Finding:
    """The time was up with gradients only."""
    message = f"Your numbers are right, but with gradients it takes longer than {seconds:g} seconds."
    return Finding("too-slow", message)


def gradient_in_place() -> Finding:
    """A step in place overwrites what the gradient needs."""
    message = (
        "Your numbers are right, but a step in place, such as `/=`, overwrites what the gradient needs. Make a new "
        "tensor in that step."
    )
    return Finding("in-place-gradient", message)


def no_gradient(cutter: str) -> Finding:
    """No gradient reaches any input."""
    return Finding("gradient-cut", _cut_by(cutter))


def no_gradient_reaches(name: str, cutter: str) -> Finding:
    """No gradient reaches one of the inputs."""
    return Finding("gradient-cut", f"No gradient reaches `{name}`. {_cut_by(cutter)}")


def wrong_gradient(name: str, cutter: str) -> Finding:
    """A gradient reaches the input, but another one."""
    message = (
        f"Your numbers are right, but the gradient with respect to `{name}` is not: part of the way from it to the "
        f"result is cut or rounded. {_cut_by(cutter)}"
    )
    return Finding("gradient-wrong", message)


def _cut_by(cutter: str) -> str:
    return (
        f"The numbers are right, but {cutter} cuts the gradient: the result no longer knows what it was computed from, "
        "so nothing before it could learn. Stay with tensors and their operations."
    )
