"""Generates calls of `mx.np`, `mx.npx` and of arrays' methods: snippets for tools/differential.py.

tools/np_calls.py --seed 1 unary binary >/tmp/calls.txt && tools/differential.py /tmp/calls.txt

A call is an expression of the arrays a, b, c, d, whose parts before the last (divided by "; ") are
statements. Each becomes a snippet for every way that it is called in: alone, with gradients, in a
hybridized block. Without names: all families.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

SHAPES = (
    "()",
    "(1,)",
    "(3,)",
    "(0,)",
    "(2,3)",
    "(1,3)",
    "(2,1)",
    "(2,3,4)",
    "(2,0,3)",
    "(2,1,2,3)",
)
DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8", "bool")
FLOATS = DTYPES[:3]


class Call(NamedTuple):
    """An expression, its inputs, the ways that it is called in: e(ager), g(radients), h(ybrid)."""

    expr: str
    ins: tuple[str, ...]
    modes: str


HEAD = """
import operator
mx.npx.set_np()
np, npx = mx.np, mx.npx
rng = onp.random.RandomState({seed})
def u(shape, dtype, low, high):
    if dtype == 'bool':
        return rng.randint(0, 2, shape).astype('bool')
    if dtype[0] in 'iu':
        return onp.asarray(rng.randint(max(low, 0) if dtype[0] == 'u' else low, high, shape))
    return onp.asarray(rng.uniform(low, high, shape))
def x(shape, dtype, low, high):
    return np.array(u(shape, dtype, low, high).astype(dtype), dtype=dtype)
def sp(dtype):
    values = [0.0, -0.0, 1, -1, 0.5, 2.5, onp.nan, onp.inf, -onp.inf, 1e-3, 100]
    return np.array(values, dtype=dtype)
def v(values):
    return np.array(values)
class Block(gluon.HybridBlock):
    def hybrid_forward(self, F, *arrays):
        return call(F.np, F.npx, *arrays)
def gradients(function, *arrays):
    floats = [y for y in arrays if y.dtype.kind == 'f']
    for y in floats:
        y.attach_grad()
    with autograd.record():
        found = function(*arrays)
    heads = [y for y in (found if isinstance(found, (list, tuple)) else [found])]
    heads = [y for y in heads if isinstance(y, np.ndarray) and y.dtype.kind == 'f']
    if floats and heads:
        weights = [np.array(u(y.shape, 'float64', -1, 1), dtype=y.dtype) for y in heads]
        autograd.backward(heads, weights)
    return [found, [y.grad for y in floats]]
def call(np, npx{names}):
{body}
inputs = [{inputs}]
"""
WAYS = {
    "e": "out += [call(np, npx, *inputs), inputs]",
    "g": "out.append(gradients(lambda *y: call(np, npx, *y), *inputs))",
    "h": "block = Block()\nblock.hybridize()\nout.append(gradients(block, *inputs))",
}


def snippets(family: str, number: int, call: Call) -> Iterator[str]:
    """The call's snippets."""
    *before, last = call.expr.split("; ")
    names = "".join(f", {name}" for name, _ in zip("abcd", call.ins, strict=False))
    body = "\n".join(f"    {line}" for line in [*before, f"return {last}"])
    inputs = ", ".join(call.ins)
    code = HEAD.format(seed=number % 1000, names=names, body=body, inputs=inputs).strip("\n")
    title = f"{family}/{number}: {call.expr} | {inputs}".replace("[", "(").replace("]", ")")
    for mode in call.modes:
        yield f"## {title} {mode}\n{code}\n{WAYS[mode]}\n"


def rows(table: str) -> list[str]:
    """The calls of a table, divided by | or the ends of lines."""
    return [row for row in table.replace("\n", "|").split("|") if row]


def words(table: str) -> list[str]:
    """The words of a table."""
    return table.split()


generators: dict[str, Callable[[random.Random], Iterator[Call]]] = {}


def generator(function: Callable[[random.Random], Iterator[Call]]) -> Any:
    """Enter a family of calls under the function's name."""
    generators[function.__name__] = function
    return function


def call(expr: str, *ins: str, modes: str = "eg") -> Call:
    """One call."""
    return Call(expr, ins, modes)


def u(shape: str, dtype: str = "float32", low: float = -2, high: float = 2) -> str:
    """Random input of that shape."""
    return f"x({shape},'{dtype}',{low},{high})"


def pick(rng: random.Random, values: Sequence[Any], k: int) -> list[Any]:
    """Up to k of the values."""
    values = list(values)
    return values if len(values) <= k else rng.sample(values, k)


def filled(rng: random.Random, form: str, fill: dict[str, list[str]], k: int) -> Iterator[str]:
    """The form with up to k combinations of values in its braces."""
    keys = [key for key in fill if "{" + key + "}" in form]
    for values in pick(rng, list(itertools.product(*(fill[key] for key in keys))), k):
        yield form.format(**dict(zip(keys, values, strict=True)))


UNARY = """
abs absolute arccos arccosh arcsin arcsinh arctan arctanh around bitwise_not cbrt ceil cos
cosh deg2rad degrees exp expm1 fabs fix floor invert isfinite isinf isnan isneginf isposinf
log log10 log1p log2 logical_not negative nan_to_num rad2deg radians reciprocal rint round
round_ sign sin sinh sqrt square tan tanh trunc ravel copy ones_like zeros_like empty_like
npx.relu npx.sigmoid npx.erf npx.erfinv npx.gamma npx.gammaln npx.softmax npx.log_softmax
npx.shape_array npx.nonzero npx.batch_flatten npx.topk npx.stop_gradient
"""
BINARY = """
add subtract multiply divide true_divide mod remainder power maximum minimum arctan2 hypot
copysign ldexp equal not_equal less less_equal greater greater_equal logical_and logical_or
logical_xor bitwise_and bitwise_or bitwise_xor lcm fmax fmin fmod floor_divide
"""
OPERATORS = "+ - * / % ** // == != < <= > >= & | ^ @"
INPLACE = "+= -= *= /= %= **= //= &= |= ^="
SCALARS = (
    "2",
    "-1",
    "0",
    "2.5",
    "-0.5",
    "True",
    "1e6",
    "float('nan')",
    "float('inf')",
)
PAIRS = (
    ("(2,3)", "(2,3)"),
    ("(2,3)", "(3,)"),
    ("(2,1)", "(1,3)"),
    ("()", "(2,3)"),
    ("()", "()"),
    ("(0,3)", "(1,3)"),
    ("(2,0)", "(1,)"),
    ("(2,3,4)", "(3,1)"),
    ("(2,3)", "(4,)"),
    ("(3,)", "(1,)"),
    ("(2,1,3)", "(4,1)"),
)
AXES = (
    "None",
    "0",
    "-1",
    "1",
    "(0,1)",
    "(0,)",
    "()",
    "(-1,0)",
    "5",
    "(0,0)",
    "-3",
)
REDUCE = """
sum mean prod max min amax amin std var argmax argmin all any cumsum average nansum nanprod
nanmax nanmin median norm ptp cumprod product sometrue
"""


@generator
def unary(rng: random.Random) -> Iterator[Call]:
    """Functions of one array."""
    for word in words(UNARY):
        name = word if word.startswith("npx.") else f"np.{word}"
        for shape, dtype in pick(rng, list(itertools.product(SHAPES, DTYPES)), 26):
            yield call(f"{name}(a)", u(shape, dtype, -2, 3), modes="egh")
        for dtype, other in pick(rng, list(itertools.product(DTYPES, DTYPES)), 6):
            yield call(f"{name}(a, out=b)", u("(2,3)", dtype), u("(2,3)", other), modes="e")
        for dtype in FLOATS:
            yield call(f"{name}(a)", f"sp('{dtype}')", modes="e")
        for scalar in SCALARS:
            yield call(f"{name}({scalar})", modes="e")
        yield call(f"o{name}(a)", u("(2,3)"), modes="e")


@generator
def binary(rng: random.Random) -> Iterator[Call]:
    """Functions and operators of two arrays, or an array and a number."""
    dtypes = list(itertools.product(DTYPES, DTYPES))
    forms = [f"np.{n}({{}}, {{}})" for n in words(BINARY)]
    for form in forms + [f"{{}} {o} {{}}" for o in words(OPERATORS)]:
        for first, second in dtypes:
            one, two = rng.choice(PAIRS)
            yield call(form.format("a", "b"), u(one, first, -2, 4), u(two, second, -2, 4))
        for one, two in PAIRS:
            yield call(form.format("a", "b"), u(one), u(two), modes="egh")
        scalars = [] if "lcm" in form else list(itertools.product(SCALARS, DTYPES))
        for scalar, dtype in pick(rng, scalars, 30):
            yield call(form.format("a", scalar), u("(2,3)", dtype, -2, 4), modes="egh")
            yield call(form.format(scalar, "a"), u("(2,3)", dtype, -2, 4), modes="egh")
    for op in words(INPLACE):
        for first, second in dtypes:
            ins = u("(2,3)", first, 0, 4), u(rng.choice(["(2,3)", "()"]), second, 1, 4)
            yield call(f"a {op} b; a", *ins, modes="e")


@generator
def reductions(rng: random.Random) -> Iterator[Call]:
    """Functions and methods that reduce."""
    for name in words(REDUCE):
        forms = [f"np.{name}(a, {{}})", f"a.{name}({{}})", f"onp.{name}(a, {{}})"]
        for shape, axis in pick(rng, list(itertools.product(SHAPES, AXES)), 60):
            keep = rng.choice(["", ", keepdims=True"])
            yield call(rng.choice(forms[:2]).format(f"axis={axis}{keep}"), u(shape), modes="egh")
        for dtype, other in pick(rng, list(itertools.product(DTYPES, DTYPES)), 24):
            yield call(forms[0].format(f"axis=1, dtype='{other}'"), u("(2,3)", dtype))
            yield call(forms[0].format("axis=1, out=b"), u("(2,3)", dtype), u("(2,)", other))
        for dtype, shape in itertools.product(DTYPES, ("()", "(2,3)", "(0,3)")):
            yield call(forms[0].format(""), u(shape, dtype))
            yield call(forms[1].format(""), u(shape, dtype), modes="e")


KEYS = """
0 -1 1 5 -7 () ... None : 1: :1 ::-1 ::2 1:1 -2: 0:0 5:2:-1 0,1 0,... ...,0 :,1 :,: 1:,::-1
None,0 0,None :,None,1 [0,1] [1,0,-1] [[0,1],[1,0]] [0,1],0 0,[0,1] :,[0,2] [0,1],[0,1]
[True,False] b b,0 a>0 (a>0).asnumpy() a!=a onp.array([1,0]) onp.array([0]),onp.array([1])
np.array([0,1],dtype='int32') np.array([1.0,0.0]) onp.int64(1) True False
np.array(1,dtype='int64') [0,1],:,[0,1] :,0,[0,1] 0,:,[0,1] [],0 [] 1.5 'x'
onp.array([True,False]) [True,False],0 :,onp.array([True,False,True])
[[True,False,True],[False,True,False]] slice(None),1 (1,) (0,1,1) 0,0,0,0 0:1,0:1 1:3,...
...,None ...,1:2 [0],[1],[2] None,None range(2) (0,slice(1,3)) -1:,-1: np.array([True,False])
np.array([[0],[1]],dtype='int64'),np.array([0,2],dtype='int64')
"""
VALUES = (
    "7",
    "2.5",
    "True",
    "np.array(5.0)",
    "onp.float32(3)",
    "np.ones((1,))",
    "np.arange(3)",
    "np.arange(3).reshape(3,1)",
    "onp.arange(2)",
    "[1,2,3]",
    "np.ones((2,3))",
    "None",
    "np.array([1,2,3],dtype='int64')",
    "mx.nd.ones((3,))",
    "np.zeros((0,))",
    "(1,2)",
)
MOVE = """
reshape(a, {s})|a.reshape({s})|a.reshape(*{s})|npx.reshape(a, {c})|transpose(a, {p})
transpose(a)|a.transpose({p})|a.transpose(*{p})|a.T|swapaxes(a, {i}, {j})|a.swapaxes({i}, {j})
moveaxis(a, {i}, {j})|expand_dims(a, {i})|a.expand_dims({i})|squeeze(a, {x})|a.squeeze({x})
squeeze(a)|broadcast_to(a, {b})|a.broadcast_to({b})|flip(a, {x})|flipud(a)|fliplr(a)
rot90(a, {i})|rot90(a, 1, ({i}, {j}))|tile(a, {r})|a.tile({r})|repeat(a, {i}, {j})
a.repeat({i}, {j})|repeat(a, 2)|repeat(a, {x}, axis={j})|roll(a, {i})|roll(a, {i}, {j})
roll(a, (1,2), (0,1))|rollaxis(a, {i})|ravel(a)|a.flatten()|a.ravel()|atleast_1d(a)
atleast_2d(a)|atleast_3d(a)|tril(a)|tril(a, {i})|triu(a, {i})|diag(a)|diag(a, {i})|diagonal(a)
diagonal(a, {i}, 0, 1)|diagonal(a, axis1={i}, axis2={j})|diagflat(a, {i})|trace(a)
trace(a, {i})|split(a, {q}, {i})|split(a, {q})|array_split(a, {q}, {i})|array_split(a, {q})
hsplit(a, {q})|vsplit(a, {q})|dsplit(a, {q})|a.split({q}, {i})|pad(a, {w}, '{m}')|pad(a, {w})
pad(a, {w}, 'constant', constant_values={i})|resize(a, {s})|diff(a, {n}, {i})|diff(a)
ediff1d(a)|sort(a, {x})|argsort(a, {x})|a.sort({x})|a.argsort({x})
npx.topk(a, k={n}, axis={i}, ret_typ='{t}')|delete(a, {i}, {x})|delete(a, {q}, {j})
insert(a, {i}, 9, {x})|insert(a, {q}, 9, axis={j})|cumsum(a, {x})|unique(a)
unique(a, axis={x})|unique(a, True, True, True)|bincount(a)|nonzero(a)|flatnonzero(a)
argwhere(a)|clip(a, 0, 1)|clip(a, None, 1)|clip(a, 0, None)|clip(a, None, None)|a.clip(0, 1)
a.clip(-1)|median(a, {x})|percentile(a, 50, {x})|percentile(a, [25,75], {x})
quantile(a, 0.3, {x})|percentile(a, np.array([25,75]), {x})
quantile(a, np.array([0.3,0.5]), {x}, keepdims=True)|percentile(a, 30, interpolation='{z}')
around(a, {i})|a.round({i})|round(a, 1)|a.round()|nan_to_num(a)|take(a, {i}, {j})
take(a, {q}, {j})|take(a, np.array([0,1],dtype='int32'), {j}, mode='clip')
take(a, np.array([0,7],dtype='int32'), {j}, mode='wrap')|take(a, np.array([[0,1]]))
a.take(np.array([0,1]), {j})|shape(a)|ndim(a)|size(a)|size(a, {i})|may_share_memory(a, a)
shares_memory(a, a * 1)|ravel(a, 'F')|reshape(a, {s}, order='F')|a.reshape({s}, order='F')
reshape(a, {s}, out=a)|histogram(a, 5, (-2, 2))|histogram(a, 5)|unravel_index(a, (2,3))
broadcast_arrays(a, np.ones((2,1,3)))|meshgrid(a, a)|npx.one_hot(a, 4)
npx.pick(a, np.zeros((2,)), {i})|npx.softmax(a, axis={i})|npx.log_softmax(a, axis={i})
npx.masked_softmax(a, a > 0)|npx.gather_nd(a, np.array([[0,1]]))|npx.slice(a, (0,), (1,))
npx.reshape_like(a, a)|npx.arange_like(a)|npx.arange_like(a, axis={i})
npx.sequence_mask(a, np.array([1,1,1]), True)|npx.nonzero(a)
npx.batch_dot(a, a, transpose_b=True)|npx.constraint_check(a > 0, 'bad')
npx.smooth_l1(a, scalar=1.0)|npx.cast(a, 'int32')|ones_like(a, dtype='int32')|full_like(a, 3)
full_like(a, 2.5, dtype='int8')|zeros_like(a, ctx=mx.cpu())
"""
MOVE_FILL: dict[str, list[str]] = {
    "s": ["(-1,)", "(3,2)", "(1,-1)", "-1", "(2,3)", "()", "(6,)", "(0,-1)", "(-1,-1)", "(2,-1,1)"],
    "c": [
        "(-1,)",
        "(-2,-1)",
        "(-5,)",
        "(-6,1,-1)",
        "-1",
        "(-4,)",
        "(-3,-1)",
        "(-2,-2)",
        "(-6,-1,1,-4)",
    ],
    "p": ["(1,0)", "None", "(0,)", "(2,0,1)", "(0,1)", "()", "(-1,0)", "(0,0)"],
    "i": ["0", "1", "-1", "2", "-3"],
    "j": ["0", "1", "-1", "2", "None"],
    "n": ["1", "2", "3"],
    "x": ["None", "0", "-1", "1", "(0,1)", "(0,)", "()", "(-1,0)", "5", "(0,0)", "-3"],
    "b": ["(2,3)", "(4,2,3)", "(3,)", "()", "(2,1,3)", "(0,3)", "(5,3)"],
    "r": ["2", "(2,)", "(1,2)", "(2,1,2)", "0", "()", "[2,2]", "(2,0)"],
    "q": ["1", "2", "3", "[1]", "(1,2)", "[0,2]", "[]", "5", "np.array([1])", "0"],
    "w": ["((1,1),(0,2))", "((1,1),)", "1", "(1,1)", "((0,0),(1,0),(0,1))", "((1,2),)*4"],
    "m": ["constant", "edge", "reflect", "symmetric", "maximum", "minimum", "mean", "wrap"],
    "t": ["indices", "value", "both", "mask"],
    "z": ["linear", "lower", "higher", "nearest", "midpoint"],
}
CREATE = """
zeros({s})|zeros({s}, dtype={d})|ones({s}, {d})|ones({s})|full({s}, {v})|full({s}, {v}, {d})
empty({s}).shape|empty({s}, {d}).dtype|arange({v})|arange({v}, 5)|arange(1, {v}, 2)
arange(3, dtype={d})|arange(0, 1, 0.25)|arange(5, 0, -1)|arange(start=1, stop=4)
linspace(0, {v}, 5)|linspace(0, 1, {n})|linspace(0, 1, 5, False)
linspace(0, 1, 5, retstep=True)|linspace(0, 1, 4, dtype={d})|logspace(0, 1, {n})
logspace(0, 2, 3, base=2.0)|logspace(0, 1, 4, dtype={d})|eye({n})|eye({n}, 3)|eye(3, k={n})
eye(3, k=-1, dtype={d})|identity({n})|identity(3, dtype={d})|tri({n})|tri(3, 4, 1)
tri(3, dtype={d})|hanning({n})|hamming({n})|blackman({n})|hanning(5, dtype={d})|indices({s})
indices((2,3), {d})|array({v})|array([{v}, {v}])|array([1, 2], dtype={d})
array([[1.5, 2], [3, 4]], dtype={d})|array(onp.arange(3))|array(onp.ones((2,2)), dtype={d})
array([])|array([[1, 2], [3]])|array('x')|array(None)|array([1, 'a'])|array([True, False])
array(onp.array([True]))|array([[]])|array(range(3))|array((1, 2))|array([onp.float32(1), 2])
array([onp.arange(2), onp.arange(2)])|array(object={v})|array({v}, dtype={d})
zeros((2,), order='F')|zeros((2,), order='C')|ones((2,), ctx=mx.cpu(0))
zeros(2, ctx=mx.cpu(1)).ctx.device_id|full((2,), np.array(3))|full((2,), np.array([1,2]))
full((2,2), np.arange(2))|full((2,), onp.array([1,2]))|ones(np.array([2]))|zeros([2,3])
zeros(2.0)|zeros((2.0,))|zeros(-1)|zeros((-1,))|array(mx.nd.ones((2,)))
array(mx.nd.ones((2,)).as_np_ndarray())|tril_indices({n})|tril_indices(3, 1)|triu_indices(3)
tril_indices_from(np.ones((3,3)))|diag_indices_from(np.ones((3,3)))|unravel_index(5, (2,3))
unravel_index(np.array([1,5]), (2,3))|asarray({v})|asarray([1,2])|ascontiguousarray([1,2])
fromfunction(lambda i, j: i, (2,2))|geomspace(1, 8, 4)|vander(np.arange(3))|ones_like({v})
zeros_like([1,2])|full_like([1,2], 3)|dtype('float32')|float32|int64|bool_|bool|pi|e|inf|nan
newaxis|PZERO|NZERO|int8|uint8|float16|float64|int32|uint32|int16|finfo(np.float32).eps
random.uniform(size=3).dtype|result_type(np.float32, np.int32)
promote_types('float32', 'int64')|min_scalar_type(3)|can_cast('int8', 'float32')
iinfo(np.int32).max|set_printoptions(precision=3)|isscalar(2)|ndim(3)|shape(3)|size(3)
concatenate|ix_([0,1],[1,2])|polyfit([0,1,2],[1,2,3],1)
"""
CREATE_FILL: dict[str, list[str]] = {
    "s": [
        "()",
        "3",
        "(3,)",
        "(2,3)",
        "(0,)",
        "(2,0)",
        "[2,2]",
        "None",
        "onp.int64(2)",
        "(onp.int32(2),)",
    ],
    "d": [
        "'float32'",
        "'float64'",
        "'float16'",
        "'int32'",
        "'int64'",
        "'int8'",
        "'uint8'",
        "'bool'",
        "bool",
        "int",
        "float",
        "None",
        "np.float32",
        "onp.float64",
        "np.int32",
        "onp.dtype('int8')",
        "'f'",
        "'i4'",
        "'int16'",
        "'x'",
        "np.bool",
        "np.bool_",
    ],
    "v": [
        "0",
        "3",
        "2.5",
        "-1",
        "True",
        "None",
        "1e10",
        "float('nan')",
        "onp.float64(2)",
        "onp.int64(4)",
        "'a'",
        "np.array(2)",
    ],
    "n": ["0", "1", "3", "-1", "4", "2.5"],
}
RANDOM = """
random.uniform()|random.uniform({l}, {h}, {s})|random.uniform(size={s})
random.uniform(-1, 1, {s}, {d})|random.uniform(low=a, high=a + 1)
random.uniform(a, 3, size={s})|random.normal()|random.normal({l}, {h}, {s})
random.normal(size={s})|random.normal(0, 1, {s}, {d})|random.normal(a, 1)
random.normal(a, np.abs(a), size={s})|random.randn()|random.randn(2, 3)
random.randn(2, dtype={d})|random.rand()|random.rand(2, 3)|random.rand(0)|random.randint({n})
random.randint(0, {n})|random.randint(0, {n}, {s})|random.randint(5, size={s}, dtype={d})
random.randint(5, 2)|random.choice({n})|random.choice({n}, {s})
random.choice(5, {s}, replace=False)|random.choice(5, 3, p=np.array([0.1,0.2,0.3,0.2,0.2]))
random.choice(a)|random.choice(np.arange(4), {s})
random.choice(5, 3, False, np.array([0.1,0.2,0.3,0.2,0.2]))|random.shuffle(a)
random.permutation({n})|random.permutation(a)|random.multinomial(10, [0.2, 0.8])
random.multinomial(10, [0.2, 0.8], {s})|random.multinomial(5, np.array([0.5, 0.5]))
random.multinomial(5, onp.array([0.5, 0.5]))|random.gamma(2.0)|random.gamma(2.0, 1.0, {s})
random.gamma(np.abs(a) + 1)|random.gamma(np.abs(a) + 1, 2.0, size={s})
random.gamma(1.5, size={s}, dtype={d})|random.beta(1.0, 2.0)|random.beta(1.0, 2.0, {s})
random.beta(np.abs(a) + 1, 2.0)|random.exponential()|random.exponential(2.0, {s})
random.exponential(np.abs(a))|random.chisquare(2.0)|random.chisquare(2.0, {s})
random.chisquare(np.abs(a) + 1)|random.gumbel()|random.gumbel(0, 1, {s})|random.gumbel(a)
random.gumbel(a, 2.0)|random.logistic()|random.logistic(0, 1, {s})|random.logistic(a, 1.0)
random.lognormal()|random.lognormal(0, 1, {s})|random.lognormal(a)|random.rayleigh()
random.rayleigh(2.0, {s})|random.rayleigh(np.abs(a))|random.weibull(2.0)
random.weibull(2.0, {s})|random.weibull(np.abs(a) + 1)|random.pareto(2.0)
random.pareto(2.0, {s})|random.power(2.0)|random.power(2.0, {s})|random.laplace()
random.laplace(0, 1, {s})|random.laplace(a, 1)
random.multivariate_normal(np.zeros(2), np.eye(2))
random.multivariate_normal(np.zeros(2), np.eye(2), {s})
random.multivariate_normal([0, 0], [[1, 0], [0, 1]])|random.f(2.0, 3.0)
random.bernoulli(0.5, size={s})|random.poisson(2.0)|random.binomial(5, 0.5)
random.uniform(size=(2,3), out=a); a|random.normal(size=(2,3), out=a); a
random.uniform(size=3, ctx=mx.cpu())|random.normal(loc={l}, scale={h})
random.seed(3); np.random.uniform()|random.standard_normal(3)|random.random(3)
"""
RANDOM_FILL: dict[str, list[str]] = {
    "s": ["None", "()", "3", "(3,)", "(2,3)", "(0,)", "(2,0)", "[2]", "100"],
    "l": ["0", "-1.5", "2"],
    "h": ["1", "2.5", "0"],
    "d": [
        "'float32'",
        "'float64'",
        "'float16'",
        "'int32'",
        "'int64'",
        "None",
        "'bool'",
        "'int8'",
        "np.int32",
        "int",
    ],
    "n": ["5", "1", "0", "-1", "3.0", "100"],
}


@generator
def indexing(rng: random.Random) -> Iterator[Call]:
    """Parts of arrays, read and written; b is a mask."""
    mask = u("(2,)", "bool")
    for key in words(KEYS):
        for shape in ("()", "(3,)", "(2,3)", "(2,3,4)", "(0,3)", "(2,2,2,2)", "(1,)"):
            yield call(f"a[{key}]", u(shape), mask, modes=rng.choice(["eg", "egh"]))
            for value in pick(rng, VALUES, 4):
                yield call(f"a[{key}] = {value}; a", u(shape), mask, modes="e")
            yield call(f"a[{key}] += 1; a", u(shape), mask, modes="e")
        for dtype in DTYPES:
            yield call(f"a[{key}] = 3.7; a", u("(2,3)", dtype), mask, modes="e")
        yield call(f"c = a * 2; c[{key}] = 0; c", u("(2,3)"), mask)
        yield call(f"d = a[{key}]; d += 1; a", u("(2,3)"), mask, modes="e")


@generator
def shaping(rng: random.Random) -> Iterator[Call]:
    """Functions and methods that move, join, split, sort and choose."""
    for form in rows(MOVE):
        text = form if form.startswith(("a.", "npx.")) else f"np.{form}"
        for expr in filled(rng, text, MOVE_FILL, 40):
            yield call(expr, u(rng.choice(SHAPES)), modes="egh")
            yield call(expr, u("(2,3)", rng.choice(DTYPES), 0, 4))


@generator
def creation(rng: random.Random) -> Iterator[Call]:
    """Functions that make arrays."""
    for form in rows(CREATE):
        for expr in filled(rng, f"np.{form}", CREATE_FILL, 40):
            yield call(expr, modes="e")


@generator
def randoms(rng: random.Random) -> Iterator[Call]:
    """np.random: the very numbers."""
    for form in rows(RANDOM):
        for expr in filled(rng, f"np.{form}", RANDOM_FILL, 14):
            yield call(expr, u("(2,3)"), modes="egh" if "a" in form.split("(", 1)[1] else "e")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("families", nargs="*", help=", ".join(generators))
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for family in args.families or generators:
        calls = dict.fromkeys(generators[family](random.Random(args.seed)))
        for number, call in enumerate(calls):
            for text in snippets(family, number, call):
                sys.stdout.write(text)


if __name__ == "__main__":
    main()
