"""Lesson 9: masks, a decoder's input and target, and its loss."""

NOTEBOOK = '''
import math
import torch
from torch import nn
causal = torch.ones(5, 5, dtype=torch.bool).tril()
scores = torch.tensor([[2.0, 1, 3, 0, 1], [1, 2, 0, 3, 0], [0, 1, 1, 2, 2], [1, 0, 2, 1, 0], [2, 0, 1, 0, 1]])
weights = scores.masked_fill(~causal, -torch.inf).softmax(dim=-1)
ids = torch.tensor([[1, 2, 3, 1, 4], [1, 4, 0, 0, 0], [5, 2, 1, 4, 0]])
padding = (ids != 0)[:, None, None, :]
sentence = "<start> i think that i dream <end>".split()
given, wanted = sentence[:-1], sentence[1:]
def causal_of(n):
    return torch.ones(n, n, dtype=torch.bool).tril()
'''

ANSWERS = {
    "causal_mask(n_query, n_key)": """
## right: tril with a diagonal
return torch.ones(n_query, n_key, dtype=torch.bool).tril(diagonal=n_key - n_query)
## right: last rows of the square
return torch.ones(n_key, n_key, dtype=torch.bool).tril()[n_key - n_query :]
## right: comparison of places
query = torch.arange(n_key - n_query, n_key)
return torch.arange(n_key)[None, :] <= query[:, None]
## right: loops
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    for j in range(n_key):
        mask[i, j] = j <= i + n_key - n_query
return mask
## right: nested lists
past = n_key - n_query
return torch.tensor([[j <= i + past for j in range(n_key)] for i in range(n_query)])
## right: not triu
return ~torch.ones(n_query, n_key).triu(n_key - n_query + 1).bool()
## right: slices
mask = torch.zeros(n_query, n_key).bool()
for i in range(n_query):
    mask[i, : n_key - n_query + i + 1] = True
return mask
## right: numpy
import numpy as np
return torch.from_numpy(np.tril(np.ones((n_query, n_key), dtype=bool), k=n_key - n_query))
## right: the lesson's function
return causal_of(n_key)[-n_query:]
## wrong: first queries
return torch.ones(n_query, n_key, dtype=torch.bool).tril()
## wrong: inverted
return torch.ones(n_query, n_key, dtype=torch.bool).triu(n_key - n_query + 1)
## wrong: not itself
return torch.ones(n_query, n_key, dtype=torch.bool).tril(n_key - n_query - 1)
## wrong: one of the future too
return torch.ones(n_query, n_key, dtype=torch.bool).tril(n_key - n_query + 1)
## wrong: floats
return torch.ones(n_query, n_key).tril(n_key - n_query)
## wrong: whole numbers
return torch.ones(n_query, n_key, dtype=torch.int).tril(n_key - n_query)
## wrong: axes exchanged
return torch.ones(n_key, n_query, dtype=torch.bool).tril(n_key - n_query)
## wrong: future, itself included
return torch.ones(n_query, n_key, dtype=torch.bool).triu(n_key - n_query)
## wrong: sign of the diagonal
return torch.ones(n_query, n_key, dtype=torch.bool).tril(n_query - n_key)
## wrong: the square of keys
return torch.ones(n_key, n_key, dtype=torch.bool).tril()
## wrong: the square of queries
return torch.ones(n_query, n_query, dtype=torch.bool).tril()
## wrong: everyone may
return torch.ones(n_query, n_key, dtype=torch.bool)
## wrong: -inf to add
return torch.full((n_query, n_key), -torch.inf).triu(n_key - n_query + 1)
## wrong: the notebook's mask
return causal
## wrong: first rows of the square
return torch.ones(n_key, n_key, dtype=torch.bool).tril()[:n_query]
## wrong: last columns
return torch.ones(n_query, n_key, dtype=torch.bool).tril()[:, -n_query:]
## wrong: strict comparison
query = torch.arange(n_key - n_query, n_key)
return torch.arange(n_key)[None, :] < query[:, None]
## wrong: comparison turned
query = torch.arange(n_key - n_query, n_key)
return torch.arange(n_key)[None, :] >= query[:, None]
## wrong: query i is taken for token i
mask = torch.ones(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    mask[i, i + 1 :] = False
return mask
## wrong: no return
torch.ones(n_query, n_key, dtype=torch.bool).tril(n_key - n_query)
## wrong: only itself
return torch.eye(n_query, n_key, dtype=torch.bool)
## wrong: only the last rows, own place
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    mask[i, i + n_key - n_query] = True
return mask
## wrong: past keys only
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
mask[:, : n_key - n_query] = True
return mask
## wrong: return inside the loop
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    mask[i, : n_key - n_query + i + 1] = True
    return mask
""",
    "masked_softmax(scores, mask)": """
## right: nan to 0
weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
return weights.nan_to_num(0.0)
## right: rows without any True by where
weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
return torch.where(mask.any(dim=-1, keepdim=True), weights, torch.zeros_like(weights))
## right: lowest, then zeros
lowest = torch.finfo(scores.dtype).min
return scores.masked_fill(~mask, lowest).softmax(dim=-1) * mask
## right: a loop
result = torch.zeros_like(scores)
for i in range(len(scores)):
    if mask[i].any():
        result[i, mask[i]] = torch.softmax(scores[i, mask[i]], dim=0)
return result
## right: masked_fill at the end
weights = scores.masked_fill(mask.logical_not(), -torch.inf).softmax(-1)
return weights.masked_fill(~mask, 0)
## right: exponentials by hand
low = scores.masked_fill(~mask, -torch.inf)
best = low.amax(dim=-1, keepdim=True)
best = torch.where(best.isinf(), torch.zeros_like(best), best)
e = torch.exp(low - best)
return e / e.sum(dim=-1, keepdim=True).clamp(min=1e-30)
## right: where before softmax
filled = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype))
weights = filled.softmax(dim=1)
weights[~mask.any(dim=1)] = 0
return weights
## right: isnan
weights = torch.softmax(scores.masked_fill(mask == False, -torch.inf), dim=-1)
weights[torch.isnan(weights)] = 0
return weights
## wrong: nan in rows without any
return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
## wrong: masked after softmax
return scores.softmax(dim=-1) * mask
## wrong: masked after softmax, shared out again
weights = scores.softmax(dim=-1) * mask
return weights / weights.sum(dim=-1, keepdim=True)
## wrong: the mask the other way round
return scores.masked_fill(mask, -torch.inf).softmax(dim=-1).nan_to_num(0.0)
## wrong: zeros in place of -inf
return scores.masked_fill(~mask, 0).softmax(dim=-1)
## wrong: zeros in place of -inf, then masked
return scores.masked_fill(~mask, 0).softmax(dim=-1) * mask
## wrong: times the mask before softmax
return (scores * mask).softmax(dim=-1)
## wrong: -1e9, even weights where there is no key
return scores.masked_fill(~mask, -1e9).softmax(dim=-1)
## wrong: the smallest number, even weights
return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
## wrong: columns
return scores.masked_fill(~mask, -torch.inf).softmax(dim=0).nan_to_num(0.0)
## wrong: not for a boolean
return scores.masked_fill(not mask, -torch.inf).softmax(dim=-1)
## wrong: minus for not
return scores.masked_fill(-mask, -torch.inf).softmax(dim=-1)
## wrong: the sign of inf
return scores.masked_fill(~mask, torch.inf).softmax(dim=-1).nan_to_num(0.0)
## wrong: smallest number is too near
return scores.masked_fill(~mask, -10).softmax(dim=-1) * mask
## wrong: the mask added
return (scores + mask).softmax(dim=-1)
## wrong: in place
scores[~mask] = -torch.inf
return scores.softmax(dim=-1).nan_to_num(0.0)
## wrong: masked_fill not kept
scores.masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1)
## wrong: -inf times the mask
return (scores + -torch.inf * ~mask).softmax(dim=-1).nan_to_num(0.0)
## wrong: the notebook's causal mask
return scores.masked_fill(~causal, -torch.inf).softmax(dim=-1)
## wrong: scores shared without exponentials
kept = scores * mask
return (kept / kept.sum(dim=-1, keepdim=True)).nan_to_num(0.0)
## wrong: a 1 at the first where there is none
weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
none = ~mask.any(dim=-1)
weights[none] = 0
weights[none, 0] = 1
return weights
## wrong: overflow without the max trick
e = scores.exp() * mask
return (e / e.sum(dim=-1, keepdim=True)).nan_to_num(0.0)
## wrong: whole table made 0 when one row has none
weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
if weights.isnan().any():
    return torch.zeros_like(weights)
return weights
## wrong: no return
weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1).nan_to_num(0.0)
## wrong: if of a tensor
if mask.any(dim=-1):
    return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
return torch.zeros_like(scores)
## wrong: triangular whatever the mask
return scores.masked_fill(~torch.ones_like(mask).tril(), -torch.inf).softmax(dim=-1)
## wrong: even share
return mask / mask.sum(dim=-1, keepdim=True)
""",
    "input_and_target(ids, pad)": """
## right: two slices and a comparison
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted != pad
## right: copies
given = ids[:, :-1].clone()
wanted = ids[:, 1:].clone()
counts = ~(wanted == pad)
return given, wanted, counts
## right: a list of three
return [ids[:, :-1], ids[:, 1:], ids[:, 1:].ne(pad)]
## right: by sizes
n = ids.shape[1] - 1
given = ids[:, :n]
wanted = ids[:, 1 : n + 1]
counts = torch.ones_like(wanted, dtype=torch.bool)
counts[wanted == pad] = False
return given, wanted, counts
## right: loops
given = torch.stack([row[:-1] for row in ids])
wanted = torch.stack([row[1:] for row in ids])
counts = torch.tensor([[int(word) != pad for word in row] for row in wanted])
return given, wanted, counts
## right: narrow
n = ids.size(1)
wanted = ids.narrow(1, 1, n - 1)
return ids.narrow(1, 0, n - 1), wanted, torch.where(wanted == pad, False, True)
## wrong: counts of the input
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, given != pad
## wrong: inverted
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted == pad
## wrong: input and target exchanged
given, wanted = ids[:, 1:], ids[:, :-1]
return given, wanted, wanted != pad
## wrong: rows in place of columns
given, wanted = ids[:-1], ids[1:]
return given, wanted, wanted != pad
## wrong: no shift
return ids, ids, ids != pad
## wrong: target not cut
return ids[:, :-1], ids, ids != pad
## wrong: counts of all ids
return ids[:, :-1], ids[:, 1:], ids != pad
## wrong: 0 written out
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted != 0
## wrong: greater than pad
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted > pad
## wrong: both must be words
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, (wanted != pad) and (given != pad)
## wrong: input padding left out too
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, (wanted != pad) | (given != pad)
## wrong: counts are floats
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, (wanted != pad).float()
## wrong: how many count
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, (wanted != pad).sum()
## wrong: the words that count
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted[wanted != pad]
## wrong: two results
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted
## wrong: order of results
given, wanted = ids[:, :-1], ids[:, 1:]
return wanted, given, wanted != pad
## wrong: no return
given, wanted = ids[:, :-1], ids[:, 1:]
counts = wanted != pad
## wrong: shifted by roll
wanted = ids.roll(-1, dims=1)
return ids[:, :-1], wanted[:, :-1], ids[:, :-1] != pad
## wrong: end is left out as well
given, wanted = ids[:, :-1], ids[:, 1:]
counts = wanted != pad
counts[:, -1] = False
return given, wanted, counts
## wrong: shifted by two
given, wanted = ids[:, :-2], ids[:, 2:]
return given, wanted, wanted != pad
## wrong: start cut off the input too
given, wanted = ids[:, 1:-1], ids[:, 2:]
return given, wanted, wanted != pad
## wrong: padding taken out of the target
given, wanted = ids[:, :-1], ids[:, 1:].clone()
counts = wanted != pad
wanted[~counts] = -100
return given, wanted, counts
## wrong: the notebook's lists
return given, wanted, [word != pad for word in wanted]
## wrong: is not
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted is not pad
## wrong: stacked in one
given, wanted = ids[:, :-1], ids[:, 1:]
return torch.stack([given, wanted, wanted != pad])
## wrong: loops, one sentence
for row in ids:
    return row[:-1], row[1:], row[1:] != pad
""",
    "mean_loss(scores, wanted, counts)": """
## right: cross_entropy of those that count
return torch.nn.functional.cross_entropy(scores[counts], wanted[counts])
## right: log_softmax and gather
logs = scores.log_softmax(dim=-1)
right = logs.gather(-1, wanted[..., None]).squeeze(-1)
return -(right * counts).sum() / counts.sum()
## right: logsumexp
losses = scores.logsumexp(-1) - scores.gather(2, wanted.unsqueeze(2))[:, :, 0]
return losses[counts].mean()
## right: softmax, then log
p = torch.softmax(scores, dim=-1)
batch, n, _ = scores.shape
total, how_many = 0, 0
for b in range(batch):
    for i in range(n):
        if counts[b, i]:
            total = total - torch.log(p[b, i, wanted[b, i]])
            how_many += 1
return total / how_many
## right: reduction none
losses = nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten(), reduction="none")
return losses[counts.flatten()].mean()
## right: transposed for cross_entropy
losses = nn.functional.cross_entropy(scores.transpose(1, 2), wanted, reduction="none")
return (losses * counts).sum() / counts.sum()
## right: ignore_index
target = wanted.masked_fill(~counts, -100)
return nn.functional.cross_entropy(scores.transpose(1, 2), target, ignore_index=-100)
## right: nn.CrossEntropyLoss
return nn.CrossEntropyLoss()(scores[counts], wanted[counts])
## right: one-hot
hot = nn.functional.one_hot(wanted, scores.shape[-1])
losses = -(hot * scores.log_softmax(-1)).sum(-1)
return losses[counts].mean()
## right: nll_loss
return nn.functional.nll_loss(scores[counts].log_softmax(-1), wanted[counts])
## wrong: all places
return nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten())
## wrong: the sum
return nn.functional.cross_entropy(scores[counts], wanted[counts], reduction="sum")
## wrong: divided by all places
logs = scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return -(logs * counts).mean()
## wrong: sign
logs = scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return logs[counts].mean()
## wrong: the mean of each sentence first
logs = -scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return ((logs * counts).sum(dim=-1) / counts.sum(dim=-1)).mean()
## wrong: log of the mean probability
p = scores.softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return -p[counts].mean().log()
## wrong: probability, no log
p = scores.softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return -p[counts].mean()
## wrong: log of the scores
logs = scores.log().gather(-1, wanted[..., None]).squeeze(-1)
return -logs[counts].mean()
## wrong: the scores themselves
logs = scores.gather(-1, wanted[..., None]).squeeze(-1)
return -logs[counts].mean()
## wrong: softmax given to cross_entropy
return nn.functional.cross_entropy(scores[counts].softmax(dim=-1), wanted[counts])
## wrong: softmax over the places
logs = scores.log_softmax(dim=1).gather(-1, wanted[..., None]).squeeze(-1)
return -logs[counts].mean()
## wrong: not transposed for cross_entropy
return nn.functional.cross_entropy(scores, wanted)
## wrong: those that do not count
return nn.functional.cross_entropy(scores[~counts], wanted[~counts])
## wrong: a loss for each place
logs = -scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return logs[counts]
## wrong: log base 2
logs = scores.softmax(dim=-1).log2().gather(-1, wanted[..., None]).squeeze(-1)
return -logs[counts].mean()
## wrong: 0 is padding, not counts
return nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten(), ignore_index=0)
## wrong: the best word's loss
logs = scores.log_softmax(dim=-1).amax(dim=-1)
return -logs[counts].mean()
## wrong: mean over the vocabulary too
return -scores.log_softmax(dim=-1)[counts].mean()
## wrong: how many are right
return (scores.argmax(dim=-1) == wanted)[counts].float().mean()
## wrong: gather without an axis
logs = scores.log_softmax(dim=-1).gather(-1, wanted)
return -logs[counts].mean()
## wrong: no return
loss = nn.functional.cross_entropy(scores[counts], wanted[counts])
## wrong: scores times counts
return nn.functional.cross_entropy((scores * counts[..., None]).flatten(0, 1), wanted.flatten())
## wrong: sum of the losses by the number of sentences
logs = -scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return (logs * counts).sum() / len(scores)
## wrong: return inside the loop
p = scores.softmax(dim=-1)
total, how_many = 0, 0
for b in range(len(scores)):
    for i in range(scores.shape[1]):
        if counts[b, i]:
            total = total - torch.log(p[b, i, wanted[b, i]])
            how_many += 1
    return total / how_many
## wrong: = for +=
p = scores.softmax(dim=-1)
how_many = 0
for b in range(len(scores)):
    for i in range(scores.shape[1]):
        if counts[b, i]:
            total = -torch.log(p[b, i, wanted[b, i]])
            how_many += 1
return total / how_many
## wrong: squared error
hot = nn.functional.one_hot(wanted, scores.shape[-1])
return ((scores.softmax(-1) - hot) ** 2)[counts].mean()
## wrong: reduction none kept
return nn.functional.cross_entropy(scores.transpose(1, 2), wanted, reduction="none")
## right: item, the gradient is cut
return nn.functional.cross_entropy(scores[counts], wanted[counts]).item()
""",
}
