"""Environment, standard error, repeated attempts, a batch given again and again."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from mxtorch._core import env
from mxtorch.io import DataIter


@contextmanager
def environment(*args: Any) -> Iterator[None]:
    """Environment variables while the block runs: a name and a value, or a dict of them.

    The value None removes a variable. What was there before is put back.
    """
    assert len(args) == 2 or (len(args) == 1 and isinstance(args[0], Mapping)), (
        "Expecting one dict arg or two args: env var name and value"
    )
    wanted = dict(args[0]) if len(args) == 1 else {args[0]: args[1]}
    for name, value in wanted.items():
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name}: str expected, not {type(value).__name__}")
    before = {name: env.read(name) for name in wanted}
    try:
        _change(wanted)
        yield
    finally:
        _change(before)


def _change(values: Mapping[str, str | None]) -> None:
    for name, text in values.items():
        if text is None:
            env.remove(name)
        else:
            env.write(name, text)


@contextmanager
def discard_stderr() -> Iterator[None]:
    """Drop what is written to standard error while the block runs, by C code too."""
    with suppress(ValueError, AttributeError):
        sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 2)
            try:
                yield
            finally:
                with suppress(ValueError, AttributeError):
                    sys.stderr.flush()
                os.dup2(kept, 2)
    finally:
        os.close(kept)


def retry(n: int) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """A decorator: call a function up to `n` times, until no AssertionError comes out of it."""
    assert n > 0, f"a function is tried at least once, got {n}"

    def decorate(f: Callable[..., Any]) -> Callable[..., None]:
        @functools.wraps(f)
        def wrapper(*args: Any, **kwargs: Any) -> None:
            for _ in range(n - 1):
                with suppress(AssertionError):
                    f(*args, **kwargs)
                    return
            f(*args, **kwargs)

        return wrapper

    return decorate


class DummyIter(DataIter):
    """An iterator that gives the first batch of another one again and again."""

    def __init__(self, real_iter: Any) -> None:
        super().__init__()
        self.real_iter = real_iter
        self.provide_data = real_iter.provide_data
        self.provide_label = real_iter.provide_label
        self.batch_size = real_iter.batch_size
        self.the_batch = next(real_iter)

    def __iter__(self) -> DummyIter:
        return self

    def next(self) -> Any:
        """The batch."""
        return self.the_batch
