"""Inputs that have no gradient: indices, conditions, arrays for their shape. Zero, or refused."""

from tests.cases import C

CASES = [
    C(
        "indices/embedding",
        """
        x, w = nd.array([1, 2]), nd.ones((4, 3))
        x.attach_grad(); w.attach_grad()
        with autograd.record():
            y = nd.Embedding(x, w, input_dim=4, output_dim=3)
        y.backward()
    """,
    ),
    C(
        "indices/embedding-computed",
        """
        x, w = nd.array([1, 2]), nd.ones((4, 3))
        x.attach_grad()
        with autograd.record():
            y = nd.Embedding(x + 1, w, input_dim=4, output_dim=3)
        y.backward()
    """,
    ),
    C(
        "indices/embedding-hybridized",
        """
        net = nn.Embedding(4, 3)
        net.initialize(); net.hybridize()
        x = nd.array([1, 2])
        x.attach_grad()
        with autograd.record():
            y = net(x)
        y.backward()
    """,
    ),
    C(
        "indices/embedding-symbol",
        """
        net = sym.Embedding(sym.var("data"), input_dim=4, output_dim=3, name="e")
        exe = net.simple_bind(mx.cpu(), data=(2,))
        exe.forward(is_train=True)
        exe.backward(nd.ones((2, 3)))
        nd.waitall()
    """,
    ),
    C(
        "indices/embedding-null",
        """
        net = sym.Embedding(sym.var("data"), input_dim=4, output_dim=3, name="e")
        exe = net.simple_bind(mx.cpu(), data=(2,), grad_req={"data": "null", "e_weight": "write"})
        exe.forward(is_train=True, data=nd.array([1, 2]))
        exe.backward(nd.ones((2, 3)))
        out += [exe.grad_dict["e_weight"]]
    """,
    ),
    C(
        "indices/embedding-weight",
        """
        x, w = nd.array([1, 2]), nd.ones((4, 3))
        x.attach_grad(); w.attach_grad()
        with autograd.record():
            y = nd.Embedding(x, w, input_dim=4, output_dim=3)
        out += autograd.grad(y, [w], retain_graph=True)
    """,
    ),
    C(
        "indices/embedding-of-argmax",
        """
        x, w = nd.array([[1, 2, 3], [3, 2, 1]]), nd.ones((4, 3))
        x.attach_grad(); w.attach_grad()
        with autograd.record():
            y = nd.Embedding(x.argmax(axis=1), w, input_dim=4, output_dim=3)
        y.backward()
        out += [x.grad, w.grad]
    """,
    ),
    C(
        "indices/sparse-embedding",
        """
        x, w = nd.array([1, 2]), nd.ones((4, 3))
        x.attach_grad()
        with autograd.record():
            y = nd.contrib.SparseEmbedding(x, w, input_dim=4, output_dim=3)
        y.backward()
    """,
    ),
    C(
        "indices/take-alone",
        """
        x, i = nd.ones((3, 3)), nd.array([0, 1])
        i.attach_grad()
        with autograd.record():
            y = nd.take(x, i)
        y.backward()
    """,
    ),
    C(
        "indices/take-beside",
        """
        x, i = nd.ones((3, 3)), nd.array([0, 1])
        for axis in (0, 1):
            i.attach_grad()
            if axis == 0:
                x.attach_grad()
            with autograd.record():
                y = nd.take(x, i, axis=axis)
            y.backward()
            out += [i.grad, x.grad]
            x = nd.ones((3, 3))
    """,
    ),
    C(
        "indices/zero",
        """
        def slope(call, indices):
            i = nd.array(indices)
            i.attach_grad()
            with autograd.record():
                y = call(nd.ones((3, 3)), i)
            y.backward()
            return i.grad

        out += [
            slope(nd.pick, [0, 1, 2]),
            slope(nd.gather_nd, [[0, 1, 2]]),
            slope(lambda x, i: nd.where(i, x, x), [0, 1, 2]),
            slope(nd.contrib.boolean_mask, [0, 1, 1]),
            slope(lambda x, i: nd.SequenceMask(x, i, use_sequence_length=True), [0, 1, 2]),
            slope(lambda x, i: nd.slice_like(x, i), [[0, 1]]),
            slope(lambda x, i: nd.reshape_like(x, i), [1] * 9),
            slope(lambda x, i: nd.CTCLoss(x.reshape((3, 1, 3)), i), [[1, 2]]),
        ]
    """,
    ),
    C(
        "indices/parameters-of-samples",
        """
        def slopes(call):
            arrays = [nd.array([0.3, 0.6]), nd.array([0.7, 0.9])]
            for array in arrays:
                array.attach_grad()
            with autograd.record():
                y = call(*arrays)
            y.backward()
            return [array.grad for array in arrays]

        random = nd.random
        out += [
            slopes(random.uniform),
            slopes(random.normal),
            slopes(random.gamma),
            slopes(random.generalized_negative_binomial),
            slopes(lambda x, y: random.normal_like(x) + random.uniform_like(y)),
            slopes(lambda x, y: random.multinomial(x, dtype="float32")),
            slopes(lambda x, y: random.multinomial(x, get_prob=True)[1]),
        ]
    """,
    ),
    C(
        "indices/boxes",
        """
        def slopes(call, *shapes):
            arrays = [nd.random.uniform(0, 1, shape) for shape in shapes]
            for array in arrays:
                array.attach_grad()
            with autograd.record():
                y = call(*arrays)
                y = y[0] if isinstance(y, list) else y
            y.backward()
            return [array.grad for array in arrays]

        label = nd.array([[[0, 0.1, 0.1, 0.5, 0.5]]])
        contrib = nd.contrib
        out += [
            slopes(contrib.box_iou, (3, 4), (2, 4)),
            slopes(contrib.box_decode, (1, 2, 4), (1, 2, 4)),
            slopes(
                lambda a, r: contrib.box_encode(
                    nd.ones((1, 2)), nd.zeros((1, 2)), a, r, nd.zeros((4,)), nd.ones((4,))
                ),
                (1, 2, 4), (1, 2, 4),
            ),
            slopes(lambda x: contrib.bipartite_matching(x, threshold=0.1)[0], (3, 2)),
            slopes(contrib.MultiBoxPrior, (1, 1, 2, 2)),
            slopes(lambda a, p: contrib.MultiBoxTarget(a, label, p), (1, 3, 4), (1, 2, 3)),
            slopes(contrib.MultiBoxDetection, (1, 2, 3), (1, 12), (1, 3, 4)),
        ]
    """,
    ),
    C(
        "indices/flat-and-unflat",
        """
        x = nd.array([[0, 1], [2, 1]])
        x.attach_grad()
        with autograd.record():
            y = nd.ravel_multi_index(x, shape=(3, 3)) + nd.unravel_index(x[0], shape=(3, 3)).sum()
        y.backward()
        out += [x.grad]
    """,
    ),
    C(
        "indices/labels-refused",
        """
        x, label = nd.ones((2, 3)), nd.array([0, 1])
        x.attach_grad(); label.attach_grad()
        with autograd.record():
            y = nd.softmax_cross_entropy(x, label)
        y.backward()
        nd.waitall()
    """,
    ),
    C(
        "indices/batch-take-of-floats",
        """
        out += [nd.batch_take(nd.ones((3, 3)), nd.array([0, 1, 2]))]
    """,
    ),
    C(
        "indices/amp-multicast",
        """
        x, y = nd.ones((2,)), nd.ones((3,))
        x.attach_grad()
        with autograd.record():
            a, b = nd.amp_multicast(x, y, num_outputs=2)
        autograd.backward([a, b], [nd.ones((2,)), nd.ones((3,))])
        out += [x.grad]
    """,
    ),
]
