"""Gives a PyTorch program the random numbers and initial weights of a recorded run."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parameter import UninitializedTensorMixin  # type: ignore[attr-defined]
from torch.utils._python_dispatch import TorchDispatchMode

from mxtorch.verify.align import Slot, align
from mxtorch.verify.record import Event, Record

# Functions that draw dropout's masks, always or where asked to.
_RECURRENT = ("lstm", "gru", "rnn_tanh", "rnn_relu")
_DROPPING = frozenset(
    [
        "dropout",
        "dropout_",
        "dropout1d",
        "dropout2d",
        "dropout3d",
        "alpha_dropout",
        "feature_dropout",
        "feature_alpha_dropout",
        "native_dropout",
        *_RECURRENT,
        "scaled_dot_product_attention",
        "multi_head_attention_forward",
    ]
)
_DRAWING = frozenset(
    [
        "rand",
        "randn",
        "randint",
        "rand_like",
        "randn_like",
        "randint_like",
        "randperm",
        "normal",
        "bernoulli",
        "multinomial",
        "poisson",
        "_standard_gamma",
        "uniform_",
        "normal_",
        "exponential_",
        "bernoulli_",
        "random_",
        "gumbel_softmax",
        "rrelu",
    ]
)
Pairs = list[tuple[str, Tensor]]


class Replay:
    """A recorded run, given out in the order in which it happened.

    `problems` say where the program asked for something else than the run had; from there on it
    gets torch's own numbers.
    """

    def __init__(
        self,
        record: Record,
        names: dict[str, str] | None = None,
        everything: bool = False,
        shake: float = 0.0,
    ) -> None:
        # the relative size of a change of the weights after each update
        self.shake = shake
        # whether values that the first program loaded are given too
        self.everything = everything
        self.record = record
        self.names = names or {}
        self.draws = deque(record.of("draw"))
        self.masks = deque(record.of("mask"))
        self.orders = deque(record.of("order"))
        self._drops_between_layers = any(m.get("recurrent") for m in self.masks)
        self.meets = {e["net"]: e for e in record.of("meet")}
        self.problems: list[str] = []
        self.notes: list[str] = []
        # key of the recorded run by key of this one
        self.pairs: dict[str, str] = {}
        self._asked = 0
        self._frames: deque[Any] = deque(maxlen=16)
        self._stopped: set[str] = set()
        # a run of a PyTorch program keeps no draws: the second one draws by its own seed
        self._draws = record.head.get("side") != "torch"

    def note(self, text: str) -> None:
        """Something that the replay makes equal, to be said once."""
        if text not in self.notes:
            self.notes.append(text)

    def refuse(self, queue: str, text: str) -> None:
        """The program asks for what the run does not have."""
        self.problems.append(text)
        self._stopped.add(queue)

    def left(self) -> dict[str, int]:
        """How many recorded draws the program has not asked for."""
        return {"draws": len(self.draws), "masks": len(self.masks), "orders": len(self.orders)}

    # weights -------------------------------------------------------------------------------------

    def load(self, net: int, pairs: Pairs, root: nn.Module, made: Pairs) -> None:
        """Give the net that is met as the `net`-th its recorded initial weights.

        `made`: its tensors in the order in which their layers were made, as a Symbol lists them.
        """
        if not self.meets:
            return  # the program binds its symbols by hand and fills them itself
        meet = self.meets.get(net)
        if meet is None:
            name = type(root).__name__
            self.problems.append(f"{name} is net {net}; the run had {len(self.meets)}")
            return
        theirs = [Slot(p["path"], tuple(p["shape"])) for p in meet["parameters"]]
        is_symbol = not any("." in slot.path for slot in theirs)
        ours = [
            Slot(path, _shape(tensor), _prefix(root, path))
            for path, tensor in (made if is_symbol else pairs)
        ]
        found = align(ours, theirs, self.names)
        for path, tensor in pairs:
            if path in found:
                self.pairs[f"{net}:{path}"] = f"{net}:{found[path]}"
                self._fill(tensor, self._parameter(meet, found[path]))
        missing = [p for p, _ in pairs if p not in found]
        if missing:
            self.problems.append(
                f"{type(root).__name__}: no recorded weights for {', '.join(missing)}"
            )

    def has(self, net: int, pairs: Pairs) -> bool:
        """Whether these may be the tensors of the recorded net of that number."""
        meet = self.meets.get(net)
        if meet is None or len(pairs) != len(meet["parameters"]):
            return False
        shapes = [_shape(tensor) for _, tensor in pairs]
        recorded = sorted(tuple(p["shape"]) for p in meet["parameters"])
        return None in shapes or sorted(s for s in shapes if s is not None) == recorded

    def load_late(self, net: int, pairs: Pairs) -> None:
        """Give lazy layers theirs, now that they have shapes."""
        meet = self.meets.get(net)
        for path, tensor in pairs:
            key = self.pairs.get(f"{net}:{path}")
            if meet is not None and key is not None:
                self._fill(tensor, self._parameter(meet, key.partition(":")[2]))

    def load_again(self, key: str, tensor: Tensor) -> None:
        """Give a tensor that the program has initialized anew what it had: MXNet did that once."""
        recorded = self.pairs.get(key)
        if recorded is not None:
            net, _, path = recorded.partition(":")
            self._fill(tensor, self._parameter(self.meets[int(net)], path))

    @staticmethod
    def _parameter(meet: Event, path: str) -> Event:
        return next(p for p in meet["parameters"] if p["path"] == path)

    def _fill(self, tensor: Tensor, parameter: Event) -> None:
        if isinstance(tensor, UninitializedTensorMixin):
            return
        if parameter["origin"] == "loaded" and not self.everything:
            return  # the program loads its own; the comparison looks at them
        value = torch.from_numpy(self.record.value(parameter["array"]))
        if value.shape != tensor.shape:
            self.problems.append(
                f"{parameter['path']}: recorded shape {tuple(value.shape)}, "
                f"the port's {tuple(tensor.shape)}"
            )
            return
        with torch.no_grad():
            tensor.copy_(value)

    def round_otherwise(self, tensors: Iterable[Tensor], step: int) -> None:
        """Change weights by about as much as rounding does, up and down in turn."""
        if not self.shake:
            return
        with torch.no_grad():
            for tensor in tensors:
                turns = torch.arange(step, step + tensor.numel(), device=tensor.device)
                up = (turns * 7 % 3 - 1).reshape(tensor.shape).to(tensor.dtype)
                tensor.mul_(1 + self.shake * up)

    # random numbers --------------------------------------------------------------------------

    def is_random(self, name: str) -> bool:
        """Whether a function of that name may draw."""
        return self._draws and (name in _DRAWING or name in _DROPPING)

    def run(self, name: str, func: Any, args: Any, kwargs: Any) -> Any:
        """Call a function with recorded numbers in place of those it would draw."""
        if name not in _DROPPING and _is_own_business(sys._getframe(2), self._frames, name):
            return func(*args, **kwargs)
        with _Feed(self, name):
            return func(*args, **kwargs)

    def feed(self, op: str, args: Any, kwargs: Any, out: Any, inside: str) -> None:
        """Overwrite what a random operator of torch's has just drawn, inside a call of `inside`."""
        if inside in _RECURRENT and not self._drops_between_layers:
            _keep_all(op, args, out)
            self.note("torch drops between recurrent layers; MXNet's CPU does not")
        elif op == "native_dropout":
            self._feed_dropout(args, out)
        elif op == "randperm":
            self._feed_order(out)
        elif inside in _DROPPING and op == "bernoulli_":
            self._feed_mask(out)
        elif op in _FAMILIES:
            self._feed_draw(op, args, kwargs, out)

    def _next(self, name: str, queue: deque[Event], size: int, what: str) -> Event | None:
        self._asked += 1
        if name in self._stopped:
            return None
        if not queue:
            self.refuse(name, f"{what}: the run drew no more {name}")
            return None
        event = queue.popleft()
        have = int(np.prod(event["shape"])) if "shape" in event else None
        have = self.record.value(event["array"]).size if have is None else have
        if have != size:
            self.refuse(name, f"{what}: {size} numbers are asked for, the run drew {have}")
            return None
        return event

    def _kept(self, shape: torch.Size, what: str) -> Tensor | None:
        event = self._next("masks", self.masks, shape.numel(), what)
        if event is None:
            return None
        bits = np.unpackbits(self.record.value(event["array"]), count=shape.numel())
        return torch.from_numpy(bits).reshape(shape)

    def _feed_mask(self, out: Tensor) -> None:
        kept = self._kept(out.shape, "dropout")
        if kept is not None:
            out.copy_(kept)

    def _feed_dropout(self, args: Any, out: Any) -> None:
        kept = self._kept(out[1].shape, "dropout")
        if kept is not None:
            out[1].copy_(kept)
            out[0].copy_(args[0] * out[1] / (1 - args[1]))

    def _feed_order(self, out: Tensor) -> None:
        event = self._next("orders", self.orders, out.numel(), "an order")
        if event is None:
            return
        out.copy_(torch.from_numpy(self.record.value(event["array"])))
        if "state" in event:  # MXNet took the order from NumPy's generator
            position, has_gauss, cached = event["rest"]
            keys = self.record.value(event["state"])
            np.random.set_state(("MT19937", keys, position, has_gauss, cached))

    def _feed_draw(self, op: str, args: Any, kwargs: Any, out: Tensor) -> None:
        event = self._next("draws", self.draws, out.numel(), op)
        if event is None:
            return
        values = self.record.value(event["array"]).astype(np.float64)
        made = _FAMILIES[op](op, event, values, args, kwargs)
        if made is None:
            self.refuse("draws", f"{op}: the run drew from {event['family']} here")
            return
        drawn = torch.as_tensor(made)
        if drawn.numel() == out.numel():
            drawn = drawn.reshape(out.shape)
        out.copy_(drawn)


def _keep_all(op: str, args: Any, out: Any) -> None:
    """Undo what a dropout has just drawn."""
    if op == "native_dropout":
        out[1].fill_(1)
        out[0].copy_(args[0])
    elif op == "bernoulli_":
        out.fill_(args[1])  # it is divided by that next


class _Feed(TorchDispatchMode):
    """Lets a replay overwrite what is drawn inside one call."""

    def __init__(self, replay: Replay, inside: str) -> None:
        super().__init__()
        self.replay, self.inside = replay, inside

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        name = func.overloadpacket.__name__
        if name in _FAMILIES or name in ("native_dropout", "randperm", "bernoulli_"):
            self.replay.feed(name, args, kwargs, out, self.inside)
        return out


def _is_own_business(frame: Any, seen: deque[Any], name: str) -> bool:
    """Whether torch draws for itself here: initial weights, seeds of loaders, the second order
    that its sampler draws at the end of an epoch."""
    while frame is not None and frame.f_globals.get("__name__", "").startswith("mxtorch.verify"):
        frame = frame.f_back
    while frame is not None and frame.f_globals.get("__name__") == "torch.overrides":
        frame = frame.f_back
    if frame is None:
        return False
    module = frame.f_globals.get("__name__", "")
    if module == "torch.nn.init" or (name == "random_" and module.startswith("torch.utils.data")):
        return True
    if module == "torch.utils.data.sampler" and name == "randperm":
        if any(f is frame for f in seen):
            return True
        seen.append(frame)
    return False


def _prefix(root: nn.Module, path: str) -> str | None:
    """What a layer puts before the names of its parameters, if it says so."""
    found = getattr(root.get_submodule(path.rpartition(".")[0]), "prefix", None)
    return found if isinstance(found, str) else None


def _shape(tensor: Tensor) -> tuple[int, ...] | None:
    return None if isinstance(tensor, UninitializedTensorMixin) else tuple(tensor.shape)


# What torch's operators make of recorded numbers --------------------------------------------------

_BELOW_ONE = float(np.nextafter(np.float32(1), np.float32(0)))


def _unit(event: Event, values: np.ndarray) -> tuple[str, np.ndarray]:
    """The numbers as their distribution has them with its simplest parameters."""
    family, params = event["family"], event["params"]
    if family == "uniform" and params:
        low, high = params
        return family, (values - low) / (high - low) if high > low else values * 0
    if family == "normal" and params:
        return family, (values - params[0]) / params[1]
    if family == "exponential" and params:
        return "exponential", values * params[0]
    if family == "exponential_scale" and params:
        return "exponential", values / params[0]
    if family == "gamma" and params:
        return family, values / params[1]
    if family == "flip":
        return "uniform", np.where(values != 0, 0.25, 0.75)
    if family == "bernoulli":
        return "uniform", np.where(values != 0, 0.0, _BELOW_ONE)
    return family, values


def _given(args: Any, kwargs: Any, names: tuple[str, ...], first: int, default: Any) -> list[Any]:
    found = []
    for i, (name, value) in enumerate(zip(names, default, strict=True)):
        position = first + i
        given = kwargs.get(name, args[position] if position < len(args) else value)
        found.append(given)
    return found


def _uniform(op: str, event: Event, values: np.ndarray, args: Any, kwargs: Any) -> Any:
    family, unit = _unit(event, values)
    if family != "uniform":
        return None
    low, high = 0.0, 1.0
    if op == "uniform_":
        low, high = _given(args, kwargs, ("from", "to"), 1, (0.0, 1.0))
    if event["params"] == [low, high]:
        return values if op == "uniform_" else np.minimum(values, _BELOW_ONE)
    return low + (high - low) * np.minimum(unit, _BELOW_ONE)


def _normal(op: str, event: Event, values: np.ndarray, args: Any, kwargs: Any) -> Any:
    family, unit = _unit(event, values)
    if family != "normal":
        return None
    mean, deviation = 0.0, 1.0
    if op in ("normal", "normal_"):
        first = 1 if op == "normal_" else 0
        mean, deviation = _given(args, kwargs, ("mean", "std"), first, (0.0, 1.0))
    if event["params"] == [mean, deviation]:
        return values
    numbers = torch.as_tensor(unit)
    for part in (deviation, mean):
        if isinstance(part, Tensor):
            numbers = numbers.reshape(part.shape) if numbers.numel() == part.numel() else numbers
    return mean + deviation * numbers


def _exponential(op: str, event: Event, values: np.ndarray, args: Any, kwargs: Any) -> Any:
    family, unit = _unit(event, values)
    (rate,) = _given(args, kwargs, ("lambd",), 1, (1.0,))
    return unit / rate if family == "exponential" else None


def _gamma(op: str, event: Event, values: np.ndarray, args: Any, kwargs: Any) -> Any:
    family, unit = _unit(event, values)
    return unit if family == "gamma" else None


def _value(op: str, event: Event, values: np.ndarray, args: Any, kwargs: Any) -> Any:
    return values if event["family"] in ("integer", "value", "poisson", "bernoulli") else None


_FAMILIES: dict[str, Any] = {
    "rand": _uniform,
    "rand_like": _uniform,
    "uniform_": _uniform,
    "randn": _normal,
    "randn_like": _normal,
    "normal": _normal,
    "normal_": _normal,
    "exponential_": _exponential,
    "_standard_gamma": _gamma,
    "poisson": _value,
    "randint": _value,
    "randint_like": _value,
    "random_": _value,
    "bernoulli": _value,
    "bernoulli_": _value,
    "multinomial": _value,
}
