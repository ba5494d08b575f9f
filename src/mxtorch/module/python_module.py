"""Modules written in Python: subclass PythonModule; PythonLossModule is a loss with a gradient
given by a function."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from mxtorch import ndarray
from mxtorch.module.base_module import SMALL, BaseModule, check
from mxtorch.ndarray import NDArray

__all__ = ["PythonLossModule", "PythonModule"]


class PythonModule(BaseModule):
    """A module without parameters: most of its methods do nothing.

    A subclass has `forward`, `backward` and `_compute_output_shapes`.
    """

    def __init__(
        self,
        data_names: Sequence[str],
        label_names: Sequence[str] | None,
        output_names: Sequence[str],
        logger: Any = logging,
    ) -> None:
        super().__init__(logger=logger)
        self._data_names = list(data_names) if isinstance(data_names, tuple) else data_names
        self._label_names = list(label_names) if isinstance(label_names, tuple) else label_names
        self._output_names = output_names
        self._data_shapes: Any = None
        self._label_shapes: Any = None
        self._output_shapes: Any = None

    @property
    def data_names(self) -> Any:
        """The names of the data."""
        return self._data_names

    @property
    def output_names(self) -> Any:
        """The names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the data."""
        return self._data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels; None without."""
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """Pairs (name, shape) of the outputs."""
        return self._output_shapes

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """No parameters: two empty dicts."""
        return {}, {}

    def init_params(
        self,
        initializer: Any = SMALL,
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Nothing to do: there are no parameters."""
        self.params_initialized = True

    def update(self) -> None:
        """Nothing to do: there are no parameters."""

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Add labels and outputs to a metric; without label names, nothing."""
        if self._label_shapes is None:
            return
        check(not pre_sliced, "PythonModule does not support presliced labels")
        eval_metric.update(labels, self.get_outputs())

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Any = None,
        grad_req: Any = "write",
    ) -> None:
        """Take the shapes, any number of times; `grad_req` must be 'write'."""
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        check(grad_req == "write", "Python module only support write gradient")
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        check(
            len(data_shapes) == len(self._data_names)
            and [d[0] for d in data_shapes] == self._data_names,
            f"data_shapes {data_shapes} must describe {self._data_names}",
        )
        self._data_shapes = data_shapes
        self._label_shapes = label_shapes
        if label_shapes is not None:
            check(
                self._label_names is not None and [d[0] for d in label_shapes] == self._label_names,
                f"label_shapes {label_shapes} must describe {self._label_names}",
            )
        self._output_shapes = self._compute_output_shapes()

    def _compute_output_shapes(self) -> Any:
        """Pairs (name, shape) of the outputs, from `_data_shapes` and `_label_shapes`."""
        raise NotImplementedError

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Nothing to do: there are no parameters."""
        self.optimizer_initialized = True


class PythonLossModule(PythonModule):
    """A loss: its output is its input (the scores), its gradient `grad_func(scores, labels)`.

    Instead of `grad_func`, a subclass may have `_backward_impl`, which sets `_scores_grad`.
    """

    def __init__(
        self,
        name: str = "pyloss",
        data_names: Sequence[str] = ("data",),
        label_names: Sequence[str] = ("softmax_label",),
        logger: Any = logging,
        grad_func: Callable[[NDArray, NDArray], Any] | None = None,
    ) -> None:
        super().__init__(data_names, label_names, [f"{name}_output"], logger=logger)
        self._name = name
        check(len(data_names) == 1, "PythonLossModule takes one input")
        check(len(label_names) == 1, "PythonLossModule takes one label")
        self._scores: Any = None
        self._labels: Any = None
        self._scores_grad: Any = None
        check(grad_func is None or callable(grad_func), "grad_func must be a function")
        self._grad_func = grad_func

    def _compute_output_shapes(self) -> Any:
        """The output has the shape of the scores."""
        return [(f"{self._name}_output", self._data_shapes[0][1])]

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Keep the scores and, for training, the labels."""
        self._scores = data_batch.data[0]
        if self.for_training if is_train is None else is_train:
            self._labels = data_batch.label[0]

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """The scores."""
        check(merge_multi_context, "PythonLossModule has one context only")
        return [self._scores]

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradient of the scores; a loss takes no `out_grads`."""
        check(out_grads is None, "For a loss module, out_grads should be None")
        check(self.for_training, "re-bind with for_training=True to run backward")
        self._backward_impl()

    def _backward_impl(self) -> None:
        """Set `_scores_grad`."""
        if self._grad_func is None:
            raise NotImplementedError
        grad = self._grad_func(self._scores, self._labels)
        self._scores_grad = grad if isinstance(grad, NDArray) else ndarray.array(grad)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """The gradient of the scores."""
        check(merge_multi_context, "PythonLossModule has one context only")
        return [self._scores_grad]

    def install_monitor(self, mon: Any) -> None:
        """There is nothing that a monitor could watch."""
        raise NotImplementedError
