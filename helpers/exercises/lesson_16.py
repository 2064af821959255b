"""Lesson 16, cheaper attention: how many scores a window needs, what a cache keeps, no keys at all, a fading state."""

import torch
from torch.nn.functional import elu

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

# --- counting ---


def _local_scores(n: int, r: int) -> int:
    return sum(min(n - 1, i + r) - max(0, i - r) + 1 for i in range(n))


def _back(n: int) -> torch.Tensor:
    """How far each key lies behind each query, (n, n); below 0 in the future."""
    return torch.arange(n)[:, None] - torch.arange(n)


# --- what a rolling cache holds ---


def _kept(n: int, n_sinks: int, window: int) -> list[int]:
    return [token for token in range(n) if token < n_sinks or token >= n - window]


def _in_order_of_places(n: int, n_sinks: int, window: int) -> list[int]:
    places = list(range(min(n, window)))
    for token in range(window, n):
        places[token % window] = token
    return [*range(min(n_sinks, n)), *(token for token in places if token >= n_sinks)]


# --- scores without keys ---


def _absorbed(query: torch.Tensor, to_key: torch.Tensor, latent: torch.Tensor) -> torch.Tensor:
    return query @ to_key @ latent.T / to_key.shape[0] ** 0.5


def _latent_cases(draw: Draw) -> list[Arguments]:
    def of(n_query: int, n_key: int, d_head: int, d_latent: int, dtype: torch.dtype = torch.float32) -> Arguments:
        return (
            draw(n_query, d_head, dtype=dtype),
            draw(d_head, d_latent, dtype=dtype),
            draw(n_key, d_latent, dtype=dtype),
        )

    return [
        of(2, 3, 4, 5),
        of(2, 3, 4, 5),
        of(1, 1, 1, 1),
        of(1, 6, 4, 2),
        of(5, 7, 3, 8),
        of(6, 4, 9, 5, torch.float64),
        (draw.apart(4, 3), draw.apart(3, 6), draw.apart(5, 6)),
        of(30, 40, 16, 20),
    ]


# --- a state that fades ---


def _left_over(n: int, fade: float) -> torch.Tensor:
    """What is left of each pair when a query comes, (n, n): 0 for the future, 1 for the query's own."""
    back = _back(n)
    return torch.where(back >= 0, fade ** back.clamp(min=0).double(), 0.0)


def _averages(table: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    return table @ value / table.sum(-1, keepdim=True)


def _fading(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, fade: float) -> torch.Tensor:
    return _averages(query @ key.mT * _left_over(len(query), fade).to(query.dtype), value)


def _by_a_state(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    fade_state: float,
    fade_total: float,
    late: bool = False,
) -> torch.Tensor:
    """Token by token; `late` means that a query reads before its own pair is added."""
    state, total, outputs = torch.zeros_like(key[0][:, None] * value[0]), torch.zeros_like(key[0]), []
    for q, k, v in zip(query, key, value, strict=True):
        before = q @ state / (q @ total)
        state, total = fade_state * state + torch.outer(k, v), fade_total * total + k
        outputs.append(before if late else q @ state / (q @ total))
    return torch.stack(outputs)


def _fading_cases(draw: Draw) -> list[Arguments]:
    def of(n: int, d: int, d_v: int, fade: float, dtype: torch.dtype = torch.float32) -> Arguments:
        query, key = (elu(draw(n, d, dtype=dtype)) + 1 for _ in range(2))
        return query, key, draw(n, d_v, dtype=dtype), fade

    ones, value = torch.ones(3, 2), torch.tensor([[4.0, 0, 0], [0, 4, 0], [0, 0, 4]])
    return [
        (ones, ones.clone(), value, 0.5),
        of(3, 2, 3, 0.5),
        of(1, 1, 1, 0.5),
        of(4, 3, 2, 0.9),
        of(6, 2, 5, 1.0),
        of(5, 4, 3, 0.25, torch.float64),
        (draw.apart(4, 3).exp(), draw.apart(4, 3).exp(), draw.apart(4, 2), 0.75),
        of(40, 8, 6, 0.9),
    ]


EXERCISES = [
    Exercise(
        name="local_scores",
        lesson=16,
        statement="Count the scores of local attention with a window of r keys on each side.",
        reference=_local_scores,
        cases=lambda draw: [(6, 2), (6, 2), (1, 1), (5, 1), (9, 4), (4, 7), (30, 3), (200, 16)],
        verified="Each query has itself and r keys on each side, as far as there are any.",
        gradient=False,
        mistakes=[
            Mistake("all-pairs", lambda n, r: n * n, "You count all pairs. A query scores only the keys near it."),
            Mistake(
                "ends-forgotten",
                lambda n, r: n * (2 * r + 1),
                "In the middle that is right. But near the ends of the text there are fewer than r keys on one side.",
            ),
            Mistake(
                "past-only",
                lambda n, r: sum(min(i, r) + 1 for i in range(n)),
                "You count one side only. The window goes r keys back and r keys ahead.",
            ),
            Mistake("itself-forgotten", lambda n, r: _local_scores(n, r) - n, "Each query also scores its own key."),
            Mistake(
                "r-in-all",
                lambda n, r: _local_scores(n, r // 2),
                "You share r between the two sides. Here there are r keys on each side.",
            ),
            Mistake(
                "one-end",
                lambda n, r: n * (2 * r + 1) - r * (r + 1) // 2,
                "You take off what is missing at one end of the text. It has two.",
            ),
            Mistake(
                "short-texts",
                lambda n, r: n * (2 * r + 1) - r * (r + 1),
                "Right for long texts. When the text is shorter than the window, you take off too much: a query "
                "can miss no more keys than there are.",
            ),
            Mistake("one-query", lambda n, r: 2 * r + 1, "That is one query in the middle. There are n of them."),
            Mistake(
                "last-of-the-range-lost",
                lambda n, r: sum(len(range(max(i - r, 0), min(i + r, n))) for i in range(n)),
                "The last key is missing: `range(a, b)` ends before b.",
            ),
            Mistake(
                "blocks",
                lambda n, r: -(-n // r) * r * 3 * r,
                "That is how many scores the blocks calculate. How many of them are used?",
            ),
            Mistake(
                "less-than-r",
                lambda n, r: _local_scores(n, r - 1),
                "You count keys at a distance below r. At a distance of r a key still counts.",
            ),
            Mistake(
                "sign-forgotten",
                lambda n, r: int((_back(n) <= r).sum()),
                "You count all keys ahead: a difference below 0 is always below r. Take the absolute value.",
            ),
            Mistake(
                "below-0",
                lambda n, r: sum(1 for i in range(n) for j in range(i - r, i + r + 1) if j < n),
                "You count keys that are not there, before the beginning of the text or behind its end.",
            ),
            Mistake(
                "one-beyond-n",
                lambda n, r: sum(min(i + r, n) - max(i - r, 0) + 1 for i in range(n)),
                "Near the end you count one key too many: the last one is n - 1.",
            ),
            Mistake(
                "first-query-forgotten",
                lambda n, r: _local_scores(n, r) - min(r, n - 1) - 1,
                "One query is missing, at one of the two ends.",
            ),
            Mistake(
                "first-query-only",
                lambda n, r: min(r, n - 1) + 1,
                "That is one query at the end of the text. Does your function return inside the loop, or is `=` there "
                "in place of `+=`?",
            ),
            Mistake(
                "one-query-of-a-short-text", lambda n, r: min(2 * r + 1, n), "That is one query. There are n of them."
            ),
            Mistake(
                "r-with-itself",
                lambda n, r: sum(min(i + r // 2, n - 1) - max(i - (r - 1) // 2, 0) + 1 for i in range(n)),
                "You take a window of r keys in all. Here there are r keys on each side, and the query's own.",
            ),
            Mistake(
                "one-of-each-pair",
                lambda n, r: n + sum(n - k for k in range(1, r + 1)),
                "You count each pair once. Query and key can be exchanged: i scores j, and j scores i.",
            ),
            Mistake(
                "min-and-max-exchanged",
                lambda n, r: sum(max(i + r, n - 1) - min(i - r, 0) + 1 for i in range(n)),
                "`min` and `max` are exchanged: the last key is the smaller of i + r and n - 1.",
            ),
            Mistake(
                "sides-only",
                lambda n, r: 2 * r * n,
                "You count r keys on each side of n queries. The query's own key is missing, and near the ends of the "
                "text there are fewer.",
            ),
            Mistake(
                "blocks-cut-at-the-ends",
                lambda n, r: sum(min(n, (i // r + 2) * r) - max(0, (i // r - 1) * r) for i in range(n)),
                "You count whole blocks, cut off at the ends of the text. The window of a query is r keys on each side "
                "of it, not of its block.",
            ),
        ],
        hints=[
            "Take n = 6 and r = 2, and write down for each query which keys it scores: 3, 4, 5, 5, 4, 3 of them.",
            "Query i reaches from `max(0, i - r)` to `min(n - 1, i + r)`, both included. Add up over all i.",
        ],
    ),
    Exercise(
        name="kept_tokens",
        lesson=16,
        statement="Which tokens are kept after n tokens: the first `n_sinks`, and the last `window`?",
        reference=_kept,
        cases=lambda draw: [
            (10, 2, 3),
            (10, 1, 4),
            (1, 1, 1),
            (3, 4, 8),
            (9, 0, 4),
            (7, 3, 4),
            (6, 4, 5),
            (8, 4, 5),
            (100, 4, 12),
            (0, 2, 3),
        ],
        verified="The sinks and the window, each token once, also while the text is still short.",
        gradient=False,
        mistakes=[
            Mistake(
                "no-sinks",
                lambda n, n_sinks, window: [token for token in range(n) if token >= n - window],
                "That is the window alone. The first tokens are kept as well.",
            ),
            Mistake(
                "sinks-in-window",
                lambda n, n_sinks, window: [
                    token for token in range(n) if token < n_sinks or token >= n - (window - n_sinks)
                ],
                "You take the sinks out of the window's places. Here they are kept besides the window.",
            ),
            Mistake(
                "twice",
                lambda n, n_sinks, window: [*range(min(n, n_sinks)), *range(max(0, n - window), n)],
                "A token that is a sink and still in the window stands twice in your list.",
            ),
            Mistake(
                "below-zero",
                lambda n, n_sinks, window: [*range(min(n, n_sinks)), *range(n - window, n)],
                "While the text is shorter than the window, your list holds tokens below 0.",
            ),
            Mistake(
                "below-zero-and-not-yet-there",
                lambda n, n_sinks, window: [*range(n_sinks), *range(n - window, n)],
                "Right for long texts. While the text is short, your list holds tokens below 0, sinks that have not "
                "been read, and some of them twice.",
            ),
            Mistake(
                "twice-and-not-yet-there",
                lambda n, n_sinks, window: [*range(n_sinks), *range(max(0, n - window), n)],
                "While the text is short, a sink that is still in the window stands twice in your list, and sinks are "
                "kept that have not been read.",
            ),
            Mistake(
                "one-more",
                lambda n, n_sinks, window: _kept(n, n_sinks, window + 1),
                "One token too many: the last `window` of n tokens begin at n - window.",
            ),
            Mistake(
                "not-yet-there",
                lambda n, n_sinks, window: sorted({*range(n_sinks), *range(max(0, n - window), n)}),
                "You keep sinks that have not been read yet. A text of one token has one token.",
            ),
            Mistake(
                "shifted",
                lambda n, n_sinks, window: [token + 1 for token in _kept(n, n_sinks, window)],
                "Your tokens are counted from 1. The first one is token 0.",
            ),
            Mistake(
                "one-less",
                lambda n, n_sinks, window: _kept(n, n_sinks, window - 1),
                "One token too few: the last `window` of n tokens begin at n - window.",
            ),
            Mistake(
                "one-sink-more",
                lambda n, n_sinks, window: _kept(n, n_sinks + 1, window),
                "One sink too many: the first `n_sinks` tokens are 0 to n_sinks - 1.",
            ),
            Mistake(
                "both",
                lambda n, n_sinks, window: [i for i in range(n) if i < n_sinks and i >= n - window],
                "You keep what is a sink *and* in the window. One of the two is enough.",
            ),
            Mistake(
                "window-first",
                lambda n, n_sinks, window: [*range(max(n_sinks, n - window), n), *range(min(n_sinks, n))],
                "The right tokens, but the window stands before the sinks. They come in the order of the text.",
            ),
            Mistake(
                "first-after-the-sinks",
                lambda n, n_sinks, window: [i for i in range(n) if i < n_sinks + window],
                "You keep the tokens that come right after the sinks. The window holds the last ones.",
            ),
            Mistake(
                "order-of-the-places",
                _in_order_of_places,
                "Your window is in the order in which a rolling cache stores it. Return it in the order of the text.",
            ),
            Mistake(
                "last-missing",
                lambda n, n_sinks, window: [i for i in _kept(n, n_sinks, window) if i < n - 1],
                "The last token is missing. After n tokens it is n - 1.",
            ),
            Mistake(
                "thrown-away",
                lambda n, n_sinks, window: [i for i in range(n) if n_sinks <= i < n - window],
                "Those are the tokens that are thrown away.",
            ),
            Mistake(
                "sinks-slide",
                lambda n, n_sinks, window: [*range(max(0, n - window - n_sinks), n)],
                "Your cache is as long as it should be, but throws the oldest token away. The sinks stay for good.",
            ),
            Mistake(
                "exchanged",
                lambda n, n_sinks, window: _kept(n, window, n_sinks),
                "`n_sinks` and `window` are exchanged.",
            ),
            Mistake(
                "first-token-only",
                lambda n, n_sinks, window: _kept(n, n_sinks, window)[:1],
                "Your list ends after its first token. Does your function return inside the loop?",
            ),
            Mistake(
                "one-more-after-the-sinks",
                lambda n, n_sinks, window: [*range(n_sinks), *list(range(n_sinks, n))[-window - 1 :]],
                "One token too many in the window, and a text shorter than `n_sinks` has no tokens beyond its own.",
            ),
            Mistake(
                "each-window-th",
                lambda n, n_sinks, window: [i for i in range(n) if i < n_sinks or (n - i) % window == 0],
                "You keep each `window`-th token. The window holds the last ones without gaps.",
            ),
            Mistake(
                "twice-between",
                lambda n, n_sinks, window: list(range(n)) if n <= window else [*range(n_sinks), *range(n - window, n)],
                "A token stands twice in your list while the window still reaches into the sinks. Up to which length "
                "of the text is everything kept?",
            ),
        ],
        hints=[
            "With n = 10, 2 sinks and a window of 3 these are 0, 1 and 7, 8, 9. Which question do you ask of a token?",
            "Go through `range(n)` and keep a token that is below `n_sinks` or at least `n - window`.",
        ],
    ),
    Exercise(
        name="absorbed_scores",
        lesson=16,
        statement="Make the scaled scores of queries with latents, without making the keys.",
        reference=_absorbed,
        cases=_latent_cases,
        verified="The queries are changed once, and meet the latents as they were kept.",
        never_made=lambda query, to_key, latent: (
            [(len(latent), len(to_key)), (len(to_key), len(latent))],
            "on the way you make all keys, n_key of d_head numbers each. In query @ to_key @ "
            "latent.T, what do the brackets have to join first?",
        ),
        mistakes=[
            Mistake(
                "not-scaled", lambda query, to_key, latent: query @ to_key @ latent.T, "You do not scale the scores."
            ),
            Mistake(
                "scaled-by-latent",
                lambda query, to_key, latent: query @ to_key @ latent.T / latent.shape[-1] ** 0.5,
                "You divide by the root of d_latent. The key that is never made would have had d_head numbers.",
            ),
            Mistake(
                "scaled-without-root",
                lambda query, to_key, latent: query @ to_key @ latent.T / to_key.shape[0],
                "You divide by d_head, and not by its root.",
            ),
            Mistake(
                "turned",
                lambda query, to_key, latent: _absorbed(query, to_key, latent).T,
                "Your table is transposed: rows are queries, columns are keys.",
            ),
            Mistake(
                "weights",
                lambda query, to_key, latent: _absorbed(query, to_key, latent).softmax(-1),
                "These are weights already. Return the scores, before softmax.",
            ),
            Mistake(
                "keys",
                lambda query, to_key, latent: latent @ to_key.T,
                "These are the keys, which need not be made at all. Return the scores.",
            ),
            Mistake(
                "changed-queries",
                lambda query, to_key, latent: query @ to_key,
                "These are the changed queries. They still have to meet the latents.",
            ),
            Mistake(
                "root-of-queries",
                lambda query, to_key, latent: query @ to_key @ latent.T / len(query) ** 0.5,
                "You divide by the root of the number of queries. It is the length of a query that counts, d_head.",
            ),
            Mistake(
                "root-of-keys",
                lambda query, to_key, latent: query @ to_key @ latent.T / len(latent) ** 0.5,
                "You divide by the root of the number of keys. It is the length of a key that counts, d_head.",
            ),
            Mistake(
                "multiplied",
                lambda query, to_key, latent: query @ to_key @ latent.T * to_key.shape[0] ** 0.5,
                "You multiply by the root. Scores are divided by it.",
            ),
            Mistake(
                "changed-queries-scaled",
                lambda query, to_key, latent: query @ to_key / to_key.shape[0] ** 0.5,
                "These are the changed queries, scaled. They still have to meet the latents.",
            ),
            Mistake(
                "root-of-64",
                lambda query, to_key, latent: query @ to_key @ latent.T / 64**0.5,
                "You divide by the root of 64 whatever d_head is. Is the number written out?",
            ),
            Mistake(
                "reshaped",
                lambda query, to_key, latent: (
                    query @ to_key @ latent.reshape(latent.shape[1], -1) / to_key.shape[0] ** 0.5
                ),
                "`reshape` and `view` do not turn a table: they cut the same row of numbers elsewhere. Use `.T`.",
            ),
            Mistake(
                "inverse",
                lambda query, to_key, latent: query @ torch.linalg.pinv(to_key).T @ latent.T / to_key.shape[0] ** 0.5,
                "You undo the matrix with its inverse. query @ (latent @ to_key.T).T is the same product with "
                "other brackets: what becomes of `to_key.T`?",
            ),
            Mistake(
                "sums-multiplied",
                lambda query, to_key, latent: (
                    (query @ to_key).sum(-1, keepdim=True) * latent.sum(-1) / to_key.shape[0] ** 0.5
                ),
                "You add up each vector and multiply the sums. A dot product multiplies number by number, then adds "
                "up.",
            ),
            Mistake(
                "matrix-three-times",
                lambda query, to_key, latent: query @ to_key @ to_key.T @ to_key @ latent.T / to_key.shape[0] ** 0.5,
                "You use the matrix three times. Once is enough to lead from queries to latents.",
            ),
        ],
        hints=[
            "A query has d_head numbers, a latent d_latent. `to_key`, (d_head, d_latent), leads from one to the other: "
            "in which direction do you use it?",
            "(n_query, d_head) @ (d_head, d_latent) makes queries as long as latents. Scale as for keys of d_head.",
        ],
    ),
    Exercise(
        name="fading_attention",
        lesson=16,
        statement="Read linear attention from a state that fades: what is kept is multiplied by `fade` at each token.",
        reference=_fading,
        cases=_fading_cases,
        verified="A pair that lies k tokens back counts fade to the power of k, by a state and by a table alike.",
        mistakes=[
            Mistake(
                "no-fading",
                lambda query, key, value, fade: _fading(query, key, value, 1.0),
                "Nothing fades: an old pair counts as much as a new one. A factor for a whole row of a table is "
                "divided out again.",
            ),
            Mistake(
                "sum-of-keys-stays",
                lambda query, key, value, fade: _by_a_state(query, key, value, fade, 1.0),
                "The state fades, and the sum of the keys does not, so your outputs are no averages any more.",
            ),
            Mistake(
                "state-stays",
                lambda query, key, value, fade: _by_a_state(query, key, value, 1.0, fade),
                "The sum of the keys fades, and the state does not. Both are multiplied by `fade`.",
            ),
            Mistake(
                "not-divided",
                lambda query, key, value, fade: query @ key.mT * _left_over(len(query), fade).to(query.dtype) @ value,
                "You do not divide by the query's product with the sum of the keys, which fades as well.",
            ),
            Mistake(
                "future-too",
                lambda query, key, value, fade: _averages(query @ key.mT * fade ** _back(len(query)).abs(), value),
                "Later tokens count, too. A state holds only what has been read so far.",
            ),
            Mistake(
                "future-without-fading",
                lambda query, key, value, fade: _averages(
                    query @ key.mT * fade ** _back(len(query)).clamp(min=0), value
                ),
                "Later tokens count, too: what lies ahead needs a 0 in your table, and not a power of `fade`.",
            ),
            Mistake(
                "read-before-added",
                lambda query, key, value, fade: _by_a_state(query, key, value, fade, fade, late=True),
                "You read the state before the token's own pair is added, so the first token reads nothing at all.",
            ),
            Mistake(
                "only-the-newest",
                lambda query, key, value, fade: _averages(torch.diag((query * key).sum(-1)), value),
                "Each token reads its own pair alone. Does the new pair overwrite the state, in place of being added?",
            ),
            Mistake(
                "last-output-only",
                lambda query, key, value, fade: _fading(query, key, value, fade)[-1],
                "That is the last token's output. Each token has one.",
            ),
            Mistake(
                "one-state-for-all",
                lambda query, key, value, fade: _averages(
                    query @ key.mT * _left_over(len(query), fade)[-1].to(query.dtype), value
                ),
                "All queries read the state as it is at the end of the text. Each reads what it holds when its token "
                "has come; in a table, what lies ahead gets 0.",
            ),
            Mistake(
                "old-ones-count-more",
                lambda query, key, value, fade: _averages(
                    (query @ key.mT * (1 / fade) ** _back(len(query))).tril(), value
                ),
                "Old pairs count more than new ones. Is the distance counted from the wrong end, or the place in the "
                "text taken for it?",
            ),
            Mistake(
                "faded-once",
                lambda query, key, value, fade: _averages(
                    query @ key.mT * torch.where(_back(len(query)) == 0, 1.0, torch.tensor(fade)).tril(), value
                ),
                "Old pairs are multiplied by `fade` once. At each further token they are multiplied again.",
            ),
            Mistake(
                "faded-twice",
                lambda query, key, value, fade: _fading(query, key, value, fade**2),
                "Each token makes the state fade twice. Is it multiplied in two places?",
            ),
            Mistake(
                "new-pair-shrunk",
                lambda query, key, value, fade: _averages(
                    query
                    @ key.mT
                    * (_left_over(len(query), fade) * (1 - (1 - fade) * torch.eye(len(query)))).to(query.dtype),
                    value,
                ),
                "The new pair is multiplied by `fade`, too, and the old ones are not multiplied once more. First the "
                "state fades, then the pair is added.",
            ),
            Mistake(
                "moving-average",
                lambda query, key, value, fade: _averages(
                    query @ key.mT * (_left_over(len(query), fade) * (1 - fade)).to(query.dtype), value
                ),
                "You multiply the new pair by 1 - fade. The division takes that out again, until `fade` is 1 and "
                "nothing is added.",
            ),
            Mistake(
                "values-only",
                lambda query, key, value, fade: _averages(_left_over(len(query), fade).to(query.dtype), value),
                "What fits does not matter in yours: queries and keys are missing.",
            ),
            Mistake(
                "positive-again",
                lambda query, key, value, fade: _fading(elu(query) + 1, elu(key) + 1, value, fade),
                "You make queries and keys positive. They are so already.",
            ),
            Mistake(
                "exponentials",
                lambda query, key, value, fade: _averages(
                    (query @ key.mT).exp() * _left_over(len(query), fade).to(query.dtype), value
                ),
                "You take exponentials, as softmax does. Linear attention takes the products themselves.",
            ),
            Mistake(
                "softmax-of-faded",
                lambda query, key, value, fade: (
                    (query @ key.mT * _left_over(len(query), fade).to(query.dtype)).softmax(-1) @ value
                ),
                "You take softmax. Linear attention divides the products by their sum.",
            ),
            Mistake(
                "half-each-time",
                lambda query, key, value, fade: _fading(query, key, value, 0.5),
                "Yours fades by a half whatever `fade` is. Is the number written out?",
            ),
        ],
        hints=[
            "Take ones for all queries and keys, `fade` 0.5 and three tokens: the third output is the mean of the "
            "values with the weights 0.25, 0.5 and 1, divided by their sum.",
            "By a state: multiply state and sum of the keys by `fade`, add the token's pair, then read. By a table: "
            "multiply each product by what is left of its pair.",
            "In the table that factor is `fade ** distance`, and 0 where the key is ahead.",
        ],
    ),
]
