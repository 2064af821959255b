"""Lesson 18, a real language model: rotary positions in halves, reading a grouped cache, how likely a text was."""

import torch
from torch import Tensor

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

# --- rotary positions ---


def _turn_cases(draw: Draw) -> list[Arguments]:
    def case(places: list[int], d_head: int, base: float, dtype: torch.dtype = torch.float32) -> Arguments:
        return torch.tensor(places), draw(len(places), d_head, dtype=dtype), base

    return [
        (torch.tensor([0, 3]), torch.tensor([[1.0, 2.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0]]), 100.0),
        case([3, 4], 4, 100.0),
        case([5], 2, 10.0),
        case([1], 8, 10_000.0),
        case([0, 1, 2, 3, 4], 6, 50.0),
        case([7, 2, 9], 8, 10_000.0, torch.float64),
        (torch.tensor([2, 3, 5, 8]), draw.apart(4, 6), 100.0),
        (torch.tensor([4, 3, 2, 1, 0]), draw(6, 5).T, 1000.0),
        case([3 * place + 1 for place in range(30)], 12, 100_000.0),
    ]


def _angles(places: Tensor, x: Tensor, base: float, step: float = 2.0) -> Tensor:
    """(n, d_head / 2)."""
    exponents = torch.arange(x.shape[-1] // 2, dtype=torch.float64) * step / x.shape[-1]
    return (places[:, None] / base**exponents).to(x.dtype)


def _turned(x: Tensor, angles: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1)


def _turn_halves(places: Tensor, x: Tensor, base: float) -> Tensor:
    return _turned(x, _angles(places, x, base))


def _turn_neighbours(places: Tensor, x: Tensor, base: float) -> Tensor:
    angles, a, b = _angles(places, x, base), x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)


def _woven(places: Tensor, x: Tensor, base: float) -> Tensor:
    return torch.stack(_turn_halves(places, x, base).chunk(2, -1), -1).flatten(-2)


# --- grouped queries ---


def _group_cases(draw: Draw) -> list[Arguments]:
    def case(heads: int, groups: int, n: int, d: int, dtype: torch.dtype = torch.float32) -> Arguments:
        return draw(heads, d, dtype=dtype), draw(groups, n, d, dtype=dtype), draw(groups, n, d, dtype=dtype)

    return [
        case(4, 2, 3, 5),
        case(4, 2, 3, 5),
        case(1, 1, 1, 1),
        case(1, 1, 3, 2),
        case(6, 3, 1, 4),
        case(6, 2, 5, 4, torch.float64),
        case(9, 3, 7, 8),
        case(5, 5, 4, 3),
        case(6, 1, 8, 5),
        (draw.apart(6, 4), draw.apart(2, 5, 4), draw.apart(2, 5, 4)),
        case(12, 4, 50, 6),
    ]


def _attended(queries: Tensor, keys: Tensor, values: Tensor, scale: float | None = None) -> Tensor:
    """One query for each head, each with its own keys and values: (n_heads, d), (n_heads, n, d) twice."""
    scale = queries.shape[-1] ** 0.5 if scale is None else scale
    weights = (queries[:, None] @ keys.mT / scale).softmax(-1)
    return (weights @ values).flatten()


def _own(shared: Tensor, queries: Tensor) -> Tensor:
    return shared.repeat_interleave(len(queries) // len(shared), 0)


def _read_cache(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return _attended(queries, _own(keys, queries), _own(values, queries))


def _tiled(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    times = len(queries) // len(keys)
    return _attended(queries, keys.repeat(times, 1, 1), values.repeat(times, 1, 1))


def _unscaled(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return _attended(queries, _own(keys, queries), _own(values, queries), scale=1.0)


def _scaled_by_all(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return _attended(queries, _own(keys, queries), _own(values, queries), scale=queries.numel() ** 0.5)


def _first_key_only(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return _own(values, queries)[:, 0].flatten()


def _across_heads(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    scores = queries[:, None] @ _own(keys, queries).mT / queries.shape[-1] ** 0.5
    return (scores.softmax(0) @ _own(values, queries)).flatten()


def _values_alike(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return _attended(queries, _own(keys, queries), values[:1].expand(len(queries), -1, -1))


def _by_place(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return _read_cache(queries, keys, values).unflatten(0, queries.shape).T.flatten()


def _means(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    in_groups = queries.unflatten(0, (len(keys), -1)).mean(1)
    return _attended(_own(in_groups, queries), _own(keys, queries), _own(values, queries))


# --- the chance of a text ---


def _chance_cases(draw: Draw) -> list[Arguments]:
    def case(n: int, size: int, temperature: float, p: float, dtype: torch.dtype = torch.float32) -> Arguments:
        scores = draw(n, size, scale=2.0, dtype=dtype)
        rank = min(1, size - 1)  # not always the best, so that what is left out counts
        order = scores.argsort(-1, descending=True)
        return scores, torch.where(torch.arange(n) % 2 == 0, order[:, 0], order[:, rank]), temperature, p

    half = torch.tensor([[0.5, 0.3, 0.1, 0.1], [0.6, 0.2, 0.15, 0.05]]).log()
    return [
        (half, torch.tensor([1, 0]), 1.0, 0.75),
        (half, torch.tensor([2, 0]), 1.0, 0.75),  # token 2 is left out
        case(1, 1, 1.0, 0.5),
        case(2, 5, 2.0, 0.9),
        case(3, 4, 0.7, 1.0),
        case(4, 6, 1.5, 0.85, torch.float64),
        (draw(3, 7, scale=20), torch.tensor([0, 0, 0]), 1.3, 0.6),
        (draw.apart(3, 5), torch.tensor([4, 3, 2]), 3.0, 0.95),
        case(8, 30, 1.2, 0.9),
    ]


def _kept(weights: Tensor, p: float) -> Tensor:
    """The weights, (n, vocab_size), of the fewest tokens that reach p; the others are 0."""
    best, places = weights.sort(-1, descending=True)
    best = best.masked_fill(best.cumsum(-1) - best >= p, 0.0)
    return torch.zeros_like(weights).scatter(-1, places, best)


def _own_chances(weights: Tensor, ids: Tensor) -> Tensor:
    return weights.gather(-1, ids[:, None])[:, 0]


def _chances(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    """Of each token, (n,)."""
    kept = _kept((scores / temperature).softmax(-1), p)
    return _own_chances(kept / kept.sum(-1, keepdim=True), ids)


def _not_shared(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    return _own_chances(_kept((scores / temperature).softmax(-1), p), ids).prod()


def _nothing_left_out(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    return _own_chances((scores / temperature).softmax(-1), ids).prod()


def _p_first(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    left_out = _kept(scores.softmax(-1), p) == 0
    return _own_chances((scores / temperature).masked_fill(left_out, -torch.inf).softmax(-1), ids).prod()


def _no_temperature(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    return _chances(scores, ids, 1.0, p).prod()


def _times_temperature(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    return _chances(scores, ids, 1 / temperature, p).prod()


def _next_place(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    return _chances(scores[:-1], ids[1:], temperature, p).prod()


EXERCISES = [
    Exercise(
        name="turn_halves",
        lesson=18,
        statement="Rotary positions that pair number i with number i + d_head / 2, at any places.",
        reference=_turn_halves,
        cases=_turn_cases,
        verified="Each half goes with the other, every pair at its own speed, each row by its own place.",
        mistakes=[
            Mistake(
                "neighbours",
                _turn_neighbours,
                "You pair neighbours, as the lesson does. Here number i goes with number i + d_head / 2.",
            ),
            Mistake(
                "woven",
                _woven,
                "The pairs are right, but you put them back as neighbours. The first half goes to the first half.",
            ),
            Mistake(
                "row-numbers",
                lambda places, x, base: _turn_halves(torch.arange(len(x)), x, base),
                "You turn by the number of the row. Row i stands at `places[i]`, and other rows may be missing.",
            ),
            Mistake(
                "one-too-far",
                lambda places, x, base: _turn_halves(places + 1, x, base),
                "You are one place too far: place 0 is not turned.",
            ),
            Mistake(
                "backwards",
                lambda places, x, base: _turned(x, -_angles(places, x, base)),
                "You turn the other way: which of the two sines has the minus?",
            ),
            Mistake(
                "half-speed",
                lambda places, x, base: _turned(x, _angles(places, x, base, step=1.0)),
                "Your exponents are i / d_head. For pair number i they are 2 i / d_head, so that they reach nearly 1.",
            ),
            Mistake(
                "one-speed",
                lambda places, x, base: _turned(x, _angles(places, x, base, step=0.0)),
                "All your hands turn at the speed of the fastest one. Each pair has a slowness of its own.",
            ),
        ],
        hints=[
            "`x.chunk(2, dim=-1)` gives the two halves. Pair number i is a[:, i] with b[:, i].",
            "The slowness of pair i is `base ** (2 * i / d_head)`, and the angle is the place over the slowness.",
            "(a, b) goes to (a cos - b sin, a sin + b cos); `torch.cat` puts the halves together again.",
        ],
    ),
    Exercise(
        name="read_cache",
        lesson=18,
        statement="The output of one new token: a query for each head, keys and values for each group.",
        reference=_read_cache,
        cases=_group_cases,
        verified="Neighbouring heads share the keys and values of their group, and nothing needs a mask.",
        mistakes=[
            Mistake(
                "tiled",
                _tiled,
                "You give the groups to the heads in turn, 0, 1, 0, 1. Neighbouring heads share one: 0, 0, 1, 1.",
            ),
            Mistake("unscaled", _unscaled, "The scores are not scaled: divide by the root of d_head."),
            Mistake(
                "scaled-by-all",
                _scaled_by_all,
                "You divide by the root of the length of all heads together. It is the d_head of one head that counts.",
            ),
            Mistake(
                "first-key-only",
                _first_key_only,
                "Each head sees the first key alone: a causal mask for row 0. The new token is the last one, and sees "
                "all.",
            ),
            Mistake(
                "across-heads", _across_heads, "Your softmax runs over the heads. For each head it runs over the keys."
            ),
            Mistake(
                "values-alike",
                _values_alike,
                "All heads read the values of group 0. Values are shared in the same groups as keys.",
            ),
            Mistake(
                "by-place",
                _by_place,
                "You join number 0 of all heads first, then number 1. A head's output stays together.",
            ),
            Mistake(
                "mean-query",
                _means,
                "You take the mean of the queries of a group. Each head asks its own question of the shared keys.",
            ),
        ],
        hints=[
            "n_heads / n_groups neighbouring heads share a group: `queries.unflatten(0, (n_groups, -1))`.",
            "Then a batched product: (n_groups, heads in a group, d_head) @ (n_groups, d_head, n).",
            "The new token may attend to all that are kept, so there is no mask; `flatten()` joins the heads.",
        ],
    ),
    Exercise(
        name="chance_of_text",
        lesson=18,
        statement="How likely it is that drawing with this temperature and p writes exactly these tokens.",
        reference=lambda scores, ids, temperature, p: _chances(scores, ids, temperature, p).prod(),
        cases=_chance_cases,
        verified="What is left out has chance 0, what stays shares 1, and the chances of all places are multiplied.",
        mistakes=[
            Mistake(
                "not-shared",
                _not_shared,
                "What stays does not sum to 1 at a place: the chance of those left out is shared among the others.",
            ),
            Mistake(
                "nothing-left-out",
                _nothing_left_out,
                "You ignore p: the unlikely tokens are still there and keep their chance.",
            ),
            Mistake("p-first", _p_first, "You choose what stays before the temperature has changed the chances."),
            Mistake("no-temperature", _no_temperature, "You ignore the temperature: divide the scores by it first."),
            Mistake(
                "times-temperature",
                _times_temperature,
                "You multiply the scores by the temperature. They are divided by it, so a high one evens them out.",
            ),
            Mistake(
                "sum",
                lambda scores, ids, temperature, p: _chances(scores, ids, temperature, p).sum(),
                "You add the chances of the places. All of these tokens have to come: multiply.",
            ),
            Mistake(
                "mean",
                lambda scores, ids, temperature, p: _chances(scores, ids, temperature, p).mean(),
                "You take the mean of the places. All of these tokens have to come: multiply.",
            ),
            Mistake(
                "next-place",
                _next_place,
                "You compare each row with the token of the next place. Row t is what token t was drawn by.",
            ),
        ],
        hints=[
            "For one place: temperature, softmax, then sort from the best down and add up.",
            "A token stays as long as those before it have less than p together. What stays is divided by its sum.",
            "`gather` takes each place's token out of its row; `prod` multiplies.",
        ],
    ),
]
