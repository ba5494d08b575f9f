"""Mixed precision: a program with `amp`, ported, and the same without it."""

import runpy
import warnings

import torch

from mxtorch.port import port_text

PLAIN = """\
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

net = nn.Dense(2, in_units=3)
net.initialize(mx.init.Constant(0.5))
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
l2 = gluon.loss.L2Loss()
x, y = nd.array(np.arange(12).reshape(4, 3) / 9), nd.ones((4, 2))
for step in range(3):
    with autograd.record():
        loss = l2(net(x), y)
    loss.backward()
    trainer.step(4)
weight = net.weight.data()
"""
MIXED = (
    PLAIN.replace("from mxnet.gluon import nn\n", "from mxnet.gluon import nn\n"
                  "from mxnet.contrib import amp\n\namp.init()")
    .replace("l2 =", "amp.init_trainer(trainer)\nl2 =")
    .replace("    loss.backward()\n",
             "        with amp.scale_loss(loss, trainer) as scaled_loss:\n"
             "            # of the scaled loss\n"
             "            autograd.backward(scaled_loss)\n")
)  # fmt: skip


def run(text, path):
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a scaler without a GPU does nothing, and says so
        return runpy.run_path(str(path))["weight"].detach()


def test_the_scaler_is_the_trainers():
    ported = port_text(MIXED)
    assert not [f for f in ported.findings if f.act], ported.text
    assert "mxtorch" not in ported.text
    for line in (
        'torch.set_autocast_enabled("cuda", True)',
        "trainer.scaler = torch.amp.GradScaler()",
        "    scaled_loss = trainer.scaler.scale(loss)",
        "    # of the scaled loss",
        "    trainer.scaler.step(trainer)",
        "    trainer.scaler.update()",
    ):
        assert f"\n{line}\n" in ported.text, ported.text


def test_without_a_gpu_it_trains_as_without_amp(tmp_path):
    was = torch.is_autocast_enabled("cuda")
    try:
        mixed = run(port_text(MIXED).text, tmp_path / "mixed.py")
    finally:
        torch.set_autocast_enabled("cuda", was)
    assert torch.equal(mixed, run(port_text(PLAIN).text, tmp_path / "plain.py"))
