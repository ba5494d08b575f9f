"""What variations of the other rows brought up (tools/differential.py)."""

from tests.cases import I, S, V

NAN, INF = float("nan"), float("inf")
WHOLE = V([0, 1, 2, 3, 100], "uint8")

ROWS = [
    # limits in the wrong order, outside the type, infinite; nan passes, and so does its gradient
    S("clip", V([-2.0, -1.0, 0.0, 0.5, 1.0, NAN]), a_min=0.5, a_max=-1.0),
    S("clip", V([-2.0, NAN, 0.5, INF], "float64"), a_min=-1.0, a_max=INF),
    S("clip", WHOLE, a_min=-1.0, a_max=2.5, grad=False),
    S("clip", WHOLE, a_min=1, a_max=0, grad=False),
    S("clip", V([0, 1, 2, 3, 100], "int32"), a_min=-INF, a_max=2.9, grad=False),
    S("clip", (2, 3), a_min=True, a_max=2, raises="MXNetError"),
    S("smooth_l1", V([-2.0, 0.0, 3.0]), scalar=0.0),
    S("smooth_l1", WHOLE, scalar=0.5, grad=False),
    S("smooth_l1", WHOLE, scalar=2.7, grad=False),
    S("topk", V([[1.0, 3.0, 2.0]]), ret_typ="mask"),
    S("repeat", (2, 3), repeats=0, axis=1, grad=False),
    # arrays that the attributes leave no place for
    S("FullyConnected", (2, 3), (4, 3), (4,), num_hidden=4, no_bias=True, raises="MXNetError"),
    S("LeakyReLU", (2, 3), (3,), act_type="leaky", raises="MXNetError"),
    S("SequenceMask", (2, 3), V([1, 2, 1]), raises="MXNetError"),
    # what None is as a type
    S("softmax", V([[1.0, 1.0]]), dtype=None, grad=False),
    S("argsort", (2, 3), dtype=None, grad=False),
    S("one_hot", I((3,), 0, 4), depth=4, dtype=None, grad=False),
    S("expand_dims", (2, 3), axis=True, raises="MXNetError"),
    S("sum", (2, 3), axis=(True,), raises="MXNetError"),
]
