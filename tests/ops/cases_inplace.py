"""What rows cannot say: results in place, auxiliary states, inputs without a gradient."""

from tests.cases import C

MAKE = """
rng = onp.random.RandomState(3)
def make(dtype='float32', lo=-1):
    return [nd.array(rng.uniform(lo, 1, s), dtype=dtype) for s in ((2, 3), (4,))]
"""
KINDS = {"": ("float32", False), "mp_": ("float16", True)}


def step(name, kind, scale, extra=""):
    dtype, has_copy = KINDS[kind]
    copy = "c, " if has_copy else ""
    return C(
        f"{kind or 'plain_'}{name}-{scale}{extra and '-tuned'}",
        f"""{MAKE}
w, g, m, v, c = make('{dtype}'), make('{dtype}'), make(), make(lo=0.1), make()
nd.contrib.multi_{kind}{name}(w, g, m, v, {copy}{scale}, out=w{extra})
out += [w, g, m, v, c]
""",
        tol=2e-3 if has_copy else None,
        why="weights are float16" if has_copy else "",
    )


ADAMW = ", [0.1, 0.2], [0.0, 0.1], [1.0, 0.5]"
LAMB = "[1, 3], [0.1, 0.2], [0.0, 0.1]"
TUNED = ", beta1=0.5, beta2=0.8, epsilon=0.01, clip_gradient=0.3"
BOUNDS = ", lower_bound=0.2, upper_bound=0.9, rescale_grad=0.5, bias_correction=False"

SINGLE = [
    C(
        f"{op}-{scale}-{clip}",
        f"""{MAKE}
        w, g, m, v, c = [make(t)[0] for t in ('{dtype}', '{dtype}', *['float32'] * 3)]
        v = abs(v)
        nd.contrib.{op}(w, g, m, v, {copy}{scale}, 0.1, 0.5, wd=0.1, clip_gradient={clip}, out=w)
        out += [w, g, m, v, c]
        """.replace("\n        ", "\n"),
        tol=2e-3 if copy else None,
        why="weights are float16" if copy else "",
    )
    for op, dtype, copy in (
        ("adamw_update", "float32", ""),
        ("mp_adamw_update", "float16", "c, "),
    )
    for scale in ("0.5", "nd.array([2.0])", "0.0", "nd.array([float('nan')])", "float('inf')")
    for clip in (-1, 0.3)
]

CASES = [
    *SINGLE,
    *[step("adamw_update", kind, "0.5" + ADAMW) for kind in KINDS],
    *[step("adamw_update", kind, "nd.array([0.0])" + ADAMW) for kind in KINDS],
    *[step("adamw_update", kind, "1.0" + ADAMW, TUNED) for kind in KINDS],
    *[step("lamb_update", kind, LAMB) for kind in KINDS],
    *[step("lamb_update", kind, LAMB, TUNED + BOUNDS) for kind in KINDS],
    C(
        "adamw-without-out",
        f"""{MAKE}
w, g, m, v = [make()[0] for _ in range(4)]
w2 = nd.contrib.adamw_update(w, g, m, abs(v), 1.0, lr=0.1, eta=1)
out += [w, w2, g]
""",
    ),
    C(
        "finite",
        """
        for dtype in ('float32', 'float64', 'float16'):
            x = nd.array([1.0, float('nan'), float('inf'), -float('inf')], dtype=dtype)
            out += [nd.contrib.isfinite(x), nd.contrib.isnan(x), nd.contrib.isinf(x)]
        x = nd.array([1, 0], dtype='int32')
        out += [nd.contrib.isfinite(x), nd.contrib.isnan(x), nd.contrib.isinf(x)]
        """,
    ),
    C(
        "rand-zipfian",
        """
        out += [nd.contrib.rand_zipfian(nd.array([3, 1]), 4, 10)]
        out += [nd.contrib.rand_zipfian(nd.array([[3], [1]], dtype='int32'), 6, 1000)]
        drawn = sym.contrib.rand_zipfian(sym.Variable('x'), 4, 10)
        group = mx.sym.Group(list(drawn))
        out += [group.list_arguments(), group.infer_shape(x=(3,))]
        """,
    ),
    C("copyto-out", "x = nd.zeros(2); nd._internal._copyto(nd.ones(2), out=x); out += [x]"),
    C("set-value", "x = nd.zeros((2, 3)); nd._internal._set_value(3.5, out=x); out += [x]"),
    C(
        "onehot_encode",
        "x = nd.zeros((2, 3)); y = nd.onehot_encode(nd.array([2, 0]), x); out += [x, y]",
    ),
    C(
        "reset-arrays",
        "x = [nd.ones(2), nd.ones((2, 2))]; y = nd.reset_arrays(*x, num_arrays=2); out += [x, y]",
    ),
    *[
        C(
            f"{op}-{attrs}-{train}",
            f"""
            data = sym.Variable('data')
            net = sym.{op}(data, name='n'{attrs})
            args, _, aux = net.infer_shape(data=(4, 3, 2, 2))
            names = net.list_arguments()
            rng = onp.random.RandomState(1)
            make = lambda shapes: [nd.array(rng.uniform(0.2, 0.9, s)) for s in shapes]
            exe = net.bind(mx.cpu(), make(args), make(args), 'write', make(aux))
            exe.forward(is_train={train})
            if {train}:
                exe.backward([nd.array(rng.uniform(-1, 1, (4, 3, 2, 2)))])
            out += [names, net.list_auxiliary_states(), net.list_outputs(), args, aux]
            out += [exe.outputs, exe.aux_arrays, exe.arg_arrays]
            out += [exe.grad_arrays if {train} else None]
            """,
        )
        for op, attrs in (
            ("BatchNorm_v1", ""),
            ("BatchNorm_v1", ", fix_gamma=False, momentum=0.5"),
            ("BatchNorm_v1", ", use_global_stats=True, fix_gamma=False"),
            ("contrib.SyncBatchNorm", ", key='k', fix_gamma=False"),
        )
        for train in (True, False)
    ],
    *[
        C(
            f"kl-{train}",
            f"""
            net = sym.IdentityAttachKLSparseReg(sym.Variable('x'), name='kl', penalty=0.1)
            x, grad, moving = nd.random.uniform(shape=(4, 3)), nd.zeros((4, 3)), nd.ones(3) * 0.4
            exe = net.bind(mx.cpu(), [x], [grad], 'write', [moving])
            exe.forward(is_train={train})
            if {train}:
                exe.backward([nd.ones((4, 3))])
            out += [exe.outputs, grad, moving, net.list_auxiliary_states()]
            out += [net.infer_shape(x=(4, 3))]
            """,
        )
        for train in (True, False)
    ],
    *[
        C(
            f"hawkes-{samples}-{kinds}-{steps}-{dtype}",
            f"""
            rng = onp.random.RandomState(1)
            make = lambda *shape: nd.array(rng.uniform(0.1, 1, shape), dtype='{dtype}')
            mu, alpha, beta, state = make({samples}, {kinds}), make({kinds}), make({kinds}), make(
                {samples}, {kinds})
            lags = make({samples}, {steps})
            marks = nd.array(rng.randint(0, {kinds}, ({samples}, {steps})), dtype='int32')
            many = nd.array({valid}, dtype='{dtype}')
            for x in (mu, alpha, beta, state):
                x.attach_grad()
            with autograd.record():
                y, last = nd.contrib.hawkesll(
                    mu, alpha, beta, state, lags, marks, many, many * 0 + 10)
            y.backward(make({samples}))
            out += [y, last, mu.grad, alpha.grad, beta.grad]
            """,
            tol=1e-7 if dtype == "float64" else None,
            why="MXNet takes the logarithm in float32",
        )
        for samples, kinds, steps, valid, dtype in (
            (2, 3, 5, [5, 3], "float32"),
            (1, 2, 4, [0], "float32"),
            (3, 1, 6, [6, 1, 4], "float64"),
        )
    ],
]
