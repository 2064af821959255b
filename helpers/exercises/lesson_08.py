"""Lesson 8, multi-head attention: several attentions side by side."""

from typing import Any

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake


def _split(x: torch.Tensor, n_heads: int) -> torch.Tensor:
    batch, n, d_model = x.shape
    return x.reshape(batch, n, n_heads, d_model // n_heads).transpose(1, 2)


def _view_split(x: torch.Tensor, n_heads: int) -> torch.Tensor:
    batch, n, d_model = x.shape
    return x.reshape(batch, n_heads, n, d_model // n_heads)


def _merge(heads: torch.Tensor) -> torch.Tensor:
    return heads.transpose(1, 2).flatten(2)


def _view_merge(heads: torch.Tensor) -> torch.Tensor:
    batch, n_heads, n, d_head = heads.shape
    return heads.reshape(batch, n, n_heads * d_head)


def _attend(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, *, scale: float | None = None, axis: int = -1
) -> torch.Tensor:
    scale = key.shape[-1] ** 0.5 if scale is None else scale
    return torch.softmax(query @ key.mT / scale, axis) @ value


def _heads(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    n_heads: int,
    *,
    scale: float | None = None,
    axis: int = -1,
) -> torch.Tensor:
    return _attend(_split(query, n_heads), _split(key, n_heads), _split(value, n_heads), scale=scale, axis=axis)


def _split_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.arange(12.0).reshape(1, 3, 4), 2),
        (draw(1, 3, 4), 2),
        (draw(1, 1, 1), 1),
        (draw(2, 1, 6), 3),
        (draw(1, 2, 6), 3),
        (draw(2, 5, 12), 3),
        (draw(3, 2, 8, dtype=torch.float64), 4),
        (draw.apart(2, 4, 15), 5),
        (draw(3, 4, 5), 1),
        (draw(4, 20, 30), 6),
    ]


def _merge_cases(draw: Draw) -> list[Arguments]:
    apart = [(draw.apart(2, 4, 3, 5),)]
    return [(_split(x, n_heads).contiguous(),) for x, n_heads in _split_cases(draw)] + apart


def _multi_cases(draw: Draw) -> list[Arguments]:
    def sizes(batch: int, n_query: int, n_key: int, d_model: int, d_out: int, n_heads: int, **how: Any) -> Arguments:
        shapes = [(batch, n_query, d_model), (batch, n_key, d_model), (batch, n_key, d_model)]
        return (
            *(draw(*shape, **how) for shape in shapes),
            draw(d_model, d_out, dtype=how.get("dtype", torch.float32)),
            n_heads,
        )

    return [
        sizes(1, 3, 3, 4, 4, 2),
        sizes(1, 3, 3, 4, 4, 2),
        sizes(1, 1, 1, 1, 1, 1),
        sizes(2, 1, 1, 6, 5, 3),
        sizes(1, 2, 3, 4, 5, 2),
        sizes(2, 4, 5, 12, 7, 3),
        sizes(2, 4, 4, 6, 6, 3),
        sizes(3, 2, 5, 8, 7, 4, dtype=torch.float64),
        (draw.apart(2, 4, 15), draw.apart(2, 3, 15), draw.apart(2, 3, 15), draw.apart(15, 4), 5),
        sizes(4, 12, 10, 30, 20, 6),
    ]


def _adds(heads: torch.Tensor, w_output: torch.Tensor, head: int) -> torch.Tensor:
    rows = w_output.unflatten(0, (heads.shape[1], -1))  # (n_heads, d_head, d_out)
    return heads[:, head] @ rows[head]


def _adds_cases(draw: Draw) -> list[Arguments]:
    return [
        (draw.whole(1, 2, 3, 2, below=5).float(), draw.whole(4, 3, below=5).float(), 1),
        (draw(1, 2, 3, 2), draw(4, 3), 1),
        (draw(1, 1, 1, 1), draw(1, 1), 0),
        (draw(2, 3, 4, 5), draw(15, 7), 1),
        (draw(2, 3, 5, 3), draw(9, 3), 2),
        (draw(1, 4, 2, 3), draw(12, 5), 0),
        (draw(3, 5, 2, 4, dtype=torch.float64), draw(20, 6, dtype=torch.float64), 3),
        (draw.apart(2, 3, 4, 2), draw.apart(6, 5), 1),
        (draw(4, 6, 12, 5), draw(30, 20), 4),
    ]


EXERCISES = [
    Exercise(
        name="split_heads",
        lesson=8,
        statement="Cut each token's vector into heads: first cut, then move the heads in front of the tokens.",
        reference=_split,
        cases=_split_cases,
        verified="Each head has all tokens, and its own part of each token's vector.",
        mistakes=[
            Mistake(
                "view-straight-to-heads",
                _view_split,
                "The shape is right, but the tokens are mixed up: one `view` fills the heads with whatever "
                "numbers come next. First cut each token's vector, then move the axis.",
            ),
            Mistake(
                "not-transposed",
                lambda x, n_heads: _split(x, n_heads).transpose(1, 2),
                "You cut the vectors, but the heads still come after the tokens. Which two axes have to be exchanged?",
            ),
            Mistake(
                "every-nth-number",
                lambda x, n_heads: x.reshape(*x.shape[:2], -1, n_heads).permute(0, 3, 1, 2),
                "Head 0 has every so-many-th number of a vector. A head's part is in one piece: its numbers stand "
                "side by side.",
            ),
            Mistake(
                "heads-first",
                lambda x, n_heads: _split(x, n_heads).transpose(0, 1),
                "The heads stand before the batch. The order is (batch, n_heads, n, d_head).",
            ),
            Mistake(
                "heads-in-the-batch",
                lambda x, n_heads: _split(x, n_heads).flatten(0, 1),
                "You have joined batch and heads into one axis. Keep both.",
            ),
            Mistake(
                "last-axes-exchanged",
                lambda x, n_heads: _split(x, n_heads).transpose(2, 3),
                "The last two axes are exchanged. Each head holds tokens as rows: (n, d_head).",
            ),
            Mistake(
                "heads-reversed",
                lambda x, n_heads: _split(x, n_heads).flip(1),
                "Your heads come in the opposite order. Head 0 has the first numbers of each vector.",
            ),
            Mistake(
                "sizes-exchanged",
                lambda x, n_heads: x.reshape(*x.shape[:2], -1, n_heads).transpose(1, 2),
                "You cut into `d_head` parts of `n_heads` numbers. It is the other way round.",
            ),
        ],
        hints=[
            "How many numbers has each head? (`d_model` is shared out among `n_heads`.)",
            "First cut only the last axis, with `unflatten`: (batch, n, n_heads, d_head).",
            "Then `transpose` exchanges the axes of tokens and heads. With a batch in front, which numbers have they?",
        ],
    ),
    Exercise(
        name="merge_heads",
        lesson=8,
        statement="Put the heads of each token side by side again.",
        reference=_merge,
        cases=_merge_cases,
        verified="Each token has the parts of all heads again, head 0 first: what `split_heads` has cut is whole.",
        mistakes=[
            Mistake(
                "view-without-transpose",
                _view_merge,
                "The shape is right, but the tokens are mixed up: the heads still stand before the tokens when "
                "you change the shape. Which axes have to be exchanged first?",
            ),
            Mistake(
                "wrong-order",
                lambda heads: heads.permute(0, 2, 3, 1).flatten(2),
                "The heads are concatenated in the wrong order: first number of each head, second number of each "
                "head, and so on. Each head's part stays in one piece.",
            ),
            Mistake(
                "heads-reversed",
                lambda heads: _merge(heads.flip(1)),
                "The heads are concatenated in the wrong order: the last one comes first.",
            ),
            Mistake(
                "along-the-tokens",
                lambda heads: heads.flatten(1, 2),
                "You put the heads below each other, which makes more tokens. They stand side by side in each "
                "token's vector.",
            ),
            Mistake(
                "summed",
                lambda heads: heads.sum(1),
                "You add the heads up. They are put side by side, so that none is lost.",
            ),
            Mistake(
                "averaged",
                lambda heads: heads.mean(1),
                "You average the heads. They are put side by side, so that none is lost.",
            ),
            Mistake(
                "not-merged",
                lambda heads: heads.transpose(1, 2),
                "The axes stand right now, but heads and numbers are still two axes. Join them into one.",
            ),
            Mistake(
                "view-refused",
                lambda heads: heads.transpose(1, 2).view(heads.shape[0], heads.shape[2], -1),
                "Your two steps are right, but `view` cannot do the second: after a transpose the numbers of a "
                "token no longer lie side by side in memory. `flatten(-2)` copies them where it has to.",
            ),
            Mistake("first-head-only", lambda heads: heads[:, 0], "You keep head 0 only. Where are the others?"),
        ],
        hints=[
            "It is `split_heads` backwards: its two steps, each undone, the last one first.",
            "Exchange the axes of heads and tokens, then join the last two axes into one.",
            "`transpose(1, 2)` puts the tokens in front of the heads again; `flatten(-2)` joins the last two axes.",
        ],
    ),
    Exercise(
        name="multi_head",
        lesson=8,
        statement="Multi-head attention on projected inputs: split, attend in each head, merge, project.",
        reference=lambda query, key, value, w_output, n_heads: _merge(_heads(query, key, value, n_heads)) @ w_output,
        cases=_multi_cases,
        verified="Every head attends by itself, all are put side by side, and the output projection mixes them.",
        mistakes=[
            Mistake(
                "no-output-projection",
                lambda query, key, value, w_output, n_heads: _merge(_heads(query, key, value, n_heads)),
                "The output projection is forgotten. Without it no head ever hears of another.",
            ),
            Mistake(
                "output-projection-transposed",
                lambda query, key, value, w_output, n_heads: _merge(_heads(query, key, value, n_heads)) @ w_output.T,
                "You turn `w_output` around. It is stored as (d_model, d_out) here, not as in `nn.Linear`.",
            ),
            Mistake(
                "root-of-d-model",
                lambda query, key, value, w_output, n_heads: (
                    _merge(_heads(query, key, value, n_heads, scale=key.shape[-1] ** 0.5)) @ w_output
                ),
                "You divide by the root of `d_model`. Each head compares shorter vectors: how long are they?",
            ),
            Mistake(
                "no-scaling",
                lambda query, key, value, w_output, n_heads: (
                    _merge(_heads(query, key, value, n_heads, scale=1)) @ w_output
                ),
                "The scores are not scaled.",
            ),
            Mistake(
                "root-of-n-heads",
                lambda query, key, value, w_output, n_heads: (
                    _merge(_heads(query, key, value, n_heads, scale=n_heads**0.5)) @ w_output
                ),
                "You divide by the root of the number of heads. What counts is how many numbers a head's key has.",
            ),
            Mistake(
                "divided-by-d-head",
                lambda query, key, value, w_output, n_heads: (
                    _merge(_heads(query, key, value, n_heads, scale=key.shape[-1] // n_heads)) @ w_output
                ),
                "You divide by `d_head` itself. The spread of the scores grows more slowly than that.",
            ),
            Mistake(
                "view-straight-to-heads",
                lambda query, key, value, w_output, n_heads: (
                    _merge(_attend(*(_view_split(x, n_heads) for x in (query, key, value)))) @ w_output
                ),
                "You view straight to heads, which mixes the tokens up. First cut each vector, then move the axis.",
            ),
            Mistake(
                "view-without-transpose",
                lambda query, key, value, w_output, n_heads: _view_merge(_heads(query, key, value, n_heads)) @ w_output,
                "You merge the heads without exchanging the axes back, which mixes the tokens up.",
            ),
            Mistake(
                "views-both-ways",
                lambda query, key, value, w_output, n_heads: (
                    _view_merge(_attend(*(_view_split(x, n_heads) for x in (query, key, value)))) @ w_output
                ),
                "You view straight to heads and straight back. The shapes agree, but each head then sees pieces "
                "of several tokens: a transpose is missing on both ways.",
            ),
            Mistake(
                "one-head",
                lambda query, key, value, w_output, n_heads: _attend(query, key, value) @ w_output,
                "You attend with one wide head. The vectors have to be split first.",
            ),
            Mistake(
                "wrong-axis",
                lambda query, key, value, w_output, n_heads: (
                    _merge(_heads(query, key, value, n_heads, axis=-2)) @ w_output
                ),
                "Softmax runs over the queries. Each query's own weights must sum to 1.",
            ),
            Mistake(
                "heads-wrong-order",
                lambda query, key, value, w_output, n_heads: (
                    _heads(query, key, value, n_heads).permute(0, 2, 3, 1).flatten(2) @ w_output
                ),
                "The heads are concatenated in the wrong order: each head's part must stay in one piece.",
            ),
            Mistake(
                "not-transposed",
                lambda query, key, value, w_output, n_heads: (
                    _attend(*(_split(x, n_heads).transpose(1, 2) for x in (query, key, value))).flatten(2) @ w_output
                ),
                "You cut the vectors, but the heads still come after the tokens, so the heads of one token "
                "attend to each other. Which two axes have to be exchanged?",
            ),
        ],
        hints=[
            "Four steps: split all three, attend, merge, project. The first and third are the exercises before.",
            "`@` and softmax work on the last axes, so all heads are done at once. Which size is `d_k` within a head?",
            "At the end: (batch, n_query, d_model) @ (d_model, d_out).",
        ],
    ),
    Exercise(
        name="what_a_head_adds",
        lesson=8,
        statement="What is missing from the result of multi-head attention when one head is silenced.",
        reference=_adds,
        cases=_adds_cases,
        verified="A head meets its own rows of w_output, and what all heads add makes the result.",
        mistakes=[
            Mistake(
                "what-is-left",
                lambda heads, w_output, head: _merge(heads) @ w_output - _adds(heads, w_output, head),
                "That is the result without this head. What is asked for is what went missing.",
            ),
            Mistake(
                "nothing-silenced",
                lambda heads, w_output, head: _merge(heads) @ w_output,
                "That is the result of all heads. What does this one add to it?",
            ),
            Mistake(
                "rows-of-head-0",
                lambda heads, w_output, head: heads[:, head] @ w_output[: heads.shape[-1]],
                "You always use the first rows of `w_output`. At which row do those of head 1 begin?",
            ),
            Mistake(
                "rows-scattered",
                lambda heads, w_output, head: heads[:, head] @ w_output[head :: heads.shape[1]],
                "You take every so many rows of `w_output`. The numbers of a head stand side by side, so its rows lie "
                "one below the other.",
            ),
            Mistake(
                "rows-from-the-end",
                lambda heads, w_output, head: (
                    heads[:, head] @ w_output.unflatten(0, (heads.shape[1], -1))[heads.shape[1] - 1 - head]
                ),
                "You count the heads of `w_output` from its end. Head 0 comes first.",
            ),
            Mistake(
                "another-head",
                lambda heads, w_output, head: _adds(heads, w_output, (head + 1) % heads.shape[1]),
                "You silence the next head. Heads are counted from 0.",
            ),
            Mistake(
                "no-projection",
                lambda heads, w_output, head: heads[:, head].clone(),
                "You return what the head found, before the output projection. What becomes of it in the result?",
            ),
            Mistake(
                "projected-by-all",
                lambda heads, w_output, head: heads[:, head] @ w_output.unflatten(0, (heads.shape[1], -1)).sum(0),
                "You let the head meet the rows of all heads. Which rows of `w_output` do its numbers meet?",
            ),
            Mistake(
                "sign",
                lambda heads, w_output, head: -_adds(heads, w_output, head),
                "The sign is wrong: you subtract the whole result from the rest. What did the head add?",
            ),
        ],
        hints=[
            "Calculate the result twice, with the head and with zeros in its place. What is the difference?",
            "Side by side, the numbers of head 1 stand behind those of head 0. Which rows of `w_output` do they meet?",
            "With `d_head` rows a head, those of `head` begin at `head * d_head`.",
        ],
    ),
]
