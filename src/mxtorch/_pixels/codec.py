"""Encoded images ⇄ arrays (height, width, channels)."""

from __future__ import annotations

import os

import numpy as np

from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._pixels.opencv import opencv

Bytes = np.ndarray  # one-dimensional, uint8


def decode(
    data: bytes | bytearray | Bytes, flag: int = 1, to_rgb: bool = True, upright: bool = False
) -> np.ndarray:
    """The image of a file's bytes: (H, W, 3) RGB with `flag` 1, (H, W, 1) gray with 0; uint8.

    `to_rgb=False` leaves BGR. A turn noted in the file (EXIF) is applied with `upright` only.
    """
    if flag not in (0, 1):
        raise MXNetValueError(f"flag={flag} must be 1 (color) or 0 (gray)")
    cv2 = opencv()
    buffer = np.frombuffer(data, np.uint8)
    if not buffer.size:
        raise MXNetError("there is no image in an empty buffer")
    mode = cv2.IMREAD_COLOR if flag else cv2.IMREAD_GRAYSCALE
    if not upright:
        mode |= cv2.IMREAD_IGNORE_ORIENTATION
    try:
        image: np.ndarray | None = cv2.imdecode(buffer, mode)
    except cv2.error as error:
        raise MXNetError(f"the image cannot be decoded: {str(error.err).strip()}") from error
    if image is None:
        raise MXNetError("the image cannot be decoded: no format that OpenCV knows, or damaged")
    if not flag:
        return image[..., None]
    if to_rgb:
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
    return np.asarray(image)


def decode_alpha(data: bytes | bytearray | Bytes) -> np.ndarray:
    """The image of a file's bytes with its transparency: (H, W, 4) RGBA uint8."""
    cv2 = opencv()
    image: np.ndarray | None = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if image is None or image.ndim != 3 or image.shape[2] != 4 or image.dtype != np.uint8:
        raise MXNetError("the image has no 4 channels: it cannot fill a data_shape of 4")
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA))


def read(path: str | os.PathLike[str], flag: int = 1, to_rgb: bool = True) -> np.ndarray:
    """The image of a file, as `decode` gives it."""
    return decode(read_bytes(path), flag, to_rgb)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """A file's content; MXNetError if there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise MXNetError(f"{os.fspath(path)!r}: {error.strerror or error}") from error


def encode(image: np.ndarray, quality: int = 95, img_fmt: str = ".jpg") -> bytes:
    """The bytes of a file: `image` is (H, W), (H, W, 1) or BGR, as OpenCV has it.

    `quality`: 1 to 100 for JPEG, 0 to 9 (how hard to compress) for PNG.
    """
    cv2 = opencv()
    options = {
        ".jpg": cv2.IMWRITE_JPEG_QUALITY,
        ".jpeg": cv2.IMWRITE_JPEG_QUALITY,
        ".png": cv2.IMWRITE_PNG_COMPRESSION,
    }
    option = options.get(img_fmt.lower())
    done, data = cv2.imencode(img_fmt, image, None if option is None else [option, quality])
    if not done:
        raise MXNetError(f"an image of shape {image.shape} cannot be encoded as {img_fmt}")
    return bytes(data)
