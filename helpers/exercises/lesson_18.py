"""Lesson 18, a real language model: rotary positions in halves, reading a grouped cache, how likely a text was."""

from collections.abc import Callable

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


def _by_parts(places: Tensor, x: Tensor, base: float, parts: Callable[..., tuple[Tensor, Tensor]]) -> Tensor:
    """Two halves again, made by `parts` of both halves and of cosine and sine."""
    angles = _angles(places, x, base)
    return torch.cat(parts(*x.chunk(2, -1), angles.cos(), angles.sin()), -1)


def _read_as_neighbours(places: Tensor, x: Tensor, base: float) -> Tensor:
    return _turn_halves(places, torch.cat([x[:, 0::2], x[:, 1::2]], -1), base)


def _first_half_overwritten(places: Tensor, x: Tensor, base: float) -> Tensor:
    return _by_parts(places, x, base, lambda a, b, cos, sin: (a * cos - b * sin, (a * cos - b * sin) * sin + b * cos))


def _speeds_of_neighbours(places: Tensor, x: Tensor, base: float) -> Tensor:
    angles, (a, b) = _angles(places, x, base).repeat_interleave(2, -1), x.chunk(2, -1)
    return x * angles.cos() + torch.cat([-b, a], -1) * angles.sin()


def _reversed_half(x: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    return torch.cat([a, b.flip(-1)], -1)


def _times_slowness(places: Tensor, x: Tensor, base: float) -> Tensor:
    return _turned(x, places[:, None] * base ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1]))


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


def _values_tiled(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return _attended(queries, _own(keys, queries), values.repeat(len(queries) // len(values), 1, 1))


def _lower_triangle(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    scores = (queries[:, None] @ _own(keys, queries).mT / queries.shape[-1] ** 0.5)[:, 0]
    scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
    return (scores.softmax(-1)[:, None] @ _own(values, queries)).flatten()


def _heads_in_turn(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    in_groups = queries.unflatten(0, (-1, len(keys))).transpose(0, 1).flatten(0, 1)
    return _read_cache(in_groups, keys, values)


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
        (half.flip(-1), torch.tensor([2, 3]), 1.5, 0.2),  # the best alone
        case(3, 6, 1.6, 0.3),
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
    if p < 1:  # all of them are asked for otherwise, also those that rounding would leave out
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


def _of_kept(kept: Tensor, ids: Tensor) -> Tensor:
    """The chance of the text, from what is kept of each row: (n, vocab_size)."""
    return _own_chances(kept / kept.sum(-1, keepdim=True), ids).prod()


def _crossing_left_out(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    best, places = (scores / temperature).softmax(-1).sort(-1, descending=True)
    best = best.masked_fill(best.cumsum(-1) > p, 0.0)
    return _of_kept(torch.zeros_like(best).scatter(-1, places, best), ids)


def _unlikely_first(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    worst, places = (scores / temperature).softmax(-1).sort(-1)
    worst = worst.masked_fill(worst.cumsum(-1) - worst >= p, 0.0)
    return _of_kept(torch.zeros_like(worst).scatter(-1, places, worst), ids)


def _sorted_read_by_id(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    kept = _kept((scores / temperature).softmax(-1), p)
    return _of_kept(kept.sort(-1, descending=True).values, ids)


def _over_the_places(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    best, places = (scores / temperature).softmax(0).sort(-1, descending=True)
    best = best.masked_fill(best.cumsum(-1) - best >= p, 0.0)
    return _of_kept(torch.zeros_like(best).scatter(-1, places, best), ids)


def _above_p(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    weights = (scores / temperature).softmax(-1)
    return _of_kept(weights * (weights >= p), ids)


def _top_k_of_p(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    scaled = scores / temperature
    cut = scaled.topk(max(1, int(p * scores.shape[-1])), dim=-1).values[:, -1:]
    return _own_chances(scaled.masked_fill(scaled < cut, -torch.inf).softmax(-1), ids).prod()


def _shared_by_all_rows(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    kept = _kept((scores / temperature).softmax(-1), p)
    return _own_chances(kept / kept.sum(), ids).prod()


def _left_out_skipped(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    chances = _chances(scores, ids, temperature, p)
    return chances[chances > 0].prod()


def _softmax_twice(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    best, places = (scores / temperature).softmax(-1).sort(-1, descending=True)
    best = best.masked_fill(best.cumsum(-1) - best >= p, 0.0).softmax(-1)
    return _own_chances(torch.zeros_like(best).scatter(-1, places, best), ids).prod()


def _all_rows_all_ids(scores: Tensor, ids: Tensor, temperature: float, p: float) -> Tensor:
    kept = _kept((scores / temperature).softmax(-1), p)
    return (kept / kept.sum(-1, keepdim=True))[:, ids].prod()


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
                "You turn in the other direction: which of the two sines has the minus?",
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
            Mistake(
                "read-as-neighbours",
                _read_as_neighbours,
                "You take neighbours as pairs, and put them back as halves. Both times it is number i and number "
                "i + d_head / 2.",
            ),
            Mistake(
                "from-the-first-on",
                lambda places, x, base: _turn_halves(places[0] + torch.arange(len(x)), x, base),
                "You count on from the first place. Some places may be missing in between: use all of `places`.",
            ),
            Mistake(
                "base-of-10000",
                lambda places, x, base: _turn_halves(places, x, 10_000),
                "Your base is 10,000 whatever `base` is.",
            ),
            Mistake(
                "base-of-100000",
                lambda places, x, base: _turn_halves(places, x, 100_000),
                "Your base is 100,000, that of the lesson, whatever `base` is.",
            ),
            Mistake(
                "double-speed",
                lambda places, x, base: _turned(x, _angles(places, x, base, step=4.0)),
                "Your exponents are twice too large: 2 i is divided by d_head, not by its half.",
            ),
            Mistake(
                "plus-in-both",
                lambda places, x, base: _by_parts(
                    places, x, base, lambda a, b, cos, sin: (a * cos + b * sin, a * sin + b * cos)
                ),
                "Both of your lines add. (a, b) becomes (a cos - b sin, a sin + b cos): one of them subtracts.",
            ),
            Mistake(
                "sine-for-cosine",
                lambda places, x, base: _by_parts(
                    places, x, base, lambda a, b, cos, sin: (a * sin - b * cos, a * cos + b * sin)
                ),
                "Sine and cosine are swapped: at place 0 nothing is turned, so `a` stays with the cosine.",
            ),
            Mistake(
                "overwritten",
                _first_half_overwritten,
                "You overwrite the first half before the second is made of it. Both are made of the old numbers.",
            ),
            Mistake(
                "times-slowness",
                _times_slowness,
                "You multiply the places by the slowness. A slow hand turns by less: divide.",
            ),
            Mistake(
                "halves-exchanged",
                lambda places, x, base: torch.cat(_turn_halves(places, x, base).chunk(2, -1)[::-1], -1),
                "The pairs are right, but the halves are swapped: the first stays first.",
            ),
            Mistake(
                "speeds-of-neighbours",
                _speeds_of_neighbours,
                "You give numbers 0 and 1 the same speed. Here numbers i and i + d_head / 2 are a pair: repeat the "
                "angles as a whole, with `cat`.",
            ),
            Mistake(
                "slow-hands-first",
                lambda places, x, base: _turned(x, _angles(places, x, base).flip(-1)),
                "Your slowest hand comes first. Pair 0 is the fastest.",
            ),
            Mistake(
                "second-half-reversed",
                lambda places, x, base: _reversed_half(_turn_halves(places, _reversed_half(x), base)),
                "You pair the first number with the last, the second with the one before it. Number i goes with number "
                "i + d_head / 2.",
            ),
            Mistake(
                "cosine-of-both",
                lambda places, x, base: _by_parts(
                    places, x, base, lambda a, b, cos, sin: (a * cos - b * cos, a * sin + b * sin)
                ),
                "In each of your lines both numbers are multiplied by the same. (a, b) becomes (a cos - b sin, "
                "a sin + b cos).",
            ),
            Mistake(
                "added",
                lambda places, x, base: (
                    x + torch.cat([_angles(places, x, base).sin(), _angles(places, x, base).cos()], -1)
                ),
                "You add sine and cosine, as lesson 10 did at first. Rotary positions add nothing: they turn what is "
                "there.",
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
            Mistake(
                "itself-hidden",
                lambda queries, keys, values: _read_cache(queries, keys[:, :-1], values[:, :-1]),
                "The new token does not see itself. Its own key and value are among those given.",
            ),
            Mistake(
                "lower-triangle",
                _lower_triangle,
                "Your causal mask runs over the heads: head 0 sees one key, head 1 sees two. All belong to the new "
                "token, which sees all keys.",
            ),
            Mistake(
                "last-value-only",
                lambda queries, keys, values: _own(values, queries)[:, -1].flatten(),
                "You return the last value. The output is the weighted sum of all values.",
            ),
            Mistake(
                "first-group-for-all",
                lambda queries, keys, values: _read_cache(queries, keys[:1], values[:1]),
                "All heads read the first group. Which group belongs to head h?",
            ),
            Mistake(
                "values-tiled",
                _values_tiled,
                "Keys and values are given out to the heads in different orders, so weights meet values of another "
                "group.",
            ),
            Mistake(
                "no-softmax",
                lambda queries, keys, values: (
                    queries[:, None] @ _own(keys, queries).mT / queries.shape[-1] ** 0.5 @ _own(values, queries)
                ).flatten(),
                "Softmax is missing: you weight the values with scores.",
            ),
            Mistake(
                "divided-by-d-head",
                lambda queries, keys, values: _attended(
                    queries, _own(keys, queries), _own(values, queries), scale=queries.shape[-1]
                ),
                "You divide by d_head itself. It is the root of it.",
            ),
            Mistake(
                "root-of-heads",
                lambda queries, keys, values: _attended(
                    queries, _own(keys, queries), _own(values, queries), scale=len(queries) ** 0.5
                ),
                "You divide by the root of the number of heads. It is the length of a query that counts, d_head.",
            ),
            Mistake(
                "root-of-tokens",
                lambda queries, keys, values: _attended(
                    queries, _own(keys, queries), _own(values, queries), scale=keys.shape[1] ** 0.5
                ),
                "You divide by the root of the number of tokens. It is the length of a query that counts, d_head.",
            ),
            Mistake(
                "heads-in-turn",
                _heads_in_turn,
                "You deal the heads out to the groups in turn. Neighbouring heads share a group.",
            ),
            Mistake(
                "one-head-a-group",
                lambda queries, keys, values: _read_cache(queries[:: len(queries) // len(keys)], keys, values),
                "You ask with one head of each group, so that the others have no output.",
            ),
            Mistake(
                "first-head-only",
                lambda queries, keys, values: _read_cache(queries, keys, values)[: queries.shape[-1]],
                "Only the output of head 0 is there. Does your function return inside the loop?",
            ),
            Mistake(
                "keys-weighted",
                lambda queries, keys, values: _read_cache(queries, keys, keys),
                "You weight the keys. They only decide the weights: what is summed are the values.",
            ),
            Mistake(
                "not-joined",
                lambda queries, keys, values: _read_cache(queries, keys, values).view_as(queries),
                "The outputs are right, one row for each head. Join them to one vector.",
            ),
            Mistake(
                "even-mean",
                lambda queries, keys, values: _own(values.mean(1), queries).flatten(),
                "You take the plain mean of the values. The queries and keys decide the weights.",
            ),
            Mistake(
                "all-groups-for-all",
                lambda queries, keys, values: _read_cache(
                    queries, keys.flatten(0, 1)[None], values.flatten(0, 1)[None]
                ),
                "Each of your heads reads the keys of all groups. A head reads one group.",
            ),
            Mistake(
                "groups-averaged",
                lambda queries, keys, values: _read_cache(
                    queries, keys.mean(0, keepdim=True), values.mean(0, keepdim=True)
                ),
                "You take the mean over the groups. Each group serves some of the heads with its own keys and values.",
            ),
            Mistake(
                "best-key-only",
                lambda queries, keys, values: _own(values, queries)[
                    torch.arange(len(queries)), (queries[:, None] @ _own(keys, queries).mT)[:, 0].argmax(-1)
                ].flatten(),
                "You take the value of the best key alone. Softmax gives every key some weight.",
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
        gradient=False,
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
            Mistake(
                "crossing-left-out",
                _crossing_left_out,
                "One token too few at each place: the one that takes the sum to p, or over it, is kept, so that the "
                "best always is.",
            ),
            Mistake(
                "unlikely-first",
                _unlikely_first,
                "You begin at the unlikely end. `sort` puts the smallest first unless you say otherwise.",
            ),
            Mistake(
                "above-p",
                _above_p,
                "You keep the tokens whose own chance is at least p, often none. It is their sum that has to reach p.",
            ),
            Mistake(
                "sorted-read-by-id",
                _sorted_read_by_id,
                "You read the sorted row at place `ids`. After `sort` a token stands elsewhere: at which rank is it?",
            ),
            Mistake(
                "over-the-places",
                _over_the_places,
                "Your softmax runs over the places of the text. At each place the tokens share 1.",
            ),
            Mistake(
                "shared-by-all-rows",
                _shared_by_all_rows,
                "You divide by the sum of all rows. What is left of each row shares 1.",
            ),
            Mistake(
                "left-out-skipped",
                _left_out_skipped,
                "You skip tokens that would have been left out. A text that holds one cannot be written: 0.",
            ),
            Mistake(
                "softmax-twice",
                _softmax_twice,
                "You take softmax of what is left. That gives the tokens that were left out a chance again: divide by "
                "the sum.",
            ),
            Mistake(
                "all-rows-all-ids",
                _all_rows_all_ids,
                "`[:, ids]` takes all tokens of the text from every row. Each row has one: give rows and columns, or "
                "use `gather`.",
            ),
            Mistake(
                "logarithm",
                lambda scores, ids, temperature, p: _chances(scores, ids, temperature, p).log().sum(),
                "That is the logarithm of the chance.",
            ),
            Mistake(
                "geometric-mean",
                lambda scores, ids, temperature, p: _chances(scores, ids, temperature, p).prod() ** (1 / len(ids)),
                "You take a root, as for perplexity. Return the chance of the whole text.",
            ),
            Mistake("each-place", _chances, "That is the chance of each token. How likely are all of them together?"),
            Mistake(
                "first-place-only",
                lambda scores, ids, temperature, p: _chances(scores, ids, temperature, p)[0],
                "That is the chance of the first token. Does your function return inside the loop?",
            ),
            Mistake(
                "last-place-only",
                lambda scores, ids, temperature, p: _chances(scores, ids, temperature, p)[-1],
                "That is the chance of the last token. Is it `=` there in place of `*=`?",
            ),
            Mistake(
                "from-0",
                lambda scores, ids, temperature, p: scores.new_zeros(()),
                "Your chance is always 0. Does your product begin with 0?",
            ),
            Mistake(
                "top-k",
                _top_k_of_p,
                "You keep a share of the vocabulary. p is a sum of probabilities: how many tokens reach it differs "
                "from place to place.",
            ),
        ],
        hints=[
            "For one place: temperature, softmax, then sort from the best down and add up.",
            "A token stays as long as those before it have less than p together. What stays is divided by its sum.",
            "`gather` takes each place's token out of its row; `prod` multiplies.",
        ],
    ),
]
