"""Lesson 4: a table of scores, the best of all keys, how widely scores spread, and what to divide by."""

NOTEBOOK = """
import torch
x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
w_query = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
w_key = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
queries, keys = x @ w_query, x @ w_key
scores = queries @ keys.T
query, key = torch.tensor([3.0, 4.0]), torch.tensor([2.0, 1.0])
d_k = 3
"""

ANSWERS = {
    "score_table(queries, keys)": """
## right: one product
return queries @ keys.T
## right: einsum
return torch.einsum("qd,kd->qk", queries, keys)
## right: two loops
table = torch.zeros(len(queries), len(keys), dtype=queries.dtype)
for i in range(len(queries)):
    for j in range(len(keys)):
        table[i, j] = torch.dot(queries[i], keys[j])
return table
## right: broadcast and sum
return (queries[:, None, :] * keys[None, :, :]).sum(dim=-1)
## right: matmul and transpose
return torch.matmul(queries, keys.transpose(-2, -1))
## right: rows stacked
return torch.stack([keys @ query for query in queries])
## right: linear
return torch.nn.functional.linear(queries, keys)
## right: turned twice
return (keys @ queries.T).T
## right: inner
return torch.inner(queries, keys)
## right: numpy inside
return torch.as_tensor(queries.numpy() @ keys.numpy().T)
## wrong keys-and-queries-swapped: turned
return keys @ queries.T
## wrong transpose-forgotten: keys not turned
return queries @ keys
## wrong number-by-number: elementwise
return queries * keys
## wrong sizes-do-not-meet: queries turned
return queries.T @ keys
## wrong scaled: scaled
return queries @ keys.T / keys.shape[-1] ** 0.5
## wrong softmax: softmax as well
return torch.softmax(queries @ keys.T, dim=-1)
## wrong cosine: cosine
return torch.nn.functional.cosine_similarity(queries[:, None], keys[None], dim=-1)
## wrong distance: distances
return torch.cdist(queries, keys)
## wrong queries-only: queries with queries
return queries @ queries.T
## wrong notebook-variable: the notebook's scores
return scores
## wrong list: a list of lists of tensors
return [[q @ k for k in keys] for q in queries]
## wrong place-axis: the sum over the wrong axis
return (queries[:, None, :] * keys[None, :, :]).sum(dim=1)
## wrong written-out: three by three written out
table = torch.zeros(3, 3)
for i in range(3):
    for j in range(3):
        table[i, j] = queries[i] @ keys[j]
return table
## wrong only-the-last: one row
for query in queries:
    row = keys @ query
return row
## wrong return-in-loop: return inside the loop
table = []
for query in queries:
    table.append(keys @ query)
    return torch.stack(table)
## wrong no-return: no return
scores = queries @ keys.T
## wrong sizes-differ: diagonal only
return (queries * keys).sum(dim=-1)
## wrong not-summed: not the sum, the block of products
return queries[:, None, :] * keys[None, :, :]
## wrong laid-out: flat
return torch.stack([q @ k for q in queries for k in keys])
## wrong sums-multiplied: sum of sums
return queries.sum(dim=-1, keepdim=True) * keys.sum(dim=-1)
## wrong keys-and-queries-swapped: einsum with turned letters
return torch.einsum("qd,kd->kq", queries, keys)
## wrong reshaped: view instead of transpose
return queries @ keys.view(keys.shape[1], keys.shape[0])
## wrong place-operation: plus for times
return (queries[:, None, :] + keys[None, :, :]).sum(dim=-1)
## wrong index-too-large: sizes of queries twice
table = torch.zeros(len(queries), len(queries))
for i in range(len(queries)):
    for j in range(len(queries)):
        table[i, j] = queries[i] @ keys[j]
return table
## right: addmm
return torch.addmm(torch.zeros(len(queries), len(keys), dtype=queries.dtype), queries, keys.t())
## wrong place-too-much: keys reversed
return queries @ keys.flip(0).T
## wrong place-too-much: normalised queries
return (queries / queries.norm(dim=-1, keepdim=True)) @ keys.T
## wrong place-too-much: only where i is at least j
return (queries @ keys.T).tril()
""",
    "best_unit_key(query)": """
## right: divided by its length
return query / query.norm()
## right: normalize
return torch.nn.functional.normalize(query, dim=0)
## right: by hand
return query / (query**2).sum() ** 0.5
## right: sqrt of the dot product
return query / torch.sqrt(query @ query)
## right: linalg
return query / torch.linalg.vector_norm(query)
## right: math
import math
return query / math.sqrt(sum(float(number) ** 2 for number in query))
## right: numpy inside
import numpy as np
return torch.from_numpy(query.numpy() / np.linalg.norm(query.numpy()))
## right: a loop
total = 0
for number in query:
    total = total + number * number
return torch.stack([number / total**0.5 for number in query])
## wrong query: the query itself
return query
## wrong largest-number: a unit vector at the largest number
best = torch.zeros_like(query)
best[query.argmax()] = 1
return best
## wrong divided-by-sum: divided by the sum
return query / query.sum()
## wrong divided-by-score: divided by the square of the length
return query / (query @ query)
## wrong power-first: power before the division
return query / (query**2).sum() ** 1 / 2
## wrong opposite: the opposite direction
return -query / query.norm()
## wrong place-too-much: sizes, signs lost
return query.abs() / query.norm()
## wrong softmax: softmax
return torch.softmax(query, dim=-1)
## wrong length: the length
return query.norm()
## wrong length: the score, not the key
return query @ (query / query.norm())
## wrong place-operation: times its length
return query * query.norm()
## wrong divided-by-largest: divided by the largest
return query / query.abs().max()
## wrong divided-by-root: divided by the root of d_k
return query / len(query) ** 0.5
## wrong factors: 5 written out
return query / 5
## wrong place-too-much: 1 everywhere
key = torch.ones_like(query)
return key / key.norm()
## wrong signs-alone: signs alone
return query.sign()
## wrong signs: signs, made 1 long
return query.sign() / query.sign().norm()
## wrong no-return: no return
query / query.norm()
## wrong in-place: in place
query /= query.norm()
return query
## wrong absolute-sum: divided by the sum of absolute values
return query / query.abs().sum()
## wrong brackets-missing: norm without brackets
return query / query.norm
## wrong place-function: std in place of the length
return query / query.std()
## wrong notebook-variable: best of the notebook's keys
return keys[(keys @ query).argmax()]
## wrong absolute-sum: square root before the sum
return query / (query**2).sqrt().sum()
## wrong index-too-large: at right angles
return torch.stack([-query[1], query[0]]) / query.norm()
## wrong signed-sum: square root forgotten, by math
import math
return query / math.sqrt(query.sum() ** 2)
## right: renorm by hypot
length = torch.zeros((), dtype=query.dtype)
for number in query:
    length = torch.hypot(length, number)
return query / length
## wrong place-too-much: rounded to one place
return (query / query.norm()).round(decimals=1)
## wrong absolute-sum: norm of one along the wrong p
return query / query.norm(p=1)
## wrong place-too-much: mean taken off first
centred = query - query.mean()
return centred / centred.norm()
""",
    "spread_of_scores(std_query, std_key, d_k)": """
## right: product and root
return std_query * std_key * d_k**0.5
## right: math
import math
return math.sqrt(d_k) * std_query * std_key
## right: by variances
variance = d_k * std_query**2 * std_key**2
return variance**0.5
## right: torch
return torch.sqrt(torch.tensor(float(d_k))) * std_query * std_key
## right: a loop over the numbers
variance = 0
for _ in range(d_k):
    variance += (std_query * std_key) ** 2
return variance ** (1 / 2)
## right: numpy
import numpy as np
return np.sqrt(d_k) * std_query * std_key
## right: pow
return pow(d_k, 0.5) * std_query * std_key
## wrong no-root: root forgotten
return std_query * std_key * d_k
## wrong variance: the variance
return d_k * std_query**2 * std_key**2
## wrong std-of-1: only the root of d_k
return d_k**0.5
## wrong power-first: power before the division
return (d_k * std_query**2 * std_key**2) ** 1 / 2
## wrong stds-added: stds added
return (std_query + std_key) * d_k**0.5
## wrong variances-added: variances added
return (d_k * (std_query**2 + std_key**2)) ** 0.5
## wrong divided: divided by the root
return std_query * std_key / d_k**0.5
## wrong root-of-all: roots of stds
return (std_query * std_key * d_k) ** 0.5
## wrong squared: stds squared, root of d_k
return std_query**2 * std_key**2 * d_k**0.5
## wrong one-product: d_k not used
return std_query * std_key
## wrong one-std: one std only
return std_query * d_k**0.5
## wrong whole-root: floor of the root
import math
return std_query * std_key * math.isqrt(d_k)
## wrong one-product: stds under another root
return (std_query**2 * std_key**2) ** 0.5
## wrong random: a simulation
q = torch.randn(10000, d_k) * std_query
k = torch.randn(10000, d_k) * std_key
return (q * k).sum(dim=-1).std()
## wrong written-out: d_k written out
return std_query * std_key * 64**0.5
## wrong caret: caret for power
return std_query * std_key * d_k ^ 0.5
## wrong no-return: no return
std = std_query * std_key * d_k**0.5
## wrong mean-of-stds: mean of stds
return (std_query + std_key) / 2 * d_k**0.5
## wrong place-number: d_k squared
return std_query * std_key * d_k**2
## wrong tensor-needed: torch.sqrt of a plain number
return torch.sqrt(d_k) * std_query * std_key
## wrong unknown-name: sqrt not imported
return sqrt(d_k) * std_query * std_key
## right: from the standard library
from math import hypot
return hypot(*[std_query * std_key] * d_k)
## wrong place-one-off: d_k less one
return std_query * std_key * (d_k - 1) ** 0.5
## wrong place-number: root of the root
return std_query * std_key * d_k**0.25
## wrong place-operation: both stds under one root with d_k
import math
return math.sqrt(std_query**2 + std_key**2 * d_k)
""",
    "divisor_for(query, keys)": """
## right: std of the scores
return (keys @ query).std(correction=0)
## right: by hand
scores = keys @ query
return ((scores - scores.mean()) ** 2).mean().sqrt()
## right: unbiased=False
return (query @ keys.T).std(unbiased=False)
## right: item
return (keys @ query).std(correction=0).item()
## right: numpy
import numpy as np
return float(np.std(keys.numpy() @ query.numpy()))
## right: var and root
return torch.var(keys @ query, correction=0) ** 0.5
## right: loops
scores = []
for key in keys:
    scores.append(sum(float(a) * float(b) for a, b in zip(query, key)))
mean = sum(scores) / len(scores)
return (sum((s - mean) ** 2 for s in scores) / len(scores)) ** 0.5
## right: mean of squares less the square of the mean
scores = torch.matmul(keys, query)
return ((scores**2).mean() - scores.mean() ** 2) ** 0.5
## wrong root-of-d-k: root of d_k
return keys.shape[-1] ** 0.5
## wrong corrected: correction left out
return (keys @ query).std()
## wrong variance: the variance
return (keys @ query).var(correction=0)
## wrong mean-not-subtracted: mean not taken off
scores = keys @ query
return (scores**2).mean() ** 0.5
## wrong length-of-the-query: the length of the query
return query.norm()
## wrong mean-not-subtracted: length over the root of n
scores = keys @ query
return scores.norm() / len(scores) ** 0.5
## wrong length-of-the-scores: length of the scores
return (keys @ query).norm()
## wrong place-too-much: the divided scores
scores = keys @ query
return scores / scores.std(correction=0)
## wrong inverse: one over the std
return 1 / (keys @ query).std(correction=0)
## wrong stds-multiplied: stds of query and keys multiplied
return query.std(correction=0) * keys.std(correction=0) * len(query) ** 0.5
## wrong of-the-keys: std of the keys
return keys.std(correction=0)
## wrong place-operation: std per column
return (keys * query).std(dim=0, correction=0)
## wrong mean-distance: mean absolute deviation
scores = keys @ query
return (scores - scores.mean()).abs().mean()
## wrong largest-score: the largest score
return (keys @ query).max()
## wrong range: the range
scores = keys @ query
return scores.max() - scores.min()
## wrong sizes-do-not-meet: keys not turned
return (query @ keys).std(correction=0)
## wrong notebook-variable: the notebook's scores
return scores.std(correction=0)
## wrong power-first: power before the division
scores = keys @ query
return ((scores - scores.mean()) ** 2).mean() ** 1 / 2
## wrong place-function: sum in place of the mean
scores = keys @ query
return ((scores - scores.mean()) ** 2).sum() ** 0.5
## wrong corrected: divided by n - 1
scores = keys @ query
return (((scores - scores.mean()) ** 2).sum() / (len(scores) - 1)) ** 0.5
## wrong no-return: no return
divisor = (keys @ query).std(correction=0)
## wrong place-operation: products not added
return (keys * query).std(correction=0)
## wrong place-too-much: the root of the std
return (keys @ query).std(correction=0) ** 0.5
## wrong place-too-much: times the root of d_k
return (keys @ query).std(correction=0) * len(query) ** 0.5
## wrong place-too-much: divided by n_key's root again
scores = keys @ query
return scores.std(correction=0) / len(scores) ** 0.5
## right: numpy with ddof
import numpy as np
return np.array([float(query @ key) for key in keys]).std(ddof=0)
## wrong unforeseen: median of the sizes
return (keys @ query).abs().median()
## wrong place-too-much: std of the scaled scores
return (keys @ query / len(query) ** 0.5).std(correction=0)
## wrong place-name: std of each key's products with itself
return (keys @ keys.T).std(correction=0)
""",
}
