"""Lesson 19: induction in any text, a window with sinks, and a head put out."""

NOTEBOOK = """
import math

import torch
behind = torch.arange(384)[:, None] - torch.arange(384)

def window(width, kept=()):
    mask = (behind >= 0) & (behind < width)
    mask[:, list(kept)] = behind[:, list(kept)] >= 0
    return mask
"""

ANSWERS = {
    "induction_score(weights, ids)": """
## right: loop
total, count = torch.zeros(len(weights)), 0
for q in range(len(ids)):
    earlier = [k for k in range(q) if ids[k] == ids[q]]
    if earlier:
        total += weights[:, q, earlier[-1] + 1]
        count += 1
return total / count if count else total
## right: dictionary
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append(weights[:, q, last[token] + 1])
    last[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(weights.shape[0])
## right: tensors
n = len(ids)
places = torch.arange(n)
same = (ids[:, None] == ids) & (places[:, None] > places)
rows = same.any(dim=1)
if not rows.any():
    return weights.new_zeros(len(weights))
latest = (same * (places + 1)).amax(dim=1) - 1
q = places[rows]
return weights[:, q, latest[rows] + 1].mean(dim=-1)
## right: mask of cells
n = len(ids)
mask = torch.zeros(n, n, dtype=torch.bool)
for q in range(n):
    for k in range(q - 1, -1, -1):
        if ids[k] == ids[q]:
            mask[q, k + 1] = True
            break
return (weights * mask).sum(dim=(1, 2)) / mask.sum().clamp(min=1)
## right: gather
found = {}
rows, cols = [], []
for i, token in enumerate(ids):
    token = int(token)
    if token in found:
        rows.append(i)
        cols.append(found[token] + 1)
    found[token] = i
if not rows:
    return torch.zeros(len(weights))
return weights[:, rows, cols].mean(1)
## right: head by head
out = []
for head in weights:
    values = []
    for q in range(len(ids)):
        copies = (ids[:q] == ids[q]).nonzero().flatten()
        if len(copies):
            values.append(head[q, copies[-1] + 1].item())
    out.append(sum(values) / len(values) if values else 0.0)
return torch.tensor(out)
## wrong the-copy-itself: the copy itself
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append(weights[:, q, last[token]])
    last[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong first-copy: first earlier copy
first, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in first:
        cells.append(weights[:, q, first[token] + 1])
    else:
        first[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong all-rows: all rows in the mean
last, total = {}, torch.zeros(len(weights))
for q, token in enumerate(ids.tolist()):
    if token in last:
        total += weights[:, q, last[token] + 1]
    last[token] = q
return total / len(ids)
## wrong mean-of-all-copies: all earlier copies
cells = []
for q in range(len(ids)):
    for k in range(q):
        if ids[k] == ids[q]:
            cells.append(weights[:, q, k + 1])
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong next-row: row of the next token
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last and q + 1 < len(ids):
        cells.append(weights[:, q + 1, last[token] + 1])
    last[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong before-the-copy-or-last: token before the copy
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append(weights[:, q, last[token] - 1])
    last[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong nan-without-copies: nan without copies
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append((q, last[token] + 1))
    last[token] = q
return torch.stack([weights[:, q, k] for q, k in cells] or [torch.full((len(weights),), torch.nan)]).mean(dim=0)
## wrong nothing-to-stack: stack of nothing
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append(weights[:, q, last[token] + 1])
    last[token] = q
return torch.stack(cells).mean(dim=0)
## wrong transposed: query and key exchanged
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append(weights[:, last[token] + 1, q])
    last[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong 50-back: 50 back, as in the lesson
return weights.diagonal(-49, dim1=-2, dim2=-1).mean(dim=-1)
## wrong half-a-text-back: half the text back
n = len(ids) // 2
return weights.diagonal(-(n - 1), dim1=-2, dim2=-1).mean(dim=-1)
## wrong sum: sum for mean
last, total = {}, torch.zeros(len(weights))
for q, token in enumerate(ids.tolist()):
    if token in last:
        total += weights[:, q, last[token] + 1]
    last[token] = q
return total
## wrong one-number: mean over the heads too
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append(weights[:, q, last[token] + 1].mean())
    last[token] = q
return torch.stack(cells).mean() if cells else torch.tensor(0.0)
## wrong largest: largest for mean
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append(weights[:, q, last[token] + 1])
    last[token] = q
return torch.stack(cells).amax(dim=0) if cells else torch.zeros(len(weights))
## wrong never-found: tensor as dictionary key
last, cells = {}, []
for q, token in enumerate(ids):
    if token in last:
        cells.append(weights[:, q, last[token] + 1])
    last[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong never-found: itself counts as a copy
cells = []
for q in range(len(ids) - 1):
    latest = max(k for k in range(q + 1) if ids[k] == ids[q])
    cells.append(weights[:, q, latest + 1])
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong divided-by-different-tokens: number of distinct tokens divides
last, total = {}, torch.zeros(len(weights))
for q, token in enumerate(ids.tolist()):
    if token in last:
        total += weights[:, q, last[token] + 1]
    last[token] = q
return total / len(last)
## wrong first-row-only: return inside the loop
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append(weights[:, q, last[token] + 1])
        return torch.stack(cells).mean(dim=0)
    last[token] = q
return torch.zeros(len(weights))
## wrong first-copy: index finds the first
text, cells = ids.tolist(), []
for q, token in enumerate(text):
    if token in text[:q]:
        cells.append(weights[:, q, text.index(token) + 1])
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong overwritten: = for +=
last, total, count = {}, torch.zeros(len(weights)), 0
for q, token in enumerate(ids.tolist()):
    if token in last:
        total = weights[:, q, last[token] + 1]
        count += 1
    last[token] = q
return total / max(count, 1)
## wrong first-copy: last never updated, dictionary by setdefault
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    place = last.setdefault(token, q)
    if place < q:
        cells.append(weights[:, q, place + 1])
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong neighbours-left-out: neighbouring copies left out
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last and last[token] + 1 < q:
        cells.append(weights[:, q, last[token] + 1])
    last[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong each-token-once: each token once, its mean
by_token = {}
last = {}
for q, token in enumerate(ids.tolist()):
    if token in last:
        by_token.setdefault(token, []).append(weights[:, q, last[token] + 1])
    last[token] = q
if not by_token:
    return torch.zeros(len(weights))
return torch.stack([torch.stack(v).mean(dim=0) for v in by_token.values()]).mean(dim=0)
## right: sorting by token
order = torch.sort(ids, stable=True)
same = order.values[1:] == order.values[:-1]
q, k = order.indices[1:][same], order.indices[:-1][same]
if len(q) == 0:
    return weights.new_zeros(len(weights))
return weights[:, q, k + 1].mean(-1)
## wrong place-number: only copies further away than one
total, count = torch.zeros(len(weights)), 0
for q in range(len(ids)):
    for k in range(q - 2, -1, -1):
        if ids[k] == ids[q]:
            total += weights[:, q, k + 1]
            count += 1
            break
return total / max(count, 1)
## wrong first-copy: no break: the last found is the first copy
total, count = torch.zeros(len(weights)), 0
for q in range(len(ids)):
    found = None
    for k in range(q - 1, -1, -1):
        if ids[k] == ids[q]:
            found = k
    if found is not None:
        total += weights[:, q, found + 1]
        count += 1
return total / max(count, 1)
## wrong copies-side-by-side: nearest neighbour equal
total, count = torch.zeros(len(weights)), 0
for q in range(1, len(ids)):
    if ids[q] == ids[q - 1]:
        total += weights[:, q, q]
        count += 1
return total / max(count, 1)
## wrong two-places-further: two places further
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last and last[token] + 2 <= q:
        cells.append(weights[:, q, last[token] + 2])
    last[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
## wrong row-of-the-copy: row of the copy, not of the query
last, cells = {}, []
for q, token in enumerate(ids.tolist()):
    if token in last:
        cells.append(weights[:, last[token], last[token]])
    last[token] = q
return torch.stack(cells).mean(dim=0) if cells else torch.zeros(len(weights))
""",
    "sink_mask(n_query, n_key, width, n_sink)": """
## right: distances
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((q - k < width) | (k < n_sink))
## right: loops
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    place = n_key - n_query + i
    for k in range(place + 1):
        mask[i, k] = place - k < width or k < n_sink
return mask
## right: slices
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i, place in enumerate(range(n_key - n_query, n_key)):
    mask[i, max(0, place - width + 1) : place + 1] = True
    mask[i, : min(n_sink, place + 1)] = True
return mask
## right: full mask, last rows
d = torch.arange(n_key)[:, None] - torch.arange(n_key)
mask = (d >= 0) & (d < width)
mask[:, :n_sink] = d[:, :n_sink] >= 0
return mask[n_key - n_query :]
## right: tril and triu
ones = torch.ones(n_query, n_key, dtype=torch.bool)
start = n_key - n_query
local = ones.tril(start).triu(start - width + 1)
sinks = ones.tril(start) & (torch.arange(n_key) < n_sink)
return local | sinks
## right: nested lists
start = n_key - n_query
return torch.tensor([[k <= q and (k > q - width or k < n_sink) for k in range(n_key)] for q in range(start, n_key)])
## wrong no-offset: queries from 0
q = torch.arange(n_query)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((q - k < width) | (k < n_sink))
## wrong first-tokens-from-before: sinks see the future
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & (q - k < width) | (k < n_sink)
## wrong one-too-wide: width + 1 tokens
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((q - k <= width) | (k < n_sink))
## wrong no-first-tokens: no sinks
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & (q - k < width)
## wrong one-first-token-more: sinks one too many
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((q - k < width) | (k <= n_sink))
## wrong itself-hidden: itself hidden
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k < q) & ((q - k < width) | (k < n_sink))
## wrong sees-later: not causal
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (q - k < width) | (k < n_sink)
## wrong both-directions: both directions
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return ((q - k).abs() < width) | (k < n_sink)
## wrong transposed: transposed
q = torch.arange(n_key - n_query, n_key)[None, :]
k = torch.arange(n_key)[:, None]
return (k <= q) & ((q - k < width) | (k < n_sink))
## wrong near-and-first: and for or
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & (q - k < width) & (k < n_sink)
## wrong inverted: inverted
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return ~((k <= q) & ((q - k < width) | (k < n_sink)))
## wrong not-boolean: floats
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return ((k <= q) & ((q - k < width) | (k < n_sink))).float()
## wrong truth-of-tensor: python and/or
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) and ((q - k < width) or (k < n_sink))
## wrong all-rows: all rows of the text
q = torch.arange(n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((q - k < width) | (k < n_sink))
## wrong one-place-late: start one late
q = torch.arange(n_query)[:, None] + n_key - n_query + 1
k = torch.arange(n_key)
return (k <= q) & ((q - k < width) | (k < n_sink))
## wrong window-at-the-beginning: window without end of the past
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((k < width) | (k < n_sink))
## wrong counted-from-the-end: slices below zero
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    place = n_key - n_query + i
    mask[i, place - width + 1 : place + 1] = True
    mask[i, : min(n_sink, place + 1)] = True
return mask
## wrong first-tokens-from-before: sinks opened for all rows by slice
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    place = n_key - n_query + i
    mask[i, max(0, place - width + 1) : place + 1] = True
    mask[i, :n_sink] = True
return mask
## wrong no-offset: the first n_query rows
d = torch.arange(n_key)[:, None] - torch.arange(n_key)
return ((d >= 0) & ((d < width) | (torch.arange(n_key) < n_sink)))[:n_query]
## wrong unforeseen: notebook's window
return window(width, kept=range(n_sink))[-n_query:, :n_key]
## wrong no-offset: the notebook's behind
back = behind[:n_query, :n_key]
return (back >= 0) & ((back < width) | (torch.arange(n_key) < n_sink))
## wrong keys-moved: keys count from the window's end
q = torch.arange(n_query)[:, None]
k = torch.arange(n_key) - n_query
return (k <= q) & ((q - k < width) | (k < n_sink))
## wrong loose-and: brackets missing
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return k <= q & (q - k < width) | (k < n_sink)
## wrong return-in-loop: return inside the loop
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    place = n_key - n_query + i
    for k in range(place + 1):
        mask[i, k] = place - k < width or k < n_sink
    return mask
## right: logical functions on indices
place = torch.arange(n_key).repeat(n_query, 1)
query = torch.arange(n_query).unsqueeze(1) + (n_key - n_query)
seen = torch.logical_and(place.le(query), place.gt(query - width))
return torch.logical_or(seen, torch.logical_and(place.lt(n_sink), place.le(query)))
## wrong place-too-much: sinks take the place of window tokens
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((q - k < width - n_sink) | (k < n_sink))
## wrong wider-window: sinks before each window
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & (q - k < width + n_sink)
## wrong unused: window of keys counted from the query's row
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((k >= torch.arange(n_query)[:, None]) | (k < n_sink))
## wrong one-too-wide: width taken as of the keys before
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((k >= q - width) | (k < n_sink))
## wrong place-too-much: sinks at the window's start
q = torch.arange(n_key - n_query, n_key)[:, None]
k = torch.arange(n_key)
return (k <= q) & ((q - k < width) | (k < n_key - n_query + n_sink))
""",
    "put_head_out(outputs, head, real)": """
## right: transpose and index
mean = outputs[:, head][real].mean(dim=0)
result = outputs.clone()
result[:, head] = mean
return result
## right: where
is_head = (torch.arange(outputs.shape[1]) == head)[:, None, None]
of_head = outputs[:, head]
mean = (of_head * real[..., None]).sum(dim=(0, 1)) / real.sum()
return torch.where(is_head, mean, outputs)
## right: stack
mean = outputs[:, head][real].mean(0).expand_as(outputs[:, head])
return torch.stack([mean if h == head else outputs[:, h] for h in range(outputs.size(1))], dim=1)
## right: loops
total, count = torch.zeros(outputs.shape[-1], dtype=outputs.dtype), 0
for b in range(outputs.shape[0]):
    for i in range(outputs.shape[2]):
        if real[b, i]:
            total = total + outputs[b, head, i]
            count += 1
new = outputs.detach().clone()
new[:, head, :, :] = total / count
return new
## right: cat
mean = torch.cat([text[head, words] for text, words in zip(outputs, real)]).mean(dim=0)
middle = mean.expand(len(outputs), 1, outputs.shape[2], -1)
return torch.cat([outputs[:, :head], middle, outputs[:, head + 1 :]], dim=1)
## right: einsum
mean = torch.einsum("bnd,bn->d", outputs[:, head], real.to(outputs.dtype)) / real.sum()
return outputs.index_copy(1, torch.tensor([head]), mean.expand(len(outputs), 1, outputs.shape[2], -1).contiguous())
## wrong zero: zero
result = outputs.clone()
result[:, head] = 0
return result
## wrong padding-counted: padding in the mean
result = outputs.clone()
result[:, head] = outputs[:, head].mean(dim=(0, 1))
return result
## wrong each-text: mean of each text
of_head = outputs[:, head]
mean = (of_head * real[..., None]).sum(dim=1) / real.sum(dim=1, keepdim=True)
result = outputs.clone()
result[:, head] = mean[:, None]
return result
## wrong each-place: mean of each place
of_head = outputs[:, head]
mean = (of_head * real[..., None]).sum(dim=0) / real.sum(dim=0)[:, None].clamp(min=1)
result = outputs.clone()
result[:, head] = mean
return result
## wrong divided-by-all: divided by all places
result = outputs.clone()
result[:, head] = (outputs[:, head] * real[..., None]).mean(dim=(0, 1))
return result
## wrong one-number: one number
result = outputs.clone()
result[:, head] = outputs[:, head][real].mean()
return result
## wrong in-place: outputs changed in place
outputs[:, head] = outputs[:, head][real].mean(dim=0)
return outputs
## wrong only-real: padding keeps its numbers
result = outputs.clone()
mean = outputs[:, head][real].mean(dim=0)
of_head = result[:, head]
of_head[real] = mean
return result
## wrong zeros-at-padding: padding gets zeros
result = outputs.clone()
mean = outputs[:, head][real].mean(dim=0)
result[:, head] = mean * real[..., None]
return result
## wrong index-too-large: text for head
result = outputs.clone()
result[head] = outputs[:, head][real].mean(dim=0)
return result
## wrong all-heads: all heads' mean
result = outputs.clone()
result[:, head] = outputs.transpose(1, 2)[real].mean(dim=(0, 1))
return result
## wrong mean-of-padding: mask inverted
result = outputs.clone()
result[:, head] = outputs[:, head][~real].mean(dim=0)
return result
## wrong every-head: all heads replaced by their means
means = outputs.transpose(1, 2)[real].mean(dim=0)
return means[None, :, None].expand_as(outputs)
## wrong sum: sum for mean
result = outputs.clone()
result[:, head] = outputs[:, head][real].sum(dim=0)
return result
## wrong the-mean-alone: only the mean returned
return outputs[:, head][real].mean(dim=0)
## wrong the-head-alone: only the head returned
return outputs[:, head][real].mean(dim=0).expand_as(outputs[:, head])
## wrong counted-from-1: head counted from 1
result = outputs.clone()
result[:, head - 1] = outputs[:, head - 1][real].mean(dim=0)
return result
## wrong mean-subtracted: mean subtracted
result = outputs.clone()
result[:, head] -= outputs[:, head][real].mean(dim=0)
return result
## wrong sizes-differ: mask without axis
of_head = outputs[:, head]
result = outputs.clone()
result[:, head] = (of_head * real).sum(dim=(0, 1)) / real.sum()
return result
## wrong error: mask indexes the wrong axes
result = outputs.clone()
result[:, head] = outputs[real][:, head].mean(dim=0)
return result
## wrong in-place: second name, no copy
result = outputs
mean = outputs[:, head][real].mean(dim=0)
result[:, head] = mean
return result
## wrong mean-of-means: mean of means
of_head = outputs[:, head]
mean = ((of_head * real[..., None]).sum(dim=1) / real.sum(dim=1, keepdim=True)).mean(dim=0)
result = outputs.clone()
result[:, head] = mean
return result
## wrong taken-out: head removed
return torch.cat([outputs[:, :head], outputs[:, head + 1 :]], dim=1)
## wrong no-return: return nothing
result = outputs.clone()
result[:, head] = outputs[:, head][real].mean(dim=0)
## wrong median: median
result = outputs.clone()
result[:, head] = outputs[:, head][real].median(dim=0).values
return result
## wrong index-too-large: last places for head
result = outputs.clone()
result[:, :, head] = outputs[:, :, head].mean(dim=0)
return result
## wrong over-the-features: mean of the head joined over features
result = outputs.clone()
result[:, head] = outputs[:, head].mean(dim=-1, keepdim=True)
return result
## right: split and rejoin
parts = list(outputs.unbind(dim=1))
words = parts[head].reshape(-1, outputs.shape[-1])[real.reshape(-1)]
parts[head] = words.mean(dim=0).repeat(outputs.shape[0], outputs.shape[2], 1)
return torch.stack(parts, dim=1)
## wrong words-of-the-first-text: real of one text used for all
result = outputs.clone()
result[:, head] = outputs[:, head, real[0]].mean(dim=(0, 1))
return result
## wrong at-padding-only: mean over batch and heads at padding only
result = outputs.clone()
mean = outputs[:, head][real].mean(dim=0)
result[:, head][~real] = mean
return result
## wrong largest: largest in place of the mean
result = outputs.clone()
result[:, head] = outputs[:, head][real].max(dim=0).values
return result
## wrong unused: zeros at the head for padding, rest unchanged
return outputs * real[:, None, :, None]
## wrong sizes-differ: mean over the places only of real ones, all heads
mean = (outputs * real[:, None, :, None]).sum(dim=(0, 2)) / real.sum()
result = outputs.clone()
result[:, head] = mean[:, None]
return result
""",
}
