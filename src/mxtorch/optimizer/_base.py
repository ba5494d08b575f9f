"""The base of all optimizers: learning rates, weight decay, update counts, the registry."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mxtorch._core.errors import MXNetAssertionError, MXNetTypeError
from mxtorch.ndarray import NDArray


class Optimizer:
    """Updates weights from gradients; subclass it with `create_state` and `update`.

    lr_mult and wd_mult come from `param_dict` (parameters by index) where it has the index, else
    from `set_lr_mult` and `set_wd_mult` by index or, through `param_idx2name`, by name.
    """

    opt_registry: ClassVar[dict[str, type]] = {}

    def __init__(
        self,
        rescale_grad: float = 1.0,
        param_idx2name: dict[Any, str] | None = None,
        wd: float = 0.0,
        clip_gradient: float | None = None,
        learning_rate: float | None = None,
        lr_scheduler: Any = None,
        sym: Any = None,
        begin_num_update: int = 0,
        multi_precision: bool = False,
        param_dict: dict[Any, Any] | None = None,
    ) -> None:
        self.rescale_grad = rescale_grad
        self.lr_scheduler = lr_scheduler
        self.lr: Any = learning_rate  # None only where the scheduler has the rate
        if lr_scheduler is None:
            self.lr = 0.01 if learning_rate is None else learning_rate
        elif learning_rate is not None and lr_scheduler.base_lr != learning_rate:
            print(
                "learning rate from ``lr_scheduler`` has been overwritten by "
                "``learning_rate`` in optimizer."
            )
            lr_scheduler.base_lr = learning_rate
        self.wd = wd
        self.lr_mult: dict[Any, float] = {}
        self.wd_mult: dict[Any, float] = {}
        self.begin_num_update = begin_num_update
        self.num_update = begin_num_update
        self._all_index_update_counts: dict[int, dict[Any, int]] = {0: {}}
        self._index_update_count = self._all_index_update_counts[0]
        self.clip_gradient = clip_gradient
        self.multi_precision = multi_precision
        self.aggregate_num = 0
        if param_idx2name is None:
            param_idx2name = {}
        assert isinstance(param_idx2name, dict), (
            "param_idx2name should be a dict of param indexes to names."
        )
        self.idx2name = param_idx2name.copy()
        self.sym_info: Any = ()
        if sym is not None:
            self.sym_info = (sym.attr_dict(), sym.list_arguments())
        self.param_dict = param_dict or {}
        self.allow_np_array = False
        self.set_lr_mult({})
        self.set_wd_mult({})

    # the registry --------------------------------------------------------------------------

    @staticmethod
    def register(klass: type) -> type:
        """Enter a class under its own name in lower case; a decorator. A clash warns."""
        name = klass.__name__.lower()
        old = Optimizer.opt_registry.get(name)
        if old is not None:
            warnings.warn(
                f"New optimizer {klass.__module__}.{klass.__name__} is overriding existing "
                f"optimizer {old.__module__}.{old.__name__}",
                stacklevel=2,
            )
        Optimizer.opt_registry[name] = klass
        return klass

    @staticmethod
    def create_optimizer(name: str, **kwargs: Any) -> Any:
        """An optimizer by the name of its class; ValueError for a name that is not registered."""
        klass = Optimizer.opt_registry.get(name.lower())
        if klass is None:
            known = ", ".join(sorted(Optimizer.opt_registry))
            raise ValueError(f"Cannot find optimizer {name}; registered are {known}")
        return klass(**kwargs)

    # what the warning about float16 calls it
    _called: ClassVar[str] = ""

    # to be written by subclasses -------------------------------------------------------------

    def create_state(self, index: Any, weight: Any) -> Any:
        """The state kept for one weight: None, an array, or a tuple of them."""

    def create_state_multi_precision(self, index: Any, weight: Any) -> Any:
        """The state with, for float16 weights under `multi_precision`, a float32 copy first."""
        if self._has_master(weight):
            master = weight.astype(np.float32)
            return master, self.create_state(index, master)
        if weight.dtype == np.float16:
            warnings.warn(
                "Accumulating with float16 in optimizer can lead to poor accuracy or slow "
                "convergence. Consider using multi_precision=True option of the "
                f"{self._called}optimizer",
                stacklevel=2,
            )
        return self.create_state(index, weight)

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update one weight in place."""
        raise NotImplementedError

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update one weight, through its float32 copy where it has one."""
        if self._has_master(weight):
            master, inner = self.split_state(state)
            self.update(index, master, grad.astype(np.float32), inner)
            weight.whole().copy_(master.storage())
        else:
            self.update(index, weight, grad, state)

    def update_multi(
        self, indices: Sequence[Any], weights: Sequence[Any], grads: Sequence[Any], states: Any
    ) -> None:
        """Update many weights in one call; one after the other unless a subclass knows better."""
        for index, weight, grad, state in zip(indices, weights, grads, states, strict=True):
            self.update_multi_precision(index, weight, grad, state)

    def split_state(self, state: Any) -> tuple[Any, Any]:
        """The float32 copy of a weight and the rest, of a state made for multi precision."""
        return state

    def _has_master(self, weight: Any) -> bool:
        return bool(self.multi_precision) and weight.dtype == np.float16

    # learning rates and weight decay -----------------------------------------------------------

    @property
    def learning_rate(self) -> float:
        """The learning rate now: the scheduler's at `num_update`, or the fixed one."""
        if self.lr_scheduler is not None:
            return self.lr_scheduler(self.num_update)
        return self.lr

    def set_learning_rate(self, lr: float) -> None:
        """Set the fixed learning rate; UserWarning (raised) if there is a scheduler."""
        if self.lr_scheduler is not None:
            raise UserWarning(
                "LRScheduler of the optimizer has already been defined. Note that "
                "set_learning_rate can mutate the value of the learning rate of the optimizer "
                "only when the LRScheduler of the optimizer is undefined."
            )
        self.lr = lr

    def set_lr_scale(self, args_lrscale: dict[Any, float]) -> None:
        """Removed long ago in favour of `set_lr_mult`; raises."""
        raise DeprecationWarning("set_lr_scale was removed; use set_lr_mult")

    def set_lr_mult(self, args_lr_mult: dict[Any, float]) -> None:
        """Factors of the learning rate, by index or name."""
        self.lr_mult = self._from_symbol("__lr_mult__")
        self.lr_mult.update(args_lr_mult)

    def set_wd_mult(self, args_wd_mult: dict[Any, float]) -> None:
        """Factors of the weight decay, by index or name.

        Names that do not end in _weight or _gamma start with 0.
        """
        names = self.idx2name.values()
        self.wd_mult = {n: 0.0 for n in names if not n.endswith(("_weight", "_gamma"))}
        self.wd_mult.update(self._from_symbol("__wd_mult__"))
        self.wd_mult.update(args_wd_mult)

    def _from_symbol(self, key: str) -> dict[Any, float]:
        if not self.sym_info:
            return {}
        attributes, arguments = self.sym_info
        return {
            name: float(attributes[name][key])
            for name in arguments
            if name in attributes and key in attributes[name]
        }

    def _set_current_context(self, device_id: int) -> None:
        """Count updates for this device from now on: each has its own copies of the weights."""
        counts = self._all_index_update_counts.setdefault(device_id, {})
        self._index_update_count = counts

    def _update_count(self, index: Any) -> None:
        for each in index if isinstance(index, (list, tuple)) else (index,):
            count = self._index_update_count.get(each, self.begin_num_update) + 1
            self._index_update_count[each] = count
            self.num_update = max(count, self.num_update)

    def _get_lrs(self, indices: Sequence[Any]) -> list[float]:
        return self._multiplied(self.learning_rate, indices, "lr_mult", self.lr_mult)

    def _get_lr(self, index: Any) -> float:
        return self._get_lrs([index])[0]

    def _get_wds(self, indices: Sequence[Any]) -> list[float]:
        return self._multiplied(self.wd, indices, "wd_mult", self.wd_mult)

    def _get_wd(self, index: Any) -> float:
        return self._get_wds([index])[0]

    def _multiplied(
        self, value: float, indices: Sequence[Any], name: str, by_key: dict[Any, float]
    ) -> list[float]:
        """The value times the multiplier of each index."""
        if not (self.param_dict or by_key):
            return [value] * len(indices)
        values = []
        for index in indices:
            if index in self.param_dict:
                factor = getattr(self.param_dict[index], name)
            elif index in by_key:
                factor = by_key[index]
            else:
                factor = by_key.get(self.idx2name.get(index), 1.0)
            values.append(value * factor)
        return values

    # pickling ------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["param_dict"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state
        self.param_dict = {}


register = Optimizer.register


def check_arrays(weights: Sequence[Any], grads: Sequence[Any]) -> None:
    """AssertionError unless all are arrays."""
    for array in (*weights, *grads):
        if not isinstance(array, NDArray):
            raise MXNetAssertionError(f"update: weight and grad must be NDArray, got {array!r}")


def create(name: Any, **kwargs: Any) -> Any:
    """An optimizer by name, or the one that was given."""
    if isinstance(name, Optimizer):
        if kwargs:
            raise MXNetTypeError("create: arguments make no sense with an optimizer that exists")
        return name
    return Optimizer.create_optimizer(name, **kwargs)
