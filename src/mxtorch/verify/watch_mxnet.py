"""Watches a program through MXNet's own API: nets, losses, updates.

The same code watches mxtorch and, in Python 3.8, real MXNet: it knows public names only, and the
few private ones that both have.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def _nothing(block: Any, args: Any) -> None:
    """Take no notice of what layers are called with."""


class Watch:
    """Patches MXNet's classes while a program runs; what they do goes to a tape."""

    def __init__(self, mx: Any, tape: Any, fed: Callable[[Any, Any], None] = _nothing) -> None:
        self.mx = mx
        self.fed = fed
        self.tape = tape
        # parameters that have met a forward or a trainer, with their keys
        self.keys: dict[int, tuple[str, Any]] = {}
        self.nets = 0
        self.roots = 0
        self.initializing = 0
        self._paths: list[dict[int, str]] = []
        self._fresh: dict[int, np.ndarray] = {}
        self._loaded: dict[int, bool] = {}
        self._in_update = 0
        self._in_backward = 0
        self._last_inputs: dict[int, Any] = {}
        self._modules: dict[int, str] = {}
        # the parameters of modules, which those of several buckets share, and the net that has them
        self._owned: list[tuple[Any, str]] = []
        self._undo: list[Callable[[], None]] = []

    # the patches ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Watch from now on."""
        mx, gluon = self.mx, self.mx.gluon
        self._around(gluon.Block, "__call__", self._call)
        self._around(gluon.HybridBlock, "hybridize", self._hybridize)
        self._around(gluon.HybridBlock, "export", self._export)
        self._around(gluon.Parameter, "_init_impl", self._init_impl)
        self._around(gluon.Parameter, "_load_init", self._load_init)
        self._around(gluon.Parameter, "set_data", self._load_init)
        self._around(mx.init.Initializer, "__call__", self._initialize)
        self._around(gluon.Trainer, "step", self._trainer_step)
        self._around(gluon.Trainer, "update", self._trainer_step)
        self._around(mx.mod.Module, "forward", self._module_forward)
        self._around(mx.mod.Module, "update", self._module_update)
        self._around(mx.autograd, "backward", self._backward)
        self._around(mx.nd.NDArray, "backward", self._array_backward)
        self._around(gluon.data.RandomSampler, "__iter__", self._order)
        self._around(mx.io.NDArrayIter, "_shuffle_data", self._iterator_order)

    def stop(self) -> None:
        """Put everything back."""
        while self._undo:
            self._undo.pop()()

    def _around(self, owner: Any, name: str, handler: Callable[..., Any]) -> None:
        original = owner.__dict__.get(name)
        if original is None:
            return

        @functools.wraps(original)
        def patched(*args: Any, **kwargs: Any) -> Any:
            return handler(original, *args, **kwargs)

        setattr(owner, name, patched)
        self._undo.append(functools.partial(setattr, owner, name, original))

    # nets ----------------------------------------------------------------------------------------

    def _call(self, original: Callable[..., Any], block: Any, *args: Any, **kwargs: Any) -> Any:
        if not self._is_eager(args):
            return original(block, *args, **kwargs)
        is_root = not self._paths
        if is_root:
            self.roots += 1
            waiting = self._snapshot(block)
            self._paths.append(_block_paths(block))
            self._last_inputs[id(block)] = args
        self.fed(block, args)
        try:
            result = original(block, *args, **kwargs)
        finally:
            if is_root:
                self._paths.pop()
        if is_root:
            self._meet(block, waiting)
        if self.tape.is_detailed:
            path = self._path(block)
            if is_root:
                self._note_layers(block, args, result)
            if is_root or path is not None:
                self._note_call(block, path or "", args, result, is_root)
        return result

    def _is_eager(self, args: tuple[Any, ...]) -> bool:
        return not any(isinstance(a, self.mx.sym.Symbol) for a in args)

    def _path(self, block: Any) -> str | None:
        """Where a layer lies in its root; None for a block that only holds others."""
        paths = self._paths[-1] if self._paths else {}
        if block._reg_params or not block._children:
            return paths.get(id(block), "")
        return None

    def _note_call(
        self, block: Any, path: str, args: tuple[Any, ...], result: Any, is_root: bool
    ) -> None:
        # a model from a file is many layers
        is_model = isinstance(block, self.mx.gluon.SymbolBlock)
        own = [] if is_model else [p for _, p in _own_parameters(block)]
        key = next((self.keys[id(p)][0] for p in own if id(p) in self.keys), "")
        self.tape.add(
            "call",
            root=self.roots,
            layer=path,
            key=key,
            cls=type(block).__name__,
            is_root=is_root,
            training=bool(self.mx.autograd.is_training()),
            inputs=[self.tape.print_of(v, "in") for v in self._arrays(args)[: 1 + is_root]],
            outputs=[self.tape.print_of(v, "out") for v in self._arrays(result)[:1]],
            settings=_settings(block),
        )

    def _note_layers(self, block: Any, args: tuple[Any, ...], result: Any) -> None:
        """Of a model that gives what its layers give, these, as Gluon's (see `nets`)."""
        layers = getattr(block, "_verified_layers", None)
        if not layers:
            return
        keys = {p.name: self.keys[id(p)][0] for _, p in _parameters(block) if id(p) in self.keys}
        values = dict(zip((e["layer"] for e in layers), self._arrays(result)[-len(layers) :]))
        values.update(zip(block._verified_inputs, self._arrays(args)))
        for layer in layers:
            source = values.get(layer["source"])
            self.tape.add(
                "call",
                root=self.roots,
                layer=layer["layer"],
                key=keys.get(layer["parameter"], ""),
                cls=layer["cls"],
                is_root=False,
                training=bool(self.mx.autograd.is_training()),
                inputs=[] if source is None else [self.tape.print_of(source, "in")],
                outputs=[self.tape.print_of(values[layer["layer"]], "out")],
                settings=layer["settings"],
            )

    def _arrays(self, value: Any) -> list[np.ndarray]:
        if isinstance(value, self.mx.nd.NDArray):
            return [value.asnumpy()]
        if isinstance(value, (list, tuple)):
            return [a for v in value for a in self._arrays(v)]
        return []

    def _snapshot(self, block: Any) -> list[tuple[str, Any]]:
        """The parameters that have not met a forward yet; of those with values, these now."""
        waiting = [(n, p) for n, p in _parameters(block) if id(p) not in self.keys]
        for _, parameter in waiting:
            if parameter._data is not None:
                self._fresh[id(parameter)] = parameter._data[0].asnumpy()
        return waiting

    def _meet(self, block: Any, waiting: list[tuple[str, Any]]) -> None:
        waiting = [(n, p) for n, p in waiting if p._data is not None]
        if not waiting:
            return
        self.nets += 1
        found = []
        for path, parameter in waiting:
            self.keys[id(parameter)] = (f"{self.nets}:{path}", parameter)
            found.append(self._described(path, parameter.name, self._value(parameter), parameter))
        event = self.tape.add("meet", net=self.nets, name=block.name, parameters=found)
        # it comes before what the forward did
        calls = [e for e in self.tape.events if e.get("root") == self.roots]
        if calls:
            self.tape.events.remove(event)
            self.tape.events.insert(self.tape.events.index(calls[0]), event)
        for call in calls:
            call["key"] = call["key"] or self._late_key(call)

    def _late_key(self, call: dict[str, Any]) -> str:
        if call["cls"] == "SymbolBlock":
            return ""
        start = f"{self.nets}:" + (call["layer"] + "." if call["layer"] else "")
        keys = [k for k, _ in self.keys.values() if k.startswith(start)]
        return next((k for k in keys if "." not in k[len(start) :]), "")

    def _value(self, parameter: Any) -> np.ndarray:
        return self._fresh.get(id(parameter), parameter._data[0].asnumpy())

    def _described(self, path: str, name: str, value: np.ndarray, parameter: Any) -> dict[str, Any]:
        return {
            "path": path,
            "name": name,
            "shape": list(value.shape),
            "origin": "loaded" if self._loaded.get(id(parameter)) else "drawn",
            "trained": getattr(parameter, "grad_req", "write") != "null",
            "array": self.tape.array("init", value),
        }

    # initial values --------------------------------------------------------------------------

    def _init_impl(
        self, original: Callable[..., Any], parameter: Any, data: Any, *args: Any, **kwargs: Any
    ) -> Any:
        result = original(parameter, data, *args, **kwargs)
        self._fresh[id(parameter)] = parameter._data[0].asnumpy()
        self.keys.pop(id(parameter), None)  # values from anew: it meets its net again
        self._loaded[id(parameter)] = False
        return result

    def _load_init(
        self, original: Callable[..., Any], parameter: Any, *args: Any, **kwargs: Any
    ) -> Any:
        result = original(parameter, *args, **kwargs)
        self._loaded[id(parameter)] = True
        return result

    def _initialize(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.initializing += 1
        try:
            return original(*args, **kwargs)
        finally:
            self.initializing -= 1

    # hybridize: layers run one by one while watched ------------------------------------------

    def _hybridize(
        self, original: Callable[..., Any], block: Any, active: bool = True, **kwargs: Any
    ) -> Any:
        return original(block, False, **kwargs)

    def _export(self, original: Callable[..., Any], block: Any, *args: Any, **kwargs: Any) -> Any:
        inputs = self._last_inputs.get(id(block))
        if inputs is not None:
            block._active = True
            block._get_graph(*inputs)
        try:
            return original(block, *args, **kwargs)
        finally:
            block._active = False

    # backward and updates ----------------------------------------------------------------------

    def _backward(
        self,
        original: Callable[..., Any],
        heads: Any,
        head_grads: Any = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        if self._in_backward:
            return original(heads, head_grads, *args, **kwargs)
        self._note_loss(heads, head_grads)
        self._in_backward += 1
        try:
            return original(heads, head_grads, *args, **kwargs)
        finally:
            self._in_backward -= 1

    def _array_backward(
        self,
        original: Callable[..., Any],
        head: Any,
        out_grad: Any = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        if self._in_backward:
            return original(head, out_grad, *args, **kwargs)
        self._note_loss([head], None if out_grad is None else [out_grad])
        self._in_backward += 1
        try:
            return original(head, out_grad, *args, **kwargs)
        finally:
            self._in_backward -= 1

    def _note_loss(self, heads: Any, head_grads: Any) -> None:
        arrays = self._arrays(heads)
        weights = self._arrays(head_grads) if head_grads is not None else []
        pairs = zip(arrays, weights) if weights else ((a, np.ones(1)) for a in arrays)
        value = sum(float((a.astype(np.float64) * w).sum()) for a, w in pairs)
        self.tape.add("backward", value=value, count=sum(int(a.size) for a in arrays))

    def _trainer_step(
        self,
        original: Callable[..., Any],
        trainer: Any,
        batch_size: float,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        if self._in_update:
            return original(trainer, batch_size, *args, **kwargs)
        parameters = list(trainer._params)
        self._meet_alone([p for p in parameters if id(p) not in self.keys and p._data is not None])
        scale = float(getattr(trainer, "_scale", 1.0)) / batch_size
        trained = [(p.name, p, p._grad) for p in parameters if p._grad is not None]
        gradients = self._gradients(trained, scale, trainer._optimizer)
        self._in_update += 1
        try:
            result = original(trainer, batch_size, *args, **kwargs)
        finally:
            self._in_update -= 1
        self._note_update(gradients, [(p, p._data[0]) for _, p, _ in trained], scale, trainer)
        return result

    def _meet_alone(self, parameters: list[Any]) -> None:
        """Parameters that meet a trainer before any block."""
        if not parameters:
            return
        self.nets += 1
        found = []
        for parameter in parameters:
            key = f"{self.nets}:{parameter.name}"
            self.keys[id(parameter)] = (key, parameter)
            value = self._value(parameter)
            found.append(self._described(parameter.name, parameter.name, value, parameter))
        self.tape.add("meet", net=self.nets, name="", parameters=found)

    def _gradients(self, trained: list[Any], scale: float, optimizer: Any) -> dict[str, Any]:
        """The gradients of an update, and what its optimizer cuts them to, if it does."""
        if not self.tape.is_detailed:
            return {"gradients": {}}
        limit = getattr(optimizer, "clip_gradient", None)
        found: dict[str, Any] = {"gradients": {}, "clipped": {}}
        for _, owner, arrays in trained:
            key = self.keys.get(id(owner), ("", None))[0]
            total = sum(a.asnumpy() for a in arrays) * np.float32(scale)
            found["gradients"][key] = self.tape.print_of(total, "grad")
            if limit is not None and limit > 0:
                found["clipped"][key] = self.tape.print_of(np.clip(total, -limit, limit), "grad")
        return found

    def _note_update(
        self, gradients: dict[str, Any], weights: list[Any], scale: float, owner: Any
    ) -> None:
        values = {}
        if self.tape.is_detailed:
            for parameter, array in weights:
                key = self.keys.get(id(parameter), ("", None))[0]
                values[key] = self.tape.print_of(array.asnumpy(), "weight")
        optimizer = getattr(owner, "optimizer", None) or getattr(owner, "_optimizer", None)
        self.tape.add(
            "update",
            scale=scale,
            **gradients,
            weights=values,
            statistics=self._statistics(),
            settings=_plain(optimizer),
        )
        self.tape.updated()

    def _statistics(self) -> dict[str, Any]:
        """What is measured, not trained."""
        if not self.tape.is_detailed:
            return {}
        return {
            key: self.tape.print_of(owner._data[0].asnumpy(), "statistic")
            for key, owner in self.keys.values()
            if "running_" in key or "moving_" in key
        }

    # Module --------------------------------------------------------------------------------------

    def _module_forward(
        self, original: Callable[..., Any], module: Any, *args: Any, **kwargs: Any
    ) -> Any:
        group = module._exec_group
        names = list(module._param_names)
        if id(module) not in self._modules:
            self._meet_module(module, names)
        self.roots += 1
        result = original(module, *args, **kwargs)
        if self.tape.is_detailed:
            outputs = [o.asnumpy() for o in group.execs[0].outputs]
            self.tape.add(
                "call",
                root=self.roots,
                layer="",
                key="",
                cls="Module",
                is_root=True,
                training=bool(kwargs.get("is_train", args[1] if len(args) > 1 else False)),
                inputs=[],
                outputs=[self.tape.print_of(v, "out") for v in outputs[:1]],
                settings={},
            )
        return result

    def _meet_module(self, module: Any, names: list[str]) -> None:
        execs = module._exec_group.execs[0]
        arrays = [(n, execs.arg_dict[n]) for n in names]
        arrays += [(n, execs.aux_dict[n]) for n in module._aux_names]
        params = module._arg_params
        number = next((n for owned, n in self._owned if owned is params), "")
        if not number:  # the modules of a BucketingModule share their parameters
            self.nets += 1
            number = str(self.nets)
            self._owned.append((params, number))
            found = [self._described(n, n, a.asnumpy(), a) for n, a in arrays]
            self.tape.add("meet", net=self.nets, name="", parameters=found)
        self._modules[id(module)] = number
        fixed = _fixed_gammas(module._symbol)
        for name, array in arrays:
            self.keys[id(array)] = (f"{number}:{name}", _ModuleArray(module, name, name in fixed))

    def _is_fixed(self, array: Any) -> bool:
        return bool(getattr(self.keys.get(id(array), ("", None))[1], "is_fixed", False))

    def _module_update(self, original: Callable[..., Any], module: Any) -> Any:
        group = module._exec_group
        optimizer = module._optimizer
        scale = float(optimizer.rescale_grad)
        first = group.execs[0]
        arrays = [
            (n, first.arg_dict[n], [e.grad_dict[n] for e in group.execs])
            for n in module._param_names
            if first.grad_dict.get(n) is not None and not self._is_fixed(first.arg_dict[n])
        ]
        gradients = self._gradients(arrays, scale, optimizer)
        self._in_update += 1
        try:
            result = original(module)
        finally:
            self._in_update -= 1
        self._note_update(gradients, [(a, a) for _, a, _ in arrays], scale, module)
        return result

    # orders --------------------------------------------------------------------------------------

    def _order(self, original: Callable[..., Any], sampler: Any) -> Iterator[Any]:
        indices = np.array(list(original(sampler)), dtype=np.int64)
        self._note_order(indices)
        return iter(indices)

    def _iterator_order(self, original: Callable[..., Any], iterator: Any) -> Any:
        result = original(iterator)
        # it shuffles what it has shuffled before: the order of the data as they were given
        before = iterator.__dict__.get("_whole_order")
        # a copy: the iterator shuffles its own in place
        order = np.array(iterator.idx if before is None else before[iterator.idx], dtype=np.int64)
        iterator._whole_order = order
        self._note_order(order)
        return result

    def _note_order(self, indices: np.ndarray) -> None:
        _, keys, position, has_gauss, cached = np.random.get_state()
        self.tape.add(
            "order",
            array=self.tape.array("order", indices),
            state=self.tape.array("state", keys),
            rest=[int(position), int(has_gauss), float(cached)],
        )

    # the end -------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Keep the final values of all parameters that were met."""
        values = {}
        for key, owner in self.keys.values():
            data = owner._data
            if data is not None:
                values[key] = self.tape.array("final", data[0].asnumpy())
        self.tape.add("final", values=values)


class _ModuleArray:
    """A parameter of a Module, in the form of Gluon's.

    A gamma that BatchNorm fixes is 1, whatever decay makes of it until the next forward.
    """

    def __init__(self, module: Any, name: str, is_fixed: bool) -> None:
        self.module, self.name, self.is_fixed = module, name, is_fixed

    @property
    def _data(self) -> list[Any] | None:
        execs = self.module._exec_group.execs[0]
        array = execs.arg_dict.get(self.name, execs.aux_dict.get(self.name))
        return [array.ones_like() if self.is_fixed else array]


def _fixed_gammas(symbol: Any) -> set[str]:
    """The gammas that a graph's BatchNorms take as 1."""
    nodes = json.loads(symbol.tojson())["nodes"]
    norms = [n for n in nodes if n["op"] == "BatchNorm"]
    fixed = [n for n in norms if n.get("attrs", {}).get("fix_gamma", "True") in ("True", "1")]
    return {nodes[n["inputs"][1][0]]["name"] for n in fixed}


def _own_parameters(block: Any) -> list[tuple[str, Any]]:
    return list(block._reg_params.items())


def _parameters(block: Any) -> list[tuple[str, Any]]:
    """All parameters in the order of the structure, each once."""
    seen: dict[int, bool] = {}
    found = []
    # at the end those that are no attribute of a block
    for path, parameter in [*_walk(block, ""), *block.collect_params().items()]:
        if id(parameter) not in seen:
            seen[id(parameter)] = True
            found.append((path, parameter))
    return found


def _walk(block: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, parameter in block._reg_params.items():
        yield prefix + name, parameter
    for name, child in block._children.items():
        yield from _walk(child, f"{prefix}{name}.")


def _block_paths(block: Any, prefix: str = "") -> dict[int, str]:
    found = {id(block): prefix}
    for name, child in block._children.items():
        child = child() if callable(child) and not hasattr(child, "_children") else child
        found.update(_block_paths(child, f"{prefix}.{name}" if prefix else name))
    return found


def _settings(block: Any) -> dict[str, Any]:
    """What a layer was made with, as far as it is plain."""
    given = dict(getattr(block, "_kwargs", {}))
    for name in ("_rate", "_axes", "_epsilon", "_axis", "_momentum", "_alpha", "_act_type"):
        if hasattr(block, name):
            given[name[1:]] = getattr(block, name)
    return {k: v for k, v in given.items() if isinstance(v, (int, float, str, bool, tuple))}


def _plain(optimizer: Any) -> dict[str, Any]:
    """The settings of an optimizer that are numbers."""
    if optimizer is None:
        return {}
    given = vars(optimizer).items()
    found: dict[str, Any] = {k: v for k, v in given if isinstance(v, (int, float, bool))}
    found["class"] = type(optimizer).__name__
    found["lr"] = float(optimizer.learning_rate)
    return {k: v for k, v in found.items() if not k.startswith("_")}
