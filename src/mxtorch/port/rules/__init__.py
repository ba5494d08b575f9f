"""The rules, a file a subject; each enters its own when it is imported."""

from mxtorch.port.rules import (
    arrays,
    autograd,
    data,
    devices,
    elementwise,
    functional,
    gluonnlp,
    images,
    indexing,
    layers,
    linalg,
    losses,
    metrics,
    modules,
    norms,
    random,
    recurrent,
    shapes,
    trainer,
    training,
)
