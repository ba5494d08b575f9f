"""A file of another kind is named where MXNet's are read, with what to do about it."""

import io
import json
import pickle
import tarfile
import zipfile

import numpy as np
import pytest
import torch
from safetensors.numpy import save

import mxtorch as mx
from mxtorch._core.file_kinds import HEAD, what_is
from mxtorch.cli.main import main

SOURCE = b"# train\nimport mxnet as mx\n" + b"x = mx.nd.ones((2,))\n" * 50


def _zip(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "text")
    return file.getvalue()


def _written(save_to, *args, **options):
    file = io.BytesIO()
    save_to(*args, **options)(file)
    return file.getvalue()


def _torch(is_new):
    return lambda file: torch.save({"w": 1}, file, _use_new_zipfile_serialization=is_new)


def _tar():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    return file.getvalue()


FILES = {
    "python": (SOURCE, "mxtorch port"),
    "text": ("Grüße, 你好\n".encode() * 100, "it is text"),
    "npz": (_written(lambda: lambda file: np.savez(file, w=np.ones(2))), "NumPy .npz"),
    "npy": (_written(lambda: lambda file: np.save(file, np.ones(2))), "numpy.load"),
    "torch": (_written(lambda: _torch(True)), "torch.load"),
    "old torch": (_written(lambda: _torch(False)), "torch.load"),
    "zip": (_zip("a.txt"), "zip archive"),
    "tar": (_tar(), "tar archive"),
    "pickle": (pickle.dumps({"a": 1}), "Python pickle"),
    "safetensors": (save({"w": np.ones(2)}), ".safetensors"),
    "onnx": (b"\x08\x0e:3\n\x0c\n\x01x\x12\x01y" + bytes(40), "ONNX"),
    "records": (b"\x0a\x23\xd7\xce\x03\0\0\0abc\0", "mx.recordio"),
    "image": (b"\x89PNG\r\n\x1a\n" + bytes(40), "is an image"),
    "list": (json.dumps([1] * 30).encode(), "JSON"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", ["convert", "inspect", "load"])
def test_read_as_params(name, command, tmp_path, capsys):
    content, expected = FILES[name]
    if command == "inspect" and name in ("records", "pickle", "old torch"):
        return  # it reads these, and says so
    path = tmp_path / "w"
    path.write_bytes(content)
    if command == "load":
        with pytest.raises(mx.MXNetError) as caught:
            mx.nd.load(str(path))
        text = str(caught.value)
    else:
        more = ["-o", str(tmp_path / "o.safetensors")] if command == "convert" else []
        with pytest.raises(SystemExit) as info:
            main([command, str(path), *more])
        assert info.value.code == 1
        text = capsys.readouterr().err
    assert expected in text
    assert str(path) in text
    assert "damaged" not in text


@pytest.mark.parametrize("name", [name for name in FILES if name not in ("records", "list")])
def test_read_as_others(name, tmp_path):
    content, expected = FILES[name]
    path = tmp_path / "w"
    path.write_bytes(content)
    for read in (mx.sym.load, lambda file: mx.recordio.MXRecordIO(file, "r").read()):
        with pytest.raises(mx.MXNetError) as caught:
            read(str(path))
        assert expected in str(caught.value)


def test_own_kind_is_read(tmp_path):
    path = str(tmp_path / "w.params")
    mx.nd.save(path, [mx.nd.ones((2,))])
    with open(path, "rb") as file:
        head = file.read(HEAD)
    assert what_is(head, "params") is None
    assert "mx.nd.load" in what_is(head, "json")
    assert what_is(bytes(range(200, 256)), "params") is None
