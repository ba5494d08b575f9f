"""BucketingModule: one set of parameters, and a symbol for each bucket of inputs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mxtorch import ndarray, symbol
from mxtorch._core.atomic import numbered
from mxtorch._core.warn import warn
from mxtorch.context import cpu
from mxtorch.model import load_params
from mxtorch.module.base_module import SMALL, BaseModule, _check_input_names, check
from mxtorch.module.module import Module
from mxtorch.name import NameManager

__all__ = ["BucketingModule"]


class BucketingModule(BaseModule):
    """`sym_gen(bucket_key)` gives (symbol, data names, label names); a module is made from it when
    a batch of a new bucket comes, over the parameters of the default bucket's module."""

    def __init__(
        self,
        sym_gen: Callable[[Any], Any],
        default_bucket_key: Any = None,
        logger: Any = logging,
        context: Any = None,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
    ) -> None:
        super().__init__(logger=logger)
        check(default_bucket_key is not None, "BucketingModule needs default_bucket_key")
        self._default_bucket_key = default_bucket_key
        self._sym_gen = sym_gen
        made, data_names, label_names = self._call_sym_gen(default_bucket_key)
        fixed_param_names, state_names = list(fixed_param_names or []), list(state_names or [])
        _check_input_names(made, list(data_names or []), "data", True)
        _check_input_names(made, list(label_names or []), "label", False)
        _check_input_names(made, state_names, "state", True)
        _check_input_names(made, fixed_param_names, "fixed_param", True)
        self._compression_params = compression_params
        self._fixed_param_names = fixed_param_names
        self._state_names = state_names
        self._context = cpu() if context is None else context
        self._work_load_list = work_load_list
        self._group2ctxs = group2ctxs
        self._buckets: dict[Any, Module] = {}
        self._curr_module: Any = None
        self._curr_bucket_key: Any = None
        self._params_dirty = False
        self._monitor: Any = None
        self._grad_req: Any = None

    def _call_sym_gen(self, key: Any) -> Any:
        with NameManager():  # layers without a name have the same in every bucket
            return self._sym_gen(key)

    def _reset_bind(self) -> None:
        self.binded = False
        self._buckets = {}
        self._curr_module = None
        self._curr_bucket_key = None

    def _check_binded(self) -> None:
        check(self.binded, "call bind first: the module has no arrays yet")

    # names and shapes ------------------------------------------------------------------------

    @property
    def data_names(self) -> Any:
        """The names of the data of the current bucket."""
        if self.binded:
            return self._curr_module.data_names
        return self._call_sym_gen(self._default_bucket_key)[1]

    @property
    def output_names(self) -> Any:
        """The names of the outputs of the current bucket."""
        if self.binded:
            return self._curr_module.output_names
        return self._call_sym_gen(self._default_bucket_key)[0].list_outputs()

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the data of the current bucket."""
        self._check_binded()
        return self._curr_module.data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels of the current bucket."""
        self._check_binded()
        return self._curr_module.label_shapes

    @property
    def output_shapes(self) -> Any:
        """Pairs (name, shape) of the outputs of the current bucket."""
        self._check_binded()
        return self._curr_module.output_shapes

    @property
    def symbol(self) -> Any:
        """The symbol of the current bucket."""
        self._check_binded()
        return self._curr_module.symbol

    # parameters ------------------------------------------------------------------------------

    def get_params(self) -> Any:
        """(arguments, auxiliary states) by name."""
        self._check_ready()
        self._curr_module._params_dirty = self._params_dirty
        params = self._curr_module.get_params()
        self._params_dirty = False
        return params

    def init_params(
        self,
        initializer: Any = SMALL,
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Give the parameters their first values (see `Module.init_params`)."""
        if self.params_initialized and not force_init:
            return
        check(self.binded, "call bind before initializing the parameters")
        self._curr_module.init_params(
            initializer=initializer,
            arg_params=arg_params,
            aux_params=aux_params,
            allow_missing=allow_missing,
            force_init=force_init,
            allow_extra=allow_extra,
        )
        self._params_dirty = False
        self.params_initialized = True

    def set_params(
        self,
        arg_params: Any,
        aux_params: Any,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Take these values (see `Module.set_params`)."""
        if not allow_missing:
            super().set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
            return
        if self.params_initialized and not force_init:
            warn("Parameters already initialized and force_init=False. set_params call ignored.")
            return
        self._curr_module.set_params(
            arg_params,
            aux_params,
            allow_missing=allow_missing,
            force_init=force_init,
            allow_extra=allow_extra,
        )
        # the arrays on the CPU are behind those of the executors now
        self._params_dirty = True
        self.params_initialized = True

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """The states of the current bucket."""
        self._check_ready()
        return self._curr_module.get_states(merge_multi_context=merge_multi_context)

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states of the current bucket."""
        self._check_ready()
        self._curr_module.set_states(states, value)

    # binding ---------------------------------------------------------------------------------

    def _make(self, key: Any) -> Module:
        made, data_names, label_names = self._call_sym_gen(key)
        return Module(
            made,
            data_names,
            label_names,
            logger=self.logger,
            context=self._context,
            work_load_list=self._work_load_list,
            fixed_param_names=self._fixed_param_names,
            state_names=self._state_names,
            group2ctxs=self._group2ctxs,
            compression_params=self._compression_params,
        )

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
        """Bind the default bucket; with `force_rebind`, parameters keep their values."""
        check(shared_module is None, "shared_module for BucketingModule is not supported")
        params = None
        if self.params_initialized:
            params = self.get_params() if self.binded else self._loaded_params()
        if force_rebind:
            self._reset_bind()
        if self.binded:
            self.logger.warning("Already bound, ignoring bind()")
            return
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self.binded = True
        self._grad_req = grad_req
        module = self._make(self._default_bucket_key)
        module.bind(
            data_shapes,
            label_shapes,
            for_training,
            inputs_need_grad,
            force_rebind=False,
            shared_module=None,
            grad_req=grad_req,
        )
        self._curr_module = module
        self._curr_bucket_key = self._default_bucket_key
        self._buckets[self._default_bucket_key] = module
        if params is not None:
            self.set_params(*params)

    def _loaded_params(self) -> Any:
        return self._curr_module._arg_params, self._curr_module._aux_params

    def switch_bucket(self, bucket_key: Any, data_shapes: Any, label_shapes: Any = None) -> None:
        """Make a bucket the current one; its module is made and bound at the first time."""
        check(self.binded, "call bind before switching bucket")
        if bucket_key not in self._buckets:
            module = self._make(bucket_key)
            module.bind(
                data_shapes,
                label_shapes,
                self._curr_module.for_training,
                self._curr_module.inputs_need_grad,
                force_rebind=False,
                shared_module=self._buckets[self._default_bucket_key],
                grad_req=self._grad_req,
            )
            if self._monitor is not None:
                module.install_monitor(self._monitor)
            self._buckets[bucket_key] = module
        self._curr_module = self._buckets[bucket_key]
        self._curr_bucket_key = bucket_key

    def prepare(self, data_batch: Any, sparse_row_id_fn: Callable[..., Any] | None = None) -> None:
        """Bind the batch's bucket if it is new; the current one stays."""
        self._check_ready()
        before = self._curr_bucket_key
        self.switch_bucket(data_batch.bucket_key, data_batch.provide_data, data_batch.provide_label)
        self._curr_module.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        self.switch_bucket(before, None, None)

    # optimizer -------------------------------------------------------------------------------

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Make the optimizer, which all buckets share."""
        self._check_ready()
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        self._curr_module.init_optimizer(
            kvstore, optimizer, optimizer_params, force_init=force_init
        )
        for module in self._buckets.values():
            if module is not self._curr_module:
                module.borrow_optimizer(self._curr_module)
        self.optimizer_initialized = True

    # steps -----------------------------------------------------------------------------------

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Switch to the batch's bucket and compute its outputs."""
        self._check_ready()
        self.switch_bucket(data_batch.bucket_key, data_batch.provide_data, data_batch.provide_label)
        if self.optimizer_initialized and not self._curr_module.optimizer_initialized:
            self._curr_module.borrow_optimizer(self._buckets[self._default_bucket_key])
        self._curr_module.forward(data_batch, is_train=is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Compute the gradients in the current bucket."""
        self._check_ready()
        self._curr_module.backward(out_grads=out_grads)

    def update(self) -> None:
        """Update the parameters, which all buckets share."""
        self._check_ready(optimizer=True)
        self._params_dirty = True
        self._curr_module.update()

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """The outputs of the last forward."""
        self._check_ready()
        return self._curr_module.get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """The gradients of the data."""
        self._check_ready()
        check(self.inputs_need_grad, "bind with inputs_need_grad=True to get gradients of data")
        return self._curr_module.get_input_grads(merge_multi_context=merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Add labels and outputs of the last batch to a metric."""
        self._check_ready()
        self._curr_module.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch all buckets, those to come included."""
        self._check_binded()
        self._monitor = mon
        for module in self._buckets.values():
            module.install_monitor(mon)

    # files -----------------------------------------------------------------------------------

    def save_checkpoint(self, prefix: str, epoch: int, remove_amp_cast: bool = False) -> None:
        """Write `prefix-KEY-symbol.json` of every bucket, `prefix-0001.params`, and the keys, which
        must be numbers, as `prefix.buckets`."""
        check(self._buckets, "empty BucketingModule cannot be saved; call bind first")
        for key, module in self._buckets.items():
            name = f"{prefix}-{key}-symbol.json"
            module.symbol.save(name, remove_amp_cast=remove_amp_cast)
        self.save_params(numbered(prefix, epoch, "params"))
        ndarray.save(f"{prefix}.buckets", ndarray.array(list(self._buckets), dtype=np.int32))

    @staticmethod
    def load(
        prefix: str,
        epoch: int,
        sym_gen: Callable[[Any], Any] | None = None,
        default_bucket_key: Any = None,
        **kwargs: Any,
    ) -> BucketingModule:
        """A module from what `save_checkpoint` wrote."""
        check(sym_gen is not None, "sym_gen is required for loading BucketingModule")
        check(
            default_bucket_key is not None,
            "default_bucket_key is required for loading BucketingModule",
        )
        keys = ndarray.load(f"{prefix}.buckets")[0].asnumpy().astype("int32").tolist()
        return BucketingModule.load_dict(
            {key: symbol.load(f"{prefix}-{key}-symbol.json") for key in keys},
            sym_gen,
            default_bucket_key,
            *load_params(prefix, epoch),
            **kwargs,
        )

    @staticmethod
    def load_dict(
        sym_dict: Mapping[Any, Any] | None = None,
        sym_gen: Callable[[Any], Any] | None = None,
        default_bucket_key: Any = None,
        arg_params: Any = None,
        aux_params: Any = None,
        **kwargs: Any,
    ) -> BucketingModule:
        """A module whose buckets have these symbols, with these parameters."""
        check(sym_dict is not None, "sym_dict of bucket keys to symbols is required")
        check(sym_gen is not None, "sym_gen is required for loading BucketingModule")
        check(
            default_bucket_key is not None,
            "default_bucket_key is required for loading BucketingModule",
        )
        check(arg_params is not None, "arg_params is required for loading BucketingModule")
        check(aux_params is not None, "aux_params is required for loading BucketingModule")
        known = dict(sym_dict or {})
        check(default_bucket_key in known, "default_bucket_key is not one of the buckets")

        def loaded(key: Any) -> Any:
            made = sym_gen(key)  # type: ignore[misc]  # checked above
            return (known.get(key, made[0]), *made[1:])

        assert sym_gen is not None
        module = BucketingModule(sym_gen, default_bucket_key, **kwargs)
        module._sym_gen = loaded
        module._curr_module = module._make(default_bucket_key)
        module._curr_module._arg_params = arg_params
        module._curr_module._aux_params = aux_params
        module.params_initialized = True
        return module
