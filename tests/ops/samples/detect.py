"""Boxes: overlap, suppression, matching, coding, anchors."""

from tests.cases import A, S, V

# class, score, box
ROWS_OF_BOXES = [
    [0, 0.5, 0.1, 0.1, 0.2, 0.2],
    [1, 0.4, 0.1, 0.1, 0.2, 0.2],
    [0, 0.3, 0.1, 0.1, 0.14, 0.14],
    [2, 0.6, 0.5, 0.5, 0.7, 0.8],
    [0, 0.5, 0.11, 0.11, 0.21, 0.21],
    [-1, 0.9, 0.0, 0.0, 1.0, 1.0],
]
BOXES = V([ROWS_OF_BOXES])
TWO = V([ROWS_OF_BOXES, ROWS_OF_BOXES[::-1]])
NMS = {"coord_start": 2, "score_index": 1}
CORNERS = V([[0, 0, 2, 2], [1, 1, 3, 3], [1, 1, 1, 1], [3, 3, 1, 1]])
SCORES = V([[0.5, 0.6], [0.1, 0.2], [0.3, 0.4]])
ANCHORS = V([[[0.1, 0.1, 0.4, 0.5], [0.3, 0.2, 0.8, 0.9], [0.0, 0.0, 1.0, 1.0]]])
TRUTHS = V([[[0.2, 0.1, 0.5, 0.4], [0.1, 0.3, 0.7, 0.9]]])
MEANS, STDS = V([0.0, 0.1, 0.0, -0.1]), V([0.1, 0.1, 0.2, 0.2])

ROWS = [
    S("contrib.box_nms", (3, 6), score_index=3, coord_start=2, raises="MXNetError"),
    S("contrib.box_nms", (3, 5), score_index=1, coord_start=2, raises="MXNetError"),
    S("contrib.box_nms", (3, 6), id_index=4, raises="MXNetError"),
    S("contrib.box_iou", CORNERS, V([[1, 1, 3, 3], [0, 0, 2, 2], [5, 5, 6, 6]]), grad=False),
    S("contrib.box_iou", CORNERS, CORNERS, format="center", grad=False),
    S("contrib.box_iou", A((2, 3, 4), lo=0), A((5, 4), lo=0), grad=False),
    S("contrib.box_nms", BOXES, overlap_thresh=0.1, id_index=0, **NMS),
    S("contrib.box_nms", BOXES, overlap_thresh=0.1, id_index=0, force_suppress=True, **NMS),
    S("contrib.box_nms", BOXES, overlap_thresh=0.1, id_index=0, background_id=0, **NMS),
    S("contrib.box_nms", BOXES, overlap_thresh=0.1, **NMS),
    S("contrib.box_nms", BOXES, valid_thresh=0.4, id_index=0, **NMS),
    S("contrib.box_nms", BOXES, topk=2, id_index=0, **NMS),
    S("contrib.box_nms", BOXES, in_format="center", out_format="corner", **NMS),
    S("contrib.box_nms", BOXES, in_format="corner", out_format="center", **NMS),
    S("contrib.box_nms", BOXES, in_format="center", out_format="center", id_index=0, **NMS),
    S("contrib.box_nms", BOXES, valid_thresh=2.0, id_index=0, **NMS),
    S("contrib.box_nms", TWO, overlap_thresh=0.3, id_index=0, **NMS),
    S(
        "contrib.box_nms",
        A((2, 6, 6), "float32", 0, 1),
        overlap_thresh=0.1,
        id_index=0,
        in_format="center",
    ),
    S("contrib.box_nms", V(ROWS_OF_BOXES)),
    S("contrib.box_nms", A((1, 60, 6), lo=0), overlap_thresh=0.2, **NMS),
    S(
        "contrib.box_nms",
        V([[0.5, 0, 0, 1, 1], [0.5, 2, 2, 3, 3], [0.5, 4, 4, 5, 5], [0.7, 2, 2, 3, 3]]),
        coord_start=1,
        score_index=0,
    ),
    S("contrib.bipartite_matching", SCORES, threshold=1e-12, grad=False),
    S("contrib.bipartite_matching", SCORES, threshold=0.35, grad=False),
    S("contrib.bipartite_matching", SCORES, threshold=0.45, is_ascend=True, grad=False),
    S("contrib.bipartite_matching", A((4, 4), lo=0), threshold=0.01, topk=1, grad=False),
    S("contrib.bipartite_matching", A((4, 4), lo=0), threshold=0.01, topk=2, grad=False),
    S("contrib.bipartite_matching", A((2, 3, 5), lo=0), threshold=0.2, grad=False),
    S(
        "contrib.box_encode",
        V([[1, 0, 1]]),
        V([[1, 0, 0]]),
        ANCHORS,
        TRUTHS,
        MEANS,
        STDS,
        grad=False,
    ),
    S(
        "contrib.box_encode",
        V([[1, -1, 1]]),
        V([[0, 1, 1]]),
        ANCHORS,
        TRUTHS,
        MEANS,
        STDS,
        grad=False,
    ),
    S("contrib.box_decode", (2, 3, 4), ANCHORS, grad=False),
    S("contrib.box_decode", (2, 3, 4), ANCHORS, std0=0.1, std1=0.2, std2=0.3, std3=0.4, grad=False),
    S("contrib.box_decode", (2, 3, 4), ANCHORS, format="corner", clip=0.3, grad=False),
]
