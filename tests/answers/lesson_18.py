"""Lesson 18: rotary positions in halves, grouped queries, and the chance of a text."""

NOTEBOOK = """
import math

import torch
from torch import nn

def hands_at(n, d_head, start=0, base=100_000.0):
    slowness = base ** (torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
    angles = torch.arange(start, start + n)[:, None] / slowness
    return angles.sin().float(), angles.cos().float()

def turn(x, sine, cosine):
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cosine - b * sine, a * sine + b * cosine], dim=-1).flatten(-2).to(x.dtype)
base = 100_000.0
"""

ANSWERS = {
    "turn_halves(places, x, base)": """
## right: chunk and cat
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## right: rotate_half of the libraries
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
angles = torch.cat([angles, angles], dim=-1)
rotated = torch.cat([-x[:, d // 2 :], x[:, : d // 2]], dim=-1)
return x * angles.cos() + rotated * angles.sin()
## right: loops
n, d = x.shape
out = torch.zeros_like(x)
for row in range(n):
    for i in range(d // 2):
        angle = places[row].item() / base ** (2 * i / d)
        a, b = x[row, i], x[row, i + d // 2]
        out[row, i] = a * math.cos(angle) - b * math.sin(angle)
        out[row, i + d // 2] = a * math.sin(angle) + b * math.cos(angle)
return out
## right: complex numbers
d = x.shape[-1]
angles = places[:, None].double() / base ** (torch.arange(0, d, 2).double() / d)
z = torch.complex(x[:, : d // 2].double(), x[:, d // 2 :].double()) * torch.polar(torch.ones_like(angles), angles)
return torch.cat([z.real, z.imag], dim=-1).to(x.dtype)
## right: order changed, lesson's turn, back
n, d = x.shape
slowness = base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
angles = places[:, None] / slowness
mixed = torch.stack(x.chunk(2, dim=-1), dim=-1).flatten(-2)
turned = turn(mixed, angles.sin(), angles.cos())
return torch.cat([turned[:, 0::2], turned[:, 1::2]], dim=-1)
## right: lesson's hands, picked
n, d = x.shape
sine, cosine = (hands[places] for hands in hands_at(int(places.max()) + 1, d, base=base))
a, b = x[:, : d // 2], x[:, d // 2 :]
return torch.hstack([a * cosine - b * sine, a * sine + b * cosine])
## wrong neighbours: neighbours as pairs
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
return turn(x, angles.sin(), angles.cos())
## wrong backwards: opposite sense
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], dim=-1)
## wrong woven: stack, flattened: not back
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1).flatten(-2)
## wrong read-as-neighbours: neighbours read, halves written
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x[:, 0::2], x[:, 1::2]
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong row-numbers: rows counted, places ignored
n, d = x.shape
angles = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong from-the-first-on: places from the first on
n, d = x.shape
angles = (places[0] + torch.arange(n))[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong base-of-10000: base of lesson 10
d = x.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong half-speed: speeds with i / d
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(d // 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong double-speed: speeds with 2i over half
d = x.shape[-1] // 2
angles = places[:, None] / base ** (torch.arange(0, 2 * d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong plus-in-both: one sign wrong
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() + b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong sine-for-cosine: sine and cosine exchanged
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.sin() - b * angles.cos(), a * angles.cos() + b * angles.sin()], dim=-1)
## wrong overwritten: first half overwritten
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
x = x.clone()
a, b = x[:, : d // 2], x[:, d // 2 :]
x[:, : d // 2] = a * angles.cos() - b * angles.sin()
x[:, d // 2 :] = a * angles.sin() + b * angles.cos()
return x
## wrong times-slowness: multiplied by slowness
d = x.shape[-1]
angles = places[:, None] * base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong halves-exchanged: halves exchanged
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.sin() + b * angles.cos(), a * angles.cos() - b * angles.sin()], dim=-1)
## wrong backwards: rotate_half with the wrong sign
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
angles = torch.cat([angles, angles], dim=-1)
rotated = torch.cat([x[:, d // 2 :], -x[:, : d // 2]], dim=-1)
return x * angles.cos() + rotated * angles.sin()
## wrong speeds-of-neighbours: speeds repeated by neighbours
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
angles = angles.repeat_interleave(2, dim=-1)
rotated = torch.cat([-x[:, d // 2 :], x[:, : d // 2]], dim=-1)
return x * angles.cos() + rotated * angles.sin()
## wrong one-speed: only the first pair's speed
d = x.shape[-1]
angles = places[:, None].float()
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong sizes-differ: places without an axis
d = x.shape[-1]
angles = places / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong one-too-far: places from 1
d = x.shape[-1]
angles = (places[:, None] + 1) / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong slow-hands-first: fastest hand last
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2).flip(0) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## right: 2 x 2 matrices by einsum
n, d = x.shape
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
c, s = angles.cos(), angles.sin()
turn = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2).to(x.dtype)
pairs = torch.stack([x[:, : d // 2], x[:, d // 2 :]], -1)
turned = torch.einsum("npij,npj->npi", turn, pairs)
return torch.cat([turned[..., 0], turned[..., 1]], -1)
## wrong second-half-reversed: rotated from the end: flip
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x[:, : d // 2], x[:, d // 2 :].flip(-1)
return torch.cat([a * angles.cos() - b * angles.sin(), (a * angles.sin() + b * angles.cos()).flip(-1)], dim=-1)
## wrong cosine-of-both: cosine for both
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.cos(), a * angles.sin() + b * angles.sin()], dim=-1)
## wrong added: positions added
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
return x + torch.cat([angles.sin(), angles.cos()], dim=-1)
## wrong one-row-right: angle by the first place for all
d = x.shape[-1]
angles = places[0] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
## wrong place-operation: second line with a minus, too
d = x.shape[-1]
angles = places[:, None] / base ** (torch.arange(0, d, 2) / d)
a, b = x.chunk(2, dim=-1)
return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() - b * angles.cos()], dim=-1)
""",
    "read_cache(queries, keys, values)": """
## right: repeat_interleave
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v).flatten()
## right: loop over heads
outputs = []
per_group = queries.shape[0] // keys.shape[0]
for head, q in enumerate(queries):
    k, v = keys[head // per_group], values[head // per_group]
    outputs.append((k @ q / math.sqrt(len(q))).softmax(dim=0) @ v)
return torch.cat(outputs)
## right: grouped view
g, n, d = keys.shape
q = queries.unflatten(0, (g, -1))
weights = (q @ keys.mT / d**0.5).softmax(-1)
return (weights @ values).reshape(-1)
## right: einsum
g, n, d = keys.shape
q = queries.reshape(g, -1, d)
w = torch.softmax(torch.einsum("grd,gnd->grn", q, keys) / d**0.5, dim=-1)
return torch.einsum("grn,gnd->grd", w, values).flatten()
## right: functional gqa
k = keys.repeat_interleave(len(queries) // len(keys), dim=0)
v = values.repeat_interleave(len(queries) // len(values), dim=0)
return nn.functional.scaled_dot_product_attention(queries[:, None], k, v).flatten()
## right: index of groups
group = torch.arange(len(queries)) * len(keys) // len(queries)
scores = (keys[group] * queries[:, None, :]).sum(-1) / queries.shape[1] ** 0.5
return (scores.softmax(-1)[..., None] * values[group]).sum(1).flatten()
## wrong tiled: repeat in place of interleave
r = len(queries) // len(keys)
k, v = keys.repeat(r, 1, 1), values.repeat(r, 1, 1)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v).flatten()
## wrong tiled: head modulo groups
outputs = []
for head, q in enumerate(queries):
    k, v = keys[head % len(keys)], values[head % len(keys)]
    outputs.append((k @ q / len(q) ** 0.5).softmax(dim=0) @ v)
return torch.cat(outputs)
## wrong unscaled: root forgotten
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
weights = (queries[:, None] @ k.mT).softmax(dim=-1)
return (weights @ v).flatten()
## wrong across-heads: softmax over the heads
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=0)
return (weights @ v).flatten()
## wrong not-joined: not joined
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v)[:, 0]
## wrong itself-hidden: own token hidden
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0)[:, :-1], values.repeat_interleave(r, dim=0)[:, :-1]
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v).flatten()
## wrong first-key-only: causal by head number
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
return nn.functional.scaled_dot_product_attention(queries[:, None], k, v, is_causal=True).flatten()
## wrong lower-triangle: tril over heads
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
scores = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5)[:, 0]
scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
return (scores.softmax(dim=-1)[:, None] @ v).flatten()
## wrong by-place: transposed before joining
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v)[:, 0].T.flatten()
## wrong last-value-only: only the last key
r = len(queries) // len(keys)
return values[:, -1].repeat_interleave(r, dim=0).flatten()
## wrong first-group-for-all: first group for all
weights = (queries @ keys[0].T / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ values[0]).flatten()
## wrong sizes-differ: keys of 3 written out
k, v = keys.repeat_interleave(3, dim=0), values.repeat_interleave(3, dim=0)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v).flatten()
## wrong values-tiled: values grouped otherwise than keys
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat(r, 1, 1)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v).flatten()
## wrong mean-query: queries averaged per group
g = len(keys)
q = queries.unflatten(0, (g, -1)).mean(dim=1, keepdim=True)
weights = (q @ keys.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ values).expand(-1, len(queries) // g, -1).flatten()
## wrong no-softmax: softmax forgotten
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
return (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5 @ v).flatten()
## wrong power-first: d ** 1/2
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 1/2).softmax(dim=-1)
return (weights @ v).flatten()
## wrong root-of-heads: root of number of heads
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
weights = (queries[:, None] @ k.mT / len(queries) ** 0.5).softmax(dim=-1)
return (weights @ v).flatten()
## wrong sizes-differ: no groups, shapes clash
weights = (queries[:, None] @ keys.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ values).flatten()
## wrong heads-in-turn: heads as (r, groups)
g, n, d = keys.shape
q = queries.reshape(-1, g, d).transpose(0, 1)
weights = (q @ keys.mT / d**0.5).softmax(-1)
return (weights @ values).flatten()
## wrong one-head-a-group: one head's output for the group
g, n, d = keys.shape
q = queries[:: len(queries) // g]
weights = (q[:, None] @ keys.mT / d**0.5).softmax(-1)
return (weights @ values).flatten()
## wrong return-in-loop: return inside the loop
outputs = []
r = len(queries) // len(keys)
for head, q in enumerate(queries):
    outputs.append((keys[head // r] @ q / len(q) ** 0.5).softmax(dim=0) @ values[head // r])
    return torch.cat(outputs)
## wrong keys-weighted: keys weighted, not values
r = len(queries) // len(keys)
k = keys.repeat_interleave(r, dim=0)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ k).flatten()
## right: vmap over groups
grouped = queries.reshape(len(keys), -1, queries.shape[1])
def one(q, k, v):
    return torch.softmax(q @ k.T / k.shape[1] ** 0.5, -1) @ v
return torch.vmap(one)(grouped, keys, values).reshape(-1)
## wrong even-mean: mean of the values of a group
r = len(queries) // len(keys)
return values.mean(dim=1).repeat_interleave(r, dim=0).flatten()
## wrong all-groups-for-all: all groups' keys for all heads
k, v = keys.flatten(0, 1), values.flatten(0, 1)
weights = (queries @ k.T / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v).flatten()
## wrong groups-averaged: keys averaged over the groups
k, v = keys.mean(dim=0), values.mean(dim=0)
weights = (queries @ k.T / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v).flatten()
## wrong place-axis: mean over the heads of a group
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
weights = (queries[:, None] @ k.mT / queries.shape[-1] ** 0.5).softmax(dim=-1)
return (weights @ v).mean(dim=0).flatten()
## wrong best-key-only: argmax in place of softmax
r = len(queries) // len(keys)
k, v = keys.repeat_interleave(r, dim=0), values.repeat_interleave(r, dim=0)
best = (queries[:, None] @ k.mT)[:, 0].argmax(dim=-1)
return v[torch.arange(len(v)), best].flatten()
""",
    "chance_of_text(scores, ids, temperature, p)": """
## right: sort and gather
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = w.cumsum(dim=-1) - w
w = w.masked_fill(before >= p * (1 - 1e-9), 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].prod()
## right: row by row
chance = 1.0
for row, token in zip(scores, ids.tolist()):
    weights = (row / temperature).softmax(dim=0).tolist()
    order = sorted(range(len(weights)), key=lambda i: -weights[i])
    total, kept = 0.0, []
    for i in order:
        if total >= p - 1e-7:
            break
        kept.append(i)
        total += weights[i]
    chance *= weights[token] / total if token in kept else 0.0
return chance
## right: scatter back
weights = torch.softmax(scores / temperature, dim=1)
best, places = weights.sort(dim=1, descending=True)
keep = (best.cumsum(1) - best) < p * (1 - 1e-9)
kept = torch.zeros_like(weights).scatter(1, places, best * keep)
kept = kept / kept.sum(1, keepdim=True)
return kept.gather(1, ids[:, None]).prod().item()
## right: logs
weights = (scores.double() / temperature).softmax(dim=-1)
best, places = weights.sort(dim=-1, descending=True)
best = best.where(best.cumsum(-1) - best < p * (1 - 1e-9), 0)
rank = (places == ids[:, None]).int().argmax(-1, keepdim=True)
return (best.gather(-1, rank).squeeze(-1).log() - best.sum(-1).log()).sum().exp()
## right: what the better ones have
weights = (scores / temperature).softmax(dim=-1)
total = torch.tensor(1.0)
for w, i in zip(weights, ids):
    if w[w > w[i]].sum() >= p * (1 - 1e-6):
        return torch.tensor(0.0)
    best = w.sort(descending=True).values
    n = int((best.cumsum(0) - best < p * (1 - 1e-9)).sum())
    total = total * w[i] / best[:n].sum()
return total
## right: reduce over rows
from functools import reduce
def chance(row, i):
    w = (row / temperature).softmax(0)
    best, order = w.sort(descending=True)
    n = int((best.cumsum(0) - best < p * (1 - 1e-9)).sum())
    return (w[i] / best[:n].sum()).item() if int(i) in order[:n].tolist() else 0.0
return reduce(lambda a, b: a * b, (chance(row, i) for row, i in zip(scores, ids)), 1.0)
## wrong nothing-left-out: no top-p
w = (scores / temperature).softmax(dim=-1)
return w[range(len(ids)), ids].prod()
## wrong not-shared: not shared 1 again
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
return w[order == ids[:, None]].prod()
## wrong sum: sum for product
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].sum()
## wrong mean: mean for product
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].mean()
## wrong crossing-left-out: token that crosses left out
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) > p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].prod()
## wrong times-temperature: temperature multiplied
w, order = (scores * temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].prod()
## wrong no-temperature: temperature forgotten
w, order = scores.softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].prod()
## wrong each-place: chance of each token
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]]
## wrong sorted-read-by-id: sorted places read with ids
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[range(len(ids)), ids].prod()
## wrong logarithm: log returned
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].log().sum()
## wrong over-the-places: softmax over the places
w, order = (scores / temperature).softmax(dim=0).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].prod()
## wrong left-out-skipped: left-out tokens skipped
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
chances = w[order == ids[:, None]]
return chances[chances > 0].prod()
## wrong shared-by-all-rows: shared by all rows' sum
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum()
return w[order == ids[:, None]].prod()
## wrong unlikely-first: smallest first
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].prod()
## wrong above-p: tokens of at least p
w = (scores / temperature).softmax(dim=-1)
w = w.masked_fill(w < p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[range(len(ids)), ids].prod()
## wrong geometric-mean: root: geometric mean
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].prod() ** (1 / len(ids))
## wrong softmax-twice: softmax twice
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0).softmax(dim=-1)
return w[order == ids[:, None]].prod()
## wrong next-place: shift by one
w, order = (scores[:-1] / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[1:, None]].prod()
## wrong all-rows-all-ids: all rows, all ids
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = torch.zeros_like(w).scatter(1, order, w.masked_fill(w.cumsum(dim=-1) - w >= p, 0))
w = w / w.sum(dim=-1, keepdim=True)
return w[:, ids].prod()
## wrong return-in-loop: return inside the loop
chance = 1.0
for row, token in zip(scores, ids.tolist()):
    w, order = (row / temperature).softmax(dim=0).sort(descending=True)
    w = w.masked_fill(w.cumsum(dim=0) - w >= p, 0)
    chance *= (w[order == token] / w.sum()).item()
    return chance
## wrong only-the-last: = for *=
chance = 1.0
for row, token in zip(scores, ids.tolist()):
    w, order = (row / temperature).softmax(dim=0).sort(descending=True)
    w = w.masked_fill(w.cumsum(dim=0) - w >= p, 0)
    chance = (w[order == token] / w.sum()).item()
return chance
## wrong p-first: temperature after top-p
w, order = scores.softmax(dim=-1).sort(dim=-1, descending=True)
left_out = w.cumsum(dim=-1) - w >= p
s = scores.gather(-1, order).masked_fill(left_out, -torch.inf)
return (s / temperature).softmax(dim=-1)[order == ids[:, None]].prod()
## wrong from-0: starts from 0
chance = 0.0
for row, token in zip(scores, ids.tolist()):
    w, order = (row / temperature).softmax(dim=0).sort(descending=True)
    w = w.masked_fill(w.cumsum(dim=0) - w >= p, 0)
    chance *= (w[order == token] / w.sum()).item()
return chance
## right: rank of the token decides
weights = (scores / temperature).softmax(-1)
own = weights.gather(1, ids[:, None])
better = (weights * (weights > own)).sum(1)
ordered = weights.sort(1, descending=True).values
n_kept = ((ordered.cumsum(1) - ordered) < p * (1 - 1e-6)).sum(1, keepdim=True)
total = ordered.cumsum(1).gather(1, n_kept - 1)[:, 0]
return torch.where(better < p * (1 - 1e-6), own[:, 0] / total, 0.0).prod()
## wrong unforeseen: p applied to the whole text
w = (scores / temperature).softmax(dim=-1)[range(len(ids)), ids].prod()
return w if w >= 1 - p else torch.tensor(0.0)
## wrong place-function: smallest chance of all
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
w = w.masked_fill(w.cumsum(dim=-1) - w >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].min()
## wrong top-k: top-k with k from p
k = max(1, int(p * scores.shape[-1]))
s = scores / temperature
cut = s.topk(k, dim=-1).values[:, -1:]
w = s.masked_fill(s < cut, -torch.inf).softmax(dim=-1)
return w[range(len(ids)), ids].prod()
## wrong place-too-much: one token more kept
w, order = (scores / temperature).softmax(dim=-1).sort(dim=-1, descending=True)
before = torch.cat([torch.zeros(len(w), 1), (w.cumsum(dim=-1) - w)[:, :-1]], dim=-1)
w = w.masked_fill(before >= p, 0)
w = w / w.sum(dim=-1, keepdim=True)
return w[order == ids[:, None]].prod()
## wrong unused: the likeliest token's chance at each place
w = (scores / temperature).softmax(dim=-1)
return w.amax(dim=-1).prod()
""",
}
