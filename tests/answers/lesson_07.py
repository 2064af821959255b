"""Lesson 7: attention from memory, a strength, and a round of one's own."""

NOTEBOOK = '''
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
'''

ANSWERS = {
    "batched_attention(query, key, value)": """
## right: four steps
d_k = query.shape[-1]
scores = query @ key.transpose(-2, -1) / d_k**0.5
weights = scores.softmax(dim=-1)
return weights @ value
## right: einsum
scores = torch.einsum("bqd,bkd->bqk", query, key) / query.size(-1) ** 0.5
return torch.einsum("bqk,bkv->bqv", torch.softmax(scores, dim=2), value)
## right: a loop over the batch
outputs = []
for q, k, v in zip(query, key, value):
    scores = q @ k.T / math.sqrt(k.shape[1])
    outputs.append(torch.softmax(scores, dim=-1) @ v)
return torch.stack(outputs)
## right: bmm
scores = torch.bmm(query, key.mT) / math.sqrt(query.shape[2])
return torch.bmm(nn.functional.softmax(scores, dim=-1), value)
## right: exponentials by hand
scores = torch.matmul(query, key.permute(0, 2, 1)) * query.shape[-1] ** -0.5
powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
return torch.matmul(powers / powers.sum(dim=-1, keepdim=True), value)
## right: the query scaled first
query = query / query.shape[-1] ** 0.5
return (query @ key.swapaxes(1, 2)).softmax(-1) @ value
## right: broadcast
scores = (query[:, :, None, :] * key[:, None, :, :]).sum(-1) / key.shape[-1] ** 0.5
weights = scores.softmax(-1)
return (weights[..., None] * value[:, None]).sum(dim=2)
## wrong: ready-made attention
return scaled_dot_product_attention(query, key, value)
## wrong: ready-made, by its full name
return torch.nn.functional.scaled_dot_product_attention(query, key, value)
## wrong: the lesson's function, a pair
return attention(query, key, value)
## wrong: not scaled
return (query @ key.transpose(-2, -1)).softmax(dim=-1) @ value
## wrong: divided by d_k
return (query @ key.transpose(-2, -1) / query.shape[-1]).softmax(dim=-1) @ value
## wrong: root by a wrong order of operations
d_k = query.shape[-1]
return (query @ key.transpose(-2, -1) / d_k**1 / 2).softmax(dim=-1) @ value
## wrong: T of three axes
return (query @ key.T / query.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: scaled by the number of keys
return (query @ key.transpose(-2, -1) / key.shape[1] ** 0.5).softmax(dim=-1) @ value
## wrong: scaled by the width of the values
return (query @ key.transpose(-2, -1) / value.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: softmax over the queries
return (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=1) @ value
## wrong: softmax over the batch
return (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=0) @ value
## wrong: no softmax
return query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5 @ value
## wrong: scaled after softmax
return (query @ key.transpose(-2, -1)).softmax(dim=-1) / query.shape[-1] ** 0.5 @ value
## wrong: the weights
return (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1)
## wrong: output and weights
weights = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1)
return weights @ value, weights
## wrong: key and query exchanged
return (key @ query.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: key in place of value
return (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ key
## wrong: batch and tokens exchanged in the transpose
return (query @ key.transpose(0, 1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: multiplied by the root
return (query @ key.transpose(-2, -1) * query.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: 3 written out
return (query @ key.transpose(-2, -1) / 3**0.5).softmax(dim=-1) @ value
## wrong: the first sentence only
q, k, v = query[0], key[0], value[0]
return (q @ k.T / q.shape[-1] ** 0.5).softmax(dim=-1) @ v
## wrong: the notebook's values
return (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ values
## wrong: softmax without max over all keys
e = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).exp()
return e / e.sum(dim=-1, keepdim=True) @ value
## wrong: value scaled
return (query @ key.transpose(-2, -1)).softmax(dim=-1) @ (value / query.shape[-1] ** 0.5)
## wrong: sqrt of a plain number
return (query @ key.transpose(-2, -1) / torch.sqrt(query.shape[-1])).softmax(dim=-1) @ value
## wrong: no return
output = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: return inside the loop
outputs = []
for q, k, v in zip(query, key, value):
    outputs.append((q @ k.T / q.shape[-1] ** 0.5).softmax(dim=-1) @ v)
    return torch.stack(outputs)
""",
    "self_attention(x, w_query, w_key, w_value)": """
## right: all steps
query, key, value = x @ w_query, x @ w_key, x @ w_value
scores = query @ key.T / key.shape[-1] ** 0.5
return scores.softmax(dim=-1) @ value
## right: the lesson's function
output, _ = attention(x @ w_query, x @ w_key, x @ w_value)
return output
## right: the lesson's function, part 0
return attention(x @ w_query, x @ w_key, x @ w_value)[0]
## right: ready-made attention, not forbidden here
return scaled_dot_product_attention(x @ w_query, x @ w_key, x @ w_value)
## right: one matrix between
scores = x @ (w_query @ w_key.T) @ x.T / w_query.shape[1] ** 0.5
return torch.softmax(scores, 1) @ x @ w_value
## right: loops over tokens
q, k, v = x @ w_query, x @ w_key, x @ w_value
rows = []
for i in range(len(x)):
    scores = torch.stack([q[i] @ k[j] for j in range(len(x))]) / math.sqrt(len(q[i]))
    weights = torch.softmax(scores, dim=0)
    rows.append(sum(weights[j] * v[j] for j in range(len(x))))
return torch.stack(rows)
## right: einsum
q = torch.einsum("nd,dk->nk", x, w_query)
k = torch.einsum("nd,dk->nk", x, w_key)
v = torch.einsum("nd,dv->nv", x, w_value)
a = (torch.einsum("ik,jk->ij", q, k) / math.sqrt(q.size(-1))).softmax(-1)
return torch.einsum("ij,jv->iv", a, v)
## wrong: d_model for d_k
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T / x.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: not scaled
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T).softmax(dim=-1) @ value
## wrong: the inputs are mixed, not the values
query, key = x @ w_query, x @ w_key
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ x
## wrong: keys and queries exchanged
query, key, value = x @ w_key, x @ w_query, x @ w_value
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: matrix before input
query, key, value = w_query @ x, w_key @ x, w_value @ x
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: the notebook's matrices
return (queries @ keys.T / keys.shape[-1] ** 0.5).softmax(dim=-1) @ values
## wrong: softmax over columns
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=0) @ value
## wrong: softmax forgotten
query, key, value = x @ w_query, x @ w_key, x @ w_value
return query @ key.T / key.shape[-1] ** 0.5 @ value
## wrong: the weights
query, key = x @ w_query, x @ w_key
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1)
## wrong: a pair
return attention(x @ w_query, x @ w_key, x @ w_value)
## wrong: scaled by n
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T / len(x) ** 0.5).softmax(dim=-1) @ value
## wrong: w_key used twice
query, key, value = x @ w_query, x @ w_key, x @ w_key
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: residual added
query, key, value = x @ w_query, x @ w_key, x @ w_value
return x + (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: no projection
return (x @ x.T / x.shape[-1] ** 0.5).softmax(dim=-1) @ x
## wrong: the keys not turned
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: scaled by d_v
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T / value.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: divided by d_k without the root
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T / key.shape[-1]).softmax(dim=-1) @ value
## wrong: elementwise at the end
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) * value
## wrong: each pair's share of the values by resemblance
value = x @ w_value
return (x @ x.T / x.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: shares without exponentials
query, key, value = x @ w_query, x @ w_key, x @ w_value
scores = query @ key.T / key.shape[-1] ** 0.5
return scores / scores.sum(dim=-1, keepdim=True) @ value
## wrong: w_query turned
query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: no return
query, key, value = x @ w_query, x @ w_key, x @ w_value
output = (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1) @ value
## wrong: weights turned when summing
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T / key.shape[-1] ** 0.5).softmax(dim=-1).T @ value
## wrong: 1/2 before the brackets
query, key, value = x @ w_query, x @ w_key, x @ w_value
return (query @ key.T / (key.shape[-1] ** 1 / 2)).softmax(dim=-1) @ value
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
## wrong: scale forgotten
return math.log(share * (n_key - 1) / (1 - share))
## wrong: divided by the scale
return math.log(share * (n_key - 1) / (1 - share)) / d_k**0.5
## wrong: times d_k
return math.log(share * (n_key - 1) / (1 - share)) * d_k
## wrong: n_key others
return math.log(share * n_key / (1 - share)) * d_k**0.5
## wrong: number of keys forgotten
return math.log(share / (1 - share)) * d_k**0.5
## wrong: log of the share
return math.log(share) * d_k**0.5
## wrong: log of share times all keys
return math.log(share * n_key) * d_k**0.5
## wrong: no log
return share * (n_key - 1) / (1 - share) * d_k**0.5
## wrong: log base 10
return math.log10(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong: log2
return math.log2(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong: odds upside down
return math.log((1 - share) * (n_key - 1) / share) * d_k**0.5
## wrong: others divided, not multiplied
return math.log(share / ((1 - share) * (n_key - 1))) * d_k**0.5
## wrong: brackets of the odds
return math.log(share * (n_key - 1) / 1 - share) * d_k**0.5
## wrong: d_k half
return math.log(share * (n_key - 1) / (1 - share)) * d_k**1 / 2
## wrong: 11 keys written out
return math.log(share * 10 / (1 - share)) * d_k**0.5
## wrong: 2 as d_k
return math.log(share * (n_key - 1) / (1 - share)) * 2**0.5
## wrong: in proportion to 6
return 6 * share / 0.87
## wrong: root inside the log
return math.log(share * (n_key - 1) / (1 - share) * d_k**0.5)
## wrong: no return
strength = math.log(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong: torch.log of a plain number
return torch.log(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong: exp for log
return math.exp(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong: other scores are 0 so their exponentials are 0
return math.log(share) * d_k**0.5 + 1
## wrong: negative
return -math.log(share * (n_key - 1) / (1 - share)) * d_k**0.5
## wrong: n_key - 1 outside the log
return math.log(share / (1 - share)) * (n_key - 1) * d_k**0.5
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
## wrong: offers and asks exchanged
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[offers, 0], w_k[asks, 0], w_v[hands, hands] = strength, 1.0, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: handed over at place 0
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks, 0], w_k[offers, 0], w_v[hands, 0] = strength, 1.0, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: only one column handed back
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, 1)
w_q[asks], w_k[offers], w_v[hands] = strength, 1.0, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: all features handed over
d = x.shape[-1]
w_q, w_k = x.new_zeros(d, 1), x.new_zeros(d, 1)
w_q[asks], w_k[offers] = strength, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ x
## wrong: strength on both sides
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, strength, 1.0
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: strength forgotten
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = 1, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: scaled by the root of d_model
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T / d**0.5).softmax(-1) @ (x @ w_v)
## wrong: softmax forgotten
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T) @ (x @ w_v)
## wrong: whole rows of w_value
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: residual added
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return x + ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: softmax over the queries
scores = strength * torch.outer(x[:, asks], x[:, offers])
result = torch.zeros_like(x)
result[:, hands] = scores.softmax(dim=0) @ x[:, hands]
return result
## wrong: four features written out
w_q, w_k, w_v = x.new_zeros(4, 1), x.new_zeros(4, 1), x.new_zeros(4, 4)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: takes what it offers
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[offers, offers] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: tokens that do not ask get zeros
scores = strength * torch.outer(x[:, asks], x[:, offers])
result = torch.zeros_like(x)
result[:, hands] = scores.softmax(dim=-1) @ x[:, hands] * x[:, asks]
return result
## wrong: two rows for columns
scores = strength * torch.outer(x[asks], x[offers])
result = torch.zeros_like(x)
result[:, hands] = scores.softmax(dim=-1) @ x[:, hands]
return result
## wrong: no return
scores = strength * torch.outer(x[:, asks], x[:, offers])
result = torch.zeros_like(x)
result[:, hands] = scores.softmax(dim=-1) @ x[:, hands]
## wrong: a pair
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(d, 1), x.new_zeros(d, 1), x.new_zeros(d, d)
w_q[asks], w_k[offers], w_v[hands, hands] = strength, 1, 1
return attention(x @ w_q, x @ w_k, x @ w_v)
## wrong: shapes of w turned
d = x.shape[-1]
w_q, w_k, w_v = x.new_zeros(1, d), x.new_zeros(1, d), x.new_zeros(d, d)
w_q[0, asks], w_k[0, offers], w_v[hands, hands] = strength, 1, 1
return ((x @ w_q) @ (x @ w_k).T).softmax(-1) @ (x @ w_v)
## wrong: changes x
weights = (strength * torch.outer(x[:, asks], x[:, offers])).softmax(-1)
kept = x[:, hands].clone()
x[:] = 0
x[:, hands] = weights @ kept
return x
## wrong: 6 written out
weights = (6 * torch.outer(x[:, asks], x[:, offers])).softmax(-1)
result = torch.zeros_like(x)
result[:, hands] = weights @ x[:, hands]
return result
## wrong: asks where both are the same column
weights = (strength * torch.outer(x[:, asks], x[:, asks])).softmax(-1)
result = torch.zeros_like(x)
result[:, hands] = weights @ x[:, hands]
return result
""",
}
