#!/usr/bin/env python3
"""Record the model files of tests/convert from real MXNet: graph, weights, an input, its outputs.

    tools/record_models.py [--python ORACLE_PYTHON] [--zoo] [NAME...]

With --zoo the outputs of the model zoo's nets, whose weights come from a seed.

Run by the oracle's own Python with --here, which is what it does with the other.
"""

from __future__ import annotations

import argparse
import json
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
    parser.add_argument("--zoo", action="store_true", help="the nets of the model zoo")
    parser.add_argument("names", nargs="*", metavar="NAME", help="these alone")
    options = parser.parse_args()
    if options.here:
        _record_zoo(options.names) if options.zoo else _record_all(options.names)
        return
    command = [options.python, __file__, "--here", *options.names]
    command += ["--zoo"] if options.zoo else []
    environment = {**os.environ, "MXNET_SUBGRAPH_BACKEND": "NONE", "OMP_NUM_THREADS": "1"}
    subprocess.run(command, check=True, timeout=3600, env=environment)


def _record_zoo(names: list[str]) -> None:
    import mxnet as mx

    from tests.convert import zoo

    path = TARGET / "zoo.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    for name in names or [*zoo.NAMES, *zoo.NARROW]:
        graph = zoo.net(mx, name)(mx.sym.var("data"))
        executor = graph.simple_bind(mx.cpu(), grad_req="null", data=zoo.shape(name))
        for arrays in (executor.arg_dict, executor.aux_dict):
            for key, array in arrays.items():
                values = zoo.image(name) if key == "data" else zoo.weight(key, array.shape)
                array[:] = values
        output = executor.forward(is_train=False)[0].asnumpy()
        found[name] = {"graph": zoo.graph_digest(graph.tojson()), **zoo.digest(output)}
        lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(found.items()))
        path.write_text("{\n" + lines + "\n}\n")
        print(name, flush=True)


def _record_all(names: list[str]) -> None:
    import mxnet as mx

    from tests.convert.models import LABELS, MODELS, SHAPES

    TARGET.mkdir(exist_ok=True)
    for name, build in MODELS.items():
        if names and name not in names:
            continue
        mx.random.seed(len(name))
        with mx.name.NameManager():
            graph = build(mx)
        _record(mx, name, graph, SHAPES[name], LABELS.get(name, {}))
        print(name)


def _record(mx: Any, name: str, graph: Any, shapes: Any, labels_too: Any) -> None:
    import numpy as np

    from tests.convert.models import HALF

    inputs = {**shapes, **labels_too}
    sizes, _, states = graph.infer_shape_partial(**inputs)
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
    if name in HALF:
        weights = {n: x if "bn" in n else x.astype("float16") for n, x in weights.items()}
    mx.model.save_checkpoint(str(TARGET / name), 0, graph, weights, running)
    weights = {n: x.astype("float32") for n, x in weights.items()}
    data = {n: mx.nd.random.uniform(0, 10, shape=s).floor() for n, s in shapes.items()}
    given = {n: mx.nd.zeros(labels_too[n] if n in labels_too else known[n]) for n in labels}
    executor = graph.bind(
        mx.cpu(), {**weights, **data, **given}, aux_states=running, grad_req="null"
    )
    results = executor.forward(is_train=False)
    arrays = {f"in_{n}": x.asnumpy() for n, x in data.items()}
    arrays.update({f"out_{i}": x.asnumpy() for i, x in enumerate(results)})
    np.savez(str(TARGET / f"{name}.npz"), **arrays)


if __name__ == "__main__":
    main()
