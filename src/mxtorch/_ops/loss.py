"""Output operators, whose gradient is not their derivative, and losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from mxtorch._core.attrs import Fraction
from mxtorch._core.errors import MXNetShapeError, MXNetTypeError
from mxtorch._core.op import Attrs, Dims, op, rows
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import refusing, run_function, single
from mxtorch._ops._shapes import require
from mxtorch._ops.activation import check_float
from mxtorch._ops.index import bounded

TensorFn = Callable[[Tensor], Tensor]
Normalization = Literal["batch", "null", "valid"]
_IGNORED = "that of the loss; the gradient from above is ignored"


def _softmax_axis(data: Tensor, multi_output: bool, preserve_shape: bool) -> Tensor:
    if multi_output:
        return torch.softmax(data, 1)
    if preserve_shape:
        return torch.softmax(data, -1)
    return torch.softmax(data.reshape(data.shape[0], -1), 1).reshape(data.shape)


class _SoftmaxRule(NamedTuple):
    """The attributes of one call."""

    grad_scale: float
    ignore_label: float
    multi_output: bool
    use_ignore: bool
    preserve_shape: bool
    normalization: str
    out_grad: bool
    smooth_alpha: float


class _SoftmaxOutput(Function):
    @staticmethod
    def forward(ctx: Any, data: Tensor, label: Tensor, rule: _SoftmaxRule) -> Tensor:
        out = _softmax_axis(data, rule.multi_output, rule.preserve_shape)
        ctx.save_for_backward(out, label)
        ctx.headless = True
        ctx.rule = rule
        return out

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> Any:
        out, label = ctx.saved_tensors
        return _softmax_gradient(out, label, ctx.rule), torch.zeros_like(label), None


def _softmax_gradient(out: Tensor, label: Tensor, rule: _SoftmaxRule) -> Tensor:
    """Probabilities less the labels' one-hot, scaled."""
    scale = single(rule.grad_scale, out)
    if label.shape == out.shape:
        return _weigh((out - label) * scale, out, rule)
    # (samples, classes, places), and one label for each sample and place
    if rule.multi_output:
        probs = out.reshape(out.shape[0], out.shape[1], -1)
    elif rule.preserve_shape:
        probs = out.reshape(-1, out.shape[-1], 1)
    else:
        probs = out.reshape(out.shape[0], -1, 1)
    samples, classes, places = probs.shape
    # with more labels than samples MXNet takes the first ones
    labels = label.reshape(-1).to(torch.int64)
    index = labels[: samples * places].reshape(samples, 1, places)
    hot = torch.arange(classes, device=out.device).reshape(1, -1, 1) == index
    if rule.smooth_alpha and not rule.multi_output:
        alpha = single(rule.smooth_alpha, out)
        wanted = torch.where(hot, 1 - alpha, alpha / max(classes - 1, 1)).to(out.dtype)
    else:
        wanted = hot.to(out.dtype)
    grad = probs - wanted
    # what is no whole number is none of the labels
    ignored = int(rule.ignore_label) if math.isfinite(rule.ignore_label) else -(2**31)
    if rule.use_ignore:
        grad = grad.masked_fill(index == ignored, 0)
    if rule.normalization == "valid":
        grad = grad / (labels != ignored).sum().clamp(min=1).to(out.dtype)
    else:
        count = samples if rule.multi_output else len(labels)
        batch = count if rule.normalization == "batch" else 1
        grad = grad / (batch * places) if batch * places > 1 else grad
    return _weigh((grad * scale).reshape(out.shape), out, rule)


def _weigh(grad: Tensor, out: Tensor, rule: _SoftmaxRule) -> Tensor:
    """With `out_grad` MXNet multiplies by the probabilities, not by the gradient from above."""
    return grad * out if rule.out_grad else grad


def _softmax_label(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, label = shapes
    if label is None and data is not None:
        label = (data[0], math.prod(data[2:])) if attrs["multi_output"] else data[:-1]
    return [data, label]


def _check_softmax_label(data: Tensor, label: Tensor, multi_output: bool) -> None:
    shape = tuple(data.shape)
    if multi_output:
        fits = label.numel() * shape[1] == data.numel()
        wanted = (shape[0], *shape[2:])
    else:
        fits, wanted = label.shape == shape[:-1], shape[:-1]
    if not fits and label.shape != shape:
        raise MXNetShapeError(
            f"label has shape {tuple(label.shape)}; data of shape {shape} needs {wanted}"
        )


@op("Softmax", fill=_softmax_label, gradient=_IGNORED, output_names=("output",))
def SoftmaxOutput(
    data: Tensor,
    label: Tensor,
    *,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: Normalization = "null",
    out_grad: bool = False,
    smooth_alpha: Fraction = 0.0,
) -> Tensor:
    """Softmax forward; backward the gradient of its cross-entropy with `label`."""
    check_float(data)
    _check_softmax_label(data, label, multi_output)
    rule = _SoftmaxRule(
        grad_scale,
        ignore_label,
        multi_output,
        use_ignore,
        preserve_shape,
        normalization,
        out_grad,
        smooth_alpha,
    )
    return run_function(_SoftmaxOutput, data, label, rule)


class _Regression(Function):
    @staticmethod
    def forward(
        ctx: Any, data: Tensor, label: Tensor, scale: float, link: TensorFn, error: TensorFn
    ) -> Tensor:
        out = link(data)
        ctx.save_for_backward(out, label)
        ctx.headless = True
        ctx.scale, ctx.error = scale, error
        return out

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> Any:
        out, label = ctx.saved_tensors
        per_sample = max(label.numel() // label.shape[0], 1)
        grad = ctx.error(out - label.reshape(out.shape)) * single(ctx.scale / per_sample, out)
        return grad, torch.zeros_like(label), None, None, None


def _same_shape(shapes: Sequence[Dims | None], attrs: Attrs) -> list[Dims | None]:
    data, label = shapes
    if label is None and data is not None:
        label = data[:1] if len(data) == 2 and data[1] == 1 else data
    return [data, label]


def regression(link: TensorFn, error: TensorFn, text: str) -> Callable[..., Tensor]:
    """A body whose gradient is `error(out - label)`."""

    def body(data: Tensor, label: Tensor, *, grad_scale: float = 1.0) -> Tensor:
        if label.numel() != data.numel() or label.shape[:1] != data.shape[:1]:
            raise MXNetShapeError(
                f"label has shape {tuple(label.shape)}, data {tuple(data.shape)}; their first axes "
                "and their sizes must be equal"
            )
        return run_function(_Regression, data, label, grad_scale, link, error)

    body.__doc__ = text
    return body


rows(
    regression,
    (
        ("LinearRegressionOutput", "_sparse_LinearRegressionOutput"),
        torch.clone,
        lambda x: x,
        "Identity forward; backward the gradient of half the squared error.",
    ),
    (
        ("MAERegressionOutput", "_sparse_MAERegressionOutput"),
        torch.clone,
        lambda x: torch.where(x > 0, 1.0, -1.0).to(x.dtype),
        "Identity forward; backward the gradient of the absolute error.",
    ),
    (
        ("LogisticRegressionOutput", "_sparse_LogisticRegressionOutput"),
        torch.sigmoid,
        lambda x: x,
        "Sigmoid forward; backward the gradient of its cross-entropy.",
    ),
    fill=_same_shape,
    gradient=_IGNORED,
)


class _SVM(Function):
    @staticmethod
    def forward(
        ctx: Any, data: Tensor, label: Tensor, margin: float, scale: float, linear: bool
    ) -> Tensor:
        ctx.save_for_backward(data, label)
        ctx.headless = True
        ctx.rule = margin, scale, linear
        return data.clone()

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> Any:
        data, label = ctx.saved_tensors
        margin, scale, linear = ctx.rule
        classes = torch.arange(data.shape[-1], device=data.device)
        hot = label.to(torch.int64).unsqueeze(-1) == classes
        sign = torch.where(hot, -1.0, 1.0).to(data.dtype)
        short = margin + sign * data
        grad = sign * ((short > 0).to(data.dtype) if linear else 2 * short.clamp(min=0)) * scale
        return grad, torch.zeros_like(label), None, None, None


@op(
    gradient=_IGNORED,
    fill=lambda shapes, attrs: [shapes[0], shapes[1] or (shapes[0] and shapes[0][:-1])],
    output_names=("output",),
)
def SVMOutput(
    data: Tensor,
    label: Tensor,
    *,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
) -> Tensor:
    """Identity forward; backward the gradient of the (squared) hinge loss."""
    if label.shape != data.shape[:-1]:
        raise MXNetShapeError(f"label has shape {tuple(label.shape)}, not {tuple(data.shape[:-1])}")
    return run_function(_SVM, data, label, margin, regularization_coefficient, use_linear)


class _MakeLoss(Function):
    @staticmethod
    def forward(ctx: Any, data: Tensor, scale: float, threshold: float, norm: str) -> Tensor:
        ctx.save_for_backward(data)
        ctx.headless = True
        ctx.rule = scale, threshold, norm
        return data.clone()

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> Any:
        (data,) = ctx.saved_tensors
        scale, threshold, norm = ctx.rule
        grad = torch.full_like(data, single(scale, data))
        if norm == "batch":
            # all axes but the last make up the batch
            grad = grad / math.prod(data.shape[:-1])
        elif norm == "valid":
            grad = grad / (data > threshold).sum().clamp(min=1).to(data.dtype)
        return grad, None, None, None


@op(
    gradient="grad_scale, whatever gradient comes from above",
    output_names=("output",),
    lists_input=True,
)
def MakeLoss(
    data: Tensor,
    *,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: Normalization = "null",
) -> Tensor:
    """Identity forward; backward a constant, divided by the batch or the count of valid values."""
    return run_function(_MakeLoss, data, grad_scale, valid_thresh, normalization)


def class_losses(data: Tensor, label: Tensor) -> Tensor:
    """The cross-entropy of each row's class, as log_softmax, pick and mean have it."""
    classes = bounded(label.reshape(-1), data.shape[1], "clip")
    return F.nll_loss(torch.log_softmax(data, 1), classes, reduction="none")


class _CrossEntropy(Function):
    @staticmethod
    def forward(ctx: Any, data: Tensor, label: Tensor) -> Tensor:
        shares = torch.softmax(data, 1)
        ctx.save_for_backward(shares, label)
        index = label.clamp(0, data.shape[1] - 1)[:, None]
        # the floor as the data's type holds it: in float16 it is 0
        floor = torch.tensor(1e-8, dtype=data.dtype, device=data.device)
        return -torch.maximum(shares.gather(1, index), floor).log().sum().reshape(1)

    @staticmethod
    def backward(ctx: Any, head: Tensor) -> Any:
        shares, label = ctx.saved_tensors
        classes = torch.arange(shares.shape[1], device=label.device)
        return head * (shares - (classes == label[:, None]).to(shares.dtype)), None


@op()
def softmax_cross_entropy(data: Tensor, label: Tensor) -> Tensor:
    """Cross-entropy of softmax with `label`, summed over the batch; shape (1,).

    No share counts as less than 1e-8; a label that is no class pulls at none.
    """
    if data.ndim != 2 or label.shape != data.shape[:1]:
        raise MXNetShapeError(
            f"data of shape {tuple(data.shape)} and labels of shape {tuple(label.shape)}: "
            "there must be one label a row"
        )
    loss = run_function(_CrossEntropy, data, label.to(torch.int64))
    return refusing(loss, label, "the labels of softmax_cross_entropy")


@op(
    "ctc_loss",
    "_contrib_CTCLoss",
    "_contrib_ctc_loss",
    mixed=True,
    outputs=2,
    visible=1,
    needs=lambda attrs: tuple(
        name for name in ("data_lengths", "label_lengths") if attrs.get(f"use_{name}")
    ),
)
def CTCLoss(
    data: Tensor,
    label: Tensor,
    data_lengths: Tensor | None = None,
    label_lengths: Tensor | None = None,
    *,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: Literal["first", "last"] = "first",
) -> Tensor:
    """Connectionist temporal classification of (time, batch, class) data, one loss a sample."""
    steps, batch, classes = data.shape
    for given in (data_lengths, label_lengths):
        if given is not None:
            require(given.ndim == 1, given, needs="a row of lengths")
    if steps < label.shape[1]:
        raise MXNetShapeError(f"{label.shape[1]} labels do not fit into {steps} steps")
    blank, filler = (0, 0) if blank_label == "first" else (classes - 1, -1)
    label = label.to(torch.int64)
    if use_data_lengths:
        if data_lengths is None:
            raise MXNetTypeError("use_data_lengths=True needs the array data_lengths")
        lengths = data_lengths.to(torch.int64)
    else:
        lengths = torch.full((batch,), steps, dtype=torch.int64, device=data.device)
    if use_label_lengths:
        if label_lengths is None:
            raise MXNetTypeError("use_label_lengths=True needs the array label_lengths")
        counts = label_lengths.to(torch.int64)
    else:
        counts = (label == filler).cumsum(1).eq(0).sum(1)
    if data.is_meta:
        return data.new_empty(batch)  # torch has no shape rule for it
    # a label that does not fit into its sequence costs nothing
    return F.ctc_loss(
        torch.log_softmax(data, 2), label.clamp(min=0), lengths, counts, blank, "none", True
    )
