"""What a check says in every exercise; what it says in one alone stands with that, in helpers/exercises/lesson_NN.py.

Each function here gives one message. When it is said is decided by whoever calls it: `judge`, `compare`, `diagnose` and
`gradients`.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

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
    if takes == needs:
        return Finding(
            "arguments", "Your function is called without the names of its arguments: drop the `*` before them."
        )
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


def float32_inside() -> str:
    """It stops for float64 inputs, and is right for the same in float32."""
    return (
        "One remark: for inputs in float64 your function stops, because it makes a float32 tensor of its own; "
        "`dtype=x.dtype`, or `x.new_zeros(...)`, makes one of the input's kind."
    )


def numpy_array() -> str:
    """The result is a numpy array."""
    return (
        "One remark: your function returns a numpy array. `torch.from_numpy` makes a tensor of it, but numpy passes no "
        "gradients on, so a model could not learn through it."
    )


def gradient_remark(found: Finding) -> str:
    """What keeps a model from learning through a function whose numbers are right."""
    return f"One remark: {found.message[0].lower()}{found.message[1:]}"


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


def list_for_tensor(of_tensors: bool) -> Finding:
    """The result is a list in place of a tensor."""
    maker = "`torch.stack` joins its parts to one" if of_tensors else "`torch.tensor` makes one of its numbers"
    return Finding("list", f"Your function returns a list, but must return a tensor. {maker}.")


def one_of_several(number: int, found: Finding) -> Finding:
    """One of several results is not what can be compared."""
    return Finding(found.id, f"Result {number + 1} of those that you return: {found.message}")


def several_things(count: int, wanted: str) -> Finding:
    """The result is a tuple in place of one tensor."""
    message = f"Your function returns {count} things, but must return {wanted} alone. Which of them is asked for?"
    return Finding("several", message)


def not_called(name: str) -> Finding:
    """A function is returned in place of its result."""
    return Finding("brackets-missing", f"Your function returns the function `{name}` itself. Round brackets call it.")


def sometimes_nothing() -> Finding:
    """There is a `return`, which is not reached."""
    message = (
        "For some inputs your function ends without reaching its `return`, and so returns nothing. When is the "
        "condition "
        "before it never fulfilled?"
    )
    return Finding("no-return", message)


# --- the numbers are of the wrong kind ---


def not_boolean(dtype: str) -> Finding:
    """A mask holds numbers."""
    return Finding("not-boolean", f"Your result holds numbers ({dtype}), but must hold True and False.")


def whole_numbers(dtype: str) -> Finding:
    """The result holds whole numbers in place of floats."""
    if dtype == "bool":
        return Finding("integer", "Your result holds True and False, but must hold numbers.")
    message = (
        f"Your result holds whole numbers ({dtype}), but must hold floats: a matrix of whole numbers cannot be "
        "multiplied "
        "with one of floats, and has no digits behind the point."
    )
    return Finding("integer", message)


def floats_for_whole_numbers(dtype: str) -> Finding:
    """The result holds floats in place of whole numbers."""
    message = (
        f"Your numbers are right, but they are floats ({dtype}). Whole numbers are asked for: `.long()` makes them."
    )
    return Finding("floats", message)


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


def unforeseen(n_wrong: int, n_inputs: int, where: str) -> Finding:
    """The mistake has no name; `where` says which part of the case shown is wrong."""
    how_many = f"on {n_wrong} of {n_inputs} inputs" if n_wrong < n_inputs else "on every input"
    return Finding("unforeseen", f"Your result differs from what is expected {how_many}. {where}")


def some_numbers(n_right: int, n_numbers: int, place: str, got: str, want: str) -> str:
    """How many numbers of a case are right, and the first that is not."""
    first = f"{place} holds {got} in place of {want}"
    if n_numbers == 1:
        return f"In the case below it is {got} in place of {want}."
    if n_right == 0:
        return f"In the case below no number is right: {first}."
    return f"In the case below {n_right} of {n_numbers} numbers are right; the first that is not: {first}."


def other_length(got: int, want: int) -> str:
    """A list is too short or too long."""
    return f"In the case below it holds {counted(got, 'number')}, where {want} are expected."


def of_several(which: list[bool], names: Sequence[str]) -> str:
    """Which of several results are right."""
    right = [name for name, is_right in zip(names, which, strict=True) if is_right]
    wrong = [name for name, is_right in zip(names, which, strict=True) if not is_right]
    if not right:
        return f"None of the {len(names)} results is right."
    return (
        f"Of the {len(names)} results the {listed(right)} {'is' if len(right) == 1 else 'are'} right, the "
        f"{listed(wrong)} not."
    )


def constant(right_once: bool, arguments: list[str]) -> Finding:
    """The result is the same for all inputs; with `right_once` it is that of the lesson's example."""
    example = "the result of the lesson's example whatever the input is"
    what = example if right_once else "the same whatever the input is"
    return Finding("constant", f"Your function returns {what}. Compute it from {quoted(arguments)}.")


_WRITTEN_OUT = "Is a number written out in your code that should come from what the function is given?"


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


def banned(message: str) -> Finding:
    """The numbers are right, but made in a way that the statement forbids; the exercise says how."""
    return Finding("banned", f"Your numbers are right, but {message}")


# --- how a wrong result lies to the expected one, on every input ---


def negative() -> Finding:
    """Every number has the other sign."""
    return Finding("negative", "Each of your numbers is right but for its sign. What is subtracted from what?")


def off_by_one() -> Finding:
    """Every number is 1 too large or too small."""
    return Finding("off-by-one", "Each of your numbers is 1 too large or too small. Counting starts at 0.")


def the_rest() -> Finding:
    """Every number is 1 less the expected one."""
    return Finding("the-rest", "Each of your numbers is what the right one lacks to 1: what should be large is small.")


def factor(times: float) -> Finding:
    """Every number is the same multiple of the expected one."""
    message = (
        f"Each of your numbers is {times:.3g} times what is expected, whatever the input is. Where does that come from?"
    )
    return Finding("factor", message)


def factors(smallest: float, largest: float) -> Finding:
    """The numbers of each case are a multiple of the expected ones, which differs from case to case."""
    message = (
        "Within each input your numbers stand to each other as they should, but all are too large or too small by one "
        f"factor, which is {smallest:.3g} for one input and {largest:.3g} for another. By what is divided or "
        "multiplied?"
    )
    return Finding("factors", message)


def root_too_much() -> Finding:
    """The results are the roots of the expected ones."""
    return Finding("root-too-much", "Your numbers are the square roots of the right ones: one root is too much.")


def root_missing() -> Finding:
    """The results are the squares of the expected ones."""
    return Finding("root-missing", "Your numbers are the squares of the right ones: a square root is missing.")


def exponential_missing() -> Finding:
    """The results are the logarithms of the expected ones."""
    return Finding("exponential-missing", "Your numbers are the logarithms of the right ones.")


def logarithm_missing() -> Finding:
    """The results are the exponentials of the expected ones."""
    return Finding("logarithm-missing", "Your numbers are the exponentials of the right ones: a logarithm is missing.")


def signs_lost() -> Finding:
    """The results have no signs."""
    return Finding("signs-lost", "The sizes of your numbers are right, but those below 0 have lost their sign.")


def reversed_order() -> Finding:
    """The rows stand in reversed order."""
    return Finding(
        "reversed", "Your numbers are right, but in reversed order: the first stands where the last belongs."
    )


def other_places() -> Finding:
    """The right numbers, at other places."""
    return Finding(
        "other-places", "Your result holds the right numbers, but at other places. Which index says where each goes?"
    )


def one_row_right(which: str) -> Finding:
    """Only one row is right."""
    others = "after it" if which == "first" else "before it"
    message = f"Only the {which} row of your result is right. What is done differently for those {others}?"
    return Finding("one-row-right", message)


def one_column_right() -> Finding:
    """Only the first column is right."""
    return Finding("one-column-right", "Only the first column of your result is right. What is done for the others?")


def never_filled() -> Finding:
    """Every wrong number is a 0."""
    return Finding("never-filled", "All that is wrong in your result is a 0: some places are never filled.")


def row_sums(example: float) -> Finding:
    """The rows do not add up to 1, as all expected ones do."""
    return Finding("row-sums", f"Each row of the result should add up to 1. One of yours adds up to {example:.3g}.")


def below_0() -> Finding:
    """There are numbers below 0, and none is expected."""
    return Finding("below-0", "Some of your numbers are below 0, and none should be. Where does a minus come in?")


def zeros_expected() -> Finding:
    """There are other numbers where 0 is expected."""
    return Finding("zeros-expected", "Your result holds other numbers at places that should be exactly 0.")


def always_as_long(length: int, got: str, want: str) -> Finding:
    """The first size is the same for all inputs."""
    message = f"Your result is {length} long whatever the input is: {got}, where {want} is expected."
    return Finding("always-as-long", message)


def mixed_along(which: str) -> Finding:
    """Right for a single one along an axis, and wrong for several."""
    message = (
        f"Your function is right only when {which} 1. With more, what belongs to one of them gets mixed with the "
        "others: "
        "which step does not keep them apart?"
    )
    return Finding("mixed", message)


def one_part(which: str, got: str, want: str) -> Finding:
    """The result is only a part of the expected one."""
    message = (
        f"Your result has the shape {got}, where {want} is expected: it is the {which} part alone. Where are "
        "the others?"
    )
    return Finding("one-part", message)


def summed_too_much(got: str, want: str) -> Finding:
    """A sum runs over an axis too many."""
    message = (
        f"Your result has the shape {got}, where {want} is expected: one sum runs over numbers that should stay apart."
    )
    return Finding("summed", message)


def not_summed(got: str, want: str) -> Finding:
    """A sum is missing."""
    message = f"Your result has the shape {got}, where {want} is expected: its numbers are right, but not added up yet."
    return Finding("not-summed", message)


def not_picked(got: str, want: str) -> Finding:
    """The expected result is one of several that are returned."""
    message = f"Your result has the shape {got}, where {want} is expected: what is asked for is one part of it."
    return Finding("not-picked", message)


def axes_exchanged(got: str, want: str) -> Finding:
    """The axes stand in another order."""
    message = f"Your numbers are right, but the axes stand in another order: {got}, where {want} is expected."
    return Finding("axes-exchanged", message)


def laid_out(got: str, want: str) -> Finding:
    """The right numbers in the right order, in another shape."""
    message = f"Your numbers are right and in the right order, but laid out as {got}, where {want} is expected."
    return Finding("laid-out", message)


def axes_too_many(got: str, want: str) -> Finding:
    """There are more axes than expected."""
    message = (
        f"Your result has the shape {got}, where {want} is expected: an axis is too many. Should something be "
        "added up along "
        "it, or picked from it?"
    )
    return Finding("axes-too-many", message)


def axes_too_few(got: str, want: str) -> Finding:
    """There are fewer axes than expected."""
    message = (
        f"Your result has the shape {got}, where {want} is expected: an axis is missing. Was something added up "
        "along it, or "
        "only one part of it taken?"
    )
    return Finding("axes-too-few", message)


def sizes_exchanged(got: str, want: str) -> Finding:
    """The sizes are the right ones in another order."""
    message = (
        f"Your result has the shape {got}, where {want} is expected: two axes are exchanged, and the numbers "
        "differ too."
    )
    return Finding("sizes-exchanged", message)


# --- slips of Python and torch; `where` quotes the learner's code, with the number of its line ---


def _at(where: str) -> str:
    """A quoted place at the start of a sentence."""
    return where[:1].upper() + where[1:]


def return_in_loop(line: str) -> Finding:
    """A `return` ends the loop in its first turn."""
    message = (
        f"`return` stands inside the loop ({line}), so your function ends in the first turn, whatever is still to "
        "come. "
        "Move it to the left, out of the loop."
    )
    return Finding("return-in-loop", message)


def compared(where: str) -> Finding:
    """A comparison stands alone, where something should be set."""
    return Finding("compared", f"{_at(where)} only compares, and nothing comes of it: `==` asks, and `=` sets.")


def power_first(where: str) -> Finding:
    """`d**1/2`."""
    message = f"{_at(where)}: Python takes the power first and divides afterwards. Put the whole exponent in brackets."
    return Finding("power-first", message)


def truth_of_tensor() -> Finding:
    """`and`, `or`, `not` and `if` with a tensor of several."""
    message = (
        "`if`, `and`, `or` and `not` need one True or False, but a tensor holds many. Between tensors write `&` "
        "for and, "
        "`|` for or and `~` for not, with brackets around each side; `.any()` and `.all()` make one of many."
    )
    return Finding("truth-of-tensor", message)


def floor(where: str) -> Finding:
    """`//` for `/`."""
    return Finding("floor", f"{_at(where)}: `//` divides and cuts off what is behind the point. Is that meant?")


def caret(where: str) -> Finding:
    """`^` for `**`."""
    return Finding("caret", f"{_at(where)}: `^` is no power in Python. A power is `**`.")


def identity(where: str) -> Finding:
    """`is` for `==`."""
    message = (
        f"{_at(where)}: `is` asks whether two things are one and the same object. `==` and `!=` compare their values."
    )
    return Finding("identity", message)


def not_kept(where: str, name: str) -> Finding:
    """A new tensor is made, and dropped."""
    message = f"{_at(where)} makes a new tensor, which is kept nowhere: `{name}` itself stays as it was."
    return Finding("not-kept", message)


def pair(where: str = "") -> Finding:
    """`x.max(dim)` gives two tensors."""
    what = _at(where) or "`max`, `min`, `sort` or `topk` with an axis"
    message = f"{what} gives two tensors: the numbers, and where they stood. Take one of them: `.values` or `.indices`."
    return Finding("pair", message)


def overwritten(where: str, name: str) -> Finding:
    """`=` for `+=`."""
    message = (
        f"{_at(where)} sets `{name}` anew in every turn of the loop, so that only the last turn counts. Is it "
        "meant to be added "
        "to what is there?"
    )
    return Finding("overwritten", message)


def only_the_last(line: str, name: str) -> Finding:
    """What each turn of a loop finds is overwritten by the next."""
    message = (
        f"`{name}` is set anew in every turn of the loop ({line}), so that only the last turn is left. Where "
        "should what the "
        "other turns find be kept, or added up?"
    )
    return Finding("only-the-last", message)


def not_set_back(name: str) -> Finding:
    """A sum goes on where the next one should begin."""
    message = (
        f"`{name}` is not set back to 0 in the outer loop, so each sum begins with what was left of the one before."
    )
    return Finding("not-set-back", message)


def notebook_variable(name: str) -> Finding:
    """A variable of the notebook is read in place of an argument."""
    message = (
        f"Your function reads `{name}`, which is not among its arguments: it finds that in the notebook, and so "
        "computes "
        "with the lesson's numbers whatever it is given."
    )
    return Finding("notebook-variable", message)


def written_out(numbers: list[tuple[float, str]], line: str) -> Finding:
    """Numbers are written out that should come from the input; each with what it is in the example, or ""."""
    values = list(dict.fromkeys(f"{number:g}" for number, _ in numbers))
    meanings = {meaning for _, meaning in numbers}
    several = len(values) > 1
    example = (
        f" In the lesson's example it is `{next(iter(meanings))}`." if len(meanings) == 1 and "" not in meanings else ""
    )
    message = (
        f"{'The numbers' if several else 'The number'} {listed(values)} ({line}) {'are' if several else 'is'} "
        "written out, so "
        f"your function is right for some inputs only.{example} Take {'them' if several else 'it'} from what the "
        "function is "
        "given."
    )
    return Finding("written-out", message)


def order_of_arguments(takes: list[str], needs: list[str]) -> Finding:
    """The arguments are the right ones in another order."""
    message = (
        f"Your function takes {quoted(takes)} in this order, but it is called with {quoted(needs)}: the first that is "
        "handed in becomes the first name."
    )
    return Finding("order-of-arguments", message)


def unused(names: list[str]) -> Finding:
    """Arguments that are never read."""
    if len(names) > 1:
        return Finding("unused", f"Your function never uses {quoted(names)}. The result depends on them.")
    return Finding("unused", f"Your function never uses `{names[0]}`. The result depends on it.")


# --- one place is wrong, and with a change there the function is right ---


_ONE_PLACE = "All but one place is right:"


def wrong_axis(where: str) -> Finding:
    """An axis is another one."""
    return Finding("place-axis", f"{_ONE_PLACE} {where}. Along which axis must it run?")


def axis_lost(where: str) -> Finding:
    """`keepdim=True` is missing."""
    message = (
        f"{_ONE_PLACE} {where}. The axis that it runs along is gone from its result, which then does not lie "
        "beside the "
        "numbers it belongs to. `keepdim=True` keeps the axis, with a size of 1."
    )
    return Finding("place-keepdim", message)


def axis_kept(where: str) -> Finding:
    """`keepdim=True` is too much."""
    return Finding("place-keepdim", f"{_ONE_PLACE} {where}. Its result keeps an axis of size 1, which is not wanted.")


def turned(where: str) -> Finding:
    """A factor is transposed, or is not."""
    message = f"{_ONE_PLACE} {where}. What are the rows there, and what the columns? One thing is turned the wrong way."
    return Finding("place-turned", message)


def all_axes_turned() -> Finding:
    """`.T` with three axes."""
    message = (
        "`.T` turns all axes around, the batch too. With more than two axes only the last two should be exchanged: "
        "`.mT`, or `.transpose(-2, -1)`."
    )
    return Finding("all-axes-turned", message)


def exchanged(where: str) -> Finding:
    """Two things stand in the other order."""
    return Finding("place-exchanged", f"{_ONE_PLACE} {where}. Which of the two belongs first?")


def comparison(where: str) -> Finding:
    """`<` for `>`, or `<=` for `<`."""
    message = f"{_ONE_PLACE} {where}. For which numbers must this comparison hold, and what if both sides are equal?"
    return Finding("place-comparison", message)


def too_much(part: str, line: str) -> Finding:
    """One side of an operation is too much."""
    return Finding("place-too-much", f"{_ONE_PLACE} {line}. Is {part} needed there?")


def statement_too_much(where: str) -> Finding:
    """A statement is too much."""
    return Finding("place-too-much", f"All but one line is right: {where}. What is asked for needs no such step.")


def call_too_much(name: str, where: str) -> Finding:
    """A call is too much."""
    return Finding("place-too-much", f"{_ONE_PLACE} {where}. Is `{name}` needed there?")


def sign(where: str) -> Finding:
    """A minus is missing or too much."""
    return Finding("place-sign", f"{_ONE_PLACE} the sign of {where}.")


def one_off(where: str) -> Finding:
    """1 too many or too few."""
    return Finding(
        "place-one-off", f"{_ONE_PLACE} {where}. It is 1 too large or too small: count from 0, on a small input."
    )


def operation(where: str, sign: str) -> Finding:
    """Another operation is needed."""
    return Finding("place-operation", f"{_ONE_PLACE} {where}. Is `{sign}` the operation that is needed?")


def other_function(name: str, where: str) -> Finding:
    """Another function of torch is needed."""
    return Finding("place-function", f"{_ONE_PLACE} {where}. Is `{name}` the one that is needed?")


def number(value: str, where: str) -> Finding:
    """A constant is wrong."""
    return Finding("place-number", f"{_ONE_PLACE} the {value} in {where}.")


def name(name: str, where: str) -> Finding:
    """Another variable belongs there."""
    return Finding("place-name", f"{_ONE_PLACE} {where}. What belongs there in place of `{name}`?")


def index(where: str) -> Finding:
    """The index picks along another axis."""
    return Finding(
        "place-index", f"{_ONE_PLACE} {where}. The first number in the square brackets picks along the first axis."
    )


def step_missing(where: str) -> Finding:
    """A step such as a root is left out."""
    return Finding(
        "step-missing", f"One step is missing, and the rest is right: look at {where}. What must still be done with it?"
    )


# --- the function stops with an error ---


class _Error(NamedTuple):
    """What an error of Python or torch means: part of what it says, and the message."""

    says: str  # a regular expression
    id: str
    message: str  # {1} is the first group


_ERRORS = (
    _Error(
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "sizes-do-not-meet",
        "A matrix of {1} by {2} cannot be multiplied with one of {3} by {4}: the {2} columns of the left one must "
        "meet as "
        "many rows of the right one. Write down the shape of each factor.",
    ),
    _Error(
        r"size mismatch, got input \((\d+)\), mat \((\d+)x(\d+)\), vec \((\d+)\)",
        "sizes-do-not-meet",
        "A matrix of {2} by {3} cannot be multiplied with {4} numbers: {3} are needed. Write down the shape of "
        "each factor.",
    ),
    _Error(  # the same batch, so the rows differ; torch says so of a single matrix on the right, too
        r"Expected size for first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[\1, (\d+)\]",
        "sizes-do-not-meet",
        "The right factor has {3} rows, and the left one has {2} columns: there must be as many. Write down the shape "
        "of each factor; the matrices themselves are its last two axes.",
    ),
    _Error(
        r"Expected size for first two dimensions of batch2 tensor to be: (\[.*?\]) but got: (\[.*?\])",
        "sizes-do-not-meet",
        "Two blocks of matrices do not fit: the right one begins with {2}, where {1} is needed. Write down the "
        "shape of each "
        "factor, with the batch in front.",
    ),
    _Error(
        r"inconsistent tensor size, expected tensor \[(\d+)\] and src \[(\d+)\]",
        "sizes-do-not-meet",
        "{1} numbers cannot meet {2} numbers in a dot product. Write down the shape of each side.",
    ),
    _Error(
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)",
        "sizes-differ",
        "Number by number goes only where the sizes are equal or 1: along axis {3} the one has {1} and the other "
        "{2}. Write "
        "down the shape of each side.",
    ),
    _Error(
        r"The expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)",
        "sizes-differ",
        "What you set has room for {1} numbers along an axis, but {2} are put there. Write down the shape of each "
        "side.",
    ),
    _Error(
        r"shape mismatch: (?:value tensor of shape|indexing tensors could not)",
        "sizes-differ",
        "What stands in the square brackets picks another number of places than there is to put in. Write down "
        "the shape of "
        "each side.",
    ),
    _Error(
        r"Sizes of tensors must match except in dimension (\d+)",
        "sizes-differ",
        "`cat` joins along axis {1}, so all other sizes must be equal, and they are not. Along which axis do the parts "
        "belong together?",
    ),
    _Error(
        r"stack expects each tensor to be equal size",
        "sizes-differ",
        "`stack` lays tensors of one shape on each other, and yours have different ones.",
    ),
    _Error(
        r"shape '(\[.*?\])' is invalid for input of size (\d+)",
        "sizes-differ",
        "{2} numbers cannot be laid out as {1}: multiplied, the sizes must give {2}. Which of them are right?",
    ),
    _Error(
        r"unflatten: Provided sizes (\[.*?\]) don't multiply up to the size of dim (\d+) \((\d+)\)",
        "sizes-differ",
        "An axis of {3} cannot be cut into {1}: multiplied, the sizes must give {3}.",
    ),
    _Error(
        r"Dimension out of range \(expected to be in range of \[-(\d+), \d+\], but got (-?\d+)\)",
        "no-such-axis",
        "There is no axis {2} in a tensor with {1}. Axes are counted from 0.",
    ),
    _Error(
        r"index -?\d+ is out of bounds for (?:dimension|axis) \d+ with size 0",
        "nothing-there",
        "A place is asked for in something empty: a search has found nothing, or there is nothing to search.",
    ),
    _Error(
        r"index (-?\d+) is out of bounds for (?:dimension|axis) (\d+) with size (\d+)",
        "index-too-large",
        "Place {1} along axis {2} is asked for, where there are only {3}, counted from 0. Which axis is the index "
        "meant for?",
    ),
    _Error(
        r"index out of range in self|list index out of range|out of range: .* index|index (\d+) is out of bounds",
        "index-too-large",
        "A place is asked for that does not exist: the first is number 0, so the last is one less than there are.",
    ),
    _Error(
        r"too many indices|invalid index of a 0-dim|dimension specified as 0 but tensor has no dimensions",
        "too-many-indices",
        "There are more numbers in the square brackets, or more axes asked for, than the tensor has axes.",
    ),
    _Error(
        r"tensors used as indices must be",
        "index-kind",
        "What stands in the square brackets must be whole numbers, or True and False; there are floats in it. "
        "Which of the "
        "two tensors picks, and from which?",
    ),
    _Error(
        r"slice indices must be integers|'float' object cannot be interpreted as an integer|but found element of type "
        r"float|must be tuple of ints, not .*float|must be int, not float",
        "float-for-size",
        "A size or a place must be a whole number, but a float is given: `/` always makes one. `//` keeps it whole.",
    ),
    _Error(
        r"[Bb]oolean value of Tensor with more than one value is ambiguous",
        "truth-of-tensor",
        truth_of_tensor().message,
    ),
    _Error(
        r"on a bool tensor is not supported",
        "truth-of-tensor",
        "True and False cannot be subtracted, nor made negative. `~` makes the opposite of each.",
    ),
    _Error(r"torch\.return_types\.|return_types", "pair", pair().message),
    _Error(
        r"'(Tensor|int|float|list|tuple)' object is not callable",
        "not-callable",
        "Round brackets call a function, but what stands before them is a `{1}`. Square brackets pick from it; or "
        "is a name "
        "of a function, such as `sum`, used for a variable?",
    ),
    _Error(
        r"'(?:builtin_function_or_method|method|function|method-wrapper|method_descriptor)'",
        "brackets-missing",
        "A function is used without calling it. Are the round brackets missing, as in `x.norm()`?",
    ),
    _Error(
        r"'(int|float)' object is not iterable",
        "not-iterable",
        "`for` and the like go through things one by one, but here is a single number. `range(...)` counts up to it.",
    ),
    _Error(
        r"object of type '(int|float)' has no len",
        "not-iterable",
        "`len` counts things, but here is a single number, which is the count already.",
    ),
    _Error(
        r"name '(\w+)' is not defined",
        "unknown-name",
        "There is no `{1}` in your function, nor in the notebook. Is it spelled as where it was set, or is an "
        "import missing?",
    ),
    _Error(
        r"cannot access local variable '(\w+)'|local variable '(\w+)' referenced before",
        "used-too-early",
        "`{1}` is read before your function has set it. A name that is set anywhere in a function is its own from "
        "the start.",
    ),
    _Error(
        r"'(\w+)' object has no attribute '(\w+)'",
        "no-such-attribute",
        "A `{1}` has no `{2}`. Is it the kind of thing that you think it is at this point?",
    ),
    _Error(
        r"argument 'input' \(position 1\) must be Tensor, not (\w+)|"
        r"(?:sqrt|exp|log|softmax)\(\): argument .* must be Tensor, not (\w+)",
        "tensor-needed",
        "Functions of torch take tensors, but here is a `{1}`. For plain numbers there are `**` and those of `math`.",
    ),
    _Error(
        r"argument '(?:size|n)'.*(?:must be|found).* not (\w+)|\(\): argument '(?:size|n)' .*type (\w+)|"
        r"(?:zeros|ones|eye)\(\) received an invalid combination",
        "size-needed",
        "To make a new tensor its sizes are needed, which are whole numbers. `len(...)` or `.shape[...]` gives them.",
    ),
    _Error(
        r"only one element tensors can be converted|a Tensor with (\d+) elements cannot be converted|"
        r"only integer tensors of a single element|only length-1 arrays|only 0-dimensional arrays",
        "one-number-needed",
        "One number is needed there, but a tensor with several is given. The functions of `math` and `float` take "
        "one; those "
        "of torch, such as `torch.log`, take them all at once.",
    ),
    _Error(
        r"same dtype|dtypes match|"
        r"expected scalar type|Found dtype",
        "dtypes-differ",
        "Two tensors hold different kinds of numbers, such as whole numbers and floats, and cannot be multiplied so. "
        "`.to(x.dtype)` makes those of `x`.",
    ),
    _Error(
        r"(?:mean|std|var|softmax|norm|cdist)\S*: .*(?:floating point|dtype|Long|not implemented)|"
        r"not implemented for 'Long'",
        "whole-numbers-inside",
        "This works on floats only, and whole numbers are given. `.float()` makes floats of them.",
    ),
    _Error(
        r"both arguments to matmul need to be at least 1D|1D tensors expected|2D tensors expected|must be a matrix|"
        r"must be 2-D|"
        r"must be at least 2|at least 2 dimensions|expects a tensor with <= 2|must be a 3D tensor",
        "wrong-number-of-axes",
        "A tensor has another number of axes than this function takes. Write down the shape of each.",
    ),
    _Error(
        r"view size is not compatible",
        "view",
        "`view` needs numbers that lie one after the other in memory, and after an exchange of axes they do not. "
        "`reshape` "
        "and `flatten` copy them where it is needed.",
    ),
    _Error(
        r"(not enough|too many) values to unpack \(expected (\d+)",
        "unpacked",
        "There are {2} names on the left of `=`, but another number of things on the right. Which shape, or which "
        "results, "
        "are taken apart?",
    ),
    _Error(
        r"expected Tensor as element \d+ in argument 0, but got (\w+)",
        "tensor-needed",
        "`stack` and `cat` join tensors, but there is a `{1}` among them. `torch.tensor(...)` makes a tensor of "
        "numbers.",
    ),
    _Error(r"unsupported operand type\(s\) for \^", "caret", "`^` is no power in Python. A power is `**`."),
    _Error(
        r"unsupported operand type\(s\) for (\S+): '(.+?)' and '(.+?)'",
        "operands",
        "`{1}` does not go with a `{2}` and a `{3}`. Is each of them what you think it is at this point?",
    ),
    _Error(
        r"division by zero",
        "division-by-zero",
        "There is a division by 0. Which numbers can be 0 there?",
    ),
    _Error(
        r"math domain error|expected a positive input",
        "logarithm-of-what",
        "The logarithm, or the root, of a number is taken that has none: one below 0, or 0. How does it come about?",
    ),
    _Error(
        r"Index tensor must have the same number of dimensions",
        "gather",
        "`gather` needs an index with as many axes as the tensor has: `[..., None]` adds one.",
    ),
    _Error(
        r"Expected target size|Expected floating point type for target|expected (?:1D|2D) target|"
        r"Expected input batch_size",
        "cross-entropy",
        "`cross_entropy` wants the words of the vocabulary in axis 1: scores (n, vocab_size) and targets (n,), so "
        "sentences and places have to be made one axis first.",
    ),
)  # fmt: skip


def is_about_dtypes(error: BaseException) -> bool:
    """Whether an error says that two tensors hold different kinds of numbers."""
    return any(known.id == "dtypes-differ" and re.search(known.says, first_line(error)) for known in _ERRORS)


def stopped_with(error: BaseException, where: str) -> Finding:
    """What the error means; `where` names the inputs, where it does not come for all."""
    if isinstance(error, RecursionError):
        return Finding("recursion", f"Your function calls itself without end{where}.")
    if isinstance(error, SystemExit):
        return Finding("exit", f"Your function ends the program{where}. It must return its result.")
    if isinstance(error, KeyboardInterrupt):
        return Finding("interrupted", f"Your function was interrupted{where}. Run the cell again.")
    says = first_line(error)
    if isinstance(error, MemoryError) or "allocate memory" in says:
        message = f"Your function asks for more memory than there is{where}. Which shape grows so large?"
        return Finding("memory", message)
    stops = f"Your function stops with an error{where}."
    for known in _ERRORS:
        match = re.search(known.says, says)
        if match:
            groups = [group for group in match.groups() if group is not None] or [""]
            return Finding(known.id, f"{stops} {known.message.format(says, *groups, '', '', '')}")
    return Finding("error", stops)


# --- the numbers are right, the gradients are not: said as a remark ---


def too_slow_with_gradients(seconds: float) -> Finding:
    """The time was up with gradients only."""
    message = f"With gradients your function takes longer than {seconds:g} seconds."
    return Finding("too-slow", message)


def gradient_in_place() -> Finding:
    """A step in place overwrites what the gradient needs."""
    message = (
        "A step in place, such as `/=`, overwrites what the gradient needs, so a model could not learn through your "
        "function. A new tensor in that step would mend it."
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
    return Finding("gradient-wrong", f"The gradient with respect to `{name}` is not the right one. {_cut_by(cutter)}")


def _cut_by(cutter: str) -> str:
    return (
        f"{cutter[0].upper()}{cutter[1:]} cuts the gradient: the result no longer knows what it was computed from, "
        "so a model "
        "could not learn through your function. Operations of torch alone would keep it."
    )
