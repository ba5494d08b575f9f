"""What mx.test_utils fetches, from a server of our own; nothing else is asked."""

from __future__ import annotations

import bz2
import gzip
import http.server
import io
import struct
import threading
import zipfile

import numpy as np
import pytest

import mxtorch as mx
from tests.child import python

T = mx.test_utils


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server for the files in a dict, in an empty current folder; it notes what was asked."""
    files, asked = {}, []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            data = files.get(self.path)
            self.send_response(200 if data is not None else 404)
            self.send_header("Content-Length", str(len(data or b"")))
            self.end_headers()
            self.wfile.write(data or b"")

        def log_message(self, *args):
            pass

    monkeypatch.chdir(tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.files, running.asked = files, asked
        running.url = f"http://127.0.0.1:{running.server_port}/"
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def mnist(server, monkeypatch):
    monkeypatch.setenv("MXNET_GLUON_REPO", server.url)
    images = np.arange(5 * 784).reshape(5, 28, 28).astype(np.uint8)
    pixels = gzip.compress(struct.pack(">IIII", 2051, 5, 28, 28) + images.tobytes())
    labels = gzip.compress(struct.pack(">II", 2049, 5) + bytes(range(5)))
    for part in ("train", "t10k"):
        server.files[f"/gluon/dataset/mnist/{part}-images-idx3-ubyte.gz"] = pixels
        server.files[f"/gluon/dataset/mnist/{part}-labels-idx1-ubyte.gz"] = labels
    return images


def test_download_names(server, tmp_path):
    server.files["/a.txt"] = b"hello"
    assert T.download(server.url + "a.txt") == "a.txt"
    assert T.download(server.url + "a.txt", fname="q/b.txt") == "q/b.txt"
    assert T.download(server.url + "a.txt", dirname="r") == "r/a.txt"
    assert T.download(server.url + "a.txt", fname="c.txt", dirname="r/s") == "r/s/c.txt"
    assert len(server.asked) == 4
    assert all((tmp_path / p).read_bytes() == b"hello" for p in ("a.txt", "q/b.txt", "r/s/c.txt"))


def test_download_again_only_if_asked(server, tmp_path):
    server.files["/a.txt"] = b"new"
    (tmp_path / "a.txt").write_bytes(b"old")
    T.download(server.url + "a.txt")
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    T.download(server.url + "a.txt", overwrite=True)
    assert (tmp_path / "a.txt").read_bytes() == b"new"


@pytest.mark.parametrize(("retries", "attempts"), [(0, 1), (1, 1), (3, 3)])
def test_download_attempts(server, retries, attempts):
    with pytest.raises(mx.MXNetError, match="Failed downloading"):
        T.download(server.url + "none", retries=retries)
    assert len(server.asked) == attempts


def test_get_mnist(mnist):
    found = T.get_mnist()
    assert list(found) == ["train_data", "train_label", "test_data", "test_label"]
    assert found["train_data"].shape == (5, 1, 28, 28)
    assert found["train_data"].dtype == np.float32
    assert (found["test_data"][:, 0] == mnist.astype(np.float32) / 255).all()
    assert found["train_label"].dtype == np.int8
    assert found["test_label"].tolist() == [0, 1, 2, 3, 4]


def test_get_mnist_iterator(mnist, server):
    train, validation = T.get_mnist_iterator(2, (1, 28, 28))
    assert train.provide_data[0].shape == (2, 1, 28, 28)
    assert len(list(validation)) == 2
    assert len(server.asked) == 4
    flat, _ = T.get_mnist_iterator(2, (784,), num_parts=2, part_index=1)
    assert flat.provide_data[0].shape == (2, 784)
    assert set(flat.next().label[0].asnumpy()) <= {2, 3, 4}
    assert len(server.asked) == 4


def test_get_zip_data(server, tmp_path):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("folder/a.txt", "hello")
        file.writestr("../../outside.txt", "no")
    server.files["/a.zip"] = archive.getvalue()
    T.get_zip_data("data", server.url + "a.zip", "b.zip")
    assert (tmp_path / "data" / "folder" / "a.txt").read_text() == "hello"
    assert not (tmp_path.parent / "outside.txt").exists()
    T.get_zip_data("data", server.url + "a.zip", "b.zip")
    assert len(server.asked) == 1


def test_get_bz2_data(server, tmp_path):
    server.files["/a.bz2"] = bz2.compress(b"hello")
    T.get_bz2_data("data", "a.txt", server.url + "a.bz2", "a.bz2")
    assert (tmp_path / "data" / "a.txt").read_bytes() == b"hello"
    assert not (tmp_path / "data" / "a.bz2").exists()
    server.files["/b.bz2"] = b"no bz2"
    with pytest.raises(mx.MXNetError, match="this is no bz2 file"):
        T.get_bz2_data("data", "b.txt", server.url + "b.bz2", "b.bz2")
    assert not (tmp_path / "data" / "b.txt").exists()


def test_download_model(server, tmp_path):
    server.files["/s"], server.files["/p"] = b"{}", b"parameters"
    meta = {"m": {"symbol": server.url + "s", "params": server.url + "p"}}
    prefix, epoch = T.download_model("m", "models", meta)
    assert (prefix, epoch) == ("models/m", 0)
    assert (tmp_path / "models" / "m-symbol.json").read_bytes() == b"{}"
    assert (tmp_path / "models" / "m-0000.params").read_bytes() == b"parameters"
    assert T.download_model("other", "models", meta) == (None, 0)
    with pytest.raises(mx.MXNetError, match="pass meta_info"):
        T.download_model("m")


def test_get_im2rec_path(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    with pytest.raises(mx.MXNetError, match=r"no im2rec\.py"):
        T.get_im2rec_path()
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "im2rec.py").touch()
    assert T.get_im2rec_path() == str(tmp_path / "tools" / "im2rec.py")


def test_discard_stderr():
    code = (
        "import os, sys, mxtorch as mx\n"
        "with mx.test_utils.discard_stderr():\n"
        "    os.write(2, b'hidden')\n"
        "    print('hidden', file=sys.stderr)\n"
        "print('shown', file=sys.stderr)\n"
    )
    assert python("-c", code).stderr == "shown\n"
