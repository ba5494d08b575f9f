"""`mx.sym.contrib.foreach`, `while_loop` and `cond`: graphs with graphs inside."""

from __future__ import annotations

from tests.snippets import snippets

_BEFORE = """
d, s, w, t = (mx.sym.var(n) for n in ("data", "state", "w", "t"))
F = mx.sym.contrib.foreach
W = mx.sym.contrib.while_loop
IF = mx.sym.contrib.cond

def flat(x):
    return [x] if isinstance(x, mx.sym.Symbol) else sum([flat(y) for y in x], [])

def show(*parts):
    symbols = flat(list(parts))
    g = mx.sym.Group(symbols)
    out.extend([[y.list_outputs() for y in symbols], g.list_arguments(), g.list_outputs()])
    again = mx.sym.load_json(g.tojson()).tojson()
    out.extend([g.list_auxiliary_states(), g.tojson(), again == g.tojson()])

def run(parts, **arrays):
    g = mx.sym.load_json(mx.sym.Group(flat(list(parts))).tojson())
    gradients = {n: nd.zeros(a.shape) for n, a in arrays.items()}
    e = g.bind(mx.cpu(), arrays, gradients)
    e.forward(is_train=True)
    out.extend([o.copy() for o in e.outputs])
    e.backward([nd.ones(o.shape) for o in e.outputs])
    out.append({n: e.grad_dict[n].copy() for n in sorted(arrays)})

def look(parts, **arrays):
    out.extend(mx.sym.Group(flat(list(parts))).bind(mx.cpu(), arrays).forward())

two = nd.array([[1, 2], [3, 4], [5, 6]])
"""

_TEXTS = snippets(
    """
## text/two-outputs-in-one-symbol
cut = lambda x: mx.sym.split(x, num_outputs=2, axis=0)
o, z = F(lambda x, y: (cut(x), y), d, s)
out += [type(o).__name__, len(o), o[0].list_outputs(), z.list_outputs()]
o, z = F(lambda x, y: ([cut(x)], y), d, s)
out += [type(o[0]).__name__, len(o), o[0][0].list_outputs(), z.list_outputs()]
o, z = W(lambda i: i < 3, lambda i: (cut(mx.sym.concat(i, i, dim=0)), i + 1), [w], 4)
out += [type(o).__name__, len(o), len(z)]
o = IF(t, lambda: cut(d), lambda: cut(d * 2))
out += [type(o).__name__, len(o), o[0].list_outputs()]
## text/two-states-in-one-symbol
F(lambda x, y: (x, mx.sym.split(y, num_outputs=2, axis=0)), d, s)
## text/foreach-layer
fc = lambda x: mx.sym.FullyConnected(x, w, num_hidden=2, no_bias=True, name="fc")
show(F(lambda x, h: (fc(x) + h, h * 2), d, s, name="layer"))

## text/foreach-own-variables
fc = lambda x: mx.sym.FullyConnected(x, num_hidden=2, name="fc")
show(F(lambda x, h: (fc(x) + h, mx.sym.BatchNorm(h, name="bn")), d, s, name="own"))

## text/foreach-lists
show(F(lambda x, h: ([x[0] + h[0], x[1] * 2], [h[0] * 2]), [d, w], [s], name="lists"))

## text/foreach-no-state
show(F(lambda x, h: (x, h), d, [], name="nostate"))

## text/foreach-no-output
show(F(lambda x, h: ([], h + x), d, s, name="noout"))

## text/foreach-state-through
show(F(lambda x, h: (x * 2, h), d, s, name="through"))

## text/foreach-output-twice
def body(x, h):
    y = x * h
    return [y, y], y
show(F(body, d, s, name="twice"))

## text/foreach-outputs-from-outside
z = w * 2
show(F(lambda x, h: ([x * 2, z, w], h + 1), d, s, name="outside"))

## text/foreach-state-from-outside
z = w * 2
show(F(lambda x, h: (x * 2 + h, z), d, s, name="zstate"))

## text/foreach-uses-outside
z = mx.sym.SliceChannel(w, num_outputs=2, name="sl")
show(F(lambda x, h: (x * z[1], h + z[0]), d, s, name="uses"))

## text/foreach-captures-its-data
show(F(lambda x, h: (x * 2 + d, h + s), d, s, name="captures"))

## text/foreach-data-of-operators
sl = mx.sym.SliceChannel(w, num_outputs=2, name="sl")
show(F(lambda x, h: (x[0] * x[1] * h, h), [sl[0], sl[1]], s * 2, name="ops"))

## text/foreach-constants
show(F(lambda x, h: (x * mx.sym.ones((2,)), h + mx.sym.zeros((1,))), d, s, name="const"))

## text/foreach-long
show(F(lambda x, h: (x + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + h, h), d, s, name="long"))

## text/foreach-nested
z = w * 2
def body(x, h):
    return F(lambda p, q: (p + q + w + z, q * 2), x, h, name="inner")
show(F(body, d, s, name="outer"))

## text/foreach-cond
def body(x, h):
    return IF(x < h, lambda: x * w, lambda: h * 2, name="branch"), h
show(F(body, d, s, name="with_cond"))

## text/foreach-attributes
v = mx.sym.var("v", shape=(2,), lr_mult=2, attr={"__mine__": "1"})
show(F(lambda x, h: (x + v, h), d, s, name="with_attrs"))

## text/foreach-prefix
with mx.name.Prefix("pp_"):
    show(F(lambda x, h: (x * 2, h), d, s, name="prefixed"))

## text/while
z = w * 2
show(W(lambda i, j: i < z, lambda i, j: ([i * 2, w], [j + z, i]), [s, t], 3, name="loop"))

## text/while-single
show(W(lambda i: i < 4, lambda i: (i, i + 1), s, 3, name="single"))

## text/while-condition-from-outside
show(W(lambda i, j: w, lambda i, j: ([], [j, i]), [s, t], 3, name="free"))

## text/while-operators
z, sl = w * 2, mx.sym.SliceChannel(w, num_outputs=2, name="sl")
show(W(lambda i, j: i + j < 3, lambda i, j: ([], [j + 1, i]), [z, sl[1]], 3, name="ops"))

## text/cond
show(IF(d, lambda: s, lambda: t, name="plain"))

## text/cond-operators
z = w * 2
show(IF(z < s, lambda: z + w, lambda: z * z, name="ops_branch"))

## text/cond-shared
show(IF(d, lambda: d, lambda: d * s, name="shared"))

## text/cond-lists
show(IF(d, lambda: [s * w, [t]], lambda: [t + s, [s]], name="lists_branch"))

## text/internals
g = mx.sym.Group(flat(F(lambda x, h: (x * w, h * 2), d, s, name="internals")))
out += [g.get_internals().list_outputs(), g[0].get_children().list_outputs(), g[0].name, len(g)]
out += [sorted(g.attr_dict()["_foreach0"].items()), g[0].attr("num_outputs")]
""",
    before=_BEFORE,
)

_RUNS = snippets(
    """
## infer/foreach
fc = lambda x: mx.sym.FullyConnected(x, w, num_hidden=2, no_bias=True, name="fc")
g = mx.sym.Group(flat(F(lambda x, h: (fc(x) + h, h * 2), d, s)))
out += [g.infer_shape(data=(3, 4, 2), state=(4, 2)), g.infer_shape_partial(data=(3, 4, 5))]
out += [str(g.infer_type(data="float32"))]

## infer/foreach-vector
g = mx.sym.Group(flat(F(lambda x, h: (x * h, h + x), d, s)))
out += [g.infer_shape(data=(3,), state=(1,)), g.infer_shape(data=(3, 2))]

## infer/nested
def body(x, h):
    return F(lambda p, q: (mx.sym.FullyConnected(p, w, t, num_hidden=3) + q, q * 2), x, h)
g = mx.sym.Group(flat(F(body, d, s)))
out += [g.infer_shape(data=(2, 3, 4, 5), state=(4, 3))]

## infer/batch-norm
def body(x, h):
    return mx.sym.Dropout(x) * h, mx.sym.BatchNorm(x, w, t, fix_gamma=False, name="bn") * h
g = mx.sym.Group(flat(F(body, d, s)))
out += [g.list_arguments(), g.list_auxiliary_states(), g.infer_shape(data=(3, 2, 2), state=(2, 2))]

## run/foreach
fc = lambda x: mx.sym.FullyConnected(x, w, num_hidden=2, no_bias=True, name="fc")
run(F(lambda x, h: (fc(x) + h, h * 2), d, s), data=nd.arange(12).reshape((3, 2, 2)),
    state=nd.ones((2, 2)), w=nd.array([[1, 2], [3, 4]]))

## run/foreach-vector
run(F(lambda x, h: (x * h, h + x), d, s), data=nd.array([1, 2, 3]), state=nd.array([1]))

## run/foreach-outside
z = w * 2
look(F(lambda x, h: ([x * z, z], h + z), d * 3, s * 2), data=two, state=nd.ones((2,)), w=two[0])

## run/foreach-nested
def body(x, h):
    return F(lambda p, q: (p * q + w, q * p), x, h)
look(F(body, d, s), data=nd.arange(8).reshape((2, 4)) / 4, state=nd.ones((1,)), w=nd.array([3]))

## run/cond
for p in (1, 5):
    run([IF(d < s, lambda: d * w, lambda: s + t)], data=nd.array([p]), state=nd.array([2]),
        w=nd.array([3]), t=nd.array([4]))

## run/cond-shapes-differ
for p in (1, 0):
    run([IF(d, lambda: s, lambda: t)], data=nd.array([p]), state=nd.array([2]), t=nd.array([3, 4]))

## run/cond-of-two
run([IF(d, lambda: s, lambda: t)], data=nd.ones((2,)), state=nd.array([2]), t=nd.array([3]))

## run/while
i, j = mx.sym.var("i"), mx.sym.var("j")
o, v = W(lambda i, j: i < 4, lambda i, j: (i * j * w, [i + 1, j * i]), [i, j], max_iterations=3)
run([o, v], i=nd.array([1]), j=nd.array([2]), w=nd.array([3]))

## run/while-stops
i, j = mx.sym.var("i"), mx.sym.var("j")
o, v = W(lambda i, j: i < 3, lambda i, j: (i * j * w, [i + 1, j * i]), [i, j], max_iterations=5)
top = mx.sym.slice_axis(o, axis=0, begin=0, end=2)
run([top, v], i=nd.array([1]), j=nd.array([2]), w=nd.array([3]))

## run/predict
e = mx.sym.Group(flat(F(lambda x, h: (mx.sym.Dropout(x, p=0.9) + h, h), d, s))).bind(
    mx.cpu(), {"data": two, "state": nd.ones((2,))})
out += e.forward(is_train=False)

## error/data-unused
F(lambda x, h: (h * 2, h + 1), d, s)

## error/state-unused
F(lambda x, h: (x * 2, x + 1), d, s)

## error/names-clash
F(lambda x, h: (x[0] + x[1] * h, h), [d, d], s)

## error/other-format
F(lambda x, h: (x, [h, h]), d, s)

## error/data-is-no-symbol
F(lambda x, h: (x, h), 1, s)

## error/states-are-no-symbols
F(lambda x, h: (x, h), d, nd.ones((1,)))

## error/output-is-no-symbol
F(lambda x, h: ([x, None], h), d, s)

## error/no-pair
F(lambda x, h: x, d, s)

## error/nothing-comes-out
F(lambda x, h: ([], []), d, [])

## error/while-no-limit
W(lambda i: i < 2, lambda i: (i, i + 1), s)

## error/while-limit
W(lambda i: i < 2, lambda i: (i, i + 1), s, 0)

## error/while-limit-is-text
W(lambda i: i < 2, lambda i: (i, i + 1), s, "many")

## error/while-condition
W(lambda i: 3, lambda i: (i, i + 1), s, 2)

## error/while-variables
W(lambda i, j: i < 2, lambda i, j: (i, [i + 1]), [s, t], 2)

## error/while-unused
W(lambda i, j: i < 2, lambda i, j: (i, [i + 1, i]), [s, t], 2)

## error/while-none
W(lambda i: i < 2, lambda i: (i, i), [], 2)

## error/while-output
W(lambda i: i < 2, lambda i: (3, i), s, 2)

## error/cond-number
IF(1, lambda: s, lambda: t)

## error/cond-branch
IF(d, lambda: 3, lambda: t)

## error/cond-counts
IF(d, lambda: [s, t], lambda: [t])
""",
    before=_BEFORE,
)

CASES = _TEXTS + _RUNS
