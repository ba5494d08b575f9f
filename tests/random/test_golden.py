"""MXNet's random streams: every case recorded in tests/golden/rng.json.

A case is a snippet and the arrays that it must give: whole up to 32 elements, else a few
elements and the start of the SHA-256 of all bytes. Classes as in tests/golden_store.py.
"""

import base64
import functools
import json
import os
import subprocess
import sys

import numpy as onp
import pytest

from tests import golden_store, replay
from tests.cases import TESTS, C

LONG = ("stream/one-is-possible",)
FIRST = "seed/unseeded-first-case"  # must run before anything in its process is seeded

# Singular vectors have no sign of their own, and builds of LAPACK choose differently.
UP_TO_SIGN = ("init/orthogonal",)

# Ids (with `/` at the end: all below) whose parts do not exist yet. If one passes, that fails.
PENDING: dict[str, str] = {}


@functools.cache
def recorded():
    text = (TESTS / "golden" / "rng.json").read_text(encoding="utf-8")
    return {case["id"]: case for case in json.loads(text)["cases"]}


def sampled(array):
    """The elements of `array` that the file keeps."""
    flat = array.reshape(-1)
    n = flat.size
    if n <= 32:
        return flat
    return flat[sorted({0, 1, 2, 3, 4, *(n * k // 8 for k in range(1, 8)), *range(n - 4, n)})]


def is_listed(id, entry):
    return id == entry or (entry.endswith("/") and id.startswith(entry))


def compare(got, want, cls, where, up_to_sign=False):
    """One array and its record."""
    shape = list(got.shape) or [1]  # the file keeps scalars so
    assert (got.dtype.name, shape) == (want["dtype"], want["shape"]), where
    raw = onp.frombuffer(base64.b64decode(want["data"]), onp.dtype(want["dtype"]))
    if cls != "exact" and got.dtype.kind == "f":
        ours, theirs = sampled(got), raw
        if up_to_sign:
            ours, theirs = abs(ours), abs(theirs)
        golden_store.compare_values(ours, theirs, cls, None, where)
        return
    assert sampled(got).tobytes() == raw.tobytes(), f"{where}: {sampled(got)}, MXNet {raw}"
    if "sha" in want:
        assert golden_store.digest(got) == want["sha"], f"{where}: the whole array differs"


def arrays(mx, case):
    """What the case's snippet leaves, as NumPy arrays."""
    out = replay.run(mx, C(case["id"], case["code"]))["out"]
    return [onp.asarray(getattr(item, "value", item)) for item in out]


def check(mx, id):
    case = recorded()[id]
    got = arrays(mx, case)
    assert len(got) == len(case["out"])
    for i, (ours, theirs) in enumerate(zip(got, case["out"], strict=True)):
        compare(ours, theirs, case["cls"], f"out[{i}]", id in UP_TO_SIGN)


def params():
    for id in recorded():
        reason = next((why for entry, why in PENDING.items() if is_listed(id, entry)), None)
        marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
        if id in LONG:
            marks.append(pytest.mark.full)
        if id != FIRST:
            yield pytest.param(id, id=id, marks=marks)


# float32 RNN layers say that they apply no dropout, once in a process
@pytest.mark.filterwarnings("ignore:RNN. on the CPU float32 layers apply no dropout:UserWarning")
@pytest.mark.parametrize("id", list(params()))
def test_stream(id):
    import mxtorch as mx

    check(mx, id)


def test_unseeded_stream():
    """Before any seed the streams are those of seed 0; so this one runs in a new process."""
    code = recorded()[FIRST]["code"]
    script = (
        "import mxtorch as mx; nd = mx.nd\n"
        f"{code}\n"
        "print([x.asnumpy().tobytes().hex() for x in out])"
    )
    root = TESTS.parent
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)])}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    want = [base64.b64decode(x["data"]).hex() for x in recorded()[FIRST]["out"]]
    assert done.stdout.strip() == str(want)


def test_pending_names_cases():
    unused = [entry for entry in PENDING if not any(is_listed(id, entry) for id in recorded())]
    assert not unused
