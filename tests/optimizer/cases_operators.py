"""Updates as operators, written into the weights: one weight, several, float32 copies."""

from tests.cases import C

SETUP = """
def arrays(count, dtype='float32'):
    rng = onp.random.RandomState(3)
    return [nd.array(rng.uniform(-1, 1, (3, 2)), dtype=dtype) for _ in range(count)]
w, g, a, b, c, d = arrays(6)
a, d = nd.abs(a), nd.abs(d)
half_w, half_g = arrays(2, 'float16')
"""
CALLS = {
    "sgd": "nd.sgd_update(w, g, out=w, lr=0.1, wd=0.1)",
    "sgd-momentum": "nd.sgd_mom_update(w, g, b, out=w, lr=0.1, momentum=0.9, wd=0.1)",
    "nag": "nd.nag_mom_update(w, g, b, out=w, lr=0.1, momentum=0.9, wd=0.1, clip_gradient=0.5)",
    "nag-elsewhere": "nd.nag_mom_update(w, g, b, out=c, lr=0.1, momentum=0.9, wd=0.1)",
    "mp-nag": """nd.mp_nag_mom_update(
        half_w, half_g, b, c, out=half_w, lr=0.1, momentum=0.9, wd=0.1)""",
    "adam": "nd.adam_update(w, g, b, a, out=w, lr=0.1, wd=0.1)",
    "ftrl": "nd.ftrl_update(w, g, b, a, out=w, lr=0.1, wd=0.1)",
    "mp-sgd": "nd.mp_sgd_mom_update(half_w, half_g, b, c, out=half_w, lr=0.1, momentum=0.9)",
    "multi-sgd": """nd.multi_sgd_update(
        w, g, b, c, out=[w, b], lrs=(0.1, 0.2), wds=(0.0, 0.1), num_weights=2)""",
    "multi-sgd-momentum": """nd.multi_sgd_mom_update(
        w, g, a, b, c, d, out=[w, b], lrs=(0.1, 0.2), wds=(0.0, 0.1), momentum=0.9,
        rescale_grad=0.5, clip_gradient=0.3, num_weights=2)""",
    "multi-mp-sgd": """nd.multi_mp_sgd_update(
        half_w, half_g, a, out=[half_w], lrs=(0.1,), wds=(0.1,), num_weights=1)""",
    "multi-mp-sgd-momentum": """nd.multi_mp_sgd_mom_update(
        half_w, half_g, a, b, out=[half_w], lrs=(0.1,), wds=(0.1,), momentum=0.9,
        num_weights=1)""",
    "preloaded-sgd": """nd.preloaded_multi_sgd_update(
        w, g, b, c, nd.array([0.1, 0.2]), nd.array([0, 0.1]), out=[w, b], num_weights=2)""",
    "preloaded-sgd-momentum": """nd.preloaded_multi_sgd_mom_update(
        w, g, a, nd.array([0.1]), nd.array([0.2]), out=[w], momentum=0.9, num_weights=1)""",
    "preloaded-mp-sgd": """nd.preloaded_multi_mp_sgd_update(
        half_w, half_g, a, nd.array([0.1]), nd.array([0.2]), out=[half_w], num_weights=1)""",
    "preloaded-mp-sgd-momentum": """nd.preloaded_multi_mp_sgd_mom_update(
        half_w, half_g, a, b, nd.array([0.1]), nd.array([0.2]), out=[half_w], momentum=0.9,
        num_weights=1)""",
}
CASES = [
    C(label, f"{SETUP}\n{call}\nout += [w, g, a, b, c, d, half_w, half_g]\n")
    for label, call in CALLS.items()
]
