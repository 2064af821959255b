"""Lesson 11, the Transformer: the parts around attention, and the attention that reads the memory."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from helpers.checks.exercise import Draw, Exercise, Mistake

# --- layer norm ---


def _centred(x: torch.Tensor, axis: int | tuple = -1) -> torch.Tensor:
    return x - x.mean(axis, keepdim=True)


def _variance(x: torch.Tensor, axis: int | tuple = -1) -> torch.Tensor:
    return _centred(x, axis).square().mean(axis, keepdim=True)


def _unbiased(x: torch.Tensor) -> torch.Tensor:
    return _centred(x).square().sum(-1, keepdim=True) / (x.shape[-1] - 1)


def _normal(x: torch.Tensor, axis: int | tuple = -1) -> torch.Tensor:
    return _centred(x, axis) / (_variance(x, axis) + 1e-5).sqrt()


def _norm_cases(draw: Draw) -> list[tuple]:
    def sizes(n: int, d_model: int, std: float = 1.0, dtype: torch.dtype = torch.float32) -> tuple:
        x = draw(n, d_model, scale=std, dtype=dtype) + 2 * std
        return x, draw(d_model, dtype=dtype), draw(d_model, dtype=dtype)

    constant = draw(3, 5)
    constant[1] = 3.0
    return [
        (torch.tensor([[1.0, 2, 3, 6], [0, 4, 4, 0]]), torch.tensor([1.0, 2, 1, 3]), torch.tensor([0.0, 1, 2, 0])),
        sizes(2, 4),
        (draw(1, 1), draw(1), draw(1)),
        sizes(1, 3),
        sizes(5, 2),
        sizes(3, 6),
        sizes(4, 3, std=0.002),
        (constant, draw(5), draw(5)),
        sizes(3, 7, dtype=torch.float64),
        (draw.apart(4, 9, scale=20), draw.apart(9), draw.apart(9)),
        sizes(30, 12),
    ]


# --- around a sublayer ---


@dataclass(frozen=True, repr=False)
class _Function:
    """A function that messages can show, and that equals itself in a second drawing of the cases."""

    words: str
    of: Callable[[torch.Tensor], torch.Tensor]

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return self.of(x)

    def __repr__(self) -> str:
        return self.words


_NORM = _Function("layer norm with scale 1 and shift 0", lambda x: F.layer_norm(x, x.shape[-1:]))
_BEND = _Function("tanh(2x) + 0.5", lambda x: (2 * x).tanh() + 0.5)
_MIX = _Function("tanh(x) + the mean of all rows", lambda x: x.tanh() + x.mean(0, keepdim=True))


def _add_and_norm(x: torch.Tensor, sublayer: Callable, norm: Callable, norm_first: bool) -> torch.Tensor:
    return x + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))


def _around_cases(draw: Draw) -> list[tuple]:
    return [
        (torch.tensor([[1.0, 2, 3, 6], [0, 4, 4, 0]]), _BEND, _NORM, False),
        (draw(2, 4), _MIX, _NORM, True),
        (draw(1, 1), _BEND, _NORM, False),
        (draw(1, 1), _BEND, _NORM, True),
        (draw(1, 3), _BEND, _NORM, False),
        (draw(1, 3), _BEND, _NORM, True),
        (draw(4, 2) + 1, _MIX, _NORM, True),
        (draw(3, 5) - 1, _MIX, _NORM, False),
        (draw(5, 6, scale=3, dtype=torch.float64), _MIX, _NORM, True),
        (draw.apart(4, 7), _BEND, _NORM, False),
        (draw(30, 12), _MIX, _NORM, True),
    ]


# --- feed-forward ---


def _position_wise(
    x: torch.Tensor,
    w_1: torch.Tensor,
    b_1: torch.Tensor,
    w_2: torch.Tensor,
    b_2: torch.Tensor,
    bend: Callable[[torch.Tensor], torch.Tensor] = torch.relu,
) -> torch.Tensor:
    return bend(x @ w_1 + b_1) @ w_2 + b_2


def _feed_cases(draw: Draw) -> list[tuple]:
    def sizes(n: int, d_model: int, d_hidden: int, dtype: torch.dtype = torch.float32) -> tuple:
        shapes = [(n, d_model), (d_model, d_hidden), (d_hidden,), (d_hidden, d_model), (d_model,)]
        return tuple(draw(*shape, dtype=dtype) for shape in shapes)

    return [
        (
            torch.tensor([[1.0, 2], [0, 1], [2, 0]]),
            torch.tensor([[1.0, -1, 0, 2], [0, 1, -2, -1]]),
            torch.tensor([0.0, 1, 1, -1]),
            torch.tensor([[1.0, 0], [0, 2], [1, 1], [-1, 0]]),
            torch.tensor([0.5, -1]),
        ),
        sizes(3, 2, 4),
        sizes(1, 1, 1),
        sizes(1, 3, 5),
        sizes(2, 3, 6),
        sizes(4, 5, 3),
        sizes(5, 4, 4),
        sizes(3, 4, 7, torch.float64),
        (draw.apart(3, 5), draw.apart(5, 8), draw.apart(8), draw.apart(8, 5), draw.apart(5)),
        sizes(30, 8, 20),
    ]


# --- cross-attention ---


def _attend(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    scale: float | None = None,
    axis: int = -1,
    mask: torch.Tensor | None = None,
) -> torch.Tensor:
    scores = query @ key.T / (key.shape[-1] ** 0.5 if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, axis) @ value


def _cross_attention(
    x: torch.Tensor,
    memory: torch.Tensor,
    w_query: torch.Tensor,
    w_key: torch.Tensor,
    w_value: torch.Tensor,
    scale: float | None = None,
    axis: int = -1,
) -> torch.Tensor:
    return _attend(x @ w_query, memory @ w_key, memory @ w_value, scale, axis)


def _causal(x: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
    return torch.ones(len(x), len(memory), dtype=torch.bool).tril()


def _cross_cases(draw: Draw) -> list[tuple]:
    def sizes(n: int, n_memory: int, d_model: int, d_k: int, d_v: int, dtype: torch.dtype = torch.float32) -> tuple:
        shapes = [(n, d_model), (n_memory, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v)]
        return tuple(draw(*shape, dtype=dtype) for shape in shapes)

    return [
        sizes(2, 3, 4, 5, 6),
        sizes(2, 3, 4, 5, 6),
        sizes(1, 1, 1, 1, 1),
        sizes(1, 4, 3, 2, 5),
        sizes(3, 1, 2, 4, 5),
        sizes(5, 2, 6, 3, 4),
        sizes(3, 3, 4, 2, 5),
        sizes(4, 4, 3, 3, 3),
        sizes(4, 2, 5, 3, 6, torch.float64),
        (draw.apart(3, 5), draw.apart(6, 5), draw.apart(5, 4), draw.apart(5, 4), draw.apart(5, 2)),
        sizes(20, 30, 10, 8, 12),
    ]


EXERCISES = [
    Exercise(
        name="layer_norm",
        lesson=11,
        statement="Layer norm: each token's vector gets mean 0 and variance 1, then a scale and a shift.",
        reference=lambda x, scale, shift: _normal(x) * scale + shift,
        cases=_norm_cases,
        verified="Each token is normed by itself, a row of equal numbers gives no nan, and scale and shift come last.",
        mistakes=[
            Mistake(
                "over-tokens",
                lambda x, scale, shift: _normal(x, 0) * scale + shift,
                "You take mean and variance over the tokens, so each token depends on the others. Layer norm looks "
                "at one token at a time.",
            ),
            Mistake(
                "over-everything",
                lambda x, scale, shift: _normal(x, (0, 1)) * scale + shift,
                "You take one mean and one variance for everything. Each token has its own.",
            ),
            Mistake(
                "unbiased",
                lambda x, scale, shift: _centred(x) / (_unbiased(x) + 1e-5).sqrt() * scale + shift,
                "Your variance divides by d - 1, as `var` and `std` do unless they are told otherwise. Layer norm "
                "takes the plain mean of the squares.",
            ),
            Mistake(
                "no-eps",
                lambda x, scale, shift: _centred(x) / _variance(x).sqrt() * scale + shift,
                "Right where numbers differ enough, but a row of equal numbers has variance 0 and becomes nan. "
                "Where does the small number 1e-5 go?",
            ),
            Mistake(
                "eps-outside-the-root",
                lambda x, scale, shift: _centred(x) / (_variance(x).sqrt() + 1e-5) * scale + shift,
                "You add 1e-5 to the standard deviation. It is added to the variance, which makes a difference "
                "where numbers are small.",
            ),
            Mistake(
                "std-of-torch",
                lambda x, scale, shift: _centred(x) / (_unbiased(x).sqrt() + 1e-5) * scale + shift,
                "You divide by torch's `std` plus 1e-5. Two things differ: `std` divides by d - 1 unless it is "
                "told otherwise, and the small number belongs to the variance.",
            ),
            Mistake(
                "unbiased-no-eps",
                lambda x, scale, shift: _centred(x) / _unbiased(x).sqrt() * scale + shift,
                "You divide by torch's `std`, which divides by d - 1 unless it is told otherwise; and in a row of "
                "equal numbers it is 0, which gives nan.",
            ),
            Mistake(
                "root-forgotten",
                lambda x, scale, shift: _centred(x) / (_variance(x) + 1e-5) * scale + shift,
                "You divide by the variance. Its unit is the square of the numbers': what is missing?",
            ),
            Mistake(
                "not-centred",
                lambda x, scale, shift: x / (_variance(x) + 1e-5).sqrt() * scale + shift,
                "The mean is still there: before scale and shift each row must have mean 0.",
            ),
            Mistake(
                "not-divided",
                lambda x, scale, shift: _centred(x) * scale + shift,
                "The mean is gone, but rows with large numbers stay large. The spread has to become 1 too.",
            ),
            Mistake(
                "root-mean-square",
                lambda x, scale, shift: x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * scale + shift,
                "You divide by the root of the mean square, which many newer models do. Layer norm takes the mean "
                "away first.",
            ),
            Mistake(
                "scale-and-shift-exchanged",
                lambda x, scale, shift: _normal(x) * shift + scale,
                "`scale` and `shift` are exchanged: one is a factor, the other is added.",
            ),
            Mistake(
                "shift-before-scale",
                lambda x, scale, shift: (_normal(x) + shift) * scale,
                "You shift first and scale then, so the shift is scaled as well.",
            ),
            Mistake("no-shift", lambda x, scale, shift: _normal(x) * scale, "The shift is forgotten."),
            Mistake("no-scale", lambda x, scale, shift: _normal(x) + shift, "The scale is forgotten."),
            Mistake(
                "neither-scale-nor-shift",
                lambda x, scale, shift: _normal(x),
                "The rows are normed, but scale and shift are missing. With them a layer can undo the norm where "
                "that helps.",
            ),
        ],
        hints=[
            "For each row: take away its mean, then divide by the root of its variance plus 1e-5.",
            "`keepdim=True` keeps mean and variance as columns. The variance is the plain mean of the squares: "
            "`var` has a switch for that.",
            "Scale and shift have one number for each column, and come last.",
        ],
    ),
    Exercise(
        name="add_and_norm",
        lesson=11,
        statement="The way round a sublayer: residual and norm, with the norm after the sum or before the sublayer.",
        reference=_add_and_norm,
        cases=_around_cases,
        verified="After the sum, everything is normed; before the sublayer, the way past it stays free of norms.",
        mistakes=[
            Mistake(
                "always-after",
                lambda x, sublayer, norm, norm_first: norm(x + sublayer(x)),
                "Right when the norm comes last. What changes when `norm_first` is True?",
            ),
            Mistake(
                "always-before",
                lambda x, sublayer, norm, norm_first: x + sublayer(norm(x)),
                "Right when the norm comes first. What changes when `norm_first` is False?",
            ),
            Mistake(
                "exchanged",
                lambda x, sublayer, norm, norm_first: _add_and_norm(x, sublayer, norm, not norm_first),
                "The two forms are exchanged. With `norm_first` the sublayer reads what is normed.",
            ),
            Mistake(
                "no-residual",
                lambda x, sublayer, norm, norm_first: sublayer(norm(x)) if norm_first else norm(sublayer(x)),
                "The residual is missing: `x` itself must go past the sublayer and meet what it gives.",
            ),
            Mistake(
                "change-normed",
                lambda x, sublayer, norm, norm_first: x + sublayer(norm(x)) if norm_first else x + norm(sublayer(x)),
                "With `norm_first` it is right. Without, you norm only what the sublayer gives; it is the sum that "
                "is normed.",
            ),
            Mistake(
                "old-normed",
                lambda x, sublayer, norm, norm_first: x + sublayer(norm(x)) if norm_first else norm(x) + sublayer(x),
                "With `norm_first` it is right. Without, you norm `x` before the sum; the norm comes after it.",
            ),
            Mistake(
                "normed-residual",
                lambda x, sublayer, norm, norm_first: (
                    norm(x) + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))
                ),
                "Without `norm_first` it is right. With it, you add to the normed `x`; the way past the sublayer "
                "must have no norm on it.",
            ),
            Mistake(
                "normed-again",
                lambda x, sublayer, norm, norm_first: (
                    norm(x + sublayer(norm(x))) if norm_first else norm(x + sublayer(x))
                ),
                "Without `norm_first` it is right. With it, you norm twice: before the sublayer and once more "
                "after the sum.",
            ),
            Mistake(
                "normed-twice-always",
                lambda x, sublayer, norm, norm_first: norm(x + sublayer(norm(x))),
                "You norm before the sublayer and after the sum. Each form has one norm: `norm_first` says which.",
            ),
            Mistake(
                "never-normed",
                lambda x, sublayer, norm, norm_first: x + sublayer(x),
                "The residual is right, but nothing is normed.",
            ),
            Mistake(
                "norm-skipped",
                lambda x, sublayer, norm, norm_first: x + sublayer(x) if norm_first else norm(x + sublayer(x)),
                "Without `norm_first` it is right. With it, nothing is normed: the sublayer has to read the "
                "normed `x`.",
            ),
            Mistake(
                "change-normed-before",
                lambda x, sublayer, norm, norm_first: x + norm(sublayer(x)) if norm_first else norm(x + sublayer(x)),
                "Without `norm_first` it is right. With it, you norm what comes out of the sublayer; it is what "
                "goes in that is normed.",
            ),
        ],
        hints=[
            "Draw two ways from `x`: one through the sublayer, one past it. They meet in a sum.",
            "Norm after: everything goes through it, also the way past. Norm first: it stands on the way through the "
            "sublayer only.",
        ],
    ),
    Exercise(
        name="position_wise",
        lesson=11,
        statement="The feed-forward network: two matrices with a ReLU between them, the same for each token.",
        reference=lambda x, w_1, b_1, w_2, b_2: _position_wise(x, w_1, b_1, w_2, b_2),
        cases=_feed_cases,
        verified="Each token by itself is made wider, bent by ReLU, and made narrow again.",
        mistakes=[
            Mistake(
                "no-relu",
                lambda *args: _position_wise(*args, bend=lambda x: x),
                "There is nothing between the two matrices, and two matrices in a row are only one. What bends the "
                "line?",
            ),
            Mistake(
                "relu-at-the-end",
                lambda x, w_1, b_1, w_2, b_2: ((x @ w_1 + b_1) @ w_2 + b_2).relu(),
                "ReLU stands at the end. It belongs between the matrices; the result may be negative.",
            ),
            Mistake(
                "relu-twice",
                lambda *args: _position_wise(*args).relu(),
                "There is a second ReLU at the end, which cuts all negative numbers off the result.",
            ),
            Mistake(
                "relu-before-bias",
                lambda x, w_1, b_1, w_2, b_2: ((x @ w_1).relu() + b_1) @ w_2 + b_2,
                "ReLU comes before `b_1`. The bias moves the point at which ReLU bends, so it is added first.",
            ),
            Mistake(
                "relu-first",
                lambda x, w_1, b_1, w_2, b_2: (x.relu() @ w_1 + b_1) @ w_2 + b_2,
                "ReLU is applied to the input. It belongs between the two matrices.",
            ),
            Mistake(
                "first-bias-forgotten", lambda x, w_1, b_1, w_2, b_2: (x @ w_1).relu() @ w_2 + b_2, "`b_1` is not used."
            ),
            Mistake(
                "second-bias-forgotten",
                lambda x, w_1, b_1, w_2, b_2: (x @ w_1 + b_1).relu() @ w_2,
                "`b_2` is not used.",
            ),
            Mistake("no-biases", lambda x, w_1, b_1, w_2, b_2: (x @ w_1).relu() @ w_2, "Both biases are missing."),
            Mistake(
                "residual-inside",
                lambda x, *args: x + _position_wise(x, *args),
                "You add `x` again. In a Transformer that is done around this network, not within it.",
            ),
            Mistake(
                "gelu",
                lambda *args: _position_wise(*args, bend=F.gelu),
                "You bend with GELU, as BERT and GPT do. The first Transformer takes a simpler one, with a sharp "
                "corner at 0.",
            ),
            Mistake(
                "tanh",
                lambda *args: _position_wise(*args, bend=torch.tanh),
                "You bend with tanh. ReLU keeps positive numbers as they are.",
            ),
            Mistake(
                "sigmoid",
                lambda *args: _position_wise(*args, bend=torch.sigmoid),
                "You bend with a sigmoid, which makes all numbers lie between 0 and 1. ReLU keeps positive numbers "
                "as they are.",
            ),
            Mistake(
                "softmax",
                lambda *args: _position_wise(*args, bend=lambda x: x.softmax(-1)),
                "There is a softmax between the matrices. Nothing is shared out here: each number is bent by itself.",
            ),
            Mistake(
                "absolute",
                lambda *args: _position_wise(*args, bend=torch.abs),
                "Negative numbers become positive. In ReLU they are lost: they become 0.",
            ),
            Mistake(
                "negatives-kept",
                lambda *args: _position_wise(*args, bend=lambda x: x.clamp(max=0)),
                "You keep the negative numbers and lose the positive ones. It is the other way round.",
            ),
            Mistake(
                "matrices-transposed",
                lambda x, w_1, b_1, w_2, b_2: (x @ w_1.T + b_1).relu() @ w_2.T + b_2,
                "You turn the matrices around, as `nn.Linear` does. Here `w_1` is stored as (d_model, d_hidden): "
                "which axis must meet the numbers of a token?",
            ),
            Mistake(
                "first-matrix-transposed",
                lambda x, w_1, b_1, w_2, b_2: (x @ w_1.T + b_1).relu() @ w_2 + b_2,
                "You turn `w_1` around. It is stored as (d_model, d_hidden) here, not as in `nn.Linear`.",
            ),
            Mistake(
                "exchanged-and-transposed",
                lambda x, w_1, b_1, w_2, b_2: (x @ w_2.T + b_1).relu() @ w_1.T + b_2,
                "The shapes fit, but the matrices are exchanged and turned around. Which one makes the vectors wider?",
            ),
        ],
        hints=[
            "Three steps: a linear layer to d_hidden, ReLU, a linear layer back to d_model.",
            "ReLU makes negative numbers 0: `torch.relu`, or `clamp(min=0)`. The bias is added before it.",
        ],
    ),
    Exercise(
        name="cross_attention",
        lesson=11,
        statement="Cross-attention with one head: the target's tokens read the memory that the encoder has written.",
        reference=lambda x, memory, w_query, w_key, w_value: _cross_attention(x, memory, w_query, w_key, w_value),
        cases=_cross_cases,
        verified="The target asks, the memory answers: one row for each token of the target.",
        mistakes=[
            Mistake(
                "queries-from-memory",
                lambda x, memory, w_query, w_key, w_value: _cross_attention(memory, x, w_query, w_key, w_value),
                "The memory asks and the target answers, so you get a row for each token of the source. Who wants "
                "to know something here?",
            ),
            Mistake(
                "target-only",
                lambda x, memory, w_query, w_key, w_value: _cross_attention(x, x, w_query, w_key, w_value),
                "The memory is not used: that is self-attention, and the decoder would never hear of the source.",
            ),
            Mistake(
                "memory-only",
                lambda x, memory, w_query, w_key, w_value: _cross_attention(memory, memory, w_query, w_key, w_value),
                "`x` is not used: that is self-attention of the memory, which the encoder has done already.",
            ),
            Mistake(
                "keys-from-target",
                lambda x, memory, w_query, w_key, w_value: _attend(x @ w_query, x @ w_key, memory @ w_value),
                "The keys come from the target and the values from the memory, so weights for some tokens are "
                "used on others. Key and value belong to the same token.",
            ),
            Mistake(
                "values-from-target",
                lambda x, memory, w_query, w_key, w_value: _attend(x @ w_query, memory @ w_key, x @ w_value),
                "The values come from the target and the keys from the memory, so weights for some tokens are "
                "used on others. Key and value belong to the same token.",
            ),
            Mistake(
                "target-as-values",
                lambda x, memory, w_query, w_key, w_value: _attend(memory @ w_query, memory @ w_key, x @ w_value),
                "Only the values come from the target, and the memory asks itself. What does each token of the "
                "target look for, and where?",
            ),
            Mistake(
                "key-and-value-weights-exchanged",
                lambda x, memory, w_query, w_key, w_value: _cross_attention(x, memory, w_query, w_value, w_key),
                "`w_key` and `w_value` are exchanged. Which of the two is compared with the queries?",
            ),
            Mistake(
                "query-and-key-weights-exchanged",
                lambda x, memory, w_query, w_key, w_value: _cross_attention(x, memory, w_key, w_query, w_value),
                "`w_query` and `w_key` are exchanged. Each belongs to one of the two texts.",
            ),
            Mistake(
                "values-not-projected",
                lambda x, memory, w_query, w_key, w_value: _attend(x @ w_query, memory @ w_key, memory),
                "You sum the memory itself. What is summed are its values.",
            ),
            Mistake(
                "not-projected",
                lambda x, memory, w_query, w_key, w_value: _attend(x, memory, memory),
                "The three matrices are not used. As in self-attention, tokens become queries, keys and values first.",
            ),
            Mistake(
                "both-texts",
                lambda x, memory, w_query, w_key, w_value: _cross_attention(
                    x, torch.cat([memory, x]), w_query, w_key, w_value
                ),
                "The target reads the memory and itself at once. A decoder layer has self-attention of its own "
                "before this; here only the memory is read.",
            ),
            Mistake(
                "everyone-reads-everyone",
                lambda x, memory, w_query, w_key, w_value: _cross_attention(
                    torch.cat([x, memory]), torch.cat([x, memory]), w_query, w_key, w_value
                ),
                "You put both texts together and let everyone read everyone. Here one text asks and the other answers.",
            ),
            Mistake(
                "causal",
                lambda x, memory, w_query, w_key, w_value: _attend(
                    x @ w_query, memory @ w_key, memory @ w_value, mask=_causal(x, memory)
                ),
                "You close the later tokens of the memory with a causal mask. The source is known as a whole: only "
                "the target has a future to hide.",
            ),
            Mistake("no-scaling", lambda *args: _cross_attention(*args, scale=1), "The scores are not scaled."),
            Mistake(
                "divided-by-d-k",
                lambda *args: _cross_attention(*args, scale=args[3].shape[1]),
                "You divide by `d_k` itself. The spread of the scores grows more slowly than that.",
            ),
            Mistake(
                "root-of-d-model",
                lambda *args: _cross_attention(*args, scale=args[0].shape[1] ** 0.5),
                "You divide by the root of `d_model`. What counts is how many numbers a key has.",
            ),
            Mistake(
                "wrong-axis",
                lambda *args: _cross_attention(*args, axis=0),
                "Softmax runs over the queries. Each query's own weights must sum to 1.",
            ),
            Mistake(
                "no-softmax",
                lambda x, memory, w_query, w_key, w_value: (
                    x @ w_query @ (memory @ w_key).T / w_key.shape[1] ** 0.5 @ (memory @ w_value)
                ),
                "The scores are used as weights. They can be negative and do not sum to 1: which step is missing?",
            ),
            Mistake(
                "transpose-forgotten",
                lambda x, memory, w_query, w_key, w_value: (
                    torch.softmax(x @ w_query @ (memory @ w_key) / w_key.shape[1] ** 0.5, -1) @ (memory @ w_value)
                ),
                "The keys are not transposed. A score is the dot product of a query and a key, both of which are rows.",
            ),
            Mistake(
                "weights-only",
                lambda x, memory, w_query, w_key, w_value: torch.softmax(
                    x @ w_query @ (memory @ w_key).T / w_key.shape[1] ** 0.5, -1
                ),
                "You return the weights. The values still have to be summed with them.",
            ),
            Mistake(
                "residual-inside",
                lambda x, *args: x + _cross_attention(x, *args),
                "You add `x`. In a decoder layer that is done around the attention, not within it.",
            ),
        ],
        hints=[
            "Translating, you have written some words and look back at the source. Who asks, and who has the answers?",
            "One of the three projections is of `x`, the other two are of `memory`. The rest is attention as you know "
            "it.",
            "Shapes: (n, d_k) @ (d_k, n_memory) -> (n, n_memory), and that @ (n_memory, d_v).",
        ],
    ),
]
