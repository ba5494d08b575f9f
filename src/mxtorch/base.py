"""MXNet's base names: error classes, type groups, small helpers. There is no C library behind."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxtorch._core import env
from mxtorch._core.attrs import Null, _Null
from mxtorch._core.errors import MXNetError

__all__ = [
    "MXNetError",
    "NotImplementedForSymbol",
    "NotSupportedForSparseNDArray",
    "_Null",
    "basestring",
    "build_param_doc",
    "c_array",
    "c_array_buf",
    "c_str",
    "c_str_array",
    "classproperty",
    "data_dir",
    "data_dir_default",
    "integer_types",
    "long",
    "mx_float",
    "mx_int",
    "mx_int64",
    "mx_real_t",
    "mx_uint",
    "numeric_types",
    "py_str",
    "string_types",
    "with_metaclass",
]

basestring = str
long = int
string_types = (str,)
numeric_types = (float, int, np.generic)
integer_types = (int, np.int32, np.int64)
mx_real_t = np.float32
mx_float = ctypes.c_float
mx_int = ctypes.c_int
mx_int64 = ctypes.c_int64
mx_uint = ctypes.c_uint
_NullType = Null


class _CallError(MXNetError):
    """A function that was called on a kind of array for which it does not exist."""

    kind = ""

    def __init__(self, function: Callable[..., Any], alias: str | None, *args: Any) -> None:
        super().__init__()
        self.function = function.__name__
        self.alias = alias
        self.args = tuple(str(type(a)) for a in args)

    def __str__(self) -> str:
        text = f"Function {self.function}"
        if self.alias:
            text += f' (namely operator "{self.alias}")'
        if self.args:
            text += f" with arguments ({', '.join(self.args)})"
        return f"{text} is not {self.kind} and only available in NDArray."


class NotImplementedForSymbol(_CallError):
    """A function of NDArrays was called on a Symbol."""

    kind = "implemented for Symbol"


class NotSupportedForSparseNDArray(_CallError):
    """A function of dense arrays was called on a sparse one."""

    kind = "supported for SparseNDArray"


class classproperty:
    """A read-only property of the class itself; a decorator."""

    def __init__(self, func: Callable[[Any], Any]) -> None:
        self._get = func.__func__ if isinstance(func, classmethod) else func

    def __get__(self, instance: object, owner: type) -> Any:
        return self._get(owner)


def with_metaclass(meta: type, *bases: type) -> type:
    """A base class that gives its subclasses the metaclass `meta`."""
    return meta("temporary_class", bases, {})


def data_dir_default() -> str:
    """The folder of downloaded data when MXNET_HOME is not set."""
    return str(env.HOME.default)


def data_dir() -> str:
    """The folder of downloaded data: MXNET_HOME, else `~/.mxnet`."""
    return str(env.HOME.get())


def py_str(x: bytes) -> str:
    """Bytes as text."""
    return x.decode("utf-8")


def c_str(string: str) -> ctypes.c_char_p:
    """A text as a C string."""
    return ctypes.c_char_p(string.encode("utf-8"))


def c_str_array(strings: Sequence[str]) -> Any:
    """Texts as a C array of C strings."""
    return (ctypes.c_char_p * len(strings))(*(s.encode("utf-8") for s in strings))


def c_array(ctype: Any, values: Sequence[Any]) -> Any:
    """Values as a C array."""
    return (ctype * len(values))(*values)


def c_array_buf(ctype: Any, buf: Any) -> Any:
    """A buffer's memory as a C array."""
    return (ctype * len(buf)).from_buffer(buf)


def build_param_doc(
    arg_names: Sequence[str],
    arg_types: Sequence[str],
    arg_descs: Sequence[str],
    remove_dup: bool = True,
) -> str:
    """A docstring's section of parameters; `num_args` is left out."""
    seen: set[str] = set()
    lines = []
    for name, kind, text in zip(arg_names, arg_types, arg_descs, strict=True):
        if (remove_dup and name in seen) or name == "num_args":
            continue
        seen.add(name)
        lines.append(f"{name} : {kind}")
        if text:
            lines.append(f"    {text}")
    return "Parameters\n----------\n" + "\n".join(lines) + "\n"


def _as_list(obj: Any) -> Any:
    return obj if isinstance(obj, (list, tuple)) else [obj]
