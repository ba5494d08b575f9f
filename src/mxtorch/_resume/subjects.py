"""What is trained, as values that `tree.pack` takes; `load` gives them back to where they were.

Of replicas on several contexts those that differ from the first are kept too: statistics of
BatchNorm do.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import nn

from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.errors import MXNetError, MXNetTypeError, MXNetValueError, NotSupportedError
from mxtorch._core.position import load_state, state_of
from mxtorch._core.storage import SparseValue
from mxtorch._resume.tree import pack
from mxtorch.gluon import Block, Trainer
from mxtorch.gluon._parameter import Parameter, _fits
from mxtorch.kvstore import create as create_store
from mxtorch.module import BucketingModule, Module
from mxtorch.ndarray import NDArray
from mxtorch.optimizer import Optimizer, Updater


class Subject(Protocol):
    """Something with a state."""

    def get(self) -> Any:
        """The state now."""

    def put(self, state: Any) -> None:
        """Take over such a state."""


def in_order(subjects: Mapping[str, Subject]) -> list[str]:
    """The names of the subjects, as they are to be put back.

    A Trainer's store hands the arrays of rank 0 to all: nets come once more, at the end.
    """
    return [*subjects, *(name for name, each in subjects.items() if isinstance(each, GluonNet))]


def find_subjects(net: Any, trainer: Any) -> dict[str, Subject]:
    """The subjects by the names that they have in the file."""
    found: dict[str, Subject] = {}
    for role, value in (("net", net), ("trainer", trainer)):
        several = value if isinstance(value, (list, tuple)) else [value]
        for i, each in enumerate(several):
            if each is not None:
                found[f"{role}{i}" if i else role] = _subject(role, each)
    if not found:
        raise MXNetTypeError("checkpoint: net and trainer are both None; there is nothing to save")
    return found


def _subject(role: str, value: Any) -> Subject:
    for kind, subject in _KINDS:
        if isinstance(value, kind):
            made: Subject = subject(value)
            return made
    if hasattr(value, "state_dict") and hasattr(value, "load_state_dict"):
        return Stateful(value)
    raise MXNetTypeError(
        f"checkpoint: {role} is a {type(value).__name__}; it must be a Gluon Block, a Trainer, a "
        "Module or BucketingModule, an nn.Module, a torch optimizer, anything else with "
        "state_dict() and load_state_dict(), or a list of such"
    )


class Stateful:
    """Anything with torch's two methods."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def get(self) -> Any:
        return self.value.state_dict()

    def put(self, state: Any) -> None:
        try:
            self.value.load_state_dict(state)
        except (RuntimeError, ValueError, KeyError, TypeError) as error:
            raise MXNetError(
                f"checkpoint: {type(self.value).__name__} does not take the saved state: {error}"
            ) from error


class GluonNet:
    """A block: its parameters by structure, and gradients that are being added up."""

    def __init__(self, block: Block) -> None:
        self.block = block

    def _parameters(self) -> dict[str, Parameter]:
        first: dict[int, str] = {}
        named = self.block._collect_params_with_prefix()
        return {n: p for n, p in named.items() if first.setdefault(id(p), n) == n}

    def get(self) -> Any:
        state: dict[str, Any] = {}
        for name, parameter in self._parameters().items():
            if parameter._data is None:
                state[name] = None  # no batch has come through there
                continue
            state[name] = {"data": replicas(parameter._data)}
            if parameter.grad_req == "add" and parameter._grad is not None:
                state[name]["grad"] = replicas(parameter._grad)
        return state

    def put(self, state: Any) -> None:
        parameters = self._parameters()
        _check_names("parameters of the net", list(parameters), list(state))
        for name, parameter in parameters.items():
            if state[name] is None:
                continue
            saved = state[name]["data"]
            _check_like(name, parameter.shape, parameter.dtype, saved[0])
            if parameter._data is None:
                parameter._load_init(saved[0], None)
            assert parameter._data is not None
            fill(name, parameter._data, saved)
            if "grad" in state[name] and parameter._grad is not None:
                fill(name, parameter._grad, state[name]["grad"])


class GluonTrainer:
    """A Trainer: optimizer, its states for each parameter, the loss scaler of AMP."""

    def __init__(self, trainer: Trainer) -> None:
        self.trainer = trainer

    def _updaters(self) -> list[Any]:
        if self.trainer._update_on_kvstore:
            return [self.trainer._kvstore._updater]
        return self.trainer._updaters

    def get(self) -> Any:
        trainer = self.trainer
        scaler = getattr(trainer, "_amp_loss_scaler", None)
        return {
            "optimizer": optimizer_state(trainer.optimizer),
            "states": updater_states(self._updaters()),
            "scale": trainer._scale,
            "scaler": None if scaler is None else plain_attributes(scaler),
            "store": store_state(trainer._kvstore),
            "names": [p.name for p in trainer._params],
        }

    def put(self, state: Any) -> None:
        trainer = self.trainer
        self._check_order(state["names"])
        trainer._parameter_was_set()  # a store that has the weights is made anew
        trainer._prepare()
        put_updater_states(self._updaters(), state["states"])
        put_optimizer_state(trainer.optimizer, state["optimizer"])
        trainer._scale = state["scale"]
        scaler = getattr(trainer, "_amp_loss_scaler", None)
        if (scaler is None) != (state["scaler"] is None):
            raise MXNetError(
                "checkpoint: of the run that wrote it and this one, one uses AMP's loss scaling "
                "and the other does not"
            )
        if scaler is not None:
            scaler.__dict__.update(state["scaler"])
        put_store_state(trainer._kvstore, state["store"])

    def _check_order(self, saved: list[str]) -> None:
        """A Trainer sorts its parameters by name, and states go by that order: refuse another."""
        own = [p.name for p in self.trainer._params]
        if _in_counted_order(own) != _in_counted_order(saved):
            raise MXNetError(
                "checkpoint: the Trainer's parameters are in another order here, for names are "
                f"counted on ({_some(own)}; in the file {_some(saved)}). Resume in a new process, "
                "or make the net with a prefix of its own and its layers within net.name_scope()"
            )

    def renew(self) -> None:
        """Forget what is another process's: the errors of its compressed gradients."""
        forget_errors(self.trainer._kvstore)


class SymbolModule:
    """A Module: arguments and auxiliary states on each context, optimizer and its states."""

    def __init__(self, module: Module | BucketingModule) -> None:
        self.whole = module

    @property
    def module(self) -> Module:
        """The module that has the parameters."""
        if isinstance(self.whole, BucketingModule):
            if not self.whole.binded:
                raise _not_ready()
            return self.whole._buckets[self.whole._default_bucket_key]
        return self.whole

    def _rows(self) -> dict[str, Sequence[NDArray]]:
        group = self.module._exec_group
        names = [*group.param_names, *group.aux_names]
        return dict(zip(names, [*group.param_arrays, *group.aux_arrays], strict=True))

    def _updater(self) -> Any:
        module = self.module
        return module._kvstore._updater if module._update_on_kvstore else module._updater

    def get(self) -> Any:
        module = self.module
        if not (module.binded and module.params_initialized and module.optimizer_initialized):
            raise _not_ready()
        return {
            "params": {name: replicas(row) for name, row in self._rows().items()},
            "optimizer": optimizer_state(module._optimizer),
            "states": updater_states([self._updater()]),
            "store": store_state(module._kvstore),
        }

    def put(self, state: Any) -> None:
        module = self.module
        if not (module.binded and module.params_initialized and module.optimizer_initialized):
            raise _not_ready()
        saved = state["params"]
        _check_names("arrays of the module", list(self._rows()), list(saved))
        arguments = {name: saved[name][0] for name in module._arg_params}
        auxiliary = {name: saved[name][0] for name in module._aux_params}
        for name, array in {**module._arg_params, **module._aux_params}.items():
            _check_like(name, array.shape, array.dtype, saved[name][0])
        self.whole.set_params(arguments, auxiliary)
        self._renew_store()
        for name, row in self._rows().items():
            fill(name, row, saved[name])
        module._params_dirty = self.whole._params_dirty = True
        put_updater_states([self._updater()], state["states"])
        put_optimizer_state(module._optimizer, state["optimizer"])
        put_store_state(module._kvstore, state["store"])

    def renew(self) -> None:
        """Forget what is another process's: the errors of its compressed gradients."""
        forget_errors(self.module._kvstore)

    def _renew_store(self) -> None:
        """A store that has the weights is made anew, with the values of now."""
        module = self.module
        if module._kvstore is None or not module._update_on_kvstore:
            return
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Optimizer created manually", UserWarning)
            store = create_store(module._kvstore.type)
            module.init_optimizer(store, module._optimizer, force_init=True)
        if isinstance(self.whole, BucketingModule):
            for other in self.whole._buckets.values():
                if other is not module:
                    other.borrow_optimizer(module)


def _not_ready() -> MXNetError:
    return MXNetError(
        "checkpoint: the module has no parameters or optimizer yet; call bind, init_params and "
        "init_optimizer (or fit) before the first batch is asked for"
    )


# arrays -------------------------------------------------------------------------------------------


def replicas(arrays: Sequence[NDArray]) -> list[Any]:
    """The first array, and for the others None where they are the same."""
    first, *others = arrays
    return [first, *(None if _is_same(first, other) else other for other in others)]


def _is_same(one: NDArray, other: NDArray) -> bool:
    a, b = one.stored(), other.stored()
    if isinstance(a, SparseValue) or isinstance(b, SparseValue):
        return False
    return torch.equal(_bits(a), _bits(b.to(a.device)))


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    """Integers, for NaN is not equal to itself."""
    return tensor.contiguous().reshape(-1).view(torch.uint8)


def fill(name: str, arrays: Sequence[NDArray], saved: Sequence[Any]) -> None:
    """Write what `replicas` gave into the arrays."""
    if len(saved) != len(arrays):
        raise MXNetValueError(
            f"checkpoint: {name} was on {len(saved)} contexts, and is on {len(arrays)} here; use "
            "as many as the run that wrote it"
        )
    for array, value in zip(arrays, saved, strict=True):
        array.receive((saved[0] if value is None else value).stored())


def _check_like(name: str, shape: Any, dtype: Any, saved: NDArray) -> None:
    if shape is not None and not _fits(shape, saved.shape):
        raise MXNetValueError(
            f"checkpoint: {name} has shape {tuple(shape)} here and {saved.shape} in the file; it "
            "was written by another net"
        )
    if dtype is not None and dtype_to_torch(dtype) is not saved._kind.dtype:
        raise MXNetValueError(
            f"checkpoint: {name} is {dtype} here and {saved.dtype} in the file; cast the net as "
            "the run that wrote it did"
        )


def _check_names(what: str, own: list[str], saved: list[str]) -> None:
    missing = sorted(set(own) - set(saved))
    extra = sorted(set(saved) - set(own))
    if missing or extra:
        raise MXNetValueError(
            f"checkpoint: the {what} are not those of the file. Only here: {_some(missing)}; only "
            f"in the file: {_some(extra)}"
        )


def _in_counted_order(names: list[str]) -> list[int]:
    """Positions of the names with dense9 before dense10: the same wherever counting begins."""
    parts = [re.split(r"(\d+)", name) for name in names]
    return sorted(range(len(names)), key=lambda i: [int(p) if p.isdigit() else p for p in parts[i]])


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if names[5:] else "") or "none"


# optimizers ---------------------------------------------------------------------------------------

# What the program gives an optimizer, and what is found anew at each update.
_GIVEN = ("param_dict", "sym_info", "idx2name", "lr_scheduler", "_index_update_count")


def plain_attributes(value: Any, without: Sequence[str] = ()) -> dict[str, Any]:
    """The attributes that can be written; others are as the program makes them."""
    found = {}
    for name, part in vars(value).items():
        if name in without:
            continue
        try:
            pack(part, {}, name)
        except MXNetTypeError:
            continue
        found[name] = part
    return found


def _unwrapped(optimizer: Optimizer) -> Optimizer:
    """The optimizer in one of Horovod's."""
    inner = vars(optimizer).get("_optimizer")
    return inner if isinstance(inner, Optimizer) else optimizer


def optimizer_state(optimizer: Optimizer) -> Any:
    """Learning rates, numbers of updates, and what else an optimizer's rule has moved."""
    optimizer = _unwrapped(optimizer)
    scheduler = optimizer.lr_scheduler
    return {
        "class": type(optimizer).__name__,
        "attributes": plain_attributes(optimizer, _GIVEN),
        "scheduler": None if scheduler is None else plain_attributes(scheduler),
    }


def put_optimizer_state(optimizer: Optimizer, state: Any) -> None:
    """Take over what `optimizer_state` gave."""
    optimizer = _unwrapped(optimizer)
    if state["class"] != type(optimizer).__name__:
        raise MXNetValueError(
            f"checkpoint: the optimizer is {type(optimizer).__name__} here and {state['class']} in "
            "the file"
        )
    scheduler = optimizer.lr_scheduler
    if (scheduler is None) != (state["scheduler"] is None):
        raise MXNetValueError(
            "checkpoint: of the run that wrote it and this one, one has an lr_scheduler and the "
            "other has none"
        )
    optimizer.__dict__.update(state["attributes"])
    optimizer._index_update_count = optimizer._all_index_update_counts.setdefault(0, {})
    if scheduler is not None:
        scheduler.__dict__.update(state["scheduler"])


def updater_states(updaters: Sequence[Any]) -> list[Any]:
    """The states of each updater; None where they are the first one's."""
    found: list[Any] = []
    for updater in updaters:
        if not isinstance(updater, Updater):
            raise NotSupportedError(
                "checkpoint: an updater that the program has written (set_updater) keeps its own "
                "states; use an Optimizer"
            )
        found.append(updater.states)
    return found


def put_updater_states(updaters: Sequence[Any], saved: Sequence[Mapping[Any, Any]]) -> None:
    """Take over what `updater_states` gave."""
    if len(updaters) != len(saved):
        raise MXNetValueError(
            f"checkpoint: the optimizer's states are of {len(saved)} contexts, and there are "
            f"{len(updaters)} here"
        )
    for updater, states in zip(updaters, saved, strict=True):
        updater.states = dict(states)
        updater.states_synced = dict.fromkeys(states, True)


def store_state(store: Any) -> Any:
    """What a store keeps besides weights: errors of compressed gradients."""
    return state_of(store)


def put_store_state(store: Any, state: Any) -> None:
    """Take over what `store_state` gave."""
    if state is not None:
        load_state(store, state)


def forget_errors(store: Any) -> None:
    """Compress gradients as if none had been sent before."""
    state = store_state(store)
    if state is not None and state.get("left_over"):
        load_state(store, {**state, "left_over": {}})


_KINDS: tuple[tuple[type, Any], ...] = (
    (Block, GluonNet),
    (Trainer, GluonTrainer),
    (Module, SymbolModule),
    (BucketingModule, SymbolModule),
    (nn.Module, Stateful),
)
