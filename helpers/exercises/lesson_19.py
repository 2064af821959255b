"""Lesson 19, what its heads do: induction in any text, a window with a place to rest, putting a head out."""

import torch
from torch import Tensor

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

# --- induction in any text ---


def _induction_cases(draw: Draw) -> list[Arguments]:
    def case(n_heads: int, ids: list[int], dtype: torch.dtype = torch.float32) -> Arguments:
        allowed = torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
        scores = draw(n_heads, len(ids), len(ids), dtype=dtype).masked_fill(~allowed, -torch.inf)
        return scores.softmax(-1), torch.tensor(ids)

    thirty = [(7 * place) % 11 for place in range(30)]
    weights, ids = case(8, [2, 6, 2, 6, 2, 6, 1])
    return [
        case(2, [5, 8, 3, 5]),
        case(2, [4, 7, 4, 9]),
        case(1, [7]),
        case(3, [4, 2, 8, 5]),  # nothing stands there twice
        case(1, [3, 9, 3]),
        case(3, [1, 2, 3, 1, 2, 3]),
        case(4, [6, 1, 6, 2, 6]),
        case(2, [0, 5, 5, 0, 9, 7, 5], torch.float64),
        (weights.repeat_interleave(2, 0)[::2], ids),
        case(5, [0, 0, 0, 0]),
        case(9, thirty),
        case(2, [*range(20), *range(40, 70), 3, 5, 3, *range(20, 60)]),
    ]


def _earlier(ids: Tensor) -> list[tuple[int, list[int]]]:
    """Each place whose token stood there before, and where."""
    all_places = [(i, [j for j in range(i) if ids[j] == ids[i]]) for i in range(len(ids))]
    return [(i, before) for i, before in all_places if before]


def _score(weights: Tensor, ids: Tensor, shift: int = 1, which: int = -1) -> Tensor:
    found = [weights[:, i, max(before[which] + shift, 0)] for i, before in _earlier(ids)]
    return torch.stack(found, -1).mean(-1) if found else weights.new_zeros(len(weights))


def _induction(weights: Tensor, ids: Tensor) -> Tensor:
    return _score(weights, ids)


def _mean_of_cells(weights: Tensor, cells: list[tuple[int, int]]) -> Tensor:
    """The mean of some cells, (row, column) each, and 0 where there are none: (n_heads,)."""
    found = [weights[:, row, column] for row, column in cells]
    return torch.stack(found, -1).mean(-1) if found else weights.new_zeros(len(weights))


def _mean_of_all_copies(weights: Tensor, ids: Tensor) -> Tensor:
    return _mean_of_cells(weights, [(i, j + 1) for i, before in _earlier(ids) for j in before])


def _next_row(weights: Tensor, ids: Tensor) -> Tensor:
    return _mean_of_cells(weights, [(i + 1, before[-1] + 1) for i, before in _earlier(ids) if i + 1 < len(ids)])


def _each_token_once(weights: Tensor, ids: Tensor) -> Tensor:
    of_tokens: dict[int, list[Tensor]] = {}
    for i, before in _earlier(ids):
        of_tokens.setdefault(int(ids[i]), []).append(weights[:, i, before[-1] + 1])
    means = [torch.stack(found).mean(0) for found in of_tokens.values()]
    return torch.stack(means).mean(0) if means else weights.new_zeros(len(weights))


def _any_copy(weights: Tensor, ids: Tensor) -> Tensor:
    found = [weights[:, i, [j + 1 for j in before]].sum(-1) for i, before in _earlier(ids)]
    return torch.stack(found, -1).mean(-1) if found else weights.new_zeros(len(weights))


# --- a window with a place to rest ---


def _mask_cases(draw: Draw) -> list[Arguments]:
    del draw  # nothing here is random
    return [
        (6, 6, 2, 1),
        (6, 6, 3, 1),
        (1, 1, 1, 1),
        (1, 7, 3, 2),
        (3, 9, 2, 4),
        (5, 5, 2, 0),
        (4, 6, 1, 3),
        (8, 8, 20, 2),
        (7, 7, 2, 5),
        (20, 50, 8, 4),
    ]


def _sink(
    n_query: int,
    n_key: int,
    width: int,
    n_sink: int,
    *,
    offset: bool = True,
    later: bool = False,
    future_sink: bool = False,
) -> Tensor:
    queries = torch.arange(n_query)[:, None] + (n_key - n_query if offset else 0)
    keys = torch.arange(n_key)
    past, near, first = keys <= queries, keys > queries - width, keys < n_sink
    if later:
        return near | first
    return (past & near) | first if future_sink else past & (near | first)


def _sink_mask(n_query: int, n_key: int, width: int, n_sink: int) -> Tensor:
    return _sink(n_query, n_key, width, n_sink)


def _places(n_query: int, n_key: int) -> Tensor:
    """Where the queries stand, (n_query, 1)."""
    return torch.arange(n_key - n_query, n_key)[:, None]


def _counted_from_the_end(n_query: int, n_key: int, width: int, n_sink: int) -> Tensor:
    mask = torch.zeros(n_query, n_key, dtype=torch.bool)
    for row, place in enumerate(range(n_key - n_query, n_key)):
        mask[row, place - width + 1 : place + 1] = True
        mask[row, : min(n_sink, place + 1)] = True
    return mask


def _keys_moved(n_query: int, n_key: int, width: int, n_sink: int) -> Tensor:
    queries, keys = torch.arange(n_query)[:, None], torch.arange(n_key) - n_query
    return (keys <= queries) & ((queries - keys < width) | (keys < n_sink))


# --- putting a head out ---


def _ablation_cases(draw: Draw) -> list[Arguments]:
    def case(batch: int, heads: int, n: int, d: int, head: int, dtype: torch.dtype = torch.float32) -> Arguments:
        lengths = (torch.arange(batch) * 2 + 1) % n + 1
        real = torch.arange(n) < lengths[:, None]
        return draw(batch, heads, n, d, dtype=dtype), head, real

    _, _, real = case(3, 4, 6, 5, 0)
    return [
        case(2, 3, 4, 5, 1),
        case(2, 3, 4, 5, 1),
        (draw(1, 1, 1, 1), 0, torch.ones(1, 1, dtype=torch.bool)),
        (draw(2, 4, 3, 2), 3, torch.ones(2, 3, dtype=torch.bool)),
        case(4, 2, 7, 3, 0),
        case(3, 5, 6, 4, 4, torch.float64),
        (draw.apart(3, 4, 6, 5), 2, real),
        case(5, 9, 20, 8, 6),
    ]


def _replaced(outputs: Tensor, head: int, new: Tensor) -> Tensor:
    outputs = outputs.clone()
    outputs[:, head] = new
    return outputs


def _put_out(outputs: Tensor, head: int, real: Tensor) -> Tensor:
    return _replaced(outputs, head, outputs[:, head][real].mean(0))


def _mean_of_each_text(outputs: Tensor, head: int, real: Tensor) -> Tensor:
    count = real.sum(-1)[:, None, None]
    return _replaced(outputs, head, (outputs[:, head] * real[..., None]).sum(1, keepdim=True) / count)


def _mean_of_each_place(outputs: Tensor, head: int, real: Tensor) -> Tensor:
    count = real.sum(0)[:, None].clamp(min=1)
    return _replaced(outputs, head, (outputs[:, head] * real[..., None]).sum(0) / count)


def _mean_of_all_heads(outputs: Tensor, head: int, real: Tensor) -> Tensor:
    return _replaced(outputs, head, outputs.mean(1)[real].mean(0))


def _one_number(outputs: Tensor, head: int, real: Tensor) -> Tensor:
    return _replaced(outputs, head, outputs[:, head][real].mean())


def _only_real(outputs: Tensor, head: int, real: Tensor) -> Tensor:
    return torch.where(real[:, None, :, None], _put_out(outputs, head, real), outputs)


EXERCISES = [
    Exercise(
        name="induction_score",
        lesson=19,
        statement="How much weight each head puts on the token after the latest earlier copy, in any text.",
        reference=_induction,
        cases=_induction_cases,
        verified="It reads one cell in each row whose token has stood there before, takes the mean of those rows "
        "alone, and gives 0 where there are none.",
        gradient=False,
        mistakes=[
            Mistake(
                "the-copy-itself",
                lambda weights, ids: _score(weights, ids, shift=0),
                "You read the weight on the earlier copy itself. Induction looks one place further, at what came "
                "after it.",
            ),
            Mistake(
                "before-the-copy",
                lambda weights, ids: _score(weights, ids, shift=-1),
                "You read the weight on the token before the earlier copy. What would follow again stands after it.",
            ),
            Mistake(
                "first-copy",
                lambda weights, ids: _score(weights, ids, which=0),
                "Where a token stood there several times you take its first copy. Take the latest one before the "
                "query.",
            ),
            Mistake("any-copy", _any_copy, "You add the weights after all earlier copies. Only the latest one counts."),
            Mistake(
                "all-rows",
                lambda weights, ids: _induction(weights, ids) * len(_earlier(ids)) / len(ids),
                "You divide by the number of all tokens. A token that stands there for the first time has nothing to "
                "be found, so its row does not count.",
            ),
            Mistake(
                "sum",
                lambda weights, ids: _induction(weights, ids) * len(_earlier(ids)),
                "You add up the weights. Take their mean, so that texts of different length can be compared.",
            ),
            Mistake(
                "transposed",
                lambda weights, ids: _induction(weights.mT, ids),
                "Rows and columns are swapped: the rows are queries, and the query is the later token.",
            ),
            Mistake(
                "mean-of-all-copies",
                _mean_of_all_copies,
                "You count each pair of equal tokens. Only one cell of each row counts: after the latest earlier copy.",
            ),
            Mistake(
                "next-row",
                _next_row,
                "You read the row below. The query is the token that stands there again, not the one after it.",
            ),
            Mistake(
                "before-the-copy-or-last",
                lambda weights, ids: _mean_of_cells(weights, [(i, before[-1] - 1) for i, before in _earlier(ids)]),
                "You read the weight on the token before the earlier copy, or on the last one where there is none "
                "before it. What would follow again stands after it.",
            ),
            Mistake(
                "half-a-text-back",
                lambda weights, ids: weights.diagonal(1 - len(ids) // 2, dim1=-2, dim2=-1).mean(-1),
                "You read half a text back, as if each text were a text twice. Look where the token stood.",
            ),
            Mistake(
                "50-back",
                lambda weights, ids: weights.diagonal(-49, dim1=-2, dim2=-1).mean(-1),
                "You read 49 places back, as in the lesson. Here the copy may stand anywhere.",
            ),
            Mistake(
                "largest",
                lambda weights, ids: (
                    torch.stack([weights[:, i, before[-1] + 1] for i, before in _earlier(ids)]).amax(0)
                    if _earlier(ids)
                    else weights.new_zeros(len(weights))
                ),
                "You take the largest of the weights in place of their mean.",
            ),
            Mistake(
                "never-found",
                lambda weights, ids: weights.new_zeros(len(weights)),
                "Your score is 0 for every text. Either no copy is found, because no two tensors are ever equal as "
                "keys of a dictionary, or you read cells after the query, where there is no weight.",
            ),
            Mistake(
                "divided-by-different-tokens",
                lambda weights, ids: _induction(weights, ids) * len(_earlier(ids)) / len(ids.unique()),
                "You divide by the number of different tokens. Divide by the number of rows that count.",
            ),
            Mistake(
                "first-row-only",
                lambda weights, ids: _mean_of_cells(weights, [(i, before[-1] + 1) for i, before in _earlier(ids)[:1]]),
                "You stop at the first token that stands there again. Does your function return inside the loop?",
            ),
            Mistake(
                "last-row-over-all",
                lambda weights, ids: (
                    weights[:, _earlier(ids)[-1][0], _earlier(ids)[-1][1][-1] + 1] / len(_earlier(ids))
                    if _earlier(ids)
                    else weights.new_zeros(len(weights))
                ),
                "Only the last of the weights is in your sum. Is it `=` there in place of `+=`?",
            ),
            Mistake(
                "neighbours-left-out",
                lambda weights, ids: _mean_of_cells(
                    weights, [(i, before[-1] + 1) for i, before in _earlier(ids) if before[-1] + 1 < i]
                ),
                "You leave out tokens that stand there twice in a row. There the token after the copy is the query "
                "itself, and counts.",
            ),
            Mistake(
                "each-token-once",
                _each_token_once,
                "You take a mean for each token first. Each row counts alike, also when a token comes often.",
            ),
            Mistake(
                "one-number",
                lambda weights, ids: _induction(weights, ids).mean(),
                "You take the mean over the heads as well. Each head has a score of its own.",
            ),
            Mistake(
                "nan-without-copies",
                lambda weights, ids: (
                    _induction(weights, ids) if _earlier(ids) else torch.full((len(weights),), torch.nan).to(weights)
                ),
                "Right, but where no token stands there twice you take the mean of nothing, which is nan. Return 0 "
                "there.",
            ),
            Mistake(
                "nothing-to-stack",
                lambda weights, ids: torch.stack([weights[:, i, before[-1] + 1] for i, before in _earlier(ids)]).mean(
                    0
                ),
                "Right, but where no token stands there twice there is nothing to stack, and your function stops. "
                "Return 0 there.",
            ),
            Mistake(
                "copies-side-by-side",
                lambda weights, ids: _mean_of_cells(
                    weights, [(i, before[-1] + 1) for i, before in _earlier(ids) if before[-1] + 1 == i]
                ),
                "You look at the token right before the query only. The latest earlier copy may stand further back.",
            ),
            Mistake(
                "two-places-further",
                lambda weights, ids: _mean_of_cells(
                    weights, [(i, before[-1] + 2) for i, before in _earlier(ids) if before[-1] + 2 <= i]
                ),
                "You read two places after the earlier copy. What came right after it stands one place further.",
            ),
            Mistake(
                "row-of-the-copy",
                lambda weights, ids: _mean_of_cells(weights, [(before[-1], before[-1]) for i, before in _earlier(ids)]),
                "You read the row of the earlier copy. The query is the token that stands there again, later.",
            ),
        ],
        hints=[
            "Go through the places i one by one. For which j below i is `ids[j] == ids[i]`? Of these you want the "
            "largest, if there is one.",
            "The cell of that row is `weights[:, i, j + 1]`, one number for each head. Collect these, and stack them "
            "at the end, if there are any.",
        ],
    ),
    Exercise(
        name="sink_mask",
        lesson=19,
        statement="A sliding window that keeps the first tokens, for the last queries of a text.",
        reference=_sink_mask,
        cases=_mask_cases,
        verified="Each query sees its window and the first tokens, and nothing that comes after it.",
        gradient=False,
        mistakes=[
            Mistake(
                "no-offset",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width, n_sink, offset=False),
                "Your queries stand at the beginning of the text. They are its last ones: at which place is the first "
                "of them?",
            ),
            Mistake(
                "sees-later",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width, n_sink, later=True),
                "Queries see tokens that come after them.",
            ),
            Mistake(
                "first-tokens-from-before",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width, n_sink, future_sink=True),
                "Your first tokens can be seen by queries that stand before them. They, too, must lie in the past.",
            ),
            Mistake(
                "one-too-wide",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width + 1, n_sink),
                "Your window is one token too wide: the query itself is one of the `width`.",
            ),
            Mistake(
                "one-too-narrow",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width - 1, n_sink),
                "Your window is one token too narrow: with a width of 1 a query sees itself.",
            ),
            Mistake(
                "no-first-tokens",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width, 0),
                "This is the window alone. The first `n_sink` tokens stay visible however far away they are.",
            ),
            Mistake(
                "always-one",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width, 1),
                "You always keep the very first token, and only that one. How many shall stay?",
            ),
            Mistake(
                "inverted",
                lambda n_query, n_key, width, n_sink: ~_sink_mask(n_query, n_key, width, n_sink),
                "Your mask is inverted: True means that a query may attend to a key.",
            ),
            Mistake(
                "one-first-token-more",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width, n_sink + 1),
                "You keep one of the first tokens too many: the first `n_sink` are 0 to n_sink - 1.",
            ),
            Mistake(
                "itself-hidden",
                lambda n_query, n_key, width, n_sink: (
                    _sink_mask(n_query, n_key, width, n_sink) & (_places(n_query, n_key) != torch.arange(n_key))
                ),
                "A query does not see itself. It is one of the `width` tokens of its window.",
            ),
            Mistake(
                "both-directions",
                lambda n_query, n_key, width, n_sink: (
                    ((_places(n_query, n_key) - torch.arange(n_key)).abs() < width) | (torch.arange(n_key) < n_sink)
                ),
                "Your window reaches to both sides, so queries see what comes after them.",
            ),
            Mistake(
                "near-and-first",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width, 0) & (torch.arange(n_key) < n_sink),
                "You open what is near *and* among the first. One of the two is enough.",
            ),
            Mistake(
                "all-rows",
                lambda n_query, n_key, width, n_sink: _sink(n_key, n_key, width, n_sink),
                "That is the mask of the whole text. Only the last `n_query` rows are asked for.",
            ),
            Mistake(
                "one-place-late",
                lambda n_query, n_key, width, n_sink: _sink(n_query + 1, n_key + 1, width, n_sink)[1:, :-1],
                "Your queries stand one place too late. The last one stands at n_key - 1.",
            ),
            Mistake(
                "window-at-the-beginning",
                lambda n_query, n_key, width, n_sink: (
                    (torch.arange(n_key) <= _places(n_query, n_key)) & (torch.arange(n_key) < max(width, n_sink))
                ),
                "Your window lies at the beginning of the text. It goes along with the query: compare the distance "
                "with `width`.",
            ),
            Mistake(
                "counted-from-the-end",
                _counted_from_the_end,
                "Near the beginning your slice starts below 0, which counts from the end. Let it start at 0 at least.",
            ),
            Mistake(
                "loose-and",
                lambda n_query, n_key, width, n_sink: (
                    torch.arange(n_key)
                    <= (_places(n_query, n_key) & (_places(n_query, n_key) - torch.arange(n_key) < width))
                    | (torch.arange(n_key) < n_sink)
                ),
                "`&` and `|` bind more tightly than `<=`, so your first comparison swallows the rest. Put brackets "
                "around each comparison.",
            ),
            Mistake(
                "keys-moved",
                _keys_moved,
                "You move the keys by n_query. Key j stands at place j; it is the queries that begin at "
                "n_key - n_query.",
            ),
            Mistake(
                "first-row-only",
                lambda n_query, n_key, width, n_sink: (
                    _sink_mask(n_query, n_key, width, n_sink) & (torch.arange(n_query) == 0)[:, None]
                ),
                "Only the first row is filled in. Does your function return inside the loop?",
            ),
            Mistake(
                "wider-window",
                lambda n_query, n_key, width, n_sink: _sink(n_query, n_key, width + n_sink, 0),
                "You make the window wider by `n_sink`. The first tokens of the text stay visible, wherever the window "
                "is.",
            ),
        ],
        hints=[
            "Give each query and each key its place in the text. The last query stands at n_key - 1.",
            "Three comparisons, each (n_query, n_key): is the key in the past, is it near, is it one of the first?",
            "past AND (near OR first): with `&`, `|` and brackets.",
        ],
    ),
    Exercise(
        name="put_head_out",
        lesson=19,
        statement="Put a head's mean in the place of what it gives, padding left out of the mean.",
        reference=_put_out,
        cases=_ablation_cases,
        verified="The head gives the same vector everywhere, its mean over the real tokens of all texts, and the other "
        "heads are as before.",
        gradient=False,
        mistakes=[
            Mistake(
                "zero",
                lambda outputs, head, real: _replaced(outputs, head, torch.zeros(outputs.shape[-1]).to(outputs)),
                "You put zeros there. The layers above have never met a head that gives nothing: put its mean there.",
            ),
            Mistake(
                "padding-counted",
                lambda outputs, head, real: _replaced(outputs, head, outputs[:, head].mean((0, 1))),
                "Padding counts in your mean. Only tokens for which `real` is True do.",
            ),
            Mistake(
                "each-text",
                _mean_of_each_text,
                "You take a mean for each text, which still says something about the text. Take one mean over "
                "all texts.",
            ),
            Mistake(
                "each-place",
                _mean_of_each_place,
                "You take a mean for each place, which still says something about the place. Take one mean over "
                "all places.",
            ),
            Mistake(
                "all-heads", _mean_of_all_heads, "You take the mean over the heads as well. Only this head counts."
            ),
            Mistake(
                "one-number",
                _one_number,
                "Your mean is a single number. Each of the d_head numbers has a mean of its own.",
            ),
            Mistake("only-real", _only_real, "At padding your head still gives what it gave. Put the mean everywhere."),
            Mistake(
                "the-others",
                lambda outputs, head, real: _put_out(outputs.flip(1), head, real).flip(1),
                "You put out another head: heads are counted from 0, along axis 1.",
            ),
            Mistake(
                "divided-by-all",
                lambda outputs, head, real: _replaced(outputs, head, (outputs[:, head] * real[..., None]).mean((0, 1))),
                "Padding adds nothing to your sum, but you still divide by the number of all places.",
            ),
            Mistake(
                "zeros-at-padding",
                lambda outputs, head, real: _replaced(outputs, head, outputs[:, head][real].mean(0) * real[..., None]),
                "At padding you put zeros. The mean stands everywhere.",
            ),
            Mistake(
                "mean-of-padding",
                lambda outputs, head, real: _replaced(outputs, head, outputs[:, head][~real].mean(0)),
                "The mask is inverted: your mean is over the padding.",
            ),
            Mistake(
                "every-head",
                lambda outputs, head, real: outputs.transpose(1, 2)[real].mean(0)[:, None].expand_as(outputs),
                "You put every head out. The others stay as they are.",
            ),
            Mistake(
                "sum",
                lambda outputs, head, real: _replaced(outputs, head, outputs[:, head][real].sum(0)),
                "You put the sum there, not the mean.",
            ),
            Mistake(
                "mean-subtracted",
                lambda outputs, head, real: _replaced(outputs, head, outputs[:, head] - outputs[:, head][real].mean(0)),
                "You subtract the mean. What the head says about each token is then still there: put the mean in its "
                "place.",
            ),
            Mistake(
                "mean-of-means",
                lambda outputs, head, real: _replaced(
                    outputs, head, ((outputs[:, head] * real[..., None]).sum(1) / real.sum(1, keepdim=True)).mean(0)
                ),
                "You take a mean for each text, then their mean, so that tokens of short texts count more. Each real "
                "token counts alike.",
            ),
            Mistake(
                "counted-from-1",
                lambda outputs, head, real: _replaced(outputs, head - 1, outputs[:, head - 1][real].mean(0)),
                "You put out the head before it. Heads are counted from 0.",
            ),
            Mistake(
                "median",
                lambda outputs, head, real: _replaced(outputs, head, outputs[:, head][real].median(0).values),
                "You take the median in place of the mean.",
            ),
            Mistake(
                "over-the-features",
                lambda outputs, head, real: _replaced(outputs, head, outputs[:, head].mean(-1, keepdim=True)),
                "You take the mean over d_head, so each token still has a number of its own. Take it over texts and "
                "tokens.",
            ),
            Mistake(
                "the-mean-alone",
                lambda outputs, head, real: outputs[:, head][real].mean(0),
                "You return the mean. It has to be put into a copy of `outputs`, at each place.",
            ),
            Mistake(
                "the-head-alone",
                lambda outputs, head, real: outputs[:, head][real].mean(0).expand_as(outputs[:, head]),
                "You return this head alone. The others belong to the result, as they were.",
            ),
            Mistake(
                "taken-out",
                lambda outputs, head, real: torch.cat([outputs[:, :head], outputs[:, head + 1 :]], 1),
                "You take the head out, so that there is one fewer. It stays, and gives its mean.",
            ),
            Mistake(
                "words-of-the-first-text",
                lambda outputs, head, real: _replaced(outputs, head, outputs[:, head, real[0]].mean((0, 1))),
                "You use the words of the first text for all. Each text has its own row in `real`.",
            ),
            Mistake(
                "unchanged",
                lambda outputs, head, real: outputs.clone(),
                "You return what you were given: nothing is replaced.",
            ),
            Mistake(
                "at-padding-only",
                lambda outputs, head, real: torch.where(real[:, None, :, None], outputs, _put_out(outputs, head, real)),
                "You put the mean at padding only. It stands everywhere.",
            ),
            Mistake(
                "largest",
                lambda outputs, head, real: _replaced(outputs, head, outputs[:, head][real].amax(0)),
                "You take the largest of each number, not the mean.",
            ),
        ],
        hints=[
            "`outputs[:, head]` is (batch, n, d_head), and `real` is (batch, n). What does indexing with a boolean "
            "tensor do?",
            "`outputs[:, head][real]` is (number of real tokens, d_head). Its mean over the tokens is one vector.",
            "Change a copy, `outputs.clone()`, and not what you were given.",
        ],
    ),
]
