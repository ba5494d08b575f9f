"""`mx.gluon.contrib.estimator`: the training loop as an object, with handlers for its events."""

from mxtorch.gluon.contrib.estimator import batch_processor, estimator, event_handler, utils
from mxtorch.gluon.contrib.estimator.batch_processor import BatchProcessor
from mxtorch.gluon.contrib.estimator.estimator import Estimator
from mxtorch.gluon.contrib.estimator.event_handler import (
    BatchBegin,
    BatchEnd,
    CheckpointHandler,
    EarlyStoppingHandler,
    EpochBegin,
    EpochEnd,
    GradientUpdateHandler,
    LoggingHandler,
    MetricHandler,
    StoppingHandler,
    TrainBegin,
    TrainEnd,
    ValidationHandler,
)
