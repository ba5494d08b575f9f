"""Executors on several contexts, as FeedForward trains with them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from typing import Any

from mxtorch import ndarray as nd
from mxtorch._core.errors import MXNetAssertionError, MXNetValueError
from mxtorch.context import cpu
from mxtorch.executor import Executor
from mxtorch.io import DataDesc
from mxtorch.ndarray import NDArray

__all__ = ["DataParallelExecutorGroup", "DataParallelExecutorManager"]

ndarray: Any = nd  # filled from the operator table


def _split_input_slice(batch_size: int, work_load_list: Sequence[float]) -> list[slice]:
    """The slice of a batch for each context, by its share of the work; the last takes the rest."""
    total = sum(work_load_list)
    counts = [round(load * batch_size / total) for load in work_load_list]
    counts[-1] += max(batch_size - sum(counts), 0)
    slices, end = [], 0
    for count in counts:
        begin, end = min(end, batch_size), min(end + count, batch_size)
        if begin >= end:
            raise MXNetValueError("Too many slices. Some splits are empty.")
        slices.append(slice(begin, end))
    return slices


def _check_arguments(symbol: Any) -> None:
    """ValueError if two arguments, or two auxiliary states, have one name."""
    for kind, names in (
        ("argument", symbol.list_arguments()),
        ("auxiliary param", symbol.list_auxiliary_states()),
    ):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise MXNetValueError(
                    f'Find duplicated {kind} name "{name}", please make the weight name '
                    f"non-duplicated(using name arguments), {kind}s are {names}"
                )
            seen.add(name)


def _load_general(data: Any, targets: Any) -> None:
    """Copy each array to its place, or its slices to theirs."""
    for source, places in zip(data, targets, strict=False):
        if isinstance(places, NDArray):
            places[:] = source
        else:
            for part, place in places:
                place[:] = source[part]


def _load_data(batch: Any, targets: Any) -> None:
    _load_general(batch.data, targets)


def _load_label(batch: Any, targets: Any) -> None:
    _load_general(batch.label, targets)


def _bind_exec(
    sym: Any,
    ctx: Any,
    input_shapes: Any,
    param_names: Sequence[str],
    need_grad: bool | Collection[str] = False,
    base_exec: Executor | None = None,
    shared_data_arrays: dict[str, NDArray] | None = None,
    input_types: Any = None,
    logger: Any = logging,
) -> Executor:
    """An executor whose parameters are those of `base_exec`, if given.

    `need_grad`: all parameters, none, or the names whose gradients are wanted.
    """
    names = sym.list_arguments()
    if need_grad is True:
        wanted: Collection[str] = set(names) - set(dict(input_shapes))
    else:
        wanted = need_grad or ()
    return sym.simple_bind(
        ctx,
        grad_req={name: "write" if name in wanted else "null" for name in names},
        type_dict=input_types,
        shared_arg_names=list(param_names),
        shared_exec=base_exec,
        shared_buffer=shared_data_arrays,
        **input_shapes,
    )


class DataParallelExecutorGroup:
    """Executors of one symbol, one for each context and slice of the batch."""

    def __init__(
        self,
        sym: Any,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        ctx: Sequence[Any],
        slices: Sequence[slice],
        train_data: Any,
        shared_group: DataParallelExecutorGroup | None = None,
    ) -> None:
        _check_arguments(sym)
        self.shared_data_arrays: list[dict[str, NDArray]] = (
            shared_group.shared_data_arrays if shared_group else [{} for _ in ctx]
        )
        self.data_names = [d[0] for d in train_data.provide_data]
        self.label_names = [d[0] for d in train_data.provide_label]
        self.aux_names = sym.list_auxiliary_states()
        self.param_idx = [i for i, name in enumerate(arg_names) if name in param_names]
        self.param_names = [arg_names[i] for i in self.param_idx]
        self.slices = slices
        described = [*train_data.provide_data, *train_data.provide_label]
        self.train_execs: list[Executor] = [
            _bind_exec(
                sym,
                context,
                {d[0]: (part.stop - part.start, *d[1][1:]) for d in described},
                self.param_names,
                need_grad=True,
                base_exec=shared_group.train_execs[i] if shared_group else None,
                shared_data_arrays=self.shared_data_arrays[i],
                input_types={d.name: d.dtype for d in described if isinstance(d, DataDesc)},
            )
            for i, (context, part) in enumerate(zip(ctx, slices, strict=True))
        ]
        execs = self.train_execs
        self.data_arrays = [self._sliced(name) for name in self.data_names]
        self.label_arrays = [self._sliced(name) for name in self.label_names]
        self.param_arrays = [[e.arg_arrays[i] for e in execs] for i in self.param_idx]
        self.grad_arrays = [[e.grad_dict[name] for e in execs] for name in self.param_names]
        self.aux_arrays = [[e.aux_dict[name] for e in execs] for name in self.aux_names]

    def _sliced(self, name: str) -> list[tuple[slice, NDArray]]:
        return [(self.slices[i], e.arg_dict[name]) for i, e in enumerate(self.train_execs)]

    def load_data_batch(self, data_batch: Any) -> None:
        """Copy data and labels into the executors."""
        _load_data(data_batch, self.data_arrays)
        _load_label(data_batch, self.label_arrays)

    def forward(self, is_train: bool = False) -> None:
        """Run all executors."""
        for executor in self.train_execs:
            executor.forward(is_train=is_train)

    def backward(self) -> None:
        """Run all executors backward."""
        for executor in self.train_execs:
            executor.backward()

    def update_metric(self, metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Add each context's labels and outputs; `pre_sliced` labels are lists over contexts."""
        for i, (executor, part) in enumerate(zip(self.train_execs, self.slices, strict=True)):
            own = labels[i] if pre_sliced else [label[part] for label in labels]
            metric.update(own, executor.outputs)


class DataParallelExecutorManager:
    """The executors of FeedForward: one group, or with `sym_gen` one for each bucket."""

    def __init__(
        self,
        symbol: Any,
        ctx: Sequence[Any],
        train_data: Any,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        aux_names: Sequence[str],
        work_load_list: Sequence[float] | None = None,
        logger: Any = None,
        sym_gen: Callable[[Any], Any] | None = None,
    ) -> None:
        (logger or logging).info("Start training with %s", str(list(ctx)))
        if work_load_list is None:
            work_load_list = [1] * len(ctx)
        if not isinstance(work_load_list, list) or len(work_load_list) != len(ctx):
            raise MXNetAssertionError("Invalid settings for work load. ")
        self.slices = _split_input_slice(train_data.batch_size, work_load_list)
        self.arg_names = arg_names
        self.param_names = param_names
        self.aux_names = aux_names
        self.ctx = ctx
        self.execgrp = self._group(symbol, train_data)
        self.symbol = symbol
        self.sym_gen = sym_gen
        self.curr_execgrp: DataParallelExecutorGroup | None = None
        if sym_gen is not None:
            self.execgrp_bucket = {train_data.default_bucket_key: self.execgrp}

    def _group(self, symbol: Any, data: Any, shared: Any = None) -> DataParallelExecutorGroup:
        return DataParallelExecutorGroup(
            symbol,
            symbol.list_arguments() if shared else self.arg_names,
            self.param_names,
            self.ctx,
            self.slices,
            data,
            shared_group=shared,
        )

    def install_monitor(self, monitor: Any) -> None:
        """Let a monitor watch all executors; MXNet has no monitoring of buckets."""
        if self.sym_gen is not None:
            raise NotImplementedError("Monitoring is not implemented for bucketing")
        for executor in self.execgrp.train_execs:
            monitor.install(executor)

    def set_params(self, arg_params: Any, aux_params: Any) -> None:
        """Copy parameters into all executors."""
        for executor in self.execgrp.train_execs:
            executor.copy_params_from(arg_params, aux_params)

    def copy_to(self, arg_params: Any, aux_params: Any) -> None:
        """Write the mean over contexts of each parameter and state into the given arrays."""
        for names, rows, targets in (
            (self.param_names, self.param_arrays, arg_params),
            (self.aux_names, self.aux_arrays, aux_params),
        ):
            for name, row in zip(names, rows, strict=True):
                mean = ndarray.add_n(*[array.copyto(cpu()) for array in row]) / len(row)
                targets[name][:] = mean.astype(targets[name].dtype)

    @property
    def param_arrays(self) -> Any:
        """Lists over contexts of the parameters; they are shared by all buckets."""
        return self.execgrp.param_arrays

    @property
    def grad_arrays(self) -> Any:
        """Lists over contexts of the gradients; they are shared by all buckets."""
        return self.execgrp.grad_arrays

    @property
    def aux_arrays(self) -> Any:
        """Lists over contexts of the auxiliary states; they are shared by all buckets."""
        return self.execgrp.aux_arrays

    def load_data_batch(self, data_batch: Any) -> None:
        """Copy a batch into the executors of its bucket, which are made when first needed."""
        self.curr_execgrp = self.execgrp
        if self.sym_gen is not None:
            key = data_batch.bucket_key
            if key not in self.execgrp_bucket:
                symbol = self.sym_gen(key)
                self.execgrp_bucket[key] = self._group(symbol, data_batch, self.execgrp)
            self.curr_execgrp = self.execgrp_bucket[key]
        self.curr_execgrp.load_data_batch(data_batch)

    def _current(self) -> DataParallelExecutorGroup:
        if self.curr_execgrp is None:
            raise MXNetAssertionError("load_data_batch comes first: there is no batch yet")
        return self.curr_execgrp

    def forward(self, is_train: bool = False) -> None:
        """Run the executors of the current bucket."""
        self._current().forward(is_train=is_train)

    def backward(self) -> None:
        """Run them backward."""
        self._current().backward()

    def update_metric(self, metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Add the current labels and outputs to a metric."""
        self._current().update_metric(metric, labels, pre_sliced)
