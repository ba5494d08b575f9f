"""`mxtorch scan` and `mxtorch port`: what they print, write and return."""

import json
import os

import pytest

from mxtorch.cli.main import main
from mxtorch.port.scan import scan_text

PROGRAM = """\
# a program
import mxnet as mx
from mxnet import nd

x = nd.ones((2, 3))  # six
print(x.sum().asscalar())
"""
BY_HAND = PROGRAM + "f = mx.nd.sparse\ny = mx.kv.create('dist_async')\nz = mx.no_such_name\n"


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    streams = capsys.readouterr()
    return stop.value.code, streams.out, streams.err


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "src"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.py").write_text(PROGRAM)
    (folder / "sub" / "b.py").write_text("print('no framework')\n")
    (folder / "notes.txt").write_text("import mxnet\n")
    return folder


def test_port_copies_a_tree(source, tmp_path, capsys):
    out = tmp_path / "out"
    code, text, _ = run(capsys, "port", source, "-o", out)
    assert code == 0, text
    assert (out / "a.py").read_text() == (
        "# a program\nimport torch\n\nx = torch.ones((2, 3))  # six\nprint(x.sum().item())\n"
    )
    assert (out / "sub" / "b.py").read_text() == "print('no framework')\n"
    assert (out / "notes.txt").read_text() == "import mxnet\n"
    assert (source / "a.py").read_text() == PROGRAM


def test_port_of_a_file(source, tmp_path, capsys):
    out = tmp_path / "ported.py"
    assert run(capsys, "port", source / "a.py", "-o", out)[0] == 0
    assert "torch.ones" in out.read_text()


def test_port_in_place(source, capsys):
    assert run(capsys, "port", source, "--in-place")[0] == 0
    assert "torch.ones" in (source / "a.py").read_text()
    assert (source / "notes.txt").read_text() == "import mxnet\n"


def test_check_and_diff_write_nothing(source, capsys):
    assert run(capsys, "port", source, "--check")[0] == 1
    code, text, _ = run(capsys, "port", source, "--diff")
    assert code == 0
    assert "-x = nd.ones((2, 3))  # six\n" in text
    assert "+x = torch.ones((2, 3))  # six\n" in text
    assert (source / "a.py").read_text() == PROGRAM


def test_output_inside_the_source_is_refused(source, capsys):
    code, _, error = run(capsys, "port", source, "-o", source / "out")
    assert code == 2
    assert "choose a folder outside" in error


def test_a_full_output_folder_is_refused(source, tmp_path, capsys):
    code, _, error = run(capsys, "port", source, "-o", tmp_path)
    assert code == 2
    assert "not empty" in error or "outside" in error


@pytest.mark.parametrize("options", [(), ("--check", "--diff"), ("--in-place", "-o", "x")])
def test_one_way_to_write(source, capsys, options):
    assert run(capsys, "port", source, *options)[0] == 2


def test_what_cannot_be_read_is_said(source, tmp_path, capsys):
    (source / "old.py").write_text("import mxnet as mx\nprint 'two'\n")
    (source / "latin.py").write_bytes(b"# caf\xe9 mxnet\nx = 1\n")
    out = tmp_path / "out"
    code, text, _ = run(capsys, "port", source, "-o", out, "--json")
    found = {f["path"]: f for f in json.loads(text)["files"]}
    assert code == 1
    assert "Python 2" in found["old.py"]["findings"][0]["message"]
    assert "encoding" in found["latin.py"]["refused"]
    assert (out / "old.py").read_bytes() == (source / "old.py").read_bytes()
    assert (out / "latin.py").read_bytes() == (source / "latin.py").read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_stays_a_link(source, tmp_path, capsys):
    (source / "link.txt").symlink_to("notes.txt")
    (source / "away").symlink_to(tmp_path)
    out = tmp_path / "out"
    assert run(capsys, "port", source, "-o", out)[0] == 0
    assert (out / "link.txt").is_symlink()
    assert (out / "away").is_symlink()


def test_line_ends_and_encoding_stay(tmp_path, capsys):
    path = tmp_path / "a.py"
    text = "# -*- coding: latin-1 -*-\n# caf\xe9\n" + PROGRAM
    path.write_bytes(text.replace("\n", "\r\n").encode("latin-1"))
    out = tmp_path / "b.py"
    assert run(capsys, "port", path, "-o", out)[0] == 0
    ported = out.read_bytes()
    assert b"\r\n# caf\xe9\r\n" in ported
    assert b"torch.ones" in ported
    assert ported.count(b"\n") == ported.count(b"\r\n")


def test_a_notebook(tmp_path, capsys):
    def cell(*lines, kind="code", **more):
        return {"cell_type": kind, "metadata": {}, **more, "source": list(lines)}

    cells = [
        cell("import mxnet", kind="markdown"),
        cell("%matplotlib inline\n", "from mxnet import nd", outputs=[]),
        cell("x = nd.ones((2,))\n", "!ls", outputs=[1]),
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1))
    out = tmp_path / "b.ipynb"
    assert run(capsys, "port", path, "-o", out)[0] == 0
    ported = json.loads(out.read_text())["cells"]
    assert ported[0] == cells[0]
    assert ported[1]["source"] == ["%matplotlib inline\n", "import torch"]
    assert ported[2]["source"] == ["x = torch.ones((2,))\n", "!ls"]
    assert ported[2]["outputs"] == [1]


def test_scan_of_a_ready_program(source, capsys):
    code, text, _ = run(capsys, "scan", source)
    assert code == 0
    assert "can be ported: 100.0%" in text


def test_scan_names_what_is_left(tmp_path, capsys):
    path = tmp_path / "a.py"
    path.write_text(BY_HAND)
    code, text, _ = run(capsys, "scan", path, "--json")
    uses = {(u["line"], u["name"]): u["status"] for u in json.loads(text)["uses"]}
    assert code == 1
    assert uses[5, "mx.nd.ones"] == "exact"
    assert uses[6, "mx.nd.NDArray.asscalar"] == "exact"
    assert uses[8, "mx.kv.create"] == "by hand"
    assert uses[9, "mx.no_such_name"] == "unknown"


def test_scan_as_sarif_and_html(tmp_path, capsys):
    path = tmp_path / "a.py"
    path.write_text(BY_HAND)
    page = tmp_path / "report.html"
    _, text, _ = run(capsys, "scan", path, "--sarif", "--html", page)
    results = json.loads(text)["runs"][0]["results"]
    assert {r["level"] for r in results} == {"note", "warning"}
    assert "mx.no_such_name" in page.read_text()
    assert "http" not in page.read_text()


@pytest.mark.parametrize(
    ("text", "name", "status"),
    [
        ("from mxnet.gluon import *\n", "mxnet.gluon.*", "unclear"),
        ("import mxnet as mx\nf = getattr(mx.nd, name)\n", "mx.nd.*", "unclear"),
        ("import mxnet.ndarray as F\ny = F.relu(F.ones((2,)))\n", "mx.nd.relu", "exact"),
        ("from mxnet import gluon as g\nd = g.nn.Dense(3)\n", "mx.gluon.nn.Dense", "exact"),
        ("from mxnet.gluon.nn import Dense as D\nd = D(3)\n", "mx.gluon.nn.Dense", "exact"),
    ],
)
def test_scan_resolves_names(text, name, status):
    assert (name, status) in {(u.name, u.status) for u in scan_text(text)}
