"""Programs and trees as they come: each has a clear outcome, and the source is never touched."""

import json
import os
import stat

import pytest

from mxtorch.cli.main import main
from mxtorch.port import port_text
from mxtorch.port.scan import scan_text

HEAD = "import mxnet as mx\nfrom mxnet import gluon, nd\n"


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    return stop.value.code


# name, program, lines that the port holds, lines (from 1) with something to do
OUTCOMES = {
    "numpy and arrays": (
        """
import numpy as np
a = np.ones((2, 3))
b = nd.array(a)
c = a.sum(axis=1), a.reshape((3, 2)), a.astype('int32'), a.T, a.copy()
d = b.sum(axis=1), b.reshape((3, 2)), b.astype('int32'), b.copy()
def f(p, q):
    return p.mean(axis=0), q.mean(axis=0)
e = f(a, b)
""",
        [
            "c = a.sum(axis=1), a.reshape((3, 2)), a.astype('int32'), a.T, a.copy()",
            "d = b.sum(dim=1), b.reshape(3, 2), b.to(torch.int32), b.clone()",
            "    return p.mean(axis=0), q.mean(dim=0)",
        ],
        [],
    ),
    "a method on either": (
        """
import numpy as np
def f(p):
    return p.argsort(axis=0)
a = f(np.ones(3)), f(nd.ones((3,)))
""",
        ["    return p.argsort(axis=0)"],
        None,
    ),
    "shadowed by a parameter": (
        """
def f(nd):
    return nd.ones((2,))
y = nd.ones((2,))
""",
        ["    return nd.ones((2,))", "y = torch.ones((2,))"],
        [],
    ),
    "shadowed by a loop": (
        """
x = nd.ones((2,))
for nd in [{1: 2}]:
    y = nd.get(1)
""",
        ["    y = nd.get(1)"],
        [],
    ),
    "shadowed in a class": (
        """
class A:
    nd = {}
    def f(self):
        return self.nd.get(1), nd.ones((2,))
""",
        ["        return self.nd.get(1), torch.ones((2,))"],
        [],
    ),
    "nd from elsewhere": (
        """
from scipy import ndimage as nd
x = nd.zeros((2,))
y = mx.nd.zeros((2,))
""",
        ["x = nd.zeros((2,))", "y = torch.zeros((2,))"],
        [],
    ),
    "strings and comments": (
        """
# x = nd.ones((2,)); import mxnet
text = 'nd.ones((2,))' + '''
import mxnet as mx
  mx.nd.zeros(3)
'''
x = nd.ones((2,))  # nd.ones gives ones
""",
        [
            "# x = nd.ones((2,)); import mxnet",
            "text = 'nd.ones((2,))' + '''",
            "  mx.nd.zeros(3)",
            "x = torch.ones((2,))  # nd.ones gives ones",
        ],
        [],
    ),
    "imported if it can be": (
        """
try:
    import mxnet as m
except ImportError:
    m = None
x = m.nd.ones((2,)) if m is not None else 0
""",
        ["x = torch.ones((2,)) if m is not None else 0"],
        None,
    ),
    "known at run time only": (
        """
f = getattr(mx.nd, input())
y = f(nd.ones((2,)))
""",
        ["f = getattr(mx.nd, input())"],
        [3],
    ),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_outcome(name):
    program, lines, to_do = OUTCOMES[name]
    ported = port_text(HEAD + program.removeprefix("\n"))
    for line in lines:
        assert line in ported.text.splitlines(), ported.text
    found = [f.line for f in ported.findings if f.act]
    assert to_do is None or found == to_do, ported.findings
    assert port_text(ported.text).text == ported.text
    compile(ported.text, name, "exec")


def test_what_may_be_either_is_said():
    program, _, _ = OUTCOMES["a method on either"]
    ported = port_text(HEAD + program.removeprefix("\n"))
    assert [f.code for f in ported.findings if f.line == 5] != [], ported.text


def test_a_star_import():
    text = "from mxnet.ndarray import *\nx = ones((2,))\ny = len(x)\n"
    ported = port_text(text)
    assert "x = torch.ones((2,))" in ported.text
    assert "y = len(x)" in ported.text
    assert [f.code for f in ported.findings] == ["MXT009"]
    assert [u.status for u in scan_text(text)] == ["unclear", "exact"]


BROKEN = {
    "print": (b"import mxnet as mx\nprint 'two'\n", "Python 2"),
    "except": (b"import mxnet\ntry:\n    pass\nexcept ValueError, e:\n    pass\n", "parse"),
    "backticks": (b"import mxnet\nx = `1`\n", "parse"),
    "octal": (b"import mxnet\nx = 0777\n", "parse"),
    "unfinished": (b"import mxnet\nx = (1,\n", "parse"),
    "tabs": (b"import mxnet\nif 1:\n\tx = 1\n        y = 2\n", "parse"),
    "latin-1": (b"# caf\xe9\nimport mxnet\n", "unreadable"),
    "utf-16": ("import mxnet\n".encode("utf-16"), "unreadable"),
    "odd coding": (b"# -*- coding: none-such -*-\nimport mxnet\n", "unreadable"),
    "null": (b"import mxnet\nx = '\0'\n", "parse"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_copied_and_said(name, tmp_path, capsys):
    raw, reason = BROKEN[name]
    source, out = tmp_path / "src", tmp_path / "out"
    source.mkdir()
    (source / "bad.py").write_bytes(raw)
    (source / "good.py").write_text(HEAD + "x = nd.ones((2,))\n")
    assert run("port", source, "-o", out, "--json") == 1
    bad, good = json.loads(capsys.readouterr().out)["files"]
    assert bad["refused"]
    assert reason in bad["findings"][0]["message"]
    assert good["changed"]
    assert (out / "bad.py").read_bytes() == raw == (source / "bad.py").read_bytes()
    assert run("scan", source, "--json") == 1
    assert list(json.loads(capsys.readouterr().out)["unread"]) == ["bad.py"]


BYTES = {
    "byte order mark": b"\xef\xbb\xbfimport mxnet as mx\nx = mx.nd.ones((2,))\n",
    "no last line end": b"import mxnet as mx\nx = mx.nd.ones((2,))",
    "mixed line ends": b"# a\r\n# b\nimport mxnet as mx\r\n# c\nx = mx.nd.ones((2,))\r\n# d\n",
    "carriage returns": b"# a\rimport mxnet as mx\rx = mx.nd.ones((2,))\ry = 1\r",
    "ends of all three kinds": b"# a\r# b\r\nimport mxnet as mx\rx = mx.nd.ones((2,))\n",
    "tabs": b"import mxnet as mx\nif 1:\n\tx = mx.nd.ones((2,))\n\ty = 1 \n",
    "form feed": b"import mxnet as mx\n\x0c\nx = mx.nd.ones((2,))\n",
    "beyond ascii": "import mxnet as mx\né = 'ü'; x = mx.nd.ones((2,))  # 多GPU\n".encode(),
    "continued": b"import mxnet as mx\nx = \\\n    mx.nd.ones((2,)) + \\\n    1\n",
    "several on a line": b"import os; import mxnet as mx; x = mx.nd.ones((2,)); y = 1\n",
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_around_stay(name, tmp_path):
    source, out = tmp_path / "a.py", tmp_path / "b.py"
    source.write_bytes(BYTES[name])
    assert run("port", source, "-o", out) == 0
    wanted = BYTES[name].replace(b"import mxnet as mx", b"import torch")
    assert out.read_bytes() == wanted.replace(b"mx.nd.ones", b"torch.ones")
    assert source.read_bytes() == BYTES[name]


OPTIONAL = """\
try:
    import mxnet as mx
    HAS = True
except ImportError:
    mx = None
    HAS = False
def load():
    if mx is None or not mx:
        return None
    return mx.nd.ones((2,))
"""


def test_a_program_that_does_without_mxnet_asks_for_torch():
    ported = port_text(OPTIONAL)
    assert (
        "try:\n    import torch\n    HAS = True\nexcept ImportError:\n    torch = None"
        in ported.text
    )
    assert "    if (torch is None) or (not torch):\n" in ported.text
    assert (ported.findings, ported.counts.left) == ([], 0)
    assert port_text(ported.text).text == ported.text
    kept = port_text(OPTIONAL + "y = mx.kv.create('dist_async')\n").text
    assert "    import mxtorch as mx\n" in kept
    assert "    mx = torch = None\n" in kept
    after = port_text("import mxnet\n" + OPTIONAL)  # it is there anyway
    assert "    if mx is None or not mx:\n" in after.text


HOLLOW = """\
import sys
if 'mxnet' in sys.modules:
    from mxnet import nd
else:
    import numpy as nd
try:
    import mxnet
    from mxnet import gluon
except ImportError:
    print('none')
x = nd.ones((2,))
"""


def test_a_block_that_loses_its_only_statement():
    ported = port_text(HOLLOW.replace("x = nd", "x = 1 or nd"))
    assert "try:\n    pass\nexcept ImportError:" in ported.text
    alone = HOLLOW.partition("x =")[0] + "y = 1\n"
    assert "modules:\n    pass\nelse:\n" in port_text(alone).text
    assert port_text(alone).findings == []


def test_a_name_for_one_of_two_modules_is_said():
    ported = port_text(HOLLOW)
    assert "    from mxtorch import nd\nelse:\n    import numpy as nd\n" in ported.text
    (finding,) = ported.findings
    assert finding.act
    assert finding.message.endswith("ones of what may be a module of MXNet's or another")
    assert ("*.ones", "unclear") in {(u.name, u.status) for u in scan_text(HOLLOW)}


@pytest.fixture
def tree(tmp_path):
    source = tmp_path / "src"
    (source / "sub").mkdir(parents=True)
    (source / "sub" / "a.py").write_text(HEAD + "x = nd.ones((2,))\n")
    return source


def contents(folder):
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links(tree, tmp_path):
    (tree / "near.py").symlink_to("sub/a.py")
    (tree / "far.py").symlink_to(tree / "sub" / "a.py")
    (tree / "lost.py").symlink_to("nowhere.py")  # said, and copied
    (tree / "loop").symlink_to("..", target_is_directory=True)
    before = contents(tree / "sub")
    assert run("port", tree, "-o", tmp_path / "out") == 1
    assert contents(tree / "sub") == before
    out = tmp_path / "out"
    assert "torch.ones" in (out / "near.py").read_text()
    assert "torch.ones" in (out / "far.py").read_text()
    assert (out / "loop").is_symlink()
    assert (out / "lost.py").is_symlink()
    assert "mxnet" in (tree / "far.py").read_text()


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_in_place_does_not_follow_links(tree, tmp_path):
    other = tmp_path / "other.py"
    other.write_text(HEAD + "y = nd.ones((2,))\n")
    (tree / "other.py").symlink_to(other)
    assert run("port", tree, "--in-place") == 0
    assert "mxnet" in other.read_text()
    assert "torch.ones" in (tree / "sub" / "a.py").read_text()


def test_a_read_only_tree(tree, tmp_path):
    for path in (tree / "sub" / "a.py", tree / "sub", tree):
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert run("port", tree, "-o", tmp_path / "out") == 0
        assert "torch.ones" in (tmp_path / "out" / "sub" / "a.py").read_text()
        assert (tmp_path / "out" / "sub").stat().st_mode & stat.S_IWUSR
        assert "mxnet" in (tree / "sub" / "a.py").read_text()
    finally:
        for path in (tree, tree / "sub", tree / "sub" / "a.py"):
            path.chmod(path.stat().st_mode | 0o200)


@pytest.mark.parametrize("out", ["src/out", "src", "src/sub", "."])
def test_an_output_that_would_mix_with_the_source(tree, tmp_path, out, capsys):
    before = contents(tmp_path)
    assert run("port", tree, "-o", tmp_path / out) == 2
    assert "choose" in capsys.readouterr().err
    assert contents(tmp_path) == before


def test_the_source_itself_is_no_output(tree, capsys):
    path = tree / "sub" / "a.py"
    before = path.read_bytes()
    assert run("port", path, "-o", path, "--json") == 2
    said = capsys.readouterr()
    assert "--in-place" in said.err
    assert json.loads(said.out)["error"] in said.err
    assert run("port", path, "-o", tree / "sub") == 2
    assert path.read_bytes() == before


@pytest.mark.parametrize("options", [("--check",), ("--diff",), ("--json", "--check")])
def test_what_only_tells_writes_nothing(tree, tmp_path, options):
    before = contents(tmp_path)
    run("port", tree, *options)
    run("scan", tree)
    assert contents(tmp_path) == before


def test_in_place_twice_is_once(tree):
    assert run("port", tree, "--in-place") == 0
    once = contents(tree)
    assert run("port", tree, "--in-place") == 0
    assert contents(tree) == once


def test_a_program_of_torchs_that_speaks_of_mxnet_stays():
    text = (
        "import torch  # as mxnet did\nclass Net(torch.nn.Module):\n    pass\n"
        "net = Net().to('cpu')\nfor p in net.parameters():\n    print(p.shape)\n"
    )
    assert port_text(text).text == text
