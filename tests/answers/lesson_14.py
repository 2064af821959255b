"""Lesson 14: means over words, numbers of words, a head taken out, and what a place alone tells."""

NOTEBOOK = """
import math

import torch
from torch import nn
"""

ANSWERS = {
    "masked_mean(x, real)": """
## right: product and sum
mask = real[..., None].to(x.dtype)
return (x * mask).sum(dim=1) / mask.sum(dim=1)
## right: loop
return torch.stack([text[words].mean(dim=0) for text, words in zip(x, real)])
## right: masked_fill
total = x.masked_fill(~real.unsqueeze(-1), 0.0).sum(dim=-2)
return total / real.sum(dim=-1, keepdim=True)
## right: einsum
return torch.einsum("bnd,bn->bd", x, real.to(x.dtype)) / real.sum(1)[:, None]
## right: matmul by weights
weights = real / real.sum(dim=1, keepdim=True)
return (weights[:, None, :].to(x.dtype) @ x).squeeze(1)
## right: nanmean
return x.masked_fill(~real[:, :, None], torch.nan).nanmean(dim=1)
## wrong divided-by-all: all places divided
return (x * real[..., None]).sum(dim=1) / x.shape[1]
## wrong divided-by-all: mean of product
return (x * real[..., None]).mean(dim=1)
## wrong padding-counts: padding counts
return x.mean(dim=1)
## wrong no-keepdim: no keepdim
return (x * real[..., None]).sum(dim=1) / real.sum(dim=1)
## wrong sizes-differ: mask without last axis
return (x * real).sum(dim=1) / real.sum(dim=1, keepdim=True)
## wrong words-of-the-batch: all words of the batch
return (x * real[..., None]).sum(dim=1) / real.sum()
## wrong only-padding: mask inverted
return (x * ~real[..., None]).sum(dim=1) / (~real).sum(dim=1, keepdim=True)
## wrong over-the-features: mean over the features
return (x * real[..., None]).sum(dim=-1) / real.sum(dim=1, keepdim=True)
## wrong sum: sum alone
return (x * real[..., None]).sum(dim=1)
## wrong over-the-texts: mean over the batch
return (x * real[..., None]).sum(dim=0) / real.sum(dim=0)[:, None]
## wrong mean-of-the-batch: one mean of all words
return x[real].mean(dim=0)
## wrong one-mean-for-all: x[real] grouped wrongly
return x[real].mean(dim=0).expand(len(x), -1)
## wrong filled-with-inf: padding made -inf
return x.masked_fill(~real[..., None], -torch.inf).mean(dim=1)
## wrong truth-of-tensor: and for *
return (x and real[..., None]).sum(dim=1) / real.sum(dim=1, keepdim=True)
## wrong in-place: input changed in place
x[~real] = 0
return x.sum(dim=1) / real.sum(dim=1, keepdim=True)
## wrong return-in-loop: return inside the loop
out = []
for text, words in zip(x, real):
    out.append(text[words].mean(dim=0))
    return torch.stack(out)
## wrong most-words: longest text's number of words
return (x * real[..., None]).sum(dim=1) / real.sum(dim=1).max()
## wrong as-many-as-the-first: up to the number of words, in front
n = real.sum(dim=1)
return torch.stack([x[i, : n[0]].mean(dim=0) for i in range(len(x))])
## wrong pair: max instead of mean
return x.masked_fill(~real[..., None], -torch.inf).max(dim=1)
## wrong zeros-are-padding: zero vectors taken for padding
real = x != 0
return x.sum(dim=1) / real.sum(dim=1)
## wrong root: divided by root
return (x * real[..., None]).sum(dim=1) / real.sum(dim=1, keepdim=True) ** 0.5
## wrong one-too-many: one too many divided
return (x * real[..., None]).sum(dim=1) / (real.sum(dim=1, keepdim=True) + 1)
## wrong list: list returned
return [text[words].mean(dim=0) for text, words in zip(x, real)]
## wrong divided-by-all: numel
return (x * real[..., None]).sum(dim=1) / real[0].numel()
## right: cumulative sum at the last word
sums = (x * real.unsqueeze(2)).cumsum(1)[:, -1]
counts = real.float().sum(1).unsqueeze(1).to(x.dtype)
return sums.div(counts)
## wrong step-missing: softmax of the mask as weights
weights = real.to(x.dtype).softmax(dim=1)
return (weights[..., None] * x).sum(dim=1)
## wrong median: median of the words
return torch.stack([text[words].median(dim=0).values for text, words in zip(x, real)])
## wrong place-axis: divides by words times features
return (x * real[..., None]).sum(dim=1) / real[..., None].expand_as(x).sum(dim=(1, 2), keepdim=True)[:, 0]
## wrong divided-by-all: padding filled with the mean of all
return x.masked_fill(~real[..., None], 0).mean(dim=1)
## wrong last-word: last word
return x[torch.arange(len(x)), real.sum(dim=1) - 1]
""",
    "word_numbers(table, weight, bias)": """
## right: matmul
return table @ weight * table.shape[-1] ** 0.5 + bias
## right: loop
return torch.stack([math.sqrt(len(row)) * (row * weight).sum() + bias for row in table])
## right: einsum
return torch.einsum("wd,d->w", table, weight) * math.sqrt(weight.numel()) + bias
## right: functional linear
return nn.functional.linear(table * table.shape[1] ** 0.5, weight[None], torch.as_tensor(bias).reshape(1)).squeeze(-1)
## right: broadcasting
return (table * weight * weight.shape[0] ** 0.5).sum(dim=1) + bias
## right: mv
return torch.mv(table, weight).mul(len(weight) ** 0.5).add(bias)
## wrong no-root: root forgotten
return table @ weight + bias
## wrong no-bias: bias forgotten
return table @ weight * table.shape[-1] ** 0.5
## wrong root-of-the-bias-too: bias scaled too
return (table @ weight + bias) * table.shape[-1] ** 0.5
## wrong divided-by-the-root: divided by root
return table @ weight / table.shape[-1] ** 0.5 + bias
## wrong bias-shared-out: bias split over the words
return table @ weight * table.shape[-1] ** 0.5 + bias / len(table)
## wrong power-first: d ** 1/2
return table @ weight * table.shape[-1] ** 1/2 + bias
## wrong root-of-the-words: root of the vocabulary
return table @ weight * len(table) ** 0.5 + bias
## wrong times-d-model: times d, no root
return table @ weight * table.shape[-1] + bias
## wrong not-summed: product not summed
return table * weight * table.shape[-1] ** 0.5 + bias
## wrong divided-by-the-root: mean for sum
return (table * weight).mean(dim=-1) * table.shape[-1] ** 0.5 + bias
## wrong probabilities: sigmoid taken
return (table @ weight * table.shape[-1] ** 0.5 + bias).sigmoid()
## wrong over-the-words: sum over the wrong axis
return (table * weight).sum(dim=0) * table.shape[-1] ** 0.5 + bias
## wrong mean-of-all-words: one number for all
return table.mean(dim=0) @ weight * table.shape[-1] ** 0.5 + bias
## wrong divided-by-the-words: square root of d over words mean
return (table @ weight * table.shape[-1] ** 0.5 + bias) / len(table)
## wrong extra-dimension: shape (n_words, 1)
return table @ weight[:, None] * table.shape[-1] ** 0.5 + bias
## wrong bias-subtracted: bias subtracted
return table @ weight * table.shape[-1] ** 0.5 - bias
## wrong root-of-32: d of the lesson written out
return table @ weight * 32 ** 0.5 + bias
## wrong no-return: forgotten return
table @ weight * table.shape[-1] ** 0.5 + bias
## wrong times-d-model: weight times root twice
root = table.shape[-1] ** 0.5
return (table * root) @ (weight * root) + bias
## wrong shared-out: softmax over words
return (table @ weight * table.shape[-1] ** 0.5 + bias).softmax(dim=0)
## wrong in-place: table changed in place
table *= table.shape[-1] ** 0.5
return table @ weight + bias
## wrong return-in-loop: return inside loop
numbers = []
for row in table:
    numbers.append(row @ weight * len(row) ** 0.5 + bias)
    return torch.stack(numbers)
## wrong list: list of floats
return [(row @ weight * len(row) ** 0.5 + bias).item() for row in table]
## wrong sizes-do-not-meet: transposed
return table.T @ weight * table.shape[-1] ** 0.5 + bias
## right: apply to the identity's embedding
layer = nn.Linear(table.shape[1], 1).to(table.dtype)
layer.weight.data, layer.bias.data = weight[None], torch.as_tensor(bias)[None].to(table.dtype)
return layer(table * math.sqrt(table.shape[1]))[:, 0]
## wrong lengths-lost: normed rows
return torch.nn.functional.normalize(table, dim=-1) @ weight * table.shape[-1] ** 0.5 + bias
## wrong length-of-the-weight: weight's length in place of the root of d
return table @ weight * weight.norm() + bias
## wrong cosine: cosine similarity
return torch.cosine_similarity(table, weight[None], dim=-1) + bias
## wrong unused: root and bias forgotten
return table @ weight
## wrong place-too-much: relu taken
return (table @ weight * table.shape[-1] ** 0.5 + bias).relu()
""",
    "without_head(joined, real, head, n_heads)": """
## right: slice
d = joined.shape[-1] // n_heads
columns = slice(head * d, (head + 1) * d)
result = joined.clone()
result[..., columns] = joined[real][:, columns].mean(dim=0)
return result
## right: unflatten
parts = joined.unflatten(-1, (n_heads, -1)).clone()
parts[:, :, head] = parts[:, :, head][real].mean(dim=0)
return parts.flatten(-2)
## right: cat of chunks
chunks = list(joined.chunk(n_heads, dim=-1))
chunks[head] = chunks[head][real].mean(dim=0).expand_as(chunks[head])
return torch.cat(chunks, dim=-1)
## right: where
d = joined.shape[-1] // n_heads
of_head = torch.arange(joined.shape[-1]) // d == head
mean = (joined * real[..., None]).sum(dim=(0, 1)) / real.sum()
return torch.where(of_head, mean, joined)
## right: loops
d = joined.size(2) // n_heads
out = joined.detach().clone()
for c in range(head * d, head * d + d):
    values = [joined[b, i, c].item() for b in range(joined.size(0)) for i in range(joined.size(1)) if real[b, i]]
    out[:, :, c] = sum(values) / len(values)
return out
## right: split
d = joined.shape[-1] // n_heads
before, part, after = joined.split([head * d, d, joined.shape[-1] - head * d - d], dim=-1)
mean = part[real].mean(0)
return torch.cat((before, mean.repeat(*joined.shape[:2], 1), after), dim=-1)
## wrong zeros: head made zero
d = joined.shape[-1] // n_heads
result = joined.clone()
result[..., head * d : (head + 1) * d] = 0
return result
## wrong padding-counts: padding in the mean
d = joined.shape[-1] // n_heads
result = joined.clone()
result[..., head * d : (head + 1) * d] = joined[..., head * d : (head + 1) * d].mean(dim=(0, 1))
return result
## wrong mean-of-each-text: mean of each text
d = joined.shape[-1] // n_heads
result = joined.clone()
part = joined[..., head * d : (head + 1) * d]
mean = (part * real[..., None]).sum(dim=1, keepdim=True) / real.sum(dim=1)[:, None, None]
result[..., head * d : (head + 1) * d] = mean
return result
## wrong in-place: joined changed in place
d = joined.shape[-1] // n_heads
joined[..., head * d : (head + 1) * d] = joined[real][:, head * d : (head + 1) * d].mean(dim=0)
return joined
## wrong every-nth-column: interleaved columns
result = joined.clone()
result[..., head::n_heads] = joined[real][:, head::n_heads].mean(dim=0)
return result
## wrong one-number: one mean of all numbers
d = joined.shape[-1] // n_heads
result = joined.clone()
result[..., head * d : (head + 1) * d] = joined[real][:, head * d : (head + 1) * d].mean()
return result
## wrong counted-from-1: head counted from 1
d = joined.shape[-1] // n_heads
result = joined.clone()
result[..., (head - 1) * d : head * d] = joined[real][:, (head - 1) * d : head * d].mean(dim=0)
return result
## wrong width-of-n-heads: n_heads taken as the width
result = joined.clone()
columns = slice(head * n_heads, (head + 1) * n_heads)
result[..., columns] = joined[real][:, columns].mean(dim=0)
return result
## wrong one-column: one column only
result = joined.clone()
result[..., head] = joined[real][:, head].mean(dim=0)
return result
## wrong unchanged: only at real places
d = joined.shape[-1] // n_heads
columns = slice(head * d, (head + 1) * d)
result = torch.zeros_like(joined)
result[real] = joined[real]
result[real] = result[real].clone()
part = result[real]
part[:, columns] = part[:, columns].mean(dim=0)
result[real] = part
return joined
## wrong head-alone: the others replaced
d = joined.shape[-1] // n_heads
columns = slice(head * d, (head + 1) * d)
result = joined[real].mean(dim=0).expand_as(joined).clone()
result[..., columns] = joined[..., columns]
return result
## wrong all-heads: all heads replaced
return joined[real].mean(dim=0).expand_as(joined)
## wrong mean-of-padding: mask inverted
d = joined.shape[-1] // n_heads
columns = slice(head * d, (head + 1) * d)
result = joined.clone()
result[..., columns] = joined[~real][:, columns].mean(dim=0)
return result
## wrong divided-by-all: divided by all places
d = joined.shape[-1] // n_heads
columns = slice(head * d, (head + 1) * d)
result = joined.clone()
result[..., columns] = (joined * real[..., None]).mean(dim=(0, 1))[columns]
return result
## wrong sum: sum for mean
d = joined.shape[-1] // n_heads
columns = slice(head * d, (head + 1) * d)
result = joined.clone()
result[..., columns] = joined[real][:, columns].sum(dim=0)
return result
## wrong the-mean-alone: only the mean returned
d = joined.shape[-1] // n_heads
return joined[real][:, head * d : (head + 1) * d].mean(dim=0)
## wrong float-for-size: true division
d = joined.shape[-1] / n_heads
result = joined.clone()
result[..., head * d : (head + 1) * d] = joined[real][:, head * d : (head + 1) * d].mean(dim=0)
return result
## wrong in-place: clone is a second name
d = joined.shape[-1] // n_heads
result = joined
result[..., head * d : (head + 1) * d] = joined[real][:, head * d : (head + 1) * d].mean(dim=0)
return result
## wrong ends-at-d-head: slice up to d
d = joined.shape[-1] // n_heads
result = joined.clone()
result[..., head * d : d] = joined[real][:, head * d : d].mean(dim=0)
return result
## wrong rows: rows for columns
d = joined.shape[-1] // n_heads
result = joined.clone()
result[:, head * d : (head + 1) * d] = joined[real].mean(dim=0)
return result
## wrong cut-off: head's part dropped
d = joined.shape[-1] // n_heads
return torch.cat([joined[..., : head * d], joined[..., (head + 1) * d :]], dim=-1)
## wrong mean-subtracted: mean subtracted
d = joined.shape[-1] // n_heads
columns = slice(head * d, (head + 1) * d)
result = joined.clone()
result[..., columns] -= joined[real][:, columns].mean(dim=0)
return result
## wrong mean-of-each-place: mean over the batch only
d = joined.shape[-1] // n_heads
columns = slice(head * d, (head + 1) * d)
result = joined.clone()
part = joined[..., columns]
result[..., columns] = (part * real[..., None]).sum(dim=0) / real.sum(dim=0)[:, None].clamp(min=1)
return result
## right: index_copy
d = joined.shape[2] // n_heads
index = torch.arange(head * d, (head + 1) * d)
mean = joined[real][:, index].mean(0)
return joined.index_copy(2, index, mean.expand(*joined.shape[:2], d).contiguous())
## wrong heads-before-places: view as (n_heads, batch)
parts = joined.view(joined.shape[0], n_heads, joined.shape[1], -1).clone()
parts[:, head] = parts[:, head][real].mean(dim=0)
return parts.reshape(joined.shape)
## wrong unused: mean over the other heads
d = joined.shape[-1] // n_heads
parts = joined.unflatten(-1, (n_heads, d)).clone()
others = [h for h in range(n_heads) if h != head]
parts[:, :, head] = parts[:, :, others].mean(dim=2)
return parts.flatten(-2)
## wrong unused: first word's output in place of the mean
d = joined.shape[-1] // n_heads
result = joined.clone()
result[..., head * d : (head + 1) * d] = joined[0, 0, head * d : (head + 1) * d]
return result
## wrong place-name: head's width from d_model // head
d = joined.shape[-1] // max(head, 1)
result = joined.clone()
result[..., head * d : (head + 1) * d] = joined[real][:, head * d : (head + 1) * d].mean(dim=0)
return result
## wrong place-one-off: one column too few
d = joined.shape[-1] // n_heads
columns = slice(head * d, (head + 1) * d - 1)
result = joined.clone()
result[..., columns] = joined[real][:, columns].mean(dim=0)
return result
""",
    "right_by_place(places, labels)": """
## right: loop over places
right = 0
for place in places.unique():
    here = labels[places == place]
    right += max((here == 0).sum(), (here == 1).sum())
return right / len(labels)
## right: counter
from collections import Counter
counts = Counter(zip(places.tolist(), labels.tolist()))
return sum(max(counts[place, 0], counts[place, 1]) for place in set(places.tolist())) / len(labels)
## right: table by bincount
table = torch.zeros(int(places.max()) + 1, 2)
table.index_put_((places, labels), torch.ones(len(labels)), accumulate=True)
return (table.max(dim=1).values.sum() / len(labels)).item()
## right: one-hot product
rows = torch.nn.functional.one_hot(places).float().T @ torch.nn.functional.one_hot(labels, 2).float()
return rows.amax(dim=-1).sum() / len(labels)
## right: mode of each place
guess = {place: labels[places == place].mode().values.item() for place in set(places.tolist())}
return sum(guess[p] == l for p, l in zip(places.tolist(), labels.tolist())) / len(places)
## right: by the mean of each place
total = 0.0
for place in places.unique():
    share = labels[places == place].float().mean()
    total += torch.maximum(share, 1 - share) * (places == place).sum()
return total / len(labels)
## wrong how-many: count for share
return sum(int((labels[places == place]).bincount().max()) for place in places.unique())
## wrong one-label-for-all: the commoner label
share = labels.float().mean().item()
return max(share, 1 - share)
## wrong always-label-1: share of ones
return labels.float().mean().item()
## wrong mean-over-places: shares of the places averaged
shares = []
for place in places.unique():
    share = labels[places == place].float().mean().item()
    shares.append(max(share, 1 - share))
return sum(shares) / len(shares)
## wrong best-place: largest share
best = 0
for place in places.unique():
    share = labels[places == place].float().mean().item()
    best = max(best, share, 1 - share)
return best
## wrong wrong-ones: smaller count
return sum(labels[places == p].bincount(minlength=2).min().item() for p in places.unique()) / len(labels)
## wrong one-side-of-a-border: border
best = 0
for border in range(places.max() + 2):
    best = max(best, ((places >= border).long() == labels).float().mean().item())
return best
## wrong one-border: border, both ways
best = 0
for border in range(places.max() + 2):
    share = ((places >= border).long() == labels).float().mean().item()
    best = max(best, share, 1 - share)
return best
## wrong newest-label: dictionary overwritten
guess = {p: l for p, l in zip(places.tolist(), labels.tolist())}
return sum(guess[p] == l for p, l in zip(places.tolist(), labels.tolist())) / len(labels)
## wrong first-label: setdefault
guess = {}
for p, l in zip(places.tolist(), labels.tolist()):
    guess.setdefault(p, l)
return sum(guess[p] == l for p, l in zip(places.tolist(), labels.tolist())) / len(labels)
## wrong places-counted: one a place
return len(set(places.tolist())) / len(places)
## wrong sure-places-only: mixed places left out
right = 0
for place in places.unique():
    here = labels[places == place]
    if len(here.unique()) == 1:
        right += len(here)
return right / len(labels)
## wrong place-is-the-label: equal
return (places == labels).float().mean().item()
## wrong texts-of-a-place: largest place
return places.bincount().max().item() / len(places)
## wrong percent: percent
return 100 * sum(int((labels[places == place]).bincount().max()) for place in places.unique()) / len(labels)
## wrong only-the-last: = for +=
for place in places.unique():
    here = labels[places == place]
    right = max((here == 0).sum(), (here == 1).sum())
return right / len(labels)
## wrong return-in-loop: return in loop
right = 0
for place in places.unique():
    here = labels[places == place]
    right += max((here == 0).sum(), (here == 1).sum())
    return right / len(labels)
## wrong half-where-both: a coin where both come
right = 0
for place in places.unique():
    here = labels[places == place]
    right += len(here) if len(here.unique()) == 1 else len(here) / 2
return right / len(labels)
## wrong worst-place: smallest share
return min(labels[places == p].bincount().max().item() / (places == p).sum().item() for p in places.unique())
""",
}
