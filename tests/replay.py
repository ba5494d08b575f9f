"""Runs a case on `mx`: real MXNet when recording, mxtorch in the tests.

One code path for both, so what is compared is what was recorded. Python 3.8 or later.
"""

import contextlib
import os
import random as pyrandom

import numpy as onp

from tests.cases import S

MODULES = ("nd", "sym", "gluon", "autograd")


class NotRecordableError(Exception):
    """A case left something that cannot be written down."""


class Array:
    """An array that came out of a case: what held it (nd, mxnp, np, scalar, csr …), its values."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value


def array_kind(mx, obj):
    if isinstance(obj, onp.ndarray):
        return "np"
    if isinstance(obj, onp.generic):
        return "scalar"
    if isinstance(obj, mx.nd.NDArray):
        np = getattr(mx, "np", None)
        if np is not None and isinstance(obj, np.ndarray):
            return "mxnp"
        stype = obj.stype
        return "nd" if stype == "default" else stype
    return None


def freeze(mx, obj):
    """`obj` with every array in it copied out to NumPy."""
    kind = array_kind(mx, obj)
    if kind in ("np", "scalar"):
        return Array(kind, onp.array(obj))
    if kind is not None:
        return Array(kind, obj.asnumpy())
    if isinstance(obj, (list, tuple)):
        return type(obj)([freeze(mx, x) for x in obj])
    if isinstance(obj, dict):
        return {k: freeze(mx, v) for k, v in obj.items()}
    if obj is None or type(obj) in (bool, int, float, str, bytes):
        return obj
    raise NotRecordableError(f"{type(obj).__name__} in `out`: leave str() of it")


def lookup(root, dotted):
    for part in dotted.split("."):
        root = getattr(root, part)
    return root


@contextlib.contextmanager
def fresh_state(mx):
    """Seeds every generator, starts the automatic names anew, leaves NumPy mode behind."""
    mx.random.seed(0)
    onp.random.seed(0)
    pyrandom.seed(0)
    try:
        with mx.name.NameManager() if hasattr(mx, "name") else contextlib.nullcontext():
            yield
    finally:
        if hasattr(mx, "npx"):
            mx.npx.reset_np()


@contextlib.contextmanager
def variables(env):
    """Environment variables, while a case runs."""
    before = {name: os.environ.get(name) for name in env}
    os.environ.update(env)
    try:
        yield
    finally:
        for name, text in before.items():
            os.environ.pop(name)
            if text is not None:
                os.environ[name] = text


def is_float(array):
    return onp.dtype(array.dtype).kind == "f"


def outputs_of(result):
    return list(result) if isinstance(result, (list, tuple)) else [result]


def array_of(mx, row, value):
    """A NumPy array as one of the row's kind."""
    make = mx.np.array if row.is_np else mx.nd.array
    return make(value, dtype=value.dtype)


def call(root, row, inputs):
    """The row's function, found below `root`, of arrays or symbols."""
    arguments = [list(inputs)] if row.seq else inputs
    return lookup(root, row.op)(*arguments, **row.attrs)


def forward(mx, row, inputs):
    """The outputs of the row's call, recorded if it wants gradients."""
    record = mx.autograd.record if row.grad else mx.autograd.pause
    with record(train_mode=row.train):
        return call(mx if row.is_np else mx.nd, row, inputs)


def backward(mx, row, outputs):
    heads = [(i, y) for i, y in enumerate(outputs) if is_float(y)]
    if not heads:
        return False
    grads = [array_of(mx, row, row.head(i, y.shape, y.dtype)) for i, y in heads]
    mx.autograd.backward([y for _, y in heads], grads)
    return True


def run_row(mx, row):
    """{'out': arrays, 'grad': {input: array}, 'changed': {input: array}}."""
    values = row.values()
    if row.is_np:
        mx.npx.set_np()
    inputs = [None if v is None else array_of(mx, row, v) for v in values]
    floats = [i for i, v in enumerate(values) if v is not None and is_float(v)]
    if row.grad:
        for i in floats:
            inputs[i].attach_grad()
    result = forward(mx, row, inputs)
    outputs = outputs_of(result)
    found = {"out": freeze(mx, outputs), "many": isinstance(result, (list, tuple))}
    if row.grad and backward(mx, row, outputs):
        found["grad"] = {str(i): freeze(mx, inputs[i].grad) for i in floats}
    after = {i: x.asnumpy() for i, x in enumerate(inputs) if x is not None}
    found["changed"] = {
        str(i): Array("nd", x) for i, x in after.items() if x.tobytes() != values[i].tobytes()
    }
    return found


def run_snippet(mx, case):
    """What the snippet left in `out`."""
    namespace = {name: getattr(mx, name) for name in MODULES if hasattr(mx, name)}
    namespace.update(mx=mx, onp=onp, pyrandom=pyrandom, out=[], __name__="__case__")
    if "gluon" in namespace:
        namespace["nn"] = mx.gluon.nn
    exec(compile(case.code, case.id, "exec"), namespace)
    return {"out": freeze(mx, list(namespace["out"]))}


def run(mx, case):
    """Runs one case in a fresh state; errors of MXNet's engine surface in here."""
    with variables(case.env), fresh_state(mx):
        try:
            return run_row(mx, case) if isinstance(case, S) else run_snippet(mx, case)
        finally:
            mx.nd.waitall()
