"""Runs a net, MXNet's or torch's, on batches that are the same for both.

Also read by real MXNet's Python 3.8.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import tempfile
from typing import Any

import numpy as np

_SEED = 7
_RATE = 0.01
# MXNet's operator, Gluon's layer; an activation or a pooling says which by an attribute
_LAYERS = {
    "Convolution": "Conv2D",
    "Deconvolution": "Conv2DTranspose",
    "FullyConnected": "Dense",
    "leaky": "LeakyReLU",
    "prelu": "PReLU",
    "elu": "ELU",
    "selu": "SELU",
    "gelu": "GELU",
}
_ACTIVATIONS = ("relu", "sigmoid", "tanh", "softsign")
# what an operator takes where a model says nothing
_PLACES: dict[str, Any] = {"stride": 1, "pad": 0, "dilate": 1, "num_group": 1}
_POOLING: dict[str, Any] = {"stride": 1, "pad": 0, "pool_type": "max", "count_include_pad": True}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "Convolution": _PLACES,
    "Deconvolution": _PLACES,
    "Pooling": _POOLING,
    "BatchNorm": {"eps": 1e-3, "momentum": 0.9},
    "LayerNorm": {"eps": 1e-5},
    "LeakyReLU": {"act_type": "leaky", "slope": 0.25},
    "Dropout": {"p": 0.5},
}


class NotThere(Exception):
    """A module has no such net: the text says it all."""


def batches(inputs: list[dict[str, Any]], step: int) -> list[np.ndarray]:
    """The arrays of a step: normal numbers, or whole numbers below `below`."""
    random = np.random.RandomState(_SEED + step)
    found = []
    for given in inputs:
        shape = tuple(given["shape"])
        if given.get("below"):
            found.append(random.randint(0, given["below"], shape).astype(np.float32))
        else:
            found.append(random.standard_normal(shape).astype(np.float32))
    return found


def head(shape: tuple[int, ...], step: int) -> np.ndarray:
    """The gradient that backward starts with."""
    return np.random.RandomState(_SEED * 31 + step).standard_normal(shape).astype(np.float32)


def make(target: str) -> Any:
    """What `package.module:name` gives: a net, or a function or class without arguments."""
    module, _, name = target.partition(":")
    found = getattr(importlib.import_module(module), name, None)
    if found is None:
        raise NotThere(f"{module} has no {name}")
    is_net = hasattr(found, "forward") and not isinstance(found, type)
    return found if is_net else found()


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [a for v in value for a in _flat(v)]
    return [value]


def run_mxnet(mx: Any, target: str, inputs: list[dict[str, Any]], steps: int) -> None:
    """Train an MXNet net for some steps of gradient descent; then predict."""
    mx.random.seed(_SEED)
    layers: list[dict[str, Any]] = []
    if target.endswith(".json"):
        net, layers = _saved(mx, target, inputs)
        net._verified_layers = layers
        net._verified_inputs = [given["name"] for given in inputs]
    else:
        net = make(target)
    parameters = net.collect_params()
    if any(p._data is None and not p._deferred_init for p in parameters.values()):
        net.initialize(_start(mx))
    trainer = None
    for step in range(steps):
        arrays = [mx.nd.array(a) for a in batches(inputs, step)]
        with mx.autograd.record():
            outputs = _flat(net(*arrays))
        outputs = outputs[: len(outputs) - len(layers)]
        heads = [mx.nd.array(head(o.shape, step)) for o in outputs]
        mx.autograd.backward(outputs, heads)
        if trainer is None:
            trainer = mx.gluon.Trainer(parameters, "sgd", {"learning_rate": _RATE})
        trainer.step(1, ignore_stale_grad=True)
    net(*[mx.nd.array(a) for a in batches(inputs, steps)])


def _start(mx: Any) -> Any:
    """An initializer for any shape; two nets with weights of the same shapes start alike."""
    met: dict[tuple[int, ...], int] = {}

    class Start(mx.init.Initializer):
        def _init_weight(self, name: str, arr: Any) -> None:
            met[arr.shape] = met.get(arr.shape, 0) + 1
            arr[:] = mx.nd.array(_values(str(name), arr.shape, met[arr.shape]))

    return Start()


def _values(name: str, shape: tuple[int, ...], count: int) -> np.ndarray:
    """Values of a parameter, the `count`th of its shape: small, but scales near 1."""
    random = np.random.RandomState([_SEED, count, *shape])
    if len(shape) < 2:
        values = random.uniform(-0.07, 0.07, shape) + name.endswith(("gamma", "var"))
    else:
        fans = (shape[0] + shape[1]) * int(np.prod(shape[2:]))
        values = random.uniform(-1, 1, shape) * np.sqrt(6 / fans)
    return values.astype(np.float32)


def _saved(mx: Any, path: str, inputs: list[dict[str, Any]]) -> tuple[Any, list[dict[str, Any]]]:
    """A model file `NAME-symbol.json` with the parameters beside it, and its layers.

    The net gives the model's outputs, and after them what each layer gives.
    """
    stem = path[: -len("-symbol.json")]
    folder, name = os.path.split(stem)
    files = sorted(
        f for f in os.listdir(folder or ".") if f.startswith(name + "-") and f.endswith(".params")
    )
    names = [given["name"] for given in inputs]
    file = os.path.join(folder, files[-1]) if files else None
    symbol = mx.sym.load(path)
    inner = symbol.get_internals()
    known = set(inner.list_outputs())
    layers = [e for e in _layers(symbol, names) if e["layer"] + "_output" in known]
    whole = mx.sym.Group([symbol, *(inner[e["layer"] + "_output"] for e in layers)])
    with tempfile.TemporaryDirectory() as scratch:
        beside = os.path.join(scratch, "whole-symbol.json")
        whole.save(beside)
        return mx.gluon.SymbolBlock.imports(beside, names, file), layers


def _layers(symbol: Any, inputs: list[str]) -> list[dict[str, Any]]:
    """What computes in a model, in order: `layer` is its name, `cls` and `settings` are as Gluon
    has them, `source` names what it is called with, `parameter` its first parameter."""
    nodes = json.loads(symbol.tojson())["nodes"]
    found = []
    for node in nodes:
        sources = [nodes[entry[0]] for entry in node["inputs"]]
        if node["op"] == "null" or not sources:
            continue
        own = [n["name"] for n in sources if n["op"] == "null" and n["name"] not in inputs]
        given = {k: _read(v) for k, v in (node.get("attrs") or {}).items()}
        settings = {**_DEFAULTS.get(node["op"], {}), **given}
        found.append({"layer": node["name"], "source": sources[0]["name"],
                      "parameter": own[0] if own else "",
                      **_in_gluon(node["op"], settings)})  # fmt: skip
    return found


def _read(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def _in_gluon(op: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The class and the settings of an operator as Gluon's layer has them."""
    kind = str(settings.get("act_type", ""))
    cls = _LAYERS.get(kind if op == "LeakyReLU" else op, op)
    if op in _ACTIVATIONS:
        cls, settings = "Activation", {"act_type": op}
    elif op == "Pooling":
        kind = str(settings["pool_type"]).title()
        is_global = settings.get("global_pool") is True
        cls, settings = (f"Global{kind}Pool2D", {}) if is_global else (f"{kind}Pool2D", settings)
    elif op == "Dropout":
        settings = {"rate": settings["p"]}
    plain = {k: v for k, v in settings.items() if isinstance(v, (int, float, str, bool, tuple))}
    return {"cls": cls, "settings": plain}


def run_torch(target: str, inputs: list[dict[str, Any]], steps: int) -> None:
    """The same with an `nn.Module`."""
    import torch

    torch.default_generator.manual_seed(_SEED)
    net = make(target)
    optimizer = None
    for step in range(steps + 1):
        net.train(step < steps)
        arrays = [
            torch.from_numpy(a).long() if given.get("below") else torch.from_numpy(a)
            for a, given in zip(batches(inputs, step), inputs)
        ]
        outputs = _flat(net(*arrays))
        if step == steps:
            return
        if optimizer is None:
            optimizer = torch.optim.SGD(net.parameters(), lr=_RATE)
        optimizer.zero_grad()
        heads = [torch.from_numpy(head(tuple(o.shape), step)) for o in outputs]
        sum((o * h).sum() for o, h in zip(outputs, heads)).backward()
        optimizer.step()
