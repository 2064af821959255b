"""Lesson 13, language model: one merge of byte pairs, perplexity, top-p, several new tokens with a cache."""

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
        ([6], 7),
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


def _perplexity_cases(draw: Draw) -> list[Arguments]:
    def case(n: int, n_characters: int, dtype: torch.dtype = torch.float32) -> Arguments:
        return -draw(n, dtype=dtype).abs(), n_characters

    return [
        (torch.tensor([0.5, 0.25, 0.5]).log(), 4),
        case(3, 7),
        case(1, 1),
        case(1, 3),
        (torch.zeros(2), 5),
        case(6, 6),
        case(5, 12, torch.float64),
        ((-draw(8).abs())[::2], 9),
        case(300, 700),
    ]


def _perplexity(log_probabilities: torch.Tensor, n_characters: int) -> torch.Tensor:
    return (-log_probabilities.sum() / n_characters).exp()


def _sampling_cases(draw: Draw) -> list[Arguments]:
    def case(rows: int, n: int, temperature: float, p: float, dtype: torch.dtype = torch.float32) -> Arguments:
        return draw(rows, n, scale=2.0, dtype=dtype), temperature, p

    return [
        (torch.tensor([[0.5, 0.1, 0.3, 0.1], [0.05, 0.05, 0.1, 0.8]]).log(), 1.0, 0.75),
        case(2, 4, 1.0, 0.75),
        case(1, 1, 2.0, 0.5),
        case(1, 5, 0.5, 0.9),
        case(3, 5, 2.0, 0.6),
        case(4, 3, 0.7, 1.0),
        case(5, 7, 1.5, 0.7),
        (draw(3, 6, scale=100), 4.0, 0.9),
        (draw(2, 6) - 300, 0.6, 0.8),
        case(6, 4, 0.8, 0.5, torch.float64),
        (draw.apart(4, 6), 1.3, 0.65),
        case(12, 30, 0.9, 0.85),
    ]


def _nucleus(weights: Tensor, p: float, shift: int = 0) -> Tensor:
    """Weights, (batch, vocab_size), of the fewest tokens that reach p, or of some more or fewer; the others are 0."""
    best, places = weights.sort(-1, descending=True)
    rest = best.flip(-1).cumsum(-1).flip(-1)  # of each and all that are less likely: small ones first, so none is lost
    n_kept = 1 + (rest[..., 1:] > 1 - p).sum(-1, keepdim=True) + shift
    best = best * (torch.arange(best.shape[-1]) < n_kept)
    return torch.zeros_like(weights).scatter(-1, places, best)


def _shared_out(kept: Tensor) -> Tensor:
    return kept / kept.sum(-1, keepdim=True)


def _sampling(scores: Tensor, temperature: float, p: float) -> Tensor:
    return _shared_out(_nucleus((scores / temperature).softmax(-1), p))


def _p_before_temperature(scores: Tensor, temperature: float, p: float) -> Tensor:
    kept = _nucleus(scores.softmax(-1), p) > 0
    return (scores / temperature).masked_fill(~kept, -torch.inf).softmax(-1)


def _one_too_few(scores: Tensor, temperature: float, p: float) -> Tensor:
    return _shared_out(_nucleus((scores / temperature).softmax(-1), p, shift=-1))


def _above_p(scores: Tensor, temperature: float, p: float) -> Tensor:
    weights = (scores / temperature).softmax(-1)
    return _shared_out(weights * (weights >= p))


def _left_sorted(scores: Tensor, temperature: float, p: float) -> Tensor:
    return _sampling(scores, temperature, p).sort(-1, descending=True).values


def _unlikely_first(scores: Tensor, temperature: float, p: float) -> Tensor:
    weights = (scores / temperature).softmax(-1)
    worst, places = weights.sort(-1)
    worst = worst.masked_fill(worst.cumsum(-1) - worst >= p, 0.0)
    return _shared_out(torch.zeros_like(weights).scatter(-1, places, worst))


def _unsorted(scores: Tensor, temperature: float, p: float) -> Tensor:
    weights = (scores / temperature).softmax(-1)
    return _shared_out(weights.masked_fill(weights.cumsum(-1) - weights >= p, 0.0))


def _rows_alike(scores: Tensor, temperature: float, p: float) -> Tensor:
    weights = (scores / temperature).softmax(-1)
    best, places = weights.sort(-1, descending=True)
    n_kept = int((best[0].cumsum(-1) - best[0] < p).sum())
    best = best * (torch.arange(best.shape[-1]) < n_kept)
    return _shared_out(torch.zeros_like(weights).scatter(-1, places, best))


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


Kept = tuple[Tensor, Tensor, Tensor]


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
                "Of equally frequent pairs you take the one that is met last. Wanted is the first.",
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
        ],
        hints=[
            "Two passes: count all neighbours in a dictionary first, then build the new list.",
            "In the second pass go by an index: where the pair stands, append `new_id` and go on by 2, otherwise by 1.",
            "`max(counts, key=counts.get)` gives the first of equals. A list of one id has no pair and stays.",
        ],
        gradient=False,
    ),
    Exercise(
        name="perplexity",
        lesson=13,
        statement="Perplexity per character, from the logarithm of the probability of each token that came.",
        reference=_perplexity,
        cases=_perplexity_cases,
        verified="Tokens of any length are measured by one rule, per character.",
        mistakes=[
            Mistake(
                "per-token",
                lambda log_probabilities, n_characters: (-log_probabilities.mean()).exp(),
                "That is perplexity per token. Longer tokens make it larger without being worse: divide by "
                "something else.",
            ),
            Mistake(
                "no-minus",
                lambda log_probabilities, n_characters: 1 / _perplexity(log_probabilities, n_characters),
                "A minus is missing: perplexity is never below 1.",
            ),
            Mistake(
                "no-exp",
                lambda log_probabilities, n_characters: -log_probabilities.sum() / n_characters,
                "That is the loss per character. Perplexity is the exponential of it.",
            ),
            Mistake(
                "base-2",
                lambda log_probabilities, n_characters: 2 ** (-log_probabilities.sum() / n_characters),
                "You raise 2 to the loss, but the logarithms are natural ones. Which number belongs to them?",
            ),
            Mistake(
                "sum",
                lambda log_probabilities, n_characters: (-log_probabilities.sum()).exp(),
                "You do not divide by the number of characters, so a longer text is always worse.",
            ),
            Mistake(
                "mean-of-inverses",
                lambda log_probabilities, n_characters: (-log_probabilities).exp().sum() / n_characters,
                "You average 1 / probability. The logarithms are averaged, and the exponential comes last.",
            ),
            Mistake(
                "mean-over-characters",
                lambda log_probabilities, n_characters: (-log_probabilities.mean() / n_characters).exp(),
                "You divide twice: `mean` divides by the number of tokens already.",
            ),
        ],
        hints=[
            "The logarithm of the probability of the whole text is the sum of the logarithms.",
            "Share that sum among the characters, turn the sign, and take `exp`.",
        ],
    ),
    Exercise(
        name="sampling_weights",
        lesson=13,
        statement="Weights to draw with: temperature, then the fewest tokens that together reach p.",
        reference=_sampling,
        cases=_sampling_cases,
        verified="In each row the fewest tokens that reach p share 1 among them, in the order of the vocabulary.",
        mistakes=[
            Mistake(
                "p-before-temperature",
                _p_before_temperature,
                "You choose the tokens before the temperature has changed their weights. Temperature comes first.",
            ),
            Mistake(
                "one-too-few",
                _one_too_few,
                "One token too few: the one that takes the sum to p, or over it, is kept, so that the best always is.",
            ),
            Mistake(
                "one-too-many",
                lambda scores, temperature, p: _shared_out(_nucleus((scores / temperature).softmax(-1), p, shift=1)),
                "One token too many: once the better ones have p together, no more are kept.",
            ),
            Mistake(
                "above-p",
                _above_p,
                "You keep the tokens whose own weight is at least p. It is their sum that has to reach p.",
            ),
            Mistake(
                "not-renormalised",
                lambda scores, temperature, p: _nucleus((scores / temperature).softmax(-1), p),
                "Your rows do not sum to 1: the weight of those that are left out is shared among the others.",
            ),
            Mistake(
                "left-sorted",
                _left_sorted,
                "Your weights are in the order of their size. Bring each back to the place of its token.",
            ),
            Mistake(
                "unlikely-first",
                _unlikely_first,
                "You collect from the unlikely end. `sort` puts the smallest first unless you say otherwise.",
            ),
            Mistake(
                "unsorted",
                _unsorted,
                "You add up in the order of the vocabulary. The best tokens come first, whatever their ids are.",
            ),
            Mistake(
                "rows-alike",
                _rows_alike,
                "All rows keep as many tokens as row 0. How many it takes to reach p differs from text to text.",
            ),
            Mistake(
                "temperature-multiplied",
                lambda scores, temperature, p: _sampling(scores, 1 / temperature, p),
                "Your temperature works the wrong way round: a high one must make the weights more even.",
            ),
            Mistake(
                "temperature-ignored",
                lambda scores, temperature, p: _sampling(scores, 1.0, p),
                "The temperature is not used.",
            ),
            Mistake(
                "p-ignored",
                lambda scores, temperature, p: (scores / temperature).softmax(-1),
                "All tokens keep a weight. Where does p come in?",
            ),
        ],
        hints=[
            "Sort the weights of each row, largest first; `sort` also gives the places where they came from.",
            "A token is kept if those before it have less than p together: `cumsum` minus the token's own weight.",
            "`torch.zeros_like(weights).scatter(-1, places, best)` brings the sorted weights back to their places.",
        ],
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
        ],
        hints=[
            "`torch.cat([a, b])` puts the rows of b below those of a.",
            "Draw the table: m rows, n + m columns. Which cells may be used in row 0, and which in row 1?",
            "`torch.ones(m, n + m, dtype=torch.bool).tril(n)` moves the diagonal n places to the right.",
        ],
    ),
]
