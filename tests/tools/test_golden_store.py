"""tests/golden_store.py: what differs is found, what is within tolerance is not."""

import json

import numpy as onp
import pytest

from tests import golden_store
from tests.golden_store import Mismatch
from tests.replay import Array


def record(value, kind="nd"):
    """Through JSON, as in a file."""
    return json.loads(json.dumps(golden_store.encode(Array(kind, onp.asarray(value)))))


def check(got, want, **how):
    golden_store.compare(Array("nd", onp.asarray(got)), record(want), **how)


RNG = onp.random.RandomState(7)
SMALL = RNG.uniform(-1, 1, (3, 5)).astype("float32")
LARGE = RNG.uniform(-1, 1, (70, 80)).astype("float32")
NAN = onp.array([1.0, onp.nan, onp.inf, -onp.inf], "float32")


def changed(array, position, value):
    copy = array.copy()
    copy.reshape(-1)[position] = value
    return copy


@pytest.mark.parametrize("cls", ["exact", "ulp", "tol", "net"])
@pytest.mark.parametrize(
    "array", [SMALL, LARGE, NAN, SMALL.astype("float16"), LARGE.astype("float64"), onp.arange(5000)]
)
def test_same_array_passes(array, cls):
    check(array, array, cls=cls)


@pytest.mark.parametrize(
    ("dtype", "error", "passes"),
    [
        ("float32", 0.8e-5, True),
        ("float32", 1.3e-5, False),
        ("float64", 0.8e-10, True),
        ("float64", 1.3e-10, False),
        ("float16", 1e-3, True),
        ("float16", 4e-3, False),
    ],
)
def test_tolerance_is_relative_to_the_largest_value(dtype, error, passes):
    want = onp.array([0.0, 0.25, -1.0], dtype)
    got = changed(want, 1, 0.25 + error)
    if passes:
        check(got, want)
    else:
        with pytest.raises(Mismatch, match=r"out: 1 of 3 differ .* worst at \(1,\)"):
            check(got, want, where="out")


@pytest.mark.parametrize(
    ("got", "want", "text"),
    [
        (SMALL.astype("float64"), SMALL, "dtype float64, MXNet float32"),
        (SMALL.reshape(5, 3), SMALL, r"shape \[5, 3\], MXNet \[3, 5\]"),
        (changed(NAN, 0, onp.nan), NAN, "NaN or infinite at other places"),
        (changed(NAN, 2, -onp.inf), NAN, "of other sign"),
        (changed(NAN, 1, 0.0), NAN, "NaN or infinite"),
        (onp.array([1, 2]), onp.array([1, 3]), "not bit-identical: 1 of 2 differ, first at 1"),
        (onp.array([True]), onp.array([False]), "not bit-identical"),
        (LARGE * onp.float32(1.001), LARGE, "sampled|over all elements|differ"),
        (LARGE[::-1], LARGE, "differ"),
    ],
)
def test_difference_is_found(got, want, text):
    with pytest.raises(Mismatch, match=text):
        check(got, want)


def test_one_changed_element_of_a_large_array_is_found():
    """Not sampled: the projection shows it."""
    seen = set(golden_store.positions(LARGE.size).tolist())
    unseen = next(i for i in range(1000, LARGE.size) if i not in seen)
    with pytest.raises(Mismatch, match="over all elements"):
        check(changed(LARGE, unseen, 1e3), LARGE)
    with pytest.raises(Mismatch, match="not bit-identical"):
        check(changed(LARGE, unseen, LARGE.reshape(-1)[unseen] * 1.001), LARGE, cls="exact")


def test_exact_sees_the_sign_of_zero():
    with pytest.raises(Mismatch, match="1 of 1 differ"):
        check(onp.float32([-0.0]), onp.float32([0.0]), cls="exact")
    check(onp.float32([-0.0]), onp.float32([0.0]))


def test_ulp():
    want = onp.float32([1.0, 1000.0])
    near = onp.nextafter(onp.nextafter(want, 2000), onp.float32(2000))
    check(near, want, cls="ulp")
    with pytest.raises(Mismatch, match="2 ulp"):
        check(onp.nextafter(near, onp.float32(2000)), want, cls="ulp")


def test_kind_of_array_matters():
    with pytest.raises(Mismatch, match="kind np, MXNet nd"):
        golden_store.compare(Array("np", SMALL), record(SMALL))


PLAIN = [1, 2.5, "x", None, True, (1, [2]), {"a": 1, 2: (3,)}, b"\0\xff", float("nan"), [[]]]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_survive_json(value):
    want = json.loads(json.dumps(golden_store.encode(value)))
    golden_store.compare(value, want)
    golden_store.compare([value], [want])


@pytest.mark.parametrize(
    ("got", "want"),
    [(1, 2), (1, 1.0), (1, True), ("a", "b"), ([1], (1,)), ([1], [1, 2]), ({"a": 1}, {"b": 1}),
     (1.0, 1.1), (1.0, float("nan")), (None, 0), (b"a", b"b"), ((1,), (1, 2)), (5, [5])],
)  # fmt: skip
def test_plain_difference_is_found(got, want):
    with pytest.raises(Mismatch):
        golden_store.compare(got, json.loads(json.dumps(golden_store.encode(want))))


def test_float_within_tolerance():
    golden_store.compare(1.000005, 1.0)
    with pytest.raises(Mismatch):
        golden_store.compare(1.000005, 1.0, cls="exact")
