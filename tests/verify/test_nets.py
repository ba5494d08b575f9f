"""Nets that are run on batches of their own."""

import mxtorch as mx
from mxtorch.verify import nets
from mxtorch.verify.verify import read_inputs


def test_a_model_without_parameters(tmp_path, monkeypatch):
    """Values for any shape, and the same ones however the parameters are called."""
    made = []
    saved = nets._saved
    monkeypatch.setattr(nets, "_saved", lambda *args: made.append(saved(*args)) or made[-1])
    for prefix in ("a", "b"):
        data = mx.sym.Variable("data")
        found = mx.sym.Convolution(data, num_filter=4, kernel=(3, 3), name=f"{prefix}conv")
        found = mx.sym.BatchNorm(found, fix_gamma=False, name=f"{prefix}bn")
        found = mx.sym.FullyConnected(found, num_hidden=3, name=f"{prefix}fc")
        path = tmp_path / f"{prefix}-symbol.json"
        found.save(str(path))
        nets.run_mxnet(mx, str(path), list(read_inputs(("data=2,1,5,5",))), 1)
    first, second = (net.collect_params() for net in made)
    assert len(first.keys()) == 8
    for (name, mine), other in zip(first.items(), second.values(), strict=True):
        assert (mine.data() == other.data()).asnumpy().all(), name
        assert mine.data().asnumpy().std() > 0, name
    # a variance is positive, a scale near 1
    assert first["abn_moving_var"].data().min() > 0.5
    assert first["abn_gamma"].data().min() > 0.5
