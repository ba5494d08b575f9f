"""What holds for MXNet's random streams whatever the numbers are; the numbers: test_rng_golden."""

import base64
import concurrent.futures
import ctypes
import io
import os
import platform

import numpy as onp
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mxtorch._core import rng
from mxtorch._core.errors import MXNetError
from mxtorch._core.rng import elementwise, parameter
from mxtorch._core.rng.lgammaf import lgammaf, log_factorial
from mxtorch._core.rng.logf import logf
from mxtorch._core.rng.unit import to_f32
from tests.child import python
from tests.random.test_golden import recorded, sampled

SAMPLERS = [
    ("uniform", ()),
    ("normal", ()),
    ("exponential", (2.0,)),
    ("gamma", (0.5, 2.0)),
    ("poisson", (3.0,)),
    ("poisson", (30.0,)),
    ("negative_binomial", (3, 0.5)),
    ("generalized_negative_binomial", (3.0, 0.5)),
    ("randint", (0, 9)),
    ("dropout_mask", None),
]


def draw(generator, name, params, n, **kwargs):
    if params is None:
        return generator.dropout_mask((n,), 0.5, **kwargs)
    return getattr(generator, name)(*params, shape=(n,), **kwargs)


def same(a, b):
    """Whether both generators are at the same place, in many engines and in `one`."""
    first = [g.uniform(shape=(70_000,)) for g in (a, b)]
    second = [g.shuffle_index(50) for g in (a, b)]
    return onp.array_equal(*first) and onp.array_equal(*second)


def engine(seed, i):
    return onp.random.RandomState((seed * 127 + i) % 2**32)


# how a request is spread over the engines -------------------------------------------------------


@pytest.mark.parametrize("n", [1, 64, 65, 200, 65_536, 65_537, 70_001])
def test_uniform_by_its_definition(n):
    engines = min(-(-n // 64), 1024)
    step = -(-n // engines)
    raw = [engine(5, i).randint(0, 2**32, step, "uint32") for i in range(-(-n // step))]
    want = onp.concatenate(raw)[:n].astype("float32") * onp.float32(2**-32)
    assert onp.array_equal(rng.Generator(5).uniform(shape=(n,)), want)


@pytest.mark.parametrize("n", [1, 64, 1000, 66_000])
def test_normal_by_its_definition(n):
    got = rng.Generator(6).normal(shape=(n,))
    engines = min(-(-n // 64), 1024)
    step = -(-n // engines)
    for i in {0, 1, engines // 2, -(-n // step) - 1} & set(range(engines)):
        values = iter(engine(6, i).randint(0, 2**32, 5000, "uint32"))
        for z in got[i * step : (i + 1) * step]:
            q = 2.0
            while not 0 < q <= 1:
                x, y = (onp.float32(2) * to_f32(next(values)) - onp.float32(1) for _ in "xy")
                q = x * x + y * y
            # The logarithm's last bit is the matter of test_logf_is_the_c_librarys.
            assert z == pytest.approx(y * onp.sqrt(-2 * onp.log(float(q)) / q), rel=1e-6)


@pytest.mark.parametrize(("name", "params"), SAMPLERS)
@pytest.mark.parametrize(("n", "m"), [(1, 1), (5, 59), (40, 24)])
def test_one_engine_goes_on_where_it_stopped(name, params, n, m):
    a, b = rng.Generator(1), rng.Generator(1)
    parts = [draw(a, name, params, k) for k in (n, m)]
    assert onp.array_equal(onp.concatenate(parts), draw(b, name, params, n + m))
    assert same(a, b)


@pytest.mark.parametrize("name", ["np_uniform", "np_logistic", "np_exponential"])
def test_the_single_engine_goes_on_where_it_stopped(name):
    a, b = rng.Generator(1), rng.Generator(1)
    parts = [getattr(a, name)(size=(k,)) for k in (3, 4000, 20_000)]
    assert onp.array_equal(onp.concatenate(parts), getattr(b, name)(size=(24_003,)))
    assert same(a, b)


@pytest.mark.parametrize(("name", "params"), SAMPLERS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_an_empty_request_draws_nothing(name, params, dtype):
    generator = rng.Generator(1)
    dtype = "int64" if name == "randint" and dtype == "float64" else dtype
    out = draw(generator, name, params, 0, **({} if name == "randint" else {"dtype": dtype}))
    assert out.shape == (0,)
    assert same(generator, rng.Generator(1))


def test_empty_requests_of_the_other_samplers():
    generator = rng.Generator(1)
    assert generator.np_normal(size=(0, 2)).shape == (0, 2)
    assert generator.np_gamma(2.0, size=(0,)).shape == (0,)
    assert generator.np_multinomial(0, onp.array([0.5, 0.5]), (2,)).tolist() == [[0, 0], [0, 0]]
    assert generator.shuffle_index(0).shape == generator.shuffle_index(1)[1:].shape == (0,)
    assert generator.unique_zipfian(10, (0, 3))[0].shape == (0, 3)
    assert generator.rnn_dropout_keep((0,), 0.5).shape == (0,)
    assert same(generator, rng.Generator(1))


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(threads):
    def numbers(count):
        before = torch.get_num_threads()
        torch.set_num_threads(count)
        try:
            g = rng.Generator(3)
            return [
                g.uniform(shape=(300_001,)),
                g.normal(shape=(300_001,)),
                g.uniform(shape=(90_000,), dtype="float64"),
                g.normal(shape=(70_000,), dtype="float64"),
                g.dropout_mask((99, 1001), 0.3),
                g.randint(0, 10**6, shape=(70_000,)),
                g.uniform(shape=(70_000,)),
            ]
        finally:
            torch.set_num_threads(before)

    for a, b in zip(numbers(1), numbers(threads), strict=True):
        assert onp.array_equal(a, b)


def test_engines_used_unevenly_stay_right():
    # Row 0 far ahead of the others, then some rows, then all: refills of parts of the bank.
    a, b = rng.Generator(2), rng.Generator(2)
    sizes = [60] * 40 + [700] * 9 + [64] * 3 + [66_000, 1500, 70, 131_072]
    for n in sizes:
        a.uniform(shape=(n,))
    used = sum(-(-n // min(-(-n // 64), 1024)) for n in sizes)  # of the first engine
    raw = engine(2, 0).randint(0, 2**32, used + 64, "uint32")[used:]
    assert onp.array_equal(a.uniform(shape=(64,)), to_f32(raw))
    for n in sizes:
        b.uniform(shape=(n,))
    b.uniform(shape=(64,))
    assert same(a, b)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 2200), st.integers(1, 7), st.booleans()), max_size=8))
def test_normal_numbers_drawn_ahead_are_the_same(requests):
    ahead, plain = rng.Generator(4), rng.Generator(4)
    for n, times, other in requests:
        for _ in range(times):
            plain.par.uses += 1  # so that no request looks like a repetition
            want = plain.normal(1.0, 2.0, shape=(n,))
            assert onp.array_equal(ahead.normal(1.0, 2.0, shape=(n,)), want)
        if other:
            assert onp.array_equal(ahead.uniform(shape=(n,)), plain.uniform(shape=(n,)))
    assert same(ahead, plain)


def test_results_do_not_share_memory():
    generator = rng.Generator(1)
    results = [generator.normal(shape=(100,)) for _ in range(6)]
    copies = [r.copy() for r in results]
    for r in results[::2]:
        r += 1
    assert all(onp.array_equal(r, c) for r, c in zip(results[1::2], copies[1::2], strict=True))


# seeds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [-1, 2**32 + 9, 2**63, -(10**30), True])
def test_seeds_wrap(seed):
    a, b = rng.Generator(), rng.Generator()
    a.seed(seed)
    b.seed(int(seed) % 2**32)
    assert same(a, b)
    a.seed_ctx(seed)
    b.seed_ctx(int(seed) % 2**32)
    assert same(a, b)


def test_a_seed_begins_both_streams_anew():
    generator = rng.Generator(1)
    for n in (3, 70_000):
        generator.normal(shape=(n,))
        generator.np_normal(size=(n,))
        generator.seed(9)
        assert same(generator, rng.Generator(9))


def test_seed_with_a_context_differs_in_one_stream_only():
    a, b = rng.Generator(), rng.Generator()
    a.seed(9)
    b.seed_ctx(9)
    assert onp.array_equal(a.uniform(shape=(100,)), b.uniform(shape=(100,)))
    assert not onp.array_equal(a.shuffle_index(50), b.shuffle_index(50))


@pytest.mark.parametrize("seed", [1.0, "1", None, onp.int16(1), onp.float32(1), [1]])
def test_other_seeds_are_refused(seed):
    for method in (rng.Generator().seed, rng.Generator().seed_ctx):
        with pytest.raises(ValueError, match="seed_state must be int"):
            method(seed)


# threads and processes --------------------------------------------------------------------------


def test_each_thread_has_its_own_generator_which_begins_unseeded():
    rng.current().seed(5)
    rng.current().uniform(shape=(10,))

    def work():
        begins_unseeded = same(rng.current(), rng.Generator(0))
        rng.current().seed(5)
        return begins_unseeded, rng.current()

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        begins_unseeded, theirs = pool.submit(work).result()
        assert begins_unseeded
        assert theirs is pool.submit(rng.current).result()
    assert theirs is not rng.current()
    mine = rng.Generator(5)
    mine.uniform(shape=(10,))
    assert same(rng.current(), mine)


FORK = """
import os, sys
import torch
from mxtorch._core import rng

torch.set_num_threads(2)
rng.current().seed(3)
rng.current().normal(shape=(200_000,))  # starts the threads, which the child will not have
rng.current().shuffle_index(10)
names = []
for _ in "ab":
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, rng.current().normal(shape=(200_000,))[::5000].tobytes())
        os.write(write, rng.current().shuffle_index(20).tobytes())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        names.append(pipe.read())
    os.wait()
mine = rng.current().normal(shape=(200_000,))[::5000].tobytes()
mine += rng.current().shuffle_index(20).tobytes()
assert names == [mine, mine], "the copies differ"
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_goes_on_from_a_copy(tmp_path):
    script = tmp_path / "fork.py"
    script.write_text(FORK)
    done = python("-W", "ignore", str(script))
    assert done.returncode == 0, done.stderr


# state ------------------------------------------------------------------------------------------


def through_a_file(state):
    file = io.BytesIO()
    onp.savez(file, **state)
    file.seek(0)
    return dict(onp.load(file))


@pytest.mark.parametrize("n", [0, 7, 700, 70_001])
@pytest.mark.parametrize("kind", ["uniform", "normal", "poisson"])
def test_state_goes_on_in_the_middle(n, kind):
    generator = rng.Generator(8)
    for k in (n, n // 3, n):
        getattr(generator, kind)(shape=(k,))
        generator.np_normal(size=(k,))
        generator.shuffle_index(k % 100)
    state = through_a_file(generator.get_state())
    other = rng.Generator(1)
    other.uniform(shape=(500,))
    other.set_state(state)
    for _ in range(2):
        for k in (n, 30, 1000):
            want = [generator.normal(shape=(k,)), generator.np_gamma(2.0, size=(k,))]
            got = [other.normal(shape=(k,)), other.np_gamma(2.0, size=(k,))]
            assert all(onp.array_equal(a, b) for a, b in zip(want, got, strict=True))
    assert same(generator, other)


def test_reading_the_state_changes_nothing():
    a, b = rng.Generator(8), rng.Generator(8)
    for _ in range(5):
        assert onp.array_equal(a.normal(shape=(300,)), b.normal(shape=(300,)))
        a.get_state()
    assert same(a, b)


def test_the_state_is_small_until_much_is_drawn():
    generator = rng.Generator(8)
    generator.normal(shape=(64,))
    assert sum(v.nbytes for v in generator.get_state().values()) < 8_000
    generator.normal(shape=(10**5,))
    assert sum(v.nbytes for v in generator.get_state().values()) < 2.7e6


# numbers at the limits --------------------------------------------------------------------------


def test_uniform_can_be_exactly_one():
    assert to_f32(onp.array([2**32 - 129, 2**32 - 128], "uint32")).tolist() == [1 - 2**-24, 1]


@given(st.floats(1e-6, 1 - 1e-6), st.booleans())
def test_the_dropout_test_on_raw_numbers_is_that_on_uniform_numbers(p, strict):
    rate = onp.float32(1) - onp.float32(p)
    limit = int(elementwise.largest_raw(float(rate), strict))
    near = onp.arange(max(0, limit - 300), min(2**32, limit + 300)).astype("uint32")
    u = to_f32(near)
    assert onp.array_equal(near <= limit, u < rate if strict else u <= rate)


@pytest.mark.parametrize("p", [0.0, 1e-9, 0.25, 0.999])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_dropout_mask_has_two_values(p, dtype):
    mask = rng.Generator(1).dropout_mask((40, 50), p, dtype, axes=(1,))
    assert (mask.shape, mask.dtype.name) == ((40, 1), dtype)
    kept = onp.float32(1) / (onp.float32(1) - onp.float32(p))
    assert set(mask.reshape(-1).tolist()) <= {0.0, float(kept.astype(dtype))}


def c_float_function(name):
    try:
        function = getattr(ctypes.CDLL(None), name)
    except (TypeError, OSError, AttributeError):
        pytest.skip("no C library to compare with")
    function.restype, function.argtypes = ctypes.c_float, [ctypes.c_float]
    return lambda x: onp.array([function(v) for v in x.tolist()], "float32")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="MXNet's wheels use glibc")
def test_logf_is_the_c_librarys():
    random = onp.random.RandomState(0)
    bits = random.randint(0, 0x7F800000, 60_000).astype("uint32")
    near_one = onp.float32(1) - onp.arange(2000).astype("float32") * onp.float32(2**-24)
    special = onp.array([0, 1, 2**-149, 2**-126, 2**-127, 3e38, onp.inf, -1, -0.0, onp.nan])
    x = onp.concatenate([bits.view("float32"), near_one, special.astype("float32")])
    assert onp.array_equal(logf(x), c_float_function("logf")(x), equal_nan=True)


def test_log_factorial_is_the_c_librarys_lgammaf():
    k = onp.array([0, 1, 2, 700, 60_000, 65_535, 65_536, 10**6], "float32")
    want = c_float_function("lgammaf")(k + 1)
    assert onp.array_equal(log_factorial(k), want)
    assert onp.array_equal(log_factorial(k[:5]), want[:5])
    assert onp.array_equal(lgammaf(k + 1), want)


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (0.1, 0.1),
        (0, 0.0),
        (-3, -3.0),
        (1.8474337369372327, 1.8474338054656982),  # the nearest is 1.8474336862564087
        (float("inf"), float("inf")),
        (1e38, 1.0000000694406173e38),
    ],
)
def test_numbers_are_held_as_mxnet_reads_their_text(value, held):
    assert parameter.as_float32(value) == onp.float32(held)


# what is refused --------------------------------------------------------------------------------


def test_parameters_must_divide_the_result():
    with pytest.raises(ValueError, match="3 parameters do not divide 10 elements"):
        rng.Generator().uniform(onp.zeros(3, "float32"), 1.0, shape=(10,))


def test_float16_shapes_of_gamma_are_refused():
    with pytest.raises(MXNetError, match="float32 or float64"):
        rng.Generator().np_gamma(onp.ones(3, "float16"))


def test_bernoulli_needs_one_parameter():
    for kwargs in ({}, {"prob": 0.5, "logit": 0.0}):
        with pytest.raises(ValueError, match="either prob or logit"):
            rng.Generator().np_bernoulli(**kwargs, size=(2,))


# images -----------------------------------------------------------------------------------------


def test_the_random_image_effects_draw_what_mxnet_draws():
    # The recorded case: brightness, contrast, saturation, lighting, jitter without hue, shuffle.
    generator = rng.Generator(1)
    case = recorded()["data/image-color"]
    strengths = [generator.between(0.5, 1.5) for _ in range(3)]
    assert all(0.5 <= s <= 1.5 for s in strengths)
    assert generator.lighting(0.1).shape == (3,)
    effects = dict(generator.color_jitter(0.3, 0.3, 0.3, 0.0))
    assert sorted(effects) == ["brightness", "contrast", "saturation"]
    assert all(0.7 <= alpha <= 1.3 for alpha in effects.values())
    order = generator.shuffle_index(7).astype("float32")
    want = onp.frombuffer(base64.b64decode(case["out"][5]["data"]), "float32")
    assert onp.array_equal(sampled(order), want)
