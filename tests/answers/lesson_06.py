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
## wrong list: nested lists
return [[int((w * values[:, c]).argmax()) for c in range(values.shape[1])] for w in weights]
## right: max gives indices
best, which = (weights[:, :, None] * values).max(dim=1)
return which
## wrong largest-size: the largest size
return (weights[:, :, None] * values[None]).abs().argmax(dim=1)
## wrong how-much: max, not its place
return (weights[:, :, None] * values[None]).amax(dim=1)
## wrong pair: a pair
return (weights[:, :, None] * values[None]).max(dim=1)
## wrong over-the-queries: the axis of the queries
return (weights[:, :, None] * values[None]).argmax(dim=0)
## wrong over-the-columns: the axis of the columns
return (weights[:, :, None] * values[None]).argmax(dim=-1)
## wrong one-for-each-query: weights alone
return weights.argmax(dim=-1)
## wrong largest-weight: weights alone, for each column
return weights.argmax(dim=-1, keepdim=True).expand(-1, values.shape[1])
## wrong largest-value: values alone
return values.argmax(dim=0).expand(len(weights), -1)
## wrong outputs: the sum
return weights @ values
## wrong best-column: which column of the sum
return (weights @ values).argmax(dim=-1)
## wrong counted-from-1: counted from 1
return (weights[:, :, None] * values[None]).argmax(dim=1) + 1
## wrong least: the smallest
return (weights[:, :, None] * values[None]).argmin(dim=1)
## wrong notebook-variable: the notebook's block
return weighted.argmax(dim=1)
## wrong sizes-differ: without an axis
return (weights * values).argmax(dim=0)
## wrong axes-too-few: argmax over everything
return (weights[:, :, None] * values[None]).argmax()
## wrong place-too-much: the sum of all columns decides
return (weights[:, :, None] * values[None]).sum(dim=-1).argmax(dim=1)
## wrong halves: numbers as floats
result = torch.zeros(weights.shape[0], values.shape[1])
for q in range(weights.shape[0]):
    for c in range(values.shape[1]):
        result[q, c] = (weights[q] * values[:, c]).argmax() + 0.5
return result
## wrong transposed: turned
return (weights[:, :, None] * values[None]).argmax(dim=1).T
## wrong no-return: no return
(weights[:, :, None] * values[None]).argmax(dim=1)
## wrong return-in-loop: return inside the loop
rows = []
for row in weights:
    rows.append((row[:, None] * values).argmax(dim=0))
    return torch.stack(rows)
## wrong written-out: three written out
result = torch.zeros(3, 3, dtype=torch.long)
for q in range(3):
    for c in range(3):
        result[q, c] = (weights[q] * values[:, c]).argmax()
return result
## wrong never-below-0: best starts at 0 as a number
result = torch.zeros(weights.shape[0], values.shape[1], dtype=torch.long)
for q in range(weights.shape[0]):
    for c in range(values.shape[1]):
        best = 0
        for k in range(weights.shape[1]):
            if weights[q, k] * values[k, c] > best:
                best = weights[q, k] * values[k, c]
                result[q, c] = k
return result
## wrong compared-with-the-one-before: compared with the one before
result = torch.zeros(weights.shape[0], values.shape[1], dtype=torch.long)
for q in range(weights.shape[0]):
    for c in range(values.shape[1]):
        for k in range(1, weights.shape[1]):
            if weights[q, k] * values[k, c] > weights[q, k - 1] * values[k - 1, c]:
                result[q, c] = k
return result
## wrong place-operation: weights added, not multiplied
return (weights[:, :, None] + values[None]).argmax(dim=1)
## wrong sizes-differ: axes of weights set wrong
return (weights[:, None, :] * values[None]).argmax(dim=1)
## right: topk
return torch.topk(weights.unsqueeze(2) * values.unsqueeze(0), 1, dim=1).indices.squeeze(1)
## wrong least: argsort, last but one axis
return (weights[:, :, None] * values).argsort(dim=1)[:, 0]
## wrong longest: the weight by the length of the value
return (weights * values.norm(dim=-1)).argmax(dim=-1, keepdim=True).expand(-1, values.shape[1])
## wrong never-below-0: only positive values count
return (weights[:, :, None] * values.clamp(min=0)).argmax(dim=1)
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
## wrong columns-measured: lengths of the columns
return weights * values.norm(dim=0)
## wrong one-length: one length for all
return weights * values.norm()
## wrong summed-over-d-v: sums in place of lengths
return weights * values.sum(dim=-1)
## wrong absolute-values: sum of sizes
return weights * values.abs().sum(dim=-1)
## wrong step-missing: squares, root forgotten
return weights * (values**2).sum(dim=-1)
## wrong power-first: power before the division
return weights * (values**2).sum(dim=-1) ** 1 / 2
## wrong sizes-differ: length set as a column
return weights * values.norm(dim=-1)[:, None]
## wrong sizes-differ: keepdim
return weights * values.norm(dim=-1, keepdim=True)
## wrong sizes-differ: length turned
return weights.T * values.norm(dim=-1)
## wrong not-measured: the block itself
return weights[:, :, None] * values[None]
## wrong length-of-the-output: the length of the sum
return (weights @ values).norm(dim=-1)
## wrong place-operation: a product of matrices
return weights @ values.norm(dim=-1)
## wrong lengths-once: values alone
return values.norm(dim=-1)
## wrong weights-alone: weights alone
return weights
## wrong place-axis: length over the keys
return (weights[:, :, None] * values[None]).norm(dim=1)
## wrong largest-number: the largest number
return (weights[:, :, None] * values[None]).amax(dim=-1)
## wrong shares-of-one: shares of the lengths
result = weights * values.norm(dim=-1)
return result / result.sum(dim=-1, keepdim=True)
## wrong notebook-variable: the notebook's lengths
return weights * lengths
## wrong no-return: no return
result = weights * values.norm(dim=-1)
## wrong place-function: mean in the length
return weights * (values**2).mean(dim=-1) ** 0.5
## wrong place-too-much: weights squared
return weights**2 * values.norm(dim=-1)
## wrong weight-before-the-root: root of the weight
return (weights * (values**2).sum(dim=-1)) ** 0.5
## wrong in-place: in place
weights *= values.norm(dim=-1)
return weights
## wrong weights-alone: unit values
return weights * (values / values.norm(dim=-1, keepdim=True)).norm(dim=-1)
## wrong return-in-loop: return inside the loop
rows = []
for row in weights:
    rows.append(row * values.norm(dim=-1))
    return torch.stack(rows)
## wrong unused: the length of a row of weights
return weights * weights.norm(dim=-1, keepdim=True)
## wrong sizes-differ: built-in abs of a row
return weights * abs(values)
## wrong summed-over-d-v: sum over keys of the block
return (weights[:, :, None] * values[None]).sum(dim=-1)
## right: cdist to zero
zero = torch.zeros(1, values.shape[1], dtype=values.dtype)
return weights * torch.cdist(values, zero).T
## wrong place-operation: lengths divided
return weights / values.norm(dim=-1)
## wrong place-too-much: lengths made shares first
lengths = values.norm(dim=-1)
return weights * (lengths / lengths.sum())
## wrong largest-size: the infinity norm
return weights * values.norm(p=float("inf"), dim=-1)
""",
}
