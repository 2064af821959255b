"""Lesson 11, the Transformer: masks to choose, a whole encoder, a decoder layer to mend, and what it all holds."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

# --- which mask goes where ---

Masks = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def _three_masks(
    is_word: torch.Tensor,
    n_target: int,
    *,
    source: bool = True,
    memory: bool = True,
    causal_encoder: bool = False,
    causal_target: Callable[[torch.Tensor], torch.Tensor] = torch.tril,
    causal_memory: bool = False,
    rows: bool = False,
) -> Masks:
    """The masks of encoder, decoder and cross-attention, or those that one mistake makes."""
    batch, n_source = is_word.shape

    def of(n_query: int, padding: bool) -> torch.Tensor:
        return (is_word if padding else torch.ones_like(is_word))[:, None, :].expand(batch, n_query, n_source)

    encoder, cross = of(n_source, source), of(n_target, memory)
    if rows:
        encoder = is_word[:, :, None].expand(batch, n_source, n_source)
    if causal_encoder:
        encoder = encoder & torch.ones(n_source, n_source, dtype=torch.bool).tril()
    if causal_memory:
        cross = cross & torch.ones(n_target, n_source, dtype=torch.bool).tril()
    target = causal_target(torch.ones(n_target, n_target, dtype=torch.bool))
    return encoder, target.expand(batch, -1, -1), cross


def _not_all(masks: Masks) -> Masks:
    encoder, target, cross = masks
    return ~encoder, ~target, ~cross


def _last_two_exchanged(encoder: torch.Tensor, target: torch.Tensor, cross: torch.Tensor) -> Masks:
    return encoder, cross, target


def _in_part(masks: Masks, which: int, change: Callable[[torch.Tensor], torch.Tensor]) -> Masks:
    """A mistake in one of the three masks."""
    encoder, target, cross = (change(mask) if i == which else mask for i, mask in enumerate(masks))
    return encoder, target, cross


def _mask_cases(draw: Draw) -> list[Arguments]:
    def some(batch: int, n_source: int, n_target: int) -> Arguments:
        lengths = 1 + draw.whole(batch, below=n_source)
        return torch.arange(n_source) < lengths[:, None], n_target

    return [
        (torch.tensor([[True, True, True, True], [True, True, False, False]]), 3),
        (torch.tensor([[True, True, True, False], [True, False, False, False]]), 3),
        (torch.tensor([[True]]), 1),
        (torch.tensor([[True, True, False]]), 4),
        (torch.tensor([[True, False, False, False, False]] * 3), 2),
        some(3, 6, 4),
        some(4, 5, 7),
        some(5, 9, 8),
    ]


# --- parts of a layer ---


@dataclass(frozen=True, repr=False)
class _Function:
    """A function that messages can show, and that equals itself in a second drawing of the cases."""

    words: str
    of: Callable[..., torch.Tensor]

    def __call__(self, *args: torch.Tensor | None, **kwargs: torch.Tensor | None) -> torch.Tensor:
        return self.of(*args, **kwargs)

    def __repr__(self) -> str:
        return self.words


def _attention(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None = None
) -> torch.Tensor:
    scores = query @ key.T / key.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, -1) @ value


_ATTEND = _Function("attention without matrices", _attention)
_FEED = _Function("tanh(2x) + 0.5", lambda x: (2 * x).tanh() + 0.5)
_NORM_1 = _Function("layer norm with scale 1 and shift 0", lambda x: F.layer_norm(x, x.shape[-1:]))
_NORM_2 = _Function("layer norm with scale 2 and shift 1", lambda x: 2 * F.layer_norm(x, x.shape[-1:]) + 1)

Part = Callable[..., torch.Tensor]
Parts = tuple[Part, Part, Part, Part]  # of a layer: attend, feed_forward, norm_1, norm_2

_LAYERS: tuple[Parts, ...] = (
    (_ATTEND, _FEED, _NORM_1, _NORM_2),
    (
        _Function("3 times attention without matrices", lambda *args, **kwargs: 3 * _attention(*args, **kwargs)),
        _Function("sin(x) + x / 2", lambda x: x.sin() + x / 2),
        _Function("layer norm with scale 0.5 and shift -1", lambda x: 0.5 * F.layer_norm(x, x.shape[-1:]) - 1),
        _Function("layer norm with scale 3 and shift 0", lambda x: 3 * F.layer_norm(x, x.shape[-1:])),
    ),
    (_ATTEND, _Function("x / 2 - 1", lambda x: x / 2 - 1), _NORM_2, _NORM_1),
)
_LAST_NORM = _Function("layer norm with scale 1.5 and shift 2", lambda x: 1.5 * F.layer_norm(x, x.shape[-1:]) + 2)


def _open(draw: Draw, n_query: int, n_key: int) -> torch.Tensor:
    """A mask at random, with at least one key for each query."""
    mask = draw(n_query, n_key) > -0.3
    mask[:, 0] = True
    return mask


# --- an encoder ---


def _encoder_layer(
    x: torch.Tensor, mask: torch.Tensor | None, attend: Part, feed_forward: Part, norm_1: Part, norm_2: Part
) -> torch.Tensor:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    return x + feed_forward(norm_2(x))


def _stack(layer: Part) -> Part:
    """The encoder that has this layer, one time for each of its parts, and a norm at the end."""

    def encoder(x: torch.Tensor, mask: torch.Tensor, layers: tuple[Parts, ...], last_norm: Part) -> torch.Tensor:
        for parts in layers:
            x = layer(x, mask, *parts)
        return last_norm(x)

    return encoder


_encoder = _stack(_encoder_layer)


def _encoder_cases(draw: Draw) -> list[Arguments]:
    def sizes(n: int, d_model: int, n_layers: int, dtype: torch.dtype = torch.float32) -> Arguments:
        return draw(n, d_model, dtype=dtype), _open(draw, n, n), _LAYERS[:n_layers], _LAST_NORM

    return [
        (
            torch.tensor([[1.0, 2, 3, 6], [0, 4, 4, 0]]),
            torch.tensor([[True, False], [True, True]]),
            _LAYERS[:1],
            _LAST_NORM,
        ),
        sizes(2, 4, 2),
        sizes(1, 1, 1),
        sizes(1, 3, 2),
        sizes(4, 2, 1),
        sizes(3, 5, 2),
        sizes(5, 6, 3, torch.float64),
        (draw.apart(4, 7), _open(draw, 4, 4), _LAYERS[:2], _LAST_NORM),
        sizes(30, 12, 3),
    ]


def _normed_in_each_layer(
    x: torch.Tensor, mask: torch.Tensor, layers: tuple[Parts, ...], last_norm: Part
) -> torch.Tensor:
    for parts in layers:
        x = last_norm(_encoder_layer(x, mask, *parts))
    return x


# Each takes x, mask, attend, feed_forward, norm_1, norm_2, and goes wrong in one place.


def _norm_after(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    x = one(x + attend(x, x, x, mask))
    return two(x + feed(x))


def _wrong_branch(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    x = one(x)
    x = x + attend(x, x, x, mask)
    x = two(x)
    return x + feed(x)


def _only_queries(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    x = x + attend(one(x), x, x, mask)
    return x + feed(two(x))


def _change_normed(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    x = x + one(attend(x, x, x, mask))
    return x + two(feed(x))


def _side_by_side(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    y = one(x)
    return x + attend(y, y, y, mask) + feed(two(x))


def _old_x(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    y = one(x)
    return x + feed(two(x + attend(y, y, y, mask)))


def _no_residual(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    y = one(x)
    return feed(two(attend(y, y, y, mask)))


def _first_only(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    y = one(x)
    return feed(two(x + attend(y, y, y, mask)))


def _second_only(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    y = one(x)
    x = attend(y, y, y, mask)
    return x + feed(two(x))


def _feed_first(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    x = x + feed(one(x))
    y = two(x)
    return x + attend(y, y, y, mask)


def _attention_last(
    x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part
) -> torch.Tensor:
    x = x + feed(two(x))
    y = one(x)
    return x + attend(y, y, y, mask)


def _second_not_normed(
    x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part
) -> torch.Tensor:
    return _encoder_layer(x, mask, attend, feed, one, lambda x: x)


def _never_normed(x: torch.Tensor, mask: torch.Tensor, attend: Part, feed: Part, one: Part, two: Part) -> torch.Tensor:
    x = x + attend(x, x, x, mask)
    return x + feed(x)


# --- a decoder layer to mend ---


def _decoder_layer(
    x: torch.Tensor,
    memory: torch.Tensor,
    is_word: torch.Tensor,
    attend: Part,
    feed_forward: Part,
    norm: Part,
    *,
    branch: bool = False,
    unmasked: bool = False,
    wrong_side: bool = False,
    diagonal: int = 0,
    memory_mask: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = lambda x, is_word: is_word[None, :],
    normed_memory: bool = False,
) -> torch.Tensor:
    """The layer with any of the three planted mistakes, or with one that mending brings in."""
    n = len(x)
    causal = torch.ones(n, n, dtype=torch.bool)
    y = norm(x)
    x = (y if branch else x) + attend(y, y, y, causal.triu(-diagonal) if wrong_side else causal.tril(diagonal))
    read = norm(memory) if normed_memory else memory
    x = x + attend(norm(x), read, read, None if unmasked else memory_mask(x, is_word))
    return x + feed_forward(norm(x))


def _decoder_cases(draw: Draw) -> list[Arguments]:
    parts = (_ATTEND, _FEED, _NORM_2)

    def sizes(n: int, n_memory: int, n_words: int, d_model: int, dtype: torch.dtype = torch.float32) -> Arguments:
        is_word = torch.arange(n_memory) < n_words
        return draw(n, d_model, dtype=dtype), 2 * draw(n_memory, d_model, dtype=dtype) + 1, is_word, *parts

    return [
        sizes(3, 5, 3, 4),
        sizes(3, 5, 2, 4),
        sizes(1, 1, 1, 1),
        sizes(1, 3, 2, 4),
        sizes(4, 6, 4, 3),
        sizes(5, 4, 1, 6),
        sizes(2, 7, 7, 5, torch.float64),
        (draw.apart(4, 6), draw.apart(3, 6), torch.tensor([True, False, True, False, False, True])[::2], *parts),
        sizes(20, 30, 17, 12),
    ]


# Each takes what the layer takes, and goes wrong in one place.


def _cross(x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, norm: Part) -> torch.Tensor:
    """The second sublayer, with what is added to it."""
    return x + attend(norm(x), memory, memory, is_word[None, :])


def _own(x: torch.Tensor, attend: Part, norm: Part) -> torch.Tensor:
    """The first sublayer, with what is added to it."""
    return x + attend(norm(x), norm(x), norm(x), torch.ones(len(x), len(x), dtype=torch.bool).tril())


def _feed_not_normed(
    x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, feed_forward: Part, norm: Part
) -> torch.Tensor:
    x = _cross(_own(x, attend, norm), memory, is_word, attend, norm)
    return x + feed_forward(x)


def _feed_not_added(
    x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, feed_forward: Part, norm: Part
) -> torch.Tensor:
    return feed_forward(norm(_cross(_own(x, attend, norm), memory, is_word, attend, norm)))


def _cross_first(
    x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, feed_forward: Part, norm: Part
) -> torch.Tensor:
    x = _own(_cross(x, memory, is_word, attend, norm), attend, norm)
    return x + feed_forward(norm(x))


def _old_norm_at_the_end(
    x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, feed_forward: Part, norm: Part
) -> torch.Tensor:
    return _cross(_own(x, attend, norm), memory, is_word, attend, norm) + feed_forward(norm(x))


def _cross_not_added(
    x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, feed_forward: Part, norm: Part
) -> torch.Tensor:
    x = attend(norm(_own(x, attend, norm)), memory, memory, is_word[None, :])
    return x + feed_forward(norm(x))


def _own_not_added(
    x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, feed_forward: Part, norm: Part
) -> torch.Tensor:
    x = _cross(_own(x, attend, norm) - x, memory, is_word, attend, norm)
    return x + feed_forward(norm(x))


def _norms_after(
    x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, feed_forward: Part, norm: Part
) -> torch.Tensor:
    x = norm(_own(x, attend, lambda x: x))
    x = norm(_cross(x, memory, is_word, attend, lambda x: x))
    return norm(x + feed_forward(x))


def _old_queries(
    x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, feed_forward: Part, norm: Part
) -> torch.Tensor:
    x = _own(x, attend, norm) + attend(norm(x), memory, memory, is_word[None, :])
    return x + feed_forward(norm(x))


def _only_queries_normed(
    x: torch.Tensor, memory: torch.Tensor, is_word: torch.Tensor, attend: Part, feed_forward: Part, norm: Part
) -> torch.Tensor:
    x = x + attend(norm(x), x, x, torch.ones(len(x), len(x), dtype=torch.bool).tril())
    x = _cross(x, memory, is_word, attend, norm)
    return x + feed_forward(norm(x))


# --- how many parameters ---


def _count(
    source_words: int,
    target_words: int,
    d_model: int,
    d_hidden: int,
    n_layers: int,
    *,
    bias: bool = True,
    norms: bool = True,
    last_norms: int = 2,
    attentions_of_decoder: int = 2,
    tables_of_target: int = 1,
    shared_layers: bool = False,
    tables_of_attention: int = 4,
    biases_of_attention: bool = True,
    size_of_norm: int = 2,
    norms_of_decoder: int = 3,
) -> int:
    attention = tables_of_attention * (d_model * d_model + bias * biases_of_attention * d_model)
    feed_forward = 2 * d_model * d_hidden + bias * (d_hidden + d_model)
    norm = size_of_norm * d_model * norms
    encoder = attention + feed_forward + 2 * norm
    decoder = attentions_of_decoder * attention + feed_forward + norms_of_decoder * norm
    tables = (source_words + tables_of_target * target_words) * d_model
    return tables + (1 if shared_layers else n_layers) * (encoder + decoder) + last_norms * norm


def _sizes_of_models(draw: Draw) -> list[Arguments]:
    return [
        (10_000, 8_000, 512, 2048, 6),
        (10_000, 8_000, 512, 2048, 6),
        (1, 1, 1, 1, 1),
        (7, 5, 4, 3, 2),
        (11, 9, 12, 48, 2),
        (300, 500, 8, 20, 3),
        (2, 40, 6, 1, 5),
    ]


EXERCISES = [
    Exercise(
        name="three_masks",
        lesson=11,
        statement="The masks of a Transformer's three attentions, for a batch.",
        reference=lambda is_word, n_target: _three_masks(is_word, n_target),
        cases=_mask_cases,
        verified="Nobody reads padding, nobody sees what is still to be written, and the source is read both ways.",
        mistakes=[
            Mistake(
                "true-means-masked",
                lambda is_word, n_target: _not_all(_three_masks(is_word, n_target)),
                "All three masks are inverted: here True means that a query may attend to a key.",
            ),
            Mistake(
                "encoder-causal",
                lambda is_word, n_target: _three_masks(is_word, n_target, causal_encoder=True),
                "Your encoder sees no word after its own. The source is known to its end: what is there to hide?",
            ),
            Mistake(
                "encoder-rows",
                lambda is_word, n_target: _three_masks(is_word, n_target, rows=True),
                "In the encoder your padding lies along the rows, so padding may not read, but it is read. Columns are "
                "keys.",
            ),
            Mistake(
                "encoder-open",
                lambda is_word, n_target: _three_masks(is_word, n_target, source=False),
                "In your encoder words read padding.",
            ),
            Mistake(
                "memory-open",
                lambda is_word, n_target: _three_masks(is_word, n_target, memory=False),
                "Your cross-attention reads padding. The memory has a vector at each place of the source, at its "
                "padding as well.",
            ),
            Mistake(
                "padding-never-masked",
                lambda is_word, n_target: _three_masks(is_word, n_target, source=False, memory=False),
                "Your padding is read like words, wherever the source is asked.",
            ),
            Mistake(
                "memory-causal",
                lambda is_word, n_target: _three_masks(is_word, n_target, causal_memory=True),
                "Your cross-attention is causal: the first word of the target sees only the first of the source. Its "
                "keys are the source, which is known to its end.",
            ),
            Mistake(
                "target-open",
                lambda is_word, n_target: _three_masks(is_word, n_target, causal_target=torch.ones_like),
                "In your decoder each token sees those after it, which it has to predict.",
            ),
            Mistake(
                "target-wrong-side",
                lambda is_word, n_target: _three_masks(is_word, n_target, causal_target=torch.triu),
                "Your causal mask is open on the wrong side. Rows are queries: which triangle is the past?",
            ),
            Mistake(
                "target-without-itself",
                lambda is_word, n_target: _three_masks(is_word, n_target, causal_target=lambda mask: mask.tril(-1)),
                "In your decoder a token may not attend to itself, so the first has nothing to attend to.",
            ),
            Mistake(
                "target-without-batch",
                lambda is_word, n_target: _in_part(_three_masks(is_word, n_target), 1, lambda mask: mask[0]),
                "Your causal mask has no axis for the batch. It is the same for all texts: `expand` repeats it.",
            ),
            Mistake(
                "not-expanded",
                lambda is_word, n_target: _in_part(
                    _in_part(_three_masks(is_word, n_target), 0, lambda mask: mask[:, :1]), 2, lambda mask: mask[:, :1]
                ),
                "Your masks of the source have a single row. It is the same for all queries: `expand` repeats it, to "
                "n_source rows in the encoder and n_target in the cross-attention.",
            ),
            Mistake(
                "padding-asks-nothing",
                lambda is_word, n_target: _in_part(
                    _three_masks(is_word, n_target), 0, lambda mask: mask & is_word[:, :, None]
                ),
                "In your encoder the rows of padding are closed, too. Softmax of a row without any key is nan. Only "
                "keys are masked: what padding collects, nobody reads.",
            ),
            Mistake(
                "order",
                lambda is_word, n_target: _last_two_exchanged(*_three_masks(is_word, n_target)),
                "The masks are right, but the last two are swapped: encoder, decoder, cross-attention.",
            ),
            Mistake(
                "cross-turned",
                lambda is_word, n_target: _in_part(_three_masks(is_word, n_target), 2, lambda mask: mask.mT),
                "Your mask of the cross-attention is transposed: rows are queries, which come from the target, and "
                "columns are keys.",
            ),
            Mistake(
                "cross-as-large-as-the-source",
                lambda is_word, n_target: _in_part(
                    _three_masks(is_word, n_target), 2, lambda mask: mask[:, :1].expand(-1, is_word.shape[1], -1)
                ),
                "Your mask of the cross-attention has a row for each word of the source. Its queries come from the "
                "target: n_target rows.",
            ),
            Mistake(
                "target-as-large-as-the-source",
                lambda is_word, n_target: _in_part(
                    _three_masks(is_word, n_target), 1, lambda mask: _three_masks(is_word, is_word.shape[1])[1]
                ),
                "Your causal mask is as large as the source. Queries and keys come from the target: n_target of each.",
            ),
            Mistake(
                "memory-causal-and-open",
                lambda is_word, n_target: _three_masks(is_word, n_target, memory=False, causal_memory=True),
                "In your cross-attention the causal mask stands in place of the words. Its keys are the source, which "
                "is known to its end, but has padding.",
            ),
        ],
        hints=[
            "For each of the three ask two things: which text are the keys, and is that text known to its end?",
            "Where the keys are the source, padding is left out and the order does not matter. Where they are the "
            "target, the causal mask is enough.",
            "`is_word[:, None, :]` is (batch, 1, n_source). `expand` repeats it for each query.",
        ],
        gradient=False,
    ),
    Exercise(
        name="encoder",
        lesson=11,
        statement="Assemble an encoder, the norm before each sublayer, from the parts of its layers.",
        reference=_encoder,
        cases=_encoder_cases,
        verified="Each sublayer reads what is normed, on the way of x there are only additions, and one norm ends it.",
        mistakes=[
            Mistake(
                "norm-after",
                _stack(_norm_after),
                "Your norms come after the sums, as in the first Transformer. Here each stands before its sublayer.",
            ),
            Mistake(
                "norm-on-the-wrong-branch",
                _stack(_wrong_branch),
                "The norms stand on the way of `x`: what you add to is normed as well. Only what the sublayer reads "
                "is normed; the other branch keeps `x` as it is.",
            ),
            Mistake(
                "only-queries-normed",
                _stack(_only_queries),
                "Only the queries are normed. Keys and values are read by the same sublayer.",
            ),
            Mistake(
                "result-normed",
                _stack(_change_normed),
                "You norm what comes out of each sublayer. It is what goes in that is normed.",
            ),
            Mistake(
                "side-by-side",
                _stack(_side_by_side),
                "The feed-forward part reads the old `x`, so it knows nothing of what attention has brought. Some "
                "models do that; here it comes second.",
            ),
            Mistake(
                "old-x",
                _stack(_old_x),
                "You add the feed-forward part to the `x` from before the attention, so what the attention gave is "
                "lost from the way of `x`.",
            ),
            Mistake("no-residual", _stack(_no_residual), "Nothing leads past the sublayers: `x` itself is lost."),
            Mistake(
                "second-residual-missing",
                _stack(_first_only),
                "A residual connection leads past the attention, but none past the feed-forward part.",
            ),
            Mistake(
                "first-residual-missing",
                _stack(_second_only),
                "A residual connection leads past the feed-forward part, but none past the attention.",
            ),
            Mistake(
                "feed-forward-first",
                _stack(_feed_first),
                "The feed-forward part comes first. It is there to work on what attention has gathered.",
            ),
            Mistake("never-normed", _stack(_never_normed), "The residuals are right, but nothing is normed."),
            Mistake(
                "one-norm",
                _stack(lambda x, mask, attend, feed, one, two: _encoder_layer(x, mask, attend, feed, one, one)),
                "You use `norm_1` twice. Each norm has learned a scale and a shift of its own.",
            ),
            Mistake(
                "norms-exchanged",
                _stack(lambda x, mask, attend, feed, one, two: _encoder_layer(x, mask, attend, feed, two, one)),
                "The two norms are swapped: `norm_1` belongs to the attention.",
            ),
            Mistake(
                "mask-forgotten",
                lambda x, mask, *parts: _encoder(x, None, *parts),
                "The mask is not used, so tokens attend to padding.",
            ),
            Mistake(
                "mask-inverted",
                lambda x, mask, *parts: _encoder(x, ~mask, *parts),
                'You invert the mask. True means "may attend", here as everywhere in the course.',
            ),
            Mistake(
                "no-last-norm",
                lambda x, mask, layers, last_norm: _encoder(x, mask, layers, lambda x: x),
                "The layers are right. But with the norm before, nothing has normed what comes out at the top.",
            ),
            Mistake(
                "last-norm-in-each-layer",
                _normed_in_each_layer,
                "You norm after each layer. The last norm stands once, after all of them.",
            ),
            Mistake(
                "last-norm-first",
                lambda x, mask, layers, last_norm: _encoder(last_norm(x), mask, layers, lambda x: x),
                "The last norm stands before the layers. It belongs after them.",
            ),
            Mistake(
                "only-the-first-layer",
                lambda x, mask, layers, last_norm: _encoder(x, mask, layers[:1], last_norm),
                "Only the first layer runs. Does your function return inside the loop?",
            ),
            Mistake(
                "each-layer-reads-the-words",
                lambda x, mask, layers, last_norm: _encoder(x, mask, layers[-1:], last_norm),
                "Each layer reads the first `x`, so only the last one counts. It should read what the one below gave.",
            ),
            Mistake(
                "upside-down",
                lambda x, mask, layers, last_norm: _encoder(x, mask, layers[::-1], last_norm),
                "The layers run from the top to the bottom: `layers[0]` is the lowest.",
            ),
            Mistake(
                "tuple-in-another-order",
                lambda x, mask, layers, last_norm: _encoder(
                    x, mask, tuple((layer[1], layer[3], layer[0], layer[2]) for layer in layers), last_norm
                ),
                "You unpack the tuple in another order. It holds `attend`, `feed_forward`, `norm_1` and `norm_2`.",
            ),
            Mistake(
                "attention-last",
                _stack(_attention_last),
                "The two sublayers are in the wrong order: attention comes first, and the feed-forward part works on "
                "what it has gathered.",
            ),
            Mistake(
                "second-not-normed",
                _stack(_second_not_normed),
                "The feed-forward part reads `x` as it is. What is `norm_2` for?",
            ),
            Mistake(
                "first-not-normed",
                _stack(lambda x, mask, attend, feed, one, two: _encoder_layer(x, mask, attend, feed, lambda x: x, two)),
                "The attention reads `x` as it is. What is `norm_1` for?",
            ),
        ],
        hints=[
            "Draw the way of `x` as an upright line. What stands on it, and what beside it?",
            "In a loop over the layers, two lines of the form x = x + sublayer(norm(x)). The first sublayer wants its "
            "input three times, and the mask.",
            "In the layers the norms stand beside the way of `x`, so `x` itself goes through none. Where does "
            "`last_norm` stand, and how often?",
        ],
    ),
    Exercise(
        name="mended_layer",
        lesson=11,
        statement="Mend a decoder layer that has three mistakes.",
        reference=lambda x, memory, is_word, attend, feed_forward, norm: _decoder_layer(
            x, memory, is_word, attend, feed_forward, norm
        ),
        cases=_decoder_cases,
        verified="Nobody sees the future, nobody reads padding, and only what sublayers read is normed.",
        mistakes=[
            Mistake(
                "all-three",
                lambda *args: _decoder_layer(*args, branch=True, unmasked=True, wrong_side=True),
                "All three are still there. Ask of each line: what is added to what, and who may attend to whom?",
            ),
            Mistake(
                "branch-and-unmasked",
                lambda *args: _decoder_layer(*args, branch=True, unmasked=True),
                "One is mended: no token sees the future. Two are left: what is added to what in the first sublayer, "
                "and who reads what in the second?",
            ),
            Mistake(
                "branch-and-wrong-side",
                lambda *args: _decoder_layer(*args, branch=True, wrong_side=True),
                "One is mended: nobody reads padding. Two are left, both in the first sublayer.",
            ),
            Mistake(
                "unmasked-and-wrong-side",
                lambda *args: _decoder_layer(*args, unmasked=True, wrong_side=True),
                "One is mended: the way of `x` has no norm on it. Two are left, and both are about masks.",
            ),
            Mistake(
                "norm-on-the-wrong-branch",
                lambda *args: _decoder_layer(*args, branch=True),
                "One is left: a norm stands on the wrong branch. In the first sublayer, to what is the result added?",
            ),
            Mistake(
                "memory-unmasked",
                lambda *args: _decoder_layer(*args, unmasked=True),
                "One is left: the memory has no mask, so the padding of the source is read like words.",
            ),
            Mistake(
                "mask-on-the-wrong-side",
                lambda *args: _decoder_layer(*args, wrong_side=True),
                "One is left: the causal mask is open on the wrong side. Rows are queries: which triangle is the past?",
            ),
            Mistake(
                "memory-mask-inverted",
                lambda *args: _decoder_layer(*args, memory_mask=lambda x, is_word: ~is_word[None, :]),
                "The memory's mask is inverted: only padding is read.",
            ),
            Mistake(
                "memory-mask-on-queries",
                lambda *args: _decoder_layer(*args, memory_mask=lambda x, is_word: is_word[:, None]),
                "The memory's mask has its words along the queries. The columns are keys, and the keys are the memory.",
            ),
            Mistake(
                "memory-normed",
                lambda *args: _decoder_layer(*args, normed_memory=True),
                "You norm the memory. The encoder's last norm has done that already.",
            ),
            Mistake(
                "no-causal-mask",
                lambda x, memory, is_word, attend, *parts: _decoder_layer(
                    x, memory, is_word, lambda q, k, v, m: attend(q, k, v, None if k is q else m), *parts
                ),
                "The first sublayer has no mask any more, so each token sees the future.",
            ),
            Mistake(
                "without-itself",
                lambda *args: _decoder_layer(*args, diagonal=-1),
                "In your causal mask a token may not attend to itself, so the first has nothing to attend to and "
                "becomes nan. The diagonal is open.",
            ),
            Mistake(
                "only-the-future",
                lambda *args: _decoder_layer(*args, wrong_side=True, diagonal=-1),
                "Your causal mask opens the future alone, so the last token has nothing to attend to and becomes nan. "
                "Which triangle is the past, and does the diagonal belong to it?",
            ),
            Mistake(
                "memory-causal",
                lambda *args: _decoder_layer(
                    *args, memory_mask=lambda x, is_word: torch.ones(len(x), len(is_word)).tril().bool() & is_word
                ),
                "Your cross-attention is causal as well. Its keys are the source, which is known to its end.",
            ),
            Mistake(
                "feed-forward-not-normed",
                _feed_not_normed,
                "A norm got lost: the feed-forward part reads `x` as it is. The norm stands before each sublayer.",
            ),
            Mistake(
                "feed-forward-not-added",
                _feed_not_added,
                "You return the feed-forward part alone. It is added to `x`, like the other two.",
            ),
            Mistake(
                "norms-after",
                _norms_after,
                "Your norms come after the sums, as in the first Transformer. Here each stands before its sublayer.",
            ),
            Mistake(
                "normed-at-the-end",
                lambda x, memory, is_word, attend, feed_forward, norm: norm(
                    _decoder_layer(x, memory, is_word, attend, feed_forward, norm)
                ),
                "The three are mended, but a norm is new: nothing norms what leaves the layer.",
            ),
            Mistake(
                "old-queries",
                _old_queries,
                "Your cross-attention asks with what was normed before the first sublayer. Norm the new `x`.",
            ),
            Mistake(
                "only-queries-normed",
                _only_queries_normed,
                "In the first sublayer only your queries are normed. Keys and values are read by it, too.",
            ),
            Mistake(
                "mask-of-numbers",
                lambda x, memory, is_word, attend, feed_forward, norm: attend(
                    norm(x), norm(x), norm(x), torch.ones(len(x), len(x)).tril()
                ),
                "Your causal mask holds numbers, and attention inverts a mask with `~`, which needs True and "
                "False. Make it with dtype=torch.bool.",
            ),
            Mistake(
                "cross-first",
                _cross_first,
                "The first two sublayers are swapped. The target reads itself first, then the memory.",
            ),
            Mistake(
                "old-norm-at-the-end",
                _old_norm_at_the_end,
                "The feed-forward part reads what was normed at the beginning. Norm the new `x`.",
            ),
            Mistake(
                "cross-not-added", _cross_not_added, "What the cross-attention gives replaces `x`. It is added to it."
            ),
            Mistake(
                "first-not-added", _own_not_added, "What the first sublayer gives replaces `x`. It is added to it."
            ),
        ],
        hints=[
            "Three things to look at: what the first result is added to, which side of the causal mask is open, and "
            "what may be read of the memory.",
            "The mask of the memory is (1, n_memory): one row that serves all queries.",
        ],
    ),
    Exercise(
        name="count_transformer",
        lesson=11,
        statement="Count the parameters of the whole Transformer from its sizes.",
        reference=lambda source_words, target_words, d_model, d_hidden, n_layers: _count(
            source_words, target_words, d_model, d_hidden, n_layers
        ),
        cases=_sizes_of_models,
        verified="Two tables, one of them used twice, the layers of both stacks, and the two last norms.",
        gradient=False,
        mistakes=[
            Mistake(
                "untied",
                lambda *sizes: _count(*sizes, tables_of_target=2),
                "You count a matrix for the scores. Which table has that task here?",
            ),
            Mistake(
                "no-biases",
                lambda *sizes: _count(*sizes, bias=False),
                "The biases are missing: each `nn.Linear` has one, as long as its result.",
            ),
            Mistake(
                "no-norms",
                lambda *sizes: _count(*sizes, norms=False),
                "The norms are missing: each has a scale and a shift, `d_model` numbers each.",
            ),
            Mistake(
                "no-last-norms",
                lambda *sizes: _count(*sizes, last_norms=0),
                "The layers are right. After each stack comes one thing more.",
            ),
            Mistake(
                "one-last-norm",
                lambda *sizes: _count(*sizes, last_norms=1),
                "You count one last norm. Each of the two stacks has its own.",
            ),
            Mistake(
                "no-cross-attention",
                lambda *sizes: _count(*sizes, attentions_of_decoder=1),
                "You give a decoder layer one attention. How many does it have?",
            ),
            Mistake(
                "layers-shared",
                lambda *sizes: _count(*sizes, shared_layers=True),
                "You count one layer of each stack. The layers look alike, but each has numbers of its own.",
            ),
            Mistake(
                "neither-biases-nor-norms",
                lambda *sizes: _count(*sizes, bias=False, norms=False),
                "The matrices are right. Biases and norms are missing.",
            ),
            Mistake(
                "one-table",
                lambda source_words, target_words, *sizes: (
                    _count(source_words, target_words, *sizes) - source_words * sizes[0]
                ),
                "The table of the source is missing.",
            ),
            Mistake(
                "no-table-of-the-target",
                lambda source_words, target_words, *sizes: (
                    _count(source_words, target_words, *sizes) - target_words * sizes[0]
                ),
                "The table of the target is missing.",
            ),
            Mistake(
                "no-tables",
                lambda source_words, target_words, *sizes: _count(0, 0, *sizes),
                "The two tables of the words are missing: they are parameters, too.",
            ),
            Mistake(
                "no-biases-of-attention",
                lambda *sizes: _count(*sizes, biases_of_attention=False),
                "The biases of the attention are missing: its four `nn.Linear` have one each.",
            ),
            Mistake(
                "three-tables",
                lambda *sizes: _count(*sizes, tables_of_attention=3),
                "You give an attention three `nn.Linear`. Besides queries, keys and values, what stands after the "
                "heads?",
            ),
            Mistake(
                "scale-only",
                lambda *sizes: _count(*sizes, size_of_norm=1),
                "You count one number for each of the `d_model` that a norm handles. It has a scale and a shift.",
            ),
            Mistake(
                "two-norms",
                lambda *sizes: _count(*sizes, norms_of_decoder=2),
                "You give a decoder layer two norms. It has three sublayers.",
            ),
            Mistake(
                "last-norms-in-each-layer",
                lambda *sizes: _count(*sizes, last_norms=2 * sizes[-1]),
                "You count the last norms in each layer. They stand once after each stack.",
            ),
            Mistake(
                "untied-with-bias",
                lambda source_words, target_words, *sizes: (
                    _count(source_words, target_words, *sizes, tables_of_target=2) + target_words
                ),
                "You count a layer that makes the scores. There is none: which table has that task here?",
            ),
            Mistake(
                "tables-with-bias",
                lambda *sizes: _count(*sizes) + 2 * sizes[2],
                "You give the tables of the words a bias. `nn.Embedding` has none.",
            ),
            Mistake(
                "positions",
                lambda *sizes: _count(*sizes) + 2 * 512 * sizes[2],
                "You count the positions. They are calculated, not learned.",
            ),
            Mistake(
                "half-a-feed-forward",
                lambda *sizes: _count(*sizes) - 2 * sizes[4] * (sizes[3] * sizes[2] + sizes[2]),
                "You count one `nn.Linear` in each feed-forward part. It has two, there and back.",
            ),
            Mistake(
                "biases-of-feed-forward",
                lambda *sizes: _count(*sizes) + 2 * sizes[4] * (sizes[2] - sizes[3]),
                "In the feed-forward part one bias has the wrong length: it is as long as the result of its "
                "`nn.Linear`, and one result has `d_hidden` numbers.",
            ),
            Mistake(
                "brackets",
                lambda source_words, target_words, *sizes: (
                    _count(source_words, target_words, *sizes) - source_words * (sizes[0] - 1)
                ),
                "You add `source_words` without `d_model`. Times comes before plus: are brackets missing?",
            ),
            Mistake(
                "no-biases-of-feed-forward",
                lambda *sizes: _count(*sizes) - 2 * sizes[4] * (sizes[2] + sizes[3]),
                "The biases of the feed-forward parts are missing: their two `nn.Linear` have one each.",
            ),
            Mistake(
                "three-norms-in-both",
                lambda *sizes: _count(*sizes) + sizes[4] * 2 * sizes[2],
                "You give an encoder layer three norms, too. It has two sublayers.",
            ),
            Mistake(
                "decoder-like-encoder",
                lambda *sizes: _count(*sizes, attentions_of_decoder=1, norms_of_decoder=2),
                "You count a decoder layer like an encoder layer. It has one sublayer more, with its norm.",
            ),
        ],
        hints=[
            "Count one attention, one feed-forward part and one norm, then how often each occurs.",
            "An attention has four `nn.Linear` of (d_model, d_model). An encoder layer has 1 attention and 2 norms, a "
            "decoder layer 2 and 3.",
        ],
    ),
]
