"""Automatic mixed precision: matrix products in 16 bits, what needs precision in float32."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mxtorch import optimizer as opt
from mxtorch._core.device import Context, gpu
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetError,
    MXNetTypeError,
)
from mxtorch.contrib.amp import _policy, _wrap
from mxtorch.contrib.amp._convert import Converter, dtypes_of
from mxtorch.contrib.amp._policy import (
    Conditions,
    bfloat16,
    list_conditional_fp32_ops,
    list_fp32_ops,
    list_loss_output_functions,
    list_lp16_fp32_ops,
    list_lp16_ops,
    list_lp16_use_fp32_params,
    list_widest_type_cast,
)
from mxtorch.contrib.amp.loss_scaler import LossScaler
from mxtorch.gluon import HybridBlock, SymbolBlock, Trainer
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol

__all__ = [
    "bfloat16",
    "convert_hybrid_block",
    "convert_model",
    "convert_symbol",
    "init",
    "init_trainer",
    "list_conditional_fp32_ops",
    "list_fp32_ops",
    "list_loss_output_functions",
    "list_lp16_fp32_ops",
    "list_lp16_ops",
    "list_lp16_use_fp32_params",
    "list_widest_type_cast",
    "scale_loss",
    "unscale",
]

_amp_initialized = False
_amp_loss_scale_initialized = False
_loss_scaler: LossScaler | None = None


def init(
    target_dtype: Any = "float16",
    target_precision_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Conditions | None = None,
    fp32_ops: Sequence[str] | None = None,
) -> None:
    """Switch AMP on for the whole process, for operators that are called from now on.

    Lists that are given take the place of MXNet's own. A second call changes nothing. Blocks that
    were hybridized and run before keep the graph they have. On CPU contexts MXNet cannot multiply
    float16 matrices; here they are multiplied, as on a GPU.
    """
    global _amp_initialized, _loss_scaler
    if _amp_initialized:
        return
    text = _policy.dtype_text(target_dtype)
    policy = _policy.make_policy(text, target_precision_ops, fp32_ops, conditional_fp32_ops)
    _amp_initialized = True
    logging.info("Using AMP")
    _wrap.install(policy, list_loss_output_functions("float16"))
    _loss_scaler = LossScaler()


def init_trainer(optimizer_or_trainer: Any) -> None:
    """Give a Gluon Trainer a loss scaler: steps whose gradients overflow are left out."""
    global _amp_loss_scale_initialized
    if not _amp_initialized:
        raise MXNetAssertionError("AMP not initialized, did you forget to call amp.init()?")
    scaler = _loss_scaler if not _amp_loss_scale_initialized else LossScaler()
    _amp_loss_scale_initialized = True
    if isinstance(optimizer_or_trainer, Trainer):
        trainer: Any = optimizer_or_trainer
        trainer._amp_loss_scaler = scaler
        trainer._amp_original_scale = trainer._scale
    elif isinstance(optimizer_or_trainer, opt.Optimizer):
        raise MXNetTypeError("AMP is currently only compatible with Gluon Trainer")
    else:
        raise _no_trainer(optimizer_or_trainer)


def _no_trainer(value: Any) -> MXNetTypeError:
    return MXNetTypeError(
        f"optimizer_or_trainer should be a Gluon Trainer or an optimizer, instead is {type(value)}"
    )


@contextmanager
def scale_loss(loss: Any, optimizer_or_trainer: Any) -> Iterator[Any]:
    """A scope that gives the loss (or list of losses) times the trainer's factor.

    The trainer's next step divides the gradients by it. AttributeError for what has not gone
    through `init_trainer`.
    """
    scaler: LossScaler = optimizer_or_trainer._amp_loss_scaler
    factor = scaler.loss_scale
    optimizer_or_trainer._scale = optimizer_or_trainer._amp_original_scale / factor
    yield [one * factor for one in loss] if isinstance(loss, (list, tuple)) else loss * factor


def unscale(optimizer_or_trainer: Any) -> None:
    """Divide the gradients by the factor now, to clip them for instance."""
    if isinstance(optimizer_or_trainer, Trainer):
        trainer = optimizer_or_trainer
        for parameter in trainer._params:
            if parameter.grad_req != "null":
                for gradient in parameter.list_grad():
                    gradient[:] *= trainer._scale
        trainer._scale = 1.0
    elif isinstance(optimizer_or_trainer, opt.Optimizer):
        raise MXNetTypeError("AMP is currently only compatible with Gluon Trainer")
    else:
        raise _no_trainer(optimizer_or_trainer)


# graphs ------------------------------------------------------------------------------------------


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise MXNetAssertionError(message)


def _make_converter(
    target_dtype: Any,
    target_dtype_ops: Sequence[str] | None,
    fp32_ops: Sequence[str] | None,
    conditional_fp32_ops: Conditions | None,
    excluded_sym_names: Sequence[str] | None,
    data_names: Sequence[str],
    store_low: bool,
) -> Converter:
    _require(
        isinstance(target_dtype, str) and target_dtype in ("float16", "bfloat16"),
        "Only target_dtype float16 and bfloat16 are supported currently",
    )
    given = {
        "target_dtype_ops": target_dtype_ops,
        "fp32_ops": fp32_ops,
        "excluded_sym_names": excluded_sym_names,
    }
    for argument, value in given.items():
        is_list = value is None or isinstance(value, list)
        _require(is_list, f"{argument} should be a list of strs")
    _check_lists(target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops)
    policy = _policy.make_policy(target_dtype, target_dtype_ops, fp32_ops, conditional_fp32_ops)
    return Converter(policy, set(excluded_sym_names or ()), set(data_names), store_low)


def _check_lists(
    target: str,
    low: Sequence[str] | None,
    wide: Sequence[str] | None,
    conditional: Conditions | None,
) -> None:
    """Operators that are given must be ones that AMP knows, each in one list only."""
    key: Any = bfloat16 if target == "bfloat16" else target
    known = {*list_lp16_ops(key), *list_fp32_ops(key), *list_lp16_fp32_ops(key)}
    known |= {*list_widest_type_cast(key), *(row[0] for row in list_conditional_fp32_ops(key))}
    rules = list_conditional_fp32_ops(key) if conditional is None else conditional
    lists = {
        "target_dtype_ops": set(list_lp16_ops(key) if low is None else low),
        "fp32_ops": set(list_fp32_ops(key) if wide is None else wide),
        "conditional_fp32_ops": {row[0] for row in rules},
    }
    names = list(lists)
    for i, one in enumerate(names):
        unknown = sorted(lists[one] - known)
        _require(
            not unknown,
            f"{one}: {', '.join(unknown)} is none of the operators that AMP knows: see "
            "amp.list_lp16_ops(target_dtype), amp.list_fp32_ops(target_dtype) and "
            "amp.list_lp16_fp32_ops(target_dtype)",
        )
        for other in names[i + 1 :]:
            common = lists[one] & lists[other]
            _require(
                not common,
                f"Ops cannot be in two or more lists. Common ops in {one} and {other} {common}",
            )


def convert_symbol(
    sym: Symbol,
    target_dtype: str = "float16",
    target_dtype_ops: Sequence[str] | None = None,
    fp32_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Conditions | None = None,
    excluded_sym_names: Sequence[str] | None = None,
    data_names: Sequence[str] | None = None,
    cast_optional_params: bool = False,
) -> Symbol:
    """A copy of a symbol with AMP's casts in it; its outputs are float32.

    Operators by the name of a node in `excluded_sym_names` stay in float32. Variables other than
    `data_names` (by default all) are marked with the type to store them in: with
    `cast_optional_params` the 16-bit one, where only operators in that type use them.
    """
    _require(isinstance(sym, Symbol), "First argument to convert_symbol should be Symbol")
    converter = _make_converter(
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        sym.list_inputs() if data_names is None else data_names,
        cast_optional_params,
    )
    return Symbol(converter.cast_back(converter.run(sym._outputs)))


def _cast_arrays(arrays: Mapping[str, NDArray], marks: Mapping[str, Any]) -> dict[str, NDArray]:
    return {
        name: array.astype(marks[name]) if name in marks else array.copy()
        for name, array in arrays.items()
    }


def convert_model(
    sym: Symbol,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    target_dtype: str = "float16",
    target_dtype_ops: Sequence[str] | None = None,
    fp32_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Conditions | None = None,
    excluded_sym_names: Sequence[str] | None = None,
    cast_optional_params: bool = False,
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """`convert_symbol` for a symbol with its parameters, which are cast as it is marked."""
    _require(isinstance(sym, Symbol), "First argument to convert_model should be Symbol")
    _require(
        isinstance(arg_params, dict),
        "Second argument to convert_model should be a dict of name to ndarray",
    )
    _require(
        isinstance(aux_params, dict),
        "Third argument to convert_model should be a dict of name to ndarray",
    )
    data_names = [n for n in sym.list_inputs() if n not in arg_params and n not in aux_params]
    converted = convert_symbol(
        sym,
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        data_names,
        cast_optional_params,
    )
    marks = dtypes_of(converted._outputs)
    return converted, _cast_arrays(arg_params, marks), _cast_arrays(aux_params, marks)


def convert_hybrid_block(
    block: HybridBlock,
    target_dtype: str = "float16",
    target_dtype_ops: Sequence[str] | None = None,
    fp32_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Conditions | None = None,
    excluded_sym_names: Sequence[str] | None = None,
    ctx: Context = gpu(0),  # noqa: B008 - MXNet's signature; it is not changed
    cast_optional_params: bool = False,
) -> SymbolBlock:
    """A SymbolBlock on `ctx` with AMP's casts in it; its outputs are float32.

    The block must have been hybridized and run once: RuntimeError else.
    """
    _require(isinstance(block, HybridBlock), "block input should be a HybridBlock")
    if not block._cached_graph:
        raise MXNetError(
            "Please first call block.hybridize() and then run forward with this block at least "
            "once before calling export."
        )
    inputs, outputs = block._cached_graph
    data_names = [str(i.name) for i in inputs]
    converter = _make_converter(
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        data_names,
        cast_optional_params,
    )
    result = Symbol(converter.cast_back(converter.run(outputs._outputs)))
    converted = SymbolBlock(result, [_variable(result, name) for name in data_names])
    marks = dtypes_of(result._outputs)
    own = dict(converted.collect_params().items())
    for name, parameter in block.collect_params().items():
        if name in own:
            own[name].cast(marks[name])
            own[name]._load_init(parameter._reduce().astype(marks[name]), ctx)
    return converted


def _variable(graph: Symbol, name: str) -> Symbol:
    found: Any = graph.get_internals()[name]
    if not isinstance(found, Symbol):
        raise MXNetError(f"the graph has no input {name!r}")
    return found
