"""Speed of the CPU random streams, beside real MXNet's if its Python is given.

    python bench/rng.py [--oracle PYTHON] [--threads 1 2] [--rounds 15] [--cpu]

Each row is the best time of several rounds, in which both sides take turns; the ratio is
ours / MXNet's, so lower is better. Both sides use the same number of threads. `--cpu` compares
processor time instead of elapsed time: of use where other programs keep the machine busy.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from bench.run import find_oracle  # noqa: E402 - needs the path above

KINDS = ("uniform", "normal", "dropout")
SIZES = (6, 1_000, 100_000, 10_000_000)

# Read by either Python (MXNet's is 3.8): one request a line, its time in µs as the answer.
ORACLE = """
import sys, time
import mxnet as mx
from mxnet import nd
mx.random.seed(1)
ones = {}
def call(kind, n):
    if kind == "dropout":
        return nd.Dropout(ones[n], p=0.5, mode="always")
    return getattr(nd.random, kind)(shape=(n,))
clock = getattr(time, sys.argv[1])
for line in sys.stdin:
    kind, n, calls = line.split()
    n, calls = int(n), int(calls)
    if n not in ones:
        ones[n] = nd.ones((n,))
        ones[n].wait_to_read()
    start = clock()
    for _ in range(calls):
        call(kind, n)
    mx.nd.waitall()
    print((clock() - start) / calls * 1e6, flush=True)
"""


class Oracle:
    """A process of real MXNet that times one request after another."""

    def __init__(self, python: str, threads: int, clock: str) -> None:
        env = dict(os.environ, OMP_NUM_THREADS=str(threads))
        self._process = subprocess.Popen(
            [python, "-c", ORACLE, clock],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )

    def time(self, kind: str, n: int, calls: int) -> float:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{kind} {n} {calls}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)


def ours(threads: int, clock: str) -> Callable[[str, int, int], float]:
    """A timer with the oracle's interface."""
    import torch

    from mxtorch._core.rng import Generator

    torch.set_num_threads(threads)
    now = getattr(time, clock)
    generator, ones = Generator(1), {n: torch.ones(n) for n in SIZES}

    def call(kind: str, n: int) -> None:
        if kind == "dropout":  # as an operator would: the mask times the data
            mask = torch.from_numpy(generator.dropout_mask((n,), 0.5))
            torch.mul(ones[n], mask, out=mask)
        elif kind == "uniform":
            generator.uniform(shape=(n,))
        else:
            generator.normal(shape=(n,))

    def measure(kind: str, n: int, calls: int) -> float:
        start = now()
        for _ in range(calls):
            call(kind, n)
        return float(now() - start) / calls * 1e6

    return measure


def compare(
    threads: int, rounds: int, python: str | None, clock: str
) -> list[dict[str, float | str]]:
    """Best times for each kind and size."""
    mine = ours(threads, clock)
    oracle = Oracle(python, threads, clock) if python else None
    rows: list[dict[str, float | str]] = []
    for kind in KINDS:
        for n in SIZES:
            calls = max(1, min(200, 2_000_000 // n))  # several blocks of each engine
            best = best_oracle = float("inf")
            for _ in range(rounds if n < 10**6 else max(3, rounds // 3)):
                best = min(best, mine(kind, n, calls))
                if oracle:
                    best_oracle = min(best_oracle, oracle.time(kind, n, calls))
            row: dict[str, float | str] = {"kind": kind, "n": n, "threads": threads, "us": best}
            if oracle:
                row.update(mxnet_us=best_oracle, ratio=best / best_oracle)
            rows.append(row)
    if oracle:
        oracle.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--oracle", help="the Python of real MXNet (default: .oracle)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--cpu", action="store_true", help="processor time, not elapsed time")
    args = parser.parse_args()
    clock = "process_time" if args.cpu else "perf_counter"
    oracle = find_oracle(args.oracle)
    rows = [r for t in args.threads for r in compare(t, args.rounds, oracle, clock)]
    if args.json:
        json.dump(rows, sys.stdout, indent=1)
        return
    print(f"{'draw':9}{'elements':>10}{'threads':>9}{'us':>12}{'MXNet us':>12}{'ratio':>8}")
    for r in rows:
        line = f"{r['kind']:9}{r['n']:>10}{r['threads']:>9}{r['us']:>12.1f}"
        if oracle:
            line += f"{r['mxnet_us']:>12.1f}{r['ratio']:>8.2f}"
        print(line)


if __name__ == "__main__":
    main()
