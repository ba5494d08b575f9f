"""GluonCV's check of torch's version does not stop a program that runs on mxtorch."""

import textwrap

import pytest

from tests import child

CHECK = """
def _require_pytorch_version(low, high):
    raise {error}
"""
PACKAGE = """
from gluoncv.check import _require_pytorch_version
try:
    _require_pytorch_version('1.4.0', '2.0.0')
    found = 'both halves'
except ImportError as error:
    found = 'MXNet half: ' + type(error.__cause__).__name__
"""


@pytest.mark.parametrize(
    ("error", "found"),
    [
        ("RuntimeError('torch 2')", "MXNet half: RuntimeError"),
        ("ImportError('none')", "MXNet half: NoneType"),
    ],
)
def test_torch_that_is_too_new(tmp_path, error, found):
    package = tmp_path / "gluoncv"
    package.mkdir()
    (package / "__init__.py").write_text(PACKAGE)
    (package / "check.py").write_text(textwrap.dedent(CHECK.format(error=error)))
    code = "import gluoncv; print(gluoncv.found)"
    done = child.python("-m", "mxtorch", "run", "-c", code, paths=[tmp_path])
    assert done.stdout.strip() == found, done.stderr
