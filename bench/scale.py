"""Speed-up over several processes on this machine, and a model of more from measured pieces.

    python bench/scale.py [--processes 1,2,4] [--batch 64] [--count 30] [--json] [--write FILE]
                          [--bucket 1] [--gbit 10,100] [--latency 20]

Each number of processes trains the same net, every process on batches of its own (so the whole
batch grows with the processes), with one thread each. Runs by itself and prints its table; with
--write it also goes into a file. The model's assumptions stand below its table.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELLED = (2, 4, 8, 16, 64)
# A way to train over processes, and the same step in one.
ALONE = {"dist_sync": "alone", "overlapped": "alone", "ddp": "module"}


def run(processes: int, batch: int, count: int, bucket: float) -> dict[str, Any]:
    """What one number of processes finds; the program ends with its output if it fails."""
    command = [sys.executable, "-m", "mxtorch", "launch", "-n", str(processes)]
    command += [str(ROOT / "bench" / "scale_worker.py"), f"--batch={batch}", f"--count={count}"]
    command += [f"--bucket={int(bucket * 2**20)}"]
    paths = [str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("scale: "):
            found: dict[str, Any] = json.loads(line.removeprefix("scale: "))
            return found
    raise SystemExit(f"{processes} processes failed:\n{done.stdout}{done.stderr}")


def speed_up(rows: list[dict[str, Any]], way: str) -> dict[int, float]:
    """Samples a second over those of one process, by number of processes."""
    one = rows[0]["batch"] / rows[0][ALONE[way]]
    return {
        row["processes"]: row["processes"] * row["batch"] / row[way] / one
        for row in rows
        if way in row
    }


def hidden(row: dict[str, Any], way: str) -> float | None:
    """The part of the reduction's time that passes while the step computes; None for one process.

    0: the step takes as long as computing and then reducing; 1: as long as computing alone.
    """
    reducing = row["all_reduce"][str(row["gradient_bytes"] // 4)]
    if row["processes"] == 1 or way not in row or reducing <= 0:
        return None
    return (row[ALONE[way]] + reducing - row[way]) / reducing


def link(row: dict[str, Any]) -> tuple[float, float]:
    """(seconds a call, bytes a second) of the all-reduce, from its two measured sizes."""
    (small, quick), (large, slow) = sorted((int(n) * 4, t) for n, t in row["all_reduce"].items())
    factor = 2 * (row["processes"] - 1) / row["processes"]
    calls = math.ceil(large / row["bucket"])
    rate = factor * (large - calls * small) / max(slow - calls * quick, 1e-9)
    return max(0.0, quick - factor * small / rate), rate


def modelled(
    one: dict[str, Any], processes: int, latency: float, rate: float, hides: bool
) -> float:
    """Seconds of a step: computing, then a ring all-reduce; with `hides` all buckets but the last
    travel while backward runs.
    """
    size, calls = one["gradient_bytes"], math.ceil(one["gradient_bytes"] / one["bucket"])
    reducing = calls * latency + 2 * (processes - 1) / processes * size / rate
    if not hides:
        return float(one["alone"] + reducing)
    last = reducing / calls
    backward = max(0.0, one["gradient"] - one["forward"])
    return float(one["alone"] - backward + max(backward, reducing - last) + last)


def measured_table(rows: list[dict[str, Any]]) -> list[str]:
    lines = [f"{'processes':>9}  {'way':<10} {'ms a step':>9}  {'speed-up':>8}  efficiency  hidden"]
    lines[0] += "     MiB"
    for row in rows:
        for way in ALONE:
            if way not in row:
                continue
            gain = speed_up(rows, way)[row["processes"]]
            part = hidden(row, way)
            lines.append(
                f"{row['processes']:>9}  {way:<10} {row[way] * 1e3:>9.1f}  {gain:>8.2f}  "
                f"{gain / row['processes']:>10.0%}  {'-' if part is None else f'{part:.0%}':>6}  "
                f"{row['memory'] / 2**20:>6.0f}"
            )
    return lines


def model_table(
    rows: list[dict[str, Any]], links: dict[str, tuple[float, float]], hides: bool
) -> list[str]:
    one = rows[0]
    lines = [f"{'processes':>9}  " + "  ".join(f"{name:>14}" for name in links)]
    for count in MODELLED:
        cells = []
        for latency, rate in links.values():
            gain = count * one["alone"] / modelled(one, count, latency, rate, hides)
            cells.append(f"{gain:>6.1f} ({gain / count:>4.0%})")
        lines.append(f"{count:>9}  " + "  ".join(f"{cell:>14}" for cell in cells))
    return lines


def report(rows: list[dict[str, Any]], gbits: list[float], latency: float) -> str:
    """The whole text."""
    one = rows[0]
    links = {f"{g:g} Gbit/s": (latency * 1e-6, g * 1e9 / 8) for g in gbits}
    several = [row for row in rows if row["processes"] > 1]
    if several:
        links = {"this machine": link(several[-1]), **links}
    processors = os.cpu_count()
    calls = math.ceil(one["gradient_bytes"] / one["bucket"])
    forward, gradient, alone = (one[name] * 1e3 for name in ("forward", "gradient", "alone"))
    text = [
        f"measured: {one['device']}, {processors} processors, {one['batch']} samples a process,",
        f"{one['gradient_bytes'] / 2**20:.1f} MiB of gradients in {calls} bucket(s); a step alone",
        f"{alone:.1f} ms, forward {forward:.1f} ms, backward {max(0.0, gradient - forward):.1f} ms",
        *measured_table(rows),
        "",
        "modelled, not measured: speed-up (efficiency) with a processor or GPU for each process",
        "nothing hidden: step = alone + reduction,",
        "reduction = buckets x latency + 2 (n - 1) / n x gradient bytes / bandwidth",
        *model_table(rows, links, hides=False),
        "hidden behind backward: step = alone - backward + max(backward, reduction - last) + last,",
        "last = the last bucket's part of the reduction",
        *model_table(rows, links, hides=True),
        "no process is slower than the others, and no data comes too late.",
    ]
    if several:
        seconds, rate = links["this machine"]
        text.append(
            f"this machine's link, from all-reduces of 16 KiB and of all gradients: "
            f"{seconds * 1e6:.0f} us a call, {rate * 8 / 1e9:.1f} Gbit/s; others: {latency:g} us."
        )
    return "\n".join(text)


def numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--processes", default="1,2,4", help="numbers of processes, from 1 on")
    parser.add_argument("--batch", type=int, default=64, help="samples a process and step")
    parser.add_argument("--count", type=int, default=30, help="steps of which the median is taken")
    parser.add_argument("--bucket", type=float, default=1, help="MiB of a call of the reduction")
    parser.add_argument("--gbit", default="10,100", help="links that are modelled, Gbit/s")
    parser.add_argument("--latency", type=float, default=20, help="their microseconds a call")
    parser.add_argument("--json", action="store_true", help="print the measurements as JSON")
    parser.add_argument("--write", metavar="FILE", help="also write what is printed to a file")
    options = parser.parse_args()
    counts = sorted({1, *(int(n) for n in numbers(options.processes))})
    rows: list[dict[str, Any]] = []
    for count in counts:
        if rows and 0 < rows[0]["gpus"] < count:  # NCCL takes one process a GPU
            sys.stderr.write(f"{count} processes: left out, there are {rows[0]['gpus']} GPU(s)\n")
            continue
        rows.append(run(count, options.batch, options.count, options.bucket))
    text = (
        json.dumps(rows) if options.json else report(rows, numbers(options.gbit), options.latency)
    )
    print(text)
    if options.write:
        pathlib.Path(options.write).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
