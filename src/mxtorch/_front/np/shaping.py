"""Functions that move, join, split and repeat."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxtorch._core.errors import MXNetValueError
from mxtorch._core.warn import warn
from mxtorch._front.dialect import Dialect, family, public
from mxtorch._front.methods import NUMBERS
from mxtorch._front.np_methods import given
from mxtorch._ops._shapes import even_sizes


@public()
def reshape(np: Dialect, a: Any, newshape: Any, order: str = "C", out: Any = None) -> Any:
    """The array in another shape; one axis may be -1. `order` is C whatever is asked for."""
    return np["_np_reshape"](a, newshape=newshape, order=order, **given(out=out))


@public()
def ravel(np: Dialect, x: Any, order: str = "C") -> Any:
    """All elements in one row."""
    if order not in ("C", "A", "K", None):  # one and the same, for memory is in C order
        raise NotImplementedError(f"order {order} is not supported")
    if isinstance(x, NUMBERS):
        return onp.reshape(x, -1)
    return np["_npi_reshape"](x, newshape=-1)


@public()
def transpose(np: Dialect, a: Any, axes: Any = None) -> Any:
    """The axes in another order; without `axes` reversed."""
    return np["_np_transpose"](a, **given(axes=axes))


@public()
def swapaxes(np: Dialect, a: Any, axis1: int, axis2: int) -> Any:
    """The array with two axes exchanged."""
    return np["_npi_swapaxes"](a, dim1=axis1, dim2=axis2)


@public()
def moveaxis(np: Dialect, a: Any, source: Any, destination: Any) -> Any:
    """Axes moved to other places."""
    return np["_np_moveaxis"](a, source=source, destination=destination)


@public()
def expand_dims(np: Dialect, a: Any, axis: int) -> Any:
    """The array with a new axis of length 1."""
    return np["_npi_expand_dims"](a, axis=axis)


@public()
def broadcast_to(np: Dialect, array: Any, shape: Any) -> Any:
    """The array repeated along axes of length 1 and new leading ones up to `shape`."""
    if isinstance(array, NUMBERS):
        kind = onp.bool_ if isinstance(array, (bool, onp.bool_)) else onp.float32
        return np["_npi_full"](shape=shape, value=float(array), dtype=kind)
    return np["_npi_broadcast_to"](array, shape=shape)


@public()
def flip(np: Dialect, m: Any, axis: Any = None, out: Any = None) -> Any:
    """The array with the given axes (all of them without `axis`) reversed."""
    if isinstance(m, NUMBERS):
        return onp.flip(m, axis)
    return np["_npi_flip"](m, axis=axis, **given(out=out))


@public()
def flipud(np: Dialect, m: Any) -> Any:
    """The rows in reverse order."""
    return flip(np, m, 0)


@public()
def fliplr(np: Dialect, m: Any) -> Any:
    """The columns in reverse order."""
    return flip(np, m, 1)


@public()
def rot90(np: Dialect, m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Turned by k quarters in the plane of two axes."""
    return np["_npi_rot90"](m, k=k, axes=axes)


@public()
def tile(np: Dialect, A: Any, reps: Any) -> Any:
    """The whole array repeated `reps` times along each axis."""
    if isinstance(A, NUMBERS):
        return onp.tile(A, reps)
    return np["_npi_tile"](A, reps=reps)


@public()
def repeat(np: Dialect, a: Any, repeats: int, axis: int | None = None) -> Any:
    """Each element repeated along `axis`; without one the array is flattened first."""
    return np["_np_repeat"](a, repeats=repeats, **given(axis=axis))


# joining ----------------------------------------------------------------------------------------


@public()
def concatenate(np: Dialect, seq: Any, axis: int | None = 0, out: Any = None) -> Any:
    """The arrays one after the other along `axis`; None: all elements in one row."""
    return np["_npi_concatenate"](*seq, axis=axis, **given(out=out))


@public()
def append(np: Dialect, arr: Any, values: Any, axis: int | None = None) -> Any:
    """`values` after `arr`."""
    return np["_npi_concatenate"](arr, values, axis=axis)


@public()
def stack(np: Dialect, arrays: Any, axis: int = 0, out: Any = None) -> Any:
    """The arrays beside one another along a new axis."""
    return np["_npi_stack"](*arrays, axis=axis, **given(out=out))


@public()
def row_stack(np: Dialect, arrays: Any) -> Any:
    """The arrays below one another; vectors are rows."""
    return np["_npi_vstack"](*arrays)


@public()
def vstack(np: Dialect, arrays: Any, out: Any = None) -> Any:
    """The arrays below one another; vectors are rows."""
    return np["_npi_vstack"](*arrays, **given(out=out))


@public()
def hstack(np: Dialect, arrays: Any) -> Any:
    """The arrays side by side."""
    return np["_npi_hstack"](*arrays)


@public()
def dstack(np: Dialect, arrays: Any) -> Any:
    """The arrays one behind the other."""
    return np["_npi_dstack"](*arrays)


@public()
def column_stack(np: Dialect, tup: Any) -> Any:
    """Vectors as columns, and matrices, side by side."""
    return np["_npi_column_stack"](*tup)


# splitting ----------------------------------------------------------------------------------------


def _parts(np: Dialect, indices_or_sections: Any) -> dict[str, Any]:
    noted = np.noted(squeeze_axis=False)
    if isinstance(indices_or_sections, (int, onp.integer)):
        return {"indices": [], "sections": int(indices_or_sections), **noted}
    if isinstance(indices_or_sections, (tuple, list, set)):
        return {"indices": [0, *indices_or_sections], "sections": 0, **noted}
    raise MXNetValueError("indices_or_sections must be either int, or tuple / list / set of ints")


def _check_equal(name: str, ary: Any, sections: Any, axis: int) -> None:
    if not isinstance(sections, (int, onp.integer)) or not hasattr(ary, "shape"):
        return
    length = ary.shape[axis]
    if length % sections:
        raise MXNetValueError(
            f"{name}: array split does not result in an equal division: {length} into {sections}"
        )


@public()
def split(np: Dialect, ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """A list of equal pieces, or of those between the indices."""
    _check_equal("split", ary, indices_or_sections, axis)
    return _pieces(np["_npi_split"](ary, axis=axis, **_parts(np, indices_or_sections)))


def _pieces(pieces: Any) -> list[Any]:
    """A list of arrays, or of the outputs of a symbol."""
    several = isinstance(pieces, list) or (hasattr(pieces, "_outputs") and len(pieces) > 1)
    return list(pieces) if several else [pieces]


@public()
def array_split(np: Dialect, ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """A list of pieces of nearly equal length, or of those between the indices."""
    if isinstance(indices_or_sections, (int, onp.integer)) and hasattr(ary, "shape"):
        sizes = even_sizes(ary.shape[axis], int(indices_or_sections))
        indices_or_sections = [int(n) for n in onp.cumsum(sizes)[:-1]]
        if not indices_or_sections:
            return _pieces(np["_npi_split"](ary, axis=axis, indices=(0,), sections=0))
    return _pieces(np["_npi_split"](ary, axis=axis, **_parts(np, indices_or_sections)))


@public()
def vsplit(np: Dialect, ary: Any, indices_or_sections: Any) -> Any:
    """Pieces along the first axis."""
    if hasattr(ary, "ndim") and ary.ndim < 2:
        raise MXNetValueError("vsplit only works on arrays of 2 or more dimensions")
    _check_equal("vsplit", ary, indices_or_sections, 0)
    return split(np, ary, indices_or_sections, 0)


@public()
def hsplit(np: Dialect, ary: Any, indices_or_sections: Any) -> Any:
    """Pieces along the second axis (of a vector: the first)."""
    if hasattr(ary, "ndim") and ary.ndim < 1:
        raise MXNetValueError("hsplit only works on arrays of 1 or more dimensions")
    return _pieces(np["_npi_hsplit"](ary, axis=1, **_parts(np, indices_or_sections)))


@public()
def dsplit(np: Dialect, ary: Any, indices_or_sections: Any) -> Any:
    """Pieces along the third axis."""
    if hasattr(ary, "ndim") and ary.ndim < 3:
        raise MXNetValueError("dsplit only works on arrays of 3 or more dimensions")
    _check_equal("dsplit", ary, indices_or_sections, 2)
    return _pieces(np["_npi_dsplit"](ary, axis=2, **_parts(np, indices_or_sections)))


# the rest -----------------------------------------------------------------------------------------


_PAD_OPTIONS: dict[str, tuple[str, ...]] = {
    "constant": ("constant_values",),
    "edge": (),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
    "maximum": ("stat_length",),
    "minimum": ("stat_length",),
}


@public()
def pad(np: Dialect, x: Any, pad_width: Any = None, mode: str = "constant", **kwargs: Any) -> Any:
    """The array made longer by a pair (before, after) on each axis (or the pair, if it is one).

    Constants are 0 whatever `constant_values` says: so it is in MXNet 1.9.1.
    """
    if not np.is_array(x):
        raise TypeError("Input data should be NDarray")
    if isinstance(pad_width, tuple) and len(pad_width) == 2 and isinstance(pad_width[0], int):
        pad_width = (pad_width,)
    if not isinstance(pad_width, tuple) or not all(isinstance(p, tuple) for p in pad_width):
        raise TypeError("`pad_width` must be tuple.")
    if mode in ("mean", "median", "linear_ramp", "wrap", "empty"):
        raise ValueError(f"mode {mode} is not supported.")
    allowed = _PAD_OPTIONS[mode]
    for key, value in kwargs.items():
        if key not in allowed:
            raise ValueError(f"{key} keyword not in allowed keywords {list(allowed)}")
        if key == "stat_length" and value is not None:
            raise ValueError(f"unsupported stat_length '{value}'")
        if key == "reflect_type" and value != "even":
            raise ValueError(f"unsupported reflect_type '{value}'")
        if key == "constant_values" and isinstance(value, tuple):
            raise TypeError("unsupported constant_values type: tuple")
    if kwargs.get("constant_values", 0) != 0:
        warn(
            "np.pad: MXNet 1.9.1 pads with 0 whatever constant_values says, and so does mxtorch; "
            "use np.concatenate for other constants"
        )
    return np["_npi_pad"](x, pad_width=pad_width, mode=mode, reflect_type="even")


@public()
def tril(np: Dialect, m: Any, k: int = 0) -> Any:
    """The matrices with zeros above their k-th diagonal."""
    return np["_npi_tril"](m, k=k)


@public()
def roll(np: Dialect, a: Any, shift: Any = None, axis: Any = None) -> Any:
    """The elements moved along an axis; what leaves at the end comes in at the front."""
    return np["_np_roll"](a, shift=shift, **given(axis=axis))


def _at_least(np: Dialect, name: str, count: int) -> Any:
    call = np[f"_np_{name}"]

    def function(*arys: Any) -> Any:
        return call(*arys)

    function.__doc__ = f"The arrays with at least {count} axes."
    return function


family(_at_least, ("atleast_1d", 1), ("atleast_2d", 2), ("atleast_3d", 3))
