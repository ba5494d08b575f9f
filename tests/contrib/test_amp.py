"""AMP switched on, in a process of its own: it changes operators for the whole process."""

import subprocess
import sys
import textwrap

import pytest

import mxtorch as mx

TRAINING = """
import mxtorch as mx
from mxtorch import autograd, gluon, nd
from mxtorch.contrib import amp
from mxtorch.gluon import nn

net = nn.HybridSequential()
net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Dense(3))
net.initialize(mx.init.Xavier())
amp.init({target!r})
if {hybrid}:
    net.hybridize()
trainer = gluon.Trainer(net.collect_params(), "adam", {{"learning_rate": 0.02}})
amp.init_trainer(trainer)
loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
x, y = nd.random.normal(shape=(12, 2, 6, 6)), nd.array([0, 1, 2] * 4)
losses = []
for step in range(12):
    with autograd.record():
        out = net(x)
        loss = loss_fn(out, y)
        with amp.scale_loss(loss, trainer) as scaled:
            autograd.backward(scaled)
    trainer.step(12)
    losses.append(float(loss.mean().asscalar()))
assert str(out.dtype) in ({out!r}), out.dtype
assert losses[-1] < losses[0] / 2, losses
kinds = {{(p.data().dtype.__name__, p.grad().dtype.__name__)
         for p in net.collect_params().values() if p.grad_req != "null"}}
assert kinds == {{("float32", "float32")}}, kinds
assert not trainer._amp_loss_scaler.has_overflow(trainer._params)
print("trained")
"""


def run(code):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("target", ["float16", pytest.param("bfloat16", marks=pytest.mark.full)])
def test_training(target, hybrid):
    out = "<class 'numpy.float16'>" if target == "float16" else "float32, [('bfloat16', '<u2')]"
    assert run(TRAINING.format(target=target, hybrid=hybrid, out=out)) == "trained\n"


def test_converted_block_computes_in_sixteen_bits():
    code = """
    import mxtorch as mx
    from mxtorch import nd
    from mxtorch.contrib import amp
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(8, activation="relu"), mx.gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    x = nd.random.normal(shape=(4, 5))
    y = net(x)
    new = amp.convert_hybrid_block(net, ctx=mx.cpu())
    z = new(x)
    difference = abs(y - z).max().asscalar()
    assert z.dtype.__name__ == "float32" and 0 < difference < 0.01, difference
    # nothing changes for what is not converted
    assert (net(x) == y).asnumpy().all()
    print("converted")
    """
    assert run(code) == "converted\n"


def test_multicast():
    half, single, whole = (mx.nd.ones((2,), dtype=d) for d in ("float16", "float32", "int32"))
    pairs = [((half, single), "float32", "float16"), ((half, half), "float16", "float16")]
    for pair, wide, narrow in pairs:
        for cast_narrow, name in ((False, wide), (True, narrow)):
            found = mx.nd.amp_multicast(*pair, num_outputs=2, cast_narrow=cast_narrow)
            assert [x.dtype.__name__ for x in found] == [name] * 2
    kept = mx.nd.amp_multicast(half, whole, num_outputs=2)
    assert [x.dtype.__name__ for x in kept] == ["float16", "int32"]
