"""Watches a PyTorch program through torch's own hooks: nets, losses, updates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.modules.module import (
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_parameter_registration_hook,
)
from torch.nn.parameter import UninitializedTensorMixin  # type: ignore[attr-defined]
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)
from torch.overrides import TorchFunctionMode

from mxtorch.verify.replay import Pairs, Replay
from mxtorch.verify.tape import Tape, is_plain

# Buffers that count calls, not values.
_COUNTERS = frozenset(["num_batches_tracked"])


class Watch:
    """Keeps what a program does on a tape; with a replay it also gets its random numbers."""

    def __init__(self, tape: Tape, replay: Replay | None = None) -> None:
        self.tape = tape
        self.replay = replay
        # parameters and buffers that have met a forward, with their keys
        self.keys: dict[int, tuple[str, Tensor]] = {}
        # the keys that parameters had before they were filled anew
        self._earlier: dict[int, str] = {}
        self.nets = 0
        self.roots = 0
        self._paths: list[dict[int, str]] = []
        self._stack: list[nn.Module] = []
        self._handles: list[Any] = []
        self._gradients: dict[str, Any] = {}
        self._epsilons: list[float] = []
        self._before: dict[int, list[Tensor]] = {}
        # when each module that has tensors of its own was made
        self._made: WeakKeyDictionary[nn.Module, int] = WeakKeyDictionary()
        self.mode = _Calls(self)

    def start(self) -> None:
        """Watch from now on."""
        self._handles = [
            register_module_parameter_registration_hook(self._note_made),
            register_module_buffer_registration_hook(self._note_made),
            register_module_forward_pre_hook(self._enter),
            register_module_forward_hook(self._leave, always_call=True),
            register_optimizer_step_pre_hook(self._before_step),
            register_optimizer_step_post_hook(self._after_step),
        ]
        self.mode.__enter__()

    def stop(self) -> None:
        """Watch no longer."""
        self.mode.__exit__(None, None, None)
        for handle in self._handles:
            handle.remove()

    # nets ----------------------------------------------------------------------------------------

    def _note_made(self, module: nn.Module, name: str, tensor: Any) -> None:
        self._made.setdefault(module, len(self._made))

    def _as_made(self, root: nn.Module, tensors: list[tuple[str, Tensor]]) -> Pairs:
        """Tensors of a net in the order in which their layers were made."""
        last = len(self._made)

        def when(pair: tuple[str, Tensor]) -> int:
            return self._made.get(root.get_submodule(pair[0].rpartition(".")[0]), last)

        return sorted(tensors, key=when)

    def _enter(self, module: nn.Module, args: Any) -> None:
        if not self._stack:
            self.roots += 1
            self._paths.append({id(m): name for name, m in module.named_modules()})
            self._meet(module)
        self._stack.append(module)
        if self.replay is not None and _measures(module):
            self._before[id(module)] = [t.clone() for t in _statistics(module)]

    def _leave(self, module: nn.Module, args: Any, result: Any) -> None:
        while self._stack and self._stack.pop() is not module:
            pass
        before = self._before.pop(id(module), None)
        if before is not None:
            self._move_in_backward(module, before, args[0], result)
        is_root = not self._stack
        if self.tape.is_detailed and result is not None:
            path = self._paths[-1].get(id(module), "")
            if is_root or _is_layer(module):
                self._note_call(module, path, args, result, is_root)
        if is_root:
            self._paths.pop()

    def _move_in_backward(
        self, module: nn.Module, before: list[Tensor], data: Tensor, result: Any
    ) -> None:
        """MXNet moves statistics in backward, by the biased variance; torch in forward."""
        count = data.numel() // data.shape[1]
        kept = 1 - float(module.momentum)  # type: ignore[arg-type]
        now = _statistics(module)
        moves = [t - kept * b for t, b in zip(now, before, strict=True)]
        moves[1].sub_(moves[1] / count)
        for tensor, old in zip(now, before, strict=True):
            tensor.copy_(old)

        def move(_: Tensor) -> None:
            with torch.no_grad():
                for tensor, by in zip(now, moves, strict=True):
                    tensor.mul_(kept).add_(by)

        if isinstance(result, Tensor) and result.requires_grad:
            result.register_hook(move)
        assert self.replay is not None
        self.replay.note(
            "BatchNorm's running statistics move in backward, with the biased variance, as in MXNet"
        )

    def _meet(self, root: nn.Module) -> None:
        waiting = [(n, t) for n, t in _tensors(root) if id(t) not in self.keys]
        if self.replay is not None and not self.replay.has(self.nets + 1, waiting):
            waiting = [(n, t) for n, t in waiting if not self._met_before(t)]
        if not waiting:
            return
        self.nets += 1
        for path, tensor in waiting:
            self.keys[id(tensor)] = (f"{self.nets}:{path}", tensor)
        if self.replay is not None:
            self.replay.load(self.nets, waiting, root, self._as_made(root, waiting))
        event = self.tape.add("meet", net=self.nets, name=type(root).__name__, parameters=[])
        self._describe(event, [(n, t) for n, t in waiting if not _is_lazy(t)])
        for module in root.modules():
            if any(_is_lazy(t) for _, t in _own_tensors(module)):
                self._when_shaped(module, event, self.nets)

    def _met_before(self, tensor: Tensor) -> bool:
        """A net that the first program fills before its first forward, and this one after a forward
        that only tells it shapes, is the same net."""
        key = self._earlier.get(id(tensor))
        if key is None or self.replay is None:
            return False
        self.keys[id(tensor)] = (key, tensor)
        self.replay.load_again(key, tensor)
        return True

    def _when_shaped(self, module: nn.Module, event: dict[str, Any], net: int) -> None:
        """A lazy layer gets its values when it has its shapes: after its own hooks."""
        prefix = self._paths[-1][id(module)]

        def shaped(module: nn.Module, args: Any) -> None:
            handle.remove()
            pairs = [(f"{prefix}.{n}" if prefix else n, t) for n, t in _own_tensors(module)]
            for path, tensor in pairs:
                self.keys[id(tensor)] = (f"{net}:{path}", tensor)
            if self.replay is not None:
                self.replay.load_late(net, pairs)
            self._describe(event, pairs)

        handle = module.register_forward_pre_hook(shaped)

    def _describe(self, event: dict[str, Any], pairs: list[tuple[str, Tensor]]) -> None:
        event["parameters"] += [
            {
                "path": path,
                "name": path,
                "shape": list(tensor.shape),
                "origin": "drawn",
                "trained": isinstance(tensor, nn.Parameter) and tensor.requires_grad,
                "array": self.tape.array("init", _numpy(tensor)),
            }
            for path, tensor in pairs
        ]

    def _note_call(
        self, module: nn.Module, path: str, args: Any, result: Any, is_root: bool
    ) -> None:
        own = [self.keys[id(t)][0] for _, t in _own_tensors(module) if id(t) in self.keys]
        self.tape.add(
            "call",
            root=self.roots,
            layer=path,
            key=own[0] if own else "",
            cls=type(module).__name__,
            is_root=is_root,
            training=module.training,
            has_weights=next(module.parameters(), None) is not None,
            inputs=[self.tape.print_of(v, "in") for v in _arrays(args)[:1]],
            outputs=[self.tape.print_of(v, "out") for v in _arrays(result)[:1]],
            settings=_settings(module),
        )

    def reinitialized(self, tensor: Tensor) -> None:
        """A parameter was filled anew: it meets its net again."""
        key, _ = self.keys.pop(id(tensor), ("", None))
        if key:
            self._earlier[id(tensor)] = key

    # backward and updates ----------------------------------------------------------------------

    def note_loss(self, head: Tensor, gradient: Tensor | None) -> None:
        """Backward starts at `head`."""
        with torch.no_grad():
            weighted = head if gradient is None else head * gradient
            value = float(weighted.double().sum())
        self.tape.add("backward", value=value, count=head.numel())

    def _before_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self._gradients = {}
        if self.replay is not None and type(optimizer) is torch.optim.Adam:
            self._epsilons = [group["eps"] for group in optimizer.param_groups]
            _add_before_correction(optimizer)
            self.replay.note("Adam adds eps before it corrects the bias, as in MXNet")
        if not self.tape.is_detailed:
            return
        for tensor in _trained(optimizer):
            if tensor.grad is not None and id(tensor) in self.keys:
                grad = tensor.grad.to_dense() if tensor.grad.is_sparse else tensor.grad
                self._gradients[self.keys[id(tensor)][0]] = self.tape.print_of(_numpy(grad), "grad")

    def _after_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        for group, epsilon in zip(optimizer.param_groups, self._epsilons, strict=False):
            group["eps"] = epsilon
        self._epsilons = []
        weights = {}
        if self.tape.is_detailed:
            for tensor in _trained(optimizer):
                if id(tensor) in self.keys:
                    key = self.keys[id(tensor)][0]
                    weights[key] = self.tape.print_of(_numpy(tensor), "weight")
        statistics = {
            key: self.tape.print_of(_numpy(tensor), "statistic")
            for key, tensor in self.keys.values()
            if "running_" in key and self.tape.is_detailed
        }
        self.tape.add(
            "update",
            scale=1.0,
            gradients=self._gradients,
            weights=weights,
            statistics=statistics,
            settings=_plain(optimizer),
        )
        if self.replay is not None:
            self.replay.round_otherwise(_trained(optimizer), self.tape.updates)
        self.tape.updated()

    def finish(self) -> None:
        """Keep the final values of all parameters that were met."""
        values = {
            key: self.tape.array("final", _numpy(tensor))
            for key, tensor in self.keys.values()
            if not _is_lazy(tensor)
        }
        self.tape.add("final", values=values)


class _Calls(TorchFunctionMode):
    """Sees the calls of torch's functions: backward, and what draws."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch
        self.replay = watch.replay

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if func is Tensor.backward:
            gradient = args[1] if len(args) > 1 else kwargs.get("gradient")
            self.watch.note_loss(args[0], gradient)
        elif getattr(func, "__module__", "") == "torch.nn.init":
            filled = args[0] if args else kwargs.get("tensor")
            if isinstance(filled, nn.Parameter):
                self.watch.reinitialized(filled)
        elif self.replay is not None and self.replay.is_random(name):
            target = args[0] if args else None
            if name.endswith("_") and isinstance(target, nn.Parameter):
                self.watch.reinitialized(target)
            else:
                return self.replay.run(name, func, args, kwargs)
        return func(*args, **kwargs)


def _is_lazy(tensor: Tensor) -> bool:
    return isinstance(tensor, UninitializedTensorMixin)


def _is_layer(module: nn.Module) -> bool:
    """Whether it computes by itself: it has values of its own, or holds no modules."""
    return bool(module._parameters) or not module._modules


def _measures(module: nn.Module) -> bool:
    """Whether it is a batch normalization that will update its statistics."""
    return (
        isinstance(module, nn.modules.batchnorm._BatchNorm)
        and module.training
        and module.momentum is not None
        and module.running_var is not None
        and not _is_lazy(module.running_var)
    )


def _statistics(module: nn.Module) -> list[Tensor]:
    """A batch normalization's running mean and variance, without autograd's count of changes."""
    found = (module.running_mean, module.running_var)
    return [t.data for t in found if isinstance(t, Tensor)]


def _own_tensors(module: nn.Module) -> Iterator[tuple[str, Tensor]]:
    for name, parameter in module._parameters.items():
        if parameter is not None:
            yield name, parameter
    for name, buffer in module._buffers.items():
        if buffer is not None and name not in _COUNTERS:
            yield name, buffer


def _tensors(root: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """Parameters and buffers in the order of the structure, each once."""
    seen: set[int] = set()
    for prefix, module in root.named_modules():
        for name, tensor in _own_tensors(module):
            if id(tensor) not in seen:
                seen.add(id(tensor))
                yield (f"{prefix}.{name}" if prefix else name), tensor


def _add_before_correction(adam: torch.optim.Adam) -> None:
    """Have Adam's next step add eps to the uncorrected root of the second moment."""
    for group in adam.param_groups:
        states = [adam.state[p] for p in group["params"] if p.grad is not None and p in adam.state]
        count = 1 + max((int(s["step"]) for s in states if s), default=0)
        group["eps"] /= (1 - group["betas"][1] ** count) ** 0.5


def _trained(optimizer: Any) -> list[Tensor]:
    return [t for group in optimizer.param_groups for t in group["params"]]


def _numpy(tensor: Tensor) -> np.ndarray:
    """What a tensor holds now; its memory, not a copy."""
    with torch.no_grad():
        whole = tensor.detach().cpu()
        if whole.dtype in (torch.bfloat16,):
            whole = whole.float()
        return whole.numpy()


def _arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, Tensor):
        return [_numpy(value)]
    if isinstance(value, (list, tuple)):
        return [a for v in value for a in _arrays(v)]
    return []


def _settings(module: nn.Module) -> dict[str, Any]:
    """What a layer was made with, as far as it is plain."""
    found = {k: v for k, v in vars(module).items() if not k.startswith("_")}
    return {k: v for k, v in found.items() if v is not None and is_plain(v)}


def _plain(optimizer: Any) -> dict[str, Any]:
    group = optimizer.param_groups[0]
    found = {k: v for k, v in group.items() if v is not None and is_plain(v)}
    return {**found, "class": type(optimizer).__name__}
