"""MXNet's base names: error classes, type groups, small helpers. There is no C library behind."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxtorch._core import env
from mxtorch._core.attrs import Null, _Null
from mxtorch._core.errors import MXNetError, MXNetTypeError, NotSupportedError

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
mx_float_p = ctypes.POINTER(ctypes.c_float)
NDArrayHandle = ctypes.c_void_p
SymbolHandle = ctypes.c_void_p
ExecutorHandle = ctypes.c_void_p
OpHandle = ctypes.c_void_p
CachedOpHandle = ctypes.c_void_p
DataIterHandle = ctypes.c_void_p
DataIterCreatorHandle = ctypes.c_void_p
KVStoreHandle = ctypes.c_void_p
RecordIOHandle = ctypes.c_void_p
ProfileHandle = ctypes.c_void_p
FunctionHandle = ctypes.c_void_p
RtcHandle = ctypes.c_void_p
CudaModuleHandle = ctypes.c_void_p
CudaKernelHandle = ctypes.c_void_p
DLPackHandle = ctypes.c_void_p
_NullType = Null
_OP_NAME_PREFIX_LIST = ["_contrib_", "_linalg_", "_sparse_", "_image_", "_random_"]
_NP_OP_PREFIX = "_np_"
_NP_EXT_OP_PREFIX = "_npx_"
_NP_INTERNAL_OP_PREFIX = "_npi_"


class _NoLibrary:
    """Stands where MXNet has its C library: a program may hold it, but not call it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotSupportedError(
            f"mx.base._LIB.{name}: mxtorch has no C library behind it. Use the Python function "
            "that called it (mx.nd, mx.sym, mx.io …); custom operators are written with "
            "mx.operator.CustomOp."
        )


_LIB = _NoLibrary()
error_types: dict[str, type[Exception]] = {
    "ValueError": ValueError,
    "TypeError": TypeError,
    "AttributeError": AttributeError,
    "IndexError": IndexError,
    "NotImplementedError": NotImplementedError,
}


def check_call(ret: int) -> None:
    """MXNetError for a C function's result other than 0."""
    if ret != 0:
        raise MXNetError(f"a C function returned {ret}; mxtorch has no C library behind it")


def register_error(func_name: Any = None, cls: type[Exception] | None = None) -> Any:
    """Enter a class of errors under a name; a decorator, with or without the name."""
    if isinstance(func_name, type):
        func_name, cls = func_name.__name__, func_name

    def register(error: Any) -> Any:
        error_types[func_name or error.__name__] = error
        return error

    return register if cls is None else register(cls)


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


def c_handle_array(objs: Sequence[Any]) -> Any:
    """The handles of arrays as a C array; arrays of mxtorch have none, which is an error."""
    return (ctypes.c_void_p * len(objs))(*(ctypes.c_void_p(o.handle) for o in objs))


def ctypes2buffer(cptr: Any, length: int) -> bytearray:
    """A copy of the memory at a C pointer."""
    if not isinstance(cptr, ctypes.POINTER(ctypes.c_char)):
        raise MXNetTypeError("expected char pointer")
    return bytearray(ctypes.string_at(cptr, length))


def ctypes2numpy_shared(cptr: Any, shape: Sequence[int]) -> Any:
    """A NumPy array over the float32 memory at a C pointer."""
    if not isinstance(cptr, ctypes.POINTER(mx_float)):
        raise MXNetTypeError("expected float pointer")
    size = int(np.prod(shape, dtype=np.int64))
    memory = (mx_float * size).from_address(ctypes.addressof(cptr.contents))
    return np.frombuffer(memoryview(memory), dtype=np.float32).reshape(shape)


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
