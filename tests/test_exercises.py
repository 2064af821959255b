"""The exercises: every mistake is named, every right function passes, and whatever a function does the notebook lives.

Solutions and stubs are read from the notebooks, so that there is one source of each.
"""

import itertools
import json
import linecache
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from helpers.checks import progress as progress_file
from helpers.checks import sandbox
from helpers.checks.judge import judge
from helpers.checks.side_by_side import side_by_side
from helpers.checks.verdict import RIGHT, UNTRIED, WRONG
from helpers.exercises import check, exercises, hint, progress

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
EXERCISES = exercises()
MISTAKES = [(exercise, mistake) for exercise in EXERCISES.values() for mistake in exercise.mistakes]
CORE = range(1, 17)  # the lessons that must have exercises


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    """No test writes progress anywhere else, or finds what another one has solved."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(progress_file.RECORD, raising=False)
    monkeypatch.setattr(progress_file, "_unsaved", set())
    return tmp_path


def code_cells(lesson):
    """The code cells of a lesson's notebook, each (source, metadata)."""
    (path,) = NOTEBOOKS.glob(f"{lesson:02}-*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [("".join(cell["source"]), cell["metadata"]) for cell in cells if cell["cell_type"] == "code"]


def solutions(lesson):
    """Name and function of each solution in a lesson's notebook; later ones may use earlier ones."""
    names = {"torch": torch, "nn": torch.nn}
    found = {}
    for source, metadata in code_cells(lesson):
        title = re.match(r'# Solution of "(\w+)": click to open\n', source)
        if title:
            exec(source, names)
            found[title[1]] = names[f"{title[1]}_solution"], source, metadata
    return found


def from_cell(source, name="f"):
    """A function made as JupyterLab makes it: its source is known by the name of its cell."""
    file = f"<cell {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"torch": torch, "np": np, "F": F}
    exec(compile(source, file, "exec"), names)
    return names[name]


# --- the catalogue ---


def test_each_lesson_has_two_to_four_exercises_with_enough_mistakes_and_hints():
    for lesson in CORE:
        assert 2 <= sum(exercise.lesson == lesson for exercise in EXERCISES.values()) <= 4, lesson
    for exercise in EXERCISES.values():
        assert len(exercise.mistakes) >= 4, exercise.name
        assert len({mistake.id for mistake in exercise.mistakes}) == len(exercise.mistakes), exercise.name
        assert len({mistake.message for mistake in exercise.mistakes}) == len(exercise.mistakes), exercise.name
        assert 2 <= len(exercise.hints) <= 3, exercise.name
    assert len(MISTAKES) >= 120


def test_messages_are_short_sentences():
    for exercise, mistake in MISTAKES:
        assert len(mistake.message) <= 260 and mistake.message[-1] in ".?", (exercise.name, mistake.id)
        assert not re.search(r"[a-z]\.  |—", mistake.message), (exercise.name, mistake.id)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_cases_are_of_every_kind(exercise):
    cases = exercise.draw_cases()
    assert len(cases) >= 6
    assert str(cases) == str(exercise.draw_cases())  # the same each time, whatever the seed
    tensors = [[part for part in case if isinstance(part, torch.Tensor)] for case in cases]
    assert any(not parts or parts[0].numel() == 1 for parts in tensors)
    shapes = [[tuple(part.shape) for part in parts] for parts in tensors]
    assert shapes[0] == shapes[1]  # the example, and other numbers of the same sizes
    if any(part.is_floating_point() for part in tensors[0]):
        flat = list(itertools.chain(*tensors))
        assert any(part.dtype == torch.float64 for part in flat)
        assert any(not part.is_contiguous() for part in flat)
        assert max(part.numel() for part in flat) >= 200
        assert all(part.isfinite().all() for part in flat if part.is_floating_point())


# --- the notebooks ---


@pytest.mark.parametrize("lesson", CORE)
def test_notebook_has_a_stub_that_is_not_tried_and_a_closed_solution_for_each_exercise(lesson):
    names = [exercise.name for exercise in EXERCISES.values() if exercise.lesson == lesson]
    cells = code_cells(lesson)
    checked = [re.findall(r'^check\("(\w+)", (\w+)\)\s*\Z', source, re.M) for source, _ in cells]
    assert [pair for pairs in checked for pair in pairs] == [(name, name) for name in names]
    for source, _ in cells:
        called = re.search(r'^check\("(\w+)"', source, re.M)
        if called:
            assert len(source.splitlines()) <= 20
            assert judge(EXERCISES[called[1]], from_cell(source.rpartition("check(")[0], called[1])).status == UNTRIED
    found = solutions(lesson)
    assert list(found) == names
    for _, source, metadata in found.values():
        assert metadata["jupyter"]["source_hidden"] and "hide-input" in metadata["tags"]
        assert len(source.splitlines()) <= 20


@pytest.mark.parametrize("lesson", CORE)
def test_every_solution_is_right(lesson):
    for name, (function, _, _) in solutions(lesson).items():
        start = time.perf_counter()
        verdict = judge(EXERCISES[name], function)
        taken = time.perf_counter() - start
        assert verdict.status == RIGHT, f"{name}: {verdict}"
        assert verdict.remarks == []
        print(f"{name} {taken * 1000:.0f} ms")  # shown by pytest -s; no assertion, as machines differ


# --- known mistakes ---


@pytest.mark.parametrize(("exercise", "mistake"), MISTAKES, ids=[f"{e.name}-{m.id}" for e, m in MISTAKES])
def test_known_mistake_gets_its_own_message(exercise, mistake):
    verdict = judge(exercise, mistake.makes)
    assert (verdict.status, verdict.mistake, verdict.message) == (WRONG, mistake.id, mistake.message)
    assert mistake.message in repr(verdict)


@pytest.mark.parametrize(
    ("exercise", "mistake"),
    [
        ("softmax", "wrong-axis"),
        ("softmax", "over-everything"),
        ("softmax", "no-max-trick"),
        ("attention_weights", "no-scaling"),
        ("attention_weights", "divided-by-d-k"),
        ("self_attention", "root-of-d-model"),
        ("attention_weights", "scaled-after-softmax"),
        ("score_table", "transpose-forgotten"),
        ("score_table", "keys-and-queries-swapped"),
        ("self_attention", "weights-transposed"),
        ("output_row", "wrong-axis"),
        ("split_heads", "view-straight-to-heads"),
        ("merge_heads", "wrong-order"),
        ("multi_head", "no-output-projection"),
        ("masked_softmax", "mask-inverted"),
        ("masked_softmax", "not-renormalised"),
        ("causal_mask", "diagonal-masked"),
        ("masked_softmax", "zero-instead-of-inf"),
        ("padding_mask", "on-queries"),
        ("decoder_mask", "or"),
    ],
)
def test_the_mistakes_that_people_make_most_are_among_the_known(exercise, mistake):
    assert mistake in [known.id for known in EXERCISES[exercise].mistakes]


# --- mistakes that every exercise shares ---


def in_place(scores):
    scores -= scores.max(-1, keepdim=True).values
    return torch.softmax(scores, -1)


def for_three_rows(scores):
    return torch.stack([torch.softmax(scores[i], -1) for i in range(3)])


def for_three_columns(scores):
    e = [torch.exp(scores[:, j] - scores.max(-1).values) for j in range(3)]
    return torch.stack([one / (e[0] + e[1] + e[2]) for one in e], 1)


def constant(scores):
    return torch.softmax(torch.tensor([[2.0, 4, 4], [4, 16, 12], [4, 12, 10]]), -1)


def with_item(scores):
    out = torch.zeros_like(scores)
    for i, row in enumerate(torch.softmax(scores, -1)):
        for j, weight in enumerate(row):
            out[i, j] = weight.item()
    return out


def through_numpy(scores):
    e = np.exp(scores.numpy() - scores.numpy().max(-1, keepdims=True))
    return torch.from_numpy(e / e.sum(-1, keepdims=True))


def returns_numpy(scores):
    return torch.softmax(scores, -1).numpy()


def detached_sum(scores):
    e = (scores - scores.max(-1, keepdim=True).values).exp()
    return e / e.sum(-1, keepdim=True).detach()


def divides_in_place(scores):
    e = (scores - scores.max(-1, keepdim=True).values).exp()
    e /= e.sum(-1, keepdim=True)
    return e


def endless(scores):
    while True:
        pass


def stubborn(scores):
    while True:
        try:  # noqa: SIM105
            time.sleep(0.001)
        except:  # noqa: E722 (a learner may write this)
            pass


def without_end(scores):
    return without_end(scores)


def noisy_endless(scores):
    while True:
        print("still here")


def prints_only(scores):
    print(torch.softmax(scores, -1))


class Sphinx(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *_):
        raise ValueError("nobody looks at me")


class Teapot(Exception):
    def __str__(self):
        raise ValueError("no text")


def raises(error):
    def function(scores):
        raise error

    return function


SHARED = [
    ("in-place", in_place, "`scores`"),
    ("one-size", for_three_rows, "number of rows of `scores` is 3"),
    ("one-size", for_three_columns, "number of columns of `scores` is 3"),
    ("constant", constant, "whatever the input"),
    ("constant", lambda scores: torch.ones(2, 2), "whatever the input"),
    ("integer", lambda scores: torch.softmax(scores, -1).round().long(), "int64"),
    ("half-precision", lambda scores: torch.softmax(scores, -1).half(), "float16"),
    ("half-precision", lambda scores: torch.softmax(scores, -1).bfloat16(), "bfloat16"),
    ("gradient-cut", lambda scores: torch.softmax(scores, -1).detach(), "`.detach()`"),
    ("gradient-cut", with_item, "`.item()`"),
    ("gradient-cut", through_numpy, "numpy"),
    ("gradient-cut", lambda scores: scores.new_tensor(torch.softmax(scores, -1).tolist()), "`.tolist()`"),
    ("gradient-wrong", detached_sum, "`.detach()`"),
    ("in-place-gradient", divides_in_place, "in place"),
    ("numpy", returns_numpy, "numpy"),
    ("type", lambda scores: torch.softmax(scores, -1).tolist(), "`list`"),
    ("type", lambda scores: 0.5, "`float`"),
    ("type", lambda scores: (scores, scores), "`tuple`"),
    ("type", lambda scores: torch.softmax(scores, -1).to_sparse(), "special"),
    ("type", lambda scores: (yield scores), "yield"),
    ("no-return", prints_only, "prints"),
    ("no-return", lambda scores: scores.softmax(-1) and None if False else print(end=""), "returns nothing"),
    ("arguments", lambda: 1, "no arguments"),
    ("arguments", lambda scores, axis: 1, "2 arguments: `scores`, `axis`, but must take 1 argument: `scores`"),
    ("not-a-function", torch.ones(2, 2), "without brackets"),
    ("not-a-function", None, "without brackets"),
    ("extra-dimension", lambda scores: torch.softmax(scores, -1)[None], "(1, 1, 1)"),
    ("error", lambda scores: torch.softmax(scores, 5), "error"),
    ("error", raises(Teapot()), "error"),
    ("error", lambda scores: scores @ scores @ scores, "Two sizes do not fit"),
    ("unreadable", lambda scores: scores.as_subclass(Sphinx), "nobody looks at me"),
    ("exit", raises(SystemExit(1)), "ends the program"),
    ("interrupted", raises(KeyboardInterrupt()), "interrupted"),
    ("recursion", without_end, "without end"),
    ("memory", lambda scores: torch.empty(10**15), "memory"),
    ("memory", lambda scores: [0] * 10**15, "memory"),
    ("random", lambda scores: torch.rand(scores.shape), "at random"),
    ("shape", lambda scores: torch.softmax(scores, -1).sum(-1), "shape"),
    ("unforeseen", lambda scores: torch.softmax(scores * 1.01, -1), "smallest"),
]


@pytest.mark.parametrize(("id", "function", "words"), SHARED)
def test_shared_mistake_is_named(id, function, words):
    verdict = check("softmax", function)
    assert (verdict.status, verdict.mistake) == (WRONG, id), verdict
    assert words in verdict.message or words in repr(verdict)
    assert verdict._repr_html_()


def test_transposed_result_is_named_where_it_is_not_a_known_mistake():
    verdict = check("masked_softmax", lambda s, m: torch.nan_to_num(torch.softmax(s.masked_fill(~m, -torch.inf), -1)).T)
    assert verdict.mistake == "transposed"


def test_overflow_is_named_where_it_is_not_a_known_mistake():
    def function(query, key, value):
        scores = (query @ key.mT / key.shape[-1] ** 0.5).exp()
        return scores / scores.sum(-1, keepdim=True) @ value

    assert check("batched_attention", function).mistake == "overflow"


def test_mask_of_numbers_is_named():
    assert check("decoder_mask", lambda lengths, n: EXERCISES["decoder_mask"].reference(lengths, n).int()).mistake == (
        "not-boolean"
    )


def test_missing_gradient_names_the_input_that_it_does_not_reach():
    verdict = check("score_table", lambda queries, keys: queries @ keys.detach().T)
    assert verdict.mistake == "gradient-cut" and "`keys`" in verdict.message


def test_weight_that_is_changed_in_place_is_named():
    def function(weight, gradient, learning_rate):
        weight -= learning_rate * gradient
        return weight

    assert check("training_step", function).mistake == "in-place"


def test_two_mistakes_at_once_name_one_of_them():
    assert check("softmax", lambda s: s.exp() / s.exp().sum(-2, keepdim=True)).mistake == "wrong-axis"


# --- right, but unusual ---


def softmax_by_loops(scores):
    rows = []
    for row in scores:
        largest = max(row)
        parts = [torch.exp(score - largest) for score in row]
        rows.append(torch.stack([part / sum(parts) for part in parts]))
    return torch.stack(rows)


def softmax_in_float64(scores):
    return torch.softmax(scores.double(), -1)


def attention_by_loops(query, key, value):
    out = torch.zeros(query.shape[0], query.shape[1], value.shape[2], dtype=value.dtype)
    for b in range(query.shape[0]):
        for i in range(query.shape[1]):
            weights = torch.softmax((key[b] * query[b, i]).sum(1) / key.shape[2] ** 0.5, 0)
            for j in range(key.shape[1]):
                out[b, i] += weights[j] * value[b, j]
    return out


def heads_by_loop(query, key, value, w_output, n_heads):
    parts = zip(query.chunk(n_heads, -1), key.chunk(n_heads, -1), value.chunk(n_heads, -1), strict=True)
    return torch.cat([F.scaled_dot_product_attention(*part) for part in parts], -1) @ w_output


def masked_by_rows(scores, mask):
    out = torch.zeros_like(scores)
    for i in range(len(scores)):
        if mask[i].any():
            out[i, mask[i]] = torch.softmax(scores[i, mask[i]], 0)
    return out


def scores_in_default_dtype(queries, keys):
    table = torch.zeros(len(queries), len(keys))
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            table[i, j] = query.dot(key)
    return table


def linear_layer(x, weight, bias):
    return F.linear(x, weight, bias)


def positions_by_loops(places, d_model):
    rows = torch.zeros(len(places), d_model)
    for row, place in zip(rows, places.tolist(), strict=True):
        for i in range(0, d_model, 2):
            angle = place / 10_000 ** (i / d_model)
            row[i], row[i + 1] = np.sin(angle), np.cos(angle)
    return rows


def positions_by_exp(places, d_model):
    table = torch.empty(len(places), d_model)
    fastness = torch.exp(torch.arange(0, d_model, 2) * -(np.log(10_000) / d_model))
    table[:, 0::2], table[:, 1::2] = torch.sin(places[:, None] * fastness), torch.cos(places[:, None] * fastness)
    return table


def turned_as_complex_numbers(places, x):
    fastness = 10_000.0 ** -(torch.arange(0, x.shape[1], 2, dtype=x.dtype) / x.shape[1])
    turns = torch.polar(torch.ones(len(x), len(fastness), dtype=x.dtype), places[:, None] * fastness)
    return torch.view_as_real(torch.view_as_complex(x.reshape(len(x), -1, 2)) * turns).flatten(1)


def turned_by_neighbours(places, x):
    angles = (places[:, None] / 10_000 ** (torch.arange(0, x.shape[1], 2) / x.shape[1])).repeat_interleave(2, 1)
    neighbours = torch.stack([-x[:, 1::2], x[:, 0::2]], 2).reshape(x.shape)
    return x * angles.cos() + neighbours * angles.sin()


def turned_by_matrices(places, x):
    rows = []
    for place, row in zip(places, x, strict=True):
        angles = (place / 10_000 ** (torch.arange(0, len(row), 2) / len(row))).to(x.dtype)
        turns = [torch.tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]], dtype=x.dtype) for a in angles]
        rows.append(torch.block_diag(*turns) @ row)
    return torch.stack(rows)


def normed_by_rows(x, scale, shift):
    rows = []
    for row in x:
        spread = torch.sqrt(((row - row.sum() / len(row)) ** 2).sum() / len(row) + 1e-5)
        rows.append((row - row.mean()) / spread * scale + shift)
    return torch.stack(rows)


UNUSUAL = [
    ("token_ids", lambda words, vocabulary: tuple(map(vocabulary.get, words))),
    ("token_ids", lambda words, vocabulary: torch.tensor([vocabulary[word] for word in words])),
    ("token_ids", lambda words, vocabulary: np.array([vocabulary[word] for word in words])),
    ("one_hot_rows", lambda ids, vocab_size: (ids[:, None] == torch.arange(vocab_size)).float()),
    ("one_hot_rows", lambda ids, vocab_size: torch.eye(vocab_size)[ids]),
    ("one_hot_rows", lambda ids, vocab_size: torch.zeros(len(ids), vocab_size).scatter_(1, ids[:, None], 1)),
    ("embed", lambda ids, table: F.embedding(ids, table)),
    ("embed", lambda ids, table: F.one_hot(ids, len(table)).to(table.dtype) @ table),
    ("embed", lambda ids, table: torch.stack([table[int(i)] for i in ids])),
    ("count_parameters", lambda *sizes: torch.tensor((sizes[0] + sizes[3]) * (2 * sizes[1] + sizes[2]))),
    ("count_parameters", lambda d_model, d_k, d_v, bias=True: float((d_model + bias) * (2 * d_k + d_v))),
    ("linear", linear_layer),
    ("linear", lambda x, weight, bias: torch.einsum("ni,oi->no", x, weight) + bias),
    ("linear", lambda x, weight, bias: torch.addmm(bias, x, weight.transpose(0, 1))),
    ("xavier_std", lambda d_in, d_out: np.sqrt(2 / (d_in + d_out))),
    ("xavier_std", lambda d_in, d_out: torch.tensor(2 / (d_in + d_out)).sqrt()),
    ("training_step", lambda weight, gradient, learning_rate: weight.add(gradient, alpha=-learning_rate)),
    ("training_step", lambda weight, gradient, learning_rate: torch.clone(weight).sub_(learning_rate * gradient)),
    ("project_row", lambda row, w: torch.stack([sum(row[i] * column[i] for i in range(len(row))) for column in w.T])),
    ("queries_keys_values", lambda x, *ws: [torch.einsum("nd,dk->nk", x, w) for w in ws]),
    ("split_fused", lambda x, w, d_k, d_v: (x @ w[:, :d_k], x @ w[:, d_k : 2 * d_k], x @ w[:, 2 * d_k :])),
    ("split_fused", lambda x, w, d_k, d_v: torch.tensor_split(x @ w, (d_k, 2 * d_k), dim=1)),
    ("score_row", lambda query, keys: torch.einsum("d,kd->k", query, keys)),
    ("score_table", lambda queries, keys: torch.einsum("qd,kd->qk", queries, keys)),
    ("score_table", scores_in_default_dtype),
    ("scaled_scores", lambda queries, keys: queries @ keys.T * keys.size(1) ** -0.5),
    ("scaled_scores", lambda queries, keys: (queries / np.sqrt(keys.size(1))) @ keys.permute(1, 0)),
    ("scaled_scores", lambda queries, keys: queries.matmul(keys.T).div(torch.tensor(keys.shape[1]).sqrt())),
    ("additive_scores", lambda q, k, wq, wk, v: torch.stack([torch.tanh(one @ wq + k @ wk) @ v for one in q])),
    ("softmax", torch.nn.Softmax(dim=1)),
    ("softmax", lambda scores: F.softmax(scores, dim=1)),
    ("softmax", softmax_by_loops),
    ("softmax", softmax_in_float64),
    ("softmax", lambda scores: torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))),
    ("softmax", lambda scores: torch.stack([F.softmax(row, 0) for row in scores])),
    ("softmax", lambda x: (e := torch.exp(x - x.amax(axis=1, keepdims=True))) / e.sum(axis=1, keepdims=True)),
    ("softmax", lambda x: (e := torch.exp(x - x.detach().max(1, keepdim=True).values)) / e.sum(1, keepdim=True)),
    ("softmax_with_temperature", lambda scores, temperature: F.softmax(scores * (1 / temperature), 1)),
    ("attention_weights", lambda q, k: F.softmax(torch.einsum("qd,kd->qk", q, k) / torch.tensor(q.shape[1]) ** 0.5, 1)),
    ("weighted_row", lambda row, values: torch.stack([row[j] * values[j] for j in range(len(row))])),
    ("weighted_row", lambda row, values: torch.diag(row) @ values),
    ("weighted_values", lambda weights, values: torch.einsum("qk,kd->qkd", weights, values)),
    ("weighted_values", lambda weights, values: torch.stack([row.unsqueeze(-1) * values for row in weights])),
    ("output_row", lambda row, values: (row.unsqueeze(1) * values).sum(0)),
    ("output_row", lambda row, values: torch.stack([row.dot(column) for column in values.T])),
    ("batched_attention", F.scaled_dot_product_attention),
    ("batched_attention", lambda query, key, value: F.scaled_dot_product_attention(query, key, value)),
    ("batched_attention", attention_by_loops),
    ("self_attention", lambda x, q, k, v: F.scaled_dot_product_attention(*(x[None] @ w for w in (q, k, v)))[0]),
    ("split_heads", lambda x, n_heads: torch.stack(x.chunk(n_heads, -1), 1)),
    ("split_heads", lambda x, n_heads: x.unflatten(-1, (n_heads, -1)).permute(0, 2, 1, 3).contiguous()),
    ("merge_heads", lambda heads: torch.cat(heads.unbind(1), -1)),
    ("multi_head", heads_by_loop),
    ("drop_weights", lambda weights, keep, p: torch.where(keep, weights / (1 - p), 0)),
    ("causal_mask", lambda n: torch.arange(n)[:, None] >= torch.arange(n)),
    ("causal_mask", lambda n: ~torch.triu(torch.ones(n, n), diagonal=1).bool()),
    ("causal_mask", lambda n: torch.tensor([[j <= i for j in range(n)] for i in range(n)])),
    ("padding_mask", lambda lengths, n: torch.stack([torch.arange(n) < length for length in lengths]).unsqueeze(1)),
    ("masked_softmax", masked_by_rows),
    ("masked_softmax", lambda s, m: torch.nan_to_num(torch.softmax(torch.where(m, s, -torch.inf), 1))),
    ("masked_softmax", lambda s, m: torch.softmax(s.masked_fill(~m, -1e9), -1) * m),
    ("decoder_mask", lambda k, n: torch.ones(len(k), n, n).tril().bool() & (torch.arange(n) < k.view(-1, 1, 1))),
    ("positions_at", positions_by_loops),
    ("positions_at", positions_by_exp),
    ("embed_in_order", lambda i, t, p: torch.stack([t[j] * np.sqrt(t.shape[1]) + p[k] for k, j in enumerate(i)])),
    ("embed_in_order", lambda i, t, p: F.embedding(i, t * t.shape[1] ** 0.5) + p[torch.arange(len(i))]),
    ("embed_in_order", lambda i, t, p: p.narrow(0, 0, i.numel()).add(t.index_select(0, i), alpha=t.size(-1) ** 0.5)),
    ("turn_by_place", turned_as_complex_numbers),
    ("turn_by_place", turned_by_neighbours),
    ("turn_by_place", turned_by_matrices),
    ("layer_norm", lambda x, scale, shift: F.layer_norm(x, x.shape[-1:], scale, shift)),
    (
        "layer_norm",
        lambda x, a, b: (x - x.mean(1, True)) * (x.var(1, correction=0, keepdim=True) + 1e-5).rsqrt() * a + b,
    ),
    ("layer_norm", normed_by_rows),
    ("add_and_norm", lambda x, f, norm, first: (lambda y: y if first else norm(y))(x + f(norm(x) if first else x))),
    ("position_wise", lambda x, w, b, v, c: F.linear(F.linear(x, w.T, b).clamp(min=0), v.T, c)),
    (
        "position_wise",
        lambda x, w, b, v, c: torch.stack([torch.einsum("h,hd->d", F.relu(r @ w + b), v) + c for r in x]),
    ),
    ("position_wise", lambda x, w, b, v, c: torch.addmm(c, (h := torch.addmm(b, x, w)) * (h > 0), v)),
    (
        "cross_attention",
        lambda x, m, *w: F.scaled_dot_product_attention((x @ w[0])[None], *((m @ b)[None] for b in w[1:]))[0],
    ),
    ("cross_attention", lambda x, m, q, k, v: F.softmax(x @ (q @ k.T) @ m.T / k.shape[1] ** 0.5, 1) @ m @ v),
    (
        "cross_attention",
        lambda x, m, q, k, v: torch.stack([F.softmax(m @ k @ (r @ q) / q.shape[1] ** 0.5, 0) @ m @ v for r in x]),
    ),
]


@pytest.mark.parametrize(("name", "function"), UNUSUAL)
def test_right_but_unusual_function_is_right(name, function):
    verdict = check(name, function)
    assert verdict.status == RIGHT, verdict


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_reference_is_right_and_says_what_was_verified(exercise):
    verdict = judge(exercise, exercise.reference)
    assert verdict.status == RIGHT and exercise.verified in verdict.message


def test_other_precision_is_right_with_a_remark():
    assert "float64" in "".join(check("softmax", softmax_in_float64).remarks)


# --- what the verdict shows ---


def test_unforeseen_answer_shows_the_smallest_failing_input_beside_the_expected():
    verdict = check("softmax", lambda scores: torch.softmax(scores * 1.5, -1))
    shown = dict(verdict.details)
    assert list(shown) == ["scores", "your result", "expected"]
    assert "shape (1, 4)" in shown["scores"]  # (1, 1) comes out right
    html = verdict._repr_html_()
    assert html.count("<img alt=") == 2 and "differ from what is expected" in html
    assert repr(verdict) == repr(check("softmax", lambda scores: torch.softmax(scores * 1.5, -1)))


def test_tables_are_drawn_side_by_side_with_the_wrong_cells_named():
    html = side_by_side(torch.tensor([[1.0, 2.0], [3.0, 4.5]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert "your result, 2 by 2" in html and "expected, 2 by 2" in html and "1 of 4 numbers differ" in html


def test_error_is_shown_with_the_learners_own_line_and_no_stack_of_ours():
    function = from_cell("def f(scores):\n    weights = scores.softmaxx(-1)\n    return weights\n")
    text = repr(check("softmax", function))
    assert "line 2: `weights = scores.softmaxx(-1)`" in text and "AttributeError" in text
    assert "judge" not in text and "Traceback" not in text


def test_error_deep_in_torch_is_shown_at_the_learners_line():
    function = from_cell("def f(queries, keys):\n    scores = 1\n    return F.linear(queries, keys[0].expand(2, 99))\n")
    assert "line 3: `return F.linear" in repr(check("score_table", function))


def test_shape_error_of_a_known_mistake_names_the_mistake_and_the_line():
    function = from_cell("def f(queries, keys):\n    return queries @ keys\n")
    verdict = check("score_table", function)
    assert verdict.mistake == "transpose-forgotten" and "line 2" in repr(verdict) and "line 2" in verdict._repr_html_()


def test_printing_is_shown_apart_and_cut(capsys):
    def function(scores):
        print("<b>looking</b>\n" * 50)
        return torch.softmax(scores, -1)

    verdict = check("softmax", function)
    assert verdict.status == RIGHT and capsys.readouterr().out == ""
    assert repr(verdict).count("<b>looking</b>") == 8 and "&lt;b&gt;looking" in verdict._repr_html_()


def test_each_run_shows_the_same_to_the_byte():
    for mistake in (EXERCISES["softmax"].mistakes[0], EXERCISES["score_table"].mistakes[1]):
        first, second = (check("softmax", mistake.makes) for _ in range(2))
        assert (repr(first), first._repr_html_()) == (repr(second), second._repr_html_())


def test_html_needs_no_trust_and_no_colour():
    shown = [check("softmax", f)._repr_html_() for f in (lambda s: torch.softmax(s, -1), lambda s: s, lambda s: None)]
    for html, word in zip(shown, ("Right", "Not yet", "Not tried yet"), strict=True):
        assert f"{word}: softmax" in html
        assert not re.search(r"<script|<style|<svg|onclick|class=|[^-]color:", html)


@pytest.mark.parametrize("body", ["...", "pass", '"""To be written."""', "return None", "return"])
def test_function_that_does_nothing_is_not_tried(body):
    verdict = check("softmax", from_cell(f"def f(scores):\n    {body}\n"))
    assert (verdict.status, verdict.mistake) == (UNTRIED, None)
    assert repr(verdict).startswith("\u25cb Not tried yet: softmax.") and "\n" not in repr(verdict)


# --- whatever the function does ---


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a sleep cannot be interrupted on this system")
@pytest.mark.parametrize("function", [endless, stubborn, noisy_endless])
def test_endless_function_is_stopped(function, monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.2)
    before = signal.getsignal(signal.SIGALRM)
    start = time.monotonic()
    verdict = check("softmax", function)
    assert time.monotonic() - start < 5
    assert verdict.mistake == "endless" and "stopped after" in verdict.message
    assert "in your code: line" in repr(verdict) and len(repr(verdict)) < 2000
    assert signal.getsignal(signal.SIGALRM) is before and signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_endless_function_is_stopped_in_another_thread(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.2)
    found = []
    thread = threading.Thread(target=lambda: found.append(check("softmax", endless)), daemon=True)
    thread.start()
    thread.join(10)
    assert found[0].mistake == "endless"


def test_function_that_is_right_but_slow_is_told_so(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.4)

    def function(scores):
        time.sleep(scores.numel() / 500)
        return torch.softmax(scores, -1)

    assert check("softmax", function).mistake == "too-slow"


def test_global_settings_and_seeds_stay_as_they_were(tmp_path):
    def function(scores):
        torch.manual_seed(1)
        np.random.seed(1)  # noqa: NPY002
        random.seed(1)
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.use_deterministic_algorithms(True)
        sys.setrecursionlimit(5000)
        os.chdir("/")
        return torch.softmax(scores, -1)

    def state():
        seeds = torch.get_rng_state().tolist(), str(np.random.get_state()), random.getstate()  # noqa: NPY002
        modes = torch.get_default_dtype(), torch.is_grad_enabled(), torch.are_deterministic_algorithms_enabled()
        return seeds, modes, sys.getrecursionlimit(), Path.cwd()

    before = state()
    verdict = check("softmax", function)
    assert state() == before
    assert verdict.mistake == "gradient-cut" and "default dtype" in "".join(verdict.remarks)
    assert check("softmax", lambda scores: torch.softmax(scores, -1)).status == RIGHT


def test_check_does_not_depend_on_the_learners_settings():
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            assert check("softmax", lambda scores: torch.softmax(scores, -1)).status == RIGHT
        with torch.inference_mode():
            assert check("linear", linear_layer).status == RIGHT
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_asking_for_input_does_not_wait():
    assert "input()" in repr(check("softmax", lambda scores: input()))


def test_coroutine_is_named_without_a_warning(recwarn):
    async def function(scores):
        return scores

    assert "async" in check("softmax", function).message and not recwarn.list


# --- names, hints ---


def test_unknown_name_is_answered_with_the_nearest():
    assert "`softmax`" in repr(check("sofmax", torch.softmax)) and "`softmax`" in repr(hint("sofmax"))
    assert "none called" in repr(check("zzz", torch.softmax)) and "in quotes" in hint(len)._repr_html_()


def test_hints_come_one_by_one_and_end_with_the_solution(monkeypatch):
    monkeypatch.setattr("helpers.exercises._hints_given", {})
    shown = [repr(hint("softmax")) for _ in range(5)]
    assert [re.search(r"Hint (\d) of 3", text)[1] for text in shown[:3]] == ["1", "2", "3"]
    assert shown[3] == shown[4] and "stands below" in shown[3]
    assert "Hint 1 of 2" in hint("embed")._repr_html_()


# --- progress ---


def solve(name):
    return check(name, EXERCISES[name].reference)


def test_nothing_is_written_before_something_is_solved(tmp_path):
    check("softmax", lambda scores: None)
    check("softmax", lambda scores: scores)
    assert "0 of" in repr(progress()) and list(tmp_path.iterdir()) == []


def test_what_is_solved_is_kept_counted_and_not_lost(tmp_path):
    assert "Lesson 5: 1 of 3 solved." in solve("softmax").remarks
    check("softmax", lambda scores: scores)
    solve("embed")
    assert [path.name for path in tmp_path.iterdir()] == [progress_file.FILE]
    shown = progress()
    assert repr(shown).startswith(f"2 of {len(EXERCISES)} exercises solved")
    assert "lesson 5: 1 of 3   \u2713 softmax" in repr(shown) and "\u2713 <code>softmax</code>" in shown._repr_html_()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b'{"format": "other", "solved": []}',
        b"[" * 100_000,
        b"null",
        b'{"format": "attention-step-by-step 1", "solved": 5}',
    ],
)
def test_broken_or_foreign_file_costs_only_the_progress(tmp_path, content):
    (tmp_path / progress_file.FILE).write_bytes(content)
    assert "0 of" in repr(progress())
    verdict = solve("softmax")
    assert verdict.status == RIGHT and "not kept" in "".join(verdict.remarks)
    assert (tmp_path / progress_file.FILE).read_bytes() == content
    assert "1 of" in repr(progress())  # until the kernel ends


def test_file_with_unknown_names_is_read_and_kept(tmp_path):
    solve("softmax")
    path = tmp_path / progress_file.FILE
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, "solved": ["softmax", "gone", 7]}), encoding="utf-8")
    solve("embed")
    assert json.loads(path.read_text(encoding="utf-8"))["solved"] == ["embed", "gone", "softmax"]
    assert repr(progress()).startswith("2 of")


def test_folder_that_cannot_be_written_costs_only_the_progress(monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr("helpers.checks.progress.write_whole", refuse)
    assert "cannot be written" in "".join(solve("softmax").remarks)


def test_file_that_is_a_folder_costs_only_the_progress(tmp_path):
    (tmp_path / progress_file.FILE).mkdir()
    assert solve("softmax").status == RIGHT and "1 of" in repr(progress())


def test_teachers_run_records_each_check_and_writes_no_progress(tmp_path, monkeypatch):
    monkeypatch.setenv(progress_file.RECORD, str(tmp_path / "record.jsonl"))
    solve("softmax")
    check("embed", lambda ids, table: table[ids].T)
    entries = [json.loads(line) for line in (tmp_path / "record.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(entry["exercise"], entry["status"], entry["mistake"]) for entry in entries] == [
        ("softmax", RIGHT, None),
        ("embed", WRONG, "transposed"),
    ]
    assert not (tmp_path / progress_file.FILE).exists()


def test_importing_the_checks_loads_no_exercise_and_not_torch():
    code = "import sys, helpers.exercises; print([n for n in sys.modules if n == 'torch' or 'lesson_' in n])"
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == "[]\n"
