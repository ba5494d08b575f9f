"""What is recorded from real MXNet: operator rows `S` and snippets `C`.

Runs under Python 3.8 too: the recorder imports it, and the files of cases, beside real MXNet.
"""

import collections
import functools
import hashlib
import importlib
import pathlib
import textwrap
import zlib

import numpy as onp

TESTS = pathlib.Path(__file__).resolve().parent
CLASSES = ("exact", "ulp", "tol", "net")
LEAST = 3  # samples of an operator; what its rows lack is derived from the first


def seeded(text):
    """A generator that depends on `text` only."""
    return onp.random.RandomState(zlib.crc32(text.encode()))


def spread_values(shape, lo, hi, rng):
    """Random float64 in [lo, hi] of which no two are close, and none is close to the middle."""
    n = int(onp.prod(shape, dtype=onp.int64))
    steps = rng.permutation(n) + rng.uniform(0.55, 0.95, n)
    return (lo + (hi - lo) * steps / max(n, 1)).reshape(shape)


def shape_text(shape):
    return "x".join(map(str, shape)) or "scalar"


class A:
    """A random float array."""

    def __init__(self, shape, dtype="float32", lo=-1.0, hi=1.0):
        self.shape, self.dtype, self.lo, self.hi = tuple(shape), dtype, lo, hi

    def text(self):
        kind = "" if self.dtype == "float32" else ":" + self.dtype
        limits = "" if (self.lo, self.hi) == (-1.0, 1.0) else f"[{self.lo:g}:{self.hi:g}]"
        return shape_text(self.shape) + kind + limits

    def value(self, seed):
        return spread_values(self.shape, self.lo, self.hi, seeded(seed)).astype(self.dtype)

    def double(self):
        return A(self.shape, "float64", self.lo, self.hi)


class I:
    """Random integers in [lo, hi), in any dtype."""

    def __init__(self, shape, lo, hi, dtype="int32"):
        self.shape, self.dtype, self.lo, self.hi = tuple(shape), dtype, lo, hi

    def text(self):
        return f"{shape_text(self.shape)}:{self.dtype}[{self.lo}:{self.hi})"

    def value(self, seed):
        return seeded(seed).randint(self.lo, self.hi, self.shape).astype(self.dtype)

    def double(self):
        return I(self.shape, self.lo, self.hi, "float64")


class V:
    """An explicit array."""

    def __init__(self, value, dtype="float32"):
        self.array = onp.array(value, dtype)
        self.shape, self.dtype = self.array.shape, dtype

    def text(self):
        values = str(self.array.tolist()).replace(" ", "")
        if len(values) > 24:
            values = f"{shape_text(self.shape)}~{zlib.crc32(values.encode()):08x}"
        return values + ("" if self.dtype == "float32" else ":" + self.dtype)

    def value(self, seed):
        return self.array.copy()

    def double(self):
        return V(self.array, "float64")


def attr_text(value):
    return (value if isinstance(value, str) else repr(value)).replace(" ", "")


class Case:
    """One recorded case: an id, what identifies it, and how closely it must be met."""

    full = False  # of the long set, which `make test-full` runs
    derived = False  # from a row: what MXNet does with it, errors included, is not known before

    def __init__(self, id, identity, cls, tol, xfail, why, raises, env=None):
        if cls not in CLASSES:
            raise ValueError("{}: cls={!r} is none of {}".format(id, cls, ", ".join(CLASSES)))
        if tol is not None and not why:
            raise ValueError(f"{id}: tol= needs why= (MXNet's own spread: --spread)")
        self.id, self.cls, self.tol, self.xfail, self.why = id, cls, tol, xfail, why
        self.raises = raises
        self.env = env or {}
        identity = [identity, sorted(self.env.items())] if self.env else identity
        self.hash = hashlib.sha256(repr(identity).encode()).hexdigest()[:12]


class S(Case):
    """A row: one call of `mx.nd.<op>`, forward and (with `grad`) backward.

    `np.<op>`, `np.linalg.<op>` and `npx.<op>` are functions of `mx.np` and `mx.npx`, called with
    their arrays after `npx.set_np()`; `seq` passes the inputs as one list.

    An input is a shape (random float32 in [-1, 1]), `A`, `I`, `V`, or None (omitted).
    `raises` names the exception's class where MXNet refuses the call. `env` holds variables that
    are set while the case runs (MXNet starts with them).
    """

    def __init__(
        self,
        op,
        /,
        *inputs,
        grad=True,
        train=True,
        cls="tol",
        tol=None,
        xfail=None,
        why="",
        id=None,
        raises=None,
        env=None,
        seq=False,
        **attrs,
    ):
        self.is_np, self.seq = op.startswith(("np.", "npx.")), seq
        self.op, self.grad, self.train, self.attrs = op, grad, train, attrs
        self.inputs = [A(x) if isinstance(x, tuple) else x for x in inputs]
        self.options = dict(
            attrs, grad=grad, train=train, cls=cls, tol=tol, why=why, env=env, seq=seq
        )
        parts = ["None" if x is None else x.text() for x in self.inputs]
        identity = [op, parts, sorted(attrs.items()), grad, train] + ["seq"] * seq
        parts += [f"{k}={attr_text(v)}" for k, v in attrs.items()]
        parts += [] if train else ["predict"]
        parts += [f"{k}={v}" for k, v in (env or {}).items()]
        super().__init__(
            id or "{}({})".format(op, ",".join(parts)), identity, cls, tol, xfail, why, raises, env
        )

    def values(self):
        """The inputs, as NumPy arrays (None where omitted)."""
        return [None if x is None else x.value(f"{self.id}#{i}") for i, x in enumerate(self.inputs)]

    def head(self, index, shape, dtype):
        """The head gradient of output `index`."""
        return spread_values(shape, -1.0, 1.0, seeded(f"{self.id}^{index}")).astype(dtype)

    def variants(self):
        """The same call in float64, and on other numbers, where that makes a difference."""
        double = [x.double() if x and x.dtype == "float32" else x for x in self.inputs]
        if any(x is not y for x, y in zip(self.inputs, double)):
            yield self._variant("float64", double)
        if any(isinstance(x, (A, I)) for x in self.inputs):
            yield self._variant("others", self.inputs)

    def _variant(self, what, inputs):
        found = S(self.op, *inputs, id=f"{self.id}~{what}", **self.options)
        found.derived = True
        return found


class C(Case):
    """A snippet that leaves what is compared in the list `out` (namespace: tests/replay.py).

    If it raises, the exception's class is what is recorded.
    """

    def __init__(self, id, code, cls="tol", tol=None, xfail=None, why="", raises=None, full=False):
        self.full = full
        self.code = textwrap.dedent(code).strip("\n") + "\n"
        super().__init__(id, self.code, cls, tol, xfail, why, raises)


def names():
    """Every family: 'ops/reduce' (rows), 'gluon/dropout' (snippets)."""
    rows = ["ops/" + f.stem for f in TESTS.glob("ops/samples/*.py") if f.stem != "__init__"]
    snippets = [
        "{}/{}".format(f.parent.name, f.stem[len("cases_") :]) for f in TESTS.glob("*/cases_*.py")
    ]
    return sorted(rows + snippets)


def written(name):
    """The cases of one family that its file lists."""
    room, _, stem = name.partition("/")
    is_rows = (TESTS / room / "samples" / (stem + ".py")).exists()
    module = "samples." + stem if is_rows else "cases_" + stem
    found = importlib.import_module(f"tests.{room}.{module}")
    return found.ROWS if is_rows else found.CASES


@functools.lru_cache
def derived():
    """The variants that bring each function to LEAST samples beside what it refuses, by family."""
    rows = collections.defaultdict(list)
    for name in names():
        for case in written(name):
            if isinstance(case, S):
                rows[case.op].append((name, case))
    found = collections.defaultdict(list)
    for listed in rows.values():
        good = [(name, row) for name, row in listed if not (row.raises or row.xfail)]
        for name, row in good[:1]:
            found[name] += list(row.variants())[: max(LEAST - len(good), 0)]
    return found


def load(name):
    """The cases of one family, listed and derived; an id that occurs twice is refused."""
    cases = [*written(name), *derived()[name]]
    seen = set()
    for case in cases:
        if case.id in seen:
            raise ValueError(f"{name}: two cases have the id {case.id!r}; pass id=")
        seen.add(case.id)
    return cases


def golden_path(name):
    return TESTS / "golden" / (name + ".jsonl")
