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
BATCH, LR, STD, EPOCHS = 32, 1e-3, 0.01, 5
PAD, UNKNOWN = 0, 1
WORD = re.compile(r"[a-z0-9']+")


# Words to ids


def words(text: str) -> list[str]:
    """Split a text into its words.

    Parameters
    ----------
    text : str
        A review.

    Returns
    -------
    list of str
        In lower case, without punctuation and line breaks in HTML.
    """
    return WORD.findall(text.lower().replace("<br />", " "))


def vocabulary(texts: list[str], n_words: int = N_WORDS) -> dict[str, int]:
    """Give the commonest words an id.

    Parameters
    ----------
    texts : list of str
        Reviews to learn from.
    n_words : int
        Size of the vocabulary, padding and the unknown word included.

    Returns
    -------
    dict of str to int
        Ids from 2, the commonest word, up to n_words - 1 at most; 0 is padding and 1 any other word.
    """
    counts = Counter(word for text in texts for word in words(text))
    return {word: i for i, (word, _) in enumerate(counts.most_common(n_words - 2), start=2)}


def to_ids(texts: list[str], known: dict[str, int], n: int = N_PLACES) -> Tensor:
    """Turn the last words of each text into ids.

    Parameters
    ----------
    texts : list of str
        Reviews.
    known : dict of str to int
        As `vocabulary` gives it.
    n : int
        How many words to keep of each text.

    Returns
    -------
    Tensor, (batch, n)
        Ids, shorter texts filled up with padding after them.
    """
    rows = [[known.get(word, UNKNOWN) for word in words(text)[-n:]] for text in texts]
    return torch.tensor([row + [PAD] * (n - len(row)) for row in rows])


# The model


class ReviewReader(nn.Module):
    """One layer of attention, the mean over the words, a score: above 0 for label 1. As lesson 14 has it.

    Parameters
    ----------
    n_words : int
        Size of the vocabulary.
    d_model, n_heads : int
        As for `MultiHeadAttention`.
    dropout : float
        Of the mean, in training.
    positions : bool
        Add sinusoidal positions.
    masked : bool
        Leave padding out of attention and of the mean.
    std : float
        Standard deviation of the token vectors at the start.
    sparse : bool
        Gradients of the token vectors hold only the rows that a batch has used.
    """

    def __init__(
        self,
        n_words: int,
        d_model: int,
        n_heads: int,
        dropout: float = 0.0,
        positions: bool = True,
        masked: bool = True,
        std: float = 1.0,
        sparse: bool = False,
    ) -> None:
        super().__init__()
        self.table = nn.Embedding(n_words, d_model, sparse=sparse)
        nn.init.normal_(self.table.weight, std=std)
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.dropout = nn.Dropout(dropout)
        self.to_score = nn.Linear(d_model, 1)
        self.positions, self.masked = positions, masked

    def forward(self, ids: Tensor, need_weights: bool = False) -> tuple[Tensor, Tensor | None]:
        """Score each review.

        Parameters
        ----------
        ids : Tensor, (batch, n)
            As `to_ids` gives them.
        need_weights : bool
            Return the weights.

        Returns
        -------
        scores : Tensor, (batch,)
            Above 0 for label 1.
        weights : Tensor, (batch, n_heads, n, n), or None
            Of attention, with `need_weights`.
        """
        x = self.table(ids)  # (batch, n, d_model)
        if self.positions:
            x = x + sinusoidal_positions(*x.shape[-2:])
        mask = padding_mask(ids, PAD) if self.masked else None
        x, weights = self.attention(x, x, x, mask, need_weights)
        real = (ids != PAD)[..., None] if self.masked else torch.ones_like(ids)[..., None]  # (batch, n, 1)
        mean = (x * real).sum(dim=-2) / real.sum(dim=-2).clamp(min=1)  # (batch, d_model)
        return self.to_score(self.dropout(mean)).squeeze(-1), weights


def new_model(seed: int = 0, positions: bool = True, masked: bool = True, sparse: bool = True) -> ReviewReader:
    """Make the reader before training, of the sizes that the results are for.

    Parameters
    ----------
    seed : int
        Of the start.
    positions, masked, sparse : bool
        As for `ReviewReader`.

    Returns
    -------
    ReviewReader
        In training mode.
    """
    torch.manual_seed(seed)
    return ReviewReader(N_WORDS, D_MODEL, N_HEADS, DROPOUT, positions, masked, STD, sparse)


def optimizers(model: ReviewReader) -> list[Optimizer]:
    """Make Adam, and for a sparse table one of its own that changes only the rows that a batch has used.

    Parameters
    ----------
    model : ReviewReader
        Whose parameters they change.

    Returns
    -------
    list of Optimizer
        One, or two for a sparse table.
    """
    if not model.table.sparse:
        return [Adam(model.parameters(), lr=LR)]
    others = [parameter for name, parameter in model.named_parameters() if not name.startswith("table.")]
    return [SparseAdam(list(model.table.parameters()), lr=LR), Adam(others, lr=LR)]


# Training


def train_step(model: ReviewReader, optimizers: list[Optimizer], ids: Tensor, labels: Tensor) -> float:
    """Change the model by one step.

    Parameters
    ----------
    model : ReviewReader
        Is changed.
    optimizers : list of Optimizer
        As `optimizers` gives them.
    ids : Tensor, (batch, n)
        As `to_ids` gives them.
    labels : Tensor, (batch,)
        1 for a good review, 0 for a bad one.

    Returns
    -------
    float
        The loss before the step.
    """
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
    """Measure the share of reviews whose score has the right sign.

    Parameters
    ----------
    model : ReviewReader
        Is left in evaluation mode.
    ids : Tensor, (n_reviews, n)
        As `to_ids` gives them.
    labels : Tensor, (n_reviews,)
        1 for a good review, 0 for a bad one.

    Returns
    -------
    float
        From 0 to 1.
    """
    model.eval()
    scores = torch.cat([model(part)[0] for part in ids.split(500)])
    return ((scores > 0) == labels).double().mean().item()


def prepared(reviews: tuple[Reviews, Reviews]) -> tuple[dict[str, int], Tensor, Tensor, Tensor, Tensor]:
    """Turn reviews into what the model learns from.

    Parameters
    ----------
    reviews : two lists of (str, int)
        Texts with their labels, for training and for the test.

    Returns
    -------
    known : dict of str to int
        The vocabulary of the training reviews.
    ids : Tensor, (n_reviews, N_PLACES)
        Of the training reviews.
    labels : Tensor, (n_reviews,)
        Of the training reviews.
    test_ids, test_labels : Tensor
        The same of the test reviews.
    """
    training, test = reviews
    known = vocabulary([text for text, _ in training])
    return known, *_tensors(training, known), *_tensors(test, known)


def _tensors(reviews: Reviews, known: dict[str, int]) -> tuple[Tensor, Tensor]:
    """Ids (n_reviews, N_PLACES) and labels (n_reviews,)."""
    return to_ids([text for text, _ in reviews], known), torch.tensor([label for _, label in reviews])


def train(
    model: ReviewReader, ids: Tensor, labels: Tensor, test_ids: Tensor, test_labels: Tensor, epochs: int = EPOCHS
) -> list[float]:
    """Train a model, and print how it goes.

    Parameters
    ----------
    model : ReviewReader
        Is changed.
    ids, labels, test_ids, test_labels : Tensor
        As `prepared` gives them.
    epochs : int
        How often each review is read.

    Returns
    -------
    list of float
        The accuracy on the test reviews after each epoch.
    """
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
