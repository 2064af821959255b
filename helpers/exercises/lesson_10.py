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


def _wave_for_each_column(places: torch.Tensor, d_model: int) -> torch.Tensor:
    angles = places[:, None] / 10_000 ** (torch.arange(d_model) / d_model)
    return _interleaved(angles[:, 0::2].sin(), angles[:, 1::2].cos())


def _last_wave_reached(places: torch.Tensor, d_model: int) -> torch.Tensor:
    return _pairs(places[:, None] / 10_000 ** torch.linspace(0, 1, d_model // 2))


def _turn(
    x: torch.Tensor, angles: torch.Tensor, way: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = _interleaved
) -> torch.Tensor:
    first, second = x[:, 0::2], x[:, 1::2]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return way(first * cos - second * sin, first * sin + second * cos)


def _turn_halves(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    first, second = x.chunk(2, -1)
    return torch.cat([first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()], -1)


def _side_by_side(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    return torch.cat([first, second], -1)


def _place_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.arange(4), 6),
        (torch.tensor([2, 0, 5, 3]), 6),
        (torch.tensor([3]), 2),
        (torch.tensor([0]), 4),
        (torch.tensor([7]), 4),
        (torch.tensor([1, 2]), 8),
        (torch.tensor([9, 10, 11, 12, 13]), 2),
        (torch.arange(14)[::2], 10),
        (draw.whole(20, below=60), 30),
    ]


def _embedding_cases(draw: Draw) -> list[Arguments]:
    def sizes(n: int, vocab_size: int, d_model: int, n_positions: int, dtype: torch.dtype = torch.float32) -> Arguments:
        ids = draw.whole(n, below=vocab_size)
        return ids, draw(vocab_size, d_model, dtype=dtype), draw(n_positions, d_model, dtype=dtype)

    return [
        (torch.tensor([4, 1, 4]), draw(5, 4), _positions_at(torch.arange(6), 4)),
        (torch.tensor([0, 3, 2]), draw(5, 4), draw(6, 4)),
        (torch.tensor([0]), draw(1, 1), draw(1, 1)),
        (torch.tensor([2]), draw(3, 5), draw(4, 5)),
        sizes(2, 7, 3, 9),
        sizes(5, 3, 6, 7),
        sizes(6, 4, 2, 6),
        sizes(4, 6, 3, 10, torch.float64),
        (draw.whole(8, below=6)[::2], draw.apart(6, 9), draw.apart(11, 9)),
        sizes(30, 20, 12, 40),
    ]


def _turn_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.arange(3), torch.tensor([[1.0, 0, 2, 1], [1, 0, 2, 1], [1, 0, 2, 1]])),
        (torch.tensor([4, 1, 2]), draw(3, 4)),
        (torch.tensor([3]), draw(1, 2)),
        (torch.tensor([0]), draw(1, 4)),
        (torch.tensor([5]), draw(1, 6)),
        (torch.tensor([6, 2]), draw(2, 8)),
        (torch.tensor([3, 1, 2, 0, 2]), draw(5, 2, dtype=torch.float64)),
        (torch.arange(8)[::2], draw(8, 10)[::2]),
        (draw.whole(30, below=50), draw(30, 12)),
    ]


def _root(table: torch.Tensor) -> float:
    return table.shape[1] ** 0.5


EXERCISES = [
    Exercise(
        name="positions_at",
        lesson=10,
        statement="The sinusoidal vectors of the given places, sine and cosine interleaved.",
        reference=_positions_at,
        cases=_place_cases,
        verified="Each pair of columns is the sine and the cosine of one wave, and each row belongs to its own place.",
        gradient=False,
        mistakes=[
            Mistake(
                "cosine-first",
                lambda places, d_model: _interleaved(*(f(_angles(places, d_model)) for f in (torch.cos, torch.sin))),
                "Sine and cosine are exchanged. Place 0 is 0, 1, 0, 1: with which of the two does a pair begin?",
            ),
            Mistake(
                "not-interleaved",
                lambda places, d_model: _side_by_side(*(f(_angles(places, d_model)) for f in (torch.sin, torch.cos))),
                "All sines stand first, then all cosines. That serves a model as well, but here they take turns: "
                "the cosine of a wave stands next to its sine.",
            ),
            Mistake(
                "thousand",
                lambda places, d_model: _pairs(_angles(places, d_model, base=1000)),
                "You count with 1,000 in place of 10,000, so the slow waves are too fast.",
            ),
            Mistake(
                "exponent-not-doubled",
                lambda places, d_model: _pairs(_angles(places, d_model, step=1)),
                "The exponent grows half as fast as it should. In the formula pair i has 2i over `d_model`: check "
                "which exponent your last pair gets.",
            ),
            Mistake(
                "exponent-doubled",
                lambda places, d_model: _pairs(_angles(places, d_model, step=4)),
                "The exponent grows twice as fast as it should: it has been doubled twice. Check which exponent "
                "your last pair gets.",
            ),
            Mistake(
                "wave-for-each-column",
                _wave_for_each_column,
                "Each column has a wave of its own. A sine and the cosine next to it share one: otherwise a shift "
                "is no turn of the pair.",
            ),
            Mistake(
                "last-wave-reached",
                _last_wave_reached,
                "Your slowest wave has the exponent 1. In the paper's formula the exponents stay below 1: the last "
                "pair has (d_model - 2) over `d_model`.",
            ),
            Mistake(
                "multiplied",
                lambda places, d_model: _pairs(places[:, None] * 10_000 ** (torch.arange(0, d_model, 2) / d_model)),
                "Your waves get faster from pair to pair. The first pair is the fastest: is the power of 10,000 a "
                "factor or a divisor?",
            ),
            Mistake(
                "one-wave",
                lambda places, d_model: _pairs(_angles(places, d_model, step=0)),
                "All pairs have the same wave, which comes round again soon. Each pair needs a slowness of its own.",
            ),
            Mistake(
                "rows-instead-of-places",
                lambda places, d_model: _pairs(_angles(torch.arange(len(places)), d_model)),
                "You count the rows: 0, 1, 2 and so on. Here the places are given, and need not begin at 0 or "
                "be in order.",
            ),
            Mistake(
                "one-too-far",
                lambda places, d_model: _pairs(_angles(places + 1, d_model)),
                "Your vectors are those of the next place. Places count from 0, so the vector of place 0 is "
                "0, 1, 0, 1.",
            ),
            Mistake(
                "degrees",
                lambda places, d_model: _pairs(torch.deg2rad(_angles(places, d_model))),
                "You take the angle for degrees. `torch.sin` counts in radians, and so does the formula.",
            ),
            Mistake(
                "whole-turns",
                lambda places, d_model: _pairs(2 * torch.pi * _angles(places, d_model)),
                "You multiply with 2 pi, so the fastest wave comes round at every place and says nothing. In the "
                "formula the angle is the place over the slowness, nothing more.",
            ),
            Mistake(
                "sines-only",
                lambda places, d_model: _interleaved(*(2 * [_angles(places, d_model).sin()])),
                "Both numbers of a pair are sines. One of the two must be the cosine, or else a wave cannot tell "
                "going up from going down.",
            ),
            Mistake(
                "transposed",
                lambda places, d_model: _pairs(_angles(places, d_model)).T,
                "Your numbers are right, but places stand in columns. Each row is the vector of a place.",
            ),
        ],
        hints=[
            "First one slowness for each pair: 10,000 to the power of 0, 2, 4 and so on over d_model. `torch.arange` "
            "takes a step.",
            "Places as a column over slowness as a row: a table of angles, (n, d_model / 2).",
            "`torch.stack` on a new last axis puts each cosine next to its sine; then melt the last two axes.",
        ],
    ),
    Exercise(
        name="embed_in_order",
        lesson=10,
        statement="Look up the tokens' vectors, scale them, and add to each the vector of its place.",
        reference=lambda ids, table, positions: table[ids] * _root(table) + positions[: len(ids)],
        cases=_embedding_cases,
        verified="Each token's vector times the root of d_model, plus the vector of the place where it stands.",
        mistakes=[
            Mistake(
                "not-scaled",
                lambda ids, table, positions: table[ids] + positions[: len(ids)],
                "The tokens' vectors are not scaled. Beside the positions they would be tiny: which factor makes "
                "up for it?",
            ),
            Mistake(
                "times-d-model",
                lambda ids, table, positions: table[ids] * table.shape[1] + positions[: len(ids)],
                "You multiply with `d_model` itself, which drowns the positions. How does the length of a vector "
                "grow with the count of its numbers?",
            ),
            Mistake(
                "divided",
                lambda ids, table, positions: table[ids] / _root(table) + positions[: len(ids)],
                "You divide by the root, as for scores. Here the vectors are too small and have to grow.",
            ),
            Mistake(
                "root-of-vocabulary",
                lambda ids, table, positions: table[ids] * len(table) ** 0.5 + positions[: len(ids)],
                "You take the root of the size of the vocabulary. What counts is how many numbers a vector has.",
            ),
            Mistake(
                "root-of-length",
                lambda ids, table, positions: table[ids] * len(ids) ** 0.5 + positions[: len(ids)],
                "You take the root of the number of tokens. What counts is how many numbers a vector has.",
            ),
            Mistake(
                "positions-of-ids",
                lambda ids, table, positions: table[ids] * _root(table) + positions[ids],
                "You look the positions up by id, so a token has the same one wherever it stands. A position "
                "belongs to the place in the sentence.",
            ),
            Mistake(
                "sum-scaled",
                lambda ids, table, positions: (table[ids] + positions[: len(ids)]) * _root(table),
                "You scale the sum, positions included. Then words are as small beside positions as before: what "
                "is to be scaled, and when?",
            ),
            Mistake(
                "positions-scaled",
                lambda ids, table, positions: table[ids] + positions[: len(ids)] * _root(table),
                "You scale the positions in place of the tokens' vectors. Which of the two starts too small?",
            ),
            Mistake(
                "all-positions",
                lambda ids, table, positions: table[ids] * _root(table) + positions,
                "You add all rows of `positions`. It has one for each place up to the longest text: how many "
                "places has this sentence?",
            ),
            Mistake(
                "last-positions",
                lambda ids, table, positions: table[ids] * _root(table) + positions[-len(ids) :],
                "You take the last rows of `positions`. A sentence begins at place 0.",
            ),
            Mistake(
                "one-place-for-all",
                lambda ids, table, positions: table[ids] * _root(table) + positions[0],
                "Every token gets the vector of place 0, so the order still does not show.",
            ),
            Mistake(
                "multiplied",
                lambda ids, table, positions: table[ids] * _root(table) * positions[: len(ids)],
                "You multiply with the positions, which wipes out a word wherever a position is 0. They are added.",
            ),
            Mistake(
                "concatenated",
                lambda ids, table, positions: torch.cat([table[ids] * _root(table), positions[: len(ids)]], -1),
                "You put the position beside the word's vector, which makes it twice as long. Here they are added.",
            ),
            Mistake(
                "no-positions",
                lambda ids, table, positions: table[ids] * _root(table),
                "The positions are missing: without them attention still sees a set.",
            ),
            Mistake(
                "positions-shrunk",
                lambda ids, table, positions: table[ids] + positions[: len(ids)] / _root(table),
                "You keep the words as they are and shrink the positions. Their proportion is right, but both are "
                "too small by the same factor: scale the other one.",
            ),
        ],
        hints=[
            "Three steps: look up, scale, add. The last axis of `table` is `d_model`.",
            "The token at place t gets row t of `positions`, whatever its id. As many rows as there are tokens.",
        ],
    ),
    Exercise(
        name="turn_by_place",
        lesson=10,
        statement="Rotary positions: turn each pair of neighbouring numbers by an angle that grows with the place.",
        reference=lambda places, x: _turn(x, _angles(places, x.shape[1], dtype=torch.float64)),
        cases=_turn_cases,
        verified="Each pair is turned by the angle of its own wave at its own place, and keeps its length.",
        mistakes=[
            Mistake(
                "wrong-direction",
                lambda places, x: _turn(x, -_angles(places, x.shape[1])),
                "You turn in the other direction. The pair (1, 0) must turn towards (0, 1): which product has the "
                "minus?",
            ),
            Mistake(
                "halves",
                lambda places, x: _turn_halves(x, _angles(places, x.shape[1])),
                "You pair the first half of each vector with the second half, as some models do. Here a pair is "
                "two neighbours.",
            ),
            Mistake(
                "not-interleaved",
                lambda places, x: _turn(x, _angles(places, x.shape[1]), _side_by_side),
                "The pairs are turned rightly, but then torn apart: first numbers of all pairs, then second "
                "numbers. Put each number back where it came from.",
            ),
            Mistake(
                "pairs-exchanged",
                lambda places, x: _turn(x, _angles(places, x.shape[1]), lambda a, b: _interleaved(b, a)),
                "In each pair the two numbers have changed places. At place 0 nothing must change.",
            ),
            Mistake(
                "no-minus",
                lambda places, x: _interleaved(
                    x[:, 0::2] * _angles(places, x.shape[1]).cos() + x[:, 1::2] * _angles(places, x.shape[1]).sin(),
                    x[:, 0::2] * _angles(places, x.shape[1]).sin() + x[:, 1::2] * _angles(places, x.shape[1]).cos(),
                ),
                "That is no turn: it changes the length of a pair. In the matrix of a turn one of the two sines "
                "has another sign.",
            ),
            Mistake(
                "mirrored",
                lambda places, x: _turn(x, _angles(places, x.shape[1]), lambda a, b: _interleaved(a, -b)),
                "You mirror each pair as well as turning it. At place 0, where the angle is 0, every number must "
                "stay as it is, its sign included.",
            ),
            Mistake(
                "cosine-only",
                lambda places, x: x * _angles(places, x.shape[1]).cos().repeat_interleave(2, -1),
                "You only multiply with cosines, which makes the vectors shorter. In a turn each number also "
                "takes a part of its neighbour.",
            ),
            Mistake(
                "one-angle-for-all-pairs",
                lambda places, x: _turn(x, _angles(places, x.shape[1], step=0)),
                "All pairs turn by the same angle. Each has a slowness of its own, as in the sinusoidal positions.",
            ),
            Mistake(
                "exponent-not-doubled",
                lambda places, x: _turn(x, _angles(places, x.shape[1], step=1)),
                "The exponent grows half as fast as it should. In the formula pair i has 2i over `d_k`: check "
                "which exponent your last pair gets.",
            ),
            Mistake(
                "thousand",
                lambda places, x: _turn(x, _angles(places, x.shape[1], base=1000)),
                "You count with 1,000 in place of 10,000, so the slow pairs turn too fast.",
            ),
            Mistake(
                "multiplied",
                lambda places, x: _turn(x, places[:, None] * 10_000 ** (torch.arange(0, x.shape[1], 2) / x.shape[1])),
                "Your pairs turn faster and faster along a vector. The first pair is the fastest: is the power of "
                "10,000 a factor or a divisor?",
            ),
            Mistake(
                "rows-instead-of-places",
                lambda places, x: _turn(x, _angles(torch.arange(len(x)), x.shape[1])),
                "You count the rows: 0, 1, 2 and so on. Here the places are given, and need not begin at 0 or be "
                "in order.",
            ),
            Mistake(
                "one-too-far",
                lambda places, x: _turn(x, _angles(places + 1, x.shape[1])),
                "You turn by one place too many. Places count from 0, and at place 0 nothing is turned.",
            ),
            Mistake(
                "degrees",
                lambda places, x: _turn(x, torch.deg2rad(_angles(places, x.shape[1]))),
                "You take the angle for degrees. `torch.sin` counts in radians, and so does the formula.",
            ),
            Mistake(
                "added",
                lambda places, x: x + _pairs(_angles(places, x.shape[1])),
                "You add sinusoidal positions. Rotary positions add nothing: they turn what is there.",
            ),
            Mistake(
                "number-by-number",
                lambda places, x: x * _pairs(_angles(places, x.shape[1])),
                "You multiply each number with one sine or cosine. In a turn both numbers of a pair take part in "
                "both results.",
            ),
        ],
        hints=[
            "The angles are those of the sinusoidal positions: places as a column over slowness as a row.",
            "`x[:, 0::2]` has the first numbers of all pairs, `x[:, 1::2]` the second ones.",
            "A turn takes (a, b) to (a cos - b sin, a sin + b cos). Put the results back in turns, with `torch.stack`.",
        ],
    ),
]
