"""Lesson 13, language model: one merge of byte pairs, a fair comparison, a draw, several new tokens with a cache."""

from collections.abc import Callable
from itertools import pairwise

import torch
from torch import Tensor

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

Ids = list[int]


def _merge_cases(draw: Draw) -> list[Arguments]:
    def case(n: int, below: int) -> Arguments:
        return draw.whole(n, below=below).tolist(), below

    return [
        ([11, 14, 22, 31, 11, 14, 22, 4], 99),  # two pairs come twice
        ([1, 0, 0, 1, 2, 0, 1, 0], 99),
        ([5, 6, 7, 6, 7, 5, 6, 6, 7], 9),  # 6, 7 three times; 5, 6 comes first
        ([2, 1, 3, 1, 2, 1, 2], 8),  # 2, 1 and 1, 2 are two pairs
        ([4, 4, 4, 4, 4], 7),
        ([3, 4, 4, 4, 5, 3, 4, 5], 6),
        ([3, 8, 3, 9, 3, 7, 1, 2, 1, 2], 10),  # 3 is the most frequent, but not its pairs
        ([0, 1], 2),
        case(30, 4),
        case(200, 9),
    ]


def _counts(ids: Ids) -> dict[tuple[int, int], int]:
    counts: dict[tuple[int, int], int] = {}
    for pair in pairwise(ids):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def _put(ids: Ids, best: tuple[int, int] | None, new_id: int, most: int | None = None) -> Ids:
    """Put `new_id` where the pair stands, at most so many times."""
    merged, i, done = [], 0, 0
    while i < len(ids):
        found = tuple(ids[i : i + 2]) == best and (most is None or done < most)
        merged.append(new_id if found else ids[i])
        i, done = i + (2 if found else 1), done + found
    return merged


def _one_merge(ids: Ids, new_id: int) -> Ids:
    counts = _counts(ids)
    return _put(ids, max(counts, key=counts.__getitem__, default=None), new_id)


def _last_of_equals(ids: Ids, new_id: int) -> Ids:
    counts = dict(reversed(_counts(ids).items()))
    return _put(ids, max(counts, key=counts.__getitem__, default=None), new_id)


def _rarest(ids: Ids, new_id: int) -> Ids:
    counts = _counts(ids)
    return _put(ids, min(counts, key=counts.__getitem__, default=None), new_id)


def _largest(ids: Ids, new_id: int) -> Ids:
    return _put(ids, max(pairwise(ids), default=None), new_id)


def _left_stays(ids: Ids, new_id: int) -> Ids:
    counts = _counts(ids)
    best = max(counts, key=counts.__getitem__, default=None)
    return [new_id if tuple(ids[i : i + 2]) == best else ids[i] for i in range(len(ids))]


def _first_place_only(ids: Ids, new_id: int) -> Ids:
    counts = _counts(ids)
    return _put(ids, max(counts, key=counts.__getitem__, default=None), new_id, most=1)


def _either_order(ids: Ids, new_id: int) -> Ids:
    counts = _counts([])
    for left, right in pairwise(ids):
        pair = (min(left, right), max(left, right))
        counts[pair] = counts.get(pair, 0) + 1
    best = max(counts, key=counts.__getitem__, default=(-1, -1))
    merged, i = [], 0
    while i < len(ids):
        found = tuple(sorted(ids[i : i + 2])) == best
        merged.append(new_id if found else ids[i])
        i += 2 if found else 1
    return merged


def _most_frequent_id(ids: Ids, new_id: int) -> Ids:
    best = max(ids, key=ids.count)
    return [new_id if i == best else i for i in ids]


def _every_second(ids: Ids, new_id: int) -> Ids:
    counts: dict[tuple[int, ...], int] = {}
    for start in range(0, len(ids) - 1, 2):
        pair = tuple(ids[start : start + 2])
        counts[pair] = counts.get(pair, 0) + 1
    best = max(counts, key=counts.__getitem__, default=None)
    return _put(ids, best, new_id)  # type: ignore[arg-type]


Model = tuple[list[str], Tensor]  # the tokens that came, and the logarithm of the probability of each


def _comparison_cases(draw: Draw) -> list[Arguments]:
    pieces = ["e", " t", "ing", " the", "s", " return", "or", ", and", " a", "n"]

    def model(n: int, scale: float = 2.0, dtype: torch.dtype = torch.float32) -> Model:
        return [pieces[i] for i in draw.whole(n, below=len(pieces)).tolist()], -draw(n, scale=scale, dtype=dtype).abs()

    thirds = torch.tensor([0.5, 0.25, 0.5]).log()
    return [
        (["the", " cat", " sat"], thirds, list("the cat sat"), torch.full((11,), 0.8).log()),
        (["a", " do", "gs ran"], thirds - 0.5, list("a dog ran ."), torch.full((11,), 0.7).log()),
        (["x"], -draw(1).abs(), ["y"], -draw(1).abs()),
        (*model(3), *model(5)),
        (*model(7), *model(4)),
        (*model(6, dtype=torch.float64), *model(9, dtype=torch.float64)),
        (*model(2, scale=9.0), *model(3, scale=0.1)),
        (pieces[:6], (-draw(12).abs())[::2], pieces[2:], (-draw(16).abs())[::2]),
        (["caf", "\u00e9", " na", "\u00efve"], -draw(4).abs(), ["\u00fcb", "er"], -draw(2).abs()),
        (*model(300), *model(700)),
    ]


def _letters(tokens: list[str]) -> int:
    return len("".join(tokens))


Measure = Callable[[list[str], Tensor], Tensor]


def _hesitation(tokens: list[str], log_probabilities: Tensor) -> Tensor:
    """Perplexity per letter of one model."""
    return (-log_probabilities.sum() / _letters(tokens)).exp()


def _of_both(measure: Measure) -> Callable[..., tuple[Tensor, Tensor]]:
    """A way to compare that measures both models alike."""

    def compares(
        tokens: list[str], log_probabilities: Tensor, other_tokens: list[str], other_log_probabilities: Tensor
    ) -> tuple[Tensor, Tensor]:
        return measure(tokens, log_probabilities), measure(other_tokens, other_log_probabilities)

    return compares


def _compare(
    tokens: list[str], log_probabilities: Tensor, other_tokens: list[str], other_log_probabilities: Tensor
) -> tuple[Tensor, Tensor]:
    return _hesitation(tokens, log_probabilities), _hesitation(other_tokens, other_log_probabilities)


def _letters_of_the_first(
    tokens: list[str], log_probabilities: Tensor, other_tokens: list[str], other_log_probabilities: Tensor
) -> tuple[Tensor, Tensor]:
    return _hesitation(tokens, log_probabilities), _hesitation(tokens, other_log_probabilities)


def _letters_of_both(
    tokens: list[str], log_probabilities: Tensor, other_tokens: list[str], other_log_probabilities: Tensor
) -> tuple[Tensor, Tensor]:
    every = tokens + other_tokens
    return _hesitation(every, log_probabilities), _hesitation(every, other_log_probabilities)


def _draw_cases(draw: Draw) -> list[Arguments]:
    def dice(n: int) -> Tensor:
        return (draw.whole(n, below=1000) + 0.5) / 1000

    def case(rows: int, n: int, temperature: float, p: float, dtype: torch.dtype = torch.float32) -> Arguments:
        return draw(rows, n, scale=2.0, dtype=dtype), temperature, p, dice(rows)

    by_hand = torch.tensor([[0.5, 0.1, 0.3, 0.1], [0.05, 0.05, 0.1, 0.8]]).log()
    return [
        (by_hand, 1.0, 0.75, torch.tensor([0.7, 0.9])),
        (by_hand.flip(-1), 1.0, 0.75, torch.tensor([0.2, 0.6])),
        case(2, 4, 1.0, 0.75),
        case(6, 6, 2.5, 0.15),
        case(1, 1, 2.0, 0.5),
        case(1, 5, 0.5, 0.9),
        case(3, 5, 2.0, 0.6),
        case(4, 3, 0.7, 1.0),
        case(5, 7, 1.5, 0.7),
        (draw(3, 6, scale=100), 4.0, 0.9, dice(3)),
        (draw(2, 6) - 300, 0.6, 0.8, dice(2)),
        case(6, 4, 0.8, 0.5, torch.float64),
        (draw.apart(4, 6), 1.3, 0.65, dice(4)),
        case(40, 30, 0.9, 0.85),
    ]


def _nucleus(weights: Tensor, p: float, shift: int = 0) -> tuple[Tensor, Tensor]:
    """Keep the fewest tokens of each row that reach p, or some more or fewer: weights from the best on, and ids."""
    best, places = weights.sort(-1, descending=True)
    rest = best.flip(-1).cumsum(-1).flip(-1)  # of each and all that are less likely: small ones first, so none is lost
    enough = (1 - p) * (1 + 1e-6)  # a little more than 1 - p, since sums are rounded
    n_kept = 1 + (rest[..., 1:] > enough).sum(-1, keepdim=True) + shift
    return best * (torch.arange(best.shape[-1]) < n_kept), places


def _falls_on(best: Tensor, places: Tensor, dice: Tensor) -> Tensor:
    """Find the token that each number falls on, with the tokens end to end: (batch,)."""
    ends = best.cumsum(-1)
    rank = (ends <= dice[:, None] * ends[:, -1:]).sum(-1, keepdim=True).clamp(max=best.shape[-1] - 1)
    return places.gather(-1, rank)[:, 0]


def _draw_token(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    return _falls_on(*_nucleus((scores / temperature).softmax(-1), p), dice)


def _p_before_temperature(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    kept, places = _nucleus(scores.softmax(-1), p)
    weights = (scores / temperature).softmax(-1).gather(-1, places)
    return _falls_on(weights * (kept > 0), places, dice)


def _shifted(shift: int) -> Callable[[Tensor, float, float, Tensor], Tensor]:
    """Too many tokens are kept, or too few."""
    return lambda scores, temperature, p, dice: _falls_on(*_nucleus((scores / temperature).softmax(-1), p, shift), dice)


def _crossing_left_out(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = (scores / temperature).softmax(-1).sort(-1, descending=True)
    best = best.masked_fill(best.cumsum(-1) > p, 0.0)
    return _falls_on(best / best.sum(-1, keepdim=True), places, dice)  # of 0 / 0 no end is passed: the first


def _softmax_over_the_batch(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = (scores / temperature).softmax(0).sort(-1, descending=True)
    return _falls_on(best.masked_fill(best.cumsum(-1) - best >= p, 0.0), places, dice)


def _temperature_too_late(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = (scores.softmax(-1) / temperature).sort(-1, descending=True)
    return _falls_on(best.masked_fill(best.cumsum(-1) - best >= p, 0.0), places, dice)


def _one_behind(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = _nucleus((scores / temperature).softmax(-1), p)
    ends = best.cumsum(-1)
    rank = 1 + (ends <= dice[:, None] * ends[:, -1:]).sum(-1, keepdim=True)
    return places.gather(-1, rank.clamp(max=best.shape[-1] - 1))[:, 0]


def _nearest_end(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = _nucleus((scores / temperature).softmax(-1), p)
    ends = best.cumsum(-1) / best.sum(-1, keepdim=True)
    return places.gather(-1, (ends - dice[:, None]).abs().argmin(-1, keepdim=True))[:, 0]


def _shared_by_the_batch(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = _nucleus((scores / temperature).softmax(-1), p)
    rank = ((best / best.sum()).cumsum(-1) <= dice[:, None]).sum(-1, keepdim=True).clamp(max=best.shape[-1] - 1)
    return places.gather(-1, rank)[:, 0]


def _above_p(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = (scores / temperature).softmax(-1).sort(-1, descending=True)
    best = best * (best >= p)
    return _falls_on(best / best.sum(-1, keepdim=True), places, dice)  # of 0 / 0 no end is passed: the first


def _rank(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = _nucleus((scores / temperature).softmax(-1), p)
    return _falls_on(best, torch.arange(best.shape[-1]).expand_as(places), dice)


def _unlikely_first(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    worst, places = (scores / temperature).softmax(-1).sort(-1)
    return _falls_on(worst.masked_fill(worst.cumsum(-1) - worst >= p, 0.0), places, dice)


def _by_id(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = _nucleus((scores / temperature).softmax(-1), p)
    kept = torch.zeros_like(best).scatter(-1, places, best)
    return _falls_on(kept, torch.arange(best.shape[-1]).expand_as(places), dice)


def _not_stretched(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = _nucleus((scores / temperature).softmax(-1), p)
    rank = (best.cumsum(-1) <= dice[:, None]).sum(-1, keepdim=True).clamp(max=best.shape[-1] - 1)
    return places.gather(-1, rank)[:, 0]


def _one_number_for_all(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    return _draw_token(scores, temperature, p, dice[:1].expand_as(dice))


def _rows_alike(scores: Tensor, temperature: float, p: float, dice: Tensor) -> Tensor:
    best, places = (scores / temperature).softmax(-1).sort(-1, descending=True)
    n_kept = int((best[0].cumsum(-1) - best[0] < p).sum())
    return _falls_on(best * (torch.arange(best.shape[-1]) < n_kept), places, dice)


def _cache_cases(draw: Draw) -> list[Arguments]:
    def case(
        n_kept: int, m: int, d_k: int, d_v: int, scale: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> Arguments:
        shapes = [(m, d_k), (m, d_k), (m, d_v), (n_kept, d_k), (n_kept, d_v)]
        return tuple(draw(*shape, scale=scale, dtype=dtype) for shape in shapes)

    apart = tuple(draw.apart(*shape) for shape in [(2, 4), (2, 4), (2, 6), (3, 4), (3, 6)])
    return [
        case(4, 2, 3, 5),
        case(4, 2, 3, 5),
        case(1, 1, 1, 1),
        case(5, 1, 2, 3),
        case(2, 3, 5, 4),
        case(6, 4, 3, 2),
        case(4, 5, 3, 7, scale=20),
        case(5, 2, 4, 3, dtype=torch.float64),
        apart,
        case(60, 9, 8, 5),
    ]


Kept = tuple[Tensor, Tensor, Tensor]  # output, keys, values


def _attend(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = query @ keys.mT / query.shape[-1] ** 0.5
    return (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1) @ values


def _triangle(m: int, n_keys: int, diagonal: int) -> Tensor:
    return torch.ones(m, n_keys, dtype=torch.bool).tril(diagonal)


def _extend(query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor) -> Kept:
    keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
    return _attend(query, keys, values, _triangle(len(key), len(keys), len(kept_keys))), keys, values


def _with_output(output: Callable[..., Tensor]) -> Callable[..., Kept]:
    """A mistake in the output alone: `output` takes the same tensors, all keys and all values."""

    def makes(query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor) -> Kept:
        _, keys, values = _extend(query, key, value, kept_keys, kept_values)
        return output(query, key, value, kept_keys, kept_values, keys, values), keys, values

    return makes


def _new_not_kept(query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor) -> Kept:
    return _extend(query, key, value, kept_keys, kept_values)[0], kept_keys, kept_values


def _new_first(query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor) -> Kept:
    output = _extend(query, key, value, kept_keys, kept_values)[0]
    return output, torch.cat([key, kept_keys]), torch.cat([value, kept_values])


def _orders_differ(query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor) -> Kept:
    keys, values = torch.cat([kept_keys, key]), torch.cat([value, kept_values])
    return _attend(query, keys, values, _triangle(len(key), len(keys), len(kept_keys))), keys, values


def _unscaled(
    query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor, keys: Tensor, values: Tensor
) -> Tensor:
    return _attend(query * query.shape[-1] ** 0.5, keys, values, _triangle(len(key), len(keys), len(kept_keys)))


def _last_lost(ids: Ids, new_id: int) -> Ids:
    merged = _one_merge(ids, new_id)
    return merged if merged[-1] == new_id else merged[:-1]


def _smallest_of_equals(ids: Ids, new_id: int) -> Ids:
    counts = _counts(ids)
    return _put(ids, min(counts, key=lambda pair: (-counts[pair], pair)), new_id)


def _from_the_right(ids: Ids, new_id: int) -> Ids:
    counts = _counts(ids)
    left, right = max(counts, key=counts.__getitem__)
    return _put(ids[::-1], (right, left), new_id)[::-1]


def _overlap_not_counted(ids: Ids, new_id: int) -> Ids:
    counts: dict[tuple[int, int], int] = {}
    i = 0
    while i < len(ids) - 1:
        pair = ids[i], ids[i + 1]
        counts[pair] = counts.get(pair, 0) + 1
        i += 2 if ids[i] == ids[i + 1] else 1
    return _put(ids, max(counts, key=counts.__getitem__), new_id)


def _sum_of_ids(ids: Ids, new_id: int) -> Ids:
    best = max(_counts(ids), key=_counts(ids).__getitem__)
    merged: Ids = []
    for token in ids:
        if merged and (merged[-1], token) == best:
            merged[-1] += token
        else:
            merged.append(token)
    return merged


def _what_follows_the_most_frequent(ids: Ids, new_id: int) -> Ids:
    first = max(ids[:-1], key=ids[:-1].count)
    return _put(ids, (first, ids[ids.index(first) + 1]), new_id)


def _new_id_at_the_end(ids: Ids, new_id: int) -> Ids:
    return [*(token for token in _one_merge(ids, new_id) if token != new_id), new_id]


def _both_removed(ids: Ids, new_id: int) -> Ids:
    pair = max(_counts(ids), key=_counts(ids).__getitem__)
    return [new_id, *(token for token in ids if token not in pair)]


def _until_none_is_left(ids: Ids, new_id: int) -> Ids:
    while max(_counts(ids).values(), default=0) > 1:
        ids = _one_merge(ids, new_id)
    return ids


def _merged_again(ids: Ids, new_id: int) -> Ids:
    pair = max(_counts(ids), key=_counts(ids).__getitem__)
    merged: Ids = []
    for token in ids:
        merged.append(token)
        while len(merged) > 1 and (merged[-2], merged[-1]) == pair:
            merged[-2:] = [new_id]
            pair = (new_id, pair[1])
    return merged


def _masked_scores(
    query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor, keys: Tensor, values: Tensor
) -> Tensor:
    mask = _triangle(len(key), len(keys), len(kept_keys))
    return (query @ keys.mT / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)


def _reads_new_first(query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor) -> Kept:
    keys, values = torch.cat([key, kept_keys]), torch.cat([value, kept_values])
    return _attend(query, keys, values, _triangle(len(key), len(keys), len(kept_keys))), keys, values


def _only_new_returned(query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor) -> Kept:
    return _extend(query, key, value, kept_keys, kept_values)[0], key, value


def _exchanged(query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor) -> Kept:
    output, keys, values = _extend(query, key, value, kept_keys, kept_values)
    return output, values, keys


def _first_new_only(query: Tensor, key: Tensor, value: Tensor, kept_keys: Tensor, kept_values: Tensor) -> Kept:
    return _extend(query[:1], key[:1], value[:1], kept_keys, kept_values)


EXERCISES = [
    Exercise(
        name="one_merge",
        lesson=13,
        statement="Merge the most frequent pair of neighbours wherever it stands.",
        reference=_one_merge,
        cases=_merge_cases,
        verified="The most frequent pair is one token now, and the rest is as it was.",
        mistakes=[
            Mistake(
                "left-stays",
                _left_stays,
                "You put the new id over the left token of the pair and leave the right one. Two tokens become one.",
            ),
            Mistake("first-place-only", _first_place_only, "You merge the pair once. It is merged wherever it stands."),
            Mistake(
                "last-of-equals",
                _last_of_equals,
                "Of equally frequent pairs you take the one that is met last. Take the first.",
            ),
            Mistake("rarest", _rarest, "You merge the rarest pair. Which one makes the text shorter?"),
            Mistake(
                "largest-ids",
                _largest,
                "You take the pair with the largest ids: `max` of pairs compares the ids, not how often they come.",
            ),
            Mistake(
                "either-order",
                _either_order,
                "You count (a, b) and (b, a) as the same pair. A token is read from left to right.",
            ),
            Mistake(
                "single-token",
                _most_frequent_id,
                "You replace the most frequent single token. It is pairs of neighbours that are counted and merged.",
            ),
            Mistake(
                "every-second",
                _every_second,
                "You count the pairs at places 0 and 1, 2 and 3, and so on. Places 1 and 2 are neighbours, too.",
            ),
            Mistake(
                "last-lost", _last_lost, "The last id is lost when it is not part of a pair. Where does your loop end?"
            ),
            Mistake(
                "smallest-of-equals",
                _smallest_of_equals,
                "Of equally frequent pairs you take the one with the smallest ids. Take the one that is met first.",
            ),
            Mistake(
                "from-the-right",
                _from_the_right,
                "You merge from right to left. In 4, 4, 4 the first two become one, and the third stays.",
            ),
            Mistake(
                "overlap-not-counted",
                _overlap_not_counted,
                "You do not count pairs that overlap: in 4, 4, 4 the pair stands twice.",
            ),
            Mistake(
                "sum-of-ids",
                _sum_of_ids,
                "You put the sum of the two ids. In the lesson `+` joined two pieces of text; here `new_id` stands for "
                "the pair.",
            ),
            Mistake(
                "first-id-only",
                lambda ids, new_id: _one_merge(ids, new_id)[:1],
                "Your list ends after its first id. Does your function return inside the loop?",
            ),
            Mistake(
                "what-follows-the-most-frequent",
                _what_follows_the_most_frequent,
                "You take the most frequent id and what follows it first. Count the pairs themselves.",
            ),
            Mistake(
                "merged-again",
                _merged_again,
                "What you have just merged, you merge again with its neighbour. One merge is of two old ids.",
            ),
            Mistake(
                "right-stays-and-last-lost",
                lambda ids, new_id: _left_stays(ids, new_id)[:-1],
                "The right token of each pair stays, because `i += 1` changes nothing in a `for` loop, and the last id "
                "is lost. Use `while`, where you set i yourself.",
            ),
            Mistake(
                "both-removed",
                _both_removed,
                "You take the two ids out wherever they stand. Only where they stand side by side they become one.",
            ),
            Mistake(
                "until-none-is-left",
                _until_none_is_left,
                "You merge again and again until no pair comes twice. One merge is asked for.",
            ),
            Mistake(
                "new-id-at-the-end",
                _new_id_at_the_end,
                "You take the pair out and put `new_id` at the end. It stands where the pair stood, each time.",
            ),
        ],
        hints=[
            "Two passes: count all neighbours in a dictionary first, then build the new list.",
            "In the second pass go by an index: where the pair stands, append `new_id` and go on by 2, otherwise by 1.",
            "`max(counts, key=counts.get)` gives the first of equals. A list of one id has no pair and stays.",
        ],
        gradient=False,
    ),
    Exercise(
        name="compare",
        lesson=13,
        statement="Give each of two models, whose tokens differ, a number by which they can be compared.",
        reference=_compare,
        cases=_comparison_cases,
        verified="Both are measured per letter, however long their tokens and their texts are.",
        gradient=False,
        mistakes=[
            Mistake(
                "per-token",
                _of_both(lambda tokens, log_probabilities: (-log_probabilities.mean()).exp()),
                "That is perplexity per token. Long tokens are harder to guess, and fewer of them are needed: what do "
                "both models have in common?",
            ),
            Mistake(
                "letters-of-the-first",
                _letters_of_the_first,
                "You divide both sums by the letters of the first text. The other model was measured on its own.",
            ),
            Mistake(
                "letters-of-both",
                _letters_of_both,
                "You divide by the letters of both texts together. Each model was measured on its own text.",
            ),
            Mistake(
                "spaces-left-out",
                _of_both(
                    lambda tokens, logs: (-logs.sum() / max(_letters([t.replace(" ", "") for t in tokens]), 1)).exp()
                ),
                "You do not count the spaces. The model has to predict them like any other sign.",
            ),
            Mistake(
                "no-minus",
                _of_both(lambda tokens, log_probabilities: 1 / _hesitation(tokens, log_probabilities)),
                "A minus is missing: nobody hesitates among fewer than one.",
            ),
            Mistake(
                "no-exp",
                _of_both(lambda tokens, log_probabilities: -log_probabilities.sum() / _letters(tokens)),
                "That is the loss per letter. Among how many letters it hesitates is the exponential of it.",
            ),
            Mistake(
                "base-2",
                _of_both(lambda tokens, log_probabilities: 2 ** (-log_probabilities.sum() / _letters(tokens))),
                "You raise 2 to the loss, but the logarithms are natural ones. Which number belongs to them?",
            ),
            Mistake(
                "sum",
                _of_both(lambda tokens, log_probabilities: (-log_probabilities.sum()).exp()),
                "You do not divide, so a longer text is always worse.",
            ),
            Mistake(
                "mean-over-letters",
                _of_both(lambda tokens, log_probabilities: (-log_probabilities.mean() / _letters(tokens)).exp()),
                "You divide twice: `mean` divides by the number of tokens already.",
            ),
            Mistake(
                "exchanged",
                lambda tokens, logs, other_tokens, other_logs: _compare(other_tokens, other_logs, tokens, logs),
                "You return the other model's number first.",
            ),
            Mistake(
                "bytes",
                _of_both(lambda tokens, logs: (-logs.sum() / len("".join(tokens).encode())).exp()),
                "You count bytes. A letter such as \u00e9 takes two of them; count letters.",
            ),
            Mistake(
                "underflow",
                _of_both(lambda tokens, logs: logs.sum().exp() ** (-1 / _letters(tokens))),
                "Right for short texts. The probability of a long one is too small for a float and becomes 0. Divide "
                "the logarithm by the letters first, and take `exp` last.",
            ),
            Mistake(
                "mean-of-probabilities",
                _of_both(lambda tokens, logs: (-logs).exp().sum() / _letters(tokens)),
                "You take `exp` of each token and then add. Add the logarithms first: they belong to one text.",
            ),
            Mistake(
                "each-token-by-its-letters",
                _of_both(
                    lambda tokens, logs: (
                        -torch.stack([log / len(token) for log, token in zip(logs, tokens, strict=True)]).mean()
                    ).exp()
                ),
                "You divide each token by its own letters and take the mean, so that short and long tokens count "
                "alike. Divide the whole sum by all letters.",
            ),
            Mistake(
                "bits",
                _of_both(lambda tokens, logs: -logs.sum() / _letters(tokens) / torch.tensor(2.0).log()),
                "These are bits per letter. Among how many letters it hesitates is 2 to the power of that.",
            ),
            Mistake(
                "divided-outside",
                _of_both(lambda tokens, logs: (-logs.mean()).exp() / _letters(tokens)),
                "You divide after `exp`. The sum of the logarithms is what the letters share.",
            ),
            Mistake(
                "one-over-the-product",
                _of_both(lambda tokens, logs: 1 / logs.exp().prod() / _letters(tokens)),
                "You divide one over the probability of the text by its letters. Each letter has a factor in that "
                "product: a root is needed, or a division of the logarithm.",
            ),
            Mistake(
                "different-letters",
                _of_both(lambda tokens, logs: (-logs.sum() / len(set("".join(tokens)))).exp()),
                "You count how many different letters there are. Each place of the text counts.",
            ),
            Mistake(
                "printed-list",
                _of_both(lambda tokens, logs: (-logs.sum() / len(str(tokens))).exp()),
                "`str` of a list has brackets, quotes and commas, and you count them, too. Join the tokens.",
            ),
            Mistake(
                "joined-by-spaces",
                _of_both(lambda tokens, logs: (-logs.sum() / len(" ".join(tokens))).exp()),
                "You join with a space between the tokens. They have their spaces already: join with nothing.",
            ),
            Mistake(
                "last-token",
                _of_both(lambda tokens, logs: (-logs.sum() / len(tokens[-1])).exp()),
                "You divide by the letters of the last token. Add up the letters of all: is it `=` in place of `+=`?",
            ),
            Mistake(
                "base-10",
                _of_both(lambda tokens, logs: 10 ** (-logs.sum() / _letters(tokens))),
                "You raise 10 to the loss, but the logarithms are natural ones.",
            ),
            Mistake(
                "log-twice",
                _of_both(lambda tokens, logs: (-logs.log().sum() / _letters(tokens)).exp()),
                "You take the logarithm of what is a logarithm already. It is negative, so the result is nan.",
            ),
            Mistake(
                "first-model-twice",
                lambda tokens, logs, other_tokens, other_logs: (
                    _hesitation(tokens, logs),
                    _hesitation(other_tokens, logs),
                ),
                "Your second number is made of the first model's probabilities.",
            ),
            Mistake(
                "per-word",
                _of_both(lambda tokens, logs: (-logs.sum() / len("".join(tokens).split())).exp()),
                "You divide by the number of words. Each model hesitates at each letter: count letters.",
            ),
            Mistake(
                "perplexity-per-token-shared-out",
                _of_both(lambda tokens, logs: (-logs.mean()).exp() * len(tokens) / _letters(tokens)),
                "You share the perplexity of a token among its letters. It is the logarithm that is shared: divide "
                "before `exp`.",
            ),
            Mistake(
                "which-is-better",
                lambda tokens, logs, other_tokens, other_logs: (
                    _hesitation(tokens, logs) < _hesitation(other_tokens, other_logs),
                    _hesitation(other_tokens, other_logs) < _hesitation(tokens, logs),
                ),
                "You say which model is better. Return the two numbers by which one sees it.",
            ),
        ],
        hints=[
            "The logarithm of the probability of a whole text is the sum of the logarithms, however it is cut.",
            'Tokens differ in length from model to model, letters do not: `len("".join(tokens))`.',
            "Share each sum among its letters, turn the sign, and take `exp`.",
        ],
    ),
    Exercise(
        name="draw_token",
        lesson=13,
        statement="Draw the next token of each text: temperature, top-p, then the token that a number falls on.",
        reference=_draw_token,
        cases=_draw_cases,
        verified="Each text goes on with one of the fewest tokens that reach p, and its number decides which.",
        mistakes=[
            Mistake(
                "p-before-temperature",
                _p_before_temperature,
                "You choose the tokens before the temperature has changed their weights. Temperature comes first.",
            ),
            Mistake(
                "one-too-few",
                _crossing_left_out,
                "One token too few: the one that takes the sum to p, or over it, is kept, so that the best always is.",
            ),
            Mistake(
                "one-too-many",
                _shifted(1),
                "One token too many: once the better ones have p together, no more are kept.",
            ),
            Mistake(
                "above-p",
                _above_p,
                "You keep the tokens whose own weight is at least p. It is their sum that has to reach p.",
            ),
            Mistake(
                "not-stretched",
                _not_stretched,
                "The tokens that you keep do not reach 1, so a large number falls behind the last of them. Share 1 "
                "among them first.",
            ),
            Mistake(
                "rank",
                _rank,
                "You return at which place of the sorted row the number falls. Which token came from there?",
            ),
            Mistake("by-id", _by_id, "You lay out the tokens by their ids. The likeliest comes first."),
            Mistake(
                "unlikely-first",
                _unlikely_first,
                "You begin at the unlikely end. `sort` puts the smallest first unless you say otherwise.",
            ),
            Mistake(
                "rows-alike",
                _rows_alike,
                "All rows keep as many tokens as row 0. How many it takes to reach p differs from text to text.",
            ),
            Mistake(
                "one-number-for-all",
                _one_number_for_all,
                "You use the first number for all texts. Each row has a number of its own.",
            ),
            Mistake(
                "greedy",
                lambda scores, temperature, p, dice: scores.argmax(-1),
                "You always take the likeliest token. Where do the numbers come in?",
            ),
            Mistake(
                "temperature-multiplied",
                lambda scores, temperature, p, dice: _draw_token(scores, 1 / temperature, p, dice),
                "Your temperature works the wrong way round: a high one must make the weights more even.",
            ),
            Mistake(
                "temperature-ignored",
                lambda scores, temperature, p, dice: _draw_token(scores, 1.0, p, dice),
                "The temperature is not used.",
            ),
            Mistake(
                "p-ignored",
                lambda scores, temperature, p, dice: _draw_token(scores, temperature, 1.0, dice),
                "All tokens can be drawn. Where does p come in?",
            ),
            Mistake(
                "softmax-over-the-batch",
                _softmax_over_the_batch,
                "Your softmax runs over the texts of the batch. In each row the tokens share 1.",
            ),
            Mistake(
                "temperature-too-late",
                _temperature_too_late,
                "You divide by the temperature after softmax. It has to even out the scores, before softmax.",
            ),
            Mistake(
                "one-behind",
                _one_behind,
                "You are one token too far. The number falls on the first token that ends behind it.",
            ),
            Mistake(
                "shared-by-the-batch",
                _shared_by_the_batch,
                "You divide by the sum of the whole batch. The tokens of each row share 1.",
            ),
            Mistake(
                "first-text-only",
                lambda scores, temperature, p, dice: _draw_token(scores, temperature, p, dice)[0],
                "You return the token of the first text alone. Does your function return inside the loop?",
            ),
            Mistake(
                "nearest-end",
                _nearest_end,
                "You take the token whose end lies nearest to the number. It falls on the first one that ends behind "
                "it.",
            ),
        ],
        hints=[
            "Sort the weights of each row, largest first; `sort` also gives the ids. A token is kept if those before "
            "it have less than p together: `cumsum` minus the token's own weight.",
            "Set the others to 0. Then `cumsum` says where each token ends on the line, and the last end is its "
            "length.",
            "Multiply each number by the length of its line, count how many tokens end at it or before it, and look up "
            "the id of that rank with `gather`.",
        ],
        gradient=False,
    ),
    Exercise(
        name="attend_and_keep",
        lesson=13,
        statement="Attend with m new tokens to those that are kept and to each other, and keep the new ones, too.",
        reference=_extend,
        cases=_cache_cases,
        verified="Each new token sees all that are kept, those before it and itself, and nothing is calculated twice.",
        mistakes=[
            Mistake(
                "no-mask",
                _with_output(lambda q, k, v, kept_k, kept_v, keys, values: _attend(q, keys, values)),
                "Your new tokens see those that come after them: among the m new ones a causal mask is needed.",
            ),
            Mistake(
                "mask-at-the-left",
                _with_output(
                    lambda q, k, v, kept_k, kept_v, keys, values: _attend(
                        q, keys, values, _triangle(len(k), len(keys), 0)
                    )
                ),
                "Your mask begins at key 0, as if the new tokens came first. Before them stand n kept ones.",
            ),
            Mistake(
                "itself-masked",
                _with_output(
                    lambda q, k, v, kept_k, kept_v, keys, values: _attend(
                        q, keys, values, _triangle(len(k), len(keys), len(kept_k) - 1)
                    )
                ),
                "No new token sees itself. The diagonal belongs to what it may attend to.",
            ),
            Mistake(
                "kept-only",
                _with_output(lambda q, k, v, kept_k, kept_v, keys, values: _attend(q, kept_k, kept_v)),
                "Your new tokens see only the kept ones: extend keys and values first, then attend.",
            ),
            Mistake(
                "new-only",
                _with_output(
                    lambda q, k, v, kept_k, kept_v, keys, values: _attend(q, k, v, _triangle(len(k), len(k), 0))
                ),
                "Your new tokens see only each other. What is the cache for?",
            ),
            Mistake(
                "new-not-kept",
                _new_not_kept,
                "The output is right, but you return the cache as it was. The next tokens need the new keys, too.",
            ),
            Mistake(
                "new-first", _new_first, "You put the new keys and values first. The cache is in the order of the text."
            ),
            Mistake(
                "orders-differ",
                _orders_differ,
                "Keys and values stand in different orders, so each weight meets the value of another token.",
            ),
            Mistake("no-scaling", _with_output(_unscaled), "The scores are not divided by the root of d_k."),
            Mistake(
                "read-in-another-order",
                _reads_new_first,
                "You put the new keys and values before the kept ones, and your mask counts from the kept ones. First "
                "comes what was there.",
            ),
            Mistake(
                "only-new-returned",
                _only_new_returned,
                "The output is right, but you return the new keys and values alone. The next tokens need the kept "
                "ones, too.",
            ),
            Mistake(
                "exchanged",
                _exchanged,
                "The output is right, but keys and values are swapped: first come all keys, then all values.",
            ),
            Mistake(
                "first-new-only",
                _first_new_only,
                "Only the first of the new tokens is done. Does your function return inside the loop?",
            ),
            Mistake(
                "mask-inverted",
                _with_output(
                    lambda q, k, v, kept_k, kept_v, keys, values: _attend(
                        q, keys, values, ~_triangle(len(k), len(keys), len(kept_k))
                    )
                ),
                "Your mask is inverted: each new token sees only what comes after it, and the last one nothing, which "
                "gives nan.",
            ),
            Mistake(
                "zero-instead-of-inf",
                _with_output(
                    lambda q, k, v, kept_k, kept_v, keys, values: (
                        (q @ keys.mT / q.shape[-1] ** 0.5 * _triangle(len(k), len(keys), len(kept_k))).softmax(-1)
                        @ values
                    )
                ),
                "You multiply the scores by the mask. A score of 0 still gets weight: exp(0) is 1. Put -inf there.",
            ),
            Mistake(
                "weights",
                _with_output(lambda *given: _masked_scores(*given).softmax(-1)),
                "Keys and values are right, but in place of the outputs you return the weights.",
            ),
            Mistake(
                "softmax-over-queries",
                _with_output(lambda *given: _masked_scores(*given).softmax(0) @ given[-1]),
                "Your softmax runs over the queries. Each query shares 1 among the keys.",
            ),
            Mistake(
                "root-of-tokens",
                _with_output(
                    lambda *given: (
                        (_masked_scores(*given) * given[0].shape[-1] ** 0.5 / len(given[0]) ** 0.5).softmax(-1)
                        @ given[-1]
                    )
                ),
                "You divide by the root of the number of new tokens. It is the length of a key that counts, d_k.",
            ),
            Mistake(
                "divided-by-d-k",
                _with_output(
                    lambda *given: (_masked_scores(*given) / given[0].shape[-1] ** 0.5).softmax(-1) @ given[-1]
                ),
                "You divide the scores by d_k itself. It is the root of d_k.",
            ),
            Mistake(
                "triangle-at-the-kept",
                _with_output(
                    lambda q, k, v, kept_k, kept_v, keys, values: _attend(
                        q,
                        keys,
                        values,
                        torch.cat([_triangle(len(k), len(kept_k), 0), _triangle(len(k), len(k), len(k))], 1),
                    )
                ),
                "Your triangle lies over the kept tokens, which all may be seen. It belongs over the new ones.",
            ),
            Mistake(
                "two-softmaxes",
                _with_output(
                    lambda q, k, v, kept_k, kept_v, keys, values: (
                        _attend(q, kept_k, kept_v) + _attend(q, k, v, _triangle(len(k), len(k), 0))
                    )
                ),
                "You attend to the kept and to the new tokens apart, so that a query spends 2. All keys share 1: join "
                "them first.",
            ),
            Mistake(
                "last-new-only",
                _with_output(lambda q, k, v, kept_k, kept_v, keys, values: _attend(q[-1:], keys, values)),
                "Only the last of the new tokens has an output. Each of them needs one.",
            ),
        ],
        hints=[
            "`torch.cat([a, b])` puts the rows of b below those of a.",
            "Draw the table: m rows, n + m columns. Which cells may be used in row 0, and which in row 1?",
            "`torch.ones(m, n + m, dtype=torch.bool).tril(n)` moves the diagonal n places to the right.",
        ],
    ),
]
