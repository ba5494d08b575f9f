"""Image data sets: MNIST and its kin, which are downloaded, folders, record files."""

from __future__ import annotations

import os
import tarfile
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from mxtorch import image, recordio
from mxtorch._core import env
from mxtorch._core.errors import MXNetTypeError
from mxtorch._core.idx import read_idx
from mxtorch._core.modes import modes
from mxtorch.gluon.data import dataset
from mxtorch.gluon.utils import _get_repo_file_url, check_sha1, download
from mxtorch.image._iter import number_list, read_list
from mxtorch.ndarray import array
from mxtorch.ndarray.numpy._array import in_mode

__all__ = [
    "CIFAR10",
    "CIFAR100",
    "MNIST",
    "FashionMNIST",
    "ImageFolderDataset",
    "ImageListDataset",
    "ImageRecordDataset",
]

Named = tuple[str, str]  # a file and its SHA-1


def _folder(name: str) -> str:
    return os.path.join(env.HOME.get(), "datasets", name)


def _labels(values: np.ndarray) -> Any:
    """Labels as they are kept: NumPy's array, after `npx.set_np()` one of `mx.np`."""
    return in_mode(array(values, dtype=values.dtype)) if modes.np_array else values


class MNIST(dataset._DownloadedDataset):
    """Handwritten digits: images (28, 28, 1) uint8, labels int32."""

    def __init__(
        self,
        root: str = _folder("mnist"),
        train: bool = True,
        transform: Callable[..., Any] | None = None,
    ) -> None:
        self._train = train
        self._train_data: Named = (
            "train-images-idx3-ubyte.gz",
            "6c95f4b05d2bf285e1bfb0e7960c31bd3b3f8a7d",
        )
        self._train_label: Named = (
            "train-labels-idx1-ubyte.gz",
            "2a80914081dc54586dbdf242f9805a6b8d2a15fc",
        )
        self._test_data: Named = (
            "t10k-images-idx3-ubyte.gz",
            "c3a25af1f52dad7f726cce8cacb138654b760d48",
        )
        self._test_label: Named = (
            "t10k-labels-idx1-ubyte.gz",
            "763e7fa3757d93b0cdec073cef058b2004252c17",
        )
        self._namespace = "mnist"
        super().__init__(root, transform)

    def _get_data(self) -> None:
        pair = (self._train_data, self._train_label)
        images, labels = pair if self._train else (self._test_data, self._test_label)
        pixels = read_idx(self._fetch(images), 3, zipped=True)
        self._data = in_mode(array(pixels[..., None], dtype=pixels.dtype))
        self._label = _labels(read_idx(self._fetch(labels), 1, zipped=True).astype(np.int32))

    def _fetch(self, file: Named) -> str:
        url = _get_repo_file_url(f"gluon/dataset/{self._namespace}", file[0])
        return download(url, path=self._root, sha1_hash=file[1])


class FashionMNIST(MNIST):
    """Clothing: images (28, 28, 1) uint8, labels int32."""

    def __init__(
        self,
        root: str = _folder("fashion-mnist"),
        train: bool = True,
        transform: Callable[..., Any] | None = None,
    ) -> None:
        self._train = train
        self._train_data = (
            "train-images-idx3-ubyte.gz",
            "0cf37b0d40ed5169c6b3aba31069a9770ac9043d",
        )
        self._train_label = (
            "train-labels-idx1-ubyte.gz",
            "236021d52f1e40852b06a4c3008d8de8aef1e40b",
        )
        self._test_data = (
            "t10k-images-idx3-ubyte.gz",
            "626ed6a7c06dd17c0eec72fa3be1740f146a2863",
        )
        self._test_label = (
            "t10k-labels-idx1-ubyte.gz",
            "17f9ab60e7257a1620f4ad76bbbaf857c3920701",
        )
        self._namespace = "fashion-mnist"
        super(MNIST, self).__init__(root, transform)


class CIFAR10(dataset._DownloadedDataset):
    """Small photographs of 10 classes: images (32, 32, 3) uint8, labels int32."""

    _label_bytes = 1

    def __init__(
        self,
        root: str = _folder("cifar10"),
        train: bool = True,
        transform: Callable[..., Any] | None = None,
    ) -> None:
        self._train = train
        self._archive_file: Named = (
            "cifar-10-binary.tar.gz",
            "fab780a1e191a7eda0f345501ccd62d20f7ed891",
        )
        self._train_data: list[Named] = [
            ("data_batch_1.bin", "aadd24acce27caa71bf4b10992e9e7b2d74c2540"),
            ("data_batch_2.bin", "c0ba65cce70568cd57b4e03e9ac8d2a5367c1795"),
            ("data_batch_3.bin", "1dd00a74ab1d17a6e7d73e185b69dbf31242f295"),
            ("data_batch_4.bin", "aab85764eb3584312d3c7f65fd2fd016e36a258e"),
            ("data_batch_5.bin", "26e2849e66a845b7f1e4614ae70f4889ae604628"),
        ]
        self._test_data: list[Named] = [
            ("test_batch.bin", "67eb016db431130d61cd03c7ad570b013799c88c"),
        ]
        self._namespace = "cifar10"
        super().__init__(root, transform)

    def _read_batch(self, filename: str) -> tuple[np.ndarray, np.ndarray]:
        skip = self._label_bytes
        rows = np.fromfile(filename, np.uint8).reshape(-1, 3072 + skip)
        images = rows[:, skip:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        return images, rows[:, self._label_column()].astype(np.int32)

    def _label_column(self) -> int:
        return 0

    def _get_data(self) -> None:
        files = self._train_data + self._test_data
        paths = {name: os.path.join(self._root, name) for name, _ in files}
        if any(not (os.path.exists(paths[n]) and check_sha1(paths[n], h)) for n, h in files):
            name, checksum = self._archive_file
            url = _get_repo_file_url(f"gluon/dataset/{self._namespace}", name)
            _unpack(download(url, path=self._root, sha1_hash=checksum), paths)
        wanted = self._train_data if self._train else self._test_data
        parts = [self._read_batch(paths[name]) for name, _ in wanted]
        images = np.concatenate([images for images, _ in parts])
        self._data = in_mode(array(images, dtype=images.dtype))
        self._label = _labels(np.concatenate([labels for _, labels in parts]))


def _unpack(archive: str, paths: dict[str, str]) -> None:
    """Take the wanted files out of an archive, whatever folder they are in."""
    with tarfile.open(archive) as tar:
        for member in tar:
            path = paths.get(os.path.basename(member.name))
            content = tar.extractfile(member) if path else None
            if path and content:
                with open(path, "wb") as file:
                    file.write(content.read())


class CIFAR100(CIFAR10):
    """Small photographs of 100 classes, or with `fine_label=False` of their 20 groups."""

    _label_bytes = 2

    def __init__(
        self,
        root: str = _folder("cifar100"),
        fine_label: bool = False,
        train: bool = True,
        transform: Callable[..., Any] | None = None,
    ) -> None:
        self._train = train
        self._archive_file = (
            "cifar-100-binary.tar.gz",
            "a0bb982c76b83111308126cc779a992fa506b90b",
        )
        self._train_data = [("train.bin", "e207cd2e05b73b1393c74c7f5e7bea451d63e08e")]
        self._test_data = [("test.bin", "8fb6623e830365ff53cf14adec797474f5478006")]
        self._fine_label = fine_label
        self._namespace = "cifar100"
        super(CIFAR10, self).__init__(root, transform)

    def _label_column(self) -> int:
        return int(self._fine_label)


class ImageRecordDataset(dataset.RecordFileDataset):
    """The images of a RecordIO file with their labels: (H, W, 3) uint8, or (H, W, 1) of `flag` 0.

    `transform(image, label)` makes a sample of them.
    """

    def __init__(
        self, filename: str, flag: int = 1, transform: Callable[..., Any] | None = None
    ) -> None:
        super().__init__(filename)
        self._flag = flag
        self._transform = transform

    def __getitem__(self, idx: Any) -> Any:
        header, encoded = recordio.unpack(super().__getitem__(idx))
        picture = image.imdecode(encoded, self._flag)
        if self._transform is not None:
            return self._transform(picture, header.label)
        return picture, header.label


class ImageFolderDataset(dataset.Dataset):
    """The images (.jpg, .jpeg, .png) of a folder that has a folder for each class.

    A sample is the image, (H, W, 3) uint8 or (H, W, 1) of `flag` 0, and the number of its class:
    `synsets` has the names. `transform(image, label)` makes a sample of them. Other files are
    left out, with a warning.
    """

    def __init__(
        self, root: str, flag: int = 1, transform: Callable[..., Any] | None = None
    ) -> None:
        self._root = os.path.expanduser(root)
        self._flag = flag
        self._transform = transform
        self._exts = [".jpg", ".jpeg", ".png"]
        self._list_images(self._root)

    def _list_images(self, root: str) -> None:
        self.synsets: list[str] = []
        self.items: list[tuple[str, int]] = []
        for folder in sorted(os.listdir(root)):
            path = os.path.join(root, folder)
            if not os.path.isdir(path):
                warnings.warn(f"Ignoring {path}, which is not a directory.", stacklevel=3)
                continue
            for name in sorted(os.listdir(path)):
                file = os.path.join(path, name)
                ext = os.path.splitext(name)[1]
                if ext.lower() not in self._exts:
                    warnings.warn(
                        f"Ignoring {file} of type {ext}. Only support {', '.join(self._exts)}",
                        stacklevel=3,
                    )
                    continue
                self.items.append((file, len(self.synsets)))
            self.synsets.append(folder)

    def __getitem__(self, idx: Any) -> Any:
        path, label = self.items[idx]
        picture = image.imread(path, self._flag)
        if self._transform is not None:
            return self._transform(picture, label)
        return picture, label

    def __len__(self) -> int:
        return len(self.items)


class ImageListDataset(dataset.Dataset):
    """The images that a list names, below `root`: (H, W, 3) uint8, or (H, W, 1) of `flag` 0.

    `imglist` is a file (a line: number, labels, path, with tabs) or a list of [label, path]. A
    sample is the image and its labels, a float32 array. MXNet has this from 2.0 on.
    """

    def __init__(self, root: str = ".", imglist: Any = None, flag: int = 1) -> None:
        self._root = os.path.expanduser(root)
        self._flag = flag
        if not isinstance(imglist, (str, list)):
            raise MXNetTypeError("imglist must be the path of a file, or a list of [label, path]")
        if isinstance(imglist, str):
            imglist = os.path.join(self._root, imglist)
        read = read_list if isinstance(imglist, str) else number_list
        self._items = list((read(imglist, "float32") or {}).values())

    def __getitem__(self, idx: Any) -> Any:
        label, path = self._items[idx]
        return image.imread(os.path.join(self._root, path), self._flag), label

    def __len__(self) -> int:
        return len(self._items)
