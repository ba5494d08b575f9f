"""Inputs to check a conversion with: arrays in `.npy`, and images."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError, MXNetShapeError, MXNetValueError
from mxtorch._deploy.model import Dims, Model
from mxtorch._pixels import codec, geometry


def read_inputs(
    model: Model,
    shapes: Mapping[str, Dims],
    texts: Sequence[str],
    mean: Sequence[float] = (),
    std: Sequence[float] = (),
    bgr: bool = False,
) -> dict[str, Tensor]:
    """One set of inputs, each `NAME=FILE` (or `FILE`, if there is one input).

    An image becomes a batch of one, of the size of the input's shape, RGB or BGR, less `mean`, over
    `std`: of the numbers 0 to 255, of red, green and blue in this order also where `bgr` turns the
    channels.
    """
    types = model.input_dtypes()
    found: dict[str, Tensor] = {}
    for text in texts:
        name, _, file = text.rpartition("=")
        if not name and len(model.inputs) == 1:
            name = model.inputs[0]
        if name not in model.inputs:
            raise MXNetValueError(
                f"--input {text}: write NAME=FILE; the inputs are {', '.join(model.inputs)}"
            )
        path = pathlib.Path(file)
        shape = shapes.get(name)
        if path.suffix == ".npy":
            array = _load(path)
            if shape is not None and tuple(array.shape[1:]) != tuple(shape[1:]):
                raise MXNetShapeError(
                    f"{path}: has shape {array.shape}; but for the batch it must be that of "
                    f"--shape {name}={','.join(map(str, shape))}"
                )
        else:
            array = _image(path, shape, mean, std, bgr)
        found[name] = torch.from_numpy(np.ascontiguousarray(array)).to(types[name])
    missing = [name for name in model.inputs if name not in found]
    if missing:
        raise MXNetValueError(f"--input for {', '.join(missing)} is missing")
    return found


def _load(path: pathlib.Path) -> np.ndarray:
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError, MemoryError) as error:
        raise MXNetError(f"{path}: cannot be read as an array: {error}") from error
    if not isinstance(array, np.ndarray):
        array.close()
        raise MXNetError(f"{path}: cannot be read as an array: it has several")
    if array.dtype.kind not in "biuf":
        raise MXNetError(f"{path}: cannot be read as an array of numbers: it has {array.dtype}")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _image(
    path: pathlib.Path, shape: Dims | None, mean: Sequence[float], std: Sequence[float], bgr: bool
) -> np.ndarray:
    if shape is None or len(shape) != 4 or shape[1] not in (1, 3):
        raise MXNetValueError(
            f"{path}: an image needs an input of shape (1, 3, height, width), or of one channel; "
            f"got {shape}"
        )
    for option, numbers in (("--mean", mean), ("--std", std)):
        if len(numbers) not in (0, 1, shape[1]):
            raise MXNetValueError(f"{option}: {len(numbers)} numbers for {shape[1]} channels")
    if not all(std):
        raise MXNetValueError("--std: 0 is no number to divide by")
    try:
        image = codec.read(path, 1 if shape[1] == 3 else 0, to_rgb=not bgr)
    except (MXNetError, OSError) as error:
        raise MXNetError(f"{path}: {error}") from error
    image = geometry.resize(image, shape[3], shape[2]).astype(np.float32)
    order = -1 if bgr else 1
    if mean:
        image = image - np.asarray(mean[::order], np.float32)
    if std:
        image = image / np.asarray(std[::order], np.float32)
    return image.transpose(2, 0, 1)[None]
