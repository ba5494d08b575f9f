"""Records what real MXNet 1.9.1 prints for train_mxnet.py, and how far its own runs differ.

python examples/digits/record.py --python .oracle/bin/python

Writes mxnet-1.9.1.log (one thread) and mxnet-spread.json (one and two threads, and without
oneDNN). The environment needs scikit-learn beside MXNet.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from compare import LOG, SCRIPT, SPREAD, parse

RUNS = {
    "OMP_NUM_THREADS=1": {"OMP_NUM_THREADS": "1"},
    "OMP_NUM_THREADS=2": {"OMP_NUM_THREADS": "2"},
    "MXNET_MKLDNN_ENABLED=0": {"OMP_NUM_THREADS": "1", "MXNET_MKLDNN_ENABLED": "0"},
}


def run(python: str, env: dict[str, str]) -> str:
    """The standard output of one run."""
    with tempfile.TemporaryDirectory() as folder:
        command = [python, str(SCRIPT), "--out", str(pathlib.Path(folder) / "digits.params")]
        done = subprocess.run(
            command,
            env=os.environ | {"MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0"} | env,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=600,
        )
    return done.stdout


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", required=True, help="Python of the environment with MXNet")
    args = parser.parse_args(argv)

    runs = {}
    for name, env in RUNS.items():
        text = run(args.python, env)
        if not runs:
            LOG.write_text(text, encoding="utf-8")
        curves = parse(text)
        runs[name] = {**curves.values, "reloaded": curves.reloaded}
        print(f"{name}: final loss {curves.values['loss'][-1]:.8f}")
    SPREAD.write_text(json.dumps({"mxnet": "1.9.1", "runs": runs}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
