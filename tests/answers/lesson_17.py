"""Lesson 17: a head found, predicted, cut out, and the luck of a coin."""

NOTEBOOK = """
import math

import torch
from torch import nn
"""

ANSWERS = {
    "find_head(weights, wanted)": """
## right: mean, argmax, divmod
means = weights[:, :, wanted].mean(dim=-1)
return list(divmod(means.argmax().item(), means.shape[1]))
## right: loops
best, found = -1.0, None
for layer in range(len(weights)):
    for head in range(weights.shape[1]):
        mean = weights[layer, head][wanted].mean().item()
        if mean > best:
            best, found = mean, [layer, head]
return found
## right: unravel_index
means = (weights * wanted).sum(dim=(-2, -1)) / wanted.sum()
return [int(i) for i in torch.unravel_index(means.argmax(), means.shape)]
## right: sum alone, same cells
sums = torch.einsum("lhqk,qk->lh", weights, wanted.to(weights.dtype))
place = int(sums.flatten().argmax())
return [place // sums.shape[1], place % sums.shape[1]]
## right: max of max
means = weights.masked_fill(~wanted, 0).flatten(-2).sum(-1)
in_layer, heads = means.max(dim=1)
layer = in_layer.argmax()
return [layer.item(), heads[layer].item()]
## right: tensor returned
means = weights[..., wanted].mean(-1)
return (means == means.max()).nonzero()[0]
## right: tuple
means = weights[..., wanted].mean(-1)
n_heads = weights.size(1)
return divmod(means.argmax().item(), n_heads)
## wrong divided-by-layers: divided by layers
means = weights[:, :, wanted].mean(dim=-1)
return list(divmod(means.argmax().item(), means.shape[0]))
## wrong type: flat number
means = weights[:, :, wanted].mean(dim=-1)
return means.argmax().item()
## wrong swapped: head first
means = weights[:, :, wanted].mean(dim=-1)
layer, head = divmod(means.argmax().item(), means.shape[1])
return [head, layer]
## wrong largest-cell: largest single weight
top = weights[:, :, wanted].amax(dim=-1)
return list(divmod(top.argmax().item(), top.shape[1]))
## wrong smallest: smallest
means = weights[:, :, wanted].mean(dim=-1)
return list(divmod(means.argmin().item(), means.shape[1]))
## wrong counted-from-1: counted from 1
means = weights[:, :, wanted].mean(dim=-1)
layer, head = divmod(means.argmax().item(), means.shape[1])
return [layer + 1, head + 1]
## wrong wanted-ignored: mask ignored
means = weights.amax(dim=(-2, -1))
return list(divmod(means.argmax().item(), means.shape[1]))
## wrong whole-map: mean of the whole map
means = weights.mean(dim=(-2, -1))
return list(divmod(means.argmax().item(), means.shape[1]))
## wrong layer-and-head-apart: best layer, then best head of all layers
means = weights[:, :, wanted].mean(dim=-1)
return [means.mean(dim=1).argmax().item(), means.mean(dim=0).argmax().item()]
## wrong smallest: mask inverted
means = weights[:, :, ~wanted].mean(dim=-1)
return list(divmod(means.argmax().item(), means.shape[1]))
## wrong transposed: mask transposed
means = weights[:, :, wanted.T].mean(dim=-1)
return list(divmod(means.argmax().item(), means.shape[1]))
## wrong one-of-each-layer: argmax of each layer
means = weights[:, :, wanted].mean(dim=-1)
return means.argmax(dim=-1).tolist()
## wrong type: mean returned
means = weights[:, :, wanted].mean(dim=-1)
return means.max().item()
## wrong fraction: true division
means = weights[:, :, wanted].mean(dim=-1)
place = means.argmax().item()
return [place / means.shape[1], place % means.shape[1]]
## wrong written-out: 12 heads written out
means = weights[:, :, wanted].mean(dim=-1)
return list(divmod(means.argmax().item(), 12))
## wrong return-in-loop: return inside the loop
best, found = -1.0, None
for layer in range(len(weights)):
    for head in range(weights.shape[1]):
        mean = weights[layer, head][wanted].mean().item()
        if mean > best:
            best, found = mean, [layer, head]
    return found
## wrong last-one: best never raised
best, found = -1.0, None
for layer in range(len(weights)):
    for head in range(weights.shape[1]):
        mean = weights[layer, head][wanted].mean().item()
        if mean > best:
            found = [layer, head]
return found
## wrong pair: max(dim) is a pair
means = weights[:, :, wanted].mean(dim=-1)
best = means.max(dim=-1)
layer = best.argmax()
return [layer, best[layer]]
## wrong heads-averaged: mean over the heads too
means = weights.mean(dim=1)[:, wanted].mean(dim=-1)
return [means.argmax().item(), 0]
## wrong largest-row: largest sum per row not mean
rows = (weights * wanted).sum(dim=-1).amax(dim=-1)
return list(divmod(rows.argmax().item(), rows.shape[1]))
## wrong swapped: one number compared to zero
sums = (weights * wanted).sum(dim=-1).mean(dim=-1) / wanted.sum(dim=-1).clamp(min=1).max()
return [sums.argmax().item() % sums.shape[1], sums.argmax().item() // sums.shape[1]]
## right: sorted with a key
n_layers, n_heads = weights.shape[:2]
heads = [[l, h] for l in range(n_layers) for h in range(n_heads)]
return max(heads, key=lambda head: float(weights[head[0], head[1]][wanted].sum()))
## wrong how-often-largest: count of cells where it is the row's maximum
top = weights.argmax(dim=-1)
hits = torch.nn.functional.one_hot(top, weights.shape[-1]).bool() & wanted
return list(divmod(hits.sum(dim=(-2, -1)).argmax().item(), weights.shape[1]))
## wrong rows-with-any: mean where the rows hold any wanted cell
rows = wanted.any(dim=-1)
means = weights[:, :, rows].mean(dim=(-2, -1))
return list(divmod(means.argmax().item(), weights.shape[1]))
## wrong index-too-large: wanted as whole numbers for an index
means = weights[:, :, wanted.long()].mean(dim=(-3, -2, -1))
return list(divmod(means.argmax().item(), weights.shape[1]))
## wrong layers-added: the sum over layers first
means = weights.sum(dim=0)[:, wanted].mean(dim=-1)
return [0, means.argmax().item()]
## wrong error: last of the best
means = weights[:, :, wanted].mean(dim=-1)
return means.argsort(dim=None)[-1].item()
""",
    "weights_of_head(x, w_query, b_query, w_key, b_key, head, d_head)": """
## right: slices
rows = slice(head * d_head, (head + 1) * d_head)
q = x @ w_query[rows].T + b_query[rows]
k = x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## right: linear, then cut
q = nn.functional.linear(x, w_query, b_query)[:, head * d_head : (head + 1) * d_head]
k = nn.functional.linear(x, w_key, b_key)[:, head * d_head : (head + 1) * d_head]
return torch.softmax(q @ k.transpose(0, 1) / math.sqrt(d_head), dim=1)
## right: unflatten
q = (x @ w_query.T + b_query).unflatten(-1, (-1, d_head)).transpose(0, 1)[head]
k = (x @ w_key.T + b_key).unflatten(-1, (-1, d_head)).transpose(0, 1)[head]
return (q @ k.mT / d_head**0.5).softmax(-1)
## right: einsum
rows = range(head * d_head, head * d_head + d_head)
q = torch.einsum("nd,hd->nh", x, w_query[rows]) + b_query[rows]
k = torch.einsum("nd,hd->nh", x, w_key[rows]) + b_key[rows]
return (torch.einsum("qh,kh->qk", q, k) / d_head**0.5).softmax(dim=-1)
## right: own softmax
start = head * d_head
q = x @ w_query[start : start + d_head].T + b_query[start : start + d_head]
k = x @ w_key[start : start + d_head].T + b_key[start : start + d_head]
scores = q @ k.T / d_head**0.5
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return e / e.sum(dim=-1, keepdim=True)
## right: chunks
n_heads = len(w_query) // d_head
q = x @ w_query.chunk(n_heads)[head].T + b_query.chunk(n_heads)[head]
k = x @ w_key.chunk(n_heads)[head].T + b_key.chunk(n_heads)[head]
return (q @ k.T * d_head**-0.5).softmax(dim=-1)
## wrong not-transposed: no transpose of the matrix
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[:, rows] + b_query[rows], x @ w_key[:, rows] + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong no-bias: columns cut, then transposed
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query.T[:, rows], x @ w_key.T[:, rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong no-bias: bias of query forgotten
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T, x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong whole-layer: whole matrix
q, k = x @ w_query.T + b_query, x @ w_key.T + b_key
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong whole-layer-and-root-of-d-model: whole matrix, root of d_model
q, k = x @ w_query.T + b_query, x @ w_key.T + b_key
return (q @ k.T / x.shape[-1]**0.5).softmax(dim=-1)
## wrong root-of-d-model: root of d_model
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / x.shape[-1]**0.5).softmax(dim=-1)
## wrong not-scaled: root forgotten
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T).softmax(dim=-1)
## wrong no-softmax: softmax forgotten
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return q @ k.T / d_head**0.5
## wrong wrong-axis: softmax over the queries
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=0)
## wrong swapped: queries and keys swapped
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (k @ q.T / d_head**0.5).softmax(dim=-1)
## wrong stepped-rows: interleaved rows
n_heads = len(w_query) // d_head
rows = slice(head, None, n_heads)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong counted-from-1: head counted from 1
rows = slice((head - 1) * d_head, head * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong begins-at-head: head to head + d_head
rows = slice(head, head + d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong power-first: d ** 1/2
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**1/2).softmax(dim=-1)
## wrong queries-for-both: query matrix for both
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_query[rows].T + b_query[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong sizes-differ: biases of all heads
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query, x @ w_key[rows].T + b_key
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong first-head: first head always
q, k = x @ w_query[:d_head].T + b_query[:d_head], x @ w_key[:d_head].T + b_key[:d_head]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong biases-subtracted: biases subtracted
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T - b_query[rows], x @ w_key[rows].T - b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong no-bias: no biases
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T, x @ w_key[rows].T
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong causal: causal mask added
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
mask = torch.ones(len(x), len(x)).triu(1).bool()
return (q @ k.T / d_head**0.5).masked_fill(mask, -torch.inf).softmax(dim=-1)
## wrong head-2: head 2 written out
rows = slice(2 * d_head, 3 * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong outputs: output instead of weights
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1) @ x
## right: functional attention with identity values
rows = slice(head * d_head, (head + 1) * d_head)
q = nn.functional.linear(x, w_query[rows], b_query[rows])
k = nn.functional.linear(x, w_key[rows], b_key[rows])
eye = torch.eye(len(x), dtype=x.dtype)
return nn.functional.scaled_dot_product_attention(q[None], k[None], eye[None])[0]
## wrong no-bias: bias of the head scaled, added after the product
rows = slice(head * d_head, (head + 1) * d_head)
q, k = x @ w_query[rows].T, x @ w_key[rows].T
return (q @ k.T / d_head**0.5 + b_query[rows] @ b_key[rows]).softmax(dim=-1)
## wrong place-too-much: head counted from the end
n_heads = len(w_query) // d_head
start = (n_heads - 1 - head) * d_head
rows = slice(start, start + d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong unused: product of the matrices' rows without x for the keys
rows = slice(head * d_head, (head + 1) * d_head)
q = x @ w_query[rows].T + b_query[rows]
return (q @ w_key[rows] / d_head**0.5).softmax(dim=-1)
## wrong rows-from-0: rows up to the head
rows = slice(0, (head + 1) * d_head)
q, k = x @ w_query[rows].T + b_query[rows], x @ w_key[rows].T + b_key[rows]
return (q @ k.T / d_head**0.5).softmax(dim=-1)
## wrong unused: key matrix for both
rows = slice(head * d_head, (head + 1) * d_head)
k = x @ w_key[rows].T + b_key[rows]
return (k @ k.T / d_head**0.5).softmax(dim=-1)
""",
    "effect_of_head(heads, w_output, head)": """
## right: columns of the head
d = heads.shape[-1]
return heads[head] @ w_output[:, head * d : (head + 1) * d].T
## right: with and without
def output(heads):
    return heads.transpose(0, 1).flatten(1) @ w_output.T
without = heads.clone()
without[head] = 0
return output(heads) - output(without)
## right: only this head kept
alone = torch.zeros_like(heads)
alone[head] = heads[head]
joined = alone.permute(1, 0, 2).reshape(heads.shape[1], -1)
return nn.functional.linear(joined, w_output)
## right: einsum
parts = w_output.unflatten(1, (heads.shape[0], heads.shape[2]))
return torch.einsum("nk,dk->nd", heads[head], parts[:, head])
## right: chunks
return torch.matmul(heads[head], w_output.chunk(len(heads), dim=1)[head].transpose(0, 1))
## right: loops
n, d = heads.shape[1:]
out = torch.zeros(n, len(w_output), dtype=heads.dtype)
for i in range(n):
    for j in range(d):
        out[i] += heads[head, i, j] * w_output[:, head * d + j]
return out
## wrong sizes-do-not-meet: rows for columns
d = heads.shape[-1]
return heads[head] @ w_output[head * d : (head + 1) * d].T
## wrong rows: no transpose
d = heads.shape[-1]
return heads[head] @ w_output[head * d : (head + 1) * d]
## wrong sign: sign
d = heads.shape[-1]
return -heads[head] @ w_output[:, head * d : (head + 1) * d].T
## wrong output-without: output without it
without = heads.clone()
without[head] = 0
return without.transpose(0, 1).flatten(1) @ w_output.T
## wrong sign: without minus with
def output(heads):
    return heads.transpose(0, 1).flatten(1) @ w_output.T
without = heads.clone()
without[head] = 0
return output(without) - output(heads)
## wrong wrong-joined: heads joined without transpose
def output(heads):
    return heads.reshape(heads.shape[1], -1) @ w_output.T
without = heads.clone()
without[head] = 0
return output(heads) - output(without)
## wrong nothing-left: in place: difference is zero
def output(heads):
    return heads.transpose(0, 1).flatten(1) @ w_output.T
without = heads
without[head] = 0
return output(heads) - output(without)
## wrong in-place: in place after the first output
with_it = heads.transpose(0, 1).flatten(1) @ w_output.T
heads[head] = 0
return with_it - heads.transpose(0, 1).flatten(1) @ w_output.T
## wrong stepped-columns: interleaved columns
return heads[head] @ w_output[:, head::len(heads)].T
## wrong first-columns: first columns always
d = heads.shape[-1]
return heads[head] @ w_output[:, :d].T
## wrong whole-output: whole output
return heads.transpose(0, 1).flatten(1) @ w_output.T
## wrong others-moved-up: head cut out of the axis
d = heads.shape[-1]
rest = torch.cat([heads[:head], heads[head + 1 :]])
return heads.transpose(0, 1).flatten(1) @ w_output.T - rest.transpose(0, 1).flatten(1) @ w_output[:, d:].T
## wrong sizes-do-not-meet: head counted from 1
d = heads.shape[-1]
return heads[head - 1] @ w_output[:, (head - 1) * d : head * d].T
## wrong length: length of the change
d = heads.shape[-1]
return (heads[head] @ w_output[:, head * d : (head + 1) * d].T).norm(dim=-1)
## wrong absolute: absolute value
d = heads.shape[-1]
return (heads[head] @ w_output[:, head * d : (head + 1) * d].T).abs()
## wrong mean-of-the-tokens: mean over the places
d = heads.shape[-1]
return (heads[head] @ w_output[:, head * d : (head + 1) * d].T).mean(dim=0)
## wrong index-too-large: head index on the wrong axis
without = heads.clone()
without[:, head] = 0
return (heads - without).transpose(0, 1).flatten(1) @ w_output.T
## wrong transposed: transposed result
d = heads.shape[-1]
return w_output[:, head * d : (head + 1) * d] @ heads[head].T
## wrong divided-by-heads: divided by number of heads
d = heads.shape[-1]
return heads[head] @ w_output[:, head * d : (head + 1) * d].T / len(heads)
## wrong mean-ablation: head put to its mean
def output(heads):
    return heads.transpose(0, 1).flatten(1) @ w_output.T
without = heads.clone()
without[head] = heads[head].mean(dim=0)
return output(heads) - output(without)
## wrong sizes-do-not-meet: d of MiniLM written out
return heads[head] @ w_output[:, head * 32 : (head + 1) * 32].T
## wrong sizes-do-not-meet: matrix not transposed in both
def output(heads):
    return heads.transpose(0, 1).flatten(1) @ w_output
without = heads.clone()
without[head] = 0
return output(heads) - output(without)
## wrong sizes-do-not-meet: head's columns from d_model
d = w_output.shape[0] // len(heads)
return heads[head] @ w_output[:, head * d : (head + 1) * d].T
## right: mask by multiplication
keep = (torch.arange(len(heads)) == head).to(heads.dtype)[:, None, None]
return (heads * keep).movedim(0, 1).flatten(1) @ w_output.T
## wrong mean-of-the-others: mean of the others put there
def output(heads):
    return heads.transpose(0, 1).flatten(1) @ w_output.T
without = heads.clone()
without[head] = torch.cat([heads[:head], heads[head + 1 :]]).mean(dim=0)
return output(heads) - output(without)
## wrong place-index: weights zeroed in place of outputs, wrong rows
d = heads.shape[-1]
cut = w_output.clone()
cut[head * d : (head + 1) * d] = 0
joined = heads.transpose(0, 1).flatten(1)
return joined @ w_output.T - joined @ cut.T
## wrong index-too-large: one token for head
def output(heads):
    return heads.transpose(0, 1).flatten(1) @ w_output.T
without = heads.clone()
without[:, :, head] = 0
return output(heads) - output(without)
## wrong sizes-do-not-meet: next head's columns
d = heads.shape[-1]
return heads[head] @ w_output[:, (head + 1) * d : (head + 2) * d].T
## wrong place-too-much: relative to the whole output
d = heads.shape[-1]
effect = heads[head] @ w_output[:, head * d : (head + 1) * d].T
return effect / (heads.transpose(0, 1).flatten(1) @ w_output.T)
""",
    "luck_of_a_coin(right, n)": """
## right: comb
return sum(math.comb(n, k) for k in range(right, n + 1)) / 2**n
## right: fraction
from fractions import Fraction
return Fraction(sum(math.comb(n, k) for k in range(right, n + 1)), 2**n)
## right: complement
return 1 - sum(math.comb(n, k) for k in range(right)) / 2**n
## right: Pascal
row = [1]
for _ in range(n):
    row = [a + b for a, b in zip([0, *row], [*row, 0])]
return sum(row[right:]) / sum(row)
## right: factorials
f = math.factorial
return sum(f(n) // (f(k) * f(n - k)) * 0.5**n for k in range(right, n + 1))
## right: torch
k = torch.arange(right, n + 1, dtype=torch.float64)
n_ = torch.tensor(float(n), dtype=torch.float64)
logs = torch.lgamma(n_ + 1) - torch.lgamma(k + 1) - torch.lgamma(n_ - k + 1) - n_ * math.log(2)
return logs.exp().sum()
## right: dynamic programming
p = [1.0] + [0.0] * n
for _ in range(n):
    p = [0.5 * p[k] + (0.5 * p[k - 1] if k else 0.0) for k in range(n + 1)]
return math.fsum(p[right:])
## right: Decimal
from decimal import Decimal
return Decimal(sum(math.comb(n, k) for k in range(right, n + 1))) / Decimal(2) ** n
## wrong last-of-the-range-lost: range ends early
return sum(math.comb(n, k) for k in range(right, n)) / 2**n
## wrong exactly: exactly as often
return math.comb(n, right) / 2**n
## wrong more-than: more often than
return sum(math.comb(n, k) for k in range(right + 1, n + 1)) / 2**n
## wrong at-most: at most as often
return sum(math.comb(n, k) for k in range(right + 1)) / 2**n
## wrong less-often: less often
return sum(math.comb(n, k) for k in range(right)) / 2**n
## wrong share: share right
return right / n
## wrong all-right: half to the power of right
return 0.5**right
## wrong not-divided: ways not divided
return sum(math.comb(n, k) for k in range(right, n + 1))
## wrong divided-by-n: divided by n
return sum(math.comb(n, k) for k in range(right, n + 1)) / n
## wrong divided-by-2n: divided by 2n
return sum(math.comb(n, k) for k in range(right, n + 1)) / (2 * n)
## wrong permutations: permutations
return sum(math.perm(n, k) for k in range(right, n + 1)) / 2**n
## wrong comb-turned: arguments of comb swapped
return sum(math.comb(k, n) for k in range(right, n + 1)) / 2**n
## wrong one-way: half to the power of n, one order
return sum(0.5**n for k in range(right, n + 1))
## wrong half-to-the-k: half to the power of k
return sum(math.comb(n, k) * 0.5**k for k in range(right, n + 1))
## wrong floor: whole division
return sum(math.comb(n, k) for k in range(right, n + 1)) // 2**n
## wrong caret: ^ for **
return sum(math.comb(n, k) for k in range(right, n + 1)) / 2 ^ n
## wrong both-ends: both sides
return min(1.0, 2 * sum(math.comb(n, k) for k in range(right, n + 1)) / 2**n)
## wrong bell-curve: normal approximation
z = (right - n / 2) / (n / 4) ** 0.5
return 0.5 * math.erfc(z / 2**0.5)
## wrong unforeseen: simulated
torch.manual_seed(0)
tosses = (torch.rand(10_000, n) < 0.5).sum(dim=1)
return (tosses >= right).double().mean().item()
## wrong more-than: complement off by one
return 1 - sum(math.comb(n, k) for k in range(right + 1)) / 2**n
## wrong only-the-last: = for +=
total = 0
for k in range(right, n + 1):
    total = math.comb(n, k) / 2**n
return total
## wrong return-in-loop: return inside the loop
total = 0
for k in range(right, n + 1):
    total += math.comb(n, k) / 2**n
    return total
## wrong percent: in percent
return 100 * sum(math.comb(n, k) for k in range(right, n + 1)) / 2**n
## wrong rounded: rounded
return round(sum(math.comb(n, k) for k in range(right, n + 1)) / 2**n, 2)
## wrong two-times-n-without-brackets: precedence of the division
return sum(math.comb(n, k) for k in range(right, n + 1)) / 2 * n
## right: recursion
def ways(k, m):
    if k <= 0:
        return 2**m
    if k > m:
        return 0
    return sum(math.comb(m, j) for j in range(k, m + 1))
return ways(right, n) / 2**n
## wrong place-too-much: half of the ways
return 0.5 * sum(math.comb(n, k) for k in range(right, n + 1)) / 2**n
## wrong comb-turned: chance of right heads first and tails after
return 0.5**right * 0.5 ** (n - right)
## wrong up-to-right: range from 1
return sum(math.comb(n, k) for k in range(1, right + 1)) / 2**n
## wrong less-often: chance of the others
return sum(math.comb(n, k) for k in range(n - right + 1, n + 1)) / 2**n
## wrong constant: sum over all counts
return sum(math.comb(n, k) for k in range(n + 1)) / 2**n
""",
}
