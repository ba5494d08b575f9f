"""Does real MXNet read what mxtorch writes? Random files, loaded and saved again by the oracle.

    python tools/cross_check_files.py [--oracle .oracle/bin/python] [--count 200] [--seed 0]

MXNet must save the same bytes again; so it has read the same names, shapes, types and values.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from mxtorch._core import ndfile
from mxtorch._core.dtypes import BFLOAT16_NUMPY
from mxtorch._core.ndentry import Array, Entry

_DTYPES = ("f4", "f8", "f2", "u1", "i4", "i1", "i8", "?", BFLOAT16_NUMPY)
_TIMEOUT = 600

_ORACLE = """
import pathlib, sys
import mxnet as mx
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.params")):
    if path.name.startswith("np"):
        mx.npx.set_np()
    load, save = (mx.npx.load, mx.npx.save) if mx.is_np_array() else (mx.nd.load, mx.nd.save)
    save(str(path.with_suffix(".again")), load(str(path)))
"""


def main() -> int:
    """Print what differs; 1 if anything does."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--oracle", default=".oracle/bin/python", help="MXNet 1.9.1's Python")
    parser.add_argument("--count", type=int, default=200, help="how many files")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number in range(options.count):
            np_shape = number % 4 == 3
            prefix = "np" if np_shape else "nd"
            path = folder / f"{prefix}{number:04}.params"
            ndfile.write(path, _entries(rng, np_shape), np_shape=np_shape)
        command = [options.oracle, "-c", _ORACLE, name]
        subprocess.run(command, check=True, timeout=_TIMEOUT)
        wrong = [path.name for path in sorted(folder.glob("*.params")) if not _same(path)]
    print(f"seed {options.seed}: {options.count - len(wrong)} of {options.count} files alike")
    for name in wrong:
        print(f"  {name} differs")
    return 1 if wrong else 0


def _same(path: pathlib.Path) -> bool:
    return path.read_bytes() == path.with_suffix(".again").read_bytes()


def _entries(rng: np.random.Generator, np_shape: bool) -> list[Entry]:
    count = int(rng.integers(0, 6))
    named = bool(rng.integers(2)) and count > 0
    names = [f"层{position}_w" if named else None for position in range(count)]
    if np_shape:
        return [Entry.dense(name, _values(rng, _shape(rng, 0), bfloat16=False)) for name in names]
    makers = (_dense, _dense, _row_sparse, _csr)
    return [makers[rng.integers(len(makers))](rng, name) for name in names]


def _shape(rng: np.random.Generator, least: int) -> tuple[int, ...]:
    return tuple(int(size) for size in rng.integers(1, 5, rng.integers(least, 6)))


def _values(rng: np.random.Generator, shape: tuple[int, ...], bfloat16: bool = True) -> Array:
    dtype = np.dtype(_DTYPES[rng.integers(len(_DTYPES) if bfloat16 else len(_DTYPES) - 1)])
    if dtype == np.bool_:
        return rng.integers(0, 2, shape).astype(bool)
    raw = rng.bytes(int(np.prod(shape)) * dtype.itemsize)
    return np.frombuffer(raw, dtype).reshape(shape)


def _dense(rng: np.random.Generator, name: str | None) -> Entry:
    return Entry.dense(name, _values(rng, _shape(rng, 1)))


def _row_sparse(rng: np.random.Generator, name: str | None) -> Entry:
    shape = _shape(rng, 2)
    rows = np.flatnonzero(rng.integers(0, 2, shape[0]))
    values = rng.standard_normal((len(rows), *shape[1:])).astype("f4")
    return Entry(name, values, shape, "row_sparse", (rows,))


def _csr(rng: np.random.Generator, name: str | None) -> Entry:
    dense = rng.standard_normal((int(rng.integers(1, 6)), int(rng.integers(1, 6)))).astype("f4")
    rows, columns = np.nonzero(dense > 0)
    counts = np.bincount(rows, minlength=len(dense))
    pointers = np.concatenate([[0], np.cumsum(counts)])
    return Entry(name, dense[rows, columns], dense.shape, "csr", (pointers, columns))


if __name__ == "__main__":
    sys.exit(main())
