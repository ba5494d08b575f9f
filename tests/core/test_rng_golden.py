"""Every recorded case of MXNet's random streams that needs no layer, operator or data reader."""

import sys
import threading

import pytest

from mxtorch._core import rng
from tests import replay
from tests.cases import C
from tests.core import streams_mx
from tests.random.test_golden import compare, recorded

FAMILIES = [
    "seed",
    "uniform",
    "normal",
    "randint",
    "exponential",
    "gamma",
    "poisson",
    "negbin",
    "sample",
    "like",
    "multinomial",
    "shuffle",
    "zipfian",
    "stream",
    "dropout",
    "np",
    "data",
]
# These are replayed on mxtorch itself, in tests/random: they call layers, gradients, readers.
ELSEWHERE = [
    "dropout/grad",
    "dropout/modes",
    "dropout/cells",
    "dropout/variational",
    "np/gluon",
    "data/sampler",
    "data/loader",
    "data/ndarrayiter",
    "data/image-aug",
    "data/image-color",
    "data/mnistiter",
    "zipfian",
]


def ids():
    return [i for i in recorded() if i.partition("/")[0] in FAMILIES and i not in ELSEWHERE]


def run_in_new_thread(case):
    """The arrays of a case, in a thread that was never seeded."""
    found = []

    def work():
        code = C(case["id"], case["code"])
        found.append(replay.run_snippet(sys.modules[streams_mx.__name__], code)["out"])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return [item.value for item in found[0]]


@pytest.mark.parametrize("id", ids())
def test_recorded_stream(id):
    case = recorded()[id]
    got = run_in_new_thread(case)
    assert len(got) == len(case["out"])
    for i, (ours, theirs) in enumerate(zip(got, case["out"], strict=True)):
        compare(ours, theirs, case["cls"], f"out[{i}]")


def test_rnn_layer_dropout_leaves_the_recorded_stream_behind():
    # gluon.rnn.LSTM(4, num_layers=3, dropout=0.4) on (4, 2, 3) float64: two gaps of 4*2*4.
    want = recorded()["rnnlayer/LSTM-float64"]["out"]
    generator = rng.Generator(2020)
    for _ in range(2):
        generator.rnn_dropout_keep((4, 2, 4), 0.4)
    compare(generator.shuffle_index(9).astype("float32"), want[2], "exact", "shuffle after it")


def test_no_case_is_left_out():
    known = {*FAMILIES, "rnnlayer", "init", "order", "train"}
    assert {i.partition("/")[0] for i in recorded()} <= known
    assert set(ELSEWHERE) <= set(recorded())
