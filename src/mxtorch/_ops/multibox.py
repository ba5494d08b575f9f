"""Anchors of single-shot detectors: where they are, what they are taught, what they found."""

from __future__ import annotations

import torch
from torch import Tensor

from mxtorch._core.attrs import Floats, Hint
from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch._core.op import op
from mxtorch._ops._gradients import constant
from mxtorch._ops._shapes import require
from mxtorch._ops.detect import best_first, overlap, overlaps, pick, survivors, to_center

_VARIANCES = (0.1, 0.1, 0.2, 0.2)


@op(
    "_npx_multibox_prior", name="_contrib_MultiBoxPrior", output_names=("output",), lists_input=True
)
@constant
def MultiBoxPrior(
    data: Tensor,
    *,
    sizes: Floats = (1.0,),
    ratios: Floats = (1.0,),
    clip: bool = False,
    steps: Floats = (-1.0, -1.0),
    offsets: Floats = (0.5, 0.5),
) -> Tensor:
    """Anchors for each place of a feature map: every size with the first ratio, then the first
    size with every other ratio; shape (1, places · anchors, 4), in parts of the image."""
    require(data.ndim >= 4, data, needs="(batch, channel, height, width)")
    if data.dtype is not torch.float32:
        raise MXNetTypeError(f"data must be float32, got {data.dtype}")
    if not all(0 <= offset <= 1 for offset in offsets) or steps[0] * steps[1] < 0:
        raise MXNetValueError(f"offsets={offsets} must lie in [0, 1], steps={steps} go together")
    height, width = data.shape[2:4]
    down, right = (1 / n if s <= 0 else s for s, n in zip(steps, (height, width), strict=True))
    shapes = [(size, ratios[0]) for size in sizes] + [(sizes[0], r) for r in ratios[1:]]
    halves = [(s * height / width * r**0.5 / 2, s / r**0.5 / 2) for s, r in shapes]
    y = (torch.arange(height, device=data.device) + offsets[0]) * down
    x = (torch.arange(width, device=data.device) + offsets[1]) * right
    centres = torch.stack(torch.meshgrid(y, x, indexing="ij")[::-1], -1).reshape(-1, 1, 2)
    half = torch.tensor(halves, device=data.device)
    boxes = torch.cat([centres - half, centres + half], -1).reshape(1, -1, 4).to(data.dtype)
    return boxes.clamp(0, 1) if clip else boxes


@op(
    "_npx_multibox_target",
    name="_contrib_MultiBoxTarget",
    outputs=3,
    output_names=("loc_target", "loc_mask", "cls_target"),
)
@constant
def MultiBoxTarget(
    anchor: Tensor,
    label: Tensor,
    cls_pred: Tensor,
    *,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: Hint[int] = 0,
    variances: Floats = _VARIANCES,
) -> tuple[Tensor, Tensor, Tensor]:
    """For each anchor the offsets to its box (B, 4N), their mask (B, 4N) and its class (B, N).

    `label` (B, M, 5+): class and corners of each true box, -1 after the last one. Class 0 is the
    background; with `negative_mining_ratio` only the anchors that are least sure of it are
    taught it, so many for each anchor with a box, and the others get `ignore_label`.
    """
    require(
        anchor.ndim == label.ndim == cls_pred.ndim == 3
        and anchor.shape[0] == 1
        and anchor.shape[2] == 4
        and label.shape[1] > 0
        and label.shape[2] >= 5
        and cls_pred.shape[0] == label.shape[0]
        and cls_pred.shape[2] == anchor.shape[1],
        anchor,
        label,
        cls_pred,
        needs="(1, N, 4), (B, M, 5 or more), (B, classes, N)",
    )
    count = anchor.shape[1]
    offsets = anchor.new_zeros(label.shape[0], count, 4)
    mask = torch.zeros_like(offsets)
    classes = anchor.new_full((label.shape[0], count), ignore_label)
    for i in range(0 if anchor.is_meta else label.shape[0]):
        boxes = label[i, : _count_boxes(label[i, :, 0].tolist())]
        if not len(boxes):
            continue
        shared = overlap(anchor[0, :, None], boxes[None, :, 1:5]).cpu()
        match, positive = _match(shared, overlap_threshold)
        negative = ~positive
        if negative_mining_ratio > 0:
            wanted = int(int(positive.sum()) * negative_mining_ratio)
            sure = cls_pred[i].softmax(0)[0].cpu()
            negative &= shared.max(1).values < negative_mining_thresh
            negative = _least_sure(negative, sure, min(wanted, count - int(positive.sum())))
        match, positive, negative = (t.to(anchor.device) for t in (match, positive, negative))
        own = boxes[match]
        classes[i] = torch.where(positive, own[:, 0] + 1, classes[i].masked_fill(negative, 0))
        mask[i] = positive[:, None].to(mask.dtype)
        encoded = _encode(own[:, 1:5], anchor[0], variances)
        offsets[i] = torch.where(positive[:, None], encoded, 0)
    return offsets.flatten(1), mask.flatten(1), classes


def _count_boxes(classes: list[float]) -> int:
    return classes.index(-1) if -1 in classes else len(classes)


def _match(shared: Tensor, threshold: float) -> tuple[Tensor, Tensor]:
    """For each anchor a box, and whether it is to learn it.

    First every box takes the anchor that it overlaps most, the best pair of all first; then every
    other anchor takes the box that overlaps it more than the threshold.
    """
    match = shared.argmax(1)
    positive = torch.zeros(shared.shape[0], dtype=torch.bool)
    left = shared.clone()
    for _ in range(shared.shape[1]):
        row, column = divmod(int(left.argmax()), shared.shape[1])
        if left[row, column] <= 1e-6:
            break
        match[row], positive[row] = column, True
        left[row], left[:, column] = -1, -1
    if threshold > 0:
        positive |= shared.max(1).values > threshold
    return match, positive


def _least_sure(candidates: Tensor, sure: Tensor, count: int) -> Tensor:
    """The `count` candidates that are least sure of the background."""
    order = torch.sort(sure.masked_fill(~candidates, 2), stable=True).indices[:count]
    chosen = torch.zeros_like(candidates)
    chosen[order] = True
    return chosen & candidates


def _encode(boxes: Tensor, anchors: Tensor, variances: tuple[float, ...]) -> Tensor:
    own, prior = to_center(boxes), to_center(anchors)
    shift = (own[:, :2] - prior[:, :2]) / prior[:, 2:]
    scale = torch.log(own[:, 2:] / prior[:, 2:])
    return torch.cat([shift, scale], 1) / shift.new_tensor(variances)


@op("_npx_multibox_detection", name="_contrib_MultiBoxDetection", output_names=("output",))
@constant
def MultiBoxDetection(
    cls_prob: Tensor,
    loc_pred: Tensor,
    anchor: Tensor,
    *,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: Hint[int] = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: Floats = _VARIANCES,
    nms_topk: int = -1,
) -> Tensor:
    """Rows (class, score, corners) for each anchor, best first; the class is -1 where a better box
    of that class overlaps it (or of any, with `force_suppress`), and rows of -1 come last.

    Class 0 of `cls_prob` is the background; classes count from 0 without it.
    """
    require(
        cls_prob.ndim == anchor.ndim == 3
        and loc_pred.shape == (cls_prob.shape[0], 4 * anchor.shape[1])
        and cls_prob.shape[2] == anchor.shape[1]
        and anchor.shape[2] == 4,
        cls_prob,
        loc_pred,
        anchor,
        needs="(B, classes, N), (B, 4N), (1, N, 4)",
    )
    if torch.compiler.is_compiling():
        own = (clip, threshold, nms_threshold, force_suppress, nms_topk)
        return _detect_at_once(cls_prob, loc_pred, anchor, variances, *own)
    batch, _, count = cls_prob.shape
    result = cls_prob.new_full((batch, count, 6), -1.0)
    for i in range(0 if cls_prob.is_meta else batch):
        scores, classes = cls_prob[i, 1:].max(0)
        boxes = _decode(loc_pred[i].reshape(-1, 4), anchor[0], variances)
        boxes = boxes.clamp(0, 1) if clip else boxes
        rows = torch.cat([classes[:, None].to(boxes.dtype), scores[:, None], boxes], 1)
        rows = rows[scores >= threshold].cpu()
        if 0 < nms_threshold <= 1:
            kept = len(rows) if nms_topk <= 0 else min(len(rows), nms_topk)
            order = torch.sort(rows[:, 1], descending=True, stable=True).indices[:kept]
            best = rows[order]
            _suppress(best, nms_threshold, force_suppress)
            rows[kept:, 0] = -1
            rows[:kept] = best
        result[i, : len(rows)] = rows.to(result.device)
    return result


def _detect_at_once(
    cls_prob: Tensor,
    loc_pred: Tensor,
    anchor: Tensor,
    variances: tuple[float, ...],
    clip: bool,
    threshold: float,
    nms_threshold: float,
    force: bool,
    topk: int,
) -> Tensor:
    """The same without a branch that depends on values, for exported graphs."""
    scores, classes = cls_prob[:, 1:].max(1)
    boxes = _decode(loc_pred.reshape(loc_pred.shape[0], -1, 4), anchor, variances)
    boxes = boxes.clamp(0, 1) if clip else boxes
    rows = torch.cat([classes.unsqueeze(-1).to(boxes.dtype), scores.unsqueeze(-1), boxes], -1)
    valid = scores >= threshold
    # valid rows come first, as they were
    first = torch.sort((~valid).to(torch.int64), stable=True).indices
    rows, valid = pick(rows, first), valid.gather(1, first)
    if not 0 < nms_threshold <= 1:
        return torch.where(valid.unsqueeze(-1), rows, -1)
    count = scores.shape[1]
    best = pick(rows, best_first(rows[..., 1], valid))
    kept = count if topk <= 0 else min(count, topk)
    head = best[:, :kept]
    shared, same = overlaps(head[..., 2:], None if force else head[..., 0])
    standing = valid[:, :kept]
    worse = (shared >= nms_threshold) & standing.unsqueeze(2) & standing.unsqueeze(1)
    alive = survivors(worse if same is None else worse & same)
    kind = torch.where(alive, head[..., 0], -1).unsqueeze(-1)
    tail = torch.cat([torch.full_like(rows[:, kept:, :1], -1), rows[:, kept:, 1:]], -1)
    result = torch.cat([torch.cat([kind, head[..., 1:]], -1), tail], 1)
    return torch.where(valid.unsqueeze(-1), result, -1)


def _decode(offsets: Tensor, anchors: Tensor, variances: tuple[float, ...]) -> Tensor:
    prior = to_center(anchors)
    moved = offsets * torch.tensor(variances, dtype=offsets.dtype, device=offsets.device)
    centre = moved[..., :2] * prior[..., 2:] + prior[..., :2]
    half = moved[..., 2:].exp() * prior[..., 2:] / 2
    return torch.cat([centre - half, centre + half], -1)


def _suppress(rows: Tensor, threshold: float, force: bool) -> None:
    """Set the class of those rows to -1 that a better one overlaps."""
    for i in range(len(rows)):
        if rows[i, 0] < 0:
            continue
        worse = overlap(rows[i, 2:], rows[i + 1 :, 2:]) >= threshold
        if not force:
            worse &= rows[i + 1 :, 0] == rows[i, 0]
        rows[i + 1 :, 0].masked_fill_(worse, -1)
