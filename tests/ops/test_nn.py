"""What the rows of samples cannot say of the neural network operators."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

import mxtorch as mx
from mxtorch import autograd, nd
from mxtorch._core.op import lookup
from mxtorch._ops import pool
from tests import golden_store, recorded, replay
from tests.cases import S


def batch_norm_inputs():
    rng = np.random.RandomState(0)
    data = nd.array(rng.uniform(-1, 1, (4, 3, 2)))
    ones, zeros = nd.ones((3,)), nd.zeros((3,))
    return data, ones, zeros, nd.zeros((3,)), nd.ones((3,))


def test_moving_statistics_move_in_backward():
    inputs = batch_norm_inputs()
    data, gamma, _, mean, var = inputs
    gamma.attach_grad()
    with autograd.record():
        out = nd.BatchNorm(*inputs, fix_gamma=False, momentum=0.5)
    assert mean.asnumpy().tolist() == [0, 0, 0]
    out.backward(retain_graph=True)
    batch_mean = data.asnumpy().mean((0, 2))
    batch_var = data.asnumpy().var((0, 2))
    np.testing.assert_allclose(mean.asnumpy(), batch_mean / 2, rtol=1e-6)
    np.testing.assert_allclose(var.asnumpy(), 0.5 + batch_var / 2, rtol=1e-6)
    out.backward()
    np.testing.assert_allclose(mean.asnumpy(), batch_mean * 0.75, rtol=1e-6)


def test_moving_statistics_move_below_a_blocked_gradient():
    inputs = batch_norm_inputs()
    data, gamma, mean = inputs[0], inputs[1], inputs[3]
    gamma.attach_grad()
    gamma.grad[:] = 7
    with autograd.record():
        out = nd.BlockGrad(nd.BatchNorm(*inputs, fix_gamma=False))
    out.backward()
    assert gamma.grad.asnumpy().tolist() == [0, 0, 0]
    np.testing.assert_allclose(mean.asnumpy(), data.asnumpy().mean((0, 2)) * 0.1, rtol=1e-5)


def test_backward_in_predict_mode_moves_nothing():
    inputs = batch_norm_inputs()
    inputs[0].attach_grad()
    with autograd.record():
        out = nd.BatchNorm(*inputs, fix_gamma=False)
    out.backward(train_mode=False)
    assert inputs[3].asnumpy().tolist() == [0, 0, 0]
    np.testing.assert_allclose(inputs[0].grad.asnumpy(), 1 / np.sqrt(1.001), rtol=1e-5)


def test_fix_gamma_overwrites_gamma():
    inputs = batch_norm_inputs()
    inputs[1][:] = 5
    nd.BatchNorm(*inputs)
    assert inputs[1].asnumpy().tolist() == [1, 1, 1]


@pytest.mark.parametrize("block", [nd.BlockGrad, nd.zeros_like, nd.ones_like, nd.logical_not])
def test_leaves_below_a_blocked_gradient_get_zeros(block):
    x, y = nd.array([0.0, 1.0]), nd.array([1.0, 1.0])
    x.attach_grad()
    y.attach_grad()
    x.grad[:] = 7
    with autograd.record():
        # the logarithm of 0 has no finite gradient: nothing below the block may be computed
        out = block(nd.log(x)) + y
    out.backward()
    assert x.grad.asnumpy().tolist() == [0, 0]


def rnn_inputs(layers=2, steps=5, batch=2, channels=4, size=3, directions=1):
    rng = np.random.RandomState(0)
    count = 0
    for layer in range(layers):
        width = channels if layer == 0 else size * directions
        count += directions * 4 * size * (width + size + 2)
    shapes = [(steps, batch, channels), (count,), *[(layers * directions, batch, size)] * 2]
    return [nd.array(rng.uniform(-1, 1, shape)) for shape in shapes]


LSTM = {"state_size": 3, "num_layers": 2, "mode": "lstm"}


def test_float32_layers_ignore_dropout_with_one_warning():
    from mxtorch._ops.rnn import _warn_dropout

    _warn_dropout.cache_clear()
    inputs = rnn_inputs()
    with autograd.train_mode():
        with pytest.warns(UserWarning, match="MXNET_USE_MKLDNN_RNN=0"):
            dropped = nd.RNN(*inputs, p=0.5, **LSTM)
        again = nd.RNN(*inputs, p=0.5, **LSTM)
    plain = nd.RNN(*inputs, **LSTM)
    assert (dropped.asnumpy() == plain.asnumpy()).all()
    assert (again.asnumpy() == plain.asnumpy()).all()


@pytest.mark.parametrize("directions", [1, 2])
def test_sequence_length(directions):
    """Each sequence as if it were alone, zeros after its end, states from its end."""
    inputs = rnn_inputs(directions=directions)
    attrs = {**LSTM, "bidirectional": directions == 2, "state_outputs": True}
    lengths = [5, 3]
    out, h, c = nd.RNN(
        *inputs, sequence_length=nd.array(lengths), use_sequence_length=True, **attrs
    )
    data, parameters, *states = inputs
    for i, n in enumerate(lengths):
        alone = [data[:n, i : i + 1], parameters, *(s[:, i : i + 1] for s in states)]
        one, one_h, one_c = nd.RNN(*alone, **attrs)
        np.testing.assert_allclose(out[:n, i : i + 1].asnumpy(), one.asnumpy(), atol=1e-6)
        assert not out.asnumpy()[n:, i].any()
        np.testing.assert_allclose(h[:, i : i + 1].asnumpy(), one_h.asnumpy(), atol=1e-6)
        np.testing.assert_allclose(c[:, i : i + 1].asnumpy(), one_c.asnumpy(), atol=1e-6)


CHANNELS_LAST = [
    ("Convolution", {"kernel": (3, 3), "stride": (2, 1), "num_filter": 4, "num_group": 2}),
    ("Deconvolution", {"kernel": (3, 3), "stride": (2, 1), "num_filter": 4, "num_group": 2}),
]


@pytest.mark.parametrize(("name", "attrs"), CHANNELS_LAST)
def test_channels_last(name, attrs):
    """As channels first, transposed: MXNet's CPU does not have it, its GPUs do."""
    body = lookup(name).body
    data = torch.randn(2, 4, 7, 6)
    weight = torch.randn(4, 2, 3, 3)
    first = body(data, weight, no_bias=True, **attrs)
    last = body(data.movedim(1, -1), weight.movedim(1, -1), no_bias=True, layout="NHWC", **attrs)
    torch.testing.assert_close(last, first.movedim(1, -1))


def pooling_rows():
    for _, row, line in recorded.recorded(S):
        if row.op == "Pooling" and not row.raises and not row.xfail:
            yield pytest.param(row, line, id=row.id)


@pytest.mark.parametrize(("row", "line"), list(pooling_rows()))
def test_pooling_by_strided_slices(row, line, monkeypatch):
    """What the CPU does with large images, on the rows' small ones: with and without gradients."""
    monkeypatch.setattr(pool, "_MANY", 0)
    recorded.check(mx, row, line)
    inputs = [nd.array(value, dtype=value.dtype) for value in row.values()]
    found = [replay.freeze(mx, nd.Pooling(*inputs, **row.attrs))]
    golden_store.compare(found, line["out"], row.cls, row.tol, "out")


@pytest.mark.parametrize("kernel", [(2,), (3,), (2, 2), (3, 3), (1, 2), (3, 2), (2, 1, 3)])
def test_tiles_with_equal_elements(kernel, monkeypatch):
    """A tile's first largest element in the order of memory takes its gradient, as in torch."""
    pooled = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[len(kernel) - 1]
    data = torch.randint(0, 3, (4, 3, 7, 9, 8)[: 2 + len(kernel)]).double().requires_grad_()
    expected = pooled(data, kernel, kernel)
    weight = torch.randn_like(expected)
    monkeypatch.setattr(pool, "_MANY", 0)
    found = lookup("Pooling").body(data, kernel=kernel, stride=kernel, pool_type="max")
    assert "MaxOfTiles" in type(found.grad_fn).__name__
    assert torch.equal(found, expected)
    gradients = (torch.autograd.grad(each, data, weight)[0] for each in (found, expected))
    assert torch.equal(*gradients)


def test_overlapping_windows_of_many_channels(monkeypatch):
    """Channels lie last in the forward's memory alone; equal elements as in torch."""
    data = torch.randint(0, 3, (2, pool._WIDE, 7, 9)).double().requires_grad_()
    window = {"kernel": (3, 2), "stride": (2, 1), "pad": (1, 0)}
    expected = F.max_pool2d(data, *window.values())
    weight = torch.randn_like(expected)
    monkeypatch.setattr(pool, "_MANY", 0)
    found = lookup("Pooling").body(data, pool_type="max", **window)
    assert "MaxChannelsLast" in type(found.grad_fn).__name__
    assert torch.equal(found, expected)
    own, theirs = (torch.autograd.grad(each, data, weight)[0] for each in (found, expected))
    assert found.is_contiguous() and own.is_contiguous()
    assert torch.equal(own, theirs)


@pytest.mark.parametrize(
    "kernel, stride, pad", [((3, 3), (2, 2), (1, 1)), ((2, 3), (1, 2), (0, 1))]
)
def test_max_pooling_does_not_ask_how_channels_lie(kernel, stride, pad):
    images = torch.randn(4, 16, 19, 17, generator=torch.Generator().manual_seed(3))
    images[0, 0, 3] = float("nan")
    given = {"kernel": kernel, "stride": stride, "pad": pad, "pool_type": "max"}
    for convention in ("valid", "full"):
        found = [
            lookup("Pooling").body(x, pooling_convention=convention, **given)
            for x in (images, images.contiguous(memory_format=torch.channels_last))
        ]
        torch.testing.assert_close(*found, rtol=0, atol=0, equal_nan=True, check_stride=False)
