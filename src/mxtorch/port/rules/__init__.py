"""The rules, a file a subject; each enters its own when it is imported."""

from mxtorch.port.rules import (
    arrays,
    autograd,
    data,
    devices,
    elementwise,
    functional,
    indexing,
    gluonnlp,
    images,
    layers,
    linalg,
    losses,
    metrics,
    random,
    recurrent,
    shapes,
    trainer,
    training,
)
