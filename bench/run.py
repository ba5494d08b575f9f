"""Time mxtorch beside hand-written torch and real MXNet, interleaved in one run; prints ratios.

    python bench/run.py [--threads 2] [--rounds 15] [--only TEXT] [--oracle PYTHON] [--json]

A ratio is mxtorch's time over the other's: the median over the rounds, in each of which the two
run one after the other; the rounds beside MXNet come after those beside torch. `goal` is what the
project asks of the ratio before it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

WORKER = str(ROOT / "bench" / "worker.py")
ROUND_SECONDS = 0.05
# Threads spin on for a while after work, MXNet's for 0.2 s: nobody else is timed meanwhile
REST_SECONDS, SPIN_SECONDS = 0.02, 0.3
# what each ratio may be: to hand-written torch, and to real MXNet
GOALS: dict[str, tuple[float, float]] = {
    "x + y": (1.3, 0.15),
    "x * 2": (1.3, 0.15),
    "x > y": (1.3, 0.15),
    "dot": (1.3, 0.15),
    "relu": (1.3, 0.15),
    "sum(axis=1)": (1.5, 0.2),
    "x.reshape": (1.5, 0.2),
    "x[1:3]": (1.5, 0.2),
    "slice_axis": (1.5, 0.2),
    "mean(axis=1)": (1.5, 0.2),
    "softmax": (1.5, 0.2),
    "10-op chain, forward + backward": (1.1, 0.3),
    "MLP training step": (1.15, 0.75),
    "max-pool 3x3": (0.3, 1.2),
    "max-pool 2x2": (0.3, 1.2),
    "avg-pool 3x3": (0.3, 1.2),
    "one_hot": (0.3, 1.2),
    "take": (0.3, 1.2),
    # torch's own is oneDNN's, as MXNet's is: there is nothing to win
    "deconvolution": (1.1, 1.2),
    "SGD step, 50 arrays": (1.1, 0.45),
    "Adam step, 50 arrays": (1.1, 0.45),
    "LeNet training step": (0.75, 1.0),
    "LeNet inference": (0.45, 1.0),
    "ResNet-18 training step": (0.95, 1.0),
    "ResNet-18 inference": (0.8, 1.0),
    "MobileNet inference": (0.55, 1.0),
    "LSTM language model step": (1.05, 0.8),
    "Transformer training step": (1.05, 0.8),
    "encoder layer inference": (0.95, 0.95),
    "DataLoader over JPEGs": (1.0, 0.55),
    "DataLoader, 2 workers": (1.0, 0.1),
    "RecordIO reading": (1.0, 0.6),
    "ImageRecordIter": (1.0, 0.75),
}


class Side:
    """One side in a process of its own, as its user starts it, asked to time a program.

    So neither finds memory cut up or kept by the other, or by another program.
    """

    def __init__(self, command: list[str], threads: int, rest: float) -> None:
        self.rest, self.said = rest, " ".join(command)
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": str(ROOT / "src")},
        )
        assert self.process.stdout is not None
        if self.process.stdout.readline().strip() != "ready":
            self.close()
            raise SystemExit(f"this does not run: {self.said}")

    def seconds(self, name: str, count: int) -> float:
        """How long `count` calls take."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{name}\t{count}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{name} fails: {self.said}")
        time.sleep(self.rest)
        return float(line)

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def calls_per_round(side: Side, name: str) -> int:
    """How many calls fill a round."""
    count = 1
    while side.seconds(name, count) < ROUND_SECONDS:
        count *= 2
    return count


def ratios(side: Side, other: Side, name: str, count: int, rounds: int) -> tuple[list[float], ...]:
    """The one side's seconds in each round, and their ratios to the other's."""
    side.seconds(name, count), other.seconds(name, count)
    pairs = [(side.seconds(name, count), other.seconds(name, count)) for _ in range(rounds)]
    return [mine for mine, _ in pairs], [mine / its for mine, its in pairs]


def compare(name: str, rounds: int, threads: int, oracle: str | None) -> dict[str, Any]:
    """One row: microseconds of mxtorch and the ratios."""
    to_mxnet = None
    with contextlib.ExitStack() as stack:

        def start(*command: str, rest: float = REST_SECONDS) -> Side:
            return stack.enter_context(contextlib.closing(Side([*command], threads, rest)))

        mxtorch = start(sys.executable, "-m", "mxtorch", "run", WORKER, "mxnet")
        torch = start(sys.executable, WORKER, "torch")
        count = calls_per_round(torch, name)
        times, to_torch = ratios(mxtorch, torch, name, count, rounds)
        if oracle is not None:
            mxnet = start(oracle, WORKER, "mxnet", rest=SPIN_SECONDS)
            to_mxnet = statistics.median(ratios(mxtorch, mxnet, name, count, rounds)[1])
    return {
        "name": name,
        "microseconds": statistics.median(times) / count * 1e6,
        "torch": (statistics.median(to_torch), GOALS[name][0]),
        "mxnet": (to_mxnet, GOALS[name][1]),
    }


def import_row(rounds: int) -> dict[str, Any]:
    """What `import mxtorch` adds to `import torch`, in seconds."""
    code = "import time,torch;t=time.perf_counter();import mxtorch;print(time.perf_counter()-t)"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    times = []
    for _ in range(max(3, rounds // 3)):
        result = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )
        times.append(float(result.stdout))
    return {
        "name": "import mxtorch after torch, s",
        "seconds": statistics.median(times),
        "goal": 0.3,
    }


def start_row(rounds: int) -> dict[str, Any]:
    """What `mxtorch run -c pass` takes beyond a Python that imports torch, in seconds."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    commands = ["-c", "import torch"], ["-m", "mxtorch", "run", "-c", "pass"]
    times = []
    for _ in range(max(3, rounds // 3)):
        taken = []
        for command in commands:
            begin = time.perf_counter()
            subprocess.run([sys.executable, *command], env=env, check=True)
            taken.append(time.perf_counter() - begin)
        times.append(taken[1] - taken[0])
    return {
        "name": "mxtorch run -c pass after torch, s",
        "seconds": statistics.median(times),
        "goal": 0.4,
    }


def find_oracle(given: str | None) -> str | None:
    """The Python of real MXNet, if there is one."""
    made = ROOT / ".oracle" / "bin" / "python"
    return given or os.environ.get("MXTORCH_ORACLE") or (str(made) if made.exists() else None)


def show(rows: list[dict[str, Any]], starts: list[dict[str, Any]]) -> None:
    """The table for people."""
    print(f"{'':34}{'µs':>12}{'/ torch':>9}{'goal':>6}{'/ MXNet':>9}{'goal':>6}")
    for row in rows:
        (to_torch, goal), (to_mxnet, second) = row["torch"], row["mxnet"]
        mxnet = f"{to_mxnet:9.2f}" if to_mxnet is not None else f"{'-':>9}"
        over = [
            w for w, r, g in (("torch", to_torch, goal), ("MXNet", to_mxnet, second)) if r and r > g
        ]
        mark = f"  over: {', '.join(over)}" if over else ""
        print(
            f"{row['name']:34}{row['microseconds']:12.2f}{to_torch:9.2f}{goal:6.2f}"
            f"{mxnet}{second:6.2f}{mark}"
        )
    for row in starts:
        mark = "" if row["seconds"] <= row["goal"] else "  over"
        print(f"{row['name']:34}{row['seconds']:12.2f}{'':9}{row['goal']:6.2f}{'':15}{mark}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="rows whose name has this text")
    parser.add_argument("--oracle", help="the Python of real MXNet (default: .oracle)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    from bench import photos

    oracle = find_oracle(args.oracle)
    with photos.records():
        rows = [
            compare(name, args.rounds, args.threads, oracle) for name in GOALS if args.only in name
        ]
    starts = [] if args.only else [import_row(args.rounds), start_row(args.rounds)]
    if args.json:
        print(json.dumps({"rows": rows, "starts": starts}, indent=1))
        return
    if oracle is None:
        print("real MXNet is not there (make oracle): no ratios to it\n")
    show(rows, starts)


if __name__ == "__main__":
    main()
