"""What every metric has in common: names, sums, the registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxtorch._core.classes import ClassRegistry
from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch.ndarray.ndarray import NDArray


def check_label_shapes(labels: Any, preds: Any, wrap: bool = False, shape: bool = False) -> Any:
    """Labels and predictions as they came (as lists with `wrap`); ValueError if they do not match.

    Lengths are compared, with `shape` the arrays' whole shapes.
    """
    sizes = (labels.shape, preds.shape) if shape else (len(labels), len(preds))
    if sizes[0] != sizes[1]:
        raise ValueError(
            f"Shape of labels {sizes[0]} does not match shape of predictions {sizes[1]}"
        )
    if wrap:
        labels = [labels] if isinstance(labels, NDArray) else labels
        preds = [preds] if isinstance(preds, NDArray) else preds
    return labels, preds


class Value(np.float64):
    """A metric's value; it prints as a plain number under NumPy 2 too, as it did under NumPy 1."""

    __repr__ = float.__repr__


def _printable(value: Any) -> Any:
    return Value(value) if isinstance(value, np.floating) else value


class EvalMetric:
    """A sum over instances and their number: `sum_metric` and `num_inst`, since the last reset
    (`global_sum_metric`, `global_num_inst`: not touched by `reset_local`)."""

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
        return f"EvalMetric: {dict(self.get_name_value())}"

    def get_config(self) -> dict[str, Any]:
        """What `create` needs to make the metric again."""
        return {
            **self._kwargs,
            "metric": type(self).__name__,
            "name": self.name,
            "output_names": self.output_names,
            "label_names": self.label_names,
        }

    def update_dict(self, label: dict[str, Any], pred: dict[str, Any]) -> None:
        """Update from dicts, of which `label_names` and `output_names` choose the entries."""
        labels = list(label.values()) if self.label_names is None else None
        preds = list(pred.values()) if self.output_names is None else None
        self.update(
            [label[n] for n in self.label_names or ()] if labels is None else labels,
            [pred[n] for n in self.output_names or ()] if preds is None else preds,
        )

    def update(self, labels: Any, preds: Any) -> None:
        """Take a batch into account."""
        raise NotImplementedError

    def reset(self) -> None:
        """Forget everything."""
        self.num_inst = 0
        self.sum_metric = 0.0
        self.global_num_inst = 0
        self.global_sum_metric = 0.0

    def reset_local(self) -> None:
        """Forget what `get` tells; `get_global` still knows it."""
        self.num_inst = 0
        self.sum_metric = 0.0

    def add(self, total: Any, count: Any) -> None:
        """Add to the sums, local and global.

        NumPy's numbers in float64: NumPy 1 summed so, NumPy 2 would stay in the first one's type.
        """
        if isinstance(total, np.generic):
            total = np.float64(total)
        self.sum_metric += total
        self.global_sum_metric += total
        self.num_inst += count
        self.global_num_inst += count

    def get(self) -> tuple[Any, Any]:
        """(name, value); nan before any update."""
        if self.num_inst == 0:
            return self.name, float("nan")
        return self.name, _printable(self.sum_metric / self.num_inst)

    def get_global(self) -> tuple[Any, Any]:
        """The same over everything since `reset`, where the metric keeps it."""
        if not self._has_global_stats:
            return self.get()
        if self.global_num_inst == 0:
            return self.name, float("nan")
        return self.name, _printable(self.global_sum_metric / self.global_num_inst)

    def get_name_value(self) -> list[tuple[str, Any]]:
        """Pairs of name and value."""
        return _pairs(*self.get())

    def get_global_name_value(self) -> list[tuple[str, Any]]:
        """Pairs of name and value over everything since `reset`."""
        return _pairs(*self.get_global())


def _pairs(names: Any, values: Any) -> list[tuple[str, Any]]:
    names = names if isinstance(names, list) else [names]
    values = values if isinstance(values, list) else [values]
    return list(zip(names, values, strict=True))


registry = ClassRegistry(EvalMetric, "metric", unknown=MXNetAssertionError)
register = registry.register
alias = registry.alias


class CompositeEvalMetric(EvalMetric):
    """Several metrics that are updated together."""

    def __init__(
        self,
        metrics: Sequence[Any] | None = None,
        name: str = "composite",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        self.metrics = [create(m) for m in metrics or ()]
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def add(self, metric: Any) -> None:  # type: ignore[override]
        """Add a metric (or what `create` takes)."""
        self.metrics.append(create(metric))

    def get_metric(self, index: int) -> Any:
        """The metric of that number."""
        try:
            return self.metrics[index]
        except IndexError:
            return ValueError(f"Metric index {index} is out of range 0 and {len(self.metrics)}")

    def update_dict(self, labels: dict[str, Any], preds: dict[str, Any]) -> None:  # type: ignore[override]
        """Update every metric from the entries that are this metric's own."""
        if self.label_names is not None:
            labels = {k: v for k, v in labels.items() if k in self.label_names}
        if self.output_names is not None:
            preds = {k: v for k, v in preds.items() if k in self.output_names}
        for metric in self.metrics:
            metric.update_dict(labels, preds)

    def update(self, labels: Any, preds: Any) -> None:
        """Update every metric."""
        for metric in self.metrics:
            metric.update(labels, preds)

    def reset(self) -> None:
        """Reset every metric."""
        for metric in self.metrics:
            metric.reset()

    def reset_local(self) -> None:
        """Reset what `get` tells of every metric."""
        for metric in self.metrics:
            metric.reset_local()

    def get(self) -> tuple[list[str], list[Any]]:
        """Lists of names and values."""
        return _joined([m.get() for m in self.metrics])

    def get_global(self) -> tuple[list[str], list[Any]]:
        """The same over everything since `reset`."""
        return _joined([m.get_global() for m in self.metrics])

    def get_config(self) -> dict[str, Any]:
        """What `create` needs to make the metric again."""
        return {**super().get_config(), "metrics": [m.get_config() for m in self.metrics]}


def _joined(parts: list[tuple[Any, Any]]) -> tuple[list[str], list[Any]]:
    pairs = [pair for part in parts for pair in _pairs(*part)]
    return [name for name, _ in pairs], [value for _, value in pairs]


registry.register(CompositeEvalMetric)
registry.register(CompositeEvalMetric, "composite")


class CustomMetric(EvalMetric):
    """A function of (label, prediction) as NumPy arrays; it gives a value or (sum, count)."""

    def __init__(
        self,
        feval: Callable[[Any, Any], Any],
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
            output_names,
            label_names,
            feval=feval,
            allow_extra_outputs=allow_extra_outputs,
            has_global_stats=True,
        )
        self._feval = feval
        self._allow_extra_outputs = allow_extra_outputs

    def update(self, labels: Any, preds: Any) -> None:
        """Call the function for each pair."""
        if not self._allow_extra_outputs:
            labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds, strict=False):
            result = self._feval(to_numpy(label), to_numpy(pred))
            self.add(*(result if isinstance(result, tuple) else (result, 1)))

    def get_config(self) -> dict[str, Any]:
        """Not possible: a function cannot be written down."""
        raise NotImplementedError("CustomMetric cannot be serialized")


registry.register(CustomMetric)


def to_numpy(array: Any) -> np.ndarray:
    """The values of an NDArray or of anything that NumPy takes."""
    return array.asnumpy() if isinstance(array, NDArray) else np.asarray(array)


def np_metric(
    numpy_feval: Callable[[Any, Any], Any],
    name: str | None = None,
    allow_extra_outputs: bool = False,
) -> CustomMetric:
    """A CustomMetric of a function of NumPy arrays, named after it."""

    def feval(label: Any, pred: Any) -> Any:
        return numpy_feval(label, pred)

    feval.__name__ = numpy_feval.__name__
    return CustomMetric(feval, name, allow_extra_outputs)


def create(metric: Any, *args: Any, **kwargs: Any) -> Any:
    """A metric from a name, a function, a list of these, or a metric as it is."""
    if callable(metric) and not isinstance(metric, type):
        return CustomMetric(metric, *args, **kwargs)
    if isinstance(metric, list):
        composite = CompositeEvalMetric()
        for child in metric:
            composite.add(create(child, *args, **kwargs))
        return composite
    if not isinstance(metric, (str, dict, EvalMetric)):
        raise MXNetAssertionError(f"metric must be of string type, got {type(metric).__name__}")
    try:
        return registry.create(metric, *args, **kwargs)
    except MXNetValueError as error:
        raise MXNetAssertionError(str(error)) from None
