# GluonTS 0.8: two estimators train on four sine curves and predict.
import warnings
warnings.simplefilter('ignore')
import mxnet as mx
import numpy as np
from gluonts.dataset.common import ListDataset
from gluonts.model.deepar import DeepAREstimator
from gluonts.model.simple_feedforward import SimpleFeedForwardEstimator
from gluonts.mx.trainer import Trainer

curves = [(np.sin(np.arange(100) / 5 + i) + 2).astype('float32') for i in range(4)]
data = ListDataset([{'start': '2020-01-01', 'target': curve} for curve in curves], freq='D')
estimators = (
    SimpleFeedForwardEstimator(
        freq='D', prediction_length=5, context_length=10, num_hidden_dimensions=[8],
        trainer=Trainer(epochs=2, num_batches_per_epoch=4, learning_rate=1e-2)),
    DeepAREstimator(
        freq='D', prediction_length=5, context_length=10, num_layers=1, num_cells=8,
        trainer=Trainer(epochs=2, num_batches_per_epoch=4, hybridize=False)),
)
for estimator in estimators:
    mx.random.seed(0)
    np.random.seed(0)
    forecast = next(iter(estimator.train(data).predict(data)))
    values = [*forecast.mean, *forecast.quantile(0.5)]
    print(type(estimator).__name__, ' '.join('%.6g' % v for v in values))
