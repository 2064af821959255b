"""Lesson 5: softmax, the way back from weights, and the score that takes half."""

NOTEBOOK = """
import torch
import math
scores = torch.tensor([[2.0, 4, 4], [4, 16, 12], [4, 12, 10]])
weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
row = torch.tensor([1.0, 2.0, 3.0])
large = torch.tensor([1000.0, 1000.0])
shifted = large - 1000
"""

ANSWERS = {
    "softmax(scores)": """
## right: the max trick
powers = (scores - scores.max(dim=-1, keepdim=True).values).exp()
return powers / powers.sum(dim=-1, keepdim=True)
## right: logsumexp
return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
## right: rows in a loop
rows = []
for row in scores:
    powers = torch.exp(row - row.max())
    rows.append(powers / powers.sum())
return torch.stack(rows)
## right: the max of the whole table, small enough
largest = scores.amax(1)[:, None]
e = torch.exp(scores - largest)
return e / e.sum(1)[:, None]
## right: filled in place in a copy
result = scores.clone()
for i in range(result.shape[0]):
    result[i] = (result[i] - result[i].max()).exp()
    result[i] = result[i] / result[i].sum()
return result
## right: turned and turned back
s = scores.T
e = (s - s.max(dim=0).values).exp()
return (e / e.sum(dim=0)).T
## right: einsum for the sums
e = torch.exp(scores - scores.max(-1, keepdim=True)[0])
return e / torch.einsum("qk->q", e).unsqueeze(-1)
## right: a comparison of all pairs
return 1 / (scores[:, None, :] - scores[:, :, None]).exp().sum(dim=-1)
## wrong overflow: step 8, as it stands
shifted = scores - 1000
return shifted.exp() / shifted.exp().sum(dim=-1, keepdim=True)
## wrong no-max-trick: no max trick
return scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
## wrong wrong-axis: columns
e = (scores - scores.amax(dim=0, keepdim=True)).exp()
return e / e.sum(dim=0, keepdim=True)
## wrong over-everything: over the whole table
e = (scores - scores.max()).exp()
return e / e.sum()
## wrong sizes-differ: keepdim forgotten
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return e / e.sum(dim=-1)
## wrong sizes-differ: keepdim of the max forgotten
e = (scores - scores.amax(dim=-1)).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong pair: max is a pair
e = (scores - scores.max(dim=-1, keepdim=True)).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong no-exp: no exponential
return scores / scores.sum(dim=-1, keepdim=True)
## wrong no-division: not divided
return (scores - scores.amax(dim=-1, keepdim=True)).exp()
## wrong power-of-2: power of 2
e = 2 ** (scores - scores.amax(dim=-1, keepdim=True))
return e / e.sum(dim=-1, keepdim=True)
## wrong place-operation: divided by the max
e = (scores / scores.amax(dim=-1, keepdim=True)).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong place-exchanged: sign of the exponent
e = (scores.amax(dim=-1, keepdim=True) - scores).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong place-operation: max added
e = (scores + scores.amax(dim=-1, keepdim=True)).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong max-above-only: max taken off one side
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return e / scores.exp().sum(dim=-1, keepdim=True)
## wrong min-trick: min taken off
e = (scores - scores.amin(dim=-1, keepdim=True)).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong mean-subtracted: mean taken off
e = (scores - scores.mean(dim=-1, keepdim=True)).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong no-division: divided by the largest
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return e / e.amax(dim=-1, keepdim=True)
## wrong logarithm: log of softmax
return scores - torch.logsumexp(scores, dim=-1, keepdim=True)
## wrong place-too-much: scaled
scores = scores / scores.shape[-1] ** 0.5
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong max-of-everything: max of the whole table, far rows vanish
e = (scores - scores.max()).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong clipped-without-max: clipped at 50
e = scores.clamp(max=50).exp()
return e / e.sum(dim=-1, keepdim=True)
## wrong return-in-loop: one row only
for row in scores:
    e = (row - row.max()).exp()
    return e / e.sum()
## wrong in-place: in place
for i in range(len(scores)):
    scores[i] = (scores[i] - scores[i].max()).exp()
    scores[i] /= scores[i].sum()
return scores
## wrong one-number-needed: math.exp of a tensor
e = math.exp(scores - scores.max())
return e / e.sum()
## wrong squares: squares
e = scores**2
return e / e.sum(dim=-1, keepdim=True)
## wrong sigmoid: sigmoid
return torch.sigmoid(scores)
## wrong no-return: no return
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
weights = e / e.sum(dim=-1, keepdim=True)
## wrong place-too-much: exp twice
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return e.exp() / e.exp().sum(dim=-1, keepdim=True)
## wrong place-function: mean for sum
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return e / e.mean(dim=-1, keepdim=True)
## wrong place-one-off: a small number added below
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return e / (e.sum(dim=-1, keepdim=True) + 1)
## wrong place-too-much: rounded
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return (e / e.sum(dim=-1, keepdim=True)).round(decimals=2)
## right: two passes of lists
rows = []
for row in scores:
    top = max(float(s) for s in row)
    e = torch.stack([torch.exp(s - top) for s in row])
    rows.append(e / e.sum())
return torch.stack(rows)
## wrong other-places: weights in order of size
e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
return (e / e.sum(dim=-1, keepdim=True)).sort(dim=-1, descending=True).values
## wrong hard-max: hard, the best gets all
best = scores.argmax(dim=-1)
return torch.nn.functional.one_hot(best, scores.shape[-1]).to(scores.dtype)
## wrong unforeseen: softplus
e = torch.nn.functional.softplus(scores)
return e / e.sum(dim=-1, keepdim=True)
""",
    "how_far_behind(weights)": """
## right: ln of the ratio
best = weights.max(dim=-1, keepdim=True).values
return torch.log(best / weights)
## right: difference of logs
logs = weights.log()
return logs.amax(dim=-1, keepdim=True) - logs
## right: a loop
rows = []
for row in weights:
    rows.append(torch.log(row.max()) - torch.log(row))
return torch.stack(rows)
## right: minus the log of the ratio
return -(weights / weights.amax(dim=-1, keepdim=True)).log()
## right: math, number by number
import math
result = torch.zeros_like(weights)
for i in range(weights.shape[0]):
    best = weights[i].max().item()
    for j in range(weights.shape[1]):
        result[i, j] = math.log(best / weights[i, j].item())
return result
## right: log2 over log2 of e
best = weights.max(dim=1)[0].unsqueeze(1)
return torch.log2(best / weights) / math.log2(math.e)
## wrong ratio-upside-down: sign
best = weights.amax(dim=-1, keepdim=True)
return torch.log(weights / best)
## wrong difference-of-weights: difference of the weights
return weights.amax(dim=-1, keepdim=True) - weights
## wrong ratio: ratio without log
return weights.amax(dim=-1, keepdim=True) / weights
## wrong place-operation: log of the difference
return torch.log(weights.amax(dim=-1, keepdim=True) - weights)
## wrong logarithm-of-each: log of the weights
return torch.log(weights)
## wrong best-of-a-column: columns
return torch.log(weights.amax(dim=0, keepdim=True) / weights)
## wrong best-of-the-table: the max of the whole table
return torch.log(weights.max() / weights)
## wrong pair: max is a pair
return torch.log(weights.max(dim=-1, keepdim=True) / weights)
## wrong sizes-differ: keepdim forgotten
return torch.log(weights.max(dim=-1).values / weights)
## wrong logarithm-of-10: log base 10
return torch.log10(weights.amax(dim=-1, keepdim=True) / weights)
## wrong logarithm-of-2: log2
return torch.log2(weights.amax(dim=-1, keepdim=True) / weights)
## wrong exponential: exp in place of log
return torch.exp(weights.amax(dim=-1, keepdim=True) - weights)
## wrong against-the-worst: smallest in place of best
return torch.log(weights / weights.amin(dim=-1, keepdim=True))
## wrong against-the-mean: ahead of the mean
return torch.log(weights) - torch.log(weights).mean(dim=-1, keepdim=True)
## wrong against-the-last: last place as best
return torch.log(weights[:, -1:] / weights)
## wrong against-the-first: first place as best
return torch.log(weights[:, :1] / weights)
## wrong place-operation: quotient of logs
logs = torch.log(weights)
return logs.amax(dim=-1, keepdim=True) / logs
## wrong first-two: the two best only
top = weights.topk(2, dim=-1).values
return torch.log(top[:, 0] / top[:, 1])
## wrong no-return: no return
ahead = torch.log(weights.amax(dim=-1, keepdim=True) / weights)
## wrong notebook-variable: best of the notebook's weights
best = scores.amax(dim=-1, keepdim=True)
return best - scores
## wrong place-function: argmax in place of max
return torch.log(weights.argmax(dim=-1, keepdim=True) / weights)
## wrong place-function: log1p
return torch.log1p(weights.amax(dim=-1, keepdim=True) / weights)
## wrong odds: odds
return torch.log(weights / (1 - weights))
## wrong return-in-loop: return inside the loop
rows = []
for row in weights:
    rows.append(torch.log(row.max() / row))
    return torch.stack(rows)
## wrong one-number-needed: math.log of a tensor
return math.log(weights.amax(dim=-1, keepdim=True) / weights)
## wrong softmax-again: softmax again
return torch.softmax(weights, dim=-1)
## right: by log_softmax of the logs
logs = torch.log_softmax(weights.log(), dim=-1)
return logs.max(dim=-1).values[:, None] - logs
## wrong place-number: the second place
return torch.log(weights.topk(min(2, weights.shape[-1]), dim=-1).values[:, -1:] / weights)
## wrong zeros-expected: absolute distance in logs to the first
logs = weights.log()
return (logs[:, :1] - logs).abs()
## wrong place-too-much: squared logs
return torch.log(weights.amax(dim=-1, keepdim=True) / weights) ** 2
""",
    "score_for_half(others)": """
## right: logsumexp
return torch.logsumexp(others, dim=-1)
## right: with the max taken off
largest = others.amax(dim=-1)
return largest + (others - largest[:, None]).exp().sum(dim=-1).log()
## right: a loop of rows
return torch.stack([row.max() + torch.log(torch.exp(row - row.max()).sum()) for row in others])
## right: logaddexp, pair by pair
total = others[:, 0]
for j in range(1, others.shape[1]):
    total = torch.logaddexp(total, others[:, j])
return total
## right: method
return others.logsumexp(-1)
## right: from softmax
return others[:, 0] - torch.log_softmax(others, dim=-1)[:, 0]
## wrong no-max-trick: overflow
return others.exp().sum(dim=-1).log()
## wrong the-sum: sum of the scores
return others.sum(dim=-1)
## wrong no-logarithm: no log
return others.exp().sum(dim=-1)
## wrong the-largest: the best score
return others.amax(dim=-1)
## wrong number-of-keys: log of the number of keys
return torch.log(torch.tensor(float(others.shape[-1]))).repeat(len(others))
## wrong the-mean: mean of the scores
return others.mean(dim=-1)
## wrong an-equal-share: mean of the exponentials
return others.exp().mean(dim=-1).log()
## wrong along-the-queries: columns
return torch.logsumexp(others, dim=0)
## wrong extra-dimension: keepdim
return torch.logsumexp(others, dim=-1, keepdim=True)
## wrong axes-too-few: the whole table
return torch.logsumexp(others.flatten(), dim=0)
## wrong logarithm-of-scores: log of the sum of scores
return others.sum(dim=-1).log()
## wrong the-sum: sum of logs
return others.exp().log().sum(dim=-1)
## wrong a-third: half of the sum
return (others.exp().sum(dim=-1) / 2).log()
## wrong two-thirds: twice
return (2 * others.exp().sum(dim=-1)).log()
## wrong place-function: log base 10
m = others.amax(dim=-1, keepdim=True)
return m[:, 0] + (others - m).exp().sum(dim=-1).log10()
## wrong maximum-not-added-back: max not added again
m = others.amax(dim=-1, keepdim=True)
return (others - m).exp().sum(dim=-1).log()
## wrong place-operation: max taken off
m = others.amax(dim=-1)
return (others - m[:, None]).exp().sum(dim=-1).log() - m
## wrong the-weight: a half as weight
return torch.full((len(others),), 0.5)
## wrong negative: sign
return -torch.logsumexp(others, dim=-1)
## wrong zero: zeros
return torch.zeros(len(others))
## wrong pair: max is a pair
m = others.max(dim=-1)
return m + (others - m).exp().sum(dim=-1).log()
## wrong best-and-number: best plus log of the number
return others.amax(dim=-1) + math.log(others.shape[-1])
## wrong not-picked: row added to the table
return torch.cat([others, torch.logsumexp(others, dim=-1, keepdim=True)], dim=-1)
## wrong no-return: no return
score = torch.logsumexp(others, dim=-1)
## wrong ones: softmax of the others
return torch.softmax(others, dim=-1).sum(dim=-1)
## wrong return-in-loop: return inside the loop
for row in others:
    return torch.logsumexp(row, dim=0)
## wrong axes-too-many: max shape spoils the sum
m = others.amax(dim=-1, keepdim=True)
return m + (others - m).exp().sum(dim=-1).log()
## right: by softmax of the best
best = others.amax(dim=-1)
share = torch.softmax(others, dim=-1).amax(dim=-1)
return best - share.log()
## wrong place-too-much: one more key counted
return torch.logsumexp(others, dim=-1) + math.log(others.shape[-1] + 1)
## wrong place-one-off: log of the sum, plus one
return torch.logsumexp(others, dim=-1) + 1
## wrong place-too-much: half of it
return torch.logsumexp(others, dim=-1) / 2
""",
}
