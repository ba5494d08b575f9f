"""Symbol files and optimizer states that are damaged: an MXNetError or a valid object."""

import json
import pickle
import random
import tracemalloc
import warnings
from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mxtorch as mx
from mxtorch._core.errors import MXNetError
from tests.files.test_ndfile_damage import FILES, reads_or_refuses


def net():
    data = mx.sym.var("data", shape=(0, 3, 8, 8))
    body = mx.sym.Convolution(data, kernel=(3, 3), num_filter=4, name="conv")
    body = mx.sym.BatchNorm(body, name="norm")
    left, right = mx.sym.split(body, 2, axis=1, name="halves")
    loop, _ = mx.sym.contrib.foreach(lambda x, s: (x + s, s * 2), left, right)
    return mx.sym.Group([mx.sym.FullyConnected(loop, num_hidden=2, name="out"), right])


def updater(optimizer):
    found = mx.optimizer.get_updater(optimizer)
    for i in range(2):
        found(i, mx.nd.ones((2, 3)), mx.nd.ones((2, 3)))
    return found


TEXTS = [net().tojson(), mx.sym.var("x").tojson()]
TEXTS.append(json.dumps(json.loads(TEXTS[0]) | {"attrs": {"mxnet_version": ["int", 800]}}))
STATES = [
    updater(mx.optimizer.SGD(momentum=0.9)).get_states(),
    updater(mx.optimizer.Adam(lr_scheduler=mx.lr_scheduler.FactorScheduler(3))).get_states(True),
    pickle.dumps({0: np.ones(3), 1: (np.float32(2), None), "a": OrderedDict(b=bytearray(b"c"))}, 2),
]
VALUES = [None, True, -1, 0, 2**31, 2**64, 1.5, "", "null", "(1,", "nan", [], {}, [[0, 0, 0]], [9]]


def symbol_or_error(text):
    try:
        symbol = mx.sym.load_json(text)
        symbol.tojson()
        symbol.list_arguments()
        symbol.infer_shape_partial()
    except MXNetError:
        return
    assert isinstance(symbol, mx.sym.Symbol)


def states_or_error(data):
    target = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9))
    try:
        target.set_states(data)
    except MXNetError:
        return
    assert isinstance(target.states, dict)
    assert isinstance(target.optimizer, mx.optimizer.Optimizer)


def places(value, found):
    """Every container of a JSON value with each of its keys."""
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        found.append((value, key))
        if isinstance(value[key], (dict, list)):
            places(value[key], found)
    return found


def changed_text(rng):
    data = json.loads(rng.choice(TEXTS))
    for _ in range(rng.randint(1, 3)):
        container, key = rng.choice(places(data, []))
        if rng.random() < 0.3:
            del container[key]
        else:
            container[key] = rng.choice(VALUES)
    return json.dumps(data)


def flipped(data, rng):
    mutable = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        mutable[rng.randrange(len(mutable))] = rng.randrange(256)
    return bytes(mutable[: rng.randrange(len(mutable))] if rng.random() < 0.2 else mutable)


def flipped_text(rng):
    return flipped(rng.choice(TEXTS).encode(), rng).decode("utf-8", "replace")


def cases(count):
    return settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
        derandomize=True,
    )


KINDS = {
    "changed symbols": lambda rng: symbol_or_error(changed_text(rng)),
    "flipped symbols": lambda rng: symbol_or_error(flipped_text(rng)),
    "flipped states": lambda rng: states_or_error(flipped(rng.choice(STATES), rng)),
    "flipped arrays": lambda rng: reads_or_refuses(flipped(rng.choice(list(FILES.values())), rng)),
}
CASES, LONG = 2_000, 100_000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [CASES, pytest.param(LONG, marks=pytest.mark.full)])
def test_damage(kind, count):
    @cases(count // len(KINDS))
    @given(st.integers(0, 2**63))
    def fuzz(seed):
        KINDS[kind](random.Random(seed))

    fuzz()


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps(bytearray(10), 2).replace(b"K\x0a", b"J\x00\x00\x00\x40"),
        b"cnumpy\nndarray\n((J\x00\x00\x00\x40tt\x52.",
        b"cnumpy._core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(J\x00\x00\x00\x40tC\x01btR.",
        b"cbuiltins\nbytearray\n(J\x00\x00\x00\x40tR.",
        b"\x80\x05\x96" + (2**34).to_bytes(8, "little") + b"abc.",
        b"\x80\x04\x8e" + (2**34).to_bytes(8, "little") + b"abc.",
    ],
    ids=["old bytes", "ndarray", "reconstruct", "bytearray", "bytearray8", "binbytes8"],
)
def test_states_that_ask_for_gigabytes(data):
    tracemalloc.start()
    with pytest.raises(MXNetError):
        mx.optimizer.get_updater(mx.optimizer.SGD()).set_states(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


@pytest.mark.parametrize("count", [2**31, 2**64, "100000"])
def test_a_node_of_more_outputs_than_memory_holds(count):
    data = json.loads(mx.sym.split(mx.sym.var("x"), 2, name="halves").tojson())
    [node] = [n for n in data["nodes"] if n["name"] == "halves"]
    node["attrs"]["num_outputs"] = str(count)
    with pytest.raises(MXNetError, match="outputs"):
        mx.sym.load_json(json.dumps(data)).list_outputs()


def test_text_with_odd_escapes_is_damage_where_warnings_are_errors():
    with pytest.raises(MXNetError), warnings.catch_warnings():
        warnings.simplefilter("error")
        mx.optimizer.get_updater(mx.optimizer.SGD()).set_states(b"S'\\o'\n.")


def test_shapes_that_contradict_each_other_come_to_an_end():
    data = json.loads(TEXTS[0])
    (loop,) = [n for n in data["nodes"] if n["op"] == "_foreach"]
    loop["inputs"][1] = [1, 0, 0]  # the state is now the convolution's weight, of 4 axes
    symbol_or_error(json.dumps(data))
    with pytest.raises(MXNetError):
        mx.sym.load_json(json.dumps(data)).infer_shape(data=(2, 3, 8, 8))


@pytest.mark.parametrize("text", ["M8", "m8", "O", "V8", "S4", "U4", "c16", "i4,f4"])
def test_states_of_other_types_than_numbers(text):
    head = b"cnumpy\ndtype\n(V" + text.encode() + b"\nI00\nI01\ntR"
    with pytest.raises(MXNetError):
        mx.optimizer.get_updater(mx.optimizer.SGD()).set_states(
            head + b"(I3\nV<\nNNNI-1\nI-1\nI0\ntb."
        )
    assert np.dtype("f8").isnative
