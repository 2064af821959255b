"""Lesson 2: a row by design, attention by request, and a value matrix."""

NOTEBOOK = '''
import torch
x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
features = torch.tensor([[1.0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
w_looks_for = torch.tensor([[0.0, 0, 1], [1, 0, 0], [1, 0, 0]])
looks_for = features @ w_looks_for
found = looks_for @ features.T
shares = found / found.sum(dim=-1, keepdim=True)
mixed = shares @ features
w_value = torch.tensor([[0.0, 0], [0, 0], [1, 0], [0, 1]])
d_model, wanted = 4, torch.tensor([0.75, 0.25, 0.0])
'''

ANSWERS = {
    "row_for_shares(wanted, features)": """
## right: divided by the counts
return wanted / features.sum(dim=0)
## right: a loop over kinds
row = torch.zeros(len(wanted), dtype=features.dtype)
for kind in range(len(wanted)):
    row[kind] = wanted[kind] / features[:, kind].sum()
return row
## right: counts by a loop over words
counts = torch.zeros_like(wanted)
for word in features:
    counts += word
return wanted / counts
## right: an einsum counts
return wanted / torch.einsum("nk->k", features)
## right: a product with ones
ones = torch.ones(features.shape[0], dtype=features.dtype)
return wanted / (ones @ features)
## right: a list comprehension, a tensor of it
return torch.stack([share / features[:, k].sum() for k, share in enumerate(wanted)])
## right: bincount
kinds = features.argmax(dim=1)
return wanted / torch.bincount(kinds, minlength=len(wanted))
## right: mean and n
return wanted / (features.mean(dim=0) * len(features))
## right: count of what is not 0
return wanted / (features != 0).sum(dim=0)
## wrong not-divided: not divided at all
return wanted
## wrong divided-by-all: divided by all words
return wanted / len(features)
## wrong sizes-differ: sum along the wrong axis
return wanted / features.sum(dim=-1)
## wrong multiplied: multiplied by the counts
return wanted * features.sum(dim=0)
## wrong of-the-kinds: divided by the number of kinds
return wanted / len(wanted)
## wrong divided-by-all: the sum of all features
return wanted / features.sum()
## wrong for-each-word: the fits in place of the row
return features @ (wanted / features.sum(dim=0))
## wrong scaled: made to sum to 1 as a row
row = wanted / features.sum(dim=0)
return row / row.sum()
## wrong place-exchanged: the counts upside down
return features.sum(dim=0) / wanted
## wrong place-function: mean in place of sum
return wanted / features.mean(dim=0)
## wrong sizes-differ: the notebook's features, with four words
features = torch.tensor([[1.0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
return wanted / features.sum(dim=0)
## wrong constant: the lesson's numbers written out
return torch.tensor([0.375, 0.25, 0.0])
## wrong unused: half for the nouns, written out
row = wanted.clone()
row[0] = wanted[0] / 2
return row
## wrong no-return: no return
row = wanted / features.sum(dim=0)
## wrong floor: whole number division
return wanted // features.sum(dim=0)
## wrong not-divided: a list comprehension without counts of its kind
return torch.stack([share / features[k].sum() for k, share in enumerate(wanted)])
## wrong extra-dimension: an axis too many
return wanted / features.sum(dim=0, keepdim=True)
## wrong return-in-loop: return inside the loop
row = torch.zeros(len(wanted))
for kind in range(len(wanted)):
    row[kind] = wanted[kind] / features[:, kind].sum()
    return row
## wrong in-place: changes wanted
wanted /= features.sum(dim=0)
return wanted
## wrong pair: counts of the kinds by max
return wanted / features.max(dim=0)
## wrong place-too-much: softmax of what is wanted
return torch.softmax(wanted, dim=0) / features.sum(dim=0)
## wrong on-each-word: a product of matrices
return wanted @ features.T
## right: solved as equations
per_word = features.sum(0)
return torch.linalg.solve(torch.diag(per_word), wanted)
## wrong place-one-off: counts without this word's own
return wanted / (features.sum(dim=0) - 1)
## wrong unforeseen: counts of all kinds together, as many as words of the first
return wanted / features[:, 0].sum()
## wrong integer: sums cast to whole numbers cut the share
return (wanted / features.sum(dim=0)).int()
""",
    "mix_by_request(features, w_looks_for)": """
## right: three lines
looks_for = features @ w_looks_for
fits = looks_for @ features.T
shares = fits / fits.sum(dim=-1, keepdim=True)
return shares @ features
## right: one line of einsum for fits
fits = torch.einsum("id,de,je->ij", features, w_looks_for, features)
return torch.einsum("ij,jd->id", fits / fits.sum(1, keepdim=True), features)
## right: loops over words
n, d = features.shape
result = torch.zeros(n, d, dtype=features.dtype)
for i in range(n):
    query = features[i] @ w_looks_for
    fits = torch.stack([query @ features[j] for j in range(n)])
    shares = fits / fits.sum()
    for j in range(n):
        result[i] = result[i] + shares[j] * features[j]
return result
## right: matmul
fits = torch.matmul(torch.matmul(features, w_looks_for), features.transpose(0, 1))
return torch.matmul(fits / fits.sum(-1)[:, None], features)
## right: divided at the end
fits = features @ w_looks_for @ features.mT
return (fits @ features) / fits.sum(dim=1, keepdim=True)
## right: normalize with p=1
fits = features @ w_looks_for @ features.T
return torch.nn.functional.normalize(fits, p=1, dim=-1) @ features
## right: rows stacked
looks_for = features.mm(w_looks_for)
rows = []
for q in looks_for:
    fit = features @ q
    rows.append((fit / fit.sum()) @ features)
return torch.stack(rows)
## wrong no-shares: not shared out
return features @ w_looks_for @ features.T @ features
## wrong softmax: softmax for shares
fits = features @ w_looks_for @ features.T
return torch.softmax(fits, dim=-1) @ features
## wrong wrong-axis: sums of the columns
fits = features @ w_looks_for @ features.T
return fits / fits.sum(dim=0, keepdim=True) @ features
## wrong not-kept: keepdim forgotten
fits = features @ w_looks_for @ features.T
shares = fits / fits.sum(dim=-1)
return shares @ features
## wrong over-everything: divided by the sum of all
fits = features @ w_looks_for @ features.T
return fits / fits.sum() @ features
## wrong by-resemblance: by resemblance, without w_looks_for
fits = features @ features.T
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong swapped: w_looks_for turned
fits = features @ w_looks_for.T @ features.T
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong requests-mixed: what is looked for is mixed
looks_for = features @ w_looks_for
fits = looks_for @ features.T
shares = fits / fits.sum(dim=-1, keepdim=True)
return shares @ looks_for
## wrong requests-with-requests: looks_for with looks_for
looks_for = features @ w_looks_for
fits = looks_for @ looks_for.T
shares = fits / fits.sum(dim=-1, keepdim=True)
return shares @ features
## wrong shares-only: the shares alone
fits = features @ w_looks_for @ features.T
return fits / fits.sum(dim=-1, keepdim=True)
## wrong notebook-variable: the notebook's shares
looks_for = features @ w_looks_for
found = looks_for @ features.T
return shares @ features
## wrong swapped: the table the other way round
fits = features @ (features @ w_looks_for).T
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong sizes-do-not-meet: the transpose of features forgotten
fits = features @ w_looks_for @ features
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong sizes-differ: times, not matrix product
fits = features * w_looks_for
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong step-missing: scaled by the root of d before shares, with softmax
d = features.shape[-1]
fits = features @ w_looks_for @ features.T / d**0.5
return fits.softmax(dim=-1) @ features
## wrong place-turned: shares turned when mixing
fits = features @ w_looks_for @ features.T
shares = fits / fits.sum(dim=-1, keepdim=True)
return shares.T @ features
## wrong shared-too-early: divided before the fits
looks_for = features @ w_looks_for
looks_for = looks_for / looks_for.sum(dim=-1, keepdim=True)
return looks_for @ features.T @ features
## wrong pair: max in place of the sum
fits = features @ w_looks_for @ features.T
shares = fits / fits.max(dim=-1, keepdim=True)
return shares @ features
## wrong place-function: amax in place of the sum
fits = features @ w_looks_for @ features.T
shares = fits / fits.amax(dim=-1, keepdim=True)
return shares @ features
## wrong no-return: no return
fits = features @ w_looks_for @ features.T
mixed = fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong place-function: mean in place of sum
fits = features @ w_looks_for @ features.T
return fits / fits.mean(dim=-1, keepdim=True) @ features
## wrong sizes-differ: elementwise at the end
fits = features @ w_looks_for @ features.T
shares = fits / fits.sum(dim=-1, keepdim=True)
return shares * features
## wrong index-too-large: n written out
looks_for = features @ w_looks_for
fits = torch.zeros(4, 4)
for i in range(4):
    for j in range(4):
        fits[i, j] = looks_for[i] @ features[j]
return fits / fits.sum(-1, keepdim=True) @ features
## wrong only-the-last: last word only
for i in range(len(features)):
    fits = features @ (features[i] @ w_looks_for)
    mixed = fits / fits.sum() @ features
return mixed
## right: with diag
fits = features @ w_looks_for @ features.T
return torch.diag(1 / fits.sum(1)) @ fits @ features
## wrong place-too-much: shares rounded to whole shares
fits = features @ w_looks_for @ features.T
shares = (fits / fits.sum(-1, keepdim=True)).round()
return shares @ features
## wrong best-alone: only the best word
fits = features @ w_looks_for @ features.T
return features[fits.argmax(dim=-1)]
## wrong place-too-much: the word itself is left out
fits = features @ w_looks_for @ features.T
fits = fits - torch.diag(torch.diag(fits))
return fits / fits.sum(-1, keepdim=True) @ features
""",
    "w_value_for(d_model, handed_over)": """
## right: zeros and a loop
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
return w
## right: columns of eye
return torch.eye(d_model)[:, handed_over]
## right: an index of pairs
w = torch.zeros(d_model, len(handed_over))
w[handed_over, torch.arange(len(handed_over))] = 1.0
return w
## right: one-hot, turned
return torch.nn.functional.one_hot(torch.as_tensor(handed_over), d_model).T.float()
## wrong integer: one-hot, whole numbers
return torch.nn.functional.one_hot(torch.as_tensor(handed_over), d_model).T
## right: comparison
return (torch.arange(d_model)[:, None] == torch.as_tensor(handed_over)[None, :]).float()
## right: stack of rows of eye along columns
eye = torch.eye(d_model)
return torch.stack([eye[int(f)] for f in handed_over], dim=1)
## right: nested lists
return torch.tensor([[float(row == int(f)) for f in handed_over] for row in range(d_model)])
## right: scatter
w = torch.zeros(d_model, len(handed_over))
return w.scatter(0, torch.as_tensor(handed_over)[None, :], 1.0)
## right: numpy
import numpy as np
w = np.zeros((d_model, len(handed_over)))
for j, f in enumerate(handed_over):
    w[int(f), j] = 1
return torch.tensor(w)
## wrong transposed: turned
w = torch.zeros(len(handed_over), d_model)
for row, feature in enumerate(handed_over):
    w[row, feature] = 1
return w
## wrong transposed: rows of eye
return torch.eye(d_model)[handed_over]
## wrong square: square, in place
w = torch.zeros(d_model, d_model)
for feature in handed_over:
    w[feature, feature] = 1
return w
## wrong sorted: order lost
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(sorted(handed_over)):
    w[feature, column] = 1
return w
## wrong whole-rows: whole rows of ones
w = torch.zeros(d_model, len(handed_over))
w[handed_over] = 1
return w
## wrong number-of-the-feature: the feature's number in place of 1
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = feature
return w
## wrong written-out: d_model 4 written out
w = torch.zeros(4, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
return w
## wrong written-out: two columns written out
w = torch.zeros(d_model, 2)
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
return w
## wrong notebook-variable: the notebook's w_value
return w_value
## wrong from-one: counted from 1
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature - 1, column] = 1
return w
## wrong first-features: rows in order, features forgotten
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[column, column] = 1
return w
## wrong place-too-much: reversed order
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, len(handed_over) - 1 - column] = 1
return w
## wrong return-in-loop: return inside the loop
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
    return w
## wrong no-return: no return
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
## wrong all-others: all but these handed over
w = torch.ones(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 0
return w
## wrong place-too-much: share instead of whole
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 1 / len(handed_over)
return w
## wrong not-iterable: loop over a number
w = torch.zeros(d_model, len(handed_over))
for column in len(handed_over):
    w[handed_over[column], column] = 1
return w
## wrong size-needed: zeros with a list
w = torch.zeros(d_model, handed_over)
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
return w
## wrong index-too-large: row and column exchanged
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[column, feature] = 1
return w
## wrong index-too-large: columns taken before the rows
return torch.eye(len(handed_over))[:, handed_over]
## wrong first-features: eye of the wrong size
return torch.eye(d_model, len(handed_over))
## right: rows appended
rows = []
for feature in range(d_model):
    rows.append([1.0 if feature == int(wanted) else 0.0 for wanted in handed_over])
return torch.tensor(rows)
## wrong first-features: identity cut to the width
return torch.eye(d_model)[:, : len(handed_over)]
## wrong a-row-alone: a row of the places
w = torch.zeros(d_model)
w[handed_over] = 1
return w
## wrong index-too-large: assignment through two index steps
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[column][feature] = 1
return w
""",
}
