"""MXNet's random streams on the CPU, without torch's generators and without NDArray."""

from mxtorch._core.rng.generator import Generator as Generator
from mxtorch._core.rng.generator import current as current
from mxtorch._core.rng.generator import worker as worker
