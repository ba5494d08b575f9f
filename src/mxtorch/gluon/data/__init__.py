"""`mx.gluon.data`: datasets, samplers, loaders."""

from mxtorch.gluon.data import dataloader, dataset, sampler, vision
from mxtorch.gluon.data.dataloader import DataLoader
from mxtorch.gluon.data.dataset import ArrayDataset, Dataset, RecordFileDataset, SimpleDataset
from mxtorch.gluon.data.sampler import (
    BatchSampler,
    FilterSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)
