"""Symbol files that MXNet itself does not load, and large ones."""

import json
import time

import pytest

import mxtorch as mx
from mxtorch import sym

UNKNOWN = {
    "nodes": [
        {"op": "null", "name": "data", "inputs": []},
        {"op": "null", "name": "w", "inputs": []},
        {
            "op": "FullyConnected",
            "name": "fc",
            "inputs": [[0, 0, 0], [1, 0, 0]],
            "attrs": {"num_hidden": "4", "no_bias": "True"},
        },
        {"op": "TheirOwnLayer", "name": "head", "inputs": [[2, 0, 0]], "attrs": {"k": "v"}},
    ],
    "arg_nodes": [0, 1],
    "heads": [[3, 0, 0]],
    "attrs": {"mxnet_version": ["int", 10500]},
}


def test_the_head_of_an_unknown_operator_can_be_cut_off():
    whole = sym.load_json(json.dumps(UNKNOWN))
    assert whole.list_arguments() == ["data", "w"]
    below = whole.get_internals()["fc_output"]
    results = below.eval(data=mx.nd.ones((2, 3)), w=mx.nd.ones((4, 3)))
    assert results[0].asnumpy().tolist() == [[3.0] * 4] * 2


def test_running_an_unknown_operator_names_it():
    whole = sym.load_json(json.dumps(UNKNOWN))
    with pytest.raises(mx.MXNetError, match="'head': operator 'TheirOwnLayer'"):
        whole.simple_bind(mx.cpu(), data=(2, 3))


def test_it_is_saved_as_it_was():
    saved = json.loads(sym.load_json(json.dumps(UNKNOWN)).tojson())
    assert saved["nodes"][3] == UNKNOWN["nodes"][3]


def test_five_thousand_nodes():
    """No recursion anywhere, and seconds at most: an unrolled network is as deep as it is long."""
    cell = mx.rnn.LSTMCell(4, prefix="l_")
    outputs, _ = cell.unroll(360, sym.var("data"), merge_outputs=True)
    begun = time.perf_counter()
    text = outputs.tojson()
    loaded = sym.load_json(text)
    assert len(json.loads(text)["nodes"]) > 5000
    assert loaded.infer_shape(data=(2, 360, 3))[1] == [(2, 360, 4)]
    assert loaded.infer_type(data="float32")[1][0].__name__ == "float32"
    executor = loaded.simple_bind(mx.cpu(), data=(2, 360, 3))
    executor.forward(is_train=True)
    executor.backward([mx.nd.ones((2, 360, 4))])
    assert loaded.get_internals()["l_t5_out_output"].list_outputs() == ["l_t5_out_output"]
    assert time.perf_counter() - begun < 60  # 4 s on an idle core


def test_lengths_that_no_array_has():
    """Both fit into 64 bits, what they are multiplied to does not."""
    data = mx.sym.Variable("data", shape=(2**62, 2**62))
    with pytest.raises(mx.MXNetError, match=r"'wide': shapes .* are too large"):
        mx.sym.broadcast_add(data, mx.sym.ones((2, 3)), name="wide").infer_shape_partial()
