"""SVRGModule: Module whose gradients are corrected by those over all data."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from mxtorch import optimizer as opt
from mxtorch._core.errors import MXNetTypeError, MXNetValueError
from mxtorch.contrib.svrg_optimization.svrg_optimizer import _SVRGOptimizer
from mxtorch.module import Module
from mxtorch.ndarray import NDArray, zeros

__all__ = ["SVRGModule"]


class SVRGModule(Module):
    """Stochastic variance reduced gradients.

    Every `update_freq` epochs the parameters are noted, and their gradient over all data. In
    between, a batch's gradient is that at the parameters now, less that at the noted ones, plus
    that over all data.
    """

    def __init__(
        self,
        symbol: Any,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Any = logging,
        context: Any = None,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
        update_freq: int | None = None,
    ) -> None:
        options: dict[str, Any] = {
            "data_names": data_names,
            "label_names": label_names,
            "logger": logger,
            "context": context,
            "work_load_list": work_load_list,
            "fixed_param_names": fixed_param_names,
            "state_names": state_names,
            "group2ctxs": group2ctxs,
            "compression_params": compression_params,
        }
        super().__init__(symbol, **options)
        if not isinstance(update_freq, int):
            raise MXNetTypeError(
                "update_freq in SVRGModule must be an integer to represent the frequency for "
                "calculating full gradients"
            )
        if update_freq <= 0:
            raise MXNetValueError(
                "update_freq in SVRGModule must be a positive integer to represent the frequency "
                "for calculating full gradients"
            )
        self.update_freq = update_freq
        self._mod_aux = Module(symbol, **options)  # at the noted parameters
        self._param_dict: list[dict[str, NDArray]] | None = None  # gradients over all data
        self._ctx_len = len(self._context)

    def _reset_bind(self) -> None:
        super()._reset_bind()
        self._mod_aux._reset_bind()

    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Bind for other shapes; parameters and optimizer stay."""
        super().reshape(data_shapes, label_shapes=label_shapes)
        self._mod_aux.reshape(data_shapes, label_shapes=label_shapes)

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
        """Make executors, for training at the noted parameters too."""
        super().bind(
            data_shapes,
            label_shapes,
            for_training,
            inputs_need_grad,
            force_rebind,
            shared_module,
            grad_req,
        )
        if for_training:
            self._mod_aux.bind(
                data_shapes,
                label_shapes,
                for_training,
                inputs_need_grad,
                force_rebind,
                shared_module,
                grad_req,
            )

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Make the optimizer; a store that updates holds the gradients over all data too."""
        done = self.optimizer_initialized and not force_init
        super().init_optimizer(kvstore, optimizer, optimizer_params, force_init)
        if done:
            return
        inner = self._optimizer
        names = dict(inner.idx2name)
        for name in inner.idx2name.values():
            names[len(names)] = f"{name}_full"
        self._optimizer = _SVRGOptimizer(
            default_optimizer=inner,
            param_idx2name=names,
            rescale_grad=inner.rescale_grad,
            learning_rate=inner.lr,
        )
        if self._update_on_kvstore:
            self._kvstore.set_optimizer(self._optimizer)
        else:
            self._updater = opt.get_updater(self._optimizer)
        if self._kvstore is not None:
            for name, row in self._trained():
                self._kvstore.init(f"{name}_full", zeros(row[0].shape, dtype=row[0].dtype))
                if self._update_on_kvstore:
                    # as in MXNet, the first batch is computed with these zeros for parameters
                    self._kvstore.pull(f"{name}_full", list(row))
        self._param_dict = [
            {
                name: zeros(row[k].shape, row[k].context, row[k].dtype)
                for name, row in self._trained()
            }
            for k in range(self._ctx_len)
        ]

    def _trained(self) -> list[tuple[str, Sequence[NDArray]]]:
        """Names and arrays of the parameters that have gradients."""
        group = self._exec_group
        rows = zip(group.param_names, group.param_arrays, group.grad_arrays, strict=True)
        return [(name, row) for name, row, grads in rows if grads[0] is not None]

    # steps -----------------------------------------------------------------------------------

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Compute the outputs, for training at the noted parameters too."""
        super().forward(data_batch, is_train)
        if is_train:
            self._mod_aux.forward(data_batch, is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradients, at the noted parameters too."""
        super().backward(out_grads)
        if self._mod_aux.binded:
            self._mod_aux.backward(out_grads)

    def update(self) -> None:
        """Correct the gradients and update the parameters."""
        self._update_svrg_gradients()
        super().update()

    def update_full_grads(self, train_data: Any) -> None:
        """Note the parameters, and compute their gradient over all data."""
        self._mod_aux.set_params(*self.get_params())
        train_data.reset()
        assert self._param_dict is not None
        # as in MXNet, the mean of the time before counts like one more batch
        before = self._param_dict
        totals: dict[str, list[Any]] = {
            name: [own[name].copy() for own in before] for name in before[0]
        }
        count, padding = 0, 0
        for batch in train_data:
            self._mod_aux.forward(batch, is_train=True)
            self._mod_aux.backward()
            count += 1
            padding = batch.pad or 0
            for name, row in self._gradients(self._mod_aux):
                for total, grad in zip(totals[name], row, strict=True):
                    total += grad
        batches = count - padding / train_data.batch_size
        for name, row in totals.items():
            self._accumulate_kvstore(name, [total / batches for total in row])

    @staticmethod
    def _gradients(module: Module) -> list[tuple[str, Sequence[NDArray]]]:
        group = module._exec_group
        pairs = zip(group.param_names, group.grad_arrays, strict=True)
        return [(name, row) for name, row in pairs if row[0] is not None]

    def _accumulate_kvstore(self, key: str, value: list[Any]) -> None:
        """Keep a gradient over all data: summed over the contexts if there is a store."""
        if self._kvstore is not None:
            self._kvstore.push(f"{key}_full", value)
            self._kvstore.pull(f"{key}_full", value)
            value = [array / self._ctx_len for array in value]
        self._allocate_gradients(key, value)

    def _allocate_gradients(self, key: str, value: list[NDArray]) -> None:
        """Give each context its share."""
        assert self._param_dict is not None
        for own, array in zip(self._param_dict, value, strict=True):
            own[key] = array

    @staticmethod
    def _svrg_grads_update_rule(now: NDArray, noted: NDArray, full: NDArray) -> Any:
        """The corrected gradient, from those of the batch at both parameters and over all data."""
        return now - noted + full  # type: ignore[operator] # filled from the operator table

    def _update_svrg_gradients(self) -> None:
        assert self._param_dict is not None
        noted = dict(self._gradients(self._mod_aux))
        for name, row in self._gradients(self):
            for k, grad in enumerate(row):
                full = self._param_dict[k][name]
                grad[:] = self._svrg_grads_update_rule(grad, noted[name][k], full)

    def prepare(self, data_batch: Any, sparse_row_id_fn: Callable[..., Any] | None = None) -> None:
        """Prepare both modules for a batch."""
        super().prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        self._mod_aux.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)

    def _begin_epoch(self, epoch: int, train_data: Any) -> None:
        if epoch % self.update_freq == 0:
            self.update_full_grads(train_data)
        train_data.reset()


def _zeros_like(array: NDArray) -> NDArray:
    return zeros(array.shape, array.context, array.dtype)
