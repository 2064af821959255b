"""Lesson 4: a table of scores, the best of all keys, how widely scores spread, and what to divide by."""

NOTEBOOK = '''
import torch
x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
w_query = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
w_key = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
queries, keys = x @ w_query, x @ w_key
scores = queries @ keys.T
query, key = torch.tensor([3.0, 4.0]), torch.tensor([2.0, 1.0])
d_k = 3
'''

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
## wrong: turned
return keys @ queries.T
## wrong: keys not turned
return queries @ keys
## wrong: elementwise
return queries * keys
## wrong: queries turned
return queries.T @ keys
## wrong: scaled
return queries @ keys.T / keys.shape[-1] ** 0.5
## wrong: softmax as well
return torch.softmax(queries @ keys.T, dim=-1)
## wrong: cosine
return torch.nn.functional.cosine_similarity(queries[:, None], keys[None], dim=-1)
## wrong: distances
return torch.cdist(queries, keys)
## wrong: queries with queries
return queries @ queries.T
## wrong: the notebook's scores
return scores
## wrong: a list of lists of tensors
return [[q @ k for k in keys] for q in queries]
## wrong: the sum over the wrong axis
return (queries[:, None, :] * keys[None, :, :]).sum(dim=1)
## wrong: three by three written out
table = torch.zeros(3, 3)
for i in range(3):
    for j in range(3):
        table[i, j] = queries[i] @ keys[j]
return table
## wrong: one row
for query in queries:
    row = keys @ query
return row
## wrong: return inside the loop
table = []
for query in queries:
    table.append(keys @ query)
    return torch.stack(table)
## wrong: no return
scores = queries @ keys.T
## wrong: diagonal only
return (queries * keys).sum(dim=-1)
## wrong: not the sum, the block of products
return queries[:, None, :] * keys[None, :, :]
## wrong: flat
return torch.stack([q @ k for q in queries for k in keys])
## wrong: sum of sums
return queries.sum(dim=-1, keepdim=True) * keys.sum(dim=-1)
## wrong: einsum with turned letters
return torch.einsum("qd,kd->kq", queries, keys)
## wrong: view instead of transpose
return queries @ keys.view(keys.shape[1], keys.shape[0])
## wrong: plus for times
return (queries[:, None, :] + keys[None, :, :]).sum(dim=-1)
## wrong: sizes of queries twice
table = torch.zeros(len(queries), len(queries))
for i in range(len(queries)):
    for j in range(len(queries)):
        table[i, j] = queries[i] @ keys[j]
return table
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
## wrong: the query itself
return query
## wrong: a unit vector at the largest number
best = torch.zeros_like(query)
best[query.argmax()] = 1
return best
## wrong: divided by the sum
return query / query.sum()
## wrong: divided by the square of the length
return query / (query @ query)
## wrong: power before the division
return query / (query**2).sum() ** 1 / 2
## wrong: the opposite direction
return -query / query.norm()
## wrong: sizes, signs lost
return query.abs() / query.norm()
## wrong: softmax
return torch.softmax(query, dim=-1)
## wrong: the length
return query.norm()
## wrong: the score, not the key
return query @ (query / query.norm())
## wrong: times its length
return query * query.norm()
## wrong: divided by the largest
return query / query.abs().max()
## wrong: divided by the root of d_k
return query / len(query) ** 0.5
## wrong: 5 written out
return query / 5
## wrong: 1 everywhere
key = torch.ones_like(query)
return key / key.norm()
## wrong: signs alone
return query.sign()
## wrong: signs, made 1 long
return query.sign() / query.sign().norm()
## wrong: no return
query / query.norm()
## wrong: in place
query /= query.norm()
return query
## wrong: divided by the sum of absolute values
return query / query.abs().sum()
## wrong: norm without brackets
return query / query.norm
## wrong: std in place of the length
return query / query.std()
## wrong: best of the notebook's keys
return keys[(keys @ query).argmax()]
## wrong: square root before the sum
return query / (query**2).sqrt().sum()
## wrong: at right angles
return torch.stack([-query[1], query[0]]) / query.norm()
## wrong: square root forgotten, by math
import math
return query / math.sqrt(query.sum() ** 2)
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
## wrong: root forgotten
return std_query * std_key * d_k
## wrong: the variance
return d_k * std_query**2 * std_key**2
## wrong: only the root of d_k
return d_k**0.5
## wrong: power before the division
return (d_k * std_query**2 * std_key**2) ** 1 / 2
## wrong: stds added
return (std_query + std_key) * d_k**0.5
## wrong: variances added
return (d_k * (std_query**2 + std_key**2)) ** 0.5
## wrong: divided by the root
return std_query * std_key / d_k**0.5
## wrong: roots of stds
return (std_query * std_key * d_k) ** 0.5
## wrong: stds squared, root of d_k
return std_query**2 * std_key**2 * d_k**0.5
## wrong: d_k not used
return std_query * std_key
## wrong: one std only
return std_query * d_k**0.5
## wrong: floor of the root
import math
return std_query * std_key * math.isqrt(d_k)
## wrong: stds under another root
return (std_query**2 * std_key**2) ** 0.5
## wrong: a simulation
q = torch.randn(10000, d_k) * std_query
k = torch.randn(10000, d_k) * std_key
return (q * k).sum(dim=-1).std()
## wrong: d_k written out
return std_query * std_key * 64**0.5
## wrong: caret for power
return std_query * std_key * d_k ^ 0.5
## wrong: no return
std = std_query * std_key * d_k**0.5
## wrong: mean of stds
return (std_query + std_key) / 2 * d_k**0.5
## wrong: d_k squared
return std_query * std_key * d_k**2
## wrong: torch.sqrt of a plain number
return torch.sqrt(d_k) * std_query * std_key
## wrong: sqrt not imported
return sqrt(d_k) * std_query * std_key
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
## wrong: root of d_k
return keys.shape[-1] ** 0.5
## wrong: correction left out
return (keys @ query).std()
## wrong: the variance
return (keys @ query).var(correction=0)
## wrong: mean not taken off
scores = keys @ query
return (scores**2).mean() ** 0.5
## wrong: the length of the query
return query.norm()
## wrong: length over the root of n
scores = keys @ query
return scores.norm() / len(scores) ** 0.5
## wrong: length of the scores
return (keys @ query).norm()
## wrong: the divided scores
scores = keys @ query
return scores / scores.std(correction=0)
## wrong: one over the std
return 1 / (keys @ query).std(correction=0)
## wrong: stds of query and keys multiplied
return query.std(correction=0) * keys.std(correction=0) * len(query) ** 0.5
## wrong: std of the keys
return keys.std(correction=0)
## wrong: std per column
return (keys * query).std(dim=0, correction=0)
## wrong: mean absolute deviation
scores = keys @ query
return (scores - scores.mean()).abs().mean()
## wrong: the largest score
return (keys @ query).max()
## wrong: the range
scores = keys @ query
return scores.max() - scores.min()
## wrong: keys not turned
return (query @ keys).std(correction=0)
## wrong: the notebook's scores
return scores.std(correction=0)
## wrong: power before the division
scores = keys @ query
return ((scores - scores.mean()) ** 2).mean() ** 1 / 2
## wrong: sum in place of the mean
scores = keys @ query
return ((scores - scores.mean()) ** 2).sum() ** 0.5
## wrong: divided by n - 1
scores = keys @ query
return (((scores - scores.mean()) ** 2).sum() / (len(scores) - 1)) ** 0.5
## wrong: no return
divisor = (keys @ query).std(correction=0)
## wrong: products not added
return (keys * query).std(correction=0)
## wrong: the root of the std
return (keys @ query).std(correction=0) ** 0.5
## wrong: times the root of d_k
return (keys @ query).std(correction=0) * len(query) ** 0.5
## wrong: divided by n_key's root again
scores = keys @ query
return scores.std(correction=0) / len(scores) ** 0.5
""",
}
