"""The reader of film reviews of lesson 14: words to ids, the model, and how it is trained."""

import re
import statistics
import time
from collections import Counter

import torch
from torch import Tensor, nn
from torch.optim import Adam, Optimizer, SparseAdam

from helpers.data.imdb import Reviews
from helpers.models.transformer import MultiHeadAttention, padding_mask, sinusoidal_positions

N_WORDS, N_PLACES, D_MODEL, N_HEADS, DROPOUT = 20_000, 80, 128, 8, 0.5
BATCH, RATE, SPREAD, EPOCHS = 32, 1e-3, 0.01, 5
PADDING, UNKNOWN = 0, 1
WORD = re.compile(r"[a-z0-9']+")


# Words to ids


def words(text: str) -> list[str]:
    """The words in small letters, without punctuation and line breaks in HTML."""
    return WORD.findall(text.lower().replace("<br />", " "))


def vocabulary(texts: list[str], n_words: int = N_WORDS) -> dict[str, int]:
    """The commonest words -> ids, from 2 up to n_words - 1; 0 is padding and 1 any other word."""
    counts = Counter(word for text in texts for word in words(text))
    return {word: i for i, (word, _) in enumerate(counts.most_common(n_words - 2), start=2)}


def to_ids(texts: list[str], known: dict[str, int], n: int = N_PLACES) -> Tensor:
    """The last n words of each text, filled up with padding behind: (batch, n)."""
    rows = [[known.get(word, UNKNOWN) for word in words(text)[-n:]] for text in texts]
    return torch.tensor([row + [PADDING] * (n - len(row)) for row in rows])


# The model


class ReviewReader(nn.Module):
    """One layer of attention, the mean over the words, a score: above 0 for label 1. As lesson 14 has it."""

    def __init__(self, n_words, d_model, n_heads, dropout=0.0, positions=True, masked=True, spread=1.0, sparse=False):
        super().__init__()
        self.table = nn.Embedding(n_words, d_model, sparse=sparse)
        nn.init.normal_(self.table.weight, std=spread)
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.dropout = nn.Dropout(dropout)
        self.to_score = nn.Linear(d_model, 1)
        self.positions, self.masked = positions, masked

    def forward(self, ids, need_weights=False):  # (batch, n) -> (batch,), (batch, n_heads, n, n) or None
        x = self.table(ids)  # (batch, n, d_model)
        if self.positions:
            x = x + sinusoidal_positions(*x.shape[-2:])
        mask = padding_mask(ids, PADDING) if self.masked else None
        x, weights = self.attention(x, x, x, mask, need_weights)
        real = (ids != PADDING)[..., None] if self.masked else torch.ones_like(ids)[..., None]  # (batch, n, 1)
        mean = (x * real).sum(dim=-2) / real.sum(dim=-2).clamp(min=1)  # (batch, d_model)
        return self.to_score(self.dropout(mean)).squeeze(-1), weights


def new_model(seed: int = 0, positions: bool = True, masked: bool = True, sparse: bool = True) -> ReviewReader:
    """The reader before training, of the sizes that the results are for."""
    torch.manual_seed(seed)
    return ReviewReader(N_WORDS, D_MODEL, N_HEADS, DROPOUT, positions, masked, SPREAD, sparse)


def optimizers(model: ReviewReader) -> list[Optimizer]:
    """Adam; a sparse table gets one of its own that changes only the rows that a batch has used."""
    if not model.table.sparse:
        return [Adam(model.parameters(), lr=RATE)]
    others = [parameter for name, parameter in model.named_parameters() if not name.startswith("table.")]
    return [SparseAdam(list(model.table.parameters()), lr=RATE), Adam(others, lr=RATE)]


# Training


def train_step(model: ReviewReader, optimizers: list[Optimizer], ids: Tensor, labels: Tensor) -> float:
    """One step on ids (batch, n) and labels (batch,); returns the loss before it."""
    scores, _ = model(ids)
    loss = nn.functional.binary_cross_entropy_with_logits(scores, labels.float())
    for optimizer in optimizers:
        optimizer.zero_grad()
    loss.backward()
    for optimizer in optimizers:
        optimizer.step()
    return loss.item()


@torch.no_grad()
def accuracy(model: ReviewReader, ids: Tensor, labels: Tensor) -> float:
    """The share of ids (n_reviews, n) whose score has the right sign. Leaves the model in evaluation mode."""
    model.eval()
    scores = torch.cat([model(part)[0] for part in ids.split(500)])
    return ((scores > 0) == labels).double().mean().item()


def prepared(reviews: tuple[Reviews, Reviews]) -> tuple[dict[str, int], Tensor, Tensor, Tensor, Tensor]:
    """The vocabulary of the training reviews; ids (n_reviews, N_PLACES) and labels of these, then of the test's."""
    known = vocabulary([text for text, _ in reviews[0]])
    tensors = []
    for part in reviews:
        tensors += [to_ids([text for text, _ in part], known), torch.tensor([label for _, label in part])]
    return known, *tensors


def train(
    model: ReviewReader, ids: Tensor, labels: Tensor, test_ids: Tensor, test_labels: Tensor, epochs: int = EPOCHS
) -> list[float]:
    """The accuracies on the test reviews, epoch by epoch; changes the model."""
    steps, accuracies = optimizers(model), []
    for epoch in range(1, epochs + 1):
        start, losses = time.perf_counter(), []
        model.train()
        for chosen in torch.randperm(len(ids)).split(BATCH):
            losses.append(train_step(model, steps, ids[chosen], labels[chosen]))
        seconds = time.perf_counter() - start
        accuracies.append(accuracy(model, test_ids, test_labels))
        print(
            f"epoch {epoch}  loss {statistics.mean(losses):.3f}  accuracy {accuracies[-1]:.4f}  {seconds:5.1f} s",
            flush=True,
        )
    return accuracies
