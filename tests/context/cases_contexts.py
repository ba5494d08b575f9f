"""Contexts: construction, comparison, defaults, scopes, and arrays on several of them."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets("""
## construct
out += [
    str(c)
    for c in (
        mx.cpu(),
        mx.cpu(0),
        mx.cpu(3),
        mx.gpu(),
        mx.gpu(0),
        mx.gpu(2),
        mx.cpu_pinned(),
        mx.cpu_pinned(1),
        mx.Context('cpu', 2),
        mx.Context('gpu', 1),
    )
]

## repr
out += [repr(mx.cpu()), repr(mx.gpu(1)), repr(mx.cpu_pinned(0)), repr([mx.cpu(0), mx.cpu(1)])]

## attributes
c = mx.gpu(3)
out += [
    c.device_type,
    c.device_id,
    c.device_typeid,
    mx.cpu().device_typeid,
    mx.cpu_pinned().device_typeid,
    mx.cpu(2).device_id,
]

## from-context
out += [str(mx.Context(mx.cpu(2))), mx.Context(mx.cpu(2)) == mx.cpu(2)]

## default-id
out += [str(mx.Context('cpu')), str(mx.Context('gpu'))]

## equality
out += [
    mx.cpu(0) == mx.cpu(),
    mx.cpu(0) == mx.cpu(1),
    mx.cpu(0) != mx.cpu(1),
    mx.cpu(0) == mx.gpu(0),
    mx.cpu(0) == 'cpu(0)',
    mx.cpu(0) == None,
    mx.cpu(0) in [mx.cpu(0)],
    mx.cpu() is mx.cpu(),
]

## hash
d = {mx.cpu(0): 'a', mx.cpu(1): 'b'}
out += [d[mx.cpu()], d[mx.cpu(1)], len({mx.cpu(0), mx.cpu(), mx.cpu(1)})]

## maps
out += [
    tuple(sorted(mx.Context.devtype2str.items())),
    tuple(sorted(mx.Context.devstr2type.items())),
]

## bad-type
mx.Context('tpu', 0)

## same-class
out += [mx.Context is mx.context.Context, type(mx.cpu()).__name__, mx.cpu is mx.context.cpu]

## absent-gpu/num_gpus
out.append(mx.context.num_gpus())

## absent-gpu/memory-info
mx.context.gpu_memory_info(0)

## current
out += [str(mx.current_context()), str(mx.context.current_context())]

## scope
with mx.cpu(1):
    a = nd.zeros((2,))
    c = str(mx.current_context())
out += [str(a.context), c, str(mx.current_context())]

## scope-nested
with mx.cpu(1):
    with mx.Context('cpu', 2):
        a = nd.ones((1,))
    b = nd.ones((1,))
out += [str(a.context), str(b.context), str(nd.ones((1,)).context)]

## scope-survives-error
try:
    with mx.cpu(1):
        raise KeyError
except KeyError:
    pass
out.append(str(mx.current_context()))

## scope-explicit-wins
with mx.cpu(1):
    a = nd.zeros((2,), ctx=mx.cpu(2))
out.append(str(a.context))

## scope-creators
with mx.cpu(1):
    l = [
        nd.array([1]),
        nd.zeros((1,)),
        nd.ones((1,)),
        nd.full((1,), 2),
        nd.arange(2),
        nd.eye(2),
        nd.linspace(0, 1, 3),
        nd.empty((1,)),
        nd.random.uniform(shape=(1,)),
        nd.random.normal(shape=(1,)),
        nd.random.randint(0, 5, shape=(1,)),
        nd.one_hot(nd.array([1]), 3),
        nd.array(nd.array([1], ctx=mx.cpu(2))),
    ]
out += [str(x.context) for x in l]

## scope-ops-follow-inputs
x = nd.ones((2,), ctx=mx.cpu(2))
with mx.cpu(1):
    y = x + 1
    z = nd.exp(x)
out += [str(y.context), str(z.context)]

## scope-per-thread
import threading
r = []
with mx.cpu(1):
    t = threading.Thread(target=lambda: r.append(str(mx.current_context())))
    t.start()
    t.join()
out += r

## creators-ctx
c = mx.cpu(1)
l = [
    nd.array([1], ctx=c),
    nd.zeros((1,), ctx=c),
    nd.ones((1,), c),
    nd.full((1,), 2, ctx=c),
    nd.arange(2, ctx=c),
    nd.eye(2, ctx=c),
    nd.random.uniform(shape=(1,), ctx=c),
    nd.random.normal(0, 1, (1,), ctx=c),
    nd.random.randint(0, 5, (1,), ctx=c),
    nd.random.exponential(1, (1,), ctx=c),
    nd.random.poisson(1, (1,), ctx=c),
]
out += [str(x.context) for x in l]

## ops-keep-context
x = nd.arange(6, ctx=mx.cpu(1)).reshape((2, 3))
l = [
    x + 1,
    x * x,
    x[0],
    x[:, 1],
    x[[0, 1]],
    x.T,
    x.sum(),
    x.argmax(axis=1),
    x.reshape((3, 2)),
    x.copy(),
    x.astype('int32'),
    nd.dot(x, x.T),
    x.one_hot(4),
    nd.concat(x, x),
    nd.zeros_like(x),
    x.detach(),
    x > 1,
    -x,
    1 - x,
    nd.split(x, 3)[0],
    nd.stack(x, x),
    x.max(axis=0),
]
out.append(tuple(str(v.context) for v in l))

## like-creators
x = nd.ones((2,), ctx=mx.cpu(1))
out += [
    str(nd.zeros_like(x).context),
    str(nd.ones_like(x).context),
    str(nd.array(x).context),
    str(nd.array(x, ctx=mx.cpu(2)).context),
]

## move/as_in_context
x = nd.arange(3)
y = x.as_in_context(mx.cpu(1))
y += 1
out += [x, y, str(y.context)]

## move/copyto-context
x = nd.arange(3)
y = x.copyto(mx.cpu(2))
out += [y, str(y.context)]

## move/copyto-array
x, y = nd.arange(3), nd.zeros((3,), ctx=mx.cpu(1))
x.copyto(y)
out += [y, str(y.context)]

## move/setitem-across
x, y = nd.arange(3), nd.zeros((3,), ctx=mx.cpu(1))
y[:] = x
out += [y, str(y.context)]

## move/row-across
x, y = nd.arange(3), nd.zeros((2, 3), ctx=mx.cpu(1))
y[1] = x
out += [y, str(y.context)]

## move/array-ctx
y = nd.array(nd.arange(3), ctx=mx.cpu(1))
out += [y, str(y.context)]

## move/gradient-flows
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x.as_in_context(mx.cpu(1)) * 3
    z = y.as_in_context(mx.cpu(0)) * x
z.backward()
out += [x.grad, str(x.grad.context)]

## move/copyto-gradient
x = nd.array([1, 2])
x.attach_grad()
with autograd.record():
    y = x.copyto(mx.cpu(1)) * 3
y.backward()
out.append(x.grad)

## grad-context
x = nd.ones((2,), ctx=mx.cpu(1))
x.attach_grad()
out.append(str(x.grad.context))

## mixed/add
r = nd.ones((2,)) + nd.ones((2,), ctx=mx.cpu(1))
out += [r, str(r.context)]

## mixed/add-reversed
r = nd.ones((2,), ctx=mx.cpu(1)) + nd.ones((2,))
out += [r, str(r.context)]

## mixed/broadcast
r = nd.ones((2, 1), ctx=mx.cpu(1)) * nd.ones((1, 2))
out += [r, str(r.context)]

## mixed/iadd
x = nd.ones((2,), ctx=mx.cpu(1))
x += nd.ones((2,))
out += [x, str(x.context)]

## mixed/dot
r = nd.dot(nd.ones((2, 2)), nd.ones((2, 2), ctx=mx.cpu(1)))
out += [r, str(r.context)]

## mixed/concat
r = nd.concat(nd.ones((2,)), nd.ones((2,), ctx=mx.cpu(1)), dim=0)
out += [r, str(r.context)]

## mixed/index
r = nd.arange(3)[nd.array([1], ctx=mx.cpu(1))]
out += [r, str(r.context)]

## mixed/elemwise_add
r = nd.elemwise_add(nd.ones((2,)), nd.ones((2,), ctx=mx.cpu(1)))
out += [r, str(r.context)]

## absent-gpu/array
nd.array([1], ctx=mx.gpu(0)).asnumpy()

## absent-gpu/zeros
nd.zeros((1,), ctx=mx.gpu(0)).asnumpy()

## absent-gpu/as_in_context
nd.ones((1,)).as_in_context(mx.gpu(0)).asnumpy()

## absent-gpu/random
nd.random.uniform(shape=(1,), ctx=mx.gpu(0)).asnumpy()

## absent-gpu/initialize
net = nn.Dense(2, in_units=2)
net.initialize(ctx=mx.gpu(0))
net(nd.ones((1, 2), ctx=mx.gpu(0)))

## pinned/array
out.append(nd.ones((2,), ctx=mx.cpu_pinned(0)).asnumpy())

## random/one-stream [exact]
mx.random.seed(3)
a = nd.random.uniform(shape=(2,), ctx=mx.cpu(0))
b = nd.random.uniform(shape=(2,), ctx=mx.cpu(1))
mx.random.seed(3)
c = nd.random.uniform(shape=(2,), ctx=mx.cpu(1))
out += [a, b, c]

## split/split_data
out += gluon.utils.split_data(nd.arange(12).reshape((6, 2)), 3)

## split/split_data-axis
out += gluon.utils.split_data(nd.arange(12).reshape((2, 6)), 3, batch_axis=1)

## split/split_data-uneven
out += gluon.utils.split_data(nd.arange(10), 4, even_split=False)

## split/split_data-uneven-refused
gluon.utils.split_data(nd.arange(10), 4)

## split/split_data-few
out += gluon.utils.split_data(nd.arange(3), 5, even_split=False)

## split/split_data-few-even
gluon.utils.split_data(nd.arange(3), 5)

## split/load
l = gluon.utils.split_and_load(nd.arange(8), [mx.cpu(0), mx.cpu(1)])
out += [*l, tuple(str(x.context) for x in l)]

## split/load-numpy
l = gluon.utils.split_and_load(onp.arange(8), [mx.cpu(0), mx.cpu(1)])
out += [*l, tuple(str(x.context) for x in l), onp.dtype(l[0].dtype).name]

## split/load-list
l = gluon.utils.split_and_load([1, 2, 3, 4], [mx.cpu(0), mx.cpu(1)])
out += l

## split/load-one
l = gluon.utils.split_and_load(nd.arange(8), [mx.cpu(1)])
out += [len(l), l[0], str(l[0].context)]

## split/load-uneven
l = gluon.utils.split_and_load(nd.arange(7), [mx.cpu(i) for i in range(3)], even_split=False)
out += [*l, tuple(str(x.context) for x in l)]

## split/load-axis
l = gluon.utils.split_and_load(
    nd.arange(12).reshape((3, 4)), [mx.cpu(0), mx.cpu(1)], batch_axis=1
)
out += l

## split/load-shares
x = nd.zeros((4,))
l = gluon.utils.split_and_load(x, [mx.cpu(0)])
l[0][:] = 1
out.append(x)

## split/load-views
x = nd.zeros((4,))
l = gluon.utils.split_and_load(x, [mx.cpu(0), mx.cpu(1)])
l[0][:] = 1
l[1][:] = 2
out.append(x)

## split/gradient
x = nd.arange(4)
x.attach_grad()
with autograd.record():
    a, b = gluon.utils.split_and_load(x, [mx.cpu(0), mx.cpu(1)])
    y, z = a * 2, b * 3
autograd.backward([y, z])
out.append(x.grad)

## environment/visible-devices
import os
old = os.environ.get('CUDA_VISIBLE_DEVICES')
os.environ['CUDA_VISIBLE_DEVICES'] = '1,2'
out += [str(mx.gpu(0)), str(mx.gpu(1)), str(nd.ones((1,)).context)]
if old is None:
    del os.environ['CUDA_VISIBLE_DEVICES']
else:
    os.environ['CUDA_VISIBLE_DEVICES'] = old

## default_ctx-class
out += [str(mx.Context.default_ctx)] if hasattr(mx.Context, 'default_ctx') else ['none']

## empty_cache-cpu
mx.cpu(0).empty_cache()
out.append('ok')

## random-seed-ctx [exact]
mx.random.seed(5, ctx=mx.cpu(1))
out.append(nd.random.uniform(shape=(3,)))

## string-ctx
nd.zeros((1,), ctx='cpu')

## bad-ctx
nd.zeros((1,), ctx=3)
""")
