"""Lesson 1: rows of a table, shares of words, and the nearest row."""

NOTEBOOK = '''
import torch
sentence = "The animal didn't cross the street because it was too tired"
tokens = sentence.lower().split()
vocabulary = {}
for token in tokens:
    vocabulary.setdefault(token, len(vocabulary))
ids = torch.tensor([vocabulary[token] for token in tokens])
d_model = 4
torch.manual_seed(0)
table = torch.randn(len(vocabulary), d_model)
embedded = table[ids]
one_hot = torch.zeros(len(tokens), len(vocabulary))
one_hot[torch.arange(11), ids] = 1
shares = torch.full((11,), 0.1 / 8)
x = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
n, d_model = x.shape
'''

ANSWERS = {
    "embed(ids, table)": """
## right: an index
return table[ids]
## right: a list of rows, stacked
return torch.stack([table[i] for i in ids])
## right: index_select
return table.index_select(0, ids)
## right: nn.functional
return torch.nn.functional.embedding(ids, table)
## right: one-hot times the table
one_hot = torch.nn.functional.one_hot(ids, len(table)).to(table.dtype)
return one_hot @ table
## right: filled in a loop
result = torch.zeros(len(ids), table.shape[1], dtype=table.dtype)
for place, word in enumerate(ids):
    result[place] = table[word]
return result
## right: gather
return table.gather(0, ids[:, None].expand(-1, table.shape[-1]))
## right: one-hot by hand
one_hot = torch.zeros(ids.shape[0], table.shape[0]).to(table)
for i in range(len(ids)):
    one_hot[i, ids[i]] = 1
return torch.matmul(one_hot, table)
## right: take along the rows
return torch.cat([table[i : i + 1] for i in ids.tolist()])
## right: an einsum of comparisons
hits = (ids[:, None] == torch.arange(len(table))).to(table.dtype)
return torch.einsum("nv,vd->nd", hits, table)
## wrong columns: columns in place of rows
return table[:, ids]
## wrong index-too-large: columns, then turned
return table[:, ids].T
## wrong notebook-variable: the notebook's ids and table
return embedded
## wrong notebook-variable: the notebook's ids
ids = [vocabulary[token] for token in tokens]
return table[ids]
## wrong written-out: d_model written out
result = torch.zeros(len(ids), 4)
for i in range(len(ids)):
    result[i] = table[ids[i]]
return result
## wrong only-the-last: the last row alone
for i in ids:
    row = table[i]
return row
## wrong return-in-loop: return inside the loop
rows = []
for i in ids:
    rows.append(table[i])
    return torch.stack(rows)
## wrong no-return: no return
table[ids]
## wrong no-return: print for return
print(table[ids])
## wrong list: a list of rows, not stacked
return [table[i] for i in ids]
## wrong first-rows: the first n rows
return table[: len(ids)]
## wrong index-kind: ids and table exchanged
return ids[table]
## wrong integer: one-hot alone
return torch.nn.functional.one_hot(ids, len(table))
## wrong sizes-do-not-meet: one-hot of whole numbers times the table
return torch.nn.functional.one_hot(ids) @ table
## wrong not-callable: called like a function
return table(ids)
## wrong index-too-large: each number as well
return table[ids, ids]
## wrong repeats-dropped: each id once, sorted
return table[ids.unique()]
## wrong from-one: ids counted from 1
return table[ids - 1]
## wrong place-function: rows side by side
return torch.cat([table[i] for i in ids])
## wrong first-rows: places in place of ids
return torch.stack([table[i] for i, word in enumerate(ids)])
## wrong one-row-right: each new vector is the sum so far
rows = torch.zeros(len(ids), table.shape[1]).to(table)
for i, word in enumerate(ids):
    rows[i:] += table[word]
return rows
## wrong transposed: turned at the end
return table[ids].T
## wrong extra-dimension: an axis too many
return table[ids].unsqueeze(0)
## right: an advanced index with all columns
return table[ids.long(), :]
## wrong one-column-right: the ids written into the first column
result = torch.zeros(len(ids), table.shape[1])
for i in range(len(ids)):
    result[i, 0] = table[ids[i], 0]
return result
## wrong place-too-much: each row divided by its length
rows = table[ids]
return rows / rows.norm(dim=1, keepdim=True)
## wrong no-such-attribute: append gives nothing
rows = []
for i in ids:
    rows = rows.append(table[i])
return torch.stack(rows)
""",
    "recover_ids(embedded, table)": """
## right: rows compared, all equal
return [int((table == row).all(dim=1).nonzero()) for row in embedded]
## right: nearest by cdist
return torch.cdist(embedded, table).argmin(dim=-1).tolist()
## right: two loops
ids = []
for row in embedded:
    for i in range(len(table)):
        if torch.equal(row, table[i]):
            ids.append(i)
return ids
## right: a tensor of ids
return (embedded[:, None, :] == table[None, :, :]).all(dim=-1).int().argmax(dim=-1)
## right: squared distances
distance = ((embedded.unsqueeze(1) - table) ** 2).sum(-1)
return distance.argmin(1)
## right: lists have an index
rows = table.tolist()
return [rows.index(row) for row in embedded.tolist()]
## right: a dictionary of tuples
where = {tuple(row.tolist()): i for i, row in enumerate(table)}
return [where[tuple(row.tolist())] for row in embedded]
## right: numpy
import numpy as np
e, t = embedded.detach().numpy(), table.detach().numpy()
return [int(np.flatnonzero((t == row).all(axis=1))[0]) for row in e]
## right: absolute differences
return [(table - row).abs().sum(dim=-1).argmin().item() for row in embedded]
## right: a tuple of ids
return tuple(int((table - row).norm(dim=-1).argmin()) for row in embedded)
## right: a list of tensors of one number
return [torch.linalg.norm(table - row, dim=1).argmin() for row in embedded]
## wrong product: largest dot product
return (embedded @ table.T).argmax(dim=-1).tolist()
## wrong any-number: any number equal, not all
return [int((table == row).any(dim=1).nonzero()[0]) for row in embedded]
## wrong every-hit: the first number only
ids = []
for row in embedded:
    for i in range(len(table)):
        if row[0] == table[i][0]:
            ids.append(i)
return ids
## wrong truth-of-tensor: comparison of tensors in an if
ids = []
for row in embedded:
    for i in range(len(table)):
        if row == table[i]:
            ids.append(i)
return ids
## wrong truth-of-tensor: a list's index of a tensor
return [list(table).index(row) for row in embedded]
## wrong type: the rows in place of the ids
ids = []
for row in embedded:
    for candidate in table:
        if torch.equal(row, candidate):
            ids.append(candidate)
return ids
## wrong notebook-variable: the notebook's ids
return ids
## wrong place-function: farthest
return torch.cdist(embedded, table).argmax(dim=-1).tolist()
## wrong place-axis: nearest embedded of each table row
return torch.cdist(embedded, table).argmin(dim=0).tolist()
## wrong place-function: the distances themselves
return torch.cdist(embedded, table).min(dim=-1).values
## wrong pair: min gives a pair
return torch.cdist(embedded, table).min(dim=-1)
## wrong type: argmin over everything
return torch.cdist(embedded, table).argmin()
## wrong type: return at the first
for row in embedded:
    for i in range(len(table)):
        if torch.equal(row, table[i]):
            return i
## wrong one-part: return of a list at the first
ids = []
for row in embedded:
    for i in range(len(table)):
        if torch.equal(row, table[i]):
            ids.append(i)
            return ids
## wrong positions: places in embedded
return [i for i, row in enumerate(embedded) for other in table if torch.equal(row, other)]
## wrong from-one: counted from 1
return [int((table - row).abs().sum(-1).argmin()) + 1 for row in embedded]
## wrong sums: equal rows' sum compared
return [int((table.sum(-1) - row.sum()).abs().argmin()) for row in embedded]
## wrong step-missing: differences without square or abs
return [int((table - row).sum(dim=-1).argmin()) for row in embedded]
## wrong type: True and False for each row
return [(table == row).all(dim=1) for row in embedded]
## wrong type: nonzero of the comparison, pairs
return (embedded[:, None] == table[None]).all(-1).nonzero()
## wrong each-once: a set, order lost
return sorted({int((table - row).norm(dim=-1).argmin()) for row in embedded})
## wrong index-kind: looked up again
return table[embedded]
## right: a dictionary of strings
names = {str(row.tolist()): i for i, row in enumerate(table)}
return [names[str(row.tolist())] for row in embedded]
## wrong index-too-large: compares row i with row i
ids = []
for i in range(len(embedded)):
    if torch.equal(embedded[i], table[i]):
        ids.append(i)
return ids
## wrong place-function: counts hits, does not stop, keeps the last number
ids = []
for row in embedded:
    for i, candidate in enumerate(table):
        if (row == candidate).any():
            found = i
    ids.append(found)
return ids
## wrong type: a list in a list
return [[int((table - row).norm(dim=-1).argmin())] for row in embedded]
""",
    "shares_to_take(n, place, other, share)": """
## right: eye, two entries
shares = torch.eye(n)
shares[place, place] = 1 - share
shares[place, other] = share
return shares
## right: zeros and a loop
shares = torch.zeros(n, n)
for i in range(n):
    shares[i, i] = 1.0
shares[place, place] -= share
shares[place, other] += share
return shares
## right: nested lists
rows = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
rows[place][place] = 1 - share
rows[place][other] = share
return torch.tensor(rows)
## wrong list: lists handed back
rows = [[float(i == j) for j in range(n)] for i in range(n)]
rows[place] = [0.0] * n
rows[place][other] = share
rows[place][place] = 1 - share
return rows
## right: a mix of two rows of eye
eye = torch.eye(n)
shares = torch.eye(n)
shares[place] = (1 - share) * eye[place] + share * eye[other]
return shares
## right: diag
shares = torch.diag(torch.ones(n))
shares[place] = 0
shares[place, other] = share
shares[place, place] = 1 - shares[place].sum()
return shares
## right: numpy
import numpy as np
shares = np.eye(n)
shares[place, [place, other]] = [1 - share, share]
return torch.from_numpy(shares)
## right: numpy handed back
import numpy as np
shares = np.identity(n)
shares[place, place], shares[place, other] = 1 - share, share
return shares
## right: where
i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
stay = (i == j).float()
row = (j == other) * share + (j == place) * (1 - share)
return torch.where(i == place, row, stay)
## wrong column: column in place of row
shares = torch.eye(n)
shares[place, place] = 1 - share
shares[other, place] = share
return shares
## wrong all-of-itself: the rest not taken off
shares = torch.eye(n)
shares[place, other] = share
return shares
## wrong exchanged: share and rest exchanged
shares = torch.eye(n)
shares[place, place] = share
shares[place, other] = 1 - share
return shares
## wrong the-giver: the other word's row changes
shares = torch.eye(n)
shares[other, other] = 1 - share
shares[other, place] = share
return shares
## wrong both: both rows change
shares = torch.eye(n)
shares[place, place] = shares[other, other] = 1 - share
shares[place, other] = shares[other, place] = share
return shares
## wrong others-empty: zeros, other words lost
shares = torch.zeros(n, n)
shares[place, place] = 1 - share
shares[place, other] = share
return shares
## wrong place-function: ones for eye
shares = torch.ones(n, n)
shares[place, place] = 1 - share
shares[place, other] = share
return shares
## wrong one-row: only the row
row = torch.zeros(n)
row[place] = 1 - share
row[other] = share
return row
## wrong rest-to-all: rest over all other words
shares = torch.eye(n)
shares[place] = (1 - share) / (n - 1)
shares[place, other] = share
return shares
## wrong notebook-variable: the new vectors, not the shares
shares = torch.eye(11)
shares[place, place] = 1 - share
shares[place, other] = share
return shares @ embedded
## wrong written-out: the size of the sentence written out
shares = torch.eye(11)
shares[place, place] = 1 - share
shares[place, other] = share
return shares
## wrong other-places: places counted from 1
shares = torch.eye(n)
shares[place - 1, place - 1] = 1 - share
shares[place - 1, other - 1] = share
return shares
## wrong written-out: 0.6 written out
shares = torch.eye(n)
shares[place, place] = 0.4
shares[place, other] = 0.6
return shares
## wrong no-return: no return
shares = torch.eye(n)
shares[place, place] = 1 - share
shares[place, other] = share
## wrong integer: whole numbers
shares = torch.eye(n, dtype=torch.int)
shares[place, place] = 1 - share
shares[place, other] = share
return shares
## wrong constant: return of the assignment
shares = torch.eye(n)
shares[place, place] = 1 - share
return shares[place, other]
## wrong unused: place taken twice
shares = torch.eye(n)
shares[place] = share
shares[place, place] = 1 - share
return shares
## wrong column: turned
shares = torch.eye(n)
shares[place, place] = 1 - share
shares[place, other] = share
return shares.T
## wrong not-iterable: n given as a tensor size
shares = torch.eye(len(n))
shares[place, place] = 1 - share
shares[place, other] = share
return shares
## wrong unused: the two rows exchanged
shares = torch.eye(n)
shares[[place, other]] = shares[[other, place]]
return shares
## wrong compared: comma assignment read as compare
shares = torch.eye(n)
shares[place, place] == 1 - share
shares[place, other] == share
return shares
## wrong unused: share times everything
return torch.eye(n) * (1 - share) + share
## right: an outer product added
e = torch.eye(n)
return e + share * torch.outer(e[place], e[other] - e[place])
## wrong row-sums: the diagonal of all is lowered
shares = torch.eye(n) * (1 - share)
shares[place, other] = share
return shares
## wrong unforeseen: share added to what is there and rows divided by their sum
shares = torch.eye(n)
shares[place, other] += share
return shares / shares.sum(dim=-1, keepdim=True)
## wrong always-as-long: rows for places only
shares = torch.zeros(2, n)
shares[0, place] = 1 - share
shares[1, other] = share
return shares
""",
    "nearest_id(vector, table)": """
## right: norm and argmin
return (table - vector).norm(dim=-1).argmin()
## right: as an int
return int(((table - vector) ** 2).sum(dim=1).argmin())
## right: item
return torch.cdist(vector[None], table)[0].argmin().item()
## right: a loop
best, best_distance = None, float("inf")
for i, row in enumerate(table):
    distance = ((row - vector) ** 2).sum() ** 0.5
    if distance < best_distance:
        best, best_distance = i, distance
return best
## right: min with a key
return min(range(len(table)), key=lambda i: float((table[i] - vector).norm()))
## right: numpy
import numpy as np
return int(np.argmin(np.linalg.norm(table.detach().numpy() - vector.detach().numpy(), axis=1)))
## right: numpy's own int
import numpy as np
return np.argmin(((table.numpy() - vector.numpy()) ** 2).sum(axis=-1))
## right: sorted distances
return torch.sqrt(((table - vector) ** 2).sum(-1)).argsort()[0]
## right: topk of minus the distance
return (-(table - vector).norm(dim=-1)).topk(1).indices[0]
## right: a tensor of one number
return (table - vector).norm(dim=-1).min(dim=0).indices
## right: expanded square
distances = (table * table).sum(-1) - 2 * table @ vector
return distances.argmin().item()
## right: pairwise_distance
return torch.nn.functional.pairwise_distance(table, vector.unsqueeze(0)).argmin()
## wrong product: largest dot product
return (table @ vector).argmax()
## wrong cosine: cosine
return torch.nn.functional.cosine_similarity(table, vector[None], dim=-1).argmax()
## wrong farthest: farthest
return (table - vector).norm(dim=-1).argmax()
## wrong distance: the distance, not the id
return (table - vector).norm(dim=-1).min()
## wrong type: the row, not the id
return table[(table - vector).norm(dim=-1).argmin()]
## wrong type: the word
names = list(vocabulary)
return names[int((table - vector).norm(dim=-1).argmin())]
## wrong signs-kept: signed sum of differences
return (table - vector).sum(dim=-1).argmin()
## wrong step-missing: signed sum, then abs
return (table - vector).sum(dim=-1).abs().argmin()
## wrong wrong-axis: sums down the columns
return ((table - vector) ** 2).sum(dim=0).argmin()
## wrong place-in-the-table: argmin over all numbers
return ((table - vector) ** 2).argmin()
## wrong type: all distances
return (table - vector).norm(dim=-1)
## wrong pair: a pair
return (table - vector).norm(dim=-1).min(dim=0)
## wrong no-return: exact comparison
for i in range(len(table)):
    if torch.equal(table[i], vector):
        return i
## wrong constant: one norm for the whole table
return (table - vector).norm().argmin()
## wrong largest-difference: largest difference counts
return (table - vector).abs().max(dim=-1).values.argmin()
## wrong sizes-added: absolute values added up
return (table - vector).abs().sum(dim=-1).argmin()
## wrong lengths: lengths compared, not directions
return (table.norm(dim=-1) - vector.norm()).abs().argmin()
## wrong first-number: first number only
return (table[:, 0] - vector[0]).abs().argmin()
## wrong compared-with-the-one-before: loop keeps the last
best = 0
for i in range(len(table)):
    if (table[i] - vector).norm() < (table[i - 1] - vector).norm():
        best = i
return best
## wrong return-in-loop: return inside the loop
best = 0
for i in range(len(table)):
    if (table[i] - vector).norm() < (table[best] - vector).norm():
        best = i
    return best
## wrong farthest: power before the division
return (((table - vector) ** 2).sum(dim=-1) ** 1 / 2).argmax()
## wrong from-one: counted from 1
return (table - vector).norm(dim=-1).argmin() + 1
## wrong type: argsort, all of it
return (table - vector).norm(dim=-1).argsort()
## wrong brackets-missing: forgot the brackets of argmin
return (table - vector).norm(dim=-1).argmin
## right: torch.dist in a loop
distances = [torch.dist(vector, row) for row in table]
return distances.index(min(distances))
## wrong step-missing: squared sum of differences
return ((table - vector).sum(dim=1) ** 2).argmin()
## wrong place-function: a whole id from the mean of the differences
return (table - vector).mean(dim=1).abs().argmin()
## wrong distance: the sorted distances
return torch.sort((table - vector).norm(dim=1)).values[0]
""",
}
