"""Threads for large requests: NumPy's loops release the interpreter lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import torch

_MIN_NUMBERS = 40_000  # below, handing out the work costs more than it saves
_PIECE = 24_576  # raw numbers looked at in a piece of work: its arrays stay in the cache
_LEAST = 32  # rows in a piece: fewer are slow to refill

_pools: dict[int, ThreadPoolExecutor] = {}
# A forked child has none of its parent's threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)


def _run_all(work: Callable[[int, int], None], pieces: Iterator[tuple[int, int]]) -> None:
    for a, b in pieces:  # one iterator for all threads: who is faster takes more
        work(a, b)


def over_rows(work: Callable[[int, int], None], rows: int, per_row: int) -> None:
    """Call `work(a, b)` for pieces a..b-1 of the rows, on torch's number of threads."""
    if rows <= _LEAST:
        work(0, rows)
        return
    size = max(_LEAST, _PIECE // per_row // _LEAST * _LEAST)
    threads = torch.get_num_threads() if rows * per_row >= _MIN_NUMBERS else 1
    if threads > 1:
        size = min(size, -(-rows // (threads * _LEAST)) * _LEAST)
    pieces = [(a, min(a + size, rows)) for a in range(0, rows, size)]
    threads = min(threads, len(pieces))
    queue = iter(pieces)
    if threads == 1:
        _run_all(work, queue)
        return
    pool = _pools.get(threads)
    if pool is None:
        pool = _pools[threads] = ThreadPoolExecutor(threads - 1, "mxtorch-rng")
    futures = [pool.submit(_run_all, work, queue) for _ in range(1, threads)]
    _run_all(work, queue)
    for future in futures:
        future.result()
