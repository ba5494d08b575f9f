"""Random numbers of an MXNet program, recorded where mxtorch draws them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from mxtorch._core import rng
from mxtorch._core.rng import Generator
from mxtorch.verify.tape import Tape

# What draws, by torch's name for the distribution: names of the parameters, then the defaults.
_SAMPLERS: dict[str, tuple[str, tuple[str, ...], tuple[float, ...]]] = {
    "uniform": ("uniform", ("low", "high"), (0.0, 1.0)),
    "np_uniform": ("uniform", ("low", "high"), (0.0, 1.0)),
    "normal": ("normal", ("loc", "scale"), (0.0, 1.0)),
    "np_normal": ("normal", ("loc", "scale"), (0.0, 1.0)),
    "exponential": ("exponential", ("lam",), (1.0,)),
    "gamma": ("gamma", ("alpha", "beta"), (1.0, 1.0)),
    "np_gamma": ("gamma", ("shape", "scale"), (1.0, 1.0)),
    "poisson": ("poisson", ("lam",), (1.0,)),
    "negative_binomial": ("value", (), ()),
    "generalized_negative_binomial": ("value", (), ()),
    "randint": ("integer", (), ()),
    "multinomial": ("integer", (), ()),
    "np_multinomial": ("value", (), ()),
    "np_choice": ("integer", (), ()),
    "np_bernoulli": ("bernoulli", (), ()),
    "np_exponential": ("exponential_scale", ("scale",), (1.0,)),
    "np_lognormal": ("value", (), ()),
    "np_logistic": ("value", (), ()),
    "np_gumbel": ("value", (), ()),
    "np_rayleigh": ("value", (), ()),
    "np_pareto": ("value", (), ()),
    "np_weibull": ("value", (), ()),
    "np_power": ("value", (), ()),
    "np_beta": ("value", (), ()),
    "np_chisquare": ("value", (), ()),
    "flip": ("flip", (), ()),
    "between": ("uniform", ("low", "high"), (0.0, 1.0)),
}


def record_draws(tape: Tape, is_initializing: Callable[[], bool]) -> Callable[[], None]:
    """Record what this thread draws; the function that ends it.

    Numbers drawn while parameters are initialized are not kept: their initial values are.
    """
    generator = rng.current()
    recorder = _Recorder(tape, is_initializing)
    made = {name: recorder.sampler(name) for name in _SAMPLERS}
    made["dropout_mask"] = recorder.mask("dropout_mask")
    made["rnn_dropout_keep"] = recorder.mask("rnn_dropout_keep", recurrent=True)
    made["shuffle_index"] = recorder.order()
    generator.__class__ = type("RecordedGenerator", (Generator,), made)

    def stop() -> None:
        generator.__class__ = Generator

    return stop


class _Recorder:
    def __init__(self, tape: Tape, is_initializing: Callable[[], bool]) -> None:
        self.tape = tape
        self.is_initializing = is_initializing
        self.depth = 0

    def _around(self, name: str, note: Callable[..., None]) -> Callable[..., Any]:
        original = getattr(Generator, name)

        @functools.wraps(original)
        def call(generator: Generator, *args: Any, **kwargs: Any) -> Any:
            self.depth += 1
            try:
                drawn = original(generator, *args, **kwargs)
            finally:
                self.depth -= 1
            if not self.depth and not self.is_initializing():
                note(np.asarray(drawn), args, kwargs)
            return drawn

        return call

    def sampler(self, name: str) -> Callable[..., Any]:
        """A method that draws from a distribution."""
        family, names, defaults = _SAMPLERS[name]

        def note(drawn: np.ndarray, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            given = dict(zip(names, defaults, strict=True))
            given.update(zip(names, args, strict=False))
            given.update((k, v) for k, v in kwargs.items() if k in given)
            params = [float(v) if np.ndim(v) == 0 else None for v in given.values()]
            if any(p is None for p in params):
                params = []
            self.tape.add(
                "draw", family=family, params=params, array=self.tape.array("draw", drawn)
            )

        return self._around(name, note)

    def mask(self, name: str, recurrent: bool = False) -> Callable[..., Any]:
        """A method that draws what dropout keeps, `recurrent`: between layers of one operator."""

        def note(drawn: np.ndarray, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            kept = np.packbits(drawn.reshape(-1) != 0)
            array = self.tape.array("mask", kept)
            self.tape.add("mask", shape=list(drawn.shape), array=array, recurrent=recurrent)

        return self._around(name, note)

    def order(self) -> Callable[..., Any]:
        """The method that draws an order."""

        def note(drawn: np.ndarray, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            self.tape.add("order", array=self.tape.array("order", drawn.astype(np.int64)))

        return self._around("shuffle_index", note)
