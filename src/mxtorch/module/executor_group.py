"""An executor for each context, and how a batch is split over them."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from mxtorch import ndarray as nd
from mxtorch._core.errors import MXNetAssertionError, MXNetError, MXNetValueError
from mxtorch.context import cpu
from mxtorch.executor import Executor
from mxtorch.executor_manager import _split_input_slice
from mxtorch.io import DataDesc
from mxtorch.ndarray import NDArray

__all__ = ["DataParallelExecutorGroup"]

ndarray: Any = nd  # filled from the operator table


def _load_general(data: Any, targets: Any, major_axis: Sequence[int]) -> None:
    """Copy arrays to their places: a whole array, an array a context, or the slices of one."""
    for source, places, axis in zip(data, targets, major_axis, strict=False):
        if isinstance(places, NDArray):
            places[:] = source
        elif isinstance(source, (list, tuple)):
            for part, place in zip(source, places, strict=True):
                place[:] = part
        else:
            for part, place in places:
                place[:] = _part(source, axis, part, place)


def _part(source: Any, axis: int, part: slice, place: NDArray) -> Any:
    """The slice of `source` along `axis` for one context; all of it without a batch axis."""
    if axis < 0 or source.shape == place.shape:
        return source
    if axis == 0:
        return source[part]
    return ndarray.slice_axis(source, axis=axis, begin=part.start, end=part.stop)


def _load_data(batch: Any, targets: Any, major_axis: Sequence[int]) -> None:
    _load_batch(batch, "data", targets, major_axis)


def _load_label(batch: Any, targets: Any, major_axis: Sequence[int]) -> None:
    _load_batch(batch, "label", targets, major_axis)


def _load_batch(batch: Any, what: str, targets: Any, major_axis: Sequence[int]) -> None:
    """Load a batch, or a list of batches: one for each context."""
    if isinstance(batch, list):
        columns = list(zip(*(getattr(b, what) for b in batch), strict=True))
        targets = [[place for _, place in places] for places in targets]
        _load_general([list(column) for column in columns], targets, major_axis)
    else:
        _load_general(getattr(batch, what), targets, major_axis)


def _merge_multi_context(outputs: Sequence[Any], major_axis: Sequence[int]) -> list[NDArray]:
    """The arrays of each output joined along its batch axis; the first one if it has none."""
    merged = []
    for parts, axis in zip(outputs, major_axis, strict=True):
        if axis < 0 or len(parts) == 1:
            merged.append(parts[0])
        else:
            moved = [part.as_in_context(parts[0].context) for part in parts]
            merged.append(ndarray.concat(*moved, dim=axis))
    return merged


def _prepare_group2ctxs(group2ctxs: Any, ctx_len: int) -> list[Any]:
    """One mapping of groups to contexts for each context."""
    if group2ctxs is None:
        return [None] * ctx_len
    if isinstance(group2ctxs, list):
        if len(group2ctxs) != ctx_len:
            raise MXNetAssertionError(
                f"length of group2ctxs should be {ctx_len}, not {len(group2ctxs)}"
            )
        return group2ctxs
    if not isinstance(group2ctxs, Mapping):
        raise MXNetAssertionError(
            "group2ctxs should be either dict of str to context, or list of context or list of "
            "dict of str to context"
        )
    result: list[dict[str, Any]] = [{} for _ in range(ctx_len)]
    for group, contexts in group2ctxs.items():
        many = contexts if isinstance(contexts, (list, tuple)) else [contexts]
        if len(many) == 1:
            many = list(many) * ctx_len
        if len(many) != ctx_len:
            raise MXNetAssertionError(
                f"length of group2ctxs[{group}] should be {ctx_len} or 1, not {len(many)}"
            )
        for own, context in zip(result, many, strict=True):
            own[group] = context
    return result


class DataParallelExecutorGroup:
    """Executors of one symbol on several contexts, each for its slice of the batch.

    `param_arrays`, `grad_arrays` and `aux_arrays` are lists over names of lists over contexts;
    `data_arrays` and `label_arrays` hold pairs (slice, array) instead.
    """

    def __init__(
        self,
        symbol: Any,
        contexts: Sequence[Any],
        workload: Sequence[float],
        data_shapes: Any,
        label_shapes: Any,
        param_names: Sequence[str],
        for_training: bool,
        inputs_need_grad: bool,
        shared_group: DataParallelExecutorGroup | None = None,
        logger: Any = logging,
        fixed_param_names: Sequence[str] | None = None,
        grad_req: Any = "write",
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
    ) -> None:
        self.param_names = param_names
        self.arg_names = symbol.list_arguments()
        self.aux_names = symbol.list_auxiliary_states()
        self.symbol = symbol
        self.contexts = contexts
        self.workload = workload
        self.group2ctxs = _prepare_group2ctxs(group2ctxs, len(contexts))
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self.logger = logger
        self._total_exec_bytes = 0
        self.fixed_param_names = fixed_param_names or []
        self.state_names = state_names or []
        self.grad_req = self._requests(grad_req, [d[0] for d in data_shapes])
        # memory of inputs, which groups that share it use too
        self.shared_data_arrays: list[dict[str, NDArray]] = (
            shared_group.shared_data_arrays if shared_group else [{} for _ in contexts]
        )
        self.output_names = symbol.list_outputs()
        self.num_outputs = len(self.output_names)
        self.output_layouts = [
            DataDesc.get_batch_axis(symbol[name].attr("__layout__")) for name in self.output_names
        ]
        self.batch_size: int | None = None
        self.slices: list[slice] = []
        self.execs: list[Executor] = []
        self._default_execs: list[Executor] | None = None
        self.label_layouts: list[int] | None = None
        self.data_shapes: Any = None
        self.label_shapes: Any = None
        self.bind_exec(data_shapes, label_shapes, shared_group)

    def _requests(self, grad_req: Any, data_names: Sequence[str]) -> dict[str, str]:
        """The request of each argument: parameters train, data only if their gradient is asked.

        A list says it of every argument, a dict of those that it names.
        """
        if not self.for_training:
            grad_req = "null"
        if isinstance(grad_req, (list, tuple)):
            if len(grad_req) != len(self.arg_names):
                raise MXNetAssertionError(
                    f"grad_req has {len(grad_req)} entries, the symbol {len(self.arg_names)} "
                    "arguments"
                )
            return dict(zip(self.arg_names, grad_req, strict=True))
        if not isinstance(grad_req, (str, Mapping)):
            raise MXNetValueError("grad_req must be one of str, list, tuple, or dict.")
        request = grad_req if isinstance(grad_req, str) else "write"
        requests = {}
        for name in self.arg_names:
            trains = name in self.param_names and name not in self.fixed_param_names
            wanted = trains or (name in data_names and self.inputs_need_grad)
            requests[name] = request if wanted else "null"
        if isinstance(grad_req, Mapping):
            requests.update(grad_req)
        return requests

    # binding ---------------------------------------------------------------------------------

    def decide_slices(self, data_shapes: Sequence[DataDesc]) -> list[int]:
        """Split the batch over the contexts; the batch axis of each input (-1: none)."""
        axes = [DataDesc.get_batch_axis(desc.layout) for desc in data_shapes]
        for desc, axis in zip(data_shapes, axes, strict=True):
            if axis == -1:
                continue
            size = desc.shape[axis]
            if self.batch_size is not None and size != self.batch_size:
                raise MXNetAssertionError(
                    f"all data must have the same batch size: batch_size = {self.batch_size}, but "
                    f"{desc.name} has shape {desc.shape}"
                )
            self.batch_size = size
            self.slices = _split_input_slice(size, self.workload)
        return axes

    def bind_exec(
        self,
        data_shapes: Any,
        label_shapes: Any,
        shared_group: DataParallelExecutorGroup | None = None,
        reshape: bool = False,
    ) -> None:
        """Bind executors for these shapes, or `reshape` those there are."""
        self.batch_size = None
        self.data_layouts = self.decide_slices(data_shapes)
        if label_shapes is not None:
            self.label_layouts = self.decide_slices(label_shapes)
        made = []
        for i, context in enumerate(self.contexts):
            data = self._sliced_shape(data_shapes, i, self.data_layouts)
            labels = None
            if label_shapes is not None:
                labels = self._sliced_shape(label_shapes, i, self.label_layouts or [])
            if reshape:
                assert self._default_execs is not None
                shapes = {d.name: d.shape for d in [*data, *(labels or [])]}
                made.append(self._default_execs[i].reshape(allow_up_sizing=True, **shapes))
            else:
                made.append(self._bind_ith_exec(i, context, data, labels, shared_group))
        self.execs = made if reshape else [*self.execs, *made]
        self.data_shapes, self.label_shapes = data_shapes, label_shapes
        self.data_names = [d.name for d in data_shapes]
        self.label_names = None if label_shapes is None else [d.name for d in label_shapes]
        self._collect_arrays()

    def reshape(self, data_shapes: Any, label_shapes: Any) -> None:
        """Bind again for other shapes, over the same parameters."""
        if data_shapes == self.data_shapes and label_shapes == self.label_shapes:
            return
        if self._default_execs is None:
            self._default_execs = list(self.execs)
        before = self.batch_size, self.slices, self.data_layouts, self.label_layouts
        try:
            self.bind_exec(data_shapes, label_shapes, reshape=True)
        except MXNetError:  # what does not fit leaves the group as it was
            self.batch_size, self.slices, self.data_layouts, self.label_layouts = before
            raise

    def _sliced_shape(
        self, shapes: Sequence[DataDesc], i: int, major_axis: Sequence[int]
    ) -> list[DataDesc]:
        """The descriptions of what the i-th context gets."""
        sliced = []
        for desc, axis in zip(shapes, major_axis, strict=True):
            shape = list(desc.shape)
            if axis >= 0:
                shape[axis] = self.slices[i].stop - self.slices[i].start
            sliced.append(DataDesc(desc.name, tuple(shape), desc.dtype, desc.layout))
        return sliced

    def _bind_ith_exec(
        self,
        i: int,
        context: Any,
        data_shapes: Sequence[DataDesc],
        label_shapes: Sequence[DataDesc] | None,
        shared_group: DataParallelExecutorGroup | None,
    ) -> Executor:
        inputs = [*data_shapes, *(label_shapes or [])]
        return self.symbol.simple_bind(
            ctx=context,
            grad_req=self.grad_req,
            type_dict={d.name: d.dtype for d in inputs},
            shared_arg_names=self.param_names,
            shared_exec=shared_group.execs[i] if shared_group else None,
            group2ctx=self.group2ctxs[i],
            shared_buffer=self.shared_data_arrays[i],
            **{d.name: d.shape for d in inputs},
        )

    def _collect_arrays(self) -> None:
        """Gather the executors' arrays by kind."""
        self.data_arrays = self._sliced_arrays(self.data_names)
        self.label_arrays = self.label_names and self._sliced_arrays(
            [name for name in self.label_names if name in self.arg_names]
        )
        if self.label_shapes is None:
            self.label_arrays = None
        order = [name for name in self.arg_names if name in self.param_names]
        self.param_arrays = [[e.arg_dict[name] for e in self.execs] for name in order]
        self.state_arrays = [[e.arg_dict[name] for e in self.execs] for name in self.state_names]
        self.grad_arrays = None
        self.input_grad_arrays = None
        if self.for_training:
            self.grad_arrays = [[e.grad_dict[name] for e in self.execs] for name in order]
        if self.inputs_need_grad:
            self.input_grad_arrays = [
                [e.grad_dict[name] for e in self.execs]
                for name in self.data_names
                if name in self.arg_names
            ]
        self.aux_arrays = [[e.aux_dict[name] for e in self.execs] for name in self.aux_names]

    def _sliced_arrays(self, names: Sequence[str]) -> list[list[tuple[slice, NDArray]]]:
        return [
            [(self.slices[i], e.arg_dict[name]) for i, e in enumerate(self.execs)] for name in names
        ]

    # parameters ------------------------------------------------------------------------------

    def set_params(
        self,
        arg_params: Mapping[str, NDArray],
        aux_params: Mapping[str, NDArray],
        allow_extra: bool = False,
    ) -> None:
        """Copy parameters into all executors."""
        for executor in self.execs:
            executor.copy_params_from(arg_params, aux_params, allow_extra_params=allow_extra)

    def get_params(self, arg_params: dict[str, NDArray], aux_params: dict[str, NDArray]) -> None:
        """Write the mean over contexts of each parameter and state into the given arrays."""
        for names, rows, targets in (
            (self.param_names, self.param_arrays, arg_params),
            (self.aux_names, self.aux_arrays, aux_params),
        ):
            for name, row in zip(names, rows, strict=True):
                total: Any = row[0].copyto(cpu())
                for other in row[1:]:
                    total += other.copyto(cpu())
                mean = total / len(row) if len(row) > 1 else total
                targets[name][:] = mean.astype(targets[name].dtype)

    # steps -----------------------------------------------------------------------------------

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Load a batch and run all executors; for training if the group is, unless told."""
        _load_data(data_batch, self.data_arrays, self.data_layouts)
        if is_train is None:
            is_train = self.for_training
        first = data_batch[0] if isinstance(data_batch, list) else data_batch
        if self.label_arrays is not None and first.label:
            _load_label(data_batch, self.label_arrays, self.label_layouts or [])
        for executor in self.execs:
            executor.forward(is_train=is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Run all executors backward; `out_grads` are for the whole batch."""
        if not self.for_training:
            raise MXNetAssertionError("re-bind with for_training=True to run backward")
        if out_grads is None:
            out_grads = []
        elif isinstance(out_grads, NDArray):
            out_grads = [out_grads]
        for executor, part in zip(self.execs, self.slices, strict=True):
            own = []
            for i, (grad, axis) in enumerate(zip(out_grads, self.output_layouts, strict=False)):
                piece = _part(grad, axis, part, executor.outputs[i])
                own.append(piece.as_in_context(executor.outputs[i].context))
            executor.backward(out_grads=own)

    def get_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Pairs (name, shape) of the outputs, for the whole batch."""
        pairs = []
        outputs = self.execs[0].outputs
        for name, out, axis in zip(self.output_names, outputs, self.output_layouts, strict=True):
            shape: list[Any] = list(out.shape)
            if axis >= 0:
                shape[axis] = self.batch_size
            pairs.append((name, tuple(shape)))
        return pairs

    def get_outputs(
        self, merge_multi_context: bool = True, begin: int = 0, end: int | None = None
    ) -> Any:
        """The outputs from `begin` to before `end`; unmerged, a list over contexts for each."""
        end = self.num_outputs if end is None else end
        rows = [[e.outputs[i] for e in self.execs] for i in range(begin, end)]
        if merge_multi_context:
            return _merge_multi_context(rows, self.output_layouts[begin:end])
        return rows

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """The gradients of the data."""
        if not self.inputs_need_grad:
            raise MXNetAssertionError("get_input_grads: bind with inputs_need_grad=True")
        assert self.input_grad_arrays is not None
        if merge_multi_context:
            return _merge_multi_context(self.input_grad_arrays, self.data_layouts)
        return self.input_grad_arrays

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """The states, a list over contexts for each."""
        if merge_multi_context:
            raise MXNetAssertionError(
                "merge_multi_context=True is not supported for get_states yet."
            )
        return self.state_arrays

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states to arrays (as `get_states` gives them), or all to one number."""
        if states is not None:
            if value is not None:
                raise MXNetAssertionError("Only one of states & value can be specified.")
            _load_general(states, self.state_arrays, (0,) * len(states))
            return
        if value is None:
            raise MXNetAssertionError("At least one of states & value must be specified.")
        for row in self.state_arrays:
            for array in row:
                array[:] = value

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool) -> None:
        """Add each context's labels and outputs; `pre_sliced` labels are lists over contexts."""
        for i, (executor, part) in enumerate(zip(self.execs, self.slices, strict=True)):
            if pre_sliced:
                own = labels[i]
            else:
                size = part.stop - part.start
                own = [
                    label
                    if axis < 0 or label.shape[axis] == size == self.batch_size
                    else ndarray.slice_axis(label, axis=axis, begin=part.start, end=part.stop)
                    for label, axis in zip(labels, self.label_layouts or [], strict=True)
                ]
            eval_metric.update_dict(
                OrderedDict(zip(self.label_names or [], own, strict=False)),
                OrderedDict(zip(self.output_names, executor.outputs, strict=True)),
            )

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch all executors."""
        for executor in self.execs:
            mon.install(executor)
