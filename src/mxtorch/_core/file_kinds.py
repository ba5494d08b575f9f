"""What a file is, by its first bytes, and what to do with it where another kind is wanted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

# How many bytes tell what a file is.
HEAD = 512


class Kind(NamedTuple):
    """A kind of file: its short name, what tells it, what it is and what to do with it."""

    name: str
    fits: Callable[[bytes], bool]
    text: str


def _starts(*starts: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(starts)


def _holds(member: str) -> Callable[[bytes], bool]:
    """A zip archive whose first member has a name like that."""
    pattern = re.compile(member.encode())

    def fits(head: bytes) -> bool:
        length = int.from_bytes(head[26:28], "little")
        is_zip = head.startswith(b"PK\x03\x04")
        return is_zip and pattern.search(head[30 : 30 + length]) is not None

    return fits


def _is_safetensors(head: bytes) -> bool:
    return head[8:10] == b'{"' and 2 <= int.from_bytes(head[:8], "little") < 2**32


def _is_onnx(head: bytes) -> bool:
    """The first field, a small version, and then a field of text or of a graph."""
    return len(head) > 4 and head[0] == 8 and 0 < head[1] < 32 and head[2] in (0x12, 0x3A, 0x42)


def _is_pickle(head: bytes) -> bool:
    return head[:1] == b"\x80" and 2 <= head[1] <= 5 if len(head) > 1 else False


_CODE = re.compile(
    r"(?m)^(import \w|from [\w.]+ import|def \w+\(|class \w+[:(]|@\w|print\(|#!.*python|\"\"\"|"
    r"# -\*-)"
)


def _is_text(head: bytes) -> bool:
    """Text in UTF-8; the last character may be cut off."""
    try:
        text = head.decode()
    except UnicodeDecodeError as error:
        if len(head) < HEAD or error.start < len(head) - 3:
            return False
        text = head[: error.start].decode()
    return bool(text) and all(c.isprintable() or c in "\r\n\t\f" for c in text)


def _is_python(head: bytes) -> bool:
    return _is_text(head) and _CODE.search(head.decode(errors="ignore")) is not None


_KINDS = (
    Kind("params", _starts(b"\x12\x01\0\0\0\0\0\0"), "holds arrays of MXNet (.params): mx.nd.load"),
    Kind(
        "records",
        _starts(b"\x0a\x23\xd7\xce"),
        "holds records (.rec): mx.recordio, mxtorch inspect",
    ),
    Kind(
        "torch", _holds(r"/data\.pkl$|/\.format_version$"), "was written by torch.save: torch.load"
    ),
    Kind(
        "npz", _holds(r"\.npy$"), "is a NumPy .npz archive, as MXNet 2 writes them: use numpy.load"
    ),
    Kind("zip", _starts(b"PK\x03\x04"), "is a zip archive: unpack it first"),
    Kind("npy", _starts(b"\x93NUMPY"), "is an array of NumPy (.npy): use numpy.load"),
    Kind("safetensors", _is_safetensors, "is a .safetensors file: mxtorch convert -o NAME.params"),
    Kind("torch", _starts(b"\x80\x02\x8a\x0al\xfc\x9c"), "was written by torch.save: torch.load"),
    Kind("pickle", _is_pickle, "is a Python pickle, perhaps the states of an optimizer (.states)"),
    Kind("hdf5", _starts(b"\x89HDF"), "is an HDF5 file, perhaps weights of Keras"),
    Kind(
        "lfs",
        _starts(b"version https://git-lfs"),
        "is a Git LFS pointer: `git lfs pull` gets the file",
    ),
    Kind("gzip", _starts(b"\x1f\x8b"), "is gzip-compressed: unpack it first"),
    Kind("tar", lambda head: head[257:262] == b"ustar", "is a tar archive: unpack it first"),
    Kind(
        "image",
        _starts(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM"),
        "is an image: mx.image.imread",
    ),
    Kind(
        "html", lambda head: head.lstrip()[:1] == b"<", "looks like a web page: download it again"
    ),
    Kind(
        "json",
        lambda head: head.lstrip()[:1] in (b"{", b"["),
        "looks like JSON, perhaps the -symbol.json that belongs to a .params",
    ),
    Kind("onnx", _is_onnx, "looks like an ONNX model: mx.contrib.onnx.import_model reads it"),
    Kind(
        "python",
        _is_python,
        "is Python source: `mxtorch run` runs it, `mxtorch port` writes it as PyTorch",
    ),
    Kind("text", _is_text, "is text"),
)


def what_is(head: bytes, wanted: str) -> str | None:
    """What a file with these first bytes is ("is an image: …"), if that is not the kind `wanted`.

    None for a kind that is not known here.
    """
    found = next((kind for kind in _KINDS if kind.fits(head[:HEAD])), None)
    return None if found is None or found.name == wanted else found.text
