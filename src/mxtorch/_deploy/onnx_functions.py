"""Functions of torch's that its ONNX exporter does not know, in ONNX' operators."""

from __future__ import annotations

import math
from typing import Any

import torch

_DOUBLE = 11
# Lanczos' series for the logarithm of the gamma function (g = 7).
_FIRST = 0.99999999999980993
_SERIES = (
    676.5203681218851,
    -1259.1392167224028,
    771.32342877765313,
    -176.61502916214059,
    12.507343278686905,
    -0.13857109526572012,
    9.9843695780195716e-6,
    1.5056327351493116e-7,
)
# Giles' polynomials for the inverse of the error function, in the middle and at the ends.
_MIDDLE = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
    -0.00417768164, 0.246640727, 1.50140941,
)  # fmt: skip
_ENDS = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
    0.00943887047, 1.00167406, 2.83297682,
)  # fmt: skip


def _sort(data: Any, stable: Any = None, dim: int = -1, descending: bool = False) -> Any:
    """A stable sort: of equal elements ONNX' TopK takes the first ones first."""
    from onnxscript import opset18 as op

    length = op.Gather(op.Shape(data), op.Constant(value_ints=[dim]))
    return op.TopK(data, length, axis=dim, largest=int(bool(descending)), sorted=1)


def _hypot(a: Any, b: Any) -> Any:
    """Of the larger one and a quotient, so that squares do not overflow."""
    from onnxscript import opset18 as op

    a, b = op.Abs(a), op.Abs(b)
    large, small = op.Max(a, b), op.Min(a, b)
    one = op.CastLike(op.Constant(value_float=1.0), large)
    zero = op.CastLike(op.Constant(value_float=0.0), large)
    part = op.Div(small, op.Where(op.Equal(large, zero), one, large))
    return op.Mul(large, op.Sqrt(op.Add(op.Mul(part, part), one)))


def _double(number: float) -> Any:
    from onnxscript import opset18 as op

    return op.Cast(op.Constant(value_float=number), to=_DOUBLE)


def _exact(number: float) -> Any:
    """A float64: what float32 leaves of it is added."""
    from onnxscript import opset18 as op

    near = torch.tensor(number, dtype=torch.float32).item()
    rest = number - near
    return op.Add(_double(near), _double(rest)) if rest else _double(near)


def _lgamma(data: Any) -> Any:
    """In float64; below 1/2 by the reflection at 1/2."""
    from onnxscript import opset18 as op

    x = op.Cast(data, to=_DOUBLE)
    one, half = _double(1.0), _double(0.5)
    low = op.Less(x, half)
    z = op.Sub(op.Where(low, op.Sub(one, x), x), one)
    series = _exact(_FIRST)
    for place, number in enumerate(_SERIES, start=1):
        series = op.Add(series, op.Div(_exact(number), op.Add(z, _double(place))))
    t = op.Add(z, _double(7.5))
    logs = op.Add(_exact(math.log(2 * math.pi) / 2), op.Log(series))
    value = op.Add(op.Sub(op.Mul(op.Add(z, half), op.Log(t)), t), logs)
    sine = op.Abs(op.Sin(op.Mul(_exact(math.pi), op.Sub(x, op.Floor(x)))))
    turned = op.Sub(op.Sub(_exact(math.log(math.pi)), op.Log(sine)), value)
    return op.CastLike(op.Where(low, turned, value), data)


def _erfinv(data: Any) -> Any:
    from onnxscript import opset18 as op

    def number(value: float) -> Any:
        return op.CastLike(op.Constant(value_float=value), data)

    def polynomial(at: Any, numbers: tuple[float, ...]) -> Any:
        total = number(numbers[0])
        for value in numbers[1:]:
            total = op.Add(op.Mul(total, at), number(value))
        return total

    one = number(1.0)
    w = op.Neg(op.Log(op.Mul(op.Sub(one, data), op.Add(one, data))))
    middle = polynomial(op.Sub(w, number(2.5)), _MIDDLE)
    ends = polynomial(op.Sub(op.Sqrt(op.Max(w, number(0.0))), number(3.0)), _ENDS)
    value = op.Mul(op.Where(op.Less(w, number(5.0)), middle, ends), data)
    last = op.Equal(op.Abs(data), one)
    return op.Where(last, op.Mul(number(math.inf), data), value)


def translations() -> dict[Any, Any]:
    """What torch.onnx.export takes as its `custom_translation_table`."""
    aten = torch.ops.aten
    return {
        aten.sort.stable: _sort,
        aten.hypot.default: _hypot,
        aten.lgamma.default: _lgamma,
        aten.erfinv.default: _erfinv,
    }
