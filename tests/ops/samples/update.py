"""Updates of weights: the new weight, and the states that are written in place."""

from tests.cases import A, S, V

W, G, M = A((3, 4)), A((3, 4), lo=-3, hi=3), A((3, 4))
POS = A((3, 4), lo=0.1, hi=2)
W16, G16 = A((3, 4), "float16"), A((3, 4), "float16", lo=-3, hi=3)
W32, POS16 = A((3, 4), "float32"), A((3, 4), "float16", lo=0.1, hi=0.5)
SMALL16 = A((3, 4), "float16", lo=1e-4, hi=1e-3)  # what a variance in float16 is small beside
ALL = {"wd": 0.1, "rescale_grad": 0.5, "clip_gradient": 0.7}


def variants(op, *inputs, plain, tuned, **facts):
    """With defaults, and with decay, rescaling and clipping."""
    return [
        S(op, *inputs, grad=False, **plain, **facts),
        S(op, *inputs, grad=False, **plain, **ALL, **tuned, **facts),
    ]


ROWS = [
    S("sgd_update", (3, 2, 4), (3, 1, 4), lr=0.1, raises="MXNetError"),
    S("sgd_mom_update", (3, 4), (3, 4), (1, 4), lr=0.1, raises="MXNetError"),
    S("adam_update", (3, 4), (1, 4), (3, 4), (3, 4), lr=0.1, raises="MXNetError"),
    *variants("sgd_update", W, G, plain={"lr": 0.1}, tuned={}),
    *variants("sgd_mom_update", W, G, M, plain={"lr": 0.1}, tuned={"momentum": 0.9}),
    *variants("mp_sgd_update", W16, G16, W32, plain={"lr": 0.1}, tuned={}),
    *variants("mp_sgd_mom_update", W16, G16, W32, W32, plain={"lr": 0.1}, tuned={"momentum": 0.9}),
    *variants("nag_mom_update", W, G, M, plain={"lr": 0.1}, tuned={"momentum": 0.9}),
    *variants("mp_nag_mom_update", W16, G16, W32, W32, plain={"lr": 0.1}, tuned={"momentum": 0.9}),
    *variants("signsgd_update", W, G, plain={"lr": 0.1}, tuned={}),
    *variants("signum_update", W, G, M, plain={"lr": 0.1}, tuned={"momentum": 0.9, "wd_lh": 0.2}),
    *variants("adam_update", W, G, M, POS, plain={"lr": 0.1}, tuned={"beta1": 0.5, "beta2": 0.8}),
    *variants(
        "rmsprop_update", W, G, POS, plain={"lr": 0.1}, tuned={"gamma1": 0.5, "clip_weights": 0.6}
    ),
    *variants(
        "rmspropalex_update",
        W,
        G,
        A((3, 4), lo=4, hi=5),
        M,
        M,
        plain={"lr": 0.1},
        tuned={"gamma1": 0.5, "gamma2": 0.3, "epsilon": 0.1},
    ),
    *variants("ftrl_update", W, G, M, POS, plain={"lr": 0.1}, tuned={"lamda1": 0.3, "beta": 2.0}),
    S("adam_update", W16, G16, W16, SMALL16, grad=False, lr=0.1, wd=0.05),
    S("ftml_update", W16, POS16, POS16, SMALL16, W16, grad=False, lr=0.1, t=2),
    S("lamb_update_phase1", W16, G16, W16, SMALL16, grad=False, t=2, wd=0.1),
    S("ftml_update", W, G, POS, POS, M, grad=False, lr=0.1, t=1),
    S("ftml_update", W, G, POS, POS, M, grad=False, lr=0.1, t=3, wd=0.1, clip_grad=0.5, beta1=0.3),
    *variants(
        "lamb_update_phase1",
        W,
        G,
        M,
        POS,
        plain={"t": 2},
        tuned={"beta1": 0.5, "bias_correction": False},
    )[1:],
    S("lamb_update_phase1", W, G, M, POS, grad=False, t=2, wd=0.0),
    S("mp_lamb_update_phase1", W16, G16, W32, POS, W32, grad=False, t=2, wd=0.1),
    S("lamb_update_phase2", W, G, V([1.5]), V([0.5]), grad=False, lr=0.1),
    S("lamb_update_phase2", W, G, V([0.0]), V([0.5]), grad=False, lr=0.1),
    S(
        "lamb_update_phase2",
        W,
        G,
        V([1.5]),
        V([0.5]),
        grad=False,
        lr=0.1,
        lower_bound=2.0,
        upper_bound=3.0,
    ),
    S("mp_lamb_update_phase2", W16, W32, V([1.5]), V([0.5]), W32, grad=False, lr=0.1),
]
