"""Records `.params` files of real MXNet 1.9.1 and what it reads back from them.

Runs on the oracle's Python: `.oracle/bin/python tools/make_file_goldens.py`. Versions 0 and 1 can
only be read by 1.9.1, so these files are made here and MXNet says what they hold.
"""

from __future__ import annotations

import json
import pathlib
import struct
import sys
from collections.abc import Iterator
from typing import Any

import mxnet as mx
import numpy as np
from mxnet import nd

FOLDER = pathlib.Path(__file__).parent.parent / "tests" / "golden" / "files"
BFLOAT16 = np.dtype([("bfloat16", np.uint16)])
DTYPES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")


def array(shape: tuple[int, ...], dtype: str = "float32", start: int = 1) -> Any:
    size = int(np.prod(shape))
    return nd.array(np.arange(start, start + size).reshape(shape), dtype=dtype)


def bfloat16() -> Any:
    x = nd.zeros((2, 3), dtype=BFLOAT16)
    x[:] = 1
    return x


def row_sparse(dtype: str = "float32") -> Any:
    values = np.arange(1, 5, dtype=dtype).reshape(2, 2)
    return nd.sparse.row_sparse_array((values, [1, 4]), shape=(6, 2), dtype=dtype)


def csr(dtype: str = "float32") -> Any:
    parts = (np.arange(1, 4, dtype=dtype), [0, 2, 1], [0, 2, 2, 3])
    return nd.sparse.csr_matrix(parts, shape=(3, 4), dtype=dtype)


def legacy() -> Iterator[tuple[str, Any]]:
    """Files that MXNet writes without np_shape."""
    for dtype in DTYPES:
        yield f"v2-{dtype}", [array((2, 3), dtype, start=-2 if dtype[0] in "fi" else 0)]
    yield "v2-bfloat16", [bfloat16()]
    yield "v2-list", [array((1,)), array((2, 1, 3)), array((1, 2, 1, 2, 1))]
    yield "v2-dict", {"arg:fc_weight": array((2, 3)), "aux:bn_var": array((4,)), "": array((1,))}
    yield "v2-unicode", {"权重": array((2,)), "poids_é": array((1,))}
    yield "v2-no-list", []
    yield "v2-no-dict", {}
    yield "v2-zero-size", [array((2,))[0:0], array((2,))]
    yield "v2-cpu3", [array((2,)).as_in_context(mx.cpu(3))]
    yield "v2-shared", [array((2,)).as_in_context(mx.Context("cpu_shared", 0))]
    yield "v2-transposed", [array((2, 3)).T]
    yield "v2-row-sparse", {"w": row_sparse(), "e": nd.sparse.zeros("row_sparse", (6, 2))}
    yield "v2-csr", {"w": csr(), "e": nd.sparse.zeros("csr", (3, 4))}
    yield "v2-sparse-float64", [row_sparse("float64"), csr("float64")]
    yield "v2-mixed", {"d": array((3,), "uint8"), "r": row_sparse(), "c": csr(), "f": array((2,))}


def numpy_shapes() -> Iterator[tuple[str, Any]]:
    """Files that MXNet writes under np_shape."""
    yield "v3-scalar", [mx.np.array(5.0), mx.np.array(7, dtype="int64")]
    yield "v3-zero-size", [mx.np.zeros((0, 3)), mx.np.zeros((0,))]
    yield "v3-dict", {"a": mx.np.array([[1, 2, 3]]), "b": mx.np.array(True, dtype="bool")}


def made() -> Iterator[tuple[str, bytes]]:
    """Files of versions that MXNet 1.9.1 reads but does not write."""
    values = np.array([1.5, -2, 3], "<f4").tobytes()
    context = struct.pack("<ii", 1, 0)

    def file(arrays: list[bytes], names: tuple[bytes, ...] = ()) -> bytes:
        text = b"".join(struct.pack("<Q", len(name)) + name for name in names)
        head = struct.pack("<QQQ", 0x112, 0, len(arrays))
        return head + b"".join(arrays) + struct.pack("<Q", len(names)) + text

    def v0(dims: tuple[int, ...], flag: int, data: bytes) -> bytes:
        return struct.pack(f"<I{len(dims)}I", len(dims), *dims) + tail(flag, data)

    def v1(dims: tuple[int, ...], flag: int, data: bytes) -> bytes:
        return struct.pack(f"<Ii{len(dims)}q", 0xF993FAC8, len(dims), *dims) + tail(flag, data)

    def tail(flag: int, data: bytes) -> bytes:
        return context + struct.pack("<i", flag) + data

    yield "v0", file([v0((3,), 0, values), v0((3, 1), 3, b"\1\2\3")], (b"a", b"b"))
    yield "v0-scalar", file([v0((), 0, values[:4]), v0((0, 2), 0, b"")])
    yield "v1", file([v1((3,), 0, values), v1((1, 3), 5, b"\1\2\xff")], (b"a", b"b"))
    yield "v1-scalar", file([v1((), 0, values[:4]), v0((3,), 0, values)])
    yield "v2-bool-two", file([struct.pack("<Iiiq", 0xF993FAC9, 0, 1, 3) + tail(7, b"\0\1\2")])


def described(loaded: Any) -> list[dict[str, Any]]:
    """What MXNet read, for the manifest."""
    named = isinstance(loaded, dict)
    pairs = loaded.items() if named else [(None, x) for x in loaded]
    return [describe(name, x) for name, x in pairs]


def describe(name: str | None, x: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": name,
        "shape": list(x.shape),
        "stype": getattr(x, "stype", "default"),
    }
    if row["stype"] == "row_sparse":
        row["indices"] = [x.indices.asnumpy().tolist()]
    elif row["stype"] == "csr":
        row["indices"] = [x.indptr.asnumpy().tolist(), x.indices.asnumpy().tolist()]
    dense = x.asnumpy()
    if dense.dtype == BFLOAT16:
        row.update(dtype="bfloat16", values=dense.view(np.uint16).ravel().tolist())
    else:
        row.update(dtype=dense.dtype.name, values=dense.ravel().tolist())
    return row


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {}
    for name, content in legacy():
        nd.save(str(FOLDER / f"{name}.params"), content)
        manifest[name] = {"writer": "mxnet", "arrays": None}
    for name, content in made():
        (FOLDER / f"{name}.params").write_bytes(content)
        manifest[name] = {"writer": "made", "arrays": None}
    for name, entry in manifest.items():
        entry["arrays"] = described(nd.load(str(FOLDER / f"{name}.params")))
    mx.npx.set_np()
    for name, content in numpy_shapes():
        path = str(FOLDER / f"{name}.params")
        mx.npx.save(path, content)
        manifest[name] = {"writer": "mxnet", "arrays": described(mx.npx.load(path))}
    lines = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in manifest.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (FOLDER / "manifest.json").write_text(text, encoding="utf-8")
    print(f"{len(manifest)} files in {FOLDER}, MXNet {mx.__version__}", file=sys.stderr)


if __name__ == "__main__":
    main()
