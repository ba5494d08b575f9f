"""The rules, a file a subject; each enters its own when it is imported."""

from mxtorch.port.rules import (
    arrays,
    autograd,
    data,
    devices,
    elementwise,
    gluonnlp,
    images,
    layers,
    losses,
    metrics,
    random,
    recurrent,
    shapes,
    training,
)
