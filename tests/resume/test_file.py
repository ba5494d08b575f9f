"""A damaged or foreign file is an MXNetError that names it, whatever byte is wrong."""

import json

import pytest
import safetensors.torch
import torch

from mxtorch._core.errors import MXNetError
from mxtorch._resume import file
from mxtorch._resume.file import dump, load

DATA = dump({"copies": [{"place": [1, 2]}]}, {"a": torch.arange(20.0), "b": torch.ones(3, 2)})


def test_good_file():
    content, tensors = load(DATA, "x")
    assert content == {"copies": [{"place": [1, 2]}]}
    assert torch.equal(tensors["a"], torch.arange(20.0))


@pytest.mark.parametrize("place", range(0, len(DATA), 7))
def test_any_flipped_bit_is_found(place):
    data = bytearray(DATA)
    data[place] ^= 0x10
    try:
        content, tensors = load(bytes(data), "some.ckpt")
    except MXNetError as error:
        assert "some.ckpt" in str(error)
    else:  # blanks between the header and the values
        assert (content, tensors.keys()) == (load(DATA, "")[0], {"a", "b"})


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 100, len(DATA) // 2, len(DATA) - 1])
def test_truncated_file(length):
    with pytest.raises(MXNetError, match=r"some.ckpt is damaged, or no checkpoint"):
        load(DATA[:length], "some.ckpt")


def test_longer_file():
    with pytest.raises(MXNetError, match=r"some\.ckpt is damaged"):
        load(DATA + b"x", "some.ckpt")


def test_foreign_files():
    with pytest.raises(MXNetError, match=r"no 'mxtorch\.checkpoint'"):
        load(safetensors.torch.save({"a": torch.ones(2)}), "x")
    text = json.dumps({"format": 1})
    for metadata in ({"mxtorch.checkpoint": text}, {"mxtorch.checkpoint": "{"}):
        with pytest.raises(MXNetError, match="damaged"):
            load(safetensors.torch.save({}, metadata), "x")


def test_deeply_nested_header():
    text = "[" * 100000
    metadata = {"mxtorch.checkpoint": text, "mxtorch.checkpoint.sum": file._text_sum(text)}
    with pytest.raises(MXNetError, match="damaged"):
        load(safetensors.torch.save({}, metadata), "x")


def test_later_format(monkeypatch):
    monkeypatch.setattr(file, "_FORMAT", 2)
    data = dump({}, {})
    monkeypatch.undo()
    with pytest.raises(MXNetError, match="format 2 is not known"):
        load(data, "x")
