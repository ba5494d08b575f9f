"""`mx.metric`: values that are gathered over batches."""

from mxtorch import ndarray, registry
from mxtorch.metric._base import (
    Caffe,
    CompositeEvalMetric,
    CustomMetric,
    EvalMetric,
    Loss,
    Torch,
    alias,
    check_label_shapes,
    create,
    np,
    register,
)
from mxtorch.metric._binary import F1, MCC, PCC, _BinaryClassificationMetrics
from mxtorch.metric._classes import (
    Accuracy,
    CrossEntropy,
    NegativeLogLikelihood,
    Perplexity,
    TopKAccuracy,
)
from mxtorch.metric._regression import MAE, MSE, RMSE, PearsonCorrelation
