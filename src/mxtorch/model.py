"""`mx.model`: checkpoints, FeedForward, and how parameters are updated."""

from mxtorch._checkpoint import (
    BatchEndParam,
    BatchEndParams,
    load_checkpoint,
    load_params,
    save_checkpoint,
)
from mxtorch._feed_forward import FeedForward, _multiple_callbacks, _train_multi_device
from mxtorch._updates import (
    _create_kvstore,
    _create_sparse_kvstore,
    _initialize_kvstore,
    _update_params,
    _update_params_on_kvstore,
)

__all__ = ["BatchEndParam", "FeedForward", "load_checkpoint", "load_params", "save_checkpoint"]
