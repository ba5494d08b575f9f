"""The same computation in several ways: other contexts and dtypes, hybridized, other optimizers."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxtorch import autograd, ndarray
from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetValueError
from mxtorch._testing.compare import assert_almost_equal, compare_ndarray_tuple
from mxtorch._testing.context import default_context
from mxtorch._testing.sparse import rand_ndarray
from mxtorch.ndarray import NDArray

nd: Any = ndarray  # its operators come from the table, where a type checker sees none


def check_consistency(
    sym: Any,
    ctx_list: Sequence[dict[str, Any]],
    scale: float = 1.0,
    grad_req: Any = "write",
    arg_params: Any = None,
    aux_params: Any = None,
    rtol: Any = None,
    atol: Any = None,
    raise_on_err: bool = True,
    ground_truth: Any = None,
    equal_nan: bool = False,
    use_uniform: bool = False,
    rand_type: Any = np.float64,
) -> dict[str, NDArray]:
    """AssertionError unless a symbol gives the same outputs and gradients in several settings.

    Each of `ctx_list` has the arguments of `simple_bind`: `ctx`, shapes, `type_dict`. `sym` is a
    symbol or a list of one for each. Those of the finest dtype are what the others are compared
    with, unless `ground_truth` is given: arrays by output and argument. Arguments are random,
    normal with deviation `scale` (or uniform), unless in `arg_params`. The head gradients are the
    outputs. With `raise_on_err=False` differences are printed only.
    """
    assert len(ctx_list) > 1, "there is nothing to compare in fewer than two settings"
    syms = sym if isinstance(sym, list) else [sym] * len(ctx_list)
    outputs, arguments = syms[0].list_outputs(), syms[0].list_arguments()
    executors = []
    for one, setting in zip(syms, ctx_list, strict=True):
        assert one.list_arguments() == arguments, f"{one.list_arguments()} is not {arguments}"
        assert one.list_outputs() == outputs, f"{one.list_outputs()} is not {outputs}"
        executors.append(one.simple_bind(grad_req=grad_req, **setting))
    values = dict(arg_params or {})
    for name, argument in executors[0].arg_dict.items():
        if name not in values:
            values[name] = _random(argument.shape, scale, use_uniform, rand_type)
    states = dict(aux_params or {})
    for executor in executors:
        _fill(executor, values, states)
    check = _Settings(executors, rtol, atol, raise_on_err, equal_nan)
    for executor in executors:
        executor.forward(is_train=False)
    given = ground_truth is not None
    truth = dict(ground_truth if given else executors[check.finest].output_dict)
    check.compare("Predict", outputs, [executor.outputs for executor in executors], truth)
    if grad_req != "null":
        for executor in executors:
            executor.forward(is_train=True)
            executor.backward(executor.outputs)
        if not given:
            truth = dict(executors[check.finest].output_dict)
            truth |= executors[check.finest].grad_dict
        found = [
            [*executor.outputs, *(executor.grad_dict.get(name) for name in arguments)]
            for executor in executors
        ]
        check.compare("Train", outputs + arguments, found, truth)
    return {name: value for name, value in truth.items() if value is not None}


def _fill(executor: Any, values: dict[str, Any], states: dict[str, Any]) -> None:
    """Give an executor its arguments and states; gradients start at 0."""
    for name, argument in executor.arg_dict.items():
        argument[:] = values[name]
    for name, state in executor.aux_dict.items():
        state[:] = states.get(name, 0)
    for grad in executor.grad_dict.values():
        if grad is not None:
            grad[:] = 0


def _random(shape: tuple[int, ...], scale: float, uniform: bool, dtype: Any) -> np.ndarray:
    if uniform:
        return np.random.uniform(-0.92 * scale, 0.92 * scale, size=shape).astype(dtype)
    return np.random.normal(size=shape, scale=scale).astype(dtype)


class _Settings:
    """The executors that are compared, and how."""

    def __init__(
        self, executors: list[Any], rtol: Any, atol: Any, raise_on_err: bool, equal_nan: bool
    ) -> None:
        self.executors = executors
        self.dtypes = [np.dtype(executor.outputs[0].dtype) for executor in executors]
        self.finest = int(np.argmax([dtype.itemsize for dtype in self.dtypes]))
        self.rtol, self.atol = rtol, atol
        self.raise_on_err = raise_on_err
        self.equal_nan = equal_nan

    def compare(
        self, kind: str, names: list[str], found: list[list[Any]], truth: dict[str, Any]
    ) -> None:
        """Compare what each setting gave with `truth`."""
        for i, arrays in enumerate(found):
            if i == self.finest:
                continue
            for name, value in zip(names, arrays, strict=True):
                if value is None or truth[name] is None:
                    continue
                try:
                    assert_almost_equal(
                        value, truth[name], self.rtol, self.atol, equal_nan=self.equal_nan
                    )
                except AssertionError:
                    where = f"{self.dtypes[i]} ctx {i} vs {self.dtypes[self.finest]} ctx "
                    print(f"{kind} Err: {where}{self.finest} at {name}")
                    traceback.print_exc()
                    if self.raise_on_err:
                        raise


def check_speed(
    sym: Any,
    location: Any = None,
    ctx: Context | None = None,
    N: int = 20,
    grad_req: Any = None,
    typ: str = "whole",
    **kwargs: Any,
) -> float:
    """Seconds that a symbol takes forward and backward (`typ` 'whole') or forward, of `N` runs.

    Without `location`, arrays by argument, shapes are given by keyword and values are random.
    """
    if typ not in ("whole", "forward"):
        raise MXNetValueError(f'typ can only be "whole" or "forward", got {typ!r}.')
    ctx = ctx or default_context()
    request = "write" if grad_req is None else grad_req
    shapes = kwargs if location is None else {k: v.shape for k, v in location.items()}
    executor = sym.simple_bind(grad_req=request, ctx=ctx, **shapes)
    if location is None:
        location = {
            name: np.random.normal(size=value.shape, scale=1.0)
            for name, value in executor.arg_dict.items()
        }
    assert isinstance(location, dict), f"location is a dict, got {type(location).__name__}"
    for name, value in location.items():
        executor.arg_dict[name][:] = value

    def run() -> None:
        executor.forward(is_train=typ == "whole")
        if typ == "whole":
            executor.backward(out_grads=executor.outputs)
        nd.waitall()

    run()
    start = time.perf_counter()
    for _ in range(N):
        run()
    return (time.perf_counter() - start) / N


def check_gluon_hybridize_consistency(
    net_builder: Callable[..., Any],
    data_l: Sequence[Any],
    numpy_func: Callable[..., Any] | None = None,
    test_grad: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-4,
) -> None:
    """AssertionError unless a block gives the same outputs and gradients hybridized and not.

    `net_builder(prefix=…)` makes the block anew each time; the block must not draw random numbers.
    `data_l` are its inputs. What `numpy_func` gives for them, as NumPy arrays, must be its output.
    """
    values: dict[str, Any] = {}
    results: list[dict[str, Any]] = []
    for hybridize in (False, True):
        for train in (False, True) if test_grad else (False,):
            net = net_builder(prefix="net_")
            net.initialize()
            if hybridize:
                net.hybridize()
            results.append(_outcome(net, data_l, values, train))
    first = results[0]
    for other in results[1:]:
        assert_almost_equal(other["output"], first["output"], rtol=rtol, atol=atol)
    if test_grad:
        plain, hybrid = results[1], results[3]
        for name, grad in plain.items():
            assert_almost_equal(hybrid[name], grad, rtol=rtol, atol=atol)
    if numpy_func is not None:
        wanted = numpy_func(*[value.asnumpy() for value in data_l])
        assert_almost_equal(first["output"], wanted, rtol=rtol, atol=atol)


def _outcome(net: Any, data_l: Sequence[Any], values: dict[str, Any], train: bool) -> Any:
    """Output and gradients of a block with the parameters `values`, which the first one fills."""
    inputs = [value.copy() for value in data_l]
    for value in inputs:
        value.attach_grad()
    parameters = net.collect_params()
    for name, value in values.items():
        parameters[name].set_data(value)
    if not train:
        out = net(*inputs)
        for name, parameter in parameters.items():
            values.setdefault(name, parameter.data().copy())
        return {"output": out}
    with autograd.record():
        out = net(*inputs)
    out.backward(out)
    found = {"output": out}
    found |= {f"input {i}": value.grad for i, value in enumerate(inputs)}
    wanted = {n: p for n, p in parameters.items() if p.grad_req != "null"}
    return found | {name: parameter.grad() for name, parameter in wanted.items()}


def compare_optimizer(
    opt1: Any,
    opt2: Any,
    shape: Any,
    dtype: Any,
    w_stype: str = "default",
    g_stype: str = "default",
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
    ntensors: int = 1,
) -> None:
    """AssertionError unless two optimizers do the same update of random weights.

    If `shape` is a list of `ntensors` shapes the weights are updated together.
    """
    together = isinstance(shape, list)
    assert together or ntensors == 1, f"shape is a list of {ntensors} shapes, got {shape!r}"
    shapes = shape if together else [shape]
    assert len(shapes) == ntensors, f"{len(shapes)} shapes for {ntensors} weights"
    ctx = default_context()
    weights, grads = [], []
    for one in shapes:
        if w_stype == "default":
            weights.append(nd.random.uniform(shape=one, ctx=ctx, dtype=dtype))
        elif w_stype in ("row_sparse", "csr"):
            weights.append(rand_ndarray(one, w_stype, density=1, dtype=dtype))
        else:
            raise MXNetValueError(f"type {w_stype!r} not supported yet")
        if g_stype == "default":
            grads.append(nd.random.uniform(shape=one, ctx=ctx, dtype=dtype))
        elif g_stype in ("row_sparse", "csr"):
            grads.append(rand_ndarray(one, g_stype, dtype=dtype))
        else:
            raise MXNetValueError(f"type {g_stype!r} not supported yet")
    found = []
    for optimizer in (opt1, opt2):
        own, gradient = [w.copy() for w in weights], [g.copy() for g in grads]
        states = [optimizer.create_state_multi_precision(i, w) for i, w in enumerate(own)]
        if compare_states:
            found.append(states)
        if not together:
            optimizer.update_multi_precision(0, own[0], gradient[0], states[0])
        else:
            optimizer.update_multi_precision(list(range(ntensors)), own, gradient, states)
        found.append(own)
    half = len(found) // 2
    for one, other in zip(found[:half], found[half:], strict=True):
        compare_ndarray_tuple(tuple(one), tuple(other), rtol=rtol, atol=atol)
