"""Writes parameters and trainer states to files while training, and goes on from them."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetValueError
from mxtorch._core.warn import warn
from mxtorch.gluon.contrib.estimator._early_stopping import comparison, is_monitor
from mxtorch.gluon.contrib.estimator._events import BatchEnd, EpochEnd, TrainBegin
from mxtorch.metric import EvalMetric


class CheckpointHandler(TrainBegin, BatchEnd, EpochEnd):
    """Saves the model every `epoch_period` epochs and `batch_period` batches.

    Files: `PREFIX-epochEbatchB.params` and `.states`, the newest `max_checkpoints` of them;
    `PREFIX-best.*` of the best value of `monitor` with `save_best`; `PREFIX-symbol.json` of a
    hybridized net.
    """

    def __init__(
        self,
        model_dir: str,
        model_prefix: str = "model",
        monitor: EvalMetric | None = None,
        verbose: int = 0,
        save_best: bool = False,
        mode: str = "auto",
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        max_checkpoints: int = 5,
        resume_from_checkpoint: bool = False,
    ) -> None:
        self.monitor = monitor
        self.verbose = verbose
        os.makedirs(model_dir, exist_ok=True)
        self.model_dir = model_dir
        self.model_prefix = model_prefix
        self.save_best = save_best
        if save_best and not is_monitor(monitor):
            raise MXNetValueError(
                "To save best model only, please provide one of the metric objects from "
                "estimator.train_metrics and estimator.val_metrics as monitor."
            )
        self.epoch_period = epoch_period
        self.batch_period = batch_period
        self.current_batch = 0
        self.current_epoch = 0
        self.max_checkpoints = max_checkpoints
        self.resume_from_checkpoint = resume_from_checkpoint
        self.saved_checkpoints: list[str] = []
        if save_best:
            assert monitor is not None
            self.monitor_op = comparison(mode, monitor, "ModelCheckpoint")
            self.best = np.inf if self.monitor_op is np.less else -np.inf

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Start counting, perhaps where a file left off."""
        self.current_epoch = 0
        self.current_batch = 0
        if self.save_best:
            self.best = np.inf if self.monitor_op is np.less else -np.inf
        if self.resume_from_checkpoint:
            self._resume_from_checkpoint(estimator)

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Save if it is time; with the first batch the graph."""
        if self.current_batch == 0:
            self._save_symbol(estimator)
        if self.batch_period and (self.current_batch + 1) % self.batch_period == 0:
            self._save_checkpoint(estimator)
        self.current_batch += 1

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Save if it is time."""
        if self.epoch_period and (self.current_epoch + 1) % self.epoch_period == 0:
            self._save_checkpoint(estimator)
        self.current_epoch += 1

    # files -------------------------------------------------------------------------------

    def _save_checkpoint(self, estimator: Any) -> None:
        epoch, batch = self.current_epoch, self.current_batch
        if self.resume_from_checkpoint:
            epoch += self.trained_epoch + 1
            batch += self.trained_batch if self.epoch_period else self.trained_batch + 1
        prefix = f"{self.model_prefix}-epoch{epoch}batch{batch}"
        self._save_params_and_trainer(estimator, prefix)
        if self.verbose > 0:
            estimator.logger.info(
                "[Epoch %d] CheckpointHandler: trained total %d batches, saving model at %s with "
                "prefix: %s",
                self.current_epoch,
                self.current_batch + 1,
                self.model_dir,
                prefix,
            )
        if self.save_best:
            self._save_if_best(estimator)

    def _save_if_best(self, estimator: Any) -> None:
        assert self.monitor is not None
        name, value = self.monitor.get()
        if np.isnan(value):
            warn(
                f"Skipping save best because {name} is not updated, make sure you pass one of "
                "the metric objects from estimator.train_metrics and estimator.val_metrics as "
                "monitor.",
                RuntimeWarning,
            )
            return
        if self.monitor_op(value, self.best):
            prefix = f"{self.model_prefix}-best"
            self._save_params_and_trainer(estimator, prefix)
            self.best = value
            text = "[Epoch %d] CheckpointHandler: %s improved from %0.5f to %0.5f, updating best "
            text += "model at %s with prefix: %s"
            facts = (self.current_epoch, name, self.best, value, self.model_dir, prefix)
        else:
            text = "[Epoch %d] CheckpointHandler: %s did not improve from %0.5f, skipping updating "
            text += "best model"
            facts = (self.current_batch, name, self.best)  # type: ignore[assignment]
        if self.verbose > 0:
            estimator.logger.info(text, *facts)

    def _save_symbol(self, estimator: Any) -> None:
        path = os.path.join(self.model_dir, f"{self.model_prefix}-symbol.json")
        graph = getattr(estimator.net, "_cached_graph", None)
        if graph:
            graph[1].save(path)
        else:
            estimator.logger.info(
                "Model architecture(symbol file) is not saved, please use HybridBlock to construct "
                "your model, and call net.hybridize() before passing to Estimator in order to save "
                "model architecture as %s.",
                path,
            )

    def _save_params_and_trainer(self, estimator: Any, file_prefix: str) -> None:
        path = os.path.join(self.model_dir, file_prefix)
        estimator.net.save_parameters(f"{path}.params")
        estimator.trainer.save_states(f"{path}.states")
        if "best" not in file_prefix:
            self.saved_checkpoints.append(file_prefix)
        if len(self.saved_checkpoints) > self.max_checkpoints:
            oldest = self.saved_checkpoints.pop(0)
            for ending in ("params", "states"):
                os.remove(os.path.join(self.model_dir, f"{oldest}.{ending}"))

    # going on ----------------------------------------------------------------------------

    def _resume_from_checkpoint(self, estimator: Any) -> None:
        """Load the newest files and lower the estimator's limits by what was done."""
        found = self._find_checkpoints()
        if not found:
            self.trained_epoch = self.trained_batch = -1
            left, unit = _limit(estimator)
            text = "CheckpointHandler: No checkpoint found, training from scratch for %d %s"
            estimator.logger.info(text, left, unit)
            return
        self.trained_epoch, self.trained_batch = found[-1]
        limit, unit = _limit(estimator)
        done = self.trained_epoch if unit == "epochs" else self.trained_batch
        left = limit - done - 1
        if left <= 0:
            singular = "epoch" if unit == "epochs" else "batch"
            raise MXNetValueError(
                f"Found checkpoint with maximum number of {singular} {limit} reached, please "
                "specify resume_from_checkpoint=False (default value) if you wan to train from "
                "scratch."
            )
        if unit == "epochs":
            estimator.max_epoch = left
        else:
            estimator.max_batch = left
        stem = f"{self.model_prefix}-epoch{self.trained_epoch}batch{self.trained_batch}"
        path = os.path.join(self.model_dir, stem)
        estimator.net.load_parameters(f"{path}.params", ctx=estimator.context)
        estimator.trainer.load_states(f"{path}.states")
        estimator.logger.warning(
            "CheckpointHandler: Checkpoint resumed from epoch %d batch %d, continue to train for "
            "%d %s ",
            self.trained_epoch,
            self.trained_batch,
            left,
            unit,
        )

    def _find_checkpoints(self) -> list[tuple[int, int]]:
        """(epoch, batch) of the files that are there, in order."""
        pattern = re.compile(rf"{re.escape(self.model_prefix)}-epoch(\d+)batch(\d+)\.params")
        matches = map(pattern.fullmatch, os.listdir(self.model_dir))
        return sorted((int(m[1]), int(m[2])) for m in matches if m)


def _limit(estimator: Any) -> tuple[int, str]:
    if estimator.max_epoch:
        return estimator.max_epoch, "epochs"
    return estimator.max_batch, "batches"
