"""Contexts: construction, comparison, defaults, scopes, and arrays on several of them."""

from __future__ import annotations

from tests.cases import C

CASES = [
    C("construct", "out += [str(c) for c in (mx.cpu(), mx.cpu(0), mx.cpu(3), mx.gpu(), mx.gpu(0), mx.gpu(2),"
      " mx.cpu_pinned(), mx.cpu_pinned(1), mx.Context('cpu', 2), mx.Context('gpu', 1))]"),
    C("repr", "out += [repr(mx.cpu()), repr(mx.gpu(1)), repr(mx.cpu_pinned(0)), repr([mx.cpu(0), mx.cpu(1)])]"),
    C("attributes", "c = mx.gpu(3)\nout += [c.device_type, c.device_id, c.device_typeid, mx.cpu().device_typeid,"
      " mx.cpu_pinned().device_typeid, mx.cpu(2).device_id]"),
    C("from-context", "out += [str(mx.Context(mx.cpu(2))), mx.Context(mx.cpu(2)) == mx.cpu(2)]"),
    C("default-id", "out += [str(mx.Context('cpu')), str(mx.Context('gpu'))]"),
    C("equality", "out += [mx.cpu(0) == mx.cpu(), mx.cpu(0) == mx.cpu(1), mx.cpu(0) != mx.cpu(1), mx.cpu(0) == mx.gpu(0),"
      " mx.cpu(0) == 'cpu(0)', mx.cpu(0) == None, mx.cpu(0) in [mx.cpu(0)], mx.cpu() is mx.cpu()]"),
    C("hash", "d = {mx.cpu(0): 'a', mx.cpu(1): 'b'}\nout += [d[mx.cpu()], d[mx.cpu(1)], len({mx.cpu(0), mx.cpu(), mx.cpu(1)})]"),
    C("maps", "out += [tuple(sorted(mx.Context.devtype2str.items())), tuple(sorted(mx.Context.devstr2type.items()))]"),
    C("bad-type", "mx.Context('tpu', 0)"),
    C("same-class", "out += [mx.Context is mx.context.Context, type(mx.cpu()).__name__, mx.cpu is mx.context.cpu]"),
    C("absent-gpu/num_gpus", "out.append(mx.context.num_gpus())"),
    C("absent-gpu/memory-info", "mx.context.gpu_memory_info(0)"),
    C("current", "out += [str(mx.current_context()), str(mx.context.current_context())]"),
    C("scope", "with mx.cpu(1):\n    a = nd.zeros((2,))\n    c = str(mx.current_context())\n"
      "out += [str(a.context), c, str(mx.current_context())]"),
    C("scope-nested", "with mx.cpu(1):\n    with mx.Context('cpu', 2):\n        a = nd.ones((1,))\n    b = nd.ones((1,))\n"
      "out += [str(a.context), str(b.context), str(nd.ones((1,)).context)]"),
    C("scope-survives-error", "try:\n    with mx.cpu(1):\n        raise KeyError\nexcept KeyError:\n    pass\n"
      "out.append(str(mx.current_context()))"),
    C("scope-explicit-wins", "with mx.cpu(1):\n    a = nd.zeros((2,), ctx=mx.cpu(2))\nout.append(str(a.context))"),
    C("scope-creators", "with mx.cpu(1):\n    l = [nd.array([1]), nd.zeros((1,)), nd.ones((1,)), nd.full((1,), 2), nd.arange(2),"
      " nd.eye(2), nd.linspace(0, 1, 3), nd.empty((1,)), nd.random.uniform(shape=(1,)), nd.random.normal(shape=(1,)),"
      " nd.random.randint(0, 5, shape=(1,)), nd.one_hot(nd.array([1]), 3), nd.array(nd.array([1], ctx=mx.cpu(2)))]\n"
      "out += [str(x.context) for x in l]"),
    C("scope-ops-follow-inputs", "x = nd.ones((2,), ctx=mx.cpu(2))\nwith mx.cpu(1):\n    y = x + 1\n    z = nd.exp(x)\n"
      "out += [str(y.context), str(z.context)]"),
    C("scope-per-thread", "import threading\nr = []\nwith mx.cpu(1):\n"
      "    t = threading.Thread(target=lambda: r.append(str(mx.current_context())))\n    t.start()\n    t.join()\nout += r"),
    C("creators-ctx", "c = mx.cpu(1)\nl = [nd.array([1], ctx=c), nd.zeros((1,), ctx=c), nd.ones((1,), c), nd.full((1,), 2, ctx=c),"
      " nd.arange(2, ctx=c), nd.eye(2, ctx=c), nd.random.uniform(shape=(1,), ctx=c), nd.random.normal(0, 1, (1,), ctx=c),"
      " nd.random.randint(0, 5, (1,), ctx=c), nd.random.exponential(1, (1,), ctx=c), nd.random.poisson(1, (1,), ctx=c)]\n"
      "out += [str(x.context) for x in l]"),
    C("ops-keep-context", "x = nd.arange(6, ctx=mx.cpu(1)).reshape((2, 3))\n"
      "l = [x + 1, x * x, x[0], x[:, 1], x[[0, 1]], x.T, x.sum(), x.argmax(axis=1), x.reshape((3, 2)), x.copy(), x.astype('int32'),"
      " nd.dot(x, x.T), x.one_hot(4), nd.concat(x, x), nd.zeros_like(x), x.detach(), x > 1, -x, 1 - x, nd.split(x, 3)[0],"
      " nd.stack(x, x), x.max(axis=0)]\n"
      "out.append(tuple(str(v.context) for v in l))"),
    C("like-creators", "x = nd.ones((2,), ctx=mx.cpu(1))\nout += [str(nd.zeros_like(x).context), str(nd.ones_like(x).context),"
      " str(nd.array(x).context), str(nd.array(x, ctx=mx.cpu(2)).context)]"),
    C("move/as_in_context", "x = nd.arange(3)\ny = x.as_in_context(mx.cpu(1))\ny += 1\nout += [x, y, str(y.context)]"),
    C("move/copyto-context", "x = nd.arange(3)\ny = x.copyto(mx.cpu(2))\nout += [y, str(y.context)]"),
    C("move/copyto-array", "x, y = nd.arange(3), nd.zeros((3,), ctx=mx.cpu(1))\nx.copyto(y)\nout += [y, str(y.context)]"),
    C("move/setitem-across", "x, y = nd.arange(3), nd.zeros((3,), ctx=mx.cpu(1))\ny[:] = x\nout += [y, str(y.context)]"),
    C("move/row-across", "x, y = nd.arange(3), nd.zeros((2, 3), ctx=mx.cpu(1))\ny[1] = x\nout += [y, str(y.context)]"),
    C("move/array-ctx", "y = nd.array(nd.arange(3), ctx=mx.cpu(1))\nout += [y, str(y.context)]"),
    C("move/gradient-flows", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n"
      "    y = x.as_in_context(mx.cpu(1)) * 3\n    z = y.as_in_context(mx.cpu(0)) * x\nz.backward()\nout += [x.grad, str(x.grad.context)]"),
    C("move/copyto-gradient", "x = nd.array([1, 2])\nx.attach_grad()\nwith autograd.record():\n"
      "    y = x.copyto(mx.cpu(1)) * 3\ny.backward()\nout.append(x.grad)"),
    C("grad-context", "x = nd.ones((2,), ctx=mx.cpu(1))\nx.attach_grad()\nout.append(str(x.grad.context))"),
    C("mixed/add", "r = nd.ones((2,)) + nd.ones((2,), ctx=mx.cpu(1))\nout += [r, str(r.context)]"),
    C("mixed/add-reversed", "r = nd.ones((2,), ctx=mx.cpu(1)) + nd.ones((2,))\nout += [r, str(r.context)]"),
    C("mixed/broadcast", "r = nd.ones((2, 1), ctx=mx.cpu(1)) * nd.ones((1, 2))\nout += [r, str(r.context)]"),
    C("mixed/iadd", "x = nd.ones((2,), ctx=mx.cpu(1))\nx += nd.ones((2,))\nout += [x, str(x.context)]"),
    C("mixed/dot", "r = nd.dot(nd.ones((2, 2)), nd.ones((2, 2), ctx=mx.cpu(1)))\nout += [r, str(r.context)]"),
    C("mixed/concat", "r = nd.concat(nd.ones((2,)), nd.ones((2,), ctx=mx.cpu(1)), dim=0)\nout += [r, str(r.context)]"),
    C("mixed/index", "r = nd.arange(3)[nd.array([1], ctx=mx.cpu(1))]\nout += [r, str(r.context)]"),
    C("mixed/elemwise_add", "r = nd.elemwise_add(nd.ones((2,)), nd.ones((2,), ctx=mx.cpu(1)))\nout += [r, str(r.context)]"),
    C("absent-gpu/array", "nd.array([1], ctx=mx.gpu(0)).asnumpy()"),
    C("absent-gpu/zeros", "nd.zeros((1,), ctx=mx.gpu(0)).asnumpy()"),
    C("absent-gpu/as_in_context", "nd.ones((1,)).as_in_context(mx.gpu(0)).asnumpy()"),
    C("absent-gpu/random", "nd.random.uniform(shape=(1,), ctx=mx.gpu(0)).asnumpy()"),
    C("absent-gpu/initialize", "net = nn.Dense(2, in_units=2)\nnet.initialize(ctx=mx.gpu(0))\nnet(nd.ones((1, 2), ctx=mx.gpu(0)))"),
    C("pinned/array", "out.append(nd.ones((2,), ctx=mx.cpu_pinned(0)).asnumpy())"),
    C("random/one-stream", "mx.random.seed(3)\na = nd.random.uniform(shape=(2,), ctx=mx.cpu(0))\n"
      "b = nd.random.uniform(shape=(2,), ctx=mx.cpu(1))\nmx.random.seed(3)\n"
      "c = nd.random.uniform(shape=(2,), ctx=mx.cpu(1))\nout += [a, b, c]", cls="exact"),
    C("split/split_data", "out += gluon.utils.split_data(nd.arange(12).reshape((6, 2)), 3)"),
    C("split/split_data-axis", "out += gluon.utils.split_data(nd.arange(12).reshape((2, 6)), 3, batch_axis=1)"),
    C("split/split_data-uneven", "out += gluon.utils.split_data(nd.arange(10), 4, even_split=False)"),
    C("split/split_data-uneven-refused", "gluon.utils.split_data(nd.arange(10), 4)"),
    C("split/split_data-few", "out += gluon.utils.split_data(nd.arange(3), 5, even_split=False)"),
    C("split/split_data-few-even", "gluon.utils.split_data(nd.arange(3), 5)"),
    C("split/load", "l = gluon.utils.split_and_load(nd.arange(8), [mx.cpu(0), mx.cpu(1)])\nout += [*l, tuple(str(x.context) for x in l)]"),
    C("split/load-numpy", "l = gluon.utils.split_and_load(onp.arange(8), [mx.cpu(0), mx.cpu(1)])\n"
      "out += [*l, tuple(str(x.context) for x in l), onp.dtype(l[0].dtype).name]"),
    C("split/load-list", "l = gluon.utils.split_and_load([1, 2, 3, 4], [mx.cpu(0), mx.cpu(1)])\nout += l"),
    C("split/load-one", "l = gluon.utils.split_and_load(nd.arange(8), [mx.cpu(1)])\nout += [len(l), l[0], str(l[0].context)]"),
    C("split/load-uneven", "l = gluon.utils.split_and_load(nd.arange(7), [mx.cpu(i) for i in range(3)], even_split=False)\n"
      "out += [*l, tuple(str(x.context) for x in l)]"),
    C("split/load-axis", "l = gluon.utils.split_and_load(nd.arange(12).reshape((3, 4)), [mx.cpu(0), mx.cpu(1)], batch_axis=1)\nout += l"),
    C("split/load-shares", "x = nd.zeros((4,))\nl = gluon.utils.split_and_load(x, [mx.cpu(0)])\nl[0][:] = 1\nout.append(x)"),
    C("split/load-views", "x = nd.zeros((4,))\nl = gluon.utils.split_and_load(x, [mx.cpu(0), mx.cpu(1)])\n"
      "l[0][:] = 1\nl[1][:] = 2\nout.append(x)"),
    C("split/gradient", "x = nd.arange(4)\nx.attach_grad()\nwith autograd.record():\n"
      "    a, b = gluon.utils.split_and_load(x, [mx.cpu(0), mx.cpu(1)])\n    y, z = a * 2, b * 3\n"
      "autograd.backward([y, z])\nout.append(x.grad)"),
    C("environment/visible-devices", "import os\nold = os.environ.get('CUDA_VISIBLE_DEVICES')\n"
      "os.environ['CUDA_VISIBLE_DEVICES'] = '1,2'\nout += [str(mx.gpu(0)), str(mx.gpu(1)), str(nd.ones((1,)).context)]\n"
      "if old is None:\n    del os.environ['CUDA_VISIBLE_DEVICES']\nelse:\n    os.environ['CUDA_VISIBLE_DEVICES'] = old"),
    C("default_ctx-class", "out += [str(mx.Context.default_ctx)] if hasattr(mx.Context, 'default_ctx') else ['none']"),
    C("empty_cache-cpu", "mx.cpu(0).empty_cache()\nout.append('ok')"),
    C("random-seed-ctx", "mx.random.seed(5, ctx=mx.cpu(1))\nout.append(nd.random.uniform(shape=(3,)))", cls="exact"),
    C("string-ctx", "nd.zeros((1,), ctx='cpu')"),
    C("bad-ctx", "nd.zeros((1,), ctx=3)"),
]
