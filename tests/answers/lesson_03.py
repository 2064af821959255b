"""Lesson 3: a row times a matrix, a query and a key by design."""

NOTEBOOK = """
import torch
x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
w_query = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
w_key = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
w_value = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
keys, queries, values = x @ w_key, x @ w_query, x @ w_value
"""

ANSWERS = {
    "project_row(row, w)": """
## right: a product
return row @ w
## right: two loops
result = torch.zeros(w.shape[1], dtype=row.dtype)
for j in range(w.shape[1]):
    for i in range(len(row)):
        result[j] += row[i] * w[i, j]
return result
## right: weighted rows added up
return sum(number * weights for number, weights in zip(row, w))
## right: broadcast and sum
return (row[:, None] * w).sum(dim=0)
## right: einsum
return torch.einsum("d,dk->k", row, w)
## right: turned
return w.T @ row
## right: unsqueeze and back
return torch.matmul(row.unsqueeze(0), w).squeeze(0)
## right: functional linear
return torch.nn.functional.linear(row, w.T)
## right: columns, stacked
return torch.stack([(row * column).sum() for column in w.T])
## right: mv
return torch.mv(w.t(), row)
## right: numpy
import numpy as np
return torch.from_numpy(row.numpy() @ w.numpy())
## wrong wrong-axis: sum over columns
return (row[:, None] * w).sum(dim=1)
## wrong not-summed: columns times the row, not added
return row[:, None] * w
## wrong sizes-differ: times without an axis
return (row * w).sum(dim=0)
## wrong w-first: matrix first
return w @ row
## wrong columns-of-w-turned: w turned
return row @ w.T
## wrong all-summed: one number
return (row[:, None] * w).sum()
## wrong overwritten: = for +=
result = torch.zeros(w.shape[1])
for j in range(w.shape[1]):
    for i in range(len(row)):
        result[j] = row[i] * w[i, j]
return result
## wrong notebook-variable: w_query of the notebook
return row @ w_query
## wrong notebook-variable: all of x
return x @ w
## wrong extra-dimension: an axis too many
return row.unsqueeze(0) @ w
## wrong return-in-loop: return inside the loop
result = torch.zeros(w.shape[1])
for j in range(w.shape[1]):
    for i in range(len(row)):
        result[j] += row[i] * w[i, j]
    return result
## wrong no-return: no return
result = row @ w
## wrong mean: mean in place of sum
return (row[:, None] * w).mean(dim=0)
## wrong place-operation: plus in place of times
return (row[:, None] + w).sum(dim=0)
## wrong written-out: three columns written out
result = torch.zeros(3)
for j in range(3):
    for i in range(4):
        result[j] += row[i] * w[i, j]
return result
## wrong index-too-large: indices of w exchanged
result = torch.zeros(w.shape[1])
for j in range(w.shape[1]):
    for i in range(len(row)):
        result[j] += row[i] * w[j, i]
return result
## wrong place-one-off: the last row is left out
result = torch.zeros(w.shape[1])
for i in range(len(row) - 1):
    result += row[i] * w[i]
return result
## wrong unforeseen: counter never set back
result, total = [], 0
for j in range(w.shape[1]):
    for i in range(len(row)):
        total += row[i] * w[i, j]
    result.append(total)
return torch.stack(result)
## wrong index-too-large: len of w for its columns
result = torch.zeros(len(w))
for j in range(len(w)):
    for i in range(len(row)):
        result[j] += row[i] * w[i, j]
return result
## wrong wrong-number-of-axes: dot of a row and a matrix
return torch.dot(row, w)
## wrong first-row: first row of w only
return row[0] * w[0]
## wrong transposed: a column as result
return (row @ w)[:, None]
## right: chained view
return (row.view(1, -1) @ w).view(-1)
## wrong unforeseen: an outer sum with the mean of w
return row.sum() * w.mean(dim=0)
## wrong place-too-much: the columns normalised
return row @ (w / w.norm(dim=0))
## wrong index-too-large: loops with range over the result's places in both
result = torch.zeros(w.shape[1])
for j in range(w.shape[1]):
    for i in range(w.shape[1]):
        result[j] += row[i] * w[i, j]
return result
""",
    "w_query_for(x_of_it, query)": """
## right: a row filled in
w = torch.zeros(len(x_of_it), len(query))
place = x_of_it.nonzero().item()
w[place] = query / x_of_it[place]
return w
## right: argmax of the size
i = x_of_it.abs().argmax()
w = torch.zeros(x_of_it.shape[0], query.shape[0], dtype=query.dtype)
w[i] = query / x_of_it[i]
return w
## right: an outer product
return torch.outer(x_of_it, query) / (x_of_it @ x_of_it)
## right: a loop
rows = []
for number in x_of_it:
    if number != 0:
        rows.append(query / number)
    else:
        rows.append(torch.zeros_like(query))
return torch.stack(rows)
## right: a loop over both axes
w = torch.zeros(len(x_of_it), len(query))
for i in range(len(x_of_it)):
    if x_of_it[i] != 0:
        for j in range(len(query)):
            w[i, j] = query[j] / x_of_it[i]
return w
## right: where
safe = torch.where(x_of_it == 0, torch.ones_like(x_of_it), x_of_it)
return torch.where(x_of_it[:, None] != 0, query / safe[:, None], torch.zeros(()))
## right: the pseudo-inverse
return torch.linalg.pinv(x_of_it[None]) @ query[None]
## right: a mask index
w = x_of_it.new_zeros(len(x_of_it), len(query))
mask = x_of_it != 0
w[mask] = query / x_of_it[mask]
return w
## wrong not-divided: not divided
w = torch.zeros(len(x_of_it), len(query))
w[x_of_it.nonzero().item()] = query
return w
## wrong multiplied: outer product, not divided
return torch.outer(x_of_it, query)
## wrong multiplied: multiplied
i = x_of_it.abs().argmax()
w = torch.zeros(len(x_of_it), len(query))
w[i] = query * x_of_it[i]
return w
## wrong transposed: the column
w = torch.zeros(len(query), len(x_of_it))
i = x_of_it.abs().argmax()
w[:, i] = query / x_of_it[i]
return w
## wrong every-row: all rows
i = x_of_it.abs().argmax()
return (query / x_of_it[i]).repeat(len(x_of_it), 1)
## wrong last-row: last row written out
w = torch.zeros(len(x_of_it), len(query))
w[-1] = query / x_of_it[-1]
return w
## wrong index-too-large: row 3, sizes of the example
w = torch.zeros(4, 2)
w[3] = query / x_of_it[3]
return w
## wrong by-zero: divided by zeros
return query[None, :] / x_of_it[:, None]
## wrong not-by-the-number: 2 written out
w = torch.zeros(len(x_of_it), len(query))
w[x_of_it.nonzero().item()] = query / 2
return w
## wrong largest-number: argmax, so a negative number is missed
i = x_of_it.argmax()
w = torch.zeros(len(x_of_it), len(query))
w[i] = query / x_of_it[i]
return w
## wrong place-comparison: greater than 0
w = torch.zeros(len(x_of_it), len(query))
for i in range(len(x_of_it)):
    if x_of_it[i] > 0:
        w[i] = query / x_of_it[i]
return w
## wrong place-too-much: divided by the size
i = x_of_it.abs().argmax()
w = torch.zeros(len(x_of_it), len(query))
w[i] = query / x_of_it[i].abs()
return w
## wrong one-row-alone: the row alone
i = x_of_it.abs().argmax()
return query / x_of_it[i]
## wrong no-return: no return
i = x_of_it.abs().argmax()
w = torch.zeros(len(x_of_it), len(query))
w[i] = query / x_of_it[i]
## wrong place-exchanged: divided the wrong way round
i = x_of_it.abs().argmax()
w = torch.zeros(len(x_of_it), len(query))
w[i] = x_of_it[i] / query
return w
## wrong index-too-large: index of the number, not the place
w = torch.zeros(len(x_of_it), len(query))
w[int(x_of_it.max())] = query / x_of_it.max()
return w
## wrong step-missing: whole rest divided by the sum
return torch.outer(x_of_it, query) / x_of_it.abs().sum()
## wrong wrong-number-of-axes: inverse of a vector
return torch.inverse(x_of_it) @ query
## wrong axes-too-few: the query itself, checked by a product
return x_of_it @ torch.outer(x_of_it, query)
## wrong integer: whole number matrix
i = x_of_it.abs().argmax()
w = torch.zeros(len(x_of_it), len(query), dtype=torch.long)
w[i] = query / x_of_it[i]
return w
## wrong floor: floor division
i = x_of_it.abs().argmax()
w = torch.zeros(len(x_of_it), len(query))
w[i] = query // x_of_it[i]
return w
## right: one-hot times the query
place = (x_of_it != 0).int().argmax()
w = torch.nn.functional.one_hot(place, len(x_of_it)).to(query.dtype)[:, None] * query[None, :]
return w / x_of_it[place]
## wrong index-too-large: the number of places
w = torch.zeros(len(x_of_it), len(query))
place = (x_of_it != 0).sum()
w[place] = query / x_of_it.sum()
return w
## wrong sizes-differ: a square matrix
w = torch.zeros(len(x_of_it), len(x_of_it))
place = x_of_it.abs().argmax()
w[place, : len(query)] = query / x_of_it[place]
return w
## wrong place-operation: subtracted
w = torch.zeros(len(x_of_it), len(query))
place = x_of_it.abs().argmax()
w[place] = query - x_of_it[place]
return w
""",
    "w_key_for(x, word, key)": """
## right: counts of what is not 0
has = x != 0
alone = (has.sum(dim=0) == 1) & has[word]
feature = alone.nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key), dtype=x.dtype)
w[feature] = key / x[word, feature]
return w
## right: loops
n, d_model = x.shape
w = torch.zeros(d_model, len(key))
for feature in range(d_model):
    others = [x[i, feature] for i in range(n) if i != word]
    if x[word, feature] != 0 and all(other == 0 for other in others):
        w[feature] = key / x[word, feature]
        break
return w
## right: other rows deleted
others = torch.cat([x[:word], x[word + 1 :]])
free = (others == 0).all(dim=0) & (x[word] != 0)
feature = int(free.float().argmax())
w = torch.zeros(x.shape[1], key.shape[0])
w[feature] = key / x[word][feature]
return w
## right: sizes added up
size = x.abs()
feature = torch.where(size.sum(0) - size[word] == 0, size[word], 0 * size[word]).argmax()
w = x.new_zeros(x.shape[1], len(key))
w[feature, :] = key / x[word, feature]
return w
## right: numpy for the search
import numpy as np
a = x.numpy()
feature = [f for f in range(a.shape[1]) if a[word, f] != 0 and np.count_nonzero(a[:, f]) == 1][0]
w = torch.zeros(x.size(1), key.size(0))
w[feature] = key / float(a[word, feature])
return w
## right: an outer product of a one-hot
only = ((x != 0).sum(0) == 1) & (x[word] != 0)
place = torch.zeros(x.shape[1])
place[only.nonzero()[0]] = 1 / x[word][only][0]
return torch.outer(place, key)
## wrong not-divided: not divided
has = x != 0
feature = ((has.sum(dim=0) == 1) & has[word]).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key
return w
## wrong largest-feature: the word's largest feature
feature = x[word].abs().argmax()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word, feature]
return w
## wrong first-feature: the word's first feature
feature = x[word].nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word, feature]
return w
## wrong all-features: all features of the word
w = torch.zeros(x.shape[1], len(key))
for feature in range(x.shape[1]):
    if x[word, feature] != 0:
        w[feature] = key / x[word, feature]
return w
## wrong row-and-number-of-the-word: row of the word's number
w = torch.zeros(x.shape[1], len(key))
w[word] = key / x[word, word]
return w
## wrong pseudo-inverse: the pseudo-inverse, more rows than one
target = torch.zeros(len(x), len(key))
target[word] = key
return torch.linalg.pinv(x) @ target
## wrong keys: the keys, not the matrix
keys = torch.zeros(len(x), len(key))
keys[word] = key
return keys
## wrong of-any-word: any feature that one row has
feature = ((x != 0).sum(dim=0) == 1).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word, feature]
return w
## wrong transposed: turned
has = x != 0
feature = ((has.sum(dim=0) == 1) & has[word]).nonzero()[0].item()
w = torch.zeros(len(key), x.shape[1])
w[:, feature] = key / x[word, feature]
return w
## wrong nothing-there: rows for columns in the search
has = x != 0
feature = (has.sum(dim=1) == 1).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word, feature]
return w
## wrong truth-of-tensor: and between tensors
has = x != 0
alone = has.sum(dim=0) == 1 and has[word]
feature = alone.nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word, feature]
return w
## wrong place-operation: multiplied
has = x != 0
feature = ((has.sum(dim=0) == 1) & has[word]).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key * x[word, feature]
return w
## wrong sizes-differ: example's sizes
has = x != 0
feature = ((has.sum(dim=0) == 1) & has[word]).nonzero()[0].item()
w = torch.zeros(3, 2)
w[feature] = key / x[word, feature]
return w
## wrong index-too-large: feature 2 written out
w = torch.zeros(x.shape[1], len(key))
w[2] = key / x[word, 2]
return w
## wrong place-one-off: feature counted from 1
has = x != 0
feature = ((has.sum(dim=0) == 1) & has[word]).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature - 1] = key / x[word, feature]
return w
## wrong no-return: no return
has = x != 0
feature = ((has.sum(dim=0) == 1) & has[word]).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word, feature]
## wrong nothing-there: word 0 always
has = x != 0
feature = ((has.sum(dim=0) == 1) & has[0]).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[0, feature]
return w
## wrong outer-product: outer product with the word's row
return torch.outer(x[word], key)
## wrong overflow: the sum of a column compared with the number
feature = (x.sum(dim=0) == x[word]).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word, feature]
return w
## wrong error: larger than all others, not alone
others = torch.cat([x[:word], x[word + 1 :]])
feature = (x[word] - others.max(dim=0).values).argmax()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word, feature]
return w
## wrong place-comparison: a feature of the word that two have
feature = ((x != 0).sum(dim=0) * (x[word] != 0)).argmax()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word, feature]
return w
## wrong factors: 2 written out as divisor
has = x != 0
feature = ((has.sum(dim=0) == 1) & has[word]).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / 2
return w
## right: columns in a loop with a break
w = torch.zeros(x.size(1), key.size(0))
for f in range(x.size(1)):
    if x[word, f] != 0 and (x[:, f] != 0).sum() == 1:
        w[f] = key / x[word, f]
        break
return w
## wrong overflow: every own feature halves it, row of each feature that others lack
w = torch.zeros(x.size(1), key.size(0))
for f in range(x.size(1)):
    if (x[:, f] != 0).sum() == 1:
        w[f] = key / x[word, f]
return w
## wrong zeros-expected: compares with the next word only
w = torch.zeros(x.size(1), key.size(0))
for f in range(x.size(1)):
    if x[word, f] != 0 and x[word - 1, f] == 0:
        w[f] = key / x[word, f]
        break
return w
## wrong factors: divided by the whole column
has = (x != 0).sum(dim=0) == 1
feature = (has & (x[word] != 0)).nonzero()[0].item()
w = torch.zeros(x.shape[1], len(key))
w[feature] = key / x[word].sum()
return w
""",
    "second_shares(rows, place, first_looks_for, first_value, second_looks_for)": """
## right: step by step
fits = rows[place] @ first_looks_for @ rows.T
shares = fits / fits.sum()
new = rows.clone()
new[place] = rows[place] + shares @ rows @ first_value
fits = new[place] @ second_looks_for @ new.T
return fits / fits.sum()
## right: the whole tables, one row of them
table = rows @ first_looks_for @ rows.T
heard = table[place] / table[place].sum() @ (rows @ first_value)
here = torch.zeros_like(rows)
here[place] = heard
rows = rows + here
table = rows @ second_looks_for @ rows.T
return table[place] / table[place].sum()
## right: a function for a round
def share(row, keys, w):
    fits = torch.stack([row @ w @ key for key in keys])
    return fits / fits.sum()
heard = share(rows[place], rows, first_looks_for) @ (rows @ first_value)
row = rows[place] + heard
return share(row, torch.cat([rows[:place], row[None], rows[place + 1:]]), second_looks_for)
## wrong one-round: first round left out
fits = rows[place] @ second_looks_for @ rows.T
return fits / fits.sum()
## wrong not-added: the row replaced
fits = rows[place] @ first_looks_for @ rows.T
new = rows.clone()
new[place] = fits / fits.sum() @ (rows @ first_value)
fits = new[place] @ second_looks_for @ new.T
return fits / fits.sum()
## wrong old-row-among-the-others: keys from before
fits = rows[place] @ first_looks_for @ rows.T
row = rows[place] + fits / fits.sum() @ (rows @ first_value)
fits = row @ second_looks_for @ rows.T
return fits / fits.sum()
## wrong first-shares: stopped too early
fits = rows[place] @ first_looks_for @ rows.T
return fits / fits.sum()
## wrong values-forgotten: rows taken home
fits = rows[place] @ first_looks_for @ rows.T
new = rows.clone()
new[place] = rows[place] + fits / fits.sum() @ rows
fits = new[place] @ second_looks_for @ new.T
return fits / fits.sum()
## wrong second-not-divided: fits returned
fits = rows[place] @ first_looks_for @ rows.T
new = rows.clone()
new[place] = rows[place] + fits / fits.sum() @ (rows @ first_value)
return new[place] @ second_looks_for @ new.T
""",
}
