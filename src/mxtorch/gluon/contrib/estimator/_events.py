"""The events of a training loop; a handler inherits from those that it wants."""

from __future__ import annotations

from typing import Any


class EventHandler:
    """What all handlers are. Those of small `priority` (0 if there is none) are called first."""


class TrainBegin(EventHandler):
    """Called before the first epoch."""

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Nothing, unless a subclass does something."""


class TrainEnd(EventHandler):
    """Called after the last epoch."""

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Nothing, unless a subclass does something."""


class EpochBegin(EventHandler):
    """Called before each epoch."""

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Nothing, unless a subclass does something."""


class EpochEnd(EventHandler):
    """Called after each epoch; what it returns ends training if it is true."""

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """False, unless a subclass says otherwise."""
        return False


class BatchBegin(EventHandler):
    """Called before each batch, with `batch`."""

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Nothing, unless a subclass does something."""


class BatchEnd(EventHandler):
    """Called after each batch, with `batch`, `pred`, `label` and `loss`; what it returns ends the
    epoch if it is true."""

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """False, unless a subclass says otherwise."""
        return False
