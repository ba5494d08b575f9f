"""Data sets and models from the network, as MXNet's examples fetch them."""

from __future__ import annotations

import bz2
import gzip
import os
import shutil
import zipfile
import zlib
from contextlib import suppress
from typing import Any

import numpy as np

from mxtorch._core import env, web
from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetError, NotSupportedError
from mxtorch._core.idx import read_idx
from mxtorch.io import MNISTIter, MXDataIter

_MNIST_FILES = (
    "train-labels-idx1-ubyte.gz",
    "train-images-idx3-ubyte.gz",
    "t10k-labels-idx1-ubyte.gz",
    "t10k-images-idx3-ubyte.gz",
)


def download(
    url: str,
    fname: str | None = None,
    dirname: str | None = None,
    overwrite: bool = False,
    retries: int = 5,
) -> str:
    """Fetch a file, unless it is there, and return its path.

    `fname` is its name (that of the address), `dirname` its folder (the current one). MXNetError
    after `retries` attempts.
    """
    assert retries >= 0, f"Number of retries should be at least 0, got {retries}"
    name = url.split("/")[-1] if fname is None else fname
    if dirname is not None:
        name = os.path.join(dirname, name)
    if not overwrite and os.path.exists(name):
        return name
    for _ in range(retries - 1):
        with suppress(MXNetError):
            web.fetch(url, name)
            return name
    web.fetch(url, name)
    return name


def _mnist(file: str) -> str:
    """The address of one of MNIST's files: where Gluon has it, MXNet's own here is gone."""
    return web.repository() + "gluon/dataset/mnist/" + file


def get_mnist() -> dict[str, np.ndarray]:
    """MNIST: 'train_data' and 'test_data' (n, 1, 28, 28) float32 in [0, 1], and the labels int8.

    The files are fetched into the current folder, unless they are there.
    """
    names = ("train_label", "train_data", "test_label", "test_data")
    found: dict[str, np.ndarray] = {}
    for name, file in zip(names, _MNIST_FILES, strict=True):
        path = download(_mnist(file))
        if name.endswith("label"):
            found[name] = read_idx(path, 1, zipped=True).astype(np.int8)
        else:
            pixels = read_idx(path, 3, zipped=True)
            found[name] = pixels[:, None].astype(np.float32) / 255
    return {name: found[name] for name in ("train_data", "train_label", "test_data", "test_label")}


def get_mnist_pkl() -> None:
    """Fetch `data/mnist.pkl.gz`, MNIST as a pickle of NumPy arrays; it is not opened."""
    os.makedirs("data", exist_ok=True)
    download("http://deeplearning.net/data/mnist/mnist.pkl.gz", dirname="data")


def get_mnist_ubyte() -> None:
    """Fetch MNIST's four files into the folder `data`, unpacked."""
    os.makedirs("data", exist_ok=True)
    for file in _MNIST_FILES:
        target = os.path.join("data", file.removesuffix(".gz"))
        if os.path.exists(target):
            continue
        path = download(_mnist(file), dirname="data")
        try:
            with gzip.open(path, "rb") as packed, atomic_write(target) as unpacked:
                shutil.copyfileobj(packed, unpacked)
        except (OSError, EOFError, zlib.error) as error:
            raise MXNetError(f"{path}: this is no gzip file, or it is damaged: {error}") from error


def get_cifar10() -> None:
    """Fetch the record files of CIFAR-10 into the folder `data/cifar`."""
    names = ("train.rec", "test.rec", "train.lst", "test.lst")
    if all(os.path.exists(os.path.join("data", "cifar", name)) for name in names):
        return
    os.makedirs("data", exist_ok=True)
    _unpack_zip(download("http://data.mxnet.io/mxnet/data/cifar10.zip", dirname="data"), "data")


def get_mnist_iterator(
    batch_size: int, input_shape: Any, num_parts: int = 1, part_index: int = 0
) -> tuple[MXDataIter, MXDataIter]:
    """Iterators over MNIST for training and validation, in the folder `data`.

    With an `input_shape` of one number the images are flat. Training is on one of `num_parts`.
    """
    get_mnist_ubyte()
    flat = len(input_shape) == 1
    train = MNISTIter(
        image="data/train-images-idx3-ubyte",
        label="data/train-labels-idx1-ubyte",
        batch_size=batch_size,
        shuffle=True,
        flat=flat,
        num_parts=num_parts,
        part_index=part_index,
    )
    validation = MNISTIter(
        image="data/t10k-images-idx3-ubyte",
        label="data/t10k-labels-idx1-ubyte",
        batch_size=batch_size,
        flat=flat,
        num_parts=num_parts,
        part_index=part_index,
    )
    return train, validation


def get_zip_data(data_dir: str, url: str, data_origin_name: str) -> None:
    """Fetch a zip archive into a folder and unpack it there."""
    archive = os.path.join(data_dir, data_origin_name)
    if not os.path.exists(archive):
        download(url, dirname=data_dir, fname=data_origin_name)
        _unpack_zip(archive, data_dir)


def _unpack_zip(archive: str, folder: str) -> None:
    try:
        with zipfile.ZipFile(archive) as file:
            file.extractall(folder)  # names that lead out of the folder are cut
    except zipfile.BadZipFile as error:
        raise MXNetError(f"{archive}: this is no zip archive, or it is damaged: {error}") from error


def get_bz2_data(data_dir: str, data_name: str, url: str, data_origin_name: str) -> None:
    """Fetch a bz2 archive into a folder and unpack it to the file `data_name` there."""
    target = os.path.join(data_dir, data_name)
    archive = os.path.join(data_dir, data_origin_name)
    if os.path.exists(target):
        return
    download(url, fname=data_origin_name, dirname=data_dir, overwrite=False)
    try:
        with bz2.BZ2File(archive, "rb") as packed, atomic_write(target) as file:
            shutil.copyfileobj(packed, file)
    except (OSError, EOFError) as error:
        raise MXNetError(f"{archive}: this is no bz2 file, or it is damaged: {error}") from error
    os.remove(archive)


def get_im2rec_path(home_env: str = "MXNET_HOME") -> str:
    """The path of MXNet's `im2rec.py`, in the folder that a variable names."""
    home = env.read(home_env)
    if home:
        for folder in (os.path.join(home, "tools"), home):
            path = os.path.join(folder, "im2rec.py")
            if os.path.isfile(path):
                return path
    raise NotSupportedError(
        f"mxtorch has no im2rec.py: set {home_env} to the folder of MXNet's sources, or write the "
        "records with mx.recordio.MXIndexedRecordIO and pack_img"
    )


def download_model(
    model_name: str, dst_dir: str = "./", meta_info: dict[str, dict[str, str]] | None = None
) -> tuple[str | None, int]:
    """Fetch a model's symbol and parameters; (the name without its ending, epoch).

    `meta_info` has the addresses: {name: {'symbol': …, 'params': …}}. (None, 0) for another name.
    """
    if meta_info is None:
        raise NotSupportedError(
            "MXNet's own list of models is not at its address any more: pass meta_info="
            "{name: {'symbol': url, 'params': url}}, or use mx.gluon.model_zoo"
        )
    meta = meta_info.get(model_name)
    if meta is None:
        return None, 0
    assert "symbol" in meta, f"meta_info of {model_name} has no 'symbol'"
    assert "params" in meta, f"meta_info of {model_name} has no 'params'"
    os.makedirs(dst_dir, exist_ok=True)
    prefix = os.path.join(dst_dir, model_name)
    download(meta["symbol"], prefix + "-symbol.json")
    download(meta["params"], prefix + "-0000.params")
    return prefix, 0
