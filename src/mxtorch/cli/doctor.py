"""`mxtorch doctor`: what is here, what is missing, and whether it works."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import platform
import sys
import time
from typing import Any

import click
import numpy as np

import mxtorch as mx
from mxtorch._core import env
from mxtorch._core.device import accelerator_type, num_gpus, parse_map
from mxtorch._core.errors import MXNetError
from mxtorch._core.mxnet_env import WITHOUT_EFFECT
from mxtorch.run import alias
from mxtorch.run.era.hooks import NUMPY_2
from mxtorch.version import MXNET_VERSION, __version__

# extra: the module that shows it is there, and what it is for
_EXTRAS = {
    "image": ("cv2", "images: mx.image, the transforms of gluon.data.vision"),
    "port": ("PIL", "images in ported programs"),
    "onnx": ("onnx", "ONNX files"),
    "plot": ("matplotlib", "plots"),
}
_PACKAGES = ("torch", "numpy", "safetensors", "tqdm", "rich", "click")


@click.command("doctor", short_help="Say what is here, what is missing, and whether it works.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """Say which versions, devices, optional packages and variables there are, what mx.gpu(0) will
    be, whether a real mxnet lies beside, and whether a small training run gives MXNet's numbers.

    Exit codes: 0 all is well, 1 the self-test failed or a variable cannot be read.

    \b
    Example: mxtorch doctor --json
    """
    report = examine()
    if as_json:
        click.echo(json.dumps(report, ensure_ascii=False))
    else:
        _print(report)
    if not report["self_test"]["passed"] or any(row["error"] for row in report["variables"]):
        sys.exit(1)


def examine() -> dict[str, Any]:
    """All that doctor knows, as it is printed with --json."""
    other = alias.installed_mxnet()
    return {
        "mxtorch": __version__,
        "mxnet": MXNET_VERSION,
        "python": platform.python_version(),
        "executable": sys.executable,
        "system": platform.platform(),
        "packages": {name: importlib.metadata.version(name) for name in _PACKAGES},
        "devices": _devices(),
        "extras": [_extra(name, *about) for name, about in _EXTRAS.items()],
        "variables": [_variable(name) for name in env.names()],
        "real_mxnet": other,
        "self_test": _self_test(),
    }


def _devices() -> dict[str, Any]:
    kind, count = accelerator_type(), num_gpus()
    try:
        devices = parse_map(env.MAP.get())
    except MXNetError:
        devices = {}
    stand_in = devices.get("gpu(0)") or devices.get("gpu")
    if stand_in is not None:
        first = f"{stand_in}, for {env.MAP.name}={env.MAP.get()}"
    elif count:
        first = f"{kind}:0"
    else:
        first = "an error: torch finds no accelerator (mxtorch run --map gpu=cpu uses the CPU)"
    return {"accelerator": kind, "count": count, "gpu(0)": first}


def _extra(name: str, module: str, use: str) -> dict[str, Any]:
    present = importlib.util.find_spec(module) is not None
    command = None if present else f"pip install 'mxtorch[{name}]'"
    return {"extra": name, "for": use, "present": present, "command": command}


def _variable(name: str) -> dict[str, Any]:
    """A variable that is set: what it does, or why nothing."""
    variable, error = env.VARIABLES.get(name), None
    if variable is None:
        unknown = "" if name == "CUDA_VISIBLE_DEVICES" else "MXNet 1.9.1 has no such variable"
        meaning = WITHOUT_EFFECT.get(name) or unknown or "the GPUs that torch sees"
    else:
        meaning = variable.meaning
        try:
            variable.get()
        except MXNetError as caught:
            error = str(caught)
    effect = variable is not None or name == "CUDA_VISIBLE_DEVICES"
    text = env.read(name)
    return {"name": name, "value": text, "effect": effect, "meaning": meaning, "error": error}


# What real MXNet 1.9.1 prints for the training run of `_train`.
_LOSSES = (2.33352375, 0.63126147, 0.37574363)


def _train() -> list[float]:
    """Three steps of a small network, from seed 7."""
    with mx.cpu():
        mx.random.seed(7)
        x = mx.nd.random.normal(shape=(16, 4))
        y = x.sum(axis=1, keepdims=True)
        net = mx.gluon.nn.HybridSequential()
        net.add(mx.gluon.nn.Dense(8, activation="tanh"), mx.gluon.nn.Dense(1))
        net.initialize(mx.init.Xavier())
        loss_of = mx.gluon.loss.L2Loss()
        trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
        losses = []
        for _ in range(3):
            with mx.autograd.record():
                loss = loss_of(net(x), y)
            loss.backward()
            trainer.step(16)
            losses.append(float(loss.mean().asscalar()))
    return losses


def _self_test() -> dict[str, Any]:
    start = time.perf_counter()
    try:
        losses, error = _train(), None
    except (MXNetError, RuntimeError) as caught:
        losses, error = [], f"{type(caught).__name__}: {caught}"
    passed = len(losses) == len(_LOSSES) and np.allclose(losses, _LOSSES, rtol=1e-4)
    if error is None and not passed:
        error = f"losses {losses}, real MXNet has {list(_LOSSES)}"
    seconds = round(time.perf_counter() - start, 3)
    return {"passed": bool(passed), "losses": losses, "seconds": seconds, "error": error}


def _print(report: dict[str, Any]) -> None:
    packages = ", ".join(f"{name} {version}" for name, version in report["packages"].items())
    devices, test = report["devices"], report["self_test"]
    rows = [
        ("mxtorch", f"{report['mxtorch']}, stands in for MXNet {report['mxnet']}"),
        ("Python", f"{report['python']}, {report['executable']}"),
        ("system", report["system"]),
        ("packages", packages),
        ("accelerators", f"{devices['count']} ({devices['accelerator'] or 'torch finds none'})"),
        ("mx.gpu(0)", devices["gpu(0)"]),
        ("real mxnet", report["real_mxnet"] or "none; `mxtorch run` would not use it"),
    ]
    for extra in report["extras"]:
        state = "present" if extra["present"] else f"missing: {extra['command']}"
        rows.append((f"extra {extra['extra']}", f"{state} ({extra['for']})"))
    for variable in report["variables"]:
        effect = "" if variable["effect"] else "no effect: "
        text = variable["error"] or f"{effect}{variable['meaning']}"
        rows.append((variable["name"], f"{variable['value']} ({text})"))
    if int(np.__version__.partition(".")[0]) >= 2:
        rows.append(("NumPy 2", NUMPY_2))
    result = "passed" if test["passed"] else f"FAILED: {test['error']}"
    rows.append(("self-test", f"{result}, {test['seconds']} s"))
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        click.echo(f"{name:{width}}  {text}")
