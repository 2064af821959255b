"""Local, strided and compressed attention, as lesson 16 defines them, and the counters that it uses."""

import pytest
import torch

from benchmarks.cost import fitted_exponent, lesson
from helpers.models.cost import operations, peak_bytes
from helpers.models.transformer import attention

LESSON = lesson()
SIZES = [(1, 1), (2, 1), (5, 9), (7, 3), (12, 4), (33, 8), (64, 16), (101, 10)]  # n, and r or the stride


def inputs(n: int, n_heads: int = 3, d: int = 5, dtype: torch.dtype = torch.float64) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(n)
    return [torch.randn(2, n_heads, n, d, dtype=dtype, generator=generator) for _ in range(3)]


def open_cells(name: str, n: int, size: int, causal: bool) -> torch.Tensor:
    back = torch.arange(n)[:, None] - torch.arange(n)
    mask = back.abs() <= size if name == "local_attention" else back % size == 0
    return mask & (back >= 0) if causal else mask


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-12)])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("n", "size"), SIZES)
@pytest.mark.parametrize("name", ["local_attention", "strided_attention"])
def test_equals_full_attention_under_the_same_mask(name, n, size, causal, dtype, tolerance):
    given = inputs(n, dtype=dtype)
    mask = open_cells(name, n, size, causal)
    results = []
    for function in (
        lambda *qkv: LESSON[name](*qkv, size, causal),
        lambda *qkv: attention(*qkv, mask, need_weights=True)[0],
    ):
        leaves = [x.clone().requires_grad_() for x in given]
        output = function(*leaves)
        (output * given[0].sin()).sum().backward()
        results.append((output, *(leaf.grad for leaf in leaves)))
    for ours, wanted in zip(*results, strict=True):
        torch.testing.assert_close(ours, wanted, atol=tolerance, rtol=0)


def test_values_may_be_wider_than_queries():
    query, key, _ = inputs(13)
    value = inputs(13, d=7)[2]
    for name in ("local_attention", "strided_attention"):
        wanted = attention(query, key, value, open_cells(name, 13, 4, False))[0]
        torch.testing.assert_close(LESSON[name](query, key, value, 4), wanted, atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", ["local_attention", "strided_attention"])
def test_a_size_below_1_is_refused(name):
    with pytest.raises(ValueError, match=r"must be at least 1, .* but is 0"):
        LESSON[name](*inputs(4), 0)


@pytest.mark.parametrize("train", [False, True])
def test_local_attention_is_linear_in_operations_and_memory_and_never_builds_the_table(train):
    costs = []
    for n in (1024, 2048):
        given = [x.requires_grad_(train) for x in inputs(n, n_heads=1, d=8, dtype=torch.float32)]

        def run(*qkv, train=train):
            output = LESSON["local_attention"](*qkv, 16)
            if train:
                output.sum().backward()

        costs.append((operations(run, *given), peak_bytes(run, *given)))
    assert costs[1][0] == 2 * costs[0][0]
    assert costs[1][1] < 2.02 * costs[0][1]
    assert costs[1][1] < 2 * 4 * 2048**2 / 2  # less than half of the two tables, of the batch


def test_compressed_attention_takes_each_third_group_and_loses_no_key_at_the_end():
    torch.manual_seed(0)
    layer = LESSON["CompressedAttention"](d_head=5).double()
    query, key, value = inputs(11)
    padded = [torch.cat([x, torch.zeros(2, 3, 1, 5, dtype=x.dtype)], dim=-2) for x in (key, value)]
    wanted = []
    for x, convolution in zip(padded, (layer.of_keys, layer.of_values), strict=True):
        groups = x.unflatten(-2, (4, 3))  # (batch, n_heads, n_groups, 3, d)
        wanted.append(torch.einsum("bhgkd,odk->bhgo", groups, convolution.weight) + convolution.bias)
    assert wanted[0].shape[-2] == 4
    torch.testing.assert_close(layer(query, key, value), attention(query, *wanted)[0], atol=1e-12, rtol=0)
    changed = value.clone()
    changed[:, :, -1] += 1
    assert (layer(query, key, changed) != layer(query, key, value)).any()


def test_the_exponent_of_a_cost_that_grows_as_a_power():
    assert fitted_exponent([128, 256, 1024], [3 * n**1.5 for n in (128, 256, 1024)]) == pytest.approx(1.5)


# The counters


def test_operations_of_products():
    a, b = torch.ones(3, 4), torch.ones(4, 5)
    assert operations(lambda: a @ b) == 2 * 3 * 4 * 5
    assert operations(lambda: (a + 1).softmax(-1)) == 0


@pytest.mark.parametrize("train", [False, True])
def test_the_fused_kernel_counts_no_less_than_its_two_products(train):
    given = [x.requires_grad_(train) for x in inputs(16, dtype=torch.float32)]
    products = 2 * 2 * 3 * 2 * 16 * 16 * 5  # two products, batch 2, 3 heads

    def run(*qkv):
        output = attention(*qkv)[0]
        if train:
            output.sum().backward()

    counted = operations(run, *given)
    assert counted == products * (1 + 2.5 * train)  # backwards calculates the scores again


def test_peak_bytes_sees_what_lives_at_one_time():
    x = torch.ones(1000)  # 4,000 bytes, an input
    assert peak_bytes(lambda x: x + 1, x) == 4000
    assert peak_bytes(lambda x: (x + 1) + 1, x) == 8000
    assert peak_bytes(lambda x: ((x + 1) + 1) + 1, x) == 8000  # the first is gone when the third is made
    assert peak_bytes(lambda x: x[10:].view(-1), x) == 0  # a view of the input needs none
    assert peak_bytes(lambda x: x.mul_(2), x) == 0


def test_peak_bytes_of_the_table_and_of_the_fused_kernel():
    given = inputs(256, n_heads=1, d=4, dtype=torch.float32)
    table = 2 * 4 * 256 * 256
    assert peak_bytes(lambda *qkv: attention(*qkv, need_weights=True)[0], *given) >= 2 * table
    assert peak_bytes(lambda *qkv: attention(*qkv)[0], *given) < table / 10
