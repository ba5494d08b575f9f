"""The oldest trainer: a net that is fitted to arrays or iterators, and predicts arrays."""

from __future__ import annotations

from mxtorch.port.carried.data import ArrayIter
from mxtorch.port.carried.modules import ModuleTrainer


class FeedForward:
    """A net with what makes its optimizer and fills its weights."""

    def __init__(
        self,
        net,
        make=None,
        weight_init=None,
        num_epoch=None,
        begin_epoch=0,
        arg_params=None,
        aux_params=None,
        numpy_batch_size=128,
        scale=None,
        clip=None,
    ):
        self.trainer = ModuleTrainer(net)
        self.make, self.weight_init, self.scale, self.clip = make, weight_init, scale, clip
        self.num_epoch, self.begin_epoch = num_epoch, begin_epoch
        self.numpy_batch_size = numpy_batch_size
        if arg_params is not None:
            self.trainer.set_params(arg_params, aux_params)

    @property
    def arg_params(self):
        return self.trainer.get_params()[0]

    @property
    def aux_params(self):
        return self.trainer.get_params()[1]

    def batches(self, data, label=None, training=False):
        """An iterator: that itself, or one over arrays."""
        if hasattr(data, "provide_data"):
            return data
        size = min(len(data), self.numpy_batch_size)
        return ArrayIter(data, label, size, training, "roll_over" if training else "pad")

    def fit(self, metric, X, y=None, eval_data=None, **callbacks):
        """Train to `num_epoch`; measure on `eval_data`, an iterator or a pair, after each epoch."""
        if isinstance(eval_data, tuple):
            eval_data = self.batches(*eval_data)
        self.trainer.fit(
            self.batches(X, y, training=True),
            self.make,
            self.weight_init,
            metric,
            self.num_epoch,
            eval_data=eval_data,
            scale=self.scale,
            clip=self.clip,
            begin_epoch=self.begin_epoch,
            **callbacks,
        )

    def predict(self, X, num_batch=None):
        """The outputs of all data as NumPy arrays."""
        found = self.trainer.predict(self.batches(X), num_batch, always_output_list=True)
        arrays = [output.detach().cpu().numpy() for output in found]
        return arrays[0] if len(arrays) == 1 else arrays

    def score(self, X, metric, num_batch=None):
        """The metric's value on data."""
        self.trainer.score(self.batches(X), metric, num_batch)
        return metric.get()[1]

    def save(self, prefix, epoch=None):
        """Write parameters and running statistics; `load` reads them."""
        self.trainer.save_checkpoint(prefix, self.num_epoch if epoch is None else epoch)

    def load(self, prefix, epoch):
        """Take parameters from a checkpoint."""
        self.trainer.load(prefix, epoch)
        return self
