#!/usr/bin/env python3
"""Record the model files of tests/convert from real MXNet: graph, weights, an input, its outputs.

    tools/record_models.py [--python ORACLE_PYTHON]

Run by the oracle's own Python with --here, which is what it does with the other.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "tests" / "golden" / "convert"
sys.path.insert(0, str(ROOT))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("MXTORCH_ORACLE", str(ROOT / ".oracle" / "bin" / "python"))
    parser.add_argument("--python", default=default, help="the Python of real MXNet")
    parser.add_argument("--here", action="store_true", help="record with this Python")
    options = parser.parse_args()
    if options.here:
        _record_all()
        return
    command = [options.python, __file__, "--here"]
    environment = {**os.environ, "MXNET_SUBGRAPH_BACKEND": "NONE", "OMP_NUM_THREADS": "1"}
    subprocess.run(command, check=True, timeout=300, env=environment)


def _record_all() -> None:
    import mxnet as mx

    from tests.convert.models import MODELS, SHAPES

    TARGET.mkdir(exist_ok=True)
    for name, build in MODELS.items():
        mx.random.seed(len(name))
        _record(mx, name, build(mx), SHAPES[name])
        print(name)


def _record(mx: Any, name: str, graph: Any, shapes: Any) -> None:
    import numpy as np

    sizes, _, states = graph.infer_shape(**shapes)
    known = dict(zip(graph.list_arguments(), sizes))  # noqa: B905 - Python 3.8
    labels = [n for n in known if n.endswith("label")]
    weights = {
        n: mx.nd.random.uniform(-0.5, 0.5, shape=s)
        for n, s in known.items()
        if n not in shapes and n not in labels
    }
    means = graph.list_auxiliary_states()
    running = {
        n: mx.nd.random.uniform(0.5, 1.5, shape=s)
        for n, s in zip(means, states)  # noqa: B905 - Python 3.8
    }
    mx.model.save_checkpoint(str(TARGET / name), 0, graph, weights, running)
    data = {n: mx.nd.random.uniform(0, 10, shape=s).floor() for n, s in shapes.items()}
    executor = graph.simple_bind(mx.cpu(), grad_req="null", **shapes)
    executor.copy_params_from(weights, running)
    results = executor.forward(is_train=False, **data)
    arrays = {f"in_{n}": x.asnumpy() for n, x in data.items()}
    arrays.update({f"out_{i}": x.asnumpy() for i, x in enumerate(results)})
    np.savez(str(TARGET / f"{name}.npz"), **arrays)


if __name__ == "__main__":
    main()
