"""Samplers of `mx.np.random` and `mx.npx.random`: MXNet's own stream on the CPU, torch elsewhere.

A parameter is a number, or an array in the place of a number that is None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxtorch._core import rng, torch_rng
from mxtorch._core.ambient import Device
from mxtorch._core.attrs import Axes, DType, Floats, Hint, Shape
from mxtorch._core.dtypes import dtype_to_numpy
from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetValueError
from mxtorch._core.op import Attrs, Body, op, rows
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import without_slope

Size = Axes | None
Ctx = Hint[str | None]
Param = float | Tensor
# Noise of a shape, in the working type, from a generator; and the parameters applied to it.
TorchDraw = Callable[..., Tensor]


def _missing(*names: str) -> Callable[[Attrs], tuple[str, ...]]:
    """The inputs of a call: one for each of these numbers that is None."""

    def needs(attrs: Attrs) -> tuple[str, ...]:
        count = sum(attrs[name] is None for name in names)
        return ("input1", "input2")[:count]

    return needs


def _params(numbers: Sequence[float | None], arrays: Sequence[Tensor | None]) -> list[Param]:
    given = [a for a in arrays if a is not None]
    if len(given) != sum(n is None for n in numbers):
        raise MXNetValueError("a parameter is a number or an array; each None needs its array")
    return [given.pop(0) if n is None else n for n in numbers]


def _shape(size: int | Shape | None) -> tuple[int, ...] | None:
    if size is None:
        return None
    shape = (size,) if isinstance(size, int) else tuple(size)
    if min(shape, default=0) < 0:
        raise MXNetShapeError(f"lengths cannot be negative, got size={shape}")
    return shape


def _extent(size: int | Shape | None, params: Sequence[Param]) -> tuple[int, ...]:
    """The result's shape; parameters must broadcast to it."""
    shape = _shape(size)
    sizes = [tuple(p.shape) for p in params if isinstance(p, Tensor)]
    if not sizes:
        return shape or ()
    own = np.broadcast_shapes(*sizes)
    if shape is None:
        return own
    try:
        fits = np.broadcast_shapes(own, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise MXNetShapeError(f"parameters of shape {own} do not broadcast to size={shape}")
    return shape


def _device(params: Sequence[Param], default: torch.device) -> torch.device:
    return next((p.device for p in params if isinstance(p, Tensor)), default)


def draw(
    method: str,
    by_torch: TorchDraw,
    params: Sequence[Param],
    size: int | Shape | None,
    dtype: torch.dtype | None,
    device: torch.device,
) -> Tensor:
    """Numbers of one distribution; `method` is that of MXNet's generator."""
    shape = _extent(size, params)
    where = _device(params, device)
    kind = dtype or torch.float32
    if where.type == "meta":
        return torch.empty(shape, dtype=kind, device=where)
    if torch_rng.uses_torch(where):
        work = torch.float64 if kind is torch.float64 else torch.float32
        tensors = [torch.as_tensor(p, dtype=work, device=where) for p in params]
        return by_torch(*tensors, shape, work, torch_rng.generator(where)).to(kind)
    values = [p.detach().numpy() if isinstance(p, Tensor) else p for p in params]
    typed = {} if dtype is None else {"dtype": dtype_to_numpy(dtype)}
    drawn = getattr(rng.current(), method)(*values, size=shape, **typed)
    return torch.from_numpy(np.ascontiguousarray(drawn).reshape(shape))


def _uniform(shape: Any, work: torch.dtype, generator: torch.Generator) -> Tensor:
    """Numbers of (0, 1]."""
    noise = torch.empty(shape, dtype=work, device=generator.device)
    return 1 - noise.uniform_(generator=generator)


def _normal(shape: Any, work: torch.dtype, generator: torch.Generator) -> Tensor:
    return torch.empty(shape, dtype=work, device=generator.device).normal_(generator=generator)


def _gamma(a: Tensor, shape: Any, work: torch.dtype, generator: torch.Generator) -> Tensor:
    return torch._standard_gamma(a.expand(shape).contiguous(), generator=generator)


# the samplers that differentiate by their parameters ----------------------------------------------


class _Reparametrized(Function):
    """A drawn value with given derivatives by its two parameters."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, slopes: Any, *params: Tensor) -> Tensor:
        ctx.slopes = slopes
        ctx.save_for_backward(value, *params)
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        value, *params = ctx.saved_tensors
        by = [
            (gradient * slope).sum_to_size(p.shape).to(p.dtype)
            for slope, p in zip(ctx.slopes(value, *params), params, strict=True)
        ]
        return None, None, *by


def _followed(value: Tensor, slopes: Any, params: Sequence[Param]) -> Tensor:
    if not any(isinstance(p, Tensor) and p.requires_grad for p in params):
        return value
    tensors = [torch.as_tensor(p, dtype=value.dtype, device=value.device) for p in params]
    result: Tensor = _Reparametrized.apply(value, slopes, *tensors)
    return result


def _without_slope(value: Tensor, params: Sequence[Param]) -> Tensor:
    """Numbers whose gradient by the parameters is zero."""
    return without_slope(value.detach(), *params)


def _affine_slopes(value: Tensor, loc: Tensor, scale: Tensor) -> tuple[Tensor, Tensor]:
    return torch.ones_like(value), (value - loc) / scale


def _scale_slope(value: Tensor, scale: Tensor) -> tuple[Tensor]:
    return (value / scale,)


def _visible_noise(value: Tensor) -> tuple[Tensor, Tensor]:
    """MXNet keeps the noise beside the value; callers do not see it."""
    return value, torch.empty_like(value.detach())


def _affine(noise: Callable[..., Tensor]) -> TorchDraw:
    return lambda loc, scale, shape, work, g: loc + scale * noise(shape, work, g)


def _checked_scale(scale: Param, name: str = "scale") -> None:
    if not isinstance(scale, Tensor) and scale < 0:
        raise MXNetValueError(f"{name} must not be negative, got {scale}")


def _check_positive(value: Param, name: str) -> None:
    """Arrays too: the drawing would not end."""
    if isinstance(value, Tensor):
        wrong = not value.is_meta and bool((value <= 0).any())
    else:
        wrong = value <= 0
    if wrong:
        raise MXNetValueError(f"{name} must be positive, got {value}")


_FACTS: dict[str, Any] = {"mixed": True, "outputs": 2, "visible": 1}


@op(mixed=True, needs=_missing("low", "high"))
def _npi_uniform(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    *,
    low: float | None,
    high: float | None,
    size: Size = None,
    ctx: Ctx = "cpu",
    dtype: DType = torch.float32,
    device: Device,
) -> Tensor:
    """Uniform numbers of [low, high)."""
    params = _params((low, high), (input1, input2))

    def by_torch(low: Tensor, high: Tensor, *how: Any) -> Tensor:
        return low + (high - low) * (1 - _uniform(*how))

    return _without_slope(draw("np_uniform", by_torch, params, size, dtype, device), params)


@op(needs=_missing("loc", "scale"), **_FACTS)
def _npi_normal(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    *,
    loc: float | None,
    scale: float | None,
    size: Size = None,
    ctx: Ctx = "cpu",
    dtype: DType = torch.float32,
    device: Device,
) -> tuple[Tensor, Tensor]:
    """Normal numbers."""
    params = _params((loc, scale), (input1, input2))
    _checked_scale(params[1])
    value = draw("np_normal", _affine(_normal), params, size, dtype, device)
    return _visible_noise(_followed(value, _affine_slopes, params))


def _batched(size: int | Shape | None, params: Sequence[Param]) -> tuple[int, ...] | None:
    """batch_shape + the parameters' common shape."""
    own = np.broadcast_shapes(*(tuple(p.shape) for p in params if isinstance(p, Tensor)))
    return (*(_shape(size) or ()), *own)


@op(mixed=True, needs=_missing("low", "high"))
def _npi_uniform_n(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    *,
    low: float | None,
    high: float | None,
    size: Size = None,
    ctx: Ctx = "cpu",
    dtype: DType = torch.float32,
    device: Device,
) -> Tensor:
    """Uniform numbers, `size` of them for each pair of bounds."""
    params = _params((low, high), (input1, input2))

    def by_torch(low: Tensor, high: Tensor, *how: Any) -> Tensor:
        return low + (high - low) * (1 - _uniform(*how))

    value = draw("np_uniform", by_torch, params, _batched(size, params), dtype, device)
    return _without_slope(value, params)


@op(needs=_missing("loc", "scale"), **_FACTS)
def _npi_normal_n(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    *,
    loc: float | None,
    scale: float | None,
    size: Size = None,
    ctx: Ctx = "cpu",
    dtype: DType = torch.float32,
    device: Device,
) -> tuple[Tensor, Tensor]:
    """Normal numbers, `size` of them for each pair of parameters."""
    params = _params((loc, scale), (input1, input2))
    shape = _batched(size, params)
    value = draw("np_normal", _affine(_normal), params, shape, dtype, device)
    return _visible_noise(_followed(value, _affine_slopes, params))


def _logistic_noise(*how: Any) -> Tensor:
    u = _uniform(*how)
    return torch.log(u) - torch.log1p(-u)


def _gumbel_noise(*how: Any) -> Tensor:
    return -torch.log(-torch.log(_uniform(*how)))


@op(needs=_missing("loc", "scale"), **_FACTS)
def _npi_logistic(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    *,
    loc: float | None,
    scale: float | None,
    size: Size = None,
    ctx: Ctx = "cpu",
    device: Device,
) -> tuple[Tensor, Tensor]:
    """Logistic numbers."""
    params = _params((loc, scale), (input1, input2))
    _checked_scale(params[1])
    value = draw("np_logistic", _affine(_logistic_noise), params, size, None, device)
    return _visible_noise(_followed(value, _affine_slopes, params))


@op(needs=_missing("loc", "scale"), **_FACTS)
def _npi_gumbel(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    *,
    loc: float | None,
    scale: float | None,
    size: Size = None,
    ctx: Ctx = "cpu",
    device: Device,
) -> tuple[Tensor, Tensor]:
    """Gumbel numbers."""
    params = _params((loc, scale), (input1, input2))
    _checked_scale(params[1])
    value = draw("np_gumbel", _affine(_gumbel_noise), params, size, None, device)
    return _visible_noise(_followed(value, _affine_slopes, params))


def _of_scale(stream: str, by_torch: Callable[..., Tensor], doc: str) -> Body:
    """A distribution with a scale alone; `by_torch` draws where torch's generator is used."""

    def body(
        input1: Tensor | None = None,
        *,
        scale: float | None = 1.0,
        size: Size = None,
        ctx: Ctx = "cpu",
        device: Device,
    ) -> tuple[Tensor, Tensor]:
        params = _params((scale,), (input1,))
        _checked_scale(params[0])
        value = draw(stream, by_torch, params, size, None, device)
        return _visible_noise(_followed(value, _scale_slope, params))

    body.__doc__ = doc
    return body


def _exponential(scale: Tensor, *how: Any) -> Tensor:
    return -scale * torch.log(_uniform(*how))


def _rayleigh(scale: Tensor, *how: Any) -> Tensor:
    return scale * torch.sqrt(-2 * torch.log(_uniform(*how)))


rows(
    _of_scale,
    ("_npi_exponential", "np_exponential", _exponential, "Exponential numbers of mean `scale`."),
    ("_npi_rayleigh", "np_rayleigh", _rayleigh, "Rayleigh numbers."),
    needs=_missing("scale"),
    **_FACTS,
)


@op(needs=_missing("a"), **_FACTS)
def _npi_pareto(
    input1: Tensor | None = None,
    *,
    a: float | None = None,
    size: Size = None,
    ctx: Ctx = "cpu",
    device: Device,
) -> tuple[Tensor, Tensor]:
    """Pareto (Lomax) numbers of shape a."""
    params = _params((a,), (input1,))
    _check_positive(params[0], "a")

    def by_torch(a: Tensor, *how: Any) -> Tensor:
        return torch.expm1(-torch.log(_uniform(*how)) / a)

    value = draw("np_pareto", by_torch, params, size, None, device)

    def slope(value: Tensor, a: Tensor) -> tuple[Tensor]:
        return (-(value + 1) * torch.log1p(value) / a,)

    return _visible_noise(_followed(value, slope, params))


@op(needs=_missing("a"), **_FACTS)
def _npi_weibull(
    input1: Tensor | None = None,
    *,
    a: float | None = None,
    size: Size = None,
    ctx: Ctx = "cpu",
    device: Device,
) -> tuple[Tensor, Tensor]:
    """Weibull numbers of shape a."""
    params = _params((a,), (input1,))
    _check_positive(params[0], "a")

    def by_torch(a: Tensor, *how: Any) -> Tensor:
        return torch.pow(-torch.log(_uniform(*how)), 1 / a)

    value = draw("np_weibull", by_torch, params, size, None, device)

    def slope(value: Tensor, a: Tensor) -> tuple[Tensor]:
        return (-value * torch.log(value) / a,)

    return _visible_noise(_followed(value, slope, params))


@op(mixed=True, needs=_missing("a"))
def _npi_powerd(
    input1: Tensor | None = None,
    *,
    a: float | None = None,
    size: Size = None,
    device: Device,
) -> Tensor:
    """Numbers of density a * x ** (a - 1)."""
    params = _params((a,), (input1,))
    _check_positive(params[0], "a")

    def by_torch(a: Tensor, *how: Any) -> Tensor:
        return torch.pow(1 - _uniform(*how), 1 / a)

    return _without_slope(draw("np_power", by_torch, params, size, None, device), params)


@op(mixed=True, needs=_missing("shape", "scale"))
def _npi_gamma(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    *,
    shape: float | None,
    scale: float | None,
    size: Size = None,
    ctx: Ctx = "cpu",
    dtype: DType = torch.float32,
    device: Device,
) -> Tensor:
    """Gamma numbers of shape `shape` and scale `scale`."""
    params = _params((shape, scale), (input1, input2))
    _check_positive(params[0], "shape")
    _check_positive(params[1], "scale")

    def by_torch(a: Tensor, scale: Tensor, *how: Any) -> Tensor:
        return _gamma(a, *how) * scale

    return _without_slope(draw("np_gamma", by_torch, params, size, dtype, device), params)


@op(
    mixed=True,
    needs=lambda attrs: (
        () if attrs["prob"] is not None or attrs["logit"] is not None else ("input1",)
    ),
)
def _npi_bernoulli(
    input1: Tensor | None = None,
    *,
    prob: float | None,
    logit: float | None,
    size: Size = None,
    ctx: Ctx = "cpu",
    dtype: DType = torch.float32,
    is_logit: bool,
    device: Device,
) -> Tensor:
    """1 with a probability, given itself or as its logit, else 0."""
    number = logit if is_logit else prob
    (param,) = _params((number,), (input1,))
    shape = _extent(size, [param])
    where = _device([param], device)
    if where.type == "meta":
        return torch.empty(shape, dtype=dtype, device=where)
    if torch_rng.uses_torch(where):
        p = torch.as_tensor(param, dtype=torch.float32, device=where)
        p = torch.sigmoid(p) if is_logit else p
        hits = 1 - _uniform(shape, torch.float32, torch_rng.generator(where)) < p
        return _without_slope(hits.to(dtype), [param])
    value = param.detach().numpy() if isinstance(param, Tensor) else param
    given = {"logit" if is_logit else "prob": value}
    drawn = rng.current().np_bernoulli(**given, size=shape, dtype=dtype_to_numpy(dtype))
    result = torch.from_numpy(np.ascontiguousarray(drawn).reshape(shape))
    return _without_slope(result, [param])


@op(mixed=True)
def _npi_multinomial(
    a: Tensor | None = None,
    *,
    n: int,
    pvals: Floats | None = None,
    size: Size = None,
    device: Device,
) -> Tensor:
    """How often each class comes up in n draws: size + (classes,), int64."""
    given = pvals if a is None else a.detach()
    if given is None:
        raise MXNetValueError("multinomial needs the classes' probabilities")
    shape = _shape(size) or ()
    classes = len(given)
    if device.type == "meta" or (a is not None and a.device.type == "meta"):
        return torch.empty((*shape, classes), dtype=torch.int64, device="meta")
    where = device if a is None else a.device
    if torch_rng.uses_torch(where):
        p = torch.as_tensor(given, dtype=torch.float64, device=where)
        rows = int(np.prod(shape, dtype=np.int64))
        generator = torch_rng.generator(where)
        drawn = torch.multinomial(p, rows * n, replacement=True, generator=generator)
        counts = torch.zeros(rows, classes, dtype=torch.int64, device=where)
        counts.scatter_add_(1, drawn.reshape(rows, n), torch.ones_like(drawn.reshape(rows, n)))
        return counts.reshape(*shape, classes)
    values = given.numpy() if isinstance(given, Tensor) else list(given)
    return torch.from_numpy(rng.current().np_multinomial(n, values, shape))


@op(mixed=True)
def _npi_choice(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    *,
    a: int | None,
    size: Size,
    ctx: Ctx = "cpu",
    replace: bool = True,
    weighted: bool = False,
    device: Device,
) -> Tensor:
    """Elements of a vector, or whole numbers below `a`, by chance."""
    arrays = [t for t in (input1, input2) if t is not None]
    source = arrays.pop(0) if a is None else None
    weights = arrays.pop(0) if weighted else None
    count = len(source) if source is not None else int(a or 0)
    shape = _shape(size) or ()
    total = int(np.prod(shape, dtype=np.int64))
    if not replace and total > count:
        raise MXNetError(f"cannot take {total} of {count} without replacement")
    where = device if source is None else source.device
    if where.type == "meta":
        kind = torch.int64 if source is None else source.dtype
        return torch.empty(shape, dtype=kind, device="meta")
    if torch_rng.uses_torch(where):
        p = torch.ones(count, device=where) if weights is None else weights.float()
        generator = torch_rng.generator(where)
        index = torch.multinomial(p, max(total, 1), replacement=replace, generator=generator)
        index = index[:total].reshape(shape)
    else:
        shares = None if weights is None else weights.detach().numpy()
        index = torch.from_numpy(rng.current().np_choice(count, shape, replace, shares))
    return index if source is None else source[index]
