"""Which type AMP runs each operator in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mxtorch._core.dtypes import BFLOAT16_NUMPY
from mxtorch._core.errors import MXNetAssertionError
from mxtorch._core.op import Op, lookup
from mxtorch.contrib.amp.lists import symbol_bf16, symbol_fp16

bfloat16 = BFLOAT16_NUMPY
Conditions = Sequence[tuple[str, str, Sequence[str]]]


def dtype_text(target_dtype: Any) -> str:
    """'float16' or 'bfloat16'; AssertionError for any other type."""
    if isinstance(target_dtype, str) and target_dtype in ("float16", "bfloat16"):
        return target_dtype
    if target_dtype is np.float16 or target_dtype == np.dtype(np.float16):
        return "float16"
    if target_dtype == bfloat16:
        return "bfloat16"
    raise MXNetAssertionError(
        f"AMP currently supports only float16 or bfloat16 as a target_dtype, not {target_dtype!r}"
    )


def list_lp16_ops(target_dtype: Any) -> list[str]:
    """The operators that run in the target type."""
    lists = {"float16": symbol_fp16.FP16_FUNCS, "bfloat16": symbol_bf16.BF16_FUNCS}
    return lists[_listed(target_dtype)]


def list_fp32_ops(target_dtype: Any) -> list[str]:
    """The operators that run in float32."""
    lists = {"float16": symbol_fp16.FP32_FUNCS, "bfloat16": symbol_bf16.FP32_FUNCS}
    return lists[_listed(target_dtype)]


def list_lp16_fp32_ops(target_dtype: Any) -> list[str]:
    """The operators that run in the type of their inputs."""
    lists = {"float16": symbol_fp16.FP16_FP32_FUNCS, "bfloat16": symbol_bf16.BF16_FP32_FUNCS}
    return lists[_listed(target_dtype)]


def list_conditional_fp32_ops(target_dtype: Any) -> list[tuple[str, str, list[str]]]:
    """(operator, attribute, values): it runs in float32 where the attribute has such a value."""
    lists = {
        "float16": symbol_fp16.CONDITIONAL_FP32_FUNCS,
        "bfloat16": symbol_bf16.CONDITIONAL_FP32_FUNCS,
    }
    return lists[_listed(target_dtype)]


def list_widest_type_cast(target_dtype: Any) -> list[str]:
    """The operators that run in the widest type of their inputs."""
    lists = {
        "float16": symbol_fp16.WIDEST_TYPE_CASTS,
        "bfloat16": symbol_bf16.WIDEST_TYPE_CASTS,
    }
    return lists[_listed(target_dtype)]


def list_loss_output_functions(target_dtype: Any) -> list[str]:
    """The operators that make a gradient of their own, which loss scaling does not reach."""
    lists = {
        "float16": symbol_fp16.LOSS_OUTPUT_FUNCTIONS,
        "bfloat16": symbol_bf16.LOSS_OUTPUT_FUNCTIONS,
    }
    return lists[_listed(target_dtype)]


def list_lp16_use_fp32_params(target_dtype: Any) -> dict[str, list[str]] | None:
    """The operators that take float32 parameters with other inputs in the target type."""
    if _listed(target_dtype) == "float16":
        return None
    return symbol_bf16.BF16_USE_FP32_PARAMS


def _listed(target_dtype: Any) -> str:
    """MXNet's lists know bfloat16 by its record type only."""
    if target_dtype == "bfloat16" and isinstance(target_dtype, str):
        raise MXNetAssertionError("not supported type")
    try:
        return dtype_text(target_dtype)
    except MXNetAssertionError:
        raise MXNetAssertionError("not supported type") from None


@dataclass
class Policy:
    """The operators by what AMP does with their inputs; the target type's name."""

    target: str
    low: set[Op]
    wide: set[Op]
    widest: set[Op]
    conditional: dict[Op, dict[str, set[str]]] = field(default_factory=dict)

    def kind(self, op: Op, attrs: Mapping[str, Any]) -> str | None:
        """'low', 'wide' or 'widest'; None for an operator that takes what comes."""
        if op in self.low:
            return "low"
        conditions = self.conditional.get(op, {})
        if op in self.wide or any(
            str(attrs.get(name)) in values for name, values in conditions.items()
        ):
            return "wide"
        return "widest" if op in self.widest else None

    def touches(self, op: Op) -> bool:
        """Whether there is anything to do for some call of the operator."""
        return op in self.low or op in self.wide or op in self.widest or op in self.conditional


def _ops(names: Iterable[str]) -> set[Op]:
    """The operators of these names; MXNet's lists name some that mxtorch lacks."""
    return {op for op in map(lookup, names) if op is not None}


def make_policy(
    target_dtype: Any,
    low: Sequence[str] | None = None,
    wide: Sequence[str] | None = None,
    conditional: Conditions | None = None,
) -> Policy:
    """MXNet's lists for the target type, or those that are given instead of them."""
    target = dtype_text(target_dtype)
    key: Any = bfloat16 if target == "bfloat16" else "float16"
    low_ops = _ops(list_lp16_ops(key) if low is None else low)
    wide_ops = _ops(list_fp32_ops(key) if wide is None else wide) - low_ops
    found = Policy(target, low_ops, wide_ops, _ops(list_widest_type_cast(key)) - low_ops - wide_ops)
    rules = list_conditional_fp32_ops(key) if conditional is None else conditional
    for name, attribute, values in rules:
        for op in _ops([name]) - low_ops:
            found.conditional.setdefault(op, {}).setdefault(attribute, set()).update(values)
    return found
