"""Weights of the model zoo: the cache folder, checksums, the download, what to do without one."""

import functools
import hashlib
import http.server
import pathlib
import threading
import zipfile

import pytest

import mxtorch as mx
from mxtorch.gluon.model_zoo import model_store, vision


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture
def weights(tmp_path, monkeypatch):
    """A net whose trained weights are in a file, with the checksum that the store expects."""
    net = vision.mobilenet0_25()
    net.initialize(mx.init.One())
    net(mx.nd.ones((1, 3, 32, 32)))
    file = tmp_path / "weights"
    net.save_parameters(str(file))
    checksum = hashlib.sha1(file.read_bytes()).hexdigest()
    monkeypatch.setitem(model_store._model_sha1, "mobilenet0.25", checksum)
    return file, f"mobilenet0.25-{checksum[:8]}"


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    """A server; the folder that it shows."""
    folder = tmp_path / "served" / "gluon" / "models"
    folder.mkdir(parents=True)
    handler = functools.partial(Quiet, directory=str(tmp_path / "served"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        monkeypatch.setenv("MXNET_GLUON_REPO", f"http://127.0.0.1:{httpd.server_port}")
        yield folder
        httpd.shutdown()
        thread.join()


def serve(folder, stem, file, member=None):
    with zipfile.ZipFile(folder / f"{stem}.zip", "w") as packed:
        packed.write(file, member or f"{stem}.params")


def test_from_the_cache(weights, tmp_path, monkeypatch):
    file, stem = weights
    monkeypatch.setenv("MXNET_GLUON_REPO", "http://127.0.0.1:9")
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / f"{stem}.params").write_bytes(file.read_bytes())
    net = vision.get_model("mobilenet0.25", pretrained=True, root=str(cache))
    assert (net.features[0].weight.data().asnumpy() == 1).all()


def test_downloaded(weights, mirror, tmp_path):
    file, stem = weights
    serve(mirror, stem, file)
    cache = tmp_path / "new" / "cache"
    path = model_store.get_model_file("mobilenet0.25", root=str(cache))
    assert path == str(cache / f"{stem}.params")
    assert [f.name for f in cache.iterdir()] == [f"{stem}.params"]
    assert (cache / f"{stem}.params").read_bytes() == file.read_bytes()


def test_damaged_in_the_cache(weights, mirror, tmp_path, capsys):
    file, stem = weights
    serve(mirror, stem, file)
    (tmp_path / f"{stem}.params").write_bytes(b"damaged")
    path = model_store.get_model_file("mobilenet0.25", root=str(tmp_path))
    assert "Mismatch" in capsys.readouterr().out
    assert pathlib.Path(path).read_bytes() == file.read_bytes()


def test_wrong_content(weights, mirror, tmp_path):
    _, stem = weights
    other = tmp_path / "other"
    other.write_bytes(b"other")
    serve(mirror, stem, other)
    with pytest.raises(ValueError, match="different hash"):
        model_store.get_model_file("mobilenet0.25", root=str(tmp_path / "cache"))


@pytest.mark.parametrize("kind", ["no archive", "other member"])
def test_wrong_archive(weights, mirror, tmp_path, kind):
    file, stem = weights
    if kind == "no archive":
        (mirror / f"{stem}.zip").write_bytes(b"nothing")
    else:
        serve(mirror, stem, file, "../../evil.params")
    with pytest.raises(mx.MXNetError, match="is not an archive with"):
        model_store.get_model_file("mobilenet0.25", root=str(tmp_path / "cache"))
    assert not list(tmp_path.rglob("evil*"))


def test_without_network(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_GLUON_REPO", "http://127.0.0.1:9")
    with pytest.raises(mx.MXNetError, match=r"resnet18_v1-a0666292\.params there.*MXNET_HOME"):
        vision.resnet18_v1(pretrained=True, root=str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_purge(tmp_path):
    (tmp_path / "a.params").touch()
    (tmp_path / "b.txt").touch()
    model_store.purge(str(tmp_path))
    assert [f.name for f in tmp_path.iterdir()] == ["b.txt"]
