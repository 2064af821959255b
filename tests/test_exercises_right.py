"""Right functions are found right, however they are written."""

import functools
import math

import numpy as np
import pytest
import torch
from checking import EXERCISES, in_an_empty_folder  # noqa: F401 (a fixture)
from torch import nn
from torch.nn import functional as F

from helpers.checks.judge import judge
from helpers.checks.verdict import RIGHT, WRONG
from helpers.exercises import check


def softmax_by_loops(scores):
    rows = []
    for row in scores:
        largest = max(row)
        parts = [torch.exp(score - largest) for score in row]
        rows.append(torch.stack([part / sum(parts) for part in parts]))
    return torch.stack(rows)


def softmax_in_float64(scores):
    return torch.softmax(scores.double(), -1)


def attention_by_loops(query, key, value):
    out = torch.zeros(query.shape[0], query.shape[1], value.shape[2], dtype=value.dtype)
    for i in range(query.shape[0]):
        for b in range(query.shape[1]):
            weights = torch.softmax((key[:, b] * query[i, b]).sum(1) / key.shape[2] ** 0.5, 0)
            for j in range(key.shape[0]):
                out[i, b] += weights[j] * value[j, b]
    return out


def head_silenced(heads, w_output, head):
    zeros = heads.clone()
    zeros[:, head] = 0
    with_it, without = (tensor.transpose(1, 2).flatten(2) @ w_output for tensor in (heads, zeros))
    return with_it - without


def heads_by_loop(query, key, value, w_output, n_heads):
    parts = zip(query.chunk(n_heads, -1), key.chunk(n_heads, -1), value.chunk(n_heads, -1), strict=True)
    return torch.cat([F.scaled_dot_product_attention(*part) for part in parts], -1) @ w_output


def masked_by_rows(scores, mask):
    out = torch.zeros_like(scores)
    for i in range(len(scores)):
        if mask[i].any():
            out[i, mask[i]] = torch.softmax(scores[i, mask[i]], 0)
    return out


def scores_in_default_dtype(queries, keys):
    table = torch.zeros(len(queries), len(keys))
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            table[i, j] = query.dot(key)
    return table


def w_key_by_columns(x, word, query):
    w = torch.zeros(x.shape[1], len(query), dtype=query.dtype)
    (place,) = [i for i, column in enumerate(x.T) if column[word] != 0 and column.count_nonzero() == 1]
    w[place] = query / x[word, place]
    return w


def loss_by_loops(scores, wanted, counts):
    losses = []
    for sentence, place in counts.nonzero():
        row = scores[sentence, place]
        losses.append(torch.logsumexp(row, 0) - row[wanted[sentence, place]])
    return sum(losses) / len(losses)


def embedded_by_loops(ids, pad, table, positions):
    out = torch.zeros(*ids.shape, table.shape[1], dtype=table.dtype)
    for text, row in enumerate(ids):
        for place, column in enumerate((row != pad).nonzero()[:, 0]):
            out[text, column] = table[row[column]] * math.sqrt(table.shape[1]) + positions[place]
    return out


def embedded_by_shifts(ids, pad, table, positions):
    n_padding = (ids == pad).sum(-1, keepdim=True)
    places = torch.arange(ids.shape[1]) - n_padding
    x = F.embedding(ids, table * table.shape[1] ** 0.5) + positions[places.clamp(min=0)]
    return torch.where((places < 0)[..., None], 0.0, x)


def sinusoids_by_loops(places, d_model):
    rows = torch.zeros(len(places), d_model)
    for row, place in zip(rows, places.tolist(), strict=True):
        for i in range(0, d_model, 2):
            angle = place / 10_000 ** (i / d_model)
            row[i], row[i + 1] = np.sin(angle), np.cos(angle)
    return rows


def place_by_distance(places, vectors):
    return places[torch.cdist(vectors, sinusoids_by_loops(places, vectors.shape[1]).to(vectors.dtype)).argmin(1)]


def place_by_loops(places, vectors):
    table = sinusoids_by_loops(places, vectors.shape[1])
    return torch.stack([places[((table - vector) ** 2).sum(1).argmin()] for vector in vectors])


def turned_as_complex_numbers(places, x):
    fastness = 10_000.0 ** -(torch.arange(0, x.shape[1], 2, dtype=x.dtype) / x.shape[1])
    turns = torch.polar(torch.ones(len(x), len(fastness), dtype=x.dtype), -places[:, None] * fastness)
    return torch.view_as_real(torch.view_as_complex(x.reshape(len(x), -1, 2).contiguous()) * turns).flatten(1)


def turned_by_neighbours(places, x):
    angles = places[:, None] / 10_000 ** (torch.arange(0, x.shape[1], 2, dtype=x.dtype) / x.shape[1])
    angles = angles.repeat_interleave(2, 1)
    neighbours = torch.stack([x[:, 1::2], -x[:, 0::2]], 2).reshape(x.shape)
    return x * angles.cos() + neighbours * angles.sin()


def scores_of(turned):
    def scores(places, queries, keys):
        return turned(places[-len(queries) :], queries) @ turned(places, keys).T / keys.shape[1] ** 0.5

    return scores


def scores_by_distances(places, queries, keys):
    rows = []
    for place, query in zip(places[-len(queries) :], queries, strict=True):
        row = []
        for other, key in zip(places, keys, strict=True):
            angles = (place - other) / 10_000 ** (torch.arange(0, len(key), 2, dtype=key.dtype) / len(key))
            turns = [torch.tensor([[a.cos(), a.sin()], [-a.sin(), a.cos()]], dtype=key.dtype) for a in angles]
            row.append(torch.block_diag(*turns) @ query @ key)
        rows.append(torch.stack(row))
    return torch.stack(rows) / keys.shape[1] ** 0.5


def masks_one_by_one(is_word, n_target):
    n_source = is_word.shape[1]
    encoder = torch.stack([torch.stack([row] * n_source) for row in is_word])
    target = torch.stack([torch.ones(n_target, n_target).tril() == 1] * len(is_word))
    return encoder, target, torch.stack([torch.stack([row] * n_target) for row in is_word])


def masks_by_products(is_word, n_target):
    words = is_word.long()[:, None]
    places = torch.arange(n_target)
    earlier = (places[:, None] >= places).repeat(len(words), 1, 1)
    return [torch.ones(is_word.shape[1], 1).long() @ words > 0, earlier, torch.ones(n_target, 1).long() @ words > 0]


def encoder_of_sums(x, mask, layers, last_norm):
    def layer(x, parts):
        attend, feed_forward, norm_1, norm_2 = parts
        changes = attend(*3 * [norm_1(x)], mask)
        return sum([x, changes, feed_forward(norm_2(x + changes))])

    return last_norm(functools.reduce(layer, layers, x))


def encoder_by_recursion(x, mask, layers, last_norm):
    if not layers:
        return last_norm(x)
    (attend, feed_forward, norm_1, norm_2), *above = layers
    y = torch.add(x, attend(norm_1(x), norm_1(x), norm_1(x), mask=mask))
    return encoder_by_recursion(y.add(feed_forward(norm_2(y))), mask, above, last_norm)


def mended_with_full_masks(x, memory, is_word, attend, feed_forward, norm):
    n = torch.arange(len(x))
    x = x + attend(norm(x), norm(x), norm(x), n[:, None] >= n)
    x = x + attend(norm(x), memory, memory, is_word.expand(len(x), len(memory)))
    return x + feed_forward(norm(x))


def count_by_building(source_words, target_words, d_model, d_hidden, n_layers):
    with torch.device("meta"):
        stacks = nn.Transformer(d_model, 1, n_layers, n_layers, d_hidden)
    return sum(part.numel() for part in stacks.parameters()) + (source_words + target_words) * d_model


def request_by_typed_matrices(x, asks, offers, hands, strength):
    """The strength in the keys, and PyTorch's attention."""
    n = x.shape[-1]
    w_key, w_value = torch.zeros(n, 1, dtype=x.dtype), torch.zeros(n, n, dtype=x.dtype)
    w_key[offers], w_value[hands, hands] = strength, 1
    return F.scaled_dot_product_attention(x[None, :, [asks]], (x @ w_key)[None], (x @ w_value)[None])[0]


UNUSUAL = [
    ("embed", lambda ids, table: F.embedding(ids, table)),
    ("embed", lambda ids, table: F.one_hot(ids, len(table)).to(table.dtype) @ table),
    ("embed", lambda ids, table: torch.stack([table[int(i)] for i in ids])),
    ("recover_ids", lambda embedded, table: torch.cdist(embedded, table).argmin(-1)),
    ("recover_ids", lambda embedded, table: (embedded[:, None] == table).all(-1).int().argmax(-1)),
    ("recover_ids", lambda embedded, table: [table.tolist().index(row) for row in embedded.tolist()]),
    ("nearest_id", lambda vector, table: torch.cdist(vector[None], table).argmin()),
    ("row_for_shares", lambda wanted, features: wanted / (features > 0).sum(0)),
    ("row_for_shares", lambda wanted, features: torch.linalg.pinv(features.T @ features) @ wanted),
    ("mix_by_request", lambda f, w: torch.nn.functional.normalize(f @ w @ f.T, p=1, dim=-1) @ f),
    (
        "shares_to_take",
        lambda n, place, other, share: torch.eye(n).index_put(
            (torch.tensor([place, place]), torch.tensor([place, other])), torch.tensor([1 - share, share])
        ),
    ),
    ("w_value_for", lambda d_model, handed_over: F.one_hot(handed_over, d_model).T.float()),
    ("w_value_for", lambda d_model, handed_over: (torch.arange(d_model)[:, None] == handed_over) * 1.0),
    ("w_query_for", lambda row, query: torch.outer((row != 0).to(query.dtype), query) / row.sum()),
    ("w_query_for", lambda row, query: torch.outer(torch.linalg.pinv(row[None]).flatten(), query)),
    ("w_key_for", w_key_by_columns),
    ("best_unit_key", lambda query: F.normalize(query, dim=0)),
    ("best_unit_key", lambda query: query / (query * query).sum().sqrt()),
    ("spread_of_scores", lambda std_query, std_key, d_k: torch.tensor(std_query * std_key * d_k**0.5)),
    ("spread_of_scores", lambda std_query, std_key, d_k: np.sqrt(sum((std_query * std_key) ** 2 for _ in range(d_k)))),
    ("divisor_for", lambda query, keys: torch.std((query * keys).sum(-1), unbiased=False)),
    ("divisor_for", lambda query, keys: ((s := keys @ query) - s.mean()).norm() / len(keys) ** 0.5),
    ("project_row", lambda row, w: torch.stack([sum(row[i] * column[i] for i in range(len(row))) for column in w.T])),
    ("score_table", lambda queries, keys: torch.einsum("qd,kd->qk", queries, keys)),
    ("score_table", scores_in_default_dtype),
    ("softmax", torch.nn.Softmax(dim=1)),
    ("softmax", lambda scores: F.softmax(scores, dim=1)),
    ("softmax", softmax_by_loops),
    ("softmax", softmax_in_float64),
    ("softmax", lambda scores: torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))),
    ("softmax", lambda scores: torch.stack([F.softmax(row, 0) for row in scores])),
    ("softmax", lambda x: (e := torch.exp(x - x.amax(axis=1, keepdims=True))) / e.sum(axis=1, keepdims=True)),
    ("softmax", lambda x: (e := torch.exp(x - x.detach().max(1, keepdim=True).values)) / e.sum(1, keepdim=True)),
    ("how_far_behind", lambda weights: weights.log().amax(-1)[:, None] - weights.log()),
    ("how_far_behind", lambda weights: torch.stack([(row.max() / row).log() for row in weights])),
    ("score_for_half", lambda others: others[:, 0] - torch.log_softmax(others, 1)[:, 0]),
    ("score_for_half", lambda others: torch.stack([row.logsumexp(0) for row in others])),
    ("brought_most", lambda weights, values: torch.einsum("qk,kd->qdk", weights, values).max(2).indices),
    ("brought_most", lambda weights, values: torch.stack([(row[:, None] * values).argmax(0) for row in weights])),
    ("contributions", lambda weights, values: (weights[:, :, None] * values).pow(2).sum(2).sqrt()),
    (
        "contributions",
        lambda weights, values: torch.linalg.vector_norm(torch.einsum("qk,kd->qkd", weights, values), dim=2),
    ),
    ("tokens_first", attention_by_loops),
    ("attend_to", lambda x, y, q, k, v: F.scaled_dot_product_attention(x[None] @ q, y[None] @ k, y[None] @ v)[0]),
    (
        "strength_for",
        lambda share, n_key, d_k: math.sqrt(d_k) * (math.log(share) - math.log((1 - share) / (n_key - 1))),
    ),
    ("strength_for", lambda share, n_key, d_k: d_k**0.5 * torch.log(torch.tensor(share * (n_key - 1) / (1 - share)))),
    ("one_request", request_by_typed_matrices),
    ("mend_split", lambda w: torch.stack(w.reshape(w.shape[0], w.shape[2], -1).chunk(w.shape[1], -1), 1)),
    ("mend_split", lambda w: w.flatten(1).unflatten(1, (w.shape[2], w.shape[1], -1)).permute(0, 2, 1, 3)),
    ("follow_the_heads", lambda w, order: torch.cat([w.chunk(len(order))[head] for head in order])),
    ("multi_head", heads_by_loop),
    ("causal_mask", lambda q, k: torch.arange(k - q, k)[:, None] >= torch.arange(k)),
    ("causal_mask", lambda q, k: torch.ones(k, k).tril().bool()[-q:]),
    ("causal_mask", lambda q, k: ~torch.triu(torch.ones(q, k), diagonal=k - q + 1).bool()),
    ("causal_mask", lambda q, k: torch.tensor([[j <= i + k - q for j in range(k)] for i in range(q)])),
    ("what_a_head_adds", head_silenced),
    ("what_a_head_adds", lambda heads, w, head: heads[:, head] @ w.chunk(heads.shape[1])[head]),
    ("masked_softmax", masked_by_rows),
    ("masked_softmax", lambda s, m: torch.nan_to_num(torch.softmax(torch.where(m, s, -torch.inf), 1))),
    ("masked_softmax", lambda s, m: torch.softmax(s.masked_fill(~m, -1e9), -1) * m),
    ("input_and_target", lambda ids, pad: (ids[:, :-1], ids[:, 1:], ~ids[:, 1:].eq(pad))),
    ("input_and_target", lambda ids, pad: [*(x := (ids.narrow(1, 0, ids.shape[1] - 1), ids[:, 1:])), x[1] != pad]),
    ("mean_loss", loss_by_loops),
    ("mean_loss", lambda s, w, c: F.cross_entropy(s[c], w[c])),
    ("mean_loss", lambda s, w, c: F.cross_entropy(s.flatten(0, 1), w.masked_fill(~c, -100).flatten())),
    ("which_place", place_by_distance),
    ("which_place", place_by_loops),
    ("embed_padded", embedded_by_loops),
    ("embed_padded", embedded_by_shifts),
    ("rotary_scores", scores_of(turned_as_complex_numbers)),
    ("rotary_scores", scores_of(turned_by_neighbours)),
    ("rotary_scores", scores_by_distances),
    ("three_masks", masks_one_by_one),
    ("three_masks", masks_by_products),
    ("encoder", encoder_of_sums),
    ("encoder", encoder_by_recursion),
    ("mended_layer", mended_with_full_masks),
    ("count_transformer", count_by_building),
]


@pytest.mark.parametrize(("name", "function"), UNUSUAL)
def test_right_but_unusual_function_is_right(name, function):
    verdict = check(name, function)
    assert verdict.status == RIGHT, verdict


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_reference_is_right_and_says_what_was_verified(exercise):
    verdict = judge(exercise, exercise.reference)
    assert verdict.status == RIGHT and exercise.verified in verdict.message


def ready_made(query, key, value):
    attend = F.scaled_dot_product_attention
    return attend(query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)).transpose(0, 1)


def test_ready_made_function_is_refused_where_the_statement_forbids_it():
    verdict = check("tokens_first", ready_made)
    assert (verdict.status, verdict.mistake) == (WRONG, "banned") and "ready-made" in verdict.message


def test_other_precision_is_right_with_a_remark():
    assert "float64" in "".join(check("softmax", softmax_in_float64).remarks)
