"""gluon.utils.download against a server on this machine."""

import functools
import hashlib
import http.server
import threading

import pytest

import mxtorch as mx
from mxtorch.gluon.utils import download

CONTENT = b"0123456789" * 20_000


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "data.bin").write_bytes(CONTENT)
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()
        thread.join()


def sha1(data):
    return hashlib.sha1(data).hexdigest()


def test_into_a_folder(server, tmp_path, capsys):
    path = download(f"{server}/data.bin", str(tmp_path), sha1_hash=sha1(CONTENT))
    assert path == str(tmp_path / "data.bin")
    assert (tmp_path / "data.bin").read_bytes() == CONTENT
    assert capsys.readouterr().out == f"Downloading {path} from {server}/data.bin...\n"


def test_into_a_folder_that_is_made(server, tmp_path):
    path = download(f"{server}/data.bin", str(tmp_path / "a" / "b.bin"))
    assert (tmp_path / "a" / "b.bin").read_bytes() == CONTENT
    assert path == str(tmp_path / "a" / "b.bin")


def test_what_is_there_is_kept(server, tmp_path, capsys):
    (tmp_path / "data.bin").write_bytes(b"mine")
    download(f"{server}/data.bin", str(tmp_path))
    assert (tmp_path / "data.bin").read_bytes() == b"mine"
    assert capsys.readouterr().out == ""
    download(f"{server}/data.bin", str(tmp_path), overwrite=True)
    assert (tmp_path / "data.bin").read_bytes() == CONTENT


def test_wrong_hash_is_fetched_again_and_refused(server, tmp_path):
    (tmp_path / "data.bin").write_bytes(b"mine")
    with pytest.raises(mx.MXNetError, match="hash does not match"):
        download(f"{server}/data.bin", str(tmp_path), sha1_hash=sha1(b"other"), retries=1)


def test_missing_file(server, tmp_path):
    with pytest.raises(mx.MXNetError, match=r"Failed downloading.*[Nn]ot [Ff]ound"):
        download(f"{server}/nope.bin", str(tmp_path), retries=0)
    assert not (tmp_path / "nope.bin").exists()


def test_no_server(tmp_path):
    with pytest.raises(mx.MXNetError, match="Failed downloading"):
        download("http://127.0.0.1:9/x", str(tmp_path), retries=0)
