"""Runs variations on one library: `_differential_worker.py LIBRARY SEED COUNT NAMES RESULTS`.

LIBRARY is mxnet or mxtorch; the ids of the cases come as a JSON list on the standard input.
RESULTS is written as by _oracle_worker.py. Python 3.8 or later.
"""

import contextlib
import importlib
import json
import os
import sys
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)


def run_add(mx, row):
    """Backward twice into gradients that are added up."""
    from tests import replay

    values = row.values()
    inputs = [None if v is None else replay.array_of(mx, row, v) for v in values]
    floats = [i for i, v in enumerate(values) if v is not None and replay.is_float(v)]
    for i in floats:
        inputs[i].attach_grad("add")
    for _ in range(2):
        outputs = replay.outputs_of(replay.forward(mx, row, inputs))
        replay.backward(mx, row, outputs)
    grads = {str(i): replay.freeze(mx, inputs[i].grad) for i in floats}
    return {"out": replay.freeze(mx, outputs), "grad": grads}


def run_out(mx, row):
    """Into arrays that are there already."""
    from tests import replay

    values = row.values()
    inputs = [None if v is None else replay.array_of(mx, row, v) for v in values]
    first = replay.call(mx.nd, row, inputs)
    outs = [mx.nd.ones(y.shape, dtype=y.dtype) * 3 for y in replay.outputs_of(first)]
    mx.random.seed(1)
    given = outs if isinstance(first, (list, tuple)) else outs[0]
    function = replay.lookup(mx.nd, row.op)
    result = function(*([inputs] if row.seq else inputs), **row.attrs, out=given)
    return {"out": replay.freeze(mx, [*outs, result is given])}


def run_infer(mx, row):
    """What the Symbol knows from some of the shapes, and from some of the types."""
    from tests import replay

    symbol = replay.call(mx.sym, row, [x and mx.sym.var(f"x{i}") for i, x in enumerate(row.inputs)])
    names = [symbol.list_arguments(), symbol.list_outputs(), symbol.list_auxiliary_states()]
    known = {f"x{i}": x for i, x in enumerate(row.inputs) if x is not None}
    out = [names]
    for keep in ([], list(known)[:1], list(known)[1:], list(known)):
        shapes = {n: known[n].shape for n in keep}
        types = {n: known[n].dtype for n in keep}
        for infer, given in (
            (symbol.infer_shape_partial, shapes),
            (symbol.infer_shape, shapes),
            (symbol.infer_type, types),
        ):
            out.append(attempt(infer, given))
    return {"out": out}


def attempt(infer, given):
    """What it says as text, or the class of the error."""
    try:
        return str(plain(infer(**given)))
    except Exception as e:  # noqa: BLE001 - an outcome
        names = [c.__name__ for c in type(e).__mro__]
        return "MXNetError" if "MXNetError" in names else names[0]


def plain(found):
    """Names for classes of types, so that they can be written down."""
    if isinstance(found, (tuple, list)):
        return [plain(x) for x in found]
    return found.__name__.rstrip("_") if isinstance(found, type) else found


def run_sym(mx, row):
    """As a Symbol."""
    from tests import surfaces

    return surfaces.run_symbol(mx, row)


def run_symadd(mx, row):
    """A Symbol's backward twice, added to gradients of ones."""
    from tests import replay

    values = row.values()
    names = [x and mx.sym.var(f"x{i}") for i, x in enumerate(row.inputs)]
    symbol = replay.call(mx.sym, row, names)
    pairs = [(f"x{i}", v) for i, v in enumerate(values) if v is not None]
    arrays = {name: replay.array_of(mx, row, v) for name, v in pairs}
    states = {name: arrays[name] for name in symbol.list_auxiliary_states()}
    args = {name: arrays[name] for name in symbol.list_arguments()}
    floats = [name for name, x in args.items() if replay.is_float(x)]
    grads = {name: mx.nd.ones(args[name].shape, dtype=args[name].dtype) for name in floats}
    requests = {name: "add" if name in floats else "null" for name in args}
    executor = symbol.bind(mx.cpu(), args, grads, requests, states)
    for _ in range(2):
        outputs = executor.forward(is_train=True)
        heads = [row.head(i, y.shape, y.dtype) for i, y in enumerate(outputs)]
        executor.backward([replay.array_of(mx, row, h) for h in heads])
    grad = {name[1:]: replay.freeze(mx, array) for name, array in grads.items()}
    return {"out": replay.freeze(mx, outputs), "grad": grad}


def run_method(mx, row):
    """As a method of its first array."""
    from tests import surfaces

    return surfaces.run_method(mx, row)


def run(mx, row):
    """The case's record for the results, and what the error said."""
    from tests import cases, golden_store, replay

    modes = {"nd": replay.run_row, "add": run_add, "out": run_out, "method": run_method}
    modes.update(sym=run_sym, symadd=run_symadd, infer=run_infer)
    try:
        with replay.fresh_state(mx), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                mode = modes[row.mode] if isinstance(row, cases.S) else replay.run_snippet
                result = mode(mx, row)
            finally:
                mx.nd.waitall()
    except Exception as e:  # noqa: BLE001 - whatever it is, it is what the library does
        names = [c.__name__ for c in type(e).__mro__]
        with contextlib.suppress(Exception):
            mx.nd.waitall()
        return {"id": row.id, "error": names}, f"{names[0]}: {str(e).strip()[:300]}"
    return golden_store.case_line(row, result), ""


def main():
    library, seed, count, names, results = sys.argv[1:]
    wanted = json.load(sys.stdin)
    mx = importlib.import_module(library)

    from tools import wrong_calls
    from tools._oracle_worker import report

    rows = {row.id: row for row in wrong_calls.cases_of(names.split(","), int(seed), int(count))}
    report(results, wanted, lambda name: run(mx, rows[name]))


if __name__ == "__main__":
    main()
