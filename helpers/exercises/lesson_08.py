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


def _mended(wrong: torch.Tensor) -> torch.Tensor:
    batch, n_heads, n, d_head = wrong.shape
    return wrong.reshape(batch, n, n_heads, d_head).transpose(1, 2)


def _wrong_splits(draw: Draw) -> list[Arguments]:
    views = [(_view_split(x.contiguous(), n_heads),) for x, n_heads in _split_cases(draw)]
    return [*views, (draw.apart(2, 4, 3, 5),)]


def _reordered(w_output: torch.Tensor, order: list[int]) -> torch.Tensor:
    blocks = w_output.unflatten(0, (len(order), -1))  # (n_heads, d_head, d_out)
    return blocks[order].flatten(0, 1)


def _order_cases(draw: Draw) -> list[Arguments]:
    return [
        (draw.whole(6, 2, below=9).float(), [2, 0, 1]),
        (draw(6, 2), [1, 2, 0]),
        (draw(1, 1), [0]),
        (draw(8, 3), [1, 0]),
        (draw(12, 5), [3, 0, 2, 1]),
        (draw(15, 4, dtype=torch.float64), [2, 4, 1, 0, 3]),
        (draw.apart(9, 7), [1, 2, 0]),
        (draw(30, 20), [5, 0, 3, 1, 2, 4]),
    ]


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
        sizes(2, 3, 4, 6, 5, 3, scale=20),
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
        name="mend_split",
        lesson=8,
        statement="A split was made by one view: give the split that it should have been.",
        reference=_mended,
        cases=_wrong_splits,
        verified="Each head has all tokens, and its own part of each token's vector.",
        mistakes=[
            Mistake(
                "unchanged",
                lambda wrong: wrong.clone(),
                "That is what came in: head 0 still holds the first numbers that lie in memory, of the first tokens "
                "alone.",
            ),
            Mistake(
                "only-transposed",
                lambda wrong: wrong.transpose(1, 2),
                "You exchange two axes, but the wrong cuts stay. What did `view` do to `x`, and what undoes it?",
            ),
            Mistake(
                "transposed-and-viewed",
                lambda wrong: wrong.transpose(1, 2).reshape(wrong.shape),
                "You exchange the axes before the numbers stand where they stood in `x`. First undo the `view`.",
            ),
            Mistake(
                "x-itself",
                lambda wrong: wrong.reshape(wrong.shape[0], wrong.shape[2], -1),
                "You have found `x`, token by token. Now split it as it should have been.",
            ),
            Mistake(
                "not-transposed",
                lambda wrong: _mended(wrong).transpose(1, 2),
                "You cut the vectors rightly, but the heads still come after the tokens. Which two axes have to be "
                "exchanged?",
            ),
            Mistake(
                "every-nth-number",
                lambda wrong: wrong.reshape(wrong.shape[0], wrong.shape[2], -1, wrong.shape[1]).permute(0, 3, 1, 2),
                "Head 0 has every so-many-th number of a vector. A head's part is in one piece: its numbers stand "
                "side by side.",
            ),
            Mistake(
                "last-axes-exchanged",
                lambda wrong: _mended(wrong).transpose(2, 3),
                "The last two axes are exchanged. Each head holds tokens as rows: (n, d_head).",
            ),
            Mistake(
                "heads-reversed",
                lambda wrong: _mended(wrong).flip(1),
                "Your heads come in the opposite order. Head 0 has the first numbers of each vector.",
            ),
            Mistake(
                "view-refused",
                lambda wrong: wrong.transpose(1, 2).view(wrong.shape[0], wrong.shape[2], -1),
                "`view` cannot join axes that have been exchanged, and they need not be exchanged yet. The numbers of "
                "`wrong` still lie in memory as those of `x` did.",
            ),
            Mistake(
                "other-cut",
                lambda wrong: wrong.reshape(wrong.shape[0], wrong.shape[1], wrong.shape[3], wrong.shape[2]).mT,
                "You cut the numbers another way, but still across the tokens. First bring them back to (batch, "
                "n, d_model).",
            ),
        ],
        hints=[
            "A `view` moves no number. Read in order, `wrong` has the same numbers as `x`, so which shape gives `x`?",
            "`wrong.reshape(batch, n, -1)` is `x`. Then the split of step 3, with a batch in front.",
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
            Mistake(
                "every-nth-number",
                lambda query, key, value, w_output, n_heads: (
                    _attend(*(x.unflatten(-1, (-1, n_heads)).permute(0, 3, 1, 2) for x in (query, key, value)))
                    .transpose(1, 2)
                    .flatten(2)
                    @ w_output
                ),
                "A head gets every n_heads-th number of a vector. Its part should be in one piece: which size "
                "comes first when the axis is cut?",
            ),
            Mistake(
                "heads-averaged",
                lambda query, key, value, w_output, n_heads: (
                    _heads(query, key, value, n_heads).mean(1) @ w_output[: query.shape[-1] // n_heads]
                ),
                "You take the mean of the heads. They are laid side by side, so that each keeps what it found.",
            ),
            Mistake(
                "heads-added",
                lambda query, key, value, w_output, n_heads: (
                    _heads(query, key, value, n_heads).sum(1) @ w_output[: query.shape[-1] // n_heads]
                ),
                "You add the heads up. They are laid side by side, so that each keeps what it found.",
            ),
            Mistake(
                "no-softmax",
                lambda query, key, value, w_output, n_heads: (
                    _merge(
                        (q := _split(query, n_heads))
                        @ _split(key, n_heads).mT
                        / q.shape[-1] ** 0.5
                        @ _split(value, n_heads)
                    )
                    @ w_output
                ),
                "You weight the values with scores. How do scores become weights?",
            ),
            Mistake(
                "softmax-over-heads",
                lambda query, key, value, w_output, n_heads: (
                    _merge(
                        ((q := _split(query, n_heads)) @ _split(key, n_heads).mT / q.shape[-1] ** 0.5).softmax(1)
                        @ _split(value, n_heads)
                    )
                    @ w_output
                ),
                "Softmax runs over the heads, so that they share weights with each other. In each head the "
                "weights of a query run over the keys.",
            ),
            Mistake(
                "weights-of-head-0",
                lambda query, key, value, w_output, n_heads: (
                    _merge(
                        (
                            (q := _split(query, n_heads)[:, :1]) @ _split(key, n_heads)[:, :1].mT / q.shape[-1] ** 0.5
                        ).softmax(-1)
                        @ _split(value, n_heads)
                    )
                    @ w_output
                ),
                "All heads use the weights of head 0. Each head makes its own, with its own part of query and key.",
            ),
            Mistake(
                "bare-exp",
                lambda query, key, value, w_output, n_heads: (
                    _merge(
                        (e := ((q := _split(query, n_heads)) @ _split(key, n_heads).mT / q.shape[-1] ** 0.5).exp())
                        / e.sum(-1, keepdim=True)
                        @ _split(value, n_heads)
                    )
                    @ w_output
                ),
                "Right for small scores, but large ones overflow in `exp`. What did lesson 5 subtract from each "
                "row first?",
            ),
            Mistake(
                "values-not-split",
                lambda query, key, value, w_output, n_heads: (
                    (_split(query, n_heads) @ _split(key, n_heads).mT / (query.shape[-1] // n_heads) ** 0.5)
                    .softmax(-1)
                    .mean(1)
                    @ value
                    @ w_output
                ),
                "You take the mean of the weights of all heads, so that there is only one in the end. Each head "
                "keeps its weights, and has its own part of the values.",
            ),
        ],
        hints=[
            "Four steps: split all three, attend, merge, project. Step 4 has the first and the third, without a batch.",
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
            Mistake(
                "from-row-head-on",
                lambda heads, w_output, head: heads[:, head] @ w_output[head : head + heads.shape[-1]],
                "You take the right number of rows, beginning at row `head`. Each head before it has d_head of "
                "them: where do its own begin?",
            ),
            Mistake(
                "merged-without-transpose",
                lambda heads, w_output, head: (
                    _view_merge(heads * (torch.arange(heads.shape[1]) == head)[:, None, None]) @ w_output
                ),
                "You merge the heads without exchanging the axes back, which mixes the tokens up.",
            ),
            Mistake(
                "up-to-this-one",
                lambda heads, w_output, head: (
                    _merge(heads)[..., : (head + 1) * heads.shape[-1]] @ w_output[: (head + 1) * heads.shape[-1]]
                ),
                "That is what this head and all before it add. What does this one add alone?",
            ),
            Mistake(
                "last-rows",
                lambda heads, w_output, head: heads[:, head] @ w_output[-heads.shape[-1] :],
                "You always use the last rows of `w_output`. They belong to the last head: where do those of this "
                "one begin?",
            ),
        ],
        hints=[
            "Calculate the result twice, with the head and with zeros in its place. What is the difference?",
            "Side by side, the numbers of head 1 stand behind those of head 0. Which rows of `w_output` do they meet?",
            "With `d_head` rows a head, those of `head` begin at `head * d_head`.",
        ],
    ),
    Exercise(
        name="follow_the_heads",
        lesson=8,
        statement="The heads stand in another order: give the w_output with which the result stays.",
        reference=_reordered,
        cases=_order_cases,
        verified="Each head meets its own rows again, so the order of the heads means nothing.",
        mistakes=[
            Mistake(
                "unchanged",
                lambda w_output, order: w_output.clone(),
                "With the old matrix each head meets rows that belonged to another.",
            ),
            Mistake(
                "the-way-back",
                lambda w_output, order: _reordered(w_output, torch.tensor(order).argsort().tolist()),
                "You move the rows the other way: `order[i]` is the *old* number of the head that is now head i.",
            ),
            Mistake(
                "columns",
                lambda w_output, order: _reordered(w_output.T, order).T,
                "You exchange columns. A head meets *rows* of `w_output`; columns belong to the result.",
            ),
            Mistake(
                "single-rows",
                lambda w_output, order: torch.cat([w_output[order], w_output[len(order) :]]),
                "You move single rows. Each head has a block of `d_head` rows, which stays in one piece.",
            ),
            Mistake(
                "scattered",
                lambda w_output, order: w_output.unflatten(0, (-1, len(order)))[:, order].flatten(0, 1),
                "You move every so-many-th row. The rows of a head lie one below the other.",
            ),
            Mistake(
                "rows-within-a-head",
                lambda w_output, order: w_output.unflatten(0, (len(order), -1))[order].flip(1).flatten(0, 1),
                "The blocks are in the right order, but the rows within each have been turned upside down.",
            ),
            Mistake(
                "blocks-kept-apart",
                lambda w_output, order: w_output.unflatten(0, (len(order), -1))[order],
                "The blocks are in the right order. Join the axes of heads and rows into one.",
            ),
            Mistake(
                "single-rows-alone",
                lambda w_output, order: w_output[order],
                "You put single rows in order. Each head has several rows, which stay together.",
            ),
            Mistake(
                "as-many-rows-as-heads",
                lambda w_output, order: torch.cat([w_output[i * len(order) : (i + 1) * len(order)] for i in order]),
                "You cut pieces as long as there are heads. How many rows has each head?",
            ),
            Mistake(
                "one-row-each",
                lambda w_output, order: w_output[[i * (len(w_output) // len(order)) for i in order]],
                "You take the first row of each head. Where are its others?",
            ),
            Mistake(
                "twice",
                lambda w_output, order: _reordered(_reordered(w_output, order), order),
                "You put the heads in order twice.",
            ),
            Mistake(
                "turned-around",
                lambda w_output, order: w_output.unflatten(0, (len(order), -1)).flip(0).flatten(0, 1),
                "You turn the heads around, whatever `order` says.",
            ),
        ],
        hints=[
            "Which rows of `w_output` did the head meet that is now head 0?",
            "Cut the rows into one block for each head: `unflatten(0, (n_heads, -1))`.",
            "A tensor takes a list as an index: `blocks[order]`. Then join the first two axes with `flatten`.",
        ],
    ),
]
