"""Parameters of an operator body that no caller passes: they come from where the call happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias

import torch

from mxtorch._core.device import Context, context_to_device, current_context
from mxtorch._core.modes import modes


class Ambient:
    """One such parameter: `get()` is its value at the moment of the call."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self) -> Any:
        if self.name == "training":
            return modes.training
        if self.name == "recording":
            return modes.recording
        if self.name == "np_shape":
            return modes.np_shape
        if self.name == "out":
            return None
        if self.name == "kept":
            return True
        if self.name == "context":
            return current_context()
        if self.name == "graphs":
            return ()
        return context_to_device(current_context())


# Whether Dropout drops and BatchNorm measures: `autograd.record()` and `train_mode()` say so.
Training: TypeAlias = Annotated[bool, Ambient("training")]
# Whether the call is recorded (float64 RNN layers draw their dropout then, trained or not).
Recording: TypeAlias = Annotated[bool, Ambient("recording")]
# Whether arrays may have no axes: `mx.util.np_shape()` says so.
NpShape: TypeAlias = Annotated[bool, Ambient("np_shape")]
# Whether what backward needs is kept: in a graph only where backward may come.
Kept: TypeAlias = Annotated[bool, Ambient("kept")]
# Where an operator without inputs puts its result.
Device: TypeAlias = Annotated[torch.device, Ambient("device")]
# The context that the call happens on, for what has to make arrays there.
Place: TypeAlias = Annotated[Context, Ambient("context")]
# The graphs inside a node, as functions of tensors.
Graphs: TypeAlias = Annotated[
    tuple[Callable[..., tuple[torch.Tensor, ...]], ...], Ambient("graphs")
]
# The array that the caller gave as `out=`: it decides a shape that no attribute says.
Out: TypeAlias = Annotated[torch.Tensor | None, Ambient("out")]
