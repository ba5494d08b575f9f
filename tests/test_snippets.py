"""Every recorded snippet (tests/<room>/cases_*.py) does what it does in MXNet."""

import contextlib

import pytest

import mxtorch as mx
from mxtorch.run import alias
from tests import recorded
from tests.cases import C


@contextlib.contextmanager
def importable_mxnet():
    """For cases that are programs, with imports of their own."""
    alias.install()
    try:
        yield
    finally:
        alias.uninstall()


# A case may warn, as it does in MXNet; torch's and Python's own warnings stay errors.
@pytest.mark.filterwarnings("ignore::UserWarning:__case__", "ignore::DeprecationWarning:__case__")
@pytest.mark.parametrize(("case", "line"), recorded.params(C))
def test_snippet(case, line):
    if case.id.startswith("absent-gpu/") and mx.num_gpus():
        pytest.skip("this machine has an accelerator")
    with importable_mxnet() if "from mxnet" in case.code else contextlib.nullcontext():
        recorded.check(mx, case, line)
