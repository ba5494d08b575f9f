"""Region proposals: the best boxes that a network's scores and offsets make of anchors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.attrs import Floats
from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import Attrs, Dims, op
from mxtorch._ops._gradients import without_slope
from mxtorch._ops.detect import pick, survivors

F32 = np.float32


def _anchors(stride: int, scales: Floats, ratios: Floats) -> np.ndarray:
    """The anchors of one place (corners), by ratio, then by scale."""
    side, centre = stride, 0.5 * (stride - 1)
    boxes = []
    for ratio in ratios:
        for scale in scales:
            area = np.floor(F32(side * side) / F32(ratio))
            wide = np.floor(np.sqrt(area) + 0.5)
            tall = np.floor(wide * F32(ratio) + 0.5)
            half = 0.5 * (F32(scale) * wide - 1), 0.5 * (F32(scale) * tall - 1)
            boxes.append([centre - half[0], centre - half[1], centre + half[0], centre + half[1]])
    return np.array(boxes, F32)


def _decode(boxes: np.ndarray, moves: np.ndarray, iou_loss: bool) -> np.ndarray:
    """Anchors moved by what the network says: of corners, or of centre and log of size."""
    if iou_loss:
        moved: np.ndarray = boxes + moves
        return moved
    size = boxes[:, 2:] - boxes[:, :2] + 1
    centre = boxes[:, :2] + F32(0.5) * (size - 1)
    middle = moves[:, :2] * size + centre
    half = F32(0.5) * (np.exp(moves[:, 2:]) * size - 1)
    return np.concatenate([middle - half, middle + half], 1)


def _best(boxes: np.ndarray, scores: np.ndarray, most: int, limit: float) -> list[int]:
    """Boxes that no better one overlaps by more than `limit`; they come best first."""
    left, top, right, bottom = boxes.T
    areas = (right - left + 1) * (bottom - top + 1)
    alive = np.ones(len(boxes), bool)
    kept: list[int] = []
    for i in range(len(boxes)):
        if len(kept) >= most:
            break
        if not alive[i]:
            continue
        kept.append(i)
        wide = np.minimum(right[i], right[i:]) - np.maximum(left[i], left[i:]) + 1
        tall = np.minimum(bottom[i], bottom[i:]) - np.maximum(top[i], top[i:]) + 1
        common = np.maximum(wide, 0) * np.maximum(tall, 0)
        alive[i:] &= common / (areas[i] + areas[i:] - common) <= F32(limit)
    return kept


def _propose(
    scores: np.ndarray, moves: np.ndarray, info: np.ndarray, attrs: Attrs
) -> tuple[np.ndarray, np.ndarray]:
    """The proposals of one image: boxes and scores."""
    stride, post = attrs["feature_stride"], attrs["rpn_post_nms_top_n"]
    anchors = _anchors(stride, attrs["scales"], attrs["ratios"])
    count, rows, columns = scores.shape
    y, x = np.mgrid[:rows, :columns].astype(F32) * stride
    shift = np.stack([x, y, x, y], -1).reshape(-1, 1, 4)
    boxes = (shift + anchors).reshape(-1, 4)
    moves = moves.reshape(count, 4, rows, columns).transpose(2, 3, 0, 1).reshape(-1, 4)
    boxes = _decode(boxes, moves, attrs["iou_loss"])
    limit = np.array([info[1], info[0], info[1], info[0]], F32) - 1
    boxes = np.maximum(np.minimum(boxes, limit), 0)
    score = scores.transpose(1, 2, 0).copy()
    score[int(info[0] / F32(stride)) :] = -1
    score[:, int(info[1] / F32(stride)) :] = -1
    score = score.reshape(-1)
    least = F32(attrs["rpn_min_size"]) * info[2]
    small = ((boxes[:, 2:] - boxes[:, :2] + 1) < least).any(1)
    grown = np.array([-1, -1, 1, 1], F32) * least / 2
    boxes[small] += grown
    score[small] = -1
    before = attrs["rpn_pre_nms_top_n"]
    order = np.argsort(-score, kind="stable")
    if before > 0:
        order = order[:before]
    boxes, score = boxes[order], score[order]
    kept = _best(boxes, score, post, attrs["threshold"])
    picked = [kept[i % len(kept)] for i in range(post)]
    return boxes[picked], score[picked]


def _proposals(cls_prob: Tensor, bbox_pred: Tensor, im_info: Tensor, attrs: Attrs) -> list[Tensor]:
    count = len(attrs["scales"]) * len(attrs["ratios"])
    shape = tuple(cls_prob.shape)
    batch = shape[0] if shape else 0
    if len(shape) != 4 or shape[1] != 2 * count:
        raise MXNetShapeError(f"cls_prob must be (N, {2 * count}, H, W), got {shape}")
    if tuple(bbox_pred.shape) != (batch, 4 * count, *shape[2:]):
        raise MXNetShapeError(
            f"bbox_pred must be {(batch, 4 * count, *shape[2:])}, got {tuple(bbox_pred.shape)}"
        )
    if tuple(im_info.shape) != (batch, 3):
        raise MXNetShapeError(f"im_info must be {(batch, 3)}, got {tuple(im_info.shape)}")
    if torch.compiler.is_compiling():
        return _proposals_at_once(cls_prob, bbox_pred, im_info, attrs)
    post = attrs["rpn_post_nms_top_n"]
    boxes = cls_prob.new_zeros(batch * post, 5)
    scores = cls_prob.new_zeros(batch * post, 1)
    if not cls_prob.is_meta:
        arrays = [a.detach().cpu().float().numpy() for a in (cls_prob, bbox_pred, im_info)]
        for i in range(batch):
            found, score = _propose(arrays[0][i, count:], arrays[1][i], arrays[2][i], attrs)
            part = slice(i * post, (i + 1) * post)
            boxes[part, 0] = i
            boxes[part, 1:] = torch.from_numpy(found).to(boxes)
            scores[part, 0] = torch.from_numpy(score).to(scores)
    inputs = (cls_prob, bbox_pred, im_info)
    return [without_slope(result, *inputs) for result in (boxes, scores)]


def _proposals_at_once(
    cls_prob: Tensor, bbox_pred: Tensor, im_info: Tensor, attrs: Attrs
) -> list[Tensor]:
    """The same without a branch that depends on values, for exported graphs."""
    boxes, scores = _moved_anchors(cls_prob, bbox_pred, im_info, attrs)
    order = torch.sort(scores, descending=True, stable=True).indices
    if attrs["rpn_pre_nms_top_n"] > 0:
        order = order[:, : attrs["rpn_pre_nms_top_n"]]
    boxes, scores = pick(boxes, order), scores.gather(1, order)
    sizes = boxes[..., 2:] - boxes[..., :2] + 1
    areas = sizes[..., 0] * sizes[..., 1]
    one, other = boxes.unsqueeze(2), boxes.unsqueeze(1)
    low, high = torch.maximum(one, other)[..., :2], torch.minimum(one, other)[..., 2:]
    common = (high - low + 1).clamp(min=0).prod(-1)
    shared = common / (areas.unsqueeze(2) + areas.unsqueeze(1) - common)
    kept = survivors(~(shared <= attrs["threshold"]))
    first = torch.sort((~kept).to(torch.int64), stable=True).indices
    # the first ones again where there are too few
    numbers = torch.arange(attrs["rpn_post_nms_top_n"], device=scores.device)
    picked = first.gather(1, numbers % kept.sum(1, keepdim=True))
    rows, best = pick(boxes, picked), scores.gather(1, picked)
    image = torch.arange(rows.shape[0], device=rows.device).to(rows.dtype).reshape(-1, 1, 1)
    regions = torch.cat([image.expand(-1, rows.shape[1], 1), rows], -1)
    return [regions.reshape(-1, 5).to(cls_prob.dtype), best.reshape(-1, 1).to(cls_prob.dtype)]


def _moved_anchors(
    cls_prob: Tensor, bbox_pred: Tensor, im_info: Tensor, attrs: Attrs
) -> tuple[Tensor, Tensor]:
    """For each image all boxes (N, K, 4) and their scores (N, K)."""
    stride, device = attrs["feature_stride"], cls_prob.device
    table = _anchors(stride, attrs["scales"], attrs["ratios"]).tolist()
    count, (rows, columns) = len(table), cls_prob.shape[2:]
    y = torch.arange(rows, dtype=torch.float32, device=device).reshape(-1, 1, 1) * stride
    x = torch.arange(columns, dtype=torch.float32, device=device).reshape(1, -1, 1) * stride
    y, x = y.expand(rows, columns, 1), x.expand(rows, columns, 1)
    shift = torch.stack([x, y, x, y], -1)
    boxes = (shift + torch.tensor(table, dtype=torch.float32, device=device)).reshape(-1, 4)
    moves = bbox_pred.float().reshape(-1, count, 4, rows, columns).permute(0, 3, 4, 1, 2)
    moves = moves.reshape(moves.shape[0], -1, 4)
    if attrs["iou_loss"]:
        boxes = boxes + moves
    else:
        size = boxes[:, 2:] - boxes[:, :2] + 1
        middle = moves[..., :2] * size + (boxes[:, :2] + 0.5 * (size - 1))
        half = 0.5 * (moves[..., 2:].exp() * size - 1)
        boxes = torch.cat([middle - half, middle + half], -1)
    info = im_info.float().unsqueeze(1)
    limit = torch.cat([info[..., 1:2], info[..., :1]] * 2, -1) - 1
    boxes = torch.minimum(boxes, limit).clamp(min=0)
    ends = torch.trunc(info[..., :2].unsqueeze(1) / stride)
    outside = (y / stride >= ends[..., :1]) | (x / stride >= ends[..., 1:])
    scores = cls_prob[:, count:].float().permute(0, 2, 3, 1).masked_fill(outside, -1).flatten(1)
    least = attrs["rpn_min_size"] * info[..., 2:]
    small = ((boxes[..., 2:] - boxes[..., :2] + 1) < least).any(-1)
    grown = torch.cat([-least, -least, least, least], -1) / 2
    boxes = torch.where(small.unsqueeze(-1), boxes + grown, boxes)
    return boxes, scores.masked_fill(small, -1)


def _shapes(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    scores = shapes[0]
    if scores is None:
        return list(shapes)
    batch, count, *size = scores
    return [scores, (batch, 2 * count, *size), (batch, 3)]


def _visible(attrs: Attrs) -> int:
    return 2 if attrs["output_score"] else 1


@op(
    name="_contrib_MultiProposal",
    outputs=2,
    fill=_shapes,
    visible=_visible,
    output_names=("output", "score"),
    gradient="zero",
)
def MultiProposal(
    cls_prob: Tensor,
    bbox_pred: Tensor,
    im_info: Tensor,
    *,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: Floats = (4.0, 8.0, 16.0, 32.0),
    ratios: Floats = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
) -> list[Tensor]:
    """`Proposal` for a batch: rows (image, left, top, right, bottom), and with `output_score`
    their scores."""
    attrs = {
        "rpn_pre_nms_top_n": rpn_pre_nms_top_n,
        "rpn_post_nms_top_n": rpn_post_nms_top_n,
        "threshold": threshold,
        "rpn_min_size": rpn_min_size,
        "scales": scales,
        "ratios": ratios,
        "feature_stride": feature_stride,
        "iou_loss": iou_loss,
    }
    return _proposals(cls_prob, bbox_pred, im_info, attrs)


@op(
    name="_contrib_Proposal",
    outputs=2,
    fill=_shapes,
    visible=_visible,
    output_names=("output", "score"),
    gradient="zero",
)
def Proposal(
    cls_prob: Tensor,
    bbox_pred: Tensor,
    im_info: Tensor,
    *,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: Floats = (4.0, 8.0, 16.0, 32.0),
    ratios: Floats = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
) -> list[Tensor]:
    """The best boxes of one image, after those that overlap a better one are dropped.

    Rows (0, left, top, right, bottom), repeated from the first on if there are too few.
    """
    if cls_prob.shape[0] != 1:
        raise MXNetShapeError(f"Proposal takes one image, got {cls_prob.shape[0]}: MultiProposal")
    return MultiProposal(
        cls_prob,
        bbox_pred,
        im_info,
        rpn_pre_nms_top_n=rpn_pre_nms_top_n,
        rpn_post_nms_top_n=rpn_post_nms_top_n,
        threshold=threshold,
        rpn_min_size=rpn_min_size,
        scales=scales,
        ratios=ratios,
        feature_stride=feature_stride,
        iou_loss=iou_loss,
    )
