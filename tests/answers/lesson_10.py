"""Lesson 10: the place behind the noise, places behind padding, and rotary scores."""

NOTEBOOK = """
import math

import torch

def sinusoidal_positions(n, d_model):
    slowness = 10_000 ** (torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(n)[:, None] / slowness
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)

def rotate(x):
    n, d_k = x.shape[-2:]
    angles = torch.arange(n)[:, None] / 10_000 ** (torch.arange(0, d_k, 2) / d_k)
    sine, cosine = angles.sin(), angles.cos()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cosine + b * sine, b * cosine - a * sine], dim=-1).flatten(-2)
positions = sinusoidal_positions(60, 32)
"""

ANSWERS = {
    "which_place(places, vectors)": """
## right: largest product
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors @ table.T).argmax(dim=-1)]
## right: nearest by cdist
table = sinusoidal_positions(places.max().item() + 1, vectors.shape[1])[places]
return places[torch.cdist(vectors.float(), table).argmin(dim=1)]
## right: loops
d = vectors.shape[-1]
found = []
for vector in vectors:
    best, best_distance = None, float("inf")
    for place in places.tolist():
        row = torch.tensor([f(place / 10_000 ** (2 * i / d)) for i in range(d // 2) for f in (math.sin, math.cos)])
        distance = ((vector - row) ** 2).sum().item()
        if distance < best_distance:
            best, best_distance = place, distance
    found.append(best)
return torch.tensor(found)
## right: angles of the places alone
d = vectors.shape[-1]
slowness = 10_000 ** (torch.arange(0, d, 2) / d)
angles = places[:, None] / slowness
table = torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)
return places[(vectors[:, None] - table).norm(dim=-1).argmin(dim=-1)]
## right: einsum and cosine similarity
table = sinusoidal_positions(1 + max(places.tolist()), vectors.size(-1))[places]
alike = torch.einsum("nd,pd->np", vectors, table) / vectors.norm(dim=-1, keepdim=True)
return places.gather(0, alike.max(dim=-1).indices)
## right: sum of absolute differences
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return torch.stack([places[(table - v).abs().sum(dim=-1).argmin()] for v in vectors])
## wrong row-not-place: index instead of place
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return (vectors @ table.T).argmax(dim=-1)
## wrong all-places: all places, not the given ones
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])
return (vectors @ table.T).argmax(dim=-1)
## wrong first-hand-only: only the first hand
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors[:, :2] @ table[:, :2].T).argmax(dim=-1)]
## wrong farthest: farthest instead of nearest
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[torch.cdist(vectors, table).argmax(dim=-1)]
## wrong farthest: smallest product
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors @ table.T).argmin(dim=-1)]
## wrong places-over-vectors: argmax over the wrong axis
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors @ table.T).argmax(dim=0)]
## wrong one-for-all: argmax without dim
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors @ table.T).argmax()]
## wrong pair: max(dim) is a pair
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors @ table.T).max(dim=-1)]
## wrong not-the-place: similarity returned, not place
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return (vectors @ table.T).max(dim=-1).values
## wrong rows-counted: rows counted from 0, not places
table = sinusoidal_positions(len(places), vectors.shape[-1])
return places[(vectors @ table.T).argmax(dim=-1)]
## wrong notebook-variable: notebook table instead of own
return places[(vectors @ positions[places].T).argmax(dim=-1)]
## wrong table-too-short: table one row short
table = sinusoidal_positions(int(places.max()), vectors.shape[-1])[places]
return places[(vectors @ table.T).argmax(dim=-1)]
## wrong return-in-loop: return inside the loop
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
found = []
for v in vectors:
    found.append(places[(table @ v).argmax()])
    return torch.stack(found)
## wrong no-return: forgotten return
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
found = places[(vectors @ table.T).argmax(dim=-1)]
## wrong exact-only: exact equality
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors[:, None] == table).all(dim=-1).int().argmax(dim=-1)]
## wrong not-interleaved: sines and cosines in halves
d = vectors.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
table = torch.cat([angles.sin(), angles.cos()], dim=-1)
return places[(vectors @ table.T).argmax(dim=-1)]
## wrong signs-cancel: difference summed with sign
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors[:, None] - table).sum(dim=-1).argmin(dim=-1)]
## wrong floats: float places
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors @ table.T).argmax(dim=-1)].float()
## right: angle of each hand by atan2
d = vectors.shape[-1]
slowness = 10_000 ** (torch.arange(0, d, 2) / d)
seen = torch.atan2(vectors[:, 0::2], vectors[:, 1::2])
gap = seen[:, None, :] - places[None, :, None] / slowness
return places[(1 - gap.cos()).sum(-1).argmin(-1)]
## wrong unknown-name: typo in a name
table = sinusoidal_postions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors @ table.T).argmax(dim=-1)]
## wrong slow-hand-only: slow hands only
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors[:, -2:] @ table[:, -2:].T).argmax(dim=-1)]
## wrong unused: the place rounded from the first hand's angle
return torch.atan2(vectors[:, 0], vectors[:, 1]).round().long()
## wrong cosines-only: cosines only
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors[:, 1::2] @ table[:, 1::2].T).argmax(dim=-1)]
## wrong index-too-large: distance over the wrong axis
table = sinusoidal_positions(int(places.max()) + 1, vectors.shape[-1])[places]
return places[(vectors[:, None] - table).square().sum(dim=1).argmin(dim=-1)]
""",
    "embed_padded(ids, pad, table, positions)": """
## right: cumsum
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
x = table[ids] * table.shape[-1] ** 0.5 + positions[place]
return x * real[..., None]
## right: loops
out = torch.zeros(*ids.shape, table.shape[1])
for b in range(len(ids)):
    place = 0
    for i, word in enumerate(ids[b].tolist()):
        if word != pad:
            out[b, i] = table[word] * math.sqrt(table.shape[1]) + positions[place]
            place += 1
return out
## right: count padding, shift
n = ids.shape[1]
start = (ids == pad).sum(dim=1, keepdim=True)
place = torch.arange(n) - start
x = torch.nn.functional.embedding(ids, table) * table.size(-1) ** 0.5
x = x + positions[place.clamp(min=0)]
return x.masked_fill((ids == pad).unsqueeze(-1), 0)
## right: row by row with cat
rows = []
for row in ids:
    words = row[row != pad]
    x = table[words] * table.shape[-1] ** 0.5 + positions[: len(words)]
    rows.append(torch.cat([torch.zeros(len(row) - len(words), table.shape[-1]), x]))
return torch.stack(rows)
## right: torch.where
is_word = ids.ne(pad)
place = is_word.long().cumsum(1) - is_word.long()
x = math.sqrt(table.shape[1]) * table[ids] + positions[place]
return torch.where(is_word[:, :, None], x, 0.0)
## right: boolean assignment
real = ids != pad
place = real.cumsum(-1)[real] - 1
out = torch.zeros(ids.shape + table.shape[-1:], dtype=table.dtype)
out[real] = table[ids[real]] * table.shape[-1] ** 0.5 + positions[place]
return out
## wrong places-of-columns: places from the column
x = table[ids] * table.shape[-1] ** 0.5 + positions[: ids.shape[1]]
return x * (ids != pad)[..., None]
## wrong padding-kept: padding keeps its vector
place = ((ids != pad).cumsum(dim=-1) - 1).clamp(min=0)
return table[ids] * table.shape[-1] ** 0.5 + positions[place]
## wrong one-too-far: places start at 1
real = ids != pad
return (table[ids] * table.shape[-1] ** 0.5 + positions[real.cumsum(dim=-1)]) * real[..., None]
## wrong not-scaled: root forgotten
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] + positions[place]) * real[..., None]
## wrong sum-scaled: root for positions too
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] + positions[place]) * table.shape[-1] ** 0.5 * real[..., None]
## wrong power-first: d ** 1/2
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] * table.shape[-1] ** 1/2 + positions[place]) * real[..., None]
## wrong root-of-vocabulary: root of the vocabulary size
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] * len(table) ** 0.5 + positions[place]) * real[..., None]
## wrong pad-is-0: padding is taken to be 0
real = ids != 0
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] * table.shape[-1] ** 0.5 + positions[place]) * real[..., None]
## wrong multiplied: position times, not plus
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return table[ids] * table.shape[-1] ** 0.5 * positions[place] * real[..., None]
## wrong divided: divided by the root
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] / table.shape[-1] ** 0.5 + positions[place]) * real[..., None]
## wrong only-the-word-is-zero: zero only the word, position stays
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return table[ids] * table.shape[-1] ** 0.5 * real[..., None] + positions[place]
## wrong counted-over-texts: cumsum over the batch
real = ids != pad
place = (real.cumsum(dim=0) - 1).clamp(min=0)
return (table[ids] * table.shape[-1] ** 0.5 + positions[place]) * real[..., None]
## wrong sizes-differ: notebook positions
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] * table.shape[-1] ** 0.5 + sinusoidal_positions(60, 32)[place]) * real[..., None]
## wrong one-text-for-all: padding of the first text for all
start = (ids[0] == pad).sum()
place = (torch.arange(ids.shape[1]) - start).clamp(min=0)
return (table[ids] * table.shape[-1] ** 0.5 + positions[place]) * (ids != pad)[..., None]
## wrong words-and-padding-exchanged: padding and words exchanged
real = ids == pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] * table.shape[-1] ** 0.5 + positions[place]) * real[..., None]
## wrong sizes-differ: mask without last axis
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] * table.shape[-1] ** 0.5 + positions[place]) * real
## wrong from-the-end: places counted from the end
real = ids != pad
place = real.flip(-1).cumsum(dim=-1).flip(-1) - 1
return (table[ids] * table.shape[-1] ** 0.5 + positions[place.clamp(min=0)]) * real[..., None]
## wrong in-place: table changed in place
table *= table.shape[-1] ** 0.5
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] + positions[place]) * real[..., None]
## wrong return-in-loop: return in the loop
out = torch.zeros(*ids.shape, table.shape[1])
for b in range(len(ids)):
    place = 0
    for i, word in enumerate(ids[b].tolist()):
        if word != pad:
            out[b, i] = table[word] * table.shape[1] ** 0.5 + positions[place]
            place += 1
    return out
## wrong not-set-back: place never reset between texts
out = torch.zeros(*ids.shape, table.shape[1])
place = 0
for b in range(len(ids)):
    for i, word in enumerate(ids[b].tolist()):
        if word != pad:
            out[b, i] = table[word] * table.shape[1] ** 0.5 + positions[place % len(positions)]
            place += 1
return out
## right: roll each text
n, d = ids.shape[1], table.shape[1]
rows = []
for row in ids:
    start = int((row == pad).sum())
    rolled = positions[:n].roll(start, dims=0)
    rolled = torch.where(torch.arange(n)[:, None] < start, 0.0, rolled + table[row] * d**0.5)
    rows.append(rolled)
return torch.stack(rows)
## wrong padding-behind: padding taken to stand behind
n_words = (ids != pad).sum(dim=1, keepdim=True)
keep = torch.arange(ids.shape[1]) < n_words
x = table[ids] * table.shape[-1] ** 0.5 + positions[: ids.shape[1]]
return x * keep[..., None]
## wrong other-places: words moved to the front
out = torch.zeros(*ids.shape, table.shape[1])
for b, row in enumerate(ids):
    words = row[row != pad]
    out[b, : len(words)] = table[words] * table.shape[1] ** 0.5 + positions[: len(words)]
return out
## wrong place-one-off: place by subtracting one too few, wraps round
real = ids != pad
place = torch.arange(ids.shape[1]) - (~real).sum(-1, keepdim=True) - 1
return (table[ids] * table.shape[-1] ** 0.5 + positions[place]) * real[..., None]
## wrong padding-without-place: padding loses only its position
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return table[ids] * table.shape[-1] ** 0.5 + torch.where(real[..., None], positions[place], 0.0)
## wrong place-name: root of the number of tokens
real = ids != pad
place = (real.cumsum(dim=-1) - 1).clamp(min=0)
return (table[ids] * ids.shape[1] ** 0.5 + positions[place]) * real[..., None]
""",
    "rotary_scores(places, queries, keys)": """
## right: angles of the places
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
q = turn(queries, angles[len(keys) - len(queries):])
return q @ turn(keys, angles).T / d ** 0.5
## right: rotate a long table
d = keys.shape[-1]
n = int(places[-1]) + 1
long_k = torch.zeros(n, d)
long_k[places] = keys.float()
long_q = torch.zeros(n, d)
q_places = places[-len(queries):]
long_q[q_places] = queries.float()
return rotate(long_q)[q_places] @ rotate(long_k)[places].T / math.sqrt(d)
## right: complex numbers
d = keys.shape[1]
speeds = 10_000.0 ** (-torch.arange(0, d, 2) / d)
hands = torch.polar(torch.ones(len(places), d // 2), -places[:, None] * speeds)
q = torch.view_as_complex(queries.float().unflatten(-1, (-1, 2)).contiguous()) * hands[len(places) - len(queries):]
k = torch.view_as_complex(keys.float().unflatten(-1, (-1, 2)).contiguous()) * hands
return (q @ k.conj().T).real / d ** 0.5
## right: loops
n_q, d = queries.shape
out = torch.zeros(n_q, len(keys))
for i in range(n_q):
    for j in range(len(keys)):
        gap = (places[len(keys) - n_q + i] - places[j]).item()
        for h in range(0, d, 2):
            angle = gap / 10_000 ** (h / d)
            a, b = queries[i, h], queries[i, h + 1]
            turned = (a * math.cos(angle) + b * math.sin(angle), b * math.cos(angle) - a * math.sin(angle))
            out[i, j] += turned[0] * keys[j, h] + turned[1] * keys[j, h + 1]
return out / d ** 0.5
## right: rotate one by one
def at(x, place):
    return rotate(x.expand(int(place) + 1, -1))[-1]
k = torch.stack([at(key, p) for key, p in zip(keys, places)])
q = torch.stack([at(query, p) for query, p in zip(queries, places[-len(queries):])])
return (q @ k.mT) / k.shape[-1] ** 0.5
## right: block matrices
d = keys.shape[-1]
slowness = 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, place):
    return torch.block_diag(*[torch.tensor([[a.cos(), a.sin()], [-a.sin(), a.cos()]]) for a in place / slowness]) @ x
q = torch.stack([turn(x, p) for x, p in zip(queries, places[len(places) - len(queries):])])
k = torch.stack([turn(x, p) for x, p in zip(keys, places)])
return torch.einsum("qd,kd->qk", q, k) / d ** 0.5
## wrong first-queries: query places from 0
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[:len(queries)]) @ turn(keys, angles).T / d ** 0.5
## wrong rows-from-0: places ignored, rotate by row
return rotate(queries) @ rotate(keys).T / keys.shape[-1] ** 0.5
## wrong not-turned: no turn at all
return queries @ keys.T / keys.shape[-1] ** 0.5
## wrong not-scaled: root forgotten
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T
## wrong only-keys: only the keys turned
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
a, b = keys[:, 0::2], keys[:, 1::2]
k = torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return queries @ k.T / d ** 0.5
## wrong only-queries: only the queries turned
d = keys.shape[-1]
angles = places[-len(queries):, None] / 10_000 ** (torch.arange(0, d, 2) / d)
a, b = queries[:, 0::2], queries[:, 1::2]
q = torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return q @ keys.T / d ** 0.5
## wrong opposite-ways: queries and keys turned opposite ways
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, -angles).T / d ** 0.5
## wrong halves: halves as pairs
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong rows-instead-of-places: gaps closed, rows counted
d = keys.shape[-1]
at = torch.arange(len(keys))
angles = at[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong power-first: d ** 1/2
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 1/2
## wrong one-angle-for-all-pairs: all hands of one speed
d = keys.shape[-1]
angles = places[:, None] * torch.ones(d // 2)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong exponent-not-doubled: speeds by i / d, not 2i / d
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(d // 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong plus-in-both: plus instead of minus in the turn
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong weights: softmax already taken
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return (turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5).softmax(dim=-1)
## wrong keys-as-rows: keys by queries
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(keys, angles) @ turn(queries, angles[-len(queries):]).T / d ** 0.5
## wrong times-slowness: multiplied by slowness
d = keys.shape[-1]
angles = places[:, None] * 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong root-of-pairs: root of the number of pairs
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.cat([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / (d // 2) ** 0.5
## wrong overwritten: first of a pair overwritten
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    x = x.clone()
    x[:, 0::2] = x[:, 0::2] * angles.cos() + x[:, 1::2] * angles.sin()
    x[:, 1::2] = x[:, 1::2] * angles.cos() - x[:, 0::2] * angles.sin()
    return x
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong added: positions added instead of turned
d = keys.shape[-1]
table = sinusoidal_positions(int(places.max()) + 1, d)[places]
return (queries + table[-len(queries):]) @ (keys + table).T / d ** 0.5
## wrong one-place-back: query places from key zero off by one
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
start = len(keys) - len(queries) - 1
return turn(queries, angles[start:start + len(queries)]) @ turn(keys, angles).T / d ** 0.5
## right: distance matrix per pair
d = keys.shape[1]
gap = (places[-len(queries):, None] - places).to(queries.dtype)
total = 0
for h in range(d // 2):
    angle = gap / 10_000 ** (2 * h / d)
    q, k = queries[:, 2 * h : 2 * h + 2], keys[:, 2 * h : 2 * h + 2]
    dot = q @ k.T
    cross = q[:, :1] @ k[:, 1:].T - q[:, 1:] @ k[:, :1].T
    total = total + dot * angle.cos() - cross * angle.sin()
return total / d**0.5
## wrong wrong-direction: against the clock, as in libraries
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong no-sine: the cosine of the distance alone
d = keys.shape[1]
gap = (places[-len(queries):, None] - places).to(queries.dtype)
total = 0
for h in range(d // 2):
    angle = gap / 10_000 ** (2 * h / d)
    q, k = queries[:, 2 * h : 2 * h + 2], keys[:, 2 * h : 2 * h + 2]
    total = total + (q @ k.T) * angle.cos()
return total / d**0.5
## wrong base-1000: base 1000
d = keys.shape[-1]
angles = places[:, None] / 1_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong place-too-much: degrees for radians
d = keys.shape[-1]
angles = torch.deg2rad(places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d))
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
## wrong factors: root of the number of keys
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
return turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / len(keys) ** 0.5
## wrong place-too-much: causal mask added
d = keys.shape[-1]
angles = places[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
def turn(x, angles):
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], -1).flatten(-2)
s = turn(queries, angles[-len(queries):]) @ turn(keys, angles).T / d ** 0.5
return s.masked_fill(torch.ones_like(s).triu(1 + len(keys) - len(queries)).bool(), -torch.inf)
""",
}
