"""mx.contrib.amp: lists, loss scaling, casts put into graphs. (`amp.init`: test_amp.py.)"""

from __future__ import annotations

from tests.snippets import snippets

_SETUP = """
import json
amp = mx.contrib.amp if hasattr(mx.contrib, 'amp') else __import__('mxnet.contrib.amp').contrib.amp
def nodes(symbol):
    rows = json.loads(symbol.tojson(remove_amp_cast=False))['nodes']
    return [(n['op'], n['name'], n.get('attrs'), [i[:2] for i in n['inputs']]) for n in rows]
def build():
    r = sym.Convolution(sym.var('data'), kernel=(3, 3), num_filter=2, name='conv0')
    r = sym.Activation(sym.BatchNorm(r, name='bn'), act_type='relu', name='r')
    f = sym.FullyConnected(r, num_hidden=3, name='fc')
    e = sym.exp(f + sym.FullyConnected(r, num_hidden=3, name='fd'), name='ee')
    s = sym.Activation(e, act_type='softrelu', name='sr')
    return sym.SoftmaxOutput(sym.concat(s, f, name='cc'), name='softmax')
"""

CASES = snippets(
    """
## lists
for dtype in ('float16', onp.float16, amp.amp.bfloat16):
    out += [amp.list_lp16_ops(dtype), amp.list_fp32_ops(dtype), amp.list_lp16_fp32_ops(dtype)]
    out += [amp.list_conditional_fp32_ops(dtype), amp.list_widest_type_cast(dtype)]
    out += [amp.list_loss_output_functions(dtype), amp.list_lp16_use_fp32_params(dtype)]

## lists/other-type
amp.list_fp32_ops('float32')

## init/other-type
amp.init('float64')

## init-trainer/before-init
net = nn.Dense(1, in_units=1)
net.initialize()
amp.init_trainer(gluon.Trainer(net.collect_params(), 'sgd'))

## scaler
net = nn.Dense(2, in_units=2)
net.initialize()
p = net.weight
s = amp.loss_scaler.LossScaler()
def state():
    return [s.loss_scale, s._next_loss_scale, s._unskipped]
out += [state(), s._max_loss_scale, s._scale_seq_len]
for value in (float('nan'), 1.0, float('inf'), 1.0):
    p.grad()[:] = value
    out += [s.has_overflow([p]), state()]
s._unskipped = 1999
out += [s.has_overflow([p]), state(), s.has_overflow([p]), state()]
s._next_loss_scale, s._unskipped = 2.0 ** 24, 1999
out += [s.has_overflow([p]), state()]

## scale-loss
net = nn.Dense(2, in_units=3)
net.initialize()
t = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'rescale_grad': 0.5})
t._amp_loss_scaler, t._amp_original_scale = amp.loss_scaler.LossScaler(), t._scale
x = nd.ones((4, 3))
before = net.weight.data().copy()
with autograd.record():
    with amp.scale_loss(net(x).sum(), t) as scaled:
        out.append(scaled)
    scaled.backward()
    with amp.scale_loss([net(x), net(x)], t) as several:
        out += [type(several).__name__, len(several)]
out += [net.weight.grad(), t._scale]
t.step(4)
out.append(net.weight.data() - before)
with autograd.record():
    with amp.scale_loss(net(x).sum(), t) as scaled:
        scaled.backward()
amp.unscale(t)
out += [net.weight.grad(), t._scale]
net.weight.grad()[:] = float('inf')
before = net.bias.data().copy()
t.step(4)
out += [net.bias.data() - before, t._amp_loss_scaler._next_loss_scale]

## scale-loss/no-scaler
net = nn.Dense(2, in_units=3)
net.initialize()
with amp.scale_loss(nd.ones((1,)), gluon.Trainer(net.collect_params(), 'sgd')):
    pass

## unscale/no-trainer
amp.unscale(3)

## convert-symbol
s = build()
out += [nodes(amp.convert_symbol(s, data_names=['data', 'softmax_label']))]
out += [nodes(amp.convert_symbol(s, data_names=['data'], cast_optional_params=True))]
lists = dict(target_dtype_ops=['Convolution', 'FullyConnected'], fp32_ops=['exp'],
             conditional_fp32_ops=[('Activation', 'act_type', ['relu'])])
out += [nodes(amp.convert_symbol(s, excluded_sym_names=['fc'], **lists))]
out += [amp.convert_symbol(s).tojson() == amp.convert_symbol(s).tojson(remove_amp_cast=True)]
out += [len(nodes(s)), len(json.loads(amp.convert_symbol(s).tojson())['nodes'])]

## convert-symbol/no-symbol
amp.convert_symbol('x')

## convert-symbol/other-type
amp.convert_symbol(build(), target_dtype='int8')

## convert-symbol/unknown-operator
amp.convert_symbol(build(), target_dtype_ops=['zz'])

## convert-symbol/no-list
amp.convert_symbol(build(), target_dtype_ops='zz')

## convert-symbol/two-lists
amp.convert_symbol(build(), target_dtype_ops=['exp'], fp32_ops=['exp'])

## convert-symbol/excluded-no-list
amp.convert_symbol(build(), excluded_sym_names='zz')

## convert-model
s = build()
args, _, aux = s.infer_shape(data=(1, 1, 4, 4))
a = {n: nd.ones(d) for n, d in zip(s.list_arguments(), args) if n not in ('data', 'softmax_label')}
x = {n: nd.ones(d) for n, d in zip(s.list_auxiliary_states(), aux)}
for cast in (False, True):
    r, ra, rx = amp.convert_model(s, a, x, cast_optional_params=cast)
    out += [{k: v.dtype.__name__ for k, v in {**ra, **rx}.items()}, nodes(r)]

## convert-model/no-dict
amp.convert_model(build(), [], {})

## convert-block
import warnings
net = nn.HybridSequential()
net.add(nn.Conv2D(2, 3, in_channels=1), nn.BatchNorm(), nn.Dense(3))
net.initialize()
net.hybridize()
net(nd.ones((1, 1, 4, 4)))
with warnings.catch_warnings():
    warnings.simplefilter('ignore')
    for cast in (False, True):
        new = amp.convert_hybrid_block(net, ctx=mx.cpu(), cast_optional_params=cast)
        out += [type(new).__name__, repr(new)]
        out += [{k: onp.dtype(v.dtype).name for k, v in new.collect_params().items()}]

## convert-block/not-run
amp.convert_hybrid_block(nn.Dense(2), ctx=mx.cpu())

## convert-symbol/outputs
f = sym.FullyConnected(sym.var('data'), num_hidden=2, name='f')
for s in (f, sym.split(f, num_outputs=2, name='sp'), sym.softmax(f, name='x')):
    converted = amp.convert_symbol(s)
    out += [nodes(converted), converted.tojson()]

## convert-symbol/types-known-and-unknown
x, q = sym.var('data'), sym.var('q')
c = sym.Convolution(x, num_filter=2, kernel=(1, 1), name='c')
b, s = sym.broadcast_add(c, q, name='b'), sym.softmax(x, name='s')
for y in (sym.relu(x, name='r'), sym.softmax(sym.relu(b, name='r'), name='t'), x + 1, x,
          sym.Concat(x, x, name='k'), sym.Concat(c, s, q, name='k'), sym.Concat(c, s, name='k'),
          sym.Group([sym.softmax(c, name='t'), sym.Concat(c, c, name='k'), sym.relu(c, name='r')]),
          sym.Group([sym.Concat(c, c, name='k'), sym.softmax(c, name='t')]),
          sym.Concat(sym.BatchNorm(c, name='n'), c, name='k'), sym.BatchNorm(s, name='n'),
          sym.Concat(sym.FullyConnected(q, num_hidden=2, name='f'), q, name='k')):
    out.append(nodes(amp.convert_symbol(y)))

## convert-symbol/in-two-lists
amp.convert_symbol(sym.FullyConnected(sym.var('data'), num_hidden=2), fp32_ops=['FullyConnected'])

## convert-block/no-block
amp.convert_hybrid_block('q', ctx=mx.cpu())
""",
    before=_SETUP,
)
