"""Every recorded case of MXNet's random streams that needs no layer, operator or data reader."""

import concurrent.futures

import pytest

from mxtorch._core import rng
from tests import cases, golden_store, replay
from tests.cases import C
from tests.core import streams_mx
from tests.random import cases_np_streams, cases_streams
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


def cases_of(module, name):
    lines = golden_store.Family.read(cases.golden_path(name)).records
    return [pytest.param(c, lines[c.id], id=c.id) for c in module.CASES]


def ids():
    return [i for i in recorded() if i.partition("/")[0] in FAMILIES and i not in ELSEWHERE]


def run_in_new_thread(case):
    """The outcome of a case, in a thread that was never seeded."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(replay.run_snippet, streams_mx, case).result()


@pytest.mark.parametrize("id", ids())
def test_recorded_stream(id):
    case = recorded()[id]
    got = [x.value for x in run_in_new_thread(C(id, case["code"]))["out"]]
    assert len(got) == len(case["out"])
    for i, (ours, theirs) in enumerate(zip(got, case["out"], strict=True)):
        compare(ours, theirs, case["cls"], f"out[{i}]")


@pytest.mark.parametrize(
    ("case", "line"),
    cases_of(cases_streams, "random/streams") + cases_of(cases_np_streams, "random/np_streams"),
)
def test_further_stream(case, line):
    if "error" in line:
        with pytest.raises(Exception) as info:
            run_in_new_thread(case)
        assert info.type.__name__ == line["error"]
        return
    found = run_in_new_thread(case)
    for item, record in zip(found["out"], line["out"], strict=True):
        item.kind = record["k"]  # which array class is not the generator's matter
    golden_store.compare_line(case, found, line)


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
