"""Anchors of single-shot detectors."""

import numpy as onp

from tests.cases import A, S, V

RNG = onp.random.RandomState(5)


def random_boxes(*shape):
    """Corners of random boxes."""
    ends = onp.sort(RNG.rand(*shape, 2, 2), -2)
    return ends.reshape(*shape, 4)


def random_labels(batch, count, classes):
    """Classes and corners; the last box of the first image is none."""
    classes = RNG.randint(0, classes, (batch, count, 1))
    labels = onp.concatenate([classes, random_boxes(batch, count)], -1)
    labels[0, -1] = -1
    return V(labels)


def random_scores(batch, classes, count):
    scores = RNG.rand(batch, classes, count)
    return V(scores / scores.sum(1, keepdims=True))


ANCHORS = V(random_boxes(1, 40))
LABELS = random_labels(2, 4, 3)
TAUGHT = (ANCHORS, LABELS, A((2, 4, 40)))
FOUND = (random_scores(2, 4, 40), A((2, 160)), ANCHORS)

ROWS = [
    S("contrib.MultiBoxPrior", (1, 3, 2, 3), grad=False),
    S("contrib.MultiBoxPrior", (1, 3, 4, 5), sizes=(0.5, 0.3), ratios=(1, 2, 0.5), grad=False),
    S("contrib.MultiBoxPrior", (1, 3, 2, 3), sizes=(0.5,), ratios=(2, 3), grad=False),
    S("contrib.MultiBoxPrior", (1, 3, 3, 2), sizes=(0.9,), clip=True, grad=False),
    S(
        "contrib.MultiBoxPrior",
        (1, 3, 2, 3),
        sizes=(0.2,),
        steps=(0.5, 0.25),
        offsets=(0.1, 0.2),
        grad=False,
    ),
    S("contrib.MultiBoxTarget", *TAUGHT, grad=False),
    S("contrib.MultiBoxTarget", *TAUGHT, overlap_threshold=0.2, ignore_label=7.0, grad=False),
    S("contrib.MultiBoxTarget", *TAUGHT, negative_mining_ratio=3.0, grad=False),
    S(
        "contrib.MultiBoxTarget",
        *TAUGHT,
        negative_mining_ratio=1.5,
        negative_mining_thresh=0.3,
        minimum_negative_samples=5,
        variances=(0.2, 0.1, 0.3, 0.4),
        grad=False,
    ),
    S("contrib.MultiBoxTarget", ANCHORS, V([[[-1.0] * 5]]), A((1, 2, 40)), grad=False),
    S("contrib.MultiBoxDetection", *FOUND, grad=False),
    S("contrib.MultiBoxDetection", *FOUND, threshold=0.4, clip=False, grad=False),
    S("contrib.MultiBoxDetection", *FOUND, nms_threshold=0.2, force_suppress=True, grad=False),
    S("contrib.MultiBoxDetection", *FOUND, nms_topk=5, grad=False),
    S("contrib.MultiBoxDetection", *FOUND, nms_threshold=-1.0, grad=False),
    S("contrib.MultiBoxDetection", *FOUND, variances=(0.5, 0.1, 0.1, 0.3), grad=False),
]
