"""KVStore: arrays by key, summed over the contexts of a process and, in `dist_*` stores, over the
processes of the group.

There is no server: each process keeps the values, adds up what all have pushed, and updates with
an optimizer of its own, so that all go on with the same values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from mxtorch._core import joint
from mxtorch._core.atomic import atomic_write
from mxtorch._core.callbacks import notify
from mxtorch._core.device import Context, context_to_device
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetError,
    MXNetIndexError,
    MXNetShapeError,
    NotAnArrayError,
    NotSupportedError,
)
from mxtorch._core.op import find_op
from mxtorch._core.storage import Rows
from mxtorch._core.warn import note
from mxtorch._dist import collectives
from mxtorch._dist.compress import TwoBit
from mxtorch._dist.group import Group, join
from mxtorch._front.eager import make_function
from mxtorch._front.handle import is_sparse, wrap_new
from mxtorch._ops.sparse_update import put_rows, rows_at
from mxtorch.kvstore._early import EarlySums, begin_together
from mxtorch.kvstore._sums import sum_compressed, sum_contexts, sum_sparse
from mxtorch.kvstore.base import KVStoreBase, create
from mxtorch.ndarray import NDArray
from mxtorch.optimizer import Optimizer, Updater, get_updater

__all__ = ["KVStore", "create"]

Key = int | str
_add_n = make_function(find_op("add_n"), NDArray)


@KVStoreBase.register
class KVStore(KVStoreBase):
    """Values by key. A push replaces the value by the sum of what is pushed or, with an optimizer,
    updates it with that; a pull copies it out.
    """

    takes_lists = True

    def __init__(self, name: str = "local") -> None:
        self._type = name
        self._values: dict[Key, NDArray] = {}
        self._places: dict[Key, int] = {}
        self._updater: Callable[..., Any] | None = None
        self._compression: TwoBit | None = None
        self._early: dict[tuple[Key, ...], EarlySums] = {}
        # what was pushed first to keys that are pushed together
        self._pushed: dict[tuple[Key, ...], dict[str, str]] = {}
        self._group = Group()
        if "dist" in name:
            self._group = join(f"kvstore {name!r}")
        if "async" in name:
            note(f"{name}: workers are synchronous here: each push is the sum over all of them")

    @property
    def type(self) -> str:
        """The name the store was made with."""
        return self._type

    @property
    def rank(self) -> int:
        """The number of this worker; 0 unless the store is a `dist_*` one."""
        return self._group.rank

    @property
    def num_workers(self) -> int:
        """The number of workers; 1 unless the store is a `dist_*` one."""
        return self._group.size

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Capable of 'optimizer'; ValueError for anything else."""
        if capability.lower() == KVStoreBase.OPTIMIZER:
            return True
        raise ValueError(f"Unknown capability: {capability}")

    def init(self, key: Any, value: Any) -> None:
        """Enter values under new keys; in a `dist_*` store those of rank 0."""
        new: dict[Key, NDArray] = {}
        for each, values in _pairs(key, value):
            known = next(iter(self._values or new), each)
            if not isinstance(known, type(each)):
                raise MXNetError("kvstore: mixed key types (int and str) are not allowed")
            if each in self._values or each in new or len(values) > 1:
                raise MXNetError(f"kvstore: duplicate init of key {each}")
            new[each] = _kept(values[0])
        self._share(new)
        self._values.update(new)
        self._places.update((each, place) for place, each in enumerate(new, len(self._places)))

    def _share(self, new: dict[Key, NDArray]) -> None:
        """Give every process the values of rank 0."""
        if self._group.size == 1:
            return
        self._group.check_same(
            "kvstore: parameters",
            {str(key): f"{a.stype} {a.dtype.__name__} {a.shape}" for key, a in new.items()},
            "Every process must build the same net.",
        )
        dense = [a.storage() for a in new.values() if not is_sparse(a)]
        collectives.broadcast(self._group, dense)
        for array in new.values():
            if is_sparse(array):
                value: Any = array.stored()
                indices = collectives.all_gather(self._group, value.indices)[0]
                data = collectives.all_gather(self._group, value.data)[0]
                array.receive(Rows(array.shape, indices, data))

    def push(self, key: Any, value: Any, priority: int = 0) -> None:
        """Give values, one for each context, to keys; several keys at once are faster.

        What is pushed to one key, by all workers, is added up.
        """
        if self._updater is None and "async" in self._type:
            raise MXNetError(f"{self._type}: Updater needs to be set for async mode: set_optimizer")
        joint.flush()
        rows: dict[Key, list[NDArray]] = {}
        for each, values in _pairs(key, value):
            rows.setdefault(each, []).extend(values)
        rows = {each: rows[each] for each in sorted(rows, key=self._place) if rows[each]}
        self._check_push(rows)
        by_rows = {each for each, values in rows.items() if any(map(is_sparse, values))}
        for each in [each for each in rows if each in by_rows]:
            self._push_sparse(each, rows.pop(each))
        totals: dict[Key, NDArray] = {}
        for contexts in sorted({len(values) for values in rows.values()}):
            part = {k: values for k, values in rows.items() if len(values) == contexts}
            totals.update(zip(part, self._merge(list(part), list(part.values())), strict=True))
        if totals:
            self._apply({each: totals[each] for each in rows})

    def _place(self, key: Key) -> int:
        """Keys of a push are updated in this order: numbers by size, names as they were entered."""
        self._get(key)
        return key if isinstance(key, int) else self._places[key]

    def _check_push(self, rows: dict[Key, list[NDArray]]) -> None:
        """Refuse values that cannot be summed: other keys or shapes than other workers push, and
        after the first push of these keys other shapes than then.
        """
        for each, values in rows.items():
            _check_alike(each, values)
        if self._group.size == 1:
            return
        keys = tuple(rows)
        new = {str(k): f"{v[0].stype} {v[0].dtype.__name__} {v[0].shape}" for k, v in rows.items()}
        first = self._pushed.get(keys)
        if first is None:
            advice = "Every process must push gradients of the same parameters, in the same order."
            self._group.check_same("kvstore: push", new, advice)
            self._pushed[keys] = new
        elif first != new:  # other processes would wait for what does not fit
            key = next(key for key in new if new[key] != first[key])
            raise MXNetError(
                f"kvstore: push: key {key} was given {first[key]} before and {new[key]} now; over "
                "several processes it must stay the same"
            )

    def _apply(self, totals: dict[Key, NDArray]) -> None:
        """Make sums the values of their keys, or update those with them."""
        if self._updater is None:
            self._values.update(totals)
            return
        for key, total in totals.items():
            if self._values[key].shape != total.shape:
                raise MXNetShapeError(
                    f"kvstore: a value of shape {total.shape} was pushed to a key of shape "
                    f"{self._values[key].shape}"
                )
        pairs = [self._brought_together(*pair) for pair in totals.items()]
        if isinstance(self._updater, Updater):
            self._updater(list(totals), [total for total, _ in pairs], [old for _, old in pairs])
        else:
            for key, pair in zip(totals, pairs, strict=True):
                self._call_updater(key, *pair)

    def _call_updater(self, key: Key, total: NDArray, old: NDArray) -> None:
        """Update one value; MXNet 1.9.1 gives names to a program's own updater as bytes."""
        assert self._updater is not None
        if isinstance(self._updater, Updater):
            self._updater(key, total, old)
        else:
            notify(self._updater, key.encode() if isinstance(key, str) else key, total, old)

    def _merge(self, keys: list[Key], rows: list[list[NDArray]]) -> list[NDArray]:
        """The sum of what is pushed to each key.

        In one process a value that is alone is its own sum: that very array, as in MXNet.
        """
        if self._group.size == 1 and self._compression is None and len(rows[0]) == 1:
            return [row[0] for row in rows]
        totals = []
        for key, row, total in zip(keys, rows, self._sum(keys, rows), strict=True):
            old = self._values[key]
            on_devices = self._group.size == 1 and "device" in self._type
            here = on_devices or old.storage().device != total.device
            totals.append(wrap_new(NDArray, total, row[0].context if here else old.context))
        return totals

    def _brought_together(self, key: Key, total: NDArray) -> tuple[NDArray, NDArray]:
        """A sum and the value of its key on one device: a value follows its sums to a GPU."""
        old = self._values[key]
        if total.storage().device == old.storage().device:
            return total, old
        if old.context.device_type == "gpu":
            return total.as_in_context(old.context), old
        self._values[key] = old.as_in_context(total.context)
        return total, self._values[key]

    def _sum(self, keys: list[Key], rows: list[list[NDArray]]) -> list[Tensor]:
        columns = [[array.storage() for array in column] for column in zip(*rows, strict=True)]
        if self._compression is not None:
            return sum_compressed(self._compression, keys, columns, self._group)
        if tuple(keys) in self._early and len(columns) == 1:
            return self._sum_early(tuple(keys), columns[0])
        totals = sum_contexts(columns)
        collectives.all_reduce(self._group, totals)
        return totals

    def _sum_early(self, keys: tuple[Key, ...], gradients: list[Tensor]) -> list[Tensor]:
        totals, goes_on = self._early[keys].take(gradients)
        if not goes_on:
            self._early.pop(keys).end()
        # with an updater they are used at once; values must outlast the next backward
        return totals if self._updater is not None else [total.clone() for total in totals]

    def _begin_early(self, keys: list[Key], arrays: list[NDArray]) -> None:
        """From now on sum the gradients of arrays, which are pushed to `keys` together, while
        backward computes them; if that suits all processes, each of which calls this.
        """
        sums = None if self._compression is not None else begin_together(self._group, arrays)
        if sums is not None:
            self._early[tuple(keys)] = sums

    def _end_early(self) -> None:
        """No longer."""
        for sums in self._early.values():
            sums.end()
        self._early.clear()

    def _push_sparse(self, key: Key, arrays: list[NDArray]) -> None:
        """A push of row_sparse arrays: their sum is row_sparse too."""
        old = self._get(key)
        total = _add_n(*(array.as_in_context(old.context) for array in arrays))
        if old.shape != total.shape:
            raise MXNetShapeError(
                f"kvstore: a value of shape {total.shape} was pushed to a key of shape {old.shape}"
            )
        if self._group.size > 1:
            if self._compression is not None:
                raise MXNetError("kvstore: row_sparse gradients cannot be compressed; leave it out")
            value: Any = total.stored()
            total.receive(sum_sparse(self._group, value))
        if self._updater is not None:
            self._call_updater(key, total, old)
        elif is_sparse(old) and self.type.startswith("dist"):  # a server keeps the other rows
            rows: Any = total.stored()
            kept: Any = old.stored()
            put_rows(kept, rows.indices, rows.data)
            old.receive(kept)
        elif is_sparse(old):
            self._values[key] = total
        else:
            old.receive(total.value())

    def pull(
        self, key: Any, out: Any = None, priority: int = 0, ignore_sparse: bool = True
    ) -> None:
        """Copy values into the arrays of `out`: one array, or one for each context, a key.

        With `ignore_sparse` row_sparse arrays of `out` are left as they are: `row_sparse_pull`.
        """
        assert out is not None
        targets: list[Tensor] = []
        sources: list[Tensor] = []
        for each, arrays in _pairs(key, out):
            stored = self._get(each)
            for array in arrays:
                if array.shape != stored.shape:
                    raise MXNetShapeError(
                        f"kvstore: key {each} has shape {stored.shape}, out {array.shape}"
                    )
                if not is_sparse(array):
                    targets.append(array.write_storage())
                    sources.append(stored.storage())
                elif not ignore_sparse:
                    array.receive(stored.stored())
        if targets:
            torch._foreach_copy_(targets, sources)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Push values and pull the results into `out`, or into the values themselves."""
        self.push(key, value)
        self.pull(key, value if out is None else out, ignore_sparse=False)

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Enter values under new keys and copy them to `out`."""
        self.init(key, value)
        self.pull(key, out=out, ignore_sparse=False)

    def row_sparse_pull(
        self, key: Any, out: Any = None, priority: int = 0, row_ids: Any = None
    ) -> None:
        """Copy the rows `row_ids` of values into the row_sparse arrays of `out`, and only them.

        `row_ids` is one array for all of `out`, or as many as there are in `out`.
        """
        assert out is not None
        assert row_ids is not None
        pairs = [(each, array) for each, arrays in _pairs(key, out) for array in arrays]
        wanted = _flat(row_ids)
        if len(wanted) == 1:
            wanted = wanted * len(pairs)
        assert len(wanted) == len(pairs), f"{len(pairs)} arrays came with {len(wanted)} row_ids"
        for (each, array), ids in zip(pairs, wanted, strict=True):
            if array.stype != "row_sparse":
                raise MXNetError(
                    "Expected row_sparse storage type for row_sparse_pull values, but detected "
                    f"storage type {array.stype}"
                )
            stored = self._get(each)
            if stored.stype != "row_sparse":
                raise MXNetError(f"kvstore: key {each} is {stored.stype}, not row_sparse")
            if array.shape != stored.shape:
                raise MXNetShapeError(
                    f"kvstore: key {each} has shape {stored.shape}, out {array.shape}"
                )
            rows = torch.unique(ids.storage().to(context_to_device(stored.context), torch.int64))
            if len(rows) and (int(rows[0]) < 0 or int(rows[-1]) >= stored.shape[0]):
                raise MXNetIndexError(
                    f"kvstore: key {each} has {stored.shape[0]} rows; row_ids are from "
                    f"{int(rows[0])} to {int(rows[-1])}"
                )
            value: Any = stored.stored()
            array.receive(Rows(stored.shape, rows, rows_at(value, rows)))

    def set_gradient_compression(self, compression_params: Any) -> None:
        """Send gradients with 2 bits an element: {'type': '2bit', 'threshold': 0.5}.

        Elements become -threshold, 0 or threshold; the error is added to the next gradient. Stores
        of several devices or processes only, float32 only.
        """
        if "device" not in self._type and "dist" not in self._type:
            raise MXNetError("Gradient compression is not supported for this type of kvstore")
        if not isinstance(compression_params, dict):
            raise MXNetAssertionError(
                f"compression_params must be a dict, not {type(compression_params).__name__}"
            )
        kind = compression_params.get("type")
        if kind is None:
            raise MXNetError("compression_params: 'type' is missing; it can be '2bit'")
        if kind != "2bit":
            raise MXNetError(f"Unknown type for gradient compression {kind}; it can be '2bit'")
        self._end_early()
        self._compression = TwoBit(float(compression_params.get("threshold", 0.5)))

    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Update values with an optimizer when something is pushed to them."""
        if self._group.size > 1:
            self._group.check_same(
                "kvstore: optimizer",
                {
                    "class": type(optimizer).__name__,
                    "learning_rate": float(optimizer.learning_rate),
                    "wd": float(optimizer.wd),
                },
                "Every process must train with the same optimizer.",
            )
        self._set_updater(get_updater(optimizer))

    def _set_updater(self, updater: Callable[..., Any]) -> None:
        """Call `updater(key, pushed, stored)` when something is pushed."""
        self._updater = updater

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Write the optimizer's states, and with `dump_optimizer` the optimizer, to a file."""
        states = self._own_updater().get_states(dump_optimizer)
        with atomic_write(fname) as file:
            file.write(states)

    def load_optimizer_states(self, fname: str) -> None:
        """Read the optimizer's states from a file."""
        updater = self._own_updater()
        with open(fname, "rb") as file:
            updater.set_states(file.read())

    def _state_dict(self) -> dict[str, Any]:
        """What the next push depends on besides values and optimizer, for `mxtorch.checkpoint`."""
        return {"left_over": self._compression and dict(self._compression.left_over)}

    def _load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `_state_dict` gave; MXNetError unless both or neither compress."""
        if (self._compression is None) != (state["left_over"] is None):
            raise MXNetError(
                "kvstore: of the run that was saved and this one, one compresses gradients and the "
                "other does not"
            )
        if self._compression is not None:
            self._compression.left_over = dict(state["left_over"])

    def _own_updater(self) -> Updater:
        if not isinstance(self._updater, Updater):
            raise MXNetAssertionError("kvstore: there are no optimizer states before set_optimizer")
        return self._updater

    def _barrier(self) -> None:
        """Wait until every worker is here."""
        self._group.barrier()

    def check_same(self, what: str, value: dict[str, Any]) -> None:
        """Raise MXNetError on every worker if a value (of JSON's types) is not the same on all."""
        self._group.check_same(what, value, "It must be the same in every process.")

    def _send_command_to_servers(self, head: int, body: str) -> None:
        """Nothing without servers, as in MXNet; a `dist_*` store raises, for it has none."""
        if "dist" in self._type:
            raise NotSupportedError(
                f"{self._type}: command {head} has no servers to go to: each worker keeps the "
                "values. Call set_optimizer for an optimizer; do other work in the workers."
            )

    def _get(self, key: Key) -> NDArray:
        value = self._values.get(key)
        if value is None:
            raise MXNetError(f"kvstore: key {key} has not been initialized; call init first")
        return value


def _check_alike(key: Key, values: list[NDArray]) -> None:
    """Refuse values of one key that cannot be added up."""
    for value in values:
        if is_sparse(value) and value.stype == "csr":
            raise MXNetError(
                f"kvstore: key {key}: unexpected storage type csr in push; use default or "
                "row_sparse"
            )
        if value is not values[0] and value.shape != values[0].shape:
            raise MXNetShapeError(
                f"kvstore: key {key}: values of shapes {values[0].shape} and {value.shape} cannot "
                "be summed"
            )


def _kept(value: NDArray) -> NDArray:
    """A copy as the store keeps it: MXNet's stores keep CPU arrays in page-locked memory."""
    kept = value.detach()
    if kept.context.device_type == "gpu":
        return kept.copy()
    return kept.copyto(Context("cpu_pinned", 0))


def _flat(row_ids: Any) -> list[NDArray]:
    """The arrays of a list of lists."""
    if isinstance(row_ids, NDArray):
        return [row_ids]
    return [array for part in row_ids for array in _flat(part)]


def _pairs(key: Any, value: Any) -> list[tuple[Key, list[NDArray]]]:
    """Each key with its arrays, one for each context."""
    if isinstance(key, (list, tuple)):
        assert len(key) == len(value), f"{len(key)} keys came with {len(value)} values"
        return [pair for k, v in zip(key, value, strict=True) for pair in _pairs(k, v)]
    assert isinstance(key, (int, str)), f"unexpected type for keys: {type(key)}"
    values = [value] if isinstance(value, NDArray) else list(value)
    if not all(isinstance(each, NDArray) for each in values):
        raise NotAnArrayError(f"kvstore: key {key} came with something that is not an NDArray")
    return [(key, values)]
