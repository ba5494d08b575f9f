"""Five steps of every optimizer, with weight decay, clipping, multipliers, a changing rate."""

from tests.cases import C

# Two weights, five gradients each; the third step has another learning rate.
STEPS = """
def arrays(seed, shape):
    return onp.random.RandomState(seed).uniform(-1, 1, shape).astype('float32')

opt = mx.optimizer.create({name!r}, {options})
updater = mx.optimizer.get_updater(opt)
shapes = [(3, 4), (5, 2)]
weights = [nd.array(arrays(i, s), dtype={dtype!r}) for i, s in enumerate(shapes)]
for step in range(5):
    if step == 2:
        opt.set_learning_rate(opt.learning_rate / 4)
    for i, s in enumerate(shapes):
        grad = nd.array(arrays(10 * step + i + 7, s) * 3, dtype={dtype!r})
        updater(i, grad, weights[i])
out += weights
def flat(state):
    if state is None:
        return []
    if isinstance(state, (tuple, list)):
        return [x for part in state for x in flat(part)]
    return [state]
out.append([flat(updater.states[i]) for i in range(2)])
out.append([opt.num_update, sorted(opt._index_update_count.items())])
"""
COMMON = {
    "plain": "",
    "wd": "wd=0.1",
    "clip": "clip_gradient=0.5, rescale_grad=0.5",
    "all": "wd=0.05, clip_gradient=0.7, rescale_grad=0.6, begin_num_update=3",
}
OWN = {
    "sgd": {"mom": "momentum=0.9", "mom-all": "momentum=0.9, wd=0.1, clip_gradient=0.5"},
    "nag": {
        "mom": "momentum=0.9",
        "mom-wd": "momentum=0.9, wd=0.1, clip_gradient=0.5, rescale_grad=0.5",
    },
    "adam": {"eps": "beta1=0.5, beta2=0.9, epsilon=0.1, learning_rate=0.1"},
    "rmsprop": {
        "centered": "centered=True, learning_rate=0.01",
        "centered-all": "centered=True, gamma1=0.8, gamma2=0.5, wd=0.1, clip_gradient=1.0",
        "clip-weights": "clip_weights=0.3",
    },
    "adagrad": {"eps": "eps=0.1, learning_rate=0.5"},
    "adadelta": {"rho": "rho=0.5, epsilon=0.01"},
    "adamax": {"beta": "beta1=0.5, beta2=0.7"},
    "nadam": {"decay": "schedule_decay=0.1, beta1=0.5, learning_rate=0.05"},
    "ftrl": {"l1": "lamda1=0.5, beta=2, learning_rate=0.3"},
    "signum": {
        "sign": "momentum=0.0",
        "sign-wd": "momentum=0.0, wd=0.1, rescale_grad=0.5, clip_gradient=0.2",
        "wd-lh": "wd_lh=0.1, momentum=0.5",
    },
    "ftml": {"beta": "beta1=0.3, beta2=0.9, learning_rate=0.1"},
    "dcasgd": {"lamda": "wd=0.1, lamda=0.5", "mom": "momentum=0.9"},
    "sgld": {"lr": "learning_rate=0.5"},
    "lamb": {
        "bounds": "lower_bound=1.9, upper_bound=2.0, learning_rate=0.1",
        "upper": "upper_bound=1.5, wd=0.1",
        "no-correction": "bias_correction=False, wd=0.1",
    },
    "lars": {
        "names": "param_idx2name={0: 'a_weight', 1: 'a_bias'}, momentum=0.9, wd=0.1",
        "eta": "eta=0.1, eps=0.1, momentum=0.5, wd=0.01, rescale_grad=0.5, clip_gradient=0.3",
        "no-correction": "momentum=0.9, momentum_correction=False",
    },
    "lbsgd": {
        "scale": "batch_scale=2, updates_per_epoch=1, momentum=0.9, wd=0.1",
        "power2": "batch_scale=2, updates_per_epoch=1, warmup_strategy='power2'",
        "sqrt": "batch_scale=2, updates_per_epoch=1, warmup_strategy='sqrt', begin_epoch=2",
        "lars": "warmup_strategy='lars', momentum=0.5, wd=0.01, rescale_grad=0.5",
    },
    "ccsgd": {},
}
CASES = [
    C(f"{name}-{label}", STEPS.format(name=name, options=options, dtype="float32"))
    for name, own in OWN.items()
    for label, options in {**COMMON, **own}.items()
]
CASES += [
    C(
        f"{name}-float64",
        STEPS.format(name=name, options="wd=0.1, clip_gradient=1.5", dtype="float64"),
        tol=1e-8 if name == "lamb" else None,
        why="MXNet's kernel sums the squares of the norms in float32" if name == "lamb" else "",
    )
    for name in ("sgd", "nag", "adam", "adamax", "nadam", "signum", "ftml", "dcasgd", "lamb")
]
CASES += [
    C(
        f"{name}-mp" + ("-eta" if "eta" in options else "-bound" if "bound" in options else ""),
        STEPS.format(name=name, options=options + "multi_precision=True, wd=0.1", dtype="float16"),
    )
    for name, options in (
        ("sgd", ""),
        ("sgd", "momentum=0.9, "),
        ("nag", "momentum=0.9, "),
        ("adam", ""),
        ("rmsprop", ""),
        ("adagrad", ""),
        ("lamb", ""),
        ("lamb", "lower_bound=0.5, "),
        ("lars", "eta=1.0, momentum=0.9, "),
        ("ftrl", ""),
    )
    if (name, options) != ("sgd", "")
]
CASES += [
    C(
        "groupadagrad",
        STEPS.format(name="groupadagrad", options="clip_gradient=1", dtype="float32"),
    ),
    C("test", STEPS.format(name="test", options="rescale_grad=0.5", dtype="float32")),
]
CASES += [
    C(
        f"{name}-{dtype}",
        STEPS.format(name=name, options="", dtype=dtype),
        raises="MXNetError",
    )
    for name in ("rmsprop", "adagrad", "adadelta", "ftrl")
    for dtype in ("float64",)
]
# Of so many elements that mxtorch takes torch's own steps of one pass.
LARGE = STEPS.replace("[(3, 4), (5, 2)]", "[(300, 300), (5, 2)]")
assert LARGE != STEPS
CASES += [
    C(f"{name}-large-{label}", LARGE.format(name=name, options=options, dtype=dtype))
    for name, more in (("sgd", "momentum=0.9, "), ("adam", ""))
    for label, options, dtype in (
        ("plain", more, "float32"),
        ("rescale", more + "rescale_grad=0.015625", "float32"),
        ("wd", more + "wd=0.1, rescale_grad=0.5", "float32"),
        ("clip", more + "wd=0.1, rescale_grad=0.5, clip_gradient=0.7", "float32"),
        ("tiny-rescale", more + "wd=0.1, rescale_grad=1e-6", "float32"),
        ("no-rescale", more + "wd=0.1, rescale_grad=0.0", "float32"),
        ("float64", more + "wd=0.1, rescale_grad=0.5", "float64"),
    )
]
# The gradient's own array after two steps: one optimizer rescales it in place.
KEPT = """
optimizer = mx.optimizer.create("{name}", rescale_grad=0.5, clip_gradient=0.3)
updater = mx.optimizer.get_updater(optimizer)
mx.random.seed(1)
w, g = nd.array([[1, -2], [3, 0.5]]), nd.array([[0.5, -1], [0.25, 3]])
for _ in range(2):
    updater(0, g, w)
out += [w, g]
"""
CASES += [
    C(f"{name}-gradient", KEPT.format(name=name))
    for name in (
        *("sgd", "nag", "adam", "adagrad", "adadelta", "adamax", "nadam", "rmsprop", "ftrl"),
        *("ftml", "signum", "dcasgd", "lamb", "lars", "sgld"),
    )
]
