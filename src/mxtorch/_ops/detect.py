"""Boxes: overlap, suppression, matching, anchors, and pooling inside them.

A box is (left, top, right, bottom), or with format 'center' (x, y, width, height).
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetShapeError
from mxtorch._core.op import op
from mxtorch._core.torch_compat import while_loop
from mxtorch._ops._gradients import constant, straight
from mxtorch._ops._shapes import require

Format = Literal["center", "corner"]


def to_corner(boxes: Tensor) -> Tensor:
    """Boxes by centre and size → by corners."""
    centre, half = boxes[..., :2], boxes[..., 2:] / 2
    return torch.cat([centre - half, centre + half], -1)


def to_center(boxes: Tensor) -> Tensor:
    """Boxes by corners → by centre and size."""
    low, high = boxes[..., :2], boxes[..., 2:]
    return torch.cat([(low + high) / 2, high - low], -1)


def overlap(a: Tensor, b: Tensor) -> Tensor:
    """Intersection over union of corner boxes that broadcast; 0 where the union is empty."""
    low, high = torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:])
    inside = (high - low).clamp(min=0).prod(-1)
    areas = [(x[..., 2:] - x[..., :2]).clamp(min=0).prod(-1) for x in (a, b)]
    union = areas[0] + areas[1] - inside
    return torch.where(union > 0, inside / union, 0)


@op(name="_contrib_box_iou")
@constant
def box_iou(lhs: Tensor, rhs: Tensor, *, format: Format = "corner") -> Tensor:
    """Intersection over union of every box of `lhs` with every box of `rhs`."""
    if min(lhs.ndim, rhs.ndim) < 2:
        raise MXNetShapeError(f"boxes need 2 axes or more, got {lhs.ndim} and {rhs.ndim}")
    if format == "center":
        lhs, rhs = to_corner(lhs), to_corner(rhs)
    left = lhs.reshape(-1, 1, 4)
    right = rhs.reshape(1, -1, 4)
    return overlap(left, right).reshape(lhs.shape[:-1] + rhs.shape[:-1])


def suppressed_order(
    boxes: Tensor, ids: Tensor | None, order: Tensor, threshold: float
) -> list[int]:
    """Those of the boxes `order` (best first) that no better one of their class overlaps."""
    chosen = boxes[order]
    classes = None if ids is None else ids[order]
    alive = torch.ones(len(order), dtype=torch.bool)
    kept = []
    for i in range(len(order)):
        if not alive[i]:
            continue
        kept.append(int(order[i]))
        worse = overlap(chosen[i], chosen[i + 1 :]) > threshold
        if classes is not None:
            worse &= classes[i + 1 :] == classes[i]
        alive[i + 1 :] &= ~worse
    return kept


def survivors(worse: Tensor) -> Tensor:
    """Which boxes of each sample, best first, no better survivor suppresses.

    `worse[n, i, j]`: i overlaps j. A loop that an exported graph can keep: each round settles one
    more link of every chain.
    """
    before = torch.triu(worse, 1)
    alive = torch.ones(before.shape[:2], dtype=torch.bool, device=worse.device)

    def go_on(alive: Tensor, changed: Tensor) -> Tensor:
        return changed.clone()

    def settle(alive: Tensor, changed: Tensor) -> tuple[Tensor, Tensor]:
        now = ~(before & alive.unsqueeze(-1)).any(1)
        return now, (now != alive).any()

    changed = torch.ones((), dtype=torch.bool, device=worse.device)
    return while_loop(go_on, settle, (alive, changed))[0]


def best_first(scores: Tensor, valid: Tensor) -> Tensor:
    """The order of each sample's valid elements by score; the others come last, as they were."""
    masked = torch.where(valid, scores, -torch.inf)
    return torch.sort(masked, descending=True, stable=True).indices


def pick(data: Tensor, order: Tensor) -> Tensor:
    """The rows of each sample in an order."""
    return data.gather(1, order.unsqueeze(-1).expand(-1, -1, data.shape[-1]))


def overlaps(boxes: Tensor, ids: Tensor | None) -> tuple[Tensor, Tensor | None]:
    """The overlap of every pair of each sample's boxes, and whether they are of one class."""
    shared = overlap(boxes.unsqueeze(2), boxes.unsqueeze(1))
    return shared, None if ids is None else ids.unsqueeze(2) == ids.unsqueeze(1)


def _picked_at_once(
    scores: Tensor, boxes: Tensor, ids: Tensor | None, valid: Tensor, threshold: float, topk: int
) -> Tensor:
    """The same as `_picked` without a branch that depends on values, for exported graphs."""
    count = scores.shape[1]
    order = best_first(scores, valid)
    standing = valid.gather(1, order)
    if 0 < topk < count:
        standing = standing & (torch.arange(count, device=scores.device) < topk)
    shared, same = overlaps(pick(boxes, order), None if ids is None else ids.gather(1, order))
    worse = (shared > threshold) & standing.unsqueeze(2) & standing.unsqueeze(1)
    kept = survivors(worse if same is None else worse & same) & standing
    first = torch.sort((~kept).to(torch.int64), stable=True).indices
    return torch.where(kept.gather(1, first), order.gather(1, first), -1)


def _picked(
    scores: Tensor, boxes: Tensor, ids: Tensor | None, valid: Tensor, threshold: float, topk: int
) -> Tensor:
    """For each sample the rows that are left, best first, and -1 after them."""
    picked = torch.full(scores.shape, -1, dtype=torch.int64)
    scores, boxes, valid = scores.detach().cpu(), boxes.detach().cpu(), valid.cpu()
    ids = None if ids is None else ids.detach().cpu()
    for i, score in enumerate(scores):
        order = torch.sort(score, descending=True, stable=True).indices
        order = order[valid[i][order]][: topk if topk > 0 else None]
        own = None if ids is None else ids[i]
        kept = suppressed_order(boxes[i], own, order, threshold)
        picked[i, : len(kept)] = torch.tensor(kept, dtype=torch.int64)
    return picked


@op(
    "_contrib_box_non_maximum_suppression",
    name="_contrib_box_nms",
    outputs=2,
    visible=1,
    gradient="as if boxes came out in the format they came in",
)
def box_nms(
    data: Tensor,
    *,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: Format = "corner",
    out_format: Format = "corner",
) -> tuple[Tensor, Tensor]:
    """The boxes that no better one overlaps, best first; rows of -1 after them.

    Each row holds a box from `coord_start` on, its score at `score_index` and, unless `id_index`
    is -1, its class: only boxes of one class suppress each other, but for `force_suppress`.
    """
    _check_columns(data, coord_start, score_index, id_index)
    if topk == 0:  # not a single box is looked at
        return data.clone(), data.new_zeros((*data.shape[:-1], 1))
    rows = data.reshape(-1, *data.shape[-2:])
    coordinates = slice(coord_start, coord_start + 4)
    scores, boxes = rows[..., score_index], rows[..., coordinates]
    valid = scores > valid_thresh
    ids = rows[..., id_index].trunc() if id_index >= 0 else None  # whole numbers to MXNet
    if ids is not None:
        valid = valid & (ids != background_id)
    boxes = to_corner(boxes) if in_format == "center" else boxes
    if data.is_meta:
        picked = torch.full(rows.shape[:2], -1, dtype=torch.int64)
    else:
        choose = _picked_at_once if torch.compiler.is_compiling() else _picked
        own = None if force_suppress else ids
        picked = choose(scores, boxes, own, valid, overlap_thresh, topk)
    picked = picked.to(data.device).unsqueeze(-1)
    result = rows.gather(1, picked.clamp(min=0).expand(rows.shape))
    if in_format != out_format:
        convert = to_corner if out_format == "corner" else to_center
        before, after = result[..., :coord_start], result[..., coordinates.stop :]
        corners = result[..., coordinates]
        converted = straight(convert(corners.detach()), corners)  # MXNet's gradient knows of none
        result = torch.cat([before, converted, after], -1)
    result = torch.where(picked >= 0, result, -1)
    record = picked.to(data.dtype).reshape(*data.shape[:-1], 1)
    return result.reshape(data.shape), record


def _check_columns(data: Tensor, coord_start: int, score_index: int, id_index: int) -> None:
    width, box = data.shape[-1], range(coord_start, coord_start + 4)
    taken = [score_index, *([id_index] if id_index >= 0 else [])]
    wrong = data.ndim < 2 or min(*box, *taken) < 0 or max(*box, *taken) >= width
    if wrong or any(i in box for i in taken) or id_index == score_index:
        raise MXNetShapeError(
            f"{tuple(data.shape)}: rows of {width} cannot hold boxes at {coord_start}, scores at "
            f"{score_index} and classes at {id_index}"
        )


@op(name="_contrib_bipartite_matching", outputs=2)
@constant
def bipartite_matching(
    data: Tensor, *, is_ascend: bool = False, threshold: float, topk: int = -1
) -> tuple[Tensor, Tensor]:
    """Rows matched to columns, the best score of all first: for each its partner's index or -1.

    Scores beyond `threshold` are left; with `topk` > 0 there are at most topk + 1 matches.
    """
    scores = data.reshape(-1, *data.shape[-2:])
    rows = torch.full(scores.shape[:2], -1.0)
    columns = torch.full((scores.shape[0], scores.shape[2]), -1.0)
    for i, score in enumerate([] if data.is_meta else scores.detach().cpu()):
        width, count = score.shape[1], 0
        values, order = torch.sort(score.reshape(-1), descending=not is_ascend, stable=True)
        for value, place in zip(values.tolist(), order.tolist(), strict=True):
            row, column = divmod(place, width)
            if (value > threshold) if not is_ascend else (value < threshold):
                if rows[i, row] < 0 and columns[i, column] < 0:
                    rows[i, row], columns[i, column] = column, row
                    count += 1
                    if 0 < topk < count:
                        break
            else:
                break
    rows = rows.to(data.device, data.dtype).reshape(data.shape[:-1])
    return rows, columns.to(data.device, data.dtype).reshape(*data.shape[:-2], data.shape[-1])


@op(name="_contrib_box_encode", outputs=2)
@constant
def box_encode(
    samples: Tensor, matches: Tensor, anchors: Tensor, refs: Tensor, means: Tensor, stds: Tensor
) -> tuple[Tensor, Tensor]:
    """Targets of box regression for anchors (B, N, 4) and the boxes `refs` (B, M, 4).

    `samples`: 1 where an anchor counts; `matches`: its box. Returns targets and masks.
    """
    require(
        samples.ndim == matches.ndim == 2
        and anchors.ndim == refs.ndim == 3
        and anchors.shape[2] == refs.shape[2] == 4
        and means.shape == stds.shape == (4,),
        *(samples, matches, anchors, refs, means, stds),
        needs="(B, N), (B, N), (B, N, 4), (B, M, 4), (4), (4)",
    )
    index = matches.to(torch.int64).unsqueeze(-1).expand(-1, -1, 4)
    boxes, priors = to_center(refs.gather(1, index)), to_center(anchors)
    shift = (boxes[..., :2] - priors[..., :2]) / priors[..., 2:]
    scale = torch.log(boxes[..., 2:] / priors[..., 2:])
    targets = (torch.cat([shift, scale], -1) - means) / stds
    mask = (samples > 0.5).unsqueeze(-1).expand_as(targets)
    return torch.where(mask, targets, 0), mask.to(targets.dtype)


@op(name="_contrib_box_decode")
@constant
def box_decode(
    data: Tensor,
    anchors: Tensor,
    *,
    std0: float = 1.0,
    std1: float = 1.0,
    std2: float = 1.0,
    std3: float = 1.0,
    clip: float = -1.0,
    format: Format = "center",
) -> Tensor:
    """The boxes (corners) that predicted offsets (B, N, 4) make of anchors (1, N, 4)."""
    require(
        data.ndim == anchors.ndim == 3 and data.shape[2] == anchors.shape[2] == 4,
        *(data, anchors),
        needs="(B, N, 4), (1, N, 4)",
    )
    priors = to_center(anchors) if format == "corner" else anchors
    stds = torch.tensor([std0, std1, std2, std3], dtype=data.dtype, device=data.device)
    offsets = data * stds
    centre = offsets[..., :2] * priors[..., 2:] + priors[..., :2]
    growth = offsets[..., 2:].clamp(max=clip) if clip > 0 else offsets[..., 2:]
    half = growth.exp() * priors[..., 2:] / 2
    return torch.cat([centre - half, centre + half], -1)
