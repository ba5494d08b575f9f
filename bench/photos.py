"""Photographs of noise for the rows that read JPEGs: a record file, its index, and single files."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Iterator

import numpy as np

from bench.workloads import SIDE

COUNT = 64


@contextlib.contextmanager
def records() -> Iterator[None]:
    """Makes them where BENCH_RECORDS then says, for this process and its children."""
    import cv2

    from mxtorch import recordio

    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder) / "bench"
        single = pathlib.Path(f"{base}.photos")
        single.mkdir()
        writer = recordio.MXIndexedRecordIO(f"{base}.idx", f"{base}.rec", "w")
        for i in range(COUNT):
            noise = np.random.RandomState(i).randint(0, 255, (32, 32, 3)).astype("uint8")
            data = cv2.imencode(".jpg", cv2.resize(noise, (SIDE, SIDE)))[1].tobytes()
            header = recordio.IRHeader(0, float(i % 10), i, 0)
            writer.write_idx(i, recordio.pack(header, data))
            (single / f"{i:03}.jpg").write_bytes(data)
        writer.close()
        os.environ["BENCH_RECORDS"] = str(base)
        yield
