"""Whether arrays are equal, or close: as strict as MXNet's, with its messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.testing as npt

from mxtorch._front.handle import Handle
from mxtorch._testing.tolerance import get_atol, get_etol, get_rtol, get_tols

Names = Sequence[str]


def _values(array: Any) -> Any:
    """A NumPy array, or a number as it is."""
    if isinstance(array, Handle):
        return array.asnumpy()
    return np.asarray(array) if isinstance(array, (list, tuple)) else array


def same(a: Any, b: Any) -> bool:
    """Whether two arrays have equal shapes and elements; NaN is unequal to itself."""
    return np.array_equal(a, b)


def checkShapes(a: Any, b: Any) -> None:
    """AssertionError unless the shapes are equal."""
    if a.shape != b.shape:
        text = f"a.shape = {a.shape} and b.shape = {b.shape} are not equal"
        raise AssertionError(npt.build_err_msg([a, b], err_msg=text))


def _find_max_violation(a: Any, b: Any, rtol: float, atol: float) -> tuple[Any, Any]:
    """Where the difference most exceeds the tolerance, and how many times."""
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        difference = np.where(a == b, 0, abs(a - b))
        violation = difference / (atol + rtol * abs(b) + 1e-20)
    place = np.argmax(violation)
    return np.unravel_index(place, violation.shape), np.max(violation)


def locationError(a: Any, b: Any, index: Any, names: Names, maxError: bool = False) -> str:
    """A text that says where two arrays differ, and their elements there."""
    maximum = "maximum " if maxError else ""
    place = ", ".join(str(int(i)) for i in index)
    place = f"({place},)" if len(index) == 1 else f"({place})"
    return (
        f"Location of {maximum}error: {place}, {names[0]}={a[index]:.8f}, {names[1]}={b[index]:.8f}"
    )


def almost_equal(
    a: Any,
    b: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    use_broadcast: bool = True,
) -> bool:
    """Whether two NumPy arrays are close, with the tolerances of float64 unless given."""
    a, b = _values(a), _values(b)
    if not use_broadcast:
        checkShapes(a, b)
    return bool(np.allclose(a, b, rtol=get_rtol(rtol), atol=get_atol(atol), equal_nan=equal_nan))


def assert_almost_equal(
    a: Any,
    b: Any,
    rtol: Any = None,
    atol: Any = None,
    names: Names = ("a", "b"),
    equal_nan: bool = False,
    use_broadcast: bool = True,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """AssertionError unless |a - b| <= atol + rtol * |b| for all elements.

    Arrays of NumPy or MXNet, lists or numbers. Tolerances, numbers or dicts by dtype, default to
    those of the coarser dtype. The worst `mismatches[0]` elements are printed, and up to
    `mismatches[1]` counted.
    """
    a, b = _values(a), _values(b)
    if not use_broadcast:
        checkShapes(a, b)
    rtol, atol = get_tols(a, b, rtol, atol)
    if _is_bool(a) and _is_bool(b):
        npt.assert_equal(a, b)
    elif not np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan):
        _fail(a, b, rtol, atol, names, mismatches)


def _is_bool(array: Any) -> bool:
    return getattr(array, "dtype", None) == np.bool_


def _fail(
    a: Any, b: Any, rtol: float, atol: float, names: Names, mismatches: tuple[int, int]
) -> None:
    """Print the worst elements and raise."""
    with np.printoptions(threshold=4, suppress=True):
        if np.ndim(a) == np.ndim(b) == 0:
            worst = _find_max_violation(np.float64(a), np.float64(b), rtol, atol)[1]
            text = f"Error {worst:f} exceeds tolerance rtol={rtol:e}, atol={atol:e}.\n"
            raise AssertionError(npt.build_err_msg([a, b], err_msg=text))
        wide_a, wide_b = np.broadcast_arrays(a, b)
        index, worst = _find_max_violation(wide_a, wide_b, rtol, atol)
        common = np.result_type(wide_a, wide_b)
        degree = _print_worst(wide_a.astype(common), wide_b, rtol, atol, names, mismatches)
        place = locationError(wide_a, wide_b, index, names, maxError=True)
        text = (
            f"Error {worst:f} exceeds tolerance rtol={rtol:e}, atol={atol:e} "
            f"(mismatch {degree}).\n{place}"
        )
        raise AssertionError(npt.build_err_msg([a, b], err_msg=text))


def _print_worst(
    a: Any, b: Any, rtol: float, atol: float, names: Names, mismatches: tuple[int, int]
) -> str:
    """Print the worst elements of `a`, which is changed; the share of those that differ."""
    print(f"\n*** Maximum errors for vector of size {a.size}:  rtol={rtol}, atol={atol}\n")
    at_least, count = "", 0
    while count < a.size:
        index, worst = _find_max_violation(a, b, rtol, atol)
        if worst <= 1 and not np.isnan(worst):
            break
        count += 1
        if count <= mismatches[0]:
            print(f"{count:3d}: Error {worst:f}  {locationError(a, b, index, names)}")
        if count > mismatches[1]:
            at_least = "at least "
            break
        a[index] = b[index]
        if np.isnan(b[index]):
            a[index], b = 0, b.copy()
            b[index] = 0
    return f"{at_least}{100 * count / a.size:f}%"


def assert_allclose(
    a: Any, b: Any, rtol: float = 1e-07, atol: float = 0, equal_nan: bool = True
) -> None:
    """`assert_almost_equal` with the tolerances of `np.testing.assert_allclose`."""
    assert_almost_equal(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def assert_almost_equal_with_err(
    a: Any,
    b: Any,
    rtol: Any = None,
    atol: Any = None,
    etol: float | None = None,
    names: Names = ("a", "b"),
    equal_nan: bool = False,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """`assert_almost_equal`, where a share `etol` of the elements may differ."""
    etol = get_etol(etol)
    if not etol:
        assert_almost_equal(a, b, rtol, atol, names, equal_nan, mismatches=mismatches)
        return
    a, b = _values(a), _values(b)
    rtol, atol = get_tols(a, b, rtol, atol)
    equal = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if 1 - np.count_nonzero(equal) / max(equal.size, 1) > etol:
        _fail(a, b, rtol, atol, names, mismatches)


def assert_almost_equal_ignore_nan(
    a: Any, b: Any, rtol: Any = None, atol: Any = None, names: Names = ("a", "b")
) -> None:
    """`assert_almost_equal` of the elements that are NaN in neither array."""
    a, b = np.copy(_values(a)), np.copy(_values(b))
    ignored = np.logical_or(np.isnan(a), np.isnan(b))
    a[ignored] = 0
    b[ignored] = 0
    assert_almost_equal(a, b, rtol, atol, names)


def assert_exception(
    f: Callable[..., Any], exception_type: type[BaseException], *args: Any, **kwargs: Any
) -> None:
    """AssertionError unless `f(*args, **kwargs)` raises `exception_type`; another one passes."""
    try:
        f(*args, **kwargs)
    except exception_type:
        return
    raise AssertionError(f"{f!r} did not raise {exception_type.__name__}")


def compare_ndarray_tuple(t1: Any, t2: Any, rtol: Any = None, atol: Any = None) -> None:
    """`assert_almost_equal` of arrays in nested tuples; None is equal to anything."""
    if t1 is None or t2 is None:
        return
    if isinstance(t1, tuple):
        for one, other in zip(t1, t2, strict=False):
            compare_ndarray_tuple(one, other, rtol, atol)
        return
    assert_almost_equal(t1, t2, rtol=rtol, atol=atol)


def same_array(array1: Any, array2: Any) -> bool:
    """Whether two NDArrays of one shape share their memory."""
    array1[:] += 1
    shared = same(array1.asnumpy(), array2.asnumpy())
    array1[:] -= 1
    return shared and same(array1.asnumpy(), array2.asnumpy())
