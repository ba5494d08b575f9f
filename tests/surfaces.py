"""The other ways to call an operator: as a Symbol and as an NDArray method.

The recorder notes which of them agree with `mx.nd.<op>` in real MXNet; the tests ask the same of
mxtorch. Python 3.8 or later.
"""

import numpy as onp

from tests import golden_store
from tests.replay import Array, array_of, call, freeze, fresh_state, is_float, outputs_of, variables


def symbol_of(mx, row, inputs):
    """The row as a Symbol over variables x0, x1 …, sent through JSON and back."""
    if row.is_np:
        mx.npx.set_np()
    variables = [None if x is None else variable(mx, row, f"x{i}") for i, x in enumerate(inputs)]
    symbol = call(mx.sym, row, variables)
    text = symbol.tojson()
    symbol = mx.sym.load_json(text)
    if symbol.tojson() != text:
        raise AssertionError("the Symbol changed on its way through JSON")
    return symbol


def variable(mx, row, name):
    symbol = mx.sym.var(name)
    return symbol.as_np_ndarray() if row.is_np else symbol


def run_symbol(mx, row):
    """Bound to the row's inputs: outputs, gradients, changed auxiliary states."""
    values = row.values()
    symbol = symbol_of(mx, row, values)
    arrays = {f"x{i}": array_of(mx, row, v) for i, v in enumerate(values) if v is not None}
    states = {name: arrays[name] for name in symbol.list_auxiliary_states()}
    args = {name: arrays[name] for name in symbol.list_arguments()}
    zeros = mx.np.zeros if row.is_np else mx.nd.zeros
    grads = {name: zeros(x.shape, dtype=x.dtype) for name, x in args.items() if is_float(x)}
    wants = row.grad and row.train
    executor = symbol.bind(mx.cpu(), args, grads if wants else None, aux_states=states)
    outputs = executor.forward(is_train=row.train)
    if row.is_np:
        outputs = [y.as_np_ndarray() for y in outputs]
    found = {"out": freeze(mx, outputs)}
    if wants and all(is_float(y) for y in outputs):
        heads = [row.head(i, y.shape, y.dtype) for i, y in enumerate(outputs)]
        executor.backward([array_of(mx, row, h) for h in heads])
        found["grad"] = {name[1:]: freeze(mx, g) for name, g in grads.items()}
    found["changed"] = {
        name[1:]: Array("nd", x.asnumpy())
        for name, x in states.items()
        if x.asnumpy().tobytes() != values[int(name[1:])].tobytes()
    }
    return found


def run_method(mx, row):
    """The first input's method of the operator's name: outputs."""
    if row.is_np:
        mx.npx.set_np()
    inputs = [None if v is None else array_of(mx, row, v) for v in row.values()]
    method = getattr(inputs[0], row.op.split(".")[-1] if row.is_np else row.op)
    with mx.autograd.pause(train_mode=row.train):
        return {"out": freeze(mx, outputs_of(method(*inputs[1:], **row.attrs)))}


SURFACES = {"symbol": run_symbol, "method": run_method}


def check(mx, row, line, surface):
    """Raises unless the surface gives what `line` recorded of `mx.nd.<op>`."""
    with variables(row.env), fresh_state(mx):
        found = SURFACES[surface](mx, row)
    golden_store.compare(found["out"], line["out"], row.cls, row.tol, "out")
    for name, array in found.get("grad", {}).items():
        record = line["grad"][name]
        golden_store.compare(array, record, row.cls, row.tol, f"gradient of input {name}")
    for name, array in found.get("changed", {}).items():
        record = line["changed"][name]
        golden_store.compare(array, record, row.cls, row.tol, f"new value of input {name}")


def inferred(mx, row):
    """What follows from the first input's shape alone, where MXNet fills the rest in.

    Names and shapes of arguments, outputs and auxiliary states; None if nothing is filled in.
    """
    with variables(row.env), fresh_state(mx):
        if row.is_np:
            mx.npx.set_np()
        symbol = call(mx.sym, row, [variable(mx, row, "x0")])
        names = [symbol.list_arguments(), symbol.list_outputs(), symbol.list_auxiliary_states()]
        if len(names[0]) + len(names[2]) < 2:
            return None
        shapes = symbol.infer_shape(x0=row.inputs[0].shape)
    if shapes[0] is None:
        return None
    return [[n, [list(map(int, s)) for s in sizes]] for n, sizes in zip(names, shapes)]


def output_shapes(mx, row):
    """The outputs' shapes that the Symbol infers from all inputs' shapes."""
    with fresh_state(mx):
        values = row.values()
        symbol = symbol_of(mx, row, values)
        shapes = {f"x{i}": onp.shape(v) for i, v in enumerate(values) if v is not None}
        inferred_shapes = symbol.infer_shape(**shapes)[1]
    return inferred_shapes and [list(map(int, s)) for s in inferred_shapes]
