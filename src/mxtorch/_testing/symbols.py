"""Outputs and gradients of symbols against expected ones, and against numeric gradients."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import numpy as np

from mxtorch import ndarray, symbol
from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetValueError
from mxtorch._testing.compare import assert_almost_equal
from mxtorch._testing.context import default_context
from mxtorch._testing.tolerance import default_numeric_eps
from mxtorch.ndarray import NDArray, array

nd: Any = ndarray  # their operators come from the table, where a type checker sees none
sym_: Any = symbol

_DTYPES = ("asnumpy", np.float16, np.float32, np.float64)
_PROJECTION = "__random_proj"


def simple_forward(
    sym: Any, ctx: Context | None = None, is_train: bool = False, **inputs: Any
) -> Any:
    """The outputs of a symbol for its inputs, as NumPy arrays; a list if there are several."""
    ctx = ctx or default_context()
    args = {name: array(value) for name, value in inputs.items()}
    executor = sym.bind(ctx, args=args)
    executor.forward(is_train=is_train)
    outputs = [output.asnumpy() for output in executor.outputs]
    return outputs[0] if len(outputs) == 1 else outputs


def _check_dtype(dtype: Any) -> None:
    assert any(dtype is known or dtype == known for known in _DTYPES), (
        f'dtype is "asnumpy" or np.float16, np.float32 or np.float64, got {dtype!r}'
    )


def _arrays(values: dict[str, Any], ctx: Context, dtype: Any) -> dict[str, Any]:
    found = {}
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            found[name] = array(value, ctx, value.dtype if dtype == "asnumpy" else dtype)
        else:
            found[name] = value
    return found


def _parse_location(
    sym: Any, location: Any, ctx: Context, dtype: Any = np.float32
) -> OrderedDict[str, Any]:
    """NDArrays by argument: of a dict, or of a list in the order of `list_arguments()`.

    `dtype="asnumpy"` keeps the dtype of NumPy arrays. ValueError where the names differ.
    """
    assert isinstance(location, (dict, list, tuple)), (
        f"location is a dict, list or tuple, got {type(location).__name__}"
    )
    _check_dtype(dtype)
    names = sym.list_arguments()
    if isinstance(location, dict):
        if set(location) != set(names):
            raise MXNetValueError(
                "Symbol arguments and keys of the given location do not match."
                f"symbol args:{set(names)}, location.keys():{set(location)}"
            )
        values = {name: location[name] for name in sorted(location)}
    else:
        values = dict(zip(names, location, strict=False))
    return OrderedDict(_arrays(values, ctx, dtype))


def _parse_aux_states(
    sym: Any, aux_states: Any, ctx: Context, dtype: Any = np.float32
) -> dict[str, Any] | None:
    """The same for auxiliary states; None stays None."""
    _check_dtype(dtype)
    if aux_states is None:
        return None
    names = sym.list_auxiliary_states()
    if isinstance(aux_states, dict):
        if set(aux_states) != set(names):
            raise MXNetValueError(
                "Symbol aux_states names and given aux_states do not match."
                f"symbol aux_names:{set(names)}, aux_states.keys():{set(aux_states)}"
            )
        values = dict(aux_states)
    elif isinstance(aux_states, (list, tuple)):
        values = dict(zip(names, aux_states, strict=False))
    else:
        values = {}
    return _arrays(values, ctx, dtype)


def check_symbolic_forward(
    sym: Any,
    location: Any,
    expected: Any,
    rtol: Any = None,
    atol: Any = None,
    aux_states: Any = None,
    ctx: Context | None = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> list[NDArray]:
    """AssertionError unless the outputs are the expected ones; the outputs.

    `location` and `aux_states` are lists or dicts of arrays, `expected` a list or a dict by the
    outputs' names.
    """
    ctx = ctx or default_context()
    args = _parse_location(sym, location, ctx, dtype)
    aux = _parse_aux_states(sym, aux_states, ctx, dtype)
    names = sym.list_outputs()
    wanted = [expected[name] for name in names] if isinstance(expected, dict) else expected
    executor = sym.bind(ctx, args=args, aux_states=aux)
    executor.forward(is_train=False)
    outputs: list[NDArray] = executor.outputs
    for name, want, got in zip(names, wanted, outputs, strict=False):
        labels = (f"EXPECTED_{name}", f"FORWARD_{name}")
        assert_almost_equal(want, got, rtol, atol, labels, equal_nan)
    return outputs


def _requests(names: Iterable[str], grad_req: Any) -> dict[str, str]:
    if isinstance(grad_req, str):
        return dict.fromkeys(names, grad_req)
    if isinstance(grad_req, (list, tuple)):
        return dict(zip(names, grad_req, strict=False))
    return dict(grad_req)


def check_symbolic_backward(
    sym: Any,
    location: Any,
    out_grads: Any,
    expected: Any,
    rtol: Any = None,
    atol: Any = None,
    aux_states: Any = None,
    grad_req: Any = "write",
    ctx: Context | None = None,
    grad_stypes: Any = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> dict[str, NDArray]:
    """AssertionError unless the gradients are the expected ones; the gradients by argument.

    `expected` is a list or a dict by argument. With the request 'add' the gradient is added to
    random numbers that stood there, with 'null' those must stay.
    """
    ctx = ctx or default_context()
    args = _parse_location(sym, location, ctx, dtype)
    aux = _parse_aux_states(sym, aux_states, ctx, dtype)
    names = sym.list_arguments()
    if isinstance(expected, (list, tuple)):
        expected = dict(zip(names, expected, strict=False))
    before = {name: np.random.normal(size=want.shape) for name, want in expected.items()}
    grads = {}
    for name, values in before.items():
        grads[name] = array(values, ctx, expected[name].dtype if dtype == "asnumpy" else dtype)
        if grad_stypes is not None and name in grad_stypes:
            grads[name] = grads[name].tostype(grad_stypes[name])
    requests = _requests(names, grad_req)
    executor = sym.bind(ctx, args=args, args_grad=grads, aux_states=aux, grad_req=requests)
    executor.forward(is_train=True)
    executor.backward(_head_gradients(executor, sym, out_grads, ctx, dtype))
    for name, want in expected.items():
        got = grads[name].asnumpy()
        _compare_gradient(requests[name], want, got, before[name], name, rtol, atol, equal_nan)
    return grads


def _head_gradients(executor: Any, sym: Any, out_grads: Any, ctx: Context, dtype: Any) -> Any:
    if out_grads is None:
        return None
    if isinstance(out_grads, dict):
        out_grads = [out_grads[name] for name in sym.list_outputs()]
    assert isinstance(out_grads, (list, tuple)), (
        f"out_grads is None, a list or a dict, got {type(out_grads).__name__}"
    )
    found = []
    for grad, output in zip(out_grads, executor.outputs, strict=False):
        kind = output.dtype if dtype == "asnumpy" else dtype
        found.append(array(grad, ctx, kind) if isinstance(grad, np.ndarray) else grad)
    return found


def _compare_gradient(
    request: str,
    want: Any,
    got: np.ndarray,
    before: np.ndarray,
    name: str,
    rtol: Any,
    atol: Any,
    equal_nan: bool,
    kind: str = "EXPECTED",
) -> None:
    labels = (f"{kind}_{name}", f"BACKWARD_{name}")
    if request == "add":
        got = got - before.astype(got.dtype)
    elif request == "null":
        want = before
    elif request != "write":
        raise MXNetValueError(f"Invalid grad_req {request} for argument {name}")
    assert_almost_equal(want, got, rtol, atol, labels, equal_nan)


def numeric_grad(
    executor: Any,
    location: dict[str, np.ndarray],
    aux_states: dict[str, np.ndarray] | None = None,
    eps: float = 1e-4,
    use_forward_train: bool = True,
    dtype: Any = np.float32,
) -> dict[str, np.ndarray]:
    """The gradient of the sum of the executor's first output, by central differences.

    `location` and `aux_states` are NumPy arrays by name; every element is moved by half of `eps`
    to either side. Arguments that are not floats get zeros.
    """
    values = {name: np.array(_numpy(value), order="C") for name, value in location.items()}
    for name, value in values.items():
        executor.arg_dict[name][:] = array(value, dtype=value.dtype)

    def output() -> np.ndarray:
        for name, state in (aux_states or {}).items():
            executor.aux_dict[name][:] = array(_numpy(state))
        executor.forward(is_train=use_forward_train)
        found: np.ndarray = executor.outputs[0].asnumpy().astype(np.float64)
        return found

    grads = {}
    for name, value in values.items():
        grad = grads[name] = np.zeros(value.shape, dtype)
        if value.dtype.kind != "f":
            continue
        for place in np.ndindex(*value.shape):
            old = value[place]
            results = []
            for step in (eps / 2, -eps / 2):
                value[place] = old + step
                executor.arg_dict[name][:] = array(value, dtype=value.dtype)
                results.append(output())
            value[place] = old
            grad[place] = (results[0] - results[1]).sum() / eps
        executor.arg_dict[name][:] = array(value, dtype=value.dtype)
    return grads


def _numpy(value: Any) -> np.ndarray:
    return value.asnumpy() if isinstance(value, NDArray) else np.asarray(value)


def check_numeric_gradient(
    sym: Any,
    location: Any,
    aux_states: Any = None,
    numeric_eps: float | None = None,
    rtol: Any = None,
    atol: Any = None,
    grad_nodes: Any = None,
    use_forward_train: bool = True,
    ctx: Context | None = None,
    grad_stype_dict: Any = None,
    dtype: Any = np.float32,
) -> None:
    """AssertionError unless the gradients are those of finite differences.

    The output, a single one, is multiplied by random weights. `grad_nodes` is a list of
    arguments, or a dict of their requests; by default all. `rtol` and `atol` default to those of
    `dtype`, one of np.float16, np.float32 and np.float64.
    """
    assert dtype in _DTYPES[1:], f"dtype is np.float16, np.float32 or np.float64, got {dtype!r}"
    ctx = ctx or default_context()
    args = _parse_location(sym, location, ctx, dtype)
    numbers = {name: value.asnumpy() for name, value in args.items()}
    aux = _parse_aux_states(sym, aux_states, ctx, dtype)
    aux_numbers = None if aux is None else {name: value.asnumpy() for name, value in aux.items()}
    requests = _node_requests(sym, grad_nodes)
    shape = sym.infer_shape(**{name: value.shape for name, value in numbers.items()})[1][0]
    weights = array(np.random.rand(*shape) + 0.1, ctx, dtype)
    output = sym_.make_loss(sym * sym_.Variable(_PROJECTION))
    args = OrderedDict({**args, _PROJECTION: weights})
    before = {name: np.random.normal(0, 0.01, size=numbers[name].shape) for name in requests}
    grads = {name: array(value, ctx, dtype) for name, value in before.items()}
    for name, stype in (grad_stype_dict or {}).items():
        if name in grads:
            grads[name] = grads[name].tostype(stype)
    grads[_PROJECTION] = nd.zeros(shape, ctx=ctx, dtype=dtype)
    all_requests = {**requests, _PROJECTION: "write"}
    executor = output.bind(ctx, args, args_grad=grads, grad_req=all_requests, aux_states=aux)
    executor.forward(is_train=True)
    assert len(executor.outputs) == 1, "the symbol must have one output"
    executor.backward()
    found = {name: executor.grad_dict[name].asnumpy() for name in requests}
    eps = default_numeric_eps()[np.dtype(dtype)] if numeric_eps is None else numeric_eps
    numeric = numeric_grad(executor, numbers, aux_numbers, eps, use_forward_train, dtype)
    for name, request in requests.items():
        _compare_gradient(
            request,
            numeric[name],
            found[name],
            before[name].astype(found[name].dtype),
            name,
            rtol,
            atol,
            False,
            "NUMERICAL",
        )


def _node_requests(sym: Any, grad_nodes: Any) -> dict[str, str]:
    if grad_nodes is None:
        return dict.fromkeys(sym.list_arguments(), "write")
    if isinstance(grad_nodes, dict):
        return dict(grad_nodes)
    if isinstance(grad_nodes, (list, tuple)):
        return dict.fromkeys(grad_nodes, "write")
    raise MXNetValueError(f"grad_nodes is a list or a dict, got {type(grad_nodes).__name__}")


def same_symbol_structure(sym1: Any, sym2: Any) -> bool:
    """Whether two symbols have the same operators at the nodes that both have, in order."""
    pairs = zip(_operators(sym1), _operators(sym2), strict=False)
    return all(one == other for one, other in pairs)


def _operators(sym: Any) -> list[str]:
    return [node["op"] for node in json.loads(sym.tojson())["nodes"]]
