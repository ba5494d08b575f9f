"""Random operators after seed 0: the very bits of MXNet's streams.

tests/random has the streams at length; these rows show each operator's arguments, types, shapes.
"""

from tests.cases import A, I, S, V

P2 = V([0.5, 2.0])
PROB = V([0.3, 0.6])
WHOLE = V([3.0, 7.0])
BYTES = I((8, 6, 3), 0, 256, "uint8")
LEVELS = A((3, 4, 3), lo=0, hi=255)
LEVELS_1 = A((3, 4, 1), lo=0, hi=255)
JITTER = {"brightness": 0.3, "contrast": 0.4, "saturation": 0.5, "hue": 0.2}


def scalar(name, *variants):
    """One operator with numbers as parameters."""
    plain = [S(name, grad=False, cls="exact", shape=(3,))]
    return plain + [S(name, grad=False, cls="exact", **attrs) for attrs in variants]


ROWS = [
    *scalar(
        "random_uniform",
        {"low": -2.0, "high": 3.0, "shape": (2, 70)},
        {"shape": (4,), "dtype": "float64"},
        {"shape": (4,), "dtype": "float16"},
    ),
    *scalar(
        "random_normal",
        {"loc": 3.0, "scale": 0.5, "shape": (2, 70)},
        {"shape": (4,), "dtype": "float16"},
    ),
    *scalar("random_exponential", {"lam": 4.0, "shape": (2, 3)}, {"shape": (3,), "lam": 0.1}),
    *scalar("random_gamma", {"alpha": 3.0, "beta": 2.0, "shape": (2, 3)}, {"shape": 5}),
    *scalar("random_poisson", {"lam": 3.0, "shape": (2, 5)}, {"lam": 30.0, "shape": (9,)}),
    *scalar(
        "random_negative_binomial",
        {"k": 4, "p": 0.3, "shape": (2, 3)},
        {"k": 2, "p": 0.5, "shape": (4,), "dtype": "float64"},
    ),
    *scalar(
        "random_generalized_negative_binomial",
        {"mu": 3.0, "alpha": 0.3, "shape": (2, 3)},
        {"mu": 3.0, "alpha": 0.0, "shape": (4,)},
    ),
    S("random_randint", grad=False, low=2, high=9, shape=(3, 4)),
    S("random_randint", grad=False, low=-5, high=2**40, shape=(3,), dtype="int64"),
    S("random_randint", grad=False, low=0, high=1, shape=(1,)),
    S("sample_uniform", V([0.0, 1.0]), V([1.0, 5.0]), grad=False, cls="exact", shape=(3,)),
    S("sample_uniform", V([[0.0], [1.0]]), V([[1.0], [5.0]]), grad=False, cls="exact"),
    S("sample_uniform", I((2,), 0, 2), I((2,), 3, 5), grad=False, shape=(2, 2), dtype="float64"),
    S("sample_normal", V([0.0, 1.0]), V([1.0, 5.0]), grad=False, cls="exact", shape=(3,)),
    S("sample_normal", V([0.0, 1.0]), V([1.0, 5.0]), grad=False, cls="exact"),
    S("sample_normal", V([0.0], "float64"), V([1.0], "float64"), grad=False, shape=4),
    S("sample_exponential", P2, grad=False, cls="exact", shape=(2, 2)),
    S("sample_exponential", P2, grad=False, cls="exact"),
    S("sample_exponential", V([[1.0]]), grad=False, cls="exact", shape=3),
    S("sample_gamma", P2, P2, grad=False, cls="ulp", shape=(3,)),
    S("sample_gamma", P2, P2, grad=False, cls="ulp"),
    S("sample_gamma", V([5.0]), V([0.1]), grad=False, cls="ulp", shape=(2, 2)),
    S("sample_poisson", V([0.5, 20.0]), grad=False, cls="exact", shape=(4,)),
    S("sample_poisson", V([0.5, 20.0]), grad=False, cls="exact"),
    S("sample_poisson", I((2,), 1, 9), grad=False, cls="exact", shape=2),
    S("sample_negative_binomial", WHOLE, PROB, grad=False, cls="exact", shape=(4,)),
    S("sample_negative_binomial", WHOLE, PROB, grad=False, cls="exact"),
    S("sample_negative_binomial", WHOLE, PROB, grad=False, cls="exact", shape=2, dtype="float64"),
    S("sample_generalized_negative_binomial", WHOLE, PROB, grad=False, cls="exact", shape=(4,)),
    S("sample_generalized_negative_binomial", WHOLE, PROB, grad=False, cls="exact"),
    S("sample_generalized_negative_binomial", WHOLE, V([0.0, 1.0]), grad=False, shape=(3,)),
    *[
        S(f"random.{name}_like", A(shape, dtype), grad=False, cls="ulp", **attrs)
        for name, attrs in (
            ("uniform", {"low": 1.0, "high": 4.0}),
            ("normal", {"loc": 1.0, "scale": 2.0}),
            ("exponential", {"lam": 2.0}),
            ("gamma", {"alpha": 2.0, "beta": 0.5}),
            ("poisson", {"lam": 4.0}),
            ("negative_binomial", {"k": 3, "p": 0.4}),
            ("generalized_negative_binomial", {"mu": 2.0, "alpha": 0.4}),
        )
        for shape, dtype in (((2, 3), "float32"), ((1,), "float32"), ((4,), "float64"))
    ],
    S("shuffle", A((7,)), grad=False, cls="exact"),
    S("shuffle", A((5, 2)), grad=False, cls="exact"),
    S("shuffle", I((4, 1, 2), 0, 99), grad=False, cls="exact"),
    S("sample_multinomial", V([0.1, 0.2, 0.7]), grad=False, shape=(6,)),
    S("sample_multinomial", V([[0.1, 0.9], [0.5, 0.5]]), grad=False, shape=(2, 3)),
    S("sample_multinomial", V([[0.1, 0.9], [0.5, 0.5]]), shape=(4,), get_prob=True),
    S("sample_multinomial", V([0.1, 0.2, 0.7]), grad=False, get_prob=True, dtype="float32"),
    S("sample_multinomial", V([0.25, 0.75], "float64"), shape=(3,), get_prob=True, dtype="uint8"),
    S("_internal._sample_unique_zipfian", grad=False, range_max=100, shape=(2, 3)),
    S("_internal._sample_unique_zipfian", grad=False, range_max=5, shape=(1, 5)),
    S("_internal._sample_unique_zipfian", grad=False, range_max=10**6, shape=(3, 4)),
    S("random_uniform", grad=False, low=1.0, high=0.0, shape=(2,), raises="MXNetError"),
    S("random_normal", grad=False, scale=0.0, shape=(2,), raises="MXNetError"),
    S("random_uniform", grad=False, shape=(2,), dtype="int32", raises="MXNetError"),
    S("random_poisson", grad=False, lam=-1.0, shape=(2,), raises="MXNetError"),
    S("random.uniform_like", I((2,), 0, 5), grad=False, raises="MXNetError"),
    S("sample_uniform", V([0.0, 1.0]), V([1.0]), grad=False, raises="MXNetError"),
    *[
        S(f"image.random_flip_{way}", image, grad=grad)
        for way in ("left_right", "top_bottom")
        for image, grad in ((BYTES, False), (A((2, 4, 1)), True))
    ],
    *[
        S(f"image.random_{effect}", image, grad=grad, min_factor=0.4, max_factor=1.7)
        for effect in ("brightness", "contrast", "saturation", "hue")
        for image, grad in ((BYTES, False), (LEVELS, True))
    ],
    S("image.random_hue", I((5, 7, 3), 0, 256, "uint8"), grad=False, min_factor=0, max_factor=9),
    S("image.random_contrast", LEVELS_1, min_factor=0.5, max_factor=0.5),
    S("image.random_saturation", LEVELS_1, min_factor=0.5, max_factor=0.5),
    S("image.random_brightness", I((2, 3, 3), -9, 99), grad=False, min_factor=0, max_factor=1),
    S(
        "image.random_brightness",
        BYTES,
        grad=False,
        min_factor=-1,
        max_factor=1,
        raises="MXNetError",
    ),
    S("image.random_brightness", A((2, 2, 2, 3)), min_factor=0, max_factor=1, raises="MXNetError"),
    S("image.random_brightness", A((2, 2, 2)), min_factor=0, max_factor=1, raises="MXNetError"),
    *[
        S("image.random_color_jitter", image, grad=grad, **JITTER)
        for image, grad in ((BYTES, False), (LEVELS, True))
    ],
    S("image.random_color_jitter", LEVELS, **{**JITTER, "contrast": 0, "hue": 0}),
    S("image.random_lighting", BYTES, grad=False),
    S("image.random_lighting", LEVELS, alpha_std=0.5),
    S("image.adjust_lighting", BYTES, grad=False, alpha=(1, -0.5, 2)),
    S("image.adjust_lighting", LEVELS, alpha=(0.1, 0.2, 0.3)),
    S("image.adjust_lighting", LEVELS, alpha=(0.1, 0.2), raises="MXNetError"),
]
