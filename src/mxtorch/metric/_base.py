"""The base of all metrics, the registry, and metrics made of metrics or of functions."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from mxtorch._core.classes import registry_of
from mxtorch.ndarray import NDArray


def check_label_shapes(
    labels: Any, preds: Any, wrap: bool = False, shape: bool = False
) -> tuple[Any, Any]:
    """Labels and predictions if they are as many (or, with `shape`, of one shape); ValueError
    otherwise. `wrap` puts single arrays into lists."""
    ours, theirs = (labels.shape, preds.shape) if shape else (len(labels), len(preds))
    if ours != theirs:
        raise ValueError(f"Shape of labels {ours} does not match shape of predictions {theirs}")
    if wrap:
        if isinstance(labels, NDArray):
            labels = [labels]
        if isinstance(preds, NDArray):
            preds = [preds]
    return labels, preds


class EvalMetric:
    """A value gathered over batches: subclass it with `update`, which adds to `sum_metric` and
    `num_inst` (and their `global_` twins, which `reset_local` leaves alone)."""

    def __init__(
        self,
        name: str,
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self.name = str(name)
        self.output_names = output_names
        self.label_names = label_names
        self._has_global_stats = kwargs.pop("has_global_stats", False)
        self._kwargs = kwargs
        self.reset()

    def __str__(self) -> str:
        plain = {
            name: value.item() if isinstance(value, numpy.generic) else value
            for name, value in self.get_name_value()
        }
        return f"EvalMetric: {plain}"

    def get_config(self) -> dict[str, Any]:
        """The arguments from which `create` makes the metric again."""
        config = dict(self._kwargs)
        config.update(
            metric=type(self).__name__,
            name=self.name,
            output_names=self.output_names,
            label_names=self.label_names,
        )
        return config

    def update_dict(self, label: dict[str, Any], pred: dict[str, Any]) -> None:
        """Update from arrays by name: those that were named, or all of them."""
        preds = list(pred.values())
        if self.output_names is not None:
            preds = [pred[name] for name in self.output_names]
        labels = list(label.values())
        if self.label_names is not None:
            labels = [label[name] for name in self.label_names]
        self.update(labels, preds)

    def update(self, labels: Any, preds: Any) -> None:
        """Add a batch: lists of labels and of predictions."""
        raise NotImplementedError

    def _add(self, value: Any, count: Any) -> None:
        """Add a batch's sum and what it is divided by, locally and globally."""
        if isinstance(value, numpy.generic):
            value = numpy.float64(value)  # NumPy 2 would keep float32 sums in float32
        self.sum_metric += value
        self.global_sum_metric += value
        self.num_inst += count
        self.global_num_inst += count

    def reset(self) -> None:
        """Forget everything."""
        self.num_inst: Any = 0
        self.sum_metric: Any = 0.0
        self.global_num_inst: Any = 0
        self.global_sum_metric: Any = 0.0

    def reset_local(self) -> None:
        """Forget what was gathered since the last `reset_local`."""
        self.num_inst = 0
        self.sum_metric = 0.0

    def get(self) -> tuple[Any, Any]:
        """(name, value); nan before the first update."""
        if self.num_inst == 0:
            return self.name, float("nan")
        return self.name, _ratio(self.sum_metric, self.num_inst)

    def get_global(self) -> tuple[Any, Any]:
        """(name, value) since the last `reset`."""
        if not self._has_global_stats:
            return self.get()
        if self.global_num_inst == 0:
            return self.name, float("nan")
        return self.name, _ratio(self.global_sum_metric, self.global_num_inst)

    def get_name_value(self) -> list[tuple[str, Any]]:
        """Pairs of name and value."""
        return _pairs(self.get())

    def get_global_name_value(self) -> list[tuple[str, Any]]:
        """Pairs of name and value since the last `reset`."""
        return _pairs(self.get_global() if self._has_global_stats else self.get())


class Value(numpy.float64):
    """A metric's value; it prints as a plain number under NumPy 2 too, as it did under NumPy 1."""

    __repr__ = float.__repr__


def _ratio(total: Any, count: Any) -> Any:
    if isinstance(total, numpy.floating):
        return Value(numpy.float64(total) / count)  # as NumPy 1 divides a float32 scalar
    return total / count


def _pairs(named: tuple[Any, Any]) -> list[tuple[str, Any]]:
    names, values = named
    if not isinstance(names, list):
        names = [names]
    if not isinstance(values, list):
        values = [values]
    return list(zip(names, values, strict=False))


_registry = registry_of(EvalMetric, "metric")
register = _registry.register
alias = _registry.alias


def create(metric: Any, *args: Any, **kwargs: Any) -> Any:
    """A metric by name, from a function, from a list of such, from its config, or as it is."""
    if callable(metric):
        return CustomMetric(metric, *args, **kwargs)
    if isinstance(metric, list):
        composite = CompositeEvalMetric()
        for child in metric:
            composite.add(create(child, *args, **kwargs))
        return composite
    return _registry.create(metric, *args, **kwargs)


@register
@alias("composite")
class CompositeEvalMetric(EvalMetric):
    """Several metrics that are updated together."""

    def __init__(
        self,
        metrics: Sequence[Any] | None = None,
        name: str = "composite",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(
            name, output_names=output_names, label_names=label_names, has_global_stats=True
        )
        self.metrics = [create(metric) for metric in metrics or []]

    def add(self, metric: Any) -> None:
        """Add a metric."""
        self.metrics.append(create(metric))

    def get_metric(self, index: int) -> Any:
        """The metric of this number; a ValueError is returned (not raised) if there is none."""
        try:
            return self.metrics[index]
        except IndexError:
            return ValueError(f"Metric index {index} is out of range 0 and {len(self.metrics)}")

    def update_dict(self, labels: dict[str, Any], preds: dict[str, Any]) -> None:
        """Update every metric with the arrays that were named."""
        if self.label_names is not None:
            named = [i for i in labels.items() if i[0] in self.label_names]
            labels = OrderedDict(named)
        if self.output_names is not None:
            named = [i for i in preds.items() if i[0] in self.output_names]
            preds = OrderedDict(named)
        for metric in self.metrics:
            metric.update_dict(labels, preds)

    def update(self, labels: Any, preds: Any) -> None:
        """Update every metric."""
        for metric in self.metrics:
            metric.update(labels, preds)

    def reset(self) -> None:
        """Reset every metric."""
        for metric in getattr(self, "metrics", ()):
            metric.reset()

    def reset_local(self) -> None:
        """Reset every metric's local part."""
        for metric in getattr(self, "metrics", ()):
            metric.reset_local()

    def get(self) -> tuple[Any, Any]:
        """(names, values)."""
        return self._gather(metric.get() for metric in self.metrics)

    def get_global(self) -> tuple[Any, Any]:
        """(names, values) since the last `reset`."""
        return self._gather(metric.get_global() for metric in self.metrics)

    @staticmethod
    def _gather(results: Any) -> tuple[list[Any], list[Any]]:
        names: list[Any] = []
        values: list[Any] = []
        for name, value in results:
            names += name if isinstance(name, list) else [name]
            values += value if isinstance(value, list) else [value]
        return names, values

    def get_config(self) -> dict[str, Any]:
        """The arguments from which `create` makes the metrics again."""
        config = super().get_config()
        config["metrics"] = [metric.get_config() for metric in self.metrics]
        return config


@register
class CustomMetric(EvalMetric):
    """A function of (label, prediction) as NumPy arrays, which gives a value, or (sum, count)."""

    def __init__(
        self,
        feval: Callable[..., Any],
        name: str | None = None,
        allow_extra_outputs: bool = False,
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        if name is None:
            name = feval.__name__
            if "<" in name:
                name = f"custom({name})"
        super().__init__(
            name,
            feval=feval,
            allow_extra_outputs=allow_extra_outputs,
            output_names=output_names,
            label_names=label_names,
            has_global_stats=True,
        )
        self._feval = feval
        self._allow_extra_outputs = allow_extra_outputs

    def update(self, labels: Any, preds: Any) -> None:
        """Add the function's value for each pair of label and prediction."""
        if not self._allow_extra_outputs:
            labels, preds = check_label_shapes(labels, preds, True)
        for pred, label in zip(preds, labels, strict=False):
            value = self._feval(label.asnumpy(), pred.asnumpy())
            if isinstance(value, tuple):
                self._add(*value)
            else:
                self._add(value, 1)

    def get_config(self) -> dict[str, Any]:
        """Not possible: a function has no config."""
        raise NotImplementedError("CustomMetric cannot be serialized")


def np(
    numpy_feval: Callable[..., Any], name: str | None = None, allow_extra_outputs: bool = False
) -> CustomMetric:
    """A metric from a function of (label, prediction) as NumPy arrays."""

    def feval(label: Any, pred: Any) -> Any:
        return numpy_feval(label, pred)

    feval.__name__ = numpy_feval.__name__
    return CustomMetric(feval, name, allow_extra_outputs)


@register
class Loss(EvalMetric):
    """The mean of all elements of the predictions; labels are not looked at."""

    def __init__(
        self,
        name: str = "loss",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(
            name, output_names=output_names, label_names=label_names, has_global_stats=True
        )

    def update(self, _: Any, preds: Any) -> None:
        """Add the elements of arrays of losses."""
        for pred in [preds] if isinstance(preds, NDArray) else preds:
            values = pred.asnumpy()
            # MXNet's own sum carries the rounding errors along
            total = values.sum(dtype=numpy.float64).astype(values.dtype)
            self._add(total, pred.size)


@register
class Torch(Loss):
    """`Loss` under an old name."""

    def __init__(
        self,
        name: str = "torch",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names=output_names, label_names=label_names)


@register
class Caffe(Loss):
    """`Loss` under an old name."""

    def __init__(
        self,
        name: str = "caffe",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names=output_names, label_names=label_names)


def exponent(named: tuple[Any, Any], count: Any) -> tuple[Any, Any]:
    """The named value's exponential, unless nothing was counted."""
    name, value = named
    return name, float("nan") if count == 0 else math.exp(value)


def flat(array: Any, dtype: Any = None) -> numpy.ndarray:
    """An array's elements as a NumPy vector."""
    values = array.asnumpy().ravel()
    return values if dtype is None else values.astype(dtype)
