"""Lesson 13: a merge, two vocabularies, a draw, and a cache."""

NOTEBOOK = """
from collections import Counter, defaultdict
from itertools import pairwise
import math

import torch
from torch import nn
END = "¶"

def merge(parts, pair):
    merged = []
    for part in parts:
        if merged and (merged[-1], part) == pair:
            merged[-1] += part
        else:
            merged.append(part)
    return tuple(merged)

def attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ value, weights

def with_temperature(scores, temperature):
    return (scores / temperature).softmax(dim=-1)

def top_p(weights, p):
    best, places = weights.sort(descending=True)
    before = best.cumsum(dim=0) - best
    best = best.where(before < p * (1 - 1e-9), 0)
    kept = torch.zeros_like(weights).index_copy(0, places, best)
    return kept / kept.sum()
ids = torch.arange(20)
"""

ANSWERS = {
    "one_merge(ids, new_id)": """
## right: Counter and while
counts = Counter(zip(ids, ids[1:]))
if not counts:
    return list(ids)
pair = counts.most_common(1)[0][0]
out, i = [], 0
while i < len(ids):
    if i + 1 < len(ids) and (ids[i], ids[i + 1]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out
## right: pairwise and max
counts = {}
for pair in pairwise(ids):
    counts[pair] = counts.get(pair, 0) + 1
if len(counts) == 0:
    return ids[:]
best = max(counts, key=counts.get)
out = []
skip = False
for i in range(len(ids)):
    if skip:
        skip = False
        continue
    if tuple(ids[i:i + 2]) == best:
        out.append(new_id)
        skip = True
    else:
        out.append(ids[i])
return out
## right: iterator
counts = defaultdict(int)
for a, b in zip(ids[:-1], ids[1:]):
    counts[a, b] += 1
if not counts:
    return ids.copy()
a, b = max(counts, key=lambda pair: counts[pair])
result = list(ids)
i = 0
while i < len(result) - 1:
    if result[i] == a and result[i + 1] == b:
        result[i:i + 2] = [new_id]
    i += 1
return result
## right: pop from the output
pairs = list(pairwise(ids))
if not pairs:
    return list(ids)
a, b = max(pairs, key=pairs.count)
out = []
for token in ids:
    if out and out[-1] == a and token == b:
        out[-1] = new_id
    else:
        out.append(token)
return out
## right: recursion
counts = Counter(pairwise(ids))
pair = max(counts, key=counts.get, default=None)
def go(rest):
    if len(rest) < 2:
        return list(rest)
    if (rest[0], rest[1]) == pair:
        return [new_id] + go(rest[2:])
    return [rest[0]] + go(rest[1:])
return go(ids)
## right: lists as pairs
pairs = [[ids[i], ids[i + 1]] for i in range(len(ids) - 1)]
best, most = None, 0
for pair in pairs:
    if pairs.count(pair) > most:
        best, most = pair, pairs.count(pair)
out, i = [], 0
while i < len(ids):
    if ids[i:i + 2] == best:
        out += [new_id]
        i += 2
    else:
        out += [ids[i]]
        i += 1
return out
## wrong left-stays: second token left in
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
out = []
for i in range(len(ids)):
    if tuple(ids[i:i + 2]) == pair:
        out.append(new_id)
    else:
        out.append(ids[i])
return out
## wrong last-lost: last token lost
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
out, i = [], 0
while i < len(ids) - 1:
    if (ids[i], ids[i + 1]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out
## wrong first-place-only: only the first pair merged
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
for i in range(len(ids) - 1):
    if (ids[i], ids[i + 1]) == pair:
        return ids[:i] + [new_id] + ids[i + 2:]
return ids
## wrong last-of-equals: of equals the last
counts = Counter(zip(ids, ids[1:]))
most = max(counts.values())
pair = [p for p in counts if counts[p] == most][-1]
out, i = [], 0
while i < len(ids):
    if tuple(ids[i:i + 2]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out
## wrong smallest-of-equals: of equals the smallest
counts = Counter(zip(ids, ids[1:]))
pair = min(counts, key=lambda p: (-counts[p], p))
out, i = [], 0
while i < len(ids):
    if tuple(ids[i:i + 2]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out
## wrong every-second: every other pair counted
counts = Counter(zip(ids[::2], ids[1::2]))
pair = max(counts, key=counts.get)
out, i = [], 0
while i < len(ids):
    if tuple(ids[i:i + 2]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out
## wrong either-order: pair without order
counts = Counter(tuple(sorted(pair)) for pair in zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
out, i = [], 0
while i < len(ids):
    if tuple(sorted(ids[i:i + 2])) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out
## wrong in-place: list changed in place
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
i = 0
while i < len(ids) - 1:
    if (ids[i], ids[i + 1]) == pair:
        ids[i:i + 2] = [new_id]
    i += 1
return ids
## wrong from-the-right: from right to left
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
out, i = [], len(ids) - 1
while i >= 0:
    if i > 0 and (ids[i - 1], ids[i]) == pair:
        out.insert(0, new_id)
        i -= 2
    else:
        out.insert(0, ids[i])
        i -= 1
return out
## wrong single-token: most frequent token, not pair
token = Counter(ids).most_common(1)[0][0]
return [new_id if i == token else i for i in ids]
## wrong rarest: least frequent pair
counts = Counter(zip(ids, ids[1:]))
pair = min(counts, key=counts.get)
out, i = [], 0
while i < len(ids):
    if tuple(ids[i:i + 2]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out
## wrong overlap-not-counted: pair counted without overlap
counts, i = Counter(), 0
while i < len(ids) - 1:
    counts[ids[i], ids[i + 1]] += 1
    i += 2 if ids[i] == ids[i + 1] else 1
pair = max(counts, key=counts.get)
out, i = [], 0
while i < len(ids):
    if tuple(ids[i:i + 2]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out
## wrong sum-of-ids: sum of the pair instead of new_id
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
out = []
for token in ids:
    if out and (out[-1], token) == pair:
        out[-1] += token
    else:
        out.append(token)
return out
## right: tuple returned
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get, default=None)
out, i = [], 0
while i < len(ids):
    if tuple(ids[i:i + 2]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return tuple(out)
## wrong merged-again: merged again with new ones
pair = max(Counter(zip(ids, ids[1:])).items(), key=lambda item: item[1])[0]
out = []
for token in ids:
    out.append(token)
    while len(out) > 1 and (out[-2], out[-1]) == pair:
        out[-2:] = [new_id]
        pair = (new_id, pair[1])
return out
## wrong what-follows-the-most-frequent: all pairs of first seen token
counts = Counter(ids[:-1])
first = max(counts, key=counts.get)
second = ids[ids.index(first) + 1]
out, i = [], 0
while i < len(ids):
    if ids[i:i + 2] == [first, second]:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out
## wrong return-in-loop: return inside the loop
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
out, i = [], 0
while i < len(ids):
    if tuple(ids[i:i + 2]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
    return out
## wrong no-return: forgotten return
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
out, i = [], 0
while i < len(ids):
    if tuple(ids[i:i + 2]) == pair:
        out.append(new_id)
        i += 2
    else:
        out.append(ids[i])
        i += 1
## wrong no-such-attribute: append returns None
counts = Counter(zip(ids, ids[1:]))
pair = max(counts, key=counts.get)
out, i = [], 0
while i < len(ids):
    if tuple(ids[i:i + 2]) == pair:
        out = out.append(new_id)
        i += 2
    else:
        out = out.append(ids[i])
        i += 1
return out
## right: string replace
counts = Counter(pairwise(ids))
if not counts:
    return list(ids)
(a, b), _ = counts.most_common(1)[0]
text = ",".join(["", *map(str, ids), ""]).replace(",", ",,")
text = text.replace(f",{a},,{b},", f",{new_id},")
return [int(part) for part in text.split(",") if part]
## wrong right-stays-and-last-lost: for loop whose i += 1 does not skip
counts = Counter(pairwise(ids))
pair = counts.most_common(1)[0][0]
out = []
for i in range(len(ids) - 1):
    if (ids[i], ids[i + 1]) == pair:
        out.append(new_id)
        i += 1
    else:
        out.append(ids[i])
return out
## wrong both-removed: the pair's own ids removed everywhere
a, b = Counter(pairwise(ids)).most_common(1)[0][0]
return [new_id] + [i for i in ids if i not in (a, b)]
## wrong until-none-is-left: merged until no pair is left
while True:
    counts = Counter(pairwise(ids))
    pair, n = counts.most_common(1)[0]
    if n < 2:
        return ids
    out, i = [], 0
    while i < len(ids):
        if tuple(ids[i : i + 2]) == pair:
            out.append(new_id)
            i += 2
        else:
            out.append(ids[i])
            i += 1
    ids = out
## wrong new-id-at-the-end: new id appended at the end
pair = Counter(pairwise(ids)).most_common(1)[0][0]
out, i = [], 0
while i < len(ids):
    if tuple(ids[i : i + 2]) == pair:
        i += 2
    else:
        out.append(ids[i])
        i += 1
return out + [new_id]
## wrong left-stays: skips by one only
pair = Counter(pairwise(ids)).most_common(1)[0][0]
out, i = [], 0
while i < len(ids):
    if tuple(ids[i : i + 2]) == pair:
        out.append(new_id)
    else:
        out.append(ids[i])
    i += 1
return out
""",
    "compare(tokens, log_probabilities, other_tokens, other_log_probabilities)": """
## right: exp of minus the sum by letters
def per_letter(tokens, log_p):
    return (-log_p.sum() / len("".join(tokens))).exp()
return per_letter(tokens, log_probabilities), per_letter(other_tokens, other_log_probabilities)
## right: floats
result = []
for parts, log_p in ((tokens, log_probabilities), (other_tokens, other_log_probabilities)):
    letters = sum(len(part) for part in parts)
    result.append(math.exp(-sum(log_p.tolist()) / letters))
return tuple(result)
## wrong underflow: probability of the text first, which underflows
n, m = len("".join(tokens)), len("".join(other_tokens))
return torch.exp(log_probabilities.sum()) ** (-1 / n), torch.exp(other_log_probabilities.sum()) ** (-1 / m)
## right: list of items
first = torch.exp(-log_probabilities.sum() / sum(map(len, tokens))).item()
second = torch.exp(-other_log_probabilities.sum() / sum(map(len, other_tokens))).item()
return [first, second]
## right: tensor of two
letters = torch.tensor([len("".join(tokens)), len("".join(other_tokens))])
losses = -torch.stack([log_probabilities.sum(), other_log_probabilities.sum()])
return torch.exp(losses / letters)
## right: two to the bits
def hesitates(parts, log_p):
    bits = -log_p.sum() / math.log(2)
    return 2 ** (bits / sum(len(part) for part in parts))
return hesitates(tokens, log_probabilities), hesitates(other_tokens, other_log_probabilities)
## wrong per-token: by tokens
return (-log_probabilities.mean()).exp(), (-other_log_probabilities.mean()).exp()
## wrong no-exp: exp forgotten
n, m = len("".join(tokens)), len("".join(other_tokens))
return -log_probabilities.sum() / n, -other_log_probabilities.sum() / m
## wrong no-minus: sign forgotten
n, m = len("".join(tokens)), len("".join(other_tokens))
return (log_probabilities.sum() / n).exp(), (other_log_probabilities.sum() / m).exp()
## wrong letters-of-the-first: first text's letters for both
n = len("".join(tokens))
return (-log_probabilities.sum() / n).exp(), (-other_log_probabilities.sum() / n).exp()
## wrong base-2: power of two
n, m = len("".join(tokens)), len("".join(other_tokens))
return 2 ** (-log_probabilities.sum() / n), 2 ** (-other_log_probabilities.sum() / m)
## wrong mean-of-probabilities: exp of each, then mean
n, m = len("".join(tokens)), len("".join(other_tokens))
return (-log_probabilities).exp().sum() / n, (-other_log_probabilities).exp().sum() / m
## wrong spaces-left-out: spaces not counted
n, m = len("".join(tokens).replace(" ", "")), len("".join(other_tokens).replace(" ", ""))
return (-log_probabilities.sum() / n).exp(), (-other_log_probabilities.sum() / m).exp()
## wrong each-token-by-its-letters: mean length of each token's share
first = torch.stack([l / len(t) for l, t in zip(log_probabilities, tokens)]).mean()
second = torch.stack([l / len(t) for l, t in zip(other_log_probabilities, other_tokens)]).mean()
return (-first).exp(), (-second).exp()
## wrong exchanged: swapped results
n, m = len("".join(tokens)), len("".join(other_tokens))
return (-other_log_probabilities.sum() / m).exp(), (-log_probabilities.sum() / n).exp()
## wrong type: one number only
return (-log_probabilities.sum() / len("".join(tokens))).exp()
## wrong type: difference returned
n, m = len("".join(tokens)), len("".join(other_tokens))
return (-log_probabilities.sum() / n).exp() - (-other_log_probabilities.sum() / m).exp()
## wrong bits: bits per letter
n, m = len("".join(tokens)), len("".join(other_tokens))
return -log_probabilities.sum() / n / math.log(2), -other_log_probabilities.sum() / m / math.log(2)
## wrong log-twice: log taken once more
n, m = len("".join(tokens)), len("".join(other_tokens))
return (-log_probabilities.log().sum() / n).exp(), (-other_log_probabilities.log().sum() / m).exp()
## wrong divided-outside: perplexity by token over letters
n, m = len("".join(tokens)), len("".join(other_tokens))
return (-log_probabilities.mean()).exp() / n, (-other_log_probabilities.mean()).exp() / m
## wrong different-letters: different letters counted
n, m = len(set("".join(tokens))), len(set("".join(other_tokens)))
return (-log_probabilities.sum() / n).exp(), (-other_log_probabilities.sum() / m).exp()
## wrong printed-list: length of the printed list
n, m = len(str(tokens)), len(str(other_tokens))
return (-log_probabilities.sum() / n).exp(), (-other_log_probabilities.sum() / m).exp()
## wrong joined-by-spaces: joined with spaces
n, m = len(" ".join(tokens)), len(" ".join(other_tokens))
return (-log_probabilities.sum() / n).exp(), (-other_log_probabilities.sum() / m).exp()
## wrong bytes: bytes, not letters
n, m = len("".join(tokens).encode()), len("".join(other_tokens).encode())
return (-log_probabilities.sum() / n).exp(), (-other_log_probabilities.sum() / m).exp()
## wrong one-over-the-product: probability, product
n, m = len("".join(tokens)), len("".join(other_tokens))
return 1 / log_probabilities.exp().prod() / n, 1 / other_log_probabilities.exp().prod() / m
## wrong first-model-twice: second from the first's numbers
n, m = len("".join(tokens)), len("".join(other_tokens))
return (-log_probabilities.sum() / n).exp(), (-log_probabilities.sum() / m).exp()
## wrong only-the-last: length of the last token by slip
for token in tokens:
    n = len(token)
for token in other_tokens:
    m = len(token)
return (-log_probabilities.sum() / n).exp(), (-other_log_probabilities.sum() / m).exp()
## wrong base-10: 10 to the power
n, m = len("".join(tokens)), len("".join(other_tokens))
return 10 ** (-log_probabilities.sum() / n), 10 ** (-other_log_probabilities.sum() / m)
## right: dictionary values by a loop of generators
pairs = {"first": (tokens, log_probabilities), "other": (other_tokens, other_log_probabilities)}
numbers = [torch.exp(-sum(l for l in logs) / sum(1 for t in ts for _ in t)) for ts, logs in pairs.values()]
first, other = numbers
return first, other
## wrong place-too-much: weighted by letters of each token
def of(tokens, logs):
    lengths = torch.tensor([len(t) for t in tokens])
    return (-(logs * lengths).sum() / lengths.sum()).exp()
return of(tokens, log_probabilities), of(other_tokens, other_log_probabilities)
## wrong per-word: words, not letters
n, m = len("".join(tokens).split()), len("".join(other_tokens).split())
return (-log_probabilities.sum() / n).exp(), (-other_log_probabilities.sum() / m).exp()
## wrong which-is-better: True for the better one
a = (-log_probabilities.sum() / len("".join(tokens))).exp()
b = (-other_log_probabilities.sum() / len("".join(other_tokens))).exp()
return a < b, b < a
## wrong sum: not divided
return (-log_probabilities.sum()).exp(), (-other_log_probabilities.sum()).exp()
## wrong perplexity-per-token-shared-out: letters per token times the perplexity
n, m = len("".join(tokens)), len("".join(other_tokens))
first, other = (-log_probabilities.mean()).exp(), (-other_log_probabilities.mean()).exp()
return first * len(tokens) / n, other * len(other_tokens) / m
""",
    "draw_token(scores, temperature, p, dice)": """
## right: sort, cumsum, searchsorted
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True, stable=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p * (1 - 1e-9), 0)
w = w / w.sum(dim=-1, keepdim=True)
at = torch.searchsorted(w.cumsum(dim=-1), dice[:, None].to(w.dtype), right=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## right: row by row
out = []
for row, number in zip(scores, dice.tolist()):
    weights = with_temperature(row, temperature)
    best, ids = weights.sort(descending=True)
    total, n = 0.0, 0
    while total < p - 1e-7 and n < len(best):
        total += best[n].item()
        n += 1
    end = 0.0
    for i in range(n):
        end += best[i].item() / total
        if number < end:
            break
    out.append(ids[i].item())
return torch.tensor(out)
## right: count of ends below
w, order = torch.softmax(scores / temperature, dim=1).sort(dim=1, descending=True)
cum = w.cumsum(1)
keep = (cum - w) < p - 1e-7
w = torch.where(keep, w, torch.zeros_like(w))
ends = w.cumsum(1) / w.sum(1, keepdim=True)
at = (dice.unsqueeze(1) >= ends).sum(1).clamp(max=scores.shape[1] - 1)
return order[torch.arange(len(order)), at]
## right: lesson's top_p
found = []
for row, number in zip(scores, dice):
    weights = top_p(with_temperature(row, temperature), p)
    best, ids = weights.sort(descending=True)
    found.append(ids[(best.cumsum(dim=0) > number).float().argmax()])
return torch.stack(found)
## right: scaled dice instead of weights
w, order = (scores / temperature).softmax(-1).sort(-1, descending=True)
n_kept = ((w.cumsum(-1) - w) < p * (1 - 1e-9)).sum(-1, keepdim=True)
kept_sum = w.cumsum(-1).gather(-1, n_kept - 1)
at = (w.cumsum(-1) <= dice[:, None] * kept_sum).sum(-1, keepdim=True)
return order.gather(-1, at.clamp(max=w.shape[-1] - 1)).flatten()
## right: argmax of first end above
order = scores.argsort(dim=-1, descending=True)
w = (scores / temperature).softmax(dim=-1).gather(-1, order)
before = torch.cat([torch.zeros(len(w), 1), w.cumsum(-1)[:, :-1]], dim=-1)
w = w * (before < p - 1e-7)
w = w / w.sum(-1, keepdim=True)
first = (w.cumsum(-1) > dice[:, None]).int().argmax(-1)
return torch.tensor([order[b, i].item() for b, i in enumerate(first)])
## wrong rank: rank instead of id
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1)
## wrong not-stretched: not shared 1 again
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong temperature-multiplied: temperature multiplied
w, order = (scores * temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong temperature-ignored: temperature forgotten
w, order = scores.softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong one-too-few: token that crosses p left out
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) > p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong p-ignored: no top-p
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong by-id: in order of ids, not sorted
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = torch.zeros_like(w).scatter(-1, order, w / w.sum(dim=-1, keepdim=True))
return (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1).clamp(max=w.shape[-1] - 1)
## wrong greedy: always the likeliest
return (scores / temperature).argmax(dim=-1)
## wrong random: drawn by torch, dice unused
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
return order.gather(-1, torch.multinomial(w, 1)).squeeze(-1)
## wrong softmax-over-the-batch: softmax over the batch
w, order = (scores / temperature).softmax(dim=0).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong one-number-for-all: first text's number for all
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[0]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong unlikely-first: smallest first
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong above-p: tokens with weight at least p
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w < p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong one-behind: one token too far
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True) + 1
return order.gather(-1, at.clamp(max=w.shape[-1] - 1)).squeeze(-1)
## wrong pair: sort is a pair
w = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
return (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1)
## wrong extra-dimension: shape (batch, 1)
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p * (1 - 1e-9), 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at)
## wrong temperature-too-late: temperature after softmax
w, order = (scores.softmax(dim=-1) / temperature).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong sizes-differ: dice one too many by dim
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong shared-by-the-batch: shared by the whole batch's sum
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p, 0)
w = w / w.sum()
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong return-in-loop: return inside the loop
for row, number in zip(scores, dice):
    weights = top_p(with_temperature(row, temperature), p)
    best, ids = weights.sort(descending=True)
    return ids[(best.cumsum(dim=0) > number).float().argmax()]
## right: heapq and plain Python
import heapq
result = []
for row, number in zip((scores / temperature).softmax(-1).tolist(), dice.tolist()):
    kept, total = [], 0.0
    for weight, i in heapq.nlargest(len(row), [(w, i) for i, w in enumerate(row)]):
        kept.append((weight, i))
        total += weight
        if total >= p * (1 - 1e-6):
            break
    line = 0.0
    for weight, i in kept:
        line += weight / total
        if number < line:
            break
    result.append(i)
return torch.tensor(result)
## wrong nearest-end: nearest end
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) - dice[:, None]).abs().argmin(dim=-1, keepdim=True)
return order.gather(-1, at).squeeze(-1)
## wrong unused: the token whose weight is nearest to the number
w = (scores / temperature).softmax(dim=-1)
return (w - dice[:, None]).abs().argmin(dim=-1)
## wrong unforeseen: dice compared with p
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
return torch.where(dice < p, order[:, 0], order[:, -1])
## wrong p-before-temperature: p taken before the temperature
plain = scores.softmax(dim=-1)
best, order = plain.sort(dim=-1, descending=True)
keep = best.cumsum(dim=-1) - best < p
w = (scores / temperature).softmax(dim=-1).gather(-1, order) * keep
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
## wrong one-too-many: one token more kept
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
keep = torch.cat([torch.ones(len(w), 1).bool(), (w.cumsum(dim=-1) - w < p)[:, :-1]], dim=-1)
w = w * keep
w = w / w.sum(dim=-1, keepdim=True)
at = (w.cumsum(dim=-1) <= dice[:, None]).sum(dim=-1, keepdim=True).clamp(max=w.shape[-1] - 1)
return order.gather(-1, at).squeeze(-1)
""",
    "attend_and_keep(query, key, value, kept_keys, kept_values)": """
## right: cat and tril
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
output, _ = attention(query, keys, values, mask)
return output, keys, values
## right: by places
keys = torch.vstack((kept_keys, key))
values = torch.vstack((kept_values, value))
n, m = len(kept_keys), len(key)
at_key, at_query = torch.arange(n + m), n + torch.arange(m)
scores = query @ keys.T / math.sqrt(query.shape[-1])
scores[at_key[None, :] > at_query[:, None]] = -math.inf
return scores.softmax(dim=1) @ values, keys, values
## right: one by one
keys, values, outputs = kept_keys, kept_values, []
for q, k, v in zip(query, key, value):
    keys = torch.cat([keys, k[None]])
    values = torch.cat([values, v[None]])
    outputs.append((keys @ q / q.shape[-1] ** 0.5).softmax(dim=0) @ values)
return torch.stack(outputs), keys, values
## right: two masks side by side
m, n = len(query), len(kept_keys)
mask = torch.cat([torch.ones(m, n), torch.ones(m, m).tril()], dim=1) == 0
keys, values = torch.cat((kept_keys, key), dim=0), torch.cat((kept_values, value), dim=0)
scores = torch.einsum("qd,kd->qk", query, keys) / key.shape[1] ** 0.5
return scores.masked_fill(mask, float("-inf")).softmax(-1) @ values, keys, values
## right: functional
keys, values = torch.concat([kept_keys, key]), torch.concat([kept_values, value])
mask = torch.tril(torch.ones(len(key), len(keys)), diagonal=len(keys) - len(key)).bool()
out = nn.functional.scaled_dot_product_attention(query[None], keys[None], values[None], attn_mask=mask)
return out[0], keys, values
## right: list returned
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
future = torch.ones(len(query), len(keys)).triu(1 + len(kept_keys)) * -1e30
weights = torch.softmax(query.matmul(keys.t()) / query.size(1) ** 0.5 + future, dim=-1)
return [weights.mm(values), keys, values]
## wrong no-mask: no mask
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
return (query @ keys.T / query.shape[-1] ** 0.5).softmax(dim=-1) @ values, keys, values
## wrong mask-at-the-left: tril without shift
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril()
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong itself-masked: itself hidden
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys) - 1)
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong read-in-another-order: new ones first
keys, values = torch.cat([key, kept_keys]), torch.cat([value, kept_values])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong no-scaling: root forgotten
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong kept-only: only the kept ones are read
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
return (query @ kept_keys.T / query.shape[-1] ** 0.5).softmax(dim=-1) @ kept_values, keys, values
## wrong new-only: only the new ones are read
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(query), dtype=torch.bool).tril()
scores = (query @ key.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ value, keys, values
## wrong new-not-kept: old keys returned
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, kept_keys, kept_values
## wrong only-new-returned: new keys returned alone
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, key, value
## wrong mask-inverted: mask inverted
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong zero-instead-of-inf: zero in place of -inf
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys)).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5) * mask
return scores.softmax(dim=-1) @ values, keys, values
## wrong type: only the output returned
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values
## wrong exchanged: values and keys swapped
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, values, keys
## wrong weights: weights instead of output
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1), keys, values
## wrong power-first: d ** 1/2
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 1/2).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong softmax-over-queries: softmax over the queries
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=0) @ values, keys, values
## wrong root-of-tokens: root of the number of tokens
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / len(query) ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong sizes-differ: cat along the wrong axis
keys, values = torch.cat([kept_keys, key], dim=-1), torch.cat([kept_values, value], dim=-1)
return (query @ keys.T / query.shape[-1] ** 0.5).softmax(dim=-1) @ values, keys, values
## wrong sizes-do-not-meet: values not extended
keys = torch.cat([kept_keys, key])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ kept_values, keys, kept_values
## wrong itself-masked: loop over old tokens only, all at end
keys, values, outputs = kept_keys, kept_values, []
for q, k, v in zip(query, key, value):
    outputs.append((keys @ q / q.shape[-1] ** 0.5).softmax(dim=0) @ values)
    keys = torch.cat([keys, k[None]])
    values = torch.cat([values, v[None]])
return torch.stack(outputs), keys, values
## wrong return-in-loop: return inside the loop
keys, values, outputs = kept_keys, kept_values, []
for q, k, v in zip(query, key, value):
    keys = torch.cat([keys, k[None]])
    values = torch.cat([values, v[None]])
    outputs.append((keys @ q / q.shape[-1] ** 0.5).softmax(dim=0) @ values)
    return torch.stack(outputs), keys, values
## right: preallocated
n, m = len(kept_keys), len(key)
keys = key.new_empty(n + m, key.shape[1])
values = value.new_empty(n + m, value.shape[1])
keys[:n], keys[n:] = kept_keys, key
values[:n], values[n:] = kept_values, value
out = [torch.softmax(keys[: n + i + 1] @ query[i] / query.shape[1] ** 0.5, 0) @ values[: n + i + 1] for i in range(m)]
return torch.stack(out), keys, values
## wrong place-name: query kept in place of the key
keys, values = torch.cat([kept_keys, query]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).tril(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong triangle-at-the-kept: the triangle at the kept ones
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.cat([torch.ones(len(query), len(kept_keys)).tril(), torch.ones(len(query), len(query))], 1).bool()
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong two-softmaxes: two softmaxes added
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
old = (query @ kept_keys.T / query.shape[-1] ** 0.5).softmax(dim=-1) @ kept_values
mask = torch.ones(len(query), len(query), dtype=torch.bool).tril()
new = (query @ key.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf).softmax(dim=-1) @ value
return old + new, keys, values
## wrong place-function: triu for tril
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
mask = torch.ones(len(query), len(keys), dtype=torch.bool).triu(len(kept_keys))
scores = (query @ keys.T / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
return scores.softmax(dim=-1) @ values, keys, values
## wrong last-new-only: output of the last one only
keys, values = torch.cat([kept_keys, key]), torch.cat([kept_values, value])
return (query[-1:] @ keys.T / query.shape[-1] ** 0.5).softmax(dim=-1) @ values, keys, values
""",
}
