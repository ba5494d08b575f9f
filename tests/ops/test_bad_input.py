"""Bad input to any operator gives an MXNetError that names it; nothing else ever comes out.

Every sample row is called with one thing wrong: an attribute that does not exist, is missing or
does not parse, an array of another rank or dtype, or no array at all. The message speaks of the
operator's arrays and attributes; what torch said about its own stands behind it, as the cause.
"""

import re
import warnings

import numpy as onp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mxtorch as mx
from mxtorch._core.op import all_ops
from tests import cases, recorded, replay
from tests.ops.test_numeric import entry

TEXTS = ("", "abc", "(1,", "[]", "()", "(1, 2, 3, 4, 5, 6, 7, 8, 9)", "-1", "-7", "0", "3", "None")
TEXTS += ("1.5", "True", "nan", "1e400", "float99", "{'a': 1}", "__import__('os')")
SHAPES = ((1,), (0,), (3,), (2, 3), (1, 1), (2, 3, 4), (1, 2, 3, 4), (2, 1, 2, 3, 2), (5, 0, 2))
DTYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")


# Words of torch, of its functions and of Python taking shapes apart.
FOREIGN = re.compile(
    r"tensor [ab]\b|non-singleton|size mismatch|Dimension out of range|scalar type|aten::|numel\(|"
    r"not implemented for|\btorch\b|\bTensor|(list|tuple) index|unpack|linalg\.|\w\(\): |mat1|"
    r"batch2|is not subscriptable|'NoneType'|zip\(|object has no|unexpected keyword"
)


def callable_rows():
    found = []
    for _, row, line in recorded.recorded(cases.S):
        if not row.raises and not row.xfail and line and "error" not in line and not row.env:
            found.append(row)
    return found


ROWS = callable_rows()
rows = st.sampled_from(ROWS)


def attempt(row, inputs, attrs):
    """The MXNetError that the call gives, or None; any other exception is a failure."""
    with replay.fresh_state(mx), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if row.is_np:
            mx.npx.set_np()
        function = replay.lookup(mx if row.is_np else mx.nd, row.op)
        try:
            result = function(*([list(inputs)] if row.seq else inputs), **attrs)
            for array in replay.outputs_of(result):
                if isinstance(array, mx.nd.NDArray):
                    array.wait_to_read()
        except mx.MXNetError as error:
            check_words(row, error)
            return error
    return None


def check_words(row, error):
    """The text is ours, and so is what a traceback shows before it."""
    cause = error.__cause__
    found = FOREIGN.search(str(error))
    assert not found, f"{row.id}: {found[0]!r} in {error}"
    said = str(cause).strip().splitlines()[:1] if cause else []
    is_ours = cause is None or isinstance(cause, mx.MXNetError)
    assert is_ours or not said or said[0] not in str(error), f"{row.id}: {error}"
    hidden = error.__suppress_context__ or error.__context__ is None
    assert hidden, f"{row.id}: raised while {error.__context__!r} was handled"


def arrays(row):
    return [None if v is None else replay.array_of(mx, row, v) for v in row.values()]


def names_the_operator(row, error):
    op = entry(row.op)
    wanted = {row.op.rpartition(".")[2], *(op.names if op else ())}
    if row.is_np:  # a function of mx.np may lead to one of several operators
        wanted |= {"_npi_", "_np_", "_npx_"}
    return any(name in str(error) for name in wanted)


@st.composite
def wrong_attributes(draw):
    """A row, its attributes with one of them changed, and which."""
    row = draw(rows.filter(lambda row: not row.is_np and entry(row.op) is not None))
    op = entry(row.op)
    key = draw(st.sampled_from([*op.attrs, "no_such_attribute"]))
    value = draw(st.sampled_from(TEXTS))
    return row, {**row.attrs, key: value}, key


@st.composite
def wrong_arrays(draw):
    """A row and its inputs with one of them of another shape or dtype."""
    row = draw(rows.filter(lambda row: any(x is not None for x in row.inputs)))
    values = row.values()
    position = draw(st.sampled_from([i for i, v in enumerate(values) if v is not None]))
    shape = draw(st.sampled_from((*SHAPES, values[position].shape)))
    dtype = draw(st.sampled_from((*DTYPES, str(values[position].dtype))))
    values[position] = onp.ones(shape, dtype)
    return row, values


def check_attributes(example):
    row, attrs, key = example
    error = attempt(row, arrays(row), attrs)
    if error is not None:
        assert names_the_operator(row, error), f"{row.id} with {key}={attrs[key]!r}: {error}"
    op = entry(row.op)
    if key not in op.attrs:
        if op.attrs and not op.free:  # MXNet's take anything where they have none
            assert error is not None and key in str(error), f"{row.id}: {key} was taken"
    elif not parses(op.attrs[key], attrs[key]):
        text = str(error)
        assert key in text and repr(attrs[key]) in text and "expected" in text, f"{row.id}: {error}"


def parses(attr, text):
    try:
        attr.read(text)
    except ValueError:  # of an attribute that is refused the error says why instead
        return False
    except mx.MXNetError:
        return True
    return True


def check_arrays(example):
    row, values = example
    with replay.fresh_state(mx):
        if row.is_np:
            mx.npx.set_np()
        inputs = [None if v is None else replay.array_of(mx, row, v) for v in values]
    error = attempt(row, inputs, row.attrs)
    if error is not None:
        came = [None if v is None else (v.shape, str(v.dtype)) for v in values]
        assert names_the_operator(row, error), f"{row.id} with {came}: {error}"


def check_symbols(example):
    """The same arrays as shapes and dtypes of a graph."""
    row, values = example
    given = {f"x{i}": v for i, v in enumerate(values) if v is not None}
    with replay.fresh_state(mx), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inputs = [mx.sym.var(f"x{i}") for i, v in enumerate(values) if v is not None]
        try:
            symbol = replay.lookup(mx.sym, row.op)(*inputs, **row.attrs)
            first = {n: v.shape for n, v in list(given.items())[:1]}
            symbol.infer_shape_partial(**first)
            symbol.simple_bind(
                mx.cpu(),
                type_dict={n: v.dtype.type for n, v in given.items()},
                grad_req="null",
                **{n: v.shape for n, v in given.items()},
            )
        except mx.MXNetError as error:
            check_words(row, error)
            assert names_the_operator(row, error) or re.search(r"\bx\d", str(error)), (
                f"{row.id}: {error}"
            )


def check_missing(op):
    """Nothing given: what is required is named."""
    needed = [a.name for a in op.attrs.values() if a.required]
    with replay.fresh_state(mx):
        function = getattr(mx.nd._internal, op.name, None) or getattr(mx.nd, op.name, None)
        if function is None:  # of a namespace of its own
            return
        arrays = [mx.nd.ones((2, 2)) for spec in op.inputs if not spec.optional]
        with pytest.raises(mx.MXNetError) as info:
            function(*arrays)
    assert op.name in str(info.value)
    assert any(name in str(info.value) for name in needed), str(info.value)


def bounded(examples):
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None)


@bounded(1500)
@given(wrong_attributes())
def test_attributes(example):
    check_attributes(example)


@bounded(1500)
@given(wrong_arrays())
def test_arrays(example):
    check_arrays(example)


@bounded(500)
@given(wrong_arrays().filter(lambda e: not e[0].is_np and entry(e[0].op) is not None))
def test_symbols(example):
    check_symbols(example)


@pytest.mark.full
@bounded(6_000)
@given(wrong_attributes())
def test_attributes_at_length(example):
    check_attributes(example)


@pytest.mark.full
@bounded(6_000)
@given(wrong_arrays())
def test_arrays_at_length(example):
    check_arrays(example)


REQUIRING = [
    pytest.param(op, id=op.name)
    for op in all_ops()
    if not op.is_numpy and any(a.required for a in op.attrs.values())
]


@pytest.mark.parametrize("op", REQUIRING)
def test_missing_attribute(op):
    check_missing(op)


@pytest.mark.parametrize("row", ROWS[::7], ids=lambda row: row.id)
def test_something_else_for_an_array(row):
    """A list, a text or a number where an array belongs."""
    if row.is_np or not row.inputs:
        return
    for odd in ("text", object(), [[1, 2]], {"a": 1}):
        inputs = [odd, *arrays(row)[1:]]
        error = attempt(row, inputs, row.attrs)
        if error is not None:
            assert names_the_operator(row, error), f"{row.id} with {odd!r}: {error}"
