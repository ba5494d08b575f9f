"""Key-value stores of one process."""

from tests.cases import C

SETUP = """
kv = mx.kv.create({name!r})
"""
STEPS = {
    "facts": "out += [kv.type, kv.rank, kv.num_workers, kv.is_capable('optimizer')]",
    "init-pull": """
kv.init(3, nd.ones((2, 3)) * 2)
a, b = nd.zeros((2, 3)), nd.zeros((2, 3))
kv.pull(3, out=a)
kv.pull(3, out=[a, b])
out += [a, b]
""",
    "push-assigns": """
kv.init(3, nd.ones(2))
a = nd.zeros(2)
kv.push(3, nd.ones(2) * 8)
kv.pull(3, out=a)
out.append(a)
kv.push(3, [nd.ones(2), nd.ones(2) * 2])
b = nd.zeros(2)
kv.pull(3, out=b)
out.append(b)
""",
    "lists": """
kv.init([5, 7], [nd.ones(2), nd.ones(3) * 3])
a, b = nd.zeros(2), nd.zeros(3)
kv.pull([5, 7], out=[a, b])
out += [a.copy(), b.copy()]
kv.push([5, 7], [[nd.ones(2), nd.ones(2)], [nd.ones(3) * 4]])
kv.pull([5, 7], out=[[a], [b]])
out += [a, b]
""",
    "contexts": """
kv.init('w', nd.ones(2))
kv.push('w', [nd.ones(2, ctx=mx.cpu(0)), nd.ones(2, ctx=mx.cpu(1))])
a = nd.zeros(2, ctx=mx.cpu(1))
kv.pull('w', out=a)
out += [a, str(a.context)]
""",
    "updater": """
def update(key, pushed, stored):
    out.append([key, pushed.copy()])
    stored += pushed * 2
kv._set_updater(update)
kv.init(3, nd.ones(2))
a = nd.zeros(2)
kv.push(3, [nd.ones(2), nd.ones(2)])
kv.pull(3, out=a)
out.append(a.copy())
kv.pushpull(3, nd.ones(2), out=a)
out.append(a)
""",
    "optimizer": """
import os, tempfile
path = os.path.join(tempfile.mkdtemp(), 'states')
kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.5, momentum=0.5))
kv.init(['a', 'b'], [nd.ones(2), nd.ones(3)])
for step in range(2):
    kv.push(['a', 'b'], [[nd.ones(2), nd.ones(2)], [nd.ones(3), nd.ones(3)]])
a, b = nd.zeros(2), nd.zeros(3)
kv.pull(['a', 'b'], out=[a, b])
out += [a.copy(), b.copy()]
kv.save_optimizer_states(path)
with open(path, 'rb') as file:
    out.append(file.read())
kv.load_optimizer_states(path)
kv.push('a', nd.ones(2))
kv.pull('a', out=a)
out.append(a)
""",
    "order-of-updates": """
seen = []
def update(key, pushed, stored):
    seen.append([key, str(pushed.context.device_type), str(stored.context)])
for keys in ([9, 4, 5], ['z', 'a']):
    store = mx.kv.create(kv.type)
    store._set_updater(update)
    store.init(keys, [nd.ones(1)] * len(keys))
    store.push(sorted(keys), [nd.ones(1)] * len(keys))
    store.push(sorted(keys)[:2], [nd.ones(1), [nd.ones(1), nd.ones(1)]])
nd.waitall()
out += [[key, str(type(key).__name__), where, kept] for key, where, kept in seen]
""",
    "names-in-a-wrapped-updater": """
inner = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5, momentum=0.5))
kv._set_updater(lambda key, pushed, stored: inner(key, pushed, stored))
kv.init(['z', 'a'], [nd.ones(1), nd.ones(1)])
kv.push(['a', 'z'], [nd.ones(1), nd.ones(1) * 2])
a = nd.zeros(1)
kv.pull('z', out=a)
out += [a, list(inner.states)]
""",
    "what-is-pushed-alone-is-kept": """
a, b = nd.ones(2), nd.zeros(2)
kv.init('w', nd.zeros(2))
kv.push('w', a)
a += 1
kv.pull('w', out=b)
out.append(b.copy())
kv.push('w', nd.ones(2) * 7)
kv.push('w', [a, a])
a += 1
kv.pull('w', out=b)
out += [a, b]
""",
    "nothing-pushed": """
kv.init('w', nd.ones(2))
a = nd.zeros(2)
kv.push('w', [])
kv.pull('w', out=a)
out.append(a)
""",
    "broadcast": """
a, b = nd.zeros(2), nd.zeros(2, ctx=mx.cpu(1))
kv.broadcast('q', nd.ones(2) * 4, out=[a, b])
out += [a, b]
""",
    "same-key-twice": """
kv.init([3, 4], [nd.zeros(2), nd.zeros(3)])
a, b = nd.zeros(2), nd.zeros(3)
kv.push([3, 4, 3], [nd.ones(2), nd.ones(3), nd.ones(2) * 5])
kv.pull([3, 4, 3], out=[a, b, a])
out += [a, b]
""",
    "other-dtype": """
kv.init('h', nd.ones(2, dtype='float16'))
kv.push('h', nd.ones(2, dtype='float16') * 3)
a = nd.zeros(2)
kv.pull('h', out=a)
out += [a, str(a.dtype)]
""",
    "tuples": """
kv.init(('a', 'b'), (nd.zeros(2), nd.zeros(2)))
kv.push(('a', 'b'), ((nd.ones(2), nd.ones(2)), (nd.ones(2) * 3, nd.ones(2))))
a, b = nd.zeros(2), nd.zeros(2)
kv.pull(('a', 'b'), out=(a, b))
out += [a, b, kv._barrier(), kv._send_command_to_servers(3, 'x')]
""",
    "three-contexts": """
kv.init('w', nd.ones((2, 2)))
kv.push('w', [nd.ones((2, 2), ctx=mx.cpu(i)) * (i + 1) / 3 for i in range(3)])
copies = [nd.zeros((2, 2), ctx=mx.cpu(i)) for i in range(3)]
kv.pull('w', out=copies)
out += copies
""",
    "rows": """
kv.init('r', nd.array([[1, 2], [3, 4], [5, 6]]).tostype('row_sparse'))
a = nd.sparse.zeros('row_sparse', (3, 2))
kv.row_sparse_pull('r', out=a, row_ids=nd.array([2, 0, 2]))
out.append(a)
part = nd.sparse.row_sparse_array((nd.ones((1, 2)), [1]), shape=(3, 2))
kv.push('r', [part, part])
kv.row_sparse_pull('r', out=a, row_ids=nd.array([0, 1]))
out.append(a)
""",
    "pushpull": """
kv.init('q', nd.zeros(2))
values = [nd.ones(2), nd.ones(2) * 2]
kv.pushpull('q', values)
out += [values[0].copy(), values[1].copy()]
a = nd.zeros(2)
kv.pushpull('q', values, out=a)
out += [a, values]
""",
}
CASES = [
    C(f"{name}-{label}", SETUP.format(name=name) + code)
    for name in ("local", "device")
    for label, code in STEPS.items()
]
REFUSED = {
    "name": ("mx.kv.create(3)", "TypeError"),
    "init-twice": ("kv.init(1, nd.ones(2)); kv.init(1, nd.ones(2))", "MXNetError"),
    "pull-unknown": ("kv.pull(1, out=nd.ones(2))", "MXNetError"),
    "mixed-keys": ("kv.init(1, nd.ones(2)); kv.init('a', nd.ones(2))", "MXNetError"),
    "pull-shape": ("kv.init(1, nd.ones(2)); kv.pull(1, out=nd.ones(3))", "MXNetError"),
    "pull-nowhere": ("kv.init(1, nd.ones(2)); kv.pull(1)", "AssertionError"),
    "key-type": ("kv.init(1.5, nd.ones(2))", "AssertionError"),
    "lengths": ("kv.init(['a', 'b'], [nd.ones(1)])", "AssertionError"),
    "two-values": ("kv.init('a', [nd.ones(1), nd.ones(1)])", "MXNetError"),
    "other-shapes": (
        "kv.init(1, nd.ones(3)); kv.push(1, [nd.ones(3), nd.ones(4)]); nd.waitall()",
        "MXNetError",
    ),
    "shapes-of-one-size": (
        "kv.init(1, nd.ones(3)); kv.push(1, [nd.ones((3, 1)), nd.ones(3)]); nd.waitall()",
        "MXNetError",
    ),
    "csr": (
        "kv.init(1, nd.ones((2, 2))); kv.push(1, nd.ones((2, 2)).tostype('csr'))",
        "MXNetError",
    ),
    "states": ("kv.save_optimizer_states('never-written')", "AssertionError"),
    "capability": ("kv.is_capable('flight')", "ValueError"),
}
CASES += [
    C("refused-" + label, SETUP.format(name="local") + code + "\n", raises=error)
    for label, (code, error) in REFUSED.items()
]
COMPRESSED = {
    "two-contexts": """
kv.init('a', nd.zeros(4))
a = nd.zeros(4)
for step in range(4):
    kv.push('a', [nd.array([0.3, -0.3, 0.6, 2]), nd.array([0.1, 0.7, -0.6, 0.2], ctx=mx.cpu(1))])
    kv.pull('a', out=a)
    out.append(a.copy())
""",
    "one-context": """
kv.init(['a', 'b'], [nd.zeros(4), nd.zeros(1)])
a, b = nd.zeros(4), nd.zeros(1)
for step in range(4):
    kv.push(['a', 'b'], [nd.array([0.3, -0.3, 0.6, 2]), nd.array([0.2])])
    kv.pull(['a', 'b'], out=[a, b])
    out += [a.copy(), b.copy()]
""",
    "optimizer": """
kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.5, momentum=0.5))
kv.init('a', nd.ones(4))
a = nd.zeros(4)
for step in range(3):
    kv.push('a', [nd.array([0.3, -0.3, 0.6, 2]), nd.array([0.1, 0.7, -0.6, 0.2], ctx=mx.cpu(1))])
    kv.pull('a', out=a)
    out.append(a.copy())
""",
    "pushpull": """
kv.init('a', nd.zeros(4))
values = [nd.array([0.3, -0.3, 0.6, 2]), nd.array([0.1, 0.7, -0.6, 0.2], ctx=mx.cpu(1))]
for step in range(3):
    kv.pushpull('a', values)
    out += [value.copy() for value in values]
""",
}
CASES += [
    C(
        f"compressed-{label}-{threshold}",
        f"""
kv = mx.kv.create('device')
kv.set_gradient_compression({{'type': '2bit', 'threshold': {threshold}}})
{code}""",
    )
    for label, code in COMPRESSED.items()
    for threshold in (0.5, 0.2)
]
CASES += [
    C(
        "compressed-trainer",
        """
        net = nn.Dense(2, in_units=3)
        where = [mx.cpu(0), mx.cpu(1)]
        net.initialize(mx.init.Constant(0.5), ctx=where)
        trainer = gluon.Trainer(
            net.collect_params(), 'sgd', {'learning_rate': 0.1},
            compression_params={'type': '2bit', 'threshold': 0.5},
        )
        for step in range(3):
            with autograd.record():
                losses = [(net(nd.ones((2, 3), ctx=ctx) * (i + 1)) ** 2).sum()
                          for i, ctx in enumerate(where)]
            autograd.backward(losses)
            trainer.step(4)
            out += [net.weight.data(ctx).copy() for ctx in where]
        """,
    ),
    C(
        "compressed-type",
        "mx.kv.create('device').set_gradient_compression({'type': '1bit'})",
        raises="MXNetError",
    ),
    C(
        "compressed-no-type",
        "mx.kv.create('device').set_gradient_compression({'threshold': 1})",
        raises="MXNetError",
    ),
    C(
        "compressed-threshold",
        "mx.kv.create('device').set_gradient_compression({'type': '2bit', 'threshold': 0})",
        raises="MXNetError",
    ),
    C(
        "compressed-params",
        "mx.kv.create('device').set_gradient_compression(3)",
        raises="AssertionError",
    ),
    C(
        "push-numpy",
        "kv = mx.kv.create(); kv.init(3, nd.ones(2)); kv.push(3, onp.ones(2))",
        raises="AssertionError",
    ),
]
CASES += [
    C("test-store", "out += [mx.kv.create('teststore').type]"),
    C(
        "own-store",
        """
        @mx.kv.KVStoreBase.register
        class Mine(mx.kv.KVStoreBase):
            @property
            def type(self):
                return 'my own'
        out.append(mx.kv.create('mine').type)
        mx.kv.create('mine').set_optimizer(None)
        """,
        raises="NotImplementedError",
    ),
    C(
        "updater-that-raises",
        """
        import sys
        shown = []
        sys.unraisablehook = lambda error: shown.append(error.exc_type.__name__)
        def update(key, pushed, stored):
            stored += pushed
            raise ValueError(key)
        kv = mx.kv.create()
        kv.init(3, nd.ones(2))
        kv._set_updater(update)
        kv.push(3, nd.ones(2))
        sys.unraisablehook = sys.__unraisablehook__
        a = nd.zeros(2)
        kv.pull(3, a)
        out += [a, shown]
        """,
    ),
]
