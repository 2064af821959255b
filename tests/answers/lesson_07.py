"""Lesson 7: attention from memory, a strength, and a round of one's own."""

NOTEBOOK = """
import math
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
w_query = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
w_key = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
w_value = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
queries, keys, values = x @ w_query, x @ w_key, x @ w_value
weights = torch.tensor([[0.0, 0.5, 0.5], [0, 1, 0], [0, 0.9, 0.1]])
def attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5
    weights = scores.softmax(dim=-1)
    return weights @ value, weights
"""

ANSWERS = {
    "tokens_first(query, key, value)": """
## right: the lesson's function, turned and turned back
output, _ = attention(query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1))
return output.transpose(0, 1)
## right: einsum with the axes as they stand
weights = (torch.einsum("qbd,kbd->bqk", query, key) / query.shape[-1] ** 0.5).softmax(dim=-1)
return torch.einsum("bqk,kbv->qbv", weights, value)
## right: a loop over the sentences
outputs = [attention(query[:, b], key[:, b], value[:, b])[0] for b in range(query.shape[1])]
return torch.stack(outputs, dim=1)
## right: permute
q, k, v = query.permute(1, 0, 2), key.permute(1, 2, 0), value.permute(1, 0, 2)
weights = torch.softmax(q @ k / math.sqrt(query.shape[2]), dim=2)
return (weights @ v).permute(1, 0, 2)
## wrong as-in-step-4: as in step 4
scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
return scores.softmax(dim=-1) @ value
## wrong as-in-step-4: the lesson's function, not turned
return attention(query, key, value)[0]
## wrong batch-left-in-front: not turned back
q, k, v = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
return (q @ k.mT / k.shape[-1] ** 0.5).softmax(dim=-1) @ v
## wrong cut-anew: reshape for transpose
q, k, v = (t.reshape(t.shape[1], t.shape[0], -1) for t in (query, key, value))
output = (q @ k.mT / k.shape[-1] ** 0.5).softmax(dim=-1) @ v
return output.reshape(output.shape[1], output.shape[0], -1)
## right: four steps
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
d_k = query.shape[-1]
scores = query @ key.transpose(-2, -1) / d_k**0.5
weights = scores.softmax(dim=-1)
return (weights @ value).transpose(0, 1)
## right: einsum
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
scores = torch.einsum("bqd,bkd->bqk", query, key) / query.size(-1) ** 0.5
return (torch.einsum("bqk,bkv->bqv", torch.softmax(scores, dim=2), value)).transpose(0, 1)
## right: a loop over the batch
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
outputs = []
for q, k, v in zip(query, key, value):
    scores = q @ k.T / math.sqrt(k.shape[1])
    outputs.append(torch.softmax(scores, dim=-1) @ v)
return (torch.stack(outputs)).transpose(0, 1)
## right: bmm
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
scores = torch.bmm(query, key.mT) / math.sqrt(query.shape[2])
return (torch.bmm(nn.functional.softmax(scores, dim=-1), value)).transpose(0, 1)
## right: exponentials by hand
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
scores = torch.matmul(query, key.permute(0, 2, 1)) * query.shape[-1] ** -0.5
powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
return (torch.matmul(powers / powers.sum(dim=-1, keepdim=True), value)).transpose(0, 1)
## right: the query scaled first
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
query = query / query.shape[-1] ** 0.5
return ((query @ key.swapaxes(1, 2)).softmax(-1) @ value).transpose(0, 1)
## right: broadcast
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
scores = (query[:, :, None, :] * key[:, None, :, :]).sum(-1) / key.shape[-1] ** 0.5
weights = scores.softmax(-1)
return ((weights[..., None] * value[:, None]).sum(dim=2)).transpose(0, 1)
## wrong banned: ready-made attention
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return (scaled_dot_product_attention(query, key, value)).transpose(0, 1)
## wrong banned: ready-made, by its full name
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return (torch.nn.functional.scaled_dot_product_attention(query, key, value)).transpose(0, 1)
## wrong several: the lesson's function, a pair
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return attention(query, key, value)
## wrong no-scaling: not scaled
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1)).softmax(dim=-1) @ value).transpose(0, 1)
## wrong divided-by-d-k: divided by d_k
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) / query.shape[-1]).softmax(dim=-1) @ value).transpose(0, 1)
## wrong power-first: root by a wrong order of operations
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
d_k = query.shape[-1]
return ((query @ key.transpose(-2, -1) / d_k**1 / 2).softmax(dim=-1) @ value).transpose(0, 1)
## wrong batch-transposed: T of three axes
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.T / query.shape[-1] ** 0.5).softmax(dim=-1) @ value).transpose(0, 1)
## wrong root-of-n-key: scaled by the number of keys
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) / key.shape[1] ** 0.5).softmax(dim=-1) @ value).transpose(0, 1)
## wrong root-of-d-v: scaled by the width of the values
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) / value.shape[-1] ** 0.5).softmax(dim=-1) @ value).transpose(0, 1)
## wrong wrong-axis: softmax over the queries
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=1) @ value).transpose(0, 1)
## wrong softmax-over-batch: softmax over the batch
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=0) @ value).transpose(0, 1)
## wrong no-softmax: no softmax
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5 @ value).transpose(0, 1)
## wrong scaled-after-softmax: scaled after softmax
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1)).softmax(dim=-1) / query.shape[-1] ** 0.5 @ value).transpose(0, 1)
## wrong weights-alone: the weights
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1).transpose(0, 1)
## wrong several: output and weights
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
weights = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ value).transpose(0, 1), weights
## wrong keys-and-queries-swapped: key and query exchanged
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((key @ query.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ value).transpose(0, 1)
## wrong keys-as-values: key in place of value
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ key).transpose(0, 1)
## wrong sizes-differ: batch and tokens exchanged in the transpose
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(0, 1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ value).transpose(0, 1)
## wrong place-operation: multiplied by the root
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) * query.shape[-1] ** 0.5).softmax(dim=-1) @ value).transpose(0, 1)
## wrong written-out: 3 written out
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) / 3**0.5).softmax(dim=-1) @ value).transpose(0, 1)
## wrong axes-too-few: the first sentence only
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
q, k, v = query[0], key[0], value[0]
return (q @ k.T / q.shape[-1] ** 0.5).softmax(dim=-1) @ v
## wrong notebook-variable: the notebook's values
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ values).transpose(0, 1)
## wrong bare-exp: softmax without max over all keys
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
e = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).exp()
return (e / e.sum(dim=-1, keepdim=True) @ value).transpose(0, 1)
## wrong scaled-after-softmax: value scaled
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1)).softmax(dim=-1) @ (value / query.shape[-1] ** 0.5)).transpose(0, 1)
## wrong tensor-needed: sqrt of a plain number
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
return ((query @ key.transpose(-2, -1) / torch.sqrt(query.shape[-1])).softmax(dim=-1) @ value).transpose(0, 1)
## wrong no-return: no return
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
output = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong return-in-loop: return inside the loop
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
outputs = []
for q, k, v in zip(query, key, value):
    outputs.append((q @ k.T / q.shape[-1] ** 0.5).softmax(dim=-1) @ v)
    return (torch.stack(outputs)).transpose(0, 1)
## right: baddbmm
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
d_k = query.shape[-1]
zero = torch.zeros(query.shape[0], query.shape[1], key.shape[1], dtype=query.dtype)
scores = torch.baddbmm(zero, query, key.transpose(1, 2), alpha=d_k**-0.5)
return (torch.einsum("bqk,bkd->bqd", scores.softmax(2), value)).transpose(0, 1)
## wrong place-too-much: a causal mask as well
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
scores = query @ key.mT / query.shape[-1] ** 0.5
n_query, n_key = scores.shape[-2:]
mask = torch.ones(n_query, n_key, dtype=torch.bool).tril()
return (scores.masked_fill(~mask, -torch.inf).softmax(dim=-1) @ value).transpose(0, 1)
## wrong best-key-alone: weights made whole
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
scores = query @ key.mT / query.shape[-1] ** 0.5
return ((scores == scores.amax(dim=-1, keepdim=True)).to(value.dtype) @ value).transpose(0, 1)
## wrong one-size: batch flattened
query, key, value = (t.transpose(0, 1) for t in (query, key, value))
q, k, v = (t.reshape(-1, t.shape[-1]) for t in (query, key, value))
out = (q @ k.T / q.shape[-1] ** 0.5).softmax(dim=-1) @ v
return (out.reshape(query.shape[0], query.shape[1], -1)).transpose(0, 1)
""",
    "attend_to(x, others, w_query, w_key, w_value)": """
## right: all steps
query, key, value = x @ w_query, others @ w_key, others @ w_value
scores = query @ key.T / key.shape[-1] ** 0.5
return scores.softmax(dim=-1) @ value
## right: the lesson's function
output, _ = attention(x @ w_query, others @ w_key, others @ w_value)
return output
## right: the lesson's function, part 0
return attention(x @ w_query, others @ w_key, others @ w_value)[0]
## right: ready-made attention, not forbidden here
return scaled_dot_product_attention(x @ w_query, others @ w_key, others @ w_value)
## right: one matrix between
scores = x @ (w_query @ w_key.T) @ others.T / w_query.shape[1] ** 0.5
return torch.softmax(scores, 1) @ others @ w_value
## right: loops over tokens
q, k, v = x @ w_query, others @ w_key, others @ w_value
rows = []
for i in range(len(x)):
    scores = torch.stack([q[i] @ k[j] for j in range(len(others))]) / math.sqrt(len(q[i]))
    weights = torch.softmax(scores, dim=0)
    rows.append(sum(weights[j] * v[j] for j in range(len(others))))
return torch.stack(rows)
## right: einsum
q = torch.einsum("nd,dk->nk", x, w_query)
k = torch.einsum("nd,dk->nk", others, w_key)
v = torch.einsum("nd,dv->nv", others, w_value)
a = (torch.einsum("ik,jk->ij", q, k) / math.sqrt(q.size(-1))).softmax(-1)
return torch.einsum("ij,jv->iv", a, v)
## wrong root-of-d-model: d_model for d_k
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key.T / x.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong no-scaling: not scaled
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key.T).softmax(dim=-1) @ value
## wrong values-unprojected: the inputs are mixed, not the values
query, key = x @ w_query, others @ w_key
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ others
## wrong keys-and-queries-swapped: keys and queries exchanged
query, key, value = x @ w_key, others @ w_query, others @ w_value
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong sizes-do-not-meet: matrix before input
query, key, value = w_query @ x, w_key @ others, w_value @ others
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong notebook-variable: the notebook's matrices
return (queries @ keys.T / keys.shape[-1] ** 0.5).softmax(dim=-1) @ values
## wrong wrong-axis: softmax over columns
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=0) @ value
## wrong no-softmax: softmax forgotten
query, key, value = x @ w_query, others @ w_key, others @ w_value
return query @ key.T / key.shape[-1] ** 0.5 @ value
## wrong weights-alone: the weights
query, key = x @ w_query, others @ w_key
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1)
## wrong several: a pair
return attention(x @ w_query, others @ w_key, others @ w_value)
## wrong root-of-n: scaled by n
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key.T / len(others) ** 0.5).softmax(dim=-1) @ value
## wrong keys-as-values: w_key used twice
query, key, value = x @ w_query, others @ w_key, others @ w_key
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong added-to-x: residual added
query, key, value = x @ w_query, others @ w_key, others @ w_value
return x + (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong unused: no projection
return (x @ x.T / x.shape[-1] ** 0.5).softmax(dim=-1) @ x
## wrong transpose-forgotten: the keys not turned
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong place-name: scaled by d_v
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key.T / value.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong divided-by-d-k: divided by d_k without the root
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key.T / key.shape[-1]).softmax(dim=-1) @ value
## wrong sizes-differ: elementwise at the end
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) * value
## wrong by-resemblance: each pair's share of the values by resemblance
value = others @ w_value
return (x @ others.T / x.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong no-exp: shares without exponentials
query, key, value = x @ w_query, others @ w_key, others @ w_value
scores = query @ key.T / key.shape[-1] ** 0.5
return scores / scores.sum(dim=-1, keepdim=True) @ value
## wrong sizes-do-not-meet: w_query turned
query, key, value = x @ w_query.T, others @ w_key.T, others @ w_value.T
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong no-return: no return
query, key, value = x @ w_query, others @ w_key, others @ w_value
output = (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong weights-transposed: weights turned when summing
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1).T @ value
## wrong power-first: 1/2 before the brackets
query, key, value = x @ w_query, others @ w_key, others @ w_value
return (query @ key.T / (key.shape[-1] ** 1 / 2)).softmax(dim=-1) @ value
## right: F.linear and scaled queries
F = nn.functional
q = F.linear(x, w_query.T) / w_query.shape[1] ** 0.5
return F.softmax(q @ F.linear(others, w_key.T).T, dim=-1) @ F.linear(others, w_value.T)
## wrong place-name: the projection comes after the output
scores = (x @ w_query) @ (others @ w_key).T / w_key.shape[1] ** 0.5
return scores.softmax(-1) @ others @ w_query
## wrong softmax-of-queries: softmax on the queries
q, k, v = (x @ w_query).softmax(-1), others @ w_key, others @ w_value
return (q @ k.T / k.shape[-1] ** 0.5) @ v
## wrong divided-by-d-k: scaled twice
q, k, v = x @ w_query / w_query.shape[1] ** 0.5, others @ w_key / w_key.shape[1] ** 0.5, others @ w_value
return (q @ k.T).softmax(-1) @ v
## wrong asks-itself: all from x
return attention(x @ w_query, x @ w_key, x @ w_value)[0]
## wrong others-ask: the texts exchanged
return attention(others @ w_query, x @ w_key, x @ w_value)[0]
## wrong takes-from-itself: values of x
query, key, value = x @ w_query, others @ w_key, x @ w_value
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong all-in-one-text: both texts in a row
both = torch.cat([x, others])
return attention(x @ w_query, both @ w_key, both @ w_value)[0]
""",
    "strength_for(share, n_key, d_k)": """
## right: ln of the odds
return math.log(share * (n_key - 1) / (1 - share)) * math.sqrt(d_k)
## right: numpy
import numpy as np
return float(np.sqrt(d_k) * np.log(share / (1 - share) * (n_key - 1)))
## right: torch
odds = torch.tensor(share / (1 - share), dtype=torch.float64)
return d_k**0.5 * (odds.log() + math.log(n_key - 1))
## right: sums of logs
return d_k**0.5 * (math.log(share) - math.log(1 - share) + math.log(n_key - 1))
## right: a search
low, high = -1000.0, 1000.0
for _ in range(200):
    middle = (low + high) / 2
    e = math.exp(middle / d_k**0.5)
    if e / (e + n_key - 1) < share:
        low = middle
    else:
        high = middle
return low
## right: others' share first
each = (1 - share) / (n_key - 1)
return math.log(share / each) * d_k**0.5
## right: logit
return (torch.logit(torch.tensor(share)).item() + math.log(n_key - 1)) * d_k**0.5
## wrong no-scaling: scale forgotten
return math.log(share * (n_key - 1) / (1 - share))
## wrong scaled-twice: divided by the scale
return math.log(share * (n_key - 1) / (1 - share)) / d_k**0.5
## wrong times-d-k: times d_k
return math.log(share * (n_key - 1) / (1 - share)) * d_k
## wrong itself-among-the-others: n_key others
return math.log(share * n_key / (1 - share)) * d_k**0.5
## wrong one-rival: number of keys forgotten
return math.log(share / (1 - share)) * d_k**0.5
## wrong logarithm-of-the-share: log of the share
return math.log(share) * d_k**0.5
## wrong share-of-all: log of share times all keys
return math.log(share * n_key) * d_k**0.5
## wrong no-logarithm: no log
return share * (n_key - 1) / (1 - share) * d_k**0.5
## wrong logarithm-of-10: log base 10
return math.log10(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong place-function: log2
return math.log2(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong upside-down: odds upside down
return math.log((1 - share) * (n_key - 1) / share) * d_k**0.5
## wrong others-divided: others divided, not multiplied
return math.log(share / ((1 - share) * (n_key - 1))) * d_k**0.5
## wrong logarithm-of-what: brackets of the odds
return math.log(share * (n_key - 1) / 1 - share) * d_k**0.5
## wrong power-first: d_k half
return math.log(share * (n_key - 1) / (1 - share)) * d_k**1 / 2
## wrong written-out: 11 keys written out
return math.log(share * 10 / (1 - share)) * d_k**0.5
## wrong written-out: 2 as d_k
return math.log(share * (n_key - 1) / (1 - share)) * 2**0.5
## wrong as-in-round-1: in proportion to 6
return 6 * share / 0.87
## wrong scale-inside: root inside the log
return math.log(share * (n_key - 1) / (1 - share) * d_k**0.5)
## wrong no-return: no return
strength = math.log(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong tensor-needed: torch.log of a plain number
return torch.log(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong exponential: exp for log
return math.exp(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong unused: other scores are 0 so their exponentials are 0
return math.log(share) * d_k**0.5 + 1
## wrong negative: negative
return -math.log(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong others-outside: n_key - 1 outside the log
return math.log(share / (1 - share)) * (n_key - 1) * d_k**0.5
## right: log1p of the rest
return -d_k**0.5 * (math.log1p(-share) - math.log(share) - math.log(n_key - 1))
## wrong share-of-all: softmax over shares
return math.log(share / (1 / n_key)) * d_k**0.5
## wrong itself-among-the-others: the rest shared among all, minus the log
return (math.log(share) - math.log((1 - share) / n_key)) * d_k**0.5
## wrong unforeseen: tanh
return math.atanh(share) * (n_key - 1) * d_k**0.5
""",
    "one_request(x, asks, offers, hands, strength)": """
## right: three matrices
d_model = x.shape[1]
w_query, w_key, w_value = x.new_zeros(d_model, 1), x.new_zeros(d_model, 1), x.new_zeros(d_model, d_model)
w_query[asks] = strength
w_key[offers] = 1
w_value[hands, hands] = 1
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T).softmax(dim=-1) @ value
## right: the lesson's function, d_k is 1
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks, 0], w_k[offers, 0], w_v[hands, hands] = strength, 1.0, 1.0
output, _ = attention(x @ w_q, x @ w_k, x @ w_v)
return output
## right: columns, no matrices
scores = strength * x[:, asks][:, None] * x[:, offers][None, :]
weights = torch.softmax(scores, dim=-1)
result = torch.zeros_like(x)
result[:, hands] = weights @ x[:, hands]
return result
## right: outer product
weights = (strength * torch.outer(x[:, asks], x[:, offers])).softmax(-1)
value = torch.zeros_like(x)
value[:, hands] = x[:, hands]
return weights @ value
## right: strength on the key's side
key = strength * x[:, offers : offers + 1]
query = x[:, asks : asks + 1]
keep = torch.zeros(x.shape[1]).to(x)
keep[hands] = 1
return (query @ key.mT).softmax(dim=1) @ (x * keep)
## right: loops
n, d_model = x.shape
result = torch.zeros(n, d_model).to(x)
for i in range(n):
    scores = torch.stack([strength * x[i, asks] * x[j, offers] for j in range(n)])
    weights = scores.softmax(dim=0)
    for j in range(n):
        result[i, hands] = result[i, hands] + weights[j] * x[j, hands]
return result
## wrong roles-exchanged: offers and asks exchanged
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[offers, 0], w_k[asks, 0], w_v[hands, hands] = strength, 1.0, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong handed-to-column-0: handed over at place 0
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks, 0], w_k[offers, 0], w_v[hands, 0] = strength, 1.0, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong one-column: only one column handed back
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, 1)
w_q[asks], w_k[offers], w_v[hands] = strength, 1.0, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong whole-vectors: all features handed over
d = x.shape[-1]
w_q, w_k = x.new_zeros(d, 1), x.new_zeros(d, 1)
w_q[asks], w_k[offers] = strength, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ x
## wrong strength-twice: strength on both sides
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, strength, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong no-strength: strength forgotten
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = 1, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong root-of-d-model: scaled by the root of d_model
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T / d**0.5).softmax(-1) @ (x @ w_v)
## wrong no-softmax: softmax forgotten
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T) @ (x @ w_v)
## wrong whole-row: whole rows of w_value
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong added-to-x: residual added
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return x + ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong wrong-axis: softmax over the queries
scores = strength * torch.outer(x[:, asks], x[:, offers])
result = torch.zeros_like(x)
result[:, hands] = scores.softmax(dim=0) @ x[:, hands]
return result
## wrong written-out: four features written out
w_q, w_k, w_v = x.new_zeros(4, 1), x.new_zeros(4, 1), x.new_zeros(4, 4)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong offers-taken-home: takes what it offers
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[offers, offers] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong only-who-asks: tokens that do not ask get zeros
scores = strength * torch.outer(x[:, asks], x[:, offers])
result = torch.zeros_like(x)
result[:, hands] = scores.softmax(dim=-1) @ x[:, hands] * x[:, asks]
return result
## wrong index-too-large: two rows for columns
scores = strength * torch.outer(x[asks], x[offers])
result = torch.zeros_like(x)
result[:, hands] = scores.softmax(dim=-1) @ x[:, hands]
return result
## wrong no-return: no return
scores = strength * torch.outer(x[:, asks], x[:, offers])
result = torch.zeros_like(x)
result[:, hands] = scores.softmax(dim=-1) @ x[:, hands]
## wrong several: a pair
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return attention(x @ w_q, x @ w_k, x @ w_v)
## wrong sizes-do-not-meet: shapes of w turned
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(1, d), x.new_zeros(1, d), x.new_zeros(d, d)
w_q[0, asks], w_k[0, offers], w_v[hands, hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong in-place: changes x
weights = (strength * torch.outer(x[:, asks], x[:, offers])).softmax(-1)
kept = x[:, hands].clone()
x[:] = 0
x[:, hands] = weights @ kept
return x
## wrong written-out: 6 written out
weights = (6 * torch.outer(x[:, asks], x[:, offers])).softmax(-1)
result = torch.zeros_like(x)
result[:, hands] = weights @ x[:, hands]
return result
## wrong place-name: asks where both are the same column
weights = (strength * torch.outer(x[:, asks], x[:, asks])).softmax(-1)
result = torch.zeros_like(x)
result[:, hands] = weights @ x[:, hands]
return result
## right: a mask of the column
scores = x[:, [asks]] @ x[:, [offers]].T * strength
taken = scores.softmax(dim=1) @ x
mask = torch.arange(x.shape[1]) == hands
return taken.masked_fill(~mask, 0)
## wrong strength-after: the strength after softmax
scores = torch.outer(x[:, asks], x[:, offers])
result = torch.zeros_like(x)
result[:, hands] = strength * scores.softmax(dim=-1) @ x[:, hands]
return result
## wrong place-operation: adds up in place of handing over
scores = strength * (x[:, [asks]] + x[:, [offers]].T)
result = torch.zeros_like(x)
result[:, hands] = scores.softmax(dim=-1) @ x[:, hands]
return result
## wrong place-name: the result in the column of offers
scores = strength * torch.outer(x[:, asks], x[:, offers])
result = torch.zeros_like(x)
result[:, offers] = scores.softmax(dim=-1) @ x[:, hands]
return result
""",
}
