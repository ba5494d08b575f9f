"""Datasets, samplers and loaders: what they give, in which order, of which type."""

from tests.cases import C

SETUP = """
D = gluon.data
X = onp.arange(12, dtype='float64').reshape(6, 2)
Y = onp.arange(6)
a = D.ArrayDataset(X, Y)
b = D.ArrayDataset(nd.array(X), nd.array(Y))
l = [3, 1, 2]

class Numbers(D.Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, i):
        return i * 2
"""
VALUES = {
    "array-np": "[a[0], a[-1], a[onp.int64(2)], len(a)]",
    "array-slice": "[a[1:3]]",
    "array-nd": "[b[0], b[onp.int64(2)], type(b[1][1]).__name__]",
    "array-single": "[D.ArrayDataset(l)[1], D.ArrayDataset(X)[1]]",
    "array-dataset": "[D.ArrayDataset(Numbers(), l + l[:2])[3]]",
    "simple": "[D.SimpleDataset(l)[1], len(D.SimpleDataset(l))]",
    "transform": "[a.transform(lambda x, y: (x + 1, y))[1]]",
    "transform-eager": "[a.transform(lambda x, y: (x + 1, y), lazy=False)[1]]",
    "transform-single": "[Numbers().transform(lambda x: x + 1)[1]]",
    "transform-first": "[a.transform_first(lambda x: x + 1)[1]]",
    "transform-first-eager": "[a.transform_first(lambda x: x + 1, lazy=False)[1]]",
    "transform-first-single": "[Numbers().transform_first(lambda x: x + 1)[1]]",
    "filter": "[len(a.filter(lambda t: t[1] % 2 == 0)), a.filter(lambda t: t[1] % 2 == 0)[1]]",
    "shard": "[[(len(p), p[0]) for p in (a.shard(4, i) for i in range(4))]]",
    "take": "[len(a.take(4)), a.take(4)[3], len(a.take(None)), len(a.take(100))]",
    "sample": "[len(a.sample(D.SequentialSampler(4))), a.sample(D.RandomSampler(6))[1]]",
    "sequential": "[list(D.SequentialSampler(4, 2)), len(D.SequentialSampler(4, 2))]",
    "random": "[[int(i) for i in D.RandomSampler(5)], list(D.RandomSampler(3))]",
    "filter-sampler": "[list(D.FilterSampler(lambda x: x[1] > 2, a))]",
    "load-np": "[list(D.DataLoader(a, batch_size=4))]",
    "load-nd": "[list(D.DataLoader(b, batch_size=4))]",
    "load-list": "[list(D.DataLoader([1.5, 2.5, 3], 2)), list(D.DataLoader(l, 2))]",
    "load-bool": "[list(D.DataLoader([True, False], 2))]",
    "load-array": "[list(D.DataLoader(X, 4)), list(D.DataLoader(nd.array(X), 4))]",
    "load-vector": "[list(D.DataLoader(nd.array([1, 2, 3]), 2))]",
    "load-nested": "[list(D.DataLoader([(nd.array([1]), (nd.array([2]), 3))] * 2, 2))]",
    "load-lists": "[list(D.DataLoader([[1, 2], [3, 4]], 2))]",
    "load-uint8": "[list(D.DataLoader([onp.array([1, 2], dtype='uint8')] * 2, 2))]",
    "load-float16": "[list(D.DataLoader([onp.float16(1), onp.float16(2)], 2))]",
    "load-shuffle": "[list(D.DataLoader(a, 4, shuffle=True)), list(D.DataLoader(b, 2, True))]",
    "load-sampler": "[list(D.DataLoader(a, 2, sampler=D.SequentialSampler(3, 2)))]",
    "load-own": "[list(D.DataLoader(a, 4, batchify_fn=lambda samples: len(samples)))]",
    "load-lengths": "[[len(D.DataLoader(a, 4, last_batch=w)) for w in ('keep', 'discard')]]",
    "load-batch-sampler": """[list(D.DataLoader(
        Numbers(), batch_sampler=D.BatchSampler(D.SequentialSampler(5), 2, 'discard')))]""",
    "load-pinned": "[[str(x.context) for x in t] for t in D.DataLoader(a, 4, pin_memory=True)]",
    "default-batchify": "[D.dataloader.default_batchify_fn([(1, nd.ones(2)), (2, nd.ones(2))])]",
    "mp-batchify": """[
        D.dataloader.default_mp_batchify_fn([1, 2]),
        str(D.dataloader.default_mp_batchify_fn([nd.ones(2)]).context)]""",
}
CASES = [C(label, f"{SETUP}\nout += {values}\n") for label, values in VALUES.items()]
CASES += [
    C(
        f"batches-{last}",
        f"""
        s = gluon.data.BatchSampler(gluon.data.SequentialSampler(10), 3, {last!r})
        out += [(len(s), list(s)) for _ in range(4)]
        """,
    )
    for last in ("keep", "discard", "rollover")
]
CASES += [
    C(
        f"workers-{label}",
        f"""{SETUP}
for data in (a, b):
    loader = D.DataLoader(data, 4, shuffle=True, last_batch='rollover', {options})
    for epoch in range(2):
        for batch in loader:
            out.append([batch, [str(x.context) for x in batch]])
""",
    )
    for label, options in {
        "1": "num_workers=1",
        "2": "num_workers=2",
        "threads": "num_workers=2, thread_pool=True",
        "no-prefetch": "num_workers=1, prefetch=0",
        "pinned": "num_workers=1, pin_memory=True",
        "reload": "num_workers=1, auto_reload=True",
    }.items()
]
CASES += [
    C(
        f"worker-streams-{label}",
        f"""
        class Draws(gluon.data.Dataset):
            def __len__(self):
                return 4

            def __getitem__(self, i):
                return nd.random.uniform(shape=(2,)).asnumpy()
        mx.random.seed(7)
        nd.random.uniform(shape=3)
        loader = gluon.data.DataLoader(Draws(), 2, {options})
        mx.random.seed(9)
        for epoch in range(2):
            out += list(loader)
        """,
        cls="exact",
    )
    for label, options in {
        "here": "",
        "process": "num_workers=1",
        "thread": "num_workers=1, thread_pool=True",
    }.items()
]
REFUSED = {
    "no-arrays": ("D.ArrayDataset()", "AssertionError"),
    "lengths": ("D.ArrayDataset(X, [1])", "AssertionError"),
    "shard-index": ("a.shard(4, 4)", "AssertionError"),
    "sampler-type": ("a.sample([1, 2])", "TypeError"),
    "base-item": ("D.Dataset()[0]", "NotImplementedError"),
    "base-length": ("len(D.Dataset())", "NotImplementedError"),
    "base-sampler": ("iter(D.Sampler())", "NotImplementedError"),
    "last-batch": ("list(D.DataLoader(a, 4, last_batch='foo'))", "ValueError"),
    "last-batch-length": ("len(D.DataLoader(a, 4, last_batch='foo'))", "ValueError"),
    "no-batch-size": ("D.DataLoader(a)", "ValueError"),
    "shuffle-and-sampler": (
        "D.DataLoader(a, 2, shuffle=True, sampler=D.SequentialSampler(2))",
        "ValueError",
    ),
    "two-batch-sizes": (
        "D.DataLoader(a, 2, batch_sampler=D.BatchSampler(D.SequentialSampler(6), 2))",
        "ValueError",
    ),
    "timeout": ("D.DataLoader(a, 2, timeout=0)", "AssertionError"),
}
CASES += [
    C("refused-" + label, f"{SETUP}\n{code}\n", raises=error)
    for label, (code, error) in REFUSED.items()
]
CASES += [
    C(
        "worker-error",
        """
        class Broken(gluon.data.Dataset):
            def __len__(self):
                return 4

            def __getitem__(self, i):
                return {0: 1, 1: 2}[i]
        for batch in gluon.data.DataLoader(Broken(), 1, num_workers=1):
            out.append(batch)
        """,
        raises="KeyError",
    ),
    C(
        "worker-timeout",
        """
        import time

        class Slow(gluon.data.Dataset):
            def __len__(self):
                return 1

            def __getitem__(self, i):
                time.sleep(30)
        list(gluon.data.DataLoader(Slow(), 1, num_workers=1, timeout=1))
        """,
        raises="TimeoutError",
    ),
]
