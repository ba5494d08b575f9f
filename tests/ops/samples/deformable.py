"""Deformable convolution and pooling, region proposals."""

from tests.cases import A, S, V

X = (2, 4, 6, 5)
K3 = {"kernel": (3, 3), "num_filter": 4}
FAR = A((2, 18, 4, 3), lo=-4, hi=4)
REGIONS = V([[0, 0, 0, 4, 4], [1, 1.5, 2.5, 5, 3], [0, 3, 3, 3, 3], [1, -2, -1, 9, 12]])
HALF = V([[0, 2, 4, 13, 11], [0, 1, 3, 6, 6]])
PS = {"spatial_scale": 1.0, "output_dim": 2}
TRANS = A((4, 2, 2, 2), lo=-2, hi=2)
INFO = V([[64, 60, 1.0]])
RPN = {"rpn_pre_nms_top_n": 60, "rpn_post_nms_top_n": 12, "rpn_min_size": 4}
DC, MDC = "contrib.DeformableConvolution", "contrib.ModulatedDeformableConvolution"
PSROI, DPSROI = "contrib.PSROIPooling", "contrib.DeformablePSROIPooling"
MASK = A((2, 9, 4, 3), lo=0, hi=1)


def f64(*shape):
    return A(shape, "float64")


def prob(batch, anchors, rows, columns):
    return A((batch, 2 * anchors, rows, columns), lo=0, hi=1)


# MXNet has the gradient of modulated convolutions on GPUs only.
ROWS = [
    S(DC, X, (2, 18, 4, 3), (4, 4, 3, 3), (4,), **K3),
    S(DC, X, FAR, (4, 4, 3, 3), None, no_bias=True, **K3),
    S(DC, X, V([[[[0] * 3] * 4] * 18] * 2), (4, 4, 3, 3), (4,), **K3),
    S(
        DC,
        X,
        A((2, 36, 3, 3), lo=-2, hi=2),
        (4, 2, 3, 3),
        (4,),
        stride=(2, 2),
        pad=(2, 1),
        dilate=(2, 1),
        num_group=2,
        num_deformable_group=2,
        **K3,
    ),
    S(DC, f64(1, 2, 5, 5), f64(1, 8, 4, 4), f64(3, 2, 2, 2), f64(3), kernel=(2, 2), num_filter=3),
    S(DC, X, (2, 18, 4, 4), (4, 4, 3, 3), (4,), raises="MXNetError", **K3),
    S(MDC, X, (2, 18, 4, 3), MASK, (4, 4, 3, 3), (4,), grad=False, **K3),
    S(MDC, X, FAR, MASK, (4, 4, 3, 3), None, no_bias=True, grad=False, **K3),
    S(MDC, X, V([[[[0] * 3] * 4] * 18] * 2), MASK, (4, 4, 3, 3), (4,), grad=False, **K3),
    S(
        MDC,
        X,
        A((2, 36, 3, 3), lo=-2, hi=2),
        A((2, 18, 3, 3), lo=0, hi=1),
        (4, 2, 3, 3),
        (4,),
        stride=(2, 2),
        pad=(2, 1),
        dilate=(2, 1),
        num_group=2,
        num_deformable_group=2,
        grad=False,
        **K3,
    ),
    S(PSROI, (2, 8, 6, 6), REGIONS, pooled_size=2, **PS),
    S(PSROI, (2, 18, 6, 6), REGIONS, pooled_size=3, **PS),
    S(PSROI, (2, 8, 7, 8), HALF, pooled_size=4, group_size=2, spatial_scale=0.5, output_dim=2),
    S(DPSROI, (2, 8, 6, 6), REGIONS, TRANS, pooled_size=2, group_size=2, trans_std=0.1, **PS),
    S(
        DPSROI,
        (2, 8, 6, 6),
        REGIONS,
        TRANS,
        pooled_size=4,
        group_size=2,
        part_size=2,
        sample_per_part=3,
        trans_std=0.2,
        **PS,
    ),
    S(
        DPSROI,
        (2, 8, 6, 6),
        HALF,
        pooled_size=2,
        group_size=2,
        no_trans=True,
        spatial_scale=0.5,
        output_dim=2,
        sample_per_part=2,
    ),
    S("contrib.Proposal", prob(1, 12, 4, 4), (1, 48, 4, 4), INFO, **RPN),
    S("contrib.Proposal", prob(1, 12, 4, 4), (1, 48, 4, 4), INFO, output_score=True, **RPN),
    S(
        "contrib.Proposal",
        prob(1, 2, 5, 6),
        (1, 8, 5, 6),
        V([[40, 33, 2.0]]),
        scales=(2.0, 3.5),
        ratios=(0.7,),
        feature_stride=8,
        threshold=0.4,
        output_score=True,
        rpn_pre_nms_top_n=-1,
        rpn_post_nms_top_n=30,
        rpn_min_size=5,
        iou_loss=True,
    ),
    S("contrib.Proposal", prob(1, 12, 4, 4), (1, 44, 4, 4), INFO, raises="MXNetError", **RPN),
    S("contrib.Proposal", prob(2, 12, 4, 4), (2, 48, 4, 4), INFO, raises="MXNetError", **RPN),
    S(
        "contrib.MultiProposal",
        prob(2, 12, 4, 4),
        (2, 48, 4, 4),
        V([[64, 60, 1.0], [50, 64, 1.5]]),
        output_score=True,
        **RPN,
    ),
    S(
        "contrib.MultiProposal",
        prob(3, 2, 5, 6),
        (3, 8, 5, 6),
        V([[40, 33, 2.0]] * 3),
        scales=(2.0, 3.5),
        ratios=(0.7,),
        feature_stride=8,
        threshold=0.4,
        rpn_pre_nms_top_n=40,
        rpn_post_nms_top_n=30,
        rpn_min_size=5,
    ),
    S(
        "contrib.RROIAlign",
        (2, 3, 7, 8),
        V([[0, 3, 3, 4, 2, 30], [1, 4, 2, 5, 6, -75], [1, 0, 0, 0.5, 0.5, 10]]),
        pooled_size=(2, 3),
        spatial_scale=1.0,
        grad=False,
    ),
    S(
        "contrib.RROIAlign",
        (1, 2, 7, 8),
        V([[0, 8, 9, 20, 11, 200]]),
        pooled_size=(3, 3),
        spatial_scale=0.5,
        sampling_ratio=2,
        grad=False,
    ),
    S(
        "contrib.RROIAlign",
        (1, 2, 7, 8),
        V([[0, 3, 3, 4, 2]]),
        pooled_size=(3, 3),
        spatial_scale=0.5,
        raises="MXNetError",
        grad=False,
    ),
]
