"""An nn.Module as a Gluon block over the same storage."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from mxtorch._core.device import device_to_context
from mxtorch._core.dtypes import dtype_to_numpy
from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch._core.modes import modes
from mxtorch._core.writes import share
from mxtorch._front.handle import wrap_new
from mxtorch._ops.torch_module import enter, own_tensors, run
from mxtorch.gluon import HybridBlock, Parameter
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol


def as_block(module: nn.Module, prefix: str | None = None) -> ModuleBlock:
    """The nn.Module as a HybridBlock: arrays in and out, parameters in the same memory.

    It takes part in `collect_params`, `Trainer`, `hybridize` and `save_parameters`, which names
    parameters as `state_dict` does. `initialize` leaves its values alone unless `force_reinit`.
    A Gluon backward also fills the gradients that a torch optimizer reads.
    """
    if not isinstance(module, nn.Module):
        raise MXNetTypeError(f"as_block takes an nn.Module, got {type(module).__name__}")
    return ModuleBlock(module, prefix)


class _TorchParameter(Parameter):
    """A parameter whose values are a tensor's."""

    def take(self, tensor: Tensor) -> None:
        """Be over the memory of a tensor."""
        tensor = share(tensor.data if tensor.ndim else tensor.data.reshape(1))
        self._shape = tuple(tensor.shape)
        self._dtype = dtype_to_numpy(tensor.dtype)
        ctx = device_to_context(tensor.device)
        self._set_replicas([wrap_new(NDArray, tensor, ctx)])
        self._init_grad()

    def initialize(
        self,
        init: Any = None,
        ctx: Any = None,
        default_init: Any = None,
        force_reinit: bool = False,
    ) -> None:
        """Nothing, unless `force_reinit`: the values are the module's."""
        if force_reinit:
            tensor = self.data().storage()
            super().initialize(init, self.list_ctx(), default_init, force_reinit=True)
            tensor.copy_(self.data().storage())
            self.take(tensor)


class ModuleBlock(HybridBlock):
    """What `as_block` gives; `module` is the module."""

    def __init__(self, module: nn.Module, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix, params=None)
        self.module = module
        self._names = list(own_tensors(module))
        self._key = enter(module)
        self._leaves: dict[str, Any] = {}
        trained = dict(module.named_parameters())
        for name, tensor in own_tensors(self.module).items():
            parameter = _TorchParameter(
                self.prefix + name.replace(".", "_"),
                grad_req="write" if name in trained and tensor.requires_grad else "null",
                differentiable=name in trained and tensor.is_floating_point(),
            )
            parameter.take(tensor)
            self.params._params[parameter.name] = parameter
            self._reg_params[name] = parameter

    def _alias(self) -> str:
        return "moduleblock"

    def sync(self) -> None:
        """Hand on what the module (a cast, another device) or the block has replaced."""
        for name, tensor in own_tensors(self.module).items():
            parameter = self._reg_params[name]
            array = parameter.data()
            if array.storage().data_ptr() == tensor.data_ptr():
                continue
            agreed = self._leaves.get(f"={name}")
            if agreed is not None and agreed == tensor.data_ptr():
                tensor.data = array.storage()  # the block's is new
            else:
                assert isinstance(parameter, _TorchParameter)
                parameter.take(tensor)
        for name, tensor in own_tensors(self.module).items():
            self._leaves[f"={name}"] = tensor.data_ptr()

    def _watch(self) -> None:
        """Gradients that Gluon's backward delivers go on to the module's parameters."""
        for name, tensor in self.module.named_parameters():
            array = self._reg_params[name].data()
            leaf = array._hist
            if leaf is None or leaf is self._leaves.get(name):
                continue
            self._leaves[name] = leaf
            leaf.register_post_accumulate_grad_hook(_Forward(array, tensor))

    def forward(self, x: Any, *args: Any) -> Any:
        """The module's outputs for arrays; a node of the graph for symbols."""
        if not isinstance(x, Symbol):
            self.sync()
            if modes.recording:
                self._watch()
        return super().forward(x, *args)

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **params: Any) -> Any:
        """The module's outputs."""
        inputs = [x, *args]
        own = [params[name] for name in self._names]
        if isinstance(x, Symbol):
            return F._internal._torch_module(*own, *inputs, module=self._key)
        tensors = [value.live() for value in (*own, *inputs)]
        result = run(self.module, tensors, modes.training)
        ctx = x.context
        return _wrap(result, ctx)

    def export(self, path: str, epoch: int = 0, remove_amp_cast: bool = True) -> None:
        """Refused: MXNet has no operator for a torch module."""
        raise MXNetError(
            "a block around a torch module cannot be exported for MXNet; save its parameters with "
            "save_parameters, or the module with torch.export"
        )

    def __repr__(self) -> str:
        text = repr(self.module).replace("\n", "\n  ")
        return f"{type(self).__name__}(\n  {text}\n)"


class _Forward:
    """After Gluon's own hook: the torch parameter's `grad` is the block's buffer."""

    def __init__(self, array: NDArray, tensor: Tensor) -> None:
        self.array, self.tensor = array, tensor

    def __call__(self, leaf: Tensor) -> None:
        if self.array._grad is not None:
            self.array._grad_shared = True
            self.tensor.grad = self.array._grad.storage()


def _wrap(value: Any, ctx: Any) -> Any:
    if isinstance(value, Tensor):
        return wrap_new(NDArray, value, ctx)
    if isinstance(value, dict):
        return {k: _wrap(v, ctx) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_wrap(v, ctx) for v in value]
    return value
