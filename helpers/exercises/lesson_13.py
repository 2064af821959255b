"""Lesson 13, language model: the loss, perplexity, choosing the next token, keys and values that are kept."""

import torch
from torch.nn.functional import cross_entropy

from helpers.checks.exercise import Draw, Exercise, Mistake


def _loss_cases(draw: Draw) -> list[tuple]:
    def case(batch: int, n: int, vocab_size: int, scale: float = 1.0, dtype: torch.dtype = torch.float32) -> tuple:
        return draw(batch, n, vocab_size, scale=scale, dtype=dtype), draw.whole(batch, n + 1, below=vocab_size)

    apart = draw.apart(3, 4, 6), draw.whole(3, 10, below=6)[:, ::2]
    return [
        case(2, 3, 5),
        case(2, 3, 5),
        case(1, 1, 1),
        case(1, 1, 4),
        case(1, 4, 3),
        case(3, 1, 7),
        case(4, 2, 6),
        case(2, 5, 3, scale=200),
        case(3, 4, 2, dtype=torch.float64),
        apart,
        case(5, 12, 20),
    ]


def _loss(scores: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten())


def _log_of_right(scores: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return scores.log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]  # (batch, n)


def _perplexity_cases(draw: Draw) -> list[tuple]:
    def case(n: int, n_characters: int, dtype: torch.dtype = torch.float32) -> tuple:
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


def _sampling_cases(draw: Draw) -> list[tuple]:
    def case(rows: int, n: int, temperature: float, k: int, dtype: torch.dtype = torch.float32) -> tuple:
        return draw(rows, n, scale=2.0, dtype=dtype), temperature, k

    return [
        (torch.tensor([[3.0, 1.0, 2.0, 0.0], [0.0, 1.0, 1.5, 4.0]]), 0.5, 2),
        case(2, 4, 0.5, 2),
        case(1, 1, 2.0, 1),
        case(1, 5, 1.0, 3),
        case(3, 5, 2.0, 1),
        case(4, 3, 0.7, 3),
        case(5, 7, 1.5, 4),
        (draw(3, 6, scale=100), 0.25, 5),
        (draw(2, 6) - 300, 1.0, 3),
        case(6, 4, 0.8, 2, torch.float64),
        (draw.apart(4, 6), 1.3, 3),
        case(12, 30, 0.9, 10),
    ]


def _kept(scores: torch.Tensor, k: int) -> torch.Tensor:
    return scores >= scores.topk(k, dim=-1).values[..., -1:]


def _sampling(scores: torch.Tensor, temperature: float, k: int) -> torch.Tensor:
    return (scores / temperature).masked_fill(~_kept(scores, k), -torch.inf).softmax(-1)


def _one_too_few(scores: torch.Tensor, temperature: float, k: int) -> torch.Tensor:
    few = scores > scores.topk(k, dim=-1).values[..., -1:]
    return (scores / temperature).masked_fill(~few, -torch.inf).softmax(-1)


def _cache_cases(draw: Draw) -> list[tuple]:
    def case(n_kept: int, d_k: int, d_v: int, scale: float = 1.0, dtype: torch.dtype = torch.float32) -> tuple:
        shapes = [(1, d_k), (1, d_k), (1, d_v), (n_kept, d_k), (n_kept, d_v)]
        return tuple(draw(*shape, scale=scale, dtype=dtype) for shape in shapes)

    apart = tuple(draw.apart(*shape) for shape in [(1, 4), (1, 4), (1, 6), (3, 4), (3, 6)])
    return [
        case(2, 3, 4),
        case(2, 3, 4),
        case(1, 1, 1),
        case(1, 2, 5),
        case(3, 5, 2),
        case(6, 4, 3),
        case(4, 3, 7, scale=20),
        case(5, 2, 3, dtype=torch.float64),
        apart,
        case(60, 8, 5),
    ]


Kept = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def _attend(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    return (query @ keys.mT / query.shape[-1] ** 0.5).softmax(-1) @ values


def _extend(query, key, value, kept_keys, kept_values) -> Kept:
    keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
    return _attend(query, keys, values), keys, values


def _new_not_seen(query, key, value, kept_keys, kept_values) -> Kept:
    _, keys, values = _extend(query, key, value, kept_keys, kept_values)
    return _attend(query, kept_keys, kept_values), keys, values


def _new_not_kept(query, key, value, kept_keys, kept_values) -> Kept:
    return _extend(query, key, value, kept_keys, kept_values)[0], kept_keys, kept_values


def _new_first(query, key, value, kept_keys, kept_values) -> Kept:
    keys, values = torch.cat([key, kept_keys]), torch.cat([value, kept_values])
    return _attend(query, keys, values), keys, values


def _orders_differ(query, key, value, kept_keys, kept_values) -> Kept:
    keys, values = torch.cat([kept_keys, key]), torch.cat([value, kept_values])
    return _attend(query, keys, values), keys, values


def _only_the_new(query, key, value, kept_keys, kept_values) -> Kept:
    _, keys, values = _extend(query, key, value, kept_keys, kept_values)
    return _attend(query, key, value), keys, values


def _masked_at_the_top(query, key, value, kept_keys, kept_values) -> Kept:
    _, keys, values = _extend(query, key, value, kept_keys, kept_values)
    return values[:1].clone(), keys, values  # the first row of a causal mask opens the first key alone


def _unscaled(query, key, value, kept_keys, kept_values) -> Kept:
    _, keys, values = _extend(query, key, value, kept_keys, kept_values)
    return (query @ keys.mT).softmax(-1) @ values, keys, values


def _queries_kept(query, key, value, kept_keys, kept_values) -> Kept:
    _, keys, values = _extend(query, key, value, kept_keys, kept_values)
    return _attend(query, torch.cat([kept_keys, query]), values), keys, values


EXERCISES = [
    Exercise(
        name="next_token_loss",
        lesson=13,
        statement="Average over all places how far the model is from expecting the token that came.",
        reference=_loss,
        cases=_loss_cases,
        verified="Each place is compared with the token after it, and the mean is taken over all places.",
        mistakes=[
            Mistake(
                "not-shifted",
                lambda scores, ids: cross_entropy(scores.flatten(0, 1), ids[:, :-1].flatten()),
                "You compare each place with the token that it reads. Copying would cost nothing: which token "
                "should it predict?",
            ),
            Mistake(
                "sum",
                lambda scores, ids: -_log_of_right(scores, ids).sum(),
                "You add up the losses of all places. The mean does not grow with the batch.",
            ),
            Mistake(
                "mean-of-texts-only",
                lambda scores, ids: -_log_of_right(scores, ids).sum(-1).mean(),
                "You take the mean over the texts, but the sum over the places of each. The mean goes over both.",
            ),
            Mistake(
                "no-minus",
                lambda scores, ids: _log_of_right(scores, ids).mean(),
                "The sign is wrong: logarithms of probabilities are below 0, and a loss falls when they rise.",
            ),
            Mistake(
                "probability",
                lambda scores, ids: 1 - _log_of_right(scores, ids).exp().mean(),
                "You average probabilities. The loss averages their logarithms, so that a token that was thought "
                "impossible costs much.",
            ),
            Mistake(
                "softmax-twice",
                lambda scores, ids: cross_entropy(scores.softmax(-1).flatten(0, 1), ids[:, 1:].flatten()),
                "Softmax is taken twice: `cross_entropy` takes it itself, and wants scores.",
            ),
            Mistake(
                "base-2",
                lambda scores, ids: _loss(scores, ids) / torch.tensor(2.0, dtype=scores.dtype).log(),
                "You count in bits, with logarithms to base 2. Here the natural logarithm is meant.",
            ),
            Mistake(
                "softmax-over-places",
                lambda scores, ids: -scores.log_softmax(-2).gather(-1, ids[:, 1:, None]).mean(),
                "Your softmax runs over the places. At each place the probabilities of all tokens sum to 1.",
            ),
            Mistake(
                "last-place-only",
                lambda scores, ids: -_log_of_right(scores, ids)[:, -1].mean(),
                "You use only the last place. Each place makes a prediction, and all of them teach.",
            ),
            Mistake(
                "perplexity",
                lambda scores, ids: _loss(scores, ids).exp(),
                "That is the perplexity per token. The loss is what stands in its exponent.",
            ),
            Mistake(
                "loss-of-each-place",
                lambda scores, ids: -_log_of_right(scores, ids),
                "You return the loss of each place. Their mean is wanted, one number.",
            ),
        ],
        hints=[
            "Which part of `ids` are the goals: the token after the first, the one after the second, up to the last?",
            "`cross_entropy(scores, goals)` takes (places, vocab_size) and (places,), so join batch and places first.",
        ],
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
        statement="Weights to draw the next token with: only the k largest scores, at a temperature.",
        reference=_sampling,
        cases=_sampling_cases,
        verified="The k largest scores share 1 among them, more evenly the higher the temperature.",
        mistakes=[
            Mistake(
                "temperature-multiplied",
                lambda scores, temperature, k: _sampling(scores, 1 / temperature, k),
                "Your temperature works the wrong way round: a high one must make the weights more even.",
            ),
            Mistake(
                "temperature-ignored",
                lambda scores, temperature, k: _sampling(scores, 1.0, k),
                "The temperature is not used.",
            ),
            Mistake(
                "temperature-after-softmax",
                lambda scores, temperature, k: _sampling(scores, 1.0, k) / temperature,
                "You divide the weights by the temperature, so they no longer sum to 1. It belongs to the scores, "
                "before softmax.",
            ),
            Mistake(
                "k-ignored",
                lambda scores, temperature, k: (scores / temperature).softmax(-1),
                "All tokens keep a weight. Where does k come in?",
            ),
            Mistake(
                "not-renormalised",
                lambda scores, temperature, k: (scores / temperature).softmax(-1) * _kept(scores, k),
                "You cut after softmax, so the rows no longer sum to 1.",
            ),
            Mistake(
                "zero-instead-of-inf",
                lambda scores, temperature, k: (scores / temperature * _kept(scores, k)).softmax(-1),
                "You set the other scores to 0, which is a score like any other. Which score gives no weight?",
            ),
            Mistake(
                "smallest",
                lambda scores, temperature, k: (
                    (scores / temperature).masked_fill(~_kept(-scores, k), -torch.inf).softmax(-1)
                ),
                "You keep the k smallest scores.",
            ),
            Mistake(
                "one-too-few",
                _one_too_few,
                "You keep k - 1 scores: the one that is equal to the limit belongs to the k largest.",
            ),
            Mistake(
                "one-too-many",
                lambda scores, temperature, k: _sampling(scores, temperature, min(k + 1, scores.shape[-1])),
                "You keep k + 1 scores.",
            ),
            Mistake(
                "first-k",
                lambda scores, temperature, k: torch.cat(
                    [(scores[:, :k] / temperature).softmax(-1), torch.zeros_like(scores[:, k:])], -1
                ),
                "You keep the first k tokens of the vocabulary, not those with the largest scores.",
            ),
            Mistake(
                "only-k-returned",
                lambda scores, temperature, k: (scores.topk(k, dim=-1).values / temperature).softmax(-1),
                "You return k weights and lose which tokens they belong to. The others need a weight too: 0.",
            ),
            Mistake(
                "scores-returned",
                lambda scores, temperature, k: (scores / temperature).masked_fill(~_kept(scores, k), -torch.inf),
                "These are scores. What turns them into weights?",
            ),
            Mistake(
                "over-the-batch",
                lambda scores, temperature, k: _sampling(scores.mT, temperature, min(k, len(scores))).mT,
                "Your columns sum to 1, not your rows.",
            ),
        ],
        hints=[
            "Three steps: divide by the temperature, send all but the k largest to -inf, softmax.",
            "`scores.topk(k, dim=-1).values[:, -1:]` is the smallest score that stays in each row.",
        ],
    ),
    Exercise(
        name="attend_and_keep",
        lesson=13,
        statement="Attention of one new token over the kept keys and values and its own, and the longer cache.",
        reference=_extend,
        cases=_cache_cases,
        verified="The new token sees those before it and itself, and its key and value are kept for the next.",
        mistakes=[
            Mistake(
                "new-not-seen",
                _new_not_seen,
                "The new token does not see itself: extend keys and values first, then attend.",
            ),
            Mistake(
                "new-not-kept",
                _new_not_kept,
                "The output is right, but you return the cache as it was. The next token needs the new key and value.",
            ),
            Mistake(
                "new-first", _new_first, "You put the new key and value first. The cache is in the order of the text."
            ),
            Mistake(
                "orders-differ",
                _orders_differ,
                "Keys and values stand in different orders, so each weight meets the value of another token.",
            ),
            Mistake("only-the-new", _only_the_new, "The new token sees only itself. What is the cache for?"),
            Mistake(
                "masked-at-the-top",
                _masked_at_the_top,
                "The new token sees only the first one: you use the first row of a causal mask. It is the last row "
                "that belongs to the newest token.",
            ),
            Mistake("no-scaling", _unscaled, "The scores are not divided by the root of d_k."),
            Mistake(
                "query-as-key",
                _queries_kept,
                "You attend to the query in place of the new key. Queries are never kept.",
            ),
        ],
        hints=[
            "`torch.cat([a, b])` puts the rows of b below those of a.",
            "After that it is attention as always, with one query. No mask: the newest token may see all.",
        ],
    ),
]
