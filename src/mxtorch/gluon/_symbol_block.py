"""SymbolBlock: a Symbol as a block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from mxtorch import symbol
from mxtorch._core.device import Context
from mxtorch._core.dtypes import dtype_to_numpy, dtype_to_torch, flag_to_torch
from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch.gluon._hybrid import HybridBlock, find_contexts
from mxtorch.gluon._trace import flatten, regroup
from mxtorch.gluon.parameter import ParameterDict
from mxtorch.symbol import Symbol


class SymbolBlock(HybridBlock):
    """A block that runs a Symbol; what is no input becomes a parameter."""

    def __init__(
        self,
        outputs: Symbol | Sequence[Symbol],
        inputs: Symbol | Sequence[Symbol],
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=None, params=None)
        self._prefix = ""
        self._params = ParameterDict("", params)
        if isinstance(inputs, Symbol) and len(inputs) == 1:
            inputs = [inputs]
        if isinstance(outputs, (list, tuple)) and len(outputs) == 1:
            outputs = outputs[0]
        flat_inputs, self._in_format = flatten(inputs, "input")
        flat_outputs, self._out_format = flatten(outputs, "output")
        group = symbol.Group(flat_outputs)
        names = set()
        for variable in flat_inputs:
            if len(variable.get_internals()) != 1:
                raise MXNetAssertionError(
                    f"Input symbols must be variable, but {variable} is an output of operators"
                )
            names.add(variable.name)
        self._make_parameters(group, names)
        self._cached_graph = flat_inputs, group

    def _make_parameters(self, group: Symbol, inputs: set[str]) -> None:
        attributes = group.attr_dict()
        for name in group.list_arguments():
            if name not in inputs:
                dtype = _declared_dtype(attributes, name)
                self.params.get(name, allow_deferred_init=True, dtype=dtype)
        for name in group.list_auxiliary_states():
            if name not in inputs:
                dtype = _declared_dtype(attributes, name)
                self.params.get(name, grad_req="null", allow_deferred_init=True, dtype=dtype)
        start = len(_common_prefix(list(self._params.keys())))
        self._reg_params = {name[start:]: p for name, p in self._params.items()}

    def __repr__(self) -> str:
        inputs, outputs = self._cached_graph
        return f"{type(self).__name__}(\n{outputs} : {len(inputs)} -> {len(outputs)}\n)"

    @staticmethod
    def imports(
        symbol_file: str,
        input_names: str | Sequence[str],
        param_file: str | None = None,
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> SymbolBlock:
        """The block of a symbol file, with parameters from a file of `export`."""
        names = [input_names] if isinstance(input_names, str) else input_names
        block = SymbolBlock(symbol.load(symbol_file), [symbol.var(name) for name in names])
        if param_file is not None:
            block.collect_params().load(
                param_file, ctx, allow_missing, ignore_extra, cast_dtype=True, dtype_source="saved"
            )
        return block

    def _clear_cached_op(self) -> None:
        # the graph was given, only its lowering can go
        self._cached_op = None

    def forward(self, x: Any, *args: Any) -> Any:
        """Run the symbol on arrays, or put symbols in the place of its inputs."""
        contexts = find_contexts((x, *args))
        if contexts is not None:
            return self._call_cached_op(contexts[0], x, *args)
        flat, format_ = flatten((x, *args), "input")
        if format_ != self._in_format:
            raise MXNetValueError(f"Invalid input format: {format_}, expected {self._in_format}")
        inputs, outputs = self._cached_graph
        result = outputs(**{i.name: value for i, value in zip(inputs, flat, strict=True)})
        return regroup(list(result), self._out_format)

    def cast(self, dtype: Any) -> None:
        """Change the element type of all parameters; those of BatchNorm stay float32 in float16."""
        super().cast(dtype)
        if dtype_to_torch(dtype) is not torch.float16:
            return
        for name in list(self.params.keys()):
            for ending in ("running_", "moving_"):
                siblings = [
                    name.removesuffix(f"{ending}var") + part
                    for part in (f"{ending}var", f"{ending}mean", "gamma", "beta")
                ]
                if name.endswith(f"{ending}var") and all(s in self.params for s in siblings):
                    for sibling in siblings:
                        self.params[sibling].cast("float32")

    def reset_ctx(self, ctx: Context | Sequence[Context]) -> None:
        """Move all parameters to other contexts."""
        for parameter in self.params.values():
            parameter.reset_ctx(ctx)
        self._clear_cached_op()

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Not used: the symbol is run."""
        raise NotImplementedError


def _declared_dtype(attributes: dict[str, dict[str, str]], name: str) -> Any:
    flag = attributes.get(name, {}).get("__dtype__")
    dtype = None if flag is None else flag_to_torch(int(flag))
    return np.float32 if dtype is None else dtype_to_numpy(dtype)


def _common_prefix(names: Sequence[str]) -> str:
    """The longest text that all names begin with."""
    if not names:
        return ""
    first, last = min(names), max(names)
    count = 0
    while count < min(len(first), len(last)) and first[count] == last[count]:
        count += 1
    return first[:count]
