"""Helpers for programs with Gluon: splitting batches over contexts, clipping, downloading."""

from __future__ import annotations

import hashlib
import os
import weakref
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import torch

from mxtorch import ndarray
from mxtorch._core import web
from mxtorch._core.device import Context, context_to_device
from mxtorch._core.errors import MXNetAssertionError, MXNetError, MXNetValueError
from mxtorch._core.modes import modes
from mxtorch._core.warn import warn
from mxtorch._front.handle import is_sparse, wrap, wrap_new
from mxtorch.gluon._text import brief_list as _brief_print_list  # noqa: F401 - MXNet's name
from mxtorch.gluon._text import indent
from mxtorch.ndarray import NDArray
from mxtorch.ndarray.numpy._array import array_of_mode

__all__ = [
    "HookHandle",
    "check_sha1",
    "clip_global_norm",
    "download",
    "replace_file",
    "shape_is_known",
    "split_and_load",
    "split_data",
]

_indent = indent  # MXNet's name of it here


nd: Any = ndarray  # its operators come from the table, where a type checker sees none


def split_data(
    data: Any, num_slice: int, batch_axis: int = 0, even_split: bool = True
) -> list[Any]:
    """`data` in `num_slice` pieces along an axis; the first pieces get what is left over.

    Pieces of an NDArray along axis 0 share its memory. ValueError where the length is no multiple
    of `num_slice`, unless `even_split=False`; MXNetError for an empty piece along another axis.
    """
    size = data.shape[batch_axis]
    if even_split and size % num_slice:
        raise MXNetValueError(
            f"data with shape {data.shape} cannot be evenly split into {num_slice} slices along "
            f"axis {batch_axis}. Use a batch size that's multiple of {num_slice} or set "
            "even_split=False to allow uneven partitioning of data."
        )
    length, longer = divmod(size, num_slice)
    ends = [(i + 1) * length + min(i + 1, longer) for i in range(num_slice)]
    pieces = []
    for begin, end in zip([0, *ends], ends, strict=False):
        if isinstance(data, NDArray) and batch_axis:  # MXNetError for an empty piece
            pieces.append(nd.slice_axis(data, axis=batch_axis, begin=begin, end=end))
        elif isinstance(data, NDArray) and begin == end:  # an empty array: no operator makes one
            pieces.append(wrap(data._kind, data.live().narrow(batch_axis, begin, 0).contiguous()))
        else:
            pieces.append(data[(slice(None),) * batch_axis + (slice(begin, end),)])
    return pieces


def split_and_load(
    data: Any, ctx_list: Sequence[Context], batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """The pieces of `split_data`, one on each context; with one context the data itself."""
    if not isinstance(data, NDArray):
        data = array_of_mode(data, ctx_list[0])
    if len(ctx_list) == 1:
        return [data.as_in_context(ctx_list[0])]
    pieces = split_data(data, len(ctx_list), batch_axis, even_split)
    return [piece.as_in_context(ctx) for piece, ctx in zip(pieces, ctx_list, strict=True)]


def clip_global_norm(
    arrays: Sequence[NDArray], max_norm: float, check_isfinite: bool = True
) -> Any:
    """Scale the arrays in place so that the norm of all together is at most `max_norm`.

    Returns the norm before: a NumPy number, or an array without `check_isfinite`.
    """
    if not len(arrays):
        raise MXNetAssertionError("clip_global_norm: there are no arrays")
    ctx = arrays[0].context
    device = context_to_device(ctx)
    squares = [torch.linalg.vector_norm(a.storage()).square().to(device) for a in arrays]
    total = torch.stack(squares).sum().sqrt().reshape(1)
    if check_isfinite and not bool(torch.isfinite(total)):
        warn("nan or inf is detected. Clipping results will be undefined.", UserWarning)
    scale = torch.clamp(max_norm / (total + 1e-8), max=1.0)
    for array in arrays:
        if is_sparse(array):
            value: Any = array.stored()
            array.receive(value.with_data(value.data * scale.to(value.data)))
            continue
        store = array.write_storage()
        store.mul_(scale.to(store.device, store.dtype))
    return total.cpu().numpy()[0] if check_isfinite else wrap_new(arrays[0]._kind.cls, total, ctx)


def check_sha1(filename: str, sha1_hash: str) -> bool:
    """Whether the file has that SHA-1 (given as hex digits)."""
    digest = hashlib.sha1()
    with open(filename, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest() == sha1_hash


def replace_file(src: str, dst: str) -> None:
    """Move a file over another one, at once."""
    os.replace(src, dst)


def download(
    url: str,
    path: str | None = None,
    overwrite: bool = False,
    sha1_hash: str | None = None,
    retries: int = 5,
    verify_ssl: bool = True,
) -> str:
    """Fetch a file and return its path; nothing is done if it is there already and has the hash.

    `path` is a file or a folder. MXNetError if the file cannot be had or has another hash.
    """
    name = url.split("/")[-1]
    if path is None or os.path.isdir(path):
        if not name:
            raise MXNetAssertionError(
                "Can't construct file-name from this URL. Please set the `path` option manually."
            )
        path = name if path is None else os.path.join(path, name)
    path = os.path.expanduser(path)
    if retries < 0:
        raise MXNetAssertionError(
            f"Number of retries should be at least 0, currently it's {retries}"
        )
    if not verify_ssl:
        warn(
            "Unverified HTTPS request is being made (verify_ssl=False). Adding certificate "
            "verification is strongly advised."
        )
    if not overwrite and os.path.exists(path) and (not sha1_hash or check_sha1(path, sha1_hash)):
        return path
    for left in reversed(range(max(retries, 1))):
        try:
            web.fetch(url, path, verify_ssl)
            if sha1_hash and not check_sha1(path, sha1_hash):
                raise MXNetError(
                    f"File {path} is downloaded but the content hash does not match. The repo "
                    "may be outdated or download may be incomplete."
                )
            return path
        except MXNetError as error:
            if not left:
                raise
            ending = "s" if left > 1 else ""
            print(f"download failed due to {error!r}, retrying, {left} attempt{ending} left")
    raise AssertionError


def shape_is_known(shape: Sequence[int] | None) -> bool:
    """Whether every axis of a shape has its length.

    0 stands for an unknown one; under NumPy's shapes -1, and () is a shape.
    """
    if modes.np_shape:
        return shape is not None and -1 not in shape
    if not shape:
        return False
    for length in shape:
        if length < 0:
            raise MXNetAssertionError(
                f"shape dimension size cannot be less than 0, while received {length}"
            )
    return 0 not in shape


class HookHandle:
    """What registering a hook gives back: `detach` takes the hook away again."""

    def __init__(self) -> None:
        self._hooks: Any = None
        self._id: int | None = None

    def attach(self, hooks_dict: Any, hook: Callable[..., Any]) -> None:
        """Enter a hook into a dict of hooks."""
        if self._hooks is not None:
            raise MXNetAssertionError("The same handle cannot be attached twice.")
        self._id = id(hook)
        hooks_dict[self._id] = hook
        self._hooks = weakref.ref(hooks_dict)

    def detach(self) -> None:
        """Take the hook out of its dict; nothing if it is not there."""
        hooks = self._hooks() if self._hooks is not None else None
        if hooks is not None:
            hooks.pop(self._id, None)

    def __getstate__(self) -> tuple[Any, Any]:
        return self._hooks() if self._hooks is not None else None, self._id

    def __setstate__(self, state: tuple[Any, Any]) -> None:
        hooks, self._id = state
        self._hooks = None if hooks is None else weakref.ref(hooks)

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(
        self,
        ptype: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.detach()


def _get_repo_url() -> str:
    return web.repository()


def _get_repo_file_url(namespace: str, filename: str) -> str:
    return f"{web.repository()}{namespace}/{filename}"
