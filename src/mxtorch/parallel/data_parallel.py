"""DataParallel: an nn.Module on several devices of one process, each with its own loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn.parameter import is_lazy

from mxtorch._core.device import (
    Context,
    accelerator_type,
    context_to_device,
    gpu,
    num_gpus,
    on_device,
)
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetTypeError, MXNetValueError
from mxtorch.parallel._replicas import replicate
from mxtorch.parallel._scatter import count_samples, part_sizes, scatter

Device = torch.device | str | int | Context


class _Shard(NamedTuple):
    """A device's part of a step; without tensors the modules' own ones."""

    device: torch.device
    inputs: Any
    target: Any
    samples: int
    tensors: dict[str, Tensor] | None


class DataParallel(nn.Module):
    """A module and its loss on several devices: `net(inputs, target)` is the batch's loss.

    A batch is cut into one part a device; module and loss run on each device with its part, and
    only the losses, one number a device, come to the first one. `nn.DataParallel` brings the whole
    output there. Result and gradients are those of the whole batch on one device, but for
    rounding; BatchNorm sees the parts one by one, and keeps the first one's statistics.

        net = DataParallel(module.to("cuda:0"), nn.CrossEntropyLoss())
        for x, y in batches:
            optimizer.zero_grad()
            net(x, y).backward()
            optimizer.step()

    `inputs` are a tensor, a tuple of positional or a dict of keyword arguments of the module;
    `target` is what the loss gets as second argument, as it is. Tensors in them, however nested,
    are cut along `dim`; all have one length there. Other values go to each device.

    `devices` are torch devices, numbers of accelerators or contexts; by default all accelerators,
    or the CPU. The module's parameters are on the first one.

    `reduction`: whether the loss is a 'mean' or a 'sum' over samples; by default what the loss
    itself says, else 'mean'. A loss that is a tensor of one value a sample is reduced so.
    Means are weighted by the number of samples of a part. `count(output, target)` gives another
    weight, for a loss whose mean is over something else (over words that are no padding, say);
    torch's CrossEntropyLoss and NLLLoss are known.
    """

    def __init__(
        self,
        module: nn.Module,
        loss: Callable[..., Tensor],
        devices: Sequence[Device] | None = None,
        dim: int = 0,
        reduction: str | None = None,
        count: Callable[[Any, Any], Any] | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(module, nn.Module):
            raise MXNetTypeError(
                f"DataParallel takes an nn.Module, got {type(module).__name__}; a Gluon block "
                "becomes one with mxtorch.as_module(block)"
            )
        if not callable(loss):
            raise MXNetTypeError(f"DataParallel: loss must be callable, got {type(loss).__name__}")
        if reduction is None:
            own = getattr(loss, "reduction", "mean")
            reduction = own if own in ("mean", "sum") else "mean"
        if reduction not in ("mean", "sum"):
            raise MXNetValueError(f"DataParallel: reduction={reduction!r} is not 'mean' or 'sum'")
        self.module = module
        self.loss = loss
        self.devices = _find_devices(devices)
        self.dim = dim
        self.reduction = reduction
        self.count = count

    def forward(self, inputs: Any, target: Any) -> Tensor:
        """The loss of a batch, a scalar on the first device."""
        # work is queued on every device before anything is waited for
        pairs = [self._run(shard) for shard in self._scatter(inputs, target)]
        values = [value.to(self.devices[0], non_blocking=True) for value, _ in pairs]
        if self.reduction == "mean":
            dtype = torch.promote_types(values[0].dtype, torch.float32)
            weights = [self._at_home(weight, dtype) for _, weight in pairs]
            total = sum(weights)
            values = [v * (w / total) for v, w in zip(values, weights, strict=True)]
        return sum(values[1:], start=values[0])

    def outputs(self, inputs: Any) -> list[Any]:
        """The module's outputs for the parts of a batch, each left on its device."""
        found = []
        for shard in self._scatter(inputs, None):
            with on_device(shard.device):
                found.append(_call(self.module, shard, "module.", inputs=shard.inputs))
        return found

    # the parts -------------------------------------------------------------------------------

    def _scatter(self, inputs: Any, target: Any) -> list[_Shard]:
        samples = count_samples([inputs, target], self.dim)
        sizes = part_sizes(samples, len(self.devices))
        devices = self.devices[: len(sizes)]
        tensors = self._tensors()
        parts = scatter((inputs, target), sizes, devices, self.dim)
        copies = [None, *replicate(tensors, devices[1:])]
        return [
            _Shard(device, own_inputs, own_target, size, own)
            for device, (own_inputs, own_target), size, own in zip(
                devices, parts, sizes, copies, strict=True
            )
        ]

    def _tensors(self) -> dict[str, Tensor]:
        """Parameters and buffers by name, all on the first device."""
        found = {}
        parameters = self.named_parameters(remove_duplicate=False)
        for name, tensor in [*parameters, *self.named_buffers(remove_duplicate=False)]:
            if is_lazy(tensor):
                raise MXNetError(
                    f"DataParallel: {name} has no shape yet. Run the module on one batch first."
                )
            if tensor.device != self.devices[0]:
                raise MXNetError(
                    f"DataParallel: {name} is on {tensor.device}, but parameters and buffers must "
                    f"be on the first of devices={[str(d) for d in self.devices]}: call "
                    f".to({str(self.devices[0])!r})"
                )
            found[name] = tensor
        return found

    def _run(self, shard: _Shard) -> tuple[Tensor, Any]:
        """The loss of a part, and what it weighs, on the part's device."""
        with on_device(shard.device):
            output = _call(self.module, shard, "module.", inputs=shard.inputs)
            pair = (output, shard.target)
            if isinstance(self.loss, nn.Module):
                value = _call(self.loss, shard, "loss.", inputs=pair)
            else:
                value = self.loss(*pair)
            if not isinstance(value, Tensor):
                raise MXNetTypeError(
                    f"DataParallel: the loss gave {type(value).__name__}; it must give one tensor"
                )
            if self.reduction == "sum":
                return value.sum(), 1
            weight = self._weight(output, shard)
            if value.ndim:
                value = self._mean(value, shard.samples)
            if isinstance(weight, Tensor):  # 0 / 0 where a part has nothing that counts
                value = torch.where(weight == 0, torch.zeros_like(value), value)
            return value, weight

    def _mean(self, value: Tensor, samples: int) -> Tensor:
        if value.numel() != 1 and samples not in value.shape:
            raise MXNetShapeError(
                f"DataParallel: the loss gave shape {tuple(value.shape)} for {samples} samples; it "
                "must give a scalar, or a value for each sample"
            )
        return value.mean()

    def _weight(self, output: Any, shard: _Shard) -> Any:
        if self.count is not None:
            return self.count(output, shard.target)
        loss = self.loss
        if not isinstance(loss, (nn.CrossEntropyLoss, nn.NLLLoss)) or loss.reduction != "mean":
            return shard.samples
        if shard.target.is_floating_point():  # probabilities: a mean over samples
            return shard.samples
        kept = shard.target != loss.ignore_index
        if loss.weight is None:
            return kept.sum()
        classes = loss.weight.to(shard.device)
        return (classes[torch.where(kept, shard.target, 0)] * kept).sum()

    def _at_home(self, weight: Any, dtype: torch.dtype) -> Any:
        if not isinstance(weight, Tensor):
            return weight
        return weight.detach().to(self.devices[0], dtype, non_blocking=True)


def _call(module: nn.Module, shard: _Shard, prefix: str, inputs: Any) -> Any:
    positional, named = (), {}
    if isinstance(inputs, dict):
        named = inputs
    else:
        positional = inputs if isinstance(inputs, tuple) else (inputs,)
    if shard.tensors is None:
        return module(*positional, **named)
    own = {n.removeprefix(prefix): t for n, t in shard.tensors.items() if n.startswith(prefix)}
    return functional_call(module, own, positional, named)


def _find_devices(devices: Sequence[Device] | None) -> list[torch.device]:
    if devices is None:
        found = [context_to_device(gpu(i)) for i in range(num_gpus())]
        return found or [torch.device("cpu")]
    found = [_find_device(device) for device in devices]
    if not found:
        raise MXNetValueError("DataParallel: devices=[] is empty; None means all accelerators")
    kinds = sorted({device.type for device in found})
    if len(kinds) > 1:
        raise MXNetValueError(f"DataParallel: devices of one kind, got {' and '.join(kinds)}")
    return found


def _find_device(device: Device) -> torch.device:
    if isinstance(device, Context):
        return context_to_device(device)
    if isinstance(device, int):
        return context_to_device(gpu(device))
    try:
        found = torch.device(device)
    except (RuntimeError, TypeError) as error:
        raise MXNetValueError(f"DataParallel: {device!r} is no device: {error}") from error
    if found.type != "cpu" and found.index is None:
        found = torch.device(found.type, 0)
    if found.type == accelerator_type():
        return context_to_device(gpu(found.index))
    if found.type != "cpu":
        raise MXNetValueError(f"DataParallel: torch finds no {found.type} device on this machine")
    return torch.device("cpu")
