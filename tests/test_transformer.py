"""The Transformer equals PyTorch's own, keeps its masks, and refuses what cannot be right."""

import ast
import copy
import math
import re

import pytest
import rules
import torch
from torch import nn

from helpers.models import transformer
from helpers.models.transformer import (
    Cache,
    DecoderLayer,
    Embedding,
    EncoderLayer,
    LanguageModel,
    MultiHeadAttention,
    Transformer,
    attention,
    caching,
    causal_mask,
    feed_forward,
    padding_mask,
    sinusoidal_positions,
)
from tools.execute import ROOT

BATCH, N, N_MEMORY, D_MODEL, N_HEADS, D_HIDDEN = 3, 5, 7, 12, 4, 20
PRECISION = [(torch.float32, 1e-5), (torch.float64, 1e-12)]
PADDED = torch.arange(N) < torch.tensor([5, 2, 4])[:, None]  # (batch, n), True where there is a word
MEMORY_PADDED = torch.arange(N_MEMORY) < torch.tensor([3, 7, 6])[:, None]
MASKS = {
    "none": None,
    "causal": causal_mask(N),
    "padding": PADDED[:, None, None, :],
    "both": causal_mask(N) & PADDED[:, None, None, :],
}


def random(*shape, dtype=torch.float32):
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(sum(shape)))


def for_pytorch(mask):
    """Our mask in the two forms of nn.MultiheadAttention, where True means blocked."""
    if mask is None:
        return {}
    return {"attn_mask": ~mask.expand(BATCH, N_HEADS, N, N).reshape(BATCH * N_HEADS, N, N)}


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    linears = (ours.to_query, ours.to_key, ours.to_value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([linear.weight for linear in linears]))
        theirs.in_proj_bias.copy_(torch.cat([linear.bias for linear in linears]))
    theirs.out_proj.load_state_dict(ours.to_output.state_dict())


def copy_layer(ours, theirs) -> None:
    copy_attention(ours.self_attention, theirs.self_attn)
    if isinstance(ours, DecoderLayer):
        copy_attention(ours.cross_attention, theirs.multihead_attn)
    theirs.linear1.load_state_dict(ours.feed_forward[0].state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward[3].state_dict())
    for i in (1, 2, 3) if isinstance(ours, DecoderLayer) else (1, 2):
        getattr(theirs, f"norm{i}").load_state_dict(getattr(ours, f"norm_{i}").state_dict())


def assert_same_outputs_and_gradients(ours, theirs, inputs, tolerance):
    """Call each on copies of the same inputs and compare what comes out and what flows back."""
    results = []
    for function in (ours, theirs):
        leaves = [x.clone().requires_grad_() for x in inputs]
        output = function(*leaves)
        (output * random(*output.shape, dtype=output.dtype)).sum().backward()
        results.append((output, *(leaf.grad for leaf in leaves)))
    for mine, reference in zip(*results, strict=True):
        torch.testing.assert_close(mine, reference, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize(("dtype", "tolerance"), PRECISION)
@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("mask", MASKS)
def test_multi_head_attention_equals_pytorchs(dtype, tolerance, mask, need_weights):
    ours = MultiHeadAttention(D_MODEL, N_HEADS).to(dtype)
    theirs = nn.MultiheadAttention(D_MODEL, N_HEADS, batch_first=True, dtype=dtype)
    copy_attention(ours, theirs)
    x = random(BATCH, N, D_MODEL, dtype=dtype)
    assert_same_outputs_and_gradients(
        lambda x: ours(x, x, x, MASKS[mask], need_weights)[0],
        lambda x: theirs(x, x, x, **for_pytorch(MASKS[mask]))[0],
        [x],
        tolerance,
    )
    if need_weights:
        expected = theirs(x, x, x, average_attn_weights=False, **for_pytorch(MASKS[mask]))[1]
        torch.testing.assert_close(ours(x, x, x, MASKS[mask], True)[1], expected, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize(("dtype", "tolerance"), PRECISION)
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("mask", MASKS)
def test_encoder_layer_equals_pytorchs(dtype, tolerance, norm_first, mask):
    ours = EncoderLayer(D_MODEL, N_HEADS, D_HIDDEN, norm_first=norm_first).to(dtype)
    theirs = nn.TransformerEncoderLayer(
        D_MODEL, N_HEADS, D_HIDDEN, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=dtype
    )
    copy_layer(ours, theirs)
    blocked = for_pytorch(MASKS[mask]).get("attn_mask")
    assert_same_outputs_and_gradients(
        lambda x: ours(x, MASKS[mask])[0],
        lambda x: theirs(x, src_mask=blocked),
        [random(BATCH, N, D_MODEL, dtype=dtype)],
        tolerance,
    )


@pytest.mark.parametrize(("dtype", "tolerance"), PRECISION)
@pytest.mark.parametrize("norm_first", [False, True])
def test_decoder_layer_equals_pytorchs(dtype, tolerance, norm_first):
    ours = DecoderLayer(D_MODEL, N_HEADS, D_HIDDEN, norm_first=norm_first).to(dtype)
    theirs = nn.TransformerDecoderLayer(
        D_MODEL, N_HEADS, D_HIDDEN, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=dtype
    )
    copy_layer(ours, theirs)
    assert_same_outputs_and_gradients(
        lambda x, memory: ours(x, memory, MEMORY_PADDED[:, None, None, :])[0],
        lambda x, memory: theirs(x, memory, tgt_mask=~causal_mask(N), memory_key_padding_mask=~MEMORY_PADDED),
        [random(BATCH, N, D_MODEL, dtype=dtype), random(BATCH, N_MEMORY, D_MODEL, dtype=dtype)],
        tolerance,
    )


@pytest.mark.parametrize(("dtype", "tolerance"), PRECISION)
@pytest.mark.parametrize("norm_first", [False, True])
def test_transformer_equals_pytorchs(dtype, tolerance, norm_first):
    ours = model(norm_first=norm_first).to(dtype)
    theirs = nn.Transformer(
        D_MODEL, N_HEADS, 2, 2, D_HIDDEN, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=dtype
    )
    for stack, reference in ((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder)):
        for layer, its_reference in zip(stack, reference.layers, strict=True):
            copy_layer(layer, its_reference)
    theirs.encoder.norm.load_state_dict(ours.encoder_norm.state_dict())
    theirs.decoder.norm.load_state_dict(ours.decoder_norm.state_dict())
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(N, torch.ones(BATCH, N, dtype=torch.bool))
    hidden = theirs(
        ours.source_embedding(source),
        ours.target_embedding(target),
        tgt_mask=~causal_mask(N),
        src_key_padding_mask=~MEMORY_PADDED,
        memory_key_padding_mask=~MEMORY_PADDED,
    )
    expected = hidden @ ours.target_embedding.table.weight.T
    torch.testing.assert_close(ours(source, target), expected, atol=tolerance, rtol=tolerance)


def model(**changes) -> Transformer:
    torch.manual_seed(0)
    sizes = {
        "source_vocab_size": 11,
        "target_vocab_size": 9,
        "d_model": D_MODEL,
        "n_heads": N_HEADS,
        "n_layers": 2,
        "d_hidden": D_HIDDEN,
        "dropout": 0.0,
        "n_positions": 10,
    }
    return Transformer(**sizes | changes)


def padded_ids(n, is_word):
    ids = torch.randint(1, 9, (BATCH, n), generator=torch.Generator().manual_seed(n))
    return ids * is_word  # padding is 0


@pytest.mark.parametrize("need_weights", [False, True])
def test_a_future_token_changes_nothing_before_it(need_weights):
    layer = EncoderLayer(D_MODEL, N_HEADS, D_HIDDEN)
    x = random(1, N, D_MODEL)
    changed = x.clone()
    changed[:, 3] = 100.0
    before, after = (layer(inputs, causal_mask(N), need_weights)[0] for inputs in (x, changed))
    assert torch.equal(before[:, :3], after[:, :3])
    assert not torch.equal(before[:, 3:], after[:, 3:])


def test_padding_changes_nothing():
    transformer = model().double().eval()
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(N, torch.ones(BATCH, N, dtype=torch.bool))
    together = transformer(source, target)
    for i, n_words in enumerate(MEMORY_PADDED.sum(dim=-1)):
        alone = transformer(source[i : i + 1, :n_words], target[i : i + 1])
        torch.testing.assert_close(alone[0], together[i], atol=1e-12, rtol=1e-12)


@pytest.mark.parametrize("need_weights", [False, True])
def test_a_wholly_masked_row_gives_zeros_and_no_nan(need_weights):
    mask = torch.ones(N, N, dtype=torch.bool)
    mask[2] = False
    query = random(1, 2, N, 6).requires_grad_()
    output, weights = attention(query, query, query, mask, need_weights=need_weights)
    assert (output[:, :, 2] == 0).all()
    assert weights is None or (weights[:, :, 2] == 0).all()
    output.sum().backward()
    assert query.grad.isfinite().all()


def test_the_table_of_weights_and_the_fused_kernel_agree():
    query, key, value = random(2, 3, 4, 6), random(2, 3, 5, 6), random(2, 3, 5, 8)
    torch.testing.assert_close(attention(query, key, value)[0], attention(query, key, value, need_weights=True)[0])


@pytest.mark.parametrize("need_weights", [False, True])
def test_a_mask_and_is_causal_together_allow_what_both_allow(need_weights):
    x, layer = random(BATCH, N_MEMORY, D_MODEL, dtype=torch.float64), MultiHeadAttention(D_MODEL, N_HEADS).double()
    padding = MEMORY_PADDED[:, None, None, :]
    expected, _ = layer(x, x, x, padding & causal_mask(N_MEMORY))
    output, _ = layer(x, x, x, padding, need_weights, is_causal=True)
    torch.testing.assert_close(output, expected, atol=1e-12, rtol=1e-12)


def test_with_a_cache_a_mask_and_is_causal_together_allow_what_both_allow():
    x, layer = random(BATCH, N_MEMORY, D_MODEL, dtype=torch.float64), MultiHeadAttention(D_MODEL, N_HEADS).double()
    padding = MEMORY_PADDED[:, None, None, :]
    expected, _ = layer(x, x, x, padding & causal_mask(N_MEMORY))
    with caching(layer):
        first, second = x[:, :2], x[:, 2:]
        outputs = [layer(first, first, first, padding[..., :2], is_causal=True)[0]]
        outputs.append(layer(second, second, second, padding, is_causal=True)[0])
    torch.testing.assert_close(torch.cat(outputs, dim=1), expected, atol=1e-12, rtol=1e-12)


def test_padding_at_the_end_of_the_target_changes_no_score_that_counts():
    """So the decoder needs no mask for it: causal attention never looks there, and the loss leaves these places out."""
    transformer = model()
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(N, PADDED)
    other = target.masked_fill(~PADDED, 7)
    kept = PADDED[:, :, None]
    torch.testing.assert_close(transformer(source, target) * kept, transformer(source, other) * kept)


def test_weights_over_the_memory_are_given_where_they_are_asked_for():
    transformer = model()
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(N, torch.ones(BATCH, N, dtype=torch.bool))
    memory = transformer.encode(source)
    scores, weights = transformer.decode(target, memory, source, need_weights=True)
    assert [table.shape for table in weights] == [(BATCH, N_HEADS, N, N_MEMORY)] * 2
    torch.testing.assert_close(scores, transformer(source, target))
    assert transformer.decode(target, memory, source)[1] == [None, None]


def pieces_of(ids, lengths):
    """(start, ids) of each piece."""
    starts = [sum(lengths[:i]) for i in range(len(lengths))]
    return list(zip(starts, ids.split(lengths, dim=-1), strict=True))


def test_generating_with_a_cache_gives_the_same():
    language_model = LanguageModel(20, d_model=D_MODEL, n_heads=N_HEADS, d_hidden=D_HIDDEN, n_positions=16).double()
    ids = torch.randint(20, (2, 9), generator=torch.Generator().manual_seed(0))
    whole = language_model(ids)
    with caching(language_model.layers):
        pieces = [language_model(piece, start) for start, piece in pieces_of(ids, [4, 1, 3, 1])]
    torch.testing.assert_close(torch.cat(pieces, dim=-2), whole, atol=1e-12, rtol=1e-12)


@pytest.mark.parametrize("norm_first", [False, True])
def test_decoding_with_caches_gives_the_same(norm_first):
    transformer = model(norm_first=norm_first).double()
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(6, torch.ones(BATCH, 6, dtype=torch.bool))
    memory = transformer.encode(source)
    whole, whole_weights = transformer.decode(target, memory, source, need_weights=True)
    with caching(transformer.decoder):
        pieces = [
            transformer.score(transformer.target_embedding(piece, start), memory, source, True)
            for start, piece in pieces_of(target, [2, 1, 3])
        ]
    torch.testing.assert_close(torch.cat([scores for scores, _ in pieces], dim=-2), whole, atol=1e-12, rtol=1e-12)
    for layer, expected in enumerate(whole_weights):
        weights = torch.cat([of_piece[layer] for _, of_piece in pieces], dim=-2)
        torch.testing.assert_close(weights, expected, atol=1e-12, rtol=1e-12)


def test_with_caches_the_memory_is_read_once():
    transformer = model()
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(2, torch.ones(BATCH, 2, dtype=torch.bool))
    memory = transformer.encode(source)
    with caching(transformer.decoder) as caches:
        transformer.decode(target[:, :1], memory, source)
        second, _ = transformer.score(transformer.target_embedding(target[:, 1:], 1), memory * torch.nan, source)
    assert [cache.key.shape[-2] for cache in caches] == [2, N_MEMORY] * 2
    torch.testing.assert_close(second, transformer.decode(target, memory, source)[0][:, 1:])


def test_after_caching_nothing_is_kept_whatever_happened():
    transformer = model()
    source = padded_ids(N_MEMORY, MEMORY_PADDED)
    expected = transformer(source, source)
    with pytest.raises(KeyError), caching(transformer.decoder):
        transformer(source, source)
        raise KeyError
    assert torch.equal(transformer(source, source), expected)


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("n", [1, 5, 300])
def test_is_causal_gives_the_same_as_the_mask(n, need_weights):
    x = random(2, n, D_MODEL, dtype=torch.float64)
    layer = MultiHeadAttention(D_MODEL, N_HEADS).double()
    output, weights = layer(x, x, x, need_weights=need_weights, is_causal=True)
    expected, expected_weights = layer(x, x, x, causal_mask(n), need_weights=True)
    torch.testing.assert_close(output, expected, atol=1e-12, rtol=1e-12)
    assert weights is None or torch.equal(weights, expected_weights)


def test_ids_on_an_accelerator_are_not_read():
    with torch.device("meta"):  # where nothing can be read
        transformer = model()
        source, target = torch.ones(2, 7, dtype=torch.long), torch.ones(2, 5, dtype=torch.long)
        assert transformer(source, target).shape == (2, 5, 9)


def test_cache_keeps_what_came_first_first():
    cache = Cache()
    first, second = torch.zeros(1, 1, 2, 3), torch.ones(1, 1, 1, 3)
    cache.extend(first, first)
    key, _ = cache.extend(second, second)
    assert key[0, 0, :, 0].tolist() == [0, 0, 1]


def test_positions_shift_by_a_linear_map():
    positions = sinusoidal_positions(50, 8).double()
    shift = torch.linalg.lstsq(positions[:-3], positions[3:]).solution
    torch.testing.assert_close(positions[:-3] @ shift, positions[3:], atol=1e-5, rtol=0)


def test_positions_are_those_of_the_paper():
    n, d_model = 30, 6
    wanted = [
        [(math.cos if i % 2 else math.sin)(place / 10_000 ** (2 * (i // 2) / d_model)) for i in range(d_model)]
        for place in range(n)
    ]
    torch.testing.assert_close(sinusoidal_positions(n, d_model), torch.tensor(wanted), atol=1e-5, rtol=0)


def test_embeddings_and_positions_are_of_like_size():
    torch.manual_seed(0)
    embedding, ids = Embedding(500, 64, n_positions=9), torch.tensor([[3, 1, 4]])
    expected = embedding.table.weight[ids] * 8 + sinusoidal_positions(9, 64)[2:5]
    assert torch.equal(embedding(ids, start=2), expected)
    assert abs(8 * embedding.table.weight.std().item() - 1) < 0.02


def test_the_table_of_the_target_also_learns_from_the_scores():
    transformer, source = model(), padded_ids(N_MEMORY, MEMORY_PADDED)
    transformer(source, torch.tensor([[1, 2, 3]] * BATCH)).square().sum().backward()
    unseen = [0, *range(4, 9)]  # rows that only score
    assert (transformer.target_embedding.table.weight.grad[unseen] != 0).any(dim=-1).all()


@pytest.mark.parametrize("layer_type", [EncoderLayer, DecoderLayer])
@pytest.mark.parametrize("norm_first", [False, True])
def test_dropout_leaves_the_residual_connection_alone(layer_type, norm_first):
    layer, x = layer_type(D_MODEL, N_HEADS, D_HIDDEN, dropout=1.0, norm_first=norm_first), random(2, N, D_MODEL)
    expected = x if norm_first else nn.functional.layer_norm(x, (D_MODEL,))  # a norm of what is normed changes nothing
    inputs = (x, x) if layer_type is DecoderLayer else (x,)
    torch.testing.assert_close(layer.train()(*inputs)[0], expected, atol=1e-4, rtol=0)


def test_dropout_takes_weights_and_hidden_numbers_in_training():
    x = random(2, N, D_MODEL)
    attend, forward = MultiHeadAttention(D_MODEL, N_HEADS, dropout=1.0), feed_forward(D_MODEL, D_HIDDEN, dropout=1.0)
    for need_weights in (False, True):
        output, _ = attend(x, x, x, need_weights=need_weights)
        torch.testing.assert_close(output, attend.to_output.bias.expand_as(output))
    torch.testing.assert_close(forward(x), forward[3].bias.expand_as(x))


def test_dropout_does_nothing_in_evaluation():
    without, dropping = model().eval(), model(dropout=0.9).eval()
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(N, torch.ones(BATCH, N, dtype=torch.bool))
    assert torch.equal(dropping(source, target), without(source, target))
    assert not torch.equal(dropping.train()(source, target), without(source, target))


def test_masks():
    assert causal_mask(3).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert causal_mask(1, 4).tolist() == [[1, 1, 1, 1]]
    assert padding_mask(torch.tensor([[5, 6, 0]]), 0).tolist() == [[[[1, 1, 0]]]]


def test_state_dict_round_trip():
    one, other = model(), model()
    with torch.no_grad():
        other.encoder[0].feed_forward[0].weight.zero_()
    other.load_state_dict(one.state_dict())
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(N, torch.ones(BATCH, N, dtype=torch.bool))
    assert torch.equal(one(source, target), other(source, target))
    assert torch.equal(copy.deepcopy(one)(source, target), one(source, target))


def test_a_state_with_the_names_of_older_checkpoints_can_be_read():
    now = model(norm_first=True).state_dict()
    old = {re.sub(r"norm_(\d)", lambda found: f"around.{int(found[1]) - 1}.norm", name): now[name] for name in now}
    assert "decoder.1.around.2.norm.weight" in old
    assert list(transformer.upgraded_names(old)) == list(now)
    assert list(transformer.upgraded_names(now)) == list(now)
    averages = transformer.upgraded_names({"exp_avg.decoder.1.around.2.norm.weight": torch.ones(1)})
    assert averages == {"exp_avg.decoder.1.norm_3.weight": torch.ones(1)}


def test_autocast_to_bfloat16():
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(N, torch.ones(BATCH, N, dtype=torch.bool))
    transformer = model()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half = transformer(source, target)
    assert half.dtype == torch.bfloat16
    torch.testing.assert_close(half.float(), transformer(source, target), atol=0.1, rtol=0.1)


def test_compiles_to_one_graph():
    source, target = padded_ids(N_MEMORY, MEMORY_PADDED), padded_ids(N, torch.ones(BATCH, N, dtype=torch.bool))
    transformer = model()
    compiled = torch.compile(transformer, backend="eager", fullgraph=True)  # without a C++ compiler
    torch.testing.assert_close(compiled(source, target), transformer(source, target))


REFUSED = [
    (ValueError, "12 is not a multiple of 5", lambda: MultiHeadAttention(12, 5)),
    (ValueError, "must be even", lambda: sinusoidal_positions(4, 7)),
    (TypeError, "must be boolean", lambda: attention(random(2, 3), random(2, 3), random(2, 3), torch.zeros(2, 2))),
    (
        ValueError,
        "must fit the scores, (2, 4), but has the shape (4, 2)",
        lambda: attention(random(2, 3), random(4, 3), random(4, 3), torch.ones(4, 2, dtype=torch.bool)),
    ),
    (
        ValueError,
        "as many keys as queries, but there are 4 and 2",
        lambda: attention(random(2, 3), random(4, 3), random(4, 3), is_causal=True),
    ),
    (ValueError, "There are 10 positions, but 11 tokens", lambda: model().encode(torch.ones(1, 11, dtype=torch.long))),
    (ValueError, "from 0 to 10, but go from 3 to 12", lambda: model().encode(torch.tensor([[3, 12]]))),
    (ValueError, "from 0 to 10, but go from -1 to 3", lambda: model().encode(torch.tensor([[3, -1]]))),
    (ValueError, "at least one token, but their shape is (0, 4)", lambda: model().encode(torch.ones(0, 4).long())),
]


@pytest.mark.parametrize(("kind", "words", "call"), REFUSED, ids=[words for _, words, _ in REFUSED])
def test_bad_input_gets_one_sentence(kind, words, call):
    with pytest.raises(kind) as refusal:
        call()
    message = str(refusal.value)
    assert words in message and message.endswith(".") and "\n" not in message


def test_multi_head_attention_of_lesson_8_gives_the_same():
    lesson = rules.read(ROOT / "notebooks" / "08-multi-head.ipynb", [])
    code = {node.name: ast.unparse(node) for node in rules.definitions(lesson)}["MultiHeadAttention"]
    namespace = {"torch": torch, "nn": nn}
    exec(code, namespace)
    taught, ours = namespace["MultiHeadAttention"](D_MODEL, N_HEADS), MultiHeadAttention(D_MODEL, N_HEADS)
    ours.load_state_dict(taught.state_dict())
    x, y = random(BATCH, N, D_MODEL), random(BATCH, N_MEMORY, D_MODEL)
    for mine, its in zip(ours(x, y, y, need_weights=True), taught(x, y, y), strict=True):
        torch.testing.assert_close(mine, its)
