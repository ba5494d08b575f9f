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
    "broadcast": """
a, b = nd.zeros(2), nd.zeros(2, ctx=mx.cpu(1))
kv.broadcast('q', nd.ones(2) * 4, out=[a, b])
out += [a, b]
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
    "states": ("kv.save_optimizer_states('never-written')", "AssertionError"),
    "capability": ("kv.is_capable('flight')", "ValueError"),
}
CASES += [
    C("refused-" + label, SETUP.format(name="local") + code + "\n", raises=error)
    for label, (code, error) in REFUSED.items()
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
]
