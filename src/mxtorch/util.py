"""Switches of NumPy semantics, and small helpers.

NumPy semantics (`mx.np`, zero-dimensional arrays) are off; switching them on is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from mxtorch._core import env
from mxtorch._core.device import gpu_memory_info, num_gpus
from mxtorch._core.errors import MXNetTypeError, MXNetValueError, NotSupportedError

__all__ = [
    "get_gpu_count",
    "get_gpu_memory",
    "getenv",
    "is_np_array",
    "is_np_shape",
    "np_array",
    "np_shape",
    "reset_np",
    "set_module",
    "set_np",
    "set_np_shape",
    "setenv",
    "use_np",
    "use_np_array",
    "use_np_shape",
]

T = TypeVar("T")


def is_np_array() -> bool:
    """Whether Gluon works on `mx.np` arrays: never, so far."""
    return False


def is_np_shape() -> bool:
    """Whether arrays may have no axes or empty ones: never, so far."""
    return False


def _refuse(what: str) -> None:
    raise NotSupportedError(
        f"{what}: NumPy semantics (mx.np, mx.npx) are not supported yet. "
        "Use mx.nd, and leave this call out."
    )


def set_np_shape(active: bool) -> bool:
    """Switch NumPy's shapes; returns what the switch was. Only off is supported."""
    if active:
        _refuse("set_np_shape(True)")
    return False


def set_np(shape: bool = True, array: bool = True) -> None:
    """Switch NumPy's shapes and arrays. Only off is supported."""
    if not shape and array:
        raise MXNetValueError("NumPy Shape semantics is required in using NumPy array semantics.")
    if shape or array:
        _refuse("set_np()")


def reset_np() -> None:
    """Switch NumPy semantics off: nothing to do."""


class _Scope:
    """A scope that has NumPy semantics switched off."""

    def __enter__(self) -> _Scope:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass


def np_shape(active: bool = True) -> _Scope:
    """A scope with NumPy's shapes switched. Only off is supported."""
    if active:
        _refuse("np_shape()")
    return _Scope()


def np_array(active: bool = True) -> _Scope:
    """A scope with NumPy's arrays switched. Only off is supported."""
    if active:
        _refuse("np_array()")
    return _Scope()


def _decorator(func: Any, name: str) -> Any:
    if not callable(func):
        raise MXNetTypeError(
            f"{name} can only decorate classes and callable objects, while received a {type(func)}"
        )
    _refuse(f"@{name} on {getattr(func, '__name__', func)}")


def use_np_shape(func: Any) -> Any:
    """A decorator for NumPy's shapes: refused."""
    return _decorator(func, "use_np_shape")


def use_np_array(func: Any) -> Any:
    """A decorator for NumPy's arrays: refused."""
    return _decorator(func, "use_np_array")


def use_np(func: Any) -> Any:
    """A decorator for NumPy semantics: refused."""
    return _decorator(func, "use_np")


def set_module(module: str | None) -> Callable[[T], T]:
    """A decorator that sets the module that an object says it comes from."""

    def decorate(func: T) -> T:
        if module is not None:
            func.__module__ = module
        return func

    return decorate


def get_gpu_count() -> int:
    """How many accelerators there are."""
    return num_gpus()


def get_gpu_memory(gpu_dev_id: int) -> tuple[int, int]:
    """(free, total) bytes of an accelerator's memory."""
    return gpu_memory_info(gpu_dev_id)


def getenv(name: str) -> str | None:
    """An environment variable, or None."""
    return env.read(name)


def setenv(name: str, value: str) -> None:
    """Set an environment variable."""
    env.write(name, value)
