"""Lesson 15: states merged, weights made again, and how long a text fits."""

NOTEBOOK = """
import math

import torch

def attention_in_blocks(query, key, value, size):
    largest = torch.full((len(query), 1), -torch.inf, dtype=query.dtype)
    total = output = 0.0
    for key_block, value_block in zip(key.split(size), value.split(size), strict=True):
        scores = query @ key_block.T / query.shape[-1] ** 0.5
        before, largest = largest, torch.maximum(largest, scores.amax(dim=-1, keepdim=True))
        shrink, positive = (before - largest).exp(), (scores - largest).exp()
        total = total * shrink + positive.sum(dim=-1, keepdim=True)
        output = output * shrink + positive @ value_block
    return output / total
"""

ANSWERS = {
    "merge_states(largest_a, total_a, output_a, largest_b, total_b, output_b)": """
## right: maximum, two shrinks
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## right: where
largest = torch.where(largest_a > largest_b, largest_a, largest_b)
shrink_a = torch.exp(largest_a - largest)
shrink_b = torch.exp(largest_b - largest)
total = shrink_a * total_a + shrink_b * total_b
output = shrink_a * output_a + shrink_b * output_b
return largest, total, output
## right: rows in a loop, list
rows = []
for i in range(len(largest_a)):
    top = max(largest_a[i].item(), largest_b[i].item())
    a, b = math.exp(largest_a[i].item() - top), math.exp(largest_b[i].item() - top)
    rows.append((top, a * total_a[i] + b * total_b[i], a * output_a[i] + b * output_b[i]))
largest = torch.tensor([[row[0]] for row in rows], dtype=largest_a.dtype)
return [largest, torch.stack([row[1] for row in rows]), torch.stack([row[2] for row in rows])]
## right: stacked
tops = torch.stack([largest_a, largest_b])
largest = tops.max(dim=0).values
shrink = (tops - largest).exp()
total = (shrink * torch.stack([total_a, total_b])).sum(dim=0)
return largest, total, (shrink * torch.stack([output_a, output_b])).sum(dim=0)
## right: cat along columns
largest = torch.cat([largest_a, largest_b], dim=1).amax(dim=1, keepdim=True)
a, b = torch.exp(largest_a - largest), torch.exp(largest_b - largest)
return largest, a * total_a + b * total_b, a * output_a + b * output_b
## right: logaddexp-free einsum
largest = largest_a.max(largest_b)
f = torch.cat([largest_a - largest, largest_b - largest], dim=1).exp()
total = torch.einsum("ns,ns->n", f, torch.cat([total_a, total_b], dim=1))[:, None]
output = torch.einsum("ns,nsd->nd", f, torch.stack([output_a, output_b], dim=1))
return largest, total, output
## wrong added: just added
return torch.maximum(largest_a, largest_b), total_a + total_b, output_a + output_b
## wrong only-total: output not shrunk
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * a + total_b * b, output_a + output_b
## wrong only-outputs: total not shrunk
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a + total_b, output_a * a + output_b * b
## wrong grown: sign of the exponent
largest = torch.maximum(largest_a, largest_b)
a, b = (largest - largest_a).exp(), (largest - largest_b).exp()
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## wrong second-not: only a shrinks
largest = torch.maximum(largest_a, largest_b)
a = (largest_a - largest).exp()
return largest, total_a * a + total_b, output_a * a + output_b
## wrong first-not: only b shrinks
largest = torch.maximum(largest_a, largest_b)
b = (largest_b - largest).exp()
return largest, total_a + total_b * b, output_a + output_b * b
## wrong divided: output divided already
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
total = total_a * a + total_b * b
return largest, total, (output_a * a + output_b * b) / total
## wrong one-for-all: one largest of all rows
largest = torch.maximum(largest_a.max(), largest_b.max()).expand_as(largest_a)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## wrong smaller: minimum
largest = torch.minimum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## wrong no-exp: exp forgotten
largest = torch.maximum(largest_a, largest_b)
a, b = largest_a - largest, largest_b - largest
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## wrong overflow: bare exp, no largest subtracted
largest = torch.maximum(largest_a, largest_b)
a, b = largest_a.exp() / largest.exp(), largest_b.exp() / largest.exp()
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## wrong exchanged: shrinks exchanged
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * b + total_b * a, output_a * b + output_b * a
## wrong one-comparison: python max on tensors
largest = max(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## wrong one-comparison: if on a tensor
if largest_a > largest_b:
    shrink = (largest_b - largest_a).exp()
    return largest_a, total_a + total_b * shrink, output_a + output_b * shrink
shrink = (largest_a - largest_b).exp()
return largest_b, total_a * shrink + total_b, output_a * shrink + output_b
## wrong second-is-larger: b larger by assumption
shrink = (largest_a - largest_b).exp()
return largest_b, total_a * shrink + total_b, output_a * shrink + output_b
## wrong sum-of-the-largest: largest added
largest = largest_a + largest_b
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## wrong times-totals: weighted with the totals
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * a + total_b * b, output_a * total_a * a + output_b * total_b * b
## wrong order: order of results
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return output_a * a + output_b * b, total_a * a + total_b * b, largest
## wrong type: output only
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return output_a * a + output_b * b
## wrong shape-lost: shape lost
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest.squeeze(-1), (total_a * a + total_b * b).squeeze(-1), output_a * a + output_b * b
## wrong means: mean of both
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, (total_a * a + total_b * b) / 2, (output_a * a + output_b * b) / 2
## wrong pair: max(dim) is a pair
largest = torch.cat([largest_a, largest_b], dim=1).max(dim=1, keepdim=True)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## wrong in-place: shrunk in place
largest = torch.maximum(largest_a, largest_b)
total_a *= (largest_a - largest).exp()
output_a *= (largest_a - largest).exp()
b = (largest_b - largest).exp()
return largest, total_a + total_b * b, output_a + output_b * b
## right: logaddexp
largest = torch.maximum(largest_a, largest_b)
log_total = torch.logaddexp(largest_a + total_a.log(), largest_b + total_b.log())
output = output_a * torch.exp(largest_a - largest) + output_b * torch.exp(largest_b - largest)
return largest, (log_total - largest).exp(), output
## wrong divided: weighted mean of outputs
largest = torch.maximum(largest_a, largest_b)
a, b = total_a * (largest_a - largest).exp(), total_b * (largest_b - largest).exp()
return largest, a + b, (output_a / total_a * a + output_b / total_b * b) / (a + b)
## wrong ratio-of-scores: divided by the larger score
largest = torch.maximum(largest_a, largest_b)
a, b = largest_a / largest, largest_b / largest
return largest, total_a * a + total_b * b, output_a * a + output_b * b
## wrong winner-takes-all: picks the winner
wins = largest_a > largest_b
return (torch.where(wins, largest_a, largest_b), torch.where(wins, total_a, total_b),
        torch.where(wins, output_a, output_b))
## wrong unused: total from the largest's sum
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, a + b, output_a * a + output_b * b
## wrong divided-before: output of the quotient
largest = torch.maximum(largest_a, largest_b)
a, b = (largest_a - largest).exp(), (largest_b - largest).exp()
return largest, total_a * a + total_b * b, output_a / total_a * a + output_b / total_b * b
""",
    "weights_again(query, key_block, largest, total)": """
## right: plain
scores = query @ key_block.T / query.shape[-1] ** 0.5
return (scores - largest).exp() / total
## right: einsum
scores = torch.einsum("nd,bd->nb", query, key_block) / math.sqrt(query.size(1))
return torch.exp(scores - largest) / total
## right: loop
n, b = len(query), len(key_block)
out = torch.zeros(n, b, dtype=query.dtype)
for i in range(n):
    for j in range(b):
        score = (query[i] * key_block[j]).sum() / query.shape[1] ** 0.5
        out[i, j] = torch.exp(score - largest[i, 0]) / total[i, 0]
return out
## right: log of the total
scores = query.matmul(key_block.mT).div(query.shape[-1] ** 0.5)
return (scores - (largest + total.log())).exp()
## right: scaled query
return ((query / key_block.shape[1] ** 0.5) @ key_block.transpose(0, 1) - largest).exp().div(total)
## right: numpy
import numpy as np
q, k = query.detach().numpy(), key_block.detach().numpy()
scores = q @ k.T / np.sqrt(q.shape[1])
return torch.from_numpy(np.exp(scores - largest.detach().numpy()) / total.detach().numpy())
## wrong softmax: softmax of the block
return (query @ key_block.T / query.shape[-1] ** 0.5).softmax(dim=-1)
## wrong softmax: own sum of the block
positive = (query @ key_block.T / query.shape[-1] ** 0.5 - largest).exp()
return positive / positive.sum(dim=-1, keepdim=True)
## wrong largest-forgotten: largest not subtracted
return (query @ key_block.T / query.shape[-1] ** 0.5).exp() / total
## wrong not-divided: total not divided
return (query @ key_block.T / query.shape[-1] ** 0.5 - largest).exp()
## wrong not-scaled: root forgotten
return (query @ key_block.T - largest).exp() / total
## wrong largest-scaled: subtracted before the root
return ((query @ key_block.T - largest) / query.shape[-1] ** 0.5).exp() / total
## wrong own-largest: own maximum of the block
scores = query @ key_block.T / query.shape[-1] ** 0.5
return (scores - scores.amax(dim=-1, keepdim=True)).exp() / total
## wrong times-total: multiplied by the total
return (query @ key_block.T / query.shape[-1] ** 0.5 - largest).exp() * total
## wrong no-exp: exp forgotten
return (query @ key_block.T / query.shape[-1] ** 0.5 - largest) / total
## wrong sign: sign
return (largest - query @ key_block.T / query.shape[-1] ** 0.5).exp() / total
## wrong power-first: d ** 1/2
return (query @ key_block.T / query.shape[-1] ** 1/2 - largest).exp() / total
## wrong root-of-the-block: root of block size
return (query @ key_block.T / len(key_block) ** 0.5 - largest).exp() / total
## wrong root-of-the-queries: root of number of queries
return (query @ key_block.T / len(query) ** 0.5 - largest).exp() / total
## wrong divided-inside: divided inside the exp
return ((query @ key_block.T / query.shape[-1] ** 0.5 - largest) / total).exp()
## wrong one-largest: largest of all rows
return (query @ key_block.T / query.shape[-1] ** 0.5 - largest.max()).exp() / total
## wrong transposed: transposed result
return ((query @ key_block.T / query.shape[-1] ** 0.5 - largest).exp() / total).T
## wrong total-subtracted: total subtracted
return (query @ key_block.T / query.shape[-1] ** 0.5 - largest).exp() - total
## wrong total-inside: log total missing
return (query @ key_block.T / query.shape[-1] ** 0.5 - largest - total).exp()
## wrong largest-added: largest added
return (query @ key_block.T / query.shape[-1] ** 0.5 + largest).exp() / total
## wrong softmax-and-total: softmax after subtracting
return (query @ key_block.T / query.shape[-1] ** 0.5 - largest).softmax(dim=-1) / total
## wrong sizes-do-not-meet: no transpose
return (query @ key_block / query.shape[-1] ** 0.5 - largest).exp() / total
## wrong sizes-differ: largest and total squeezed
scores = query @ key_block.T / query.shape[-1] ** 0.5
return (scores - largest.squeeze()).exp() / total.squeeze()
## wrong no-return: forgotten return
scores = query @ key_block.T / query.shape[-1] ** 0.5
weights = (scores - largest).exp() / total
## wrong base-2: 2 to the power
return 2 ** (query @ key_block.T / query.shape[-1] ** 0.5 - largest) / total
## right: baddbmm with a scale
scores = torch.addmm(-largest.expand(-1, len(key_block)), query, key_block.T, alpha=query.shape[-1] ** -0.5)
return torch.exp(scores - total.log())
## wrong divided-by-d: scaled twice
scores = query / query.shape[-1] ** 0.5 @ key_block.T / key_block.shape[-1] ** 0.5
return (scores - largest).exp() / total
## wrong unused: total of the number of keys
scores = query @ key_block.T / query.shape[-1] ** 0.5
return (scores - largest).exp() / len(key_block)
## wrong place-too-much: scores minus largest never negative
scores = query @ key_block.T / query.shape[-1] ** 0.5
return (scores - largest).clamp(min=0).exp() / total
## wrong total-inside: total's exponential divided
scores = query @ key_block.T / query.shape[-1] ** 0.5
return (scores - largest).exp() / total.exp()
## wrong place-operation: largest divided in place of subtracted
scores = query @ key_block.T / query.shape[-1] ** 0.5
return (scores / largest).exp() / total
""",
    "longest_text(memory, parameters, n_layers, n_kv_heads, d_head, n_texts)": """
## right: plain
per_token = 2 * n_layers * n_kv_heads * d_head * 2
return (memory - parameters) // (per_token * n_texts)
## right: math.floor
return math.floor((memory - parameters) / (n_texts * n_layers * n_kv_heads * d_head * 4))
## right: while by steps
free = memory - parameters
free //= n_texts
for size in (n_layers, n_kv_heads, d_head, 2, 2):
    free //= size
return free
## right: int
bytes_per_token = n_layers * 2 * (n_kv_heads * d_head) * 2
left = memory - parameters
return int(left / n_texts / bytes_per_token)
## right: divmod
tokens, _ = divmod(memory - parameters, n_texts * 4 * n_layers * n_kv_heads * d_head)
return tokens
## right: never below zero
return max(0, (memory - parameters) // (4 * n_layers * n_kv_heads * d_head * n_texts))
## wrong keys-only: only keys
return (memory - parameters) // (2 * n_layers * n_kv_heads * d_head * n_texts)
## wrong parameters-forgotten: parameters not subtracted
return memory // (4 * n_layers * n_kv_heads * d_head * n_texts)
## wrong one-text: texts forgotten
return (memory - parameters) // (4 * n_layers * n_kv_heads * d_head)
## wrong one-layer: layers forgotten
return (memory - parameters) // (4 * n_kv_heads * d_head * n_texts)
## wrong one-head: heads forgotten
return (memory - parameters) // (4 * n_layers * d_head * n_texts)
## wrong fraction: not whole
return (memory - parameters) / (4 * n_layers * n_kv_heads * d_head * n_texts)
## wrong rounded-up: rounded up
return math.ceil((memory - parameters) / (4 * n_layers * n_kv_heads * d_head * n_texts))
## wrong rounded: rounded to nearest
return round((memory - parameters) / (4 * n_layers * n_kv_heads * d_head * n_texts))
## wrong keys-only: bytes forgotten
return (memory - parameters) // (2 * n_layers * n_kv_heads * d_head * n_texts)
## wrong no-brackets: precedence, not in brackets
return memory - parameters // (4 * n_layers * n_kv_heads * d_head * n_texts)
## wrong no-brackets-below: divided then multiplied
return (memory - parameters) // 4 * n_layers * n_kv_heads * d_head * n_texts
## wrong four-bytes: four bytes a number
return (memory - parameters) // (8 * n_layers * n_kv_heads * d_head * n_texts)
## wrong bits: bits for bytes
return (memory - parameters) * 8 // (4 * n_layers * n_kv_heads * d_head * n_texts)
## wrong parameters-of-two-bytes: parameters of 2 bytes
return (memory - 2 * parameters) // (4 * n_layers * n_kv_heads * d_head * n_texts)
## wrong all-texts-together: all texts together
return (memory - parameters) // (4 * n_layers * n_kv_heads * d_head * n_texts) * n_texts
## wrong texts-multiplied: texts multiplied
return (memory - parameters) * n_texts // (4 * n_layers * n_kv_heads * d_head)
## wrong d-head-squared: d_head squared
return (memory - parameters) // (4 * n_layers * n_kv_heads * d_head**2 * n_texts)
## wrong n-squared: root of the table
return int(((memory - parameters) / (4 * n_layers * n_kv_heads * d_head * n_texts)) ** 0.5)
## wrong parameters-of-each-text: parameters once per text
return (memory - parameters * n_texts) // (4 * n_layers * n_kv_heads * d_head * n_texts)
## wrong one-number-a-head: one number per head
return (memory - parameters) // (4 * n_layers * n_kv_heads * n_texts)
## right: float floor
return (memory - parameters) / (4 * n_layers * n_kv_heads * d_head * n_texts) // 1
## wrong one-less: one less for the next token
return (memory - parameters) // (4 * n_layers * n_kv_heads * d_head * n_texts) - 1
## wrong bytes-of-a-text: bytes returned
return (memory - parameters) // n_texts
## wrong unused: numbers of Llama written out
return (memory - parameters) // (131_072 * n_texts)
## right: search by bisection
low, high = 0, memory
while low < high:
    middle = (low + high + 1) // 2
    if parameters + 4 * n_layers * n_kv_heads * d_head * n_texts * middle <= memory:
        low = middle
    else:
        high = middle - 1
return low
## wrong place-one-off: counts up to the first that does not fit
per_token = 4 * n_layers * n_kv_heads * d_head * n_texts
return len(range(0, memory - parameters + 1, per_token))
## wrong place-too-much: parameters of each layer
return (memory - parameters * n_layers) // (4 * n_layers * n_kv_heads * d_head * n_texts)
## wrong place-too-much: scores counted, too
per_token = 4 * n_layers * n_kv_heads * d_head + 2 * n_kv_heads
return (memory - parameters) // (per_token * n_texts)
## wrong one-byte-keys-only: keys and values without bytes and half precision
return (memory - parameters) // (n_layers * n_kv_heads * d_head * n_texts)
## wrong constant: gigabytes
return (memory - parameters) // (4 * n_layers * n_kv_heads * d_head * n_texts) // 10**9
""",
}
