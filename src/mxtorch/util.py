"""Switches of NumPy semantics, and small helpers."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from mxtorch._core import env
from mxtorch._core.device import Context, cuda_capability, gpu_memory_info, num_gpus
from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch._core.modes import modes

__all__ = [
    "get_cuda_compute_capability",
    "get_gpu_count",
    "get_gpu_memory",
    "getenv",
    "is_np_array",
    "is_np_shape",
    "np_array",
    "np_shape",
    "np_ufunc_legal_option",
    "reset_np",
    "set_module",
    "set_np",
    "set_np_shape",
    "setenv",
    "use_np",
    "use_np_array",
    "use_np_shape",
    "wrap_np_binary_func",
    "wrap_np_unary_func",
]

T = TypeVar("T")


def is_np_array() -> bool:
    """Whether Gluon works on `mx.np` arrays, in this thread."""
    return modes.np_array


def is_np_shape() -> bool:
    """Whether arrays may have no axes or empty ones, in this thread."""
    return modes.np_shape


_told: set[str] = set()


def _tell_once(text: str) -> None:
    """Log at the level INFO, once in a process; a root logger without handlers gets one, which
    makes a later `logging.basicConfig` do nothing: so it is in MXNet."""
    if text not in _told:
        _told.add(text)
        logging.info(text)


def set_np_shape(active: bool) -> bool:
    """Switch NumPy's shapes; returns what the switch was."""
    if not active and modes.np_array:
        raise MXNetValueError(
            "Deactivating NumPy shape semantics while NumPy array semantics is still active is not "
            "allowed. Please consider calling `npx.reset_np()` to deactivate both of them."
        )
    if active:
        _tell_once(
            "NumPy-shape semantics has been activated in your code. This is required for creating "
            "and manipulating scalar and zero-size tensors, which were not supported in MXNet "
            "before, as in the official NumPy library. Please DO NOT manually deactivate this "
            "semantics while using `mxnet.numpy` and `mxnet.numpy_extension` modules."
        )
    before, modes.np_shape = modes.np_shape, bool(active)
    return before


def _set_np_array(active: bool) -> bool:
    before, modes.np_array = modes.np_array, bool(active)
    return before


def set_np(shape: bool = True, array: bool = True) -> None:
    """Switch NumPy's shapes and arrays, in this thread."""
    if not shape and array:
        raise MXNetValueError("NumPy Shape semantics is required in using NumPy array semantics.")
    if array:
        _tell_once(
            "NumPy array semantics has been activated in your code. This allows you to use "
            "operators from MXNet NumPy and NumPy Extension modules as well as MXNet NumPy "
            "`ndarray`s."
        )
    _set_np_array(array)
    set_np_shape(shape)


def reset_np() -> None:
    """Switch NumPy semantics off."""
    set_np(shape=False, array=False)


class _Scope:
    """One switch for the length of a `with`; also a decorator of functions."""

    def __init__(self, switch: Callable[[bool], bool], active: bool) -> None:
        self._switch = switch
        self._active = active
        self._before: list[bool] = []

    def __enter__(self) -> _Scope:
        self._before.append(self._switch(self._active))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._switch(self._before.pop())


def np_shape(active: bool = True) -> _Scope:
    """A scope with NumPy's shapes switched."""
    return _Scope(set_np_shape, active)


def np_array(active: bool = True) -> _Scope:
    """A scope with NumPy's arrays switched."""
    return _Scope(_set_np_array, active)


def _inside(func: Any, scope: Callable[[], _Scope], name: str) -> Any:
    """`func`, or every method and property of a class, run inside the scope."""
    if isinstance(func, type):
        for key in dir(func):  # inherited ones too: `initialize` of a Block
            value = inspect.getattr_static(func, key)
            if value is getattr(object, key, None):
                continue
            wrapped = _member_inside(value, scope, name)
            if wrapped is not value:
                setattr(func, key, wrapped)
        return func
    if not callable(func):
        raise MXNetTypeError(
            f"{name} can only decorate classes and callable objects, while received a {type(func)}"
        )

    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> Any:
        with scope():
            return func(*args, **kwargs)

    return run


def _member_inside(value: Any, scope: Callable[[], _Scope], name: str) -> Any:
    if isinstance(value, property):
        get, put, drop = (
            part and _inside(part, scope, name) for part in (value.fget, value.fset, value.fdel)
        )
        return property(get, put, drop, value.__doc__)
    if isinstance(value, (staticmethod, classmethod)):
        return type(value)(_inside(value.__func__, scope, name))
    if inspect.isfunction(value):
        return _inside(value, scope, name)
    return value


def use_np_shape(func: Any) -> Any:
    """A decorator: the function, or the class's methods, run with NumPy's shapes."""
    return _inside(func, np_shape, "use_np_shape")


def use_np_array(func: Any) -> Any:
    """A decorator: the function, or the class's methods, run with NumPy's arrays."""
    return _inside(func, np_array, "use_np_array")


def use_np(func: Any) -> Any:
    """A decorator: the function, or the class's methods, run with NumPy's shapes and arrays."""
    return use_np_shape(use_np_array(func))


_UFUNC_OPTIONS: dict[str, tuple[Any, ...]] = {
    "where": (True,),
    "casting": ("same_kind",),
    "order": ("K",),
    "dtype": (None,),
    "subok": (True,),
}


def np_ufunc_legal_option(key: str, value: Any) -> bool:
    """Whether an option of NumPy's ufuncs has a value that `mx.np` takes: mostly its default."""
    if key == "where":
        return True
    if key == "casting":
        return value in {"no", "equiv", "safe", "same_kind", "unsafe"}
    if key == "order":
        return isinstance(value, str)
    if key == "dtype":
        return value in {
            np.int8,
            np.uint8,
            np.int32,
            np.int64,
            np.float16,
            np.float32,
            np.float64,
            "int8",
            "uint8",
            "int32",
            "int64",
            "float16",
            "float32",
            "float64",
        }
    return key == "subok" and isinstance(value, bool)


def check_ufunc_options(name: str, options: dict[str, Any]) -> None:
    """Refuse options of NumPy's ufuncs other than their defaults."""
    for key, value in options.items():
        if key not in _UFUNC_OPTIONS:
            raise MXNetTypeError(f"{key} is an invalid keyword to function '{name}'")
        if value not in _UFUNC_OPTIONS[key]:
            if np_ufunc_legal_option(key, value):
                raise NotImplementedError(
                    f"{key}={value} is not implemented yet for operator {name}"
                )
            raise MXNetTypeError(f"{key}={value} not understood for operator {name}")


def wrap_np_unary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator: the options of NumPy's ufuncs are taken if they have their defaults."""

    @functools.wraps(func)
    def run(x: Any, out: Any = None, **kwargs: Any) -> Any:
        check_ufunc_options(func.__name__, kwargs)
        return func(x, out=out)

    return run


def wrap_np_binary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """The same for functions of two arrays."""

    @functools.wraps(func)
    def run(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
        check_ufunc_options(func.__name__, kwargs)
        return func(x1, x2, out=out)

    return run


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


def get_cuda_compute_capability(ctx: Context) -> int:
    """The compute capability of a CUDA device: 90 for 9.0."""
    if ctx.device_type != "gpu":
        raise MXNetValueError("Expecting a gpu context to get cuda compute capability")
    return cuda_capability(ctx)


def getenv(name: str) -> str | None:
    """An environment variable, or None."""
    return env.read(name)


def setenv(name: str, value: str) -> None:
    """Set an environment variable."""
    env.write(name, value)
