"""Lesson 10, positions: give order to a set."""

from collections.abc import Callable

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake


def _angles(
    places: torch.Tensor, width: int, base: float = 10_000, step: float = 2, dtype: torch.dtype = torch.float32
) -> torch.Tensor:
    """The angle of each place on each wave: (n,) -> (n, width / 2)."""
    return places[:, None] / base ** (torch.arange(width // 2, dtype=dtype) * step / width)


def _interleaved(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    return torch.stack([first, second], -1).flatten(-2)


def _pairs(angles: torch.Tensor) -> torch.Tensor:
    return _interleaved(angles.sin(), angles.cos())


def _positions_at(places: torch.Tensor, d_model: int) -> torch.Tensor:
    return _pairs(_angles(places, d_model, dtype=torch.float64)).float()


def _positions_for(places: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
    return _positions_at(places, vectors.shape[1]).to(vectors.dtype)


def _which_place(places: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
    return places[(vectors @ _positions_for(places, vectors).T).argmax(-1)]


def _by_table(places: torch.Tensor, vectors: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    return places[(vectors @ table.T).argmax(-1)]


def _hands(places: torch.Tensor, vectors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The sines and the cosines of the places, (n_places, d_model / 2) each."""
    return _positions_for(places, vectors).unflatten(-1, (-1, 2)).unbind(-1)


def _last_two(vectors: torch.Tensor) -> torch.Tensor:
    return torch.arange(vectors.shape[1]) >= vectors.shape[1] - 2


def _nearest(places: torch.Tensor, vectors: torch.Tensor, columns: slice) -> torch.Tensor:
    """The nearest place by some columns only."""
    return places[torch.cdist(vectors[:, columns], _positions_for(places, vectors)[:, columns]).argmin(-1)]


def _turn(
    x: torch.Tensor, angles: torch.Tensor, way: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = _interleaved
) -> torch.Tensor:
    first, second = x[:, 0::2], x[:, 1::2]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return way(first * cos + second * sin, second * cos - first * sin)


def _times_slowness(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    places = angles[:, :1].float()  # hand 0 turns by 1 radian from place to place
    return _turn(x, places * 10_000 ** (torch.arange(0, x.shape[1], 2) / x.shape[1]))


def _plus_in_both(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    first, second = x[:, 0::2], x[:, 1::2]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return _interleaved(first * cos + second * sin, first * sin + second * cos)


def _overwritten(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    first, second = x[:, 0::2], x[:, 1::2]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first = first * cos + second * sin
    return _interleaved(first, second * cos - first * sin)


def _turn_halves(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, -1)
    return torch.cat([first * cos + second * sin, second * cos - first * sin], -1)


def _scores(
    places: torch.Tensor,
    queries: torch.Tensor,
    keys: torch.Tensor,
    places_of_queries: torch.Tensor | None = None,
    of_queries: float = 1,
    of_keys: float = 1,
    step: float = 2,
    base: float = 10_000,
    turn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = _turn,
) -> torch.Tensor:
    """Rotary scores; `of_queries` and `of_keys` are factors of the angles."""
    width = keys.shape[1]
    if places_of_queries is None:
        places_of_queries = places[-len(queries) :]
    angles = [_angles(at, width, base, step, dtype=torch.float64) for at in (places_of_queries, places)]
    turned = [turn(x, factor * a) for x, factor, a in zip((queries, keys), (of_queries, of_keys), angles, strict=True)]
    return (turned[0] @ turned[1].T / width**0.5).to(keys.dtype)


def _noisy_cases(draw: Draw) -> list[Arguments]:
    def case(places: torch.Tensor, n: int, d_model: int, dtype: torch.dtype = torch.float32) -> Arguments:
        vectors = _positions_at(places[draw.whole(n, below=len(places))], d_model)
        return places, (vectors + (0.1 * draw(*vectors.shape)).clamp(-0.15, 0.15)).to(dtype)

    def twice(places: torch.Tensor, vectors: torch.Tensor) -> Arguments:
        return places, vectors.repeat_interleave(2, -1)[:, ::2]  # the same numbers, not contiguous

    mixed = torch.tensor([17, 2, 46, 11, 29, 0, 23, 8, 40])
    return [
        case(mixed, 4, 8),
        case(mixed, 4, 8),
        (torch.tensor([3]), torch.tensor([[0.1, -0.9]])),
        case(torch.tensor([4, 1]), 3, 2),
        case(torch.tensor([5, 1, 3]), 1, 4),
        case(torch.tensor([60, 3, 17]), 9, 2),  # place 47 is as near to 3 as the noise is large, but is not given
        case(torch.arange(59, -1, -1), 7, 10),
        case(torch.tensor([12, 44, 0, 6, 51]), 6, 12, torch.float64),
        twice(*case(torch.arange(30), 5, 6)),
        case(torch.arange(0, 150, 3), 40, 16),
    ]


def _embedding_cases(draw: Draw) -> list[Arguments]:
    def case(
        lengths: list[int], n: int, vocab_size: int, d_model: int, pad: int, dtype: torch.dtype = torch.float32
    ) -> Arguments:
        words = (pad + 1 + draw.whole(len(lengths), n, below=vocab_size - 1)) % vocab_size  # none of them is `pad`
        ids = words.masked_fill(torch.arange(n) < n - torch.tensor(lengths)[:, None], pad)
        return ids, pad, draw(vocab_size, d_model, dtype=dtype), draw(n + 3, d_model, dtype=dtype)

    apart = case([2, 4, 1], 4, 6, 9, pad=2)
    return [
        (torch.tensor([[0, 0, 4, 1], [4, 1, 4, 3]]), 0, draw(5, 6), _positions_at(torch.arange(7), 6)),
        case([2, 4], 4, 5, 6, pad=0),
        case([1], 1, 2, 1, pad=0),
        case([1], 1, 3, 5, pad=1),
        case([2], 5, 7, 3, pad=0),
        case([6, 1, 3], 6, 4, 2, pad=3),
        case([3, 5], 5, 8, 7, pad=5, dtype=torch.float64),
        (apart[0], 2, draw.apart(6, 9), draw.apart(7, 9)),
        case([12, 3, 20, 7], 20, 30, 11, pad=4),
    ]


def _score_cases(draw: Draw) -> list[Arguments]:
    def sizes(places: list[int], n_query: int, d_k: int, dtype: torch.dtype = torch.float32) -> Arguments:
        return torch.tensor(places), draw(n_query, d_k, dtype=dtype), draw(len(places), d_k, dtype=dtype)

    return [
        sizes([0, 3, 4, 5, 7], 2, 4),
        sizes([1, 2, 6, 8, 9], 2, 4),
        sizes([3], 1, 2),
        sizes([0, 2, 5], 1, 6),
        sizes([4, 5, 7, 8], 3, 2),
        sizes([0, 1, 4, 6], 4, 6),
        sizes([2, 3, 5, 7, 8, 9, 11, 12, 14], 5, 8, torch.float64),
        (torch.arange(0, 14, 2), draw.apart(3, 10), draw.apart(7, 10)),
        sizes([*range(4), *range(20, 46)], 12, 20),
    ]


def _root(table: torch.Tensor) -> float:
    return table.shape[1] ** 0.5


def _places(ids: torch.Tensor, pad: int) -> torch.Tensor:
    """The place of each word of a text, and 0 where padding stands before them: (batch, n)."""
    return ((ids != pad).cumsum(-1) - 1).clamp(min=0)


def _embedded(
    ids: torch.Tensor,
    pad: int,
    table: torch.Tensor,
    positions: torch.Tensor,
    places: torch.Tensor | None = None,
    scale: float | None = None,
    scale_of_positions: float = 1.0,
) -> torch.Tensor:
    x = table[ids] * (_root(table) if scale is None else scale)
    x = x + positions[_places(ids, pad) if places is None else places] * scale_of_positions
    return x * (ids != pad)[..., None]


def _places_by_the_first_text(ids: torch.Tensor, pad: int) -> torch.Tensor:
    return (torch.arange(ids.shape[1]) - (ids[0] == pad).sum()).clamp(min=0).expand_as(ids)


EXERCISES = [
    Exercise(
        name="which_place",
        lesson=10,
        statement="Find the place to which each noisy sinusoidal vector belongs.",
        reference=_which_place,
        cases=_noisy_cases,
        verified="Each vector is given the place whose own vector is nearest, noise or not.",
        gradient=False,
        mistakes=[
            Mistake(
                "first-hand-only",
                lambda places, vectors: _nearest(places, vectors, slice(0, 2)),
                "You compare only the first two numbers. The fast hand comes round every six places: what do the "
                "others say?",
            ),
            Mistake(
                "sines-only",
                lambda places, vectors: _nearest(places, vectors, slice(0, None, 2)),
                "You compare only the sines. A hand needs both its numbers, and noise is smaller beside all of them.",
            ),
            Mistake(
                "exact-only",
                lambda places, vectors: places[
                    (vectors[:, None] == _positions_for(places, vectors)).all(-1).int().argmax(-1)
                ],
                "You look for a row that is exactly the same, and with noise there is none. Which one is nearest?",
            ),
            Mistake(
                "farthest",
                lambda places, vectors: places[(vectors @ _positions_for(places, vectors).T).argmin(-1)],
                "You found the place that is least alike. Is a large dot product near or far?",
            ),
            Mistake(
                "sign-lost",
                lambda places, vectors: places[(vectors @ _positions_for(places, vectors).T).abs().argmax(-1)],
                "You drop the sign of the dot product. A row that points the other way is not near.",
            ),
            Mistake(
                "best-vector-for-each-place",
                lambda places, vectors: (vectors @ _positions_for(places, vectors).T).argmax(0),
                "You return the best vector for each place. The exercise wants the best place for each vector: along "
                "which axis?",
            ),
            Mistake(
                "one-too-far",
                lambda places, vectors: _which_place(places, vectors) + 1,
                "Your places are one too large. They count from 0, and the vector of place 0 is 0, 1, 0, 1 and so on.",
            ),
            Mistake(
                "cosine-first",
                lambda places, vectors: _by_table(places, vectors, _interleaved(*_hands(places, vectors)[::-1])),
                "In your table sine and cosine are exchanged. Place 0 is 0, 1, 0, 1: with which of the two does a pair "
                "begin?",
            ),
            Mistake(
                "not-interleaved",
                lambda places, vectors: _by_table(places, vectors, torch.cat(_hands(places, vectors), -1)),
                "In your table all sines stand first. In the vectors the cosine of a hand stands next to its sine.",
            ),
            Mistake(
                "row-not-place",
                lambda places, vectors: (vectors @ _positions_for(places, vectors).T).argmax(-1),
                "You return the number of the row in your table. The rows belong to the given places, in their order: "
                "which place has that row?",
            ),
            Mistake(
                "rows-counted",
                lambda places, vectors: _by_table(places, vectors, _positions_for(torch.arange(len(places)), vectors)),
                "Your table holds places 0, 1, 2 and so on. It should hold the given places.",
            ),
            Mistake(
                "not-the-place",
                lambda places, vectors: (vectors @ _positions_for(places, vectors).T).amax(-1),
                "You return how alike the best row is. Which row is it, and which place belongs to it?",
            ),
            Mistake(
                "all-places",
                lambda places, vectors: (
                    vectors @ _positions_for(torch.arange(int(places.max()) + 1), vectors).T
                ).argmax(-1),
                "You compare with every place up to the largest. Only the given places are in question.",
            ),
            Mistake(
                "one-for-all",
                lambda places, vectors: places[(vectors @ _positions_for(places, vectors).T).argmax()],
                "`argmax` without `dim` counts through the whole table and gives one number. Each row needs its own.",
            ),
            Mistake(
                "places-over-vectors",
                lambda places, vectors: places[(vectors @ _positions_for(places, vectors).T).argmax(0)],
                "You ask which vector is best for each place, and look that number up in `places`. Which axis holds "
                "the places?",
            ),
            Mistake(
                "signs-cancel",
                lambda places, vectors: places[(vectors[:, None] - _positions_for(places, vectors)).sum(-1).argmin(-1)],
                "You add the differences with their signs, so that they cancel. Square them, or take their absolute "
                "values.",
            ),
            Mistake(
                "table-too-short",
                lambda places, vectors: _positions_for(torch.arange(int(places.max())), vectors)[places],
                "Your table ends before the largest place: with places up to 46 it needs 47 rows, 0 to 46.",
            ),
            Mistake(
                "slow-hand-only",
                lambda places, vectors: _by_table(
                    places, vectors * _last_two(vectors), _positions_for(places, vectors)
                ),
                "You compare only the slowest hand, which hardly moves from place to place. What do the others say?",
            ),
            Mistake(
                "cosines-only",
                lambda places, vectors: _by_table(places, vectors[:, 1::2], _positions_for(places, vectors)[:, 1::2]),
                "You compare only the cosines. A hand needs both its numbers, and noise is smaller beside all of them.",
            ),
        ],
        hints=[
            "Make the table of the given places, as in step 4: (n_places, d_model).",
            "Each vector with each row: `vectors @ table.T` is (n, n_places). What is large where the two are near?",
            "The best row is not yet the place: look it up in `places`.",
        ],
    ),
    Exercise(
        name="embed_padded",
        lesson=10,
        statement="Add to each word's vector that of its place, counted from the first word, and make padding zeros.",
        reference=lambda ids, pad, table, positions: _embedded(ids, pad, table, positions),
        cases=_embedding_cases,
        verified="Each word is scaled and knows its place in its own text, however much padding stands before it.",
        mistakes=[
            Mistake(
                "places-of-columns",
                lambda ids, pad, table, positions: _embedded(
                    ids, pad, table, positions, places=torch.arange(ids.shape[1]).expand_as(ids)
                ),
                "Your places count the columns, padding included, so the same text gets other places in another batch. "
                "Which word stands at place 0?",
            ),
            Mistake(
                "one-text-for-all",
                lambda ids, pad, table, positions: _embedded(
                    ids, pad, table, positions, places=_places_by_the_first_text(ids, pad)
                ),
                "You count the padding of the first text and use it for all. Each text has its own.",
            ),
            Mistake(
                "one-too-far",
                lambda ids, pad, table, positions: _embedded(ids, pad, table, positions, places=_places(ids, pad) + 1),
                "Your places begin with 1. The first word stands at place 0.",
            ),
            Mistake(
                "positions-of-ids",
                lambda ids, pad, table, positions: _embedded(ids, pad, table, positions, places=ids % len(positions)),
                "You look the positions up by id, so a word has the same one wherever it stands. A position belongs to "
                "the place in the text.",
            ),
            Mistake(
                "padding-kept",
                lambda ids, pad, table, positions: table[ids] * _root(table) + positions[_places(ids, pad)],
                "Right, but for one thing: padding still has a vector. It must be zeros.",
            ),
            Mistake(
                "padding-without-place",
                lambda ids, pad, table, positions: (
                    table[ids] * _root(table) + positions[_places(ids, pad)] * (ids != pad)[..., None]
                ),
                "Padding has no place in your result, but it keeps its row of `table`. It must be zeros.",
            ),
            Mistake(
                "inverted",
                lambda ids, pad, table, positions: (
                    (table[ids] * _root(table) + positions[_places(ids, pad)]) * (ids == pad)[..., None]
                ),
                "Your words are zeros, and the padding is kept. Which of the two is `ids != pad`?",
            ),
            Mistake(
                "pad-is-0",
                lambda ids, pad, table, positions: _embedded(ids, 0, table, positions),
                "You take 0 for padding. Its id is `pad`, which another vocabulary may have put elsewhere.",
            ),
            Mistake(
                "not-scaled",
                lambda ids, pad, table, positions: _embedded(ids, pad, table, positions, scale=1.0),
                "The words' vectors are not scaled. Beside the positions they would be tiny: which factor makes up "
                "for it?",
            ),
            Mistake(
                "times-d-model",
                lambda ids, pad, table, positions: _embedded(ids, pad, table, positions, scale=table.shape[1]),
                "You multiply by `d_model` itself, which drowns the positions. How does the length of a vector "
                "grow with the count of its numbers?",
            ),
            Mistake(
                "divided",
                lambda ids, pad, table, positions: _embedded(ids, pad, table, positions, scale=1 / _root(table)),
                "You divide by the root, as for scores. Here the vectors are too small and have to grow.",
            ),
            Mistake(
                "root-of-vocabulary",
                lambda ids, pad, table, positions: _embedded(ids, pad, table, positions, scale=len(table) ** 0.5),
                "You take the root of the size of the vocabulary. What counts is how many numbers a vector has.",
            ),
            Mistake(
                "sum-scaled",
                lambda ids, pad, table, positions: (
                    _embedded(ids, pad, table, positions)
                    + _embedded(ids, pad, table, positions, scale=0.0) * (_root(table) - 1)
                ),
                "You scale the sum, positions included. Then words are as small beside positions as before: what "
                "is to be scaled, and when?",
            ),
            Mistake(
                "positions-scaled",
                lambda ids, pad, table, positions: _embedded(
                    ids, pad, table, positions, scale=1.0, scale_of_positions=_root(table)
                ),
                "You scale the positions in place of the words' vectors. Which of the two starts too small?",
            ),
            Mistake(
                "no-positions",
                lambda ids, pad, table, positions: _embedded(ids, pad, table, positions, scale_of_positions=0.0),
                "The positions are missing: without them attention still sees a set.",
            ),
            Mistake(
                "concatenated",
                lambda ids, pad, table, positions: torch.cat(
                    [table[ids] * _root(table), positions[_places(ids, pad)]], -1
                ),
                "You put the position beside the word's vector, which makes it twice as long. Here they are added.",
            ),
            Mistake(
                "only-the-word-is-zero",
                lambda ids, pad, table, positions: (
                    table[ids] * _root(table) * (ids != pad)[..., None] + positions[_places(ids, pad)]
                ),
                "You make the word's vector zero at padding, and then add a position to it. Padding becomes zeros as a "
                "whole.",
            ),
            Mistake(
                "multiplied",
                lambda ids, pad, table, positions: (
                    table[ids] * _root(table) * positions[_places(ids, pad)] * (ids != pad)[..., None]
                ),
                "You multiply by the position. It is added.",
            ),
            Mistake(
                "counted-over-texts",
                lambda ids, pad, table, positions: _embedded(
                    ids, pad, table, positions, places=((ids != pad).cumsum(0) - 1).clamp(min=0)
                ),
                "You count the words down the batch. Which axis of `ids` runs along a text?",
            ),
            Mistake(
                "counted-on",
                lambda ids, pad, table, positions: _embedded(
                    ids,
                    pad,
                    table,
                    positions,
                    places=((ids != pad).flatten().cumsum(0) - 1).view_as(ids) % len(positions),
                ),
                "Your places go on from one text to the next. Each text begins at place 0 again.",
            ),
            Mistake(
                "padding-counted",
                lambda ids, pad, table, positions: _embedded(
                    ids, pad, table, positions, places=((ids == pad).cumsum(-1) - 1).clamp(min=0)
                ),
                "You count the padding, not the words. The place of a word is how many words stand before it.",
            ),
            Mistake(
                "words-and-padding-exchanged",
                lambda ids, pad, table, positions: (
                    (table[ids] * _root(table) + positions[((ids == pad).cumsum(-1) - 1).clamp(min=0)])
                    * (ids == pad)[..., None]
                ),
                "Words and padding are exchanged: you count and keep the padding. Is it `==` or `!=`?",
            ),
            Mistake(
                "from-the-end",
                lambda ids, pad, table, positions: _embedded(
                    ids, pad, table, positions, places=((ids != pad).flip(-1).cumsum(-1).flip(-1) - 1).clamp(min=0)
                ),
                "Your places count from the end of the text. Place 0 is where the words begin.",
            ),
            Mistake(
                "first-text-only",
                lambda ids, pad, table, positions: (
                    _embedded(ids, pad, table, positions) * (torch.arange(len(ids)) == 0)[:, None, None]
                ),
                "Only the first text is filled in. Does your function return inside the loop over the texts?",
            ),
            Mistake(
                "padding-behind",
                lambda ids, pad, table, positions: (
                    (table[ids] * _root(table) + positions[: ids.shape[1]])
                    * (torch.arange(ids.shape[1]) < (ids != pad).sum(1, keepdim=True))[..., None]
                ),
                "You keep the first columns of each text, as if the padding stood behind the words. Here it stands "
                "before them.",
            ),
        ],
        hints=[
            "Write down the places of `[pad, pad, 7, 4, 9]`: the words have 0, 1 and 2.",
            "`(ids != pad).cumsum(-1)` counts the words up to each column. From which number do places count?",
            "Padding has no place. Give it any row of `positions`, and make its vector zeros at the end.",
        ],
    ),
    Exercise(
        name="rotary_scores",
        lesson=10,
        statement="Scores of the last tokens' queries with all keys, both turned by their places.",
        reference=lambda places, queries, keys: _scores(places, queries, keys),
        cases=_score_cases,
        verified="Queries and keys are turned by the places where they stand, so that only the distance counts.",
        mistakes=[
            Mistake(
                "first-queries",
                lambda places, queries, keys: _scores(places, queries, keys, places_of_queries=places[: len(queries)]),
                "Your queries stand at the first places. They are the last tokens: with 2 queries and 5 keys, which "
                "place has query 0?",
            ),
            Mistake(
                "one-too-far",
                lambda places, queries, keys: _scores(
                    places, queries, keys, places_of_queries=places[-len(queries) :] + 1
                ),
                "Your queries stand one place too far. The last query belongs to the last key's token.",
            ),
            Mistake(
                "all-at-the-last",
                lambda places, queries, keys: _scores(
                    places, queries, keys, places_of_queries=places[-1:].expand(len(queries))
                ),
                "All your queries stand at the last place. Each has a place of its own.",
            ),
            Mistake(
                "rows-instead-of-places",
                lambda places, queries, keys: _scores(torch.arange(len(keys)), queries, keys),
                "You count the rows: 0, 1, 2 and so on. The keys stand at the given places, and some are missing "
                "between them.",
            ),
            Mistake(
                "only-queries",
                lambda places, queries, keys: _scores(places, queries, keys, of_keys=0),
                "You turn only the queries, so it is their place that counts, and not the distance to a key.",
            ),
            Mistake(
                "only-keys",
                lambda places, queries, keys: _scores(places, queries, keys, of_queries=0),
                "You turn only the keys, so it is their place that counts, and not the distance to a query.",
            ),
            Mistake(
                "opposite-ways",
                lambda places, queries, keys: _scores(places, queries, keys, of_keys=-1),
                "You turn queries and keys in opposite directions, so that the sum of their places counts. It should "
                "be the difference.",
            ),
            Mistake(
                "not-turned",
                lambda places, queries, keys: _scores(places, queries, keys, of_queries=0, of_keys=0),
                "Nothing is turned: these are the plain scores.",
            ),
            Mistake(
                "not-scaled",
                lambda places, queries, keys: _scores(places, queries, keys) * keys.shape[1] ** 0.5,
                "The scores are not divided by the root of `d_k`.",
            ),
            Mistake(
                "divided-by-d-k",
                lambda places, queries, keys: _scores(places, queries, keys) / keys.shape[1] ** 0.5,
                "You divide by `d_k` itself, and not by its root.",
            ),
            Mistake(
                "root-of-pairs",
                lambda places, queries, keys: _scores(places, queries, keys) * 2**0.5,
                "You divide by the root of the number of pairs. A key has `d_k` numbers, twice as many.",
            ),
            Mistake(
                "rows-from-0",
                lambda places, queries, keys: _scores(
                    torch.arange(len(keys)), queries, keys, places_of_queries=torch.arange(len(queries))
                ),
                "You turn each row by its number: queries and keys both begin at 0, as in `rotate`. Here they stand "
                "at `places`, and the queries are the last of them.",
            ),
            Mistake(
                "plus-in-both",
                lambda places, queries, keys: _scores(places, queries, keys, turn=_plus_in_both),
                "Both lines of your turn add. (a, b) becomes (a cos + b sin, b cos - a sin): one of them subtracts.",
            ),
            Mistake(
                "overwritten",
                lambda places, queries, keys: _scores(places, queries, keys, turn=_overwritten),
                "You overwrite the first number of each pair before the second is made of it. Both are made of the old "
                "pair.",
            ),
            Mistake(
                "times-slowness",
                lambda places, queries, keys: _scores(places, queries, keys, turn=_times_slowness),
                "You multiply the places by the slowness. A slow hand turns by less: divide.",
            ),
            Mistake(
                "weights",
                lambda places, queries, keys: _scores(places, queries, keys).softmax(-1),
                "These are weights: you have taken softmax already. Scores are asked for.",
            ),
            Mistake(
                "one-place-back",
                lambda places, queries, keys: _scores(
                    places, queries, keys, places_of_queries=places[-len(queries) - 1 : -1]
                ),
                "Your queries stand one place too early. The last query belongs to the last of `places`.",
            ),
            Mistake(
                "turned-twice",
                lambda places, queries, keys: _scores(places, queries, keys, of_queries=2, of_keys=2),
                "Each arrow is turned twice as far as it should be: pair 0 by 1 radian times its place.",
            ),
            Mistake(
                "wrong-direction",
                lambda places, queries, keys: _scores(places, queries, keys, of_queries=-1, of_keys=-1),
                "You turn against the clock, as libraries do. Here the pair (0, 1), which is up, must turn towards "
                "(1, 0), which is right: which product has the minus?",
            ),
            Mistake(
                "halves",
                lambda places, queries, keys: _scores(places, queries, keys, turn=_turn_halves),
                "You pair the first half of each vector with the second half, as some models do. Here a pair is two "
                "neighbours.",
            ),
            Mistake(
                "one-angle-for-all-pairs",
                lambda places, queries, keys: _scores(places, queries, keys, step=0),
                "All pairs turn by the same angle. Each has a slowness of its own, as in the sinusoidal positions.",
            ),
            Mistake(
                "exponent-not-doubled",
                lambda places, queries, keys: _scores(places, queries, keys, step=1),
                "The exponent grows half as fast as it should. In the formula pair i has 2i over `d_k`: check which "
                "exponent your last pair gets.",
            ),
            Mistake(
                "added",
                lambda places, queries, keys: (
                    (queries + _pairs(_angles(places[-len(queries) :], keys.shape[1], dtype=keys.dtype)))
                    @ (keys + _pairs(_angles(places, keys.shape[1], dtype=keys.dtype))).T
                    / keys.shape[1] ** 0.5
                ),
                "You add sinusoidal positions. Rotary positions add nothing: they turn what is there.",
            ),
            Mistake(
                "keys-as-rows",
                lambda places, queries, keys: _scores(places, queries, keys).T,
                "Your rows are keys and your columns are queries. Rows are queries.",
            ),
            Mistake(
                "no-sine",
                lambda places, queries, keys: (
                    (_scores(places, queries, keys) + _scores(places, queries, keys, of_queries=-1, of_keys=-1)) / 2
                ),
                "You multiply by the cosine of the distance and leave out the sine: a pair must be turned, not only "
                "made shorter.",
            ),
            Mistake(
                "base-1000",
                lambda places, queries, keys: _scores(places, queries, keys, base=1_000),
                "Your hands slow down too little from pair to pair: the base is 10,000.",
            ),
            Mistake(
                "base-100000",
                lambda places, queries, keys: _scores(places, queries, keys, base=100_000),
                "Your hands slow down too much from pair to pair: the base is 10,000.",
            ),
        ],
        hints=[
            "With 2 queries and 5 keys at places 0, 3, 4, 5 and 7, the queries stand at places 5 and 7.",
            "The angles are places as a column over slowness as a row, as in `rotate`, which counts 0, 1, 2 ...",
            "A turn takes (a, b) to (a cos + b sin, b cos - a sin). Turn both, then it is the scores of lesson 5.",
        ],
    ),
]
