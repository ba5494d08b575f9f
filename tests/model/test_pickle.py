"""A FeedForward that real MXNet 1.9.1 pickled (protocol 2) loads under `mxtorch run`."""

import json
import pathlib

import pytest

from tests import child

PICKLE = pathlib.Path(__file__).resolve().parents[1] / "golden" / "model" / "feed_forward.pkl"
PROGRAM = f"""
import json, pickle
import numpy as np
with open({str(PICKLE)!r}, "rb") as file:
    model = pickle.load(file)
print(json.dumps([
    model.symbol.list_arguments(), sorted(model.arg_params), str(model.ctx),
    model.predict(np.ones((2, 3), "float32")).tolist(),
]))
"""


def test_a_pickle_of_mxnet_loads():
    done = child.python("-m", "mxtorch", "run", "-c", PROGRAM)
    assert done.returncode == 0, done.stderr
    arguments, names, contexts, predicted = json.loads(done.stdout)
    assert arguments == ["data", "fc_weight", "fc_bias", "softmax_label"]
    assert (names, contexts) == (["fc_bias", "fc_weight"], "[cpu(0)]")
    # what MXNet itself predicts
    for row in predicted:
        assert row == pytest.approx([0.38936078548431396, 0.6106392741203308], rel=1e-5)
