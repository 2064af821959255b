"""Lesson 8: a split mended, attention in every head, what a head adds, and heads in another order."""

NOTEBOOK = """
import copy
import math
import torch
from torch import nn
def attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5
    weights = scores.softmax(dim=-1)
    return weights @ value, weights
batch = torch.randn(5, 4, 6)
split = batch.unflatten(-1, (2, 3)).transpose(1, 2)
merged = split.transpose(1, 2).flatten(-2)
w_output = torch.randn(4, 9)
heads = torch.randn(2, 3, 2)
n_heads, d_head = 2, 2
"""

ANSWERS = {
    "mend_split(wrong)": """
## right: back to tokens, then split
batch, n_heads, n, d_head = wrong.shape
x = wrong.reshape(batch, n, n_heads * d_head)
return x.reshape(batch, n, n_heads, d_head).transpose(1, 2)
## right: one view
batch, n_heads, n, d_head = wrong.shape
return wrong.reshape(batch, n, n_heads, d_head).permute(0, 2, 1, 3)
## right: a loop over heads
batch, n_heads, n, d_head = wrong.shape
x = wrong.flatten(1).view(batch, n, -1)
return torch.stack([x[..., h * d_head : (h + 1) * d_head] for h in range(n_heads)], dim=1)
## right: chunk
b, h, n, d = wrong.shape
return torch.stack(wrong.reshape(b, n, h * d).chunk(h, dim=-1), dim=1)
## right: unflatten
b, h, n, d = wrong.size()
return wrong.flatten(1, 3).unflatten(1, (n, h, d)).swapaxes(1, 2)
## right: loops over all
b, h, n, d = wrong.shape
x = wrong.reshape(b, n, h * d)
out = torch.zeros_like(wrong)
for head in range(h):
    for token in range(n):
        out[:, head, token] = x[:, token, head * d : (head + 1) * d]
return out
## right: einsum
b, h, n, d = wrong.shape
return torch.einsum("bnhd->bhnd", wrong.reshape(b, n, h, d))
## wrong only-transposed: a transpose only
return wrong.transpose(1, 2)
## wrong transposed-and-viewed: transpose and view back
batch, n_heads, n, d_head = wrong.shape
return wrong.transpose(1, 2).reshape(batch, n_heads, n, d_head)
## wrong unchanged: unchanged
return wrong
## wrong unchanged: a view of the same shape
batch, n_heads, n, d_head = wrong.shape
return wrong.view(batch, n_heads, n, d_head)
## wrong x-itself: undone, not split again
batch, n_heads, n, d_head = wrong.shape
return wrong.reshape(batch, n, n_heads * d_head)
## wrong not-transposed: split, not transposed
batch, n_heads, n, d_head = wrong.shape
return wrong.reshape(batch, n, n_heads, d_head)
## wrong unchanged: merged as if it were right
batch, n_heads, n, d_head = wrong.shape
x = wrong.transpose(1, 2).reshape(batch, n, n_heads * d_head)
return x.reshape(batch, n, n_heads, d_head).transpose(1, 2)
## wrong unchanged: the same view again
batch, n_heads, n, d_head = wrong.shape
x = wrong.reshape(batch, n, n_heads * d_head)
return x.view(batch, n_heads, n, d_head)
## wrong every-nth-number: d_head and n_heads exchanged
batch, n_heads, n, d_head = wrong.shape
return wrong.reshape(batch, n, d_head, n_heads).permute(0, 3, 1, 2)
## wrong other-cut: axes exchanged in the view
batch, n_heads, n, d_head = wrong.shape
return wrong.reshape(batch, n_heads, d_head, n).transpose(-2, -1)
## wrong view: view of a transpose
batch, n_heads, n, d_head = wrong.shape
x = wrong.transpose(1, 2).view(batch, n, n_heads * d_head)
return x.view(batch, n, n_heads, d_head).transpose(1, 2)
## wrong sizes-differ: two heads written out
batch, n_heads, n, d_head = wrong.shape
return wrong.reshape(batch, n, 2, 3).transpose(1, 2)
## wrong one-part: the first sentence only
batch, n_heads, n, d_head = wrong.shape
return wrong[0].reshape(n, n_heads, d_head).transpose(0, 1)
## wrong not-transposed: permute in the wrong order
batch, n_heads, n, d_head = wrong.shape
return wrong.reshape(batch, n, n_heads, d_head).permute(0, 1, 2, 3)
## wrong only-transposed: names of the axes exchanged
batch, n, n_heads, d_head = wrong.shape
return wrong.reshape(batch, n, n_heads, d_head).transpose(1, 2)
## wrong unknown-name: x is gone
batch, n_heads, n, d_head = wrong.shape
return x.view(batch, n, n_heads, d_head).transpose(1, 2)
## wrong no-return: no return
batch, n_heads, n, d_head = wrong.shape
right = wrong.reshape(batch, n, n_heads, d_head).transpose(1, 2)
## wrong other-places: batch folded in
batch, n_heads, n, d_head = wrong.shape
return wrong.reshape(n, batch, n_heads, d_head).permute(1, 2, 0, 3)
## wrong sizes-exchanged: transpose of the last two
return wrong.transpose(-2, -1)
## wrong axes-too-few: flattened in full
return wrong.flatten(1).transpose(0, 1)
## right: split into pieces and stack
b, h, n, d = wrong.shape
x = wrong.reshape(b, n, h * d)
return torch.stack(x.split(d, dim=2)).transpose(0, 1)
## wrong other-places: roll of heads
return wrong.roll(1, dims=1)
## wrong transposed-and-viewed: heads and width joined wrongly
b, h, n, d = wrong.shape
return wrong.permute(0, 2, 1, 3).reshape(b, n, h * d).reshape(b, h, n, d)
## wrong other-places: one flat list per head
b, h, n, d = wrong.shape
return wrong.reshape(b, n * h, d).reshape(b, h, n, d).flip(1)
""",
    "multi_head(query, key, value, w_output, n_heads)": """
## right: split, attend, merge
def split(x):
    batch, n, d_model = x.shape
    return x.view(batch, n, n_heads, d_model // n_heads).transpose(1, 2)
q, k, v = split(query), split(key), split(value)
weights = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(dim=-1)
merged = (weights @ v).transpose(1, 2).flatten(-2)
return merged @ w_output
## right: a loop over heads
d_head = query.shape[-1] // n_heads
found = []
for h in range(n_heads):
    part = slice(h * d_head, (h + 1) * d_head)
    output, _ = attention(query[..., part], key[..., part], value[..., part])
    found.append(output)
return torch.cat(found, dim=-1) @ w_output
## right: chunk
parts = zip(query.chunk(n_heads, -1), key.chunk(n_heads, -1), value.chunk(n_heads, -1))
found = [attention(q, k, v)[0] for q, k, v in parts]
return torch.cat(found, -1) @ w_output
## right: einsum
b, n, d = query.shape
m = key.shape[1]
q, k, v = query.view(b, n, n_heads, -1), key.view(b, m, n_heads, -1), value.view(b, m, n_heads, -1)
a = (torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(d // n_heads)).softmax(-1)
out = torch.einsum("bhqk,bkhd->bqhd", a, v).reshape(b, n, d)
return torch.einsum("bnd,do->bno", out, w_output)
## right: ready-made attention in the heads
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = nn.functional.scaled_dot_product_attention(q, k, v)
return out.transpose(1, 2).flatten(2) @ w_output
## right: heads added up, each with its part of w_output
d_head = query.shape[-1] // n_heads
result = 0
for h in range(n_heads):
    a, b = h * d_head, (h + 1) * d_head
    scores = query[:, :, a:b] @ key[:, :, a:b].mT / math.sqrt(d_head)
    result = result + scores.softmax(dim=-1) @ value[:, :, a:b] @ w_output[a:b]
return result
## wrong one-head: one head
return attention(query, key, value)[0] @ w_output
## wrong view-straight-to-heads: split by one view
batch, n, d_model = query.shape
d_head = d_model // n_heads
q = query.reshape(batch, n_heads, n, d_head)
k = key.reshape(batch, n_heads, key.shape[1], d_head)
v = value.reshape(batch, n_heads, key.shape[1], d_head)
out = attention(q, k, v)[0]
return out.transpose(1, 2).flatten(-2) @ w_output
## wrong view-without-transpose: merged without transpose
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = attention(q, k, v)[0]
return out.reshape(query.shape) @ w_output
## wrong root-of-d-model: scaled by d_model
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = (q @ k.mT / query.shape[-1] ** 0.5).softmax(-1) @ v
return out.transpose(1, 2).flatten(2) @ w_output
## wrong no-output-projection: w_output forgotten
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = attention(q, k, v)[0]
return out.transpose(1, 2).flatten(2)
## wrong no-scaling: not scaled
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = (q @ k.mT).softmax(-1) @ v
return out.transpose(1, 2).flatten(2) @ w_output
## wrong every-nth-number: d_head and heads exchanged in the split
d_head = query.shape[-1] // n_heads
q, k, v = (t.unflatten(-1, (d_head, n_heads)).permute(0, 3, 1, 2) for t in (query, key, value))
out = attention(q, k, v)[0]
return out.transpose(1, 2).flatten(2) @ w_output
## wrong sizes-differ: n of the query for the keys
batch, n, d_model = query.shape
split = lambda x: x.view(batch, n, n_heads, d_model // n_heads).transpose(1, 2)
q, k, v = split(query), split(key), split(value)
out = attention(q, k, v)[0]
return out.transpose(1, 2).reshape(batch, n, d_model) @ w_output
## wrong heads-averaged: heads averaged
d_head = query.shape[-1] // n_heads
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
return attention(q, k, v)[0].mean(dim=1) @ w_output[:d_head]
## wrong not-transposed: attention over heads, not transposed
q, k, v = (t.unflatten(-1, (n_heads, -1)) for t in (query, key, value))
out = attention(q, k, v)[0]
return out.flatten(2) @ w_output
## wrong view: view of a transpose
b, n, d = query.shape
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = attention(q, k, v)[0]
return out.transpose(1, 2).view(b, n, d) @ w_output
## wrong size-needed: true division for the width
b, n, d = query.shape
d_head = d / n_heads
q = query.view(b, n, n_heads, d_head).transpose(1, 2)
k, v = (t.view(b, t.shape[1], n_heads, d_head).transpose(1, 2) for t in (key, value))
return attention(q, k, v)[0].transpose(1, 2).flatten(2) @ w_output
## wrong written-out: two heads written out
q, k, v = (t.unflatten(-1, (2, -1)).transpose(1, 2) for t in (query, key, value))
return attention(q, k, v)[0].transpose(1, 2).flatten(2) @ w_output
## wrong no-such-attribute: the pair of attention
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = attention(q, k, v)
return out.transpose(1, 2).flatten(2) @ w_output
## wrong wrong-axis: softmax over the queries
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-2) @ v
return out.transpose(1, 2).flatten(2) @ w_output
## wrong softmax-over-heads: softmax over the heads
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = (q @ k.mT / q.shape[-1] ** 0.5).softmax(1) @ v
return out.transpose(1, 2).flatten(2) @ w_output
## wrong no-softmax: no softmax
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = (q @ k.mT / q.shape[-1] ** 0.5) @ v
return out.transpose(1, 2).flatten(2) @ w_output
## wrong output-projection-transposed: w_output turned
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
return attention(q, k, v)[0].transpose(1, 2).flatten(2) @ w_output.T
## wrong place-name: key in place of value
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, key))
return attention(q, k, v)[0].transpose(1, 2).flatten(2) @ w_output
## wrong no-return: no return
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
result = attention(q, k, v)[0].transpose(1, 2).flatten(2) @ w_output
## wrong root-of-n-heads: scaled by the number of heads
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = (q @ k.mT / n_heads**0.5).softmax(-1) @ v
return out.transpose(1, 2).flatten(2) @ w_output
## wrong weights-of-head-0: all heads use the weights of head 0
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
weights = (q[:, :1] @ k[:, :1].mT / q.shape[-1] ** 0.5).softmax(-1)
return (weights @ v).transpose(1, 2).flatten(2) @ w_output
## wrong return-in-loop: result of the first head alone
d_head = query.shape[-1] // n_heads
for h in range(n_heads):
    part = slice(h * d_head, (h + 1) * d_head)
    return attention(query[..., part], key[..., part], value[..., part])[0] @ w_output[part]
## wrong only-the-last: only the last head, = for +=
d_head = query.shape[-1] // n_heads
for h in range(n_heads):
    part = slice(h * d_head, (h + 1) * d_head)
    result = attention(query[..., part], key[..., part], value[..., part])[0] @ w_output[part]
return result
## right: heads folded into the batch
b, n, d = query.shape
fold = lambda t: t.reshape(b, t.shape[1], n_heads, -1).transpose(1, 2).reshape(b * n_heads, t.shape[1], -1)
out = attention(fold(query), fold(key), fold(value))[0]
return out.reshape(b, n_heads, n, -1).transpose(1, 2).reshape(b, n, d) @ w_output
## wrong values-not-split: values not split
b, n, d = query.shape
q, k = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key))
weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return (weights.mean(dim=1) @ value) @ w_output
## wrong wrong-axis: queries and keys exchanged
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = (k @ q.mT / q.shape[-1] ** 0.5).softmax(-1).mT @ v
return out.transpose(1, 2).flatten(2) @ w_output
## wrong place-too-much: residual at the end
q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (query, key, value))
out = attention(q, k, v)[0].transpose(1, 2).flatten(2)
return (out + query) @ w_output
""",
    "what_a_head_adds(heads, w_output, head)": """
## right: its rows of w_output
d_head = heads.shape[-1]
return heads[:, head] @ w_output[head * d_head : (head + 1) * d_head]
## right: the difference of two results
silenced = heads.clone()
silenced[:, head] = 0
merge = lambda h: h.transpose(1, 2).flatten(2)
return (merge(heads) - merge(silenced)) @ w_output
## right: all others silenced
only = torch.zeros_like(heads)
only[:, head] = heads[:, head]
return only.transpose(1, 2).flatten(-2) @ w_output
## right: w_output cut in parts
parts = w_output.unflatten(0, (heads.shape[1], heads.shape[3]))
return heads[:, head] @ parts[head]
## right: chunk
return heads[:, head, :, :] @ w_output.chunk(heads.shape[1], dim=0)[head]
## right: einsum over all, then one
w = w_output.reshape(heads.shape[1], heads.shape[-1], -1)
return torch.einsum("bhnd,hdo->bhno", heads, w)[:, head]
## right: both results in full
b, h, n, d = heads.shape
merged = heads.transpose(1, 2).reshape(b, n, h * d)
without = merged.clone()
without[:, :, head * d : (head + 1) * d] = 0
return merged @ w_output - without @ w_output
## wrong what-is-left: the result without the head
silenced = heads.clone()
silenced[:, head] = 0
return silenced.transpose(1, 2).flatten(2) @ w_output
## wrong nothing-silenced: the whole result
return heads.transpose(1, 2).flatten(2) @ w_output
## wrong sign: sign
silenced = heads.clone()
silenced[:, head] = 0
merge = lambda h: h.transpose(1, 2).flatten(2)
return (merge(silenced) - merge(heads)) @ w_output
## wrong rows-scattered: every n_heads-th row
return heads[:, head] @ w_output[head :: heads.shape[1]]
## wrong rows-of-head-0: the first rows always
d_head = heads.shape[-1]
return heads[:, head] @ w_output[:d_head]
## wrong sizes-do-not-meet: the head's number as a row
return heads[:, head] @ w_output[head]
## wrong sizes-do-not-meet: w_output not cut
return heads[:, head] @ w_output
## wrong no-projection: without w_output
return heads[:, head]
## wrong from-row-head-on: d_head rows from row head on
d_head = heads.shape[-1]
return heads[:, head] @ w_output[head : head + d_head]
## wrong index-too-large: axis of tokens for heads
d_head = heads.shape[-1]
return heads[:, :, head] @ w_output[head * d_head : (head + 1) * d_head]
## wrong index-too-large: the batch axis for heads
d_head = heads.shape[-1]
return heads[head] @ w_output[head * d_head : (head + 1) * d_head]
## wrong in-place: silenced in place
merged = heads.transpose(1, 2).flatten(2) @ w_output
heads[:, head] = 0
return merged - heads.transpose(1, 2).flatten(2) @ w_output
## wrong in-place: an alias, not a copy
silenced = heads
silenced[:, head] = 0
merge = lambda h: h.transpose(1, 2).flatten(2)
return (merge(heads) - merge(silenced)) @ w_output
## wrong sizes-do-not-meet: columns of w_output
d_head = heads.shape[-1]
return heads[:, head] @ w_output[:, head * d_head : (head + 1) * d_head]
## wrong sizes-do-not-meet: head counted from 1
d_head = heads.shape[-1]
return heads[:, head] @ w_output[(head - 1) * d_head : head * d_head]
## wrong written-out: d_head 2 written out
return heads[:, head] @ w_output[head * 2 : head * 2 + 2]
## wrong merged-without-transpose: merged without a transpose
silenced = heads.clone()
silenced[:, head] = 0
b, h, n, d = heads.shape
return (heads - silenced).reshape(b, n, h * d) @ w_output
## wrong place-too-much: how large the change is
d_head = heads.shape[-1]
return (heads[:, head] @ w_output[head * d_head : (head + 1) * d_head]).norm()
## wrong place-too-much: size of the change, number by number
d_head = heads.shape[-1]
return (heads[:, head] @ w_output[head * d_head : (head + 1) * d_head]).abs()
## wrong no-return: no return
d_head = heads.shape[-1]
missing = heads[:, head] @ w_output[head * d_head : (head + 1) * d_head]
## wrong extra-dimension: a head too many on the axis
d_head = heads.shape[-1]
return heads[:, head : head + 1] @ w_output[head * d_head : (head + 1) * d_head]
## wrong sizes-do-not-meet: whole w_output for the head
return heads[:, head] @ w_output
## wrong sizes-do-not-meet: n for d_head
n = heads.shape[2]
return heads[:, head] @ w_output[head * n : (head + 1) * n]
## wrong sizes-do-not-meet: the slice is one row short
d_head = heads.shape[-1]
return heads[:, head] @ w_output[head * d_head : (head + 1) * d_head - 1]
## right: tensordot
w = w_output.reshape(heads.shape[1], heads.shape[3], -1)[head]
return torch.tensordot(heads[:, head], w, dims=1)
## wrong place-too-much: the share of a head, as a mean
return heads[:, head] @ w_output[head * heads.shape[-1] : (head + 1) * heads.shape[-1]] / heads.shape[1]
## wrong up-to-this-one: all heads up to this one
d = heads.shape[-1]
merged = heads.transpose(1, 2).flatten(2)
return merged[..., : (head + 1) * d] @ w_output[: (head + 1) * d]
## wrong last-rows: the last rows
d = heads.shape[-1]
return heads[:, head] @ w_output[-d:]
""",
    "follow_the_heads(w_output, order)": """
## right: parts in another order
parts = w_output.unflatten(0, (len(order), -1))
return parts[order].flatten(0, 1)
## right: a loop, concatenated
d_head = w_output.shape[0] // len(order)
return torch.cat([w_output[i * d_head : (i + 1) * d_head] for i in order])
## right: chunks
chunks = w_output.chunk(len(order), dim=0)
return torch.cat([chunks[int(i)] for i in order], dim=0)
## right: rows by number
d_head = len(w_output) // len(order)
rows = [int(h) * d_head + k for h in order for k in range(d_head)]
return w_output[rows]
## right: filled in a loop
d_head = w_output.shape[0] // len(order)
new = torch.zeros_like(w_output)
for i, old in enumerate(order):
    new[i * d_head : (i + 1) * d_head] = w_output[old * d_head : (old + 1) * d_head]
return new
## right: index_select on a view
n_heads = len(order)
w = w_output.reshape(n_heads, -1, w_output.shape[-1])
return torch.stack([w[i] for i in order]).reshape(w_output.shape)
## right: split
d_head = w_output.size(0) // len(order)
return torch.vstack([w_output.split(d_head)[i] for i in order])
## wrong the-way-back: the other way round
d_head = w_output.shape[0] // len(order)
new = torch.zeros_like(w_output)
for i, old in enumerate(order):
    new[old * d_head : (old + 1) * d_head] = w_output[i * d_head : (i + 1) * d_head]
return new
## wrong the-way-back: argsort of the order
parts = w_output.unflatten(0, (len(order), -1))
return parts[torch.as_tensor(order).argsort()].flatten(0, 1)
## wrong single-rows-alone: single rows
return w_output[order]
## wrong sizes-differ: columns
parts = w_output.unflatten(1, (len(order), -1))
return parts[:, order].flatten(1)
## wrong unchanged: unchanged
return w_output
## wrong scattered: parts interleaved
parts = w_output.unflatten(0, (-1, len(order)))
return parts[:, order].flatten(0, 1)
## wrong blocks-kept-apart: not flattened
parts = w_output.unflatten(0, (len(order), -1))
return parts[order]
## wrong turned-around: reversed
parts = w_output.unflatten(0, (len(order), -1))
return parts.flip(0).flatten(0, 1)
## wrong as-many-rows-as-heads: d_head taken as the number of heads
n = len(order)
return torch.cat([w_output[i * n : (i + 1) * n] for i in order])
## wrong shape: d_head 2 written out
return torch.cat([w_output[2 * i : 2 * i + 2] for i in order])
## wrong place-axis: concatenated side by side
d_head = w_output.shape[0] // len(order)
return torch.cat([w_output[i * d_head : (i + 1) * d_head] for i in order], dim=-1)
## wrong float-for-size: true division
d_head = w_output.shape[0] / len(order)
return torch.cat([w_output[i * d_head : (i + 1) * d_head] for i in order])
## wrong blocks-kept-apart: stacked
d_head = w_output.shape[0] // len(order)
return torch.stack([w_output[i * d_head : (i + 1) * d_head] for i in order])
## wrong in-place: in place, overwritten on the way
d_head = w_output.shape[0] // len(order)
new = w_output
for i, old in enumerate(order):
    new[i * d_head : (i + 1) * d_head] = w_output[old * d_head : (old + 1) * d_head]
return new
## wrong other-places: first two heads exchanged
d_head = w_output.shape[0] // len(order)
return torch.cat([w_output[d_head : 2 * d_head], w_output[:d_head], w_output[2 * d_head :]])
## wrong twice: order used twice
parts = w_output.unflatten(0, (len(order), -1))
return parts[order][order].flatten(0, 1)
## wrong one-row-each: one row of each head
d_head = w_output.shape[0] // len(order)
return torch.cat([w_output[i * d_head : i * d_head + 1] for i in order])
## wrong transposed: turned
parts = w_output.unflatten(0, (len(order), -1))
return parts[order].flatten(0, 1).T
## wrong no-return: no return
parts = w_output.unflatten(0, (len(order), -1))
new = parts[order].flatten(0, 1)
## wrong unchanged: sorted
parts = w_output.unflatten(0, (len(order), -1))
return parts[sorted(order)].flatten(0, 1)
## wrong return-in-loop: return inside the loop
d_head = w_output.shape[0] // len(order)
new = torch.zeros_like(w_output)
for i, old in enumerate(order):
    new[i * d_head : (i + 1) * d_head] = w_output[old * d_head : (old + 1) * d_head]
    return new
## wrong index-too-large: within each head, not the heads
d_head = w_output.shape[0] // len(order)
parts = w_output.reshape(len(order), d_head, -1)
return parts.transpose(0, 1)[order].flatten(0, 1)
## right: a permutation matrix
n, d = len(order), w_output.shape[0] // len(order)
p = torch.zeros(n * d, n * d, dtype=w_output.dtype)
for new, old in enumerate(order):
    for k in range(d):
        p[new * d + k, old * d + k] = 1
return p @ w_output
## wrong rows-within-a-head: rows inside each head turned round
parts = w_output.unflatten(0, (len(order), -1))
return parts[order].flip(1).flatten(0, 1)
## wrong other-places: rolled
d = len(w_output) // len(order)
return w_output.roll(order[0] * d, dims=0)
## wrong place-turned: columns moved as well
parts = w_output.unflatten(0, (len(order), -1))
return parts[order].transpose(0, 1).flatten(0, 1)
""",
}
