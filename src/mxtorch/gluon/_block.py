"""Block: parameters, children, names, hooks, files."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from mxtorch import initializer
from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetAssertionError, MXNetTypeError
from mxtorch._core.warn import warn
from mxtorch.gluon import _files, _models, _summary
from mxtorch.gluon._scope import BlockScope
from mxtorch.gluon._text import indent
from mxtorch.gluon.parameter import Parameter, ParameterDict
from mxtorch.gluon.utils import HookHandle


class Block:
    """A layer or model: parameters, child blocks and a `forward` of one's own.

    Blocks and parameters that are set as attributes are registered. `prefix` begins the names of
    the parameters; `params` shares those of another block.
    """

    _in_summary = True

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        self._empty_prefix = prefix == ""
        self._prefix, self._params = BlockScope.create(prefix, params, self._alias())
        self._name = self._prefix.removesuffix("_")
        self._scope = BlockScope(self)
        self._children: OrderedDict[str, Block] = OrderedDict()
        self._reg_params: dict[str, Parameter] = {}
        self._forward_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()
        self._forward_pre_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()

    def _alias(self) -> str:
        return type(self).__name__.lower()

    def __repr__(self) -> str:
        blocks = {k: v for k, v in self.__dict__.items() if isinstance(v, Block)}
        return list_blocks(self, blocks)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; a Block is registered as child, a Parameter as parameter."""
        existing = getattr(self, name, None)
        if isinstance(existing, (Parameter, Block)) and not isinstance(value, type(existing)):
            raise MXNetTypeError(
                f"Changing attribute type for {name} from {type(existing)} to {type(value)}"
                "is not allowed."
            )
        if isinstance(value, Block):
            self.register_child(value, name)
        elif isinstance(value, Parameter):
            if name in self._reg_params:
                raise MXNetAssertionError(
                    f"Overriding Parameter attribute {name} is not allowed. If you want to share "
                    "parameters between blocks, please set 'params' at Block construction instead."
                )
            self._reg_params[name] = value
        super().__setattr__(name, value)

    # names and parameters --------------------------------------------------------------------

    @property
    def prefix(self) -> str:
        """What the names of the block's own parameters begin with."""
        return self._prefix

    @property
    def name(self) -> str:
        """The prefix without the underscore at its end."""
        return self._name

    def name_scope(self) -> BlockScope:
        """A scope in which new blocks get names that begin with this block's."""
        return self._scope

    @property
    def params(self) -> ParameterDict:
        """The block's own parameters, without those of its children."""
        return self._params

    def collect_params(self, select: str | None = None) -> ParameterDict:
        """All parameters of the block and its children; `select` is a regular expression that a
        name must begin with."""
        _warn_unregistered(self)
        result = ParameterDict(self._params.prefix)
        if select is None or select == "":
            result.update(self.params)
        else:
            pattern = re.compile(select)
            own = {n: p for n, p in self.params.items() if pattern.match(n)}
            result._params.update(own)
        for child in self._children.values():
            result.update(child.collect_params(select=select))
        return result

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """All parameters by the attributes that lead to them: '0.weight'."""
        if prefix:
            prefix += "."
        result = {prefix + key: value for key, value in self._reg_params.items()}
        for name, child in self._children.items():
            result.update(child._collect_params_with_prefix(prefix + name))
        return result

    def initialize(
        self,
        init: Any = initializer.Uniform(),  # noqa: B008 - MXNet's signature; it is not changed
        ctx: Context | Sequence[Context] | None = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initialize all parameters; `init` is for those without an initializer of their own."""
        self.collect_params().initialize(init, ctx, verbose, force_reinit)

    def cast(self, dtype: Any) -> None:
        """Change the element type of all parameters."""
        for child in self._children.values():
            child.cast(dtype)
        for parameter in self.params.values():
            parameter.cast(dtype)

    # files -------------------------------------------------------------------------------

    def save(self, prefix: str) -> None:
        """Write the parameters and the structure, with the graphs that were traced, to
        `prefix-model.params` and `prefix-model.json`."""
        _models.save(self, prefix)

    def load(self, prefix: str) -> None:
        """Read what `save` wrote into a block of the same structure; KeyError if it is another."""
        _models.load(self, prefix)

    def save_parameters(self, filename: str, deduplicate: bool = False) -> None:
        """Write all parameters to a file, by structure ('0.weight'); shared ones once if
        `deduplicate`."""
        _files.save_parameters(self, filename, deduplicate)

    def load_parameters(
        self,
        filename: str,
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Read parameters from a file of `save_parameters`, `ParameterDict.save` (without the
        block's prefix) or `export`."""
        _files.load_parameters(
            self, filename, ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        )

    def save_params(self, filename: str) -> None:
        """Deprecated: like `save_parameters`, but by name without the block's prefix."""
        warn(
            "save_params is deprecated. Please use save_parameters. Note that if you want load "
            "from SymbolBlock later, please use export instead. For details, see "
            "https://mxnet.apache.org/tutorials/gluon/save_load_params.html"
        )
        self.collect_params().save(filename, strip_prefix=self.prefix)

    def load_params(
        self,
        filename: str,
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> None:
        """Deprecated: `load_parameters`."""
        warn("load_params is deprecated. Please use load_parameters.")
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)

    # structure -----------------------------------------------------------------------------------

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Make a block a child: its parameters are collected, saved, cast and so on."""
        self._children[str(len(self._children)) if name is None else name] = block

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call `hook(block, inputs)` before every forward."""
        handle = HookHandle()
        handle.attach(self._forward_pre_hooks, hook)
        return handle

    def register_forward_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Call `hook(block, inputs, outputs)` after every forward."""
        handle = HookHandle()
        handle.attach(self._forward_hooks, hook)
        return handle

    def apply(self, fn: Callable[[Block], Any]) -> Block:
        """Call `fn` with every child and then with the block itself."""
        for child in self._children.values():
            child.apply(fn)
        fn(self)
        return self

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Switch the HybridBlocks among the children to traced running, or back."""
        for child in self._children.values():
            child.hybridize(active, **kwargs)

    # running -----------------------------------------------------------------------------

    def __call__(self, *args: Any) -> Any:
        for hook in self._forward_pre_hooks.values():
            hook(self, args)
        result = self.forward(*args)
        for hook in self._forward_hooks.values():
            hook(self, args, result)
        return result

    def forward(self, *args: Any) -> Any:
        """Compute the outputs; to be written by subclasses."""
        raise NotImplementedError

    def register_op_hook(
        self, callback: Callable[[bytes, bytes, Any], Any], monitor_all: bool = False
    ) -> None:
        """Call `callback(name, operator, array)` for each operator's outputs in hybridized blocks
        below, in forward and in backward; with `monitor_all` for its inputs too.

        The array is an NDArray, where MXNet hands over the address of one.
        """
        for child in self._children.values():
            child.register_op_hook(callback, monitor_all)

    def summary(self, *inputs: Any) -> None:
        """Print a table of the layers that a forward pass with `inputs` meets."""
        _summary.print_summary(self, inputs)


def list_blocks(block: Block, children: dict[str, Block]) -> str:
    """The text of a block with children."""
    lines = [f"  ({key}): {indent(repr(child), 2)}" for key, child in children.items()]
    return f"{type(block).__name__}(\n" + "\n".join(lines) + "\n)"


def _warn_unregistered(block: Block) -> None:
    """A warning for each list, tuple or dict attribute that holds blocks that are no children."""
    children = set(map(id, block._children.values()))

    def holds_stranger(value: Any) -> bool:
        if isinstance(value, (list, tuple)):
            return any(holds_stranger(v) for v in value)
        if isinstance(value, dict):
            return any(holds_stranger(v) for v in value.values())
        return isinstance(value, Block) and id(value) not in children

    for key, value in block.__dict__.items():
        if isinstance(value, (list, tuple, dict)) and key != "_children" and holds_stranger(value):
            warn(
                f'"{type(block).__name__}.{key}" is an unregistered container with Blocks. '
                "Note that Blocks inside the list, tuple or dict will not be registered "
                "automatically. Make sure to register them using register_child() or switching "
                "to nn.Sequential/nn.HybridSequential instead. "
            )
