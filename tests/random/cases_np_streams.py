"""The streams of `mx.np.random` beyond tests/golden/rng.json: arrays, dtypes, limits."""

from __future__ import annotations

from tests.cases import C


def _case(id, draws, cls="exact", raises=None):
    """Draws in np mode, and where both streams are afterwards."""
    code = f"""
        mx.npx.set_np()
        np, npx = mx.np, mx.npx
        mx.random.seed(21)
        a = np.array([0.5, 1.0, 4.0])
        b = np.array([[0.25], [2.0]])
        a64 = np.array([0.5, 1.0, 4.0], dtype='float64')
        a16 = np.array([0.7, 1.3, 3.7], dtype='float16')
        b16 = np.array([[0.9], [2.1]], dtype='float16')
        odd = np.array([0.7, 1.3, 3.7])
        out = [{draws}]
        out += [np.random.uniform(size=(3,)), np.random.randint(1000, size=(3,))]
        """
    return C(id, code, cls=cls, raises=raises)


_TWO = ("uniform", "normal", "logistic", "gumbel", "gamma", "beta")
_ONE = ("exponential", "rayleigh", "weibull", "pareto", "power", "chisquare")
_HALF_TWO = ("uniform", "normal", "logistic", "gumbel")
_HALF_ONE = ("exponential", "rayleigh", "weibull", "pareto", "power")
_TYPED = ("uniform", "normal", "gamma", "beta", "chisquare")
_CLS = {"uniform": "exact", "normal": "exact"}

_ARRAYS = [
    _case(
        f"{name}/{label}",
        f"np.random.{name}({args}{size})",
        _CLS.get(name, "ulp"),
    )
    for names, forms in (
        (_TWO, (("arrays", "a, b"), ("mixed", "1.5, a"), ("float64", "a64, a64"))),
        (_ONE, (("arrays", "a"), ("column", "b"), ("float64", "a64"))),
        (_HALF_TWO, (("float16", "a16, b16"),)),
        (_HALF_ONE, (("float16", "a16"), ("odd", "odd"))),
    )
    for name in names
    for form, args in forms
    for label, size in (
        (f"{form}", ""),
        (f"{form}-size", ", size=(50, 2, 3)"),
    )
]

_DTYPES = [
    _case(
        f"{name}/as-{dtype}",
        f"np.random.{name}({args}, size=(40,), dtype='{dtype}')",
        _CLS.get(name, "ulp"),
    )
    for name in _TYPED
    for args in (("2.5",) if name == "chisquare" else ("0.5, 2.5",))
    for dtype in ("float16", "float64")
] + [
    _case("normal/float16-array", "np.random.normal(a16, 2.0)"),
    _case("uniform/float16-array", "np.random.uniform(a16, a16 + 1)"),
    _case("normal/float64-array-float64", "np.random.normal(a64, a64, dtype='float64')"),
    _case("uniform/float64-array-float64", "np.random.uniform(a64, 9.5, dtype='float64')"),
]

_TEXT = [
    _case(f"text/{value}", f"np.random.{call}")
    for value, call in (
        ("uniform", "uniform(123.456, 123.456, size=(2,))"),
        ("uniform-root", "uniform(1.8474337369372327, 1.8474337369372327, size=(2,))"),
        ("normal", "normal(522046418.7695552, 0.0, size=(2,))"),
        ("logistic", "logistic(123.456, 0.0, size=(2,))"),
        ("gumbel", "gumbel(1.8474337369372327, 0.0, size=(2,))"),
    )
]

_LIMITS = [
    _case(id, draws, cls)
    for id, draws, cls in (
        ("gamma/large", "np.random.gamma(1e5, 2.0, size=(50,))", "ulp"),
        ("gamma/small", "np.random.gamma(0.05, 2.0, size=(50,))", "ulp"),
        ("gamma/one", "np.random.gamma(1.0, 2.0, size=(2000,))", "ulp"),
        ("gamma/many", "np.random.gamma(0.7, 2.0, size=(30001,))", "ulp"),
        ("gamma/text", "np.random.gamma(1.8474337369372327, 123.456, size=(50,))", "ulp"),
        ("beta/many", "np.random.beta(0.7, 2.0, size=(20001,))", "ulp"),
        ("chisquare/many", "np.random.chisquare(1.0, size=(20001,))", "ulp"),
        ("normal/odd", "np.random.normal(size=(100001,))", "exact"),
        ("normal/zero-scale", "np.random.normal(2.0, 0.0, size=(5,))", "exact"),
        ("uniform/empty", "np.random.uniform(size=(0,))", "exact"),
        ("lognormal/arrays", "np.random.lognormal(a, b)", "net"),
        ("rayleigh/many", "np.random.rayleigh(2.0, size=(20001,))", "ulp"),
        ("logistic/many", "np.random.logistic(size=(20001,))", "ulp"),
        ("gumbel/many", "np.random.gumbel(size=(20001,))", "ulp"),
        ("exponential/many", "np.random.exponential(size=(20001,))", "ulp"),
        ("exponential/text", "np.random.exponential(1.8474337369372327, size=(50,))", "ulp"),
        ("weibull/many", "np.random.weibull(1.3, size=(20001,))", "ulp"),
        ("weibull/text", "np.random.weibull(1.8474337369372327, size=(50,))", "ulp"),
        ("pareto/many", "np.random.pareto(1.3, size=(20001,))", "ulp"),
        ("power/many", "np.random.power(1.3, size=(20001,))", "ulp"),
    )
]

_CHOICE = [
    _case(f"choice/{label}", f"np.random.choice({args})")
    for label, args in (
        ("one", "10"),
        ("all", "10, size=(10,), replace=False"),
        ("half", "10, size=(5,), replace=False"),
        ("below-half", "10, size=(4,), replace=False"),
        ("above-half", "10, size=(6,), replace=False"),
        ("none", "10, size=(0,), replace=False"),
        ("matrix", "10, size=(3, 2), replace=False"),
        ("matrix-replace", "10, size=(30, 2)"),
        ("large", "100000, size=(3,), replace=False"),
        ("p-matrix", "3, size=(30, 2), p=np.array([0.2, 0.3, 0.5])"),
        ("p-short", "3, size=(300,), p=np.array([0.2, 0.3, 0.4])"),
        ("p-float64", "3, size=(300,), p=np.array([0.2, 0.3, 0.5], dtype='float64')"),
        ("p-no-replace", "50, size=(20,), replace=False, p=np.array(onp.arange(50) / 1225.0)"),
        ("p-matrix-no-replace", "6, (2, 2), False, np.array([0.1, 0.2, 0.3, 0.2, 0.1, 0.1])"),
    )
]

_COUNTS = [
    _case(f"multinomial/{label}", f"np.random.multinomial({args})")
    for label, args in (
        ("plain", "30, [0.2, 0.3, 0.5]"),
        ("none", "0, [0.2, 0.3, 0.5], size=(3,)"),
        ("matrix", "30, [0.2, 0.3, 0.5], size=(2, 3)"),
        ("array-matrix", "30, np.array([0.2, 0.3, 0.5]), size=(2, 3)"),
        ("float64", "3000, np.array([0.2, 0.3, 0.5], dtype='float64'), size=(3,)"),
        ("int-size", "30, [0.2, 0.3, 0.5], size=4"),
        ("short", "300, [0.2, 0.3], size=(3,)"),
    )
]

_BERNOULLI = [
    _case(f"bernoulli/{label}", f"npx.random.bernoulli({args})")
    for label, args in (
        ("array", "prob=np.array([0.0, 0.5, 1.0])"),
        ("array-size", "prob=np.array([0.0, 0.5, 1.0]), size=(50, 3)"),
        ("logit-array", "logit=np.array([-1.0, 0.0, 3.0]), size=(50, 3)"),
        ("float64", "prob=0.5, size=(50,), dtype='float64'"),
        ("float16", "prob=0.5, size=(50,), dtype='float16'"),
        ("uint8", "prob=0.5, size=(50,), dtype='uint8'"),
        ("bool", "prob=0.5, size=(50,), dtype='bool'"),
        ("text", "prob=0.7000000001, size=(50,)"),
    )
]

CASES = [*_ARRAYS, *_DTYPES, *_TEXT, *_LIMITS, *_CHOICE, *_COUNTS, *_BERNOULLI]
