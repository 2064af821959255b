"""Lesson 16: scores counted, what a cache keeps, scores without keys, and a state that fades."""

NOTEBOOK = """
import math

import torch

def distance(n):
    return torch.arange(n)[:, None] - torch.arange(n)
"""

ANSWERS = {
    "local_scores(n, r)": """
## right: sum over queries
return sum(min(i + r, n - 1) - max(i - r, 0) + 1 for i in range(n))
## right: mask counted
places = torch.arange(n)
return ((places[:, None] - places).abs() <= r).sum().item()
## right: distance of the lesson
return int((distance(n).abs() <= r).sum())
## right: formula
r = min(r, n - 1)
return n * (2 * r + 1) - r * (r + 1)
## right: nested loops
count = 0
for i in range(n):
    for j in range(n):
        if abs(i - j) <= r:
            count += 1
return count
## right: by diagonals
total = n
for k in range(1, r + 1):
    total += 2 * max(n - k, 0)
return total
## right: tensor of one number
ones = torch.ones(n, n)
return (ones.tril(r) * ones.triu(-r)).sum().int()
## wrong ends-forgotten: ends forgotten
return n * (2 * r + 1)
## wrong itself-forgotten: itself forgotten
return sum(min(i + r, n - 1) - max(i - r, 0) for i in range(n))
## wrong past-only: only backwards
return sum(min(i, r) + 1 for i in range(n))
## wrong last-of-the-range-lost: range to i + r, exclusive
return sum(len(range(max(i - r, 0), min(i + r, n))) for i in range(n))
## wrong r-in-all: r keys in all
return sum(min(i + r // 2, n - 1) - max(i - r // 2, 0) + 1 for i in range(n))
## wrong blocks: the blocks' count
blocks = -(-n // r)
return blocks * r * 3 * r
## wrong all-pairs: whole table
return n * n
## wrong short-texts: formula without the cap
return n * (2 * r + 1) - r * (r + 1)
## wrong one-end: one end only
return n * (2 * r + 1) - r * (r + 1) // 2
## wrong less-than-r: distance less than r
return int((distance(n).abs() < r).sum())
## wrong sign-forgotten: abs forgotten
return int((distance(n) <= r).sum())
## wrong one-query-of-a-short-text: for one query
return min(2 * r + 1, n)
## wrong below-0: lower end below zero
count = 0
for i in range(n):
    for j in range(i - r, i + r + 1):
        if j < n:
            count += 1
return count
## wrong below-0: upper end beyond n
count = 0
for i in range(n):
    for j in range(i - r, i + r + 1):
        if j >= 0:
            count += 1
return count
## wrong one-beyond-n: n minus r off by one
return sum(min(i + r, n) - max(i - r, 0) + 1 for i in range(n))
## wrong past-only: pairs counted once
return sum(1 for i in range(n) for j in range(i, n) if j - i <= r)
## wrong first-query-forgotten: queries from 1
return sum(min(i + r, n - 1) - max(i - r, 0) + 1 for i in range(1, n))
## wrong type: the mask returned
return distance(n).abs() <= r
## wrong return-in-loop: return inside the loop
count = 0
for i in range(n):
    for j in range(n):
        if abs(i - j) <= r:
            count += 1
    return count
## wrong only-the-last: = for +=
count = 0
for i in range(n):
    count = min(i + r, n - 1) - max(i - r, 0) + 1
return count
## wrong one-end: half a number
return n * (2 * r + 1) - r * (r + 1) / 2
## right: sum of clamped ends
i = torch.arange(n)
return (torch.clamp(i + r, max=n - 1) - torch.clamp(i - r, min=0) + 1).sum().item()
## wrong r-with-itself: window of r in all, odd
return sum(min(i + r // 2, n - 1) - max(i - (r - 1) // 2, 0) + 1 for i in range(n))
## wrong one-of-each-pair: each pair counted without its turn
return n + sum(n - k for k in range(1, r + 1))
## wrong min-and-max-exchanged: min and max exchanged
return sum(max(i + r, n - 1) - min(i - r, 0) + 1 for i in range(n))
## wrong sides-only: r on each side without the middle, no ends
return 2 * r * n
## wrong blocks-cut-at-the-ends: blocks of r with neighbours cut at the ends
return sum(min(n, (i // r + 2) * r) - max(0, (i // r - 1) * r) for i in range(n))
""",
    "kept_tokens(n, n_sinks, window)": """
## right: two ranges
sinks = list(range(min(n_sinks, n)))
return sinks + list(range(max(len(sinks), n - window), n))
## right: sorted set
return sorted(set(range(min(n_sinks, n))) | set(range(max(0, n - window), n)))
## right: comprehension
return [i for i in range(n) if i < n_sinks or i >= n - window]
## right: simulate
kept = []
for i in range(n):
    kept.append(i)
    if len(kept) > n_sinks + window:
        del kept[n_sinks]
return kept
## right: if
if n <= n_sinks + window:
    return list(range(n))
return [*range(n_sinks), *range(n - window, n)]
## right: torch
i = torch.arange(n)
return i[(i < n_sinks) | (i >= n - window)].tolist()
## wrong below-zero-and-not-yet-there: doubles when short
return list(range(n_sinks)) + list(range(n - window, n))
## wrong twice-and-not-yet-there: doubles, start at 0
return list(range(n_sinks)) + list(range(max(0, n - window), n))
## wrong sinks-in-window: window holds the sinks
if n <= window:
    return list(range(n))
return list(range(n_sinks)) + list(range(n - window + n_sinks, n))
## wrong no-sinks: sinks forgotten
return list(range(max(0, n - window), n))
## wrong one-less: window one too small
return [i for i in range(n) if i < n_sinks or i > n - window]
## wrong one-more: window one too large
return [i for i in range(n) if i < n_sinks or i >= n - window - 1]
## wrong one-sink-more: sinks one too many
return [i for i in range(n) if i <= n_sinks or i >= n - window]
## wrong both: and for or
return [i for i in range(n) if i < n_sinks and i >= n - window]
## wrong window-first: order of the set
return list(range(max(n_sinks, n - window), n)) + list(range(min(n_sinks, n)))
## wrong not-yet-there: sinks beyond the text
return list(range(n_sinks)) + list(range(max(n_sinks, n - window), n))
## wrong shifted: tokens counted from 1
return [i for i in range(1, n + 1) if i <= n_sinks or i > n - window]
## wrong twice: slice with -window
tokens = list(range(n))
return tokens[:n_sinks] + tokens[-window:]
## wrong first-after-the-sinks: slice of the rest
tokens = list(range(n))
return tokens[:n_sinks] + tokens[n_sinks:][:window]
## wrong order-of-the-places: rolling order
kept = list(range(min(n, window)))
for i in range(window, n):
    kept[i % window] = i
return list(range(min(n_sinks, n))) + [i for i in kept if i >= n_sinks]
## wrong type: set returned
return set(range(min(n_sinks, n))) | set(range(max(0, n - window), n))
## wrong type: number returned
return min(n, n_sinks + window)
## wrong other-places: unsorted set as list of large
return list(set(range(max(0, n - window), n))) + [i for i in range(n_sinks) if i < n - window]
## wrong type: range returned
return range(max(0, n - window), n)
## wrong last-missing: last token left out
return [i for i in range(n - 1) if i < n_sinks or i >= n - window]
## wrong thrown-away: dropped ones returned
return [i for i in range(n) if n_sinks <= i < n - window]
## wrong return-in-loop: return inside the loop
kept = []
for i in range(n):
    kept.append(i)
    if len(kept) > n_sinks + window:
        del kept[n_sinks]
    return kept
## wrong sinks-slide: forgets the sink by pop(0)
kept = []
for i in range(n):
    kept.append(i)
    if len(kept) > n_sinks + window:
        kept.pop(0)
return kept
## wrong type: mask returned
i = torch.arange(n)
return (i < n_sinks) | (i >= n - window)
## wrong exchanged: sinks and window swapped
return [i for i in range(n) if i < window or i >= n - n_sinks]
## right: deque
from collections import deque
sinks, recent = [], deque(maxlen=window)
for token in range(n):
    if len(sinks) < n_sinks:
        sinks.append(token)
    else:
        recent.append(token)
return sinks + list(recent)
## wrong unforeseen: deque that takes the sinks, too
from collections import deque
recent = deque(maxlen=window)
for token in range(n):
    recent.append(token)
return [t for t in range(n_sinks) if t not in recent] + list(recent)
## wrong one-more-after-the-sinks: last window before the sinks are taken off
rest = list(range(n_sinks, n))
return list(range(n_sinks)) + rest[-window - 1 :]
## wrong each-window-th: tokens thrown away every second time
return [i for i in range(n) if i < n_sinks or (n - i) % window == 0]
## wrong twice-between: window of window - n_sinks when long
if n <= window:
    return list(range(n))
return list(range(n_sinks)) + list(range(n - window, n))
## wrong unused: sinks only
return list(range(min(n, n_sinks)))
""",
    "absorbed_scores(query, to_key, latent)": """
## right: query changed
return (query @ to_key) @ latent.T / query.shape[-1] ** 0.5
## right: einsum
q = torch.einsum("qh,hl->ql", query, to_key)
return torch.einsum("ql,kl->qk", q, latent) / math.sqrt(to_key.shape[0])
## right: rows
d_head = to_key.shape[0]
return torch.stack([(row @ to_key @ latent.T) / d_head**0.5 for row in query])
## right: linear
absorbed = torch.nn.functional.linear(query, to_key.T)
return torch.matmul(absorbed, latent.transpose(0, 1)) / query.size(-1) ** 0.5
## right: scaled first
scaled = query * query.shape[1] ** -0.5
return scaled.mm(to_key).mm(latent.mT)
## right: loops
changed = torch.zeros(len(query), to_key.shape[1], dtype=query.dtype)
for i in range(len(query)):
    for j in range(to_key.shape[1]):
        changed[i, j] = (query[i] * to_key[:, j]).sum()
return changed @ latent.T / len(to_key) ** 0.5
## wrong banned: keys made
keys = latent @ to_key.T
return query @ keys.T / query.shape[-1] ** 0.5
## wrong banned: keys made in one line
return query @ (latent @ to_key.T).T / query.shape[-1] ** 0.5
## wrong banned: keys by bracket order
return query @ (to_key @ latent.T) / query.shape[-1] ** 0.5
## wrong scaled-by-latent: root of d_latent
return query @ to_key @ latent.T / latent.shape[-1] ** 0.5
## wrong not-scaled: no root
return query @ to_key @ latent.T
## wrong sizes-do-not-meet: transposed matrix
return query @ to_key.T @ latent.T / query.shape[-1] ** 0.5
## wrong weights: softmax
return (query @ to_key @ latent.T / query.shape[-1] ** 0.5).softmax(dim=-1)
## wrong power-first: d ** 1/2
return query @ to_key @ latent.T / query.shape[-1] ** 1/2
## wrong turned: transposed result
return latent @ (query @ to_key).T / query.shape[-1] ** 0.5
## wrong root-of-queries: root of number of queries
return query @ to_key @ latent.T / len(query) ** 0.5
## wrong multiplied: multiplied by root
return query @ to_key @ latent.T * query.shape[-1] ** 0.5
## wrong scaled-without-root: divided by d_head
return query @ to_key @ latent.T / query.shape[-1]
## wrong sizes-differ: times for matmul
return (query @ to_key) * latent / query.shape[-1] ** 0.5
## wrong sizes-do-not-meet: latent not transposed
return query @ to_key @ latent / query.shape[-1] ** 0.5
## wrong changed-queries-scaled: changed query returned
return query @ to_key / query.shape[-1] ** 0.5
## wrong scaled-without-root: root twice
root = query.shape[-1] ** 0.5
return (query / root) @ to_key @ latent.T / root
## wrong root-of-keys: root of number of keys
return query @ to_key @ latent.T / len(latent) ** 0.5
## wrong banned: keys in a loop
keys = torch.stack([to_key @ row for row in latent])
return query @ keys.T / query.shape[-1] ** 0.5
## wrong root-of-64: size 64 written out
return query @ to_key @ latent.T / 64**0.5
## wrong sizes-do-not-meet: query and latent swapped
return latent @ to_key @ query.T / query.shape[-1] ** 0.5
## wrong no-return: forgotten return
scores = query @ to_key @ latent.T / query.shape[-1] ** 0.5
## wrong reshaped: reshape in place of transpose
return query @ to_key @ latent.reshape(latent.shape[1], -1) / query.shape[-1] ** 0.5
## wrong inverse: inverse of the matrix
return query @ torch.linalg.pinv(to_key).T @ latent.T / query.shape[-1] ** 0.5
## right: linear with the turned matrix
absorbed = (to_key.T @ query.T).T
return torch.nn.functional.linear(absorbed, latent) / to_key.size(0) ** 0.5
## wrong place-too-much: root of d_head and d_latent together
return query @ to_key @ latent.T / (to_key.shape[0] * to_key.shape[1]) ** 0.5
## wrong sums-multiplied: summed elementwise over the latent
return (query @ to_key).sum(dim=-1, keepdim=True) * latent.sum(dim=-1) / query.shape[-1] ** 0.5
## wrong matrix-three-times: softmax over queries and a matrix too many
return query @ to_key @ to_key.T @ to_key @ latent.T / query.shape[-1] ** 0.5
## wrong factors: latents not reached by matmul but by keys' scale
return query @ to_key @ latent.T / latent.shape[0]
## wrong turned: order of the product reversed
return latent @ to_key.T @ query.T / query.shape[-1] ** 0.5
""",
    "fading_attention(query, key, value, fade)": """
## right: state
state = torch.zeros(key.shape[1], value.shape[1], dtype=key.dtype)
total = torch.zeros(key.shape[1], dtype=key.dtype)
outputs = []
for q, k, v in zip(query, key, value):
    state = fade * state + torch.outer(k, v)
    total = fade * total + k
    outputs.append(q @ state / (q @ total))
return torch.stack(outputs)
## right: table
d = distance(len(query))
weights = query @ key.T * (fade ** d.clamp(min=0)) * (d >= 0)
return weights @ value / weights.sum(dim=-1, keepdim=True)
## right: tril
weights = (query @ key.T * fade ** distance(len(query))).tril()
return (weights / weights.sum(dim=-1, keepdim=True)) @ value
## right: loops
outputs = []
for i in range(len(query)):
    top, below = 0, 0
    for j in range(i + 1):
        w = fade ** (i - j) * (query[i] @ key[j])
        top = top + w * value[j]
        below = below + w
    outputs.append(top / below)
return torch.stack(outputs)
## right: read after both faded once more
state, total, outputs = 0, 0, []
for q, k, v in zip(query, key, value):
    state = (state + k[:, None] * v) * fade
    total = (total + k) * fade
    outputs.append(q @ state / (q @ total))
return torch.stack(outputs)
## right: logarithms
d = distance(len(query)).to(query.dtype)
factor = torch.exp(d * math.log(fade)).tril()
weights = query @ key.T * factor
return torch.nn.functional.normalize(weights, p=1, dim=-1) @ value
## right: einsum
factor = (fade ** distance(len(query))).tril().to(query.dtype)
top = torch.einsum("id,jd,ij,jv->iv", query, key, factor, value)
return top / torch.einsum("id,jd,ij->i", query, key, factor)[:, None]
## wrong no-fading: causal linear attention
weights = (query @ key.T).tril()
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong no-fading: whole row by one number
weights = (query @ key.T).tril() * fade ** torch.arange(len(query))[:, None]
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong sum-of-keys-stays: total not faded
state, total, outputs = 0, 0, []
for q, k, v in zip(query, key, value):
    state = fade * state + torch.outer(k, v)
    total = total + k
    outputs.append(q @ state / (q @ total))
return torch.stack(outputs)
## wrong state-stays: state not faded
state, total, outputs = 0, 0, []
for q, k, v in zip(query, key, value):
    state = state + torch.outer(k, v)
    total = fade * total + k
    outputs.append(q @ state / (q @ total))
return torch.stack(outputs)
## wrong not-divided: not divided
return (query @ key.T * fade ** distance(len(query))).tril() @ value
## wrong future-too: distance without sign
weights = query @ key.T * fade ** distance(len(query)).abs()
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong future-without-fading: clamp and no mask
weights = query @ key.T * fade ** distance(len(query)).clamp(min=0)
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong one-state-for-all: no mask
weights = query @ key.T * fade ** distance(len(query))
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong one-state-for-all: state read at the end
state, total = 0, 0
for k, v in zip(key, value):
    state, total = fade * state + torch.outer(k, v), fade * total + k
return query @ state / (query @ total)[:, None]
## wrong read-before-added: read first
state = torch.zeros(key.shape[1], value.shape[1], dtype=key.dtype)
total = torch.zeros(key.shape[1], dtype=key.dtype)
outputs = []
for q, k, v in zip(query, key, value):
    outputs.append(q @ state / (q @ total))
    state, total = fade * state + torch.outer(k, v), fade * total + k
return torch.stack(outputs)
## wrong only-the-newest: overwritten
outputs = []
for q, k, v in zip(query, key, value):
    state, total = torch.outer(k, v), k
    outputs.append(q @ state / (q @ total))
return torch.stack(outputs)
## wrong only-the-last: the last only
state, total = 0, 0
for q, k, v in zip(query, key, value):
    state, total = fade * state + torch.outer(k, v), fade * total + k
    output = q @ state / (q @ total)
return output
## wrong old-ones-count-more: distance turned round
weights = (query @ key.T * fade ** -distance(len(query))).tril()
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong old-ones-count-more: by the place of the key
weights = (query @ key.T * fade ** torch.arange(len(key))).tril()
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong faded-once: fade where old
d = distance(len(query))
weights = (query @ key.T * torch.where(d > 0, fade, 1.0)).tril()
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong faded-twice: state faded before and after
state, total, outputs = 0, 0, []
for q, k, v in zip(query, key, value):
    state, total = fade * state, fade * total
    state, total = fade * state + torch.outer(k, v), fade * total + k
    outputs.append(q @ state / (q @ total))
return torch.stack(outputs)
## wrong moving-average: exponential moving average
state, total, outputs = 0, 0, []
for q, k, v in zip(query, key, value):
    state = fade * state + (1 - fade) * torch.outer(k, v)
    total = fade * total + (1 - fade) * k
    outputs.append(q @ state / (q @ total))
return torch.stack(outputs)
## wrong values-only: fading mean of the values
weights = (fade ** distance(len(query))).tril().to(value.dtype)
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong positive-again: elu again
query, key = torch.nn.functional.elu(query) + 1, torch.nn.functional.elu(key) + 1
weights = (query @ key.T * fade ** distance(len(query))).tril()
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong exponentials: exp of the products
weights = ((query @ key.T).exp() * fade ** distance(len(query))).tril()
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong half-each-time: 0.5 written out
weights = (query @ key.T * 0.5 ** distance(len(query))).tril()
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong new-pair-shrunk: the new pair shrunk, the old not more
weights = query @ key.T * (fade ** distance(len(query)).clamp(min=1)).tril()
return weights @ value / weights.sum(dim=-1, keepdim=True)
## wrong return-in-loop: return in loop
state, total, outputs = 0, 0, []
for q, k, v in zip(query, key, value):
    state, total = fade * state + torch.outer(k, v), fade * total + k
    outputs.append(q @ state / (q @ total))
    return torch.stack(outputs)
## wrong softmax-of-faded: softmax
return (query @ key.T * (fade ** distance(len(query))).tril()).softmax(dim=-1) @ value
""",
}
