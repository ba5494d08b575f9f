"""A little of MXNet's API right on top of `mxtorch._core.rng`, to replay recorded snippets.

Arguments go where the operators would put them; there is no operator and no torch here.
"""

import contextlib
import types

import numpy as onp

from mxtorch._core import rng


class Array(onp.ndarray):
    """A NumPy array with the few methods of MXNet's that the snippets call."""

    def asnumpy(self):
        return onp.asarray(self)

    def abs(self):
        return onp.abs(self)


def wrap(value):
    return onp.asarray(value).view(Array)


def array(value, dtype="float32"):
    return wrap(onp.array(value, dtype))


def like(method):
    def call(data, **params):
        return wrap(getattr(rng.current(), method)(**params, shape=data.shape, dtype=data.dtype))

    return call


def sampler(method, *defaults):
    """nd.random.<method>: numbers or arrays with these defaults, then shape, dtype, out."""

    def call(*args, shape=None, dtype=None, ctx=None, out=None, **named):
        params = [*args[: len(defaults)], *defaults[len(args) :]]
        for i, name in enumerate(("low", "high") if method == "uniform" else ()):
            params[i] = named.pop(name, params[i])
        shape = args[len(defaults)] if len(args) > len(defaults) else shape
        assert not named
        arrays = [p for p in params if isinstance(p, onp.ndarray)]
        dtype = dtype or (out.dtype if out is not None else "float32")
        if shape is None:
            shape = () if arrays else out.shape if out is not None else (1,)
        shape = shape if isinstance(shape, tuple) else (shape,)
        full = (*arrays[0].shape, *shape) if arrays else shape
        params = [onp.asarray(p) if isinstance(p, onp.ndarray) else p for p in params]
        drawn = wrap(getattr(rng.current(), method)(*params, shape=full, dtype=dtype))
        if out is None:
            return drawn
        out[:] = drawn
        return out

    return call


def exponential(scale=1.0, *args, **kwargs):
    return sampler("exponential", 1.0)(1 / scale, *args, **kwargs)


def randint(low, high, shape=(1,), dtype="int32"):
    return wrap(rng.current().randint(low, high, shape, dtype))


def shuffle(data):
    return data[rng.current().shuffle_index(len(data), data.ndim)]


def multinomial(data, shape=(), get_prob=False, dtype="int32"):
    data = onp.asarray(data)
    shape = (shape,) if isinstance(shape, int) else shape
    drawn = rng.current().multinomial(data, shape, onp.dtype(dtype).name)
    if not get_prob:
        return wrap(drawn)
    return [wrap(drawn), wrap(rng.current().log_probability(data, drawn))]


_training = [False]


@contextlib.contextmanager
def training(mode=True):
    before, _training[0] = _training[0], mode
    try:
        yield
    finally:
        _training[0] = before


def dropout(data, p=0.5, mode="training", axes=()):
    if not (_training[0] or mode == "always"):
        return data
    mask = rng.current().dropout_mask(data.shape, p, data.dtype, axes)
    with onp.errstate(invalid="ignore"):
        return wrap(data * mask)


def flip(axis):
    return lambda image: wrap(onp.flip(image, axis)) if rng.current().flip() else image


def seed(value, ctx=None):
    return rng.current().seed(value) if ctx is None else rng.current().seed_ctx(value)


def np_sampler(method):
    def call(*params, size=None, **kwargs):
        held = [onp.asarray(p) if isinstance(p, onp.ndarray) else p for p in params]
        return wrap(getattr(rng.current(), "np_" + method)(*held, size=size, **kwargs))

    return call


def np_randint(low, high=None, size=(), dtype="int64"):
    low, high = (0, low) if high is None else (low, high)
    return wrap(rng.current().randint(low, high, size, dtype))


def np_choice(a, size=(), replace=True, p=None):
    drawn = rng.current().np_choice(a if isinstance(a, int) else len(a), size, replace, p)
    return wrap(drawn) if isinstance(a, int) else a[drawn]


def np_shuffle(data):
    data[:] = shuffle(data.copy())


def np_multinomial(n, pvals, size=()):
    size = (size,) if isinstance(size, int) else size
    pvals = onp.asarray(pvals) if isinstance(pvals, onp.ndarray) else pvals
    return wrap(rng.current().np_multinomial(n, pvals, size))


def in_batches(method):
    """npx.random.<method>_n: the parameters' shape comes after the batch's."""

    def call(a, b, batch_shape):
        return np_sampler(method)(a, b, size=(*batch_shape, *onp.broadcast(a, b).shape))

    return call


ND_RANDOM = types.SimpleNamespace(
    uniform=sampler("uniform", 0.0, 1.0),
    normal=sampler("normal", 0.0, 1.0),
    exponential=exponential,
    randint=randint,
    shuffle=shuffle,
    multinomial=multinomial,
    gamma=sampler("gamma", 1.0, 1.0),
    poisson=sampler("poisson", 1.0),
    negative_binomial=sampler("negative_binomial", 1, 1.0),
    generalized_negative_binomial=sampler("generalized_negative_binomial", 1.0, 1.0),
    uniform_like=like("uniform"),
    normal_like=like("normal"),
    gamma_like=like("gamma"),
    exponential_like=like("exponential"),
    poisson_like=like("poisson"),
)
nd = types.SimpleNamespace(
    NDArray=Array,
    random=ND_RANDOM,
    array=array,
    arange=lambda n: array(onp.arange(n)),
    zeros=lambda shape, dtype="float32": array(onp.zeros(shape), dtype),
    ones=lambda shape, dtype="float32": array(onp.ones(shape), dtype),
    stack=lambda *arrays: wrap(onp.stack(arrays)),
    Dropout=dropout,
    image=types.SimpleNamespace(random_flip_left_right=flip(1), random_flip_top_bottom=flip(0)),
    sample_multinomial=multinomial,
    sample_uniform=sampler("uniform", 0.0, 1.0),
    sample_normal=sampler("normal", 0.0, 1.0),
    sample_gamma=sampler("gamma", 1.0, 1.0),
    sample_exponential=sampler("exponential", 1.0),
    sample_poisson=sampler("poisson", 1.0),
    sample_negative_binomial=sampler("negative_binomial", 1, 1.0),
    sample_generalized_negative_binomial=sampler("generalized_negative_binomial", 1.0, 1.0),
    _internal=types.SimpleNamespace(
        _sample_unique_zipfian=lambda n, shape: rng.current().unique_zipfian(n, shape)
    ),
)
autograd = types.SimpleNamespace(
    record=lambda train_mode=True: training(train_mode), train_mode=training
)
random = types.SimpleNamespace(seed=seed, normal=ND_RANDOM.normal, uniform=ND_RANDOM.uniform)
NP_NAMES = [
    "uniform",
    "normal",
    "lognormal",
    "logistic",
    "gumbel",
    "exponential",
    "rayleigh",
    "weibull",
    "pareto",
    "power",
    "gamma",
    "beta",
    "chisquare",
]
np = types.SimpleNamespace(
    array=array,
    arange=lambda *args: array(onp.arange(*args)),
    random=types.SimpleNamespace(
        **{name: np_sampler(name) for name in NP_NAMES},
        rand=lambda *size: np_sampler("uniform")(size=size),
        randn=lambda *size: np_sampler("normal")(size=size),
        randint=np_randint,
        choice=np_choice,
        multinomial=np_multinomial,
        shuffle=np_shuffle,
    ),
)
npx = types.SimpleNamespace(
    set_np=lambda: None,
    random=types.SimpleNamespace(
        bernoulli=np_sampler("bernoulli"),
        uniform_n=in_batches("uniform"),
        normal_n=in_batches("normal"),
    ),
)


def cpu(index=0):
    return f"cpu({index})"
