"""An nn.Module as an operator, so that a block around one can be part of a graph."""

from __future__ import annotations

import itertools
import weakref
from typing import Any

import torch
from torch import Tensor, nn

from mxtorch._core.ambient import Training
from mxtorch._core.errors import MXNetError
from mxtorch._core.op import op

_modules: weakref.WeakValueDictionary[int, nn.Module] = weakref.WeakValueDictionary()
_keys = itertools.count()


def enter(module: nn.Module) -> int:
    """A number for a module, by which a graph of this process finds it."""
    key = next(_keys)
    _modules[key] = module
    return key


def run(module: nn.Module, tensors: list[Tensor], training: bool) -> Any:
    """The module on its inputs, which follow the tensors that take its own ones' places."""
    before = module.training
    own = {}
    for (name, mine), tensor in zip(own_tensors(module).items(), tensors, strict=False):
        own[name] = tensor if mine.ndim else tensor.reshape(())  # MXNet's have one axis at least
    try:
        module.train(training)
        return torch.func.functional_call(module, own, tuple(tensors[len(own) :]))
    finally:
        module.train(before)


def own_tensors(module: nn.Module) -> dict[str, Tensor]:
    """A module's parameters and buffers by name, in order."""
    return {**dict(module.named_parameters()), **dict(module.named_buffers())}


@op(name="_torch_module", mixed=True, view=True)
def torch_module(*data: Tensor, module: int, training: Training) -> Tensor:
    """The output of an nn.Module of this process: its own tensors, then its inputs."""
    found = _modules.get(module)
    if found is None:
        raise MXNetError(
            "this graph holds a torch module of another process, or one that is gone; build the "
            "block anew with mxtorch.as_block(module)"
        )
    result = run(found, list(data), training)
    if not isinstance(result, Tensor):
        raise MXNetError(
            f"a torch module that gives a {type(result).__name__} cannot be part of a hybridized "
            "block; leave the block around it unhybridized, or return one tensor"
        )
    return result
