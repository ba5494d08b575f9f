"""Groups of nodes on contexts: `AttrScope(ctx_group=...)` and `group2ctx`."""

from tests.snippets import snippets

_BEFORE = """
with mx.AttrScope(ctx_group='d1'):
    x = sym.var('x')
    f = sym.FullyConnected(x, num_hidden=3, name='f')
    r = sym.Activation(f, act_type='relu', name='r')
with mx.AttrScope(ctx_group='d2'):
    h = sym.FullyConnected(r, num_hidden=2, name='h')
    b = sym.BatchNorm(h, name='b')
    v = sym.var('v')
w = sym.var('w')
groups = {'d1': mx.cpu(1), 'd2': mx.cpu(2)}
def note(e):
    for part in (e.arg_dict, e.grad_dict, e.aux_dict):
        out.append({k: str(part[k].context) for k in sorted(part)})
    out.append([str(o.context) for o in e.outputs])
"""

CASES = snippets(
    """
## simple-bind
e = sym.Group([r, b]).simple_bind(mx.cpu(0), x=(2, 4), group2ctx=groups)
note(e)
for a in e.arg_dict.values():
    a[:] = 0.1
out += e.forward(is_train=True)
e.backward([nd.ones((2, 3), ctx=mx.cpu(1)), nd.ones((2, 2), ctx=mx.cpu(2))])
note(e)
out.append(e.grad_dict['x'])

## simple-bind/no-groups
note(b.simple_bind(mx.cpu(3), x=(2, 4)))
note(b.simple_bind(mx.cpu(3), x=(2, 4), group2ctx={}))

## simple-bind/unknown-group
b.simple_bind(mx.cpu(3), x=(2, 4), group2ctx={'d1': mx.cpu(1)})

## simple-bind/nodes-without-group
for s in (w + r, v + r, sym.exp(v), sym.exp(w + r), sym.zeros((2, 3)) + r, w, v):
    shapes = {k: (2, 3) for k in s.list_arguments() if k in ('v', 'w')}
    if 'x' in s.list_arguments():
        shapes['x'] = (2, 4)
    e = s.simple_bind(mx.cpu(0), group2ctx=groups, **shapes)
    out.append([str(e.arg_dict[k].context) for k in sorted(e.arg_dict)])
    out.append([str(o.context) for o in e.outputs])

## reshape
e = r.simple_bind(mx.cpu(0), x=(2, 4), group2ctx=groups).reshape(x=(1, 4))
note(e)
out.append(str(e.forward()[0].context))

## bind
for ctx in (mx.cpu(0), mx.cpu(1), mx.cpu(2)):
    e = (sym.exp(r) + w).bind(mx.cpu(0), {
        'x': nd.ones((2, 4)), 'f_weight': nd.ones((3, 4), ctx=mx.cpu(1)),
        'f_bias': nd.ones(3, ctx=mx.cpu(1)), 'w': nd.ones((2, 3), ctx=ctx)}, group2ctx=groups)
    out += [*e.forward(), str(e.outputs[0].context)]

## bind/elsewhere
sym.exp(w).bind(mx.cpu(0), {'w': nd.ones(2, ctx=mx.cpu(1))})

## module
net = sym.SoftmaxOutput(b, name='softmax')
for given in ([groups, {'d1': mx.cpu(4), 'd2': mx.cpu(5)}], groups,
              {'d1': mx.cpu(1), 'd2': [mx.cpu(2), mx.cpu(3)]}):
    m = mx.mod.Module(net, data_names=['x'], context=[mx.cpu(0), mx.cpu(3)], group2ctxs=given)
    m.bind([('x', (4, 4))], [('softmax_label', (4,))])
    m.init_params(mx.init.One())
    m.forward(mx.io.DataBatch([nd.ones((4, 4))], [nd.zeros(4)]), is_train=True)
    m.backward()
    out.append([str(o.context) for o in m.get_outputs(False)[0]])
    out.append(str(m.get_outputs()[0].context))
    for e in m._exec_group.execs:
        out.append({k: str(e.arg_dict[k].context) for k in sorted(e.arg_dict)})
        out.append({k: str(e.aux_dict[k].context) for k in sorted(e.aux_dict)})

## attributes-of-a-loop
with mx.AttrScope(ctx_group='d1'):
    o, s = sym.contrib.foreach(lambda d, st: (d + st, st), w, v)
found = o.attr_dict()
out.append({k: sorted(found[k]) for k in sorted(found)})
""",
    _BEFORE,
)
