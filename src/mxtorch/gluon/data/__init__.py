"""`mx.gluon.data`: datasets, samplers, loaders."""

from mxtorch._core import lazy as _lazy
from mxtorch.gluon.data import dataloader, dataset, sampler
from mxtorch.gluon.data.dataloader import DataLoader
from mxtorch.gluon.data.dataset import ArrayDataset, Dataset, RecordFileDataset, SimpleDataset
from mxtorch.gluon.data.sampler import (
    BatchSampler,
    FilterSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)

__getattr__, __dir__, __all__ = _lazy.rooms(__name__, vision="vision")
