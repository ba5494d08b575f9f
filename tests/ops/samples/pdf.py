"""Densities at samples."""

from tests.cases import A, I, S, V

COUNTS = I((2, 4), 0, 6, "float32")


def f(shape, dtype="float32", lo=0.2, hi=2.0):
    return A(shape, dtype, lo, hi)


def variants(name, sample, *parameters):
    """Densities and their logarithms, several axes, float64."""
    wide = [f(p.shape, "float64", p.lo, p.hi) for p in parameters]
    big = (
        I(sample.shape, 0, 6, "float64")
        if isinstance(sample, I)
        else f(sample.shape, "float64", sample.lo, sample.hi)
    )
    return [
        S("random_pdf_" + name, sample, *parameters),
        S("random_pdf_" + name, sample, *parameters, is_log=True),
        S("random_pdf_" + name, big, *wide, tol=2e-6, why="MXNet's digamma is a float32 one"),
    ]


ROWS = [
    S("random_pdf_dirichlet", V([0.2, 0.3, 0.5]), V([0.5, 1, 2])),
    *variants("uniform", f((2, 4)), f((2,), lo=-1, hi=0), f((2,))),
    *variants("normal", f((2, 4), lo=-2), f((2,), lo=-1), f((2,))),
    S("random_pdf_normal", f((2, 3)), f((2, 3)), f((2, 3))),
    S("random_pdf_normal", f((2, 1, 5)), f((2, 1)), f((2, 1))),
    S("random_pdf_normal", f((2, 4)), f((3,)), f((3,)), raises="MXNetError"),
    *variants("gamma", f((2, 4)), f((2,)), f((2,))),
    *variants("exponential", f((2, 4)), f((2,))),
    *variants("poisson", COUNTS, f((2,))),
    *variants("negative_binomial", COUNTS, f((2,)), f((2,), lo=0.1, hi=0.9)),
    *variants("generalized_negative_binomial", COUNTS, f((2,)), f((2,))),
    *variants("dirichlet", f((2, 4), lo=0.1, hi=0.9), f((2, 4))),
    S("random_pdf_dirichlet", f((2, 5, 3), lo=0.1, hi=0.9), f((2, 3))),
    S("random_pdf_dirichlet", V([[0.2, 0.3, 0.5]]), V([1.0, 2.0, 3.0])),
]
