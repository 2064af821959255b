"""Lesson 1, inputs: words become ids, ids become vectors."""

import torch
from torch.nn import functional as F

from helpers.checks.exercise import Arguments, Draw, Exercise, Mistake

WORDS = ["the", "animal", "didn't", "cross", "street", "because", "it", "was", "too", "tired"]
VOCABULARY = {word: number for number, word in enumerate(WORDS)}
TABLE = [[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1], [2, 0, 1, 0], [0, 1, 2, 2]]
MANY = {f"word{number}": (number * 7) % 200 for number in range(200)}


def _word_cases(draw: Draw) -> list[Arguments]:
    return [
        (["the", "animal", "was", "tired"], dict(VOCABULARY)),
        (["because", "the", "street", "it"], dict(VOCABULARY)),
        (["it"], dict(VOCABULARY)),
        (["The", "street", "the"], {"street": 4, "the": 0, "The": 2, "it": 1}),
        ([*WORDS[6:8], *WORDS, "the", "street"], dict(VOCABULARY)),
        ([f"word{int(number)}" for number in draw.whole(300, below=200)], dict(MANY)),
    ]


def _id_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([0, 1, 7, 9]), 10),
        (torch.tensor([5, 0, 4, 6]), 10),
        (torch.tensor([0]), 1),
        (torch.tensor([2]), 5),
        (torch.tensor([3, 1, 3]), 6),
        (draw.whole(14, below=9)[::2], 9),
        (draw.whole(120, below=50), 50),
    ]


def _table_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([0, 2, 1]), torch.tensor(TABLE)),
        (torch.tensor([4, 1, 2]), draw(5, 4)),
        (torch.tensor([0]), draw(1, 1)),
        (torch.tensor([2]), draw(6, 3)),
        (torch.tensor([3, 0, 3, 1, 3, 2, 0]), draw(8, 9)),
        (torch.tensor([5, 1]), draw(7, 3, dtype=torch.float64)),
        (draw.whole(8, below=9)[::2], draw.apart(9, 5)),
        (draw.whole(60, below=50), draw(50, 30)),
    ]


def _vector_cases(draw: Draw) -> list[Arguments]:
    return [
        (torch.tensor([0.0, 1, 1, 2]), torch.tensor(TABLE)),
        (draw(4), draw(5, 4)),
        (draw(1), draw(1, 1)),
        (draw(1), draw(6, 1)),
        (draw(3), draw(8, 3)),
        (draw(2, dtype=torch.float64), draw(7, 2, dtype=torch.float64)),
        (draw.apart(5), draw.apart(9, 5)),
        (draw(30), draw(50, 30)),
    ]


EXERCISES = [
    Exercise(
        name="token_ids",
        lesson=1,
        statement="Give each word its id in the vocabulary.",
        reference=lambda words, vocabulary: [vocabulary[word] for word in words],
        cases=_word_cases,
        verified="Each word has its id, in the order of the sentence, also words that come twice.",
        gradient=False,
        mistakes=[
            Mistake(
                "positions",
                lambda words, vocabulary: list(range(len(words))),
                "You number the words by their place in the sentence. An id says where a word stands in the "
                "vocabulary.",
            ),
            Mistake(
                "repeats-dropped",
                lambda words, vocabulary: [vocabulary[word] for word in dict.fromkeys(words)],
                "A word that comes twice has only one id in your list. Each word of the sentence needs its id, so "
                "that the list is as long as the sentence.",
            ),
            Mistake(
                "sorted",
                lambda words, vocabulary: sorted(vocabulary[word] for word in words),
                "Your ids are sorted by size, so the order of the words is lost.",
            ),
            Mistake(
                "from-one",
                lambda words, vocabulary: [vocabulary[word] + 1 for word in words],
                "Each id is one too high. Ids count from 0 here, and the vocabulary already holds the right ones.",
            ),
            Mistake(
                "whole-vocabulary",
                lambda words, vocabulary: list(vocabulary.values()),
                "You return the ids of the whole vocabulary. Which words does the sentence have?",
            ),
            Mistake(
                "lower-case",
                lambda words, vocabulary: [vocabulary[word.lower()] for word in words],
                'You change the words to lower case first. Here "The" and "the" are two words with two ids.',
            ),
            Mistake(
                "reversed",
                lambda words, vocabulary: [vocabulary[word] for word in reversed(words)],
                "Your ids come in the opposite order: the last word first.",
            ),
        ],
        hints=[
            '`vocabulary` is a dictionary. What do you get for `vocabulary["animal"]`?',
            "Go through `words` one after the other and look each up. The result is a list as long as `words`.",
        ],
    ),
    Exercise(
        name="one_hot_rows",
        lesson=1,
        statement="Make a row for each id: 1 at the place of the id, 0 elsewhere, as floats.",
        reference=lambda ids, vocab_size: F.one_hot(ids, vocab_size).float(),
        cases=_id_cases,
        verified="Each row has its single 1 at the place of the id, and as many places as the vocabulary has words.",
        gradient=False,
        mistakes=[
            Mistake(
                "transposed",
                lambda ids, vocab_size: F.one_hot(ids, vocab_size).float().T,
                "You have a column for each word. Rows are words here, and columns are places in the vocabulary.",
            ),
            Mistake(
                "positions",
                lambda ids, vocab_size: torch.eye(len(ids), vocab_size),
                "In your row i the 1 stands at place i. It must stand at the place that the id says.",
            ),
            Mistake(
                "from-one",
                lambda ids, vocab_size: F.one_hot((ids - 1) % vocab_size, vocab_size).float(),
                "Your 1 stands one place too far left. Places count from 0, as ids do.",
            ),
            Mistake(
                "one-row",
                lambda ids, vocab_size: F.one_hot(ids, vocab_size).float().sum(0),
                "You have one row for the whole sentence. It says which words come, but not in which order: make "
                "a row for each word.",
            ),
            Mistake(
                "id-instead-of-1",
                lambda ids, vocab_size: F.one_hot(ids, vocab_size) * ids[:, None].float(),
                "At the right place you write the id itself. A one-hot row has a 1 there, whatever the id is.",
            ),
            Mistake(
                "too-narrow",
                lambda ids, vocab_size: F.one_hot(ids).float(),
                "Your rows end at the largest id that comes. Each row needs a place for every word of the "
                "vocabulary, so that sentences fit the same table.",
            ),
            Mistake(
                "all-ones",
                lambda ids, vocab_size: (torch.arange(vocab_size) <= ids[:, None]).float(),
                "Your rows have ones all the way up to the id. Only the place of the id itself has a 1.",
            ),
        ],
        hints=[
            "How many rows and columns are there? Start with zeros of that shape.",
            "In row i there is one place to fill, and `ids[i]` says which.",
            "For all rows at once: compare the column numbers 0, 1, 2 ... with each id.",
        ],
    ),
    Exercise(
        name="embed",
        lesson=1,
        statement="Look up the vector of each id in the table.",
        reference=lambda ids, table: table[ids],
        cases=_table_cases,
        verified="Each word has the row of its id, and the same word has the same vector everywhere.",
        mistakes=[
            Mistake(
                "columns",
                lambda ids, table: table[:, ids],
                "You pick columns of the table. A word's vector is a row: the first index says which.",
            ),
            Mistake(
                "first-rows",
                lambda ids, table: table[: len(ids)],
                "You take the first rows of the table, whatever the ids are. Row i of the result belongs to `ids[i]`.",
            ),
            Mistake(
                "summed",
                lambda ids, table: table[ids].sum(0),
                "You add the vectors of all words up. Attention needs a vector for each word.",
            ),
            Mistake(
                "averaged",
                lambda ids, table: table[ids].mean(0),
                "You average over the words. Attention needs a vector for each word.",
            ),
            Mistake(
                "transposed",
                lambda ids, table: table[ids].T,
                "You have a column for each word. Rows are words, all through the course.",
            ),
            Mistake(
                "from-one",
                lambda ids, table: table[ids - 1],
                "Each word has the row before its own. Ids count from 0, as rows do.",
            ),
            Mistake(
                "repeats-dropped",
                lambda ids, table: table[ids.unique()],
                "A word that comes twice has only one row in your result, or the order is lost. Each word of the "
                "sentence needs its row, in the order of the sentence.",
            ),
        ],
        hints=[
            "What does `table[5]` give, and what `table[torch.tensor([5, 0])]`?",
            "A one-hot row times the table does the same; so does picking all rows at once with `ids` as the index.",
        ],
    ),
    Exercise(
        name="nearest_id",
        lesson=1,
        statement="Give the id of the word whose row lies nearest to a vector.",
        reference=lambda vector, table: int((table - vector).square().sum(-1).argmin()),
        cases=_vector_cases,
        verified="Of all rows, the one at the smallest distance.",
        gradient=False,
        mistakes=[
            Mistake(
                "farthest",
                lambda vector, table: int((table - vector).norm(dim=-1).argmax()),
                "You give the row that is farthest away. The nearest has the smallest distance.",
            ),
            Mistake(
                "product",
                lambda vector, table: int((table @ vector).argmax()),
                "You take the row with the largest product. A long row can win that from far away: compare distances.",
            ),
            Mistake(
                "signs-kept",
                lambda vector, table: int((table - vector).sum(-1).argmin()),
                "You add up the differences with their signs, so that too much here makes up for too little there. "
                "Square them first.",
            ),
            Mistake(
                "wrong-axis",
                lambda vector, table: int((table - vector).norm(dim=0).argmin()),
                "You add up along the wrong axis, so your result is the number of a column. A word is a row.",
            ),
            Mistake(
                "distance",
                lambda vector, table: float((table - vector).norm(dim=-1).min()),
                "You return the smallest distance. Asked for is the id of the row that has it.",
            ),
            Mistake(
                "from-one",
                lambda vector, table: int((table - vector).norm(dim=-1).argmin()) + 1,
                "Your id is one too high. Ids count from 0.",
            ),
        ],
        hints=[
            "What is `table - vector`? Which numbers of it belong to one word?",
            "The distance between two vectors: square the differences, add them up, and take the root.",
            "`argmin` gives the place of the smallest number.",
        ],
    ),
]
