"""What takes the place of removed names that have no successor of the same meaning.

Other packages are imported in the functions: nothing may be loaded that the program has not.
"""

from __future__ import annotations

import os
import time
import types
from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import Any

from mxtorch.run.era.leftovers import StringTypes as StringTypes
from mxtorch.run.era.leftovers import dense as dense
from mxtorch.run.era.leftovers import is_string_like as is_string_like
from mxtorch.run.era.leftovers import isMappingType as isMappingType
from mxtorch.run.era.leftovers import isNumberType as isNumberType
from mxtorch.run.era.leftovers import isSequenceType as isSequenceType
from mxtorch.run.era.leftovers import mswindows as mswindows
from mxtorch.run.era.leftovers import nanstd as nanstd
from mxtorch.run.era.leftovers import nested as nested
from mxtorch.run.era.leftovers import set_window_title as set_window_title
from mxtorch.run.era.leftovers import tostring_rgb as tostring_rgb
from mxtorch.run.era.leftovers import unescape as unescape

NINF, PZERO, NZERO = float("-inf"), 0.0, -0.0


def nothing(*args: Any, **kwargs: Any) -> None:
    """A switch that is gone: there is only one setting today."""


def clock() -> float:
    """Processor seconds; on Windows, seconds since the first call, as it was there."""
    return time.perf_counter() if os.name == "nt" else time.process_time()


ArgSpec = namedtuple("ArgSpec", "args varargs keywords defaults")


def getargspec(func: Callable[..., Any]) -> tuple[Any, ...]:
    """Names and defaults of a function's parameters, which must be without annotations.

    mxtorch's own have some, MXNet's had none; where these have keyword-only parameters, MXNet's
    took **kwargs.
    """
    import inspect

    spec = inspect.getfullargspec(func)
    if (getattr(func, "__module__", None) or "").partition(".")[0] == "mxtorch":
        keywords = spec.varkw or ("kwargs" if spec.kwonlyargs else None)
        return ArgSpec(spec.args, spec.varargs, keywords, spec.defaults)
    if spec.kwonlyargs or spec.annotations:
        raise ValueError(
            "getargspec: the function has keyword-only parameters or annotations; "
            "use inspect.getfullargspec"
        )
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def formatargspec(
    args: list[str],
    varargs: str | None = None,
    varkw: str | None = None,
    defaults: tuple[Any, ...] | None = None,
) -> str:
    """The text of a parameter list, in parentheses."""
    plain = len(args) - len(defaults or ())
    parts = args[:plain] + [
        f"{name}={value!r}" for name, value in zip(args[plain:], defaults or (), strict=True)
    ]
    parts += [f"*{varargs}"] if varargs else []
    parts += [f"**{varkw}"] if varkw else []
    return f"({', '.join(parts)})"


def getmoduleinfo(path: str) -> Any:
    """(name, suffix, mode, type) of a Python file, or None."""
    import inspect

    name = inspect.getmodulename(path)
    return name and (name, os.path.basename(path)[len(name) :], "r", 1)


def coroutine(func: Callable[..., Any]) -> Callable[..., Any]:
    """A coroutine made from a generator with `yield from`."""
    import inspect

    body = types.coroutine(func) if inspect.isgeneratorfunction(func) else func

    async def run(*args: Any, **kwargs: Any) -> Any:
        result = body(*args, **kwargs)
        return await result if inspect.isawaitable(result) else result

    return run


def escape(text: str, quote: bool = False) -> str:
    """HTML with &, < and > (with `quote`, double quotes too) replaced."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;") if quote else text


def setcheckinterval(interval: int) -> None:
    """No effect since Python 3.2."""


def dist(*args: Any, **kwargs: Any) -> tuple[str, str, str]:
    """Name, version and code name of the Linux distribution; empty elsewhere."""
    import platform

    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return ("", "", "")
    return (release["NAME"], release.get("VERSION_ID", ""), release.get("VERSION_CODENAME", ""))


def makeSuite(testCaseClass: type, prefix: str = "test") -> Any:
    """The tests of a class."""
    import unittest

    loader = unittest.TestLoader()
    loader.testMethodPrefix = prefix
    return loader.loadTestsFromTestCase(testCaseClass)


def join(words: Iterable[str], sep: str = " ") -> str:
    """The words in one string."""
    return sep.join(words)


# NumPy


def asscalar(a: Any) -> Any:
    """The only element of an array."""
    return a.item()


def alen(a: Any) -> int:
    """The length of the first axis; 1 for a scalar."""
    import numpy as np

    return len(np.atleast_1d(a))


def mafromtxt(fname: Any, **kwargs: Any) -> Any:
    """A table from a text file, as a masked array."""
    import numpy as np

    return np.genfromtxt(fname, **(kwargs | {"usemask": True}))


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    """Whether each element of the flattened `ar1` is in `ar2`."""
    import numpy as np

    return np.isin(np.asarray(ar1).ravel(), ar2, assume_unique=assume_unique, invert=invert)


def asfarray(a: Any, dtype: Any = None) -> Any:
    """The values as floating-point numbers."""
    import numpy as np

    kind = np.dtype(dtype if dtype is not None else np.float64)
    return np.asarray(a, dtype=kind if np.issubdtype(kind, np.inexact) else np.float64)


def msort(a: Any) -> Any:
    """A copy sorted along the first axis."""
    import numpy as np

    return np.sort(a, axis=0)


def fastCopyAndTranspose(a: Any) -> Any:
    """A transposed copy."""
    import numpy as np

    return np.array(np.asarray(a).T, order="C", copy=True)


class _Cast(dict[Any, Any]):
    """`np.cast[dtype](values)`."""

    def __missing__(self, key: Any) -> Callable[[Any], Any]:
        import numpy as np

        return lambda values: np.asarray(values).astype(key)


class _ItemSizes(dict[Any, Any]):
    """`np.nbytes[dtype]`."""

    def __missing__(self, key: Any) -> int:
        import numpy as np

        return int(np.dtype(key).itemsize)


cast, nbytes = _Cast(), _ItemSizes()


def sctypes() -> dict[str, list[type]]:
    """The scalar types by kind."""
    import numpy as np

    return {
        "int": [np.int8, np.int16, np.int32, np.int64],
        "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
        "float": [np.float16, np.float32, np.float64, np.longdouble],
        "complex": [np.complex64, np.complex128, np.clongdouble],
        "others": [bool, object, bytes, str, np.void],
    }


def compat() -> types.SimpleNamespace:
    """What `numpy.compat` had for programs that ran on Python 2 and 3."""
    return types.SimpleNamespace(
        asbytes=lambda s: s if isinstance(s, bytes) else str(s).encode("latin1"),
        asstr=lambda s: s.decode("latin1") if isinstance(s, bytes) else str(s),
        basestring=str,
        integer_types=(int,),
        long=int,
        unicode=str,
    )


def deprecate(*args: Any, **kwargs: Any) -> Any:
    """The function itself, or a decorator that leaves it as it is; it used to warn."""
    return args[0] if args and callable(args[0]) else lambda func: func


def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
    """Print a message."""
    print(mesg, file=device, end="\n" if linefeed else "")


def issctype(rep: Any) -> bool:
    """Whether it names a scalar type."""
    import numpy as np

    return isinstance(rep, type | np.dtype) and obj2sctype(rep) not in (None, np.object_)


def issubclass_(arg1: Any, arg2: Any) -> bool:
    """issubclass, False for what is no class."""
    return isinstance(arg1, type) and issubclass(arg1, arg2)


def issubsctype(arg1: Any, arg2: Any) -> bool:
    """Whether the first scalar type is the second or below it."""
    return issubclass(obj2sctype(arg1), obj2sctype(arg2))


def obj2sctype(rep: Any, default: Any = None) -> Any:
    """The scalar type of an array, dtype or Python type."""
    import numpy as np

    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    if isinstance(rep, np.ndarray):
        return rep.dtype.type
    try:
        return np.dtype(rep).type
    except TypeError:
        return default


def maximum_sctype(t: Any) -> Any:
    """The largest scalar type of the same kind."""
    import numpy as np

    largest = {"i": np.int64, "u": np.uint64, "f": np.longdouble, "c": np.clongdouble}
    kind = obj2sctype(t)
    return largest.get(np.dtype(kind).kind, kind)


def sctype2char(sctype: Any) -> str:
    """The character of a scalar type."""
    import numpy as np

    return np.dtype(obj2sctype(sctype)).char


def find_common_type(array_types: Iterable[Any], scalar_types: Iterable[Any]) -> Any:
    """The arrays' common type, unless the scalars' is of a higher kind."""
    import numpy as np

    arrays, scalars = list(map(np.dtype, array_types)), list(map(np.dtype, scalar_types))
    if not arrays or not scalars:
        return np.result_type(*arrays, *scalars)
    by_arrays, by_scalars = np.result_type(*arrays), np.result_type(*scalars)
    order = "buifcmMSUVO"
    return max(by_arrays, by_scalars, key=lambda dtype: order.index(dtype.kind))


def recfromtxt(fname: Any, **kwargs: Any) -> Any:
    """A record array from a text file."""
    import numpy as np

    table = np.genfromtxt(fname, **({"dtype": None} | kwargs))
    return table.view(np.recarray)


def recfromcsv(fname: Any, **kwargs: Any) -> Any:
    """A record array from a file with commas and a first line of names."""
    defaults = {"case_sensitive": "lower", "names": True, "delimiter": ",", "dtype": None}
    return recfromtxt(fname, **(defaults | kwargs))


def source(object: Any) -> None:
    """Print the source of a function."""
    import inspect

    print(inspect.getsource(object))


# SciPy


def derivative(
    func: Callable[..., float],
    x0: float,
    dx: float = 1.0,
    n: int = 1,
    args: tuple[Any, ...] = (),
    order: int = 3,
) -> float:
    """The n-th derivative at a point, by central differences on `order` points."""
    import math

    import numpy as np

    points = np.arange(order) - order // 2
    powers = np.vander(points, increasing=True).T
    right = np.zeros(order)
    right[n] = math.factorial(n)
    weights = np.linalg.solve(powers, right)
    values = [func(x0 + k * dx, *args) for k in points]
    return float(np.dot(weights, values) / dx**n)


def binom_test(x: Any, n: Any = None, p: float = 0.5, alternative: str = "two-sided") -> float:
    """The p-value of a binomial test."""
    from scipy.stats import binomtest

    if n is None:
        x, n = int(x[0]), int(x[0] + x[1])
    return float(binomtest(int(x), int(n), p, alternative).pvalue)


def itemfreq(a: Any) -> Any:
    """Values and how often each is there, in two columns."""
    import numpy as np

    return np.column_stack(np.unique(a, return_counts=True))


def bytescale(data: Any, cmin: Any = None, cmax: Any = None, high: int = 255, low: int = 0) -> Any:
    """The values between cmin and cmax stretched to low … high, as bytes; bytes stay."""
    import numpy as np

    values = np.asarray(data)
    if values.dtype == np.uint8:
        return values
    least = float(values.min()) if cmin is None else cmin
    most = float(values.max()) if cmax is None else cmax
    if most < least:
        raise ValueError("`cmax` should be larger than `cmin`.")
    span = most - least or 1
    scaled = (values - least) * (float(high - low) / span) + low
    return (scaled.clip(low, high) + 0.5).astype(np.uint8)


def toimage(
    arr: Any,
    high: int = 255,
    low: int = 0,
    cmin: Any = None,
    cmax: Any = None,
    pal: Any = None,
    mode: str | None = None,
    channel_axis: int | None = None,
) -> Any:
    """A PIL image of an array, its values stretched to bytes unless they are bytes."""
    import numpy as np
    from PIL import Image

    values = np.asarray(arr)
    if values.ndim == 2:
        if mode in ("F", "I"):
            return Image.fromarray(values.astype(np.float32 if mode == "F" else np.int32))
        image = Image.fromarray(bytescale(values, cmin, cmax, high, low))
        if pal is not None:
            image.putpalette(np.asarray(pal, np.uint8).tobytes())
        return image if mode in (None, "L", "P") else image.convert(mode)
    if values.ndim != 3 or not {3, 4} & set(values.shape):
        raise ValueError("'arr' does not have a suitable array shape for any mode.")
    if channel_axis is None:
        sizes = list(values.shape)
        channel_axis = sizes.index(3) if 3 in sizes else sizes.index(4)
    data = np.moveaxis(bytescale(values, cmin, cmax, high, low), channel_axis, 2)
    own = "RGB" if data.shape[2] == 3 else "RGBA"
    raw = np.ascontiguousarray(data).tobytes()
    if mode in (None, own, "YCbCr", "CMYK"):
        return Image.frombytes(mode or own, data.shape[1::-1], raw)
    return Image.frombytes(own, data.shape[1::-1], raw).convert(mode)


def fromimage(im: Any, flatten: bool = False, mode: str | None = None) -> Any:
    """The array of a PIL image; `flatten`: grey levels as floats."""
    import numpy as np

    if mode is not None:
        im = im if im.mode == mode else im.convert(mode)
    elif im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    if flatten:
        im = im.convert("F")
    elif im.mode == "1":
        im = im.convert("L")
    return np.array(im)


def imread(name: Any, flatten: bool = False, mode: str | None = None) -> Any:
    """The array of an image file."""
    from PIL import Image

    with Image.open(name) as image:
        return fromimage(image, flatten, mode)


def imsave(name: Any, arr: Any, format: str | None = None) -> None:
    """Write an array as an image file."""
    toimage(arr, channel_axis=2 if getattr(arr, "ndim", 2) == 3 else None).save(name, format)


_FILTERS = {
    "nearest": "NEAREST",
    "lanczos": "LANCZOS",
    "bilinear": "BILINEAR",
    "bicubic": "BICUBIC",
    "cubic": "BICUBIC",
}


def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: str | None = None) -> Any:
    """The image in another size: percent (int), factor (float) or (height, width)."""
    import numpy as np
    from PIL import Image

    image = toimage(arr, mode=mode)
    if isinstance(size, int | np.integer):
        wanted = tuple((np.array(image.size) * (size / 100.0)).astype(int).tolist())
    elif isinstance(size, float | np.floating):
        wanted = tuple((np.array(image.size) * size).astype(int).tolist())
    else:
        wanted = (int(size[1]), int(size[0]))
    return fromimage(image.resize(wanted, getattr(Image, _FILTERS[interp])))


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> Any:
    """The image turned counter-clockwise by degrees, in its old size."""
    from PIL import Image

    return fromimage(toimage(arr).rotate(angle, getattr(Image, _FILTERS[interp])))


# Pillow, scikit-learn, pandas, Matplotlib


def getsize(self: Any, text: str, *args: Any, **kwargs: Any) -> tuple[int, int]:
    """Width and height of a text in this font."""
    left, _, right, bottom = self.getbbox(text, *args, **kwargs)
    return right - left, bottom


def textsize(self: Any, text: str, font: Any = None, *args: Any, **kwargs: Any) -> tuple[int, int]:
    """Width and height of a text as it would be drawn."""
    left, _, right, bottom = self.textbbox((0, 0), text, font, *args, **kwargs)
    return right - left, bottom


def Imputer(
    missing_values: Any = "NaN",
    strategy: str = "mean",
    axis: int = 0,
    verbose: int = 0,
    copy: bool = True,
) -> Any:
    """Replaces missing values, by columns."""
    from sklearn.impute import SimpleImputer

    if axis != 0:
        raise ValueError("Imputer(axis=1) has no successor in scikit-learn; transpose the data")
    missing = float("nan") if missing_values == "NaN" else missing_values
    return SimpleImputer(missing_values=missing, strategy=strategy, copy=copy)


def rolling_mean(arg: Any, window: int, **kwargs: Any) -> Any:
    """The mean over a moving window."""
    return arg.rolling(window, **kwargs).mean()


def rolling_std(arg: Any, window: int, **kwargs: Any) -> Any:
    """The standard deviation over a moving window."""
    return arg.rolling(window, **kwargs).std()


def as_matrix(self: Any, columns: Any = None) -> Any:
    """The values as a NumPy array."""
    return (self if columns is None else self[columns]).to_numpy()


def append(self: Any, other: Any, ignore_index: bool = False, **kwargs: Any) -> Any:
    """Both tables or series below each other; a dict or unnamed series is a row."""
    import pandas as pd

    parts = list(other) if isinstance(other, list | tuple) else [other]
    if self.ndim == 2:
        parts = [
            pd.DataFrame([part]) if isinstance(part, dict | pd.Series) else part for part in parts
        ]
    return pd.concat([self, *parts], ignore_index=ignore_index, **kwargs)


def sort(self: Any, columns: Any = None, ascending: bool = True, **kwargs: Any) -> Any:
    """The rows in the order of a column, or of the index."""
    if columns is None:
        return self.sort_index(ascending=ascending, **kwargs)
    return self.sort_values(columns, ascending=ascending, **kwargs)


def get_value(self: Any, index: Any, col: Any) -> Any:
    """One cell."""
    return self.at[index, col]


def set_value(self: Any, index: Any, col: Any, value: Any) -> Any:
    """Write one cell; the table itself."""
    self.at[index, col] = value
    return self


class _LabelsOrPositions:
    """`frame.ix`: labels, or positions where the index has no numbers."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def _plain(self, key: Any, axis: int) -> Any:
        """A key of one axis as `loc` takes it."""
        index = self.table.axes[axis]
        if index.dtype.kind in "iuf":
            return key
        if isinstance(key, slice):
            ends = (key.start, key.stop)
            if any(isinstance(end, int) for end in ends):
                return index[key]
        if isinstance(key, int):
            return index[key]
        if isinstance(key, list) and key and all(type(item) is int for item in key):
            return index[key]
        return key

    def _key(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return tuple(self._plain(part, axis) for axis, part in enumerate(key))
        return self._plain(key, 0)

    def __getitem__(self, key: Any) -> Any:
        return self.table.loc[self._key(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.table.loc[self._key(key)] = value


def ix(self: Any) -> _LabelsOrPositions:
    """Rows and columns by label or position."""
    return _LabelsOrPositions(self)


def normpdf(x: Any, mu: float, sigma: float) -> Any:
    """The density of a normal distribution."""
    import numpy as np

    z = (np.asarray(x) - mu) / sigma
    return np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * sigma)
