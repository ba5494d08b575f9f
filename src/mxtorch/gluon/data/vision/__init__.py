"""`mx.gluon.data.vision`: image data sets."""

from mxtorch.gluon.data.vision import datasets, transforms
from mxtorch.gluon.data.vision.datasets import (
    CIFAR10,
    CIFAR100,
    MNIST,
    FashionMNIST,
    ImageFolderDataset,
    ImageListDataset,
    ImageRecordDataset,
)
