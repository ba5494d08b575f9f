"""SequentialModule: modules whose outputs are the next one's data."""

from __future__ import annotations

import copy
import logging
from typing import Any

from mxtorch.io import DataBatch
from mxtorch.module.base_module import SMALL, BaseModule, check
from mxtorch.ndarray import NDArray

__all__ = ["SequentialModule"]


class SequentialModule(BaseModule):
    """A chain of modules: `add(module, take_labels=True)`.

    `take_labels`: the module gets the labels. `auto_wiring`: it gets the outputs of the one before
    under its own names, by position.
    """

    META_TAKE_LABELS = "take_labels"
    META_AUTO_WIRING = "auto_wiring"

    def __init__(self, logger: Any = logging) -> None:
        super().__init__(logger=logger)
        self._modules: list[BaseModule] = []
        self._metas: list[dict[str, Any]] = []
        self._label_shapes: Any = None
        self._data_shapes: Any = None
        self._meta_keys = {self.META_TAKE_LABELS, self.META_AUTO_WIRING}

    def add(self, module: BaseModule, **kwargs: Any) -> SequentialModule:
        """Append a module; returns the chain, so that calls can be chained."""
        self._modules.append(module)
        for key in kwargs:
            check(key in self._meta_keys, f'Unknown meta "{key}", a typo?')
        self._metas.append(kwargs)
        # another chain has other shapes and parameters
        self.binded = False
        self.params_initialized = False
        self.optimizer_initialized = False
        return self

    def _takes_labels(self, position: int) -> bool:
        return bool(self._metas[position].get(self.META_TAKE_LABELS))

    def _check_binded(self) -> None:
        check(self.binded, "call bind first: the modules have no arrays yet")

    @property
    def data_names(self) -> Any:
        """The names of the first module's data."""
        return self._modules[0].data_names if self._modules else []

    @property
    def output_names(self) -> Any:
        """The names of the last module's outputs."""
        return self._modules[-1].output_names if self._modules else []

    @property
    def data_shapes(self) -> Any:
        """The descriptions of the first module's data."""
        self._check_binded()
        return self._modules[0].data_shapes

    @property
    def label_shapes(self) -> Any:
        """The descriptions of the labels; None if no module takes them."""
        self._check_binded()
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """Pairs (name, shape) of the last module's outputs."""
        self._check_binded()
        return self._modules[-1].output_shapes

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """The parameters of all modules: (arguments, auxiliary states) by name."""
        self._check_ready()
        arguments: dict[str, NDArray] = {}
        states: dict[str, NDArray] = {}
        for module in self._modules:
            own_arguments, own_states = module.get_params()
            arguments.update(own_arguments)
            states.update(own_states)
        return arguments, states

    def init_params(
        self,
        initializer: Any = SMALL,
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Initialize all modules; no two may have a parameter of one name."""
        if self.params_initialized and not force_init:
            return
        check(self.binded, "call bind before initializing the parameters")
        for module in self._modules:
            module.init_params(
                initializer=initializer,
                arg_params=arg_params,
                aux_params=aux_params,
                allow_missing=allow_missing,
                force_init=force_init,
                allow_extra=allow_extra,
            )
        self._refuse_duplicates()
        self.params_initialized = True

    def _refuse_duplicates(self) -> None:
        owners: tuple[dict[str, int], dict[str, int]] = {}, {}
        for position, module in enumerate(self._modules):
            for known, params in zip(owners, module.get_params(), strict=True):
                for name in params:
                    check(
                        name not in known,
                        f'Duplicated parameter names: name "{name}" in layer {position} '
                        f"({type(module)}) is already used in layer {known.get(name)}",
                    )
                    known[name] = position

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
        """Bind the modules one after the other, each for the shapes that the one before gives."""
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        if inputs_need_grad:
            check(for_training, "inputs_need_grad needs for_training=True")
        check(shared_module is None, "Shared module is not supported")
        check(self._modules, "Attempting to bind an empty SequentialModule")
        self.binded = True
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self._data_shapes = data_shapes
        shapes, labels_used = data_shapes, False
        for position, module in enumerate(self._modules):
            labels = None
            if self._takes_labels(position):
                labels, labels_used = label_shapes, True
            if self._metas[position].get(self.META_AUTO_WIRING):
                names = module.data_names
                check(
                    len(names) == len(shapes),
                    f"auto_wiring: module {position} takes {len(names)} inputs, {len(shapes)} come",
                )
                shapes = [(name, pair[1]) for name, pair in zip(names, shapes, strict=True)]
            module.bind(
                data_shapes=shapes,
                label_shapes=labels,
                for_training=for_training,
                inputs_need_grad=bool(inputs_need_grad or (for_training and position > 0)),
                force_rebind=force_rebind,
                shared_module=None,
                grad_req=grad_req,
            )
            shapes = module.output_shapes
        self._label_shapes = label_shapes if labels_used else None

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Make an optimizer for each module."""
        self._check_ready()
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring.")
            return
        for module in self._modules:
            module.init_optimizer(
                kvstore=kvstore,
                optimizer=optimizer,
                optimizer_params=optimizer_params,
                force_init=force_init,
            )
        self.optimizer_initialized = True

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Run the modules one after the other."""
        self._check_ready()
        # a batch of its own, for its data change from module to module
        batch = copy.copy(data_batch)
        for position, module in enumerate(self._modules):
            module.forward(batch, is_train=is_train)
            if position + 1 == len(self._modules):
                break
            outputs = module.get_outputs()
            batch = DataBatch(
                data=outputs,
                label=data_batch.label,
                pad=data_batch.pad,
                index=data_batch.index,
                bucket_key=data_batch.bucket_key,
                provide_label=data_batch.provide_label,
                provide_data=[
                    (pair[0], array.shape)
                    for pair, array in zip(module.output_shapes, outputs, strict=True)
                ],
            )

    def backward(self, out_grads: Any = None) -> None:
        """Run the modules backward, the last one first."""
        self._check_ready()
        for position in reversed(range(len(self._modules))):
            module = self._modules[position]
            module.backward(out_grads=out_grads)
            if position:
                out_grads = module.get_input_grads()

    def update(self) -> None:
        """Update the parameters of all modules."""
        self._check_ready(optimizer=True)
        for module in self._modules:
            module.update()

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """The outputs of the last module."""
        self._check_ready()
        return self._modules[-1].get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """The gradients of the first module's data."""
        self._check_ready()
        check(self.inputs_need_grad, "bind with inputs_need_grad=True to get gradients of data")
        return self._modules[0].get_input_grads(merge_multi_context=merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Let the modules that take labels add to a metric."""
        self._check_ready()
        for position, module in enumerate(self._modules):
            if self._takes_labels(position):
                module.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch all modules."""
        self._check_binded()
        for module in self._modules:
            module.install_monitor(mon)
