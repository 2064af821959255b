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
## wrong first-queries: first queries
return torch.ones(n_query, n_key, dtype=torch.bool).tril()
## wrong inverted: inverted
return torch.ones(n_query, n_key, dtype=torch.bool).triu(n_key - n_query + 1)
## wrong diagonal-masked: not itself
return torch.ones(n_query, n_key, dtype=torch.bool).tril(n_key - n_query - 1)
## wrong one-ahead: one of the future too
return torch.ones(n_query, n_key, dtype=torch.bool).tril(n_key - n_query + 1)
## wrong numbers: floats
return torch.ones(n_query, n_key).tril(n_key - n_query)
## wrong not-boolean: whole numbers
return torch.ones(n_query, n_key, dtype=torch.int).tril(n_key - n_query)
## wrong place-exchanged: axes exchanged
return torch.ones(n_key, n_query, dtype=torch.bool).tril(n_key - n_query)
## wrong future: future, itself included
return torch.ones(n_query, n_key, dtype=torch.bool).triu(n_key - n_query)
## wrong place-exchanged: sign of the diagonal
return torch.ones(n_query, n_key, dtype=torch.bool).tril(n_query - n_key)
## wrong square: the square of keys
return torch.ones(n_key, n_key, dtype=torch.bool).tril()
## wrong square-of-queries: the square of queries
return torch.ones(n_query, n_query, dtype=torch.bool).tril()
## wrong all-true: everyone may
return torch.ones(n_query, n_key, dtype=torch.bool)
## wrong added-form: -inf to add
return torch.full((n_query, n_key), -torch.inf).triu(n_key - n_query + 1)
## wrong notebook-variable: the notebook's mask
return causal
## wrong first-queries: first rows of the square
return torch.ones(n_key, n_key, dtype=torch.bool).tril()[:n_query]
## wrong last-columns: last columns
return torch.ones(n_query, n_key, dtype=torch.bool).tril()[:, -n_query:]
## wrong diagonal-masked: strict comparison
query = torch.arange(n_key - n_query, n_key)
return torch.arange(n_key)[None, :] < query[:, None]
## wrong future: comparison turned
query = torch.arange(n_key - n_query, n_key)
return torch.arange(n_key)[None, :] >= query[:, None]
## wrong first-queries: query i is taken for token i
mask = torch.ones(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    mask[i, i + 1 :] = False
return mask
## wrong no-return: no return
torch.ones(n_query, n_key, dtype=torch.bool).tril(n_key - n_query)
## wrong own-place: only itself
return torch.eye(n_query, n_key, dtype=torch.bool)
## wrong only-itself: only the last rows, own place
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    mask[i, i + n_key - n_query] = True
return mask
## wrong past-alone: past keys only
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
mask[:, : n_key - n_query] = True
return mask
## wrong return-in-loop: return inside the loop
mask = torch.zeros(n_query, n_key, dtype=torch.bool)
for i in range(n_query):
    mask[i, : n_key - n_query + i + 1] = True
    return mask
## right: cumulative sum of an eye
return torch.eye(n_key, dtype=torch.int).flip(1).cumsum(1).flip(1)[n_key - n_query :] > 0
## wrong place-too-much: a window of n_query
i, j = torch.arange(n_key - n_query, n_key)[:, None], torch.arange(n_key)
return (j <= i) & (j > i - n_query)
## wrong place-too-much: reversed columns
return torch.ones(n_query, n_key, dtype=torch.bool).tril(n_key - n_query).flip(1)
## wrong one-row-right: last query sees all, the others none of their own
mask = torch.ones(n_query, n_key, dtype=torch.bool)
mask[:-1, n_key - n_query :] = False
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
## wrong masked-row-is-nan: nan in rows without any
return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
## wrong not-renormalised: masked after softmax
return scores.softmax(dim=-1) * mask
## wrong renormalised: masked after softmax, shared out again
weights = scores.softmax(dim=-1) * mask
return weights / weights.sum(dim=-1, keepdim=True)
## wrong mask-inverted: the mask the other way round
return scores.masked_fill(mask, -torch.inf).softmax(dim=-1).nan_to_num(0.0)
## wrong zero-instead-of-inf: zeros in place of -inf
return scores.masked_fill(~mask, 0).softmax(dim=-1)
## wrong zero-and-masked: zeros in place of -inf, then masked
return scores.masked_fill(~mask, 0).softmax(dim=-1) * mask
## wrong zero-instead-of-inf: times the mask before softmax
return (scores * mask).softmax(dim=-1)
## wrong masked-row-is-even: -1e9, even weights where there is no key
return scores.masked_fill(~mask, -1e9).softmax(dim=-1)
## wrong masked-row-is-even: the smallest number, even weights
return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
## wrong wrong-axis: columns
return scores.masked_fill(~mask, -torch.inf).softmax(dim=0).nan_to_num(0.0)
## wrong truth-of-tensor: not for a boolean
return scores.masked_fill(not mask, -torch.inf).softmax(dim=-1)
## wrong truth-of-tensor: minus for not
return scores.masked_fill(-mask, -torch.inf).softmax(dim=-1)
## wrong plus-infinity: the sign of inf
return scores.masked_fill(~mask, torch.inf).softmax(dim=-1).nan_to_num(0.0)
## wrong ten-below: smallest number is too near
return scores.masked_fill(~mask, -10).softmax(dim=-1) * mask
## wrong mask-added: the mask added
return (scores + mask).softmax(dim=-1)
## wrong in-place: in place
scores[~mask] = -torch.inf
return scores.softmax(dim=-1).nan_to_num(0.0)
## wrong mask-ignored: masked_fill not kept
scores.masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1)
## wrong inf-times-mask: -inf times the mask
return (scores + -torch.inf * ~mask).softmax(dim=-1).nan_to_num(0.0)
## wrong notebook-variable: the notebook's causal mask
return scores.masked_fill(~causal, -torch.inf).softmax(dim=-1)
## wrong no-exp: scores shared without exponentials
kept = scores * mask
return (kept / kept.sum(dim=-1, keepdim=True)).nan_to_num(0.0)
## wrong first-key: a 1 at the first where there is none
weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
none = ~mask.any(dim=-1)
weights[none] = 0
weights[none, 0] = 1
return weights
## wrong no-max-trick: overflow without the max trick
e = scores.exp() * mask
return (e / e.sum(dim=-1, keepdim=True)).nan_to_num(0.0)
## wrong unforeseen: whole table made 0 when one row has none
weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
if weights.isnan().any():
    return torch.zeros_like(weights)
return weights
## wrong no-return: no return
weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1).nan_to_num(0.0)
## wrong truth-of-tensor: if of a tensor
if mask.any(dim=-1):
    return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
return torch.zeros_like(scores)
## wrong causal: triangular whatever the mask
return scores.masked_fill(~torch.ones_like(mask).tril(), -torch.inf).softmax(dim=-1)
## wrong even: even share
return mask / mask.sum(dim=-1, keepdim=True)
## right: by bool index and scatter
result = torch.zeros_like(scores)
for row, keys, out in zip(scores, mask, result):
    if keys.any():
        out[keys] = torch.softmax(row[keys], dim=0)
return result
## wrong mask-subtracted: mask as numbers subtracted
return (scores - 100 * mask).softmax(dim=-1)
## wrong place-too-much: columns masked when any query may not
keys = mask.all(dim=0)
return scores.masked_fill(~keys, -torch.inf).softmax(dim=-1).nan_to_num(0.0)
## wrong logarithm-of-the-mask: log of the mask without infinity care in a product
return (scores * mask.log()).softmax(dim=-1)
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
## wrong counts-of-input: counts of the input
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, given != pad
## wrong inverted: inverted
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted == pad
## wrong place-exchanged: input and target exchanged
given, wanted = ids[:, 1:], ids[:, :-1]
return given, wanted, wanted != pad
## wrong along-sentences: rows in place of columns
given, wanted = ids[:-1], ids[1:]
return given, wanted, wanted != pad
## wrong no-shift: no shift
return ids, ids, ids != pad
## wrong target-not-cut: target not cut
return ids[:, :-1], ids, ids != pad
## wrong counts-not-cut: counts of all ids
return ids[:, :-1], ids[:, 1:], ids != pad
## wrong pad-0: 0 written out
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted != 0
## wrong above-pad: greater than pad
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted > pad
## wrong truth-of-tensor: both must be words
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, (wanted != pad) and (given != pad)
## wrong counts-of-input: input padding left out too
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, (wanted != pad) | (given != pad)
## wrong numbers: counts are floats
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, (wanted != pad).float()
## wrong place-too-much: how many count
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, (wanted != pad).sum()
## wrong picked: the words that count
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted[wanted != pad]
## wrong type: two results
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted
## wrong exchanged: order of results
given, wanted = ids[:, :-1], ids[:, 1:]
return wanted, given, wanted != pad
## wrong no-return: no return
given, wanted = ids[:, :-1], ids[:, 1:]
counts = wanted != pad
## wrong counts-of-input: shifted by roll
wanted = ids.roll(-1, dims=1)
return ids[:, :-1], wanted[:, :-1], ids[:, :-1] != pad
## wrong end-left-out: end is left out as well
given, wanted = ids[:, :-1], ids[:, 1:]
counts = wanted != pad
counts[:, -1] = False
return given, wanted, counts
## wrong by-two: shifted by two
given, wanted = ids[:, :-2], ids[:, 2:]
return given, wanted, wanted != pad
## wrong start-cut-off: start cut off the input too
given, wanted = ids[:, 1:-1], ids[:, 2:]
return given, wanted, wanted != pad
## wrong padding-replaced: padding taken out of the target
given, wanted = ids[:, :-1], ids[:, 1:].clone()
counts = wanted != pad
wanted[~counts] = -100
return given, wanted, counts
## wrong list: the notebook's lists
return given, wanted, [word != pad for word in wanted]
## wrong identity: is not
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, wanted is not pad
## wrong type: stacked in one
given, wanted = ids[:, :-1], ids[:, 1:]
return torch.stack([given, wanted, wanted != pad])
## wrong return-in-loop: loops, one sentence
for row in ids:
    return row[:-1], row[1:], row[1:] != pad
## right: unbind and stack
columns = ids.unbind(dim=1)
given = torch.stack(columns[:-1], dim=1) if len(columns) > 1 else ids[:, :0]
wanted = torch.stack(columns[1:], dim=1) if len(columns) > 1 else ids[:, :0]
return given, wanted, wanted != pad
## wrong all-count: marks along the sentence only to the first padding of the input
given, wanted = ids[:, :-1], ids[:, 1:]
return given, wanted, (ids != pad).cumsum(dim=1)[:, 1:] > 0
## wrong last-token: target is the last token only
return ids[:, :-1], ids[:, -1:], ids[:, -1:] != pad
## wrong place-too-much: reversed input
given, wanted = ids.flip(1)[:, :-1], ids[:, 1:]
return given, wanted, wanted != pad
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
## wrong all-count: all places
return nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten())
## wrong sum: the sum
return nn.functional.cross_entropy(scores[counts], wanted[counts], reduction="sum")
## wrong divided-by-all: divided by all places
logs = scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return -(logs * counts).mean()
## wrong sign: sign
logs = scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return logs[counts].mean()
## wrong mean-of-sentences: the mean of each sentence first
logs = -scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return ((logs * counts).sum(dim=-1) / counts.sum(dim=-1)).mean()
## wrong log-of-the-mean: log of the mean probability
p = scores.softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return -p[counts].mean().log()
## wrong probability: probability, no log
p = scores.softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return -p[counts].mean()
## wrong log-of-scores: log of the scores
logs = scores.log().gather(-1, wanted[..., None]).squeeze(-1)
return -logs[counts].mean()
## wrong scores-themselves: the scores themselves
logs = scores.gather(-1, wanted[..., None]).squeeze(-1)
return -logs[counts].mean()
## wrong softmax-twice: softmax given to cross_entropy
return nn.functional.cross_entropy(scores[counts].softmax(dim=-1), wanted[counts])
## wrong over-places: softmax over the places
logs = scores.log_softmax(dim=1).gather(-1, wanted[..., None]).squeeze(-1)
return -logs[counts].mean()
## wrong cross-entropy: not transposed for cross_entropy
return nn.functional.cross_entropy(scores, wanted)
## wrong the-others: those that do not count
return nn.functional.cross_entropy(scores[~counts], wanted[~counts])
## wrong each-place: a loss for each place
logs = -scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return logs[counts]
## wrong base-2: log base 2
logs = scores.softmax(dim=-1).log2().gather(-1, wanted[..., None]).squeeze(-1)
return -logs[counts].mean()
## wrong word-0-is-padding: 0 is padding, not counts
return nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten(), ignore_index=0)
## wrong most-likely-word: the best word's loss
logs = scores.log_softmax(dim=-1).amax(dim=-1)
return -logs[counts].mean()
## wrong all-words: mean over the vocabulary too
return -scores.log_softmax(dim=-1)[counts].mean()
## wrong accuracy: how many are right
return (scores.argmax(dim=-1) == wanted)[counts].float().mean()
## wrong gather: gather without an axis
logs = scores.log_softmax(dim=-1).gather(-1, wanted)
return -logs[counts].mean()
## wrong no-return: no return
loss = nn.functional.cross_entropy(scores[counts], wanted[counts])
## wrong scores-zeroed: scores times counts
return nn.functional.cross_entropy((scores * counts[..., None]).flatten(0, 1), wanted.flatten())
## wrong by-sentences: sum of the losses by the number of sentences
logs = -scores.log_softmax(dim=-1).gather(-1, wanted[..., None]).squeeze(-1)
return (logs * counts).sum() / len(scores)
## wrong return-in-loop: return inside the loop
p = scores.softmax(dim=-1)
total, how_many = 0, 0
for b in range(len(scores)):
    for i in range(scores.shape[1]):
        if counts[b, i]:
            total = total - torch.log(p[b, i, wanted[b, i]])
            how_many += 1
    return total / how_many
## wrong overwritten: = for +=
p = scores.softmax(dim=-1)
how_many = 0
for b in range(len(scores)):
    for i in range(scores.shape[1]):
        if counts[b, i]:
            total = -torch.log(p[b, i, wanted[b, i]])
            how_many += 1
return total / how_many
## wrong squared-error: squared error
hot = nn.functional.one_hot(wanted, scores.shape[-1])
return ((scores.softmax(-1) - hot) ** 2)[counts].mean()
## wrong each-place-of-all: reduction none kept
return nn.functional.cross_entropy(scores.transpose(1, 2), wanted, reduction="none")
## right: item, the gradient is cut
return nn.functional.cross_entropy(scores[counts], wanted[counts]).item()
## right: weights by counts
logs = torch.log_softmax(scores, dim=-1)
right = torch.gather(logs, 2, wanted.unsqueeze(2)).squeeze(2)
weight = counts.to(scores.dtype) / counts.sum()
return -(right * weight).sum()
## wrong place-function: max over the batch
losses = nn.functional.cross_entropy(scores.transpose(1, 2), wanted, reduction="none")
return losses[counts].max()
## wrong place-too-much: perplexity
return nn.functional.cross_entropy(scores[counts], wanted[counts]).exp()
## wrong unforeseen: hinge on the scores
right = scores.gather(-1, wanted[..., None])
return (1 + scores - right).clamp(min=0)[counts].mean()
""",
}
