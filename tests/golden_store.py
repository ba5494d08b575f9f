"""The recorded results: how they are written down, and how a new result is compared to one.

Python 3.8 or later: the recorder encodes beside real MXNet.
"""

import base64
import hashlib
import json
import zlib

import numpy as onp

from tests.replay import Array

FORMAT = "mxtorch-golden/1"
WHOLE = 4096  # arrays up to this many elements are kept whole
SAMPLES = 256
TOLERANCE = {"float16": 2e-3, "float32": 1e-5, "float64": 1e-10}
NET = 2e-4  # training runs: rounding differences grow over the steps
ULP, ULP64 = 2, 1e-12
SUMS = {"sum": "sum", "abs": "absolute sum", "proj": "±1 projection", "odd": "count of NaN and inf"}


def pack(array):
    raw = array.astype(array.dtype.newbyteorder("<")).tobytes()
    small = zlib.compress(raw, 9)
    if len(small) < len(raw):
        return {"z": base64.b64encode(small).decode()}
    return {"b": base64.b64encode(raw).decode()}


def unpack(record, shape):
    text = record["b"] if "b" in record else record["z"]
    raw = base64.b64decode(text)
    raw = raw if "b" in record else zlib.decompress(raw)
    dtype = onp.dtype(record["d"])
    little = onp.frombuffer(raw, dtype.newbyteorder("<"))
    return little.astype(dtype).reshape(shape)


def positions(n):
    """The elements of an array of `n` that are sampled: the ends, the rest at random."""
    inner = onp.random.RandomState(n % 2**32).randint(0, n, SAMPLES - 8)
    return onp.concatenate([onp.arange(4), onp.sort(inner), onp.arange(n - 4, n)])


def summary(array):
    """Sum, absolute sum, one seeded ±1 projection, largest value; non-finite values apart."""
    flat = array.reshape(-1).astype(onp.float64)
    finite = onp.isfinite(flat)
    flat = onp.where(finite, flat, 0.0)
    sign = onp.random.RandomState(flat.size % 2**32).randint(0, 2, flat.size) * 2 - 1
    return {
        "sum": float(flat.sum()),
        "abs": float(abs(flat).sum()),
        "proj": float((flat * sign).sum()),
        "max": float(abs(flat).max()),
        "odd": int(flat.size - finite.sum()),
    }


def digest(array):
    return hashlib.sha256(array.astype(array.dtype.newbyteorder("<")).tobytes()).hexdigest()[:20]


def encode(obj):
    """`obj` (the output of tests/replay.py) as JSON values."""
    if isinstance(obj, Array):
        value = onp.ascontiguousarray(obj.value).reshape(obj.value.shape)
        record = {"k": obj.kind, "d": value.dtype.name, "s": list(value.shape)}
        if value.size <= WHOLE:
            record.update(pack(value))
        else:
            record.update(pack(value.reshape(-1)[positions(value.size)]))
            record.update(summary(value), sha=digest(value))
        return record
    if isinstance(obj, tuple):
        return {"tuple": [encode(x) for x in obj]}
    if isinstance(obj, list):
        return [encode(x) for x in obj]
    if isinstance(obj, bytes):
        return {"bytes": base64.b64encode(obj).decode()}
    if isinstance(obj, dict):
        return {"dict": [[encode(k), encode(v)] for k, v in obj.items()]}
    return obj


class Recorded:
    """An array of which a record is all there is: of a large one, its samples and sums."""

    def __init__(self, record):
        self.kind, self.dtype, self.shape = record["k"], onp.dtype(record["d"]), record["s"]
        self.seen = unpack(record, (-1,) if "sha" in record else record["s"])
        self.sums = {key: record.get(key) for key in SUMS}
        self.sha = record.get("sha")


class Live:
    """The same of an array at hand; sums and digest are worked out where they are asked for."""

    def __init__(self, array):
        self.value = array.value
        self.kind, self.dtype, self.shape = array.kind, self.value.dtype, list(self.value.shape)
        large = self.value.size > WHOLE
        self.seen = self.value.reshape(-1)[positions(self.value.size)] if large else self.value

    @property
    def sums(self):
        return summary(self.value)

    @property
    def sha(self):
        return digest(self.value)


def decode(record):
    """What `encode` was given, with `Recorded` for the arrays."""
    if isinstance(record, list):
        return [decode(x) for x in record]
    if not isinstance(record, dict):
        return record
    if "d" in record:
        return Recorded(record)
    if "tuple" in record:
        return tuple(decode(x) for x in record["tuple"])
    if "bytes" in record:
        return base64.b64decode(record["bytes"])
    return {decode(k): decode(v) for k, v in record["dict"]}


class Mismatch(AssertionError):
    """A result that is not the recorded one."""


def bound_of(dtype, cls, tol):
    """The allowed difference, relative to the largest absolute value."""
    if tol is not None:
        return tol
    return NET if cls == "net" else TOLERANCE[dtype.name]


def ulps(array):
    """What class `ulp` allows at each element."""
    if array.dtype == onp.float64:
        return abs(array) * ULP64
    return ULP * onp.spacing(abs(array)).astype(onp.float64)


def compare_values(got, want, cls, tol, where, scale=None):
    """Element by element; `scale` is the largest value of the array that these come from."""
    odd = ~onp.isfinite(want)
    if (
        not onp.array_equal(got[odd], want[odd], equal_nan=True)
        or not onp.isfinite(got[~odd]).all()
    ):
        raise Mismatch(f"{where}: NaN or infinite at other places, or of other sign")
    a, b = (x[~odd].astype(onp.float64) for x in (got, want))
    if not a.size:
        return
    if cls == "ulp":
        allowed, text = ulps(want[~odd]), f"{ULP} ulp"
    else:
        largest = max(abs(b).max() if scale is None else scale, 1e-30)
        bound = bound_of(want.dtype, cls, tol)
        allowed, text = bound * largest, f"{bound:g} of {largest:g}"
    excess = abs(a - b) - allowed
    if (excess > 0).any():
        flat = int(onp.flatnonzero(~odd)[excess.argmax()])
        at = tuple(int(i) for i in onp.unravel_index(flat, want.shape))
        raise Mismatch(
            f"{where}: {(excess > 0).sum()} of {want.size} differ by more than {text}; "
            f"worst at {at}: {got[at].item()!r}, MXNet {want[at].item()!r}"
        )


def compare_bits(got, want, where):
    """Every bit, the sign of zero included."""
    if got.tobytes() == want.tobytes():
        return
    a, b = got.reshape(-1), want.reshape(-1)
    off = onp.flatnonzero(
        (a != b) | (onp.signbit(a) != onp.signbit(b)) if a.dtype.kind == "f" else a != b
    )
    first = (
        f"first at {off[0]}: {a[off[0]].item()!r}, MXNet {b[off[0]].item()!r}"
        if off.size
        else "a NaN"
    )
    raise Mismatch(f"{where}: not bit-identical: {off.size} of {want.size} differ, {first}")


def compare_summary(got, record, cls, tol, where):
    """A large array: its sums; the sampled elements have been compared."""
    now, bound = got.sums, bound_of(got.dtype, cls, tol)
    room = bound * max(record["abs"], record["max"] * onp.prod(got.shape, dtype=float) ** 0.5)
    for key, what in SUMS.items():
        if abs(now[key] - record[key]) > (0 if key == "odd" else room):
            raise Mismatch(
                f"{where}: {what} over all elements is {now[key]!r}, MXNet {record[key]!r}"
            )


def compare_array(got, record, cls, tol, where):
    if not isinstance(got, (Array, Recorded)):
        raise Mismatch(f"{where}: {type(got).__name__}, MXNet gives an array")
    got = Live(got) if isinstance(got, Array) else got
    ours = (got.kind, got.dtype.name, got.shape)
    theirs = (record["k"], record["d"], record["s"])
    for what, a, b in zip(("kind", "dtype", "shape"), ours, theirs):
        if a != b:
            raise Mismatch(f"{where}: {what} {a}, MXNet {b}")
    want = unpack(record, got.seen.shape)
    if cls == "exact" or got.dtype.kind != "f":
        compare_bits(got.seen, want, where)
        if "sha" in record and got.sha != record["sha"]:
            raise Mismatch(f"{where}: not bit-identical (the sampled elements are)")
        return
    compare_values(got.seen, want, cls, tol, where, record.get("max"))
    if "sha" in record:
        compare_summary(got, record, cls, tol, where)


def compare_sequence(got, items, kind, cls, tol, where):
    if type(got) is not kind or len(got) != len(items):
        ours = f"{type(got).__name__} of {len(got)}" if hasattr(got, "__len__") else repr(got)
        raise Mismatch(f"{where}: {ours}, MXNet {kind.__name__} of {len(items)}")
    for i, (a, b) in enumerate(zip(got, items)):
        compare(a, b, cls, tol, f"{where}[{i}]")


def compare_dict(got, items, cls, tol, where):
    keys = [encode(k) for k in got] if isinstance(got, dict) else type(got).__name__
    if keys != [k for k, _ in items]:
        raise Mismatch(f"{where}: keys {keys}, MXNet {[k for k, _ in items]}")
    for (key, value), (_, record) in zip(got.items(), items):
        compare(value, record, cls, tol, f"{where}[{key!r}]")


def compare_plain(got, want, cls, tol, where):
    """Numbers, strings, None; floats within the tolerance of float32, others exactly."""
    if type(got) is type(want) is float and cls != "exact":
        bound = bound_of(onp.dtype("float32"), cls, tol)
        same = onp.isclose(got, want, rtol=bound, atol=0.0, equal_nan=True)
    else:
        same = type(got) is type(want) and (got == want or (got != got and want != want))
    if not same:
        raise Mismatch(f"{where}: {got!r}, MXNet {want!r}")


def compare(got, want, cls="tol", tol=None, where="result"):
    """Raises Mismatch unless `got` (of tests/replay.py) is what `want` (a record) says."""
    if isinstance(want, list):
        compare_sequence(got, want, list, cls, tol, where)
    elif not isinstance(want, dict):
        compare_plain(got, want, cls, tol, where)
    elif "d" in want:
        compare_array(got, want, cls, tol, where)
    elif "dict" in want:
        compare_dict(got, want["dict"], cls, tol, where)
    elif "tuple" in want:
        compare_sequence(got, want["tuple"], tuple, cls, tol, where)
    else:
        compare_plain(got, base64.b64decode(want["bytes"]), "exact", tol, where)


def case_line(case, result):
    """The line of a case: its id, its hash, and the result of tests/replay.py."""
    line = {"id": case.id, "hash": case.hash, "out": encode(result["out"])}
    if result.get("many"):
        line["many"] = True
    for key in ("grad", "changed"):
        if result.get(key):
            line[key] = {name: encode(array) for name, array in result[key].items()}
    return line


def compare_line(case, result, line):
    """Raises Mismatch unless `result` is what `line` recorded."""
    if bool(result.get("many")) != line.get("many", False):
        raise Mismatch(
            "output: {}, MXNet the other".format("a list" if result["many"] else "one array")
        )
    compare(result["out"], line["out"], case.cls, case.tol, "out")
    for key, what in (("grad", "gradient of input "), ("changed", "new value of input ")):
        ours, theirs = result.get(key) or {}, line.get(key, {})
        if set(ours) != set(theirs):
            raise Mismatch(f"{what}{sorted(ours)}, MXNet {sorted(theirs)}")
        for name in theirs:
            compare(ours[name], theirs[name], case.cls, case.tol, what + name)


def line_result(line):
    """The result that a line was made of, with `Recorded` for the arrays."""
    named = {k: {n: decode(r) for n, r in line.get(k, {}).items()} for k in ("grad", "changed")}
    return {"out": decode(line["out"]), "many": line.get("many", False), **named}


class Family:
    """One golden file: a header line, then one line a case."""

    def __init__(self, header, records):
        self.header, self.records = header, records

    @classmethod
    def read(cls, path):
        if not path.exists():
            return cls({}, {})
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if lines[0]["format"] != FORMAT:
            raise ValueError("{}: format {}, expected {}".format(path, lines[0]["format"], FORMAT))
        return cls(lines[0], {record["id"]: record for record in lines[1:]})

    def write(self, path):
        lines = [self.header, *self.records.values()]
        text = "\n".join(json.dumps(x, separators=(",", ":")) for x in lines) + "\n"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def family_hash(cases):
    text = FORMAT + "".join(f"{case.id} {case.hash}\n" for case in cases)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_fresh(cases, family):
    return family.header.get("hash") == family_hash(cases)
