"""Lesson 14, reviews: a masked mean, a number for each word, what is left without a head, and what a place tells."""

from collections.abc import Callable

import torch

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake


def _real(*lengths: int, n: int) -> torch.Tensor:
    """True for the words of each text, False for the padding after them: (batch, n)."""
    return torch.arange(n) < torch.tensor(lengths)[:, None]


def _mean_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([[[2.0, 4.0], [4.0, 0.0], [9.0, 9.0], [9.0, 9.0]]]), _real(2, n=4)),
        (draw(1, 4, 2), _real(3, n=4)),
        (draw(1, 1, 1), _real(1, n=1)),
        (draw(2, 1, 3), _real(1, 1, n=1)),
        (draw(2, 5, 3), _real(4, 2, n=5)),
        (draw(4, 6, 5, dtype=torch.float64), _real(1, 6, 3, 4, n=6)),
        (draw.apart(3, 4, 2), _real(2, 4, 1, n=4)),
        (draw(12, 40, 30), _real(*range(3, 39, 3), n=40)),
    ]


def _masked_mean(x: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return (x * real[..., None]).sum(-2) / real.sum(-1)[..., None]


def _number_cases(draw: Draw) -> list[Arguments]:
    def case(n_words: int, d_model: int, dtype: torch.dtype = torch.float32) -> Arguments:
        return draw(n_words, d_model, dtype=dtype), draw(d_model, dtype=dtype), draw(1, dtype=dtype)[0]

    return [
        (torch.tensor([[1.0, 0, 2, 0], [0, 1, 0, 1]]), torch.tensor([1.0, 2, 0.5, 0]), torch.tensor(-1.0)),
        case(2, 4),
        case(1, 1),
        case(1, 3),
        case(5, 9),
        case(7, 2),
        case(3, 5, torch.float64),
        (draw.apart(6, 4), draw.apart(4), torch.tensor(0.7)),
        case(40, 30),
    ]


def _word_numbers(table: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    return table.shape[-1] ** 0.5 * table @ weight + bias


def _head_cases(draw: Draw) -> list[Arguments]:
    def case(head: int, n_heads: int, d_head: int, *lengths: int, n: int) -> Arguments:
        joined = draw(len(lengths), n, n_heads * d_head, dtype=torch.float64)
        return joined, _real(*lengths, n=n), head, n_heads

    by_hand = torch.tensor([[[1.0, 2, 3, 4], [3, 0, 5, 6], [9, 9, 9, 9]]])
    return [
        (by_hand, _real(2, n=3), 0, 2),
        (draw(1, 3, 4), _real(2, n=3), 1, 2),
        (torch.ones(1, 1, 1), _real(1, n=1), 0, 1),
        case(0, 1, 3, 2, n=4),
        case(2, 3, 4, 5, 3, n=5),
        case(1, 5, 2, 4, 1, 3, n=6),
        case(3, 4, 3, 2, 6, 4, 1, 5, n=7),
        (draw.apart(2, 4, 6), _real(4, 2, n=4), 1, 3),
        case(1, 6, 5, *range(3, 39, 3), n=40),
    ]


Change = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]  # a head's outputs and the words -> what stands there


def _replaced(change: Change, shift: int = 0) -> Callable[[torch.Tensor, torch.Tensor, int, int], torch.Tensor]:
    """A way to replace what one head gives, or the head that comes `shift` after it."""

    def makes(joined: torch.Tensor, real: torch.Tensor, head: int, n_heads: int) -> torch.Tensor:
        split = joined.unflatten(-1, (n_heads, -1)).clone()  # (batch, n, n_heads, d_head)
        at = (head + shift) % n_heads
        split[..., at, :] = change(split[..., at, :], real)
        return split.flatten(-2)

    return makes


def _mean_of_words(given: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return given[real].mean(0).expand_as(given)


_without_head = _replaced(_mean_of_words)


def _strided(joined: torch.Tensor, real: torch.Tensor, head: int, n_heads: int) -> torch.Tensor:
    """Take every n_heads-th column for the head's."""
    result = joined.clone()
    result[..., head::n_heads] = joined[real][:, head::n_heads].mean(0)
    return result


def _only_this_head(joined: torch.Tensor, real: torch.Tensor, head: int, n_heads: int) -> torch.Tensor:
    split = joined.unflatten(-1, (n_heads, -1))
    others = torch.arange(n_heads) != head
    return torch.where(others[:, None], split[real].mean(0).expand_as(split), split).flatten(-2)


def _one_column(joined: torch.Tensor, real: torch.Tensor, head: int, n_heads: int) -> torch.Tensor:
    result = joined.clone()
    result[..., head] = joined[real][:, head].mean()
    return result


def _only_its_columns(joined: torch.Tensor, real: torch.Tensor, head: int, n_heads: int) -> torch.Tensor:
    split = joined.unflatten(-1, (n_heads, -1))[..., head, :]
    return _mean_of_words(split, real).contiguous()


def _d_head(joined: torch.Tensor, n_heads: int) -> int:
    return joined.shape[-1] // n_heads


def _columns_set(joined: torch.Tensor, real: torch.Tensor, columns: slice) -> torch.Tensor:
    """Replace these columns by their means."""
    result = joined.clone()
    result[..., columns] = joined[real][:, columns].mean(0)
    return result


def _rows_set(joined: torch.Tensor, real: torch.Tensor, rows: slice) -> torch.Tensor:
    result = joined.clone()
    result[:, rows] = joined[real].mean(0)
    return result


def _heads_before_places(joined: torch.Tensor, real: torch.Tensor, head: int, n_heads: int) -> torch.Tensor:
    parts = joined.reshape(len(joined), n_heads, joined.shape[1], -1).clone()
    parts[:, head] = parts[:, head][real].mean(0)
    return parts.reshape(joined.shape)


# --- what a place tells ---


def _place_cases(draw: Draw) -> list[Arguments]:
    def of(n: int, n_places: int) -> Arguments:
        return draw.whole(n, below=n_places), draw.whole(n, below=2)

    return [
        (torch.tensor([1, 1, 4, 4, 4, 6]), torch.tensor([1, 1, 0, 0, 1, 0])),
        (torch.tensor([1, 1, 4, 4, 4, 6]), torch.tensor([0, 0, 1, 0, 1, 1])),
        (torch.tensor([3]), torch.tensor([1])),
        (torch.tensor([2, 2, 2, 5, 5]), torch.tensor([0, 0, 1, 0, 0])),
        (torch.tensor([0, 1, 2, 0, 1, 2, 0]), torch.tensor([1, 0, 1, 1, 0, 1, 0])),
        (torch.tensor([9, 9, 9, 9, 0, 0, 0]), torch.tensor([1, 1, 1, 1, 1, 0, 0])),
        of(40, 4),
        of(300, 9),
    ]


def _counts(places: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """How many texts have each label at each place that comes, (n_places, 2)."""
    return torch.stack([labels[places == place].bincount(minlength=2) for place in places.unique()])


def _by_place(places: torch.Tensor, labels: torch.Tensor) -> float:
    return int(_counts(places, labels).amax(-1).sum()) / len(labels)


def _best_border(places: torch.Tensor, labels: torch.Tensor) -> float:
    """With one border: one label below it, the other label from there on."""
    shares = [float(((places < border) == labels).double().mean()) for border in range(int(places.max()) + 2)]
    return max(*shares, *(1 - share for share in shares))


def _guess_kept(places: torch.Tensor, labels: torch.Tensor, newest: bool) -> float:
    """A dictionary that keeps the first, or the newest, label of each place."""
    guess: dict[int, int] = {}
    for place, label in zip(places.tolist(), labels.tolist(), strict=True):
        if newest or place not in guess:
            guess[place] = label
    return sum(guess[place] == label for place, label in zip(places.tolist(), labels.tolist(), strict=True)) / len(
        labels
    )


EXERCISES = [
    Exercise(
        name="masked_mean",
        lesson=14,
        statement="Take the mean over the words of each text, and leave out the padding.",
        reference=_masked_mean,
        cases=_mean_cases,
        verified="Each text is the mean of its words, however much padding comes after them.",
        mistakes=[
            Mistake(
                "padding-counts",
                lambda x, real: x.mean(-2),
                "The vectors of padding are in your mean. They are no words, and longer padding would change the "
                "result.",
            ),
            Mistake(
                "divided-by-all",
                lambda x, real: (x * real[..., None]).mean(-2),
                "Padding adds nothing to your sum, but you still divide by the number of all places. So a short "
                "text gets a short vector.",
            ),
            Mistake(
                "sum",
                lambda x, real: (x * real[..., None]).sum(-2),
                "You add up and do not divide. Then a long text gets a long vector.",
            ),
            Mistake(
                "only-padding",
                lambda x, real: (x * ~real[..., None]).sum(-2) / (~real).sum(-1)[..., None].clamp(min=1),
                "The mask is inverted: your mean is over the padding.",
            ),
            Mistake(
                "words-of-the-batch",
                lambda x, real: (x * real[..., None]).sum(-2) / real.sum(),
                "You divide by the words of the whole batch. Each text has a number of words of its own.",
            ),
            Mistake(
                "mean-of-the-batch",
                lambda x, real: (x * real[..., None]).sum((0, 1)) / real.sum(),
                "All texts have become one vector. Which axis holds the places?",
            ),
            Mistake(
                "largest",
                lambda x, real: x.masked_fill(~real[..., None], -torch.inf).amax(-2),
                "You take the largest of each number, not the mean. Both are used in practice; here the mean is "
                "wanted.",
            ),
            Mistake(
                "first-word",
                lambda x, real: x[..., 0, :],
                "You return the first word's vector. The mean takes all words.",
            ),
            Mistake(
                "no-keepdim",
                lambda x, real: (x * real[..., None]).sum(1) / real.sum(1),
                "The sum is (batch, d_model), the number of words only (batch,), so torch divides along the wrong "
                "axis. Keep an axis of size 1 in what you divide by.",
            ),
            Mistake(
                "over-the-features",
                lambda x, real: (x * real[..., None]).sum(-1) / real.sum(1, keepdim=True),
                "You add up the numbers of each vector. Add up the vectors of a text: which axis holds the places?",
            ),
            Mistake(
                "over-the-texts",
                lambda x, real: (x * real[..., None]).sum(0) / real.sum(0)[:, None],
                "You add up over the texts of the batch. Each text has a mean of its own: which axis holds the places?",
            ),
            Mistake(
                "most-words",
                lambda x, real: (x * real[..., None]).sum(1) / real.sum(1).max(),
                "You divide each text by the number of words of the longest one.",
            ),
            Mistake(
                "one-too-many",
                lambda x, real: (x * real[..., None]).sum(1) / (real.sum(1, keepdim=True) + 1),
                "You divide by one word more than there are. Each text has at least one, so there is no division by 0.",
            ),
            Mistake(
                "root",
                lambda x, real: (x * real[..., None]).sum(1) / real.sum(1, keepdim=True) ** 0.5,
                "You divide by the root of the number of words. A mean divides by the number itself.",
            ),
            Mistake(
                "as-many-as-the-first",
                lambda x, real: x[:, : int(real[0].sum())].mean(1),
                "You take as many words of each text as the first one has.",
            ),
            Mistake(
                "one-mean-for-all",
                lambda x, real: x[real].mean(0).expand(len(x), -1),
                "All texts get the same vector: `x[real]` puts the words of all texts into one row after the other.",
            ),
            Mistake(
                "first-text-only",
                lambda x, real: _masked_mean(x, real)[:1],
                "Only the first text is there. Does your function return inside the loop?",
            ),
            Mistake(
                "zeros-are-padding",
                lambda x, real: x.sum(1) / (x != 0).sum(1),
                "You count the numbers that are not 0, but padding has vectors here, too. What is `real` for?",
            ),
            Mistake(
                "filled-with-inf",
                lambda x, real: x.masked_fill(~real[..., None], -torch.inf).mean(1),
                "You fill the padding with -inf, as before softmax. In a sum it has to add nothing: 0.",
            ),
            Mistake(
                "median",
                lambda x, real: torch.stack(
                    [text[words].median(0).values for text, words in zip(x, real, strict=True)]
                ),
                "You take the median in place of the mean.",
            ),
            Mistake(
                "last-word",
                lambda x, real: x[torch.arange(len(x)), real.sum(1) - 1],
                "You return the last word's vector. The mean takes all words.",
            ),
        ],
        hints=[
            "Two things are wrong with a plain mean: what is added, and what it is divided by.",
            "`real` is (batch, n) and `x` is (batch, n, d_model): give `real` one more axis, then multiply.",
            "Divide the sum over the places by `real.sum(-1)`, which also needs one more axis.",
        ],
    ),
    Exercise(
        name="word_numbers",
        lesson=14,
        statement="Turn a reader without attention into a list of words with one number each.",
        reference=_word_numbers,
        cases=_number_cases,
        verified="The mean of a text's numbers is the score of the reader: vectors say no more than one number a word.",
        mistakes=[
            Mistake(
                "no-bias",
                lambda table, weight, bias: table.shape[-1] ** 0.5 * table @ weight,
                "The bias is missing, so each score is off by the same amount.",
            ),
            Mistake(
                "no-root",
                lambda table, weight, bias: table @ weight + bias,
                "You do not multiply the vectors by the root of d_model, as the reader does.",
            ),
            Mistake(
                "root-of-the-words",
                lambda table, weight, bias: table.shape[0] ** 0.5 * table @ weight + bias,
                "You take the root of the number of words. Which axis of `table` is d_model?",
            ),
            Mistake(
                "divided-by-the-root",
                lambda table, weight, bias: table @ weight / table.shape[-1] ** 0.5 + bias,
                "Your products are too small: the root of d_model multiplies, it does not divide, and the products of "
                "a row are added up, without a mean.",
            ),
            Mistake(
                "bias-shared-out",
                lambda table, weight, bias: table.shape[-1] ** 0.5 * table @ weight + bias / len(table),
                "You share the bias among the words. That would be right for a sum; in a mean, what all numbers hold "
                "stays as it is.",
            ),
            Mistake(
                "root-of-the-bias-too",
                lambda table, weight, bias: table.shape[-1] ** 0.5 * (table @ weight + bias),
                "You multiply the bias by the root, too. The reader multiplies only the vectors.",
            ),
            Mistake(
                "probabilities",
                lambda table, weight, bias: _word_numbers(table, weight, bias).sigmoid(),
                "You take the sigmoid. A mean of probabilities is not the probability of the mean score.",
            ),
            Mistake(
                "largest",
                lambda table, weight, bias: (table.shape[-1] ** 0.5 * table * weight).amax(-1) + bias,
                "You keep the largest product of each word. A linear layer adds them up.",
            ),
            Mistake(
                "times-d-model",
                lambda table, weight, bias: table.shape[-1] * table @ weight + bias,
                "You multiply by d_model in place of its root. Is the root there twice?",
            ),
            Mistake(
                "not-summed",
                lambda table, weight, bias: table.shape[-1] ** 0.5 * table * weight + bias,
                "You multiply number by number and do not add up: a word gets d_model numbers in place of one.",
            ),
            Mistake(
                "over-the-words",
                lambda table, weight, bias: table.shape[-1] ** 0.5 * (table * weight).sum(0) + bias,
                "You add up over the words. Each word keeps a number of its own: add up over d_model.",
            ),
            Mistake(
                "mean-of-all-words",
                lambda table, weight, bias: table.shape[-1] ** 0.5 * table.mean(0) @ weight + bias,
                "You take the mean over all words there are, and get one number. Each word gets its own.",
            ),
            Mistake(
                "divided-by-the-words",
                lambda table, weight, bias: _word_numbers(table, weight, bias) / len(table),
                "You divide by the number of words in the table. The mean is taken later, over the words of a text.",
            ),
            Mistake(
                "bias-subtracted",
                lambda table, weight, bias: table.shape[-1] ** 0.5 * table @ weight - bias,
                "You subtract the bias. It is added.",
            ),
            Mistake(
                "root-of-32",
                lambda table, weight, bias: 32**0.5 * table @ weight + bias,
                "You multiply by the root of 32, as long as the vectors of the lesson are. Here they may be of another "
                "length.",
            ),
            Mistake(
                "shared-out",
                lambda table, weight, bias: _word_numbers(table, weight, bias).softmax(0),
                "You take softmax over the words. A score is no share of 1.",
            ),
            Mistake(
                "first-word-only",
                lambda table, weight, bias: _word_numbers(table, weight, bias)[:1],
                "Only the first word has a number. Does your function return inside the loop?",
            ),
            Mistake(
                "lengths-lost",
                lambda table, weight, bias: (
                    table.shape[-1] ** 0.5 * torch.nn.functional.normalize(table, dim=-1) @ weight + bias
                ),
                "You bring all vectors to the same length first. The reader takes them as they are.",
            ),
            Mistake(
                "length-of-the-weight",
                lambda table, weight, bias: table @ weight * weight.norm() + bias,
                "You multiply by the length of `weight`. The reader multiplies by the root of d_model.",
            ),
            Mistake(
                "cosine",
                lambda table, weight, bias: torch.cosine_similarity(table, weight[None], dim=-1) + bias,
                "You take the cosine similarity, which drops the lengths. The score is a dot product.",
            ),
        ],
        hints=[
            "What score does the reader give a text that is a single word? That is the word's number.",
            "A linear layer of a mean is the mean of the linear layer: apply it to each row of the table.",
            "The mean of numbers that all hold the bias holds it once.",
        ],
    ),
    Exercise(
        name="without_head",
        lesson=14,
        statement="Replace what one head gives by its mean over the words of the batch.",
        reference=_without_head,
        cases=_head_cases,
        verified="What this head gives no longer depends on the text, and the others are as they were.",
        gradient=False,
        mistakes=[
            Mistake(
                "padding-counts",
                _replaced(lambda given, real: given.mean((0, 1)).expand_as(given)),
                "Padding is in your mean. Only the rows of words count.",
            ),
            Mistake(
                "mean-of-each-text",
                _replaced(
                    lambda given, real: ((given * real[..., None]).sum(-2) / real.sum(-1)[:, None])[:, None].expand_as(
                        given
                    )
                ),
                "You take a mean for each text, which still tells something about the text. One mean for the batch is "
                "wanted.",
            ),
            Mistake(
                "zeros",
                _replaced(lambda given, real: torch.zeros_like(given)),
                "You put 0 there. What follows has never met a head that gives 0; its mean is what it mostly meets.",
            ),
            Mistake(
                "one-number",
                _replaced(lambda given, real: given[real].mean().expand_as(given)),
                "You average over the head's columns as well. Each column has a mean of its own.",
            ),
            Mistake(
                "next-head",
                _replaced(_mean_of_words, shift=1),
                "You replace the head after it. Heads are counted from 0.",
            ),
            Mistake(
                "every-nth-column",
                _strided,
                "You take every n_heads-th column. The columns of a head stand side by side.",
            ),
            Mistake("one-column", _one_column, "You replace one column. A head has d_model / n_heads of them."),
            Mistake("head-alone", _only_this_head, "You keep this head and replace the others."),
            Mistake(
                "its-columns-only",
                _only_its_columns,
                "You return the columns of the head alone. The others belong to the result as they were.",
            ),
            Mistake(
                "counted-from-1",
                lambda joined, real, head, n_heads: _columns_set(
                    joined, real, slice((head - 1) * _d_head(joined, n_heads), head * _d_head(joined, n_heads))
                ),
                "You replace the head before it. Head 0 has the first columns.",
            ),
            Mistake(
                "width-of-n-heads",
                lambda joined, real, head, n_heads: _columns_set(
                    joined, real, slice(head * n_heads, (head + 1) * n_heads)
                ),
                "Your head has `n_heads` columns. It has d_model / n_heads of them.",
            ),
            Mistake(
                "ends-at-d-head",
                lambda joined, real, head, n_heads: _columns_set(
                    joined, real, slice(head * _d_head(joined, n_heads), _d_head(joined, n_heads))
                ),
                "Your columns end at d_head, so only head 0 has any. Head h ends at (h + 1) * d_head.",
            ),
            Mistake(
                "unchanged",
                lambda joined, real, head, n_heads: joined.clone(),
                "You return what you were given: nothing is replaced.",
            ),
            Mistake(
                "all-heads",
                lambda joined, real, head, n_heads: joined[real].mean(0).expand_as(joined),
                "You replace all heads by their means. Only this head is left out.",
            ),
            Mistake(
                "mean-of-padding",
                _replaced(lambda given, real: given[~real].mean(0).expand_as(given)),
                "The mask is inverted: your mean is over the padding.",
            ),
            Mistake(
                "divided-by-all",
                _replaced(lambda given, real: (given * real[..., None]).mean((0, 1)).expand_as(given)),
                "Padding adds nothing to your sum, but you still divide by the number of all places.",
            ),
            Mistake(
                "sum",
                _replaced(lambda given, real: given[real].sum(0).expand_as(given)),
                "You put the sum there, not the mean.",
            ),
            Mistake(
                "mean-subtracted",
                _replaced(lambda given, real: given - given[real].mean(0)),
                "You subtract the mean. The head then still says how each word differs; put the mean in its place.",
            ),
            Mistake(
                "mean-of-each-place",
                _replaced(
                    lambda given, real: (
                        (given * real[..., None]).sum(0) / real.sum(0)[:, None].clamp(min=1)
                    ).expand_as(given)
                ),
                "You take a mean for each place, over the texts. One mean for all words of the batch is wanted.",
            ),
            Mistake(
                "rows",
                lambda joined, real, head, n_heads: _rows_set(
                    joined, real, slice(head * _d_head(joined, n_heads), (head + 1) * _d_head(joined, n_heads))
                ),
                "You replace rows, which are places of the text. A head has columns: the last axis.",
            ),
            Mistake(
                "cut-off",
                lambda joined, real, head, n_heads: torch.cat(
                    [part for i, part in enumerate(joined.chunk(n_heads, -1)) if i != head] or [joined[..., :0]], -1
                ),
                "You cut the head's columns off. What follows needs all of them: put the mean there.",
            ),
            Mistake(
                "the-mean-alone",
                lambda joined, real, head, n_heads: joined[real].unflatten(-1, (n_heads, -1))[:, head].mean(0),
                "You return the mean. It has to be put into a copy of `joined`, at each place.",
            ),
            Mistake(
                "heads-before-places",
                _heads_before_places,
                "You view the columns as (n_heads, n), which mixes up places and heads. A row holds the heads side by "
                "side: (n, n_heads, d_head).",
            ),
        ],
        hints=[
            "d_head is d_model / n_heads, and head h has the columns from h * d_head up to (h + 1) * d_head.",
            "`joined[real]` keeps the rows of words: (n_words, d_model). Take the mean of its columns over dim 0.",
            "Change a `clone()` of `joined`: whoever writes into `joined` itself changes it for the caller, too.",
        ],
    ),
    Exercise(
        name="right_by_place",
        lesson=14,
        statement="Which share of the labels can a reader get right at most that knows a place and nothing else?",
        reference=_by_place,
        cases=_place_cases,
        verified="Each place says the label that it has more often; no reader that knows only the place does better.",
        gradient=False,
        mistakes=[
            Mistake(
                "how-many",
                lambda places, labels: int(_counts(places, labels).amax(-1).sum()),
                "That is how many labels are right. Which share of all is it?",
            ),
            Mistake(
                "one-label-for-all",
                lambda places, labels: int(labels.bincount().max()) / len(labels),
                "You give all texts the same label. A reader that knows the place may say another label at each place.",
            ),
            Mistake(
                "always-label-1",
                lambda places, labels: int(labels.sum()) / len(labels),
                "That is the share of label 1. At some places label 0 is the better guess.",
            ),
            Mistake(
                "mean-over-places",
                lambda places, labels: float(
                    (_counts(places, labels).amax(-1) / _counts(places, labels).sum(-1)).mean()
                ),
                "You take the mean of the places' shares. A place with many texts has to count more than one with few.",
            ),
            Mistake(
                "best-place",
                lambda places, labels: float(
                    (_counts(places, labels).amax(-1) / _counts(places, labels).sum(-1)).max()
                ),
                "That is the share at the best place. All texts count, wherever their noun stands.",
            ),
            Mistake(
                "worst-place",
                lambda places, labels: float(
                    (_counts(places, labels).amax(-1) / _counts(places, labels).sum(-1)).min()
                ),
                "That is the share at the worst place. All texts count, wherever their noun stands.",
            ),
            Mistake(
                "wrong-ones",
                lambda places, labels: 1 - _by_place(places, labels),
                "That is the share that must be wrong. Each place says the label that it has more often.",
            ),
            Mistake(
                "one-border",
                _best_border,
                "You try one border between the places. A reader may say 1 at place 1, 0 at place 4 and 1 again at 6.",
            ),
            Mistake(
                "one-side-of-a-border",
                lambda places, labels: max(
                    float(((places >= border) == labels).double().mean()) for border in range(int(places.max()) + 2)
                ),
                "You try one border, with label 1 behind it. A reader may say any label at any place.",
            ),
            Mistake(
                "newest-label",
                lambda places, labels: _guess_kept(places, labels, newest=True),
                "Each place says the label of its last text. Is it overwritten in a loop, in place of counted?",
            ),
            Mistake(
                "first-label",
                lambda places, labels: _guess_kept(places, labels, newest=False),
                "Each place says the label of its first text. Which label has it more often?",
            ),
            Mistake(
                "places-counted",
                lambda places, labels: len(places.unique()) / len(places),
                "You count one text for each place. How many of the texts there have the label that is said?",
            ),
            Mistake(
                "sure-places-only",
                lambda places, labels: (
                    int(_counts(places, labels)[_counts(places, labels).amin(-1) == 0].sum()) / len(labels)
                ),
                "You count only places that have one label alone. Where both come, the one that is said is right at "
                "times.",
            ),
            Mistake(
                "half-where-both",
                lambda places, labels: (
                    float(
                        torch.where(
                            _counts(places, labels).amin(-1) == 0,
                            _counts(places, labels).sum(-1),
                            _counts(places, labels).sum(-1) / 2,
                        ).sum()
                    )
                    / len(labels)
                ),
                "Where both labels come you count a half. One of the two may come more often there.",
            ),
            Mistake(
                "place-is-the-label",
                lambda places, labels: float((places == labels).double().mean()),
                "You compare places with labels. A place is where a noun stands, 4 say, and no label.",
            ),
            Mistake(
                "texts-of-a-place",
                lambda places, labels: int(places.bincount().max()) / len(places),
                "That is the share of the place that comes most. Where are the labels?",
            ),
            Mistake(
                "percent",
                lambda places, labels: 100 * _by_place(places, labels),
                "You give percent. A share lies between 0 and 1.",
            ),
        ],
        hints=[
            "Take the texts at place 4 alone, two with label 0 and one with label 1. What should the reader say there, "
            "and how many does it get right?",
            "For each place of `places.unique()`, count the labels in `labels[places == place]`. Which count is right?",
            "Add up these counts, and divide by the number of all texts.",
        ],
    ),
]
