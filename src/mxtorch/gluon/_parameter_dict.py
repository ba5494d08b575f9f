"""Parameters by name."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mxtorch import initializer
from mxtorch import ndarray as nd
from mxtorch._core.device import Context
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import MXNetAssertionError, MXNetKeyError, MXNetValueError
from mxtorch.gluon._parameter import Constant, Parameter, require
from mxtorch.gluon._text import brief_list, indent
from mxtorch.ndarray import NDArray

_NAMING_HELP = (
    "For more info on naming, please see "
    "https://mxnet.io/api/python/docs/tutorials/packages/gluon/blocks/naming.html"
)


class ParameterDict:
    """Parameters by name, in the order in which they were made; names begin with `prefix`."""

    def __init__(self, prefix: str = "", shared: ParameterDict | None = None) -> None:
        self._prefix = prefix
        self._params: OrderedDict[str, Parameter] = OrderedDict()
        self._shared = shared

    def __repr__(self) -> str:
        name = f"{self._prefix} " if self._prefix else ""
        content = "\n".join(indent(f"  {value}", 2) for value in self.values())
        return f"{name}(\n{content}\n)"

    def __getitem__(self, key: str) -> Parameter:
        return self._params[key]

    def __iter__(self) -> Any:
        return iter(self._params)

    def items(self) -> Any:
        """Names and parameters."""
        return self._params.items()

    def keys(self) -> Any:
        """The names."""
        return self._params.keys()

    def values(self) -> Any:
        """The parameters."""
        return self._params.values()

    @property
    def prefix(self) -> str:
        """What `get` puts before a name."""
        return self._prefix

    def _get_impl(self, name: str) -> Parameter | None:
        if name in self._params:
            return self._params[name]
        if self._shared is not None and name in self._shared._params:
            self._params[name] = self._shared._params[name]
            return self._params[name]
        return None

    def get(self, name: str, **kwargs: Any) -> Parameter:
        """The parameter `prefix + name`, made with `kwargs` if it does not exist.

        An existing one must agree with `kwargs`; axes that only one side knows are filled in.
        """
        name = self.prefix + name
        found = self._get_impl(name)
        if found is None:
            found = self._params[name] = Parameter(name, **kwargs)
            return found
        for key, value in kwargs.items():
            existing = getattr(found, key, None)
            if existing is None:
                setattr(found, key, value)
            elif not _agree(found, key, value, existing):
                raise MXNetAssertionError(
                    f"Cannot retrieve Parameter '{name}' because desired attribute does not match "
                    f"with stored for attribute '{key}': desired '{value}' vs stored '{existing}'."
                )
        return found

    def get_constant(self, name: str, value: Any = None) -> Parameter:
        """The constant `prefix + name`, made with `value` if it does not exist."""
        name = self.prefix + name
        found = self._get_impl(name)
        if found is None:
            if value is None:
                raise MXNetKeyError(
                    f"No constant named '{name}'. Please specify value if you want to create a "
                    "new constant."
                )
            found = self._params[name] = Constant(name, value)
        elif value is not None:
            if not isinstance(found, Constant):
                raise MXNetAssertionError(
                    f"Parameter '{name}' already exists but it is not a constant."
                )
            given = value.asnumpy() if isinstance(value, NDArray) else np.asarray(value)
            require(
                np.array_equal(given, found.value.asnumpy()),
                f"Constant '{name}' already exists but it's value doesn't match new value",
            )
        return found

    def update(self, other: ParameterDict) -> None:
        """Take over the parameters of another dict; equal names must be the same parameter."""
        for name, parameter in other.items():
            require(
                self._params.get(name, parameter) is parameter,
                "Cannot update self with other because they have different Parameters with the "
                f"same name '{name}'",
            )
        self._params.update(other.items())

    def initialize(
        self,
        init: Any = initializer.Uniform(),  # noqa: B008 - MXNet's signature; it is not changed
        ctx: Context | Sequence[Context] | None = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initialize all parameters; `init` is for those without an initializer of their own."""
        if verbose:
            init.set_verbosity(verbose=verbose)
        for parameter in self.values():
            parameter.initialize(None, ctx, init, force_reinit=force_reinit)

    def zero_grad(self) -> None:
        """Set all gradients to zeros."""
        for parameter in self.values():
            parameter.zero_grad()

    def reset_ctx(self, ctx: Context | Sequence[Context] | None) -> None:
        """Move all parameters to other contexts."""
        for parameter in self.values():
            parameter.reset_ctx(ctx)

    def list_ctx(self) -> list[Context]:
        """All contexts on which any parameter is, each once."""
        return list(dict.fromkeys(c for p in self.values() for c in p.list_ctx()))

    def setattr(self, name: str, value: Any) -> None:
        """Set an attribute of all parameters: `setattr('grad_req', 'null')`."""
        for parameter in self.values():
            setattr(parameter, name, value)

    def save(self, filename: str, strip_prefix: str = "") -> None:
        """Write all values to a file, by name without `strip_prefix`."""
        arrays = {}
        for parameter in self.values():
            name = parameter.name
            if not name.startswith(strip_prefix):
                raise MXNetValueError(
                    f"Prefix '{strip_prefix}' is to be striped before saving, but Parameter's "
                    f"name '{name}' does not start with '{strip_prefix}'. this may be due to your "
                    "Block shares parameters from other Blocks or you forgot to use 'with "
                    f"name_scope()' when creating child blocks. {_NAMING_HELP}"
                )
            arrays[name[len(strip_prefix) :]] = parameter._reduce()
        nd.save(filename, arrays)

    def load(
        self,
        filename: str,
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Read values from a file in which `restore_prefix` is missing before the names."""
        for name in self.keys() if restore_prefix else ():
            require(
                name.startswith(restore_prefix),
                f"restore_prefix is '{restore_prefix}' but Parameters name '{name}' does not start "
                f"with '{restore_prefix}'. {_NAMING_HELP}",
            )
        self.load_dict(
            nd.load(filename),
            ctx,
            allow_missing,
            ignore_extra,
            restore_prefix,
            filename,
            cast_dtype,
            dtype_source,
        )

    def load_dict(
        self,
        param_dict: Mapping[str, NDArray],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        filename: str | None = None,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Take values from a dict; 'arg:' and 'aux:' before the names are dropped."""
        source = f"file: {filename}" if filename else "param_dict"
        if not isinstance(param_dict, Mapping):
            raise MXNetValueError(f"{source} holds arrays without names")
        arrays = {restore_prefix + re.sub("^(arg|aux):", "", k): v for k, v in param_dict.items()}
        for name in () if allow_missing else self.keys():
            require(
                name in arrays,
                f"Parameter '{name[len(restore_prefix) :]}' is missing in {source}, which "
                f"contains parameters: {brief_list(arrays)}. Please make sure source and "
                f"target networks have the same prefix.{_NAMING_HELP}",
            )
        for name, array in arrays.items():
            if name in self._params:
                self._params[name]._load_init(array, ctx, cast_dtype, dtype_source)
                continue
            require(
                ignore_extra,
                f"Parameter '{name[len(restore_prefix) :]}' loaded from {source} is not present in "
                f"ParameterDict, choices are: {brief_list(self._params)}. Set ignore_extra to True "
                "to ignore. Please make sure source and target networks have the same prefix."
                f"{_NAMING_HELP}",
            )


def _agree(parameter: Parameter, key: str, value: Any, existing: Any) -> bool:
    """Whether an existing attribute fits a wanted one; fills the axes of its shape."""
    if value is None:
        return True
    if key == "shape":
        wanted = (value,) if isinstance(value, int) else tuple(value)
        if len(wanted) != len(existing):
            return False
        if any(a != b and a and b for a, b in zip(wanted, existing, strict=True)):
            return False
        parameter._shape = tuple(a or b for a, b in zip(wanted, existing, strict=True))
        return True
    if key == "dtype":
        return dtype_to_torch(value) is dtype_to_torch(existing)
    return bool(value == existing)
