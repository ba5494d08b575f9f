"""`mx.random`: the seed, and the samplers of `mx.nd.random`."""

from mxtorch._core import rng, torch_rng
from mxtorch._core.device import Context, context_to_device, num_gpus, parse_context
from mxtorch._core.errors import MXNetKeyError
from mxtorch.ndarray.random import (
    exponential,
    gamma,
    generalized_negative_binomial,
    multinomial,
    negative_binomial,
    normal,
    poisson,
    randint,
    randn,
    shuffle,
    uniform,
)

__all__ = [
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "seed",
    "shuffle",
    "uniform",
]


def seed(seed_state: int, ctx: Context | str = "all") -> None:
    """Seed this thread's generators; ValueError unless `seed_state` is an int.

    With a context MXNet seeds the CPU's streams too, a little differently, and so do we.
    """
    if not isinstance(ctx, (str, Context)):
        raise MXNetKeyError(f"seed: ctx must be a context or 'all', not {ctx!r}")
    generator = rng.current()
    if ctx == "all":
        generator.seed(seed_state)
        torch_rng.seed_all(seed_state)
        return
    generator.seed_ctx(seed_state)
    place = parse_context(ctx) if isinstance(ctx, str) else ctx
    if place.device_type != "gpu" or place.device_id < num_gpus():
        torch_rng.seed_device(context_to_device(place), seed_state)
