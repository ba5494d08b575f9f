"""FullyConnected of large float32 matrices takes oneDNN's product, with the same gradients."""

import pytest
import torch
from torch.nn import functional as F

from mxtorch._core import torch_compat
from mxtorch._ops import _product

LARGE = [((64, 300), 512), ((2, 40, 300), 512)]
SMALL = [((8, 4), 1), ((1, 5), 3), ((16, 9), 1), ((20, 17), 3), ((3, 2), 2), ((2, 3, 16), 7)]


@pytest.mark.skipif(not torch_compat.packs(), reason="this torch has no oneDNN")
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(("shape", "units"), LARGE + SMALL)
def test_values_and_gradients(shape, units, bias, monkeypatch):
    calls = []
    real = torch_compat.linear
    monkeypatch.setattr(torch_compat, "linear", lambda *t: calls.append(t) or real(*t))
    torch.manual_seed(0)
    inputs = [torch.randn(shape), torch.randn(units, shape[-1])]
    inputs += [torch.randn(units)] if bias else []
    for tensor in inputs:
        tensor.requires_grad_(True)
    here = _product.product(*inputs, *[] if bias else [None])
    there = F.linear(*inputs)
    head = torch.randn_like(there)
    ours = torch.autograd.grad(here, inputs, head)
    if (shape, units) in LARGE:
        assert len(calls) == 3  # forward, and the gradients of data and weight
    for a, b in zip((here, *ours), (there, *torch.autograd.grad(there, inputs, head)), strict=True):
        assert abs(a - b).max() <= 3e-6 * abs(b).max()


def test_second_derivatives_and_transforms():
    torch.manual_seed(0)
    data, weight = torch.randn(64, 300, requires_grad=True), torch.randn(512, 300)
    found = []
    for call in (_product.product, F.linear):
        (first,) = torch.autograd.grad(
            (call(data, weight, None) ** 2).sum(), data, create_graph=True
        )
        found.append(torch.autograd.grad(first.pow(2).sum(), data)[0])
    assert abs(found[0] - found[1]).max() <= 3e-6 * abs(found[1]).max()
    slope = torch.func.grad(lambda w: _product.product(data.detach(), w, None).sum())(weight)
    assert torch.allclose(slope, data.detach().sum(0).expand_as(slope), rtol=1e-4, atol=1e-4)


def test_autocast_keeps_its_type():
    data, weight = torch.randn(64, 300), torch.randn(512, 300)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert _product.product(data, weight, None).dtype is torch.bfloat16
