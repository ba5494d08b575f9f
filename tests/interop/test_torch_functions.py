"""torch's functions on NDArrays."""

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch import autograd, nd


def arrays():
    return nd.array([1.0, 4.0, 2.0]), nd.array([4.0, 5.0, 6.0])


def test_arrays_in_and_out():
    x, y = arrays()
    total = torch.add(x, y)
    assert type(total) is nd.NDArray and total.context == x.context
    assert (total.asnumpy() == (x + y).asnumpy()).all()
    assert torch.stack([x, y]).shape == (2, 3)
    values, indices = torch.topk(x, 2)
    assert values.asnumpy().tolist() == [4, 2] and indices.dtype is np.int64
    assert (torch.topk(x, 1).values.asnumpy() == 4).all()
    assert torch.allclose(x, x) is True


def test_mixed_with_tensors():
    x, _ = arrays()
    for mixed in (torch.add(x, torch.ones(3)), torch.ones(3) + x):
        assert type(mixed) is nd.NDArray and mixed.asnumpy().tolist() == [2, 5, 3]


def test_gradients():
    x, y = arrays()
    x.attach_grad()
    with autograd.record():
        z = torch.sin(x) * x + torch.nn.functional.relu(y)
    z.backward()
    want = np.sin(x.asnumpy()) + x.asnumpy() * np.cos(x.asnumpy())
    np.testing.assert_allclose(x.grad.asnumpy(), want, rtol=1e-6)


def test_out_and_in_place():
    x, y = arrays()
    out = nd.zeros((3,))
    assert torch.add(x, y, out=out) is out
    assert out.asnumpy().tolist() == [5, 9, 8]


def test_contexts_are_kept():
    x = nd.ones((2,), ctx=mx.cpu(1))
    assert torch.exp(x).context == mx.cpu(1)


def test_dlpack_both_ways():
    x, _ = arrays()
    t = torch.from_dlpack(x)
    t += 1
    assert x.asnumpy().tolist() == [2, 5, 3]
    back = nd.from_dlpack(nd.to_dlpack_for_write(x))
    back[:] = 0
    assert (t == 0).all()
    assert (nd.from_torch(t).as_torch()).data_ptr() == t.data_ptr()


def test_torch_s_own_error():
    x, _ = arrays()
    with pytest.raises(RuntimeError):
        torch.add(x, nd.ones((2,)))
