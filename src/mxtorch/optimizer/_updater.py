"""The updater: an optimizer together with the state of each weight."""

from __future__ import annotations

from typing import Any

from mxtorch._core.device import Context
from mxtorch._core.errors import MXNetError
from mxtorch._front.handle import Handle
from mxtorch.optimizer._base import Optimizer
from mxtorch.optimizer._states import dump_states, load_states


class Updater:
    """Calls an optimizer and keeps its states; used by key-value stores and Trainer."""

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.states: dict[Any, Any] = {}
        self.states_synced: dict[Any, bool] = {}
        self.aggregate_updates = optimizer.aggregate_num > 0

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Update one weight, or lists of indices, gradients and weights."""
        if not isinstance(index, (list, tuple)):
            index, grad, weight = [index], [grad], [weight]
        if not index:
            return
        # a store calls updaters that a program wrote with text as bytes; they may call this one
        index = [i.decode() if isinstance(i, bytes) else i for i in index]
        self.optimizer._set_current_context(weight[0].context.device_id)
        for i, w in zip(index, weight, strict=True):
            if i not in self.states:
                self.states[i] = self.optimizer.create_state_multi_precision(i, w)
            elif not self.states_synced[i]:
                self.states[i] = self.sync_state_context(self.states[i], w.context)
            self.states_synced[i] = True
        self.optimizer.update_multi(index, weight, grad, [self.states[i] for i in index])

    def sync_state_context(self, state: Any, context: Context) -> Any:
        """The state with its arrays on `context`."""
        if isinstance(state, Handle):
            return state.as_in_context(context)
        if isinstance(state, (tuple, list)):
            return type(state)(self.sync_state_context(part, context) for part in state)
        return state

    def set_states(self, states: bytes) -> None:
        """Take over what `get_states` returned, here or in MXNet."""
        loaded = load_states(states)
        has_both = isinstance(loaded, tuple) and len(loaded) == 2
        states, optimizer = loaded if has_both else (loaded, None)
        if not isinstance(states, dict) or not isinstance(optimizer, (Optimizer, type(None))):
            raise MXNetError(
                "set_states: these are no optimizer states: expected a dict, or a dict and an "
                f"optimizer, found {type(states).__name__} and {type(optimizer).__name__}"
            )
        self.states = states
        self.optimizer = optimizer or self.optimizer
        self.states_synced = dict.fromkeys(self.states, False)

    def get_states(self, dump_optimizer: bool = False) -> bytes:
        """The states, and with `dump_optimizer` the optimizer, as MXNet pickles them."""
        return dump_states((self.states, self.optimizer) if dump_optimizer else self.states)


def get_updater(optimizer: Optimizer) -> Updater:
    """An updater for the optimizer."""
    return Updater(optimizer)
