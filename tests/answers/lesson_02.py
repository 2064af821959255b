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
## wrong: not divided at all
return wanted
## wrong: divided by all words
return wanted / len(features)
## wrong: sum along the wrong axis
return wanted / features.sum(dim=-1)
## wrong: multiplied by the counts
return wanted * features.sum(dim=0)
## wrong: divided by the number of kinds
return wanted / len(wanted)
## wrong: the sum of all features
return wanted / features.sum()
## wrong: the fits in place of the row
return features @ (wanted / features.sum(dim=0))
## wrong: made to sum to 1 as a row
row = wanted / features.sum(dim=0)
return row / row.sum()
## wrong: the counts upside down
return features.sum(dim=0) / wanted
## wrong: mean in place of sum
return wanted / features.mean(dim=0)
## wrong: the notebook's features, with four words
features = torch.tensor([[1.0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
return wanted / features.sum(dim=0)
## wrong: the lesson's numbers written out
return torch.tensor([0.375, 0.25, 0.0])
## wrong: half for the nouns, written out
row = wanted.clone()
row[0] = wanted[0] / 2
return row
## wrong: no return
row = wanted / features.sum(dim=0)
## wrong: whole number division
return wanted // features.sum(dim=0)
## wrong: a list comprehension without counts of its kind
return torch.stack([share / features[k].sum() for k, share in enumerate(wanted)])
## wrong: an axis too many
return wanted / features.sum(dim=0, keepdim=True)
## wrong: return inside the loop
row = torch.zeros(len(wanted))
for kind in range(len(wanted)):
    row[kind] = wanted[kind] / features[:, kind].sum()
    return row
## wrong: changes wanted
wanted /= features.sum(dim=0)
return wanted
## wrong: counts of the kinds by max
return wanted / features.max(dim=0)
## wrong: softmax of what is wanted
return torch.softmax(wanted, dim=0) / features.sum(dim=0)
## wrong: a product of matrices
return wanted @ features.T
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
## wrong: not shared out
return features @ w_looks_for @ features.T @ features
## wrong: softmax for shares
fits = features @ w_looks_for @ features.T
return torch.softmax(fits, dim=-1) @ features
## wrong: sums of the columns
fits = features @ w_looks_for @ features.T
return fits / fits.sum(dim=0, keepdim=True) @ features
## wrong: keepdim forgotten
fits = features @ w_looks_for @ features.T
shares = fits / fits.sum(dim=-1)
return shares @ features
## wrong: divided by the sum of all
fits = features @ w_looks_for @ features.T
return fits / fits.sum() @ features
## wrong: by resemblance, without w_looks_for
fits = features @ features.T
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong: w_looks_for turned
fits = features @ w_looks_for.T @ features.T
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong: what is looked for is mixed
looks_for = features @ w_looks_for
fits = looks_for @ features.T
shares = fits / fits.sum(dim=-1, keepdim=True)
return shares @ looks_for
## wrong: looks_for with looks_for
looks_for = features @ w_looks_for
fits = looks_for @ looks_for.T
shares = fits / fits.sum(dim=-1, keepdim=True)
return shares @ features
## wrong: the shares alone
fits = features @ w_looks_for @ features.T
return fits / fits.sum(dim=-1, keepdim=True)
## wrong: the notebook's shares
looks_for = features @ w_looks_for
found = looks_for @ features.T
return shares @ features
## wrong: the table the other way round
fits = features @ (features @ w_looks_for).T
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong: the transpose of features forgotten
fits = features @ w_looks_for @ features
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong: times, not matrix product
fits = features * w_looks_for
return fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong: scaled by the root of d before shares, with softmax
d = features.shape[-1]
fits = features @ w_looks_for @ features.T / d**0.5
return fits.softmax(dim=-1) @ features
## wrong: shares turned when mixing
fits = features @ w_looks_for @ features.T
shares = fits / fits.sum(dim=-1, keepdim=True)
return shares.T @ features
## wrong: divided before the fits
looks_for = features @ w_looks_for
looks_for = looks_for / looks_for.sum(dim=-1, keepdim=True)
return looks_for @ features.T @ features
## wrong: max in place of the sum
fits = features @ w_looks_for @ features.T
shares = fits / fits.max(dim=-1, keepdim=True)
return shares @ features
## wrong: amax in place of the sum
fits = features @ w_looks_for @ features.T
shares = fits / fits.amax(dim=-1, keepdim=True)
return shares @ features
## wrong: no return
fits = features @ w_looks_for @ features.T
mixed = fits / fits.sum(dim=-1, keepdim=True) @ features
## wrong: mean in place of sum
fits = features @ w_looks_for @ features.T
return fits / fits.mean(dim=-1, keepdim=True) @ features
## wrong: elementwise at the end
fits = features @ w_looks_for @ features.T
shares = fits / fits.sum(dim=-1, keepdim=True)
return shares * features
## wrong: n written out
looks_for = features @ w_looks_for
fits = torch.zeros(4, 4)
for i in range(4):
    for j in range(4):
        fits[i, j] = looks_for[i] @ features[j]
return fits / fits.sum(-1, keepdim=True) @ features
## wrong: last word only
for i in range(len(features)):
    fits = features @ (features[i] @ w_looks_for)
    mixed = fits / fits.sum() @ features
return mixed
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
## wrong: one-hot, whole numbers
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
## wrong: turned
w = torch.zeros(len(handed_over), d_model)
for row, feature in enumerate(handed_over):
    w[row, feature] = 1
return w
## wrong: rows of eye
return torch.eye(d_model)[handed_over]
## wrong: square, in place
w = torch.zeros(d_model, d_model)
for feature in handed_over:
    w[feature, feature] = 1
return w
## wrong: order lost
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(sorted(handed_over)):
    w[feature, column] = 1
return w
## wrong: whole rows of ones
w = torch.zeros(d_model, len(handed_over))
w[handed_over] = 1
return w
## wrong: the feature's number in place of 1
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = feature
return w
## wrong: d_model 4 written out
w = torch.zeros(4, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
return w
## wrong: two columns written out
w = torch.zeros(d_model, 2)
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
return w
## wrong: the notebook's w_value
return w_value
## wrong: counted from 1
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature - 1, column] = 1
return w
## wrong: rows in order, features forgotten
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[column, column] = 1
return w
## wrong: reversed order
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, len(handed_over) - 1 - column] = 1
return w
## wrong: return inside the loop
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
    return w
## wrong: no return
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
## wrong: all but these handed over
w = torch.ones(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 0
return w
## wrong: share instead of whole
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[feature, column] = 1 / len(handed_over)
return w
## wrong: loop over a number
w = torch.zeros(d_model, len(handed_over))
for column in len(handed_over):
    w[handed_over[column], column] = 1
return w
## wrong: zeros with a list
w = torch.zeros(d_model, handed_over)
for column, feature in enumerate(handed_over):
    w[feature, column] = 1
return w
## wrong: row and column exchanged
w = torch.zeros(d_model, len(handed_over))
for column, feature in enumerate(handed_over):
    w[column, feature] = 1
return w
## wrong: columns taken before the rows
return torch.eye(len(handed_over))[:, handed_over]
## wrong: eye of the wrong size
return torch.eye(d_model, len(handed_over))
""",
}
