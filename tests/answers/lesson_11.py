"""Lesson 11: masks, an encoder, a layer to mend, and a count of parameters."""

NOTEBOOK = """
import math

import torch
from torch import nn
"""

ANSWERS = {
    "three_masks(is_word, n_target)": """
## right: expand
batch, n = is_word.shape
encoder = is_word[:, None, :].expand(batch, n, n)
causal = torch.ones(n_target, n_target, dtype=torch.bool).tril().expand(batch, -1, -1)
cross = is_word[:, None, :].expand(batch, n_target, n)
return encoder, causal, cross
## right: repeat, list returned
causal = torch.tril(torch.ones(n_target, n_target)).bool()
return [is_word.unsqueeze(1).repeat(1, is_word.shape[1], 1), causal.unsqueeze(0).repeat(len(is_word), 1, 1),
        is_word.unsqueeze(1).repeat(1, n_target, 1)]
## right: loops
b, n = is_word.shape
encoder = torch.zeros(b, n, n, dtype=torch.bool)
decoder = torch.zeros(b, n_target, n_target, dtype=torch.bool)
cross = torch.zeros(b, n_target, n, dtype=torch.bool)
for s in range(b):
    for q in range(n):
        for k in range(n):
            encoder[s, q, k] = is_word[s, k]
    for q in range(n_target):
        for k in range(n_target):
            decoder[s, q, k] = k <= q
        for k in range(n):
            cross[s, q, k] = is_word[s, k]
return encoder, decoder, cross
## right: comparison of places
batch, n = is_word.shape
t = torch.arange(n_target)
decoder = (t[None, :] <= t[:, None]).repeat(batch, 1, 1)
return is_word[:, None].repeat(1, n, 1), decoder, is_word[:, None].repeat(1, n_target, 1)
## right: multiplied by ones
batch, n = is_word.shape
keys = is_word[:, None, :]
return (keys & torch.ones(batch, n, 1, dtype=torch.bool),
        ~torch.ones(batch, n_target, n_target).triu(1).bool(),
        keys & torch.ones(batch, n_target, 1, dtype=torch.bool))
## right: stack
n = is_word.shape[-1]
self_mask = torch.stack([torch.ones(n_target, n_target).tril() == 1 for _ in is_word])
return torch.stack([is_word] * n, dim=1), self_mask, torch.stack([is_word] * n_target, dim=1)
## wrong encoder-rows: transposed, padding as queries
b, n = is_word.shape
return (is_word[:, :, None].expand(b, n, n), torch.ones(b, n_target, n_target).tril().bool(),
        is_word[:, None, :].expand(b, n_target, n))
## wrong encoder-causal: encoder causal too
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n).tril(), torch.ones(b, n_target, n_target).tril().bool(),
        is_word[:, None, :].expand(b, n_target, n))
## wrong memory-causal: cross causal
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n), torch.ones(b, n_target, n_target).tril().bool(),
        is_word[:, None, :].expand(b, n_target, n).tril())
## wrong target-wrong-side: triu for tril
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n), torch.ones(b, n_target, n_target).triu().bool(),
        is_word[:, None, :].expand(b, n_target, n))
## wrong target-without-itself: own token forbidden
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n), torch.ones(b, n_target, n_target).tril(-1).bool(),
        is_word[:, None, :].expand(b, n_target, n))
## wrong true-means-masked: True and False exchanged
b, n = is_word.shape
return (~is_word[:, None, :].expand(b, n, n), torch.ones(b, n_target, n_target).triu(1).bool(),
        ~is_word[:, None, :].expand(b, n_target, n))
## wrong not-boolean: float masks
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n).float(), torch.ones(b, n_target, n_target).tril(),
        is_word[:, None, :].expand(b, n_target, n).float())
## wrong target-without-batch: no batch in the decoder's mask
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n), torch.ones(n_target, n_target).tril().bool(),
        is_word[:, None, :].expand(b, n_target, n))
## wrong not-expanded: masks not expanded over queries
b, n = is_word.shape
return is_word[:, None, :], torch.ones(b, n_target, n_target).tril().bool(), is_word[:, None, :]
## wrong memory-open: cross sees all, padding too
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n), torch.ones(b, n_target, n_target).tril().bool(),
        torch.ones(b, n_target, n, dtype=torch.bool))
## wrong encoder-open: encoder sees padding
b, n = is_word.shape
return (torch.ones(b, n, n, dtype=torch.bool), torch.ones(b, n_target, n_target).tril().bool(),
        is_word[:, None, :].expand(b, n_target, n))
## wrong padding-asks-nothing: rows of padding closed too
b, n = is_word.shape
encoder = is_word[:, None, :] & is_word[:, :, None]
return encoder, torch.ones(b, n_target, n_target).tril().bool(), is_word[:, None, :].expand(b, n_target, n)
## wrong order: order of masks changed
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n), is_word[:, None, :].expand(b, n_target, n),
        torch.ones(b, n_target, n_target).tril().bool())
## wrong cross-turned: cross as key by query
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n), torch.ones(b, n_target, n_target).tril().bool(),
        is_word[:, :, None].expand(b, n, n_target))
## wrong truth-of-tensor: and on tensors
b, n = is_word.shape
encoder = is_word[:, None, :] and torch.ones(b, n, n, dtype=torch.bool)
return encoder, torch.ones(b, n_target, n_target).tril().bool(), is_word[:, None, :].expand(b, n_target, n)
## wrong written-out: batch of the example written out
n = is_word.shape[1]
return (is_word[:, None, :].expand(-1, n, n), torch.ones(2, n_target, n_target).tril().bool(),
        is_word[:, None, :].expand(-1, n_target, n))
## wrong type: only two masks
b, n = is_word.shape
return is_word[:, None, :].expand(b, n, n), torch.ones(b, n_target, n_target).tril().bool()
## wrong target-open: decoder all open
b, n = is_word.shape
return (is_word[:, None, :].expand(b, n, n), torch.ones(b, n_target, n_target).bool(),
        is_word[:, None, :].expand(b, n_target, n))
## wrong not-boolean: -inf in place of False
b, n = is_word.shape
bias = torch.zeros(b, 1, n).masked_fill(~is_word[:, None, :], -torch.inf)
causal = torch.full((b, n_target, n_target), -torch.inf).triu(1)
return bias.expand(b, n, n), causal, bias.expand(b, n_target, n)
## right: outer products
ones = torch.ones_like(is_word)
encoder = torch.einsum("bq,bk->bqk", ones.int(), is_word.int()).bool()
target = torch.ones(len(is_word), n_target, dtype=torch.int)
cross = torch.einsum("bq,bk->bqk", target, is_word.int()).bool()
decoder = torch.tril(torch.einsum("bq,bk->bqk", target, target)).bool()
return encoder, decoder, cross
## wrong cross-as-large-as-the-source: cross as large as the source
b, n = is_word.shape
keys = is_word[:, None, :].expand(b, n, n)
return keys, torch.ones(b, n_target, n_target).tril().bool(), keys
## wrong target-as-large-as-the-source: decoder as large as the source
b, n = is_word.shape
keys = is_word[:, None, :]
return keys.expand(b, n, n), torch.ones(b, n, n).tril().bool(), keys.expand(b, n_target, n)
## wrong sizes-differ: padding in the decoder's mask as well
b, n = is_word.shape
keys = is_word[:, None, :]
decoder = torch.ones(b, n_target, n_target).tril().bool() & is_word[:, None, :n_target]
return keys.expand(b, n, n), decoder, keys.expand(b, n_target, n)
## wrong memory-causal-and-open: cross by the target's tril and the words
b, n = is_word.shape
keys = is_word[:, None, :].expand(b, n, n)
causal = torch.ones(b, n_target, n_target).tril().bool()
return keys, causal, torch.ones(b, n_target, n).tril().bool()
## wrong padding-never-masked: encoder all open and cross all open
b, n = is_word.shape
return (torch.ones(b, n, n).bool(), torch.ones(b, n_target, n_target).tril().bool(), torch.ones(b, n_target, n).bool())
""",
    "encoder(x, mask, layers, last_norm)": """
## right: plain
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(norm_2(x))
return last_norm(x)
## right: by index
for layer in layers:
    normed = layer[2](x)
    x = x + layer[0](normed, normed, normed, mask)
    x = x + layer[1](layer[3](x))
return last_norm(x)
## right: recursion
if not layers:
    return last_norm(x)
(attend, feed_forward, norm_1, norm_2), *rest = layers
y = norm_1(x)
x = x + attend(y, y, y, mask)
return encoder(x + feed_forward(norm_2(x)), mask, rest, last_norm)
## right: functional
from functools import reduce
def layer(x, parts):
    attend, work, norm_1, norm_2 = parts
    x = torch.add(x, attend(norm_1(x), norm_1(x), norm_1(x), mask))
    return torch.add(work(norm_2(x)), x)
return last_norm(reduce(layer, layers, x))
## right: keyword arguments
stream = x
for i in range(len(layers)):
    attend, feed_forward, norm_1, norm_2 = layers[i]
    n = norm_1(stream)
    attended = attend(n, n, n, mask)
    stream = stream + attended
    stream = stream + feed_forward(norm_2(stream))
return last_norm(stream)
## right: clone, then +=
x = x.clone()
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x += attend(y, y, y, mask)
    x += feed_forward(norm_2(x))
return last_norm(x)
## wrong norm-after: norm after the sum
for attend, feed_forward, norm_1, norm_2 in layers:
    x = norm_1(x + attend(x, x, x, mask))
    x = norm_2(x + feed_forward(x))
return last_norm(x)
## wrong norm-on-the-wrong-branch: norm on the main way
for attend, feed_forward, norm_1, norm_2 in layers:
    x = norm_1(x)
    x = x + attend(x, x, x, mask)
    x = norm_2(x)
    x = x + feed_forward(x)
return last_norm(x)
## wrong no-last-norm: last norm forgotten
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(norm_2(x))
return x
## wrong last-norm-in-each-layer: last norm in each layer
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = last_norm(x + feed_forward(norm_2(x)))
return x
## wrong no-residual: nothing added
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = attend(y, y, y, mask)
    x = feed_forward(norm_2(x))
return last_norm(x)
## wrong only-queries-normed: only the query is normed
for attend, feed_forward, norm_1, norm_2 in layers:
    x = x + attend(norm_1(x), x, x, mask)
    x = x + feed_forward(norm_2(x))
return last_norm(x)
## wrong mask-forgotten: mask not given
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, None)
    x = x + feed_forward(norm_2(x))
return last_norm(x)
## wrong mask-forgotten: mask left out of the call
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y)
    x = x + feed_forward(norm_2(x))
return last_norm(x)
## wrong return-in-loop: return inside the loop
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(norm_2(x))
    return last_norm(x)
## wrong side-by-side: feed-forward of the input of the layer
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    attended = x + attend(y, y, y, mask)
    x = attended + feed_forward(norm_2(x))
return last_norm(x)
## wrong one-norm: feed-forward of the same norm
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(norm_1(x))
return last_norm(x)
## wrong norms-exchanged: norms exchanged
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_2(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(norm_1(x))
return last_norm(x)
## wrong upside-down: layers from the top
for attend, feed_forward, norm_1, norm_2 in layers[::-1]:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(norm_2(x))
return last_norm(x)
## wrong only-the-first-layer: only the first layer
attend, feed_forward, norm_1, norm_2 = layers[0]
y = norm_1(x)
x = x + attend(y, y, y, mask)
return last_norm(x + feed_forward(norm_2(x)))
## wrong tuple-in-another-order: order in the tuple mixed up
for norm_1, attend, norm_2, feed_forward in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(norm_2(x))
return last_norm(x)
## wrong overwritten: feed-forward not added
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = feed_forward(norm_2(x))
return last_norm(x)
## wrong norm-on-the-wrong-branch: y added, not x
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = y + attend(y, y, y, mask)
    y = norm_2(x)
    x = y + feed_forward(y)
return last_norm(x)
## wrong each-layer-reads-the-words: always the input again
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    out = x + attend(y, y, y, mask)
    out = out + feed_forward(norm_2(out))
return last_norm(out)
## wrong in-place: input changed in place
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x += attend(y, y, y, mask)
    x += feed_forward(norm_2(x))
return last_norm(x)
## wrong written-out: two layers written out
for i in range(2):
    attend, feed_forward, norm_1, norm_2 = layers[i]
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(norm_2(x))
return last_norm(x)
## wrong never-normed: no norms within the layers
for attend, feed_forward, norm_1, norm_2 in layers:
    x = x + attend(x, x, x, mask)
    x = x + feed_forward(x)
return last_norm(x)
## right: while with a counter
i = 0
while i < len(layers):
    a, f, n1, n2 = layers[i]
    h = n1(x)
    x = torch.stack([x, a(h, h, h, mask)]).sum(0)
    x = torch.stack([x, f(n2(x))]).sum(0)
    i += 1
return last_norm(x)
## wrong place-too-much: each sublayer added twice
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + x + feed_forward(norm_2(x))
return last_norm(x)
## wrong error: attend gets a list
for attend, feed_forward, norm_1, norm_2 in layers:
    x = x + attend([norm_1(x)] * 3, mask)
    x = x + feed_forward(norm_2(x))
return last_norm(x)
## wrong error: mask given to the feed-forward part
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(norm_2(x), mask)
return last_norm(x)
## wrong attention-last: feed-forward before attention
for attend, feed_forward, norm_1, norm_2 in layers:
    x = x + feed_forward(norm_2(x))
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
return last_norm(x)
## wrong second-not-normed: second norm forgotten
for attend, feed_forward, norm_1, norm_2 in layers:
    y = norm_1(x)
    x = x + attend(y, y, y, mask)
    x = x + feed_forward(x)
return last_norm(x)
""",
    "mended_layer(x, memory, is_word, attend, feed_forward, norm)": """
## right: plain
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## right: mask of one row
causal = torch.ones(len(x), len(x)).tril().bool()
x = x + attend(norm(x), norm(x), norm(x), causal)
x = x + attend(norm(x), memory, memory, is_word[None, :])
return x + feed_forward(norm(x))
## right: mask of one axis
n = x.shape[0]
causal = torch.arange(n)[None, :] <= torch.arange(n)[:, None]
y = norm(x)
x = attend(y, y, y, causal) + x
x = attend(norm(x), memory, memory, is_word) + x
return feed_forward(norm(x)) + x
## right: named steps
n = len(x)
causal = ~torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
normed = norm(x)
after_self = x + attend(normed, normed, normed, causal)
cross_mask = is_word.unsqueeze(0).repeat(n, 1)
after_cross = after_self + attend(norm(after_self), memory, memory, cross_mask)
return after_cross + feed_forward(norm(after_cross))
## right: triu transposed
causal = torch.ones(len(x), len(x), dtype=torch.bool).triu().T
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, torch.stack([is_word] * len(x)))
x = x + feed_forward(norm(x))
return x
## right: broken variable kept as residual
causal = torch.tril(torch.ones((len(x), len(x)), dtype=torch.bool))
residual = x
x = norm(x)
x = residual + attend(x, x, x, causal)
residual = x
x = residual + attend(norm(x), memory, memory, is_word.expand(x.shape[0], memory.shape[0]))
return x + feed_forward(norm(x))
## wrong all-three: nothing mended
causal = torch.ones(len(x), len(x), dtype=torch.bool).triu()
x = norm(x)
x = x + attend(x, x, x, causal)
x = x + attend(norm(x), memory, memory, None)
return x + feed_forward(norm(x))
## wrong mask-on-the-wrong-side: still triu
causal = torch.ones(len(x), len(x), dtype=torch.bool).triu()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong norm-on-the-wrong-branch: norm on the way of x
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
x = norm(x)
x = x + attend(x, x, x, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong memory-unmasked: cross mask still None
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, None)
return x + feed_forward(norm(x))
## wrong only-the-future: triu(1): only the future
causal = torch.ones(len(x), len(x), dtype=torch.bool).triu(1)
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong without-itself: tril(-1), itself hidden
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril(-1)
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong memory-normed: memory normed as well
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), norm(memory), norm(memory), is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong memory-mask-inverted: padding mask inverted
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, ~is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong memory-mask-on-queries: cross mask along queries
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word[:, None])
return x + feed_forward(norm(x))
## wrong feed-forward-not-normed: feed-forward without norm
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(x)
## wrong feed-forward-not-added: feed-forward not added
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return feed_forward(norm(x))
## wrong norms-after: norm after the sum
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
x = norm(x + attend(x, x, x, causal))
x = norm(x + attend(x, memory, memory, is_word.expand(len(x), -1)))
return norm(x + feed_forward(x))
## wrong old-queries: cross query from before self-attention
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(y, memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong only-queries-normed: only the query normed in self-attention
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
x = x + attend(norm(x), x, x, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong memory-causal: causal also in cross-attention
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
cross = torch.ones(len(x), len(memory), dtype=torch.bool).tril() & is_word
x = x + attend(norm(x), memory, memory, cross)
return x + feed_forward(norm(x))
## wrong sizes-differ: memory as query
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(memory, norm(x), norm(x), is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong mask-of-numbers: mask as float
causal = torch.ones(len(x), len(x)).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong normed-at-the-end: extra norm at the end
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return norm(x + feed_forward(norm(x)))
## wrong sizes-differ: source mask used in self-attention
y = norm(x)
x = x + attend(y, y, y, is_word[:len(x)])
x = x + attend(norm(x), memory, memory, is_word)
return x + feed_forward(norm(x))
## wrong no-causal-mask: causal mask forgotten
y = norm(x)
x = x + attend(y, y, y, None)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## right: full mask built by repeat and numpy
import numpy as np
causal = torch.from_numpy(np.tril(np.ones((len(x), len(x)), dtype=bool)))
h = norm(x)
x = x + attend(h, h, h, causal)
cross = torch.from_numpy(np.tile(is_word.numpy(), (len(x), 1)))
x = x + attend(norm(x), memory, memory, cross)
return x + feed_forward(norm(x))
## wrong sizes-differ: mask as large as the memory
causal = torch.ones(len(memory), len(memory), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
## wrong place-one-off: padding cut out of memory, one row kept too many
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
words = memory[: is_word.sum() + 1]
x = x + attend(norm(x), words, words, None)
return x + feed_forward(norm(x))
## wrong cross-first: cross attention before self attention
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
y = norm(x)
x = x + attend(y, y, y, causal)
return x + feed_forward(norm(x))
## wrong old-norm-at-the-end: y reused for the feed-forward
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = x + attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(y)
## wrong cross-not-added: cross-attention not added
causal = torch.ones(len(x), len(x), dtype=torch.bool).tril()
y = norm(x)
x = x + attend(y, y, y, causal)
x = attend(norm(x), memory, memory, is_word.expand(len(x), -1))
return x + feed_forward(norm(x))
""",
    "count_transformer(source_words, target_words, d_model, d_hidden, n_layers)": """
## right: formula
d, h = d_model, d_hidden
attention = 4 * (d * d + d)
work = d * h + h + h * d + d
norm = 2 * d
layers = n_layers * (attention + work + 2 * norm) + n_layers * (2 * attention + work + 3 * norm)
return (source_words + target_words) * d + layers + 2 * norm
## right: helper functions
def linear(n_in, n_out):
    return n_in * n_out + n_out
attention = 4 * linear(d_model, d_model)
feed = linear(d_model, d_hidden) + linear(d_hidden, d_model)
total = source_words * d_model + target_words * d_model
for _ in range(n_layers):
    total += attention + feed + 2 * 2 * d_model
    total += 2 * attention + feed + 3 * 2 * d_model
total += 2 * d_model
total += 2 * d_model
return total
## right: real modules counted
class Layer(nn.Module):
    def __init__(self, n_attentions):
        super().__init__()
        self.attention = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(4 * n_attentions))
        self.work = nn.Sequential(nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(n_attentions + 1))
parts = [Layer(k) for k in (1, 2) for _ in range(n_layers)] + [nn.LayerNorm(d_model), nn.LayerNorm(d_model)]
parts += [nn.Embedding(source_words, d_model), nn.Embedding(target_words, d_model)]
return sum(p.numel() for part in parts for p in part.parameters())
## right: one factored line
return (source_words + target_words + 4) * d_model + n_layers * (
    12 * (d_model**2 + d_model) + 2 * (2 * d_model * d_hidden + d_hidden + d_model) + 10 * d_model)
## right: as a float of the same value turned to int
per_attention = 4 * d_model * (d_model + 1)
per_ff = d_hidden * (d_model + 1) + d_model * (d_hidden + 1)
return int((source_words + target_words) * d_model + 4 * d_model
           + n_layers * (3 * per_attention + 2 * per_ff + 5 * 2 * d_model))
## right: torch sum
sizes = torch.tensor([source_words * d_model, target_words * d_model, 4 * d_model,
                      3 * n_layers * 4 * d_model * (d_model + 1), 10 * n_layers * d_model,
                      2 * n_layers * (2 * d_model * d_hidden + d_hidden + d_model)])
return sizes.sum().item()
## wrong no-biases: biases forgotten
d, h = d_model, d_hidden
return (source_words + target_words) * d + n_layers * (12 * d * d + 4 * d * h + 10 * d) + 4 * d
## wrong no-biases-of-attention: biases of attention forgotten
d, h = d_model, d_hidden
work = 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (12 * d * d + 2 * work + 10 * d) + 4 * d
## wrong no-last-norms: last norms forgotten
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 10 * d)
## wrong scale-only: norm without shift
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 5 * d) + 2 * d
## wrong no-cross-attention: cross-attention forgotten
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (2 * attention + 2 * work + 10 * d) + 4 * d
## wrong two-norms: decoder has only two norms
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 8 * d) + 4 * d
## wrong untied: own output matrix counted
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d + d * target_words
## wrong untied-with-bias: output layer with bias counted
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
total = (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d
return total + d * target_words + target_words
## wrong three-tables: three matrices in attention
d, h = d_model, d_hidden
attention, work = 3 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d
## wrong layers-shared: layers counted once
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + 3 * attention + 2 * work + 10 * d + 4 * d
## wrong no-table-of-the-target: only one table
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return source_words * d + n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d
## wrong one-last-norm: only one last norm
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 10 * d) + 2 * d
## wrong last-norms-in-each-layer: last norms in each layer
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 14 * d)
## wrong half-a-feed-forward: one matrix in the feed-forward
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), d * h + h
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d
## wrong positions: positions counted
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d + 2 * 512 * d
## wrong no-tables: no embeddings
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d
## wrong brackets: precedence slip
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return source_words + target_words * d + n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d
## wrong biases-of-feed-forward: bias of feed-forward of d only
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + 2 * d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d
## wrong written-out: size of the paper written out
attention, work = 4 * (512 * 512 + 512), 2 * 512 * 2048 + 2048 + 512
return (source_words + target_words) * 512 + n_layers * (3 * attention + 2 * work + 10 * 512) + 4 * 512
## wrong tables-with-bias: embedding with bias
d, h = d_model, d_hidden
attention, work = 4 * (d * d + d), 2 * d * h + h + d
return (source_words + target_words) * d + 2 * d + n_layers * (3 * attention + 2 * work + 10 * d) + 4 * d
## right: meta modules
with torch.device("meta"):
    attention = [nn.Linear(d_model, d_model) for _ in range(4)]
    work = [nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)]
    norm = [nn.LayerNorm(d_model)]
def n(parts, times=1):
    return times * sum(p.numel() for part in parts for p in part.parameters())
total = n(attention, 3 * n_layers) + n(work, 2 * n_layers) + n(norm, 5 * n_layers + 2)
return total + d_model * (source_words + target_words)
## wrong no-biases-of-feed-forward: biases of the feed-forward forgotten
d, h = d_model, d_hidden
attention, work, norm = 4 * (d * d + d), 2 * d * h, 2 * d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 5 * norm) + 2 * norm
## wrong three-norms-in-both: encoder layer three norms as well
d, h = d_model, d_hidden
attention, work, norm = 4 * (d * d + d), 2 * d * h + h + d, 2 * d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 6 * norm) + 2 * norm
## wrong place-too-much: eight heads multiply the attention
d, h = d_model, d_hidden
attention, work, norm = 8 * 4 * (d * d + d), 2 * d * h + h + d, 2 * d
return (source_words + target_words) * d + n_layers * (3 * attention + 2 * work + 5 * norm) + 2 * norm
## wrong decoder-like-encoder: attention once for both stacks' layers, decoder's two norms
d, h = d_model, d_hidden
layer = 4 * (d * d + d) + 2 * d * h + h + d + 4 * d
return (source_words + target_words) * d + 2 * n_layers * layer + 4 * d
## wrong unused: only the encoder
d, h = d_model, d_hidden
layer = 4 * (d * d + d) + 2 * d * h + h + d + 4 * d
return source_words * d + n_layers * layer + 2 * d
""",
}
