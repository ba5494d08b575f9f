"""Files of weights that MXNet wrote, in the helpers that a port carries."""

import json
import pathlib

import numpy as np
import pytest
import torch
from torch import nn

import mxtorch as mx
from mxtorch.port.carried import files, modules

FOLDER = pathlib.Path(__file__).parent.parent / "golden" / "files"
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
DENSE = [
    name
    for name, entry in MANIFEST.items()
    if all(a["stype"] == "default" and a["dtype"] != "bfloat16" for a in entry["arrays"])
]
gluon = mx.gluon


@pytest.mark.parametrize("name", DENSE)
def test_what_mxnet_wrote_is_read(name):
    found = files.read_arrays(FOLDER / f"{name}.params")
    wanted = MANIFEST[name]["arrays"]
    names = list(found) if isinstance(found, dict) else [None] * len(found)
    assert names == [a["name"] for a in wanted]
    for array, entry in zip(getattr(found, "values", found.__iter__)(), wanted, strict=True):
        if array is not None:
            assert list(array.shape) == entry["shape"]
            assert str(array.dtype) == f"torch.{entry['dtype']}"
            np.testing.assert_array_equal(array.numpy().ravel(), np.ravel(entry["values"]))


def test_a_sparse_array_is_refused():
    with pytest.raises(ValueError, match="sparse"):
        files.read_arrays(FOLDER / "v2-csr.params")


class Old(gluon.Block):
    def __init__(self):
        super().__init__()
        self.hidden = gluon.nn.Dense(4, activation="relu", in_units=4)
        self.body = gluon.nn.Sequential()
        self.body.add(gluon.nn.Dense(4, activation="relu", in_units=4))
        self.body.add(gluon.nn.BatchNorm(in_channels=4), gluon.nn.Dense(4, in_units=4))
        self.apart = gluon.nn.Dense(4, in_units=4)

    def forward(self, x):
        return self.apart(self.body(self.hidden(x)))


class New(nn.Module):
    def __init__(self):
        super().__init__()
        self.apart = nn.LazyLinear(4)
        self.hidden = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        norm = nn.BatchNorm1d(4)
        self.body = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), norm, nn.Linear(4, 4))

    def forward(self, x):
        return self.apart(self.body(self.hidden(x)))


def filled(net):
    rng = np.random.RandomState(0)
    net.initialize()
    for parameter in net.collect_params().values():
        parameter.set_data(mx.nd.array(rng.uniform(0.1, 1, parameter.shape)))
    return net


X = np.random.RandomState(1).uniform(-1, 1, (3, 4)).astype("float32")


def outputs(old, new):
    got = new.eval()(torch.from_numpy(X))
    np.testing.assert_allclose(got.detach().numpy(), old(mx.nd.array(X)).asnumpy(), rtol=1e-5)


def test_layers_are_matched_by_their_names(tmp_path):
    old, new = filled(Old()), New()
    old.save_parameters(str(tmp_path / "a.params"))
    files.load_weights(new, tmp_path / "a.params")
    outputs(old, new)


@pytest.mark.parametrize("whole", [True, False])
def test_layers_without_names_are_matched_in_order(tmp_path, whole):
    old = gluon.nn.Sequential()
    for units in (4, 4, 2):
        old.add(gluon.nn.Dense(units, activation="tanh", in_units=4))
    filled(old)
    if whole:
        old.collect_params().save(str(tmp_path / "a.params"))
    else:
        old.save_parameters(str(tmp_path / "a.params"))
    layers = [nn.Linear(4, n) for n in (4, 4, 2)]
    new = nn.Sequential(*(part for layer in layers for part in (layer, nn.Tanh())))
    files.load_weights(new, str(tmp_path / "a.params"))
    outputs(old, new)


def test_recurrent_layers_are_matched(tmp_path):
    old, new = filled(gluon.rnn.LSTM(3, 2, input_size=4)), nn.LSTM(4, 3, 2)
    old.save_parameters(str(tmp_path / "a.params"))
    files.load_weights(new, tmp_path / "a.params")
    got = new(torch.from_numpy(X[None]))[0].detach().numpy()
    np.testing.assert_allclose(got, old(mx.nd.array(X[None])).asnumpy(), rtol=1e-5)


def test_other_layers_are_refused_or_left(tmp_path):
    old, new = filled(Old()), New()
    new.apart = nn.Linear(4, 7)
    old.save_parameters(str(tmp_path / "a.params"))
    with pytest.raises(ValueError, match="the net has"):
        files.load_weights(new, tmp_path / "a.params")
    before = new.apart.weight.clone()
    files.load_weights(new, tmp_path / "a.params", strict=False)
    assert torch.equal(new.apart.weight, before)
    wanted = old.hidden.weight.data().asnumpy()
    np.testing.assert_array_equal(new.hidden[0].weight.detach().numpy(), wanted)


def test_a_module_takes_a_checkpoint_of_mxnets(tmp_path):
    data = mx.sym.var("data")
    net = mx.sym.FullyConnected(data, num_hidden=3, name="fc")
    trainer = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
    trainer.bind([("data", (3, 4))], [("softmax_label", (3,))])
    trainer.init_params(mx.init.Xavier())
    trainer.save_checkpoint(str(tmp_path / "m"), 2)

    class Ported(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.LazyLinear(3)

        def forward(self, data):
            return self.fc(data)

    new = modules.ModuleTrainer(Ported()).load(str(tmp_path / "m"), 2)
    wanted = trainer.get_params()[0]["fc_weight"].asnumpy()
    np.testing.assert_array_equal(new.get_params()[0]["fc_weight"].numpy(), wanted)
    assert files.list_arguments(new.net) == ["data", "fc_weight", "fc_bias"]
    shapes = files.infer_shape(new.net, data=(5, 4))
    assert shapes == ([(5, 4), (3, 4), (3,)], [(5, 3)], [])
