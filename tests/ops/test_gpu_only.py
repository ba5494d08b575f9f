"""Operators, or their gradients, that MXNet has on GPUs only: by their formulas."""

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch import nd
from mxtorch._core.op import lookup


def test_fft_and_back():
    x = np.random.RandomState(0).uniform(-1, 1, (2, 3, 4)).astype("float32")
    out = nd.contrib.fft(nd.array(x))
    want = np.fft.fft(x)
    pairs = out.asnumpy().reshape(2, 3, 4, 2)
    np.testing.assert_allclose(pairs[..., 0], want.real, atol=1e-5)
    np.testing.assert_allclose(pairs[..., 1], want.imag, atol=1e-5)
    np.testing.assert_allclose(nd.contrib.ifft(out).asnumpy(), 4 * x, atol=1e-5)
    with pytest.raises(mx.base.MXNetError, match="odd"):
        nd.contrib.ifft(nd.ones((2, 3)))


def test_count_sketch():
    x = nd.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    out = nd.contrib.count_sketch(x, nd.array([[0, 2, 0]]), nd.array([[1, -1, -1]]), out_dim=4)
    assert out.asnumpy().tolist() == [[-2, 0, -2, 0], [-2, 0, -5, 0]]
    with pytest.raises(mx.base.MXNetError, match="3 elements"):
        nd.contrib.count_sketch(x, nd.array([[0, 2]]), nd.array([[1, -1]]), out_dim=4)


def gradcheck(name, *inputs, **attrs):
    body = lookup(name).body
    tensors = [torch.tensor(x, requires_grad=True) for x in inputs]
    assert torch.autograd.gradcheck(lambda *xs: body(*xs, **attrs), tensors)


def uniform(*shape, lo=-1.0, hi=1.0):
    return np.random.RandomState(0).uniform(lo, hi, shape)


def test_gradients():
    gradcheck("_contrib_fft", uniform(2, 4))
    gradcheck("_contrib_ifft", uniform(2, 4))
    gradcheck(
        "_contrib_ModulatedDeformableConvolution",
        uniform(1, 2, 4, 4),
        uniform(1, 8, 3, 3, lo=0.1, hi=0.9),
        uniform(1, 4, 3, 3, lo=0),
        uniform(3, 2, 2, 2),
        uniform(3),
        kernel=(2, 2),
        num_filter=3,
    )


def test_batch_norm_with_relu():
    rng = np.random.RandomState(0)
    data = nd.array(rng.uniform(-1, 1, (4, 3, 2)))
    gamma, beta = nd.array([1.0, 2.0, 0.5]), nd.array([0.0, 0.1, -0.2])
    moving = [nd.zeros((3,)), nd.ones((3,))]
    attrs = {"fix_gamma": False}
    with mx.autograd.train_mode():
        plain = nd.BatchNorm(data, gamma, beta, *moving, **attrs)
        cut = nd.contrib.BatchNormWithReLU(data, gamma, beta, *moving, **attrs)
    assert (cut.asnumpy() == np.maximum(plain.asnumpy(), 0)).all()


@pytest.mark.parametrize("narrow", [False, True])
def test_amp_multicast(narrow):
    """MXNet's CPU build has no float16 here."""
    arrays = [nd.ones((2,), dtype=t) for t in ("float16", "float32", "int32")]
    out = nd.amp_multicast(*arrays, num_outputs=3, cast_narrow=narrow)
    kind = np.float16 if narrow else np.float32
    assert [x.dtype for x in out] == [kind, kind, np.int32]
