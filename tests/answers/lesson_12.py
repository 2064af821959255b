"""Lesson 12: dates that leak, the smoothed loss, and a step of a beam."""

NOTEBOOK = """
import math

import torch
import torch.nn.functional as F
from torch import nn
"""

ANSWERS = {
    "leaked(training, validation)": """
## right: isin
return torch.isin(validation // 100, training // 100)
## right: broadcast
return ((validation[:, None] // 100) == (training[None, :] // 100)).any(dim=1)
## right: python set
seen = {date // 100 for date in training.tolist()}
return torch.tensor([date // 100 in seen for date in validation.tolist()], dtype=torch.bool)
## right: loops
out = torch.zeros(len(validation), dtype=torch.bool)
for i, v in enumerate(validation):
    for t in training:
        if int(v) // 100 == int(t) // 100:
            out[i] = True
return out
## right: year and month apart
year, month = training // 10000, training // 100 % 100
v_year, v_month = validation // 10000, validation // 100 % 100
same = (year == v_year[:, None]) & (month == v_month[:, None])
return same.sum(dim=-1) > 0
## right: floor_divide and numpy
import numpy as np
months = np.unique(training.numpy() // 100)
return torch.from_numpy(np.isin(validation.numpy() // 100, months))
## right: truncated by div
months = torch.div(training, 100, rounding_mode="floor")
return torch.isin(torch.div(validation, 100, rounding_mode="floor"), months)
## wrong same-day: exact date
return torch.isin(validation, training)
## wrong any-year: month of any year
return torch.isin(validation // 100 % 100, training // 100 % 100)
## wrong any-month: year only
return torch.isin(validation // 10000, training // 10000)
## wrong fractions: true division
return torch.isin(validation / 100, training / 100)
## wrong of-training: arguments swapped
return torch.isin(training // 100, validation // 100)
## wrong new-ones: new ones, not leaked ones
return ~torch.isin(validation // 100, training // 100)
## wrong last-two-digits: day of the month
return torch.isin(validation % 100, training % 100)
## wrong month-and-day: month and day
return torch.isin(validation % 10000, training % 10000)
## wrong of-training: any over the wrong axis
return ((validation[:, None] // 100) == (training // 100)).any(dim=0)
## wrong all-training-dates: all for any
return ((validation[:, None] // 100) == (training // 100)).all(dim=1)
## wrong any: one verdict for all
return torch.isin(validation // 100, training // 100).any()
## wrong year-or-month: same year or same month
year = torch.isin(validation // 10000, training // 10000)
month = torch.isin(validation // 100 % 100, training // 100 % 100)
return year | month
## wrong apart: year and month each somewhere
year = torch.isin(validation // 10000, training // 10000)
month = torch.isin(validation // 100 % 100, training // 100 % 100)
return year & month
## wrong pairs: table of pairs not reduced
return (validation[:, None] // 100) == (training // 100)
## wrong place-by-place: place by place
n = min(len(training), len(validation))
return validation[:n] // 100 == training[:n] // 100
## wrong the-dates: leaked dates returned
return validation[torch.isin(validation // 100, training // 100)]
## wrong tensors-in-a-set: tensor in tensor's set
seen = set(training // 100)
return torch.tensor([v // 100 in seen for v in validation])
## wrong return-in-loop: return inside the loop
seen = set((training // 100).tolist())
out = []
for v in validation.tolist():
    out.append(v // 100 in seen)
    return torch.tensor(out)
## wrong ten-days: divided by 10
return torch.isin(validation // 10, training // 10)
## wrong how-many: counts, not True or False
return ((validation[:, None] // 100) == (training // 100)).sum(dim=1)
## right: within 31 of each other, since months lie 100 apart
return ((validation[:, None] - training).abs() < 31).any(dim=1)
## right: searchsorted
months = (training // 100).unique()
wanted = validation // 100
at = torch.searchsorted(months, wanted).clamp(max=len(months) - 1)
return months[at] == wanted
## wrong all-the-same: strings of the first four characters and month by slip
seen = {str(t)[:6] for t in training}
return torch.tensor([str(v)[:6] in seen for v in validation])
## wrong list: list of text True and False
seen = {t // 100 for t in training.tolist()}
return ["True" if v // 100 in seen else "False" for v in validation.tolist()]
## wrong between: dates between the first and the last of training
return (validation >= training.min()) & (validation <= training.max())
## wrong months-between: month only in the range
return torch.isin(validation // 100, torch.arange(int(training.min()) // 100, int(training.max()) // 100 + 1))
## wrong of-training: unique pairs by index
return (validation // 100)[:, None].eq(training // 100).sum(dim=0) > 0
""",
    "smoothed_loss(scores, wanted, padding, smoothing)": """
## right: targets table
n, v = scores.shape
target = torch.full((n, v), smoothing / v)
target[range(n), wanted] += 1 - smoothing
losses = -(target * scores.log_softmax(dim=-1)).sum(dim=-1)
return losses[wanted != padding].mean()
## right: two terms
log_p = scores.log_softmax(dim=-1)
right = log_p.gather(1, wanted[:, None]).squeeze(1)
loss = -(1 - smoothing) * right - smoothing * log_p.mean(dim=-1)
real = wanted != padding
return (loss * real).sum() / real.sum()
## right: loop
total, count = 0.0, 0
for row, token in zip(scores, wanted.tolist()):
    if token == padding:
        continue
    log_p = row - row.logsumexp(dim=0)
    share = smoothing / len(row)
    for i in range(len(row)):
        total -= (share + (1 - smoothing) * (i == token)) * log_p[i]
    count += 1
return total / count
## right: F.log_softmax and one_hot
v = scores.size(-1)
target = F.one_hot(wanted, v) * (1 - smoothing) + smoothing / v
losses = -(target * F.log_softmax(scores, dim=1)).sum(1)
keep = (wanted != padding).float()
return (losses * keep).sum() / keep.sum()
## right: filter first, float returned
keep = wanted != padding
scores, wanted = scores[keep], wanted[keep]
log_p = F.log_softmax(scores, -1)
picked = log_p[torch.arange(len(wanted)), wanted]
return (-(1 - smoothing) * picked - smoothing / scores.shape[-1] * log_p.sum(-1)).mean().item()
## right: einsum
log_p = scores - torch.logsumexp(scores, dim=-1, keepdim=True)
target = torch.eye(scores.shape[-1])[wanted] * (1 - smoothing) + smoothing / scores.shape[-1]
loss = -torch.einsum("nv,nv->n", target, log_p)
return loss[wanted.ne(padding)].mean()
## wrong not-smoothed: no smoothing
log_p = scores.log_softmax(dim=-1)
right = log_p[range(len(wanted)), wanted]
return -right[wanted != padding].mean()
## wrong padding-counts: padding counts
log_p = scores.log_softmax(dim=-1)
right = log_p[range(len(wanted)), wanted]
return (-(1 - smoothing) * right - smoothing * log_p.mean(dim=-1)).mean()
## wrong divided-by-all: divided by all places
log_p = scores.log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return (loss * (wanted != padding)).mean()
## wrong set-not-added: right token set, not added
n, v = scores.shape
target = torch.full((n, v), smoothing / v)
target[range(n), wanted] = 1 - smoothing
losses = -(target * scores.log_softmax(dim=-1)).sum(dim=-1)
return losses[wanted != padding].mean()
## wrong only-others: share by v - 1
n, v = scores.shape
target = torch.full((n, v), smoothing / (v - 1))
target[range(n), wanted] = 1 - smoothing
losses = -(target * scores.log_softmax(dim=-1)).sum(dim=-1)
return losses[wanted != padding].mean()
## wrong wrong-sign: sign forgotten
log_p = scores.log_softmax(dim=-1)
loss = (1 - smoothing) * log_p[range(len(wanted)), wanted] + smoothing * log_p.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong no-logarithm: softmax without log
p = scores.softmax(dim=-1)
loss = -(1 - smoothing) * p[range(len(wanted)), wanted] - smoothing * p.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong no-softmax: no softmax at all
loss = -(1 - smoothing) * scores[range(len(wanted)), wanted] - smoothing * scores.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong wrong-axis: softmax over the places
log_p = scores.log_softmax(dim=0)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong not-divided: sum for mean over the vocabulary
log_p = scores.log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.sum(dim=-1)
return loss[wanted != padding].mean()
## wrong sum: sum over places, not mean
log_p = scores.log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != padding].sum()
## wrong mean-of-padding: padding inverted
log_p = scores.log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted == padding].mean()
## wrong padding-is-0: padding taken as 0
log_p = scores.log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != 0].mean()
## wrong exchanged: smoothing and rest exchanged
log_p = scores.log_softmax(dim=-1)
loss = -smoothing * log_p[range(len(wanted)), wanted] - (1 - smoothing) * log_p.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong written-out: smoothing 0.1 written out
log_p = scores.log_softmax(dim=-1)
loss = -0.9 * log_p[range(len(wanted)), wanted] - 0.1 * log_p.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong softmax-twice: log of softmax taken twice
log_p = scores.softmax(dim=-1).log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong banned: cross_entropy used
return F.cross_entropy(scores, wanted, ignore_index=padding, label_smoothing=smoothing)
## wrong each-place: loss of each place returned
log_p = scores.log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != padding]
## wrong sum-above-1: right token gets one
n, v = scores.shape
target = torch.full((n, v), smoothing / v)
target[range(n), wanted] += 1
losses = -(target * scores.log_softmax(dim=-1)).sum(dim=-1)
return losses[wanted != padding].mean()
## wrong all-wanted-columns: all rows indexed, all columns
log_p = scores.log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[:, wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong overflow: bare exp
log_p = (scores.exp() / scores.exp().sum(dim=-1, keepdim=True)).log()
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong log-10: log10
log_p = scores.softmax(dim=-1).log10()
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != padding].mean()
## right: kl_div style by matmul of shares
real = wanted != padding
log_p = (scores - scores.amax(dim=-1, keepdim=True))
log_p = log_p - log_p.exp().sum(dim=-1, keepdim=True).log()
loss = 0.0
for place in real.nonzero().flatten():
    shares = torch.full_like(scores[0], smoothing / scores.shape[-1])
    shares[wanted[place]] = shares[wanted[place]] + 1 - smoothing
    loss = loss - shares @ log_p[place]
return loss / real.sum()
## wrong logarithm-of-the-mixture: nll with mean of log of mean
p = scores.softmax(dim=-1)
right = p[range(len(wanted)), wanted]
loss = -((1 - smoothing) * right + smoothing / scores.shape[-1]).log()
return loss[wanted != padding].mean()
## wrong index-too-large: padding column set to minus infinity
scores = scores.clone()
scores[:, padding] = -torch.inf
log_p = scores.log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != padding].mean()
## wrong mean-over-the-vocabulary: mean over places and vocabulary
n, v = scores.shape
target = torch.full((n, v), smoothing / v)
target[range(n), wanted] += 1 - smoothing
return -(target * scores.log_softmax(dim=-1))[wanted != padding].mean()
## wrong divided-by-all: padding counts in the divisor, len(wanted)
log_p = scores.log_softmax(dim=-1)
loss = -(1 - smoothing) * log_p[range(len(wanted)), wanted] - smoothing * log_p.mean(dim=-1)
return loss[wanted != padding].sum() / len(wanted)
## wrong right-part-only: smoothing taken off the right one only
log_p = scores.log_softmax(dim=-1)
return -(1 - smoothing) * log_p[range(len(wanted)), wanted][wanted != padding].mean()
""",
    "beam_step(log_p, scores, width)": """
## right: flatten and topk
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## right: unravel_index
total = log_p.unsqueeze(-1) + F.log_softmax(scores, dim=-1)
best = total.view(-1).argsort(descending=True)[:width]
return torch.unravel_index(best, scores.shape)
## right: python sort
total = (log_p[:, None] + scores.log_softmax(-1)).tolist()
pairs = [(-p, i, j) for i, row in enumerate(total) for j, p in enumerate(row)]
pairs.sort()
return torch.tensor([i for _, i, _ in pairs[:width]]), torch.tensor([j for _, _, j in pairs[:width]])
## right: logsumexp, divmod
v = scores.size(1)
total = log_p[:, None] + scores - scores.logsumexp(dim=1, keepdim=True)
_, places = torch.topk(total.reshape(-1), width)
return torch.div(places, v, rounding_mode="floor"), places.remainder(v)
## right: probabilities instead of logs in float64
p = log_p.double().exp()[:, None] * scores.double().softmax(dim=-1)
values, at = p.flatten().sort(descending=True)
hypotheses, tokens = at[:width] // p.shape[1], at[:width] % p.shape[1]
return hypotheses, tokens
## wrong list: lists returned
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices.tolist()
return [i // scores.shape[1] for i in best], [i % scores.shape[1] for i in best]
## wrong history-forgotten: own log_p forgotten
total = scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong raw-scores: scores not normalised
total = log_p[:, None] + scores
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong probabilities-added: softmax for log_softmax
total = log_p[:, None] + scores.softmax(dim=-1)
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong best-of-each: best of each hypothesis
total = log_p[:, None] + scores.log_softmax(dim=-1)
best, tokens = total.max(dim=-1)
order = best.topk(width).indices
return order, tokens[order]
## wrong wrong-divisor: divided by the number of hypotheses
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices
return best // len(log_p), best % len(log_p)
## wrong swapped: tokens and hypotheses swapped
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices
return best % scores.shape[1], best // scores.shape[1]
## wrong worst-first: worst first
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices.flip(0)
return best // scores.shape[1], best % scores.shape[1]
## wrong least: the least probable
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width, largest=False).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong wrong-axis: softmax over hypotheses
total = log_p[:, None] + scores.log_softmax(dim=0)
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong logarithms-multiplied: log_p multiplied
total = log_p[:, None] * scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong fractions: true division
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices
return best / scores.shape[1], best % scores.shape[1]
## wrong type: flat places returned
total = log_p[:, None] + scores.log_softmax(dim=-1)
return total.flatten().topk(width).indices
## wrong how-probable: probabilities returned with tokens
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width)
return best.values, best.indices % scores.shape[1]
## wrong each-row-its-best: topk of each row
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.topk(width, dim=-1).indices
return torch.arange(len(log_p)).repeat_interleave(width), best.flatten()
## wrong sizes-differ: log_p without an axis
total = log_p + scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong log-p-subtracted: log_p subtracted
total = scores.log_softmax(dim=-1) - log_p[:, None]
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong probabilities-summed: exp of log_p plus softmax
total = log_p.exp()[:, None] + scores.softmax(dim=-1)
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong written-out: width 4 written out
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(4).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong pair: topk is a pair
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width)
return best // scores.shape[1], best % scores.shape[1]
## wrong in-order-of-place: sorted by place, not probability
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices.sort().values
return best // scores.shape[1], best % scores.shape[1]
## wrong raw-scores: softmax of everything flattened
total = log_p[:, None] + scores.flatten().log_softmax(dim=0).view_as(scores)
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## right: kthvalue by repeated argmax
total = (log_p.unsqueeze(1) + scores - scores.logsumexp(1, keepdim=True)).clone()
hypotheses, tokens = [], []
for _ in range(width):
    place = int(total.argmax())
    i, j = divmod(place, total.shape[1])
    hypotheses.append(i)
    tokens.append(j)
    total[i, j] = -torch.inf
return torch.tensor(hypotheses), torch.tensor(tokens)
## wrong each-token-once: a token is used only once
total = log_p[:, None] + scores.log_softmax(dim=-1)
best, who = total.max(dim=0)
tokens = best.argsort(descending=True)[:width]
return who[tokens], tokens
## wrong error: length normalised by the width
total = (log_p[:, None] + scores.log_softmax(dim=-1)) / width
best = total.topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong probability-times-score: exp of log_p times scores
total = log_p.exp()[:, None] * scores
best = total.flatten().topk(width).indices
return best // scores.shape[1], best % scores.shape[1]
## wrong best-hypothesis: best hypothesis only
i = log_p.argmax()
tokens = scores[i].log_softmax(dim=-1).topk(width).indices
return torch.full((width,), int(i)), tokens
## wrong in-order-of-tokens: sorted by token
total = log_p[:, None] + scores.log_softmax(dim=-1)
best = total.flatten().topk(width).indices
tokens, order = (best % scores.shape[1]).sort()
return (best // scores.shape[1])[order], tokens
""",
}
