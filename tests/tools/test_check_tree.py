"""tools/check_tree.py: each limit finds what it is for, and nothing else."""

import pytest

from tools import check_tree

CORE = "src/mxtorch/_core/rng.py"
INIT = "src/mxtorch/gluon/__init__.py"

FOUND = [
    (CORE, "import os\nx = os.environ['A']\n", "os.environ belongs"),
    (CORE, "from os import environ\n", "os.environ belongs"),
    (CORE, "import torch\nx = torch.cuda.is_available()\n", "torch.cuda belongs"),
    (CORE, "import torch\nx = torch.__version__\n", "torch.__version__ belongs"),
    (CORE, "import torch\ntorch.manual_seed(0)\n", "the caller, not here"),
    (CORE, "exec('x')\n", "exec() of program text"),
    ("tests/io/test_x.py", "eval('1')\n", "eval() of program text"),
    (CORE, "import mxtorch\n", "not the package"),
    (CORE, "x = op.name == 'Convolution'\n", "known by name"),
    (CORE, "x = node.op.name in ('dot', 'sum')\n", "known by name"),
    (INIT, "def f():\n    pass\n", "logic in a package"),
    (INIT, "if x:\n    y = 1\n", "logic in a package"),
    (CORE, "def f():\n" + "    x = 1\n" * 60, "f() has 61 lines"),
    (CORE, "x = 1\n" * 601, "601 lines, at most 600"),
    (CORE, "x = 1  # noqa: E501\n", "an ignored lint"),
    ("docs/x.md", "see /work/x\n", "a path of one machine"),
    ("Makefile", "URL=https://pypi.invalid/simple\n", "a package registry"),
]

FINE = [
    ("src/mxtorch/_core/env.py", "import os\nx = os.environ['A']\n"),
    ("src/mxtorch/_core/device.py", "import torch\nx = torch.cuda.is_available()\n"),
    ("tests/test_x.py", "import os\nx = os.environ['A']\n"),
    (CORE, "def f(executor):\n    return executor.eval()\n"),
    ("src/mxtorch/_ops/conv.py", "x = op.name == 'Convolution'\n"),
    (CORE, "x = op.name == other.name\n"),
    (INIT, '"""Doc."""\n\nfrom mxtorch._front.names import fill\n\nx = 1\nfill(globals())\n'),
    (CORE, "x = 1  # noqa: E501 - a table\n"),
    ("docs/x.md", "an onnxruntime.InferenceSession\n"),
]


@pytest.mark.parametrize(("path", "text", "what"), FOUND)
def test_found(path, text, what):
    findings = list(check_tree.check_file(path, text))
    assert len(findings) == 1
    assert what in findings[0].text
    assert findings[0].path == path


@pytest.mark.parametrize(("path", "text"), FINE)
def test_fine(path, text):
    assert list(check_tree.check_file(path, text)) == []
