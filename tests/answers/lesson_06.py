"""Lesson 6: which key brought most, and how much was taken."""

NOTEBOOK = '''
import torch
x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
weights = torch.tensor([[0.0, 0.5, 0.5], [0, 1, 0], [0, 0.9, 0.1]])
values = torch.tensor([[1.0, 2, 3], [2, 8, 0], [2, 6, 3]])
left, right = weights[:, :, None], values[None, :, :]
weighted = left * right
row = torch.tensor([0.8, 0.1, 0.1])
lengths = values.norm(dim=-1)
'''

ANSWERS = {
    "brought_most(weights, values)": """
## right: block and argmax
return (weights[:, :, None] * values[None, :, :]).argmax(dim=1)
## right: the last axis but one
weighted = weights.unsqueeze(-1) * values.unsqueeze(0)
return torch.argmax(weighted, dim=-2)
## right: einsum
return torch.einsum("qk,kd->qkd", weights, values).max(dim=1).indices
## right: loops
result = torch.zeros(weights.shape[0], values.shape[1], dtype=torch.long)
for q in range(weights.shape[0]):
    for c in range(values.shape[1]):
        result[q, c] = (weights[q] * values[:, c]).argmax()
return result
## right: three loops
n_query, n_key = weights.shape
d_v = values.shape[1]
result = torch.zeros(n_query, d_v).long()
for q in range(n_query):
    for c in range(d_v):
        best = 0
        for k in range(1, n_key):
            if weights[q, k] * values[k, c] > weights[q, best] * values[best, c]:
                best = k
        result[q, c] = best
return result
## right: a row for each query
return torch.stack([(row[:, None] * values).argmax(dim=0) for row in weights])
## right: other order of axes
return (weights[:, None, :] * values.T[None, :, :]).argmax(dim=-1)
## wrong: nested lists
return [[int((w * values[:, c]).argmax()) for c in range(values.shape[1])] for w in weights]
## right: max gives indices
best, which = (weights[:, :, None] * values).max(dim=1)
return which
## wrong: the largest size
return (weights[:, :, None] * values[None]).abs().argmax(dim=1)
## wrong: max, not its place
return (weights[:, :, None] * values[None]).amax(dim=1)
## wrong: a pair
return (weights[:, :, None] * values[None]).max(dim=1)
## wrong: the axis of the queries
return (weights[:, :, None] * values[None]).argmax(dim=0)
## wrong: the axis of the columns
return (weights[:, :, None] * values[None]).argmax(dim=-1)
## wrong: weights alone
return weights.argmax(dim=-1)
## wrong: weights alone, for each column
return weights.argmax(dim=-1, keepdim=True).expand(-1, values.shape[1])
## wrong: values alone
return values.argmax(dim=0).expand(len(weights), -1)
## wrong: the sum
return weights @ values
## wrong: which column of the sum
return (weights @ values).argmax(dim=-1)
## wrong: counted from 1
return (weights[:, :, None] * values[None]).argmax(dim=1) + 1
## wrong: the smallest
return (weights[:, :, None] * values[None]).argmin(dim=1)
## wrong: the notebook's block
return weighted.argmax(dim=1)
## wrong: without an axis
return (weights * values).argmax(dim=0)
## wrong: argmax over everything
return (weights[:, :, None] * values[None]).argmax()
## wrong: the sum of all columns decides
return (weights[:, :, None] * values[None]).sum(dim=-1).argmax(dim=1)
## wrong: numbers as floats
result = torch.zeros(weights.shape[0], values.shape[1])
for q in range(weights.shape[0]):
    for c in range(values.shape[1]):
        result[q, c] = (weights[q] * values[:, c]).argmax() + 0.5
return result
## wrong: turned
return (weights[:, :, None] * values[None]).argmax(dim=1).T
## wrong: no return
(weights[:, :, None] * values[None]).argmax(dim=1)
## wrong: return inside the loop
rows = []
for row in weights:
    rows.append((row[:, None] * values).argmax(dim=0))
    return torch.stack(rows)
## wrong: three written out
result = torch.zeros(3, 3, dtype=torch.long)
for q in range(3):
    for c in range(3):
        result[q, c] = (weights[q] * values[:, c]).argmax()
return result
## wrong: best starts at 0 as a number
result = torch.zeros(weights.shape[0], values.shape[1], dtype=torch.long)
for q in range(weights.shape[0]):
    for c in range(values.shape[1]):
        best = 0
        for k in range(weights.shape[1]):
            if weights[q, k] * values[k, c] > best:
                best = weights[q, k] * values[k, c]
                result[q, c] = k
return result
## wrong: compared with the one before
result = torch.zeros(weights.shape[0], values.shape[1], dtype=torch.long)
for q in range(weights.shape[0]):
    for c in range(values.shape[1]):
        for k in range(1, weights.shape[1]):
            if weights[q, k] * values[k, c] > weights[q, k - 1] * values[k - 1, c]:
                result[q, c] = k
return result
## wrong: weights added, not multiplied
return (weights[:, :, None] + values[None]).argmax(dim=1)
## wrong: axes of weights set wrong
return (weights[:, None, :] * values[None]).argmax(dim=1)
""",
    "contributions(weights, values)": """
## right: lengths first
return weights * values.norm(dim=-1)
## right: the block's lengths
return (weights[:, :, None] * values[None, :, :]).norm(dim=-1)
## right: by hand
lengths = (values**2).sum(dim=1) ** 0.5
return weights * lengths
## right: loops
result = torch.zeros_like(weights)
for q in range(weights.shape[0]):
    for k in range(weights.shape[1]):
        result[q, k] = (weights[q, k] * values[k]).norm()
return result
## right: einsum of a square
squares = torch.einsum("qk,kd->qkd", weights, values) ** 2
return torch.sqrt(squares.sum(-1))
## right: a diagonal matrix
return weights @ torch.diag(torch.linalg.vector_norm(values, dim=1))
## right: rows stacked
lengths = torch.tensor([float(value.norm()) for value in values], dtype=weights.dtype)
return torch.stack([row * lengths for row in weights])
## right: None in the middle
return weights * values.norm(dim=1)[None, :]
## right: numpy inside
import numpy as np
return weights * torch.from_numpy(np.linalg.norm(values.numpy(), axis=1))
## wrong: lengths of the columns
return weights * values.norm(dim=0)
## wrong: one length for all
return weights * values.norm()
## wrong: sums in place of lengths
return weights * values.sum(dim=-1)
## wrong: sum of sizes
return weights * values.abs().sum(dim=-1)
## wrong: squares, root forgotten
return weights * (values**2).sum(dim=-1)
## wrong: power before the division
return weights * (values**2).sum(dim=-1) ** 1 / 2
## wrong: length set as a column
return weights * values.norm(dim=-1)[:, None]
## wrong: keepdim
return weights * values.norm(dim=-1, keepdim=True)
## wrong: length turned
return weights.T * values.norm(dim=-1)
## wrong: the block itself
return weights[:, :, None] * values[None]
## wrong: the length of the sum
return (weights @ values).norm(dim=-1)
## wrong: a product of matrices
return weights @ values.norm(dim=-1)
## wrong: values alone
return values.norm(dim=-1)
## wrong: weights alone
return weights
## wrong: length over the keys
return (weights[:, :, None] * values[None]).norm(dim=1)
## wrong: the largest number
return (weights[:, :, None] * values[None]).amax(dim=-1)
## wrong: shares of the lengths
result = weights * values.norm(dim=-1)
return result / result.sum(dim=-1, keepdim=True)
## wrong: the notebook's lengths
return weights * lengths
## wrong: no return
result = weights * values.norm(dim=-1)
## wrong: mean in the length
return weights * (values**2).mean(dim=-1) ** 0.5
## wrong: weights squared
return weights**2 * values.norm(dim=-1)
## wrong: root of the weight
return (weights * (values**2).sum(dim=-1)) ** 0.5
## wrong: in place
weights *= values.norm(dim=-1)
return weights
## wrong: unit values
return weights * (values / values.norm(dim=-1, keepdim=True)).norm(dim=-1)
## wrong: return inside the loop
rows = []
for row in weights:
    rows.append(row * values.norm(dim=-1))
    return torch.stack(rows)
## wrong: the length of a row of weights
return weights * weights.norm(dim=-1, keepdim=True)
## wrong: built-in abs of a row
return weights * abs(values)
## wrong: sum over keys of the block
return (weights[:, :, None] * values[None]).sum(dim=-1)
""",
}
