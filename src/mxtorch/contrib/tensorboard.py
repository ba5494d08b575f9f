"""Metrics for TensorBoard."""

from __future__ import annotations

import logging
from typing import Any


class LogMetricsCallback:
    """A batch or epoch callback that writes each metric as a scalar for TensorBoard.

    MXNet uses mxboard; that, or else `torch.utils.tensorboard` (the package tensorboard), is used
    here. Without either an error is logged, as in MXNet, and calls do nothing.
    """

    def __init__(self, logging_dir: str, prefix: str | None = None) -> None:
        self.prefix = prefix
        self.step = 0
        self.summary_writer = _writer(logging_dir)

    def __call__(self, param: Any) -> None:
        if param.eval_metric is None or self.summary_writer is None:
            return
        self.step += 1
        for name, value in param.eval_metric.get_name_value():
            tag = name if self.prefix is None else f"{self.prefix}-{name}"
            self.summary_writer.add_scalar(tag, value, self.step)


def _writer(folder: str) -> Any:
    try:
        from mxboard import SummaryWriter
    except ImportError:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            logging.error("You can install tensorboard via `pip install tensorboard`.")
            return None
    return SummaryWriter(folder)
